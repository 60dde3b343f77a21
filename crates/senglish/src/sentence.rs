//! Sentences of natural language as names.
//!
//! Two sentences are the same when they differ only in case, blanks and underscores (Izzo 2016, section 6.4, makes the name of
//! a variable that way).

use motet_source::Span;

/// A sentence where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// As written, with single blanks and without the closing dot.
    pub text: String,
    /// What sentences are compared by.
    pub key: String,
    /// Where it stands.
    pub span: Span,
}

impl Sentence {
    /// The sentence in this text.
    #[must_use]
    pub fn new(text: &str, span: Span) -> Self {
        let text = tidy(text);
        Self { key: fold(&text), text, span }
    }
}

/// Single blanks, and neither blanks nor a dot around it.
#[must_use]
pub fn tidy(text: &str) -> String {
    let trimmed = text.trim().trim_end_matches('.');
    trimmed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lower case, and one underscore for every run of blanks and underscores.
#[must_use]
pub fn fold(text: &str) -> String {
    let lower = text.trim().trim_end_matches('.').to_lowercase();
    let words = lower.split(|c: char| c.is_whitespace() || c == '_').filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// Words that the PRISM language keeps for itself, in lower case as our names are, and the names its export makes.
const RESERVED: &[&str] = &[
    "bool",
    "clock",
    "const",
    "ctmc",
    "ctmdp",
    "double",
    "dtmc",
    "endinit",
    "endinvariant",
    "endmodule",
    "endobservables",
    "endrewards",
    "endsystem",
    "endplayer",
    "false",
    "filter",
    "formula",
    "func",
    "global",
    "init",
    "int",
    "invariant",
    "label",
    "ma",
    "max",
    "mdp",
    "min",
    "module",
    "nondeterministic",
    "observable",
    "observables",
    "of",
    "player",
    "pomdp",
    "popta",
    "prob",
    "probabilistic",
    "pta",
    "rate",
    "rewards",
    "smg",
    "stochastic",
    "system",
    "true",
    "x",
    "scheduler",
    "b",
    "t",
    "floor",
    "ceil",
    "round",
    "pow",
    "mod",
    "log",
    "exp",
    "multi",
];

/// A legal identifier for a sentence: letters, digits and underscores, not a reserved word, not starting with a digit.
#[must_use]
pub fn identifier(key: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut name: String = key.chars().map(plain).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if RESERVED.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// Names that are handed out once.
#[derive(Debug, Default)]
pub struct Names {
    taken: std::collections::BTreeSet<String>,
}

impl Names {
    /// The name itself, or with a number after it when it is taken.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }
}

/// The nearest known sentence, as a help line's beginning: compared by folded texts, nearer the more words they share.
#[must_use]
pub fn nearest<'a>(sentence: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let key = fold(sentence);
    let known: Vec<(&str, String)> = known.into_iter().map(|text| (text, fold(text))).collect();
    let close = motet_source::suggest(&key, known.iter().map(|(_, folded)| folded.as_str()));
    if let Some(close) = close {
        return known.iter().find(|(_, folded)| folded == close).map(|(text, _)| *text);
    }
    // A word too many or too few is farther than a slip of the pen, but people make that mistake.
    let words: Vec<&str> = key.split('_').collect();
    let shared = |folded: &str| {
        let others: Vec<&str> = folded.split('_').collect();
        let common = words.iter().filter(|word| others.contains(word)).count();
        (2 * common > words.len().max(others.len())).then_some(common)
    };
    let mut best: Option<(usize, &str)> = None;
    for (text, folded) in &known {
        if let Some(common) = shared(folded)
            && best.is_none_or(|(most, _)| common > most)
        {
            best = Some((common, text));
        }
    }
    best.map(|(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_blanks_and_underscores_do_not_tell_sentences_apart() {
        assert_eq!(fold("Re_exploring  Areas."), "re_exploring_areas");
        assert_eq!(fold(" re exploring_areas"), "re_exploring_areas");
        assert_ne!(fold("exploring areas"), fold("re exploring areas"));
    }

    #[test]
    fn an_identifier_is_legal_in_prism() {
        assert_eq!(identifier("i_am_at_the_buoy"), "i_am_at_the_buoy");
        assert_eq!(identifier("it's_2_o'clock"), "it_s_2_o_clock");
        assert_eq!(identifier("2_boats"), "_2_boats");
        assert_eq!(identifier("module"), "module_");
        assert_eq!(identifier("über"), "_ber");
    }

    #[test]
    fn a_missing_word_is_still_a_near_sentence() {
        let known = ["Sea state is too high", "Areas left unexplored"];
        assert_eq!(nearest("sea state too high", known), Some("Sea state is too high"));
        assert_eq!(nearest("Sea state is to high", known), Some("Sea state is too high"));
        assert_eq!(nearest("Mission complete", known), None);
    }
}
