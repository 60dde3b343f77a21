//! Strongly connected components and maximal end components.

use super::matrix::{Matrix, narrow};
use crate::exploration::graph::NONE;
use crate::storage::bits::Bits;

/// The strongly connected components of a part of a process. A component has a greater number than all those it leads to,
/// so that going through them in order meets what a value depends on first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Components {
    /// Per state: its component; [`NONE`] outside the part.
    pub(crate) of: Vec<u32>,
    /// The states, component by component.
    states: Vec<u32>,
    /// Per component: where its states start; one more at the end.
    starts: Vec<u32>,
}

impl Components {
    /// Those of the sub-process with these states and these choices (all, where it is `None`). A branch that leaves the
    /// states is no edge.
    pub(crate) fn of(matrix: &Matrix, states: &Bits, choices: Option<&Bits>) -> Self {
        let mut search = Search::new(matrix.n_states());
        let inside = |state: u32| states.get(state as usize);
        let kept = |choice: usize| choices.is_none_or(|choices| choices.get(choice));
        let mut found = Self { of: vec![NONE; matrix.n_states()], states: Vec::new(), starts: vec![0] };
        for root in states.ones() {
            search.from(matrix, narrow(root), &inside, &kept, &mut |component| {
                let number = narrow(found.starts.len() - 1);
                component.iter().for_each(|&state| found.of[state as usize] = number);
                found.states.extend_from_slice(component);
                found.starts.push(narrow(found.states.len()));
            });
        }
        found
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn states(&self, component: usize) -> &[u32] {
        &self.states[self.starts[component] as usize..self.starts[component + 1] as usize]
    }
}

/// Tarjan's algorithm without recursion.
struct Search {
    /// Per state: when it was met, counted from 1; 0 is not yet, `u32::MAX` is done.
    met: Vec<u32>,
    clock: u32,
    open: Vec<u32>,
    calls: Vec<Call>,
}

struct Call {
    state: u32,
    choice: u32,
    branch: u32,
    lowest: u32,
}

impl Search {
    fn new(n: usize) -> Self {
        Self { met: vec![0; n], clock: 0, open: Vec::new(), calls: Vec::new() }
    }

    /// Finds the components that can be reached from `root` and were not found yet.
    fn from(
        &mut self,
        matrix: &Matrix,
        root: u32,
        inside: &dyn Fn(u32) -> bool,
        kept: &dyn Fn(usize) -> bool,
        found: &mut dyn FnMut(&[u32]),
    ) {
        if self.met[root as usize] != 0 {
            return;
        }
        self.enter(matrix, root);
        while let Some(call) = self.calls.last_mut() {
            let state = call.state;
            match next_target(matrix, call, kept) {
                Some(target) if !inside(target) || self.met[target as usize] == u32::MAX => {}
                Some(target) if self.met[target as usize] == 0 => self.enter(matrix, target),
                Some(target) => call.lowest = call.lowest.min(self.met[target as usize]),
                None => {
                    let lowest = call.lowest;
                    self.calls.pop();
                    if lowest == self.met[state as usize] {
                        let start = self.open.iter().rposition(|&open| open == state);
                        let start = start.expect("a state stays open until its component is complete");
                        self.open[start..].iter().for_each(|&state| self.met[state as usize] = u32::MAX);
                        found(&self.open[start..]);
                        self.open.truncate(start);
                    } else if let Some(caller) = self.calls.last_mut() {
                        caller.lowest = caller.lowest.min(lowest);
                    }
                }
            }
        }
    }

    /// The first component found from `root`, which cannot be left; `None` if it takes more than `effort` states.
    fn bottom(
        &mut self,
        matrix: &Matrix,
        root: u32,
        inside: &dyn Fn(u32) -> bool,
        kept: &dyn Fn(usize) -> bool,
        effort: usize,
    ) -> Option<Vec<u32>> {
        let mut found = None;
        let mut steps = 16 * effort;
        self.clock = 0;
        self.enter(matrix, root);
        while let Some(call) = self.calls.last_mut() {
            let state = call.state;
            steps = steps.saturating_sub(1);
            if self.open.len() > effort || steps == 0 {
                break;
            }
            match next_target(matrix, call, kept) {
                Some(target) if !inside(target) => {}
                Some(target) if self.met[target as usize] == 0 => self.enter(matrix, target),
                Some(target) => call.lowest = call.lowest.min(self.met[target as usize]),
                None => {
                    let lowest = call.lowest;
                    self.calls.pop();
                    if lowest == self.met[state as usize] {
                        let start = self.open.iter().rposition(|&open| open == state);
                        found = start.map(|start| self.open[start..].to_vec());
                        break;
                    } else if let Some(caller) = self.calls.last_mut() {
                        caller.lowest = caller.lowest.min(lowest);
                    }
                }
            }
        }
        self.calls.clear();
        for state in std::mem::take(&mut self.open) {
            self.met[state as usize] = 0;
        }
        found
    }

