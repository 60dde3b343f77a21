//! What a measurement was made on: numbers mean little without it.

use std::process::Command;

use serde_json::{Value, json};

/// A machine and the programs on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Machine {
    /// In the order in which they are shown.
    pub(crate) lines: Vec<(&'static str, String)>,
}

impl Machine {
    /// This machine.
    pub(crate) fn here(storm: Option<&str>, prism: Option<&str>) -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let cores = std::thread::available_parallelism().map_or(0, std::num::NonZeroUsize::get);
        let absent = || "not found".to_owned();
        let lines = vec![
            ("processor", field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(absent)),
            ("cores", cores.to_string()),
            ("memory", gibibytes(&read("/proc/meminfo")).unwrap_or_else(absent)),
            ("kernel", read("/proc/sys/kernel/osrelease").trim().to_owned()),
            ("rustc", first_line("rustc", "--version").unwrap_or_else(absent)),
            ("Spin", first_line("spin", "-V").unwrap_or_else(absent)),
            ("gcc", first_line("gcc", "--version").unwrap_or_else(absent)),
            ("Storm", storm.map_or_else(absent, str::to_owned)),
            ("PRISM", prism.map_or_else(absent, str::to_owned)),
        ];
        Self { lines }
    }

    /// As a table.
    pub(crate) fn markdown(&self) -> String {
        let rows = self.lines.iter().map(|(name, value)| format!("| {name} | {value} |\n"));
        rows.fold("| machine | |\n|---|---|\n".to_owned(), |table, row| table + &row)
    }

    /// As an object.
    pub(crate) fn json(&self) -> Value {
        let fields = self.lines.iter().map(|(name, value)| (name.to_lowercase(), json!(value)));
        Value::Object(fields.collect())
    }
}

/// What follows `name :`.
fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn gibibytes(meminfo: &str) -> Option<String> {
    let kib: f64 = field(meminfo, "MemTotal")?.trim_end_matches("kB").trim().parse().ok()?;
    Some(format!("{:.0} GiB", kib / 1024.0 / 1024.0))
}

/// The first line that a program prints about itself; nothing if there is no such program.
pub(crate) fn first_line(program: &str, option: &str) -> Option<String> {
    let output = Command::new(program).arg(option).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_texts_are_read() {
        let cpu = "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Xeon (R) at 2.5 GHz\n";
        assert_eq!(field(cpu, "model name"), Some("Xeon (R) at 2.5 GHz".to_owned()));
        assert_eq!(field("", "model name"), None);
        assert_eq!(gibibytes("MemTotal:       24675256 kB\nMemFree: 1 kB\n"), Some("24 GiB".to_owned()));
    }

    #[test]
    fn a_program_that_is_missing_is_said_to_be() {
        assert_eq!(first_line("no-such-program-anywhere", "-V"), None);
        let machine = Machine::here(None, Some("4.8"));
        let page = machine.markdown();
        assert!(page.contains("| Storm | not found |\n") && page.contains("| PRISM | 4.8 |\n"), "{page}");
    }
}
