//! The one search loop, for one thread or several. What is expanded next is a strategy plugged in: a queue or a stack.

mod batch;
mod clerk;
mod ledger;
mod queue;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard};
use std::thread::Scope;
use std::time::{Duration, Instant};

use motet_evidence::Stop;
use motet_model::{AtomId, Model, RewardId};
use motet_property::Formula;

use crate::checking::settings::Order;
use crate::exploration::graph::{Earned, End, Graph, Ordered, Rows};
use crate::exploration::limits::{Meter, is_limit};
use crate::exploration::threads::{n_threads, start};
use crate::reductions::ample::{Ample, Proviso};
use crate::reductions::chain::Chained;
use crate::storage::bits::Bits;
use crate::storage::spill::{Spilling, give_up, unless_lost};
use crate::storage::store::{Arena, Store};

use batch::{Batch, Questions};
use ledger::{Bounds, Ledger, Turn};
use queue::{Queue, Whose};

/// What an exploration has to bring back.
#[derive(Default)]
pub(crate) struct Plan<'m> {
    /// Evaluated in every state.
    pub(crate) atoms: Vec<AtomId>,
    /// Whether the steps between states are kept.
    pub(crate) edges: Edges,
    pub(crate) order: Order,
    /// Asked of every state and step.
    pub(crate) rewards: Vec<RewardId>,
    /// The exploration ends when each of these state formulas was found to hold somewhere; empty means never.
    pub(crate) goals: Vec<Formula<AtomId>>,
    /// How many threads work at the same time; 0 means as many as there are cores.
    pub(crate) threads: usize,
    /// Whether orders of steps are left out that the atoms cannot tell, and what makes sure that no step is for ever.
    pub(crate) partial_order: Option<Proviso>,
    /// The model, if its steps run on through states that are not kept.
    pub(crate) chains: Option<&'m Chained<'m>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Edges {
    Keep,
    KeepDelays,
    /// Delays, chances and which edges belong to one step.
    KeepChances,
    #[default]
    Drop,
}

/// Explores a model until everything is expanded, everything is decided or a limit is reached.
pub(crate) fn explore<M: Model + ?Sized>(model: &M, plan: Plan<'_>, meter: &mut Meter<'_>) -> Graph {
    let threads = match (plan.order, plan.threads) {
        (Order::DepthFirst, _) => 1,
        (Order::BreadthFirst, asked) => n_threads(asked),
    };
    let hall = Hall::new(model, plan, threads, meter);
    std::thread::scope(|scope| hall.explore(scope, meter));
    if meter.spill.and_then(Spilling::lost).is_some() {
        give_up();
    }
    hall.close(meter)
}

/// States that must have been found before more than one thread is worth its while.
const LARGE: usize = 1 << 14;

/// Between two looks at the clock and the memory, in states.
const TICK: usize = 256;

/// A batch should not take longer to expand than this, so that limits are looked at in time.
const LONG: Duration = Duration::from_millis(2);

/// How long a thread that waits for others stays awake.
const AWAKE: Duration = Duration::from_micros(100);

/// How long to wait for others before looking at the clock.
const PAUSE: Duration = Duration::from_millis(20);

/// Where all threads of an exploration meet.
///
/// Each takes a batch from the queue, expands it, and puts it back; whoever finds that it is the next in order, and that
/// nobody else is at it, files it.
struct Hall<'m, M: ?Sized> {
    model: &'m M,
    questions: Questions<'m>,
    threads: usize,
    /// Whether there is a core for everybody.
    may_spin: bool,
    shelf: RwLock<Arena>,
    ledger: Mutex<Ledger<'m, M>>,
    queue: Mutex<Queue>,
    changed: Condvar,
    /// How many batches were filed; read without the lock of the queue.
    filings: AtomicU64,
    /// Threads that sleep until something changes.
    asleep: AtomicUsize,
    over: AtomicBool,
}

