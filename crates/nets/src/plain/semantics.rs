//! How markings change: a place/transition net as states and steps.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use motet_model::{
    ActionId, AtomId, Facets, Fault, Model, ProcessId, Signature, State, Steps, SubjectId, Subjects, TimeUnit,
};

use crate::plain::PlainNet;
use crate::plain::atoms::Predicate;
use crate::plain::stubborn::Conflicts;

/// A net that fires. A state is the marking, place by place; where claims ask which transition fired last, one more slot
/// remembers it.
#[derive(Debug)]
pub struct Semantics {
    pub(crate) net: PlainNet,
    signature: Signature,
    plans: Vec<Plan>,
    /// Who gets in whose way, once somebody asked.
    conflicts: OnceLock<Conflicts>,
    predicates: Vec<Predicate>,
    /// Per transition what the last slot remembers of it; empty when nobody asks.
    remembered: Vec<u32>,
    peaks: Peaks,
}

/// What a transition asks of a marking and does to it.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) tests: Box<[Test]>,
    pub(crate) effects: Box<[Effect]>,
}

/// A place has at least and at most so many tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    pub(crate) place: u32,
    pub(crate) least: u32,
    pub(crate) most: u32,
}

impl Test {
    /// Whether a marking passes it.
    pub(crate) fn allows(&self, marking: &State) -> bool {
        let tokens = marking[self.place as usize];
        self.least <= tokens && tokens <= self.most
    }
}

/// A place gains or loses tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    Gain(u32, u32),
    Loss(u32, u32),
}

/// The most tokens that were seen, over all markings whose steps were asked for.
#[derive(Debug, Default)]
struct Peaks {
    in_place: AtomicU32,
    in_all: AtomicU64,
    /// Sums of places that somebody wants to know the maximum of.
    sums: Vec<(Box<[u32]>, AtomicU64)>,
}

