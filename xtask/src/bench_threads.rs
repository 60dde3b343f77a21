//! `cargo xtask bench threads`: how much faster two threads are than one, in each phase of a check.

use std::fmt::Write as _;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::bench::{Agreement, Basis, Bench, Case, Contender, Extent, Measured, Sample, Say};
use crate::bench_motet::Motet;
use crate::bench_report::Page;
use crate::bench_spread::Spread;
use crate::counting::together;
use crate::generated_nets::{kanban, philosophers};
use crate::spin::{Spin, TWO_CORES};
use crate::vessel_model::Vessel;

const ABOUT: &str = "Motet with one thread and with two on the same models: the states of the auction, its claims on weakly fair runs (a large product), a counting \
     experiment, two nets, the vessel with two questions. Numbers of states and transitions and all verdicts must be the same, or the run fails. Spin on two cores \
     stands beside it on the nets, and two checks of one thread at the same time everywhere: what the machine gives to programs that do not wait for each other.";

/// Measures all models.
///
/// # Errors
/// When Motet does not end as it should, or its results depend on the threads.
pub(crate) fn page(bench: &Bench, say: Say<'_>) -> Result<Page> {
    say("threads: writing and compiling");
    let mut cases = auction(bench)?;
    cases.push(counting(bench)?);
    cases.extend(nets(bench)?);
    cases.push(vessel(bench)?);
    let mut page = bench.measure("threads", ABOUT, &cases, say)?;
    (page.after, page.details) = phases(&page.measured);
    Ok(page)
}

fn is_quick(bench: &Bench) -> bool {
    bench.options.extent == Extent::Quick
}

/// One thread, two threads, and others.
fn case<'a>(title: String, motet: Motet, others: Vec<Contender<'a>>, bench: &'a Bench) -> Case<'a> {
    let motet = motet.by(Basis::Wall);
    let threads = ["1", "2"].map(|count| motet.with(&["--threads", count]).contender(bench));
    let twice = motet.with(&["--threads", "1"]).twice(bench);
    let contenders = threads.into_iter().chain([twice]).chain(others).collect();
    Case { title, contenders, agreement: Some(same_results()) }
}

fn auction(bench: &Bench) -> Result<Vec<Case<'_>>> {
    let last = if is_quick(bench) { "LAST=5" } else { "LAST=10" };
    let one = |number: usize, claims: &str, title: &str| -> Result<Case<'_>> {
        let arguments = ["examples/auction-fixed", "-D", last, "-p", claims];
        let motet = Motet::new(&bench.root, &arguments, bench.place(number)?.join("motet.json"));
        Ok(case(format!("auction, {last}, {title}"), motet, Vec::new(), bench))
    };
    Ok(vec![one(0, "Proposal", "all states")?, one(1, "S*", "S1 to S3, weakly fair")?])
}

fn counting(bench: &Bench) -> Result<Case<'_>> {
    let folder = bench.place(2)?;
    let experiment = together(if is_quick(bench) { 4 } else { 6 }, 10);
    std::fs::write(folder.join("count.b"), &experiment.brahms)?;
    let motet = Motet::new(&folder, &["count.b", "-e", &experiment.claim], folder.join("motet.json"));
    Ok(case(experiment.title, motet, Vec::new(), bench))
}

fn nets(bench: &Bench) -> Result<Vec<Case<'_>>> {
    let nets = if is_quick(bench) { [kanban(3), philosophers(9)] } else { [kanban(6), philosophers(13)] };
    let mut cases = Vec::new();
    for (number, net) in nets.into_iter().enumerate() {
        let folder = bench.place(3 + number)?;
        std::fs::write(folder.join("model.net"), net.tina())?;
        let motet = Motet::new(&folder, &["model.net"], folder.join("motet.json"));
        let (promela, switches) = (net.promela(), ["-DSAFETY", "-DNOFAIR"]);
        let spin = Spin { folder: &folder, promela: &promela, switches: &switches, searches: &[&["-E"]] };
        cases.push(case(net.title, motet, spin.contenders(bench, &[TWO_CORES])?, bench));
    }
    Ok(cases)
}

fn vessel(bench: &Bench) -> Result<Case<'_>> {
    let folder = bench.place(5)?;
    let vessel = if is_quick(bench) {
        Vessel::new("vessel, the example", 1, &[])
    } else {
        Vessel::new("vessel, a sensor more", 1, &[(10, 3)])
    };
    vessel.write(&bench.root.join("examples/asv"), &folder.join("asv"))?;
    let motet = Motet::new(&folder, &["asv", "--vacuity", "off"], folder.join("motet.json"));
    Ok(case(vessel.title, motet, Vec::new(), bench))
}

