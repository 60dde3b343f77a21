//! Random models whose lists are put away at once, in chunks of a few elements, beside the same models in memory.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use motet_evidence::{Fairness, Outcome, Stop, Verdict};
use motet_model::{AtomId, Model};
use motet_naive::chance::random::{Choices, Dice, question};
use motet_naive::random::{Palette, Random, Runs, Shape, Table, path, rich_state};
use motet_property::{Claim, Expect, Filter, Formula, Interval, Kind, Path, Query};
use motet_source::{FileId, Span};

use super::{Spill, Spilling};
use crate::checking::check::{Report, check_all};
use crate::checking::settings::{Order, Settings};
use crate::exploration::limits::Limits;

/// A place outside of memory, which is in memory. After so many reads it is broken.
struct Place {
    bytes: Mutex<Vec<u8>>,
    reads: AtomicUsize,
    broken: usize,
}

impl Spill for Place {
    fn write(&self, place: u64, page: &[u8]) -> io::Result<()> {
        let (mut bytes, place) = (self.bytes.lock().unwrap(), usize::try_from(place).unwrap());
        let end = bytes.len().max(place + page.len());
        bytes.resize(end, 0);
        bytes[place..place + page.len()].copy_from_slice(page);
        Ok(())
    }

    fn read(&self, place: u64, out: &mut [u8]) -> io::Result<()> {
        if self.reads.fetch_add(1, Ordering::Relaxed) >= self.broken {
            return Err(io::Error::other("the disk is broken"));
        }
        let place = usize::try_from(place).unwrap();
        out.copy_from_slice(&self.bytes.lock().unwrap()[place..place + out.len()]);
        Ok(())
    }
}

pub(crate) fn spilling(broken: usize) -> Spilling {
    Spilling::beyond(0, Box::new(Place { bytes: Mutex::default(), reads: AtomicUsize::new(0), broken }))
}

fn claim(kind: Kind, formula: Path<AtomId>) -> Claim<AtomId> {
    Claim {
        name: "claim".to_owned(),
        words: None,
        kind,
        formula,
        expect: Expect::Holds,
        span: Span::new(FileId(0), 0, 0),
        text: String::new(),
    }
}

fn essence(report: &Report) -> String {
    let outcomes = report.outcomes.iter().map(|outcome| {
        let Outcome { verdict, evidence, vacuity, starved, margin, quantity, .. } = outcome;
        format!("{verdict:?}\n{evidence:?}\n{vacuity:?} {starved:?} {margin:?}\n{quantity:?}\n")
    });
    let all = &report.coverage;
    let counts = (all.states, all.transitions, all.choices, all.depth, all.complete, all.open);
    format!("{counts:?}\n{}{:?}", outcomes.collect::<String>(), report.actions)
}

/// Compares with the same search in memory; says how many bytes were put away. With much memory, steps come back before the
/// claims are answered.
#[track_caller]
fn agrees(
    model: &dyn Model,
    claims: &[Claim<AtomId>],
    (settings, memory): (&Settings, Option<u64>),
    context: &str,
) -> u64 {
    let whole = check_all(model, claims, settings, &mut |_| {});
    let spill = spilling(usize::MAX);
    let limits = Limits { memory, ..settings.limits.clone() };
    let settings = Settings { spill: Some(spill.clone()), limits, ..settings.clone() };
    let away = check_all(model, claims, &settings, &mut |_| {});
    assert_eq!(essence(&away), essence(&whole), "{context}");
    for &action in &whole.actions {
        assert_eq!(away.run_to_action(model, action), whole.run_to_action(model, action), "{context}");
    }
    spill.bytes()
}

fn table(random: &mut Random) -> Table {
    let n_states = if random.once_in(3) { 700 } else { 90 };
    let mut table = Table::random(random, Shape { n_states, n_processes: 3, n_atoms: 3 });
    if random.once_in(2) {
        table.scatter(random);
    }
    table
}

#[test]
fn claims_about_runs_and_trees_are_answered_the_same_when_everything_is_away() {
    let palette = Palette { n_atoms: 3, n_observers: 0, runs: Runs::OneOperator };
    let mut put_away = 0;
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let table = table(&mut random);
        let mut claims: Vec<_> = (0..3).map(|_| claim(Kind::Property, path(&mut random, 3, 3))).collect();
        claims.extend((0..3).map(|_| claim(Kind::Property, Path::Now(rich_state(&mut random, palette, 3)))));
        let dead = Formula::Not(Box::new(Formula::Deadlock));
        claims.push(claim(Kind::Property, Path::Always(Interval::default(), Box::new(Path::Now(dead)))));
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let order = if random.once_in(3) { Order::DepthFirst } else { Order::BreadthFirst };
            let settings =
                Settings { fairness, order, threads: 1 + seed as usize % 2, ..Settings::default() };
            let memory = random.once_in(2).then_some(1 << 30);
            let bytes = agrees(&table, &claims, (&settings, memory), &format!("seed {seed}, {settings:?}"));
            put_away += usize::from(bytes > 0);
        }
    }
    assert!(put_away > 60, "{put_away}");
}

#[test]
fn numbers_are_the_same_when_everything_is_away() {
    let asks = |formula: &Formula<AtomId>| match formula {
        Formula::Chance(_, query, _) | Formula::Reward(_, _, query, _) | Formula::Steady(_, query, _) => {
            matches!(query, Query::Value)
        }
        Formula::Filter(Filter::Min | Filter::Max | Filter::Average | Filter::Sum, ..) => true,
        _ => false,
    };
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let choices = if random.once_in(2) { Choices::One } else { Choices::Several };
        let dice = Dice::random(&mut random, choices);
        let formulas = (0..4).map(|_| question(&mut random, choices)).map(|formula| {
            claim(if asks(&formula) { Kind::Query } else { Kind::Property }, Path::Now(formula))
        });
        let claims: Vec<_> = formulas.collect();
        let settings = Settings { threads: 1 + seed as usize % 2, ..Settings::default() };
        let memory = random.once_in(2).then_some(1 << 30);
        agrees(&dice, &claims, (&settings, memory), &format!("seed {seed}"));
    }
}

#[test]
fn a_place_that_breaks_at_any_time_costs_all_verdicts_and_nothing_else() {
    let (mut lost, mut whole) = (0, 0);
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let table = table(&mut random);
        let claims: Vec<_> = (0..4).map(|_| claim(Kind::Property, path(&mut random, 3, 3))).collect();
        let settings = Settings { fairness: Fairness::Weak, ..Settings::default() };
        let expected = essence(&check_all(&table, &claims, &settings, &mut |_| {}));
        for broken in [0, 1, 5, 20, 60, 1000] {
            let spill = spilling(broken);
            let settings = Settings { spill: Some(spill.clone()), ..settings.clone() };
            let report = check_all(&table, &claims, &settings, &mut |_| {});
            if spill.lost().is_none() {
                whole += 1;
                assert_eq!(essence(&report), expected);
                continue;
            }
            lost += 1;
            assert!(!report.coverage.complete && report.actions.is_empty() && report.outcomes.len() == 4);
            for outcome in &report.outcomes {
                assert!(matches!(&outcome.verdict, Verdict::Unknown(Stop::Engine(_))), "{outcome:?}");
                assert!(outcome.evidence.is_none());
            }
        }
    }
    assert!(lost > 20 && whole > 5, "{lost} lost, {whole} whole");
}
