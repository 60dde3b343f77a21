//! The words that claims may use of a net.

use std::collections::BTreeMap;

use motet_model::{Expr, Observers, TimeUnit, Vocabulary};
use motet_source::suggest;

use crate::plain::{Family, PlainNet, Word};

/// How many words of a group are listed; a net may have hundreds of thousands.
const LIMIT_WORDS: usize = 200;
/// `id(p1)` of a program: nobody can write such a name, so no net has it.
pub const BY_ID: &str = "#id";

/// What a word of a claim names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found<'l> {
    /// These places, or these transitions.
    One(&'l [u32]),
    /// Several things, each with its own right to the word.
    Several(&'l [Reading]),
    /// Nothing.
    Nothing,
}

/// One of the things that a word may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The word as the file has it, with its spaces.
    written: String,
    word: Option<Word>,
    /// What the first of them is shown as.
    shown: String,
    members: Vec<u32>,
}

impl Reading {
    /// `the name of `p0``
    pub(crate) fn text(&self) -> String {
        match self.word {
            Some(Word::Name) => format!("the name of `{}`", self.shown),
            Some(Word::Id) if self.shown != self.written => format!("the id of `{}`", self.shown),
            Some(Word::Id) => format!("the id `{}`", self.written),
            None => format!("`{}` as it is written", self.written),
        }
    }
}

/// A word with the only thing that it means.
#[derive(Clone, Debug)]
struct Meaning {
    members: Vec<u32>,
    word: Option<Word>,
    /// The number of the element, or of the family after all elements.
    source: usize,
}

/// Names of places with families of them, or of transitions.
#[derive(Clone, Debug, Default)]
struct Names {
    /// By their names without spaces and quotation marks, because `take(x=1)` comes back as `take(x = 1)` from a claim.
    known: BTreeMap<String, Meaning>,
    /// The keys that several have.
    doubles: BTreeMap<String, Vec<Reading>>,
}

/// The kind of thing that a word is looked for among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Places hold tokens.
    Place,
    /// Transitions fire.
    Transition,
}

/// Names of places, transitions and families.
#[derive(Clone, Debug)]
pub(crate) struct Lexicon {
    places: Names,
    transitions: Names,
    vocabulary: Vocabulary,
}

impl Lexicon {
    /// A place and a transition may share a name, because claims say of which they speak. A name that several places have, or
    /// several transitions, belongs to none of them.
    pub(crate) fn new(net: &PlainNet) -> Self {
        let places: Vec<&str> = net.places.iter().map(|place| place.name.as_str()).collect();
        let transitions: Vec<&str> =
            net.transitions.iter().map(|transition| transition.name.as_str()).collect();
        Self {
            places: Names::new(&places, &net.place_families),
            transitions: Names::new(&transitions, &net.transition_families),
            vocabulary: vocabulary(net),
        }
    }

    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// What an expression of a claim names among the places, or among the transitions.
    pub(crate) fn find(&self, kind: Kind, expr: &Expr) -> Found<'_> {
        match kind {
            Kind::Place => self.places.find(expr),
            Kind::Transition => self.transitions.find(expr),
        }
    }

    /// The known name nearest to what an expression says.
    pub(crate) fn near(&self, expr: &Expr) -> Option<&str> {
        let names = self.places.known.keys().chain(self.transitions.known.keys());
        suggest(&key(&expr.to_string()), names.map(String::as_str))
    }
}

impl Names {
    fn new(shown: &[&str], families: &[Family]) -> Self {
        let number = |index: usize| u32::try_from(index).expect("nets are numbered with 32 bits");
        // An element with another id is shown by its name, one with another name by its id.
        let mut words: Vec<Option<Word>> = vec![None; shown.len()];
        for family in families {
            if let ([only], Some(word)) = (family.members.as_slice(), family.word) {
                words[*only] = Some(if word == Word::Id { Word::Name } else { Word::Id });
            }
        }
        let written = |source: usize| {
            shown.get(source).copied().unwrap_or_else(|| &families[source - shown.len()].name)
        };
        let own = shown.iter().enumerate().map(|(index, name)| {
            (*name, Meaning { members: vec![number(index)], word: words[index], source: index })
        });
        let more = families.iter().enumerate().map(|(index, family)| {
            let members = family.members.iter().map(|&member| number(member)).collect();
            (family.name.as_str(), Meaning { members, word: family.word, source: shown.len() + index })
        });
        let reading = |meaning: &Meaning| Reading {
            written: written(meaning.source).to_owned(),
            word: meaning.word,
            shown: meaning.members.first().map_or("", |first| shown[*first as usize]).to_owned(),
            members: meaning.members.clone(),
        };
        let mut names = Self::default();
        for (name, meaning) in own.chain(more) {
            let key = key(name);
            match names.known.get_mut(&key) {
                // Its name and its id, but for spaces.
                Some(known) if known.members == meaning.members => known.word = None,
                Some(known) => {
                    let first = reading(known);
                    names.doubles.entry(key).or_insert_with(|| vec![first]).push(reading(&meaning));
                }
                None => {
                    names.known.insert(key, meaning);
                }
            }
        }
        names
    }

