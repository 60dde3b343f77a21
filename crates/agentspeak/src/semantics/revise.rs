//! Belief revision: the second part of a reasoning cycle (Bordini et al. 2003, 4.1, `BRF`).

use crate::semantics::deed::Deed;
use crate::semantics::mind::{Phase, Source};
use crate::semantics::thinker::Thinker;
use crate::syntax::Sign;
use crate::term::TermId;

impl Thinker<'_> {
    /// Percepts become beliefs, and beliefs whose only source is a percept that is gone are given up. The paper's
    /// two loops read "beliefs that are no longer in the percepts"; taken literally they would delete every initial
    /// belief in the first cycle, so each belief remembers its sources.
    pub(crate) fn revise_beliefs(&mut self, percepts: &[TermId]) -> Deed {
        self.mind.phase = Phase::Select;
        let (mut gained, mut lost) = (Vec::new(), Vec::new());
        for &percept in percepts {
            if self.believe(percept, Source::Percept) {
                self.post_belief(Sign::Added, percept, Source::Percept);
                gained.push(percept);
            }
        }
        let mut at = 0;
        while at < self.mind.beliefs.len() {
            let belief = self.mind.beliefs[at];
            if !belief.sources.contains(Source::Percept) || percepts.contains(&belief.term) {
                at += 1;
                continue;
            }
            let kept = !belief.sources.without(Source::Percept).is_empty();
            if self.disbelieve(at, Source::Percept) {
                self.post_belief(Sign::Deleted, belief.term, Source::Percept);
                lost.push(belief.term);
            }
            at += usize::from(kept);
        }
        Deed::Revise { agent: self.number(), gained: gained.into(), lost: lost.into() }
    }
}
