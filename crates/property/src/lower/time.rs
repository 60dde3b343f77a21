//! Questions for a time, comparisons of such a time, and the past.
//!
//! `max time to (p) <= D` says of all runs that `p` comes within `D`, `min time to (p) <= D` of some run; so a compared time
//! is no operator of its own but a claim with a bound: of all runs in a `property`, of some run in a `possible`.

use motet_model::AtomId;
use motet_source::{Span, Spanned};

use super::connect::{and, constant, not, or};
use super::happening::BECOMES;
use super::requirement::at_edges;
use super::unit::{own, words};
use super::{Env, Lowering};
use crate::claim::{Expect, Kind};
use crate::formula::{Bound, Extremum, Formula, Interval, Past, Path, Relation, Subformula};
use crate::syntax::{Expectation, Node, Tree};

type Lowered = Path<AtomId>;

/// The words of the past that are written like a name with one argument.
const WORDS: [&str; 3] = ["once", "historically", "previously"];

impl<'a> Lowering<'a> {
    /// `max time from (a) to (p)`
    pub(super) fn wait(
        &mut self,
        extremum: Extremum,
        from: Option<&'a Node>,
        to: &'a Node,
        env: &Env<'a>,
    ) -> Lowered {
        let from = from.map(|from| Box::new(self.state(from, env, "where a time begins")));
        let to = Box::new(self.state(to, env, "where a time ends"));
        Path::Now(Formula::Wait(extremum, from, to))
    }

    /// `max time to (p) <= 4 min`; `None` if neither side is a question for a time.
    pub(super) fn compared_wait(
        &mut self,
        node: &'a Node,
        first: &'a Node,
        rest: &'a [(Relation, Node)],
        env: &Env<'a>,
    ) -> Option<Lowered> {
        let is_wait = |node: &Node| matches!(node.bare().tree, Tree::Wait(..));
        if !is_wait(first) && !rest.iter().any(|(_, node)| is_wait(node)) {
            return None;
        }
        let (wait, relation, length) = match rest {
            [(relation, length)] if is_wait(first) && !is_wait(length) => (first, *relation, length),
            [(relation, wait)] if is_wait(wait) && !is_wait(first) => (wait, relation.flipped(), first),
            _ => {
                let help = "write for example `max time to (p) <= 4 min`";
                self.error("M0260", node.span, "a time is compared once, and with a length of time", help);
                return Some(constant(true));
            }
        };
        let Tree::Wait(extremum, from, to) = &wait.bare().tree else { return None };
        if self.whole != Some(node.span) {
            let help = "write it as a claim of its own";
            self.error("M0260", node.span, "a time can only be compared as the whole of a claim", help);
            return Some(constant(true));
        }
        let from = from.as_ref().map(|from| self.state(from, env, "where a time begins"));
        let to = self.state(to, env, "where a time ends");
        let Some(bound) = self.bound(length, env) else { return Some(constant(true)) };
        Some(self.bounded_wait(node.span, (*extremum, from, to), relation, bound))
    }

    fn bounded_wait(
        &mut self,
        span: Span,
        (extremum, from, to): (Extremum, Option<Formula<AtomId>>, Formula<AtomId>),
        relation: Relation,
        bound: Bound,
    ) -> Lowered {
        let (word, kind) = match (extremum, relation) {
            (_, Relation::Eq | Relation::Ne) => {
                let help =
                    "compare it with <, <=, > or >=; or ask for it with `query` and write `expect = ...`";
                self.error("M0260", span, "a time is not compared with `=` in a claim", help);
                return constant(true);
            }
            (Extremum::Max, Relation::Lt | Relation::Le) => ("the longest time being short", Kind::Property),
            (Extremum::Min, Relation::Gt | Relation::Ge) => ("the shortest time being long", Kind::Property),
            (Extremum::Max, _) => ("the longest time being long", Kind::Possible),
            (Extremum::Min, _) => ("the shortest time being short", Kind::Possible),
        };
        if (kind == Kind::Possible) != (self.kind == Kind::Possible) {
            let (about, help) = match kind {
                Kind::Possible => ("some run", "start the item with `possible`"),
                _ => ("all runs", "start the item with `property`"),
            };
            self.error("M0260", span, format!("{word} is a claim about {about}"), help);
            return constant(true);
        }
        let strict = matches!(relation, Relation::Lt | Relation::Ge);
        let high = Interval { low: None, high: Some(Bound { strict, ..bound }) };
        let to = Path::Now(to);
        // "At least 0" and "less than 0" need no run.
        let body = match relation {
            Relation::Lt if bound.amount == 0 => constant(false),
            Relation::Ge if bound.amount == 0 => constant(true),
            Relation::Lt | Relation::Le => Path::Eventually(high, Box::new(to)),
            _ => Path::Always(high, Box::new(not(to))),
        };
        match (from, kind) {
            (None, _) => body,
            (Some(from), Kind::Possible) => begins(from, body),
            (Some(from), _) => at_edges(Path::Now(from), body),
        }
    }

