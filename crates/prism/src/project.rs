//! Which file is the model.

use motet_model::Options;
use motet_source::{File, FileId, Problem, Problems, Sources, Span};

use crate::parse::parse;
use crate::resolve::{Resolved, resolve};
use crate::syntax::Text;

const EXTENSIONS: [&str; 4] = ["prism", "pm", "nm", "sm"];

/// Problems that a part which could not be read would have prevented.
const FOLLOWS: [&str; 6] = ["M0811", "M0817", "M0824", "M0825", "M0828", "M0836"];

/// Reads the model in these files. Everything that is wrong with it is said at once.
pub(crate) fn read(
    sources: &Sources,
    options: &Options,
    problems: &mut Problems,
) -> Option<(Text, Resolved, Span)> {
    let mut found = Problems::new();
    let (file, source) = model(sources, problems)?;
    let start = Span::new(file, 0, 0);
    foreign_options(options, start, &mut found);
    let (text, more) = parse(file, &source.text);
    let unread = more.has_errors();
    found.extend(more);
    let mut later = Problems::new();
    let place = text.kind.as_ref().map_or(start, |kind| kind.span);
    let resolved = resolve(&text, options, place, &mut later);
    found.extend_later(later, if unread { &FOLLOWS } else { &[] });
    found.sort();
    let failed = found.has_errors();
    problems.extend(found);
    if failed { None } else { Some((text, resolved, place)) }
}

/// The one file that is a PRISM model.
fn model<'s>(sources: &'s Sources, problems: &mut Problems) -> Option<(FileId, &'s File)> {
    let is_model = |file: &File| {
        let extension = file.path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        extension.is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
    };
    let mut files = sources.iter().filter(|(_, file)| is_model(file));
    let Some(first) = files.next() else {
        let (file, _) = sources.iter().next()?;
        let help = "add a file NAME.prism";
        let start = Span::new(file, 0, 0);
        problems.push(Problem::error("M0837", start, "there is no PRISM model here", help));
        return None;
    };
    if let Some((second, _)) = files.next() {
        let message = "there are several PRISM models here, and a model is one file";
        let problem =
            Problem::error("M0837", Span::new(second, 0, 0), message, "give the file, not the folder")
                .also(Span::new(first.0, 0, 0), "the first one");
        problems.push(problem);
        return None;
    }
    Some(first)
}

/// Settings that other languages have.
fn foreign_options(options: &Options, place: Span, problems: &mut Problems) {
    let at = |option, name| options.place_of(option, name, place).name;
    let mode = options.mode.iter().map(|mode| (format!("--mode {mode}"), at("--mode", "")));
    let bounds = options.bounds.keys().map(|name| (format!("--bound {name}"), at("--bound", name)));
    let rules = options.rules.keys().map(|name| (format!("--rule {name}"), at("--rule", name)));
    for (option, place) in mode.chain(bounds).chain(rules) {
        let message = format!("`{option}` means nothing for a PRISM model");
        problems.push(Problem::error("M0817", place, message, "leave it out"));
    }
}
