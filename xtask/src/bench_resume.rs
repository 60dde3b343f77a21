//! `cargo xtask bench resume`: a long check is killed at random moments and continued from its checkpoint each time; what it
//! finds in the end must be what an undisturbed check finds.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};

use crate::bench::{Bench, Extent, Sample, Say};
use crate::bench_motet::Motet;
use crate::bench_report::Page;
use crate::bench_spread::grouped;
use crate::counting::together;
use crate::generated_nets::token_ring;
use crate::measure::{Limit, measure};

const ABOUT: &str = "A check with `--checkpoint` is ended with SIGKILL at random moments and continued with `--resume` each time. Beside it the same check runs undisturbed, each on one \
     core. Numbers of states and transitions, verdicts and values must be the same in the end, or the run fails. How long it will take, and so when it is killed, is told from a smaller size of \
     the same model. A check that is killed before its first checkpoint begins anew.";

/// Nothing here may take longer than so many times what is expected.
const PATIENCE: f64 = 4.0;

/// A check, how long it is expected to take, how often it is killed and how often it saves.
struct Trial {
    title: String,
    seconds: f64,
    kills: usize,
    checkpoint: &'static str,
    /// Two folders with the model, and the arguments of the check in each.
    whole: PathBuf,
    killed: PathBuf,
    arguments: Vec<String>,
}

/// One start of the check that is killed.
struct Attempt {
    seconds: f64,
    /// Whether it went on with a checkpoint.
    resumed: bool,
}

/// Kills and continues.
///
/// # Errors
/// When a continued check finds something else than an undisturbed one.
pub(crate) fn page(bench: &Bench, say: Say<'_>) -> Result<Page> {
    let missing: Vec<&str> = ["--checkpoint", "--resume"]
        .into_iter()
        .filter(|option| !bench.options_of_motet.has(option))
        .collect();
    if !missing.is_empty() {
        let after = format!("Not measured: this Motet has no {}.\n", missing.join(", "));
        return Ok(Page { after, ..Page::new("resume", ABOUT) });
    }
    say("resume: writing");
    let trial = trial(bench, say)?;
    let whole = trial.motet(&trial.whole);
    say(&format!("{}: undisturbed, and killed {} times", trial.title, trial.kills));
    let start = Instant::now();
    let mut undisturbed = spawn(&mut whole.command(bench), whole.output())?;
    let attempts = trial.disturb(bench, say);
    let seconds = start.elapsed().as_secs_f64();
    let waited = wait(&mut undisturbed, &trial);
    let attempts = attempts?;
    waited?;
    ensure!(
        bench.options.extent == Extent::Quick || attempts.len() > trial.kills,
        "at its end after {} of {} kills",
        attempts.len() - 1,
        trial.kills
    );
    let (own, other) = (whole.report()?, trial.motet(&trial.killed).report()?);
    same(&own, &other)?;
    let (after, details) = table(&trial.title, seconds, &own, &attempts);
    Ok(Page { after, details, ..Page::new("resume", ABOUT) })
}

fn trial(bench: &Bench, say: Say<'_>) -> Result<Trial> {
    let (whole, killed) = (bench.place(0)?, bench.place(1)?);
    for folder in [&whole, &killed] {
        std::fs::remove_dir_all(folder)?;
        std::fs::create_dir_all(folder)?;
    }
    if bench.options.extent == Extent::Quick {
        let experiment = together(6, 10);
        for folder in [&whole, &killed] {
            std::fs::write(folder.join("count.b"), &experiment.brahms)?;
        }
        let arguments = ["count.b", "-e", &experiment.claim].map(str::to_owned).to_vec();
        let title = experiment.title;
        return Ok(Trial { title, seconds: 10.0, kills: 4, checkpoint: "1s", whole, killed, arguments });
    }
    let seconds = expected_seconds(bench, say)?;
    let net = token_ring(LONG);
    for folder in [&whole, &killed] {
        std::fs::write(folder.join("model.net"), net.tina())?;
    }
    let arguments = ARGUMENTS.map(str::to_owned).to_vec();
    Ok(Trial { title: net.title, seconds, kills: 10, checkpoint: "20s", whole, killed, arguments })
}

