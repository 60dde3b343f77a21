//! Faults that Storm is known to have: whether a disagreement is one of them.
//!
//! A fault is recognised by its disappearance. The model is written once more, saying the same without the construct that Storm
//! reads wrongly, and Storm is asked again. Only if it then gives our answer was it that fault; everything else stays a
//! disagreement.

use motet_external::storm::{self, Input, Task};
use motet_model::PrismText;
use motet_render::{ClaimReport, Report};

use crate::checking::check::CheckOptions;
use crate::loading::load::Ready;
use crate::opinions::chance::{Form, Posed, about_text, answered};

/// What Storm is known to get wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// `mod(-6, 3)` is 3 (Storm's pull request 225 adds the divisor whenever the dividend is negative).
    Modulo,
    /// A state without steps gets a step to itself, but loses its reward.
    Deadlocks,
}

/// Ways around the faults, the most specific first.
const DETOURS: [&[Known]; 3] = [&[Known::Modulo], &[Known::Deadlocks], &[Known::Modulo, Known::Deadlocks]];

impl Known {
    fn words(self) -> &'static str {
        match self {
            Self::Modulo => "it takes `mod` of a negative multiple for the divisor instead of 0",
            Self::Deadlocks => {
                "it gives no state reward where nothing can happen and it adds a step to itself"
            }
        }
    }

    /// The same model for a reader with this fault; `None` if the model has nothing of the kind.
    fn around(self, text: &PrismText) -> Option<PrismText> {
        match self {
            Self::Modulo => {
                let atoms = text.atoms.iter().map(|atom| modulo_twice(atom)).collect::<Option<Vec<_>>>()?;
                let body = modulo_twice(&text.text)?;
                let same = body == text.text && atoms == text.atoms;
                (!same).then(|| PrismText { text: body, atoms, ..text.clone() })
            }
            Self::Deadlocks => {
                let body = with_steps_that_stay(&text.text, text.stuck.as_ref()?)?;
                Some(PrismText { text: body, ..text.clone() })
            }
        }
    }
}

/// Says of each disputed claim whether one of Storm's known faults explains it.
pub(crate) fn recognise(ready: &Ready, options: &CheckOptions, posed: &Posed, report: &mut Report) {
    let (Form::Text(text), Ok(storm)) = (&posed.form, storm::find()) else { return };
    for detour in DETOURS {
        let disputed: Vec<usize> =
            (0..report.claims.len()).filter(|at| report.claims[*at].disputed()).collect();
        if disputed.is_empty() {
            return;
        }
        let around = |text: PrismText, fault: &Known| fault.around(&text);
        let Some(reworded) = detour.iter().try_fold(text.clone(), around) else { continue };
        let questions = about_text(ready, &reworded);
        let asked: Vec<usize> = disputed.into_iter().filter(|at| questions[*at].is_ok()).collect();
        let properties = asked.iter().filter_map(|at| questions[*at].clone().ok()).collect();
        let task = Task::new(Input::Prism(reworded.text), properties);
        let Ok(answers) = answered(&storm, task, options) else { continue };
        for (at, verdict) in asked.into_iter().zip(answers) {
            let claim = &mut report.claims[at];
            let Some(opinion) = &claim.second else { continue };
            let again = ClaimReport {
                second: Some(motet_render::Opinion { verdict, ..opinion.clone() }),
                ..claim.clone()
            };
            if again.agreed()
                && let Some(second) = &mut claim.second
            {
                let words: Vec<&str> = detour.iter().map(|fault| fault.words()).collect();
                second.known_fault = Some(words.join("; "));
            }
        }
    }
}

/// Every `mod(a, b)` as `mod(mod(a, b), b)`: what is between 0 and `b`, both included, becomes what is below `b`. `None` where
/// that gets long.
fn modulo_twice(text: &str) -> Option<String> {
    const MOST: usize = 4;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = next_modulo(rest) {
        let inside = &rest[at + "mod(".len()..];
        let (comma, end) = arguments(inside)?;
        let (dividend, divisor) =
            (modulo_twice(&inside[..comma])?, modulo_twice(inside[comma + 1..end].trim())?);
        out += &format!("{}mod(mod({dividend}, {divisor}), {divisor})", &rest[..at]);
        if out.len() > MOST * text.len() + 100 {
            return None;
        }
        rest = &inside[end + 1..];
    }
    Some(out + rest)
}

/// Where the next `mod(` begins that is no end of a longer name.
fn next_modulo(text: &str) -> Option<usize> {
    let word = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices("mod(").map(|(at, _)| at).find(|at| !text[..*at].ends_with(word))
}

/// The comma between two arguments and the parenthesis after them.
fn arguments(text: &str) -> Option<(usize, usize)> {
    let (mut depth, mut comma) = (0_usize, None);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return Some((comma?, at)),
            ')' => depth -= 1,
            ',' if depth == 0 && comma.is_none() => comma = Some(at),
            _ => {}
        }
    }
    None
}

/// The name of the module that stays, and of its action, which no reward speaks of.
const STAYS: &str = "motet_stays";

/// The model with a step to itself wherever nothing can happen, so that no reader has to add one.
fn with_steps_that_stay(text: &str, stuck: &str) -> Option<String> {
    if stuck == "false" || text.contains(STAYS) {
        return None;
    }
    let module = format!("\nmodule {STAYS}\n  [{STAYS}] {stuck} -> true;\nendmodule\n");
    let text = match text.split_once("\nsystem\n") {
        None => text.to_owned(),
        Some((before, rest)) => {
            let (composed, after) = rest.split_once("\nendsystem")?;
            format!("{before}\nsystem\n  ({}) ||| {STAYS}\nendsystem{after}", composed.trim())
        }
    };
    Some(text + &module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remainder_is_taken_twice_wherever_it_stands() {
        let twice = |text| modulo_twice(text).expect("short");
        assert_eq!(twice("(y'=mod(x, 3)) & (d'=true)"), "(y'=mod(mod(x, 3), 3)) & (d'=true)");
        assert_eq!(twice("mod(mod(x, 5), max(2, y))"), "mod(mod(mod(mod(x, 5), 5), max(2, y)), max(2, y))");
        assert_eq!(twice("x + amod + a_mod(1)"), "x + amod + a_mod(1)");
    }

    #[test]
    fn a_step_that_stays_stands_beside_a_composition_too() {
        let text = "mdp\n\nsystem\n  a || b\nendsystem\n";
        let found = with_steps_that_stay(text, "!(x = 0)").expect("a step");
        assert!(found.contains("(a || b) ||| motet_stays\nendsystem"), "{found}");
        assert!(found.contains("[motet_stays] !(x = 0) -> true;"), "{found}");
        assert_eq!(with_steps_that_stay(text, "false"), None, "something happens everywhere");
    }
}
