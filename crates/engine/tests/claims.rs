//! What is said beside the verdict: short runs, vacuous passes, starved processes, refused operators.

mod support;

use motet_engine::{Examine, Report, Settings, check, check_all};
use motet_evidence::{Evidence, Fairness, Run, Stop, Taken, Vacuity, Verdict, replay, replay_outcome};
use motet_model::{ActionId, AtomId, Model, Steps, SubjectId};
use motet_naive::Graph;
use motet_naive::random::{Random, Shape, Table, path, state};
use motet_property::{
    Bound, Claim, Extremum, Formula, Interval, Kind, Knowledge, Path, Quantifier, Query, Relation, Timer,
    Unit,
};
use support::{always, atom, claim, eventually, fair, implies, not, rounds};

fn all(model: &dyn Model, claims: &[Claim<AtomId>], fairness: Fairness) -> Report {
    check_all(model, claims, &fair(fairness), &mut |_| {})
}

#[test]
fn a_counterexample_to_an_invariant_is_a_shortest_one() {
    let mut violated = 0;
    for seed in 0..rounds(400) {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, Shape { n_states: 25, n_processes: 2, n_atoms: 3 });
        let graph = Graph::of(&table).unwrap();
        let bad = state(&mut random, 3, 2);
        let holds = |number: usize| {
            let stuck = graph.edges[number].is_empty();
            holds_at(&bad, stuck, &|atom| table.holds(atom, &graph.states[number]))
        };
        // The naive graph lists states by their distance.
        let nearest =
            (0..graph.states.len()).find(|&number| holds(number)).map(|number| graph.distance[number]);
        let property = claim(Kind::Property, always(not(Path::Now(bad.clone()))));
        let possible = claim(Kind::Possible, Path::Now(bad.clone()));
        let report = all(&table, &[property, possible], Fairness::Weak);
        for outcome in &report.outcomes {
            let length = outcome.evidence.as_ref().map(|evidence| evidence.run.steps.len());
            assert_eq!(length, nearest, "seed {seed}, {bad:?}");
        }
        violated += usize::from(nearest.is_some_and(|distance| distance > 0));
    }
    assert!(violated > 80, "{violated}");
}

fn holds_at(formula: &Formula<AtomId>, stuck: bool, atom: &dyn Fn(AtomId) -> bool) -> bool {
    let holds = |formula| holds_at(formula, stuck, atom);
    match formula {
        Formula::True => true,
        Formula::Deadlock => stuck,
        Formula::Atom(name) => atom(*name),
        Formula::Not(a) => !holds(a),
        Formula::And(a, b) => holds(a) && holds(b),
        Formula::Or(a, b) => holds(a) || holds(b),
        Formula::Implies(a, b) => !holds(a) || holds(b),
        Formula::Iff(a, b) => holds(a) == holds(b),
        _ => false,
    }
}

/// Tries all runs that are shorter than the evidence. A finite run is preferred to one that repeats, so it competes with
/// finite runs only.
fn shorter(model: &dyn Model, claim: &Claim<AtomId>, evidence: &Evidence) -> Option<Evidence> {
    let mut initial = Vec::new();
    model.initial(&mut initial);
    let number = |n: usize| u32::try_from(n).expect("few steps");
    let first = |at: usize| Run { initial: number(at), states: vec![initial[at].clone()], steps: Vec::new() };
    let mut runs: Vec<Run> = (0..initial.len()).map(first).collect();
    while let Some(run) = runs.pop() {
        let n = run.steps.len();
        let ends = (0..n).filter(|&start| run.states[start] == run.states[n]).map(Some).chain([None]);
        for loop_start in ends.filter(|end| end.is_none() || evidence.loop_start.is_some()) {
            let candidate = Evidence::new(run.clone(), loop_start, evidence.fairness);
            if replay(model, claim, &candidate).is_ok() {
                return Some(candidate);
            }
        }
        if n + 1 >= evidence.run.steps.len() {
            continue;
        }
        let mut steps = Steps::new(2);
        model.steps(&run.states[n], &mut steps).expect("no faults");
        for (ordinal, step) in steps.iter().enumerate() {
            for (branch, outcome) in step.branches().enumerate() {
                let mut longer = run.clone();
                longer.states.push(outcome.target.into());
                let (process, action) = (step.process, step.action);
                longer.steps.push(Taken {
                    ordinal: number(ordinal),
                    branch: number(branch),
                    process,
                    action,
                    delay: step.delay,
                });
                runs.push(longer);
            }
        }
    }
    None
}

