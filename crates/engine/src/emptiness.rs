//! Does some fair run satisfy a formula? A search for strongly connected components of the product.
//!
//! The automaton's own components are treated one after the other, first to last. In one that cannot accept it is
//! enough to know which places are reached: one bit each. Only in one that can accept are the components of the product
//! searched for (Tarjan 1972, without recursion).
//!
//! Weak fairness costs no copies of the graph. A run that visits all of a component again and again is fair to a process
//! if the process moves inside the component or has no step in some state of it. If a component is unfair to a process
//! then so is every part of it, so maximal components decide.

use motet_evidence::{Fairness, Stop};
use motet_model::ProcessId;

use crate::bits::Bits;
use crate::limits::Meter;
use crate::product::{Mode, Moves, Place, Product};

/// What a search found.
pub(crate) enum Search {
    /// No run.
    Empty,
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

/// Marks a place whose component is known.
const DONE: u32 = 1 << 31;
/// Between two looks at the clock, in places.
const TICK: u32 = 4096;
/// "The arc of this frame was not looked at yet".
const FRESH: u32 = u32::MAX;

/// Searches the product from mode 0 and these states.
pub(crate) fn search(
    product: &Product<'_>,
    starts: &[u32],
    fairness: Fairness,
    meter: &mut Meter<'_>,
) -> Result<Search, Stop> {
    let (component, n_components) = product.automaton.components();
    let inside = product.automaton.sets_inside(&component, n_components);
    let all = product.automaton.all_sets();
    let n_states = product.n_states() as usize;
    let accepts = |mode: usize| inside[component[mode] as usize] == Some(all);
    let numbers = (0..product.n_modes()).map(|mode| vec![0; if accepts(mode) { n_states } else { 0 }]);
    let mut emptiness = Emptiness {
        product,
        fairness,
        all,
        reached: (0..product.n_modes()).map(|_| Bits::zeros(n_states)).collect(),
        accepting: Accepting { numbers: numbers.collect() },
        n_accepting: 0,
        settled: product.is_sink(0),
        frames: Vec::new(),
        stack: Vec::new(),
        counter: 0,
        component,
        ticks: 0,
    };
    for &state in starts {
        emptiness.reached[0].insert(state as usize);
    }
    for current in (0..n_components).rev() {
        match inside[current as usize] {
            Some(sets) if sets == all => emptiness.components(current, meter)?,
            _ => emptiness.close(current, meter)?,
        }
        if emptiness.settled {
            return Ok(Search::Settled);
        }
    }
    Ok(if emptiness.n_accepting == 0 { Search::Empty } else { Search::Accepting(emptiness.accepting) })
}

struct Emptiness<'a> {
    product: &'a Product<'a>,
    fairness: Fairness,
    all: u32,
    /// Per mode of the automaton: its component.
    component: Vec<u32>,
    /// Per mode: the states it was reached with.
    reached: Vec<Bits>,
    /// While a component is searched: numbers in the order of discovery, from 1.
    accepting: Accepting,
    n_accepting: u32,
    settled: bool,
    frames: Vec<Frame>,
    /// Places whose component is not known yet, in the order of discovery.
    stack: Vec<Place>,
    counter: u32,
    ticks: u32,
}

/// A place on the way from a start, and how far its successors were looked at.
#[derive(Clone, Copy)]
struct Frame {
    place: Place,
    /// The lowest number known to be reachable.
    low: u32,
    arc: u32,
    edge: u32,
}

