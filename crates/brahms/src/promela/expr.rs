//! Expressions and conditions under a binding: variables are values, reads are variables of the Promela model, and what
//! is constant is worked out.

use std::cell::RefCell;
use std::collections::BTreeSet;

use motet_machine::{Binary, Expr as Term, Place as Variable};

use crate::program::{
    ActorId, Arithmetic, AttributeId, AttributeKind, Comparison, ConditionNode, EntityId, Expr, Key, KeyId,
    Place, Program, Subject, Value, Var,
};
use crate::promela::cells::{Cell, Cells, Store};
use crate::promela::lack::Lack;
use crate::promela::names::Values;

/// What the whole translation looks at.
#[derive(Clone, Copy)]
pub(crate) struct World<'a> {
    pub(crate) program: &'a Program,
    pub(crate) values: &'a Values,
    pub(crate) cells: &'a Cells,
}

/// What a variable stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bound {
    /// A value.
    One(Value),
    /// All of these: a `collectall` variable.
    Many(Vec<Value>),
    /// Nothing: an argument that is never known.
    Nothing,
    /// The guard does not mention it, so nobody gives it a value.
    Free,
}

/// Which store is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// The actor's beliefs.
    Beliefs,
    /// The facts.
    Facts,
    /// The facts, and the actor's belief where there is no fact.
    Both,
    /// The actor's belief, and the fact where there is no belief: what an object tells.
    Told,
}

/// Where an expression stands.
pub(crate) struct Scope<'a> {
    pub(crate) world: World<'a>,
    pub(crate) actor: ActorId,
    pub(crate) look: Look,
    pub(crate) binding: &'a [Bound],
    /// Arguments of the enclosing composite activities, the nearest first.
    pub(crate) outer: &'a [Vec<Bound>],
    /// What was read so far.
    pub(crate) seen: RefCell<BTreeSet<Cell>>,
}

/// A value as Promela has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Never known.
    Nothing,
    /// A constant.
    Constant(Value),
    /// An expression whose result may be `unknown`.
    Cell(Term),
    /// A whole number, where all the needs hold.
    Number { number: Term, needs: Vec<Term> },
}

impl<'a> Scope<'a> {
    pub(crate) fn new(
        world: World<'a>,
        actor: ActorId,
        look: Look,
        binding: &'a [Bound],
        outer: &'a [Vec<Bound>],
    ) -> Self {
        Self { world, actor, look, binding, outer, seen: RefCell::default() }
    }

