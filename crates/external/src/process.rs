//! Waiting for programs that may never end.

use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// Waits until the program ends, or ends it when its time is over; `None` then.
pub(crate) fn wait(child: &mut Child, time: Duration) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > time {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}
