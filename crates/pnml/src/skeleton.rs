//! What all kinds of nets share: places, transitions and arcs of all pages, with references followed.

use std::collections::{BTreeMap, BTreeSet};

use motet_source::{Problem, suggest};
use roxmltree::Node;

use crate::xml::{LIMIT_DEPTH, Reader, child, elements, name_of, tag};

/// A place or a transition.
pub(crate) struct Element<'d> {
    pub(crate) id: &'d str,
    /// The name by which it is shown: its own if it is unmistakable, else its id.
    pub(crate) name: String,
    /// The name that the file gives it, if it is not shown by that.
    pub(crate) hidden: Option<String>,
    pub(crate) node: Node<'d, 'd>,
}

/// An arc between a place and a transition.
pub(crate) struct Link<'d> {
    pub(crate) place: usize,
    pub(crate) transition: usize,
    pub(crate) direction: Direction,
    pub(crate) node: Node<'d, 'd>,
}

/// Which way tokens go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From the place to the transition.
    Take,
    /// From the transition to the place.
    Give,
    /// The place is looked at.
    Read,
    /// Tokens disable the transition.
    Inhibit,
}

/// The graph of a net.
pub(crate) struct Skeleton<'d> {
    pub(crate) net: Node<'d, 'd>,
    pub(crate) name: String,
    pub(crate) places: Vec<Element<'d>>,
    pub(crate) transitions: Vec<Element<'d>>,
    pub(crate) arcs: Vec<Link<'d>>,
}

/// What an id stands for.
#[derive(Clone, Copy)]
enum Named<'d> {
    Place(usize),
    Transition(usize),
    Reference(Node<'d, 'd>),
}

/// What is found on the pages before arcs are followed.
#[derive(Default)]
struct Found<'d> {
    ids: BTreeMap<&'d str, (Named<'d>, Node<'d, 'd>)>,
    places: Vec<(&'d str, Node<'d, 'd>)>,
    transitions: Vec<(&'d str, Node<'d, 'd>)>,
    arcs: Vec<Node<'d, 'd>>,
}

/// Collects the graph of a net.
pub(crate) fn skeleton<'d>(net: Node<'d, 'd>, reader: &mut Reader<'_>) -> Skeleton<'d> {
    let mut found = Found::default();
    found.page(net, 0, reader);
    let places = named(&found.places);
    let transitions = named(&found.transitions);
    let mut arcs = Vec::with_capacity(found.arcs.len());
    for &arc in &found.arcs {
        arcs.extend(found.link(arc, reader));
    }
    let name = name_of(net).or_else(|| net.attribute("id")).unwrap_or("net").to_owned();
    Skeleton { net, name, places, transitions, arcs }
}

/// Names for people: the written ones if they are unmistakable, else the ids. Places and transitions may share a name, because
/// whoever speaks of one says which kind is meant.
fn named<'d>(own: &[(&'d str, Node<'d, 'd>)]) -> Vec<Element<'d>> {
    let ids: BTreeSet<&str> = own.iter().map(|(id, _)| *id).collect();
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, node) in own {
        if let Some(name) = name_of(*node) {
            *uses.entry(name).or_default() += 1;
        }
    }
    own.iter()
        .map(|&(id, node)| {
            let written = name_of(node).filter(|name| *name != id);
            let good = written.filter(|name| uses.get(name) == Some(&1) && !ids.contains(name));
            let hidden = written.filter(|_| good.is_none()).map(str::to_owned);
            Element { id, name: good.unwrap_or(id).to_owned(), hidden, node }
        })
        .collect()
}

