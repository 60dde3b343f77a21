//! Whether the work of an operation has a case for every request: only then is every request answered (Chang 2011, 6.3.3).
//!
//! The guards are looked at as they are written. A comparison of a field of the request with a constant is decided for every
//! value of the field. Anything else, such as what a cell holds, may be true or false, and the same words are equally true
//! wherever they stand; [`super::wording`] says what counts as the same.

use motet_source::{Problem, Problems};

use super::operation::{REQUEST, names};
use super::requests::Requests;
use super::sorts::Declared;
use super::wording::Wording;
use crate::print::statement::arc_in;
use crate::syntax::{
    BinaryOperator, Expression, ExpressionNode, Operation, Quantifier, Statement, StatementNode, TypeNode,
    TypeText,
};

/// How many situations are tried; a work with more is passed over.
const LIMIT_SITUATIONS: usize = 200_000;

/// How many members of a range are told apart.
const LIMIT_RANGE: i64 = 64;

/// Warns of a work that leaves a case out.
pub(super) fn review(
    operation: &Operation,
    requests: &Requests,
    declared: &Declared,
    problems: &mut Problems,
) {
    let mut cases = Cases { operation, requests, declared, questions: Vec::new() };
    let alternatives: Vec<Guard> =
        disjuncts(&operation.work).iter().map(|body| cases.guard_of(body)).collect();
    let Some(left_out) = cases.left_out(&alternatives) else { return };
    let [_, work, _] = names(operation);
    let message = if left_out.is_empty() {
        format!("`{}` has no case for any request", work.node)
    } else {
        format!("`{}` has no case for a request `r` with {}", work.node, left_out.join(" and "))
    };
    let help = format!(
        "such a request is never answered; add a case: `alt {{ when ...; out {}(r with {{content = ...}}); }}`",
        operation.result.node
    );
    problems.push(Problem::warning("M1056", work.span, message, help));
}

/// The statements of each disjunct.
fn disjuncts(body: &[Statement]) -> Vec<Vec<&Statement>> {
    let (alternatives, shared): (Vec<&Statement>, Vec<&Statement>) =
        body.iter().partition(|statement| matches!(statement.node, StatementNode::Alternative(_)));
    let mut all = Vec::new();
    for alternative in &alternatives {
        let StatementNode::Alternative(parts) = &alternative.node else { continue };
        for own in disjuncts(parts) {
            all.push(shared.iter().copied().chain(own).collect());
        }
    }
    if alternatives.is_empty() { vec![shared] } else { all }
}

/// A condition over questions, by their numbers.
enum Guard {
    Constant(bool),
    /// A question that is answered with yes or no.
    Holds(usize),
    /// Whether a question about a value has one of these answers.
    Among(usize, Vec<bool>),
    Not(Box<Guard>),
    All(Vec<Guard>),
    Any(Vec<Guard>),
}

/// What differs between situations.
struct Question {
    words: String,
    /// Its answers: the values of a field, or none for a question of yes and no.
    values: Vec<String>,
}

impl Question {
    fn answers(&self) -> usize {
        if self.values.is_empty() { 2 } else { self.values.len() }
    }
}

struct Cases<'a> {
    operation: &'a Operation,
    requests: &'a Requests,
    declared: &'a Declared,
    questions: Vec<Question>,
}

