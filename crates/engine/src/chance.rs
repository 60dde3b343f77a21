//! Probabilities, expected rewards and long-run averages of Markov chains and decision processes.
//!
//! An explored graph becomes a [`matrix::Matrix`]: per state its choices, per choice its outcomes. Which states reach a goal
//! surely or never is read off the graph (`certain`); only what is left is solved, strongly connected part by part
//! (`components`, `solve`), between bounds that close in on the value from both sides (`iterate`) or directly (`eliminate`,
//! `policy`), in floating point with all rounding accounted for or in fractions (`exact`). On this rest the chances of
//! reaching something (`reach`), within steps (`bounded`, `backward`) or within a time (`clock`), of linear-time formulas
//! (`product`), expected rewards (`rewards`, and `accrual` within a time) and the long run (`long_run`), over all strategies or
//! over those that are fair (`fair`). `states` evaluates formulas, `numbers` the measures inside them, `filter` gathers over states, `told` says what stands behind a number (`strategy`, `plan`,
//! `ways`), and `advised` what each choice is worth.

mod accrual;
mod advised;
mod backward;
mod block;
mod bounded;
mod certain;
mod clock;
mod components;
mod eliminate;
mod exact;
mod fair;
mod filter;
mod iterate;
mod long_run;
pub(crate) mod matrix;
mod numbers;
mod plan;
mod policy;
mod product;
mod reach;
mod rewards;
mod solve;
mod states;
mod strategy;
mod threshold;
mod told;
mod values;
mod ways;
mod window;

use std::cell::{OnceCell, RefCell};

use motet_evidence::{Evidence, Outcome, Quantity, Stop, Verdict};
use motet_model::{AtomId, Model, Ratio, RewardId};
use motet_property::{Claim, Feature, Formula, Kind, Path, Quantifier, Query, Subformula, features};

use crate::checking::settings::{Precision, Settings};
use crate::exploration::graph::Graph;
use crate::exploration::limits::{Meter, Phase};
use crate::exploration::side_by_side::side_by_side;
pub(crate) use advised::Advised;
use iterate::relative;
use matrix::Matrix;
use states::{Process, unsupported};
use values::{Aim, Focus, Values};

/// Why an assumption cannot have a number in it.
const ASSUMED: &str =
    "a number in `assume`: an assumption is about single runs; claim it as a property instead";

/// Whether a claim speaks of probabilities, rewards or the long run anywhere.
pub(crate) fn is_about_chance(formula: &Path<AtomId>) -> bool {
    let about = [Feature::Chance, Feature::LongRun, Feature::Reward, Feature::Filter];
    features(formula).iter().any(|feature| about.contains(feature))
}

