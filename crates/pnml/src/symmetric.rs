//! Symmetric nets (ISO/IEC 15909-2): places with finite sorts of tokens, arcs with terms, transitions with conditions.
//!
//! A value of a sort is its number in the order of the sort: members as declared, products counted like digits.

mod conditions;
mod declarations;
mod read;
mod terms;
mod value;
mod write;
mod write_terms;

pub(crate) use read::read;
pub(crate) use value::{Senseless, condition_variables, term_variables};
pub use write::write_symmetric;

use motet_source::Span;

/// A number of a sort of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortId(pub usize);

/// A coloured net with finite sorts.
#[derive(Clone, Debug, Default)]
pub struct SymmetricNet {
    /// What it is called.
    pub name: String,
    /// Its sorts; equal ones occur once.
    pub sorts: Vec<Sort>,
    /// Names of sorts, in order of declaration.
    pub names: Vec<(String, SortId)>,
    /// Variables with their sorts.
    pub variables: Vec<(String, SortId)>,
    /// Partitions: per element of a base sort the number of its class.
    pub partitions: Vec<Vec<u32>>,
    /// Per partition: the sort that is divided and the sort of its classes.
    pub partition_sorts: Vec<(SortId, SortId)>,
    /// Its places.
    pub places: Vec<ColouredPlace>,
    /// Its transitions.
    pub transitions: Vec<ColouredTransition>,
}

/// A finite sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sort {
    /// One value: the black token.
    Dot,
    /// Named members.
    Enumeration {
        /// What it is called.
        name: String,
        /// Its members, in order.
        members: Vec<String>,
        /// Whether the last member comes before the first.
        cycle: Cycle,
    },
    /// Whole numbers, both ends included.
    Range(i64, i64),
    /// Tuples.
    Product(Vec<SortId>),
}

/// Whether a sort is a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cycle {
    /// The first member follows the last.
    Ring,
    /// It has two ends.
    Line,
}

/// A place.
#[derive(Clone, Debug)]
pub struct ColouredPlace {
    /// Its id in the file.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// The name that its file gives it, where another element could be meant by that.
    pub title: Option<String>,
    /// Of what sort its tokens are.
    pub sort: SortId,
    /// Its tokens at the start.
    pub initial: Term,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct ColouredTransition {
    /// Its id in the file.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// The name that its file gives it, where another element could be meant by that.
    pub title: Option<String>,
    /// When a mode of it counts.
    pub guard: Condition,
    /// Places and the tokens that are taken.
    pub inputs: Vec<(usize, Term)>,
    /// Places and the tokens that are given.
    pub outputs: Vec<(usize, Term)>,
    /// Places and the tokens that must be there.
    pub reads: Vec<(usize, Term)>,
    /// Places and the tokens that must not be there.
    pub inhibitors: Vec<(usize, Term)>,
    /// Where it was written.
    pub span: Span,
}

/// A multiset of values, or one value.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// No tokens.
    Nothing,
    /// A value of a sort, by its number.
    Constant(SortId, u32),
    /// A variable, by its number.
    Variable(usize),
    /// The next value of a sort, the first after the last.
    Successor(SortId, Box<Term>),
    /// The value before, the last before the first.
    Predecessor(SortId, Box<Term>),
    /// The class of a value in a partition.
    Class(usize, Box<Term>),
    /// A tuple of a product sort; where a part is a multiset, all combinations.
    Tuple(SortId, Vec<Term>),
    /// Each value of a sort once.
    All(SortId),
    /// So many of each.
    Number(u32, Box<Term>),
    /// All together.
    Add(Vec<Term>),
    /// The first without the second.
    Subtract(Box<Term>, Box<Term>),
}

/// A condition over the variables of a transition.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Always, or never.
    Constant(bool),
    /// Two values compared by their numbers.
    Compare(Relation, Term, Term),
    /// Not.
    Not(Box<Condition>),
    /// All of them.
    All(Vec<Condition>),
    /// Some of them.
    Any(Vec<Condition>),
}

/// How values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl SymmetricNet {
    /// How many values a sort has; `None` if they are more than 32 bits count.
    #[must_use]
    pub fn size(&self, sort: SortId) -> Option<u32> {
        match &self.sorts[sort.0] {
            Sort::Dot => Some(1),
            Sort::Enumeration { members, .. } => u32::try_from(members.len()).ok(),
            Sort::Range(low, high) => u32::try_from(high.checked_sub(*low)?.checked_add(1)?.max(0)).ok(),
            Sort::Product(parts) => {
                parts.iter().try_fold(1_u32, |size, &part| size.checked_mul(self.size(part)?))
            }
        }
    }

    /// What a value is called: `red`, `7`, `red, 7`; the black token has no name.
    #[must_use]
    pub fn value_text(&self, sort: SortId, value: u32) -> String {
        match &self.sorts[sort.0] {
            Sort::Dot => String::new(),
            Sort::Enumeration { members, .. } => {
                members.get(value as usize).cloned().unwrap_or_else(|| value.to_string())
            }
            Sort::Range(low, _) => low.saturating_add(i64::from(value)).to_string(),
            Sort::Product(parts) => {
                let part = |(sort, value): (&SortId, u32)| {
                    let text = self.value_text(*sort, value);
                    match self.sorts[sort.0] {
                        Sort::Product(_) => format!("({text})"),
                        Sort::Dot => "dot".to_owned(),
                        _ => text,
                    }
                };
                parts.iter().zip(self.digits(parts, value)).map(part).collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// The parts of a value of a product.
    #[must_use]
    pub fn digits(&self, parts: &[SortId], value: u32) -> Vec<u32> {
        let mut rest = value;
        let mut digits: Vec<u32> = Vec::with_capacity(parts.len());
        for &part in parts.iter().rev() {
            let size = self.size(part).unwrap_or(1).max(1);
            digits.push(rest % size);
            rest /= size;
        }
        digits.reverse();
        digits
    }

    /// The number of the sort, a new one if it is new.
    pub(crate) fn intern(&mut self, sort: Sort) -> SortId {
        let known = self.sorts.iter().position(|known| *known == sort);
        SortId(known.unwrap_or_else(|| {
            self.sorts.push(sort);
            self.sorts.len() - 1
        }))
    }
}

impl Sort {
    /// The built-in sort of truth values.
    pub(crate) fn truth() -> Self {
        let members = vec!["false".to_owned(), "true".to_owned()];
        Self::Enumeration { name: "bool".to_owned(), members, cycle: Cycle::Line }
    }
}

impl Relation {
    /// Whether two numbers compare like this.
    #[must_use]
    pub fn holds(self, left: u32, right: u32) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::Less => left < right,
            Self::LessEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterEqual => left >= right,
        }
    }
}
