//! The modes of an alternative: every way to match its arcs, to receive, to pick, so that its guards hold.

use crate::program::{Alternative, Binding, Input, Pattern, PlaceId};
use crate::semantics::collect::way;
use crate::semantics::plan::Plan;
use crate::semantics::scope::{Bound, Environment, Occurrence, Scope, Trouble};
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
        let Some(arc) = alternative.inputs.iter().chain(&alternative.reads).nth(at) else {
            return if self.inhibited()? { Ok(()) } else { visit(self) };
        };
        for (position, (token, count)) in self.scope.bag(arc.place).iter().enumerate() {
            self.scope.budget.spend()?;
            let gone = self.gone(arc.place, token);
            if count.saturating_sub(gone) < arc.weight {
                continue;
            }
            let occurrence = way(arc.place, position, gone);
            if !self.scope.fits(&arc.pattern, token, Some(&occurrence), &mut self.env)? {
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
        for arc in &self.alternative.inhibitors {
            for (token, count) in self.scope.bag(arc.place) {
                if *count >= arc.weight && self.scope.fits(&arc.pattern, token, None, &mut self.env)? {
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
        match self.alternative.bindings.get(at) {
            None => self.settled(visit),
            Some(Binding::Let(variable, value)) => {
                let occurrence = self.scope.occurrence(value, &self.env);
                let value = self.scope.value(value, &mut self.env)?;
                self.env.bind(*variable, Bound { value, occurrence });
                self.guarded(next, &mut |mode| mode.binding(at + 1, next, visit))
            }
            Some(Binding::Pick(variable, domain, condition)) => {
                let mut members = self.scope.collected(domain, &mut self.env)?.into_tokens();
                members.sort_by(|one, other| one.value.cmp(&other.value));
                members.dedup_by(|one, other| one.value == other.value);
                for member in members {
                    self.scope.budget.spend()?;
                    self.env.bind(*variable, member.copy(0));
                    let chosen = match condition {
                        Some(condition) => self.scope.truth(condition, &mut self.env)?,
                        None => true,
                    };
                    if chosen {
                        self.guarded(next, &mut |mode| mode.binding(at + 1, next, visit))?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Goes on unless a guard that can be asked now is false.
    fn guarded(&mut self, moment: usize, go_on: &mut Visit<'_, 'a>) -> Result<(), Trouble> {
        let doubts = self.doubts.len();
        for &guard in &self.plan.guards[moment] {
            match self.scope.truth(&self.alternative.guards[guard], &mut self.env) {
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
            self.scope.truth(&self.alternative.guards[doubt], &mut self.env)?;
        }
        visit(self)
    }

    /// Binds what is received; `false` if it does not fit.
    pub(crate) fn receive(&mut self, patterns: &[Pattern], values: &[Value]) -> Result<bool, Trouble> {
        for (pattern, value) in patterns.iter().zip(values) {
            if !self.scope.fits(pattern, value, None, &mut self.env)? {
                return Ok(false);
            }
        }
        Ok(patterns.len() == values.len())
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
