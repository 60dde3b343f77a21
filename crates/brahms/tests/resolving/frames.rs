//! Frames: whose they are, what their guards read, how variables get their values.

use motet_brahms::program::{
    ConcludeNode, Condition, ConditionNode, Domain, Expr, Place, Reads, Repeat, Sought, Statement, Subject,
    Ties, Value, Var,
};
use motet_model::Options;

use crate::{fixed, frame, frames, only, problems, read, read_files};

fn nodes(guard: &[Condition]) -> Vec<&ConditionNode> {
    guard.iter().map(|condition| &condition.node).collect()
}

#[test]
fn every_actor_has_its_own_copy_and_current_is_the_actor() {
    let program = read(
        "group G { attributes: public int n;
           workframes: workframe w { do { conclude((current.n = 1)); } } }
         agent ann memberof G { } agent bob memberof G { }",
    );
    for who in ["ann", "bob"] {
        let Statement::Conclude(conclude) = &frame(&program, who, "w").body[0] else {
            panic!("a conclusion")
        };
        let ConcludeNode::Assign(place, value) = &conclude.node else { panic!("an assignment") };
        assert_eq!(fixed(&program, place), format!("{who}.n"));
        assert_eq!(*value, Expr::Value(Value::Int(1)));
        assert_eq!((conclude.belief, conclude.fact), (100, 100));
    }
}

#[test]
fn the_nearest_frame_of_a_name_wins_and_own_ones_come_first() {
    let program = read(
        "group G { workframes: workframe w { priority: 1; do { } } workframe v { do { } } }
         agent ann memberof G { workframes: workframe x { do { } } workframe w { priority: 2; do { } } }",
    );
    let names: Vec<(&str, i64)> =
        frames(&program, "ann").iter().map(|frame| (frame.name.as_str(), frame.priority)).collect();
    assert_eq!(names, [("x", 0), ("w", 20), ("v", 0)]);
}

#[test]
fn two_frames_of_one_name_are_both_kept() {
    let text = "agent ann { workframes: workframe w { do { } } workframe w { do { } } }";
    let program = read(text);
    let names: Vec<&str> = frames(&program, "ann").iter().map(|frame| frame.name.as_str()).collect();
    assert_eq!(names, ["w", "w~2"]);
    assert_eq!(
        problems(text),
        [
            "m.b:1:58: warning[M0727]: there are two frames called `w` here (help: rename one; the second is called `w~2` in \
          reports)"
        ]
    );
}

#[test]
fn priorities_are_tenths_and_default_to_the_highest_of_the_activities() {
    let program = read(
        "agent ann {
           activities: primitive_activity a() { priority: 3; max_duration: 1; }
                       primitive_activity b() { priority: 5; max_duration: 1; } primitive_activity c() { max_duration: 1; }
           workframes: workframe one { priority: 2.5; do { b(); } } workframe two { do { a(); b(); c(); } }
                       workframe three { do { c(); } } }",
    );
    let priority = |name| frame(&program, "ann", name).priority;
    assert_eq!((priority("one"), priority("two"), priority("three")), (25, 50, 0));
}

#[test]
fn objects_read_facts_in_workframes_and_beliefs_elsewhere() {
    let program = read(
        "class C { workframes: workframe w { do { } } workframe d { type: dataframe; do { } }
           thoughtframes: thoughtframe t { do { } } }
         object c instanceof C { } agent a { workframes: workframe w { do { } } }",
    );
    let reads = |who, name| frame(&program, who, name).reads;
    assert_eq!(reads("c", "w"), Reads::Facts);
    assert_eq!(reads("c", "d"), Reads::Beliefs);
    assert_eq!(reads("c", "t"), Reads::Beliefs);
    assert_eq!(reads("a", "w"), Reads::Beliefs);
}

#[test]
fn once_is_false_by_default_and_twice_in_the_thesis() {
    let text =
        "agent a { workframes: workframe t { repeat: true; do { } } workframe f { repeat: false; do { } }
                  workframe o { repeat: once; do { } } workframe n { do { } } }";
    let program = read(text);
    let repeat = |name| frame(&program, "a", name).repeat;
    assert_eq!(repeat("t"), Repeat::Always);
    assert_eq!((repeat("f"), repeat("o"), repeat("n")), (Repeat::Once, Repeat::Once, Repeat::Once));
    let thesis = Options { mode: Some("thesis".to_owned()), ..Options::default() };
    let program = read_files(&[("m.b", text)], &thesis).0.expect("no errors");
    assert_eq!(frame(&program, "a", "o").repeat, Repeat::Twice);
    assert!(
        program.rules.unknown_is_zero && program.rules.resume_tests_guard && program.rules.repeat_per_frame
    );
    assert_eq!(program.rules.ties, Ties::Choice);
}

