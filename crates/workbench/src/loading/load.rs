//! Texts to a model with its claims.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use motet_evidence::Fairness;
use motet_model::{
    Acting, AtomId, AtomText, Draft, Language, Options, Purpose, Said, System, Vocabulary, World,
};
use motet_property::{
    Claim, ClaimsFile, Dialect, Given, Kind, PlainQuestion, at_names, lint, looks_like_prism, lower_each,
    lower_given, parse, parse_formula,
};
use motet_render::{Asked, Head};
use motet_source::{File, FileId, Problem, Problems, Severity, Sources, Span, Spanned, suggest};

use crate::loading::automata::Automata;
use crate::loading::command_line::{command_line, said};
use crate::loading::counting::steps_to_cycles;
use crate::loading::digest::sha256;
use crate::loading::glob::fits;
use crate::loading::questions::check_questions;
use crate::loading::rewards::{check_rewards, rewards_of};

/// The languages spoken here.
const LANGUAGES: &[&dyn Language] = &[
    &motet_agentspeak::AgentSpeak,
    &motet_brahms::Brahms,
    &motet_prism::Prism,
    &motet_senglish::SEnglish,
    &motet_nets::Nets,
    &motet_pnml::Pnml,
    &motet_pnml::Tina,
];

/// Extensions of files that a host reads from a model's folder.
#[must_use]
pub fn model_extensions() -> Vec<&'static str> {
    LANGUAGES.iter().flat_map(|language| language.extensions().iter().copied()).collect()
}

/// Extensions of claims files.
pub const CLAIMS_EXTENSIONS: &[&str] = &["props", "psl", "pctl", "prctl", AUTOMATA_EXTENSION];

/// The extension of claims that are automata.
const AUTOMATA_EXTENSION: &str = "hoa";

/// The flag that adds a formula, as the name of the file that holds it.
const QUERY: &str = "--query";

/// What a host hands over.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// The path as the user wrote it, for the head of the report.
    pub path: String,
    /// All texts: model and claims.
    pub sources: Sources,
    /// What was wrong with reading them.
    pub problems: Problems,
    /// `--lang`.
    pub language: Option<String>,
    /// `-D`, `--mode`, `--bound`.
    pub options: Options,
    /// `-p` and `-e`.
    pub selection: Selection,
}

/// Which claims.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// `-p`: names with `*` and `?`; all when empty.
    pub globs: Vec<String>,
    /// `-e`: formulas instead of those in files.
    pub formulas: Vec<String>,
    /// `--query`: formulas beside those in files; each is a claim named by its text.
    pub queries: Vec<String>,
}

/// A loaded project. Without a [`Ready`] the problems say why.
pub struct Loaded {
    /// The texts, with what the command line added.
    pub sources: Sources,
    /// Errors and warnings, in the order of places.
    pub problems: Problems,
    /// For the head of a report.
    pub head: Head,
    /// The words that claims may use, when the model could be read, whatever is wrong with the claims.
    pub vocabulary: Option<Vocabulary>,
    /// The model, when there are no errors.
    pub ready: Option<Ready>,
}

/// A model with its claims.
pub struct Ready {
    /// The model and its words.
    pub system: System,
    /// The selected claims, and all assumptions.
    pub claims: Vec<Claim<AtomId>>,
    /// The atoms of all claims: `atoms[i]` is `AtomId(i)`.
    pub atoms: Vec<Spanned<AtomText>>,
    /// Whether the user named the claims.
    pub asked: Asked,
    /// What the system was built from, for models with other atoms.
    pub(crate) draft: Arc<dyn Draft>,
}

impl Loaded {
    /// The same with other claims on another model.
    pub(crate) fn with(&self, ready: Ready) -> Self {
        Self {
            sources: self.sources.clone(),
            problems: self.problems.clone(),
            head: self.head.clone(),
            vocabulary: self.vocabulary.clone(),
            ready: Some(ready),
        }
    }
}

impl Ready {
    /// The model with a team that acts in the world. `None` with problems that say why, or without any for a language whose
    /// models only run by themselves.
    pub fn acting(&self, problems: &mut Problems) -> Option<Acting> {
        self.draft.acting(&self.atoms, problems)
    }

