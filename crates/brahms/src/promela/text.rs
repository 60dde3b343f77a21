//! Promela as text, with indentation that follows the blocks.

use std::collections::BTreeSet;
use std::fmt::Display;

/// A growing text.
#[derive(Debug, Default)]
pub(crate) struct Text {
    out: String,
    depth: usize,
    /// Where the open `d_step` blocks begin, and how deep they are.
    steps: Vec<(usize, usize)>,
}

/// A shorter block is no `d_step`. Spin counts the exits of all of them, and has room for two thousand.
const SHORT: usize = 8;

impl Text {
    /// One line at the present depth.
    pub(crate) fn line(&mut self, line: impl Display) {
        let line = line.to_string();
        if !line.is_empty() {
            self.out.extend(std::iter::repeat_n("  ", self.depth));
            self.out.push_str(&line);
            self.out.push('\n');
        }
    }

    /// A label; it stands out to the left. Spin does not jump to a `d_step`, so it has a statement of its own.
    pub(crate) fn label(&mut self, name: impl Display) {
        self.out.push_str(&format!("{name}: skip;\n"));
    }

    /// An empty line.
    pub(crate) fn gap(&mut self) {
        self.out.push('\n');
    }

    /// A remark; whatever the user wrote in it cannot end it.
    pub(crate) fn remark(&mut self, remark: impl Display) {
        self.line(format!("/* {} */", tame(&remark.to_string())));
    }

    /// A line that begins a block.
    pub(crate) fn open(&mut self, line: impl Display) {
        self.line(line);
        self.depth += 1;
    }

    /// Begins a block that is one step, inside an atomic sequence.
    pub(crate) fn step(&mut self) {
        self.steps.push((self.out.len(), self.depth));
        self.open("d_step {");
    }

    /// Ends a block that is one step.
    pub(crate) fn step_end(&mut self) {
        let Some((start, depth)) = self.steps.pop() else { return };
        self.depth = depth;
        let block = self.out.split_off(start);
        let lines: Vec<&str> = block.lines().skip(1).collect();
        let nested = lines.iter().any(|line| line.trim_start() == "if");
        if nested || lines.len() > SHORT {
            self.out.push_str(&block);
            self.line("};");
            return;
        }
        for line in lines.iter().map(|line| line.trim_start()).filter(|line| *line != "skip") {
            let stop = if line.ends_with(';') || line.ends_with("*/") { "" } else { ";" };
            self.line(format_args!("{line}{stop}"));
        }
    }

    /// A line that ends a block.
    pub(crate) fn close(&mut self, line: impl Display) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    /// How long it is.
    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    /// Another text at the end.
    pub(crate) fn append(&mut self, other: &Text) {
        self.out.push_str(&other.out);
    }

    /// All words in it that could be names.
    pub(crate) fn words(&self) -> BTreeSet<&str> {
        words(&self.out)
    }

    /// The text.
    pub(crate) fn finish(self) -> String {
        self.out
    }
}

/// All words of a text that could be names.
pub(crate) fn words(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')).collect()
}

/// On one line, and without the signs that end a comment or start a directive.
pub(crate) fn tame(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace("*/", "* /").replace("/*", "/ *").replace('\\', " ")
}
