//! Ontologies: `> class`, `>> subclass`, `@ attribute : class` (Izzo 2016, section 3.4).

use motet_source::{FileId, Problem, Problems, Span};

use super::cursor::without_comments;
use crate::sentence::Sentence;
use crate::syntax::{AttributeTree, ClassTree, OntologyTree};

/// Classes nest at most this deep.
const DEEPEST: usize = 100;

/// Reads an ontology.
pub(crate) fn read(file: FileId, text: &str) -> (OntologyTree, Problems) {
    let clean = without_comments(text);
    let mut reader = Reader { file, problems: Problems::new(), classes: Vec::new(), path: Vec::new() };
    let mut at = 0;
    for line in clean.split_inclusive('\n') {
        let lead = line.len() - line.trim_start().len();
        reader.line(line.trim(), at + lead);
        at += line.len();
    }
    (OntologyTree { file, classes: reader.classes }, reader.problems)
}

struct Reader {
    file: FileId,
    problems: Problems,
    classes: Vec<ClassTree>,
    /// The classes that the present one is listed under, outermost first.
    path: Vec<Sentence>,
}

impl Reader {
    fn line(&mut self, text: &str, at: usize) {
        if text.is_empty() {
            return;
        }
        let span = Span::new(self.file, at, at + text.len());
        if let Some(attribute) = text.strip_prefix('@') {
            self.attribute(attribute, at + 1, span);
            return;
        }
        let depth = text.chars().take_while(|c| *c == '>').count();
        let name = Sentence::new(&text[depth..], span);
        if depth == 0 || name.key.is_empty() {
            self.problem(
                span,
                "this is neither a class nor an attribute",
                "write `> class`, `>> subclass` or `@ attribute : class`",
            );
        } else if depth > self.path.len() + 1 || depth > DEEPEST {
            let help =
                format!("write `{} {}`, or the class above it", ">".repeat(self.path.len() + 1), name.text);
            self.problem(span, "a level of classes is left out", help);
        } else {
            self.path.truncate(depth - 1);
            let parent = self.path.last().cloned();
            self.path.push(name.clone());
            self.classes.push(ClassTree { name, parent, attributes: Vec::new() });
        }
    }

    fn attribute(&mut self, text: &str, at: usize, span: Span) {
        let (name, class) = match text.split_once(':') {
            Some((name, class)) => (name, Some((class, at + name.len() + 1))),
            None => (text, None),
        };
        let name = Sentence::new(name, span);
        let class = class.map(|(class, at)| {
            let lead = class.len() - class.trim_start().len();
            Sentence::new(class, Span::new(self.file, at + lead, at + lead + class.trim().len()))
        });
        if name.key.is_empty() || class.as_ref().is_some_and(|class| class.key.is_empty()) {
            self.problem(span, "this is not an attribute", "write `@ name : class`");
        } else if let Some(owner) = self.classes.last_mut() {
            owner.attributes.push(AttributeTree { name, class });
        } else {
            self.problem(span, "the attribute belongs to no class", "write `> class` above it");
        }
    }

    fn problem(&mut self, span: Span, message: &str, help: impl Into<String>) {
        self.problems.push(Problem::error("M0870", span, message, help));
    }
}
