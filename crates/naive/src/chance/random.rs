//! Small random chains and decision processes, and questions about them.

use motet_model::{
    ActionId, AtomId, Facets, Fault, Model, ProcessId, Ratio, Reward, RewardId, Rewards, Signature, State,
    Steps, TimeUnit,
};
use motet_property::{
    Bound, Extremum, Filter, Formula, Interval, Path, Query, Relation, RewardGoal, Unit, Until,
};

use crate::random::{Random, state};

/// A decision process given by tables. State `n` is the vector `[n]`; it starts in state 0.
#[derive(Clone, Debug)]
pub struct Dice {
    signature: Signature,
    /// Per state: its choices.
    pub rows: Vec<Vec<Throw>>,
    /// Per state, per choice: how long it takes; 1 where nothing is told.
    pub delays: Vec<Vec<u32>>,
    /// Per state, per choice: whose it is; the first one's where nothing is told.
    pub takers: Vec<Vec<u32>>,
    /// Per state: what being there earns.
    pub earned: Vec<Ratio>,
    /// Per atom, per state.
    pub atoms: Vec<Vec<bool>>,
}

/// A choice: what it earns, and its outcomes with their weights.
pub type Throw = (Ratio, Vec<(u64, usize)>);

/// Whether somebody chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choices {
    /// A chain.
    One,
    /// A decision process.
    Several,
}

/// Atoms of a random process.
pub const ATOMS: usize = 3;

impl Dice {
    /// A process without choices.
    #[must_use]
    pub fn new(n_states: usize) -> Self {
        let signature = Signature {
            slots: vec!["n".to_owned()],
            processes: vec!["p".to_owned()],
            atoms: (0..ATOMS).map(|atom| format!("a{atom}")).collect(),
            rewards: vec![Reward { name: "coins".to_owned() }],
            ..Signature::default()
        };
        Self {
            signature,
            rows: vec![Vec::new(); n_states],
            delays: vec![Vec::new(); n_states],
            takers: vec![Vec::new(); n_states],
            earned: vec![Ratio::ZERO; n_states],
            atoms: vec![vec![false; n_states]; ATOMS],
        }
    }

    /// A random process: at least two deadlocks or traps, loops, few states. The first atom holds in most states, the others
    /// in few and seldom at the start, so that it takes some steps until something is decided, this way or that.
    #[must_use]
    pub fn random(random: &mut Random, choices: Choices) -> Self {
        let n_states = if random.once_in(10) { 1 + random.below(2) } else { 4 + random.below(4) };
        let mut dice = Self::new(n_states);
        for state in 0..n_states {
            dice.earned[state] = Self::earning(random);
            let n_choices = match choices {
                _ if state > 0 && (state + 2 >= n_states || random.once_in(8)) => 0,
                Choices::One => 1,
                Choices::Several => 1 + random.below(3),
            };
            for _ in 0..n_choices {
                let throw = Self::throw(random, state, n_states);
                dice.rows[state].push(throw);
            }
            if n_choices == 0 && random.once_in(2) {
                dice.rows[state].push((Self::earning(random), vec![(1, state)]));
            }
        }
        for (atom, column) in dice.atoms.iter_mut().enumerate() {
            for (state, value) in column.iter_mut().enumerate() {
                *value = match (atom, state) {
                    (0, _) => !random.once_in(5),
                    (_, 0) => random.once_in(6),
                    (1, _) if state + 2 == n_states => true,
                    _ => random.once_in(4),
                };
            }
        }
        dice
    }

    /// Lets choices take up to three cycles each, some of them no time at all.
    pub fn delay(&mut self, random: &mut Random) {
        self.signature.unit = TimeUnit::Cycles;
        for (delays, row) in self.delays.iter_mut().zip(&self.rows) {
            *delays = row.iter().map(|_| [0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3][random.below(12)]).collect();
        }
    }

