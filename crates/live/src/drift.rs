//! What happens along a run, held against the chances of the model.

use motet_engine::{Drift, Finding};
use motet_model::{News, Perceived, State, Trouble};
use motet_render::{RunRemark, RunStanding};

use crate::observe::{Moment, Observed, Observer};

/// Finds out when the world does not behave as modelled.
#[derive(Default)]
pub struct Drifting {
    drift: Drift,
}

impl Drifting {
    /// With this probability of ever raising a false alarm.
    #[must_use]
    pub fn new(level: f64) -> Self {
        Self { drift: Drift::new(level) }
    }
}

impl Observer for Drifting {
    fn begin(&mut self, _: &State) -> Observed {
        Observed::default()
    }

    fn observe(&mut self, moment: &Moment<'_>) -> Observed {
        let mut observed = Observed::default();
        for finding in self.drift.observe(&of_the_world(moment)) {
            observed.troubles = vec![Trouble::ModelDrift];
            // What the team found impossible is in the log already.
            if !moment.perceived.impossible.contains(&finding.of) {
                observed.remarks.push(RunRemark { about: "drift".to_owned(), text: text(&finding) });
            }
        }
        observed
    }

    fn standings(&self) -> Vec<RunStanding> {
        let standing =
            |standing, alarm| RunStanding { claim: "drift".to_owned(), standing, cycle: None, alarm };
        let found: Vec<RunStanding> =
            self.drift.findings().map(|finding| standing(text(&finding), true)).collect();
        match self.drift.trials() {
            0 => found,
            trials if found.is_empty() => vec![standing(format!("none found in {trials} trials"), false)],
            _ => found,
        }
    }
}

/// What was perceived, without what this host said: no model gives that a chance, and the world is not to blame.
fn of_the_world(moment: &Moment<'_>) -> Perceived {
    let said = moment.news.iter().filter_map(|news| match news {
        News::Trouble(trouble) => Some(trouble.sentence().to_lowercase()),
        _ => None,
    });
    let said: Vec<String> = said.collect();
    let mut perceived = moment.perceived.clone();
    perceived.impossible.retain(|what| {
        let what = what.to_lowercase();
        !said.iter().any(|sentence| what.contains(sentence))
    });
    perceived
}

/// A finding in words: `The sea is too rough becomes true: 37 times in 60 trials; the model expects 30.0 +- 3.9`.
fn text(finding: &Finding) -> String {
    let Finding { of, trials, happened, expected, spread, evidence } = finding;
    let times = |count: &u64| if *count == 1 { "once".to_owned() } else { format!("{count} times") };
    if finding.is_impossible() {
        return format!("{of}: {}; the model gives it no chance", times(happened));
    }
    let odds = if *evidence < 1e6 { format!("{evidence:.0}") } else { "more than a million".to_owned() };
    format!(
        "{of}: {} in {trials} trials; the model expects {expected:.1} +- {spread:.1} (odds of {odds} to 1 against it)",
        times(happened)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_says_what_happened_and_what_was_expected() {
        let finding = Finding {
            of: "The sea is too rough becomes true".to_owned(),
            trials: 60,
            happened: 37,
            expected: 30.0,
            spread: 15_f64.sqrt(),
            evidence: 2500.4,
        };
        assert_eq!(
            text(&finding),
            "The sea is too rough becomes true: 37 times in 60 trials; the model expects 30.0 +- 3.9 (odds of 2500 to 1 against it)"
        );
        let never = Finding { trials: 1, happened: 1, expected: 0.0, evidence: f64::INFINITY, ..finding };
        assert_eq!(text(&never), "The sea is too rough becomes true: once; the model gives it no chance");
    }
}
