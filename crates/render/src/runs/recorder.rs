//! From events to bars: work that begins, is put aside, goes on and ends becomes pieces of a lane.

use motet_model::{Change, Ending, Event, What, Work};

use crate::runs::chronicle::{Bar, BarEnd, Break, BreakSort, Entry, Happening, Lane, Shift, Stay, WorkSort};
use crate::typesetting::page::plain;

/// Listens to events and keeps the lanes.
pub(crate) struct Recorder {
    lanes: Vec<Open>,
    entries: Vec<Entry>,
}

/// A lane under construction.
#[derive(Default)]
struct Open {
    lane: Lane,
    /// Bars that are being done, the outermost first.
    stack: Vec<usize>,
    /// Bars put aside, each with what was inside it; the last one put aside comes last.
    aside: Vec<Vec<usize>>,
}

impl Recorder {
    pub(crate) fn new(processes: &[String]) -> Self {
        let lane =
            |name: &String| Open { lane: Lane { name: plain(name), ..Lane::default() }, ..Open::default() };
        Self { lanes: processes.iter().map(lane).collect(), entries: Vec::new() }
    }

    pub(crate) fn n_entries(&self) -> usize {
        self.entries.len()
    }

    /// Takes an event in. Events of lanes that do not exist are a slip of the front-end and are left out.
    pub(crate) fn hear(&mut self, time: u64, step: usize, event: &Event, origin: Option<String>) {
        let lane = event.process.index();
        if lane >= self.lanes.len() {
            return;
        }
        let entry = self.entries.len();
        let open = &mut self.lanes[lane];
        match &event.what {
            What::Begins { .. } => open.begin(time, &event.what, origin.clone(), entry),
            What::Ends { name, how, .. } => open.end(time, &plain(name), *how),
            What::Resumes { name, .. } => open.resume(time, &plain(name)),
            What::Arrives { to, .. } => open.arrive(time, plain(to)),
            _ => {}
        }
        if let Some(what) = happening(&event.what, self.lanes.len()) {
            self.entries.push(Entry { time, step, lane, what, cause: false, origin });
        }
    }

    /// Marks the entries from `from` on that are behind a change of these atoms: those that speak of what the atom
    /// speaks of, on the lane it names where it names one; where no entry does, nothing is marked.
    pub(crate) fn blame(&mut self, from: usize, atoms: &[String]) {
        let names: Vec<String> = self.lanes.iter().map(|open| open.lane.name.clone()).collect();
        for atom in atoms {
            for entry in &mut self.entries[from..] {
                if speaks_of(entry, atom, &names) {
                    entry.cause = true;
                }
            }
        }
    }

    /// The finished lanes; what is not ended lasts to the end of the run.
    pub(crate) fn finish(mut self, end: u64) -> (Vec<Lane>, Vec<Entry>) {
        for open in &mut self.lanes {
            for at in std::mem::take(&mut open.stack) {
                open.lane.bars[at].end = end;
            }
            for at in std::mem::take(&mut open.aside).into_iter().flatten() {
                let bar = &mut open.lane.bars[at];
                bar.end = end;
                if let Some(last) = bar.breaks.last_mut() {
                    last.end = end;
                    bar.ending = Some(match last.why {
                        BreakSort::Interrupted => BarEnd::Interrupted,
                        BreakSort::Impassed => BarEnd::Impassed,
                    });
                }
            }
            if let Some(stay) = open.lane.stays.last_mut() {
                stay.end = end;
            }
        }
        (self.lanes.into_iter().map(|open| open.lane).collect(), self.entries)
    }
}

impl Open {
    fn begin(&mut self, time: u64, what: &What, origin: Option<String>, entry: usize) {
        let What::Begins { work, name, detail, length, priority } = what else { return };
        let inside = self.stack.last().copied();
        let least = inside.map_or(0, |at| self.lane.bars[at].row + 1);
        let open = self.stack.iter().chain(self.aside.iter().flatten());
        let taken: Vec<usize> = open.map(|at| self.lane.bars[*at].row).collect();
        let row = (least..).find(|row| !taken.contains(row)).expect("rows do not run out");
        self.stack.push(self.lane.bars.len());
        self.lane.bars.push(Bar {
            work: sort(*work),
            name: plain(name),
            detail: plain(detail),
            priority: priority.as_deref().map(plain),
            length: *length,
            start: time,
            end: time,
            ending: None,
            breaks: Vec::new(),
            inside,
            row,
            origin,
            guard: Vec::new(),
            entry,
        });
    }

