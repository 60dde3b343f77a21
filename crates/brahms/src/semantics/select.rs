//! Choosing a workframe: the rules `Wf_*` (Stocker 2013, 6.3.5).
//!
//! `spec/brahms/rules.md` says how this departs from the published rules: a tie is a choice, guards are tested when an
//! instance starts and not when it resumes, `repeat: false` counts for each binding.
//!
//! Priorities are compared in tenths: an instance of a `foreach` frame that waits, or work whose obstacle is gone, counts one
//! tenth more than a fresh frame, interrupted work two, and what is being done three.

use motet_model::{Ending, Fault};

use super::Semantics;
use super::control::{Context, Instance, Parameters, Scope, Timing};
use super::record::Record;
use super::rewards::Happening;
use super::work::Work;
use crate::program::{ActivityNode, ActorId, FrameId, Quantifier, Repeat, Variable};

const WAITING: i64 = 1;
const INTERRUPTED: i64 = 2;
const CURRENT: i64 = 3;

/// Something that could be done next.
#[derive(Clone, Copy, Debug)]
enum Candidate {
    /// An interrupted context, by position.
    Interrupted(usize),
    /// A context whose obstacle is gone, by position.
    Released(usize),
    /// An instance that waits, by position, with all its values.
    Pending(usize, Instance),
    /// A frame.
    Fresh(Instance),
}

/// The best candidates so far.
struct Field {
    /// Only more than this counts.
    floor: i64,
    best: Option<i64>,
    found: Vec<Candidate>,
}

impl Field {
    fn add(&mut self, priority: i64, candidate: Candidate) {
        if priority <= self.floor || self.best.is_some_and(|best| priority < best) {
            return;
        }
        if self.best != Some(priority) {
            self.best = Some(priority);
            self.found.clear();
        }
        self.found.push(candidate);
    }

    fn can_use(&self, priority: i64) -> bool {
        priority > self.floor && self.best.is_none_or(|best| priority >= best)
    }
}

impl Semantics {
    /// Rule `Wf_Select` on every level, from the outside in. True if something was started or resumed.
    pub(super) fn wf_select(
        &self,
        work: &mut Work,
        actor: ActorId,
        scope: &mut Scope,
    ) -> Result<bool, Fault> {
        let frames = &self.ranked[actor.index()].works;
        let before = scope.pending.len();
        let selected = self.select_level(work, actor, frames, scope, None)?;
        if selected || scope.pending.len() != before {
            self.set_scope(work, actor, scope);
        }
        Ok(selected)
    }

    fn select_level(
        &self,
        work: &mut Work,
        actor: ActorId,
        frames: &[FrameId],
        scope: &mut Scope,
        parameters: Option<&Parameters<'_>>,
    ) -> Result<bool, Fault> {
        let priority = |instance: Instance| self.program.frames[instance.frame.index()].priority;
        let floor = scope.current.as_ref().map_or(i64::MIN, |context| priority(context.instance) + CURRENT);
        let mut field = Field { floor, best: None, found: Vec::new() };
        let dropped = self.candidates(work, actor, frames, scope, parameters, &mut field);
        for at in dropped.into_iter().rev() {
            let Instance { frame, binding } = scope.pending.remove(at);
            work.note(|| Record::Dropped { actor, frame, binding: self.bound(binding) });
            for candidate in &mut field.found {
                if let Candidate::Pending(position, _) = candidate
                    && *position > at
                {
                    *position -= 1;
                }
            }
        }
        if let Some(best) = field.best {
            let chosen = field.found[self.tie(work, field.found.len())?];
            self.wf_suspend(work, actor, scope);
            self.take(work, actor, scope, chosen, best, parameters)?;
            return Ok(true);
        }
        let Some(opened) = scope.current.as_mut().and_then(|context| context.inside.as_mut()) else {
            return Ok(false);
        };
        let inner = Parameters { arguments: &opened.arguments, outer: parameters };
        let frames = &self.ranked_inside[opened.activity.index()].works;
        let before = opened.scope.pending.len();
        let selected = self.select_level(work, actor, frames, &mut opened.scope, Some(&inner))?;
        if !selected && opened.scope.pending.len() != before {
            // Instances were dropped: this is written down, and the actor looks again.
            return Ok(true);
        }
        Ok(selected)
    }

