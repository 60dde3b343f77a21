//! What is said about a finished program: frames that cannot start, lost moves, idle activities.

use crate::{only, problems};

#[test]
fn a_frame_whose_guard_nobody_can_make_true_is_named_with_the_condition() {
    let text = "agent a { attributes: public int n; initial_beliefs: (current.n = 0);
      workframes: workframe w { when(knownval(current.n > 5)) do { } } workframe v { when(knownval(current.n = 0)) do { } } }";
    assert_eq!(
        problems(text),
        [
            "m.b:2:38: warning[M0763]: `w` can never start (help: let somebody conclude or send this, or give it another initial \
          value)"
        ]
    );
}

#[test]
fn an_attribute_without_a_belief_is_unknown_even_to_its_owner() {
    let text = |facts: &str| {
        format!(
            "agent a {{ attributes: public boolean on; {facts} workframes: workframe w {{ when(knownval(current.on = true)) do {{ }} }} }}"
        )
    };
    assert_eq!(only(&text("initial_facts: (current.on = true);"), "M0763").len(), 1);
    assert_eq!(only(&text("initial_beliefs: (current.on = true);"), "M0763"), Vec::<String>::new());
}

#[test]
fn a_frame_is_dead_only_if_it_is_for_everybody_who_has_it() {
    let text = "group G { relations: public G likes; workframes: workframe w { when(knownval(b likes current)) do { } } }
      agent a memberof G { } agent b memberof G { initial_beliefs: (current likes b); }";
    assert_eq!(problems(text), Vec::<String>::new());
}

#[test]
fn what_is_told_or_detected_can_make_a_guard_true() {
    let told = |more: &str| {
        format!(
            "agent a {{ attributes: public int n; workframes: workframe w {{ when(knownval(current.n = 1)) do {{ }} }} {more} }}
             agent b {{ initial_beliefs: (a.n = 1); activities: communicate tell() {{ with: a; about: send(a.n); }} workframes: workframe w {{ do {{ tell(); }} }} }}"
        )
    };
    assert_eq!(problems(&told("")), Vec::<String>::new());
    let seen = "agent a { attributes: public int n; initial_facts: (current.n = 1); workframes:
        workframe w { when(knownval(current.n = 1)) do { } } workframe v { detectables: detectable d { detect((current.n = 1)); } do { } } }";
    assert_eq!(problems(seen), Vec::<String>::new());
    // Nothing is told by somebody who believes nothing.
    let silent = told("").replace("initial_beliefs: (a.n = 1);", "");
    assert_eq!(only(&silent, "M0763").len(), 1);
}

#[test]
fn a_thoughtframe_changes_no_fact() {
    let text = "class C { attributes: public int n; initial_facts: (current.n = 0); thoughtframes: thoughtframe t { do { conclude((current.n = 1)); } }
      workframes: workframe w { when(knownval(current.n = 1)) do { } } } object c instanceof C { }";
    assert_eq!(only(text, "M0763").len(), 1);
    let works = text.replace("thoughtframes: thoughtframe t", "workframes: workframe t");
    assert_eq!(only(&works, "M0763"), Vec::<String>::new());
}

const PLACES: &str =
    "area home instanceof World { } area shop instanceof World { } area moon instanceof World { }
  path p { area1: home; area2: shop; distance: 5; }";

#[test]
fn a_move_to_where_no_path_leads_is_an_error_unless_it_says_how_long_it_takes() {
    let text = |activity: &str| {
        format!(
            "{PLACES} agent a {{ location: home; activities: {activity} workframes: workframe w {{ do {{ go(); }} }} }}"
        )
    };
    assert_eq!(
        problems(&text("move go() { location: moon; }")),
        [
            "m.b:2:152: error[M0765]: no path leads from `home` or any place `a` can be to `moon` (help: add a `path`, or give the \
          move a `max_duration`)"
        ]
    );
    assert_eq!(problems(&text("move go() { location: moon; max_duration: 9; }")), Vec::<String>::new());
    assert_eq!(problems(&text("move go() { location: shop; }")), Vec::<String>::new());
}

#[test]
fn somebody_who_is_nowhere_cannot_walk() {
    let text = format!(
        "{PLACES} agent a {{ activities: move go() {{ location: shop; }} workframes: workframe w {{ do {{ go(); }} }} }}"
    );
    assert_eq!(
        problems(&text),
        [
            "m.b:2:136: error[M0765]: `a` is nowhere, so it cannot go to `shop` (help: give it a `location:`, or the move a \
          `max_duration`)"
        ]
    );
}

#[test]
fn a_timed_move_opens_the_places_behind_it() {
    let text = format!(
        "{PLACES} area crater instanceof World {{ }} path q {{ area1: moon; area2: crater; distance: 1; }}
         agent a {{ location: home; activities: move fly() {{ location: moon; max_duration: 100; }} move go() {{ location: crater; }}
           workframes: workframe w {{ do {{ fly(); go(); }} }} }}"
    );
    assert_eq!(problems(&text), Vec::<String>::new());
}

#[test]
fn activities_that_nobody_calls_are_one_hint_for_each_concept() {
    let text = "group G { activities: primitive_activity x() { max_duration: 1; } primitive_activity y() { max_duration: 1; }
      primitive_activity z() { max_duration: 1; } workframes: workframe w { do { y(); } } } agent a memberof G { } agent b memberof G { }";
    assert_eq!(
        problems(text),
        [
            "m.b:1:42: hint[M0764]: `x`, `z` of `G` are never done (help: call them in workframes, or take them out)"
        ]
    );
}

#[test]
fn what_is_wrong_in_an_activity_that_nobody_calls_is_said() {
    assert_eq!(
        only(
            "agent a { attributes: public int n; activities: communicate x(Agent w) { with: w; about: send(w.m); } }",
            "error"
        ),
        ["m.b:1:97: error[M0730]: `a` has no attribute or relation `m` (help: did you mean `n`?)"]
    );
}

#[test]
fn a_frame_from_two_parents_is_a_hint_unless_it_is_defined_anew() {
    let text = |own: &str| {
        format!(
            "group A {{ workframes: workframe w {{ do {{ }} }} }} group B {{ workframes: workframe w {{ do {{ }} }} }}
             agent a memberof B, A {{ {own} }}"
        )
    };
    assert_eq!(
        problems(&text("")),
        [
            "m.b:2:20: hint[M0729]: the workframe `w` comes from `A` and `B` (help: define it in `a` to choose; that of `B` counts \
          now)"
        ]
    );
    assert_eq!(problems(&text("workframes: workframe w { do { } }")), Vec::<String>::new());
    let common = "group T { workframes: workframe w { do { } } } group A memberof T { } group B memberof T { } agent a memberof A, B { }";
    assert_eq!(problems(common), Vec::<String>::new());
}
