//! Which expressions may have values with agents in them. Such values are compared by the markings of their agents.

use crate::program::{Alternative, Binding, Body, Exchange, Expr, Operator, Pattern, PlaceId, Program, Sort};
use crate::semantics::parts::{each, each_of_alternative, each_of_pattern};
use crate::value::NetId;

/// The variables of one environment, and whether each may hold an agent.
pub(super) struct Bearing<'p> {
    program: &'p Program,
    net: NetId,
    variables: Vec<bool>,
}

impl<'p> Bearing<'p> {
    /// Those of an alternative of this net.
    pub(super) fn of_alternative(program: &'p Program, net: NetId, alternative: &Alternative) -> Self {
        let mut bearing = Self { program, net, variables: vec![false; alternative.variables.len()] };
        for arc in alternative.inputs.iter().chain(&alternative.reads).chain(&alternative.inhibitors) {
            let sort = bearing.sort(net, arc.place);
            bearing.bind(&arc.pattern, sort);
        }
        if let Some(sync) = &alternative.sync
            && let Exchange::Receive(patterns) = &sync.exchange
        {
            let fields = &program.ports[sync.port.0 as usize].fields;
            patterns.iter().zip(fields).for_each(|(pattern, (_, sort))| bearing.bind(pattern, sort));
        }
        for binding in &alternative.bindings {
            let (variable, value) = match binding {
                Binding::Pick(variable, value, _) | Binding::Let(variable, value) => (variable, value),
            };
            bearing.quantified(value);
            bearing.variables[variable.0 as usize] = bearing.bears(value);
        }
        each_of_alternative(alternative, &mut |expr| bearing.quantified(expr));
        bearing
    }

    /// Those of a claim, a goal or a definition of this net; the first are arguments, of which nothing is known.
    pub(super) fn of_body(program: &'p Program, net: NetId, body: &Body, n_arguments: usize) -> Self {
        let variables = (0..body.variables.len()).map(|at| at < n_arguments).collect();
        let mut bearing = Self { program, net, variables };
        bearing.quantified(&body.expr);
        bearing
    }

    fn sort(&self, net: NetId, place: PlaceId) -> &'p Sort {
        &self.program.nets[net.0 as usize].places[place.0 as usize].sort
    }

    /// Variables of a pattern that stands for values of this sort.
    fn bind(&mut self, pattern: &Pattern, sort: &Sort) {
        match (pattern, sort) {
            (Pattern::Bind(variable), sort) => self.variables[variable.0 as usize] |= sort.bears_agents(),
            (Pattern::Record(fields), Sort::Record(record)) => {
                fields.iter().zip(&record.fields).for_each(|(field, (_, sort))| self.bind(field, sort));
            }
            (Pattern::Record(fields), _) => fields.iter().for_each(|field| self.bind(field, sort)),
            (Pattern::Any | Pattern::Equal(_), _) => {}
        }
    }

    /// Variables that an expression quantifies over; what they range over comes first.
    fn quantified(&mut self, expr: &Expr) {
        let ranges: Vec<(usize, &Expr)> = match expr {
            Expr::Quantified(_, variable, domain, _) => vec![(variable.0 as usize, domain)],
            Expr::Comprehension(_, ranges, _) => {
                ranges.iter().map(|(variable, domain)| (variable.0 as usize, domain)).collect()
            }
            _ => Vec::new(),
        };
        for (variable, domain) in ranges {
            self.variables[variable] |= self.bears(domain);
        }
        let mut parts = Vec::new();
        each(expr, &mut |part| parts.push(part.clone()));
        parts.iter().for_each(|part| self.quantified(part));
    }

    /// Whether the value of an expression may hold an agent.
    fn bears(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Variable(variable) => self.variables[variable.0 as usize],
            Expr::Cell(place) | Expr::Place(place) => self.sort(self.net, *place).bears_agents(),
            Expr::Within(_, per_net) => per_net
                .iter()
                .zip(0..)
                .any(|(place, net)| place.is_some_and(|place| self.sort(NetId(net), place).bears_agents())),
            Expr::Call(definition, _) => self.program.definitions[definition.0 as usize].sort.bears_agents(),
            Expr::New(..) => true,
            Expr::Field(of, _) => self.bears(of),
            Expr::If(_, then, otherwise) => self.bears(then) || self.bears(otherwise),
            Expr::With(of, replaced) => self.bears(of) || replaced.iter().any(|(_, term)| self.bears(term)),
            Expr::Record(parts) | Expr::Set(parts) => parts.iter().any(|part| self.bears(part)),
            Expr::Binary(Operator::Union | Operator::Minus, one, other) => {
                self.bears(one) || self.bears(other)
            }
            Expr::Comprehension(element, ..) => self.bears(element),
            _ => false,
        }
    }

    /// Whether an expression itself, its parts aside, compares values that may hold agents.
    pub(super) fn compares(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Binary(
                Operator::Equal | Operator::NotEqual | Operator::In | Operator::Minus,
                one,
                other,
            ) => self.bears(one) || self.bears(other),
            Expr::Set(parts) => parts.iter().any(|part| self.bears(part)),
            Expr::Count(_, pattern) => self.compares_in(pattern),
            _ => false,
        }
    }

    /// Whether a pattern compares such values.
    pub(super) fn compares_in(&self, pattern: &Pattern) -> bool {
        let mut found = false;
        each_of_pattern(pattern, &mut |value| found = found || self.bears(value));
        found
    }
}