#[test]
fn a_variable_ranges_over_the_instances_of_its_type_and_knows_whether_it_is_guarded() {
    let program = read(
        "group P { attributes: public int n; } agent p memberof P { } agent q memberof P { }
         agent a { activities: create_agent make(P new) { memberof: P; destination: new; }
           workframes: workframe w { variables: forone(P) x; forone(P) y;
             when(knownval(x.n = 3)) do { make(y); conclude((y.n = 1)); } } }",
    );
    let variables = &frame(&program, "a", "w").variables;
    let Domain::Entities(members) = &variables[0].domain else { panic!("entities") };
    assert_eq!(members.len(), 5);
    assert_eq!((variables[0].guarded, variables[1].guarded), (true, false));
    assert_eq!(
        nodes(&frame(&program, "a", "w").guard)[0],
        &ConditionNode::Compare {
            negated: false,
            left: Expr::Read(Place::Attribute(Var::Own(0), attribute(&program, "n"))),
            operator: motet_brahms::program::Comparison::Eq,
            right: Expr::Value(Value::Int(3)),
        }
    );
}

fn attribute(program: &motet_brahms::program::Program, name: &str) -> motet_brahms::program::AttributeId {
    let at = program.attributes.iter().position(|known| known.name == name).expect("the attribute");
    motet_brahms::program::AttributeId(u32::try_from(at).expect("few attributes"))
}

#[test]
fn a_number_variable_is_bound_by_an_equation_wherever_it_stands() {
    let program = read(
        "agent a { attributes: public int m; public int n;
           workframes: workframe w { variables: forone(int) v;
             when(knownval(v > 2) and knownval(v = current.m - current.n)) do { conclude((current.m = v)); } } }",
    );
    let guard = nodes(&frame(&program, "a", "w").guard);
    assert!(matches!(guard[0], ConditionNode::Bind { variable: 0, .. }), "{guard:?}");
    assert!(matches!(guard[1], ConditionNode::Compare { .. }), "{guard:?}");
    assert_eq!(frame(&program, "a", "w").variables[0].domain, Domain::Values);
}

#[test]
fn an_equation_binds_from_either_side_and_only_once() {
    let program = read(
        "agent a { attributes: public int m; public int n;
           workframes: workframe w { variables: forone(int) v;
             when(knownval(current.m = v) and knownval(v = current.n)) do { } } }",
    );
    let guard = nodes(&frame(&program, "a", "w").guard);
    assert!(matches!(guard[0], ConditionNode::Bind { variable: 0, .. }), "{guard:?}");
    assert!(matches!(guard[1], ConditionNode::Compare { negated: false, .. }), "{guard:?}");
}

#[test]
fn an_index_of_a_map_gets_its_value_from_the_stored_entries() {
    let program = read(
        "agent a { attributes: public map m; public int n; initial_beliefs: (current.m(1) = 5); (current.m(7) = 6);
           workframes: workframe w { variables: foreach(int) i; forone(int) v;
             when(knownval(v = current.m(i)) and knownval(i > 3)) do { conclude((current.n = v)); } } }",
    );
    let guard = nodes(&frame(&program, "a", "w").guard);
    let ConditionNode::Bind { variable: 1, value: Expr::Read(Place::Entry(Subject::Entity(_), _, index)) } =
        guard[0]
    else {
        panic!("{guard:?}")
    };
    assert_eq!(**index, Expr::Variable(Var::Own(0)));
}

#[test]
fn a_number_that_nothing_settles_is_an_error() {
    assert_eq!(
        problems(
            "agent a { attributes: public int n; workframes: workframe w { variables: forone(int) v; when(knownval(v > 2)) do { } } }"
        ),
        [
            "m.b:1:94: error[M0754]: nothing gives `v` a value before it is used here (help: add an equation to the guard: \
          `knownval(v = current.count)`)"
        ]
    );
}

