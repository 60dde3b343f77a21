//! Which files are the model, and what the command line says about it.

use motet_model::Options;
use motet_source::{File, FileId, Problem, Problems, Sources, Span};

use crate::construct::construct;
use crate::parse::parse;
use crate::resolve::scope::meant;
use crate::resolve::{Resolved, resolve};
use crate::semantics::subjects::Fairness;

pub(crate) const EXTENSIONS: [&str; 2] = ["npn", "prt"];

/// Problems that a part which could not be read would have prevented.
const FOLLOWS: [&str; 5] = ["M1021", "M1022", "M1025", "M1026", "M1040"];

/// A model that was read.
pub(crate) struct Model {
    pub(crate) resolved: Resolved,
    pub(crate) fairness: Fairness,
    /// The start of its first file.
    pub(crate) place: Span,
}

/// Reads the model in these files. Everything that is wrong with it is said at once.
pub(crate) fn read(sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Model> {
    let mut found = Problems::new();
    let files = files(sources, problems)?;
    let place = Span::new(files[0].0, 0, 0);
    let fairness = settings(options, place, &mut found);
    let mut texts = Vec::new();
    for (file, source) in files {
        let (text, more) = parse(file, &source.text);
        found.extend(more);
        texts.push(text);
    }
    let text = construct(texts, &mut found);
    let unread = found.has_errors();
    let mut later = Problems::new();
    let resolved = resolve(&text, options, place, &mut later);
    found.extend_later(later, if unread { &FOLLOWS } else { &[] });
    found.sort();
    let failed = found.has_errors();
    problems.extend(found);
    let resolved = resolved.filter(|_| !failed)?;
    Some(Model { resolved, fairness, place })
}

fn files<'s>(sources: &'s Sources, problems: &mut Problems) -> Option<Vec<(FileId, &'s File)>> {
    let is_model = |file: &File| {
        let extension = file.path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        extension.is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
    };
    let files: Vec<_> = sources.iter().filter(|(_, file)| is_model(file)).collect();
    if files.is_empty() {
        let (file, _) = sources.iter().next()?;
        let help = "add a file NAME.npn";
        problems.push(Problem::error("M1046", Span::new(file, 0, 0), "there are no nets here", help));
        return None;
    }
    Some(files)
}

/// What the command line settles: what fairness is about. Settings that other languages have are refused.
fn settings(options: &Options, place: Span, problems: &mut Problems) -> Fairness {
    let mut fairness = Fairness::default();
    let at = |option, name| options.place_of(option, name, place);
    let mode = options.mode.iter().map(|mode| (format!("--mode {mode}"), at("--mode", "").name));
    let bounds = options.bounds.keys().map(|name| (format!("--bound {name}"), at("--bound", name).name));
    for (option, place) in mode.chain(bounds) {
        let message = format!("`{option}` means nothing for nets");
        problems.push(Problem::error("M1045", place, message, "leave it out"));
    }
    for (rule, value) in &options.rules {
        match (rule.as_str(), value.as_str()) {
            ("fairness", "mode") => fairness = Fairness::Mode,
            ("fairness", "transition") => fairness = Fairness::Transition,
            ("fairness", other) => {
                let message = format!("`--rule fairness={other}` means nothing");
                let help = meant(other, ["mode", "transition"], "write `mode` or `transition`");
                problems.push(Problem::error("M1045", at("--rule", rule).value, message, help));
            }
            (other, _) => {
                let message = format!("`--rule {other}` means nothing for nets");
                let help = meant(other, ["fairness"], "the only rule is `fairness`");
                problems.push(Problem::error("M1045", at("--rule", rule).name, message, help));
            }
        }
    }
    fairness
}
