//! The filling station whose mediator is generated equals the one that was written by hand (Chang 2011, 4.4 and appendix A2).
//! The hand-made station was counted by two independent executors: 342 markings, 798 firings, one dead marking.

mod firing_lab;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use firing_lab::{Counts, case, counts, holding, initial, system, with};
use motet_evidence::Fairness;
use motet_model::{MarkingPicture, NetPicture, State, Steps, System, TokenPicture};
use motet_nets::construct::{construct, mediate, skeleton};
use motet_nets::parse::parse;
use motet_nets::print::format;
use motet_nets::syntax::{Item, Text};
use motet_nets::tables::{coordination, unanswered};
use motet_source::{FileId, Problems};

const BY_HAND: &str = include_str!("../../../examples/gas-station/station.npn");
const CLAIMS: &str = include_str!("../../../examples/gas-station/station.props");
const PLAN: &str = include_str!("../../../examples/gas-station-mediated/plan.npn");
const GENERATED: &str = include_str!("../../../examples/gas-station-mediated/station.npn");
const RULES: &str = include_str!("../../../examples/gas-station-mediated/rules.npn");

fn mediated() -> String {
    format!("{PLAN}\n{GENERATED}\n{RULES}")
}

fn constructed(texts: &[&str]) -> Text {
    let mut problems = Problems::new();
    let texts = texts.iter().map(|text| parse(FileId(0), text).0).collect();
    let made = construct(texts, &mut problems);
    assert!(problems.is_empty(), "{problems:?}");
    made
}

/// What `motet nets mediate` prints for the plan.
fn generated() -> String {
    let text = constructed(&[PLAN]);
    let mut mediators = text
        .items
        .iter()
        .filter_map(|item| if let Item::Mediator(found) = item { Some(found) } else { None });
    let mut problems = Problems::new();
    let made = mediate(&text, mediators.next().expect("the plan has one"), &mut problems);
    assert!(problems.is_empty(), "{problems:?}");
    skeleton(&made)
}

#[test]
fn the_net_of_the_example_is_what_the_generator_writes() {
    assert_eq!(generated(), GENERATED);
}

#[test]
fn the_generated_net_loads_with_its_agents_and_nobody_is_left_unanswered() {
    let text = constructed(&[PLAN, GENERATED]);
    assert_eq!(unanswered(&text), []);
    // Without guards the tanks can be filled beyond their range; what matters is that the text is a model.
    let _ = system(&format!("{PLAN}\n{GENERATED}"));
}

/// A marking in words, place by place in the order of their names, with the markings of the agents inside.
fn told(nets: &[NetPicture], marking: &MarkingPicture) -> String {
    let token = |token: &TokenPicture| {
        let agents: Vec<String> = token.agents.iter().map(|agent| told(nets, agent)).collect();
        format!("{} {}{agents:?}", token.count, token.text)
    };
    let places = nets[marking.net].places.iter().zip(&marking.places);
    let mut places: Vec<String> = places
        .map(|(place, tokens)| format!("{}: {:?}", place.name, tokens.iter().map(token).collect::<Vec<_>>()))
        .collect();
    places.sort();
    format!("{}: {}", marking.title, places.join("; "))
}

fn marking(system: &System, nets: &[NetPicture], state: &State) -> String {
    told(nets, &system.words.marking(state).expect("a net has a marking"))
}

/// Every marking with the firings that leave it. Of a firing the transitions count and where it leads, not what its
/// variables are called.
fn graph(text: &str) -> BTreeMap<String, Vec<(Vec<String>, String)>> {
    let system = system(text);
    let nets = system.words.nets();
    let first = initial(&system);
    let mut seen: BTreeSet<Box<State>> = BTreeSet::from([first.clone()]);
    let mut waiting = VecDeque::from([first]);
    let mut graph = BTreeMap::new();
    while let Some(state) = waiting.pop_front() {
        let mut steps = Steps::new(state.len());
        system.model.steps(&state, &mut steps).expect("no fault");
        let mut firings = Vec::new();
        for step in steps.iter() {
            let target = step.branches().next().expect("a firing leads somewhere").target;
            let fired = system.words.fired(step.action).into_iter();
            let names = fired.map(|(net, transition)| nets[net].transitions[transition].name.clone());
            firings.push((names.collect(), marking(&system, &nets, target)));
            if seen.insert(target.into()) {
                waiting.push_back(target.into());
            }
        }
        firings.sort();
        graph.insert(marking(&system, &nets, &state), firings);
    }
    graph
}

