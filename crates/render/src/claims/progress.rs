//! How far a search is, in one line.

use crate::typesetting::number::{bytes, seconds, short};
use crate::typesetting::page::{View, plain};

/// How far a search is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// `exploring`, `checking S1`.
    pub phase: String,
    /// Distinct states so far.
    pub states: u64,
    /// States per second.
    pub rate: u64,
    /// States that wait, sampled over time, the present one last.
    pub open: Vec<u64>,
    /// Steps from the start.
    pub depth: u64,
    /// Memory in use.
    pub bytes: u64,
    /// The limit, if there is one.
    pub bytes_limit: Option<u64>,
    /// Since the start.
    pub seconds: f64,
}

/// Where the number of waiting states goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trend {
    /// More and more: nobody can say how long it takes.
    Growing,
    /// Fewer and fewer.
    Shrinking,
}

impl Progress {
    /// Where the number of waiting states goes: the last sample against the one four samples before.
    #[must_use]
    pub fn trend(&self) -> Trend {
        let before = self.open.iter().rev().nth(4).or(self.open.first());
        match (before, self.open.last()) {
            (Some(before), Some(now)) if now < before => Trend::Shrinking,
            _ => Trend::Growing,
        }
    }

    /// Seconds until no state waits, if they go on to shrink as they do. `None` while they grow.
    #[must_use]
    pub fn left(&self, seconds_per_sample: f64) -> Option<f64> {
        if self.trend() == Trend::Growing {
            return None;
        }
        let recent: Vec<u64> = self.open.iter().rev().take(5).copied().collect();
        let (now, before) = (recent.first().copied()?, recent.last().copied()?);
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let per_sample = (before - now) as f64 / (recent.len() - 1) as f64;
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let samples = now as f64 / per_sample;
        Some(samples * seconds_per_sample)
    }
}

/// The line: states, rate, waiting states with their trend, depth, memory, time left where it can be known.
#[must_use]
pub fn progress(progress: &Progress, seconds_per_sample: f64, view: &View) -> String {
    let open = progress.open.last().copied().unwrap_or(0);
    let memory = match progress.bytes_limit {
        Some(limit) => format!("{} of {}", bytes(progress.bytes), bytes(limit)),
        None => bytes(progress.bytes),
    };
    let trend = match progress.trend() {
        Trend::Growing => "still growing".to_string(),
        Trend::Shrinking => {
            let left =
                progress.left(seconds_per_sample).map(|left| format!("   about {} left", seconds(left)));
            format!("shrinking{}", left.unwrap_or_default())
        }
    };
    let states = short(progress.states);
    let line = format!(
        "  {}  {states} states   {}/s   depth {}   {memory}   open {} {} {trend}",
        plain(&progress.phase),
        short(progress.rate),
        progress.depth,
        short(open),
        sparkline(&progress.open),
    );
    view.finish(line)
}

fn sparkline(samples: &[u64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let recent = &samples[samples.len().saturating_sub(8)..];
    let most = recent.iter().copied().max().unwrap_or(0).max(1);
    recent
        .iter()
        .map(|sample| {
            let height = u128::from(*sample) * 7 / u128::from(most);
            BARS[usize::try_from(height).expect("at most 7")]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_is_promised_while_the_waiting_states_grow() {
        let mut line =
            Progress { phase: "exploring".to_string(), open: vec![10, 20, 40], ..Progress::default() };
        assert!(progress(&line, 1.0, &View::default()).ends_with("still growing"));
        line.open = vec![100, 90, 80, 70, 60, 50];
        assert_eq!(line.left(1.0), Some(5.0));
        assert!(progress(&line, 1.0, &View::default()).contains("about 5.0 s left"));
    }
}
