//! Linear time by guessing: a node of the tableau is a state together with a guess which temporal subformulas hold from
//! there on (Lichtenstein and Pnueli 1985). Exponential in the formula.

use motet_evidence::Fairness;
use motet_model::{AtomId, Model};
use motet_property::{Basic, Bound, Connective, Formula, Interval, Path};

use crate::Graph;

/// Temporal subformulas beyond this make the tableau too large; the caller skips such formulas.
const TEMPORALS_MAX: usize = 9;

/// Whether some run from an initial state satisfies the formula; with fairness, some fair run. `None` if the
/// formula is too large or has operators beyond linear time.
#[must_use]
pub fn some_run(model: &dyn Model, graph: &Graph, path: &Path<AtomId>, fairness: Fairness) -> Option<bool> {
    let holds = |atom: AtomId, state: usize| model.holds(atom, &graph.states[state]);
    let from = runs_from(graph, &holds, path, fairness)?;
    Some(graph.initial.iter().any(|&state| from[state]))
}

/// Per state: whether some run from there satisfies the formula, where `holds` says in which states an atom holds.
pub(crate) fn runs_from(
    graph: &Graph,
    holds: &dyn Fn(AtomId, usize) -> bool,
    path: &Path<AtomId>,
    fairness: Fairness,
) -> Option<Vec<bool>> {
    let mut core = Core { parts: Vec::new(), temporals: Vec::new() };
    let root = core.path(path)?;
    if core.temporals.len() > TEMPORALS_MAX {
        return None;
    }
    let tableau = Tableau::new(graph, holds, &core);
    let fair = tableau.fair_nodes(fairness);
    let satisfied = |state: usize| {
        (0..1 << core.temporals.len())
            .any(|guess| tableau.holds(root, state, guess) && fair[tableau.node(state, guess)])
    };
    Some((0..graph.states.len()).map(satisfied).collect())
}

/// A formula with five operators.
enum Part {
    State(Formula<AtomId>),
    Not(usize),
    And(usize, usize),
    Next(usize),
    Until(usize, usize),
}

struct Core {
    parts: Vec<Part>,
    /// The parts that are guessed: `Next` and `Until`, inner ones first.
    temporals: Vec<usize>,
}

impl Core {
    fn add(&mut self, part: Part) -> usize {
        let number = self.parts.len();
        if matches!(part, Part::Next(_) | Part::Until(..)) {
            self.temporals.push(number);
        }
        self.parts.push(part);
        number
    }

    fn or(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.add(Part::Not(a)), self.add(Part::Not(b)));
        let neither = self.add(Part::And(a, b));
        self.add(Part::Not(neither))
    }

    fn path(&mut self, path: &Path<AtomId>) -> Option<usize> {
        Some(match path {
            Path::Accepted(_) => return None,
            Path::Now(formula) => self.add(Part::State(formula.clone())),
            Path::Not(a) => {
                let a = self.path(a)?;
                self.add(Part::Not(a))
            }
            Path::And(a, b) | Path::Or(a, b) | Path::Implies(a, b) | Path::Iff(a, b) => {
                let (a, b) = (self.path(a)?, self.path(b)?);
                self.join(path.joined()?.0, a, b)
            }
            Path::Next(a) => {
                let a = self.path(a)?;
                self.add(Part::Next(a))
            }
            Path::Eventually(when, a) => {
                let (top, a) = (self.add(Part::State(Formula::True)), self.path(a)?);
                self.until(when, top, a)?
            }
            Path::Always(when, a) => {
                let a = self.path(a)?;
                self.always(when, a)?
            }
            Path::Until(until, when, a, b) => {
                let (a, b) = (self.path(a)?, self.path(b)?);
                match until.define(a, b, |connective, a, b| self.join(connective, a, b)) {
                    Basic::Until(a, b) => self.until(when, a, b)?,
                    Basic::Release(a, b) => {
                        let (a, b) = (self.add(Part::Not(a)), self.add(Part::Not(b)));
                        let until = self.until(when, a, b)?;
                        self.add(Part::Not(until))
                    }
                }
            }
        })
    }

    fn join(&mut self, connective: Connective, a: usize, b: usize) -> usize {
        match connective {
            Connective::And => self.add(Part::And(a, b)),
            Connective::Or => self.or(a, b),
            Connective::Implies => {
                let a = self.add(Part::Not(a));
                self.or(a, b)
            }
            Connective::Iff => {
                let both = self.add(Part::And(a, b));
                let (a, b) = (self.add(Part::Not(a)), self.add(Part::Not(b)));
                let neither = self.add(Part::And(a, b));
                self.or(both, neither)
            }
        }
    }

    fn always(&mut self, when: &Interval, a: usize) -> Option<usize> {
        let (top, a) = (self.add(Part::State(Formula::True)), self.add(Part::Not(a)));
        let until = self.until(when, top, a)?;
        Some(self.add(Part::Not(until)))
    }

    /// `a U b` with `b` at a distance from the interval.
    fn until(&mut self, when: &Interval, a: usize, b: usize) -> Option<usize> {
        if when.is_unbounded() {
            return Some(self.add(Part::Until(a, b)));
        }
        let low = when.low.as_ref().map_or(0, |bound| first(bound, 1));
        let high = when.high.as_ref().map(|bound| first(bound, -1));
        self.until_between(low, high, a, b)
    }

    fn until_between(&mut self, low: i64, high: Option<i64>, a: usize, b: usize) -> Option<usize> {
        if high.is_some_and(|high| high < low.max(0)) {
            return Some(self.add(Part::State(Formula::False)));
        }
        if low <= 0 && high.is_none() {
            return Some(self.add(Part::Until(a, b)));
        }
        if self.temporals.len() > TEMPORALS_MAX {
            return None;
        }
        let later = self.until_between(low - 1, high.map(|high| high - 1), a, b)?;
        let next = self.add(Part::Next(later));
        let on = self.add(Part::And(a, next));
        Some(if low <= 0 { self.or(b, on) } else { on })
    }
}

