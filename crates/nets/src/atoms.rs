//! What claims say about a single marking: their atoms get a meaning here.

use motet_model::{AtomText, Every, Expr, Operator};
use motet_source::{Problem, Problems, Span, Spanned, suggest};

use crate::fired::may_bind;
use crate::program::{Body, Program, TransitionId};
use crate::resolve::{self, Resolved};
use crate::semantics::parts::Reads;
use crate::semantics::scope::{Budget, Instance, Scope};
use crate::syntax::{BinaryOperator, Expression, ExpressionNode, Quantifier};
use crate::value::{NetId, Value};

/// A predicate over markings.
#[derive(Clone, Debug)]
pub(crate) enum Predicate {
    /// Something that is computed from the marking.
    Test(Body),
    /// Something that the last step was.
    Fires(Fires),
}

/// `fires(T)`, `fires(T, x)`: in the last step.
#[derive(Clone, Debug)]
pub(crate) struct Fires {
    /// One of these took part.
    pub(crate) transitions: Vec<(NetId, TransitionId)>,
    /// Each is the value of some variable of its firing.
    pub(crate) values: Vec<Value>,
}

/// The atoms with their meanings; `None` when the problems say why.
pub(crate) fn resolve(
    atoms: &[Spanned<AtomText>],
    resolved: &Resolved,
    problems: &mut Problems,
) -> Option<Vec<Predicate>> {
    let all: Vec<_> =
        atoms.iter().map(|atom| Reader { span: atom.span, resolved, problems }.atom(&atom.node)).collect();
    all.into_iter().collect()
}

struct Reader<'a> {
    span: Span,
    resolved: &'a Resolved,
    problems: &'a mut Problems,
}

