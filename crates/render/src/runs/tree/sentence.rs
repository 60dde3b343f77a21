//! A branch as a sentence.

use motet_evidence::{Branch, Shown};
use motet_model::{AtomId, AtomText};
use motet_property::{Formula, Knowledge, Path, Quantifier, english, print_formula};
use motet_source::Spanned;

use crate::typesetting::page::plain;

/// The formula with all parentheses.
pub(super) fn printed(formula: &Formula<AtomId>, names: &[Spanned<AtomText>]) -> String {
    plain(&print_formula(&Path::Now(formula.clone()), names))
}

/// What is the case: `Bob does not know that House.fire = true`.
pub(super) fn said(formula: &Formula<AtomId>, truth: bool, names: &[Spanned<AtomText>]) -> String {
    let text = plain(&english(&Path::Now(formula.clone()), names));
    if truth {
        return text;
    }
    match formula {
        Formula::Knows(Knowledge::One, ..) => text.replacen(" knows that ", " does not know that ", 1),
        Formula::Knows(Knowledge::Everyone, ..) => format!("not {text}"),
        Formula::Knows(Knowledge::Common, ..) => text.replacen("it is common", "it is not common", 1),
        Formula::Knows(Knowledge::Distributed, ..) => {
            text.replacen(" together know that ", " together do not know that ", 1)
        }
        _ => format!("it is false that {text}"),
    }
}

/// How it is seen: `no continuation gets there (complete search)`. `agents` are those who cannot tell two situations apart.
pub(super) fn because(branch: &Branch, agents: &[String]) -> String {
    match &branch.shown {
        Shown::Search => format!("{} (complete search)", searched(&branch.formula, branch.truth)),
        Shown::Onward(_) if branch.truth => "here is one".to_string(),
        Shown::Onward(_) => "not on this one".to_string(),
        Shown::Elsewhere(_, evidence) => {
            let last = evidence.run.steps.len();
            let chained = evidence.branches.iter().any(|next| {
                next.at == last
                    && next.formula == branch.formula
                    && matches!(next.shown, Shown::Elsewhere(..))
            });
            let common = matches!(branch.formula, Formula::Knows(Knowledge::Common, ..));
            let there = match chained && common {
                true => "where it is not common knowledge either",
                false => "where it is false",
            };
            let other = match (last, branch.at) {
                (0, 0) => "another one at the start",
                (0, _) => "the one at the start",
                _ => "the one after another run",
            };
            format!("{} this situation from {other}, {there}", cannot_tell(agents))
        }
    }
}

fn searched(formula: &Formula<AtomId>, truth: bool) -> String {
    match (formula, truth) {
        (Formula::Runs(_, path), _) => {
            let reached = matches!(**path, Path::Eventually(..));
            let verb = if reached { "gets there" } else { "is like that" };
            match (formula, truth) {
                (Formula::Runs(Quantifier::All, _), true) => format!("every continuation {verb}"),
                (Formula::Runs(Quantifier::Some, _), false) => format!("no continuation {verb}"),
                (_, true) => format!("some continuation {verb}"),
                (_, false) => format!("not every continuation {verb}"),
            }
        }
        (Formula::Knows(knowledge, group, _), true) => {
            let group: Vec<String> = group.iter().map(|agent| plain(agent)).collect();
            let situations = match (knowledge, group.as_slice()) {
                (Knowledge::One, _) | (_, [_]) => format!("that {} from this one", cannot_tell(&group)),
                (Knowledge::Everyone, _) => {
                    format!("that one of {} cannot tell from this one", listed(&group, "and"))
                }
                (Knowledge::Common, _) => {
                    format!("that a chain of doubts of {} leads to", listed(&group, "and"))
                }
                (Knowledge::Distributed, _) => {
                    format!("that {} together cannot tell from this one", listed(&group, "and"))
                }
            };
            format!("it is so in every situation {situations}")
        }
        _ => "nothing else was found".to_string(),
    }
}

/// `Bob cannot tell`, `neither Ann nor Bob can tell`.
fn cannot_tell(agents: &[String]) -> String {
    match agents {
        [] => "nobody can tell".to_string(),
        [one] => format!("{one} cannot tell"),
        [one, other] => format!("neither {one} nor {other} can tell"),
        many => format!("none of {} can tell", listed(many, "and")),
    }
}

/// `Ann, Bob and Eve`.
pub(super) fn listed(names: &[String], word: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}
