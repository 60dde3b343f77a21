//! The last resort against a search that does not look at its limits: a thread that looks for it.
//!
//! An engine looks at clock and memory every few milliseconds, but a single step of a model may take as long as it likes,
//! and so may a phase that nobody thought of. When a limit was overrun by a little, the brake tells what is known and ends
//! the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use motet_workbench::{Limits, Stop};

/// Between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// How far a limit may be overrun, in percent: the search gets this long to come to an end by itself.
const OVERRUN: u32 = 4;

/// Time on top, for searches of seconds: a report has to be written.
const GRACE: Duration = Duration::from_millis(300);

/// Memory on top, for limits that the program itself already needs.
const ROOM: u64 = 32 << 20;

/// Watches over a search until it is released.
pub(crate) struct Brake {
    ended: Arc<AtomicBool>,
}

impl Brake {
    /// Starts to watch. When a limit is overrun, `pull` is called, which should tell the user and end the program.
    /// While `saving`, the search is at its end and has to be waited for.
    pub(crate) fn new(
        limits: &Limits,
        saving: Arc<AtomicBool>,
        pull: impl FnOnce(Stop) + Send + 'static,
    ) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let mine = Arc::clone(&ended);
        let began = limits.began.unwrap_or_else(Instant::now);
        let last = limits.time.map(|time| began + time + time * OVERRUN / 100 + GRACE);
        let most = limits.memory.map(|bytes| bytes + bytes / 100 * u64::from(OVERRUN) + ROOM);
        let resident = limits.resident;
        let watch = move || {
            loop {
                std::thread::sleep(LOOK_EVERY);
                if mine.load(Ordering::Acquire) {
                    return;
                }
                let late = last.is_some_and(|last| Instant::now() > last);
                let large = most.zip(resident).is_some_and(|(most, resident)| resident() > most);
                if (late || large) && !saving.load(Ordering::Acquire) && !mine.swap(true, Ordering::AcqRel) {
                    return pull(if late { Stop::Time } else { Stop::Memory });
                }
            }
        };
        if last.is_some() || (most.is_some() && resident.is_some()) {
            // Without a thread the search is as it would be without a brake.
            let _ = std::thread::Builder::new().name("brake".to_owned()).spawn(watch);
        }
        Self { ended }
    }

    /// The search came back by itself. When the brake was faster, this waits for the end of the program.
    pub(crate) fn release(&self) {
        if self.ended.swap(true, Ordering::AcqRel) {
            std::thread::sleep(Duration::from_secs(3600));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_search_that_overruns_its_time_or_memory_is_ended_and_one_that_came_back_is_not() {
        let time = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
        let memory = Limits { memory: Some(1000), resident: Some(|| 1 << 40), ..Limits::default() };
        for (limits, expected) in [(&time, Stop::Time), (&memory, Stop::Memory)] {
            let (send, receive) = channel();
            let _brake =
                Brake::new(limits, Arc::default(), move |stop| send.send(stop).expect("somebody listens"));
            assert_eq!(receive.recv_timeout(Duration::from_secs(20)), Ok(expected));
        }
        let (send, receive) = channel();
        let brake = Brake::new(&time, Arc::default(), move |stop| send.send(stop).expect("somebody listens"));
        brake.release();
        assert!(receive.recv_timeout(Duration::from_secs(1)).is_err(), "it was released");
    }
}
