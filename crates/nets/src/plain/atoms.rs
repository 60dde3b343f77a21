//! What claims say about a single marking: `#P + #Q <= 3`, `P`, `enabled(T)`, `fires(T)`.

use std::cmp::Ordering;

use motet_machine::Binary;
use motet_model::{AtomText, Expr, Operator, State};
use motet_source::{Problem, Problems, Span, Spanned};

use crate::plain::lexicon::{Found, Kind, Lexicon, Reading};
use crate::plain::semantics::Semantics;
use crate::plain::sum::Sum;

/// How many meanings of a word are told.
const MOST_READINGS: usize = 4;

/// A predicate over markings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Predicate {
    Constant(bool),
    /// How a sum compares with 0.
    Compare(Sum, Comparison),
    /// One of these transitions may fire.
    Enabled(Vec<u32>),
    /// One of these transitions has fired last.
    Fired(Vec<u32>),
    Not(Box<Predicate>),
    All(Vec<Predicate>),
    Any(Vec<Predicate>),
}

/// The results of a comparison that are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Comparison {
    less: bool,
    equal: bool,
    greater: bool,
}

impl Comparison {
    fn of(operator: Operator) -> Option<Self> {
        let (less, equal, greater) = match operator {
            Operator::Eq => (false, true, false),
            Operator::Ne => (true, false, true),
            Operator::Lt => (true, false, false),
            Operator::Le => (true, true, false),
            Operator::Gt => (false, false, true),
            Operator::Ge => (false, true, true),
            _ => return None,
        };
        Some(Self { less, equal, greater })
    }

    /// How the sum is compared with 0 in other languages; `None` if any sum, or none, is accepted.
    pub(crate) fn operator(self) -> Option<Binary> {
        match (self.less, self.equal, self.greater) {
            (false, true, false) => Some(Binary::Equal),
            (true, false, true) => Some(Binary::NotEqual),
            (true, false, false) => Some(Binary::Less),
            (true, true, false) => Some(Binary::LessEqual),
            (false, false, true) => Some(Binary::Greater),
            (false, true, true) => Some(Binary::GreaterEqual),
            (false, false, false) | (true, true, true) => None,
        }
    }

    fn accepts(self, sign: Ordering) -> bool {
        match sign {
            Ordering::Less => self.less,
            Ordering::Equal => self.equal,
            Ordering::Greater => self.greater,
        }
    }
}

impl Predicate {
    /// Whether it holds in a state.
    pub(crate) fn holds(&self, semantics: &Semantics, state: &State) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Compare(sum, comparison) => comparison.accepts(sum.sign(state)),
            Self::Enabled(transitions) => {
                transitions.iter().any(|&transition| semantics.is_enabled(transition, state))
            }
            Self::Fired(transitions) => {
                let last = state.last().and_then(|last| last.checked_sub(1));
                last.is_some_and(|last| transitions.contains(&last))
            }
            Self::Not(inner) => !inner.holds(semantics, state),
            Self::All(parts) => parts.iter().all(|part| part.holds(semantics, state)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(semantics, state)),
        }
    }

    /// The transitions of which it must be known whether they have fired last.
    pub(crate) fn fired(&self) -> Vec<u32> {
        match self {
            Self::Fired(transitions) => transitions.clone(),
            Self::Not(inner) => inner.fired(),
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::fired).collect(),
            Self::Constant(_) | Self::Compare(..) | Self::Enabled(_) => Vec::new(),
        }
    }
}

/// The meaning of each atom; `None` when the problems say why.
pub(crate) fn resolve(
    atoms: &[Spanned<AtomText>],
    lexicon: &Lexicon,
    problems: &mut Problems,
) -> Option<Vec<(String, Predicate)>> {
    let resolved: Vec<_> = atoms
        .iter()
        .map(|atom| {
            let mut reader = Reader { span: atom.span, lexicon, problems };
            Some((atom.node.to_string(), reader.atom(&atom.node)?))
        })
        .collect();
    resolved.into_iter().collect()
}

struct Reader<'a> {
    span: Span,
    lexicon: &'a Lexicon,
    problems: &'a mut Problems,
}

