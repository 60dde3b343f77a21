//! What a check did to look at fewer states, or why it did not.

/// A reduction that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// Which one.
    pub kind: Reducing,
    /// What came of it.
    pub applied: Applied,
}

/// A way to look at fewer states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reducing {
    /// Orders of steps that do not mind each other are left out.
    PartialOrder,
    /// States are run through that have nothing to choose.
    Chains,
}

/// What came of a reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applied {
    /// So much of the work was left out. For [`Reducing::PartialOrder`]: states of which only a part of the steps was taken.
    /// For [`Reducing::Chains`]: how often a state was run through, which depends on which thread came first.
    Saved(u64),
    /// These claims stand in the way.
    Claims(Vec<Hindrance>),
    /// The model cannot say which steps do not mind each other.
    Model,
}

/// A claim that could tell the difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hindrance {
    /// Its position among the claims.
    pub claim: usize,
    /// What it does, as in `it counts steps or time`.
    pub why: &'static str,
}
