//! Verdicts are the same where fewer states are looked at, and all evidence replays in the whole model.

mod support;

use motet_engine::{Applied, Order, Precision, Reduce, Reducing, Report, Settings, check_all};
use motet_evidence::{Fairness, Verdict, replay};
use motet_model::{
    ActionId, AtomId, Facets, Fault, Independence, Model, ProcessId, Ratio, Signature, State, Steps,
};
use motet_naive::random::{Palette, Random, Runs, Shape, Table, path, rich_path};
use motet_property::{Bound, Claim, Extremum, Formula, Interval, Kind, Path, Quantifier, Query, Unit, Until};
use support::{always, atom, claim, eventually, implies, n_states, not, rounds};

/// Processes that move on their own, and sometimes look at or change a number that all share.
#[derive(Debug)]
struct Crew {
    signature: Signature,
    /// Per process, per place: its moves.
    moves: Vec<Vec<Vec<Move>>>,
    /// Per atom: whose place it is about, and the places where it holds; the number is the last one.
    atoms: Vec<(usize, Vec<u32>)>,
}

#[derive(Debug)]
struct Move {
    to: Vec<u32>,
    when: Option<u32>,
    set: Option<u32>,
}

impl Crew {
    fn new(moves: Vec<Vec<Vec<Move>>>, atoms: Vec<(usize, Vec<u32>)>) -> Self {
        let names = |prefix: &str, n: usize| (0..n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>();
        let signature = Signature {
            slots: names("s", moves.len() + 1),
            processes: names("p", moves.len()),
            atoms: names("a", atoms.len()),
            ..Signature::default()
        };
        Self { signature, moves, atoms }
    }

    fn random(random: &mut Random) -> Self {
        let n = 2 + random.below(2);
        let number = |n: usize| u32::try_from(n).expect("few places");
        let moves = (0..n).map(|_| {
            let places = 1 + random.below(4);
            let row = |random: &mut Random| {
                let shared = random.once_in(3);
                (0..random.below(3))
                    .map(|_| Move {
                        to: (0..1 + usize::from(random.once_in(5)))
                            .map(|_| number(random.below(places)))
                            .collect(),
                        when: (shared && random.once_in(2)).then(|| number(random.below(2))),
                        set: (shared && random.once_in(2)).then(|| number(random.below(2))),
                    })
                    .collect()
            };
            (0..places).map(|_| row(random)).collect::<Vec<Vec<Move>>>()
        });
        let moves: Vec<_> = moves.collect();
        let atoms = (0..3).map(|_| (random.below(n + 1), (0..2).map(|_| number(random.below(4))).collect()));
        let atoms = atoms.collect();
        Self::new(moves, atoms)
    }

    /// A move that only its own process minds, to one place.
    fn alone(to: u32) -> Move {
        Move { to: vec![to], when: None, set: None }
    }
}

impl Model for Crew {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.push(vec![0; self.signature.slots.len()].into());
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let shared = *state.last().expect("a crew shares a number");
        for (process, places) in self.moves.iter().enumerate() {
            for (at, step) in places[state[process] as usize].iter().enumerate() {
                if step.when.is_some_and(|when| when != shared) {
                    continue;
                }
                let chance = Ratio::new(1, step.to.len() as u64).expect("a move leads somewhere");
                let targets: Vec<Vec<u32>> = step
                    .to
                    .iter()
                    .map(|&to| {
                        let mut target = state.to_vec();
                        target[process] = to;
                        if let (Some(set), Some(last)) = (step.set, target.last_mut()) {
                            *last = set;
                        }
                        target
                    })
                    .collect();
                let action = 100 * process + 10 * state[process] as usize + at;
                out.push_random(
                    ProcessId(u32::try_from(process).expect("few processes")),
                    ActionId(u32::try_from(action).expect("few actions")),
                    0,
                    targets.iter().map(|target| (chance, target.as_slice())),
                );
            }
        }
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        let (slot, values) = &self.atoms[atom.index()];
        values.contains(&state[*slot])
    }

    fn facets(&self) -> Facets<'_> {
        Facets { independence: Some(self), ..Facets::default() }
    }
}