impl<'m, M: Model + ?Sized> Hall<'m, M> {
    fn new(model: &'m M, plan: Plan<'m>, threads: usize, meter: &mut Meter<'_>) -> Self {
        let slots = model.signature().slots.len();
        let facets = model.facets();
        let independence = facets.independence.filter(|_| plan.partial_order.is_some());
        let ample = independence.map(|independence| Ample::new(independence, plan.atoms.clone()));
        let (atoms, rewards, edges) = (plan.atoms.clone(), plan.rewards.clone(), plan.edges);
        let questions = Questions { facets, atoms, rewards, edges, ample, chains: plan.chains };
        let turn = if plan.order == Order::BreadthFirst { Turn::ByNumber } else { Turn::ByDepth };
        let mut queue = Queue::new(plan.order, slots);
        let (states, depth) = (meter.limits().states, meter.limits().depth);
        let bounds = Bounds {
            states,
            depth,
            room: meter.room(),
            threads,
            proviso: plan.partial_order.unwrap_or_default(),
        };
        let mut store = Arena::new(slots);
        let goals = plan.goals.clone();
        let mut ledger = Ledger::new(model, empty_graph(plan), goals, turn, &bounds);
        if let Err(stop) = ledger.start(&mut store) {
            ledger.end = Some(Err(stop));
        }
        queue.extend(ledger.new.drain(..));
        if let (Some(saving), true) = (&mut meter.saving, turn == Turn::ByNumber && ledger.end.is_none()) {
            match saving.start(model, &mut ledger.graph, &mut store, &bounds.room) {
                Ok(None) => {}
                Ok(Some(position)) => {
                    ledger.resume(position);
                    queue.resume(position.expanded, store.len());
                }
                Err(damage) => ledger.end = Some(Err(Stop::Engine(damage.to_string()))),
            }
        }
        let over = AtomicBool::new(ledger.end.is_some());
        Self {
            model,
            questions,
            threads,
            may_spin: threads <= n_threads(0),
            shelf: RwLock::new(store),
            ledger: Mutex::new(ledger),
            queue: Mutex::new(queue),
            changed: Condvar::new(),
            filings: AtomicU64::new(0),
            asleep: AtomicUsize::new(0),
            over,
        }
    }

