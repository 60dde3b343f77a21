//! Activities as they are called.

use motet_brahms::program::{
    Activity, ActivityNode, Expr, Moment, Program, Sighted, Sought, Statement, Subject, Value, Var,
};
use motet_model::Options;

use crate::{frame, only, problems, read, read_files, shown};

/// The activities that a frame does, in order.
fn done<'p>(program: &'p Program, who: &str, name: &str) -> Vec<&'p Activity> {
    let statements = frame(program, who, name).body.iter();
    let activities = statements.filter_map(|statement| match statement {
        Statement::Do(activity) => Some(&program.activities[activity.index()]),
        _ => None,
    });
    activities.collect()
}

fn named(program: &Program, subject: Subject) -> String {
    match subject {
        Subject::Entity(entity) => program.entities[entity.index()].name.clone(),
        Subject::Variable(variable) => format!("{variable:?}"),
    }
}

#[test]
fn parameters_are_replaced_by_arguments() {
    let program = read(
        "area hall instanceof World { } area yard instanceof World { } path p { area1: hall; area2: yard; distance: 5; }
         agent a { location: hall; activities: move go(World to) { location: to; } primitive_activity rest(int d) { max_duration: d; }
           workframes: workframe w { variables: forone(World) x; when(knownval(current.location = x)) do { go(yard); go(x); rest(7); } } }",
    );
    let done = done(&program, "a", "w");
    let ActivityNode::Move { to, .. } = &done[0].node else { panic!("a move") };
    assert_eq!(named(&program, *to), "yard");
    let ActivityNode::Move { to, .. } = &done[1].node else { panic!("a move") };
    assert_eq!(*to, Subject::Variable(Var::Own(0)));
    let duration = done[2].duration.as_ref().expect("a duration");
    assert_eq!((&duration.min, &duration.max), (&Expr::Value(Value::Int(7)), &Expr::Value(Value::Int(7))));
}

#[test]
fn a_call_means_the_nearest_activity_of_the_actor() {
    let program = read(
        "group G { activities: primitive_activity rest() { max_duration: 1; } workframes: workframe w { do { rest(); } } }
         agent a memberof G { activities: primitive_activity rest() { max_duration: 2; } } agent b memberof G { }",
    );
    let seconds = |who| done(&program, who, "w")[0].duration.clone().expect("a duration").max;
    assert_eq!((seconds("a"), seconds("b")), (Expr::Value(Value::Int(2)), Expr::Value(Value::Int(1))));
}

#[test]
fn durations_are_random_only_where_the_text_says_so() {
    let program = read(
        "agent a { activities: primitive_activity x() { random: true; min_duration: 2; max_duration: 4; }
             primitive_activity y() { min_duration: 2; max_duration: 4; } primitive_activity z() { random: true; max_duration: 3; }
             primitive_activity o() { }
           workframes: workframe w { do { x(); y(); z(); o(); } } }",
    );
    let ends: Vec<Option<(String, String)>> = done(&program, "a", "w")
        .iter()
        .map(|activity| {
            let end = |expr: &Expr| match expr {
                Expr::Value(value) => shown(&program, *value),
                other => format!("{other:?}"),
            };
            activity.duration.as_ref().map(|duration| (end(&duration.min), end(&duration.max)))
        })
        .collect();
    let pair = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
    assert_eq!(ends, [pair("2", "4"), pair("4", "4"), pair("0", "3"), None]);
}

#[test]
fn a_group_hears_as_all_its_members_and_messages_arrive_at_the_end() {
    let program = read(
        "group G { } agent b memberof G { } agent c memberof G { }
         agent a { attributes: public int n; public int m;
           activities: communicate tell() { with: G, b; about: send(current.n = current.n), send(current.m = 3), receive(b.location); }
                       communicate now() { with: b; about: send(current.n); when: start; }
           workframes: workframe w { do { tell(); now(); } } }",
    );
    let done = done(&program, "a", "w");
    let ActivityNode::Communicate { with, about, at } = &done[0].node else { panic!("a communication") };
    assert!(matches!(&with[0], Sighted::Every(all) if all.len() == 2));
    assert!(matches!(&with[1], Sighted::One(Subject::Entity(_))));
    assert_eq!(*at, Moment::End);
    let tests: Vec<bool> = about
        .iter()
        .map(|transfer| matches!(&transfer.sought, Sought::Attribute { test: Some(_), .. }))
        .collect();
    // `n = n` sends whatever is believed, `m = 3` only that.
    assert_eq!(tests, [false, true, false]);
    assert_eq!(about.iter().map(|transfer| transfer.send).collect::<Vec<_>>(), [true, true, false]);
    assert!(matches!(&done[1].node, ActivityNode::Communicate { at: Moment::Start, .. }));
}

