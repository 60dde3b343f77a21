//! `cargo xtask bench limits`: how far time and memory of the whole program go beyond what `--time` and `--mem` allow.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use crate::bench::{Bench, Extent, Sample, Say};
use crate::bench_motet::Motet;
use crate::bench_report::Page;
use crate::bench_spread::{Spread, grouped, median};
use crate::generated_nets::kanban;
use crate::measure::{Limit, measure};
use crate::vessel_model::Vessel;
use crate::ward_model::{Ties, write_ward};

const ABOUT: &str = "Searches that are larger than what they are allowed: what `--time` and `--mem` ask for beside wall time and peak resident memory of the whole \
     program, as the kernel counts them. Over is how much more that is, in percent: median, and least to greatest over the rounds; below zero the program stopped earlier. A search that \
     is at its end within its limit says nothing here, and is told.";

/// What a run may take before it is ended from outside. The memory is what may be at fault; a large memory takes a while to
/// be filled.
const GUARD: Limit = Limit { seconds: 400.0, mib: 12_288.0 };

/// A limit of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Allowed {
    Seconds(f64),
    Mebibytes(f64),
}

impl Allowed {
    fn options(self) -> [String; 2] {
        match self {
            Allowed::Seconds(seconds) => ["--time".to_owned(), format!("{seconds}s")],
            Allowed::Mebibytes(mib) => ["--mem".to_owned(), format!("{mib}MiB")],
        }
    }

    /// What the run took of it.
    fn taken(self, sample: &Sample) -> f64 {
        match self {
            Allowed::Seconds(_) => sample.cost.wall_seconds,
            Allowed::Mebibytes(_) => sample.cost.peak_mib,
        }
    }

    /// What the program says that it took.
    fn told(self, sample: &Sample) -> Option<f64> {
        match self {
            Allowed::Seconds(_) => sample.work,
            Allowed::Mebibytes(_) => sample.own_bytes.map(|bytes| bytes as f64 / 1024.0 / 1024.0),
        }
    }

    /// In percent of what was allowed.
    fn over(self, sample: &Sample) -> f64 {
        let (Allowed::Seconds(allowed) | Allowed::Mebibytes(allowed)) = self;
        100.0 * (self.taken(sample) / allowed - 1.0)
    }
}

/// A search that is too large, and its limit.
struct Overrun {
    title: String,
    motet: Motet,
    allowed: Allowed,
    samples: Vec<Sample>,
}

/// Measures all limits.
///
/// # Errors
/// When Motet makes no report at a limit.
pub(crate) fn page(bench: &Bench, say: Say<'_>) -> Result<Page> {
    say("limits: writing");
    let mut overruns = overruns(bench)?;
    for round in 0..bench.options.times {
        if round > 0 && bench.begun.elapsed().as_secs_f64() > bench.budget {
            break;
        }
        for overrun in &mut overruns {
            say(&format!(
                "{}, {}: {} of {}",
                overrun.title,
                overrun.allowed.options().join(" "),
                round + 1,
                bench.options.times
            ));
            let sample = run(bench, overrun)?;
            overrun.samples.push(sample);
        }
    }
    let (after, details) = table(&overruns);
    Ok(Page { after, details, ..Page::new("limits", ABOUT) })
}

fn overruns(bench: &Bench) -> Result<Vec<Overrun>> {
    let quick = bench.options.extent == Extent::Quick;
    let (seconds, mib): (&[f64], &[f64]) =
        if quick { (&[0.5, 2.0], &[50.0]) } else { (&[1.0, 10.0], &[100.0, 400.0]) };
    let mut all = Vec::new();
    for (number, (title, motet)) in models(bench)?.into_iter().enumerate() {
        let times = seconds.iter().map(|&seconds| Allowed::Seconds(seconds));
        for (turn, allowed) in times.chain(mib.iter().map(|&mib| Allowed::Mebibytes(mib))).enumerate() {
            let motet = motet.clone().to(bench.place(number)?.join(format!("motet{turn}.json")));
            all.push(Overrun { title: title.clone(), motet, allowed, samples: Vec::new() });
        }
    }
    Ok(all)
}

