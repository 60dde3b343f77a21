//! A net of a file, ready to be checked.

use std::collections::BTreeMap;

use motet_nets::plain::{Family, PlainNet, Word};
use motet_source::{FileId, Problem, Problems, Span};
use roxmltree::Node;

use crate::nupn::{Nupn, nupn};
use crate::skeleton::{Element, skeleton};
use crate::symmetric::{self, SymmetricNet};
use crate::xml::{Reader, child, elements, parse, tag};
use crate::{plain, unfold};

/// A net with the ids of its file.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The net of black tokens: as it was written, or unfolded.
    pub net: PlainNet,
    /// What each id of a place stands for: the places it was unfolded to.
    pub places: BTreeMap<String, Vec<usize>>,
    /// What each id of a transition stands for: its modes.
    pub transitions: BTreeMap<String, Vec<usize>>,
    /// Where the transitions were written, by number.
    pub origins: Vec<Span>,
    /// Where the net begins.
    pub span: Span,
    /// The coloured net it was unfolded from.
    pub symmetric: Option<SymmetricNet>,
    /// Units, where the file declares some.
    pub nupn: Option<Nupn>,
}

/// Reads the net of a PNML file and unfolds it if it is coloured; `None` when the problems say why.
#[must_use]
pub fn read(file: FileId, text: &str, problems: &mut Problems) -> Option<Imported> {
    let document = parse(file, text, "M1080", problems)?;
    let mut reader = Reader::new(file, text, problems);
    let net = the_net(document.root_element(), &mut reader)?;
    let kind = kind(net, &mut reader)?;
    let skeleton = skeleton(net, &mut reader);
    let span = reader.span(net);
    let imported = match kind {
        Kind::Plain => plain::plain(&skeleton, span, &mut reader),
        Kind::Symmetric => {
            let symmetric = symmetric::read(&skeleton, &mut reader);
            if reader.has_failed() {
                return None;
            }
            unfold::unfold(symmetric, span, &mut reader)?
        }
    };
    (!reader.has_failed()).then(|| {
        let mut imported = Imported { nupn: nupn(net), ..imported };
        imported.net.place_families.extend(hidden(&skeleton.places, &imported.places));
        imported.net.transition_families.extend(hidden(&skeleton.transitions, &imported.transitions));
        imported
    })
}

/// Names that could be mistaken, with what they could mean: a claim that uses one is told so.
fn hidden<'e>(
    elements: &'e [Element<'_>],
    members: &'e BTreeMap<String, Vec<usize>>,
) -> impl Iterator<Item = Family> + 'e {
    elements.iter().filter_map(|element| {
        let members = members.get(element.id)?.clone();
        Some(Family { name: element.hidden.clone()?, members, word: Some(Word::Name) })
    })
}

/// The one net of a document. PIPE and others may leave the element `pnml` out.
fn the_net<'d>(root: Node<'d, 'd>, reader: &mut Reader<'_>) -> Option<Node<'d, 'd>> {
    if tag(root) == "net" {
        return Some(root);
    }
    if tag(root) != "pnml" {
        let message = format!("this is a document of kind `{}`, not of kind `pnml`", tag(root));
        reader.error("M1081", root, message, "give a file whose outermost element is `pnml`");
        return None;
    }
    let mut nets = elements(root).filter(|node| tag(*node) == "net");
    let Some(net) = nets.next() else {
        reader.error("M1081", root, "this file holds no net", "put a `net` inside `pnml`");
        return None;
    };
    if let Some(second) = nets.next() {
        let also = reader.span(net);
        let problem = Problem::error(
            "M1081",
            reader.span(second),
            "this file holds several nets, and a model is one net",
            "keep one of them in a file of its own",
        );
        reader.push(problem.also(also, "the first one"));
        return None;
    }
    Some(net)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Symmetric,
}

/// What the type of a net says; where it says nothing, what its elements say.
fn kind(net: Node<'_, '_>, reader: &mut Reader<'_>) -> Option<Kind> {
    let coloured = || {
        let pages = elements(net).filter(|node| tag(*node) == "page");
        let places = std::iter::once(net).chain(pages).flat_map(elements);
        places.filter(|node| tag(*node) == "place").any(|place| child(place, "hlinitialMarking").is_some())
    };
    let uri = net.attribute("type").unwrap_or_default();
    let name = uri.rsplit(['/', '#']).next().unwrap_or_default().to_ascii_lowercase();
    match name.as_str() {
        "ptnet" | "ptnetb" | "pnmlcoremodel" | "pnmlcore" => Some(Kind::Plain),
        "symmetricnet" | "highlevelnet" | "pt-hlpng" => Some(Kind::Symmetric),
        _ if coloured() => Some(Kind::Symmetric),
        // PIPE writes `P/T net`, older tools all sorts of things.
        "" | "p t net" | "t net" | "p/t net" | "petrinet" | "basicnet" => Some(Kind::Plain),
        _ if uri.to_ascii_lowercase().contains("ptn") => Some(Kind::Plain),
        _ => {
            let message = format!("a net of type `{uri}` is not read here");
            reader.error("M1081", net, message, "give a place/transition net or a symmetric net");
            None
        }
    }
}
