//! What may be left out, and why it may: what a claim does not need, orders of steps, and members that can change places. A
//! reduction that goes too far is a wrong verdict, so each condition has a model here that is told wrongly without it.

use std::collections::BTreeSet;

use motet_model::{AtomId, AtomText, Expr, Language as _, Model, Operator, Options, State, Steps};
use motet_naive::slices::same_course;
use motet_prism::Prism;
use motet_source::{FileId, Problems, Sources, Span, Spanned};

use crate::lab::{compare, name, read_with};

fn is(variable: &str, value: u32) -> AtomText {
    compare(Operator::Eq, name(variable), Expr::Int(i64::from(value)))
}

fn whole(text: &str, atoms: &[AtomText]) -> std::sync::Arc<dyn Model + Send + Sync> {
    let (system, problems) = read_with(text, &[], atoms);
    assert_eq!(problems, "", "{text}");
    system.expect("a model without problems").model
}

/// All states, where each state takes the steps that `part` picks.
fn states(model: &dyn Model, part: impl Fn(&State, &Steps) -> Vec<u32>) -> BTreeSet<Box<State>> {
    let mut waiting = Vec::new();
    model.initial(&mut waiting);
    let mut found: BTreeSet<Box<State>> = BTreeSet::new();
    while let Some(state) = waiting.pop() {
        let mut steps = Steps::new(state.len());
        model.steps(&state, &mut steps).expect("no fault");
        for ordinal in part(&state, &steps) {
            let step = steps.get(ordinal as usize).expect("an ordinal of a step");
            waiting
                .extend(step.branches().map(|branch| branch.target.into()).filter(|to| !found.contains(to)));
        }
        found.insert(state);
    }
    found
}

fn every(_: &State, steps: &Steps) -> Vec<u32> {
    (0..u32::try_from(steps.len()).expect("few steps")).collect()
}

/// Which truths of the atoms come together in some state.
fn pictures(model: &dyn Model) -> BTreeSet<Vec<bool>> {
    let atoms = || (0..).map(AtomId).take(model.signature().atoms.len());
    let states = states(model, every);
    states.iter().map(|state| atoms().map(|atom| model.holds(atom, state)).collect()).collect()
}

/// What a slice leaves out, once it was found to show the same as the whole model.
fn sliced(text: &str, atoms: &[AtomText]) -> Vec<String> {
    let mut sources = Sources::new();
    sources.add("model.prism", text);
    let draft = Prism.read(&sources, &Options::default(), &mut Problems::new()).expect("a model");
    let place = Span::new(FileId(0), 0, 0);
    let spanned: Vec<_> = atoms.iter().map(|atom| Spanned::new(atom.clone(), place)).collect();
    let slice = draft.slice(&spanned).unwrap_or_else(|| panic!("nothing is left out of\n{text}"));
    let (all, some) = (pictures(&*whole(text, atoms)), pictures(&*slice.system.model));
    assert_eq!(all, some, "{text}\nwithout {:?}", slice.left_out);
    assert!(all.len() > 1, "nothing happens in\n{text}");
    let same = same_course(&*whole(text, atoms), &*slice.system.model, slice.haste, 0);
    same.unwrap_or_else(|lost| panic!("{lost}\n{text}\nwithout {:?}", slice.left_out));
    slice.left_out
}

