//! What construction makes behaves like what was written by hand. The numbers of states, steps and dead states are those of
//! the hand-written models, which two independent executors have counted.

mod firing_lab;

use firing_lab::{Counts, counts};
use motet_model::{Language as _, Options};
use motet_nets::Nets;
use motet_nets::construct::{construct, mediate, skeleton};
use motet_nets::parse::parse;
use motet_nets::print::format;
use motet_nets::syntax::{Item, Level, Text};
use motet_source::{FileId, Problems, Sources};

const STATION: &str = include_str!("texts/station.npn");
const ASPECT: &str = include_str!("texts/station_aspect.npn");
const ROLES: &str = include_str!("texts/bcin_roles.npn");

#[test]
fn the_woven_station_has_the_states_of_the_station() {
    assert_eq!(counts(ASPECT), Counts(342, 798, 1));
}

#[test]
fn the_network_of_roles_and_operations_has_the_states_of_the_network() {
    assert_eq!(counts(ROLES), Counts(343, 882, 1));
}

#[test]
fn what_is_printed_after_construction_has_the_same_states() {
    for (text, expected) in [(ASPECT, Counts(342, 798, 1)), (ROLES, Counts(343, 882, 1))] {
        let mut problems = Problems::new();
        let made = construct(vec![parse(FileId(0), text).0], &mut problems);
        assert!(problems.is_empty());
        assert_eq!(counts(&format(&made)), expected);
    }
}

/// The errors of a model.
fn errors(text: &str) -> String {
    let mut sources = Sources::new();
    sources.add("m.npn", text);
    let mut problems = Problems::new();
    let read = Nets.read(&sources, &Options::default(), &mut problems);
    if read.is_some() && !problems.has_errors() { String::new() } else { problems.lines(&sources) }
}

#[test]
fn the_skeleton_of_a_mediator_is_a_model_with_its_agents() {
    let mediator = "mediator Made from Diesel, Regular, Bank, Producer {
        Diesel.Park : Park in_station -> parked msg pumping_station;
        Diesel.SlideCard : Pay parked -> waiting msg transactions;
        Diesel.PumpDiesel : Pump waiting -> pumped msg gas;
        Regular.PumpRegular : Pump waiting -> pumped msg gas;
      }";
    let (text, _) = parse(FileId(0), &format!("{STATION}{mediator}"));
    let rows =
        text.items.iter().find_map(|item| if let Item::Mediator(rows) = item { Some(rows) } else { None });
    let mut problems = Problems::new();
    let made = mediate(&text, rows.expect("it was written"), &mut problems);
    assert!(problems.is_empty(), "{problems:?}");
    let without = |item: &Item| match item {
        Item::Net(net) => net.level == Level::Agent,
        Item::Definition(_) | Item::Mediator(_) => false,
        _ => true,
    };
    let agents = Text { items: text.items.iter().filter(|item| without(item)).cloned().collect() };
    assert_eq!(errors(&format!("{}\n{}", format(&agents), skeleton(&made))), "");
}

#[test]
fn a_mediator_beside_the_net_that_was_made_of_it_does_no_harm() {
    let mediator =
        "mediator Plan from Diesel { Diesel.Park : Park in_station -> parked msg pumping_station; }";
    assert_eq!(counts(&format!("{STATION}{mediator}")), Counts(342, 798, 1));
}
