//! Checkpoints on disk: a folder per check, with a log per search and a page that says what counts.
//!
//! Logs only grow. The page, which is replaced as a whole, says how long each log is; what comes behind that was written
//! when the program was ended, and is cut off.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use motet_workbench::{Damage, Keeper, digest, verify};
use serde::{Deserialize, Serialize};

use crate::deliver::write_whole;

/// Where checkpoints are, below the folder in which the program was started.
pub(crate) const FOLDER: &str = ".motet/checkpoints";

/// The page of a check.
const PAGE: &str = "check.json";

/// Which version writes: numbers of states and readings of languages may change with each.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a checkpoint says of itself.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub(crate) struct Page {
    /// Who wrote it.
    pub(crate) motet: String,
    /// The words of the command line.
    pub(crate) command: Vec<String>,
    /// The model, as given.
    pub(crate) model: String,
    /// The digest of the texts that were checked.
    pub(crate) texts: String,
    /// When it was written, in seconds since 1970.
    pub(crate) saved: u64,
    /// The searches: how long the log of each is, and how many states are in it.
    pub(crate) logs: Vec<LogPart>,
}

/// How much of a log counts.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub(crate) struct LogPart {
    pub(crate) search: String,
    pub(crate) bytes: u64,
    pub(crate) states: u64,
}

/// A page with its own checksum.
#[derive(Serialize, Deserialize)]
struct Sealed {
    page: Page,
    seal: String,
}

/// A checkpoint that was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) folder: PathBuf,
    pub(crate) page: Page,
}

/// The newest checkpoint, of this model if one is given.
pub(crate) fn newest(model: Option<&Path>) -> Result<Option<Found>, (PathBuf, Damage)> {
    let Ok(entries) = std::fs::read_dir(FOLDER) else { return Ok(None) };
    let mut found: Option<Found> = None;
    let mut damaged = None;
    for folder in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if !folder.join(PAGE).exists() {
            continue;
        }
        match read_page(&folder) {
            Ok(page) => {
                let wanted = model.is_none_or(|model| model == Path::new(&page.model));
                if wanted && found.as_ref().is_none_or(|other| other.page.saved <= page.saved) {
                    found = Some(Found { folder, page });
                }
            }
            Err(damage) => damaged = Some((folder, damage)),
        }
    }
    match (found, damaged) {
        (None, Some(damaged)) => Err(damaged),
        (found, _) => Ok(found),
    }
}

fn read_page(folder: &Path) -> Result<Page, Damage> {
    #[expect(clippy::disallowed_methods, reason = "the command line is a host")]
    let text = std::fs::read_to_string(folder.join(PAGE));
    let text = text.map_err(|error| Damage::Unreadable(error.to_string()))?;
    let sealed: Sealed = serde_json::from_str(&text).map_err(|_| Damage::Flipped)?;
    if seal(&sealed.page) != sealed.seal {
        return Err(Damage::Flipped);
    }
    Ok(sealed.page)
}

fn seal(page: &Page) -> String {
    let text = serde_json::to_string(page).expect("a page of texts and numbers can be written");
    digest(text.as_bytes())
}

impl Found {
    /// Looks at every log as far as it counts.
    pub(crate) fn verify(&self) -> Result<(), Damage> {
        for part in &self.page.logs {
            let path = log_path(&self.folder, &part.search);
            let file = File::open(path).map_err(|error| Damage::Unreadable(error.to_string()))?;
            let length = file.metadata().map_err(|error| Damage::Unreadable(error.to_string()))?.len();
            if length < part.bytes {
                return Err(Damage::Torn);
            }
            verify(&mut BufReader::new(file).take(part.bytes))?;
        }
        Ok(())
    }

    /// Whether this version wrote it.
    pub(crate) fn is_ours(&self) -> bool {
        self.page.motet == VERSION
    }
}

fn log_path(folder: &Path, search: &str) -> PathBuf {
    folder.join(format!("{search}.log"))
}