    fn enter(&mut self, matrix: &Matrix, state: u32) {
        self.clock += 1;
        self.met[state as usize] = self.clock;
        self.open.push(state);
        let choice = matrix.choices[state as usize];
        let branch = matrix.branches[choice as usize];
        self.calls.push(Call { state, choice, branch, lowest: self.clock });
    }
}

fn next_target(matrix: &Matrix, call: &mut Call, kept: &dyn Fn(usize) -> bool) -> Option<u32> {
    let last = matrix.choices[call.state as usize + 1];
    while call.choice < last {
        let end = matrix.branches[call.choice as usize + 1];
        if call.branch < end && kept(call.choice as usize) {
            call.branch += 1;
            return Some(matrix.targets[call.branch as usize - 1]);
        }
        call.choice += 1;
        call.branch = end;
    }
    None
}

/// The maximal end components of a part of a process: sets of states with choices that never leave them, in which every
/// state is reached from every other (de Alfaro 1997).
#[derive(Clone, Debug, Default)]
pub(crate) struct EndComponents {
    /// Per state: its end component; [`NONE`] if it is in none.
    pub(crate) of: Vec<u32>,
    /// The states of each.
    pub(crate) states: Vec<Vec<u32>>,
    /// The choices that stay inside.
    pub(crate) choices: Bits,
}

impl EndComponents {
    /// Those of the sub-process with these states and these choices (all, where it is `None`).
    ///
    /// What cannot stay is peeled off until only end components are left. A part that has lost choices may have fallen
    /// apart; if so, a piece that cannot be left any more has a state among those that lost one. It may be small, so it is
    /// looked for from there first (after Chatterjee and Henzinger 2011).
    pub(crate) fn of(matrix: &Matrix, states: &Bits, choices: Option<&Bits>) -> Self {
        let mut peeling = Peeling::new(matrix, matrix.inward(), states, choices);
        let mut found = Self { of: vec![NONE; matrix.n_states()], ..Self::default() };
        let all: Vec<u32> = states.ones().map(narrow).collect();
        let mut waiting: Vec<Part> = peeling.split(&all);
        while let Some(mut part) = waiting.pop() {
            part.touched.retain(|&state| peeling.region[state as usize] == part.region);
            if part.touched.is_empty() {
                found.push(peeling.alive(&part));
                continue;
            }
            match peeling.bottom(&part) {
                None => {
                    let alive = peeling.alive(&part);
                    waiting.extend(peeling.split(&alive));
                }
                Some(bottom) => {
                    peeling.take(&bottom, &mut part);
                    found.push(bottom);
                    waiting.push(part);
                }
            }
        }
        found.choices = peeling.kept;
        found
    }

    fn push(&mut self, states: Vec<u32>) {
        if !states.is_empty() {
            let number = narrow(self.states.len());
            states.iter().for_each(|&state| self.of[state as usize] = number);
            self.states.push(states);
        }
    }
}

/// States that may contain end components.
struct Part {
    states: Vec<u32>,
    region: u32,
    /// Those that have lost choices since the part was strongly connected.
    touched: Vec<u32>,
}

/// What is left of a process while everything that cannot stay is peeled off.
struct Peeling<'a> {
    matrix: &'a Matrix,
    inward: &'a Inward,
    /// Per state: the part it belongs to; 0 once it was taken away.
    region: Vec<u32>,
    regions: u32,
    /// Per state: how many choices are left.
    left: Vec<u32>,
    kept: Bits,
    search: Search,
}

impl<'a> Peeling<'a> {
    fn new(matrix: &'a Matrix, inward: &'a Inward, states: &Bits, choices: Option<&Bits>) -> Self {
        let n = matrix.n_states();
        let mut peeling = Self {
            matrix,
            inward,
            region: (0..n).map(|state| u32::from(states.get(state))).collect(),
            regions: 1,
            left: vec![0; n],
            kept: Bits::zeros(matrix.n_choices()),
            search: Search::new(n),
        };
        for state in states.ones() {
            for choice in matrix.choices_of(narrow(state)) {
                if choices.is_none_or(|choices| choices.get(choice)) {
                    peeling.kept.insert(choice);
                    peeling.left[state] += 1;
                }
            }
        }
        peeling
    }

