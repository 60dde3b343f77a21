//! Sorts as rows of numbers (rule p.2), and how the contents of a place are kept (rule p.1).

use motet_machine::Place;

use crate::program::{Place as Declared, PlaceKind, Program, Sort};
use crate::promela::bounds::Bounds;
use crate::promela::lack::Lack;
use crate::promela::names::legal;
use crate::syntax::Symmetry;
use crate::value::Value;

/// Bits of a number that stand for members of a set.
const MOST_MEMBERS: i64 = 31;

/// A sort as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A token without data.
    Unit,
    /// One number.
    Number {
        /// The Promela type.
        kind: &'static str,
        /// Whether a run tells it: not if its sort is interchangeable.
        told: bool,
    },
    /// The number of an agent; 0 is none.
    Agent,
    /// A set: bit 0 stands for the member `low`.
    Bits { low: i64, members: i64, told: bool },
    /// Field by field.
    Record(Vec<(String, Shape)>),
}

impl Shape {
    /// The shape of a sort inside a token; `what` names it.
    pub(crate) fn of(program: &Program, bounds: &Bounds, sort: &Sort, what: &str) -> Result<Self, Lack> {
        let number = |kind| Self::Number { kind, told: true };
        Ok(match sort {
            Sort::Token => Self::Unit,
            Sort::Bool => number("byte"),
            Sort::Int(Some((low, high))) if *low >= 0 && *high <= 255 => number("byte"),
            Sort::Int(Some((low, high))) if *low >= -32_768 && *high <= 32_767 => number("short"),
            Sort::Int(_) => number("int"),
            Sort::Class => number("byte"),
            Sort::Enumeration(id) => {
                let declared = &program.enumerations[id.0 as usize];
                let kind = if declared.members.len() <= 256 { "byte" } else { "int" };
                Self::Number { kind, told: declared.symmetry != Symmetry::Interchangeable }
            }
            Sort::Agent => Self::Agent,
            Sort::Record(record) => {
                let field = |(name, sort): &(String, Sort)| {
                    Ok((legal(name), Self::of(program, bounds, sort, &format!("{what}.{name}"))?))
                };
                Self::Record(record.fields.iter().map(field).collect::<Result<_, Lack>>()?)
            }
            Sort::Set(of) => match members(program, bounds, of) {
                Some((low, members)) => {
                    let told = !matches!(&**of, Sort::Enumeration(id)
                        if program.enumerations[id.0 as usize].symmetry == Symmetry::Interchangeable);
                    Self::Bits { low, members, told }
                }
                None => return Err(Lack::Set(what.to_owned())),
            },
            Sort::Unknown => return Err(Lack::Construct(what.to_owned())),
        })
    }

    /// The names and types of the numbers; a row that is one number has a name for none.
    pub(crate) fn leaves(&self) -> Vec<(String, &'static str)> {
        let mut all = Vec::new();
        self.gather("", &mut all);
        all
    }

    fn gather(&self, way: &str, all: &mut Vec<(String, &'static str)>) {
        let mut leaf = |kind| all.push((way.to_owned(), kind));
        match self {
            Self::Unit => {}
            Self::Number { kind, .. } => leaf(kind),
            Self::Agent => leaf("byte"),
            Self::Bits { .. } => leaf("int"),
            Self::Record(fields) => {
                for (name, shape) in fields {
                    shape.gather(&deeper(way, name), all);
                }
            }
        }
    }
}

/// `user`, `at_row`
pub(crate) fn deeper(way: &str, name: &str) -> String {
    if way.is_empty() { name.to_owned() } else { format!("{way}_{name}") }
}

/// A number of the row that stands here.
pub(crate) fn leaf(row: &Place, way: &str) -> Place {
    if way.is_empty() { row.clone() } else { row.field(way) }
}

/// The first member and how many there are, if there are few enough for the bits of a number.
fn members(program: &Program, bounds: &Bounds, sort: &Sort) -> Option<(i64, i64)> {
    let (low, count) = match sort {
        Sort::Bool => (0, 2),
        Sort::Enumeration(id) => (0, i64::try_from(program.enumerations[id.0 as usize].members.len()).ok()?),
        Sort::Class => (0, i64::try_from(program.nets.len()).ok()?),
        Sort::Int(Some((low, high))) => (*low, high.checked_sub(*low)?.checked_add(1)?),
        // Unbounded numbers that stay together in all markings.
        Sort::Int(None) => {
            let (low, high) = bounds.members?;
            (low, high.checked_sub(low)?.checked_add(1)?)
        }
        // A set that is always empty.
        Sort::Unknown => (0, 1),
        _ => return None,
    };
    (count <= MOST_MEMBERS).then_some((low, count))
}

/// How a place is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    /// Tokens without data: their number.
    Count,
    /// Tokens: a sorted array of rows and their number.
    Rows { shape: Shape, bound: usize },
    /// The value of a cell.
    Value { shape: Shape },
    /// The set of a cell: a sorted array without repetitions and its size.
    Members { shape: Shape, bound: usize },
}

impl Store {
    pub(crate) fn of(
        program: &Program,
        bounds: &Bounds,
        place: &Declared,
        bound: usize,
    ) -> Result<Self, Lack> {
        let of = |sort: &Sort| Shape::of(program, bounds, sort, &place.name);
        Ok(match (place.kind, &place.sort) {
            (PlaceKind::Tokens, sort) => match of(sort)? {
                shape if shape.leaves().is_empty() => Self::Count,
                shape => Self::Rows { shape, bound },
            },
            (_, Sort::Set(member)) => match of(&place.sort) {
                Ok(shape) => Self::Value { shape },
                Err(_) => Self::Members { shape: of(member)?, bound },
            },
            (_, sort) => Self::Value { shape: of(sort)? },
        })
    }

    pub(crate) fn shape(&self) -> &Shape {
        match self {
            Self::Count => &Shape::Unit,
            Self::Rows { shape, .. } | Self::Value { shape } | Self::Members { shape, .. } => shape,
        }
    }
}

/// The number of a value that is one; agents have none.
pub(crate) fn code(value: &Value) -> Result<i64, Lack> {
    Ok(match value {
        Value::Bool(truth) => i64::from(*truth),
        Value::Int(number) if i32::try_from(*number).is_ok() => *number,
        Value::Int(number) => return Err(Lack::Number(*number)),
        Value::Member(_, member) => i64::from(*member),
        Value::Class(net) => i64::from(net.0),
        Value::Token | Value::Record(_) | Value::Set(_) | Value::Agent(_) => {
            return Err(Lack::Construct("a value in this place".to_owned()));
        }
    })
}