/// Models that are too large for all limits here: many small states, few large ones, chances, a product.
fn models(bench: &Bench) -> Result<Vec<(String, Motet)>> {
    let mut all = Vec::new();
    let folder = bench.place(0)?;
    let net = kanban(10);
    std::fs::write(folder.join("model.net"), net.tina())?;
    all.push((net.title, Motet::new(&folder, &["model.net"], folder.join("motet.json"))));
    let folder = bench.place(1)?;
    write_ward(&folder, 20)?;
    let arguments = ["ward.b", "--ties", Ties::Choice.word()];
    all.push(("ward, 20 patients".to_owned(), Motet::new(&folder, &arguments, folder.join("motet.json"))));
    let folder = bench.place(2)?;
    let vessel = Vessel::new("vessel, two sensors more", 1, &[(10, 3), (10, 3)]);
    vessel.write(&bench.root.join("examples/asv"), &folder.join("asv"))?;
    all.push((vessel.title, Motet::new(&folder, &["asv"], folder.join("motet.json"))));
    let folder = bench.place(3)?;
    // Started in a folder of its own: checkpoints are put there, and taken away.
    let model = bench.root.join("examples/auction-fixed").display().to_string();
    let motet = Motet::new(&folder, &[&model, "-D", "LAST=40", "-p", "S*"], folder.join("motet.json"));
    all.push(("auction, LAST = 40, weakly fair".to_owned(), motet));
    Ok(all)
}

fn run(bench: &Bench, overrun: &Overrun) -> Result<Sample> {
    // As a user meets it: what was found is saved at a limit, and that takes time too.
    let saving = ["--checkpoint", "5min"];
    let motet =
        if bench.options_of_motet.has(saving[0]) { &overrun.motet.with(&saving) } else { &overrun.motet };
    let mut command = motet.command(bench);
    command.args(overrun.allowed.options());
    let (cost, ended) = measure(&mut command, overrun.motet.output(), GUARD)?;
    let saved = overrun.motet.folder().join(".motet/checkpoints");
    if saved.exists() {
        std::fs::remove_dir_all(&saved).with_context(|| format!("removing {}", saved.display()))?;
    }
    if let Some(cut) = ended.cut(GUARD) {
        bail!("{} with {}: {cut} from outside", overrun.title, overrun.allowed.options().join(" "));
    }
    Ok(Sample { cost, ..overrun.motet.report()? })
}

fn table(overruns: &[Overrun]) -> (String, Value) {
    let mut text = String::from(
        "| case | allowed | runs | taken | as Motet counts | over % | states | |\n|---|---|--:|--:|--:|--:|--:|---|\n",
    );
    let mut details = Vec::new();
    for Overrun { title, allowed, samples, .. } in overruns {
        let middle = |number: &dyn Fn(&Sample) -> Option<f64>| median(samples.iter().filter_map(number));
        let show = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.2}"));
        let over = Spread::of(samples.iter().map(|sample| allowed.over(sample)).collect());
        let end = samples.first().and_then(|sample| sample.cut.as_deref()).unwrap_or("reached its end");
        let _ = writeln!(
            text,
            "| {title} | `{}` | {} | {} | {} | {} | {} | {end} |",
            allowed.options().join(" "),
            samples.len(),
            show(middle(&|sample| Some(allowed.taken(sample)))),
            show(middle(&|sample| allowed.told(sample))),
            over.map_or(String::new(), Spread::text),
            middle(&|sample| Some(sample.states? as f64)).map_or(String::new(), grouped),
        );
        details.push(json!({
            "title": title, "allowed": allowed.options(), "end": end,
            "taken": samples.iter().map(|sample| allowed.taken(sample)).collect::<Vec<f64>>(),
            "over_percent": over.map(Spread::json),
        }));
    }
    (text, json!({ "limits": details }))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::measure::Cost;

    #[test]
    fn an_overrun_is_in_percent_of_what_was_allowed() {
        let cost = Cost { cpu_seconds: 1.0, wall_seconds: 2.5, peak_mib: 96.0 };
        let cut = Some("stopped at its limit of time".to_owned());
        let samples = vec![Sample { cost, cut, states: Some(1_500), work: Some(2.0), ..Sample::default() }];
        let motet = Motet::new(Path::new("a"), &["b"], PathBuf::from("c"));
        let one = |allowed| Overrun {
            title: "a".to_owned(),
            motet: motet.clone(),
            allowed,
            samples: samples.clone(),
        };
        let (text, details) = table(&[one(Allowed::Seconds(2.0)), one(Allowed::Mebibytes(128.0))]);
        let end = "stopped at its limit of time";
        let time = format!("| a | `--time 2s` | 1 | 2.50 | 2.00 | 25 (25..25) | 1 500 | {end} |\n");
        assert!(text.contains(&time), "{text}");
        let memory = format!("| a | `--mem 128MiB` | 1 | 96.00 |  | -25 (-25..-25) | 1 500 | {end} |\n");
        assert!(text.contains(&memory), "{text}");
        assert_eq!(details["limits"][1]["taken"][0], 96.0);
    }
}
