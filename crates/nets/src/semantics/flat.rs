//! Expressions as lists of nodes, made once before anything fires: variables are registers, constants are folded, and what an
//! expression's form says of it is settled. `run` computes them; what the tree of `program::Expr` computes is what they mean.
//!
//! Only what guards, arcs, effects and claims ask again and again has nodes of its own. Set algebra, comprehensions, new
//! agents, goals and definitions with arguments stay trees, as single nodes.

use crate::program::{Expr, Operator, Pattern, PlaceId, PlaceKind, Program, VariableId};
use crate::semantics::collect::{collects, compares_tokens};
use crate::semantics::evaluate::{arithmetic, with};
use crate::semantics::memo::Memory;
use crate::syntax::Quantifier;
use crate::value::{NetId, Value};
use std::sync::Arc;

/// The number of a node.
pub(crate) type At = usize;

/// An expression; parts stand before what they are parts of.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) nodes: Vec<Node>,
}

/// A part of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Constant(Value),
    Register(VariableId),
    Cell(PlaceId),
    Field(At, usize),
    Record(Box<[At]>),
    With(At, Box<[(usize, At)]>),
    Not(At),
    And(At, At),
    Or(At, At),
    Implies(At, At),
    /// Of values; whether they are to be equal.
    Equal(At, At, bool),
    Less(At, At),
    LessEqual(At, At),
    Arithmetic(Operator, At, At),
    Ranged(At, i64, i64, Arc<str>),
    If(At, At, At),
    ClassOf(At),
    SameToken(VariableId, VariableId),
    In(At, Tokens),
    Size(Tokens),
    Count(Tokens, Shape),
    Quantified(Loop),
    /// What is computed from its tree.
    Tree(Expr),
}

/// For all or for some.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// The truth of the body that settles the matter.
    pub(crate) decisive: bool,
    pub(crate) variable: VariableId,
    pub(crate) domain: Tokens,
    pub(crate) body: At,
    /// Whether the body tells copies of a token apart.
    pub(crate) compares: bool,
}

/// Tokens or members, one part after the other. Several parts are tokens all.
#[derive(Clone, Debug)]
pub(crate) struct Tokens {
    pub(crate) parts: Box<[Part]>,
    /// How deep definitions use definitions to get there.
    pub(crate) calls: usize,
}

/// Where tokens or members come from.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Place(PlaceId),
    /// The tokens of a place of an agent, by its template.
    Within(At, Arc<Vec<Option<PlaceId>>>),
    /// The members of a set.
    Set(At),
}

/// What a token looks like.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Any,
    Bind(VariableId),
    Equal(Arc<Code>),
    Record(Box<[Shape]>),
}

impl Code {
    /// An expression as nodes. Where nothing is remembered, for comparison, it is its tree.
    pub(crate) fn of(program: &Program, expr: &Expr, memory: Memory) -> Self {
        let mut maker = Maker { program, nodes: Vec::new() };
        match memory {
            Memory::Kept => maker.node(expr),
            Memory::None => maker.push(Node::Tree(expr.clone())),
        };
        Self { nodes: maker.nodes }
    }

    /// The whole expression.
    pub(crate) fn root(&self) -> At {
        self.nodes.len() - 1
    }
}

impl Shape {
    pub(crate) fn of(program: &Program, pattern: &Pattern, memory: Memory) -> Self {
        match pattern {
            Pattern::Any => Self::Any,
            Pattern::Bind(variable) => Self::Bind(*variable),
            Pattern::Equal(expr) => Self::Equal(Arc::new(Code::of(program, expr, memory))),
            Pattern::Record(fields) => {
                Self::Record(fields.iter().map(|field| Self::of(program, field, memory)).collect())
            }
        }
    }
}

/// Tokens with the nodes that they are computed from, for a pick; `None` if that is left to the tree.
pub(crate) fn domain(program: &Program, expr: &Expr, memory: Memory) -> Option<(Code, Tokens)> {
    let mut maker = Maker { program, nodes: Vec::new() };
    let tokens = (memory == Memory::Kept).then(|| maker.tokens(expr))??;
    Some((Code { nodes: maker.nodes }, tokens))
}

struct Maker<'p> {
    program: &'p Program,
    nodes: Vec<Node>,
}

