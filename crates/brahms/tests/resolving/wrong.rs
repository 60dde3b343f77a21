//! Texts that say something that cannot be meant.

use crate::{only, problems};

/// An agent with two neighbours, a lamp and these workframes.
fn frame(text: &str) -> String {
    format!(
        "area hall instanceof World {{ }} class Lamp {{ attributes: public boolean on; public symbol hue; public string tag; }}
         object lamp instanceof Lamp {{ }} group G {{ attributes: public int n; private int secret; relations: public G likes; }}
         agent b memberof G {{ }}
         agent a memberof G {{ location: hall; workframes: workframe w {{
{text} }} }}"
    )
}

fn errors(text: &str) -> Vec<String> {
    only(&frame(text), "error")
}

#[test]
fn things_that_are_never_equal() {
    assert_eq!(
        errors("when(knownval(current.n = late)) do { }"),
        [
            "m.b:5:27: error[M0735]: `current.n` is a whole number, `late` is a symbol: they are never equal (help: write a whole \
          number on the right side)"
        ]
    );
    assert_eq!(
        errors("when(knownval(lamp.on = 3)) do { }"),
        [
            "m.b:5:25: error[M0735]: `lamp.on` is true or false, `3` is a whole number: they are never equal (help: write `true` or \
          `false`)"
        ]
    );
    assert_eq!(
        errors("when(knownval(lamp.on > false)) do { }"),
        [
            "m.b:5:15: error[M0735]: `lamp.on` is true or false, and cannot be more or less (help: compare it with `=` or `!=`)"
        ]
    );
    assert_eq!(
        errors("when(knownval(current.location = hull)) do { }"),
        ["m.b:5:34: error[M0722]: there is no `hull` that this could be (help: did you mean `hall`?)"]
    );
}

#[test]
fn calculating_with_what_is_no_number() {
    assert_eq!(
        errors("do { conclude((current.n = lamp.on + 1)); }"),
        [
            "m.b:5:28: error[M0736]: `lamp.on` is true or false, and cannot be calculated with (help: calculate with numbers)"
        ]
    );
    assert_eq!(
        errors("do { conclude((current.n = current.n + m)); }"),
        ["m.b:5:40: error[M0722]: there is no `m` here (help: did you mean `a`?)"]
    );
}

#[test]
fn values_of_the_wrong_type() {
    assert_eq!(
        errors("do { conclude((lamp.on = 1)); }"),
        [
            "m.b:5:26: error[M0738]: `lamp.on` is true or false, and cannot become `1`, which is a whole number (help: write `true` \
          or `false`)"
        ]
    );
}

#[test]
fn a_symbol_and_a_text_are_equal_with_a_warning() {
    assert_eq!(
        only(&frame("do { conclude((lamp.hue = \"red\")); }"), "M0737"),
        [
            "m.b:5:16: warning[M0737]: a symbol and a text meet here; they are equal where their letters are (help: write both with \
          quotes, or both without)"
        ]
    );
    assert_eq!(
        only(&frame("do { conclude((lamp.hue = red)); conclude((lamp.tag = \"red\")); }"), "M0737"),
        Vec::<String>::new()
    );
}

#[test]
fn relations_and_attributes_are_not_exchanged() {
    assert_eq!(
        errors("when(knownval(current.likes = b)) do { }"),
        [
            "m.b:5:23: error[M0732]: `likes` is a relation, not an attribute (help: write it between its two sides: `x likes y`)"
        ]
    );
    assert_eq!(
        errors("when(knownval(current n b)) do { }"),
        ["m.b:5:23: error[M0732]: `n` is an attribute, not a relation (help: write `x.n = ...`)"]
    );
}

