//! A system net of our own language as a symmetric net, where it has nothing that symmetric nets lack.
//!
//! Each disjunct is a transition. A read arc takes its token and gives it back. All numbers are of one range that holds every
//! declared one, because terms of different ranges are of different sorts (ISO/IEC 15909-2) and could not be compared.
//! A variable that stands for a record is a tuple of variables, one for each field.

mod conditions;
mod terms;

use std::collections::BTreeSet;

use motet_nets::program::{Alternative, Binding, Expr, Input, Pattern, Place, PlaceKind, Program, Sort};
use motet_nets::skeleton::initial_marking;
use motet_nets::value::Bag;
use motet_source::{Problem, Span};

use crate::ids::{Ids, Wanted};
use crate::symmetric::{
    self, ColouredPlace, ColouredTransition, Condition, Cycle, SortId, SymmetricNet, Term,
};

/// The widest range of numbers.
const LIMIT_RANGE: i64 = 1 << 16;
/// The most parts of one record, with the parts of its parts.
const LIMIT_PARTS: usize = 200;

/// Why something has no counterpart.
pub(crate) enum Refused {
    /// In the words of a message: `cells`.
    Because(String),
    /// The range of all numbers has to hold this one too.
    Wider(i64),
}

pub(crate) type Told<T> = Result<T, Refused>;

pub(crate) fn refused<T>(why: impl Into<String>) -> Told<T> {
    Err(Refused::Because(why.into()))
}

/// The system net as a symmetric net with the same markings and firings.
///
/// # Errors
/// What has no counterpart, with its place and the reason (M0985).
pub fn symmetric_net(program: &Program) -> Result<SymmetricNet, Box<Problem>> {
    let mut range = hull(program);
    loop {
        let (refused, span) = match Translation::new(program, range).net() {
            Ok(net) => return Ok(net),
            Err(refused) => refused,
        };
        let why = match refused {
            Refused::Because(why) => why,
            Refused::Wider(number) => {
                let (low, high) = range.unwrap_or((number, number));
                let wider = (low.min(number), high.max(number));
                if wider.1.checked_sub(wider.0).is_some_and(|size| size < LIMIT_RANGE) {
                    range = Some(wider);
                    continue;
                }
                format!("ranges of numbers as wide as from {} to {}", wider.0, wider.1)
            }
        };
        let message = format!("symmetric nets have no {why}");
        let help = "export it with --to nets or --to promela, or say it with enumerations and comparisons";
        return Err(Box::new(Problem::error("M0985", span, message, help)));
    }
}

/// The smallest range with all numbers of all places.
fn hull(program: &Program) -> Option<(i64, i64)> {
    fn ends(sort: &Sort, all: &mut Option<(i64, i64)>) {
        match sort {
            Sort::Int(Some((low, high))) => {
                let (least, most) = all.unwrap_or((*low, *high));
                *all = Some((least.min(*low), most.max(*high)));
            }
            Sort::Record(record) => record.fields.iter().for_each(|(_, sort)| ends(sort, all)),
            _ => {}
        }
    }
    let mut all = None;
    let system = &program.nets[program.system.0 as usize];
    let places = system.places.iter().filter(|place| !is_large(&place.sort));
    places.for_each(|place| ends(&place.sort, &mut all));
    all
}

/// Whether a sort has too many parts. Records of records grow fast.
fn is_large(sort: &Sort) -> bool {
    fn counted(sort: &Sort, so_far: usize) -> usize {
        match sort {
            _ if so_far > LIMIT_PARTS => so_far,
            Sort::Record(record) => {
                record.fields.iter().fold(so_far + 1, |so_far, (_, sort)| counted(sort, so_far))
            }
            _ => so_far + 1,
        }
    }
    counted(sort, 0) > LIMIT_PARTS
}

/// The names as ids, so that a claim by name and one by id mean the same.
fn with_ids(mut net: SymmetricNet) -> SymmetricNet {
    let places = net.places.iter().map(|place| Wanted::Name(&place.name));
    let transitions = net.transitions.iter().map(|transition| Wanted::Name(&transition.name));
    let ids = Ids::default().all(places.chain(transitions));
    let elements = net.places.iter_mut().map(|place| &mut place.id);
    let elements = elements.chain(net.transitions.iter_mut().map(|transition| &mut transition.id));
    elements.zip(ids).for_each(|(own, id)| *own = id);
    net
}

pub(crate) struct Translation<'p> {
    program: &'p Program,
    net: SymmetricNet,
    range: Option<(i64, i64)>,
    /// Per variable of the disjunct: what it stands for.
    known: Vec<Option<Term>>,
    /// Variables of the symmetric net that the disjunct uses.
    used: Vec<usize>,
}

