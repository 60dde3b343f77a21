//! A run followed again from its log: the same news, the same choices? Every decision, order and change is compared.

use motet_model::{News, Order, Trouble};
use motet_render::{RunCycle, RunDifference, RunEvent, RunRemark};
use serde::Serialize;

use crate::log::Log;
use crate::protocol::{Hello, news_of};
use crate::sink::{Receipt, Sink};
use crate::skills::{Gathered, Skills, Source, Standing};

/// Skills that say again what a log recorded.
pub struct Replay<'a> {
    log: &'a Log,
}

impl<'a> Replay<'a> {
    /// The skills of this log.
    #[must_use]
    pub fn new(log: &'a Log) -> Self {
        Self { log }
    }
}

impl Skills for Replay<'_> {
    fn begin(&mut self, _hello: &Hello) -> Gathered {
        let standing = match self.log.cycles.is_empty() {
            true => Standing::Recorded(Box::new(self.log.ending())),
            false => Standing::Alive,
        };
        Gathered { ready: self.log.head.ready.clone(), standing, ..Gathered::default() }
    }

    fn order(&mut self, _cycle: u64, _orders: &[Order], _beliefs: &[String]) {}

    fn gather(&mut self, cycle: u64) -> Gathered {
        let at = usize::try_from(cycle).unwrap_or(usize::MAX).saturating_sub(1);
        let last = at + 1 >= self.log.cycles.len();
        let standing = if last { Standing::Recorded(Box::new(self.log.ending())) } else { Standing::Alive };
        let Some(recorded) = self.log.cycles.get(at) else {
            return Gathered { standing, ..Gathered::default() };
        };
        let news: Vec<News> = recorded.news.iter().filter_map(news_of).collect();
        // Troubles are among the news; claims, drift and what means nothing are found again.
        let of_skills = |remark: &&RunRemark| {
            let found_again = [
                Trouble::UnknownMessage.sentence(),
                Trouble::ClaimViolated.sentence(),
                Trouble::ModelDrift.sentence(),
            ];
            let trouble = Trouble::ALL.iter().any(|trouble| trouble.sentence() == remark.about);
            trouble && !found_again.contains(&remark.about.as_str()) || remark.about == "skills"
        };
        Gathered {
            news,
            remarks: recorded.remarks.iter().filter(of_skills).cloned().collect(),
            objects: recorded.objects.clone(),
            shown: recorded.shown.clone(),
            said: recorded.said.clone(),
            millis: recorded.millis,
            standing,
            ..Gathered::default()
        }
    }

    fn end(&mut self, _why: &str) -> Vec<RunRemark> {
        Vec::new()
    }

    fn source(&self) -> Source {
        Source::Log
    }
}

/// Compares a run with its log and ends it at the first difference.
pub struct Comparison<'a> {
    log: &'a Log,
    difference: Option<RunDifference>,
}

impl<'a> Comparison<'a> {
    /// Compares with this log.
    #[must_use]
    pub fn new(log: &'a Log) -> Self {
        Self { log, difference: None }
    }

    /// The first difference, if there was one.
    #[must_use]
    pub fn difference(&self) -> Option<&RunDifference> {
        self.difference.as_ref()
    }

    fn differs(&mut self, cycle: u64, what: &str, recorded: String, now: String) -> Receipt {
        self.difference.get_or_insert(RunDifference { cycle, what: what.to_owned(), recorded, now });
        Receipt::Enough(format!("cycle {cycle} is not as recorded"))
    }
}

impl Sink for Comparison<'_> {
    fn tell(&mut self, event: &RunEvent) -> Receipt {
        match event {
            RunEvent::Begin(_) => Receipt::Taken,
            RunEvent::Cycle(now) => {
                let at = usize::try_from(now.cycle).unwrap_or(usize::MAX).saturating_sub(1);
                let Some(recorded) = self.log.cycles.get(at) else {
                    return self.differs(now.cycle, "cycle", "none".to_owned(), "one more".to_owned());
                };
                match compared(recorded, now) {
                    Some((what, recorded, now_text)) => self.differs(now.cycle, what, recorded, now_text),
                    None => Receipt::Taken,
                }
            }
            RunEvent::End(now) => {
                let recorded = self.log.ending();
                let same = now.end == recorded.end || now.end == "interrupted";
                if !same && self.difference.is_none() {
                    let side = |end: &str, reason: &str| format!("{end}: {reason}");
                    let (then, now_text) =
                        (side(&recorded.end, &recorded.reason), side(&now.end, &now.reason));
                    return self.differs(now.cycles, "end", then, now_text);
                }
                Receipt::Taken
            }
        }
    }
}

/// The first thing that differs, and both sides of it.
fn compared(recorded: &RunCycle, now: &RunCycle) -> Option<(&'static str, String, String)> {
    let texts = |cycle: &RunCycle| -> Vec<String> {
        cycle.alternatives.iter().map(|alternative| alternative.text.clone()).collect()
    };
    differing("alternatives", &texts(recorded), &texts(now))
        .or_else(|| differing("choice", &chosen(recorded), &chosen(now)))
        .or_else(|| differing("orders", &recorded.orders, &now.orders))
        .or_else(|| differing("changes", &recorded.changes, &now.changes))
}

fn chosen(cycle: &RunCycle) -> Vec<String> {
    let chosen = cycle.choice.and_then(|at| cycle.alternatives.get(at));
    chosen.map(|alternative| alternative.text.clone()).into_iter().collect()
}

/// Two lists that should be the same: what only one of them has, as far as the lists go together.
fn differing<T: PartialEq + Serialize>(
    what: &'static str,
    recorded: &[T],
    now: &[T],
) -> Option<(&'static str, String, String)> {
    if recorded == now {
        return None;
    }
    let same = recorded.iter().zip(now).take_while(|(one, two)| one == two).count();
    let side = |list: &[T]| match list.get(same) {
        Some(item) => serde_json::to_string(item).unwrap_or_default(),
        None => "nothing".to_owned(),
    };
    Some((what, side(recorded), side(now)))
}