#[test]
fn unknown_names_suggest_the_nearest_one() {
    assert_eq!(
        errors("when(knownval(lampe.on = true)) do { }"),
        ["m.b:5:15: error[M0722]: there is no `lampe` here (help: did you mean `lamp`?)"]
    );
    assert_eq!(
        errors("when(knownval(current.m = 3)) do { }"),
        ["m.b:5:23: error[M0730]: `a` has no attribute or relation `m` (help: did you mean `n`?)"]
    );
    assert_eq!(
        errors("when(knownval(G.n = 3)) do { }"),
        [
            "m.b:5:15: error[M0722]: `G` is a group, not one of its members (help: name a member, declare a variable `forone(G) x`, \
          or write `<G>`)"
        ]
    );
}

#[test]
fn an_attribute_of_somebody_else_is_a_warning() {
    assert_eq!(
        only(&frame("when(knownval(current.hue = red)) do { }"), "M0731"),
        ["m.b:5:23: warning[M0731]: `a` has no attribute or relation `hue` (help: declare it; `Lamp` does)"]
    );
}

#[test]
fn a_private_attribute_is_for_its_own_concept() {
    assert_eq!(
        only(&frame("do { conclude((current.secret = 3)); }"), "M0733"),
        [
            "m.b:5:24: warning[M0733]: `secret` is private to `G` (help: make it `protected` or `public` where it is declared)"
        ]
    );
}

#[test]
fn a_percentage_has_a_limit() {
    assert_eq!(
        only(
            &frame(
                "detectables: detectable d { when(140) detect((lamp.on = true), dc:100) then abort; } do { }"
            ),
            "M0751"
        ),
        [
            "m.b:5:34: warning[M0751]: `when(140)` is past the end of the frame (help: write the percentage of the frame's time, 0 \
          to 100, or `whenever`)"
        ]
    );
}

#[test]
fn conclusions_give_values() {
    assert_eq!(
        errors("do { conclude((current.n > 3)); }"),
        ["m.b:5:26: error[M0752]: a conclusion gives a value; it cannot compare (help: write `=`)"]
    );
    assert_eq!(
        errors("do { conclude((current.n)); }"),
        ["m.b:5:16: error[M0752]: this conclusion has no value (help: write `current.n = ...`)"]
    );
}

#[test]
fn variables_need_a_value() {
    assert_eq!(
        errors("variables: forone(G) x; when(knownval(current.n = 3)) do { conclude((x.n = 3)); }"),
        [
            "m.b:5:60: error[M0753]: the variable `x` has no value here (help: mention it in the guard, or let an activity give it a \
          value before)"
        ]
    );
    assert_eq!(
        errors("variables: forone(G) x; detectables: detectable d { detect((x.n = 3)); } do { }"),
        [
            "m.b:5:38: error[M0753]: the variable `x` has no value here (help: mention it in the guard, or let an activity give it a \
          value before)"
        ]
    );
}

#[test]
fn detectables_do_one_of_five_things() {
    assert_eq!(
        errors("detectables: detectable d { detect((current.n = 3)) then abrt; } do { }"),
        ["m.b:5:58: error[M0756]: a detectable cannot `abrt` (help: did you mean `abort`?)"]
    );
    assert_eq!(
        errors("detectables: detectable d { detect((current.n = 3)) then end_activity; } do { }"),
        [
            "m.b:5:58: error[M0758]: `end_activity` ends a composite activity; this is a workframe (help: write `complete` or \
          `abort`)"
        ]
    );
}

#[test]
fn thoughtframes_only_conclude() {
    assert_eq!(
        problems(
            "agent a { activities: primitive_activity x() { max_duration: 1; } workframes: workframe v { do { x(); } } thoughtframes: thoughtframe t { do { x(); } } }"
        ),
        [
            "m.b:1:144: error[M0759]: a thoughtframe cannot do this (help: move it to a workframe; a thoughtframe only concludes)"
        ]
    );
}

#[test]
fn many_cannot_stand_where_one_is_needed() {
    assert_eq!(
        errors("when(knownval(<Lamp>.on = true)) do { }"),
        [
            "m.b:5:15: error[M0755]: `<Lamp>` means many and cannot stand here (help: declare a variable of that type: \
          `foreach(Sensor) s`)"
        ]
    );
}

