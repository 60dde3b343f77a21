//! Expressions inside atoms: values, and the connectives that a content may have.

use motet_model::{Expr, Operator, Ratio};

use super::atom::operator;
use super::connect::balanced;
use super::places::Origin;
use super::{Binding, Env, Lowering};
use crate::syntax::{Arithmetic, Domain, Join, Node, Tree};

impl<'a> Lowering<'a> {
    /// The value that a node stands for inside an atom.
    pub(super) fn expr(&mut self, node: &'a Node, env: &Env<'a>) -> Expr {
        if !self.enter(node.span) {
            return Expr::Any;
        }
        self.depth += 1;
        let first = self.places.mark();
        let expr = self.expr_here(node, env);
        self.depth -= 1;
        if let Some(origin) = origin(node, env) {
            self.places.note(&expr, node.span, origin, first);
        }
        expr
    }

    fn expr_here(&mut self, node: &'a Node, env: &Env<'a>) -> Expr {
        match &node.tree {
            Tree::Group(inner) => self.expr(inner, env),
            Tree::Error => {
                self.failed = true;
                self.faults.push(node.span);
                Expr::Any
            }
            Tree::Number(text) => number_expr(text),
            Tree::Text(text) => Expr::Text(text.clone()),
            Tree::Name(name) => self.name_expr(node, name, env),
            Tree::Call(name, arguments) => match self.defines.get(name.as_str()).copied() {
                Some(define) => match self.call(node, define, arguments, env) {
                    Some(inner) => self.expr(&define.body, &inner),
                    None => Expr::Any,
                },
                None => {
                    if name == "belief" && arguments.len() == 2 {
                        self.agent(&arguments[0], env);
                    }
                    let arguments = arguments.iter().map(|argument| self.expr(argument, env)).collect();
                    Expr::Call(name.clone(), arguments)
                }
            },
            Tree::Field(of, field) => Expr::Field(Box::new(self.structured(of, env)), field.clone()),
            Tree::Index(of, at) => {
                let of = Box::new(self.structured(of, env));
                Expr::Index(of, Box::new(self.expr(at, env)))
            }
            Tree::Tuple(parts) => Expr::Tuple(parts.iter().map(|part| self.expr(part, env)).collect()),
            Tree::List(parts) => Expr::List(parts.iter().map(|part| self.expr(part, env)).collect()),
            Tree::Size(of) => Expr::Size(Box::new(self.expr(of, env))),
            Tree::Negative(of) => {
                let of = self.expr(of, env);
                self.arithmetic(node, Arithmetic::Sub, Expr::Int(0), of)
            }
            Tree::Arithmetic(operator, left, right) => {
                let left = self.expr(left, env);
                let right = self.expr(right, env);
                self.arithmetic(node, *operator, left, right)
            }
            _ => self.content(node, env),
        }
    }

    /// Something that can have attributes and elements.
    fn structured(&mut self, node: &'a Node, env: &Env<'a>) -> Expr {
        let expr = self.expr(node, env);
        if matches!(expr, Expr::Int(_) | Expr::Decimal(_) | Expr::Text(_) | Expr::Binary(..) | Expr::Not(_)) {
            let help = "only names have attributes and elements";
            self.error("M0226", node.span, format!("`{expr}` has no attributes or elements"), help);
        }
        expr
    }

