//! The PRISM language (Kwiatkowska, Norman and Parker 2011): guarded commands with chance, as a front-end.
//!
//! [`parse`] reads a file into the tree of [`syntax`], `resolve` makes the numbered `program` of it, with its expressions
//! compiled (`expr`, `fold`) over exact numbers (`number`). `semantics` runs a program; `atoms` says what claims mean in its
//! states; `words` and `review` tell a user what happens; `print` writes the tree back and `export` hands it on.

mod atoms;
mod codes;
mod export;
mod expr;
mod fold;
mod lexer;
mod lexicon;
mod nearest;
mod number;
pub mod parse;
mod parts;
mod print;
mod program;
mod project;
mod resolve;
mod review;
mod semantics;
mod slice;
mod symmetry;
pub mod syntax;
mod words;

pub use codes::CODES;

use std::collections::BTreeMap;
use std::sync::Arc;

use motet_model::{AtomText, Draft, Haste, Language, Options, Slice, Summary, System, Vocabulary};
use motet_source::{Problems, Sources, Span, Spanned};

use crate::atoms::{Meant, Predicate};
use crate::export::Printed;
use crate::expr::Test;
use crate::program::Program;
use crate::resolve::Resolved;
use crate::semantics::Semantics;
use crate::syntax::{ModelKind, Text};
use crate::words::Teller;

/// PRISM as a language of Motet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prism;

/// The tree as text, in canonical layout.
#[must_use]
pub fn format(text: &Text) -> String {
    print::text(text, &BTreeMap::new())
}

impl Language for Prism {
    fn name(&self) -> &'static str {
        "PRISM"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["prism", "pm", "nm", "sm"]
    }

    fn read(&self, sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Box<dyn Draft>> {
        let (text, resolved, place) = project::read(sources, options, problems)?;
        let vocabulary = lexicon::vocabulary(&resolved);
        let bound = options.parameters.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let sources = Arc::new(sources.clone());
        Some(Box::new(Reading { text: Arc::new(text), resolved, sources, vocabulary, bound, place }))
    }
}

/// A model that was read.
struct Reading {
    text: Arc<Text>,
    resolved: Resolved,
    sources: Arc<Sources>,
    vocabulary: Vocabulary,
    /// What `-D` has bound.
    bound: Vec<(String, String)>,
    /// The model's type, or the start of its file.
    place: Span,
}

impl Reading {
    /// `MDP`, `3 modules`, `5 variables`
    fn summary(&self) -> Summary {
        let count = |number: usize, one: &str, many: &str| {
            if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
        };
        let program = &self.resolved.program;
        let kind = match program.kind {
            ModelKind::Dtmc => "DTMC",
            ModelKind::Mdp => "MDP",
        };
        let facts = vec![
            kind.to_owned(),
            count(program.modules.len(), "module", "modules"),
            count(program.variables.len(), "variable", "variables"),
        ];
        Summary {
            language: "PRISM".to_owned(),
            facts,
            parameters: self.bound.clone(),
            fair: false,
            narrowing: Vec::new(),
        }
    }
}

impl Reading {
    fn built(
        &self,
        program: Program,
        atoms: &[Spanned<AtomText>],
        resolved: Vec<(Meant, Predicate)>,
    ) -> System {
        let (meant, predicates): (Vec<_>, Vec<_>) = resolved.into_iter().unzip();
        let names = atoms.iter().map(|atom| atom.node.to_string());
        let predicates = names.zip(predicates).collect();
        let semantics = Arc::new(Semantics::new(program, predicates, &self.sources));
        let export = Arc::new(Printed {
            semantics: Arc::clone(&semantics),
            text: Arc::clone(&self.text),
            atoms: meant,
            bound: self.bound.clone(),
            place: self.place,
        });
        let teller = Arc::new(Teller { semantics: Arc::clone(&semantics) });
        let (words, review) = (Arc::clone(&teller), teller);
        System { model: semantics, words, review, export, summary: self.summary() }
    }
}

impl Draft for Reading {
    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn system(&self, atoms: &[Spanned<AtomText>], problems: &mut Problems) -> Option<System> {
        let resolved = atoms::resolve(atoms, &self.resolved.scope, problems)?;
        Some(self.built(self.resolved.program.clone(), atoms, resolved))
    }

    fn slice(&self, atoms: &[Spanned<AtomText>]) -> Option<Slice> {
        let resolved = atoms::resolve(atoms, &self.resolved.scope, &mut Problems::new())?;
        let test = |(_, predicate): &(Meant, Predicate)| match predicate {
            Predicate::Test(test) => Some(test.clone()),
            Predicate::Initial | Predicate::Deadlock => None,
        };
        let tests: Vec<Test> = resolved.iter().map(test).collect::<Option<_>>()?;
        let (program, left_out) = slice::slice(&self.resolved.program, &tests)?;
        Some(Slice { system: self.built(program, atoms, resolved), left_out, haste: Haste::Delayed })
    }
}
