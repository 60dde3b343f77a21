//! Trees of evidence are small: a branch stands where the claim turns on it, and nowhere else.

mod support;

use motet_engine::{Limits, Settings, check};
use motet_evidence::{Branch, Evidence, Fairness, Shown, Stop, Verdict, replay};
use motet_model::{AtomId, ObserverId};
use motet_naive::random::{Shape, Table};
use motet_property::{Claim, Formula, Kind, Knowledge, Path, Quantifier};
use support::{always, atom, claim, eventually, fair, implies, not};

/// 0 <-> 1 -> 2 -> 3, where 3 goes round; atom `n` holds in state `n`.
fn walk() -> Table {
    let mut table = Table::new(Shape { n_states: 4, n_processes: 1, n_atoms: 4 });
    for (from, to) in [(0, 1), (1, 0), (1, 2), (2, 3), (3, 3)] {
        table.step(from, 0, to);
    }
    (0..4).for_each(|state| table.atoms[state][state] = true);
    table
}

fn some(path: Path<AtomId>) -> Path<AtomId> {
    Path::Now(Formula::Runs(Quantifier::Some, Box::new(path)))
}

fn all(path: Path<AtomId>) -> Path<AtomId> {
    Path::Now(Formula::Runs(Quantifier::All, Box::new(path)))
}

fn knows(kind: Knowledge, who: &[&str], inner: Formula<AtomId>) -> Path<AtomId> {
    Path::Now(Formula::Knows(kind, who.iter().map(|&name| name.to_owned()).collect(), Box::new(inner)))
}

fn fact(number: u32) -> Formula<AtomId> {
    Formula::Atom(AtomId(number))
}

/// The evidence of a claim with this verdict, replayed.
fn evidence(table: &Table, claim: &Claim<AtomId>, verdict: &Verdict) -> Evidence {
    let outcome = check(table, claim, &Settings::default());
    assert_eq!(outcome.verdict, *verdict, "{:?}", claim.formula);
    let evidence = outcome.evidence.expect("a verdict that a run shows");
    assert_eq!(replay(table, claim, &evidence), Ok(()), "{evidence:#?}");
    evidence
}

/// The numbers of the states of a run, as the table has them.
fn way(evidence: &Evidence) -> Vec<u32> {
    evidence.run.states.iter().map(|state| state[0] + 3 * state[1]).collect()
}

#[test]
fn of_a_state_of_no_return_only_the_last_state_has_a_branch() {
    let back = claim(Kind::Property, all(always(some(eventually(atom(0))))));
    let tree = evidence(&walk(), &back, &Verdict::Fails);
    assert_eq!(way(&tree), [0, 1, 2]);
    let [Branch { at: 2, truth: false, shown: Shown::Search, .. }] = &tree.branches[..] else {
        panic!("{tree:#?}")
    };
}

#[test]
fn a_branch_stands_where_a_promise_breaks() {
    let promise = always(implies(atom(1), some(Path::Next(Box::new(atom(3))))));
    let tree = evidence(&walk(), &claim(Kind::Property, promise), &Verdict::Fails);
    assert_eq!((way(&tree), tree.branches.len(), tree.branches[0].at), (vec![0, 1], 1, 1));
    // On all runs from 1 the next state is 0: a run onward shows that it may be 2.
    let promise = always(implies(atom(1), all(Path::Next(Box::new(atom(0))))));
    let tree = evidence(&walk(), &claim(Kind::Property, promise), &Verdict::Fails);
    // That one is told by a single run.
    assert!(tree.branches.is_empty() && way(&tree).starts_with(&[0, 1, 2]), "{tree:#?}");
}

#[test]
fn a_run_that_is_its_own_witness_needs_no_branch() {
    // From 0 one may go round for ever and yet could always go to 3; the way to 3 leaves the round, the way to 0 does not.
    let round = |goal| claim(Kind::Property, some(always(some(eventually(atom(goal))))));
    assert!(evidence(&walk(), &round(0), &Verdict::Holds).branches.is_empty());
    let both = Path::And(Box::new(always(not(atom(2)))), Box::new(always(some(eventually(atom(3))))));
    let tree = evidence(&walk(), &claim(Kind::Property, some(both)), &Verdict::Holds);
    assert_eq!(tree.loop_start, Some(0));
    let onward = tree.branches.iter().filter(|branch| matches!(branch.shown, Shown::Onward(_)));
    assert_eq!((onward.count(), tree.branches.len()), (2, 2), "{tree:#?}");
}