    fn alive(&self, part: &Part) -> Vec<u32> {
        let alive = |state: &u32| self.region[*state as usize] == part.region;
        part.states.iter().copied().filter(alive).collect()
    }

    /// The strongly connected parts of some states of one part, without the choices that leave them.
    fn split(&mut self, states: &[u32]) -> Vec<Part> {
        let Some(&first) = states.first() else { return Vec::new() };
        let region = self.region[first as usize];
        states.iter().for_each(|&state| self.search.met[state as usize] = 0);
        self.search.clock = 0;
        let mut parts = Vec::new();
        let inside = |state: u32| self.region[state as usize] == region;
        let kept = |choice: usize| self.kept.get(choice);
        for &root in states {
            self.search.from(self.matrix, root, &inside, &kept, &mut |states| {
                parts.push(Part { states: states.to_vec(), region: 0, touched: Vec::new() });
            });
        }
        states.iter().for_each(|&state| self.search.met[state as usize] = 0);
        for part in &mut parts {
            self.regions += 1;
            part.region = self.regions;
            part.states.iter().for_each(|&state| self.region[state as usize] = part.region);
            self.peel(part);
        }
        parts
    }

    /// Takes away the choices that leave a part, and what cannot stay without them.
    fn peel(&mut self, part: &mut Part) {
        let mut lost: Vec<u32> = Vec::new();
        for &state in &part.states {
            for choice in self.matrix.choices_of(state) {
                let leaves = |branch: usize| self.region[self.matrix.targets[branch] as usize] != part.region;
                if self.kept.get(choice) && self.matrix.branches_of(choice).any(leaves) {
                    self.kept.remove(choice);
                    self.left[state as usize] -= 1;
                    part.touched.push(state);
                }
            }
            if self.left[state as usize] == 0 {
                lost.push(state);
            }
        }
        self.remove(lost, part);
    }

    /// Takes away an end component, and what cannot stay without it.
    fn take(&mut self, states: &[u32], part: &mut Part) {
        let mut lost = Vec::new();
        states.iter().for_each(|&state| self.region[state as usize] = 0);
        states.iter().for_each(|&state| self.cut(state, part, &mut lost));
        self.remove(lost, part);
    }

    /// Takes away states without choices, the choices that may lead to them, and so on.
    fn remove(&mut self, mut lost: Vec<u32>, part: &mut Part) {
        while let Some(state) = lost.pop() {
            if std::mem::replace(&mut self.region[state as usize], 0) != 0 {
                self.cut(state, part, &mut lost);
            }
        }
    }

    /// Takes away the choices of a part that may lead to a state.
    fn cut(&mut self, state: u32, part: &mut Part, lost: &mut Vec<u32>) {
        let inward = self.inward;
        for &choice in inward.of(state) {
            let owner = inward.owners[choice as usize];
            if self.region[owner as usize] != part.region || !self.kept.get(choice as usize) {
                continue;
            }
            self.kept.remove(choice as usize);
            self.left[owner as usize] -= 1;
            if self.left[owner as usize] == 0 {
                lost.push(owner);
            } else {
                part.touched.push(owner);
            }
        }
    }

    /// A strongly connected piece of a part that cannot be left, looked for from some of the touched states with equal
    /// effort; `None` if that costs as much as looking at the whole part.
    fn bottom(&mut self, part: &Part) -> Option<Vec<u32>> {
        let inside = |state: u32| self.region[state as usize] == part.region;
        let kept = |choice: usize| self.kept.get(choice);
        let apart = part.touched.len().div_ceil(ROOTS);
        let mut effort = 16;
        while effort * 2 * ROOTS <= part.states.len() {
            for &root in part.touched.iter().step_by(apart) {
                let search = &mut self.search;
                if let Some(bottom) = search.bottom(self.matrix, root, &inside, &kept, effort) {
                    return Some(bottom);
                }
            }
            effort *= 4;
        }
        None
    }
}

/// From so many states at most a piece is looked for.
const ROOTS: usize = 4;

/// Per state the choices that may lead there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inward {
    starts: Vec<u32>,
    choices: Vec<u32>,
    /// Per choice: the state that has it.
    pub(crate) owners: Vec<u32>,
}

