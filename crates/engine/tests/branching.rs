//! Branching time and knowledge: the engine and its naive twin give the same verdicts on random models and formulas, and
//! every tree of evidence replays, while changed ones do not.

mod support;

use motet_engine::{Proof, Report, Settings, check_all};
use motet_evidence::{Evidence, Fairness, Objection, Outcome, Shown, Verdict, replay_under};
use motet_model::{AtomId, Checked, Model, TimeUnit};
use motet_naive::random::{Palette, Random, Runs, Shape, Table, path, rich_path, rich_state, timed_path};
use motet_naive::{Graph, Labels};
use motet_property::{Claim, Formula, Interval, Kind, Path, Quantifier, Unit};
use support::{always, claim, fair, implies, rounds};

const SHAPE: Shape = Shape { n_states: 8, n_processes: 3, n_atoms: 3 };

fn run(model: &dyn Model, claims: &[Claim<AtomId>], settings: &Settings) -> Report {
    check_all(model, claims, settings, &mut |_| {})
}

fn decided(outcome: &Outcome, context: &str) -> bool {
    match outcome.verdict {
        Verdict::Holds => true,
        Verdict::Fails => false,
        _ => panic!("a complete search has a verdict: {:?}, {context}", outcome.verdict),
    }
}

/// What a claim is by its definition. `None` if it is too large for the twin.
fn expected(labels: &mut Labels<'_>, graph: &Graph, claim: &Claim<AtomId>) -> Option<bool> {
    match (claim.kind, &claim.formula) {
        (Kind::Property, Path::Now(Formula::Runs(Quantifier::Some, path))) => {
            let from = labels.some_run(path)?;
            Some(graph.initial.iter().all(|&state| from[state]))
        }
        (Kind::Property, path) => {
            let breaks = labels.some_run(&Path::Not(Box::new(path.clone())))?;
            Some(!graph.initial.iter().any(|&state| breaks[state]))
        }
        (Kind::Possible, path) => {
            let path = match is_state(path) {
                true => Path::Eventually(Interval::default(), Box::new(path.clone())),
                false => path.clone(),
            };
            let from = labels.some_run(&path)?;
            Some(graph.initial.iter().any(|&state| from[state]))
        }
        _ => unreachable!("only these are compared"),
    }
}

/// Whether a formula speaks of its first state only, so that `possible` means that it is reached.
fn is_state(path: &Path<AtomId>) -> bool {
    match path {
        Path::Now(_) => true,
        Path::Not(a) => is_state(a),
        Path::And(a, b) | Path::Or(a, b) | Path::Implies(a, b) | Path::Iff(a, b) => {
            is_state(a) && is_state(b)
        }
        _ => false,
    }
}

/// How many claims were compared, how many of them hold, and what their evidence is made of.
#[derive(Debug, Default)]
struct Tally {
    compared: usize,
    hold: usize,
    onward: usize,
    elsewhere: usize,
    search: usize,
}

impl Tally {
    /// Counts the branches of a tree.
    fn count(&mut self, evidence: &Evidence) {
        for branch in &evidence.branches {
            match &branch.shown {
                Shown::Onward(inner) => {
                    self.onward += 1;
                    self.count(inner);
                }
                Shown::Elsewhere(_, inner) => {
                    self.elsewhere += 1;
                    self.count(inner);
                }
                Shown::Search => self.search += 1,
            }
        }
    }

    /// Enough of either answer for the comparison to say something.
    fn assert_mixed(&self, least: usize) {
        let few = self.compared / 10;
        assert!(self.compared >= least && self.hold > few && self.hold < self.compared - few, "{self:?}");
    }
}

