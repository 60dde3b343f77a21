//! Which frames could begin in a situation, as far as their guards, `repeat` and blocks go.

use motet_model::State;

use crate::program::{ActivityId, ActivityNode, ActorId, FrameId};
use crate::semantics::control::{Instance, Parameters, Scope};
use crate::words::Teller;

/// The scope that a frame belongs to, with the arguments of the composite activities around it, the nearest last.
pub(crate) struct Level {
    pub(crate) scope: Scope,
    pub(crate) arguments: Vec<Box<[u32]>>,
}

/// A frame that could begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ready {
    pub(crate) frame: FrameId,
    /// In tenths.
    pub(crate) priority: i64,
}

impl Teller {
    /// Whether a frame is a thoughtframe.
    pub(crate) fn thinks(&self, id: FrameId) -> bool {
        let program = self.program();
        let frame = &program.frames[id.index()];
        match frame.inside.map(|inside| &program.activities[inside.index()].node) {
            Some(ActivityNode::Composite { thoughtframes, .. }) => thoughtframes.contains(&id),
            _ => program.actors[frame.actor.index()].thoughtframes.contains(&id),
        }
    }

    /// The scope of the frames of an open composite activity, or of the actor itself.
    pub(crate) fn level(&self, state: &State, actor: ActorId, inside: Option<ActivityId>) -> Option<Level> {
        let seat = &self.semantics.layout.seats[actor.index()];
        let mut scope = self.semantics.controls.decode(state[seat.control]);
        let mut arguments = Vec::new();
        let Some(wanted) = inside else { return Some(Level { scope, arguments }) };
        loop {
            let opened = *scope.current?.inside?;
            arguments.push(opened.arguments);
            scope = opened.scope;
            if opened.activity == wanted {
                return Some(Level { scope, arguments });
            }
        }
    }

    /// The bindings with which a frame could begin as far as guard, `repeat` and blocks go.
    pub(crate) fn startable(&self, state: &State, id: FrameId, level: &Level) -> Vec<Instance> {
        with_parameters(&level.arguments, |parameters| {
            self.semantics.may_start(state, &level.scope, id, parameters)
        })
    }

    /// The marks of a frame in a set of its actor.
    pub(crate) fn marks(
        &self,
        state: &State,
        id: FrameId,
        slot: Option<usize>,
    ) -> impl Iterator<Item = Instance> + use<> {
        let set = slot.map_or(0, |slot| state[slot]);
        let marked = if set == 0 { Vec::new() } else { self.semantics.controls.marked(set).to_vec() };
        marked.into_iter().filter(move |instance| instance.frame == id)
    }

    /// The workframes of an actor that could begin now, of all open levels, without the current ones; the highest first.
    pub(crate) fn ready(&self, state: &State, actor: ActorId) -> Vec<Ready> {
        let mut found = Vec::new();
        let program = self.program();
        let mut inside = None;
        while let Some(level) = self.level(state, actor, inside) {
            for id in self.frames_of(actor, inside) {
                if !self.startable(state, id, &level).is_empty() {
                    found.push(Ready { frame: id, priority: program.frames[id.index()].priority });
                }
            }
            let opened = level.scope.current.as_ref().and_then(|current| current.inside.as_ref());
            match opened {
                Some(opened) => inside = Some(opened.activity),
                None => break,
            }
        }
        found.sort_by_key(|ready| std::cmp::Reverse(ready.priority));
        found
    }

    pub(crate) fn frames_of(&self, actor: ActorId, inside: Option<ActivityId>) -> Vec<FrameId> {
        let program = self.program();
        match inside.map(|inside| &program.activities[inside.index()].node) {
            Some(ActivityNode::Composite { workframes, .. }) => workframes.clone(),
            _ => program.actors[actor.index()].workframes.clone(),
        }
    }
}

/// Calls `f` with the chain of parameters; the nearest are last in `arguments`.
pub(crate) fn with_parameters<T>(
    arguments: &[Box<[u32]>],
    f: impl FnOnce(Option<&Parameters<'_>>) -> T,
) -> T {
    let mut f = Some(f);
    let mut result = None;
    chain(arguments, None, &mut |parameters| result = f.take().map(|f| f(parameters)));
    result.expect("the chain ends with one call")
}

fn chain(rest: &[Box<[u32]>], outer: Option<&Parameters<'_>>, f: &mut dyn FnMut(Option<&Parameters<'_>>)) {
    match rest.split_first() {
        None => f(outer),
        Some((first, rest)) => chain(rest, Some(&Parameters { arguments: first, outer }), f),
    }
}