impl Reader<'_> {
    fn atom(&mut self, atom: &AtomText) -> Option<Predicate> {
        match atom {
            AtomText::Fact(Expr::Call(name, arguments)) if name == "fires" => self.fires(arguments),
            AtomText::Fact(fact) => {
                let expression = self.expression(fact)?;
                resolve::claim(self.resolved, &expression, self.problems).map(Predicate::Test)
            }
            AtomText::Does(..)
            | AtomText::Did(..)
            | AtomText::WillDo(..)
            | AtomText::Says(..)
            | AtomText::Sends(..)
            | AtomText::Reads(..) => {
                let message = format!("`{atom}` speaks of acts, and nets have transitions");
                self.problem("M1050", message, "write `fires(T)` or `enabled(T)` with a transition T")
            }
            AtomText::Believes(..) | AtomText::Desires(..) | AtomText::Intends(..) => {
                let message =
                    format!("`{atom}` speaks of a mind, and what an agent net knows is its marking");
                let help = "ask what its places hold: `exists a in p: size(a.net.q) = 1` in a `def`";
                self.problem("M1050", message, help)
            }
        }
    }

    fn problem<T>(&mut self, code: &'static str, message: String, help: impl Into<String>) -> Option<T> {
        self.problems.push(Problem::error(code, self.span, message, help));
        None
    }

    fn fires(&mut self, arguments: &[Expr]) -> Option<Predicate> {
        let Some((transition, values)) = arguments.split_first() else {
            return self.problem("M1051", "`fires` takes a transition".to_owned(), "write `fires(T)`");
        };
        let transitions = self.transitions(transition)?;
        let said = values;
        let values: Vec<_> = values.iter().map(|value| self.constant(value)).collect();
        let values = values.into_iter().collect::<Option<Vec<Value>>>()?;
        for (text, value) in said.iter().zip(&values) {
            let program = &self.resolved.program;
            let binds = |&(net, transition): &(NetId, TransitionId)| {
                let net = &program.nets[net.0 as usize];
                may_bind(net, &net.transitions[transition.0 as usize].alternatives, value)
            };
            if !transitions.iter().any(binds) {
                let message = format!("no variable of `{transition}` is ever `{text}`");
                let help = "write a value that its arcs can bind: a token, or a field of one";
                return self.problem("M1051", message, help);
            }
        }
        Some(Predicate::Fires(Fires { transitions, values }))
    }

    /// `Park` is the system net's if it has one, otherwise that of any agent net; `Diesel.Park` is one net's.
    fn transitions(&mut self, name: &Expr) -> Option<Vec<(NetId, TransitionId)>> {
        let program = &self.resolved.program;
        let found = match name {
            Expr::Call(name, none) if none.is_empty() => {
                let own = named(program, |id| id == program.system, name);
                if own.is_empty() { named(program, |_| true, name) } else { own }
            }
            Expr::Field(net, name) => match &**net {
                Expr::Call(net, none) if none.is_empty() => {
                    named(program, |id| program.nets[id.0 as usize].name == *net, name)
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        if !found.is_empty() {
            return Some(found);
        }
        let all =
            program.nets.iter().flat_map(|net| &net.transitions).map(|transition| transition.name.as_str());
        let help = match suggest(&name.to_string(), all) {
            Some(near) => format!("did you mean `{near}`"),
            None => "write the name of a transition, or `Net.transition`".to_owned(),
        };
        self.problem("M1051", format!("there is no transition `{name}`"), help)
    }

    /// A value that is the same in every marking.
    fn constant(&mut self, expr: &Expr) -> Option<Value> {
        let expression = self.expression(expr)?;
        let (body, _) = resolve::term(self.resolved, &expression, self.problems)?;
        let program = &self.resolved.program;
        let reads = Reads::of(program, &body.expr);
        if reads.places.is_empty() && reads.enabled.is_empty() {
            let budget = Budget::new();
            let instance = Instance { net: program.system, arguments: &[], places: &[] };
            let scope = Scope { program, instance, budget: &budget, depth: 0, enabled: None };
            let value = scope.value(&body.expr, &mut scope.environment(body.variables.len()));
            if let Ok(value) = value {
                return Some(value);
            }
        }
        let help = "write a value: `fires(Send, emily)`, `fires(Pay, <truck, 1, 2>)`";
        self.problem("M1051", format!("`{expr}` is no constant value"), help)
    }

    fn expression(&mut self, expr: &Expr) -> Option<Expression> {
        let node = match expr {
            Expr::Int(number) => ExpressionNode::Int(*number),
            Expr::Any => ExpressionNode::Any,
            Expr::Call(name, arguments) => match (name.as_str(), arguments.as_slice()) {
                ("true", []) => ExpressionNode::Bool(true),
                ("false", []) => ExpressionNode::Bool(false),
                (_, []) => ExpressionNode::Name(name.clone()),
                (_, arguments) => ExpressionNode::Call(self.name(name), self.expressions(arguments)?),
            },
            Expr::Field(of, field) => ExpressionNode::Field(self.boxed(of)?, self.name(field)),
            // `<u>` is the token u itself: there are no records of one field without a name.
            Expr::Tuple(items) if items.len() == 1 => return self.expression(&items[0]),
            Expr::Tuple(items) => ExpressionNode::Tuple(self.expressions(items)?),
            Expr::List(items) => ExpressionNode::Set(self.expressions(items)?),
            Expr::Not(of) => ExpressionNode::Not(self.boxed(of)?),
            Expr::Size(of) => {
                let of = self.expression(of)?;
                ExpressionNode::Call(self.name("size"), vec![of])
            }
            Expr::Binary(operator, left, right) => {
                ExpressionNode::Binary(binary(*operator), self.boxed(left)?, self.boxed(right)?)
            }
            Expr::Quantified(every, variable, domain, body) => {
                let quantifier = match every {
                    Every::All => Quantifier::All,
                    Every::Some => Quantifier::Some,
                };
                let domain = (self.name(variable), self.expression(domain)?);
                ExpressionNode::Quantified(quantifier, vec![domain], self.boxed(body)?)
            }
            Expr::Decimal(_) | Expr::Text(_) | Expr::Index(..) => {
                let help = "use places, cells, definitions, whole numbers and tokens such as `<u, r>`";
                return self.problem("M1050", format!("`{expr}` means nothing in a net"), help);
            }
        };
        Some(Expression { node, span: self.span })
    }

    fn expressions(&mut self, exprs: &[Expr]) -> Option<Vec<Expression>> {
        exprs.iter().map(|expr| self.expression(expr)).collect()
    }

    fn boxed(&mut self, expr: &Expr) -> Option<Box<Expression>> {
        self.expression(expr).map(Box::new)
    }

    fn name(&self, name: &str) -> Spanned<String> {
        Spanned::new(name.to_owned(), self.span)
    }
}

fn named(program: &Program, is_meant: impl Fn(NetId) -> bool, name: &str) -> Vec<(NetId, TransitionId)> {
    let nets = (0..).map(NetId).zip(&program.nets).filter(|(id, _)| is_meant(*id));
    let transitions = nets.flat_map(|(id, net)| {
        let transitions = (0..).map(TransitionId).zip(&net.transitions);
        transitions
            .filter(|(_, transition)| transition.name == name)
            .map(move |(transition, _)| (id, transition))
    });
    transitions.collect()
}

fn binary(operator: Operator) -> BinaryOperator {
    match operator {
        Operator::Add => BinaryOperator::Add,
        Operator::Sub => BinaryOperator::Subtract,
        Operator::Mul => BinaryOperator::Multiply,
        Operator::Div => BinaryOperator::Divide,
        Operator::Mod => BinaryOperator::Modulo,
        Operator::Eq => BinaryOperator::Equal,
        Operator::Ne => BinaryOperator::NotEqual,
        Operator::Lt => BinaryOperator::Less,
        Operator::Le => BinaryOperator::LessEqual,
        Operator::Gt => BinaryOperator::Greater,
        Operator::Ge => BinaryOperator::GreaterEqual,
        Operator::In => BinaryOperator::In,
        Operator::And => BinaryOperator::And,
        Operator::Or => BinaryOperator::Or,
        Operator::Implies => BinaryOperator::Implies,
        Operator::Union => BinaryOperator::Union,
        Operator::Minus => BinaryOperator::Minus,
    }
}