    /// Connectives inside an atom, as in `Bel(a, p and not q)`.
    fn content(&mut self, node: &'a Node, env: &Env<'a>) -> Expr {
        let both = |left, right| Expr::Binary(Operator::And, Box::new(left), Box::new(right));
        let either = |left, right| Expr::Binary(Operator::Or, Box::new(left), Box::new(right));
        let not = |of| Expr::Not(Box::new(of));
        match &node.tree {
            Tree::Not(_, inner) => not(self.expr(inner, env)),
            Tree::Join(join, _, parts) => {
                let parts: Vec<Expr> = parts.iter().map(|part| self.expr(part, env)).collect();
                match join {
                    Join::And => balanced(parts, Expr::Any, &both),
                    Join::Or => balanced(parts, Expr::Any, &either),
                    Join::Xor => balanced(parts, Expr::Any, &|left: Expr, right: Expr| {
                        either(both(left.clone(), not(right.clone())), both(not(left), right))
                    }),
                }
            }
            Tree::Implies(_, left, right) => {
                let (left, right) = (self.expr(left, env), self.expr(right, env));
                match self.tokens.is_empty() {
                    true => either(not(left), right),
                    false => Expr::Binary(Operator::Implies, Box::new(left), Box::new(right)),
                }
            }
            Tree::Iff(_, left, right) => {
                let (left, right) = (self.expr(left, env), self.expr(right, env));
                either(both(left.clone(), right.clone()), both(not(left), not(right)))
            }
            Tree::Compare(first, rest) => {
                let mut left = self.expr(first, env);
                let mut parts = Vec::new();
                for (relation, right) in rest {
                    let right = self.expr(right, env);
                    parts.push(Expr::Binary(operator(*relation), Box::new(left), Box::new(right.clone())));
                    left = right;
                }
                balanced(parts, Expr::Any, &both)
            }
            Tree::Member(left, domain) => {
                let left = self.expr(left, env);
                self.member_expr(left, domain, env)
            }
            Tree::Quantified(every, variable, domain, body) => {
                if let Some(collection) = self.collection(domain, env) {
                    return self.quantified_expr(*every, variable, collection, body, env);
                }
                let mut parts = Vec::new();
                for member in self.members(node, domain, env) {
                    if self.exhausted() {
                        break;
                    }
                    parts.push(self.expr(body, &env.bind(variable, Binding::Value(member))));
                }
                let empty = *every == crate::syntax::Every::All;
                let word = Expr::Call(empty.to_string(), Vec::new());
                balanced(parts, word, if empty { &both } else { &either })
            }
            _ => self.not_a_value(node),
        }
    }

    fn member_expr(&mut self, left: Expr, domain: &'a Domain, env: &Env<'a>) -> Expr {
        let binary =
            |operator, left: &Expr, right| Expr::Binary(operator, Box::new(left.clone()), Box::new(right));
        match domain {
            Domain::Name(of) => {
                let of = self.expr(of, env);
                binary(Operator::In, &left, of)
            }
            Domain::Set(members) => {
                let parts = members
                    .iter()
                    .map(|member| binary(Operator::Eq, &left, self.expr(member, env)))
                    .collect();
                balanced(parts, Expr::Any, &|a, b| Expr::Binary(Operator::Or, Box::new(a), Box::new(b)))
            }
            Domain::Range(low, high) => {
                let above = binary(Operator::Ge, &left, self.expr(low, env));
                let below = binary(Operator::Le, &left, self.expr(high, env));
                Expr::Binary(Operator::And, Box::new(above), Box::new(below))
            }
        }
    }

    fn not_a_value(&mut self, node: &'a Node) -> Expr {
        let (message, help) = match &node.tree {
            Tree::Length(_) => (
                "a length of time can only be compared with a clock, or bound an operator",
                "write `now`, `held(...)` or `since(...)` on the other side",
            ),
            Tree::Clock(..) => (
                "a clock can only be compared with a length of time",
                "write for example `held(p) <= 1 h`, outside of any belief",
            ),
            Tree::Mental(..) | Tree::Says(..) | Tree::NoBelief(..) | Tree::Knows(..)
                if !self.tokens.is_empty() =>
            {
                (
                    "a quantifier over a collection cannot hold an attitude",
                    "quantify over a sort or a list `{a, b}`, or look at places and values only",
                )
            }
            Tree::Mental(..) | Tree::Says(..) | Tree::NoBelief(..) | Tree::Knows(..) => (
                "attitudes cannot be nested: this would be a belief about a belief",
                "agents have beliefs about the world; for what an agent can infer use `K[a](...)`",
            ),
            _ if !self.tokens.is_empty() => (
                "a quantifier over a collection cannot hold a temporal operator: its members change from state to state",
                "put the operator outside: `always (forall a in parked: ...)`; or quantify over a sort or a list `{a, b}`",
            ),
            _ => (
                "an attitude or a value cannot hold a temporal operator",
                "put the operator outside: `F (Bel(a, p))` instead of `Bel(a, F p)`",
            ),
        };
        self.error("M0227", node.span, message, help);
        Expr::Any
    }

