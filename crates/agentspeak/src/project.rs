//! Which files make a team.

use motet_model::Options;
use motet_source::{File, FileId, Problem, Problems, Severity, Sources, Span, Spanned};

use crate::parse::{parse_agent, parse_mas2j, parse_team};
use crate::program::{Mode, Program};
use crate::resolve::{Member, Team, resolve};
use crate::syntax::{AgentTree, MemberTree, TeamTree};

/// How many agents one line may make.
const LIMIT_COUNT: i64 = 256;
/// How many agents a team may have.
const LIMIT_AGENTS: usize = 512;

/// Warnings about what is absent; they are wrong where a part of the text could not be read.
const SAYS_NOTHING_NEW: [&str; 5] = ["M0417", "M0420", "M0429", "M0430", "M0544"];
/// Problems that a declaration which could not be read would have prevented.
const FOLLOWS_FROM_TEAM: [&str; 11] =
    ["M0411", "M0414", "M0415", "M0416", "M0501", "M0508", "M0530", "M0537", "M0538", "M0540", "M0545"];

fn is_of_team(sources: &Sources, problem: &Problem) -> bool {
    problem.severity == Severity::Error && !sources.file(problem.span.file).path.ends_with(".asl")
}

/// Reads the team in these files: a `.team` file, a `.mas2j` file, both (the `.team` file then adds mode, environment,
/// stubs, trust and bounds), or neither: then every `.asl` file is an agent.
pub fn read(sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Program> {
    let mut found = Problems::new();
    let team = team(sources, options, &mut found);
    let mut program = None;
    if let Some(team) = team {
        let (resolved, more) = resolve(&team, options);
        let broken = found.has_errors();
        let team_broken = found.iter().any(|problem| is_of_team(sources, problem));
        for problem in &more {
            let follows = (broken && SAYS_NOTHING_NEW.contains(&problem.code))
                || (team_broken && FOLLOWS_FROM_TEAM.contains(&problem.code));
            if !follows {
                found.push(problem.clone());
            }
        }
        program = resolved;
    }
    found.sort();
    let failed = found.has_errors();
    problems.extend(found);
    if failed { None } else { program }
}

fn with_extension<'a>(sources: &'a Sources, extension: &str) -> Vec<(FileId, &'a File)> {
    let matches = |file: &File| {
        file.path.rsplit_once('.').is_some_and(|(_, found)| found.eq_ignore_ascii_case(extension))
    };
    let mut files: Vec<_> = sources.iter().filter(|(_, file)| matches(file)).collect();
    files.sort_by(|a, b| a.1.path.cmp(&b.1.path));
    files
}

/// Reads the texts and decides who is in the team.
fn team(sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Team> {
    let programs = with_extension(sources, "asl");
    let project = single(&with_extension(sources, "mas2j"), problems);
    let declared = single(&with_extension(sources, "team"), problems);
    let first = declared.or(project).or(programs.first().copied());
    let Some((place, _)) = first else {
        let (file, _) = sources.iter().next()?;
        let help = "add an agent program, NAME.asl, beside it";
        problems.push(Problem::error("M0504", start(file), "there is no agent program here", help));
        return None;
    };
    let place = start(place);
    let mut tree = TeamTree::default();
    if let Some((file, source)) = declared {
        let (read, found) = parse_team(file, &source.text);
        problems.extend(found);
        tree = read;
    }
    if let Some((file, source)) = project {
        let (read, found) = parse_mas2j(file, &source.text);
        // An environment in the team file answers what the warning asks for.
        for problem in &found {
            if !(problem.code == "M0520" && tree.environment.is_some()) {
                problems.push(problem.clone());
            }
        }
        tree.name = tree.name.or(read.name);
        tree.agents = read.agents.into_iter().chain(tree.agents).collect();
    }
    let mode = mode(&tree, options, project.is_some(), place, problems);
    let mut builder =
        Builder { programs: &programs, read: Vec::new(), trees: Vec::new(), members: Vec::new() };
    if declared.is_some_and(|_| !tree.agents.is_empty()) || project.is_some() {
        for member in &tree.agents {
            builder.member(member, sources, problems);
        }
    } else {
        for &(file, source) in &programs {
            builder.whole_file(file, source, problems);
        }
    }
    let Builder { members, trees: programs, .. } = builder;
    if members.is_empty() {
        if !problems.has_errors() {
            problems.push(Problem::error(
                "M0504",
                place,
                "the team has no agents",
                "add `agent NAME` lines or .asl files",
            ));
        }
        return None;
    }
    Some(Team { mode, members, programs, tree, place })
}

fn start(file: FileId) -> Span {
    Span::new(file, 0, 0)
}

/// The one file of its kind; more are a problem.
fn single<'a>(files: &[(FileId, &'a File)], problems: &mut Problems) -> Option<(FileId, &'a File)> {
    for (file, source) in files.iter().skip(1) {
        let message = format!("a second team beside `{}`", files[0].1.path);
        let help = format!("keep one, or name the one to check; `{}` is left out", source.path);
        problems.push(Problem::error("M0513", start(*file), message, help));
    }
    files.first().copied()
}

