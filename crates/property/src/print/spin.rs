//! A lowered formula in Spin's syntax, with every parenthesis. `X` is refused because Spin's partial-order reduction
//! does not keep it.

use motet_model::AtomId;

use crate::formula::{Basic, Connective, Formula, Interval, Path, Until};

/// Which operator has no counterpart in the target, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// `the next operator X`, `a time bound`.
    pub operator: &'static str,
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} has no counterpart in the target language", self.operator)
    }
}

impl std::error::Error for Unsupported {}

/// The formula for an inline `ltl` block, over the names that `name` gives to atoms.
///
/// # Errors
/// When the formula is not plain linear time without `X`.
pub fn spin_ltl(path: &Path<AtomId>, name: &dyn Fn(AtomId) -> String) -> Result<String, Unsupported> {
    spin_ltl_with(path, name, None)
}

/// The same for a Promela model that knows by this name whether it has no steps.
///
/// # Errors
/// Names the operator that Spin does not have.
pub fn spin_ltl_with(
    path: &Path<AtomId>,
    name: &dyn Fn(AtomId) -> String,
    deadlock: Option<&str>,
) -> Result<String, Unsupported> {
    let inner = |path: &Path<AtomId>| spin_ltl_with(path, name, deadlock);
    let infix = |word: &str, left, right| Ok(join(word, &inner(left)?, &inner(right)?));
    match path {
        Path::Now(formula) => state(formula, name, deadlock),
        Path::Accepted(_) => Err(Unsupported { operator: "an automaton" }),
        Path::Not(path) => Ok(format!("!({})", inner(path)?)),
        Path::And(left, right) => infix("&&", left, right),
        Path::Or(left, right) => infix("||", left, right),
        Path::Implies(left, right) => infix("->", left, right),
        Path::Iff(left, right) => infix("<->", left, right),
        Path::Next(_) => Err(Unsupported { operator: "the next operator X" }),
        Path::Eventually(interval, path) => {
            unbounded(interval)?;
            Ok(format!("<> ({})", inner(path)?))
        }
        Path::Always(interval, path) => {
            unbounded(interval)?;
            Ok(format!("[] ({})", inner(path)?))
        }
        Path::Until(Until::Weak, interval, left, right) => {
            unbounded(interval)?;
            infix("W", left, right)
        }
        Path::Until(until, interval, left, right) => {
            unbounded(interval)?;
            let either = |connective, left: String, right: String| join(sign(connective), &left, &right);
            Ok(match until.define(inner(left)?, inner(right)?, either) {
                Basic::Until(left, right) => join("U", &left, &right),
                Basic::Release(left, right) => join("V", &left, &right),
            })
        }
    }
}

fn join(word: &str, left: &str, right: &str) -> String {
    format!("({left}) {word} ({right})")
}

/// A connective as Spin spells it.
fn sign(connective: Connective) -> &'static str {
    match connective {
        Connective::And => "&&",
        Connective::Or => "||",
        Connective::Implies | Connective::Iff => connective.symbol(),
    }
}

fn unbounded(interval: &Interval) -> Result<(), Unsupported> {
    if interval.is_unbounded() { Ok(()) } else { Err(Unsupported { operator: "a time bound" }) }
}

fn state(
    formula: &Formula<AtomId>,
    name: &dyn Fn(AtomId) -> String,
    deadlock: Option<&str>,
) -> Result<String, Unsupported> {
    let inner = |formula: &Formula<AtomId>| state(formula, name, deadlock);
    let infix = |word: &str, left, right| Ok(format!("({}) {word} ({})", inner(left)?, inner(right)?));
    let refused = |operator| Err(Unsupported { operator });
    match formula {
        Formula::True => Ok("true".to_owned()),
        Formula::False => Ok("false".to_owned()),
        Formula::Atom(atom) => Ok(name(*atom)),
        Formula::Not(formula) => Ok(format!("!({})", inner(formula)?)),
        Formula::And(left, right) => infix("&&", left, right),
        Formula::Or(left, right) => infix("||", left, right),
        Formula::Implies(left, right) => infix("->", left, right),
        Formula::Iff(left, right) => infix("<->", left, right),
        Formula::Deadlock => deadlock.map_or_else(|| refused("deadlock"), |name| Ok(name.to_owned())),
        Formula::Runs(..) => refused("branching time"),
        Formula::Knows(..) => refused("knowledge"),
        Formula::Chance(..) | Formula::Steady(..) | Formula::Filter(..) => refused("a probability"),
        Formula::Reward(..) => refused("a reward"),
        Formula::Timer(..) => refused("a clock"),
        Formula::Wait(..) => refused("a question for a time"),
        Formula::Past(_) => refused("the past"),
    }
}
