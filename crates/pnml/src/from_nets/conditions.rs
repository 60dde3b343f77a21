//! Conditions: comparisons and membership, joined.

use motet_nets::program::{Expr, Operator};
use motet_nets::value::Value;

use super::{LIMIT_RANGE, Told, Translation, refused};
use crate::symmetric::{Condition, Relation, Sort, Term};

fn not(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

impl Translation<'_> {
    pub(crate) fn condition(&mut self, expr: &Expr) -> Told<Condition> {
        match expr {
            Expr::Constant(Value::Bool(truth)) => Ok(Condition::Constant(*truth)),
            Expr::Not(inner) => Ok(not(self.condition(inner)?)),
            // Written out with and, or and not, a choice within a choice grows without measure.
            Expr::If(..) => refused("choices in conditions"),
            Expr::Binary(operator, left, right) => self.joined(*operator, left, right),
            Expr::Quantified(..) | Expr::SameToken(..) | Expr::Enabled(_) => {
                refused("quantifiers and conditions about the marking")
            }
            // A variable or a field that is a truth value.
            other => {
                let term = self.term(other)?;
                let truth = self.constant(&Value::Bool(true))?;
                Ok(Condition::Compare(Relation::Equal, term, truth))
            }
        }
    }

    fn joined(&mut self, operator: Operator, left: &Expr, right: &Expr) -> Told<Condition> {
        let relation = match operator {
            Operator::And => return Ok(Condition::All(vec![self.condition(left)?, self.condition(right)?])),
            Operator::Or => return Ok(Condition::Any(vec![self.condition(left)?, self.condition(right)?])),
            Operator::Implies => {
                return Ok(Condition::Any(vec![not(self.condition(left)?), self.condition(right)?]));
            }
            Operator::In => {
                let term = self.term(left)?;
                let members = self.members(right)?;
                return self.one_of(&term, members);
            }
            Operator::Equal => Relation::Equal,
            Operator::NotEqual => Relation::NotEqual,
            Operator::Less => Relation::Less,
            Operator::LessEqual => Relation::LessEqual,
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::Modulo
            | Operator::Union
            | Operator::Minus => return refused("arithmetic in conditions"),
        };
        let (left, right) = (self.term(left)?, self.term(right)?);
        self.compared(relation, left, right)
    }

    /// Tuples are compared part by part: not every reader compares them as a whole.
    fn compared(&mut self, relation: Relation, left: Term, right: Term) -> Told<Condition> {
        if self.sort_of(&left) != self.sort_of(&right) {
            return refused("comparisons of different sorts");
        }
        match (left, right) {
            (Term::Tuple(_, left), Term::Tuple(_, right)) => {
                let parts = left.into_iter().zip(right);
                let parts = parts.map(|(left, right)| self.compared(Relation::Equal, left, right));
                let equal = Condition::All(parts.collect::<Told<Vec<_>>>()?);
                Ok(if relation == Relation::NotEqual { not(equal) } else { equal })
            }
            (Term::Constant(sort, _), _) if self.net.sorts[sort.0] == Sort::Dot => {
                Ok(Condition::Constant(relation == Relation::Equal))
            }
            (left, right) => Ok(Condition::Compare(relation, left, right)),
        }
    }

    /// Whether a term is one of these.
    pub(crate) fn one_of(&mut self, term: &Term, members: Vec<Term>) -> Told<Condition> {
        let each = members.into_iter().map(|member| self.compared(Relation::Equal, term.clone(), member));
        Ok(Condition::Any(each.collect::<Told<Vec<_>>>()?))
    }

    /// The members of a set that is written out, or of a range with known ends.
    pub(crate) fn members(&mut self, domain: &Expr) -> Told<Vec<Term>> {
        match domain {
            Expr::Constant(Value::Set(members)) => {
                members.iter().map(|member| self.constant(member)).collect()
            }
            Expr::Set(members) => members.iter().map(|member| self.term(member)).collect(),
            Expr::Range(low, high) => {
                let (Expr::Constant(Value::Int(low)), Expr::Constant(Value::Int(high))) =
                    (low.as_ref(), high.as_ref())
                else {
                    return refused("ranges with ends that vary");
                };
                if high.checked_sub(*low).is_none_or(|size| size >= LIMIT_RANGE) {
                    return refused(format!("ranges of numbers as wide as from {low} to {high}"));
                }
                self.constant(&Value::Int(*high))?;
                (*low..=*high).map(|number| self.constant(&Value::Int(number))).collect()
            }
            _ => refused("choices from sets that are computed"),
        }
    }
}
