//! Terms: variables, constants, records, and the neighbour of a number in a ring.

use motet_nets::program::{Expr, Operator};
use motet_nets::value::Value;

use super::{LIMIT_PARTS, Refused, Told, Translation, refused};
use crate::symmetric::{Cycle, Sort, SortId, Term};

/// Which neighbour.
enum Step {
    Up,
    Down,
}

impl Translation<'_> {
    pub(crate) fn constant(&mut self, value: &Value) -> Told<Term> {
        match value {
            Value::Token => Ok(Term::Constant(self.net.intern(Sort::Dot), 0)),
            Value::Bool(truth) => Ok(Term::Constant(self.net.intern(Sort::truth()), u32::from(*truth))),
            Value::Int(number) => {
                let inside = self.range.filter(|(low, high)| (low..=high).contains(&number));
                let Some((low, high)) = inside else { return Err(Refused::Wider(*number)) };
                let Ok(offset) = u32::try_from(number - low) else { return refused("numbers of this size") };
                Ok(Term::Constant(self.net.intern(Sort::Range(low, high)), offset))
            }
            Value::Member(id, member) => {
                let declared = &self.program.enumerations[id.0 as usize];
                let (name, members) = (declared.name.clone(), declared.members.clone());
                let sort = self.net.intern(Sort::Enumeration { name, members, cycle: Cycle::Line });
                Ok(Term::Constant(sort, *member))
            }
            Value::Record(fields) => {
                let fields = fields.iter().map(|field| self.constant(field)).collect::<Told<Vec<_>>>()?;
                self.tuple(fields)
            }
            Value::Set(_) => refused("sets"),
            Value::Class(_) | Value::Agent(_) => refused("agents"),
        }
    }

    /// A record, unless `let` upon `let` has made it too large to be written.
    fn tuple(&mut self, parts: Vec<Term>) -> Told<Term> {
        let sorts = parts.iter().map(|part| self.sort_of(part)).collect();
        let sort = self.net.intern(Sort::Product(sorts));
        let term = Term::Tuple(sort, parts);
        if self.net.size(sort).is_none() || n_parts(&term) > LIMIT_PARTS {
            return refused("records as large as this");
        }
        Ok(term)
    }

    /// The sort of a single term of this translation.
    pub(crate) fn sort_of(&self, term: &Term) -> SortId {
        match term {
            Term::Constant(sort, _)
            | Term::Tuple(sort, _)
            | Term::Successor(sort, _)
            | Term::Predecessor(sort, _) => *sort,
            Term::Variable(variable) => self.net.variables[*variable].1,
            other => unreachable!("{other:?} is no single term"),
        }
    }

    pub(crate) fn term(&mut self, expr: &Expr) -> Told<Term> {
        match expr {
            Expr::Constant(value) => self.constant(value),
            Expr::Variable(variable) => match &self.known[variable.0 as usize] {
                Some(term) => Ok(term.clone()),
                None => refused("parameters"),
            },
            Expr::Record(fields) => {
                let fields = fields.iter().map(|field| self.term(field)).collect::<Told<Vec<_>>>()?;
                self.tuple(fields)
            }
            Expr::Field(of, field) => match self.term(of)? {
                Term::Tuple(_, mut parts) if *field < parts.len() => Ok(parts.swap_remove(*field)),
                _ => refused("fields of such a term"),
            },
            Expr::With(of, replaced) => {
                let Term::Tuple(_, mut parts) = self.term(of)? else {
                    return refused("fields of such a term");
                };
                for (field, value) in replaced {
                    parts[*field] = self.term(value)?;
                }
                self.tuple(parts)
            }
            Expr::Ranged(of, low, high, whither) => {
                let term = self.term(of)?;
                match self.range {
                    Some((least, most)) if *low <= least && most <= *high => Ok(term),
                    _ => refused(format!("test whether a number lies inside the range of {whither}")),
                }
            }
            Expr::Binary(..) | Expr::If(..) | Expr::Negative(_) => self.neighbour(expr),
            Expr::Cell(_) => refused("cells"),
            Expr::Place(_) | Expr::Size(_) | Expr::Count(..) => refused("terms about the marking"),
            Expr::Within(..) | Expr::Goal(..) | Expr::New(..) | Expr::ClassOf(_) => refused("agents"),
            Expr::Set(_) | Expr::Comprehension(..) | Expr::Range(..) => refused("sets"),
            Expr::Call(definition, _) => {
                let name = &self.program.definitions[definition.0 as usize].name;
                refused(format!("definitions with arguments, like `{name}`"))
            }
            Expr::Not(_) | Expr::SameToken(..) | Expr::Quantified(..) | Expr::Enabled(_) => {
                refused("conditions inside terms")
            }
        }
    }

    /// `(x + 1) % n` and `(x + n - 1) % n` where the numbers are those from 0 to n - 1, and
    /// `if x == last then first else x + 1` with its mirror image, are the successor and the predecessor.
    fn neighbour(&mut self, expr: &Expr) -> Told<Term> {
        let found = match expr {
            Expr::Binary(Operator::Modulo, sum, modulus) => self.around(sum, modulus),
            Expr::If(condition, then, otherwise) => self.past_the_end(condition, then, otherwise),
            _ => None,
        };
        let Some((step, of)) = found else {
            return refused(
                "arithmetic but the next and the previous number of a ring that has all numbers of the net",
            );
        };
        let term = self.term(of)?;
        let sort = self.sort_of(&term);
        Ok(match step {
            Step::Up => Term::Successor(sort, Box::new(term)),
            Step::Down => Term::Predecessor(sort, Box::new(term)),
        })
    }

    fn around<'e>(&self, sum: &'e Expr, modulus: &Expr) -> Option<(Step, &'e Expr)> {
        let size = number(modulus)?;
        if self.range != Some((0, size.checked_sub(1)?)) {
            return None;
        }
        let (of, more) = moved(sum)?;
        match more {
            1 => Some((Step::Up, of)),
            more if more == size - 1 => Some((Step::Down, of)),
            _ => None,
        }
    }

    fn past_the_end<'e>(
        &self,
        condition: &Expr,
        then: &Expr,
        otherwise: &'e Expr,
    ) -> Option<(Step, &'e Expr)> {
        let Expr::Binary(Operator::Equal, left, right) = condition else { return None };
        let (tested, end) = match (left.as_ref(), right.as_ref()) {
            (Expr::Variable(variable), end) | (end, Expr::Variable(variable)) => (*variable, number(end)?),
            _ => return None,
        };
        let (of, more) = moved(unranged(otherwise))?;
        let (low, high) = self.range?;
        let same = matches!(of, Expr::Variable(variable) if *variable == tested);
        match (more, end, number(then)?) {
            (1, end, start) if same && (start, end) == (low, high) => Some((Step::Up, of)),
            (-1, start, end) if same && (start, end) == (low, high) => Some((Step::Down, of)),
            _ => None,
        }
    }
}

