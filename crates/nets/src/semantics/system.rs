//! A resolved text as a system: the model with its words, its review and its translations.

use std::sync::Arc;

use motet_model::{AtomText, Summary, System};
use motet_source::{Problem, Problems, Span, Spanned};

use crate::atoms;
use crate::promela::Promela;
use crate::resolve::Resolved;
use crate::semantics::Semantics;
use crate::semantics::memo::Memory;
use crate::semantics::subjects::Fairness;
use crate::semantics::symmetry;
use crate::words::Teller;

/// What a system is made of, besides the atoms.
pub(crate) struct Setup<'a> {
    pub(crate) resolved: &'a Resolved,
    pub(crate) fairness: Fairness,
    pub(crate) memory: Memory,
    /// Where problems stand that have no place of their own.
    pub(crate) place: Span,
    pub(crate) summary: Summary,
}

/// The model with these atoms; `None` when the problems say why.
pub(crate) fn semantics(
    setup: &Setup<'_>,
    atoms: &[Spanned<AtomText>],
    problems: &mut Problems,
) -> Option<Arc<Semantics>> {
    let predicates = atoms::resolve(atoms, setup.resolved, problems)?;
    if !symmetry::check(&setup.resolved.program, atoms, &predicates, problems) {
        return None;
    }
    let predicates = atoms.iter().map(|atom| atom.node.to_string()).zip(predicates).collect();
    let program = Arc::new(setup.resolved.program.clone());
    match Semantics::new(program, predicates, setup.fairness, setup.memory) {
        Ok(semantics) => Some(Arc::new(semantics)),
        Err(trouble) => {
            let net = &setup.resolved.program.nets[setup.resolved.program.system.0 as usize];
            let message = format!("{} has no initial marking: {trouble}", net.name);
            let help = "choose other values for what it starts with";
            problems.push(Problem::error("M1054", net.span, message, help));
            None
        }
    }
}

/// Everything a host needs; `None` when the problems say why.
pub(crate) fn system(
    setup: Setup<'_>,
    atoms: &[Spanned<AtomText>],
    problems: &mut Problems,
) -> Option<System> {
    let semantics = semantics(&setup, atoms, problems)?;
    let export = Arc::new(Promela::new(&semantics, setup.place));
    let teller = Arc::new(Teller { semantics: Arc::clone(&semantics) });
    let (words, review) = (Arc::clone(&teller), teller);
    Some(System { model: semantics, words, review, export, summary: setup.summary })
}
