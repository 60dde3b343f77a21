//! Estimates from random runs: they meet values known by hand, and do not depend on the number of threads.

mod support;

use motet_engine::{Choose, Question, Sampling, chernoff_runs, clopper_pearson, estimate, student};
use motet_model::{
    ActionId, AtomId, Facets, Fault, Model, ProcessId, Ratio, Reward, RewardId, Rewards, Signature, State,
    Steps,
};
use motet_property::{Bound, Interval, Path, RewardGoal, Unit};
use support::{atom, eventually, not};

/// Two fair coins in a row from state 0: heads twice is state 3, anything else ends in state 2. State 1 offers a second
/// step that gives up. Every step earns 1.
struct Coins(Signature);

impl Coins {
    fn new() -> Self {
        Self(Signature {
            slots: vec!["at".to_owned()],
            processes: vec!["coin".to_owned()],
            atoms: vec!["won".to_owned(), "over".to_owned()],
            rewards: vec![Reward { name: "tosses".to_owned() }],
            ..Signature::default()
        })
    }
}

impl Model for Coins {
    fn signature(&self) -> &Signature {
        &self.0
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.push(Box::new([0]));
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let half = Ratio::new(1, 2).expect("not by zero");
        let mut toss = |heads: u32| {
            out.push_random(ProcessId(0), ActionId(0), 0, [(half, &[heads][..]), (half, &[2][..])]);
        };
        match state[0] {
            0 => toss(1),
            1 => {
                toss(3);
                out.push(ProcessId(0), ActionId(1), 0, &[2]);
            }
            end => out.push(ProcessId(0), ActionId(2), 0, &[end]),
        }
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        if atom.0 == 0 { state[0] == 3 } else { state[0] >= 2 }
    }

    fn facets(&self) -> Facets<'_> {
        Facets { rewards: Some(self), ..Facets::default() }
    }
}

impl Rewards for Coins {
    fn state_reward(&self, _: RewardId, state: &State) -> Ratio {
        if state[0] < 2 { Ratio::ONE } else { Ratio::ZERO }
    }
}

/// Always tosses, never gives up.
struct Bold;

impl Choose for Bold {
    fn choose(&self, _: &State, _: u64, steps: &Steps) -> Option<u32> {
        (steps.len() > 1).then_some(0)
    }
}

fn sampling(threads: usize, choose: Option<&dyn Choose>) -> Sampling<'_> {
    Sampling { series: 17, runs: 0..20_000, steps: 50, threads, choose, interrupt: None }
}

fn questions() -> Vec<Question> {
    let two = Bound { amount: 2, unit: Some(Unit::Steps), strict: false };
    let soon = Interval { low: None, high: Some(Bound { amount: 1, ..two.clone() }) };
    vec![
        Question::Probability(eventually(atom(0))),
        Question::Probability(Path::Eventually(soon, Box::new(atom(1)))),
        Question::Reward(RewardId(0), RewardGoal::Until(eventually(atom(1)))),
        Question::Reward(RewardId(0), RewardGoal::Cumulative(Some(two.clone()))),
        Question::Reward(RewardId(0), RewardGoal::Until(eventually(atom(0)))),
        Question::Reward(RewardId(0), RewardGoal::Instant(Bound { amount: 1, ..two })),
        Question::Probability(Path::Always(Interval::default(), Box::new(not(atom(0))))),
    ]
}

#[test]
fn estimates_meet_the_values_of_two_coins() {
    let found = estimate(&Coins::new(), &questions(), &sampling(2, Some(&Bold)));
    let within = |hits: u64, value: f64| {
        let (low, high) = clopper_pearson(hits, 20_000, 0.9999);
        assert!(low <= value && value <= high, "{hits} {value}");
    };
    // Heads twice has the chance 1/4; the first coin ends it with 1/2.
    within(found[0].yes, 0.25);
    within(found[1].yes, 0.5);
    within(found[6].yes, 0.75);
    // One toss and, with chance 1/2, a second: 1.5 on average, until the end and within two steps alike.
    for sums in [&found[2], &found[3]] {
        let (mean, half) = (sums.sum / 20_000.0, student(20_000, sums.sum, sums.squares, 0.9999));
        assert!((mean - 1.5).abs() <= half, "{mean} +- {half}");
        assert_eq!((sums.yes, sums.no, sums.open), (20_000, 0, 0));
    }
    // Whoever wins has tossed twice; who does not win never reaches the goal.
    assert_eq!(found[4].no + found[4].yes, 20_000);
    assert!((found[4].sum - 2.0 * found[4].yes as f64).abs() < 1e-9);
    // After one step the coin is still tossed with chance 1/2.
    within(found[5].sum as u64, 0.5);
    assert!(found.iter().all(|sums| !sums.chose));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let one = estimate(&Coins::new(), &questions(), &sampling(1, None));
    for threads in [2, 3, 8] {
        assert_eq!(estimate(&Coins::new(), &questions(), &sampling(threads, None)), one, "{threads}");
    }
}

#[test]
fn choices_that_nobody_makes_are_drawn_and_said_to_be() {
    let found = estimate(&Coins::new(), &questions()[..1], &sampling(2, None));
    // Half of those who may toss again give up: 1/8.
    let (low, high) = clopper_pearson(found[0].yes, 20_000, 0.9999);
    assert!(found[0].chose && low <= 0.125 && 0.125 <= high, "{}", found[0].yes);
    assert_eq!(found[0].verdicts.len(), 20_000);
}

#[test]
fn runs_that_are_too_short_stay_open() {
    let short = Sampling { steps: 1, ..sampling(2, None) };
    let found = estimate(&Coins::new(), &questions()[..1], &short);
    assert!(found[0].open > 0 && found[0].yes == 0);
}

#[test]
fn the_number_of_runs_follows_from_width_and_confidence() {
    // ln(2 / 0.05) / (2 * 0.005^2) = 73 777.6: Hoeffding's bound.
    assert_eq!(chernoff_runs(0.01, 0.95), 73_778);
}
