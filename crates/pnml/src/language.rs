//! PNML and TINA as languages of Motet.

use motet_model::{Draft, Language, Options};
use motet_nets::plain::{Origins, draft};
use motet_source::{File, FileId, Problem, Problems, Sources, Span};

use crate::imported::Imported;

/// PNML as a language of Motet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pnml;

/// TINA's textual nets as a language of Motet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tina;

impl Language for Pnml {
    fn name(&self) -> &'static str {
        "PNML"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pnml"]
    }

    fn read(&self, sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Box<dyn Draft>> {
        draft_of(self, crate::read, sources, options, problems)
    }
}

impl Language for Tina {
    fn name(&self) -> &'static str {
        "TINA"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["net"]
    }

    fn read(&self, sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Box<dyn Draft>> {
        draft_of(self, crate::tina::read, sources, options, problems)
    }
}

type Read = fn(FileId, &str, &mut Problems) -> Option<Imported>;

fn draft_of(
    language: &dyn Language,
    read: Read,
    sources: &Sources,
    options: &Options,
    problems: &mut Problems,
) -> Option<Box<dyn Draft>> {
    let (file, source) = model(language, sources, problems)?;
    foreign_options(language, options, Span::new(file, 0, 0), problems);
    let imported = read(file, &source.text, problems)?;
    let count = |number: usize, noun: &str| match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    };
    let facts = imported.symmetric.as_ref().map(|coloured| {
        let (places, transitions) = (coloured.places.len(), coloured.transitions.len());
        format!("unfolded from {} and {}", count(places, "place"), count(transitions, "transition"))
    });
    let origins = Origins {
        language: language.name().to_owned(),
        net: imported.span,
        transitions: imported.origins,
        facts: facts.into_iter().collect(),
    };
    Some(draft(imported.net, origins))
}

/// The one file of this language.
fn model<'s>(
    language: &dyn Language,
    sources: &'s Sources,
    problems: &mut Problems,
) -> Option<(FileId, &'s File)> {
    let is_model = |file: &File| {
        let extension = file.path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        extension.is_some_and(|extension| language.extensions().contains(&extension.as_str()))
    };
    let mut files = sources.iter().filter(|(_, file)| is_model(file));
    // A file whose extension says nothing is read as asked.
    let first = files.next().or_else(|| sources.iter().next())?;
    if let Some((second, _)) = files.next() {
        let message = format!("there are several {} files here, and a model is one net", language.name());
        let problem =
            Problem::error("M1081", Span::new(second, 0, 0), message, "give the file, not the folder")
                .also(Span::new(first.0, 0, 0), "the first one");
        problems.push(problem);
        return None;
    }
    Some(first)
}

/// Settings that other languages have.
fn foreign_options(language: &dyn Language, options: &Options, place: Span, problems: &mut Problems) {
    let at = |option, name| options.place_of(option, name, place).name;
    let parameters = options.parameters.keys().map(|name| (format!("-D {name}"), at("-D", name)));
    let mode = options.mode.iter().map(|mode| (format!("--mode {mode}"), at("--mode", "")));
    let bounds = options.bounds.keys().map(|name| (format!("--bound {name}"), at("--bound", name)));
    let rules = options.rules.keys().map(|name| (format!("--rule {name}"), at("--rule", name)));
    for (option, place) in parameters.chain(mode).chain(bounds).chain(rules) {
        let message = format!("`{option}` means nothing for a {} net", language.name());
        problems.push(Problem::error("M1092", place, message, "leave it out"));
    }
}
