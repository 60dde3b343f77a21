//! Stubborn sets of nets of black tokens go no further than they may.

mod plain_lab;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use motet_model::{AtomId, AtomText, Expr, Independence as _, Model as _, Operator, State, Steps};
use motet_nets::plain::{PlainNet, Semantics};
use motet_source::fuzz::each_seed;
use motet_source::{FileId, Problems, Span, Spanned};
use plain_lab::{net, random, reachable};

/// The net, where atom 0 looks at a place.
fn model(net: &PlainNet, place: &str) -> Semantics {
    let tokens = Expr::Size(Box::new(Expr::Call(place.to_owned(), Vec::new())));
    let atom = AtomText::Fact(Expr::Binary(Operator::Gt, Box::new(tokens), Box::new(Expr::Int(0))));
    let atom = Spanned::new(atom, Span::new(FileId(0), 0, 0));
    Semantics::with_atoms(net.clone(), &[atom], &mut Problems::new()).expect("the place is there")
}

/// The markings without a successor, where in each marking only a stubborn part of the firings is taken, and how many markings
/// were met; `None` for nets with many.
fn ends(model: &Semantics, most: usize) -> Option<(BTreeSet<Box<State>>, usize)> {
    let mut waiting = Vec::new();
    model.initial(&mut waiting);
    let (mut found, mut ends) = (BTreeSet::new(), BTreeSet::new());
    while let Some(state) = waiting.pop() {
        if found.len() > most {
            return None;
        }
        if !found.insert(state.clone()) {
            continue;
        }
        let mut steps = Steps::new(state.len());
        model.steps(&state, &mut steps).ok()?;
        if steps.is_empty() {
            ends.insert(state.clone());
        }
        let mut part = Vec::new();
        model.ample(&[], &state, &steps, &mut part);
        assert_eq!(part.is_empty(), steps.is_empty(), "a part of some steps is not empty");
        for ordinal in part {
            let step = steps.get(ordinal as usize).expect("an ordinal of a step");
            waiting.extend(step.branches().map(|branch| Box::from(branch.target)));
        }
    }
    Some((ends, found.len()))
}

#[test]
fn every_dead_marking_is_found_with_stubborn_parts_alone() {
    let (compared, left_out) = (AtomicUsize::new(0), AtomicUsize::new(0));
    each_seed(3000, |_, seed| {
        let (places, transitions) = (2 + seed.below(5), 2 + seed.below(5));
        let net = random(seed, places, transitions);
        let (markings, finished) = reachable(&net, 300);
        let Some((found, met)) = ends(&model(&net, "p0"), 300).filter(|_| finished) else { return };
        let is_dead = |marking: &&Vec<u32>| {
            (0..net.transitions.len()).all(|transition| plain_lab::fired(&net, transition, marking).is_none())
        };
        let wanted: BTreeSet<Box<State>> =
            markings.iter().filter(is_dead).map(|marking| marking.as_slice().into()).collect();
        assert_eq!(found, wanted, "{net:?}");
        compared.fetch_add(1, Ordering::Relaxed);
        left_out.fetch_add(markings.len() - met, Ordering::Relaxed);
    });
    let (compared, left_out) = (compared.into_inner(), left_out.into_inner());
    assert!(compared > 300 && left_out > 300, "{compared} compared, {left_out} left out");
}

#[test]
fn a_stubborn_part_changes_nothing_that_a_claim_looks_at() {
    let net = net(&[("a", 1), ("c", 1)], &[("one", "a", "b"), ("two", "c", "d")]);
    let part = |place: &str, visible: &[AtomId]| {
        let model = model(&net, place);
        let mut steps = Steps::new(4);
        let start: Vec<u32> = net.places.iter().map(|place| place.initial).collect();
        model.steps(&start, &mut steps).expect("a small net");
        let mut part = Vec::new();
        model.ample(visible, &start, &steps, &mut part);
        part
    };
    assert_eq!(part("b", &[]), [0]);
    assert_eq!(part("b", &[AtomId(0)]), [1]);
    assert_eq!(part("a", &[AtomId(0)]), [1]);
    assert_eq!(part("d", &[AtomId(0)]), [0]);
}
