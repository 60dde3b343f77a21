//! The tables of a design and the skeleton of its system net.

use motet_nets::construct::{construct, mediate, skeleton};
use motet_nets::parse::parse;
use motet_nets::syntax::{Item, Mediator, Text};
use motet_nets::tables::{CoordinationRow, Direction, Side, coordination, interactions, unanswered};
use motet_source::{FileId, Problems, Sources};

const STATION: &str = include_str!("texts/station.npn");

/// Chang 2011, table 3, says these names for the consumers.
const MEDIATOR: &str = "
mediator Station from Diesel, Regular, Bank, Producer {
  Diesel.Park       : Park       in_station -> parked  msg pumping_stations;
  Diesel.SlideCard  : Pay        parked     -> waiting msg transactions;
  Diesel.PumpDiesel : PumpDiesel waiting    -> pumped  msg diesel_gas also authorized;
  Diesel.Deny       : Fail       waiting    -> parked  msg authorized;
}
";

fn tree(text: &str) -> Text {
    let mut sources = Sources::new();
    let file = sources.add("m", text);
    let (tree, mut problems) = parse(file, text);
    let made = construct(vec![tree], &mut problems);
    assert!(problems.is_empty(), "{}", problems.lines(&sources));
    made
}

fn with_mediator(rows: &str) -> Text {
    tree(&format!("{STATION}{rows}"))
}

fn mediator(text: &Text) -> &Mediator {
    let found = text.items.iter().find_map(|item| if let Item::Mediator(m) = item { Some(m) } else { None });
    found.expect("there is one")
}

/// Chang 2011, figure 25 for the diesel consumer.
#[test]
fn the_interactions_of_the_diesel_consumer_are_those_of_the_published_table() {
    let rows: Vec<String> = interactions(&tree(STATION))
        .iter()
        .filter(|row| row.net == "Diesel")
        .map(|row| {
            let direction = if row.direction == Direction::In { "in" } else { "out" };
            format!("{} | {direction} | {} | {}", row.transition, row.information, row.command)
        })
        .collect();
    assert_eq!(
        rows,
        [
            "Park | in | st | S?st",
            "SlideCard | out | <c.kind, cr, c.st> | S!<c.kind, cr, c.st>",
            "PumpDiesel | in | g | S?g",
            "Deny | in | cr | S?cr",
        ]
    );
}

fn shown(row: &CoordinationRow) -> String {
    [
        row.command.clone(),
        row.coordinator.clone(),
        row.answer.clone(),
        row.data.join(", "),
        row.agents.join(", "),
        row.preset.join(", "),
        row.postset.join(", "),
    ]
    .join(" | ")
}

/// Chang 2011, table 3. There the values that are paid with are called `car, cr, st`; here they are written as the net has
/// them.
#[test]
fn the_coordination_of_the_diesel_consumer_is_that_of_the_published_table() {
    let text = with_mediator(MEDIATOR);
    let rows = coordination(&text);
    let diesel: Vec<String> = rows.iter().filter(|row| row.net == "Diesel").map(shown).collect();
    assert_eq!(
        diesel,
        [
            "S?st | Park | N!st | pumping_stations | in_station, parked | pumping_stations, in_station | parked",
            "S!<c.kind, cr, c.st> | Pay | N?<c.kind, cr, c.st> | transactions | parked, waiting | parked | waiting, transactions",
            "S?g | PumpDiesel | N!g | authorized, diesel_gas | waiting, pumped | authorized, diesel_gas, waiting | pumped",
            "S?cr | Fail | N!cr | authorized | waiting, parked | authorized, waiting | parked",
        ]
    );
    // The other consumer follows where its transitions are called alike, and is named by rule where not.
    let regular: Vec<String> = rows.iter().filter(|row| row.net == "Regular").map(shown).collect();
    assert_eq!(regular[0], diesel[0]);
    assert_eq!(
        regular[2],
        "S?g | PumpRegular | N!g | PumpRegular_msg | Regular_before_PumpRegular, Regular_after_PumpRegular \
         | PumpRegular_msg, Regular_before_PumpRegular | Regular_after_PumpRegular"
    );
    assert_eq!(rows.len(), 4 + 4 + 2 + 3);
}

