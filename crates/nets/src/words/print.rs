//! Compiled expressions as text again, in the language's own notation. They are printed from what runs, so that also woven
//! and expanded nets are told as they are.

use crate::program::{Expr, Operator, Pattern, Sort};
use crate::semantics::show;
use crate::syntax::Quantifier;
use crate::words::typing::Variables;

/// How tightly an expression binds; the order of the grammar.
const LOOSEST: u8 = 0;
const IMPLIES: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const NOT: u8 = 4;
const COMPARISON: u8 = 5;
const SUM: u8 = 6;
const PRODUCT: u8 = 7;
const POSTFIX: u8 = 8;

/// An expression.
pub(crate) fn expr(expr: &Expr, variables: &Variables<'_>) -> String {
    Printer { variables: variables.clone() }.at(expr, LOOSEST)
}

/// `a`, `<k, _>`
pub(crate) fn pattern(pattern: &Pattern, variables: &Variables<'_>) -> String {
    Printer { variables: variables.clone() }.pattern(pattern)
}

/// `int 0..10`, `Vehicle`, `set of ATOM`
pub(crate) fn sort(program: &crate::program::Program, sort: &Sort) -> String {
    match sort {
        Sort::Token => "token".to_owned(),
        Sort::Bool => "bool".to_owned(),
        Sort::Int(None) => "int".to_owned(),
        Sort::Int(Some((low, high))) => format!("int {low}..{high}"),
        Sort::Enumeration(id) => program.enumerations[id.0 as usize].name.clone(),
        Sort::Class => "class".to_owned(),
        Sort::Agent => "agent".to_owned(),
        Sort::Set(inner) => format!("set of {}", self::sort(program, inner)),
        Sort::Record(record) => match &record.name {
            Some(name) => name.clone(),
            None => {
                let field =
                    |(name, inner): &(String, Sort)| format!("{name}: {}", self::sort(program, inner));
                format!("({})", record.fields.iter().map(field).collect::<Vec<_>>().join(", "))
            }
        },
        Sort::Unknown => "?".to_owned(),
    }
}

struct Printer<'a> {
    variables: Variables<'a>,
}

