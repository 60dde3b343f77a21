//! Terms and conditions of symmetric nets as PNML.

use crate::symmetric::value::is_multiset;
use crate::symmetric::write::{SymmetricWriter, range};
use crate::symmetric::{Condition, Relation, Sort, SortId, Term};

/// An element around what is written already.
pub(super) fn element(name: &str, content: &str) -> String {
    format!("<{name}>{content}</{name}>")
}

fn operator(name: &str, operands: impl IntoIterator<Item = String>) -> String {
    let operands: String = operands.into_iter().map(|operand| element("subterm", &operand)).collect();
    element(name, &operands)
}

fn number(number: u32) -> String {
    let sort = if number == 0 { "natural" } else { "positive" };
    format!("<numberconstant value=\"{number}\"><{sort}/></numberconstant>")
}

impl SymmetricWriter<'_> {
    /// A term as a multiset over a sort: one value is that value once.
    pub(super) fn multiset(&self, term: &Term, sort: SortId) -> String {
        match term {
            Term::Nothing => element("empty", &self.user_sort(sort)),
            Term::Number(1, inner) if is_multiset(inner) => self.multiset(inner, sort),
            Term::Number(count, inner) if is_multiset(inner) => {
                operator("scalarproduct", [number(*count), self.multiset(inner, sort)])
            }
            Term::Number(count, inner) => operator("numberof", [number(*count), self.value(inner)]),
            Term::Add(parts) if parts.is_empty() => element("empty", &self.user_sort(sort)),
            Term::Add(parts) => operator("add", parts.iter().map(|part| self.multiset(part, sort))),
            Term::Subtract(from, what) => {
                let less = match what.as_ref() {
                    Term::Add(parts) => parts.as_slice(),
                    single => std::slice::from_ref(single),
                };
                let all = std::iter::once(from.as_ref()).chain(less);
                operator("subtract", all.map(|part| self.multiset(part, sort)))
            }
            term if is_multiset(term) => self.value(term),
            single => operator("numberof", [number(1), self.value(single)]),
        }
    }

    /// A single value, or a tuple with multisets in it.
    fn value(&self, term: &Term) -> String {
        match term {
            Term::Constant(sort, value) => self.constant(*sort, *value),
            Term::Variable(variable) => {
                format!("<variable refvariable=\"{}\"/>", self.variables[*variable])
            }
            Term::Successor(sort, inner) => operator("successor", [self.part(inner, *sort)]),
            Term::Predecessor(sort, inner) => operator("predecessor", [self.part(inner, *sort)]),
            Term::Class(partition, inner) => {
                let of = element("subterm", &self.part(inner, self.net.partition_sorts[*partition].0));
                let id = &self.partitions[*partition];
                format!("<partitionelementof refpartition=\"{id}\">{of}</partitionelementof>")
            }
            Term::Tuple(sort, parts) => match &self.net.sorts[sort.0] {
                Sort::Product(sorts) => {
                    operator("tuple", parts.iter().zip(sorts).map(|(part, sort)| self.part(part, *sort)))
                }
                _ => String::new(),
            },
            Term::All(sort) => element("all", &self.user_sort(*sort)),
            Term::Nothing | Term::Number(..) | Term::Add(_) | Term::Subtract(..) => String::new(),
        }
    }

    /// What stands inside a value: a value, or a multiset that stands for each of its tokens.
    fn part(&self, term: &Term, sort: SortId) -> String {
        if is_multiset(term) { self.multiset(term, sort) } else { self.value(term) }
    }

    pub(super) fn constant(&self, sort: SortId, value: u32) -> String {
        match &self.net.sorts[sort.0] {
            Sort::Dot => "<dotconstant/>".to_owned(),
            Sort::Enumeration { .. } if self.is_truth(sort) => truth(value == 1),
            Sort::Enumeration { .. } => {
                let member = self.members[sort.0].get(value as usize).map_or("", String::as_str);
                format!("<useroperator declaration=\"{member}\"/>")
            }
            Sort::Range(low, high) => {
                let value = low.saturating_add(i64::from(value));
                let range = range(*low, *high);
                format!("<finiteintrangeconstant value=\"{value}\">{range}</finiteintrangeconstant>")
            }
            Sort::Product(parts) => {
                let digits = self.net.digits(parts, value);
                operator("tuple", parts.iter().zip(digits).map(|(&part, digit)| self.constant(part, digit)))
            }
        }
    }

    pub(super) fn condition(&self, condition: &Condition) -> String {
        let joined = |name: &str, parts: &[Condition], none: bool| match parts {
            [] => truth(none),
            [only] => self.condition(only),
            parts => operator(name, parts.iter().map(|part| self.condition(part))),
        };
        match condition {
            Condition::Constant(value) => truth(*value),
            Condition::Not(inner) => operator("not", [self.condition(inner)]),
            Condition::All(parts) => joined("and", parts, true),
            Condition::Any(parts) => joined("or", parts, false),
            Condition::Compare(relation, left, right) => {
                operator(comparison(*relation, left, right), [self.value(left), self.value(right)])
            }
        }
    }
}

fn truth(value: bool) -> String {
    format!("<booleanconstant value=\"{value}\"/>")
}

/// The name of a comparison. The order of classes has names of its own.
fn comparison(relation: Relation, left: &Term, right: &Term) -> &'static str {
    let classes = matches!(left, Term::Class(..)) || matches!(right, Term::Class(..));
    match relation {
        Relation::Equal => "equality",
        Relation::NotEqual => "inequality",
        Relation::Less if classes => "ltp",
        Relation::Less => "lessthan",
        Relation::LessEqual => "lessthanorequal",
        Relation::Greater if classes => "gtp",
        Relation::Greater => "greaterthan",
        Relation::GreaterEqual => "greaterthanorequal",
    }
}
