//! What a firing does to the marking of its net. Everything is computed in the marking before the firing.

use std::sync::Arc;

use crate::program::{Binding, Expr, Pattern, PlaceId};
use crate::semantics::evaluate::with;
use crate::semantics::flat::Code;
use crate::semantics::modes::Mode;
use crate::semantics::scope::{Bound, Environment, Scope, Trouble};
use crate::semantics::terms::Chosen;
use crate::value::{Agent, Bag, Value};

/// New contents of places, each place once.
pub(crate) type Changes = Vec<(PlaceId, Bag)>;

/// The agent of a vertical step, after it.
#[derive(Clone, Debug)]
pub(crate) struct Moved<'a> {
    /// The arc that binds its token: among inputs, then reads.
    pub(crate) arc: usize,
    /// The way from the token to it.
    pub(crate) fields: &'a [usize],
    /// With its new marking.
    pub(crate) agent: Arc<Agent>,
}

impl Mode<'_> {
    /// What this mode leads to; `None` if a place would hold more than it takes.
    pub(crate) fn effect(&mut self, moved: Option<&Moved<'_>>) -> Result<Option<Changes>, Trouble> {
        let terms = &self.plan.terms;
        let mut after = None;
        let mut changes = Draft { before: self.scope.instance.places, changes: Vec::new() };
        for taken in &self.taken {
            changes.remove(taken.place, &taken.token, taken.count);
        }
        if let Some(moved) = moved {
            let token = &self.tokens[moved.arc];
            let renewed = replaced(token, moved.fields, &moved.agent);
            let arc = self.arc_at(moved.arc);
            let renamed = after.insert(self.env.clone());
            rebind(&arc.pattern, &renewed, renamed);
            if moved.arc >= self.alternative.inputs.len() {
                changes.remove(arc.place, token, 1);
                changes.add(arc.place, renewed, 1)?;
            }
            for binding in self.alternative.bindings.iter().zip(&terms.bindings) {
                if let (Binding::Let(variable, _), Chosen::Let(code)) = binding {
                    let value = self.scope.moving_at(code, code.root(), &mut self.env, renamed)?;
                    renamed.bind(*variable, Bound::from(value));
                }
            }
        }
        let after = after.as_ref();
        for ((place, _), code) in self.alternative.updates.iter().zip(&terms.updates) {
            changes.replace(*place, Bag::one(self.scope.arriving(code, &mut self.env, after)?));
        }
        for (output, code) in self.alternative.outputs.iter().zip(&terms.outputs) {
            let token = self.scope.arriving(code, &mut self.env, after)?;
            changes.add(output.place, token, output.weight)?;
        }
        let declared = &self.scope.program.nets[self.scope.instance.net.0 as usize].places;
        let crowded = changes.changes.iter().any(|(place, bag)| {
            let before = self.scope.instance.places[place.0 as usize].size();
            let capacity = declared[place.0 as usize].capacity;
            capacity.is_some_and(|capacity| bag.size() > u64::from(capacity) && bag.size() > before)
        });
        Ok((!crowded).then(|| changes.finish()))
    }
}

impl Scope<'_> {
    /// The value of a term after a firing; without an agent that moved nothing is other than before.
    fn arriving(
        &self,
        code: &Code,
        env: &mut Environment,
        after: Option<&Environment>,
    ) -> Result<Value, Trouble> {
        match after {
            Some(after) => self.moving_at(code, code.root(), env, after),
            None => self.worth(code, env),
        }
    }

    /// The value of a term that may hold the agent of this step. The agent arrives with its new marking, as in `after`;
    /// whatever is computed from it is computed from the old one.
    pub(crate) fn moving(
        &self,
        expr: &Expr,
        env: &mut Environment,
        after: &Environment,
    ) -> Result<Value, Trouble> {
        Ok(match expr {
            Expr::Variable(variable) => after.get(*variable).value.clone(),
            Expr::Field(of, field) => match self.moving(of, env, after)? {
                Value::Record(fields) => fields[*field].clone(),
                other => unreachable!("a field of {other:?}"),
            },
            Expr::Record(fields) => {
                let fields = fields.iter().map(|field| self.moving(field, env, after));
                Value::record(fields.collect::<Result<Vec<_>, Trouble>>()?)
            }
            Expr::With(of, replaced) => {
                let replaced =
                    replaced.iter().map(|(field, term)| Ok((*field, self.moving(term, env, after)?)));
                let replaced = replaced.collect::<Result<Vec<_>, Trouble>>()?;
                with(self.moving(of, env, after)?, replaced)
            }
            Expr::If(condition, then, otherwise) => {
                let chosen = if self.truth(condition, env)? { then } else { otherwise };
                self.moving(chosen, env, after)?
            }
            _ => self.value(expr, env)?,
        })
    }
}

/// The token with another agent at the end of a way.
pub(crate) fn replaced(token: &Value, fields: &[usize], agent: &Arc<Agent>) -> Value {
    let Some((first, rest)) = fields.split_first() else { return Value::Agent(Arc::clone(agent)) };
    let Value::Record(old) = token else { unreachable!("a way leads through records") };
    let mut new = old.to_vec();
    new[*first] = replaced(&old[*first], rest, agent);
    Value::record(new)
}

/// The agent at the end of a way.
pub(crate) fn agent_at<'v>(token: &'v Value, fields: &[usize]) -> &'v Arc<Agent> {
    match (token, fields.split_first()) {
        (Value::Agent(agent), None) => agent,
        (Value::Record(inner), Some((first, rest))) => agent_at(&inner[*first], rest),
        _ => unreachable!("the resolver checked the way to the agent"),
    }
}

fn rebind(pattern: &Pattern, value: &Value, env: &mut Environment) {
    match (pattern, value) {
        (Pattern::Bind(variable), _) => env.bind(*variable, Bound::from(value.clone())),
        (Pattern::Record(patterns), Value::Record(fields)) => {
            patterns.iter().zip(fields.iter()).for_each(|(pattern, field)| rebind(pattern, field, env));
        }
        _ => {}
    }
}

/// Changes in the making.
pub(crate) struct Draft<'a> {
    pub(crate) before: &'a [Bag],
    pub(crate) changes: Changes,
}

impl Draft<'_> {
    fn bag(&mut self, place: PlaceId) -> &mut Bag {
        let at = match self.changes.iter().position(|(changed, _)| *changed == place) {
            Some(at) => at,
            None => {
                self.changes.push((place, self.before[place.0 as usize].clone()));
                self.changes.len() - 1
            }
        };
        &mut self.changes[at].1
    }

    pub(crate) fn remove(&mut self, place: PlaceId, token: &Value, count: u32) {
        let bag = self.bag(place);
        *bag = bag.without(token, count).expect("the token was found there");
    }

    pub(crate) fn add(&mut self, place: PlaceId, token: Value, count: u32) -> Result<(), Trouble> {
        let bag = self.bag(place);
        if bag.count(&token).checked_add(count).is_none() {
            return Trouble::new(format!("a place would hold more than {} equal tokens", u32::MAX));
        }
        *bag = bag.with(token, count);
        Ok(())
    }

    fn replace(&mut self, place: PlaceId, bag: Bag) {
        *self.bag(place) = bag;
    }

    /// The places whose contents are other than before.
    pub(crate) fn finish(self) -> Changes {
        let Self { before, mut changes } = self;
        changes.retain(|(place, bag)| *bag != before[place.0 as usize]);
        changes
    }
}
