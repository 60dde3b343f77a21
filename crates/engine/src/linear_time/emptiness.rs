//! Does some fair run satisfy a formula? A search for strongly connected components of the product.
//!
//! The automaton's own components are treated one after the other, first to last. In one that cannot accept it is
//! enough to know which places are reached: one bit each. Only in one that can accept are the components of the product
//! searched for (Tarjan 1972, without recursion).
//!
//! Weak fairness costs no copies of the graph. A run that visits all of a component again and again is fair to a subject
//! if the subject moves inside the component or has no step in some state of it. If a component is unfair to a subject
//! then so is every part of it, so maximal components decide. With strong fairness they do not, and an unfair component is
//! taken apart (`compassion`).
//!
//! Several threads share a large product (`abreast`): what lies on no cycle is peeled off and large components are found
//! between a place and itself. Whatever is left is searched as above, so that the components are the same.

mod abreast;

use motet_evidence::{Fairness, Stop};
use motet_model::SubjectId;

use crate::exploration::limits::Meter;
use crate::linear_time::compassion::{Parts, Region};
use crate::linear_time::product::{Mode, Place, Product};
use crate::linear_time::tour::state_of;
use crate::storage::bits::Bits;

/// What a search found.
pub(crate) enum Search {
    /// No run. If all acceptance sets can be met, but only unfairly: whom such a run starves. Of several components the
    /// one that starves fewest is named.
    Empty { starved: Vec<SubjectId> },
    /// A finite run after which the formula demands nothing more.
    Settled,
    /// Components in which a run can stay for ever and satisfy the formula.
    Accepting(Accepting),
}

/// Which places lie in which accepting component.
pub(crate) struct Accepting {
    /// Per mode, per state: [`DONE`] with the number of the component, 0 for none. Empty for modes on no accepting cycle.
    numbers: Vec<Vec<u32>>,
}

impl Accepting {
    /// The accepting component of a place.
    pub(crate) fn component(&self, mode: Mode, state: u32) -> Option<u32> {
        let number = *self.numbers[mode as usize].get(state as usize)?;
        Some(number & !DONE).filter(|&component| number & DONE != 0 && component != 0)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.numbers.iter().map(|numbers| 4 * numbers.capacity() as u64).sum()
    }
}

/// When a search may stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// At the first place after which nothing more is demanded. Otherwise all accepting components are found, so that a
    /// short run can be told.
    Settled,
    /// At the first sign that there is a run.
    Found,
    /// At the end: places after which nothing more is demanded are passed by, and all accepting components are found.
    Exhausted,
}

/// Marks a place whose component is known.
const DONE: u32 = 1 << 31;
/// Between two looks at the clock, in places.
const TICK: u32 = 4096;

/// Searches the product from mode 0 and these states.
pub(crate) fn search(
    product: &Product<'_>,
    starts: &[u32],
    fairness: Fairness,
    until: Until,
    meter: &mut Meter<'_>,
) -> Result<Search, Stop> {
    let (component, n_components) = product.automaton.components();
    let inside = product.automaton.sets_inside(&component, n_components);
    let all = product.automaton.all_sets();
    let n_states = product.n_states() as usize;
    let accepts = |mode: usize| inside[component[mode] as usize] == Some(all);
    let n_numbers = (0..product.n_modes()).filter(|&mode| accepts(mode)).count() * n_states;
    meter.reserve(product.bytes() + (4 * n_numbers + product.n_modes() * n_states / 8) as u64)?;
    let numbers = (0..product.n_modes()).map(|mode| vec![0; if accepts(mode) { n_states } else { 0 }]);
    let mut emptiness = Emptiness {
        product,
        fairness,
        until,
        all,
        reached: (0..product.n_modes()).map(|_| Bits::zeros(n_states)).collect(),
        accepting: Accepting { numbers: numbers.collect() },
        n_accepting: 0,
        starved: None,
        settled: until != Until::Exhausted && product.is_sink(0),
        frames: Vec::new(),
        stack: Vec::new(),
        counter: 0,
        component,
        ticks: 0,
        seats: Seats::new(product),
    };
    for &state in starts {
        emptiness.reached[0].insert(state as usize);
    }
    for current in (0..n_components).rev() {
        match inside[current as usize] {
            Some(sets) if sets == all => {
                if emptiness.is_shared(meter) {
                    emptiness.peel(current, meter)?;
                }
                if !emptiness.is_over() {
                    emptiness.components(current, meter)?;
                }
            }
            _ if emptiness.is_shared(meter) => emptiness.close_abreast(current, meter)?,
            _ => emptiness.close(current, meter)?,
        }
        if emptiness.settled {
            return Ok(Search::Settled);
        }
        if emptiness.is_over() {
            break;
        }
    }
    if emptiness.n_accepting > 0 {
        return Ok(Search::Accepting(emptiness.accepting));
    }
    Ok(Search::Empty { starved: emptiness.starved.unwrap_or_default() })
}