    /// Finds the candidates of the highest priority. Returns the positions of instances that wait in vain: it would be
    /// their turn, and their guard does not hold any more.
    fn candidates(
        &self,
        work: &mut Work,
        actor: ActorId,
        frames: &[FrameId],
        scope: &Scope,
        parameters: Option<&Parameters<'_>>,
        field: &mut Field,
    ) -> Vec<usize> {
        let priority = |instance: Instance| self.program.frames[instance.frame.index()].priority;
        for (at, context) in scope.interrupted.iter().enumerate() {
            let rank = priority(context.instance) + INTERRUPTED;
            if field.can_use(rank) && self.may_resume(work, context, parameters) {
                field.add(rank, Candidate::Interrupted(at));
            }
        }
        for (at, impasse) in scope.impassed.iter().enumerate() {
            let rank = priority(impasse.context.instance) + WAITING;
            if field.can_use(rank) && self.is_released((&work.cells).into(), actor, impasse, parameters) {
                field.add(rank, Candidate::Released(at));
            }
        }
        let mut vain = Vec::new();
        for (at, pending) in scope.pending.iter().enumerate() {
            let rank = priority(*pending) + WAITING;
            if !field.can_use(rank) {
                continue;
            }
            let values = self.controls.values(pending.binding);
            let mut starts = false;
            self.startable(work, scope, pending.frame, values, parameters, &mut |instance| {
                starts = true;
                field.add(rank, Candidate::Pending(at, instance));
            });
            if !starts {
                vain.push((at, rank));
            }
        }
        for frame in frames {
            let rank = self.program.frames[frame.index()].priority;
            if !field.can_use(rank) {
                break;
            }
            self.startable(work, scope, *frame, &[], parameters, &mut |instance| {
                field.add(rank, Candidate::Fresh(instance));
            });
        }
        let best = field.best.unwrap_or(i64::MIN);
        vain.into_iter().filter(|(_, rank)| *rank >= best).map(|(at, _)| at).collect()
    }

    fn may_resume(&self, work: &Work, context: &Context, parameters: Option<&Parameters<'_>>) -> bool {
        if !self.program.rules.resume_tests_guard {
            return true;
        }
        let Instance { frame, binding } = self.identity(context.instance);
        let values = self.controls.values(binding);
        self.bindings(frame, &work.cells, parameters, values, &mut Vec::new()) > 0
    }

    /// Calls `found` with the instances of a frame that may start.
    fn startable(
        &self,
        work: &mut Work,
        scope: &Scope,
        frame: FrameId,
        fixed: &[u32],
        parameters: Option<&Parameters<'_>>,
        found: &mut dyn FnMut(Instance),
    ) {
        let text = &self.program.frames[frame.index()];
        let seat = &self.layout.seats[text.actor.index()];
        let mut rows = std::mem::take(&mut work.scratch);
        rows.clear();
        let count = self.bindings(frame, &work.cells, parameters, fixed, &mut rows);
        let width = text.variables.len();
        for row in 0..count {
            let binding = self.controls.bind(&rows[row * width..(row + 1) * width]);
            let instance = Instance { frame, binding };
            let own = self.identity(instance);
            let lives = scope.contexts().any(|context| self.identity(context.instance) == own);
            if !lives && !self.is_done(work, instance) && !self.is_marked(work, seat.blocked, own) {
                found(instance);
            }
        }
        work.scratch = rows;
    }

    /// The instances of a frame that may start in a state, for readers.
    pub(crate) fn may_start(
        &self,
        state: &motet_model::State,
        scope: &Scope,
        frame: FrameId,
        parameters: Option<&Parameters<'_>>,
    ) -> Vec<Instance> {
        let mut work = Work::default();
        work.load(state, self.program.actors.len());
        let mut found = Vec::new();
        self.startable(&mut work, scope, frame, &[], parameters, &mut |instance| found.push(instance));
        found
    }

    /// Rule `Wf_Suspend`: something more urgent comes up. The remaining time is kept.
    fn wf_suspend(&self, work: &mut Work, actor: ActorId, scope: &mut Scope) {
        if let Some(mut context) = scope.current.take() {
            work.note(|| Record::Ended { actor, frame: context.instance.frame, how: Ending::Interrupted });
            self.put_aside(work, actor, &mut context);
            scope.interrupted.push(context);
        }
    }

