//! What holds in the gas station, and how fair runs have to be.

mod firing_lab;

use firing_lab::{Case, STATION, attempt, case, holding, told_run, with};
use motet_evidence::Fairness;

const DEFINITIONS: &str = "
def g1_exclusive = forall a in cars, b in cars: a != b =>
    (forall x in a.net.ToPump union a.net.standby, y in b.net.ToPump union b.net.standby: x.st != y.st);
def g2_levels = (forall a in waiting: nonempty(a.net.standby)) and (forall a in parked: nonempty(a.net.ToPump));
def g3_tank = forall a in pumped: not nonempty(a.net.standby);
def gone = size(pumped) = 0 and size(waiting) = 0 and size(parked) = 0 and size(in_station) = 0;
def served(n) = exists a in pumped: a.aid = n;
";

const CLAIMS: &str = "
property g1: always g1_exclusive
property g2: always g2_levels
property g3: always g3_tank
property g4: always diesel_gas + regular_gas + #pumped <= 20
property g5: always (deadlock -> gone)
possible g6: #pumped = 2
property no_deadlock: never deadlock
";

fn asked(text: &str, claims: &str) -> Case {
    case(&format!("{text}{DEFINITIONS}"), claims)
}

#[test]
fn the_station_is_safe_and_ends_properly() {
    let case = asked(STATION, CLAIMS);
    assert_eq!(holding(&case, Fairness::None), ["g1", "g2", "g3", "g4", "g5", "g6"]);
    assert_eq!(told_run(&case, "g6").len(), 14);
    let closed = with(STATION, &[("transition drive_out    { in pumped(a); }", "")]);
    assert!(holding(&asked(&closed, CLAIMS), Fairness::None).contains(&"no_deadlock".to_owned()));
}

#[test]
fn a_pump_that_is_never_given_back_is_no_proper_end() {
    let text = with(
        STATION,
        &[("{ 1, 2, 3 }", "{ 1 }"), ("out pumped(a), pumping_station(r.st);", "out pumped(a);")],
    );
    assert!(!holding(&asked(&text, CLAIMS), Fairness::None).contains(&"g5".to_owned()));
}

#[test]
fn without_ports_two_cars_can_be_at_one_pump() {
    let text = with(
        STATION,
        &[
            ("port pump(g: int 0..1);", "port pump(g: int);"),
            ("? deny(cr)", "? pump(cr)"),
            ("! deny(r.card)", "! pump(r.card)"),
            ("port deny(card: int);", ""),
        ],
    );
    assert!(!holding(&asked(&text, CLAIMS), Fairness::None).contains(&"g1".to_owned()));
}

/// Whether consumer `n` is served on all runs that are fair in this way.
fn serves(text: &str, n: u32, fairness: Fairness, rules: &[(&str, &str)]) -> bool {
    let claims = format!("property served: F served({n})");
    let case = attempt(&format!("{text}{DEFINITIONS}"), &claims, rules).expect("a model");
    !holding(&case, fairness).is_empty()
}

#[test]
fn the_first_consumer_is_served_on_fair_runs() {
    assert!(!serves(STATION, 1, Fairness::None, &[]), "the other one drives to and fro for ever");
    assert!(serves(STATION, 1, Fairness::Weak, &[]));
    assert!(serves(STATION, 1, Fairness::Strong, &[]));
}

#[test]
fn beside_a_card_without_credit_only_strong_fairness_to_modes_serves_the_other() {
    let text = with(STATION, &[("(1,5)", "(1,0)")]);
    assert!(!serves(&text, 2, Fairness::None, &[]));
    assert!(!serves(&text, 2, Fairness::Weak, &[]));
    assert!(serves(&text, 2, Fairness::Strong, &[]));
    assert!(!serves(&text, 2, Fairness::Strong, &[("fairness", "transition")]));
}
