//! What a claim about a nested net does not need: transitions that change nothing it reads, nor anything that decides about
//! those that do.
//!
//! Slicing of nets (Rakow 2012), over the places of all nets at once: a place of a template stands for that place in every
//! agent made from it. Transitions that meet at a port decide about each other, so of a port all are needed or none. An agent
//! that is compared as a whole is compared by its marking, which needs every place of the templates. A transition that may end
//! in a fault of the model is always needed: a slice must not hide it.

mod bearing;

use std::collections::BTreeSet;

use crate::atoms::Predicate;
use crate::program::{Alternative, Expr, Operator, PlaceId, PortId, Program, Transition, TransitionId};
use crate::semantics::parts::{each, each_of_alternative};
use crate::semantics::scope::LIMIT_DEPTH;
use crate::slice::bearing::Bearing;
use crate::value::{NetId, Value};

/// The program in which transitions that these predicates do not need can never fire, and what those are in words; `None` if
/// all are needed, or if a predicate speaks of the last step.
pub(crate) fn slice(program: &Program, predicates: &[Predicate]) -> Option<(Program, Vec<String>)> {
    let mut cone = Cone { program, places: BTreeSet::new(), kept: BTreeSet::new() };
    for predicate in predicates {
        match predicate {
            Predicate::Test(body) => {
                cone.read(&Bearing::of_body(program, program.system, body, 0), program.system, &body.expr, 0);
            }
            Predicate::Fires(_) => return None,
        }
    }
    loop {
        let before = (cone.places.len(), cone.kept.len());
        cone.grow();
        if (cone.places.len(), cone.kept.len()) == before {
            break;
        }
    }
    let kept = cone.kept;
    let left_out: Vec<String> = transitions(program)
        .filter(|(net, id, _)| !kept.contains(&(*net, *id)))
        .map(|(net, _, transition)| {
            format!("transition {}.{}", program.nets[index(net)].name, transition.name)
        })
        .collect();
    if left_out.is_empty() {
        return None;
    }
    let mut sliced = program.clone();
    for (number, net) in sliced.nets.iter_mut().enumerate() {
        for (transition, id) in net.transitions.iter_mut().zip((0..).map(TransitionId)) {
            if !kept.contains(&(net_id(number), id)) {
                transition.alternatives.clear();
            }
        }
    }
    Some((sliced, left_out))
}

fn index(net: NetId) -> usize {
    net.0 as usize
}

fn net_id(number: usize) -> NetId {
    NetId(u32::try_from(number).expect("nets are numbered in 32 bits"))
}

/// All transitions of all nets.
fn transitions(program: &Program) -> impl Iterator<Item = (NetId, TransitionId, &Transition)> {
    let numbered = |net: usize| (0..).map(TransitionId).zip(&program.nets[net].transitions);
    (0..program.nets.len())
        .flat_map(move |net| numbered(net).map(move |(id, transition)| (net_id(net), id, transition)))
}

/// What is needed so far.
struct Cone<'p> {
    program: &'p Program,
    places: BTreeSet<(NetId, PlaceId)>,
    kept: BTreeSet<(NetId, TransitionId)>,
}

impl<'p> Cone<'p> {
    /// Keeps every transition that changes a needed place, meets a kept one at a port, or may end in a fault.
    fn grow(&mut self) {
        let program: &'p Program = self.program;
        let kept = transitions(program).filter(|(net, id, _)| self.kept.contains(&(*net, *id)));
        let ports: BTreeSet<PortId> = kept.flat_map(|(_, _, transition)| ports(transition)).collect();
        for (net, id, transition) in transitions(program) {
            let changes = transition.alternatives.iter().any(|one| self.changes(net, one));
            let meets = self::ports(transition).any(|port| ports.contains(&port));
            if (changes || meets || may_fault(transition)) && self.kept.insert((net, id)) {
                transition.alternatives.iter().for_each(|one| self.depend(net, one));
            }
        }
    }

    fn changes(&self, net: NetId, alternative: &Alternative) -> bool {
        let taken = alternative.inputs.iter().map(|input| input.place);
        let given = alternative.outputs.iter().map(|output| output.place);
        let updated = alternative.updates.iter().map(|(cell, _)| *cell);
        taken.chain(given).chain(updated).any(|place| self.places.contains(&(net, place)))
    }

