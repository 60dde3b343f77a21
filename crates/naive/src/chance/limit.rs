//! Linear time on decision processes: the greatest chance, by an automaton that guesses once.
//!
//! Beside the process runs the set of all guesses which temporal parts hold (Lichtenstein and Pnueli 1985). Once, the
//! policy may pick some of them; from then on they are followed deterministically by a breakpoint construction, and
//! infinitely many breakpoints accept. This loses nothing (after Courcoubetis and Yannakakis 1995): on almost every run that
//! satisfies the formula there is a guess that is right, and as the run goes on the chance that what follows from this guess
//! is accepted tends to 1; there are finitely many sets of guesses, so that the chance is 1 from some time on, and picking
//! the set of that time would have been as good. Nothing of this is a Rabin or parity automaton.

use std::collections::{BTreeMap, BTreeSet};

use dashu::rational::RBig;

use super::chain::eliminate;
use super::fair::Fair;
use super::linear::{Linear, Part};
use super::process::Process;

/// More temporal parts than this have too many guesses.
const TEMPORALS_MAX: usize = 6;
/// More nodes than this take too long in rational numbers.
const NODES_MAX: usize = 400;
const FAMILIES_MAX: usize = 400;

/// Which temporal parts hold: bit `i` for the part at position `i` of the list.
type Guess = u32;
/// A guess, and which until it has to be seen fulfilled next.
type Tracked = (Guess, usize);

/// A choice: whose it is, and where it leads.
type Taken<T> = (Option<u32>, Vec<(T, RBig)>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    /// All guesses that fit so far.
    Open(usize, BTreeSet<Guess>),
    /// Guesses that follow from the picked one; those that met acceptance since the last breakpoint.
    Picked(usize, BTreeSet<Tracked>, BTreeSet<Tracked>),
    /// The picked guess was wrong.
    Lost,
}

/// The greatest chance of the formula from every state, over fair strategies if these are asked for. Being fair, too, is
/// seen from what a run does in the end, so that picking guesses once loses nothing either.
pub(super) fn greatest(process: &Process, linear: &Linear, fair: Option<Fair>) -> Result<Vec<RBig>, String> {
    let temporals = linear.temporals();
    if temporals.len() > TEMPORALS_MAX {
        return Err("too many temporal parts".to_owned());
    }
    let mut tableau = Tableau { process, linear, fair, temporals, families: Vec::new() };
    tableau.families = tableau.families()?;
    let starts: Vec<Node> = (0..process.states.len()).map(|state| tableau.start(state)).collect();
    let mut values = Vec::new();
    for start in starts {
        values.push(tableau.product(start)?.greatest());
    }
    Ok(values)
}

struct Tableau<'a> {
    process: &'a Process,
    linear: &'a Linear,
    fair: Option<Fair>,
    temporals: Vec<usize>,
    /// Per state: the sets that follow from a single guess made earlier.
    families: Vec<BTreeSet<BTreeSet<Tracked>>>,
}