/// Way and loop are each a shortest one, but together they need not be: of two loops of the same length only one may have
/// a piece in common with the way. That must be rare.
#[test]
fn nearly_all_counterexamples_on_small_models_are_shortest_runs() {
    let (mut examined, mut missed) = (0, Vec::new());
    for seed in 0..rounds(400) {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, Shape { n_states: 6, n_processes: 2, n_atoms: 2 });
        let property = claim(Kind::Property, path(&mut random, 2, 2));
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let report = all(&table, std::slice::from_ref(&property), fairness);
            let Some(evidence) = &report.outcomes[0].evidence else { continue };
            if (1..=7).contains(&evidence.run.steps.len()) {
                examined += 1;
                if let Some(better) = shorter(&table, &property, evidence) {
                    missed.push(format!("seed {seed}, {fairness:?}, {:?}: {better:?}", property.formula));
                }
            }
        }
    }
    assert!(examined > 150 && 50 * missed.len() <= examined, "{} of {examined}: {missed:#?}", missed.len());
}

/// Three wheels of two teeth each; atom `n` holds while wheel `n` is turned. Every process can always move.
fn wheels() -> Table {
    let mut table = Table::new(Shape { n_states: 8, n_processes: 3, n_atoms: 3 });
    for state in 0..8 {
        for wheel in 0..3 {
            table.step(state, wheel, state ^ 1 << wheel);
            table.atoms[wheel as usize][state] = state >> wheel & 1 == 1;
        }
    }
    table
}

#[test]
fn a_pass_that_needs_fairness_names_whom_an_unfair_run_starves() {
    let table = wheels();
    let response = claim(Kind::Property, always(implies(atom(0), eventually(atom(2)))));
    let report = all(&table, std::slice::from_ref(&response), Fairness::Weak);
    assert_eq!(report.outcomes[0].verdict, Verdict::Holds);
    assert_eq!(report.outcomes[0].starved, [SubjectId(2)]);
    let report = all(&table, &[response], Fairness::None);
    assert_eq!((&report.outcomes[0].verdict, report.outcomes[0].starved.len()), (&Verdict::Fails, 0));
    let safe = claim(Kind::Property, always(implies(atom(0), atom(0))));
    assert!(all(&table, &[safe], Fairness::Weak).outcomes[0].starved.is_empty());
}

/// A lamp that goes on and off; process 1 can smash it while it is on, which is atom 0.
#[test]
fn whoever_can_move_again_and_again_moves_on_strongly_fair_runs() {
    let mut table = Table::new(Shape { n_states: 3, n_processes: 2, n_atoms: 1 });
    table.step(0, 0, 1);
    table.step(1, 0, 0);
    table.step(1, 1, 2);
    table.atoms[0][2] = true;
    let smashed = [claim(Kind::Property, eventually(atom(0)))];
    assert_eq!(all(&table, &smashed, Fairness::Weak).outcomes[0].verdict, Verdict::Fails);
    let strong = all(&table, &smashed, Fairness::Strong);
    assert_eq!(strong.outcomes[0].verdict, Verdict::Holds);
    assert_eq!(strong.outcomes[0].starved, [SubjectId(1)]);
    // Staying dark for ever is fair again: there the lamp cannot be smashed.
    table.step(0, 0, 0);
    let dark = all(&table, &smashed, Fairness::Strong);
    let evidence = dark.outcomes[0].evidence.as_ref().unwrap();
    assert_eq!((evidence.loop_start, evidence.run.steps.len()), (Some(0), 1));
}

