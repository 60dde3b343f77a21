//! What names stand for: constants, definitions, sorts.

use std::collections::{BTreeMap, BTreeSet};

use motet_model::Expr;
use motet_source::{Problem, Span, Spanned, suggest};

use super::atom::listed;
use super::{Binding, Env, Lowering};
use crate::syntax::{ClaimsFile, DefineItem, Domain, ItemNode, Node, Tree};

/// Larger ranges are refused before they are written out.
const RANGE: i64 = 100_000;

impl<'a> Lowering<'a> {
    /// Notes the file's constants and definitions, and reports names that are given twice.
    pub(super) fn collect(&mut self, file: &'a ClaimsFile) {
        let mut names: BTreeMap<&str, Span> = BTreeMap::new();
        let mut claims: BTreeMap<&str, Span> = BTreeMap::new();
        for item in &file.items {
            let (name, seen): (&'a Spanned<String>, _) = match &item.node {
                ItemNode::Const(constant) => (&constant.name, &mut names),
                ItemNode::Define(define) => (&define.name, &mut names),
                ItemNode::Claim(claim) => (&claim.name, &mut claims),
                ItemNode::Model(_) | ItemNode::Dialect(_) => continue,
            };
            if let Some(first) = seen.get(name.node.as_str()) {
                let message = format!("the name `{}` is given twice", name.node);
                let problem = Problem::error("M0206", name.span, message, "give each its own name");
                self.report(problem.also(*first, "first here"));
                continue;
            }
            seen.insert(&name.node, name.span);
            match &item.node {
                ItemNode::Const(constant) => {
                    self.consts.insert(&constant.name.node, constant);
                }
                ItemNode::Define(define) => {
                    self.defines.insert(&define.name.node, define);
                }
                _ => {}
            }
        }
    }

    /// Definitions and constants that need themselves have no meaning; they are reported and forgotten.
    pub(super) fn refuse_circles(&mut self) {
        let mut uses: BTreeMap<&'a str, BTreeSet<&'a str>> = BTreeMap::new();
        for (name, define) in &self.defines {
            let mut found = BTreeSet::new();
            names(&define.body, &mut found);
            for parameter in &define.parameters {
                found.remove(parameter.node.as_str());
            }
            uses.insert(name, found);
        }
        for (name, constant) in &self.consts {
            let mut found = BTreeSet::new();
            if let Some(value) = self.overrides.get(*name).or(constant.value.as_ref()) {
                names(value, &mut found);
            }
            uses.insert(name, found);
        }
        // What needs nothing that is left goes, and then what nothing left needs: only circles stay.
        let needed_by = turned(&uses);
        prune(&mut uses, &needed_by);
        let mut circles = turned(&uses);
        circles.retain(|name, _| uses.contains_key(name));
        let needs = uses.clone();
        for name in needs.keys() {
            circles.entry(name).or_default();
        }
        prune(&mut circles, &needs);
        for name in circles.into_keys() {
            let span = match (self.defines.remove(name), self.consts.remove(name)) {
                (Some(define), _) => define.name.span,
                (_, Some(constant)) => constant.name.span,
                _ => continue,
            };
            let message = format!("`{name}` is defined by means of itself");
            let help = "take one of the definitions out of the circle";
            self.error("M0222", span, message, help);
        }
    }

