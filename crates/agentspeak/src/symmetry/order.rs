//! Where a program puts names in an order, or looks at them: then it matters what an agent is called.
//!
//! Which variables may hold a name is found by putting together all places that share values: a variable and every argument
//! at which it stands are one place (Steensgaard 1996). A place may hold a name if one is ever written there. A structure may hold
//! a name inside, so it counts as one.

use rustc_hash::FxHashMap;

use crate::program::{
    Answer, Argument, Atom, Condition, Domain, Expr, Internal, Mode, Operation, Pattern, Plan, Program, Value,
};
use crate::syntax::{Direction, Fold, RelationOperator, TriggerKind};
use crate::term::{Symbol, Term, TermId};

/// What programs do with the order of names.
#[derive(Debug)]
pub(super) struct Orders {
    obstacle: Option<String>,
}

impl Orders {
    pub(super) fn of(program: &Program) -> Self {
        let mut search = Search::new(program);
        search.environment();
        for agent in &program.agents {
            let name = program.terms.name(agent.name);
            agent.beliefs.iter().chain(&agent.goals).for_each(|&term| search.root(&Pattern::Ground(term)));
            for rule in &agent.rules {
                search.begin(usize::from(rule.n_variables), format!("a rule of {name}"), Vec::new());
                search.root(&rule.head);
                search.condition(&rule.condition);
            }
            for plan in &agent.plans {
                let what = format!("the plan {} of {name}", plan.head_text);
                search.begin(plan.variables.len(), what, told(program.mode, plan));
                search.plan(plan);
            }
        }
        Self { obstacle: search.verdict() }
    }

    /// What would be different if agents had other names.
    pub(super) fn obstacle(&self) -> Option<String> {
        self.obstacle.clone()
    }
}

/// The variables that the event of a plan surely binds: what is believed has no variables, and in Jason events know their
/// sources.
fn told(mode: Mode, plan: &Plan) -> Vec<usize> {
    let mut found = Vec::new();
    if plan.kind == TriggerKind::Belief {
        variables(&plan.trigger.pattern, &mut found);
    }
    if let (Mode::Jason, Some(source)) = (mode, &plan.trigger.source) {
        variables(source, &mut found);
    }
    found
}

fn variables(pattern: &Pattern, found: &mut Vec<usize>) {
    match pattern {
        Pattern::Variable(variable) => found.push(usize::from(variable.0)),
        Pattern::Structure(_, args) => args.iter().for_each(|arg| variables(arg, found)),
        Pattern::Ground(_) | Pattern::Any | Pattern::Arithmetic(..) => {}
    }
}

/// A number of a place that may hold a name.
type Place = usize;

/// What would be an obstacle if a name stood there.
struct Suspicion {
    /// Each of them must be free of names.
    places: Vec<Place>,
    reason: String,
}