impl Tableau<'_> {
    fn families(&self) -> Result<Vec<BTreeSet<BTreeSet<Tracked>>>, String> {
        let mut families = vec![BTreeSet::new(); self.process.states.len()];
        let mut waiting = Vec::new();
        for state in 0..families.len() {
            for guess in self.guesses().filter(|&guess| self.fits(state, guess)) {
                waiting.push((state, BTreeSet::from([(guess, 0)])));
            }
        }
        let mut found = 0;
        while let Some((state, tracked)) = waiting.pop() {
            if tracked.is_empty() || !families[state].insert(tracked.clone()) {
                continue;
            }
            found += 1;
            if found > FAMILIES_MAX {
                return Err("too many sets of guesses".to_owned());
            }
            for (target, _) in self.process.choices[state].iter().flat_map(|choice| &choice.outcomes) {
                waiting.push((*target, self.after(state, &tracked, *target)));
            }
        }
        Ok(families)
    }

    fn truths(&self, state: usize, guess: Guess) -> Vec<bool> {
        let position = |part: usize| self.temporals.iter().position(|&temporal| temporal == part);
        self.linear.truths(state, |part| guess >> position(part).expect("temporal parts are listed") & 1 == 1)
    }

    /// Whether the guess does not contradict itself in this state.
    fn fits(&self, state: usize, guess: Guess) -> bool {
        let truths = self.truths(state, guess);
        self.temporals.iter().all(|&part| match self.linear.parts[part] {
            Part::Until(_, b) if truths[b] => truths[part],
            Part::Until(a, _) if !truths[a] => !truths[part],
            _ => true,
        })
    }

    fn follows(&self, state: usize, guess: Guess, next_state: usize, next: Guess) -> bool {
        let (here, there) = (self.truths(state, guess), self.truths(next_state, next));
        let right = |&part: &usize| match self.linear.parts[part] {
            Part::Next(a) => here[part] == there[a],
            Part::Until(a, b) => here[part] == (here[b] || here[a] && there[part]),
            _ => true,
        };
        self.fits(next_state, next) && self.temporals.iter().all(right)
    }

    fn guesses(&self) -> impl Iterator<Item = Guess> {
        0..1 << self.temporals.len()
    }

    fn start(&self, state: usize) -> Node {
        let holds = |&guess: &Guess| {
            self.fits(state, guess) && *self.truths(state, guess).last().expect("a formula has parts")
        };
        Node::Open(state, self.guesses().filter(holds).collect())
    }

    fn untils(&self) -> Vec<usize> {
        let until = |&part: &usize| matches!(self.linear.parts[part], Part::Until(..));
        self.temporals.iter().copied().filter(until).collect()
    }

    /// Whether the until with this number is not put off.
    fn fulfilled(&self, state: usize, guess: Guess, number: usize) -> bool {
        let truths = self.truths(state, guess);
        let until = self.untils()[number];
        match self.linear.parts[until] {
            Part::Until(_, b) => !truths[until] || truths[b],
            _ => true,
        }
    }

    fn accepts(&self, state: usize, tracked: Tracked) -> bool {
        self.untils().is_empty() || tracked.1 == 0 && self.fulfilled(state, tracked.0, 0)
    }

    fn after(&self, state: usize, tracked: &BTreeSet<Tracked>, next_state: usize) -> BTreeSet<Tracked> {
        let n_untils = self.untils().len();
        let mut after = BTreeSet::new();
        for &(guess, number) in tracked {
            let on = n_untils > 0 && self.fulfilled(state, guess, number);
            let number = if on { (number + 1) % n_untils } else { number };
            let next = self.guesses().filter(|&next| self.follows(state, guess, next_state, next));
            after.extend(next.map(|next| (next, number)));
        }
        after
    }

    fn picked(&self, from: &Node, next_state: usize) -> Node {
        let Node::Picked(state, all, met) = from else { return Node::Lost };
        let followed = self.after(*state, all, next_state);
        if followed.is_empty() {
            return Node::Lost;
        }
        let met = if self.is_breakpoint(from) {
            BTreeSet::new()
        } else {
            let accepting = all.iter().copied().filter(|&tracked| self.accepts(*state, tracked));
            self.after(*state, &met.iter().copied().chain(accepting).collect(), next_state)
        };
        Node::Picked(next_state, followed, met)
    }

    fn is_breakpoint(&self, node: &Node) -> bool {
        let Node::Picked(state, all, met) = node else { return false };
        all.iter().all(|&tracked| met.contains(&tracked) || self.accepts(*state, tracked))
    }

    /// Per choice whose it is, and the node it leads to for every outcome.
    fn choices(&self, node: &Node) -> Vec<Taken<Node>> {
        let lead = |state: usize, to: &dyn Fn(usize) -> Node| -> Vec<Taken<Node>> {
            let outcome = |(target, chance): &(usize, RBig)| (to(*target), chance.clone());
            let choices = self.process.choices[state].iter().map(|choice| {
                let taker = self.fair.and_then(|fair| fair.taker(choice));
                (taker, choice.outcomes.iter().map(outcome).collect())
            });
            choices.collect()
        };
        match node {
            Node::Lost => vec![(None, vec![(Node::Lost, RBig::ONE)])],
            Node::Picked(state, ..) => lead(*state, &|target| self.picked(node, target)),
            Node::Open(state, guesses) => {
                let follow = |target: usize| {
                    let fits = |&next: &Guess| {
                        guesses.iter().any(|&guess| self.follows(*state, guess, target, next))
                    };
                    Node::Open(target, self.guesses().filter(fits).collect())
                };
                let mut choices = lead(*state, &follow);
                let possible =
                    |set: &&BTreeSet<Tracked>| set.iter().all(|(guess, _)| guesses.contains(guess));
                for set in self.families[*state].iter().filter(possible) {
                    let picked = Node::Picked(*state, set.clone(), BTreeSet::new());
                    choices.extend(lead(*state, &|target| self.picked(&picked, target)));
                }
                choices
            }
        }
    }

    fn product(&self, start: Node) -> Result<Product, String> {
        let mut nodes = vec![start.clone()];
        let mut numbers = BTreeMap::from([(start, 0)]);
        let mut product = Product {
            choices: Vec::new(),
            takers: Vec::new(),
            accepting: Vec::new(),
            states: Vec::new(),
            fair: self.fair,
        };
        while product.choices.len() < nodes.len() {
            let node = nodes[product.choices.len()].clone();
            product.accepting.push(self.is_breakpoint(&node));
            product.states.push(match node {
                Node::Open(state, _) | Node::Picked(state, ..) => Some(state),
                Node::Lost => None,
            });
            let mut choices: Vec<Taken<usize>> = Vec::new();
            for (taker, outcomes) in self.choices(&node) {
                let mut numbered = Vec::new();
                for (target, chance) in outcomes {
                    let number = *numbers.entry(target.clone()).or_insert_with(|| {
                        nodes.push(target);
                        nodes.len() - 1
                    });
                    numbered.push((number, chance));
                }
                if !choices.contains(&(taker, numbered.clone())) {
                    choices.push((taker, numbered));
                }
            }
            let (takers, choices) = choices.into_iter().unzip();
            product.takers.push(takers);
            product.choices.push(choices);
            if nodes.len() > NODES_MAX {
                return Err("too many nodes".to_owned());
            }
        }
        Ok(product)
    }
}

