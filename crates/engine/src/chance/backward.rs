//! Values a number of steps before they are known.

use dashu::rational::RBig;
use motet_evidence::Stop;
use motet_property::Extremum;

use super::eliminate::{Number, UNIT};
use super::exact::rational;
use super::matrix::{Matrix, narrow};
use crate::exploration::limits::Meter;
use crate::exploration::threads::{ranges, together};
use crate::storage::bits::Bits;

/// The best choices of every step, for states that have several.
#[derive(Clone, Debug)]
pub(crate) struct Stages {
    /// States with several choices, in order.
    many: Vec<u32>,
    /// Per number of steps left, from 1 on, and per state in `many`: the ordinal of its choice.
    ordinals: Vec<Vec<u8>>,
}

/// Choices are remembered up to this many bytes.
const REMEMBERED: usize = 1 << 26;
/// Operations between two looks at the clock.
const TICK: usize = 1 << 18;
/// States that are worth a thread of their own.
const SHARED: usize = if cfg!(debug_assertions) { 64 } else { 1 << 14 };

impl Stages {
    /// Room for the choices of `steps` steps; `None` if nobody chooses, or there would be too many of them.
    fn new(matrix: &Matrix, steps: u64) -> Option<Self> {
        let n_choices = |state: u32| matrix.choices_of(state).len();
        let many: Vec<u32> = (0..narrow(matrix.n_states())).filter(|&state| n_choices(state) > 1).collect();
        let few = many.iter().all(|&state| n_choices(state) <= usize::from(u8::MAX));
        let bytes = usize::try_from(steps).ok()?.checked_mul(many.len())?;
        (!many.is_empty() && few && bytes <= REMEMBERED).then_some(Self { many, ordinals: Vec::new() })
    }

    /// How many steps are planned.
    pub(crate) fn steps(&self) -> u64 {
        self.ordinals.len() as u64
    }

    /// Repeats the last plan up to this many steps: nothing changed any more.
    fn fill(&mut self, steps: u64) {
        while (self.ordinals.len() as u64) < steps
            && let Some(last) = self.ordinals.last()
        {
            self.ordinals.push(last.clone());
        }
    }

    /// The ordinal of the choice to take in a state with this many steps left; `None` where there is one only.
    pub(crate) fn ordinal(&self, state: u32, left: u64) -> Option<u32> {
        let at = self.many.binary_search(&state).ok()?;
        let stage = usize::try_from(left.checked_sub(1)?).ok()?;
        Some(u32::from(self.ordinals.get(stage)?[at]))
    }
}

/// Calculates backwards, in floating point or in fractions.
pub(crate) struct Backward<'a, N> {
    pub(crate) matrix: &'a Matrix,
    /// Per branch: its chance.
    chances: Chances<'a, N>,
    /// Per choice: what it earns on the way; empty for nothing.
    pub(crate) earned: Vec<N>,
    pub(crate) extremum: Extremum,
    /// The states whose values change; all others stay as they are.
    pub(crate) active: Vec<u32>,
    pub(crate) stages: Option<Stages>,
    /// Steps taken in all.
    pub(crate) taken: u64,
    /// Steps asked for in all; fewer are taken when nothing changes any more.
    planned: u64,
    horizon: Option<Horizon>,
}

/// What the values of the initial states depend on: a state that takes more steps to reach than are still to come does not
/// matter any more.
struct Horizon {
    /// Steps in all.
    steps: u64,
    /// Per number of steps: all states that are reached within them have smaller numbers.
    ends: Vec<u32>,
}

impl Horizon {
    fn new(matrix: &Matrix, steps: u64) -> Self {
        let mut seen = Bits::zeros(matrix.n_states());
        let (mut level, mut ends, mut end) = (matrix.initial.clone(), Vec::new(), 0);
        while !level.is_empty() && ends.len() as u64 <= steps {
            level.retain(|&state| seen.insert(state as usize));
            end = level.iter().fold(end, |end, &state| end.max(state + 1));
            ends.push(end);
            let choices = level.iter().flat_map(|&state| matrix.choices_of(state));
            let branches = choices.flat_map(|choice| matrix.branches_of(choice));
            let targets = branches.map(|branch| matrix.targets[branch]);
            level = targets.filter(|&target| !seen.get(target as usize)).collect();
        }
        Self { steps, ends }
    }

    /// All states that matter after the next step have smaller numbers.
    fn end(&self, taken: u64) -> u32 {
        let to_come = usize::try_from(self.steps.saturating_sub(taken + 1)).unwrap_or(usize::MAX);
        self.ends.get(to_come).or(self.ends.last()).copied().unwrap_or(0)
    }
}

