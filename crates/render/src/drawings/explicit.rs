//! A model written out state by state, for programs that read nothing else.
//!
//! Everything is numbered in the order in which it was found. Names are letters, digits and underscores, because the
//! property languages of the readers allow nothing else; the words they stand for are in comments. A state without steps
//! gets a step to itself, as a finite run repeats its last state.

mod aut;
mod drn;
mod jani;
mod promela;
mod smv;
mod tra;

use std::collections::BTreeSet;

use motet_model::{Ratio, SubjectId};

pub use aut::aut;
pub use drn::drn;
pub use jani::jani;
pub use promela::{promela_name, promela_states};
pub use smv::{SmvRuns, smv, smv_name};
pub use tra::{ExplicitFile, tra};

/// A model, state by state. Built with [`Explicit::new`], [`Explicit::begin_state`] and [`Explicit::add_choice`].
#[derive(Clone, Debug, Default)]
pub struct Explicit {
    /// What stands in the first comment: the command that wrote it.
    pub command: String,
    /// Names of claims and their formulas over the names used here, for comments.
    pub claims: Vec<(String, String)>,
    /// States in which runs start.
    pub initial: Vec<u32>,
    /// What is true where.
    pub labels: Vec<Label>,
    /// What is earned where.
    pub rewards: Vec<Earned>,
    /// Names of actions, each once.
    actions: Vec<Named>,
    action_names: BTreeSet<String>,
    /// The action of states that stay as they are.
    stays: Option<u32>,
    /// Per state, its first choice; one more entry at the end once all states are there.
    rows: Vec<usize>,
    /// Per choice, its action and its first branch.
    choices: Vec<(u32, usize)>,
    /// Per choice, to whom a run is fair that takes it; nobody of a step that stays.
    subjects: Vec<Option<SubjectId>>,
    /// Targets and chances.
    branches: Vec<(u32, Ratio)>,
    /// States without steps of their own.
    deadlocks: Vec<u32>,
}

/// A name for machines and the words it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Letters, digits, underscores.
    pub name: String,
    /// In the model's vocabulary.
    pub words: String,
}

/// What is true where.
#[derive(Clone, Debug)]
pub struct Label {
    /// What it is called.
    pub named: Named,
    /// In which states, ascending.
    pub states: Vec<u32>,
}

/// What is earned where.
#[derive(Clone, Debug)]
pub struct Earned {
    /// What it is called.
    pub named: Named,
    /// Per state.
    pub states: Vec<Ratio>,
    /// Per choice.
    pub choices: Vec<Ratio>,
}

/// One choice of a state.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'e> {
    /// Its number among all choices.
    pub number: usize,
    /// Its action.
    pub action: &'e Named,
    /// Targets and chances; the chances sum up to 1.
    pub branches: &'e [(u32, Ratio)],
}

impl Explicit {
    /// A model without states, with these atoms and rewards. Both keep their numbers.
    #[must_use]
    pub fn new(command: &str, atoms: &[String], rewards: &[String]) -> Self {
        let mut taken: BTreeSet<String> = ["init", "deadlock"].map(str::to_owned).into();
        let labels = atoms.iter().map(|words| Label { named: name(words, &mut taken), states: Vec::new() });
        let labels: Vec<Label> = labels.collect();
        // JANI keeps labels and rewards among the same variables, so no reward is called like a label.
        let earned = |words: &String| Earned {
            named: name(words, &mut taken),
            states: Vec::new(),
            choices: Vec::new(),
        };
        let rewards = rewards.iter().map(earned).collect();
        Self { command: one_line(command), labels, rewards, ..Self::default() }
    }

    /// The next state: the atoms that hold in it and what it earns per reward. Its choices follow.
    pub fn begin_state(&mut self, holds: impl Fn(usize) -> bool, earns: impl Fn(usize) -> Ratio) {
        let state = number(self.rows.len());
        self.close_state();
        self.rows.push(self.choices.len());
        for (atom, label) in self.labels.iter_mut().enumerate() {
            if holds(atom) {
                label.states.push(state);
            }
        }
        for (reward, earned) in self.rewards.iter_mut().enumerate() {
            earned.states.push(earns(reward));
        }
    }

    /// The next choice of the state: the number of its action, what it earns per reward, and where it leads. Branches with
    /// the same target become one.
    pub fn add_choice(
        &mut self,
        action: u32,
        earns: impl Fn(usize) -> Ratio,
        branches: impl IntoIterator<Item = (u32, Ratio)>,
    ) {
        let first = self.branches.len();
        self.choices.push((action, first));
        self.subjects.push(None);
        for (target, chance) in branches {
            let known = self.branches[first..].iter_mut().find(|(other, _)| *other == target);
            match known.and_then(|(_, sum)| Some((sum.checked_add(chance)?, sum))) {
                Some((total, sum)) => *sum = total,
                None => self.branches.push((target, chance)),
            }
        }
        for (reward, earned) in self.rewards.iter_mut().enumerate() {
            earned.choices.push(earns(reward));
        }
    }

    /// To whom a run is fair that takes the choice that was added last.
    pub fn fair_to(&mut self, subject: SubjectId) {
        if let Some(last) = self.subjects.last_mut() {
            *last = Some(subject);
        }
    }

    /// The number of a new action with these words.
    pub fn add_action(&mut self, words: &str) -> u32 {
        self.actions.push(name(words, &mut self.action_names));
        number(self.actions.len() - 1)
    }

    /// Closes the last state. Writers expect that.
    pub fn finish(&mut self) {
        self.close_state();
        self.rows.push(self.choices.len());
    }

