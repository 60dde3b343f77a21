//! Claims: kinds and expectations.

use motet_model::{AtomId, Ratio};
use motet_source::{Problem, Spanned};

use super::start::Start;
use super::{Env, Lowering, PlainQuestion};
use crate::claim::{Claim, Expect, Kind};
use crate::formula::{Filter, Formula, Path, Query, Relation, RewardGoal, Subformula};
use crate::print::surface;
use crate::syntax::{Case, ClaimItem, ClaimsFile, Expectation, Item, ItemNode, Tree};

impl<'a> Lowering<'a> {
    /// Lowers every claim; those with errors are left out.
    pub(super) fn claims(&mut self, file: &'a ClaimsFile, claims: &mut Vec<Claim<AtomId>>) {
        for item in &file.items {
            match &item.node {
                ItemNode::Claim(claim) => claims.extend(self.claim(item, claim)),
                // An unused definition must make sense too, as far as that can be seen without arguments.
                ItemNode::Define(define) if define.parameters.is_empty() => {
                    (self.parts, self.depth) = (0, 0);
                    let atoms = self.atoms.len();
                    if self.defines.contains_key(define.name.node.as_str()) && !is_value(&define.body) {
                        self.path(&define.body, &Env::default());
                    }
                    for unused in self.atoms.drain(atoms..) {
                        self.index.remove(&unused.node);
                    }
                }
                _ => {}
            }
        }
    }

    fn claim(&mut self, item: &'a Item, claim: &'a ClaimItem) -> Option<Claim<AtomId>> {
        (self.failed, self.parts, self.depth) = (false, 0, 0);
        self.faults.clear();
        (self.kind, self.whole) = (claim.kind, Some(claim.body.bare().span));
        (self.start, self.later, self.chances) = (Start::Unsaid, 0, 0);
        self.asked.clear();
        let formula = self.path(&claim.body, &Env::default());
        self.whole = None;
        if !self.failed {
            self.check_question(claim, &formula);
            self.check_past(claim.body.span, &formula);
        }
        let expect = self.expect(claim, &formula);
        if self.failed {
            return None;
        }
        let lowered = Claim {
            name: claim.name.node.clone(),
            words: claim.words.as_ref().map(|words| words.node.clone()),
            kind: claim.kind,
            formula,
            expect,
            span: item.span,
            text: claim.text.clone(),
        };
        if self.start == Start::Unsaid && lowered.speaks_of_the_start() {
            self.starts.insert(item.span, claim.body.span);
        }
        let asked = self.asked.iter();
        self.plain_questions.extend(asked.map(|&(span, letter)| PlainQuestion {
            claim: item.span,
            span,
            letter,
        }));
        Some(lowered)
    }

    /// A query asks for exactly one number, as a whole; nothing else asks for any.
    fn check_question(&mut self, claim: &'a ClaimItem, formula: &Path<AtomId>) {
        let span = claim.body.span;
        if gathers_truths(formula) {
            let help =
                "gather numbers, as in `filter(max, P=? [ ... ], ...)`, or use count, forall or exists";
            self.error("M0231", span, "this filter gathers numbers, and its formula is true or false", help);
            return;
        }
        let asked = match formula {
            Path::Now(formula) => question(formula),
            _ => None,
        };
        match (claim.kind, asked) {
            (Kind::Query, Some(false)) => {}
            (Kind::Query, None) => {
                let help = "write `P=? [ ... ]`, `R=? [ ... ]` or `max time to (...)`, or make it a property";
                self.error("M0231", span, "a query asks for a number, and this formula does not", help);
            }
            (_, Some(_)) if claim.kind != Kind::Query && matches!(formula, Path::Now(Formula::Wait(..))) => {
                let help = "start the item with `query`, or compare the time: `max time to (p) <= 4 min`";
                self.error("M0231", span, "this asks for a time, which only a query may", help);
            }
            (_, Some(_)) if claim.kind != Kind::Query => {
                let help = "start the item with `query`, or compare the number: `P>=0.9 [ ... ]`";
                self.error("M0231", span, "this asks for a number, which only a query may", help);
            }
            _ if asked == Some(true) || path_asks(formula) => {
                let help = "compare the inner number: `P>=0.9 [ ... ]`";
                self.error("M0231", span, "`=?` can only stand at the outside of a query", help);
            }
            _ => {}
        }
    }

    fn expect(&mut self, claim: &'a ClaimItem, formula: &Path<AtomId>) -> Expect {
        let Some(expect) = self.case(claim).or(claim.expect.as_ref()) else {
            return if claim.kind == Kind::Query { Expect::Nothing } else { Expect::Holds };
        };
        match (&expect.node, claim.kind) {
            (Expectation::Compare(..) | Expectation::Within(..) | Expectation::Infinite, Kind::Query)
                if matches!(formula, Path::Now(Formula::Wait(..))) =>
            {
                self.expected_time(expect)
            }
            (Expectation::Holds, Kind::Property | Kind::Assume)
            | (Expectation::Reachable, Kind::Possible) => Expect::Holds,
            (Expectation::Fails, Kind::Property) | (Expectation::Unreachable, Kind::Possible) => {
                Expect::Fails
            }
            (Expectation::Compare(relation, value, tolerance), Kind::Query) => {
                let value = self.plain_number(value);
                let tolerance = tolerance.as_ref().map(|tolerance| self.plain_number(tolerance));
                self.ends(*relation, value, tolerance, expect)
            }
            (Expectation::Within(low, high), Kind::Query) => {
                let (low, high) = (self.plain_number(low), self.plain_number(high));
                Expect::Value(low.map(|low| low.to_string()), high.map(|high| high.to_string()))
            }
            (Expectation::Infinite, Kind::Query) => Expect::Value(Some("inf".to_owned()), None),
            _ => {
                self.unfit(claim, expect);
                Expect::Nothing
            }
        }
    }

