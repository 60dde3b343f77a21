//! What can be said of nets without any claim: from their arcs, and from their reachable markings.

use std::collections::BTreeMap;

use motet_engine::components;
use motet_model::{MarkingPicture, NetPicture};
use motet_nets::plain::PlainNet;
use motet_nets::plain::invariants::{
    Limit, TooMany, bounds, place_semiflows, place_text, transition_semiflows, transition_text,
};
use motet_nets::plain::siphons::{Proof, commoner};
use motet_render::{Behaviour, NetReport, Structure};

use crate::export::Map;
use crate::load::Ready;

/// Invariants and siphons that are listed for one net.
const LISTED: usize = 40;

/// The report about a model of nets. `skeletons` are its nets without colours; at most `limit` markings are looked at.
#[must_use]
pub fn net_report(ready: &Ready, model: &str, skeletons: &[PlainNet], limit: u64) -> NetReport {
    let map = Map::explore(ready.system.model.as_ref(), limit);
    let structures = skeletons.iter().map(structure).collect();
    let (behaviour, stopped) = if map.complete {
        (Some(behaviour(ready, &map)), None)
    } else {
        (
            None,
            Some(format!("there are more than {limit}, or a value left its range; --states N looks at more")),
        )
    };
    NetReport { model: model.to_owned(), structures, behaviour, stopped }
}

fn structure(net: &PlainNet) -> Structure {
    let mut found = Structure {
        net: net.name.clone(),
        places: net.places.len(),
        transitions: net.transitions.len(),
        ..Structure::default()
    };
    let mut remarks = Vec::new();
    let mut given_up = |what: &str, reason: TooMany| remarks.push(format!("{what}: {reason}"));
    match place_semiflows(net, Limit::default()) {
        Ok(flows) => {
            let line = |flow| place_text(net, flow);
            found.place_invariants = listed(flows.iter().map(line));
            let bounded = net.places.iter().zip(bounds(net, &flows));
            let line = |(place, bound): (&motet_nets::plain::PlainPlace, Option<u32>)| {
                Some(format!("{} ≤ {}", place.name, bound?))
            };
            found.bounds = listed(bounded.filter_map(line));
        }
        Err(reason) => given_up("invariants of places", reason),
    }
    match transition_semiflows(net, Limit::default()) {
        Ok(flows) => {
            found.transition_invariants = listed(flows.iter().map(|flow| transition_text(net, flow)))
        }
        Err(reason) => given_up("invariants of transitions", reason),
    }
    match commoner(net, Limit::default()) {
        Ok(known) => {
            let names = |places: &[usize]| {
                let names: Vec<&str> = places.iter().map(|&place| net.places[place].name.as_str()).collect();
                names.join(", ")
            };
            found.siphons = listed(known.unguarded.iter().map(|&number| names(&known.siphons[number].0)));
            if known.proof == Proof::NeverDead {
                remarks
                    .push("every siphon holds a marked trap: without guards it never gets stuck".to_owned());
            }
        }
        Err(reason) => given_up("siphons", reason),
    }
    found.remarks = remarks;
    found
}

fn listed(entries: impl Iterator<Item = String>) -> Vec<String> {
    let all: Vec<String> = entries.collect();
    let more = all.len().saturating_sub(LISTED);
    let mut shown: Vec<String> = all.into_iter().take(LISTED).collect();
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    shown
}

fn behaviour(ready: &Ready, map: &Map) -> Behaviour {
    let words = &ready.system.words;
    let pictures = words.nets();
    let components = Components::of(map);
    let names: Vec<(usize, usize)> = (0..pictures.len())
        .flat_map(|net| (0..pictures[net].transitions.len()).map(move |transition| (net, transition)))
        .collect();
    let mut fired: BTreeMap<(usize, usize), Vec<bool>> =
        names.iter().map(|&name| (name, vec![false; components.n_last + 1])).collect();
    for edge in &map.edges {
        // The last entry stands for having fired at all.
        for name in words.fired(edge.action) {
            if let Some(where_) = fired.get_mut(&name) {
                where_[components.n_last] = true;
                if let Some(last) = components.last_of(edge.from) {
                    where_[last] = true;
                }
            }
        }
    }
    let told = |&(net, transition): &(usize, usize)| {
        name(&pictures, net, &pictures[net].transitions[transition].name)
    };
    let never = names.iter().filter(|name| !fired[name][components.n_last]).map(told).collect();
    let live = |name: &&(usize, usize)| fired[name].iter().all(|&fired| fired);
    let dead: Vec<usize> = dead(map);
    Behaviour {
        states: map.states.len() as u64,
        firings: map.edges.len() as u64,
        dead: dead.len() as u64,
        dead_run: dead.first().map_or_else(Vec::new, |&state| run_to(ready, map, state)),
        most: most(ready, map, &pictures),
        never,
        live: names.iter().filter(live).map(told).collect(),
        home: if components.n_last == 1 { components.home() } else { 0 },
        reversible: components.n_last == 1 && components.last_of(0).is_some(),
    }
}