thread_local! {
    /// The marking that a step leads to, so that firing allocates nothing.
    static TARGET: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

impl Semantics {
    /// The net with these named atoms.
    pub(crate) fn new(net: PlainNet, atoms: Vec<(String, Predicate)>) -> Self {
        let plans = (0..net.transitions.len()).map(|transition| Plan::new(&net, transition)).collect();
        let (names, predicates): (Vec<String>, Vec<Predicate>) = atoms.into_iter().unzip();
        let asked = predicates.iter().flat_map(Predicate::fired).collect::<BTreeSet<_>>();
        let remembered = |transition: u32| if asked.contains(&transition) { transition + 1 } else { 0 };
        let number = u32::try_from(net.transitions.len()).expect("transitions are numbered with 32 bits");
        let remembered = if asked.is_empty() { Vec::new() } else { (0..number).map(remembered).collect() };
        let mut slots: Vec<String> = net.places.iter().map(|place| place.name.clone()).collect();
        if !remembered.is_empty() {
            slots.push("last".to_owned());
        }
        let signature = Signature {
            slots,
            processes: vec![net.name.clone()],
            atoms: names,
            unit: TimeUnit::Firings,
            ..Signature::default()
        };
        Self {
            net,
            signature,
            plans,
            conflicts: OnceLock::new(),
            predicates,
            remembered,
            peaks: Peaks::default(),
        }
    }

    /// Also finds the most tokens in these places together.
    pub fn watch_sum(&mut self, places: &[usize]) {
        let places =
            places.iter().map(|&place| u32::try_from(place).expect("places are numbered with 32 bits"));
        self.peaks.sums.push((places.collect(), AtomicU64::new(0)));
    }

    /// The most tokens in one place, over all markings that were explored.
    #[must_use]
    pub fn most_in_place(&self) -> u32 {
        self.peaks.in_place.load(Ordering::Relaxed)
    }

    /// The most tokens in all places together, over all markings that were explored.
    #[must_use]
    pub fn most_in_all(&self) -> u64 {
        self.peaks.in_all.load(Ordering::Relaxed)
    }

    /// The most tokens for each call of [`Semantics::watch_sum`], in their order.
    #[must_use]
    pub fn most_in_sums(&self) -> Vec<u64> {
        self.peaks.sums.iter().map(|(_, most)| most.load(Ordering::Relaxed)).collect()
    }

    /// What the atoms mean, in their order.
    pub(crate) fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// What transitions ask and do, in their order.
    pub(crate) fn plans(&self) -> &[Plan] {
        &self.plans
    }

    /// Who gets in whose way.
    pub(crate) fn conflicts(&self) -> &Conflicts {
        let remembers = !self.remembered.is_empty();
        self.conflicts.get_or_init(|| Conflicts::new(&self.plans, &self.net.initial(), remembers))
    }

    /// What the last slot remembers of each transition; empty if nobody asks.
    pub(crate) fn remembered(&self) -> &[u32] {
        &self.remembered
    }

    /// Whether a transition may fire in a marking.
    pub(crate) fn is_enabled(&self, transition: u32, marking: &State) -> bool {
        self.plans[transition as usize].is_enabled(marking)
    }

    fn fire(&self, marking: &State, target: &mut [u32], out: &mut Steps) -> Result<(), Fault> {
        for (number, plan) in (0_u32..).zip(&self.plans) {
            if !plan.is_enabled(marking) {
                continue;
            }
            for effect in &plan.effects {
                match *effect {
                    Effect::Loss(place, count) => target[place as usize] -= count,
                    Effect::Gain(place, count) => {
                        let tokens = &mut target[place as usize];
                        *tokens = tokens.checked_add(count).ok_or_else(|| self.overflow(place))?;
                    }
                }
            }
            if let Some(remembered) = self.remembered.get(number as usize) {
                target[self.net.places.len()] = *remembered;
            }
            out.push(ProcessId(0), ActionId(number), 1, target);
            for effect in &plan.effects {
                let (Effect::Loss(place, _) | Effect::Gain(place, _)) = *effect;
                target[place as usize] = marking[place as usize];
            }
        }
        Ok(())
    }

    fn overflow(&self, place: u32) -> Fault {
        let name = &self.net.places[place as usize].name;
        Fault { message: format!("bound exceeded: {name} holds more than {} tokens", u32::MAX) }
    }

    fn note(&self, marking: &State) {
        let places = &marking[..self.net.places.len()];
        let (mut most, mut sum) = (0, 0_u64);
        for &tokens in places {
            most = most.max(tokens);
            sum += u64::from(tokens);
        }
        if most > self.peaks.in_place.load(Ordering::Relaxed) {
            self.peaks.in_place.fetch_max(most, Ordering::Relaxed);
        }
        if sum > self.peaks.in_all.load(Ordering::Relaxed) {
            self.peaks.in_all.fetch_max(sum, Ordering::Relaxed);
        }
        for (places, most) in &self.peaks.sums {
            let sum = places.iter().map(|&place| u64::from(marking[place as usize])).sum();
            if sum > most.load(Ordering::Relaxed) {
                most.fetch_max(sum, Ordering::Relaxed);
            }
        }
    }
}

impl Plan {
    fn new(net: &PlainNet, transition: usize) -> Self {
        let transition = &net.transitions[transition];
        let mut changes: BTreeMap<usize, Change> = BTreeMap::new();
        for arc in &transition.inputs {
            changes.entry(arc.place).or_default().taken += u64::from(arc.weight);
        }
        for arc in &transition.reads {
            changes.entry(arc.place).or_default().read += u64::from(arc.weight);
        }
        for arc in &transition.outputs {
            changes.entry(arc.place).or_default().given += u64::from(arc.weight);
        }
        for arc in &transition.inhibitors {
            changes.entry(arc.place).or_default().stay_below(arc.weight);
        }
        for (&place, change) in &mut changes {
            change.place = u32::try_from(place).expect("places are numbered with 32 bits");
            change.respect(net.places[place].capacity);
        }
        Self {
            tests: changes.values().filter_map(Change::test).collect(),
            effects: changes.values().filter_map(Change::effect).collect(),
        }
    }

    fn is_enabled(&self, marking: &State) -> bool {
        self.tests.iter().all(|test| test.allows(marking))
    }
}

/// All that a transition has to do with one place.
#[derive(Default)]
struct Change {
    place: u32,
    taken: u64,
    read: u64,
    given: u64,
    /// More tokens disable the transition.
    most: Option<u32>,
    /// No number of tokens enables the transition.
    never: bool,
}

impl Change {
    fn at_most(&mut self, tokens: u32) {
        self.most = Some(self.most.map_or(tokens, |most| most.min(tokens)));
    }

    fn stay_below(&mut self, tokens: u32) {
        match tokens.checked_sub(1) {
            Some(most) => self.at_most(most),
            None => self.never = true,
        }
    }

    /// A place never holds more than its capacity, counted after firing.
    fn respect(&mut self, capacity: Option<u32>) {
        let gain = self.given.saturating_sub(self.taken);
        let Some(capacity) = capacity.filter(|_| gain > 0) else { return };
        match u32::try_from(gain).ok().and_then(|gain| capacity.checked_sub(gain)) {
            Some(most) => self.at_most(most),
            None => self.never = true,
        }
    }

    /// Tokens that are read stay, so they are others than those that are taken.
    fn test(&self) -> Option<Test> {
        let place = self.place;
        match (u32::try_from(self.taken + self.read), self.most) {
            _ if self.never => Some(Test { place, least: 1, most: 0 }),
            (Err(_), _) => Some(Test { place, least: 1, most: 0 }),
            (Ok(0), None) => None,
            (Ok(least), most) => Some(Test { place, least, most: most.unwrap_or(u32::MAX) }),
        }
    }

    fn effect(&self) -> Option<Effect> {
        let difference = u32::try_from(self.taken.abs_diff(self.given)).expect("weights have 32 bits");
        match self.taken.cmp(&self.given) {
            std::cmp::Ordering::Less => Some(Effect::Gain(self.place, difference)),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Effect::Loss(self.place, difference)),
        }
    }
}

impl Model for Semantics {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        let mut marking = self.net.initial();
        marking.resize(self.signature.slots.len(), 0);
        out.push(marking.into());
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        self.note(state);
        TARGET.with_borrow_mut(|target| {
            target.clear();
            target.extend_from_slice(state);
            self.fire(state, target, out)
        })
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        self.predicates[atom.index()].holds(self, state)
    }

    fn facets(&self) -> Facets<'_> {
        Facets { subjects: Some(self), independence: Some(self), ..Facets::default() }
    }
}

impl Subjects for Semantics {
    fn subject(&self, _process: ProcessId, action: ActionId) -> SubjectId {
        SubjectId(action.0)
    }
}