impl Reader<'_> {
    fn atom(&mut self, atom: &AtomText) -> Option<Predicate> {
        match atom {
            AtomText::Fact(fact) => self.predicate(fact),
            AtomText::Says(..) | AtomText::Sends(..) | AtomText::Reads(..) => {
                let message = format!("`{atom}`: this net has no messages, only transitions that fire");
                self.refuse(message, "write `fires(T)` with the transition that sends or reads")
            }
            other => {
                let message = format!("`{other}` speaks of a mind, and this net has black tokens only");
                self.refuse(message, "compare tokens: `#Place >= 1`")
            }
        }
    }

    fn predicate(&mut self, expr: &Expr) -> Option<Predicate> {
        match expr {
            Expr::Call(name, arguments) => match (name.as_str(), arguments.as_slice()) {
                ("true", []) => return Some(Predicate::Constant(true)),
                ("false", []) => return Some(Predicate::Constant(false)),
                ("enabled", [_, ..]) => return Some(Predicate::Enabled(self.transitions(arguments)?)),
                ("fires", [_, ..]) => return Some(Predicate::Fired(self.transitions(arguments)?)),
                _ => {}
            },
            Expr::Not(inner) => return Some(Predicate::Not(Box::new(self.predicate(inner)?))),
            Expr::Binary(Operator::And, ..) => return Some(Predicate::All(self.chain(Operator::And, expr)?)),
            Expr::Binary(Operator::Or, ..) => return Some(Predicate::Any(self.chain(Operator::Or, expr)?)),
            Expr::Binary(operator, left, right) => {
                if let Some(comparison) = Comparison::of(*operator) {
                    let left = self.sum(left)?;
                    let right = self.sum(right)?;
                    let sum = right.times(-1).and_then(|right| left.plus(&right));
                    return Some(Predicate::Compare(self.fits(sum)?, comparison));
                }
            }
            Expr::Size(_) => {
                let message = format!("`{expr}` is a number, which is neither true nor false");
                return self.refuse(message, format!("compare it: `{expr} >= 1`"));
            }
            _ => {}
        }
        // A place alone says that it is marked.
        match self.lexicon.find(Kind::Place, expr) {
            Found::One(places) => {
                let sum = Sum::tokens(places.iter().copied());
                Some(Predicate::Compare(sum, Comparison { less: false, equal: false, greater: true }))
            }
            Found::Several(readings) => self.ambiguous(expr, readings),
            Found::Nothing if self.lexicon.find(Kind::Transition, expr) != Found::Nothing => {
                let message = format!("`{expr}` is a transition, which is neither true nor false");
                self.refuse(message, format!("ask whether it may fire: `enabled({expr})`"))
            }
            Found::Nothing => self.unknown(expr),
        }
    }

    /// The operands of a chain of one connective, however long, without deep recursion.
    fn chain(&mut self, connective: Operator, expr: &Expr) -> Option<Vec<Predicate>> {
        let mut operands = vec![expr];
        let mut parts = Vec::new();
        while let Some(operand) = operands.pop() {
            match operand {
                Expr::Binary(operator, left, right) if *operator == connective => {
                    operands.extend([&**right, &**left]);
                }
                other => parts.push(self.predicate(other)?),
            }
        }
        Some(parts)
    }

    fn transitions(&mut self, arguments: &[Expr]) -> Option<Vec<u32>> {
        let mut all = Vec::new();
        for argument in arguments {
            match self.lexicon.find(Kind::Transition, argument) {
                Found::One(transitions) => all.extend_from_slice(transitions),
                Found::Several(readings) => return self.ambiguous(argument, readings),
                Found::Nothing if self.lexicon.find(Kind::Place, argument) != Found::Nothing => {
                    let message = format!("`{argument}` is a place, and only transitions fire");
                    return self.refuse(message, "name a transition of the net");
                }
                Found::Nothing => return self.unknown(argument),
            }
        }
        Some(all)
    }

    fn sum(&mut self, expr: &Expr) -> Option<Sum> {
        match expr {
            Expr::Int(number) => Some(Sum::constant(*number)),
            Expr::Size(place) => self.tokens(place),
            Expr::Binary(operator @ (Operator::Add | Operator::Sub), left, right) => {
                let (left, right) = (self.sum(left)?, self.sum(right)?);
                let factor = if *operator == Operator::Add { 1 } else { -1 };
                let sum = right.times(factor).and_then(|right| left.plus(&right));
                self.fits(sum)
            }
            Expr::Binary(Operator::Mul, left, right) => {
                let (left, right) = (self.sum(left)?, self.sum(right)?);
                let product = match (left.number(), right.number()) {
                    (Some(factor), _) => right.times(factor),
                    (_, Some(factor)) => left.times(factor),
                    (None, None) => {
                        let message = format!("`{expr}` multiplies tokens with tokens");
                        return self.refuse(message, "multiply with numbers only: `2 * #Place`");
                    }
                };
                self.fits(product)
            }
            Expr::Call(..) | Expr::Text(_) | Expr::Field(..) | Expr::Index(..) => self.tokens(expr),
            other => {
                let message = format!("`{other}` is no number of tokens");
                self.refuse(message, "use `#Place`, numbers, `+`, `-` and `*`")
            }
        }
    }

    fn tokens(&mut self, place: &Expr) -> Option<Sum> {
        match self.lexicon.find(Kind::Place, place) {
            Found::One(places) => Some(Sum::tokens(places.iter().copied())),
            Found::Several(readings) => self.ambiguous(place, readings),
            Found::Nothing if self.lexicon.find(Kind::Transition, place) != Found::Nothing => {
                self.refuse(format!("`{place}` is a transition, and only places hold tokens"), "name a place")
            }
            Found::Nothing => self.unknown(place),
        }
    }

    fn fits(&mut self, sum: Option<Sum>) -> Option<Sum> {
        if sum.is_none() {
            return self.refuse("the numbers of this claim do not fit 64 bits", "use smaller numbers");
        }
        sum
    }

    /// Which of them is meant, the file does not say, so nobody here decides it.
    fn ambiguous<T>(&mut self, expr: &Expr, readings: &[Reading]) -> Option<T> {
        let mut texts: Vec<String> = readings.iter().take(MOST_READINGS).map(Reading::text).collect();
        if readings.len() > MOST_READINGS {
            texts.push(format!("{} more", readings.len() - MOST_READINGS));
        }
        let message = format!("`{expr}` may mean several things here: {}", texts.join(", or "));
        let help =
            format!("write `id({expr})` or `name({expr})`, or the other word of the one that is meant");
        self.problems.push(Problem::error("M0900", self.span, message, help));
        None
    }

    fn unknown<T>(&mut self, expr: &Expr) -> Option<T> {
        let help = match self.lexicon.near(expr) {
            Some(near) => format!("did you mean `{near}`"),
            None => "`motet vocab` lists the places and transitions".to_owned(),
        };
        let message = format!("the net has no place or transition `{expr}`");
        self.problems.push(Problem::error("M1096", self.span, message, help));
        None
    }

    fn refuse<T>(&mut self, message: impl Into<String>, help: impl Into<String>) -> Option<T> {
        self.problems.push(Problem::error("M1097", self.span, message, help));
        None
    }
}
