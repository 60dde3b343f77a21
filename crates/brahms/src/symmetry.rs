//! Agents and objects that can change places: `find` says who, `places` where states speak of them.
//!
//! At an instant actors take their turns in the order of declaration, so a run in which two have changed places may pass through
//! the moments of an instant in another order, or stop there more or less often. Between instants it is the same.

mod conduct;
mod find;
mod places;
mod swap;

use motet_model::{AtomId, Kind, Obstacle, State, Symmetry};

use crate::atoms::Predicate;
use crate::program::Program;
use crate::semantics::Semantics;
use crate::semantics::layout::Layout;
use places::Places;

/// Who is interchangeable in a model, and where they are in its states.
#[derive(Debug)]
pub(crate) struct Likeness {
    kinds: Vec<Kind>,
    obstacles: Vec<Obstacle>,
    places: Vec<Places>,
}

impl Likeness {
    /// Finds out.
    pub(crate) fn of(program: &Program, layout: &Layout, predicates: &[Predicate]) -> Self {
        let found = find::find(program, predicates);
        let mut likeness = Self { kinds: Vec::new(), obstacles: found.obstacles, places: Vec::new() };
        for (kind, actors) in found.kinds.into_iter().zip(&found.members) {
            match Places::new(program, layout, actors) {
                Some(places) => {
                    likeness.kinds.push(kind);
                    likeness.places.push(places);
                }
                None => likeness.obstacles.push(Obstacle {
                    name: kind.name,
                    reason: "states do not say the same of all of them".to_owned(),
                }),
            }
        }
        likeness
    }
}

impl Symmetry for Semantics {
    fn kinds(&self) -> &[Kind] {
        &self.likeness().kinds
    }

    fn obstacles(&self) -> &[Obstacle] {
        &self.likeness().obstacles
    }

    fn portrait(&self, kind: usize, member: usize, state: &State, out: &mut Vec<u32>) {
        self.likeness().places[kind].portrait(self, member, state, out);
    }

    fn permute(&self, kind: usize, from: &[usize], state: &mut Vec<u32>) {
        self.likeness().places[kind].permute(self, from, state);
    }

    /// Members are those that no atom speaks of.
    fn image(&self, _: usize, _: (usize, usize), atom: AtomId) -> Option<AtomId> {
        Some(atom)
    }

    fn is_settled(&self, kind: usize, state: &State) -> bool {
        self.likeness().places[kind].is_settled(state)
    }

    fn repeats(&self) -> bool {
        true
    }
}
