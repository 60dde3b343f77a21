//! First-order terms as numbers. Equal terms have equal numbers, so comparing beliefs is comparing integers.

use std::fmt::Write as _;
use std::sync::Arc;

use motet_model::Interner;

/// A name: a functor, a constant, a text. `~p` is the strong negation of `p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// An interned term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// A term. Variables occur only in goals that were called with unbound arguments (Jason); they are numbered from 0 in
/// order of first occurrence, so that equal goals are equal terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A number.
    Int(i64),
    /// A number with a fraction: the bits of an `f64` that is not a whole number.
    Real(u64),
    /// `"text"`
    Text(Symbol),
    /// A constant or a structure.
    Structure(Symbol, Box<[TermId]>),
    /// Unbound.
    Variable(u32),
}

/// The table of symbols and terms of one team. Cloning shares the table.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    symbols: Arc<Interner<String>>,
    terms: Arc<Interner<Term>>,
}

impl Terms {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of a name.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Symbol {
        Symbol(self.symbols.intern(name.to_owned()))
    }

    /// The name behind a number.
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.get(symbol.0)
    }

    /// How many names there are; their numbers are dense.
    #[must_use]
    pub fn n_symbols(&self) -> usize {
        self.symbols.len()
    }

    /// The number of a term.
    #[must_use]
    pub fn term(&self, term: Term) -> TermId {
        TermId(self.terms.intern(term))
    }

    /// The term behind a number.
    #[must_use]
    pub fn get(&self, id: TermId) -> &Term {
        self.terms.get(id.0)
    }

    /// How many terms there are; their numbers are dense, and parts come before wholes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// A constant.
    #[must_use]
    pub fn constant(&self, name: &str) -> TermId {
        self.structure(self.symbol(name), &[])
    }

    /// A structure.
    #[must_use]
    pub fn structure(&self, functor: Symbol, args: &[TermId]) -> TermId {
        self.term(Term::Structure(functor, args.into()))
    }

    /// A whole number.
    #[must_use]
    pub fn int(&self, value: i64) -> TermId {
        self.term(Term::Int(value))
    }

    /// The empty list.
    #[must_use]
    pub fn nil(&self) -> TermId {
        self.constant("[]")
    }

    /// `[head | tail]`
    #[must_use]
    pub fn cons(&self, head: TermId, tail: TermId) -> TermId {
        self.structure(self.symbol("."), &[head, tail])
    }

    /// A list of these.
    #[must_use]
    pub fn list(&self, items: &[TermId]) -> TermId {
        items.iter().rev().fold(self.nil(), |tail, &head| self.cons(head, tail))
    }

    /// The items of a proper list.
    #[must_use]
    pub fn items(&self, list: TermId) -> Option<Vec<TermId>> {
        let (nil, dot) = (self.nil(), self.symbol("."));
        let mut items = Vec::new();
        let mut rest = list;
        while rest != nil {
            match self.get(rest) {
                Term::Structure(functor, args) if *functor == dot && args.len() == 2 => {
                    items.push(args[0]);
                    rest = args[1];
                }
                _ => return None,
            }
        }
        Some(items)
    }

    /// The term as the user writes it: `alliance(ag3,ag2)`, `[1,2|T]`.
    #[must_use]
    pub fn show(&self, id: TermId) -> String {
        let mut out = String::new();
        self.write(id, &mut out);
        out
    }

    fn write(&self, id: TermId, out: &mut String) {
        match self.get(id) {
            Term::Int(value) => write!(out, "{value}").expect("writing to a string succeeds"),
            Term::Real(bits) => {
                write!(out, "{}", f64::from_bits(*bits)).expect("writing to a string succeeds")
            }
            Term::Text(text) => write!(out, "{:?}", self.name(*text)).expect("writing to a string succeeds"),
            Term::Variable(number) => write!(out, "_{number}").expect("writing to a string succeeds"),
            Term::Structure(functor, args) if *functor == self.symbol(".") && args.len() == 2 => {
                self.write_list(id, out);
            }
            Term::Structure(functor, args) => {
                out.push_str(self.name(*functor));
                for (i, arg) in args.iter().enumerate() {
                    out.push(if i == 0 { '(' } else { ',' });
                    self.write(*arg, out);
                }
                if !args.is_empty() {
                    out.push(')');
                }
            }
        }
    }

    fn write_list(&self, list: TermId, out: &mut String) {
        let (nil, dot) = (self.nil(), self.symbol("."));
        let mut rest = list;
        let mut separator = '[';
        loop {
            match self.get(rest) {
                Term::Structure(functor, args) if *functor == dot && args.len() == 2 => {
                    out.push(separator);
                    self.write(args[0], out);
                    separator = ',';
                    rest = args[1];
                }
                _ => break,
            }
        }
        if rest != nil {
            out.push('|');
            self.write(rest, out);
        }
        out.push(']');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_read_back_as_they_are_written() {
        let terms = Terms::new();
        let one = terms.int(1);
        let pair = terms.structure(terms.symbol("pair"), &[one, terms.constant("ag2")]);
        let open = terms.cons(one, terms.term(Term::Variable(0)));
        assert_eq!(terms.show(terms.list(&[one, pair])), "[1,pair(1,ag2)]");
        assert_eq!(terms.show(open), "[1|_0]");
        assert_eq!(terms.show(terms.nil()), "[]");
        assert_eq!(terms.items(terms.list(&[one, pair])), Some(vec![one, pair]));
        assert_eq!(terms.items(open), None);
    }
}