fn mode(
    tree: &TeamTree,
    options: &Options,
    jason_project: bool,
    place: Span,
    problems: &mut Problems,
) -> Mode {
    let (name, span) = match (&options.mode, &tree.mode) {
        (Some(name), _) => (name.as_str(), options.place_of("--mode", "", place).value),
        (None, Some(mode)) => (mode.node.as_str(), mode.span),
        (None, None) if jason_project => return Mode::Jason,
        (None, None) => return Mode::Strict,
    };
    match name {
        "strict" => Mode::Strict,
        "jason" => Mode::Jason,
        _ => {
            let help = match motet_source::suggest(name, ["strict", "jason"]) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "the modes are strict (AgentSpeak(F)) and jason".to_owned(),
            };
            problems.push(Problem::error("M0503", span, format!("there is no mode `{name}`"), help));
            Mode::Strict
        }
    }
}

/// Collects members and the programs they use.
struct Builder<'a> {
    programs: &'a [(FileId, &'a File)],
    /// Which file each tree came from.
    read: Vec<FileId>,
    trees: Vec<AgentTree>,
    members: Vec<Member>,
}

impl Builder<'_> {
    fn program(&mut self, file: FileId, source: &File, problems: &mut Problems) -> usize {
        if let Some(known) = self.read.iter().position(|read| *read == file) {
            return known;
        }
        let (tree, found) = parse_agent(file, &source.text);
        problems.extend(found);
        self.read.push(file);
        self.trees.push(tree);
        self.trees.len() - 1
    }

    fn whole_file(&mut self, file: FileId, source: &File, problems: &mut Problems) {
        let name = stem(&source.path).to_owned();
        let program = self.program(file, source, problems);
        let proper = name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
        if !proper {
            let message = format!("`{name}` cannot be the name of an agent");
            let help = format!(
                "rename the file, or write a team file with `agent NAME: {}`",
                file_name(&source.path)
            );
            problems.push(Problem::error("M0506", start(file), message, help));
            return;
        }
        self.add(Spanned::new(name, start(file)), program, None, problems);
    }

    fn member(&mut self, tree: &MemberTree, sources: &Sources, problems: &mut Problems) {
        let Some((file, source)) = self.find(tree, sources, problems) else { return };
        let program = self.program(file, source, problems);
        let Some(count) = &tree.count else {
            self.add(tree.name.clone(), program, tree.extra.clone(), problems);
            return;
        };
        if !(1..=LIMIT_COUNT).contains(&count.node) {
            let message = format!("{} agents cannot be made of one line", count.node);
            problems.push(Problem::error("M0514", count.span, message, format!("use 1 to {LIMIT_COUNT}")));
            return;
        }
        for number in 1..=count.node {
            let name = Spanned::new(format!("{}{number}", tree.name.node), tree.name.span);
            self.add(name, program, tree.extra.clone(), problems);
        }
    }

    fn add(
        &mut self,
        name: Spanned<String>,
        program: usize,
        extra: Option<AgentTree>,
        problems: &mut Problems,
    ) {
        if let Some(before) = self.members.iter().find(|member| member.name.node == name.node) {
            let message = format!("two agents are called `{}`", name.node);
            let problem = Problem::error("M0506", name.span, message, "rename one of them");
            problems.push(problem.also(before.name.span, "the first one"));
            return;
        }
        if self.members.len() >= LIMIT_AGENTS {
            let message = format!("a team of more than {LIMIT_AGENTS} agents");
            problems.push(Problem::error("M0514", name.span, message, "no search could cover it; use fewer"));
            return;
        }
        self.members.push(Member { name, program, extra });
    }

    /// The program of a member, by its path or the end of its path.
    fn find<'b>(
        &self,
        tree: &MemberTree,
        sources: &'b Sources,
        problems: &mut Problems,
    ) -> Option<(FileId, &'b File)> {
        let wanted = match &tree.file {
            Some(file) if file.node.ends_with(".asl") => file.node.clone(),
            Some(file) => format!("{}.asl", file.node),
            None => format!("{}.asl", tree.name.node),
        };
        let wanted = wanted.trim_start_matches("./");
        let exact = |path: &str| {
            path.strip_suffix(wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
        };
        let found = self.programs.iter().find(|(_, file)| exact(&file.path));
        // Projects often give a path that only their build knows; the name alone then decides.
        let found = found
            .or_else(|| self.programs.iter().find(|(_, file)| file_name(&file.path) == file_name(wanted)));
        if let Some((file, _)) = found {
            return Some((*file, sources.file(*file)));
        }
        let names = self.programs.iter().map(|(_, file)| file_name(&file.path));
        let help = match motet_source::suggest(file_name(wanted), names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "write its program to `{wanted}`, or name another file: `agent {}: FILE.asl`",
                tree.name.node
            ),
        };
        let span = tree.file.as_ref().map_or(tree.name.span, |file| file.span);
        let message = format!("the program `{wanted}` of {} is missing", tree.name.node);
        problems.push(Problem::error("M0505", span, message, help));
        None
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