/// What is checked, by one thread: a claim that holds, and one that is false.
const ARGUMENTS: [&str; 7] =
    ["model.net", "--threads", "1", "-e", "never sends0 + sends1 > 1", "-e", "never waits0 + waits9 > 1"];
/// Stations of a token ring whose check takes about five minutes, and of one that tells how long.
const LONG: u32 = 21;
const SHORT: u32 = 17;

/// How many times as long a state takes in the long check, which runs twice at once and whose store is in no cache. Taken from
/// pages made before.
const SLOWER: f64 = 2.0;

/// As many times as long as the short check as there are more states, and slower ones.
fn expected_seconds(bench: &Bench, say: Say<'_>) -> Result<f64> {
    let net = token_ring(SHORT);
    say(&format!("{}: how long it takes", net.title));
    let folder = bench.place(2)?;
    std::fs::write(folder.join("model.net"), net.tina())?;
    let motet = Motet::new(&folder, &ARGUMENTS, folder.join("motet.json"));
    let (cost, ended) = measure(&mut motet.command(bench), motet.output(), GUARD)?;
    if let Some(cut) = ended.cut(GUARD) {
        bail!("{}: {cut}", net.title);
    }
    let states = |stations: u32| token_ring(stations).states.unwrap_or(1) as f64;
    Ok(SLOWER * cost.wall_seconds * states(LONG) / states(SHORT))
}

/// What the short check may take.
const GUARD: Limit = Limit { seconds: 300.0, mib: 4096.0 };

impl Trial {
    fn motet(&self, folder: &Path) -> Motet {
        let mut arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        arguments.extend(["--checkpoint", self.checkpoint]);
        Motet::new(folder, &arguments, folder.join("motet.json"))
    }

    /// Starts, kills and continues, until all kills are done and the check is at its end.
    fn disturb(&self, bench: &Bench, say: Say<'_>) -> Result<Vec<Attempt>> {
        let motet = self.motet(&self.killed);
        let mut attempts = Vec::new();
        let mut gaps = gaps(self.kills, self.seconds).into_iter();
        loop {
            let resumed = has_checkpoint(&self.killed);
            let mut command = if resumed {
                let mut command = Command::new(&bench.motet);
                command.current_dir(&self.killed).args([
                    "check",
                    "--resume",
                    "--format",
                    "json",
                    "--progress",
                    "none",
                ]);
                command
            } else {
                motet.command(bench)
            };
            let start = Instant::now();
            let mut child = spawn(&mut command, motet.output())?;
            let Some(gap) = gaps.next() else {
                wait(&mut child, self)?;
                attempts.push(Attempt { seconds: start.elapsed().as_secs_f64(), resumed });
                return Ok(attempts);
            };
            let done = ended_within(&mut child, gap)?;
            attempts.push(Attempt { seconds: start.elapsed().as_secs_f64(), resumed });
            if done {
                return Ok(attempts);
            }
            child.kill().context("killing motet")?;
            child.wait()?;
            say(&format!("{}: killed for the {}. time", self.title, attempts.len()));
        }
    }
}

fn spawn(command: &mut Command, output: &Path) -> Result<Child> {
    let file = File::create(output).with_context(|| format!("creating {}", output.display()))?;
    command.stdin(Stdio::null()).stdout(file).stderr(Stdio::null());
    command.spawn().context("starting motet")
}

/// Whether there is something to go on with: a folder with the page that a checkpoint ends with.
fn has_checkpoint(folder: &Path) -> bool {
    let Ok(mut entries) = std::fs::read_dir(folder.join(".motet/checkpoints")) else { return false };
    entries.any(|entry| entry.is_ok_and(|entry| entry.path().join("check.json").exists()))
}

fn ended_within(child: &mut Child, seconds: f64) -> Result<bool> {
    let start = Instant::now();
    while start.elapsed().as_secs_f64() < seconds {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        sleep(Duration::from_millis(5));
    }
    Ok(false)
}

fn wait(child: &mut Child, trial: &Trial) -> Result<()> {
    let most = PATIENCE * trial.seconds;
    if !ended_within(child, most)? {
        child.kill()?;
        child.wait()?;
        bail!("{} was not at its end after {most:.0} s", trial.title);
    }
    Ok(())
}