    fn find(&self, expr: &Expr) -> Found<'_> {
        match expr {
            Expr::Text(name) => self.named(name),
            Expr::Call(function, arguments) => match (function.as_str(), arguments.as_slice()) {
                (BY_ID, [word]) => self.only(word, Word::Id),
                (function, arguments) => match (self.named(&expr.to_string()), function, arguments) {
                    (Found::Nothing, "id", [word]) => self.only(word, Word::Id),
                    (Found::Nothing, "name", [word]) => self.only(word, Word::Name),
                    (found, ..) => found,
                },
            },
            Expr::Field(..) | Expr::Index(..) | Expr::Int(_) => self.named(&expr.to_string()),
            _ => Found::Nothing,
        }
    }

    fn named(&self, name: &str) -> Found<'_> {
        let key = key(name);
        let Some(readings) = self.doubles.get(&key) else {
            return self.known.get(&key).map_or(Found::Nothing, |meaning| Found::One(&meaning.members));
        };
        // Names that differ in their spaces alone are told apart where they are quoted.
        one_of(readings, |reading| reading.written == name)
    }

    /// `id(p1)`, `name(p1)`
    fn only(&self, expr: &Expr, word: Word) -> Found<'_> {
        let name = match expr {
            Expr::Text(name) => name.clone(),
            other => other.to_string(),
        };
        let key = key(&name);
        let Some(readings) = self.doubles.get(&key) else {
            let meaning = self.known.get(&key).filter(|meaning| meaning.word.is_none_or(|own| own == word));
            return meaning.map_or(Found::Nothing, |meaning| Found::One(&meaning.members));
        };
        let mut said = readings.iter().filter(|reading| reading.word == Some(word));
        if said.next().is_some() {
            return one_of(readings, |reading| reading.word == Some(word));
        }
        one_of(readings, |reading| reading.word.is_none())
    }
}

fn one_of(readings: &[Reading], fits: impl Fn(&Reading) -> bool) -> Found<'_> {
    let mut fitting = readings.iter().filter(|reading| fits(reading));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Found::One(&only.members),
        _ => Found::Several(readings),
    }
}

fn key(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_whitespace() && *letter != '"').collect()
}

fn vocabulary(net: &PlainNet) -> Vocabulary {
    let listed = |names: &mut dyn Iterator<Item = &String>| -> Vec<String> {
        let mut words: Vec<String> = names.take(LIMIT_WORDS).cloned().collect();
        let more = names.count();
        if more > 0 {
            words.push(format!("and {more} more"));
        }
        words
    };
    let families = |families: &[crate::plain::Family]| -> Vec<String> {
        let large = families.iter().filter(|family| family.members.len() > 1);
        listed(&mut large.map(|family| &family.name))
    };
    let mut groups = vec![
        ("places (#p counts the tokens)".to_owned(), listed(&mut net.places.iter().map(|place| &place.name))),
        ("families of places (#p counts all)".to_owned(), families(&net.place_families)),
        (
            "transitions (enabled(t), fires(t))".to_owned(),
            listed(&mut net.transitions.iter().map(|transition| &transition.name)),
        ),
        ("families of transitions (any mode)".to_owned(), families(&net.transition_families)),
    ];
    groups.retain(|(_, words)| !words.is_empty());
    let observers = Observers::Nobody("a plain net has no agents".to_owned());
    let (events, unit) = (vec!["fires".to_owned()], Some(TimeUnit::Firings));
    Vocabulary { observers, groups, events, unit, ..Vocabulary::default() }
}
