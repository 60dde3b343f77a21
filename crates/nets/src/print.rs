//! The tree back as text. What is printed is read back as the same tree.

mod comments;
pub(crate) mod expression;
mod item;
mod net;
mod page;
pub(crate) mod statement;

use motet_source::{FileId, Problems};

use crate::syntax::{Expression, Net, Text, TypeText};
use page::Page;

/// The text in its canonical form. A tree has no comments; [`format_source`] keeps them.
#[must_use]
pub fn format(text: &Text) -> String {
    item::text(Page::new(), text)
}

/// A net alone, as a text has it.
#[must_use]
pub fn format_net(net: &Net) -> String {
    let mut page = Page::new();
    net::net(&mut page, net);
    page.finish()
}

/// An expression on one line.
#[must_use]
pub fn format_expression(written: &Expression) -> String {
    expression::whole(written)
}

/// A sort on one line.
#[must_use]
pub fn format_sort(written: &TypeText) -> String {
    expression::sort(written)
}

/// A text in its canonical form, with its comments and blank lines: comments inside a statement move above it, those
/// behind it stay behind.
///
/// # Errors
///
/// When the text has errors: what was not understood would be lost.
pub fn format_source(file: FileId, source: &str) -> Result<String, Problems> {
    let (tree, problems) = crate::parse::parse(file, source);
    if problems.has_errors() {
        return Err(problems);
    }
    Ok(item::text(Page::of(source), &tree))
}
