//! What ends a search early, and how it reports while it goes on. The only place in the engine that reads a clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use motet_evidence::Stop;

use crate::threads::n_threads;

/// How far a search may go. A reached limit makes the answer unknown, never a proof.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Bytes of the store, the graph and the search, as counted by the engine.
    pub memory: Option<u64>,
    /// Wall time of the whole check.
    pub time: Option<Duration>,
    /// Distinct states.
    pub states: Option<u64>,
    /// Steps from the start.
    pub depth: Option<u64>,
    /// Set by the host when the user wants to stop.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// What a search is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Finding states.
    Explore,
    /// Answering the claim with this number.
    Claim(usize),
    /// Looking what depends on the part of the model with this number.
    Part(usize),
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What it is busy with.
    pub phase: Phase,
    /// Distinct states so far.
    pub states: u64,
    /// Steps between them so far.
    pub transitions: u64,
    /// States that wait to be expanded.
    pub open: u64,
    /// Steps from the start.
    pub depth: u64,
    /// Memory, as counted by the engine.
    pub bytes: u64,
    /// Since the start.
    pub elapsed: Duration,
}

/// Between two reports to the host.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Holds a search to its limits.
pub(crate) struct Meter<'a> {
    limits: &'a Limits,
    start: Instant,
    reported: Duration,
    progress: Progress,
    peak: u64,
    held: u64,
    watch: &'a mut dyn FnMut(Progress),
    threads: usize,
    /// Left to others that work at the same time.
    others: u64,
}

/// What several searches at the same time have in common.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    limits: &'a Limits,
    start: Instant,
    held: u64,
    others: u64,
    threads: usize,
}

impl<'a> Shared<'a> {
    /// Holds one of them to its limits.
    pub(crate) fn meter(self, watch: &'a mut dyn FnMut(Progress)) -> Meter<'a> {
        let Self { limits, start, held, others, threads } = self;
        Meter { start, held, others, threads, ..Meter::new(limits, watch) }
    }
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limits: &'a Limits, watch: &'a mut dyn FnMut(Progress)) -> Self {
        let progress = Progress {
            phase: Phase::Explore,
            states: 0,
            transitions: 0,
            open: 0,
            depth: 0,
            bytes: 0,
            elapsed: Duration::ZERO,
        };
        Self {
            limits,
            start: Instant::now(),
            reported: Duration::ZERO,
            progress,
            peak: 0,
            held: 0,
            watch,
            threads: 1,
            others: 0,
        }
    }

    /// The same for as many threads as asked for; 0 means as many as there are cores.
    pub(crate) fn with_threads(self, asked: usize) -> Self {
        Self { threads: n_threads(asked), ..self }
    }

    /// Shares what there is among as many searches at the same time, of which this is one until [`Meter::alone`].
    pub(crate) fn share(&mut self, searches: usize) -> Shared<'a> {
        let free = self.limits.memory.map_or(0, |limit| limit.saturating_sub(self.held));
        self.others = free / searches as u64 * (searches as u64 - 1);
        self.threads = (self.threads / searches).max(1);
        let Self { limits, start, held, others, threads, .. } = *self;
        Shared { limits, start, held, others, threads }
    }

    /// Ends that; the others have used as much memory at most on top of what is held.
    pub(crate) fn alone(&mut self, threads: usize, bytes: u64) {
        (self.others, self.threads) = (0, threads);
        self.peak = self.peak.saturating_add(bytes);
    }

    /// How many threads may work at the same time.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    pub(crate) fn limits(&self) -> &Limits {
        self.limits
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    pub(crate) fn enter(&mut self, phase: Phase) {
        self.progress.phase = phase;
    }

    /// Says how far the exploration is; see [`Meter::tick`].
    pub(crate) fn record(&mut self, states: u64, transitions: u64, open: u64, depth: u64) {
        self.progress = Progress { states, transitions, open, depth, ..self.progress };
    }

    /// Says how much memory is in use all the while from now on; [`Meter::tick`] tells only what comes on top.
    pub(crate) fn hold(&mut self, bytes: u64) {
        self.held = bytes;
    }

    /// To be called before much memory is taken at once.
    pub(crate) fn reserve(&self, bytes: u64) -> Result<(), Stop> {
        if self.limits.memory.is_some_and(|limit| self.held + self.others + bytes > limit) {
            Err(Stop::Memory)
        } else {
            Ok(())
        }
    }

    /// The same when nobody can say how much memory is in use: as much as before.
    pub(crate) fn tick_again(&mut self) -> Result<(), Stop> {
        self.tick(self.progress.bytes.saturating_sub(self.held))
    }

    /// To be called every few hundred states with the memory in use. `Err` means: stop now.
    pub(crate) fn tick(&mut self, bytes: u64) -> Result<(), Stop> {
        let bytes = self.held + bytes;
        let elapsed = self.start.elapsed();
        self.peak = self.peak.max(bytes);
        self.progress.bytes = bytes;
        self.progress.elapsed = elapsed;
        if elapsed >= self.reported + REPORT_EVERY {
            self.reported = elapsed;
            (self.watch)(self.progress);
        }
        if self.limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Stop::Interrupted);
        }
        if self.limits.memory.is_some_and(|limit| self.others + bytes > limit) {
            return Err(Stop::Memory);
        }
        if self.limits.time.is_some_and(|limit| elapsed > limit) {
            return Err(Stop::Time);
        }
        Ok(())
    }
}