    /// What a variable stands for.
    pub(crate) fn bound(&self, var: Var) -> &'a Bound {
        static NOTHING: Bound = Bound::Free;
        match var {
            Var::Own(number) => self.binding.get(usize::from(number)).unwrap_or(&NOTHING),
            Var::Parameter { up, index } => {
                let arguments = self.outer.get(usize::from(up));
                arguments.and_then(|all| all.get(usize::from(index))).unwrap_or(&NOTHING)
            }
        }
    }

    fn variable(&self, var: Var) -> Result<Option<Value>, Lack> {
        match self.bound(var) {
            Bound::One(value) => Ok(Some(*value)),
            Bound::Nothing => Ok(None),
            Bound::Many(_) => Err(Lack::Construct("a `collectall` variable as a single value".to_owned())),
            Bound::Free => Err(Lack::Open("a variable that the guard does not mention".to_owned())),
        }
    }

    /// The entity that something stands for; `None` if it stands for no entity.
    pub(crate) fn entity(&self, subject: Subject) -> Result<Option<EntityId>, Lack> {
        match subject {
            Subject::Entity(entity) => Ok(Some(entity)),
            Subject::Variable(var) => Ok(self.variable(var)?.and_then(|value| match value {
                Value::Entity(entity) => Some(entity),
                _ => None,
            })),
        }
    }

    /// All entities that something stands for.
    pub(crate) fn entities(&self, subject: Subject) -> Result<Vec<EntityId>, Lack> {
        if let Subject::Variable(var) = subject
            && let Bound::Many(values) = self.bound(var)
        {
            let entity = |value: &Value| match value {
                Value::Entity(entity) => Some(*entity),
                _ => None,
            };
            return Ok(values.iter().filter_map(entity).collect());
        }
        Ok(self.entity(subject)?.into_iter().collect())
    }

    /// What a place of one store holds.
    fn stored(&self, store: Store, key: KeyId) -> Form {
        let cell = (store, key);
        match self.world.cells.name(cell) {
            Some(name) => {
                self.seen.borrow_mut().insert(cell);
                Form::Cell(Variable::named(name).into())
            }
            None => self.world.cells.initial(cell).map_or(Form::Nothing, Form::Constant),
        }
    }

    /// What the store holds for a key, the rules about unknown values applied.
    pub(crate) fn key(&self, key: KeyId) -> Result<Form, Lack> {
        let beliefs = Store::Beliefs(self.actor);
        let form = match self.look {
            Look::Beliefs => self.stored(beliefs, key),
            Look::Facts => self.stored(Store::Facts, key),
            Look::Both => self.either(self.stored(Store::Facts, key), || self.stored(beliefs, key))?,
            Look::Told if self.zero(key).is_some() => self.stored(beliefs, key),
            Look::Told => self.either(self.stored(beliefs, key), || self.stored(Store::Facts, key))?,
        };
        let Some(zero) = self.zero(key) else { return Ok(form) };
        self.either(form, || Form::Constant(zero))
    }

    /// With `unknown=zero`: what stands for a value that is not there.
    fn zero(&self, key: KeyId) -> Option<Value> {
        let program = self.world.program;
        if !program.rules.unknown_is_zero {
            return None;
        }
        let Key::Attribute(_, attribute) = program.keys.get(key) else { return None };
        match program.attributes[attribute.index()].kind {
            AttributeKind::Int => Some(Value::Int(0)),
            AttributeKind::Bool => Some(Value::Bool(false)),
            _ => None,
        }
    }

    /// The first, or the second where the first is unknown.
    fn either(&self, first: Form, second: impl FnOnce() -> Form) -> Result<Form, Lack> {
        match first {
            Form::Nothing => Ok(second()),
            Form::Cell(held) => {
                let other = self.cell(&second())?;
                Ok(Form::Cell(if other == self.unknown() {
                    held
                } else {
                    Term::choose(&held.differs(self.unknown()), &held, &other)
                }))
            }
            known => Ok(known),
        }
    }

    fn unknown(&self) -> Term {
        self.world.values.unknown()
    }

    /// A form as an expression whose result may be `unknown`.
    pub(crate) fn cell(&self, form: &Form) -> Result<Term, Lack> {
        Ok(match form {
            Form::Nothing => self.unknown(),
            Form::Constant(value) => self.world.values.word(*value)?,
            Form::Cell(held) => held.clone(),
            Form::Number { number, needs } => {
                Term::choose(&Term::all(needs.iter().cloned()), number, &self.unknown())
            }
        })
    }

    /// What a place holds.
    pub(crate) fn place(&self, place: &Place) -> Result<Form, Lack> {
        match place {
            Place::Fixed(key) => self.key(*key),
            Place::Attribute(of, attribute) => match self.variable(*of)? {
                Some(Value::Entity(entity)) => self.attribute(Key::Attribute(entity, *attribute)),
                _ => Ok(Form::Nothing),
            },
            Place::Entry(of, attribute, index) => {
                let Some(entity) = self.entity(*of)? else { return Ok(Form::Nothing) };
                self.entry(entity, *attribute, index)
            }
        }
    }

    fn attribute(&self, key: Key) -> Result<Form, Lack> {
        self.world.program.keys.find(key).map_or(Ok(Form::Nothing), |key| self.key(key))
    }

    /// An entry of a map; an index that is not constant picks one of all entries.
    fn entry(&self, entity: EntityId, map: AttributeId, index: &Expr) -> Result<Form, Lack> {
        match self.expr(index)? {
            Form::Nothing => Ok(Form::Nothing),
            Form::Constant(value) => self.attribute(Key::Entry(entity, map, value)),
            index => {
                let at = self.cell(&index)?;
                let mut held = self.unknown();
                let entries: Vec<_> = self.world.program.keys.entries(entity, map).collect();
                for (value, key) in entries.into_iter().rev() {
                    let entry = self.cell(&self.key(key)?)?;
                    if entry != self.unknown() {
                        held = Term::choose(&at.equals(self.world.values.word(value)?), &entry, &held);
                    }
                }
                Ok(Form::Cell(held))
            }
        }
    }

    /// The value of an expression.
    pub(crate) fn expr(&self, expr: &Expr) -> Result<Form, Lack> {
        match expr {
            Expr::Value(Value::Double(_)) => Err(Lack::Number),
            Expr::Value(value) => Ok(Form::Constant(*value)),
            Expr::Unknown => Ok(Form::Nothing),
            Expr::Read(place) => self.place(place),
            Expr::Variable(var) => Ok(self.variable(*var)?.map_or(Form::Nothing, Form::Constant)),
            Expr::Negate(inner) => {
                let Some((number, needs)) = self.number(&self.expr(inner)?)? else {
                    return Ok(Form::Nothing);
                };
                Ok(result(number.negative(), needs))
            }
            Expr::Binary(operator, left, right) => {
                self.binary(*operator, &self.expr(left)?, &self.expr(right)?)
            }
        }
    }

    /// A form as a whole number with what it needs; `None` if it is never one.
    pub(crate) fn number(&self, form: &Form) -> Result<Option<(Term, Vec<Term>)>, Lack> {
        Ok(match form {
            Form::Nothing => None,
            Form::Constant(Value::Int(number)) => {
                Some((self.world.values.word(Value::Int(*number))?, Vec::new()))
            }
            Form::Constant(Value::Double(_)) => return Err(Lack::Number),
            Form::Constant(_) => None,
            // Everything that is no number, and unknown, is above all numbers.
            Form::Cell(held) => Some((held.clone(), vec![held.less(self.world.values.names_from())])),
            Form::Number { number, needs } => Some((number.clone(), needs.clone())),
        })
    }

    /// Arithmetic; nothing that is no number has a result.
    pub(crate) fn binary(&self, operator: Arithmetic, left: &Form, right: &Form) -> Result<Form, Lack> {
        let (Some((a, mut needs)), Some((b, more))) = (self.number(left)?, self.number(right)?) else {
            return Ok(Form::Nothing);
        };
        needs.extend(more);
        needs.dedup();
        let computed = match operator {
            Arithmetic::Add => Binary::Add,
            Arithmetic::Sub => Binary::Subtract,
            Arithmetic::Mul => Binary::Multiply,
            Arithmetic::Div if self.world.program.rules.exact_division => return Err(Lack::Number),
            Arithmetic::Div | Arithmetic::WholeDiv => Binary::Divide,
            Arithmetic::Mod => Binary::Remainder,
            Arithmetic::Power => return power(&a, &b, needs),
        };
        if let (Some(a), Some(b)) = (a.known(), b.known()) {
            return Ok(computed
                .apply(a, b)
                .map_or(Form::Nothing, |number| Form::Constant(Value::Int(number))));
        }
        if matches!(computed, Binary::Divide | Binary::Remainder) {
            needs.push(b.differs(0));
        }
        Ok(Form::Number { number: a.with(computed, &b), needs })
    }

    /// Both sides known, and the comparison holds.
    pub(crate) fn compare(&self, left: &Form, operator: Comparison, right: &Form) -> Result<Term, Lack> {
        if *left == Form::Nothing || *right == Form::Nothing {
            return Ok(Term::Truth(false));
        }
        if let (Form::Constant(a), Form::Constant(b)) = (left, right) {
            return Ok(Term::Truth(constants(*a, operator, *b)?));
        }
        let compared = match operator {
            Comparison::Eq => Binary::Equal,
            Comparison::Ne => Binary::NotEqual,
            Comparison::Lt => Binary::Less,
            Comparison::Le => Binary::LessEqual,
            Comparison::Gt => Binary::Greater,
            Comparison::Ge => Binary::GreaterEqual,
        };
        if !matches!(operator, Comparison::Eq | Comparison::Ne) {
            let (Some((a, needs)), Some((b, more))) = (self.number(left)?, self.number(right)?) else {
                return Ok(Term::Truth(false));
            };
            return Ok(Term::all(needs.into_iter().chain(more).chain([a.with(compared, &b)])));
        }
        // Two equal values are both known if one of them is a constant.
        let certain = operator == Comparison::Eq
            && (matches!(left, Form::Constant(_)) || matches!(right, Form::Constant(_)));
        let mut tests = Vec::new();
        for form in [left, right] {
            match form {
                Form::Cell(_) if certain => {}
                Form::Cell(held) => tests.push(held.differs(self.unknown())),
                Form::Number { needs, .. } => tests.extend(needs.iter().cloned()),
                Form::Nothing | Form::Constant(_) => {}
            }
        }
        tests.push(self.bare(left)?.with(compared, &self.bare(right)?));
        Ok(Term::all(tests))
    }

    /// The value of a form where it has one.
    fn bare(&self, form: &Form) -> Result<Term, Lack> {
        match form {
            Form::Number { number, .. } => Ok(number.clone()),
            other => self.cell(other),
        }
    }

    /// A value is there.
    pub(crate) fn is_known(&self, form: &Form) -> Term {
        match form {
            Form::Nothing => Term::Truth(false),
            Form::Constant(_) => Term::Truth(true),
            Form::Cell(held) => held.differs(self.unknown()),
            Form::Number { needs, .. } => Term::all(needs.iter().cloned()),
        }
    }

    /// A pair is stored with this truth.
    pub(crate) fn related(
        &self,
        subject: EntityId,
        relation: AttributeId,
        object: EntityId,
        truth: bool,
    ) -> Result<Term, Lack> {
        let pair = self.attribute(Key::Pair(subject, relation, object))?;
        self.compare(&pair, Comparison::Eq, &Form::Constant(Value::Bool(truth)))
    }

    /// A precondition.
    pub(crate) fn condition(&self, node: &ConditionNode) -> Result<Term, Lack> {
        let sign = |test: Term, negated: bool| if negated { test.not() } else { test };
        match node {
            ConditionNode::Compare { negated, left, operator, right } => {
                Ok(sign(self.compare(&self.expr(left)?, *operator, &self.expr(right)?)?, *negated))
            }
            ConditionNode::Related { negated, subject, relation, object, truth } => {
                let (subject, object) = (self.entity(*subject)?, self.entity(*object)?);
                let (Some(subject), Some(object)) = (subject, object) else {
                    return Ok(Term::Truth(*negated));
                };
                Ok(sign(self.related(subject, *relation, object, *truth)?, *negated))
            }
            ConditionNode::Known { known, place } => Ok(sign(self.is_known(&self.place(place)?), !known)),
            ConditionNode::KnownPairs { known, subject, relation } => {
                let Some(subject) = self.entity(*subject)? else { return Ok(Term::Truth(!known)) };
                let pairs: Vec<_> = self.world.program.keys.pairs(subject, *relation).collect();
                let tests = pairs.into_iter().map(|(_, key)| Ok(self.is_known(&self.key(key)?)));
                Ok(sign(Term::any(tests.collect::<Result<Vec<_>, Lack>>()?), !known))
            }
            ConditionNode::Bind { variable, value } => {
                let held = self.variable(Var::Own(*variable))?.map_or(Form::Nothing, Form::Constant);
                self.compare(&held, Comparison::Eq, &self.expr(value)?)
            }
        }
    }
}

