//! Which files make a model: every `.b` file, and the sidecar `motet.toml`.

use motet_model::Options;
use motet_source::{File, FileId, Problem, Problems, Severity, Sources, Span};

use crate::parse::parse;
use crate::program::Program;
use crate::resolve::resolve;
use crate::settings::settings;
use crate::sidecar;

/// The sidecar's name.
const SIDECAR: &str = "motet.toml";

/// Reads the model in these files. Everything that is wrong with any of them is said at once.
pub fn read(sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Program> {
    let mut found = Problems::new();
    let files = models(sources);
    let Some((first, _)) = files.first() else {
        let (file, _) = sources.iter().next()?;
        let help = "add a file NAME.b";
        problems.push(Problem::error("M0768", start(file), "there is no Brahms model here", help));
        return None;
    };
    let place = start(*first);
    let mut units = Vec::new();
    for (file, source) in &files {
        let (unit, more) = parse(*file, &source.text);
        found.extend(more);
        units.push(unit);
    }
    let unread = found.has_errors();
    let mut beside = sidecar::Sidecar::default();
    for (file, source) in sources.iter().filter(|(_, source)| is_sidecar(source)) {
        beside = sidecar::read(file, &source.text, &mut found);
    }
    let settings = settings(options, beside, place, &mut found);
    let (program, more) = resolve(&units, sources, &settings, place);
    for problem in &more {
        // Where a part could not be read, what it declares is missing, and complaints about that would only distract.
        let follows = unread && (problem.severity != Severity::Error || FOLLOWS.contains(&problem.code));
        if !follows {
            found.push(problem.clone());
        }
    }
    found.sort();
    let failed = found.has_errors();
    problems.extend(found);
    if failed { None } else { program }
}

/// Problems that a declaration which could not be read would have prevented.
const FOLLOWS: [&str; 7] = ["M0720", "M0722", "M0730", "M0740", "M0753", "M0768", "M0774"];

fn models(sources: &Sources) -> Vec<(FileId, &File)> {
    let is_model = |file: &File| {
        file.path.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("b"))
    };
    let mut files: Vec<_> = sources.iter().filter(|(_, file)| is_model(file)).collect();
    files.sort_by(|a, b| a.1.path.cmp(&b.1.path));
    files
}

fn is_sidecar(file: &File) -> bool {
    file.path.rsplit(['/', '\\']).next() == Some(SIDECAR)
}

fn start(file: FileId) -> Span {
    Span::new(file, 0, 0)
}
