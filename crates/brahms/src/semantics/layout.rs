//! What the slots of a state mean.
//!
//! First come three slots for where within an instant the model is, then a few for each actor, then one for each value that
//! can change. Everything else is constant and looked up.

use std::collections::BTreeSet;

use super::cells::View;
use super::reach::Reach;
use super::value::{Codec, FALSE, UNKNOWN, ZERO};
use super::writes::{FACTS, Writes, beliefs_of};
use crate::program::{
    ActivityNode, ActorId, AttributeId, AttributeKind, Detectable, EntityId, Frame, Key, KeyId, Program,
    Reads, Repeat, Statement,
};

/// Where within an instant the model is; see [`super::schedule`].
pub(crate) const MOMENT: usize = 0;
/// How often everybody had a turn at this instant.
pub(crate) const ROUND: usize = 1;
/// How many thoughtframes fired in this turn.
pub(crate) const THOUGHTS: usize = 2;
const FIRST: usize = 3;

/// Where the value of a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// In a slot.
    Slot(u32),
    /// It never changes.
    Value(u32),
}

/// The slots of one actor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seat {
    /// What it works on.
    pub(crate) control: usize,
    /// Seconds until its running activity ends.
    pub(crate) remaining: usize,
    /// Frames with `repeat: false` that were done.
    pub(crate) done: Option<usize>,
    /// Frames that do not start again before something changes.
    pub(crate) blocked: Option<usize>,
    /// Thoughtframes that do not fire again before something changes.
    pub(crate) spent: Option<usize>,
    /// How many detectables there are.
    pub(crate) detectables: u32,
    /// The first slot of the bits of detectables that have to be looked at; then those of detectables whose frame has just
    /// started or resumed, to which every fact is new.
    pub(crate) due: usize,
    /// How many such slots there are.
    pub(crate) due_width: usize,
    /// The keys of facts that can change and that detectables look for, in order: each has a bit.
    pub(crate) looked_for: Box<[KeyId]>,
    /// The first slot of the bits of facts that were stated since the actor last looked.
    pub(crate) news: usize,
    /// How many such slots there are.
    pub(crate) news_width: usize,
}

impl Seat {
    /// The slots of what has to be looked at, and of what is new. They are 0 whenever an instant is over.
    pub(crate) fn marks(&self) -> impl Iterator<Item = usize> + use<> {
        (self.due..self.due + self.due_width).chain(self.news..self.news + self.news_width)
    }
}

/// What a slot means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Where within an instant the model is.
    Moment,
    /// A part of an actor's control.
    Control(ActorId),
    /// The value of a key in a store.
    Value {
        /// 0 for facts, 1 + actor for beliefs.
        store: usize,
        /// Which key.
        key: KeyId,
    },
    /// Whether an entity exists.
    Exists(EntityId),
    /// Who wrote the value of a key at this instant, where two actors can; nothing whenever an instant is over.
    Writers {
        /// 0 for facts, 1 + actor for beliefs.
        store: usize,
        /// Which key.
        key: KeyId,
    },
    /// Which messages were just delivered.
    Said,
    /// How often something was done in the step that is worked out; nothing in states.
    Earned,
}

/// The shape of states.
#[derive(Debug)]
pub(crate) struct Layout {
    keys: usize,
    cells: Vec<Cell>,
    /// For each value that two actors can write, the slot that says who did at this instant; 0 for others.
    writers: Vec<u32>,
    /// All slots that say who wrote something at this instant.
    pub(crate) contended: Vec<usize>,
    /// What unknown values are read as; all unknown unless the rules say otherwise.
    pub(crate) defaults: Vec<u32>,
    rows: Vec<Box<[u32]>>,
    /// The slots of each actor.
    pub(crate) seats: Vec<Seat>,
    /// For entities that can come and go, where it says whether they are there.
    pub(crate) exists: Vec<Option<usize>>,
    /// For each slot, whom a change may concern.
    pub(crate) wakes: Vec<Box<[u32]>>,
    /// For each slot, the bits that a change sets: of detectables that look at it, and of what is new.
    pub(crate) watched: Vec<Box<[(usize, u32)]>>,
    /// For each actor, the bits of its detectables that are looked at whenever something changes.
    pub(crate) whenever: Vec<Box<[u32]>>,
    /// What each slot means.
    pub(crate) meanings: Vec<Meaning>,
    /// The state before anything happened, with everybody idle.
    pub(crate) initial: Vec<u32>,
    /// For detectables of a frame: the first of their bits.
    pub(crate) frame_bits: Vec<u32>,
    /// For detectables of a composite activity: the first of their bits.
    pub(crate) activity_bits: Vec<u32>,
    /// The slot of messages, if claims speak of them.
    pub(crate) said: Option<usize>,
    /// The first slot of what is counted, if claims ask for it.
    pub(crate) earned: Option<usize>,
}

