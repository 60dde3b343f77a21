//! Conditions in words that are the same for conditions that plainly mean the same: `not` is pushed inwards, `forall` is
//! read as no counterexample, operands of symmetric operators are sorted, and bound variables get names by their depth.

use crate::print::format_expression;
use crate::syntax::{BinaryOperator, Expression, ExpressionNode, Name, Quantifier};

/// What names stand for: bound variables and those of `let`.
#[derive(Clone, Default)]
pub(super) struct Wording {
    names: Vec<(String, String)>,
    depth: usize,
}

impl Wording {
    /// `let name = value`
    pub(super) fn define(&mut self, name: &str, value: &Expression) {
        let words = format!("({})", self.words(value));
        self.names.push((name.to_owned(), words));
    }

    /// Whether a condition speaks of this name.
    pub(super) fn mentions(&self, condition: &Expression, name: &str) -> bool {
        let words = self.told(condition, true);
        words.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == name)
    }

    /// `exists name in among: conditions`
    pub(super) fn some(&self, name: &str, among: &Expression, conditions: &[&Expression]) -> String {
        let (member, inner) = self.bind(name);
        let mut parts: Vec<String> = conditions.iter().map(|condition| inner.told(condition, true)).collect();
        parts.sort();
        let parts = if parts.is_empty() { "true".to_owned() } else { parts.join(" and ") };
        format!("exists {member} in {}: {parts}", self.words(among))
    }

    fn bind(&self, name: &str) -> (String, Self) {
        let mut inner = self.clone();
        inner.depth += 1;
        let member =
            ["x", "y", "z"].get(self.depth).map_or_else(|| format!("x{}", self.depth), |&x| x.to_owned());
        inner.names.push((name.to_owned(), member.clone()));
        (member, inner)
    }

    /// Some members satisfy the condition, or its opposite.
    pub(super) fn quantified(
        &self,
        from: &[(Name, Expression)],
        condition: &Expression,
        holds: bool,
    ) -> String {
        let mut scope = self.clone();
        let mut ranges = Vec::new();
        for (name, among) in from {
            let among = scope.words(among);
            let (member, inner) = scope.bind(&name.node);
            ranges.push(format!("{member} in {among}"));
            scope = inner;
        }
        format!("exists {}: {}", ranges.join(", "), scope.told(condition, holds))
    }

    /// A condition without a `not` around it, and whether it or its opposite is meant.
    pub(super) fn question(&self, condition: &Expression) -> (String, bool) {
        use BinaryOperator as B;
        match &condition.node {
            ExpressionNode::Not(inner) => {
                let (words, holds) = self.question(inner);
                (words, !holds)
            }
            ExpressionNode::Binary(B::NotEqual | B::NotIn | B::LessEqual | B::GreaterEqual, _, _) => {
                (self.told(condition, false), false)
            }
            _ => (self.told(condition, true), true),
        }
    }

    /// The condition, or its opposite, in words.
    fn told(&self, condition: &Expression, holds: bool) -> String {
        use BinaryOperator as B;
        let joined = |parts: Vec<String>, sign: &str| {
            let mut parts = parts;
            parts.sort();
            format!("({})", parts.join(sign))
        };
        match (&condition.node, holds) {
            (ExpressionNode::Not(inner), _) => self.told(inner, !holds),
            (ExpressionNode::Binary(B::And, left, right), _) => {
                let parts = vec![self.told(left, holds), self.told(right, holds)];
                joined(parts, if holds { " and " } else { " or " })
            }
            (ExpressionNode::Binary(B::Or, left, right), _) => {
                let parts = vec![self.told(left, holds), self.told(right, holds)];
                joined(parts, if holds { " or " } else { " and " })
            }
            (ExpressionNode::Binary(B::Implies, left, right), _) => {
                let parts = vec![self.told(left, !holds), self.told(right, holds)];
                joined(parts, if holds { " or " } else { " and " })
            }
            (ExpressionNode::Quantified(Quantifier::Some, from, inner), _) => {
                let some = self.quantified(from, inner, true);
                if holds { some } else { format!("not ({some})") }
            }
            (ExpressionNode::Quantified(Quantifier::All, from, inner), _) => {
                let some = self.quantified(from, inner, false);
                if holds { format!("not ({some})") } else { some }
            }
            (ExpressionNode::Binary(operator, left, right), _) => {
                let operator = if holds { Some(*operator) } else { opposite(*operator) };
                match operator {
                    Some(operator) => self.compared(operator, left, right),
                    None => format!("not ({})", self.words(condition)),
                }
            }
            (_, true) => self.words(condition),
            (_, false) => format!("not ({})", self.words(condition)),
        }
    }

    fn compared(&self, operator: BinaryOperator, left: &Expression, right: &Expression) -> String {
        use BinaryOperator as B;
        let (left, right) = (self.words(left), self.words(right));
        let (operator, left, right) = match operator {
            B::Greater => (B::Less, right, left),
            B::GreaterEqual => (B::LessEqual, right, left),
            B::Equal | B::NotEqual if right < left => (operator, right, left),
            _ => (operator, left, right),
        };
        format!("{left} {} {right}", operator.sign())
    }

    /// A value in words.
    fn words(&self, value: &Expression) -> String {
        use BinaryOperator as B;
        match &value.node {
            ExpressionNode::Name(name) => {
                let known = self.names.iter().rev().find(|(known, _)| known == name);
                known.map_or_else(|| name.clone(), |(_, words)| words.clone())
            }
            ExpressionNode::Field(of, field) => format!("{}.{}", self.words(of), field.node),
            ExpressionNode::Call(name, arguments) => format!("{}({})", name.node, self.list(arguments)),
            ExpressionNode::Tuple(parts) => format!("({})", self.list(parts)),
            ExpressionNode::Set(parts) => format!("{{{}}}", self.list(parts)),
            ExpressionNode::Binary(operator, left, right)
                if opposite(*operator).is_none() && !matches!(operator, B::And | B::Or | B::Implies) =>
            {
                format!("({} {} {})", self.words(left), operator.sign(), self.words(right))
            }
            ExpressionNode::Binary(..) | ExpressionNode::Not(_) | ExpressionNode::Quantified(..) => {
                format!("({})", self.told(value, true))
            }
            // The rest is as it is written; a bound variable in it keeps its name, so two of them may differ in vain.
            _ => format_expression(value),
        }
    }

    fn list(&self, parts: &[Expression]) -> String {
        parts.iter().map(|part| self.words(part)).collect::<Vec<_>>().join(", ")
    }
}

/// The comparison that holds when this one does not.
fn opposite(operator: BinaryOperator) -> Option<BinaryOperator> {
    use BinaryOperator as B;
    match operator {
        B::Equal => Some(B::NotEqual),
        B::NotEqual => Some(B::Equal),
        B::Less => Some(B::GreaterEqual),
        B::GreaterEqual => Some(B::Less),
        B::LessEqual => Some(B::Greater),
        B::Greater => Some(B::LessEqual),
        B::In => Some(B::NotIn),
        B::NotIn => Some(B::In),
        _ => None,
    }
}
