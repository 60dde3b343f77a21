//! Where values flow: into places, cells, ports, parameters and operators.

use std::sync::Arc;

use motet_source::Span;

use super::{Compiler, Kind, Origin, Typed};
use crate::program::{Expr, Operator, Sort};
use crate::resolve::sorts::{exceeds, fits, holds, join};
use crate::syntax::Name;

impl Compiler<'_> {
    /// The value, where one of this sort is meant. Ranges are kept: what lies outside is a fault of the model, never clipped.
    pub(crate) fn flow(&mut self, typed: Typed, to: &Sort, span: Span, whither: &str) -> Expr {
        let from = match &typed.kind {
            Kind::Value(sort) => sort.clone(),
            Kind::Tokens(_) => {
                let message = format!("the tokens of a place are no value for {whither}");
                let help = "count them with `size(p)`, or look at each with `forall x in p: ...`";
                return self.error("M1023", span, message, help).expr;
            }
        };
        if !fits(&from, to) {
            let (found, meant) = (self.shown(&from), self.shown(to));
            let message = format!("{whither} takes {meant}, and this is {found}");
            let help = match (&from, to) {
                (Sort::Record(record), Sort::Record(other)) if record.fields.len() == other.fields.len() => {
                    "the fields have other names: write them one by one, `(x.a, x.b)`"
                }
                (Sort::Record(_), Sort::Record(_)) => "give as many fields as the sort has",
                _ => "change the term or the declared sort",
            };
            return self.error("M1023", span, message, help).expr;
        }
        self.narrow(typed.expr, &from, to, span, whither)
    }

    /// Puts tests around what may lie outside a range.
    fn narrow(&mut self, expr: Expr, from: &Sort, to: &Sort, span: Span, whither: &str) -> Expr {
        if let Expr::Constant(value) = &expr {
            if !holds(to, value) {
                let message = format!("this value lies outside {} of {whither}", self.shown(to));
                self.error("M1044", span, message, "choose a value inside, or widen the range");
            }
            return expr;
        }
        if !exceeds(from, to) {
            return expr;
        }
        match (expr, from, to) {
            (Expr::If(condition, yes, no), ..) => {
                let yes = self.narrow(*yes, from, to, span, whither);
                let no = self.narrow(*no, from, to, span, whither);
                Expr::If(condition, Box::new(yes), Box::new(no))
            }
            (expr, Sort::Int(_), Sort::Int(Some((low, high)))) => {
                Expr::Ranged(Box::new(expr), *low, *high, Arc::from(whither))
            }
            (expr, Sort::Record(from), Sort::Record(to)) => {
                let parts = match expr {
                    Expr::Record(parts) => parts,
                    whole => (0..from.fields.len())
                        .map(|field| Expr::Field(Box::new(whole.clone()), field))
                        .collect(),
                };
                let sorts = from.fields.iter().zip(&to.fields);
                let narrowed = parts.into_iter().zip(sorts).map(|(part, ((_, from), (name, to)))| {
                    let whither = format!("`{name}` of {whither}");
                    self.narrow(part, from, to, span, &whither)
                });
                Expr::Record(narrowed.collect())
            }
            (Expr::Binary(operator @ Operator::Union, left, right), Sort::Set(_), Sort::Set(_)) => {
                // Only the side that may lie outside is tested.
                let mut side = |expr: Expr| {
                    let from = self.declared(&expr).unwrap_or_else(|| from.clone());
                    Box::new(self.narrow(expr, &from, to, span, whither))
                };
                Expr::Binary(operator, side(*left), side(*right))
            }
            (Expr::Binary(operator @ Operator::Minus, left, right), Sort::Set(_), Sort::Set(_)) => {
                let from = self.declared(&left).unwrap_or_else(|| from.clone());
                Expr::Binary(operator, Box::new(self.narrow(*left, &from, to, span, whither)), right)
            }
            (Expr::Set(members), Sort::Set(from), Sort::Set(to)) => Expr::Set(
                members.into_iter().map(|member| self.narrow(member, from, to, span, whither)).collect(),
            ),
            (expr, Sort::Set(from), Sort::Set(to)) => {
                let name = Name::new("member".to_owned(), span);
                let variable = self.variable(&name, from.as_ref().clone(), Origin::Member(None));
                let member = self.narrow(Expr::Variable(variable), from, to, span, whither);
                Expr::Comprehension(Box::new(member), vec![(variable, expr)], None)
            }
            (expr, ..) => expr,
        }
    }

    /// The sort that a cell or variable was declared with.
    fn declared(&self, expr: &Expr) -> Option<Sort> {
        match expr {
            Expr::Variable(id) => Some(self.variables[id.0 as usize].sort.clone()),
            Expr::Cell(id) => Some(self.scope.net(self.net?).places[id.0 as usize].sort.clone()),
            _ => None,
        }
    }

    /// What two values have in common, if they can stand for each other.
    pub(crate) fn joined(&mut self, one: &Typed, other: &Typed, span: Span, what: &str) -> Option<Kind> {
        let joined = match (&one.kind, &other.kind) {
            (Kind::Value(one), Kind::Value(other)) if fits(one, other) => Kind::Value(join(one, other)),
            (Kind::Tokens(one), Kind::Tokens(other)) if fits(one, other) => Kind::Tokens(join(one, other)),
            (Kind::Value(Sort::Unknown), _) | (_, Kind::Value(Sort::Unknown)) => return None,
            (one, other) => {
                let (one, other) = (self.shown_kind(one), self.shown_kind(other));
                let message = format!("{what} are of different sorts: {one} and {other}");
                self.error("M1023", span, message, "make them alike");
                return None;
            }
        };
        Some(joined)
    }

    pub(crate) fn shown_kind(&self, kind: &Kind) -> String {
        match kind {
            Kind::Value(sort) => self.shown(sort),
            Kind::Tokens(sort) => format!("tokens of sort {}", self.shown(sort)),
        }
    }
}
