//! CPU time and peak memory of one program, as the kernel counts them.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

/// The kernel counts CPU time in hundredths of a second on every Linux in use.
const TICKS_PER_SECOND: f64 = 100.0;

/// What a program cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// User and system time, with that of children.
    pub(crate) cpu_seconds: f64,
    /// Peak resident memory in MiB.
    pub(crate) peak_mib: f64,
}

impl std::ops::Add for Cost {
    type Output = Cost;

    /// One after the other: times add up, the larger peak counts.
    fn add(self, other: Cost) -> Cost {
        let peak_mib = self.peak_mib.max(other.peak_mib);
        Cost { cpu_seconds: self.cpu_seconds + other.cpu_seconds, peak_mib }
    }
}

/// Runs a program to its end with its output in a file and measures it. A program that has ended keeps its final times
/// in `/proc` until somebody asks for its exit status; asking comes last, so the times are exact.
///
/// # Errors
/// When the program cannot be started, or without `/proc`.
pub(crate) fn measure(command: &mut Command, output: &Path) -> Result<Cost> {
    if !Path::new("/proc/self/stat").exists() {
        bail!("measuring needs Linux: there is no /proc here");
    }
    let file = File::create(output).with_context(|| format!("creating {}", output.display()))?;
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    let mut child = command.spawn().with_context(|| format!("starting {command:?}"))?;
    let mut cost = Cost::default();
    loop {
        if let Some(peak) = peak_mib(child.id()) {
            cost.peak_mib = cost.peak_mib.max(peak);
        }
        let (state, seconds) = stat(child.id())?;
        cost.cpu_seconds = seconds;
        if state == 'Z' {
            child.wait()?;
            return Ok(cost);
        }
        sleep(Duration::from_millis(2));
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
}
