//! Quantifiers over collections: places, sets and whatever else has other members in other states. Their instances cannot
//! be written out, so that such a quantifier is part of an atom, and with it all that it holds.

use motet_model::{Every, Expr};

use super::{Binding, Env, Lowering};
use crate::syntax::{Arithmetic, Domain, Node, Tree};

impl<'a> Lowering<'a> {
    /// The collection that a quantifier ranges over; `None` if that is a sort, a range or a list.
    pub(super) fn collection(&mut self, domain: &'a Domain, env: &Env<'a>) -> Option<Expr> {
        let Domain::Name(node) = domain else { return None };
        let changes = self.sort_named(node, env).is_none() && self.is_collection(node, env);
        changes.then(|| self.expr(node, env))
    }

    fn is_collection(&mut self, node: &'a Node, env: &Env<'a>) -> bool {
        if !self.enter(node.span) {
            return false;
        }
        self.depth += 1;
        let answer = self.is_collection_here(node, env);
        self.depth -= 1;
        answer
    }

    fn is_collection_here(&mut self, node: &'a Node, env: &Env<'a>) -> bool {
        match &node.tree {
            Tree::Group(inner) => self.is_collection(inner, env),
            Tree::Name(name) => match env.get(name) {
                Some(Binding::Argument(argument, outer)) => self.is_collection(argument, &outer),
                Some(Binding::Value(_)) => self.is_token(node, env),
                None => self.names_collection(node, name, &[], env),
            },
            Tree::Call(name, arguments) => self.names_collection(node, name, arguments, env),
            Tree::Field(of, _) => {
                let name = crate::print::surface::readable(node);
                self.vocabulary.collections.contains(&name) || self.is_token(of, env)
            }
            Tree::Index(of, _) => self.is_collection(of, env),
            Tree::Arithmetic(Arithmetic::Union | Arithmetic::Minus, left, right) => {
                self.is_collection(left, env) || self.is_collection(right, env)
            }
            _ => false,
        }
    }

    fn names_collection(
        &mut self,
        node: &'a Node,
        name: &'a str,
        arguments: &'a [Node],
        env: &Env<'a>,
    ) -> bool {
        match self.defines.get(name).copied() {
            Some(define) if define.parameters.len() == arguments.len() => {
                let inner = self.call(node, define, arguments, env).unwrap_or_default();
                self.is_collection(&define.body, &inner)
            }
            Some(_) => false,
            None => self.vocabulary.collections.iter().any(|known| known == name),
        }
    }

    /// Whether this is a variable over a collection, or an attribute of one.
    fn is_token(&mut self, node: &'a Node, env: &Env<'a>) -> bool {
        match &node.bare().tree {
            Tree::Name(name) => match env.get(name) {
                Some(Binding::Argument(argument, outer)) => self.is_token(argument, &outer),
                Some(Binding::Value(Expr::Call(name, arguments))) => {
                    arguments.is_empty() && self.tokens.contains(&name)
                }
                _ => false,
            },
            Tree::Field(of, _) | Tree::Index(of, _) => self.is_token(of, env),
            _ => false,
        }
    }

    /// The quantifier as a part of an atom.
    pub(super) fn quantified_expr(
        &mut self,
        every: Every,
        variable: &'a str,
        collection: Expr,
        body: &'a Node,
        env: &Env<'a>,
    ) -> Expr {
        let name = self.fresh(variable);
        self.tokens.push(name.clone());
        let inner = env.bind(variable, Binding::Value(Expr::Call(name.clone(), Vec::new())));
        let body = self.expr(body, &inner);
        self.tokens.pop();
        Expr::Quantified(every, name, Box::new(collection), Box::new(body))
    }

    /// A name for a variable that stands for nothing else here: an argument of a definition may hold a variable with the
    /// name of one inside the definition.
    fn fresh(&self, variable: &str) -> String {
        let vocabulary = self.vocabulary;
        let known = |name: &str| {
            let mut sorts = vocabulary.sorts.iter().flat_map(|(_, members)| members);
            vocabulary.collections.iter().chain(&vocabulary.agents).any(|known| known == name)
                || sorts.any(|known| known == name)
                || self.tokens.iter().any(|known| known == name)
        };
        let numbered = (2..).map(|number| format!("{variable}_{number}"));
        let mut names = std::iter::once(variable.to_owned()).chain(numbered);
        names.find(|name| !known(name)).expect("there are more numbers than names")
    }
}
