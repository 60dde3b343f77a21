//! Elements of formulas.

use motet_model::{AtomId, AtomText, Expr, Operator};
use motet_nets::plain::BY_ID;
use motet_property::{Formula, Interval, Path, Quantifier, Until};
use motet_source::suggest;
use roxmltree::Node;

use crate::contest::Atoms;
use crate::imported::Imported;
use crate::xml::{LIMIT_DEPTH, Reader, child, elements, tag};

/// What an element says, of the smallest kind.
pub(crate) enum Meaning {
    /// Something about one marking.
    Marking(Expr),
    /// Something about what may follow from a marking.
    Formula(Formula<AtomId>),
    /// Something about a run.
    Path(Path<AtomId>),
}

fn constant(value: bool) -> Expr {
    Expr::Call(value.to_string(), Vec::new())
}

/// The place or transition with this id, whatever another one is called.
fn by_id(id: String) -> Expr {
    Expr::Call(BY_ID.to_owned(), vec![Expr::Text(id)])
}

/// Joined two by two, so that long lists do not become deep trees. `None` for an empty list.
fn joined<T>(mut parts: Vec<T>, join: &impl Fn(T, T) -> T) -> Option<T> {
    while parts.len() > 1 {
        let mut pairs = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(left) = rest.next() {
            pairs.push(match rest.next() {
                Some(right) => join(left, right),
                None => left,
            });
        }
        parts = pairs;
    }
    parts.pop()
}

/// Reads formulas about a net.
pub(crate) struct Formulas<'f, 'r> {
    pub(crate) net: &'f Imported,
    pub(crate) atoms: &'f mut Atoms,
    pub(crate) reader: &'f mut Reader<'r>,
}

impl Formulas<'_, '_> {
    pub(crate) fn formula(&mut self, node: Node<'_, '_>, depth: usize) -> Option<Meaning> {
        if depth > LIMIT_DEPTH {
            let message = format!("this formula nests more than {LIMIT_DEPTH} levels deep");
            self.reader.error("M1091", node, message, "write it flatter");
            return None;
        }
        let always = Interval::default;
        match tag(node) {
            "true" => Some(Meaning::Marking(constant(true))),
            "false" => Some(Meaning::Marking(constant(false))),
            "deadlock" => Some(Meaning::Formula(Formula::Deadlock)),
            "integer-le" => self.comparison(node, Operator::Le),
            "integer-lt" => self.comparison(node, Operator::Lt),
            "integer-ge" => self.comparison(node, Operator::Ge),
            "integer-gt" => self.comparison(node, Operator::Gt),
            "integer-eq" => self.comparison(node, Operator::Eq),
            "integer-ne" => self.comparison(node, Operator::Ne),
            "is-fireable" => self.fireable(node),
            "negation" => self.negation(node, depth),
            "conjunction" | "disjunction" => self.connective(node, depth),
            "all-paths" => self.runs(node, Quantifier::All, depth),
            "exists-path" => self.runs(node, Quantifier::Some, depth),
            "globally" => Some(Meaning::Path(Path::Always(always(), self.only(node, depth)?))),
            "finally" => Some(Meaning::Path(Path::Eventually(always(), self.only(node, depth)?))),
            "next" => Some(Meaning::Path(Path::Next(self.only(node, depth)?))),
            "until" => {
                let before = self.side(node, "before", depth);
                let reach = self.side(node, "reach", depth);
                Some(Meaning::Path(Path::Until(Until::Until, always(), before?, reach?)))
            }
            other => {
                let message = format!("`{other}` is no part of a formula");
                self.reader.error("M1093", node, message, "use the elements of the contest's formulas");
                None
            }
        }
    }

    /// What an element says, as a formula; a path is none.
    pub(crate) fn settle(&mut self, meaning: Meaning, node: Node<'_, '_>) -> Option<Formula<AtomId>> {
        match meaning {
            Meaning::Marking(expr) => Some(self.atom(expr, node)),
            Meaning::Formula(formula) => Some(formula),
            Meaning::Path(_) => None,
        }
    }

