//! Questions that have an answer only where the model has nothing to choose: they are refused as soon as a choice is seen.

use std::collections::HashSet;

use motet_model::{AtomId, Model, State, Steps};
use motet_property::{Claim, PlainQuestion};
use motet_source::{Problem, Problems, Sources, Span};

/// States that are looked at before the search. A model whose first choice is farther away is told after it.
const LOOKS_MAX: usize = 20_000;

/// Refuses `P=?`, `R=?` and `S=?` where the model has choices: each way to choose has its own number.
pub(crate) fn check_questions(
    claims: &[Claim<AtomId>],
    questions: &[PlainQuestion],
    model: &dyn Model,
    sources: &Sources,
    problems: &mut Problems,
) {
    let asked = |claim: Span| claims.iter().any(|known| known.span == claim);
    let mut questions = questions.iter().filter(|question| asked(question.claim)).peekable();
    if questions.peek().is_none() || !chooses(model) {
        return;
    }
    for question in questions {
        let letter = question.letter;
        let text = sources.file(question.span.file).text.get(question.span.start as usize..).unwrap_or("");
        let end =
            text.find('?').map_or(question.span.end as usize, |at| question.span.start as usize + at + 1);
        let span = Span::new(question.span.file, question.span.start as usize, end);
        let message =
            format!("the model has choices, and `{letter}=?` does not say which number is asked for");
        let help = format!("ask for the least, `{letter}min=?`, or the greatest, `{letter}max=?`");
        problems.push(Problem::error("M0237", span, message, help));
    }
}

/// Whether some state near the start has more than one step.
fn chooses(model: &dyn Model) -> bool {
    let mut waiting = Vec::new();
    model.initial(&mut waiting);
    let mut known: HashSet<Box<State>> = waiting.iter().cloned().collect();
    let mut steps = Steps::new(model.signature().slots.len());
    let mut done = 0;
    while done < waiting.len() && done < LOOKS_MAX {
        steps.clear();
        if model.steps(&waiting[done], &mut steps).is_err() {
            return false;
        }
        done += 1;
        if steps.len() > 1 {
            return true;
        }
        for step in steps.iter() {
            for branch in step.branches() {
                if known.insert(branch.target.into()) {
                    waiting.push(branch.target.into());
                }
            }
        }
    }
    false
}
