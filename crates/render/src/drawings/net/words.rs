//! Letters in a picture: how much room they take, and how they are written.

use crate::typesetting::page::marked_up;

/// About the width of a letter of the size in use. Pictures cannot ask the font.
const LETTER: f64 = 6.8;
/// The most letters of a line.
const LONGEST: usize = 46;

/// The room of a text on one line.
pub(super) fn width(text: &str) -> f64 {
    text.chars().count().min(LONGEST) as f64 * LETTER
}

/// The text as a picture writes it: not too long, and safe inside XML.
pub(super) fn escaped(text: &str) -> String {
    let mut short: String = text.chars().take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        short.pop();
        short.push('…');
    }
    marked_up(&short)
}
