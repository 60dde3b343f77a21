//! The lines under a claim about numbers: how sure the value is, which choices bring it about, which ways lead there.

use motet_evidence::{Attained, Method, Quantity};
use motet_model::Ratio;
use motet_property::Extremum;

use crate::claims::report::{Asked, ClaimReport, Report};
use crate::numbers::chance::{ChanceReport, ChoiceTally, UnfairReport};
use crate::numbers::value::{interval_text, value_text};
use crate::typesetting::number::{count, grouped};
use crate::typesetting::page::{Detail, Extent, View, pad, plain, wrap};

/// Kinds of choice that are told unless the reader wants all.
const LIMIT_CHOICES: usize = 3;
/// Steps of a way that are told unless the reader wants all.
const LIMIT_STEPS: usize = 8;
/// Ways that are told unless the reader wants all.
const LIMIT_WAYS: usize = 3;
/// The longest fraction that is told.
const LIMIT_FRACTION: usize = 40;
/// Digits of a longer one.
const DIGITS: usize = 6;
/// Values of single situations that are told unless the reader wants all.
const LIMIT_VALUES: usize = 20;
/// Names of those who never get a turn that are told.
const LIMIT_NAMES: usize = 3;
/// The width of the titles of rows.
const TITLE: usize = 24;

/// The value on its own: `0.6357`, `2/3 (0.666667)`, `infinite`.
pub(crate) fn told_value(quantity: &Quantity) -> String {
    if quantity.values.len() > 1 {
        let values = quantity.values.iter();
        let low = values.clone().map(|value| value.low).fold(f64::INFINITY, f64::min);
        let high = values.map(|value| value.high).fold(0.0, f64::max);
        let (low, high) = (value_text(low, low), value_text(high, high));
        return format!("{} values, {low} to {high}", grouped(quantity.values.len() as u64));
    }
    let decimal = value_text(quantity.low, quantity.high);
    match &quantity.exact {
        Some(exact) if exact.len() > LIMIT_FRACTION && quantity.low.is_finite() => {
            long_value(exact, &decimal)
        }
        Some(exact) if exact.contains('/') => format!("{} ({decimal})", plain(exact)),
        Some(exact) if quantity.low.is_finite() => plain(exact),
        _ => decimal,
    }
}

/// A fraction that fills lines: in short where there is a short way to write it exactly, `1e-400`, and else rounded, which
/// is said. JSON has all of it.
fn long_value(exact: &str, nearest: &str) -> String {
    let Some(number) = Ratio::read(exact) else { return format!("about {nearest}") };
    let short = number.to_string();
    if short.len() <= LIMIT_FRACTION { short } else { format!("about {}", number.rounded(DIGITS)) }
}

/// How sure the value is and how it was found: `certified in [0.635 699, 0.635 702] · interval iteration, 212 sweeps`.
pub(crate) fn certainty(quantity: &Quantity) -> String {
    let how = match quantity.method {
        Method::Graph => "read off the graph".to_string(),
        Method::Iteration(sweeps) => format!("interval iteration, {} sweeps", grouped(sweeps)),
        Method::Steps(1) => "one step backwards".to_string(),
        Method::Steps(steps) => format!("{} steps backwards", grouped(steps)),
        Method::Elimination => "equations solved directly".to_string(),
        Method::Exact => "equations solved in fractions".to_string(),
    };
    let certain = quantity.exact.is_some() || quantity.low == quantity.high;
    match quantity.infinite {
        Some(_) => how,
        None if certain => format!("exact · {how}"),
        None => format!("certified in {} · {how}", interval_text(quantity.low, quantity.high)),
    }
}

/// Everything below the claim's own line, without indentation.
pub(crate) fn quantity_lines(claim: &ClaimReport, report: &Report, width: usize, view: &View) -> Vec<String> {
    let Some(quantity) = &claim.outcome.quantity else { return Vec::new() };
    let wanted = view.detail == Detail::Verbose || claim.asked == Asked::ByName;
    let mut lines = Vec::new();
    if quantity.infinite.as_ref().is_some_and(|infinite| infinite.missed == 0.0) {
        let words =
            "because runs reach the goal, but fair strategies may put that off for as long as they like";
        lines.push(format!("{words} · motet explain M0309"));
    } else if let Some(infinite) = &quantity.infinite {
        let missed = value_text(infinite.missed, infinite.missed);
        lines.push(format!(
            "because runs never reach the goal with a chance of at least {missed} · motet explain M0309"
        ));
    }
    if wanted && view.detail != Detail::Quiet {
        lines.push(certainty(quantity));
    }
    let Some(chance) = &claim.chance else { return lines };
    if !chance.values.is_empty() && view.detail != Detail::Quiet {
        lines.extend(values(chance, width, view));
    }
    if wanted && view.detail != Detail::Quiet {
        let (choices, ways) = (choices(chance, width, view), ways(chance, width, view));
        if !choices.is_empty() || !ways.is_empty() {
            lines.push(String::new());
        }
        lines.extend(choices);
        lines.extend(ways);
        if chance.decisions > 0 && claim.strategy.is_none() {
            lines.push(String::new());
            let command = strategy_command(claim, report);
            lines.push(format!("Strategy: {command}   (plays in motet sim --strategy)"));
        }
    }
    if let Some(file) = &claim.strategy {
        lines.push(format!("Strategy: {file} holds {}", count(chance.decisions, "decision")));
    }
    let shown = wanted && chance.decisions > 0 && view.detail != Detail::Quiet;
    if let Some(unfair) = chance.unfair.as_ref().filter(|_| shown || claim.strategy.is_some()) {
        lines.extend(wrap(&unfair_text(unfair), width.max(30)));
    }
    lines
}

