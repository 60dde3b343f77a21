//! What an expression over the environment looks at.

use std::collections::BTreeSet;

use crate::program::Expr;

impl Expr {
    /// Adds the numbers of the variables it reads.
    pub(crate) fn variables(&self, found: &mut BTreeSet<usize>) {
        match self {
            Self::Variable(variable) => {
                found.insert(*variable);
            }
            Self::At(variable, index) => {
                found.insert(*variable);
                index.variables(found);
            }
            Self::Negative(a) | Self::Not(a) | Self::Absolute(a) | Self::Fold(.., a) => a.variables(found),
            Self::Lesser(a, b) | Self::Larger(a, b) | Self::Binary(_, a, b) => {
                a.variables(found);
                b.variables(found);
            }
            Self::Value(_) | Self::Local(_) => {}
        }
    }
}