impl Cases<'_> {
    fn ask(&mut self, words: String, values: Vec<String>) -> usize {
        let known = self.questions.iter().position(|question| question.words == words);
        known.unwrap_or_else(|| {
            self.questions.push(Question { words, values });
            self.questions.len() - 1
        })
    }

    /// When the statements of one disjunct can all be carried out.
    fn guard_of(&mut self, body: &[&Statement]) -> Guard {
        let mut wording = Wording::default();
        let mut picks: Vec<(String, &Expression, Vec<&Expression>)> = Vec::new();
        let mut parts = Vec::new();
        for statement in body {
            match &statement.node {
                StatementNode::Pick(name, among, condition) => {
                    picks.push((name.node.clone(), among, condition.iter().collect()));
                }
                StatementNode::Let(name, value) => wording.define(&name.node, value),
                StatementNode::In(arcs) | StatementNode::Read(arcs) | StatementNode::Inhibit(arcs) => {
                    parts.extend(arcs.iter().map(|arc| Guard::Holds(self.ask(arc_in(arc), Vec::new()))));
                }
                StatementNode::When(_)
                | StatementNode::Out(_)
                | StatementNode::Update(..)
                | StatementNode::Sync(_)
                | StatementNode::Alternative(_) => {}
            }
        }
        for statement in body {
            let StatementNode::When(condition) = &statement.node else { continue };
            // What is asked of a member that was picked is asked while it is picked.
            match picks.iter_mut().rev().find(|(name, _, _)| wording.mentions(condition, name)) {
                Some((_, _, conditions)) => conditions.push(condition),
                None => parts.push(self.guard(condition, &wording)),
            }
        }
        for (name, among, conditions) in picks {
            let words = wording.some(&name, among, &conditions);
            parts.push(Guard::Holds(self.ask(words, Vec::new())));
        }
        Guard::All(parts)
    }

    fn guard(&mut self, condition: &Expression, wording: &Wording) -> Guard {
        use BinaryOperator as B;
        match &condition.node {
            ExpressionNode::Bool(value) => Guard::Constant(*value),
            ExpressionNode::Not(inner) => Guard::Not(Box::new(self.guard(inner, wording))),
            ExpressionNode::Binary(B::And, left, right) => {
                Guard::All(vec![self.guard(left, wording), self.guard(right, wording)])
            }
            ExpressionNode::Binary(B::Or, left, right) => {
                Guard::Any(vec![self.guard(left, wording), self.guard(right, wording)])
            }
            ExpressionNode::Binary(B::Implies, left, right) => {
                let left = Guard::Not(Box::new(self.guard(left, wording)));
                Guard::Any(vec![left, self.guard(right, wording)])
            }
            ExpressionNode::Binary(operator, left, right) => {
                let found = self.decided(*operator, left, right);
                found.unwrap_or_else(|| self.asked(condition, wording))
            }
            ExpressionNode::Quantified(Quantifier::All, from, inner) => {
                let words = wording.quantified(from, inner, false);
                Guard::Not(Box::new(Guard::Holds(self.ask(words, Vec::new()))))
            }
            _ => self.asked(condition, wording),
        }
    }

    /// A question of yes and no, or the opposite of one.
    fn asked(&mut self, condition: &Expression, wording: &Wording) -> Guard {
        let (words, holds) = wording.question(condition);
        let asked = Guard::Holds(self.ask(words, Vec::new()));
        if holds { asked } else { Guard::Not(Box::new(asked)) }
    }

    /// A comparison of a field of the request with constants.
    fn decided(&mut self, operator: BinaryOperator, left: &Expression, right: &Expression) -> Option<Guard> {
        use BinaryOperator as B;
        let (field, values, constant, turned) = match (self.field(left), self.field(right)) {
            (Some((field, values)), None) => (field, values, right, false),
            (None, Some((field, values))) => (field, values, left, true),
            _ => return None,
        };
        let constants = match (&constant.node, operator) {
            (ExpressionNode::Set(members), B::In | B::NotIn) if !turned => members.iter().collect(),
            (_, B::In | B::NotIn) => return None,
            _ => vec![constant],
        };
        let constants: Vec<String> = constants
            .into_iter()
            .map(|one| label(one).filter(|one| values.contains(one)))
            .collect::<Option<_>>()?;
        let number = |text: &String| text.parse::<i64>().ok();
        let compare = |test: fn(i64, i64) -> bool| {
            let constant = number(constants.first()?)?;
            let pair = |value: i64| if turned { test(constant, value) } else { test(value, constant) };
            values.iter().map(|value| number(value).map(pair)).collect::<Option<Vec<bool>>>()
        };
        let among =
            |wanted: bool| Some(values.iter().map(|value| constants.contains(value) == wanted).collect());
        let answers = match operator {
            B::Equal | B::In => among(true),
            B::NotEqual | B::NotIn => among(false),
            B::Less => compare(|left, right| left < right),
            B::LessEqual => compare(|left, right| left <= right),
            B::Greater => compare(|left, right| left > right),
            B::GreaterEqual => compare(|left, right| left >= right),
            _ => None,
        }?;
        Some(Guard::Among(self.ask(format!("{REQUEST}.{field}"), values), answers))
    }

    /// A field of the request and its values, if they can be listed. What is asked for is the action of the operation.
    fn field(&self, expression: &Expression) -> Option<(String, Vec<String>)> {
        let ExpressionNode::Field(of, field) = &expression.node else { return None };
        if of.node != ExpressionNode::Name(REQUEST.to_owned()) {
            return None;
        }
        let mut values = self.values(self.requests.field(&field.node)?)?;
        if field.node == "action" {
            values.retain(|value| *value == self.operation.action.node);
        }
        (!values.is_empty()).then(|| (field.node.clone(), values))
    }

    fn values(&self, sort: &TypeText) -> Option<Vec<String>> {
        match &self.declared.behind(sort).node {
            TypeNode::Bool => Some(vec!["false".to_owned(), "true".to_owned()]),
            TypeNode::Named(name) => self.declared.members(name).map(<[String]>::to_vec),
            TypeNode::Int(Some((low, high))) => {
                let (low, high) = (label(low)?.parse::<i64>().ok()?, label(high)?.parse::<i64>().ok()?);
                let few = high.checked_sub(low).is_some_and(|span| span < LIMIT_RANGE);
                few.then(|| (low..=high).map(|value| value.to_string()).collect())
            }
            _ => None,
        }
    }

    /// A situation in which no alternative applies, told by what matters in it.
    fn left_out(&self, alternatives: &[Guard]) -> Option<Vec<String>> {
        let sizes: Vec<usize> = self.questions.iter().map(Question::answers).collect();
        let all = sizes.iter().try_fold(1_usize, |all, size| all.checked_mul(*size));
        all.filter(|all| *all <= LIMIT_SITUATIONS)?;
        let nothing_applies = |answers: &[usize]| !alternatives.iter().any(|guard| holds(guard, answers));
        let mut found =
            situations(&sizes, &vec![None; sizes.len()]).find(|answers| nothing_applies(answers))?;
        // What may be answered otherwise without a case being found is not told.
        let mut told: Vec<Option<usize>> = found.drain(..).map(Some).collect();
        for question in 0..told.len() {
            let before = told[question].take();
            if !situations(&sizes, &told).all(|answers| nothing_applies(&answers)) {
                told[question] = before;
            }
        }
        let told = self.questions.iter().zip(told).filter_map(|(question, answer)| {
            let answer = answer?;
            Some(match (question.values.get(answer), answer) {
                (Some(value), _) => format!("{} = {value}", question.words),
                (None, 0) => format!("not ({})", question.words),
                (None, _) if question.words.starts_with("exists ") => format!("({})", question.words),
                (None, _) => question.words.clone(),
            })
        });
        Some(told.collect())
    }
}