    fn name_expr(&mut self, node: &'a Node, name: &'a str, env: &Env<'a>) -> Expr {
        match env.get(name) {
            Some(Binding::Value(value)) => return value,
            Some(Binding::Argument(argument, outer)) => return self.expr(argument, &outer),
            None => {}
        }
        if name == "_" {
            return Expr::Any;
        }
        if let Some(value) = self.constant_value(node, name) {
            return match value {
                Some(value) => self.expr(value, &Env::default()),
                None => Expr::Any,
            };
        }
        match self.defines.get(name).copied() {
            Some(define) => match self.call(node, define, &[], env) {
                Some(inner) => self.expr(&define.body, &inner),
                None => Expr::Any,
            },
            None => Expr::Call(name.to_owned(), Vec::new()),
        }
    }

    fn arithmetic(&mut self, node: &'a Node, operator: Arithmetic, left: Expr, right: Expr) -> Expr {
        let calculates = !matches!(operator, Arithmetic::Union | Arithmetic::Minus);
        if calculates && let (Some(a), Some(b)) = (number(&left), number(&right)) {
            let dividing = matches!(operator, Arithmetic::Div | Arithmetic::Mod);
            if dividing && b.is_zero() {
                self.error("M0229", node.span, "this divides by zero", "give the divisor another value");
                return Expr::Int(0);
            }
            match calculate(operator, a, b) {
                Some(result) => {
                    if let Some(expr) = number_of(result) {
                        return expr;
                    }
                }
                None => {
                    let help = "write smaller numbers, and keep `%` to whole numbers of 64 bits";
                    self.error("M0229", node.span, "this number cannot be computed exactly", help);
                    return Expr::Int(0);
                }
            }
        }
        let operator = match operator {
            Arithmetic::Add => Operator::Add,
            Arithmetic::Sub => Operator::Sub,
            Arithmetic::Mul => Operator::Mul,
            Arithmetic::Div => Operator::Div,
            Arithmetic::Mod => Operator::Mod,
            Arithmetic::Union => Operator::Union,
            Arithmetic::Minus => Operator::Minus,
        };
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }
}

/// Where a problem with the value of a node belongs: an argument of a definition stands where it was given, and what only joins
/// statements is no value.
fn origin(node: &Node, env: &Env<'_>) -> Option<Origin> {
    match &node.tree {
        Tree::Name(name) => match env.get(name) {
            Some(Binding::Argument(..)) => None,
            Some(Binding::Value(_)) => Some(Origin::Member),
            None => Some(Origin::Written),
        },
        Tree::Number(_)
        | Tree::Text(_)
        | Tree::Call(..)
        | Tree::Field(..)
        | Tree::Index(..)
        | Tree::Tuple(_)
        | Tree::List(_)
        | Tree::Size(_)
        | Tree::Negative(_)
        | Tree::Arithmetic(..)
        | Tree::Compare(..) => Some(Origin::Written),
        _ => None,
    }
}

pub(super) fn calculate(operator: Arithmetic, left: Ratio, right: Ratio) -> Option<Ratio> {
    match operator {
        Arithmetic::Add => left.checked_add(right),
        Arithmetic::Sub => left.checked_sub(right),
        Arithmetic::Mul => left.checked_mul(right),
        Arithmetic::Div => left.checked_div(right),
        Arithmetic::Mod => remainder(left, right),
        // Of collections, which are no numbers.
        Arithmetic::Union | Arithmetic::Minus => None,
    }
}

fn number_expr(text: &str) -> Expr {
    match text.parse::<i64>() {
        Ok(number) => Expr::Int(number),
        Err(_) => Expr::Decimal(text.to_owned()),
    }
}

/// The exact value of a literal.
pub(super) fn number(expr: &Expr) -> Option<Ratio> {
    match expr {
        Expr::Int(number) => Some(Ratio::whole(*number)),
        Expr::Decimal(text) => Ratio::read(text),
        _ => None,
    }
}

/// A number as a literal; a fraction without a decimal stays a calculation.
fn number_of(number: Ratio) -> Option<Expr> {
    match number.as_whole() {
        Some(whole) => Some(Expr::Int(whole)),
        None => Some(number.to_string()).filter(|text| !text.contains('/')).map(Expr::Decimal),
    }
}

/// The remainder of whole numbers, with the sign of a mathematician: never negative for a positive divisor.
fn remainder(left: Ratio, right: Ratio) -> Option<Ratio> {
    left.as_whole()?.checked_rem_euclid(right.as_whole()?).map(Ratio::whole)
}
