//! The best average of an end component.
//!
//! For any numbers h per state, the least and the greatest of `earned + P h - h`, with the best choice in each state, enclose
//! the best average (Odoni 1969). Sweeps that add a part of that difference to h close the
//! enclosure, because a part of every step is then a step on the spot, which breaks periods; policy iteration finds
//! better numbers h where sweeps are slow.

use dashu::rational::RBig;
use motet_evidence::{Method, Stop};
use motet_property::Extremum;

use super::super::components::EndComponents;
use super::super::eliminate::UNIT;
use super::super::exact::{enclosed, rational};
use super::super::iterate::{down, relative, up};
use super::super::matrix::{Matrix, narrow};
use super::super::strategy;
use super::Earnings;
use super::policy::{Evaluated, Part};
use crate::checking::settings::Precision;
use crate::exploration::graph::NONE;
use crate::exploration::limits::Meter;
use crate::storage::bits::Bits;

/// Chains this small are solved directly at once.
const SMALL: usize = 400;
/// Sweeps before something else is tried.
const PATIENCE: u64 = 200;
/// Operations that a direct solution may take.
const WORK: u64 = 100_000_000;
/// How much of a step is taken in a sweep.
const PACE: f64 = 0.75;
/// Operations between two looks at the clock.
const TICK: u64 = 1 << 18;

/// The best average of an end component, from whichever of its states.
#[derive(Clone, Debug)]
pub(super) struct Gain {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Where it was asked for.
    pub(super) exact: Option<RBig>,
    pub(super) method: Method,
    /// Per state of the component: the choice to take.
    pub(super) choices: Vec<u32>,
}

/// The best average of the end component with these states and those of the choices that belong to them. `local` is [`NONE`]
/// for every state, before and after.
#[expect(
    clippy::too_many_arguments,
    reason = "an end component is told by its parts, which all of them share"
)]
pub(super) fn gain(
    matrix: &Matrix,
    states: &[u32],
    choices: &Bits,
    earnings: &dyn Earnings,
    extremum: Extremum,
    precision: Precision,
    local: &mut [u32],
    meter: &mut Meter<'_>,
) -> Result<Gain, Stop> {
    states.iter().zip(0..).for_each(|(&state, number)| local[state as usize] = number);
    let end = End::new(matrix, states, choices, earnings, local);
    states.iter().for_each(|&state| local[state as usize] = NONE);
    let found = match end.free(extremum) {
        Some(free) => free,
        None => match precision {
            Precision::Certified(tolerance) => end.enclosed(extremum, tolerance, meter)?,
            Precision::Exact => end.exact(matrix, earnings, extremum, meter)?,
        },
    };
    let exact = found.exact.or_else(|| (precision == Precision::Exact).then_some(RBig::ZERO));
    let origin = |choice: &u32| end.origins[*choice as usize];
    Ok(Gain { exact, choices: found.choices.iter().map(origin).collect(), ..found })
}

/// An end component as a process of its own.
struct End {
    /// Its chances have the numbers of the whole process; the fractions are there.
    matrix: Matrix,
    earned: Vec<f64>,
    /// Per choice: its number in the whole process.
    origins: Vec<u32>,
}

impl End {
    fn new(whole: &Matrix, states: &[u32], kept: &Bits, earnings: &dyn Earnings, local: &[u32]) -> Self {
        let mut end = Self { matrix: Matrix::default(), earned: Vec::new(), origins: Vec::new() };
        let matrix = &mut end.matrix;
        for &state in states {
            matrix.choices.push(narrow(end.origins.len()));
            for choice in whole.choices_of(state).filter(|&choice| kept.get(choice)) {
                matrix.branches.push(narrow(matrix.targets.len()));
                matrix.delays.push(1);
                end.origins.push(narrow(choice));
                end.earned.push(earnings.rounded(choice));
                for branch in whole.branches_of(choice) {
                    matrix.targets.push(local[whole.targets[branch] as usize]);
                    matrix.chances.push(whole.chances[branch]);
                    matrix.exact.push(whole.exact[branch]);
                }
            }
        }
        matrix.choices.push(narrow(matrix.branches.len()));
        matrix.branches.push(narrow(matrix.targets.len()));
        end
    }

    fn first_choices(&self) -> Vec<u32> {
        self.matrix.choices[..self.matrix.n_states()].to_vec()
    }

