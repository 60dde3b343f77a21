//! Numbers over fair strategies: the engine and its slow twin agree on random processes, and so do both with what is proved.

mod support;

use dashu::rational::RBig;
use motet_engine::{Precision, Settings, Strategies, action_values, check, check_all};
use motet_evidence::{Attained, Fairness, Memory, Outcome, Over, Stop, Unfair, Verdict};
use motet_model::{AtomId, Ratio, SubjectId};
use motet_naive::chance::random::{Choices, Dice, measure, question};
use motet_naive::chance::{Fair, Value, fair_value, value};
use motet_naive::random::{Random, path};
use motet_property::{
    Bound, Extremum, Filter, Formula, Interval, Kind, Path, Quantifier, Query, Relation, RewardGoal, Unit,
    Until,
};
use support::played::{Open, course, played};
use support::{always, atom, claim, eventually, rounds};

/// Questions per process and kind of fairness.
const QUESTIONS: usize = 6;

fn settings(fair: Fair, precision: Precision) -> Settings {
    let (fairness, strategies) = match fair {
        Fair::Weakly => (Fairness::Weak, Strategies::AsRuns),
        Fair::Strongly => (Fairness::Strong, Strategies::AsRuns),
        Fair::ToChoices => (Fairness::Strong, Strategies::FairToChoices),
    };
    Settings { fairness, strategies, precision, ..Settings::default() }
}

fn ask(dice: &Dice, formula: &Formula<AtomId>, kind: Kind, settings: &Settings) -> Outcome {
    check(dice, &claim(kind, Path::Now(formula.clone())), settings)
}

/// A random question about what has no bound, where it matters who is passed over: of all states at once, because the start
/// alone is often decided.
fn endless(random: &mut Random) -> Formula<AtomId> {
    let extremum = Some(if random.once_in(2) { Extremum::Min } else { Extremum::Max });
    let goal = || eventually(atom(1));
    let chance = |path| Formula::Chance(extremum, Query::Value, Box::new(path));
    let reward = |goal| Formula::Reward(None, extremum, Query::Value, Box::new(goal));
    let ever = Interval::default;
    let number = match random.below(11) {
        0 => chance(goal()),
        1 => chance(Path::Until(Until::Until, ever(), Box::new(atom(0)), Box::new(atom(1)))),
        2 => chance(Path::Until(Until::Release, ever(), Box::new(atom(1)), Box::new(atom(0)))),
        3 => chance(always(goal())),
        4 => chance(eventually(always(atom(0)))),
        5 => chance(Path::Implies(Box::new(always(goal())), Box::new(always(eventually(atom(2)))))),
        6 => chance(path(random, 3, 3)),
        7 => return reward(RewardGoal::Until(goal())),
        8 => return reward(RewardGoal::Cumulative(None)),
        9 => Formula::Steady(extremum, Query::Value, Box::new(Formula::Atom(AtomId(0)))),
        _ => reward(RewardGoal::Average),
    };
    Formula::Filter(Filter::Sum, Box::new(number), Box::new(Formula::True))
}

/// What is wrong with an answer.
fn objection(outcome: &Outcome, expected: &Value, precision: Precision) -> Option<&'static str> {
    let (low, high) = match (&outcome.verdict, expected) {
        (Verdict::Holds, Value::Truth(truth)) => return (!truth).then_some("it does not hold"),
        (Verdict::Fails, Value::Truth(truth)) => return truth.then_some("it holds"),
        (Verdict::Value { low, high }, _) => (*low, *high),
        _ => return Some("it is no answer"),
    };
    let number = match expected {
        Value::Infinite if low.is_infinite() && high.is_infinite() => return None,
        Value::Infinite => return Some("it is infinite"),
        _ if high.is_infinite() => return Some("it is finite"),
        Value::Number(number) => number,
        Value::Truth(_) => return Some("it is no number"),
    };
    let exactly = |bound: f64| RBig::try_from(bound).expect("bounds are finite");
    if exactly(low) > *number || exactly(high) < *number {
        return Some("it lies outside");
    }
    match precision {
        Precision::Certified(width) => {
            (high - low > width * high).then_some("it is not known closely enough")
        }
        Precision::Exact => {
            let told = outcome.quantity.as_ref().and_then(|quantity| quantity.exact.clone());
            (told != Some(number.to_string())).then_some("another fraction")
        }
    }
}

