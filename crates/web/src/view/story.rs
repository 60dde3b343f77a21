//! The story of a run so far, of bounded size.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use motet_render::RunEvent;
use serde_json::json;
use tokio::sync::watch;

use super::earlier::Earlier;

/// Events that are kept word for word.
const MOST_EVENTS: usize = 10_000;
/// Bytes of them.
const MOST_BYTES: usize = 48 << 20;
/// Events that are handed out at a time.
const HANDFUL: usize = 64;

/// An event as it is sent: its id and its text.
pub(super) type Told = (String, Arc<str>);

/// The story.
pub(super) struct Story {
    run: u64,
    kept: Mutex<Kept>,
    news: watch::Sender<u64>,
}

#[derive(Default)]
struct Kept {
    head: Option<Arc<str>>,
    /// What is left of events that are no longer kept.
    earlier: Earlier,
    events: VecDeque<Arc<str>>,
    bytes: usize,
    /// The number of the first event that is kept.
    first: u64,
    ended: bool,
    closed: bool,
}

impl Story {
    pub(super) fn new(run: u64) -> Self {
        Self { run, kept: Mutex::default(), news: watch::Sender::new(0) }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an event, and lets go of the oldest ones where there are too many.
    pub(super) fn add(&self, event: &RunEvent) {
        let text: Arc<str> = serde_json::to_string(event).expect("events are plain data").into();
        let mut kept = self.kept();
        match event {
            RunEvent::Begin(_) => kept.head = Some(text),
            RunEvent::Cycle(_) => kept.push(text, MOST_EVENTS, MOST_BYTES),
            RunEvent::End(_) => {
                kept.push(text, MOST_EVENTS, MOST_BYTES);
                kept.ended = true;
            }
        }
        drop(kept);
        self.news.send_modify(|n| *n += 1);
    }

    /// Nothing more will be told.
    pub(super) fn close(&self) {
        self.kept().closed = true;
        self.news.send_modify(|n| *n += 1);
    }

    /// Tells whenever there is something new.
    pub(super) fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    /// The place after an event with this id; `None` when it is of another run or no longer known.
    pub(super) fn place(&self, id: &str) -> Option<u64> {
        let (run, number) = id.split_once('-')?;
        let after = number.parse::<u64>().ok()?.checked_add(1)?;
        let kept = self.kept();
        let known = kept.first..=kept.first + kept.events.len() as u64;
        (u64::from_str_radix(run, 16) == Ok(self.run) && known.contains(&after)).then_some(after)
    }

    /// Some events from a place on, the place after them, and whether the story ends there. Who has no place, or one that is
    /// no longer known, is told how it began.
    pub(super) fn after(&self, place: Option<u64>) -> (u64, Vec<Told>, bool) {
        let kept = self.kept();
        let mut told = Vec::new();
        let at = match place.filter(|at| *at >= kept.first) {
            Some(at) => at,
            None if kept.head.is_none() => return (0, told, kept.closed),
            None => {
                // The id of the event before the first that is kept, so that who comes back goes on from there.
                let id = |number: u64| format!("{:x}-{number}", self.run);
                let before = id(kept.first.wrapping_sub(1));
                told.push((
                    before.clone(),
                    json!({"event": "story", "run": format!("{:x}", self.run)}).to_string().into(),
                ));
                told.extend(kept.head.iter().map(|head| (before.clone(), Arc::clone(head))));
                told.extend(kept.earlier.text().map(|text| (before, text.into())));
                kept.first
            }
        };
        let from = (at - kept.first) as usize;
        let events = kept.events.iter().enumerate().skip(from).take(HANDFUL);
        let n_before = told.len();
        told.extend(events.map(|(place, text)| {
            (format!("{:x}-{}", self.run, kept.first + place as u64), Arc::clone(text))
        }));
        let next = at + (told.len() - n_before) as u64;
        let is_all = next == kept.first + kept.events.len() as u64;
        (next, told, kept.closed || kept.ended && is_all)
    }
}

impl Kept {
    fn push(&mut self, text: Arc<str>, most_events: usize, most_bytes: usize) {
        self.bytes += text.len();
        self.events.push_back(text);
        while self.events.len() > most_events || (self.bytes > most_bytes && self.events.len() > 1) {
            let Some(oldest) = self.events.pop_front() else { return };
            self.bytes -= oldest.len();
            self.first += 1;
            self.earlier.keep(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use motet_render::{RunCycle, RunEnd, RunHead};

    fn begin() -> RunEvent {
        RunEvent::Begin(Box::new(RunHead { model: "boat".to_owned(), ..RunHead::default() }))
    }

    fn cycle(number: u64) -> RunEvent {
        RunEvent::Cycle(Box::new(RunCycle { cycle: number, ..RunCycle::default() }))
    }

    fn all(story: &Story, from: Option<u64>) -> (Vec<Told>, bool) {
        let (mut at, mut told) = (from, Vec::new());
        loop {
            let (next, more, over) = story.after(at);
            let nothing = more.is_empty();
            told.extend(more);
            at = Some(next);
            if nothing {
                return (told, over);
            }
        }
    }

    #[test]
    fn who_comes_late_hears_everything_in_order() {
        let story = Story::new(7);
        assert_eq!(story.after(None), (0, Vec::new(), false), "nothing has begun");
        story.add(&begin());
        (1..=200).for_each(|number| story.add(&cycle(number)));
        let (told, over) = all(&story, None);
        assert_eq!(told.len(), 202);
        assert!(told[0].1.contains("\"story\"") && told[1].1.contains("boat") && !over);
        assert!(told[201].1.contains("\"cycle\":200"));
        story.add(&RunEvent::End(Box::<RunEnd>::default()));
        assert!(all(&story, None).1, "now it is over");
    }

    #[test]
    fn who_comes_back_hears_the_rest_and_only_of_the_same_run() {
        let story = Story::new(0xab);
        story.add(&begin());
        (1..=5).for_each(|number| story.add(&cycle(number)));
        let (told, _) = all(&story, None);
        let place = story.place(&told[3].0);
        let (rest, _) = all(&story, place);
        assert_eq!(rest, told[4..]);
        assert_eq!(story.place(&told.last().unwrap().0), Some(5));
        for stranger in ["", "ac-2", "ab-99", "ab", "x-y", "ab-18446744073709551615"] {
            assert_eq!(story.place(stranger), None, "{stranger}");
        }
    }

    #[test]
    fn the_oldest_events_are_let_go_and_what_they_showed_is_kept() {
        let mut kept = Kept { head: Some("{}".into()), ..Kept::default() };
        for number in 0..9u32 {
            let shown =
                json!({"chart": {"shapes": [{"id": format!("mark {}", number % 2), "point": [number, 0]}]}});
            let text = json!({"event": "cycle", "cycle": number + 1, "shown": [shown]}).to_string();
            kept.push(text.into(), 3, usize::MAX);
        }
        assert_eq!((kept.events.len(), kept.first), (3, 6));
        let earlier = kept.earlier.text().expect("something was let go");
        assert!(
            earlier.contains("[4,0]") && earlier.contains("[5,0]") && !earlier.contains("[3,0]"),
            "{earlier}"
        );
        let story = Story { run: 1, kept: Mutex::new(kept), news: watch::Sender::new(0) };
        let (told, _) = all(&story, Some(2));
        assert_eq!(told.len(), 3 + 3, "who fell behind is told the story anew");
    }
}