/// `As it stands it is not fair: Bob never gets a turn. ...`
fn unfair_text(unfair: &UnfairReport) -> String {
    let (shown, more) = unfair.whom.split_at(unfair.whom.len().min(LIMIT_NAMES));
    let whom = match (shown, more.len()) {
        ([], _) => "a choice is never taken though it is offered again and again".to_string(),
        ([one], 0) => format!("{} never gets a turn", plain(one)),
        ([first @ .., last], 0) => {
            format!("{} and {} never get turns", plain(&first.join(", ")), plain(last))
        }
        (shown, more) => format!("{} and {more} more never get turns", plain(&shown.join(", "))),
    };
    let how = match unfair.attained {
        Attained::WithTurns => "A fair strategy with the same value remembers whose turn it is.",
        Attained::InTheLimit => {
            "Fair strategies come to the value with turns that are less and less frequent; at a fixed pace they only come near it."
        }
    };
    format!("As it stands the strategy is not fair: {whom}. {how}")
}

/// The command that writes the strategy of this claim.
fn strategy_command(claim: &ClaimReport, report: &Report) -> String {
    let selected = match &claim.place {
        Some(_) => format!("-p {}", claim.name),
        None if claim.text.chars().count() > 40 => "-e '…'".to_string(),
        None => format!("-e '{}'", claim.text),
    };
    plain(&format!("motet check {} {selected} --strategy strategy.csv", report.head.path))
}

fn choices(chance: &ChanceReport, width: usize, view: &View) -> Vec<String> {
    let title = match chance.extremum {
        Some(Extremum::Min) => "The minimising choice",
        Some(Extremum::Max) => "The maximising choice",
        None => "The deciding choice",
    };
    let limit = if view.extent == Extent::Full { usize::MAX } else { LIMIT_CHOICES };
    let mut lines = Vec::new();
    for tally in chance.choices.iter().take(limit) {
        for (number, (chosen, times)) in tally.chosen.iter().take(limit).enumerate() {
            let offered = if number == 0 { format!(" that offer {}", offered(tally)) } else { String::new() };
            let situations = grouped(tally.situations as u64);
            let text =
                format!("{chosen}   in {} of {situations} situations{offered}", grouped(*times as u64));
            lines.extend(row(if lines.is_empty() { title } else { "" }, &text, width));
        }
    }
    let more = chance.choices.len().saturating_sub(limit);
    if more > 0 {
        lines.extend(row(
            "",
            &format!("and {} kinds of choice more; --full shows them", grouped(more as u64)),
            width,
        ));
    }
    lines
}

/// `a or b`, or how many there are.
fn offered(tally: &ChoiceTally) -> String {
    match tally.options.as_slice() {
        [] => String::new(),
        [one] => format!("{one} in several ways"),
        [first @ .., last] if tally.options.len() <= 4 => format!("{} or {last}", first.join(", ")),
        many => format!("{} choices", many.len()),
    }
}

fn ways(chance: &ChanceReport, width: usize, view: &View) -> Vec<String> {
    let full = view.extent == Extent::Full;
    let (ways, steps) = if full { (usize::MAX, usize::MAX) } else { (LIMIT_WAYS, LIMIT_STEPS) };
    let mut lines = Vec::new();
    for way in chance.ways.iter().take(ways) {
        let title = if lines.is_empty() { "Most probable ways" } else { "" };
        let mut told: Vec<&str> = way.steps.iter().map(String::as_str).collect();
        if told.len() > steps {
            // Both ends say more than the middle.
            told.splice(steps / 2..way.steps.len() - (steps - steps / 2), ["…"]);
        }
        let told = if told.is_empty() { "at once".to_string() } else { told.join(" → ") };
        lines.extend(row(title, &format!("{}   {told}", value_text(way.chance, way.chance)), width));
    }
    lines
}

/// A table of situations and their values.
fn values(chance: &ChanceReport, width: usize, view: &View) -> Vec<String> {
    let limit = if view.extent == Extent::Full { usize::MAX } else { LIMIT_VALUES };
    let shown = &chance.values[..chance.values.len().min(limit)];
    let longest = shown.iter().map(|value| value.situation.chars().count()).max().unwrap_or(0);
    let room = longest.min(width.saturating_sub(16)).max(10);
    let mut lines = Vec::new();
    for value in shown {
        let situation = view.fit(&value.situation, room);
        lines.push(format!("{}  {}", pad(&situation, room), value_text(value.low, value.high)));
    }
    let more = chance.n_values - shown.len();
    if more > 0 {
        let hint = if view.extent == Extent::Full { "" } else { "; --full shows them" };
        lines.push(format!("{} more{hint}", grouped(more as u64)));
    }
    lines
}

/// A title and a text that may need several lines.
fn row(title: &str, text: &str, width: usize) -> Vec<String> {
    let wrapped = wrap(text, width.saturating_sub(TITLE + 1).max(30));
    let titles = std::iter::once(title).chain(std::iter::repeat(""));
    wrapped.iter().zip(titles).map(|(line, title)| format!("{} {line}", pad(title, TITLE))).collect()
}
