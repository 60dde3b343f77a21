//! What ends a search early, and how it reports while it goes on. The only place in the engine that reads a clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use motet_evidence::Stop;

use crate::exploration::save::{Keeping, Saving};
use crate::exploration::threads::n_threads;
use crate::storage::spill::Spilling;

/// How far a search may go. A reached limit makes the answer unknown, never a proof.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Bytes of the process, where the host can say how many there are ([`Limits::resident`]); else of the store, the
    /// graph and the search, as counted by the engine.
    pub memory: Option<u64>,
    /// Wall time of the whole check.
    pub time: Option<Duration>,
    /// When the check began, if it is more than one search; else each search has all of [`Limits::time`].
    pub began: Option<Instant>,
    /// Says how many bytes of memory the process has in use.
    pub resident: Option<fn() -> u64>,
    /// Distinct states.
    pub states: Option<u64>,
    /// Steps from the start.
    pub depth: Option<u64>,
    /// Set by the host when the user wants to stop.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// The same with so many states where nobody asked for a number.
    #[must_use]
    pub fn up_to(&self, states: u64) -> Self {
        Self { states: self.states.or(Some(states)), ..self.clone() }
    }
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

/// Between two questions how large the process is: asking takes some microseconds.
const WEIGH_EVERY: Duration = Duration::from_millis(3);

/// Whether a search that ended for this reason could go on.
pub(crate) fn is_limit(stop: &Stop) -> bool {
    matches!(stop, Stop::Memory | Stop::Time | Stop::States | Stop::Depth | Stop::Interrupted)
}

/// How much memory there may be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    memory: Option<u64>,
    resident: Option<fn() -> u64>,
    /// Where lists go that do not fit.
    pub(crate) spill: Option<Spilling>,
    /// How large the process was when it was last asked.
    weighed: u64,
}

impl Room {
    /// Whether so many bytes more than those counted may be taken.
    pub(crate) fn allows(&self, counted: u64, more: u64) -> Result<(), Stop> {
        let Some(limit) = self.memory else { return Ok(()) };
        // A look at the process is not worth it for what is small.
        let resident = self.resident.filter(|_| more > limit / 256);
        let resident = resident.map_or(0, |resident| resident() + more);
        if (counted + more).max(resident) > limit { Err(Stop::Memory) } else { Ok(()) }
    }

    /// How many bytes should be put away now, and where, when so many are counted and so many of them can be.
    pub(crate) fn excess(&self, counted: u64, here: u64) -> Option<(Spilling, u64)> {
        let spill = self.spill.as_ref()?;
        let excess = spill.excess(self.memory, self.weighed, counted, here).min(here);
        (excess > 0).then(|| (spill.clone(), excess))
    }
}

/// Holds a search to its limits.
pub(crate) struct Meter<'a> {
    limits: &'a Limits,
    start: Instant,
    reported: Duration,
    progress: Progress,
    peak: u64,
    held: u64,
    /// When the process was last asked how large it is.
    weighed: Option<Duration>,
    /// How large it was.
    resident: u64,
    /// Checkpoints of the exploration, where the host wants some.
    pub(crate) saving: Option<Saving<'a>>,
    /// Where lists go that do not fit, where the host has such a place.
    pub(crate) spill: Option<&'a Spilling>,
    watch: &'a mut dyn FnMut(Progress),
    threads: usize,
    /// How many searches share the threads, as long as there are several.
    at_work: Option<Arc<AtomicUsize>>,
    /// Left to others that work at the same time.
    others: u64,
}

/// What several searches at the same time have in common.
#[derive(Clone)]
pub(crate) struct Shared<'a> {
    limits: &'a Limits,
    start: Instant,
    held: u64,
    others: u64,
    threads: usize,
    at_work: Arc<AtomicUsize>,
}

impl<'a> Shared<'a> {
    /// Holds one of them to its limits.
    pub(crate) fn meter(&self, watch: &'a mut dyn FnMut(Progress)) -> Meter<'a> {
        let Self { limits, start, held, others, threads, ref at_work } = *self;
        let at_work = Some(Arc::clone(at_work));
        Meter { start, held, others, threads, at_work, ..Meter::new(limits, watch) }
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
            weighed: None,
            resident: 0,
            saving: None,
            spill: None,
            watch,
            threads: 1,
            at_work: None,
            others: 0,
        }
    }

    /// The same for a search that is kept.
    pub(crate) fn keeping(self, keeping: Option<&'a Keeping>) -> Self {
        Self { saving: keeping.map(Saving::new), ..self }
    }

    /// The same for a search whose lists may be put away.
    pub(crate) fn spilling(self, spill: Option<&'a Spilling>) -> Self {
        spill.iter().for_each(|spill| spill.fit(self.limits.memory));
        Self { spill, ..self }
    }

    /// The same for as many threads as asked for; 0 means as many as there are cores.
    pub(crate) fn with_threads(self, asked: usize) -> Self {
        Self { threads: n_threads(asked), ..self }
    }