    fn take(
        &self,
        work: &mut Work,
        actor: ActorId,
        scope: &mut Scope,
        candidate: Candidate,
        priority: i64,
        parameters: Option<&Parameters<'_>>,
    ) -> Result<(), Fault> {
        match candidate {
            Candidate::Interrupted(at) => {
                let context = scope.interrupted.remove(at);
                self.resume(work, actor, scope, context, priority)
            }
            Candidate::Released(at) => {
                let context = scope.impassed.remove(at).context;
                self.resume(work, actor, scope, context, priority)
            }
            Candidate::Pending(at, instance) => {
                scope.pending.remove(at);
                self.start(work, actor, scope, instance, priority, parameters)
            }
            Candidate::Fresh(instance) => {
                if self.plans[instance.frame.index()].spreads {
                    self.var_each(work, scope, instance, parameters);
                }
                self.start(work, actor, scope, instance, priority, parameters)
            }
        }
    }

    /// Rule `Var_each`: the other instances wait for their turn.
    fn var_each(
        &self,
        work: &mut Work,
        scope: &mut Scope,
        chosen: Instance,
        parameters: Option<&Parameters<'_>>,
    ) {
        let frame = chosen.frame;
        let own = self.spread(frame, self.controls.values(chosen.binding));
        let mut all = Vec::new();
        self.startable(work, scope, frame, &[], parameters, &mut |instance| all.push(instance));
        scope.pending.retain(|pending| pending.frame != frame);
        for instance in all {
            let values = self.spread(frame, self.controls.values(instance.binding));
            let waiting = Instance { frame, binding: self.controls.bind(&values) };
            if values != own && !scope.pending.contains(&waiting) {
                scope.pending.push(waiting);
            }
        }
    }

    fn resume(
        &self,
        work: &mut Work,
        actor: ActorId,
        scope: &mut Scope,
        mut context: Context,
        priority: i64,
    ) -> Result<(), Fault> {
        let frame = context.instance.frame;
        let innermost = context.innermost_mut();
        let remaining = std::mem::take(&mut innermost.remaining);
        let runs = innermost.is_running();
        work.set(self.layout.seats[actor.index()].remaining, remaining);
        self.count_frame(work, actor, frame)?;
        work.note(|| Record::Resumed { actor, frame, remaining: runs.then_some(remaining), priority });
        self.look_out(work, actor, &context);
        scope.current = Some(context);
        Ok(())
    }

    fn start(
        &self,
        work: &mut Work,
        actor: ActorId,
        scope: &mut Scope,
        instance: Instance,
        priority: i64,
        parameters: Option<&Parameters<'_>>,
    ) -> Result<(), Fault> {
        let text = &self.program.frames[instance.frame.index()];
        self.count_frame(work, actor, instance.frame)?;
        self.count(work, Happening::Frame(instance.frame));
        work.note(|| Record::Started {
            actor,
            frame: instance.frame,
            binding: self.bound(instance.binding),
            priority,
        });
        match text.repeat {
            Repeat::Always => self.wf_true(),
            Repeat::Twice => self.wf_once(work, actor, instance),
            Repeat::Once => self.wf_false(work, actor, instance),
        }
        let mut context = Context::new(instance);
        self.look_out(work, actor, &context);
        if text.detectables.iter().any(|detectable| detectable.percent.is_some()) {
            let total = self.expected(work, instance, parameters);
            context.timing = Some(Timing { elapsed: 0, total, reached: 0 });
            self.reach_points(work, actor, &mut context);
        }
        scope.current = Some(context);
        Ok(())
    }

    /// Rule `Wf_true`: it may be done again.
    #[expect(clippy::unused_self, reason = "the rules of a family look alike")]
    fn wf_true(&self) {}

    /// Rule `Wf_once`, in its literal reading: it may be done once more.
    fn wf_once(&self, work: &mut Work, actor: ActorId, instance: Instance) {
        self.wf_false(work, actor, instance);
    }

    /// Rule `Wf_false`: it is not done again with these values.
    fn wf_false(&self, work: &mut Work, actor: ActorId, instance: Instance) {
        let slot = self.layout.seats[actor.index()].done;
        self.add_mark(work, slot, self.counted(instance));
    }

