//! A line under construction.

/// Letters by column; later pieces overwrite earlier ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Canvas(Vec<char>);

impl Canvas {
    pub(crate) fn put(&mut self, at: usize, text: &str) {
        for (i, letter) in text.chars().enumerate() {
            let at = at + i;
            if self.0.len() <= at {
                self.0.resize(at + 1, ' ');
            }
            self.0[at] = letter;
        }
    }

    /// Fills the columns from `from` up to and without `to`.
    pub(crate) fn fill(&mut self, from: usize, to: usize, letter: char) {
        for at in from..to {
            self.put(at, letter.encode_utf8(&mut [0; 4]));
        }
    }

    /// What stands in a column.
    pub(crate) fn at(&self, column: usize) -> char {
        self.0.get(column).copied().unwrap_or(' ')
    }

    pub(crate) fn line(&self) -> String {
        self.0.iter().collect::<String>().trim_end().to_string()
    }
}
