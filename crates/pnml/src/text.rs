//! Nets in the language of nested nets. Coloured ones keep their colours, so that their own semantics can be checked against
//! the unfolding.
//!
//! Enumerations stay enumerations, ranges become `int low..high`, products records. What patterns cannot say on an arc (a
//! successor, a class) is bound to a fresh variable that a guard compares; variables that no arc binds are picked.

mod names;
mod plain;
mod sorts;
mod terms;

use motet_nets::syntax::{
    ArcIn, ArcOut, Initial, Item, Level, Member, Net, Pattern, PatternNode, Place, PlaceKind, Statement,
    StatementNode, Text, Transition,
};
use motet_source::{FileId, Span};

use crate::symmetric::{
    ColouredPlace, ColouredTransition, Condition, SymmetricNet, Term, condition_variables, term_variables,
};
pub use plain::plain_text;

use crate::text::names::Names;
use crate::text::sorts::Sorts;
use crate::text::terms::{flattened, substituted, substituted_condition, subtracted};

/// Why a coloured net cannot be written in our language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untold {
    /// In a few words: `inhibitor arcs with a successor`.
    pub what: String,
}

impl std::fmt::Display for Untold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "nested nets have no {}", self.what)
    }
}

impl std::error::Error for Untold {}

type Told<T> = Result<T, Untold>;

fn untold<T>(what: impl Into<String>) -> Told<T> {
    Err(Untold { what: what.into() })
}

/// The most alternatives that one transition is taken apart into.
const LIMIT_ALTERNATIVES: usize = 10_000;

/// No part of the text was written by anybody.
pub(crate) fn nowhere() -> Span {
    Span::new(FileId(0), 0, 0)
}

/// The coloured net as a text with one system net.
///
/// # Errors
/// [`Untold`] when the net has something that our language lacks.
pub fn to_text(net: &SymmetricNet) -> Result<Text, Untold> {
    let mut names = Names::new();
    names.keep(net.places.iter().map(|place| place.name.as_str()));
    names.keep(net.transitions.iter().map(|transition| transition.name.as_str()));
    let sorts = Sorts::new(net, &mut names)?;
    let places: Vec<String> = net.places.iter().map(|place| names.own(&place.name)).collect();
    let variables: Vec<String> = net.variables.iter().map(|(name, _)| names.fresh(name)).collect();
    let mut teller = Teller { net, names, sorts, places, variables };
    let mut members = Vec::new();
    for number in 0..net.places.len() {
        members.push(Member::Place(teller.place(number)?));
    }
    for transition in &net.transitions {
        members.push(Member::Transition(teller.transition(transition)?));
    }
    let name = teller.names.spanned(&net.name);
    let net = Net { name, level: Level::System, parameters: Vec::new(), members, span: nowhere() };
    let mut items = teller.sorts.items();
    items.push(Item::Net(net));
    Ok(Text { items })
}

struct Teller<'n> {
    net: &'n SymmetricNet,
    names: Names,
    sorts: Sorts<'n>,
    places: Vec<String>,
    variables: Vec<String>,
}

/// Where an arc stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Take,
    Read,
    Inhibit,
}

/// What the arcs of a transition need beside them.
#[derive(Default)]
struct Aside {
    /// Variables that some arc binds.
    bound: Vec<usize>,
    /// `fresh = term`
    equal: Vec<(String, Term)>,
}

