//! Expressions get their types and become what can be computed.

use std::collections::BTreeMap;

use motet_source::{Problem, Problems, Span, Spanned};

use super::scope::{Meaning, Scope};
use crate::expr::{Real, Relation, Test, Typed, Whole};
use crate::fold::Value;
use crate::nearest::nearest;
use crate::number::Number;
use crate::parse::FUNCTIONS;
use crate::program::Domain;
use crate::syntax::{BinaryOperator, Expression, ExpressionNode};

/// How deep a tree may be, with its formulas written out.
const LIMIT_DEPTH: usize = 700;
/// How many parts all expressions of a model may have together, with their formulas written out.
const LIMIT_PARTS: usize = 8_000_000;
/// How many errors are told; looking for the nearest name takes time.
const LIMIT_ERRORS: usize = 200;

/// Old and new names of a module that is a copy.
pub(crate) type Renaming = BTreeMap<String, String>;

/// Which codes problems get: those of the model, or those of claims.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Codes {
    pub(crate) unknown: &'static str,
    pub(crate) kind: &'static str,
}

pub(crate) const MODEL: Codes = Codes { unknown: "M0811", kind: "M0814" };
pub(crate) const CLAIM: Codes = Codes { unknown: "M0832", kind: "M0833" };

/// Compiles expressions. `None` means that a problem was reported.
pub(crate) struct Compiler<'a> {
    pub(crate) scope: &'a Scope,
    pub(crate) problems: &'a mut Problems,
    pub(crate) codes: Codes,
    parts: usize,
    depth: usize,
    errors: usize,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(scope: &'a Scope, problems: &'a mut Problems, codes: Codes) -> Self {
        Self { scope, problems, codes, parts: 0, depth: 0, errors: 0 }
    }

    pub(crate) fn error(&mut self, code: &'static str, span: Span, message: String, help: impl Into<String>) {
        if self.is_patient() {
            self.problems.push(Problem::error(code, span, message, help));
        }
    }

    /// Counts an error, and says whether it is still told.
    pub(crate) fn is_patient(&mut self) -> bool {
        self.errors += 1;
        self.errors <= LIMIT_ERRORS
    }

    /// Something that holds or does not.
    pub(crate) fn test(&mut self, expression: &Expression, names: &Renaming) -> Option<Test> {
        match self.typed(expression, names)? {
            Typed::Test(test) => Some(test),
            other => self.wrong_type(expression.span, "a condition", &other),
        }
    }

    pub(crate) fn real(&mut self, expression: &Expression, names: &Renaming) -> Option<Real> {
        match self.typed(expression, names)? {
            Typed::Real(real) => Some(real),
            Typed::Whole(whole) => Some(Real::whole(whole)),
            other => self.wrong_type(expression.span, "a number", &other),
        }
    }

    fn wrong_type<T>(&mut self, span: Span, wanted: &str, found: &Typed) -> Option<T> {
        let (found, help) = match found {
            Typed::Test(_) => ("true or false", "compare values, or use `condition ? 1 : 0`"),
            Typed::Whole(_) => ("a whole number", "compare it with something, as in `x = 1`"),
            Typed::Real(_) => {
                ("a number with a fraction", "use `floor`, `ceil` or `round`; `/` never gives whole numbers")
            }
        };
        let help = if wanted == "a condition" { "compare it with something, as in `x = 1`" } else { help };
        self.error(self.codes.kind, span, format!("this is {found}, and {wanted} is needed here"), help);
        None
    }

    pub(crate) fn typed(&mut self, expression: &Expression, names: &Renaming) -> Option<Typed> {
        self.parts += 1;
        if self.parts > LIMIT_PARTS || self.depth > LIMIT_DEPTH {
            if self.parts <= LIMIT_PARTS + LIMIT_DEPTH {
                let help = "formulas that use formulas grow; compute some of it in variables";
                let message = "with its formulas written out this is too large".to_owned();
                self.error("M0826", expression.span, message, help);
                self.parts = LIMIT_PARTS + LIMIT_DEPTH + 1;
            }
            return None;
        }
        self.depth += 1;
        let typed = self.typed_here(expression, names);
        self.depth -= 1;
        typed
    }

    fn typed_here(&mut self, expression: &Expression, names: &Renaming) -> Option<Typed> {
        let span = expression.span;
        Some(match &expression.node {
            ExpressionNode::Bool(value) => Typed::Test(Test::Constant(*value)),
            ExpressionNode::Int(value) => Typed::Whole(Whole::Constant(*value)),
            ExpressionNode::Decimal(text) => Typed::Real(Real::Constant(self.decimal(text, span)?)),
            ExpressionNode::Name(name) => self.name(name, span, names)?,
            ExpressionNode::Not(inner) => Typed::Test(self.test(inner, names)?.not()),
            ExpressionNode::Negative(inner) => match self.typed(inner, names)? {
                Typed::Whole(inner) => Typed::Whole(Whole::subtract(Whole::Constant(0), inner)),
                Typed::Real(inner) => Typed::Real(Real::subtract(Real::Constant(Number::ZERO), inner)),
                other @ Typed::Test(_) => return self.wrong_type(inner.span, "a number", &other),
            },
            ExpressionNode::And(parts) => Typed::Test(Test::and(self.tests(parts, names)?)),
            ExpressionNode::Or(parts) => Typed::Test(Test::or(self.tests(parts, names)?)),
            ExpressionNode::Binary(operator, left, right) => self.binary(*operator, left, right, names)?,
            ExpressionNode::Conditional(condition, yes, no) => {
                let condition = self.test(condition, names);
                let (yes, no) = (self.typed(yes, names), self.typed(no, names));
                self.conditional(condition?, yes?, no?, span)?
            }
            ExpressionNode::Call(function, arguments) => self.call(function, arguments, span, names)?,
            ExpressionNode::Error => return None,
        })
    }

    /// All of them are looked at, so that all problems are found.
    fn tests(&mut self, parts: &[Expression], names: &Renaming) -> Option<Vec<Test>> {
        let tests: Vec<Option<Test>> = parts.iter().map(|part| self.test(part, names)).collect();
        tests.into_iter().collect()
    }

    fn decimal(&mut self, text: &str, span: Span) -> Option<Number> {
        let number = Number::read(text);
        if number.is_none() {
            let help = "numbers have at most 38 digits, with those that the exponent adds";
            self.error("M0804", span, "this number is too long to be exact".to_owned(), help);
        }
        number
    }

    fn name(&mut self, name: &str, span: Span, names: &Renaming) -> Option<Typed> {
        let renamed = names.get(name);
        let scope = self.scope;
        match scope.meaning(renamed.map_or(name, String::as_str)) {
            Some(Meaning::Constant(number)) => Some(match scope.constants[number].value? {
                Value::Truth(value) => Typed::Test(Test::Constant(value)),
                Value::Whole(value) => Typed::Whole(Whole::Constant(value)),
                Value::Real(value) => Typed::Real(Real::Constant(value)),
            }),
            Some(Meaning::Variable(slot)) => Some(match scope.variables[slot as usize].domain {
                Domain::Bool => Typed::Test(Test::Within { slot, low: 1, width: 0 }),
                Domain::Range { low, .. } => Typed::Whole(Whole::Variable { slot, base: low }),
            }),
            Some(Meaning::Formula(number)) => {
                let formula = &scope.formulas[number];
                // A formula's own name may be exchanged for another one; otherwise the names inside it are.
                let inside = if renamed.is_some() { &Renaming::new() } else { names };
                if formula.cyclic { None } else { self.typed(&formula.body, inside) }
            }
            None => self.unknown(name, renamed, span),
        }
    }

    fn unknown(&mut self, name: &str, renamed: Option<&String>, span: Span) -> Option<Typed> {
        if !self.is_patient() {
            return None;
        }
        let shown = renamed.map_or(name, String::as_str);
        let near = self.scope.near(shown).map(str::to_owned);
        let help = match &near {
            Some(near) => format!("did you mean `{near}`"),
            None if FUNCTIONS.contains(&shown) => format!("`{shown}` is a function: write its arguments"),
            None => "declare it as a variable, a constant or a formula".to_owned(),
        };
        let mut problem = Problem::error(self.codes.unknown, span, format!("there is no `{shown}`"), help);
        if let (Some(near), None) = (near, renamed) {
            problem = problem.fix(span, near);
        }
        if renamed.is_some() {
            problem = problem.note(format!("`{name}` is renamed to `{shown}` in a copy of this module"));
        }
        self.problems.push(problem);
        None
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        names: &Renaming,
    ) -> Option<Typed> {
        use BinaryOperator as Op;
        match operator {
            Op::Implies | Op::Iff => {
                let (left, right) = (self.test(left, names), self.test(right, names));
                let (left, right) = (left?, right?);
                Some(Typed::Test(match operator {
                    Op::Implies => Test::or(vec![left.not(), right]),
                    _ => Test::iff(left, right),
                }))
            }
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide => {
                let sides = (self.number(left, names), self.number(right, names));
                Some(arithmetic(operator, sides.0?, sides.1?))
            }
            _ => {
                let relation = relation(operator);
                let sides = (self.typed(left, names), self.typed(right, names));
                self.compare(relation, sides.0?, sides.1?, left.span.to(right.span))
            }
        }
    }

    /// A number of either type.
    fn number(&mut self, expression: &Expression, names: &Renaming) -> Option<Typed> {
        match self.typed(expression, names)? {
            other @ Typed::Test(_) => self.wrong_type(expression.span, "a number", &other),
            number => Some(number),
        }
    }

    fn compare(&mut self, relation: Relation, left: Typed, right: Typed, span: Span) -> Option<Typed> {
        Some(Typed::Test(match (left, right) {
            (Typed::Whole(left), Typed::Whole(right)) => Test::compare(relation, left, right),
            (Typed::Test(left), Typed::Test(right)) => match relation {
                Relation::Equal => Test::iff(left, right),
                Relation::NotEqual => Test::iff(left, right).not(),
                _ => {
                    let help = "only `=` and `!=` compare conditions";
                    self.error(self.codes.kind, span, "true and false have no order".to_owned(), help);
                    return None;
                }
            },
            (left, right) => match (real(left), real(right)) {
                (Some(left), Some(right)) => Test::compare_real(relation, left, right),
                _ => {
                    let help = "compare numbers with numbers and conditions with conditions";
                    let message = "this compares a number with a condition".to_owned();
                    self.error(self.codes.kind, span, message, help);
                    return None;
                }
            },
        }))
    }

    fn conditional(&mut self, condition: Test, yes: Typed, no: Typed, span: Span) -> Option<Typed> {
        Some(match (yes, no) {
            (Typed::Test(yes), Typed::Test(no)) => Typed::Test(Test::conditional(condition, yes, no)),
            (Typed::Whole(yes), Typed::Whole(no)) => Typed::Whole(Whole::conditional(condition, yes, no)),
            (yes, no) => match (real(yes), real(no)) {
                (Some(yes), Some(no)) => Typed::Real(Real::conditional(condition, yes, no)),
                _ => {
                    let help = "make both sides numbers, or both conditions";
                    let message = "the two sides of `:` are of different types".to_owned();
                    self.error(self.codes.kind, span, message, help);
                    return None;
                }
            },
        })
    }

    fn call(
        &mut self,
        function: &Spanned<String>,
        arguments: &[Expression],
        span: Span,
        names: &Renaming,
    ) -> Option<Typed> {
        let name = names.get(&function.node).unwrap_or(&function.node).as_str();
        let (least, most) = match name {
            "min" | "max" => (1, usize::MAX),
            "floor" | "ceil" | "round" => (1, 1),
            "pow" | "mod" | "log" => (2, 2),
            _ => {
                let help = match nearest(name, FUNCTIONS.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`"),
                    None => format!("the functions are {}", FUNCTIONS.join(", ")),
                };
                self.error("M0830", function.span, format!("there is no function `{name}`"), help);
                return None;
            }
        };
        if arguments.len() < least || arguments.len() > most {
            let wanted = match (least, most) {
                (1, 1) => "one argument",
                (2, 2) => "two arguments",
                _ => "at least one argument",
            };
            let message = format!("`{name}` takes {wanted}, not {}", arguments.len());
            self.error("M0830", span, message, format!("give it {wanted}"));
            return None;
        }
        let values: Vec<Option<Typed>> =
            arguments.iter().map(|argument| self.number(argument, names)).collect();
        let values: Vec<Typed> = values.into_iter().collect::<Option<_>>()?;
        self.applied(name, values, arguments)
    }

    fn applied(&mut self, name: &str, values: Vec<Typed>, arguments: &[Expression]) -> Option<Typed> {
        let whole: Option<Vec<Whole>> = values.iter().map(as_whole).collect();
        let mut reals: Vec<Real> = values.into_iter().filter_map(real).collect();
        Some(match (name, whole) {
            ("min", Some(parts)) => Typed::Whole(Whole::minimum(parts)),
            ("max", Some(parts)) => Typed::Whole(Whole::maximum(parts)),
            ("min", None) => Typed::Real(Real::extreme(Real::Minimum, reals)),
            ("max", None) => Typed::Real(Real::extreme(Real::Maximum, reals)),
            ("floor" | "ceil" | "round", Some(mut parts)) => Typed::Whole(parts.swap_remove(0)),
            ("floor", None) => Typed::Whole(Whole::floor(reals.swap_remove(0))),
            ("ceil", None) => Typed::Whole(Whole::ceiling(reals.swap_remove(0))),
            ("round", None) => Typed::Whole(Whole::nearest(reals.swap_remove(0))),
            ("mod", Some(mut parts)) => {
                let modulus = parts.swap_remove(1);
                Typed::Whole(Whole::modulo(parts.swap_remove(0), modulus))
            }
            ("mod", None) => {
                let span = arguments[0].span.to(arguments[1].span);
                let help = "use `floor`, `ceil` or `round`";
                self.error(self.codes.kind, span, "`mod` takes whole numbers".to_owned(), help);
                return None;
            }
            ("pow", Some(mut parts)) => {
                let exponent = parts.swap_remove(1);
                Typed::Whole(Whole::power(parts.swap_remove(0), exponent))
            }
            ("pow", None) => {
                let exponent = reals.swap_remove(1);
                Typed::Real(Real::power(reals.swap_remove(0), exponent))
            }
            _ => {
                let base = reals.swap_remove(1);
                Typed::Real(Real::logarithm(reals.swap_remove(0), base))
            }
        })
    }
}

fn as_whole(value: &Typed) -> Option<Whole> {
    if let Typed::Whole(whole) = value { Some(whole.clone()) } else { None }
}

/// A number as a fraction.
fn real(value: Typed) -> Option<Real> {
    match value {
        Typed::Whole(whole) => Some(Real::whole(whole)),
        Typed::Real(real) => Some(real),
        Typed::Test(_) => None,
    }
}

fn arithmetic(operator: BinaryOperator, left: Typed, right: Typed) -> Typed {
    use BinaryOperator as Op;
    match (operator, left, right) {
        (Op::Add, Typed::Whole(left), Typed::Whole(right)) => Typed::Whole(Whole::add(left, right)),
        (Op::Subtract, Typed::Whole(left), Typed::Whole(right)) => Typed::Whole(Whole::subtract(left, right)),
        (Op::Multiply, Typed::Whole(left), Typed::Whole(right)) => Typed::Whole(Whole::multiply(left, right)),
        (operator, left, right) => {
            let sides = (
                real(left).expect("conditions were refused before"),
                real(right).expect("conditions were refused before"),
            );
            Typed::Real(match operator {
                Op::Add => Real::add(sides.0, sides.1),
                Op::Subtract => Real::subtract(sides.0, sides.1),
                Op::Multiply => Real::multiply(sides.0, sides.1),
                _ => Real::divide(sides.0, sides.1),
            })
        }
    }
}

fn relation(operator: BinaryOperator) -> Relation {
    match operator {
        BinaryOperator::NotEqual => Relation::NotEqual,
        BinaryOperator::Less => Relation::Less,
        BinaryOperator::LessEqual => Relation::LessEqual,
        BinaryOperator::Greater => Relation::Greater,
        BinaryOperator::GreaterEqual => Relation::GreaterEqual,
        _ => Relation::Equal,
    }
}
