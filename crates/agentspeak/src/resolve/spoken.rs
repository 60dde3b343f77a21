//! Literals that somebody tells a team while it acts.

use std::collections::BTreeMap;

use motet_source::{Problem, Problems};

use crate::program::{Mode, Program};
use crate::semantics::arithmetic::Trouble;
use crate::semantics::bindings::{Bindings, canonical, is_ground};
use crate::syntax::{Literal, TermKind, TermTree};
use crate::term::TermId;

use super::agent::{AgentResolver, Context};
use super::pattern::Purpose;
use super::scope::Scope;
use super::traffic::Traffic;

/// What a literal is told as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A belief: no variables.
    Belief,
    /// A goal: variables may stay open in the Jason dialect.
    Goal,
}

/// The term of a literal, or why it has none, in the user's words.
pub(crate) fn spoken(program: &Program, literal: &Literal, content: Content) -> Result<TermId, String> {
    let limit = program.bounds.terms;
    let nodes = literal.args.iter().map(nodes).sum::<usize>() + 1;
    if nodes > limit as usize {
        return Err(format!("it has {nodes} parts, and a term has at most {limit}"));
    }
    let actions = BTreeMap::new();
    let context = Context {
        terms: &program.terms,
        mode: program.mode,
        agents: &[],
        stubs: &program.stubs,
        actions: &actions,
        has_environment: false,
    };
    let mut problems = Problems::new();
    let mut resolver = AgentResolver {
        context: &context,
        problems: &mut problems,
        traffic: Traffic::default(),
        scope: Scope::default(),
    };
    let pattern = resolver.bare(literal, Purpose::Open, &mut Vec::new());
    let variables = usize::from(resolver.scope.len());
    if let Some(problem) = problems.iter().next() {
        return Err(described(problem));
    }
    let mut bindings = Bindings::new(&program.terms, limit, vec![None; variables]);
    let term = bindings.build_open(&pattern, 0).map_err(|trouble| match trouble {
        Trouble::Fails => "a number of it cannot be computed".to_owned(),
        Trouble::Fault(message) => message,
        Trouble::LargeTerm => format!("a term has at most {limit} parts"),
    })?;
    let open = !is_ground(&program.terms, term);
    match content {
        Content::Belief if open => Err("it has a variable, but a belief is definite".to_owned()),
        Content::Goal if open && program.mode == Mode::Strict => {
            Err("it has a variable; in AgentSpeak(F) goals are called with values only".to_owned())
        }
        _ => Ok(canonical(&program.terms, term).0),
    }
}

/// A problem on one line: what is wrong, and the way out.
pub(crate) fn described(problem: &Problem) -> String {
    format!("{}; {}", problem.message, problem.help)
}

/// How many nodes a term has; the parser limits how deep it is.
fn nodes(term: &TermTree) -> usize {
    match &term.kind {
        TermKind::Structure(literal) => literal.args.iter().map(nodes).sum::<usize>() + 1,
        TermKind::List(items, tail) => {
            items.iter().map(|item| nodes(item) + 1).sum::<usize>() + tail.as_deref().map_or(1, nodes)
        }
        TermKind::Negative(operand) => nodes(operand) + 1,
        TermKind::Binary(_, left, right) => nodes(left) + nodes(right) + 1,
        TermKind::Variable(_)
        | TermKind::Anonymous
        | TermKind::Int(_)
        | TermKind::Real(_)
        | TermKind::Text(_) => 1,
    }
}