struct Emptiness<'a> {
    product: &'a Product<'a>,
    fairness: Fairness,
    until: Until,
    all: u32,
    /// Per mode of the automaton: its component.
    component: Vec<u32>,
    /// Per mode: the states it was reached with.
    reached: Vec<Bits>,
    /// While a component is searched: numbers in the order of discovery, from 1.
    accepting: Accepting,
    n_accepting: u32,
    /// Whom the least unfair of the components starves that would accept but for fairness.
    starved: Option<Vec<SubjectId>>,
    settled: bool,
    frames: Vec<Frame>,
    /// Places whose component is not known yet, in the order of discovery.
    stack: Vec<Place>,
    counter: u32,
    ticks: u32,
    seats: Seats,
}

/// A place on the way from a start.
#[derive(Clone, Copy)]
struct Frame {
    place: Place,
    /// The lowest number known to be reachable.
    low: u32,
    /// The next successor to look at: arc times the number of moves, plus move.
    cursor: u32,
}

impl Emptiness<'_> {
    /// Whether what was found is all that is wanted.
    fn is_over(&self) -> bool {
        self.settled || self.until == Until::Found && self.n_accepting > 0
    }

    fn tick(&mut self, waiting: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks % TICK != 1 {
            return Ok(());
        }
        meter.tick(self.bytes(waiting))
    }

    fn bytes(&self, waiting: usize) -> u64 {
        let reached: u64 = self.reached.iter().map(Bits::bytes).sum();
        let stacks = 12 * self.frames.capacity() + 4 * self.stack.capacity() + 4 * waiting;
        self.product.bytes() + self.accepting.bytes() + reached + stacks as u64
    }

    fn modes(&self, current: u32) -> Vec<Mode> {
        let modes = 0..u32::try_from(self.component.len()).expect("modes are numbered with 32 bits");
        modes.filter(|&mode| self.component[mode as usize] == current).collect()
    }

    /// Marks everything that is reachable through a component of the automaton that cannot accept.
    fn close(&mut self, current: u32, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut waiting: Vec<Place> = Vec::new();
        for mode in self.modes(current) {
            let states = self.reached[mode as usize].ones();
            waiting.extend(states.map(|state| self.product.place(mode, narrow(state))));
        }
        while let Some(place) = waiting.pop() {
            self.tick(waiting.capacity(), meter)?;
            let (mode, state) = self.product.mode_and_state(place);
            for &arc in &self.product.arcs[mode as usize] {
                if !self.product.admits(arc, state) {
                    continue;
                }
                if self.product.is_sink(arc.target) {
                    if self.until == Until::Exhausted {
                        continue;
                    }
                    self.settled = true;
                    return Ok(());
                }
                // Asked only where an arc can be taken: most places are dead ends, and rows are far apart in memory.
                let (from, n_moves) = self.product.moves(state).span();
                let stays = self.component[arc.target as usize] == current;
                let reached = &mut self.reached[arc.target as usize];
                for number in 0..n_moves {
                    let target = self.product.target(state, from, number);
                    if reached.insert(target as usize) && stays {
                        waiting.push(self.product.place(arc.target, target));
                    }
                }
            }
        }
        Ok(())
    }

    /// Searches the part of the product that lies over an accepting component of the automaton.
    fn components(&mut self, current: u32, meter: &mut Meter<'_>) -> Result<(), Stop> {
        for mode in self.modes(current) {
            let n_words = (self.product.n_states() as usize).div_ceil(64);
            for index in 0..n_words {
                let mut word = self.reached[mode as usize].word(index);
                while word != 0 {
                    let state = narrow(64 * index + word.trailing_zeros() as usize);
                    word &= word - 1;
                    self.depth_first(current, self.product.place(mode, state), meter)?;
                    if self.is_over() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    fn number(&self, mode: Mode, state: u32) -> u32 {
        self.accepting.numbers[mode as usize][state as usize]
    }

    fn depth_first(&mut self, current: u32, root: Place, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let (mode, state) = self.product.mode_and_state(root);
        if self.number(mode, state) != 0 {
            return Ok(());
        }
        self.enter(current, mode, state);
        while !self.frames.is_empty() && !self.is_over() {
            self.tick(0, meter)?;
            match self.next_unentered(current) {
                Some((mode, state)) => self.enter(current, mode, state),
                None => self.leave(meter)?,
            }
        }
        Ok(())
    }

    /// Numbers a place and looks at all its successors at once: the memory they lie in is fetched in parallel, and most
    /// places have no successor left to enter.
    fn enter(&mut self, current: u32, mode: Mode, state: u32) {
        self.counter += 1;
        let product = self.product;
        let place = product.place(mode, state);
        self.accepting.numbers[mode as usize][state as usize] = self.counter;
        self.stack.push(place);
        let (mut low, mut cursor, mut unentered) = (self.counter, 0, None);
        let (from, n_moves) = product.moves(state).span();
        for &arc in &product.arcs[mode as usize] {
            if !product.admits(arc, state) {
                cursor += n_moves;
                continue;
            }
            if product.is_sink(arc.target) {
                self.settled |= self.until != Until::Exhausted;
                cursor += n_moves;
                continue;
            }
            let stays = self.component[arc.target as usize] == current;
            for number in 0..n_moves {
                let target = product.target(state, from, number);
                if !stays {
                    self.reached[arc.target as usize].insert(target as usize);
                    continue;
                }
                match self.number(arc.target, target) {
                    0 => _ = unentered.get_or_insert(cursor + number),
                    number if number & DONE == 0 => low = low.min(number),
                    _ => {}
                }
            }
            cursor += n_moves;
        }
        self.frames.push(Frame { place, low, cursor: unentered.unwrap_or(cursor) });
    }

    /// The next successor of the topmost frame that was not entered yet. Successors that were entered since the frame
    /// was pushed have told their lowest number when they were left.
    fn next_unentered(&mut self, current: u32) -> Option<(Mode, u32)> {
        let product = self.product;
        let frame = *self.frames.last()?;
        let (mode, state) = product.mode_and_state(frame.place);
        let (from, n_moves) = product.moves(state).span();
        let arcs = &product.arcs[mode as usize];
        let (mut arc, mut number) = match n_moves {
            0 => return None,
            _ => (frame.cursor / n_moves, frame.cursor % n_moves),
        };
        while let Some(&out) = arcs.get(arc as usize) {
            if self.component[out.target as usize] == current && product.admits(out, state) {
                while number < n_moves {
                    let target = product.target(state, from, number);
                    number += 1;
                    if self.number(out.target, target) == 0 {
                        self.frames.last_mut()?.cursor = arc * n_moves + number;
                        return Some((out.target, target));
                    }
                }
            }
            arc += 1;
            number = 0;
        }
        None
    }

    /// Pops the topmost frame, and the component it is the root of.
    fn leave(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let frame = self.frames.pop().expect("the frame that is left is the topmost one");
        let (mode, state) = self.product.mode_and_state(frame.place);
        let number = self.number(mode, state);
        if let Some(parent) = self.frames.last_mut() {
            parent.low = parent.low.min(frame.low);
        }
        if frame.low != number {
            return Ok(());
        }
        let first = self.stack.iter().rposition(|&place| place == frame.place);
        let first = first.expect("a root is on the stack until its component is known");
        let places = self.stack.split_off(first);
        match self.fairness {
            Fairness::None | Fairness::Weak => self.judge(&places, number),
            Fairness::Strong => self.take_apart(&places, number, meter)?,
        }
        Ok(())
    }

    /// Marks a component: as accepting if a run that visits all of it is fair.
    fn judge(&mut self, places: &[Place], root: u32) {
        let mut seats = std::mem::take(&mut self.seats);
        let unfair = self.inspect(places, &mut seats, |seats, waiting| {
            self.signs(places, |mode, state| self.is_open(mode, state, root), seats, waiting)
        });
        self.seats = seats;
        let mark = self.mark_of(unfair);
        places.iter().for_each(|&place| self.mark(place, mark));
    }

    /// The number of a component if it accepts, else 0.
    fn mark_of(&mut self, unfair: Option<Vec<SubjectId>>) -> u32 {
        match unfair {
            Some(unfair) if unfair.is_empty() => {
                self.n_accepting += 1;
                self.n_accepting
            }
            Some(unfair) => {
                self.blame(unfair);
                0
            }
            None => 0,
        }
    }

    /// Whether a place belongs to the component that is being left, whose root has this number.
    fn is_open(&self, mode: Mode, state: u32, root: u32) -> bool {
        let numbers = &self.accepting.numbers[mode as usize];
        numbers.get(state as usize).is_some_and(|number| number & DONE == 0 && *number >= root)
    }

    /// Marks a component: those parts of it as accepting in which a run can be strongly fair.
    fn take_apart(&mut self, places: &[Place], root: u32, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut parts = Parts::default();
        let inside = |mode, state| self.is_open(mode, state, root);
        if self.signs(places, inside, &self.seats, 0).admits(self.all) {
            let region = self.region(places, root);
            parts = region.parts(self.all, self.bytes(places.len()), meter)?;
        }
        places.iter().for_each(|&place| self.mark(place, 0));
        for part in &parts.fair {
            self.n_accepting += 1;
            part.iter().for_each(|&node| self.mark(places[node as usize], self.n_accepting));
        }
        if !parts.starved.is_empty() {
            self.blame(parts.starved);
        }
        Ok(())
    }

    /// A component written out. Its places are numbered from `root` on without gaps, so that their numbers are those of the
    /// nodes.
    fn region(&mut self, places: &[Place], root: u32) -> Region {
        let product = self.product;
        for (&place, number) in places.iter().zip(root..) {
            let (mode, state) = product.mode_and_state(place);
            self.accepting.numbers[mode as usize][state as usize] = number;
        }
        let mut region = Region::default();
        for &place in places {
            let (mode, state) = product.mode_and_state(place);
            for &arc in &product.arcs[mode as usize] {
                if self.accepting.numbers[arc.target as usize].is_empty() || !product.admits(arc, state) {
                    continue;
                }
                product.for_each_move(state, |subject, target| {
                    let number = self.number(arc.target, target);
                    if number & DONE == 0 && number >= root {
                        region.edge(number - root, subject, arc.sets);
                    }
                });
            }
            region.close(product.enabled(state));
        }
        region
    }

    fn mark(&mut self, place: Place, accepting: u32) {
        let (mode, state) = self.product.mode_and_state(place);
        self.accepting.numbers[mode as usize][state as usize] = DONE | accepting;
    }

    /// Notes whom a run starves that would count but for fairness. Components are not found in the same order by any
    /// number of threads, so of several equally good ones the first in order is told.
    fn blame(&mut self, unfair: Vec<SubjectId>) {
        let better = |known: &Vec<SubjectId>| (unfair.len(), &unfair) < (known.len(), known);
        if self.starved.as_ref().is_none_or(better) {
            self.starved = Some(unfair);
        }
    }

    /// To whom a run is unfair that stays in this component for ever and meets all acceptance sets; `None` if there is no
    /// such run. `signs` looks at the component for the subjects that have seats.
    fn inspect(
        &self,
        places: &[Place],
        seats: &mut Seats,
        signs: impl Fn(&Seats, u64) -> Signs,
    ) -> Option<Vec<SubjectId>> {
        // Only a subject that has a step at every place can be starved, so the first place names them all.
        let mut candidates = match self.fairness {
            Fairness::None | Fairness::Strong => Vec::new(),
            Fairness::Weak => self.product.enabled_once(state_of(self.product, places[0])),
        };
        let mut unfair = Vec::new();
        // 64 at a time: hardly any state has more. Without candidates the acceptance sets remain to be looked at.
        loop {
            let group: Vec<SubjectId> = candidates.drain(..candidates.len().min(64)).collect();
            let waiting = seats.take(&group);
            let signs = signs(seats, waiting);
            seats.leave(&group);
            if !signs.admits(self.all) {
                return None;
            }
            let waits = |bit: u32| signs.waiting >> bit & 1 == 1;
            unfair.extend(group.iter().zip(0..).filter(|(_, bit)| waits(*bit)).map(|(who, _)| *who));
            if candidates.is_empty() {
                return Some(unfair);
            }
        }
    }

    /// What these places of a component show, for the subjects that have seats; `waiting` are their bits.
    fn signs(
        &self,
        places: &[Place],
        inside: impl Fn(Mode, u32) -> bool,
        seats: &Seats,
        waiting: u64,
    ) -> Signs {
        let product = self.product;
        let mut signs = Signs { cycle: false, sets: 0, waiting };
        for &place in places {
            let (mode, state) = product.mode_and_state(place);
            if signs.waiting != 0 {
                signs.waiting &=
                    product.enabled(state).fold(0, |enabled, subject| enabled | seats.bit(subject));
            }
            for &arc in &product.arcs[mode as usize] {
                if self.accepting.numbers[arc.target as usize].is_empty() || !product.admits(arc, state) {
                    continue;
                }
                product.for_each_move(state, |subject, target| {
                    if inside(arc.target, target) {
                        signs.cycle = true;
                        signs.sets |= arc.sets;
                        signs.waiting &= !subject.map_or(0, |subject| seats.bit(subject));
                    }
                });
            }
            if signs.admits(self.all) && signs.waiting == 0 {
                break;
            }
        }
        signs
    }
}

/// What a component shows about the runs that visit all of it again and again.
#[derive(Clone, Copy)]
struct Signs {
    /// Whether there are such runs.
    cycle: bool,
    /// The acceptance sets they meet.
    sets: u32,
    /// Bits of subjects that have a step at every place and never move.
    waiting: u64,
}

impl Signs {
    /// Whether they meet all acceptance sets.
    fn admits(self, all: u32) -> bool {
        self.cycle && self.sets == all
    }
}

/// Which bit stands for which subject: up to 64 of many, found without a search.
#[derive(Default)]
struct Seats(Vec<u8>);

impl Seats {
    const NONE: u8 = 64;

    fn new(product: &Product<'_>) -> Self {
        // The last one is nobody's: it stands for what is no subject.
        Self(vec![Self::NONE; product.n_subjects() as usize + 1])
    }

    /// Seats these and returns all their bits.
    fn take(&mut self, group: &[SubjectId]) -> u64 {
        for (subject, bit) in group.iter().zip(0..Self::NONE) {
            self.0[subject.index()] = bit;
        }
        group.iter().fold(0, |bits, &subject| bits | self.bit(subject))
    }

    fn leave(&mut self, group: &[SubjectId]) {
        group.iter().for_each(|subject| self.0[subject.index()] = Self::NONE);
    }

    /// 0 for those without a seat.
    fn bit(&self, subject: SubjectId) -> u64 {
        1_u64.checked_shl(u32::from(self.0[subject.index()])).unwrap_or(0)
    }
}

fn narrow(state: usize) -> u32 {
    u32::try_from(state).expect("states are numbered with 32 bits")
}
