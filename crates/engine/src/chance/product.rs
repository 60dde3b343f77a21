//! The chance of linear-time formulas: the product of the process with a deterministic automaton.
//!
//! What a run of the product does again and again is an end component, and the least colour in it decides
//! (Courcoubetis and Yannakakis 1998; de Alfaro 1997). So the greatest chance of the formula is that of reaching an end
//! component whose least colour is even, and one minus the least is that of reaching one whose least colour is odd. Over fair
//! strategies only those components count in which one of these can stay for ever (`fair`).

mod building;

use motet_evidence::{Memory, Stop};
use motet_model::{AtomId, TimeUnit};
use motet_property::{Extremum, Path};

use super::fair::{Fair, havens};
use super::matrix::{Matrix, narrow};
use super::plan::{Move, Plan, Tracked};
use super::reach;
use super::strategy;
use super::values::{Aim, Values};
use crate::exploration::graph::NONE;
use crate::exploration::limits::Meter;
use crate::linear_time::automata::{Automaton, Deterministic};
use crate::storage::bits::Bits;

/// A process whose states are looked at.
#[derive(Clone, Copy)]
pub(crate) struct Looked<'a> {
    pub(crate) matrix: &'a Matrix,
    /// To whom strategies are fair; `None` where all of them count.
    pub(crate) fair: Option<&'a Fair>,
    /// Per state formula: the states where it holds.
    pub(crate) columns: &'a [Bits],
}

/// The chance that a run satisfies `path`, per state, under the choices that make it least or greatest. State formulas in
/// the path have been evaluated: each is an atom whose number is its place in `columns`. Bounds in the path count steps.
pub(crate) fn probability(
    process: Looked<'_>,
    path: &Path<AtomId>,
    extremum: Extremum,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<Tracked, Stop> {
    let matrix = process.matrix;
    let (product, values) = solved(process, path, extremum, aim, meter)?;
    let fair = process.fair.map(|fair| fair.carried(&product.origins));
    // Where nobody chooses in what can be reached there is nothing to tell.
    let plan =
        if values.choices.is_empty() { None } else { product.plan(matrix, &values.choices, fair.as_ref()) };
    Ok(Tracked { values: product.values(matrix, values), plan })
}

/// The product, and its values with their choices.
fn solved(
    Looked { matrix, fair, columns }: Looked<'_>,
    path: &Path<AtomId>,
    extremum: Extremum,
    aim: Aim,
    meter: &mut Meter<'_>,
) -> Result<(Product, Values), Stop> {
    let automaton = Automaton::of(path, TimeUnit::Steps)
        .map_err(|name| Stop::Unsupported(format!("{name} in a nested formula inside `P`")))?;
    let product = Product::of(matrix, columns, Deterministic::of(&automaton), aim.focus, meter)?;
    let (parity, extremum) = match extremum {
        // On a chain the extremum does not matter.
        Extremum::Min if !matrix.is_chain() => (Parity::Odd, extremum),
        _ => (Parity::Even, Extremum::Max),
    };
    let mut inside = product.matrix.choices[..product.matrix.n_states()].to_vec();
    let fair = fair.map(|fair| fair.carried(&product.origins));
    let goal = product.winning(parity, fair.as_ref(), &mut inside);
    let all = Bits::all(product.matrix.n_states());
    let mut values = match extremum {
        Extremum::Max => reach::until(&product.matrix, &all, &goal, Extremum::Max, None, aim, meter)?,
        Extremum::Min => reach::avoided(&product.matrix, &all, &goal, aim, meter)?,
    };
    if fair.is_some() {
        // Where the goal is out of reach.
        values.leave_open(|low, high| if extremum == Extremum::Max { high == 0.0 } else { low == 1.0 });
    }
    if !values.choices.is_empty() {
        goal.ones().for_each(|node| values.choices[node] = inside[node]);
    }
    Ok((product, values))
}

/// Which end components are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parity {
    /// Those in which the formula holds.
    Even,
    /// Those in which it does not.
    Odd,
}

impl Parity {
    fn admits(self, colour: u32) -> bool {
        match self {
            Self::Even => colour.is_multiple_of(2),
            Self::Odd => !colour.is_multiple_of(2),
        }
    }
}