    /// A state without choices stays where it is.
    fn close_state(&mut self) {
        let Some(first) = self.rows.last() else { return };
        if *first < self.choices.len() {
            return;
        }
        let state = number(self.rows.len() - 1);
        self.deadlocks.push(state);
        let action = self.stays.unwrap_or_else(|| self.add_action(STAYS));
        self.stays = Some(action);
        self.add_choice(action, |_| Ratio::ZERO, [(state, Ratio::ONE)]);
    }

    /// How many states there are.
    #[must_use]
    pub fn n_states(&self) -> usize {
        self.rows.len().saturating_sub(1)
    }

    /// How many choices there are.
    #[must_use]
    pub fn n_choices(&self) -> usize {
        self.choices.len()
    }

    /// How many transitions there are, each outcome counted.
    #[must_use]
    pub fn n_transitions(&self) -> usize {
        self.branches.len()
    }

    /// Whether nothing is left to choose: a Markov chain.
    #[must_use]
    pub fn is_chain(&self) -> bool {
        self.choices.len() == self.n_states()
    }

    /// Whether a state has no steps of its own.
    fn is_deadlock(&self, state: usize) -> bool {
        self.deadlocks.binary_search(&number(state)).is_ok()
    }

    /// The choices of a state.
    pub fn choices(&self, state: usize) -> impl ExactSizeIterator<Item = Choice<'_>> {
        (self.rows[state]..self.rows[state + 1]).map(move |number| {
            let (action, first) = self.choices[number];
            let last = self.choices.get(number + 1).map_or(self.branches.len(), |(_, next)| *next);
            Choice { number, action: &self.actions[action as usize], branches: &self.branches[first..last] }
        })
    }

    /// Per state, the names of all that is true in it, `init` and `deadlock` included.
    fn names_of_states(&self) -> Vec<Vec<&str>> {
        let mut names: Vec<Vec<&str>> = vec![Vec::new(); self.n_states()];
        let predefined = [("init", &self.initial), ("deadlock", &self.deadlocks)];
        let own = self.labels.iter().map(|label| (label.named.name.as_str(), &label.states));
        for (name, states) in predefined.into_iter().chain(own) {
            for state in states {
                names[*state as usize].push(name);
            }
        }
        names
    }
}

/// Ascending numbers as stretches, first and last.
fn ranges(states: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    states.chunk_by(|one, next| one + 1 == *next).map(|stretch| (stretch[0], stretch[stretch.len() - 1]))
}

/// The words of the step that a state without steps gets.
const STAYS: &str = "stays as it is";

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 states and actions are written")
}

/// `Bel(ag1, x > 2)` as `Bel_ag1_x_2`: a name that nothing else has.
fn name(words: &str, taken: &mut BTreeSet<String>) -> Named {
    let mut base = String::new();
    for letter in words.chars() {
        if letter.is_ascii_alphanumeric() {
            base.push(letter);
        } else if !base.ends_with('_') {
            base.push('_');
        }
        if base.len() > 60 {
            break;
        }
    }
    let base = base.trim_matches('_');
    let base = if base.starts_with(|first: char| first.is_ascii_alphabetic()) {
        base.to_owned()
    } else {
        format!("it_{base}")
    };
    let mut unique = base.clone();
    let mut count = 2;
    while !taken.insert(unique.clone()) {
        unique = format!("{base}_{count}");
        count += 1;
    }
    Named { name: unique, words: one_line(words) }
}

/// Comments end with their line.
fn one_line(words: &str) -> String {
    words.split(['\n', '\r']).map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A coin that is thrown until it shows heads, with a state behind it that has no step.
    pub(super) fn coin() -> Explicit {
        let half = Ratio::new(1, 2).unwrap();
        let rewards = ["throws so far".to_owned()];
        let mut model =
            Explicit::new("motet export coin", &["heads".to_owned(), "coin > 0".to_owned()], &rewards);
        let throw = model.add_action("throws the coin");
        model.initial = vec![0];
        model.begin_state(|atom| atom == 1, |_| Ratio::ZERO);
        model.add_choice(throw, |_| Ratio::ONE, [(1, half), (0, half)]);
        model.begin_state(|_| true, |_| Ratio::ZERO);
        model.finish();
        model
    }

    #[test]
    fn a_state_without_steps_stays_where_it_is() {
        let model = coin();
        assert_eq!((model.n_states(), model.n_choices(), model.n_transitions()), (2, 2, 3));
        assert!(model.is_chain());
        let choices: Vec<Choice<'_>> = model.choices(1).collect();
        assert_eq!(choices[0].branches, [(1, Ratio::ONE)]);
        assert_eq!(model.names_of_states(), [vec!["init", "coin_0"], vec!["deadlock", "heads", "coin_0"]]);
    }

    #[test]
    fn outcomes_that_lead_to_the_same_state_are_one() {
        let third = Ratio::new(1, 3).unwrap();
        let mut model = Explicit::new("", &[], &[]);
        let action = model.add_action("a");
        model.begin_state(|_| false, |_| Ratio::ZERO);
        model.add_choice(action, |_| Ratio::ZERO, [(0, third), (0, third), (0, third)]);
        model.finish();
        assert_eq!(model.choices(0).next().unwrap().branches, [(0, Ratio::ONE)]);
    }

    #[test]
    fn names_are_legal_and_stay_different() {
        let mut taken: BTreeSet<String> = BTreeSet::new();
        let mut call = |words: &str| name(words, &mut taken).name;
        assert_eq!(call("Bel(ag1, x > 2)"), "Bel_ag1_x_2");
        assert_eq!(call("Bel(ag1, x < 2)"), "Bel_ag1_x_2_2");
        assert_eq!(call("\"Die See ist ruhig\""), "Die_See_ist_ruhig");
        assert_eq!(call("4 < 5"), "it_4_5");
        assert_eq!(call("ž"), "it_");
    }
}
