//! Agents under each other's names: what a part of a program or of a state says once they have changed places.
//!
//! A name is renamed wherever it stands as a symbol, also as the functor of a structure, because `=..` takes functors for
//! constants. Texts stay: nothing makes a name of one.

use crate::atoms::{Fact, MindTest, Predicate};
use crate::program::{Argument, Atom, Condition, Environment, Expr, Operation, Pattern, Program, Value};
use crate::semantics::mind::{Belief, Event, Instance, Message, Mind, Seat, Source, SourceSet, Trigger};
use crate::semantics::thinker::Act;
use crate::semantics::world::Cells;
use crate::term::{Symbol, Term, TermId, Terms};

/// Who takes whose place.
#[derive(Clone, Debug)]
pub(crate) struct Renaming {
    terms: Terms,
    /// For each agent the one whose place it takes.
    agents: Vec<u32>,
    /// The names that change.
    symbols: Vec<(Symbol, Symbol)>,
}

impl Renaming {
    /// Each first takes the place of its second; the two sides have the same members.
    pub(crate) fn new(program: &Program, changes: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let number = |agent: usize| u32::try_from(agent).expect("a team has few agents");
        let mut agents: Vec<u32> = (0..program.agents.len()).map(number).collect();
        let mut symbols = Vec::new();
        for (from, to) in changes.into_iter().filter(|(from, to)| from != to) {
            agents[from] = number(to);
            symbols.push((program.agents[from].name, program.agents[to].name));
        }
        Self { terms: program.terms.clone(), agents, symbols }
    }

    /// Two change places.
    pub(crate) fn swap(program: &Program, one: usize, two: usize) -> Self {
        Self::new(program, [(one, two), (two, one)])
    }

    /// Whose place an agent takes. Strangers, who come after the members, keep theirs.
    pub(crate) fn agent(&self, agent: usize) -> usize {
        self.agents.get(agent).map_or(agent, |to| *to as usize)
    }

    fn number(&self, agent: u32) -> u32 {
        self.agents.get(agent as usize).copied().unwrap_or(agent)
    }

    pub(crate) fn symbol(&self, symbol: Symbol) -> Symbol {
        self.symbols.iter().find(|(from, _)| *from == symbol).map_or(symbol, |(_, to)| *to)
    }

    pub(crate) fn term(&self, id: TermId) -> TermId {
        let Term::Structure(functor, args) = self.terms.get(id) else { return id };
        let renamed: Vec<TermId> = args.iter().map(|&arg| self.term(arg)).collect();
        let name = self.symbol(*functor);
        if name == *functor && renamed[..] == args[..] {
            return id;
        }
        self.terms.structure(name, &renamed)
    }

    pub(crate) fn terms(&self, all: &[TermId]) -> Vec<TermId> {
        all.iter().map(|&term| self.term(term)).collect()
    }

    pub(crate) fn value(&self, value: Value) -> Value {
        match value {
            Value::Symbol(symbol) => Value::Symbol(self.symbol(symbol)),
            Value::None | Value::Bool(_) | Value::Int(_) => value,
        }
    }
}

/// Parts of states.
impl Renaming {
    pub(crate) fn mind(&self, mind: &Mind) -> Mind {
        let belief = |of: &Belief| Belief { term: self.term(of.term), sources: self.sources(of.sources) };
        let event = |event: &Event| Event {
            trigger: Trigger { term: self.term(event.trigger.term), ..event.trigger },
            source: event.source.map(|source| self.source(source)),
            ..*event
        };
        let letter =
            |of: &Message| Message { sender: self.number(of.sender), content: self.term(of.content), ..*of };
        Mind {
            phase: mind.phase,
            beliefs: mind.beliefs.iter().map(belief).collect(),
            events: mind.events.iter().map(event).collect(),
            seats: mind.seats.iter().map(|seat| self.seat(seat)).collect(),
            runnable: mind.runnable.clone(),
            favoured: mind.favoured,
            asleep: mind.asleep.clone(),
            mail: mind.mail.iter().map(letter).collect(),
        }
    }

    fn source(&self, source: Source) -> Source {
        match source {
            Source::Agent(agent) => Source::Agent(self.number(agent)),
            Source::Own | Source::Percept => source,
        }
    }

