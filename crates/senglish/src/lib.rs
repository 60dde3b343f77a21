//! LISA agents written in sEnglish (Izzo 2016): natural-language reasoning with chances, simulated and checked.
//!
//! [`project`] finds the files of every agent, [`parse`] reads them into the trees of [`syntax`], `resolve` makes the numbered
//! [`program`] of them. `semantics` runs a program cycle by cycle; `atoms` says what claims mean in its states; `words` tells a
//! user what happens; `prism` translates. `actor` lets the agents act in the world, and `world` behaves as the model says.

mod actor;
mod atoms;
mod codes;
pub mod formula;
mod lexicon;
pub mod number;
mod parameters;
pub mod parse;
mod parts;
mod prism;
pub mod program;
mod project;
mod resolve;
mod semantics;
pub mod sentence;
mod slice;
pub mod syntax;
mod words;
mod world;

use std::sync::Arc;

use motet_model::{
    Acting, AtomText, Draft, Haste, Language, Options, Slice, Summary, System, Vocabulary, World,
};
use motet_source::{Problems, Sources, Spanned};

pub use codes::CODES;

use crate::actor::Team;
use crate::formula::Formula;
use crate::prism::Translation;
use crate::program::{BeliefKind, Counting, Logic, Program};
use crate::semantics::Cycle;
use crate::words::Teller;
use crate::world::Surroundings;

/// sEnglish as a language of Motet.
#[derive(Clone, Copy, Debug, Default)]
pub struct SEnglish;

impl Language for SEnglish {
    fn name(&self) -> &'static str {
        "sEnglish"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["sej", "sep", "ont"]
    }

    fn read(&self, sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Box<dyn Draft>> {
        let read = project::read(sources, options, problems)?;
        let bound = options.parameters.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let vocabulary = lexicon::vocabulary(&read.program, read.parameters);
        Some(Box::new(Reading { program: Arc::new(read.program), vocabulary, bound }))
    }
}

/// A project that was read.
struct Reading {
    program: Arc<Program>,
    vocabulary: Vocabulary,
    /// What `-D` has bound.
    bound: Vec<(String, String)>,
}

impl Reading {
    /// A program that runs, with the meaning of its atoms.
    fn running(&self, program: Arc<Program>, formulas: Vec<Formula>, atoms: &[Spanned<AtomText>]) -> System {
        let texts = atoms.iter().map(|atom| atom.node.to_string()).collect();
        let cycle = Arc::new(Cycle::new(program, formulas, texts));
        let export = Arc::new(Translation { cycle: Arc::clone(&cycle) });
        let teller = Arc::new(Teller { cycle: Arc::clone(&cycle) });
        let (words, review) = (Arc::clone(&teller), teller);
        System { model: cycle, words, review, export, summary: self.summary() }
    }

    /// `10 plans`, `4 percepts`, `5 feedbacks`, `MDP`, `1 cycle = 2 steps`
    fn summary(&self) -> Summary {
        let program = &self.program;
        let counted = |number: usize, one: &str| match number {
            1 => format!("1 {one}"),
            more => format!("{more} {one}s"),
        };
        let of = |kind| program.beliefs.iter().filter(|belief| belief.kind == kind).count();
        let mut facts = Vec::new();
        if program.agents.len() > 1 {
            facts.push(counted(program.agents.len(), "agent"));
        }
        facts.push(counted(program.plans.len(), "plan"));
        facts.push(counted(of(BeliefKind::Percept), "percept"));
        facts.push(counted(of(BeliefKind::Feedback), "feedback"));
        facts.push(if program.has_choices() { "MDP" } else { "DTMC" }.to_owned());
        facts.push("1 cycle = 2 steps".to_owned());
        if program.logic == Logic::ThreeValued {
            facts.push("beliefs may be unknown".to_owned());
        }
        if program.counting == Counting::HalfCycles {
            facts.push("rewards twice a cycle".to_owned());
        }
        Summary {
            language: "sEnglish (LISA)".to_owned(),
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
        let formulas = atoms::resolve(&self.program, atoms, problems)?;
        Some(self.running(Arc::clone(&self.program), formulas, atoms))
    }

    fn acting(&self, atoms: &[Spanned<AtomText>], problems: &mut Problems) -> Option<Acting> {
        let system = self.system(atoms, problems)?;
        Some(Acting { system, actor: Box::new(Team::new(Arc::clone(&self.program))) })
    }

    fn world(&self) -> Option<Box<dyn World>> {
        Some(Box::new(Surroundings::new(Arc::clone(&self.program))))
    }

    fn slice(&self, atoms: &[Spanned<AtomText>]) -> Option<Slice> {
        let formulas = atoms::resolve(&self.program, atoms, &mut Problems::new())?;
        let (program, left_out) = slice::slice(&self.program, &formulas)?;
        let system = self.running(Arc::new(program), formulas, atoms);
        Some(Slice { system, left_out, haste: Haste::Stepwise })
    }
}
