//! Expressions over the environment as Promela expressions without side effects, so that guards and claims can use them.
//! Quantifiers are written out over the members of their sorts.

use motet_machine::{Binary, Expr as Code};

use crate::program::{Domain, Environment, Expr, Value, Variable};
use crate::promela::lack::Lack;
use crate::promela::names::{Names, legal};
use crate::promela::scope::is_number;
use crate::syntax::{Fold, WorldOperator};

/// A local name of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Local {
    /// A member of a sort, known when the text is written.
    Known(Value),
    /// A Promela expression.
    Named(Code),
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

/// Expressions with more parts are not written.
const LIMIT_PARTS: usize = 35_000;

type Coded = Result<Code, Lack>;

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
    pub(crate) fn value(&self, expr: &Expr, locals: &[Local]) -> Coded {
        let code = match expr {
            Expr::Value(value) => self.names.value(*value)?,
            Expr::Variable(variable) => {
                Code::variable(&self.cells(&self.environment.variables[*variable])[0].1)
            }
            Expr::At(variable, index) => self.at(*variable, index, locals)?,
            Expr::Local(local) => match &locals[*local] {
                Local::Known(value) => self.names.value(*value)?,
                Local::Named(code) => code.clone(),
            },
            Expr::Negative(of) => self.value(of, locals)?.negative(),
            Expr::Absolute(of) => {
                let of = self.value(of, locals)?;
                self.choose(&of.less(0), &of.negative(), &of)
            }
            Expr::Lesser(left, right) | Expr::Larger(left, right) => {
                let (left, right) = (self.value(left, locals)?, self.value(right, locals)?);
                let first =
                    if matches!(expr, Expr::Lesser(..)) { left.less(&right) } else { left.greater(&right) };
                self.choose(&first, &left, &right)
            }
            Expr::Fold(fold, local, sort, body) if !matches!(fold, Fold::All | Fold::Some) => {
                self.fold(*fold, *local, *sort, body, locals)?
            }
            Expr::Binary(operator, left, right) if let Some(computed) = arithmetic(*operator) => {
                self.value(left, locals)?.with(computed, &self.value(right, locals)?)
            }
            _ => {
                let (yes, no) = (self.names.value(Value::Bool(true))?, self.names.value(Value::Bool(false))?);
                self.choose(&self.condition(expr, locals)?, &yes, &no)
            }
        };
        short(code)
    }

    /// The expression as a condition; an expression that is no truth value is false here and a fault elsewhere.
    pub(crate) fn condition(&self, expr: &Expr, locals: &[Local]) -> Coded {
        let code = match expr {
            Expr::Value(Value::Bool(truth)) => Code::Truth(*truth),
            Expr::Not(of) => self.condition(of, locals)?.not(),
            Expr::Binary(operator, left, right) => match operator {
                WorldOperator::And | WorldOperator::Or | WorldOperator::Implies => {
                    let (left, right) = (self.condition(left, locals)?, self.condition(right, locals)?);
                    match operator {
                        WorldOperator::And => left.and(&right),
                        WorldOperator::Or => left.or(&right),
                        _ => left.not().or(&right),
                    }
                }
                _ => self.comparison(*operator, left, right, locals)?,
            },
            Expr::Fold(fold @ (Fold::All | Fold::Some), local, sort, body) => {
                let each = self.each(*local, *sort, locals, |all| self.condition(body, all))?;
                if *fold == Fold::All { Code::all(each) } else { Code::any(each) }
            }
            _ => self.value(expr, locals)?.equals(self.names.value(Value::Bool(true))?),
        };
        short(code)
    }

    fn comparison(&self, operator: WorldOperator, left: &Expr, right: &Expr, locals: &[Local]) -> Coded {
        let compared = match operator {
            WorldOperator::Equal => Binary::Equal,
            WorldOperator::Different => Binary::NotEqual,
            WorldOperator::Less => Binary::Less,
            WorldOperator::LessEqual => Binary::LessEqual,
            WorldOperator::Greater => Binary::Greater,
            WorldOperator::GreaterEqual => Binary::GreaterEqual,
            _ => {
                let (value, yes) =
                    (Expr::Binary(operator, left.clone().into(), right.clone().into()), Value::Bool(true));
                return Ok(self.value(&value, locals)?.equals(self.names.value(yes)?));
            }
        };
        let (l, r) = (self.value(left, locals)?, self.value(right, locals)?);
        // An order exists between numbers only.
        let mut parts = Vec::new();
        if !matches!(operator, WorldOperator::Equal | WorldOperator::Different) {
            let sides = [(left, &l), (right, &r)];
            let open = sides.iter().filter(|(side, _)| !self.is_number(side, locals));
            parts.extend(open.map(|(_, code)| is_number(code)));
        }
        parts.push(l.with(compared, &r));
        Ok(Code::all(parts))
    }

    fn at(&self, variable: usize, index: &Expr, locals: &[Local]) -> Coded {
        let cells = self.cells(&self.environment.variables[variable]);
        if let Some(known) = known(index, locals) {
            let cell = cells.iter().find(|(member, _)| *member == Some(known));
            return Ok(cell.map_or(Code::Number(0), |(_, name)| Code::variable(name)));
        }
        let index = self.value(index, locals)?;
        let mut code = cells.last().map_or(Code::Number(0), |(_, name)| Code::variable(name));
        for (member, name) in cells.iter().rev().skip(1) {
            let member = self.names.value(member.unwrap_or(Value::None))?;
            code = self.choose(&index.equals(member), &Code::variable(name), &code);
        }
        Ok(code)
    }

    fn fold(&self, fold: Fold, local: usize, sort: usize, body: &Expr, locals: &[Local]) -> Coded {
        match fold {
            Fold::Count => {
                let each = self.each(local, sort, locals, |all| self.condition(body, all))?;
                Ok(Code::sum(each.iter().map(|one| self.choose(one, &Code::Number(1), &Code::Number(0)))))
            }
            Fold::Sum => Ok(Code::sum(self.each(local, sort, locals, |all| self.value(body, all))?)),
            _ => self.best(fold, local, sort, body, locals),
        }
    }

    /// One value or the other.
    fn choose(&self, condition: &Code, yes: &Code, no: &Code) -> Code {
        match self.place {
            Place::Claim if condition.known().is_none() => {
                condition.times(yes).plus(condition.not().times(no))
            }
            _ => Code::choose(condition, yes, no),
        }
    }

    /// The first of the best members: each is compared with all the others.
    fn best(&self, fold: Fold, local: usize, sort: usize, body: &Expr, locals: &[Local]) -> Coded {
        let each = self.each(local, sort, locals, |all| self.value(body, all))?;
        let sure = self.is_number(body, locals);
        let upwards = matches!(fold, Fold::Max | Fold::ArgMax);
        let mut code = self.names.value(Value::None)?;
        for (at, value) in each.iter().enumerate().rev() {
            let mut parts = Vec::new();
            if !sure {
                parts.push(is_number(value));
            }
            for (other_at, other) in each.iter().enumerate().filter(|(other_at, _)| *other_at != at) {
                let better = match (upwards, other_at < at) {
                    (true, true) => value.greater(other),
                    (true, false) => value.at_least(other),
                    (false, true) => value.less(other),
                    (false, false) => value.at_most(other),
                };
                parts.push(if sure { better } else { is_number(other).not().or(&better) });
            }
            let member = self.environment.sorts[sort].1[at];
            let result = if matches!(fold, Fold::ArgMax | Fold::ArgMin) {
                self.names.value(member)?
            } else {
                value.clone()
            };
            code = short(self.choose(&Code::all(parts), &result, &code))?;
        }
        Ok(code)
    }

    fn each(
        &self,
        local: usize,
        sort: usize,
        locals: &[Local],
        make: impl Fn(&[Local]) -> Coded,
    ) -> Result<Vec<Code>, Lack> {
        let mut all = locals.to_vec();
        let members = self.environment.sorts[sort].1.iter();
        let each = members.map(|&member| {
            all[local] = Local::Known(member);
            make(&all)
        });
        each.collect()
    }

    /// What must hold so that evaluation is no fault, in the order in which it is asked. Empty if it always does.
    pub(crate) fn sound(&self, expr: &Expr, locals: &[Local]) -> Result<Vec<Code>, Lack> {
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
                        let decided = if *operator == WorldOperator::Or { left } else { left.not() };
                        parts.push(decided.or(&Code::all(later)));
                    }
                }
                _ if arithmetic(*operator).is_some() => {
                    self.sound_number(left, locals, &mut parts)?;
                    self.sound_number(right, locals, &mut parts)?;
                    if matches!(operator, WorldOperator::Divide | WorldOperator::Modulo)
                        && !matches!(**right, Expr::Value(Value::Int(number)) if number != 0)
                    {
                        parts.push(self.value(right, locals)?.differs(0));
                    }
                }
                _ => {
                    parts.extend(self.sound(left, locals)?);
                    parts.extend(self.sound(right, locals)?);
                }
            },
            Expr::Fold(fold, local, sort, body) => {
                let mut all = locals.to_vec();
                let mut before: Vec<Code> = Vec::new();
                for &member in &self.environment.sorts[*sort].1 {
                    all[*local] = Local::Known(member);
                    match fold {
                        // These two stop at the first member that decides.
                        Fold::All | Fold::Some => {
                            let mut later = Vec::new();
                            self.sound_truth(body, &all, &mut later)?;
                            if !later.is_empty() {
                                let before = before.iter().cloned();
                                let stops = match fold {
                                    Fold::All => Code::all(before).not(),
                                    _ => Code::any(before),
                                };
                                parts.push(stops.or(&Code::all(later)));
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
        parts: &mut Vec<Code>,
    ) -> Result<(), Lack> {
        parts.extend(self.sound(expr, locals)?);
        if !self.is_truth(expr, locals) {
            let (value, yes) = (self.value(expr, locals)?, self.names.value(Value::Bool(true))?);
            parts.push(value.equals(yes).or(&value.equals(self.names.value(Value::Bool(false))?)));
        }
        Ok(())
    }

    fn sound_number(&self, expr: &Expr, locals: &[Local], parts: &mut Vec<Code>) -> Result<(), Lack> {
        parts.extend(self.sound(expr, locals)?);
        if !self.is_number(expr, locals) {
            parts.push(is_number(&self.value(expr, locals)?));
        }
        Ok(())
    }

    /// The index is a member of the variable's sort.
    pub(crate) fn sound_index(
        &self,
        variable: usize,
        index: &Expr,
        locals: &[Local],
        parts: &mut Vec<Code>,
    ) -> Result<(), Lack> {
        parts.extend(self.sound(index, locals)?);
        let members = match self.environment.variables[variable].index {
            Some(sort) => self.environment.sorts[sort].1.as_slice(),
            None => &[],
        };
        if let Some(known) = known(index, locals) {
            if !members.contains(&known) {
                parts.push(Code::Truth(false));
            }
            return Ok(());
        }
        let index = self.value(index, locals)?;
        parts.push(self.among(members, &index)?);
        Ok(())
    }

    /// Whether a value is one of these.
    fn among(&self, members: &[Value], value: &Code) -> Coded {
        let equal = members.iter().map(|member| Ok(value.equals(self.names.value(*member)?)));
        Ok(Code::any(equal.collect::<Result<Vec<_>, Lack>>()?))
    }

    /// Whether a value lies in a domain.
    pub(crate) fn within(&self, domain: &Domain, value: &Code) -> Coded {
        Ok(match domain {
            Domain::Range(low, high) => {
                let (low, high) = (self.names.value(Value::Int(*low))?, self.names.value(Value::Int(*high))?);
                value.at_least(low).and(&value.at_most(high))
            }
            Domain::Bool => self.among(&[Value::Bool(true), Value::Bool(false)], value)?,
            Domain::Members(members) => self.among(members, value)?,
            Domain::Optional(inner) => {
                value.equals(self.names.value(Value::None)?).or(&self.within(inner, value)?)
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

fn arithmetic(operator: WorldOperator) -> Option<Binary> {
    match operator {
        WorldOperator::Add => Some(Binary::Add),
        WorldOperator::Subtract => Some(Binary::Subtract),
        WorldOperator::Multiply => Some(Binary::Multiply),
        WorldOperator::Divide => Some(Binary::Divide),
        WorldOperator::Modulo => Some(Binary::Remainder),
        _ => None,
    }
}

fn short(code: Code) -> Coded {
    if code.size(LIMIT_PARTS) > LIMIT_PARTS { Err(Lack::Size) } else { Ok(code) }
}