impl<'p> Translation<'p> {
    fn new(program: &'p Program, range: Option<(i64, i64)>) -> Self {
        Self { program, net: SymmetricNet::default(), range, known: Vec::new(), used: Vec::new() }
    }

    fn net(mut self) -> Result<SymmetricNet, (Refused, Span)> {
        let system = &self.program.nets[self.program.system.0 as usize];
        self.net.name.clone_from(&system.name);
        let at = |span: Span| move |refused: Refused| (refused, span);
        let marking = initial_marking(self.program);
        let marking = marking
            .ok_or_else(|| (Refused::Because("markings that cannot be computed".to_owned()), system.span))?;
        for (place, bag) in system.places.iter().zip(&marking) {
            let place = self.place(place, bag).map_err(at(place.span))?;
            self.net.places.push(place);
        }
        for transition in &system.transitions {
            for (number, alternative) in transition.alternatives.iter().enumerate() {
                let name = match transition.alternatives.len() {
                    1 => transition.name.clone(),
                    _ => format!("{} ({})", transition.name, number + 1),
                };
                let coloured = self.transition(name, alternative).map_err(at(alternative.span))?;
                self.net.transitions.push(coloured);
            }
        }
        Ok(with_ids(self.net))
    }

    fn place(&mut self, place: &Place, bag: &Bag) -> Told<ColouredPlace> {
        match place.kind {
            PlaceKind::Tokens => {}
            PlaceKind::Cell => return refused(format!("cells, like `{}`", place.name)),
            PlaceKind::Limit => return refused(format!("limits, like that of `{}`", place.name)),
        }
        if place.capacity.is_some() {
            return refused(format!("capacities, like that of `{}`", place.name));
        }
        if is_large(&place.sort) {
            return refused(format!("records as large as those of `{}`", place.name));
        }
        let sort = self.sort(&place.sort)?;
        let mut tokens = Vec::new();
        for (value, count) in bag.tokens() {
            tokens.push(Term::Number(*count, Box::new(self.constant(value)?)));
        }
        let initial = if tokens.is_empty() { Term::Nothing } else { Term::Add(tokens) };
        Ok(ColouredPlace { id: String::new(), name: place.name.clone(), title: None, sort, initial })
    }

    pub(crate) fn sort(&mut self, sort: &Sort) -> Told<SortId> {
        let own = match sort {
            Sort::Token => symmetric::Sort::Dot,
            Sort::Bool => symmetric::Sort::truth(),
            Sort::Int(Some(_)) => match self.range {
                Some((low, high)) if high.checked_sub(low).is_some_and(|size| size < LIMIT_RANGE) => {
                    symmetric::Sort::Range(low, high)
                }
                _ => return refused("ranges of numbers as wide as this"),
            },
            Sort::Int(None) => return refused("numbers without a range"),
            Sort::Enumeration(id) => {
                let declared = &self.program.enumerations[id.0 as usize];
                let (name, members) = (declared.name.clone(), declared.members.clone());
                symmetric::Sort::Enumeration { name, members, cycle: Cycle::Line }
            }
            Sort::Record(record) => {
                let parts = record.fields.iter().map(|(_, sort)| self.sort(sort));
                let parts = parts.collect::<Told<Vec<_>>>()?;
                let product = self.net.intern(symmetric::Sort::Product(parts));
                let is_new = self.net.names.iter().all(|(_, known)| *known != product);
                if let Some(name) = record.name.as_ref().filter(|_| is_new) {
                    self.net.names.push((name.clone(), product));
                }
                if self.net.size(product).is_none() {
                    return refused("records with so many values");
                }
                return Ok(product);
            }
            Sort::Agent | Sort::Class => return refused("agents"),
            Sort::Set(_) => return refused("sets"),
            Sort::Unknown => return refused("places without a sort"),
        };
        Ok(self.net.intern(own))
    }