/// A decision process in which node 0 wants to visit accepting nodes again and again.
struct Product {
    choices: Vec<Vec<Vec<(usize, RBig)>>>,
    /// Per choice: whose it is.
    takers: Vec<Vec<Option<u32>>>,
    accepting: Vec<bool>,
    /// Per node: the state of the process, if it is in one.
    states: Vec<Option<usize>>,
    fair: Option<Fair>,
}

impl Product {
    fn greatest(&self) -> RBig {
        let goal = self.winning();
        let can = self.can_reach(&goal);
        let unknown: Vec<usize> = (0..goal.len()).filter(|&node| can[node] && !goal[node]).collect();
        if goal[0] || !can[0] {
            return if goal[0] { RBig::ONE } else { RBig::ZERO };
        }
        let mut policy = self.towards(&goal);
        loop {
            let values = self.values(&goal, &unknown, &policy);
            let worth = |outcomes: &[(usize, RBig)]| {
                outcomes.iter().fold(RBig::ZERO, |sum, (target, chance)| sum + chance * &values[*target])
            };
            let mut better = false;
            for &node in &unknown {
                for (number, outcomes) in self.choices[node].iter().enumerate() {
                    if worth(outcomes) > worth(&self.choices[node][policy[node]]) {
                        policy[node] = number;
                        better = true;
                    }
                }
            }
            // Attained by a policy and a fixed point of the optimality equation: this is the greatest chance.
            if !better {
                return values[0].clone();
            }
        }
    }

    /// The nodes in which one can stay and be accepted. Where a strategy has to be fair, all sets of states are tried that it
    /// may be in again and again.
    fn winning(&self) -> Vec<bool> {
        let Some(fair) = self.fair else { return self.accepting(vec![true; self.choices.len()], None) };
        let n_states = self.states.iter().flatten().max().map_or(0, |state| state + 1);
        let mut won = vec![false; self.choices.len()];
        for set in 1_u32..1 << n_states {
            let alive: Vec<bool> =
                self.states.iter().map(|state| state.is_some_and(|state| set >> state & 1 == 1)).collect();
            let found = self.accepting(alive, Some((fair, set)));
            won.iter_mut().zip(found).for_each(|(won, found)| *won |= found);
        }
        won
    }

