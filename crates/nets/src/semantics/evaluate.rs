//! The value of an expression in a marking.

use std::sync::Arc;

use crate::program::{DefinitionId, Expr, Operator, VariableId};
use crate::semantics::collect::{collects, collects_tokens, compares_tokens};
use crate::semantics::create;
use crate::semantics::instance::instance_of;
use crate::semantics::scope::{Bound, Environment, Instance, LIMIT_DEPTH, Occurrence, Scope, Trouble};
use crate::syntax::Quantifier;
use crate::value::Value;

pub(crate) const TYPED: &str = "the resolver checked the sorts of every expression";

impl Scope<'_> {
    /// The value of an expression; tokens as a value are the set of them.
    #[expect(clippy::too_many_lines, reason = "one line for each sort of expression")]
    pub(crate) fn value(&self, expr: &Expr, env: &mut Environment) -> Result<Value, Trouble> {
        Ok(match expr {
            Expr::Constant(value) => value.clone(),
            Expr::Variable(variable) => env.get(*variable).value.clone(),
            Expr::Cell(place) => match self.bag(*place).first() {
                Some((value, _)) => value.clone(),
                None => return Trouble::new("a cell is read before it has a value"),
            },
            Expr::Field(of, field) => match self.value(of, env)? {
                Value::Record(fields) => fields[*field].clone(),
                other => unreachable!("{TYPED}: a field of {other:?}"),
            },
            Expr::Record(fields) => self.values(fields, env).map(Value::record)?,
            Expr::Set(members) => self.values(members, env).map(Value::set)?,
            Expr::Not(of) => Value::Bool(!self.truth(of, env)?),
            Expr::Negative(of) => match self.number(of, env)?.checked_neg() {
                Some(number) => Value::Int(number),
                None => return overflow(),
            },
            Expr::Binary(operator, left, right) => self.binary(*operator, left, right, env)?,
            Expr::SameToken(one, other) => Value::Bool(same(env.get(*one), env.get(*other))),
            Expr::Quantified(quantifier, variable, domain, body) => {
                Value::Bool(self.quantified(*quantifier, *variable, domain, body, env)?)
            }
            Expr::If(condition, then, otherwise) => {
                let chosen = if self.truth(condition, env)? { then } else { otherwise };
                self.value(chosen, env)?
            }
            Expr::With(of, replaced) => {
                let replaced = replaced.iter().map(|(field, term)| Ok((*field, self.value(term, env)?)));
                let replaced = replaced.collect::<Result<Vec<_>, Trouble>>()?;
                with(self.value(of, env)?, replaced)
            }
            Expr::New(class, arguments) => {
                let Value::Class(net) = self.value(class, env)? else { unreachable!("{TYPED}: new") };
                let arguments = self.values(arguments, env)?;
                let agent = create::agent(self.program, net, arguments, self.budget, self.depth + 1)?;
                Value::Agent(Arc::new(agent))
            }
            Expr::Size(of) => match i64::try_from(self.collected(of, env)?.size()) {
                Ok(size) => Value::Int(size),
                Err(_) => return overflow(),
            },
            Expr::Count(of, pattern) => {
                let mut sum = 0_i64;
                for token in self.collected(of, env)?.into_tokens() {
                    let count = i64::from(token.count);
                    if self.fits(pattern, &token.value, None, env)? {
                        sum += count;
                    }
                }
                Value::Int(sum)
            }
            Expr::ClassOf(of) => match self.value(of, env)? {
                Value::Agent(agent) => Value::Class(agent.net),
                other => unreachable!("{TYPED}: the class of {other:?}"),
            },
            Expr::Call(definition, arguments) => {
                let (scope, mut env, body) = self.called(*definition, arguments, env)?;
                scope.value(body, &mut env)?
            }
            Expr::Ranged(of, low, high, target) => within_range(self.value(of, env)?, (*low, *high), target)?,
            Expr::Enabled(transition) => match self.enabled {
                Some(enabled) => Value::Bool(enabled(*transition)?),
                None => unreachable!("only claims ask what is enabled"),
            },
            Expr::Within(of, places) => match self.cell_within(of, places, env)? {
                Some(value) => value,
                None if collects_tokens(self.program, expr) => self.collected(expr, env)?.into_value(),
                None => return self.no_cell(of, env),
            },
            Expr::Goal(of, goals) => match self.value(of, env)? {
                Value::Agent(agent) => match goals.get(agent.net.0 as usize).copied().flatten() {
                    Some(goal) => Value::Bool(self.reached(instance_of(&agent), goal)?),
                    None => Value::Bool(false),
                },
                other => unreachable!("{TYPED}: a goal of {other:?}"),
            },
            Expr::Place(_) | Expr::Comprehension(..) | Expr::Range(..) => {
                self.collected(expr, env)?.into_value()
            }
        })
    }

    /// Whether a net instance is in a marking of its goal with this number.
    pub(crate) fn reached(&self, instance: Instance<'_>, goal: usize) -> Result<bool, Trouble> {
        self.budget.spend()?;
        let (_, body) = &self.program.nets[instance.net.0 as usize].goals[goal];
        let scope = Scope { instance, depth: self.depth + 1, ..*self };
        scope.truth(&body.expr, &mut scope.environment(body.variables.len()))
    }

    /// Agents of several templates may stand in one place, and not all of them have the cell that is asked for.
    fn no_cell(&self, of: &Expr, env: &mut Environment) -> Result<Value, Trouble> {
        let Value::Agent(agent) = self.value(of, env)? else {
            unreachable!("{TYPED}: only agents have cells inside")
        };
        let name = &self.program.nets[agent.net.0 as usize].name;
        Trouble::new(format!("an agent of {name} has no such cell; ask for its class first"))
    }

    fn values(&self, exprs: &[Expr], env: &mut Environment) -> Result<Vec<Value>, Trouble> {
        exprs.iter().map(|expr| self.value(expr, env)).collect()
    }

    /// The truth of a condition.
    pub(crate) fn truth(&self, expr: &Expr, env: &mut Environment) -> Result<bool, Trouble> {
        match self.value(expr, env)? {
            Value::Bool(truth) => Ok(truth),
            other => unreachable!("{TYPED}: {other:?} as a condition"),
        }
    }

    fn number(&self, expr: &Expr, env: &mut Environment) -> Result<i64, Trouble> {
        match self.value(expr, env)? {
            Value::Int(number) => Ok(number),
            other => unreachable!("{TYPED}: {other:?} as a number"),
        }
    }

    fn binary(
        &self,
        operator: Operator,
        left: &Expr,
        right: &Expr,
        env: &mut Environment,
    ) -> Result<Value, Trouble> {
        let truth = match operator {
            Operator::Implies => !self.truth(left, env)? || self.truth(right, env)?,
            Operator::Or => self.truth(left, env)? || self.truth(right, env)?,
            Operator::And => self.truth(left, env)? && self.truth(right, env)?,
            Operator::Equal => self.equal(left, right, env)?,
            Operator::NotEqual => !self.equal(left, right, env)?,
            Operator::Less => self.number(left, env)? < self.number(right, env)?,
            Operator::LessEqual => self.number(left, env)? <= self.number(right, env)?,
            Operator::In => {
                let member = self.value(left, env)?;
                self.collected(right, env)?.contains(&member)
            }
            Operator::Union | Operator::Minus => {
                let left = self.collected(left, env)?;
                return Ok(left.joined(operator, self.collected(right, env)?)?.into_value());
            }
            _ => {
                let (left, right) = (self.number(left, env)?, self.number(right, env)?);
                return arithmetic(operator, left, right);
            }
        };
        Ok(Value::Bool(truth))
    }

    fn equal(&self, left: &Expr, right: &Expr, env: &mut Environment) -> Result<bool, Trouble> {
        if collects(self.program, left) || collects(self.program, right) {
            let left = self.collected(left, env)?;
            return Ok(left.equals(self.collected(right, env)?));
        }
        Ok(self.value(left, env)? == self.value(right, env)?)
    }

    /// Over tokens every occurrence counts by itself. Copies of a token can only be told apart by comparing occurrences,
    /// and not more of them than there are variables.
    fn quantified(
        &self,
        quantifier: Quantifier,
        variable: VariableId,
        domain: &Expr,
        body: &Expr,
        env: &mut Environment,
    ) -> Result<bool, Trouble> {
        let decisive = quantifier == Quantifier::Some;
        for token in self.collected(domain, env)?.into_tokens() {
            let copies = if token.count > 1 && compares_tokens(self.program, body, 0) {
                token.count.min(u32::try_from(env.len()).unwrap_or(u32::MAX))
            } else {
                1
            };
            for copy in 0..copies {
                self.budget.spend()?;
                env.bind(variable, token.copy(copy));
                if self.truth(body, env)? == decisive {
                    return Ok(decisive);
                }
            }
        }
        Ok(!decisive)
    }

    /// What a definition is computed from: its scope, its variables and its body.
    pub(crate) fn called(
        &self,
        definition: DefinitionId,
        arguments: &[Expr],
        env: &mut Environment,
    ) -> Result<(Self, Environment, &Expr), Trouble> {
        if self.depth >= LIMIT_DEPTH {
            return too_deep();
        }
        let body = &self.program.definitions[definition.0 as usize].body;
        let mut inner = Environment::room(body.variables.len().max(arguments.len()));
        for (variable, argument) in (0..).map(VariableId).zip(arguments) {
            let occurrence = self.occurrence(argument, env);
            let value = self.value(argument, env)?;
            inner.bind(variable, Bound { value, occurrence });
        }
        Ok((Self { depth: self.depth + 1, ..*self }, inner, &body.expr))
    }

    /// Which token an expression denotes, if it is one: then two of equal contents can be told apart.
    pub(crate) fn occurrence(&self, expr: &Expr, env: &Environment) -> Option<Occurrence> {
        match expr {
            Expr::Variable(variable) => env.get(*variable).occurrence.clone(),
            Expr::Field(of, _) | Expr::With(of, _) => self.occurrence(of, env),
            _ => None,
        }
    }
}

