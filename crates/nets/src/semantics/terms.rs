//! The expressions of an alternative as lists of nodes, in the order of the alternative.

use crate::program::{Alternative, Binding, Exchange, Expr, Partner, Pattern, Program};
use crate::semantics::flat::{self, Code, Shape, Tokens};
use crate::semantics::memo::Memory;

/// The expressions of an alternative.
#[derive(Debug)]
pub(crate) struct Terms {
    /// Of inputs, then of reads.
    pub(crate) arcs: Vec<Shape>,
    pub(crate) inhibitors: Vec<Shape>,
    pub(crate) sent: Vec<Code>,
    pub(crate) received: Vec<Shape>,
    /// The value of a channel between agents.
    pub(crate) channel: Option<Code>,
    pub(crate) bindings: Vec<Chosen>,
    pub(crate) guards: Vec<Code>,
    pub(crate) updates: Vec<Code>,
    pub(crate) outputs: Vec<Code>,
}

/// A choice or a name.
#[derive(Debug)]
pub(crate) enum Chosen {
    /// Among these, `None` if the tree says which, those that meet the condition.
    Pick(Option<(Code, Tokens)>, Option<Code>),
    Let(Code),
}

impl Terms {
    pub(crate) fn of(program: &Program, alternative: &Alternative, memory: Memory) -> Self {
        let code = |expr: &Expr| Code::of(program, expr, memory);
        let shape = |pattern: &Pattern| Shape::of(program, pattern, memory);
        let chosen = |binding: &Binding| match binding {
            Binding::Pick(_, domain, condition) => {
                Chosen::Pick(flat::domain(program, domain, memory), condition.as_ref().map(code))
            }
            Binding::Let(_, value) => Chosen::Let(code(value)),
        };
        let arcs = alternative.inputs.iter().chain(&alternative.reads);
        let mut terms = Self {
            arcs: arcs.map(|arc| shape(&arc.pattern)).collect(),
            inhibitors: alternative.inhibitors.iter().map(|arc| shape(&arc.pattern)).collect(),
            sent: Vec::new(),
            received: Vec::new(),
            channel: None,
            bindings: alternative.bindings.iter().map(chosen).collect(),
            guards: alternative.guards.iter().map(code).collect(),
            updates: alternative.updates.iter().map(|(_, value)| code(value)).collect(),
            outputs: alternative.outputs.iter().map(|output| code(&output.term)).collect(),
        };
        if let Some(sync) = &alternative.sync {
            match &sync.exchange {
                Exchange::Send(values) => terms.sent = values.iter().map(code).collect(),
                Exchange::Receive(patterns) => terms.received = patterns.iter().map(shape).collect(),
            }
            if let Partner::Channel(value) = &sync.partner {
                terms.channel = Some(code(value));
            }
        }
        terms
    }
}
