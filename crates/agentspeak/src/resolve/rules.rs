//! Percepts and rules of the environment.

use std::collections::BTreeMap;

use motet_source::{Problem, Span, Spanned};

use crate::program::{ActionRule, Audience, Parameter, Percept, Reaction, StepRule, Value};
use crate::syntax::{EnvironmentItem, WorldExpr, WorldKind};

use super::kind::Kind;
use super::world::World;

impl World<'_> {
    /// Resolves an item that is no declaration.
    pub(crate) fn rule(&mut self, item: &EnvironmentItem, declared: &mut BTreeMap<String, Span>) {
        match item {
            EnvironmentItem::Percept { to, each, name, args, when, span } => {
                self.percept(to.as_ref(), each.as_ref(), (name, args), when.as_ref(), *span);
            }
            EnvironmentItem::Action { name, params, by, when, effects, .. } => {
                let params = self.parameters(params);
                let by = by.as_ref().map(|by| self.acting(by));
                let when = when.as_ref().map(|when| self.condition(when));
                let effects = self.effects(effects);
                let (n_locals, span) = (self.n_locals(), name.span);
                let name = self.terms.symbol(&name.node);
                let rule = ActionRule { name, params, by, when, effects, n_locals, span };
                self.check_reachable(&rule);
                self.environment.actions.push(rule);
            }
            EnvironmentItem::Step { name, when, effects, .. } => {
                self.declare(name, declared);
                let when = when.as_ref().map(|when| self.condition(when));
                let effects = self.effects(effects);
                let (n_locals, span) = (self.n_locals(), name.span);
                self.environment.steps.push(StepRule {
                    name: name.node.clone(),
                    when,
                    effects,
                    n_locals,
                    span,
                });
            }
            EnvironmentItem::React { when, effects, span } => {
                let when = self.condition(when);
                let effects = self.effects(effects);
                let n_locals = self.n_locals();
                self.environment.reactions.push(Reaction { when, effects, n_locals, span: *span });
            }
            EnvironmentItem::Const(..) | EnvironmentItem::Sort(..) | EnvironmentItem::Variable { .. } => {}
        }
    }

    fn percept(
        &mut self,
        to: Option<&Spanned<String>>,
        each: Option<&(Spanned<String>, Spanned<String>)>,
        (name, args): (&Spanned<String>, &[WorldExpr]),
        when: Option<&WorldExpr>,
        span: Span,
    ) {
        let agents = self.environment.sorts[0].1.clone();
        let mut perceiver = None;
        let audience = match to {
            None => Audience::Everyone,
            Some(to) => {
                let symbol = Value::Symbol(self.terms.symbol(&to.node));
                if let Some(agent) = agents.iter().position(|agent| *agent == symbol) {
                    Audience::Agent(agent)
                } else {
                    let local = self.local(&to.node, Kind::of_members(&agents));
                    perceiver = Some((to, local));
                    Audience::Each(local)
                }
            }
        };
        let each = each.and_then(|(name, sort)| {
            let sort = self.sort(sort);
            let kind = sort.map_or(Kind::ANY, |sort| Kind::of_members(&self.environment.sorts[sort].1));
            let local = self.local(&name.node, kind);
            sort.map(|sort| (sort, local))
        });
        let args = args.iter().map(|arg| self.expression(arg).0).collect();
        let when = when.map(|when| self.condition(when));
        if let Some((to, local)) = perceiver
            && !self.is_used(local)
        {
            self.suspect_perceiver(to);
        }
        let (n_locals, name) = (self.n_locals(), self.terms.symbol(&name.node));
        self.environment.percepts.push(Percept { to: audience, each, name, args, when, n_locals, span });
    }

    /// `to X` where X is no agent and is not used either: probably a slip.
    fn suspect_perceiver(&mut self, to: &Spanned<String>) {
        let agents: Vec<String> =
            self.environment.sorts[0].1.clone().into_iter().map(|agent| self.show(agent)).collect();
        let help = match motet_source::suggest(&to.node, agents.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "leave `to {}:` out if every agent perceives it; the agents are {}",
                to.node,
                agents.join(", ")
            ),
        };
        let message = format!("`{}` is no agent, so every agent perceives this", to.node);
        self.problems.push(Problem::warning("M0539", to.span, message, help));
    }

    fn acting(&mut self, by: &Spanned<String>) -> Parameter {
        let agents = self.environment.sorts[0].1.clone();
        let symbol = Value::Symbol(self.terms.symbol(&by.node));
        if agents.contains(&symbol) {
            return Parameter::Value(symbol);
        }
        self.check_hides(&by.node, by.span);
        Parameter::Local(self.local(&by.node, Kind::of_members(&agents)))
    }

    fn parameters(&mut self, params: &[WorldExpr]) -> Vec<Parameter> {
        params.iter().map(|param| self.parameter(param)).collect()
    }

    fn parameter(&mut self, tree: &WorldExpr) -> Parameter {
        match &tree.kind {
            WorldKind::Int(number) => Parameter::Value(Value::Int(*number)),
            WorldKind::Bool(truth) => Parameter::Value(Value::Bool(*truth)),
            WorldKind::Quoted(name) => Parameter::Value(Value::Symbol(self.terms.symbol(name))),
            WorldKind::Name(name) if name == "_" => Parameter::Local(self.local("_", Kind::ANY)),
            WorldKind::Name(name) => {
                if self.is_local(name) {
                    let message = format!("two parameters are called `{name}`");
                    self.error("M0533", tree.span, message, "rename one and compare them: `when x == y`");
                }
                self.check_hides(name, tree.span);
                Parameter::Local(self.local(name, Kind::ANY))
            }
            _ => {
                let help = "use a new name and say what must hold: `action move(x) when x == n + 1`";
                self.error(
                    "M0542",
                    tree.span,
                    "a parameter is a new name, a number or a word in quotes",
                    help,
                );
                Parameter::Local(self.local("_", Kind::ANY))
            }
        }
    }

    /// A parameter named like something else takes any value, which is rarely meant.
    fn check_hides(&mut self, name: &str, span: Span) {
        let (what, help) = if self.variable(name).is_some() || self.constants.contains_key(name) {
            ("a variable or constant", format!("choose a new name and compare: `when x == {name}`"))
        } else if self.symbols.contains_key(name) {
            ("a value", format!("write it in quotes: `\"{name}\"`"))
        } else {
            return;
        };
        let message = format!("the parameter `{name}` takes any value and hides {what} of that name");
        self.problems.push(Problem::warning("M0542", span, message, help));
    }

    /// The first rule that matches is taken, so nothing comes after one that always matches.
    fn check_reachable(&mut self, rule: &ActionRule) {
        let always = |before: &&ActionRule| {
            before.name == rule.name
                && before.params.len() == rule.params.len()
                && before.when.is_none()
                && before.params.iter().all(|param| matches!(param, Parameter::Local(_)))
                && !matches!(&before.by, Some(Parameter::Value(_)) if before.by != rule.by)
        };
        if let Some(before) = self.environment.actions.iter().find(always) {
            let problem = Problem::warning(
                "M0541",
                rule.span,
                "this rule never applies",
                "put it first, or give the earlier rule a `when`",
            );
            let problem = problem.also(before.span, "this one matches every time");
            self.problems.push(problem);
        }
    }
}
