//! Two short words that show what a linear-time formula says: one that satisfies it and one that violates it.
//!
//! The automaton of the formula says whether there is such a word at all. All words with few letters are then looked at,
//! sixty-four at a time, so that the answer is as short as can be. Of the words that satisfy a formula one is preferred in
//! which as many of its literals as possible matter: without the literal the word would not satisfy it. So `G (a -> F b)`
//! is shown by a word in which `a` occurs (an interesting witness in the sense of Beer, Ben-David, Eisner and Rodeh,
//! "Efficient detection of vacuity in temporal model checking", 2001).

use motet_model::AtomId;
use motet_property::{Path, Unit};

use super::automaton::Automaton;
use super::formula::{Formulas, Moments, Node};
use super::lanes::{Shape, Words, for_words};
use super::literal::{Literals, Mutation};
use super::scale::{Scaled, scaled};
use super::translate::translate;
use crate::linear_time::linear::Sign;

/// Words of more letters than this are looked for in the automaton alone.
const LETTERS_MAX: usize = 6;
/// A satisfying word may be this much longer than the shortest one, if more of the formula matters in it.
const LONGER_MAX: usize = 2;
/// So many words of one length are looked at, as a power of two.
const BITS_MAX: usize = 16;
/// Literals whose part in the formula is looked at.
const LITERALS_MAX: usize = 24;

/// What a column of an example is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// An atom.
    Atom(AtomId),
    /// Whether nothing can happen any more.
    Deadlock,
}

/// A word that goes on at `back` after its last letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Per letter, per column.
    pub letters: Vec<Vec<bool>>,
    /// Where it goes on.
    pub back: usize,
}

/// Two words that show what a formula says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examples {
    /// What the letters are about.
    pub columns: Vec<Column>,
    /// How long each letter lasts, where the formula has bounds.
    pub tick: Option<(u64, Unit)>,
    /// A word that satisfies it; `None` if none does.
    pub satisfied: Option<Example>,
    /// A word that violates it; `None` if none does.
    pub violated: Option<Example>,
}

/// Why there are no example words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoExample {
    /// The formula is about what agents know: one run does not show it.
    Knowledge,
    /// The formula is about numbers: chances, rewards, times.
    Number,
    /// The formula has clocks or looks back.
    Clock,
    /// Its bounds count different things, or are too far apart for a word that fits a page.
    Bounds,
    /// The formula is an automaton.
    Automaton,
    /// The formula is too large.
    Large,
}

/// Examples of a formula. Path quantifiers are taken away: the words stand for systems that have one run.
///
/// # Errors
/// Why one word says nothing about the formula, or cannot be found.
pub fn examples(path: &Path<AtomId>) -> Result<Examples, NoExample> {
    let Scaled { path, tick } = scaled(path)?;
    let mut literals = Literals::new(&path);
    if literals.columns.len() > BITS_MAX {
        return Err(NoExample::Large);
    }
    let satisfied = literals.example(&path, Sign::Plain)?;
    let violated = literals.example(&path, Sign::Negated)?;
    Ok(Examples { columns: literals.columns, tick, satisfied, violated })
}

impl Literals {
    fn example(&mut self, path: &Path<AtomId>, sign: Sign) -> Result<Option<Example>, NoExample> {
        let mut formulas = Formulas::new(Moments::States);
        let root = self.root(&mut formulas, path, sign, Mutation::None)?;
        let whole = self.with_deadlock(&mut formulas, root);
        let automaton = translate(&formulas, whole).map_err(|_| NoExample::Large)?;
        let Some(found) = run(&automaton) else { return Ok(None) };
        let mut mutants = Vec::new();
        // A violation is shown best by the shortest word; only what satisfies can do so for no reason.
        if sign == Sign::Plain {
            for number in 0..self.n_literals(path).min(LITERALS_MAX) {
                mutants.push(self.root(&mut formulas, path, sign, Mutation::Lost(number))?);
            }
        }
        let search = Search { formulas: &formulas, whole, mutants: &mutants, n_columns: self.columns.len() };
        Ok(Some(search.shortest().unwrap_or_else(|| self.of_run(&formulas, whole, &found))))
    }