/// A part of one step: some states, and where their values and choices go.
struct Part<'s, N> {
    active: &'s [u32],
    /// The state that the first value is of.
    first: usize,
    next: &'s mut [N],
    /// The place among states with several choices that the first ordinal is of.
    first_many: usize,
    ordinals: &'s mut [u8],
}

enum Chances<'a, N> {
    Direct(&'a [N]),
    Numbered(&'a [u32], Vec<N>),
}

impl<'a> Backward<'a, f64> {
    pub(crate) fn rounded(matrix: &'a Matrix, extremum: Extremum, active: Vec<u32>) -> Self {
        Self::new(matrix, Chances::Direct(&matrix.chances), extremum, active)
    }

    /// How far a value may be off, relative to itself: nothing is negative, so errors only add up.
    pub(crate) fn error(&self) -> f64 {
        let widest = self.matrix.branches.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        let per_step = (f64::from(widest) + 6.0) * UNIT;
        1.01 * per_step * (self.taken as f64 + 1.0)
    }
}

impl<'a> Backward<'a, RBig> {
    pub(crate) fn exact(matrix: &'a Matrix, extremum: Extremum, active: Vec<u32>) -> Self {
        let ratios = matrix.ratios.iter().map(|&ratio| rational(ratio)).collect();
        Self::new(matrix, Chances::Numbered(&matrix.exact, ratios), extremum, active)
    }
}

impl<'a, N: Number + PartialEq> Backward<'a, N> {
    fn new(matrix: &'a Matrix, chances: Chances<'a, N>, extremum: Extremum, active: Vec<u32>) -> Self {
        Self {
            matrix,
            chances,
            earned: Vec::new(),
            extremum,
            active,
            stages: None,
            taken: 0,
            planned: 0,
            horizon: None,
        }
    }

    /// Leaves out what the values of the initial states do not depend on, after this many steps in all. The values of all
    /// other states are none in the end.
    pub(crate) fn for_initial(self, steps: u64) -> Self {
        Self { horizon: Some(Horizon::new(self.matrix, steps)), ..self }
    }

    /// Remembers the choices of this many steps, if that is possible.
    pub(crate) fn remembering(self, steps: u64) -> Self {
        Self { stages: Stages::new(self.matrix, steps), ..self }
    }

    /// Goes this many steps back, or until nothing changes any more.
    pub(crate) fn steps(
        &mut self,
        values: &mut Vec<N>,
        steps: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let mut next = values.clone();
        let mut work = 0;
        self.planned += steps;
        for _ in 0..steps {
            let mut ordinals =
                self.stages.as_ref().map_or(Vec::new(), |stages| vec![0_u8; stages.many.len()]);
            let end = self.horizon.as_ref().map_or(u32::MAX, |horizon| horizon.end(self.taken));
            let active = &self.active[..self.active.partition_point(|&state| state < end)];
            let parts = self.parts(active, &mut next, &mut ordinals, meter.threads());
            let now = &*values;
            let changed = together(parts, |part| self.step(part, now)).contains(&true);
            let bytes = N::bytes_of(values);
            work += active.len().max(usize::try_from(bytes / 64).unwrap_or(usize::MAX));
            if let Some(stages) = &mut self.stages {
                stages.ordinals.push(ordinals);
            }
            std::mem::swap(values, &mut next);
            self.taken += 1;
            if work > TICK {
                work = 0;
                meter.tick(2 * bytes)?;
            }
            if !changed {
                break;
            }
        }
        if let Some(stages) = &mut self.stages {
            stages.fill(self.planned);
        }
        Ok(())
    }

    /// Cuts one step into parts for several threads.
    fn parts<'s>(
        &self,
        active: &'s [u32],
        mut next: &'s mut [N],
        mut ordinals: &'s mut [u8],
        threads: usize,
    ) -> Vec<Part<'s, N>> {
        let many = self.stages.as_ref().map_or(&[][..], |stages| &stages.many);
        let mut parts = Vec::new();
        let (mut first, mut first_many) = (0, 0);
        let ranges = ranges(active.len(), threads, SHARED);
        for (number, range) in ranges.iter().enumerate() {
            // A part reaches to where the next one begins.
            let end = match ranges.get(number + 1) {
                Some(range) => active[range.start] as usize,
                None => first + next.len(),
            };
            let end_many = many.partition_point(|&state| (state as usize) < end);
            let (own, rest) = std::mem::take(&mut next).split_at_mut(end - first);
            let (own_ordinals, rest_ordinals) =
                std::mem::take(&mut ordinals).split_at_mut(end_many - first_many);
            parts.push(Part {
                active: &active[range.clone()],
                first,
                next: own,
                first_many,
                ordinals: own_ordinals,
            });
            (next, ordinals, first, first_many) = (rest, rest_ordinals, end, end_many);
        }
        parts
    }

    /// Takes one step in a part; says whether anything changed.
    fn step(&self, part: Part<'_, N>, values: &[N]) -> bool {
        let Part { active, first, next, first_many, ordinals } = part;
        let (mut changed, mut many) = (false, first_many);
        for &state in active {
            let (ordinal, value) = self.best(state, values);
            let value = value.lifted();
            if let Some(stages) = &self.stages
                && self.matrix.choices_of(state).len() > 1
            {
                while stages.many[many] < state {
                    many += 1;
                }
                ordinals[many - first_many] = u8::try_from(ordinal).unwrap_or(0);
            }
            changed |= value != values[state as usize];
            next[state as usize - first] = value;
        }
        changed
    }

    fn best(&self, state: u32, values: &[N]) -> (usize, N) {
        let mut choices = self.matrix.choices_of(state).enumerate();
        let (_, first) = choices.next().expect("every state has a choice");
        let mut best = (0, self.worth(first, values));
        for (ordinal, choice) in choices {
            let worth = self.worth(choice, values);
            let better = match self.extremum {
                Extremum::Max => worth.exceeds(&best.1),
                Extremum::Min => best.1.exceeds(&worth),
            };
            if better {
                best = (ordinal, worth);
            }
        }
        best
    }

    fn worth(&self, choice: usize, values: &[N]) -> N {
        let mut sum = self.earned.get(choice).cloned().unwrap_or(N::ZERO);
        let range = self.matrix.branches_of(choice);
        let targets = self.matrix.targets[range.clone()].iter();
        match &self.chances {
            Chances::Direct(chances) => {
                for (&target, chance) in targets.zip(&chances[range]) {
                    sum.add_product(chance, &values[target as usize]);
                }
            }
            Chances::Numbered(numbers, chances) => {
                for (&target, &number) in targets.zip(&numbers[range]) {
                    sum.add_product(&chances[number as usize], &values[target as usize]);
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::written::{Branch, process};
    use super::*;
    use crate::exploration::limits::Limits;

    /// A walk in which states may choose between coins, except for some.
    fn walk() -> Matrix {
        let coin = |state: u32, above: u64| -> Vec<Branch> {
            vec![(state + 1, above, 7), (state - 1, 7 - above, 7)]
        };
        let states: Vec<Vec<Vec<Branch>>> = (0..500_u32)
            .map(|state| match state {
                0 | 499 => vec![vec![(state, 1, 1)]],
                _ if state.is_multiple_of(3) => vec![coin(state, 3)],
                _ => vec![coin(state, 2), coin(state, 4)],
            })
            .collect();
        Matrix { initial: vec![10], ..process(&states) }
    }

    fn calculated(matrix: &Matrix, threads: usize, focused: bool) -> (Vec<f64>, Vec<Vec<u8>>) {
        let (limits, mut watch) = (Limits::default(), |_| {});
        let mut meter = Meter::new(&limits, &mut watch).with_threads(threads);
        let mut backward = Backward::rounded(matrix, Extremum::Min, (1..499).collect()).remembering(120);
        if focused {
            backward = backward.for_initial(120);
        }
        let mut values = vec![0.0; 500];
        values[0] = 1.0;
        backward.steps(&mut values, 50, &mut meter).unwrap();
        backward.steps(&mut values, 70, &mut meter).unwrap();
        (values, backward.stages.unwrap().ordinals)
    }

    #[test]
    fn any_number_of_threads_calculates_the_same() {
        let matrix = walk();
        let alone = calculated(&matrix, 1, false);
        assert!([2, 3, 7].iter().all(|&threads| calculated(&matrix, threads, false) == alone));
    }

    #[test]
    fn what_the_start_does_not_depend_on_is_left_out() {
        let matrix = walk();
        let (all, all_ordinals) = calculated(&matrix, 1, false);
        let (some, ordinals) = calculated(&matrix, 3, true);
        assert_eq!(all[10], some[10]);
        // From state 100 on the start is far, so nobody asks for its value after more than 30 steps.
        assert!(all[10] > 0.0 && all[100] > 0.0 && some[100] == 0.0);
        // With 61 steps left of 120 the walk may have got as far as state 69: there are 46 that choose.
        assert_eq!(all_ordinals[60][..46], ordinals[60][..46]);
    }
}