impl Layout {
    /// The layout of a program whose keys are complete.
    pub(super) fn new(program: &Program, codec: &Codec, events: usize, counts: usize) -> Self {
        let keys = program.keys.len();
        let stored = stored(program, codec);
        let writes = Writes::of(program, &stored);
        let mut layout = Self {
            keys,
            cells: Vec::with_capacity(stored.len()),
            writers: Vec::new(),
            contended: Vec::new(),
            defaults: defaults(program),
            rows: rows(program),
            seats: Vec::new(),
            exists: Vec::new(),
            wakes: Vec::new(),
            watched: Vec::new(),
            whenever: Vec::new(),
            meanings: vec![Meaning::Moment; FIRST],
            initial: vec![0; FIRST],
            frame_bits: vec![0; program.frames.len()],
            activity_bits: vec![0; program.activities.len()],
            said: None,
            earned: None,
        };
        layout.number_detectables(program);
        layout.look_for(program, &writes);
        for actor in actors(program) {
            layout.seat(program, actor);
        }
        for (number, entity) in program.entities.iter().enumerate() {
            let id = EntityId(u32::try_from(number).expect("entities are numbered with 32 bits"));
            let slot =
                writes.passing[number].then(|| layout.push(Meaning::Exists(id), u32::from(entity.exists)));
            layout.exists.push(slot);
        }
        for store in 0..=program.actors.len() {
            for (key, what) in program.keys.iter() {
                let word = stored[store * keys + key.index()];
                let cell = if writes.writes(store, key) {
                    let here = store != FACTS || program.entities[subject_of(what).index()].exists;
                    let slot = layout.push(Meaning::Value { store, key }, if here { word } else { UNKNOWN });
                    Cell::Slot(u32::try_from(slot).expect("slots are numbered with 32 bits"))
                } else {
                    Cell::Value(word)
                };
                layout.cells.push(cell);
            }
        }
        layout.contend(program, &writes);
        if counts > 0 {
            layout.earned = Some(layout.push(Meaning::Earned, 0));
            (1..counts).for_each(|_| {
                layout.push(Meaning::Earned, 0);
            });
        }
        if events > 0 {
            layout.said = Some(layout.push(Meaning::Said, 0));
            (32..events).step_by(32).for_each(|_| {
                layout.push(Meaning::Said, 0);
            });
        }
        layout.connect(program);
        layout
    }

    /// Slots for who wrote what at this instant, where two actors can.
    fn contend(&mut self, program: &Program, writes: &Writes) {
        // A slot holds the numbers of two actors.
        if program.actors.len() >= usize::from(u16::MAX) {
            return;
        }
        for store in 0..=program.actors.len() {
            for (key, _) in program.keys.iter().filter(|(key, _)| writes.is_contended(store, *key)) {
                let slot = self.push(Meaning::Writers { store, key }, 0);
                self.contended.push(slot);
                self.writers.resize(self.cells.len(), 0);
                self.writers[store * self.keys + key.index()] =
                    u32::try_from(slot).expect("slots are numbered with 32 bits");
            }
        }
    }

    /// The slot that says who wrote a store's value for a key at this instant, if two actors can.
    pub(crate) fn writers(&self, store: usize, key: KeyId) -> Option<usize> {
        let slot = self.writers.get(store * self.keys + key.index()).copied().unwrap_or(0);
        (slot > 0).then_some(slot as usize)
    }

    /// Where a store has its value for a key.
    pub(crate) fn cell(&self, store: usize, key: KeyId) -> Cell {
        self.cells[store * self.keys + key.index()]
    }

