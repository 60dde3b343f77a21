//! Small random models and formulas. The same seed always gives the same ones.

use std::collections::BTreeMap;

use motet_model::{
    ActionId, AtomId, Facets, Fault, Model, Observation, ObserverId, ProcessId, Ratio, Signature, State,
    Steps, SubjectId, Subjects,
};
use motet_property::{
    Bound, Formula, Interval, Knowledge, Past, Path, Quantifier, Relation, Timer, Unit, Until,
};

pub use motet_source::fuzz::Random;

/// A model given by tables. State `n` is the vector `[n % 3, n / 3]`.
#[derive(Clone, Debug)]
pub struct Table {
    /// Slots, processes and atoms.
    pub signature: Signature,
    /// The initial states.
    pub initial: Vec<usize>,
    /// Per state: its steps.
    pub rows: Vec<Vec<TableStep>>,
    /// Per atom, per state.
    pub atoms: Vec<Vec<bool>>,
    /// States in which the model gives up.
    pub faults: Vec<usize>,
    /// Per action: to whom it is fair. The process, where nothing is said.
    pub subjects: BTreeMap<ActionId, SubjectId>,
    /// Per observer, per state: what it sees.
    pub views: Vec<Vec<Vec<u32>>>,
}

/// A step of a [`Table`].
#[derive(Clone, Debug)]
pub struct TableStep {
    /// Who moves.
    pub process: u32,
    /// The states it may lead to, all equally probable.
    pub targets: Vec<usize>,
    /// How much time passes.
    pub delay: u32,
}

/// How large a random table is at most.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// States.
    pub n_states: usize,
    /// Processes.
    pub n_processes: usize,
    /// Atoms.
    pub n_atoms: usize,
}

impl Table {
    /// A table without steps and with one initial state, state 0.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        let names = |prefix: &str, n: usize| (0..n).map(|i| format!("{prefix}{i}")).collect();
        Self {
            signature: Signature {
                slots: vec!["low".to_owned(), "high".to_owned()],
                processes: names("p", shape.n_processes),
                atoms: names("a", shape.n_atoms),
                ..Signature::default()
            },
            initial: vec![0],
            rows: vec![Vec::new(); shape.n_states],
            atoms: vec![vec![false; shape.n_states]; shape.n_atoms],
            faults: Vec::new(),
            subjects: BTreeMap::new(),
            views: Vec::new(),
        }
    }

    /// Adds a certain step.
    pub fn step(&mut self, from: usize, process: u32, to: usize) {
        self.step_after(from, process, to, 0);
    }

    /// Adds a certain step that takes time.
    pub fn step_after(&mut self, from: usize, process: u32, to: usize, delay: u32) {
        self.rows[from].push(TableStep { process, targets: vec![to], delay });
    }

    /// Gives every step a random delay. Half of the tables have one delay per state, as models have in which time passes
    /// for all at once.
    pub fn delay(&mut self, random: &mut Random) {
        const DELAYS: [u32; 6] = [0, 0, 1, 1, 2, 5];
        let together = random.once_in(2);
        for row in &mut self.rows {
            let common = DELAYS[random.below(DELAYS.len())];
            for step in row {
                step.delay = if together { common } else { DELAYS[random.below(DELAYS.len())] };
            }
        }
    }

    /// A random table: some deadlocks, some steps with several outcomes, sometimes several initial states.
    #[must_use]
    pub fn random(random: &mut Random, shape: Shape) -> Self {
        let n_states = 1 + random.below(shape.n_states);
        let n_processes = 1 + random.below(shape.n_processes);
        let mut table = Self::new(Shape { n_states, n_processes, ..shape });
        if random.once_in(4) {
            table.initial.push(random.below(n_states));
        }
        for state in 0..n_states {
            let n_steps = if random.once_in(8) { 0 } else { 1 + random.below(3) };
            for _ in 0..n_steps {
                let process = u32::try_from(random.below(n_processes)).expect("few processes");
                let n_targets = if random.once_in(5) { 2 } else { 1 };
                let targets = (0..n_targets).map(|_| random.below(n_states)).collect();
                table.rows[state].push(TableStep { process, targets, delay: 0 });
            }
        }
        for column in &mut table.atoms {
            column.iter_mut().for_each(|value| *value = random.once_in(2));
        }
        table
    }

    /// Makes fairness a matter of actions: each has one of a few subjects, whose numbers lie far apart.
    pub fn scatter(&mut self, random: &mut Random) {
        const SUBJECTS: [u32; 4] = [0, 200, 300, 70_000];
        for (state, row) in self.rows.iter().enumerate() {
            for ordinal in 0..row.len() {
                self.subjects.insert(action(state, ordinal), SubjectId(SUBJECTS[random.below(4)]));
            }
        }
    }

    /// Adds observers `o0`, `o1` and so on, each of whom sees one of a few things in every state.
    pub fn observe_at_random(&mut self, random: &mut Random, n_observers: usize) {
        for number in 0..n_observers {
            let n_views = 1 + random.below(4);
            let mut seen = || {
                let view = u32::try_from(random.below(n_views)).expect("few views");
                // Views of different lengths are different views.
                vec![view; 1 + view as usize % 2]
            };
            self.views.push((0..self.rows.len()).map(|_| seen()).collect());
            self.signature.observers.push(format!("o{number}"));
        }
    }

    fn vector(state: usize) -> [u32; 2] {
        let number = |n: usize| u32::try_from(n).expect("few states");
        [number(state % 3), number(state / 3)]
    }

    fn number(state: &State) -> usize {
        (state[0] + 3 * state[1]) as usize
    }
}