    /// A random process in which several take turns: few states and hardly any ends. Most choices have one outcome and lead
    /// on or nowhere, so that where a run gets depends on who is passed over.
    #[must_use]
    pub fn team(random: &mut Random) -> Self {
        let n_states = 3 + random.below(2);
        let mut dice = Self::new(n_states);
        for state in 0..n_states {
            if random.once_in(4) {
                dice.earned[state] = Self::earning(random);
            }
            let n_choices = if random.once_in(9) { 0 } else { 2 + random.below(2) };
            for _ in 0..n_choices {
                let n_outcomes = if random.once_in(4) { 2 } else { 1 };
                let outcome = |random: &mut Random| {
                    let target = if random.once_in(5) {
                        random.below(n_states)
                    } else {
                        (state + random.below(3)).min(n_states - 1)
                    };
                    (1 + random.below(3) as u64, target)
                };
                let earned = if random.once_in(4) { Self::earning(random) } else { Ratio::ZERO };
                let outcomes = (0..n_outcomes).map(|_| outcome(random)).collect();
                dice.rows[state].push((earned, outcomes));
            }
        }
        for (atom, column) in dice.atoms.iter_mut().enumerate() {
            column.iter_mut().for_each(|value| *value = random.once_in(if atom == 0 { 2 } else { 3 }));
        }
        dice.share(random);
        dice
    }

    /// Lets so many take choices.
    pub fn among(&mut self, several: usize) {
        self.signature.processes = (0..several).map(|who| format!("p{who}")).collect();
    }

    /// Lets choices take so many cycles, per state and choice.
    pub fn take(&mut self, delays: &[&[u32]]) {
        self.signature.unit = TimeUnit::Cycles;
        self.delays = delays.iter().map(|delays| delays.to_vec()).collect();
    }

    /// Lets one of three, or two, take each choice.
    pub fn share(&mut self, random: &mut Random) {
        let several = 2 + random.below(2);
        self.among(several);
        for (takers, row) in self.takers.iter_mut().zip(&self.rows) {
            *takers = row.iter().map(|_| u32::try_from(random.below(several)).expect("few")).collect();
        }
    }

    fn throw(random: &mut Random, state: usize, n_states: usize) -> Throw {
        let n_outcomes = if state == 0 { 2 + random.below(2) } else { [1, 2, 2, 3][random.below(4)] };
        // Targets near the state itself make end components.
        let near = random.once_in(3);
        let outcome = |random: &mut Random| {
            let weight = [1, 1, 1, 2, 3, 7][random.below(6)];
            let target = if near { (state + random.below(3)) % n_states } else { random.below(n_states) };
            (weight, target)
        };
        (Self::earning(random), (0..n_outcomes).map(|_| outcome(random)).collect())
    }

    fn earning(random: &mut Random) -> Ratio {
        const EARNINGS: [(u64, u64); 8] = [(0, 1), (0, 1), (0, 1), (0, 1), (1, 1), (2, 1), (1, 3), (5, 2)];
        let (above, below) = EARNINGS[random.below(EARNINGS.len())];
        Ratio::new(above, below).expect("not divided by zero")
    }
}

impl Model for Dice {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.push(Box::from([0]));
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        for (ordinal, (_, outcomes)) in self.rows[state[0] as usize].iter().enumerate() {
            let all: u64 = outcomes.iter().map(|(weight, _)| weight).sum();
            let target = |target: usize| [u32::try_from(target).expect("few states")];
            let targets: Vec<(Ratio, [u32; 1])> = outcomes
                .iter()
                .map(|&(weight, to)| (Ratio::new(weight, all).expect("weights are positive"), target(to)))
                .collect();
            let action = ActionId(4 * state[0] + u32::try_from(ordinal).expect("few choices"));
            let branches = targets.iter().map(|(chance, target)| (*chance, &target[..]));
            let delay = self.delays[state[0] as usize].get(ordinal).copied().unwrap_or(1);
            let taker = self.takers[state[0] as usize].get(ordinal).copied().unwrap_or(0);
            out.push_random(ProcessId(taker), action, delay, branches);
        }
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        self.atoms[atom.index()][state[0] as usize]
    }

    fn facets(&self) -> Facets<'_> {
        Facets { rewards: Some(self), ..Facets::default() }
    }
}

