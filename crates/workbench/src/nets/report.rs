//! What can be said of nets without any claim: from their arcs, and from their reachable markings.

use std::collections::{BTreeMap, BTreeSet};

use motet_engine::{LastComponents, Limits, Progress, Settings, Space};
use motet_evidence::{Evidence, Stop, replay};
use motet_model::{ActionId, AtomId, System};
use motet_nets::plain::PlainNet;
use motet_nets::plain::invariants::{
    Limit, TooMany, bounds, place_semiflows, place_text, transition_semiflows, transition_text,
};
use motet_nets::plain::siphons::{Proof, commoner};
use motet_property::{Claim, Expect, Formula, Kind, Path};
use motet_render::{Behaviour, NetReport, Seen, Structure, stop_reason};
use motet_source::{FileId, Problems, Span};

use crate::loading::load::Ready;

/// Invariants and siphons that are listed for one net.
const LISTED: usize = 40;

/// How far a report may go.
#[derive(Clone, Debug, Default)]
pub struct NetReportOptions {
    /// When to stop.
    pub limits: Limits,
    /// How many threads work at the same time; 0 means as many as there are cores.
    pub threads: usize,
}

/// The report about a model of nets. `skeletons` are its nets without colours. A limit leaves what was seen of the markings, and says so.
#[must_use]
pub fn net_report(
    ready: &Ready,
    model: &str,
    skeletons: &[PlainNet],
    options: &NetReportOptions,
    watch: &mut dyn FnMut(Progress),
) -> NetReport {
    let structures = skeletons.iter().map(structure).collect();
    let mut report = NetReport { model: model.to_owned(), structures, ..NetReport::default() };
    // The claims of the folder may have states remember what fired, and that is no part of a marking.
    let alone = ready.draft.system(&[], &mut Problems::new());
    let system = alone.as_ref().unwrap_or(&ready.system);
    let settings =
        Settings { limits: options.limits.clone(), threads: options.threads, ..Settings::default() };
    let space = Space::explore(system.model.as_ref(), &settings, watch);
    let parts = Parts::of(system, skeletons);
    let stop = match space.stop() {
        None => match behaviour(system, &space, &parts) {
            Ok(behaviour) => {
                report.behaviour = Some(behaviour);
                return report;
            }
            // The markings are all known, but not what is to be said of them.
            Err(stop) => stop,
        },
        Some(stop) => stop,
    };
    report.seen = Some(seen(system, &space, &parts));
    report.stopped = Some(stop_reason(&stop));
    report.stop = Some(stop);
    report
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

/// The places and transitions of all nets by their numbers, with what a report calls them.
struct Parts {
    places: Vec<((usize, usize), String)>,
    transitions: Vec<((usize, usize), String)>,
}

impl Parts {
    /// Nets of our own language are told by their pictures; a net of an exchange format is its own skeleton.
    fn of(system: &System, skeletons: &[PlainNet]) -> Self {
        let pictures = system.words.nets();
        let mut parts = Self { places: Vec::new(), transitions: Vec::new() };
        for (number, net) in pictures.iter().enumerate() {
            let owner = net.name.split('(').next().unwrap_or_default();
            let name = |part: &str| match pictures.len() {
                1 => part.to_owned(),
                _ => format!("{owner}.{part}"),
            };
            let places = net.places.iter().enumerate().filter(|(_, place)| !place.cell);
            parts.places.extend(places.map(|(at, place)| ((number, at), name(&place.name))));
            let transitions = net.transitions.iter().enumerate();
            parts.transitions.extend(transitions.map(|(at, one)| ((number, at), name(&one.name))));
        }
        if let (true, [net]) = (pictures.is_empty(), skeletons) {
            let places = net.places.iter().enumerate();
            parts.places = places.map(|(at, place)| ((0, at), place.name.clone())).collect();
            let transitions = net.transitions.iter().enumerate();
            parts.transitions = transitions.map(|(at, one)| ((0, at), one.name.clone())).collect();
        }
        parts
    }
}

/// What all markings say. They have all been seen.
fn behaviour(system: &System, space: &Space<'_>, parts: &Parts) -> Result<Behaviour, Stop> {
    let last = space.last_components()?;
    let most = most(system, space, parts)?;
    let live = live(system, space, parts, &last)?;
    let coverage = space.coverage();
    let (dead, dead_run) = dead(system, space);
    let taken = Taken::of(system, &space.actions_taken(), parts);
    let name = |at: usize| parts.transitions[at].1.clone();
    Ok(Behaviour {
        states: coverage.states,
        firings: coverage.transitions,
        dead,
        dead_run,
        most,
        home: if last.n == 1 { last.n_states() } else { 0 },
        reversible: last.n == 1 && last.of(0).is_some(),
        never: (0..taken.0.len()).filter(|at| !taken.0[*at]).map(name).collect(),
        live: live.into_iter().map(name).collect(),
    })
}

/// What is known although not all markings were seen.
fn seen(system: &System, space: &Space<'_>, parts: &Parts) -> Seen {
    let coverage = space.coverage();
    let (dead, dead_run) = dead(system, space);
    let taken = Taken::of(system, &space.actions_taken(), parts);
    let names = parts.transitions.iter().zip(&taken.0);
    Seen {
        states: coverage.states,
        firings: coverage.transitions,
        open: coverage.open,
        dead,
        dead_run,
        not_yet: names.filter(|(_, taken)| !**taken).map(|((_, name), _)| name.clone()).collect(),
    }
}

/// How many markings are dead, and the firings of a shortest run to one of them.
fn dead(system: &System, space: &Space<'_>) -> (u64, Vec<String>) {
    let run = space.deadlocks().next().map(|state| space.run_to(state));
    let told = run.map_or_else(Vec::new, |run| {
        let evidence = Evidence::finite(run);
        // No run is shown that was not followed in the model again, by other means than the search.
        replay(system.model.as_ref(), &getting_stuck(), &evidence)
            .expect("the model follows a run to a dead marking that the search found in it");
        evidence.run.steps.iter().map(|taken| system.words.action(taken.action)).collect()
    });
    (space.deadlocks().count() as u64, told)
}

/// That a run reaches a state in which nothing can happen.
fn getting_stuck() -> Claim<AtomId> {
    Claim {
        name: "dead".to_owned(),
        words: None,
        kind: Kind::Possible,
        formula: Path::Now(Formula::Deadlock),
        expect: Expect::Holds,
        span: Span::new(FileId(0), 0, 0),
        text: "deadlock".to_owned(),
    }
}

/// The most tokens in each place.
fn most(system: &System, space: &Space<'_>, parts: &Parts) -> Result<Vec<(String, u64)>, Stop> {
    let mut most: BTreeMap<(usize, usize), u64> = parts.places.iter().map(|(at, _)| (*at, 0)).collect();
    space.look(&mut |_, state| {
        system.words.tokens(state, &mut |net, place, tokens| {
            if let Some(known) = most.get_mut(&(net, place)) {
                *known = tokens.max(*known);
            }
        });
    })?;
    Ok(parts.places.iter().map(|(at, name)| (name.clone(), most[at])).collect())
}

/// Per transition: whether some firing has it.
struct Taken(Vec<bool>);

impl Taken {
    fn of(system: &System, actions: &[ActionId], parts: &Parts) -> Self {
        let mut taken = Self(vec![false; parts.transitions.len()]);
        for transition in actions.iter().flat_map(|action| transitions(system, parts, *action)) {
            taken.0[transition] = true;
        }
        taken
    }
}

/// The places in the list of those that fire with an action.
fn transitions(system: &System, parts: &Parts, action: ActionId) -> Vec<usize> {
    let fired = system.words.fired(action);
    fired.iter().filter_map(|name| parts.transitions.binary_search_by_key(name, |(at, _)| *at).ok()).collect()
}

/// Transitions that can always fire again: those that fire in every component that no run leaves.
fn live(
    system: &System,
    space: &Space<'_>,
    parts: &Parts,
    last: &LastComponents,
) -> Result<Vec<usize>, Stop> {
    if space.deadlocks().next().is_some() {
        return Ok(Vec::new());
    }
    let mut known: BTreeMap<ActionId, Vec<usize>> = BTreeMap::new();
    let mut fires: BTreeSet<(usize, usize)> = BTreeSet::new();
    space.walk(&|state| last.of(state).is_some(), &mut |place| {
        let component = last.of(place.number).expect("only such states are asked for");
        for step in place.steps.iter() {
            let names = known.entry(step.action).or_insert_with(|| transitions(system, parts, step.action));
            fires.extend(names.iter().map(|transition| (*transition, component)));
        }
        Ok(())
    })?;
    let everywhere =
        |transition: &usize| fires.range((*transition, 0)..(*transition + 1, 0)).count() == last.n;
    Ok((0..parts.transitions.len()).filter(everywhere).collect())
}
