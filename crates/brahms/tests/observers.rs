//! What an actor sees of a state: its beliefs, its work and its place (`spec/claims/knowledge.md`).

mod rules_lab;

use std::collections::BTreeSet;
use std::sync::Arc;

use motet_model::{AtomId, AtomText, Checked, Expr, Model as _, ObserverId, Operator, State, System};
use rules_lab::{observed, reachable, size, system};

fn is(of: &str, attribute: &str, value: &str) -> Expr {
    let name = |name: &str| Box::new(Expr::Call(name.to_owned(), Vec::new()));
    Expr::Binary(Operator::Eq, Box::new(Expr::Field(name(of), attribute.to_owned())), name(value))
}

fn view(system: &System, observer: &str, state: &State) -> Vec<u32> {
    let model = Checked::new(Arc::clone(&system.model));
    let number = model.signature().observers.iter().position(|name| name == observer).expect("an observer");
    let mut seen = Vec::new();
    model.facets().observe(ObserverId(u32::try_from(number).expect("few")), state, &mut seen);
    seen
}

/// Whether some two reachable states look the same to an observer although an atom holds in one of them only.
fn hides(system: &System, observer: &str, atom: u32) -> bool {
    let (states, _) = reachable(system);
    let truth = |state: &State| system.model.holds(AtomId(atom), state);
    states.iter().any(|one| {
        states
            .iter()
            .any(|two| truth(one) != truth(two) && view(system, observer, one) == view(system, observer, two))
    })
}

const HOUSE: &str = "
    areadef Room { } area Hall instanceof Room { } area Kitchen instanceof Room { }
    path hall_kitchen { area1: Hall; area2: Kitchen; distance: 20; }
    agent Ann {
        location: Hall;
        attributes: public boolean warned;
        initial_beliefs: (current.warned = false);
        initial_facts: (Lamp.lit = false);
        activities:
            primitive_activity wait() { max_duration: 600; }
            move go() { location: Kitchen; }
        workframes:
            workframe wf_wait { repeat: false; do { wait(); go(); } }
            workframe wf_late {
                repeat: false;
                detectables: detectable lit { detect((Lamp.lit = true)) then continue; }
                when(knownval(Ann.location = Kitchen)) do { wait(); conclude((current.warned = true)); }
            }
    }
    agent Ben {
        attributes: public boolean tired;
        initial_beliefs: (current.tired = false);
        activities: primitive_activity walk() { max_duration: 60; }
        workframes: workframe wf_walk { repeat: false; do {
            walk(); conclude((Lamp.lit = true)); walk(); conclude((current.tired = true), fc: 0); } }
    }
    class Light { attributes: public boolean lit; }
    object Lamp instanceof Light { }";

fn house() -> System {
    let atoms = [
        AtomText::Believes("Ann".to_owned(), is("Ann", "warned", "true")),
        AtomText::Believes("Ben".to_owned(), is("Ben", "tired", "true")),
        AtomText::Fact(is("Lamp", "lit", "true")),
        AtomText::Fact(is("Ann", "location", "Kitchen")),
    ];
    system(HOUSE, &[], &atoms)
}

#[test]
fn agents_and_objects_are_observers() {
    assert_eq!(house().model.signature().observers, ["Ann", "Ben", "Lamp"]);
}

#[test]
fn an_actor_sees_its_own_beliefs_and_where_it_is() {
    let house = house();
    assert!(!hides(&house, "Ann", 0));
    assert!(!hides(&house, "Ben", 1));
    assert!(!hides(&house, "Ann", 3));
}

#[test]
fn what_others_believe_and_what_was_not_detected_is_not_seen() {
    let house = house();
    assert!(hides(&house, "Ann", 1), "Ben's mind");
    assert!(hides(&house, "Ben", 0), "Ann's mind");
    assert!(hides(&house, "Ann", 2), "a lamp that she has not looked at");
    assert!(hides(&house, "Ben", 3), "where Ann is");
}

#[test]
fn how_long_an_activity_has_been_going_on_is_not_seen() {
    // Ann waits for ten minutes. Ben does something after one and after two of them; to Ann these are no events.
    let house = house();
    let (states, _) = reachable(&house);
    let waiting = |state: &State| {
        let minds = house.words.snapshot(state).minds;
        let ann = minds.into_iter().find(|mind| mind.name == "Ann").expect("Ann");
        ann.sections.iter().any(|section| section.items.iter().any(|item| item.contains("wf_wait")))
    };
    let views: Vec<Vec<u32>> =
        states.iter().filter(|state| waiting(state)).map(|state| view(&house, "Ann", state)).collect();
    let different: BTreeSet<&Vec<u32>> = views.iter().collect();
    assert!(views.len() > different.len() + 1, "{} views, {} different", views.len(), different.len());
}

const BLINK: &str = "
    agent Bob {
        attributes: public int x; public boolean y;
        initial_beliefs: (current.x = 0);
        initial_facts: (current.y = false);
        thoughtframes:
            thoughtframe one { when(knownval(current.x = 0)) do { conclude((current.x = 1), fc: 0); } }
            thoughtframe two { when(knownval(current.x = 1)) do { conclude((current.y = true), bc: 0); } }
            thoughtframe three { when(knownval(current.x = 1)) do { conclude((current.x = 2), fc: 0); } }
    }";

#[test]
fn a_moment_at_which_an_observer_sees_something_new_is_a_state() {
    let done = AtomText::Fact(is("Bob", "y", "true"));
    let (plain, shown) = (system(BLINK, &[], &[]), observed(BLINK, &[], &[], &["Bob"]));
    assert!(size(&shown).0 > size(&plain).0, "{:?} {:?}", size(&shown), size(&plain));
    // What Bob sees at all does not depend on what else is asked for.
    let views = |system: &System| -> BTreeSet<Vec<u32>> {
        reachable(system).0.iter().map(|state| view(system, "Bob", state)).collect()
    };
    let more = observed(BLINK, &[], std::slice::from_ref(&done), &["Bob"]);
    assert_eq!(views(&shown).len(), views(&more).len());
    assert!(views(&plain).len() < views(&shown).len());
}
