//! A lowered formula in the property language that PRISM and Storm share, with every parenthesis.
//!
//! Storm reads less of it than PRISM does: it has no implication between formulas about runs, no weak until, no release and
//! no bounded always. These are written with what both have.
//!
//! A model written for the two may take several of its own steps for one step of the native model; every count is multiplied
//! by that number. Most atoms stay as they are in between. A formula over one that does not is asked only at the moments that
//! count. The initial state counts too: a formula that starts there and is not nested has read it before it can come back to
//! it at a moment that does not count, so that taking this one for a moment as well changes nothing.

use motet_model::AtomId;

use super::spin::Unsupported;
use crate::formula::{
    Basic, Bound, Connective, Extremum, Formula, Interval, Path, Quantifier, Query, Relation, RewardGoal,
    Subformula, Unit,
};

/// What things are called in the exported model.
#[derive(Clone, Copy)]
pub struct PrismNames<'a> {
    /// Per atom an expression that is true exactly where the atom holds: `"goal"`, `x=3`.
    pub atom: &'a dyn Fn(AtomId) -> String,
    /// Per reward its name there, without quotes; asked with `None` where the claim names none.
    pub reward: &'a dyn Fn(Option<&str>) -> Option<String>,
    /// How many steps of the exported model are one step of ours.
    pub per_step: u32,
    /// How many steps of the exported model are one unit of our model's time; `None` where steps take different times.
    pub per_unit: Option<u32>,
    /// Where the exported model has moments between our states.
    pub moments: Option<Moments<'a>>,
}

/// Which moments of the exported model are states of ours.
#[derive(Clone, Copy)]
pub struct Moments<'a> {
    /// An expression that is true at them, the start apart.
    pub expression: &'a str,
    /// Atoms that may change in between.
    pub wavering: &'a [AtomId],
}

/// The formula for PRISM and Storm.
///
/// # Errors
/// When the formula uses knowledge, clocks, a bound in clock time, or a path quantifier over more than reaching and
/// keeping.
pub fn prism_formula(path: &Path<AtomId>, names: &PrismNames<'_>) -> Result<String, Unsupported> {
    let printer = Printer { names: *names, moments: None };
    match names.moments {
        Some(moments) if wavers(path, moments.wavering) => {
            if depth(path) > 1 {
                return refused("a nested formula over what changes within a step");
            }
            Printer { moments: Some(moments.expression), ..printer }.path(path)
        }
        _ => printer.path(path),
    }
}

struct Printer<'a> {
    names: PrismNames<'a>,
    /// Which moments count, where the formula is about something that changes in between.
    moments: Option<&'a str>,
}

fn wavers(path: &Path<AtomId>, wavering: &[AtomId]) -> bool {
    let mut found = false;
    path.for_each_atom(&mut |atom| found |= wavering.contains(atom));
    found
}

/// How deep temporal operators are nested, those below probabilities included.
fn depth(path: &Path<AtomId>) -> u32 {
    depth_of(Subformula::Path(path))
}

fn depth_of(part: Subformula<'_, AtomId>) -> u32 {
    let inner = || part.children().map(depth_of).max().unwrap_or(0);
    match part {
        Subformula::Path(Path::Accepted(_))
        | Subformula::State(Formula::Timer(..) | Formula::Wait(..) | Formula::Past(_)) => 0,
        Subformula::Path(path) => u32::from(path.is_temporal()) + inner(),
        Subformula::State(_) => inner(),
    }
}

fn refused<T>(operator: &'static str) -> Result<T, Unsupported> {
    Err(Unsupported { operator })
}

/// Equivalences double what they hold, so nested ones grow without measure.
fn short(text: String) -> Result<String, Unsupported> {
    if text.len() < 1 << 20 { Ok(text) } else { refused("a formula of more than a million letters") }
}

fn infix(sign: &str, left: &str, right: &str) -> String {
    format!("({left}) {sign} ({right})")
}

/// `a => b` and `a <=> b` in `!`, `&` and `|`, which Storm reads between all formulas.
fn implies(left: &str, right: &str) -> String {
    format!("(!({left})) | ({right})")
}

fn joined(connective: Connective, left: String, right: String) -> String {
    match connective {
        Connective::And | Connective::Or => infix(connective.symbol(), &left, &right),
        Connective::Implies => implies(&left, &right),
        Connective::Iff => equivalent(&left, &right),
    }
}

fn equivalent(left: &str, right: &str) -> String {
    format!("(({left}) & ({right})) | ((!({left})) & (!({right})))")
}

