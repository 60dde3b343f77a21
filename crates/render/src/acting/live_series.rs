//! Many runs of agents that act, counted: how many reached their goal, and what the model says of that.

use serde::Serialize;

use crate::numbers::value::value_text;
use crate::typesetting::number::{count, grouped};
use crate::typesetting::page::{Tone, View};

/// What came of many runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RunSeries {
    /// The schema of this form.
    pub schema: String,
    /// The model.
    pub model: String,
    /// What the runs were to reach.
    pub until: String,
    /// Cycles at most.
    pub cycles: u64,
    /// How choices were made.
    pub select: String,
    /// The seed of the first run; each run has the next.
    pub seed: u64,
    /// How many there were.
    pub runs: u64,
    /// How many reached it.
    pub reached: u64,
    /// How sure the interval is.
    pub confidence: f64,
    /// Where the probability behind the share lies (Clopper and Pearson 1934).
    pub interval: (f64, f64),
    /// Cycles of those that reached it: least, mean, most.
    pub taken: Option<(u64, f64, u64)>,
    /// Why runs ended, and how many did.
    pub ends: Vec<(String, u64)>,
    /// What was chosen, how often.
    pub chosen: Vec<(String, u64)>,
    /// Claims that runs violated, and how many did.
    pub violated: Vec<(String, u64)>,
    /// Runs in which something happened that the model gives no chance, or a drift was found.
    pub drifted: u64,
    /// What the model says.
    pub modelled: Vec<Modelled>,
}

/// A query's answer, beside a share.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Modelled {
    /// The query's name.
    pub query: String,
    /// As it was asked.
    pub text: String,
    /// Not less.
    pub low: f64,
    /// Not more.
    pub high: f64,
}

impl RunSeries {
    /// The share of runs that reached their goal.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.runs == 0 { 0.0 } else { self.reached as f64 / self.runs as f64 }
    }

    /// Whether the probability behind the share may lie between the least and the greatest answer of the model. `None` where
    /// the model was not asked.
    #[must_use]
    pub fn agrees(&self) -> Option<bool> {
        let low = self.modelled.iter().map(|answer| answer.low).reduce(f64::min)?;
        let high = self.modelled.iter().map(|answer| answer.high).reduce(f64::max)?;
        Some(self.interval.0 <= high && low <= self.interval.1)
    }
}

/// Many runs as one line of JSON.
#[must_use]
pub fn run_series_json(series: &RunSeries) -> String {
    serde_json::to_string(series).expect("names and numbers have a JSON form") + "\n"
}

/// Many runs as text.
#[must_use]
pub fn run_series(series: &RunSeries, view: &View) -> String {
    let mut lines = vec![headline(series, view)];
    let (low, high) = series.interval;
    let sure = format!("{}%", series.confidence * 100.0);
    lines.push(format!("  share     {:.4}, {sure} interval [{low:.4}, {high:.4}]", series.share()));
    for answer in &series.modelled {
        let value = value_text(answer.low, answer.high);
        lines.push(format!("  model     {value} ({}: {})", answer.query, answer.text));
    }
    if let Some(agrees) = series.agrees() {
        let (tone, text) = match agrees {
            true => (Tone::Good, "the model's answers and the interval meet"),
            false => {
                (Tone::Bad, "the model's answers lie outside the interval: it does not describe this world")
            }
        };
        lines.push(format!("            {}", view.paint(tone, text)));
    }
    if let Some((least, mean, most)) = series.taken {
        lines.push(format!("  cycles    {least} to {most}, {mean:.1} on average"));
    }
    lines.push(format!("  ends      {}", counted(&series.ends)));
    let chosen = if series.chosen.is_empty() { "nothing".to_owned() } else { counted(&series.chosen) };
    lines.push(format!("  chosen    {chosen} ({} choices)", series.select));
    if !series.violated.is_empty() {
        let text = format!("  violated  {}", counted(&series.violated));
        lines.push(view.paint(Tone::Bad, &text));
    }
    if series.drifted > 0 {
        let runs = count(series.drifted as usize, "run");
        lines.push(view.paint(Tone::Care, &format!("  drift     in {runs} the world was not as modelled")));
    }
    lines.join("\n") + "\n"
}

fn headline(series: &RunSeries, view: &View) -> String {
    let runs = count(series.runs as usize, "run");
    let text = format!(
        "{} of {runs} reached {} within {} cycles",
        grouped(series.reached),
        series.until,
        grouped(series.cycles)
    );
    let seeds = format!("seeds {} to {}", series.seed, series.seed + series.runs.saturating_sub(1));
    format!("{} · {}", view.paint(Tone::Strong, &text), view.paint(Tone::Quiet, &seeds))
}

/// `plan 4 12 times, plan 5 3 times`
fn counted(list: &[(String, u64)]) -> String {
    let one = |(what, times): &(String, u64)| format!("{what}: {}", grouped(*times));
    list.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(reached: u64, modelled: &[(f64, f64)]) -> RunSeries {
        let modelled = modelled.iter().map(|(low, high)| Modelled {
            query: "L".to_owned(),
            text: "Pmax=? [F done]".to_owned(),
            low: *low,
            high: *high,
        });
        // Clopper and Pearson's interval of 5 in 10 is [0.187, 0.813].
        RunSeries {
            runs: 10,
            reached,
            interval: (0.187, 0.813),
            modelled: modelled.collect(),
            ..RunSeries::default()
        }
    }

    #[test]
    fn answers_that_meet_the_interval_agree_with_the_share() {
        assert_eq!(series(5, &[(0.9, 0.9)]).agrees(), Some(false));
        assert_eq!(series(5, &[(0.9, 0.9), (0.8, 0.8)]).agrees(), Some(true));
        assert_eq!(series(5, &[]).agrees(), None);
    }
}
