//! Claims rewritten over derived atoms, so that what is left is linear time.

use motet_evidence::Fairness;
use motet_model::{AtomId, Signature, TimeUnit};
use motet_property::{Change, Formula, Path, Quantifier, Subformula, Until};

use super::{Derived, Operator};
use crate::checking::settings::Proof;
use crate::linear_time::linear::{Sign, Unsupported, nested_quantifiers};
use crate::metric_time::clocks::has_window;

/// Which runs a path quantifier ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Domain {
    /// All fair runs: so inside assumptions.
    AllRuns,
    /// The fair runs that satisfy the assumptions, counted from the state in question on.
    Counting,
}

/// Where a formula stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// It speaks of the start.
    Start,
    /// It speaks of later states, for as long as they last.
    Later,
}

/// Rewrites formulas; the derived atoms that turn up are allotted.
pub(crate) struct Rewriter<'a> {
    derived: &'a mut Derived,
    domain: Domain,
    /// What stands in the way, if something does.
    problem: Option<Unsupported>,
}

impl<'a> Rewriter<'a> {
    pub(crate) fn new(derived: &'a mut Derived, domain: Domain) -> Self {
        Self { derived, domain, problem: None }
    }

    /// The linear-time formula that holds on all runs if and only if `path` (or its negation) holds at the start, where
    /// `path` stands under "on all runs".
    pub(crate) fn universal(mut self, path: &Path<AtomId>, sign: Sign) -> Result<Path<AtomId>, Unsupported> {
        let linear = self.on_all(path, sign, Place::Start);
        self.problem.map_or(Ok(linear), Err)
    }

    /// What a run has to satisfy to count. An assumption speaks of each run, so that an outermost `A` says nothing more.
    pub(crate) fn assumption(mut self, path: &Path<AtomId>) -> Result<Path<AtomId>, Unsupported> {
        let mut path = path;
        while let Path::Now(Formula::Runs(Quantifier::All, inner)) = path {
            path = inner;
        }
        let linear = self.path(0, path);
        self.problem.map_or(Ok(linear), Err)
    }

    /// Path quantifiers are dropped where that changes nothing, because then a single run tells the whole story: with C the
    /// class of formulas in question, `A` commutes with `A C`, `C & C`, `p | C`, `G C` and `X C` for state formulas `p`. It
    /// does not with `F`: `AF AG p` is no linear-time claim. With assumptions only what is said at the start is treated
    /// like this, since a run that counts from some state on need not count together with the way there.
    fn on_all(&mut self, path: &Path<AtomId>, sign: Sign, place: Place) -> Path<AtomId> {
        if !is_rich(path) {
            return signed(path.clone(), sign);
        }
        let anywhere = self.derived.assumptions.is_empty();
        match (path, sign) {
            (Path::Now(Formula::Runs(Quantifier::All, inner)), Sign::Plain)
            | (Path::Now(Formula::Runs(Quantifier::Some, inner)), Sign::Negated)
                if (place == Place::Start || self.is_prompt(inner, sign))
                    && !self.is_better_derived(inner, sign) =>
            {
                self.on_all(inner, sign, place)
            }
            (Path::Now(formula), _) => match unfold(formula) {
                Some(path) => self.on_all(&path, sign, place),
                None => signed(Path::Now(self.state(0, formula)), sign),
            },
            (Path::Not(a), _) => self.on_all(a, sign.flip(), place),
            (Path::And(a, b), Sign::Plain) | (Path::Or(a, b), Sign::Negated) => {
                Path::And(Box::new(self.on_all(a, sign, place)), Box::new(self.on_all(b, sign, place)))
            }
            (Path::Implies(a, b), Sign::Negated) => {
                let (a, b) = (self.on_all(a, Sign::Plain, place), self.on_all(b, Sign::Negated, place));
                Path::And(Box::new(a), Box::new(b))
            }
            (Path::Or(a, b), Sign::Plain) | (Path::And(a, b), Sign::Negated) => {
                let (a, b) = self.either((a, sign), (b, sign), place);
                Path::Or(Box::new(a), Box::new(b))
            }
            (Path::Implies(a, b), Sign::Plain) => {
                // An implication stays one, because its left side is what triggers it.
                match self.either((a, Sign::Negated), (b, Sign::Plain), place) {
                    (Path::Not(a), b) => Path::Implies(a, Box::new(b)),
                    (a, b) => Path::Or(Box::new(a), Box::new(b)),
                }
            }
            (Path::Always(when, a), Sign::Plain) | (Path::Eventually(when, a), Sign::Negated)
                if when.is_unbounded() && anywhere =>
            {
                Path::Always(when.clone(), Box::new(self.on_all(a, sign, Place::Later)))
            }
            (Path::Next(a), _) if anywhere => Path::Next(Box::new(self.on_all(a, sign, Place::Later))),
            _ => signed(self.path(0, path), sign),
        }
    }

