//! Symmetric nets: sorts, terms, conditions, and the nets they are unfolded to.

mod lab;

use lab::{
    arc, coloured, constant, declared, net, net_size, number, operator, philosophers, place, read, ring,
    transition, user, variable,
};
use motet_nets::plain::Arc;

/// Each philosopher thinks, holds a fork or eats. The numbers are those of the same nets written out by hand: the markings are
/// the ways to give each fork to nobody or to one of its neighbours, without eating on one fork.
#[test]
fn philosophers_have_a_place_for_each_philosopher_and_a_mode_for_each() {
    let found = net(&philosophers(3));
    assert_eq!((found.net.places.len(), found.net.transitions.len()), (12, 9));
    assert_eq!(found.net.places[0].name, "think(1)");
    assert_eq!(found.net.transitions[1].name, "one(x=2)");
    assert_eq!(found.places["eat"], [9, 10, 11]);
    // The fork before the first philosopher is the last one.
    assert_eq!(found.net.transitions[0].inputs, [Arc { place: 0, weight: 1 }, Arc { place: 5, weight: 1 }]);
    let (markings, firings) = net_size(&found.net);
    assert_eq!((markings, firings), by_hand(3));
    assert_eq!(net_size(&net(&philosophers(5)).net), by_hand(5));
}

/// Markings and firings of the philosophers, counted over vectors of what each of them does.
fn by_hand(n: usize) -> (usize, usize) {
    let free = |state: &[u8], fork: usize| {
        // Fork f lies between f, who takes it second, and the next one, who takes it first.
        state[fork] != 2 && state[(fork + 1) % n] == 0
    };
    let mut seen = std::collections::BTreeSet::from([vec![0; n]]);
    let mut waiting = vec![vec![0; n]];
    let mut firings = 0;
    while let Some(state) = waiting.pop() {
        for who in 0..n {
            let next = match state[who] {
                0 if free(&state, (who + n - 1) % n) => 1,
                1 if free(&state, who) => 2,
                2 => 0,
                _ => continue,
            };
            firings += 1;
            let mut after = state.clone();
            after[who] = next;
            if seen.insert(after.clone()) {
                waiting.push(after);
            }
        }
    }
    (seen.len(), firings)
}

/// A net with one transition `t` from the place `p` to the place `q`, both of a sort.
fn step(declarations: &str, sort: &str, marking: &str, condition: &str, takes: &str, gives: &str) -> String {
    let body = [
        place("p", sort, marking),
        place("q", sort, ""),
        if condition.is_empty() { "<transition id=\"t\"/>".to_owned() } else { transition("t", condition) },
        arc("p", "t", takes),
        arc("t", "q", gives),
    ];
    coloured(declarations, &body.concat())
}

/// Which modes of `t` there are.
fn modes(text: &str) -> Vec<String> {
    net(text).net.transitions.into_iter().map(|transition| transition.name).collect()
}

#[test]
fn a_condition_leaves_the_modes_that_satisfy_it() {
    let (x, y) = (variable("x"), variable("y"));
    let declarations = format!("{}{}{}", ring("S", 3), declared("x", "S"), declared("y", "S"));
    let (two, next) = (constant("S2"), operator("successor", &[&x]));
    let compare = |name: &str, other: &str| operator(name, &[&x, other]);
    let less = compare("lessthan", &two);
    for (condition, wanted) in [
        (compare("equality", &two), vec!["t(x=2)"]),
        (compare("inequality", &two), vec!["t(x=1)", "t(x=3)"]),
        (less.clone(), vec!["t(x=1)"]),
        (compare("lessthanorequal", &two), vec!["t(x=1)", "t(x=2)"]),
        (compare("greaterthan", &two), vec!["t(x=3)"]),
        (compare("greaterthanorequal", &two), vec!["t(x=2)", "t(x=3)"]),
        (operator("not", &[&less]), vec!["t(x=2)", "t(x=3)"]),
        (operator("or", &[&less, &compare("equality", &constant("S3"))]), vec!["t(x=1)", "t(x=3)"]),
        (operator("and", &[&operator("not", &[&less]), &compare("inequality", &two)]), vec!["t(x=3)"]),
        (operator("imply", &[&less, &compare("equality", &two)]), vec!["t(x=2)", "t(x=3)"]),
        (operator("equality", &[&next, &constant("S1")]), vec!["t(x=3)"]),
        (
            operator("equality", &[&operator("predecessor", &[&y]), &x]),
            vec!["t(x=1, y=2)", "t(x=2, y=3)", "t(x=3, y=1)"],
        ),
    ] {
        let text = step(&declarations, &user("S"), "", &condition, &x, &x);
        assert_eq!(modes(&text), wanted, "{condition}");
    }
}