#[derive(Default)]
struct Tally {
    asked: usize,
    answered: usize,
    inner: usize,
    infinite: usize,
    /// Where fairness makes a difference.
    other: usize,
}

#[test]
fn numbers_over_fair_strategies_agree_with_all_sets_of_choices_tried() {
    for fair in [Fair::Weakly, Fair::Strongly, Fair::ToChoices] {
        let mut tally = Tally::default();
        for seed in 0..rounds(120) {
            let mut random = Random::new(seed ^ 0xfa1f);
            let dice = Dice::team(&mut random);
            for number in 0..QUESTIONS {
                let formula = match number {
                    0 => measure(&mut random, Choices::Several),
                    1..5 => endless(&mut random),
                    _ => question(&mut random, Choices::Several),
                };
                tally.asked += 1;
                let Ok(expected) = fair_value(&dice, &formula, fair) else { continue };
                tally.answered += 1;
                match &expected {
                    Value::Infinite => tally.infinite += 1,
                    Value::Number(number) if *number != RBig::ZERO && *number != RBig::ONE => {
                        tally.inner += 1
                    }
                    _ => {}
                }
                tally.other += usize::from(value(&dice, &formula).is_ok_and(|unfair| unfair != expected));
                let kind = if matches!(expected, Value::Truth(_)) { Kind::Property } else { Kind::Query };
                for precision in [Precision::Certified(1e-6), Precision::Exact] {
                    let outcome = ask(&dice, &formula, kind, &settings(fair, precision));
                    assert_eq!(
                        objection(&outcome, &expected, precision),
                        None,
                        "{fair:?}, seed {seed}, question {number}: {formula:?}\non {:?}\nof {:?}\nwith {:?} {:?}\nis {expected:?}, told {:?}",
                        dice.rows,
                        dice.takers,
                        dice.earned,
                        dice.atoms,
                        outcome.verdict
                    );
                }
            }
        }
        let Tally { asked, answered, inner, infinite, other } = tally;
        assert!(answered > asked * 9 / 10, "{fair:?}: {answered} of {asked}");
        assert!(inner > 150 && infinite > 40 && other > 25, "{fair:?}: {inner} {infinite} {other}");
    }
}

#[test]
fn the_choices_that_are_told_bring_the_value_over_fair_strategies_about() {
    let (mut counted, mut fairly, mut unfairly) = ([0; 4], 0, [0; 2]);
    for fair in [Fair::Weakly, Fair::Strongly, Fair::ToChoices] {
        for seed in 0..rounds(200) {
            let mut random = Random::new(seed ^ 0x91a7);
            let dice = Dice::team(&mut random);
            let formula = match endless(&mut random) {
                Formula::Filter(_, number, _) => *number,
                formula => formula,
            };
            let outcome = ask(&dice, &formula, Kind::Query, &settings(fair, Precision::Exact));
            let told = outcome.quantity.expect("a number");
            let Some(strategy) = told.strategy.filter(|_| told.high.is_finite()) else { continue };
            let Ok(Value::Number(brought)) = value(&played(&dice, &strategy, Open::Drawn), &formula) else {
                panic!("{fair:?}, seed {seed}: {formula:?} is no number under {strategy:?}");
            };
            assert_eq!(
                told.exact,
                Some(brought.to_string()),
                "{fair:?}, seed {seed}: {formula:?}\non {:?}\nof {:?}\nwith {:?} {:?}\n{strategy:?}",
                dice.rows,
                dice.takers,
                dice.earned,
                dice.atoms
            );
            counted[strategy.memory as usize] += usize::from(!strategy.decisions.is_empty());
            let Some(over) = told_until(&formula, strategy.memory) else { continue };
            let course = course(&dice, &strategy, fair, &|state| over(&dice, state));
            assert_eq!(
                fair.is_followed(&course),
                strategy.unfair.is_none(),
                "{fair:?}, seed {seed}: {formula:?}\non {:?}\nof {:?}\nwith {:?}\n{strategy:?}",
                dice.rows,
                dice.takers,
                dice.atoms
            );
            match &strategy.unfair {
                None => fairly += 1,
                Some(unfair) => unfairly[unfair.attained as usize] += 1,
            }
        }
    }
    let [lasting, _, _, progress] = counted;
    assert!(lasting > 150 && progress > 60, "{counted:?}");
    let [by_turns, in_the_limit] = unfairly;
    assert!(fairly > 100 && by_turns > 30 && in_the_limit > 30, "{fairly} {unfairly:?}");
}

