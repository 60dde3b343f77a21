//! Saved runs: written beside the words that were shown, opened again, and followed in their model.

use motet_evidence::{Evidence, Recorded, Title, Unreadable, read_itf, replay_under, to_itf};
use motet_model::{AtomId, Options, Purpose};
use motet_property::{Claim, Kind};
use motet_render::{Tale, run_of};
use motet_source::{FileId, Problem, Problems, Sources, Span};

use crate::checking::telling::{tell, tell_claim};
use crate::loading::atoms::atoms;
use crate::loading::load::Ready;

/// Where a run comes from: enough to load its model again.
#[derive(Clone, Debug, Default)]
pub struct TraceOrigin {
    /// The model's path.
    pub model: String,
    /// `--lang`.
    pub language: Option<String>,
    /// `-D`, `--mode`, `--bound`.
    pub options: Options,
    /// Name and text of the claim it decides.
    pub claim: Option<(String, String)>,
}

/// A run that was opened but not followed yet.
pub struct Saved {
    /// Where it comes from.
    pub origin: TraceOrigin,
    recorded: Recorded,
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

/// The run as a file in the Informal Trace Format, to be saved by the host.
#[must_use]
pub fn write_trace(ready: &Ready, origin: &TraceOrigin, evidence: &Evidence) -> String {
    let (claim, text) = origin.claim.clone().unwrap_or_default();
    let title = Title { claim, text, model: origin.model.clone(), settings: origin.settings() };
    let text = to_itf(ready.system.model.as_ref(), ready.system.words.as_ref(), &title, evidence);
    format!("{text}\n")
}

/// Opens a saved run. `None` means that the problems say why.
pub fn open_trace(file: FileId, text: &str, problems: &mut Problems) -> Option<Saved> {
    let recorded = match read_itf(text) {
        Ok(recorded) => recorded,
        Err(why) => {
            not_a_trace(file, &why, problems);
            return None;
        }
    };
    let title = &recorded.title;
    let claim = (!title.claim.is_empty()).then(|| (title.claim.clone(), title.text.clone()));
    let mut origin = TraceOrigin { model: title.model.clone(), claim, ..TraceOrigin::default() };
    for (name, value) in &title.settings {
        origin.restore(name, value);
    }
    Some(Saved { origin, recorded })
}

impl TraceOrigin {
    /// What has to be said again for the same model, in the spelling of the command line.
    #[must_use]
    pub fn settings(&self) -> Vec<(String, String)> {
        let options = &self.options;
        let mut settings = Vec::new();
        settings.extend(self.language.iter().map(|name| ("--lang".to_string(), name.clone())));
        settings.extend(options.mode.iter().map(|mode| ("--mode".to_string(), mode.clone())));
        settings.extend(options.parameters.iter().map(|(name, value)| (format!("-D {name}"), value.clone())));
        settings.extend(
            options.bounds.iter().map(|(name, bound)| (format!("--bound {name}"), bound.to_string())),
        );
        settings.extend(options.rules.iter().map(|(name, value)| (format!("--rule {name}"), value.clone())));
        if options.purpose == Purpose::Simulation {
            settings.push(("purpose".to_string(), "simulation".to_string()));
        }
        settings
    }