impl Maker<'_> {
    fn push(&mut self, node: Node) -> At {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn constant(&self, at: At) -> Option<&Value> {
        match &self.nodes[at] {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn nodes(&mut self, exprs: &[Expr]) -> Box<[At]> {
        exprs.iter().map(|expr| self.node(expr)).collect()
    }

    /// The node of an expression: always the last one.
    fn node(&mut self, expr: &Expr) -> At {
        let first = self.nodes.len();
        let node = self.made(expr).unwrap_or_else(|| {
            self.nodes.truncate(first);
            Node::Tree(expr.clone())
        });
        if let Node::Constant(_) = node {
            // Nothing needs the parts of a constant.
            self.nodes.truncate(first);
        }
        self.push(node)
    }

    /// `None` if the expression stays a tree.
    fn made(&mut self, expr: &Expr) -> Option<Node> {
        Some(match expr {
            Expr::Constant(value) => Node::Constant(value.clone()),
            Expr::Variable(variable) => Node::Register(*variable),
            Expr::Cell(place) => Node::Cell(*place),
            Expr::Field(of, field) => {
                let of = self.node(of);
                match self.constant(of) {
                    Some(Value::Record(fields)) => Node::Constant(fields[*field].clone()),
                    _ => Node::Field(of, *field),
                }
            }
            Expr::Record(fields) => {
                let fields = self.nodes(fields);
                let values: Option<Vec<Value>> =
                    fields.iter().map(|at| self.constant(*at).cloned()).collect();
                values.map_or(Node::Record(fields), |values| Node::Constant(Value::record(values)))
            }
            Expr::Set(members) => {
                let members = self.nodes(members);
                let values: Option<Vec<Value>> =
                    members.iter().map(|at| self.constant(*at).cloned()).collect();
                Node::Constant(Value::set(values?))
            }
            Expr::With(of, replaced) => {
                let replaced: Box<[(usize, At)]> =
                    replaced.iter().map(|(field, term)| (*field, self.node(term))).collect();
                let of = self.node(of);
                let values: Option<Vec<(usize, Value)>> =
                    replaced.iter().map(|(field, at)| Some((*field, self.constant(*at)?.clone()))).collect();
                match (self.constant(of), values) {
                    (Some(record), Some(values)) => Node::Constant(with(record.clone(), values)),
                    _ => Node::With(of, replaced),
                }
            }
            Expr::Not(of) => {
                let of = self.node(of);
                match self.constant(of) {
                    Some(Value::Bool(truth)) => Node::Constant(Value::Bool(!truth)),
                    _ => Node::Not(of),
                }
            }
            Expr::Binary(operator, left, right) => self.binary(*operator, left, right)?,
            Expr::If(condition, then, otherwise) => self.choice(condition, then, otherwise)?,
            Expr::Ranged(of, low, high, target) => {
                let of = self.node(of);
                match self.constant(of) {
                    Some(Value::Int(number)) if (low..=high).contains(&number) => {
                        Node::Constant(Value::Int(*number))
                    }
                    _ => Node::Ranged(of, *low, *high, Arc::clone(target)),
                }
            }
            Expr::ClassOf(of) => Node::ClassOf(self.node(of)),
            Expr::SameToken(one, other) => Node::SameToken(*one, *other),
            Expr::Size(of) => Node::Size(self.tokens(of)?),
            Expr::Count(of, pattern) => {
                Node::Count(self.tokens(of)?, Shape::of(self.program, pattern, Memory::Kept))
            }
            Expr::Quantified(quantifier, variable, domain, body) => {
                let domain = self.tokens(domain)?;
                Node::Quantified(Loop {
                    decisive: *quantifier == Quantifier::Some,
                    variable: *variable,
                    domain,
                    compares: compares_tokens(self.program, body, 0),
                    body: self.node(body),
                })
            }
            _ => return None,
        })
    }

    fn binary(&mut self, operator: Operator, left: &Expr, right: &Expr) -> Option<Node> {
        if let Operator::And | Operator::Or | Operator::Implies = operator {
            let (left, right) = (self.node(left), self.node(right));
            return Some(self.joint(operator, left, right));
        }
        if operator == Operator::In {
            let member = self.node(left);
            return Some(Node::In(member, self.tokens(right)?));
        }
        let compared = matches!(operator, Operator::Equal | Operator::NotEqual);
        if matches!(operator, Operator::Union | Operator::Minus)
            || compared && (collects(self.program, left) || collects(self.program, right))
        {
            return None;
        }
        let (left, right) = (self.node(left), self.node(right));
        let node = match operator {
            Operator::Equal => Node::Equal(left, right, true),
            Operator::NotEqual => Node::Equal(left, right, false),
            Operator::Less => Node::Less(left, right),
            Operator::LessEqual => Node::LessEqual(left, right),
            _ => Node::Arithmetic(operator, left, right),
        };
        let (Some(left), Some(right)) = (self.constant(left), self.constant(right)) else {
            return Some(node);
        };
        // What has no value is asked, and faults, where it is needed.
        let folded = match (&node, left, right) {
            (Node::Equal(.., wanted), ..) => Some(Value::Bool((left == right) == *wanted)),
            (Node::Less(..), Value::Int(left), Value::Int(right)) => Some(Value::Bool(left < right)),
            (Node::LessEqual(..), Value::Int(left), Value::Int(right)) => Some(Value::Bool(left <= right)),
            (Node::Arithmetic(operator, ..), Value::Int(left), Value::Int(right)) => {
                arithmetic(*operator, *left, *right).ok()
            }
            _ => None,
        };
        Some(folded.map_or(node, Node::Constant))
    }

    /// The right side matters only if the left side does not settle it.
    fn joint(&self, operator: Operator, left: At, right: At) -> Node {
        match (operator, self.constant(left)) {
            (Operator::And, Some(Value::Bool(true)))
            | (Operator::Or, Some(Value::Bool(false)))
            | (Operator::Implies, Some(Value::Bool(true))) => self.nodes[right].clone(),
            (Operator::And, Some(_)) => Node::Constant(Value::Bool(false)),
            (Operator::Or | Operator::Implies, Some(_)) => Node::Constant(Value::Bool(true)),
            (Operator::And, None) => Node::And(left, right),
            (Operator::Or, None) => Node::Or(left, right),
            (_, _) => Node::Implies(left, right),
        }
    }

    /// A choice between sets or tokens is made where they are collected.
    fn choice(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Option<Node> {
        if collects(self.program, then) || collects(self.program, otherwise) {
            return None;
        }
        let condition = self.node(condition);
        let (then, otherwise) = (self.node(then), self.node(otherwise));
        Some(match self.constant(condition) {
            Some(Value::Bool(truth)) => self.nodes[if *truth { then } else { otherwise }].clone(),
            _ => Node::If(condition, then, otherwise),
        })
    }

    /// Tokens or members; `None` if the expression that has them stays a tree.
    fn tokens(&mut self, expr: &Expr) -> Option<Tokens> {
        let mut parts = Vec::new();
        let calls = self.parts(expr, &mut parts)?;
        // Two sets would have to be made one.
        let sets = parts.iter().any(|part| matches!(part, Part::Set(_)));
        (parts.len() == 1 || !sets).then(|| Tokens { parts: parts.into(), calls })
    }

    fn parts(&mut self, expr: &Expr, parts: &mut Vec<Part>) -> Option<usize> {
        match expr {
            Expr::Place(place) => parts.push(Part::Place(*place)),
            Expr::Within(of, places) if self.are_tokens(places) => {
                let of = self.node(of);
                if !self.is_simple(of) {
                    return None;
                }
                parts.push(Part::Within(of, Arc::clone(places)));
            }
            Expr::Binary(Operator::Union, left, right) => {
                let left = self.parts(left, parts)?;
                return Some(left.max(self.parts(right, parts)?));
            }
            Expr::Call(definition, arguments) if arguments.is_empty() => {
                let body = &self.program.definitions[definition.0 as usize].body;
                // Its variables are not those around it.
                let plain = body.variables.is_empty() && only_places(&body.expr);
                return if plain { Some(1 + self.parts(&body.expr, parts)?) } else { None };
            }
            Expr::Constant(_) | Expr::Variable(_) | Expr::Cell(_) | Expr::Field(..) | Expr::Set(_) => {
                let set = self.node(expr);
                if !self.is_simple(set) {
                    return None;
                }
                parts.push(Part::Set(set));
            }
            _ => return None,
        }
        Some(0)
    }

    /// Whether a name means tokens in every template that has it.
    fn are_tokens(&self, places: &[Option<PlaceId>]) -> bool {
        let named = self.program.nets.iter().zip(places);
        let mut declared = named.filter_map(|(net, place)| Some(&net.places[place.as_ref()?.0 as usize]));
        declared.all(|place| place.kind == PlaceKind::Tokens)
    }

    /// Whether a value is there already and only has to be looked at.
    fn is_simple(&self, at: At) -> bool {
        match &self.nodes[at] {
            Node::Constant(_) | Node::Register(_) | Node::Cell(_) => true,
            Node::Field(of, _) => self.is_simple(*of),
            _ => false,
        }
    }
}

fn only_places(expr: &Expr) -> bool {
    match expr {
        Expr::Place(_) => true,
        Expr::Binary(Operator::Union, left, right) => only_places(left) && only_places(right),
        _ => false,
    }
}

/// The number of a place of an agent of this template.
pub(crate) fn place_within(places: &[Option<PlaceId>], net: NetId) -> Option<PlaceId> {
    places.get(net.0 as usize).copied().flatten()
}

#[cfg(test)]
mod tests;