/// Where nothing is told any more because the matter is settled, for questions of which that is known.
fn told_until(formula: &Formula<AtomId>, memory: Memory) -> Option<fn(&Dice, usize) -> bool> {
    let path = match formula {
        Formula::Chance(_, _, path) => path,
        Formula::Reward(_, _, _, goal) => match &**goal {
            RewardGoal::Until(path) => path,
            _ => return Some(|_, _| false),
        },
        _ => return Some(|_, _| false),
    };
    match path {
        Path::Eventually(_, goal) if **goal == atom(1) => Some(|dice, state| dice.atoms[1][state]),
        Path::Until(Until::Until, _, left, right) | Path::Until(Until::Release, _, right, left)
            if **left == atom(0) && **right == atom(1) =>
        {
            Some(|dice, state| dice.atoms[1][state] || !dice.atoms[0][state])
        }
        _ => (memory == Memory::Progress).then_some(|_, _| false),
    }
}

/// States with their choices, each whose it is and where it leads for sure; atom 0 holds in `goal`.
fn team(states: &[&[(u32, usize)]], goal: &[usize]) -> Dice {
    let mut dice = Dice::new(states.len());
    dice.takers = states.iter().map(|row| row.iter().map(|&(who, _)| who).collect()).collect();
    let throw = |&(_, target): &(u32, usize)| (Ratio::ZERO, vec![(1, target)]);
    dice.rows = states.iter().map(|row| row.iter().map(throw).collect()).collect();
    goal.iter().for_each(|&state| dice.atoms[0][state] = true);
    dice.among(2);
    dice
}

fn number(dice: &Dice, formula: &Formula<AtomId>, settings: &Settings) -> String {
    let outcome = ask(dice, formula, Kind::Query, settings);
    let quantity = outcome.quantity.unwrap_or_else(|| panic!("{:?}", outcome.verdict));
    quantity.exact.unwrap_or_else(|| format!("{}", quantity.low))
}

fn exactly(fairness: Fairness) -> Settings {
    Settings { fairness, precision: Precision::Exact, ..Settings::default() }
}

fn least(path: Path<AtomId>) -> Formula<AtomId> {
    Formula::Chance(Some(Extremum::Min), Query::Value, Box::new(path))
}

/// The first waits, the second can always go to the goal; from there both go on.
#[test]
fn what_is_met_surely_is_met_again_and_again_over_the_same_strategies() {
    let dice = team(&[&[(0, 0), (1, 1)], &[(0, 0), (1, 1)]], &[1]);
    let again = || least(always(eventually(atom(0))));
    assert_eq!(number(&dice, &least(eventually(atom(0))), &exactly(Fairness::None)), "0");
    assert_eq!(number(&dice, &again(), &exactly(Fairness::None)), "0");
    assert_eq!(number(&dice, &least(eventually(atom(0))), &exactly(Fairness::Weak)), "1");
    assert_eq!(number(&dice, &again(), &exactly(Fairness::Weak)), "1");
    let share = |extremum| Formula::Steady(Some(extremum), Query::Value, Box::new(Formula::Atom(AtomId(0))));
    // Everybody gets a turn, less and less often.
    assert_eq!(number(&dice, &share(Extremum::Min), &exactly(Fairness::Weak)), "0");
    assert_eq!(number(&dice, &share(Extremum::Max), &exactly(Fairness::Weak)), "1");
}

/// The first goes round between two rooms; the second can leave from one of them only.
#[test]
fn who_can_move_now_and_then_is_passed_over_unless_fairness_is_strong() {
    let dice = team(&[&[(0, 1)], &[(0, 0), (1, 2)], &[(0, 2)]], &[2]);
    for (fairness, chance) in [(Fairness::None, "0"), (Fairness::Weak, "0"), (Fairness::Strong, "1")] {
        assert_eq!(number(&dice, &least(eventually(always(atom(0)))), &exactly(fairness)), chance);
    }
}

