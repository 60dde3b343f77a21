//! Sets and tokens as something to quantify over, to count and to unite.

use std::sync::Arc;

use crate::program::{Expr, Operator, PlaceId, PlaceKind, Program};
use crate::semantics::scope::{Bound, Environment, LIMIT_DEPTH, LIMIT_MEMBERS, Occurrence, Scope, Trouble};
use crate::value::{Bag, Value};

/// A token, or a member of a set.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) value: Value,
    pub(crate) count: u32,
    /// Which of the marking's tokens it is: the way without the copy.
    origin: Option<Vec<u32>>,
    /// The number of the first copy.
    first: u32,
}

impl Token {
    fn plain(value: Value) -> Self {
        Self { value, count: 1, origin: None, first: 0 }
    }

    /// One of the equal copies.
    pub(crate) fn copy(&self, copy: u32) -> Bound {
        let occurrence =
            self.origin.as_ref().map(|way| way.iter().copied().chain([self.first + copy]).collect());
        Bound { value: self.value.clone(), occurrence }
    }
}

/// The way to a copy of a token of an instance.
pub(crate) fn way(place: PlaceId, position: usize, copy: u32) -> Occurrence {
    [place.0, u32::try_from(position).expect("a bag has fewer than 2^32 tokens"), copy].into()
}

/// What a collection is.
#[derive(Clone, Debug)]
pub(crate) enum Collected {
    /// Sorted, without repetition.
    Set(Arc<[Value]>),
    /// Tokens of one or several places; equal ones may stand apart.
    Tokens(Vec<Token>),
}

impl Collected {
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::Set(members) => members.len() as u64,
            Self::Tokens(tokens) => tokens.iter().map(|token| u64::from(token.count)).sum(),
        }
    }

    pub(crate) fn contains(&self, value: &Value) -> bool {
        match self {
            Self::Set(members) => members.binary_search(value).is_ok(),
            Self::Tokens(tokens) => tokens.iter().any(|token| token.value == *value),
        }
    }

    pub(crate) fn into_tokens(self) -> Vec<Token> {
        match self {
            Self::Set(members) => members.iter().cloned().map(Token::plain).collect(),
            Self::Tokens(tokens) => tokens,
        }
    }

    /// The set of what is in it.
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Set(members) => Value::Set(members),
            Self::Tokens(tokens) => Value::set(tokens.into_iter().map(|token| token.value)),
        }
    }

    pub(crate) fn into_bag(self) -> Bag {
        Bag::new(self.into_tokens().into_iter().map(|token| (token.value, token.count)))
    }

    pub(crate) fn equals(self, other: Self) -> bool {
        match (self, other) {
            (Self::Set(one), Self::Set(other)) => one == other,
            (one, other) => one.into_bag() == other.into_bag(),
        }
    }

    /// Union or difference: of sets, or of bags as soon as one side is a bag.
    pub(crate) fn joined(self, operator: Operator, other: Self) -> Result<Self, Trouble> {
        let joined = match (operator, self, other) {
            (Operator::Union, Self::Set(one), Self::Set(other)) => {
                let members: Vec<Value> = one.iter().chain(other.iter()).cloned().collect();
                set(members)
            }
            (Operator::Union, one, other) => {
                let mut tokens = one.into_tokens();
                tokens.extend(other.into_tokens());
                Self::Tokens(tokens)
            }
            (_, Self::Set(one), other) => {
                Self::Set(one.iter().filter(|member| !other.contains(member)).cloned().collect())
            }
            (_, Self::Tokens(mut tokens), other) => {
                for taken in other.into_tokens() {
                    let mut left = taken.count;
                    for token in tokens.iter_mut().filter(|token| token.value == taken.value) {
                        let gone = left.min(token.count);
                        token.count -= gone;
                        left -= gone;
                    }
                }
                tokens.retain(|token| token.count > 0);
                Self::Tokens(tokens)
            }
        };
        if joined.len() > LIMIT_MEMBERS { too_many() } else { Ok(joined) }
    }

    fn len(&self) -> usize {
        match self {
            Self::Set(members) => members.len(),
            Self::Tokens(tokens) => tokens.len(),
        }
    }
}

