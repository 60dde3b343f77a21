//! XML with places: elements by their local names, numbers, and problems that point at tags.

use motet_source::{FileId, Problem, Problems, Span};
use roxmltree::{Document, Node, ParsingOptions, TextPos};

/// The most nodes of a document: a net with millions of arcs still fits, a text that was made to eat memory does not.
const LIMIT_NODES: u32 = 60_000_000;

/// More problems than this are not told one by one.
const LIMIT_PROBLEMS: usize = 100;

/// How deep terms, pages and formulas may nest.
pub(crate) const LIMIT_DEPTH: usize = 200;

/// A document that is read, and what is wrong with it.
pub(crate) struct Reader<'a> {
    file: FileId,
    text: &'a str,
    problems: &'a mut Problems,
    found: usize,
    failed: bool,
}

/// The document in a text; `None` when the problems say why.
pub(crate) fn parse<'t>(
    file: FileId,
    text: &'t str,
    code: &'static str,
    problems: &mut Problems,
) -> Option<Document<'t>> {
    let options = ParsingOptions { nodes_limit: LIMIT_NODES, ..ParsingOptions::default() };
    match Document::parse_with_options(text, options) {
        Ok(document) => Some(document),
        Err(error) => {
            let at = byte_at(text, error.pos());
            let message = format!("this is not well-formed XML: {}", without_place(&error));
            let help = "repair the file, or export it again from the editor it comes from";
            problems.push(Problem::error(code, Span::new(file, at, at), message, help));
            None
        }
    }
}

/// What is wrong, in lower case and without the place, which the problem has anyway.
fn without_place(error: &roxmltree::Error) -> String {
    let text = error.to_string();
    text.split(" at ").next().unwrap_or_default().to_lowercase()
}

/// The byte of a row and a column in characters, both from 1.
fn byte_at(text: &str, place: TextPos) -> usize {
    let row = usize::try_from(place.row.saturating_sub(1)).unwrap_or(usize::MAX);
    let column = usize::try_from(place.col.saturating_sub(1)).unwrap_or(usize::MAX);
    let start = match row {
        0 => 0,
        _ => text.match_indices('\n').nth(row - 1).map_or(text.len(), |(at, _)| at + 1),
    };
    text[start..].char_indices().nth(column).map_or(text.len(), |(at, _)| start + at)
}

impl<'a> Reader<'a> {
    pub(crate) fn new(file: FileId, text: &'a str, problems: &'a mut Problems) -> Self {
        Self { file, text, problems, found: 0, failed: false }
    }

    /// Whether something is wrong.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    /// The tag that begins an element.
    pub(crate) fn span(&self, node: Node<'_, '_>) -> Span {
        let range = node.range();
        let end = self.text[range.clone()].find('>').map_or(range.end, |at| range.start + at + 1);
        Span::new(self.file, range.start, end)
    }

    /// An element as a whole.
    pub(crate) fn whole(&self, node: Node<'_, '_>) -> Span {
        let range = node.range();
        Span::new(self.file, range.start, range.end)
    }

    pub(crate) fn error(
        &mut self,
        code: &'static str,
        node: Node<'_, '_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let span = self.span(node);
        self.push(Problem::error(code, span, message, help));
    }

    pub(crate) fn push(&mut self, problem: Problem) {
        self.failed |= problem.severity == motet_source::Severity::Error;
        self.found += 1;
        if self.found <= LIMIT_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// An attribute that must be there.
    pub(crate) fn attribute<'n>(&mut self, node: Node<'n, '_>, name: &str) -> Option<&'n str> {
        let value = node.attribute(name);
        if value.is_none() {
            let message = format!("`{}` has no attribute `{name}`", tag(node));
            self.error("M1083", node, message, format!("write `<{} {name}=\"...\">`", tag(node)));
        }
        value
    }

    /// The number that an element holds as its text, as PNML or as PIPE writes it; `usual` if it holds none.
    pub(crate) fn number(&mut self, node: Node<'_, '_>, usual: u32) -> u32 {
        let Some((text, at)) = text_of(node) else { return usual };
        // PIPE names the class of the tokens: `Default,1`.
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let number = match parts.as_slice() {
            [""] => return usual,
            [number] => number.parse(),
            [class, number] if class.parse::<i64>().is_err() => number.parse(),
            _ => "several".parse(),
        };
        number.unwrap_or_else(|_| {
            let message = format!("`{text}` is no number of tokens");
            let help = format!("write a whole number from 0 to {}", u32::MAX);
            self.error("M1086", at, message, help);
            usual
        })
    }
}

/// The local name of an element.
pub(crate) fn tag<'a>(node: Node<'a, '_>) -> &'a str {
    node.tag_name().name()
}

/// The elements inside an element.
pub(crate) fn elements<'a, 'i: 'a>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().inspect(|_| motet_source::work::step()).filter(Node::is_element)
}

/// The first element of this name inside an element.
pub(crate) fn child<'a, 'i: 'a>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    elements(node).find(|inner| tag(*inner) == name)
}

/// The text of an annotation: of its `text`, or as PIPE writes it of its `value`.
pub(crate) fn text_of<'a, 'i: 'a>(node: Node<'a, 'i>) -> Option<(&'a str, Node<'a, 'i>)> {
    let holder = child(node, "text").or_else(|| child(node, "value"))?;
    Some((holder.text().unwrap_or_default().trim(), holder))
}

/// What an element is called: its name, if it has one on one line.
pub(crate) fn name_of<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    let (name, _) = text_of(child(node, "name")?)?;
    let usable = !name.is_empty() && !name.contains(['\n', '\r']);
    usable.then_some(name)
}
