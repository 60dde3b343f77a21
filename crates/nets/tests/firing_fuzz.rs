//! Whatever resolves can be run, told and reviewed: it has steps or a fault, and the same ones if nothing is remembered and
//! every expression is computed from its tree.

mod firing_lab;

use std::collections::VecDeque;

use firing_lab::{BCIN, STATION, afresh, attempt, initial, same_up_to};
use motet_model::{State, Steps, System};
use motet_source::fuzz::{Random, each_seed};

const SMALL: &str = "
    const N = 3; type R = int 0..N; enum E = { a, b };
    port p(x: R, e: E); port t(x: R);
    agent net K(k: R) {
      place s, u : R = { k }; cell c : set of R = { k };
      transition t1 { in s(x); sync up ! p(x, a); c' = c union {x}; out u(x); }
      transition t2 limit N { in u(x); pick y in c where y >= x; out s(y); }
      transition t3 { in s(x); sync chan(1) ! t(x); out u(x); }
      transition t4 { read u(_); sync chan(1) ? t(y); c' = c minus {y}; }
    }
    system net S() {
      place w : (e: E, net: agent) = { (a, new K(1)), (b, new K(2)) };
      place z : token capacity 3 = 2; place r : (x: R, s: set of E) = { (x, {a}) | x in 0..N where x % 2 = 0 };
      transition v { in w(e, n), z; sync n ? p(x, e2); alt { inhib z * 2; } alt { read z; } out w(e, n); }
      transition back { in r(x, s); when size(s) < N - x; out z; }
    }";

/// The names and numbers of a text, with their places.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = letter.is_ascii_alphanumeric() || letter == '_';
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((from, &text[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// The text with one to three words replaced by others of it: often it still means something.
fn mutant(random: &mut Random) -> String {
    let mut text = random.pick(&[STATION, BCIN, SMALL, SMALL]).to_owned();
    for _ in 0..=random.below(3) {
        let (from, old, new) = {
            let words = words(&text);
            let (from, old) = random.pick(&words);
            let new =
                if random.chance(30) { random.pick(&["0", "1", "2", "9"]) } else { random.pick(&words).1 };
            (from, old.len(), new.to_owned())
        };
        text.replace_range(from..from + old, &new);
    }
    text
}

/// Walks over some states and asks for all words there.
fn visit(system: &System, random: &mut Random) -> usize {
    let mut waiting: VecDeque<Box<State>> = VecDeque::from([initial(system)]);
    let mut seen = 0;
    while let Some(state) = waiting.pop_front().filter(|_| seen < 40) {
        seen += 1;
        let mut steps = Steps::new(state.len());
        let result = system.model.steps(&state, &mut steps);
        let snapshot = system.words.snapshot(&state);
        assert!(!snapshot.minds.is_empty());
        assert!(system.words.marking(&state).is_some());
        for name in ["Park", "v", "Read", "t1", "S.back"] {
            system.words.account(&state, name);
        }
        if result.is_err() {
            continue;
        }
        for step in steps.iter() {
            let told = system.words.action(step.action);
            assert!(!told.is_empty());
            system.words.story(step.action);
            let subject = system.model.facets().subject(step.process, step.action);
            assert!(system.words.subject(subject).is_some_and(|text| !text.is_empty()));
            if random.chance(50) {
                waiting.push_back(step.branches().next().expect("a step leads somewhere").target.into());
            }
        }
    }
    seen
}

#[test]
fn whatever_resolves_runs() {
    let ran = std::sync::atomic::AtomicUsize::new(0);
    each_seed(250, |_, random| {
        let text = mutant(random);
        if let Ok(case) = attempt(&text, "", &[]) {
            let seen = visit(&case.system, random);
            ran.fetch_add(seen, std::sync::atomic::Ordering::Relaxed);
            same_up_to(60, &case.system.model, &afresh(&text));
        }
    });
    assert!(ran.into_inner() > 300, "enough of them run");
}
