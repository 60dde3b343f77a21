//! Nested predicate/transition nets for multi-agent systems, as a front-end: nets whose tokens carry data and other nets.
//!
//! `parse` reads a text into the tree of [`syntax`]; `construct` weaves aspects and expands roles there; `resolve` makes the
//! numbered [`program`] of it. `semantics` fires transitions over the [`value`]s; `atoms` says what claims mean in a marking;
//! `words` and `review` tell a user what happens. Nets of black tokens that come from elsewhere are those of [`plain`].

mod atoms;
mod codes;
pub mod construct;
mod fired;
mod lexer;
mod lexicon;
pub mod parse;
pub mod plain;
pub mod print;
pub mod program;
mod project;
mod promela;
pub mod resolve;
mod review;
mod semantics;
pub mod skeleton;
mod slice;
pub mod syntax;
pub mod tables;
pub mod value;
mod words;

pub use codes::CODES;

use std::sync::Arc;

use motet_model::{AtomText, Draft, Haste, Language, Options, Slice, Summary, System, Vocabulary};
use motet_source::{Problems, Sources, Spanned};

use crate::program::PlaceKind;
use crate::project::Model;
use crate::semantics::memo::Memory;
use crate::semantics::system::{self, Setup};

/// Nested nets as a language of Motet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nets;

/// The model of a text as [`Nets`] builds it, except that every step is worked out anew: it keeps nothing of earlier steps,
/// computes all expressions from their trees and tries all tokens. It is slow, and there to be compared with.
pub fn afresh(
    resolved: &resolve::Resolved,
    atoms: &[Spanned<AtomText>],
    problems: &mut Problems,
) -> Option<Arc<dyn motet_model::Model + Send + Sync>> {
    let place = resolved.program.nets[resolved.program.system.0 as usize].span;
    let (fairness, summary) = (semantics::subjects::Fairness::Mode, Summary::default());
    let setup = Setup { resolved, fairness, memory: Memory::None, place, summary };
    Some(system::semantics(&setup, atoms, problems)?)
}

impl Language for Nets {
    fn name(&self) -> &'static str {
        "nets"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &project::EXTENSIONS
    }

    fn read(&self, sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Box<dyn Draft>> {
        let model = project::read(sources, options, problems)?;
        let vocabulary = lexicon::vocabulary(&model.resolved);
        let bound = options.parameters.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        Some(Box::new(Reading { model, vocabulary, bound }))
    }
}

/// A model that was read.
struct Reading {
    model: Model,
    vocabulary: Vocabulary,
    /// What `-D` has bound.
    bound: Vec<(String, String)>,
}

impl Reading {
    fn setup<'a>(&self, resolved: &'a resolve::Resolved) -> Setup<'a> {
        let Model { fairness, place, .. } = &self.model;
        Setup { resolved, fairness: *fairness, memory: Memory::Kept, place: *place, summary: self.summary() }
    }

    /// `4 agent nets`, `36 places`, `38 transitions`
    fn summary(&self) -> Summary {
        let count = |number: usize, one: &str, many: &str| {
            if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
        };
        let nets = &self.model.resolved.program.nets;
        let places = nets.iter().flat_map(|net| &net.places);
        let places = places.filter(|place| place.kind != PlaceKind::Limit).count();
        let transitions = nets.iter().map(|net| net.transitions.len()).sum();
        let facts = vec![
            count(nets.len() - 1, "agent net", "agent nets"),
            count(places, "place", "places"),
            count(transitions, "transition", "transitions"),
        ];
        Summary {
            language: "nested nets".to_owned(),
            facts,
            parameters: self.bound.clone(),
            fair: false,
            narrowing: Vec::new(),
        }
    }
}

impl Draft for Reading {
    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn system(&self, atoms: &[Spanned<AtomText>], problems: &mut Problems) -> Option<System> {
        system::system(self.setup(&self.model.resolved), atoms, problems)
    }

    fn slice(&self, atoms: &[Spanned<AtomText>]) -> Option<Slice> {
        let mut problems = Problems::new();
        let predicates = atoms::resolve(atoms, &self.model.resolved, &mut problems)?;
        let (program, left_out) = slice::slice(&self.model.resolved.program, &predicates)?;
        let resolved = resolve::Resolved { program, ..self.model.resolved.clone() };
        let system = system::system(self.setup(&resolved), atoms, &mut problems)?;
        Some(Slice { system, left_out, haste: Haste::Delayed })
    }
}
