//! What leaves the program: standard output and files. An output that is lost is told on standard error, keeps no other from
//! being written, and is not forgotten when the program ends.
//!
//! Files are written whole or not at all: under another name in the same folder first, which takes the file's name when all of
//! it is on the disk.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use motet_render::{Colour, View, remarks};
use motet_workbench::{Problem, Problems, Sources, lost_output, nothing_to_write};

use crate::exit::ExitCode;
use crate::host::Host;

/// Whether an output was lost.
static LOST: AtomicBool = AtomicBool::new(false);
/// Whether it was said that standard output takes nothing.
static SAID: AtomicBool = AtomicBool::new(false);

/// The exit code with what became of the outputs. A lost one outranks the verdicts, because who was to read them cannot; it hides
/// nothing that is worse.
pub(crate) fn settled(exit: ExitCode) -> ExitCode {
    match exit {
        ExitCode::AsExpected | ExitCode::NotAsExpected | ExitCode::Inconclusive
            if LOST.load(Ordering::Acquire) =>
        {
            ExitCode::Lost
        }
        other => other,
    }
}

/// Writes to standard output.
pub(crate) fn print(text: &str) {
    let mut out = anstream::stdout();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        lose_stdout(&error);
    }
}

/// A reader that went away, as in `motet check | head`, is no error of ours.
fn lose_stdout(error: &io::Error) {
    if error.kind() != ErrorKind::BrokenPipe && !SAID.swap(true, Ordering::AcqRel) {
        lose("standard output", error);
    }
}

/// Says that an output was lost.
pub(crate) fn lose(what: &str, error: &io::Error) {
    LOST.store(true, Ordering::Release);
    let mut sources = Sources::new();
    let problem = lost_output(&mut sources, what, &words(error));
    tell(problem, &sources);
}

/// Says that a report has nothing to show.
pub(crate) fn skip(what: &str, why: &str) {
    let mut sources = Sources::new();
    let problem = nothing_to_write(&mut sources, what, why);
    tell(problem, &sources);
}

fn tell(problem: Problem, sources: &Sources) {
    let mut found = Problems::new();
    found.push(problem);
    let view = View { colour: Colour::Ansi, ..View::default() };
    // Standard error is the last place to say something at.
    let _ = write!(anstream::stderr(), "{}", remarks(&found, sources, &view));
}

/// What went wrong, without the number of the system.
pub(crate) fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

/// Writes a report that was asked for as `what`, `--report json=FILE`. A report with nothing to show is none.
pub(crate) fn deliver(what: &str, path: &Path, text: Result<String, String>) -> bool {
    let written = match text {
        Ok(text) => write_whole(path, text.as_bytes()),
        Err(why) => {
            skip(what, &why);
            return false;
        }
    };
    if let Err(error) = &written {
        lose(what, error);
    }
    written.is_ok()
}

/// Where runs are saved unless somebody names a folder.
const TRACES: &str = ".motet/traces";

impl Host {
    /// Saves a run, and says where. In a folder that nobody named it is a courtesy, whose loss is told and no more.
    pub(crate) fn keep(&self, folder: &Path, name: &str, text: &str) -> Option<String> {
        let path = folder.join(name);
        match write_whole(&path, text.as_bytes()) {
            Ok(()) => return Some(path.display().to_string()),
            Err(error) if folder == Path::new(TRACES) => {
                self.hint(&format!("the run was not saved: {}: {}", path.display(), words(&error)));
            }
            Err(error) => lose(&path.display().to_string(), &error),
        }
        None
    }
}

/// Makes a report. One that breaks a promise of ours keeps no other from being written.
pub(crate) fn attempt<T>(make: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(make)).ok()
}

/// A stream that takes what comes, line by line, and tells once when something is lost.
pub(crate) struct Stream<W> {
    out: W,
    name: String,
    said: bool,
}

impl<W: Write> Stream<W> {
    pub(crate) fn new(out: W, name: impl Into<String>) -> Self {
        Self { out, name: name.into(), said: false }
    }

    fn noted<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result
            && error.kind() != ErrorKind::BrokenPipe
            && !self.said
        {
            self.said = true;
            lose(&self.name, error);
        }
        result
    }
}

impl<W: Write> Write for Stream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.out.write(bytes);
        self.noted(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.out.flush();
        self.noted(result)
    }
}

/// Writes a file and the folders above it, whole or not at all: when this fails, what was there before is as it was.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.starts_with("/dev") || path.starts_with("/proc") {
        return write_through(path, bytes);
    }
    let place = match std::fs::metadata(path) {
        Ok(data) if data.is_dir() => {
            return Err(io::Error::new(ErrorKind::IsADirectory, "a folder has this name"));
        }
        // A device or a pipe has no content that could be replaced.
        Ok(data) if !data.is_file() => return write_through(path, bytes),
        // What a link names is replaced, not the link.
        Ok(_) => path.canonicalize()?,
        Err(_) => path.to_path_buf(),
    };
    let folder = match place.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    match std::fs::create_dir_all(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Err(io::Error::new(ErrorKind::NotADirectory, "a file has the name of the folder"));
        }
        made => made?,
    }
    let Unfinished { mut file, path: unfinished } = Unfinished::in_folder(folder)?;
    let finished = keep_rights(&place, &file)
        .and_then(|()| file.write_all(bytes))
        .and_then(|()| file.sync_all())
        .and_then(|()| std::fs::rename(&unfinished, &place));
    if finished.is_err() {
        // That it stays behind would be one complaint too many.
        let _ = std::fs::remove_file(&unfinished);
    }
    finished
}

fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    match file.write_all(bytes).and_then(|()| file.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// A file that may not be written is not replaced either, and one that is replaced may be read by whom it could be before.
fn keep_rights(place: &Path, file: &File) -> io::Result<()> {
    match OpenOptions::new().write(true).open(place) {
        Ok(old) => file.set_permissions(old.metadata()?.permissions()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// A file under a name that nobody asked for.
struct Unfinished {
    file: File,
    path: PathBuf,
}

impl Unfinished {
    fn in_folder(folder: &Path) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = OsString::from(format!(".motet-{}-{number}.part", std::process::id()));
            let path = folder.join(name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Self { file, path }),
                // Left behind by a program of this number that was ended.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}
