//! Knowledge: what is true in all reachable states that look the same (Fagin, Halpern, Moses and Vardi 1995).
//!
//! What an observer sees of each state is asked of the model once, and states that look the same form a class. Distributed
//! knowledge is knowledge of one who sees what all of a group see; common knowledge goes from class to class as long as
//! some member of the group cannot tell two states apart.

use hashbrown::HashMap;
use motet_evidence::Stop;
use motet_model::{Model, ObserverId};
use motet_property::Knowledge;
use rustc_hash::FxBuildHasher;

use crate::exploration::graph::Graph;
use crate::exploration::limits::Meter;
use crate::linear_time::linear::Unsupported;
use crate::storage::bits::Bits;
use crate::storage::store::Store;

/// Between two looks at the clock, in states.
const TICK: usize = 1024;

/// The observers with these names, each once.
pub(crate) fn group(names: &[String], observers: &[String]) -> Result<Vec<ObserverId>, Unsupported> {
    let observer = |name: &String| {
        let at = observers.iter().position(|known| known == name);
        at.map(|at| ObserverId(u32::try_from(at).expect("observers are numbered with 32 bits")))
            .ok_or_else(|| format!("knowledge of `{name}`, who is no observer of this model"))
    };
    let mut group = names.iter().map(observer).collect::<Result<Vec<_>, _>>()?;
    group.sort_unstable();
    group.dedup();
    if group.is_empty() { Err("knowledge of nobody".to_owned()) } else { Ok(group) }
}

/// The states in classes: per state the number of its class.
#[derive(Debug)]
pub(crate) struct Classes {
    of: Vec<u32>,
    count: u32,
}

/// What observers see, for those who were asked.
#[derive(Debug, Default)]
pub(crate) struct Views {
    /// By the number of the observer.
    of: Vec<Option<Classes>>,
}

impl Views {
    /// Asks the model what these observers see, unless it was asked already.
    pub(crate) fn prepare(
        &mut self,
        model: &dyn Model,
        graph: &Graph,
        observers: &[ObserverId],
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        for observer in observers {
            if self.of.len() <= observer.index() {
                self.of.resize_with(observer.index() + 1, || None);
            }
            if self.of[observer.index()].is_none() {
                let bytes = graph.bytes() + self.bytes();
                self.of[observer.index()] = Some(Classes::seen(model, graph, *observer, bytes, meter)?);
            }
        }
        Ok(())
    }

    fn classes(&self, observer: ObserverId) -> &Classes {
        self.of[observer.index()].as_ref().expect("the model was asked what this observer sees")
    }

    fn bytes(&self) -> u64 {
        self.of.iter().flatten().map(|classes| 4 * classes.of.capacity() as u64).sum()
    }

    /// The states where a group knows what holds in the states `fact`.
    pub(crate) fn known(&self, knowledge: Knowledge, group: &[ObserverId], fact: &Bits) -> Bits {
        let doubted = |classes: &Classes| classes.all_states_where(&classes.touched(fact));
        let n = self.of.iter().flatten().map(|classes| classes.of.len()).max().unwrap_or(0);
        match knowledge {
            Knowledge::One | Knowledge::Everyone => {
                let doubts = group.iter().map(|&observer| doubted(self.classes(observer)));
                doubts.fold(Bits::zeros(n), |all, one| all.or(&one)).complement(n)
            }
            Knowledge::Distributed => doubted(&self.together(group)).complement(n),
            Knowledge::Common => doubted(&self.linked(group)).complement(n),
        }
    }

    /// The classes of one who sees what all of them see.
    fn together(&self, group: &[ObserverId]) -> Classes {
        let mut classes = group.iter().map(|&observer| self.classes(observer));
        let first = classes.next().expect("a group has members");
        let start = Classes { of: first.of.clone(), count: first.count };
        classes.fold(start, |joint, other| joint.refined(other))
    }

    /// The classes of states that a chain of classes of members links.
    fn linked(&self, group: &[ObserverId]) -> Classes {
        let first = self.classes(group[0]);
        let mut union = Union::new(first.count);
        for &observer in &group[1..] {
            let other = self.classes(observer);
            // The class of the first member where another member's class was first met.
            let mut met = vec![u32::MAX; other.count as usize];
            for (&own, &theirs) in first.of.iter().zip(&other.of) {
                let slot = &mut met[theirs as usize];
                if *slot == u32::MAX {
                    *slot = own;
                }
                union.join(*slot, own);
            }
        }
        Classes { of: first.of.iter().map(|&class| union.root(class)).collect(), count: first.count }
    }

    /// The first state that `observers`, each of them, cannot tell from `state` and that is not in `fact`.
    pub(crate) fn doubt(&self, observers: &[ObserverId], state: u32, fact: &Bits) -> Option<u32> {
        let classes = |observer: &ObserverId| &self.classes(*observer).of;
        let alike =
            |other: &usize| observers.iter().map(classes).all(|class| class[*other] == class[state as usize]);
        let n = observers.first().map(classes)?.len();
        let found = (0..n).filter(|other| !fact.get(*other)).find(alike)?;
        u32::try_from(found).ok()
    }

