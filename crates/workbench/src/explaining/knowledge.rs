//! What situations would show a claim about knowledge, in words.

use motet_model::{AtomId, AtomText};
use motet_property::{Formula, Knowledge, Path, Subformula, english};
use motet_source::Spanned;

/// What would satisfy and what would violate each claim of knowledge in the formula.
pub(crate) fn situations(path: &Path<AtomId>, atoms: &[Spanned<AtomText>]) -> (Vec<String>, Vec<String>) {
    let mut known = Vec::new();
    collect(Subformula::Path(path), &mut known);
    let (mut satisfied, mut violated) = (Vec::new(), Vec::new());
    for (knowledge, group, inner) in known {
        let tell = |formula: Formula<AtomId>| english(&Path::Now(formula), atoms);
        let (so, not_so) = (tell(inner.clone()), tell(Formula::Not(Box::new(inner.clone()))));
        let (yes, no) = sketch(knowledge, group);
        for (lines, line) in
            [(&mut satisfied, format!("{yes}: {so}")), (&mut violated, format!("{no}: {not_so}"))]
        {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    (satisfied, violated)
}

fn sketch(knowledge: Knowledge, group: &[String]) -> (String, String) {
    let any = listed(group, "or");
    match knowledge {
        Knowledge::One => (
            format!("in the present situation, and in every other that looks the same to {any}"),
            format!("some situation looks the same to {any} as the present one, and there"),
        ),
        Knowledge::Everyone => (
            format!(
                "in every situation that looks the same as the present one to one of {}",
                listed(group, "and")
            ),
            format!("some situation looks the same to {any} as the present one, and there"),
        ),
        Knowledge::Common => (
            format!(
                "in every situation that is reached from the present one by mistaking situations that look the same to {any}, again and again"
            ),
            format!(
                "a chain of situations starts at the present one, each looks the same to {any} as the one before, and in the last"
            ),
        ),
        Knowledge::Distributed => (
            format!(
                "in every situation that looks the same as the present one to all of {} at once",
                listed(group, "and")
            ),
            format!(
                "some situation looks the same as the present one to all of {} at once, and there",
                listed(group, "and")
            ),
        ),
    }
}

fn listed(names: &[String], word: &str) -> String {
    match names {
        [] => "nobody".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

type Known<'a> = (Knowledge, &'a [String], &'a Formula<AtomId>);

fn collect<'a>(part: Subformula<'a, AtomId>, known: &mut Vec<Known<'a>>) {
    match part {
        Subformula::State(Formula::Knows(knowledge, group, inner)) => known.push((*knowledge, group, inner)),
        Subformula::State(Formula::Timer(..)) => {}
        _ => part.children().for_each(|child| collect(child, known)),
    }
}