fn n_parts(term: &Term) -> usize {
    match term {
        Term::Tuple(_, parts) => 1 + parts.iter().map(n_parts).sum::<usize>(),
        _ => 1,
    }
}

fn unranged(expr: &Expr) -> &Expr {
    match expr {
        Expr::Ranged(inner, ..) => inner,
        other => other,
    }
}

fn number(expr: &Expr) -> Option<i64> {
    match unranged(expr) {
        Expr::Constant(Value::Int(number)) => Some(*number),
        _ => None,
    }
}

/// A variable or a field, and the number that is added to it.
fn moved(expr: &Expr) -> Option<(&Expr, i64)> {
    match expr {
        Expr::Variable(_) | Expr::Field(..) => Some((expr, 0)),
        Expr::Binary(Operator::Add, left, right) => match (number(left), number(right)) {
            (Some(more), None) => moved(right).and_then(|(of, so_far)| Some((of, so_far.checked_add(more)?))),
            (None, Some(more)) => moved(left).and_then(|(of, so_far)| Some((of, so_far.checked_add(more)?))),
            _ => None,
        },
        Expr::Binary(Operator::Subtract, left, right) => {
            let less = number(right)?;
            moved(left).and_then(|(of, so_far)| Some((of, so_far.checked_sub(less)?)))
        }
        _ => None,
    }
}
