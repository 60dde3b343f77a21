//! Place/transition nets.

use std::collections::BTreeMap;

use motet_nets::plain::{Arc, Family, PlainNet, PlainPlace, PlainTransition, Word, merged};
use motet_source::Span;
use roxmltree::Node;

use crate::imported::Imported;
use crate::skeleton::{Direction, Element, Skeleton};
use crate::xml::{Reader, child};

/// The net of a skeleton.
pub(crate) fn plain(skeleton: &Skeleton<'_>, span: Span, reader: &mut Reader<'_>) -> Imported {
    let place = |element: &Element<'_>, reader: &mut Reader<'_>| {
        let number = |name: &str, reader: &mut Reader<'_>| {
            child(element.node, name).map(|node| reader.number(node, 0)).unwrap_or_default()
        };
        // PIPE writes a capacity of 0 where there is none.
        let capacity = Some(number("capacity", reader)).filter(|capacity| *capacity > 0);
        PlainPlace { name: element.name.clone(), initial: number("initialMarking", reader), capacity }
    };
    let mut net = PlainNet::new(skeleton.name.clone());
    net.places = skeleton.places.iter().map(|element| place(element, reader)).collect();
    net.place_families = aliases(&skeleton.places);
    net.transition_families = aliases(&skeleton.transitions);
    let mut arcs: Vec<[Vec<Arc>; 4]> = vec![Default::default(); skeleton.transitions.len()];
    for link in &skeleton.arcs {
        let weight = child(link.node, "inscription").map_or(1, |node| reader.number(node, 1));
        let list = match link.direction {
            Direction::Take => 0,
            Direction::Read => 1,
            Direction::Inhibit => 2,
            Direction::Give => 3,
        };
        arcs[link.transition][list].push(Arc { place: link.place, weight });
    }
    for (element, lists) in skeleton.transitions.iter().zip(arcs) {
        net.transitions.push(transition(element, lists, reader));
    }
    let ids = |elements: &[Element<'_>]| -> BTreeMap<String, Vec<usize>> {
        elements.iter().enumerate().map(|(number, element)| (element.id.to_owned(), vec![number])).collect()
    };
    Imported {
        net,
        places: ids(&skeleton.places),
        transitions: ids(&skeleton.transitions),
        origins: skeleton.transitions.iter().map(|element| reader.whole(element.node)).collect(),
        span,
        symmetric: None,
        nupn: None,
    }
}

/// Ids are names too, where they differ from the names.
fn aliases(elements: &[Element<'_>]) -> Vec<Family> {
    let differs = elements.iter().enumerate().filter(|(_, element)| element.name != element.id);
    differs
        .map(|(number, element)| Family {
            name: element.id.to_owned(),
            members: vec![number],
            word: Some(Word::Id),
        })
        .collect()
}

fn transition(element: &Element<'_>, lists: [Vec<Arc>; 4], reader: &mut Reader<'_>) -> PlainTransition {
    let [inputs, reads, inhibitors, outputs] = lists;
    let mut sum = |arcs: Vec<Arc>| merged(arcs).unwrap_or_else(|| too_heavy(element.node, reader));
    PlainTransition {
        name: element.name.clone(),
        inputs: sum(inputs),
        reads: strictest(reads, u32::max),
        inhibitors: strictest(inhibitors, u32::min),
        outputs: sum(outputs),
    }
}

/// Several tests of one place are one test: the one that asks most.
fn strictest(mut arcs: Vec<Arc>, stricter: fn(u32, u32) -> u32) -> Vec<Arc> {
    arcs.sort_unstable();
    let mut kept: Vec<Arc> = Vec::with_capacity(arcs.len());
    for arc in arcs {
        match kept.last_mut() {
            Some(last) if last.place == arc.place => last.weight = stricter(last.weight, arc.weight),
            _ => kept.push(arc),
        }
    }
    kept
}

fn too_heavy(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Vec<Arc> {
    let message = "the arcs of this transition together move more tokens than can be counted";
    reader.error("M1086", node, message, "use smaller weights");
    Vec::new()
}
