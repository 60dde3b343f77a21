//! `[p, mu, sigma]` and `{fuel=1, time=1}`.

use motet_model::Ratio;
use motet_source::{Span, Spanned};

use super::cursor::Cursor;
use crate::number::{ratio, whole};
use crate::syntax::{DistributionTree, RewardTree};

/// No percept needs longer than this many cycles; a counter that long could not be explored anyway.
const LONGEST: u64 = 1_000_000;

/// A distribution from the text between its brackets. `None` means that a problem was noted.
pub(crate) fn distribution(
    cursor: &mut Cursor<'_>,
    content: &str,
    inner: usize,
    span: Span,
) -> Option<DistributionTree> {
    let parts: Vec<&str> = content.split(',').collect();
    let [chance, mean, spread] = parts[..] else {
        cursor.problem(
            "M0864",
            span,
            format!("three numbers are expected here, and there {}", counted(parts.len(), content)),
            "write [p,mu,sigma]: the chance, the average number of cycles, and how far around it",
        );
        return None;
    };
    let mut at = inner;
    let mut places = [span; 3];
    for (place, part) in places.iter_mut().zip([chance, mean, spread]) {
        let lead = part.len() - part.trim_start().len();
        let start = at + lead;
        *place = Span::new(span.file, start, start + part.trim().len());
        at += part.len() + 1;
    }
    let found = ratio(chance);
    if found.is_none() {
        let help = "write a decimal such as 0.25 or a fraction such as 1/3";
        cursor.problem("M0864", places[0], format!("`{}` is not a chance", chance.trim()), help);
    }
    let mut cycles = |text: &str, place: Span| {
        let number = whole(text).filter(|number| *number <= LONGEST);
        if number.is_none() {
            let message = format!("`{}` is not a number of cycles", text.trim());
            cursor.problem("M0864", place, message, format!("write a whole number from 0 to {LONGEST}"));
        }
        number.and_then(|number| u32::try_from(number).ok())
    };
    let mean = cycles(mean, places[1]);
    let spread = cycles(spread, places[2]);
    Some(DistributionTree { chance: found?, mean: mean?, spread: spread?, span })
}

fn counted(parts: usize, content: &str) -> String {
    match parts {
        _ if content.trim().is_empty() => "are none".to_owned(),
        1 => "is 1".to_owned(),
        more => format!("are {more}"),
    }
}

/// `fuel=1,time=1` from the text between the braces.
pub(crate) fn rewards(cursor: &mut Cursor<'_>, content: &str, inner: usize) -> Vec<RewardTree> {
    let mut rewards = Vec::new();
    let mut at = inner;
    for part in content.split(',') {
        let start = at + (part.len() - part.trim_start().len());
        at += part.len() + 1;
        let span = Span::new(cursor.here().file, start, start + part.trim().len());
        let read = part.split_once('=').and_then(|(name, amount)| {
            let name = name.trim();
            let proper = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let amount: Ratio = ratio(amount)?;
            let place = Span::new(span.file, start, start + name.len());
            proper.then(|| RewardTree { name: Spanned::new(name.to_owned(), place), amount })
        });
        match read {
            Some(reward) => rewards.push(reward),
            None => cursor.problem(
                "M0884",
                span,
                format!("`{}` is not a reward", part.trim()),
                "write NAME=AMOUNT with a name of letters, digits and underscores, and an amount that is not negative: {fuel=1,time=0.5}",
            ),
        }
    }
    rewards
}
