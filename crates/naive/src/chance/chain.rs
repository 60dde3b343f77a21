//! Markov chains by Gaussian elimination in rational numbers.

use dashu::rational::RBig;

use super::Extended;

/// Per state: where it goes, with which chance.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) rows: Vec<Vec<(usize, RBig)>>,
}

impl Chain {
    /// The chance of `stay U goal` from every state.
    pub(super) fn until(&self, stay: &[bool], goal: &[bool]) -> Vec<RBig> {
        let n = self.rows.len();
        let mut can = goal.to_vec();
        for _ in 0..n {
            for state in 0..n {
                can[state] |= stay[state] && self.rows[state].iter().any(|(target, _)| can[*target]);
            }
        }
        let unknown: Vec<usize> = (0..n).filter(|&state| can[state] && !goal[state]).collect();
        let sure = |state: usize| if goal[state] { RBig::ONE } else { RBig::ZERO };
        let mut values: Vec<RBig> = (0..n).map(sure).collect();
        self.solve(&unknown, &mut values, &vec![RBig::ZERO; n]);
        values
    }

    /// Solves `x = earned + P x` for the unknown states, given the values of all others.
    fn solve(&self, unknown: &[usize], values: &mut [RBig], earned: &[RBig]) {
        let mut equations = Vec::new();
        for (row, &state) in unknown.iter().enumerate() {
            let mut equation = vec![RBig::ZERO; unknown.len() + 1];
            equation[row] += RBig::ONE;
            equation[unknown.len()] += &earned[state];
            for (target, chance) in &self.rows[state] {
                match unknown.iter().position(|known| known == target) {
                    Some(column) => equation[column] -= chance,
                    None => equation[unknown.len()] += chance * &values[*target],
                }
            }
            equations.push(equation);
        }
        for (&state, value) in unknown.iter().zip(eliminate(equations)) {
            values[state] = value;
        }
    }

    fn reachable(&self) -> Vec<Vec<bool>> {
        let n = self.rows.len();
        let mut reaches: Vec<Vec<bool>> = (0..n).map(|from| (0..n).map(|to| from == to).collect()).collect();
        for (from, row) in self.rows.iter().enumerate() {
            row.iter().for_each(|(target, _)| reaches[from][*target] = true);
        }
        for via in 0..n {
            for from in 0..n {
                for to in 0..n {
                    reaches[from][to] |= reaches[from][via] && reaches[via][to];
                }
            }
        }
        reaches
    }

    /// The bottom components: sets that no run leaves and in which every state reaches every other.
    pub(super) fn bottoms(&self) -> Vec<Vec<usize>> {
        let reaches = self.reachable();
        let n = self.rows.len();
        let mut bottoms: Vec<Vec<usize>> = Vec::new();
        for (state, reached) in reaches.iter().enumerate() {
            let known = bottoms.iter().any(|bottom| bottom.contains(&state));
            if !known && (0..n).all(|other| !reached[other] || reaches[other][state]) {
                bottoms.push((0..n).filter(|&other| reached[other]).collect());
            }
        }
        bottoms
    }

    /// How often each state of a bottom component is visited in the long run.
    fn stationary(&self, bottom: &[usize]) -> Vec<RBig> {
        let n = bottom.len();
        // Balance for all states but one, whose equation is that the shares sum to one.
        let mut equations = vec![vec![RBig::ZERO; n + 1]; n];
        for (column, &from) in bottom.iter().enumerate() {
            equations[column][column] -= RBig::ONE;
            for (target, chance) in &self.rows[from] {
                let row = bottom.iter().position(|state| state == target).expect("no run leaves a bottom");
                equations[row][column] += chance;
            }
        }
        equations[0] = vec![RBig::ONE; n + 1];
        eliminate(equations)
    }

    /// The average in the long run, from every state.
    pub(super) fn average(&self, earned: &[RBig]) -> Vec<RBig> {
        let n = self.rows.len();
        let mut values = vec![RBig::ZERO; n];
        for bottom in self.bottoms() {
            let shares = self.stationary(&bottom);
            let gain: RBig = bottom
                .iter()
                .zip(&shares)
                .fold(RBig::ZERO, |gain, (&state, share)| gain + share * &earned[state]);
            let inside: Vec<bool> = (0..n).map(|state| bottom.contains(&state)).collect();
            for (value, chance) in values.iter_mut().zip(self.until(&vec![true; n], &inside)) {
                *value += chance * &gain;
            }
        }
        values
    }

    /// All that is ever earned.
    pub(super) fn total(&self, earned: &[RBig]) -> Vec<Extended> {
        let n = self.rows.len();
        let reaches = self.reachable();
        let bottoms = self.bottoms();
        let rich = |bottom: &&Vec<usize>| bottom.iter().any(|&state| earned[state] > RBig::ZERO);
        let rich: Vec<usize> = bottoms.iter().filter(rich).flatten().copied().collect();
        let infinite = |state: usize| rich.iter().any(|&other| reaches[state][other]);
        let mut values = vec![RBig::ZERO; n];
        let in_bottom = |state: usize| bottoms.iter().any(|bottom| bottom.contains(&state));
        let unknown: Vec<usize> = (0..n).filter(|&state| !in_bottom(state) && !infinite(state)).collect();
        self.solve(&unknown, &mut values, earned);
        let extended = |(state, value)| {
            if infinite(state) { Extended::Infinite } else { Extended::Finite(value) }
        };
        values.into_iter().enumerate().map(extended).collect()
    }

    /// What is earned before the goal; infinite where the goal is missed with some chance.
    pub(super) fn until_goal(&self, earned: &[RBig], goal: &[bool]) -> Vec<Extended> {
        let n = self.rows.len();
        let chance = self.until(&vec![true; n], goal);
        let unknown: Vec<usize> =
            (0..n).filter(|&state| chance[state] == RBig::ONE && !goal[state]).collect();
        let mut values = vec![RBig::ZERO; n];
        self.solve(&unknown, &mut values, earned);
        let extended = |(state, value): (usize, RBig)| {
            if chance[state] == RBig::ONE { Extended::Finite(value) } else { Extended::Infinite }
        };
        values.into_iter().enumerate().map(extended).collect()
    }
}

/// Solves equations given as rows of coefficients with the right side last. There must be one solution.
pub(super) fn eliminate(mut rows: Vec<Vec<RBig>>) -> Vec<RBig> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n).find(|&row| rows[row][column] != RBig::ZERO).expect("one solution");
        rows.swap(column, pivot);
        let scale = rows[column][column].clone();
        rows[column].iter_mut().for_each(|entry| *entry /= &scale);
        let pivot = rows[column].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            let factor = row[column].clone();
            if number == column || factor == RBig::ZERO {
                continue;
            }
            for (entry, other) in row.iter_mut().zip(&pivot) {
                if *other != RBig::ZERO {
                    *entry -= &factor * other;
                }
            }
        }
    }
    rows.into_iter().map(|mut row| row.pop().expect("the right side")).collect()
}
