//! Claims and runs in words, for hosts.

use motet_evidence::Evidence;
use motet_model::{AtomId, Snapshot, State};
use motet_property::{Claim, Dialect, format_file, looks_like_prism, parse, print_formula};
use motet_render::{Tale, tale};
use motet_source::{File, FileId, Problems, Sources};

use crate::load::Ready;

/// The run as a tale; the atoms are those whose changes are marked.
#[must_use]
pub fn tell(ready: &Ready, sources: &Sources, evidence: &Evidence, atoms: &[AtomId]) -> Tale {
    let system = &ready.system;
    let mut tale = tale(evidence, system.model.as_ref(), system.words.as_ref(), sources, atoms);
    for why in &mut tale.whys {
        let notice = evidence.run.steps.get(why.step).and_then(|taken| system.review.happened(taken.action));
        if let Some(notice) = notice {
            why.lines.insert(0, notice.message);
        }
    }
    tale
}

/// What the agents have in mind.
#[must_use]
pub fn snapshot(ready: &Ready, state: &State) -> Snapshot {
    ready.system.words.snapshot(state)
}

/// The claim in English.
#[must_use]
pub fn english(ready: &Ready, claim: &Claim<AtomId>) -> String {
    motet_property::english(&claim.formula, &ready.atoms)
}

/// The claim with all parentheses.
#[must_use]
pub fn formula_text(ready: &Ready, claim: &Claim<AtomId>) -> String {
    print_formula(&claim.formula, &ready.atoms)
}

/// A claims file in its canonical form, and whose dialect it was written in.
///
/// # Errors
/// The problems of a file that cannot be read as claims: what was not understood would be lost.
pub fn format_claims(id: FileId, file: &File) -> Result<(String, Dialect), Problems> {
    let dialect = file.path.ends_with(".psl").then_some(Dialect::Psl);
    let (mut tree, mut problems) = parse(id, &file.text, dialect);
    if problems.has_errors() && dialect.is_none() && looks_like_prism(&file.text) {
        // A file beside a PRISM model need not say that it is PRISM's; nobody knows the model here.
        let (theirs, found) = parse(id, &file.text, Some(Dialect::Prism));
        if !found.has_errors() {
            (tree, problems) = (theirs, found);
        }
    }
    if problems.has_errors() { Err(problems) } else { Ok((format_file(&tree), tree.dialect)) }
}
