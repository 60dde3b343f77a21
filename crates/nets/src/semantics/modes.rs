//! The modes of an alternative: every way to match its arcs, to receive, to pick, so that its guards hold.

use crate::program::{Alternative, Binding, Expr, Input, Pattern, PlaceId};
use crate::semantics::collect::way;
use crate::semantics::flat::{Code, Tokens};
use crate::semantics::plan::Plan;
use crate::semantics::scope::{Bound, Environment, Occurrence, Scope, Trouble};
use crate::semantics::terms::Chosen;
use crate::value::Value;

/// A token that is consumed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Taken {
    pub(crate) place: PlaceId,
    pub(crate) token: Value,
    pub(crate) count: u32,
}

/// A mode in the making.
pub(crate) struct Mode<'a> {
    pub(crate) scope: Scope<'a>,
    pub(crate) alternative: &'a Alternative,
    pub(crate) plan: &'a Plan,
    pub(crate) env: Environment,
    pub(crate) taken: Vec<Taken>,
    /// The tokens of inputs, then of reads.
    pub(crate) tokens: Vec<Value>,
    /// Guards that had no value when they were first asked. They matter only if no other guard is false.
    doubts: Vec<usize>,
}

/// What is done with a mode.
pub(crate) type Visit<'v, 'a> = dyn FnMut(&mut Mode<'a>) -> Result<(), Trouble> + 'v;

impl<'a> Mode<'a> {
    pub(crate) fn new(scope: Scope<'a>, alternative: &'a Alternative, plan: &'a Plan) -> Self {
        Self {
            scope,
            alternative,
            plan,
            env: scope.environment(alternative.variables.len()),
            taken: Vec::new(),
            tokens: Vec::new(),
            doubts: Vec::new(),
        }
    }

    /// Every way to find tokens for the arcs, past inhibitors.
    pub(crate) fn match_arcs(&mut self, visit: &mut Visit<'_, 'a>) -> Result<(), Trouble> {
        self.guarded(0, &mut |mode| mode.arc(0, visit))
    }

    fn arc(&mut self, at: usize, visit: &mut Visit<'_, 'a>) -> Result<(), Trouble> {
        let alternative = self.alternative;
        let inputs = alternative.inputs.len();
        if at == inputs + alternative.reads.len() {
            return if self.inhibited()? { Ok(()) } else { visit(self) };
        }
        let (arc, shape) = (self.arc_at(at), &self.plan.terms.arcs[at]);
        for (position, (token, count)) in self.scope.bag(arc.place).iter().enumerate() {
            self.scope.budget.spend()?;
            let gone = self.gone(arc.place, token);
            if count.saturating_sub(gone) < arc.weight {
                continue;
            }
            let occurrence = self.plan.compares.then(|| way(arc.place, position, gone));
            if !self.scope.takes(shape, token, occurrence.as_ref(), &mut self.env)? {
                continue;
            }
            self.tokens.push(token.clone());
            if at < inputs {
                self.taken.push(Taken { place: arc.place, token: token.clone(), count: arc.weight });
            }
            self.guarded(at + 1, &mut |mode| mode.arc(at + 1, visit))?;
            if at < inputs {
                self.taken.pop();
            }
            self.tokens.pop();
        }
        Ok(())
    }

    /// How many of a token are consumed already.
    fn gone(&self, place: PlaceId, token: &Value) -> u32 {
        let same = self.taken.iter().filter(|taken| taken.place == place && taken.token == *token);
        same.map(|taken| taken.count).sum()
    }

    fn inhibited(&mut self) -> Result<bool, Trouble> {
        for (arc, shape) in self.alternative.inhibitors.iter().zip(&self.plan.terms.inhibitors) {
            for (token, count) in self.scope.bag(arc.place) {
                if *count >= arc.weight && self.scope.takes(shape, token, None, &mut self.env)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Goes on after what was received, if anything, is bound: picks, lets and the remaining guards.
    pub(crate) fn finish(&mut self, visit: &mut Visit<'_, 'a>) -> Result<(), Trouble> {
        let moment = self.alternative.inputs.len() + self.alternative.reads.len() + 1;
        self.guarded(moment, &mut |mode| mode.binding(0, moment, visit))
    }

    fn binding(&mut self, at: usize, moment: usize, visit: &mut Visit<'_, 'a>) -> Result<(), Trouble> {
        let next = moment + 1;
        let plan = self.plan;
        match (self.alternative.bindings.get(at), plan.terms.bindings.get(at)) {
            (Some(Binding::Let(variable, value)), Some(Chosen::Let(code))) => {
                let occurrence = if plan.compares { self.scope.occurrence(value, &self.env) } else { None };
                let value = self.scope.worth(code, &mut self.env)?;
                self.env.bind(*variable, Bound { value, occurrence });
                self.guarded(next, &mut |mode| mode.binding(at + 1, next, visit))
            }
            (Some(Binding::Pick(variable, domain, _)), Some(Chosen::Pick(tokens, condition))) => {
                for member in self.members(domain, tokens.as_ref())? {
                    self.scope.budget.spend()?;
                    self.env.bind(*variable, member);
                    let chosen = match condition {
                        Some(condition) => self.scope.test(condition, &mut self.env)?,
                        None => true,
                    };
                    if chosen {
                        self.guarded(next, &mut |mode| mode.binding(at + 1, next, visit))?;
                    }
                }
                Ok(())
            }
            _ => self.settled(visit),
        }
    }

    /// What may be picked, each value once, in order.
    fn members(&mut self, domain: &Expr, tokens: Option<&(Code, Tokens)>) -> Result<Vec<Bound>, Trouble> {
        let mut members: Vec<Bound> = Vec::new();
        match tokens.filter(|_| !self.plan.compares) {
            Some((code, tokens)) => self.scope.each(code, tokens, &mut self.env, &mut |_, value, _, _| {
                members.push(Bound::from(value.clone()));
                Ok(true)
            })?,
            None => {
                let tokens = self.scope.collected(domain, &mut self.env)?.into_tokens();
                members.extend(tokens.iter().map(|token| token.copy(0)));
            }
        }
        members.sort_by(|one, other| one.value.cmp(&other.value));
        members.dedup_by(|one, other| one.value == other.value);
        Ok(members)
    }

    /// Goes on unless a guard that can be asked now is false.
    fn guarded(&mut self, moment: usize, go_on: &mut Visit<'_, 'a>) -> Result<(), Trouble> {
        let doubts = self.doubts.len();
        for &guard in &self.plan.guards[moment] {
            match self.scope.test(&self.plan.terms.guards[guard], &mut self.env) {
                Ok(true) => {}
                Ok(false) => {
                    self.doubts.truncate(doubts);
                    return Ok(());
                }
                Err(_) => self.doubts.push(guard),
            }
        }
        let result = go_on(self);
        self.doubts.truncate(doubts);
        result
    }

    /// No guard is false; a guard without a value is a fault of the model.
    fn settled(&mut self, visit: &mut Visit<'_, 'a>) -> Result<(), Trouble> {
        if let Some(&doubt) = self.doubts.first() {
            self.scope.test(&self.plan.terms.guards[doubt], &mut self.env)?;
        }
        visit(self)
    }

    /// Binds what is received; `false` if it does not fit.
    pub(crate) fn receive(&mut self, values: &[Value]) -> Result<bool, Trouble> {
        let shapes = &self.plan.terms.received;
        for (shape, value) in shapes.iter().zip(values) {
            if !self.scope.takes(shape, value, None, &mut self.env)? {
                return Ok(false);
            }
        }
        Ok(shapes.len() == values.len())
    }

    /// What is sent.
    pub(crate) fn sent(&mut self) -> Result<Box<[Value]>, Trouble> {
        self.plan.terms.sent.iter().map(|value| self.scope.worth(value, &mut self.env)).collect()
    }

    /// The value of the channel between agents; `None` towards a host.
    pub(crate) fn channel(&mut self) -> Result<Option<Value>, Trouble> {
        let channel = self.plan.terms.channel.as_ref();
        channel.map(|value| self.scope.worth(value, &mut self.env)).transpose()
    }

    /// The values of the variables, in the order in which they were bound.
    pub(crate) fn binding_values(&self) -> Box<[Value]> {
        self.plan.bound.iter().map(|variable| self.env.get(*variable).value.clone()).collect()
    }

    /// The arc with this number among inputs, then reads.
    pub(crate) fn arc_at(&self, at: usize) -> &'a Input {
        let inputs = self.alternative.inputs.len();
        if at < inputs { &self.alternative.inputs[at] } else { &self.alternative.reads[at - inputs] }
    }
}

impl Scope<'_> {
    /// Whether a value looks like this; binds the variables of the pattern as far as it does.
    pub(crate) fn fits(
        &self,
        pattern: &Pattern,
        value: &Value,
        occurrence: Option<&Occurrence>,
        env: &mut Environment,
    ) -> Result<bool, Trouble> {
        match (pattern, value) {
            (Pattern::Any, _) => Ok(true),
            (Pattern::Bind(variable), _) => {
                env.bind(*variable, Bound { value: value.clone(), occurrence: occurrence.cloned() });
                Ok(true)
            }
            (Pattern::Equal(expr), _) => Ok(self.value(expr, env)? == *value),
            (Pattern::Record(patterns), Value::Record(fields)) => {
                for (pattern, field) in patterns.iter().zip(fields.iter()) {
                    if !self.fits(pattern, field, occurrence, env)? {
                        return Ok(false);
                    }
                }
                Ok(patterns.len() == fields.len())
            }
            (Pattern::Record(_), _) => Ok(false),
        }
    }
}
