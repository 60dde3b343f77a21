//! Stand-ins for the user's internal actions.

use motet_source::Problem;

use crate::program::{Answer, Stub, Value};
use crate::syntax::{Direction, StubAnswer, StubTree, TermKind, TermTree, WorldExpr};
use crate::term::{Term, TermId};

use super::constant::value;
use super::kind::Kind;
use super::pattern::{functor, real};
use super::world::World;

/// How many answers a stub may choose from.
const LIMIT_ANSWERS: i64 = 1024;

impl World<'_> {
    /// All stubs. Ranges may use the constants of the environment.
    pub(crate) fn stubs(&mut self, trees: &[StubTree]) -> Vec<Stub> {
        let mut stubs: Vec<Stub> = Vec::new();
        for tree in trees {
            if stubs.iter().any(|stub| stub.name == tree.name.node) {
                let message = format!("`{}` has two stubs", tree.name.node);
                self.error("M0511", tree.name.span, message, "keep one of them");
                continue;
            }
            if super::internals::names().any(|name| name == tree.name.node) {
                let message = format!("`{}` is built in and needs no stub", tree.name.node);
                self.error("M0511", tree.name.span, message, "leave the stub out");
                continue;
            }
            self.new_rule();
            let answer = self.answer(tree).unwrap_or(Answer::Succeeds);
            let params = tree.params.iter().map(|(direction, _)| *direction).collect();
            stubs.push(Stub { name: tree.name.node.clone(), params, answer });
        }
        self.new_rule();
        stubs
    }

    fn answer(&mut self, tree: &StubTree) -> Option<Answer> {
        let n_out = tree.params.iter().filter(|(direction, _)| *direction == Direction::Out).count();
        let (wanted, help) = match &tree.answer {
            StubAnswer::Succeeds | StubAnswer::Either => {
                (0, "say what the `-` argument gets: `in 0..20`, `in {a, b}` or `= abs(X - Y)`")
            }
            _ => (1, "exactly one argument is marked `-`: `stub jia.dist(+X, +Y, -D) in 0..20`"),
        };
        if n_out != wanted {
            let message = format!("this stub marks {n_out} arguments with `-`, not {wanted}");
            self.error("M0510", tree.span, message, help);
            return None;
        }
        match &tree.answer {
            StubAnswer::Succeeds => Some(Answer::Succeeds),
            StubAnswer::Either => Some(Answer::Either),
            StubAnswer::Range(low, high) => self.answers_of_range(low, high),
            StubAnswer::OneOf(values) => {
                let values: Option<Vec<TermId>> =
                    values.iter().map(|value| self.answer_term(value)).collect();
                Some(Answer::OneOf(values?))
            }
            StubAnswer::Value(expr) => {
                for (direction, name) in &tree.params {
                    let name = name.as_ref().map_or("", |name| name.node.as_str());
                    // The result cannot be computed from itself.
                    let name = if *direction == Direction::Out { "" } else { name };
                    self.local(name, Kind::ANY);
                }
                Some(Answer::Value(self.expression(expr).0))
            }
        }
    }

    fn answers_of_range(&mut self, low: &WorldExpr, high: &WorldExpr) -> Option<Answer> {
        let span = low.span.to(high.span);
        let before = self.problems.len();
        let (low, high) = (self.number(low), self.number(high));
        if self.problems.len() > before {
            return None;
        }
        let sorts = &self.environment.sorts;
        let (Ok(Value::Int(low)), Ok(Value::Int(high))) = (value(&low, sorts), value(&high, sorts)) else {
            self.error(
                "M0537",
                span,
                "this range has to be known before the run",
                "use numbers and constants",
            );
            return None;
        };
        if low > high {
            let help = format!("write the smaller number first: {high}..{low}");
            self.error("M0534", span, format!("the range {low}..{high} is empty"), help);
            return None;
        }
        if high.saturating_sub(low) >= LIMIT_ANSWERS {
            let message = format!("a stub cannot choose among more than {LIMIT_ANSWERS} answers");
            self.error("M0510", span, message, "use a smaller range; every answer is a branch of the search");
            return None;
        }
        Some(Answer::OneOf((low..=high).map(|number| self.terms.int(number)).collect()))
    }

    /// A ground term of a list of answers.
    fn answer_term(&mut self, tree: &TermTree) -> Option<TermId> {
        let terms = self.terms;
        match &tree.kind {
            TermKind::Int(number) => Some(terms.int(*number)),
            TermKind::Real(text) => text.parse().ok().map(|number| real(terms, number)),
            TermKind::Text(text) => Some(terms.term(Term::Text(terms.symbol(text)))),
            TermKind::Structure(literal) => {
                let args: Option<Vec<TermId>> =
                    literal.args.iter().map(|arg| self.answer_term(arg)).collect();
                Some(terms.structure(terms.symbol(&functor(literal)), &args?))
            }
            TermKind::List(items, None) => {
                let items: Option<Vec<TermId>> = items.iter().map(|item| self.answer_term(item)).collect();
                Some(terms.list(&items?))
            }
            _ => {
                self.problems.push(Problem::error(
                    "M0510",
                    tree.span,
                    "an answer of a stub has to be definite",
                    "write a constant, a number, a text or a structure of these",
                ));
                None
            }
        }
    }
}