/// One agent has both choices. To be fair to it is not to be fair to each of its choices.
#[test]
fn a_choice_of_one_agent_is_passed_over_unless_choices_are_owed() {
    let dice = team(&[&[(0, 0), (0, 1)], &[(0, 1)]], &[1]);
    assert_eq!(number(&dice, &least(eventually(atom(0))), &exactly(Fairness::Strong)), "0");
    let settings = settings(Fair::ToChoices, Precision::Exact);
    assert_eq!(number(&dice, &least(eventually(atom(0))), &settings), "1");
    assert_eq!(number(&dice, &least(eventually(always(atom(0)))), &settings), "1");
}

/// The first works for a coin a step until the second, who always can, ends it.
#[test]
fn what_can_be_put_off_for_ever_so_long_earns_without_end() {
    let mut dice = team(&[&[(0, 0), (1, 1)], &[(0, 1)]], &[1]);
    dice.earned[0] = Ratio::ONE;
    let reward = |extremum| {
        let goal = Box::new(RewardGoal::Until(eventually(atom(0))));
        Formula::Reward(None, Some(extremum), Query::Value, goal)
    };
    let ask = |fairness| {
        let outcome = ask(&dice, &reward(Extremum::Max), Kind::Query, &exactly(fairness));
        outcome.quantity.and_then(|quantity| quantity.infinite).expect("it is infinite")
    };
    assert_eq!((ask(Fairness::None).missed, ask(Fairness::Weak).missed), (1.0, 0.0));
    assert_eq!(number(&dice, &reward(Extremum::Min), &exactly(Fairness::Weak)), "1");
    // Waiting for nothing does not count: the one step that ends it does.
    dice.earned[0] = Ratio::ZERO;
    dice.rows[0][1].0 = Ratio::ONE;
    assert_eq!(number(&dice, &reward(Extremum::Max), &exactly(Fairness::Weak)), "1");
    let total = |extremum| {
        let goal = Box::new(RewardGoal::Cumulative(None));
        Formula::Reward(None, Some(extremum), Query::Value, goal)
    };
    assert_eq!(number(&dice, &total(Extremum::Min), &exactly(Fairness::None)), "0");
    assert_eq!(number(&dice, &total(Extremum::Min), &exactly(Fairness::Weak)), "1");
}

/// The first talks, which takes no time; the second goes on to the goal in one cycle.
#[test]
fn an_instant_that_never_ends_starves_somebody() {
    let mut dice = team(&[&[(0, 0), (1, 1)], &[(0, 1)]], &[1]);
    dice.take(&[&[0, 1], &[1]]);
    let within = |low: Option<u64>, high: Option<u64>, unit| {
        let bound = |amount| Bound { amount, unit: Some(unit), strict: false };
        least(Path::Eventually(Interval { low: low.map(bound), high: high.map(bound) }, Box::new(atom(0))))
    };
    for (low, high, unit) in
        [(None, Some(3), Unit::Cycles), (Some(2), None, Unit::Cycles), (Some(2), None, Unit::Steps)]
    {
        let formula = within(low, high, unit);
        assert_eq!(number(&dice, &formula, &exactly(Fairness::None)), "0", "{formula:?}");
        assert_eq!(number(&dice, &formula, &exactly(Fairness::Weak)), "1", "{formula:?}");
    }
    // Four steps of talk are fair so far.
    let formula = within(None, Some(4), Unit::Steps);
    assert_eq!(number(&dice, &formula, &exactly(Fairness::Weak)), "0");
    // Whoever earns a coin by going on has it within the time.
    dice.rows[0][1].0 = Ratio::ONE;
    let bound = Bound { amount: 2, unit: Some(Unit::Cycles), strict: false };
    let goal = Box::new(RewardGoal::Cumulative(Some(bound)));
    let formula = Formula::Reward(None, Some(Extremum::Min), Query::Value, goal);
    assert_eq!(number(&dice, &formula, &exactly(Fairness::None)), "0");
    assert_eq!(number(&dice, &formula, &exactly(Fairness::Weak)), "1");
}