#[test]
fn a_finished_system_net_has_its_rows_too() {
    let rows = coordination(&tree(STATION));
    let park =
        rows.iter().find(|row| row.net == "Diesel" && row.transition == "Park").expect("it is answered");
    assert_eq!(
        shown(park),
        "S?st | Park | N!st | pumping_station | in_station, parked | in_station, pumping_station | parked"
    );
    let pump: Vec<&str> = rows
        .iter()
        .filter(|row| row.net == "Diesel" && row.transition == "PumpDiesel")
        .map(|row| row.coordinator.as_str())
        .collect();
    assert_eq!(
        pump,
        ["PumpDiesel", "PumpRegular"],
        "both send through the port, and a guard tells them apart"
    );
}

#[test]
fn the_skeleton_has_one_transition_for_each_coordinator() {
    let text = with_mediator(
        "mediator Skeleton from Diesel, Regular {
           Diesel.Park : Park in_station -> parked msg pumping_station;
           Diesel.SlideCard : Pay parked -> waiting msg transactions;
           Diesel.PumpDiesel : Pump waiting -> pumped msg gas also authorized;
           Regular.PumpRegular : Pump waiting -> pumped msg gas also authorized;
           Diesel.Deny : Fail waiting -> parked msg refused also spare;
         }",
    );
    let mut problems = Problems::new();
    let made = mediate(&text, mediator(&text), &mut problems);
    assert!(problems.is_empty(), "{problems:?}");
    let printed = skeleton(&made);
    assert_eq!(
        printed,
        "// authorized: its sort is not known from any message; `token` stands for it
// spare: its sort is not known from any message; `token` stands for it
// in_station: no coordinator leads here; mark it with agents, such as `new Diesel(card)`
system net Skeleton() {
  place in_station : agent;
  place parked : agent;
  place pumping_station : int 1..3;
  place waiting : agent;
  place transactions : (kind: CAR, card: int, st: int 1..3);
  place pumped : agent;
  place gas : int 0..1;
  place refused : int;
  place authorized : token;
  place spare : token;

  transition Park {
    in in_station(a), pumping_station(st);
    sync a ! park(st);
    when true;  // to be refined
    out parked(a);
  }
  transition Pay {
    in parked(a);
    sync a ? pay(kind, card, st);
    when true;  // to be refined
    out waiting(a), transactions(kind, card, st);
  }
  transition Pump {
    in waiting(a), gas(g), authorized;
    sync a ! pump(g);
    when true;  // to be refined
    out pumped(a);
  }
  transition Fail {
    in waiting(a), refused(card), spare;
    sync a ! deny(card);
    when true;  // to be refined
    out parked(a);
  }
}
"
    );
    let (again, problems) = parse(FileId(0), &printed);
    assert!(problems.is_empty(), "it is read again");
    let Item::Net(net) = &again.items[0] else { panic!("a net") };
    assert_eq!(motet_nets::print::format_net(net), motet_nets::print::format_net(&made.net));
}

#[test]
fn everything_is_named_by_rule_if_nothing_is_said() {
    let text = with_mediator("mediator M from Bank { }");
    let mut problems = Problems::new();
    let made = mediate(&text, mediator(&text), &mut problems);
    assert!(problems.is_empty());
    let printed = skeleton(&made);
    for part in [
        "place Bank_before_CheckCredit : agent;",
        "place CheckCredit_msg : Trans;",
        "in Bank_before_CheckCredit(a), CheckCredit_msg(t);",
        "sync a ! check(t);",
        "sync a ? report(r);",
        "out Bank_after_ReportCredit(a), ReportCredit_msg(r);",
    ] {
        assert!(printed.contains(part), "{part}\n{printed}");
    }
}