impl Printer<'_> {
    /// The text, in parentheses if it binds more loosely than its place wants.
    fn at(&mut self, expr: &Expr, wanted: u8) -> String {
        let (strength, text) = self.text(expr);
        if strength < wanted { format!("({text})") } else { text }
    }

    fn list(&mut self, exprs: &[Expr]) -> String {
        exprs.iter().map(|expr| self.at(expr, LOOSEST)).collect::<Vec<_>>().join(", ")
    }

    fn text(&mut self, expr: &Expr) -> (u8, String) {
        let (program, net) = (self.variables.program, self.variables.net);
        match expr {
            Expr::Constant(value) => (POSTFIX, show::value(program, value)),
            Expr::Variable(variable) => (POSTFIX, self.variables.name(*variable).to_owned()),
            Expr::Cell(place) | Expr::Place(place) => (POSTFIX, net.places[place.0 as usize].name.clone()),
            Expr::Within(of, places) => {
                let mut named = program.nets.iter().zip(places.iter());
                let name = named.find_map(|(net, place)| Some(&net.places[place.as_ref()?.0 as usize].name));
                (POSTFIX, format!("{}.{}", self.at(of, POSTFIX), name.map_or("?", |name| name)))
            }
            Expr::Goal(of, goals) => {
                let mut named = program.nets.iter().zip(goals.iter());
                let name = named.find_map(|(net, goal)| Some(&net.goals[(*goal)?].0));
                (POSTFIX, format!("{}.{}", self.at(of, POSTFIX), name.map_or("?", |name| name)))
            }
            Expr::Field(of, field) => {
                let name = self.variables.field(of, *field);
                (POSTFIX, format!("{}.{name}", self.at(of, POSTFIX)))
            }
            Expr::Record(fields) => (POSTFIX, format!("({})", self.list(fields))),
            Expr::Set(members) => (POSTFIX, format!("{{{}}}", self.list(members))),
            Expr::Comprehension(element, ranges, condition) => {
                let ranges: Vec<String> = ranges
                    .iter()
                    .map(|(variable, domain)| {
                        let domain_text = self.at(domain, LOOSEST);
                        self.variables.range(*variable, domain);
                        format!("{} in {domain_text}", self.variables.name(*variable))
                    })
                    .collect();
                let condition =
                    condition.as_ref().map(|condition| format!(" where {}", self.at(condition, LOOSEST)));
                let element = self.at(element, LOOSEST);
                (POSTFIX, format!("{{{element} | {}{}}}", ranges.join(", "), condition.unwrap_or_default()))
            }
            Expr::Range(from, to) => (SUM, format!("{}..{}", self.at(from, SUM), self.at(to, SUM))),
            Expr::Not(of) => self.negation(of),
            Expr::Negative(of) => (PRODUCT, format!("-{}", self.at(of, POSTFIX))),
            Expr::Binary(operator, left, right) => self.binary(*operator, left, right),
            Expr::SameToken(one, other) => {
                let (one, other) = (self.variables.name(*one), self.variables.name(*other));
                (COMPARISON, format!("{one} = {other}"))
            }
            Expr::Quantified(quantifier, variable, domain, body) => {
                let word = match quantifier {
                    Quantifier::All => "forall",
                    Quantifier::Some => "exists",
                };
                let domain_text = self.at(domain, SUM);
                self.variables.range(*variable, domain);
                let name = self.variables.name(*variable);
                (LOOSEST, format!("{word} {name} in {domain_text}: {}", self.at(body, LOOSEST)))
            }
            _ => self.functional(expr),
        }
    }

    fn functional(&mut self, expr: &Expr) -> (u8, String) {
        let program = self.variables.program;
        match expr {
            Expr::If(condition, then, otherwise) => {
                let (condition, then) = (self.at(condition, LOOSEST), self.at(then, LOOSEST));
                (LOOSEST, format!("if {condition} then {then} else {}", self.at(otherwise, LOOSEST)))
            }
            Expr::With(of, replaced) => {
                let replaced: Vec<String> = replaced
                    .iter()
                    .map(|(field, term)| {
                        format!("{} = {}", self.variables.field(of, *field), self.at(term, LOOSEST))
                    })
                    .collect();
                (POSTFIX, format!("{} with {{{}}}", self.at(of, POSTFIX), replaced.join(", ")))
            }
            Expr::New(class, arguments) => {
                (POSTFIX, format!("new {}({})", self.at(class, POSTFIX), self.list(arguments)))
            }
            Expr::Size(of) => (POSTFIX, format!("size({})", self.at(of, LOOSEST))),
            Expr::Count(of, pattern) => {
                (POSTFIX, format!("count({}, {})", self.at(of, LOOSEST), self.pattern(pattern)))
            }
            Expr::ClassOf(of) => (POSTFIX, format!("class({})", self.at(of, LOOSEST))),
            Expr::Call(definition, arguments) => {
                let name = &program.definitions[definition.0 as usize].name;
                let text = if arguments.is_empty() {
                    name.clone()
                } else {
                    format!("{name}({})", self.list(arguments))
                };
                (POSTFIX, text)
            }
            Expr::Ranged(of, ..) => self.text(of),
            Expr::Enabled(transition) => {
                let system = &program.nets[program.system.0 as usize];
                (POSTFIX, format!("enabled({})", system.transitions[transition.0 as usize].name))
            }
            other => unreachable!("{other:?} is printed elsewhere"),
        }
    }

    fn negation(&mut self, of: &Expr) -> (u8, String) {
        match of {
            Expr::SameToken(one, other) => {
                let (one, other) = (self.variables.name(*one), self.variables.name(*other));
                (COMPARISON, format!("{one} != {other}"))
            }
            Expr::Binary(Operator::In, left, right) => {
                (COMPARISON, format!("{} notin {}", self.at(left, SUM), self.at(right, SUM)))
            }
            _ => (NOT, format!("not {}", self.at(of, NOT))),
        }
    }

    fn binary(&mut self, operator: Operator, left: &Expr, right: &Expr) -> (u8, String) {
        let (strength, symbol) = match operator {
            Operator::Implies => (IMPLIES, "=>"),
            Operator::Or => (OR, "or"),
            Operator::And => (AND, "and"),
            Operator::Equal => (COMPARISON, "="),
            Operator::NotEqual => (COMPARISON, "!="),
            Operator::Less => (COMPARISON, "<"),
            Operator::LessEqual => (COMPARISON, "<="),
            Operator::In => (COMPARISON, "in"),
            Operator::Add => (SUM, "+"),
            Operator::Subtract => (SUM, "-"),
            Operator::Union => (SUM, "union"),
            Operator::Minus => (SUM, "minus"),
            Operator::Multiply => (PRODUCT, "*"),
            Operator::Divide => (PRODUCT, "/"),
            Operator::Modulo => (PRODUCT, "%"),
        };
        // Sums and products group to the left, comparisons and implications not at all.
        let left_wanted = if matches!(strength, IMPLIES | COMPARISON) { strength + 1 } else { strength };
        let (left, right) = (self.at(left, left_wanted), self.at(right, strength + 1));
        (strength, format!("{left} {symbol} {right}"))
    }

    fn pattern(&mut self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Any => "_".to_owned(),
            Pattern::Bind(variable) => self.variables.name(*variable).to_owned(),
            Pattern::Equal(expr) => self.at(expr, POSTFIX),
            Pattern::Record(fields) => {
                let fields: Vec<String> = fields.iter().map(|field| self.pattern(field)).collect();
                format!("({})", fields.join(", "))
            }
        }
    }
}