    /// A shortest chain from `state` to one that is not in `fact`: each next state with the member of the group that cannot
    /// tell it from the one before.
    pub(crate) fn chain(&self, group: &[ObserverId], state: u32, fact: &Bits) -> Vec<(ObserverId, u32)> {
        if !fact.get(state as usize) {
            // A state looks to everybody like itself.
            return vec![(group[0], state)];
        }
        let members: Vec<Vec<Vec<u32>>> =
            group.iter().map(|&observer| self.classes(observer).members()).collect();
        let mut before: HashMap<u32, (ObserverId, u32), FxBuildHasher> = HashMap::default();
        let mut seen: Vec<Bits> = vec![Bits::default(); group.len()];
        let mut queue = std::collections::VecDeque::from([state]);
        while let Some(current) = queue.pop_front() {
            if !fact.get(current as usize) {
                let back = |&(_, from): &(ObserverId, u32)| before.get(&from).copied();
                let link = before.get(&current).copied();
                let links: Vec<_> = std::iter::successors(link, back).collect();
                let ends = std::iter::once(current).chain(links.iter().map(|&(_, from)| from));
                let mut chain: Vec<_> = links.iter().map(|&(who, _)| who).zip(ends).collect();
                chain.reverse();
                return chain;
            }
            for (at, &observer) in group.iter().enumerate() {
                let class = self.classes(observer).of[current as usize] as usize;
                if !seen[at].insert(class) {
                    continue;
                }
                for &other in &members[at][class] {
                    if other != state && !before.contains_key(&other) {
                        before.insert(other, (observer, current));
                        queue.push_back(other);
                    }
                }
            }
        }
        Vec::new()
    }
}

impl Classes {
    /// The classes of states that look the same to an observer.
    fn seen(
        model: &dyn Model,
        graph: &Graph,
        observer: ObserverId,
        bytes: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stop> {
        let n = graph.n_states();
        meter.reserve(bytes + 4 * n as u64)?;
        let mut numbers: HashMap<Box<[u32]>, u32, FxBuildHasher> = HashMap::default();
        let (facets, mut state, mut view) = (model.facets(), Vec::new(), Vec::new());
        let (mut of, mut held) = (Vec::with_capacity(n), 4 * n as u64);
        for number in 0..n {
            if number.is_multiple_of(TICK) {
                meter.tick(bytes + held)?;
            }
            graph.store.load(u32::try_from(number).map_err(|_| Stop::Memory)?, &mut state);
            view.clear();
            facets.observe(observer, &state, &mut view);
            let fresh = u32::try_from(numbers.len()).map_err(|_| Stop::Memory)?;
            let class = match numbers.get(view.as_slice()) {
                Some(&class) => class,
                None => {
                    held += 4 * view.len() as u64 + 32;
                    numbers.insert(view.as_slice().into(), fresh);
                    fresh
                }
            };
            of.push(class);
        }
        Ok(Self { of, count: u32::try_from(numbers.len()).map_err(|_| Stop::Memory)? })
    }

    /// The classes with a state outside `fact`.
    fn touched(&self, fact: &Bits) -> Bits {
        let mut touched = Bits::zeros(self.count as usize);
        for (state, &class) in self.of.iter().enumerate() {
            if !fact.get(state) {
                touched.insert(class as usize);
            }
        }
        touched
    }

    /// The states of these classes.
    fn all_states_where(&self, classes: &Bits) -> Bits {
        let mut states = Bits::zeros(self.of.len());
        for (state, &class) in self.of.iter().enumerate() {
            if classes.get(class as usize) {
                states.insert(state);
            }
        }
        states
    }

    /// States are alike if they are in both.
    fn refined(&self, other: &Self) -> Self {
        let mut numbers: HashMap<(u32, u32), u32, FxBuildHasher> = HashMap::default();
        let mut of = Vec::with_capacity(self.of.len());
        for pair in self.of.iter().copied().zip(other.of.iter().copied()) {
            let fresh = u32::try_from(numbers.len()).expect("there are no more classes than states");
            of.push(*numbers.entry(pair).or_insert(fresh));
        }
        let count = u32::try_from(numbers.len()).expect("there are no more classes than states");
        Self { of, count }
    }

    /// Per class: its states, in order.
    fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.count as usize];
        for (&class, state) in self.of.iter().zip(0..) {
            members[class as usize].push(state);
        }
        members
    }
}

/// Which classes belong together (Tarjan 1975).
struct Union(Vec<u32>);

impl Union {
    fn new(n: u32) -> Self {
        Self((0..n).collect())
    }

    fn root(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            // Every second link is shortened on the way.
            self.0[at as usize] = self.0[self.0[at as usize] as usize];
            at = self.0[at as usize];
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.0[high as usize] = low;
    }
}
