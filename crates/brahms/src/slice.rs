//! What a claim does not need: frames that change nothing it looks at, nor anything that decides about what it looks at.
//!
//! The cone of influence (Clarke, Grumberg and Peled 1999, section 13.2), with what is particular to Brahms: a message carries
//! the belief of another, a detectable turns a fact into a belief, and work takes its actor's time. Work that is being done
//! keeps other work waiting unless that is more than 0.3 more urgent, so whoever needs a workframe needs all work of the same
//! actor that is not clearly less urgent. Less urgent work is interrupted at once and delays nothing; thoughts take no time.
//!
//! The frames that are left start, end and have their effects at the same instants and in the same order as in the whole model:
//! who has nothing to do with them takes turns between theirs, and what changes there concerns none of them
//! (`spec/brahms/slices.md`). Actors, entities and slots stay, with nothing to do.

mod activities;
mod blocks;
mod cone;
mod effects;
mod rest;
mod things;

pub(crate) use things::Thing;

use crate::atoms::Predicate;
use crate::program::{KeyId, Program};
use crate::semantics::reach::Reach;

/// The program without what these predicates do not need, and what that is in words; `None` if they need everything. The keys
/// of the program are complete.
pub(crate) fn slice(program: &Program, predicates: &[Predicate]) -> Option<(Program, Vec<String>)> {
    let inquiry = Inquiry { program, reach: Reach { program }, predicates };
    let cone = cone::Cone::of(&inquiry);
    let rest = inquiry.rest(&cone);
    let left_out = inquiry.left_out(&cone, &rest);
    (!left_out.is_empty()).then_some((rest, left_out))
}

/// Whether what a store holds for a key may have an influence on the truth of some predicates.
pub(crate) fn needed(program: &Program, predicates: &[Predicate]) -> impl Fn(usize, KeyId) -> bool + use<> {
    let cone = cone::Cone::of(&Inquiry { program, reach: Reach { program }, predicates });
    move |store, key| cone.needed.wants(Thing::Value(store, key))
}

/// What is asked about a program.
#[derive(Clone, Copy)]
pub(crate) struct Inquiry<'p> {
    pub(crate) program: &'p Program,
    reach: Reach<'p>,
    predicates: &'p [Predicate],
}

impl<'p> Inquiry<'p> {
    /// About a program without regard to claims.
    pub(crate) fn new(program: &'p Program) -> Self {
        Self { program, reach: Reach { program }, predicates: &[] }
    }
}
