//! Expressions of the model as Promela: quantifiers are written out over the arrays (rule t.4, repaired: a condition is an
//! expression, so that it disables an option instead of falling through it).

use motet_machine::{Expr as Term, Place};

use crate::program::{Expr, Operator, Pattern, PlaceId, TransitionId, VariableId};
use crate::promela::form::{Form, Item, Items, Kind, few};
use crate::promela::lack::Lack;
use crate::promela::shape::{Store, code};
use crate::promela::world::World;
use crate::semantics::scope::LIMIT_DEPTH;
use crate::syntax::Quantifier;
use crate::value::{NetId, Value};

/// Conditions with more parts are refused.
const LIMIT_PARTS: usize = 70_000;
/// Longer lists of possible members are refused.
const LIMIT_ITEMS: usize = 4_000;

/// An agent that is made.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) class: Term,
    pub(crate) arguments: Vec<Form>,
}

/// A net instance: the system net, or an agent such as `Truck[0]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) net: NetId,
    entry: Option<Place>,
    /// The position of an agent in the table of its net.
    pub(crate) position: Term,
}

impl Owner {
    /// The system net.
    pub(crate) fn system(world: &World) -> Self {
        Self { net: world.program.system, entry: None, position: Term::from(0) }
    }

    /// The agent at a position of a table.
    pub(crate) fn agent(world: &World, net: NetId, position: Term) -> Self {
        Self { net, entry: Some(world.table(net).at(&position)), position }
    }

    /// The agent with a number, which is of this net.
    pub(crate) fn numbered(world: &World, net: NetId, agent: &Term) -> Self {
        Self::agent(world, net, agent.minus(Term::count(world.table(net).first)))
    }

    /// A variable of the instance.
    pub(crate) fn place(&self, name: &str) -> Place {
        self.entry.as_ref().map_or_else(|| Place::named(name), |entry| entry.field(name))
    }
}