/// More subjects than the exact search for a shortest loop can keep apart: a ring of 40, each with a step of its own.
#[test]
fn a_strongly_fair_loop_lets_forty_subjects_move() {
    let mut table = Table::new(Shape { n_states: 40, n_processes: 40, n_atoms: 1 });
    for state in 0..40 {
        table.step(state, u32::try_from(state).unwrap(), (state + 1) % 40);
        table.step(state, 0, state / 2);
    }
    let never = claim(Kind::Property, eventually(atom(0)));
    let report = all(&table, std::slice::from_ref(&never), Fairness::Strong);
    let evidence = report.outcomes[0].evidence.as_ref().unwrap();
    assert_eq!(motet_evidence::replay(&table, &never, evidence), Ok(()));
    assert_eq!(evidence.fairness, Fairness::Strong);
}

#[test]
fn a_fair_loop_of_always_enabled_processes_moves_each_of_them() {
    let table = wheels();
    let never_still = claim(Kind::Property, eventually(always(atom(1))));
    let report = all(&table, &[never_still], Fairness::Weak);
    let evidence = report.outcomes[0].evidence.as_ref().unwrap();
    // Each wheel has to turn and to turn back: six steps, from the start.
    assert_eq!((evidence.loop_start, evidence.run.steps.len()), (Some(0), 6));
}

#[test]
fn a_trigger_that_never_happens_makes_a_pass_vacuous() {
    let mut table = wheels();
    table.atoms[1] = vec![false; 8];
    let vacuity = |formula: Path<AtomId>| {
        let outcome = check(&table, &claim(Kind::Property, formula), &fair(Fairness::Weak));
        assert_eq!(outcome.verdict, Verdict::Holds);
        outcome.vacuity
    };
    let response = |trigger| always(implies(trigger, eventually(atom(2))));
    assert_eq!(vacuity(response(atom(0))), Vacuity::Triggered);
    assert_eq!(vacuity(response(atom(1))), Vacuity::NeverTriggered(Box::new(atom(1))));
    // One idle part is enough to be told.
    let both = Path::And(Box::new(response(atom(0))), Box::new(response(atom(1))));
    assert_eq!(vacuity(both), Vacuity::NeverTriggered(Box::new(atom(1))));
    // The same inside one state formula, and under a path quantifier.
    let implication = |n| Formula::Implies(Box::new(Formula::Atom(AtomId(n))), Box::new(Formula::True));
    assert_eq!(vacuity(always(Path::Now(implication(0)))), Vacuity::Triggered);
    let quantified = Path::Now(Formula::Runs(Quantifier::All, Box::new(always(Path::Now(implication(1))))));
    assert_eq!(vacuity(quantified), Vacuity::NeverTriggered(Box::new(atom(1))));
    // A temporal trigger is looked for among the fair runs: wheel 0 cannot stay turned.
    let stays = always(atom(0));
    assert_eq!(vacuity(response(stays.clone())), Vacuity::NeverTriggered(Box::new(stays)));
    assert_eq!(vacuity(response(eventually(atom(0)))), Vacuity::Triggered);
    // Without "always" the trigger has to happen at the start.
    assert_eq!(vacuity(implies(atom(0), eventually(atom(2)))), Vacuity::NeverTriggered(Box::new(atom(0))));
    assert_eq!(vacuity(always(eventually(atom(2)))), Vacuity::NoTrigger);
    let settings = Settings { vacuity: Examine::No, ..fair(Fairness::Weak) };
    let unexamined = check(&table, &claim(Kind::Property, response(atom(1))), &settings);
    assert_eq!(unexamined.vacuity, Vacuity::Unchecked);
}

