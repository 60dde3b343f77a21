//! What an option does. Everything is computed in the marking before the firing, into rows that wait in a queue; once all are
//! computed the queue is worked off, by code that all options share.

use motet_machine::promela::{Branch, Statement, assign};
use motet_machine::{Binary, Expr as Term, Place, Unary};

use crate::program::{Initial, PlaceId};
use crate::promela::choice::Choice;
use crate::promela::form::{Form, Items, Kind};
use crate::promela::half::{Half, consumed, produced};
use crate::promela::lack::Lack;
use crate::promela::scope::{Made, Owner, Scope};
use crate::promela::shape::{Store, leaf};
use crate::promela::tail::{self, Act, Acts, waits};
use crate::promela::world::World;

/// Numbers between these are safe to compute with.
const SAFE: i64 = 1_000_000_000;

/// The statements of an option in the making.
pub(crate) struct Effect<'w> {
    world: &'w World,
    acts: &'w mut Acts,
    pub(crate) statements: Vec<Statement>,
    /// Done after everything is computed.
    late: Vec<Statement>,
    /// How many acts wait at most.
    pub(crate) waiting: usize,
    /// How many numbers wait for cells.
    pub(crate) kept: usize,
    /// How many agents are made.
    pub(crate) fresh: usize,
}

impl<'w> Effect<'w> {
    pub(crate) fn of(world: &'w World, acts: &'w mut Acts, choice: &Choice<'_>) -> Result<Self, Lack> {
        let (statements, late) = (Vec::new(), Vec::new());
        let mut effect = Self { world, acts, statements, late, waiting: 0, kept: 0, fresh: 0 };
        let mut outs = Vec::new();
        let mut bodies = Vec::new();
        for half in &choice.halves {
            let mut half = half.clone();
            half.scope.made_before = effect.fresh;
            let body = effect.computed(&mut half, &mut outs)?;
            let made = std::mem::take(&mut half.scope.made);
            for check in &half.scope.checks {
                effect.statements.push(Statement::check("bound_ranges", check));
            }
            for made in &made {
                effect.make(made)?;
            }
            bodies.push(body);
        }
        for half in &choice.halves {
            effect.take(half);
        }
        effect.statements.extend(bodies.into_iter().flatten());
        for half in &choice.halves {
            effect.count(half);
            effect.free(half, &outs);
        }
        let late = std::mem::take(&mut effect.late);
        effect.statements.extend(late);
        Ok(effect)
    }

    /// New values of cells and tokens that come; the agents in them are `outs`.
    fn computed(&mut self, half: &mut Half<'_>, outs: &mut Vec<Term>) -> Result<Vec<Statement>, Lack> {
        let alternative = half.alternative;
        let outer = std::mem::take(&mut self.statements);
        for (cell, value) in &alternative.updates {
            let form = half.scope.form(value)?;
            outs.extend(form.agents());
            self.set(&half.scope, *cell, &form)?;
        }
        for output in &alternative.outputs {
            if *half.scope.store(output.place) == Store::Count {
                continue;
            }
            let mut form = half.scope.form(&output.term)?;
            for time in 0..output.weight {
                if time > 0 && !form.agents().is_empty() {
                    // Each token has an agent of its own.
                    form = half.scope.form(&output.term)?;
                }
                outs.extend(form.agents());
                self.put(&half.scope.owner, output.place, &form)?;
            }
        }
        Ok(std::mem::replace(&mut self.statements, outer))
    }

    /// The numbers of a row; unbounded ones are watched.
    fn row(&mut self, store: &Store, form: &Form) -> Result<Vec<Term>, Lack> {
        let terms = form.flat(store.shape())?;
        for (term, (_, kind)) in terms.iter().zip(store.shape().leaves()) {
            if kind == "int" && computes(term) {
                let small = term.at_least(-SAFE).and(&term.at_most(SAFE));
                self.statements.push(Statement::check("bound_numbers", small));
            }
        }
        Ok(terms)
    }

    /// A token waits to be put on a place, or a member to be added to a set.
    fn put(&mut self, owner: &Owner, place: PlaceId, form: &Form) -> Result<(), Lack> {
        let world = self.world;
        let terms = self.row(&world.kept(owner.net, place).store, form)?;
        let act = self.acts.number(Act::Put(owner.net, place));
        for (at, term) in terms.iter().enumerate() {
            self.statements.push(assign(tail::row("ops", at), term));
        }
        self.queue(&act, &owner.position, &Term::from(0));
        Ok(())
    }

