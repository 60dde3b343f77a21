//! Terms and literals of plans to patterns.

use motet_source::{Problem, Span};

use crate::program::{Atom, Mode, Pattern, VariableIndex};
use crate::syntax::{ArithmeticOperator, Literal, TermKind, TermTree};
use crate::term::{Term, TermId};

use super::agent::AgentResolver;
use super::spelling;
use super::traffic::Key;

/// What a term is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose<'a> {
    /// To be matched: variables without a value get one.
    Match,
    /// To be built: every variable needs a value when this happens.
    Build(&'a str),
    /// To be built in strict mode, where every variable must surely have a value.
    Goal(&'a str),
    /// Taken as it is.
    Open,
}

impl AgentResolver<'_, '_> {
    /// A term; the variables it mentions are added to `seen`.
    pub(crate) fn term(
        &mut self,
        tree: &TermTree,
        purpose: Purpose<'_>,
        seen: &mut Vec<VariableIndex>,
    ) -> Pattern {
        match &tree.kind {
            TermKind::Variable(name) => self.variable(name, tree.span, purpose, seen),
            TermKind::Anonymous => {
                if let Purpose::Build(what) | Purpose::Goal(what) = purpose {
                    self.problems.push(Problem::error(
                        "M0421",
                        tree.span,
                        format!("`_` has no value when {what}"),
                        "write the value, or a variable that an earlier condition binds",
                    ));
                }
                Pattern::Any
            }
            TermKind::Int(value) => Pattern::Ground(self.context.terms.int(*value)),
            TermKind::Real(text) => self.real(text, tree.span),
            TermKind::Text(text) => {
                let text = self.context.terms.symbol(text);
                Pattern::Ground(self.context.terms.term(Term::Text(text)))
            }
            TermKind::Structure(literal) => {
                if let Some(annotation) = literal.annotations.first() {
                    self.problems.push(Problem::error(
                        "M0425",
                        annotation.span,
                        "a term inside another one cannot carry annotations",
                        "leave them out, or make them arguments",
                    ));
                }
                self.structure(literal, purpose, seen)
            }
            TermKind::List(items, tail) => self.list(items, tail.as_deref(), purpose, seen),
            TermKind::Negative(operand) => {
                let zero = Pattern::Ground(self.context.terms.int(0));
                let operand = self.operand(operand, seen);
                self.arithmetic(ArithmeticOperator::Subtract, zero, operand)
            }
            TermKind::Binary(operator, left, right) => {
                let left = self.operand(left, seen);
                let right = self.operand(right, seen);
                self.arithmetic(*operator, left, right)
            }
        }
    }

    fn variable(
        &mut self,
        name: &str,
        span: Span,
        purpose: Purpose<'_>,
        seen: &mut Vec<VariableIndex>,
    ) -> Pattern {
        let Some(variable) = self.scope.variable(name, span) else {
            self.too_many_variables(span);
            return Pattern::Any;
        };
        seen.push(variable);
        let bindings = &self.scope.bindings;
        match purpose {
            Purpose::Build(what) if !bindings.is_possible(variable) => self.without_value(name, span, what),
            Purpose::Goal(what) if self.context.mode == Mode::Strict && !bindings.is_certain(variable) => {
                self.problems.push(Problem::error(
                    "M0428",
                    span,
                    format!("`{name}` may have no value when {what}"),
                    format!(
                        "bind it before, for example by `?p({name})`; in AgentSpeak(F) goals are called with values only"
                    ),
                ));
            }
            _ => {}
        }
        Pattern::Variable(variable)
    }

    pub(crate) fn too_many_variables(&mut self, span: Span) {
        self.problems.push(Problem::error(
            "M0403",
            span,
            "too many variables in one plan",
            "split the plan, or keep its data in beliefs",
        ));
    }

    fn without_value(&mut self, name: &str, span: Span, what: &str) {
        self.problems.push(Problem::error(
            "M0421",
            span,
            format!("`{name}` has no value when {what}"),
            format!("bind it before: in the event, in the context, or by `?p({name})`"),
        ));
    }

    /// An operand of arithmetic: a number, or a variable that has a value.
    fn operand(&mut self, tree: &TermTree, seen: &mut Vec<VariableIndex>) -> Pattern {
        match &tree.kind {
            TermKind::Structure(_) | TermKind::List(..) | TermKind::Text(_) => {
                self.problems.push(Problem::error(
                    "M0427",
                    tree.span,
                    format!("`{}` is not a number", spelling::term(tree)),
                    "arithmetic takes numbers and variables; query a belief first: `?p(X)`",
                ));
                Pattern::Any
            }
            _ => self.term(tree, Purpose::Build("this is computed"), seen),
        }
    }

    /// Arithmetic on known whole numbers is done at once.
    fn arithmetic(&self, operator: ArithmeticOperator, left: Pattern, right: Pattern) -> Pattern {
        if let (Pattern::Ground(a), Pattern::Ground(b)) = (&left, &right)
            && let (Term::Int(a), Term::Int(b)) = (self.context.terms.get(*a), self.context.terms.get(*b))
            && let Some(value) = folded(operator, *a, *b)
        {
            return Pattern::Ground(self.context.terms.int(value));
        }
        Pattern::Arithmetic(operator, Box::new(left), Box::new(right))
    }

    fn real(&mut self, text: &str, span: Span) -> Pattern {
        let value: f64 = text.parse().unwrap_or(f64::INFINITY);
        if !value.is_finite() {
            self.problems.push(Problem::error(
                "M0407",
                span,
                "this number is too large",
                format!("the largest number is {}", i64::MAX),
            ));
        }
        Pattern::Ground(real(self.context.terms, value))
    }

    /// `p(x)`; ground structures become one number.
    pub(crate) fn structure(
        &mut self,
        literal: &Literal,
        purpose: Purpose<'_>,
        seen: &mut Vec<VariableIndex>,
    ) -> Pattern {
        let functor = self.context.terms.symbol(&functor(literal));
        let args: Vec<Pattern> = literal.args.iter().map(|arg| self.term(arg, purpose, seen)).collect();
        match ground(&args) {
            Some(args) => Pattern::Ground(self.context.terms.structure(functor, &args)),
            None => Pattern::Structure(functor, args),
        }
    }

    fn list(
        &mut self,
        items: &[TermTree],
        tail: Option<&TermTree>,
        purpose: Purpose<'_>,
        seen: &mut Vec<VariableIndex>,
    ) -> Pattern {
        let items: Vec<Pattern> = items.iter().map(|item| self.term(item, purpose, seen)).collect();
        let terms = self.context.terms;
        let mut list = match tail {
            None => Pattern::Ground(terms.nil()),
            Some(tail) => self.term(tail, purpose, seen),
        };
        for item in items.into_iter().rev() {
            list = match (item, list) {
                (Pattern::Ground(head), Pattern::Ground(rest)) => Pattern::Ground(terms.cons(head, rest)),
                (head, rest) => Pattern::Structure(terms.symbol("."), vec![head, rest]),
            };
        }
        list
    }

    /// A literal with its `[source(S)]`.
    pub(crate) fn atom(
        &mut self,
        literal: &Literal,
        purpose: Purpose<'_>,
        seen: &mut Vec<VariableIndex>,
    ) -> Atom {
        let pattern = self.structure(literal, purpose, seen);
        let mut source = None;
        if let (Mode::Strict, Some(annotation)) = (self.context.mode, literal.annotations.first()) {
            self.refuse_feature(annotation.span, "annotations");
            return Atom { pattern, source };
        }
        for annotation in &literal.annotations {
            match source_of(annotation) {
                Some(term) if source.is_none() => source = Some(self.term(term, purpose, seen)),
                _ => self.problems.push(Problem::error(
                    "M0425",
                    annotation.span,
                    format!("the annotation `{}` is not understood", spelling::term(annotation)),
                    "only one `[source(S)]` is; other annotations have to become arguments",
                )),
            }
        }
        Atom { pattern, source }
    }

    /// A literal that cannot carry annotations: actions and goals.
    pub(crate) fn bare(
        &mut self,
        literal: &Literal,
        purpose: Purpose<'_>,
        seen: &mut Vec<VariableIndex>,
    ) -> Pattern {
        if let Some(annotation) = literal.annotations.first() {
            self.problems.push(Problem::error(
                "M0425",
                annotation.span,
                "annotations have no meaning here",
                "leave them out",
            ));
        }
        self.structure(literal, purpose, seen)
    }
}

/// The name with its strong negation.
pub(crate) fn functor(literal: &Literal) -> String {
    if literal.strongly_negated { format!("~{}", literal.name.node) } else { literal.name.node.clone() }
}

/// Name and arity.
pub(crate) fn key(literal: &Literal) -> Key {
    (functor(literal), literal.args.len())
}

/// `S` of `source(S)`.
pub(crate) fn source_of(annotation: &TermTree) -> Option<&TermTree> {
    match &annotation.kind {
        TermKind::Structure(literal) if literal.name.node == "source" && literal.args.len() == 1 => {
            literal.args.first()
        }
        _ => None,
    }
}

fn ground(patterns: &[Pattern]) -> Option<Vec<TermId>> {
    patterns.iter().map(|pattern| if let Pattern::Ground(id) = pattern { Some(*id) } else { None }).collect()
}

/// A number as a term: whole numbers are whole.
pub(crate) fn real(terms: &crate::term::Terms, value: f64) -> TermId {
    // Every whole f64 below 2^53 is exactly an i64.
    if value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0 {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        return terms.int(value as i64);
    }
    terms.term(Term::Real(value.to_bits()))
}

fn folded(operator: ArithmeticOperator, a: i64, b: i64) -> Option<i64> {
    match operator {
        ArithmeticOperator::Add => a.checked_add(b),
        ArithmeticOperator::Subtract => a.checked_sub(b),
        ArithmeticOperator::Multiply => a.checked_mul(b),
        ArithmeticOperator::Divide => (a.checked_rem(b)? == 0).then(|| a.checked_div(b))?,
        // Division and remainder round towards zero, as Jason does: `-7 mod 3` is -1.
        ArithmeticOperator::IntegerDivide => a.checked_div(b),
        ArithmeticOperator::Modulo => a.checked_rem(b),
        ArithmeticOperator::Power => a.checked_pow(u32::try_from(b).ok()?),
    }
}
