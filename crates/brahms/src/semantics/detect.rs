//! Detectables: the rules `Det_*` (Stocker 2013, 6.3.6).
//!
//! `spec/brahms/rules.md` says how this departs from the published rules: a detectable first makes the matching facts
//! beliefs, whatever their values are, and then tests its condition on the beliefs. It is looked at when its frame starts
//! or resumes, which makes all such facts beliefs, and when something it looks at changes: then only those facts become
//! beliefs that were stated since the actor last looked, so that what somebody was told is not erased by what was so
//! before. `detect-on=facts` is the published reading: everybody tests the facts, and those that make the condition true
//! become beliefs.

use motet_model::{Ending, Fault};

use super::Semantics;
use super::cells::View;
use super::conditions::Env;
use super::control::{Context, Impasse, Mode, Parameters, Scope};
use super::layout::Meaning;
use super::record::Record;
use super::value::UNKNOWN;
use super::work::Work;
use super::writes::FACTS;
use crate::program::{
    ActivityNode, ActorId, AttributeKind, DetectAction, Detectable, EntityId, Expr, KeyId, Sighted, Sought,
};

/// What a look at everything inside some work leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// Nobody's work changes.
    Nothing,
    /// It changed.
    Acted,
    /// The composite activity around it ends.
    EndsActivity,
}

/// The values that a frame or activity works with, beside what its actor believes.
#[derive(Clone, Copy)]
struct Senses<'a> {
    binding: &'a [u32],
    parameters: Option<&'a Parameters<'a>>,
}

/// What a look at the detectables of one frame or activity leads to.
struct Hit {
    action: DetectAction,
    /// The position of the detectable.
    number: u32,
}

/// What there is to look at when an actor looks.
struct Glance {
    /// The bits of detectables that have to be looked at, and of those to which every fact is new.
    due: Vec<u32>,
    /// The bits of facts that were stated since the actor last looked.
    news: Vec<u32>,
    /// The bits of detectables whose certainty was drawn.
    drawn: Vec<u32>,
}

impl Semantics {
    /// A detectable that waits for a point of its frame's time has to be looked at: it looks once, at everything.
    pub(super) fn set_due(&self, work: &mut Work, actor: ActorId, bit: u32) {
        let seat = &self.layout.seats[actor.index()];
        for bit in [bit, seat.detectables + bit] {
            let slot = seat.due + bit as usize / 32;
            let word = work.cells[slot] | 1 << (bit % 32);
            work.set(slot, word);
        }
    }

    /// No detectable has to be looked at, and nothing is new.
    pub(super) fn clear_due(&self, work: &mut Work, actor: ActorId) {
        for slot in self.layout.seats[actor.index()].marks() {
            work.set(slot, 0);
        }
    }

    /// What has to be looked at is looked at now.
    fn glance(&self, work: &mut Work, actor: ActorId) -> Glance {
        let seat = &self.layout.seats[actor.index()];
        let due = work.cells[seat.due..seat.due + seat.due_width].to_vec();
        let news = work.cells[seat.news..seat.news + seat.news_width].to_vec();
        self.clear_due(work, actor);
        Glance { drawn: vec![0; due.len()], due, news }
    }

    /// Whether a detectable is looked at now: it had to be, or something that it speaks of was learnt just now.
    fn takes_a_look(&self, work: &mut Work, actor: ActorId, glance: &Glance, bit: u32) -> bool {
        let slot = self.layout.seats[actor.index()].due + bit as usize / 32;
        let again = is_set(&[work.cells[slot]], bit % 32);
        self.looked(work, actor, bit);
        again || is_set(&glance.due, bit)
    }

    /// A detectable need not be looked at again.
    fn looked(&self, work: &mut Work, actor: ActorId, bit: u32) {
        let slot = self.layout.seats[actor.index()].due + bit as usize / 32;
        let word = work.cells[slot] & !(1 << (bit % 32));
        work.set(slot, word);
    }

    /// A frame starts or resumes, with everything that is open inside it: its detectables have to be looked at, or, with
    /// `detect-at-start=no`, only when something changes later.
    pub(super) fn look_out(&self, work: &mut Work, actor: ActorId, context: &Context) {
        if !self.program.rules.detect_at_start {
            // What was stated before the frame starts is not stated later.
            self.clear_due(work, actor);
        }
        let frame = context.instance.frame;
        let detectables = &self.program.frames[frame.index()].detectables;
        self.look(work, actor, detectables, self.layout.frame_bits[frame.index()]);
        if let Some(opened) = &context.inside {
            self.look_inside(work, actor, opened.activity);
            if let Some(inner) = &opened.scope.current {
                self.look_out(work, actor, inner);
            }
        }
    }