    /// The value of a constant or of a parameter of the model: `None` when there is no such name, `Some(None)` when it
    /// has no value, which is reported.
    pub(super) fn constant_value(&mut self, node: &'a Node, name: &'a str) -> Option<Option<&'a Node>> {
        if let Some(value) = self.overrides.get(name) {
            return Some(Some(value));
        }
        let constant = *self.consts.get(name)?;
        if constant.value.is_none() {
            let message = format!("the constant `{name}` has no value");
            let help = format!("give it one with `-D {name}=...`, or sweep over it");
            let problem = Problem::error("M0223", node.span, message, help);
            self.report(problem.also(constant.name.span, "declared here"));
        }
        Some(constant.value.as_ref())
    }

    /// The names inside a definition when it is used with these arguments.
    pub(super) fn call(
        &mut self,
        node: &'a Node,
        define: &'a DefineItem,
        arguments: &'a [Node],
        env: &Env<'a>,
    ) -> Option<Env<'a>> {
        if define.parameters.len() != arguments.len() {
            let message = format!(
                "`{}` takes {} and is given {}",
                define.name.node,
                counted(define.parameters.len()),
                arguments.len()
            );
            let help = "give one argument for each parameter";
            let problem = Problem::error("M0221", node.span, message, help);
            self.report(problem.also(define.name.span, "defined here"));
            return None;
        }
        let mut inner = Env::default();
        for (parameter, argument) in define.parameters.iter().zip(arguments) {
            inner = inner.bind(&parameter.node, Binding::Argument(argument, env.clone()));
        }
        Some(inner)
    }

    /// What a quantifier ranges over.
    pub(super) fn members(&mut self, node: &'a Node, domain: &'a Domain, env: &Env<'a>) -> Vec<Expr> {
        match domain {
            Domain::Set(members) => members.iter().map(|member| self.expr(member, env)).collect(),
            Domain::Range(low, high) => {
                let (Some(low), Some(high)) = (self.whole(low, env), self.whole(high, env)) else {
                    return Vec::new();
                };
                if high.checked_sub(low).is_none_or(|size| size >= RANGE) {
                    let message = format!("this range has more than {RANGE} members");
                    self.error("M0228", node.span, message, "let it range over fewer numbers");
                    return Vec::new();
                }
                (low..=high).map(Expr::Int).collect()
            }
            Domain::Name(name) => match self.sort_named(name, env) {
                Some(members) => members.into_iter().map(|member| member_expr(&member)).collect(),
                None => {
                    self.unknown_sort(name);
                    Vec::new()
                }
            },
        }
    }

    /// The members of the sort that a node names.
    pub(super) fn sort_named(&mut self, node: &'a Node, env: &Env<'a>) -> Option<Vec<String>> {
        let Tree::Name(name) = &node.bare().tree else { return None };
        if let Some(Binding::Argument(argument, outer)) = env.get(name) {
            return self.sort_named(argument, &outer);
        }
        let sort = self.vocabulary.sorts.iter().find(|(sort, _)| sort == name);
        match sort {
            Some((_, members)) => Some(members.clone()),
            None if name == "agent" => Some(self.vocabulary.agents.clone()),
            None => None,
        }
    }

    fn unknown_sort(&mut self, node: &'a Node) {
        if matches!(node.bare().tree, Tree::Error) {
            self.failed = true;
            return;
        }
        let name = crate::print::surface::readable(node);
        let mut known: Vec<String> = self.vocabulary.sorts.iter().map(|(sort, _)| sort.clone()).collect();
        if !known.iter().any(|sort| sort == "agent") {
            known.insert(0, "agent".to_owned());
        }
        known.extend(self.vocabulary.collections.iter().cloned());
        let help = match suggest(&name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`"),
            None => format!("the sorts are {}; or list the members: `{{a, b}}`", listed(&known)),
        };
        self.error("M0224", node.span, format!("there is no sort `{name}` to range over"), help);
    }
}

/// For each name, who mentions it.
fn turned<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut turned: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, needs) in uses {
        for need in needs {
            turned.entry(need).or_default().insert(name);
        }
    }
    turned
}

/// Removes, again and again, the names that need none of the names left.
fn prune<'a>(
    uses: &mut BTreeMap<&'a str, BTreeSet<&'a str>>,
    needed_by: &BTreeMap<&'a str, BTreeSet<&'a str>>,
) {
    let count = |needs: &BTreeSet<&str>, uses: &BTreeMap<&str, BTreeSet<&str>>| {
        needs.iter().filter(|need| uses.contains_key(*need)).count()
    };
    let mut open: BTreeMap<&str, usize> =
        uses.iter().map(|(name, needs)| (*name, count(needs, uses))).collect();
    let mut free: Vec<&str> = open.iter().filter(|(_, n)| **n == 0).map(|(name, _)| *name).collect();
    while let Some(name) = free.pop() {
        uses.remove(name);
        for user in needed_by.get(name).into_iter().flatten() {
            if let Some(n) = open.get_mut(user)
                && *n > 0
            {
                *n -= 1;
                if *n == 0 {
                    free.push(user);
                }
            }
        }
    }
}

/// Members of sorts are names or numbers.
fn member_expr(member: &str) -> Expr {
    match member.parse::<i64>() {
        Ok(number) => Expr::Int(number),
        Err(_) => Expr::Call(member.to_owned(), Vec::new()),
    }
}

fn names<'a>(node: &'a Node, found: &mut BTreeSet<&'a str>) {
    match &node.tree {
        Tree::Name(name) | Tree::Call(name, _) => {
            found.insert(name);
        }
        _ => {}
    }
    node.each_child(&mut |child| names(child, found));
}

fn counted(n: usize) -> String {
    match n {
        0 => "no arguments".to_owned(),
        1 => "one argument".to_owned(),
        n => format!("{n} arguments"),
    }
}