impl Independence for Crew {
    fn ample(&self, visible: &[AtomId], state: &State, steps: &Steps, out: &mut Vec<u32>) {
        let is_private = |process: usize| {
            self.moves[process][state[process] as usize]
                .iter()
                .all(|step| step.when.is_none() && step.set.is_none())
        };
        let same =
            |target: &State| visible.iter().all(|&atom| self.holds(atom, state) == self.holds(atom, target));
        for process in (0..self.moves.len()).filter(|&process| is_private(process)) {
            let own = || steps.iter().enumerate().filter(|(_, step)| step.process.index() == process);
            let hidden = own().all(|(_, step)| step.branches().all(|branch| same(branch.target)));
            if own().next().is_some() && hidden {
                out.extend(own().map(|(ordinal, _)| u32::try_from(ordinal).expect("few steps")));
                return;
            }
        }
        out.extend(0..u32::try_from(steps.len()).expect("few steps"));
    }
}

const ALL: [(Reduce, Reduce); 3] =
    [(Reduce::Yes, Reduce::No), (Reduce::No, Reduce::Yes), (Reduce::Yes, Reduce::Yes)];

fn run(model: &dyn Model, claims: &[Claim<AtomId>], settings: &Settings) -> Report {
    check_all(model, claims, settings, &mut |_| {})
}

/// Checks one claim whole and reduced; says whether a reduction was used, and how many states were left out.
fn agree(model: &dyn Model, claim: &Claim<AtomId>, settings: &Settings, context: &str) -> Option<u64> {
    let whole = run(model, std::slice::from_ref(claim), &Settings::default());
    let reduced = run(model, std::slice::from_ref(claim), settings);
    let used = reduced.reductions.iter().any(|reduction| matches!(reduction.applied, Applied::Saved(_)));
    if !used {
        assert_eq!(whole.coverage.states, reduced.coverage.states, "{context}");
        return None;
    }
    let (one, other) = (&whole.outcomes[0], &reduced.outcomes[0]);
    assert_eq!(one.verdict, other.verdict, "{context}");
    assert_eq!(one.evidence.is_some(), other.evidence.is_some(), "{context}");
    if let Some(evidence) = &other.evidence {
        assert_eq!(replay(model, claim, evidence), Ok(()), "{context}\n{evidence:?}");
    }
    assert_eq!(whole.actions, reduced.actions, "{context}");
    for &action in &reduced.actions {
        let run = reduced.run_to_action(model, action).expect("it was taken");
        let ordinals: Vec<(u32, u32)> = run.steps.iter().map(|taken| (taken.ordinal, taken.branch)).collect();
        assert_eq!(motet_evidence::rebuild(model, run.initial, &ordinals).as_ref(), Ok(&run), "{context}");
        assert_eq!(run.steps.last().map(|taken| taken.action), Some(action), "{context}");
    }
    Some(whole.coverage.states - reduced.coverage.states)
}

#[test]
fn verdicts_about_every_run_are_the_same_with_fewer_states() {
    let (mut used, mut left_out) = ([0; 3], [0; 3]);
    for seed in 0..rounds(1000) {
        let mut random = Random::new(seed);
        let crew = Crew::random(&mut random);
        for _ in 0..3 {
            let kind = if random.once_in(4) { Kind::Possible } else { Kind::Property };
            let claim = claim(kind, path(&mut random, 3, 3));
            for (at, (partial_order, chains)) in ALL.into_iter().enumerate() {
                let order = if random.once_in(3) { Order::DepthFirst } else { Order::BreadthFirst };
                let settings = Settings { partial_order, chains, order, ..Settings::default() };
                let context =
                    format!("seed {seed}, {partial_order:?} {chains:?} {order:?}, {claim:?}\n{crew:?}");
                if let Some(fewer) = agree(&crew, &claim, &settings, &context) {
                    used[at] += 1;
                    left_out[at] += fewer;
                }
            }
        }
    }
    assert!(used.iter().all(|&n| n > 600), "{used:?}");
    assert!(left_out.iter().all(|&n| n > 200), "{left_out:?}");
}

