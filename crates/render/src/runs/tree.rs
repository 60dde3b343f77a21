//! Evidence that is a tree, in the user's words: what is the case at a moment of a run, and the other runs that show it.
//!
//! A run that goes on from a moment of another one is told as a whole run of the model, of which the first part is told
//! elsewhere ([`Tale::from`]): its steps and its times count from the start of the model.

pub(crate) mod json;
mod outline;
mod page;
mod sentence;
mod text;

use motet_evidence::{Branch, Evidence, Run, Shown};
use motet_model::{AtomId, AtomText, Mind, Model, ObserverId, Section, Snapshot, Words};
use motet_source::{Sources, Spanned};

use crate::runs::tale::{Tale, tale};
use crate::typesetting::page::plain;

pub use outline::{one, outline, run_of};
pub(crate) use page::{appended, link, standing};
pub use text::branches;

/// A truth about other runs, or about knowledge, at a moment of a tale, and how it is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchTale {
    /// After how many steps, counted from the start of the model.
    pub at: usize,
    /// The formula with all parentheses.
    pub formula: String,
    /// Whether it is true.
    pub truth: bool,
    /// What is the case, in English: `Bob does not know that House.fire = true`.
    pub said: String,
    /// How it is seen, in English: `no continuation gets there (complete search)`.
    pub because: String,
    /// How it is seen.
    pub shown: ShownTale,
}

/// How a truth about other runs is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownTale {
    /// By a run that goes on from there.
    Onward(Box<Tale>),
    /// By another run to a situation that looks the same to somebody.
    Elsewhere(Box<Elsewhere>),
    /// By a complete search.
    Search,
}

/// Another situation that looks the same to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// Those who cannot tell the two situations apart.
    pub agents: Vec<String>,
    /// The run that leads there.
    pub tale: Tale,
    /// How many of its first steps are those of the run that it is compared with.
    pub shared: usize,
    /// What each of them has in mind in both situations.
    pub seen: Vec<Mind>,
    /// What differs.
    pub differs: Vec<Difference>,
}

/// What two situations do not share: a section of one mind, here and there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Whose mind.
    pub mind: String,
    /// `beliefs`.
    pub section: String,
    /// Items that the other run's situation lacks.
    pub here: Vec<String>,
    /// Items that only the other run's situation has.
    pub there: Vec<String>,
}

impl Elsewhere {
    /// The run from where it parts.
    pub(crate) fn parted(&self) -> Tale {
        Tale { from: self.shared, ..self.tale.clone() }
    }
}

impl BranchTale {
    /// The run behind it; `None` where a search is.
    #[must_use]
    pub fn tale(&self) -> Option<&Tale> {
        match &self.shown {
            ShownTale::Onward(tale) => Some(tale),
            ShownTale::Elsewhere(elsewhere) => Some(&elsewhere.tale),
            ShownTale::Search => None,
        }
    }
}

/// What it takes to tell a tree.
pub struct Telling<'a> {
    /// The model.
    pub model: &'a dyn Model,
    /// Its words.
    pub words: &'a dyn Words,
    /// Its texts.
    pub sources: &'a Sources,
    /// The claim's atoms, whose changes are marked.
    pub atoms: &'a [AtomId],
    /// All atoms, by number.
    pub names: &'a [Spanned<AtomText>],
}

