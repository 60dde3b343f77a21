//! Which files make which agent.
//!
//! Every reasoning file is an agent, called like the file. An action file belongs to one agent when it lies in a folder with the
//! agent's name beside the reasoning file, or when its name starts with the agent's name and a dot (`scout.open.sep`); every
//! other action file is shared. An agent's own file goes before a shared one with the same sentence.

use motet_model::Options;
use motet_source::{File, FileId, Problem, Problems, Sources, Span};

use crate::parameters;
use crate::parse::{parse_ontology, parse_procedure, parse_reasoning};
use crate::program::{Counting, Logic, Program};
use crate::resolve::{Member, Project, resolve};
use crate::sentence::{fold, identifier};
use crate::syntax::{OntologyTree, ProcedureTree, ReasoningTree};

/// How many agents a project may have.
const MOST_AGENTS: usize = 64;

/// A project that was read.
pub(crate) struct Reading {
    /// The program.
    pub(crate) program: Program,
    /// Numbers that `-D` may set, with their present values.
    pub(crate) parameters: Vec<(String, String)>,
}

/// Reads a project. `None` means that the problems say why.
pub(crate) fn read(sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Reading> {
    let mut found = Problems::new();
    let mut reasoning: Vec<(String, ReasoningTree)> = Vec::new();
    for (file, source) in with_extension(sources, "sej") {
        let (tree, more) = parse_reasoning(file, &source.text);
        found.extend(more);
        reasoning.push((identifier(&fold(stem(&source.path))), tree));
    }
    let mut procedures: Vec<ProcedureTree> = Vec::new();
    for (file, source) in with_extension(sources, "sep") {
        let (tree, more) = parse_procedure(file, &source.text);
        found.extend(more);
        procedures.push(tree);
    }
    let mut ontologies: Vec<OntologyTree> = Vec::new();
    for (file, source) in with_extension(sources, "ont") {
        let (tree, more) = parse_ontology(file, &source.text);
        found.extend(more);
        ontologies.push(tree);
    }
    let place = first_place(sources);
    check_agents(&reasoning, place, &mut found);
    let (counting, logic) = settings(options, place, &mut found);
    parameters::apply(&mut reasoning, &mut procedures, options, place, &mut found);
    let parameters = parameters::list(&reasoning, &procedures);
    let names: Vec<&str> = reasoning.iter().map(|(name, _)| name.as_str()).collect();
    let members = reasoning
        .iter()
        .map(|(name, tree)| Member {
            name: name.clone(),
            tree,
            procedures: visible(sources, name, tree, &names, &procedures),
        })
        .collect();
    let project = Project { members, procedures: &procedures, ontologies: &ontologies, counting, logic };
    let (program, more) = resolve(&project, sources);
    let news: Vec<Problem> =
        more.iter().filter(|problem| !follows(problem, &found, &more, sources)).cloned().collect();
    news.into_iter().for_each(|problem| found.push(problem));
    found.sort();
    let failed = found.has_errors();
    problems.extend(found);
    if failed { None } else { program.map(|program| Reading { program, parameters }) }
}

/// Whether a problem may be nothing but the consequence of another: a note that an unreadable plan would have added, a feedback
/// that an unreadable line would have named.
fn follows(problem: &Problem, unread: &Problems, resolved: &Problems, sources: &Sources) -> bool {
    let syntax = |other: &&Problem| ("M0860".."M0868").contains(&other.code);
    let unread = || unread.iter().filter(syntax).map(|other| other.span.file);
    let in_actions = || unread().any(|file| sources.file(file).path.ends_with(".sep"));
    match problem.code {
        "M0873" | "M0888" => in_actions() || unread().any(|file| file == problem.span.file),
        "M0874" | "M0877" => in_actions(),
        "M0889" => unread().next().is_some() || resolved.iter().any(|other| other.code == "M0874"),
        _ => false,
    }
}

fn with_extension<'a>(sources: &'a Sources, extension: &str) -> Vec<(FileId, &'a File)> {
    let matches = |file: &File| {
        file.path.rsplit_once('.').is_some_and(|(_, found)| found.eq_ignore_ascii_case(extension))
    };
    let mut files: Vec<_> = sources.iter().filter(|(_, file)| matches(file)).collect();
    files.sort_by(|a, b| a.1.path.cmp(&b.1.path));
    files
}

fn first_place(sources: &Sources) -> Span {
    let reasoning = with_extension(sources, "sej");
    let file = reasoning.first().map(|(file, _)| *file);
    let any = || sources.iter().next().map_or(FileId(0), |(file, _)| file);
    Span::new(file.unwrap_or_else(any), 0, 0)
}

