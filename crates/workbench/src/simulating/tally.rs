//! What many runs of a model with a clock have in common: who is busy, what is done how often, how long answers take, what
//! it costs.

use std::collections::BTreeMap;

use motet_evidence::{Evidence, Measure};
use motet_model::Rate;
use motet_property::Kind;
use motet_render::{ActivityTally, CostTally, Delays, LaneTally, Simulation, chronicle, waits};
use motet_source::Sources;

use crate::loading::load::Ready;

/// Sums over runs.
pub(crate) struct Tally {
    /// Per lane.
    busy: Vec<u64>,
    time: u64,
    activities: BTreeMap<(usize, String), u64>,
    /// Per claim.
    waits: Vec<Waits>,
    rates: Vec<Rate>,
    /// Per rate: over all runs, and the most in one.
    costs: Vec<(f64, f64)>,
}

/// The waits of one claim over all runs.
#[derive(Clone, Default)]
struct Waits {
    /// What is measured; `None` while nothing was waited for.
    measure: Option<Measure>,
    /// Lengths of those that were answered, each with its run.
    answered: Vec<(u64, u64)>,
    /// How many were not.
    open: u64,
}

impl Tally {
    pub(crate) fn new(ready: &Ready) -> Self {
        let rates = ready.system.words.rates();
        Self {
            busy: vec![0; ready.system.model.signature().processes.len()],
            time: 0,
            activities: BTreeMap::new(),
            waits: vec![Waits::default(); ready.claims.len()],
            costs: vec![(0.0, 0.0); rates.len()],
            rates,
        }
    }

    /// Adds a run. Models without a chronicle have no lanes to count.
    pub(crate) fn count(&mut self, ready: &Ready, sources: &Sources, evidence: &Evidence, run: u64) {
        let (model, words) = (ready.system.model.as_ref(), ready.system.words.as_ref());
        for (claim, waited) in ready.claims.iter().zip(&mut self.waits) {
            if claim.kind != Kind::Property {
                continue;
            }
            for wait in waits(evidence, model, &claim.formula) {
                waited.measure.get_or_insert(wait.measure);
                match wait.answer {
                    Some(answer) => waited.answered.push((answer.saturating_sub(wait.start), run)),
                    None => waited.open += 1,
                }
            }
        }
        let Some(chronicle) = chronicle(evidence, model, words, sources, &[]) else { return };
        self.time += chronicle.end;
        let busy: Vec<u64> = (0..self.busy.len()).map(|lane| chronicle.busy(lane)).collect();
        for (rate, (sum, most)) in self.rates.iter().zip(&mut self.costs) {
            let lane = rate.process.index();
            let time = if rate.during.is_empty() {
                busy[lane]
            } else {
                rate.during.iter().map(|activity| chronicle.spent(lane, activity)).sum()
            };
            #[expect(clippy::cast_precision_loss, reason = "costs are shown with two digits")]
            let cost = rate.per_unit * time as f64;
            *sum += cost;
            *most = most.max(cost);
        }
        for (total, own) in self.busy.iter_mut().zip(busy) {
            *total += own;
        }
        for (activity, count) in chronicle.activities() {
            *self.activities.entry(activity).or_insert(0) += count;
        }
    }

    /// Writes the sums into the report.
    #[expect(clippy::cast_precision_loss, reason = "shares are shown in percent")]
    pub(crate) fn finish(self, ready: &Ready, simulation: &mut Simulation) {
        let names = &ready.system.model.signature().processes;
        for (claim, waited) in simulation.claims.iter_mut().zip(self.waits) {
            let delays =
                waited.measure.and_then(|measure| Delays::of(measure, &waited.answered, waited.open));
            // A claim that all runs satisfy though no wait ended, such as one about the time of day, has no delays.
            let told = |delays: &Delays| delays.answered > 0 || claim.satisfied < simulation.runs;
            claim.delays = delays.filter(told);
        }
        if self.time == 0 {
            return;
        }
        let lanes = names.iter().zip(&self.busy);
        simulation.lanes = lanes
            .map(|(name, busy)| LaneTally { name: name.clone(), busy: *busy as f64 / self.time as f64 })
            .collect();
        let activities = self.activities.into_iter();
        simulation.activities = activities
            .map(|((lane, name), count)| ActivityTally { lane: names[lane].clone(), name, count })
            .collect();
        let costs = self.rates.into_iter().zip(self.costs);
        simulation.costs = costs
            .map(|(rate, (sum, most))| CostTally {
                lane: names[rate.process.index()].clone(),
                resource: rate.resource,
                mean: sum / simulation.runs.max(1) as f64,
                most,
            })
            .collect();
    }
}
