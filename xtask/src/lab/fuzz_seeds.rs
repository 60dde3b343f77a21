//! What fuzzing begins with: the models and claims of this repository, one input for each example.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::tree::{Text, Tree};

/// Longer inputs are slow and say little more.
const LONGEST: usize = 12_000;

/// How the names of models, claims and what lies beside them end.
const MODELS: [&str; 19] = [
    ".asl",
    ".mas2j",
    ".team",
    ".b",
    ".prism",
    ".nm",
    ".pm",
    ".sej",
    ".sep",
    ".ont",
    ".npn",
    ".pnml",
    ".net",
    ".props",
    ".psl",
    ".pctl",
    ".hoa",
    ".xml",
    "motet.toml",
];

/// An input with several files: `=== NAME` begins each (`fuzz/src/sheet.rs`).
type Sheet = BTreeMap<String, String>;

/// The seeds of each target.
pub(super) fn seeds(root: &Path, tree: &Tree) -> BTreeMap<&'static str, BTreeSet<String>> {
    let mut seeds: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
    let mut add = |target: &'static str, text: String| {
        if text.len() <= LONGEST {
            seeds.entry(target).or_default().insert(text);
        }
    };
    for sheet in pages(tree).into_iter().chain(folders(root, tree)) {
        for target in targets(&sheet) {
            add(target, written(&sheet));
        }
        for (name, text) in &sheet {
            if let Some(target) = dialect(name, text) {
                add(target, text.clone());
            }
        }
    }
    for text in
        tree.texts.iter().filter(|text| text.path.starts_with("docs/") || text.path.starts_with("spec/"))
    {
        for (kind, body) in blocks(&text.text) {
            if kind.starts_with("json") {
                add("messages", body.clone());
                add("situations", body.clone());
                add("traces", body.clone());
                add("logs", body);
            }
        }
    }
    seeds
}

fn written(sheet: &Sheet) -> String {
    sheet.iter().map(|(name, text)| format!("=== {name}\n{text}")).collect()
}

/// Who reads a project, by its files.
fn targets(sheet: &Sheet) -> Vec<&'static str> {
    let has = |extension: &str| sheet.keys().any(|name| name.ends_with(extension));
    let known: [(&[&str], &[&'static str]); 7] = [
        (&[".asl", ".mas2j"], &["agentspeak", "jason"]),
        (&[".b"], &["brahms"]),
        (&[".prism", ".nm", ".pm"], &["prism"]),
        (&[".sej"], &["senglish"]),
        (&[".npn"], &["nets"]),
        (&[".pnml"], &["pnml", "contest"]),
        (&[".net"], &["tina"]),
    ];
    let speaks =
        known.into_iter().filter(|(extensions, _)| extensions.iter().any(|extension| has(extension)));
    speaks.flat_map(|(_, targets)| targets.iter().copied()).collect()
}

/// Whose dialect a claims file is in.
fn dialect(name: &str, text: &str) -> Option<&'static str> {
    match Path::new(name).extension()?.to_str()? {
        "psl" => Some("claims_psl"),
        "hoa" => Some("claims_automata"),
        "pctl" | "prctl" => Some("claims_prism"),
        "props" if text.contains("ltl ") => Some("claims_spin"),
        "props" if text.contains("=?") && !text.contains("query") => Some("claims_prism"),
        "props" => Some("claims_motet"),
        _ => None,
    }
}

/// The examples on literate pages: the blocks under one heading.
fn pages(tree: &Tree) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    let literate = |text: &&Text| {
        text.path.ends_with(".md") && (text.path.starts_with("spec/") || text.path.starts_with("corpus/"))
    };
    for page in tree.texts.iter().filter(literate) {
        for section in page.text.split("\n#") {
            let sheet: Sheet =
                blocks(section).into_iter().filter_map(|(kind, body)| Some((file(&kind)?, body))).collect();
            sheets.push(sheet);
        }
    }
    sheets
}

/// The file that a fenced block stands for (`spec/README.md`).
fn file(kind: &str) -> Option<String> {
    let (language, name) = kind.split_once(' ').unwrap_or((kind, ""));
    let named = |extension: &str| format!("{}.{extension}", if name.is_empty() { "model" } else { name });
    Some(match language {
        "agentspeak" => named("asl"),
        "brahms" => named("b"),
        "nets" => named("npn"),
        "prism" => "model.prism".to_owned(),
        "pnml" => "model.pnml".to_owned(),
        "tina" => "model.net".to_owned(),
        "senglish" => name.to_owned(),
        "settings" => "motet.toml".to_owned(),
        "team" => "model.team".to_owned(),
        "claims" if name == "psl" => "claims.psl".to_owned(),
        "claims" => "claims.props".to_owned(),
        _ => return None,
    })
}

/// Fenced blocks with what stands behind the fence.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let body: String = lines
                .by_ref()
                .take_while(|line| !line.starts_with("```"))
                .map(|line| format!("{line}\n"))
                .collect();
            blocks.push((kind.trim().to_owned(), body));
        }
    }
    blocks
}

/// The folders with models, one project each, and the texts that the tests of front-ends read, alone.
fn folders(root: &Path, tree: &Tree) -> Vec<Sheet> {
    let known = |path: &&String| MODELS.iter().any(|extension| path.ends_with(extension));
    let mut folders: BTreeMap<String, Sheet> = BTreeMap::new();
    for path in tree.paths.iter().filter(known) {
        let Some((folder, name)) = path.rsplit_once('/') else { continue };
        let alone = folder.starts_with("crates/") && folder.contains("/tests/");
        if !(alone || folder.starts_with("examples/") || folder.starts_with("corpus/")) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(root.join(path)) else { continue };
        let key = if alone { path.as_str() } else { folder };
        folders.entry(key.to_owned()).or_default().insert(name.to_owned(), text);
    }
    folders.into_values().collect()
}

/// The words of a target's seeds, most frequent first: libFuzzer cannot guess keywords.
pub(super) fn dictionary(seeds: &BTreeSet<String>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in seeds {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let signs = text.split(|c: char| c.is_ascii_alphanumeric() || c.is_whitespace() || c == '_');
        let sane = |word: &&str| (2..=24).contains(&word.len()) && word.is_ascii();
        words.chain(signs).filter(sane).for_each(|word| *counts.entry(word).or_default() += 1);
    }
    let mut words: Vec<(&str, usize)> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
    words.sort_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
    let escaped = |word: &str| word.replace('\\', "\\\\").replace('"', "\\\"");
    words.into_iter().take(300).map(|(word, _)| format!("\"{}\"\n", escaped(word))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_front_end_has_examples_to_begin_with() {
        let seeds = seeds(&crate::root(), &Tree::read(&crate::root()).unwrap());
        for target in ["agentspeak", "jason", "brahms", "prism", "senglish", "nets", "pnml", "claims_motet"] {
            let count = seeds.get(target).map_or(0, BTreeSet::len);
            assert!(count > 5, "{target} has {count} seeds");
        }
        let model = seeds["brahms"].iter().find(|text| text.contains("=== motet.toml\n"));
        assert!(model.is_some_and(|text| text.contains("=== ") && text.contains("agent ")));
    }

    #[test]
    fn a_dictionary_names_frequent_words_and_signs() {
        let seeds =
            BTreeSet::from(["module m [] x=0 -> (x'=1); endmodule module n [] -> \"a\\b\" \"".to_owned()]);
        let words = dictionary(&seeds);
        assert!(
            words.contains("\"module\"\n") && words.contains("\"->\"\n") && !words.contains("endmodule"),
            "{words}"
        );
    }
}
