//! Members of a team that can change places.

use crate::{AtomId, RewardId, State};

/// What an engine may know of a model's interchangeable members: whenever two of a kind change places in every state of a
/// run, the result is a run again, with the same delays and chances. Optional: see [`crate::Facets`].
pub trait Symmetry: Sync {
    /// The kinds, each with at least two members.
    fn kinds(&self) -> &[Kind];

    /// What looks like a kind and is none, with the reason.
    fn obstacles(&self) -> &[Obstacle] {
        &[]
    }

    /// Appends what a state says of one member. Members that a state tells apart have different portraits where that is
    /// cheap to find out; a member that takes another's place takes its portrait along.
    fn portrait(&self, kind: usize, member: usize, state: &State, out: &mut Vec<u32>);

    /// Appends the portraits of several members, one after the other, and where each ends.
    fn portraits(
        &self,
        kind: usize,
        members: &[usize],
        state: &State,
        out: &mut Vec<u32>,
        ends: &mut Vec<usize>,
    ) {
        for &member in members {
            self.portrait(kind, member, state, out);
            ends.push(out.len());
        }
    }

    /// Lets members change places: afterwards member `number` is what `from[number]` was before.
    fn permute(&self, kind: usize, from: &[usize], state: &mut Vec<u32>);

    /// What an atom says once two members have changed places: it holds after the change exactly where `atom` held before.
    /// `None` if that is no atom of the model, which then tells the two apart.
    fn image(&self, kind: usize, swapped: (usize, usize), atom: AtomId) -> Option<AtomId>;

    /// Whether members can change places in this state; a model may have moments in which their order counts.
    fn is_settled(&self, _kind: usize, _state: &State) -> bool {
        true
    }

    /// Whether a run may pass through a state more or less often, without time passing, once members have changed places.
    fn repeats(&self) -> bool {
        false
    }

    /// Whether steps keep their subjects ([`crate::Subjects`]) when members of a kind change places, as they do where
    /// one process moves for all. Otherwise fairness tells members apart.
    fn keeps_subjects(&self, _kind: usize) -> bool {
        false
    }

    /// Whether states and steps earn as much of a reward after members of a kind have changed places.
    fn keeps_reward(&self, _kind: usize, _reward: RewardId) -> bool {
        false
    }
}

/// A kind of interchangeable members, in the user's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// `Patient`.
    pub name: String,
    /// `Patient_one`, `Patient_two`.
    pub members: Vec<String>,
    /// What changes places with each of them: `Bed`.
    pub with: Vec<String>,
}

impl Kind {
    /// A kind of members that have no word for what they are in common: it is what their names have in common.
    #[must_use]
    pub fn of_members(members: Vec<String>) -> Self {
        Self { name: common(&members), members, with: Vec::new() }
    }
}

/// What names have in common at their beginning, without numbers; the first of them if that is nothing.
fn common(names: &[String]) -> String {
    let first = names.first().cloned().unwrap_or_default();
    let length = (0..=first.len()).rev().find(|length| {
        first.is_char_boundary(*length) && names.iter().all(|name| name.starts_with(&first[..*length]))
    });
    let shared = first[..length.unwrap_or(0)].trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    if shared.is_empty() { first } else { shared.to_owned() }
}

/// Why members are not interchangeable, in the user's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The kind they would be: `Patient`.
    pub name: String,
    /// `the initial beliefs of Patient1 and Patient2 differ`.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_named_by_what_the_names_of_its_members_have_in_common() {
        let name = |names: &[&str]| Kind::of_members(names.iter().map(ToString::to_string).collect()).name;
        assert_eq!(name(&["worker1", "worker2", "worker10"]), "worker");
        assert_eq!(name(&["p_1", "p_2"]), "p");
        assert_eq!(name(&["ann", "bob"]), "ann");
    }
}