    /// Whether a quantifier is answered faster by a fixpoint than by a search for a run, and no run is wanted. A state to
    /// be reached is looked up either way, without steps.
    fn is_better_derived(&self, path: &Path<AtomId>, sign: Sign) -> bool {
        let operator =
            if self.derived.proof == Proof::Omitted { Operator::of(path, sign.flip()) } else { None };
        operator.is_some_and(|operator| {
            let reach = matches!(operator, Operator::Until(Formula::True, _));
            !reach && self.derived.has_fixpoint(&operator, self.domain)
        })
    }

    /// Whether what is said of the runs from a state, if it is true when the state is entered, stays true while it lasts. A
    /// window of time may break that: from a later moment on it lies elsewhere. A deadline for a state is only met sooner.
    fn is_prompt(&self, path: &Path<AtomId>, sign: Sign) -> bool {
        match (path, sign) {
            (Path::Not(a), _) => self.is_prompt(a, sign.flip()),
            (Path::Eventually(when, a), Sign::Plain) | (Path::Always(when, a), Sign::Negated) => {
                when.low.is_none() && !has_window(a, self.derived.unit)
            }
            (Path::Until(Until::Until, when, a, b), Sign::Plain)
            | (Path::Until(Until::Release, when, a, b), Sign::Negated) => {
                when.low.is_none()
                    && !has_window(a, self.derived.unit)
                    && a.is_state()
                    && !has_window(b, self.derived.unit)
            }
            _ => !has_window(path, self.derived.unit),
        }
    }

    /// A disjunction under "on all runs": one side at most may lose its quantifiers, and only if the other speaks of its
    /// first state alone.
    fn either(
        &mut self,
        (a, sign_a): (&Path<AtomId>, Sign),
        (b, sign_b): (&Path<AtomId>, Sign),
        place: Place,
    ) -> (Path<AtomId>, Path<AtomId>) {
        if a.is_state() {
            (signed(self.path(0, a), sign_a), self.on_all(b, sign_b, place))
        } else if b.is_state() {
            (self.on_all(a, sign_a, place), signed(self.path(0, b), sign_b))
        } else {
            (signed(self.path(0, a), sign_a), signed(self.path(0, b), sign_b))
        }
    }
}

/// The same formula, with every formula about other runs or about knowledge replaced by a derived atom.
impl Change<AtomId> for Rewriter<'_> {
    fn path(&mut self, _: usize, path: &Path<AtomId>) -> Path<AtomId> {
        path.with_children(self)
    }

    fn state(&mut self, _: usize, formula: &Formula<AtomId>) -> Formula<AtomId> {
        let rewritten = formula.with_children(self);
        if !matches!(formula, Formula::Runs(..) | Formula::Knows(..)) || self.problem.is_some() {
            return rewritten;
        }
        match self.derived.allot(formula, rewritten, self.domain) {
            Ok(atom) => Formula::Atom(atom),
            Err(problem) => {
                self.problem = Some(problem);
                Formula::True
            }
        }
    }
}

/// Derived atoms replaced by what they stand for.
pub(super) struct Restore<'a>(pub(super) &'a Derived);

impl Change<AtomId> for Restore<'_> {
    fn path(&mut self, _: usize, path: &Path<AtomId>) -> Path<AtomId> {
        path.with_children(self)
    }

    fn state(&mut self, _: usize, formula: &Formula<AtomId>) -> Formula<AtomId> {
        match formula {
            Formula::Atom(atom) => match self.0.position(*atom) {
                Some(at) => self.0.entries[at].original.clone(),
                None => formula.clone(),
            },
            _ => formula.with_children(self),
        }
    }
}

/// A claim about all runs as a linear-time formula, if dropping quantifiers is enough.
pub(crate) fn outermost(path: &Path<AtomId>, unit: TimeUnit) -> Result<Path<AtomId>, Unsupported> {
    let mut derived =
        Derived::over(&Signature { unit, ..Signature::default() }, Fairness::None, Proof::Shown);
    let linear = Rewriter::new(&mut derived, Domain::Counting).universal(path, Sign::Plain)?;
    if derived.entries.is_empty() { Ok(linear) } else { Err(nested_quantifiers()) }
}

fn signed(path: Path<AtomId>, sign: Sign) -> Path<AtomId> {
    match sign {
        Sign::Plain => path,
        Sign::Negated => Path::Not(Box::new(path)),
    }
}

/// The connective of a state formula as one between path formulas; `None` if it is none.
fn unfold(formula: &Formula<AtomId>) -> Option<Path<AtomId>> {
    let now = |formula: &Formula<AtomId>| Path::Now(formula.clone());
    match formula {
        Formula::Not(a) => Some(Path::Not(Box::new(now(a)))),
        _ => formula.joined().map(|(connective, a, b)| Path::join(connective, now(a), now(b))),
    }
}

/// Whether a formula speaks of other runs or of knowledge.
fn is_rich(path: &Path<AtomId>) -> bool {
    path.any(&mut |part| matches!(part, Subformula::State(Formula::Runs(..) | Formula::Knows(..))))
}
