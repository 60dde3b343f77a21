//! What operators make of numbers.

use crate::expr::{Binary, Unary};

impl Unary {
    /// The result; `None` if there is none.
    pub fn apply(self, of: i64) -> Option<i64> {
        match self {
            Self::Not => Some(i64::from(of == 0)),
            Self::Negative => of.checked_neg(),
            Self::Complement => Some(!of),
        }
    }
}

impl Binary {
    /// Whether the result is a truth value.
    pub fn compares(self) -> bool {
        matches!(
            self,
            Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual | Self::Equal | Self::NotEqual
        )
    }

    /// The result; `None` if it overflows or is not defined.
    pub fn apply(self, left: i64, right: i64) -> Option<i64> {
        let shift = || u32::try_from(right).ok().filter(|bits| *bits < 31);
        Some(match self {
            Self::Add => left.checked_add(right)?,
            Self::Subtract => left.checked_sub(right)?,
            Self::Multiply => left.checked_mul(right)?,
            Self::Divide => left.checked_div(right)?,
            Self::Remainder => left.checked_rem(right)?,
            Self::ShiftLeft => left.checked_mul(1 << shift()?)?,
            Self::ShiftRight => left >> shift()?,
            Self::BitAnd => left & right,
            Self::BitXor => left ^ right,
            Self::BitOr => left | right,
            Self::Less => i64::from(left < right),
            Self::LessEqual => i64::from(left <= right),
            Self::Greater => i64::from(left > right),
            Self::GreaterEqual => i64::from(left >= right),
            Self::Equal => i64::from(left == right),
            Self::NotEqual => i64::from(left != right),
        })
    }
}
