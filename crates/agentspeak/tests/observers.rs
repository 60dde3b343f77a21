//! What an agent sees of a state: its own mind (`spec/claims/knowledge.md`).

mod support;

use std::sync::Arc;

use motet_model::{AtomId, Checked, Model as _, ObserverId, State, System};
use support::{believes, call, explore, load_with};

const TEAM: &str = "team t\nmode strict\nagent ann\nagent ben\nenv w {
    var lamp : 0..1 = 0
    percept to ann: lit when lamp == 1
    step switch when lamp == 0 { lamp := 1 }
}\n";
const ANN: &str = "+lit : true <- .send(ben, tell, lit).";
const BEN: &str = "+lit : true <- +told.";

const ANN_SEES: AtomId = AtomId(0);
const BEN_TOLD: AtomId = AtomId(1);
const LAMP: AtomId = AtomId(2);

fn house() -> System {
    let lamp = motet_model::Expr::Binary(
        motet_model::Operator::Eq,
        Box::new(call("lamp", &[])),
        Box::new(motet_model::Expr::Int(1)),
    );
    let atoms =
        [believes("ann", "lit", &[]), believes("ben", "told", &[]), motet_model::AtomText::Fact(lamp)];
    load_with(&[("t.team", TEAM), ("ann.asl", ANN), ("ben.asl", BEN)], &atoms, &[])
}

fn view(system: &System, observer: u32, state: &State) -> Vec<u32> {
    let mut seen = Vec::new();
    Checked::new(Arc::clone(&system.model)).facets().observe(ObserverId(observer), state, &mut seen);
    seen
}

/// Whether some two reachable states look the same to an observer although an atom holds in one of them only.
fn hides(system: &System, observer: u32, atom: AtomId) -> bool {
    let states = explore(system).states;
    let truth = |state: &State| system.model.holds(atom, state);
    states.iter().any(|one| {
        states
            .iter()
            .any(|two| truth(one) != truth(two) && view(system, observer, one) == view(system, observer, two))
    })
}

#[test]
fn the_agents_are_the_observers() {
    assert_eq!(house().model.signature().observers, ["ann", "ben"]);
}

#[test]
fn a_belief_of_ones_own_is_always_seen() {
    let house = house();
    assert!(!hides(&house, 0, ANN_SEES));
    assert!(!hides(&house, 1, BEN_TOLD));
}

#[test]
fn what_others_believe_and_what_nobody_has_looked_at_is_not_seen() {
    let house = house();
    assert!(hides(&house, 1, ANN_SEES), "ben cannot look into ann's mind");
    assert!(hides(&house, 0, BEN_TOLD), "nor ann into ben's");
    assert!(hides(&house, 0, LAMP), "ann has not looked yet");
}

#[test]
fn a_message_that_was_not_read_yet_is_seen() {
    let house = house();
    let graph = explore(&house);
    let states = &graph.states;
    let mail = |state: &State| support::section(&house, state, "ben", "mail");
    let unread = states.iter().find(|state| !mail(state).is_empty()).expect("the message arrives");
    let quiet = states.iter().filter(|state| mail(state).is_empty());
    for state in quiet {
        assert_ne!(view(&house, 1, unread), view(&house, 1, state));
    }
}
