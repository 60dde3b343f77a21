//! The environment: constants, sorts, variables, percepts and rules.

use std::collections::{BTreeMap, BTreeSet};

use motet_model::Options;
use motet_source::{Problem, Span, Spanned};

use crate::program::{
    ActionRule, Audience, Domain, Expr, Parameter, Percept, Reaction, StepRule, Value, Variable,
};
use crate::syntax::{EnvironmentItem, EnvironmentTree, TypeTree, WorldExpr, WorldKind};

use super::constant::{Unknown, value};
use super::kind::{Kind, first};
use super::world::World;

/// How many members a sort may have; an indexed variable has a cell per member.
const LIMIT_SORT: i64 = 4096;

impl World<'_> {
    /// Resolves the whole block. Declarations come first, so their order in the text is free.
    pub(crate) fn block(&mut self, tree: &EnvironmentTree, options: &Options) {
        self.environment.name.clone_from(&tree.name.node);
        let mut declared = BTreeMap::new();
        for item in &tree.items {
            if let EnvironmentItem::Variable { name, .. } = item {
                self.later.push(name.node.clone());
            }
        }
        self.constants_of(tree, options, &mut declared);
        for item in &tree.items {
            match item {
                EnvironmentItem::Sort(name, members) => self.declare_sort(name, members, &mut declared),
                EnvironmentItem::Variable { domain, .. } => self.note_symbols(domain),
                _ => {}
            }
        }
        for item in &tree.items {
            if let EnvironmentItem::Variable { name, index, domain, initial } = item {
                self.declare_variable(name, index.as_ref(), domain, initial.as_ref(), &mut declared);
            }
        }
        for item in &tree.items {
            self.new_rule();
            self.rule(item, &mut declared);
        }
        self.hint_unused();
    }

    /// Notes a declaration; a second one of the same name is a problem.
    fn declare(&mut self, name: &Spanned<String>, declared: &mut BTreeMap<String, Span>) -> bool {
        if let Some(&first) = declared.get(&name.node) {
            let message = format!("`{}` is declared twice", name.node);
            let problem = Problem::error("M0533", name.span, message, "rename one of them");
            self.problems.push(problem.also(first, "the first one"));
            return false;
        }
        if matches!(name.node.as_str(), "agent" | "none" | "true" | "false" | "bool") {
            let message = format!("`{}` has a meaning already", name.node);
            self.error("M0533", name.span, message, "choose another name");
            return false;
        }
        declared.insert(name.node.clone(), name.span);
        true
    }

    fn constants_of(
        &mut self,
        tree: &EnvironmentTree,
        options: &Options,
        declared: &mut BTreeMap<String, Span>,
    ) {
        let mut pending: Vec<(&Spanned<String>, &WorldExpr)> = Vec::new();
        for item in &tree.items {
            if let EnvironmentItem::Const(name, expr) = item
                && self.declare(name, declared)
            {
                pending.push((name, expr));
            }
        }
        let order: Vec<String> = pending.iter().map(|(name, _)| name.node.clone()).collect();
        // Each round settles the constants whose parts are settled; what is left over goes in circles.
        loop {
            let n = pending.len();
            let names: BTreeSet<String> = pending.iter().map(|(name, _)| name.node.clone()).collect();
            pending.retain(|(name, expr)| {
                let waits = mentions(expr).iter().any(|part| names.contains(part));
                if !waits {
                    self.constant(name, expr, options);
                }
                waits
            });
            if pending.len() == n {
                break;
            }
        }
        let circles = circles(&pending);
        for (name, _) in &pending {
            self.refused.push(name.node.clone());
        }
        for name in &circles {
            let others: Vec<&str> = circles.iter().map(|name| name.node.as_str()).collect();
            let message = format!("the value of `{}` depends on itself", name.node);
            self.error("M0537", name.span, message, format!("give one of {} a number", others.join(", ")));
        }
        let settled =
            order.into_iter().filter_map(|name| self.constants.get(&name).map(|&value| (name, value)));
        self.environment.constants = settled.collect();
    }

    fn constant(&mut self, name: &Spanned<String>, tree: &WorldExpr, options: &Options) {
        let (expr, kind) = self.expression(tree);
        let Some(mut known) = self.known(&expr, &kind, tree.span) else {
            self.refused.push(name.node.clone());
            return;
        };
        if let Some(text) = options.parameters.get(&name.node) {
            let given = parameter(text, self.terms);
            if Kind::of_value(given).meets(&Kind::of_value(known)) || matches!(known, Value::Symbol(_)) {
                known = given;
            } else {
                let message = format!(
                    "-D {}={text} is {}, but the constant is {}",
                    name.node,
                    Kind::of_value(given).words(),
                    Kind::of_value(known).words()
                );
                self.error("M0502", name.span, message, format!("pass a value like {}", self.show(known)));
            }
        }
        self.constants.insert(name.node.clone(), known);
    }

    /// The value of an expression that must be known before the run.
    fn known(&mut self, expr: &Expr, kind: &Kind, span: Span) -> Option<Value> {
        if matches!(kind.base, super::kind::Base::Any) {
            return None;
        }
        match value(expr, &self.environment.sorts) {
            Ok(value) => Some(value),
            Err(Unknown::Variable) => {
                self.not_known(span);
                None
            }
            Err(Unknown::Fault) => {
                let help = "look for a division by zero or a number beyond 64 bits";
                self.error("M0543", span, "this value cannot be computed", help);
                None
            }
        }
    }

    fn declare_sort(
        &mut self,
        name: &Spanned<String>,
        members: &TypeTree,
        declared: &mut BTreeMap<String, Span>,
    ) {
        if !self.declare(name, declared) {
            return;
        }
        let values = match self.domain(members) {
            Some(Domain::Members(values)) => values,
            Some(Domain::Bool) => vec![Value::Bool(false), Value::Bool(true)],
            Some(Domain::Range(low, high)) if high.saturating_sub(low) < LIMIT_SORT => {
                (low..=high).map(Value::Int).collect()
            }
            Some(Domain::Range(..)) => {
                let message = format!("the sort `{}` has more than {LIMIT_SORT} members", name.node);
                self.error("M0534", name.span, message, "use a smaller range");
                self.refused.push(name.node.clone());
                return;
            }
            Some(Domain::Optional(_)) => {
                let help = "say `opt` where a variable of the sort is declared";
                self.error("M0538", name.span, "`none` cannot be a member of a sort", help);
                self.refused.push(name.node.clone());
                return;
            }
            None => {
                self.refused.push(name.node.clone());
                return;
            }
        };
        self.environment.sorts.push((name.node.clone(), values));
    }

    /// Words that a declaration introduces can be used in every expression.
    fn note_symbols(&mut self, tree: &TypeTree) {
        match tree {
            TypeTree::Set(names) => {
                for name in names {
                    if name.node.parse::<i64>().is_err() {
                        let value = Value::Symbol(self.terms.symbol(&name.node));
                        self.symbols.insert(name.node.clone(), value);
                    }
                }
            }
            TypeTree::Optional(inner) => self.note_symbols(inner),
            _ => {}
        }
    }

    /// The values a declaration allows.
    fn domain(&mut self, tree: &TypeTree) -> Option<Domain> {
        match tree {
            TypeTree::Bool(_) => Some(Domain::Bool),
            TypeTree::Range(low, high) => {
                let span = low.span.to(high.span);
                let (low, high) = (self.bound(low)?, self.bound(high)?);
                if low > high {
                    self.error(
                        "M0534",
                        span,
                        format!("the range {low}..{high} is empty"),
                        format!("write the smaller number first: {high}..{low}"),
                    );
                    return None;
                }
                Some(Domain::Range(low, high))
            }
            TypeTree::Sort(name) => {
                let sort = self.sort(name)?;
                Some(Domain::Members(self.environment.sorts[sort].1.clone()))
            }
            TypeTree::Set(names) => {
                self.note_symbols(tree);
                let mut values = Vec::new();
                for name in names {
                    let value = parameter(&name.node, self.terms);
                    if values.contains(&value) {
                        let message = format!("`{}` stands twice in the set", name.node);
                        self.error("M0533", name.span, message, "leave one of them out");
                    } else if !matches!(value, Value::Symbol(_) | Value::Int(_)) {
                        let help = "use `bool` for truth values and `opt` for `none`";
                        self.error("M0538", name.span, format!("`{}` cannot be a member", name.node), help);
                    } else {
                        values.push(value);
                    }
                }
                Some(Domain::Members(values))
            }
            TypeTree::Optional(inner) => match self.domain(inner)? {
                Domain::Optional(inner) => Some(Domain::Optional(inner)),
                inner => Some(Domain::Optional(Box::new(inner))),
            },
        }
    }

    fn bound(&mut self, tree: &WorldExpr) -> Option<i64> {
        let before = self.problems.len();
        let expr = self.number(tree);
        if self.problems.len() > before {
            return None;
        }
        match self.known(&expr, &Kind::INT, tree.span)? {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    fn declare_variable(
        &mut self,
        name: &Spanned<String>,
        index: Option<&Spanned<String>>,
        domain: &TypeTree,
        initial: Option<&WorldExpr>,
        declared: &mut BTreeMap<String, Span>,
    ) {
        if !self.declare(name, declared) {
            return;
        }
        let sort = index.map(|sort| self.sort(sort));
        let (Some(domain), false) = (self.domain(domain), sort == Some(None)) else {
            self.refused.push(name.node.clone());
            return;
        };
        let sort = sort.flatten();
        let first = first(&domain);
        let number = self.environment.variables.len();
        self.kinds.push(Kind::of_domain(&domain));
        self.read.push(false);
        self.environment.variables.push(Variable {
            name: name.node.clone(),
            index: sort,
            cell: self.environment.initial.len(),
            domain,
            span: name.span,
        });
        let mut start = first;
        if let Some(tree) = initial {
            let (expr, kind) = self.expression(tree);
            if let Some(value) = self.known(&expr, &kind, tree.span) {
                self.check_fits(number, &Expr::Value(value), &Kind::of_value(value), tree.span);
                start = value;
            }
        }
        let n_cells = sort.map_or(1, |sort| self.environment.sorts[sort].1.len());
        self.environment.initial.extend(std::iter::repeat_n(start, n_cells));
    }

    fn rule(&mut self, item: &EnvironmentItem, declared: &mut BTreeMap<String, Span>) {
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

    fn hint_unused(&mut self) {
        for (variable, read) in self.environment.variables.iter().zip(&self.read) {
            if !read {
                self.problems.push(Problem::hint(
                    "M0540",
                    variable.span,
                    format!("`{}` is never read", variable.name),
                    "leave it out, unless a claim looks at it; it multiplies the states",
                ));
            }
        }
    }
}

/// A value as a command line or a set writes it.
pub(crate) fn parameter(text: &str, terms: &crate::term::Terms) -> Value {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "none" => Value::None,
        _ => text.parse().map_or_else(|_| Value::Symbol(terms.symbol(text)), Value::Int),
    }
}

/// The constants that depend on themselves, among those that could not be settled.
fn circles<'a>(pending: &[(&'a Spanned<String>, &WorldExpr)]) -> Vec<&'a Spanned<String>> {
    let parts: BTreeMap<&str, Vec<String>> =
        pending.iter().map(|(name, expr)| (name.node.as_str(), mentions(expr))).collect();
    let returns = |start: &str| {
        let mut seen = BTreeSet::new();
        let mut open = vec![start];
        while let Some(name) = open.pop() {
            for part in parts.get(name).into_iter().flatten() {
                if part == start {
                    return true;
                }
                if seen.insert(part.as_str()) {
                    open.push(part);
                }
            }
        }
        false
    };
    pending.iter().map(|(name, _)| *name).filter(|name| returns(&name.node)).collect()
}

/// The names an expression mentions.
fn mentions(tree: &WorldExpr) -> Vec<String> {
    match &tree.kind {
        WorldKind::Name(name) => vec![name.clone()],
        WorldKind::Index(name, index) => std::iter::once(name.clone()).chain(mentions(index)).collect(),
        WorldKind::Call(_, args) => args.iter().flat_map(mentions).collect(),
        WorldKind::Negative(inner) | WorldKind::Not(inner) | WorldKind::Fold(_, _, _, inner) => {
            mentions(inner)
        }
        WorldKind::Binary(_, left, right) => mentions(left).into_iter().chain(mentions(right)).collect(),
        WorldKind::Int(_) | WorldKind::Bool(_) | WorldKind::None | WorldKind::Quoted(_) => Vec::new(),
    }
}
