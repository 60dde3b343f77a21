//! Names with `*` and `?`.

use wildmatch::WildMatch;

/// Whether a name fits a pattern: `*` stands for any letters, `?` for one; every other letter for itself, brackets too.
#[must_use]
pub fn fits(pattern: &str, name: &str) -> bool {
    WildMatch::new(pattern).matches(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_letters_and_question_marks_for_one() {
        for (pattern, name, fit) in [
            ("S*", "S1", true),
            ("*", "", true),
            ("S?", "S1", true),
            ("S?", "S12", false),
            ("*a*b", "xayab", true),
            ("*a*b", "xaya", false),
            ("S1", "S1", true),
            ("s1", "S1", false),
            ("S[1]*", "S[1]x", true),
            ("S?", "Sé", true),
        ] {
            assert_eq!(fits(pattern, name), fit, "{pattern} {name}");
        }
    }
}
