//! The deadline behind a claim about time, read off its formula and the run: when the time began to count, when it was
//! over, and when what was awaited came.

use motet_evidence::{Evidence, Measure};
use motet_model::{AtomId, Model, Steps, TimeUnit};
use motet_property::{Bound, Formula, Interval, Path, Quantifier, Relation, Timer, Unit, Until};
use serde::{Serialize, Serializer};

use crate::runs::chronicle::times;

/// A time that a claim allows, and what a run makes of it. Times are in the model's unit from the start of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Deadline {
    /// What is measured.
    #[serde(serialize_with = "measure_name")]
    pub measure: Measure,
    /// When the time began to count: the trigger, the start of the run, the moment something began to last.
    pub start: u64,
    /// From when on the answer counts; later than `start` only for claims such as `F[8h, 9h] p`.
    pub opens: u64,
    /// When the allowed time is over.
    pub due: u64,
    /// When what was awaited came in this run; `None` when it did not.
    pub answer: Option<u64>,
    /// Whether the run misses the deadline.
    pub missed: bool,
    /// The atoms whose change was awaited, printed; with `not` before those whose end was.
    pub awaited: Vec<String>,
}

/// The deadline that decides a claim on a run: the first that is missed, else the one that took longest. `None` when
/// the claim bounds no time, or in a form that has no single deadline.
#[must_use]
pub fn deadline(evidence: &Evidence, model: &dyn Model, formula: &Path<AtomId>) -> Option<Deadline> {
    let judge = Judge::new(evidence, model);
    let mut found = Vec::new();
    judge.path(formula, Wanted::True, &[0], &mut found);
    found.retain(|deadline| deadline.due != NEVER);
    let missed = found.iter().filter(|deadline| deadline.missed).min_by_key(|deadline| deadline.due);
    let longest = || {
        found
            .iter()
            .max_by_key(|deadline| deadline.answer.unwrap_or(judge.last).saturating_sub(deadline.start))
    };
    missed.or_else(longest).cloned()
}

/// How long a run takes to answer: one wait per answer, from the first trigger that it answers; the last one may have
/// none. For claims without a bound too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// What is measured.
    pub measure: Measure,
    /// When the waiting began, in the model's unit from the start of the run.
    pub start: u64,
    /// When it was over; `None` when the run ends first.
    pub answer: Option<u64>,
}

/// The waits of a claim on a run, for statistics.
#[must_use]
pub fn waits(evidence: &Evidence, model: &dyn Model, formula: &Path<AtomId>) -> Vec<Wait> {
    let judge = Judge::new(evidence, model);
    let mut found = Vec::new();
    judge.path(formula, Wanted::True, &[0], &mut found);
    let mut waits: Vec<Wait> = Vec::new();
    found.sort_by_key(|deadline| deadline.start);
    for deadline in found.into_iter().filter(|deadline| deadline.start <= judge.last) {
        let Deadline { measure, start, .. } = deadline;
        let answer = deadline.answer.filter(|answer| *answer <= judge.last);
        if !waits.iter().rev().any(|wait| wait.answer == answer && wait.measure == measure) {
            waits.push(Wait { measure, start, answer });
        }
    }
    waits
}

/// The time that a question for a time is about on a run that gets there: the longest one, from where it begins to where it
/// ends. `None` if it does not, or the formulas are not about states.
pub(crate) fn span(
    evidence: &Evidence,
    model: &dyn Model,
    from: Option<&Formula<AtomId>>,
    to: &Formula<AtomId>,
) -> Option<(u64, u64)> {
    let judge = Judge::new(evidence, model);
    let n = judge.states.len();
    let truths = |formula| (0..n).map(|at| judge.formula(formula, at)).collect::<Option<Vec<bool>>>();
    let to = truths(to)?;
    let starts: Vec<usize> = match from {
        None => vec![0],
        Some(from) => {
            let from = truths(from)?;
            (0..n).filter(|&at| from[at] && (at == 0 || !from[at - 1])).collect()
        }
    };
    let spans = starts.into_iter().filter_map(|start| {
        let end = start + to[start..].iter().position(|&truth| truth)?;
        Some((judge.times[start], judge.times[end]))
    });
    spans.max_by_key(|(start, end)| end - start)
}