/// Compares all claims that `write` makes.
fn compare(seeds: std::ops::Range<u64>, write: impl Fn(&mut Random) -> Vec<Claim<AtomId>>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let mut random = Random::new(seed);
        let mut table = Table::random(&mut random, SHAPE);
        if random.once_in(2) {
            table.scatter(&mut random);
        }
        table.observe_at_random(&mut random, 3);
        let table = Checked::new(table);
        let graph = Graph::of(&table).expect("a random table has no faults");
        let claims = write(&mut random);
        let assumed: Vec<&Claim<AtomId>> = claims.iter().filter(|claim| claim.kind == Kind::Assume).collect();
        let paths: Vec<Path<AtomId>> = assumed.iter().map(|claim| claim.formula.clone()).collect();
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let mut labels = Labels::new(&table, &graph, fairness);
            if labels.assume(&paths).is_none() {
                continue;
            }
            let report = run(&table, &claims, &fair(fairness));
            let bare = run(&table, &claims, &Settings { proof: Proof::Omitted, ..fair(fairness) });
            for ((claim, outcome), bare) in claims.iter().zip(&report.outcomes).zip(&bare.outcomes) {
                if claim.kind == Kind::Assume {
                    continue;
                }
                let context = || format!("seed {seed}, {fairness:?}, {paths:?}\n{:?}", claim.formula);
                let Some(expected) = expected(&mut labels, &graph, claim) else { continue };
                assert_eq!(decided(outcome, &context()), expected, "{}", context());
                assert_eq!(decided(bare, &context()), expected, "without proof, {}", context());
                assert!(bare.evidence.is_none());
                tally.compared += 1;
                tally.hold += usize::from(expected);
                let is_some = matches!(&claim.formula, Path::Now(Formula::Runs(Quantifier::Some, _)));
                let refuted = claim.kind == Kind::Property && !expected && !is_some;
                assert!(outcome.evidence.is_some() || !refuted, "{}", context());
                if let Some(evidence) = &outcome.evidence {
                    judge(&table, &assumed, claim, evidence, &context());
                    tally.count(evidence);
                }
            }
        }
    }
    tally
}

/// The evidence replays, and with one branch changed it does not.
fn judge(
    model: &dyn Model,
    assumed: &[&Claim<AtomId>],
    claim: &Claim<AtomId>,
    evidence: &Evidence,
    context: &str,
) {
    match replay_under(model, assumed, claim, evidence) {
        Ok(()) => {}
        Err(Objection::Refused(words)) if words.contains("in an assumption and in the claim") => return,
        Err(objection) => panic!("{objection}\n{context}\n{evidence:#?}"),
    }
    for mutant in mutants(evidence) {
        let verdict = replay_under(model, assumed, claim, &mutant);
        assert!(matches!(verdict, Err(Objection::Forged(_))), "{verdict:?}\n{context}\n{mutant:#?}");
    }
}

/// Copies of a tree with one branch, at any depth, changed so that it shows nothing.
fn mutants(evidence: &Evidence) -> Vec<Evidence> {
    let mut mutants = Vec::new();
    for (at, branch) in evidence.branches.iter().enumerate() {
        let mut with = |change: &dyn Fn(&mut motet_evidence::Branch)| {
            let mut mutant = evidence.clone();
            change(&mut mutant.branches[at]);
            mutants.push(mutant);
        };
        with(&|branch| branch.truth = !branch.truth);
        with(&|branch| branch.at = 1000);
        with(&|branch| branch.formula = Formula::True);
        let inner = match &branch.shown {
            Shown::Search => continue,
            Shown::Onward(inner) | Shown::Elsewhere(_, inner) => inner,
        };
        with(&|branch| branch.shown = Shown::Search);
        let mut strange = inner.clone();
        strange.run.states.last_mut().expect("a run has states")[1] += 1;
        let mut others = vec![strange];
        others.extend(self::mutants(inner).into_iter().map(Box::new));
        for other in others {
            with(&|branch| match &mut branch.shown {
                Shown::Onward(inner) | Shown::Elsewhere(_, inner) => *inner = other.clone(),
                Shown::Search => {}
            });
        }
        with(&|branch| {
            if let Shown::Elsewhere(observers, _) = &mut branch.shown {
                observers.clear();
            } else {
                branch.truth = !branch.truth;
            }
        });
    }
    mutants
}

#[test]
fn computation_tree_logic_agrees_with_the_naive_twin() {
    let palette = Palette { n_atoms: 3, n_observers: 0, runs: Runs::OneOperator };
    let found = compare(0..rounds(300), |random| {
        let formulas = (0..6).map(|_| Path::Now(rich_state(random, palette, 3)));
        formulas.map(|formula| claim(Kind::Property, formula)).collect()
    });
    found.assert_mixed(3000);
    assert!(found.onward > 300 && found.search > 300, "{found:?}");
}

