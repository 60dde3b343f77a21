//! However many threads explore, the graph is the same: its counts, the verdicts, and the runs that show them.

mod support;

use motet_engine::{Limits, Settings, check_all};
use motet_evidence::{Outcome, Stop, Verdict, replay_outcome};
use motet_model::{
    ActionId, AtomId, Facets, Fault, Model, ProcessId, Ratio, RewardId, Rewards, Signature, State, Steps,
};
use motet_property::Kind;
use support::{always, atom, claim, eventually, not, rounds};

/// Tokens that wander over fields, where a step depends on all of them: several ten thousand states, most of them reached
/// in many ways, and values that grow late.
struct Wander {
    signature: Signature,
    seed: u32,
    fields: u32,
}

impl Wander {
    fn new(seed: u32, tokens: usize, fields: u32) -> Self {
        let names = |n: usize| (0..n).map(|number| number.to_string()).collect::<Vec<_>>();
        let signature = Signature {
            slots: names(tokens),
            processes: names(tokens),
            atoms: names(3),
            rewards: Vec::new(),
            observers: Vec::new(),
            unit: motet_model::TimeUnit::Steps,
        };
        Self { signature, seed, fields }
    }

    fn draw(&self, state: &State, what: u32) -> u32 {
        let mix = |hash: u32, &value: &u32| (hash ^ value).wrapping_mul(2_654_435_761).rotate_left(13);
        state.iter().fold(mix(self.seed, &what), mix) >> 4
    }
}

impl Model for Wander {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.push(vec![0; self.signature.slots.len()].into());
        out.push(vec![1; self.signature.slots.len()].into());
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let mut target = state.to_vec();
        for token in 0..state.len() {
            let process = u32::try_from(token).expect("a few tokens");
            let draw = self.draw(state, process);
            if draw.is_multiple_of(5) {
                continue;
            }
            target[token] = (state[token] + 1 + draw % 2).min(self.fields) % self.fields;
            out.push(ProcessId(process), ActionId(process + draw % 3), draw % 4, &target);
            target[token] = state[token];
        }
        if self.draw(state, 77).is_multiple_of(1 << 14) {
            return Err(Fault { message: format!("bound exceeded at {state:?}") });
        }
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        match atom.0 {
            0 => state.iter().all(|&field| field + 2 > self.fields),
            1 => state[0] == state[1],
            _ => self.draw(state, 5).is_multiple_of(3),
        }
    }

    fn facets(&self) -> Facets<'_> {
        Facets { rewards: Some(self), ..Facets::default() }
    }
}

impl Rewards for Wander {
    fn state_reward(&self, _: RewardId, _: &State) -> Ratio {
        Ratio::ONE
    }
}

/// All that must not depend on the number of threads.
fn essence(outcome: &Outcome) -> String {
    let coverage = &outcome.coverage;
    let counts = (coverage.states, coverage.transitions, coverage.depth, coverage.choices, coverage.open);
    format!("{:?} {:?} {counts:?} {:?}", outcome.verdict, outcome.evidence, outcome.starved)
}

#[test]
fn one_two_and_five_threads_find_the_same_graph_and_the_same_runs() {
    for seed in 0..u32::try_from(2 * rounds(1)).unwrap() {
        let model = Wander::new(seed, 4, 18);
        let claims = [
            claim(Kind::Property, always(not(atom(0)))),
            claim(Kind::Property, always(eventually(atom(1)))),
            claim(Kind::Possible, eventually(atom(2))),
        ];
        let answers = [1, 2, 5].map(|threads| {
            let settings = Settings { threads, ..Settings::default() };
            let report = check_all(&model, &claims, &settings, &mut |_| {});
            assert!(report.coverage.states > 40_000, "{:?}", report.coverage);
            for (outcome, claim) in report.outcomes.iter().zip(&claims) {
                assert!(replay_outcome(&model, &[], claim, outcome).is_ok());
            }
            let outcomes: Vec<String> = report.outcomes.iter().map(essence).collect();
            (outcomes, format!("{:?}", report.fault), report.actions)
        });
        assert_eq!(answers[0], answers[1], "seed {seed}");
        assert_eq!(answers[0], answers[2], "seed {seed}");
    }
}

#[test]
fn a_limit_of_states_is_met_at_the_same_state() {
    let model = Wander::new(9, 4, 18);
    let claims = [claim(Kind::Property, always(not(atom(0))))];
    let counts = [1, 2, 4].map(|threads| {
        let limits = Limits { states: Some(30_000), ..Limits::default() };
        let settings = Settings { threads, limits, ..Settings::default() };
        let report = check_all(&model, &claims, &settings, &mut |_| {});
        assert_eq!(report.stop, Some(Stop::States));
        assert!(matches!(report.outcomes[0].verdict, Verdict::Unknown(_)));
        (report.coverage.states, report.coverage.transitions, report.coverage.open)
    });
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}
