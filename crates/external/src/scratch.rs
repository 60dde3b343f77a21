//! A private folder that disappears with its owner.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::ExternalError;

/// A new folder; removed when dropped.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// A folder below `parent` that nobody else has.
    pub(crate) fn new(parent: &Path) -> Result<Self, ExternalError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("motet-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = parent.join(name);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::create_dir(&path))
            .map_err(|error| ExternalError::System(path.display().to_string(), error))?;
        Ok(Self { path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file of the folder.
    #[expect(clippy::disallowed_methods, reason = "this crate hands files to other programs")]
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), ExternalError> {
        std::fs::write(self.path.join(name), text)
            .map_err(|error| ExternalError::System(name.to_owned(), error))
    }

    /// Reads a file of the folder; bytes that are no text are replaced.
    pub(crate) fn read(&self, name: &str) -> Result<String, ExternalError> {
        let bytes = std::fs::read(self.path.join(name))
            .map_err(|error| ExternalError::System(name.to_owned(), error))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that cannot be removed is litter in the system's temporary folder, not a wrong answer.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