/// When a wait without a bound is due.
const NEVER: u64 = u64::MAX;

/// Whether a formula must be true or false where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    True,
    False,
}

impl Wanted {
    fn other(self) -> Self {
        if self == Self::True { Self::False } else { Self::True }
    }
}

/// A run on which formulas are judged. The part that repeats is laid out twice: what the second round does not bring
/// never comes.
struct Judge<'a> {
    model: &'a dyn Model,
    states: Vec<&'a motet_model::State>,
    times: Vec<u64>,
    /// The last instant of the run.
    last: u64,
    /// Whether the run can go on otherwise than it ends here.
    open: bool,
}

impl<'a> Judge<'a> {
    fn new(evidence: &'a Evidence, model: &'a dyn Model) -> Self {
        let run = &evidence.run;
        let mut states: Vec<&motet_model::State> = run.states.iter().map(|state| &**state).collect();
        let mut times = times(evidence);
        let last = times.last().copied().unwrap_or(0);
        if let Some(start) = evidence.loop_start.filter(|start| start + 1 < states.len()) {
            let shift = last - times[start];
            for at in start + 1..run.states.len() {
                states.push(&run.states[at]);
                times.push(times[at].saturating_add(shift));
            }
        }
        let mut steps = Steps::new(model.signature().slots.len());
        let stuck =
            run.states.last().is_some_and(|state| model.steps(state, &mut steps).is_ok() && steps.is_empty());
        Self { model, states, times, last, open: evidence.loop_start.is_none() && !stuck }
    }

    /// Collects the deadlines of a formula that must hold, or not hold, at each of these positions.
    fn path(&self, path: &Path<AtomId>, wanted: Wanted, at: &[usize], out: &mut Vec<Deadline>) {
        match (path, wanted) {
            (Path::Not(inner), _) => self.path(inner, wanted.other(), at, out),
            (Path::And(a, b), Wanted::True) | (Path::Or(a, b), Wanted::False) => {
                self.path(a, wanted, at, out);
                self.path(b, wanted, at, out);
            }
            (Path::Or(a, b), Wanted::True) => {
                self.unless(a, b, Wanted::True, at, out);
                self.unless(b, a, Wanted::True, at, out);
            }
            (Path::Implies(a, b), Wanted::True) => self.unless(a, b, Wanted::False, at, out),
            (Path::Always(interval, inner), Wanted::True)
            | (Path::Eventually(interval, inner), Wanted::False) => {
                self.path(inner, wanted, &self.within(interval, at), out);
            }
            (Path::Eventually(interval, goal), Wanted::True) => self.bounded(interval, goal, at, out),
            (Path::Until(Until::Until, interval, _, goal), Wanted::True) => {
                self.bounded(interval, goal, at, out)
            }
            (Path::Now(formula), _) => self.state(formula, wanted, at, out),
            _ => {}
        }
    }

    /// `b` must hold wherever the state formula `a` has not the truth that makes it needless.
    fn unless(
        &self,
        a: &Path<AtomId>,
        b: &Path<AtomId>,
        needless: Wanted,
        at: &[usize],
        out: &mut Vec<Deadline>,
    ) {
        let needed = |at: &&usize| self.truth(a, **at).map(|truth| truth != (needless == Wanted::True));
        if at.iter().all(|at| needed(&at).is_some()) {
            let left: Vec<usize> = at.iter().filter(|at| needed(at) == Some(true)).copied().collect();
            self.path(b, Wanted::True, &left, out);
        }
    }