    fn atom(&mut self, expr: Expr, node: Node<'_, '_>) -> Formula<AtomId> {
        match expr {
            Expr::Call(name, arguments) if arguments.is_empty() && name == "true" => Formula::True,
            Expr::Call(name, arguments) if arguments.is_empty() && name == "false" => Formula::False,
            expr => Formula::Atom(self.atoms.number(AtomText::Fact(expr), self.reader.span(node))),
        }
    }

    fn path(&mut self, meaning: Meaning, node: Node<'_, '_>) -> Path<AtomId> {
        match meaning {
            Meaning::Path(path) => path,
            Meaning::Formula(formula) => Path::Now(formula),
            Meaning::Marking(expr) => Path::Now(self.atom(expr, node)),
        }
    }

    /// The one formula inside an element.
    fn inner(&mut self, node: Node<'_, '_>, depth: usize) -> Option<Meaning> {
        let mut inner = elements(node);
        let (Some(first), None) = (inner.next(), inner.next()) else {
            let message = format!("`{}` holds exactly one formula", tag(node));
            self.reader.error("M1093", node, message, "put one formula inside");
            return None;
        };
        self.formula(first, depth + 1)
    }

    fn only(&mut self, node: Node<'_, '_>, depth: usize) -> Option<Box<Path<AtomId>>> {
        let meaning = self.inner(node, depth)?;
        Some(Box::new(self.path(meaning, node)))
    }

    fn side(&mut self, node: Node<'_, '_>, name: &str, depth: usize) -> Option<Box<Path<AtomId>>> {
        let Some(side) = child(node, name) else {
            let message = format!("this `until` has no `{name}`");
            self.reader.error("M1093", node, message, "an `until` has a `before` and a `reach`");
            return None;
        };
        self.only(side, depth)
    }

    fn runs(&mut self, node: Node<'_, '_>, quantifier: Quantifier, depth: usize) -> Option<Meaning> {
        let path = self.only(node, depth)?;
        Some(Meaning::Formula(Formula::Runs(quantifier, path)))
    }

    fn negation(&mut self, node: Node<'_, '_>, depth: usize) -> Option<Meaning> {
        Some(match self.inner(node, depth)? {
            Meaning::Marking(expr) => Meaning::Marking(Expr::Not(Box::new(expr))),
            Meaning::Formula(formula) => Meaning::Formula(Formula::Not(Box::new(formula))),
            Meaning::Path(path) => Meaning::Path(Path::Not(Box::new(path))),
        })
    }

