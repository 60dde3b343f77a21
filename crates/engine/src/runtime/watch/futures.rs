//! Whether what a run owes can still be paid: the runs that may follow, over all letters that can occur, as a graph that is
//! explored as far as a question needs. Something can be paid if a cycle can be reached on which no until is put off for ever.

use std::rc::Rc;

use hashbrown::HashMap;

use crate::exploration::tarjan::components;
use crate::formulas::reading::{Last, Reader, Seen};
use crate::metric_time::owing::{Debt, Ledger, Letter, NOTHING, TooLarge};
use crate::metric_time::window::Passage;

use super::letters::feasible;

/// Ways to go on that are looked at for one claim, and nodes that are explored before the first look at the cycles.
const BUDGET: usize = 60_000;
const FIRST_BATCH: usize = 16;
/// Ways to go on over one state.
const WAYS_MAX: usize = 4_000;

/// A state from entering to leaving it: what is read, and how each of its moments passes.
pub(super) type Stay = Vec<(Letter, Passage)>;

/// The clocks as the last state left them; `None` before the first state.
type Faces = Option<Last>;

/// A place between two states: what is owed, and the number of what the clocks show.
type Place = (Debt, usize);

/// One of the states that may come: how it passes, and the number of what the clocks show when it is left.
struct Move {
    stay: Stay,
    after: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Not known yet.
    Open,
    /// Some continuation pays.
    Payable,
    /// None does.
    Hopeless,
}

struct Node {
    place: Place,
    fate: Fate,
    /// Where it leads, and the untils that are put off on the way; `None` before it is explored.
    edges: Option<Vec<(usize, u32)>>,
}

/// What may follow.
pub(super) struct Futures {
    /// Truths of the leaves that can occur.
    letters: Vec<Vec<bool>>,
    delays: Vec<u32>,
    faces: Vec<Faces>,
    numbers: HashMap<Faces, usize>,
    /// Per number of faces.
    moves: Vec<Option<Rc<[Move]>>>,
    nodes: Vec<Node>,
    places: HashMap<Place, usize>,
    budget: usize,
}

