//! The sorts of the variables that a firing binds. Values of different sorts are different, though their numbers may be equal.

use crate::program::{
    Alternative, Binding, Exchange, Expr, Net, Operator, Pattern, Program, Sort, VariableId,
};
use crate::value::Value;

/// Variables with their sorts, as far as they are plain.
pub(crate) struct Sorts<'a> {
    program: &'a Program,
    net: &'a Net,
    known: Vec<(VariableId, Sort)>,
}

impl<'a> Sorts<'a> {
    /// The sorts of what an alternative binds.
    pub(crate) fn of(program: &'a Program, net: &'a Net, alternative: &Alternative) -> Self {
        let parameters = (0..).map(VariableId).zip(net.parameters.iter().map(|(_, sort)| sort.clone()));
        let mut sorts = Self { program, net, known: parameters.collect() };
        for arc in alternative.inputs.iter().chain(&alternative.reads) {
            sorts.pattern(&arc.pattern, &net.places[arc.place.0 as usize].sort);
        }
        if let Some(sync) = &alternative.sync
            && let Exchange::Receive(patterns) = &sync.exchange
        {
            for (pattern, (_, sort)) in patterns.iter().zip(&program.ports[sync.port.0 as usize].fields) {
                sorts.pattern(pattern, sort);
            }
        }
        for binding in &alternative.bindings {
            let (variable, sort) = match binding {
                Binding::Pick(variable, domain, _) => (variable, sorts.member(domain)),
                Binding::Let(variable, value) => (variable, sorts.expr(value)),
            };
            sorts.known.extend(sort.map(|sort| (*variable, sort)));
        }
        sorts
    }

    /// Whether a variable may have a value; `None` if its sort is not known.
    pub(crate) fn may_be(&self, variable: VariableId, value: &Value) -> Option<bool> {
        self.get(variable).map(|sort| has(&sort, value))
    }

    fn get(&self, variable: VariableId) -> Option<Sort> {
        self.known.iter().find(|(known, _)| *known == variable).map(|(_, sort)| sort.clone())
    }

    fn pattern(&mut self, pattern: &Pattern, sort: &Sort) {
        match (pattern, sort) {
            (Pattern::Bind(variable), _) => self.known.push((*variable, sort.clone())),
            (Pattern::Record(patterns), Sort::Record(record)) => {
                for (pattern, (_, sort)) in patterns.iter().zip(&record.fields) {
                    self.pattern(pattern, sort);
                }
            }
            _ => {}
        }
    }

    /// The sort of the members of a collection.
    fn member(&self, expr: &Expr) -> Option<Sort> {
        match expr {
            Expr::Place(place) => Some(self.net.places[place.0 as usize].sort.clone()),
            Expr::Set(members) => self.expr(members.first()?),
            Expr::Range(..) => Some(Sort::Int(None)),
            Expr::Constant(Value::Set(members)) => sort_of(members.first()?),
            Expr::Binary(Operator::Union | Operator::Minus, left, right) => {
                self.member(left).or_else(|| self.member(right))
            }
            _ => match self.expr(expr)? {
                Sort::Set(of) => Some((*of).clone()),
                _ => None,
            },
        }
    }

    fn expr(&self, expr: &Expr) -> Option<Sort> {
        match expr {
            Expr::Constant(value) => sort_of(value),
            Expr::Variable(variable) => self.get(*variable),
            Expr::Cell(place) => Some(self.net.places[place.0 as usize].sort.clone()),
            Expr::Field(of, field) => match self.expr(of)? {
                Sort::Record(record) => record.fields.get(*field).map(|(_, sort)| sort.clone()),
                _ => None,
            },
            Expr::With(of, _) | Expr::Ranged(of, ..) => self.expr(of),
            Expr::If(_, then, otherwise) => self.expr(then).or_else(|| self.expr(otherwise)),
            Expr::Negative(_) | Expr::Size(_) | Expr::Count(..) => Some(Sort::Int(None)),
            Expr::Not(_) | Expr::SameToken(..) | Expr::Quantified(..) => Some(Sort::Bool),
            Expr::ClassOf(_) => Some(Sort::Class),
            Expr::New(..) => Some(Sort::Agent),
            Expr::Call(definition, _) => Some(self.program.definitions[definition.0 as usize].sort.clone()),
            Expr::Binary(operator, ..) => match operator {
                Operator::Add
                | Operator::Subtract
                | Operator::Multiply
                | Operator::Divide
                | Operator::Modulo => Some(Sort::Int(None)),
                Operator::Union | Operator::Minus => None,
                _ => Some(Sort::Bool),
            },
            _ => None,
        }
    }
}

fn sort_of(value: &Value) -> Option<Sort> {
    match value {
        Value::Token => Some(Sort::Token),
        Value::Bool(_) => Some(Sort::Bool),
        Value::Int(_) => Some(Sort::Int(None)),
        Value::Member(id, _) => Some(Sort::Enumeration(*id)),
        Value::Class(_) => Some(Sort::Class),
        Value::Record(_) | Value::Set(_) | Value::Agent(_) => None,
    }
}

/// Whether a value is of a sort.
fn has(sort: &Sort, value: &Value) -> bool {
    match (sort, value) {
        (Sort::Token, Value::Token) | (Sort::Bool, Value::Bool(_)) | (Sort::Int(_), Value::Int(_)) => true,
        (Sort::Enumeration(id), Value::Member(own, _)) => id == own,
        (Sort::Class, Value::Class(_)) => true,
        (Sort::Record(record), Value::Record(fields)) => {
            record.fields.len() == fields.len()
                && record.fields.iter().zip(fields.iter()).all(|((_, sort), field)| has(sort, field))
        }
        (Sort::Set(of), Value::Set(members)) => members.iter().all(|member| has(of, member)),
        _ => false,
    }
}
