//! The published case studies, and what their resolved form looks like.

mod resolving;

use motet_nets::program::{Exchange, Expr, Partner, PlaceKind, VariableId};
use motet_nets::value::Value;
use resolving::{read, resolved, said};

const STATION: &str = include_str!("texts/station.npn");
const BCIN: &str = include_str!("texts/bcin.npn");

#[test]
fn the_gas_station_has_no_problems() {
    assert_eq!(said(STATION), "");
}

#[test]
fn the_business_continuity_network_has_no_problems() {
    assert_eq!(said(BCIN), "");
}

#[test]
fn the_partner_is_found_in_the_token_of_its_arc() {
    let program = resolved(STATION).program;
    let net = &program.nets[program.system.0 as usize];
    let park = &net.transitions.iter().find(|transition| transition.name == "Park").unwrap().alternatives[0];
    let sync = park.sync.as_ref().unwrap();
    assert!(matches!(&sync.partner, Partner::Agent { arc: 0, fields } if fields == &[1]));
    assert!(matches!(&sync.exchange, Exchange::Send(values) if values.len() == 1));
    assert_eq!(park.variables, ["a", "st"]);
    assert_eq!(park.key, [VariableId(0), VariableId(1)]);
}

#[test]
fn what_may_leave_a_range_is_tested_and_what_cannot_is_not() {
    let program = resolved(STATION).program;
    let net = &program.nets[program.system.0 as usize];
    let pump =
        &net.transitions.iter().find(|transition| transition.name == "PumpDiesel").unwrap().alternatives[0];
    assert!(matches!(&pump.updates[0].1, Expr::Ranged(_, 0, 10, _)));
    // Both the place and the field of the report are `int 1..3`.
    assert!(matches!(&pump.outputs[1].term, Expr::Field(..)));
}

#[test]
fn a_limit_is_a_hidden_cell_that_is_counted_down() {
    let text = "system net S() { place p : token; transition t limit 2 { out p; } }";
    let program = resolved(text).program;
    let net = &program.nets[0];
    assert_eq!(net.places.len(), 2);
    assert_eq!(net.places[1].kind, PlaceKind::Limit);
    let alternative = &net.transitions[0].alternatives[0];
    assert_eq!(alternative.guards.len(), 1);
    assert_eq!(alternative.updates.len(), 1);
}

#[test]
fn constants_are_bound_anew_and_everything_made_of_them_follows() {
    let text = "const N = 2; const M = N + 1; type R = int 0..M;
                system net S() { place p : R = { x | x in 0..N }; transition t { in p(x); } }";
    assert_eq!(resolved(text).program.constants, [("M".into(), Value::Int(3)), ("N".into(), Value::Int(2))]);
    let (found, problems) = read(text, &[("N", "4")]);
    assert_eq!(problems, "");
    assert_eq!(found.unwrap().program.constants[0], ("M".into(), Value::Int(5)));
}
