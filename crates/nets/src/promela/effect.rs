//! What an option does. Everything is computed in the marking before the firing, into rows that wait in a queue; once all are
//! computed the queue is worked off, by code that all options share.

use crate::program::{Initial, PlaceId};
use crate::promela::choice::Choice;
use crate::promela::form::{Form, Items, Kind};
use crate::promela::half::{Half, consumed, produced};
use crate::promela::lack::Lack;
use crate::promela::scope::{Made, Owner, Scope};
use crate::promela::shape::Store;
use crate::promela::tail::{Act, Acts};
use crate::promela::term::Term;
use crate::promela::world::{World, index};

/// Numbers between these are safe to compute with.
const SAFE: i64 = 1_000_000_000;

/// The text of an option in the making.
pub(crate) struct Effect<'w> {
    world: &'w World,
    acts: &'w mut Acts,
    pub(crate) lines: Vec<String>,
    /// Done after everything is computed.
    late: Vec<String>,
    /// How many acts wait at most.
    pub(crate) waiting: usize,
    /// How many numbers wait for cells.
    pub(crate) kept: usize,
    /// How many agents are made.
    pub(crate) fresh: usize,
}

impl<'w> Effect<'w> {
    pub(crate) fn of(world: &'w World, acts: &'w mut Acts, choice: &Choice<'_>) -> Result<Self, Lack> {
        let (lines, late) = (Vec::new(), Vec::new());
        let mut effect = Self { world, acts, lines, late, waiting: 0, kept: 0, fresh: 0 };
        let mut outs = Vec::new();
        let mut bodies = Vec::new();
        for half in &choice.halves {
            let mut half = half.clone();
            half.scope.made_before = effect.fresh;
            let body = effect.computed(&mut half, &mut outs)?;
            let made = std::mem::take(&mut half.scope.made);
            for check in &half.scope.checks {
                effect.lines.push(format!("CHECK(bound_ranges, {})", check.show()));
            }
            for made in &made {
                effect.make(made)?;
            }
            bodies.push(body);
        }
        for half in &choice.halves {
            effect.take(half);
        }
        effect.lines.extend(bodies.into_iter().flatten());
        for half in &choice.halves {
            effect.count(half);
            effect.free(half, &outs);
        }
        let late = std::mem::take(&mut effect.late);
        effect.lines.extend(late);
        Ok(effect)
    }

    /// New values of cells and tokens that come; the agents in them are `outs`.
    fn computed(&mut self, half: &mut Half<'_>, outs: &mut Vec<Term>) -> Result<Vec<String>, Lack> {
        let alternative = half.alternative;
        let outer = std::mem::take(&mut self.lines);
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
        Ok(std::mem::replace(&mut self.lines, outer))
    }

