//! Names and expressions of the environment language.

use std::collections::BTreeMap;

use motet_source::{Problem, Problems, Span, Spanned, suggest};

use crate::program::{Environment, Expr, Value};
use crate::syntax::{Fold, WorldExpr, WorldKind, WorldOperator};
use crate::term::Terms;

use super::kind::{Base, Kind};

/// A name that stands for a value during one rule.
#[derive(Debug)]
struct Local {
    name: String,
    number: usize,
    kind: Kind,
    used: bool,
}

/// Everything that expressions can refer to.
pub(crate) struct World<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) problems: &'a mut Problems,
    /// What has been resolved so far.
    pub(crate) environment: Environment,
    /// Constants that have a value.
    pub(crate) constants: BTreeMap<String, Value>,
    /// The kind of each variable.
    pub(crate) kinds: Vec<Kind>,
    /// Whether each variable is read anywhere.
    pub(crate) read: Vec<bool>,
    /// Members of sorts and sets, agents.
    pub(crate) symbols: BTreeMap<String, Value>,
    /// Names that were declared but refused; mentioning them is no second problem.
    pub(crate) refused: Vec<String>,
    /// Variables that are declared but have no number yet.
    pub(crate) later: Vec<String>,
    locals: Vec<Local>,
    n_locals: usize,
}

impl<'a> World<'a> {
    pub(crate) fn new(terms: &'a Terms, agents: &[String], problems: &'a mut Problems) -> Self {
        let members: Vec<Value> = agents.iter().map(|name| Value::Symbol(terms.symbol(name))).collect();
        let symbols = agents.iter().cloned().zip(members.iter().copied()).collect();
        let environment =
            Environment { sorts: vec![("agent".to_owned(), members)], ..Environment::default() };
        Self {
            terms,
            problems,
            environment,
            constants: BTreeMap::new(),
            kinds: Vec::new(),
            read: Vec::new(),
            symbols,
            refused: Vec::new(),
            later: Vec::new(),
            locals: Vec::new(),
            n_locals: 0,
        }
    }

