//! Promela as text, with indentation that follows the blocks.

use std::fmt::Display;

/// A growing text.
#[derive(Debug, Default)]
pub(crate) struct Text {
    out: String,
    depth: usize,
}

impl Text {
    /// One line at the present depth.
    pub(crate) fn line(&mut self, line: impl Display) {
        let line = line.to_string();
        if line.is_empty() {
            return;
        }
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
        self.out.push_str(&line);
        self.out.push('\n');
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

    /// A line between two blocks: `:: else ->`.
    pub(crate) fn turn(&mut self, line: impl Display) {
        self.depth -= 1;
        self.line(line);
        self.depth += 1;
    }

    /// A line that ends a block.
    pub(crate) fn close(&mut self, line: impl Display) {
        self.depth -= 1;
        self.line(line);
    }

    /// Lines written elsewhere, at the present depth.
    pub(crate) fn block(&mut self, lines: &str) {
        lines.lines().for_each(|line| self.line(line));
    }

    /// `if` with one condition: the block, or nothing.
    pub(crate) fn when(&mut self, condition: impl Display, block: impl FnOnce(&mut Self)) {
        self.line("if");
        self.open(format_args!(":: ({condition}) ->"));
        let before = self.out.len();
        block(self);
        if self.out.len() == before {
            self.line("skip");
        }
        self.close(":: else");
        self.line("fi;");
    }

    /// How long it is.
    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    /// The text.
    pub(crate) fn finish(self) -> String {
        self.out
    }
}

/// On one line, and without the signs that end a comment or start a directive.
pub(crate) fn tame(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace("*/", "* /").replace("/*", "/ *").replace('\\', " ")
}