#[test]
fn the_right_side_of_a_transfer_that_is_no_constant_is_not_looked_at() {
    let text = "agent b { } agent a { attributes: public int n; public int m;
      activities: communicate tell() { with: b; about: send(current.n = current.m); } workframes: workframe w { do { tell(); } } }";
    assert_eq!(
        problems(text),
        [
            "m.b:2:73: warning[M0769]: the belief about `current.n` is what is sent (help: write the same on both sides, or leave \
          the right side out; it is not looked at)"
        ]
    );
}

#[test]
fn a_composite_activity_keeps_its_arguments_and_inner_frames_see_them() {
    let program = read(
        "group P { attributes: public int n; } agent p memberof P { } agent q memberof P { }
         agent a { activities:
             composite_activity visit(P who, int times) { end_condition: detectable;
               activities: primitive_activity look(P at) { max_duration: times; }
               detectables: detectable d { detect((who.n = 3)) then end_activity; }
               workframes: workframe inner { when(knownval(who.n < times)) do { look(who); conclude((who.n = 3)); } } }
           workframes: workframe w { variables: forone(P) x; when(knownval(x.n = 1)) do { visit(x, 5); } } }",
    );
    let visit = done(&program, "a", "w")[0];
    let ActivityNode::Composite { arguments, endless, detectables, workframes, .. } = &visit.node else {
        panic!("a composite activity")
    };
    assert!(*endless);
    assert_eq!(arguments.as_slice(), [Expr::Variable(Var::Own(0)), Expr::Value(Value::Int(5))]);
    assert!(matches!(
        &detectables[0].sought,
        Sought::Attribute {
            subject: Sighted::One(Subject::Variable(Var::Parameter { up: 0, index: 0 })),
            ..
        }
    ));
    let inner = &program.frames[workframes[0].index()];
    assert!(inner.inside.is_some());
    let Statement::Do(look) = &inner.body[0] else { panic!("an activity") };
    let look = &program.activities[look.index()];
    // A constant argument needs no parameter.
    assert_eq!(look.duration.as_ref().expect("a duration").max, Expr::Value(Value::Int(5)));
}

#[test]
fn parameters_of_outer_composite_activities_are_counted_outwards() {
    let program = read(
        "group P { attributes: public int n; } agent p memberof P { }
         agent a { activities:
             composite_activity outer(P x) {
               activities: composite_activity inner(P y) { workframes: workframe deep { when(knownval(x.n = y.n)) do { } } }
               workframes: workframe mid { variables: forone(P) z; when(knownval(z.n > x.n)) do { inner(z); } } }
           workframes: workframe w { variables: forone(P) v; when(knownval(v.n = 1)) do { outer(v); } } }",
    );
    let deep = program.frames.iter().find(|frame| frame.name == "deep").expect("the frame");
    let motet_brahms::program::ConditionNode::Compare { left, right, .. } = &deep.guard[0].node else {
        panic!("compare")
    };
    let variable = |expr: &Expr| match expr {
        Expr::Read(motet_brahms::program::Place::Attribute(variable, _)) => *variable,
        other => panic!("{other:?}"),
    };
    assert_eq!(variable(left), Var::Parameter { up: 1, index: 0 });
    assert_eq!(variable(right), Var::Parameter { up: 0, index: 0 });
}

#[test]
fn a_composite_activity_that_calls_itself_is_an_error() {
    let text = "agent a { activities: composite_activity c() { workframes: workframe i { do { c(); } } }
                  workframes: workframe w { do { c(); } } }";
    assert_eq!(
        problems(text),
        [
            "m.b:1:42: error[M0743]: the composite activity `c` is called inside itself (help: repeat its frames with `repeat: \
          true` instead of calling it again)"
        ]
    );
}

