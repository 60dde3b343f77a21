//! From a found component to a run that a person wants to read: a shortest way there and a short loop.

use std::collections::VecDeque;

use hashbrown::HashMap;
use motet_evidence::{Evidence, Fairness, Stop};
use motet_model::{Model, ProcessId};
use rustc_hash::FxBuildHasher;

use crate::emptiness::{Accepting, is_enabled};
use crate::graph::Hop;
use crate::limits::Meter;
use crate::product::{Place, Product};

/// Loops that are tried before the shortest is taken.
const TOURS_MAX: u32 = 64;
/// Places that may be looked at before the search for a better loop ends.
const BUDGET: usize = 300_000;
/// Between two looks at the clock, in places.
const TICK: usize = 4096;

/// The shortest run after which nothing more is demanded.
pub(crate) fn settled_run<M: Model + ?Sized>(
    model: &M,
    product: &Product<'_>,
    starts: &[u32],
    meter: &mut Meter<'_>,
) -> Result<Evidence, Stop> {
    let mut search = BreadthFirst::new(product, starts, meter)?;
    while let Some((place, _)) = search.next(meter)? {
        if product.is_settled(place) {
            let way = search.way_to(place);
            return Ok(evidence(model, product, &way, &[], Fairness::None));
        }
    }
    unreachable!("the search for components has reached such a place")
}

/// A run into an accepting component and round a loop in it that meets all acceptance sets and is fair. The way is a
/// shortest one; of several loops the one with the shortest whole run is taken.
pub(crate) fn lasso_run<M: Model + ?Sized>(
    model: &M,
    product: &Product<'_>,
    starts: &[u32],
    accepting: &Accepting,
    fairness: Fairness,
    meter: &mut Meter<'_>,
) -> Result<Evidence, Stop> {
    let mut search = BreadthFirst::new(product, starts, meter)?;
    let mut guide = Guide { product, accepting, fairness, spent: 0 };
    let mut best: Option<(usize, Place, Vec<Leg>)> = None;
    let mut tours = 0;
    while let Some((place, depth)) = search.next(meter)? {
        // A loop has at least one step.
        if best.as_ref().is_some_and(|(length, ..)| depth + 1 >= *length) {
            break;
        }
        let (mode, state) = product.mode_and_state(place);
        if accepting.component(mode, state).is_none() {
            continue;
        }
        let tour = guide.tour(place);
        let length = depth + tour.len();
        if best.as_ref().is_none_or(|(shortest, ..)| length < *shortest) {
            best = Some((length, place, tour));
        }
        tours += 1;
        if tours == TOURS_MAX || guide.spent > BUDGET {
            break;
        }
    }
    let (_, place, tour) = best.expect("an accepting component was reached by the search that found it");
    Ok(evidence(model, product, &search.way_to(place), &tour, fairness))
}

/// One step of a walk through the product.
#[derive(Clone, Copy, Debug)]
struct Leg {
    process: Option<ProcessId>,
    sets: u32,
    target: Place,
}

/// Tells a walk through the product as a run of the model. Repetitions of a deadlock are left out: a run that ends in
/// one repeats it by definition.
fn evidence<M: Model + ?Sized>(
    model: &M,
    product: &Product<'_>,
    way: &[Place],
    tour: &[Leg],
    fairness: Fairness,
) -> Evidence {
    let states: Vec<u32> = way.iter().map(|&place| product.mode_and_state(place).1).collect();
    let mut hops: Vec<Hop> = Vec::new();
    for pair in states.windows(2) {
        if !product.graph.deadlocks.get(pair[0] as usize) {
            hops.push(Hop { process: None, target: pair[1] });
        }
    }
    let entry = hops.len();
    let moves = tour.iter().filter(|leg| leg.process.is_some());
    hops.extend(moves.map(|leg| Hop { process: leg.process, target: product.mode_and_state(leg.target).1 }));
    Evidence {
        run: product.graph.run(model, states[0], &hops),
        loop_start: (hops.len() > entry).then_some(entry),
        fairness,
    }
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

/// Leads round a component.
struct Guide<'a> {
    product: &'a Product<'a>,
    accepting: &'a Accepting,
    fairness: Fairness,
    /// Places looked at so far.
    spent: usize,
}