/// A number that is computed; a constant if it is known.
fn result(number: Term, needs: Vec<Term>) -> Form {
    match number.known() {
        Some(known) => Form::Constant(Value::Int(known)),
        None => Form::Number { number, needs },
    }
}

/// Powers with a small constant exponent are products.
fn power(base: &Term, exponent: &Term, needs: Vec<Term>) -> Result<Form, Lack> {
    match exponent.known() {
        Some(times @ 0..=4) => {
            let power = (0..times).fold(Term::from(1), |power, _| power.times(base));
            Ok(Form::Number { number: power, needs })
        }
        _ => Err(Lack::Construct("a power whose exponent is not a constant up to 4".to_owned())),
    }
}

/// Numbers compare as numbers; everything else is only equal or not.
fn constants(a: Value, operator: Comparison, b: Value) -> Result<bool, Lack> {
    if matches!(a, Value::Double(_)) || matches!(b, Value::Double(_)) {
        return Err(Lack::Number);
    }
    let numbers = match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(&b)),
        _ => None,
    };
    Ok(match operator {
        Comparison::Eq => a == b,
        Comparison::Ne => a != b,
        Comparison::Lt => numbers.is_some_and(|order| order.is_lt()),
        Comparison::Le => numbers.is_some_and(|order| order.is_le()),
        Comparison::Gt => numbers.is_some_and(|order| order.is_gt()),
        Comparison::Ge => numbers.is_some_and(|order| order.is_ge()),
    })
}
