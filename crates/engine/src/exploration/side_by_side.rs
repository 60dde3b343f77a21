//! Several claims answered at the same time, each by a thread of its own, and by more when few are left.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use motet_evidence::{Outcome, Stop, Verdict};

use crate::exploration::limits::Meter;
use crate::exploration::threads::start;

/// The answers to `n` claims. Those that come out `None` have to be answered on their own, because there is too little
/// memory for several.
pub(crate) fn side_by_side(
    n: usize,
    meter: &mut Meter<'_>,
    answer: impl Fn(usize, &mut Meter<'_>) -> Outcome + Sync,
) -> Vec<Option<Outcome>> {
    let searches = meter.threads().min(n).max(1);
    let shared = meter.share(searches);
    let (next, bytes) = (AtomicUsize::new(0), AtomicU64::new(0));
    let done: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::new());
    let work = |meter: &mut Meter<'_>| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= n {
                return meter.leave();
            }
            let start = meter.elapsed();
            let mut outcome = answer(number, meter);
            outcome.coverage.seconds = (meter.elapsed() - start).as_secs_f64();
            done.lock().expect("no thread panics while it adds its answer").push((number, outcome));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..searches {
            // The claims of a thread that the system does not start are answered by the others.
            start(scope, || {
                let mut silent = |_| {};
                let mut meter = shared.meter(&mut silent);
                work(&mut meter);
                bytes.fetch_add(meter.peak().saturating_sub(meter.held()), Ordering::Relaxed);
            });
        }
        work(meter);
    });
    meter.alone(bytes.into_inner());
    let mut outcomes: Vec<Option<Outcome>> = (0..n).map(|_| None).collect();
    for (number, outcome) in done.into_inner().expect("no thread panics while it adds its answer") {
        let again = outcome.verdict == Verdict::Unknown(Stop::Memory);
        outcomes[number] = Some(outcome).filter(|_| !again);
    }
    outcomes
}
