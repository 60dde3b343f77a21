//! The runner of `cargo xtask bench`: Motet and other checkers on the same models, taking turns, so that a busy machine is
//! busy for all of them. Machines differ, so only the ratios mean anything.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::bench_motet::MotetOptions;
use crate::bench_report::Page;
use crate::measure::{Cost, Limit};
use crate::peers::Peers;
use crate::startup::Startup;

/// How large the models are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Large enough to see that everything works.
    Quick,
    /// As published, and further where others ran out of memory.
    Full,
}

/// What to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How large the models are.
    pub extent: Extent,
    /// How often everything is run.
    pub times: usize,
    /// How many auctions; ten is the published case.
    pub last: Option<u32>,
    /// Which program is measured.
    pub binary: Binary,
}

/// Which program is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Built from the sources as they are now.
    Fresh,
    /// As it was built last.
    Built,
}

impl Binary {
    /// Where it is.
    ///
    /// # Errors
    /// When it cannot be built.
    pub(crate) fn find(self, root: &Path) -> Result<PathBuf> {
        match self {
            Binary::Fresh => build(root),
            Binary::Built => Ok(root.join("target/release/motet")),
        }
    }
}

/// A run of the suite.
pub(crate) struct Bench {
    pub(crate) root: PathBuf,
    /// For files; one folder for each benchmark.
    pub(crate) folder: PathBuf,
    /// The tool, built for speed.
    pub(crate) motet: PathBuf,
    pub(crate) options: Options,
    pub(crate) peers: Peers,
    /// What `motet check` knows.
    pub(crate) options_of_motet: MotetOptions,
    /// What each program takes before it has done anything.
    pub(crate) startup: Startup,
    /// When this benchmark was begun, and how many seconds it has.
    pub(crate) begun: Instant,
    pub(crate) budget: f64,
}

/// By what a program is compared with Motet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Basis {
    /// CPU time of the whole program.
    Cpu,
    /// Wall time of the whole program: it works on several cores.
    Wall,
    /// The seconds that both say they need after reading the model: starting takes one of them longer than the work.
    Work,
}

/// One run of one program.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sample {
    pub(crate) states: Option<u64>,
    pub(crate) transitions: Option<u64>,
    pub(crate) cost: Cost,
    /// Peak memory of the same program on next to nothing.
    pub(crate) startup_mib: Option<f64>,
    /// Bytes for states and what belongs to them, as the program counts them.
    pub(crate) own_bytes: Option<u64>,
    /// Seconds after reading the model, as the program says.
    pub(crate) work: Option<f64>,
    /// Those of them that went by until all states were there.
    pub(crate) exploring: Option<f64>,
    /// Why the run is not complete.
    pub(crate) cut: Option<String>,
    /// Bounds of each number that was asked, where there is one.
    pub(crate) values: Vec<Option<(f64, f64)>>,
    /// Each claim with its verdict.
    pub(crate) verdicts: Vec<String>,
}

/// A program that takes part.
pub(crate) struct Contender<'a> {
    pub(crate) name: String,
    pub(crate) basis: Basis,
    pub(crate) standing: Standing<'a>,
}

/// Runs a program once.
pub(crate) type Run<'a> = Box<dyn Fn() -> Result<Sample> + 'a>;

/// Whether it can take part.
pub(crate) enum Standing<'a> {
    /// It can.
    Ready {
        /// What had to be compiled for this model.
        compile: Option<Cost>,
        /// Runs it.
        run: Run<'a>,
    },
    /// It cannot, and why.
    Absent(String),
}

/// Looks at a round: one sample for each contender that ran.
pub(crate) type Agreement<'a> = Box<dyn Fn(&[Option<Sample>]) -> Result<()> + 'a>;

/// One model with everybody who takes part; the first is Motet.
pub(crate) struct Case<'a> {
    pub(crate) title: String,
    pub(crate) contenders: Vec<Contender<'a>>,
    /// What must hold of the numbers that they find.
    pub(crate) agreement: Option<Agreement<'a>>,
}

/// What was measured of a case.
pub(crate) struct Measured {
    pub(crate) title: String,
    pub(crate) rows: Vec<Row>,
}

/// What was measured of a contender.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) basis: Basis,
    pub(crate) compile: Option<Cost>,
    pub(crate) samples: Vec<Sample>,
    /// Why there are none.
    pub(crate) absent: Option<String>,
}

/// Tells the person who waits what is being done.
pub type Say<'a> = &'a mut dyn FnMut(&str);

