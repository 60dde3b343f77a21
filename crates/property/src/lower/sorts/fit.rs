//! Whether a value is of a sort, and whether two sorts have values in common.

use motet_model::{Expr, Operator, Ratio, Sort};

use super::super::expr::number;
use super::{Checker, Side};

/// What a value is to a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// It is of the sort, or nobody here knows.
    Good,
    /// It is of another sort.
    Other,
    /// It is a name that nothing of this sort has.
    Nobody,
    /// It has so many parts too many or too few.
    Parts,
    /// It is of the sort and still never the value.
    Outside,
}

impl Checker<'_> {
    pub(super) fn fit(&self, sort: &Sort, value: &Expr) -> Fit {
        match (sort, value) {
            (Sort::Open, _) | (_, Expr::Any) => Fit::Good,
            (Sort::Beside(_, words), _) if words.contains(&value.to_string()) => Fit::Good,
            (Sort::Beside(sort, _), _) => self.fit(sort, value),
            (Sort::Truth, Expr::Call(word, none)) if none.is_empty() && is_truth(word) => Fit::Good,
            (Sort::Whole(low, high), Expr::Int(_) | Expr::Decimal(_)) => {
                number(value).map_or(Fit::Good, |value| match value.as_whole() {
                    None if self.asks_for_equality() => Fit::Outside,
                    _ => within(value, *low, *high),
                })
            }
            (Sort::Number, Expr::Int(_) | Expr::Decimal(_)) => Fit::Good,
            (Sort::Text, Expr::Text(text)) => match &self.vocabulary.terms.texts {
                Some(known) if !known.contains(text) => Fit::Outside,
                _ => Fit::Good,
            },
            // A symbol may carry the name of anything.
            (Sort::Text, Expr::Call(word, none)) if none.is_empty() && !is_truth(word) => Fit::Good,
            (Sort::Record(sorts), Expr::Tuple(parts)) if sorts.len() != parts.len() => Fit::Parts,
            (Sort::Record(sorts), Expr::Tuple(parts)) => {
                let fits = sorts.iter().zip(parts).map(|((_, sort), part)| self.fit(sort, part));
                fits.into_iter().find(|fit| *fit != Fit::Good).unwrap_or(Fit::Good)
            }
            (_, Expr::Tuple(parts)) if parts.len() == 1 => self.fit(sort, &parts[0]),
            (Sort::Many(_), _) => Fit::Good,
            (_, Expr::Call(word, none)) if none.is_empty() => self.fit_word(sort, word),
            // A name of two parts, or an attribute, whose value is another matter.
            (_, Expr::Field(..)) => match super::dotted(value) {
                Some(word) if self.kind_of(&word).is_some() => self.fit_word(sort, &word),
                _ => Fit::Good,
            },
            (_, Expr::Int(_) | Expr::Decimal(_) | Expr::Tuple(_) | Expr::List(_)) => Fit::Other,
            (Sort::Member(members), Expr::Text(text)) if !members.names.contains(text) => Fit::Nobody,
            (_, Expr::Text(_)) => Fit::Other,
            _ => Fit::Good,
        }
    }

    fn asks_for_equality(&self) -> bool {
        matches!(self.within, Some(Expr::Binary(Operator::Eq | Operator::Ne, ..)))
    }

    fn fit_word(&self, sort: &Sort, word: &str) -> Fit {
        // A part of a tuple may be something that the model computes.
        if let Side::Known(known) = self.named(word) {
            return meet(sort, &known);
        }
        if let Sort::Member(members) = sort
            && members.names.iter().any(|name| name == word)
        {
            return Fit::Good;
        }
        match self.kind_of(word) {
            Some(_) => Fit::Other,
            None if matches!(sort, Sort::Member(_)) => Fit::Nobody,
            None if self.is_value(word) => Fit::Other,
            // A name that only the front-end can know.
            None => Fit::Good,
        }
    }

    /// Whether something that the model changes may have this name for its value.
    pub(super) fn is_value(&self, word: &str) -> bool {
        let has = |sort: &Sort| matches!(sort.plain(), Sort::Member(members) if members.names.iter().any(|name| name == word));
        self.vocabulary.terms.names.values().any(has)
    }

    /// What a name is, in the user's words, as far as the vocabulary knows it.
    pub(super) fn kind_of(&self, word: &str) -> Option<&str> {
        let vocabulary = self.vocabulary;
        let is_word = |names: &[String]| names.iter().any(|name| name == word);
        if is_truth(word) {
            return Some("true or false");
        }
        if let Some((kind, _)) = vocabulary.sorts.iter().find(|(_, names)| is_word(names)) {
            return Some(kind);
        }
        if is_word(&vocabulary.agents) {
            return Some("agent");
        }
        match &vocabulary.terms.texts {
            Some(texts) if is_word(texts) => Some("text"),
            _ if word == "none" => Some("no value"),
            _ => None,
        }
    }
}

/// Whether two things of these sorts can be equal.
pub(super) fn meet(one: &Sort, other: &Sort) -> Fit {
    match (one.plain(), other.plain()) {
        (Sort::Open, _) | (_, Sort::Open) => Fit::Good,
        (Sort::Whole(a, b), Sort::Whole(c, d)) => {
            let before = |high: &Option<i64>, low: &Option<i64>| high.zip(*low).is_some_and(|(h, l)| h < l);
            if before(b, c) || before(d, a) { Fit::Outside } else { Fit::Good }
        }
        (Sort::Whole(..) | Sort::Number, Sort::Whole(..) | Sort::Number) => Fit::Good,
        (Sort::Text, Sort::Text | Sort::Member(_)) | (Sort::Member(_), Sort::Text) => Fit::Good,
        (Sort::Truth, Sort::Truth) => Fit::Good,
        (Sort::Member(one), Sort::Member(other)) => {
            let empty = one.names.is_empty() || other.names.is_empty();
            if empty || one.names.iter().any(|name| other.names.contains(name)) {
                Fit::Good
            } else {
                Fit::Other
            }
        }
        (Sort::Many(one), Sort::Many(other)) => meet(one, other),
        (Sort::Record(one), Sort::Record(other)) if one.len() == other.len() => {
            let fits = one.iter().zip(other.iter()).map(|((_, one), (_, other))| meet(one, other));
            fits.into_iter().find(|fit| *fit != Fit::Good).unwrap_or(Fit::Good)
        }
        _ => Fit::Other,
    }
}

fn within(value: Ratio, low: Option<i64>, high: Option<i64>) -> Fit {
    let below = low.is_some_and(|low| value < Ratio::whole(low));
    let above = high.is_some_and(|high| value > Ratio::whole(high));
    if below || above { Fit::Outside } else { Fit::Good }
}

pub(super) fn is_truth(word: &str) -> bool {
    matches!(word, "true" | "false")
}
