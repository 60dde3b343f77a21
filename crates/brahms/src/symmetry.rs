//! Agents and objects that can change places: `find` says who, `belongings` with what, `places` where states speak of them.
//!
//! At an instant actors take their turns in the order of declaration, so a run in which two have changed places may pass through
//! the moments of an instant in another order, or stop there more or less often. Between instants it is the same.

mod belongings;
pub(crate) mod conduct;
mod find;
mod naming;
mod places;
mod portraits;
pub(crate) mod swap;

use motet_model::{AtomId, Kind, Obstacle, State, Symmetry};

use crate::atoms::Predicate;
use crate::program::Program;
use crate::semantics::Semantics;
use crate::semantics::layout::Layout;
use belongings::Member;
use places::Places;
use swap::Swap;

/// Who is interchangeable in a model, and where they are in its states.
#[derive(Debug)]
pub(crate) struct Likeness {
    kinds: Vec<Kind>,
    obstacles: Vec<Obstacle>,
    places: Vec<Places>,
    members: Vec<Vec<Member>>,
}

impl Likeness {
    /// Finds out.
    pub(crate) fn of(program: &Program, layout: &Layout, predicates: &[Predicate]) -> Self {
        let found = find::find(program, predicates);
        let mut likeness =
            Self { kinds: Vec::new(), obstacles: found.obstacles, places: Vec::new(), members: Vec::new() };
        for (kind, members) in found.kinds.into_iter().zip(found.members) {
            match Places::new(program, layout, &members) {
                Some(places) => {
                    likeness.kinds.push(kind);
                    likeness.places.push(places);
                    likeness.members.push(members);
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
        self.likeness().places[kind].portraits(self, &[member], state, out, &mut Vec::new());
    }

    fn portraits(
        &self,
        kind: usize,
        members: &[usize],
        state: &State,
        out: &mut Vec<u32>,
        ends: &mut Vec<usize>,
    ) {
        self.likeness().places[kind].portraits(self, members, state, out, ends);
    }

    fn permute(&self, kind: usize, from: &[usize], state: &mut Vec<u32>) {
        self.likeness().places[kind].permute(self, from, state);
    }

    fn image(&self, kind: usize, (one, two): (usize, usize), atom: AtomId) -> Option<AtomId> {
        let members = &self.likeness().members[kind];
        let swap = Swap::new(&self.program, &members[one], &members[two])?;
        let image = naming::image(&swap, &self.atoms[atom.index()])?;
        if image == self.atoms[atom.index()] {
            return Some(atom);
        }
        let same = self.atoms.iter().position(|known| *known == image)?;
        u32::try_from(same).ok().map(AtomId)
    }

    fn is_settled(&self, kind: usize, state: &State) -> bool {
        self.likeness().places[kind].is_settled(state)
    }

    fn repeats(&self) -> bool {
        true
    }
}
