//! Storm, the probabilistic model checker, through its Python package `stormpy`.
//!
//! A [`Task`] is a model with properties in Storm's syntax. A small program (`storm/ask.py`) reads it as JSON and answers
//! line by line, with the bounds that Storm vouches for: all methods are sound ones, none just stops when values move
//! little.

mod reply;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Serialize;

use crate::process::wait;
use crate::scratch::Scratch;
use crate::tool::ExternalError;

pub use reply::{Answer, Found, Reply};

/// The program that speaks with Storm.
const ASK: &str = include_str!("storm/ask.py");

/// The environment variable that names a Python interpreter with `stormpy`.
const PYTHON: &str = "MOTET_STORM_PYTHON";

/// Where environments are looked for, below the current folder and those above it.
const ENVIRONMENTS: [&str; 2] = [".motet/storm/bin/python3", "target/storm/bin/python3"];

/// Storm, ready to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storm {
    /// A Python interpreter that has `stormpy`.
    pub python: PathBuf,
    /// Storm's version.
    pub version: String,
}

/// What Storm is asked.
#[derive(Clone, Debug)]
pub struct Task {
    /// The model.
    pub model: Input,
    /// Values for constants that the model leaves open: `N=3,p=0.5`. Empty for explicit models.
    pub constants: String,
    /// Properties in Storm's syntax, filters allowed; none only builds the model.
    pub properties: Vec<String>,
    /// How numbers are computed.
    pub arithmetic: Arithmetic,
    /// How much of the model is built.
    pub extent: Extent,
    /// Wall time for all of it.
    pub time: Duration,
    /// Memory in MiB.
    pub memory_mib: u64,
}

/// A model in a form that Storm reads.
#[derive(Clone, Debug)]
pub enum Input {
    /// Text in the PRISM language.
    Prism(String),
    /// Storm's explicit format.
    Drn(String),
    /// A JANI model.
    Jani(String),
    /// A file in the PRISM language that is there already.
    PrismFile(PathBuf),
}

/// How numbers are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arithmetic {
    /// In floating point, up to this relative error.
    Sound {
        /// Such as `1e-6`.
        precision: f64,
    },
    /// In rational numbers. Slow, and without any error.
    Exact,
}

/// How much of the model is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All reachable states, so that sizes can be compared.
    Full,
    /// Not beyond states where the only property is decided.
    Pruned,
}

impl Task {
    /// A question with the usual settings: sound up to 1e-6, the whole model, ten minutes, 8 GiB.
    #[must_use]
    pub fn new(model: Input, properties: Vec<String>) -> Self {
        Self {
            model,
            constants: String::new(),
            properties,
            arithmetic: Arithmetic::Sound { precision: 1e-6 },
            extent: Extent::Full,
            time: Duration::from_secs(600),
            memory_mib: 8_192,
        }
    }
}

/// The task as the Python program reads it.
#[derive(Serialize)]
struct Order<'a> {
    kind: &'static str,
    file: String,
    constants: &'a str,
    properties: &'a [String],
    exact: bool,
    precision: f64,
    prune: bool,
    memory: u64,
}

/// Storm as installed: in the environment that `MOTET_STORM_PYTHON` names, in `.motet/storm` or `target/storm` at or above
/// the current folder, or in the system's own Python.
///
/// # Errors
/// Says where it was looked for.
pub fn find() -> Result<Storm, ExternalError> {
    if let Some(python) = std::env::var_os(PYTHON).filter(|python| !python.is_empty()) {
        let python = PathBuf::from(python);
        let words = format!("{PYTHON} names `{}`, which cannot import stormpy", python.display());
        return probe(&python).ok_or(ExternalError::NoStorm(words));
    }
    let here = std::env::current_dir().unwrap_or_default();
    let folders = here.ancestors();
    let environments = folders.flat_map(|folder| ENVIRONMENTS.map(|environment| folder.join(environment)));
    let mut found = environments.filter(|python| python.is_file()).filter_map(|python| probe(&python));
    let found = found.next().or_else(|| probe(Path::new("python3")));
    found.ok_or_else(|| ExternalError::NoStorm("no Python here can import stormpy".to_owned()))
}

/// Asks an interpreter for Storm's version.
#[expect(clippy::disallowed_methods, reason = "this crate starts programs")]
fn probe(python: &Path) -> Option<Storm> {
    let question = "import stormpy, stormpy.info; print(stormpy.info.storm_version())";
    let output = Command::new(python).args(["-c", question]).stdin(Stdio::null()).output().ok()?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !version.is_empty()).then(|| Storm { python: python.to_owned(), version })
}

impl Storm {
    /// Asks all properties of the task, with files in a new folder below `parent`.
    ///
    /// # Errors
    /// When Storm cannot be started, refuses the model, or says nothing that can be read. A property that it refuses is a
    /// reply, not an error.
    pub fn ask(&self, task: &Task, parent: &Path) -> Result<Answer, ExternalError> {
        let folder = Scratch::new(parent)?;
        let order = order(task, &folder)?;
        let text = serde_json::to_string(&order).expect("texts and numbers are JSON");
        folder.write("task.json", &text)?;
        folder.write("ask.py", ASK)?;
        let ended = self.start(&folder, task.time)?;
        let complaints = folder.read("storm.txt")?;
        reply::read(&folder.read("answers.json")?, &complaints, task.properties.len(), ended)
    }

    #[expect(clippy::disallowed_methods, reason = "this crate starts programs")]
    fn start(&self, folder: &Scratch, time: Duration) -> Result<reply::Ended, ExternalError> {
        let system = |error| ExternalError::System("storm".to_owned(), error);
        let create = |name: &str| File::create(folder.path().join(name)).map_err(system);
        let mut child = Command::new(&self.python)
            .arg("ask.py")
            .current_dir(folder.path())
            .stdin(File::open(folder.path().join("task.json")).map_err(system)?)
            .stdout(create("answers.json")?)
            .stderr(create("storm.txt")?)
            .spawn()
            .map_err(system)?;
        Ok(match wait(&mut child, time).map_err(system)? {
            None => reply::Ended::Time,
            Some(status) if status.success() => reply::Ended::Itself,
            Some(_) => reply::Ended::Died,
        })
    }
}

/// Writes the model's file and describes the task.
fn order<'a>(task: &'a Task, folder: &Scratch) -> Result<Order<'a>, ExternalError> {
    let write = |name: &str, text: &str| folder.write(name, text).map(|()| name.to_owned());
    let (kind, file) = match &task.model {
        Input::Prism(text) => ("prism", write("model.pm", text)?),
        Input::PrismFile(path) => ("prism", absolute(path)?),
        Input::Drn(text) => ("drn", write("model.drn", text)?),
        Input::Jani(text) => ("jani", write("model.jani", text)?),
    };
    let precision = match task.arithmetic {
        Arithmetic::Sound { precision } => precision,
        Arithmetic::Exact => 1e-6,
    };
    Ok(Order {
        kind,
        file,
        constants: &task.constants,
        properties: &task.properties,
        exact: task.arithmetic == Arithmetic::Exact,
        precision,
        prune: task.extent == Extent::Pruned,
        memory: task.memory_mib,
    })
}

/// The program runs in its own folder.
fn absolute(path: &Path) -> Result<String, ExternalError> {
    let path = std::path::absolute(path)
        .map_err(|error| ExternalError::System(path.display().to_string(), error))?;
    Ok(path.display().to_string())
}