/// Strongly fair runs pass over a choice of one agent; what all of them do, and what a finite run has done, is decided.
#[test]
fn claims_about_runs_are_decided_by_strong_fairness_or_open_where_choices_are_owed() {
    let dice = team(&[&[(0, 0), (0, 1), (1, 2)], &[(0, 1)], &[(0, 2)]], &[1, 2]);
    let settings = settings(Fair::ToChoices, Precision::Exact);
    let verdict = |kind, path| check(&dice, &claim(kind, path), &settings).verdict;
    assert_eq!(verdict(Kind::Property, eventually(atom(0))), Verdict::Holds);
    assert_eq!(verdict(Kind::Property, always(Path::Not(Box::new(atom(0))))), Verdict::Fails);
    assert_eq!(verdict(Kind::Possible, atom(0)), Verdict::Holds);
    let alone = team(&[&[(0, 0), (0, 1)], &[(0, 1)]], &[1]);
    let outcome = check(&alone, &claim(Kind::Property, eventually(atom(0))), &settings);
    assert!(matches!(outcome.verdict, Verdict::Unknown(Stop::Unsupported(_))), "{outcome:?}");
    assert!(outcome.evidence.is_none());
    let some = Path::Now(Formula::Runs(Quantifier::Some, Box::new(always(Path::Not(Box::new(atom(0)))))));
    let nested = Formula::Chance(None, Query::Compare(Relation::Ge, "1".to_owned()), Box::new(some));
    let outcome = ask(&alone, &nested, Kind::Property, &settings);
    assert!(matches!(outcome.verdict, Verdict::Unknown(Stop::Unsupported(_))), "{outcome:?}");
}

/// One room, two who may both go on working in it, and a third who can leave: whoever stays for ever has to let all three move,
/// and the third only leaves.
#[test]
fn who_leaves_a_room_is_starved_by_staying_in_it_also_where_others_can_move_in_some_states_only() {
    // The second state comes second: the first one there can move nowhere else.
    let dice = team(&[&[(0, 1)], &[(1, 0), (2, 2)], &[(0, 2)]], &[2]);
    for (fairness, chance) in [(Fairness::Weak, "0"), (Fairness::Strong, "1")] {
        assert_eq!(number(&dice, &least(eventually(atom(0))), &exactly(fairness)), chance);
        // The same by an automaton.
        let again = least(always(eventually(atom(0))));
        assert_eq!(number(&dice, &again, &exactly(fairness)), chance);
    }
    // Who can leave from the first state alone does not wait all the time.
    let dice = team(&[&[(0, 1), (2, 2)], &[(1, 0)], &[(0, 2)]], &[2]);
    assert_eq!(number(&dice, &least(eventually(atom(0))), &exactly(Fairness::Weak)), "0");
    assert_eq!(number(&dice, &least(eventually(atom(0))), &exactly(Fairness::Strong)), "1");
}

/// From the first room the second may leave; there is a way on to a room in which only the first can move.
#[test]
fn a_part_in_which_nobody_waits_can_be_stayed_in_though_the_whole_cannot() {
    let dice = team(&[&[(0, 1), (1, 2)], &[(0, 0), (0, 1)], &[(0, 2)]], &[2]);
    assert_eq!(number(&dice, &least(eventually(atom(0))), &exactly(Fairness::Strong)), "0");
}

#[test]
fn the_long_run_is_spent_where_a_fair_strategy_can_stay() {
    // The first waits where it is good, the second always can leave it for good.
    let dice = team(&[&[(0, 0), (1, 1)], &[(0, 1), (1, 1)]], &[0]);
    let share = Formula::Steady(Some(Extremum::Max), Query::Value, Box::new(Formula::Atom(AtomId(0))));
    assert_eq!(number(&dice, &share, &exactly(Fairness::None)), "1");
    assert_eq!(number(&dice, &share, &exactly(Fairness::Weak)), "0");
}

fn unfair(dice: &Dice, formula: &Formula<AtomId>, settings: &Settings) -> Option<Unfair> {
    let outcome = ask(dice, formula, Kind::Query, settings);
    outcome.quantity.expect("a number").strategy.expect("somebody chooses").unfair
}

