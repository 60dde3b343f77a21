//! Names of files for things that users name: legal everywhere, no two alike, the same every time.

use std::collections::BTreeMap;

use motet_workbench::digest;

/// Bytes of a name before its ending: file systems take 255 with it.
const MOST_BYTES: usize = 120;
/// Digits of the digest that tells names apart.
const DIGITS: usize = 12;
/// Names that one system keeps for devices, with whatever ending.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "com", "lpt"];

/// A name of a file for each name. A name that is short and plain stays as it is; one that is too long, or that could be taken for
/// another one where case is not told apart, carries a digest of the whole.
pub(crate) fn file_names<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let mut alike: BTreeMap<String, u32> = BTreeMap::new();
    for name in names.clone() {
        *alike.entry(plain(name).to_lowercase()).or_default() += 1;
    }
    names.map(|name| file_name(name, alike[&plain(name).to_lowercase()] == 1)).collect()
}

fn file_name(name: &str, single: bool) -> String {
    let plain = plain(name);
    // Letters beyond ASCII may be written in two ways, which some systems take for one.
    let own = single && plain.is_ascii() && plain.len() <= MOST_BYTES && !is_special(&plain);
    if own {
        return plain;
    }
    let mut end = plain.len().min(MOST_BYTES - DIGITS - 1);
    while !plain.is_char_boundary(end) {
        end -= 1;
    }
    let start = plain[..end].trim_matches('.');
    format!("{start}-{}", &digest(name.as_bytes())[..DIGITS])
}

/// Whatever is no letter, digit or one of `-_.` becomes `_`.
fn plain(name: &str) -> String {
    let safe = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '_' };
    name.chars().map(safe).collect()
}

/// Whether the name means something else to a system, or hides the file.
fn is_special(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default().to_lowercase();
    let bare = first.strip_suffix(|letter: char| letter.is_ascii_digit()).unwrap_or(&first);
    name.is_empty() || name.starts_with('.') || name.ends_with('.') || DEVICES.contains(&bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str]) -> Vec<String> {
        file_names(names.iter().copied())
    }

    #[test]
    fn a_short_plain_name_stays_as_it_is() {
        assert_eq!(of(&["Safe", "never two", "P=? [F x]"]), ["Safe", "never_two", "P____F_x_"]);
    }

    #[test]
    fn names_of_any_length_and_letters_are_legal_and_differ_without_regard_to_case() {
        let long = "x".repeat(70_000);
        let longer = format!("{long}y");
        let strange = "ö".repeat(70_000);
        let all = [
            &long, &longer, &strange, "Safe", "safe", "a b", "a_b", "..", ".", "", "NUL", "com1.x", "é",
            "e\u{301}", "a/b", "a\\b", ".hidden", "end.", "\u{0}", "\u{202e}",
        ];
        let found = of(&all);
        let folded: std::collections::BTreeSet<String> =
            found.iter().map(|name| name.to_lowercase()).collect();
        assert_eq!(folded.len(), all.len(), "{found:?}");
        for name in &found {
            assert!(!name.is_empty() && name.len() + ".itf.json".len() <= 255, "{name}");
            assert!(!name.starts_with('.') && !name.contains(['/', '\\', '\0', ':']), "{name}");
        }
        assert_eq!(found, of(&all), "the same every time");
        assert_eq!(of(&[&long])[0], found[0], "and alone");
    }
}