    /// The expectation for the present values of the constants, where there is one of its own.
    fn case(&mut self, claim: &'a ClaimItem) -> Option<&'a Spanned<Expectation>> {
        claim.cases.iter().find(|case| self.applies(case)).map(|case| &case.expect)
    }

    fn applies(&mut self, case: &'a Case) -> bool {
        case.constants.iter().all(|(name, wanted)| {
            let own = self.consts.get(name.as_str()).and_then(|constant| constant.value.as_ref());
            let Some(value) = self.overrides.get(name).or(own) else { return false };
            let (Tree::Number(_), Tree::Number(_)) = (&value.bare().tree, &wanted.tree) else {
                return surface::readable(value) == surface::readable(wanted);
            };
            let (value, wanted) = (self.plain_number(value), self.plain_number(wanted));
            value.is_some() && value == wanted
        })
    }

    fn ends(
        &mut self,
        relation: Relation,
        value: Option<Ratio>,
        tolerance: Option<Option<Ratio>>,
        expect: &'a Spanned<Expectation>,
    ) -> Expect {
        let Some(value) = value else { return Expect::Nothing };
        let margin = match tolerance {
            Some(Some(margin)) => margin,
            Some(None) => return Expect::Nothing,
            None => Ratio::ZERO,
        };
        let (Some(low), Some(high)) = (value.checked_sub(margin), value.checked_add(margin)) else {
            self.error("M0229", expect.span, "this number cannot be computed exactly", "write fewer digits");
            return Expect::Nothing;
        };
        let (low, high) = (low.to_string(), high.to_string());
        match relation {
            Relation::Lt | Relation::Le => Expect::Value(None, Some(high)),
            Relation::Gt | Relation::Ge => Expect::Value(Some(low), None),
            Relation::Eq | Relation::Ne => Expect::Value(Some(low), Some(high)),
        }
    }

    fn unfit(&mut self, claim: &'a ClaimItem, expect: &'a Spanned<Expectation>) {
        let (kind, help) = match claim.kind {
            Kind::Property => ("a property", "write `expect holds` or `expect fails`"),
            Kind::Possible => ("a possibility", "write `expect reachable` or `expect unreachable`"),
            Kind::Query => ("a query", "write for example `expect = 0.44 +- 0.01` or `expect in [0, 1]`"),
            Kind::Assume => ("an assumption", "leave `expect` out"),
        };
        let message = format!("{kind} cannot have this outcome");
        self.report(Problem::error("M0208", expect.span, message, help));
    }
}

/// Whether a filter that needs numbers is given truths.
fn gathers_truths(formula: &Path<AtomId>) -> bool {
    let Path::Now(Formula::Filter(filter, value, _)) = formula else { return false };
    let numbers = matches!(filter, Filter::Min | Filter::Max | Filter::Average | Filter::Sum);
    numbers && question(value).is_none()
}

/// Whether the formula is a question for a number; if so, whether another question stands inside it, where none may.
fn question(formula: &Formula<AtomId>) -> Option<bool> {
    match formula {
        Formula::Chance(_, Query::Value, path) => Some(path_asks(path)),
        Formula::Steady(_, Query::Value, inner) => Some(asks(inner)),
        Formula::Reward(_, _, Query::Value, goal) => Some(goal_asks(goal)),
        Formula::Wait(_, from, to) => Some(from.iter().chain([to]).any(|part| asks(part))),
        Formula::Filter(Filter::ForAll | Filter::Exists, ..) => None,
        Formula::Filter(Filter::Count, value, states) => Some(asks(value) || asks(states)),
        Formula::Filter(_, value, states) => {
            Some(question(value).unwrap_or_else(|| asks(value)) || asks(states))
        }
        _ => None,
    }
}

fn is_value(node: &crate::syntax::Node) -> bool {
    use crate::syntax::Tree;
    matches!(
        node.bare().tree,
        Tree::Number(_)
            | Tree::Length(_)
            | Tree::Tuple(_)
            | Tree::List(_)
            | Tree::Negative(_)
            | Tree::Size(_)
            | Tree::Arithmetic(..)
    )
}

fn path_asks(path: &Path<AtomId>) -> bool {
    part_asks(Subformula::Path(path))
}

fn asks(formula: &Formula<AtomId>) -> bool {
    part_asks(Subformula::State(formula))
}

fn goal_asks(goal: &RewardGoal<AtomId>) -> bool {
    matches!(goal, RewardGoal::Until(path) if path_asks(path))
}

fn part_asks(part: Subformula<'_, AtomId>) -> bool {
    match part {
        Subformula::Path(Path::Accepted(_)) | Subformula::State(Formula::Timer(..)) => false,
        Subformula::State(
            Formula::Chance(_, Query::Value, _)
            | Formula::Reward(_, _, Query::Value, _)
            | Formula::Steady(_, Query::Value, _)
            | Formula::Wait(..),
        ) => true,
        Subformula::State(Formula::Filter(filter, ..))
            if !matches!(filter, Filter::ForAll | Filter::Exists) =>
        {
            true
        }
        _ => part.children().any(part_asks),
    }
}
