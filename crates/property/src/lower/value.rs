//! Numbers and lengths of time: bounds, thresholds, clocks.

use motet_model::Ratio;
use motet_source::{Span, suggest};

use super::expr::calculate;
use super::{Binding, Env, Lowering};
use crate::formula::{Bound, Formula, Interval, Path, Relation, Timer, Unit};
use crate::syntax::{Arithmetic, ClockName, Node, Tree, UnitName, When};

/// A number, and what it counts if it says so; clock units are in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) number: Ratio,
    pub(super) unit: Option<Unit>,
}

/// What a threshold is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Probability,
    Reward,
}

impl<'a> Lowering<'a> {
    /// The bound of a temporal operator.
    pub(super) fn interval(&mut self, when: Option<&'a When>, env: &Env<'a>) -> Interval {
        match when {
            None => Interval::default(),
            Some(When::Words(_, length)) => self.up_to(length, env),
            Some(When::Relation(relation, node)) => {
                let Some(bound) = self.bound(node, env) else { return Interval::default() };
                let strict = matches!(relation, Relation::Lt | Relation::Gt);
                let bound = Bound { strict, ..bound };
                match relation {
                    Relation::Lt if bound.amount == 0 => {
                        let help = "the bound `< 0` leaves no moment; write `<= 0` for the present one";
                        self.error("M0230", node.span, "no moment satisfies this bound", help);
                        Interval::default()
                    }
                    Relation::Lt | Relation::Le => Interval { low: None, high: Some(bound) },
                    _ => Interval { low: Some(bound), high: None },
                }
            }
            Some(When::Between(low, high)) => self.between(low, high, env),
        }
    }

    fn between(&mut self, low_node: &'a Node, high_node: &'a Node, env: &Env<'a>) -> Interval {
        let (Some(mut low), Some(mut high)) = (self.amount(low_node, env), self.amount(high_node, env))
        else {
            return Interval::default();
        };
        // `[0, 4 min]`: one unit is enough.
        low.unit = low.unit.or(high.unit);
        high.unit = high.unit.or(low.unit);
        let ends = (self.in_units_of_the_model(low_node, low), self.in_units_of_the_model(high_node, high));
        let (Some(low), Some(high)) = ends else { return Interval::default() };
        let span = low_node.span.to(high_node.span);
        if low.unit != high.unit {
            let help = "use one unit for both ends";
            self.error("M0230", span, "the ends of this bound count different things", help);
        } else if low.amount > high.amount {
            self.error("M0230", span, "no moment satisfies this bound", "write the smaller end first");
        }
        Interval { low: Some(low), high: Some(high) }
    }

    /// `<= length`
    pub(super) fn up_to(&mut self, length: &'a Node, env: &Env<'a>) -> Interval {
        Interval { low: None, high: self.bound(length, env) }
    }

    /// A bound that counts what the model counts.
    pub(super) fn bound(&mut self, node: &'a Node, env: &Env<'a>) -> Option<Bound> {
        let bound = self.amount(node, env)?;
        self.in_units_of_the_model(node, bound)
    }

    /// A length of time or a count.
    pub(super) fn amount(&mut self, node: &'a Node, env: &Env<'a>) -> Option<Bound> {
        let value = self.value(node, env)?;
        if !self.is_countable(node, &value.number) {
            return None;
        }
        let amount = value.number.as_whole().and_then(|amount| u64::try_from(amount).ok());
        let Some(amount) = amount else {
            let message = if value.number.is_negative() {
                "a bound cannot be negative"
            } else {
                "a bound must be a whole number of its unit, or of milliseconds"
            };
            self.error("M0230", node.span, message, "write a whole number, 0 or more");
            return None;
        };
        Some(Bound { amount, unit: value.unit, strict: false })
    }

    /// The text of a threshold: as it is written, or the number that was calculated, exactly.
    pub(super) fn threshold(&mut self, node: &'a Node, env: &Env<'a>, measure: Measure) -> String {
        let Some(value) = self.value(node, env) else { return "0".to_owned() };
        if value.unit.is_some() {
            let help = "write the number alone";
            self.error("M0230", node.span, "a threshold is a plain number, without a unit", help);
        }
        let improper = value.number.is_negative() || value.number > Ratio::ONE;
        if measure == Measure::Probability && improper {
            let help = "a probability lies between 0 and 1";
            self.error("M0230", node.span, "this is not a probability", help);
        }
        match &node.bare().tree {
            Tree::Number(text) => text.clone(),
            _ => value.number.to_string(),
        }
    }

