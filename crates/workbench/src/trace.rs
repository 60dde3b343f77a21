//! Saved runs: written beside the words that were shown, opened again, and followed in their model.

use motet_evidence::{Evidence, Fairness, rebuild};
use motet_model::{AtomId, Options};
use motet_render::Tale;
use motet_source::{FileId, Problem, Problems, Sources, Span};

use crate::atoms::atoms;
use crate::itf;
use crate::load::Ready;
use crate::telling::tell;

/// Where a run comes from: enough to load its model again.
#[derive(Clone, Debug, Default)]
pub struct TraceOrigin {
    /// The command line without the program's name.
    pub command: Vec<String>,
    /// The model's path.
    pub model: String,
    /// The digest of all texts.
    pub sha256: String,
    /// `--lang`.
    pub language: Option<String>,
    /// `-D`, `--mode`, `--bound`.
    pub options: Options,
    /// Name and text of the claim it decides.
    pub claim: Option<(String, String)>,
}

/// A run that was opened but not followed yet.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Where it comes from.
    pub origin: TraceOrigin,
    /// Which initial state.
    pub initial: u32,
    /// Ordinal and branch of each step.
    pub steps: Vec<(u32, u32)>,
    /// Where the loop starts.
    pub loop_start: Option<usize>,
}

/// A run that was followed again.
pub struct Retraced {
    /// The run.
    pub evidence: Evidence,
    /// In words.
    pub tale: Tale,
    /// The name of the claim it decides.
    pub claim: Option<String>,
}

/// The run as a file, to be saved by the host.
#[must_use]
pub fn write_trace(ready: &Ready, sources: &Sources, origin: &TraceOrigin, evidence: &Evidence) -> String {
    let marked = origin.claim.as_ref().map(|(name, _)| marked(ready, name)).unwrap_or_default();
    let tale = tell(ready, sources, evidence, &marked);
    let minds: Vec<_> = evidence.run.states.iter().map(|state| ready.system.words.snapshot(state)).collect();
    itf::write(origin, evidence, &tale, &minds)
}

/// Opens a saved run. `None` means that the problems say why.
pub fn open_trace(file: FileId, text: &str, problems: &mut Problems) -> Option<Saved> {
    itf::read(text).map_err(|why| not_a_trace(file, &why, problems)).ok()
}

/// The atoms of the claim with this name.
fn marked(ready: &Ready, name: &str) -> Vec<AtomId> {
    let claim = ready.claims.iter().find(|claim| claim.name == name);
    claim.map(|claim| atoms(&claim.formula)).unwrap_or_default()
}

/// Follows a saved run in its model.
///
/// # Errors
/// In words, when the model has changed since.
pub fn retrace(ready: &Ready, sources: &Sources, saved: &Saved) -> Result<Retraced, String> {
    let stale = || "the model has changed since the trace was made; check again".to_string();
    let run = rebuild(ready.system.model.as_ref(), saved.initial, &saved.steps).map_err(|_| stale())?;
    let closes = |start: usize| start < run.steps.len() && run.states.get(start) == run.states.last();
    if saved.loop_start.is_some_and(|start| !closes(start)) {
        return Err(stale());
    }
    let evidence = Evidence { run, loop_start: saved.loop_start, fairness: Fairness::None };
    let name = saved.origin.claim.as_ref().map(|(name, _)| name.clone());
    let marked = name.as_ref().map(|name| marked(ready, name)).unwrap_or_default();
    let tale = tell(ready, sources, &evidence, &marked);
    Ok(Retraced { evidence, tale, claim: name })
}

/// The problem of a trace that its model cannot follow.
#[must_use]
pub fn stale_trace(file: FileId, path: &str, help: &str) -> Problem {
    let span = Span::new(file, 0, 0);
    Problem::error("M0010", span, format!("`{path}` does not fit the model"), help)
}

/// The problem of a file that is no trace.
fn not_a_trace(file: FileId, why: &str, problems: &mut Problems) {
    problems.push(Problem::error(
        "M0011",
        Span::new(file, 0, 0),
        format!("this is not a trace: {why}"),
        "give a file that `motet check` or `motet sim` saved, such as .motet/traces/S1.itf.json",
    ));
}
