//! Reads, explores and checks nets.
#![allow(dead_code, reason = "not every test needs everything")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use motet_engine::{Settings, check_all};
use motet_evidence::{Fairness, Outcome, Verdict, replay_outcome};
use motet_model::{
    ActionId, AtomId, AtomText, Checked, Fault, Language as _, Model, Options, State, Steps, System,
};
use motet_nets::Nets;
use motet_property::Claim;
use motet_source::{FileId, Problems, Sources, Span, Spanned};

pub(crate) const STATION: &str = include_str!("../texts/station.npn");
pub(crate) const BCIN: &str = include_str!("../texts/bcin.npn");

/// A text with parts replaced; each part is there.
pub(crate) fn with(text: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "no {from:?} in\n{text}");
        text.replace(from, to)
    })
}

/// A text with claims about it.
pub(crate) struct Case {
    pub(crate) system: System,
    pub(crate) claims: Vec<Claim<AtomId>>,
    pub(crate) atoms: Vec<Spanned<AtomText>>,
}

/// Reads a text and claims; the lines are those of the errors.
pub(crate) fn attempt(text: &str, claims: &str, rules: &[(&str, &str)]) -> Result<Case, String> {
    let mut sources = Sources::new();
    sources.add("m.npn", text);
    sources.add("m.props", claims);
    let mut options = Options::default();
    for (rule, value) in rules {
        options.rules.insert((*rule).to_owned(), (*value).to_owned());
    }
    let mut problems = Problems::new();
    let draft = Nets.read(&sources, &options, &mut problems).ok_or_else(|| problems.lines(&sources))?;
    let (file, found) = motet_property::parse(FileId(1), claims, None);
    problems.extend(found);
    let lowered = motet_property::lower(&file, draft.vocabulary(), &BTreeMap::new(), &mut problems);
    if problems.has_errors() {
        return Err(problems.lines(&sources));
    }
    let system = draft.system(&lowered.atoms, &mut problems).ok_or_else(|| problems.lines(&sources))?;
    Ok(Case { system, claims: lowered.claims, atoms: lowered.atoms })
}

pub(crate) fn case(text: &str, claims: &str) -> Case {
    attempt(text, claims, &[]).unwrap_or_else(|lines| panic!("{lines}"))
}

pub(crate) fn system(text: &str) -> System {
    case(text, "").system
}

/// What an exploration counts: states, steps, states without steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts(pub(crate) usize, pub(crate) usize, pub(crate) usize);

/// Explores everything, inside [`Checked`].
pub(crate) fn explored(model: &Arc<dyn Model + Send + Sync>) -> Result<Counts, Fault> {
    let model = Checked::new(Arc::clone(model));
    let mut initial = Vec::new();
    model.initial(&mut initial);
    let mut seen: BTreeSet<Box<State>> = initial.iter().cloned().collect();
    let mut waiting: VecDeque<Box<State>> = initial.into();
    let mut counts = Counts(seen.len(), 0, 0);
    let mut steps = Steps::new(model.signature().slots.len());
    while let Some(state) = waiting.pop_front() {
        steps.clear();
        model.steps(&state, &mut steps)?;
        counts.1 += steps.len();
        counts.2 += usize::from(steps.is_empty());
        for branch in steps.iter().flat_map(|step| step.branches()) {
            if seen.insert(branch.target.into()) {
                waiting.push_back(branch.target.into());
                counts.0 += 1;
            }
        }
    }
    Ok(counts)
}

/// The counts of a text without problems and faults.
pub(crate) fn counts(text: &str) -> Counts {
    explored(&system(text).model).unwrap_or_else(|fault| panic!("{fault}"))
}

/// The message of the first fault of a text.
pub(crate) fn fault(text: &str) -> String {
    match explored(&system(text).model) {
        Ok(counts) => panic!("no fault, {counts:?} in\n{text}"),
        Err(fault) => fault.message,
    }
}

/// The model of the same text that remembers nothing and computes every expression from its tree.
pub(crate) fn afresh(text: &str) -> Arc<dyn Model + Send + Sync> {
    afresh_with(text, &[])
}

/// The same, with atoms.
pub(crate) fn afresh_with(text: &str, atoms: &[Spanned<AtomText>]) -> Arc<dyn Model + Send + Sync> {
    let place = Span::new(FileId(0), 0, 0);
    let (tree, mut problems) = motet_nets::parse::parse(FileId(0), text);
    let tree = motet_nets::construct::construct(vec![tree], &mut problems);
    let resolved = motet_nets::resolve::resolve(&tree, &Options::default(), place, &mut problems);
    motet_nets::afresh(&resolved.expect("a text without errors"), atoms, &mut problems).expect("a model")
}

pub(crate) fn initial(system: &System) -> Box<State> {
    let mut initial = Vec::new();
    system.model.initial(&mut initial);
    initial.remove(0)
}

/// What can fire in a state, in words.
pub(crate) fn possible(system: &System, state: &State) -> Vec<String> {
    let mut steps = Steps::new(state.len());
    system.model.steps(state, &mut steps).expect("no fault");
    steps.iter().map(|step| system.words.action(step.action)).collect()
}

