//! Names with `*` and `?`.

/// Whether a name fits a pattern: `*` stands for any letters, `?` for one. Takes time linear in both for each `*`.
#[must_use]
pub fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0, 0);
    // The last star, and how far it had matched: on a mismatch it takes one letter more.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(letter) if *letter == '?' || *letter == name[n] => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((at, taken)) = star else { return false };
                star = Some((at, taken + 1));
                p = at + 1;
                n = taken + 1;
            }
        }
    }
    pattern[p..].iter().all(|letter| *letter == '*')
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
        ] {
            assert_eq!(fits(pattern, name), fit, "{pattern} {name}");
        }
    }
}
