//! `cargo xtask bench reduce`: states and time with each reduction, beside the plain search.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::bench::{Agreement, Bench, Case, Extent, Sample, Say};
use crate::bench_motet::Motet;
use crate::bench_report::Page;
use crate::counting::together;
use crate::generated_nets::{philosophers, token_ring};
use crate::ward_model::{Ties, write_ward};

const ABOUT: &str = "The same claims with and without each option that makes a search smaller; time × below 1 means that it helps. Verdicts must be those of the plain \
     search, or the run fails. Reductions are asked for by the user; what is not asked for changes no number of states.";

/// Each alone, then all together.
const REDUCTIONS: [&[&str]; 5] = [
    &["--slice"],
    &["--symmetry"],
    &["--partial-order"],
    &["--chain"],
    &["--slice", "--symmetry", "--partial-order", "--chain"],
];

/// A model with claims: its title, where it is checked and how.
struct Subject {
    title: String,
    folder: PathBuf,
    arguments: Vec<String>,
}

/// Measures all models.
///
/// # Errors
/// When Motet does not end as it should, or a verdict changes.
pub(crate) fn page(bench: &Bench, say: Say<'_>) -> Result<Page> {
    say("reduce: writing");
    let mut cases = Vec::new();
    for (number, subject) in subjects(bench)?.into_iter().enumerate() {
        let arguments: Vec<&str> = subject.arguments.iter().map(String::as_str).collect();
        let motet = Motet::new(&subject.folder, &arguments, bench.place(number)?.join("motet.json"));
        let reduced = REDUCTIONS.iter().map(|options| motet.with(options).contender(bench));
        let mut contenders = vec![motet.clone().contender(bench)];
        contenders.extend(reduced);
        cases.push(Case { title: subject.title, contenders, agreement: Some(same_verdicts()) });
    }
    bench.measure("reduce", ABOUT, &cases, say)
}

fn subjects(bench: &Bench) -> Result<Vec<Subject>> {
    let quick = bench.options.extent == Extent::Quick;
    let mut all = Vec::new();
    let last = if quick { "LAST=3" } else { "LAST=8" };
    all.push(subject(
        &format!("auction, {last}"),
        bench.root.clone(),
        &["examples/auction-fixed", "-D", last],
    ));
    for study in ["home-care", "digital-nurse"] {
        all.push(subject(study, bench.root.clone(), &[&format!("examples/{study}")]));
    }
    let patients = if quick { 3 } else { 6 };
    let folder = bench.place(all.len())?;
    write_ward(&folder, patients)?;
    let ties = Ties::Choice.word();
    all.push(subject(&format!("ward, {patients} patients"), folder, &["ward.b", "--ties", ties]));
    let (agents, limit) = if quick { (3, 5) } else { (5, 10) };
    let experiment = together(agents, limit);
    let folder = bench.place(all.len())?;
    std::fs::write(folder.join("count.b"), &experiment.brahms)?;
    all.push(subject(&experiment.title, folder, &["count.b", "-e", &experiment.claim]));
    let nets = if quick { [philosophers(7), token_ring(7)] } else { [philosophers(12), token_ring(15)] };
    for (net, claim) in nets.into_iter().zip(["never eats0 > 1", "never sends0 + sends1 > 1"]) {
        let folder = bench.place(all.len())?;
        std::fs::write(folder.join("model.net"), net.tina())?;
        all.push(subject(&net.title, folder, &["model.net", "-e", claim]));
    }
    Ok(all)
}

fn subject(title: &str, folder: PathBuf, arguments: &[&str]) -> Subject {
    let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
    Subject { title: title.to_owned(), folder, arguments }
}

/// A smaller search says the same.
fn same_verdicts<'a>() -> Agreement<'a> {
    Box::new(|samples| {
        let complete: Vec<&Sample> = samples.iter().flatten().filter(|sample| sample.cut.is_none()).collect();
        for sample in &complete {
            let (plain, reduced) = (&complete[0].verdicts, &sample.verdicts);
            ensure!(plain == reduced, "{plain:?} by the first, {reduced:?} by another");
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_verdict_is_a_disagreement() {
        let sample =
            |verdict: &str| Some(Sample { verdicts: vec![format!("A: {verdict}")], ..Sample::default() });
        assert!(same_verdicts()(&[sample("holds"), None, sample("holds")]).is_ok());
        assert!(same_verdicts()(&[sample("holds"), None, sample("fails")]).is_err());
        let mut cut = sample("unknown");
        cut.as_mut().unwrap().cut = Some("stopped at its limit of time".to_owned());
        assert!(same_verdicts()(&[sample("holds"), cut]).is_ok());
    }
}
