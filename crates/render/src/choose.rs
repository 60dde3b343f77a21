//! Which steps of a long run are told.

use motet_model::Weight;

use crate::tale::{Beat, Tale};

/// The steps worth telling, as indices in order, at most `limit` of them. A short run is told whole. Otherwise alarms
/// come first, then changes of the claim's atoms, then steps that mention what the claim is about, then messages and
/// actions; of equals the later one, because a reader looks for the cause from the end backwards.
pub(crate) fn choose(tale: &Tale, limit: usize) -> Vec<usize> {
    if tale.beats.len() <= limit {
        return (0..tale.beats.len()).collect();
    }
    let terms = terms(tale);
    let mut ranked: Vec<(u32, usize)> = tale
        .beats
        .iter()
        .enumerate()
        .map(|(at, beat)| (rank(beat, &terms), at))
        .filter(|(rank, _)| *rank > 0)
        .collect();
    ranked.sort_by(|a, b| b.cmp(a));
    ranked.truncate(limit);
    let mut chosen: Vec<usize> = ranked.into_iter().map(|(_, at)| at).collect();
    chosen.sort_unstable();
    chosen
}

fn rank(beat: &Beat, terms: &[String]) -> u32 {
    let base = match beat.weight {
        Weight::Idle => 0,
        Weight::Routine => 0,
        Weight::Notable => 2,
        Weight::Alarm => 16,
    };
    let change = if beat.changes.is_empty() { 0 } else { 8 };
    let text = squeezed(&beat.text);
    let label = beat.to.as_ref().map(|(_, label)| squeezed(label)).unwrap_or_default();
    let mentioned = terms.iter().any(|term| text.contains(term.as_str()) || label.contains(term.as_str()));
    base + change + if mentioned && beat.weight > Weight::Idle { 3 } else { 0 }
}

/// What the claim's atoms are about: `Bel(ag3, winner(ag3))` is about `winner(ag3)`.
fn terms(tale: &Tale) -> Vec<String> {
    let term = |atom: &str| {
        let squeezed = squeezed(atom);
        let modal = ["Bel(", "Des(", "Int(", "Does(", "Did(", "ItD("];
        match modal.iter().find_map(|prefix| squeezed.strip_prefix(prefix)) {
            Some(rest) => rest
                .split_once(',')
                .map(|(_, content)| content.strip_suffix(')').unwrap_or(content).to_string()),
            None => Some(squeezed),
        }
    };
    tale.atoms.iter().filter_map(|(atom, _)| term(atom)).filter(|term| term.len() > 1).collect()
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}
