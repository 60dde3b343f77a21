//! Deterministic automata, made while they are walked.
//!
//! A state of the deterministic automaton is a history tree of a Büchi automaton (Safra 1988), its nodes ordered by when they
//! came into being, which makes the acceptance condition parity (Piterman 2007; Schewe 2009). With acceptance on
//! transitions a node never holds states that only wait to be moved into a child. An automaton that is deterministic
//! already, or that accepts all infinite runs, needs trees of one node: for these this is the identity and the subset
//! construction.
//!
//! Only the letters that are asked for are looked at, so that many propositions cost nothing by themselves.

use std::collections::HashMap;

use motet_model::AtomId;
use motet_property::Formula;

use super::automaton::{Automaton, Label};

/// Trees that are made before the formula counts as too large.
const TREES_MAX: usize = 100_000;
/// States of the Büchi automaton that the nodes of all trees name together.
const NAMES_MAX: usize = 10_000_000;

/// A deterministic parity automaton: a run is accepting if the least colour it takes again and again is even.
#[derive(Debug)]
pub struct Deterministic {
    propositions: Vec<Formula<AtomId>>,
    single: Single,
    trees: Vec<Tree>,
    numbers: HashMap<Tree, u32>,
    moves: HashMap<(u32, u64), Move>,
    names: usize,
    trees_max: usize,
}

/// Where a letter leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The state after the letter.
    pub target: u32,
    /// Its colour. Where nothing happens it is the greatest number, which is odd.
    pub colour: u32,
}

/// What the rest of the word can still change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Every continuation is accepted.
    Accepts,
    /// No continuation is accepted.
    Rejects,
    /// It depends.
    Open,
}

/// The automaton would have too many states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// The colour of a move on which nothing happens.
const NOTHING: u32 = u32::MAX;

/// What happens to a node, as part of the colour.
const ENDED: u32 = 1;
const MET: u32 = 2;

/// An automaton with one acceptance set.
#[derive(Debug)]
struct Single {
    arcs: Vec<Vec<Arc>>,
    sink: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Arc {
    label: Label,
    accepting: bool,
    target: u32,
}

/// The nodes in the order of their age; the first one is the root. No node means: no run is left.
type Tree = Vec<Node>;

/// The states of the Büchi automaton in a node are states of its parent. Children of one parent share none, and
/// together they lack at least one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    /// The number of the parent, which is older. The root is its own parent.
    parent: u32,
    /// Sorted.
    states: Vec<u32>,
}

impl Single {
    /// A counter in the state says which acceptance set is waited for. It starts anew in every strongly connected
    /// component, because only what happens in the last one counts.
    fn of(automaton: &Automaton) -> Self {
        let (component, _) = automaton.components();
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::from([((0, 0), 0)]);
        let mut order = vec![(0_u32, 0_u32)];
        let mut arcs: Vec<Vec<Arc>> = Vec::new();
        while let Some(&(state, level)) = order.get(arcs.len()) {
            let mut own = Vec::new();
            for transition in &automaton.transitions[state as usize] {
                let stays = component[state as usize] == component[transition.target as usize];
                let (level, accepting) = match stays {
                    true => advance(level, transition.sets, automaton.n_sets),
                    false => (0, automaton.n_sets == 0),
                };
                let next = (transition.target, level);
                let fresh = u32::try_from(order.len()).expect("translation limits the number of states");
                let target = *numbers.entry(next).or_insert_with(|| {
                    order.push(next);
                    fresh
                });
                own.push(Arc { label: transition.label, accepting, target });
            }
            arcs.push(own);
        }
        let sink = automaton.sink.and_then(|sink| numbers.get(&(sink, 0)).copied());
        Self { arcs, sink }
    }

    /// The successors of these states: all of them, and those behind accepting arcs. Sorted.
    fn successors(&self, states: &[u32], letter: u64) -> (Vec<u32>, Vec<u32>) {
        let (mut all, mut accepting) = (Vec::new(), Vec::new());
        for &state in states {
            for arc in self.arcs[state as usize].iter().filter(|arc| arc.label.admits(letter)) {
                all.push(arc.target);
                if arc.accepting {
                    accepting.push(arc.target);
                }
            }
        }
        for states in [&mut all, &mut accepting] {
            states.sort_unstable();
            states.dedup();
        }
        (all, accepting)
    }
}

/// The next set to wait for once these sets are seen, and whether all were seen.
fn advance(level: u32, sets: u32, n_sets: u32) -> (u32, bool) {
    let seen = |mut level: u32| {
        while level < n_sets && sets >> level & 1 == 1 {
            level += 1;
        }
        level
    };
    let level = seen(level);
    if level < n_sets {
        return (level, false);
    }
    (seen(0) % n_sets.max(1), true)
}

impl Deterministic {
    /// Where every word starts.
    pub const START: u32 = 0;

    /// A deterministic automaton for the same words.
    #[must_use]
    pub fn of(automaton: &Automaton) -> Self {
        let start = vec![Node { parent: 0, states: vec![0] }];
        Self {
            propositions: automaton.propositions.clone(),
            single: Single::of(automaton),
            trees: vec![start.clone()],
            numbers: HashMap::from([(start, 0)]),
            moves: HashMap::new(),
            names: 1,
            trees_max: TREES_MAX,
        }
    }