    /// Whether a component of these nodes meets all states of a set, and is fair.
    fn is_fair(&self, (fair, set): (Fair, u32), members: &[usize]) -> bool {
        let met = members.iter().filter_map(|&node| self.states[node]).fold(0, |met, state| met | 1 << state);
        let place = |&node: &usize| {
            let inside = |number: &usize| {
                self.choices[node][*number].iter().all(|(target, _)| members.contains(target))
            };
            let all = 0..self.takers[node].len();
            let taken = all.clone().filter(inside).filter_map(|number| self.takers[node][number]).collect();
            (all.filter_map(|number| self.takers[node][number]).collect(), taken)
        };
        met == set && fair.is_met(&members.iter().map(place).collect::<Vec<_>>())
    }

    /// End components with an accepting node, joined: the largest set of nodes in which some policy stays surely, and of
    /// these those that lie in an accepting component.
    fn accepting(&self, mut alive: Vec<bool>, fair: Option<(Fair, u32)>) -> Vec<bool> {
        let n = self.choices.len();
        let mut component: Vec<usize> = vec![0; n];
        loop {
            let inside = |node: usize, outcomes: &[(usize, RBig)]| {
                outcomes.iter().all(|(target, _)| alive[*target] && component[*target] == component[node])
            };
            let mut edges = vec![BTreeSet::new(); n];
            for node in (0..n).filter(|&node| alive[node]) {
                for outcomes in self.choices[node].iter().filter(|outcomes| inside(node, outcomes)) {
                    edges[node].extend(outcomes.iter().map(|(target, _)| *target));
                }
            }
            let reached: Vec<BTreeSet<usize>> = (0..n).map(|node| closure(&edges, node)).collect();
            let mut refined = vec![0; n];
            let mut still = alive.clone();
            for node in 0..n {
                let mutual =
                    |&other: &usize| reached[node].contains(&other) && reached[other].contains(&node);
                refined[node] = (0..n).find(mutual).unwrap_or(node);
                still[node] = alive[node] && !edges[node].is_empty();
            }
            if refined == component && still == alive {
                let wins = |node: usize| {
                    let together = |&other: &usize| alive[other] && component[other] == component[node];
                    let members: Vec<usize> = (0..n).filter(together).collect();
                    members.iter().any(|&other| self.accepting[other])
                        && fair.is_none_or(|fair| self.is_fair(fair, &members))
                };
                return (0..n).map(|node| alive[node] && wins(node)).collect();
            }
            (component, alive) = (refined, still);
        }
    }

    fn can_reach(&self, goal: &[bool]) -> Vec<bool> {
        let mut can = goal.to_vec();
        for _ in 0..can.len() {
            for node in 0..can.len() {
                can[node] |= self.choices[node].iter().flatten().any(|(target, _)| can[*target]);
            }
        }
        can
    }

    /// A policy that comes nearer to the goal with some chance from wherever that is possible.
    fn towards(&self, goal: &[bool]) -> Vec<usize> {
        let mut near = goal.to_vec();
        let mut policy = vec![0; goal.len()];
        for _ in 0..goal.len() {
            let before = near.clone();
            for node in (0..goal.len()).filter(|&node| !before[node]) {
                let leads =
                    |outcomes: &Vec<(usize, RBig)>| outcomes.iter().any(|(target, _)| before[*target]);
                if let Some(number) = self.choices[node].iter().position(leads) {
                    (policy[node], near[node]) = (number, true);
                }
            }
        }
        policy
    }

    fn values(&self, goal: &[bool], unknown: &[usize], policy: &[usize]) -> Vec<RBig> {
        let position: BTreeMap<usize, usize> =
            unknown.iter().enumerate().map(|(i, &node)| (node, i)).collect();
        let mut equations = Vec::new();
        for &node in unknown {
            let mut equation = vec![RBig::ZERO; unknown.len() + 1];
            equation[position[&node]] += RBig::ONE;
            for (target, chance) in &self.choices[node][policy[node]] {
                match position.get(target) {
                    Some(&column) => equation[column] -= chance,
                    None if goal[*target] => equation[unknown.len()] += chance,
                    None => {}
                }
            }
            equations.push(equation);
        }
        let mut values: Vec<RBig> =
            goal.iter().map(|&goal| if goal { RBig::ONE } else { RBig::ZERO }).collect();
        for (&node, value) in unknown.iter().zip(eliminate(equations)) {
            values[node] = value;
        }
        values
    }
}

fn closure(edges: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([from]);
    let mut waiting = vec![from];
    while let Some(node) = waiting.pop() {
        waiting.extend(edges[node].iter().copied().filter(|&next| found.insert(next)));
    }
    found
}
