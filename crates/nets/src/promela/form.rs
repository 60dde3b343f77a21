//! Values as expressions over the arrays: numbers, records of such, and sets as lists of possible members.

use motet_machine::{Binary, Expr as Term, Place};

use crate::promela::lack::Lack;
use crate::promela::shape::{Shape, deeper, leaf};

/// How many pairs of members are compared.
const LIMIT_PAIRS: usize = 20_000;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// One number.
    Number(Term),
    /// The number of an agent.
    Agent(Term),
    /// A set as bits of a number; bit 0 stands for `low`.
    Bits { bits: Term, low: i64, members: i64 },
    /// Field by field; a token without data has no fields.
    Record(Vec<Form>),
    /// A set or tokens.
    Items(Items),
}

/// What may be in a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Items {
    pub(crate) items: Vec<Item>,
    pub(crate) kind: Kind,
    /// How many there are, if that is known without counting.
    pub(crate) size: Option<Term>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Whether it is there.
    pub(crate) present: Term,
    /// How often; once if nothing is said.
    pub(crate) count: Option<Term>,
    pub(crate) form: Form,
}

/// What a collection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A set whose members stand there once.
    Distinct,
    /// A set whose members may stand there several times.
    Repeating,
    /// Tokens: each counts by itself.
    Tokens,
}

impl Form {
    pub(crate) fn unit() -> Self {
        Self::Record(Vec::new())
    }

    /// What stands at a place: `p2[0]`, `Truck[1].card`.
    pub(crate) fn read(shape: &Shape, base: &Place) -> Self {
        Self::read_at(shape, base, "")
    }

    fn read_at(shape: &Shape, base: &Place, way: &str) -> Self {
        let here = || Term::from(leaf(base, way));
        match shape {
            Shape::Unit => Self::unit(),
            Shape::Number { .. } => Self::Number(here()),
            Shape::Agent => Self::Agent(here()),
            Shape::Bits { low, members, .. } => Self::Bits { bits: here(), low: *low, members: *members },
            Shape::Record(fields) => {
                let field = |(name, shape): &(String, Shape)| Self::read_at(shape, base, &deeper(way, name));
                Self::Record(fields.iter().map(field).collect())
            }
        }
    }

    /// The number it is.
    pub(crate) fn number(&self) -> Result<Term, Lack> {
        match self {
            Self::Number(term) | Self::Agent(term) => Ok(term.clone()),
            _ => Err(Lack::Construct("a set or record in this place".to_owned())),
        }
    }

    /// The numbers of a row of this shape.
    pub(crate) fn flat(&self, shape: &Shape) -> Result<Vec<Term>, Lack> {
        match (shape, self) {
            (Shape::Unit, _) => Ok(Vec::new()),
            (Shape::Bits { low, members, .. }, form) => Ok(vec![form.bits(*low, *members)?]),
            (Shape::Record(shapes), Self::Record(forms)) => {
                let mut all = Vec::new();
                for ((_, shape), form) in shapes.iter().zip(forms) {
                    all.extend(form.flat(shape)?);
                }
                Ok(all)
            }
            (_, form) => Ok(vec![form.number()?]),
        }
    }

    /// A set as bits.
    fn bits(&self, low: i64, members: i64) -> Result<Term, Lack> {
        if let Self::Bits { bits, low: own, .. } = self
            && *own == low
        {
            return Ok(bits.clone());
        }
        let mut sum = Term::from(0);
        for item in &self.items()?.items {
            let number = item.form.number()?;
            let bit = match number.known() {
                Some(number) if (low..low + members).contains(&number) => Term::from(1 << (number - low)),
                Some(_) => continue,
                None => Term::from(1).with(Binary::ShiftLeft, &number.minus(low)),
            };
            sum = sum.bit_or(Term::choose(&item.present, &bit, &Term::from(0)));
        }
        Ok(sum)
    }

    /// A set or tokens, one by one.
    pub(crate) fn items(&self) -> Result<Items, Lack> {
        match self {
            Self::Items(items) => Ok(items.clone()),
            Self::Bits { bits, low, members } => {
                let item = |bit: i64| Item {
                    present: bits.shifted_down(bit).bit_and(1),
                    count: None,
                    form: Self::Number(Term::from(low + bit)),
                };
                Ok(Items { items: (0..*members).map(item).collect(), kind: Kind::Distinct, size: None })
            }
            _ => Err(Lack::Construct("something that is no set".to_owned())),
        }
    }

    /// Whether two values are equal. Agents are not compared by their contents.
    pub(crate) fn equals(&self, other: &Self) -> Result<Term, Lack> {
        Ok(match (self, other) {
            (Self::Number(left), Self::Number(right)) => left.equals(right),
            (Self::Record(left), Self::Record(right)) if left.len() == right.len() => {
                let fields = left.iter().zip(right).map(|(left, right)| left.equals(right));
                Term::all(fields.collect::<Result<Vec<_>, Lack>>()?)
            }
            (Self::Bits { bits: left, low, .. }, Self::Bits { bits: right, low: other, .. })
                if low == other =>
            {
                left.equals(right)
            }
            (Self::Bits { .. } | Self::Items(_), Self::Bits { .. } | Self::Items(_)) => {
                let (left, right) = (self.items()?, other.items()?);
                if left.kind == Kind::Tokens || right.kind == Kind::Tokens {
                    return Err(Lack::Construct("a comparison of tokens as wholes".to_owned()));
                }
                left.within(&right)?.and(&right.within(&left)?)
            }
            _ => return Err(Lack::Construct("a comparison of agents by their contents".to_owned())),
        })
    }