    fn transition(&mut self, name: String, alternative: &Alternative) -> Told<ColouredTransition> {
        if alternative.sync.is_some() {
            return refused("channels");
        }
        if !alternative.updates.is_empty() {
            return refused("cells");
        }
        if !alternative.inhibitors.is_empty() {
            return refused("inhibitor arcs");
        }
        let twice =
            |arc: &Input| alternative.reads.iter().filter(|other| other.place == arc.place).count() > 1;
        if alternative.reads.iter().any(twice) {
            return refused("two read arcs that may share a token");
        }
        self.known = vec![None; alternative.variables.len()];
        self.used.clear();
        let mut inputs = self.inputs(&alternative.inputs, &alternative.variables)?;
        let reads = self.inputs(&alternative.reads, &alternative.variables)?;
        let mut guard = Vec::new();
        for binding in &alternative.bindings {
            match binding {
                Binding::Let(variable, value) => {
                    let value = self.term(value)?;
                    self.known[variable.0 as usize] = Some(value);
                }
                Binding::Pick(variable, domain, condition) => {
                    let name = &alternative.variables[variable.0 as usize];
                    let (term, member) = self.pick(name, domain)?;
                    self.known[variable.0 as usize] = Some(term);
                    guard.extend(member);
                    if let Some(condition) = condition {
                        guard.push(self.condition(condition)?);
                    }
                }
            }
        }
        for condition in &alternative.guards {
            guard.push(self.condition(condition)?);
        }
        let mut outputs = Vec::new();
        for arc in &alternative.outputs {
            let term = self.term(&arc.term)?;
            outputs.push((arc.place.0 as usize, Term::Number(arc.weight, Box::new(term))));
        }
        inputs.extend(reads.iter().cloned());
        outputs.extend(reads);
        Ok(ColouredTransition {
            id: String::new(),
            name,
            title: None,
            guard: if guard.is_empty() { Condition::Constant(true) } else { Condition::All(guard) },
            inputs,
            outputs,
            reads: Vec::new(),
            inhibitors: Vec::new(),
            span: alternative.span,
        })
    }

    fn inputs(&mut self, arcs: &[Input], names: &[String]) -> Told<Vec<(usize, Term)>> {
        let mut all = Vec::new();
        for arc in arcs {
            let sort = self.net.places[arc.place.0 as usize].sort;
            let term = self.pattern(&arc.pattern, sort, names)?;
            all.push((arc.place.0 as usize, Term::Number(arc.weight, Box::new(term))));
        }
        Ok(all)
    }

    fn pattern(&mut self, pattern: &Pattern, sort: SortId, names: &[String]) -> Told<Term> {
        match pattern {
            Pattern::Any => Ok(self.fresh("any", sort)),
            Pattern::Bind(variable) => {
                let term = self.fresh(&names[variable.0 as usize], sort);
                self.known[variable.0 as usize] = Some(term.clone());
                Ok(term)
            }
            Pattern::Equal(value) => self.term(value),
            Pattern::Record(patterns) => {
                let symmetric::Sort::Product(parts) = self.net.sorts[sort.0].clone() else {
                    return refused("patterns of this shape");
                };
                let parts = patterns.iter().zip(parts).map(|(part, sort)| self.pattern(part, sort, names));
                Ok(Term::Tuple(sort, parts.collect::<Told<Vec<_>>>()?))
            }
        }
    }

    /// Anything of this sort: a variable that the disjunct does not use yet, a tuple of such, or the black token.
    pub(crate) fn fresh(&mut self, name: &str, sort: SortId) -> Term {
        match self.net.sorts[sort.0].clone() {
            symmetric::Sort::Dot => Term::Constant(sort, 0),
            symmetric::Sort::Product(parts) => {
                let each =
                    (1..).zip(parts).map(|(number, part)| self.fresh(&format!("{name}_{number}"), part));
                Term::Tuple(sort, each.collect())
            }
            _ => {
                let variables = self.net.variables.iter().enumerate();
                let free = variables
                    .filter(|(_, (own, of))| own == name && *of == sort)
                    .find(|(number, _)| !self.used.contains(number))
                    .map(|(number, _)| number);
                let variable = free.unwrap_or_else(|| {
                    self.net.variables.push((name.to_owned(), sort));
                    self.net.variables.len() - 1
                });
                self.used.push(variable);
                Term::Variable(variable)
            }
        }
    }

    /// A variable for any member of a set, and the condition that it is one.
    fn pick(&mut self, name: &str, domain: &Expr) -> Told<(Term, Option<Condition>)> {
        let members = self.members(domain)?;
        let Some(first) = members.first() else {
            return refused("choices from nothing");
        };
        let sort = self.sort_of(first);
        let term = self.fresh(name, sort);
        let constants: BTreeSet<u32> = members
            .iter()
            .filter_map(|member| if let Term::Constant(_, value) = member { Some(*value) } else { None })
            .collect();
        let all = self.net.size(sort).is_some_and(|size| size as usize == constants.len());
        let member = if all { None } else { Some(self.one_of(&term, members)?) };
        Ok((term, member))
    }
}
