//! A bench for small projects: reads them, explores them inside [`Checked`], and solves them with plain iteration.

// Every test binary compiles this file and uses a part of it.
#![allow(dead_code)]

use std::sync::Arc;

use motet_model::{
    ActionId, AtomId, AtomText, Checked, Expr, Language as _, Model, Options, Ratio, RewardId, State, Steps,
    System, TimeUnit,
};
use motet_senglish::SEnglish;
use motet_source::{FileId, Problems, Sources, Span, Spanned};

/// A project from names and texts.
pub(crate) fn sources(files: &[(&str, &str)]) -> Sources {
    let mut sources = Sources::new();
    for (path, text) in files {
        sources.add(*path, *text);
    }
    sources
}

/// The codes of all problems, sorted.
pub(crate) fn codes(files: &[(&str, &str)], options: &Options) -> Vec<&'static str> {
    let mut problems = Problems::new();
    SEnglish.read(&sources(files), options, &mut problems);
    let mut codes: Vec<&str> = problems.iter().map(|problem| problem.code).collect();
    codes.sort_unstable();
    codes
}

/// A sentence as an atom.
pub(crate) fn held(text: &str) -> AtomText {
    AtomText::Fact(Expr::Text(text.to_owned()))
}

/// The system of a project that has no problems.
pub(crate) fn system(files: &[(&str, &str)], options: &Options, atoms: &[AtomText]) -> System {
    let sources = sources(files);
    let mut problems = Problems::new();
    let draft = SEnglish.read(&sources, options, &mut problems);
    let draft = draft.unwrap_or_else(|| panic!("{}", problems.lines(&sources)));
    let span = Span::new(FileId(0), 0, 0);
    let atoms: Vec<_> = atoms.iter().map(|atom| Spanned::new(atom.clone(), span)).collect();
    let system = draft.system(&atoms, &mut problems);
    system.unwrap_or_else(|| panic!("{}", problems.lines(&sources)))
}

/// The problems of atoms.
pub(crate) fn atom_problems(files: &[(&str, &str)], atom: AtomText) -> Vec<(&'static str, String, String)> {
    let sources = sources(files);
    let mut problems = Problems::new();
    let draft = SEnglish.read(&sources, &Options::default(), &mut problems).expect("the project is sound");
    let mut problems = Problems::new();
    draft.system(&[Spanned::new(atom, Span::new(FileId(0), 0, 0))], &mut problems);
    problems.iter().map(|problem| (problem.code, problem.message.clone(), problem.help.clone())).collect()
}

/// The action of a choice, and its outcomes.
pub(crate) type Row = (ActionId, Vec<(Ratio, usize)>);

/// An explored model: per state its choices, per choice its action and outcomes.
pub(crate) struct Graph {
    pub(crate) model: Checked<Arc<dyn Model + Send + Sync>>,
    pub(crate) states: Vec<Box<State>>,
    pub(crate) rows: Vec<Vec<Row>>,
}

/// Explores everything.
pub(crate) fn explore(system: &System) -> Graph {
    let model = Checked::new(Arc::clone(&system.model));
    let mut states = Vec::new();
    model.initial(&mut states);
    let mut numbers: rustc_hash::FxHashMap<Box<State>, usize> =
        states.iter().enumerate().map(|(number, state)| (state.clone(), number)).collect();
    let mut rows = Vec::new();
    let mut steps = Steps::new(model.signature().slots.len());
    while rows.len() < states.len() {
        assert!(states.len() < 1_000_000, "the model of a test is small");
        steps.clear();
        model.steps(&states[rows.len()].clone(), &mut steps).expect("no bound is exceeded");
        let mut row = Vec::new();
        for step in steps.iter() {
            let cycle = model.signature().unit != TimeUnit::Cycles || step.delay == 1;
            assert!(cycle, "a step is a cycle");
            let outcomes = step.branches().map(|branch| {
                let number = *numbers.entry(branch.target.into()).or_insert_with(|| {
                    states.push(branch.target.into());
                    states.len() - 1
                });
                (branch.chance, number)
            });
            row.push((step.action, outcomes.collect()));
        }
        rows.push(row);
    }
    Graph { model, states, rows }
}

impl Graph {
    /// How many choices there are.
    pub(crate) fn choices(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// The chance that an atom holds within so many cycles, with the best choices by `pick`.
    pub(crate) fn within(&self, cycles: usize, goal: AtomId, pick: fn(f64, f64) -> f64) -> f64 {
        let is_goal: Vec<bool> = self.states.iter().map(|state| self.model.holds(goal, state)).collect();
        let mut values: Vec<f64> = is_goal.iter().map(|goal| f64::from(*goal)).collect();
        for _ in 0..cycles {
            let next = |state: usize| {
                if is_goal[state] {
                    return 1.0;
                }
                let value = |outcomes: &[(Ratio, usize)]| {
                    outcomes.iter().map(|(chance, target)| chance.to_f64() * values[*target]).sum::<f64>()
                };
                self.rows[state].iter().map(|(_, outcomes)| value(outcomes)).reduce(pick).unwrap_or(0.0)
            };
            values = (0..values.len()).map(next).collect();
        }
        values[0]
    }

    /// What is earned on average until an atom holds, by plain iteration for so many cycles.
    pub(crate) fn earned(
        &self,
        reward: RewardId,
        goal: AtomId,
        cycles: usize,
        pick: fn(f64, f64) -> f64,
    ) -> f64 {
        let is_goal: Vec<bool> = self.states.iter().map(|state| self.model.holds(goal, state)).collect();
        let amounts: Vec<(f64, Vec<f64>)> = self
            .states
            .iter()
            .zip(&self.rows)
            .map(|(state, row)| {
                let of =
                    |(action, _): &Row| self.model.facets().action_reward(reward, state, *action).to_f64();
                (self.model.facets().state_reward(reward, state).to_f64(), row.iter().map(of).collect())
            })
            .collect();
        let mut values = vec![0.0; self.states.len()];
        for _ in 0..cycles {
            let next = |state: usize| {
                if is_goal[state] {
                    return 0.0;
                }
                let (own, of_actions) = &amounts[state];
                let choices = self.rows[state].iter().zip(of_actions).map(|((_, outcomes), amount)| {
                    let ahead: f64 =
                        outcomes.iter().map(|(chance, target)| chance.to_f64() * values[*target]).sum();
                    own + amount + ahead
                });
                choices.reduce(pick).unwrap_or(0.0)
            };
            values = (0..values.len()).map(next).collect();
        }
        values[0]
    }

    /// The distribution of the states after so many cycles of a model without choices, as the chance of an atom.
    pub(crate) fn at(&self, cycle: usize, goal: AtomId) -> f64 {
        let mut now = vec![0.0; self.states.len()];
        now[0] = 1.0;
        for _ in 0..cycle {
            let mut next = vec![0.0; self.states.len()];
            for (state, chance) in now.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                assert_eq!(self.rows[state].len(), 1, "a chain has no choices");
                for (share, target) in &self.rows[state][0].1 {
                    next[*target] += chance * share.to_f64();
                }
            }
            now = next;
        }
        let held = now.iter().enumerate().filter(|(state, _)| self.model.holds(goal, &self.states[*state]));
        held.map(|(_, chance)| chance).sum()
    }
}

/// Whether two numbers are the same up to rounding.
#[track_caller]
pub(crate) fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9, "found {found}, wanted {wanted}");
}
