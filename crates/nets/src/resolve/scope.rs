//! What names mean outside transitions.

use std::collections::{BTreeMap, BTreeSet};

use motet_source::{Problem, Problems, Span};

use crate::program::{Enumeration, PlaceId, PlaceKind, Port, PortId, Sort, TransitionId};
use crate::syntax::{self, Level};
use crate::value::{EnumerationId, NetId, Value};

/// The names of a model.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub(crate) enumerations: Vec<Enumeration>,
    pub(crate) members: BTreeMap<String, (EnumerationId, u32)>,
    /// Sorts by name, enumerations among them.
    pub(crate) sorts: BTreeMap<String, Sort>,
    pub(crate) constants: BTreeMap<String, (Sort, Value)>,
    pub(crate) ports: Vec<Port>,
    pub(crate) nets: Vec<Signature>,
    pub(crate) definitions: Vec<syntax::Definition>,
    pub(crate) system: Option<NetId>,
}

/// A net as others see it.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) name: String,
    pub(crate) level: Level,
    pub(crate) parameters: Vec<(String, Sort)>,
    pub(crate) places: Vec<PlaceSignature>,
    pub(crate) transitions: Vec<String>,
    pub(crate) goals: Vec<String>,
    pub(crate) span: Span,
}

/// A place as others see it.
#[derive(Clone, Debug)]
pub(crate) struct PlaceSignature {
    pub(crate) name: String,
    pub(crate) sort: Sort,
    pub(crate) kind: PlaceKind,
}

/// Which declarations are mentioned anywhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    /// Sorts, by name.
    pub(crate) sorts: BTreeSet<String>,
    /// Templates that are instantiated, or handed on as values.
    pub(crate) templates: BTreeSet<NetId>,
    /// Definitions that some net uses, by number.
    pub(crate) definitions: BTreeSet<usize>,
    /// Parameters of nets, by number.
    pub(crate) parameters: BTreeSet<(NetId, usize)>,
}

impl Signature {
    /// The place or cell with this name. Hidden counters have none.
    pub(crate) fn place(&self, name: &str) -> Option<(PlaceId, &PlaceSignature)> {
        let number =
            self.places.iter().position(|place| place.name == name && place.kind != PlaceKind::Limit)?;
        Some((PlaceId(index(number)), &self.places[number]))
    }

    pub(crate) fn transition(&self, name: &str) -> Option<TransitionId> {
        let number = self.transitions.iter().position(|transition| transition == name)?;
        Some(TransitionId(index(number)))
    }
}

impl Scope {
    pub(crate) fn net(&self, id: NetId) -> &Signature {
        &self.nets[id.0 as usize]
    }

    /// The template with this name; the system net is none.
    pub(crate) fn template(&self, name: &str) -> Option<NetId> {
        let number = self.nets.iter().position(|net| net.name == name && net.level == Level::Agent)?;
        Some(NetId(index(number)))
    }

    pub(crate) fn port(&self, name: &str) -> Option<PortId> {
        let number = self.ports.iter().position(|port| port.name == name)?;
        Some(PortId(index(number)))
    }

    pub(crate) fn definition(&self, name: &str) -> Option<usize> {
        self.definitions.iter().position(|definition| definition.name.node == name)
    }

    /// The values that have a name everywhere, for suggestions.
    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        let constants = self.constants.keys().map(String::as_str);
        let members = self.members.keys().map(String::as_str);
        let definitions = self.definitions.iter().map(|definition| definition.name.node.as_str());
        let nets = self.nets.iter().filter(|net| net.level == Level::Agent).map(|net| net.name.as_str());
        constants.chain(members).chain(definitions).chain(nets)
    }

    /// What a name means everywhere, in the user's words, if a variable may not have it.
    pub(crate) fn fixed(&self, name: &str) -> Option<&'static str> {
        if self.members.contains_key(name) {
            Some("an enumerator")
        } else if self.constants.contains_key(name) {
            Some("a constant")
        } else if self.template(name).is_some() {
            Some("an agent net")
        } else {
            None
        }
    }
}

/// A position as a number of the program.
pub(crate) fn index(position: usize) -> u32 {
    u32::try_from(position).expect("texts are shorter than 4 GiB")
}

/// Names longer than this are no slips of the pen, and comparing them takes long.
const LIMIT_LENGTH: usize = 60;

/// The known name nearest to this one.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LIMIT_LENGTH {
        return None;
    }
    motet_source::suggest(name, known.into_iter().filter(|known| known.len() <= LIMIT_LENGTH))
}

/// A help line: the nearest name if there is one, otherwise what to do.
pub(crate) fn meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    nearest(name, known).map_or_else(|| otherwise.to_owned(), |nearest| format!("did you mean `{nearest}`?"))
}

/// Names of one space, each of which may be declared once.
#[derive(Default)]
pub(crate) struct Names {
    known: BTreeMap<String, Span>,
}

impl Names {
    /// Notes a declaration; `false` if there was one already, which is reported.
    pub(crate) fn declare(&mut self, name: &syntax::Name, problems: &mut Problems) -> bool {
        if let Some(first) = self.known.get(&name.node) {
            let message = format!("`{}` is declared twice", name.node);
            let problem = Problem::error("M1020", name.span, message, "rename or remove one of them");
            problems.push(problem.also(*first, "the first declaration"));
            return false;
        }
        self.known.insert(name.node.clone(), name.span);
        true
    }
}
