//! `cargo xtask bench vessel`: the mine hunter with longer counts and more sensors, Motet beside Storm and PRISM.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use crate::bench::{Agreement, Basis, Bench, Case, Extent, Sample, Say};
use crate::bench_chance::overlap;
use crate::bench_motet::Motet;
use crate::bench_report::Page;
use crate::measure::Limit;
use crate::peers::Questions;
use crate::vessel_model::{COMPLETE, Vessel};

const ABOUT: &str = "The mine hunter of `examples/asv` (sEnglish) with longer counts and more sensors, up to more than 20 million states: the whole model and two \
     questions with certified bounds of relative width 1e-6. Storm gets Motet's PRISM export, which has two states a cycle where Motet has one, so states differ. Bounds that \
     do not overlap fail the run, and so does a first answer other than 0.44703 where the counts are those of the example: no plan reads what the further sensors say.";

/// Motet's for the largest; the others have the limit of all benchmarks.
const LIMIT: Limit = Limit { seconds: 300.0, mib: 10_240.0 };

fn vessels(extent: Extent) -> Vec<Vessel> {
    match extent {
        Extent::Quick => vec![
            Vessel::new("the example", 1, &[]),
            Vessel::new("counts twice as long", 2, &[]),
            Vessel::new("a sensor more", 1, &[(1, 1)]),
        ],
        Extent::Full => vec![
            Vessel::new("the example", 1, &[]),
            Vessel::new("counts four times as long", 4, &[]),
            Vessel::new("a sensor more", 1, &[(10, 3)]),
            Vessel::new("two sensors more", 1, &[(10, 3), (6, 2)]),
        ],
    }
}

/// Measures all sizes.
///
/// # Errors
/// When Motet does not end as it should, or two disagree.
pub(crate) fn page(bench: &Bench, say: Say<'_>) -> Result<Page> {
    say("vessel: writing and exporting");
    let vessels = vessels(bench.options.extent);
    let cases: Result<Vec<Case<'_>>> =
        vessels.iter().enumerate().map(|(number, vessel)| case(bench, number, vessel)).collect();
    bench.measure("vessel", ABOUT, &cases?, say)
}

fn case<'a>(bench: &'a Bench, number: usize, vessel: &Vessel) -> Result<Case<'a>> {
    let folder = bench.place(number)?;
    let model = folder.join("asv");
    vessel.write(&bench.root.join("examples/asv"), &model)?;
    let text = export(&bench.motet, &model)?;
    std::fs::write(folder.join("model.prism"), &text)?;
    let motet = Motet::new(&folder, &["asv", "--vacuity", "off"], folder.join("motet.json")).by(Basis::Work);
    let motet = if bench.options.extent == Extent::Full { motet.within(LIMIT) } else { motet };
    let mut contenders = vec![motet.contender(bench)];
    let questions = Questions { folder, model: "model.prism".to_owned(), properties: questions(&text) };
    contenders.extend(questions.contenders(bench));
    Ok(Case { title: vessel.title.clone(), contenders, agreement: Some(agreement(vessel.is_known())) })
}

/// In the PRISM language, with the questions in comments before the model.
pub(crate) fn export(motet: &Path, model: &Path) -> Result<String> {
    let exported = Command::new(motet).arg("export").arg(model).args(["--to", "prism"]).output();
    let exported = exported.context("starting motet")?;
    if !exported.status.success() {
        bail!("the export failed: {}", String::from_utf8_lossy(&exported.stderr));
    }
    Ok(String::from_utf8(exported.stdout)?)
}

/// From lines such as `// "L1": Pmax=? [ F x=1 ]`.
fn questions(export: &str) -> Vec<String> {
    let question = |line: &str| Some(line.strip_prefix("// \"")?.split_once("\": ")?.1.to_owned());
    export.lines().take_while(|line| line.starts_with("//")).filter_map(question).collect()
}

fn agreement<'a>(known: bool) -> Agreement<'a> {
    Box::new(move |samples: &[Option<Sample>]| {
        let first = samples.first().and_then(Option::as_ref).and_then(|own| *own.values.first()?);
        if let Some((low, high)) = first.filter(|_| known) {
            let near = low - 1e-6 <= COMPLETE && COMPLETE <= high + 1e-6;
            ensure!(near, "[{low}, {high}], but {COMPLETE} is published");
        }
        overlap(samples)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_found_before_the_model() {
        let text =
            "// motet export asv --to prism\n// \"A\": Pmax=? [ F (x=1) ]\nmdp\n// \"B\": P=? [ F x=2 ]\n";
        assert_eq!(questions(text), ["Pmax=? [ F (x=1) ]"]);
    }

    #[test]
    fn another_chance_than_the_published_one_is_a_disagreement() {
        let sample = |low, high| [Some(Sample { values: vec![Some((low, high))], ..Sample::default() })];
        assert!(agreement(true)(&sample(0.447_029_9, 0.447_030_1)).is_ok());
        assert!(agreement(true)(&sample(0.44, 0.441)).is_err());
        assert!(agreement(false)(&sample(0.44, 0.441)).is_ok());
        assert!(agreement(true)(&[None]).is_ok());
    }
}
