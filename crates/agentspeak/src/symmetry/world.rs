//! Whether the environment is the same once two agents have changed places.
//!
//! The order of declaration must not count: not where agents are gone through one after the other and the first one decides
//! (`argmax`), not where what is seen of each comes one after the other, and not where one of them may be a fault before another
//! is looked at.

use crate::program::{
    ActionRule, Audience, Domain, Effect, Environment, Expr, Parameter, Percept, Program, StepRule, Value,
};
use crate::symmetry::renaming::Renaming;
use crate::symmetry::steady::Scope;
use crate::syntax::{Fold, WorldOperator};

/// The environment under a change of two agents.
pub(super) struct World<'p> {
    program: &'p Program,
    environment: &'p Environment,
    renaming: &'p Renaming,
    agents: [usize; 2],
}

impl<'p> World<'p> {
    pub(super) fn new(program: &'p Program, renaming: &'p Renaming, agents: [usize; 2]) -> Self {
        Self { program, environment: &program.environment, renaming, agents }
    }

    /// What tells the two apart.
    pub(super) fn obstacle(&self) -> Option<String> {
        let found = self.sorts().or_else(|| self.variables()).or_else(|| self.percepts());
        found.or_else(|| self.rules())
    }

    fn name(&self, agent: usize) -> &str {
        self.program.terms.name(self.program.agents[agent].name)
    }

    fn apart(&self, what: &str) -> String {
        format!("{what} tells {} and {} apart", self.name(self.agents[0]), self.name(self.agents[1]))
    }

    fn member(&self, agent: usize) -> Value {
        Value::Symbol(self.program.agents[agent].name)
    }

    fn among(&self, members: &[Value]) -> [bool; 2] {
        self.agents.map(|agent| members.contains(&self.member(agent)))
    }

    /// Whether one of the two is a member of a sort; then both are.
    fn ranges(&self, sort: usize) -> bool {
        self.among(&self.environment.sorts[sort].1)[0]
    }

    fn sorts(&self) -> Option<String> {
        let odd = |members: &[Value]| {
            let [one, two] = self.among(members);
            one != two
        };
        let sort = self.environment.sorts.iter().find(|(_, members)| odd(members));
        if let Some((name, _)) = sort {
            return Some(self.apart(&format!("the sort {name}")));
        }
        let variable = self.environment.variables.iter().find(|variable| {
            let mut domain = &variable.domain;
            while let Domain::Optional(inner) = domain {
                domain = inner;
            }
            matches!(domain, Domain::Members(members) if odd(members))
        })?;
        Some(self.apart(&format!("what {} can be", variable.name)))
    }

    fn variables(&self) -> Option<String> {
        let initial = &self.environment.initial;
        let renamed = self.renaming.cells(self.environment, initial);
        let at = (0..initial.len()).find(|&at| initial[at] != renamed[at])?;
        let last = self.environment.variables.iter().rfind(|variable| variable.cell <= at)?;
        Some(self.apart(&format!("the first value of {}", last.name)))
    }

    /// What each agent sees, in order, is what the other one sees.
    fn percepts(&self) -> Option<String> {
        let all = &self.environment.percepts;
        let title = |percept: &Percept| format!("the percept {}", self.program.terms.name(percept.name));
        for percept in all {
            if percept.each.is_some_and(|(sort, _)| self.ranges(sort)) {
                return Some(format!("{} is seen in the order in which they are declared", title(percept)));
            }
            let scope = self.seen_from(percept);
            for expr in percept.args.iter().chain(&percept.when) {
                if let Some(how) = self.order(&scope, expr) {
                    return Some(format!("{} {how}", title(percept)));
                }
            }
        }
        for agent in 0..self.program.agents.len() {
            let seen = |agent: usize| {
                all.iter()
                    .filter(move |percept| !matches!(percept.to, Audience::Agent(only) if only != agent))
            };
            let (own, others) = (seen(agent), seen(self.renaming.agent(agent)));
            if own.clone().count() != others.clone().count() {
                return Some(self.apart("what is perceived"));
            }
            if let Some((percept, _)) = own.zip(others).find(|(one, two)| !self.same_percept(one, two)) {
                return Some(self.apart(&title(percept)));
            }
        }
        None
    }

