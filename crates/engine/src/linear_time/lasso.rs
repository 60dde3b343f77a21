//! From a found component to a run that a person wants to read: a shortest way there and a short loop.

use motet_evidence::{Evidence, Fairness, Stop};
use motet_model::{Model, SubjectId};

use crate::exploration::graph::Hop;
use crate::exploration::limits::Meter;
use crate::linear_time::emptiness::Accepting;
use crate::linear_time::product::{Place, Product};
use crate::linear_time::shrink::{Lasso, shrink};
use crate::linear_time::tour::{Guide, Leg, state_of};

/// Loops that are tried before the shortest is taken.
const TOURS_MAX: u32 = 64;
/// Between two looks at the clock, in places.
const TICK: usize = 4096;

/// The shortest run after which nothing more is demanded.
pub(crate) fn settled_run(
    product: &Product<'_>,
    starts: &[u32],
    meter: &mut Meter<'_>,
) -> Result<Lasso, Stop> {
    let mut search = BreadthFirst::new(product, starts, meter)?;
    while let Some((place, _)) = search.next(meter)? {
        if product.is_settled(place) {
            return Ok(lasso(product, &search.way_to(place), &[]));
        }
    }
    unreachable!("the search for components has reached such a place")
}

/// A run into an accepting component and round a loop in it that meets all acceptance sets and is fair. The way is a
/// shortest one; of several loops the one with the shortest whole run is taken.
pub(crate) fn lasso_run(
    product: &Product<'_>,
    starts: &[u32],
    accepting: &Accepting,
    fairness: Fairness,
    meter: &mut Meter<'_>,
) -> Result<Lasso, Stop> {
    let mut search = BreadthFirst::new(product, starts, meter)?;
    let mut guide = Guide::new(product, accepting, fairness);
    let mut best: Option<Lasso> = None;
    let mut tours = 0;
    // Folding shortens a run by no more steps than the automaton takes to make up its mind.
    let slack = product.n_modes();
    while let Some((place, depth)) = search.next(meter)? {
        if best.as_ref().is_some_and(|best| depth > best.movers.len() + slack) {
            break;
        }
        let (mode, state) = product.mode_and_state(place);
        if accepting.component(mode, state).is_none() {
            continue;
        }
        let mut lasso = lasso(product, &search.way_to(place), &guide.tour(place));
        lasso.fold();
        if best.as_ref().is_none_or(|best| lasso.movers.len() < best.movers.len()) {
            best = Some(lasso);
        }
        tours += 1;
        if tours == TOURS_MAX || guide.is_tired() {
            break;
        }
    }
    drop(search);
    let best = best.expect("an accepting component was reached by the search that found it");
    Ok(shrink(product, fairness, best))
}

/// A walk through the product as a walk through the model. Repetitions of a deadlock are left out: a run that ends in one
/// repeats it by definition.
fn lasso(product: &Product<'_>, way: &[Place], tour: &[Leg]) -> Lasso {
    let mut states = vec![state_of(product, way[0])];
    for pair in way.windows(2) {
        if !product.graph.deadlocks.get(state_of(product, pair[0]) as usize) {
            states.push(state_of(product, pair[1]));
        }
    }
    let mover = |pair: &[u32]| {
        let mut row = product.rows.row(pair[0]);
        row.find(|&edge| product.rows.target(edge) == pair[1]).map(|edge| product.rows.subject(edge))
    };
    let mut movers: Vec<Option<SubjectId>> = states.windows(2).map(mover).collect();
    let entry = movers.len();
    for leg in tour.iter().filter(|leg| leg.subject.is_some()) {
        states.push(state_of(product, leg.target));
        movers.push(leg.subject);
    }
    Lasso { states, movers, entry }
}

/// The model is asked for the ordinals and actions.
pub(crate) fn tell<M: Model + ?Sized>(
    model: &M,
    product: &Product<'_>,
    lasso: &Lasso,
    fairness: Fairness,
) -> Evidence {
    let steps = lasso.movers.iter().zip(&lasso.states[1..]);
    let hops: Vec<Hop> = steps.map(|(&subject, &target)| Hop { subject, target, delay: None }).collect();
    let run = product.graph.run(model, lasso.states[0], &hops);
    Evidence::new(run, lasso.repeats().then_some(lasso.entry), fairness)
}

/// Breadth first through the product, remembering ways.
struct BreadthFirst<'a> {
    product: &'a Product<'a>,
    /// Per mode, per state: the place before plus one; 0 is "not seen".
    before: Vec<Vec<u32>>,
    level: Vec<Place>,
    next_level: Vec<Place>,
    cursor: usize,
    depth: usize,
    ticks: usize,
}

impl<'a> BreadthFirst<'a> {
    fn new(product: &'a Product<'a>, starts: &[u32], meter: &Meter<'_>) -> Result<Self, Stop> {
        let n_places = product.n_states() as usize * product.n_modes();
        meter.reserve(product.bytes() + 4 * n_places as u64)?;
        let mut search = Self {
            product,
            before: vec![vec![0; product.n_states() as usize]; product.n_modes()],
            level: Vec::new(),
            next_level: Vec::new(),
            cursor: 0,
            depth: 0,
            ticks: 0,
        };
        for &state in starts {
            let place = product.place(0, state);
            if search.before[0][state as usize] == 0 {
                // A start is its own predecessor.
                search.before[0][state as usize] = place.0 + 1;
                search.level.push(place);
            }
        }
        Ok(search)
    }

    /// The next place and its distance. Its successors are queued.
    fn next(&mut self, meter: &mut Meter<'_>) -> Result<Option<(Place, usize)>, Stop> {
        if self.cursor == self.level.len() {
            std::mem::swap(&mut self.level, &mut self.next_level);
            self.next_level.clear();
            self.cursor = 0;
            self.depth += 1;
        }
        let Some(&place) = self.level.get(self.cursor) else { return Ok(None) };
        self.cursor += 1;
        self.ticks += 1;
        if self.ticks.is_multiple_of(TICK) {
            let before: usize = self.before.iter().map(|mode| 4 * mode.capacity()).sum();
            let levels = 4 * (self.level.capacity() + self.next_level.capacity());
            meter.tick(self.product.bytes() + (before + levels) as u64)?;
        }
        let (before, next_level) = (&mut self.before, &mut self.next_level);
        self.product.for_each_successor(place, |arc, _, target| {
            let slot = &mut before[arc.target as usize][target as usize];
            if *slot == 0 {
                *slot = place.0 + 1;
                next_level.push(self.product.place(arc.target, target));
            }
        });
        Ok(Some((place, self.depth)))
    }

    fn way_to(&self, place: Place) -> Vec<Place> {
        let before = |&place: &Place| {
            let (mode, state) = self.product.mode_and_state(place);
            let before = Place(self.before[mode as usize][state as usize] - 1);
            (before != place).then_some(before)
        };
        let mut way: Vec<Place> = std::iter::successors(Some(place), before).collect();
        way.reverse();
        way
    }
}
