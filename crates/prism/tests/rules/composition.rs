//! Copies of modules and the operators of `system`.

use crate::lab::{codes, graph, steps, system};

/// Two modules that can do `a` and `b` alone, and what they are composed to.
fn composed(expression: &str) -> crate::lab::Graph {
    graph(&format!(
        "mdp
         module one x : [0..1]; [a] x=0 -> (x'=1); [b] x=1 -> (x'=0); endmodule
         module two y : [0..1]; [a] y=0 -> (y'=1); [c] y=1 -> (y'=0); endmodule
         system {expression} endsystem"
    ))
}

#[test]
fn full_parallel_composition_synchronises_on_shared_labels() {
    let graph = composed("one || two");
    assert_eq!(steps(&graph, "x=0, y=0"), ["1:x=1, y=1"]);
    assert_eq!(steps(&graph, "x=1, y=1"), ["1:x=0, y=1", "1:x=1, y=0"]);
    assert_eq!(graph.states.len(), 4);
}

#[test]
fn interleaving_synchronises_on_nothing() {
    assert_eq!(steps(&composed("one ||| two"), "x=0, y=0"), ["1:x=1, y=0", "1:x=0, y=1"]);
}

#[test]
fn restricted_composition_synchronises_on_the_listed_labels_only() {
    assert_eq!(steps(&composed("one |[a]| two"), "x=0, y=0"), ["1:x=1, y=1"]);
    let graph = composed("one |[b]| two");
    assert_eq!(steps(&graph, "x=0, y=0"), ["1:x=1, y=0", "1:x=0, y=1"]);
    assert_eq!(steps(&graph, "x=1, y=0"), ["1:x=1, y=1"], "two never does b, so one cannot");
}

#[test]
fn hidden_labels_no_longer_synchronise_and_renamed_ones_do() {
    assert_eq!(steps(&composed("(one / {a}) || two"), "x=0, y=0"), ["1:x=1, y=0", "1:x=0, y=1"]);
    let graph = composed("one {b <- c} || two");
    assert_eq!(steps(&graph, "x=1, y=1"), ["1:x=0, y=0"]);
    let graph = composed("one {a <- d} || two {a <- d}");
    assert_eq!(graph.states["x=0, y=0"][0].0, "[d]");
}

#[test]
fn the_published_composition_has_the_published_size() {
    // Storm's regression tests of its symbolic builder: 21 states and 61 transitions.
    let graph = graph(
        "mdp
         module one x : [0..2]; [a] x=0 -> (x'=1); [] x>=0 -> (x'=2); [done] x>=1 -> true; endmodule
         module two y : [0..2]; [b] y=0 -> (y'=1); [] y>=0 -> (y'=2); [done] y>=1 -> true; endmodule
         module three z : [0..2]; [a] z=0 -> (z'=1); [] x=0&y=0&z=1 -> (z'=2); [loop] z>=1 -> true; endmodule
         system ((one || two {b <- a}) / {a}) {done <- loop} || three endsystem",
    );
    assert_eq!((graph.states.len(), graph.transitions), (21, 61));
}

#[test]
fn a_copy_has_its_own_names_everywhere() {
    let graph = graph(
        "mdp const int N = 2; const int M = 1;
         formula full = x >= N;
         module one x : [0..N] init 0; [go] !full & y=0 -> (x'=x+1); [stop] full -> (x'=0); endmodule
         module two = one [x=y, y=x, N=M, go=run, stop=halt] endmodule",
    );
    // The formula is about x in the one and about y in the other, with N or M.
    assert_eq!(steps(&graph, "x=0, y=0"), ["1:x=1, y=0", "1:x=0, y=1"]);
    assert_eq!(steps(&graph, "x=0, y=1"), ["1:x=0, y=0"]);
    assert_eq!(graph.states["x=0, y=1"][0].0, "[halt]");
}

#[test]
fn copies_may_be_copied_and_may_stand_before_their_base() {
    let graph = graph(
        "mdp
         module three = two [b=c] endmodule
         module two = one [a=b] endmodule
         module one a : bool; [] !a -> (a'=true); endmodule",
    );
    assert_eq!(graph.states.len(), 8);
    assert!(graph.states.contains_key("c=false, b=true, a=false"));
}

#[test]
fn the_name_of_a_formula_may_be_exchanged() {
    let graph = graph(
        "mdp formula f = x=0; formula g = y=1;
         module one x : [0..1]; [] f -> (x'=1); endmodule
         module two = one [x=y, f=g] endmodule",
    );
    assert_eq!(steps(&graph, "x=0, y=0"), ["1:x=1, y=0"]);
}

#[test]
fn the_text_of_a_copied_command_is_told_with_its_new_names() {
    let system = system(
        "mdp module one x : [0..1]; [] x=0 -> (x'=1); endmodule
         module two = one [x=y] endmodule",
    );
    let graph = crate::lab::explore(&system).unwrap();
    let told: Vec<&str> = graph.states["x=0, y=0"].iter().map(|(action, _)| action.as_str()).collect();
    assert_eq!(told, ["[] x = 0 -> (x'=1);", "[] y = 0 -> (y'=1);"]);
}

#[test]
fn systems_that_grow_too_large_are_refused() {
    // Each level doubles the ways to do `a`.
    let modules: String = (0..40)
        .map(|n| format!("module m{n} x{n} : bool; [a{n}] true -> true; [b{n}] true -> true; endmodule\n"))
        .collect();
    let system: Vec<String> = (0..40).map(|n| format!("m{n} {{a{n} <- a, b{n} <- a}}")).collect();
    assert!(
        codes(&format!("mdp {modules} system {} endsystem", system.join(" || ")))
            .contains(&"M0826".to_owned())
    );
}