    fn seen_from(&self, percept: &Percept) -> Scope<'p> {
        let mut scope = Scope::new(self.environment);
        if let Audience::Each(local) = percept.to {
            scope = scope.with(local, AGENTS);
        }
        percept.each.map_or(scope.clone(), |(sort, local)| scope.with(local, sort))
    }

    fn same_percept(&self, one: &Percept, two: &Percept) -> bool {
        let scope = self.seen_from(one);
        let same = |(one, two): (&Expr, &Expr)| self.same(&scope, one, two);
        let to = match (one.to, two.to) {
            (Audience::Each(one), Audience::Each(two)) => one == two,
            (Audience::Everyone, Audience::Everyone) | (Audience::Agent(_), Audience::Agent(_)) => true,
            _ => false,
        };
        to && one.each == two.each
            && self.renaming.symbol(one.name) == two.name
            && one.args.len() == two.args.len()
            && one.args.iter().zip(&two.args).all(same)
            && same_option(one.when.as_ref(), two.when.as_ref(), |one, two| self.same(&scope, one, two))
    }

    fn rules(&self) -> Option<String> {
        let plain = Scope::new(self.environment);
        for rule in &self.environment.actions {
            let what = || format!("the action {}", self.program.terms.name(rule.name));
            if let Some(how) = self.order_of_rule(&self.acted(rule), rule.when.as_ref(), &rule.effects) {
                return Some(format!("{} {how}", what()));
            }
        }
        for step in &self.environment.steps {
            if let Some(how) = self.order_of_rule(&plain, step.when.as_ref(), &step.effects) {
                return Some(format!("the step {} {how}", step.name));
            }
        }
        let steps = &self.environment.steps;
        if !matched(steps, steps, |one, two| self.same_step(one, two)) {
            let lonely = |step: &&StepRule| !steps.iter().any(|other| self.same_step(step, other));
            let name = steps.iter().find(lonely).map_or("of the environment", |step| &step.name);
            return Some(self.apart(&format!("the step {name}")));
        }
        for reaction in &self.environment.reactions {
            if let Some(how) = self.order_of_rule(&plain, Some(&reaction.when), &reaction.effects) {
                return Some(format!("a reaction of the environment {how}"));
            }
            // Reactions are tried in order, so each must be its own image.
            if !(self.same(&plain, &reaction.when, &reaction.when)
                && self.same_effects(&plain, &reaction.effects, &reaction.effects))
            {
                return Some(self.apart("a reaction of the environment"));
            }
        }
        (0..self.program.agents.len()).find_map(|agent| self.actions_of(agent))
    }

    /// The rules that an agent's actions may meet, in order, are those of whose place it takes.
    fn actions_of(&self, agent: usize) -> Option<String> {
        let met = |agent: usize| {
            let own = Parameter::Value(self.member(agent));
            self.environment.actions.iter().filter(move |rule| match &rule.by {
                Some(by @ Parameter::Value(_)) => *by == own,
                Some(Parameter::Local(_)) | None => true,
            })
        };
        let (own, others) = (met(agent), met(self.renaming.agent(agent)));
        if own.clone().count() != others.clone().count() {
            return Some(self.apart("who may act"));
        }
        let (rule, _) = own.zip(others).find(|(one, two)| !self.same_action(one, two))?;
        Some(self.apart(&format!("the action {}", self.program.terms.name(rule.name))))
    }

    fn acted(&self, rule: &ActionRule) -> Scope<'p> {
        match rule.by {
            Some(Parameter::Local(local)) => Scope::new(self.environment).with(local, AGENTS),
            _ => Scope::new(self.environment),
        }
    }

    fn same_action(&self, one: &ActionRule, two: &ActionRule) -> bool {
        let scope = self.acted(one);
        let parameter = |one: &Parameter, two: &Parameter| match (one, two) {
            (Parameter::Local(one), Parameter::Local(two)) => one == two,
            (Parameter::Value(one), Parameter::Value(two)) => self.renaming.value(*one) == *two,
            _ => false,
        };
        self.renaming.symbol(one.name) == two.name
            && one.params.len() == two.params.len()
            && one.params.iter().zip(&two.params).all(|(one, two)| parameter(one, two))
            && same_option(one.by.as_ref(), two.by.as_ref(), parameter)
            && same_option(one.when.as_ref(), two.when.as_ref(), |one, two| self.same(&scope, one, two))
            && self.same_effects(&scope, &one.effects, &two.effects)
    }

    /// Whether a step does what another one does; its name is not looked at.
    pub(super) fn same_step(&self, one: &StepRule, two: &StepRule) -> bool {
        let scope = Scope::new(self.environment);
        same_option(one.when.as_ref(), two.when.as_ref(), |one, two| self.same(&scope, one, two))
            && self.same_effects(&scope, &one.effects, &two.effects)
    }

    fn same_effects(&self, scope: &Scope<'_>, one: &[Effect], two: &[Effect]) -> bool {
        one.len() == two.len()
            && one.iter().zip(two).all(|(one, two)| match (one, two) {
                (Effect::Assign(v, i, e), Effect::Assign(w, j, f)) => {
                    let index = same_option(i.as_ref(), j.as_ref(), |i, j| self.same(scope, i, j));
                    v == w && index && self.same(scope, e, f)
                }
                (Effect::AssignAll(v, e), Effect::AssignAll(w, f)) => v == w && self.same(scope, e, f),
                (Effect::If(c, a, b), Effect::If(d, e, f)) => {
                    self.same(scope, c, d) && self.same_effects(scope, a, e) && self.same_effects(scope, b, f)
                }
                // A choice has no order.
                (Effect::Either(a), Effect::Either(b)) => {
                    matched(a, b, |one, two| self.same_effects(scope, one, two))
                }
                (Effect::Chance(a), Effect::Chance(b)) => {
                    matched(a, b, |one, two| one.0 == two.0 && self.same_effects(scope, &one.1, &two.1))
                }
                _ => false,
            })
    }

    /// Whether the image of an expression says the same as another one.
    pub(super) fn same(&self, scope: &Scope<'_>, one: &Expr, two: &Expr) -> bool {
        use WorldOperator as Op;
        let both = |a: &Expr, b: &Expr, c: &Expr, d: &Expr| self.same(scope, a, c) && self.same(scope, b, d);
        match (one, two) {
            (Expr::At(v, i), Expr::At(w, j)) => v == w && self.same(scope, i, j),
            (Expr::Negative(a), Expr::Negative(b))
            | (Expr::Not(a), Expr::Not(b))
            | (Expr::Absolute(a), Expr::Absolute(b)) => self.same(scope, a, b),
            (Expr::Lesser(a, b), Expr::Lesser(c, d)) | (Expr::Larger(a, b), Expr::Larger(c, d)) => {
                both(a, b, c, d) || both(a, b, d, c)
            }
            (Expr::Binary(o, a, b), Expr::Binary(p, c, d)) if o == p => match o {
                Op::And | Op::Or => {
                    let (left, right) = (chain(*o, one), chain(*o, two));
                    // From left to right it stops early, which nobody notices if nothing is a fault.
                    let steady = left.iter().chain(&right).all(|part| scope.is_condition(part));
                    both(a, b, c, d)
                        || (steady && matched(&left, &right, |one, two| self.same(scope, one, two)))
                }
                Op::Equal | Op::Different | Op::Add | Op::Multiply => both(a, b, c, d) || both(a, b, d, c),
                _ => both(a, b, c, d),
            },
            (Expr::Fold(f, l, s, a), Expr::Fold(g, m, t, b)) => {
                (f, l, s) == (g, m, t) && self.same(&scope.with(*l, *s), a, b)
            }
            _ => self.renaming.expr(one) == *two,
        }
    }

    fn order_of_rule(&self, scope: &Scope<'_>, when: Option<&Expr>, effects: &[Effect]) -> Option<String> {
        let when = when.and_then(|when| self.order(scope, when));
        when.or_else(|| effects.iter().find_map(|effect| self.order_of_effect(scope, effect)))
    }

    fn order_of_effect(&self, scope: &Scope<'_>, effect: &Effect) -> Option<String> {
        let expr = |expr: &Expr| self.order(scope, expr);
        let all = |effects: &[Effect]| effects.iter().find_map(|effect| self.order_of_effect(scope, effect));
        match effect {
            Effect::Assign(_, index, value) => index.as_ref().and_then(expr).or_else(|| expr(value)),
            Effect::AssignAll(_, value) => expr(value),
            Effect::If(condition, then, otherwise) => {
                expr(condition).or_else(|| all(then)).or_else(|| all(otherwise))
            }
            Effect::Either(options) => options.iter().find_map(|option| all(option)),
            Effect::Chance(branches) => branches.iter().find_map(|(_, branch)| all(branch)),
        }
    }

    /// How the order of declaration counts in an expression.
    pub(super) fn order(&self, scope: &Scope<'_>, expr: &Expr) -> Option<String> {
        let of = |expr: &Expr| self.order(scope, expr);
        match expr {
            Expr::Value(_) | Expr::Variable(_) | Expr::Local(_) => None,
            Expr::At(_, a) | Expr::Negative(a) | Expr::Not(a) | Expr::Absolute(a) => of(a),
            Expr::Lesser(a, b) | Expr::Larger(a, b) | Expr::Binary(_, a, b) => of(a).or_else(|| of(b)),
            Expr::Fold(fold, local, sort, body) => {
                let inside = scope.with(*local, *sort);
                if !self.ranges(*sort) {
                    return self.order(&inside, body);
                }
                let how = match fold {
                    Fold::ArgMax => Some("takes the first of equals (argmax)"),
                    Fold::ArgMin => Some("takes the first of equals (argmin)"),
                    Fold::All | Fold::Some if !inside.is_condition(body) => {
                        Some("looks at them one after the other until one is at fault")
                    }
                    Fold::Sum if scope.range(expr).is_none() => Some("adds what may be none or too large"),
                    _ => None,
                };
                how.map(str::to_owned).or_else(|| self.order(&inside, body))
            }
        }
    }
}

/// The sort of all agents.
const AGENTS: usize = 0;

fn same_option<T>(one: Option<&T>, two: Option<&T>, same: impl Fn(&T, &T) -> bool) -> bool {
    match (one, two) {
        (None, None) => true,
        (Some(one), Some(two)) => same(one, two),
        _ => false,
    }
}

/// Whether each of some has a partner of its own among the others. Being the same is an equivalence up to the change, so the
/// first partner that is free is as good as any.
fn matched<T>(one: &[T], two: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    let mut free: Vec<&T> = two.iter().collect();
    one.len() == two.len()
        && one.iter().all(|item| match free.iter().position(|other| same(item, other)) {
            Some(at) => {
                free.remove(at);
                true
            }
            None => false,
        })
}

/// The parts of `a and b and c`.
fn chain(operator: WorldOperator, expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Binary(other, left, right) if *other == operator => {
            let mut parts = chain(operator, left);
            parts.extend(chain(operator, right));
            parts
        }
        _ => vec![expr],
    }
}