    /// The word of a run of the automaton: what no transition asks for is false.
    fn of_run(&self, formulas: &Formulas, whole: Node, run: &Run) -> Example {
        let used = formulas.used(whole);
        let column = |bit: usize| self.column_of(formulas.proposition(used[bit]));
        let letter = |positive: &u64| {
            let mut letter = vec![false; self.columns.len()];
            (0..used.len()).filter(|bit| positive >> bit & 1 == 1).for_each(|bit| letter[column(bit)] = true);
            letter
        };
        Example { letters: run.positive.iter().map(letter).collect(), back: run.back }
    }
}

struct Search<'a> {
    formulas: &'a Formulas,
    whole: Node,
    mutants: &'a [Node],
    n_columns: usize,
}

/// How good a word is: more literals that matter first, then fewer letters, then fewer truths, then a shorter loop.
type Worth = (usize, isize, i32, isize);

impl Search<'_> {
    fn shortest(&self) -> Option<Example> {
        let mut best: Option<(Worth, Example)> = None;
        let mut longest = LETTERS_MAX;
        for n in 1..=LETTERS_MAX {
            if n > longest || n * self.n_columns > BITS_MAX {
                break;
            }
            for_words(n, self.n_columns, &mut |words| self.look(words, &mut best));
            match &best {
                Some(((matter, ..), _)) if *matter == self.mutants.len() => break,
                Some(_) => longest = longest.min(n + LONGER_MAX),
                None => {}
            }
        }
        best.map(|(_, example)| example)
    }

    fn look(&self, words: &Words, best: &mut Option<(Worth, Example)>) {
        let mut fitting = words.value(self.formulas, self.whole);
        if fitting == 0 {
            return;
        }
        let lost: Vec<u64> = self.mutants.iter().map(|mutant| words.value(self.formulas, *mutant)).collect();
        while fitting != 0 {
            let lane = fitting.trailing_zeros();
            fitting &= fitting - 1;
            let matter = lost.iter().filter(|lost| **lost >> lane & 1 == 0).count();
            let Shape { n, back } = words.shape;
            let truths = i32::try_from(words.truths(lane)).expect("words are short");
            let worth = (matter, -(n as isize), -truths, back as isize);
            if best.as_ref().is_none_or(|(known, _)| worth > *known) {
                *best = Some((worth, Example { letters: words.letters(lane), back }));
            }
        }
    }
}

/// An accepting run of an automaton as a lasso.
struct Run {
    /// Per transition, the propositions it asks for.
    positive: Vec<u64>,
    back: usize,
}

/// A run with a shortest way into an accepting component, and round it; `None` if the automaton accepts nothing.
fn run(automaton: &Automaton) -> Option<Run> {
    let (component, n_components) = automaton.components();
    let inside = automaton.sets_inside(&component, n_components);
    let all = automaton.all_sets();
    let accepting =
        |state: u32| inside[component[state as usize] as usize].is_some_and(|sets| sets & all == all);
    let way = walk(automaton, 0, &|_| true, &|state, _| accepting(state))?;
    let start = way.last().map_or(0, |&(state, at)| automaton.transitions[state as usize][at].target);
    let here = component[start as usize];
    let stays = |state: u32| component[state as usize] == here;
    // Once round: to a transition of every acceptance set, and back to where the loop began.
    let (mut round, mut at, mut met) = (Vec::new(), start, 0);
    while met & all != all || round.is_empty() {
        let wanted =
            |_: u32, sets: Option<u32>| sets.is_some_and(|sets| sets & !met != 0 || met & all == all);
        round.extend(walk(automaton, at, &stays, &wanted)?);
        (at, met) = sets_of(automaton, &round, start);
    }
    round.extend(walk(automaton, at, &stays, &|state, _| state == start)?);
    let back = way.len();
    let labels = way.iter().chain(&round).map(|&(state, at)| automaton.transitions[state as usize][at].label);
    Some(Run { positive: labels.map(|label| label.positive).collect(), back })
}