/// The rewards that these claims ask for.
pub(crate) fn rewards_of(model: &dyn Model, claims: &[Claim<AtomId>]) -> Vec<RewardId> {
    let mut names = Vec::new();
    for claim in claims {
        claim.formula.for_each(&mut |part| {
            if let Subformula::State(Formula::Reward(name, ..)) = part {
                names.push(name.as_deref());
            }
        });
    }
    let mut ids: Vec<RewardId> =
        names.into_iter().filter_map(|name| numbers::reward_id(model, name)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Answers several claims about chance at the same time. Those that come out `None` have to be answered on their own,
/// because there is too little memory for several.
pub(crate) fn answers(
    model: &dyn Model,
    graph: &Graph,
    matrix: &mut Option<Matrix>,
    claims: &[&Claim<AtomId>],
    settings: &Settings,
    meter: &mut Meter<'_>,
) -> Vec<Option<Outcome>> {
    let several = claims.len() > 1 && meter.threads() > 1;
    if !several || graph.obstacle().is_some() || made(matrix, graph, meter).is_err() {
        return claims.iter().map(|_| None).collect();
    }
    let matrix = matrix.as_ref().expect("just made");
    matrix.inward();
    meter.hold(graph.bytes() + matrix.bytes());
    let outcomes = side_by_side(claims.len(), meter, |number, meter| {
        answered(model, graph, matrix, claims[number], settings, meter)
    });
    meter.hold(0);
    outcomes
}

/// Makes the matrix, if nobody did before.
fn made(matrix: &mut Option<Matrix>, graph: &Graph, meter: &mut Meter<'_>) -> Result<(), Stop> {
    if matrix.is_none() {
        meter.hold(graph.bytes());
        meter.reserve(4 * graph.n_states() as u64 + 8 * graph.choices + 16 * graph.transitions)?;
        *matrix = Some(Matrix::of(graph));
    }
    Ok(())
}

/// Answers a claim about chance from the explored graph. The matrix is made when the first claim needs it.
pub(crate) fn answer(
    model: &dyn Model,
    graph: &Graph,
    matrix: &mut Option<Matrix>,
    claim: &Claim<AtomId>,
    settings: &Settings,
    meter: &mut Meter<'_>,
) -> Outcome {
    let obstacle = graph.obstacle().or_else(|| made(matrix, graph, meter).err());
    if let (None, Some(matrix)) = (&obstacle, &*matrix) {
        meter.hold(graph.bytes() + matrix.bytes());
        let outcome = answered(model, graph, matrix, claim, settings, meter);
        meter.hold(0);
        return outcome;
    }
    meter.hold(0);
    unanswered(model, graph, obstacle.unwrap_or(Stop::Memory))
}

/// An answer without one, with the run to the fault that stands in the way.
fn unanswered(model: &dyn Model, graph: &Graph, stop: Stop) -> Outcome {
    let evidence = graph.fault.as_ref().map(|(state, _)| Evidence::finite(graph.run_to(model, *state)));
    Outcome { evidence, ..Outcome::of(Verdict::Unknown(stop)) }
}

fn answered(
    model: &dyn Model,
    graph: &Graph,
    matrix: &Matrix,
    claim: &Claim<AtomId>,
    settings: &Settings,
    meter: &mut Meter<'_>,
) -> Outcome {
    let process = Process {
        model,
        graph,
        matrix,
        precision: precision(graph, matrix, settings.precision),
        fairness: settings.fairness,
        strategies: settings.strategies,
        fair: OnceCell::new(),
        reverse: OnceCell::new(),
        views: RefCell::default(),
    };
    let mut outcome = Outcome { evidence: None, ..unanswered(model, graph, Stop::Memory) };
    match process.answer(claim, &mut outcome, meter) {
        Ok(verdict) => outcome.verdict = verdict,
        Err(stop) => return unanswered(model, graph, stop),
    }
    outcome
}

/// No chance and no reward is smaller in floating point, and no reward greater. Bounds lose no more than they account for
/// there; numbers beyond are calculated with as fractions.
const LEAST_CHANCE: f64 = 1.0 / 18_446_744_073_709_551_616.0;
const LEAST_REWARD: f64 = 1e-60;
const GREATEST_REWARD: f64 = 1e60;

/// How close numbers are asked to be, or fractions where floating point has no room for what is in the model.
fn precision(graph: &Graph, matrix: &Matrix, wanted: Precision) -> Precision {
    let fits = |ratio: &Ratio, least: f64, greatest: f64| {
        ratio.is_zero() || (least..=greatest).contains(&ratio.to_f64())
    };
    let mut earned = graph.earnings.iter().flat_map(|earned| earned.ratios.table());
    let ordinary = matrix.ratios.iter().all(|chance| fits(chance, LEAST_CHANCE, 1.0))
        && earned.all(|reward| fits(reward, LEAST_REWARD, GREATEST_REWARD));
    if ordinary { wanted } else { Precision::Exact }
}

/// What queries ask for, in every state and for every choice of an explored graph. `Err` names the query, if it is about one.
pub(crate) fn advised(
    model: &dyn Model,
    graph: &Graph,
    claims: &[Claim<AtomId>],
    settings: &Settings,
    meter: &mut Meter<'_>,
) -> Result<(Matrix, Vec<Advised>), (Option<usize>, Stop)> {
    let whole = |stop| (None, stop);
    graph.obstacle().map_or(Ok(()), |stop| Err(whole(stop)))?;
    meter.hold(graph.bytes());
    let room = 4 * graph.n_states() as u64 + 8 * graph.choices + 16 * graph.transitions;
    meter.reserve(room).map_err(whole)?;
    let matrix = Matrix::of(graph);
    meter.hold(graph.bytes() + matrix.bytes());
    let process = Process {
        model,
        graph,
        matrix: &matrix,
        precision: precision(graph, &matrix, settings.precision),
        fairness: settings.fairness,
        strategies: settings.strategies,
        fair: OnceCell::new(),
        reverse: OnceCell::new(),
        views: RefCell::default(),
    };
    if process.precision != settings.precision {
        return Err(whole(unsupported("chances or rewards that floating point has no room for")));
    }
    let mut all = Vec::new();
    for (number, claim) in claims.iter().enumerate() {
        meter.enter(Phase::Claim(number));
        let about = |stop| (Some(number), stop);
        let formula = claim.formula.as_state().filter(|_| claim.kind == Kind::Query);
        let formula = formula.ok_or_else(|| about(unsupported("something else than one number (`=?`)")))?;
        all.push(process.advised(&formula, meter).map_err(about)?);
    }
    drop(process);
    Ok((matrix, all))
}

impl Process<'_> {
    fn answer(
        &self,
        claim: &Claim<AtomId>,
        outcome: &mut Outcome,
        meter: &mut Meter<'_>,
    ) -> Result<Verdict, Stop> {
        let formula = match (claim.formula.as_state(), claim.kind) {
            (_, Kind::Assume) => return Err(unsupported(ASSUMED)),
            (Some(formula), _) => formula,
            // What a property says of runs it says of all of them.
            (None, Kind::Property) => Formula::Runs(Quantifier::All, Box::new(claim.formula.clone())),
            (None, Kind::Possible) => Formula::Runs(Quantifier::Some, Box::new(claim.formula.clone())),
            (None, Kind::Query) => return Err(unsupported("a number asked of runs: ask for it with P")),
        };
        if claim.kind == Kind::Possible {
            // Every state of the graph is reachable. A run to it proves nothing about chances, so none is shown.
            let states = self.states(&formula, meter)?;
            let mut starts = self.matrix.initial.iter();
            return Ok(truth(match claim.formula.as_state() {
                Some(_) => states.first().is_some(),
                None => starts.any(|&state| states.get(state as usize)),
            }));
        }
        if filter::is_number(&formula) {
            let quantity = self.value(&formula, meter)?;
            let verdict = Verdict::Value { low: quantity.low, high: quantity.high };
            outcome.quantity = Some(quantity);
            return Ok(verdict);
        }
        if numbers::is_measure(&formula) {
            return self.threshold(&formula, outcome, meter);
        }
        let states = self.states(&formula, meter)?;
        Ok(truth(self.matrix.initial.iter().all(|&state| states.get(state as usize))))
    }

    fn value(&self, formula: &Formula<AtomId>, meter: &mut Meter<'_>) -> Result<Quantity, Stop> {
        if let Formula::Filter(filter, inner, among) = formula {
            return Ok(Self::told_gathered(self.gathered(*filter, inner, among, meter)?));
        }
        let aim = Aim { precision: self.precision, focus: Focus::Initial };
        let mut number = self.number(formula, aim, meter)?;
        if !self.is_close_enough(&number.staged.values) {
            number = self.number(formula, Aim { precision: Precision::Exact, ..aim }, meter)?;
        }
        self.told(formula, &number, meter)
    }

    /// Bounds that did not close in as far as asked for are no answer, though they are certain; fractions are asked then.
    fn is_close_enough(&self, values: &Values) -> bool {
        let bounds = |&state: &u32| (values.low[state as usize], values.high[state as usize]);
        self.matrix.initial.iter().map(bounds).all(|bounds| self.is_close(bounds))
    }

    /// Whether bounds are as close as they were asked to be.
    fn is_close(&self, (low, high): (f64, f64)) -> bool {
        match self.precision {
            Precision::Certified(width) => relative(low, high) <= 2.0 * width,
            Precision::Exact => true,
        }
    }

    /// Whether all initial states meet a threshold. What lies too close to it is looked at more closely.
    fn threshold(
        &self,
        formula: &Formula<AtomId>,
        outcome: &mut Outcome,
        meter: &mut Meter<'_>,
    ) -> Result<Verdict, Stop> {
        let Some(Query::Compare(relation, text)) = numbers::query(formula) else {
            return Err(unsupported("a number (`=?`) where something true or false is expected"));
        };
        let threshold = numbers::threshold(*relation, text)?;
        for aim in self.aims(Focus::Initial) {
            let number = self.number(formula, aim, meter)?;
            let values = &number.staged.values;
            let met: Vec<Option<bool>> =
                self.matrix.initial.iter().map(|&state| threshold.is_met(values, state as usize)).collect();
            let verdict = if met.contains(&Some(false)) {
                Verdict::Fails
            } else if met.contains(&None) {
                continue;
            } else {
                Verdict::Holds
            };
            outcome.quantity = Some(self.told(formula, &number, meter)?);
            return Ok(verdict);
        }
        Err(numbers::too_close(text))
    }
}

fn truth(holds: bool) -> Verdict {
    if holds { Verdict::Holds } else { Verdict::Fails }
}