impl Printer<'_> {
    fn path(&self, path: &Path<AtomId>) -> Result<String, Unsupported> {
        short(match path {
            Path::Now(formula) => self.state(formula)?,
            Path::Accepted(_) => return refused("an automaton"),
            Path::Not(inner) => format!("!({})", self.path(inner)?),
            Path::And(left, right) => joined(Connective::And, self.path(left)?, self.path(right)?),
            Path::Or(left, right) => joined(Connective::Or, self.path(left)?, self.path(right)?),
            Path::Implies(left, right) => joined(Connective::Implies, self.path(left)?, self.path(right)?),
            Path::Iff(left, right) => joined(Connective::Iff, self.path(left)?, self.path(right)?),
            Path::Next(_) if self.moments.is_some() => {
                return refused("the next state of what changes within a step");
            }
            Path::Next(inner) => {
                let mut text = self.path(inner)?;
                for _ in 0..self.names.per_step {
                    text = format!("X ({text})");
                }
                text
            }
            Path::Eventually(interval, inner) => self.eventually(interval, &self.path(inner)?)?,
            Path::Always(interval, inner) if interval.is_unbounded() => {
                format!("G ({})", self.kept(self.path(inner)?))
            }
            Path::Always(interval, inner) => {
                let never = self.eventually(interval, &format!("!({})", self.path(inner)?))?;
                format!("!({never})")
            }
            Path::Until(until, interval, left, right) => {
                match until.define(self.path(left)?, self.path(right)?, joined) {
                    Basic::Until(left, right) => self.until(interval, &left, &right)?,
                    Basic::Release(left, right) => self.release(interval, &left, &right)?,
                }
            }
        })
    }

    fn eventually(&self, interval: &Interval, goal: &str) -> Result<String, Unsupported> {
        let goal = self.met(goal);
        let text = format!("F{} ({goal})", self.bounds(interval)?);
        Ok(if only_low(interval) { format!("({text}) & (F ({goal}))") } else { text })
    }

    fn until(&self, interval: &Interval, left: &str, right: &str) -> Result<String, Unsupported> {
        let (left, right) = (self.kept(left.to_owned()), self.met(right));
        let text = format!("({left}) U{} ({right})", self.bounds(interval)?);
        Ok(if only_low(interval) { format!("({text}) & (F ({right}))") } else { text })
    }

    /// What has to hold at every moment that counts.
    fn kept(&self, formula: String) -> String {
        match self.moments {
            None => formula,
            Some(moments) => format!("(!(({moments}) | (\"init\"))) | ({formula})"),
        }
    }

    /// What has to hold at some moment that counts.
    fn met(&self, formula: &str) -> String {
        match self.moments {
            None => formula.to_owned(),
            Some(moments) => format!("(({moments}) | (\"init\")) & ({formula})"),
        }
    }

    /// `a R b` is the dual of until, with bounds too.
    fn release(&self, interval: &Interval, left: &str, right: &str) -> Result<String, Unsupported> {
        let until = self.until(interval, &format!("!({left})"), &format!("!({right})"))?;
        Ok(format!("!({until})"))
    }

    /// `[2,5]`, `<=5`, `>=2` with inclusive ends; nothing for any time.
    fn bounds(&self, interval: &Interval) -> Result<String, Unsupported> {
        if self.moments.is_some() && interval.low.is_some() {
            return refused("a lower bound on what changes within a step");
        }
        let low = interval.low.as_ref().map(|bound| {
            let first = bound.amount.saturating_add(u64::from(bound.strict));
            self.times(first, bound)
        });
        let high =
            interval.high.as_ref().map(|bound| match bound.amount.checked_sub(u64::from(bound.strict)) {
                None => refused("a bound that nothing meets"),
                Some(last) => self.times(last, bound),
            });
        Ok(match (low.transpose()?, high.transpose()?) {
            (None, None) => String::new(),
            (None, Some(high)) => format!("<={high}"),
            (Some(low), None) => format!(">={low}"),
            (Some(low), Some(high)) => format!("[{low},{high}]"),
        })
    }

    /// A count of the bound's unit in steps of the exported model.
    fn times(&self, count: u64, bound: &Bound) -> Result<u64, Unsupported> {
        let factor = match bound.unit {
            Some(Unit::Clock) => return refused("a bound in clock time"),
            Some(Unit::Steps) => self.names.per_step,
            None | Some(Unit::Cycles | Unit::Firings) => match self.names.per_unit {
                Some(factor) => factor,
                None => return refused("a bound where steps take different times"),
            },
        };
        // Both programs keep a bound in 32 bits.
        match count.checked_mul(u64::from(factor)) {
            Some(count) if i32::try_from(count).is_ok() => Ok(count),
            _ => refused("a bound of more than 2147483647 steps"),
        }
    }

    fn state(&self, formula: &Formula<AtomId>) -> Result<String, Unsupported> {
        short(match formula {
            Formula::True => "true".to_owned(),
            Formula::False => "false".to_owned(),
            Formula::Deadlock => "\"deadlock\"".to_owned(),
            Formula::Atom(atom) => (self.names.atom)(*atom),
            Formula::Not(inner) => format!("!({})", self.state(inner)?),
            Formula::And(left, right) => infix("&", &self.state(left)?, &self.state(right)?),
            Formula::Or(left, right) => infix("|", &self.state(left)?, &self.state(right)?),
            Formula::Implies(left, right) => implies(&self.state(left)?, &self.state(right)?),
            Formula::Iff(left, right) => equivalent(&self.state(left)?, &self.state(right)?),
            Formula::Runs(quantifier, path) => self.runs(*quantifier, path)?,
            Formula::Chance(extremum, query, path) => {
                format!("P{}{} [ {} ]", extreme(*extremum), asked(query)?, self.path(path)?)
            }
            Formula::Reward(name, extremum, query, goal) => {
                let name = (self.names.reward)(name.as_deref());
                let name = name.map(|name| format!("{{\"{name}\"}}")).unwrap_or_default();
                let goal = self.goal(goal)?;
                format!("R{name}{}{} [ {goal} ]", extreme(*extremum), asked(query)?)
            }
            Formula::Steady(..) if self.moments.is_some() => {
                return refused("the long run of what changes within a step");
            }
            Formula::Filter(..) if self.names.moments.is_some() => {
                return refused("a filter where a step is several steps");
            }
            Formula::Steady(extremum, query, inner) => {
                format!("S{}{} [ {} ]", extreme(*extremum), asked(query)?, self.state(inner)?)
            }
            Formula::Filter(filter, inner, states) => {
                format!("filter({}, {}, {})", filter.word(), self.state(inner)?, self.state(states)?)
            }
            Formula::Knows(..) => return refused("knowledge"),
            Formula::Timer(..) => return refused("a clock"),
            Formula::Wait(..) => return refused("a question for a time"),
            Formula::Past(_) => return refused("the past"),
        })
    }

    /// A state that is reachable at all is reached with positive probability by some choices, so that reaching and keeping
    /// can be asked as probabilities. Other runs may have probability 0 and be runs all the same.
    fn runs(&self, quantifier: Quantifier, path: &Path<AtomId>) -> Result<String, Unsupported> {
        match (quantifier, path) {
            (Quantifier::All, Path::Always(_, inner)) if matches!(**inner, Path::Now(_)) => {
                Ok(format!("P>=1 [ {} ]", self.path(path)?))
            }
            (Quantifier::Some, Path::Eventually(_, inner)) if matches!(**inner, Path::Now(_)) => {
                Ok(format!("!(P<=0 [ {} ])", self.path(path)?))
            }
            _ => refused("a claim about all runs that is more than reaching or keeping"),
        }
    }

    fn goal(&self, goal: &RewardGoal<AtomId>) -> Result<String, Unsupported> {
        Ok(match goal {
            RewardGoal::Until(path) => self.path(path)?,
            RewardGoal::Cumulative(None) => "C".to_owned(),
            RewardGoal::Cumulative(Some(bound)) => {
                let interval = Interval { low: None, high: Some(bound.clone()) };
                format!("C{}", self.bounds(&interval)?)
            }
            RewardGoal::Instant(bound) => format!("I={}", self.times(bound.amount, bound)?),
            RewardGoal::Average if self.names.per_step > 1 => {
                return refused("a long-run average where a step is several steps");
            }
            RewardGoal::Average => "S".to_owned(),
        })
    }
}