    fn state(&self, formula: &Formula<AtomId>, wanted: Wanted, at: &[usize], out: &mut Vec<Deadline>) {
        match (formula, wanted) {
            (Formula::Not(inner), _) => self.state(inner, wanted.other(), at, out),
            (Formula::And(a, b), Wanted::True) | (Formula::Or(a, b), Wanted::False) => {
                self.state(a, wanted, at, out);
                self.state(b, wanted, at, out);
            }
            (Formula::Implies(a, b), Wanted::True) => {
                let needed = |at: usize| self.formula(a, at);
                if at.iter().all(|at| needed(*at).is_some()) {
                    let left: Vec<usize> =
                        at.iter().filter(|at| needed(**at) == Some(true)).copied().collect();
                    self.state(b, wanted, &left, out);
                }
            }
            (Formula::Runs(Quantifier::All, path), Wanted::True) => self.path(path, wanted, at, out),
            (Formula::Timer(timer, relation, bound), _) => {
                let strict = match (relation, wanted) {
                    (Relation::Le, Wanted::True) | (Relation::Gt, Wanted::False) => bound.strict,
                    (Relation::Lt, Wanted::True) | (Relation::Ge, Wanted::False) => true,
                    _ => return,
                };
                if let Some(amount) = self.amount(bound) {
                    self.timer(timer, amount, strict, at, out);
                }
            }
            _ => {}
        }
    }

    /// A bounded wait for a state, from each of these positions.
    fn bounded(&self, interval: &Interval, goal: &Path<AtomId>, at: &[usize], out: &mut Vec<Deadline>) {
        let (amount, strict) = match &interval.high {
            None => (NEVER, false),
            Some(high) => match self.amount(high) {
                Some(amount) => (amount, high.strict),
                None => return,
            },
        };
        let low = interval.low.as_ref().and_then(|low| self.amount(low)).unwrap_or(0);
        let next = self.next(goal);
        let measure = if at == [0] { Measure::Arrival } else { Measure::Response };
        for at in at {
            let start = self.times[*at];
            let opens = start.saturating_add(low);
            let counts = self.times.partition_point(|time| *time < opens).max(*at);
            let answer = next.get(counts).copied().flatten().map(|later| self.times[later]);
            let due = start.saturating_add(amount);
            let missed = self.missed(answer, due, strict);
            out.push(Deadline { measure, start, opens, due, answer, missed, awaited: self.awaited(goal) });
        }
    }

    /// Per position, the first one from there on at which a state formula holds.
    fn next(&self, goal: &Path<AtomId>) -> Vec<Option<usize>> {
        let mut next = vec![None; self.states.len()];
        let mut last = None;
        for at in (0..self.states.len()).rev() {
            if self.truth(goal, at) == Some(true) {
                last = Some(at);
            }
            next[at] = last;
        }
        next
    }

    /// How long something lasts, or how long ago it was, at the positions where that is bounded.
    fn timer(&self, timer: &Timer<AtomId>, amount: u64, strict: bool, at: &[usize], out: &mut Vec<Deadline>) {
        let (inner, measure) = match timer {
            Timer::Held(inner) => (inner, Measure::Duration),
            Timer::Since(inner) => (inner, Measure::Age),
            Timer::Now => return,
        };
        let lasting = |at: usize| self.formula(inner, at) == Some(measure == Measure::Duration);
        let mut open: Option<u64> = None;
        let mut bounded = false;
        let mut been = measure == Measure::Duration;
        for position in 0..=self.states.len() {
            let lasts = position < self.states.len() && lasting(position);
            been |= !lasts;
            match (open, lasts) {
                // What never was is not some time ago.
                (None, true) if been => {
                    open = Some(self.times[position]);
                    bounded = at.binary_search(&position).is_ok();
                }
                (Some(_), true) => bounded |= at.binary_search(&position).is_ok(),
                (Some(start), false) => {
                    let answer = self.times.get(position).copied();
                    let due = start.saturating_add(amount);
                    let missed = self.missed(answer, due, strict);
                    if bounded {
                        let mut awaited = Vec::new();
                        inner.for_each_atom(&mut |atom| awaited.push(self.name(*atom)));
                        let opens = start;
                        out.push(Deadline { measure, start, opens, due, answer, missed, awaited });
                    }
                    open = None;
                }
                _ => {}
            }
        }
    }

    /// Whether a deadline is missed. A run that could go on and ends before the deadline misses nothing yet.
    fn missed(&self, answer: Option<u64>, due: u64, strict: bool) -> bool {
        let late = |time: u64| if strict { time >= due } else { time > due };
        match answer {
            Some(answer) => late(answer),
            None => !self.open || late(self.last),
        }
    }

