//! Sets, tokens, quantifiers and counting.

use super::{Compiler, Kind, Meaning, Origin, Typed, Want};
use crate::program::{Expr, Operator, Pattern, Sort, VariableId};
use crate::resolve::sorts::{fits, join};
use crate::syntax::{Expression, ExpressionNode, Name, Quantifier};
use crate::value::Value;

impl Compiler<'_> {
    /// `{e, f}`
    pub(super) fn set(&mut self, members: &[Expression], want: Want<'_>) -> Typed {
        let hint = match want {
            Want::Value(Sort::Set(of)) => Some(of.as_ref().clone()),
            Want::Many(of) => of.cloned(),
            _ => None,
        };
        let mut sort = Sort::Unknown;
        let mut all = Vec::new();
        for member in members {
            let like = hint.as_ref().or(Some(&sort)).cloned().unwrap_or(Sort::Unknown);
            let typed = self.expression(member, Want::Value(&like));
            self.no_agents(&typed, member);
            let Kind::Value(found) = &typed.kind else {
                all.push(self.flow(typed, &Sort::Unknown, member.span, "a set"));
                continue;
            };
            if fits(found, &sort) {
                sort = join(&sort, found);
                all.push(typed.expr);
            } else {
                let (one, other) = (self.shown(&sort), self.shown(found));
                let message = format!("a set has members of one sort, and here are {one} and {other}");
                self.error("M1023", member.span, message, "make them alike");
            }
        }
        if members.is_empty() {
            sort = hint.unwrap_or(Sort::Unknown);
        }
        Typed::value(Expr::Set(all), sort.set())
    }

    /// Agents cannot be members of sets: a set would forget how many there are.
    fn no_agents(&mut self, typed: &Typed, member: &Expression) {
        if matches!(&typed.kind, Kind::Value(sort) if sort.bears_agents()) {
            let help = "keep agents in places, and collect what they are called";
            self.error("M1030", member.span, "an agent cannot be a member of a set", help);
        }
    }

    /// `{ e | x in S, y in T where c }`
    pub(super) fn comprehension(
        &mut self,
        term: &Expression,
        domains: &[(Name, Expression)],
        condition: Option<&Expression>,
        want: Want<'_>,
    ) -> Typed {
        let hint = match want {
            Want::Value(Sort::Set(of)) => of.as_ref().clone(),
            Want::Many(Some(of)) => of.clone(),
            _ => Sort::Unknown,
        };
        let (seen, typed, parts) = self.comprehended(term, domains, condition, &hint);
        self.visible.truncate(seen);
        self.no_agents(&typed, term);
        let sort = match typed.kind {
            Kind::Value(sort) => sort,
            Kind::Tokens(_) => {
                self.flow(typed.clone(), &Sort::Unknown, term.span, "a set");
                Sort::Unknown
            }
        };
        let (domains, condition) = parts;
        Typed::value(Expr::Comprehension(Box::new(typed.expr), domains, condition), sort.set())
    }

    /// The parts of a comprehension; its variables stay visible until the caller is done.
    #[expect(clippy::type_complexity, reason = "three parts, used twice")]
    pub(crate) fn comprehended(
        &mut self,
        term: &Expression,
        domains: &[(Name, Expression)],
        condition: Option<&Expression>,
        hint: &Sort,
    ) -> (usize, Typed, (Vec<(VariableId, Expr)>, Option<Box<Expr>>)) {
        let seen = self.visible.len();
        let domains: Vec<_> = domains.iter().map(|(name, domain)| self.domain(name, domain)).collect();
        let condition = condition.map(|condition| Box::new(self.truth(condition)));
        let typed = self.expression(term, Want::Value(hint));
        (seen, typed, (domains, condition))
    }

    /// `x in S`: the variable becomes visible.
    pub(crate) fn domain(&mut self, name: &Name, domain: &Expression) -> (VariableId, Expr) {
        let typed = self.expression(domain, Want::Many(None));
        let sort = self.members_of(&typed, domain.span, "a variable ranges over").unwrap_or(Sort::Unknown);
        let cell = match typed.expr {
            Expr::Cell(cell) => Some(cell),
            _ => None,
        };
        (self.bind(name, sort, Origin::Member(cell)), typed.expr)
    }

    /// `forall x in S, y in T: e`
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        domains: &[(Name, Expression)],
        body: &Expression,
    ) -> Typed {
        let seen = self.visible.len();
        let domains: Vec<_> = domains.iter().map(|(name, domain)| self.domain(name, domain)).collect();
        let mut expr = self.truth(body);
        self.visible.truncate(seen);
        for (variable, domain) in domains.into_iter().rev() {
            expr = Expr::Quantified(quantifier, variable, Box::new(domain), Box::new(expr));
        }
        Typed::value(expr, Sort::Bool)
    }

    /// `count(p, (u, _))`
    pub(super) fn count(&mut self, of: &Expression, pattern: &Expression) -> Typed {
        let typed = self.expression(of, Want::Many(None));
        let Some(sort) = self.members_of(&typed, of.span, "`count` looks at") else {
            return Typed::value(Expr::Constant(Value::Int(0)), Sort::Unknown);
        };
        let expr = if matches!(typed.kind, Kind::Tokens(_)) {
            let pattern = self.shape(pattern, &sort);
            Expr::Count(Box::new(typed.expr), Box::new(pattern))
        } else {
            let (variable, condition) = self.likeness(pattern, &sort);
            let member = Box::new(Expr::Variable(variable));
            let chosen = Expr::Comprehension(member, vec![(variable, typed.expr)], Some(Box::new(condition)));
            Expr::Size(Box::new(chosen))
        };
        Typed::value(expr, Sort::Int(None))
    }

    /// `(u, _) in p`: some member looks so.
    pub(super) fn some_like(&mut self, pattern: &Expression, domain: Typed, sort: &Sort) -> Typed {
        let (variable, condition) = self.likeness(pattern, sort);
        let (domain, condition) = (Box::new(domain.expr), Box::new(condition));
        Typed::value(Expr::Quantified(Quantifier::Some, variable, domain, condition), Sort::Bool)
    }

    /// A fresh variable and the condition that it looks like a pattern.
    fn likeness(&mut self, pattern: &Expression, sort: &Sort) -> (VariableId, Expr) {
        let name = Name::new("_".to_owned(), pattern.span);
        let variable = self.variable(&name, sort.clone(), Origin::Member(None));
        let shape = self.shape(pattern, sort);
        let mut parts = Vec::new();
        conjuncts(shape, Expr::Variable(variable), &mut parts);
        let and = |left, right| Expr::Binary(Operator::And, Box::new(left), Box::new(right));
        (variable, parts.into_iter().reduce(and).unwrap_or(Expr::Constant(Value::Bool(true))))
    }

    /// An expression with `_` in it, as a pattern of this sort.
    pub(super) fn shape(&mut self, pattern: &Expression, sort: &Sort) -> Pattern {
        match &pattern.node {
            ExpressionNode::Any => Pattern::Any,
            ExpressionNode::Tuple(items) if has_any(pattern) => {
                let Sort::Record(record) = sort else {
                    let message = format!("these are {}, which has no parts", self.shown(sort));
                    self.error("M1023", pattern.span, message, "write one value");
                    return Pattern::Any;
                };
                if record.fields.len() != items.len() {
                    let (takes, given) = (record.fields.len(), items.len());
                    let message = format!("the tokens have {takes} fields, and here are {given}");
                    self.error("M1043", pattern.span, message, "write `_` for those that do not matter");
                    return Pattern::Any;
                }
                let parts = items.iter().zip(&record.fields);
                Pattern::Record(parts.map(|(item, (_, sort))| self.shape(item, sort)).collect())
            }
            _ => {
                let typed = self.expression(pattern, Want::Value(sort));
                if let Kind::Value(found) = &typed.kind {
                    let found = found.clone();
                    self.comparable(&found, sort, pattern.span);
                } else {
                    self.flow(typed.clone(), sort, pattern.span, "a pattern");
                }
                Pattern::Equal(typed.expr)
            }
        }
    }

    /// Whether a name is visible as a variable.
    pub(crate) fn is_visible(&self, name: &str) -> bool {
        self.visible
            .iter()
            .any(|(visible, meaning)| visible == name && matches!(meaning, Meaning::Variable(_)))
    }
}

/// Whether `_` occurs in a pattern.
pub(super) fn has_any(expression: &Expression) -> bool {
    match &expression.node {
        ExpressionNode::Any => true,
        ExpressionNode::Tuple(items) => items.iter().any(has_any),
        _ => false,
    }
}

/// The conditions under which a value looks like a pattern.
fn conjuncts(pattern: Pattern, value: Expr, all: &mut Vec<Expr>) {
    match pattern {
        Pattern::Any | Pattern::Bind(_) => {}
        Pattern::Equal(expr) => all.push(Expr::Binary(Operator::Equal, Box::new(value), Box::new(expr))),
        Pattern::Record(parts) => {
            for (field, part) in parts.into_iter().enumerate() {
                conjuncts(part, Expr::Field(Box::new(value.clone()), field), all);
            }
        }
    }
}
