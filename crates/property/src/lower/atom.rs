//! Atoms: facts, comparisons, attitudes and messages.

use motet_model::{AtomText, Expr, Operator};
use motet_source::{Severity, Span, suggest};

use super::connect::{balanced, constant};
use super::expr::number;
use super::sorts::Checker;
use super::{Env, Lowering};
use crate::formula::{Formula, Path, Relation};
use crate::syntax::{Attitude, Domain, Node, Tree};

type Lowered = Path<motet_model::AtomId>;

impl<'a> Lowering<'a> {
    /// An atom, unless something is wrong inside it: what was put in its place would only cause problems that are not
    /// there.
    pub(super) fn holds(&mut self, atom: AtomText, span: Span) -> Lowered {
        let inside =
            |fault: &Span| fault.file == span.file && span.start <= fault.start && fault.end <= span.end;
        if self.faults.iter().any(inside) {
            return constant(true);
        }
        let found = Checker::check(self.vocabulary, &self.places, &atom, span);
        let refused = found.iter().any(|problem| problem.severity == Severity::Error);
        self.report_sorts(found);
        if refused {
            return constant(true);
        }
        Path::Now(Formula::Atom(self.atom(atom, span)))
    }

    /// A plain statement about the world.
    pub(super) fn fact(&mut self, node: &'a Node, env: &Env<'a>) -> Lowered {
        self.places.forget();
        let expr = self.expr(node, env);
        match truth(&expr) {
            Some(truth) => constant(truth),
            None => self.holds(AtomText::Fact(expr), node.span),
        }
    }

    /// `a <= x < b`, two by two.
    pub(super) fn comparisons(
        &mut self,
        first: &'a Node,
        rest: &'a [(Relation, Node)],
        env: &Env<'a>,
    ) -> Lowered {
        self.places.forget();
        let mut left = first;
        let mut parts = Vec::new();
        for (relation, right) in rest {
            parts.push(match self.timer(left, *relation, right, env) {
                Some(path) => path,
                None => {
                    let span = left.span.to(right.span);
                    let (left, right) = (self.expr(left, env), self.expr(right, env));
                    self.compared(*relation, left, right, span)
                }
            });
            left = right;
        }
        balanced(parts, constant(true), &super::connect::and)
    }

    fn compared(&mut self, relation: Relation, left: Expr, right: Expr, span: Span) -> Lowered {
        if let Some(truth) = self.decided(relation, &left, &right) {
            return constant(truth);
        }
        let atom = Expr::Binary(operator(relation), Box::new(left), Box::new(right));
        self.holds(AtomText::Fact(atom), span)
    }

    /// Whether a comparison is settled without the model: of numbers, or of names that are members of a sort.
    fn decided(&self, relation: Relation, left: &Expr, right: &Expr) -> Option<bool> {
        if let (Some(left), Some(right)) = (number(left), number(right)) {
            let order = left.cmp(&right);
            return Some(match relation {
                Relation::Eq => order.is_eq(),
                Relation::Ne => order.is_ne(),
                Relation::Lt => order.is_lt(),
                Relation::Le => order.is_le(),
                Relation::Gt => order.is_gt(),
                Relation::Ge => order.is_ge(),
            });
        }
        if !self.is_member(left) || !self.is_member(right) {
            return None;
        }
        match relation {
            Relation::Eq => Some(left == right),
            Relation::Ne => Some(left != right),
            _ => None,
        }
    }

    fn is_member(&self, expr: &Expr) -> bool {
        let Expr::Call(name, arguments) = expr else { return false };
        let known = |names: &[String]| names.iter().any(|other| other == name);
        arguments.is_empty()
            && (known(&self.vocabulary.agents) || self.vocabulary.sorts.iter().any(|(_, names)| known(names)))
    }

    pub(super) fn membership(
        &mut self,
        node: &'a Node,
        left: &'a Node,
        domain: &'a Domain,
        env: &Env<'a>,
    ) -> Lowered {
        self.places.forget();
        let value = self.expr(left, env);
        match domain {
            Domain::Set(members) => {
                let parts = members
                    .iter()
                    .map(|member| {
                        let member = self.expr(member, env);
                        self.compared(Relation::Eq, value.clone(), member, node.span)
                    })
                    .collect();
                balanced(parts, constant(false), &super::connect::or)
            }
            Domain::Range(low, high) => {
                let (low, high) = (self.expr(low, env), self.expr(high, env));
                let above = self.compared(Relation::Ge, value.clone(), low, node.span);
                let below = self.compared(Relation::Le, value, high, node.span);
                super::connect::and(above, below)
            }
            Domain::Name(of) => {
                if self.is_member(&value)
                    && let Some(members) = self.sort_named(of, env)
                {
                    let name = value.to_string();
                    return constant(members.contains(&name));
                }
                let of = self.expr(of, env);
                let atom = Expr::Binary(Operator::In, Box::new(value), Box::new(of));
                self.holds(AtomText::Fact(atom), node.span)
            }
        }
    }

