//! One program with all targets; the environment's `MOTET_FUZZ` names the one to run. A panic is a finding, and so is an answer
//! that a second way of finding it contradicts.
#![no_main]

mod claims;
mod documents;
mod projects;
mod sheet;

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

/// What a target does with an input.
type Target = fn(&[u8]);

/// The targets by name. `cargo xtask lab` reads their names from here: one line each.
const TARGETS: &[(&str, Target)] = &[
    ("agentspeak", |data| projects::project("AgentSpeak", None, data)),
    ("jason", |data| projects::project("AgentSpeak", Some("jason"), data)),
    ("brahms", |data| projects::project("Brahms", None, data)),
    ("prism", |data| projects::project("PRISM", None, data)),
    ("senglish", |data| projects::project("sEnglish", None, data)),
    ("nets", |data| projects::project("nets", None, data)),
    ("pnml", |data| projects::project("PNML", None, data)),
    ("tina", |data| projects::project("TINA", None, data)),
    ("contest", documents::contest),
    ("claims_motet", |data| claims::claims("props", data)),
    ("claims_prism", |data| claims::claims("pctl", data)),
    ("claims_psl", |data| claims::claims("psl", data)),
    ("claims_spin", |data| claims::claims("props", data)),
    ("claims_automata", |data| claims::claims("hoa", data)),
    ("traces", documents::trace),
    ("logs", documents::log),
    ("messages", documents::messages),
    ("situations", documents::situations),
];

/// Run by name only: forged logs of checkpoints still find a panic now and then (`docs/assurance.md`), which a gate would meet by
/// chance.
const APART: &[(&str, Target)] = &[("checkpoints", documents::checkpoint)];

fn target() -> Target {
    static CHOSEN: OnceLock<Target> = OnceLock::new();
    *CHOSEN.get_or_init(|| {
        let name = std::env::var("MOTET_FUZZ").expect("MOTET_FUZZ names a target");
        let found = TARGETS.iter().chain(APART).find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("no target is called `{name}`")).1
    })
}

fuzz_target!(|data: &[u8]| target()(data));
