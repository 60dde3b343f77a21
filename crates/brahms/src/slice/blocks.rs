//! Which frames wait, once a detectable has ended them, for any change at all.
//!
//! A frame that a detectable aborts or completes does not start again before some fact or some belief of its actor changes
//! (`spec/brahms/rules.md`). So whoever changes anything has an influence on it, unless it could not start anyway: the
//! detectable sees the opposite of what the guard asks for, and what makes the guard true again is a change of its own.

use super::Inquiry;
use super::effects::guard_store;
use crate::program::{
    ActivityNode, Comparison, ConditionNode, DetectAction, Detectable, Expr, Frame, Key, Place, Quantifier,
    Repeat, Sighted, Sought, Statement, Subject, Value, Var,
};
use crate::semantics::writes::{FACTS, beliefs_of};

impl Inquiry<'_> {
    /// Whether a frame may wait for any change at all.
    pub(super) fn is_blocked_for_long(&self, frame: &Frame) -> bool {
        let own = frame.detectables.iter().filter(|detectable| ends(detectable.action));
        let inner = self.inner_ends(frame);
        let aborted =
            || own.clone().chain(inner.iter().copied()).any(|one| one.action != DetectAction::Complete);
        if frame.repeat == Repeat::Once && (self.program.rules.aborted_counts || !aborted()) {
            // It is done for good.
            return false;
        }
        !inner.is_empty() || own.clone().any(|detectable| !self.contradicts(frame, detectable))
    }

    /// The detectables of composite activities that end the frame which performs them.
    fn inner_ends(&self, frame: &Frame) -> Vec<&Detectable> {
        let mut found = Vec::new();
        for statement in &frame.body {
            let Statement::Do(activity) = statement else { continue };
            if let ActivityNode::Composite { detectables, .. } =
                &self.program.activities[activity.index()].node
            {
                let stops = |action| ends(action) || action == DetectAction::Impasse;
                found.extend(detectables.iter().filter(|detectable| stops(detectable.action)));
            }
        }
        found
    }

    /// Whether the guard cannot hold where a detectable aborts the frame. What completes a frame lets it go on for a while, in
    /// which the guard may become true again.
    fn contradicts(&self, frame: &Frame, detectable: &Detectable) -> bool {
        let Sought::Attribute {
            subject: Sighted::One(subject),
            attribute,
            index: None,
            test: Some((sign, right)),
        } = &detectable.sought
        else {
            return false;
        };
        let Expr::Value(seen) = right else { return false };
        if detectable.action != DetectAction::Abort || !self.looks_where_guard_does(frame) {
            return false;
        }
        let is_same = |place: &Place| match (place, subject) {
            (Place::Fixed(key), Subject::Entity(entity)) => {
                self.program.keys.get(*key) == Key::Attribute(*entity, *attribute)
            }
            (Place::Attribute(Var::Own(index), other), Subject::Variable(Var::Own(of))) => {
                let variable = &frame.variables[usize::from(*index)];
                let one = variable.guarded && variable.quantifier != Quantifier::CollectAll;
                one && (index, other) == (of, attribute)
            }
            _ => false,
        };
        frame.guard.iter().any(|condition| match &condition.node {
            ConditionNode::Compare {
                negated: false,
                left: Expr::Read(place),
                operator,
                right: Expr::Value(asked),
            } => is_same(place) && excludes((*sign, *seen), (*operator, *asked)),
            _ => false,
        })
    }

    /// Whether what a detectable sees is what the guard reads: the same store, or a fact that has become a belief.
    fn looks_where_guard_does(&self, frame: &Frame) -> bool {
        let rules = &self.program.rules;
        let store = if rules.detect_on_facts { FACTS } else { beliefs_of(frame.actor) };
        let guard = guard_store(frame);
        // A fact that is read as zero where there is none does not become a belief.
        store == guard || (guard == beliefs_of(frame.actor) && !rules.unknown_is_zero)
    }
}

fn ends(action: DetectAction) -> bool {
    matches!(action, DetectAction::Abort | DetectAction::Complete)
}

/// Whether no value passes both tests.
fn excludes((one, seen): (Comparison, Value), (two, asked): (Comparison, Value)) -> bool {
    use Comparison::{Eq, Ge, Gt, Le, Lt, Ne};
    if let (Value::Int(seen), Value::Int(asked)) = (seen, asked) {
        // Values between whole numbers count too.
        return match (one, two) {
            (Eq, Eq) => seen != asked,
            (Eq, Ne) | (Ne, Eq) => seen == asked,
            (Eq | Lt | Le, Gt) | (Lt, Eq | Ge) => seen <= asked,
            (Eq | Le, Ge) | (Le, Eq) => seen < asked,
            (Eq | Gt | Ge, Lt) | (Gt, Eq | Le) => seen >= asked,
            (Eq | Ge, Le) | (Ge, Eq) => seen > asked,
            _ => false,
        };
    }
    let comparable = |value| matches!(value, Value::Bool(_) | Value::Text(_) | Value::Entity(_));
    match (one, two) {
        (Eq, Eq) => comparable(seen) && comparable(asked) && seen != asked,
        (Eq, Ne) | (Ne, Eq) => seen == asked,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the table with what happens to half numbers around the constants.
    #[test]
    fn tests_of_numbers_exclude_each_other_exactly_if_no_number_passes_both() {
        use Comparison::{Eq, Ge, Gt, Le, Lt, Ne};
        let passes = |sign: Comparison, value: i64, of: i64| match sign {
            Eq => value == of,
            Ne => value != of,
            Lt => value < of,
            Le => value <= of,
            Gt => value > of,
            Ge => value >= of,
        };
        for one in [Eq, Ne, Lt, Le, Gt, Ge] {
            for two in [Eq, Ne, Lt, Le, Gt, Ge] {
                for (a, b) in [(0, 0), (0, 1), (1, 0), (-3, 5)] {
                    let both = |half: &i64| passes(one, *half, 2 * a) && passes(two, *half, 2 * b);
                    let found = excludes((one, Value::Int(a)), (two, Value::Int(b)));
                    assert_eq!(found, !(-20..20).any(|half| both(&half)), "{one:?} {a}, {two:?} {b}");
                }
            }
        }
    }
}