#[test]
fn the_refined_net_has_the_markings_and_the_firings_of_the_station_written_by_hand() {
    assert_eq!(counts(&mediated()), Counts(342, 798, 1));
    let (one, other) = (graph(BY_HAND), graph(&mediated()));
    assert_eq!(one.len(), 342, "the words tell all markings apart");
    assert_eq!(one.values().map(Vec::len).sum::<usize>(), 798);
    assert!(one == other, "the same markings, place by place, and the same firings between them");
}

#[test]
fn what_weaving_makes_of_the_generated_net_can_be_printed_and_read_again() {
    let printed = format(&constructed(&[PLAN, GENERATED, RULES]));
    assert_eq!(counts(&printed), Counts(342, 798, 1));
}

#[test]
fn every_claim_has_the_verdict_it_has_by_hand_under_every_fairness() {
    let (by_hand, mediated) = (case(BY_HAND, CLAIMS), case(&mediated(), CLAIMS));
    for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
        assert_eq!(holding(&by_hand, fairness), holding(&mediated, fairness), "{fairness:?}");
    }
    let safe = ["Exclusive", "Levels", "Served", "Gas", "End", "Both"];
    assert_eq!(holding(&mediated, Fairness::None), safe);
}

/// The numbers of the variants are those of the station written by hand, counted by two independent executors.
#[test]
fn the_variants_of_the_station_have_the_same_counts() {
    let variants: [(&[(&str, &str)], Counts); 4] = [
        (&[("DIESEL = 10", "DIESEL = 0"), ("REGULAR = 10", "REGULAR = 0")], Counts(4104, 12912, 1)),
        (&[("CREDIT = 5", "CREDIT = 0")], Counts(258, 572, 0)),
        (&[("PUMPS = 3", "PUMPS = 1")], Counts(96, 226, 1)),
        (&[("TRUCKS = 1", "TRUCKS = 2")], Counts(4590, 15930, 1)),
    ];
    for (changes, expected) in variants {
        assert_eq!(counts(&with(&mediated(), changes)), expected, "{changes:?}");
    }
}

/// Chang 2011, table 3. By hand the station has the pump in the postset of `PumpDiesel` too; that is a refinement.
#[test]
fn the_plan_has_the_rows_of_the_published_table() {
    let plan = constructed(&[PLAN]);
    assert_eq!(unanswered(&plan), [], "before there is a net, the plan answers");
    let rows = coordination(&plan);
    let truck = rows.iter().filter(|row| row.net == "Truck").map(|row| {
        let lists = [&row.data, &row.agents, &row.preset, &row.postset].map(|list| list.join(", "));
        format!("{} | {} | {} | {}", row.command, row.coordinator, row.answer, lists.join(" | "))
    });
    assert_eq!(
        truck.collect::<Vec<_>>(),
        [
            "S?st | Park | N!st | pumping_station | in_station, parked | pumping_station, in_station | parked",
            "S!<c.kind, cr, c.st> | Pay | N?<c.kind, cr, c.st> | transactions | parked, waiting | parked | waiting, transactions",
            "S?g | PumpDiesel | N!g | authorized, diesel_gas | waiting, pumped | authorized, diesel_gas, waiting | pumped",
            "S?cr | Fail | N!cr | authorized | waiting, parked | authorized, waiting | parked",
        ]
    );
    assert_eq!(rows.len(), 4 + 4 + 4 + 2, "an order is taken by one transition and given by two");
}