    /// A world that behaves as the model says; `None` for models that do not describe their world.
    #[must_use]
    pub fn world(&self) -> Option<Box<dyn World>> {
        self.draft.world()
    }

    /// Which runs count unless the user says otherwise.
    #[must_use]
    pub fn fairness(&self) -> Fairness {
        if self.system.summary.fair { Fairness::Weak } else { Fairness::None }
    }

    /// The assumptions.
    pub(crate) fn assumptions(&self) -> Vec<&Claim<AtomId>> {
        self.claims.iter().filter(|claim| claim.kind == Kind::Assume).collect()
    }
}

/// Loads a project: reads the model, lowers the claims over its vocabulary, builds the system for their atoms.
#[must_use]
pub fn load(project: Project) -> Loaded {
    let Project { path, mut sources, mut problems, language, options, selection } = project;
    let sha256 = digest(&sources);
    let is_claims = |name: &str| CLAIMS_EXTENSIONS.iter().any(|extension| has_extension(name, extension));
    let claims_files: Vec<FileId> =
        sources.iter().filter(|(_, file)| is_claims(&file.path)).map(|(id, _)| id).collect();
    let name = |id: &FileId| file_name(&sources.file(*id).path).to_string();
    let shown =
        if selection.formulas.is_empty() { claims_files.iter().map(name).collect() } else { Vec::new() };
    let mut head = Head { path, sha256, claims_files: shown, ..Head::default() };
    let mut vocabulary = None;
    let ready = if problems.has_errors() {
        None
    } else {
        // Claims are read first and without the model: all problems of all files at once.
        let claims = Claims { files: claims_files, selection };
        let language = language_of(language.as_deref(), &mut sources, &mut problems);
        let habit = Habit::of(language);
        let parsed = parse_claims(&mut sources, &claims, habit, &options, &mut problems);
        let automata = claims.automata(&sources, &mut problems);
        let places = said(&options, &mut sources);
        let mut builder =
            Builder { sources: &mut sources, problems: &mut problems, options: &options, places };
        let draft = language.and_then(|language| builder.read(language, &constants(&parsed)));
        vocabulary = draft.as_ref().map(|draft| draft.vocabulary().clone());
        draft.and_then(|draft| builder.build(draft.into(), &parsed, automata, habit, &claims.selection))
    };
    problems.sort();
    if let Some(ready) = &ready {
        head.language.clone_from(&ready.system.summary.language);
        head.facts.clone_from(&ready.system.summary.facts);
        head.parameters.clone_from(&ready.system.summary.parameters);
    }
    let ready = ready.filter(|_| !problems.has_errors());
    Loaded { sources, problems, head, vocabulary, ready }
}

