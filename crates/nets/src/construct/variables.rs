//! The variables that a transition binds.

use std::collections::BTreeMap;

use motet_source::Span;

use crate::syntax::{ArcIn, Exchange, Pattern, PatternNode, Statement, StatementNode};

/// Variables and where each is bound first: by arcs, by what is received, by `pick` and by `let`. Names for which
/// `is_value` holds are matched, not bound.
pub(super) fn variables(body: &[Statement], is_value: &dyn Fn(&str) -> bool) -> BTreeMap<String, Span> {
    let mut bound = BTreeMap::new();
    collect(body, &mut |name, span| {
        if !is_value(name) {
            bound.entry(name.to_owned()).or_insert(span);
        }
    });
    bound
}

fn collect(body: &[Statement], bind: &mut dyn FnMut(&str, Span)) {
    for statement in body {
        match &statement.node {
            StatementNode::In(arcs) | StatementNode::Read(arcs) | StatementNode::Inhibit(arcs) => {
                for ArcIn { patterns, .. } in arcs {
                    of_patterns(patterns, bind);
                }
            }
            StatementNode::Sync(sync) => {
                if let Exchange::Receive(patterns) = &sync.exchange {
                    of_patterns(patterns, bind);
                }
            }
            StatementNode::Pick(name, ..) | StatementNode::Let(name, _) => bind(&name.node, name.span),
            StatementNode::Alternative(parts) => collect(parts, bind),
            StatementNode::Out(_) | StatementNode::When(_) | StatementNode::Update(..) => {}
        }
    }
}

fn of_patterns(patterns: &[Pattern], bind: &mut dyn FnMut(&str, Span)) {
    for pattern in patterns {
        match &pattern.node {
            PatternNode::Name(name) => bind(name, pattern.span),
            PatternNode::Tuple(parts) => of_patterns(parts, bind),
            PatternNode::Int(_) | PatternNode::Bool(_) | PatternNode::Any => {}
        }
    }
}
