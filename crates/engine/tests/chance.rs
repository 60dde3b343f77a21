//! Chances, rewards, strategies and ways whose numbers are proved; `chance_twin` compares random ones with the twin.

mod support;

use motet_engine::{Limits, Precision, Settings, check};
use motet_evidence::{Decision, Memory, Method, Outcome, Quantity, Stop, Strategy, Verdict, Way, rebuild};
use motet_model::{AtomId, Ratio};
use motet_naive::chance::random::{Choices, Dice};
use motet_naive::chance::{Value, value};
use motet_naive::random::Random;
use motet_property::{
    Bound, Extremum, Formula, Interval, Kind, Path, Query, Relation, RewardGoal, Unit, Until,
};
use support::{atom, claim, eventually, rounds};

fn ask(dice: &Dice, formula: &Formula<AtomId>, precision: Precision) -> Outcome {
    let settings = Settings { precision, ..Settings::default() };
    check(dice, &claim(Kind::Query, Path::Now(formula.clone())), &settings)
}

fn chance(extremum: Option<Extremum>, query: Query, path: Path<AtomId>) -> Formula<AtomId> {
    Formula::Chance(extremum, query, Box::new(path))
}

fn reward(extremum: Option<Extremum>, goal: RewardGoal<AtomId>) -> Formula<AtomId> {
    Formula::Reward(None, extremum, Query::Value, Box::new(goal))
}

fn ratio(above: u64, below: u64) -> Ratio {
    Ratio::new(above, below).expect("not divided by zero")
}

