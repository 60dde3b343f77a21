//! A search whose lists are put away outside of memory says the same as one that keeps them, or says nothing.

mod support;

use std::io::{self, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use motet_engine::{Damage, Keeper, Keeping, Limits, Report, Settings, Spill, Spilling, check_all};
use motet_evidence::{Fairness, Stop, Verdict};
use motet_model::{ActionId, AtomId, Fault, Model, ProcessId, Signature, State, Steps};
use motet_property::{Claim, Formula, Kind, Path, Quantifier};
use support::{always, atom, claim, eventually, not};

const SIZE: u32 = 200;

/// A walk over a square, one step right or up at a time, with three hats to change.
struct Square(Signature);

impl Square {
    fn new() -> Self {
        Self(Signature {
            slots: ["x", "y", "hat"].map(str::to_owned).to_vec(),
            processes: ["walker", "hatter"].map(str::to_owned).to_vec(),
            atoms: ["corner", "outside", "hatless"].map(str::to_owned).to_vec(),
            ..Signature::default()
        })
    }
}

impl Model for Square {
    fn signature(&self) -> &Signature {
        &self.0
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.push(vec![0, 0, 0].into());
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let &[x, y, hat] = state else { return Ok(()) };
        for (action, next) in (0..).zip([[x + 1, y, hat], [x, y + 1, hat], [x, y, (hat + 1) % 3]]) {
            if next[0].max(next[1]) < SIZE {
                out.push(ProcessId(action / 2), ActionId(action), 0, &next);
            }
        }
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        match atom.0 {
            0 => *state == [SIZE - 1, SIZE - 1, 2],
            1 => state[0] > SIZE,
            _ => state[2] == 0,
        }
    }
}

/// Invariants, a wait under fairness, a tree, and a deadlock.
fn claims() -> Vec<Claim<AtomId>> {
    let back = Formula::Runs(Quantifier::Some, Box::new(eventually(atom(2))));
    let dead = Path::Now(Formula::Not(Box::new(Formula::Deadlock)));
    [
        always(not(atom(0))),
        always(not(atom(1))),
        always(eventually(atom(2))),
        always(Path::Now(back)),
        always(dead),
    ]
    .map(|path| claim(Kind::Property, path))
    .to_vec()
}

/// A place outside of memory, which is in memory. After so many pages it is full, and after so many reads it is broken.
struct Place {
    bytes: Mutex<Vec<u8>>,
    pages: AtomicUsize,
    reads: AtomicUsize,
    full: usize,
    broken: usize,
}

impl Place {
    fn new(full: usize, broken: usize) -> Arc<Self> {
        let (pages, reads) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Arc::new(Self { bytes: Mutex::default(), pages, reads, full, broken })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().expect("nobody panics here")
    }
}

fn at(place: u64) -> usize {
    usize::try_from(place).expect("it fits into memory")
}

struct Door(Arc<Place>);

impl Spill for Door {
    fn write(&self, place: u64, page: &[u8]) -> io::Result<()> {
        if self.0.pages.fetch_add(1, Ordering::Relaxed) >= self.0.full {
            return Err(io::Error::other("no space left on device"));
        }
        let (mut bytes, place) = (self.0.lock(), at(place));
        let end = bytes.len().max(place + page.len());
        bytes.resize(end, 0);
        bytes[place..place + page.len()].copy_from_slice(page);
        Ok(())
    }

    fn read(&self, place: u64, out: &mut [u8]) -> io::Result<()> {
        if self.0.reads.fetch_add(1, Ordering::Relaxed) >= self.0.broken {
            return Err(io::Error::other("the disk is broken"));
        }
        let place = at(place);
        out.copy_from_slice(&self.0.lock()[place..place + out.len()]);
        Ok(())
    }
}

fn settings(spill: Option<Spilling>, threads: usize) -> Settings {
    Settings { spill, threads, fairness: Fairness::Weak, ..Settings::default() }
}

fn run(place: Option<&Arc<Place>>, threads: usize) -> Report {
    let spill = place.map(|place| Spilling::beyond(0, Box::new(Door(Arc::clone(place)))));
    check_all(&Square::new(), &claims(), &settings(spill, threads), &mut |_| {})
}

/// What must be the same.
fn told(report: &Report) -> String {
    let outcomes: Vec<_> =
        report.outcomes.iter().map(|outcome| (outcome.verdict.clone(), outcome.evidence.clone())).collect();
    let all = &report.coverage;
    format!("{:?} {outcomes:?}", (all.states, all.transitions, all.depth, all.complete))
}

#[test]
fn states_and_steps_that_are_put_away_are_found_again() {
    let whole = run(None, 1);
    assert_eq!(whole.coverage.states, 3 * u64::from(SIZE * SIZE));
    let verdicts: Vec<_> = whole.outcomes.iter().map(|outcome| outcome.verdict.clone()).collect();
    use Verdict::{Fails, Holds};
    assert_eq!(verdicts, [Fails, Holds, Holds, Holds, Holds]);
    for threads in [1, 2] {
        let place = Place::new(usize::MAX, usize::MAX);
        assert_eq!(told(&run(Some(&place), threads)), told(&whole), "{threads} threads");
        let (pages, reads) = (place.pages.load(Ordering::Relaxed), place.reads.load(Ordering::Relaxed));
        assert!(pages > 10 && reads > 100, "{pages} pages, {reads} reads");
    }
}

/// The limit is one that the same search does not keep without a place outside.
#[test]
fn a_limit_of_memory_is_kept_by_putting_away() {
    let report = |memory, spill| {
        let limits = Limits { memory: Some(memory), ..Limits::default() };
        let settings = Settings { limits, ..settings(spill, 1) };
        check_all(&Square::new(), &claims()[..2], &settings, &mut |_| {})
    };
    let whole = report(u64::MAX, None);
    let memory = whole.coverage.peak_bytes * 9 / 10;
    assert_eq!(report(memory, None).stop, Some(Stop::Memory));
    let place = Place::new(usize::MAX, usize::MAX);
    let away = report(memory, Some(Spilling::new(Box::new(Door(place)))));
    assert_eq!(told(&away), told(&whole));
    assert!(away.coverage.peak_bytes <= memory);
}

#[test]
fn a_full_place_costs_memory_and_not_the_check() {
    let place = Place::new(2, usize::MAX);
    assert_eq!(told(&run(Some(&place), 1)), told(&run(None, 1)));
    assert_eq!(place.pages.load(Ordering::Relaxed), 3, "nobody asks again");
}

#[test]
fn a_place_that_loses_states_costs_all_verdicts() {
    for (broken, threads) in [(0, 1), (0, 2), (50, 1), (50, 2), (400, 2)] {
        let report = run(Some(&Place::new(usize::MAX, broken)), threads);
        for outcome in &report.outcomes {
            assert!(matches!(&outcome.verdict, Verdict::Unknown(Stop::Engine(_))), "{:?}", outcome.verdict);
            assert!(outcome.evidence.is_none());
        }
        assert!(!report.coverage.complete && report.stop.is_some());
    }
}

/// A log in memory.
#[derive(Default)]
struct Log(Vec<u8>);

impl Keeper for Log {
    fn open(&mut self, _: &str) -> io::Result<Option<Box<dyn Read>>> {
        Ok((!self.0.is_empty()).then(|| Box::new(io::Cursor::new(self.0.clone())) as Box<dyn Read>))
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn commit(&mut self, _: u64) -> io::Result<()> {
        Ok(())
    }

    fn refuse(&mut self, damage: Damage) {
        panic!("{damage}");
    }

    fn abandon(&mut self, why: &str) {
        panic!("{why}");
    }
}

#[test]
fn what_was_put_away_is_saved_and_a_search_that_goes_on_puts_away() {
    let keeper = Arc::new(Mutex::new(Log::default()));
    let part = |states, place: &Arc<Place>| {
        let keeping =
            Keeping { keeper: keeper.clone(), every: Duration::from_secs(3600), search: "square".to_owned() };
        let limits = Limits { states, ..Limits::default() };
        let spill = Spilling::beyond(0, Box::new(Door(Arc::clone(place))));
        let settings = Settings { limits, keeping: Some(keeping), ..settings(Some(spill), 1) };
        check_all(&Square::new(), &claims(), &settings, &mut |_| {})
    };
    let first = part(Some(100_000), &Place::new(usize::MAX, usize::MAX));
    assert_eq!(first.stop, Some(Stop::States));
    let place = Place::new(usize::MAX, usize::MAX);
    assert_eq!(told(&part(None, &place)), told(&run(None, 1)));
    assert!(place.pages.load(Ordering::Relaxed) > 10);
}
