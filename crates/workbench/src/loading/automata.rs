//! Claims that are automata, from files of the Hanoi format.

use motet_model::AtomId;
use motet_property::{
    Claim, ClaimsFile, Expect, Formula, HoaAutomaton, Kind, Omega, Path, Sense, parse_formula, parse_hoa,
};
use motet_source::{FileId, Problem, Problems, Sources, Span};

/// Automata that were read, and their propositions as formulas that wait for a vocabulary.
#[derive(Default)]
pub(crate) struct Automata {
    read: Vec<(String, HoaAutomaton)>,
    /// One for each proposition, automaton after automaton.
    pub(crate) propositions: Vec<ClaimsFile>,
}

impl Automata {
    /// Reads the files.
    pub(crate) fn read(sources: &Sources, files: &[FileId], problems: &mut Problems) -> Self {
        let mut automata = Self::default();
        for &file in files {
            let source = sources.file(file);
            let (read, found) = parse_hoa(file, &source.text);
            problems.extend(found);
            let stem = crate::loading::load::file_name(&source.path).trim_end_matches(".hoa").to_owned();
            for (number, automaton) in read.into_iter().enumerate() {
                let unnamed = if number == 0 { stem.clone() } else { format!("{stem}_{}", number + 1) };
                let name = automaton.name.clone().unwrap_or(unnamed);
                automata.propositions.extend(propositions(&automaton, problems));
                automata.read.push((name, automaton));
            }
        }
        automata
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.read.is_empty()
    }

    /// The claims, once the propositions are lowered: they come in order, each as a claim of its own.
    pub(crate) fn claims(self, lowered: Vec<Claim<AtomId>>, problems: &mut Problems) -> Vec<Claim<AtomId>> {
        let mut lowered = lowered.into_iter();
        let mut claims = Vec::new();
        for (name, automaton) in self.read {
            let own: Vec<Claim<AtomId>> = lowered.by_ref().take(automaton.propositions.len()).collect();
            let states: Vec<Formula<AtomId>> = own
                .iter()
                .filter_map(|claim| match state(&claim.formula) {
                    Some(formula) => Some(formula),
                    None => {
                        let help = "say what is meant about time with the automaton itself";
                        let message = "a proposition of an automaton is about a single state";
                        problems.push(Problem::error("M0274", claim.span, message, help));
                        None
                    }
                })
                .collect();
            if states.len() == automaton.propositions.len() {
                claims.push(claim(name, automaton, states));
            }
        }
        claims
    }
}

/// Each as a formula whose places are those of the file.
fn propositions(automaton: &HoaAutomaton, problems: &mut Problems) -> Vec<ClaimsFile> {
    let parse = |proposition: &motet_source::Spanned<String>| {
        let Span { file, start, .. } = proposition.span;
        // Blanks in front keep every position.
        let text = format!("{}{}", " ".repeat(start as usize), proposition.node);
        let (tree, found) = parse_formula(file, &text, None);
        problems.extend(found);
        tree
    };
    automaton.propositions.iter().map(parse).collect()
}

fn claim(name: String, automaton: HoaAutomaton, propositions: Vec<Formula<AtomId>>) -> Claim<AtomId> {
    let HoaAutomaton { sense, starts, edges, n_sets, span, .. } = automaton;
    let text = match sense {
        Sense::All => format!("every run is accepted by {name}"),
        Sense::Never => format!("no run is accepted by {name}"),
        Sense::Some => format!("some run is accepted by {name}"),
    };
    let omega = Omega { name: name.clone(), propositions, starts, edges, n_sets };
    let accepted = Path::Accepted(Box::new(omega));
    Claim {
        name,
        words: None,
        kind: if sense == Sense::Some { Kind::Possible } else { Kind::Property },
        formula: if sense == Sense::Never { Path::Not(Box::new(accepted)) } else { accepted },
        expect: Expect::Holds,
        span,
        text,
    }
}

/// The state formula that a formula without operators of time and chance is.
fn state(path: &Path<AtomId>) -> Option<Formula<AtomId>> {
    path.as_state().filter(is_plain)
}

fn is_plain(formula: &Formula<AtomId>) -> bool {
    let plain =
        |leaf| matches!(leaf, &(Formula::True | Formula::False | Formula::Deadlock | Formula::Atom(_)));
    !formula.any_leaf(&mut |leaf| !plain(leaf))
}