/// What a loop still has to do.
struct Duties {
    sets: u32,
    processes: Vec<ProcessId>,
}

impl Guide<'_> {
    /// A closed walk from `start` that does all duties: always to the nearest place where one can be done, then back.
    fn tour(&mut self, start: Place) -> Vec<Leg> {
        let mut duties = Duties {
            sets: self.product.automaton.all_sets(),
            processes: match self.fairness {
                Fairness::None => Vec::new(),
                Fairness::Weak => (0..self.product.graph.n_processes).map(ProcessId).collect(),
            },
        };
        let mut tour: Vec<Leg> = Vec::new();
        self.visit(start, &mut duties);
        let mut at = start;
        while duties.sets != 0 || !duties.processes.is_empty() {
            let legs = self.walk(at, |product, place, leg| match leg {
                Some(leg) => does(leg, &duties),
                None => duties.processes.iter().any(|&p| !is_enabled(product, state_of(product, place), p)),
            });
            for leg in legs {
                duties.sets &= !leg.sets;
                duties.processes.retain(|&process| Some(process) != leg.process);
                self.visit(leg.target, &mut duties);
                at = leg.target;
                tour.push(leg);
            }
        }
        if at != start || tour.is_empty() {
            tour.extend(self.walk(at, |_, _, leg| leg.is_some_and(|leg| leg.target == start)));
        }
        tour
    }

    /// Strikes off the processes that have no step here.
    fn visit(&self, place: Place, duties: &mut Duties) {
        let state = state_of(self.product, place);
        duties.processes.retain(|&process| is_enabled(self.product, state, process));
    }

    /// The shortest walk inside the component of `from` to a place, or over a leg, that is `wanted`.
    fn walk(&mut self, from: Place, wanted: impl Fn(&Product<'_>, Place, Option<&Leg>) -> bool) -> Vec<Leg> {
        let product = self.product;
        let (mode, state) = product.mode_and_state(from);
        let own = self.accepting.component(mode, state);
        let mut before: HashMap<Place, Place, FxBuildHasher> = HashMap::default();
        let mut queue = VecDeque::from([from]);
        let mut last: Option<(Place, Option<Leg>)> = None;
        while let (None, Some(place)) = (&last, queue.pop_front()) {
            self.spent += 1;
            if wanted(product, place, None) {
                last = Some((place, None));
                break;
            }
            product.for_each_successor(place, |arc, process, target| {
                if last.is_some() || self.accepting.component(arc.target, target) != own {
                    return;
                }
                let leg = Leg { process, sets: arc.sets, target: product.place(arc.target, target) };
                if wanted(product, place, Some(&leg)) {
                    last = Some((place, Some(leg)));
                } else if leg.target != from {
                    before.entry(leg.target).or_insert_with(|| {
                        queue.push_back(leg.target);
                        place
                    });
                }
            });
        }
        let (mut place, leg) = last.expect("inside a component every place can be reached from every other");
        let mut legs: Vec<Leg> = leg.into_iter().collect();
        while place != from {
            legs.push(self.leg(before[&place], place));
            place = before[&place];
        }
        legs.reverse();
        legs
    }

    /// A leg between two neighbours.
    fn leg(&self, from: Place, to: Place) -> Leg {
        let mut found = None;
        self.product.for_each_successor(from, |arc, process, target| {
            let target = self.product.place(arc.target, target);
            if target == to && found.is_none() {
                found = Some(Leg { process, sets: arc.sets, target });
            }
        });
        found.expect("the walk has come this way")
    }
}

fn does(leg: &Leg, duties: &Duties) -> bool {
    leg.sets & duties.sets != 0 || leg.process.is_some_and(|process| duties.processes.contains(&process))
}

fn state_of(product: &Product<'_>, place: Place) -> u32 {
    product.mode_and_state(place).1
}
