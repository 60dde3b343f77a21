//! Runs the real binary on models in a folder of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What the binary answered.
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A folder with a model, made anew for each test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("the target folder can be written");
        let folder = Self(path);
        files.iter().for_each(|(name, text)| folder.write(name, text.as_bytes()));
        folder
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("can be made");
        let mut file = std::fs::File::create(path).expect("can be made");
        std::io::Write::write_all(&mut file, bytes).expect("can be written");
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn read(&self, name: &str) -> String {
        let bytes = std::fs::read(self.0.join(name)).expect("the file is there");
        String::from_utf8(bytes).expect("a text")
    }

    /// Runs `motet` inside the folder.
    pub(crate) fn motet(&self, arguments: &[&str]) -> Answer {
        self.motet_with(arguments, &[])
    }

    /// As [`Folder::motet`], with variables of the environment.
    #[expect(clippy::disallowed_methods, reason = "the test starts the program it is about")]
    pub(crate) fn motet_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Answer {
        let output = Command::new(env!("CARGO_BIN_EXE_motet"))
            .args(arguments)
            .current_dir(&self.0)
            .env_remove("NO_COLOR")
            .envs(environment.iter().copied())
            .output()
            .expect("the binary starts");
        Answer {
            code: output.status.code().expect("the binary ends by itself"),
            stdout: String::from_utf8(output.stdout).expect("texts are UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("texts are UTF-8"),
        }
    }

    /// Runs a line of `bash` inside the folder, in which `$MOTET` is the binary.
    #[expect(clippy::disallowed_methods, reason = "the test starts the program it is about")]
    pub(crate) fn shell(&self, line: &str) -> Answer {
        let output = Command::new("bash")
            .args(["-c", line])
            .current_dir(&self.0)
            .env("MOTET", env!("CARGO_BIN_EXE_motet"))
            .env_remove("NO_COLOR")
            .output()
            .expect("there is a shell");
        Answer {
            code: output.status.code().expect("the shell ends by itself"),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Names of all files in it, hidden ones too, without the folder of traces.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the folder is there");
        let names = entries.map(|entry| entry.expect("it can be read").file_name());
        let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.retain(|name| name != ".motet");
        names.sort();
        names
    }
}