#[test]
fn contradictory_assumptions_are_told() {
    let table = wheels();
    let claims = [
        claim(Kind::Assume, always(not(atom(0)))),
        claim(Kind::Property, always(implies(atom(1), eventually(atom(2))))),
    ];
    // Wheel 0 moves on every fair run.
    let report = all(&table, &claims, Fairness::Weak);
    assert_eq!(report.outcomes[0].verdict, Verdict::Fails);
    let vacuous = Vacuity::NeverTriggered(Box::new(claims[0].formula.clone()));
    assert_eq!((&report.outcomes[1].verdict, &report.outcomes[1].vacuity), (&Verdict::Holds, &vacuous));
    let report = all(&table, &claims, Fairness::None);
    assert_eq!(
        (&report.outcomes[0].verdict, &report.outcomes[1].verdict),
        (&Verdict::Holds, &Verdict::Fails)
    );
    assert_eq!(replay_outcome(&table, &[&claims[0]], &claims[1], &report.outcomes[1]), Ok(()));
    assert_eq!(replay_outcome(&table, &[], &claims[0], &report.outcomes[0]), Ok(()));
}

fn runs(quantifier: Quantifier, path: Path<AtomId>) -> Path<AtomId> {
    Path::Now(Formula::Runs(quantifier, Box::new(path)))
}

/// 0 -> 1 -> 2 with loops on 1 and 2, and 3 -> 3; atom `n` holds in state `n`.
fn fork() -> Table {
    let mut table = Table::new(Shape { n_states: 4, n_processes: 1, n_atoms: 4 });
    for (from, to) in [(0, 1), (1, 1), (1, 2), (2, 2), (3, 3)] {
        table.step(from, 0, to);
    }
    (0..4).for_each(|state| table.atoms[state][state] = true);
    table
}

#[test]
fn claims_of_branching_time_are_answered() {
    let mut table = fork();
    let verdict = |table: &Table, formula: Path<AtomId>| {
        let property = claim(Kind::Property, formula);
        let outcome = check(table, &property, &Settings::default());
        assert_eq!(replay_outcome(table, &[], &property, &outcome), Ok(()), "{outcome:?}");
        outcome.verdict
    };
    let (all, some) = (Quantifier::All, Quantifier::Some);
    let leads = |n, m| always(implies(atom(n), runs(all, eventually(atom(m)))));
    assert_eq!(verdict(&table, runs(all, leads(0, 1))), Verdict::Holds);
    assert_eq!(verdict(&table, runs(all, leads(0, 2))), Verdict::Fails);
    assert_eq!(verdict(&table, runs(some, eventually(atom(2)))), Verdict::Holds);
    assert_eq!(verdict(&table, runs(some, eventually(atom(3)))), Verdict::Fails);
    assert_eq!(verdict(&table, not(runs(some, eventually(atom(3))))), Verdict::Holds);
    assert_eq!(verdict(&table, not(runs(some, eventually(atom(2))))), Verdict::Fails);
    // `AF AG p` is no linear-time claim: here it fails where `F G p` holds.
    let branching = runs(all, eventually(runs(all, always(atom(1)))));
    assert_eq!(verdict(&table, branching), Verdict::Fails);
    // "On some run" is asked of every initial state.
    table.initial = vec![0, 1];
    assert_eq!(verdict(&table, runs(some, eventually(atom(2)))), Verdict::Holds);
    table.initial = vec![0, 3];
    assert_eq!(verdict(&table, runs(some, eventually(atom(2)))), Verdict::Fails);
    assert_eq!(check(&table, &claim(Kind::Possible, atom(2)), &Settings::default()).verdict, Verdict::Holds);
}