fn check_agents(reasoning: &[(String, ReasoningTree)], place: Span, problems: &mut Problems) {
    if reasoning.is_empty() {
        let help = "add a reasoning file, NAME.sej, beside it";
        problems.push(Problem::error("M0885", place, "there is no agent here", help));
    }
    for (number, (name, tree)) in reasoning.iter().enumerate() {
        let span = Span::new(tree.file, 0, 0);
        if reasoning[..number].iter().any(|(other, _)| other == name) {
            let message = format!("two agents are called `{name}`");
            problems.push(Problem::error("M0885", span, message, "rename one of the files"));
        }
        if number == MOST_AGENTS {
            let message = format!("there are more than {MOST_AGENTS} agents");
            problems.push(Problem::error("M0885", span, message, "no search could cover them; use fewer"));
        }
    }
}

/// The file's name without folder and extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn folder(path: &str) -> &str {
    path.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder)
}

/// The action files that an agent may call, its own first.
fn visible(
    sources: &Sources,
    name: &str,
    tree: &ReasoningTree,
    names: &[&str],
    procedures: &[ProcedureTree],
) -> Vec<usize> {
    let home = folder(&sources.file(tree.file).path);
    let (mut own, mut shared) = (Vec::new(), Vec::new());
    for (number, procedure) in procedures.iter().enumerate() {
        let path = &sources.file(procedure.file).path;
        let (place, name_of_file) = (folder(path), stem(path));
        let inner = place.rsplit(['/', '\\']).next().unwrap_or("");
        let owner = owner(inner, name_of_file, names);
        let beside = place == home || folder(place) == home;
        if owner == Some(name) && beside {
            own.push(number);
        } else if owner.is_none() && holds(place, home) {
            shared.push(number);
        }
    }
    let says = |number: &usize| procedures[*number].sentences.iter().map(|sentence| sentence.key.as_str());
    let taken: Vec<&str> = own.iter().flat_map(says).collect();
    shared.retain(|number| !says(number).any(|key| taken.contains(&key)));
    own.extend(shared);
    own
}

/// Whether a folder is another one or lies above it.
fn holds(place: &str, home: &str) -> bool {
    let rest = home.strip_prefix(place);
    place.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '\\']))
}

/// Whose action file this is.
fn owner<'a>(folder: &str, stem: &str, names: &[&'a str]) -> Option<&'a str> {
    let is = |text: &str, name: &str| identifier(&fold(text)) == name;
    let prefix = stem.split_once('.').map(|(prefix, _)| prefix);
    let owns = |name: &&&str| is(folder, name) || prefix.is_some_and(|prefix| is(prefix, name));
    // With one agent, a folder that happens to have its name makes no difference.
    if names.len() == 1 { None } else { names.iter().find(owns).copied() }
}

/// How rewards are counted and how many values a belief has.
fn settings(options: &Options, place: Span, problems: &mut Problems) -> (Counting, Logic) {
    let at = |option, name| options.place_of(option, name, place);
    let mut problem = |place: Span, message: String, help: String| {
        problems.push(Problem::error("M0887", place, message, help));
    };
    let counting = match options.mode.as_deref() {
        None | Some("cycles") => Counting::Cycles,
        Some("thesis") => Counting::HalfCycles,
        Some(other) => {
            let near = motet_source::suggest(other, ["thesis", "cycles"]);
            let help = near.map_or_else(
                || "the modes are cycles, which counts rewards once a cycle, and thesis, which counts them twice".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            problem(at("--mode", "").value, format!("there is no mode `{other}`"), help);
            Counting::Cycles
        }
    };
    let mut logic = Logic::TwoValued;
    for (rule, value) in &options.rules {
        match (rule.as_str(), value.as_str()) {
            ("beliefs", "two-valued") => {}
            ("beliefs", "three-valued") => logic = Logic::ThreeValued,
            ("beliefs", other) => {
                let help = "say two-valued or three-valued".to_owned();
                problem(at("--rule", rule).value, format!("beliefs cannot be `{other}`"), help);
            }
            (other, _) => {
                let help = "the rule of sEnglish is beliefs=two-valued or beliefs=three-valued".to_owned();
                problem(at("--rule", rule).name, format!("there is no rule `{other}`"), help);
            }
        }
    }
    for bound in options.bounds.keys() {
        let help = "leave it out: an agent in sEnglish has finitely many states by itself".to_owned();
        problem(at("--bound", bound).name, format!("there is no bound `{bound}`"), help);
    }
    (counting, logic)
}