/// Two modules that `first` and `second` count in, and one that nobody looks at.
const BESIDE: &str = "module one first : [0..1]; [] first=0 -> (first'=1); endmodule
    module two second : [0..1]; [] second=0 -> (second'=1); endmodule
    module idle i : [0..1]; [] true -> (i'=1-i); endmodule";

#[test]
fn a_slice_keeps_all_that_a_guard_reads_and_not_its_first_variable_alone() {
    for guard in ["first=1 & second=1", "second=1 & first=1", "first+second>1", "!(first=0 | second=0)"] {
        let text = format!("mdp\n{BESIDE}\nmodule m x : [0..1]; [] {guard} -> (x'=1); endmodule");
        assert_eq!(sliced(&text, &[is("x", 1)]), ["module idle"], "{guard}");
    }
}

#[test]
fn a_slice_keeps_a_command_that_changes_what_is_needed_beside_what_is_not() {
    for update in ["(x'=1) & (y'=1)", "(y'=1) & (x'=1)", "1/2 : (y'=1) + 1/2 : (x'=1)"] {
        let text =
            format!("mdp\n{BESIDE}\nmodule m x : [0..1]; y : [0..1]; [] first=1 -> {update}; endmodule");
        assert_eq!(sliced(&text, &[is("x", 1)]), ["module two", "module idle"], "{update}");
    }
}

#[test]
fn a_slice_keeps_what_chances_and_new_values_read() {
    for command in [
        "[] x=0 & first=1 -> second/2 : (x'=1) + 1-second/2 : true",
        "[] first=1 -> (x'=second)",
        "[] true -> (x'=min(first,second))",
        "[] first=1 -> (x'=second=1 ? 1 : 0)",
    ] {
        let text = format!("mdp\n{BESIDE}\nmodule m x : [0..1]; {command}; endmodule");
        assert_eq!(sliced(&text, &[is("x", 1)]), ["module idle"], "{command}");
    }
}

#[test]
fn a_slice_keeps_what_the_partners_of_a_command_read() {
    let text = format!(
        "mdp\n{BESIDE}
         module m x : [0..1]; [go] first=1 -> (x'=1); endmodule
         module partner [go] second=1 -> true; endmodule"
    );
    assert_eq!(sliced(&text, &[is("x", 1)]), ["module idle"]);
}

#[test]
fn a_slice_keeps_what_several_atoms_read() {
    assert_eq!(sliced(&format!("mdp\n{BESIDE}"), &[is("first", 1), is("second", 1)]), ["module idle"]);
}

/// The ordinals that are ample in a state for atoms that are looked at.
fn ample(model: &dyn Model, visible: &[AtomId], state: &State, steps: &Steps) -> Vec<u32> {
    let mut part = Vec::new();
    model.facets().independence.expect("a decision process knows").ample(visible, state, steps, &mut part);
    part
}

/// The states in which nothing can happen any more.
fn ends(model: &dyn Model, part: impl Fn(&State, &Steps) -> Vec<u32>) -> BTreeSet<Box<State>> {
    let is_end = |state: &State| {
        let mut steps = Steps::new(state.len());
        model.steps(state, &mut steps).expect("no fault");
        steps.is_empty()
    };
    states(model, part).into_iter().filter(|state| is_end(state)).collect()
}

/// Ample parts keep every state in which nothing can happen any more (Valmari 1991). Says how many states were left out.
fn left_out(text: &str) -> usize {
    let model = whole(text, &[]);
    let part = |state: &State, steps: &Steps| ample(&*model, &[], state, steps);
    assert_eq!(ends(&*model, every), ends(&*model, part), "{text}");
    states(&*model, every).len() - states(&*model, part).len()
}

#[test]
fn a_command_that_reads_what_others_write_is_not_taken_before_them() {
    // The second module can close the door before the first goes through.
    let door = "module door open : [0..1] init 1; [] open=1 -> (open'=0); endmodule";
    for command in [
        "[] x=0 & open=1 -> (x'=1)",
        "[] x=0 -> (x'=1+open)",
        "[] x=0 -> open/2 : (x'=1) + 1-open/2 : (x'=2)",
    ] {
        let text = format!("mdp\nmodule m x : [0..2]; {command}; endmodule\n{door}");
        assert_eq!(left_out(&text), 0, "{command}");
    }
}

#[test]
fn a_command_that_writes_what_others_read_or_write_is_not_taken_before_them() {
    let other = "module other y : [0..2]; [] y=0 & x=0 -> (y'=1); endmodule";
    assert_eq!(left_out(&format!("mdp\nmodule m x : [0..1]; [] x=0 -> (x'=1); endmodule\n{other}")), 0);
    let text = "mdp\nglobal g : [0..2];
        module m x : [0..1]; [] x=0 -> (x'=1) & (g'=1); endmodule
        module n y : [0..1]; [] y=0 -> (y'=1) & (g'=2); endmodule";
    assert_eq!(left_out(text), 0);
}

#[test]
fn a_module_that_others_can_enable_is_not_taken_before_them() {
    // What m does first decides whether its other command is ever possible.
    let text = "mdp
        module m x : [0..2]; [] x=0 -> (x'=1); [] x=0 & y=1 -> (x'=2); endmodule
        module n y : [0..1]; [] y=0 -> (y'=1); endmodule";
    assert_eq!(left_out(text), 0);
}

#[test]
fn a_command_that_waits_for_others_is_not_taken_as_if_it_were_alone() {
    // What m does alone first decides whether the two ever go together.
    let text = "mdp
        module m x : [0..2]; [] x=0 -> (x'=1); [go] x=0 -> (x'=2); endmodule
        module n y : [0..2]; [] y=0 -> (y'=1); [go] y=1 -> (y'=2); endmodule";
    // That n goes first is enough.
    assert_eq!(left_out(text), 1);
}

#[test]
fn commands_that_nobody_else_notices_are_taken_alone() {
    let text = "mdp
        module m x : [0..1]; [] x=0 -> (x'=1); endmodule
        module n y : [0..1]; [] y=0 -> (y'=1); endmodule";
    assert_eq!(left_out(text), 1);
}

#[test]
fn an_ample_part_changes_nothing_that_a_claim_looks_at() {
    let text = "mdp
        module m x : [0..1]; [] x=0 -> (x'=1); endmodule
        module n y : [0..1]; [] y=0 -> (y'=1); endmodule";
    let model = whole(text, &[is("x", 1), is("y", 1)]);
    let mut steps = Steps::new(2);
    model.steps(&[0, 0], &mut steps).expect("no fault");
    let of = |visible: &[AtomId]| ample(&*model, visible, &[0, 0], &steps);
    // The first module is taken alone, unless a claim sees it; then the second, unless a claim sees both.
    assert_eq!(of(&[]), [0]);
    assert_eq!(of(&[AtomId(1)]), [0]);
    assert_eq!(of(&[AtomId(0)]), [1]);
    assert_eq!(of(&[AtomId(0), AtomId(1)]), [0, 1]);
}

/// The kinds of members that can change places, by their members.
fn kinds(text: &str) -> Vec<Vec<String>> {
    let model = whole(text, &[]);
    let symmetry = model.facets().symmetry.expect("PRISM models know who is alike");
    symmetry.kinds().iter().map(|kind| kind.members.clone()).collect()
}

#[test]
fn modules_whose_variables_have_other_values_cannot_change_places() {
    let pair = |one: &str, two: &str| {
        kinds(&format!(
            "mdp\nmodule one a : {one}; [] true -> (a'=a+1); endmodule
             module two b : {two}; [] true -> (b'=b+1); endmodule"
        ))
    };
    assert_eq!(pair("[0..1]", "[0..1]"), [["one", "two"]]);
    // The first stops the model at 1, the second goes on.
    assert!(pair("[0..1]", "[0..2]").is_empty());
    assert!(pair("[0..1]", "[1..2]").is_empty());
    assert!(pair("[0..1] init 0", "[0..1] init 1").is_empty());
}

#[test]
fn modules_that_do_other_things_cannot_change_places() {
    let pair = |one: &str, two: &str| {
        kinds(&format!(
            "mdp\nmodule one a : [0..2]; {one} endmodule\nmodule two b : [0..2]; {two} endmodule
             module third c : [0..2]; [] true -> (c'=0); endmodule"
        ))
    };
    assert_eq!(pair("[] a=0 -> (a'=1);", "[] b=0 -> (b'=1);"), [["one", "two"]]);
    assert_eq!(pair("[] a=b -> (a'=1);", "[] b=a -> (b'=1);"), [["one", "two"]]);
    for (one, two) in [
        ("[] a=0 -> (a'=1);", "[] b=0 -> (b'=2);"),
        ("[] a=0 -> (a'=1);", "[] b=1 -> (b'=1);"),
        ("[] a=0 -> 0.5:(a'=1)+0.5:true;", "[] b=0 -> 0.25:(b'=1)+0.75:true;"),
        ("[] a=b -> (a'=1);", "[] b=c -> (b'=1);"),
        ("[] a=0 -> (a'=1);", "[] b=0 -> (b'=1); [] b=1 -> (b'=0);"),
    ] {
        assert!(pair(one, two).is_empty(), "{one} {two}");
    }
}