fn sets_of(automaton: &Automaton, round: &[(u32, usize)], start: u32) -> (u32, u32) {
    let transitions = || round.iter().map(|&(state, at)| automaton.transitions[state as usize][at]);
    let sets = transitions().fold(0, |sets, transition| sets | transition.sets);
    (transitions().next_back().map_or(start, |transition| transition.target), sets)
}

/// A shortest sequence of transitions, each as its state and number, from a state over allowed states to a wanted end: a
/// state together with the acceptance sets of the transition that reached it, `None` at the very start.
fn walk(
    automaton: &Automaton,
    from: u32,
    allowed: &dyn Fn(u32) -> bool,
    wanted: &dyn Fn(u32, Option<u32>) -> bool,
) -> Option<Vec<(u32, usize)>> {
    if wanted(from, None) {
        return Some(Vec::new());
    }
    let mut came: Vec<Option<(u32, usize)>> = vec![None; automaton.transitions.len()];
    let mut queue = std::collections::VecDeque::from([from]);
    let way_to = |came: &[Option<(u32, usize)>], last: (u32, usize)| {
        let (mut way, mut at) = (vec![last], last.0);
        while at != from {
            let step = came[at as usize].expect("every state of the queue was reached");
            way.push(step);
            at = step.0;
        }
        way.reverse();
        way
    };
    while let Some(state) = queue.pop_front() {
        for (number, transition) in automaton.transitions[state as usize].iter().enumerate() {
            let target = transition.target;
            if !allowed(target) {
                continue;
            }
            if wanted(target, Some(transition.sets)) {
                return Some(way_to(&came, (state, number)));
            }
            if target != from && came[target as usize].is_none() {
                came[target as usize] = Some((state, number));
                queue.push_back(target);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use motet_property::{Formula, Interval};

    fn atom(number: u32) -> Path<AtomId> {
        Path::Now(Formula::Atom(AtomId(number)))
    }

    fn rows(example: Option<Example>) -> (Vec<String>, usize) {
        let example = example.expect("there is such a word");
        let row = |letter: &Vec<bool>| letter.iter().map(|truth| if *truth { '+' } else { '-' }).collect();
        (example.letters.iter().map(row).collect(), example.back)
    }

    #[test]
    fn a_response_is_shown_with_its_trigger() {
        let eventually = |path| Path::Eventually(Interval::default(), Box::new(path));
        let response = Path::Implies(Box::new(atom(0)), Box::new(eventually(atom(1))));
        let found = examples(&Path::Always(Interval::default(), Box::new(response))).expect("linear time");
        assert_eq!(rows(found.satisfied), (vec!["++".to_owned(), "--".to_owned()], 1));
        assert_eq!(rows(found.violated), (vec!["+-".to_owned()], 0));
    }

    #[test]
    fn a_contradiction_has_no_word_and_a_tautology_none_against_it() {
        let never = Path::Not(Box::new(atom(0)));
        let found = examples(&Path::And(Box::new(atom(0)), Box::new(never.clone()))).expect("linear time");
        assert_eq!(found.satisfied, None);
        let found = examples(&Path::Or(Box::new(atom(0)), Box::new(never))).expect("linear time");
        assert_eq!(found.violated, None);
    }

    #[test]
    fn nothing_changes_behind_a_deadlock() {
        let deadlock = Path::Now(Formula::Deadlock);
        let later = Path::Next(Box::new(Path::Not(Box::new(atom(0)))));
        let here = Path::And(Box::new(deadlock), Box::new(atom(0)));
        assert_eq!(
            examples(&Path::And(Box::new(here), Box::new(later))).expect("linear time").satisfied,
            None
        );
    }
}
