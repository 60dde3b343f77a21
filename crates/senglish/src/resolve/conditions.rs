//! Conditions on beliefs. With three values a condition is true, false or unknown by Kleene's strong connectives, and only what
//! is true counts: so a condition becomes two formulas, when it is true and when it is false, and negation swaps them.

use super::Resolver;
use crate::formula::{Comparison, Formula};
use crate::syntax::Condition;

impl Resolver<'_> {
    /// When a condition is true. Tests name beliefs; `lay_out` turns them into slots.
    pub(crate) fn condition(&mut self, agent: usize, condition: &Condition) -> Formula {
        self.either(agent, condition, true)
    }

    fn either(&mut self, agent: usize, condition: &Condition, wanted: bool) -> Formula {
        match condition {
            Condition::True if wanted => Formula::True,
            Condition::False if !wanted => Formula::True,
            Condition::True | Condition::False => Formula::False,
            Condition::Belief(sentence) => match self.belief(agent, sentence) {
                Some(belief) => Formula::Test(belief, Comparison::Equal, u32::from(wanted)),
                None => Formula::False,
            },
            Condition::Not(inner) => self.either(agent, inner, !wanted),
            Condition::And(parts) | Condition::Or(parts) => {
                let formulas: Vec<Formula> =
                    parts.iter().map(|part| self.either(agent, part, wanted)).collect();
                if matches!(condition, Condition::And(_)) == wanted {
                    Formula::all(formulas)
                } else {
                    Formula::any(formulas)
                }
            }
        }
    }

    /// When a rule that concludes this note applies: all rules of one conclusion together.
    pub(crate) fn rules(&mut self) {
        use crate::program::BeliefKind;
        use crate::syntax::Sign;
        for agent in 0..self.project.members.len() {
            let tree = self.project.members[agent].tree;
            for rule in &tree.rules {
                let formula = self.condition(agent, &rule.condition);
                let Some(belief) = self.find(agent, &rule.conclusion.key) else { continue };
                if self.program.beliefs[belief].kind != BeliefKind::Note {
                    self.not_a_note(belief, rule.conclusion.span, "a rule");
                    continue;
                }
                let note = self.program.notes.iter_mut().find(|note| note.belief == belief);
                let note = note.expect("every note was named");
                let side = if rule.sign == Sign::Holds { &mut note.raised } else { &mut note.lowered };
                *side = Formula::any([std::mem::replace(side, Formula::False), formula]);
            }
        }
    }
}
