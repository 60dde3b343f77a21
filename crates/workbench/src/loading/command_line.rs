//! What the command line says, as texts that a problem can show.

use std::collections::BTreeMap;

use motet_model::{Options, Said};
use motet_source::{Sources, Span};

/// A text of the command line as a file of its own, so that a problem can show it.
pub(crate) fn command_line(sources: &mut Sources, text: &str) -> Span {
    let file = sources.add("command line", text);
    Span::new(file, 0, text.len())
}

/// Where the command line says each setting of a model.
pub(crate) fn said(options: &Options, sources: &mut Sources) -> BTreeMap<String, Said> {
    let mut places = BTreeMap::new();
    let mut named = |option: &str, name: &str, value: &str| {
        let whole = command_line(sources, &format!("{option} {name}={value}"));
        let (start, end) = (whole.start as usize + option.len() + 1, whole.end as usize);
        let name_ends = start + name.len();
        let (name_place, value_place) =
            (Span::new(whole.file, start, name_ends), Span::new(whole.file, (name_ends + 1).min(end), end));
        places.insert(format!("{option} {name}"), Said { name: name_place, value: value_place });
    };
    options.parameters.iter().for_each(|(name, value)| named("-D", name, value));
    options.bounds.iter().for_each(|(name, value)| named("--bound", name, &value.to_string()));
    options.rules.iter().for_each(|(name, value)| named("--rule", name, value));
    if let Some(mode) = &options.mode {
        let whole = command_line(sources, &format!("--mode {mode}"));
        let start = whole.start as usize;
        let (name, value) = (start + "--mode".len(), start + "--mode ".len());
        let said = Said {
            name: Span::new(whole.file, start, name),
            value: Span::new(whole.file, value, whole.end as usize),
        };
        places.insert("--mode".to_owned(), said);
    }
    places
}
