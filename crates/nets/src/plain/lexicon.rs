//! The words that claims may use of a net.

use std::collections::BTreeMap;

use motet_model::{Expr, Observers, Vocabulary};
use motet_source::suggest;

use crate::plain::PlainNet;

/// How many words of a group are listed; a net may have hundreds of thousands.
const LIMIT_WORDS: usize = 200;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    Places(Vec<u32>),
    Transitions(Vec<u32>),
}

/// Names of places, transitions and families.
#[derive(Clone, Debug)]
pub(crate) struct Lexicon {
    /// By their names without spaces and quotation marks, because `take(x=1)` comes back as `take(x = 1)` from a claim.
    names: BTreeMap<String, Named>,
    vocabulary: Vocabulary,
}

impl Lexicon {
    /// A name that several have belongs to the first: places before transitions, members before families.
    pub(crate) fn new(net: &PlainNet) -> Self {
        let mut names = BTreeMap::new();
        let mut add = |name: &str, named: Named| {
            names.entry(key(name)).or_insert(named);
        };
        let number = |index: usize| u32::try_from(index).expect("nets are numbered with 32 bits");
        let numbers = |members: &[usize]| members.iter().map(|&member| number(member)).collect();
        for (index, place) in net.places.iter().enumerate() {
            add(&place.name, Named::Places(vec![number(index)]));
        }
        for family in &net.place_families {
            add(&family.name, Named::Places(numbers(&family.members)));
        }
        for (index, transition) in net.transitions.iter().enumerate() {
            add(&transition.name, Named::Transitions(vec![number(index)]));
        }
        for family in &net.transition_families {
            add(&family.name, Named::Transitions(numbers(&family.members)));
        }
        Self { names, vocabulary: vocabulary(net) }
    }

    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// What an expression of a claim names.
    pub(crate) fn find(&self, expr: &Expr) -> Option<&Named> {
        match expr {
            Expr::Text(name) => self.names.get(&key(name)),
            Expr::Call(..) | Expr::Field(..) | Expr::Index(..) | Expr::Int(_) => {
                self.names.get(&key(&expr.to_string()))
            }
            _ => None,
        }
    }

    /// The known name nearest to what an expression says.
    pub(crate) fn near(&self, expr: &Expr) -> Option<&str> {
        suggest(&key(&expr.to_string()), self.names.keys().map(String::as_str))
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
    Vocabulary { observers, groups, ..Vocabulary::default() }
}