    /// The answer where the average is nothing: for the greatest if no choice earns anything, for the least if one can go
    /// on for ever with choices that do not.
    fn free(&self, extremum: Extremum) -> Option<Gain> {
        let nothing = |choices| Gain { low: 0.0, high: 0.0, exact: None, method: Method::Graph, choices };
        if self.earned.iter().all(|&earned| earned == 0.0) {
            return Some(nothing(self.first_choices()));
        }
        if extremum == Extremum::Max || self.earned.iter().all(|&earned| earned > 0.0) {
            return None;
        }
        let all = Bits::all(self.matrix.n_states());
        let mut free = Bits::zeros(self.earned.len());
        for (choice, _) in self.earned.iter().enumerate().filter(|(_, earned)| **earned == 0.0) {
            free.insert(choice);
        }
        let ends = EndComponents::of(&self.matrix, &all, Some(&free));
        if ends.states.is_empty() {
            return None;
        }
        let mut choices = self.first_choices();
        let mut goal = Bits::zeros(choices.len());
        for &state in ends.states.iter().flatten() {
            let inside = self.matrix.choices_of(state).find(|&choice| ends.choices.get(choice));
            choices[state as usize] = narrow(inside.expect("an end component has a choice in every state"));
            goal.insert(state as usize);
        }
        strategy::towards(&self.matrix, &goal, &all, &|_| true, &mut choices);
        Some(nothing(choices))
    }

    fn enclosed(&self, extremum: Extremum, tolerance: f64, meter: &mut Meter<'_>) -> Result<Gain, Stop> {
        let mut sweeps = Sweeps::new(self, extremum);
        let direct = self.matrix.is_chain() && self.matrix.n_states() <= SMALL;
        if !direct && sweeps.close(tolerance, PATIENCE, meter)? {
            return Ok(sweeps.gain(Method::Iteration(sweeps.n_sweeps)));
        }
        self.solve(&mut sweeps, meter)?;
        if relative(sweeps.low, sweeps.high) <= tolerance {
            return Ok(sweeps.gain(Method::Elimination));
        }
        sweeps.close(tolerance, u64::MAX, meter)?;
        Ok(sweeps.gain(Method::Iteration(sweeps.n_sweeps)))
    }

    /// Narrows the bounds by solving equations, if that does not take too long.
    fn solve(&self, sweeps: &mut Sweeps<'_>, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let part = Part {
            matrix: &self.matrix,
            chances: self.matrix.chances.clone(),
            earned: self.earned.clone(),
            patience: WORK,
        };
        let extremum = sweeps.extremum;
        if !self.matrix.is_chain() {
            let exceeds = |one: &f64, other: &f64| *one > other * (1.0 + 1e-12);
            if let Some(policy) = part.improve(sweeps.choices(), extremum, exceeds, meter)? {
                sweeps.accept(&policy);
            }
        } else if let Some(policy) = part.evaluate(self.first_choices(), extremum, meter)? {
            sweeps.accept(&policy);
            // The error of a quotient of two such sums.
            let error = 2.0 * policy.error + 16.0 * UNIT * (2.0 + self.widest());
            sweeps.low = sweeps.low.max(down(policy.gain, error));
            sweeps.high = sweeps.high.min(up(policy.gain, error));
        }
        Ok(())
    }

    fn exact(
        &self,
        whole: &Matrix,
        earnings: &dyn Earnings,
        extremum: Extremum,
        meter: &mut Meter<'_>,
    ) -> Result<Gain, Stop> {
        let mut sweeps = Sweeps::new(self, extremum);
        if !self.matrix.is_chain() {
            sweeps.close(1e-6, PATIENCE, meter)?;
        }
        let part = Part {
            matrix: &self.matrix,
            chances: self
                .matrix
                .exact
                .iter()
                .map(|&number| rational(whole.ratios[number as usize]))
                .collect(),
            earned: self.origins.iter().map(|&choice| earnings.exact(choice as usize)).collect(),
            patience: u64::MAX,
        };
        let found = part.improve(sweeps.choices(), extremum, |one, other| one > other, meter)?;
        let policy = found.ok_or_else(|| Stop::Bound("too many improvements of the choices".to_owned()))?;
        let (low, high) = enclosed(&policy.gain);
        Ok(Gain { low, high, exact: Some(policy.gain), method: Method::Exact, choices: policy.choices })
    }

    /// The most branches that one choice has.
    fn widest(&self) -> f64 {
        f64::from(self.matrix.branches.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0))
    }
}

