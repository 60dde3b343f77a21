//! The repository's texts in memory.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::scan;

/// Folders that hold nothing of ours.
const SKIPPED: [&str; 5] = [".git", "target", ".motet", ".venv", "book/book"];

/// Extensions of the texts that checks look at.
const EXTENSIONS: [&str; 8] = ["rs", "md", "toml", "asl", "team", "props", "mas2j", "txt"];

/// Texts without an extension.
const SCRIPTS: [&str; 4] = ["test", ".ci/run", "LICENSE-MIT", "LICENSE-APACHE"];

/// One text.
#[derive(Clone, Debug)]
pub struct Text {
    /// Relative to the root, with `/`.
    pub path: String,
    /// As on disk.
    pub text: String,
    /// Rust only: comments and the insides of literals are blank, everything else stands where it stood.
    pub code: String,
}

impl Text {
    /// A text; Rust code is scanned at once.
    #[must_use]
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let (path, text) = (path.into(), text.into());
        let code = if path.ends_with(".rs") { scan::blank(&text) } else { String::new() };
        Self { path, text, code }
    }

    /// Whether it is Rust.
    #[must_use]
    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// The crate's folder if the text is part of one: `engine` of `crates/engine/src/lib.rs`.
    #[must_use]
    pub fn package(&self) -> Option<&str> {
        self.path.strip_prefix("crates/")?.split('/').next()
    }

    /// Whether it is code that ships in a library: sources of a crate other than the command line and the suite.
    #[must_use]
    pub fn is_library(&self) -> bool {
        self.is_rust()
            && self.path.contains("/src/")
            && self.package().is_some_and(|package| !matches!(package, "cli" | "suite"))
    }
}

/// All texts of the repository, in order of their paths.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The texts.
    pub texts: Vec<Text>,
    /// Every file, also those that are no texts, for links.
    pub paths: Vec<String>,
}

impl Tree {
    /// Reads the repository.
    ///
    /// # Errors
    /// When a folder or a text cannot be read.
    pub fn read(root: &Path) -> Result<Self> {
        let mut tree = Self::default();
        let mut waiting = vec![root.to_path_buf()];
        while let Some(folder) = waiting.pop() {
            for entry in
                std::fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?
            {
                let path = entry?.path();
                let name = relative(root, &path);
                if SKIPPED.iter().any(|skipped| name == *skipped || name.ends_with(&format!("/{skipped}"))) {
                    continue;
                }
                if path.is_dir() {
                    tree.paths.push(name);
                    waiting.push(path);
                } else {
                    tree.add_file(&path, name)?;
                }
            }
        }
        tree.texts.sort_by(|a, b| a.path.cmp(&b.path));
        tree.paths.sort();
        Ok(tree)
    }

    /// A tree of these texts, for tests of the checks.
    #[must_use]
    pub fn of(texts: &[(&str, &str)]) -> Self {
        let mut tree = Self::default();
        for (path, text) in texts {
            tree.texts.push(Text::new(*path, *text));
            let folders = path.match_indices('/').map(|(at, _)| path[..at].to_owned());
            tree.paths.extend(folders.chain([(*path).to_owned()]));
        }
        tree.paths.sort();
        tree.paths.dedup();
        tree
    }

    /// The text at a path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Text> {
        self.texts.iter().find(|text| text.path == path)
    }

    /// Whether a file or folder exists.
    #[must_use]
    pub fn exists(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        path.is_empty() || self.paths.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
    }

    /// The Rust texts.
    pub fn rust(&self) -> impl Iterator<Item = &Text> {
        self.texts.iter().filter(|text| text.is_rust())
    }

    fn add_file(&mut self, path: &Path, name: String) -> Result<()> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        if EXTENSIONS.contains(&extension) || SCRIPTS.contains(&name.as_str()) {
            let text = std::fs::read_to_string(path).with_context(|| format!("reading {name}"))?;
            self.texts.push(Text::new(name.clone(), text));
        }
        self.paths.push(name);
        Ok(())
    }
}

fn relative(root: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(root).unwrap_or(path).components();
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The repository that holds this crate.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_path_buf()
}