    /// The numbers of a row; unbounded ones are watched.
    fn row(&mut self, store: &Store, form: &Form) -> Result<Vec<Term>, Lack> {
        let terms = form.flat(store.shape())?;
        for (term, (_, kind)) in terms.iter().zip(store.shape().leaves()) {
            if kind == "int" && term.known().is_none() && term.show().contains(['+', '*', '-']) {
                let (low, high) = (Term::number(-SAFE), Term::number(SAFE));
                let small = term.with(">=", &low).and(term.with("<=", &high));
                self.lines.push(format!("CHECK(bound_numbers, {})", small.show()));
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
            self.lines.push(format!("row[ops * ROW + {at}] = {}", term.show()));
        }
        self.queue(&act, &owner.position, &Term::number(0));
        Ok(())
    }

    fn queue(&mut self, act: &str, position: &Term, at: &Term) {
        self.waiting += 1;
        self.lines.push(format!("DO({act}, {}, {})", position.show(), at.show()));
    }

    /// A cell waits for a new value.
    fn set(&mut self, scope: &Scope<'_>, cell: PlaceId, form: &Form) -> Result<(), Lack> {
        let at = scope.at(cell);
        match scope.store(cell) {
            store @ Store::Value { .. } => {
                let terms = self.row(store, form)?;
                for (term, (way, _)) in terms.iter().zip(store.shape().leaves()) {
                    self.lines.push(format!("kept[{}] = {}", self.kept, term.show()));
                    self.late.push(format!("{at}{way} = kept[{}]", self.kept));
                    self.kept += 1;
                }
            }
            Store::Members { .. } => {
                let clear = self.acts.number(Act::Clear(scope.owner.net, cell));
                self.queue(&clear, &scope.owner.position, &Term::number(0));
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
            let outer = std::mem::take(&mut self.lines);
            self.put(owner, place, &item.form)?;
            let inner = std::mem::replace(&mut self.lines, outer).join("; ");
            self.lines.push(format!("if :: {} -> {inner} :: else fi", item.present.show()));
        }
        Ok(())
    }

    /// The tokens that go; the last first, so that positions stay what they are.
    fn take(&mut self, half: &Half<'_>) {
        let mut takes = half.takes.clone();
        takes.sort_by(|one, other| (one.0, other.1).cmp(&(other.0, one.1)));
        for (place, position) in takes {
            let act = self.acts.number(Act::Take(half.scope.owner.net, place));
            self.queue(&act, &half.scope.owner.position, &index(position));
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
            let sum =
                Term::text(at.clone()).with(if change < 0 { "-" } else { "+" }, &Term::number(change.abs()));
            if change > 0 {
                let limit = kept.most_tokens();
                self.late.push(format!("CHECK(bound_{}, {} <= {limit})", kept.name, sum.show()));
            }
            self.late.push(format!("{at} = {}", sum.show()));
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
            let others = outs.iter().filter(|out| !out.show().starts_with("fresh["));
            let kept = Term::any(others.map(|out| out.equals(agent)));
            if kept.known().is_some() {
                self.queue(&act, agent, &Term::number(0));
            } else {
                self.waiting += 1;
                let free = format!("DO({act}, {}, 0)", agent.show());
                self.lines.push(format!("if :: {} -> {free} :: else fi", kept.not().show()));
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
            let here = made.class.equals(&Term::number(i64::from(net.0)));
            if here.is(false) || table.parameters.len() != made.arguments.len() {
                continue;
            }
            let outer = std::mem::take(&mut self.lines);
            let name = &table.name;
            self.lines.push(format!(
                "i = 0; do :: (i < {0} && {name}[i].alive) -> i++ :: else -> break od",
                table.room
            ));
            self.lines.push(format!("CHECK(bound_{name}, (i < {}))", table.room));
            self.lines.push(format!("fresh[{number}] = {} + i; {name}[i].alive = 1", table.first));
            for ((parameter, shape), argument) in table.parameters.iter().zip(&made.arguments) {
                for (term, (way, _)) in argument.flat(shape)?.iter().zip(shape.leaves()) {
                    self.lines.push(format!("{name}[i].{parameter}{way} = {}", term.show()));
                }
            }
            let owner = Owner::agent(self.world, net, Term::text("i"));
            self.begin(&owner, &made.arguments)?;
            let body = std::mem::replace(&mut self.lines, outer).join("; ");
            options.push((here, body));
        }
        match options.as_slice() {
            [(here, body)] if here.is(true) => self.lines.push(body.clone()),
            _ => {
                let options: Vec<String> =
                    options.iter().map(|(here, body)| format!(":: {} -> {body}", here.show())).collect();
                self.lines.push(format!("if {} :: else -> CHECK(bound_templates, 0) fi", options.join(" ")));
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
                    self.lines.push(format!("{at} = {}", count.show()));
                }
                Initial::Tokens(expr) => {
                    let mut items = scope.form(expr)?.items()?;
                    // A display or a comprehension as a marking: repetitions count.
                    items.kind = Kind::Tokens;
                    match scope.store(place) {
                        Store::Count => {
                            let count = Items { size: None, ..items }.size()?;
                            self.lines.push(format!("{at} = {}", count.show()));
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
                                self.lines.push(format!("{at}{way} = {}", term.show()));
                            }
                        }
                        _ => self.members(owner, place, &form.items()?)?,
                    }
                }
            }
            for check in &scope.checks {
                self.lines.push(format!("CHECK(bound_ranges, {})", check.show()));
            }
        }
        Ok(())
    }
}
