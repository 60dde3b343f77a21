//! Short closed walks inside a component of the product that do everything a loop has to do.

use std::collections::VecDeque;

use hashbrown::HashMap;
use motet_evidence::Fairness;
use motet_model::ProcessId;
use rustc_hash::FxBuildHasher;

use crate::emptiness::{Accepting, is_enabled};
use crate::product::{Place, Product};

/// Pairs of a place and the duties left that may be looked at in the search for shortest loops.
const BUDGET: usize = 300_000;
/// With more duties than this there are too many such pairs to try.
const DUTIES_MAX: u32 = 16;

/// One step of a walk through the product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub(crate) process: Option<ProcessId>,
    pub(crate) sets: u32,
    pub(crate) target: Place,
}

/// Leads round a component.
pub(crate) struct Guide<'a> {
    product: &'a Product<'a>,
    accepting: &'a Accepting,
    /// The processes a loop has to be fair to.
    processes: Vec<ProcessId>,
    /// How much was looked at so far.
    spent: usize,
}

/// What a loop still has to do: meet acceptance sets, and be fair to processes.
#[derive(Clone)]
struct Duties {
    sets: u32,
    processes: Vec<ProcessId>,
}

/// Where the exact search is: a place, and the duties left as bits.
type Stage = (Place, u32);

impl<'a> Guide<'a> {
    pub(crate) fn new(product: &'a Product<'a>, accepting: &'a Accepting, fairness: Fairness) -> Self {
        let n_processes = if fairness == Fairness::Weak { product.graph.n_processes } else { 0 };
        Self { product, accepting, processes: (0..n_processes).map(ProcessId).collect(), spent: 0 }
    }

    /// Whether enough was looked at.
    pub(crate) fn is_tired(&self) -> bool {
        self.spent > BUDGET
    }

    /// A closed walk from `start` that does all duties: a shortest one if that can be found with little effort.
    pub(crate) fn tour(&mut self, start: Place) -> Vec<Leg> {
        self.shortest(start).unwrap_or_else(|| self.greedy(start))
    }

    fn component(&self, place: Place) -> Option<u32> {
        let (mode, state) = self.product.mode_and_state(place);
        self.accepting.component(mode, state)
    }

    /// Breadth first over pairs of a place and the duties left.
    fn shortest(&mut self, start: Place) -> Option<Vec<Leg>> {
        let product = self.product;
        let n_duties = product.automaton.n_sets + u32::try_from(self.processes.len()).ok()?;
        if n_duties > DUTIES_MAX {
            return None;
        }
        let own = self.component(start);
        let all = (1_u32 << n_duties) - 1;
        let first: Stage = (start, all & !self.rests(start));
        let mut before: HashMap<Stage, (Stage, Leg), FxBuildHasher> = HashMap::default();
        let mut queue = VecDeque::from([first]);
        while let Some(stage) = queue.pop_front() {
            self.spent += 1;
            if self.is_tired() {
                return None;
            }
            let mut closed = None;
            product.for_each_successor(stage.0, |arc, process, target| {
                if closed.is_some() || self.accepting.component(arc.target, target) != own {
                    return;
                }
                let leg = Leg { process, sets: arc.sets, target: product.place(arc.target, target) };
                let moved = process.map_or(0, |process| self.bit(process));
                let next = (leg.target, stage.1 & !(arc.sets | moved) & !self.rests(leg.target));
                if next == (start, 0) {
                    closed = Some(leg);
                } else if next != first && !before.contains_key(&next) {
                    before.insert(next, (stage, leg));
                    queue.push_back(next);
                }
            });
            if let Some(leg) = closed {
                let back = |(stage, _): &(Stage, Leg)| before.get(stage).copied();
                let legs = std::iter::successors(Some((stage, leg)), back).map(|(_, leg)| leg);
                let mut legs: Vec<Leg> = legs.collect();
                legs.reverse();
                return Some(legs);
            }
        }
        None
    }

    /// The duty to let a process move, as a bit.
    fn bit(&self, process: ProcessId) -> u32 {
        match self.processes.get(process.index()) {
            Some(_) => 1 << (self.product.automaton.n_sets + process.0),
            None => 0,
        }
    }

    /// The processes that have no step here, as bits.
    fn rests(&self, place: Place) -> u32 {
        let state = state_of(self.product, place);
        let resting = self.processes.iter().filter(|&&process| !is_enabled(self.product, state, process));
        resting.fold(0, |bits, &process| bits | self.bit(process))
    }

    /// Always to the nearest place where a duty can be done, then back.
    fn greedy(&mut self, start: Place) -> Vec<Leg> {
        let mut duties =
            Duties { sets: self.product.automaton.all_sets(), processes: self.processes.clone() };
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
        let own = self.component(from);
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

pub(crate) fn state_of(product: &Product<'_>, place: Place) -> u32 {
    product.mode_and_state(place).1
}
