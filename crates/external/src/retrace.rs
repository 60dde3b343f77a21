//! A foreign run that tells the states it passes through, found again in the native model.

use std::collections::BTreeMap;

use motet_evidence::{Evidence, Fairness, Run, Taken};
use motet_model::{Export, Model, State, Steps, System};

use crate::{Astray, Trail, follow};

/// How often a cycle is repeated at most.
const LIMIT_ROUNDS: usize = 64;
/// How many states are looked at between two states of the run, and how many are kept altogether.
const LIMIT_STATES: usize = 200_000;

/// The same run in the native model, whichever way the trail tells it.
///
/// # Errors
/// The point where the model cannot follow.
pub fn lead(system: &System, trail: &Trail, fairness: Fairness) -> Result<Evidence, Astray> {
    let model = system.model.as_ref();
    let tells = trail.moves.is_empty()
        && initial(model).is_some_and(|first| system.export.promela_state(&first).is_some());
    if tells {
        retrace(model, system.export.as_ref(), trail, fairness)
    } else {
        follow(model, trail, fairness)
    }
}

/// A state that the run may be in, and how it was reached.
struct Node {
    state: Box<State>,
    from: Option<(usize, Taken)>,
    /// How many states of the trail were passed when it was reached.
    passed: usize,
}

/// The same run in the native model: a step, and steps within the same instant, lead from each state of the trail to the
/// next. Where several native states look like the one that is told, all of them are followed.
///
/// # Errors
/// The point where the model cannot follow.
pub fn retrace(
    model: &dyn Model,
    export: &dyn Export,
    trail: &Trail,
    fairness: Fairness,
) -> Result<Evidence, Astray> {
    let first = initial(model).ok_or(Astray::Empty)?;
    let mut search = Search {
        model,
        export,
        nodes: vec![Node { state: first, from: None, passed: 0 }],
        steps: Steps::new(model.signature().slots.len()),
    };
    let mut layer = vec![0];
    for at in 0..trail.states.len() {
        layer = search.advance(&layer, &trail.states[at], at)?;
    }
    let start = match trail.loop_start {
        Some(start) if start < trail.states.len() => start,
        looped => return search.ending(&layer, looped.is_some(), fairness),
    };
    for round in 0..LIMIT_ROUNDS {
        if let Some((node, back)) = search.closed(&layer, start, trail.states.len() - start) {
            return Ok(search.evidence(node, Some(back), fairness));
        }
        for at in start..trail.states.len() {
            let passed = trail.states.len() + round * (trail.states.len() - start) + at - start;
            layer = search.advance(&layer, &trail.states[at], passed)?;
        }
    }
    Err(Astray::Open)
}

struct Search<'a> {
    model: &'a dyn Model,
    export: &'a dyn Export,
    nodes: Vec<Node>,
    steps: Steps,
}

impl Search<'_> {
    /// The nodes that look like the next state of the run.
    fn advance(&mut self, layer: &[usize], told: &str, at: usize) -> Result<Vec<usize>, Astray> {
        let mut known: BTreeMap<Box<State>, usize> = BTreeMap::new();
        let mut found = Vec::new();
        let mut open: Vec<usize> = layer.to_vec();
        let mut first = true;
        while !open.is_empty() {
            let mut next = Vec::new();
            for node in open {
                let moved = self.successors(node, at, first)?;
                if moved.is_empty() && first && self.looks_like(&self.nodes[node].state, told) {
                    // The last state repeats for ever.
                    self.nodes[node].passed = at + 1;
                    found.push(node);
                }
                for (taken, state) in moved {
                    if known.contains_key(&state) {
                        continue;
                    }
                    let number = self.nodes.len();
                    if number > LIMIT_STATES {
                        return Err(Astray::State { at });
                    }
                    known.insert(state.clone(), number);
                    if self.looks_like(&state, told) {
                        found.push(number);
                    }
                    self.nodes.push(Node { state, from: Some((node, taken)), passed: at + 1 });
                    next.push(number);
                }
            }
            open = next;
            first = false;
        }
        if found.is_empty() { Err(Astray::State { at }) } else { Ok(found) }
    }

    /// The steps of a node; after the first step only those that take no time.
    fn successors(
        &mut self,
        node: usize,
        at: usize,
        first: bool,
    ) -> Result<Vec<(Taken, Box<State>)>, Astray> {
        self.steps.clear();
        let outcome = self.model.steps(&self.nodes[node].state, &mut self.steps);
        outcome.map_err(|fault| Astray::Stops { at, message: fault.message })?;
        let mut moved = Vec::new();
        for (ordinal, step) in (0..).zip(self.steps.iter()).filter(|(_, step)| first || step.delay == 0) {
            for (branch, outcome) in (0..).zip(step.branches()) {
                let taken =
                    Taken { ordinal, branch, process: step.process, action: step.action, delay: step.delay };
                moved.push((taken, outcome.target.into()));
            }
        }
        Ok(moved)
    }

    fn looks_like(&self, state: &State, told: &str) -> bool {
        self.export.promela_state(state).is_some_and(|words| words == told)
    }

    /// A node whose state was there before at the start of a round, on its own path; and where.
    fn closed(&self, layer: &[usize], start: usize, length: usize) -> Option<(usize, usize)> {
        for &node in layer {
            let path = self.path(node);
            let last = path.len() - 1;
            let here = &self.nodes[node];
            let back = (0..last).find(|&at| {
                let before = &self.nodes[path[at]];
                let boundary = before.passed >= start && (before.passed - start).is_multiple_of(length);
                boundary && before.state == here.state
            });
            if let Some(back) = back {
                return Some((node, back));
            }
        }
        None
    }

    /// The nodes from the beginning to this one.
    fn path(&self, node: usize) -> Vec<usize> {
        let mut path = vec![node];
        let mut at = node;
        while let Some((from, _)) = self.nodes[at].from {
            path.push(from);
            at = from;
        }
        path.reverse();
        path
    }

    fn evidence(&self, node: usize, loop_start: Option<usize>, fairness: Fairness) -> Evidence {
        let path = self.path(node);
        let states = path.iter().map(|&at| self.nodes[at].state.clone()).collect();
        let steps = path.iter().filter_map(|&at| self.nodes[at].from.map(|(_, taken)| taken)).collect();
        Evidence::new(Run { initial: 0, states, steps }, loop_start, fairness)
    }

    /// A run that ends; with `stays` its last state repeats for ever, so it has no steps.
    fn ending(&mut self, layer: &[usize], stays: bool, fairness: Fairness) -> Result<Evidence, Astray> {
        for &node in layer {
            if !stays || self.successors(node, 0, true).is_ok_and(|moved| moved.is_empty()) {
                return Ok(self.evidence(node, None, fairness));
            }
        }
        Err(Astray::Open)
    }
}