    fn queue(&mut self, act: &Term, position: &Term, at: &Term) {
        self.waiting += 1;
        self.statements.push(waits(act, position, at));
    }

    /// A cell waits for a new value.
    fn set(&mut self, scope: &Scope<'_>, cell: PlaceId, form: &Form) -> Result<(), Lack> {
        let at = scope.at(cell);
        match scope.store(cell) {
            store @ Store::Value { .. } => {
                let terms = self.row(store, form)?;
                for (term, (way, _)) in terms.iter().zip(store.shape().leaves()) {
                    let kept = Place::named("kept").at(Term::count(self.kept));
                    self.statements.push(assign(&kept, term));
                    self.late.push(assign(leaf(&at, &way), kept));
                    self.kept += 1;
                }
            }
            Store::Members { .. } => {
                let clear = self.acts.number(Act::Clear(scope.owner.net, cell));
                self.queue(&clear, &scope.owner.position, &Term::from(0));
                self.members(&scope.owner, cell, &form.items()?)?;
            }
            Store::Count | Store::Rows { .. } => {
                return Err(Lack::Construct("a new value for a place".to_owned()));
            }
        }
        Ok(())
    }

    /// Each of these that is there waits to be put on a place.
    fn members(&mut self, owner: &Owner, place: PlaceId, items: &Items) -> Result<(), Lack> {
        for item in &items.items {
            if item.count.is_some() {
                return Err(Lack::Construct("a set of tokens without data".to_owned()));
            }
            if item.present.is(true) {
                self.put(owner, place, &item.form)?;
                continue;
            }
            let outer = std::mem::take(&mut self.statements);
            self.put(owner, place, &item.form)?;
            let inner = std::mem::replace(&mut self.statements, outer);
            self.statements.push(Statement::when(item.present.clone(), inner));
        }
        Ok(())
    }

    /// The tokens that go; the last first, so that positions stay what they are.
    fn take(&mut self, half: &Half<'_>) {
        let mut takes = half.takes.clone();
        takes.sort_by(|one, other| (one.0, other.1).cmp(&(other.0, one.1)));
        for (place, position) in takes {
            let act = self.acts.number(Act::Take(half.scope.owner.net, place));
            self.queue(&act, &half.scope.owner.position, &Term::count(position));
        }
    }

    /// Tokens without data come and go at once (rule p.1).
    fn count(&mut self, half: &Half<'_>) {
        let places = (0..).map(PlaceId).zip(&self.world.table(half.scope.owner.net).places);
        for (place, kept) in places {
            let change = produced(half.alternative, place) - consumed(half.alternative, place);
            if kept.store != Store::Count || change == 0 {
                continue;
            }
            let at = half.scope.at(place);
            let sum = Term::from(&at).moved(change);
            if change > 0 {
                self.late.push(Statement::check(&kept.bound(), sum.at_most(kept.most_tokens())));
            }
            self.late.push(assign(at, sum));
        }
    }

    /// Agents that were taken and not put anywhere are gone, and with them their tokens.
    fn free(&mut self, half: &Half<'_>, outs: &[Term]) {
        let inputs = half.alternative.inputs.len();
        let mut gone: Vec<Term> = half.tokens[..inputs].iter().flat_map(Form::agents).collect();
        for (cell, _) in &half.alternative.updates {
            gone.extend(half.scope.content(&half.scope.owner, *cell).agents());
        }
        for agent in gone.iter().filter(|agent| !outs.contains(agent)) {
            let act = self.acts.number(Act::Free);
            // A fresh agent is another one.
            let others = outs.iter().filter(|out| !is_fresh(out));
            let kept = Term::any(others.map(|out| out.equals(agent)));
            if kept.known().is_some() {
                self.queue(&act, agent, &Term::from(0));
            } else {
                self.waiting += 1;
                let free = waits(&act, agent, &Term::from(0));
                self.statements.push(Statement::when(kept.not(), vec![free]));
            }
        }
    }

