//! Teams from text, and a plain breadth-first search, so that these tests need no engine. All models run inside
//! [`Checked`].

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use motet_agentspeak::AgentSpeak;
use motet_model::{
    ActionId, AtomId, AtomText, Checked, Expr, Fault, Language, Model, Options, State, Steps, System,
};
use motet_source::{FileId, Problems, Sources, Span, Spanned};

/// A complete graph.
pub(crate) struct Graph {
    /// In order of discovery.
    pub(crate) states: Vec<Box<State>>,
    /// Steps between them; one per branch.
    pub(crate) steps: usize,
    /// Actions that were taken, without repetition, in order of discovery.
    pub(crate) actions: Vec<ActionId>,
    /// Predecessor and action of each state but the first.
    parents: HashMap<Box<State>, (Box<State>, ActionId)>,
}

impl Graph {
    /// A shortest run to a state: its states and actions.
    pub(crate) fn run_to(&self, state: &State) -> (Vec<Box<State>>, Vec<ActionId>) {
        let (mut states, mut actions) = (vec![Box::<State>::from(state)], Vec::new());
        while let Some((parent, action)) = self.parents.get(states.last().expect("never empty")) {
            actions.push(*action);
            states.push(parent.clone());
        }
        states.reverse();
        actions.reverse();
        (states, actions)
    }
}

/// The whole graph of a system.
pub(crate) fn explore(system: &System) -> Graph {
    try_explore(system).unwrap_or_else(|fault| panic!("{fault}"))
}

/// The whole graph, or the first fault.
pub(crate) fn try_explore(system: &System) -> Result<Graph, Fault> {
    search(&Checked::new(Arc::clone(&system.model)))
}

/// The whole graph without checking the model's promises, for large models that are checked elsewhere.
pub(crate) fn explore_unchecked(system: &System) -> Graph {
    search(&Arc::clone(&system.model)).unwrap_or_else(|fault| panic!("{fault}"))
}

fn search(model: &impl Model) -> Result<Graph, Fault> {
    let mut first = Vec::new();
    model.initial(&mut first);
    let mut states = first.clone();
    let mut seen: HashSet<Box<State>> = first.iter().cloned().collect();
    let mut open: VecDeque<Box<State>> = first.into();
    let mut parents = HashMap::new();
    let mut actions = Vec::new();
    let mut known = HashSet::new();
    let mut out = Steps::new(model.signature().slots.len());
    let mut steps = 0;
    while let Some(state) = open.pop_front() {
        out.clear();
        model.steps(&state, &mut out)?;
        for step in out.iter() {
            if known.insert(step.action) {
                actions.push(step.action);
            }
            for branch in step.branches() {
                steps += 1;
                if seen.insert(branch.target.into()) {
                    parents.insert(branch.target.into(), (state.clone(), step.action));
                    states.push(branch.target.into());
                    open.push_back(branch.target.into());
                }
            }
        }
    }
    Ok(Graph { states, steps, actions, parents })
}

/// One run until a state comes again: the last process that can move does, so that the environment answers at once.
/// One line `who: what` for each step that is not idle.
pub(crate) fn story(system: &System) -> Vec<String> {
    run(system).1
}

/// The last state of that run, and its lines.
pub(crate) fn run(system: &System) -> (Box<State>, Vec<String>) {
    let model = Checked::new(Arc::clone(&system.model));
    let mut first = Vec::new();
    model.initial(&mut first);
    let mut state = first.remove(0);
    let mut seen = HashSet::new();
    let mut lines = Vec::new();
    let mut turn = 0u32;
    let agents = model.signature().processes.iter().position(|name| name == "environment");
    let agents = u32::try_from(agents.expect("every team has an environment")).expect("small");
    while seen.insert((state.clone(), turn)) {
        let mut out = Steps::new(model.signature().slots.len());
        model.steps(&state, &mut out).unwrap_or_else(|fault| panic!("{fault}"));
        let world = out.iter().find(|step| step.process.0 >= agents);
        let step =
            world.or_else(|| out.iter().find(|step| step.process.0 == turn)).expect("agents can always move");
        let text = system.words.action(step.action);
        if !text.starts_with("idle") {
            lines.push(format!("{}: {text}", model.signature().processes[step.process.index()]));
        }
        if step.process.0 < agents {
            turn = (turn + 1) % agents;
        }
        let next: Box<State> = step.branches().next().expect("a step has a branch").target.into();
        state = next;
    }
    (state, lines)
}