/// Loads a project once for several values of a parameter that only its claims know: the claims of all values, one value
/// after the other, and one model. `None` where the model knows the parameter too, where an assumption may depend on it, or
/// where something is wrong.
pub(crate) fn load_each(project: Project, name: &str, values: &[String]) -> Option<Loaded> {
    let Project { path, mut sources, mut problems, language, mut options, selection } = project;
    options.parameters.insert(name.to_owned(), values.first()?.clone());
    let is_claims = |name: &str| CLAIMS_EXTENSIONS.iter().any(|extension| has_extension(name, extension));
    let files = sources.iter().filter(|(_, file)| is_claims(&file.path)).map(|(id, _)| id).collect();
    let claims = Claims { files, selection };
    let language = language_of(language.as_deref(), &mut sources, &mut problems)?;
    let habit = Habit::of(Some(language));
    let parsed = parse_claims(&mut sources, &claims, habit, &options, &mut problems);
    let declared = constants(&parsed);
    if !declared.contains(name) || !claims.automata(&sources, &mut problems).is_empty() {
        return None;
    }
    let places = said(&options, &mut sources);
    let mut builder = Builder { sources: &mut sources, problems: &mut problems, options: &options, places };
    let draft = builder.read(language, &declared)?;
    let vocabulary = draft.vocabulary();
    if vocabulary.parameters.iter().any(|(known, _)| known == name) {
        return None;
    }
    let parameters = |value: &String| {
        let mut parameters = options.parameters.clone();
        parameters.insert(name.to_owned(), value.clone());
        parameters
    };
    let parameters: Vec<BTreeMap<String, String>> = values.iter().map(parameters).collect();
    let parsed: Vec<&ClaimsFile> = parsed.iter().collect();
    let each = lower_each(&parsed, vocabulary, &parameters, &mut problems);
    let (atoms, observers) = (each.atoms, each.observers);
    let mut all = Vec::new();
    for lowered in each.claims {
        all.extend(select(lowered, &claims.selection, &mut sources, &mut problems));
    }
    habit.settle(&mut all);
    if problems.has_errors() || all.iter().any(|claim| claim.kind == Kind::Assume) {
        return None;
    }
    let mut found = Problems::new();
    let system = draft.system_earning(&atoms, &observers, &rewards_of(&all), &mut found)?;
    let places = BTreeMap::new();
    let mut builder = Builder { sources: &mut sources, problems: &mut problems, options: &options, places };
    builder.problems.extend(at_names(found, &atoms, builder.sources));
    builder.ask(&all, &each.plain_questions, vocabulary, &system);
    if problems.has_errors() {
        return None;
    }
    let head = Head { path, ..Head::default() };
    let ready = Ready { system, claims: all, atoms, asked: Asked::WithAll, draft: draft.into() };
    Some(Loaded { sources, problems, head, vocabulary: None, ready: Some(ready) })
}

struct Claims {
    files: Vec<FileId>,
    selection: Selection,
}

impl Claims {
    /// Claims that are automata; formulas of the command line come instead of all files.
    fn automata(&self, sources: &Sources, problems: &mut Problems) -> Automata {
        let is_automaton = |id: &&FileId| has_extension(&sources.file(**id).path, AUTOMATA_EXTENSION);
        match self.selection.formulas.is_empty() {
            true => {
                let files: Vec<FileId> = self.files.iter().filter(is_automaton).copied().collect();
                Automata::read(sources, &files, problems)
            }
            false => Automata::default(),
        }
    }
}

struct Builder<'a> {
    sources: &'a mut Sources,
    problems: &'a mut Problems,
    options: &'a Options,
    /// Where the command line says what it says.
    places: BTreeMap<String, Said>,
}

