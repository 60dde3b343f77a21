//! What situations would show a claim about knowledge, in words.

use motet_model::{AtomId, AtomText};
use motet_property::{Formula, Knowledge, Path, RewardGoal, english};
use motet_source::Spanned;

/// What would satisfy and what would violate each claim of knowledge in the formula.
pub(crate) fn situations(path: &Path<AtomId>, atoms: &[Spanned<AtomText>]) -> (Vec<String>, Vec<String>) {
    let mut known = Vec::new();
    of_path(path, &mut known);
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

fn of_path<'a>(path: &'a Path<AtomId>, known: &mut Vec<Known<'a>>) {
    path.for_each_state(&mut |formula| of_state(formula, known));
}

fn of_state<'a>(formula: &'a Formula<AtomId>, known: &mut Vec<Known<'a>>) {
    match formula {
        Formula::Knows(knowledge, group, inner) => known.push((*knowledge, group, inner)),
        Formula::Not(a) | Formula::Steady(_, _, a) => of_state(a, known),
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Iff(a, b)
        | Formula::Filter(_, a, b) => {
            of_state(a, known);
            of_state(b, known);
        }
        Formula::Runs(_, path) | Formula::Chance(_, _, path) => of_path(path, known),
        Formula::Reward(_, _, _, goal) => {
            if let RewardGoal::Until(path) = &**goal {
                of_path(path, known);
            }
        }
        Formula::Past(past) => past.parts().for_each(|part| of_state(part, known)),
        Formula::Wait(_, from, to) => {
            if let Some(from) = from {
                of_state(from, known);
            }
            of_state(to, known);
        }
        Formula::True | Formula::False | Formula::Deadlock | Formula::Atom(_) | Formula::Timer(..) => {}
    }
}