    /// What a store holds, before defaults.
    pub(crate) fn stored<'c>(&self, cells: impl Into<View<'c>>, store: usize, key: KeyId) -> u32 {
        match self.cell(store, key) {
            Cell::Slot(slot) => cells.into()[slot as usize],
            Cell::Value(word) => word,
        }
    }

    /// What reading a key from a store gives.
    pub(crate) fn read<'c>(&self, cells: impl Into<View<'c>>, store: usize, key: KeyId) -> u32 {
        match self.stored(cells, store, key) {
            UNKNOWN => self.defaults[key.index()],
            word => word,
        }
    }

    /// The key `x.a`, if any text speaks of it.
    pub(crate) fn attribute(&self, entity: EntityId, attribute: AttributeId) -> Option<KeyId> {
        let row = &self.rows[attribute.index()];
        row.get(entity.index()).and_then(|number| number.checked_sub(1)).map(KeyId)
    }

    /// Whether an entity is there.
    pub(crate) fn is_there<'c>(&self, cells: impl Into<View<'c>>, entity: EntityId) -> bool {
        self.exists[entity.index()].is_none_or(|slot| cells.into()[slot] != 0)
    }

    fn push(&mut self, meaning: Meaning, value: u32) -> usize {
        self.meanings.push(meaning);
        self.initial.push(value);
        self.meanings.len() - 1
    }

    fn number_detectables(&mut self, program: &Program) {
        let mut next = vec![0u32; program.actors.len()];
        let count = |detectables: &[Detectable]| {
            u32::try_from(detectables.len()).expect("detectables are numbered with 32 bits")
        };
        for (number, frame) in program.frames.iter().enumerate() {
            let next = &mut next[frame.actor.index()];
            self.frame_bits[number] = *next;
            *next += count(&frame.detectables);
            for statement in &frame.body {
                let Statement::Do(activity) = statement else { continue };
                if let ActivityNode::Composite { detectables, .. } =
                    &program.activities[activity.index()].node
                {
                    self.activity_bits[activity.index()] = *next;
                    *next += count(detectables);
                }
            }
        }
        let seat = |bits: u32| Seat {
            detectables: bits,
            due_width: (2 * bits as usize).div_ceil(32),
            ..Seat::default()
        };
        self.seats = next.into_iter().map(seat).collect();
    }

    /// The facts that each actor looks for and that can change.
    fn look_for(&mut self, program: &Program, writes: &Writes) {
        let mut sought = vec![BTreeSet::new(); self.seats.len()];
        let reach = Reach { program };
        for (frame, detectable, _) in detectables(program, &self.frame_bits, &self.activity_bits) {
            let keys = reach.sought(frame, &detectable.sought).into_iter();
            let keys = keys.chain(reach.test(frame, &detectable.sought));
            sought[frame.actor.index()].extend(keys.filter(|key| writes.writes(FACTS, *key)));
        }
        for (seat, keys) in self.seats.iter_mut().zip(sought) {
            seat.looked_for = keys.into_iter().collect();
            seat.news_width = seat.looked_for.len().div_ceil(32);
        }
    }

    fn seat(&mut self, program: &Program, actor: ActorId) {
        let frames = || program.frames.iter().filter(|frame| frame.actor == actor);
        let once = frames().any(|frame| frame.repeat != Repeat::Always);
        let looks = self.seats[actor.index()].due_width > 0;
        let thinks = frames().any(|frame| !frame.body.is_empty() && frame.body.iter().all(is_conclusion));
        let meaning = Meaning::Control(actor);
        let control = self.push(meaning, 0);
        let remaining = self.push(meaning, 0);
        let done = once.then(|| self.push(meaning, 0));
        let blocked = looks.then(|| self.push(meaning, 0));
        let spent = thinks.then(|| self.push(meaning, 0));
        let Seat { due_width, news_width, .. } = self.seats[actor.index()];
        let due = self.meanings.len();
        let news = due + due_width;
        for _ in 0..due_width + news_width {
            self.push(meaning, 0);
        }
        let seat = &mut self.seats[actor.index()];
        (seat.control, seat.remaining) = (control, remaining);
        (seat.done, seat.blocked, seat.spent) = (done, blocked, spent);
        (seat.due, seat.news) = (due, news);
    }

    /// Who looks at which slot.
    fn connect(&mut self, program: &Program) {
        let width = self.meanings.len();
        let mut watched: Vec<Vec<(usize, u32)>> = vec![Vec::new(); width];
        let mut whenever: Vec<Box<[u32]>> =
            self.seats.iter().map(|seat| vec![0; seat.due_width].into_boxed_slice()).collect();
        let reach = Reach { program };
        let mut readers: Vec<Vec<u32>> = vec![Vec::new(); program.keys.len()];
        let mut reads = |keys: &[KeyId], actor: ActorId| {
            for key in keys {
                let known = &mut readers[key.index()];
                if known.last() != Some(&actor.0) && !known.contains(&actor.0) {
                    known.push(actor.0);
                }
            }
        };
        for (frame, detectable, bit) in detectables(program, &self.frame_bits, &self.activity_bits) {
            let mut keys = reach.sought(frame, &detectable.sought);
            keys.extend(reach.test(frame, &detectable.sought));
            let due = self.seats[frame.actor.index()].due + bit as usize / 32;
            if detectable.percent.is_none() {
                whenever[frame.actor.index()][bit as usize / 32] |= 1 << (bit % 32);
            }
            // Those that wait for a point of the frame's time are looked at then.
            for key in keys.iter().filter(|_| detectable.percent.is_none()) {
                for store in [FACTS, beliefs_of(frame.actor)] {
                    if let Cell::Slot(slot) = self.cell(store, *key) {
                        add_bit(&mut watched[slot as usize], due, 1 << (bit % 32));
                    }
                }
            }
            reads(&keys, frame.actor);
        }
        for seat in &self.seats {
            for (at, key) in (0..).zip(&seat.looked_for) {
                if let Cell::Slot(slot) = self.cell(FACTS, *key) {
                    add_bit(&mut watched[slot as usize], seat.news + at / 32, 1 << (at % 32));
                }
            }
        }
        for frame in program.frames.iter().filter(|frame| frame.reads == Reads::Facts) {
            for condition in &frame.guard {
                reads(&reach.condition(frame, &condition.node), frame.actor);
            }
        }
        self.wakes = self.meanings.iter().map(|meaning| wakes(*meaning, &readers)).collect();
        self.whenever = whenever;
        self.watched = watched.into_iter().map(Vec::into_boxed_slice).collect();
    }
}

