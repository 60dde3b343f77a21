//! The ways to fire an alternative, each with its whole condition: one for each choice of tokens and of picked members (rule
//! t.2, repaired: any token may be chosen, not the last one alone, and nothing is done before all conditions hold).

use motet_machine::{Expr as Term, Place};

use crate::program::{Alternative, Binding, Input, Pattern, PlaceId, TransitionId};
use crate::promela::form::Form;
use crate::promela::lack::Lack;
use crate::promela::scope::{Owner, Scope};
use crate::promela::shape::Store;
use crate::promela::world::World;

/// More ways to fire one alternative are refused.
const LIMIT_WAYS: usize = 1_500;

/// One way to fire an alternative, or its part of a step.
#[derive(Clone)]
pub(crate) struct Half<'a> {
    pub(crate) transition: TransitionId,
    pub(crate) alternative: &'a Alternative,
    pub(crate) scope: Scope<'a>,
    /// What has to hold, in an order in which it may be asked.
    pub(crate) conditions: Vec<Term>,
    /// The tokens that go, by their positions.
    pub(crate) takes: Vec<(PlaceId, usize)>,
    /// The tokens of inputs, then of reads.
    pub(crate) tokens: Vec<Form>,
}

impl<'a> Half<'a> {
    /// Every way to find tokens for the arcs of an alternative.
    pub(crate) fn all(
        world: &'a World,
        owner: &Owner,
        transition: TransitionId,
        alternative: &'a Alternative,
        first: &[Term],
    ) -> Result<Vec<Self>, Lack> {
        let scope = Scope::new(world, owner.clone(), alternative.variables.len());
        let (takes, tokens) = (Vec::new(), Vec::new());
        let start = Self { transition, alternative, scope, conditions: first.to_vec(), takes, tokens };
        let mut ways = vec![start];
        for arc in &alternative.inputs {
            ways = each(ways, |way| way.arc(arc, true))?;
        }
        for arc in &alternative.reads {
            ways = each(ways, |way| way.arc(arc, false))?;
        }
        for way in &mut ways {
            way.counts();
            for arc in &alternative.inhibitors {
                let matches = way.matches(arc)?;
                way.need(matches.not());
            }
        }
        Ok(possible(ways))
    }

    fn need(&mut self, condition: Term) {
        self.conditions.push(condition);
    }

    fn arc(self, arc: &Input, consumed: bool) -> Result<Vec<Self>, Lack> {
        let weight = arc.weight as usize;
        let (at, counter) = (self.scope.at(arc.place), self.scope.counter(arc.place));
        let mut ways = Vec::new();
        match self.scope.store(arc.place) {
            Store::Count => ways.extend(self.with(arc, Vec::new(), &Form::unit())?),
            Store::Value { shape } => {
                let value = Form::read(shape, &at);
                ways.extend(self.with(arc, Vec::new(), &value)?);
            }
            Store::Members { .. } => {
                let value = self.scope.content(&self.scope.owner, arc.place);
                ways.extend(self.with(arc, Vec::new(), &value)?);
            }
            Store::Rows { shape, bound } => {
                for first in 0..(bound + 1).saturating_sub(weight) {
                    let positions = first..first + weight;
                    if positions.clone().any(|position| self.takes.contains(&(arc.place, position))) {
                        continue;
                    }
                    let mut conditions = vec![counter.greater(Term::count(positions.end - 1))];
                    let token = Form::read(shape, &at.at(Term::count(first)));
                    // Equal tokens stand side by side.
                    for next in positions.clone().skip(1) {
                        conditions.push(Form::read(shape, &at.at(Term::count(next))).equals(&token)?);
                    }
                    let mut way = self.clone();
                    if consumed {
                        way.takes.extend(positions.map(|position| (arc.place, position)));
                    }
                    ways.extend(way.with(arc, conditions, &token)?);
                }
            }
        }
        Ok(ways)
    }

    fn with(mut self, arc: &Input, conditions: Vec<Term>, token: &Form) -> Result<Option<Self>, Lack> {
        self.conditions.extend(conditions);
        let fits = self.scope.fits(&arc.pattern, token)?;
        self.need(fits);
        self.tokens.push(token.clone());
        Ok(Some(self))
    }

    /// There are enough tokens without data.
    fn counts(&mut self) {
        let alternative = self.alternative;
        for arc in &alternative.inputs {
            if *self.scope.store(arc.place) == Store::Count {
                let needed = consumed(alternative, arc.place);
                let count = self.scope.at(arc.place);
                self.need(count.at_least(needed));
            }
        }
        for arc in &alternative.reads {
            if *self.scope.store(arc.place) == Store::Count {
                let needed = consumed(alternative, arc.place) + i64::from(arc.weight);
                let count = self.scope.at(arc.place);
                self.need(count.at_least(needed));
            }
        }
    }

