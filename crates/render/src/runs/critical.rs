//! The chain of work behind a longest time: whose activities, one after the other, fill it from its beginning to its end.
//!
//! It is followed backwards. At the end of the time something happened on somebody's lane; the work that ended there began
//! when other work ended, of the same agent or of one that it waited for, and so on. What nobody worked in is told as a
//! wait.

use motet_evidence::Evidence;
use motet_model::{AtomId, Model};
use motet_property::{Extremum, Formula, Path};
use serde::Serialize;

use crate::runs::chronicle::{Bar, Chronicle};
use crate::runs::deadline::span;
use crate::typesetting::duration::{duration, instant};
use crate::typesetting::number::count;
use crate::typesetting::page::{Extent, View, pad, plain};

/// Links that are written out.
const LIMIT_LINKS: usize = 8;
/// Links that are followed at all.
const LINKS_MAX: usize = 10_000;

/// A part of the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Whose work; empty where nobody works.
    pub who: String,
    /// Which.
    pub what: String,
    /// From when, in the model's unit from the start of the run.
    pub start: u64,
    /// Until when.
    pub end: u64,
}

/// The chain behind the time that a claim asks for, if it asks for a longest one and the run gets there.
pub(crate) fn critical(
    chronicle: &Chronicle,
    evidence: &Evidence,
    model: &dyn Model,
    formula: &Path<AtomId>,
) -> Vec<Link> {
    match formula {
        Path::Now(Formula::Wait(Extremum::Max, from, to)) if evidence.loop_start.is_none() => {
            span(evidence, model, from.as_deref(), to).map_or_else(Vec::new, |span| chain(chronicle, span))
        }
        _ => Vec::new(),
    }
}

/// A piece of work without a break that ends at some instant.
struct Piece<'a> {
    lane: usize,
    bar: &'a Bar,
    start: u64,
    end: u64,
}

fn chain(chronicle: &Chronicle, (start, end): (u64, u64)) -> Vec<Link> {
    let pieces = pieces(chronicle);
    if pieces.is_empty() {
        return Vec::new();
    }
    let cause = chronicle.entries.iter().rev().find(|entry| entry.time == end && entry.cause);
    let mut lane = cause.map(|entry| entry.lane);
    let (mut links, mut at) = (Vec::<Link>::new(), end);
    while at > start && links.len() < LINKS_MAX {
        let own = |piece: &&Piece<'_>| usize::from(Some(piece.lane) != lane);
        let ending = pieces.iter().filter(|piece| piece.end == at && piece.start < at);
        let lasting = || pieces.iter().filter(|piece| piece.start < at && at <= piece.end);
        let found = ending
            .min_by_key(|piece| (own(piece), piece.start))
            .or_else(|| lasting().min_by_key(|piece| (own(piece), piece.start)));
        let (who, what, from) = match found {
            Some(piece) => {
                lane = Some(piece.lane);
                let what = format!("{} {}", piece.bar.name, piece.bar.detail).trim_end().to_string();
                (chronicle.lanes[piece.lane].name.clone(), what, piece.start)
            }
            None => {
                let before = pieces.iter().map(|piece| piece.end).filter(|end| *end < at).max();
                (String::new(), "nobody works".to_string(), before.unwrap_or(start))
            }
        };
        let from = from.max(start);
        links.push(Link { who, what, start: from, end: at });
        at = from;
    }
    links.reverse();
    links
}

/// All work that has no other work inside it, cut where it was put aside.
fn pieces(chronicle: &Chronicle) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for (lane, of) in chronicle.lanes.iter().enumerate() {
        for (number, bar) in of.bars.iter().enumerate() {
            if of.bars.iter().any(|inner| inner.inside == Some(number) && inner.end > inner.start) {
                continue;
            }
            let mut start = bar.start;
            for pause in &bar.breaks {
                pieces.push(Piece { lane, bar, start, end: pause.start });
                start = pause.end;
            }
            pieces.push(Piece { lane, bar, start, end: bar.end });
        }
    }
    pieces
}

/// The chain as a table.
pub(crate) fn chain_lines(links: &[Link], chronicle: &Chronicle, view: &View) -> Vec<String> {
    if links.is_empty() {
        return Vec::new();
    }
    let unit = chronicle.unit;
    let limit = if view.extent == Extent::Full { usize::MAX } else { LIMIT_LINKS };
    let width =
        |of: &dyn Fn(&Link) -> &str| links.iter().map(|link| of(link).chars().count()).max().unwrap_or(0);
    let (who, what) = (width(&|link| &link.who).min(24), width(&|link| &link.what).min(32));
    let line = |link: &Link| {
        let (name, work) = (view.fit(&plain(&link.who), who), view.fit(&plain(&link.what), what));
        let length = duration(link.end - link.start, unit);
        format!("{}  {}  {}  {length}", instant(link.start, unit), pad(&name, who), pad(&work, what))
    };
    let mut lines = vec![format!("the chain of work behind it, {}:", count(links.len(), "part"))];
    if links.len() <= limit {
        lines.extend(links.iter().map(line));
        return lines;
    }
    // The longest parts tell most.
    let mut longest: Vec<usize> = (0..links.len()).collect();
    longest.sort_by_key(|&at| std::cmp::Reverse(links[at].end - links[at].start));
    longest.truncate(limit);
    longest.sort_unstable();
    lines.extend(longest.iter().map(|&at| line(&links[at])));
    let told: u64 = longest.iter().map(|&at| links[at].end - links[at].start).sum();
    let all: u64 = links.iter().map(|link| link.end - link.start).sum();
    let rest = links.len() - longest.len();
    lines.push(format!("{rest} shorter ones, {} together; --full to see all", duration(all - told, unit)));
    lines
}

#[cfg(test)]
mod tests {
    use motet_model::TimeUnit;

    use super::*;
    use crate::runs::chronicle::{Lane, WorkSort};

    fn bar(name: &str, start: u64, end: u64) -> Bar {
        Bar {
            work: WorkSort::Primitive,
            name: name.to_string(),
            detail: String::new(),
            priority: None,
            length: None,
            start,
            end,
            ending: None,
            breaks: Vec::new(),
            inside: None,
            row: 0,
            origin: None,
            guard: Vec::new(),
            entry: 0,
        }
    }

    /// Bob cooks from 2 to 7 after Ann has shopped from 0 to 2; then nothing happens until the meal at 9.
    #[test]
    fn the_chain_goes_over_to_who_was_waited_for_and_tells_when_nobody_works() {
        let lane = |name: &str, bars| Lane { name: name.to_string(), bars, stays: Vec::new() };
        let chronicle = Chronicle {
            unit: TimeUnit::Milliseconds,
            end: 9,
            repeats: None,
            steps: 0,
            times: vec![0],
            lanes: vec![
                lane("Ann", vec![bar("shop", 0, 2), bar("rest", 3, 6)]),
                lane("Bob", vec![bar("cook", 2, 7)]),
            ],
            entries: Vec::new(),
            strips: Vec::new(),
            deadline: None,
        };
        let links = chain(&chronicle, (0, 9));
        let told: Vec<(&str, &str, u64)> =
            links.iter().map(|link| (link.who.as_str(), link.what.as_str(), link.end - link.start)).collect();
        assert_eq!(told, [("Ann", "shop", 2), ("Bob", "cook", 5), ("", "nobody works", 2)]);
        // From the middle of an activity on only the rest of it counts.
        assert_eq!(chain(&chronicle, (4, 7)).iter().map(|link| link.start).collect::<Vec<_>>(), [4]);
    }
}
