//! The value of an expression as a list of nodes. Values that are there already are looked at where they are; only what is
//! new is made.

use std::sync::Arc;

use crate::program::PlaceId;
use crate::semantics::collect::{too_many, way};
use crate::semantics::evaluate::{TYPED, arithmetic, overflow, same, too_deep, with, within_range};
use crate::semantics::flat::{At, Code, Loop, Node, Part, Shape, Tokens, place_within};
use crate::semantics::scope::{Bound, Environment, LIMIT_DEPTH, LIMIT_MEMBERS, Occurrence, Scope, Trouble};
use crate::value::{Bag, Value};

/// What is done with a token or a member: its value, its count, and which one it is. `false` ends the matter.
type Each<'e> = dyn FnMut(&mut Environment, &Value, u32, &Found<'_>) -> Result<bool, Trouble> + 'e;

/// Where a token was found.
pub(crate) enum Found<'f> {
    /// In this place, at this position among the different tokens; the way to the agent that has the place.
    Token(Option<&'f [u32]>, PlaceId, usize),
    /// In a set.
    Member,
}

impl Found<'_> {
    /// The way to one of the equal copies.
    fn occurrence(&self, copy: u32) -> Option<Occurrence> {
        match self {
            Self::Token(None, place, position) => Some(way(*place, *position, copy)),
            Self::Token(Some(before), place, position) => {
                let rest = way(*place, *position, copy);
                Some(before.iter().chain(rest.iter()).copied().collect())
            }
            Self::Member => None,
        }
    }
}

impl<'a> Scope<'a> {
    /// The truth of a condition.
    pub(crate) fn test(&self, code: &Code, env: &mut Environment) -> Result<bool, Trouble> {
        self.truth_at(code, code.root(), env)
    }

    /// The value of an expression.
    pub(crate) fn worth(&self, code: &Code, env: &mut Environment) -> Result<Value, Trouble> {
        self.value_at(code, code.root(), env)
    }

    /// A value that is there already.
    fn peek<'e>(&self, code: &'e Code, at: At, env: &'e Environment) -> Option<&'e Value>
    where
        'a: 'e,
    {
        match &code.nodes[at] {
            Node::Constant(value) => Some(value),
            Node::Register(variable) => Some(&env.get(*variable).value),
            Node::Cell(place) => self.bag(*place).first().map(|(value, _)| value),
            Node::Field(of, field) => match self.peek(code, *of, env)? {
                Value::Record(fields) => Some(&fields[*field]),
                other => unreachable!("{TYPED}: a field of {other:?}"),
            },
            _ => None,
        }
    }

    fn truth_at(&self, code: &Code, at: At, env: &mut Environment) -> Result<bool, Trouble> {
        Ok(match &code.nodes[at] {
            Node::Not(of) => !self.truth_at(code, *of, env)?,
            Node::And(left, right) => self.truth_at(code, *left, env)? && self.truth_at(code, *right, env)?,
            Node::Or(left, right) => self.truth_at(code, *left, env)? || self.truth_at(code, *right, env)?,
            Node::Implies(left, right) => {
                !self.truth_at(code, *left, env)? || self.truth_at(code, *right, env)?
            }
            Node::Equal(left, right, wanted) => self.equal_at(code, *left, *right, env)? == *wanted,
            Node::Less(left, right) => {
                self.number_at(code, *left, env)? < self.number_at(code, *right, env)?
            }
            Node::LessEqual(left, right) => {
                self.number_at(code, *left, env)? <= self.number_at(code, *right, env)?
            }
            Node::SameToken(one, other) => same(env.get(*one), env.get(*other)),
            Node::In(member, tokens) => {
                let member = self.value_at(code, *member, env)?;
                self.is_among(code, tokens, &member, env)?
            }
            Node::Quantified(quantified) => self.quantified_at(code, quantified, env)?,
            Node::Tree(expr) => self.truth(expr, env)?,
            _ => match self.value_at(code, at, env)? {
                Value::Bool(truth) => truth,
                other => unreachable!("{TYPED}: {other:?} as a condition"),
            },
        })
    }

    fn number_at(&self, code: &Code, at: At, env: &mut Environment) -> Result<i64, Trouble> {
        let number = |value: &Value| match value {
            Value::Int(number) => *number,
            other => unreachable!("{TYPED}: {other:?} as a number"),
        };
        match self.peek(code, at, env) {
            Some(value) => Ok(number(value)),
            None => self.value_at(code, at, env).map(|value| number(&value)),
        }
    }

    fn equal_at(&self, code: &Code, left: At, right: At, env: &mut Environment) -> Result<bool, Trouble> {
        if let (Some(left), Some(right)) = (self.peek(code, left, env), self.peek(code, right, env)) {
            return Ok(left == right);
        }
        let left = self.value_at(code, left, env)?;
        Ok(left == self.value_at(code, right, env)?)
    }