/// Both only wait: the least chance of what never happens needs no choice, and yet one choice for ever starves the other.
#[test]
fn a_strategy_that_starves_somebody_is_told_as_no_fair_one() {
    let both = team(&[&[(0, 0), (1, 0)]], &[]);
    let formula = least(eventually(atom(0)));
    assert_eq!(unfair(&both, &formula, &exactly(Fairness::None)), None, "all strategies count");
    let second = Unfair { whom: vec![SubjectId(1)], attained: Attained::WithTurns };
    assert_eq!(unfair(&both, &formula, &exactly(Fairness::Weak)), Some(second.clone()));
    assert_eq!(unfair(&both, &least(always(eventually(atom(0)))), &exactly(Fairness::Weak)), Some(second));
    // Choices have no names.
    let choices = Unfair { whom: Vec::new(), attained: Attained::WithTurns };
    assert_eq!(unfair(&both, &formula, &settings(Fair::ToChoices, Precision::Exact)), Some(choices));
    // One who waits and one who goes on: nobody else is there.
    let alone = team(&[&[(0, 0), (0, 0)]], &[]);
    assert_eq!(unfair(&alone, &formula, &exactly(Fairness::Strong)), None);
}

/// The first stays in the good room, the second can go to the other one, from which the first comes back: turns of the second
/// take a share of the time.
#[test]
fn an_average_that_leaves_no_time_for_turns_is_told_as_approached() {
    let dice = team(&[&[(0, 0), (1, 1)], &[(0, 0), (1, 0)]], &[0]);
    let share = Formula::Steady(Some(Extremum::Max), Query::Value, Box::new(Formula::Atom(AtomId(0))));
    assert_eq!(number(&dice, &share, &exactly(Fairness::Weak)), "1");
    let second = Unfair { whom: vec![SubjectId(1)], attained: Attained::InTheLimit };
    assert_eq!(unfair(&dice, &share, &exactly(Fairness::Weak)), Some(second));
    // Half of the time is had by both in turn.
    let turns = team(&[&[(0, 1)], &[(1, 0), (1, 0)]], &[0]);
    assert_eq!(unfair(&turns, &share, &exactly(Fairness::Weak)), None);
}

/// After the goal, and where it is out of reach, every fair way to go on is as good: nothing is told.
#[test]
fn what_is_told_ends_where_the_matter_is_settled() {
    let dice = team(&[&[(0, 1), (0, 2)], &[(0, 1), (1, 1)], &[(0, 2), (1, 2)]], &[1]);
    let most = |path| Formula::Chance(Some(Extremum::Max), Query::Value, Box::new(path));
    for path in [eventually(atom(0)), always(eventually(atom(0)))] {
        let outcome = ask(&dice, &most(path.clone()), Kind::Query, &exactly(Fairness::Weak));
        let strategy = outcome.quantity.expect("a number").strategy.expect("somebody chooses");
        let places: Vec<u32> = strategy.decisions.iter().map(|decision| decision.state[0]).collect();
        let stays = matches!(path, Path::Always(..));
        assert_eq!(places.contains(&1), stays, "{strategy:?}");
        assert_eq!(
            strategy.unfair.is_some(),
            stays,
            "to meet it again and again one stays, and lets both move"
        );
    }
}

/// An answer says which strategies its numbers are over, and nothing where nobody chooses.
#[test]
fn an_answer_says_which_strategies_its_numbers_are_over() {
    let dice = team(&[&[(0, 0), (1, 1)], &[(0, 1)]], &[1]);
    let chain = team(&[&[(0, 1)], &[(0, 1)]], &[1]);
    let over = |dice: &Dice, settings: &Settings| {
        let claim = claim(Kind::Query, Path::Now(least(eventually(atom(0)))));
        check_all(dice, &[claim], settings, &mut |_| {}).over
    };
    for (asked, told) in [
        (exactly(Fairness::None), Over::All),
        (settings(Fair::Weakly, Precision::Exact), Over::WeaklyFair),
        (settings(Fair::Strongly, Precision::Exact), Over::StronglyFair),
        (settings(Fair::ToChoices, Precision::Exact), Over::FairToChoices),
    ] {
        assert_eq!(over(&dice, &asked), Some(told));
        assert_eq!(over(&chain, &asked), Some(Over::One), "nobody chooses");
        let advice = action_values(
            &dice,
            &[claim(Kind::Query, Path::Now(least(eventually(atom(0)))))],
            &asked,
            &mut |_| {},
        );
        assert_eq!(advice.expect("it is solved").over(), told);
    }
}
