//! What waits: states to be expanded, and batches that were expanded and wait to be filed in order.

use std::collections::BTreeMap;

use super::LONG;
use super::batch::Batch;
use crate::checking::settings::Order;

/// States in a batch, at most.
const MOST: u32 = 256;
/// Targets that a batch should have, at most.
const TARGETS: u64 = 2048;
/// Bytes of a batch that is kept for later, at most.
const SPARE: u64 = 8 << 20;
/// Batches per thread that may be under way, so that nobody runs far ahead of the one who files.
const AHEAD: u64 = 4;

/// What waits to be expanded. A state is put here once.
enum Waiting {
    /// First come, first served: states are numbered as they come, so two numbers say it all.
    Range { next: u32, end: u32 },
    /// Last come, first served, with depths.
    Stack(Vec<(u32, u64)>),
}

/// Batches that a thread is ready to file: a batch is filed fastest by the one who expanded it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Whose {
    Of(usize),
    /// For those who have nothing else to do.
    Anybody,
}

impl Whose {
    fn includes(self, owner: usize) -> bool {
        match self {
            Whose::Of(one) => one == owner,
            Whose::Anybody => true,
        }
    }
}

/// The states and batches that wait.
pub(crate) struct Queue {
    waiting: Waiting,
    slots: usize,
    /// Batches handed out so far.
    handed: u64,
    /// Batches filed so far.
    filed: u64,
    ready: BTreeMap<u64, Box<Batch>>,
    /// The next batch in order, of which a part is filed.
    unfinished: Option<Box<Batch>>,
    #[expect(clippy::vec_box, reason = "batches go from hand to hand in their boxes")]
    spare: Vec<Box<Batch>>,
    /// States per batch.
    share: u32,
}

impl Queue {
    pub(crate) fn new(order: Order, slots: usize) -> Self {
        let waiting = match order {
            Order::BreadthFirst => Waiting::Range { next: 0, end: 0 },
            Order::DepthFirst => Waiting::Stack(Vec::new()),
        };
        Self {
            waiting,
            slots,
            handed: 0,
            filed: 0,
            ready: BTreeMap::new(),
            unfinished: None,
            spare: Vec::new(),
            share: 1,
        }
    }

    /// Puts new states, which follow those that came before, to wait.
    pub(crate) fn extend(&mut self, new: impl Iterator<Item = (u32, u64)>) {
        match &mut self.waiting {
            Waiting::Range { end, .. } => *end += u32::try_from(new.count()).expect("numbered with 32 bits"),
            Waiting::Stack(stack) => stack.extend(new),
        }
    }

    /// Goes on with the states from `next` on, of so many.
    pub(crate) fn resume(&mut self, next: u32, states: usize) {
        let end = u32::try_from(states).expect("states are numbered with 32 bits");
        if let Waiting::Range { .. } = self.waiting {
            self.waiting = Waiting::Range { next, end };
        }
    }

    /// The next states to be expanded, if this thread may begin with some now.
    pub(crate) fn take(&mut self, threads: usize, owner: usize) -> Option<Box<Batch>> {
        if let Some(mut batch) = self.unfinished.take() {
            batch.owner = owner;
            return Some(batch);
        }
        let threads = threads as u64;
        if self.handed - self.filed >= AHEAD * threads {
            return None;
        }
        let spare = self.spare_of(owner, AHEAD * threads);
        let mut batch = spare.unwrap_or_else(|| Box::new(Batch::new(self.slots)));
        batch.clear();
        match &mut self.waiting {
            Waiting::Range { next, end } => {
                // Everybody gets something to do when little waits.
                let fair = u32::try_from(u64::from(*end - *next).div_ceil(2 * threads)).unwrap_or(MOST);
                let share = if threads == 1 { *end - *next } else { fair };
                let taken = *next..*next + share.min(self.share);
                *next = taken.end;
                batch.sources.extend(taken.map(|state| (state, 0)));
            }
            // Which state is next depends on what the last one leads to.
            Waiting::Stack(stack) if self.handed == self.filed => batch.sources.extend(stack.pop()),
            Waiting::Stack(_) => {}
        }
        if batch.sources.is_empty() {
            self.spare.push(batch);
            return None;
        }
        (batch.order, batch.owner) = (self.handed, owner);
        self.handed += 1;
        Some(batch)
    }

    /// A batch to be used again: the last one that this thread had, which may still be in its cache, or
    /// another's when there are as many as can be under way.
    fn spare_of(&mut self, owner: usize, most: u64) -> Option<Box<Batch>> {
        let own = self.spare.iter().rposition(|batch| batch.owner == owner);
        let made = self.handed - self.filed + self.spare.len() as u64;
        own.map(|place| self.spare.swap_remove(place))
            .or_else(|| if made < most { None } else { self.spare.pop() })
    }

    /// Whether nothing waits and nothing is under way.
    pub(crate) fn is_over(&self) -> bool {
        let waits = match &self.waiting {
            Waiting::Range { next, end } => next < end,
            Waiting::Stack(stack) => !stack.is_empty(),
        };
        !waits && self.handed == self.filed
    }

    /// Puts an expanded batch to wait until its turn comes.
    pub(crate) fn put(&mut self, batch: Box<Batch>) {
        self.ready.insert(batch.order, batch);
    }

    /// Whether the next batch in order is ready and one of these.
    pub(crate) fn is_ready(&self, whose: Whose) -> bool {
        self.ready.get(&self.filed).is_some_and(|batch| whose.includes(batch.owner))
    }

    /// The next batch in order, if it is ready and one of these.
    pub(crate) fn next_ready(&mut self, whose: Whose) -> Option<Box<Batch>> {
        self.is_ready(whose).then(|| self.ready.remove(&self.filed)).flatten()
    }

    /// Takes note that a batch with so many targets was filed, or a part of it.
    pub(crate) fn done(&mut self, mut batch: Box<Batch>, targets: u64) {
        let states = (batch.sources.len() as u64).max(1);
        let share = TARGETS * states / targets.max(states);
        let timely = u128::from(states) * LONG.as_nanos() / batch.took.as_nanos().max(1);
        let share = share.min(u64::try_from(timely).unwrap_or(u64::MAX));
        self.share = u32::try_from(share).unwrap_or(MOST).clamp(1, MOST);
        if batch.go_on() {
            self.unfinished = Some(batch);
            return;
        }
        self.filed += 1;
        // A state with very many steps makes a batch large; the next one hardly is.
        if batch.bytes() <= SPARE {
            self.spare.push(batch);
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        match &self.waiting {
            Waiting::Range { .. } => 0,
            Waiting::Stack(stack) => 16 * stack.capacity() as u64,
        }
    }
}
