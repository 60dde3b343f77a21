//! Expressions over the environment as Promela expressions without side effects, so that guards and claims can use them.
//! Quantifiers are written out over the members of their sorts.

use crate::program::{Domain, Environment, Expr, Value, Variable};
use crate::promela::lack::Lack;
use crate::promela::names::{Names, legal};
use crate::syntax::{Fold, WorldOperator};

/// A local name of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Local {
    /// A member of a sort, known when the text is written.
    Known(Value),
    /// A Promela expression.
    Named(String),
}

/// The environment's variables, one Promela variable per cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World<'a> {
    pub(crate) environment: &'a Environment,
    pub(crate) names: &'a Names,
    pub(crate) place: Place,
}

/// Where an expression will stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the code of a process.
    Code,
    /// In a claim, where the arrow of a conditional expression would be an implication.
    Claim,
}

/// Expressions longer than this are not written.
const LIMIT_LENGTH: usize = 200_000;

type Words = Result<String, Lack>;

impl World<'_> {
    /// The Promela variables of a variable, with the members of its sort.
    pub(crate) fn cells(&self, variable: &Variable) -> Vec<(Option<Value>, String)> {
        match variable.index {
            None => vec![(None, format!("w_{}", legal(&variable.name)))],
            Some(sort) => {
                let members = self.environment.sorts[sort].1.iter();
                let cell = |member: &Value| format!("w_{}_{}", legal(&variable.name), self.member(*member));
                members.map(|member| (Some(*member), cell(member))).collect()
            }
        }
    }

    fn member(&self, value: Value) -> String {
        match value {
            Value::None => "none".to_owned(),
            Value::Bool(truth) => truth.to_string(),
            Value::Int(number) if number < 0 => format!("m{}", number.unsigned_abs()),
            Value::Int(number) => number.to_string(),
            Value::Symbol(symbol) => legal(self.names.terms.name(symbol)),
        }
    }

    /// The expression as a value cell holds it.
    pub(crate) fn value(&self, expr: &Expr, locals: &[Local]) -> Words {
        let words = match expr {
            Expr::Value(value) => self.names.value(*value)?,
            Expr::Variable(variable) => self.cells(&self.environment.variables[*variable])[0].1.clone(),
            Expr::At(variable, index) => self.at(*variable, index, locals)?,
            Expr::Local(local) => match &locals[*local] {
                Local::Known(value) => self.names.value(*value)?,
                Local::Named(name) => name.clone(),
            },
            Expr::Negative(of) => format!("(-{})", self.value(of, locals)?),
            Expr::Absolute(of) => {
                let of = self.value(of, locals)?;
                self.choose(&format!("{of} < 0"), &format!("(-{of})"), &of)
            }
            Expr::Lesser(left, right) | Expr::Larger(left, right) => {
                let (left, right) = (self.value(left, locals)?, self.value(right, locals)?);
                let sign = if matches!(expr, Expr::Lesser(..)) { "<" } else { ">" };
                self.choose(&format!("{left} {sign} {right}"), &left, &right)
            }
            Expr::Binary(operator, left, right) if arithmetic(*operator).is_some() => {
                let sign = arithmetic(*operator).unwrap_or_default();
                format!("({} {sign} {})", self.value(left, locals)?, self.value(right, locals)?)
            }
            Expr::Fold(fold, local, sort, body) if !matches!(fold, Fold::All | Fold::Some) => {
                self.fold(*fold, *local, *sort, body, locals)?
            }
            _ => {
                let (yes, no) = (self.names.value(Value::Bool(true))?, self.names.value(Value::Bool(false))?);
                self.choose(&self.condition(expr, locals)?, &yes, &no)
            }
        };
        short(words)
    }

    /// The expression as a condition; an expression that is no truth value is false here and a fault elsewhere.
    pub(crate) fn condition(&self, expr: &Expr, locals: &[Local]) -> Words {
        let words = match expr {
            Expr::Value(Value::Bool(truth)) => u8::from(*truth).to_string(),
            Expr::Not(of) => format!("(!{})", self.condition(of, locals)?),
            Expr::Binary(operator, left, right) => match operator {
                WorldOperator::And | WorldOperator::Or | WorldOperator::Implies => {
                    let (left, right) = (self.condition(left, locals)?, self.condition(right, locals)?);
                    match operator {
                        WorldOperator::And => format!("({left} && {right})"),
                        WorldOperator::Or => format!("({left} || {right})"),
                        _ => format!("(!{left} || {right})"),
                    }
                }
                _ => self.comparison(*operator, left, right, locals)?,
            },
            Expr::Fold(fold @ (Fold::All | Fold::Some), local, sort, body) => {
                let each = self.each(*local, *sort, locals, |all| self.condition(body, all))?;
                let (sign, empty) = if *fold == Fold::All { (" && ", "1") } else { (" || ", "0") };
                if each.is_empty() { empty.to_owned() } else { format!("({})", each.join(sign)) }
            }
            _ => format!("({} == {})", self.value(expr, locals)?, self.names.value(Value::Bool(true))?),
        };
        short(words)
    }

    fn comparison(&self, operator: WorldOperator, left: &Expr, right: &Expr, locals: &[Local]) -> Words {
        let sign = match operator {
            WorldOperator::Equal => "==",
            WorldOperator::Different => "!=",
            WorldOperator::Less => "<",
            WorldOperator::LessEqual => "<=",
            WorldOperator::Greater => ">",
            WorldOperator::GreaterEqual => ">=",
            _ => {
                let (value, yes) =
                    (Expr::Binary(operator, left.clone().into(), right.clone().into()), Value::Bool(true));
                return Ok(format!("({} == {})", self.value(&value, locals)?, self.names.value(yes)?));
            }
        };
        let (l, r) = (self.value(left, locals)?, self.value(right, locals)?);
        // An order exists between numbers only.
        let mut parts = Vec::new();
        if !matches!(operator, WorldOperator::Equal | WorldOperator::Different) {
            let sides = [(left, &l), (right, &r)];
            let open = sides.iter().filter(|(side, _)| !self.is_number(side, locals));
            parts.extend(open.map(|(_, words)| format!("num({words})")));
        }
        parts.push(format!("{l} {sign} {r}"));
        Ok(format!("({})", parts.join(" && ")))
    }

    fn at(&self, variable: usize, index: &Expr, locals: &[Local]) -> Words {
        let cells = self.cells(&self.environment.variables[variable]);
        if let Some(known) = known(index, locals) {
            let cell = cells.iter().find(|(member, _)| *member == Some(known));
            return Ok(cell.map_or_else(|| "0".to_owned(), |(_, name)| name.clone()));
        }
        let index = self.value(index, locals)?;
        let mut words = cells.last().map_or_else(|| "0".to_owned(), |(_, name)| name.clone());
        for (member, name) in cells.iter().rev().skip(1) {
            let member = self.names.value(member.unwrap_or(Value::None))?;
            words = self.choose(&format!("{index} == {member}"), name, &words);
        }
        Ok(words)
    }

    fn fold(&self, fold: Fold, local: usize, sort: usize, body: &Expr, locals: &[Local]) -> Words {
        match fold {
            Fold::Count => {
                let each = self.each(local, sort, locals, |all| self.condition(body, all))?;
                let ones: Vec<_> = each.iter().map(|one| self.choose(one, "1", "0")).collect();
                Ok(if ones.is_empty() { "0".to_owned() } else { format!("({})", ones.join(" + ")) })
            }
            Fold::Sum => {
                let each = self.each(local, sort, locals, |all| self.value(body, all))?;
                Ok(if each.is_empty() { "0".to_owned() } else { format!("({})", each.join(" + ")) })
            }
            _ => self.best(fold, local, sort, body, locals),
        }
    }

    /// One value or the other.
    fn choose(&self, condition: &str, yes: &str, no: &str) -> String {
        match self.place {
            Place::Code => format!("(({condition}) -> {yes} : {no})"),
            Place::Claim => format!("((({condition}) * {yes}) + ((!({condition})) * {no}))"),
        }
    }

    /// The first of the best members: each is compared with all the others.
    fn best(&self, fold: Fold, local: usize, sort: usize, body: &Expr, locals: &[Local]) -> Words {
        let each = self.each(local, sort, locals, |all| self.value(body, all))?;
        let sure = self.is_number(body, locals);
        let upwards = matches!(fold, Fold::Max | Fold::ArgMax);
        let mut words = self.names.value(Value::None)?;
        for (at, value) in each.iter().enumerate().rev() {
            let mut parts = Vec::new();
            if !sure {
                parts.push(format!("num({value})"));
            }
            for (other_at, other) in each.iter().enumerate().filter(|(other_at, _)| *other_at != at) {
                let sign = match (upwards, other_at < at) {
                    (true, true) => ">",
                    (true, false) => ">=",
                    (false, true) => "<",
                    (false, false) => "<=",
                };
                let better = format!("{value} {sign} {other}");
                parts.push(if sure { better } else { format!("(!num({other}) || {better})") });
            }
            let member = self.environment.sorts[sort].1[at];
            let result = if matches!(fold, Fold::ArgMax | Fold::ArgMin) {
                self.names.value(member)?
            } else {
                value.clone()
            };
            let condition = if parts.is_empty() { "1".to_owned() } else { parts.join(" && ") };
            words = short(self.choose(&condition, &result, &words))?;
        }
        Ok(words)
    }

    fn each(
        &self,
        local: usize,
        sort: usize,
        locals: &[Local],
        make: impl Fn(&[Local]) -> Words,
    ) -> Result<Vec<String>, Lack> {
        let mut all = locals.to_vec();
        let members = self.environment.sorts[sort].1.iter();
        let each = members.map(|&member| {
            all[local] = Local::Known(member);
            make(&all)
        });
        each.collect()
    }

    /// What must hold so that evaluation is no fault, in the order in which it is asked. Empty if it always does.
    pub(crate) fn sound(&self, expr: &Expr, locals: &[Local]) -> Result<Vec<String>, Lack> {
        let mut parts = Vec::new();
        match expr {
            Expr::Value(_) | Expr::Variable(_) | Expr::Local(_) => {}
            Expr::At(variable, index) => self.sound_index(*variable, index, locals, &mut parts)?,
            Expr::Negative(of) | Expr::Absolute(of) => self.sound_number(of, locals, &mut parts)?,
            Expr::Not(of) => self.sound_truth(of, locals, &mut parts)?,
            Expr::Lesser(left, right) | Expr::Larger(left, right) => {
                self.sound_number(left, locals, &mut parts)?;
                self.sound_number(right, locals, &mut parts)?;
            }
            Expr::Binary(operator, left, right) => match operator {
                WorldOperator::And | WorldOperator::Or | WorldOperator::Implies => {
                    self.sound_truth(left, locals, &mut parts)?;
                    let mut later = Vec::new();
                    self.sound_truth(right, locals, &mut later)?;
                    if !later.is_empty() {
                        let left = self.condition(left, locals)?;
                        let negation = if *operator == WorldOperator::Or { "" } else { "!" };
                        parts.push(format!("({negation}{left} || ({}))", later.join(" && ")));
                    }
                }
                _ if arithmetic(*operator).is_some() => {
                    self.sound_number(left, locals, &mut parts)?;
                    self.sound_number(right, locals, &mut parts)?;
                    if matches!(operator, WorldOperator::Divide | WorldOperator::Modulo)
                        && !matches!(**right, Expr::Value(Value::Int(number)) if number != 0)
                    {
                        parts.push(format!("{} != 0", self.value(right, locals)?));
                    }
                }
                _ => {
                    parts.extend(self.sound(left, locals)?);
                    parts.extend(self.sound(right, locals)?);
                }
            },
            Expr::Fold(fold, local, sort, body) => {
                let mut all = locals.to_vec();
                let mut before: Vec<String> = Vec::new();
                for &member in &self.environment.sorts[*sort].1 {
                    all[*local] = Local::Known(member);
                    match fold {
                        // These two stop at the first member that decides.
                        Fold::All | Fold::Some => {
                            let mut later = Vec::new();
                            self.sound_truth(body, &all, &mut later)?;
                            if !later.is_empty() {
                                let stops = match (before.is_empty(), fold) {
                                    (true, _) => String::new(),
                                    (_, Fold::All) => format!("!({}) || ", before.join(" && ")),
                                    _ => format!("({}) || ", before.join(" || ")),
                                };
                                parts.push(format!("({stops}({}))", later.join(" && ")));
                            }
                            before.push(self.condition(body, &all)?);
                        }
                        Fold::Count => self.sound_truth(body, &all, &mut parts)?,
                        Fold::Sum => self.sound_number(body, &all, &mut parts)?,
                        _ => parts.extend(self.sound(body, &all)?),
                    }
                }
            }
        }
        Ok(parts)
    }

    /// As [`Self::sound`], and the value is a truth value.
    pub(crate) fn sound_truth(
        &self,
        expr: &Expr,
        locals: &[Local],
        parts: &mut Vec<String>,
    ) -> Result<(), Lack> {
        parts.extend(self.sound(expr, locals)?);
        if !self.is_truth(expr, locals) {
            let (value, yes) = (self.value(expr, locals)?, self.names.value(Value::Bool(true))?);
            parts.push(format!("({value} == {yes} || {value} == {})", self.names.value(Value::Bool(false))?));
        }
        Ok(())
    }

    fn sound_number(&self, expr: &Expr, locals: &[Local], parts: &mut Vec<String>) -> Result<(), Lack> {
        parts.extend(self.sound(expr, locals)?);
        if !self.is_number(expr, locals) {
            parts.push(format!("num({})", self.value(expr, locals)?));
        }
        Ok(())
    }

    /// The index is a member of the variable's sort.
    pub(crate) fn sound_index(
        &self,
        variable: usize,
        index: &Expr,
        locals: &[Local],
        parts: &mut Vec<String>,
    ) -> Result<(), Lack> {
        parts.extend(self.sound(index, locals)?);
        let members = match self.environment.variables[variable].index {
            Some(sort) => self.environment.sorts[sort].1.as_slice(),
            None => &[],
        };
        if let Some(known) = known(index, locals) {
            if !members.contains(&known) {
                parts.push("0".to_owned());
            }
            return Ok(());
        }
        let index = self.value(index, locals)?;
        let equal = members.iter().map(|member| Ok(format!("{index} == {}", self.names.value(*member)?)));
        parts.push(format!("({})", equal.collect::<Result<Vec<_>, Lack>>()?.join(" || ")));
        Ok(())
    }

    /// Whether a value lies in a domain.
    pub(crate) fn within(&self, domain: &Domain, value: &str) -> Words {
        Ok(match domain {
            Domain::Range(low, high) => {
                let (low, high) = (self.names.value(Value::Int(*low))?, self.names.value(Value::Int(*high))?);
                format!("({value} >= {low} && {value} <= {high})")
            }
            Domain::Bool => {
                let (yes, no) = (self.names.value(Value::Bool(true))?, self.names.value(Value::Bool(false))?);
                format!("({value} == {yes} || {value} == {no})")
            }
            Domain::Members(members) => {
                let equal =
                    members.iter().map(|member| Ok(format!("{value} == {}", self.names.value(*member)?)));
                let equal = equal.collect::<Result<Vec<_>, Lack>>()?;
                if equal.is_empty() { "0".to_owned() } else { format!("({})", equal.join(" || ")) }
            }
            Domain::Optional(inner) => {
                format!("({value} == {} || {})", self.names.value(Value::None)?, self.within(inner, value)?)
            }
        })
    }

    fn is_number(&self, expr: &Expr, locals: &[Local]) -> bool {
        match expr {
            Expr::Value(value) => matches!(value, Value::Int(_)),
            Expr::Local(local) => matches!(locals[*local], Local::Known(Value::Int(_))),
            Expr::Variable(variable) | Expr::At(variable, _) => {
                matches!(self.environment.variables[*variable].domain, Domain::Range(..))
            }
            Expr::Negative(_) | Expr::Absolute(_) | Expr::Lesser(..) | Expr::Larger(..) => true,
            Expr::Binary(operator, _, _) => arithmetic(*operator).is_some(),
            Expr::Fold(fold, ..) => matches!(fold, Fold::Count | Fold::Sum),
            Expr::Not(_) => false,
        }
    }

    fn is_truth(&self, expr: &Expr, locals: &[Local]) -> bool {
        match expr {
            Expr::Value(value) => matches!(value, Value::Bool(_)),
            Expr::Local(local) => matches!(locals[*local], Local::Known(Value::Bool(_))),
            Expr::Variable(variable) | Expr::At(variable, _) => {
                self.environment.variables[*variable].domain == Domain::Bool
            }
            Expr::Not(_) => true,
            Expr::Binary(operator, _, _) => arithmetic(*operator).is_none(),
            Expr::Fold(fold, ..) => matches!(fold, Fold::All | Fold::Some),
            _ => false,
        }
    }
}

fn known(expr: &Expr, locals: &[Local]) -> Option<Value> {
    match expr {
        Expr::Value(value) => Some(*value),
        Expr::Local(local) => match &locals[*local] {
            Local::Known(value) => Some(*value),
            Local::Named(_) => None,
        },
        _ => None,
    }
}

fn arithmetic(operator: WorldOperator) -> Option<&'static str> {
    match operator {
        WorldOperator::Add => Some("+"),
        WorldOperator::Subtract => Some("-"),
        WorldOperator::Multiply => Some("*"),
        WorldOperator::Divide => Some("/"),
        WorldOperator::Modulo => Some("%"),
        _ => None,
    }
}

fn short(words: String) -> Words {
    if words.len() > LIMIT_LENGTH { Err(Lack::Size) } else { Ok(words) }
}