impl Telling<'_> {
    /// Tells the branches of a run that starts in an initial state.
    #[must_use]
    pub fn branches(&self, evidence: &Evidence) -> Vec<BranchTale> {
        self.of(&evidence.branches, &evidence.run, 0)
    }

    /// Tells branches; `run` is the run they are of, from an initial state, and theirs begins after `before` steps of it.
    fn of(&self, branches: &[Branch], run: &Run, before: usize) -> Vec<BranchTale> {
        branches.iter().filter_map(|branch| self.branch(branch, run, before)).collect()
    }

    fn branch(&self, branch: &Branch, run: &Run, before: usize) -> Option<BranchTale> {
        let at = before + branch.at;
        let here = run.states.get(at)?;
        let signature = self.model.signature();
        let name = |observer: &ObserverId| {
            plain(signature.observers.get(observer.index()).map_or("", String::as_str))
        };
        let agents = match &branch.shown {
            Shown::Elsewhere(agents, _) => agents.iter().map(name).collect(),
            Shown::Onward(_) | Shown::Search => Vec::new(),
        };
        let shown = match &branch.shown {
            Shown::Search => ShownTale::Search,
            Shown::Onward(evidence) => ShownTale::Onward(Box::new(self.onward(evidence, run, at))),
            Shown::Elsewhere(_, evidence) => {
                let there = self.words.snapshot(evidence.run.states.last()?);
                let here = self.words.snapshot(here);
                ShownTale::Elsewhere(Box::new(Elsewhere {
                    seen: agents.iter().filter_map(|agent| common(agent, &here, &there)).collect(),
                    differs: differences(&here, &there),
                    shared: run.shared(&evidence.run).min(at),
                    tale: self.whole(evidence),
                    agents: agents.clone(),
                }))
            }
        };
        let because = sentence::because(branch, &agents);
        Some(BranchTale {
            at,
            formula: sentence::printed(&branch.formula, self.names),
            truth: branch.truth,
            said: sentence::said(&branch.formula, branch.truth, self.names),
            because,
            shown,
        })
    }

    /// A run from an initial state.
    fn whole(&self, evidence: &Evidence) -> Tale {
        let mut tale = self.tale(evidence);
        tale.branches = self.branches(evidence);
        tale
    }

    /// A run that goes on after `at` steps of another one.
    fn onward(&self, evidence: &Evidence, run: &Run, at: usize) -> Tale {
        let whole = outline::spliced(run, at, evidence);
        let mut tale = self.tale(&whole);
        tale.from = at;
        tale.whys.retain(|why| why.step >= at);
        tale.branches = self.of(&evidence.branches, &whole.run, at);
        tale
    }

    /// A tale without pictures: an album has room for one run.
    fn tale(&self, evidence: &Evidence) -> Tale {
        Tale { album: None, ..tale(evidence, self.model, self.words, self.sources, self.atoms) }
    }
}

/// What an agent has in mind in both situations. What it cannot tell apart is equal; anything else of its mind that differs
/// is a difference like those of others.
fn common(agent: &str, here: &Snapshot, there: &Snapshot) -> Option<Mind> {
    let (mine, other) = (mind_of(agent, here)?, mind_of(agent, there)?);
    let sections = mine.sections.iter().map(|section| {
        let items = items(Some(other), &section.title);
        let gone = crate::runs::mind::lost(&section.items, items);
        let mut kept: Vec<String> = section.items.clone();
        for item in gone {
            if let Some(at) = kept.iter().position(|kept| kept == item) {
                kept.remove(at);
            }
        }
        Section { title: section.title.clone(), items: kept }
    });
    let sections = sections.filter(|section| !section.items.is_empty()).collect();
    Some(Mind { name: agent.to_string(), sections })
}

/// The mind of an agent; nets say where an agent is behind its name: `Guest(ann) in table`.
fn mind_of<'a>(agent: &str, snapshot: &'a Snapshot) -> Option<&'a Mind> {
    let placed = |mind: &&Mind| mind.name.strip_prefix(agent).is_some_and(|rest| rest.starts_with(' '));
    let exact = snapshot.minds.iter().find(|mind| mind.name == agent);
    exact.or_else(|| snapshot.minds.iter().find(placed))
}

/// What two situations do not share, mind by mind in the order of the first.
fn differences(here: &Snapshot, there: &Snapshot) -> Vec<Difference> {
    let mut names: Vec<&str> = Vec::new();
    for mind in here.minds.iter().chain(&there.minds) {
        if !names.contains(&mind.name.as_str()) {
            names.push(&mind.name);
        }
    }
    let mut found = Vec::new();
    for name in names {
        let of = |snapshot: &'_ Snapshot| snapshot.minds.iter().find(|mind| mind.name == name).cloned();
        let (mine, other) = (of(here), of(there));
        let mut titles: Vec<&str> = Vec::new();
        for section in mine.iter().chain(&other).flat_map(|mind| &mind.sections) {
            if !titles.contains(&section.title.as_str()) {
                titles.push(&section.title);
            }
        }
        for title in titles {
            let (one, two) = (items(mine.as_ref(), title), items(other.as_ref(), title));
            let told = |items: Vec<&str>| items.into_iter().map(plain).collect::<Vec<_>>();
            let difference = Difference {
                mind: plain(name),
                section: plain(title),
                here: told(crate::runs::mind::lost(one, two)),
                there: told(crate::runs::mind::lost(two, one)),
            };
            if !difference.here.is_empty() || !difference.there.is_empty() {
                found.push(difference);
            }
        }
    }
    found
}

fn items<'a>(mind: Option<&'a Mind>, title: &str) -> &'a [String] {
    let section = mind.and_then(|mind| mind.sections.iter().find(|section| section.title == title));
    section.map_or(&[], |section| &section.items)
}