/// Which states there are is asked beside nothing else, so that one step that leads on is enough.
#[test]
fn verdicts_about_states_are_the_same_with_fewer_states() {
    let (mut left_out, mut failed) = (0, 0);
    for seed in 0..rounds(1500) {
        let mut random = Random::new(seed);
        let crew = Crew::random(&mut random);
        let literal = |random: &mut Random| {
            let literal = Formula::Atom(AtomId(u32::try_from(random.below(3)).expect("three atoms")));
            if random.once_in(2) { literal } else { Formula::Not(Box::new(literal)) }
        };
        let some = Formula::Or(Box::new(literal(&mut random)), Box::new(literal(&mut random)));
        let claim = claim(Kind::Property, always(Path::Now(some)));
        for (partial_order, chains) in ALL {
            let order = if random.once_in(3) { Order::DepthFirst } else { Order::BreadthFirst };
            let settings = Settings { partial_order, chains, order, ..Settings::default() };
            let context = format!("seed {seed}, {settings:?}, {claim:?}\n{crew:?}");
            left_out += agree(&crew, &claim, &settings, &context).unwrap_or(0);
            let reduced = run(&crew, std::slice::from_ref(&claim), &settings);
            failed += usize::from(reduced.outcomes[0].verdict == Verdict::Fails);
        }
    }
    assert!(left_out > 1000 && failed > 1000, "{left_out} left out, {failed} failed");
}

/// Three processes that may rest before each of five steps. Resting leads nowhere new, so a claim about runs has to see all
/// orders; for a claim about states it is enough that the steps lead on.
#[test]
fn one_step_that_leads_on_is_enough_for_claims_about_states() {
    let line = || (0..5).map(|at| vec![Crew::alone(at), Crew::alone(at + 1)]).chain([vec![]]);
    let crew = Crew::new((0..3).map(|_| line().collect()).collect(), vec![(3, vec![1])]);
    let settings = Settings { partial_order: Reduce::Yes, ..Settings::default() };
    let states = |formula| run(&crew, &[claim(Kind::Property, formula)], &settings).coverage.states;
    assert_eq!(states(eventually(atom(0))), 6 * 6 * 6);
    assert_eq!(states(always(not(atom(0)))), 3 * 5 + 1);
}

#[test]
fn chains_change_no_verdict_about_other_runs() {
    let (mut used, mut left_out) = (0, 0);
    for seed in 0..rounds(1500) {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, Shape { n_states: 9, n_processes: 2, n_atoms: 2 });
        let palette = Palette { n_atoms: 2, n_observers: 0, runs: Runs::AnyPath };
        let formula =
            if random.once_in(2) { rich_path(&mut random, palette, 3) } else { path(&mut random, 2, 3) };
        let claim = claim(Kind::Property, formula);
        let settings = Settings { chains: Reduce::Yes, ..Settings::default() };
        let context = format!("seed {seed}, {claim:?}\n{table:?}");
        if let Some(fewer) = agree(&table, &claim, &settings, &context) {
            used += 1;
            left_out += fewer;
        }
    }
    assert!(used > 300 && left_out > 100, "{used} used, {left_out} left out");
}

#[test]
fn chains_change_no_probability() {
    let mut left_out = 0;
    for seed in 0..rounds(300) {
        let mut random = Random::new(seed);
        let table = Table::random(&mut random, Shape { n_states: 9, n_processes: 2, n_atoms: 2 });
        for extremum in [Extremum::Min, Extremum::Max] {
            for path in [eventually(atom(0)), always(eventually(atom(1)))] {
                let formula = Formula::Chance(Some(extremum), Query::Value, Box::new(path));
                let claim = claim(Kind::Query, Path::Now(formula));
                let exact = Settings { precision: Precision::Exact, ..Settings::default() };
                let whole = run(&table, std::slice::from_ref(&claim), &exact);
                let chained = Settings { chains: Reduce::Yes, ..exact };
                let reduced = run(&table, std::slice::from_ref(&claim), &chained);
                let value =
                    |report: &Report| report.outcomes[0].quantity.as_ref().and_then(|q| q.exact.clone());
                assert_eq!(value(&whole), value(&reduced), "seed {seed}, {claim:?}\n{table:?}");
                left_out += whole.coverage.states - reduced.coverage.states;
            }
        }
    }
    assert!(left_out > 100, "{left_out} left out");
}