#[test]
fn multisets_are_added_subtracted_and_counted() {
    let declarations = format!("{}{}", ring("S", 3), declared("x", "S"));
    let all = format!("<all>{}</all>", user("S"));
    let rest = operator("subtract", &[&all, &number(1, &variable("x"))]);
    let more = operator("add", &[&number(2, &variable("x")), &number(1, &constant("S1"))]);
    let found = net(&step(&declarations, &user("S"), &number(2, &all), "", &rest, &more));
    assert!(found.net.places[..3].iter().all(|place| place.initial == 2));
    let first = &found.net.transitions[0];
    assert_eq!(first.inputs, [Arc { place: 1, weight: 1 }, Arc { place: 2, weight: 1 }]);
    assert_eq!(first.outputs, [Arc { place: 3, weight: 3 }]);
    assert_eq!(found.net.transitions[1].outputs, [Arc { place: 3, weight: 1 }, Arc { place: 4, weight: 2 }]);
}

#[test]
fn products_ranges_dots_and_finite_enumerations_are_sorts() {
    let range = "<finiteintrange start=\"-1\" end=\"1\"/>";
    let declarations = format!(
        "<namedsort id=\"B\" name=\"B\"><finiteenumeration><feconstant id=\"no\" name=\"no\"/>\
         <feconstant id=\"yes\" name=\"yes\"/></finiteenumeration></namedsort>\
         <namedsort id=\"N\" name=\"N\">{range}</namedsort>\
         <namedsort id=\"X\" name=\"X\"><productsort>{}{}</productsort></namedsort>{}{}",
        user("B"),
        user("N"),
        declared("b", "B"),
        declared("n", "N")
    );
    let zero = format!("<finiteintrangeconstant value=\"0\">{range}</finiteintrangeconstant>");
    let every = operator("tuple", &[&constant("yes"), &format!("<all>{}</all>", user("N"))]);
    let pair = operator("tuple", &[&variable("b"), &variable("n")]);
    let back = operator("tuple", &[&variable("b"), &operator("successor", &[&variable("n")])]);
    let condition = operator("inequality", &[&variable("n"), &zero]);
    let body = [
        place("p", &user("X"), &every),
        place("done", "<dot/>", &number(2, "<dotconstant/>")),
        transition("t", &condition),
        arc("p", "t", &pair),
        arc("t", "p", &back),
        arc("done", "t", "<dotconstant/>"),
    ];
    let found = net(&coloured(&declarations, &body.concat()));
    let names: Vec<&str> = found.net.places.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(names, ["p(no, -1)", "p(no, 0)", "p(no, 1)", "p(yes, -1)", "p(yes, 0)", "p(yes, 1)", "done"]);
    let marked: Vec<u32> = found.net.places.iter().map(|place| place.initial).collect();
    assert_eq!(marked, [0, 0, 0, 1, 1, 1, 2]);
    assert_eq!(found.net.transitions[3].name, "t(b=yes, n=1)");
    assert_eq!(found.net.transitions[3].outputs, [Arc { place: 3, weight: 1 }]);
    assert_eq!(found.net.transitions.len(), 4);
}

#[test]
fn a_partition_has_its_classes_as_values() {
    let declarations = format!(
        "{}<partition id=\"half\" name=\"half\">{}<partitionelement id=\"low\" name=\"low\">{}{}</partitionelement>\
         <partitionelement id=\"high\" name=\"high\">{}</partitionelement></partition>{}",
        ring("S", 3),
        user("S"),
        constant("S1"),
        constant("S2"),
        constant("S3"),
        declared("x", "S")
    );
    let class = format!(
        "<partitionelementof refpartition=\"half\"><subterm>{}</subterm></partitionelementof>",
        variable("x")
    );
    let low = operator("equality", &[&class, &constant("low")]);
    let text = step(&declarations, &user("S"), "", &low, &variable("x"), &variable("x"));
    assert_eq!(modes(&text), ["t(x=1)", "t(x=2)"]);
    let above = operator("gtp", &[&class, &constant("low")]);
    let text = step(&declarations, &user("S"), "", &above, &variable("x"), &variable("x"));
    assert_eq!(modes(&text), ["t(x=3)"]);
}

/// A number of the range from 1 to 4.
fn of_range(value: u32) -> String {
    format!(
        "<finiteintrangeconstant value=\"{value}\"><finiteintrange start=\"1\" end=\"4\"/></finiteintrangeconstant>"
    )
}

/// Storeys 1 to 4 of a house, divided into low and high ones, with these members.
fn storeys(low: &str, high: &str) -> String {
    format!(
        "<namedsort id=\"N\" name=\"storey\"><finiteintrange start=\"1\" end=\"4\"/></namedsort>\
         <partition id=\"half\" name=\"half\">{}<partitionelement id=\"low\" name=\"low\">{low}</partitionelement>\
         <partitionelement id=\"high\" name=\"high\">{high}</partitionelement></partition>{}",
        user("N"),
        declared("x", "N")
    )
}