impl Rewards for Dice {
    fn state_reward(&self, _reward: RewardId, state: &State) -> Ratio {
        self.earned[state[0] as usize]
    }

    fn action_reward(&self, _reward: RewardId, state: &State, action: ActionId) -> Ratio {
        self.rows[state[0] as usize][action.index() % 4].0
    }
}

/// A random question for a number or a truth about the start.
pub fn question(random: &mut Random, choices: Choices) -> Formula<AtomId> {
    match random.below(8) {
        0 => threshold(random, choices, 1),
        1 => filter(random, choices),
        2 => Formula::Not(Box::new(threshold(random, choices, 0))),
        // All states at once: the start alone is often decided.
        3..=5 => {
            let inner = Box::new(numeric(random, choices, Query::Value, 1));
            Formula::Filter(Filter::Sum, inner, Box::new(Formula::True))
        }
        _ => numeric(random, choices, Query::Value, 1),
    }
}

/// A random question for a number, without thresholds inside.
pub fn measure(random: &mut Random, choices: Choices) -> Formula<AtomId> {
    numeric(random, choices, Query::Value, 0)
}

/// A random question for the chance of one operator within a window of time.
pub fn timed_measure(random: &mut Random, choices: Choices) -> Formula<AtomId> {
    let mut bound = |least: usize, most: usize| Bound {
        amount: (least + random.below(most)) as u64,
        unit: Some(Unit::Cycles),
        strict: random.once_in(3),
    };
    let (low, high) = (bound(0, 4), bound(1, 5));
    let when = Interval { low: random.once_in(2).then_some(low), high: Some(high) };
    let now = |random: &mut Random| Box::new(Path::Now(inner(random, choices, 0)));
    let path = match random.below(5) {
        0 => Path::Eventually(when, now(random)),
        1 => Path::Always(when, now(random)),
        2 => Path::Until(Until::Until, when, now(random), now(random)),
        3 => Path::Until(Until::Weak, when, now(random), now(random)),
        _ => Path::Until(Until::Release, when, now(random), now(random)),
    };
    Formula::Chance(extremum(random, choices), Query::Value, Box::new(path))
}

/// A random question for what is earned within a time.
pub fn timed_reward(random: &mut Random, choices: Choices) -> Formula<AtomId> {
    let (amount, strict) = (random.below(7) as u64, random.once_in(3));
    let bound = Bound { amount, unit: Some(Unit::Cycles), strict };
    let goal = Box::new(RewardGoal::Cumulative(Some(bound)));
    Formula::Reward(None, extremum(random, choices), Query::Value, goal)
}

fn extremum(random: &mut Random, choices: Choices) -> Option<Extremum> {
    match choices {
        Choices::One => None,
        Choices::Several if random.once_in(2) => Some(Extremum::Min),
        Choices::Several => Some(Extremum::Max),
    }
}

/// `depth` is how deep thresholds may be nested.
fn numeric(random: &mut Random, choices: Choices, query: Query, depth: usize) -> Formula<AtomId> {
    let goal = match random.below(14) {
        0 => RewardGoal::Until(Path::Eventually(
            Interval::default(),
            Box::new(Path::Now(inner(random, choices, depth))),
        )),
        1 => RewardGoal::Cumulative(None),
        2 => RewardGoal::Cumulative(Some(bound(random, 9))),
        3 => RewardGoal::Instant(Bound { strict: false, ..bound(random, 9) }),
        4 => RewardGoal::Average,
        5 => {
            let extremum = extremum(random, choices);
            return Formula::Steady(extremum, query, Box::new(inner(random, choices, depth)));
        }
        6..=10 => {
            let extremum = extremum(random, choices);
            return Formula::Chance(extremum, query, Box::new(operator(random, choices, depth)));
        }
        _ => {
            let extremum = extremum(random, choices);
            return Formula::Chance(extremum, query, Box::new(crate::random::path(random, ATOMS, 3)));
        }
    };
    let name = random.once_in(2).then(|| "coins".to_owned());
    Formula::Reward(name, extremum(random, choices), query, Box::new(goal))
}