/// The number, if it lies in its range.
pub(crate) fn within_range(value: Value, (low, high): (i64, i64), target: &str) -> Result<Value, Trouble> {
    match value {
        Value::Int(number) if number < low || number > high => {
            Trouble::new(format!("{target} would be {number}, outside {low}..{high}"))
        }
        value => Ok(value),
    }
}

pub(crate) fn too_deep<T>() -> Result<T, Trouble> {
    Trouble::new(format!("definitions use each other more than {LIMIT_DEPTH} levels deep"))
}

/// Whether two variables hold the same token. Values that are no tokens are the same if they are equal.
pub(crate) fn same(one: &Bound, other: &Bound) -> bool {
    match (&one.occurrence, &other.occurrence) {
        (Some(one), Some(other)) => one == other,
        _ => one.value == other.value,
    }
}

pub(crate) fn overflow<T>() -> Result<T, Trouble> {
    Trouble::new("a number does not fit 64 bits")
}

pub(crate) fn arithmetic(operator: Operator, left: i64, right: i64) -> Result<Value, Trouble> {
    if right == 0 && matches!(operator, Operator::Divide | Operator::Modulo) {
        return Trouble::new(format!("{left} is divided by zero"));
    }
    let result = match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide => left.checked_div(right),
        Operator::Modulo => left.checked_rem_euclid(right),
        _ => unreachable!("all other operators are not arithmetic"),
    };
    result.map_or_else(overflow, |number| Ok(Value::Int(number)))
}

/// A record with some fields replaced.
pub(crate) fn with(record: Value, replaced: Vec<(usize, Value)>) -> Value {
    let Value::Record(fields) = record else { unreachable!("{TYPED}: with") };
    let mut fields = fields.to_vec();
    for (field, value) in replaced {
        fields[field] = value;
    }
    Value::record(fields)
}