#[test]
fn what_has_no_engine_is_named() {
    let inner = || Box::new(Formula::Atom(AtomId(0)));
    let bound = |unit| Bound { amount: 5, unit: Some(unit), strict: false };
    let within = |unit, amount| {
        let high = Some(Bound { amount, ..bound(unit) });
        Path::Eventually(Interval { low: None, high }, Box::new(atom(0)))
    };
    let now = |formula| always(Path::Now(formula));
    const STRANGER: &str = "knowledge of `p0`, who is no observer of this model";
    let cases = [
        (now(Formula::Knows(Knowledge::One, vec!["p0".to_owned()], inner())), STRANGER),
        (
            now(Formula::Chance(Some(Extremum::Min), Query::Value, Box::new(atom(0)))),
            "a number (`=?`) where something true or false is expected",
        ),
        (
            now(Formula::Timer(Timer::Held(inner()), Relation::Le, bound(Unit::Clock))),
            "bounds in clock time on a model that counts steps",
        ),
        (within(Unit::Clock, 5), "bounds in clock time on a model that counts steps"),
        (within(Unit::Cycles, 5), "bounds in cycles on a model that counts steps"),
    ];
    for (formula, name) in cases {
        let verdict = check(&fork(), &claim(Kind::Property, formula), &Settings::default()).verdict;
        assert_eq!(verdict, Verdict::Unknown(Stop::Unsupported(name.to_owned())));
    }
    let query = check(&fork(), &claim(Kind::Query, atom(0)), &Settings::default()).verdict;
    assert_eq!(query, Verdict::Unknown(Stop::Unsupported("queries for numbers (`=?`)".to_owned())));
    let steps = check(&fork(), &claim(Kind::Property, within(Unit::Steps, 65)), &Settings::default()).verdict;
    assert_eq!(steps, Verdict::Holds);
}

#[test]
fn the_first_run_to_every_action_is_a_shortest_one() {
    for seed in 0..rounds(100) {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, Shape { n_states: 20, n_processes: 2, n_atoms: 1 });
        let graph = Graph::of(&table).unwrap();
        let report = all(&table, &[], Fairness::None);
        let mut expected: Vec<(ActionId, usize)> = Vec::new();
        for (number, state) in graph.states.iter().enumerate() {
            let mut steps = Steps::new(2);
            table.steps(state, &mut steps).unwrap();
            expected.extend(steps.iter().map(|step| (step.action, graph.distance[number] + 1)));
        }
        expected.sort_unstable();
        let told: Vec<(ActionId, usize)> = report
            .actions
            .iter()
            .map(|&action| {
                let run = report.run_to_action(&table, action).unwrap();
                assert_eq!(run.steps.last().map(|taken| taken.action), Some(action));
                (action, run.steps.len())
            })
            .collect();
        assert_eq!(told, expected, "seed {seed}");
        assert_eq!(report.run_to_action(&table, ActionId(100_000)), None);
    }
}

/// One automaton has room for 64 propositions; a claim about 50 pairs of atoms is looked at pair by pair.
#[test]
fn a_claim_about_very_many_things_is_broken_if_it_is_broken_for_one() {
    let n_pairs = 50;
    let mut table = Table::new(Shape { n_states: 4, n_processes: 1, n_atoms: 2 * n_pairs });
    (0..4).for_each(|state| table.step(state, 0, (state + 1) % 4));
    for pair in 0..n_pairs {
        table.atoms[2 * pair][pair % 4] = true;
        table.atoms[2 * pair + 1][(pair + 1) % 4] = true;
    }
    let number = |n: usize| u32::try_from(n).expect("few atoms");
    let response = |pair| always(implies(atom(number(2 * pair)), eventually(atom(number(2 * pair + 1)))));
    let each = (0..n_pairs).map(response);
    let all_pairs = claim(Kind::Property, each.reduce(|a, b| Path::And(Box::new(a), Box::new(b))).unwrap());
    let verdict = |table: &Table| {
        let outcome = check(table, &all_pairs, &fair(Fairness::Weak));
        assert_eq!(replay_outcome(table, &[], &all_pairs, &outcome), Ok(()));
        (outcome.verdict, outcome.vacuity)
    };
    assert_eq!(verdict(&table), (Verdict::Holds, Vacuity::Triggered));
    table.atoms[2 * 37 + 1] = vec![false; 4];
    assert_eq!(verdict(&table).0, Verdict::Fails);
}