    /// The part of the thread that was there first: it keeps the time, and calls others when there is much to do.
    fn explore<'s>(&'s self, scope: &'s Scope<'s, '_>, meter: &mut Meter<'_>) {
        let alarm = Alarm(self);
        let (mut since, mut looked, mut called) = (TICK, Instant::now(), 1);
        loop {
            if since >= TICK {
                (since, looked) = (0, Instant::now());
                if let Err(stop) = self.tick(meter) {
                    return self.end(Err(stop));
                }
                self.file(Whose::Of(0), 0);
                if called < self.threads && self.store().len() >= LARGE {
                    let owner = called;
                    called += usize::from(start(scope, move || unless_lost(|| self.work(owner))).is_some());
                }
            }
            match self.take(called, 0) {
                Next::Batch(batch) => since += self.process(batch),
                Next::Later { seen } => {
                    self.help(seen, 0);
                    since = if looked.elapsed() >= PAUSE { TICK } else { since };
                }
                Next::Never => break,
            }
        }
        drop(alarm);
    }

    /// The part of a thread that was called.
    fn work(&self, owner: usize) {
        let _alarm = Alarm(self);
        loop {
            match self.take(self.threads, owner) {
                Next::Batch(batch) => {
                    self.process(batch);
                }
                Next::Later { seen } => self.help(seen, owner),
                Next::Never => return,
            }
        }
    }

    fn store(&self) -> RwLockReadGuard<'_, Arena> {
        self.shelf.read().unwrap_or_else(|_| give_up())
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("no thread panics at the queue")
    }

    fn take(&self, threads: usize, owner: usize) -> Next {
        let mut queue = self.queue();
        if self.over.load(Ordering::Relaxed) {
            return Next::Never;
        }
        if let Some(batch) = queue.take(threads, owner) {
            return Next::Batch(batch);
        }
        if queue.is_over() {
            return Next::Never;
        }
        Next::Later { seen: self.filings.load(Ordering::Relaxed) }
    }

    /// Does what others left, or waits for them.
    fn help(&self, seen: u64, me: usize) {
        self.file(Whose::Anybody, me);
        self.wait(seen);
    }

    /// Waits until more batches were filed than were `seen`, or not for long. A thread that was woken often goes where the
    /// one who woke it is, and then one core is idle while two threads take turns on the other: so it stays awake at first.
    fn wait(&self, seen: u64) {
        let began = Instant::now();
        let changed = || self.filings.load(Ordering::Relaxed) != seen || self.over.load(Ordering::Relaxed);
        while self.may_spin && began.elapsed() < AWAKE {
            if changed() {
                return;
            }
            (0..64).for_each(|_| std::hint::spin_loop());
        }
        self.asleep.fetch_add(1, Ordering::SeqCst);
        let queue = self.queue();
        if !changed() {
            drop(self.changed.wait_timeout(queue, PAUSE).expect("no thread panics at the queue"));
        }
        self.asleep.fetch_sub(1, Ordering::SeqCst);
    }

    /// Says that something changed.
    fn tell(&self) {
        self.filings.fetch_add(1, Ordering::SeqCst);
        if self.asleep.load(Ordering::SeqCst) > 0 {
            // Whoever is about to sleep has the queue until it does.
            drop(self.queue());
            self.changed.notify_all();
        }
    }

    /// Expands a batch, and files whatever can be filed. Says how many states it had.
    fn process(&self, mut batch: Box<Batch>) -> usize {
        let began = Instant::now();
        batch.expand(self.model, &self.store(), &self.questions);
        batch.took = began.elapsed();
        // A model whose steps take long is looked at more often.
        let n_states = if batch.took > LONG { TICK } else { batch.sources.len() };
        let owner = batch.owner;
        self.queue().put(batch);
        self.file(Whose::Of(owner), owner);
        n_states
    }

    /// Files whatever can be filed of these, unless somebody else is at it. What is left then is filed by its owner later,
    /// or by whoever has nothing to do.
    fn file(&self, whose: Whose, me: usize) {
        while self.queue().is_ready(whose) {
            let Ok(mut ledger) = self.ledger.try_lock() else { break };
            self.file_ready(&mut ledger, whose, me);
        }
    }

    fn file_ready(&self, ledger: &mut Ledger<'m, M>, whose: Whose, me: usize) {
        loop {
            let Some(mut batch) = self.queue().next_ready(whose) else { return };
            if ledger.end.is_some() {
                return;
            }
            let (before, nearby) = (ledger.graph.transitions, batch.owner == me);
            let end = ledger.file(&mut batch, &self.shelf, nearby);
            let mut queue = self.queue();
            queue.extend(ledger.new.drain(..));
            queue.done(batch, ledger.graph.transitions - before);
            drop(queue);
            if end != Ok(End::Complete) {
                ledger.end = Some(end);
                self.over.store(true, Ordering::Relaxed);
            }
            self.tell();
        }
    }

    fn tick(&self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let time = meter.time();
        let due = meter.saving.as_ref().is_some_and(|saving| saving.is_due(time));
        let wait = due || meter.is_tight();
        let ledger = if wait { self.ledger.lock().ok() } else { self.ledger.try_lock().ok() };
        // While another thread files, only the time is looked at.
        if let Some(mut ledger) = ledger {
            self.relieve(&mut ledger, meter);
            let store = self.store();
            if let (Some(saving), Some(position), true) = (&mut meter.saving, ledger.position(), due) {
                saving.save(self.model, &ledger.graph, &store, position);
            }
            let (graph, known) = (&ledger.graph, store.len());
            meter.record(known as u64, graph.transitions, ledger.open(known), graph.depth);
            // What was found has to be saved before the time is over.
            let saved = meter.saving.as_ref().map_or(Duration::ZERO, |saving| saving.time_to_save(known));
            if time.is_some_and(|(spent, limit)| spent + saved > limit) {
                return Err(Stop::Time);
            }
            let read_back = meter.spill.map_or(0, Spilling::memory);
            return meter.tick(graph.bytes() + store.bytes() + self.queue().bytes() + read_back);
        }
        meter.tick_again()
    }

    /// Puts away what is not looked at often, when memory gets tight.
    fn relieve(&self, ledger: &mut Ledger<'m, M>, meter: &Meter<'_>) {
        let Some(spill) = meter.spill else { return };
        let store = self.store();
        let here = ledger.graph.here() + store.here();
        let counted = ledger.graph.bytes() + store.bytes() + spill.memory();
        drop(store);
        if let Some((home, bytes)) = meter.room().excess(counted, here) {
            let freed = ledger.graph.put_away(&home, bytes);
            let mut store = self.shelf.write().unwrap_or_else(|_| give_up());
            store.put_away(&home, bytes.saturating_sub(freed));
        }
    }

    /// Ends the exploration for everybody.
    fn end(&self, end: Result<End, Stop>) {
        let mut ledger = self.ledger.lock().expect("no thread panics at the ledger");
        ledger.end.get_or_insert(end);
        self.over.store(true, Ordering::Relaxed);
        self.tell();
    }

    fn close(self, meter: &mut Meter<'_>) -> Graph {
        let _ = self.tick(meter);
        let model = self.model;
        let ledger = self.ledger.into_inner().expect("no thread panics at the ledger");
        let mut store = self.shelf.into_inner().expect("no thread panics inside the store");
        store.freeze();
        let open = ledger.open(store.len());
        let cut = ledger.is_cut();
        let position = ledger.position();
        let mut graph = Graph { store, ..ledger.graph };
        graph.open = open;
        if let Some(home) = meter.spill.filter(|home| home.bytes() > 0) {
            // Memory is for those who answer; they hardly look at states.
            graph.store.put_away(home, u64::MAX);
            graph.parents.put_away(home, u64::MAX);
            // The table is gone; the steps that have room in a quarter of the memory come back. The rest is for the answers.
            let quarter = meter.limits().memory.map_or(0, |limit| limit / 4);
            let free = quarter.saturating_sub(graph.bytes() + home.memory());
            if let Some(rows) = &mut graph.rows {
                rows.bring_back(free);
            }
        }
        graph.end = match ledger.end.unwrap_or(Ok(End::Complete)) {
            Ok(End::Complete) if cut => End::Stopped(Stop::Depth),
            Ok(end) => end,
            Err(stop) => {
                // The state in the middle of which the search stopped is open as well.
                graph.open = graph.open.max(1);
                End::Stopped(stop)
            }
        };
        if let Some(saving) = &mut meter.saving {
            saving.leave_at(position);
            if matches!(&graph.end, End::Stopped(stop) if is_limit(stop)) {
                saving.save_all(model, &graph, &graph.store);
            }
        }
        graph
    }
}