/// All detectables with the frame that they are in, or that performs the activity they are in, and their bits.
fn detectables<'p>(
    program: &'p Program,
    frame_bits: &[u32],
    activity_bits: &[u32],
) -> Vec<(&'p Frame, &'p Detectable, u32)> {
    let mut all = Vec::new();
    for (frame, first) in program.frames.iter().zip(frame_bits) {
        all.extend((*first..).zip(&frame.detectables).map(|(bit, one)| (frame, one, bit)));
        for statement in &frame.body {
            let Statement::Do(activity) = statement else { continue };
            if let ActivityNode::Composite { detectables, .. } = &program.activities[activity.index()].node {
                let first = activity_bits[activity.index()];
                all.extend((first..).zip(detectables).map(|(bit, one)| (frame, one, bit)));
            }
        }
    }
    all
}

fn wakes(meaning: Meaning, readers: &[Vec<u32>]) -> Box<[u32]> {
    match meaning {
        Meaning::Value { store: FACTS, key } => readers[key.index()].clone().into_boxed_slice(),
        Meaning::Value { store, .. } => Box::new([u32::try_from(store - 1).expect("actors are numbered")]),
        Meaning::Control(actor) => Box::new([actor.0]),
        Meaning::Exists(_) | Meaning::Moment | Meaning::Writers { .. } | Meaning::Said | Meaning::Earned => {
            Box::new([])
        }
    }
}

fn add_bit(bits: &mut Vec<(usize, u32)>, slot: usize, bit: u32) {
    match bits.iter_mut().find(|(known, _)| *known == slot) {
        Some((_, mask)) => *mask |= bit,
        None => bits.push((slot, bit)),
    }
}

fn is_conclusion(statement: &Statement) -> bool {
    matches!(statement, Statement::Conclude(_))
}

/// The actors of a program.
pub(crate) fn actors(program: &Program) -> impl DoubleEndedIterator<Item = ActorId> + use<> {
    (0..u32::try_from(program.actors.len()).expect("actors are numbered with 32 bits")).map(ActorId)
}

/// Whom a key is about.
pub(crate) fn subject_of(key: Key) -> EntityId {
    let (Key::Attribute(of, _) | Key::Entry(of, _, _) | Key::Pair(of, _, _)) = key;
    of
}

/// What all stores hold at the start.
fn stored(program: &Program, codec: &Codec) -> Vec<u32> {
    let keys = program.keys.len();
    let mut words = vec![UNKNOWN; keys * (1 + program.actors.len())];
    for (key, value) in &program.facts {
        words[key.index()] = codec.encode(*value);
    }
    for (number, actor) in program.actors.iter().enumerate() {
        for (key, value) in &actor.beliefs {
            words[(1 + number) * keys + key.index()] = codec.encode(*value);
        }
    }
    words
}

/// `unknown=zero`: whole numbers start at 0 and truths at false, as in the thesis' translation.
fn defaults(program: &Program) -> Vec<u32> {
    let default = |key: Key| match key {
        Key::Attribute(_, attribute) if program.rules.unknown_is_zero => {
            match program.attributes[attribute.index()].kind {
                AttributeKind::Int | AttributeKind::Double => ZERO,
                AttributeKind::Bool => FALSE,
                _ => UNKNOWN,
            }
        }
        _ => UNKNOWN,
    };
    program.keys.iter().map(|(_, key)| default(key)).collect()
}

fn rows(program: &Program) -> Vec<Box<[u32]>> {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); program.attributes.len()];
    for (number, key) in program.keys.iter() {
        if let Key::Attribute(entity, attribute) = key {
            let row = &mut rows[attribute.index()];
            if row.len() <= entity.index() {
                row.resize(entity.index() + 1, 0);
            }
            row[entity.index()] = number.0 + 1;
        }
    }
    rows.into_iter().map(Vec::into_boxed_slice).collect()
}
