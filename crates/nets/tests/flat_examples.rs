//! The nets of the examples do the same whether their expressions are computed from lists of nodes, with answers that were
//! given before, or from trees, each time anew: in every reachable state, with all their claims.

mod firing_lab;

use firing_lab::{Counts, afresh_with, case, same_graph, same_up_to, with};

macro_rules! example {
    ($folder:literal, $($file:literal),+) => {
        concat!($(include_str!(concat!("../../../examples/", $folder, "/", $file)), "\n"),+)
    };
}

/// Everything that can be reached is the same.
fn compared(text: &str, claims: &str) -> Counts {
    let case = case(text, claims);
    assert!(!case.atoms.is_empty());
    same_graph(&case.system.model, &afresh_with(text, &case.atoms))
}

#[test]
fn the_stations_are_the_same() {
    let claims = example!("gas-station", "station.props");
    let all = Counts(342, 798, 1);
    assert_eq!(compared(example!("gas-station", "station.npn"), claims), all);
    assert_eq!(compared(example!("gas-station-aspects", "station.npn"), claims), all);
    let mediated = example!("gas-station-mediated", "plan.npn", "station.npn", "rules.npn");
    assert_eq!(compared(mediated, claims), all);
}

#[test]
fn stations_with_more_cars_and_less_fuel_are_the_same_as_far_as_they_are_walked() {
    let text = with(
        example!("gas-station", "station.npn"),
        &[("TRUCKS = 1", "TRUCKS = 2"), ("DIESEL = 10", "DIESEL = 0"), ("CREDIT = 5", "CREDIT = 1")],
    );
    let case = case(&text, example!("gas-station", "station.props"));
    let walked = same_up_to(600, &case.system.model, &afresh_with(&text, &case.atoms));
    assert_eq!(walked.0, 600);
}

#[test]
fn the_networks_are_the_same() {
    let all = Counts(343, 882, 1);
    assert_eq!(compared(example!("bcin", "bcin.npn"), example!("bcin", "bcin.props")), all);
    assert_eq!(compared(example!("bcin-roles", "bcin.npn"), example!("bcin-roles", "bcin.props")), all);
    let literal = compared(example!("bcin-literal", "bcin.npn"), example!("bcin-literal", "bcin.props"));
    assert!(literal.0 > 100);
}

#[test]
fn the_other_nets_are_the_same() {
    let market = compared(example!("e-market", "market.npn"), example!("e-market", "market.props"));
    let campus = compared(example!("wsn", "campus.npn"), example!("wsn", "campus.props"));
    let workflow = compared(example!("workflow", "workflow.npn"), example!("workflow", "workflow.props"));
    let travel = compared(example!("travel", "travel.npn"), example!("travel", "travel.props"));
    assert!([market, campus, workflow, travel].iter().all(|counts| counts.0 > 3));
    let dinner = example!("dining-cryptographers", "dinner.npn");
    let case = case(dinner, example!("dining-cryptographers", "dinner.props"));
    let walked = same_up_to(700, &case.system.model, &afresh_with(dinner, &case.atoms));
    assert_eq!(walked.0, 700);
}