impl Model for Table {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.extend(self.initial.iter().map(|&state| Box::from(Self::vector(state))));
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let number = Self::number(state);
        if self.faults.contains(&number) {
            return Err(Fault { message: format!("bound exceeded in state {number}") });
        }
        for (ordinal, step) in self.rows[number].iter().enumerate() {
            let chance = Ratio::new(1, step.targets.len() as u64).expect("at least one target");
            let targets: Vec<[u32; 2]> = step.targets.iter().map(|&target| Self::vector(target)).collect();
            let branches = targets.iter().map(|target| (chance, &target[..]));
            out.push_random(ProcessId(step.process), action(number, ordinal), step.delay, branches);
        }
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        self.atoms[atom.index()][Self::number(state)]
    }

    fn facets(&self) -> Facets<'_> {
        Facets { subjects: Some(self), observation: Some(self), ..Facets::default() }
    }
}

impl Subjects for Table {
    fn subject(&self, process: ProcessId, action: ActionId) -> SubjectId {
        self.subjects.get(&action).copied().unwrap_or(SubjectId(process.0))
    }
}

impl Observation for Table {
    fn observe(&self, observer: ObserverId, state: &State, out: &mut Vec<u32>) {
        out.extend(&self.views[observer.index()][Self::number(state)]);
    }
}

/// The action of a step of a table.
fn action(state: usize, ordinal: usize) -> ActionId {
    ActionId(u32::try_from(8 * state + ordinal).expect("few actions"))
}

/// A random path formula over the atoms below `n_atoms`, nested at most `depth` deep.
pub fn path(random: &mut Random, n_atoms: usize, depth: usize) -> Path<AtomId> {
    if depth == 0 || random.once_in(6) {
        return Path::Now(state(random, n_atoms, 1));
    }
    let one = |random: &mut Random| Box::new(path(random, n_atoms, depth - 1));
    match random.below(14) {
        0 => Path::Not(one(random)),
        1 => Path::And(one(random), one(random)),
        2 => Path::Or(one(random), one(random)),
        3 => Path::Implies(one(random), one(random)),
        4 => Path::Iff(one(random), one(random)),
        5 => Path::Next(one(random)),
        6 | 7 => Path::Eventually(interval(random), one(random)),
        8 | 9 => Path::Always(interval(random), one(random)),
        10 | 11 => Path::Until(Until::Until, interval(random), one(random), one(random)),
        12 => Path::Until(Until::Weak, interval(random), one(random), one(random)),
        _ => Path::Until(Until::Release, interval(random), one(random), one(random)),
    }
}

/// A random state formula.
pub fn state(random: &mut Random, n_atoms: usize, depth: usize) -> Formula<AtomId> {
    if depth == 0 || random.once_in(2) {
        return match random.below(12) {
            0 => Formula::Deadlock,
            1 => Formula::True,
            _ => Formula::Atom(AtomId(u32::try_from(random.below(n_atoms)).expect("few atoms"))),
        };
    }
    let one = |random: &mut Random| Box::new(state(random, n_atoms, depth - 1));
    match random.below(5) {
        0 => Formula::And(one(random), one(random)),
        1 => Formula::Or(one(random), one(random)),
        2 => Formula::Implies(one(random), one(random)),
        3 => Formula::Iff(one(random), one(random)),
        _ => Formula::Not(one(random)),
    }
}

