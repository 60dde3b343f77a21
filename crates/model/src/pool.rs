//! Working memory that is used again. Each thread has a place of its own, so that nobody waits for others.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Threads beyond so many share places.
const PLACES: usize = 32;

/// Which of the first numbers no thread has. A number that a thread leaves is the next one's, with what is kept under it.
static FREE: Mutex<Numbers> = Mutex::new(Numbers { left: BTreeSet::new(), next: 0 });

struct Numbers {
    left: BTreeSet<usize>,
    next: usize,
}

/// The number of a thread, as long as it runs.
struct Number(usize);

impl Number {
    fn take() -> Self {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(left) = free.left.pop_first() {
            return Self(left);
        }
        free.next += 1;
        Self(free.next - 1)
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        FREE.lock().unwrap_or_else(PoisonError::into_inner).left.insert(self.0);
    }
}

thread_local! {
    static THREAD: Number = Number::take();
}

/// Which place is that of this thread.
fn place() -> usize {
    // A thread that is about to end has no number any more; any place will do.
    THREAD.try_with(|number| number.0).unwrap_or_default() % PLACES
}

/// Working memory of steps, kept from one to the next.
#[derive(Debug)]
pub struct Pool<T> {
    places: Box<[Place<T>]>,
}

/// What one thread gave back. It has cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Place<T>(Mutex<Vec<Box<T>>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { places: (0..PLACES).map(|_| Place(Mutex::new(Vec::new()))).collect() }
    }
}

impl<T: Default> Pool<T> {
    /// What this thread gave back last, or something new.
    #[must_use]
    pub fn take(&self) -> Box<T> {
        self.places[place()].0.lock().ok().and_then(|mut kept| kept.pop()).unwrap_or_default()
    }

    /// Keeps it for the next time.
    pub fn give_back(&self, memory: Box<T>) {
        if let Ok(mut kept) = self.places[place()].0.lock() {
            kept.push(memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_thread_gives_back_it_gets_again() {
        let pool: Pool<Vec<u32>> = Pool::default();
        let mut memory = pool.take();
        memory.push(7);
        pool.give_back(memory);
        assert_eq!(*pool.take(), [7]);
        assert!(pool.take().is_empty(), "it is kept once");
    }
    #[test]
    fn a_thread_gets_what_one_before_it_left() {
        let pool: Pool<Vec<u32>> = Pool::default();
        let run = || {
            let mut memory = pool.take();
            memory.push(7);
            let length = memory.len();
            pool.give_back(memory);
            length
        };
        // Other tests run at the same time and may take a number in between, but there are not that many.
        let lengths = (0..100).map(|_| std::thread::scope(|threads| threads.spawn(run).join().unwrap()));
        assert!(lengths.max() > Some(1), "threads one after the other share what is kept");
    }
}
