//! Claims explained without checking them: in words, in symbols, how they are answered, and what shows them.

use motet_engine::automata::{
    Automaton, Column, Example, Examples, NoExample, SmallSystem, examples, small_systems,
};
use motet_evidence::{Fairness, Over};
use motet_model::{AtomId, AtomText, Options, TimeUnit, Vocabulary};
use motet_property::{
    Claim, Feature, Formula, Fragment, Interval, Kind, Path, Unit, english, english_claim, features,
    fragment, lint, lower_all, parse_formula, print_formula,
};
use motet_render::{ExampleRun, ExampleRuns, ExampleSystem, ExampleSystems, Reading, Sketch};
use motet_source::{File, FileId, Problems, Sources, Spanned};

use crate::explaining::knowledge::situations;
use crate::loading::load::Ready;

/// Explains a claim of a model.
#[must_use]
pub fn read_claim(ready: &Ready, claim: &Claim<AtomId>) -> Reading {
    let over = match ready.fairness() {
        Fairness::None => Over::All,
        Fairness::Weak => Over::WeaklyFair,
        Fairness::Strong => Over::StronglyFair,
    };
    reading(claim, &ready.atoms, over.words().unwrap_or_default())
}

/// Which strategies numbers are over where no model says which runs count.
const AS_RUNS: &str = "the strategies that are as fair as the runs of the model";

/// Explains formulas without a model: every name is an atom. The claims are called `formula`.
#[must_use]
pub fn read_formulas(formulas: &[String], options: &Options) -> (Vec<Reading>, Sources, Problems) {
    let (mut sources, mut problems) = (Sources::new(), Problems::new());
    let mut files = Vec::new();
    for formula in formulas {
        let id = sources.add("-e", formula.as_str());
        let (mut file, found) = parse_formula(id, formula, None);
        file.declare(options.parameters.keys().map(String::as_str));
        problems.extend(found);
        files.push(file);
    }
    let files: Vec<_> = files.iter().collect();
    let vocabulary = Vocabulary::default();
    let lowered = lower_all(&files, &vocabulary, &options.parameters, &mut problems);
    lint(&lowered, &vocabulary, TimeUnit::Milliseconds, &mut problems);
    let readings = match problems.has_errors() {
        true => Vec::new(),
        false => lowered.claims.iter().map(|claim| reading(claim, &lowered.atoms, AS_RUNS)).collect(),
    };
    (readings, sources, problems)
}

fn reading(claim: &Claim<AtomId>, atoms: &[Spanned<AtomText>], over: &str) -> Reading {
    let (logic, answered) = answered(claim);
    let numbers = [Feature::Chance, Feature::LongRun, Feature::Reward];
    let has_numbers = features(&claim.formula).iter().any(|feature| numbers.contains(feature));
    Reading {
        name: claim.name.clone(),
        kind: claim.kind,
        words: claim.words.clone(),
        text: claim.text.clone(),
        english: english_claim(claim, atoms),
        formula: print_formula(&claim.formula, atoms),
        logic,
        answered,
        over: has_numbers.then(|| over.to_owned()),
        shown: shown(claim, atoms),
    }
}

/// The logic a claim lies in, and how it is answered.
fn answered(claim: &Claim<AtomId>) -> (&'static str, String) {
    let (logic, how) = match fragment(claim) {
        Fragment::Ltl if claim.speaks_of_the_start() => (
            "the start: it speaks of the first state of a run alone",
            "the states in which runs begin are looked at, and no others",
        ),
        Fragment::Invariant(_) => (
            "an invariant: it speaks of single states",
            "every reachable state is looked at; a state that breaks it ends a shortest run",
        ),
        Fragment::Reachability(_) => (
            "reachability: it speaks of single states",
            "a state is looked for, nearest to the start first; a shortest run there is shown",
        ),
        Fragment::Ltl => return ("linear time (LTL)", linear(claim)),
        Fragment::Ctl => (
            "branching time (CTL)",
            "states are marked from the innermost operator outwards, by fixpoints over all reachable states",
        ),
        Fragment::CtlStar => (
            "branching and linear time mixed (CTL*)",
            "path formulas inside are answered first, state by state; what is left is linear time",
        ),
        Fragment::Timed => (
            "time: bounds, clocks or the past",
            "states are written out with the time that matters, a run on which it fails is looked for, and the worst \
             case over all runs is measured",
        ),
        Fragment::Knowledge => (
            "knowledge",
            "an agent knows in a state what holds in all reachable states that look the same to it",
        ),
        Fragment::Chance => (
            "probability",
            "equations over the states of the Markov chain or decision process are solved, with certified bounds or as \
             fractions",
        ),
        Fragment::Reward => (
            "expected rewards",
            "equations over the states of the Markov chain or decision process are solved, with certified bounds or as \
             fractions",
        ),
    };
    (logic, how.to_owned())
}

fn linear(claim: &Claim<AtomId>) -> String {
    let (wanted, formula) = match claim.kind {
        Kind::Possible => ("satisfies", claim.formula.clone()),
        _ => ("violates", Path::Not(Box::new(claim.formula.clone()))),
    };
    match Automaton::of(&formula, TimeUnit::Steps) {
        Ok(automaton) => {
            let n = automaton.transitions.len();
            let states = if n == 1 { "state" } else { "states" };
            format!("a run that {wanted} it is looked for: one that an automaton with {n} {states} accepts")
        }
        Err(_) => format!("a run that {wanted} it is looked for"),
    }
}