/// The first or last admitted distance.
fn first(bound: &Bound, strict: i64) -> i64 {
    i64::try_from(bound.amount).unwrap_or(i64::MAX / 2) + if bound.strict { strict } else { 0 }
}

struct Tableau<'a> {
    atoms: &'a dyn Fn(AtomId, usize) -> bool,
    graph: &'a Graph,
    core: &'a Core,
    edges: Vec<Edge>,
}

struct Edge {
    from: usize,
    to: usize,
    /// The state of the model it leaves.
    state: usize,
    /// Who moves; nobody when a deadlock repeats itself.
    subject: Option<usize>,
}

impl<'a> Tableau<'a> {
    fn new(graph: &'a Graph, atoms: &'a dyn Fn(AtomId, usize) -> bool, core: &'a Core) -> Self {
        let mut tableau = Self { atoms, graph, core, edges: Vec::new() };
        for state in 0..graph.states.len() {
            let mut moves: Vec<(Option<usize>, usize)> =
                graph.edges[state].iter().map(|&(subject, target)| (Some(subject), target)).collect();
            if moves.is_empty() {
                moves.push((None, state));
            }
            for (subject, target) in moves {
                for guess in 0..1 << core.temporals.len() {
                    let from = tableau.node(state, tableau.guess_before(state, target, guess));
                    let to = tableau.node(target, guess);
                    tableau.edges.push(Edge { from, to, state, subject });
                }
            }
        }
        tableau
    }

    fn node(&self, state: usize, guess: usize) -> usize {
        (state << self.core.temporals.len()) + guess
    }

    /// The one guess at `state` that agrees with `guess` at its successor.
    fn guess_before(&self, state: usize, target: usize, guess: usize) -> usize {
        let mut before = 0;
        for (bit, &part) in self.core.temporals.iter().enumerate() {
            let holds = match self.core.parts[part] {
                Part::Next(a) => self.holds(a, target, guess),
                // Inner temporals come first, so their bits are known here.
                Part::Until(a, b) => {
                    self.holds(b, state, before)
                        || self.holds(a, state, before) && self.holds(part, target, guess)
                }
                _ => unreachable!("only these are guessed"),
            };
            before |= usize::from(holds) << bit;
        }
        before
    }

    fn holds(&self, part: usize, state: usize, guess: usize) -> bool {
        match &self.core.parts[part] {
            Part::State(formula) => self.holds_now(formula, state),
            Part::Not(a) => !self.holds(*a, state, guess),
            Part::And(a, b) => self.holds(*a, state, guess) && self.holds(*b, state, guess),
            Part::Next(_) | Part::Until(..) => {
                let bit = self.core.temporals.iter().position(|&temporal| temporal == part);
                guess >> bit.expect("every temporal part is listed") & 1 == 1
            }
        }
    }

