//! Terms of arcs and markings, with their sorts.

use motet_source::suggest;
use roxmltree::Node;

use crate::symmetric::declarations::{Scope, number_of_range, whole};
use crate::symmetric::{Sort, SortId, SymmetricNet, Term};
use crate::xml::{LIMIT_DEPTH, Reader, child, elements, tag};

/// Reads terms in a scope.
pub(crate) struct Terms<'t, 'd, 'r> {
    pub(crate) scope: &'t mut Scope<'d>,
    pub(crate) net: &'t mut SymmetricNet,
    pub(crate) reader: &'t mut Reader<'r>,
}

/// The operands of an operator: what its `subterm`s hold, or what it holds itself.
pub(crate) fn operands<'d>(node: Node<'d, 'd>) -> Vec<Node<'d, 'd>> {
    let content = |node: Node<'d, 'd>| match tag(node) {
        "subterm" => elements(node).next(),
        _ => Some(node),
    };
    elements(node).filter(|inner| tag(*inner) != "text").filter_map(content).collect()
}

/// The term of an annotation: what stands in its `structure`.
pub(crate) fn structure<'d>(node: Node<'d, 'd>) -> Option<Node<'d, 'd>> {
    elements(child(node, "structure")?).next()
}

impl<'d> Terms<'_, 'd, '_> {
    /// A term that must be of this sort.
    pub(crate) fn of_sort(&mut self, node: Node<'d, 'd>, wanted: SortId) -> Option<Term> {
        let (term, sort) = self.term(node, 0)?;
        if sort != wanted && !matches!(term, Term::Nothing) {
            let message = format!(
                "this is of sort {}, where {} is needed",
                self.sort_text(sort),
                self.sort_text(wanted)
            );
            self.reader.error("M1090", node, message, "the sort of a term is that of its place");
            return None;
        }
        Some(term)
    }

    pub(crate) fn term(&mut self, node: Node<'d, 'd>, depth: usize) -> Option<(Term, SortId)> {
        if depth > LIMIT_DEPTH {
            let message = format!("this term nests more than {LIMIT_DEPTH} levels deep");
            self.reader.error("M1091", node, message, "write it flatter");
            return None;
        }
        match tag(node) {
            "variable" => self.variable(node),
            "useroperator" => {
                let (sort, value) = self.scope.constant(node, self.reader)?;
                Some((Term::Constant(sort, value), sort))
            }
            "dotconstant" => {
                let sort = self.net.intern(Sort::Dot);
                Some((Term::Constant(sort, 0), sort))
            }
            "booleanconstant" => self.boolean(node),
            "finiteintrangeconstant" => self.integer(node),
            "all" => {
                let [inner] = self.exactly(node)?;
                let sort = self.scope.sort(inner, None, 0, self.net, self.reader)?;
                Some((Term::All(sort), sort))
            }
            "empty" => {
                let [inner] = self.exactly(node)?;
                let sort = self.scope.sort(inner, None, 0, self.net, self.reader)?;
                Some((Term::Nothing, sort))
            }
            "numberof" => self.number_of(node, depth),
            "scalarproduct" => self.number_of(node, depth),
            "successor" | "predecessor" => self.neighbour(node, depth),
            "tuple" => self.tuple(node, depth),
            "add" | "subtract" => self.sum(node, depth),
            "partitionelementof" => self.class(node, depth),
            "subterm" | "structure" => {
                let [inner] = self.exactly(node)?;
                self.term(inner, depth + 1)
            }
            other => {
                let message = format!("`{other}` is no term of a symmetric net");
                let help = "use variables, constants, tuples, successor, predecessor, all, numberof, add and subtract";
                self.reader.error("M1082", node, message, help);
                None
            }
        }
    }

    fn exactly<const N: usize>(&mut self, node: Node<'d, 'd>) -> Option<[Node<'d, 'd>; N]> {
        let operands = operands(node);
        let found = operands.len();
        let exact = operands.try_into().ok();
        if exact.is_none() {
            let message = format!("`{}` has {found} operands, where {N} are needed", tag(node));
            self.reader.error("M1090", node, message, "each operand stands in a `subterm`");
        }
        exact
    }

    fn variable(&mut self, node: Node<'d, 'd>) -> Option<(Term, SortId)> {
        let id = self.reader.attribute(node, "refvariable")?;
        let Some(&variable) = self.scope.variables.get(id) else {
            let help = match suggest(id, self.scope.variables.keys().copied()) {
                Some(near) => format!("did you mean `{near}`"),
                None => "declare it with `variabledecl`".to_owned(),
            };
            self.reader.error("M1088", node, format!("there is no variable `{id}`"), help);
            return None;
        };
        Some((Term::Variable(variable), self.net.variables[variable].1))
    }

    fn boolean(&mut self, node: Node<'d, 'd>) -> Option<(Term, SortId)> {
        let value = self.reader.attribute(node, "value")?;
        let sort = self.net.intern(Sort::truth());
        Some((Term::Constant(sort, u32::from(value == "true")), sort))
    }

