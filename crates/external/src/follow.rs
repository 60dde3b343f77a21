//! A foreign run, repeated in the native model.

use motet_evidence::{Evidence, Fairness, Run, Taken};
use motet_model::{Model, State, Steps};

use crate::Trail;

/// Why a foreign run could not be repeated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Astray {
    /// The model has no such step there.
    #[error("move {at} of the run: process {process} has no step {ordinal} there; see `motet explain M0954`")]
    Step {
        /// Which move.
        at: usize,
        /// Whose.
        process: u32,
        /// Which of its steps.
        ordinal: u32,
    },
    /// The model itself stops.
    #[error("move {at} of the run: {message}")]
    Stops {
        /// Before which move.
        at: usize,
        /// Its words.
        message: String,
    },
    /// No step of the model leads to a state like this one.
    #[error("move {at} of the run: no step leads to the state that the run tells; see `motet explain M0954`")]
    State {
        /// Which state.
        at: usize,
    },
    /// However often the cycle is repeated, it leads to ever new states.
    #[error("the cycle of the run does not close; see `motet explain M0954`")]
    Open,
    /// The model has no initial state, or there is a cycle without moves.
    #[error("the run is empty")]
    Empty,
}

/// How often a cycle is repeated at most. The model's part of a cycle returns after one round unless the checker's own
/// bookkeeping closed the cycle.
const LIMIT_ROUNDS: usize = 256;

/// The same run in the native model. Moves are counted among the outcomes of the steps of their process, in the order of
/// the model. A cycle is repeated until a state returns at its start.
///
/// # Errors
/// The point where the model cannot follow.
pub fn follow(model: &dyn Model, trail: &Trail, fairness: Fairness) -> Result<Evidence, Astray> {
    let mut follower = Follower::new(model)?;
    let Some(start) = trail.loop_start else {
        follower.walk(trail, 0)?;
        return Ok(Evidence::new(follower.run, None, fairness));
    };
    if start >= trail.moves.len() {
        return Err(Astray::Empty);
    }
    follower.walk(trail, 0)?;
    let length = trail.moves.len() - start;
    for _ in 0..LIMIT_ROUNDS {
        let last = follower.run.steps.len();
        let state = &follower.run.states[last];
        let rounds = (start..last).step_by(length);
        if let Some(back) = rounds.into_iter().find(|&at| follower.run.states[at] == *state) {
            return Ok(Evidence::new(follower.run, Some(back), fairness));
        }
        follower.walk(trail, start)?;
    }
    Err(Astray::Open)
}

struct Follower<'a> {
    model: &'a dyn Model,
    run: Run,
    steps: Steps,
}

impl<'a> Follower<'a> {
    fn new(model: &'a dyn Model) -> Result<Self, Astray> {
        let mut states: Vec<Box<State>> = Vec::new();
        model.initial(&mut states);
        let first = states.into_iter().next().ok_or(Astray::Empty)?;
        let run = Run { initial: 0, states: vec![first], steps: Vec::new() };
        Ok(Self { model, run, steps: Steps::new(model.signature().slots.len()) })
    }

    /// Takes the moves from number `from` to the end.
    fn walk(&mut self, trail: &Trail, from: usize) -> Result<(), Astray> {
        for (at, step) in trail.moves.iter().enumerate().skip(from) {
            self.steps.clear();
            let here = self.run.states.last().expect("a run has a first state");
            let outcome = self.model.steps(here, &mut self.steps);
            outcome.map_err(|fault| Astray::Stops { at, message: fault.message })?;
            let astray = Astray::Step { at, process: step.process, ordinal: step.ordinal };
            let (taken, target) = self.outcome(step.process, step.ordinal).ok_or(astray)?;
            self.run.states.push(target);
            self.run.steps.push(taken);
        }
        Ok(())
    }

    fn outcome(&self, process: u32, ordinal: u32) -> Option<(Taken, Box<State>)> {
        let own = (0..).zip(self.steps.iter()).filter(|(_, step)| step.process.0 == process);
        let outcomes = own.flat_map(|(number, step)| {
            (0..).zip(step.branches()).map(move |(branch, outcome)| {
                let taken = Taken {
                    ordinal: number,
                    branch,
                    process: step.process,
                    action: step.action,
                    delay: step.delay,
                };
                (taken, outcome.target)
            })
        });
        let (taken, target) = outcomes.into_iter().nth(ordinal as usize)?;
        Some((taken, target.into()))
    }
}

#[cfg(test)]
mod tests {
    use motet_model::{ActionId, AtomId, Fault, ProcessId, Signature};

    use super::*;
    use crate::Move;

    /// Counts to three and starts again; the second process stays where it is.
    struct Counter(Signature);

    impl Counter {
        fn new() -> Self {
            let processes = vec!["counter".to_owned(), "idle".to_owned()];
            Self(Signature { slots: vec!["n".to_owned()], processes, ..Signature::default() })
        }
    }

    impl Model for Counter {
        fn signature(&self) -> &Signature {
            &self.0
        }

        fn initial(&self, out: &mut Vec<Box<State>>) {
            out.push(Box::new([0]));
        }

        fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
            out.push(ProcessId(1), ActionId(1), 0, state);
            out.push(ProcessId(0), ActionId(0), 0, &[(state[0] + 1) % 3]);
            Ok(())
        }

        fn holds(&self, _: AtomId, _: &State) -> bool {
            false
        }
    }

    fn trail(moves: &[u32], loop_start: usize) -> Trail {
        let moves = moves.iter().map(|&process| Move { process, ordinal: 0 }).collect();
        Trail { moves, loop_start: Some(loop_start), ..Trail::default() }
    }

    #[test]
    fn a_cycle_is_repeated_until_the_model_returns() {
        let evidence = follow(&Counter::new(), &trail(&[0, 0, 1], 1), Fairness::None).unwrap();
        assert_eq!(evidence.loop_start, Some(1));
        assert_eq!(evidence.run.steps.len(), 7, "three rounds of two moves after the first move");
        assert_eq!(evidence.run.states[1], evidence.run.states[7]);
    }

    #[test]
    fn a_step_that_the_model_does_not_have_is_named() {
        let wrong = Trail { moves: vec![Move { process: 0, ordinal: 1 }], ..Trail::default() };
        let astray = follow(&Counter::new(), &wrong, Fairness::None).unwrap_err();
        assert_eq!(astray, Astray::Step { at: 0, process: 0, ordinal: 1 });
        assert!(astray.to_string().contains("M0954"), "{astray}");
    }
}
