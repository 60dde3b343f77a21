//! Initial beliefs and facts.

use motet_brahms::program::EntityId;

use crate::{beliefs, only, problems, read, store};

#[test]
fn the_nearest_value_of_a_key_wins_and_pairs_accumulate() {
    let program = read(
        "group Top { attributes: public int n; public int m; relations: public Agent knows;
           initial_beliefs: (current.n = 1); (current.m = 1); (current knows bob); }
         group Mid memberof Top { initial_beliefs: (current.n = 2); }
         agent ann memberof Mid { initial_beliefs: (current.m = 3); (current knows current); }
         agent bob { }",
    );
    assert_eq!(
        beliefs(&program, "ann"),
        ["ann knows ann = true", "ann knows bob = true", "ann.m = 3", "ann.n = 2"]
    );
    assert_eq!(program.facts, []);
}

#[test]
fn of_two_parents_the_left_one_is_nearer() {
    let program = read(
        "group A { attributes: public int n; initial_beliefs: (current.n = 1); }
         group B { attributes: public int n; initial_beliefs: (current.n = 2); }
         agent ann memberof B, A { }",
    );
    assert_eq!(beliefs(&program, "ann"), ["ann.n = 2"]);
}

#[test]
fn a_location_is_a_fact_and_a_belief_of_ones_own() {
    let program = read(
        "area hall instanceof World { } group G { location: hall; } agent ann memberof G { } agent bob { }",
    );
    assert_eq!(store(&program, &program.facts), ["ann.location = hall"]);
    assert_eq!(beliefs(&program, "ann"), ["ann.location = hall"]);
    assert_eq!(beliefs(&program, "bob"), Vec::<String>::new());
}

#[test]
fn inherited_facts_are_about_each_member() {
    let program = read(
        "group G { attributes: public boolean ready; initial_facts: (current.ready = true); }
         agent ann memberof G { } agent bob memberof G { }",
    );
    assert_eq!(store(&program, &program.facts), ["ann.ready = true", "bob.ready = true"]);
}

#[test]
fn a_value_of_unknown_hides_an_inherited_one() {
    let program = read(
        "group G { attributes: public int n; initial_beliefs: (current.n = 1); }
         agent ann memberof G { initial_beliefs: (current.n = unknown); }",
    );
    assert_eq!(beliefs(&program, "ann"), Vec::<String>::new());
}

#[test]
fn a_class_variable_speaks_of_every_instance() {
    let program = read(
        "class Lamp { attributes: public boolean on; } object one instanceof Lamp { } object two instanceof Lamp { }
         agent ann { initial_beliefs: (<Lamp>.on = false); }",
    );
    assert_eq!(beliefs(&program, "ann"), ["one.on = false", "two.on = false"]);
}

#[test]
fn areas_have_facts_of_their_own() {
    let program = read(
        "areadef Room { attributes: public int seats; } area hall instanceof Room { initial_facts: (current.seats = 40); }
         agent ann { }",
    );
    assert_eq!(store(&program, &program.facts), ["hall.seats = 40"]);
}

#[test]
fn maps_have_values_per_index() {
    let program = read(
        "agent ann { attributes: public map price; initial_beliefs: (current.price(\"tea\") = 3); (current.price(2) = 4.5); }",
    );
    assert_eq!(beliefs(&program, "ann"), ["ann.price(\"tea\") = 3", "ann.price(2) = 4.5"]);
}

#[test]
fn a_right_side_is_an_entity_where_there_is_one_and_a_symbol_elsewhere() {
    let program = read(
        "area chair instanceof World { }
         agent ann { attributes: public symbol next; public symbol mood;
           initial_beliefs: (current.next = chair); (current.mood = calm); }",
    );
    assert_eq!(beliefs(&program, "ann"), ["ann.mood = \"calm\"", "ann.next = chair"]);
}

