//! Which texts of a model happened in the exploration, and which of them the verdicts depend on.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::typesetting::number::count;
use crate::typesetting::page::{Detail, Tone, View, pad, plain};

/// Texts of one list that are told unless the reader wants all.
const LIMIT_TEXTS: usize = 10;

/// Owners of one text that are named.
const LIMIT_OWNERS: usize = 3;

/// What is known of the texts of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelCoverage {
    /// One per text, in the order of the files.
    pub texts: Vec<TextReport>,
    /// Why not everything was seen, in words; nothing that did not happen is certain then.
    pub stop: Option<String>,
    /// How many verdicts were compared.
    pub n_claims: usize,
    /// How many claims are about numbers, which are not compared: without a step the others would be chosen more often.
    pub n_numbers: usize,
}

/// A text: a plan, a frame, a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextReport {
    /// As a reader finds it.
    pub name: String,
    /// What it is: `plan`, `workframe`.
    pub kind: &'static str,
    /// Who has it, and in how many steps of the graph it has a share for them.
    pub owners: Vec<(String, u64)>,
    /// The file's path.
    pub file: String,
    /// Its first line.
    pub line: usize,
    /// Its last line.
    pub last_line: usize,
    /// Whether a verdict depends on it.
    pub need: TextNeed,
}

/// Whether a verdict depends on a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextNeed {
    /// Nobody looked.
    Unchecked,
    /// All verdicts stay as they are without it.
    None,
    /// The claims with another verdict without it, by name.
    Claims(Vec<String>),
}

/// How a text fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// A verdict depends on it.
    Needed,
    /// It happens; nobody looked whether a verdict depends on it.
    Happened,
    /// It happens, and no verdict depends on it.
    Idle,
    /// It never happens.
    Never,
}

impl TextReport {
    /// In how many steps it has a share.
    #[must_use]
    pub fn happened(&self) -> u64 {
        self.owners.iter().map(|(_, times)| times).sum()
    }

    pub(crate) fn fate(&self) -> Fate {
        match &self.need {
            _ if self.happened() == 0 => Fate::Never,
            TextNeed::None => Fate::Idle,
            TextNeed::Claims(_) => Fate::Needed,
            TextNeed::Unchecked => Fate::Happened,
        }
    }

    /// `ag3.asl:27`.
    fn place(&self) -> String {
        let name = self.file.rsplit(['/', '\\']).next().unwrap_or(&self.file);
        format!("{name}:{}", self.line)
    }

    fn owned(&self) -> String {
        let named: Vec<&str> =
            self.owners.iter().map(|(owner, _)| owner.as_str()).take(LIMIT_OWNERS).collect();
        let more = self.owners.len() - named.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", named.join(", "))
    }
}

/// The coverage as text: how much of each kind happened, what never did, and what no verdict depends on.
#[must_use]
pub fn coverage_text(coverage: &ModelCoverage, view: &View) -> String {
    if coverage.texts.is_empty() {
        return "  Coverage: the language of this model does not say what its texts are made of\n\n"
            .to_string();
    }
    let mut page = format!("  {}\n", view.paint(Tone::Strong, "Coverage"));
    page.push_str(&tallies(coverage, view));
    if let Some(stop) = &coverage.stop {
        page.push_str(&format!("    not everything was seen ({stop}): what is left may happen later\n"));
    }
    page.push_str(&list(coverage, Fate::Never, "never happens", view));
    page.push_str(&list(coverage, Fate::Idle, "no claim depends on", view));
    if coverage.texts.iter().any(|text| text.fate() == Fate::Idle) {
        let text = "    (every verdict stays as it is when all steps in which it happens are taken away)\n";
        page.push_str(&view.paint(Tone::Quiet, text));
    }
    if coverage.n_numbers > 0 {
        let claims = count(coverage.n_numbers, "claim");
        page.push_str(&format!(
            "    {claims} about numbers cannot be compared in this way and may depend on any of it\n"
        ));
    }
    let unchecked = coverage.texts.iter().filter(|text| text.fate() == Fate::Happened).count();
    if unchecked > 0 && coverage.n_claims > 0 {
        page.push_str(&format!(
            "    whether a claim depends on it was not looked at for {}: the model is too large\n",
            count(unchecked, "text")
        ));
    }
    page.push('\n');
    view.finish(page)
}

