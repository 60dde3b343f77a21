//! Two models state by state: whether every state of one behaves as some state of the other, claim by claim of single states, step by step,
//! chance by chance.
//!
//! Both are written out from the definition and refined together (Paige and Tarjan's relation, without their cleverness): states that
//! differ in a truth are told apart, and then states whose steps lead elsewhere, until nothing changes.

use std::collections::{BTreeMap, BTreeSet};

use motet_model::{AtomId, Ratio, State, Steps};
use motet_property::{Formula, Path};
use motet_workbench::Ready;

/// A model written out.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The number of states that runs start in.
    pub n_initial: usize,
    /// Per state: what can be seen of it.
    pub views: Vec<String>,
    /// Per state: its steps.
    pub steps: Vec<Vec<Move>>,
}

/// A step: what can be seen of it, and its outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// What can be seen of it.
    pub view: String,
    /// Where it may lead, with which chance.
    pub outcomes: Vec<(usize, Ratio)>,
}

/// What two models have in common, of which one was made of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// All words about states and steps.
    Words,
    /// The truth of claims about single states, and the words about steps.
    TruthsAndSteps,
    /// The truth of claims about single states.
    Truths,
}

/// The truths of all claims of a model that are about single states.
#[must_use]
pub fn truths(ready: &Ready, state: &State) -> Vec<bool> {
    let model = ready.system.model.as_ref();
    let holds = |atom: AtomId| model.holds(atom, state);
    let claims = ready.claims.iter().filter_map(|claim| match &claim.formula {
        Path::Now(formula) => truth(formula, &holds),
        _ => None,
    });
    claims.collect()
}

fn truth(formula: &Formula<AtomId>, holds: &dyn Fn(AtomId) -> bool) -> Option<bool> {
    match formula {
        Formula::True => Some(true),
        Formula::False => Some(false),
        Formula::Atom(atom) => Some(holds(*atom)),
        Formula::Not(a) => truth(a, holds).map(|a| !a),
        _ => {
            let (connective, a, b) = formula.joined()?;
            Some(connective.of(truth(a, holds)?, truth(b, holds)?))
        }
    }
}

/// A loaded model written out; `None` if it has more states than these or does not say what comes next.
#[must_use]
pub fn written(ready: &Ready, seen: Seen, most: usize) -> Option<Written> {
    let (model, words) = (ready.system.model.as_ref(), ready.system.words.as_ref());
    let view = |state: &State| match seen {
        Seen::Words => format!("{:?}", words.snapshot(state)),
        Seen::TruthsAndSteps | Seen::Truths => format!("{:?}", truths(ready, state)),
    };
    let told = |action| if seen == Seen::Truths { String::new() } else { words.action(action) };
    let mut states = Vec::new();
    model.initial(&mut states);
    let mut numbers: BTreeMap<Box<State>, usize> = BTreeMap::new();
    let mut all: Vec<Box<State>> = Vec::new();
    let mut number = |state: &State, all: &mut Vec<Box<State>>| {
        *numbers.entry(state.into()).or_insert_with(|| {
            all.push(state.into());
            all.len() - 1
        })
    };
    for state in &states {
        number(state, &mut all);
    }
    let mut written = Written { n_initial: all.len(), ..Written::default() };
    let mut steps = Steps::new(model.signature().slots.len());
    let mut from = 0;
    while from < all.len() {
        if all.len() > most {
            return None;
        }
        steps.clear();
        model.steps(&all[from], &mut steps).ok()?;
        let mut own = Vec::new();
        for step in steps.iter() {
            let possible = step.branches().filter(|branch| !branch.chance.is_zero());
            let outcomes = possible.map(|branch| (number(branch.target, &mut all), branch.chance)).collect();
            own.push(Move { view: told(step.action), outcomes });
        }
        written.views.push(view(&all[from]));
        written.steps.push(own);
        from += 1;
    }
    Some(written)
}

/// Where the chance of a step goes, by class.
type Outcome = BTreeMap<usize, Ratio>;

/// The same as numbers that can be compared.
fn fractions(outcome: &Outcome) -> Vec<(usize, Ratio)> {
    outcome.iter().map(|(end, share)| (*end, *share)).collect()
}

/// Per state of both: its class. Equal classes mean that nothing tells the states apart.
fn classes(one: &Written, other: &Written) -> Vec<usize> {
    let both = [(one, 0), (other, one.views.len())];
    let mut class = numbered(both.iter().flat_map(|(written, _)| written.views.clone()));
    loop {
        let mut views = Vec::new();
        for (written, base) in both {
            for (state, steps) in written.steps.iter().enumerate() {
                let parts = |step: &Move| {
                    let mut outcome = Outcome::new();
                    for (target, chance) in &step.outcomes {
                        let sum = outcome.entry(class[base + target]).or_insert(Ratio::ZERO);
                        *sum = sum.checked_add(*chance).expect("small fractions");
                    }
                    (step.view.clone(), fractions(&outcome))
                };
                let outcomes: BTreeSet<_> = steps.iter().map(parts).collect();
                views.push((class[base + state], outcomes));
            }
        }
        let refined = numbered(views.into_iter());
        let n = |class: &[usize]| class.iter().max().map_or(0, |last| last + 1);
        if n(&refined) == n(&class) {
            return refined;
        }
        class = refined;
    }
}

