//! Claims made stronger: one occurrence of a part is replaced by the constant that asks for more.
//!
//! An occurrence has a polarity. Under an even number of negations a claim is the stronger the less often the part holds,
//! so `false` is the strongest that can stand there; under an odd number it is `true` (Kupferman and Vardi, *Vacuity
//! detection in temporal model checking*, 2003). `a <-> b` is taken as `(a -> b) & (b -> a)`, so that every occurrence has
//! one polarity. Where a formula neither grows nor shrinks with a part, such as a reward with its goal, the part is left as
//! it is.

use motet_model::AtomId;
use motet_property::{Change, Formula, Path, Query, Relation, Timer};

use crate::formulas::simplify::{path_of, simplified, state_of};

/// An occurrence of a part in a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The part as written.
    pub(crate) formula: Path<AtomId>,
    /// What makes the claim stronger in its place.
    pub(crate) constant: bool,
    /// Which child to take, from the whole claim down to it.
    place: Vec<usize>,
    /// The parts it is made of; none for atoms and whatever is taken as one.
    pub(crate) parts: Vec<Part>,
}

impl Part {
    /// The claim with the constant in place of this part, without what that makes needless.
    pub(crate) fn strengthen(&self, claim: &Path<AtomId>) -> Path<AtomId> {
        let mut replace = Replace { place: &self.place, constant: self.constant };
        simplified(&replace.in_path(claim))
    }

    /// How many parts there are in it, itself included; counted up to `most`.
    pub(crate) fn size(&self, most: usize) -> usize {
        self.parts.iter().fold(1, |sum, part| if sum > most { sum } else { sum + part.size(most) })
    }
}

/// The parts of a claim without equivalences, as a tree whose root is the claim itself. Constants are no parts.
pub(crate) fn parts(claim: &Path<AtomId>) -> Part {
    let mut place = Vec::new();
    of_path(claim, Polarity::Positive, &mut place)
}

/// Whether a claim grows or shrinks with a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Polarity {
    Positive,
    Negative,
}

impl Polarity {
    fn flip(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
        }
    }
}

/// What a formula is made of.
enum Child<'a> {
    Path(&'a Path<AtomId>, Polarity),
    State(&'a Formula<AtomId>, Polarity),
}

fn of_path(path: &Path<AtomId>, polarity: Polarity, place: &mut Vec<usize>) -> Part {
    use Child::Path as On;
    let children = match path {
        Path::Now(formula) => {
            place.push(0);
            let part = of_state(formula, polarity, place);
            place.pop();
            return part;
        }
        Path::Not(a) => vec![On(a, polarity.flip())],
        Path::Next(a) | Path::Eventually(_, a) | Path::Always(_, a) => vec![On(a, polarity)],
        Path::Implies(a, b) => vec![On(a, polarity.flip()), On(b, polarity)],
        Path::And(a, b) | Path::Or(a, b) | Path::Until(_, _, a, b) => {
            vec![On(a, polarity), On(b, polarity)]
        }
        _ => Vec::new(),
    };
    part(path.clone(), children, polarity, place)
}

fn of_state(formula: &Formula<AtomId>, polarity: Polarity, place: &mut Vec<usize>) -> Part {
    use Child::State as At;
    let children = match formula {
        Formula::Not(a) => vec![At(a, polarity.flip())],
        Formula::And(a, b) | Formula::Or(a, b) => vec![At(a, polarity), At(b, polarity)],
        Formula::Implies(a, b) => vec![At(a, polarity.flip()), At(b, polarity)],
        Formula::Runs(_, path) => vec![Child::Path(path, polarity)],
        Formula::Knows(_, _, a) => vec![At(a, polarity)],
        Formula::Past(past) => past.parts().map(|part| At(part, polarity)).collect(),
        Formula::Chance(_, query, path) => {
            grows(query).map(|grows| Child::Path(path, seen(polarity, grows))).into_iter().collect()
        }
        Formula::Steady(_, query, a) => {
            grows(query).map(|grows| At(a, seen(polarity, grows))).into_iter().collect()
        }
        // The longer something has held, and the less often it was, the more a clock shows.
        Formula::Timer(Timer::Held(a), relation, _) => {
            at_least(*relation).map(|grows| At(a, seen(polarity, grows))).into_iter().collect()
        }
        Formula::Timer(Timer::Since(a), relation, _) => {
            at_least(*relation).map(|grows| At(a, seen(polarity, !grows))).into_iter().collect()
        }
        _ => Vec::new(),
    };
    part(Path::Now(formula.clone()), children, polarity, place)
}

fn seen(polarity: Polarity, grows: bool) -> Polarity {
    if grows { polarity } else { polarity.flip() }
}

/// Whether a comparison becomes true as its number grows; `None` if it does neither.
fn at_least(relation: Relation) -> Option<bool> {
    match relation {
        Relation::Gt | Relation::Ge => Some(true),
        Relation::Lt | Relation::Le => Some(false),
        Relation::Eq | Relation::Ne => None,
    }
}

fn grows(query: &Query) -> Option<bool> {
    match query {
        Query::Value => None,
        Query::Compare(relation, _) => at_least(*relation),
    }
}

fn part(formula: Path<AtomId>, children: Vec<Child<'_>>, polarity: Polarity, place: &mut Vec<usize>) -> Part {
    let mut parts = Vec::new();
    for (number, child) in children.into_iter().enumerate() {
        place.push(number);
        let part = match child {
            Child::Path(path, polarity) => of_path(path, polarity, place),
            Child::State(formula, polarity) => of_state(formula, polarity, place),
        };
        if !matches!(part.formula, Path::Now(Formula::True | Formula::False)) {
            parts.push(part);
        }
        place.pop();
    }
    Part { formula, constant: polarity == Polarity::Negative, place: place.clone(), parts }
}

/// Puts a constant at a place.
struct Replace<'p> {
    place: &'p [usize],
    constant: bool,
}