    fn sources(&self, sources: SourceSet) -> SourceSet {
        let none = SourceSet::only(Source::Own).without(Source::Own);
        sources.iter().fold(none, |all, source| all.with(self.source(source)))
    }

    fn seat(&self, seat: &Seat) -> Seat {
        match seat {
            Seat::Taken(instance) => Seat::Taken(Instance {
                trigger: self.term(instance.trigger),
                called: instance.called.map(|called| self.term(called)),
                binding: instance.binding.iter().map(|value| value.map(|value| self.term(value))).collect(),
                ..*instance
            }),
            Seat::Free | Seat::Abandoned => seat.clone(),
        }
    }

    pub(crate) fn act(&self, act: Act) -> Act {
        Act { agent: self.number(act.agent), action: self.term(act.action), seat: act.seat }
    }

    /// What a variable says of somebody is said of whose place it takes.
    pub(crate) fn cells(&self, environment: &Environment, cells: &[Value]) -> Cells {
        let mut renamed: Cells = cells.iter().map(|value| self.value(*value)).collect();
        for variable in &environment.variables {
            let Some(members) = variable.index.map(|sort| &environment.sorts[sort].1) else { continue };
            for (at, member) in members.iter().enumerate() {
                let place = members.iter().position(|other| *other == self.value(*member));
                let place = place.expect("sorts have all that change places, or none");
                renamed[variable.cell + place] = self.value(cells[variable.cell + at]);
            }
        }
        renamed
    }
}

/// Parts of programs.
impl Renaming {
    pub(crate) fn pattern(&self, pattern: &Pattern) -> Pattern {
        match pattern {
            Pattern::Ground(term) => Pattern::Ground(self.term(*term)),
            Pattern::Variable(_) | Pattern::Any => pattern.clone(),
            Pattern::Structure(functor, args) => {
                Pattern::Structure(self.symbol(*functor), self.patterns(args))
            }
            Pattern::Arithmetic(operator, left, right) => {
                Pattern::Arithmetic(*operator, Box::new(self.pattern(left)), Box::new(self.pattern(right)))
            }
        }
    }

    pub(crate) fn patterns(&self, patterns: &[Pattern]) -> Vec<Pattern> {
        patterns.iter().map(|pattern| self.pattern(pattern)).collect()
    }

    pub(crate) fn atom(&self, atom: &Atom) -> Atom {
        let source = atom.source.as_ref().map(|source| self.pattern(source));
        Atom { pattern: self.pattern(&atom.pattern), source }
    }

    pub(crate) fn condition(&self, condition: &Condition) -> Condition {
        let all = |parts: &[Condition]| parts.iter().map(|part| self.condition(part)).collect();
        match condition {
            Condition::True | Condition::False => condition.clone(),
            Condition::Belief(atom) => Condition::Belief(self.atom(atom)),
            Condition::Not(inner) => Condition::Not(Box::new(self.condition(inner))),
            Condition::And(parts) => Condition::And(all(parts)),
            Condition::Or(parts) => Condition::Or(all(parts)),
            Condition::Relation(operator, left, right) => {
                Condition::Relation(*operator, self.pattern(left), self.pattern(right))
            }
            Condition::Internal(internal, args) => Condition::Internal(*internal, self.arguments(args)),
            Condition::Stub(stub, args) => Condition::Stub(*stub, self.patterns(args)),
        }
    }

    fn arguments(&self, args: &[Argument]) -> Vec<Argument> {
        let argument = |argument: &Argument| match argument {
            Argument::Term(pattern) => Argument::Term(self.pattern(pattern)),
            Argument::Condition(condition) => Argument::Condition(self.condition(condition)),
        };
        args.iter().map(argument).collect()
    }