#[test]
fn rows_that_do_not_fit_are_told() {
    let told = |mediators: &str| {
        let mut problems = Problems::new();
        let (text, _) = parse(FileId(0), &format!("{STATION}{mediators}"));
        let _ = construct(vec![text], &mut problems);
        problems.iter().map(|problem| format!("{} {}", problem.code, problem.message)).collect::<Vec<_>>()
    };
    assert_eq!(told("mediator M from Disel { }"), ["M1075 there is no agent net `Disel` to coordinate"]);
    assert_eq!(
        told("mediator M from Bank { Diesel.Park : P a -> b; }"),
        ["M1075 `Diesel` is not one of the nets of `M`"]
    );
    assert_eq!(told("mediator M from Bank, Bank { }"), ["M1075 `Bank` is named twice"]);
    assert_eq!(
        told("mediator M from Bank { Bank.Deny : P a -> b; }"),
        ["M1076 `Bank` has no channel transition `Deny`"]
    );
    assert_eq!(
        told("mediator M from Bank { Bank.CheckCredit : P a -> b; Bank.CheckCredit : P a -> b; }"),
        ["M1076 `P` answers `Bank.CheckCredit` in two rows"]
    );
    assert_eq!(
        told("mediator M from Bank { Bank.CheckCredit : P a -> b; Bank.ReportCredit : P a -> b; }"),
        ["M1077 two rows say different things about `P`"]
    );
    assert_eq!(
        told("mediator M from Bank { Bank.CheckCredit : P a -> b msg a; }"),
        ["M1078 the place `a` would hold agent and Trans"]
    );
}

#[test]
fn places_of_a_mediator_that_do_not_fit_are_told() {
    let told = |places: &str, row: &str| {
        let mut problems = Problems::new();
        let text = format!("{STATION}mediator M from Bank {{ {places} {row} }}");
        let (text, found) = parse(FileId(0), &text);
        assert!(found.is_empty(), "{found:?}");
        let _ = construct(vec![text], &mut problems);
        problems.iter().map(|problem| format!("{} {}", problem.code, problem.message)).collect::<Vec<_>>()
    };
    let hears = "Bank.ReportCredit : R b -> b msg reports;";
    let bank = "place b : (aid: int, net: agent);";
    assert_eq!(told(&format!("{bank} place reports : Report;"), hears), [""; 0]);
    assert_eq!(told(&format!("{bank} place reports : (aid: int, r: Report);"), hears), [""; 0]);
    assert_eq!(
        told(&format!("{bank} place reports : (aid: int, r: Report, colour: int);"), hears),
        ["M1078 nothing gives the field `colour` of the place `reports`"]
    );
    assert_eq!(told("place b : int;", hears), ["M1078 `b` and `b` hold agents, and this place does not"]);
    assert_eq!(
        told("", "Bank.ReportCredit : R b -> b says 1;"),
        ["M1076 `R` hears `Bank.ReportCredit` and says nothing"]
    );
    assert_eq!(
        told("place t : (aid: int);", "Bank.CheckCredit : C b -> b msg t;"),
        ["M1078 the place `t` would hold (aid: int) and Trans"]
    );
    assert_eq!(told("", "Bank.CheckCredit : C b -> b msg t; Bank.CheckCredit : D b -> b msg u;"), [""; 0]);
}

#[test]
fn who_is_not_answered_is_found() {
    assert_eq!(unanswered(&tree(STATION)), []);
    let text = tree(
        "port ask(); port tell(); port hear(); port radio();
         agent net A() { transition t1 { sync up ! ask(); } transition t2 { sync up ! hear(); }
           transition t3 { sync chan(1) ! radio(); } }
         agent net B() { transition t4 { sync chan(1) ! radio(); } }
         system net S() { place p : agent; transition s1 { read p(a); sync a ? ask(); }
           transition s2 { read p(a); sync a ! tell(); } transition s3 { read p(a); sync a ! hear(); } }",
    );
    let rows: Vec<String> = unanswered(&text)
        .iter()
        .map(|row| {
            let side = if row.side == Side::Agent { "agent" } else { "coordinator" };
            format!("{side} {}.{} {}", row.net, row.transition, row.port)
        })
        .collect();
    assert_eq!(
        rows,
        [
            "agent A.t2 hear",
            "agent A.t3 radio",
            "agent B.t4 radio",
            "coordinator S.s2 tell",
            "coordinator S.s3 hear"
        ]
    );
}
