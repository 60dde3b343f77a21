//! Files as opaque ids, and byte ranges in them.

/// A file of a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A byte range of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`. Files are limited to 4 GiB by the hosts.
    #[must_use]
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clamp = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        Self { file, start: clamp(start), end: clamp(end) }
    }

    /// The smallest span that covers both; of two files the first span, because a value of the command line may stand beside
    /// one of a file.
    #[must_use]
    pub fn to(self, other: Span) -> Self {
        if self.file != other.file {
            return self;
        }
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    /// The value.
    pub node: T,
    /// Where it was written.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Pairs a value with its place.
    pub fn new(node: T, span: Span) -> Self {
        Self { node, span }
    }
}

/// One file: its path as the user would write it, and its text.
#[derive(Clone, Debug)]
pub struct File {
    /// The path, relative to where the tool was started.
    pub path: String,
    /// The whole text.
    pub text: String,
    lines: Vec<u32>,
}

/// A place for people: 1-based line and column, the column counted in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
}

/// All texts of one run of the tool.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<File>,
}

impl Sources {
    /// No files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and numbers it.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let starts = text.match_indices('\n').map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX));
        let lines = std::iter::once(0).chain(starts).collect();
        self.files.push(File { path: path.into(), text, lines });
        FileId(u32::try_from(self.files.len() - 1).expect("hosts load fewer than 2^32 files"))
    }

    /// The file with this id.
    #[must_use]
    pub fn file(&self, id: FileId) -> &File {
        &self.files[id.0 as usize]
    }

    /// All files with their ids, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &File)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// The text a span covers; empty where the span lies outside its file.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of a span's first byte.
    #[must_use]
    pub fn place(&self, span: Span) -> Place {
        let file = self.file(span.file);
        let line = file.lines.partition_point(|&start| start <= span.start);
        let start = file.lines[line - 1] as usize;
        let before = file.text.get(start..span.start as usize).unwrap_or("");
        Place { line, column: before.chars().count() + 1 }
    }

    /// `path:line:column` of a span.
    #[must_use]
    pub fn locate(&self, span: Span) -> String {
        let place = self.place(span);
        format!("{}:{}:{}", self.file(span.file).path, place.line, place.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_and_columns_count_characters() {
        let mut sources = Sources::new();
        let file = sources.add("a.asl", "α.\nβγ.\n");
        assert_eq!(sources.locate(Span::new(file, 0, 2)), "a.asl:1:1");
        assert_eq!(sources.locate(Span::new(file, 6, 8)), "a.asl:2:2");
        assert_eq!(sources.locate(Span::new(file, 10, 10)), "a.asl:3:1");
    }
}