    /// The value of a node.
    fn value_at(&self, code: &Code, at: At, env: &mut Environment) -> Result<Value, Trouble> {
        Ok(match &code.nodes[at] {
            Node::Constant(value) => value.clone(),
            Node::Register(variable) => env.get(*variable).value.clone(),
            Node::Cell(place) => match self.bag(*place).first() {
                Some((value, _)) => value.clone(),
                None => return Trouble::new("a cell is read before it has a value"),
            },
            Node::Field(of, field) => {
                if let Some(value) = self.peek(code, at, env) {
                    return Ok(value.clone());
                }
                field_of(&self.value_at(code, *of, env)?, *field)
            }
            Node::Record(fields) => {
                let fields = fields.iter().map(|field| self.value_at(code, *field, env));
                Value::record(fields.collect::<Result<Vec<_>, Trouble>>()?)
            }
            Node::With(of, replaced) => {
                let replaced =
                    replaced.iter().map(|(field, term)| Ok((*field, self.value_at(code, *term, env)?)));
                let replaced = replaced.collect::<Result<Vec<_>, Trouble>>()?;
                with(self.value_at(code, *of, env)?, replaced)
            }
            Node::Arithmetic(operator, left, right) => {
                let (left, right) = (self.number_at(code, *left, env)?, self.number_at(code, *right, env)?);
                arithmetic(*operator, left, right)?
            }
            Node::Ranged(of, low, high, target) => {
                within_range(self.value_at(code, *of, env)?, (*low, *high), target)?
            }
            Node::If(condition, then, otherwise) => {
                let chosen = if self.truth_at(code, *condition, env)? { *then } else { *otherwise };
                self.value_at(code, chosen, env)?
            }
            Node::ClassOf(of) => match self.value_at(code, *of, env)? {
                Value::Agent(agent) => Value::Class(agent.net),
                other => unreachable!("{TYPED}: the class of {other:?}"),
            },
            Node::Size(tokens) => {
                let mut size = 0_u64;
                self.each(code, tokens, env, &mut |_, _, count, _| {
                    size += u64::from(count);
                    Ok(true)
                })?;
                i64::try_from(size).map_or_else(|_| overflow(), |size| Ok(Value::Int(size)))?
            }
            Node::Count(tokens, shape) => {
                let mut sum = 0_i64;
                self.each(code, tokens, env, &mut |env, value, count, _| {
                    if self.takes(shape, value, None, env)? {
                        sum += i64::from(count);
                    }
                    Ok(true)
                })?;
                Value::Int(sum)
            }
            Node::Tree(expr) => self.value(expr, env)?,
            Node::Not(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Implies(..)
            | Node::Equal(..)
            | Node::Less(..)
            | Node::LessEqual(..)
            | Node::SameToken(..)
            | Node::In(..)
            | Node::Quantified(_) => Value::Bool(self.truth_at(code, at, env)?),
        })
    }

    /// The value of a node that may hold the agent of a vertical step. The agent arrives with its new marking, as in
    /// `after`; whatever is computed from it is computed from the old one.
    pub(crate) fn moving_at(
        &self,
        code: &Code,
        at: At,
        env: &mut Environment,
        after: &Environment,
    ) -> Result<Value, Trouble> {
        Ok(match &code.nodes[at] {
            Node::Register(variable) => after.get(*variable).value.clone(),
            Node::Field(of, field) => field_of(&self.moving_at(code, *of, env, after)?, *field),
            Node::Record(fields) => {
                let fields = fields.iter().map(|field| self.moving_at(code, *field, env, after));
                Value::record(fields.collect::<Result<Vec<_>, Trouble>>()?)
            }
            Node::With(of, replaced) => {
                let replaced = replaced
                    .iter()
                    .map(|(field, term)| Ok((*field, self.moving_at(code, *term, env, after)?)));
                let replaced = replaced.collect::<Result<Vec<_>, Trouble>>()?;
                with(self.moving_at(code, *of, env, after)?, replaced)
            }
            Node::If(condition, then, otherwise) => {
                let chosen = if self.truth_at(code, *condition, env)? { *then } else { *otherwise };
                self.moving_at(code, chosen, env, after)?
            }
            Node::Tree(expr) => self.moving(expr, env, after)?,
            _ => self.value_at(code, at, env)?,
        })
    }

    /// Over tokens every occurrence counts by itself. Copies of a token can only be told apart by comparing occurrences,
    /// and not more of them than there are variables.
    fn quantified_at(&self, code: &Code, quantified: &Loop, env: &mut Environment) -> Result<bool, Trouble> {
        let Loop { decisive, variable, domain, body, compares } = quantified;
        let mut settled = false;
        self.each(code, domain, env, &mut |env, value, count, found| {
            let most = u32::try_from(env.len()).unwrap_or(u32::MAX);
            let copies = if *compares && count > 1 { count.min(most) } else { 1 };
            for copy in 0..copies {
                self.budget.spend()?;
                let occurrence = if *compares { found.occurrence(copy) } else { None };
                env.bind(*variable, Bound { value: value.clone(), occurrence });
                if self.truth_at(code, *body, env)? == *decisive {
                    settled = true;
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        Ok(settled == *decisive)
    }

    fn is_among(
        &self,
        code: &Code,
        tokens: &Tokens,
        member: &Value,
        env: &mut Environment,
    ) -> Result<bool, Trouble> {
        let sorted = |bag: &[(Value, u32)]| bag.binary_search_by(|(token, _)| token.cmp(member)).is_ok();
        let mut is_there = false;
        match (&*tokens.parts, tokens.calls) {
            ([Part::Place(place)], 0) => return Ok(sorted(self.bag(*place))),
            ([Part::Set(set)], 0) => {
                if let Value::Set(members) = self.value_at(code, *set, env)? {
                    return Ok(members.binary_search(member).is_ok());
                }
            }
            _ => {}
        }
        self.each(code, tokens, env, &mut |_, value, _, _| {
            is_there = value == member;
            Ok(!is_there)
        })?;
        Ok(is_there)
    }

    /// Every different token or member, in order.
    pub(crate) fn each(
        &self,
        code: &Code,
        tokens: &Tokens,
        env: &mut Environment,
        visit: &mut Each<'_>,
    ) -> Result<(), Trouble> {
        if tokens.calls > 0 && self.depth + tokens.calls > LIMIT_DEPTH {
            return too_deep();
        }
        if tokens.parts.len() > 1 {
            let entries = |part: &Part| match part {
                Part::Place(place) => self.bag(*place).len(),
                Part::Within(of, places) => {
                    self.bag_within(code, *of, places, env).map_or(0, |(bag, _)| bag.tokens().len())
                }
                Part::Set(_) => 0,
            };
            if tokens.parts.iter().map(entries).sum::<usize>() > LIMIT_MEMBERS {
                return too_many();
            }
        }
        for part in &tokens.parts {
            let goes_on = match part {
                Part::Place(place) => each_token(self.bag(*place), None, *place, env, visit)?,
                Part::Within(of, places) => {
                    let Some((bag, place)) = self.bag_within(code, *of, places, env) else { continue };
                    let origin = origin(code, *of, env);
                    let before = origin.as_deref().unwrap_or(&[u32::MAX]);
                    each_token(bag.tokens(), Some(before), place, env, visit)?
                }
                Part::Set(set) => {
                    let members = match self.value_at(code, *set, env)? {
                        Value::Set(members) => members,
                        other => unreachable!("the resolver checked that {other:?} is not used as a set"),
                    };
                    let mut goes_on = true;
                    for member in members.iter() {
                        goes_on = visit(env, member, 1, &Found::Member)?;
                        if !goes_on {
                            break;
                        }
                    }
                    goes_on
                }
            };
            if !goes_on {
                break;
            }
        }
        Ok(())
    }

    /// The bag that a name means in an agent, and its place there.
    fn bag_within(
        &self,
        code: &Code,
        of: At,
        places: &[Option<PlaceId>],
        env: &Environment,
    ) -> Option<(Bag, PlaceId)> {
        let Some(Value::Agent(agent)) = self.peek(code, of, env) else {
            unreachable!("only agents have places inside")
        };
        let place = place_within(places, agent.net)?;
        Some((agent.places.get(place.0 as usize)?.clone(), place))
    }

    /// Whether a value looks like this; binds the variables of the shape as far as it does.
    pub(crate) fn takes(
        &self,
        shape: &Shape,
        value: &Value,
        occurrence: Option<&Occurrence>,
        env: &mut Environment,
    ) -> Result<bool, Trouble> {
        match (shape, value) {
            (Shape::Any, _) => Ok(true),
            (Shape::Bind(variable), _) => {
                env.bind(*variable, Bound { value: value.clone(), occurrence: occurrence.cloned() });
                Ok(true)
            }
            (Shape::Equal(code), _) => match self.peek(code, code.root(), env) {
                Some(wanted) => Ok(wanted == value),
                None => Ok(self.worth(code, env)? == *value),
            },
            (Shape::Record(shapes), Value::Record(fields)) => {
                for (shape, field) in shapes.iter().zip(fields.iter()) {
                    if !self.takes(shape, field, occurrence, env)? {
                        return Ok(false);
                    }
                }
                Ok(shapes.len() == fields.len())
            }
            (Shape::Record(_), _) => Ok(false),
        }
    }
}

fn field_of(record: &Value, field: usize) -> Value {
    match record {
        Value::Record(fields) => fields[field].clone(),
        other => unreachable!("{TYPED}: a field of {other:?}"),
    }
}

fn each_token(
    bag: &[(Value, u32)],
    before: Option<&[u32]>,
    place: PlaceId,
    env: &mut Environment,
    visit: &mut Each<'_>,
) -> Result<bool, Trouble> {
    for (position, (value, count)) in bag.iter().enumerate() {
        if !visit(env, value, *count, &Found::Token(before, place, position))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Which token a value that is there already comes from.
fn origin(code: &Code, at: At, env: &Environment) -> Option<Occurrence> {
    match &code.nodes[at] {
        Node::Register(variable) => env.get(*variable).occurrence.as_ref().map(Arc::clone),
        Node::Field(of, _) => origin(code, *of, env),
        _ => None,
    }
}