    /// Shares what there is among as many searches at the same time, of which this is one until [`Meter::alone`].
    pub(crate) fn share(&mut self, searches: usize) -> Shared<'a> {
        let free = self.limits.memory.map_or(0, |limit| limit.saturating_sub(self.held));
        self.others = free / searches as u64 * (searches as u64 - 1);
        let at_work = Arc::new(AtomicUsize::new(searches));
        self.at_work = Some(Arc::clone(&at_work));
        let Self { limits, start, held, others, threads, .. } = *self;
        Shared { limits, start, held, others, threads, at_work }
    }

    /// Leaves the threads of a search that has nothing to do any more to the others.
    pub(crate) fn leave(&self) {
        if let Some(at_work) = &self.at_work {
            at_work.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Ends the sharing; the others have used as much memory at most on top of what is held.
    pub(crate) fn alone(&mut self, bytes: u64) {
        (self.others, self.at_work) = (0, None);
        self.peak = self.peak.saturating_add(bytes);
    }

    /// How many threads may work at the same time, now.
    pub(crate) fn threads(&self) -> usize {
        let searches = self.at_work.as_ref().map_or(1, |at_work| at_work.load(Ordering::Relaxed));
        (self.threads / searches.max(1)).max(1)
    }

    pub(crate) fn limits(&self) -> &Limits {
        self.limits
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// How much time was spent and how much there is, if that is limited.
    pub(crate) fn time(&self) -> Option<(Duration, Duration)> {
        Some((self.limits.began.unwrap_or(self.start).elapsed(), self.limits.time?))
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

    /// Whether it may soon be time to put something away.
    pub(crate) fn is_tight(&self) -> bool {
        self.spill.is_some_and(|spill| spill.is_near(self.limits.memory, self.progress.bytes))
    }

    /// Says how far the exploration is; see [`Meter::tick`].
    pub(crate) fn record(&mut self, states: u64, transitions: u64, open: u64, depth: u64) {
        self.progress = Progress { states, transitions, open, depth, ..self.progress };
    }

    /// Says how much memory is in use all the while from now on; [`Meter::tick`] tells only what comes on top.
    pub(crate) fn hold(&mut self, bytes: u64) {
        self.held = bytes;
    }

    /// What may be taken, for those who have no meter at hand.
    pub(crate) fn room(&self) -> Room {
        Room {
            memory: self.limits.memory,
            resident: self.limits.resident,
            spill: self.spill.cloned(),
            weighed: self.resident,
        }
    }

    /// To be called before much memory is taken at once. `bytes` is all that will be in use then, without what is held.
    pub(crate) fn reserve(&self, bytes: u64) -> Result<(), Stop> {
        let bytes = self.held + self.others + bytes;
        let more = bytes.saturating_sub(self.others + self.progress.bytes);
        self.room().allows(bytes - more, more)
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
        self.weigh(self.others + bytes, elapsed)?;
        if self.time().is_some_and(|(spent, limit)| spent > limit) {
            return Err(Stop::Time);
        }
        Ok(())
    }

    /// Holds what was counted, and now and then the process itself, against the limit.
    fn weigh(&mut self, bytes: u64, elapsed: Duration) -> Result<(), Stop> {
        let Some(limit) = self.limits.memory else { return Ok(()) };
        if bytes > limit {
            return Err(Stop::Memory);
        }
        let Some(resident) = self.limits.resident else { return Ok(()) };
        if self.weighed.is_some_and(|weighed| elapsed < weighed + WEIGH_EVERY) {
            return Ok(());
        }
        self.weighed = Some(elapsed);
        let resident = resident();
        self.resident = resident;
        if resident > limit {
            // That is how much there was when it ended; see what reports say of it.
            self.peak = self.peak.max(resident);
            return Err(Stop::Memory);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stops(limits: &Limits, bytes: u64) -> Result<(), Stop> {
        let mut watch = |_| {};
        Meter::new(limits, &mut watch).tick(bytes)
    }

    #[test]
    fn memory_ends_a_search_by_its_own_count_or_by_the_size_of_the_process() {
        let counted = Limits { memory: Some(1000), ..Limits::default() };
        assert_eq!((stops(&counted, 1000), stops(&counted, 1001)), (Ok(()), Err(Stop::Memory)));
        let weighed = Limits { resident: Some(|| 2000), ..counted.clone() };
        assert_eq!(stops(&weighed, 10), Err(Stop::Memory));
        let light = Limits { resident: Some(|| 600), ..counted };
        assert_eq!(stops(&light, 10), Ok(()));
    }

    #[test]
    fn growth_is_asked_for_on_top_of_the_process() {
        let limits = Limits { memory: Some(1000), resident: Some(|| 600), ..Limits::default() };
        let mut watch = |_| {};
        let mut meter = Meter::new(&limits, &mut watch);
        meter.tick(100).expect("that is below the limit");
        assert_eq!((meter.reserve(400), meter.reserve(600)), (Ok(()), Err(Stop::Memory)));
    }

    #[test]
    fn time_counts_from_the_beginning_of_the_whole_check() {
        let time = Some(Duration::from_secs(30));
        // clock: what is past stays past, however long this takes.
        let began = Instant::now().checked_sub(Duration::from_secs(30));
        assert_eq!(stops(&Limits { time, ..Limits::default() }, 0), Ok(()));
        assert_eq!(stops(&Limits { time, began, ..Limits::default() }, 0), Err(Stop::Time));
    }
}