#[test]
fn full_branching_time_agrees_with_the_naive_twin() {
    let palette = Palette { n_atoms: 3, n_observers: 0, runs: Runs::AnyPath };
    let found = compare(1000..1000 + rounds(200), |random| {
        let kind = |random: &mut Random| if random.once_in(4) { Kind::Possible } else { Kind::Property };
        (0..4).map(|_| claim(kind(random), rich_path(random, palette, 4))).collect()
    });
    found.assert_mixed(1500);
}

#[test]
fn knowledge_agrees_with_the_naive_twin() {
    let palette = Palette { n_atoms: 3, n_observers: 3, runs: Runs::None };
    let found = compare(2000..2000 + rounds(250), |random| {
        (0..4).map(|_| claim(Kind::Property, rich_path(random, palette, 3))).collect()
    });
    found.assert_mixed(1500);
    assert!(found.elsewhere > 300 && found.search > 50, "{found:?}");
}

#[test]
fn knowledge_and_branching_time_mix() {
    let palette = Palette { n_atoms: 3, n_observers: 3, runs: Runs::AnyPath };
    let found = compare(3000..3000 + rounds(250), |random| {
        let kind = |random: &mut Random| if random.once_in(4) { Kind::Possible } else { Kind::Property };
        (0..4).map(|_| claim(kind(random), Path::Now(rich_state(random, palette, 4)))).collect()
    });
    found.assert_mixed(1500);
}

#[test]
fn assumptions_restrict_the_runs_that_quantifiers_range_over() {
    let palette = Palette { n_atoms: 3, n_observers: 2, runs: Runs::AnyPath };
    let found = compare(4000..4000 + rounds(250), |random| {
        let assumption = if random.once_in(3) { rich_path(random, palette, 2) } else { path(random, 3, 1) };
        let mut claims = vec![claim(Kind::Assume, assumption)];
        claims.extend((0..3).map(|_| claim(Kind::Property, rich_path(random, palette, 3))));
        claims
    });
    found.assert_mixed(1000);
}

/// What a quantifier says of a state is what it says of the start of a model that starts there.
#[test]
fn windows_of_time_under_a_quantifier_count_from_the_state() {
    let (mut compared, mut hold) = (0, 0);
    for seed in 5000..5000 + rounds(120) {
        let mut random = Random::new(seed);
        let mut table = Table::random(&mut random, SHAPE);
        table.delay(&mut random);
        table.signature.unit = TimeUnit::Cycles;
        table.initial.truncate(1);
        let n_states = table.rows.len();
        let wanted = timed_path(&mut random, Unit::Cycles, 3, 2);
        let wanted = Formula::Runs(Quantifier::Some, Box::new(wanted));
        // One more atom for each state, true there alone.
        for state in 0..n_states {
            table.atoms.push((0..n_states).map(|other| other == state).collect());
            table.signature.atoms.push(format!("here{state}"));
        }
        for fairness in [Fairness::None, Fairness::Weak] {
            let graph = Graph::of(&table).expect("a random table has no faults");
            for vector in &graph.states {
                let state = (vector[0] + 3 * vector[1]) as usize;
                let here = Path::Now(Formula::Atom(AtomId(3 + u32::try_from(state).unwrap())));
                let nested = always(implies(here, Path::Now(wanted.clone())));
                let nested = claim(Kind::Property, nested);
                let from_here = Table { initial: vec![state], ..table.clone() };
                let alone = claim(Kind::Property, Path::Now(wanted.clone()));
                let found = run(&table, std::slice::from_ref(&nested), &fair(fairness)).outcomes.remove(0);
                let (Verdict::Holds | Verdict::Fails) = found.verdict else { continue };
                let expected = run(&from_here, &[alone], &fair(fairness)).outcomes.remove(0);
                let context = format!("seed {seed}, {fairness:?}, state {state}, {wanted:?}");
                assert_eq!(found.verdict, expected.verdict, "{context}");
                if let Some(evidence) = &found.evidence {
                    judge(&table, &[], &nested, evidence, &context);
                }
                compared += 1;
                hold += usize::from(found.verdict == Verdict::Holds);
            }
        }
    }
    assert!(compared > 300 && hold > compared / 10 && hold < compared * 9 / 10, "{hold} of {compared} hold");
}
