//! Sorts: from texts, between each other, and in the user's words.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::program::{Enumeration, RecordSort, Sort};
use crate::value::Value;

impl Sort {
    /// Whether tokens of this sort contain an agent.
    #[must_use]
    pub fn bears_agents(&self) -> bool {
        self.agents() > 0
    }

    /// How many agents a value holds, sets counted as one more than any number that is allowed.
    pub(crate) fn agents(&self) -> usize {
        match self {
            Self::Agent => 1,
            Self::Record(record) => record.fields.iter().map(|(_, sort)| sort.agents()).sum(),
            Self::Set(of) if of.agents() > 0 => 2,
            _ => 0,
        }
    }

    /// Whether the sort is made of at most so many parts, counted off from `left`. Declared sorts share what they are made of,
    /// so a few lines can name more parts than there is room for.
    pub(crate) fn is_small(&self, left: &mut usize) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        match self {
            Self::Set(of) => of.is_small(left),
            Self::Record(record) => record.fields.iter().all(|(_, sort)| sort.is_small(left)),
            _ => true,
        }
    }

    /// The set of such values.
    pub(crate) fn set(self) -> Self {
        Self::Set(Arc::new(self))
    }
}

/// Whether a value of one sort may stand where one of the other is meant, ranges aside. Records agree in their fields' names
/// too, so that a token of one kind is not taken for another that happens to have as many numbers.
pub(crate) fn fits(from: &Sort, to: &Sort) -> bool {
    match (from, to) {
        (Sort::Unknown, _) | (_, Sort::Unknown) | (Sort::Int(_), Sort::Int(_)) => true,
        (Sort::Set(from), Sort::Set(to)) => fits(from, to),
        (Sort::Record(from), Sort::Record(to)) => {
            let pairs = || from.fields.iter().zip(&to.fields);
            from.fields.len() == to.fields.len()
                && pairs().all(|(from, to)| from.0.is_empty() || to.0.is_empty() || from.0 == to.0)
                && pairs().all(|(from, to)| fits(&from.1, &to.1))
        }
        _ => from == to,
    }
}

/// Whether some value of one sort may lie outside the other only because of a range.
pub(crate) fn exceeds(from: &Sort, to: &Sort) -> bool {
    match (from, to) {
        (Sort::Int(from), Sort::Int(Some((low, high)))) => {
            from.is_none_or(|(least, greatest)| least < *low || greatest > *high)
        }
        (Sort::Set(from), Sort::Set(to)) => exceeds(from, to),
        (Sort::Record(from), Sort::Record(to)) => {
            from.fields.iter().zip(&to.fields).any(|(from, to)| exceeds(&from.1, &to.1))
        }
        _ => false,
    }
}

/// The sort that holds the values of both, which fit each other.
pub(crate) fn join(one: &Sort, other: &Sort) -> Sort {
    match (one, other) {
        (Sort::Unknown, sort) | (sort, Sort::Unknown) => sort.clone(),
        (Sort::Int(Some((a, b))), Sort::Int(Some((c, d)))) => Sort::Int(Some((*a.min(c), *b.max(d)))),
        (Sort::Int(_), Sort::Int(_)) => Sort::Int(None),
        (Sort::Set(one), Sort::Set(other)) => join(one, other).set(),
        (Sort::Record(one), Sort::Record(other)) if one.fields.len() == other.fields.len() => {
            let pairs = one.fields.iter().zip(&other.fields);
            let named =
                |one: &str, other: &str| if one.is_empty() { other.to_owned() } else { one.to_owned() };
            let fields = pairs.map(|(a, b)| (named(&a.0, &b.0), join(&a.1, &b.1))).collect();
            let name = one.name.clone().or_else(|| other.name.clone());
            Sort::Record(Arc::new(RecordSort { name, fields }))
        }
        _ => one.clone(),
    }
}

/// Whether a value lies within a sort that it fits.
pub(crate) fn holds(sort: &Sort, value: &Value) -> bool {
    match (sort, value) {
        (Sort::Int(Some((low, high))), Value::Int(number)) => low <= number && number <= high,
        (Sort::Set(of), Value::Set(members)) => members.iter().all(|member| holds(of, member)),
        (Sort::Record(record), Value::Record(fields)) => {
            record.fields.iter().zip(fields.iter()).all(|((_, sort), value)| holds(sort, value))
        }
        _ => true,
    }
}

/// A sort in the user's words.
pub(crate) fn shown(sort: &Sort, enumerations: &[Enumeration]) -> String {
    match sort {
        Sort::Token => "token".to_owned(),
        Sort::Bool => "bool".to_owned(),
        Sort::Int(None) => "int".to_owned(),
        Sort::Int(Some((low, high))) => format!("int {low}..{high}"),
        Sort::Enumeration(id) => enumerations[id.0 as usize].name.clone(),
        Sort::Class => "class".to_owned(),
        Sort::Agent => "agent".to_owned(),
        Sort::Set(of) => format!("set of {}", shown(of, enumerations)),
        Sort::Record(record) => match &record.name {
            Some(name) => name.clone(),
            None => fields(&record.fields, enumerations),
        },
        Sort::Unknown => "anything".to_owned(),
    }
}

/// `(kind: CAR, tank: int 0..1)`
pub(crate) fn fields(fields: &[(String, Sort)], enumerations: &[Enumeration]) -> String {
    let mut text = "(".to_owned();
    for (number, (name, sort)) in fields.iter().enumerate() {
        let comma = if number == 0 { "" } else { ", " };
        let colon = if name.is_empty() { "" } else { ": " };
        let _ = write!(text, "{comma}{name}{colon}{}", shown(sort, enumerations));
    }
    text + ")"
}
