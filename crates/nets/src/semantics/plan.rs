//! What is known about the alternatives of transitions before anything fires.

use std::sync::Arc;

use crate::program::{
    Alternative, Binding, Exchange, Expr, Net, Partner, Pattern, PlaceId, PlaceKind, PortId, Program, Sort,
    TransitionId, VariableId,
};
use crate::semantics::collect::compares_tokens;
use crate::semantics::memo::Memory;
use crate::semantics::parts::{Reads, binds, each_of_alternative, each_of_pattern, ignores};
use crate::semantics::terms::Terms;
use crate::value::{Bag, NetId};

/// Per net, per transition, per alternative.
#[derive(Debug)]
pub(crate) struct Plans {
    nets: Vec<NetPlan>,
}

/// What is known about a net.
#[derive(Debug)]
pub(crate) struct NetPlan {
    pub(crate) transitions: Vec<Vec<Plan>>,
    /// Places whose tokens hold agents, with the ways from a token to its agents.
    pub(crate) homes: Vec<(PlaceId, Vec<Vec<usize>>)>,
    /// The alternatives that speak to somebody outside, in order.
    pub(crate) speakers: Vec<Speaker>,
}

/// An alternative that speaks to a host or through a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Speaker {
    pub(crate) transition: TransitionId,
    pub(crate) alternative: u32,
    pub(crate) port: PortId,
    pub(crate) sends: bool,
    /// Whether through a channel between agents.
    pub(crate) channel: bool,
    /// Whether its arcs may end in trouble: then they are looked at whatever is said.
    pub(crate) risky: bool,
}

/// What is known about an alternative.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Variables of a mode, in the order in which they are bound.
    pub(crate) bound: Vec<VariableId>,
    /// Guards by the moment at which their variables are bound: before the arcs, after each arc, after what was received,
    /// after each pick or let.
    pub(crate) guards: Vec<Vec<usize>>,
    /// Whether different tokens may give the same mode.
    pub(crate) ignores: bool,
    /// Places whose contents decide what it does and that it changes, sorted.
    pub(crate) places: Vec<PlaceId>,
    /// Whether tokens are compared as such, so that it matters which of several equal ones is meant.
    pub(crate) compares: bool,
    /// Places of arcs: where one of them is empty, nothing fires and nothing ends in trouble.
    pub(crate) needs: Vec<PlaceId>,
    pub(crate) terms: Arc<Terms>,
}

impl Plan {
    /// Whether a place is empty that something is taken from.
    pub(crate) fn lacks(&self, places: &[Bag]) -> bool {
        self.needs.iter().any(|place| places[place.0 as usize].is_empty())
    }
}

impl Plans {
    /// Where nothing is remembered, for comparison, expressions stay trees and all tokens are tried.
    pub(crate) fn of(program: &Program, memory: Memory) -> Self {
        let net = |net: &crate::program::Net| NetPlan {
            transitions: net
                .transitions
                .iter()
                .map(|transition| {
                    transition.alternatives.iter().map(|one| plan(program, one, memory)).collect()
                })
                .collect(),
            homes: (0..).map(PlaceId).zip(&net.places).filter_map(|(id, place)| home(id, place)).collect(),
            speakers: speakers(net, memory),
        };
        Self { nets: program.nets.iter().map(net).collect() }
    }

    pub(crate) fn net(&self, net: NetId) -> &NetPlan {
        &self.nets[net.0 as usize]
    }
}

fn home(id: PlaceId, place: &crate::program::Place) -> Option<(PlaceId, Vec<Vec<usize>>)> {
    let mut ways = Vec::new();
    agents(&place.sort, &mut Vec::new(), &mut ways);
    (place.kind != PlaceKind::Limit && !ways.is_empty()).then_some((id, ways))
}

/// The ways from a value of a sort to the agents in it.
fn agents(sort: &Sort, way: &mut Vec<usize>, ways: &mut Vec<Vec<usize>>) {
    match sort {
        Sort::Agent => ways.push(way.clone()),
        Sort::Record(record) => {
            for (field, (_, sort)) in record.fields.iter().enumerate() {
                way.push(field);
                agents(sort, way, ways);
                way.pop();
            }
        }
        _ => {}
    }
}

