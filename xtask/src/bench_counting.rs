//! `cargo xtask bench counting`: the counting experiments, Motet beside Spin on Promela written by hand.

use anyhow::{Result, ensure};

use crate::bench::{Agreement, Bench, Case, Say};
use crate::bench_motet::Motet;
use crate::bench_report::Page;
use crate::counting::{Experiment, experiments};
use crate::measure::Limit;
use crate::spin::{COLLAPSE, PLAIN, Spin, TWO_CORES};

const ABOUT: &str = "The counting experiments of Stocker's thesis (2013, chapter 11): Motet on the Brahms models, Spin on the smallest Promela that counts the same way, \
     written by hand, where there is one. Motet also proves that the count is never exceeded. The Promela has one process, so \
     there is nothing to reduce. States of Motet are at most twice the combinations of values that can be reached, or the run fails. \
     Eight agents have too many of them; with `--symmetry` those that the claim does not name are explored as a multiset.";

/// From so many combinations on nobody gets to the end, and what is asked is how far.
const ENDLESS: u64 = 100_000_000;
/// For that.
const GLIMPSE: Limit = Limit { seconds: 30.0, mib: 6144.0 };

/// Measures all experiments.
///
/// # Errors
/// When a program does not end as it should or there are too many states.
pub(crate) fn page(bench: &Bench, say: Say<'_>) -> Result<Page> {
    say("counting: writing and compiling");
    let mut cases = Vec::new();
    for (number, experiment) in experiments(bench.options.extent).into_iter().enumerate() {
        cases.push(case(bench, number, experiment)?);
    }
    bench.measure("counting", ABOUT, &cases, say)
}

fn case(bench: &Bench, number: usize, experiment: Experiment) -> Result<Case<'_>> {
    let folder = bench.place(number)?;
    std::fs::write(folder.join("count.b"), &experiment.brahms)?;
    let motet = Motet::new(&folder, &["count.b", "-e", &experiment.claim], folder.join("motet.json"));
    let mut contenders = Vec::new();
    if experiment.combinations > ENDLESS {
        let [one, two] = ["1", "2"].map(|threads| motet.with(&["--symmetry", "--threads", threads]));
        contenders.extend([motet.within(GLIMPSE), one, two].map(|motet| motet.contender(bench)));
    } else {
        contenders.push(motet.contender(bench));
    }
    if let Some(promela) = &experiment.promela {
        let spin = Spin { folder: &folder, promela, switches: &["-DSAFETY"], searches: &[&[]] };
        contenders.extend(spin.contenders(bench, &[PLAIN, COLLAPSE, TWO_CORES])?);
    }
    let most = 2 * experiment.combinations;
    let agreement: Agreement<'_> = Box::new(move |samples| {
        let states = samples.first().and_then(Option::as_ref).and_then(|sample| sample.states).unwrap_or(0);
        ensure!(states <= most, "{states} states, but there are only {most} combinations and moments");
        Ok(())
    });
    Ok(Case { title: experiment.title, contenders, agreement: Some(agreement) })
}
