//! The Brahms front-end: models of how people, agents and robots work together (Sierhuis 2001; Stocker 2013), simulated and
//! checked.
//!
//! [`project`] finds the files of a model, [`parse`] reads them into the trees of [`syntax`], `resolve` makes the numbered
//! [`program`] of them, with what `settings` and the `sidecar` set from outside. `semantics` runs a program; `atoms` says what
//! claims mean in its states; `slice` leaves out what a claim does not need; `symmetry` finds
//! out who can change places; `words` and `review` tell a user what happens; `promela` translates.

mod atoms;
mod codes;
mod lexer;
mod lexicon;
pub mod parse;
mod parts;
pub mod program;
pub mod project;
mod promela;
mod resolve;
mod review;
mod semantics;
mod settings;
mod sidecar;
mod slice;
mod symmetry;
pub mod syntax;
mod words;

pub use codes::CODES;
pub use promela::EXPORT_CODES;

use std::sync::Arc;

use motet_model::{AtomText, Draft, Haste, Language, Model, Options, Slice, Summary, System, Vocabulary};
use motet_source::{Problems, Sources, Spanned};

use crate::program::{EntityKind, Program};
use crate::promela::Promela;
use crate::semantics::Semantics;
use crate::words::Teller;

/// Brahms as a language of Motet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Brahms;

/// The model of a program as [`Brahms`] builds it, except that every step is worked out anew: it keeps nothing of earlier
/// steps. It is slow, and there to be compared with.
pub fn afresh(
    program: &Program,
    atoms: &[Spanned<AtomText>],
    problems: &mut Problems,
) -> Option<Arc<dyn Model>> {
    Some(Arc::new(Semantics::of(program, atoms, &[], problems)?.forgetful()))
}

impl Language for Brahms {
    fn name(&self) -> &'static str {
        "Brahms"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["b"]
    }

    fn read(&self, sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Box<dyn Draft>> {
        let program = project::read(sources, options, problems)?;
        let bound = options.parameters.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let vocabulary = lexicon::vocabulary(&program);
        Some(Box::new(Reading { program, sources: Arc::new(sources.clone()), vocabulary, bound }))
    }
}

/// A model that was read.
struct Reading {
    program: Program,
    sources: Arc<Sources>,
    vocabulary: Vocabulary,
    /// What `-D` has bound.
    bound: Vec<(String, String)>,
}

impl Reading {
    /// `12 agents`, `2 objects`, `clock 1 s`
    fn summary(&self) -> Summary {
        let count = |kinds: &[EntityKind], one: &str, many: &str| {
            let there = self.program.entities.iter().filter(|entity| entity.exists);
            match there.filter(|entity| kinds.contains(&entity.kind)).count() {
                0 => None,
                1 => Some(format!("1 {one}")),
                more => Some(format!("{more} {many}")),
            }
        };
        let mut facts = Vec::new();
        facts.extend(count(&[EntityKind::Agent, EntityKind::ExternalAgent], "agent", "agents"));
        facts.extend(count(&[EntityKind::Object], "object", "objects"));
        facts.push("clock 1 s".to_owned());
        Summary {
            language: "Brahms".to_owned(),
            facts,
            parameters: self.bound.clone(),
            fair: false,
            narrowing: semantics::narrow::narrowing(&self.program.rules),
        }
    }

    /// The model with everything around it.
    fn built(&self, semantics: Semantics, atoms: &[Spanned<AtomText>]) -> System {
        let semantics = Arc::new(semantics);
        let texts: Vec<String> = atoms.iter().map(|atom| atom.node.to_string()).collect();
        let export = Arc::new(Promela::new(&semantics, &texts));
        let teller =
            Arc::new(Teller { semantics: Arc::clone(&semantics), sources: Arc::clone(&self.sources) });
        let (words, review) = (Arc::clone(&teller), teller);
        System { model: semantics, words, review, export, summary: self.summary() }
    }
}

impl Draft for Reading {
    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn system(&self, atoms: &[Spanned<AtomText>], problems: &mut Problems) -> Option<System> {
        self.system_observed(atoms, &[], problems)
    }

    fn system_observed(
        &self,
        atoms: &[Spanned<AtomText>],
        observers: &[String],
        problems: &mut Problems,
    ) -> Option<System> {
        self.system_earning(atoms, observers, &[], problems)
    }

    fn system_earning(
        &self,
        atoms: &[Spanned<AtomText>],
        observers: &[String],
        rewards: &[Option<String>],
        problems: &mut Problems,
    ) -> Option<System> {
        let semantics = Semantics::of(&self.program, atoms, rewards, problems)?.observed(observers);
        Some(self.built(semantics, atoms))
    }

    fn slice(&self, atoms: &[Spanned<AtomText>]) -> Option<Slice> {
        let mut whole = self.program.clone();
        semantics::writes::complete_keys(&mut whole);
        let mut problems = Problems::new();
        let predicates = atoms::resolve(&whole, atoms, &mut problems)?;
        let (rest, left_out) = slice::slice(&whole, &predicates)?;
        let semantics = Semantics::of(&rest, atoms, &[], &mut problems)?;
        Some(Slice { system: self.built(semantics, atoms), left_out, haste: Haste::Kept })
    }
}