    pub(crate) fn operation(&self, operation: &Operation) -> Operation {
        match operation {
            Operation::Act(action) => Operation::Act(self.pattern(action)),
            Operation::Achieve(goal) => Operation::Achieve(self.pattern(goal)),
            Operation::AchieveNew(goal) => Operation::AchieveNew(self.pattern(goal)),
            Operation::Test(condition) => Operation::Test(self.condition(condition)),
            Operation::Add(atom) => Operation::Add(self.atom(atom)),
            Operation::Delete(atom) => Operation::Delete(self.atom(atom)),
            Operation::Replace(atom) => Operation::Replace(self.atom(atom)),
            Operation::Send(to, force, content) => {
                Operation::Send(self.pattern(to), *force, self.pattern(content))
            }
            Operation::Broadcast(force, content) => Operation::Broadcast(*force, self.pattern(content)),
            Operation::Internal(internal, args) => Operation::Internal(*internal, self.arguments(args)),
            Operation::Relation(operator, left, right) => {
                Operation::Relation(*operator, self.pattern(left), self.pattern(right))
            }
            Operation::Stub(stub, args) => Operation::Stub(*stub, self.patterns(args)),
            Operation::Branch(condition, otherwise) => {
                Operation::Branch(self.condition(condition), *otherwise)
            }
            Operation::Each { condition, bound, cell, end } => {
                let (condition, bound) = (self.condition(condition), bound.clone());
                Operation::Each { condition, bound, cell: *cell, end: *end }
            }
            Operation::Jump(_) | Operation::Forget(_) => operation.clone(),
        }
    }
}

/// What claims say.
impl Renaming {
    pub(crate) fn predicate(&self, predicate: &Predicate) -> Predicate {
        match predicate {
            Predicate::Mind(agent, test) => Predicate::Mind(self.agent(*agent), self.test(test)),
            Predicate::World(fact) => Predicate::World(self.fact(fact)),
            Predicate::Next(agent, action) => Predicate::Next(self.agent(*agent), self.pattern(action)),
            Predicate::Last(agent, action) => Predicate::Last(self.agent(*agent), self.pattern(action)),
            Predicate::Sends(from, to, content) => {
                Predicate::Sends(self.agent(*from), self.agent(*to), self.pattern(content))
            }
            Predicate::Reads(from, to, content) => {
                Predicate::Reads(self.agent(*from), self.agent(*to), self.pattern(content))
            }
        }
    }

    fn test(&self, test: &MindTest) -> MindTest {
        match test {
            MindTest::Believes(condition) => MindTest::Believes(self.condition(condition)),
            MindTest::Desires(goal) => MindTest::Desires(self.pattern(goal)),
            MindTest::Intends(goal) => MindTest::Intends(self.pattern(goal)),
            MindTest::WillDo(action) => MindTest::WillDo(self.pattern(action)),
            MindTest::Hears(from, content) => MindTest::Hears(self.agent(*from), self.pattern(content)),
        }
    }

    fn fact(&self, fact: &Fact) -> Fact {
        match fact {
            Fact::Percept(pattern) => Fact::Percept(self.pattern(pattern)),
            Fact::Expr(expr) => Fact::Expr(self.expr(expr)),
            Fact::Not(of) => Fact::Not(Box::new(self.fact(of))),
            Fact::And(left, right) => Fact::And(Box::new(self.fact(left)), Box::new(self.fact(right))),
            Fact::Or(left, right) => Fact::Or(Box::new(self.fact(left)), Box::new(self.fact(right))),
        }
    }

    pub(crate) fn expr(&self, expr: &Expr) -> Expr {
        let inner = |of: &Expr| Box::new(self.expr(of));
        match expr {
            Expr::Value(value) => Expr::Value(self.value(*value)),
            Expr::Variable(_) | Expr::Local(_) => expr.clone(),
            Expr::At(variable, index) => Expr::At(*variable, inner(index)),
            Expr::Negative(of) => Expr::Negative(inner(of)),
            Expr::Not(of) => Expr::Not(inner(of)),
            Expr::Absolute(of) => Expr::Absolute(inner(of)),
            Expr::Lesser(left, right) => Expr::Lesser(inner(left), inner(right)),
            Expr::Larger(left, right) => Expr::Larger(inner(left), inner(right)),
            Expr::Binary(operator, left, right) => Expr::Binary(*operator, inner(left), inner(right)),
            Expr::Fold(fold, local, sort, body) => Expr::Fold(*fold, *local, *sort, inner(body)),
        }
    }
}