/// Equal things get equal numbers.
fn numbered<T: Ord>(things: impl Iterator<Item = T>) -> Vec<usize> {
    let mut numbers = BTreeMap::new();
    things
        .map(|thing| {
            let next = numbers.len();
            *numbers.entry(thing).or_insert(next)
        })
        .collect()
}

/// Whether both start in the same ways.
///
/// # Errors
/// How they differ.
pub fn bisimilar(one: &Written, other: &Written) -> Result<(), String> {
    let class = classes(one, other);
    let offset = one.views.len();
    let starts = |range: std::ops::Range<usize>| range.map(|state| class[state]).collect::<BTreeSet<_>>();
    let (ours, theirs) = (starts(0..one.n_initial), starts(offset..offset + other.n_initial));
    if ours == theirs {
        Ok(())
    } else {
        Err(format!("the initial states behave differently: {ours:?} {theirs:?}"))
    }
}

/// Whether both are the same up to the numbers of their states: as many states of each class, and as many steps.
///
/// # Errors
/// How they differ.
pub fn same(one: &Written, other: &Written) -> Result<(), String> {
    bisimilar(one, other)?;
    let (n_one, n_other) = (one.views.len(), other.views.len());
    let n_steps = |written: &Written| written.steps.iter().map(Vec::len).sum::<usize>();
    if (n_one, n_steps(one)) != (n_other, n_steps(other)) {
        let (ours, theirs) = (n_steps(one), n_steps(other));
        return Err(format!("{n_one} states with {ours} steps, and {n_other} with {theirs}"));
    }
    let class = classes(one, other);
    let tally = |classes: &[usize]| {
        let mut tally: BTreeMap<usize, usize> = BTreeMap::new();
        classes.iter().for_each(|class| *tally.entry(*class).or_insert(0) += 1);
        tally
    };
    if tally(&class[..n_one]) == tally(&class[n_one..]) {
        Ok(())
    } else {
        Err("some class has other numbers of states".to_owned())
    }
}

/// A model of which only some moments count, the start among them: `counts` says of every other moment whether it does. What is chosen and drawn
/// in between is one step. `None` if more than so many steps are, or too much is chosen in them.
#[must_use]
pub fn contracted(fine: &Written, counts: &dyn Fn(usize) -> bool, most: u32) -> Option<Written> {
    let mut kept: Vec<usize> = (0..fine.n_initial).collect();
    let mut numbers: BTreeMap<usize, usize> =
        kept.iter().enumerate().map(|(at, state)| (*state, at)).collect();
    let mut coarse = Written { n_initial: fine.n_initial, ..Written::default() };
    let mut from = 0;
    while from < kept.len() {
        let mut own = Vec::new();
        for outcome in chosen(fine, kept[from], counts, most)? {
            let mut step = Vec::new();
            for (target, chance) in outcome {
                let next = kept.len();
                let number = *numbers.entry(target).or_insert(next);
                if number == next {
                    kept.push(target);
                }
                step.push((number, chance));
            }
            own.push(Move { view: String::new(), outcomes: step });
        }
        coarse.views.push(fine.views[kept[from]].clone());
        coarse.steps.push(own);
        from += 1;
    }
    Some(coarse)
}

/// Everything that can come until a moment counts: a choice at each moment, and the chances of all draws.
fn outcomes(fine: &Written, state: usize, counts: &dyn Fn(usize) -> bool, most: u32) -> Option<Vec<Outcome>> {
    match (counts(state), most) {
        (true, _) => Some(vec![Outcome::from([(state, Ratio::ONE)])]),
        (false, 0) => None,
        (false, _) => chosen(fine, state, counts, most),
    }
}

/// The same after at least one step.
fn chosen(fine: &Written, state: usize, counts: &dyn Fn(usize) -> bool, most: u32) -> Option<Vec<Outcome>> {
    let mut all: BTreeSet<Vec<(usize, Ratio)>> = BTreeSet::new();
    let mut found = Vec::new();
    for step in &fine.steps[state] {
        let mut ways = vec![Outcome::new()];
        for (target, chance) in &step.outcomes {
            let later = outcomes(fine, *target, counts, most - 1)?;
            let mut more = Vec::new();
            for (way, then) in ways.iter().flat_map(|way| later.iter().map(move |then| (way, then))) {
                let mut sum = way.clone();
                for (end, share) in then {
                    let entry = sum.entry(*end).or_insert(Ratio::ZERO);
                    *entry = entry.checked_add(chance.checked_mul(*share)?)?;
                }
                more.push(sum);
            }
            ways = more;
            if ways.len() > 4096 {
                return None;
            }
        }
        for way in ways {
            if all.insert(fractions(&way)) {
                found.push(way);
            }
        }
    }
    Some(found)
}