impl Emptiness<'_> {
    fn tick(&mut self, waiting: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks % TICK != 1 {
            return Ok(());
        }
        let reached: u64 = self.reached.iter().map(Bits::bytes).sum();
        let stacks = 16 * self.frames.capacity() + 4 * self.stack.capacity() + 4 * waiting;
        meter.tick(self.product.bytes() + self.accepting.bytes() + reached + stacks as u64)
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
                    self.settled = true;
                    return Ok(());
                }
                let stays = self.component[arc.target as usize] == current;
                let reached = &mut self.reached[arc.target as usize];
                self.product.for_each_move(state, |_, target| {
                    if reached.insert(target as usize) && stays {
                        waiting.push(self.product.place(arc.target, target));
                    }
                });
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
                    if self.settled {
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
        self.enter(mode, state);
        while let Some(frame) = self.frames.last().copied() {
            self.tick(0, meter)?;
            match self.advance(current, frame) {
                Some((mode, state)) => self.enter(mode, state),
                None => self.leave(),
            }
            if self.settled {
                return Ok(());
            }
        }
        Ok(())
    }

    fn enter(&mut self, mode: Mode, state: u32) {
        self.counter += 1;
        let place = self.product.place(mode, state);
        self.accepting.numbers[mode as usize][state as usize] = self.counter;
        self.stack.push(place);
        self.frames.push(Frame { place, low: self.counter, arc: 0, edge: FRESH });
    }

    /// Looks at further successors of the topmost frame, up to one that was not entered yet.
    fn advance(&mut self, current: u32, mut frame: Frame) -> Option<(Mode, u32)> {
        let product = self.product;
        let (mode, state) = product.mode_and_state(frame.place);
        // A stutter is one edge to the state itself.
        let (from, to, stutter) = match product.moves(state) {
            Moves::Edges { from, to } => (from, to, false),
            Moves::Stutter => (0, 1, true),
        };
        let arcs = &product.arcs[mode as usize];
        let mut found = None;
        while let Some(&arc) = arcs.get(frame.arc as usize) {
            if frame.edge == FRESH {
                frame.edge = if product.admits(arc, state) { from } else { to };
                self.settled |=
                    frame.edge == from && product.is_sink(arc.target) && product.admits(arc, state);
            }
            let stays = self.component[arc.target as usize] == current;
            while frame.edge < to && found.is_none() {
                let target = if stutter { state } else { product.rows.target(frame.edge) };
                frame.edge += 1;
                if !stays {
                    self.reached[arc.target as usize].insert(target as usize);
                    continue;
                }
                match self.number(arc.target, target) {
                    0 => found = Some((arc.target, target)),
                    number if number & DONE == 0 => frame.low = frame.low.min(number),
                    _ => {}
                }
            }
            if found.is_some() {
                break;
            }
            frame.arc += 1;
            frame.edge = FRESH;
        }
        *self.frames.last_mut().expect("the frame that is looked at is the topmost one") = frame;
        found
    }

    /// Pops the topmost frame, and the component it is the root of.
    fn leave(&mut self) {
        let frame = self.frames.pop().expect("the frame that is left is the topmost one");
        let (mode, state) = self.product.mode_and_state(frame.place);
        let number = self.number(mode, state);
        if let Some(parent) = self.frames.last_mut() {
            parent.low = parent.low.min(frame.low);
        }
        if frame.low != number {
            return;
        }
        let first = self.stack.iter().rposition(|&place| place == frame.place);
        let first = first.expect("a root is on the stack until its component is known");
        let accepted = self.is_accepting(&self.stack[first..], number);
        self.n_accepting += u32::from(accepted);
        let mark = DONE | if accepted { self.n_accepting } else { 0 };
        for place in self.stack.drain(first..) {
            let (mode, state) = self.product.mode_and_state(place);
            self.accepting.numbers[mode as usize][state as usize] = mark;
        }
    }

    /// Whether a run can stay in this component for ever, meet all acceptance sets and be fair.
    fn is_accepting(&self, places: &[Place], root: u32) -> bool {
        let product = self.product;
        let mut sets = 0;
        let mut cycle = false;
        let mut unfair = match self.fairness {
            Fairness::None => Vec::new(),
            Fairness::Weak => (0..product.graph.n_processes).map(ProcessId).collect(),
        };
        for &place in places {
            let (mode, state) = product.mode_and_state(place);
            if !unfair.is_empty() {
                unfair.retain(|&process| is_enabled(product, state, process));
            }
            for &arc in &product.arcs[mode as usize] {
                if self.accepting.numbers[arc.target as usize].is_empty() || !product.admits(arc, state) {
                    continue;
                }
                product.for_each_move(state, |process, target| {
                    let number = self.number(arc.target, target);
                    if number & DONE == 0 && number >= root {
                        cycle = true;
                        sets |= arc.sets;
                        unfair.retain(|&waiting| Some(waiting) != process);
                    }
                });
            }
            if cycle && sets == self.all && unfair.is_empty() {
                return true;
            }
        }
        false
    }
}

/// Whether a process has a step in a state.
pub(crate) fn is_enabled(product: &Product<'_>, state: u32, process: ProcessId) -> bool {
    product.rows.row(state).any(|edge| product.rows.process(edge) == process)
}

fn narrow(state: usize) -> u32 {
    u32::try_from(state).expect("states are numbered with 32 bits")
}