#[test]
fn created_entities_are_taken_from_a_reserve_that_all_callers_share() {
    let text = "class Order { } group Waiter { activities:
        create_object take(Order o) { action: new; source: Order; destination: o; }
        create_object bill(Order o) { source: Order; destination: o; destination_name: \"Bill\"; }
        workframes: workframe w { variables: forone(Order) o; do { take(o); bill(o); } } }
      agent a memberof Waiter { } agent b memberof Waiter { }";
    let options = Options { bounds: [("created".to_owned(), 2)].into(), ..Options::default() };
    let program = read_files(&[("m.b", text)], &options).0.expect("no errors");
    let names: Vec<&str> = program.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "Order_1", "Order_2", "Bill", "Bill_1"]);
    for who in ["a", "b"] {
        let ActivityNode::Create { reserve, destination, .. } = &done(&program, who, "w")[0].node else {
            panic!("create")
        };
        assert_eq!(reserve.iter().map(|entity| entity.0).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(*destination, Some(Var::Own(0)));
    }
}

#[test]
fn a_group_given_as_an_argument_is_provided_for() {
    let program = read(
        "group Cook { } agent a { activities: create_agent hire(Group g, Agent new) { memberof: g; destination: new; }
           workframes: workframe w { variables: forone(Agent) x; do { hire(Cook, x); } } }",
    );
    let ActivityNode::Create { reserve, .. } = &done(&program, "a", "w")[0].node else { panic!("create") };
    assert_eq!(program.entities[reserve[0].index()].name, "Cook_1");
}

#[test]
fn a_variable_that_an_activity_gives_back_can_be_used_afterwards_only() {
    let text = |body: &str| {
        format!(
            "class Order {{ attributes: public int n; }} agent a {{ activities: create_object take(Order o) {{ source: Order; destination: o; }}
             workframes: workframe w {{ variables: forone(Order) o; do {{ {body} }} }} }}"
        )
    };
    assert_eq!(problems(&text("take(o); conclude((o.n = 1));")), Vec::<String>::new());
    assert_eq!(
        problems(&text("conclude((o.n = 1)); take(o);")),
        [
            "m.b:2:73: error[M0753]: the variable `o` has no value here (help: mention it in the guard, or let an activity give it \
          a value before)"
        ]
    );
}

#[test]
fn the_base_library_is_known() {
    let program = read(
        "agent a { attributes: public int n; workframes: workframe w { do { println(\"n is \", current.n); print(done); retractBelief(current.n);
           retractBeliefs(current); } } }",
    );
    let done = done(&program, "a", "w");
    assert!(matches!(&done[0].node, ActivityNode::Print(shown) if shown.len() == 2));
    assert!(matches!(&done[2].node, ActivityNode::Retract(places) if places.len() == 1));
    assert!(matches!(&done[3].node, ActivityNode::Retract(places) if places.len() == 2), "location and n");
}