#[test]
fn activities_say_what_they_need() {
    let with = |activity: &str| {
        only(
            &format!(
                "agent b {{ }} agent a {{ activities: {activity} workframes: workframe w {{ do {{ x(); }} }} }}"
            ),
            "M074",
        )
    };
    assert_eq!(
        with("move x() { }"),
        ["m.b:1:40: error[M0745]: `x` does not say where it goes (help: add `location: NAME;`)"]
    );
    assert_eq!(
        with("communicate x() { about: send(b.location); }"),
        ["m.b:1:47: error[M0745]: `x` does not say whom it speaks with (help: add `with: NAME;`)"]
    );
    assert_eq!(
        with("primitive_activity x() { max_duration: -3; }"),
        ["m.b:1:74: error[M0747]: `-3` is no duration (help: write seconds: a whole number from 0 to 10^9)"]
    );
    assert_eq!(
        with("primitive_activity x() { random: true; min_duration: 5; max_duration: 3; }"),
        [
            "m.b:1:88: error[M0747]: `x` lasts at least 5 s and at most 3 s (help: exchange the two, or leave one out)"
        ]
    );
    assert_eq!(
        with("primitive_activity x() { max_duraton: 3; }"),
        ["m.b:1:60: warning[M0744]: activities have no `max_duraton` (help: did you mean `max_duration`?)"]
    );
}

#[test]
fn paths_connect_two_areas() {
    assert_eq!(
        problems(
            "area a instanceof World { } agent x { } path p { area1: a; area2: b; distance: 3; } path q { area1: a; area2: a; } path r { area1: a; area2: x; distance: 1; }"
        ),
        [
            "m.b:1:67: error[M0722]: there is no agent, object or area `b` (help: did you mean `a`?)",
            "m.b:1:90: error[M0766]: the path `q` has no distance (help: write seconds of walking: `distance: 10;`)",
            "m.b:1:142: error[M0766]: `x` is not an area (help: a path connects two areas)",
        ]
    );
}

#[test]
fn all_problems_of_all_files_are_said_at_once() {
    let (program, problems) = crate::read_files(
        &[
            ("a.b", "agent a { initial_beliefs: (current.x = nobody.y); }"),
            ("b.b", "agent b memberof G { location: hull; }"),
        ],
        &motet_model::Options::default(),
    );
    assert!(program.is_none());
    let codes: Vec<&str> =
        problems.iter().map(|line| &line[line.find('[').expect("a code") + 1..][..5]).collect();
    assert_eq!(codes, ["M0731", "M0722", "M0720", "M0722"]);
}

#[test]
fn what_could_not_be_read_is_not_called_missing_as_well() {
    let (_, problems) = crate::read_files(
        &[("a.b", "group G { attributes: public int n; "), ("b.b", "agent b memberof H { }")],
        &motet_model::Options::default(),
    );
    assert!(!problems.is_empty());
    assert!(problems.iter().all(|line| line.contains("M070")), "{problems:?}");
}

#[test]
fn what_is_wrong_in_a_group_is_said_once_for_all_members() {
    let text = "group G { attributes: public int n; workframes: workframe w { do { nap(); conclude((current.m = 1)); } } }
      agent a memberof G { } agent b memberof G { }";
    assert_eq!(
        only(text, "error"),
        [
            "m.b:1:68: error[M0740]: `G` has no activity `nap` (help: declare it under `activities:`)",
            "m.b:1:93: error[M0730]: `G` has no attribute or relation `m` (help: did you mean `n`?)",
        ]
    );
}

#[test]
fn communicative_acts_are_not_sent() {
    let text = "class Act { } object act instanceof Act { } agent a { activities: communicate x() { with: a; about: send(act); }
      workframes: workframe w { do { x(); } } }";
    assert_eq!(
        problems(text),
        [
            "m.b:1:101: warning[M0769]: `act` is not sent: only beliefs are (help: write an attribute or a relation: `send(x.a)`, \
          `send(x R y)`)"
        ]
    );
}
