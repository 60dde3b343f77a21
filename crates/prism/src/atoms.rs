//! What claims say about a single state: their atoms get a meaning here.

use motet_model::{AtomText, Expr, Operator};
use motet_source::{Problem, Problems, Span, Spanned};

use crate::expr::Test;
use crate::nearest::nearest;
use crate::resolve::compile::{CLAIM, Compiler, Renaming};
use crate::resolve::scope::Scope;
use crate::syntax::{BinaryOperator, Expression, ExpressionNode};

/// A predicate over states.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Predicate {
    /// Something that is computed from the variables.
    Test(Test),
    /// `"init"`
    Initial,
    /// `"deadlock"`
    Deadlock,
}

/// An atom in the language of the model; the labels `"init"` and `"deadlock"` are kept apart.
#[derive(Clone, Debug)]
pub(crate) enum Meant {
    Expression(Expression),
    Initial,
    Deadlock,
}

/// The atoms with their meanings; `None` when the problems say why.
pub(crate) fn resolve(
    atoms: &[Spanned<AtomText>],
    scope: &Scope,
    problems: &mut Problems,
) -> Option<Vec<(Meant, Predicate)>> {
    let resolved: Vec<_> = atoms.iter().map(|atom| one(atom, scope, problems)).collect();
    resolved.into_iter().collect()
}

fn one(atom: &Spanned<AtomText>, scope: &Scope, problems: &mut Problems) -> Option<(Meant, Predicate)> {
    let fact = match &atom.node {
        AtomText::Fact(fact) => fact,
        AtomText::Says(..) | AtomText::Sends(..) | AtomText::Reads(..) => {
            let message = format!("`{}`: modules have no messages, only variables and commands", atom.node);
            let help = "let a command set a variable, and say of it: `becomes (sent = 1)`";
            problems.push(Problem::error("M0831", atom.span, message, help));
            return None;
        }
        other => {
            let message = format!("`{other}` speaks of an agent's mind, and modules have variables only");
            let help = "compare variables: `x = 1`";
            problems.push(Problem::error("M0831", atom.span, message, help));
            return None;
        }
    };
    match fact {
        Expr::Text(label) if label == "init" && !scope.labels.contains_key("init") => {
            return Some((Meant::Initial, Predicate::Initial));
        }
        Expr::Text(label) if label == "deadlock" && !scope.labels.contains_key("deadlock") => {
            return Some((Meant::Deadlock, Predicate::Deadlock));
        }
        _ => {}
    }
    let mut reader = Reader { span: atom.span, scope, problems };
    let expression = reader.expression(fact)?;
    let test = Compiler::new(scope, problems, CLAIM).test(&expression, &Renaming::new())?;
    Some((Meant::Expression(expression), Predicate::Test(test)))
}

/// Turns an atom into an expression of the model.
struct Reader<'a> {
    span: Span,
    scope: &'a Scope,
    problems: &'a mut Problems,
}

impl Reader<'_> {
    fn expression(&mut self, expr: &Expr) -> Option<Expression> {
        let node = match expr {
            Expr::Int(value) => ExpressionNode::Int(*value),
            Expr::Decimal(text) => match text.strip_prefix('-') {
                Some(text) => ExpressionNode::Negative(self.boxed(&Expr::Decimal(text.to_owned()))?),
                None => ExpressionNode::Decimal(text.clone()),
            },
            Expr::Text(label) => return self.label(label),
            Expr::Call(name, arguments) => match (name.as_str(), arguments.as_slice()) {
                ("true", []) => ExpressionNode::Bool(true),
                ("false", []) => ExpressionNode::Bool(false),
                (_, []) => ExpressionNode::Name(name.clone()),
                (_, arguments) => {
                    let arguments = arguments.iter().map(|argument| self.expression(argument));
                    let arguments = arguments.collect::<Option<Vec<_>>>()?;
                    ExpressionNode::Call(Spanned::new(name.clone(), self.span), arguments)
                }
            },
            Expr::Not(inner) => ExpressionNode::Not(self.boxed(inner)?),
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.expression(left)?, self.expression(right)?);
                self.binary(*operator, left, right, expr)?
            }
            Expr::Any
            | Expr::Field(..)
            | Expr::Index(..)
            | Expr::Tuple(_)
            | Expr::List(_)
            | Expr::Size(_)
            | Expr::Quantified(..) => {
                return self.unsupported(expr);
            }
        };
        Some(Expression { node, span: self.span })
    }

    fn boxed(&mut self, expr: &Expr) -> Option<Box<Expression>> {
        self.expression(expr).map(Box::new)
    }

    fn binary(
        &mut self,
        operator: Operator,
        left: Expression,
        right: Expression,
        whole: &Expr,
    ) -> Option<ExpressionNode> {
        let sides =
            |operator, left, right| Some(ExpressionNode::Binary(operator, Box::new(left), Box::new(right)));
        match operator {
            Operator::And => Some(ExpressionNode::And(vec![left, right])),
            Operator::Or => Some(ExpressionNode::Or(vec![left, right])),
            Operator::Mod => {
                Some(ExpressionNode::Call(Spanned::new("mod".to_owned(), self.span), vec![left, right]))
            }
            Operator::In | Operator::Implies | Operator::Union | Operator::Minus => self.unsupported(whole),
            Operator::Add => sides(BinaryOperator::Add, left, right),
            Operator::Sub => sides(BinaryOperator::Subtract, left, right),
            Operator::Mul => sides(BinaryOperator::Multiply, left, right),
            Operator::Div => sides(BinaryOperator::Divide, left, right),
            Operator::Eq => sides(BinaryOperator::Equal, left, right),
            Operator::Ne => sides(BinaryOperator::NotEqual, left, right),
            Operator::Lt => sides(BinaryOperator::Less, left, right),
            Operator::Le => sides(BinaryOperator::LessEqual, left, right),
            Operator::Gt => sides(BinaryOperator::Greater, left, right),
            Operator::Ge => sides(BinaryOperator::GreaterEqual, left, right),
        }
    }

    fn label(&mut self, label: &str) -> Option<Expression> {
        if let Some(body) = self.scope.labels.get(label) {
            return Some(body.clone());
        }
        let (message, help) = if ["init", "deadlock"].contains(&label) {
            (
                format!("\"{label}\" cannot be part of a larger atom"),
                "let it stand alone: `\"init\" & x = 1`".to_owned(),
            )
        } else {
            let known = self.scope.labels.keys().map(String::as_str);
            let help = match nearest(label, known.chain(["init", "deadlock"])) {
                Some(near) => format!("did you mean `\"{near}\"`"),
                None => format!("define it in the model: `label \"{label}\" = ...;`"),
            };
            (format!("there is no label \"{label}\""), help)
        };
        self.problems.push(Problem::error("M0832", self.span, message, help));
        None
    }

    fn unsupported<T>(&mut self, expr: &Expr) -> Option<T> {
        let message = format!("`{expr}` means nothing in a PRISM model");
        let help = "use labels, variables, constants, formulas and arithmetic";
        self.problems.push(Problem::error("M0831", self.span, message, help));
        None
    }
}