/// Threads change nothing but time.
fn same_results<'a>() -> Agreement<'a> {
    Box::new(|samples| {
        let [Some(one), Some(two), ..] = samples else { return Ok(()) };
        if one.cut.is_some() || two.cut.is_some() {
            return Ok(());
        }
        let counts = |sample: &Sample| (sample.states, sample.transitions);
        ensure!(counts(one) == counts(two), "{:?} with one thread, {:?} with two", counts(one), counts(two));
        ensure!(
            one.verdicts == two.verdicts,
            "{:?} with one thread, {:?} with two",
            one.verdicts,
            two.verdicts
        );
        Ok(())
    })
}

/// A phase and its seconds.
type Phase = (&'static str, fn(&Sample) -> Option<f64>);

const PHASES: [Phase; 4] = [
    ("exploring", |sample| sample.exploring),
    ("answering", |sample| Some(sample.work? - sample.exploring?)),
    ("both", |sample| sample.work),
    ("whole program", |sample| Some(sample.cost.wall_seconds)),
];

/// What cannot be told apart from nothing has no speed.
const LEAST: f64 = 0.005;

/// Seconds with one thread by seconds with two, in each phase.
fn phases(measured: &[Measured]) -> (String, Value) {
    let mut text = String::from(
        "How many times as fast two threads are: median, and least to greatest over the rounds. The last column is what the machine gives: how much faster two checks of one thread are done at the same time than one after the other.\n\n| case |",
    );
    PHASES.iter().for_each(|(name, _)| {
        let _ = write!(text, " {name} |");
    });
    text += " two checks at once |\n|---|--:|--:|--:|--:|--:|\n";
    let mut details = Vec::new();
    for case in measured {
        let _ = write!(text, "| {} |", case.title);
        let mut speeds = serde_json::Map::new();
        for (name, seconds) in PHASES {
            let spread = speed(case, seconds);
            let _ = write!(text, " {} |", spread.map_or(String::new(), Spread::text));
            speeds.insert(name.to_owned(), spread.map_or(Value::Null, Spread::json));
        }
        let machine = machine(case);
        let _ = writeln!(text, " {} |", machine.map_or(String::new(), Spread::text));
        speeds.insert("two checks at once".to_owned(), machine.map_or(Value::Null, Spread::json));
        details.push(json!({ "title": case.title, "times_as_fast": speeds }));
    }
    (text, json!({ "phases": details }))
}

/// How many times as much work the machine does when two checks of one thread run at the same time: two cores that share
/// caches, memory or more are not twice as fast as one, whatever runs on them.
fn machine(case: &Measured) -> Option<Spread> {
    speed_of(case, 2, |sample| sample.work, 2.0)
}

fn speed(case: &Measured, seconds: fn(&Sample) -> Option<f64>) -> Option<Spread> {
    speed_of(case, 1, seconds, 1.0)
}

/// Seconds of the first by those of another who does so many times as much.
fn speed_of(
    case: &Measured,
    other: usize,
    seconds: fn(&Sample) -> Option<f64>,
    times: f64,
) -> Option<Spread> {
    let (one, two) = (case.rows.first()?, case.rows.get(other)?);
    let pairs =
        one.samples.iter().zip(&two.samples).filter(|(one, two)| one.cut.is_none() && two.cut.is_none());
    let speeds = pairs.filter_map(|(one, two)| {
        let (one, two) = (seconds(one)?, seconds(two)?);
        (one >= LEAST && two >= LEAST).then_some(times * one / two)
    });
    Spread::of(speeds.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Row;

    fn row(seconds: &[(f64, f64)]) -> Row {
        let sample = |&(work, answering): &(f64, f64)| Sample {
            work: Some(work),
            exploring: Some(work - answering),
            states: Some(1),
            ..Sample::default()
        };
        let samples = seconds.iter().map(sample).collect();
        Row { name: "Motet".to_owned(), basis: Basis::Wall, compile: None, samples, absent: None }
    }

    #[test]
    fn each_phase_has_its_own_speed() {
        let rows = vec![
            row(&[(3.0, 1.0), (3.0, 1.0)]),
            row(&[(2.0, 1.0), (2.0, 0.5)]),
            row(&[(4.0, 1.0), (3.0, 1.0)]),
        ];
        let (text, details) = phases(&[Measured { title: "a".to_owned(), rows }]);
        let expected =
            "| a | 1.33 (1.33..2.00) | 1.00 (1.00..2.00) | 1.50 (1.50..1.50) |  | 1.50 (1.50..2.00) |\n";
        assert!(text.ends_with(expected), "{text}");
        assert_eq!(details["phases"][0]["times_as_fast"]["both"]["median"], 1.5);
        assert_eq!(details["phases"][0]["times_as_fast"]["whole program"], Value::Null);
    }

    #[test]
    fn other_states_with_two_threads_are_a_disagreement() {
        let sample = |states| Some(Sample { states: Some(states), ..Sample::default() });
        assert!(same_results()(&[sample(5), sample(5), None]).is_ok());
        assert!(same_results()(&[sample(5), sample(6)]).is_err());
        assert!(same_results()(&[None, sample(6)]).is_ok());
    }
}
