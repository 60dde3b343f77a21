//! CPU time, wall time and peak memory of one program, as the kernel counts them, within limits.

use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// The kernel counts CPU time in hundredths of a second on every Linux in use.
const TICKS_PER_SECOND: f64 = 100.0;

/// What a program cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cost {
    /// User and system time, with that of children that were waited for.
    pub(crate) cpu_seconds: f64,
    /// From start to end.
    pub(crate) wall_seconds: f64,
    /// Peak resident memory in MiB; with children, that of the first process.
    pub(crate) peak_mib: f64,
}

impl std::ops::Add for Cost {
    type Output = Cost;

    /// One after the other: times add up, the larger peak counts.
    fn add(self, other: Cost) -> Cost {
        Cost {
            cpu_seconds: self.cpu_seconds + other.cpu_seconds,
            wall_seconds: self.wall_seconds + other.wall_seconds,
            peak_mib: self.peak_mib.max(other.peak_mib),
        }
    }
}

/// What a program may use before it is ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limit {
    /// Wall time.
    pub(crate) seconds: f64,
    /// Resident memory.
    pub(crate) mib: f64,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// By itself.
    Itself {
        /// Whether it says that all went well.
        success: bool,
    },
    /// It had used its time.
    Time,
    /// It had used its memory.
    Memory,
}

impl Ended {
    /// Why it was ended; nothing for one that ended by itself.
    pub(crate) fn cut(self, limit: Limit) -> Option<String> {
        match self {
            Ended::Itself { .. } => None,
            Ended::Time => Some(format!("ended after {:.0} s", limit.seconds)),
            Ended::Memory => Some(format!("ended at {:.0} MiB", limit.mib)),
        }
    }
}

/// Runs a program to its end, or to its limit, with its output in a file, and measures it. A program that has ended keeps
/// its final times in `/proc` until somebody asks for its exit status; asking comes last, so the times are exact.
///
/// # Errors
/// When the program cannot be started, or without `/proc`.
pub(crate) fn measure(command: &mut Command, output: &Path, limit: Limit) -> Result<(Cost, Ended)> {
    command.stdin(Stdio::null());
    measure_fed(command, output, limit)
}

/// The same for a program whose input is set already.
///
/// # Errors
/// When the program cannot be started, or without `/proc`.
pub(crate) fn measure_fed(command: &mut Command, output: &Path, limit: Limit) -> Result<(Cost, Ended)> {
    if !Path::new("/proc/self/stat").exists() {
        bail!("measuring needs Linux: there is no /proc here");
    }
    let file = File::create(output).with_context(|| format!("creating {}", output.display()))?;
    // A group of its own, so that a limit also ends the processes that it has started.
    command.stdout(file.try_clone()?).stderr(file).process_group(0);
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("starting {command:?}"))?;
    let (mut cost, mut cut) = (Cost::default(), None);
    loop {
        let peak = peak_mib(child.id()).unwrap_or(0.0);
        cost.peak_mib = cost.peak_mib.max(peak);
        let (state, seconds) = stat(child.id())?;
        cost.cpu_seconds = seconds;
        cost.wall_seconds = start.elapsed().as_secs_f64();
        if state == 'Z' {
            let success = child.wait()?.success();
            return Ok((cost, cut.unwrap_or(Ended::Itself { success })));
        }
        if cut.is_none() && (cost.wall_seconds > limit.seconds || cost.peak_mib > limit.mib) {
            cut = Some(if cost.peak_mib > limit.mib { Ended::Memory } else { Ended::Time });
            let group = format!("-{}", child.id());
            Command::new("kill").args(["-KILL", "--", &group]).status().context("starting kill")?;
        }
        // A program that has ended says nothing of its memory any more, so one that is over at once is looked at often.
        sleep(if cost.wall_seconds < 0.1 { Duration::from_micros(200) } else { Duration::from_millis(2) });
    }
}

/// The process state and its CPU seconds.
fn stat(process: u32) -> Result<(char, f64)> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    parse_stat(&text).with_context(|| format!("unexpected form of /proc/{process}/stat"))
}

fn parse_stat(text: &str) -> Option<(char, f64)> {
    // The name in parentheses may hold spaces; everything after it is separated by single spaces.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    // Its own time in user and system mode, then that of the children it has waited for: a compiler works in children.
    let ticks: Option<f64> = (11..15).map(|at| fields.get(at)?.parse::<f64>().ok()).sum();
    Some((fields.first()?.chars().next()?, ticks? / TICKS_PER_SECOND))
}

fn peak_mib(process: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").trim().parse::<f64>().ok().map(|kib| kib / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_spaces_does_not_shift_the_fields() {
        let text = "7 (a b) c) Z 1 2 3 4 5 6 7 8 9 10 150 50 60 40 20\n";
        assert_eq!(parse_stat(text), Some(('Z', 3.0)));
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let folder = std::env::temp_dir().join(format!("motet-measure-{}", std::process::id()));
        let limit = Limit { seconds: 0.05, mib: 1000.0 };
        let (cost, ended) = measure(Command::new("sleep").arg("60"), &folder, limit).unwrap();
        std::fs::remove_file(&folder).unwrap();
        assert_eq!(ended, Ended::Time);
        assert!(cost.wall_seconds < 60.0, "{cost:?}");
        assert_eq!(ended.cut(limit), Some("ended after 0 s".to_owned()));
    }
}
