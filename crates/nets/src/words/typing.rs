//! Sorts of variables and expressions, so that fields can be told by their names.

use std::sync::Arc;

use crate::program::{
    Alternative, Binding, Exchange, Expr, Net, Operator, Pattern, Program, RecordSort, Sort, VariableId,
};
use crate::value::Value;

/// The variables of an alternative or a body, with names and as far as known sorts.
#[derive(Clone, Debug)]
pub(crate) struct Variables<'a> {
    pub(crate) program: &'a Program,
    pub(crate) net: &'a Net,
    names: &'a [String],
    sorts: Vec<Sort>,
}

impl<'a> Variables<'a> {
    /// Those of an alternative of a net.
    pub(crate) fn of(program: &'a Program, net: &'a Net, alternative: &'a Alternative) -> Self {
        let mut variables = Self { program, net, names: &alternative.variables, sorts: Vec::new() };
        variables.sorts = net.parameters.iter().map(|(_, sort)| sort.clone()).collect();
        variables.sorts.resize(alternative.variables.len().max(variables.sorts.len()), Sort::Unknown);
        for arc in alternative.inputs.iter().chain(&alternative.reads).chain(&alternative.inhibitors) {
            variables.learn(&arc.pattern, &net.places[arc.place.0 as usize].sort);
        }
        if let Some(sync) = &alternative.sync
            && let Exchange::Receive(patterns) = &sync.exchange
        {
            let fields = &program.ports[sync.port.0 as usize].fields;
            patterns.iter().zip(fields).for_each(|(pattern, (_, sort))| variables.learn(pattern, sort));
        }
        for binding in &alternative.bindings {
            match binding {
                Binding::Pick(variable, domain, _) => {
                    let sort = variables.element(domain);
                    variables.set(*variable, sort);
                }
                Binding::Let(variable, value) => {
                    let sort = variables.sort(value);
                    variables.set(*variable, sort);
                }
            }
        }
        variables
    }

    pub(crate) fn name(&self, variable: VariableId) -> &'a str {
        self.names.get(variable.0 as usize).map_or("?", String::as_str)
    }

    /// A variable of a quantifier or a comprehension ranges over a domain from now on.
    pub(crate) fn range(&mut self, variable: VariableId, domain: &Expr) {
        let sort = self.element(domain);
        self.set(variable, sort);
    }

    fn set(&mut self, variable: VariableId, sort: Sort) {
        if let Some(known) = self.sorts.get_mut(variable.0 as usize) {
            *known = sort;
        }
    }

    fn learn(&mut self, pattern: &Pattern, sort: &Sort) {
        match (pattern, sort) {
            (Pattern::Bind(variable), _) => self.set(*variable, sort.clone()),
            (Pattern::Record(patterns), Sort::Record(record)) => {
                let fields = patterns.iter().zip(&record.fields);
                fields.for_each(|(pattern, (_, sort))| self.learn(pattern, sort));
            }
            _ => {}
        }
    }

    /// The name of a field of what an expression denotes.
    pub(crate) fn field(&self, of: &Expr, field: usize) -> String {
        match self.sort(of) {
            Sort::Record(record) if field < record.fields.len() => record.fields[field].0.clone(),
            _ => (field + 1).to_string(),
        }
    }

    /// The sort of the members of a set or of tokens.
    fn element(&self, expr: &Expr) -> Sort {
        match self.sort(expr) {
            Sort::Set(inner) => (*inner).clone(),
            _ => Sort::Unknown,
        }
    }

    fn sort(&self, expr: &Expr) -> Sort {
        let set = |inner: Sort| Sort::Set(Arc::new(inner));
        match expr {
            Expr::Constant(value) => of_value(value),
            Expr::Variable(variable) => self.sorts.get(variable.0 as usize).cloned().unwrap_or(Sort::Unknown),
            Expr::Cell(place) => self.net.places[place.0 as usize].sort.clone(),
            Expr::Place(place) => set(self.net.places[place.0 as usize].sort.clone()),
            Expr::Within(_, places) => {
                let mut found = self.program.nets.iter().zip(places.iter()).filter_map(|(net, place)| {
                    let place = &net.places[place.as_ref()?.0 as usize];
                    Some((place.kind, place.sort.clone()))
                });
                match found.next() {
                    Some((crate::program::PlaceKind::Tokens, sort)) => set(sort),
                    Some((_, sort)) => sort,
                    None => Sort::Unknown,
                }
            }
            Expr::Field(of, field) => match self.sort(of) {
                Sort::Record(record) => {
                    record.fields.get(*field).map_or(Sort::Unknown, |(_, sort)| sort.clone())
                }
                _ => Sort::Unknown,
            },
            Expr::Record(fields) => {
                let fields = fields.iter().map(|field| (String::new(), self.sort(field))).collect();
                Sort::Record(Arc::new(RecordSort { name: None, fields }))
            }
            Expr::Set(members) => set(members.first().map_or(Sort::Unknown, |member| self.sort(member))),
            Expr::Comprehension(element, ranges, _) => {
                let mut inner = self.clone();
                ranges.iter().for_each(|(variable, domain)| inner.range(*variable, domain));
                set(inner.sort(element))
            }
            Expr::Binary(Operator::Union | Operator::Minus, left, right) => match self.sort(left) {
                Sort::Set(inner) if *inner == Sort::Unknown => self.sort(right),
                other => other,
            },
            Expr::If(_, then, _) => self.sort(then),
            Expr::With(of, _) | Expr::Ranged(of, ..) => self.sort(of),
            Expr::New(..) => Sort::Agent,
            Expr::Call(definition, _) => self.program.definitions[definition.0 as usize].sort.clone(),
            _ => Sort::Unknown,
        }
    }
}

fn of_value(value: &Value) -> Sort {
    match value {
        Value::Token => Sort::Token,
        Value::Bool(_) => Sort::Bool,
        Value::Int(_) => Sort::Int(None),
        Value::Member(enumeration, _) => Sort::Enumeration(*enumeration),
        Value::Class(_) => Sort::Class,
        Value::Agent(_) => Sort::Agent,
        Value::Record(fields) => {
            let fields = fields.iter().map(|field| (String::new(), of_value(field))).collect();
            Sort::Record(Arc::new(RecordSort { name: None, fields }))
        }
        Value::Set(members) => Sort::Set(Arc::new(members.first().map_or(Sort::Unknown, of_value))),
    }
}