    pub(crate) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problems.push(Problem::error(code, span, message, help));
    }

    /// Forgets all locals: a new rule begins.
    pub(crate) fn new_rule(&mut self) {
        self.locals.clear();
        self.n_locals = 0;
    }

    /// How many locals the present rule has used.
    pub(crate) fn n_locals(&self) -> usize {
        self.n_locals
    }

    /// A new local; its number is not used again in the rule.
    pub(crate) fn local(&mut self, name: &str, kind: Kind) -> usize {
        let number = self.n_locals;
        self.n_locals += 1;
        self.locals.push(Local { name: name.to_owned(), number, kind, used: false });
        number
    }

    pub(crate) fn is_local(&self, name: &str) -> bool {
        self.locals.iter().any(|local| local.name == name)
    }

    pub(crate) fn is_used(&self, number: usize) -> bool {
        self.locals.iter().any(|local| local.number == number && local.used)
    }

    pub(crate) fn variable(&self, name: &str) -> Option<usize> {
        self.environment.variables.iter().position(|variable| variable.name == name)
    }

    /// The number of a sort, or a problem.
    pub(crate) fn sort(&mut self, name: &Spanned<String>) -> Option<usize> {
        let found = self.environment.sorts.iter().position(|(known, _)| *known == name.node);
        if found.is_none() && !self.refused.contains(&name.node) {
            let known = self.environment.sorts.iter().map(|(known, _)| known.as_str());
            let help = match suggest(&name.node, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("declare it: `sort {} = {{a, b}}`", name.node),
            };
            self.error("M0538", name.span, format!("there is no sort `{}`", name.node), help);
        }
        found
    }

    /// An expression that must be true or false.
    pub(crate) fn condition(&mut self, tree: &WorldExpr) -> Expr {
        self.expect(tree, Expected::Truth).0
    }

    /// An expression that must be a number.
    pub(crate) fn number(&mut self, tree: &WorldExpr) -> Expr {
        self.expect(tree, Expected::Number).0
    }

    fn expect(&mut self, tree: &WorldExpr, expected: Expected) -> (Expr, Kind) {
        let (expr, kind) = self.expression(tree);
        let suits = matches!(
            (&kind.base, expected),
            (Base::Any, _) | (Base::Bool, Expected::Truth) | (Base::Int, Expected::Number)
        ) || (expected == Expected::Number && kind.meets(&Kind::INT));
        if !suits {
            let wanted = match expected {
                Expected::Truth => "a condition",
                Expected::Number => "a number",
            };
            let help = match (expected, &kind.base) {
                (Expected::Truth, Base::Nothing) => "compare it: `x == none`",
                (Expected::Truth, _) => "compare it with something: `x == 3`",
                (Expected::Number, _) => "use a number or a variable of the kind `0..20`",
            };
            self.error(
                "M0531",
                tree.span,
                format!("{wanted} is needed here, but this is {}", kind.words()),
                help,
            );
        }
        (expr, kind)
    }

    /// An expression and its kind.
    pub(crate) fn expression(&mut self, tree: &WorldExpr) -> (Expr, Kind) {
        match &tree.kind {
            WorldKind::Int(value) => (Expr::Value(Value::Int(*value)), Kind::INT),
            WorldKind::Bool(value) => (Expr::Value(Value::Bool(*value)), Kind::BOOL),
            WorldKind::None => (Expr::Value(Value::None), Kind::NONE),
            WorldKind::Quoted(name) => {
                let value = Value::Symbol(self.terms.symbol(name));
                (Expr::Value(value), Kind::of_value(value))
            }
            WorldKind::Name(name) => self.name(name, tree.span),
            WorldKind::Index(name, index) => self.index(name, index, tree.span),
            WorldKind::Call(name, args) => self.call(name, args, tree.span),
            WorldKind::Negative(inner) => {
                let (inner, kind) = self.expect(inner, Expected::Number);
                (Expr::Negative(Box::new(inner)), Kind::INT.optional_if(kind.optional))
            }
            WorldKind::Not(inner) => (Expr::Not(Box::new(self.condition(inner))), Kind::BOOL),
            WorldKind::Binary(operator, left, right) => self.binary(*operator, left, right, tree.span),
            WorldKind::Fold(fold, name, sort, body) => self.fold(*fold, name, sort, body),
        }
    }

    fn name(&mut self, name: &str, span: Span) -> (Expr, Kind) {
        if let Some(local) = self.locals.iter_mut().rev().find(|local| local.name == name) {
            local.used = true;
            return (Expr::Local(local.number), local.kind.clone());
        }
        if let Some(variable) = self.variable(name) {
            self.read[variable] = true;
            if let Some(sort) = self.environment.variables[variable].index {
                let sort = &self.environment.sorts[sort].0;
                let help = format!(
                    "name one element, `{name}[..]`, or fold over all of them: `all x in {sort}: ..`"
                );
                self.error("M0532", span, format!("`{name}` has one value per {sort}"), help);
                return (Expr::Value(Value::None), Kind::ANY);
            }
            return (Expr::Variable(variable), self.kinds[variable].clone());
        }
        if let Some(&value) = self.constants.get(name) {
            return (Expr::Value(value), Kind::of_value(value));
        }
        if let Some(&value) = self.symbols.get(name) {
            return (Expr::Value(value), Kind::of_value(value));
        }
        self.unknown(name, span);
        (Expr::Value(Value::None), Kind::ANY)
    }

    /// Reports a name that means nothing.
    pub(crate) fn unknown(&mut self, name: &str, span: Span) {
        if self.refused.iter().any(|refused| refused == name) {
            return;
        }
        if self.later.iter().any(|later| later == name) {
            self.not_known(span);
            return;
        }
        let locals = self.locals.iter().map(|local| local.name.as_str());
        let variables = self.environment.variables.iter().map(|variable| variable.name.as_str());
        let constants = self.constants.keys().map(String::as_str);
        let symbols = self.symbols.keys().map(String::as_str);
        // Any two names of one letter are near each other, so those are not worth suggesting.
        let known = locals.chain(variables).chain(constants).chain(symbols).filter(|known| known.len() > 1);
        let help = match suggest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "declare it: `var {name} : 0..9`, `const {name} = 1`, or quote it if it is a plain word"
            ),
        };
        self.error("M0530", span, format!("`{name}` is not declared"), help);
    }

    /// Reports a value that only the run can give.
    pub(crate) fn not_known(&mut self, span: Span) {
        let help = "use numbers and constants only; variables change during the run";
        self.error("M0537", span, "this value has to be known before the run", help);
    }

    fn index(&mut self, name: &str, index: &WorldExpr, span: Span) -> (Expr, Kind) {
        let Some(variable) = self.variable(name) else {
            if self.is_local(name) || self.constants.contains_key(name) || self.symbols.contains_key(name) {
                self.error("M0532", span, format!("`{name}` cannot be indexed"), "leave the index out");
            } else {
                self.unknown(name, span);
            }
            self.expression(index);
            return (Expr::Value(Value::None), Kind::ANY);
        };
        self.read[variable] = true;
        let index = self.index_of(variable, index, span);
        let kind = self.kinds[variable].clone();
        match index {
            Some(index) => (Expr::At(variable, Box::new(index)), kind),
            None => (Expr::Value(Value::None), Kind::ANY),
        }
    }

    /// The index of an indexed variable, or a problem.
    pub(crate) fn index_of(&mut self, variable: usize, tree: &WorldExpr, span: Span) -> Option<Expr> {
        let (index, kind) = self.expression(tree);
        let name = self.environment.variables[variable].name.clone();
        let Some(sort) = self.environment.variables[variable].index else {
            let message = format!("`{name}` has one value, it is not indexed");
            self.error(
                "M0532",
                span,
                message,
                format!("write `{name}`, or declare `var {name}[agent] : ..`"),
            );
            return None;
        };
        let (sort, members) = &self.environment.sorts[sort];
        if !kind.meets(&Kind::of_members(members)) {
            let message =
                format!("`{name}` is indexed by {sort}, but this is {} of another sort", kind.words());
            let known: Vec<String> = members.iter().take(6).map(|value| self.show(*value)).collect();
            self.error("M0532", tree.span, message, format!("the members are {}", known.join(", ")));
            return None;
        }
        if let Expr::Value(value) = index
            && !members.contains(&value)
        {
            let message = format!("`{}` is not a member of {sort}", self.show(value));
            let known: Vec<String> = members.iter().take(6).map(|value| self.show(*value)).collect();
            self.error("M0532", tree.span, message, format!("the members are {}", known.join(", ")));
            return None;
        }
        Some(index)
    }

    /// A value as the user writes it.
    pub(crate) fn show(&self, value: Value) -> String {
        match value {
            Value::None => "none".to_owned(),
            Value::Bool(truth) => truth.to_string(),
            Value::Int(number) => number.to_string(),
            Value::Symbol(symbol) => self.terms.name(symbol).to_string(),
        }
    }

    fn call(&mut self, name: &str, args: &[WorldExpr], span: Span) -> (Expr, Kind) {
        let arity = match name {
            "abs" => 1,
            "min" | "max" => 2,
            _ => {
                let help = match suggest(name, ["abs", "min", "max"]) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "the functions are abs(x), min(x, y) and max(x, y); an element is written `x[i]`"
                        .to_owned(),
                };
                self.error("M0530", span, format!("there is no function `{name}`"), help);
                return (Expr::Value(Value::None), Kind::ANY);
            }
        };
        if args.len() != arity {
            let wanted = if arity == 1 { "one argument" } else { "two arguments" };
            let message = format!("`{name}` takes {wanted}, not {}", args.len());
            self.error("M0531", span, message, "the functions are abs(x), min(x, y) and max(x, y)");
            return (Expr::Value(Value::None), Kind::ANY);
        }
        let first = Box::new(self.number(&args[0]));
        let expr = match (name, args.get(1)) {
            ("min", Some(second)) => Expr::Lesser(first, Box::new(self.number(second))),
            ("max", Some(second)) => Expr::Larger(first, Box::new(self.number(second))),
            _ => Expr::Absolute(first),
        };
        (expr, Kind::INT)
    }

    fn binary(
        &mut self,
        operator: WorldOperator,
        left: &WorldExpr,
        right: &WorldExpr,
        span: Span,
    ) -> (Expr, Kind) {
        let (a, b, kind) = match operator {
            WorldOperator::Equal | WorldOperator::Different => {
                let ((a, one), (b, two)) = (self.expression(left), self.expression(right));
                if !one.meets(&two) {
                    self.never_equal(&one, &two, span);
                }
                (a, b, Kind::BOOL)
            }
            WorldOperator::And | WorldOperator::Or | WorldOperator::Implies => {
                (self.condition(left), self.condition(right), Kind::BOOL)
            }
            WorldOperator::Less
            | WorldOperator::LessEqual
            | WorldOperator::Greater
            | WorldOperator::GreaterEqual => (self.number(left), self.number(right), Kind::BOOL),
            _ => (self.number(left), self.number(right), Kind::INT),
        };
        (Expr::Binary(operator, Box::new(a), Box::new(b)), kind)
    }

    fn never_equal(&mut self, one: &Kind, two: &Kind, span: Span) {
        let (message, help) = match (&one.base, &two.base) {
            (Base::Nothing, _) | (_, Base::Nothing) => (
                "this is never `none`".to_owned(),
                "declare the variable as `opt ..`, or leave the comparison out",
            ),
            (Base::Members(_), Base::Members(_)) => {
                ("these two can never be equal".to_owned(), "compare values of the same sort")
            }
            _ => (
                format!("{} is compared with {}", one.words(), two.words()),
                "compare values of the same kind",
            ),
        };
        self.error("M0531", span, message, help);
    }

    fn fold(
        &mut self,
        fold: Fold,
        name: &Spanned<String>,
        sort: &Spanned<String>,
        body: &WorldExpr,
    ) -> (Expr, Kind) {
        let number = self.sort(sort);
        let member = number.map_or(Kind::ANY, |sort| Kind::of_members(&self.environment.sorts[sort].1));
        let local = self.local(&name.node, member.clone());
        let (body, kind) = match fold {
            Fold::All | Fold::Some | Fold::Count => (self.condition(body), Kind::BOOL),
            _ => self.expect(body, Expected::Number),
        };
        // The name is forgotten behind the fold, its number is not used again.
        if let Some(at) = self.locals.iter().rposition(|known| known.number == local) {
            self.locals.remove(at);
        }
        let result = match fold {
            Fold::All | Fold::Some => Kind::BOOL,
            Fold::Count | Fold::Sum => Kind::INT,
            Fold::Max | Fold::Min => Kind::INT.optional_if(kind.optional),
            Fold::ArgMax | Fold::ArgMin => member.optional_if(kind.optional),
        };
        match number {
            Some(sort) => (Expr::Fold(fold, local, sort, Box::new(body)), result),
            None => (Expr::Value(Value::None), Kind::ANY),
        }
    }
}

/// What an expression has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Truth,
    Number,
}