    /// `once(p)` and the like, unless the file or the model means something else by that name.
    pub(super) fn past(&mut self, name: &str, arguments: &'a [Node], env: &Env<'a>) -> Option<Lowered> {
        let [inner] = arguments else { return None };
        if self.is_predicate(name) {
            return None;
        }
        if name == BECOMES {
            return Some(self.becomes(inner, env));
        }
        if !WORDS.contains(&name) {
            return None;
        }
        let inner = self.state(inner, env, "what was");
        Some(Path::Now(Formula::Past(Box::new(match name {
            "once" => Past::Once(inner),
            "historically" => Past::Historically(inner),
            _ => Past::Previously(inner),
        }))))
    }

    /// Whether the model has something with this name and arguments.
    pub(super) fn is_predicate(&self, name: &str) -> bool {
        let mut entries = self.vocabulary.groups.iter().flat_map(|(_, entries)| entries);
        entries.any(|entry| entry.strip_prefix(name).is_some_and(|rest| rest.starts_with('(')))
    }

    /// `p since q`
    pub(super) fn ever_since(&mut self, left: &'a Node, right: &'a Node, env: &Env<'a>) -> Lowered {
        let left = self.state(left, env, "what was");
        let right = self.state(right, env, "what was");
        Path::Now(Formula::Past(Box::new(Past::Since(left, right))))
    }

    /// Refuses the past where other runs, other states or chances are looked at: the states there have no past of their own.
    pub(super) fn check_past(&mut self, span: Span, formula: &Path<AtomId>) {
        if let Some(operator) = buried(formula) {
            let message = format!("the past is not looked at inside {operator}");
            let help =
                "a property speaks of all runs anyway and a possibility of some: leave the operator out";
            self.error("M0262", span, message, help);
        }
    }

    /// What the author of a question for a time expects.
    pub(super) fn expected_time(&mut self, expect: &'a Spanned<Expectation>) -> Expect {
        match &expect.node {
            Expectation::Infinite => Expect::Value(Some("inf".to_owned()), None),
            Expectation::Within(low, high) => {
                let (low, high) = (self.time(low), self.time(high));
                Expect::Time(low, high)
            }
            Expectation::Compare(relation, value, tolerance) => {
                let tolerance = tolerance.as_ref().map(|tolerance| self.time(tolerance));
                let Some(value) = self.time(value) else { return Expect::Nothing };
                let margin = tolerance.flatten().map_or(0, |tolerance| tolerance.amount);
                let strict = matches!(relation, Relation::Lt | Relation::Gt);
                let low = Bound { amount: value.amount.saturating_sub(margin), strict, ..value.clone() };
                let high = Bound { amount: value.amount.saturating_add(margin), strict, ..value };
                match relation {
                    Relation::Lt | Relation::Le => Expect::Time(None, Some(high)),
                    Relation::Gt | Relation::Ge => Expect::Time(Some(low), None),
                    Relation::Eq | Relation::Ne => Expect::Time(Some(low), Some(high)),
                }
            }
            _ => Expect::Nothing,
        }
    }

    fn time(&mut self, node: &'a Node) -> Option<Bound> {
        let bound = self.amount(node, &Env::default())?;
        if bound.unit.is_none() {
            let help = "write for example `expect = 4 min`, `expect <= 12 cycles` or `expect = infinity`";
            self.error("M0261", node.span, "an expected time needs its unit", help);
            return None;
        }
        if let Some(unit) = self.vocabulary.unit.filter(|unit| bound.unit != Some(own(*unit))) {
            let message = "this time is expected in a unit that the model does not count";
            self.error("M0263", node.span, message, format!("the model counts {}", words(unit)));
            return None;
        }
        Some(bound)
    }
}

/// The body at some moment at which `from` begins to hold: at the start, or after a state where it does not.
fn begins(from: Formula<AtomId>, body: Lowered) -> Lowered {
    let before = not(Path::Now(from.clone()));
    let here = and(Path::Now(from), body);
    let later = and(before, Path::Next(Box::new(here.clone())));
    or(here, Path::Eventually(Interval::default(), Box::new(later)))
}

/// The operator under which something is said of the past, if that is an operator that has none.
fn buried(path: &Path<AtomId>) -> Option<&'static str> {
    buried_in(Subformula::Path(path))
}

fn buried_in(part: Subformula<'_, AtomId>) -> Option<&'static str> {
    let Subformula::State(formula) = part else {
        return match part {
            Subformula::Path(Path::Accepted(_)) => Some("an automaton"),
            _ => part.children().find_map(buried_in),
        };
    };
    let operator = match formula {
        Formula::Runs(..) => "a quantifier over runs (A, E)",
        Formula::Knows(..) => "knowledge",
        Formula::Chance(..) => "a probability",
        Formula::Steady(..) => "a long-run share",
        Formula::Reward(..) => "a reward",
        Formula::Filter(..) => "a filter",
        Formula::Timer(..) | Formula::Wait(..) | Formula::Past(_) => return None,
        _ => return formula.children().find_map(buried_in),
    };
    formula.any(&mut |part| matches!(part, Subformula::State(Formula::Past(_)))).then_some(operator)
}