/// The state after steps whose words start like these, and their actions.
pub(crate) fn after(system: &System, actions: &[&str]) -> (Box<State>, Vec<ActionId>) {
    let mut state = initial(system);
    let mut taken = Vec::new();
    for wanted in actions {
        let mut steps = Steps::new(state.len());
        system.model.steps(&state, &mut steps).expect("no fault");
        let step = steps.iter().find(|step| system.words.action(step.action).starts_with(wanted));
        let step = step.unwrap_or_else(|| panic!("no {wanted} among {:?}", possible(system, &state)));
        taken.push(step.action);
        state = step.branches().next().expect("a step leads somewhere").target.into();
    }
    (state, taken)
}

/// Walks through two models at once: their states correspond one to one, and so do their steps, in their order, and what
/// holds. Numbers may differ.
pub(crate) fn same_graph(one: &Arc<dyn Model + Send + Sync>, other: &Arc<dyn Model + Send + Sync>) -> Counts {
    same_up_to(usize::MAX, one, other)
}

/// The same, and not more than so many states.
pub(crate) fn same_up_to(
    most: usize,
    one: &Arc<dyn Model + Send + Sync>,
    other: &Arc<dyn Model + Send + Sync>,
) -> Counts {
    let start = |model: &Arc<dyn Model + Send + Sync>| {
        let mut initial = Vec::new();
        model.initial(&mut initial);
        initial.remove(0)
    };
    let width = one.signature().slots.len();
    assert_eq!(one.signature().slots, other.signature().slots);
    let mut waiting = VecDeque::from([(start(one), start(other))]);
    let mut forth: BTreeMap<Box<State>, Box<State>> = waiting.iter().cloned().collect();
    let mut back: BTreeMap<Box<State>, Box<State>> =
        forth.iter().map(|(one, other)| (other.clone(), one.clone())).collect();
    let mut counts = Counts(1, 0, 0);
    let mut actions: BTreeMap<ActionId, ActionId> = BTreeMap::new();
    let atoms = u32::try_from(one.signature().atoms.len()).expect("few atoms");
    while let Some((here, there)) = waiting.pop_front() {
        for atom in (0..atoms).map(AtomId) {
            assert_eq!(one.holds(atom, &here), other.holds(atom, &there), "{atom:?}");
        }
        let (mut steps, mut others) = (Steps::new(width), Steps::new(width));
        let results = (one.steps(&here, &mut steps), other.steps(&there, &mut others));
        assert_eq!(results.0, results.1, "faults");
        assert_eq!(steps.len(), others.len(), "the number of steps");
        counts.1 += steps.len();
        counts.2 += usize::from(steps.is_empty());
        for (step, twin) in steps.iter().zip(others.iter()) {
            assert_eq!(step.process, twin.process);
            let known = actions.entry(step.action).or_insert(twin.action);
            assert_eq!(*known, twin.action, "the same action is the same again");
            for (branch, copy) in step.branches().zip(twin.branches()) {
                let pair: (Box<State>, Box<State>) = (branch.target.into(), copy.target.into());
                match (forth.get(&pair.0), back.get(&pair.1)) {
                    (None, None) if counts.0 >= most => {}
                    (None, None) => {
                        forth.insert(pair.0.clone(), pair.1.clone());
                        back.insert(pair.1.clone(), pair.0.clone());
                        waiting.push_back(pair);
                        counts.0 += 1;
                    }
                    (known, known_back) => {
                        assert_eq!((known, known_back), (Some(&pair.1), Some(&pair.0)), "states correspond");
                    }
                }
            }
        }
    }
    counts
}

/// Checks claims, replays every piece of evidence, and gives the outcomes.
pub(crate) fn outcomes(case: &Case, fairness: Fairness) -> Vec<Outcome> {
    let settings = Settings { fairness, ..Settings::default() };
    let report = check_all(&*case.system.model, &case.claims, &settings, &mut |_| {});
    for (claim, outcome) in case.claims.iter().zip(&report.outcomes) {
        let checked = replay_outcome(&*case.system.model, &[], claim, outcome);
        checked.unwrap_or_else(|error| panic!("{}: {error:?}", claim.name));
    }
    report.outcomes
}

/// Names of the claims that hold.
pub(crate) fn holding(case: &Case, fairness: Fairness) -> Vec<String> {
    let outcomes = outcomes(case, fairness);
    assert!(
        outcomes.iter().all(|outcome| matches!(outcome.verdict, Verdict::Holds | Verdict::Fails)),
        "everything is decided: {:?}",
        outcomes.iter().map(|outcome| &outcome.verdict).collect::<Vec<_>>()
    );
    let pairs = case.claims.iter().zip(outcomes);
    pairs
        .filter(|(_, outcome)| outcome.verdict == Verdict::Holds)
        .map(|(claim, _)| claim.name.clone())
        .collect()
}

/// The evidence of a claim as the actions of its run, in words.
pub(crate) fn told_run(case: &Case, name: &str) -> Vec<String> {
    let at = case.claims.iter().position(|claim| claim.name == name).expect("a claim of this name");
    let outcomes = outcomes(case, Fairness::None);
    let evidence = outcomes[at].evidence.as_ref().expect("evidence");
    evidence.run.steps.iter().map(|step| case.system.words.action(step.action)).collect()
}