fn name(pictures: &[NetPicture], net: usize, part: &str) -> String {
    if pictures.len() == 1 {
        return part.to_owned();
    }
    let owner = pictures[net].name.split('(').next().unwrap_or_default();
    format!("{owner}.{part}")
}

fn dead(map: &Map) -> Vec<usize> {
    let mut alive = vec![false; map.states.len()];
    map.edges.iter().for_each(|edge| alive[edge.from] = true);
    (0..alive.len()).filter(|&state| !alive[state]).collect()
}

/// The firings of a shortest run. States are numbered in the order of their distance, so the first edge to a state is one.
pub(crate) fn run_to(ready: &Ready, map: &Map, goal: usize) -> Vec<String> {
    let mut first: Vec<Option<usize>> = vec![None; map.states.len()];
    for (number, edge) in map.edges.iter().enumerate() {
        if edge.to >= map.n_initial && first[edge.to].is_none() {
            first[edge.to] = Some(number);
        }
    }
    let mut run = Vec::new();
    let mut at = goal;
    while let Some(edge) = first[at] {
        run.push(ready.system.words.action(map.edges[edge].action));
        at = map.edges[edge].from;
    }
    run.reverse();
    run
}

fn most(ready: &Ready, map: &Map, pictures: &[NetPicture]) -> Vec<(String, u64)> {
    let mut most: Vec<Vec<u64>> = pictures.iter().map(|net| vec![0; net.places.len()]).collect();
    for state in &map.states {
        if let Some(marking) = ready.system.words.marking(state) {
            raise(&mut most, &marking);
        }
    }
    let mut told = Vec::new();
    for (net, picture) in pictures.iter().enumerate() {
        for (place, tokens) in picture.places.iter().zip(&most[net]).filter(|(place, _)| !place.cell) {
            told.push((name(pictures, net, &place.name), *tokens));
        }
    }
    told
}

fn raise(most: &mut [Vec<u64>], marking: &MarkingPicture) {
    for (place, tokens) in marking.places.iter().enumerate() {
        let sum: u64 = tokens.iter().map(|token| u64::from(token.count)).sum();
        if let Some(known) = most.get_mut(marking.net).and_then(|net| net.get_mut(place)) {
            *known = sum.max(*known);
        }
        tokens.iter().flat_map(|token| &token.agents).for_each(|agent| raise(most, agent));
    }
}

/// Which markings lie in components that no run leaves.
struct Components {
    /// Per state: the number of its component if no run leaves it.
    last: Vec<Option<usize>>,
    n_last: usize,
}

impl Components {
    fn of(map: &Map) -> Self {
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); map.states.len()];
        map.edges.iter().for_each(|edge| out[edge.from].push(edge.to));
        let (component, n_components) = components(out.len(), |node, number| out[node].get(number).copied());
        let of = |state: usize| component[state] as usize;
        let mut leaves = vec![false; n_components as usize];
        for edge in map.edges.iter().filter(|edge| of(edge.from) != of(edge.to)) {
            leaves[of(edge.from)] = true;
        }
        let mut n_last = 0;
        let mut number = |leaves: bool| {
            n_last += usize::from(!leaves);
            (!leaves).then(|| n_last - 1)
        };
        let numbers: Vec<Option<usize>> = leaves.into_iter().map(&mut number).collect();
        Self { last: (0..out.len()).map(|state| numbers[of(state)]).collect(), n_last }
    }

    fn last_of(&self, state: usize) -> Option<usize> {
        self.last.get(state).copied().flatten()
    }

    fn home(&self) -> u64 {
        self.last.iter().filter(|last| last.is_some()).count() as u64
    }
}
