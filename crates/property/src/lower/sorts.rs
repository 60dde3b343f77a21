//! Every atom is held against what the model says of its words: whoever compares a truth with a number asks something that has
//! the same answer in every state, and a claim that says so is proved and means nothing.
//!
//! Nothing is refused that is not known to be wrong. What a word is that the vocabulary does not know, the front-end says.

mod fit;
mod said;

use motet_model::{AtomText, Expr, Operator, Sort, Vocabulary};
use motet_source::{Problem, Span};

use super::atom::dotted;
use super::places::{Origin, Places};

/// One side of a comparison.
enum Side {
    /// A value that stands in the claim, or a name that the vocabulary does not list as something that changes.
    Value,
    /// Something of this sort that the model computes.
    Known(Sort),
}

/// Walks over one atom.
pub(super) struct Checker<'a> {
    vocabulary: &'a Vocabulary,
    places: &'a Places,
    /// Where the atom stands.
    span: Span,
    /// The comparison that is looked at.
    within: Option<&'a Expr>,
    /// The variables of open quantifiers over collections.
    variables: Vec<(&'a str, Sort)>,
    problems: Vec<Problem>,
}

impl<'a> Checker<'a> {
    /// What is wrong with an atom.
    pub(super) fn check(
        vocabulary: &'a Vocabulary,
        places: &'a Places,
        atom: &'a AtomText,
        span: Span,
    ) -> Vec<Problem> {
        let mut checker =
            Self { vocabulary, places, span, within: None, variables: Vec::new(), problems: Vec::new() };
        match atom {
            AtomText::Fact(content)
            | AtomText::Believes(_, content)
            | AtomText::Says(_, _, content)
            | AtomText::Sends(_, _, content)
            | AtomText::Reads(_, _, content) => {
                checker.statement(content);
            }
            AtomText::Desires(..)
            | AtomText::Intends(..)
            | AtomText::Does(..)
            | AtomText::Did(..)
            | AtomText::WillDo(..) => {}
        }
        checker.problems
    }