fn storey_step(low: &str, high: &str) -> String {
    let x = variable("x");
    let class =
        format!("<partitionelementof refpartition=\"half\"><subterm>{x}</subterm></partitionelementof>");
    let is_high = operator("equality", &[&class, &constant("high")]);
    step(&storeys(low, high), &user("N"), "", &is_high, &x, &x)
}

#[test]
fn a_range_of_numbers_can_be_divided() {
    let text =
        storey_step(&format!("{}{}", of_range(3), of_range(1)), &format!("{}{}", of_range(4), of_range(2)));
    assert_eq!(modes(&text), ["t(x=2)", "t(x=4)"]);
    let first = net(&text);
    let symmetric = first.symmetric.as_ref().expect("a coloured net");
    let written = motet_pnml::write_symmetric(symmetric);
    assert_eq!(net(&written).net, first.net, "{written}");
    assert_eq!(motet_pnml::write_symmetric(net(&written).symmetric.as_ref().expect("coloured")), written);
    assert!(written.contains("<finiteintrangeconstant value=\"4\">"), "{written}");
}

#[test]
fn every_member_is_in_one_class() {
    let told = |low: &str, high: &str| read(&storey_step(low, high)).1;
    let (one, two) = (of_range(1), of_range(2));
    let rest = format!("{two}{}{}", of_range(3), of_range(4));
    assert_eq!(told(&one, &rest), "");
    assert!(told("", &rest).contains("M1090]: `1` is in no class of `half`"), "{}", told("", &rest));
    let twice = told(&format!("{one}{two}"), &rest);
    assert!(twice.contains("M1090]: `2` is listed twice in `half`"), "{twice}");
    let outside = told(&of_range(5), &rest);
    assert!(outside.contains("M1090]: 5 is not between 1 and 4"), "{outside}");
    let other = one.replace("end=\"4\"", "end=\"3\"");
    assert!(told(&other, &rest).contains("is not of the sort that is divided"), "{}", told(&other, &rest));
}

#[test]
fn wrong_sorts_and_names_are_told() {
    let declarations =
        format!("{}{}{}{}", ring("S", 3), ring("R", 2), declared("x", "S"), declared("r", "R"));
    let x = variable("x");
    for (text, code, message) in [
        (step(&declarations, &user("T"), "", "", &x, &x), "M1087", "there is no sort `T`"),
        (step(&declarations, &user("S"), "", "", &variable("z"), &x), "M1088", "there is no variable `z`"),
        (step(&declarations, &user("S"), "", "", &constant("S9"), &x), "M1089", "there is no constant `S9`"),
        (
            step(&declarations, &user("S"), "", "", &variable("r"), &x),
            "M1090",
            "this is of sort `R`, where `S` is needed",
        ),
        (step(&declarations, &user("S"), &x, "", &x, &x), "M1088", "the variable `x` has no value here"),
        (
            step(&declarations, &user("S"), "", "", "<lambda/>", &x),
            "M1082",
            "`lambda` is no term of a symmetric net",
        ),
        (
            step(&declarations, &user("S"), "", &operator("equality", &[&x, &variable("r")]), &x, &x),
            "M1090",
            "`equality` compares `S` with `R`",
        ),
        (
            step(&declarations, &user("S"), "", &operator("equality", &[&x]), &x, &x),
            "M1090",
            "`equality` has 1 operands, where 2 are needed",
        ),
        (
            step(&declarations, &user("S"), "", "", &operator("subtract", &[&x, &constant("S1")]), &x),
            "M1090",
            "more tokens are subtracted for `p` than there are",
        ),
        (
            step(
                "<namedsort id=\"S\" name=\"S\"><usersort declaration=\"S\"/></namedsort>",
                &user("S"),
                "",
                "",
                &x,
                &x,
            ),
            "M1087",
            "the sort `S` is made of itself",
        ),
    ] {
        let (found, lines) = read(&text);
        assert!(found.is_none(), "{message}");
        assert!(lines.contains(code) && lines.contains(message), "{message}: {lines}");
    }
}

#[test]
fn a_net_that_unfolds_to_too_much_is_refused_quickly() {
    let declarations = format!(
        "<namedsort id=\"N\" name=\"N\"><finiteintrange start=\"0\" end=\"99999\"/></namedsort>\
         <namedsort id=\"X\" name=\"X\"><productsort>{}{}</productsort></namedsort>{}{}",
        user("N"),
        user("N"),
        declared("x", "N"),
        declared("y", "N")
    );
    let (found, lines) = read(&step(
        &declarations,
        &user("X"),
        "",
        "",
        &operator("tuple", &[&variable("x"), &variable("y")]),
        "<all><usersort declaration=\"X\"/></all>",
    ));
    assert!(found.is_none() && lines.contains("M1091"), "{lines}");
    let pair = operator("equality", &[&variable("x"), &variable("y")]);
    let (found, lines) = read(&step(&declarations, &user("N"), "", &pair, &variable("x"), &variable("y")));
    assert!(found.is_none() && lines.contains("assignments of variables to try"), "{lines}");
}
