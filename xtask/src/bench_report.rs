//! What was measured, as a page for people and as JSON for programs.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::bench::{Basis, Bench, Extent, Measured, Row, Sample};
use crate::bench_spread::{Bound, Spread, grouped, median};
use crate::machine::Machine;

/// Where pages are kept.
pub(crate) const FOLDER: &str = "docs/benchmarks";

/// From how many states on models are taken together; small ones say little about speed.
const SIZES: [(&str, f64); 3] =
    [("all models", 0.0), ("models of 1 000 states or more", 1e3), ("models of 10 000 states or more", 1e4)];

/// From how many states on memory by states says something about states.
const ENOUGH: f64 = 10_000.0;

/// Of the table.
const COLUMNS: [&str; 15] = [
    "case",
    "program",
    "runs",
    "states",
    "transitions",
    "CPU s",
    "wall s",
    "work s",
    "k states/s",
    "B/state",
    "own B/state",
    "MiB",
    "gcc s",
    "time ×",
    "memory ×",
];

const LEGEND: &str = "Numbers of a line are medians over its runs. time × and memory × are the program's by Motet's of the same round: median, \
     and least to greatest over the rounds; > where the program was ended by its limit. Time is CPU time, counted in hundredths of a second, at least one; wall time \
     for programs on several cores, whose CPU time is not shown; where work s is given it is that, the seconds after \
     reading the model, because starting Storm takes longer than most models. MiB is peak resident memory; B/state is that by states, without what the \
     same program takes on next to nothing, which for Spin is mostly its table of slots (128 MiB); own B/state is what the program itself counts for states and what belongs to them. \
     A program that took long is run less often, and when the time of the page is used up each case has one round. Compiling the verifier is apart, in gcc s.";

/// The result of one benchmark.
pub(crate) struct Page {
    pub(crate) name: &'static str,
    /// What is measured, and how to read it.
    pub(crate) about: String,
    pub(crate) measured: Vec<Measured>,
    /// What follows the table.
    pub(crate) after: String,
    /// The numbers in that, for programs.
    pub(crate) details: Value,
}

impl Page {
    /// A page without measurements.
    pub(crate) fn new(name: &'static str, about: &str) -> Self {
        let about = about.to_owned();
        Self { name, about, measured: Vec::new(), after: String::new(), details: Value::Null }
    }

    /// Writes both forms and returns the page. What is not the full benchmark does not replace a page that is kept; every
    /// single run is in the build folder only, because raw runs that change with each measurement tell a history nothing.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn write(&self, bench: &Bench, machine: &Machine) -> Result<String> {
        let command = self.command(bench);
        let page = self.markdown(&command, machine);
        let data = serde_json::to_string_pretty(&self.json(&command, machine))?;
        let folder = self.folder(bench);
        for folder in [&folder, &bench.folder] {
            std::fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
        }
        std::fs::write(folder.join(format!("{}.md", self.name)), &page)?;
        std::fs::write(bench.folder.join(format!("{}.json", self.name)), data + "\n")?;
        Ok(page)
    }

    /// Where the page belongs.
    pub(crate) fn folder(&self, bench: &Bench) -> PathBuf {
        let whole = bench.options.extent == Extent::Full && bench.options.last.is_none();
        if whole { bench.root.join(FOLDER) } else { bench.folder.clone() }
    }

    fn command(&self, bench: &Bench) -> String {
        let mut command = format!("cargo xtask bench {}", self.name);
        if let Some(last) = bench.options.last {
            let _ = write!(command, " {last}");
        }
        if bench.options.extent == Extent::Quick {
            command += " --quick";
        }
        let _ = write!(command, " --times {}", bench.options.times);
        command
    }

    fn markdown(&self, command: &str, machine: &Machine) -> String {
        let mut page = format!("# Benchmark: {}\n\n{}\n\nMade by `{command}`.\n\n", self.name, self.about);
        page += &machine.markdown();
        page.push('\n');
        if !self.measured.is_empty() {
            page += &self.table();
        }
        if !self.after.is_empty() {
            let _ = write!(page, "\n{}", self.after);
        }
        page
    }

    /// Everybody on every case.
    fn table(&self) -> String {
        let mut page = format!("| {} |\n|---|---|", COLUMNS.join(" | "));
        page += &"--:|".repeat(COLUMNS.len() - 2);
        page.push('\n');
        for measured in &self.measured {
            for row in &measured.rows {
                page += &line(measured, row);
            }
        }
        let means = self.means();
        if !means.is_empty() {
            page.push('\n');
        }
        for mean in means {
            let _ = writeln!(
                page,
                "Geometric mean of time × for {}, {}: {:.2} over {} cases.",
                mean.program, mean.which, mean.value, mean.cases
            );
        }
        page + "\n" + LEGEND + "\n"
    }

    fn json(&self, command: &str, machine: &Machine) -> Value {
        let cases: Vec<Value> = self
            .measured
            .iter()
            .map(|measured| {
                let programs: Vec<Value> = measured.rows.iter().map(|row| row_json(measured, row)).collect();
                json!({ "title": measured.title, "programs": programs })
            })
            .collect();
        let means: Vec<Value> = self
            .means()
            .iter()
            .map(|mean| {
                json!({ "program": mean.program, "which": mean.which, "cases": mean.cases, "geometric_mean": mean.value })
            })
            .collect();
        json!({
            "schema": "motet.bench/1", "name": self.name, "command": command, "machine": machine.json(),
            "cases": cases, "means": means, "details": self.details,
        })
    }

    /// For each peer and size with at least three cases.
    fn means(&self) -> Vec<Mean> {
        let mut names: Vec<&str> = Vec::new();
        for row in self.measured.iter().flat_map(|measured| &measured.rows) {
            if !names.contains(&row.name.as_str()) {
                names.push(&row.name);
            }
        }
        let mut means = Vec::new();
        for name in names {
            let found = self.measured.iter().filter_map(|measured| {
                let ratio = measured.rows.iter().skip(1).find(|row| row.name == name)?.ratio(measured)?;
                let states = median(measured.rows.first()?.samples.iter().filter_map(states))?;
                (ratio.bound == Bound::Known).then_some((ratio.median, states))
            });
            let found: Vec<(f64, f64)> = found.collect();
            for (which, least) in SIZES {
                let large = found.iter().filter(|(_, states)| *states >= least);
                let ratios: Vec<f64> = large.map(|(ratio, _)| *ratio).collect();
                if ratios.len() >= 3 {
                    let value = geometric_mean(&ratios);
                    means.push(Mean { program: name.to_owned(), which, cases: ratios.len(), value });
                }
            }
        }
        means
    }
}