/// The part of the product that can be reached from the states whose values are wanted.
struct Product {
    matrix: Matrix,
    /// Per node: the mode of the automaton before it reads the state, and the state; [`NONE`] where neither matters any
    /// more.
    places: Vec<(u32, u32)>,
    /// Per node: the colour of what the automaton does when it reads the state.
    colours: Vec<u32>,
    /// Per choice: its number in the process.
    origins: Vec<u32>,
    /// Per state of the process: the node in which a run from there starts, or [`NONE`].
    starts: Vec<u32>,
}

impl Product {
    /// The states of all end components whose least colour has this parity and in which a fair strategy can stay. `chosen`
    /// gets choices that stay in them and meet that colour again and again.
    fn winning(&self, parity: Parity, fair: Option<&Fair>, chosen: &mut [u32]) -> Bits {
        let n = self.matrix.n_states();
        let mut colours: Vec<u32> =
            self.colours.iter().copied().filter(|&colour| parity.admits(colour)).collect();
        colours.sort_unstable();
        colours.dedup();
        let mut won = Bits::zeros(n);
        for colour in colours {
            let mut rest = Bits::zeros(n);
            let kept = |node: &usize| self.colours[*node] >= colour;
            (0..n).filter(kept).for_each(|node| {
                rest.insert(node);
            });
            let ends = havens(&self.matrix, fair, &rest, None);
            let (mut region, mut best) = (Bits::zeros(n), Bits::zeros(n));
            for states in &ends.states {
                let meets = |node: &&u32| self.colours[**node as usize] == colour;
                if states.iter().any(|node| meets(&node)) {
                    states.iter().filter(|node| !won.get(**node as usize)).for_each(|&node| {
                        region.insert(node as usize);
                    });
                    states.iter().filter(meets).for_each(|&node| {
                        best.insert(node as usize);
                    });
                }
            }
            let inside = |choice: usize| ends.choices.get(choice);
            for node in region.ones() {
                let mut choices = self.matrix.choices_of(narrow(node));
                chosen[node] = narrow(choices.find(|&choice| inside(choice)).expect("one stays inside"));
            }
            // A run that enters a component of a lesser colour stays there instead, which is as good.
            strategy::towards(&self.matrix, &best, &region, &inside, chosen);
            region.ones().for_each(|node| {
                won.insert(node);
            });
        }
        won
    }

    /// The values of the process. States whose values are not wanted may have any.
    fn values(&self, process: &Matrix, values: Values) -> Values {
        let node = |state: usize| self.starts[state] as usize;
        let known = |state: &usize| self.starts[*state] != NONE;
        let n = process.n_states();
        let mut mapped = Values { method: values.method, ..Values::constant(n, 0.0) };
        mapped.high.fill(1.0);
        for state in (0..n).filter(known) {
            mapped.low[state] = values.low[node(state)];
            mapped.high[state] = values.high[node(state)];
        }
        if !values.exact.is_empty() {
            mapped.exact.resize(n, dashu::rational::RBig::ZERO);
            (0..n).filter(known).for_each(|state| mapped.exact[state] = values.exact[node(state)].clone());
        }
        mapped
    }

    /// What to do in the nodes that are met from the start if these choices are taken, and how the mode changes there.
    ///
    /// Over fair strategies nothing is told where every fair way to go on is as good: a mode of its own stands for that, in which
    /// nothing is decided.
    fn plan(&self, process: &Matrix, chosen: &[u32], fair: Option<&Fair>) -> Option<Plan> {
        let mut plan = Plan::new(Memory::Progress, u64::from(Deterministic::START));
        let met = strategy::met(&self.matrix, &self.matrix.initial, chosen);
        let moot = fair.map(|_| 1 + self.places.iter().map(|&(mode, _)| u64::from(mode)).max().unwrap_or(0));
        if let (Some(fair), Some(moot)) = (fair, moot) {
            let inside: Vec<u32> =
                met.iter().copied().filter(|&node| self.places[node as usize].1 != NONE).collect();
            plan.passed_over = fair.passed_over(&self.matrix, &inside, chosen);
            self.leave_off(&mut plan, &inside, chosen, moot)?;
        }
        for node in met {
            let (mode, state) = self.places[node as usize];
            if state == NONE {
                continue;
            }
            let choice = chosen[node as usize] as usize;
            let memory = u64::from(mode);
            if process.choices_of(state).len() > 1 {
                plan.push(Move { state, memory, choice: self.origins[choice] })?;
            }
            // All branches lead to the same mode. Where nothing matters any more it may stay, unless that decided something.
            let mut after = self.matrix.branches_of(choice).map(|branch| self.matrix.targets[branch]);
            let (next, target) = after.next().map_or((mode, NONE), |target| self.places[target as usize]);
            match moot {
                Some(moot) if target == NONE => plan.turn(state, memory, moot)?,
                _ if target != NONE && next != mode => plan.turn(state, memory, u64::from(next))?,
                _ => {}
            }
        }
        Some(plan)
    }

