//! Short closed walks inside a component of the product that do everything a loop has to do.

use std::collections::{BTreeSet, VecDeque};

use hashbrown::{HashMap, HashSet};
use motet_evidence::Fairness;
use motet_model::SubjectId;
use rustc_hash::FxBuildHasher;

use crate::linear_time::emptiness::Accepting;
use crate::linear_time::product::{Place, Product};

/// Pairs of a place and the duties left that may be looked at in the search for shortest loops.
const BUDGET: usize = 300_000;
/// With more duties than this there are too many such pairs to try.
const DUTIES_MAX: u32 = 16;

/// One step of a walk through the product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub(crate) subject: Option<SubjectId>,
    pub(crate) sets: u32,
    pub(crate) target: Place,
}

/// Leads round a component.
pub(crate) struct Guide<'a> {
    product: &'a Product<'a>,
    accepting: &'a Accepting,
    fairness: Fairness,
    /// To whom a loop through the present start may be unfair, in order: with weak fairness those that have a step there, with
    /// strong fairness those that have a step anywhere in the component.
    subjects: Vec<SubjectId>,
    /// How much was looked at so far.
    spent: usize,
}

/// What a loop still has to do: meet acceptance sets, and be fair to subjects.
struct Duties {
    sets: u32,
    subjects: BTreeSet<SubjectId>,
    /// Who has moved; with strong fairness they owe nothing later on.
    moved: BTreeSet<SubjectId>,
}

/// Where the exact search is: a place, the duties left, and with strong fairness who has moved, both as bits.
type Stage = (Place, u32, u32);

impl<'a> Guide<'a> {
    pub(crate) fn new(product: &'a Product<'a>, accepting: &'a Accepting, fairness: Fairness) -> Self {
        Self { product, accepting, fairness, subjects: Vec::new(), spent: 0 }
    }

    /// Whether enough was looked at.
    pub(crate) fn is_tired(&self) -> bool {
        self.spent > BUDGET
    }

    /// A closed walk from `start` that does all duties: a shortest one if that can be found with little effort.
    pub(crate) fn tour(&mut self, start: Place) -> Vec<Leg> {
        self.subjects = match self.fairness {
            Fairness::None => Vec::new(),
            Fairness::Weak => self.product.enabled_once(state_of(self.product, start)),
            Fairness::Strong => self.enabled_around(start),
        };
        self.shortest(start).unwrap_or_else(|| self.greedy(start))
    }

    /// The subjects that have a step somewhere in the component of a place, or more than can be tried.
    fn enabled_around(&mut self, start: Place) -> Vec<SubjectId> {
        let own = self.component(start);
        let mut subjects = BTreeSet::new();
        let mut seen: HashSet<Place, FxBuildHasher> = HashSet::default();
        let mut waiting = vec![start];
        seen.insert(start);
        while let Some(place) = waiting.pop() {
            self.spent += 1;
            subjects.extend(self.product.enabled(state_of(self.product, place)));
            if subjects.len() > DUTIES_MAX as usize || self.is_tired() {
                break;
            }
            self.product.for_each_successor(place, |arc, _, target| {
                let next = self.product.place(arc.target, target);
                if self.accepting.component(arc.target, target) == own && seen.insert(next) {
                    waiting.push(next);
                }
            });
        }
        subjects.into_iter().collect()
    }

    fn component(&self, place: Place) -> Option<u32> {
        let (mode, state) = self.product.mode_and_state(place);
        self.accepting.component(mode, state)
    }

