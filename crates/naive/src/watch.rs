//! What is known of a formula after the first states of a run, by looking at what may follow: a model whose runs begin with
//! those states and go on with any states at all.

use motet_evidence::Fairness;
use motet_model::{AtomId, TimeUnit};
use motet_property::Path;

use crate::Graph;
use crate::course::courses;
use crate::ltl::some_run;
use crate::random::{Shape, Table};

/// The first states of a run, by the truth of all atoms in each, and how long each state lasts, also those to come.
#[derive(Clone, Debug)]
pub struct Beginning {
    /// Per state, per atom. At least one.
    pub letters: Vec<Vec<bool>>,
    /// How long a state lasts.
    pub delay: u32,
    /// What time is counted in.
    pub unit: TimeUnit,
}

/// Which continuations there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Continuations {
    /// Some satisfy the formula.
    pub satisfy: bool,
    /// Some do not.
    pub violate: bool,
}

impl Beginning {
    /// The model of all continuations: state `i` is the `i`-th of the beginning, and behind those there is one for every
    /// letter.
    fn model(&self) -> Table {
        let (n, n_atoms) = (self.letters.len(), self.letters[0].len());
        let n_states = n + (1 << n_atoms);
        let mut table = Table::new(Shape { n_states, n_processes: 1, n_atoms });
        table.signature.unit = self.unit;
        for state in 0..n_states {
            let targets = if state + 1 < n { state + 1..state + 2 } else { n..n_states };
            targets.for_each(|target| table.step_after(state, 0, target, self.delay));
            for (atom, column) in table.atoms.iter_mut().enumerate() {
                column[state] = self
                    .letters
                    .get(state)
                    .map_or((state.wrapping_sub(n)) >> atom & 1 == 1, |letter| letter[atom]);
            }
        }
        table
    }

    /// All continuations, by guessing. `None` if the formula is too large or speaks of time or the past.
    #[must_use]
    pub fn all_continuations(&self, path: &Path<AtomId>) -> Option<Continuations> {
        let table = self.model();
        let graph = Graph::of(&table).expect("no faults");
        let some = |path: &Path<AtomId>| some_run(&table, &graph, path, Fairness::None);
        Some(Continuations { satisfy: some(path)?, violate: some(&Path::Not(Box::new(path.clone())))? })
    }

    /// The continuations that go round after at most `n_steps` further states, one by one.
    #[must_use]
    pub fn short_continuations(&self, path: &Path<AtomId>, n_steps: usize) -> Continuations {
        let table = self.model();
        let graph = Graph::of(&table).expect("no faults");
        let mut found = Continuations { satisfy: false, violate: false };
        for course in courses(&graph, self.letters.len() - 1 + n_steps, Fairness::None) {
            if course.satisfies(&table, &graph, &[path])[0] {
                found.satisfy = true;
            } else {
                found.violate = true;
            }
            if found.satisfy && found.violate {
                break;
            }
        }
        found
    }
}
