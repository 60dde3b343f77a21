//! Did you mean: the nearest known name.

use strsim::osa_distance;

/// The candidate nearest to `name` within edit distance 2 (1 for names of up to three letters), the first of equals. Two
/// neighbours that changed places are one edit, and case does not count.
pub fn suggest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = if name.chars().count() <= 3 { 1 } else { 2 };
    let name = name.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        crate::work::step();
        let distance = osa_distance(&name, &candidate.to_lowercase());
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_within_two_edits_is_suggested_and_a_farther_one_is_not() {
        let known = ["alliance", "auction", "winner"];
        assert_eq!(suggest("aliance", known), Some("alliance"));
        assert_eq!(suggest("acutoin", known), Some("auction"));
        assert_eq!(suggest("loser", known), None);
    }
}