/// What shows a claim. A possibility is shown by a run that gets there and one that does not.
fn shown(claim: &Claim<AtomId>, atoms: &[Spanned<AtomText>]) -> Sketch {
    let path = match (&claim.formula, claim.kind) {
        (Path::Now(_), Kind::Possible) => {
            Path::Eventually(Interval::default(), Box::new(claim.formula.clone()))
        }
        (formula, _) => formula.clone(),
    };
    let branching = features(&path).contains(&Feature::Branching);
    match examples(&path) {
        Ok(found) if claim.speaks_of_the_start() => runs(later_differs(&path, found), branching, atoms),
        Ok(found) if branching && (found.satisfied.is_none() || found.violated.is_none()) => {
            systems(&path, atoms).unwrap_or_else(|| runs(found, branching, atoms))
        }
        Ok(found) => runs(found, branching, atoms),
        Err(NoExample::Knowledge) => {
            let (satisfied, violated) = situations(&path, atoms);
            Sketch::Situations(satisfied, violated)
        }
        Err(NoExample::Number) => Sketch::Nothing("a number is a matter of all runs together"),
        Err(NoExample::Clock) => Sketch::Nothing("clocks and the past need a run of a model"),
        Err(NoExample::Bounds) => Sketch::Nothing(
            "the bounds count different things, or are too far apart for a run that fits a page",
        ),
        Err(NoExample::Automaton) => Sketch::Nothing("an automaton shows its words itself"),
        Err(NoExample::Large) => Sketch::Nothing("the formula is too large for runs that fit a page"),
    }
}

/// The examples of a claim about the start, with runs on which what it says changes at once: it says nothing of what comes
/// later.
fn later_differs(path: &Path<AtomId>, mut found: Examples) -> Examples {
    let not = |path: &Path<AtomId>| Path::Not(Box::new(path.clone()));
    let turned = |first: &Path<AtomId>, later: Path<AtomId>| {
        let later = Path::Next(Box::new(Path::Always(Interval::default(), Box::new(later))));
        let turned = examples(&Path::And(Box::new(first.clone()), Box::new(later))).ok()?;
        (turned.columns == found.columns).then_some(turned.satisfied).flatten()
    };
    let satisfied = turned(path, not(path));
    let violated = turned(&not(path), path.clone());
    found.satisfied = satisfied.or(found.satisfied);
    found.violated = violated.or(found.violated);
    found
}

fn runs(found: Examples, branching: bool, atoms: &[Spanned<AtomText>]) -> Sketch {
    let word = |example: Example| ExampleRun { rows: example.letters, back: example.back };
    let column = |column: &Column| match column {
        Column::Atom(atom) => told(*atom, atoms),
        Column::Deadlock => "deadlock".to_owned(),
    };
    Sketch::Runs(Box::new(ExampleRuns {
        columns: found.columns.iter().map(column).collect(),
        tick: found.tick.filter(|(_, unit)| *unit != Unit::Steps),
        satisfied: found.satisfied.map(word),
        violated: found.violated.map(word),
        remark: branching.then_some("each stands for a system that has this run alone"),
    }))
}

fn systems(path: &Path<AtomId>, atoms: &[Spanned<AtomText>]) -> Option<Sketch> {
    let Path::Now(formula) = path else { return None };
    let found = small_systems(formula)?;
    let small = |system: SmallSystem| ExampleSystem { rows: system.states, next: system.next };
    Some(Sketch::Systems(Box::new(ExampleSystems {
        columns: found.atoms.iter().map(|atom| told(*atom, atoms)).collect(),
        satisfied: found.satisfied.map(small),
        violated: found.violated.map(small),
    })))
}

/// An atom in words.
fn told(atom: AtomId, atoms: &[Spanned<AtomText>]) -> String {
    english(&Path::Now(Formula::Atom(atom)), atoms)
}

/// A claims file in its canonical form, with a formula for every sentence, and the names of those that stay sentences
/// because they speak of names of a model.
///
/// # Errors
/// The problems of a file that cannot be read as claims of our own: what was not understood would be lost.
pub fn format_formulas(id: FileId, file: &File) -> Result<(String, Vec<String>), Problems> {
    let (tree, problems) = motet_property::parse(id, &file.text, None);
    if problems.has_errors() {
        return Err(problems);
    }
    let (text, kept) = motet_property::format_formulas(&tree);
    Ok((crate::checking::telling::read_back(id, text)?, kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_about_numbers_says_which_strategies_they_are_over() {
        let formulas = ["Pmin=? [ F p ]", "Rmax<=3 [ F p ]", "Smin=? [ p ]", "G p"].map(str::to_owned);
        let (readings, _, problems) = read_formulas(&formulas, &Options::default());
        assert!(!problems.has_errors(), "{problems:?}");
        let over: Vec<Option<&str>> = readings.iter().map(|reading| reading.over.as_deref()).collect();
        assert_eq!(over, [Some(AS_RUNS), Some(AS_RUNS), Some(AS_RUNS), None]);
        let text = readings[0].text(&motet_render::View::default());
        assert!(text.contains("numbers   over the strategies that are as fair as the runs"), "{text}");
    }
}
