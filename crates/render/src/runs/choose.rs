//! Which steps of a long run are told.

use std::collections::BTreeMap;
use std::ops::Range;

use motet_model::Weight;

use crate::runs::tale::{Beat, Tale};

/// A notable step whose like occurs more often than this is background, once something essential is known.
const LIMIT_ALIKE: u32 = 4;

/// A story of fewer rows is filled up with the last steps.
const LEAST_ROWS: usize = 6;

/// The steps of a part of the tale worth telling, as indices in order, at most `limit` of them. A short run is told
/// whole. Otherwise alarms come first, then changes of the claim's atoms, then notable steps that mention what the claim
/// is about, then notable steps by how rare their like is, then bookkeeping that mentions it; of equals the later one,
/// because a reader looks for the cause from the end backwards.
pub(crate) fn choose(tale: &Tale, part: Range<usize>, limit: usize) -> Vec<usize> {
    let start = part.start;
    let beats = &tale.beats[part.clone()];
    if beats.len() <= limit {
        return part.collect();
    }
    let terms = terms(tale);
    let alike = alike(beats);
    let essential = beats.iter().any(|beat| beat.weight == Weight::Alarm || !beat.changes.is_empty());
    let mut ranked: Vec<(u32, usize)> = Vec::new();
    for (at, beat) in beats.iter().enumerate() {
        let n_alike = alike[&shape(beat)];
        let rank = rank(beat, mentions(beat, &terms), n_alike, (at + 1, beats.len()));
        let background = essential && rank < MENTIONED && n_alike > LIMIT_ALIKE;
        if rank > 0 && !background {
            ranked.push((rank, at));
        }
    }
    ranked.sort_by(|a, b| b.cmp(a));
    ranked.truncate(limit);
    let mut chosen: Vec<usize> = ranked.into_iter().map(|(_, at)| at).collect();
    // A run whose steps are all alike, such as one that exceeds a bound, is told by how it ends.
    let busy = (0..beats.len()).rev().filter(|at| beats[*at].weight > Weight::Idle);
    for at in busy {
        if chosen.len() >= LEAST_ROWS.min(limit) {
            break;
        }
        if !chosen.contains(&at) {
            chosen.push(at);
        }
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|at| start + at).collect()
}

const ALARM: u32 = 10_000;
const CHANGE: u32 = 5_000;
const MENTIONED: u32 = 2_000;
const NOTABLE: u32 = 1_000;

/// `place` is the step's number of how many: of rare steps the late ones tell more.
fn rank(beat: &Beat, mentioned: bool, n_alike: u32, place: (usize, usize)) -> u32 {
    let late = |rank: u32| {
        let share = u64::from(rank) * place.0 as u64 / place.1.max(1) as u64;
        u32::try_from(share).unwrap_or(rank).max(2)
    };
    let change = if beat.changes.is_empty() { 0 } else { CHANGE };
    change
        + match (beat.weight, mentioned) {
            (Weight::Alarm, _) => ALARM,
            (Weight::Notable, true) => MENTIONED,
            (Weight::Notable, false) => late(NOTABLE / n_alike.max(1)),
            (Weight::Routine, true) => 1,
            (Weight::Routine, false) | (Weight::Idle, _) => 0,
        }
}

/// How often each shape occurs.
fn alike(beats: &[Beat]) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for beat in beats {
        *counts.entry(shape(beat)).or_insert(0) += 1;
    }
    counts
}

/// The step without its numbers: all bids have one shape.
fn shape(beat: &Beat) -> String {
    let label = beat.to.as_ref().map_or("", |(_, label)| label.as_str());
    beat.text.chars().chain(label.chars()).filter(|letter| !letter.is_ascii_digit()).collect()
}

fn mentions(beat: &Beat, terms: &[String]) -> bool {
    let text = squeezed(&beat.text);
    let label = beat.to.as_ref().map(|(_, label)| squeezed(label)).unwrap_or_default();
    terms.iter().any(|term| text.contains(term.as_str()) || label.contains(term.as_str()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::tale::{Change, End};

    fn beat(text: &str, weight: Weight) -> Beat {
        Beat { process: 0, text: text.to_string(), to: None, weight, changes: Vec::new(), origin: None }
    }

    fn tale(beats: Vec<Beat>) -> Tale {
        Tale {
            processes: vec!["ag3".to_string()],
            beats,
            loop_start: None,
            end: End::Open,
            atoms: vec![("Des(ag3, alliance(ag3, ag2))".to_string(), false)],
            whys: Vec::new(),
            facts: Vec::new(),
            waits: Vec::new(),
            unscheduled: Vec::new(),
            chronicle: None,
            album: None,
            from: 0,
            branches: Vec::new(),
            critical: Vec::new(),
        }
    }

    #[test]
    fn alarms_changes_mentions_and_rare_steps_are_told_and_repetition_is_not() {
        let mut beats: Vec<Beat> =
            (0..20).map(|bid| beat(&format!("place_bid({bid})"), Weight::Notable)).collect();
        beats.push(beat("auction(5)", Weight::Notable));
        beats.push(Beat {
            changes: vec![Change { atom: "a".to_string(), now: true }],
            ..beat("+!alliance(ag3,ag2)", Weight::Routine)
        });
        beats.push(beat("tell alliance(ag3,ag2)", Weight::Notable));
        beats.push(beat("idle", Weight::Idle));
        beats.push(beat("dropped", Weight::Alarm));
        let tale = tale(beats);
        assert_eq!(choose(&tale, 0..tale.beats.len(), 12), [18, 19, 20, 21, 22, 24], "two bids fill it up");
        assert_eq!(choose(&tale, 0..tale.beats.len(), 2), [21, 24]);
    }

    #[test]
    fn a_run_without_anything_essential_still_tells_something() {
        let tale = tale((0..20).map(|bid| beat(&format!("place_bid({bid})"), Weight::Notable)).collect());
        assert_eq!(choose(&tale, 0..20, 3), [17, 18, 19]);
        assert_eq!(choose(&tale, 5..10, 3), [7, 8, 9], "a part of it ends elsewhere");
    }
}
