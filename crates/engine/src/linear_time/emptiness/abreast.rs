//! The search by several threads at the same time.
//!
//! What is reached through an automaton's component is a set, so the order in which threads come by does not matter. In a
//! component that can accept, places that no cycle leads to are peeled off first: they have no place before them, or only
//! such. The first place that is left has some cycle before it, most often its own, so its component is what can be
//! reached from it among the places from which it is reached. Taking that away, more can be peeled off, and so on (the
//! steps of Slota, Rajamanickam and Madduri 2014, in the order of the components).

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use motet_evidence::{Fairness, Stop};

use super::{DONE, Emptiness, Signs, Until, narrow};
use crate::branching_time::branching::Reverse;
use crate::exploration::limits::Meter;
use crate::exploration::threads::{SharedBits, exhaust, ranges, together};
use crate::linear_time::product::{Arc, Mode, Place};
use crate::storage::bits::Bits;

/// Products with fewer places are searched by one thread. Tests share small ones, too.
const SHARED: usize = if cfg!(debug_assertions) { 256 } else { 1 << 17 };
/// Threads that make up for it that places are visited several times, where one thread visits each once: two took 1.4 to 1.7
/// times as long as one on nets of two million states, four times where a cycle is found at once. Two are enough for tests.
const CREW: usize = if cfg!(debug_assertions) { 2 } else { 8 };
/// A component this small is not worth the attention of all threads.
const SMALL: usize = if cfg!(debug_assertions) { 2 } else { 1 << 12 };
/// Such components, or places looked at in vain, before one thread does the rest.
const PATIENCE: u32 = 16;
/// Components that are taken one after the other at most.
const ROUNDS: u32 = 256;

