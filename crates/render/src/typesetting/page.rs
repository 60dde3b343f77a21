//! How a page is set: width, letters, colour, wrapping.

use anstyle::{AnsiColor, Style};

/// How to draw for a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Characters in a line.
    pub width: usize,
    /// Which letters may be used.
    pub letters: Letters,
    /// Whether to colour.
    pub colour: Colour,
    /// How much to say.
    pub detail: Detail,
    /// Whether long runs are told in full.
    pub extent: Extent,
}

impl Default for View {
    fn default() -> Self {
        Self {
            width: 100,
            letters: Letters::Unicode,
            colour: Colour::Plain,
            detail: Detail::Normal,
            extent: Extent::Chosen,
        }
    }
}

/// Which letters may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// Marks and arrows.
    Unicode,
    /// `--ascii`: words for marks, and nothing outside ASCII.
    Ascii,
}

/// Whether to colour. Colour is never the only signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// ANSI colours.
    Ansi,
    /// None.
    Plain,
}

/// How much to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// `-q`: what is not as expected, and the last line.
    Quiet,
    /// One line per claim, a story per surprise.
    Normal,
    /// `-v`: a story per run, expected or not.
    Verbose,
}

/// Whether long runs are told in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The steps that matter.
    Chosen,
    /// `--full`: every step.
    Full,
}

/// How a document of JSON is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// Indented, for files and people.
    Wide,
    /// `--format jsonl`: on one line.
    Line,
}

/// The value as a document that ends with a newline.
pub(crate) fn document(value: &impl serde::Serialize, spacing: Spacing) -> String {
    let text = match spacing {
        Spacing::Wide => serde_json::to_string_pretty(value),
        Spacing::Line => serde_json::to_string(value),
    };
    format!("{}\n", text.expect("texts and numbers can be written"))
}

/// What a piece of text stands for, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Bad,
    Care,
    Quiet,
    Strong,
}

impl View {
    /// The text in its tone.
    pub(crate) fn paint(&self, tone: Tone, text: &str) -> String {
        if self.colour == Colour::Plain || text.is_empty() {
            return text.to_string();
        }
        let style = match tone {
            Tone::Good => AnsiColor::Green.on_default(),
            Tone::Bad => AnsiColor::Red.on_default().bold(),
            Tone::Care => AnsiColor::Yellow.on_default(),
            Tone::Quiet => Style::new().dimmed(),
            Tone::Strong => Style::new().bold(),
        };
        format!("{style}{text}{style:#}")
    }

    /// The page as it may leave: with ASCII letters only, when asked.
    pub(crate) fn finish(&self, page: String) -> String {
        match self.letters {
            Letters::Unicode => page,
            Letters::Ascii => ascii(&page),
        }
    }

    /// The text cut to a width, with a sign that it was cut.
    pub(crate) fn fit(&self, text: &str, width: usize) -> String {
        if text.chars().count() <= width {
            return text.to_string();
        }
        let sign = if self.letters == Letters::Ascii { "..." } else { "…" };
        let kept: String = text.chars().take(width.saturating_sub(sign.chars().count())).collect();
        format!("{}{sign}", kept.trim_end())
    }
}

/// Broken at spaces into lines of at most `width` characters; a longer word gets a line of its own.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// Text of the user's on one line: a control character could move the cursor.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// Padded on the right to a width in characters.
pub(crate) fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

/// The text with spaces before it up to a width.
pub(crate) fn pad_left(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{}{text}", " ".repeat(missing))
}

fn ascii(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    for letter in page.chars() {
        match letter {
            _ if letter.is_ascii() => out.push(letter),
            '●' => out.push('*'),
            '─' | '━' | '·' | '–' => out.push('-'),
            '│' | '┊' | '┤' => out.push('|'),
            '└' | '┬' | '┐' | '┘' => out.push('+'),
            '▶' | '▸' => out.push('>'),
            '◀' => out.push('<'),
            '╭' | '╰' => out.push('+'),
            '→' => out.push_str("->"),
            '…' => out.push_str("..."),
            '×' => out.push('x'),
            '▁' | '▂' => out.push('.'),
            '▃' | '▄' | '▅' => out.push(':'),
            '▆' | '▇' | '█' | '▓' | '■' => out.push('#'),
            '▒' => out.push('='),
            '░' | '┄' => out.push('.'),
            '◆' => out.push('!'),
            '✗' => out.push('x'),
            '✓' => out.push('+'),
            other => out.extend(other.escape_unicode()),
        }
    }
    out
}

/// The text safe inside XML and HTML.
pub(crate) fn marked_up(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_pages_hold_ascii_only_and_spell_foreign_letters() {
        let view = View { letters: Letters::Ascii, ..View::default() };
        assert_eq!(view.finish("a ── b ● α → …".to_string()), "a -- b * \\u{3b1} -> ...");
    }

    #[test]
    fn words_wrap_at_spaces_and_long_words_stand_alone() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij k", 4), ["abcdefghij", "k"]);
        assert_eq!(wrap("", 4), [""]);
    }

    #[test]
    fn a_control_character_of_the_user_becomes_a_space() {
        assert_eq!(plain("a\u{1b}[2Jb"), "a [2Jb");
    }
}
