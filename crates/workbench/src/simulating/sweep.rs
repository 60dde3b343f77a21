//! Claims over the values of a parameter: where does a verdict flip, how does a number change?

use motet_engine::Progress;
use motet_evidence::{Over, Verdict};
use motet_model::Ratio;
use motet_render::{ClaimReport, Sweep, SweepAnswer, SweepPoint, stop_reason};

use crate::checking::check::{CheckOptions, check};
use crate::loading::load::{Loaded, Project, load, load_each};
use crate::simulating::axis::{Axis, between, is_within};

/// What a sweep brought.
pub struct Swept {
    /// The answers; several where a second parameter has several values.
    pub sweeps: Vec<Sweep>,
    /// Some answer was not the expected one.
    pub surprised: bool,
    /// Some claim has no answer.
    pub unknown: bool,
}

/// Checks all selected claims for each value. With a `step`, the places where a verdict flips are narrowed down to it. A
/// second axis makes a family: one sweep for each of its values. `watch` is told the value and how far its search is.
///
/// # Errors
/// The loaded project whose problems say why a value cannot be checked.
pub fn sweep(
    project: &Project,
    (axis, second): (&Axis, Option<&Axis>),
    step: Option<Ratio>,
    options: &CheckOptions,
    watch: &mut dyn FnMut(&str, Progress),
) -> Result<Swept, Box<Loaded>> {
    let mut sweeps = Vec::new();
    let others: Vec<Option<(String, String)>> = match second {
        None => vec![None],
        Some(second) => {
            second.values.iter().map(|value| Some((second.name.clone(), second.text(*value)))).collect()
        }
    };
    for other in others {
        let mut project = project.clone();
        if let Some((name, value)) = &other {
            project.options.parameters.insert(name.clone(), value.clone());
        }
        let mut sweeper = Sweeper {
            project: &project,
            axis,
            options,
            watch,
            unit: motet_model::TimeUnit::default(),
            builds: 0,
            over: None,
        };
        let mut points = sweeper.points(&axis.values)?;
        if let Some(step) = step {
            sweeper.bisect(&mut points, step)?;
        }
        let (unit, builds, over) = (sweeper.unit, sweeper.builds, sweeper.over);
        let points = points.into_iter().map(|(_, point)| point).collect();
        sweeps.push(Sweep {
            parameter: axis.name.clone(),
            unit,
            points,
            seconds: 0.0,
            builds,
            second: other,
            over,
        });
    }
    let answers = || sweeps.iter().flat_map(|sweep| &sweep.points).flat_map(|point| &point.claims);
    let surprised = answers().any(|answer| answer.as_expected == Some(false));
    let unknown = answers().any(|answer| answer.as_expected.is_none());
    Ok(Swept { sweeps, surprised, unknown })
}

struct Sweeper<'a> {
    project: &'a Project,
    axis: &'a Axis,
    options: &'a CheckOptions,
    watch: &'a mut dyn FnMut(&str, Progress),
    unit: motet_model::TimeUnit,
    builds: usize,
    /// Which strategies the numbers are over; where nobody chooses at some values, those of the others.
    over: Option<Over>,
}

impl Sweeper<'_> {
    fn interrupted(&self) -> bool {
        let flag = self.options.settings.limits.interrupt.as_ref();
        flag.is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed))
    }

    /// One build for all values where only the claims know the parameter, else one for each.
    fn points(&mut self, values: &[Ratio]) -> Result<Vec<(Ratio, SweepPoint)>, Box<Loaded>> {
        if let Some(points) = self.together(values) {
            return Ok(points);
        }
        let mut points = Vec::new();
        for value in values {
            points.push((*value, self.point(*value)?));
            if self.interrupted() {
                break;
            }
        }
        Ok(points)
    }

    /// All values from one build; `None` where that cannot be, and then the values one by one say why.
    fn together(&mut self, values: &[Ratio]) -> Option<Vec<(Ratio, SweepPoint)>> {
        let texts: Vec<String> = values.iter().map(|value| self.axis.text(*value)).collect();
        let loaded = load_each(self.project.clone(), &self.axis.name, &texts)?;
        let ready = loaded.ready.as_ref()?;
        self.unit = ready.system.model.signature().unit;
        self.builds += 1;
        let per_value = ready.claims.len() / values.len().max(1);
        let report = check(&loaded, self.options, &mut |now| (self.watch)("all values", now));
        self.over = report.over;
        let parts = report.claims.chunks(per_value.max(1)).zip(values.iter().zip(texts));
        Some(
            parts
                .map(|(claims, (value, text))| {
                    (*value, SweepPoint { value: text, claims: claims.iter().map(answer).collect() })
                })
                .collect(),
        )
    }

    fn point(&mut self, value: Ratio) -> Result<SweepPoint, Box<Loaded>> {
        let text = self.axis.text(value);
        let mut project = self.project.clone();
        project.options.parameters.insert(self.axis.name.clone(), text.clone());
        let loaded = load(project);
        let Some(ready) = &loaded.ready else { return Err(Box::new(loaded)) };
        self.unit = ready.system.model.signature().unit;
        self.builds += 1;
        let report = check(&loaded, self.options, &mut |now| (self.watch)(&text, now));
        self.over = report.over.filter(|over| over.words().is_some()).or(self.over);
        Ok(SweepPoint { value: text, claims: report.claims.iter().map(answer).collect() })
    }

    /// Puts points halfway between two whose verdicts differ, until they are no further apart than `step`.
    fn bisect(&mut self, points: &mut Vec<(Ratio, SweepPoint)>, step: Ratio) -> Result<(), Box<Loaded>> {
        let mut at = 0;
        while at + 1 < points.len() && !self.interrupted() {
            let ((low, left), (high, right)) = (&points[at], &points[at + 1]);
            let middle =
                between(*low, *high, step).filter(|_| differ(left, right) && !is_within(*low, *high, step));
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
        text: claim.text.clone(),
        verdict: claim.verdict().to_owned(),
        as_expected: claim.as_expected(),
        margin: claim.outcome.margin,
        quantity: claim.outcome.quantity.as_ref().map(|quantity| (quantity.low, quantity.high)),
        reason: match &claim.outcome.verdict {
            Verdict::Unknown(stop) => Some(stop_reason(stop)),
            _ if !claim.narrowed.is_empty() => {
                Some(format!("it {} ({})", claim.verdict(), claim.narrowed.join(", ")))
            }
            _ => None,
        },
    }
}
