//! A watched claim stands as the definition says: false when no continuation satisfies it, true when all do.

mod support;

use motet_engine::{Ending, Standing, Watch};
use motet_model::{AtomId, TimeUnit};
use motet_naive::random::{Random, past_path, path, timed_path};
use motet_naive::{Beginning, Continuations};
use motet_property::{Bound, Formula, Interval, Kind, Knowledge, Path, Quantifier, Unit};
use support::{always, atom, claim, eventually, implies, not, rounds};

fn expected(continuations: Continuations) -> Standing {
    match (continuations.satisfy, continuations.violate) {
        (false, _) => Standing::False,
        (true, false) => Standing::True,
        (true, true) => Standing::Undecided,
    }
}

fn letters(random: &mut Random, n: usize, n_atoms: usize) -> Vec<Vec<bool>> {
    (0..n).map(|_| (0..n_atoms).map(|_| random.once_in(2)).collect()).collect()
}

/// The standings after each of these states.
fn standings(watch: &mut Watch, letters: &[Vec<bool>], delay: u32) -> Vec<Standing> {
    letters.iter().map(|letter| watch.step(&mut |atom| letter[atom.index()], delay)).collect()
}

#[test]
fn a_claim_stands_as_all_continuations_say() {
    let mut counts = [0; 3];
    for seed in 0..rounds(5000) {
        let mut random = Random::new(seed);
        let depth = 1 + random.below(3);
        let formula = path(&mut random, 2, depth);
        let n = 1 + random.below(4);
        let letters = letters(&mut random, n, 2);
        let item = claim(Kind::Property, formula.clone());
        let Ok(mut watch) = Watch::new(&item, TimeUnit::Steps, &[0]) else { continue };
        let mut decided = None;
        for (at, standing) in standings(&mut watch, &letters, 0).into_iter().enumerate() {
            let beginning = Beginning { letters: letters[..=at].to_vec(), delay: 0, unit: TimeUnit::Steps };
            let Some(continuations) = beginning.all_continuations(&formula) else { break };
            let context = || format!("seed {seed}, state {at}, {formula:?}\n{letters:?}");
            assert_eq!(standing, expected(continuations), "{}", context());
            assert!(decided.is_none_or(|decided| decided == standing), "{}", context());
            decided = Some(standing).filter(|standing| *standing != Standing::Undecided);
            counts[standing as usize] += 1;
        }
        assert!(watch.is_exact() && watch.lost().is_none(), "seed {seed}");
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

/// Continuations of a few states suffice for windows and clocks this small.
#[test]
fn a_claim_about_time_or_the_past_stands_as_short_continuations_say() {
    let mut counts = [0; 3];
    for seed in 0..rounds(1500) {
        let mut random = Random::new(seed);
        let formula = match seed % 2 {
            0 => timed_path(&mut random, Unit::Cycles, 1, 2),
            _ => past_path(&mut random, Unit::Cycles, 1, 2),
        };
        let delay = u32::from(!random.once_in(4));
        let n = 1 + random.below(3);
        let letters = letters(&mut random, n, 1);
        let item = claim(Kind::Property, formula.clone());
        let Ok(mut watch) = Watch::new(&item, TimeUnit::Cycles, &[delay]) else { continue };
        let last = standings(&mut watch, &letters, delay)[n - 1];
        let beginning = Beginning { letters: letters.clone(), delay, unit: TimeUnit::Cycles };
        let mut continuations = beginning.short_continuations(&formula, 4);
        if expected(continuations) != last {
            continuations = beginning.short_continuations(&formula, 9);
        }
        assert_eq!(last, expected(continuations), "seed {seed}, delay {delay}, {formula:?}\n{letters:?}");
        counts[last as usize] += 1;
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

fn stands(formula: Path<AtomId>, letters: &[[bool; 2]]) -> Standing {
    let mut watch = Watch::new(&claim(Kind::Property, formula), TimeUnit::Steps, &[0]).expect("linear");
    let letters: Vec<Vec<bool>> = letters.iter().map(|letter| letter.to_vec()).collect();
    *standings(&mut watch, &letters, 0).last().expect("some")
}

#[test]
fn what_no_rewriting_sees_is_seen() {
    const NEITHER: [bool; 2] = [false, false];
    let tautology =
        Path::Or(Box::new(always(eventually(atom(0)))), Box::new(eventually(always(not(atom(0))))));
    assert_eq!(stands(tautology, &[NEITHER]), Standing::True);
    // p0 & p1 has to come, but never p0: the propositions are not free of each other.
    let both =
        Path::Now(Formula::And(Box::new(Formula::Atom(AtomId(0))), Box::new(Formula::Atom(AtomId(1)))));
    let contradiction = Path::And(Box::new(eventually(both)), Box::new(always(not(atom(0)))));
    assert_eq!(stands(contradiction, &[NEITHER]), Standing::False);
    // A response never stands but undecided: it is neither safe nor certain (Bauer, Leucker, Schallhart 2011).
    let response = always(implies(atom(0), eventually(atom(1))));
    assert_eq!(stands(response, &[[true, false], NEITHER, [false, true]]), Standing::Undecided);
}

fn within(cycles: u64, path: Path<AtomId>) -> Path<AtomId> {
    let high = Some(Bound { amount: cycles, unit: Some(Unit::Cycles), strict: false });
    Path::Eventually(Interval { low: None, high }, Box::new(path))
}

/// The request comes in state 2, so that its window of 3 cycles closes with state 5: there the answer must have come.
#[test]
fn a_deadline_is_missed_in_the_last_state_that_could_have_met_it() {
    let item = claim(Kind::Property, always(implies(atom(0), within(3, atom(1)))));
    let mut watch = Watch::new(&item, TimeUnit::Cycles, &[1]).expect("linear");
    for cycle in 0..20 {
        let standing = watch.step(&mut |atom| atom.0 == 0 && cycle == 2, 1);
        let expected = if cycle < 5 { Standing::Undecided } else { Standing::False };
        assert_eq!(standing, expected, "cycle {cycle}");
    }
    assert_eq!(watch.end(), Ending::False);
}

/// Windows that overlap are sets of times, of which there are more than can be kept: what lies behind is forgotten.
#[test]
fn a_long_run_with_overlapping_windows_is_watched_to_its_end() {
    let bound = |amount| Some(Bound { amount, unit: Some(Unit::Cycles), strict: false });
    let later = Path::Eventually(Interval { low: bound(5), high: bound(40) }, Box::new(atom(1)));
    let item = claim(Kind::Property, always(implies(atom(0), later)));
    let mut watch = Watch::new(&item, TimeUnit::Cycles, &[1]).expect("linear");
    let mut random = Random::new(7);
    let (mut requests, mut violated) = (Vec::new(), None);
    for cycle in 0..200_000_u32 {
        let (request, answer) = (random.once_in(3), random.once_in(5));
        let standing = watch.step(&mut |atom| if atom.0 == 0 { request } else { answer }, 1);
        // By the definition of the window; a state lasts a cycle, so an answer 4 cycles later lasts until the window opens.
        if request {
            requests.push(cycle);
        }
        requests.retain(|&request| !answer || cycle < request + 4);
        if violated.is_none() && requests.iter().any(|&request| cycle >= request + 40) {
            violated = Some(cycle);
        }
        let expected = if violated.is_some() { Standing::False } else { Standing::Undecided };
        assert_eq!(standing, expected, "cycle {cycle}");
        if violated.is_some() {
            break;
        }
    }
    assert!(violated.is_some_and(|cycle| cycle > 1000) && watch.lost().is_none(), "{violated:?}");
}

#[test]
fn a_possibility_is_true_once_seen_and_never_false() {
    let item = claim(Kind::Possible, atom(0));
    let mut watch = Watch::new(&item, TimeUnit::Cycles, &[1]).expect("linear");
    assert_eq!(watch.step(&mut |_| false, 1), Standing::Undecided);
    assert_eq!(watch.end(), Ending::NotSeen);
    assert_eq!(watch.step(&mut |_| true, 1), Standing::True);
    assert_eq!(watch.step(&mut |_| false, 1), Standing::True);
}

#[test]
fn what_one_run_cannot_show_is_refused_in_words() {
    let now = |formula| claim(Kind::Property, Path::Now(formula));
    let runs = |quantifier, path| Formula::Runs(quantifier, Box::new(path));
    let knows = Formula::Knows(Knowledge::One, vec!["a".to_owned()], Box::new(Formula::Atom(AtomId(0))));
    let refused = |item| Watch::new(&item, TimeUnit::Cycles, &[1]).map(|_| ()).expect_err("refused").reason;
    assert!(refused(now(runs(Quantifier::Some, eventually(atom(0))))).contains("other runs"));
    assert!(refused(now(knows)).contains("knows"));
    assert!(refused(now(Formula::Deadlock)).contains("deadlock"));
    assert!(refused(claim(Kind::Query, atom(0))).contains("number"));
    let clock =
        Interval { low: None, high: Some(Bound { amount: 3, unit: Some(Unit::Clock), strict: false }) };
    let seconds = claim(Kind::Property, Path::Eventually(clock, Box::new(atom(0))));
    assert!(refused(seconds).contains("counts cycles"));
    // AG (p -> AF q) says nothing of other runs that this one could not refute.
    let response = runs(
        Quantifier::All,
        always(implies(atom(0), Path::Now(runs(Quantifier::All, eventually(atom(1)))))),
    );
    assert!(Watch::new(&now(response), TimeUnit::Cycles, &[1]).is_ok());
}