#[test]
fn all_ends_of_runs_stay() {
    let mut ends = 0;
    for seed in 0..rounds(300) {
        let mut random = Random::new(seed);
        let crew = Crew::random(&mut random);
        let ends_with = |values: u32| {
            let literals = (0..3).map(|number| {
                let literal = Formula::Atom(AtomId(number));
                if values >> number & 1 == 1 { literal } else { Formula::Not(Box::new(literal)) }
            });
            let join = |all, one| Formula::And(Box::new(all), Box::new(one));
            claim(Kind::Possible, Path::Now(literals.fold(Formula::Deadlock, join)))
        };
        let claims: Vec<_> = (0..8).map(ends_with).collect();
        let whole = run(&crew, &claims, &Settings::default());
        for (partial_order, chains) in ALL {
            let reduced = run(&crew, &claims, &Settings { partial_order, chains, ..Settings::default() });
            for (one, other) in whole.outcomes.iter().zip(&reduced.outcomes) {
                assert_eq!(one.verdict, other.verdict, "seed {seed}\n{crew:?}");
                ends += usize::from(one.verdict == Verdict::Holds);
            }
        }
    }
    assert!(ends > 100, "{ends} ends");
}

/// The first process goes round in a circle that nobody minds. If its steps alone were taken all the way round, nobody would
/// ever see the second process move (Valmari 1991: "the ignoring problem").
#[test]
fn nobody_is_put_off_for_ever_by_a_circle() {
    let circle = vec![vec![Crew::alone(1)], vec![Crew::alone(2)], vec![Crew::alone(0)]];
    let other = vec![vec![Crew::alone(1)], vec![]];
    let crew = Crew::new(vec![circle, other], vec![(1, vec![1])]);
    for (partial_order, chains) in ALL {
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            let settings = Settings { partial_order, chains, order, ..Settings::default() };
            let safe = run(&crew, &[claim(Kind::Property, always(not(atom(0))))], &settings);
            assert_eq!(safe.outcomes[0].verdict, Verdict::Fails, "{settings:?}");
            let fair = run(&crew, &[claim(Kind::Property, eventually(atom(0)))], &settings);
            assert_eq!(fair.outcomes[0].verdict, Verdict::Fails, "{settings:?}");
            assert!(fair.outcomes[0].evidence.as_ref().is_some_and(|evidence| evidence.loop_start.is_some()));
        }
    }
}

/// The first process may go round as long as it likes before it goes on, which nobody minds, and then changes what all share.
/// That one of its steps leads on is enough to see all states, but not all runs: the other process has to move while the first
/// goes round for ever (Peled 1994: condition C3).
#[test]
fn a_way_out_of_a_circle_is_not_enough_for_claims_about_runs() {
    let share = Move { to: vec![3], when: None, set: Some(1) };
    let round = vec![Crew::alone(0), Crew::alone(2)];
    let first = vec![vec![Crew::alone(1)], round, vec![share], vec![]];
    let other = vec![vec![Crew::alone(1)], vec![]];
    let crew = Crew::new(vec![first, other], vec![(1, vec![1]), (2, vec![1])]);
    let claim = claim(Kind::Property, implies(eventually(atom(0)), eventually(atom(1))));
    for (partial_order, chains) in ALL {
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            let settings = Settings { partial_order, chains, order, ..Settings::default() };
            let context = format!("{settings:?}");
            assert!(agree(&crew, &claim, &settings, &context).is_some(), "{context}");
            assert_eq!(
                run(&crew, std::slice::from_ref(&claim), &settings).outcomes[0].verdict,
                Verdict::Fails
            );
        }
    }
}

