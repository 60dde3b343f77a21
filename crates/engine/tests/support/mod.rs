//! What the tests of this crate share.
#![allow(dead_code, reason = "every test file uses its own part")]

pub(crate) mod played;

use motet_engine::Settings;
use motet_evidence::Fairness;
use motet_model::{AtomId, Model};
use motet_property::{Claim, Expect, Formula, Interval, Kind, Path};
use motet_source::{FileId, Span};

/// How many rounds a randomised test takes; `MOTET_ROUNDS` asks for more.
#[expect(clippy::disallowed_methods, reason = "a developer widens the tests from outside")]
pub(crate) fn rounds(usual: u64) -> u64 {
    std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0).max(usual)
}

pub(crate) fn claim(kind: Kind, formula: Path<AtomId>) -> Claim<AtomId> {
    Claim {
        name: "claim".to_owned(),
        words: None,
        kind,
        formula,
        expect: Expect::Holds,
        span: Span::new(FileId(0), 0, 0),
        text: String::new(),
    }
}

pub(crate) fn fair(fairness: Fairness) -> Settings {
    Settings { fairness, ..Settings::default() }
}

pub(crate) fn atom(number: u32) -> Path<AtomId> {
    Path::Now(Formula::Atom(AtomId(number)))
}

pub(crate) fn always(path: Path<AtomId>) -> Path<AtomId> {
    Path::Always(Interval::default(), Box::new(path))
}

pub(crate) fn eventually(path: Path<AtomId>) -> Path<AtomId> {
    Path::Eventually(Interval::default(), Box::new(path))
}

pub(crate) fn not(path: Path<AtomId>) -> Path<AtomId> {
    Path::Not(Box::new(path))
}

pub(crate) fn implies(a: Path<AtomId>, b: Path<AtomId>) -> Path<AtomId> {
    Path::Implies(Box::new(a), Box::new(b))
}

/// How many states a model has, by its naive graph.
pub(crate) fn n_states(model: &dyn Model) -> u64 {
    motet_naive::Graph::of(model).expect("no faults").states.len() as u64
}