    /// Breadth first over pairs of a place and the duties left.
    fn shortest(&mut self, start: Place) -> Option<Vec<Leg>> {
        let product = self.product;
        let n_duties = product.automaton.n_sets + u32::try_from(self.subjects.len()).ok()?;
        if n_duties > DUTIES_MAX {
            return None;
        }
        let own = self.component(start);
        let all = (1_u32 << n_duties) - 1;
        let first: Stage = match self.fairness {
            Fairness::None | Fairness::Weak => (start, all & !self.rests(start), 0),
            Fairness::Strong => (start, product.automaton.all_sets() | self.owed(start), 0),
        };
        let mut before: HashMap<Stage, (Stage, Leg), FxBuildHasher> = HashMap::default();
        let mut queue = VecDeque::from([first]);
        while let Some(stage) = queue.pop_front() {
            self.spent += 1;
            if self.is_tired() {
                return None;
            }
            let mut closed = None;
            product.for_each_successor(stage.0, |arc, subject, target| {
                if closed.is_some() || self.accepting.component(arc.target, target) != own {
                    return;
                }
                let leg = Leg { subject, sets: arc.sets, target: product.place(arc.target, target) };
                let next = self.after(stage, &leg);
                if (next.0, next.1) == (start, 0) {
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

    /// Where one is after a leg.
    fn after(&self, (_, left, moved): Stage, leg: &Leg) -> Stage {
        let mover = leg.subject.map_or(0, |subject| self.bit(subject));
        let left = left & !(leg.sets | mover);
        match self.fairness {
            Fairness::None | Fairness::Weak => (leg.target, left & !self.rests(leg.target), 0),
            Fairness::Strong => {
                let moved = moved | mover;
                (leg.target, left | self.owed(leg.target) & !moved, moved)
            }
        }
    }

    /// The subjects that have a step here, as bits.
    fn owed(&self, place: Place) -> u32 {
        let enabled = self.product.enabled(state_of(self.product, place));
        enabled.fold(0, |bits, subject| bits | self.bit(subject))
    }

    /// The duty to let a subject move, as a bit.
    fn bit(&self, subject: SubjectId) -> u32 {
        let at = self.subjects.binary_search(&subject).ok().and_then(|at| u32::try_from(at).ok());
        at.map_or(0, |at| 1 << (self.product.automaton.n_sets + at))
    }

    /// The subjects that have no step here, as bits.
    fn rests(&self, place: Place) -> u32 {
        let state = state_of(self.product, place);
        let resting = self.subjects.iter().filter(|&&subject| !self.product.is_enabled(state, subject));
        resting.fold(0, |bits, &subject| bits | self.bit(subject))
    }

    /// Always to the nearest place where a duty can be done, then back. With strong fairness new duties turn up on the way,
    /// but each subject moves at most once for that.
    fn greedy(&mut self, start: Place) -> Vec<Leg> {
        let mut duties = Duties {
            sets: self.product.automaton.all_sets(),
            subjects: match self.fairness {
                Fairness::None | Fairness::Weak => self.subjects.iter().copied().collect(),
                Fairness::Strong => BTreeSet::new(),
            },
            moved: BTreeSet::new(),
        };
        let mut tour: Vec<Leg> = Vec::new();
        self.visit(start, &mut duties);
        let mut at = start;
        while duties.are_left() || at != start || tour.is_empty() {
            let rest_helps = self.fairness == Fairness::Weak;
            let legs = self.walk(at, |product, place, leg| match leg {
                Some(leg) if duties.are_left() => duties.does(leg),
                Some(leg) => leg.target == start,
                None => {
                    let rests = |who: &SubjectId| !product.is_enabled(state_of(product, place), *who);
                    rest_helps && duties.subjects.iter().any(rests)
                }
            });
            for leg in legs {
                duties.sets &= !leg.sets;
                if let Some(subject) = leg.subject {
                    duties.subjects.remove(&subject);
                    duties.moved.insert(subject);
                }
                self.visit(leg.target, &mut duties);
                at = leg.target;
                tour.push(leg);
            }
        }
        tour
    }

    /// With weak fairness strikes off the subjects that have no step here, with strong fairness adds those that have one.
    fn visit(&self, place: Place, duties: &mut Duties) {
        let state = state_of(self.product, place);
        match self.fairness {
            Fairness::None => {}
            Fairness::Weak => duties.subjects.retain(|&subject| self.product.is_enabled(state, subject)),
            Fairness::Strong => {
                let owed = self.product.enabled(state).filter(|subject| !duties.moved.contains(subject));
                duties.subjects.extend(owed);
            }
        }
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
            product.for_each_successor(place, |arc, subject, target| {
                if last.is_some() || self.accepting.component(arc.target, target) != own {
                    return;
                }
                let leg = Leg { subject, sets: arc.sets, target: product.place(arc.target, target) };
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
        self.product.for_each_successor(from, |arc, subject, target| {
            let target = self.product.place(arc.target, target);
            if target == to && found.is_none() {
                found = Some(Leg { subject, sets: arc.sets, target });
            }
        });
        found.expect("the walk has come this way")
    }
}

impl Duties {
    fn are_left(&self) -> bool {
        self.sets != 0 || !self.subjects.is_empty()
    }

    fn does(&self, leg: &Leg) -> bool {
        leg.sets & self.sets != 0 || leg.subject.is_some_and(|subject| self.subjects.contains(&subject))
    }
}

pub(crate) fn state_of(product: &Product<'_>, place: Place) -> u32 {
    product.mode_and_state(place).1
}
