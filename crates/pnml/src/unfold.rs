//! A coloured net as a net of black tokens: a place for each colour, a transition for each mode that its condition allows.

use std::collections::BTreeMap;

use motet_nets::plain::{Arc, Family, PlainNet, PlainPlace, PlainTransition, Word, merged};
use motet_source::{Problem, Span};

use crate::imported::Imported;
use crate::symmetric::{
    ColouredTransition, Condition, Senseless, SortId, SymmetricNet, Term, condition_variables, term_variables,
};
use crate::xml::Reader;

/// The most places of an unfolded net.
const LIMIT_PLACES: usize = 1_000_000;
/// The most transitions of an unfolded net.
const LIMIT_TRANSITIONS: usize = 1_000_000;
/// The most arcs of an unfolded net.
const LIMIT_ARCS: usize = 10_000_000;
/// The most assignments of variables that are tried.
const LIMIT_TRIED: u64 = 50_000_000;

/// Unfolds a coloured net; `None` when it gets too large or makes no sense.
pub(crate) fn unfold(symmetric: SymmetricNet, span: Span, reader: &mut Reader<'_>) -> Option<Imported> {
    let mut unfolding = Unfolding {
        symmetric: &symmetric,
        net: PlainNet::new(symmetric.name.clone()),
        first: Vec::new(),
        origins: Vec::new(),
        places: BTreeMap::new(),
        transitions: BTreeMap::new(),
        tried: 0,
        arcs: 0,
    };
    let done = unfolding.places(span).and_then(|()| {
        symmetric.transitions.iter().try_for_each(|transition| unfolding.transition(transition))
    });
    if let Err(problem) = done {
        reader.push(*problem);
        return None;
    }
    let Unfolding { net, origins, places, transitions, .. } = unfolding;
    Some(Imported { net, places, transitions, origins, span, symmetric: Some(symmetric), nupn: None })
}

struct Unfolding<'s> {
    symmetric: &'s SymmetricNet,
    net: PlainNet,
    /// Per coloured place: the number of its first place.
    first: Vec<usize>,
    origins: Vec<Span>,
    places: BTreeMap<String, Vec<usize>>,
    transitions: BTreeMap<String, Vec<usize>>,
    tried: u64,
    arcs: usize,
}

type Outcome = Result<(), Box<Problem>>;

fn too_large(span: Span, what: &str) -> Box<Problem> {
    let message = format!("unfolding this net makes more than {what}");
    let help = "use smaller sorts, or a condition that rules out more modes";
    Box::new(Problem::error("M1091", span, message, help))
}

/// One list of arcs for each mode.
struct Mode {
    inputs: Vec<Arc>,
    reads: Vec<Arc>,
    inhibitors: Vec<Arc>,
    outputs: Vec<Arc>,
}

