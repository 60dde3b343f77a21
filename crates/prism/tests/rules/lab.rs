//! Reads and explores small models.

use std::collections::{BTreeMap, VecDeque};

use motet_model::{
    AtomText, Checked, Expr, Fault, Language as _, Model, Operator, Options, Ratio, State, Steps, System,
};
use motet_prism::Prism;
use motet_source::{FileId, Problems, Sources, Span, Spanned};

/// Reads a model; the lines are those of [`Problems::lines`].
pub(crate) fn read_with(
    text: &str,
    parameters: &[(&str, &str)],
    atoms: &[AtomText],
) -> (Option<System>, String) {
    let mut sources = Sources::new();
    sources.add("model.prism", text);
    let mut options = Options::default();
    for (name, value) in parameters {
        options.parameters.insert((*name).to_owned(), (*value).to_owned());
    }
    let mut problems = Problems::new();
    let draft = Prism.read(&sources, &options, &mut problems);
    let place = Span::new(FileId(0), 0, 0);
    let atoms: Vec<_> = atoms.iter().map(|atom| Spanned::new(atom.clone(), place)).collect();
    let system = draft.and_then(|draft| draft.system(&atoms, &mut problems));
    (system, problems.lines(&sources))
}

/// Reads a model that has no problems.
pub(crate) fn system(text: &str) -> System {
    let (system, problems) = read_with(text, &[], &[]);
    assert_eq!(problems, "", "{text}");
    system.expect("a model without problems")
}

/// The codes of a model's problems, in order.
pub(crate) fn codes(text: &str) -> Vec<String> {
    codes_of(&read_with(text, &[], &[]).1)
}

pub(crate) fn codes_of(lines: &str) -> Vec<String> {
    lines.lines().filter_map(|line| Some(line.split_once('[')?.1.split_once(']')?.0.to_owned())).collect()
}

/// One step: what is done, and its branches: chance and target.
pub(crate) type Told = (String, Vec<(String, String)>);

/// A whole graph, in words: each state with its steps.
pub(crate) struct Graph {
    pub(crate) states: BTreeMap<String, Vec<Told>>,
    pub(crate) choices: usize,
    pub(crate) transitions: usize,
}

/// `x=1, b=true`
pub(crate) fn told(system: &System, state: &State) -> String {
    let slots = &system.model.signature().slots;
    let values = (0..).zip(slots).zip(state).map(|((slot, name), value)| {
        format!("{name}={}", system.words.value(motet_model::SlotId(slot), *value))
    });
    values.collect::<Vec<_>>().join(", ")
}

pub(crate) fn fraction(ratio: Ratio) -> String {
    ratio.quotient()
}

/// Explores everything, inside [`Checked`].
pub(crate) fn explore(system: &System) -> Result<Graph, Fault> {
    let model = Checked::new(std::sync::Arc::clone(&system.model));
    let mut initial = Vec::new();
    model.initial(&mut initial);
    let mut waiting: VecDeque<Box<State>> = initial.into();
    let mut graph = Graph { states: BTreeMap::new(), choices: 0, transitions: 0 };
    let mut steps = Steps::new(model.signature().slots.len());
    while let Some(state) = waiting.pop_front() {
        let name = told(system, &state);
        if graph.states.contains_key(&name) {
            continue;
        }
        steps.clear();
        model.steps(&state, &mut steps)?;
        let mut all = Vec::new();
        for step in steps.iter() {
            graph.choices += 1;
            let mut branches = Vec::new();
            for branch in step.branches() {
                graph.transitions += 1;
                branches.push((fraction(branch.chance), told(system, branch.target)));
                waiting.push_back(branch.target.into());
            }
            all.push((system.words.action(step.action), branches));
        }
        graph.states.insert(name, all);
    }
    Ok(graph)
}

/// The graph of a model without problems and faults.
pub(crate) fn graph(text: &str) -> Graph {
    explore(&system(text)).expect("no fault")
}

/// The message of the first fault of a model.
pub(crate) fn fault(text: &str) -> String {
    match explore(&system(text)) {
        Ok(_) => panic!("no fault in\n{text}"),
        Err(fault) => fault.message,
    }
}

/// The steps of a state: `chance:target` joined.
pub(crate) fn steps(graph: &Graph, state: &str) -> Vec<String> {
    let steps = graph.states.get(state).unwrap_or_else(|| panic!("{state} in {:?}", graph.states.keys()));
    let line = |(_, branches): &Told| {
        branches.iter().map(|(chance, to)| format!("{chance}:{to}")).collect::<Vec<_>>().join(" + ")
    };
    steps.iter().map(line).collect()
}

pub(crate) fn name(name: &str) -> Expr {
    Expr::Call(name.to_owned(), Vec::new())
}

pub(crate) fn compare(operator: Operator, left: Expr, right: Expr) -> AtomText {
    AtomText::Fact(Expr::Binary(operator, Box::new(left), Box::new(right)))
}
