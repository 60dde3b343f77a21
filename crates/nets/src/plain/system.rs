//! A net as hosts see it.

use std::sync::Arc;

use motet_model::{AtomText, Draft, Haste, Slice, Summary, System, Vocabulary};
use motet_source::{Problems, Span, Spanned};

use crate::plain::PlainNet;
use crate::plain::atoms::{Predicate, resolve};
use crate::plain::lexicon::Lexicon;
use crate::plain::promela::Promela;
use crate::plain::semantics::Semantics;
use crate::plain::slice::slice;
use crate::plain::words::Teller;

/// Where a net was written.
#[derive(Clone, Debug)]
pub struct Origins {
    /// The language, as reports name it.
    pub language: String,
    /// The net.
    pub net: Span,
    /// Its transitions, in their order; may be empty.
    pub transitions: Vec<Span>,
    /// What a report says of it beside the numbers of places and transitions: `2 sorts`.
    pub facts: Vec<String>,
}

/// The net as a model that claims can speak of.
#[must_use]
pub fn draft(net: PlainNet, origins: Origins) -> Box<dyn Draft> {
    let lexicon = Lexicon::new(&net);
    Box::new(Reading { net, lexicon, origins: Arc::new(origins) })
}

struct Reading {
    net: PlainNet,
    lexicon: Lexicon,
    origins: Arc<Origins>,
}

impl Reading {
    fn summary(&self) -> Summary {
        let count = |number: usize, noun: &str| match number {
            1 => format!("1 {noun}"),
            _ => format!("{number} {noun}s"),
        };
        let mut facts =
            vec![count(self.net.places.len(), "place"), count(self.net.transitions.len(), "transition")];
        facts.extend(self.origins.facts.iter().cloned());
        Summary {
            language: self.origins.language.clone(),
            facts,
            parameters: Vec::new(),
            fair: false,
            narrowing: Vec::new(),
        }
    }
}

impl Reading {
    fn built(&self, net: PlainNet, origins: Arc<Origins>, atoms: Vec<(String, Predicate)>) -> System {
        let semantics = Arc::new(Semantics::new(net, atoms));
        let export = Arc::new(Promela::new(&semantics, origins.net));
        let teller = Arc::new(Teller { semantics: Arc::clone(&semantics), origins });
        let (words, review) = (Arc::clone(&teller), teller);
        System { model: semantics, words, review, export, summary: self.summary() }
    }
}

impl Draft for Reading {
    fn vocabulary(&self) -> &Vocabulary {
        self.lexicon.vocabulary()
    }

    fn system(&self, atoms: &[Spanned<AtomText>], problems: &mut Problems) -> Option<System> {
        let atoms = resolve(atoms, &self.lexicon, problems)?;
        Some(self.built(self.net.clone(), Arc::clone(&self.origins), atoms))
    }

    fn slice(&self, atoms: &[Spanned<AtomText>]) -> Option<Slice> {
        let atoms = resolve(atoms, &self.lexicon, &mut Problems::new())?;
        let predicates: Vec<&Predicate> = atoms.iter().map(|(_, predicate)| predicate).collect();
        let (net, left) = slice(&self.net, &predicates)?;
        let gone = (0..self.net.transitions.len()).filter(|at| left.binary_search(at).is_err());
        let left_out = gone.map(|at| format!("transition {}", self.net.transitions[at].name)).collect();
        let spans = left.iter().filter_map(|&at| self.origins.transitions.get(at).copied());
        let origins = Origins { transitions: spans.collect(), ..(*self.origins).clone() };
        let system = self.built(net, Arc::new(origins), atoms);
        Some(Slice { system, left_out, haste: Haste::Delayed })
    }
}

impl Semantics {
    /// The net with these atoms: `atoms[i]` becomes `AtomId(i)`. `None` means that the problems say why.
    #[must_use]
    pub fn with_atoms(net: PlainNet, atoms: &[Spanned<AtomText>], problems: &mut Problems) -> Option<Self> {
        let atoms: Vec<(String, Predicate)> = resolve(atoms, &Lexicon::new(&net), problems)?;
        Some(Self::new(net, atoms))
    }
}