/// The checkpoints of one check.
pub(crate) struct Folder {
    folder: PathBuf,
    page: Page,
    /// The search that is under way, and its log once something was appended.
    search: String,
    log: Option<File>,
    bytes: u64,
    /// Why the checkpoint cannot be continued.
    pub(crate) refused: Option<Damage>,
    /// Why nothing more is saved.
    pub(crate) abandoned: Option<String>,
    /// Whether something is being saved.
    pub(crate) saving: Arc<AtomicBool>,
    /// Whether something was saved.
    pub(crate) committed: bool,
}

impl Folder {
    /// For a check from the beginning. `name` is the same for the same check, so that an old checkpoint of it is replaced.
    pub(crate) fn fresh(name: &str, command: &[String], model: String, texts: String) -> Self {
        let name = digest(name.as_bytes());
        let page = Page {
            motet: VERSION.to_owned(),
            command: command.to_vec(),
            model,
            texts,
            saved: 0,
            logs: Vec::new(),
        };
        Self::over(Path::new(FOLDER).join(&name[..16]), page)
    }

    /// For a check that goes on.
    pub(crate) fn resumed(found: Found) -> Self {
        Self { committed: true, ..Self::over(found.folder, found.page) }
    }

    fn over(folder: PathBuf, page: Page) -> Self {
        Self {
            folder,
            page,
            search: String::new(),
            log: None,
            bytes: 0,
            refused: None,
            abandoned: None,
            saving: Arc::default(),
            committed: false,
        }
    }

    /// Bytes of all logs.
    pub(crate) fn bytes(&self) -> u64 {
        self.page.logs.iter().map(|part| part.bytes).sum()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// The check is over: there is nothing to go on with.
    pub(crate) fn remove(&self) {
        if self.committed {
            // What stays behind is replaced by the next checkpoint.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }

    /// Opens the log of the search for writing behind what counts.
    fn log(&mut self) -> io::Result<&mut File> {
        if self.log.is_none() {
            std::fs::create_dir_all(&self.folder)?;
            if !self.committed {
                // The page of an old check must not speak of the new log.
                match std::fs::remove_file(self.folder.join(PAGE)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
            let path = log_path(&self.folder, &self.search);
            let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
            file.try_lock().map_err(|_| io::Error::other("another check writes the same checkpoint"))?;
            file.set_len(self.bytes)?;
            file.seek(SeekFrom::End(0))?;
            self.log = Some(file);
        }
        Ok(self.log.as_mut().expect("it was opened just now"))
    }

    fn write_page(&mut self) -> io::Result<()> {
        self.page.saved = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let sealed = Sealed { seal: seal(&self.page), page: self.page.clone() };
        let text = serde_json::to_string_pretty(&sealed).expect("a page of texts and numbers can be written");
        write_whole(&self.folder.join(PAGE), text.as_bytes())?;
        // The name of a file is kept by its folder.
        File::open(&self.folder)?.sync_all()
    }
}

impl Keeper for Folder {
    fn open(&mut self, search: &str) -> io::Result<Option<Box<dyn Read>>> {
        (self.search, self.log, self.bytes) = (search.to_owned(), None, 0);
        let Some(part) = self.page.logs.iter().find(|part| part.search == search) else { return Ok(None) };
        self.bytes = part.bytes;
        let file = File::open(log_path(&self.folder, search))?;
        Ok(Some(Box::new(BufReader::with_capacity(1 << 20, file).take(part.bytes))))
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.saving.store(true, Ordering::Release);
        self.log()?.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    fn commit(&mut self, states: u64) -> io::Result<()> {
        self.log()?.sync_data()?;
        let part = LogPart { search: self.search.clone(), bytes: self.bytes, states };
        match self.page.logs.iter_mut().find(|other| other.search == part.search) {
            Some(other) => *other = part,
            None => self.page.logs.push(part),
        }
        self.write_page()?;
        self.committed = true;
        self.saving.store(false, Ordering::Release);
        Ok(())
    }

    fn refuse(&mut self, damage: Damage) {
        self.refused = Some(damage);
    }

    fn abandon(&mut self, why: &str) {
        self.abandoned = Some(why.to_owned());
        self.saving.store(false, Ordering::Release);
    }
}