    /// A composite activity opens, or goes on: its detectables have to be looked at.
    pub(super) fn look_inside(&self, work: &mut Work, actor: ActorId, activity: crate::program::ActivityId) {
        if let ActivityNode::Composite { detectables, .. } = &self.program.activities[activity.index()].node {
            self.look(work, actor, detectables, self.layout.activity_bits[activity.index()]);
        }
    }

    fn look(&self, work: &mut Work, actor: ActorId, detectables: &[Detectable], first: u32) {
        let seat = &self.layout.seats[actor.index()];
        for (bit, detectable) in (first..).zip(detectables) {
            for bit in [bit, seat.detectables + bit] {
                let slot = seat.due + bit as usize / 32;
                let mask = 1 << (bit % 32);
                let now = if detectable.percent.is_none() && self.program.rules.detect_at_start {
                    work.cells[slot] | mask
                } else {
                    work.cells[slot] & !mask
                };
                work.set(slot, now);
            }
        }
    }

    /// Looks at the detectables of everything that is being done, from the outside in. True if a belief changed or
    /// somebody's work did; false is rule `Det_empty`, or `Det_cont` with nothing new.
    pub(super) fn detect(&self, work: &mut Work, actor: ActorId, scope: &mut Scope) -> Result<bool, Fault> {
        let seat = &self.layout.seats[actor.index()];
        if scope.current.is_none()
            || work.cells[seat.due..seat.due + seat.due_width].iter().all(|word| *word == 0)
        {
            return Ok(false);
        }
        let mut glance = self.glance(work, actor);
        let mark = work.undo.len();
        let acted = self.detect_level(work, actor, scope, None, &mut glance)? == Look::Acted;
        let is_learnt =
            |(slot, _): &(u32, u32)| !matches!(self.layout.meanings[*slot as usize], Meaning::Writers { .. });
        let learnt = work.undo[mark..].iter().any(is_learnt);
        // Uncertain ones that were looked at before something more was learnt have had their chance.
        for (slot, drawn) in (seat.due..).zip(&glance.drawn) {
            let word = work.cells[slot] & !drawn;
            work.set(slot, word);
        }
        if acted {
            self.set_scope(work, actor, scope);
        }
        Ok(acted || learnt)
    }

    fn detect_level(
        &self,
        work: &mut Work,
        actor: ActorId,
        scope: &mut Scope,
        parameters: Option<&Parameters<'_>>,
        glance: &mut Glance,
    ) -> Result<Look, Fault> {
        let Some(context) = &mut scope.current else { return Ok(Look::Nothing) };
        let frame = context.instance.frame;
        let text = &self.program.frames[frame.index()];
        let binding = self.controls.values(context.instance.binding);
        let first = self.layout.frame_bits[frame.index()];
        let (all, sense) = (&text.detectables, Senses { binding, parameters });
        if let Some(hit) = self.hits(work, actor, all, first, sense, glance)? {
            match hit.action {
                DetectAction::Continue => {}
                DetectAction::EndActivity if parameters.is_none() => {}
                DetectAction::EndActivity => return Ok(Look::EndsActivity),
                DetectAction::Complete => return self.det_comp(work, actor, scope, parameters),
                DetectAction::Impasse => return Ok(self.det_impasse(work, actor, scope, hit.number)),
                DetectAction::Abort => return Ok(self.det_abort(work, actor, scope)),
            }
        }
        self.detect_inside(work, actor, scope, sense, glance)
    }

    fn detect_inside(
        &self,
        work: &mut Work,
        actor: ActorId,
        scope: &mut Scope,
        Senses { binding, parameters }: Senses<'_>,
        glance: &mut Glance,
    ) -> Result<Look, Fault> {
        let Some(context) = &mut scope.current else { return Ok(Look::Nothing) };
        let Some(opened) = &mut context.inside else { return Ok(Look::Nothing) };
        let activity = opened.activity;
        let ActivityNode::Composite { detectables, .. } = &self.program.activities[activity.index()].node
        else {
            return Ok(Look::Nothing);
        };
        let inner = Parameters { arguments: &opened.arguments, outer: parameters };
        let first = self.layout.activity_bits[activity.index()];
        let sense = Senses { binding, parameters: Some(&inner) };
        let hit = self.hits(work, actor, detectables, first, sense, glance)?;
        let look = match hit.map(|hit| hit.action) {
            None | Some(DetectAction::Continue) => {
                self.detect_level(work, actor, &mut opened.scope, Some(&inner), glance)?
            }
            Some(DetectAction::EndActivity) => Look::EndsActivity,
            // These belong to workframes: to the one that performs the activity.
            Some(DetectAction::Complete) => return self.det_comp(work, actor, scope, parameters),
            Some(DetectAction::Impasse | DetectAction::Abort) => {
                return Ok(self.det_abort(work, actor, scope));
            }
        };
        if look == Look::EndsActivity {
            self.end_composite(work, actor, context);
            return Ok(Look::Acted);
        }
        Ok(look)
    }