    fn statement(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Not(of) => self.statement(of),
            Expr::Binary(Operator::And | Operator::Or | Operator::Implies, left, right) => {
                self.statement(left);
                self.statement(right);
            }
            Expr::Binary(Operator::In, left, right) => {
                let outer = self.within.replace(expr);
                self.membership(left, right);
                self.within = outer;
            }
            Expr::Binary(operator, left, right) if is_comparison(*operator) => {
                let outer = self.within.replace(expr);
                self.comparison(*operator, left, right);
                self.within = outer;
            }
            Expr::Quantified(_, variable, collection, body) => {
                let sort = match self.side(collection) {
                    Side::Known(Sort::Many(of)) => of.as_ref().clone(),
                    _ => Sort::Open,
                };
                self.variables.push((variable, sort));
                self.statement(body);
                self.variables.pop();
            }
            other => {
                self.side(other);
            }
        }
    }

    fn comparison(&mut self, operator: Operator, left: &'a Expr, right: &'a Expr) {
        let sides = (self.side(left), self.side(right));
        if !matches!(operator, Operator::Eq | Operator::Ne) {
            for (expr, side) in [(left, &sides.0), (right, &sides.1)] {
                if let Side::Known(sort) = side
                    && self.has_no_order(expr, sort)
                {
                    return;
                }
            }
        }
        match sides {
            (Side::Known(sort), Side::Value) => self.fits(left, &sort, right),
            (Side::Value, Side::Known(sort)) => self.fits(right, &sort, left),
            (Side::Known(one), Side::Known(other)) => self.agree((left, &one), (right, &other)),
            (Side::Value, Side::Value) => {}
        }
    }

    fn membership(&mut self, left: &'a Expr, right: &'a Expr) {
        let element = match self.side(right) {
            Side::Known(Sort::Many(of)) => of.as_ref().clone(),
            _ => self.sort_called(right),
        };
        match self.side(left) {
            Side::Known(sort) if fit::meet(&sort, &element) != fit::Fit::Good => {
                self.not_among((left, &sort), (right, &element));
            }
            Side::Known(_) => {}
            Side::Value => self.element_fits(right, &element, left),
        }
    }

    /// The members of a sort that a name in a claim stands for.
    fn sort_called(&self, expr: &Expr) -> Sort {
        let name = dotted(expr);
        let sort = self.vocabulary.sorts.iter().find(|(sort, _)| Some(sort) == name.as_ref());
        sort.map_or(Sort::Open, |(kind, names)| Sort::members(kind, names.clone()))
    }

    /// What an expression is; what is wrong inside of it is told.
    fn side(&mut self, expr: &'a Expr) -> Side {
        let terms = &self.vocabulary.terms;
        match expr {
            Expr::Int(_) | Expr::Decimal(_) | Expr::Any | Expr::Tuple(_) | Expr::List(_) => Side::Value,
            Expr::Text(_) => terms.quoted.clone().map_or(Side::Value, Side::Known),
            Expr::Call(name, arguments) if arguments.is_empty() => self.named(name),
            Expr::Call(name, arguments) => self.called(expr, name, arguments),
            Expr::Field(of, field) => self.field(expr, of, field),
            Expr::Index(of, at) => self.entry(expr, of, at),
            Expr::Size(of) => {
                self.side(of);
                Side::Known(Sort::Whole(Some(0), None))
            }
            Expr::Binary(Operator::Union | Operator::Minus, left, right) => {
                let sides = (self.side(left), self.side(right));
                if let Side::Known(sort) = sides.0 { Side::Known(sort) } else { sides.1 }
            }
            Expr::Binary(
                operator @ (Operator::Add | Operator::Sub | Operator::Mul | Operator::Div | Operator::Mod),
                left,
                right,
            ) => self.arithmetic(*operator, left, right),
            Expr::Not(_) | Expr::Binary(..) | Expr::Quantified(..) => {
                self.statement(expr);
                Side::Known(Sort::Truth)
            }
        }
    }

    fn named(&self, name: &str) -> Side {
        let variable = self.variables.iter().rev().find(|(variable, _)| *variable == name);
        if let Some((_, sort)) = variable {
            return Side::Known(sort.clone());
        }
        self.vocabulary.terms.names.get(name).map_or(Side::Value, |sort| Side::Known(sort.clone()))
    }

    fn called(&mut self, expr: &'a Expr, name: &str, arguments: &'a [Expr]) -> Side {
        match (self.vocabulary.terms.calls.get(name), name, arguments) {
            (Some(entry), ..) => {
                self.arguments(expr, name, &entry.arguments, arguments);
                Side::Known(entry.value.clone())
            }
            (None, "belief", [_, about]) | (None, "fact", [about]) => self.side(about),
            (None, "count", [of, pattern]) => {
                self.membership(pattern, of);
                Side::Known(Sort::Whole(Some(0), None))
            }
            _ => Side::Known(Sort::Open),
        }
    }

    fn arguments(&mut self, expr: &'a Expr, name: &str, sorts: &[Sort], arguments: &'a [Expr]) {
        if sorts.len() != arguments.len() {
            self.wrong_number(expr, name, sorts.len(), arguments.len());
            return;
        }
        for (sort, argument) in sorts.iter().zip(arguments) {
            match self.side(argument) {
                Side::Known(known) => self.agree((expr, sort), (argument, &known)),
                Side::Value => self.argument_fits(name, sort, argument),
            }
        }
    }

    fn field(&mut self, expr: &'a Expr, of: &'a Expr, field: &str) -> Side {
        let whole = dotted(expr);
        if let Some(whole) = &whole
            && let Some(sort) = self.vocabulary.terms.names.get(whole)
        {
            return Side::Known(sort.clone());
        }
        // `ward.north` may be one name of two parts.
        if whole.is_some_and(|whole| self.kind_of(&whole).is_some()) {
            return Side::Value;
        }
        if let Side::Known(sort) = self.side(of) {
            let Sort::Record(parts) = sort.plain() else { return Side::Known(Sort::Open) };
            let part = parts.iter().find(|(name, _)| name == field);
            return Side::Known(part.map_or(Sort::Open, |(_, sort)| sort.clone()));
        }
        let owner = dotted(of).unwrap_or_default();
        let field = self.vocabulary.terms.fields.get(field);
        Side::Known(field.map_or(Sort::Open, |field| field.sort_of(&owner).clone()))
    }

    fn entry(&mut self, expr: &'a Expr, of: &'a Expr, at: &'a Expr) -> Side {
        if let Some(sort) = self.vocabulary.terms.names.get(&expr.to_string()) {
            return Side::Known(sort.clone());
        }
        let name = match of {
            Expr::Call(name, none) if none.is_empty() => name,
            Expr::Field(_, name) => name,
            _ => return Side::Known(Sort::Open),
        };
        let Some(entry) = self.vocabulary.terms.entries.get(name) else { return Side::Known(Sort::Open) };
        self.arguments(expr, name, &entry.arguments, std::slice::from_ref(at));
        Side::Known(entry.value.clone())
    }

    fn arithmetic(&mut self, operator: Operator, left: &'a Expr, right: &'a Expr) -> Side {
        if matches!((operator, right), (Operator::Div | Operator::Mod, Expr::Int(0))) {
            self.no_quotient(left, operator);
        }
        let mut ends = [(None, None); 2];
        let mut whole = !matches!(operator, Operator::Div);
        for (side, expr) in ends.iter_mut().zip([left, right]) {
            match (self.side(expr), expr) {
                (Side::Known(sort), _) => match sort.plain() {
                    Sort::Whole(low, high) => *side = (*low, *high),
                    Sort::Number => whole = false,
                    Sort::Open => return Side::Known(Sort::Open),
                    _ => {
                        self.no_number(expr, &sort, operator);
                        return Side::Known(Sort::Open);
                    }
                },
                (Side::Value, Expr::Int(number)) => *side = (Some(*number), Some(*number)),
                (Side::Value, Expr::Decimal(_)) => whole = false,
                (Side::Value, _) => return Side::Known(Sort::Open),
            }
        }
        let sum = |one: Option<i64>, other: Option<i64>, by: fn(i64, i64) -> Option<i64>| {
            one.zip(other).and_then(|(one, other)| by(one, other))
        };
        let [left, right] = ends;
        Side::Known(match (whole, operator) {
            (false, _) => Sort::Number,
            (true, Operator::Add) => {
                Sort::Whole(sum(left.0, right.0, i64::checked_add), sum(left.1, right.1, i64::checked_add))
            }
            (true, Operator::Sub) => {
                Sort::Whole(sum(left.0, right.1, i64::checked_sub), sum(left.1, right.0, i64::checked_sub))
            }
            (true, _) => Sort::Whole(None, None),
        })
    }

    /// Where a part of the comparison stands.
    fn place(&self, part: &Expr) -> (Span, Origin) {
        self.places.find(part, self.within).unwrap_or((self.span, Origin::Written))
    }
}

fn is_comparison(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Eq | Operator::Ne | Operator::Lt | Operator::Le | Operator::Gt | Operator::Ge
    )
}