    pub(super) fn attitude(
        &mut self,
        node: &'a Node,
        attitude: Attitude,
        agent: &'a Node,
        content: &'a Node,
        env: &Env<'a>,
    ) -> Lowered {
        self.places.forget();
        let agent = self.agent(agent, env).unwrap_or_default();
        let content = self.expr(content, env);
        let atom = match attitude {
            Attitude::Believes => AtomText::Believes(agent, content),
            Attitude::Desires => AtomText::Desires(agent, content),
            Attitude::Intends => AtomText::Intends(agent, content),
            Attitude::Does => AtomText::Does(agent, content),
            Attitude::Did => AtomText::Did(agent, content),
            Attitude::WillDo => AtomText::WillDo(agent, content),
        };
        self.holds(atom, node.span)
    }

    pub(super) fn says(
        &mut self,
        node: &'a Node,
        from: &'a Node,
        to: &'a Node,
        content: &'a Node,
        env: &Env<'a>,
    ) -> Lowered {
        self.places.forget();
        let from = self.agent(from, env).unwrap_or_default();
        let to = self.agent(to, env).unwrap_or_default();
        let content = self.expr(content, env);
        self.holds(AtomText::Says(from, to, content), node.span)
    }

    pub(super) fn no_belief(
        &mut self,
        node: &'a Node,
        agent: &'a Node,
        about: &'a Node,
        env: &Env<'a>,
    ) -> Lowered {
        self.places.forget();
        let agent = self.agent(agent, env).unwrap_or_default();
        let about = self.expr(about, env);
        let belief = Expr::Call("belief".to_owned(), vec![Expr::Call(agent, Vec::new()), about]);
        let none = Expr::Call("none".to_owned(), Vec::new());
        let atom = Expr::Binary(Operator::Eq, Box::new(belief), Box::new(none));
        self.holds(AtomText::Fact(atom), node.span)
    }

    /// The agent that a node names.
    pub(super) fn agent(&mut self, node: &'a Node, env: &Env<'a>) -> Option<String> {
        let expr = self.expr(node, env);
        let Some(name) = dotted(&expr) else {
            if !matches!(node.bare().tree, Tree::Error) {
                let help = "name the agent, as in `Bel(ag1, ...)`";
                self.error("M0226", node.span, "this is not an agent", help);
            }
            return None;
        };
        let agents = &self.vocabulary.agents;
        if !agents.is_empty() && !agents.contains(&name) {
            let help = match suggest(&name, agents.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`"),
                None => format!("the agents are {}", listed(agents)),
            };
            self.error("M0225", node.span, format!("there is no agent `{name}`"), help);
            return None;
        }
        Some(name)
    }
}

pub(super) fn operator(relation: Relation) -> Operator {
    match relation {
        Relation::Eq => Operator::Eq,
        Relation::Ne => Operator::Ne,
        Relation::Lt => Operator::Lt,
        Relation::Le => Operator::Le,
        Relation::Gt => Operator::Gt,
        Relation::Ge => Operator::Ge,
    }
}

fn truth(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Call(name, arguments) if arguments.is_empty() => match name.as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A plain or dotted name.
pub(super) fn dotted(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Call(name, arguments) if arguments.is_empty() => Some(name.clone()),
        Expr::Field(of, field) => Some(format!("{}.{field}", dotted(of)?)),
        _ => None,
    }
}

/// `a, b and c`, the first dozen.
pub(super) fn listed(names: &[String]) -> String {
    let mut shown: Vec<&str> = names.iter().take(12).map(String::as_str).collect();
    if names.len() > 12 {
        shown.push("...");
        return shown.join(", ");
    }
    match shown.pop() {
        Some(last) if shown.is_empty() => last.to_owned(),
        Some(last) => format!("{} and {last}", shown.join(", ")),
        None => "none".to_owned(),
    }
}
