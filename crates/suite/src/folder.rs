//! Finds pages and reads folders of models.
#![expect(clippy::disallowed_methods, reason = "the suite is a host: it reads the pages it runs")]

use std::path::{Path, PathBuf};

use motet_source::Sources;

/// Extensions of a model's texts.
const EXTENSIONS: [&str; 17] = [
    "team", "mas2j", "asl", "b", "prism", "pm", "nm", "sej", "sep", "ont", "npn", "pnml", "net", "toml",
    "props", "pctl", "psl",
];

/// The repository that holds this crate.
///
/// # Panics
/// Never: the crate lies two levels below the root.
#[must_use]
pub fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    crates.and_then(Path::parent).expect("the crate lies two levels below the root").to_path_buf()
}

/// All Markdown pages under a folder with their paths from the root, in order. While you work on one page, the
/// environment variable `MOTET_PAGE` may hold a part of its path.
///
/// # Panics
/// If a folder or page cannot be read.
#[must_use]
pub fn pages(root: &Path, under: &str) -> Vec<(String, String)> {
    let mut pages = Vec::new();
    let mut waiting = vec![under.to_owned()];
    while let Some(folder) = waiting.pop() {
        for name in names(&root.join(&folder)) {
            let path = format!("{folder}/{name}");
            if root.join(&path).is_dir() {
                waiting.push(path);
            } else if name.ends_with(".md") && name != "README.md" {
                let text = std::fs::read_to_string(root.join(&path)).expect("a page can be read");
                pages.push((path, text));
            }
        }
    }
    if let Ok(part) = std::env::var("MOTET_PAGE") {
        pages.retain(|(path, _)| path.contains(&part));
    }
    pages.sort();
    pages
}

/// The texts of a model's folder.
///
/// # Errors
/// A message when there is no such folder or no model in it.
pub fn sources(root: &Path, path: &str) -> Result<Sources, String> {
    let folder = root.join(path);
    if !folder.is_dir() {
        return Err(format!("there is no folder {path}"));
    }
    let mut sources = Sources::new();
    for name in names(&folder) {
        if EXTENSIONS.iter().any(|extension| name.ends_with(&format!(".{extension}"))) {
            let text = std::fs::read_to_string(folder.join(&name)).map_err(|error| error.to_string())?;
            sources.add(format!("{path}/{name}"), text);
        }
    }
    if sources.iter().next().is_none() { Err(format!("there is no model in {path}")) } else { Ok(sources) }
}

/// The names in a folder, in order.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.expect("the folder can be read").file_name().to_string_lossy().into_owned()
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}
