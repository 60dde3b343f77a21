//! The immediate parts of an expression, and what an expression reads.

use crate::program::{
    Alternative, Binding, Exchange, Expr, Operator, Partner, Pattern, PlaceId, Program, TransitionId,
    VariableId,
};
use crate::semantics::scope::LIMIT_DEPTH;

/// Calls `visit` for each immediate part.
pub(crate) fn each(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    match expr {
        Expr::Constant(_)
        | Expr::Variable(_)
        | Expr::Cell(_)
        | Expr::Place(_)
        | Expr::SameToken(..)
        | Expr::Enabled(_) => {}
        Expr::Within(of, _)
        | Expr::Goal(of, _)
        | Expr::Field(of, _)
        | Expr::Not(of)
        | Expr::Negative(of)
        | Expr::Size(of)
        | Expr::ClassOf(of)
        | Expr::Ranged(of, ..) => visit(of),
        Expr::Record(parts) | Expr::Set(parts) | Expr::Call(_, parts) => parts.iter().for_each(visit),
        Expr::Comprehension(element, ranges, condition) => {
            visit(element);
            ranges.iter().for_each(|(_, domain)| visit(domain));
            condition.iter().for_each(|condition| visit(condition));
        }
        Expr::Range(one, other) | Expr::Binary(_, one, other) | Expr::Quantified(_, _, one, other) => {
            visit(one);
            visit(other);
        }
        Expr::If(condition, then, otherwise) => {
            visit(condition);
            visit(then);
            visit(otherwise);
        }
        Expr::With(of, replaced) => {
            visit(of);
            replaced.iter().for_each(|(_, term)| visit(term));
        }
        Expr::New(class, arguments) => {
            visit(class);
            arguments.iter().for_each(visit);
        }
        Expr::Count(of, pattern) => {
            visit(of);
            each_of_pattern(pattern, visit);
        }
    }
}

/// Calls `visit` for each expression in a pattern.
pub(crate) fn each_of_pattern(pattern: &Pattern, visit: &mut dyn FnMut(&Expr)) {
    match pattern {
        Pattern::Any | Pattern::Bind(_) => {}
        Pattern::Equal(expr) => visit(expr),
        Pattern::Record(fields) => fields.iter().for_each(|field| each_of_pattern(field, visit)),
    }
}

/// Calls `visit` for each expression of an alternative.
pub(crate) fn each_of_alternative(alternative: &Alternative, visit: &mut dyn FnMut(&Expr)) {
    for arc in alternative.inputs.iter().chain(&alternative.reads).chain(&alternative.inhibitors) {
        each_of_pattern(&arc.pattern, visit);
    }
    if let Some(sync) = &alternative.sync {
        if let Partner::Channel(value) = &sync.partner {
            visit(value);
        }
        match &sync.exchange {
            Exchange::Send(values) => values.iter().for_each(&mut *visit),
            Exchange::Receive(patterns) => patterns.iter().for_each(|one| each_of_pattern(one, visit)),
        }
    }
    for binding in &alternative.bindings {
        match binding {
            Binding::Pick(_, domain, condition) => {
                visit(domain);
                condition.iter().for_each(&mut *visit);
            }
            Binding::Let(_, value) => visit(value),
        }
    }
    alternative.guards.iter().for_each(&mut *visit);
    alternative.updates.iter().for_each(|(_, value)| visit(value));
    alternative.outputs.iter().for_each(|output| visit(&output.term));
}

/// The variables that a pattern binds, in order.
pub(crate) fn binds(pattern: &Pattern, variables: &mut Vec<VariableId>) {
    match pattern {
        Pattern::Any | Pattern::Equal(_) => {}
        Pattern::Bind(variable) => variables.push(*variable),
        Pattern::Record(fields) => fields.iter().for_each(|field| binds(field, variables)),
    }
}

/// Whether a pattern leaves a part of the token out of the binding.
pub(crate) fn ignores(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Any => true,
        Pattern::Bind(_) | Pattern::Equal(_) => false,
        Pattern::Record(fields) => fields.iter().any(ignores),
    }
}

/// Whether the computation of an expression may end in trouble: arithmetic may leave the numbers, quantifiers may have too
/// much to try.
pub(crate) fn may_fail(expr: &Expr) -> bool {
    let own = match expr {
        Expr::Binary(operator, ..) => matches!(
            operator,
            Operator::Add
                | Operator::Subtract
                | Operator::Multiply
                | Operator::Divide
                | Operator::Modulo
                | Operator::Union
        ),
        Expr::Negative(_)
        | Expr::Range(..)
        | Expr::Quantified(..)
        | Expr::Comprehension(..)
        | Expr::New(..)
        | Expr::Ranged(..)
        | Expr::Within(..)
        | Expr::Goal(..)
        | Expr::Enabled(_) => true,
        _ => false,
    };
    let mut found = own;
    each(expr, &mut |part| found = found || may_fail(part));
    found
}

/// What an expression looks at in the marking around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reads {
    pub(crate) places: Vec<PlaceId>,
    pub(crate) enabled: Vec<TransitionId>,
    pub(crate) variables: Vec<VariableId>,
}

impl Reads {
    pub(crate) fn of(program: &Program, expr: &Expr) -> Self {
        let mut reads = Self::default();
        reads.add(program, expr, 0);
        reads
    }

    pub(crate) fn add(&mut self, program: &Program, expr: &Expr, depth: usize) {
        match expr {
            Expr::Variable(variable) => self.variables.push(*variable),
            Expr::SameToken(one, other) => self.variables.extend([*one, *other]),
            Expr::Cell(place) | Expr::Place(place) => self.places.push(*place),
            Expr::Enabled(transition) => self.enabled.push(*transition),
            Expr::Call(definition, _) if depth < LIMIT_DEPTH => {
                let mut inner = Self::default();
                inner.add(program, &program.definitions[definition.0 as usize].body.expr, depth + 1);
                self.places.extend(inner.places);
                self.enabled.extend(inner.enabled);
            }
            _ => {}
        }
        each(expr, &mut |part| self.add(program, part, depth));
    }
}
