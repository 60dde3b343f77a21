//! Visiting the direct parts of a node: the one place that knows where a tree keeps its children.

use super::{Domain, Goal, Node, Scope, Threshold, Times, Timing, Tree, When};

impl Node {
    /// Visits the direct parts.
    #[expect(clippy::too_many_lines, reason = "a flat match over all kinds of nodes")]
    pub(crate) fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
        match &self.tree {
            Tree::Number(_) | Tree::Length(_) | Tree::Text(_) | Tree::Name(_) | Tree::Error => {}
            Tree::Call(_, parts) | Tree::Tuple(parts) | Tree::List(parts) | Tree::Join(_, _, parts) => {
                parts.iter().for_each(visit);
            }
            Tree::Field(part, _)
            | Tree::Negative(part)
            | Tree::Size(part)
            | Tree::Clock(_, part)
            | Tree::Not(_, part)
            | Tree::Runs(_, part)
            | Tree::Becomes(_, part)
            | Tree::Again(part)
            | Tree::Group(part) => visit(part),
            Tree::Index(left, right)
            | Tree::Arithmetic(_, left, right)
            | Tree::Mental(_, _, left, right)
            | Tree::NoBelief(left, right)
            | Tree::Timed(_, left, right)
            | Tree::Implies(_, left, right)
            | Tree::Iff(_, left, right)
            | Tree::Filter(_, left, right)
            | Tree::Precedes(left, right) => {
                visit(left);
                visit(right);
            }
            Tree::Wait(_, from, to) => {
                from.iter().for_each(|from| visit(from));
                visit(to);
            }
            Tree::Compare(first, rest) => {
                visit(first);
                rest.iter().for_each(|(_, part)| visit(part));
            }
            Tree::Member(left, domain) => {
                visit(left);
                domain.each_child(visit);
            }
            Tree::Says(_, from, to, content) | Tree::Passes(_, _, from, to, content) => {
                [from, to, content].into_iter().for_each(|part| visit(part));
            }
            Tree::Knows(_, _, domain, part) | Tree::Quantified(_, _, domain, part) => {
                domain.each_child(visit);
                visit(part);
            }
            Tree::Temporal(_, _, when, part) | Tree::Branching(_, _, when, part) => {
                when.iter().for_each(|when| when.each_child(visit));
                visit(part);
            }
            Tree::Until(_, _, when, left, right) => {
                when.iter().for_each(|when| when.each_child(visit));
                visit(left);
                visit(right);
            }
            Tree::Counted(count) => {
                if let Times::Number(number) = &count.times {
                    visit(number);
                }
                visit(&count.what);
            }
            Tree::Whenever(trigger, timing, response) | Tree::EachTime(trigger, timing, response) => {
                visit(trigger);
                timing.each_child(visit);
                visit(response);
            }
            Tree::Scoped(scope, part) => {
                scope.each_child(visit);
                visit(part);
            }
            Tree::Shall(requirement) => requirement.each_child(visit),
            Tree::Chance(_, threshold, part) | Tree::Steady(_, threshold, part) => {
                threshold.each_child(visit);
                visit(part);
            }
            Tree::Reward(_, _, threshold, goal) => {
                threshold.each_child(visit);
                goal.each_child(visit);
            }
        }
    }
}

impl Domain {
    fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
        match self {
            Self::Name(part) => visit(part),
            Self::Range(low, high) => {
                visit(low);
                visit(high);
            }
            Self::Set(parts) => parts.iter().for_each(visit),
        }
    }
}

impl When {
    fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
        match self {
            Self::Relation(_, part) | Self::Words(_, part) => visit(part),
            Self::Between(low, high) => {
                visit(low);
                visit(high);
            }
        }
    }
}

impl Timing {
    fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
        match self {
            Self::Immediately | Self::Eventually => {}
            Self::Within(part) | Self::For(part) | Self::After(part) => visit(part),
        }
    }
}

impl Scope {
    fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
        match self {
            Self::Globally => {}
            Self::Before(part) | Self::While(part) | Self::After(part) => visit(part),
            Self::AfterUntil(left, right) | Self::Between(left, right) => {
                visit(left);
                visit(right);
            }
        }
    }
}

impl Threshold {
    fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
        if let Self::Compare(_, part) = self {
            visit(part);
        }
    }
}

impl Goal {
    fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
        match self {
            Self::Cumulative(None) | Self::Average => {}
            Self::Cumulative(Some(part)) | Self::Instant(part) | Self::Path(part) => visit(part),
        }
    }
}
