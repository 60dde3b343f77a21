//! Until and its kin. What each of them says is written here once; an engine knows `U` and `R`, which are each other's dual.

use super::Connective;

/// How the left lasts until the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Until {
    /// `a U b`: the left until the right, which must come.
    Until,
    /// `a W b`, the left unless the right comes: `b R (a | b)`, with bounds too.
    Weak,
    /// `a R b`: the right up to and including the point where the left holds; for ever if it never does.
    Release,
    /// `a M b`, strong release: `a R b`, and the left must come: `b U (a & b)`, with bounds too.
    StrongRelease,
}

/// An operator in the two that engines know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Basic<T> {
    /// `a U b`.
    Until(T, T),
    /// `a R b`, which is `!(!a U !b)`, with bounds too.
    Release(T, T),
}

impl Until {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Until, Self::Weak, Self::Release, Self::StrongRelease];

    /// As written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Until => "U",
            Self::Weak => "W",
            Self::Release => "R",
            Self::StrongRelease => "M",
        }
    }

    /// What it says of these two, whatever stands for them: formulas, texts, or where they are true.
    pub fn define<T: Clone>(self, a: T, b: T, join: impl FnOnce(Connective, T, T) -> T) -> Basic<T> {
        match self {
            Self::Until => Basic::Until(a, b),
            Self::Weak => Basic::Release(b.clone(), join(Connective::Or, a, b)),
            Self::Release => Basic::Release(a, b),
            Self::StrongRelease => Basic::Until(b.clone(), join(Connective::And, a, b)),
        }
    }
}