    /// Whether so many tokens look like this.
    fn matches(&mut self, arc: &Input) -> Result<Term, Lack> {
        let (at, counter) = (self.scope.at(arc.place), self.scope.counter(arc.place));
        let weight = arc.weight as usize;
        match self.scope.store(arc.place) {
            Store::Count => Ok(at.at_least(Term::count(weight))),
            Store::Rows { shape, bound } => {
                let mut found = Vec::new();
                for first in 0..(bound + 1).saturating_sub(weight) {
                    let mut tests = vec![counter.greater(Term::count(first + weight - 1))];
                    let token = Form::read(shape, &at.at(Term::count(first)));
                    for next in first + 1..first + weight {
                        tests.push(Form::read(shape, &at.at(Term::count(next))).equals(&token)?);
                    }
                    tests.push(self.scope.fits(&arc.pattern, &token)?);
                    found.push(Term::all(tests));
                }
                Ok(Term::any(found))
            }
            Store::Value { .. } | Store::Members { .. } => {
                Err(Lack::Construct("an inhibitor arc from a cell".to_owned()))
            }
        }
    }

    /// Binds what is received.
    pub(crate) fn receive(mut self, patterns: &[Pattern], sent: &[Form]) -> Result<Self, Lack> {
        for (pattern, form) in patterns.iter().zip(sent) {
            let fits = self.scope.fits(pattern, form)?;
            self.need(fits);
        }
        Ok(self)
    }

    /// Every way to go on: picks, lets and guards; and there is room for what is put.
    pub(crate) fn finish(self) -> Result<Vec<Self>, Lack> {
        let alternative = self.alternative;
        let mut ways = vec![self];
        for binding in &alternative.bindings {
            ways = each(ways, |way| way.bind(binding))?;
        }
        for way in &mut ways {
            for guard in &alternative.guards {
                let guard = way.scope.term(guard)?;
                way.need(guard);
            }
            way.fits_in();
        }
        Ok(possible(ways))
    }

    fn bind(mut self, binding: &Binding) -> Result<Vec<Self>, Lack> {
        match binding {
            Binding::Let(variable, value) => {
                let form = self.scope.form(value)?;
                self.scope.let_be(*variable, form);
                Ok(vec![self])
            }
            Binding::Pick(variable, domain, condition) => {
                let mut ways = Vec::new();
                for item in self.scope.form(domain)?.items()?.items {
                    let mut way = self.clone();
                    way.scope.let_be(*variable, item.form);
                    way.need(item.present);
                    if let Some(condition) = condition {
                        let chosen = way.scope.term(condition)?;
                        way.need(chosen);
                    }
                    ways.push(way);
                }
                Ok(ways)
            }
        }
    }

    /// No place would hold more than it takes.
    fn fits_in(&mut self) {
        let net = &self.scope.world.program.nets[self.scope.owner.net.0 as usize];
        let alternative = self.alternative;
        let outputs = alternative.outputs.iter().map(|output| output.place);
        for place in outputs.collect::<std::collections::BTreeSet<_>>() {
            let Some(capacity) = net.places[place.0 as usize].capacity else { continue };
            let gain = produced(alternative, place) - consumed(alternative, place);
            if gain > 0 {
                let count = self.size(place);
                let gained = count.plus(gain);
                self.need(gained.at_most(i64::from(capacity)));
            }
        }
    }

    fn size(&self, place: PlaceId) -> Place {
        match self.scope.store(place) {
            Store::Count => self.scope.at(place),
            _ => self.scope.counter(place),
        }
    }
}

/// How many tokens an alternative takes from a place.
pub(crate) fn consumed(alternative: &Alternative, place: PlaceId) -> i64 {
    let arcs = alternative.inputs.iter().filter(|arc| arc.place == place);
    arcs.map(|arc| i64::from(arc.weight)).sum()
}

/// How many tokens an alternative puts on a place.
pub(crate) fn produced(alternative: &Alternative, place: PlaceId) -> i64 {
    let arcs = alternative.outputs.iter().filter(|arc| arc.place == place);
    arcs.map(|arc| i64::from(arc.weight)).sum()
}

fn each<'a>(
    ways: Vec<Half<'a>>,
    next: impl Fn(Half<'a>) -> Result<Vec<Half<'a>>, Lack>,
) -> Result<Vec<Half<'a>>, Lack> {
    let mut all = Vec::new();
    for way in possible(ways) {
        all.extend(next(way)?);
        if all.len() > LIMIT_WAYS {
            return Err(Lack::Size(format!("more than {LIMIT_WAYS} ways to fire one transition")));
        }
    }
    Ok(all)
}

/// Without those that can never fire.
fn possible(mut ways: Vec<Half<'_>>) -> Vec<Half<'_>> {
    ways.retain(|way| !way.conditions.iter().any(|condition| condition.is(false)));
    ways
}