#[test]
fn conditions_of_every_form() {
    let program = read(
        "group G { attributes: public int n; relations: public G likes; } agent b memberof G { }
         agent a memberof G { initial_beliefs: (current.n = 1); (current likes b);
           workframes: workframe w { when(known(current.n) and unknown(b.n) and not(current.n = 2) and (current.n)
             and knownval(current likes b) and (current likes b is false) and not(current likes b)
             and known(current likes) and unknown(b likes) and knownval(current.n = unknown)) do { } } }",
    );
    let shapes: Vec<String> = nodes(&frame(&program, "a", "w").guard)
        .iter()
        .map(|node| match node {
            ConditionNode::Compare { negated, .. } => format!("compare {negated}"),
            ConditionNode::Related { negated, truth, .. } => format!("related {negated} {truth}"),
            ConditionNode::Known { known, .. } => format!("known {known}"),
            ConditionNode::KnownPairs { known, .. } => format!("pairs {known}"),
            ConditionNode::Bind { .. } => "bind".to_owned(),
        })
        .collect();
    assert_eq!(
        shapes,
        [
            "known true",
            "known false",
            "compare true",
            "known true",
            "related false true",
            "related false false",
            "related true true",
            "pairs true",
            "pairs false",
            "known false"
        ]
    );
}

#[test]
fn a_pair_that_is_unknown_is_neither_true_nor_false() {
    let program = read(
        "group G { relations: public G likes; } agent b memberof G { }
         agent a memberof G { workframes: workframe w { when((current likes b is unknown)) do { } } }",
    );
    let guard = nodes(&frame(&program, "a", "w").guard);
    assert_eq!(guard.len(), 2);
    assert!(guard.iter().all(|node| matches!(node, ConditionNode::Related { negated: true, .. })));
}

#[test]
fn an_attribute_of_type_relation_is_a_relation() {
    let program = read(
        "agent b { } agent a { attributes: public relation(Agent) friend; initial_beliefs: (current.friend = b);
           workframes: workframe w { when(knownval(current.friend = b)) do { conclude((current.friend = current)); } } }",
    );
    assert_eq!(crate::beliefs(&program, "a"), ["a friend b = true"]);
    assert!(matches!(
        nodes(&frame(&program, "a", "w").guard)[0],
        ConditionNode::Related { negated: false, truth: true, .. }
    ));
    let Statement::Conclude(conclude) = &frame(&program, "a", "w").body[0] else { panic!("a conclusion") };
    assert!(matches!(conclude.node, ConcludeNode::Relate(.., Some(true))));
}

#[test]
fn detectables_look_at_any_value_at_every_instance_and_from_either_side() {
    let program = read(
        "class Lamp { attributes: public boolean on; public int hue; } object l instanceof Lamp { } object k instanceof Lamp { }
         agent a { workframes: workframe w { detectables:
             detectable one { when(whenever) detect((<Lamp>.on = true), dc:50) then abort; }
             detectable two { detect((l.hue = ?)); }
             detectable three { when(40) detect((3 < l.hue)) then impasse; }
           do { } } }",
    );
    let found = &frame(&program, "a", "w").detectables;
    assert_eq!((found[0].certainty, found[0].percent), (50, None));
    assert!(
        matches!(&found[0].sought, Sought::Attribute { subject: motet_brahms::program::Sighted::Every(all), .. } if all.len() == 2)
    );
    assert!(matches!(&found[1].sought, Sought::Attribute { test: None, .. }));
    assert_eq!(found[1].action, motet_brahms::program::DetectAction::Continue);
    assert_eq!(found[2].percent, Some(40));
    assert!(matches!(
        &found[2].sought,
        Sought::Attribute {
            test: Some((motet_brahms::program::Comparison::Gt, Expr::Value(Value::Int(3)))),
            ..
        }
    ));
}

#[test]
fn computed_indices_provide_for_the_entries_they_may_write() {
    let text = "agent a { attributes: public map m; public int n;
      workframes: workframe w { do { conclude((current.m(current.n) = 1)); } } }";
    let options = Options { bounds: [("indices".to_owned(), 4)].into(), ..Options::default() };
    let program = read_files(&[("m.b", text)], &options).0.expect("no errors");
    let map = attribute(&program, "m");
    let indices: Vec<Value> =
        program.keys.entries(motet_brahms::program::EntityId(0), map).map(|(index, _)| index).collect();
    assert_eq!(indices, [0, 1, 2, 3].map(Value::Int));
}

#[test]
fn agents_do_not_look_at_facts() {
    assert_eq!(
        problems("agent a { workframes: workframe w { type: factframe; do { } } }"),
        [
            "m.b:1:43: warning[M0757]: agents act on what they believe, not on facts (help: leave `type: factframe` out; it is \
          for objects, and is not looked at here)"
        ]
    );
}

#[test]
fn frames_of_groups_without_members_are_looked_at_too() {
    assert_eq!(
        only("group G { workframes: workframe w { do { nap(); } } } agent a { }", "M0740"),
        ["m.b:1:42: error[M0740]: `G` has no activity `nap` (help: declare it under `activities:`)"]
    );
}
