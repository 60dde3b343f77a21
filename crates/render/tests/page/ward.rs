//! A long day of a large team, made up: enough to make a page slow that draws all it has.

use motet_model::TimeUnit;
use motet_render::{
    Bar, BarEnd, Break, BreakSort, Chronicle, Entry, Happening, Lane, Shift, Stay, Strip, WorkSort,
};

const MINUTE: u64 = 60_000;

/// A ward of this many lanes, each with this many rounds of six minutes.
pub(crate) fn ward(lanes: usize, rounds: u64) -> Chronicle {
    let mut made: Vec<Lane> = Vec::new();
    let mut entries: Vec<Entry> = Vec::new();
    for lane in 0..lanes {
        let mut one = Lane { name: format!("Nurse_{lane}"), ..Lane::default() };
        for round in 0..rounds {
            let start = round * 6 * MINUTE + lane as u64 * 7_000;
            work(&mut one, start, round);
            happen(&mut entries, lane, (lane + 1) % lanes, start, round);
        }
        made.push(one);
    }
    entries.sort_by_key(|entry| entry.time);
    let end = rounds * 6 * MINUTE + lanes as u64 * 7_000;
    Chronicle {
        unit: TimeUnit::Milliseconds,
        end,
        repeats: None,
        steps: 0,
        times: vec![0],
        lanes: made,
        entries,
        strips: vec![Strip {
            atom: "Bel(Nurse_1, ward.calm = true)".to_string(),
            holds: vec![(end / 3, end / 2)],
        }],
        deadline: None,
    }
}

fn bar(work: WorkSort, name: &str, start: u64, end: u64, inside: Option<usize>, row: usize) -> Bar {
    Bar {
        work,
        name: name.to_string(),
        detail: String::new(),
        priority: Some("20".to_string()),
        length: Some(end - start),
        start,
        end,
        ending: Some(BarEnd::Done),
        breaks: Vec::new(),
        inside,
        row,
        origin: None,
        guard: Vec::new(),
        entry: 0,
    }
}

/// A frame with a move and an activity in it; every fifth is interrupted, every seventh held up, some are composite.
fn work(lane: &mut Lane, start: u64, round: u64) {
    let frame = lane.bars.len();
    let end = start + 5 * MINUTE;
    lane.bars.push(bar(WorkSort::Frame, "wf_round", start, end, None, 0));
    lane.bars.push(bar(WorkSort::Move, "goToBed", start, start + MINUTE, Some(frame), 1));
    let sort = [WorkSort::Primitive, WorkSort::Communicate, WorkSort::Composite][(round % 3) as usize];
    let mut inner = bar(sort, "turnPatient", start + MINUTE, end, Some(frame), 1);
    let gap = |why| Break { start: start + 2 * MINUTE, end: start + 3 * MINUTE, why };
    if round % 5 == 1 {
        inner.breaks.push(gap(BreakSort::Interrupted));
    } else if round % 7 == 2 {
        inner.breaks.push(gap(BreakSort::Impassed));
        inner.ending = Some(BarEnd::Aborted);
    }
    lane.bars.push(inner);
    if let Some(last) = lane.stays.last_mut() {
        last.end = start + MINUTE;
    }
    lane.stays.push(Stay { start: start + MINUTE, end, place: format!("bed_{}", round % 4) });
}

fn happen(entries: &mut Vec<Entry>, lane: usize, to: usize, start: u64, round: u64) {
    let shift = |value: u64| Shift {
        subject: format!("Patient_{}.turned", lane % 4),
        before: (value % 3).to_string(),
        after: ((value + 1) % 3).to_string(),
    };
    let begins = Happening::Begins {
        work: WorkSort::Frame,
        name: "wf_round".to_string(),
        detail: String::new(),
        length: None,
        priority: Some("20".to_string()),
    };
    let ends = Happening::Ends { work: WorkSort::Frame, name: "wf_round".to_string(), ending: BarEnd::Done };
    let happenings = [
        (0, begins),
        (1, Happening::Thinks { name: "tf_time".to_string() }),
        (1, Happening::Believes(shift(round))),
        (3, Happening::Makes(shift(round + lane as u64))),
        (4, Happening::Tells { to, content: "done".to_string() }),
        (5, ends),
    ];
    for (minute, what) in happenings {
        let time = start + minute * MINUTE;
        entries.push(Entry { time, step: 1, lane, what, cause: false, origin: None });
    }
}