pub(crate) fn too_many<T>() -> Result<T, Trouble> {
    Trouble::new(format!("a set or bag has more than {LIMIT_MEMBERS} members"))
}

fn set(members: Vec<Value>) -> Collected {
    match Value::set(members) {
        Value::Set(members) => Collected::Set(members),
        _ => unreachable!("a set is a set"),
    }
}

impl Scope<'_> {
    /// A set or tokens.
    pub(crate) fn collected(&self, expr: &Expr, env: &mut Environment) -> Result<Collected, Trouble> {
        match expr {
            Expr::Place(place) => Ok(Collected::Tokens(tokens(self.bag(*place), &[], *place))),
            Expr::Within(of, places) => self.collected_within(expr, of, places, env),
            Expr::Binary(operator @ (Operator::Union | Operator::Minus), left, right) => {
                let left = self.collected(left, env)?;
                left.joined(*operator, self.collected(right, env)?)
            }
            Expr::Comprehension(element, ranges, condition) => {
                let mut found = Vec::new();
                self.comprehend(element, ranges, condition.as_deref(), env, &mut found)?;
                if ranges.iter().any(|(_, domain)| collects_tokens(self.program, domain)) {
                    return Ok(Collected::Tokens(found));
                }
                Ok(set(found.into_iter().map(|token| token.value).collect()))
            }
            Expr::Range(from, to) => {
                let (Value::Int(from), Value::Int(to)) = (self.value(from, env)?, self.value(to, env)?)
                else {
                    unreachable!("the ends of a range are numbers")
                };
                if to.checked_sub(from).is_none_or(|length| length >= LIMIT_MEMBERS as i64) && from <= to {
                    return too_many();
                }
                Ok(Collected::Set((from..=to).map(Value::Int).collect()))
            }
            Expr::If(condition, then, otherwise) => {
                let chosen = if self.truth(condition, env)? { then } else { otherwise };
                self.collected(chosen, env)
            }
            Expr::Call(definition, arguments) => {
                let (scope, mut env, body) = self.called(*definition, arguments, env)?;
                scope.collected(body, &mut env)
            }
            _ => match self.value(expr, env)? {
                Value::Set(members) => Ok(Collected::Set(members)),
                other => unreachable!("the resolver checked that {other:?} is not used as a set"),
            },
        }
    }

    /// Every element that the ranges give, repetitions and all.
    pub(crate) fn comprehend(
        &self,
        element: &Expr,
        ranges: &[(crate::program::VariableId, Expr)],
        condition: Option<&Expr>,
        env: &mut Environment,
        found: &mut Vec<Token>,
    ) -> Result<(), Trouble> {
        let Some(((variable, domain), rest)) = ranges.split_first() else {
            let chosen = condition.map_or(Ok(true), |condition| self.truth(condition, env))?;
            if chosen {
                let occurrence = self.occurrence(element, env);
                let split = occurrence.as_deref().and_then(|way| way.split_last());
                let (first, origin) = split.map_or((0, None), |(first, way)| (*first, Some(way.to_vec())));
                found.push(Token { value: self.value(element, env)?, count: 1, origin, first });
            }
            return if found.len() > LIMIT_MEMBERS { too_many() } else { Ok(()) };
        };
        for token in self.collected(domain, env)?.into_tokens() {
            for copy in 0..token.count {
                self.budget.spend()?;
                env.bind(*variable, token.copy(copy));
                self.comprehend(element, rest, condition, env, found)?;
            }
        }
        Ok(())
    }

    fn collected_within(
        &self,
        expr: &Expr,
        of: &Expr,
        places: &[Option<PlaceId>],
        env: &mut Environment,
    ) -> Result<Collected, Trouble> {
        if let Some(value) = self.cell_within(of, places, env)? {
            return match value {
                Value::Set(members) => Ok(Collected::Set(members)),
                other => unreachable!("the resolver checked that {other:?} is not used as a set"),
            };
        }
        debug_assert!(matches!(expr, Expr::Within(..)));
        let origin = self.occurrence(of, env);
        let Value::Agent(agent) = self.value(of, env)? else {
            unreachable!("only agents have places inside")
        };
        let Some(place) = places.get(agent.net.0 as usize).copied().flatten() else {
            return Ok(Collected::Tokens(Vec::new()));
        };
        let Some(bag) = agent.places.get(place.0 as usize) else { return Ok(Collected::Tokens(Vec::new())) };
        Ok(Collected::Tokens(tokens(bag.tokens(), origin.as_deref().unwrap_or(&[u32::MAX]), place)))
    }

    /// The value of a cell of an agent, if that is what the name means there.
    pub(crate) fn cell_within(
        &self,
        of: &Expr,
        places: &[Option<PlaceId>],
        env: &mut Environment,
    ) -> Result<Option<Value>, Trouble> {
        let Value::Agent(agent) = self.value(of, env)? else {
            unreachable!("only agents have places inside")
        };
        let Some(place) = places.get(agent.net.0 as usize).copied().flatten() else { return Ok(None) };
        let declared = &self.program.nets[agent.net.0 as usize].places[place.0 as usize];
        if declared.kind == PlaceKind::Tokens {
            return Ok(None);
        }
        Ok(agent
            .places
            .get(place.0 as usize)
            .and_then(|bag| bag.tokens().first())
            .map(|(value, _)| value.clone()))
    }
}