    /// Turns to `moot` in the nodes behind these in which nothing is chosen.
    fn leave_off(&self, plan: &mut Plan, met: &[u32], chosen: &[u32], moot: u64) -> Option<()> {
        let taken = |&node: &u32| self.matrix.branches_of(chosen[node as usize] as usize);
        let after = met.iter().flat_map(taken).map(|branch| self.matrix.targets[branch]);
        let open = |node: &u32| chosen[*node as usize] == NONE && self.places[*node as usize].1 != NONE;
        let mut left: Vec<u32> = after.chain(self.matrix.initial.iter().copied()).filter(open).collect();
        left.sort_unstable();
        left.dedup();
        for node in left {
            let (mode, state) = self.places[node as usize];
            plan.turn(state, u64::from(mode), moot)?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use motet_property::{Formula, Interval};

    use motet_naive::random::{Random, path};

    use super::super::matrix::written::{Branch, process, set};
    use super::super::values::Focus;
    use super::*;
    use crate::checking::settings::Precision;
    use crate::exploration::limits::Limits;

    fn atom(number: u32) -> Path<AtomId> {
        Path::Now(Formula::Atom(AtomId(number)))
    }

    fn eventually(path: Path<AtomId>) -> Path<AtomId> {
        Path::Eventually(Interval::default(), Box::new(path))
    }

    fn always(path: Path<AtomId>) -> Path<AtomId> {
        Path::Always(Interval::default(), Box::new(path))
    }

    fn looked<'a>(matrix: &'a Matrix, columns: &'a [Bits]) -> Looked<'a> {
        Looked { matrix, fair: None, columns }
    }

    fn ask(matrix: &Matrix, columns: &[Bits], path: &Path<AtomId>, extremum: Extremum) -> Tracked {
        let (limits, mut watch) = (Limits::default(), |_| {});
        let mut meter = Meter::new(&limits, &mut watch);
        let aim = Aim { precision: Precision::Exact, focus: Focus::Initial };
        probability(looked(matrix, columns), path, extremum, aim, &mut meter).unwrap()
    }

    /// One may go to either of two rooms, as often as one likes, and out, never to come back, with chance 1/4 each time.
    fn rooms() -> (Matrix, Vec<Bits>) {
        let matrix = process(&[
            vec![vec![(1, 1, 1)], vec![(2, 3, 4), (3, 1, 4)]],
            vec![vec![(0, 1, 1)]],
            vec![vec![(0, 1, 1)]],
            vec![vec![(3, 1, 1)]],
        ]);
        (matrix, vec![set(&[1]), set(&[2])])
    }

    #[test]
    fn visiting_a_dangerous_room_again_and_again_never_succeeds() {
        let (matrix, columns) = rooms();
        let first = ask(&matrix, &columns, &always(eventually(atom(0))), Extremum::Max);
        assert_eq!(first.values.exact[0].to_string(), "1");
        let second = ask(&matrix, &columns, &always(eventually(atom(1))), Extremum::Max);
        assert_eq!(second.values.exact[0].to_string(), "0");
    }

    #[test]
    fn visiting_both_rooms_once_and_then_the_safe_one_for_ever_needs_progress() {
        let (matrix, columns) = rooms();
        let both = Path::And(Box::new(eventually(atom(1))), Box::new(always(eventually(atom(0)))));
        let found = ask(&matrix, &columns, &both, Extremum::Max);
        assert_eq!(found.values.exact[0].to_string(), "3/4");
        let plan = found.plan.unwrap();
        let here: Vec<&Move> = plan.moves.iter().filter(|step| step.state == 0).collect();
        let mut choices: Vec<u32> = here.iter().map(|step| step.choice).collect();
        choices.sort_unstable();
        choices.dedup();
        assert_eq!(choices, [0, 1], "first the one room, later the other: {here:?}");
        // Whoever goes to the second room for ever ends outside.
        let least = ask(&matrix, &columns, &both, Extremum::Min);
        assert_eq!(least.values.exact[0].to_string(), "0");
    }

    fn random_process(random: &mut Random) -> (Matrix, Vec<Bits>) {
        let n = 2 + random.below(5);
        let mut throw = || -> Vec<Branch> {
            let weights: Vec<u64> = (0..1 + random.below(3)).map(|_| 1 + random.below(3) as u64).collect();
            let all = weights.iter().sum();
            weights.into_iter().map(|weight| (narrow(random.below(n)), weight, all)).collect()
        };
        let states: Vec<Vec<Vec<Branch>>> = (0..n).map(|_| vec![throw(), throw()]).collect();
        let mut column = || {
            let mut column = Bits::zeros(n);
            (0..n).filter(|_| random.once_in(2)).for_each(|state| {
                column.insert(state);
            });
            column
        };
        (process(&states), vec![column(), column(), column()])
    }

    /// The product with only the choices that are taken.
    fn followed(product: &Product, chosen: &[u32]) -> Product {
        let mut matrix = Matrix {
            ratios: product.matrix.ratios.clone(),
            initial: product.matrix.initial.clone(),
            ..Matrix::default()
        };
        for &choice in chosen {
            matrix.choices.push(narrow(matrix.branches.len()));
            matrix.branches.push(narrow(matrix.targets.len()));
            matrix.delays.push(1);
            for branch in product.matrix.branches_of(choice as usize) {
                matrix.targets.push(product.matrix.targets[branch]);
                matrix.chances.push(product.matrix.chances[branch]);
                matrix.exact.push(product.matrix.exact[branch]);
            }
        }
        matrix.choices.push(narrow(matrix.branches.len()));
        matrix.branches.push(narrow(matrix.targets.len()));
        let (places, colours) = (product.places.clone(), product.colours.clone());
        Product { matrix, places, colours, origins: Vec::new(), starts: product.starts.clone() }
    }

    #[test]
    fn the_choices_of_random_formulas_bring_their_chances_about() {
        let (limits, mut watch) = (Limits::default(), |_| {});
        let mut meter = Meter::new(&limits, &mut watch);
        let aim = Aim { precision: Precision::Exact, focus: Focus::Everywhere };
        let mut between = 0;
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let (matrix, columns) = random_process(&mut random);
            let formula = path(&mut random, 3, 3);
            for extremum in [Extremum::Min, Extremum::Max] {
                let (product, values) =
                    solved(looked(&matrix, &columns), &formula, extremum, aim, &mut meter).unwrap();
                if values.choices.is_empty() {
                    continue;
                }
                let chain = followed(&product, &values.choices);
                let n = chain.matrix.n_states();
                let goal = chain.winning(Parity::Even, None, &mut vec![0; n]);
                let all = Bits::all(n);
                let brought =
                    reach::until(&chain.matrix, &all, &goal, Extremum::Max, None, aim, &mut meter).unwrap();
                assert_eq!(brought.exact, values.exact, "seed {seed}, {extremum:?}, {formula:?}");
                between += values.low.iter().filter(|&&low| low > 0.0 && low < 1.0).count();
            }
        }
        assert!(between > 100, "{between}");
    }

    /// Which of the last 20 states had the first atom: more than a million sets.
    #[test]
    fn a_formula_whose_automaton_is_too_large_is_refused() {
        let coin = vec![vec![(0, 1, 2), (1, 1, 2)]];
        let matrix = process(&[coin.clone(), coin]);
        let later = (0..20).fold(atom(1), |path, _| Path::Next(Box::new(path)));
        let both = Path::And(Box::new(atom(0)), Box::new(later));
        let (limits, mut watch) = (Limits::default(), |_| {});
        let mut meter = Meter::new(&limits, &mut watch);
        let aim = Aim { precision: Precision::Exact, focus: Focus::Initial };
        let columns = [set(&[0]), set(&[])];
        let found = probability(looked(&matrix, &columns), &eventually(both), Extremum::Max, aim, &mut meter);
        assert!(matches!(found, Err(Stop::Unsupported(_))), "{found:?}");
    }
}