    /// Learns from the facts, and finds the strongest action among the detectables whose condition holds.
    fn hits(
        &self,
        work: &mut Work,
        actor: ActorId,
        detectables: &[Detectable],
        first: u32,
        Senses { binding, parameters }: Senses<'_>,
        glance: &mut Glance,
    ) -> Result<Option<Hit>, Fault> {
        let seat = &self.layout.seats[actor.index()];
        let mut strongest: Option<Hit> = None;
        for (number, detectable) in (0..).zip(detectables) {
            let bit = first + number;
            if !self.takes_a_look(work, actor, glance, bit) {
                continue;
            }
            if (1..100).contains(&detectable.certainty) {
                glance.drawn[bit as usize / 32] |= 1 << (bit % 32);
            }
            if !work.oracle.draw(detectable.certainty)? {
                continue;
            }
            let env = self.senses(actor, &work.cells, binding, parameters);
            let mut keys = self.learnt(&env, &detectable.sought);
            if !is_set(&glance.due, seat.detectables + bit) && !self.program.rules.detect_on_facts {
                let is_new = |at| is_set(&glance.news, u32::try_from(at).expect("keys are numbered"));
                keys.retain(|key| seat.looked_for.binary_search(key).is_ok_and(is_new));
            }
            for key in keys {
                let fact = self.layout.stored(&work.cells, FACTS, key);
                if fact != UNKNOWN {
                    self.write_belief(work, actor, key, fact, actor)?;
                }
            }
            self.looked(work, actor, bit);
            let env = self.senses(actor, &work.cells, binding, parameters);
            if !self.is_seen(&env, &detectable.sought) {
                continue;
            }
            self.seen(first + number, actor);
            work.note(|| Record::Detected {
                actor,
                name: detectable.name.clone(),
                action: detectable.action,
                span: detectable.span,
            });
            if strongest.as_ref().is_none_or(|hit| detectable.action > hit.action) {
                strongest = Some(Hit { action: detectable.action, number });
            }
        }
        Ok(strongest)
    }

    /// The keys whose facts can become beliefs: those of the left side, and of attributes on the right side. With
    /// `detect-on=facts`, none but those that make the condition true.
    fn learnt(&self, env: &Env<'_>, sought: &Sought) -> Vec<KeyId> {
        let mut keys = self.sought_keys(env, sought);
        if self.program.rules.detect_on_facts {
            keys.retain(|key| self.passes(env, sought, self.read(env, *key)));
            if keys.is_empty() {
                return keys;
            }
        }
        if let Sought::Attribute { test: Some((_, right)), .. } = sought {
            self.read_keys(env, right, &mut keys);
        }
        keys
    }

    fn read_keys(&self, env: &Env<'_>, expr: &Expr, keys: &mut Vec<KeyId>) {
        match expr {
            Expr::Read(place) => keys.extend(self.place(env, place)),
            Expr::Negate(of) => self.read_keys(env, of, keys),
            Expr::Binary(_, left, right) => {
                self.read_keys(env, left, keys);
                self.read_keys(env, right, keys);
            }
            Expr::Value(_) | Expr::Unknown | Expr::Variable(_) => {}
        }
    }

    /// Those that something is about, as far as they are there.
    pub(super) fn sighted(&self, env: &Env<'_>, sighted: &Sighted) -> Vec<EntityId> {
        match sighted {
            Sighted::One(subject) => self.subjects(env, *subject),
            Sighted::Every(all) => {
                all.iter().copied().filter(|entity| self.layout.is_there(env.cells, *entity)).collect()
            }
        }
    }

    /// The keys that something sought, or transferred, stands for.
    pub(super) fn sought_keys(&self, env: &Env<'_>, sought: &Sought) -> Vec<KeyId> {
        match sought {
            Sought::Attribute { subject, attribute, index, .. } => {
                let of = self.sighted(env, subject);
                let is_map = self.program.attributes[attribute.index()].kind == AttributeKind::Map;
                match index {
                    Some(index) => {
                        let index = self.value(env, index);
                        of.into_iter().filter_map(|of| self.entry(of, *attribute, index)).collect()
                    }
                    None if is_map => of
                        .into_iter()
                        .flat_map(|of| self.program.keys.entries(of, *attribute).map(|(_, key)| key))
                        .collect(),
                    None => of.into_iter().filter_map(|of| self.layout.attribute(of, *attribute)).collect(),
                }
            }
            Sought::Related { subject, relation, object, .. } => {
                let subjects = self.sighted(env, subject);
                let mut keys = Vec::new();
                match object {
                    Some(object) => {
                        let objects = self.sighted(env, object);
                        for of in subjects {
                            keys.extend(objects.iter().filter_map(|to| self.pair(of, *relation, *to)));
                        }
                    }
                    None => {
                        for of in subjects {
                            keys.extend(self.program.keys.pairs(of, *relation).map(|(_, key)| key));
                        }
                    }
                }
                keys
            }
        }
    }

