//! The agents of one net along all runs. Markings do not number agents, so an agent is followed from step to step by what
//! fires and what changes; where agents are alike either of them may be the one.

use std::collections::{BTreeMap, BTreeSet};

use motet_model::{ArcKind, MarkingPicture, NetPicture};

use crate::exporting::export::{Edge, Map};
use crate::loading::load::Ready;

/// A marking of an agent.
pub(crate) struct Held {
    /// Whose: `Truck(1)`.
    pub(crate) agent: String,
    pub(crate) words: String,
    pub(crate) marking: MarkingPicture,
}

/// A marking of the model with an agent in one of its own: where a followed agent is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub(crate) state: usize,
    pub(crate) belief: usize,
}

/// The agents of one net.
pub(crate) struct Followed<'a> {
    map: &'a Map,
    /// In the order in which runs come to them.
    pub(crate) beliefs: Vec<Held>,
    /// Per state: the beliefs in it and how many agents have each.
    held: Vec<Vec<(usize, u32)>>,
    /// Per state: its edges.
    out: Vec<Vec<usize>>,
    /// Per edge: which transitions of the net fire, and in whom.
    fired: Vec<Vec<(usize, String)>>,
    /// Per transition: the places that a firing may change.
    touched: Vec<BTreeSet<usize>>,
}

impl<'a> Followed<'a> {
    pub(crate) fn new(ready: &Ready, map: &'a Map, pictures: &[NetPicture], net: usize) -> Self {
        let words = &ready.system.words;
        let touches = |transition: usize| {
            let arcs = pictures[net].arcs.iter();
            let arcs = arcs.filter(|arc| arc.transition == transition && arc.kind != ArcKind::Inhibit);
            arcs.map(|arc| arc.place).collect()
        };
        let mut followed = Self {
            map,
            beliefs: Vec::new(),
            held: Vec::new(),
            out: vec![Vec::new(); map.states.len()],
            fired: Vec::new(),
            touched: (0..pictures[net].transitions.len()).map(touches).collect(),
        };
        let mut numbers = BTreeMap::new();
        for state in &map.states {
            let mut held = BTreeMap::new();
            if let Some(marking) = words.marking(state) {
                followed.collect(pictures, net, &marking, 1, &mut numbers, &mut held);
            }
            followed.held.push(held.into_iter().collect());
        }
        for (number, edge) in map.edges.iter().enumerate() {
            followed.out[edge.from].push(number);
            let halves = words.fired(edge.action).into_iter().zip(words.participants(edge.action));
            let own = halves.filter(|((of, _), _)| *of == net);
            followed.fired.push(own.map(|((_, transition), who)| (transition, who.instance)).collect());
        }
        followed
    }

    /// The agents in a marking, and those inside them.
    fn collect(
        &mut self,
        pictures: &[NetPicture],
        net: usize,
        marking: &MarkingPicture,
        count: u32,
        numbers: &mut BTreeMap<(String, String), usize>,
        held: &mut BTreeMap<usize, u32>,
    ) {
        if marking.net == net {
            let words = told(pictures, marking);
            let key = (marking.title.clone(), words.clone());
            let belief = *numbers.entry(key).or_insert_with(|| {
                let agent = marking.title.clone();
                self.beliefs.push(Held { agent, words, marking: marking.clone() });
                self.beliefs.len() - 1
            });
            let sum = held.entry(belief).or_insert(0);
            *sum = sum.saturating_add(count);
        }
        for token in marking.places.iter().flatten() {
            for agent in &token.agents {
                let count = count.saturating_mul(token.count);
                self.collect(pictures, net, agent, count, numbers, held);
            }
        }
    }

    /// Every place where an agent is in some run.
    pub(crate) fn spots(&self) -> impl Iterator<Item = Spot> {
        let of_state = |(state, held): (usize, &Vec<(usize, u32)>)| {
            held.iter().map(move |(belief, _)| Spot { state, belief: *belief }).collect::<Vec<_>>()
        };
        self.held.iter().enumerate().flat_map(of_state)
    }

    /// The nearest state in which some agent has reached the goal. States come in the order of their distance.
    pub(crate) fn state_with(&self, goal: &str) -> Option<usize> {
        self.spots().find(|spot| self.is_goal(spot.belief, goal)).map(|spot| spot.state)
    }

    pub(crate) fn is_goal(&self, belief: usize, goal: &str) -> bool {
        self.beliefs[belief].marking.goals.iter().any(|reached| reached == goal)
    }

    /// Where a followed agent may be after a step, each time with the transition that it fired itself, if it did.
    pub(crate) fn next(&self, spot: Spot) -> Vec<(Option<usize>, Spot)> {
        let mut next = Vec::new();
        for &edge in &self.out[spot.state] {
            let state = self.map.edges[edge].to;
            let after = self.after(edge, spot.belief);
            next.extend(after.into_iter().map(|(fired, belief)| (fired, Spot { state, belief })));
        }
        next.sort_unstable();
        next.dedup();
        next
    }

