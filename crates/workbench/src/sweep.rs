//! Claims over the values of a parameter: where does a verdict flip?

use motet_engine::Progress;
use motet_render::{ClaimReport, Sweep, SweepAnswer, SweepPoint};

use crate::axis::{Axis, Quantity};
use crate::check::{CheckOptions, check};
use crate::load::{Loaded, Project, load};

/// What a sweep brought.
pub struct Swept {
    /// The answers.
    pub sweep: Sweep,
    /// Some answer was not the expected one.
    pub surprised: bool,
    /// Some claim has no answer.
    pub unknown: bool,
}

/// Checks all selected claims for each value. With a `step`, the places where a verdict flips are narrowed down to it.
/// `watch` is told the value and how far its search is.
///
/// # Errors
/// The loaded project whose problems say why a value cannot be checked.
pub fn sweep(
    project: &Project,
    axis: &Axis,
    step: Option<Quantity>,
    options: &CheckOptions,
    watch: &mut dyn FnMut(&str, Progress),
) -> Result<Swept, Box<Loaded>> {
    let mut sweeper = Sweeper { project, axis, options, watch, unit: motet_model::TimeUnit::default() };
    let mut points: Vec<(Quantity, SweepPoint)> = Vec::new();
    for value in &axis.values {
        points.push((*value, sweeper.point(*value)?));
        if sweeper.interrupted() {
            break;
        }
    }
    if let Some(step) = step {
        sweeper.bisect(&mut points, step)?;
    }
    let unit = sweeper.unit;
    let points: Vec<SweepPoint> = points.into_iter().map(|(_, point)| point).collect();
    let answers = || points.iter().flat_map(|point| &point.claims);
    let surprised = answers().any(|answer| answer.as_expected == Some(false));
    let unknown = answers().any(|answer| answer.as_expected.is_none());
    let sweep = Sweep { parameter: axis.name.clone(), unit, points, seconds: 0.0 };
    Ok(Swept { sweep, surprised, unknown })
}

struct Sweeper<'a> {
    project: &'a Project,
    axis: &'a Axis,
    options: &'a CheckOptions,
    watch: &'a mut dyn FnMut(&str, Progress),
    unit: motet_model::TimeUnit,
}

impl Sweeper<'_> {
    fn interrupted(&self) -> bool {
        let flag = self.options.limits.interrupt.as_ref();
        flag.is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed))
    }

    fn point(&mut self, value: Quantity) -> Result<SweepPoint, Box<Loaded>> {
        let text = self.axis.text(value);
        let mut project = self.project.clone();
        project.options.parameters.insert(self.axis.name.clone(), text.clone());
        let loaded = load(project);
        let Some(ready) = &loaded.ready else { return Err(Box::new(loaded)) };
        self.unit = ready.system.model.signature().unit;
        let report = check(&loaded, self.options, &mut |now| (self.watch)(&text, now));
        Ok(SweepPoint { value: text, claims: report.claims.iter().map(answer).collect() })
    }

    /// Puts points halfway between two whose verdicts differ, until they are no further apart than `step`.
    fn bisect(
        &mut self,
        points: &mut Vec<(Quantity, SweepPoint)>,
        step: Quantity,
    ) -> Result<(), Box<Loaded>> {
        let mut at = 0;
        while at + 1 < points.len() && !self.interrupted() {
            let ((low, left), (high, right)) = (&points[at], &points[at + 1]);
            let middle = low.between(*high).filter(|_| differ(left, right) && !low.is_within(*high, step));
            match middle {
                Some(middle) => {
                    let point = self.point(middle)?;
                    points.insert(at + 1, (middle, point));
                }
                None => at += 1,
            }
        }
        Ok(())
    }
}

fn differ(left: &SweepPoint, right: &SweepPoint) -> bool {
    let pairs = left.claims.iter().zip(&right.claims);
    pairs.into_iter().any(|(left, right)| left.verdict != right.verdict)
}

fn answer(claim: &ClaimReport) -> SweepAnswer {
    SweepAnswer {
        name: claim.name.clone(),
        verdict: claim.verdict().to_owned(),
        as_expected: claim.as_expected(),
        margin: claim.outcome.margin,
        quantity: claim.outcome.quantity.as_ref().map(|quantity| (quantity.low, quantity.high)),
    }
}
