//! What was read back last. A line is looked for at one place only, which has a lock of its own.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Bytes that are read back at once.
pub(super) const LINE: usize = 4096;

/// Lines that are kept at most, and at least.
const MOST: u64 = 1 << 13;
const LEAST: u64 = 1 << 4;

/// The lines, each at the place of its own number modulo their number.
#[derive(Default)]
pub(super) struct Lines {
    lines: OnceLock<Box<[Mutex<Line>]>>,
    /// How many are filled.
    filled: AtomicU64,
}

#[derive(Default)]
struct Line {
    place: Option<u64>,
    bytes: Box<[u8]>,
}

impl Lines {
    /// Decides how many there are, unless that is decided: a part of the limit, if there is one.
    pub(super) fn fit(&self, limit: Option<u64>) {
        let number = limit.map_or(MOST, |limit| (limit / 16 / LINE as u64).clamp(LEAST, MOST));
        self.lines.get_or_init(|| (0..number).map(|_| Mutex::default()).collect());
    }

    /// Memory for those that are filled.
    pub(super) fn memory(&self) -> u64 {
        self.filled.load(Ordering::Relaxed) * LINE as u64
    }

    /// The bytes at this place, as many as are asked for; they do not go over the end of a line. `read` is called for a
    /// line that is not here.
    pub(super) fn get<const N: usize>(&self, place: u64, read: impl FnOnce(u64, &mut [u8])) -> [u8; N] {
        let at = usize::try_from(place % LINE as u64).expect("smaller than a line");
        let start = place - at as u64;
        let mut line = self.line(start);
        if line.place != Some(start) {
            line.place = None;
            if line.bytes.is_empty() {
                line.bytes = vec![0; LINE].into();
                self.filled.fetch_add(1, Ordering::Relaxed);
            }
            read(start, &mut line.bytes);
            line.place = Some(start);
        }
        line.bytes[at..at + N].try_into().expect("elements do not go over the end of a line")
    }

    /// Forgets what was read between these places: something else is there now.
    pub(super) fn forget(&self, place: u64, size: usize) {
        for start in (place..place + size as u64).step_by(LINE) {
            let mut line = self.line(start);
            if line.place == Some(start) {
                line.place = None;
            }
        }
    }

    fn line(&self, start: u64) -> MutexGuard<'_, Line> {
        self.fit(None);
        let lines = self.lines.get().expect("their number was decided");
        let slot = start / LINE as u64 % lines.len() as u64;
        let slot = usize::try_from(slot).expect("smaller than their number");
        // One that could not be read says so: it has no place.
        lines[slot].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
