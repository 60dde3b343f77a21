//! Which claims about chance depend on strategies being fair (`spec/claims/chance.md`): other engines know no such strategies.

use motet_model::AtomId;
use motet_property::{Extremum, Formula, Interval, Path, Query, Relation, RewardGoal};

/// Whether a number in a claim is about the fair strategies only, where there are several strategies at all.
pub(crate) fn depends_on_fairness(path: &Path<AtomId>) -> bool {
    let mut depends = false;
    path.for_each_state(&mut |formula| depends |= in_formula(formula));
    depends
}

fn in_formula(formula: &Formula<AtomId>) -> bool {
    match formula {
        Formula::Not(a) | Formula::Steady(_, _, a) => in_formula(a),
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Iff(a, b)
        | Formula::Filter(_, a, b) => in_formula(a) || in_formula(b),
        Formula::Runs(_, path) => depends_on_fairness(path),
        Formula::Chance(extremum, query, path) => {
            depends_on_fairness(path) || effective(*extremum, query).is_some_and(|it| is_missed(path, it))
        }
        Formula::Reward(_, _, _, goal) => match &**goal {
            RewardGoal::Until(path) => depends_on_fairness(path),
            _ => false,
        },
        _ => false,
    }
}

/// Over which strategies; `None` where there can be one only.
fn effective(extremum: Option<Extremum>, query: &Query) -> Option<Extremum> {
    extremum.or(match query {
        Query::Compare(Relation::Ge | Relation::Gt, _) => Some(Extremum::Min),
        Query::Compare(Relation::Le | Relation::Lt, _) => Some(Extremum::Max),
        _ => None,
    })
}

/// Whether the number is the least chance to get somewhere some time, or one minus that.
fn is_missed(path: &Path<AtomId>, extremum: Extremum) -> bool {
    let ever = Interval::is_unbounded;
    match path {
        Path::Eventually(when, _) | Path::Until(when, ..) => ever(when) && extremum == Extremum::Min,
        Path::Always(when, _) | Path::Weak(when, ..) | Path::Release(when, ..) => {
            ever(when) && extremum == Extremum::Max
        }
        Path::Not(inner) => is_missed(
            inner,
            match extremum {
                Extremum::Min => Extremum::Max,
                Extremum::Max => Extremum::Min,
            },
        ),
        _ => false,
    }
}