impl Replace<'_> {
    fn in_path(&mut self, path: &Path<AtomId>) -> Path<AtomId> {
        if self.place.is_empty() { path_of(self.constant) } else { path.with_children(self) }
    }

    /// What is left of the place below a child; `None` for another child.
    fn below(&self, number: usize) -> Option<Self> {
        let (&first, rest) = self.place.split_first()?;
        (first == number).then_some(Self { place: rest, constant: self.constant })
    }
}

impl Change<AtomId> for Replace<'_> {
    fn path(&mut self, number: usize, child: &Path<AtomId>) -> Path<AtomId> {
        self.below(number).map_or_else(|| child.clone(), |mut below| below.in_path(child))
    }

    fn state(&mut self, number: usize, child: &Formula<AtomId>) -> Formula<AtomId> {
        match self.below(number) {
            None => child.clone(),
            Some(below) if below.place.is_empty() => state_of(below.constant),
            Some(mut below) => child.with_children(&mut below),
        }
    }
}

/// How deep equivalences may lie in each other: each of them says everything inside it twice.
const NESTED_MAX: usize = 4;

/// The claim with equivalences written as two implications. Where they lie too deep in each other they stay, and are taken
/// as one part.
pub(crate) fn without_equivalences(path: &Path<AtomId>) -> Path<AtomId> {
    Expand { left: NESTED_MAX }.path(0, path)
}

struct Expand {
    left: usize,
}

impl Change<AtomId> for Expand {
    fn path(&mut self, _: usize, child: &Path<AtomId>) -> Path<AtomId> {
        match child {
            Path::Iff(..) if self.left == 0 => child.clone(),
            Path::Iff(a, b) => {
                let mut inside = Self { left: self.left - 1 };
                let (a, b) = (Box::new(inside.path(0, a)), Box::new(inside.path(1, b)));
                let there = Path::Implies(a.clone(), b.clone());
                Path::And(Box::new(there), Box::new(Path::Implies(b, a)))
            }
            other => other.with_children(self),
        }
    }

    fn state(&mut self, _: usize, child: &Formula<AtomId>) -> Formula<AtomId> {
        match child {
            Formula::Iff(..) if self.left == 0 => child.clone(),
            Formula::Iff(a, b) => {
                let mut inside = Self { left: self.left - 1 };
                let (a, b) = (Box::new(inside.state(0, a)), Box::new(inside.state(1, b)));
                let there = Formula::Implies(a.clone(), b.clone());
                Formula::And(Box::new(there), Box::new(Formula::Implies(b, a)))
            }
            other => other.with_children(self),
        }
    }
}
