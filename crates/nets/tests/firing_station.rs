//! The gas station of Chang (2011), appendices A1 and A2, in all variants whose state spaces were counted by two independent
//! executors, one written for the model by hand and one that interprets its text.

mod firing_lab;

use firing_lab::{Counts, STATION, afresh, counts, same_graph, system, with};

/// The second tank also empty.
fn empty_tanks(text: &str) -> String {
    with(text, &[("int 0..10 = 10", "int 0..10 = 0")])
}

const TWO: &str = "{ (1, new Diesel(1)), (2, new Regular(2)) }";
const STATIONS: &str = "{ 1, 2, 3 }";

#[test]
fn the_station_has_342_states() {
    assert_eq!(counts(STATION), Counts(342, 798, 1));
}

#[test]
fn without_an_exit_nobody_stops() {
    let closed = with(STATION, &[("transition drive_out    { in pumped(a); }", "")]);
    assert_eq!(counts(&closed), Counts(301, 628, 0));
}

#[test]
fn empty_tanks_are_ordered_full() {
    assert_eq!(counts(&empty_tanks(STATION)), Counts(4104, 12912, 1));
}

#[test]
fn a_card_without_credit_is_tried_for_ever() {
    assert_eq!(counts(&with(STATION, &[("(1,5)", "(1,0)")])), Counts(258, 572, 0));
}

#[test]
fn one_pump_serves_one_after_the_other() {
    assert_eq!(counts(&with(STATION, &[(STATIONS, "{ 1 }")])), Counts(96, 226, 1));
}

/// Appendix A2 as printed: the pump is never given back.
#[test]
fn a_pump_that_is_never_given_back_leaves_a_car_waiting() {
    let text =
        with(STATION, &[(STATIONS, "{ 1 }"), ("out pumped(a), pumping_station(r.st);", "out pumped(a);")]);
    assert_eq!(counts(&text), Counts(40, 70, 2));
}

/// Appendix A2 as printed: the refusal does not ask whose report it is.
#[test]
fn a_refusal_without_a_name_refuses_the_wrong_car() {
    let text = with(STATION, &[("(1,5), ", ""), ("when a.aid = r.aid and r.ok = 0;", "when r.ok = 0;")]);
    assert_eq!(counts(&text), Counts(420, 914, 6));
}

/// Appendices A1 and A2 as printed: channels carry values but no names. One port of one number stands for `st`, `g` and `cr`.
#[test]
fn without_ports_a_grant_can_be_taken_for_a_refusal() {
    let text = with(
        STATION,
        &[
            ("port pump(g: int 0..1);", "port pump(g: int);"),
            ("? deny(cr)", "? pump(cr)"),
            ("! deny(r.card)", "! pump(r.card)"),
            ("? park(st)", "? pump(st)"),
            ("! park(st)", "! pump(st)"),
            ("port park(st: int 1..3);", ""),
            ("port deny(card: int);", ""),
        ],
    );
    assert_eq!(counts(&text), Counts(477, 1206, 1));
}

#[test]
fn three_consumers_have_4590_states() {
    let text = with(STATION, &[(TWO, "{ (1, new Diesel(1)), (2, new Diesel(2)), (5, new Regular(3)) }")]);
    assert_eq!(counts(&text), Counts(4590, 15930, 1));
}

#[test]
fn four_consumers_have_53136_states_however_they_are_mixed() {
    for four in [
        "{ (1, new Diesel(1)), (2, new Diesel(2)), (5, new Regular(3)), (6, new Regular(4)) }",
        "{ (1, new Diesel(1)), (2, new Diesel(2)), (5, new Diesel(3)), (6, new Regular(4)) }",
    ] {
        assert_eq!(counts(&with(STATION, &[(TWO, four)])), Counts(53136, 245_160, 1));
    }
}

#[test]
fn three_consumers_two_pumps_and_no_gas_have_24624_states() {
    let text = with(
        &empty_tanks(STATION),
        &[(TWO, "{ (1, new Diesel(1)), (2, new Diesel(2)), (5, new Regular(3)) }"), (STATIONS, "{ 1, 2 }")],
    );
    assert_eq!(counts(&text), Counts(24624, 106_200, 1));
}

/// Instances have no numbers: with numbers there would be 5574.
#[test]
fn an_agent_that_is_created_later_is_like_one_that_was_there() {
    let exit = "transition drive_out    { in pumped(a); }";
    let entry = format!("{exit}\n  transition drive_in limit 1 {{ out in_station(5, new Diesel(3)); }}");
    assert_eq!(counts(&with(STATION, &[(exit, &entry)])), Counts(4932, 17070, 1));
}

#[test]
fn steps_are_the_same_when_nothing_is_remembered() {
    for text in [STATION.to_owned(), with(STATION, &[("(1,5)", "(1,0)")])] {
        same_graph(&system(&text).model, &afresh(&text));
    }
}