/// Whether an expression is a set or tokens by its form.
pub(crate) fn collects(program: &Program, expr: &Expr) -> bool {
    match expr {
        Expr::Place(_) | Expr::Comprehension(..) | Expr::Range(..) | Expr::Set(_) => true,
        Expr::Binary(Operator::Union | Operator::Minus, ..) => true,
        _ => collects_tokens(program, expr),
    }
}

/// Whether an expression is tokens by its form.
pub(crate) fn collects_tokens(program: &Program, expr: &Expr) -> bool {
    match expr {
        Expr::Place(_) => true,
        Expr::Within(_, places) => {
            let declared = program.nets.iter().zip(places.iter());
            let mut found = declared.filter_map(|(net, place)| Some(&net.places[place.as_ref()?.0 as usize]));
            found.any(|place| place.kind == PlaceKind::Tokens)
        }
        Expr::Binary(Operator::Union | Operator::Minus, left, right) => {
            collects_tokens(program, left) || collects_tokens(program, right)
        }
        Expr::If(_, then, otherwise) => collects_tokens(program, then) || collects_tokens(program, otherwise),
        Expr::Comprehension(_, ranges, _) => {
            ranges.iter().any(|(_, domain)| collects_tokens(program, domain))
        }
        Expr::Call(definition, _) => {
            collects_tokens(program, &program.definitions[definition.0 as usize].body.expr)
        }
        _ => false,
    }
}

/// Whether an expression compares tokens as such somewhere.
pub(crate) fn compares_tokens(program: &Program, expr: &Expr, depth: usize) -> bool {
    if let Expr::SameToken(..) = expr {
        return true;
    }
    if let Expr::Call(definition, _) = expr
        && depth < LIMIT_DEPTH
        && compares_tokens(program, &program.definitions[definition.0 as usize].body.expr, depth + 1)
    {
        return true;
    }
    let mut found = false;
    super::parts::each(expr, &mut |part| found = found || compares_tokens(program, part, depth));
    found
}

fn tokens(bag: &[(Value, u32)], before: &[u32], place: PlaceId) -> Vec<Token> {
    let token = |(position, (value, count)): (u32, &(Value, u32))| Token {
        value: value.clone(),
        count: *count,
        origin: Some(before.iter().copied().chain([place.0, position]).collect()),
        first: 0,
    };
    (0..).zip(bag).map(token).collect()
}
