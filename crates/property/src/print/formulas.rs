//! A file whose sentences are written as the formulas they stand for.

use std::collections::BTreeMap;

use motet_model::{AtomText, Expr, Vocabulary};
use motet_source::{FileId, Problems};

use super::file::format_file;
use super::formula::print_formula;
use crate::lower::lower;
use crate::parse::parse_formula;
use crate::syntax::{ClaimItem, ClaimsFile, Item, ItemNode, Node, Tree};

/// The file in Motet's dialect, with a formula for every sentence: `whenever`, `precedes`, scopes and `shall`. Definitions
/// and constants of the file are put in. A sentence that cannot be written out without a model, because it quantifies over
/// its names or because the model says what lasts and what happens, stays; the names of such claims come second.
#[must_use]
pub fn format_formulas(file: &ClaimsFile) -> (String, Vec<String>) {
    let mut rewritten = file.clone();
    let mut kept = Vec::new();
    for item in &mut rewritten.items {
        let ItemNode::Claim(claim) = &mut item.node else { continue };
        if !says(&claim.body) {
            continue;
        }
        match formula(file, claim) {
            Some(body) => claim.body = body,
            None => kept.push(claim.name.node.clone()),
        }
    }
    (format_file(&rewritten), kept)
}

/// Whether a sentence stands somewhere in the formula.
fn says(node: &Node) -> bool {
    let here = matches!(
        node.tree,
        Tree::Whenever(..)
            | Tree::EachTime(..)
            | Tree::Becomes(..)
            | Tree::Again(_)
            | Tree::Counted(_)
            | Tree::Precedes(..)
            | Tree::Scoped(..)
            | Tree::Shall(..)
    );
    let mut found = here;
    node.each_child(&mut |child| found = found || says(child));
    found
}

/// The formula of one claim, over a vocabulary in which every name is an atom.
fn formula(file: &ClaimsFile, claim: &ClaimItem) -> Option<Node> {
    let others = file.items.iter().filter(|item| !matches!(item.node, ItemNode::Claim(_))).cloned();
    let node = ItemNode::Claim(Box::new(claim.clone()));
    let this = Item { node, span: claim.body.span, after_blank: false };
    let items = others.chain([this]).collect();
    let alone = ClaimsFile { file: file.file, dialect: file.dialect, items, comments: Vec::new() };
    let over = |vocabulary: &Vocabulary| {
        let mut problems = Problems::new();
        let lowered = lower(&alone, vocabulary, &BTreeMap::new(), &mut problems);
        let claim = lowered.claims.last().filter(|_| !problems.has_errors())?;
        Some((print_formula(&claim.formula, &lowered.atoms), lowered.atoms))
    };
    let (text, atoms) = over(&Vocabulary::default())?;
    // Whether something lasts or happens is said by the model.
    let events = atoms.iter().filter_map(|atom| match &atom.node {
        AtomText::Says(..) => Some("Says".to_owned()),
        AtomText::Fact(Expr::Call(name, arguments)) if !arguments.is_empty() => Some(name.clone()),
        _ => None,
    });
    let happening = Vocabulary { events: events.collect(), ..Vocabulary::default() };
    if over(&happening)?.0 != text {
        return None;
    }
    let (read, problems) = parse_formula(FileId(0), &text, None);
    let ItemNode::Claim(read) = read.items.into_iter().next()?.node else { return None };
    let mut body = read.body;
    without_parentheses(&mut body);
    (!problems.has_errors()).then_some(body)
}

/// Takes away parentheses between operators; printing puts back those that are needed.
fn without_parentheses(node: &mut Node) {
    while let Tree::Group(inner) = &node.tree {
        if matches!(inner.tree, Tree::Compare(..) | Tree::Member(..)) {
            return;
        }
        *node = (**inner).clone();
    }
    match &mut node.tree {
        Tree::Not(_, a) | Tree::Temporal(_, _, _, a) | Tree::Branching(_, _, _, a) | Tree::Runs(_, a) => {
            without_parentheses(a);
        }
        Tree::Until(_, _, _, a, b) | Tree::Implies(_, a, b) | Tree::Iff(_, a, b) => {
            without_parentheses(a);
            without_parentheses(b);
        }
        Tree::Join(_, _, parts) => parts.iter_mut().for_each(without_parentheses),
        _ => {}
    }
}