/// What a state earns, and its choices, each a list of weights and targets.
type Written<'a> = (u64, &'a [&'a [(u64, usize)]]);

/// A process; atom 0 holds in `goal`.
fn dice(states: &[Written<'_>], goal: &[usize]) -> Dice {
    let mut dice = Dice::new(states.len());
    for (state, (earned, choices)) in states.iter().enumerate() {
        dice.earned[state] = ratio(*earned, 1);
        dice.rows[state] = choices.iter().map(|outcomes| (Ratio::ZERO, outcomes.to_vec())).collect();
    }
    goal.iter().for_each(|&state| dice.atoms[0][state] = true);
    dice
}

fn quantity(dice: &Dice, formula: &Formula<AtomId>) -> Quantity {
    ask(dice, formula, Precision::default()).quantity.expect("a number was asked for")
}

/// The process in which these decisions are taken; the first choice where nothing is decided.
fn under(dice: &Dice, strategy: &Strategy) -> Dice {
    let mut chain = dice.clone();
    for (state, choices) in chain.rows.iter_mut().enumerate().filter(|(_, choices)| !choices.is_empty()) {
        let decided = strategy.decisions.iter().find(|decision| decision.state[0] as usize == state);
        let ordinal = decided.map_or(0, |decision| decision.ordinal as usize);
        *choices = vec![choices.swap_remove(ordinal)];
    }
    chain
}

#[test]
fn strategies_without_memory_bring_their_values_about() {
    let mut followed = 0;
    for seed in 0..rounds(1500) {
        let mut random = Random::new(seed);
        let dice = Dice::random(&mut random, Choices::Several);
        let extremum = if random.once_in(2) { Extremum::Min } else { Extremum::Max };
        let [left, goal] = [atom(0), atom(1)];
        let until = Path::Until(Until::Until, Interval::default(), Box::new(left), Box::new(goal.clone()));
        let ask = |extremum| match seed % 4 {
            0 => chance(extremum, Query::Value, eventually(goal.clone())),
            1 => chance(extremum, Query::Value, until.clone()),
            2 => reward(extremum, RewardGoal::Until(eventually(goal.clone()))),
            _ => reward(extremum, RewardGoal::Cumulative(None)),
        };
        let quantity = quantity(&dice, &ask(Some(extremum)));
        let Some(strategy) = &quantity.strategy else { continue };
        if quantity.high.is_infinite() {
            continue;
        }
        assert_eq!(strategy.memory, Memory::None);
        let chain = under(&dice, strategy);
        let brought = value(&chain, &ask(None));
        let Ok(Value::Number(brought)) = &brought else {
            panic!("seed {seed}: {brought:?}, {strategy:?}, {dice:?}")
        };
        let brought = brought.to_f64().value();
        let near = 1e-6 * quantity.high;
        let is_near = quantity.low - near <= brought && brought <= quantity.high + near;
        assert!(is_near, "seed {seed}: {brought}, {extremum:?} {quantity:?}, {dice:?}");
        followed += usize::from(!strategy.decisions.is_empty());
    }
    assert!(followed > 400, "{followed}");
}

/// The chance to reach atom 1 within `left` steps when the decisions are followed.
fn followed(dice: &Dice, decisions: &[Decision], state: usize, left: u64) -> f64 {
    if dice.atoms[1][state] {
        return 1.0;
    }
    if left == 0 || dice.rows[state].is_empty() {
        return 0.0;
    }
    let decided =
        decisions.iter().find(|decision| decision.state[0] as usize == state && decision.memory == left);
    assert!(
        decided.is_some() || dice.rows[state].len() == 1,
        "nothing is decided in {state} with {left} left"
    );
    let (_, outcomes) = &dice.rows[state][decided.map_or(0, |decision| decision.ordinal as usize)];
    let all: u64 = outcomes.iter().map(|(weight, _)| weight).sum();
    let part = |&(weight, target): &(u64, usize)| {
        weight as f64 / all as f64 * followed(dice, decisions, target, left - 1)
    };
    outcomes.iter().map(part).sum()
}

#[test]
fn strategies_that_count_steps_bring_their_values_about() {
    let mut decided = 0;
    for seed in 0..rounds(600) {
        let mut random = Random::new(seed);
        let dice = Dice::random(&mut random, Choices::Several);
        let extremum = if random.once_in(2) { Extremum::Min } else { Extremum::Max };
        let steps = random.below(7) as u64;
        let high = Some(Bound { amount: steps, unit: Some(Unit::Steps), strict: false });
        let path = Path::Eventually(Interval { low: None, high }, Box::new(atom(1)));
        let quantity = quantity(&dice, &chance(Some(extremum), Query::Value, path));
        let Some(strategy) = &quantity.strategy else { continue };
        if steps > 0 {
            assert_eq!(strategy.memory, Memory::StepsLeft);
        }
        let brought = followed(&dice, &strategy.decisions, 0, steps);
        assert!((brought - quantity.high).abs() < 1e-9, "seed {seed}: {brought}, {quantity:?}, {dice:?}");
        decided += usize::from(!strategy.decisions.is_empty());
    }
    assert!(decided > 150, "{decided}");
}

/// Knuth and Yao's die; face 1 is state 7. Besides 0, 1, 3, 7 every way to it goes round through 3 again.
#[test]
fn the_most_probable_way_to_a_face_of_the_die_takes_three_throws() {
    let mut states: Vec<Written<'_>> = vec![
        (1, &[&[(1, 1), (1, 2)]]),
        (1, &[&[(1, 3), (1, 4)]]),
        (1, &[&[(1, 5), (1, 6)]]),
        (1, &[&[(1, 1), (1, 7)]]),
        (1, &[&[(1, 8), (1, 9)]]),
        (1, &[&[(1, 10), (1, 11)]]),
        (1, &[&[(1, 2), (1, 12)]]),
    ];
    states.extend([(0, &[][..]); 6]);
    let die = dice(&states, &[7]);
    let quantity = quantity(&die, &chance(None, Query::Value, eventually(atom(0))));
    assert_eq!((quantity.method, quantity.strategy), (Method::Elimination, None));
    assert_eq!(quantity.ways.len(), 1);
    let Way { chance: way, run } = &quantity.ways[0];
    let visited: Vec<u32> = run.states.iter().map(|state| state[0]).collect();
    assert_eq!((*way, visited), (0.125, vec![0, 1, 3, 7]));
    assert_eq!(
        rebuild(
            &die,
            run.initial,
            &run.steps.iter().map(|step| (step.ordinal, step.branch)).collect::<Vec<_>>()
        )
        .map(|rebuilt| rebuilt.states == run.states)
        .ok(),
        Some(true)
    );
    // 11/3 throws are expected: Knuth and Yao.
    let throws = ask(
        &die,
        &reward(None, RewardGoal::Until(eventually(Path::Now(Formula::Deadlock)))),
        Precision::Exact,
    );
    assert_eq!(throws.quantity.unwrap().exact.as_deref(), Some("11/3"));
}

#[test]
fn a_goal_that_may_be_missed_makes_the_reward_infinite_and_shows_a_run_that_misses_it() {
    let dice = dice(&[(1, &[&[(2, 1), (1, 2)]]), (0, &[&[(1, 1)]]), (0, &[&[(1, 2)]])], &[1]);
    let quantity = quantity(&dice, &reward(None, RewardGoal::Until(eventually(atom(0)))));
    assert_eq!((quantity.low, quantity.high), (f64::INFINITY, f64::INFINITY));
    let infinite = quantity.infinite.unwrap();
    assert!((infinite.missed - 1.0 / 3.0).abs() < 1e-9);
    assert_eq!(infinite.run.unwrap().states.last().map(|state| state[0]), Some(2));
}

#[test]
fn whether_a_reward_is_infinite_depends_on_the_choices_in_question() {
    // State 0 may go to the goal or wait for ever, earning 1 each time.
    let dice = dice(&[(1, &[&[(1, 0)], &[(1, 1)]]), (0, &[])], &[1]);
    let goal = || RewardGoal::Until(eventually(atom(0)));
    let least = quantity(&dice, &reward(Some(Extremum::Min), goal()));
    assert!(least.low <= 1.0 && 1.0 <= least.high && least.high < 1.000_001);
    assert_eq!(quantity(&dice, &reward(Some(Extremum::Max), goal())).low, f64::INFINITY);
}

/// Waiting for heads with a coin that shows them once in `n` throws takes n throws.
#[test]
fn a_geometric_wait_has_its_expectation_exactly() {
    for n in [2, 10, 1_000_000] {
        let dice = dice(&[(1, &[&[(1, 1), (n - 1, 0)]]), (0, &[])], &[1]);
        let formula = reward(None, RewardGoal::Cumulative(None));
        let exact = ask(&dice, &formula, Precision::Exact).quantity.unwrap();
        assert_eq!((exact.exact, exact.method), (Some(n.to_string()), Method::Exact));
        let close = quantity(&dice, &formula);
        assert!(close.low <= n as f64 && n as f64 <= close.high);
    }
}

#[test]
fn a_threshold_that_is_met_exactly_is_decided() {
    let coin = dice(&[(0, &[&[(1, 1), (1, 2)]]), (0, &[]), (0, &[])], &[1]);
    let verdict = |relation, text: &str| {
        let query = Query::Compare(relation, text.to_owned());
        let formula = Path::Now(chance(None, query, eventually(atom(0))));
        check(&coin, &claim(Kind::Property, formula), &Settings::default()).verdict
    };
    assert_eq!(verdict(Relation::Ge, "0.5"), Verdict::Holds);
    assert_eq!(verdict(Relation::Gt, "0.5"), Verdict::Fails);
    assert_eq!(verdict(Relation::Le, "0.5000000000000000000001"), Verdict::Holds);
    assert_eq!(verdict(Relation::Ge, "0.5000000000000000000001"), Verdict::Fails);
}

#[test]
fn a_plain_question_about_a_process_with_choices_is_refused() {
    let dice = dice(&[(0, &[&[(1, 0)], &[(1, 1)]]), (0, &[])], &[1]);
    let verdict = ask(&dice, &chance(None, Query::Value, eventually(atom(0))), Precision::default()).verdict;
    let words = "P=? in a model with choices: ask for Pmin=? or Pmax=?";
    assert_eq!(verdict, Verdict::Unknown(Stop::Unsupported(words.to_owned())));
}

#[test]
fn a_stopped_exploration_leaves_a_chance_unknown() {
    let dice = dice(&[(0, &[&[(1, 1), (1, 2)]]), (0, &[&[(1, 2)]]), (0, &[&[(1, 0)]])], &[1]);
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let formula = Path::Now(chance(None, Query::Value, eventually(atom(0))));
    let outcome = check(&dice, &claim(Kind::Query, formula), &Settings { limits, ..Settings::default() });
    assert_eq!((outcome.verdict, outcome.quantity), (Verdict::Unknown(Stop::Depth), None));
}