/// What a random formula about other runs and knowledge may be made of.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    /// Atoms.
    pub n_atoms: usize,
    /// Observers; without any there is no knowledge.
    pub n_observers: usize,
    /// What stands under a path quantifier.
    pub runs: Runs,
}

/// What stands under a path quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// One operator, as in CTL.
    OneOperator,
    /// Any path formula, as in CTL*.
    AnyPath,
    /// Nothing: there are none.
    None,
}

/// A random state formula with path quantifiers and knowledge, nested at most `depth` deep.
pub fn rich_state(random: &mut Random, palette: Palette, depth: usize) -> Formula<AtomId> {
    if depth == 0 {
        return state(random, palette.n_atoms, 1);
    }
    let one = |random: &mut Random| Box::new(rich_state(random, palette, depth - 1));
    match random.below(10) {
        0 => Formula::Not(one(random)),
        1 => Formula::And(one(random), one(random)),
        2 => Formula::Or(one(random), one(random)),
        3 => Formula::Iff(one(random), one(random)),
        4 | 5 if palette.n_observers > 0 => {
            const KINDS: [Knowledge; 4] =
                [Knowledge::One, Knowledge::Everyone, Knowledge::Common, Knowledge::Distributed];
            let kind = KINDS[random.below(4)];
            let size = if kind == Knowledge::One { 1 } else { 1 + random.below(palette.n_observers) };
            let first = random.below(palette.n_observers);
            let name = |at: usize| format!("o{}", (first + at) % palette.n_observers);
            Formula::Knows(kind, (0..size).map(name).collect(), one(random))
        }
        _ if palette.runs == Runs::None => Formula::Implies(one(random), one(random)),
        _ => {
            let quantifier = if random.once_in(2) { Quantifier::All } else { Quantifier::Some };
            let path = match palette.runs {
                Runs::OneOperator => operator(random, palette, depth - 1),
                _ => rich_path(random, palette, depth - 1),
            };
            Formula::Runs(quantifier, Box::new(path))
        }
    }
}

/// One temporal operator over state formulas.
fn operator(random: &mut Random, palette: Palette, depth: usize) -> Path<AtomId> {
    let one = |random: &mut Random| Box::new(Path::Now(rich_state(random, palette, depth)));
    let when = Interval::default;
    match random.below(6) {
        0 => Path::Next(one(random)),
        1 => Path::Eventually(when(), one(random)),
        2 => Path::Always(when(), one(random)),
        3 => Path::Until(Until::Until, when(), one(random), one(random)),
        4 => Path::Until(Until::Weak, when(), one(random), one(random)),
        _ => Path::Until(Until::Release, when(), one(random), one(random)),
    }
}

/// A random path formula over state formulas with path quantifiers and knowledge.
pub fn rich_path(random: &mut Random, palette: Palette, depth: usize) -> Path<AtomId> {
    if depth == 0 || random.once_in(4) {
        return Path::Now(rich_state(random, palette, depth));
    }
    let one = |random: &mut Random| Box::new(rich_path(random, palette, depth - 1));
    match random.below(11) {
        0 => Path::Not(one(random)),
        1 => Path::And(one(random), one(random)),
        2 => Path::Or(one(random), one(random)),
        3 => Path::Implies(one(random), one(random)),
        4 => Path::Next(one(random)),
        5 | 6 => Path::Eventually(interval(random), one(random)),
        7 | 8 => Path::Always(interval(random), one(random)),
        9 => Path::Until(Until::Until, interval(random), one(random), one(random)),
        _ => Path::Until(Until::Weak, interval(random), one(random), one(random)),
    }
}

/// A random path formula with windows of time and clocks, counted in `unit`.
pub fn timed_path(random: &mut Random, unit: Unit, n_atoms: usize, depth: usize) -> Path<AtomId> {
    path_over(random, unit, depth, &|random| timed_state(random, unit, n_atoms, 1))
}

