//! How tightly operators bind, for the parser and the printer.

use crate::syntax::BinaryOperator;

/// A whole expression: quantifiers and `if` reach as far as they can.
pub(crate) const WHOLE: u8 = 1;
/// `=>`, from the right.
pub(crate) const IMPLIES: u8 = 2;
/// `or`
pub(crate) const OR: u8 = 3;
/// `and`
pub(crate) const AND: u8 = 4;
/// `not`
pub(crate) const NOT: u8 = 5;
/// `=`, `in` and their kin, which do not chain.
pub(crate) const COMPARISON: u8 = 6;
/// `a..b`, which does not chain.
pub(crate) const RANGE: u8 = 7;
/// `+ - union minus`
pub(crate) const SUM: u8 = 8;
/// `* / %`
pub(crate) const PRODUCT: u8 = 9;
/// `-e`
pub(crate) const SIGN: u8 = 10;
/// `e.f`, `e with {...}`, calls, names and what stands in brackets.
pub(crate) const POSTFIX: u8 = 11;

impl BinaryOperator {
    /// How tightly it binds.
    pub(crate) fn strength(self) -> u8 {
        match self {
            Self::Implies => IMPLIES,
            Self::Or => OR,
            Self::And => AND,
            Self::Equal
            | Self::NotEqual
            | Self::Less
            | Self::LessEqual
            | Self::Greater
            | Self::GreaterEqual
            | Self::In
            | Self::NotIn => COMPARISON,
            Self::Add | Self::Subtract | Self::Union | Self::Minus => SUM,
            Self::Multiply | Self::Divide | Self::Modulo => PRODUCT,
        }
    }

    /// How tightly its operands bind at least: those of `=>` group from the right, those of a comparison not at all.
    pub(crate) fn operands(self) -> (u8, u8) {
        match self.strength() {
            IMPLIES => (IMPLIES + 1, IMPLIES),
            COMPARISON => (COMPARISON + 1, COMPARISON + 1),
            strength => (strength, strength + 1),
        }
    }

    /// How it is written.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Implies => "=>",
            Self::Or => "or",
            Self::And => "and",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::In => "in",
            Self::NotIn => "notin",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
            Self::Union => "union",
            Self::Minus => "minus",
        }
    }
}