struct Search<'p> {
    program: &'p Program,
    /// Places that hold the same point to each other.
    same: Vec<Place>,
    names: Vec<bool>,
    arguments: FxHashMap<(Symbol, usize, usize), Place>,
    /// Where the variables of the present plan or rule begin.
    first: Place,
    /// What is looked at.
    what: String,
    /// Variables that are bound from the start.
    bound: Vec<usize>,
    suspicions: Vec<Suspicion>,
    certain: Option<String>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program) -> Self {
        Self {
            program,
            same: Vec::new(),
            names: Vec::new(),
            arguments: FxHashMap::default(),
            first: 0,
            what: String::new(),
            bound: Vec::new(),
            suspicions: Vec::new(),
            certain: None,
        }
    }

    fn verdict(mut self) -> Option<String> {
        if self.certain.is_some() {
            return self.certain;
        }
        let suspicions = std::mem::take(&mut self.suspicions);
        let founded = suspicions.into_iter().find(|one| one.places.iter().any(|&place| self.is_name(place)));
        founded.map(|one| one.reason)
    }

    fn begin(&mut self, variables: usize, what: String, bound: Vec<usize>) {
        self.first = self.same.len();
        for _ in 0..variables {
            self.place();
        }
        self.what = what;
        self.bound = bound;
    }

    fn place(&mut self) -> Place {
        self.same.push(self.same.len());
        self.names.push(false);
        self.same.len() - 1
    }

    fn head(&self, mut place: Place) -> Place {
        while self.same[place] != place {
            place = self.same[place];
        }
        place
    }

    fn join(&mut self, one: Place, two: Place) {
        let (one, two) = (self.head(one), self.head(two));
        self.names[two] |= self.names[one];
        self.same[one] = two;
    }

    fn mark(&mut self, place: Place) {
        let head = self.head(place);
        self.names[head] = true;
    }

    fn is_name(&self, place: Place) -> bool {
        self.names[self.head(place)]
    }

    fn argument(&mut self, functor: Symbol, arity: usize, at: usize) -> Place {
        if let Some(&place) = self.arguments.get(&(functor, arity, at)) {
            return place;
        }
        let place = self.place();
        self.arguments.insert((functor, arity, at), place);
        place
    }

    /// The items of all lists.
    fn items(&mut self) -> Place {
        let dot = self.program.terms.symbol(".");
        self.argument(dot, 2, 0)
    }

    /// A term stands at a place.
    fn put(&mut self, pattern: &Pattern, place: Place) {
        match pattern {
            Pattern::Ground(term) => self.put_term(*term, place),
            Pattern::Variable(variable) => self.join(self.first + usize::from(variable.0), place),
            Pattern::Structure(functor, args) => {
                self.mark(place);
                for (at, arg) in args.iter().enumerate() {
                    let place = self.argument(*functor, args.len(), at);
                    self.put(arg, place);
                }
            }
            Pattern::Any | Pattern::Arithmetic(..) => {}
        }
    }

    fn put_term(&mut self, term: TermId, place: Place) {
        let Term::Structure(functor, args) = self.program.terms.get(term) else { return };
        if !args.is_empty() || self.is_agent(*functor) {
            self.mark(place);
        }
        for (at, &arg) in args.iter().enumerate() {
            let place = self.argument(*functor, args.len(), at);
            self.put_term(arg, place);
        }
    }

    fn is_agent(&self, symbol: Symbol) -> bool {
        self.program.agents.iter().any(|agent| agent.name == symbol)
    }

    /// A belief, goal, action or message: what stands inside, whatever it is itself.
    fn root(&mut self, pattern: &Pattern) {
        let place = self.place();
        self.mark(place);
        self.put(pattern, place);
    }

    /// The place of a term, if it may hold a name at all.
    fn place_of(&mut self, pattern: &Pattern) -> Option<Place> {
        match pattern {
            Pattern::Arithmetic(..) => None,
            _ => {
                let place = self.place();
                self.put(pattern, place);
                Some(place)
            }
        }
    }

    fn plan(&mut self, plan: &Plan) {
        self.atom(&plan.trigger);
        self.condition(&plan.context);
        for instruction in &plan.body {
            self.operation(&instruction.operation);
        }
    }

    fn atom(&mut self, atom: &Atom) {
        self.root(&atom.pattern);
        if let Some(source) = &atom.source {
            self.root(source);
        }
    }

    fn operation(&mut self, operation: &Operation) {
        match operation {
            Operation::Act(term)
            | Operation::Achieve(term)
            | Operation::AchieveNew(term)
            | Operation::Broadcast(_, term) => self.root(term),
            Operation::Test(condition)
            | Operation::Branch(condition, _)
            | Operation::Each { condition, .. } => self.condition(condition),
            Operation::Add(atom) | Operation::Delete(atom) | Operation::Replace(atom) => self.atom(atom),
            Operation::Send(to, _, content) => {
                self.root(to);
                self.root(content);
            }
            Operation::Internal(internal, args) => self.internal(*internal, args),
            Operation::Relation(operator, left, right) => self.relation(*operator, left, right),
            Operation::Stub(stub, args) => self.stub(*stub, args),
            Operation::Jump(_) | Operation::Forget(_) => {}
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::True | Condition::False => {}
            Condition::Belief(atom) => {
                self.atom(atom);
                self.sources(atom);
            }
            Condition::Not(inner) => self.condition(inner),
            Condition::And(all) | Condition::Or(all) => all.iter().for_each(|part| self.condition(part)),
            Condition::Relation(operator, left, right) => self.relation(*operator, left, right),
            Condition::Internal(internal, args) => self.internal(*internal, args),
            Condition::Stub(stub, args) => self.stub(*stub, args),
        }
    }

    /// A query with a source goes through the sources of each belief in the order of declaration.
    fn sources(&mut self, atom: &Atom) {
        let fixed = match &atom.source {
            None | Some(Pattern::Ground(_) | Pattern::Any) => true,
            Some(Pattern::Variable(variable)) => self.bound.contains(&usize::from(variable.0)),
            Some(Pattern::Structure(..) | Pattern::Arithmetic(..)) => false,
        };
        if !fixed {
            self.blame("takes sources in the order in which they are declared");
        }
    }

    fn blame(&mut self, how: &str) {
        let reason = format!("{} {how}", self.what);
        self.certain.get_or_insert(reason);
    }

    fn suspect(&mut self, places: Vec<Place>, how: &str) {
        let reason = format!("{} {how}", self.what);
        self.suspicions.push(Suspicion { places, reason });
    }

    fn relation(&mut self, operator: RelationOperator, left: &Pattern, right: &Pattern) {
        match operator {
            RelationOperator::Equal | RelationOperator::Different => {}
            RelationOperator::Unify => {
                let place = self.place();
                self.put(left, place);
                self.put(right, place);
            }
            // Whatever is taken apart may turn up anywhere.
            RelationOperator::Decompose => self.blame("takes terms apart (=..)"),
            RelationOperator::Less
            | RelationOperator::LessEqual
            | RelationOperator::Greater
            | RelationOperator::GreaterEqual => {
                // Numbers come before names, whatever the names.
                if !self.is_number(left) && !self.is_number(right) {
                    let places = [left, right].iter().filter_map(|side| self.place_of(side)).collect();
                    self.suspect(places, "puts names in an order");
                }
            }
        }
    }

    fn is_number(&self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Arithmetic(..) => true,
            Pattern::Ground(term) => matches!(self.program.terms.get(*term), Term::Int(_) | Term::Real(_)),
            Pattern::Variable(_) | Pattern::Any | Pattern::Structure(..) => false,
        }
    }

    fn stub(&mut self, stub: usize, args: &[Pattern]) {
        let stub = &self.program.stubs[stub];
        let out = stub.params.iter().position(|direction| *direction == Direction::Out);
        let Some(pattern) = out.and_then(|out| args.get(out)) else { return };
        let place = self.place();
        self.put(pattern, place);
        match &stub.answer {
            Answer::Succeeds | Answer::Either => {}
            Answer::OneOf(values) => values.iter().for_each(|&value| self.put_term(value, place)),
            Answer::Value(value) => {
                if self.may_name(value) {
                    self.mark(place);
                }
            }
        }
    }

    fn internal(&mut self, internal: Internal, args: &[Argument]) {
        let mut terms = Vec::new();
        for arg in args {
            match arg {
                Argument::Term(pattern) => terms.push(pattern),
                Argument::Condition(condition) => self.condition(condition),
            }
        }
        let items = self.items();
        match internal {
            Internal::Compare(operator) => {
                if let [left, right] = terms[..] {
                    self.relation(operator, left, right);
                }
            }
            // They look at what kind of term it is, or show it, or compute a number.
            Internal::Print
            | Internal::Wait
            | Internal::Fail
            | Internal::Compute(_)
            | Internal::Count
            | Internal::Length
            | Internal::Empty
            | Internal::Ground
            | Internal::IsNumber
            | Internal::IsAtom
            | Internal::IsList
            | Internal::IsText
            | Internal::IsStructure
            | Internal::DropAllDesires
            | Internal::DropAllIntentions => {}
            Internal::MyName
            | Internal::Desire
            | Internal::Intend
            | Internal::DropDesire
            | Internal::DropIntention
            | Internal::DropEvent
            | Internal::SucceedGoal
            | Internal::FailGoal
            | Internal::Abolish => terms.iter().for_each(|term| self.root(term)),
            Internal::Reverse => terms.iter().for_each(|term| self.root(term)),
            // The first is compared with the items.
            Internal::Remove => terms.iter().skip(1).for_each(|term| self.root(term)),
            // The first is an item, or will be one.
            Internal::FindAll | Internal::SetOf | Internal::Member => {
                if let Some((item, others)) = terms.split_first() {
                    self.put(item, items);
                    others.iter().for_each(|term| self.root(term));
                }
                if internal == Internal::SetOf {
                    self.suspect(vec![items], "sorts names");
                }
            }
            // The last is an item of the list before it.
            Internal::Nth | Internal::Max | Internal::Min => {
                if let [.., list, item] = terms[..] {
                    self.root(list);
                    self.put(item, items);
                }
                if internal != Internal::Nth {
                    self.suspect(vec![items], "puts names in an order");
                }
            }
            Internal::Sort | Internal::Union | Internal::Intersection | Internal::Difference => {
                terms.iter().for_each(|term| self.root(term));
                self.suspect(vec![items], "sorts names");
            }
            // What is no list becomes text; without names there are none in the result, the last argument.
            Internal::Concat => {
                let parts = terms.split_last().map_or(&[][..], |(_, parts)| parts);
                let places = parts.iter().filter_map(|term| self.place_of(term)).collect();
                self.suspect(places, "may make a text of a name (.concat)");
            }
        }
    }

    /// What agents see.
    fn environment(&mut self) {
        for percept in &self.program.environment.percepts {
            for (at, arg) in percept.args.iter().enumerate() {
                let place = self.argument(percept.name, percept.args.len(), at);
                if self.may_name(arg) {
                    self.mark(place);
                }
            }
        }
    }

    /// Whether the value of an expression may be the name of an agent.
    fn may_name(&self, expr: &Expr) -> bool {
        let environment = &self.program.environment;
        let is_name = |value: &Value| matches!(value, Value::Symbol(symbol) if self.is_agent(*symbol));
        match expr {
            Expr::Value(value) => is_name(value),
            Expr::Variable(variable) | Expr::At(variable, _) => {
                let mut domain = &environment.variables[*variable].domain;
                while let Domain::Optional(inner) = domain {
                    domain = inner;
                }
                matches!(domain, Domain::Members(members) if members.iter().any(is_name))
            }
            Expr::Local(_) => true,
            Expr::Fold(Fold::ArgMax | Fold::ArgMin, _, sort, _) => {
                environment.sorts[*sort].1.iter().any(is_name)
            }
            Expr::Negative(_)
            | Expr::Not(_)
            | Expr::Absolute(_)
            | Expr::Lesser(..)
            | Expr::Larger(..)
            | Expr::Binary(..)
            | Expr::Fold(..) => false,
        }
    }
}