/// Three steps with nothing to choose, which a chain runs through at once: who counts them is told of all.
#[test]
fn claims_that_count_steps_are_checked_on_every_step() {
    let line = |n: u32| (0..n).map(|at| vec![Crew::alone(at + 1)]).chain([vec![]]).collect::<Vec<_>>();
    let crew = Crew::new(vec![line(3), line(2)], vec![(0, vec![3])]);
    let steps =
        |amount| Interval { low: None, high: Some(Bound { amount, unit: Some(Unit::Steps), strict: false }) };
    let goal = || Box::new(atom(0));
    let counted = [
        Path::Eventually(steps(2), goal()),
        Path::Not(Box::new(Path::Always(steps(2), Box::new(not(atom(0)))))),
        Path::Until(Until::Until, steps(2), Box::new(Path::Now(Formula::True)), goal()),
        Path::Not(Box::new(Path::Until(
            Until::Release,
            steps(2),
            Box::new(Path::Now(Formula::False)),
            Box::new(not(atom(0))),
        ))),
    ];
    for path in counted {
        let claim = claim(Kind::Possible, path);
        for (partial_order, chains) in ALL {
            let settings = Settings { partial_order, chains, ..Settings::default() };
            assert_eq!(agree(&crew, &claim, &settings, "two steps of three"), None, "{:?}", claim.formula);
            let report = run(&crew, std::slice::from_ref(&claim), &settings);
            assert_eq!(report.outcomes[0].verdict, Verdict::Fails, "{:?}", claim.formula);
        }
    }
}

/// Six processes that each take five steps of their own: one order is as good as another.
#[test]
fn processes_that_do_not_mind_each_other_take_turns_once() {
    let line =
        || (0..6).map(|at| if at < 5 { vec![Crew::alone(at + 1)] } else { vec![] }).collect::<Vec<_>>();
    let crew = Crew::new((0..6).map(|_| line()).collect(), vec![(6, vec![1])]);
    assert_eq!(n_states(&crew), 6_u64.pow(6));
    let end = [claim(Kind::Property, eventually(Path::Now(Formula::Deadlock)))];
    let settings = Settings { partial_order: Reduce::Yes, ..Settings::default() };
    let report = run(&crew, &end, &settings);
    assert_eq!((report.coverage.states, &report.outcomes[0].verdict), (31, &Verdict::Holds));
    let settings = Settings { chains: Reduce::Yes, ..settings };
    let report = run(&crew, &end, &settings);
    assert_eq!((report.coverage.states, &report.outcomes[0].verdict), (2, &Verdict::Holds));
    assert_eq!(report.reductions.len(), 2);
}

#[test]
fn claims_that_could_tell_stand_in_the_way_by_name() {
    let crew = Crew::random(&mut Random::new(1));
    let branching = Formula::Runs(Quantifier::Some, Box::new(eventually(atom(0))));
    let claims = [
        claim(Kind::Property, always(atom(0))),
        claim(Kind::Property, always(Path::Now(branching))),
        claim(Kind::Property, Path::Next(Box::new(atom(1)))),
    ];
    let settings = Settings { partial_order: Reduce::Yes, chains: Reduce::Yes, ..Settings::default() };
    let hindered = |claims: &[Claim<AtomId>], fairness| {
        let report = run(&crew, claims, &Settings { fairness, ..settings.clone() });
        let by = |kind| {
            let found =
                report.reductions.iter().find(|reduction| reduction.kind == kind).expect("it was asked for");
            match &found.applied {
                Applied::Claims(claims) => claims.iter().map(|hindrance| hindrance.claim).collect(),
                _ => Vec::new(),
            }
        };
        (by(Reducing::PartialOrder), by(Reducing::Chains))
    };
    assert_eq!(hindered(&claims, Fairness::None), (vec![1, 2], vec![2]));
    assert_eq!(hindered(&claims[..2], Fairness::None), (vec![1], vec![]));
    assert_eq!(hindered(&claims[..1], Fairness::Weak), (vec![], vec![]));
    let response = claim(Kind::Property, Path::Always(Interval::default(), Box::new(eventually(atom(0)))));
    assert_eq!(hindered(&[response], Fairness::Weak), (vec![0], vec![0]));
}

#[test]
fn a_model_that_knows_nothing_of_its_steps_is_searched_whole() {
    let table = Table::random(&mut Random::new(3), Shape { n_states: 9, n_processes: 2, n_atoms: 2 });
    let settings = Settings { partial_order: Reduce::Yes, ..Settings::default() };
    let report = run(&table, &[claim(Kind::Property, always(atom(0)))], &settings);
    assert_eq!(report.reductions[0].applied, Applied::Model);
    assert_eq!(report.coverage.states, n_states(&table));
}