    /// Says one of [`TraceOrigin::settings`] again. A setting of a later version means nothing here.
    pub fn restore(&mut self, name: &str, value: &str) {
        let options = &mut self.options;
        match (name.split_once(' '), name) {
            (None, "--lang") => self.language = Some(value.to_string()),
            (None, "purpose") => options.purpose = Purpose::Simulation,
            (None, "--mode") => options.mode = Some(value.to_string()),
            (Some(("-D", name)), _) => {
                options.parameters.insert(name.to_string(), value.to_string());
            }
            (Some(("--bound", name)), _) => {
                if let Ok(bound) = value.parse() {
                    options.bounds.insert(name.to_string(), bound);
                }
            }
            (Some(("--rule", name)), _) => {
                options.rules.insert(name.to_string(), value.to_string());
            }
            _ => {}
        }
    }
}

/// Follows a saved run in its model.
///
/// # Errors
/// In words, when the model has changed since.
pub fn retrace(ready: &Ready, sources: &Sources, saved: &Saved) -> Result<Retraced, String> {
    let (model, words) = (ready.system.model.as_ref(), ready.system.words.as_ref());
    let stale = |_| "the model has changed since the trace was made; check again".to_string();
    let evidence = saved.recorded.evidence(model, words).map_err(stale)?;
    let name = saved.origin.claim.as_ref().map(|(name, _)| name.clone());
    let claim = ready.claims.iter().find(|claim| Some(&claim.name) == name.as_ref());
    if !evidence.branches.is_empty() {
        replay_tree(ready, claim, &evidence)?;
    }
    let tale = match claim {
        Some(claim) => tell_claim(ready, sources, claim, &evidence),
        None => tell(ready, sources, &evidence, &[]),
    };
    Ok(Retraced { evidence, tale, claim: name })
}

/// Replays a tree: that its runs are runs of the model does not say yet that they show anything.
fn replay_tree(ready: &Ready, claim: Option<&Claim<AtomId>>, evidence: &Evidence) -> Result<(), String> {
    let Some(claim) = claim else {
        return Err("the claim it is about is gone; check again".to_string());
    };
    let assumptions = if claim.kind == Kind::Assume { Vec::new() } else { ready.assumptions() };
    replay_under(ready.system.model.as_ref(), &assumptions, claim, evidence)
        .map_err(|objection| format!("{objection}; check again"))
}

impl Retraced {
    /// The run with this number of a tree, such as `1.2`, as a run of its own; `1` is the run itself. `None` when there is no
    /// such number, or no run behind it.
    #[must_use]
    pub fn branch(&self, ready: &Ready, sources: &Sources, number: &str) -> Option<Self> {
        let (evidence, from) = run_of(&self.evidence, number)?;
        let claim = ready.claims.iter().find(|claim| Some(&claim.name) == self.claim.as_ref());
        let marked = claim.map(|claim| atoms(&claim.formula)).unwrap_or_default();
        let tale = Tale { from, ..tell(ready, sources, &evidence, &marked) };
        Some(Self { evidence, tale, claim: self.claim.clone() })
    }
}

/// The problem of a trace that its model cannot follow.
#[must_use]
pub fn stale_trace(file: FileId, path: &str, help: &str) -> Problem {
    let span = Span::new(file, 0, 0);
    Problem::error("M0010", span, format!("`{path}` does not fit the model"), help)
}

/// The problem of a number that no branch of a tree has.
#[must_use]
pub fn no_branch(file: FileId, number: &str, path: &str) -> Problem {
    let help = format!("`motet trace show {path} --tree` lists the branches with their numbers");
    Problem::error("M0013", Span::new(file, 0, 0), format!("there is no run `{number}` in this tree"), help)
}

/// The problem of a file that is no trace.
fn not_a_trace(file: FileId, why: &Unreadable, problems: &mut Problems) {
    problems.push(Problem::error(
        "M0011",
        Span::new(file, 0, 0),
        format!("this is not a trace: {why}"),
        "give a file that `motet check` or `motet sim` saved, such as .motet/traces/S1.itf.json",
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_as_they_went() {
        let mut origin = TraceOrigin { language: Some("AgentSpeak".to_string()), ..TraceOrigin::default() };
        origin.options.mode = Some("jason".to_string());
        origin.options.parameters.insert("LAST".to_string(), "5".to_string());
        origin.options.bounds.insert("events".to_string(), 8);
        origin.options.rules.insert("ties".to_string(), "first".to_string());
        origin.options.purpose = Purpose::Simulation;
        let mut back = TraceOrigin::default();
        for (name, value) in origin.settings() {
            back.restore(&name, &value);
        }
        assert_eq!(back.settings(), origin.settings());
        assert_eq!(back.options.bounds, origin.options.bounds);
        assert_eq!(back.options.rules, origin.options.rules);
        assert_eq!(back.options.purpose, origin.options.purpose);
    }
}