impl Teller<'_> {
    fn place(&mut self, number: usize) -> Told<Place> {
        let ColouredPlace { sort, initial, .. } = &self.net.places[number];
        let tokens = self.net.tokens(initial, &[]);
        let Ok(tokens) = tokens else { return untold("markings of this size") };
        let initial = if self.sorts.is_black(*sort) {
            match tokens.first() {
                Some((_, count)) => Initial::Value(terms::number(i64::from(*count))),
                None => Initial::Empty,
            }
        } else if tokens.is_empty() {
            Initial::Empty
        } else {
            let each = tokens.iter().flat_map(|&(value, count)| (0..count).map(move |_| value));
            let each: Vec<u32> = each.take(100_000).collect();
            let each =
                each.into_iter().map(|value| self.sorts.constant(*sort, value)).collect::<Told<Vec<_>>>()?;
            Initial::Tokens(terms::set(each))
        };
        Ok(Place {
            names: vec![self.names.at(&self.places[number])],
            kind: PlaceKind::Tokens,
            sort: self.sorts.sort_text(*sort)?,
            capacity: None,
            initial,
            span: nowhere(),
        })
    }

    fn transition(&mut self, transition: &ColouredTransition) -> Told<Transition> {
        let name = self.names.own(&transition.name);
        let name = self.names.at(&name);
        let mut apart = Vec::new();
        let arcs = transition.inputs.iter().chain(&transition.reads).chain(&transition.inhibitors);
        arcs.chain(&transition.outputs).for_each(|(_, term)| subtracted(term, &mut apart));
        apart.sort_unstable();
        apart.dedup();
        let body = if apart.is_empty() {
            self.body(transition)?
        } else {
            let mut alternatives = Vec::new();
            for values in self.assignments(&apart)? {
                let known: Vec<(usize, Term)> = apart
                    .iter()
                    .zip(values)
                    .map(|(&variable, value)| {
                        (variable, Term::Constant(self.net.variables[variable].1, value))
                    })
                    .collect();
                let body = self.body(&with_values(transition, &known))?;
                alternatives.push(statement(StatementNode::Alternative(body)));
            }
            alternatives
        };
        Ok(Transition { name, limit: None, body, span: nowhere() })
    }

    /// All values of these variables together.
    fn assignments(&self, variables: &[usize]) -> Told<Vec<Vec<u32>>> {
        let mut all: Vec<Vec<u32>> = vec![Vec::new()];
        for &variable in variables {
            let size = self.net.size(self.net.variables[variable].1).unwrap_or(u32::MAX);
            if all.len().saturating_mul(size as usize) > LIMIT_ALTERNATIVES {
                return untold("room for so many alternatives");
            }
            let longer = |values: &Vec<u32>| {
                let values = values.clone();
                (0..size).map(move |value| values.iter().copied().chain([value]).collect())
            };
            all = all.iter().flat_map(longer).collect();
        }
        Ok(all)
    }

    /// Arcs, picks and guards, in the order in which they are evaluated.
    fn body(&mut self, transition: &ColouredTransition) -> Told<Vec<Statement>> {
        let mut aside = Aside::default();
        let mut body = Vec::new();
        let inputs = self.arcs_in(&transition.inputs, Way::Take, &mut aside)?;
        let reads = self.arcs_in(&transition.reads, Way::Read, &mut aside)?;
        let inhibitors = self.arcs_in(&transition.inhibitors, Way::Inhibit, &mut aside)?;
        let mut add = |arcs: Vec<ArcIn>, node: fn(Vec<ArcIn>) -> StatementNode| {
            if !arcs.is_empty() {
                body.push(statement(node(arcs)));
            }
        };
        add(inputs, StatementNode::In);
        add(reads, StatementNode::Read);
        add(inhibitors, StatementNode::Inhibit);
        for variable in used(transition) {
            if !aside.bound.contains(&variable) {
                let domain = self.sorts.domain(self.net.variables[variable].1)?;
                let name = self.names.at(&self.variables[variable]);
                body.push(statement(StatementNode::Pick(name, domain, None)));
            }
        }
        for (fresh, term) in std::mem::take(&mut aside.equal) {
            let term = self.sorts.value(&term, &self.variables)?;
            body.push(statement(StatementNode::When(terms::equal(terms::name(&fresh), term))));
        }
        if transition.guard != Condition::Constant(true) {
            let guard = self.sorts.condition(&transition.guard, &self.variables)?;
            body.push(statement(StatementNode::When(guard)));
        }
        let outputs = self.arcs_out(&transition.outputs)?;
        if !outputs.is_empty() {
            body.push(statement(StatementNode::Out(outputs)));
        }
        Ok(body)
    }

    fn arcs_in(&mut self, arcs: &[(usize, Term)], way: Way, aside: &mut Aside) -> Told<Vec<ArcIn>> {
        let mut all = Vec::new();
        for (place, term) in arcs {
            let sort = self.net.places[*place].sort;
            for (count, single) in flattened(self.net, term)? {
                let pattern = self.pattern(&single, way, aside)?;
                let patterns = match pattern.node {
                    _ if self.sorts.is_black(sort) => Vec::new(),
                    PatternNode::Tuple(parts) => parts,
                    _ => vec![pattern],
                };
                let place = self.names.at(&self.places[*place]);
                let weight = (count != 1).then(|| terms::number(i64::from(count)));
                all.push(ArcIn { place, patterns, weight, span: nowhere() });
            }
        }
        Ok(all)
    }

    fn pattern(&mut self, term: &Term, way: Way, aside: &mut Aside) -> Told<Pattern> {
        let node = match term {
            Term::Variable(variable) => {
                if !aside.bound.contains(variable) {
                    if way == Way::Inhibit {
                        return untold("inhibitor arcs with variables of their own");
                    }
                    aside.bound.push(*variable);
                }
                PatternNode::Name(self.variables[*variable].clone())
            }
            Term::Constant(sort, value) => self.sorts.constant_pattern(*sort, *value)?,
            Term::Tuple(_, parts) => {
                let parts = parts.iter().map(|part| self.pattern(part, way, aside));
                PatternNode::Tuple(parts.collect::<Told<Vec<_>>>()?)
            }
            _ if way == Way::Inhibit => return untold("inhibitor arcs with a successor"),
            other => {
                let fresh = self.names.fresh("next");
                aside.equal.push((fresh.clone(), other.clone()));
                PatternNode::Name(fresh)
            }
        };
        Ok(Pattern { node, span: nowhere() })
    }

    fn arcs_out(&mut self, arcs: &[(usize, Term)]) -> Told<Vec<ArcOut>> {
        let mut all = Vec::new();
        for (place, term) in arcs {
            let sort = self.net.places[*place].sort;
            for (count, single) in flattened(self.net, term)? {
                let terms = match &single {
                    _ if self.sorts.is_black(sort) => Vec::new(),
                    Term::Tuple(_, parts) => {
                        let parts = parts.iter().map(|part| self.sorts.value(part, &self.variables));
                        parts.collect::<Told<Vec<_>>>()?
                    }
                    other => vec![self.sorts.value(other, &self.variables)?],
                };
                let place = self.names.at(&self.places[*place]);
                let weight = (count != 1).then(|| terms::number(i64::from(count)));
                all.push(ArcOut { place, terms, weight, span: nowhere() });
            }
        }
        Ok(all)
    }
}

fn statement(node: StatementNode) -> Statement {
    Statement { node, span: nowhere() }
}

/// The variables of a transition, each once.
fn used(transition: &ColouredTransition) -> Vec<usize> {
    let mut found = Vec::new();
    let arcs = transition.inputs.iter().chain(&transition.reads).chain(&transition.inhibitors);
    arcs.chain(&transition.outputs).for_each(|(_, term)| term_variables(term, &mut found));
    condition_variables(&transition.guard, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

/// The transition with values for some of its variables.
fn with_values(transition: &ColouredTransition, known: &[(usize, Term)]) -> ColouredTransition {
    let arcs = |arcs: &[(usize, Term)]| -> Vec<(usize, Term)> {
        arcs.iter().map(|(place, term)| (*place, substituted(term, known))).collect()
    };
    ColouredTransition {
        guard: substituted_condition(&transition.guard, known),
        inputs: arcs(&transition.inputs),
        outputs: arcs(&transition.outputs),
        reads: arcs(&transition.reads),
        inhibitors: arcs(&transition.inhibitors),
        ..transition.clone()
    }
}