    fn holds_now(&self, formula: &Formula<AtomId>, state: usize) -> bool {
        formula.truth(&mut |leaf| match leaf {
            Formula::Deadlock => self.graph.edges[state].is_empty(),
            Formula::Atom(atom) => (self.atoms)(*atom, state),
            _ => false,
        })
    }

    /// The nodes from which some path is infinite, keeps the promises of all untils, and is fair.
    fn fair_nodes(&self, fairness: Fairness) -> Vec<bool> {
        let everything = vec![true; self.graph.states.len() << self.core.temporals.len()];
        let subjects: Vec<usize> = self.graph.subjects.iter().copied().collect();
        match fairness {
            Fairness::None => self.dutiful(&[], everything),
            Fairness::Weak => {
                let duties: Vec<Duty> = subjects.into_iter().map(Duty::Subject).collect();
                self.dutiful(&duties, everything)
            }
            Fairness::Strong => self.strongly_fair(&subjects),
        }
    }

    /// A path is strongly fair if the subjects fall into two kinds: from some point on those of the first kind have no
    /// step, and those of the second kind move again and again. All ways to tell them apart are tried.
    fn strongly_fair(&self, subjects: &[usize]) -> Vec<bool> {
        let n_guesses = self.core.temporals.len();
        let mut fair = vec![false; self.graph.states.len() << n_guesses];
        for choice in 0_u32..1 << subjects.len() {
            let silent = |at: usize| choice >> at & 1 == 1;
            let allowed = |node: usize| {
                let can = |subject: usize| self.graph.is_enabled(node >> n_guesses, subject);
                (0..subjects.len()).all(|at| !silent(at) || !can(subjects[at]))
            };
            let duties = (0..subjects.len()).filter(|&at| !silent(at)).map(|at| Duty::Moves(subjects[at]));
            let kept = self.dutiful(&duties.collect::<Vec<_>>(), (0..fair.len()).map(allowed).collect());
            fair.iter_mut().zip(kept).for_each(|(fair, kept)| *fair |= kept);
        }
        self.backward(fair)
    }

    /// The nodes of `set` from which some infinite path in it keeps the promises of all untils and does these duties again
    /// and again: the greatest set whose members can all reach, inside the set, an edge that does each of them (Emerson and
    /// Lei 1986).
    fn dutiful(&self, duties: &[Duty], mut set: Vec<bool>) -> Vec<bool> {
        let untils = self.core.temporals.iter().filter_map(|&part| match self.core.parts[part] {
            Part::Until(_, b) => Some(Duty::Until(part, b)),
            _ => None,
        });
        let duties: Vec<Duty> = untils.chain(duties.iter().copied()).chain([Duty::Nothing]).collect();
        loop {
            let before = set.clone();
            for duty in &duties {
                set = self.can_do(duty, &set);
            }
            if set == before {
                return set;
            }
        }
    }

    /// These nodes, and all from which they can be reached.
    fn backward(&self, mut set: Vec<bool>) -> Vec<bool> {
        loop {
            let before = set.clone();
            self.edges.iter().for_each(|edge| set[edge.from] |= set[edge.to]);
            if set == before {
                return set;
            }
        }
    }

    fn can_do(&self, duty: &Duty, set: &[bool]) -> Vec<bool> {
        let mut reached = vec![false; set.len()];
        for edge in &self.edges {
            reached[edge.from] |= set[edge.from] && set[edge.to] && self.does(edge, duty);
        }
        loop {
            let mut changed = false;
            for edge in &self.edges {
                if set[edge.from] && !reached[edge.from] && reached[edge.to] {
                    reached[edge.from] = true;
                    changed = true;
                }
            }
            if !changed {
                return reached;
            }
        }
    }

    fn does(&self, edge: &Edge, duty: &Duty) -> bool {
        let guess = edge.from & ((1 << self.core.temporals.len()) - 1);
        match *duty {
            Duty::Nothing => true,
            Duty::Until(part, b) => !self.holds(part, edge.state, guess) || self.holds(b, edge.state, guess),
            Duty::Moves(subject) => edge.subject == Some(subject),
            Duty::Subject(subject) => {
                edge.subject == Some(subject) || !self.graph.is_enabled(edge.state, subject)
            }
        }
    }
}

/// What a fair path does again and again.
#[derive(Clone, Copy)]
enum Duty {
    /// Take a step.
    Nothing,
    /// Not owe this until, or have its right side.
    Until(usize, usize),
    /// Let the subject move.
    Moves(usize),
    /// Let the subject move, or find it without a step.
    Subject(usize),
}