    /// Whether what is sought holds of some of those it is about.
    pub(crate) fn is_seen(&self, env: &Env<'_>, sought: &Sought) -> bool {
        self.sought_keys(env, sought).into_iter().any(|key| {
            let word = self.read(env, key);
            self.passes(env, sought, word)
        })
    }

    /// Whether a value is what is sought.
    pub(super) fn passes(&self, env: &Env<'_>, sought: &Sought, word: u32) -> bool {
        match sought {
            _ if word == UNKNOWN => false,
            Sought::Attribute { test: None | Some((_, Expr::Unknown)), .. }
            | Sought::Related { truth: None, .. } => true,
            Sought::Attribute { test: Some((operator, right)), .. } => {
                self.codec.compare(word, *operator, self.value(env, right))
            }
            Sought::Related { truth: Some(truth), .. } => word == super::value::truth(*truth),
        }
    }

    /// Rule `Det_abort`: the work is given up.
    fn det_abort(&self, work: &mut Work, actor: ActorId, scope: &mut Scope) -> Look {
        let Some(context) = scope.current.take() else { return Look::Nothing };
        let seat = &self.layout.seats[actor.index()];
        work.note(|| Record::Ended { actor, frame: context.instance.frame, how: Ending::Aborted });
        work.set(seat.remaining, 0);
        self.close_inside(work, actor, &context);
        let instance = self.identity(context.instance);
        self.add_mark(work, seat.blocked, instance);
        if !self.program.rules.aborted_counts {
            self.take_mark(work, seat.done, self.counted(instance));
        }
        Look::Acted
    }

    /// Rule `Det_comp`: only what is left of the conclusions is done.
    fn det_comp(
        &self,
        work: &mut Work,
        actor: ActorId,
        scope: &mut Scope,
        parameters: Option<&Parameters<'_>>,
    ) -> Result<Look, Fault> {
        let Some(context) = &mut scope.current else { return Ok(Look::Nothing) };
        if context.mode == Mode::Completing {
            return Ok(Look::Nothing);
        }
        let seat = &self.layout.seats[actor.index()];
        if context.mode == Mode::Running {
            if self.program.rules.complete_delivers && context.is_running() {
                self.effects(work, actor, context, parameters, crate::program::Moment::End)?;
            }
            let text = &self.program.frames[context.instance.frame.index()];
            if let Some(crate::program::Statement::Do(activity)) = text.body.get(context.next as usize) {
                work.note(|| Record::Finished { actor, activity: *activity, how: Ending::Completed });
            }
            context.next += 1;
        }
        work.set(seat.remaining, 0);
        self.close_inside(work, actor, context);
        context.inside = None;
        context.mode = Mode::Completing;
        Ok(Look::Acted)
    }

    /// Rule `Det_impasse`: the work is put aside until the condition is false.
    fn det_impasse(&self, work: &mut Work, actor: ActorId, scope: &mut Scope, detectable: u32) -> Look {
        let Some(mut context) = scope.current.take() else { return Look::Nothing };
        work.note(|| Record::Ended { actor, frame: context.instance.frame, how: Ending::Impassed });
        self.put_aside(work, actor, &mut context);
        scope.impassed.push(Impasse { context, detectable });
        Look::Acted
    }

    /// Keeps the remaining time of what is running inside.
    pub(super) fn put_aside(&self, work: &mut Work, actor: ActorId, context: &mut Context) {
        let slot = self.layout.seats[actor.index()].remaining;
        context.innermost_mut().remaining = work.cells[slot];
        work.set(slot, 0);
    }

    /// Whether what a context waits for has come: the condition of its detectable is false.
    pub(super) fn is_released(
        &self,
        cells: View<'_>,
        actor: ActorId,
        impasse: &Impasse,
        parameters: Option<&Parameters<'_>>,
    ) -> bool {
        let instance = impasse.context.instance;
        let frame = &self.program.frames[instance.frame.index()];
        let Some(detectable) = frame.detectables.get(impasse.detectable as usize) else { return true };
        let binding = self.controls.values(instance.binding);
        let env = self.senses(actor, cells, binding, parameters);
        !self.is_seen(&env, &detectable.sought)
    }
}

fn is_set(words: &[u32], bit: u32) -> bool {
    words[bit as usize / 32] >> (bit % 32) & 1 == 1
}