impl<'d> Found<'d> {
    /// Everything on a page, and on the pages inside it.
    fn page(&mut self, page: Node<'d, 'd>, depth: usize, reader: &mut Reader<'_>) {
        if depth > LIMIT_DEPTH {
            let message = format!("pages nest more than {LIMIT_DEPTH} levels deep");
            return reader.error("M1091", page, message, "put them beside each other");
        }
        for node in elements(page) {
            match tag(node) {
                "page" => self.page(node, depth + 1, reader),
                "place" => {
                    if let Some(id) = self.admit(node, Named::Place(self.places.len()), reader) {
                        self.places.push((id, node));
                    }
                }
                "transition" => {
                    if let Some(id) = self.admit(node, Named::Transition(self.transitions.len()), reader) {
                        self.transitions.push((id, node));
                    }
                }
                "referencePlace" | "referenceTransition" => {
                    self.admit(node, Named::Reference(node), reader);
                }
                "arc" => self.arcs.push(node),
                // PIPE writes tokens and labels beside the places.
                "name" | "graphics" | "toolspecific" | "declaration" | "labels" | "token" | "text" => {}
                other => {
                    let span = reader.span(node);
                    let message = format!("`{other}` is not part of a net and is left out");
                    let help = "remove it, or put it inside `toolspecific`";
                    reader.push(Problem::warning("M1082", span, message, help));
                }
            }
        }
    }

    fn admit(&mut self, node: Node<'d, 'd>, named: Named<'d>, reader: &mut Reader<'_>) -> Option<&'d str> {
        let id = reader.attribute(node, "id")?;
        if let Some((_, first)) = self.ids.get(id) {
            let first = reader.span(*first);
            let message = format!("the id `{id}` is used twice");
            let problem =
                Problem::error("M1084", reader.span(node), message, "ids are unique in the whole file")
                    .also(first, "the first one");
            reader.push(problem);
            return None;
        }
        self.ids.insert(id, (named, node));
        Some(id)
    }

    /// What an id stands for in the end, through any number of references.
    fn follow(&self, id: &str, at: Node<'d, 'd>, reader: &mut Reader<'_>) -> Option<Named<'d>> {
        let mut id = id;
        for _ in 0..=self.ids.len() {
            match self.ids.get(id) {
                Some((Named::Reference(node), _)) => id = reader.attribute(*node, "ref")?,
                Some((named, _)) => return Some(*named),
                None => {
                    let help = match suggest(id, self.ids.keys().copied()) {
                        Some(near) => format!("did you mean `{near}`"),
                        None => "an arc joins a place and a transition of the same net".to_owned(),
                    };
                    reader.error("M1085", at, format!("there is no place or transition `{id}`"), help);
                    return None;
                }
            }
        }
        let message = format!("the reference `{id}` leads back to itself");
        reader.error("M1085", at, message, "a reference leads to a place or a transition in the end");
        None
    }

    fn link(&self, arc: Node<'d, 'd>, reader: &mut Reader<'_>) -> Option<Link<'d>> {
        let source = reader.attribute(arc, "source");
        let target = reader.attribute(arc, "target");
        let source = source.and_then(|id| self.follow(id, arc, reader));
        let target = target.and_then(|id| self.follow(id, arc, reader));
        let (place, transition, forwards) = match (source?, target?) {
            (Named::Place(place), Named::Transition(transition)) => (place, transition, Direction::Take),
            (Named::Transition(transition), Named::Place(place)) => (place, transition, Direction::Give),
            (one, _) => {
                let kind = if matches!(one, Named::Place(_)) { "places" } else { "transitions" };
                let message = format!("this arc joins two {kind}");
                reader.error("M1085", arc, message, "an arc joins a place and a transition");
                return None;
            }
        };
        let kind = child(arc, "type").or_else(|| child(arc, "arctype"));
        let direction = match kind.and_then(kind_of) {
            None | Some("normal") => forwards,
            Some("inhibitor" | "inhibitorArc") if forwards == Direction::Take => Direction::Inhibit,
            Some("test" | "read" | "testArc" | "readArc") => Direction::Read,
            Some(other) => {
                let message = format!("an arc of type `{other}` is not known here");
                reader.error(
                    "M1082",
                    kind.unwrap_or(arc),
                    message,
                    "arcs are normal, inhibitor or test arcs",
                );
                return None;
            }
        };
        Some(Link { place, transition, direction, node: arc })
    }
}

/// `<type value="inhibitor"/>` or `<type><text>inhibitor</text></type>`
fn kind_of<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    node.attribute("value").or_else(|| child(node, "text")?.text()).map(str::trim)
}