/// The part of the expected time in which a check is killed: it may be faster than expected.
const WITHIN: f64 = 0.85;

/// Seconds between kills that lie anywhere between the start and almost the expected end. The moments are the same each time, but no
/// two searches are at the same place then.
fn gaps(kills: usize, seconds: f64) -> Vec<f64> {
    let mut random = SplitMix64::seed_from_u64(1);
    let mut next = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let mut moments: Vec<f64> = (0..kills).map(|_| WITHIN * seconds * next()).collect();
    moments.sort_by(f64::total_cmp);
    let before: Vec<f64> = std::iter::once(0.0).chain(moments.iter().copied()).collect();
    moments.iter().zip(before).map(|(moment, before)| moment - before).collect()
}

fn same(own: &Sample, other: &Sample) -> Result<()> {
    let counts = |sample: &Sample| (sample.states, sample.transitions, sample.cut.clone());
    ensure!(counts(own) == counts(other), "{:?} undisturbed, {:?} killed", counts(own), counts(other));
    ensure!(own.verdicts == other.verdicts, "{:?} undisturbed, {:?} killed", own.verdicts, other.verdicts);
    ensure!(own.values == other.values, "{:?} undisturbed, {:?} killed", own.values, other.values);
    Ok(())
}

fn table(title: &str, seconds: f64, own: &Sample, attempts: &[Attempt]) -> (String, Value) {
    let count = |number: Option<u64>| number.map_or(String::new(), |number| grouped(number as f64));
    let kills = attempts.len() - 1;
    let mut text = format!(
        "{title}: {} states, {} transitions, {} claims. Undisturbed the search took {:.0} s; killed {kills} times, everything took {seconds:.0} s. States, \
         transitions, verdicts and values are the same.\n\n| start | seconds until it was killed | |\n|--:|--:|---|\n",
        count(own.states),
        count(own.transitions),
        own.verdicts.len(),
        own.work.unwrap_or_default(),
    );
    for (number, Attempt { seconds, resumed }) in attempts.iter().enumerate() {
        let how = if *resumed { "continued" } else { "anew" };
        let end = if number == kills { ", to the end" } else { "" };
        let _ = writeln!(text, "| {} | {seconds:.1} | {how}{end} |", number + 1);
    }
    let attempts: Vec<Value> = attempts
        .iter()
        .map(|attempt| json!({ "seconds": attempt.seconds, "resumed": attempt.resumed }))
        .collect();
    (text, json!({ "title": title, "kills": kills, "states": own.states, "attempts": attempts }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_kills_lie_between_start_and_end_and_not_evenly() {
        let gaps = gaps(10, 300.0);
        assert_eq!(gaps.len(), 10);
        assert!(gaps.iter().all(|gap| *gap >= 0.0) && gaps.iter().sum::<f64>() < 300.0, "{gaps:?}");
        let (least, most) =
            gaps.iter().fold((300.0_f64, 0.0_f64), |(least, most), gap| (least.min(*gap), most.max(*gap)));
        assert!(most > 2.0 * least, "{gaps:?}");
    }

    #[test]
    fn another_count_after_a_kill_is_a_failure() {
        let own = Sample { states: Some(5), verdicts: vec!["A: holds".to_owned()], ..Sample::default() };
        assert!(same(&own, &own).is_ok());
        assert!(same(&own, &Sample { states: Some(4), ..own.clone() }).is_err());
        assert!(same(&own, &Sample { verdicts: vec!["A: fails".to_owned()], ..own.clone() }).is_err());
        assert!(same(&own, &Sample { cut: Some("stopped early".to_owned()), ..own.clone() }).is_err());
    }

    #[test]
    fn each_start_has_its_line() {
        let attempts = [Attempt { seconds: 2.0, resumed: false }, Attempt { seconds: 4.25, resumed: true }];
        let own = Sample { states: Some(1_500), work: Some(5.0), ..Sample::default() };
        let (text, details) = table("a", 7.0, &own, &attempts);
        assert!(text.contains("1 500 states") && text.contains("killed 1 times"), "{text}");
        assert!(text.ends_with("| 1 | 2.0 | anew |\n| 2 | 4.2 | continued, to the end |\n"), "{text}");
        assert_eq!(details["kills"], 1);
    }
}