impl Emptiness<'_> {
    /// Whether it is worth the while to share the search.
    pub(super) fn is_shared(&self, meter: &Meter<'_>) -> bool {
        // Whoever wants any run at all is often content after a few steps.
        meter.threads() >= CREW
            && self.until != Until::Found
            && self.product.n_states() as usize * self.product.n_modes() >= SHARED
    }

    /// Marks everything that is reachable through a component of the automaton that cannot accept.
    pub(super) fn close_abreast(&mut self, current: u32, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let (threads, bytes) = (meter.threads(), self.bytes(0));
        let first = self.reached_places(current);
        let reached = self.share();
        let settled = AtomicBool::new(false);
        let done = exhaust(threads, first, &mut || meter.tick(bytes), |place, more| {
            self.spread(current, place, &settled, |arc, target, stays| {
                if reached[arc.target as usize].insert(target as usize) && stays {
                    more.push(self.product.place(arc.target, target));
                }
            });
        });
        self.unshare(reached);
        self.settled |= settled.into_inner();
        done
    }

    /// Calls `visit` for every successor of a place, and says whether it lies over the same component of the automaton.
    fn spread(
        &self,
        current: u32,
        place: Place,
        settled: &AtomicBool,
        mut visit: impl FnMut(Arc, u32, bool),
    ) {
        let product = self.product;
        let (mode, state) = product.mode_and_state(place);
        for &arc in &product.arcs[mode as usize] {
            if !product.admits(arc, state) {
                continue;
            }
            if product.is_sink(arc.target) {
                if self.until != Until::Exhausted {
                    settled.store(true, Ordering::Relaxed);
                }
                continue;
            }
            if settled.load(Ordering::Relaxed) {
                return;
            }
            let stays = self.component[arc.target as usize] == current;
            let (from, n_moves) = product.moves(state).span();
            for number in 0..n_moves {
                visit(arc, product.target(state, from, number), stays);
            }
        }
    }

    fn reached_places(&self, current: u32) -> Vec<Place> {
        let mut places = Vec::new();
        for mode in self.modes(current) {
            let states = self.reached[mode as usize].ones();
            places.extend(states.map(|state| self.product.place(mode, narrow(state))));
        }
        places
    }

    fn share(&mut self) -> Vec<SharedBits> {
        let n = self.product.n_states() as usize;
        std::mem::take(&mut self.reached).into_iter().map(|bits| SharedBits::of(&bits, n)).collect()
    }

    fn unshare(&mut self, reached: Vec<SharedBits>) {
        self.reached = reached.into_iter().map(SharedBits::into_bits).collect();
    }

    /// Marks what lies over an accepting component of the automaton as far as several threads can: places on no cycle
    /// and large components. All others keep the number 0.
    pub(super) fn peel(&mut self, current: u32, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let modes = self.modes(current);
        let numbers = std::mem::take(&mut self.accepting.numbers);
        let degrees =
            numbers.into_iter().map(|list| list.into_iter().map(AtomicU32::new).collect()).collect();
        let mut peeling = Peeling { current, modes, alive: Vec::new(), degrees };
        // While they are shared, whether a mode has numbers is asked of empty lists.
        self.accepting.numbers = peeling.degrees.iter().map(|list| vec![0; list.len().min(1)]).collect();
        let peeled = self.peeled(&mut peeling, meter);
        let Peeling { degrees, modes, alive, .. } = peeling;
        let own = |list: Vec<AtomicU32>| list.into_iter().map(AtomicU32::into_inner).collect();
        self.accepting.numbers = degrees.into_iter().map(own).collect();
        for mode in modes {
            let Some(alive) = alive.get(mode as usize) else { continue };
            let numbers = &mut self.accepting.numbers[mode as usize];
            (0..numbers.len()).filter(|&state| alive.get(state)).for_each(|state| numbers[state] = 0);
        }
        peeled
    }

    fn peeled(&mut self, peeling: &mut Peeling, meter: &mut Meter<'_>) -> Result<(), Stop> {
        self.count(peeling, meter)?;
        if self.settled {
            return Ok(());
        }
        let n = self.product.n_states() as usize;
        let own = |mode: usize| if self.component[mode] == peeling.current { n } else { 0 };
        peeling.alive =
            self.reached.iter().enumerate().map(|(mode, b)| SharedBits::of(b, own(mode))).collect();
        let loose = peeling.loose(self, meter.threads());
        self.trim(peeling, loose, meter)?;
        // With strong fairness a component is taken apart, which one thread does.
        let mut reverse = None;
        let mut patience = PATIENCE;
        for _ in 0..ROUNDS {
            if self.fairness == Fairness::Strong || patience == 0 {
                break;
            }
            let Some(pivot) = peeling.first(self) else { break };
            if reverse.is_none() {
                // Without the memory for it one thread does the rest.
                let Ok(found) = Reverse::of(self.product.graph, meter) else { break };
                reverse = Some(found);
            }
            let reverse = reverse.as_ref().expect("just made");
            let removed = self.take_component(peeling, pivot, reverse, meter)?;
            patience -= u32::from(removed < SMALL);
        }
        Ok(())
    }

    /// Reaches everything, and counts the edges into each place on the way.
    fn count(&mut self, peeling: &Peeling, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let (threads, bytes) = (meter.threads(), self.bytes(0) + peeling.bytes());
        let first = self.reached_places(peeling.current);
        let reached = self.share();
        let settled = AtomicBool::new(false);
        let done = exhaust(threads, first, &mut || meter.tick(bytes), |place, more| {
            self.spread(peeling.current, place, &settled, |arc, target, stays| {
                if stays {
                    peeling.degrees[arc.target as usize][target as usize].fetch_add(1, Ordering::Relaxed);
                }
                if reached[arc.target as usize].insert(target as usize) && stays {
                    more.push(self.product.place(arc.target, target));
                }
            });
        });
        self.unshare(reached);
        self.settled |= settled.into_inner();
        done
    }

    /// Takes away places that have none before them, those that have none before them then, and so on.
    fn trim(&self, peeling: &Peeling, loose: Vec<Place>, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let bytes = self.bytes(0) + peeling.bytes();
        let open = AtomicBool::new(false);
        exhaust(meter.threads(), loose, &mut || meter.tick(bytes), |place, more| {
            let (mode, state) = self.product.mode_and_state(place);
            peeling.alive[mode as usize].remove(state as usize);
            peeling.degrees[mode as usize][state as usize].store(DONE, Ordering::Relaxed);
            self.spread(peeling.current, place, &open, |arc, target, stays| {
                if stays && peeling.loosen(arc.target, target) {
                    more.push(self.product.place(arc.target, target));
                }
            });
        })
    }

    /// Finds the component of a place, judges it, takes it away and peels. Says how many places are gone.
    fn take_component(
        &mut self,
        peeling: &Peeling,
        pivot: Place,
        reverse: &Reverse,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Stop> {
        let component = self.component_of(peeling, pivot, reverse, meter)?;
        let mut places = Vec::new();
        for &mode in &peeling.modes {
            let states = component[mode as usize].ones();
            places.extend(states.map(|state| self.product.place(mode, narrow(state))));
        }
        let inside = |mode: Mode, state: u32| component[mode as usize].get(state as usize);
        let mut seats = std::mem::take(&mut self.seats);
        let threads = meter.threads();
        let unfair = self.inspect(&places, &mut seats, |seats, waiting| {
            let parts = ranges(places.len(), threads, SMALL);
            let signs = together(parts, |part| self.signs(&places[part], inside, seats, waiting));
            signs.into_iter().fold(Signs { cycle: false, sets: 0, waiting }, |all, one| Signs {
                cycle: all.cycle || one.cycle,
                sets: all.sets | one.sets,
                waiting: all.waiting & one.waiting,
            })
        });
        self.seats = seats;
        let mark = DONE | self.mark_of(unfair);
        for &place in &places {
            let (mode, state) = self.product.mode_and_state(place);
            peeling.alive[mode as usize].remove(state as usize);
            peeling.degrees[mode as usize][state as usize].store(mark, Ordering::Relaxed);
        }
        let parts = ranges(places.len(), threads, SMALL);
        let loose = together(parts, |part| self.loosened(peeling, &places[part]));
        self.trim(peeling, loose.concat(), meter)?;
        Ok(places.len())
    }

    /// The places that have none before them once these are gone.
    fn loosened(&self, peeling: &Peeling, gone: &[Place]) -> Vec<Place> {
        let mut loose = Vec::new();
        let open = AtomicBool::new(false);
        for &place in gone {
            self.spread(peeling.current, place, &open, |arc, target, stays| {
                if stays && peeling.loosen(arc.target, target) {
                    loose.push(self.product.place(arc.target, target));
                }
            });
        }
        loose
    }

    /// What is reached from a place among the places from which it is reached.
    fn component_of(
        &self,
        peeling: &Peeling,
        pivot: Place,
        reverse: &Reverse,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Bits>, Stop> {
        let (product, threads) = (self.product, meter.threads());
        let bytes = self.bytes(0) + 2 * peeling.bytes() + reverse.bytes();
        let n = product.n_states() as usize;
        let none = || -> Vec<SharedBits> {
            let own = |mode: usize| if self.component[mode] == peeling.current { n } else { 0 };
            (0..product.n_modes()).map(|mode| SharedBits::zeros(own(mode))).collect()
        };
        let (before, both) = (none(), none());
        let (mode, state) = product.mode_and_state(pivot);
        before[mode as usize].insert(state as usize);
        both[mode as usize].insert(state as usize);
        exhaust(threads, vec![pivot], &mut || meter.tick(bytes), |place, more| {
            let (target, state) = product.mode_and_state(place);
            let itself = product.graph.deadlocks.get(state as usize).then_some(state);
            for source in reverse.before(state).iter().copied().chain(itself) {
                for &mode in &peeling.modes {
                    let leads = |arc: &Arc| arc.target == target && product.admits(*arc, source);
                    if peeling.alive[mode as usize].get(source as usize)
                        && !before[mode as usize].get(source as usize)
                        && product.arcs[mode as usize].iter().any(leads)
                        && before[mode as usize].insert(source as usize)
                    {
                        more.push(product.place(mode, source));
                    }
                }
            }
        })?;
        let open = AtomicBool::new(false);
        exhaust(threads, vec![pivot], &mut || meter.tick(bytes), |place, more| {
            self.spread(peeling.current, place, &open, |arc, target, stays| {
                let at = target as usize;
                if stays && before[arc.target as usize].get(at) && both[arc.target as usize].insert(at) {
                    more.push(product.place(arc.target, target));
                }
            });
        })?;
        Ok(both.into_iter().map(SharedBits::into_bits).collect())
    }
}

/// What is left while places and components are taken away.
struct Peeling {
    /// The component of the automaton, and its modes.
    current: u32,
    modes: Vec<Mode>,
    /// Per mode: the states that are left.
    alive: Vec<SharedBits>,
    /// Per mode, per state: how many edges lead there from places that are left; its mark once it is taken away.
    degrees: Vec<Vec<AtomicU32>>,
}

impl Peeling {
    /// Takes away an edge to a place; says whether it was the last one.
    fn loosen(&self, mode: Mode, state: u32) -> bool {
        self.alive[mode as usize].get(state as usize)
            && self.degrees[mode as usize][state as usize].fetch_sub(1, Ordering::Relaxed) == 1
    }

    /// The places that nothing leads to.
    fn loose(&self, emptiness: &Emptiness<'_>, threads: usize) -> Vec<Place> {
        let mut loose = Vec::new();
        for &mode in &self.modes {
            let degrees = &self.degrees[mode as usize];
            let parts = together(ranges(degrees.len(), threads, SMALL), |part| {
                let free = |state: &usize| {
                    degrees[*state].load(Ordering::Relaxed) == 0 && self.alive[mode as usize].get(*state)
                };
                part.filter(free).map(narrow).collect::<Vec<u32>>()
            });
            loose.extend(parts.concat().into_iter().map(|state| emptiness.product.place(mode, state)));
        }
        loose
    }

    /// The first place that is left, by the number of its state: it was found early, so that a cycle leads back to it
    /// rather than from elsewhere.
    fn first(&self, emptiness: &Emptiness<'_>) -> Option<Place> {
        let first = |mode: Mode| {
            let n_words = (emptiness.product.n_states() as usize).div_ceil(64);
            let alive = &self.alive[mode as usize];
            let index = (0..n_words).find(|&index| alive.word(index) != 0)?;
            Some((narrow(64 * index + alive.word(index).trailing_zeros() as usize), mode))
        };
        let (state, mode) = self.modes.iter().filter_map(|&mode| first(mode)).min()?;
        Some(emptiness.product.place(mode, state))
    }

    fn bytes(&self) -> u64 {
        self.degrees.iter().map(|list| 4 * list.len() as u64).sum()
    }
}