/// The items of a section of an agent's mind, or of the environment.
pub(crate) fn section(system: &System, state: &State, who: &str, title: &str) -> Vec<String> {
    let snapshot = system.words.snapshot(state);
    let mind = snapshot.minds.into_iter().find(|mind| mind.name == who).expect("the agent exists");
    mind.sections.into_iter().find(|section| section.title == title).expect("the section exists").items
}

/// The system of these files.
pub(crate) fn load(files: &[(&str, &str)]) -> System {
    load_with(files, &[], &[])
}

/// One agent `a` in the Jason dialect.
pub(crate) fn jason(program: &str) -> System {
    load(&[("t.team", "team t\nmode jason\nagent a\n"), ("a.asl", program)])
}

/// One agent `a` in AgentSpeak(F).
pub(crate) fn strict(program: &str) -> System {
    load(&[("t.team", "team t\nmode strict\nagent a\n"), ("a.asl", program)])
}

/// The system of these files with atoms and parameters.
pub(crate) fn load_with(files: &[(&str, &str)], atoms: &[AtomText], parameters: &[(&str, i64)]) -> System {
    try_load(files, atoms, parameters).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The system, or the problems as text.
pub(crate) fn try_load(
    files: &[(&str, &str)],
    atoms: &[AtomText],
    parameters: &[(&str, i64)],
) -> Result<System, String> {
    let mut sources = Sources::new();
    for (name, text) in files {
        sources.add(*name, *text);
    }
    let parameters: BTreeMap<String, String> =
        parameters.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
    let options = Options { parameters, ..Options::default() };
    let mut problems = Problems::new();
    let draft = AgentSpeak.read(&sources, &options, &mut problems);
    let Some(draft) = draft else { return Err(problems.lines(&sources)) };
    let span = Span::new(FileId(0), 0, 1);
    let atoms: Vec<_> = atoms.iter().map(|atom| Spanned::new(atom.clone(), span)).collect();
    draft.system(&atoms, &mut problems).ok_or_else(|| problems.lines(&sources))
}

/// The system of a folder in `examples`.
pub(crate) fn load_example(folder: &str, atoms: &[AtomText], parameters: &[(&str, i64)]) -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(folder);
    let mut names: Vec<_> = std::fs::read_dir(&path)
        .expect("the example is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension != "props" && extension != "md"))
        .collect();
    names.sort();
    let files: Vec<(String, String)> = names
        .iter()
        .map(|path| {
            let bytes = std::fs::read(path).expect("the file can be read");
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            (name, String::from_utf8(bytes).expect("the file is text"))
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&name[..], &text[..])).collect();
    load_with(&files, atoms, parameters)
}

/// `name(args)`
pub(crate) fn call(name: &str, args: &[&str]) -> Expr {
    let arg = |arg: &&str| match (*arg, arg.parse()) {
        ("_", _) => Expr::Any,
        (_, Ok(number)) => Expr::Int(number),
        (name, Err(_)) => Expr::Call(name.to_owned(), Vec::new()),
    };
    Expr::Call(name.to_owned(), args.iter().map(arg).collect())
}

/// `Bel(agent, name(args))`
pub(crate) fn believes(agent: &str, name: &str, args: &[&str]) -> AtomText {
    AtomText::Believes(agent.to_owned(), call(name, args))
}

/// How many states satisfy atom number `atom`.
pub(crate) fn count(system: &System, graph: &Graph, atom: u32) -> usize {
    graph.states.iter().filter(|state| system.model.holds(AtomId(atom), state)).count()
}
