//! `motet doctor`

use motet_render::{bytes, doctor as table};
use motet_workbench::{find, find_storm};

use crate::exit::ExitCode;
use crate::host::{Host, memory};

/// Programs that can give a second opinion, and what each is for.
const PROGRAMS: &[(&str, &str)] = &[
    ("spin", "--engine spin, --cross-check spin"),
    ("gcc", "needed by spin"),
    ("prism", "--engine prism, --cross-check prism"),
];

/// Lists what is installed and which limits hold.
pub(crate) fn doctor(host: &Host) -> ExitCode {
    let mut rows = vec![(
        "motet".to_string(),
        Some(env!("CARGO_PKG_VERSION").to_string()),
        "needs nothing of what follows".to_string(),
    )];
    for (name, purpose) in PROGRAMS {
        let version = find(name).map(|tool| tool.version).map(|version| match version.as_str() {
            "" => "found".to_string(),
            text => text.to_string(),
        });
        rows.push(((*name).to_string(), version, (*purpose).to_string()));
    }
    let storm = find_storm().ok().map(|storm| storm.version);
    rows.push(("storm".to_string(), storm, "--engine storm, --cross-check storm".to_string()));
    let ram = memory();
    rows.push((
        "memory".to_string(),
        ram.map(bytes),
        match ram {
            Some(ram) => format!("a search stops at {} unless --mem says otherwise", bytes(ram / 4 * 3)),
            None => "no limit unless --mem says so".to_string(),
        },
    ));
    let threads = std::thread::available_parallelism().ok().map(|threads| threads.to_string());
    rows.push(("cores".to_string(), threads, "a search uses one".to_string()));
    host.say(&table(&rows, &host.view));
    ExitCode::AsExpected
}