/// Per owner and kind: how many texts happened, of how many.
fn tallies(coverage: &ModelCoverage, view: &View) -> String {
    let mut kinds: Vec<&'static str> = Vec::new();
    let mut owners: Vec<&str> = Vec::new();
    let mut tally: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for text in &coverage.texts {
        if !kinds.contains(&text.kind) {
            kinds.push(text.kind);
        }
        for (owner, times) in &text.owners {
            if !owners.contains(&owner.as_str()) {
                owners.push(owner);
            }
            let cell = tally.entry((owner, text.kind)).or_default();
            cell.0 += usize::from(*times > 0);
            cell.1 += 1;
        }
    }
    let width = owners.iter().map(|owner| owner.chars().count()).max().unwrap_or(0).clamp(8, 24);
    let cell = |owner: &str, kind: &str| match tally.get(&(owner, kind)) {
        Some((happened, all)) => format!("{happened} of {all}"),
        None => String::new(),
    };
    let column = |kind: &str| kind.len().max(9) + 3;
    let mut page = format!("    {}", pad("", width + 2));
    kinds.iter().for_each(|kind| page.push_str(&pad(&format!("{kind}s").replace("ys", "ies"), column(kind))));
    page = page.trim_end().to_string();
    page.push('\n');
    for owner in owners {
        let mut line = format!("    {}", pad(&view.fit(&plain(owner), width), width + 2));
        kinds.iter().for_each(|kind| line.push_str(&pad(&cell(owner, kind), column(kind))));
        page.push_str(line.trim_end());
        page.push('\n');
    }
    page
}

fn list(coverage: &ModelCoverage, fate: Fate, title: &str, view: &View) -> String {
    let found: Vec<&TextReport> = coverage.texts.iter().filter(|text| text.fate() == fate).collect();
    if found.is_empty() {
        return String::new();
    }
    let limit = if view.detail == Detail::Verbose { usize::MAX } else { LIMIT_TEXTS };
    let shown = &found[..found.len().min(limit)];
    let width = shown.iter().map(|text| text.place().chars().count()).max().unwrap_or(0);
    let mut page = format!("    {}\n", view.paint(Tone::Care, title));
    for text in shown {
        let line = format!(
            "      {}  {} {} of {}",
            pad(&text.place(), width),
            text.kind,
            plain(&text.name),
            plain(&text.owned())
        );
        page.push_str(&view.fit(&line, view.width));
        page.push('\n');
    }
    if found.len() > shown.len() {
        page.push_str(&format!("      {} more, -v shows them\n", found.len() - shown.len()));
    }
    page
}

/// The coverage as programs read it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JsonCoverage {
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<String>,
    parts: Vec<JsonPart>,
}

#[derive(Clone, Debug, Serialize)]
struct JsonPart {
    kind: &'static str,
    name: String,
    file: String,
    line: usize,
    last_line: usize,
    /// Who has it, and in how many steps of the graph it has a share.
    owners: BTreeMap<String, u64>,
    happened: u64,
    /// The claims whose verdict depends on it; null if nobody looked.
    needed_by: Option<Vec<String>>,
}

impl From<&ModelCoverage> for JsonCoverage {
    fn from(coverage: &ModelCoverage) -> Self {
        let part = |text: &TextReport| JsonPart {
            kind: text.kind,
            name: text.name.clone(),
            file: text.file.clone(),
            line: text.line,
            last_line: text.last_line,
            owners: text.owners.iter().cloned().collect(),
            happened: text.happened(),
            needed_by: match &text.need {
                TextNeed::Unchecked => None,
                TextNeed::None => Some(Vec::new()),
                TextNeed::Claims(names) => Some(names.clone()),
            },
        };
        Self {
            complete: coverage.stop.is_none(),
            stop: coverage.stop.clone(),
            parts: coverage.texts.iter().map(part).collect(),
        }
    }
}
