//! A lowered formula with every parenthesis, for reports. It reads back as the same formula.

use motet_model::{AtomId, AtomText};
use motet_source::Spanned;

use super::{expr, name, surface};
use crate::formula::{
    Bound, Extremum, Formula, Interval, Knowledge, Past, Path, Quantifier, Query, RewardGoal, Timer, Unit,
};

/// The formula with every parenthesis.
#[must_use]
pub fn print_formula(path: &Path<AtomId>, atoms: &[Spanned<AtomText>]) -> String {
    Printer { atoms }.path(path)
}

struct Printer<'a> {
    atoms: &'a [Spanned<AtomText>],
}

impl Printer<'_> {
    fn path(&self, path: &Path<AtomId>) -> String {
        let infix = |word: &str, left, right| format!("({}) {word} ({})", self.path(left), self.path(right));
        match path {
            Path::Now(formula) => self.formula(formula),
            Path::Accepted(omega) => format!("accepted by {}", name::quoted(&omega.name)),
            Path::Not(inner) => format!("!({})", self.path(inner)),
            Path::And(left, right) => infix("&", left, right),
            Path::Or(left, right) => infix("|", left, right),
            Path::Implies(left, right) => infix("->", left, right),
            Path::Iff(left, right) => infix("<->", left, right),
            Path::Next(inner) => format!("X ({})", self.path(inner)),
            Path::Eventually(when, inner) => format!("F{} ({})", interval(when), self.path(inner)),
            Path::Always(when, inner) => format!("G{} ({})", interval(when), self.path(inner)),
            Path::Until(until, when, left, right) => {
                infix(&format!("{}{}", until.symbol(), interval(when)), left, right)
            }
        }
    }

    fn formula(&self, formula: &Formula<AtomId>) -> String {
        let infix =
            |word: &str, left, right| format!("({}) {word} ({})", self.formula(left), self.formula(right));
        match formula {
            Formula::True => "true".to_owned(),
            Formula::False => "false".to_owned(),
            Formula::Deadlock => "deadlock".to_owned(),
            Formula::Atom(id) => {
                self.atoms.get(id.index()).map_or_else(String::new, |atom| expr::atom(&atom.node))
            }
            Formula::Not(inner) => format!("!({})", self.formula(inner)),
            Formula::And(left, right) => infix("&", left, right),
            Formula::Or(left, right) => infix("|", left, right),
            Formula::Implies(left, right) => infix("->", left, right),
            Formula::Iff(left, right) => infix("<->", left, right),
            Formula::Runs(Quantifier::All, path) => format!("A [ {} ]", self.path(path)),
            Formula::Runs(Quantifier::Some, path) => format!("E [ {} ]", self.path(path)),
            Formula::Knows(knowledge, group, inner) => {
                let group: Vec<String> = group.iter().map(|agent| expr::who(agent)).collect();
                let inner = self.formula(inner);
                match knowledge {
                    Knowledge::One => format!("K[{}]({inner})", group.join(", ")),
                    Knowledge::Everyone => format!("EK[{{{}}}]({inner})", group.join(", ")),
                    Knowledge::Common => format!("CK[{{{}}}]({inner})", group.join(", ")),
                    Knowledge::Distributed => format!("DK[{{{}}}]({inner})", group.join(", ")),
                }
            }
            Formula::Chance(extremum, asked, path) => {
                format!("P{}{} [ {} ]", extreme(*extremum), query(asked), self.path(path))
            }
            Formula::Steady(extremum, asked, inner) => {
                format!("S{}{} [ {} ]", extreme(*extremum), query(asked), self.formula(inner))
            }
            Formula::Reward(reward, extremum, asked, goal) => {
                let reward =
                    reward.as_ref().map_or(String::new(), |reward| format!("{{{}}}", name::quoted(reward)));
                let goal = match &**goal {
                    RewardGoal::Until(path) => self.path(path),
                    RewardGoal::Cumulative(None) => "C".to_owned(),
                    RewardGoal::Cumulative(Some(end)) => format!("C<={}", bound(end)),
                    RewardGoal::Instant(at) => format!("I={}", bound(at)),
                    RewardGoal::Average => "S".to_owned(),
                };
                format!("R{reward}{}{} [ {goal} ]", extreme(*extremum), query(asked))
            }
            Formula::Filter(filter, value, states) => {
                format!("filter({}, {}, {})", filter.word(), self.formula(value), self.formula(states))
            }
            Formula::Wait(extremum, from, to) => {
                let from = from.as_ref().map(|from| format!(" from ({})", self.formula(from)));
                format!(
                    "{} time{} to ({})",
                    extreme(Some(*extremum)),
                    from.unwrap_or_default(),
                    self.formula(to)
                )
            }
            Formula::Past(past) => self.past(past),
            Formula::Timer(timer, relation, length) => {
                let timer = match timer {
                    Timer::Now => "now".to_owned(),
                    Timer::Since(inner) => format!("since({})", self.formula(inner)),
                    Timer::Held(inner) => format!("held({})", self.formula(inner)),
                };
                format!("{timer} {} {}", surface::relation(*relation), bound(length))
            }
        }
    }

    fn past(&self, past: &Past<AtomId>) -> String {
        match past {
            Past::Once(inner) => format!("once({})", self.formula(inner)),
            Past::Historically(inner) => format!("historically({})", self.formula(inner)),
            Past::Previously(inner) => format!("previously({})", self.formula(inner)),
            Past::Since(left, right) => format!("({}) since ({})", self.formula(left), self.formula(right)),
        }
    }
}

fn extreme(extremum: Option<Extremum>) -> &'static str {
    match extremum {
        None => "",
        Some(Extremum::Min) => "min",
        Some(Extremum::Max) => "max",
    }
}

fn query(query: &Query) -> String {
    match query {
        Query::Value => "=?".to_owned(),
        Query::Compare(relation, number) => format!("{}{number}", surface::relation(*relation)),
    }
}

pub(crate) fn interval(interval: &Interval) -> String {
    let sign = |bound: &Bound, strict, wide| if bound.strict { strict } else { wide };
    match (&interval.low, &interval.high) {
        (None, None) => String::new(),
        (None, Some(high)) => format!("{}{}", sign(high, "<", "<="), bound(high)),
        (Some(low), None) => format!("{}{}", sign(low, ">", ">="), bound(low)),
        (Some(low), Some(high)) => format!("[{},{}]", bound(low), bound(high)),
    }
}

/// `7200s`, `100 steps`, or the bare number where no unit was given.
pub(crate) fn bound(bound: &Bound) -> String {
    match bound.unit {
        None => bound.amount.to_string(),
        Some(Unit::Clock) if bound.amount.is_multiple_of(1000) => format!("{}s", bound.amount / 1000),
        Some(Unit::Clock) => format!("{}ms", bound.amount),
        Some(Unit::Steps) => format!("{} steps", bound.amount),
        Some(Unit::Cycles) => format!("{} cycles", bound.amount),
        Some(Unit::Firings) => format!("{} firings", bound.amount),
    }
}