    /// What `repeat: false` counts: the frame with its values, or the frame alone.
    pub(super) fn counted(&self, instance: Instance) -> Instance {
        if self.program.rules.repeat_per_frame {
            return Instance { binding: 0, ..instance };
        }
        self.identity(instance)
    }

    /// Whether a frame was done as often as it may be.
    pub(super) fn is_done(&self, work: &Work, instance: Instance) -> bool {
        let text = &self.program.frames[instance.frame.index()];
        let most = match text.repeat {
            Repeat::Always => return false,
            Repeat::Once => 1,
            Repeat::Twice => 2,
        };
        let Some(slot) = self.layout.seats[text.actor.index()].done else { return false };
        if work.cells[slot] == 0 {
            return false;
        }
        let counted = self.counted(instance);
        self.controls.marked(work.cells[slot]).iter().filter(|done| **done == counted).count() >= most
    }

    /// Takes one mark out of a set.
    pub(super) fn take_mark(&self, work: &mut Work, slot: Option<usize>, instance: Instance) {
        let Some(slot) = slot.filter(|slot| work.cells[*slot] != 0) else { return };
        let mut set = self.controls.marked(work.cells[slot]).to_vec();
        if let Some(at) = set.iter().position(|marked| *marked == instance) {
            set.remove(at);
            work.set(slot, self.controls.mark(set));
        }
    }

    /// What makes an instance the same as another: the values of its `forone` and `foreach` variables. What `collectall`
    /// gathers, and what the body gives to variables, may differ.
    pub(crate) fn identity(&self, instance: Instance) -> Instance {
        if !self.plans[instance.frame.index()].loose {
            return instance;
        }
        let mut values = self.controls.values(instance.binding).to_vec();
        let variables = &self.program.frames[instance.frame.index()].variables;
        let loose = |variable: &Variable| !variable.guarded || variable.quantifier == Quantifier::CollectAll;
        for (value, _) in values.iter_mut().zip(variables).filter(|(_, variable)| loose(variable)) {
            *value = super::value::UNKNOWN;
        }
        Instance { binding: self.controls.bind(&values), ..instance }
    }

    /// A block on a frame whose guard is false says nothing: what makes the guard true lifts the block. Nor does one on a
    /// frame that is done for good. Forgetting them makes equal situations equal.
    pub(super) fn forget_blocks(&self, work: &mut Work, actor: ActorId) {
        let slot = self.layout.seats[actor.index()].blocked;
        self.keep_marks(work, slot, |work, instance| {
            let inside = self.program.frames[instance.frame.index()].inside.is_some();
            let values = self.controls.values(instance.binding);
            // The parameters of an activity around it are not at hand.
            let able =
                inside || self.bindings(instance.frame, &work.cells, None, values, &mut Vec::new()) > 0;
            able && !self.is_done(work, instance)
        });
    }

    /// Marks of frames inside a composite activity are forgotten when it ends, and so is what is put aside there.
    pub(super) fn close_inside(&self, work: &mut Work, actor: ActorId, context: &Context) {
        let Some(opened) = &context.inside else { return };
        let activity = opened.activity;
        let seat = &self.layout.seats[actor.index()];
        for slot in [seat.done, seat.blocked, seat.spent] {
            self.keep_marks(work, slot, |_, instance| !self.is_inside(instance.frame, activity));
        }
    }

    fn is_inside(&self, frame: FrameId, activity: crate::program::ActivityId) -> bool {
        let mut frame = frame;
        // Composite activities nest finitely; each level is further out.
        while let Some(around) = self.program.frames[frame.index()].inside {
            if around == activity {
                return true;
            }
            match self.callers[around.index()] {
                Some(caller) => frame = caller,
                None => return false,
            }
        }
        false
    }

    /// Ends a composite activity: its caller goes on behind it.
    pub(super) fn end_composite(&self, work: &mut Work, actor: ActorId, context: &mut Context) {
        self.close_inside(work, actor, context);
        if let Some(opened) = context.inside.take() {
            let activity = opened.activity;
            debug_assert!(matches!(
                self.program.activities[activity.index()].node,
                ActivityNode::Composite { .. }
            ));
            work.note(|| Record::Finished { actor, activity, how: Ending::Done });
        }
        work.set(self.layout.seats[actor.index()].remaining, 0);
        context.next += 1;
        context.mode = super::control::Mode::Ready;
    }
}
