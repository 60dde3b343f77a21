//! Members of a team that can change places.

use crate::{AtomId, State};

/// What an engine may know of a model's interchangeable members: whenever two of a kind change places in every state of a
/// run, the result is a run again. Optional: see [`crate::Model::symmetry`].
pub trait Symmetry: Sync {
    /// The kinds, each with at least two members.
    fn kinds(&self) -> &[Kind];

    /// Appends what a state says of one member. Members that a state tells apart have different portraits where that is
    /// cheap to find out; a member that takes another's place takes its portrait along.
    fn portrait(&self, kind: usize, member: usize, state: &State, out: &mut Vec<u32>);

    /// Lets members change places: afterwards member `number` is what `from[number]` was before.
    fn permute(&self, kind: usize, from: &[usize], state: &mut Vec<u32>);

    /// What an atom says once two members have changed places: it holds after the change exactly where `atom` held before.
    /// `None` if that is no atom of the model, which then tells the two apart.
    fn image(&self, kind: usize, swapped: (usize, usize), atom: AtomId) -> Option<AtomId>;
}

/// A kind of interchangeable members, in the user's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// `Patient`.
    pub name: String,
    /// `Patient_one`, `Patient_two`.
    pub members: Vec<String>,
}
