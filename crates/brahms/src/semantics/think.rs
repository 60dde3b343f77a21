//! Thoughtframes: the rules `Tf_*` (Stocker 2013, 6.3.4).
//!
//! `spec/brahms/rules.md` says how this departs from the published rules: actors think while they work, a tie is a choice,
//! and a thoughtframe whose guard stays true fires again only after a belief that the guard reads has changed.

use motet_model::Fault;

use super::Semantics;
use super::control::{Instance, Parameters, Scope};
use super::layout::{Meaning, THOUGHTS};
use super::record::Record;
use super::rewards::Happening;
use super::work::Work;
use super::writes::beliefs_of;
use crate::program::{ActorId, FrameId, Repeat, Statement};

/// Thoughtframes that can fire, all of the same priority.
#[derive(Default)]
struct Thoughts {
    best: Option<i64>,
    found: Vec<Instance>,
    /// For each of them, in how many composite activities it is.
    depths: Vec<usize>,
}

impl Semantics {
    /// Rule `Tf_Select`: one of the thoughtframes of the highest priority fires. False (`Tf_exit`) if there is none.
    pub(super) fn tf_select(&self, work: &mut Work, actor: ActorId, scope: &Scope) -> Result<bool, Fault> {
        let mut thoughts = Thoughts::default();
        self.thoughts(work, &self.ranked[actor.index()].thoughts, None, 0, &mut thoughts);
        self.inner_thoughts(work, scope, None, 1, &mut thoughts);
        if thoughts.found.is_empty() {
            return Ok(false);
        }
        let chosen = self.tie(work, thoughts.found.len())?;
        let instance = thoughts.found[chosen];
        self.count_frame(work, actor, instance.frame)?;
        self.count(work, Happening::Frame(instance.frame));
        work.note(|| Record::Thought { actor, frame: instance.frame, binding: self.bound(instance.binding) });
        match self.program.frames[instance.frame.index()].repeat {
            Repeat::Always => self.tf_true(),
            Repeat::Twice => self.tf_once(work, actor, instance),
            Repeat::Once => self.tf_false(work, actor, instance),
        }
        let mark = work.undo.len();
        with_depth(scope, thoughts.depths[chosen], None, &mut |parameters| {
            self.pop_conc_tf(work, actor, instance, parameters)
        })?;
        self.spend(work, actor, instance, mark);
        Ok(true)
    }

    /// A frame is done; too many of one actor in one turn are a cycle that takes no time.
    pub(super) fn count_frame(&self, work: &mut Work, actor: ActorId, frame: FrameId) -> Result<(), Fault> {
        work.remember(frame);
        self.fired(frame);
        let number = work.cells[THOUGHTS] + 1;
        work.set(THOUGHTS, number);
        if number <= self.program.bounds.thoughts {
            return Ok(());
        }
        let entity = self.program.actors[actor.index()].entity;
        let message = format!(
            "bound exceeded: {} does more than {} frames without any time passing (thoughts); it goes round through {}",
            self.program.entities[entity.index()].name,
            self.program.bounds.thoughts,
            self.cycle(work)
        );
        Err(Fault { message })
    }

    /// Rule `Tf_true`: it may fire again.
    #[expect(clippy::unused_self, reason = "the rules of a family look alike")]
    fn tf_true(&self) {}

    /// Rule `Tf_once`, in its literal reading: it may fire once more.
    fn tf_once(&self, work: &mut Work, actor: ActorId, instance: Instance) {
        self.tf_false(work, actor, instance);
    }

    /// Rule `Tf_false`: it does not fire again with these values.
    fn tf_false(&self, work: &mut Work, actor: ActorId, instance: Instance) {
        let slot = self.layout.seats[actor.index()].done;
        self.add_mark(work, slot, self.counted(instance));
    }

    /// The rules `Pop_concTf*` and `Pop_emptyTf`: all conclusions at once, beliefs only.
    fn pop_conc_tf(
        &self,
        work: &mut Work,
        actor: ActorId,
        instance: Instance,
        parameters: Option<&Parameters<'_>>,
    ) -> Result<(), Fault> {
        let frame = &self.program.frames[instance.frame.index()];
        for statement in &frame.body {
            if let Statement::Conclude(conclude) = statement {
                self.conclude(work, actor, instance, parameters, conclude, false)?;
            }
        }
        Ok(())
    }

    /// Unless it changed something that its guard reads, the thoughtframe rests until that happens.
    fn spend(&self, work: &mut Work, actor: ActorId, instance: Instance, mark: usize) {
        let changed = work.undo[mark..].iter().any(|(slot, _)| match self.layout.meanings[*slot as usize] {
            Meaning::Value { store, key } if store == beliefs_of(actor) => {
                self.guard_reads(work, instance, key)
            }
            _ => false,
        });
        if !changed {
            self.add_mark(work, self.layout.seats[actor.index()].spent, instance);
        }
    }

    fn thoughts(
        &self,
        work: &mut Work,
        frames: &[FrameId],
        parameters: Option<&Parameters<'_>>,
        depth: usize,
        thoughts: &mut Thoughts,
    ) {
        for frame in frames {
            let text = &self.program.frames[frame.index()];
            if thoughts.best.is_some_and(|best| text.priority < best) {
                break;
            }
            let seat = &self.layout.seats[text.actor.index()];
            let mut rows = std::mem::take(&mut work.scratch);
            rows.clear();
            let count = self.bindings(*frame, &work.cells, parameters, &[], &mut rows);
            let width = text.variables.len();
            for row in 0..count {
                let binding = self.controls.bind(&rows[row * width..(row + 1) * width]);
                let instance = Instance { frame: *frame, binding };
                if self.is_done(work, instance) || self.is_marked(work, seat.spent, instance) {
                    continue;
                }
                if thoughts.best.is_none_or(|best| text.priority > best) {
                    thoughts.best = Some(text.priority);
                    thoughts.found.clear();
                    thoughts.depths.clear();
                }
                thoughts.found.push(instance);
                thoughts.depths.push(depth);
            }
            work.scratch = rows;
        }
    }

    fn inner_thoughts(
        &self,
        work: &mut Work,
        scope: &Scope,
        outer: Option<&Parameters<'_>>,
        depth: usize,
        thoughts: &mut Thoughts,
    ) {
        let Some(opened) = scope.current.as_ref().and_then(|context| context.inside.as_ref()) else { return };
        let parameters = Parameters { arguments: &opened.arguments, outer };
        let frames = &self.ranked_inside[opened.activity.index()].thoughts;
        self.thoughts(work, frames, Some(&parameters), depth, thoughts);
        self.inner_thoughts(work, &opened.scope, Some(&parameters), depth + 1, thoughts);
    }
}

/// Calls `f` with the parameters of the composite activity at a depth.
fn with_depth<R>(
    scope: &Scope,
    depth: usize,
    outer: Option<&Parameters<'_>>,
    f: &mut dyn FnMut(Option<&Parameters<'_>>) -> R,
) -> R {
    let opened = scope.current.as_ref().and_then(|context| context.inside.as_ref());
    match opened {
        Some(opened) if depth > 0 => {
            let parameters = Parameters { arguments: &opened.arguments, outer };
            with_depth(&opened.scope, depth - 1, Some(&parameters), f)
        }
        _ => f(outer),
    }
}