    fn after(&self, number: usize, belief: usize) -> Vec<(Option<usize>, usize)> {
        let edge = &self.map.edges[number];
        let agent = &self.beliefs[belief].agent;
        let (gone, come) = self.difference(edge, agent);
        let own: Vec<usize> = self.own(number, agent).collect();
        let alike: u64 = self.alike(edge.from, agent).map(|(_, count)| u64::from(count)).sum();
        let here = self.alike(edge.from, agent).find(|(one, _)| *one == belief).map_or(0, |(_, count)| count);
        let left = gone.get(&belief).copied().unwrap_or(0);
        let mut next = Vec::new();
        if here > left && alike > own.len() as u64 {
            next.push((None, belief));
        }
        if left > 0 && own.is_empty() {
            next.extend(come.keys().filter(|one| self.changes_inside(belief, **one)).map(|one| (None, *one)));
        }
        for transition in own {
            if left > 0 {
                let fits = come.keys().filter(|one| self.could(transition, belief, **one));
                next.extend(fits.map(|one| (Some(transition), *one)));
            }
            if gone.is_empty() {
                next.push((Some(transition), belief));
            }
        }
        next
    }

    /// The transitions that agents of this name fire in a step.
    fn own(&self, edge: usize, agent: &str) -> impl Iterator<Item = usize> {
        self.fired[edge].iter().filter(move |(_, who)| who == agent).map(|(transition, _)| *transition)
    }

    /// The agents of this name in a state.
    fn alike(&self, state: usize, agent: &str) -> impl Iterator<Item = (usize, u32)> {
        self.held[state].iter().copied().filter(move |(belief, _)| self.beliefs[*belief].agent == agent)
    }

    /// Which markings agents of this name lose and gain in a step, with how many.
    fn difference(&self, edge: &Edge, agent: &str) -> (BTreeMap<usize, u32>, BTreeMap<usize, u32>) {
        let minus = |one: usize, other: usize| {
            let others: BTreeMap<usize, u32> = self.alike(other, agent).collect();
            let left = self.alike(one, agent).map(|(belief, count)| {
                (belief, count.saturating_sub(others.get(&belief).copied().unwrap_or(0)))
            });
            left.filter(|(_, count)| *count > 0).collect()
        };
        (minus(edge.from, edge.to), minus(edge.to, edge.from))
    }

    fn changed(&self, before: usize, after: usize) -> impl Iterator<Item = usize> {
        let (before, after) = (&self.beliefs[before].marking.places, &self.beliefs[after].marking.places);
        (0..before.len().max(after.len())).filter(move |place| before.get(*place) != after.get(*place))
    }

    /// Whether a firing may lead from one marking to another: it changes no place that it has no arc to.
    fn could(&self, transition: usize, before: usize, after: usize) -> bool {
        let touched = &self.touched[transition];
        self.changed(before, after).all(|place| touched.contains(&place))
    }

    /// Whether only agents inside the agent changed.
    fn changes_inside(&self, before: usize, after: usize) -> bool {
        let holds_agents = |belief: usize, place: usize| {
            let tokens = self.beliefs[belief].marking.places.get(place);
            tokens.is_some_and(|tokens| tokens.iter().any(|token| !token.agents.is_empty()))
        };
        self.changed(before, after).all(|place| holds_agents(before, place) && holds_agents(after, place))
    }

    /// Where agents begin: in an initial state, or where they are created.
    pub(crate) fn starts(&self) -> BTreeSet<Spot> {
        let initial = self.spots().take_while(|spot| spot.state < self.map.n_initial);
        let mut starts: BTreeSet<Spot> = initial.collect();
        for (number, edge) in self.map.edges.iter().enumerate() {
            for &(belief, _) in &self.held[edge.to] {
                let agent = &self.beliefs[belief].agent;
                let (gone, come) = self.difference(edge, agent);
                let from = |before: &usize| {
                    let mut own = self.own(number, agent).peekable();
                    match own.peek() {
                        None => self.changes_inside(*before, belief),
                        Some(_) => own.any(|transition| self.could(transition, *before, belief)),
                    }
                };
                if come.contains_key(&belief) && !gone.keys().any(from) {
                    starts.insert(Spot { state: edge.to, belief });
                }
            }
        }
        starts
    }

    /// The beliefs that agents begin with.
    pub(crate) fn first(&self) -> BTreeSet<usize> {
        self.starts().into_iter().map(|spot| spot.belief).collect()
    }

    /// Per belief: whether no agent fires in it or leaves it.
    pub(crate) fn last(&self) -> Vec<bool> {
        let mut last = vec![true; self.beliefs.len()];
        for spot in self.spots() {
            let goes_on =
                |(fired, next): (Option<usize>, Spot)| fired.is_some() || next.belief != spot.belief;
            if last[spot.belief] && self.next(spot).into_iter().any(goes_on) {
                last[spot.belief] = false;
            }
        }
        last
    }
}

/// `Miami = John`; `nothing anywhere`. An agent inside is told with what it holds.
fn told(pictures: &[NetPicture], marking: &MarkingPicture) -> String {
    let Some(net) = pictures.get(marking.net) else { return String::new() };
    let mut parts = Vec::new();
    for (place, tokens) in net.places.iter().zip(&marking.places).filter(|(_, tokens)| !tokens.is_empty()) {
        let token = |token: &motet_model::TokenPicture| {
            let inside: Vec<String> = token.agents.iter().map(|agent| told(pictures, agent)).collect();
            let inside = if inside.is_empty() { String::new() } else { format!(" [{}]", inside.join("; ")) };
            match (token.text.as_str(), token.count) {
                ("", count) => count.to_string(),
                (text, 1) => format!("{text}{inside}"),
                (text, count) => format!("{count} × {text}{inside}"),
            }
        };
        let tokens: Vec<String> = tokens.iter().map(token).collect();
        parts.push(format!("{} = {}", place.name, tokens.join(", ")));
    }
    if parts.is_empty() { "nothing anywhere".to_owned() } else { parts.join(" | ") }
}