fn threshold(random: &mut Random, choices: Choices, depth: usize) -> Formula<AtomId> {
    const RELATIONS: [Relation; 4] = [Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge];
    const NUMBERS: [&str; 8] = ["0", "0.25", "0.5", "0.75", "1", "0.9", "2", "0.3333"];
    let relation = RELATIONS[random.below(4)];
    let number = NUMBERS[random.below(NUMBERS.len())].to_owned();
    let formula = numeric(random, choices, Query::Compare(relation, number), depth);
    match formula {
        // A threshold without `min` or `max` is about all policies.
        Formula::Chance(_, query, path) if random.once_in(2) => Formula::Chance(None, query, path),
        Formula::Steady(_, query, inner) if random.once_in(2) => Formula::Steady(None, query, inner),
        other => other,
    }
}

fn filter(random: &mut Random, choices: Choices) -> Formula<AtomId> {
    const NUMERIC: [Filter; 5] = [Filter::Min, Filter::Max, Filter::Average, Filter::Sum, Filter::First];
    const LOGICAL: [Filter; 3] = [Filter::Count, Filter::ForAll, Filter::Exists];
    let condition = Box::new(state(random, ATOMS, 1));
    if random.once_in(3) {
        let inner = Box::new(threshold(random, choices, 0));
        return Formula::Filter(LOGICAL[random.below(3)], inner, condition);
    }
    let inner = Box::new(numeric(random, choices, Query::Value, 0));
    Formula::Filter(NUMERIC[random.below(5)], inner, condition)
}

/// A state formula, sometimes with a threshold in it.
fn inner(random: &mut Random, choices: Choices, depth: usize) -> Formula<AtomId> {
    if depth > 0 && random.once_in(5) {
        let threshold = threshold(random, choices, depth - 1);
        return Formula::Or(Box::new(threshold), Box::new(state(random, ATOMS, 1)));
    }
    if random.once_in(3) {
        return state(random, ATOMS, 1);
    }
    let atom = Formula::Atom(AtomId(u32::try_from(random.below(ATOMS)).expect("few atoms")));
    if random.once_in(4) { Formula::Not(Box::new(atom)) } else { atom }
}

/// One temporal operator, with or without a bound.
fn operator(random: &mut Random, choices: Choices, depth: usize) -> Path<AtomId> {
    let when = match random.below(4) {
        0 => Interval { low: None, high: Some(bound(random, 9)) },
        1 => Interval {
            low: random.once_in(2).then(|| bound(random, 4)),
            high: random.once_in(2).then(|| bound(random, 9)),
        },
        _ => Interval::default(),
    };
    let now = |random: &mut Random| Box::new(Path::Now(inner(random, choices, depth)));
    match random.below(9) {
        0 => Path::Next(now(random)),
        1..=3 => Path::Eventually(when, now(random)),
        4 => Path::Always(when, now(random)),
        5 | 6 => {
            let stay = Box::new(Path::Now(Formula::Atom(AtomId(0))));
            Path::Until(Until::Until, when, if random.once_in(2) { stay } else { now(random) }, now(random))
        }
        7 => Path::Until(Until::Weak, when, now(random), now(random)),
        _ => Path::Until(Until::Release, when, now(random), now(random)),
    }
}

fn bound(random: &mut Random, most: usize) -> Bound {
    Bound {
        amount: random.below(most) as u64,
        unit: random.once_in(2).then_some(Unit::Steps),
        strict: random.once_in(5),
    }
}