/// Closes in on the average from both sides.
struct Sweeps<'a> {
    end: &'a End,
    extremum: Extremum,
    /// What a state is worth in comparison with the first one.
    bias: Vec<f64>,
    low: f64,
    high: f64,
    n_sweeps: u64,
    widest: f64,
    most: f64,
}

impl<'a> Sweeps<'a> {
    fn new(end: &'a End, extremum: Extremum) -> Self {
        let most = end.earned.iter().copied().fold(0.0, f64::max);
        let least = end.earned.iter().copied().fold(f64::INFINITY, f64::min);
        Self {
            end,
            extremum,
            bias: vec![0.0; end.matrix.n_states()],
            low: down(least, 4.0 * UNIT),
            high: up(most, 4.0 * UNIT),
            n_sweeps: 0,
            widest: end.widest(),
            most,
        }
    }

    /// The best choice of a state, and by how much the state is then worth more than its bias.
    fn best(&self, state: u32) -> (u32, f64) {
        let matrix = &self.end.matrix;
        let mut best: Option<(u32, f64)> = None;
        for choice in matrix.choices_of(state) {
            let branches = matrix.branches_of(choice);
            let after = branches.map(|b| matrix.chances[b] * self.bias[matrix.targets[b] as usize]);
            let worth = self.end.earned[choice] + after.sum::<f64>() - self.bias[state as usize];
            let better = best.is_none_or(|(_, best)| match self.extremum {
                Extremum::Max => worth > best,
                Extremum::Min => worth < best,
            });
            if better {
                best = Some((narrow(choice), worth));
            }
        }
        best.expect("an end component has a choice in every state")
    }

    /// What floating point may have lost in one difference. The chances themselves were rounded, too.
    fn loss(&self) -> f64 {
        let bias = self.bias.iter().fold(0.0_f64, |most, bias| most.max(bias.abs()));
        (self.widest + 16.0) * UNIT * (2.0 * bias + self.most)
    }

    /// Looks at all states and narrows the bounds; with a sweep the bias is updated, too.
    fn look(&mut self, then: Then) {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut bias = Vec::with_capacity(self.bias.len());
        for state in 0..narrow(self.bias.len()) {
            let (_, worth) = self.best(state);
            (least, most) = (least.min(worth), most.max(worth));
            bias.push(self.bias[state as usize] + PACE * worth);
        }
        let loss = self.loss();
        self.low = self.low.max(least - loss);
        self.high = self.high.min(most + loss);
        if then == Then::Sweep {
            let first = bias[0];
            self.bias = bias.into_iter().map(|bias| bias - first).collect();
            self.n_sweeps += 1;
        }
    }

    /// `false` when `patience` sweeps were not enough. The bounds are certain also then.
    fn close(&mut self, tolerance: f64, patience: u64, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        // News of what is earned far away need as many sweeps as it is far, and nothing seems to happen meanwhile.
        let stalled = 200 + 2 * self.bias.len() as u64;
        let (mut width, mut narrowed, mut work) = (f64::INFINITY, self.n_sweeps, 0);
        loop {
            if relative(self.low, self.high) <= tolerance {
                return Ok(true);
            }
            if self.n_sweeps >= patience || self.n_sweeps > narrowed + stalled {
                return Ok(false);
            }
            self.look(Then::Sweep);
            if self.high - self.low < width {
                (width, narrowed) = (self.high - self.low, self.n_sweeps);
            }
            work += self.end.matrix.targets.len() as u64;
            if work > TICK {
                work = 0;
                meter.tick(self.bias.len() as u64 * 16)?;
            }
        }
    }

    /// Takes the bias of a policy, which may close the bounds at once.
    fn accept(&mut self, policy: &Evaluated<f64>) {
        let bias = |[earned, time]: &[f64; 2]| earned - policy.gain * time;
        self.bias = policy.before.iter().map(bias).collect();
        self.look(Then::Keep);
    }

    /// The choices that bring the bounds about: their average is not worse than the bound on the side that counts.
    fn choices(&self) -> Vec<u32> {
        (0..narrow(self.bias.len())).map(|state| self.best(state).0).collect()
    }

    fn gain(&self, method: Method) -> Gain {
        Gain { low: self.low.max(0.0), high: self.high, exact: None, method, choices: self.choices() }
    }
}

/// What becomes of a look at the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    /// The bias is brought nearer to what it should be.
    Sweep,
    /// The bias stays.
    Keep,
}