    /// A new agent takes the first free entry of its table; its parameters and its marking are written there.
    fn make(&mut self, made: &Made) -> Result<(), Lack> {
        let number = self.fresh;
        self.fresh += 1;
        let templates: Vec<_> = self.world.templates().collect();
        let mut options = Vec::new();
        for (net, table) in templates {
            let here = made.class.equals(i64::from(net.0));
            if here.is(false) || table.parameters.len() != made.arguments.len() {
                continue;
            }
            let outer = std::mem::take(&mut self.statements);
            let i = Place::named("i");
            let entry = table.at(&i);
            let some = i.less(Term::count(table.room));
            let taken = some.and(&entry.field("alive").into());
            self.statements.push(assign(&i, 0));
            self.statements.push(Statement::repeat(taken, vec![Statement::increment(&i)]));
            self.statements.push(Statement::check(&table.bound(), some));
            let fresh = Place::named("fresh").at(Term::count(number));
            self.statements.push(assign(fresh, Term::count(table.first).plus(&i)));
            self.statements.push(assign(entry.field("alive"), 1));
            for ((parameter, shape), argument) in table.parameters.iter().zip(&made.arguments) {
                for (term, (way, _)) in argument.flat(shape)?.iter().zip(shape.leaves()) {
                    self.statements.push(assign(leaf(&entry.field(parameter), &way), term));
                }
            }
            let owner = Owner::agent(self.world, net, i.into());
            self.begin(&owner, &made.arguments)?;
            let body = std::mem::replace(&mut self.statements, outer);
            options.push((here, body));
        }
        match options.as_slice() {
            [(here, body)] if here.is(true) => self.statements.extend(body.iter().cloned()),
            _ => {
                let none = Branch::otherwise(vec![Statement::check("bound_templates", Term::Truth(false))]);
                let options = options.into_iter().map(|(here, body)| Branch::when(here, body));
                self.statements.push(Statement::If(options.chain([none]).collect()));
            }
        }
        Ok(())
    }

    /// The marking of a new agent (rule p.3).
    fn begin(&mut self, owner: &Owner, arguments: &[Form]) -> Result<(), Lack> {
        let net = &self.world.program.nets[owner.net.0 as usize];
        for (place, declared) in (0..).map(PlaceId).zip(&net.places) {
            let mut scope = Scope::new(self.world, owner.clone(), arguments.len());
            scope.variables[..arguments.len()].clone_from_slice(arguments);
            let at = scope.at(place);
            match &declared.initial {
                Initial::Empty => {}
                Initial::Black(expr) => {
                    let count = scope.term(expr)?;
                    self.statements.push(assign(&at, count));
                }
                Initial::Tokens(expr) => {
                    let mut items = scope.form(expr)?.items()?;
                    // A display or a comprehension as a marking: repetitions count.
                    items.kind = Kind::Tokens;
                    match scope.store(place) {
                        Store::Count => {
                            let count = Items { size: None, ..items }.size()?;
                            self.statements.push(assign(&at, count));
                        }
                        _ => self.members(owner, place, &items)?,
                    }
                }
                Initial::Value(expr) => {
                    let form = scope.form(expr)?;
                    match scope.store(place) {
                        store @ Store::Value { .. } => {
                            let terms = self.row(store, &form)?;
                            for (term, (way, _)) in terms.iter().zip(store.shape().leaves()) {
                                self.statements.push(assign(leaf(&at, &way), term));
                            }
                        }
                        _ => self.members(owner, place, &form.items()?)?,
                    }
                }
            }
            for check in &scope.checks {
                self.statements.push(Statement::check("bound_ranges", check));
            }
        }
        Ok(())
    }
}

/// Whether a number is computed anew, and so may leave its bounds.
fn computes(term: &Term) -> bool {
    let mut found = false;
    term.each(&mut |part| {
        found |= matches!(
            part,
            Term::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, ..)
                | Term::Unary(Unary::Negative, _)
        );
    });
    found
}

fn is_fresh(agent: &Term) -> bool {
    matches!(agent, Term::Read(place) if &**place.name() == "fresh")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_that_are_computed_may_leave_their_bounds() {
        let held = Term::variable("x");
        assert!(computes(&held.plus(1)));
        assert!(computes(&Term::choose(&held, &held.negative(), &held)));
        let chosen = Term::choose(&held, &Term::from(1), &Term::from(2));
        assert!(!computes(&chosen.bit_or(4)));
    }
}
