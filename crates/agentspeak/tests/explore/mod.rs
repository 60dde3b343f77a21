//! A plain breadth-first search, so that these tests need no engine.

use std::collections::{HashSet, VecDeque};
use std::path::Path;

use motet_agentspeak::AgentSpeak;
use motet_model::{Checked, Language, Model, Options, State, Steps, System};
use motet_source::{Problems, Sources};

/// What a search saw.
pub struct Graph {
    /// Different states.
    pub states: usize,
    /// Steps between them; one per branch.
    pub steps: usize,
}

/// The whole graph.
pub fn explore(model: &(dyn Model + Send + Sync)) -> Graph {
    let mut first = Vec::new();
    model.initial(&mut first);
    let mut seen: HashSet<Box<State>> = first.iter().cloned().collect();
    let mut open: VecDeque<Box<State>> = first.into();
    let mut out = Steps::new(model.signature().slots.len());
    let mut steps = 0;
    while let Some(state) = open.pop_front() {
        out.clear();
        model.steps(&state, &mut out).expect("no bound is exceeded");
        for branch in out.iter().flat_map(|step| step.branches()) {
            steps += 1;
            if !seen.contains(branch.target) {
                seen.insert(branch.target.into());
                open.push_back(branch.target.into());
            }
        }
    }
    Graph { states: seen.len(), steps }
}

/// The system of a folder in `examples`.
pub fn read_example(folder: &str, parameters: &[(&str, i64)]) -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(folder);
    let mut sources = Sources::new();
    let mut names: Vec<_> = std::fs::read_dir(&path)
        .expect("the example is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    names.sort();
    for name in names {
        let bytes = std::fs::read(&name).expect("the file can be read");
        let file = name.file_name().expect("a file has a name").to_string_lossy().into_owned();
        if !file.ends_with(".props") {
            sources.add(file, String::from_utf8(bytes).expect("the file is text"));
        }
    }
    let mut options = Options::default();
    options.parameters =
        parameters.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
    let mut problems = Problems::new();
    let draft = AgentSpeak.read(&sources, &options, &mut problems);
    let draft = draft.unwrap_or_else(|| panic!("{}", problems.lines(&sources)));
    draft.system(&[], &mut problems).expect("no atoms, no problems")
}

/// The same model with its promises checked.
#[allow(dead_code, reason = "not every test file checks")]
pub fn checked<M: Model>(model: M) -> Checked<M> {
    Checked(model)
}