    /// What is said of single markings is joined first, and becomes one atom.
    fn connective(&mut self, node: Node<'_, '_>, depth: usize) -> Option<Meaning> {
        let parts: Vec<Option<Meaning>> = elements(node).map(|part| self.formula(part, depth + 1)).collect();
        let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
        let all = tag(node) == "conjunction";
        let (mut markings, mut formulas, mut paths) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            match part {
                Meaning::Marking(expr) => markings.push(expr),
                Meaning::Formula(formula) => formulas.push(formula),
                Meaning::Path(path) => paths.push(path),
            }
        }
        let operator = if all { Operator::And } else { Operator::Or };
        let binary = |left, right| Expr::Binary(operator, Box::new(left), Box::new(right));
        let marking = joined(markings, &binary);
        if formulas.is_empty() && paths.is_empty() {
            // Nothing at all is true for `and` and false for `or`.
            return Some(Meaning::Marking(marking.unwrap_or_else(|| constant(all))));
        }
        formulas.extend(marking.map(|expr| self.atom(expr, node)));
        let connective = if all { Formula::And } else { Formula::Or };
        let formula = joined(formulas, &|left, right| connective(Box::new(left), Box::new(right)));
        if paths.is_empty() {
            return formula.map(Meaning::Formula);
        }
        paths.extend(formula.map(Path::Now));
        let connective = if all { Path::And } else { Path::Or };
        joined(paths, &|left, right| connective(Box::new(left), Box::new(right))).map(Meaning::Path)
    }

    fn comparison(&mut self, node: Node<'_, '_>, operator: Operator) -> Option<Meaning> {
        let sides: Vec<Node<'_, '_>> = elements(node).collect();
        let [left, right] = sides.as_slice() else {
            let message = format!("`{}` compares two numbers", tag(node));
            self.reader.error("M1093", node, message, "put two numbers inside");
            return None;
        };
        let (left, right) = (self.number(*left, 0), self.number(*right, 0));
        Some(Meaning::Marking(Expr::Binary(operator, Box::new(left?), Box::new(right?))))
    }

    fn number(&mut self, node: Node<'_, '_>, depth: usize) -> Option<Expr> {
        match tag(node) {
            "integer-constant" => {
                let text = node.text().unwrap_or_default().trim();
                let number = text.parse().ok().map(Expr::Int);
                if number.is_none() {
                    let message = format!("`{text}` is no whole number");
                    self.reader.error("M1093", node, message, "write a whole number");
                }
                number
            }
            "tokens-count" => {
                self.places(node)?;
                let names: Vec<Expr> =
                    self.texts(node).map(|name| Expr::Size(Box::new(by_id(name)))).collect();
                joined(names, &|left, right| Expr::Binary(Operator::Add, Box::new(left), Box::new(right)))
            }
            "integer-sum" | "integer-difference" if depth < LIMIT_DEPTH => {
                let parts: Vec<Option<Expr>> =
                    elements(node).map(|part| self.number(part, depth + 1)).collect();
                let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
                let operator = if tag(node) == "integer-sum" { Operator::Add } else { Operator::Sub };
                parts
                    .into_iter()
                    .reduce(|left, right| Expr::Binary(operator, Box::new(left), Box::new(right)))
            }
            other => {
                let message = format!("`{other}` is no number");
                self.reader.error("M1093", node, message, "use `tokens-count` and `integer-constant`");
                None
            }
        }
    }

    fn texts<'n>(&self, node: Node<'n, 'n>) -> impl Iterator<Item = String> + use<'n> {
        elements(node).map(|inner| inner.text().unwrap_or_default().trim().to_owned())
    }

    /// The places that an element lists, by number.
    pub(crate) fn places(&mut self, node: Node<'_, '_>) -> Option<Vec<usize>> {
        let net = self.net;
        self.listed(node, "place", |name| net.places.get(name), || net.places.keys())
    }

    fn fireable(&mut self, node: Node<'_, '_>) -> Option<Meaning> {
        let net = self.net;
        let modes =
            self.listed(node, "transition", |name| net.transitions.get(name), || net.transitions.keys())?;
        if modes.is_empty() {
            return Some(Meaning::Marking(constant(false)));
        }
        let names =
            self.texts(node).filter(|name| net.transitions.get(name).is_some_and(|modes| !modes.is_empty()));
        Some(Meaning::Marking(Expr::Call("enabled".to_owned(), names.map(by_id).collect())))
    }

    fn listed<'n, K: Iterator<Item = &'n String>>(
        &mut self,
        node: Node<'_, '_>,
        kind: &str,
        find: impl Fn(&str) -> Option<&'n Vec<usize>>,
        known: impl Fn() -> K,
    ) -> Option<Vec<usize>> {
        let mut all = Vec::new();
        let mut empty = true;
        for inner in elements(node) {
            let name = inner.text().unwrap_or_default().trim();
            empty = false;
            match find(name).filter(|_| tag(inner) == kind) {
                Some(members) => all.extend_from_slice(members),
                None => {
                    let help = match suggest(name, known().map(String::as_str)) {
                        Some(near) => format!("did you mean `{near}`"),
                        None => format!("name a {kind} of the net by its id"),
                    };
                    self.reader.error("M1094", inner, format!("the net has no {kind} `{name}`"), help);
                    return None;
                }
            }
        }
        if empty {
            let message = format!("`{}` names nothing", tag(node));
            self.reader.error("M1093", node, message, format!("put a `{kind}` inside"));
            return None;
        }
        Some(all)
    }
}