impl Inward {
    /// Whoever wants it asks [`Matrix::inward`], which remembers it.
    pub(super) fn new(matrix: &Matrix) -> Self {
        let n = matrix.n_states();
        let mut starts = vec![0_u32; n + 1];
        matrix.targets.iter().for_each(|&target| starts[target as usize + 1] += 1);
        for state in 0..n {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let mut choices = vec![0; matrix.targets.len()];
        let mut owners = vec![0; matrix.n_choices()];
        for state in 0..narrow(n) {
            for choice in matrix.choices_of(state) {
                owners[choice] = state;
                for branch in matrix.branches_of(choice) {
                    let slot = &mut next[matrix.targets[branch] as usize];
                    choices[*slot as usize] = narrow(choice);
                    *slot += 1;
                }
            }
        }
        Self { starts, choices, owners }
    }

    pub(crate) fn bytes(&self) -> u64 {
        4 * (self.starts.capacity() + self.choices.capacity() + self.owners.capacity()) as u64
    }

    /// The choices that may lead to a state. One with several branches there comes several times.
    pub(crate) fn of(&self, state: u32) -> &[u32] {
        &self.choices[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::written::{process, set};
    use super::*;

    #[test]
    fn a_component_comes_after_those_it_leads_to() {
        // 0 <-> 1 -> 2 <-> 3, and 4 alone leads to both.
        let matrix = process(&[
            vec![vec![(1, 1, 1)]],
            vec![vec![(0, 1, 2), (2, 1, 2)]],
            vec![vec![(3, 1, 1)]],
            vec![vec![(2, 1, 1)]],
            vec![vec![(0, 1, 2), (2, 1, 2)]],
        ]);
        let components = Components::of(&matrix, &Bits::all(5), None);
        assert_eq!(components.len(), 3);
        assert_eq!(components.of[0], components.of[1]);
        assert_eq!(components.of[2], components.of[3]);
        assert!(components.of[2] < components.of[0] && components.of[0] < components.of[4]);
        let part = Components::of(&matrix, &set(&[0, 2, 3]), None);
        assert_eq!((part.len(), part.of[1]), (2, NONE));
    }

    #[test]
    fn an_end_component_has_only_choices_that_stay() {
        // 0 and 1 may go round; 1 may also leave for 2, which may stay; 3 leaks into 2 and is in none.
        let matrix = process(&[
            vec![vec![(1, 1, 1)]],
            vec![vec![(0, 1, 1)], vec![(0, 1, 2), (2, 1, 2)]],
            vec![vec![(2, 1, 1)]],
            vec![vec![(3, 1, 2), (2, 1, 2)]],
        ]);
        let ends = EndComponents::of(&matrix, &Bits::all(4), None);
        assert_eq!(ends.choices.ones().collect::<Vec<_>>(), [0, 1, 3]);
        assert!(ends.of[0] == ends.of[1] && ends.of[0] != ends.of[2] && ends.of[2] != NONE);
        assert_eq!(ends.of[3], NONE);
        let without = EndComponents::of(&matrix, &Bits::all(4), Some(&set(&[0, 2, 3, 4])));
        assert_eq!((without.of[0], without.states.len()), (NONE, 1));
    }

    /// Rings in layers: each state may go round in its ring or on to the next one or back; from the last ring it is on or
    /// nothing. By induction from the last layer, every ring is an end component of its own.
    #[test]
    fn each_ring_of_a_layered_process_is_an_end_component() {
        let (layers, ring) = (40_u32, 30_u32);
        let at = |layer: u32, place: u32| layer * ring + place % ring;
        let state = |layer: u32, place: u32| {
            let on = if layer + 1 == layers { layers * ring } else { at(layer + 1, place) };
            let back = at(layer.saturating_sub(1), place);
            vec![vec![(at(layer, place + 1), 1, 1)], vec![(on, 1, 2), (back, 1, 2)]]
        };
        let mut states: Vec<_> =
            (0..layers).flat_map(|layer| (0..ring).map(move |place| state(layer, place))).collect();
        states.push(vec![vec![(layers * ring, 1, 1)]]);
        let matrix = process(&states);
        let ends = EndComponents::of(&matrix, &Bits::all(states.len()), None);
        assert_eq!(ends.states.len(), layers as usize + 1);
        assert!((0..layers).all(|layer| {
            (0..ring).all(|place| ends.of[at(layer, place) as usize] == ends.of[at(layer, 0) as usize])
        }));
    }
}