    /// A plain number, for expectations.
    pub(super) fn plain_number(&mut self, node: &'a Node) -> Option<Ratio> {
        let value = self.value(node, &Env::default())?;
        if value.unit.is_some() {
            self.error(
                "M0230",
                node.span,
                "an expected value is a plain number, without a unit",
                "leave the unit out",
            );
        }
        Some(value.number)
    }

    /// A whole number, for the ends of ranges.
    pub(super) fn whole(&mut self, node: &'a Node, env: &Env<'a>) -> Option<i64> {
        let value = self.value(node, env)?;
        match (value.unit, value.number.as_whole()) {
            (None, Some(whole)) => Some(whole),
            _ => {
                self.error(
                    "M0230",
                    node.span,
                    "the end of a range must be a whole number",
                    "write for example `1..3`",
                );
                None
            }
        }
    }

    pub(super) fn value(&mut self, node: &'a Node, env: &Env<'a>) -> Option<Value> {
        if !self.enter(node.span) {
            return None;
        }
        self.depth += 1;
        let value = self.value_here(node, env);
        self.depth -= 1;
        value
    }

    fn value_here(&mut self, node: &'a Node, env: &Env<'a>) -> Option<Value> {
        match &node.tree {
            Tree::Group(inner) => self.value(inner, env),
            Tree::Error => {
                self.failed = true;
                None
            }
            Tree::Number(text) => {
                let number = self.read(text, node.span)?;
                Some(Value { number, unit: None })
            }
            Tree::Length(parts) => self.length(parts, node.span),
            Tree::Negative(inner) => {
                let value = self.value(inner, env)?;
                Some(Value { number: value.number.negated()?, ..value })
            }
            Tree::Arithmetic(operator, left, right) => {
                let left = self.value(left, env)?;
                let right = self.value(right, env)?;
                self.combined(*operator, left, right, node.span)
            }
            Tree::Name(name) => self.named_value(node, name, env),
            Tree::Call(name, arguments) => match self.defines.get(name.as_str()).copied() {
                Some(define) => {
                    let inner = self.call(node, define, arguments, env)?;
                    self.value(&define.body, &inner)
                }
                None => self.no_number(node),
            },
            _ => self.no_number(node),
        }
    }

    fn no_number(&mut self, node: &'a Node) -> Option<Value> {
        let help = "write a number, a length such as 4 min, or a constant";
        self.error("M0226", node.span, "this is not a number that is known before the check", help);
        None
    }

    fn named_value(&mut self, node: &'a Node, name: &'a str, env: &Env<'a>) -> Option<Value> {
        match env.get(name) {
            Some(Binding::Argument(argument, outer)) => return self.value(argument, &outer),
            Some(Binding::Value(motet_model::Expr::Int(whole))) => {
                return Some(Value { number: Ratio::whole(whole), unit: None });
            }
            Some(Binding::Value(_)) => return self.no_number(node),
            None => {}
        }
        if let Some(value) = self.constant_value(node, name) {
            return self.value(value?, &Env::default());
        }
        if let Some(define) = self.defines.get(name).copied() {
            let inner = self.call(node, define, &[], env)?;
            return self.value(&define.body, &inner);
        }
        let known = self.consts.keys().copied().chain(self.overrides.keys().map(String::as_str));
        let help = match suggest(name, known) {
            Some(near) => format!("did you mean `{near}`"),
            None => format!("declare it with `const {name} = ...`"),
        };
        self.error("M0220", node.span, format!("there is no constant `{name}`"), help);
        None
    }

    fn read(&mut self, text: &str, span: Span) -> Option<Ratio> {
        let number = Ratio::read(text);
        if number.is_none() {
            let help = "write fewer digits";
            self.error("M0229", span, "this number is too large to be exact", help);
        }
        number
    }

