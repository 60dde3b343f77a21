//! Places, transitions and arcs of a symmetric net.

use roxmltree::Node;

use crate::skeleton::{Direction, Element, Skeleton};
use crate::symmetric::declarations::declarations;
use crate::symmetric::terms::{Terms, structure};
use crate::symmetric::value::{is_multiset, term_variables};
use crate::symmetric::{ColouredPlace, ColouredTransition, Condition, Sort, SortId, SymmetricNet, Term};
use crate::xml::{Reader, child, elements, tag};

/// The coloured net of a skeleton. What is wrong is left out of it and told.
pub(crate) fn read(skeleton: &Skeleton<'_>, reader: &mut Reader<'_>) -> SymmetricNet {
    let mut net = SymmetricNet { name: skeleton.name.clone(), ..SymmetricNet::default() };
    let mut scope = declarations(skeleton.net, &mut net, reader);
    let mut terms = Terms { scope: &mut scope, net: &mut net, reader };
    let places: Vec<ColouredPlace> = skeleton.places.iter().map(|element| terms.place(element)).collect();
    let mut transitions: Vec<ColouredTransition> =
        skeleton.transitions.iter().map(|element| terms.transition(element)).collect();
    for link in &skeleton.arcs {
        let place = &places[link.place];
        let Some(term) = terms.inscription(link.node, place.sort) else { continue };
        let transition = &mut transitions[link.transition];
        let list = match link.direction {
            Direction::Take => &mut transition.inputs,
            Direction::Give => &mut transition.outputs,
            Direction::Read => &mut transition.reads,
            Direction::Inhibit => &mut transition.inhibitors,
        };
        list.push((link.place, term));
    }
    net.places = places;
    net.transitions = transitions;
    net
}

impl<'d> Terms<'_, 'd, '_> {
    fn place(&mut self, element: &Element<'d>) -> ColouredPlace {
        let sort = self.place_sort(element.node).unwrap_or_else(|| self.net.intern(Sort::Dot));
        let marking = child(element.node, "hlinitialMarking");
        let initial = match marking.and_then(structure) {
            Some(node) => self.marking(node, sort),
            // Some tools mark black places as in place/transition nets.
            None => child(element.node, "initialMarking").and_then(|node| self.black(node, sort)),
        };
        ColouredPlace {
            id: element.id.to_owned(),
            name: element.name.clone(),
            title: element.hidden.clone(),
            sort,
            initial: initial.unwrap_or(Term::Nothing),
        }
    }

    /// Before anything has fired no variable has a value.
    fn marking(&mut self, node: Node<'d, 'd>, sort: SortId) -> Option<Term> {
        let term = self.of_sort(node, sort)?;
        let mut variables = Vec::new();
        term_variables(&term, &mut variables);
        if let Some(&variable) = variables.first() {
            let message = format!("the variable `{}` has no value here", self.net.variables[variable].0);
            self.reader.error("M1088", node, message, "an initial marking is made of constants and `all`");
            return None;
        }
        Some(term)
    }

    fn place_sort(&mut self, place: Node<'d, 'd>) -> Option<SortId> {
        let Some(node) = child(place, "type") else {
            let message = "this place does not say of which sort its tokens are";
            self.reader.error("M1087", place, message, "give it a `type` with a sort in its `structure`");
            return None;
        };
        let Some(sort) = structure(node) else {
            let message = "the type of this place has no structure";
            self.reader.error("M1087", node, message, "a text alone says nothing; add `<structure>`");
            return None;
        };
        self.scope.sort(sort, None, 0, self.net, self.reader)
    }

    fn black(&mut self, node: Node<'d, 'd>, sort: SortId) -> Option<Term> {
        let tokens = self.reader.number(node, 0);
        (self.net.sorts[sort.0] == Sort::Dot).then(|| Term::Number(tokens, Box::new(Term::Constant(sort, 0))))
    }

    fn transition(&mut self, element: &Element<'d>) -> ColouredTransition {
        let condition = child(element.node, "condition").and_then(structure);
        let guard = condition.and_then(|node| self.condition(node, 0));
        ColouredTransition {
            id: element.id.to_owned(),
            name: element.name.clone(),
            title: element.hidden.clone(),
            guard: guard.unwrap_or(Condition::Constant(true)),
            inputs: Vec::new(),
            outputs: Vec::new(),
            reads: Vec::new(),
            inhibitors: Vec::new(),
            span: self.reader.whole(element.node),
        }
    }

    fn inscription(&mut self, arc: Node<'d, 'd>, sort: SortId) -> Option<Term> {
        if let Some(node) = child(arc, "hlinscription") {
            let Some(term) = structure(node) else {
                let message = "the inscription of this arc has no structure";
                self.reader.error("M1090", node, message, "a text alone says nothing; add `<structure>`");
                return None;
            };
            let term = self.of_sort(term, sort)?;
            return Some(if is_multiset(&term) { term } else { Term::Number(1, Box::new(term)) });
        }
        if self.net.sorts[sort.0] == Sort::Dot {
            let weight = child(arc, "inscription").map_or(1, |node| self.reader.number(node, 1));
            return Some(Term::Number(weight, Box::new(Term::Constant(sort, 0))));
        }
        let known: Vec<&str> = elements(arc).map(tag).collect();
        let message = format!("this arc has no `hlinscription`, only {}", known.join(", "));
        let message = if known.is_empty() { "this arc has no `hlinscription`".to_owned() } else { message };
        self.reader.error("M1090", arc, message, "say which tokens it moves");
        None
    }
}