/// Where expressions are translated.
#[derive(Clone)]
pub(crate) struct Scope<'a> {
    pub(crate) world: &'a World,
    pub(crate) owner: Owner,
    pub(crate) variables: Vec<Form>,
    /// Conditions under which the present expression is computed at all.
    assumed: Vec<Term>,
    /// What has to hold, or the model has a fault: numbers inside their ranges.
    pub(crate) checks: Vec<Term>,
    /// Agents that are made.
    pub(crate) made: Vec<Made>,
    /// How many agents other parts of the step make.
    pub(crate) made_before: usize,
    /// Whether the transitions of the system net are enabled; for claims.
    pub(crate) enabled: Option<&'a dyn Fn(TransitionId) -> Term>,
    depth: usize,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(world: &'a World, owner: Owner, variables: usize) -> Self {
        let table = world.table(owner.net);
        let parameter =
            |(name, shape): &(String, crate::promela::shape::Shape)| Form::read(shape, &owner.place(name));
        let mut bound: Vec<Form> = table.parameters.iter().map(parameter).collect();
        bound.resize(variables.max(bound.len()), Form::unit());
        Self {
            world,
            owner,
            variables: bound,
            assumed: Vec::new(),
            checks: Vec::new(),
            made: Vec::new(),
            made_before: 0,
            enabled: None,
            depth: 0,
        }
    }

    /// `Truck[0].factory`
    pub(crate) fn at(&self, place: PlaceId) -> Place {
        self.owner.place(&self.world.kept(self.owner.net, place).name)
    }

    /// The number of its tokens or members.
    pub(crate) fn counter(&self, place: PlaceId) -> Place {
        self.owner.place(&self.world.kept(self.owner.net, place).counter())
    }

    pub(crate) fn store(&self, place: PlaceId) -> &'a Store {
        &self.world.kept(self.owner.net, place).store
    }

    fn bind(&mut self, variable: VariableId, form: Form) {
        let at = variable.0 as usize;
        if self.variables.len() <= at {
            self.variables.resize(at + 1, Form::unit());
        }
        self.variables[at] = form;
    }

    pub(crate) fn constant(&self, value: &Value) -> Result<Form, Lack> {
        Ok(match value {
            Value::Token => Form::unit(),
            Value::Member(sort, member) => Form::Number(self.world.member(*sort, *member)),
            Value::Record(fields) => {
                Form::Record(fields.iter().map(|field| self.constant(field)).collect::<Result<_, Lack>>()?)
            }
            Value::Set(members) => {
                let item = |member| Ok(Item::one(Term::Truth(true), self.constant(member)?));
                let items = members.iter().map(item).collect::<Result<_, Lack>>()?;
                Form::Items(Items::new(items, Kind::Distinct))
            }
            Value::Bool(_) | Value::Int(_) | Value::Class(_) => Form::Number(Term::from(code(value)?)),
            Value::Agent(_) => return Err(Lack::Construct("an agent as a constant".to_owned())),
        })
    }

    /// A truth value or a number.
    pub(crate) fn term(&mut self, expr: &Expr) -> Result<Term, Lack> {
        let term = self.form(expr)?.number()?;
        if term.size(LIMIT_PARTS) > LIMIT_PARTS {
            return Err(Lack::Size("a condition over many tokens".to_owned()));
        }
        Ok(term)
    }

    /// A value.
    pub(crate) fn form(&mut self, expr: &Expr) -> Result<Form, Lack> {
        let number = |term| Ok(Form::Number(term));
        match expr {
            Expr::Constant(value) => self.constant(value),
            Expr::Variable(variable) => Ok(self.variables[variable.0 as usize].clone()),
            Expr::Cell(place) | Expr::Place(place) => Ok(self.content(&self.owner.clone(), *place)),
            Expr::Within(of, places) => self.within(of, places),
            Expr::Goal(of, goals) => number(self.goal(of, goals)?),
            Expr::Field(of, field) => match self.form(of)? {
                Form::Record(mut fields) if *field < fields.len() => Ok(fields.swap_remove(*field)),
                _ => Err(Lack::Construct("a field of something that is no record".to_owned())),
            },
            Expr::Record(fields) => Ok(Form::Record(self.forms(fields)?)),
            Expr::Set(members) => {
                let forms = self.forms(members)?;
                let kind = if forms.len() < 2 { Kind::Distinct } else { Kind::Repeating };
                let items = forms.into_iter().map(|form| Item::one(Term::Truth(true), form)).collect();
                Ok(Form::Items(Items::new(items, kind)))
            }
            Expr::Comprehension(element, ranges, condition) => {
                let items = self.comprehension(element, ranges, condition.as_deref())?;
                Ok(Form::Items(items))
            }
            Expr::Range(from, to) => self.range(from, to),
            Expr::Not(of) => number(self.term(of)?.not()),
            Expr::Negative(of) => number(Term::from(0).minus(&self.term(of)?)),
            Expr::Binary(operator, left, right) => self.binary(*operator, left, right),
            Expr::SameToken(one, other) => {
                let (one, other) = (&self.variables[one.0 as usize], &self.variables[other.0 as usize]);
                // An agent is in one token only.
                match (one.agents().first(), other.agents().first()) {
                    (Some(one), Some(other)) => number(one.equals(other)),
                    _ => number(one.equals(other)?),
                }
            }
            Expr::Quantified(quantifier, variable, domain, body) => {
                number(self.quantified(*quantifier, *variable, domain, body)?)
            }
            Expr::If(condition, then, otherwise) => {
                let condition = self.term(condition)?;
                let then = self.assuming(&condition, |scope| scope.form(then))?;
                let otherwise = self.assuming(&condition.not(), |scope| scope.form(otherwise))?;
                Form::choose(&condition, then, otherwise)
            }
            Expr::With(of, replaced) => {
                let Form::Record(mut fields) = self.form(of)? else {
                    return Err(Lack::Construct("`with` for something that is no record".to_owned()));
                };
                for (field, term) in replaced {
                    fields[*field] = self.form(term)?;
                }
                Ok(Form::Record(fields))
            }
            Expr::New(class, arguments) => self.new_agent(class, arguments),
            Expr::Size(of) => number(self.form(of)?.items()?.size()?),
            Expr::Count(of, pattern) => number(self.count(of, pattern)?),
            Expr::ClassOf(of) => {
                let agent = self.form(of)?.number()?;
                let tables: Vec<_> = self.world.templates().collect();
                let class = |sum: Term, (net, table): &(NetId, &crate::promela::world::Table)| {
                    Term::choose(&table.has(&agent), &Term::from(i64::from(net.0)), &sum)
                };
                number(tables.iter().fold(Term::from(-1), class))
            }
            Expr::Call(definition, arguments) => self.call(definition.0 as usize, arguments),
            Expr::Ranged(of, low, high, _) => self.ranged(of, *low, *high),
            Expr::Enabled(transition) => match self.enabled {
                Some(enabled) => number(enabled(*transition)),
                None => Err(Lack::Construct("`enabled`".to_owned())),
            },
        }
    }

    pub(crate) fn forms(&mut self, exprs: &[Expr]) -> Result<Vec<Form>, Lack> {
        exprs.iter().map(|expr| self.form(expr)).collect()
    }

    /// The tokens of a place, or the value of a cell.
    pub(crate) fn content(&self, owner: &Owner, place: PlaceId) -> Form {
        let kept = self.world.kept(owner.net, place);
        let at = owner.place(&kept.name);
        let rows = |shape, bound: usize, kind| {
            let size = Term::from(owner.place(&kept.counter()));
            let item = |row: usize| {
                Item::one(size.greater(Term::count(row)), Form::read(shape, &at.at(Term::count(row))))
            };
            Form::Items(Items { items: (0..bound).map(item).collect(), kind, size: Some(size.clone()) })
        };
        match &kept.store {
            Store::Count => {
                let count = Term::from(at);
                let present = count.greater(0);
                let item = Item { present, count: Some(count.clone()), form: Form::unit() };
                Form::Items(Items { items: vec![item], kind: Kind::Tokens, size: Some(count) })
            }
            Store::Rows { shape, bound } => rows(shape, *bound, Kind::Tokens),
            Store::Value { shape } => Form::read(shape, &at),
            Store::Members { shape, bound } => rows(shape, *bound, Kind::Distinct),
        }
    }

    fn within(&mut self, of: &Expr, places: &[Option<PlaceId>]) -> Result<Form, Lack> {
        let agent = self.form(of)?.number()?;
        let mut result: Option<Form> = None;
        let templates: Vec<NetId> = self.world.templates().map(|(net, _)| net).collect();
        for net in templates {
            let Some(place) = places.get(net.0 as usize).copied().flatten() else { continue };
            let table = self.world.table(net);
            let owner = Owner::numbered(self.world, net, &agent);
            let inside = self.content(&owner, place);
            let here = table.has(&agent);
            result = Some(match (result, inside) {
                (None, Form::Items(items)) => Form::Items(items.when(&here)),
                (None, value) => Form::choose(&here, value.clone(), value.blank())?,
                (Some(Form::Items(known)), inside) => Form::Items(known.joined(inside.items()?.when(&here))),
                (Some(known), inside) => Form::choose(&here, inside, known)?,
            });
        }
        Ok(result.unwrap_or_else(|| Form::Items(Items::new(Vec::new(), Kind::Tokens))))
    }

    /// Whether an agent has reached its goal of this name; the goals are numbered per net.
    fn goal(&mut self, of: &Expr, goals: &[Option<usize>]) -> Result<Term, Lack> {
        let agent = self.form(of)?.number()?;
        let templates: Vec<NetId> = self.world.templates().map(|(net, _)| net).collect();
        let mut tests = Vec::new();
        for net in templates {
            let Some(goal) = goals.get(net.0 as usize).copied().flatten() else { continue };
            let (_, body) = &self.world.program.nets[net.0 as usize].goals[goal];
            let owner = Owner::numbered(self.world, net, &agent);
            let mut inside = Self::new(self.world, owner, body.variables.len());
            inside.depth = self.depth + 1;
            let reached = inside.term(&body.expr)?;
            if !inside.checks.is_empty() {
                return Err(Lack::Construct("a goal that computes with bounded numbers".to_owned()));
            }
            tests.push(self.world.table(net).has(&agent).and(&reached));
        }
        Ok(Term::any(tests))
    }

    fn range(&mut self, from: &Expr, to: &Expr) -> Result<Form, Lack> {
        let (from, to) = (self.term(from)?, self.term(to)?);
        let (Some(from), Some(to)) = (from.known(), to.known()) else {
            return Err(Lack::Construct("a range whose ends change".to_owned()));
        };
        if to.saturating_sub(from) > i64::try_from(LIMIT_ITEMS).unwrap_or(i64::MAX) {
            return Err(Lack::Size(format!("the range {from}..{to}")));
        }
        let item = |number| Item::one(Term::Truth(true), Form::Number(Term::from(number)));
        Ok(Form::Items(Items::new((from..=to).map(item).collect(), Kind::Distinct)))
    }

    fn comprehension(
        &mut self,
        element: &Expr,
        ranges: &[(VariableId, Expr)],
        condition: Option<&Expr>,
    ) -> Result<Items, Lack> {
        let Some(((variable, domain), rest)) = ranges.split_first() else {
            let present = condition.map_or(Ok(Term::Truth(true)), |condition| self.term(condition))?;
            if present.is(false) {
                return Ok(Items::new(Vec::new(), Kind::Distinct));
            }
            let form = self.assuming(&present, |scope| scope.form(element))?;
            return Ok(Items::new(vec![Item::one(present, form)], Kind::Repeating));
        };
        let domain = self.form(domain)?.items()?;
        let tokens = domain.kind == Kind::Tokens;
        // As tokens the repetitions of what is found count, so the members they come from may not repeat.
        let domain = if tokens { domain } else { domain.distinct()? };
        let mut all = Items::new(Vec::new(), if tokens { Kind::Tokens } else { Kind::Repeating });
        for item in domain.items {
            self.bind(*variable, item.form.clone());
            let inner =
                self.assuming(&item.present.clone(), |scope| scope.comprehension(element, rest, condition))?;
            let mut inner = inner.when(&item.present);
            if let Some(count) = &item.count {
                for one in &mut inner.items {
                    let times = one.count.clone().map_or(count.clone(), |own| own.times(count));
                    one.count = Some(times);
                }
            }
            inner.kind = if tokens { Kind::Tokens } else { inner.kind };
            all = all.joined(inner);
            if all.items.len() > LIMIT_ITEMS {
                return Err(Lack::Size("a set with very many possible members".to_owned()));
            }
        }
        all.size = None;
        Ok(all)
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        variable: VariableId,
        domain: &Expr,
        body: &Expr,
    ) -> Result<Term, Lack> {
        let mut tests = Vec::new();
        let mut length = 0;
        for item in self.form(domain)?.items()?.items {
            self.bind(variable, item.form);
            let body = self.assuming(&item.present.clone(), |scope| scope.term(body))?;
            length += body.size(LIMIT_PARTS);
            if length > LIMIT_PARTS {
                return Err(Lack::Size("a condition over many tokens".to_owned()));
            }
            tests.push(match quantifier {
                Quantifier::Some => item.present.and(&body),
                Quantifier::All => Term::any([item.present.not(), body]),
            });
        }
        Ok(match quantifier {
            Quantifier::Some => Term::any(tests),
            Quantifier::All => Term::all(tests),
        })
    }

    fn count(&mut self, of: &Expr, pattern: &Pattern) -> Result<Term, Lack> {
        let items = self.form(of)?.items()?;
        let items = if items.kind == Kind::Repeating { items.distinct()? } else { items };
        let mut sum = Vec::new();
        for item in items.items {
            let fits = self.fits(pattern, &item.form)?;
            sum.push(Item { present: item.present.and(&fits), ..item }.counted());
        }
        Ok(Term::sum(sum))
    }

    fn call(&mut self, definition: usize, arguments: &[Expr]) -> Result<Form, Lack> {
        if self.depth >= LIMIT_DEPTH {
            return Err(Lack::Construct("definitions that use each other so deep".to_owned()));
        }
        let arguments = self.forms(arguments)?;
        let body = &self.world.program.definitions[definition].body;
        let mut inner = self.clone();
        inner.depth += 1;
        inner.variables = arguments;
        inner.variables.resize(body.variables.len().max(inner.variables.len()), Form::unit());
        let form = inner.form(&body.expr)?;
        self.checks = inner.checks;
        Ok(form)
    }

    fn ranged(&mut self, of: &Expr, low: i64, high: i64) -> Result<Form, Lack> {
        let form = self.form(of)?;
        let Form::Number(number) = &form else { return Ok(form) };
        let inside = number.at_least(low).and(&number.at_most(high));
        if !inside.is(true) {
            let assumed = Term::all(self.assumed.iter().cloned());
            self.checks.push(Term::any([assumed.not(), inside]));
        }
        Ok(form)
    }

    fn new_agent(&mut self, class: &Expr, arguments: &[Expr]) -> Result<Form, Lack> {
        if !Term::all(self.assumed.iter().cloned()).is(true) {
            return Err(Lack::Construct("a new agent under a condition".to_owned()));
        }
        let class = self.term(class)?;
        let arguments = self.forms(arguments)?;
        let number = self.made_before + self.made.len();
        self.made.push(Made { class, arguments });
        Ok(Form::Agent(Place::named("fresh").at(Term::count(number)).into()))
    }

    /// Translates something that is computed only if a condition holds.
    fn assuming<T>(
        &mut self,
        condition: &Term,
        translate: impl FnOnce(&mut Self) -> Result<T, Lack>,
    ) -> Result<T, Lack> {
        self.assumed.push(condition.clone());
        let result = translate(self);
        self.assumed.pop();
        result
    }

    /// Whether a value looks like this; binds the variables of the pattern.
    pub(crate) fn fits(&mut self, pattern: &Pattern, form: &Form) -> Result<Term, Lack> {
        match pattern {
            Pattern::Any => Ok(Term::Truth(true)),
            Pattern::Bind(variable) => {
                self.bind(*variable, form.clone());
                Ok(Term::Truth(true))
            }
            Pattern::Equal(expr) => self.form(expr)?.equals(form),
            Pattern::Record(patterns) => {
                let Form::Record(fields) = form else { return Ok(Term::Truth(false)) };
                let tests = patterns.iter().zip(fields).map(|(pattern, field)| self.fits(pattern, field));
                Ok(Term::all(tests.collect::<Result<Vec<_>, Lack>>()?))
            }
        }
    }

    pub(crate) fn let_be(&mut self, variable: VariableId, form: Form) {
        self.bind(variable, form);
    }

    fn binary(&mut self, operator: Operator, left: &Expr, right: &Expr) -> Result<Form, Lack> {
        let term = match operator {
            Operator::Implies => Term::any([self.term(left)?.not(), self.term(right)?]),
            Operator::Or => Term::any([self.term(left)?, self.term(right)?]),
            Operator::And => self.term(left)?.and(&self.term(right)?),
            Operator::Equal => self.form(left)?.equals(&self.form(right)?)?,
            Operator::NotEqual => self.form(left)?.equals(&self.form(right)?)?.not(),
            Operator::Less => self.term(left)?.less(&self.term(right)?),
            Operator::LessEqual => self.term(left)?.at_most(&self.term(right)?),
            Operator::In => {
                let member = self.form(left)?;
                return self.member(&member, right).map(Form::Number);
            }
            Operator::Add => self.term(left)?.plus(&self.term(right)?),
            Operator::Subtract => self.term(left)?.minus(&self.term(right)?),
            Operator::Multiply => self.term(left)?.times(&self.term(right)?),
            Operator::Divide | Operator::Modulo => self.quotient(operator, left, right)?,
            Operator::Union => return self.union(left, right),
            Operator::Minus => return self.minus(left, right),
        };
        Ok(Form::Number(term))
    }

    fn member(&mut self, member: &Form, of: &Expr) -> Result<Term, Lack> {
        let set = self.form(of)?;
        if let (Form::Number(number), Form::Bits { bits, low, members }) = (member, &set)
            && number.known().is_none()
            && bits.known().is_none()
        {
            let place = number.minus(*low);
            let inside = place.at_least(0).and(&place.less(*members));
            return Ok(inside.and(&bits.shifted_down(place).bit_and(1)));
        }
        set.items()?.has(member)
    }

    fn quotient(&mut self, operator: Operator, left: &Expr, right: &Expr) -> Result<Term, Lack> {
        let (left, right) = (self.term(left)?, self.term(right)?);
        let Some(divisor) = right.known().filter(|divisor| *divisor != 0) else {
            return Err(Lack::Construct("a division by something that may be zero".to_owned()));
        };
        if operator == Operator::Divide {
            return Ok(left.over(right));
        }
        let size = divisor.abs();
        Ok(left.modulo(size).plus(size).modulo(size))
    }

    fn union(&mut self, left: &Expr, right: &Expr) -> Result<Form, Lack> {
        let (left, right) = (self.form(left)?, self.form(right)?);
        if let (Form::Bits { bits, low, members }, Form::Bits { bits: other, low: same, .. }) =
            (&left, &right)
            && low == same
        {
            return Ok(Form::Bits { bits: bits.bit_or(other), low: *low, members: *members });
        }
        Ok(Form::Items(left.items()?.joined(right.items()?)))
    }

    fn minus(&mut self, left: &Expr, right: &Expr) -> Result<Form, Lack> {
        let (left, right) = (self.form(left)?.items()?, self.form(right)?.items()?);
        if left.kind == Kind::Tokens {
            return Err(Lack::Construct("a difference of tokens".to_owned()));
        }
        few(left.items.len(), right.items.len())?;
        let mut kept = left.clone();
        for item in &mut kept.items {
            item.present = item.present.and(&right.has(&item.form)?.not());
        }
        kept.items.retain(|item| !item.present.is(false));
        Ok(Form::Items(Items { size: None, ..kept }))
    }
}