    /// Notes what decides whether and how an alternative fires.
    fn depend(&mut self, net: NetId, alternative: &Alternative) {
        let bearing = Bearing::of_alternative(self.program, net, alternative);
        for arc in alternative.inputs.iter().chain(&alternative.reads).chain(&alternative.inhibitors) {
            self.places.insert((net, arc.place));
            if bearing.compares_in(&arc.pattern) {
                self.need_markings();
            }
        }
        for output in &alternative.outputs {
            let place = &self.program.nets[index(net)].places[output.place.0 as usize];
            if place.capacity.is_some() {
                self.places.insert((net, output.place));
            }
        }
        let mut parts = Vec::new();
        each_of_alternative(alternative, &mut |expr| parts.push(expr.clone()));
        parts.iter().for_each(|expr| self.read(&bearing, net, expr, 0));
    }

    /// Notes what an expression reads in an instance of this net.
    fn read(&mut self, bearing: &Bearing<'p>, net: NetId, expr: &Expr, depth: usize) {
        let program: &'p Program = self.program;
        if depth > LIMIT_DEPTH || bearing.compares(expr) {
            self.need_markings();
        }
        match expr {
            Expr::Cell(place) | Expr::Place(place) => {
                self.places.insert((net, *place));
            }
            Expr::Within(_, per_net) => {
                let there = per_net.iter().enumerate();
                self.places.extend(there.filter_map(|(net, place)| place.map(|place| (net_id(net), place))));
            }
            Expr::Goal(_, per_net) if depth <= LIMIT_DEPTH => {
                for (net, goal) in per_net.iter().enumerate() {
                    let body = goal.and_then(|goal| program.nets[net].goals.get(goal));
                    if let Some((_, body)) = body {
                        let inner = Bearing::of_body(program, net_id(net), body, 0);
                        self.read(&inner, net_id(net), &body.expr, depth + 1);
                    }
                }
            }
            Expr::Call(definition, _) if depth <= LIMIT_DEPTH => {
                let definition = &program.definitions[definition.0 as usize];
                let inner = Bearing::of_body(program, program.system, &definition.body, definition.arity);
                self.read(&inner, program.system, &definition.body.expr, depth + 1);
            }
            Expr::Enabled(transition) => self.enabled(*transition),
            _ => {}
        }
        let mut parts = Vec::new();
        each(expr, &mut |part| parts.push(part.clone()));
        parts.iter().for_each(|part| self.read(bearing, net, part, depth));
    }

    /// Whether a transition can fire depends on what it depends on; those it meets are kept with it.
    fn enabled(&mut self, transition: TransitionId) {
        let net = self.program.system;
        if self.kept.insert((net, transition)) {
            let program: &'p Program = self.program;
            let found = &program.nets[index(net)].transitions[transition.0 as usize];
            found.alternatives.iter().for_each(|one| self.depend(net, one));
        }
    }

    /// Every place of every template.
    fn need_markings(&mut self) {
        for (number, net) in self.program.nets.iter().enumerate() {
            if net_id(number) != self.program.system {
                let places = (0..net.places.len()).map(|at| PlaceId(u32::try_from(at).unwrap_or(u32::MAX)));
                self.places.extend(places.map(|place| (net_id(number), place)));
            }
        }
    }
}

/// Where it meets others.
fn ports(transition: &Transition) -> impl Iterator<Item = PortId> {
    transition.alternatives.iter().filter_map(|one| one.sync.as_ref()).map(|sync| sync.port)
}

/// Whether firing may end in a fault of the model: a value outside its sort, a division by zero.
fn may_fault(transition: &Transition) -> bool {
    let mut found = false;
    for alternative in &transition.alternatives {
        each_of_alternative(alternative, &mut |expr| found = found || faults(expr));
    }
    found
}

fn faults(expr: &Expr) -> bool {
    let own = match expr {
        Expr::Ranged(value, low, high, _) => !lies_in(value, *low, *high),
        Expr::Binary(Operator::Divide | Operator::Modulo, _, by) => !is_divisor(by),
        _ => false,
    };
    let mut found = own;
    each(expr, &mut |part| found = found || faults(part));
    found
}

fn is_divisor(by: &Expr) -> bool {
    matches!(by, Expr::Constant(Value::Int(number)) if *number != 0)
}

/// Whether it can be seen that a value lies between these ends: it is known, or the remainder of a division.
fn lies_in(value: &Expr, low: i64, high: i64) -> bool {
    match value {
        Expr::Constant(Value::Int(number)) => (low..=high).contains(number),
        Expr::Binary(Operator::Modulo, _, by) => {
            matches!(&**by, Expr::Constant(Value::Int(number)) if low <= 0 && *number > 0 && *number - 1 <= high)
        }
        _ => false,
    }
}