impl Futures {
    /// Continuations whose states last for one of `delays` each.
    pub(super) fn new(reader: &Reader, delays: &[u32]) -> Self {
        let letters = feasible(reader.leaves());
        Self {
            // Without letters nothing can be explored, and everything counts as payable.
            budget: if letters.is_some() { BUDGET } else { 0 },
            letters: letters.unwrap_or_default(),
            delays: delays.to_vec(),
            faces: Vec::new(),
            numbers: HashMap::new(),
            moves: Vec::new(),
            nodes: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// Whether there were too many continuations to look at, so that some may be taken for possible that are not.
    pub(super) fn is_exhausted(&self) -> bool {
        self.budget == 0
    }

    /// Forgets what was explored.
    pub(super) fn forget(&mut self) {
        self.faces.clear();
        self.numbers.clear();
        self.moves.clear();
        self.nodes.clear();
        self.places.clear();
        self.budget = if self.letters.is_empty() { 0 } else { BUDGET };
    }

    /// How many faces of clocks are remembered; what was explored is limited apart.
    pub(super) fn n_remembered(&self) -> usize {
        self.faces.iter().flatten().map(|last| 1 + last.faces.len()).sum()
    }

    /// Whether some run pays one of the debts from its start on.
    pub(super) fn begin(&mut self, ledger: &mut Ledger, reader: &Reader, debts: &[Debt]) -> bool {
        let faces = self.number(None);
        let roots: Vec<usize> = debts.iter().map(|&debt| self.node((debt, faces))).collect();
        self.is_exhausted() && !roots.is_empty() || self.ask(ledger, reader, &roots)
    }

    /// Whether one of the debts can be paid by a run that goes on from a state that was just entered.
    pub(super) fn payable(
        &mut self,
        ledger: &mut Ledger,
        reader: &Reader,
        debts: &[Debt],
        seen: &Seen,
    ) -> Result<bool, TooLarge> {
        if debts.is_empty() || self.is_exhausted() {
            return Ok(!debts.is_empty());
        }
        let mut roots = Vec::new();
        for delay in self.delays.clone() {
            let (stay, last) = stay(reader, ledger.propositions(), seen.clone(), delay);
            let faces = self.number(Some(last));
            for &debt in debts {
                let ways = ways(ledger, debt, &stay)?;
                roots.extend(ways.into_iter().map(|(debt, _)| self.node((debt, faces))));
            }
        }
        roots.sort_unstable();
        roots.dedup();
        Ok(self.ask(ledger, reader, &roots))
    }

    fn number(&mut self, faces: Faces) -> usize {
        let fresh = self.faces.len();
        let number = *self.numbers.entry(faces.clone()).or_insert(fresh);
        if number == fresh {
            self.faces.push(faces);
            self.moves.push(None);
        }
        number
    }

    fn node(&mut self, place: Place) -> usize {
        let fresh = self.nodes.len();
        let number = *self.places.entry(place).or_insert(fresh);
        if number == fresh {
            let fate = if place.0 == NOTHING { Fate::Payable } else { Fate::Open };
            self.nodes.push(Node { place, fate, edges: None });
        }
        number
    }

    /// Explores from these nodes until it is known whether one of them is payable. When the budget is spent, it is.
    fn ask(&mut self, ledger: &mut Ledger, reader: &Reader, roots: &[usize]) -> bool {
        let mut batch = FIRST_BATCH;
        loop {
            if roots.iter().any(|&root| self.nodes[root].fate == Fate::Payable) {
                return true;
            }
            let frontier = self.frontier(roots, batch);
            if frontier.is_empty() {
                self.settle(roots);
                return false;
            }
            for node in frontier {
                let cost = self.explore(ledger, reader, node).unwrap_or(usize::MAX);
                self.budget = self.budget.saturating_sub(cost);
                if self.budget == 0 {
                    return true;
                }
            }
            self.find_cycles();
            batch *= 2;
        }
    }

    /// The nearest unexplored nodes of open fate.
    fn frontier(&self, roots: &[usize], most: usize) -> Vec<usize> {
        let mut found = Vec::new();
        self.walk(roots, |number| {
            if self.nodes[number].edges.is_none() {
                found.push(number);
            }
            found.len() < most
        });
        found
    }

    /// Visits the nodes of open fate, nearest first, while `visit` wants more.
    fn walk(&self, roots: &[usize], mut visit: impl FnMut(usize) -> bool) {
        let mut seen = vec![false; self.nodes.len()];
        let mut waiting: Vec<usize> = Vec::new();
        let mut meet = |number: usize, waiting: &mut Vec<usize>| {
            if self.nodes[number].fate == Fate::Open && !std::mem::replace(&mut seen[number], true) {
                waiting.push(number);
            }
        };
        roots.iter().for_each(|&root| meet(root, &mut waiting));
        let mut at = 0;
        while let Some(&number) = waiting.get(at) {
            at += 1;
            if !visit(number) {
                return;
            }
            for &(target, _) in self.nodes[number].edges.iter().flatten() {
                meet(target, &mut waiting);
            }
        }
    }

    /// Everything from these nodes on was explored in vain.
    fn settle(&mut self, roots: &[usize]) {
        let mut hopeless = Vec::new();
        self.walk(roots, |number| {
            hopeless.push(number);
            true
        });
        hopeless.into_iter().for_each(|number| self.nodes[number].fate = Fate::Hopeless);
    }

    /// The edges of a node, and what finding them cost.
    fn explore(&mut self, ledger: &mut Ledger, reader: &Reader, node: usize) -> Result<usize, TooLarge> {
        let (debt, faces) = self.nodes[node].place;
        let moves = self.moves_from(ledger, reader, faces);
        let mut edges = Vec::new();
        for Move { stay, after } in moves.iter() {
            for (debt, postponed) in ways(ledger, debt, stay)? {
                edges.push((self.node((debt, *after)), postponed));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let cost = edges.len() + moves.len();
        self.nodes[node].edges = Some(edges);
        Ok(cost)
    }

    /// All states that may come, with all the time they may last.
    fn moves_from(&mut self, ledger: &Ledger, reader: &Reader, faces: usize) -> Rc<[Move]> {
        if let Some(known) = &self.moves[faces] {
            return Rc::clone(known);
        }
        let mut moves: Vec<Move> = Vec::new();
        for letter in self.letters.clone() {
            let seen = reader.enter(self.faces[faces].as_ref(), letter);
            for delay in self.delays.clone() {
                let (stay, last) = stay(reader, ledger.propositions(), seen.clone(), delay);
                let after = self.number(Some(last));
                if !moves.iter().any(|known| known.stay == stay && known.after == after) {
                    moves.push(Move { stay, after });
                }
            }
        }
        let moves: Rc<[Move]> = moves.into();
        self.moves[faces] = Some(Rc::clone(&moves));
        moves
    }

    /// Marks the nodes from which a cycle is reached that takes every until sooner or later.
    fn find_cycles(&mut self) {
        let edges = |node: usize| self.nodes[node].edges.as_deref().unwrap_or(&[]);
        let (component, n_components) =
            components(self.nodes.len(), |node, at| edges(node).get(at).map(|edge| edge.0));
        // An until that was never met is put off nowhere.
        let mut always_put_off: Vec<Option<u32>> = vec![None; n_components as usize];
        for node in 0..self.nodes.len() {
            for &(target, postponed) in edges(node) {
                if component[node] == component[target] {
                    let slot = &mut always_put_off[component[node] as usize];
                    *slot = Some(slot.unwrap_or(u32::MAX) & postponed);
                }
            }
        }
        let mut payable: Vec<bool> = always_put_off.iter().map(|put_off| *put_off == Some(0)).collect();
        for (node, &own) in component.iter().enumerate() {
            payable[own as usize] |= self.nodes[node].fate == Fate::Payable;
        }
        // An edge never leads to a component with a higher number.
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_unstable_by_key(|&node| component[node]);
        for node in order {
            let reaches = edges(node).iter().any(|edge| payable[component[edge.0] as usize]);
            payable[component[node] as usize] |= reaches;
        }
        for (node, own) in self.nodes.iter_mut().zip(component) {
            if payable[own as usize] {
                node.fate = Fate::Payable;
            }
        }
    }
}

/// How a state passes that lasts this long, and its last moment.
pub(super) fn stay(reader: &Reader, propositions: &[u32], seen: Seen, delay: u32) -> (Stay, Last) {
    let mut moments = reader.lasting(seen, delay);
    let stay = moments.iter().map(|(seen, passage)| (reader.letter(seen, propositions), *passage)).collect();
    let (seen, passage) = moments.pop().expect("a state has a moment");
    (stay, Last { faces: seen.faces, length: passage.length().unwrap_or(0) })
}

/// What can be owed after a state, and the untils that are put off at each of its moments.
pub(super) fn ways(ledger: &mut Ledger, debt: Debt, stay: &Stay) -> Result<Vec<(Debt, u32)>, TooLarge> {
    let mut ways = vec![(debt, u32::MAX)];
    for &(letter, passage) in stay {
        let mut next = Vec::new();
        for (debt, put_off) in ways {
            let outcomes = ledger.outcomes(debt, letter, passage)?;
            next.extend(outcomes.iter().map(|&(debt, postponed)| (debt, put_off & postponed)));
        }
        next.sort_unstable();
        next.dedup();
        if next.len() > WAYS_MAX {
            return Err(TooLarge);
        }
        ways = next;
    }
    Ok(ways)
}