impl Builder<'_> {
    /// Reads the model. Parameters that only claims know are kept from it; one that both know is bound in both.
    fn read(&mut self, language: &dyn Language, constants: &BTreeSet<&str>) -> Option<Box<dyn Draft>> {
        let given = &self.options.parameters;
        let mut options = self.options.clone();
        options.places.clone_from(&self.places);
        options.parameters.retain(|name, _| !constants.contains(name.as_str()));
        let read = |options: &Options| {
            let mut problems = Problems::new();
            let draft = language.read(self.sources, options, &mut problems);
            (draft, problems)
        };
        let mut found = read(&options);
        for (name, value) in given.iter().filter(|(name, _)| constants.contains(name.as_str())) {
            let mut bound = options.clone();
            bound.parameters.insert(name.clone(), value.clone());
            let vocabulary = found.0.as_ref().map(|draft| draft.vocabulary());
            let known =
                vocabulary.is_some_and(|words| words.parameters.iter().any(|(known, _)| known == name));
            // A model that cannot be read says what it knows by what it misses.
            if known || found.1.has_errors() {
                let again = read(&bound);
                if known || n_errors(&again.1) < n_errors(&found.1) {
                    (found, options) = (again, bound);
                }
            }
        }
        self.problems.extend(found.1);
        found.0
    }

    fn build(
        &mut self,
        draft: Arc<dyn Draft>,
        parsed: &[ClaimsFile],
        automata: Automata,
        habit: Habit,
        selection: &Selection,
    ) -> Option<Ready> {
        let vocabulary = draft.vocabulary();
        let parsed: Vec<&ClaimsFile> = parsed.iter().chain(&automata.propositions).collect();
        let n_propositions = automata.propositions.len();
        let at =
            |(option, said): (&String, &Said)| Some((option.strip_prefix("-D ")?.to_owned(), said.value));
        let places: BTreeMap<String, Span> = self.places.iter().filter_map(at).collect();
        let given = Given { parameters: &self.options.parameters, places: &places };
        let mut lowered = lower_given(&parsed, vocabulary, &given, self.problems);
        if n_propositions > 0 || !automata.is_empty() {
            // A proposition with an error of its own was not lowered.
            if self.problems.has_errors() {
                return None;
            }
            let propositions = lowered.claims.split_off(lowered.claims.len() - n_propositions);
            lowered.claims.extend(automata.claims(propositions, self.problems));
        }
        let added = |claim: &&mut Claim<AtomId>| self.sources.file(claim.span.file).path == QUERY;
        for claim in lowered.claims.iter_mut().filter(added) {
            claim.name = self.sources.file(claim.span.file).text.trim().to_owned();
        }
        lowered.claims = select(lowered.claims, selection, self.sources, self.problems);
        habit.settle(&mut lowered.claims);
        let rewards = rewards_of(&lowered.claims);
        let mut found = Problems::new();
        let system = draft.system_earning(&lowered.atoms, &lowered.observers, &rewards, &mut found);
        self.problems.extend(at_names(found, &lowered.atoms, self.sources));
        let system = system?;
        let signature = system.model.signature();
        lint(&lowered, vocabulary, signature.unit, self.problems);
        self.ask(&lowered.claims, &lowered.plain_questions, vocabulary, &system);
        let named = !selection.globs.is_empty() || !selection.formulas.is_empty();
        let asked = if named { Asked::ByName } else { Asked::WithAll };
        Some(Ready { system, claims: lowered.claims, atoms: lowered.atoms, asked, draft })
    }

    /// What claims ask for has to be there: rewards of these names, and one number for each question.
    fn ask(
        &mut self,
        claims: &[Claim<AtomId>],
        questions: &[PlainQuestion],
        vocabulary: &Vocabulary,
        system: &System,
    ) {
        check_rewards(claims, &system.model.signature().rewards, vocabulary, self.problems);
        if self.options.purpose == Purpose::Claims && !self.problems.has_errors() {
            check_questions(claims, questions, system.model.as_ref(), self.sources, self.problems);
        }
    }
}

/// The language asked for, else the one that knows an extension among the files.
fn language_of(
    name: Option<&str>,
    sources: &mut Sources,
    problems: &mut Problems,
) -> Option<&'static dyn Language> {
    let Some(name) = name else {
        let speaks = |language: &&&dyn Language| {
            sources.iter().any(|(_, file)| {
                language.extensions().iter().any(|extension| has_extension(&file.path, extension))
            })
        };
        return LANGUAGES.iter().find(speaks).or(LANGUAGES.first()).copied();
    };
    let found = LANGUAGES.iter().find(|language| language.name().eq_ignore_ascii_case(name)).copied();
    if found.is_none() {
        let names: Vec<&str> = LANGUAGES.iter().map(|language| language.name()).collect();
        let span = command_line(sources, &format!("--lang {name}"));
        let help = format!("this version speaks {}", names.join(", "));
        problems.push(Problem::error("M0006", span, format!("there is no language `{name}`"), help));
    }
    found
}

/// Whose notation the authors of a model are used to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Habit {
    Motet,
    /// The model is in the PRISM language, so claims may be in PRISM's notation without saying so.
    Prism,
    /// The model is in sEnglish, whose cycles are two steps.
    Cycles,
}

impl Habit {
    fn of(language: Option<&dyn Language>) -> Self {
        match language.map(Language::name) {
            Some("PRISM") => Self::Prism,
            Some("sEnglish") => Self::Cycles,
            _ => Self::Motet,
        }
    }

    /// Gives the bounds of claims the meaning they have in the language.
    fn settle(self, claims: &mut [Claim<AtomId>]) {
        if self == Self::Cycles {
            claims.iter_mut().for_each(|claim| steps_to_cycles(&mut claim.formula));
        }
    }

