//! Which claims about chance depend on strategies being fair (`spec/claims/chance.md`): other engines know no such strategies.

use motet_model::AtomId;
use motet_property::{
    Basic, Bound, Claim, Extremum, Formula, Fragment, Interval, Path, Query, Relation, RewardGoal,
    Subformula, Unit, fragment,
};

/// Whether a number in a claim is another one over all strategies than over the fair ones, where there are several at all.
pub(crate) fn depends_on_fairness(path: &Path<AtomId>) -> bool {
    let mut depends = false;
    path.for_each_state(&mut |formula| depends |= in_formula(formula));
    depends
}

/// Whether a claim speaks of single states only, so that it does not matter how runs go on.
pub(crate) fn is_about_states(claim: &Claim<AtomId>) -> bool {
    matches!(fragment(claim), Fragment::Invariant(_) | Fragment::Reachability(_))
}

fn in_formula(formula: &Formula<AtomId>) -> bool {
    let itself = match formula {
        Formula::Chance(extremum, query, path) => {
            effective(*extremum, query).is_some_and(|it| is_other(path, it))
        }
        Formula::Reward(_, extremum, query, goal) => {
            effective(*extremum, query).is_some_and(|it| is_other_reward(goal, it))
        }
        // Where one can stay for ever is another question.
        Formula::Steady(..) => true,
        Formula::Knows(..) | Formula::Timer(..) | Formula::Past(_) | Formula::Wait(..) => return false,
        _ => false,
    };
    let inside = |part| match part {
        Subformula::Path(path) => depends_on_fairness(path),
        Subformula::State(formula) => in_formula(formula),
    };
    itself || formula.children().any(inside)
}

/// Over which strategies; `None` where there can be one only.
fn effective(extremum: Option<Extremum>, query: &Query) -> Option<Extremum> {
    extremum.or(match query {
        Query::Compare(Relation::Ge | Relation::Gt, _) => Some(Extremum::Min),
        Query::Compare(Relation::Le | Relation::Lt, _) => Some(Extremum::Max),
        _ => None,
    })
}

/// Whether every run has come to the bound after so many steps, so that the beginnings of runs decide.
fn is_over(when: &Interval) -> bool {
    when.high.as_ref().is_some_and(in_steps)
}

fn in_steps(bound: &Bound) -> bool {
    matches!(bound.unit, None | Some(Unit::Steps))
}

/// Whether the chance is another one. The greatest chance to get somewhere is not, and neither is the least never to.
fn is_other(path: &Path<AtomId>, extremum: Extremum) -> bool {
    let now = |path: &Path<AtomId>| matches!(path, Path::Now(_));
    match path {
        Path::Now(_) => false,
        Path::Not(inner) => is_other(inner, opposite(extremum)),
        Path::Next(inner) => !now(inner),
        Path::Eventually(when, goal) => !now(goal) || extremum == Extremum::Min && !is_over(when),
        Path::Always(when, inner) => !now(inner) || extremum == Extremum::Max && !is_over(when),
        Path::Until(until, when, a, b) => {
            let open = match until.define((), (), |_, (), ()| ()) {
                Basic::Until(..) => Extremum::Min,
                Basic::Release(..) => Extremum::Max,
            };
            !now(a) || !now(b) || extremum == open && !is_over(when)
        }
        _ => true,
    }
}

/// Whether the expected reward is another one.
fn is_other_reward(goal: &RewardGoal<AtomId>, extremum: Extremum) -> bool {
    match goal {
        RewardGoal::Until(_) => extremum == Extremum::Max,
        RewardGoal::Cumulative(None) => extremum == Extremum::Min,
        RewardGoal::Cumulative(Some(bound)) | RewardGoal::Instant(bound) => !in_steps(bound),
        RewardGoal::Average => true,
    }
}

fn opposite(extremum: Extremum) -> Extremum {
    match extremum {
        Extremum::Min => Extremum::Max,
        Extremum::Max => Extremum::Min,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: Option<Unit> = Some(Unit::Steps);

    fn within(unit: Option<Unit>) -> Interval {
        let high = Some(Bound { amount: 3, unit, strict: false });
        if unit.is_some() { Interval { low: None, high } } else { Interval::default() }
    }

    fn eventually(when: Interval) -> Path<AtomId> {
        Path::Eventually(when, Box::new(Path::Now(Formula::Atom(AtomId(0)))))
    }

    fn chance(extremum: Extremum, path: Path<AtomId>) -> bool {
        let formula = Formula::Chance(Some(extremum), Query::Value, Box::new(path));
        depends_on_fairness(&Path::Now(formula))
    }

    fn reward(extremum: Extremum, goal: RewardGoal<AtomId>) -> bool {
        let formula = Formula::Reward(None, Some(extremum), Query::Value, Box::new(goal));
        depends_on_fairness(&Path::Now(formula))
    }

    #[test]
    fn the_greatest_chance_and_what_is_over_after_some_steps_are_as_over_all_strategies() {
        let not = |path| Path::Not(Box::new(path));
        assert!(!chance(Extremum::Max, eventually(within(None))));
        assert!(chance(Extremum::Min, eventually(within(None))));
        assert!(!chance(Extremum::Min, not(eventually(within(None)))));
        assert!(!chance(Extremum::Min, eventually(within(STEPS))));
        // An instant may last for ever, unless that starves somebody.
        assert!(chance(Extremum::Min, eventually(within(Some(Unit::Cycles)))));
        let again = Path::Always(within(None), Box::new(eventually(within(None))));
        assert!(chance(Extremum::Max, again.clone()) && chance(Extremum::Min, again));
    }

    #[test]
    fn the_least_reward_before_a_goal_and_the_greatest_in_all_are_as_over_all_strategies() {
        let goal = || RewardGoal::Until(eventually(within(None)));
        assert!(reward(Extremum::Max, goal()) && !reward(Extremum::Min, goal()));
        assert!(!reward(Extremum::Max, RewardGoal::Cumulative(None)));
        assert!(reward(Extremum::Min, RewardGoal::Cumulative(None)));
        assert!(reward(Extremum::Max, RewardGoal::Average));
    }
}