fn plan(program: &Program, alternative: &Alternative, memory: Memory) -> Plan {
    let arcs = || alternative.inputs.iter().chain(&alternative.reads);
    let mut bound = Vec::new();
    // The moment at which each variable is bound; variables of quantifiers are bound by whoever needs them.
    let mut moments: Vec<(VariableId, usize)> = Vec::new();
    let mut moment = 0;
    let mut bind = |pattern: &Pattern, moment: usize, bound: &mut Vec<VariableId>| {
        let first = bound.len();
        binds(pattern, bound);
        moments.extend(bound[first..].iter().map(|variable| (*variable, moment)));
    };
    for arc in arcs() {
        moment += 1;
        bind(&arc.pattern, moment, &mut bound);
    }
    moment += 1;
    if let Some(Exchange::Receive(patterns)) = alternative.sync.as_ref().map(|sync| &sync.exchange) {
        patterns.iter().for_each(|pattern| bind(pattern, moment, &mut bound));
    }
    for binding in &alternative.bindings {
        moment += 1;
        let (Binding::Pick(variable, ..) | Binding::Let(variable, _)) = binding;
        bind(&Pattern::Bind(*variable), moment, &mut bound);
    }
    let mut guards = vec![Vec::new(); moment + 1];
    for (guard, expr) in alternative.guards.iter().enumerate() {
        let variables = Reads::of(program, expr).variables;
        let ready = moments.iter().filter(|(variable, _)| variables.contains(variable)).map(|(_, at)| *at);
        guards[ready.max().unwrap_or(0)].push(guard);
    }
    Plan {
        bound,
        guards,
        ignores: arcs().any(|arc| ignores(&arc.pattern)),
        places: places(program, alternative),
        compares: memory == Memory::None || compares(program, alternative),
        needs: if memory == Memory::None { Vec::new() } else { needs(alternative) },
        terms: Arc::new(Terms::of(program, alternative, memory)),
    }
}

fn compares(program: &Program, alternative: &Alternative) -> bool {
    let mut found = false;
    each_of_alternative(alternative, &mut |expr| found = found || compares_tokens(program, expr, 0));
    found
}

/// Tokens are sought arc by arc, so an arc counts as long as the patterns before it give no trouble.
fn needs(alternative: &Alternative) -> Vec<PlaceId> {
    let arcs = || alternative.inputs.iter().chain(&alternative.reads);
    let calm = arcs().take_while(|arc| !is_risky(&arc.pattern)).count();
    arcs().take(calm + 1).map(|arc| arc.place).collect()
}

/// Whether a comparison in a pattern may end in trouble.
fn is_risky(pattern: &Pattern) -> bool {
    let mut found = false;
    each_of_pattern(pattern, &mut |expr| found = found || !is_calm(expr));
    found
}

/// Whether an expression only looks at what is there.
fn is_calm(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Variable(_) | Expr::Cell(_) => true,
        Expr::Field(of, _) => is_calm(of),
        Expr::Record(fields) => fields.iter().all(is_calm),
        _ => false,
    }
}

fn speakers(net: &Net, memory: Memory) -> Vec<Speaker> {
    let mut found = Vec::new();
    for (transition, declared) in (0..).map(TransitionId).zip(&net.transitions) {
        for (alternative, one) in (0..).zip(&declared.alternatives) {
            let Some(sync) = &one.sync else { continue };
            let channel = match sync.partner {
                Partner::Up => false,
                Partner::Channel(_) => true,
                Partner::Agent { .. } => continue,
            };
            let mut arcs = one.inputs.iter().chain(&one.reads).chain(&one.inhibitors);
            let risky = memory == Memory::None || arcs.any(|arc| is_risky(&arc.pattern));
            let sends = matches!(sync.exchange, Exchange::Send(_));
            found.push(Speaker { transition, alternative, port: sync.port, sends, channel, risky });
        }
    }
    found
}

/// Every place that an alternative has to do with.
fn places(program: &Program, alternative: &Alternative) -> Vec<PlaceId> {
    let mut reads = Reads::default();
    each_of_alternative(alternative, &mut |expr| reads.add(program, expr, 0));
    let mut places = reads.places;
    let arcs = alternative.inputs.iter().chain(&alternative.reads).chain(&alternative.inhibitors);
    places.extend(arcs.map(|arc| arc.place));
    places.extend(alternative.outputs.iter().map(|output| output.place));
    places.extend(alternative.updates.iter().map(|(place, _)| *place));
    places.sort_unstable();
    places.dedup();
    places
}