#[test]
fn java_activities_without_stub_take_their_time_with_a_warning() {
    let text = "agent b { } agent a { attributes: public Agent at; public int n;
      activities: java ask(string q, Agent who, int n) { max_duration: 9; class: \"x.Ask\"; }
      workframes: workframe w { variables: forone(Agent) x; forone(int) v; do { ask(\"who\", x, v); conclude((current.at = x)); conclude((current.n = v)); } } }";
    assert_eq!(
        problems(text),
        [
            "m.b:2:24: warning[M0746]: the Java activity `ask` is not run: it takes its time and changes nothing (help: say what \
          it does in motet.toml: [java.\"ask\"] concludes = [\"(x.a = v)\"])"
        ]
    );
    let program = read(text);
    let ask = done(&program, "a", "w")[0];
    assert_eq!(ask.duration.as_ref().expect("a duration").max, Expr::Value(Value::Int(9)));
    // The agent is one of all agents; the number has no value.
    let ActivityNode::Foreign { outputs, concludes } = &ask.node else { panic!("foreign") };
    assert_eq!(outputs.len(), 1);
    assert_eq!(outputs[0].1.len(), 2);
    assert!(concludes.is_empty());
}

#[test]
fn get_put_broadcast_and_watched_moves() {
    let program = read(
        "area hall instanceof World { } area yard instanceof World { } path p { area1: hall; area2: yard; distance: 3; }
         class Cup { } object cup instanceof Cup { location: hall; }
         agent a { location: hall; attributes: public int n; activities:
             get take() { items: cup; source: hall; when: start; } put leave() { items: cup; }
             broadcast shout() { to: hall, yard; toSubAreas: false; about: send(current.n); }
             broadcast call() { about: send(current.n); }
             move walk() { location: yard; detectArrivalIn: yard; detectDepartureInSubAreas: hall; }
           workframes: workframe w { do { take(); leave(); shout(); call(); walk(); } } }",
    );
    let done = done(&program, "a", "w");
    assert!(
        matches!(&done[0].node, ActivityNode::Get { items, source: Some(_), at: Moment::Start } if items.len() == 1)
    );
    assert!(matches!(&done[1].node, ActivityNode::Put { destination: None, at: Moment::End, .. }));
    assert!(matches!(&done[2].node, ActivityNode::Broadcast { to, inside_too: false, .. } if to.len() == 2));
    assert!(matches!(&done[3].node, ActivityNode::Broadcast { to, inside_too: true, .. } if to.is_empty()));
    let ActivityNode::Move { arrival, departure, .. } = &done[4].node else { panic!("a move") };
    assert_eq!((arrival[0].1, departure[0].1), (false, true));
}

#[test]
fn ways_are_the_shortest_and_lead_both_ways() {
    let program = read(
        "area a instanceof World { } area b instanceof World { } area c instanceof World { } area d instanceof World { }
         path ab { area1: a; area2: b; distance: 10; } path bc { area1: b; area2: c; distance: 2; } path ac { area1: a; area2: c; distance: 3; }
         agent x { }",
    );
    let ways: Vec<(u32, u32, u32)> =
        program.ways.iter().map(|((from, to), far)| (from.0, to.0, *far)).collect();
    assert_eq!(ways, [(0, 1, 5), (0, 2, 3), (1, 0, 5), (1, 2, 2), (2, 0, 3), (2, 1, 2)]);
}

#[test]
fn two_activities_of_one_name_are_told_apart_by_their_parameters() {
    let text = "agent a { activities: primitive_activity x() { max_duration: 1; } primitive_activity x(int d) { max_duration: d; }
      workframes: workframe w { do { x(); x(4); } } }";
    let program = read(text);
    let names: Vec<&str> = done(&program, "a", "w").iter().map(|activity| activity.name.as_str()).collect();
    assert_eq!(names, ["x", "x~2"]);
    assert_eq!(
        problems(text),
        [
            "m.b:1:86: warning[M0727]: there are two activities called `x` here (help: rename one; the second is called `x~2` in \
          reports)"
        ]
    );
}

#[test]
fn wrong_calls_are_errors() {
    let with = |call: &str| {
        format!(
            "area hall instanceof World {{ }} agent a {{ activities: move go(World to) {{ location: to; max_duration: 1; }} workframes: workframe w {{ do {{ {call} }} }} }}"
        )
    };
    assert_eq!(
        only(&with("go();"), "error"),
        ["m.b:1:138: error[M0741]: `go` takes 1 argument, not 0 (help: call it as `go(to)`)"]
    );
    assert_eq!(
        only(&with("go(3);"), "error"),
        [
            "m.b:1:141: error[M0742]: `3` is a whole number; `go` takes an agent, object or area here (help: give an agent, object \
          or area)"
        ]
    );
    assert_eq!(
        only(&with("go(a);"), "error"),
        [
            "m.b:1:141: error[M0742]: `a` is not of the type that `go` takes (help: give an agent, object or area)"
        ]
    );
    assert_eq!(
        only(&with("go(hal);"), "error"),
        ["m.b:1:141: error[M0722]: there is no `hal` here (help: did you mean `hall`?)"]
    );
    assert_eq!(
        only(&with("goo(hall);"), "error"),
        ["m.b:1:138: error[M0740]: `a` has no activity `goo` (help: did you mean `go`?)"]
    );
}
