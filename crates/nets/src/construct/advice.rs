//! What must hold of an aspect wherever it is woven.

use std::collections::BTreeMap;

use motet_source::{Problem, Problems, Span};

use crate::syntax::{AdviceRole, Aspect, Initial, Member, Name, Place, PlaceKind, TypeText};

/// What a part of a net is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    Place,
    Cell,
    Transition,
    Goal,
}

impl PartKind {
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Place => "a place",
            Self::Cell => "a cell",
            Self::Transition => "a transition",
            Self::Goal => "a goal",
        }
    }
}

/// A named part of a net.
pub(super) struct Part<'m> {
    pub(super) name: &'m Name,
    pub(super) kind: PartKind,
    pub(super) sort: Option<&'m TypeText>,
}

/// The named parts of a net or of an advice. Operations were expanded before.
pub(super) fn parts(member: &Member) -> Vec<Part<'_>> {
    match member {
        Member::Place(place) => {
            let kind = match place.kind {
                PlaceKind::Tokens => PartKind::Place,
                PlaceKind::Cell => PartKind::Cell,
            };
            place.names.iter().map(|name| Part { name, kind, sort: Some(&place.sort) }).collect()
        }
        Member::Transition(transition) => {
            vec![Part { name: &transition.name, kind: PartKind::Transition, sort: None }]
        }
        Member::Goal(name, _) => vec![Part { name, kind: PartKind::Goal, sort: None }],
        Member::Operation(_) => Vec::new(),
    }
}

/// Whether the advice can be woven at all; what is wrong is told once, not once for each target.
pub(super) fn is_sound(aspect: &Aspect, problems: &mut Problems) -> bool {
    let before = problems.len();
    let mut names: BTreeMap<&str, Span> = BTreeMap::new();
    for advice in &aspect.advice {
        for part in parts(&advice.member) {
            if let Some(first) = names.insert(&part.name.node, part.name.span) {
                let message = format!("`{}` is declared twice in this advice", part.name.node);
                let problem =
                    Problem::error("M1067", part.name.span, message, "give one of them another name");
                problems.push(problem.also(first, "the first one"));
            }
        }
        if advice.role == AdviceRole::Pointcut {
            pointcut(&advice.member, problems);
        }
    }
    if aspect.weaves.is_empty() {
        let message = format!("the aspect `{}` is not woven into any net", aspect.name.node);
        let help = "add `weave Net { pointcut -> join }` to it";
        problems.push(Problem::warning("M1069", aspect.name.span, message, help));
    }
    problems.len() == before
}

/// A pointcut stands for something else, which has its own marking, capacity and limit.
fn pointcut(member: &Member, problems: &mut Problems) {
    let help = "a pointcut is replaced by the join point, which keeps its own; leave it out here";
    let mut refuse = |span: Span, what: &str| {
        problems.push(Problem::error("M1066", span, format!("a pointcut has no {what}"), help));
    };
    match member {
        Member::Place(Place { capacity, initial, .. }) => {
            if let Initial::Tokens(value) | Initial::Value(value) = initial {
                refuse(value.span, "initial marking");
            }
            if let Some(capacity) = capacity {
                refuse(capacity.span, "capacity");
            }
        }
        Member::Transition(transition) => {
            if let Some(limit) = &transition.limit {
                refuse(limit.span, "limit");
            }
        }
        Member::Goal(name, _) => {
            let help = "pointcuts are places, cells and transitions";
            problems.push(Problem::error("M1066", name.span, "a goal is no pointcut", help));
        }
        Member::Operation(_) => {}
    }
}