    /// The dialect of a claims file, where its name or the habit tells.
    fn dialect(self, file: &File) -> Option<Dialect> {
        let prism = || ["pctl", "prctl"].iter().any(|extension| has_extension(&file.path, extension));
        match self {
            _ if has_extension(&file.path, "psl") => Some(Dialect::Psl),
            _ if prism() && looks_like_prism(&file.text) => Some(Dialect::Prism),
            Self::Prism if looks_like_prism(&file.text) => Some(Dialect::Prism),
            _ => None,
        }
    }

    /// A formula of the command line. For a PRISM model, what Motet's dialect refuses is read as PRISM reads it.
    fn formula(self, id: FileId, text: &str) -> (ClaimsFile, Problems) {
        let own = parse_formula(id, text, None);
        if self == Self::Prism && own.1.has_errors() {
            let theirs = parse_formula(id, text, Some(Dialect::Prism));
            if !theirs.1.has_errors() {
                return theirs;
            }
        }
        own
    }
}

fn parse_claims(
    sources: &mut Sources,
    claims: &Claims,
    habit: Habit,
    options: &Options,
    problems: &mut Problems,
) -> Vec<ClaimsFile> {
    let mut parsed = Vec::new();
    let mut keep = |(file, found): (ClaimsFile, Problems)| {
        problems.extend(found);
        parsed.push(file);
    };
    if claims.selection.formulas.is_empty() {
        for id in &claims.files {
            let file = sources.file(*id);
            if has_extension(&file.path, AUTOMATA_EXTENSION) {
                continue;
            }
            keep(parse(*id, &file.text, habit.dialect(file)));
        }
    }
    let formulas = claims.selection.formulas.iter().map(|formula| ("-e", formula));
    let queries = claims.selection.queries.iter().map(|query| (QUERY, query));
    for (flag, formula) in formulas.chain(queries) {
        let id = sources.add(flag, formula.as_str());
        let (mut file, found) = habit.formula(id, formula);
        file.declare(options.parameters.keys().map(String::as_str));
        keep((file, found));
    }
    parsed
}

fn n_errors(problems: &Problems) -> usize {
    problems.iter().filter(|problem| problem.severity == Severity::Error).count()
}

/// Constants of claims files. A `-D` that names one is for the claims; a front-end would refuse it as unknown.
fn constants(parsed: &[ClaimsFile]) -> BTreeSet<&str> {
    parsed.iter().flat_map(ClaimsFile::constants).collect()
}

fn select(
    claims: Vec<Claim<AtomId>>,
    selection: &Selection,
    sources: &mut Sources,
    problems: &mut Problems,
) -> Vec<Claim<AtomId>> {
    if selection.globs.is_empty() || !selection.formulas.is_empty() {
        return claims;
    }
    let names: BTreeMap<&str, ()> = claims.iter().map(|claim| (claim.name.as_str(), ())).collect();
    for glob in selection.globs.iter().filter(|glob| !names.keys().any(|name| fits(glob, name))) {
        // A claim with an error of its own was not lowered; its error is reason enough.
        if problems.has_errors() {
            continue;
        }
        let span = command_line(sources, &format!("-p {glob}"));
        let help = match suggest(glob, names.keys().copied()) {
            Some(near) => format!("there is `{near}`"),
            None if names.is_empty() => {
                "there are no claims; put them into a .props file beside the model".to_string()
            }
            None => format!("the claims are {}", names.keys().copied().collect::<Vec<_>>().join(", ")),
        };
        problems.push(Problem::error("M0007", span, format!("no claim is named `{glob}`"), help));
    }
    let wanted = |claim: &Claim<AtomId>| {
        claim.kind == Kind::Assume || selection.globs.iter().any(|glob| fits(glob, &claim.name))
    };
    claims.into_iter().filter(wanted).collect()
}

fn has_extension(path: &str, extension: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, found)| found.eq_ignore_ascii_case(extension))
}

pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Over names and texts of all files, each with its length, so that no two projects share one by shifting a boundary.
fn digest(sources: &Sources) -> String {
    let mut bytes = Vec::new();
    for (_, file) in sources.iter() {
        for part in [file_name(&file.path), file.text.as_str()] {
            bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
            bytes.extend_from_slice(part.as_bytes());
        }
    }
    sha256(&bytes)
}