/// A random formula with windows of time and state formulas of the past, with clocks that count time or steps.
pub fn past_path(random: &mut Random, unit: Unit, n_atoms: usize, depth: usize) -> Path<AtomId> {
    path_over(random, unit, depth, &|random| past_state(random, unit, n_atoms, 2))
}

/// A random formula with windows of time over such state formulas.
fn path_over(
    random: &mut Random,
    unit: Unit,
    depth: usize,
    leaf: &dyn Fn(&mut Random) -> Formula<AtomId>,
) -> Path<AtomId> {
    if depth == 0 || random.once_in(6) {
        return Path::Now(leaf(random));
    }
    let one = |random: &mut Random| Box::new(path_over(random, unit, depth - 1, leaf));
    match random.below(14) {
        0 => Path::Not(one(random)),
        1 => Path::And(one(random), one(random)),
        2 => Path::Or(one(random), one(random)),
        3 => Path::Implies(one(random), one(random)),
        4 => Path::Iff(one(random), one(random)),
        5 => Path::Next(one(random)),
        6 | 7 => Path::Eventually(window(random, unit), one(random)),
        8 | 9 => Path::Always(window(random, unit), one(random)),
        10 | 11 => Path::Until(Until::Until, window(random, unit), one(random), one(random)),
        12 => Path::Until(Until::Weak, window(random, unit), one(random), one(random)),
        _ => Path::Until(Until::Release, window(random, unit), one(random), one(random)),
    }
}

/// A random state formula, sometimes with clocks, which may be nested.
pub fn timed_state(random: &mut Random, unit: Unit, n_atoms: usize, depth: usize) -> Formula<AtomId> {
    if !random.once_in(4) {
        return state(random, n_atoms, depth);
    }
    let inner = |random: &mut Random| {
        Box::new(match depth {
            0 => state(random, n_atoms, 0),
            _ => timed_state(random, unit, n_atoms, depth - 1),
        })
    };
    let timer = match random.below(5) {
        0 => Timer::Now,
        1 | 2 => Timer::Held(inner(random)),
        _ => Timer::Since(inner(random)),
    };
    const RELATIONS: [Relation; 6] =
        [Relation::Eq, Relation::Ne, Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge];
    let relation = RELATIONS[random.below(RELATIONS.len())];
    let bound = Bound { amount: random.below(6) as u64, unit: Some(unit), strict: false };
    Formula::Timer(timer, relation, bound)
}

/// A random state formula, mostly of the past, which may be nested and mixed with clocks.
pub fn past_state(random: &mut Random, unit: Unit, n_atoms: usize, depth: usize) -> Formula<AtomId> {
    if depth == 0 {
        return state(random, n_atoms, 1);
    }
    let inner = |random: &mut Random| past_state(random, unit, n_atoms, depth - 1);
    let past = match random.below(9) {
        0 | 1 => Past::Once(inner(random)),
        2 => Past::Historically(inner(random)),
        3 | 4 => Past::Previously(inner(random)),
        5 | 6 => Past::Since(inner(random), inner(random)),
        7 => {
            let unit = if random.once_in(2) { Unit::Steps } else { unit };
            return timed_state(random, unit, n_atoms, 1);
        }
        _ => return Formula::Or(Box::new(inner(random)), Box::new(inner(random))),
    };
    Formula::Past(Box::new(past))
}

/// No bound, a few units of time, or a few steps.
fn window(random: &mut Random, unit: Unit) -> Interval {
    if random.once_in(3) {
        return Interval::default();
    }
    let (unit, most) = if random.once_in(12) { (Unit::Steps, 3) } else { (unit, 7) };
    let mut bound =
        |n: usize| Bound { amount: random.below(n) as u64, unit: Some(unit), strict: random.once_in(4) };
    let (low, high) = (bound(most), bound(most));
    match random.below(3) {
        0 => Interval { low: None, high: Some(high) },
        1 => Interval { low: Some(low), high: None },
        _ => Interval { low: Some(low), high: Some(high) },
    }
}

/// Mostly no bound, sometimes a few steps.
fn interval(random: &mut Random) -> Interval {
    if !random.once_in(10) {
        return Interval::default();
    }
    let mut bound = |n: usize| {
        random.once_in(2).then(|| Bound {
            amount: random.below(n) as u64,
            unit: random.once_in(2).then_some(Unit::Steps),
            strict: random.once_in(3),
        })
    };
    Interval { low: bound(2), high: bound(3) }
}
