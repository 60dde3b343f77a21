//! Advice while agents run: as their plan-selection function, and as beliefs made of numbers (Izzo 2016, sections 5.2 and 5.3).

use motet_model::{Alternative, News, State};
use motet_render::{RunRemark, RunStanding, RunValue, value_text};
use motet_workbench::{Adviser, Sight};

use crate::observe::{Moment, Observed, Observer};
use crate::select::{Chosen, Select};

/// Chooses what the solved model says is best.
pub struct Advised<'a> {
    adviser: &'a Adviser,
}

impl<'a> Advised<'a> {
    /// Asks this adviser.
    #[must_use]
    pub fn new(adviser: &'a Adviser) -> Self {
        Self { adviser }
    }
}

impl Select for Advised<'_> {
    /// The best alternative. A situation that the model does not have is taken for those that look like it; where there are
    /// none, the first alternative is as good as any.
    fn select(&mut self, state: &State, alternatives: &[Alternative]) -> Chosen {
        let exact = self.adviser.advise(state, alternatives, Sight::Everything);
        let (advice, sight) = match exact.ranked.is_empty() {
            false => (exact, ""),
            true => (
                self.adviser.advise(state, alternatives, Sight::Observed),
                ", in situations of the model that look like this one",
            ),
        };
        let values = |alternative: &Alternative| -> Vec<RunValue> {
            let ranked = advice.ranked.iter().find(|ranked| ranked.action == alternative.action);
            let values = ranked.map_or(&[][..], |ranked| &ranked.values);
            let value = |found: &motet_render::QueryValue| RunValue {
                query: found.query.clone(),
                value: value_text(found.low, found.high),
            };
            values.iter().map(value).collect()
        };
        let place = |action| alternatives.iter().position(|alternative| alternative.action == action);
        let best = advice.ranked.iter().find_map(|ranked| place(ranked.action));
        let reason = match (best, self.adviser.queries().first()) {
            (Some(_), Some(query)) => format!("best for {query}{sight}"),
            _ => "the first in the text: the model knows nothing like this situation".to_owned(),
        };
        Chosen { at: best.unwrap_or(0), reason, values: alternatives.iter().map(values).collect() }
    }
}

/// Beliefs that hold while a number is beyond a threshold. Agents perceive them when they change.
pub struct Insights<'a> {
    adviser: &'a Adviser,
    told: Vec<(String, bool)>,
}

impl<'a> Insights<'a> {
    /// The thresholds of this adviser.
    #[must_use]
    pub fn new(adviser: &'a Adviser) -> Self {
        Self { adviser, told: Vec::new() }
    }

    fn look(&mut self, state: &State) -> Observed {
        let mut observed = Observed::default();
        for (belief, holds) in self.adviser.beliefs(state) {
            let known = self.told.iter_mut().find(|(told, _)| *told == belief);
            match known {
                Some((_, told)) if *told == holds => continue,
                Some((_, told)) => *told = holds,
                // What was never so is no news.
                None if !holds => continue,
                None => self.told.push((belief.clone(), holds)),
            }
            let text = format!("{belief} {}", if holds { "holds from now on" } else { "holds no longer" });
            observed.remarks.push(RunRemark { about: "threshold".to_owned(), text });
            observed.news.push(News::Percept { agent: None, what: belief, holds });
        }
        observed
    }
}

impl Observer for Insights<'_> {
    fn begin(&mut self, state: &State) -> Observed {
        self.look(state)
    }

    fn observe(&mut self, moment: &Moment<'_>) -> Observed {
        self.look(moment.state)
    }

    fn standings(&self) -> Vec<RunStanding> {
        Vec::new()
    }
}