/// A peer's ratios in one number.
struct Mean {
    program: String,
    which: &'static str,
    cases: usize,
    value: f64,
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

impl Sample {
    /// Peak memory by states, without what the program takes anyway; of small models that would be noise.
    pub(crate) fn bytes_per_state(&self) -> Option<f64> {
        states(self).filter(|states| *states >= ENOUGH)?;
        let mib = (self.cost.peak_mib - self.startup_mib?).max(0.0);
        Some(mib * 1024.0 * 1024.0 / states(self)?.max(1.0))
    }

    /// The same as the program counts it.
    fn own_bytes_per_state(&self) -> Option<f64> {
        Some(self.own_bytes? as f64 / states(self)?.max(1.0))
    }
}

fn states(sample: &Sample) -> Option<f64> {
    sample.states.map(|states| states as f64)
}

impl Row {
    /// Its time by Motet's.
    pub(crate) fn ratio(&self, measured: &Measured) -> Option<Spread> {
        self.compared(measured, |sample| Row::seconds(sample, self.basis))
    }

    /// Its memory by Motet's.
    fn memory_ratio(&self, measured: &Measured) -> Option<Spread> {
        self.compared(measured, |sample| sample.cost.peak_mib.max(1.0))
    }

    fn compared(&self, measured: &Measured, number: impl Fn(&Sample) -> f64) -> Option<Spread> {
        let native = measured.rows.first()?;
        if std::ptr::eq(native, self) || native.samples.iter().any(|sample| sample.cut.is_some()) {
            return None;
        }
        let pairs = self.samples.iter().zip(&native.samples);
        let ratios: Vec<f64> = pairs.map(|(peer, own)| number(peer) / number(own)).collect();
        let cut = self.samples.iter().any(|sample| sample.cut.is_some());
        let bound = if cut { Bound::AtLeast } else { Bound::Known };
        Some(Spread { bound, ..Spread::of(ratios)? })
    }
}

fn line(measured: &Measured, row: &Row) -> String {
    let title = &measured.title;
    if let Some(words) = &row.absent {
        return format!(
            "| {title} | {}: {words} | {} | | | | | | | | | | | | |\n",
            row.name,
            row.samples.len()
        );
    }
    let middle = |number: &dyn Fn(&Sample) -> Option<f64>| median(row.samples.iter().filter_map(number));
    let show = |number: Option<f64>, form: &dyn Fn(f64) -> String| number.map_or(String::new(), form);
    let cut = row.samples.iter().find_map(|sample| sample.cut.as_deref());
    let name = cut.map_or(row.name.clone(), |cut| format!("{}: {cut}", row.name));
    let two = |number: f64| format!("{number:.2}");
    let cpu = middle(&|sample| (row.basis != Basis::Wall).then_some(sample.cost.cpu_seconds));
    let work = middle(&|sample| sample.work.filter(|_| row.basis == Basis::Work));
    let rate = middle(&|sample| Some(states(sample)? / Row::seconds(sample, row.basis) / 1000.0));
    format!(
        "| {title} | {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
        row.samples.len(),
        show(middle(&states), &grouped),
        show(middle(&|sample| sample.transitions.map(|count| count as f64)), &grouped),
        show(cpu, &two),
        show(middle(&|sample| Some(sample.cost.wall_seconds)), &two),
        show(work, &|number| format!("{number:.4}")),
        show(rate, &grouped),
        show(middle(&Sample::bytes_per_state), &grouped),
        show(middle(&Sample::own_bytes_per_state), &grouped),
        show(middle(&|sample| Some(sample.cost.peak_mib)), &|number| format!("{number:.1}")),
        show(row.compile.map(|cost| cost.cpu_seconds), &two),
        row.ratio(measured).map_or(String::new(), Spread::text),
        row.memory_ratio(measured).map_or(String::new(), Spread::text),
    )
}

fn row_json(measured: &Measured, row: &Row) -> Value {
    let run = |sample: &Sample| {
        json!({
            "states": sample.states, "transitions": sample.transitions, "cpu_seconds": sample.cost.cpu_seconds,
            "wall_seconds": sample.cost.wall_seconds, "work_seconds": sample.work,
            "explored_seconds": sample.exploring, "peak_mib": sample.cost.peak_mib, "startup_mib": sample.startup_mib,
            "own_bytes": sample.own_bytes, "bytes_per_state": sample.bytes_per_state(), "cut": sample.cut,
        })
    };
    let compared_by = match row.basis {
        Basis::Cpu => "cpu",
        Basis::Wall => "wall",
        Basis::Work => "work",
    };
    json!({
        "name": row.name, "absent": row.absent, "compared_by": compared_by,
        "compile_seconds": row.compile.map(|cost| cost.cpu_seconds),
        "runs": row.samples.iter().map(run).collect::<Vec<Value>>(),
        "time_ratio": row.ratio(measured).map(Spread::json),
        "memory_ratio": row.memory_ratio(measured).map(Spread::json),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Cost;

    fn row(name: &str, seconds: &[f64]) -> Row {
        let sample = |&cpu_seconds: &f64| Sample {
            states: Some(20_000),
            transitions: Some(30_000),
            cost: Cost { cpu_seconds, wall_seconds: 2.0 * cpu_seconds, peak_mib: 10.0 * cpu_seconds },
            startup_mib: Some(5.0),
            own_bytes: Some(24_000),
            ..Sample::default()
        };
        let samples = seconds.iter().map(sample).collect();
        Row { name: name.to_owned(), basis: Basis::Cpu, compile: None, samples, absent: None }
    }

    fn case(title: &str, rows: Vec<Row>) -> Measured {
        Measured { title: title.to_owned(), rows }
    }

    fn page(measured: Vec<Measured>) -> Page {
        Page { measured, ..Page::new("nets", "Nets.") }
    }

    #[test]
    fn a_ratio_is_taken_round_by_round() {
        // The machine was busy in the second round, for both: 4, 4 and 3 times.
        let measured = case("a", vec![row("Motet", &[1.0, 2.0, 1.0]), row("Spin", &[4.0, 8.0, 3.0])]);
        let ratio = measured.rows[1].ratio(&measured).unwrap();
        assert_eq!((ratio.least, ratio.median, ratio.greatest), (3.0, 4.0, 4.0));
        assert_eq!(ratio.text(), "4.00 (3.00..4.00)");
        assert_eq!(measured.rows[0].ratio(&measured), None);
        let text = line(&measured, &measured.rows[1]);
        let expected = "| a | Spin | 3 | 20 000 | 30 000 | 4.00 | 8.00 |  | 5 | 1 835 | 1 | 40.0 |  | 4.00 (3.00..4.00) | 4.00 (3.00..4.00) |\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_program_that_was_ended_needs_at_least_so_much() {
        let mut slow = row("Spin", &[30.0]);
        slow.samples[0].cut = Some("ended after 30 s".to_owned());
        let measured = case("a", vec![row("Motet", &[1.0, 1.0]), slow]);
        let text = line(&measured, &measured.rows[1]);
        assert!(text.contains("| Spin: ended after 30 s | 1 |") && text.contains("| > 30 |"), "{text}");
        assert!(page(vec![measured]).means().is_empty());
    }

    #[test]
    fn a_missing_program_has_its_line() {
        let mut missing = row("Storm", &[]);
        missing.absent = Some("not installed".to_owned());
        let measured = case("a", vec![row("Motet", &[1.0]), missing]);
        let line = line(&measured, &measured.rows[1]);
        assert!(line.starts_with("| a | Storm: not installed | 0 |"), "{line}");
        assert_eq!(line.matches('|').count(), COLUMNS.len() + 1);
    }

    #[test]
    fn the_mean_of_ratios_is_geometric() {
        let one = |peer: f64| case("a", vec![row("Motet", &[1.0]), row("Spin", &[peer])]);
        let page = page(vec![one(1.0), one(2.0), one(4.0)]);
        let means = page.means();
        assert_eq!(means.len(), 3);
        assert!((means[0].value - 2.0).abs() < 1e-12);
        let machine = Machine { lines: vec![("cores", "2".to_owned())] };
        let text = page.markdown("cargo xtask bench nets", &machine);
        assert!(text.contains("Geometric mean of time × for Spin, all models: 2.00 over 3 cases."), "{text}");
        let data = page.json("cargo xtask bench nets", &machine);
        assert_eq!(data["machine"]["cores"], "2");
        assert_eq!(data["cases"][2]["programs"][1]["time_ratio"]["median"], 4.0);
        assert_eq!(data["cases"][2]["programs"][1]["runs"][0]["states"], 20_000);
    }
}