    fn end(&mut self, time: u64, name: &str, how: Ending) {
        let active = self.stack.iter().rposition(|at| self.lane.bars[*at].name == name);
        let closed: Vec<usize> = match active {
            Some(at) => self.stack.split_off(at),
            None => {
                let aside = self.aside.iter().rposition(|group| self.lane.bars[group[0]].name == name);
                let Some(at) = aside else { return };
                self.aside.remove(at)
            }
        };
        let why = match how {
            Ending::Interrupted => Some(BreakSort::Interrupted),
            Ending::Impassed => Some(BreakSort::Impassed),
            Ending::Done | Ending::Aborted | Ending::Completed => None,
        };
        for (inner, at) in closed.iter().enumerate() {
            let bar = &mut self.lane.bars[*at];
            bar.end = time;
            match why {
                Some(why) if active.is_some() => bar.breaks.push(Break { start: time, end: time, why }),
                Some(_) => {}
                None => {
                    if let (None, Some(last)) = (active, bar.breaks.last_mut()) {
                        last.end = time;
                    }
                    // What was inside a frame that ends as planned has ended as planned before.
                    bar.ending =
                        Some(if inner == 0 || how != Ending::Done { bar_end(how) } else { BarEnd::Done });
                }
            }
        }
        if why.is_some() && !closed.is_empty() {
            self.aside.push(closed);
        }
    }

    fn resume(&mut self, time: u64, name: &str) {
        let found = self.aside.iter().rposition(|group| self.lane.bars[group[0]].name == name);
        let Some(at) = found else { return };
        for at in self.aside.remove(at) {
            if let Some(last) = self.lane.bars[at].breaks.last_mut() {
                last.end = time;
            }
            self.stack.push(at);
        }
    }

    fn arrive(&mut self, time: u64, place: String) {
        if let Some(last) = self.lane.stays.last_mut() {
            last.end = time;
        }
        self.lane.stays.push(Stay { start: time, end: time, place });
    }
}

fn happening(what: &What, n_lanes: usize) -> Option<Happening> {
    Some(match what {
        What::Begins { work, name, detail, length, priority } => Happening::Begins {
            work: sort(*work),
            name: plain(name),
            detail: plain(detail),
            length: *length,
            priority: priority.as_deref().map(plain),
        },
        What::Ends { work, name, how } => {
            Happening::Ends { work: sort(*work), name: plain(name), ending: bar_end(*how) }
        }
        What::Resumes { name, length } => Happening::Resumes { name: plain(name), length: *length },
        What::Thinks { name } => Happening::Thinks { name: plain(name) },
        What::Believes(change) => Happening::Believes(shift(change)),
        What::Makes(change) => Happening::Makes(shift(change)),
        What::Tells { to, content } if to.index() < n_lanes => {
            Happening::Tells { to: to.index(), content: plain(content) }
        }
        What::Tells { .. } => return None,
        What::Detects { name, action } => Happening::Detects { name: plain(name), action: plain(action) },
        What::Arrives { from, to } => Happening::Arrives { from: plain(from), place: plain(to) },
        What::Remarks { text } => Happening::Remarks { text: plain(text) },
    })
}

fn shift(change: &Change) -> Shift {
    Shift { subject: plain(&change.subject), before: plain(&change.before), after: plain(&change.after) }
}

fn sort(work: Work) -> WorkSort {
    match work {
        Work::Frame => WorkSort::Frame,
        Work::Primitive => WorkSort::Primitive,
        Work::Move => WorkSort::Move,
        Work::Communicate => WorkSort::Communicate,
        Work::Composite => WorkSort::Composite,
        Work::Handle => WorkSort::Handle,
        Work::Create => WorkSort::Create,
        Work::Foreign => WorkSort::Foreign,
    }
}

fn bar_end(how: Ending) -> BarEnd {
    match how {
        Ending::Done => BarEnd::Done,
        Ending::Aborted => BarEnd::Aborted,
        Ending::Completed => BarEnd::Completed,
        Ending::Interrupted => BarEnd::Interrupted,
        Ending::Impassed => BarEnd::Impassed,
    }
}

/// Whether an entry speaks of what an atom speaks of: a belief of the agent in `Bel(agent, Bob.location = chair)`, a
/// fact in `Bob.location = chair`, the frame in `Does(agent, wf_x)`.
fn speaks_of(entry: &Entry, atom: &str, names: &[String]) -> bool {
    let own = &names[entry.lane];
    let modal = |prefix: &str| atom.starts_with(prefix);
    // A subject of several words is a relation: `Nurse_one hasDN Digital_Nurse_one`.
    let named = |text: &str| text.split_whitespace().all(|word| holds_word(atom, word));
    match &entry.what {
        Happening::Believes(shift) => modal("Bel(") && named(&shift.subject) && named(own),
        Happening::Makes(shift) => !modal("Bel(") && named(&shift.subject),
        Happening::Arrives { .. } => !modal("Bel(") && named(&format!("{own}.location")),
        Happening::Begins { name, .. } | Happening::Ends { name, .. } | Happening::Resumes { name, .. } => {
            !modal("Bel(") && named(name) && named(own)
        }
        Happening::Tells { to, .. } => {
            let message = modal("Says(") || modal("Sends(") || modal("Reads(");
            message && named(own) && named(&names[*to])
        }
        Happening::Thinks { .. } | Happening::Detects { .. } | Happening::Remarks { .. } => false,
    }
}

/// Whether the text holds the word, with no letter of a name on either side of it.
pub(crate) fn holds_word(text: &str, word: &str) -> bool {
    let of_a_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            !text[..at].ends_with(of_a_name) && !text[at + word.len()..].starts_with(of_a_name)
        })
}
