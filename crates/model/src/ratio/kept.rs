//! Fractions that do not fit two words: each is kept once, for as long as the process runs.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

use dashu::base::BitTest;
use dashu::rational::RBig;

/// Bytes that all of them may take. A model that makes more of them is refused like one whose chances do not fit.
const LIMIT_BYTES: usize = 1 << 27;
/// What one takes beside its words.
const OVERHEAD: usize = 96;

#[derive(Default)]
struct Table {
    known: HashSet<&'static RBig>,
    bytes: usize,
}

static TABLE: LazyLock<Mutex<Table>> = LazyLock::new(Mutex::default);

/// The one that is equal to it and kept; `None` when there is no room.
pub(super) fn kept(fraction: RBig) -> Option<&'static RBig> {
    // Nothing is half done where a thread may end, so that what another one left is as it should be.
    let mut table = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = table.known.get(&fraction) {
        return Some(known);
    }
    let bits = fraction.numerator().bit_len() + fraction.denominator().bit_len();
    let bytes = bits / 8 + OVERHEAD;
    if table.bytes + bytes > LIMIT_BYTES {
        return None;
    }
    table.bytes += bytes;
    let fraction: &'static RBig = Box::leak(Box::new(fraction));
    table.known.insert(fraction);
    Some(fraction)
}