fn initial(model: &dyn Model) -> Option<Box<State>> {
    let mut states = Vec::new();
    model.initial(&mut states);
    states.into_iter().next()
}

#[cfg(test)]
mod tests {
    use motet_model::{ActionId, AtomId, Explorer, Fault, ProcessId, PromelaClaim, Ratio, Signature};
    use motet_source::Problem;

    use super::*;

    /// From 0 to 1 or 2 at once, from there to 3 after a while, and from 3 to 0; 4 is the end. What is told leaves
    /// out which of 1 and 2 it is, and nobody tells of 3.
    struct Fork(Signature);

    impl Fork {
        fn new() -> Self {
            let processes = vec!["one".to_owned()];
            Self(Signature { slots: vec!["n".to_owned()], processes, ..Signature::default() })
        }
    }

    impl Model for Fork {
        fn signature(&self) -> &Signature {
            &self.0
        }

        fn initial(&self, out: &mut Vec<Box<State>>) {
            out.push(Box::new([0]));
        }

        fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
            let half = Ratio::new(1, 2).expect("a half is a chance");
            match state[0] {
                0 => out.push_random(ProcessId(0), ActionId(0), 0, [(half, &[1][..]), (half, &[2][..])]),
                1 => out.push(ProcessId(0), ActionId(0), 5, &[4]),
                2 => out.push(ProcessId(0), ActionId(0), 5, &[3]),
                3 => out.push(ProcessId(0), ActionId(0), 0, &[0]),
                _ => {}
            }
            Ok(())
        }

        fn holds(&self, _: AtomId, _: &State) -> bool {
            false
        }
    }

    struct Tells;

    impl Export for Tells {
        fn promela_atom(&self, _: AtomId) -> String {
            String::new()
        }

        fn promela(&self, _: &[PromelaClaim], _: &dyn Explorer) -> Result<String, Box<Problem>> {
            Ok(String::new())
        }

        fn promela_state(&self, state: &State) -> Option<String> {
            Some(["start", "middle", "middle", "hidden", "end"][state[0] as usize].to_owned())
        }
    }

    fn trail(states: &[&str], loop_start: Option<usize>) -> Trail {
        let states = states.iter().map(|&state| state.to_owned()).collect();
        Trail { states, loop_start, ..Trail::default() }
    }

    #[test]
    fn states_that_look_alike_are_all_followed() {
        let run =
            retrace(&Fork::new(), &Tells, &trail(&["middle", "start"], Some(0)), Fairness::None).unwrap();
        assert_eq!(run.loop_start, Some(0));
        let numbers: Vec<u32> = run.run.states.iter().map(|state| state[0]).collect();
        assert_eq!(numbers, [0, 2, 3, 0], "the state that nobody tells of is passed within its instant");
    }

    #[test]
    fn a_run_that_ends_has_no_loop() {
        let run = retrace(&Fork::new(), &Tells, &trail(&["middle", "end"], Some(2)), Fairness::None).unwrap();
        assert_eq!(run.loop_start, None);
        assert_eq!(run.run.steps.len(), 2);
    }

    #[test]
    fn a_state_that_no_step_leads_to_is_named() {
        let astray = retrace(&Fork::new(), &Tells, &trail(&["end"], None), Fairness::None).unwrap_err();
        assert_eq!(astray, Astray::State { at: 0 }, "time passes before the end");
        assert!(astray.to_string().contains("M0954"), "{astray}");
    }
}