/// Storm checks a lower bound alone only as a formula of linear time, which a conjunction is.
fn only_low(interval: &Interval) -> bool {
    interval.low.is_some() && interval.high.is_none()
}

fn extreme(extremum: Option<Extremum>) -> &'static str {
    match extremum {
        None => "",
        Some(Extremum::Min) => "min",
        Some(Extremum::Max) => "max",
    }
}

fn asked(query: &Query) -> Result<String, Unsupported> {
    let (sign, number) = match query {
        Query::Value => return Ok("=?".to_owned()),
        Query::Compare(Relation::Lt, number) => ("<", number),
        Query::Compare(Relation::Le, number) => ("<=", number),
        Query::Compare(Relation::Gt, number) => (">", number),
        Query::Compare(Relation::Ge, number) => (">=", number),
        Query::Compare(Relation::Eq | Relation::Ne, _) => return refused("a number compared with = or !="),
    };
    let parts: Vec<String> = number.split('/').map(long).collect();
    Ok(format!("{sign}{}", parts.join("/")))
}

/// A number of a threshold. Whole numbers are read with 64 bits, and longer ones only if they look like others.
fn long(number: &str) -> String {
    let whole = number.bytes().all(|byte| byte.is_ascii_digit());
    if whole && number.len() > 18 { format!("{number}.0") } else { number.to_owned() }
}
