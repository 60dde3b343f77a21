//! What influences what in a nested net: who has an influence stays, who has none is left out, and a claim sees the same changes.

use std::collections::{BTreeMap, BTreeSet};

use motet_model::{AtomId, Language as _, Model, Options, State, Steps};
use motet_naive::slices::same_course;
use motet_nets::Nets;
use motet_property::{lower_all, parse};
use motet_source::{Problems, Sources};

/// The truths of the atoms before and after a step.
type Change = (Vec<bool>, Vec<bool>);

/// What each step changes of the truths of the atoms, or a fault.
fn changes(model: &dyn Model) -> Result<BTreeSet<Change>, String> {
    let truths = |state: &State| -> Vec<bool> {
        (0..).map(AtomId).take(model.signature().atoms.len()).map(|atom| model.holds(atom, state)).collect()
    };
    let mut open = Vec::new();
    model.initial(&mut open);
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    let mut steps = Steps::new(model.signature().slots.len());
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        assert!(seen.len() < 5_000, "a small net");
        steps.clear();
        model.steps(&state, &mut steps).map_err(|fault| fault.to_string())?;
        for branch in steps.iter().flat_map(motet_model::Step::branches) {
            found.insert((truths(&state), truths(branch.target)));
            open.push(branch.target.into());
        }
    }
    Ok(found)
}

/// What is left out for a claim, once what it sees was found to change as in the whole net; nothing if there is no slice.
#[track_caller]
fn left_out(net: &str, claim: &str) -> Vec<String> {
    let mut sources = Sources::new();
    sources.add("model.npn", net);
    let mut problems = Problems::new();
    let draft = Nets.read(&sources, &Options::default(), &mut problems);
    let draft = draft.unwrap_or_else(|| panic!("{}\n{net}", problems.lines(&sources)));
    let text = format!("possible P: {claim}\n");
    let file = sources.add("claims.props", text.clone());
    let (tree, found) = parse(file, &text, None);
    problems.extend(found);
    let lowered = lower_all(&[&tree], draft.vocabulary(), &BTreeMap::new(), &mut problems);
    let whole = draft.system(&lowered.atoms, &mut problems);
    assert!(!problems.has_errors(), "{}\n{net}", problems.lines(&sources));
    let whole = whole.expect("a system without errors is built");
    let Some(slice) = draft.slice(&lowered.atoms) else { return Vec::new() };
    let (all, some) = (changes(&*whole.model), changes(&*slice.system.model));
    // Where nothing changes that the claim sees, nothing is compared; steps of the whole that it does not see are no changes.
    let seen = |found: Result<BTreeSet<Change>, String>| {
        found.map(|all| all.into_iter().filter(|(before, after)| before != after).collect::<BTreeSet<_>>())
    };
    let (all, some) = (seen(all), seen(some));
    assert!(all.as_ref().map_or(true, |changes| !changes.is_empty()), "nothing happens in\n{net}");
    assert_eq!(all, some, "{net}\nwithout {:?}", slice.left_out);
    let same = same_course(&*whole.model, &*slice.system.model, slice.haste, 0);
    same.unwrap_or_else(|lost| panic!("{lost}\n{net}\nwithout {:?}", slice.left_out));
    slice.left_out
}

/// A net with these places and transitions, and visitors whom nobody looks at.
fn beside(text: &str) -> String {
    format!(
        "system net Depot() {{\n{text}\n  place visitors : token = 1;\n  place gone : token;\n  \
         transition leave {{ in visitors; out gone; }}\n}}\n"
    )
}

const LEAVE: [&str; 1] = ["transition Depot.leave"];

#[test]
fn who_gives_to_a_place_and_who_takes_from_it_is_needed() {
    let net = beside(
        "place a : token = 1; place b : token; place c : token = 1; place d : token = 1;
         transition give { in a; out b; } transition take { in b, c; } transition idle { in d; }",
    );
    assert_eq!(left_out(&net, "#b = 1"), ["transition Depot.idle", "transition Depot.leave"]);
}

#[test]
fn what_is_read_and_what_must_be_empty_is_needed() {
    let net = beside(
        "place a : token = 1; place b : token; place key : token; place hook : token = 1; place lock : token = 1; place bolt : token = 1;
         transition open { in a; read key; inhib lock; out b; }
         transition fetch { in hook; out key; } transition unlock { in lock, bolt; }",
    );
    assert_eq!(left_out(&net, "#b = 1"), LEAVE);
}

#[test]
fn a_place_that_may_be_full_decides_about_those_who_give_to_it() {
    let net = beside(
        "place a : token = 2; place shelf : token capacity 1; place done : token; place b : token = 1;
         transition put { in a; out shelf, done; } transition clear { in shelf, b; }",
    );
    assert_eq!(left_out(&net, "#done = 2"), LEAVE);
}

#[test]
fn what_a_guard_reads_is_needed() {
    let net = beside(
        "cell n : int 0..2 = 0; place a : token = 1; place b : token; place c : token = 1;
         transition count { in c; n' = 2; } transition go { in a; when n = 2; out b; }",
    );
    assert_eq!(left_out(&net, "#b = 1"), LEAVE);
    assert_eq!(left_out(&net, "n = 2"), ["transition Depot.go", "transition Depot.leave"]);
}

#[test]
fn transitions_that_meet_at_a_port_are_needed_together() {
    let net = format!(
        "port ride();\nagent net Cart() {{ place rest : token = 1; place roll : token; place dry : token = 1;
         transition go {{ in rest; sync up ! ride(); out roll; }} transition squeak {{ in dry; }} }}\n{}",
        beside(
            "place shed : (name: int, net: agent) = { (1, new Cart()) }; place road : (name: int, net: agent);
             transition lend { in shed(c); sync c.net ? ride(); out road(c); }"
        )
    );
    assert_eq!(left_out(&net, "#road = 1"), ["transition Cart.squeak", "transition Depot.leave"]);
}

#[test]
fn a_transition_that_may_end_in_a_fault_is_not_left_out() {
    let net = beside(
        "place a : token = 1; place b : token; place c : int = { 0 }; place d : int;
         transition go { in a; out b; } transition divide { in c(x); out d(1 / x); }",
    );
    assert_eq!(left_out(&net, "#b = 1"), LEAVE);
}