    fn within(&self, interval: &Interval, at: &[usize]) -> Vec<usize> {
        let Some(first) = at.iter().min() else { return Vec::new() };
        if interval.is_unbounded() {
            return (*first..self.states.len()).collect();
        }
        let low = interval.low.as_ref().and_then(|low| self.amount(low)).unwrap_or(0);
        let high = interval.high.as_ref().and_then(|high| self.amount(high)).unwrap_or(u64::MAX);
        let inside = |later: &usize| {
            let near = |at: &usize| (low..=high).contains(&(self.times[*later] - self.times[*at]));
            at.iter().take_while(|at| *at <= later).any(near)
        };
        (*first..self.states.len()).filter(inside).collect()
    }

    /// The bound in the model's unit; `None` when it counts something else.
    fn amount(&self, bound: &Bound) -> Option<u64> {
        let fits = match (bound.unit, self.model.signature().unit) {
            (None, _)
            | (Some(Unit::Clock), TimeUnit::Milliseconds)
            | (Some(Unit::Cycles), TimeUnit::Cycles)
            | (Some(Unit::Firings), TimeUnit::Firings)
            | (Some(Unit::Steps), TimeUnit::Steps) => true,
            (Some(_), _) => false,
        };
        fits.then_some(bound.amount)
    }

    /// The truth of a path formula that speaks of one state only.
    fn truth(&self, path: &Path<AtomId>, at: usize) -> Option<bool> {
        Some(match path {
            Path::Now(formula) => self.formula(formula, at)?,
            Path::Not(a) => !self.truth(a, at)?,
            _ => {
                let (connective, a, b) = path.joined()?;
                connective.of(self.truth(a, at)?, self.truth(b, at)?)
            }
        })
    }

    fn formula(&self, formula: &Formula<AtomId>, at: usize) -> Option<bool> {
        Some(match formula {
            Formula::True => true,
            Formula::False => false,
            Formula::Atom(atom) => self.model.holds(*atom, self.states[at]),
            Formula::Not(a) => !self.formula(a, at)?,
            _ => {
                let (connective, a, b) = formula.joined()?;
                connective.of(self.formula(a, at)?, self.formula(b, at)?)
            }
        })
    }

    /// The atoms of a goal, with `not` where the goal waits for their end.
    fn awaited(&self, goal: &Path<AtomId>) -> Vec<String> {
        let mut names = Vec::new();
        self.awaited_path(goal, false, &mut names);
        names
    }

    fn awaited_path(&self, path: &Path<AtomId>, negated: bool, out: &mut Vec<String>) {
        match path {
            Path::Now(formula) => self.awaited_formula(formula, negated, out),
            Path::Not(inner) => self.awaited_path(inner, !negated, out),
            Path::And(one, other) | Path::Or(one, other) => {
                self.awaited_path(one, negated, out);
                self.awaited_path(other, negated, out);
            }
            _ => path.for_each_atom(&mut |atom| self.await_atom(*atom, false, out)),
        }
    }

    fn awaited_formula(&self, formula: &Formula<AtomId>, negated: bool, out: &mut Vec<String>) {
        match formula {
            Formula::Atom(atom) => self.await_atom(*atom, negated, out),
            Formula::Not(inner) => self.awaited_formula(inner, !negated, out),
            Formula::And(one, other) | Formula::Or(one, other) => {
                self.awaited_formula(one, negated, out);
                self.awaited_formula(other, negated, out);
            }
            _ => formula.for_each_atom(&mut |atom| self.await_atom(*atom, false, out)),
        }
    }

    fn await_atom(&self, atom: AtomId, negated: bool, out: &mut Vec<String>) {
        let name = self.name(atom);
        let name = if negated { format!("not {name}") } else { name };
        if !out.contains(&name) {
            out.push(name);
        }
    }

    fn name(&self, atom: AtomId) -> String {
        crate::typesetting::page::plain(
            self.model.signature().atoms.get(atom.index()).map_or("", String::as_str),
        )
    }
}

/// The word for a measure, in reports for programs.
pub(crate) fn measure_word(measure: Measure) -> &'static str {
    match measure {
        Measure::Response => "response",
        Measure::Arrival => "arrival",
        Measure::Duration => "duration",
        Measure::Age => "age",
    }
}

pub(crate) fn measure_name<S: Serializer>(measure: &Measure, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(measure_word(*measure))
}
