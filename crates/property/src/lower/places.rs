//! Where the parts of an atom stand in the text: atoms are values without places, and a problem belongs at the part that is
//! wrong.

use motet_model::Expr;
use motet_source::Span;

/// A part of an atom and where it comes from.
struct Place {
    part: Expr,
    span: Span,
    origin: Origin,
    /// The first of the places that were noted while this part was read: those inside of it.
    first: usize,
}

/// Whether somebody wrote a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It stands in the text.
    Written,
    /// It is what a quantifier puts in the place of its variable.
    Member,
}

/// The parts that were read since the last comparison, statement or attitude began.
#[derive(Default)]
pub(super) struct Places(Vec<Place>);

impl Places {
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    /// How many there are: what is noted from here on is inside the part that is read next.
    pub(super) fn mark(&self) -> usize {
        self.0.len()
    }

    pub(super) fn note(&mut self, part: &Expr, span: Span, origin: Origin, first: usize) {
        self.0.push(Place { part: part.clone(), span, origin, first });
    }

    /// Where a part stands; of several alike the one inside `within`, else the one that was read last.
    pub(super) fn find(&self, part: &Expr, within: Option<&Expr>) -> Option<(Span, Origin)> {
        let last = |places: &[Place]| places.iter().rposition(|place| place.part == *part);
        let outer = within.and_then(|outer| self.0.iter().rposition(|place| place.part == *outer));
        let inside = outer.and_then(|outer| {
            let first = self.0[outer].first;
            last(&self.0[first..outer]).map(|found| first + found)
        });
        let found = inside.or_else(|| last(&self.0))?;
        Some((self.0[found].span, self.0[found].origin))
    }
}
