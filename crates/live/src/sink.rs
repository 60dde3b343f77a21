//! Where the events of a run go: a log, a terminal, a program, a page.

use std::io::Write;

use motet_render::RunEvent;

/// Somebody who is told the events of a run, in order.
pub trait Sink {
    /// Takes note of an event.
    fn tell(&mut self, event: &RunEvent) -> Receipt;
}

/// What became of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Receipt {
    /// It was taken note of.
    Taken,
    /// It was lost, for this reason, and so will be all others. Said once.
    Lost(String),
    /// It was taken note of, and the run should end here, for this reason.
    Enough(String),
}

impl<F: FnMut(&RunEvent)> Sink for F {
    fn tell(&mut self, event: &RunEvent) -> Receipt {
        self(event);
        Receipt::Taken
    }
}

/// Whether the whole of minds is written with every cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Minds {
    /// It is.
    Kept,
    /// Only what changes is.
    LeftOut,
}

/// Events as lines of JSON. Every line is written at once, so that a log is complete up to the moment at which something
/// breaks.
pub struct JsonLines<W> {
    out: Option<W>,
    minds: Minds,
}

impl<W: Write> JsonLines<W> {
    /// Lines for this writer.
    pub fn new(out: W, minds: Minds) -> Self {
        Self { out: Some(out), minds }
    }
}

impl<W: Write> Sink for JsonLines<W> {
    fn tell(&mut self, event: &RunEvent) -> Receipt {
        let Some(out) = &mut self.out else { return Receipt::Taken };
        let text = match event {
            RunEvent::Cycle(cycle) if self.minds == Minds::LeftOut && !cycle.minds.is_empty() => {
                let mut cycle = cycle.clone();
                cycle.minds.clear();
                crate::protocol::line(&RunEvent::Cycle(cycle))
            }
            event => crate::protocol::line(event),
        };
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => Receipt::Taken,
            Err(error) => {
                self.out = None;
                Receipt::Lost(error.to_string())
            }
        }
    }
}