/// All answers to all questions; those that are given are kept.
fn situations(sizes: &[usize], given: &[Option<usize>]) -> impl Iterator<Item = Vec<usize>> {
    let open: Vec<(usize, usize)> = sizes
        .iter()
        .enumerate()
        .filter(|(question, _)| given[*question].is_none())
        .map(|(question, size)| (question, *size))
        .collect();
    let all: usize = open.iter().map(|(_, size)| size).product();
    let given = given.to_vec();
    (0..all).map(move |number| {
        let mut rest = number;
        let mut answers: Vec<usize> = given.iter().map(|answer| answer.unwrap_or_default()).collect();
        for &(question, size) in &open {
            answers[question] = rest % size;
            rest /= size;
        }
        answers
    })
}

fn holds(guard: &Guard, answers: &[usize]) -> bool {
    match guard {
        Guard::Constant(value) => *value,
        Guard::Holds(question) => answers[*question] == 1,
        Guard::Among(question, wanted) => wanted[answers[*question]],
        Guard::Not(inner) => !holds(inner, answers),
        Guard::All(parts) => parts.iter().all(|part| holds(part, answers)),
        Guard::Any(parts) => parts.iter().any(|part| holds(part, answers)),
    }
}

/// A constant as it is written.
fn label(expression: &Expression) -> Option<String> {
    match &expression.node {
        ExpressionNode::Int(value) => Some(value.to_string()),
        ExpressionNode::Bool(value) => Some(value.to_string()),
        ExpressionNode::Name(name) => Some(name.clone()),
        ExpressionNode::Negative(inner) => label(inner).map(|number| format!("-{number}")),
        _ => None,
    }
}
