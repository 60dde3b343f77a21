//! Claims and runs in words, for hosts.

use motet_evidence::{Evidence, Idle, Stretch, causes, stretches};
use motet_model::{AtomId, AtomText, Snapshot, State};
use motet_property::{Claim, Dialect, Formula, Path, format_file, looks_like_prism, parse, print_formula};
use motet_render::{Fact, IdleReport, Tale, Telling, tale};
use motet_source::{File, FileId, Problem, Problems, Sources, Span, Spanned};

use crate::loading::atoms::atoms;
use crate::loading::load::Ready;

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
    if !evidence.branches.is_empty() {
        let (model, words) = (system.model.as_ref(), system.words.as_ref());
        tale.branches = Telling { model, words, sources, atoms, names: &ready.atoms }.branches(evidence);
    }
    tale
}

/// The run behind a claim as a tale: with the facts that decide it, its deadline and its reasons.
#[must_use]
pub(crate) fn tell_claim(
    ready: &Ready,
    sources: &Sources,
    claim: &Claim<AtomId>,
    evidence: &Evidence,
) -> Tale {
    let system = &ready.system;
    let (model, words) = (system.model.as_ref(), system.words.as_ref());
    let mut tale = tell(ready, sources, evidence, &atoms(&claim.formula));
    tale.state_facts(facts(ready, claim, evidence), evidence, words);
    tale.judge(evidence, model, &claim.formula);
    tale.explain_deadline(evidence, words);
    tale
}

/// The facts that decide a claim on a run, in words; none where the run cannot be judged part by part.
fn facts(ready: &Ready, claim: &Claim<AtomId>, evidence: &Evidence) -> Vec<Fact> {
    let model = ready.system.model.as_ref();
    let Ok(causes) = causes(model, claim, evidence) else { return Vec::new() };
    let fact = |stretch: Stretch| {
        let plain = Path::Now(stretch.fact.clone());
        let said = match stretch.value {
            true => plain.clone(),
            false => Path::Now(Formula::Not(Box::new(stretch.fact))),
        };
        Fact {
            text: motet_property::english(&said, &ready.atoms),
            atom: print_formula(&plain, &ready.atoms),
            holds: stretch.value,
            from: stretch.from,
            until: stretch.to,
            recurs: stretch.recurs,
        }
    };
    stretches(model, evidence, &causes).into_iter().map(fact).collect()
}

/// A part that a claim does not depend on, in words.
pub(crate) fn idle_report(idle: &Idle, names: &[Spanned<AtomText>]) -> IdleReport {
    IdleReport {
        words: motet_property::english(&idle.part, names),
        formula: print_formula(&idle.part, names),
        constant: idle.constant,
        stronger: motet_property::english(&idle.stronger, names),
        stronger_formula: print_formula(&idle.stronger, names),
    }
}

/// What the agents have in mind.
#[must_use]
pub fn snapshot(ready: &Ready, state: &State) -> Snapshot {
    ready.system.words.snapshot(state)
}

/// The claim in English.
#[must_use]
pub fn english(ready: &Ready, claim: &Claim<AtomId>) -> String {
    motet_property::english_claim(claim, &ready.atoms)
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
    if problems.has_errors() {
        return Err(problems);
    }
    Ok((read_back(id, format_file(&tree))?, tree.dialect))
}

/// What takes the place of somebody's claims is read again before: it has to be claims, and in their canonical form.
pub(crate) fn read_back(id: FileId, text: String) -> Result<String, Problems> {
    let (again, found) = parse(id, &text, None);
    if !found.has_errors() && format_file(&again) == text {
        return Ok(text);
    }
    let mut problems = Problems::new();
    let help = "the file is as it was; please report it with this bug of the tool";
    let message = "the canonical form of these claims is not read as itself";
    problems.push(Problem::error("M0027", Span::new(id, 0, 0), message, help));
    Err(problems)
}