impl Unfolding<'_> {
    fn places(&mut self, span: Span) -> Outcome {
        for place in &self.symmetric.places {
            let size = self.symmetric.size(place.sort).and_then(|size| usize::try_from(size).ok());
            let size = size.filter(|size| self.net.places.len() + size <= LIMIT_PLACES);
            let size = size.ok_or_else(|| too_large(span, &format!("{LIMIT_PLACES} places")))?;
            let first = self.net.places.len();
            self.first.push(first);
            for value in 0..size {
                let name = member(&place.name, &self.text(place.sort, value));
                self.net.places.push(PlainPlace { name, ..PlainPlace::default() });
            }
            let initial = self.symmetric.tokens(&place.initial, &[]);
            for (value, number) in initial.map_err(|reason| senseless(reason, span, &place.name))? {
                self.net.places[first + value as usize].initial = number;
            }
            let members: Vec<usize> = (first..first + size).collect();
            let only = self.net.places.get(first).map_or("", |only| only.name.as_str()).to_owned();
            add_families(&mut self.net.place_families, &place.name, &place.id, &members, &only);
            self.places.insert(place.id.clone(), members);
        }
        Ok(())
    }

    fn text(&self, sort: SortId, value: usize) -> String {
        self.symmetric.value_text(sort, u32::try_from(value).expect("sorts have fewer than 2^32 values"))
    }

    fn transition(&mut self, transition: &ColouredTransition) -> Outcome {
        let variables = variables(transition);
        let stages = stages(&transition.guard, &variables);
        let first = self.net.transitions.len();
        let mut assignment = vec![0; self.symmetric.variables.len()];
        self.assign(transition, &variables, &stages, 0, &mut assignment)?;
        let members: Vec<usize> = (first..self.net.transitions.len()).collect();
        let only = members.first().map_or("", |&only| self.net.transitions[only].name.as_str()).to_owned();
        add_families(&mut self.net.transition_families, &transition.name, &transition.id, &members, &only);
        self.transitions.insert(transition.id.clone(), members);
        Ok(())
    }

    /// Tries all values of the variables from number `at` on, giving up as soon as a part of the condition fails.
    fn assign(
        &mut self,
        transition: &ColouredTransition,
        variables: &[usize],
        stages: &[Vec<&Condition>],
        at: usize,
        assignment: &mut Vec<u32>,
    ) -> Outcome {
        if !stages[at].iter().all(|condition| self.symmetric.holds(condition, assignment)) {
            return Ok(());
        }
        let Some(&variable) = variables.get(at) else { return self.mode(transition, variables, assignment) };
        let size = self.symmetric.size(self.symmetric.variables[variable].1);
        for value in 0..size.unwrap_or(u32::MAX) {
            self.tried += 1;
            if self.tried > LIMIT_TRIED {
                let what = format!("{LIMIT_TRIED} assignments of variables to try");
                return Err(too_large(transition.span, &what));
            }
            assignment[variable] = value;
            self.assign(transition, variables, stages, at + 1, assignment)?;
        }
        Ok(())
    }

    fn mode(&mut self, transition: &ColouredTransition, variables: &[usize], assignment: &[u32]) -> Outcome {
        let mode = Mode {
            inputs: self.arcs(transition, &transition.inputs, assignment)?,
            reads: self.arcs(transition, &transition.reads, assignment)?,
            inhibitors: self.arcs(transition, &transition.inhibitors, assignment)?,
            outputs: self.arcs(transition, &transition.outputs, assignment)?,
        };
        let bindings: Vec<String> = variables
            .iter()
            .map(|&variable| {
                let (name, sort) = &self.symmetric.variables[variable];
                format!("{name}={}", self.symmetric.value_text(*sort, assignment[variable]))
            })
            .collect();
        self.arcs += mode.inputs.len() + mode.reads.len() + mode.inhibitors.len() + mode.outputs.len();
        if self.net.transitions.len() >= LIMIT_TRANSITIONS || self.arcs > LIMIT_ARCS {
            let what = format!("{LIMIT_TRANSITIONS} transitions or {LIMIT_ARCS} arcs");
            return Err(too_large(transition.span, &what));
        }
        let Mode { inputs, reads, inhibitors, outputs } = mode;
        let name = member(&transition.name, &bindings.join(", "));
        self.net.transitions.push(PlainTransition { name, inputs, reads, inhibitors, outputs });
        self.origins.push(transition.span);
        Ok(())
    }

    fn arcs(
        &self,
        transition: &ColouredTransition,
        arcs: &[(usize, Term)],
        assignment: &[u32],
    ) -> Result<Vec<Arc>, Box<Problem>> {
        let mut all = Vec::new();
        for (place, term) in arcs {
            let tokens = self.symmetric.tokens(term, assignment);
            let name = &self.symmetric.places[*place].name;
            for (value, weight) in tokens.map_err(|reason| senseless(reason, transition.span, name))? {
                all.push(Arc { place: self.first[*place] + value as usize, weight });
            }
        }
        merged(all).ok_or_else(|| senseless(Senseless::TooMany, transition.span, &transition.name))
    }
}

/// `Think(p1)`; the black token needs no parentheses.
fn member(name: &str, value: &str) -> String {
    if value.is_empty() { name.to_owned() } else { format!("{name}({value})") }
}

/// The name and the id stand for all members, unless the only member has that name itself.
fn add_families(families: &mut Vec<Family>, name: &str, id: &str, members: &[usize], only: &str) {
    let mut names = vec![(name, None)];
    if id != name {
        names = vec![(name, Some(Word::Name)), (id, Some(Word::Id))];
    }
    for (name, word) in names {
        if members.len() != 1 || name != only {
            families.push(Family { name: name.to_owned(), members: members.to_vec(), word });
        }
    }
}

fn senseless(reason: Senseless, span: Span, place: &str) -> Box<Problem> {
    let (code, message, help) = match reason {
        Senseless::Negative => (
            "M1090",
            format!("more tokens are subtracted for `{place}` than there are"),
            "rule such modes out with a condition",
        ),
        Senseless::TooMany => (
            "M1091",
            format!("the tokens for `{place}` are too many to count"),
            "use smaller numbers and smaller sorts",
        ),
    };
    Box::new(Problem::error(code, span, message, help))
}

/// The variables of a transition: those of its arcs first, so that conditions over them are met early.
fn variables(transition: &ColouredTransition) -> Vec<usize> {
    let mut found = Vec::new();
    let arcs = transition.inputs.iter().chain(&transition.reads).chain(&transition.inhibitors);
    arcs.chain(&transition.outputs).for_each(|(_, term)| term_variables(term, &mut found));
    condition_variables(&transition.guard, &mut found);
    let mut variables = Vec::new();
    for variable in found {
        if !variables.contains(&variable) {
            variables.push(variable);
        }
    }
    variables
}

/// The conjuncts of a condition, each at the first stage where all its variables have values.
fn stages<'c>(guard: &'c Condition, variables: &[usize]) -> Vec<Vec<&'c Condition>> {
    let mut stages = vec![Vec::new(); variables.len() + 1];
    let mut waiting = vec![guard];
    while let Some(condition) = waiting.pop() {
        if let Condition::All(parts) = condition {
            waiting.extend(parts);
            continue;
        }
        let mut used = Vec::new();
        condition_variables(condition, &mut used);
        let last = used.iter().filter_map(|variable| variables.iter().position(|own| own == variable)).max();
        stages[last.map_or(0, |last| last + 1)].push(condition);
    }
    stages
}