    /// One or the other.
    pub(crate) fn choose(condition: &Term, then: Self, otherwise: Self) -> Result<Self, Lack> {
        if let Some(known) = condition.known() {
            return Ok(if known == 0 { otherwise } else { then });
        }
        Ok(match (then, otherwise) {
            (Self::Number(then), Self::Number(other)) => Self::Number(Term::choose(condition, &then, &other)),
            (Self::Agent(then), Self::Agent(other)) => Self::Agent(Term::choose(condition, &then, &other)),
            (Self::Bits { bits, low, members }, Self::Bits { bits: other, low: same, .. }) if low == same => {
                Self::Bits { bits: Term::choose(condition, &bits, &other), low, members }
            }
            (Self::Record(then), Self::Record(other)) if then.len() == other.len() => {
                let fields = then.into_iter().zip(other);
                let fields = fields.map(|(then, other)| Self::choose(condition, then, other));
                Self::Record(fields.collect::<Result<_, Lack>>()?)
            }
            (then, otherwise) => {
                let (then, otherwise) =
                    (then.items()?.when(condition), otherwise.items()?.when(&condition.not()));
                let kind = match (then.kind, otherwise.kind) {
                    (Kind::Distinct, Kind::Distinct) => Kind::Distinct,
                    (Kind::Tokens, _) | (_, Kind::Tokens) => Kind::Tokens,
                    _ => Kind::Repeating,
                };
                Self::Items(Items { kind, ..then.joined(otherwise) })
            }
        })
    }

    /// The same with nothing in it.
    pub(crate) fn blank(&self) -> Self {
        let none = Term::from(0);
        match self {
            Self::Number(_) => Self::Number(none),
            Self::Agent(_) => Self::Agent(none),
            Self::Bits { low, members, .. } => Self::Bits { bits: none, low: *low, members: *members },
            Self::Record(fields) => Self::Record(fields.iter().map(Self::blank).collect()),
            Self::Items(items) => Self::Items(Items::new(Vec::new(), items.kind)),
        }
    }

    /// The agents in it, in order.
    pub(crate) fn agents(&self) -> Vec<Term> {
        match self {
            Self::Agent(agent) => vec![agent.clone()],
            Self::Record(fields) => fields.iter().flat_map(Self::agents).collect(),
            Self::Number(_) | Self::Bits { .. } | Self::Items(_) => Vec::new(),
        }
    }
}

impl Items {
    pub(crate) fn new(items: Vec<Item>, kind: Kind) -> Self {
        Self { items, kind, size: None }
    }

    /// These, if something holds.
    pub(crate) fn when(mut self, condition: &Term) -> Self {
        for item in &mut self.items {
            item.present = condition.and(&item.present);
        }
        self.items.retain(|item| !item.present.is(false));
        self.size = self.size.map(|size| Term::choose(condition, &size, &Term::from(0)));
        self
    }

    /// All of both.
    pub(crate) fn joined(mut self, other: Self) -> Self {
        self.items.extend(other.items);
        self.kind = match (self.kind, other.kind) {
            (Kind::Tokens, _) | (_, Kind::Tokens) => Kind::Tokens,
            _ => Kind::Repeating,
        };
        self.size = match (self.size, other.size, self.kind) {
            (Some(one), Some(other), Kind::Tokens) => Some(one.plus(&other)),
            _ => None,
        };
        self
    }

    /// Whether a value is among them.
    pub(crate) fn has(&self, form: &Form) -> Result<Term, Lack> {
        let tests = self.items.iter().map(|item| Ok(item.present.and(&item.form.equals(form)?)));
        Ok(Term::any(tests.collect::<Result<Vec<_>, Lack>>()?))
    }

    fn within(&self, other: &Self) -> Result<Term, Lack> {
        few(self.items.len(), other.items.len())?;
        let tests = self.items.iter().map(|item| Ok(Term::any([item.present.not(), other.has(&item.form)?])));
        Ok(Term::all(tests.collect::<Result<Vec<_>, Lack>>()?))
    }

    /// Each member once.
    pub(crate) fn distinct(mut self) -> Result<Self, Lack> {
        if self.kind == Kind::Distinct {
            return Ok(self);
        }
        few(self.items.len(), self.items.len())?;
        for at in (0..self.items.len()).rev() {
            let before = Self::new(self.items[..at].to_vec(), Kind::Repeating);
            let known = before.has(&self.items[at].form)?;
            self.items[at].present = self.items[at].present.and(&known.not());
            self.items[at].count = None;
        }
        self.items.retain(|item| !item.present.is(false));
        Ok(Self { kind: Kind::Distinct, size: None, ..self })
    }

    /// How many there are.
    pub(crate) fn size(self) -> Result<Term, Lack> {
        if let Some(size) = self.size {
            return Ok(size);
        }
        let each = if self.kind == Kind::Repeating { self.distinct()? } else { self };
        Ok(Term::sum(each.items.iter().map(Item::counted)))
    }
}

/// Whether it is feasible to compare so many with so many.
pub(crate) fn few(one: usize, other: usize) -> Result<(), Lack> {
    if one.saturating_mul(other) > LIMIT_PAIRS {
        return Err(Lack::Size("sets with very many possible members".to_owned()));
    }
    Ok(())
}

impl Item {
    pub(crate) fn one(present: Term, form: Form) -> Self {
        Self { present, count: None, form }
    }

    /// How often it is there.
    pub(crate) fn counted(&self) -> Term {
        let count = self.count.clone().unwrap_or(Term::from(1));
        Term::choose(&self.present, &count, &Term::from(0))
    }
}