/// Builds the tool for speed and says where it is.
///
/// # Errors
/// When cargo fails.
pub fn build(root: &Path) -> Result<PathBuf> {
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let built =
        Command::new(cargo).current_dir(root).args(["build", "--release", "-p", "motet-cli"]).status()?;
    if !built.success() {
        bail!("building motet failed");
    }
    Ok(root.join("target/release/motet"))
}

impl Bench {
    /// What one run of one program may use.
    pub(crate) fn limit(&self) -> Limit {
        match self.options.extent {
            Extent::Quick => Limit { seconds: 20.0, mib: 2048.0 },
            Extent::Full => Limit { seconds: 100.0, mib: 6144.0 },
        }
    }

    /// A program that has used this many seconds on a case is not run again: the suite has to end.
    fn patience(&self) -> f64 {
        match self.options.extent {
            Extent::Quick => 5.0,
            Extent::Full => 20.0,
        }
    }

    /// The folder of one case.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn place(&self, number: usize) -> Result<PathBuf> {
        let place = self.folder.join(number.to_string());
        std::fs::create_dir_all(&place).with_context(|| format!("creating {}", place.display()))?;
        Ok(place)
    }

    /// Lets everybody run in turn, as often as was asked and there is time. A peer that does not end as it should is told
    /// in its line and not run again.
    ///
    /// # Errors
    /// When Motet does not end as it should, or two disagree.
    pub(crate) fn run(&self, case: &Case<'_>, seconds: f64, say: Say<'_>) -> Result<Measured> {
        let mut rows: Vec<Row> = case.contenders.iter().map(Row::new).collect();
        for round in 0..self.options.times {
            if round > 0 && self.begun.elapsed().as_secs_f64() > seconds {
                break;
            }
            say(&format!("{}: {} of {}", case.title, round + 1, self.options.times));
            let mut samples = Vec::new();
            for (number, (contender, row)) in case.contenders.iter().zip(&mut rows).enumerate() {
                let sample = self.turn(contender, row).with_context(|| contender.name.clone());
                samples.push(match sample {
                    Err(error) if number > 0 => {
                        row.absent = Some(format!("failed: {}", one_line(&error)));
                        None
                    }
                    sample => sample?,
                });
            }
            if let Some(agreement) = &case.agreement {
                agreement(&samples).with_context(|| case.title.clone())?;
            }
        }
        Ok(Measured { title: case.title.clone(), rows })
    }

    /// One run of one program, unless it is missing or took too long before.
    fn turn(&self, contender: &Contender<'_>, row: &mut Row) -> Result<Option<Sample>> {
        let spent: f64 = row.samples.iter().map(|sample| sample.cost.wall_seconds).sum();
        let again = spent <= self.patience() && row.samples.iter().all(|sample| sample.cut.is_none());
        let Standing::Ready { run, .. } = &contender.standing else { return Ok(None) };
        if !again || row.absent.is_some() {
            return Ok(None);
        }
        let sample = run()?;
        row.samples.push(sample.clone());
        Ok(Some(sample))
    }

    /// Runs all cases and makes the page of them. Every case has a first round; further ones are for those who are in time.
    ///
    /// # Errors
    /// When Motet does not end as it should, or two disagree.
    pub(crate) fn measure(
        &self,
        name: &'static str,
        about: &str,
        cases: &[Case<'_>],
        say: Say<'_>,
    ) -> Result<Page> {
        let share = self.budget / cases.len().max(1) as f64;
        let run = |(number, case): (usize, &Case<'_>)| self.run(case, share * (number + 1) as f64, say);
        let measured: Result<Vec<Measured>> = cases.iter().enumerate().map(run).collect();
        Ok(Page { measured: measured?, ..Page::new(name, about) })
    }
}

/// For a cell of a table.
fn one_line(error: &anyhow::Error) -> String {
    let words = format!("{error:#}").replace('|', "/");
    words.lines().map(str::trim).collect::<Vec<&str>>().join(" ")
}

impl Row {
    fn new(contender: &Contender<'_>) -> Self {
        let (compile, absent) = match &contender.standing {
            Standing::Ready { compile, .. } => (*compile, None),
            Standing::Absent(words) => (None, Some(words.clone())),
        };
        Self { name: contender.name.clone(), basis: contender.basis, compile, samples: Vec::new(), absent }
    }

    /// Seconds of a run, counted as `basis` says; at least what can be told apart from nothing.
    pub(crate) fn seconds(sample: &Sample, basis: Basis) -> f64 {
        match basis {
            Basis::Cpu => sample.cost.cpu_seconds.max(0.01),
            Basis::Wall => sample.cost.wall_seconds.max(0.01),
            Basis::Work => sample.work.unwrap_or(sample.cost.cpu_seconds).max(1e-6),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn bench(times: usize) -> Bench {
        let options = Options { extent: Extent::Quick, times, last: None, binary: Binary::Built };
        let nothing = PathBuf::new();
        Bench {
            root: nothing.clone(),
            folder: nothing.clone(),
            motet: nothing,
            options,
            peers: Peers::none("not looked for"),
            options_of_motet: MotetOptions::default(),
            startup: Startup::default(),
            // clock: what is measured here has no time.
            begun: Instant::now(),
            budget: 60.0,
        }
    }

    fn contender<'a>(name: &str, run: impl Fn() -> Sample + 'a) -> Contender<'a> {
        let standing = Standing::Ready { compile: None, run: Box::new(move || Ok(run())) };
        Contender { name: name.to_owned(), basis: Basis::Cpu, standing }
    }

    #[test]
    fn programs_take_turns_and_a_missing_one_stays_in_the_table() {
        let order = RefCell::new(String::new());
        let note = |letter: char| {
            order.borrow_mut().push(letter);
            Sample { states: Some(1), ..Sample::default() }
        };
        let absent = Standing::Absent("not installed".to_owned());
        let missing = Contender { name: "c".to_owned(), basis: Basis::Cpu, standing: absent };
        let contenders = vec![contender("a", || note('a')), contender("b", || note('b')), missing];
        let case = Case { title: "turns".to_owned(), contenders, agreement: None };
        let measured = bench(3).run(&case, 60.0, &mut |_| {}).unwrap();
        assert_eq!(*order.borrow(), "ababab");
        let counts: Vec<usize> = measured.rows.iter().map(|row| row.samples.len()).collect();
        assert_eq!(counts, [3, 3, 0]);
        assert_eq!(measured.rows[2].absent.as_deref(), Some("not installed"));
    }

    #[test]
    fn a_program_that_was_ended_is_not_run_again() {
        let slow = || Sample { cut: Some("ended after 20 s".to_owned()), ..Sample::default() };
        let long = || Sample { cost: Cost { wall_seconds: 6.0, ..Cost::default() }, ..Sample::default() };
        let contenders =
            vec![contender("slow", slow), contender("long", long), contender("fast", Sample::default)];
        let case = Case { title: "slow".to_owned(), contenders, agreement: None };
        let measured = bench(3).run(&case, 60.0, &mut |_| {}).unwrap();
        let counts: Vec<usize> = measured.rows.iter().map(|row| row.samples.len()).collect();
        assert_eq!(counts, [1, 1, 3]);
    }

    #[test]
    fn a_peer_that_fails_is_told_and_the_others_go_on() {
        let broken = Standing::Ready { compile: None, run: Box::new(|| bail!("no\nreport | here")) };
        let broken = Contender { name: "b".to_owned(), basis: Basis::Cpu, standing: broken };
        let contenders = vec![contender("a", Sample::default), broken, contender("c", Sample::default)];
        let case = Case { title: "broken".to_owned(), contenders, agreement: None };
        let measured = bench(2).run(&case, 60.0, &mut |_| {}).unwrap();
        let counts: Vec<usize> = measured.rows.iter().map(|row| row.samples.len()).collect();
        assert_eq!(counts, [2, 0, 2]);
        assert_eq!(measured.rows[1].absent.as_deref(), Some("failed: b: no report / here"));
        let broken = Standing::Ready { compile: None, run: Box::new(|| bail!("no report")) };
        let first = Contender { name: "Motet".to_owned(), basis: Basis::Cpu, standing: broken };
        let case = Case { title: "own".to_owned(), contenders: vec![first], agreement: None };
        assert!(bench(1).run(&case, 60.0, &mut |_| {}).is_err());
    }

    #[test]
    fn after_its_budget_a_case_has_one_round() {
        let case = Case {
            title: "a".to_owned(),
            contenders: vec![contender("a", Sample::default)],
            agreement: None,
        };
        let measured = bench(3).run(&case, -1.0, &mut |_| {}).unwrap();
        assert_eq!(measured.rows[0].samples.len(), 1);
    }

    #[test]
    fn a_disagreement_ends_the_benchmark() {
        let agreement: Agreement<'_> = Box::new(|samples| {
            anyhow::ensure!(samples[0].as_ref().and_then(|sample| sample.states) == Some(2), "other states");
            Ok(())
        });
        let contenders = vec![contender("a", || Sample { states: Some(1), ..Sample::default() })];
        let case = Case { title: "two states".to_owned(), contenders, agreement: Some(agreement) };
        assert!(bench(1).run(&case, 60.0, &mut |_| {}).is_err());
    }
}
