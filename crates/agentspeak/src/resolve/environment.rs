//! Declarations of the environment: constants, sorts and variables.

use std::collections::{BTreeMap, BTreeSet};

use motet_model::Options;
use motet_source::{Problem, Span, Spanned};

use crate::program::{Domain, Expr, Value, Variable};
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
    pub(crate) fn declare(&mut self, name: &Spanned<String>, declared: &mut BTreeMap<String, Span>) -> bool {
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
                let place = options.place_of("-D", &name.node, name.span).value;
                self.error("M0502", place, message, format!("pass a value like {}", self.show(known)));
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

    fn hint_unused(&mut self) {
        for (variable, read) in self.environment.variables.iter().zip(&self.read) {
            if !read {
                self.problems.push(Problem::hint(
                    "M0540",
                    variable.span,
                    format!("`{}` is never read", variable.name),
                    "leave it out: no rule and no claim looks at it, and it multiplies the states",
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
