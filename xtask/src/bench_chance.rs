//! `cargo xtask bench chance`: models of chance, Motet beside Storm and PRISM.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use crate::bench::{Basis, Bench, Binary, Case, Extent, Sample, Say};
use crate::bench_motet::Motet;
use crate::bench_report::Page;
use crate::peers::Questions;

const ABOUT: &str = "The models of `corpus/prism`, named by page and line, and the mine hunter of `examples/asv`, which the others get as Motet's PRISM export. Everybody builds the whole \
     model and answers all questions with certified bounds of relative width 1e-6. Bounds that do not overlap fail the run. \
     Storm needs some hundredths of a second for any model, so ratios of small ones say little about its search.";

/// How many models a quick run has.
const FEW: usize = 6;

/// Measures all models.
///
/// # Errors
/// When the tasks cannot be written, a program does not end as it should, or two disagree.
pub(crate) fn page(bench: &Bench, say: Say<'_>) -> Result<Page> {
    say("chance: writing the models");
    let tasks = bench.folder.join("tasks");
    if tasks.exists() {
        std::fs::remove_dir_all(&tasks)?;
    }
    // The suite knows how to read the corpus and the languages, so writing the models is one of its programs.
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let mut writer = Command::new(cargo);
    writer.args(["run", "--release", "--quiet", "-p", "motet-suite", "--example", "chance", "--"]);
    if bench.options.binary == Binary::Built {
        writer = Command::new(bench.root.join("target/release/examples/chance"));
    }
    if !writer.current_dir(&bench.root).arg(&tasks).status()?.success() {
        bail!("the models could not be written");
    }
    let entries = std::fs::read_dir(&tasks)?.map(|entry| Ok(entry?.path()));
    let mut folders = entries.collect::<Result<Vec<PathBuf>>>()?;
    folders.sort();
    if bench.options.extent == Extent::Quick {
        folders.truncate(FEW);
    }
    let cases: Result<Vec<Case<'_>>> = folders.iter().map(|folder| case(bench, folder)).collect();
    bench.measure("chance", ABOUT, &cases?, say)
}

fn case<'a>(bench: &'a Bench, folder: &Path) -> Result<Case<'a>> {
    let read = |name: &str| {
        std::fs::read_to_string(folder.join(name)).with_context(|| format!("{name} in {}", folder.display()))
    };
    let lines = |text: String| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let mut arguments = lines(read("arguments")?);
    // The others are asked for values, so nothing else is worked out here either.
    arguments.extend(["--vacuity", "off"].map(str::to_owned));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let motet = Motet::new(&bench.root, &arguments, folder.join("motet.json")).by(Basis::Work);
    let mut contenders = vec![motet.contender(bench)];
    let questions = Questions {
        folder: folder.to_owned(),
        model: "model.prism".to_owned(),
        properties: lines(read("questions")?),
    };
    contenders.extend(questions.contenders(bench));
    Ok(Case { title: read("title")?, contenders, agreement: Some(Box::new(overlap)) })
}

/// Bounds overlap. Where Storm left a question open there is nothing to compare.
///
/// # Errors
/// When they do not.
pub(crate) fn overlap(samples: &[Option<Sample>]) -> Result<()> {
    let [Some(own), Some(storm), ..] = samples else { return Ok(()) };
    for (number, (own, other)) in own.values.iter().zip(&storm.values).enumerate() {
        let (Some((low, high)), Some((least, most))) = (own, other) else { continue };
        let slack = 1e-9 * high.abs().max(1.0);
        let both = low.is_infinite() && least.is_infinite();
        let overlap = both || (low - slack <= *most && *least <= high + slack);
        ensure!(overlap, "question {number}: [{low}, {high}] here and [{least}, {most}] there");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_do_not_overlap_are_a_disagreement() {
        let sample = |bounds| Some(Sample { values: vec![None, bounds], ..Sample::default() });
        let agree = |own, other| overlap(&[sample(own), sample(other), None]).is_ok();
        assert!(agree(Some((0.1, 0.3)), Some((0.2, 0.4))));
        assert!(!agree(Some((0.1, 0.2)), Some((0.3, 0.4))));
        assert!(agree(Some((0.1, 0.2)), None));
        let infinite = Some((f64::INFINITY, f64::INFINITY));
        assert!(agree(infinite, infinite));
        assert!(!agree(infinite, Some((5.0, 6.0))));
    }
}