    /// `1 h 30 min`
    fn length(&mut self, parts: &'a [(String, UnitName)], span: Span) -> Option<Value> {
        let mut total: Option<Value> = None;
        for (text, name) in parts {
            let (factor, unit) = scale(*name);
            let amount = self.read(text, span)?.checked_mul(Ratio::whole(factor));
            let sum = match (amount, total) {
                (Some(amount), None) => Some(amount),
                (Some(amount), Some(before)) => before.number.checked_add(amount),
                (None, _) => None,
            };
            let Some(number) = sum else {
                self.error("M0229", span, "this length is too large to be exact", "write a smaller one");
                return None;
            };
            if total.is_some_and(|before| before.unit != Some(unit)) {
                let help = "use units of one kind";
                self.error("M0230", span, "this length mixes units that count different things", help);
            }
            total = Some(Value { number, unit: Some(unit) });
        }
        total
    }

    fn combined(&mut self, operator: Arithmetic, left: Value, right: Value, span: Span) -> Option<Value> {
        let fits = match operator {
            Arithmetic::Add | Arithmetic::Sub | Arithmetic::Union | Arithmetic::Minus => {
                left.unit == right.unit
            }
            Arithmetic::Mul => left.unit.is_none() || right.unit.is_none(),
            Arithmetic::Div | Arithmetic::Mod => right.unit.is_none() || left.unit == right.unit,
        };
        if !fits {
            let help = "give both sides the same unit";
            self.error("M0230", span, "this calculation mixes units that count different things", help);
            return None;
        }
        let dividing = matches!(operator, Arithmetic::Div | Arithmetic::Mod);
        if dividing && right.number.is_zero() {
            self.error("M0229", span, "this divides by zero", "give the divisor another value");
            return None;
        }
        let unit = match operator {
            Arithmetic::Div if right.unit.is_some() => None,
            _ => left.unit.or(right.unit),
        };
        let number = calculate(operator, left.number, right.number);
        if number.is_none() {
            let help = "write smaller numbers, and keep `%` to whole numbers of 64 bits";
            self.error("M0229", span, "this number cannot be computed exactly", help);
        }
        number.map(|number| Value { number, unit })
    }

    /// A clock compared with a length: `held(p) <= 1 h`, `8 h <= now`.
    pub(super) fn timer(
        &mut self,
        left: &'a Node,
        relation: Relation,
        right: &'a Node,
        env: &Env<'a>,
    ) -> Option<Path<motet_model::AtomId>> {
        let (clock, relation, length) = if self.is_clock(left, env) {
            (left, relation, right)
        } else if self.is_clock(right, env) {
            (right, relation.flipped(), left)
        } else {
            return None;
        };
        let nothing = Some(Path::Now(Formula::True));
        if self.is_clock(length, env) {
            let help = "compare each clock with a length of time";
            self.error("M0226", length.span, "two clocks cannot be compared", help);
            return nothing;
        }
        let timer = match &clock.bare().tree {
            Tree::Clock(ClockName::Since, inner) => {
                Timer::Since(Box::new(self.state(inner, env, "what a clock watches")))
            }
            Tree::Clock(ClockName::Held, inner) => {
                Timer::Held(Box::new(self.state(inner, env, "what a clock watches")))
            }
            _ => Timer::Now,
        };
        match self.bound(length, env) {
            Some(bound) => Some(Path::Now(Formula::Timer(timer, relation, bound))),
            None => nothing,
        }
    }

    fn is_clock(&self, node: &'a Node, env: &Env<'a>) -> bool {
        match &node.bare().tree {
            Tree::Clock(..) => true,
            Tree::Name(name) => name == "now" && env.get("now").is_none(),
            _ => false,
        }
    }
}

fn scale(unit: UnitName) -> (i64, Unit) {
    match unit {
        UnitName::Millisecond | UnitName::Milliseconds => (1, Unit::Clock),
        UnitName::Second | UnitName::Seconds => (1_000, Unit::Clock),
        UnitName::Minute | UnitName::Minutes => (60_000, Unit::Clock),
        UnitName::Hour | UnitName::Hours => (3_600_000, Unit::Clock),
        UnitName::Day | UnitName::Days => (86_400_000, Unit::Clock),
        UnitName::Steps => (1, Unit::Steps),
        UnitName::Cycles => (1, Unit::Cycles),
        UnitName::Firings => (1, Unit::Firings),
    }
}
