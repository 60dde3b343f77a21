//! Several files in one input: a line `=== NAME` begins each.

use motet_workbench::Sources;

/// The line that begins a file.
const MARK: &str = "=== ";

/// The files of an input. What comes before the first mark is dropped.
pub(crate) fn files(data: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(data);
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix(MARK) {
            files.push((name.trim_end().to_owned(), String::new()));
        } else if let Some((_, text)) = files.last_mut() {
            text.push_str(line);
        }
    }
    files
}

/// The same as sources.
pub(crate) fn sources(files: Vec<(String, String)>) -> Sources {
    let mut sources = Sources::new();
    for (name, text) in files {
        sources.add(name, text);
    }
    sources
}