    fn integer(&mut self, node: Node<'d, 'd>) -> Option<(Term, SortId)> {
        let (sort, value) = number_of_range(node, self.net, self.reader)?;
        Some((Term::Constant(sort, value), sort))
    }

    fn number_of(&mut self, node: Node<'d, 'd>, depth: usize) -> Option<(Term, SortId)> {
        let operands = operands(node);
        let (number, what) = match operands.as_slice() {
            [what] => (1, *what),
            [number, what] if tag(*number) == "numberconstant" => (whole(*number, self.reader)?, *what),
            _ => {
                let message = format!("`{}` needs a `numberconstant` and a term", tag(node));
                self.reader.error("M1090", node, message, "each stands in a `subterm`");
                return None;
            }
        };
        let (term, sort) = self.term(what, depth + 1)?;
        let Ok(number) = u32::try_from(number) else {
            let message = format!("{number} is no number of tokens");
            self.reader.error("M1086", node, message, format!("write a number from 0 to {}", u32::MAX));
            return None;
        };
        Some((Term::Number(number, Box::new(term)), sort))
    }

    fn neighbour(&mut self, node: Node<'d, 'd>, depth: usize) -> Option<(Term, SortId)> {
        let [inner] = self.exactly(node)?;
        let (term, sort) = self.term(inner, depth + 1)?;
        if !matches!(self.net.sorts[sort.0], Sort::Enumeration { .. } | Sort::Range(..)) {
            let message = format!("{} has no order to go along", self.sort_text(sort));
            self.reader.error(
                "M1090",
                node,
                message,
                "only members of enumerations and numbers have neighbours",
            );
            return None;
        }
        let term = Box::new(term);
        let term = match tag(node) {
            "successor" => Term::Successor(sort, term),
            _ => Term::Predecessor(sort, term),
        };
        Some((term, sort))
    }

    fn tuple(&mut self, node: Node<'d, 'd>, depth: usize) -> Option<(Term, SortId)> {
        let parts: Vec<_> = operands(node).into_iter().map(|part| self.term(part, depth + 1)).collect();
        let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
        let (terms, sorts): (Vec<Term>, Vec<SortId>) = parts.into_iter().unzip();
        let sort = self.net.intern(Sort::Product(sorts));
        if self.net.size(sort).is_none() {
            let message = "there are more tuples of this sort than can be counted";
            self.reader.error("M1091", node, message, "use smaller sorts");
            return None;
        }
        Some((Term::Tuple(sort, terms), sort))
    }

    fn sum(&mut self, node: Node<'d, 'd>, depth: usize) -> Option<(Term, SortId)> {
        let nodes = operands(node);
        let parts: Vec<_> = nodes.iter().map(|part| self.term(*part, depth + 1)).collect();
        let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
        let Some(&(_, sort)) = parts.first() else {
            self.reader.error("M1090", node, format!("`{}` has no operands", tag(node)), "write some");
            return None;
        };
        if let Some(odd) = parts.iter().position(|(_, own)| *own != sort) {
            let message = format!(
                "this is of sort {}, beside terms of sort {}",
                self.sort_text(parts[odd].1),
                self.sort_text(sort)
            );
            self.reader.error("M1090", nodes[odd], message, "all operands are of one sort");
            return None;
        }
        let mut terms = parts.into_iter().map(|(term, _)| term);
        let term = match tag(node) {
            "add" => Term::Add(terms.collect()),
            _ => {
                let first = terms.next()?;
                Term::Subtract(Box::new(first), Box::new(Term::Add(terms.collect())))
            }
        };
        Some((term, sort))
    }

    /// The class of a value in a partition.
    fn class(&mut self, node: Node<'d, 'd>, depth: usize) -> Option<(Term, SortId)> {
        let id = self.reader.attribute(node, "refpartition")?;
        let Some(&(partition, base, own)) = self.scope.partitions.get(id) else {
            let message = format!("there is no partition `{id}`");
            self.reader.error("M1089", node, message, "declare it with `partition`");
            return None;
        };
        let [inner] = self.exactly(node)?;
        let (term, sort) = self.term(inner, depth + 1)?;
        if sort != base {
            let message = format!("this partition does not divide {}", self.sort_text(sort));
            self.reader.error("M1090", node, message, "use a term of the sort that is divided");
            return None;
        }
        Some((Term::Class(partition, Box::new(term)), own))
    }

    /// A sort in the words of the file.
    pub(crate) fn sort_text(&self, sort: SortId) -> String {
        let named = self.net.names.iter().find(|(_, known)| *known == sort);
        match (named, &self.net.sorts[sort.0]) {
            (Some((name, _)), _) => format!("`{name}`"),
            (None, Sort::Dot) => "`dot`".to_owned(),
            (None, Sort::Enumeration { name, .. }) => format!("`{name}`"),
            (None, Sort::Range(low, high)) => format!("`{low}..{high}`"),
            (None, Sort::Product(parts)) => {
                let parts: Vec<String> = parts.iter().take(8).map(|part| self.sort_text(*part)).collect();
                format!("({})", parts.join(", "))
            }
        }
    }
}