#[test]
fn a_claim_about_the_start_alone_has_the_start_and_branches() {
    // Nothing but the start is spoken of; the second half is false, and only a search shows that.
    let start = Path::And(Box::new(some(eventually(atom(3)))), Box::new(some(always(atom(0)))));
    let tree = evidence(&walk(), &claim(Kind::Property, start), &Verdict::Fails);
    assert_eq!((way(&tree), tree.branches.len()), (vec![0], 1), "{tree:#?}");
    assert_eq!(tree.branches[0].shown, Shown::Search);
}

#[test]
fn what_is_not_known_is_shown_by_a_run_elsewhere() {
    let mut table = walk();
    // `near` sees whether it is at 0, `blind` sees nothing.
    table.views = vec![vec![vec![1], vec![0], vec![0], vec![0]], vec![vec![]; 4]];
    table.signature.observers = vec!["near".to_owned(), "blind".to_owned()];
    let property = claim(Kind::Property, always(implies(atom(1), knows(Knowledge::One, &["near"], fact(1)))));
    let tree = evidence(&table, &property, &Verdict::Fails);
    let [Branch { at: 1, truth: false, shown: Shown::Elsewhere(who, there), .. }] = &tree.branches[..] else {
        panic!("{tree:#?}")
    };
    assert_eq!((who.as_slice(), way(there)), ([ObserverId(0)].as_slice(), vec![0, 1, 2]));
    // Together they know what `near` knows.
    let together = knows(Knowledge::Distributed, &["near", "blind"], fact(0));
    let together = claim(Kind::Property, always(implies(atom(0), together)));
    assert_eq!(check(&table, &together, &Settings::default()).verdict, Verdict::Holds);
}

#[test]
fn common_knowledge_breaks_along_a_chain() {
    let mut table = walk();
    // One cannot tell 0 from 1 and 2 from 3, the other 1 from 2: from 0 the chain to 3 has three links.
    let seen = |views: [u32; 4]| views.iter().map(|&view| vec![view]).collect::<Vec<_>>();
    table.views = vec![seen([0, 0, 1, 1]), seen([0, 1, 1, 2])];
    table.signature.observers = vec!["one".to_owned(), "other".to_owned()];
    let low = Formula::Not(Box::new(fact(3)));
    let property = claim(Kind::Property, knows(Knowledge::Common, &["one", "other"], low.clone()));
    let mut tree = evidence(&table, &property, &Verdict::Fails);
    let mut links = Vec::new();
    while let Some(Branch { shown: Shown::Elsewhere(who, there), .. }) = tree.branches.first().cloned() {
        links.push((who[0].0, *way(&there).last().unwrap()));
        tree = *there;
    }
    assert_eq!(links, [(0, 1), (1, 2), (0, 3)]);
    // Everyone knows it at the start all the same.
    let property = claim(Kind::Property, knows(Knowledge::Everyone, &["one", "other"], low));
    assert_eq!(check(&table, &property, &Settings::default()).verdict, Verdict::Holds);
}

#[test]
fn fair_branches_are_fair() {
    // Process 0 goes round in 0; process 1 could always leave for 1, and does so on fair runs.
    let mut table = Table::new(Shape { n_states: 2, n_processes: 2, n_atoms: 2 });
    table.step(0, 0, 0);
    table.step(0, 1, 1);
    table.step(1, 0, 1);
    table.atoms[1][1] = true;
    let stays = claim(Kind::Property, always(some(always(not(atom(1))))));
    assert_eq!(check(&table, &stays, &fair(Fairness::None)).verdict, Verdict::Fails);
    let stays = claim(Kind::Property, some(always(not(atom(1)))));
    assert_eq!(check(&table, &stays, &fair(Fairness::None)).verdict, Verdict::Holds);
    assert_eq!(check(&table, &stays, &fair(Fairness::Weak)).verdict, Verdict::Fails);
}

#[test]
fn what_was_not_explored_to_the_end_is_unknown_unless_it_is_certain() {
    let settings =
        Settings { limits: Limits { states: Some(2), ..Limits::default() }, ..Settings::default() };
    let back = claim(Kind::Property, all(always(some(eventually(atom(0))))));
    assert_eq!(check(&walk(), &back, &settings).verdict, Verdict::Unknown(Stop::States));
    let reached = claim(Kind::Property, some(eventually(atom(1))));
    assert_eq!(check(&walk(), &reached, &settings).verdict, Verdict::Holds);
}
