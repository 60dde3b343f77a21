//! What is known about the alternatives of transitions before anything fires.

use crate::program::{
    Alternative, Binding, Exchange, Pattern, PlaceId, PlaceKind, Program, Sort, VariableId,
};
use crate::semantics::parts::{Reads, binds, each_of_alternative, ignores};
use crate::value::NetId;

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
}

impl Plans {
    pub(crate) fn of(program: &Program) -> Self {
        let net = |net: &crate::program::Net| NetPlan {
            transitions: net
                .transitions
                .iter()
                .map(|transition| transition.alternatives.iter().map(|one| plan(program, one)).collect())
                .collect(),
            homes: (0..).map(PlaceId).zip(&net.places).filter_map(|(id, place)| home(id, place)).collect(),
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

fn plan(program: &Program, alternative: &Alternative) -> Plan {
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
    }
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