    /// The same with fewer states before it gives up.
    #[must_use]
    pub fn limited(self, trees_max: usize) -> Self {
        Self { trees_max, ..self }
    }

    /// What the bits of a letter say.
    #[must_use]
    pub fn propositions(&self) -> &[Formula<AtomId>] {
        &self.propositions
    }

    /// How many states were met so far.
    #[must_use]
    pub fn n_states(&self) -> usize {
        self.trees.len()
    }

    /// What the rest of the word can still change, as far as one state tells.
    #[must_use]
    pub fn settled(&self, state: u32) -> Settled {
        match self.trees[state as usize].first() {
            None => Settled::Rejects,
            Some(root) if self.has_sink(root) => Settled::Accepts,
            Some(_) => Settled::Open,
        }
    }

    fn has_sink(&self, root: &Node) -> bool {
        self.single.sink.is_some_and(|sink| root.states.binary_search(&sink).is_ok())
    }

    /// Reads a letter: the set of propositions that hold.
    ///
    /// # Errors
    /// If the automaton has become too large.
    pub fn read(&mut self, state: u32, letter: u64) -> Result<Move, TooMany> {
        if let Some(&known) = self.moves.get(&(state, letter)) {
            return Ok(known);
        }
        let (mut tree, mut colour) = after(&self.single, &self.trees[state as usize], letter);
        // What is accepted whatever comes needs no history.
        if let Some(sink) = self.single.sink
            && tree.first().is_some_and(|root| self.has_sink(root))
        {
            (tree, colour) = (vec![Node { parent: 0, states: vec![sink] }], 0);
        }
        let target = match self.numbers.get(&tree) {
            Some(&known) => known,
            None => self.add(tree)?,
        };
        let found = Move { target, colour };
        self.moves.insert((state, letter), found);
        Ok(found)
    }

    fn add(&mut self, tree: Tree) -> Result<u32, TooMany> {
        self.names += tree.iter().map(|node| node.states.len()).sum::<usize>();
        if self.trees.len() >= self.trees_max || self.names > NAMES_MAX {
            return Err(TooMany);
        }
        let number = u32::try_from(self.trees.len()).map_err(|_| TooMany)?;
        self.trees.push(tree.clone());
        self.numbers.insert(tree, number);
        Ok(number)
    }
}

/// The tree after a letter, and the colour of the move. Of all nodes to which something happened the oldest counts: its
/// number is `i`, and the colour is `2 i + 1` if it lost its last run and `2 i + 2` if all its runs have met acceptance. A
/// node that meets acceptance and then ends, again and again, is thus no reason to accept.
fn after(single: &Single, tree: &Tree, letter: u64) -> (Tree, u32) {
    let n_old = tree.len();
    let mut nodes: Tree = Vec::with_capacity(2 * n_old);
    let mut young = Vec::new();
    for (number, node) in tree.iter().enumerate() {
        let (all, accepting) = single.successors(&node.states, letter);
        nodes.push(Node { parent: node.parent, states: all });
        let parent = u32::try_from(number).expect("fewer nodes than twice the states");
        young.push(Node { parent, states: accepting });
    }
    nodes.extend(young);
    keep_oldest(&mut nodes);
    let mut colour = NOTHING;
    let mut happened = |number: usize, what: u32| {
        let number = u32::try_from(number).expect("fewer nodes than twice the states");
        colour = colour.min(2 * number + what);
    };
    // Parents come before their children, so that a node under one that has met acceptance is cleared before it is looked
    // at.
    for number in 0..nodes.len() {
        if nodes[number].states.is_empty() {
            if number < n_old {
                happened(number, ENDED);
            }
            continue;
        }
        let children = |nodes: &Tree| -> usize {
            let own = nodes.iter().enumerate().skip(1);
            own.filter(|(at, node)| *at != number && node.parent as usize == number)
                .map(|(_, node)| node.states.len())
                .sum()
        };
        if children(&nodes) == nodes[number].states.len() {
            happened(number, MET);
            clear_below(&mut nodes, number);
        }
    }
    (compacted(nodes), colour)
}

/// A state stays in the oldest child of each node it is in, and only in nodes whose parent it is in.
fn keep_oldest(nodes: &mut Tree) {
    for number in 1..nodes.len() {
        let (before, rest) = nodes.split_at_mut(number);
        let node = &mut rest[0];
        let parent = &before[node.parent as usize];
        node.states.retain(|state| parent.states.binary_search(state).is_ok());
        for sibling in before.iter().skip(1).filter(|other| other.parent == node.parent) {
            node.states.retain(|state| sibling.states.binary_search(state).is_err());
        }
    }
}

fn clear_below(nodes: &mut Tree, number: usize) {
    for at in number + 1..nodes.len() {
        let parent = nodes[at].parent as usize;
        if parent == number || nodes[parent].states.is_empty() {
            nodes[at].states.clear();
        }
    }
}

/// Without empty nodes.
fn compacted(nodes: Tree) -> Tree {
    let mut numbers = vec![0_u32; nodes.len()];
    let mut kept: Tree = Vec::new();
    for (at, mut node) in nodes.into_iter().enumerate() {
        if node.states.is_empty() {
            continue;
        }
        numbers[at] = u32::try_from(kept.len()).expect("fewer nodes than states");
        node.parent = numbers[node.parent as usize];
        kept.push(node);
    }
    kept
}