/// What a thread does next.
enum Next {
    Batch(Box<Batch>),
    /// Ask again: others are at it, who had filed as much as was `seen`.
    Later {
        seen: u64,
    },
    Never,
}

/// Tells the others when a thread panics, so that nobody waits for it.
struct Alarm<'h, 'm, M: Model + ?Sized>(&'h Hall<'m, M>);

impl<M: Model + ?Sized> Drop for Alarm<'_, '_, M> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.over.store(true, Ordering::Relaxed);
            self.0.changed.notify_all();
        }
    }
}

/// What is there before anything was explored.
pub(crate) fn empty_graph(plan: Plan<'_>) -> Graph {
    let ordered = if plan.order == Order::BreadthFirst { Ordered::Yes } else { Ordered::No };
    let rows = match plan.edges {
        Edges::Drop => None,
        Edges::Keep => Some(Rows::new(ordered)),
        Edges::KeepDelays => Some(Rows::new(ordered).with_delays()),
        Edges::KeepChances => Some(Rows::new(ordered).with_delays().with_outcomes()),
    };
    let earned = |&reward: &RewardId| Earned {
        reward,
        states: Default::default(),
        steps: Default::default(),
        ratios: Default::default(),
    };
    Graph {
        store: Arena::new(0),
        initial: Vec::new(),
        parents: Default::default(),
        rows,
        settled: Bits::default(),
        deadlocks: Bits::default(),
        columns: vec![Bits::default(); plan.atoms.len()],
        atoms: plan.atoms,
        actions: Vec::new(),
        fault: None,
        earnings: plan.rewards.iter().map(earned).collect(),
        transitions: 0,
        choices: 0,
        depth: 0,
        open: 0,
        partly: 0,
        end: End::Complete,
    }
}