#[test]
fn equal_repetitions_are_silent_and_different_ones_warn() {
    let equal = "agent ann { attributes: public int n; initial_beliefs: (current.n = 1); (current.n = 1); }";
    assert_eq!(problems(equal), Vec::<String>::new());
    let different = "agent ann { attributes: public int n; initial_beliefs: (current.n = 1); (ann.n = 2); }";
    assert_eq!(
        problems(different),
        [
            "m.b:1:73: warning[M0761]: `(ann.n = 2)` was said with another value before (help: keep one of the two; the later \
          one counts)"
        ]
    );
    assert_eq!(beliefs(&read(different), "ann"), ["ann.n = 2"]);
}

#[test]
fn two_owners_of_one_fact_warn_and_the_later_declaration_wins() {
    let text = "class Clock0 { attributes: public int time; } object clock instanceof Clock0 { }
                agent ann { initial_facts: (clock.time = 1); } agent bob { initial_facts: (clock.time = 2); }";
    assert_eq!(
        problems(text),
        [
            "m.b:2:91: warning[M0760]: `(clock.time = 2)` is a fact with two values (help: keep one of them; the later one \
          counts)"
        ]
    );
    let program = read(text);
    assert_eq!(store(&program, &program.facts), ["clock.time = 2"]);
}

#[test]
fn what_says_no_value_is_accepted_with_a_warning_and_unknown() {
    let text = "agent ann { attributes: public boolean a; public int b; initial_beliefs: (current.a != false); (current.b); }";
    assert_eq!(
        problems(text),
        [
            "m.b:1:74: warning[M0762]: `(current.a != false)` says what is not, but no value (help: write the value with `=`; it \
             counts as unknown now)",
            "m.b:1:96: warning[M0762]: `current.b` has no value (help: write `(current.b = ...)`; it counts as unknown now)",
        ]
    );
    assert_eq!(beliefs(&read(text), "ann"), Vec::<String>::new());
}

#[test]
fn an_undeclared_attribute_in_an_initial_fact_is_a_warning_and_declared_from_then_on() {
    let text = "class M { initial_facts: (current.level = 3);
                  workframes: workframe w { when(knownval(current.level = 3)) do { conclude((current.level = 4)); } } }
                object m instanceof M { }";
    assert_eq!(
        problems(text),
        [
            "m.b:1:35: warning[M0731]: `M` has no attribute or relation `level` (help: declare it under `attributes:`)"
        ]
    );
}

#[test]
fn wrong_initial_values_are_errors() {
    assert_eq!(
        only("agent a { attributes: public int n; initial_beliefs: (current.n = late); }", "error"),
        [
            "m.b:1:67: error[M0738]: `current.n` is a whole number, and cannot become `late`, which is a symbol (help: write a \
          whole number on the right side)"
        ]
    );
    assert_eq!(
        only(
            "area hall instanceof World { } agent a { initial_beliefs: (current.location = hal); }",
            "error"
        ),
        ["m.b:1:79: error[M0722]: there is no `hal` that this could be (help: did you mean `hall`?)"]
    );
    assert_eq!(
        only("agent a { attributes: public int n; initial_beliefs: (current.n < 3); }", "error"),
        ["m.b:1:65: error[M0762]: an initial belief or fact has one value (help: write `=`)"]
    );
}

#[test]
fn reserves_have_the_beliefs_and_facts_of_their_type_and_do_not_exist() {
    let program = read(
        "group G { attributes: public int n; initial_beliefs: (current.n = 1); initial_facts: (current.n = 2); }
         agent boss { activities: create_agent hire(G g) { memberof: G; destination: g; }
           workframes: workframe w { variables: forone(G) g; do { hire(g); } } }",
    );
    let names: Vec<&str> = program.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!(names, ["boss", "G_1", "G_2", "G_3"]);
    assert!(program.entities.iter().skip(1).all(|entity| !entity.exists));
    assert_eq!(beliefs(&program, "G_2"), ["G_2.n = 1"]);
    assert_eq!(store(&program, &program.facts), ["G_1.n = 2", "G_2.n = 2", "G_3.n = 2"]);
    assert_eq!(program.entities[1].types.len(), 1);
    assert_eq!(program.types[program.entities[1].types[0].index()].members, [1, 2, 3].map(EntityId));
}
