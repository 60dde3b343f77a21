//! Progress on standard error: a live line after a second, or a plain line now and then.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use motet_render::{Progress, View, progress};

use crate::arguments::ProgressHow;

/// Nothing is said before this.
const QUIET: Duration = Duration::from_secs(1);
/// Between two samples of the number of waiting states.
const SAMPLE: Duration = Duration::from_millis(500);
/// Between two plain lines.
const PLAIN: Duration = Duration::from_secs(30);

/// A live line on a terminal, where one is wanted.
pub(crate) fn line(wanted: ProgressHow) -> Option<ProgressBar> {
    let live = std::io::stderr().is_terminal() && std::env::var_os("CI").is_none();
    (wanted == ProgressHow::Auto && live).then(|| {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{wide_msg}").expect("the template is well-formed");
        bar.with_style(style)
    })
}

/// Shows how far a search is.
pub(crate) struct Meter {
    how: How,
    view: View,
    bytes_limit: Option<u64>,
    open: Vec<u64>,
    sampled: Duration,
    said: Duration,
}

enum How {
    Live(ProgressBar),
    Plain,
    None,
}

impl Meter {
    /// A live line on a terminal, plain lines under CI and in pipes, nothing when not wanted.
    pub(crate) fn new(wanted: ProgressHow, view: View, bytes_limit: Option<u64>) -> Self {
        let how = match (wanted, line(wanted)) {
            (_, Some(bar)) => How::Live(bar),
            (ProgressHow::None, None) => How::None,
            (ProgressHow::Plain | ProgressHow::Auto, None) => How::Plain,
        };
        Self { how, view, bytes_limit, open: Vec::new(), sampled: Duration::ZERO, said: Duration::ZERO }
    }

    /// Takes note of how far the search is.
    pub(crate) fn update(&mut self, now: &motet_workbench::Progress, phase: String) {
        if self.open.is_empty() || now.elapsed >= self.sampled + SAMPLE {
            self.open.push(now.open);
            self.sampled = now.elapsed;
        }
        if now.elapsed < QUIET {
            return;
        }
        let line = Progress {
            phase,
            states: now.states,
            rate: rate(now.states, now.elapsed),
            open: self.open.clone(),
            depth: now.depth,
            bytes: now.bytes,
            bytes_limit: self.bytes_limit,
            seconds: now.elapsed.as_secs_f64(),
        };
        let text = || progress(&line, SAMPLE.as_secs_f64(), &self.view);
        match &self.how {
            How::None => {}
            How::Live(bar) => bar.set_message(text()),
            How::Plain if now.elapsed >= self.said + PLAIN => {
                let _ = writeln!(std::io::stderr(), "{}", text());
                self.said = now.elapsed;
            }
            How::Plain => {}
        }
    }

    /// Clears the live line.
    pub(crate) fn finish(&self) {
        if let How::Live(bar) = &self.how {
            bar.finish_and_clear();
        }
    }
}

/// States per second.
pub(crate) fn rate(states: u64, elapsed: Duration) -> u64 {
    let milliseconds = elapsed.as_millis().max(1);
    u64::try_from(u128::from(states) * 1000 / milliseconds).unwrap_or(u64::MAX)
}
