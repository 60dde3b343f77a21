//! Executing the body of a frame: the rules `Pop_*` (Stocker 2013, 6.3.8).
//!
//! `spec/brahms/rules.md` says how this departs from the published rules: conclusions between two activities are one atomic
//! block, certainties are drawn, a conclusion may be about something that nobody believed before, and the actor thinks after
//! each block before it goes on.

use motet_model::{Ending, Fault};

use super::Semantics;
use super::bindings::{expr_needs, place_needs};
use super::conditions::Env;
use super::control::{Context, Instance, Mode, Parameters, Scope};
use super::record::Record;
use super::rewards::Happening;
use super::value::{UNKNOWN, truth};
use super::work::Work;
use crate::program::{
    ActivityId, ActivityNode, ActorId, Conclude, ConcludeNode, Expr, KeyId, Moment, Place, Statement,
    Subject, Var,
};

impl Semantics {
    /// Goes on with what is being done. False if that takes time, or if there is nothing.
    pub(super) fn pop(&self, work: &mut Work, actor: ActorId, scope: &mut Scope) -> Result<bool, Fault> {
        let went = self.pop_level(work, actor, scope, None)?;
        if went && self.is_present(work, actor) {
            self.set_scope(work, actor, scope);
        }
        Ok(went)
    }

    fn pop_level(
        &self,
        work: &mut Work,
        actor: ActorId,
        scope: &mut Scope,
        parameters: Option<&Parameters<'_>>,
    ) -> Result<bool, Fault> {
        let Some(context) = &mut scope.current else { return Ok(false) };
        if let Some(opened) = &mut context.inside {
            let inner = Parameters { arguments: &opened.arguments, outer: parameters };
            if opened.scope.current.is_some() {
                return self.pop_level(work, actor, &mut opened.scope, Some(&inner));
            }
            return Ok(self.pop_composite(work, actor, context));
        }
        if context.mode == Mode::Running {
            return Ok(false);
        }
        let body = &self.program.frames[context.instance.frame.index()].body;
        match body.get(context.next as usize) {
            None => self.pop_empty_wf(work, actor, scope),
            Some(Statement::Do(activity)) if context.mode == Mode::Completing => {
                debug_assert!(activity.index() < self.program.activities.len());
                context.next += 1;
            }
            Some(Statement::Do(activity)) => self.begin(work, actor, context, *activity, parameters)?,
            Some(_) => {
                self.pop_wf_conc(work, actor, context, parameters)?;
                let at_end = self.is_present(work, actor) && context.next as usize == body.len();
                if at_end {
                    self.pop_empty_wf(work, actor, scope);
                }
            }
        }
        Ok(true)
    }

    /// A composite activity ends when there is no work left in it. What waits for an obstacle to go is work.
    fn pop_composite(&self, work: &mut Work, actor: ActorId, context: &mut Context) -> bool {
        let Some(opened) = &context.inside else { return false };
        let ActivityNode::Composite { endless, .. } = &self.program.activities[opened.activity.index()].node
        else {
            return false;
        };
        let inside = &opened.scope;
        if *endless || !inside.interrupted.is_empty() || !inside.impassed.is_empty() {
            return false;
        }
        self.end_composite(work, actor, context);
        true
    }

    /// Rule `Pop_emptyWf`: a frame is done.
    fn pop_empty_wf(&self, work: &mut Work, actor: ActorId, scope: &mut Scope) {
        let Some(context) = scope.current.take() else { return };
        let completed = context.mode == Mode::Completing;
        let how = if completed { Ending::Completed } else { Ending::Done };
        work.note(|| Record::Ended { actor, frame: context.instance.frame, how });
        if completed {
            let instance = self.identity(context.instance);
            self.add_mark(work, self.layout.seats[actor.index()].blocked, instance);
        }
    }

    /// The rules `Pop_Wfconc*` and `Pop_concWf*`: all conclusions up to the next activity (`Pop_notConc`).
    fn pop_wf_conc(
        &self,
        work: &mut Work,
        actor: ActorId,
        context: &mut Context,
        parameters: Option<&Parameters<'_>>,
    ) -> Result<(), Fault> {
        let body = &self.program.frames[context.instance.frame.index()].body;
        while let Some(statement) = body.get(context.next as usize) {
            match statement {
                Statement::Conclude(conclude) => {
                    self.conclude(work, actor, context.instance, parameters, conclude, true)?;
                }
                Statement::Delete(subject, _) => {
                    let binding = self.controls.values(context.instance.binding);
                    let text = &self.program.frames[context.instance.frame.index()];
                    let env = Env::body(text, &work.cells, binding, parameters);
                    for entity in self.subjects(&env, *subject) {
                        self.delete(work, actor, entity)?;
                    }
                    if !self.is_present(work, actor) {
                        return Ok(());
                    }
                }
                Statement::Do(_) => break,
            }
            context.next += 1;
        }
        Ok(())
    }

    /// One conclusion: the belief and the fact are drawn apart, each once for the whole conclusion.
    pub(super) fn conclude(
        &self,
        work: &mut Work,
        actor: ActorId,
        instance: Instance,
        parameters: Option<&Parameters<'_>>,
        conclude: &Conclude,
        facts_too: bool,
    ) -> Result<(), Fault> {
        let believes = work.oracle.draw(conclude.belief)?;
        let makes = facts_too && work.oracle.draw(conclude.fact)?;
        if !believes && !makes {
            return Ok(());
        }
        let text = &self.program.frames[instance.frame.index()];
        let binding = self.controls.values(instance.binding);
        let mut targets = std::mem::take(&mut work.targets);
        targets.clear();
        let mut missing = None;
        let mut skipped = false;
        let mentioned = if binding.is_empty() { Vec::new() } else { mentioned(&conclude.node) };
        self.each_element(binding, &mentioned, &mut |binding| {
            let env = Env::body(text, &work.cells, binding, parameters);
            match self.conclusion(&env, &conclude.node) {
                Ok(Some(target)) => targets.push(target),
                Ok(None) => skipped = true,
                Err(what) => missing = Some(what),
            }
        });
        if let Some(what) = missing {
            let owner = self.program.actors[actor.index()].entity;
            let owner = &self.program.entities[owner.index()].name;
            return Err(Fault { message: format!("{} of {owner}: {what}", text.name) });
        }
        if skipped {
            self.skips(conclude.span);
            work.note(|| Record::Skipped { actor, span: conclude.span });
        }
        for (key, word) in &targets {
            match (believes, makes) {
                (true, true) => self.pop_wf_conc_bf(work, actor, *key, *word)?,
                (true, false) => self.pop_wf_conc_b(work, actor, *key, *word)?,
                _ => self.pop_wf_conc_f(work, actor, *key, *word)?,
            }
        }
        work.targets = targets;
        Ok(())
    }

    /// Rule `Pop_WfconcB`: the belief changes.
    fn pop_wf_conc_b(&self, work: &mut Work, actor: ActorId, key: KeyId, word: u32) -> Result<(), Fault> {
        self.write_belief(work, actor, key, word, actor).map(drop)
    }

    /// Rule `Pop_WfconcF`: the fact changes.
    fn pop_wf_conc_f(&self, work: &mut Work, actor: ActorId, key: KeyId, word: u32) -> Result<(), Fault> {
        self.write_fact(work, key, word, actor).map(drop)
    }

    /// Rule `Pop_WfconcBF`: both change.
    fn pop_wf_conc_bf(&self, work: &mut Work, actor: ActorId, key: KeyId, word: u32) -> Result<(), Fault> {
        self.pop_wf_conc_b(work, actor, key, word)?;
        self.pop_wf_conc_f(work, actor, key, word)
    }

    /// What a conclusion writes; `None` if its value is unknown. An error if it is about something that no slot stands for.
    fn conclusion(&self, env: &Env<'_>, node: &ConcludeNode) -> Result<Option<(KeyId, u32)>, String> {
        match node {
            ConcludeNode::Assign(place, expr) => {
                let word = self.value(env, expr);
                if word == UNKNOWN && *expr != Expr::Unknown {
                    return Ok(None);
                }
                match self.place(env, place) {
                    Some(key) => Ok(Some((key, word))),
                    None => self.no_place(env, place).map_or(Ok(None), Err),
                }
            }
            ConcludeNode::Relate(subject, relation, object, wanted) => {
                let Some((of, to)) = self.subject(env, *subject).zip(self.subject(env, *object)) else {
                    return Ok(None);
                };
                let word = wanted.map_or(UNKNOWN, truth);
                match self.pair(of, *relation, to) {
                    Some(key) => Ok(Some((key, word))),
                    None => Err(format!(
                        "bound exceeded: nothing else in the model speaks of {} {} {}",
                        self.program.entities[of.index()].name,
                        self.program.attributes[relation.index()].name,
                        self.program.entities[to.index()].name
                    )),
                }
            }
        }
    }

    /// Why a place has no key: an index beyond the bound. `None` if just a variable has no value.
    fn no_place(&self, env: &Env<'_>, place: &Place) -> Option<String> {
        let name = |of: crate::program::EntityId, attribute: crate::program::AttributeId| {
            let owner = &self.program.entities[of.index()].name;
            format!("{owner}.{}", self.program.attributes[attribute.index()].name)
        };
        match place {
            Place::Fixed(_) => None,
            Place::Attribute(var, attribute) => {
                let of = self.subject(env, Subject::Variable(*var))?;
                let what = name(of, *attribute);
                Some(format!("bound exceeded: nothing else in the model speaks of {what}"))
            }
            Place::Entry(subject, map, index) => {
                let of = self.subject(env, *subject)?;
                let index = self.codec.decode(self.value(env, index))?;
                let what = name(of, *map);
                Some(format!(
                    "bound exceeded: {what}({}) is beyond the indices that are kept (indices: {})",
                    self.show(index),
                    self.program.bounds.indices
                ))
            }
        }
    }

    /// The rules `Pop_PASend`, `Pop_moveSend`, `Pop_commSend`: an activity begins.
    fn begin(
        &self,
        work: &mut Work,
        actor: ActorId,
        context: &mut Context,
        activity: ActivityId,
        parameters: Option<&Parameters<'_>>,
    ) -> Result<(), Fault> {
        let text = &self.program.activities[activity.index()];
        if let ActivityNode::Composite { arguments, .. } = &text.node {
            self.open_composite(work, actor, context, activity, arguments, parameters);
            return Ok(());
        }
        let length = self.length(work, actor, context.instance, text, parameters)?;
        let to = work
            .notes
            .is_some()
            .then(|| self.target(&work.cells, context.instance, text, parameters))
            .flatten();
        self.count(work, Happening::Activity(activity));
        work.note(|| Record::Begun { actor, activity, length: Some(length), to });
        context.mode = Mode::Running;
        work.set(self.layout.seats[actor.index()].remaining, length);
        self.effects(work, actor, context, parameters, Moment::Start)
    }

    /// The rules `Pop_PA(t=0)`, `Pop_move(t=0)`, `Pop_comm(t=0)`: the time of the running activity is over.
    pub(super) fn finish(&self, work: &mut Work, actor: ActorId, scope: &mut Scope) -> Result<(), Fault> {
        self.finish_level(work, actor, scope, None)?;
        if self.is_present(work, actor) {
            self.set_scope(work, actor, scope);
        }
        Ok(())
    }

    fn finish_level(
        &self,
        work: &mut Work,
        actor: ActorId,
        scope: &mut Scope,
        parameters: Option<&Parameters<'_>>,
    ) -> Result<(), Fault> {
        let Some(context) = &mut scope.current else { return Ok(()) };
        if let Some(opened) = &mut context.inside {
            let inner = Parameters { arguments: &opened.arguments, outer: parameters };
            return self.finish_level(work, actor, &mut opened.scope, Some(&inner));
        }
        self.effects(work, actor, context, parameters, Moment::End)?;
        let body = &self.program.frames[context.instance.frame.index()].body;
        if let Some(Statement::Do(activity)) = body.get(context.next as usize) {
            work.note(|| Record::Finished { actor, activity: *activity, how: Ending::Done });
        }
        context.mode = Mode::Ready;
        context.next += 1;
        Ok(())
    }

    /// Gives a variable a value, in the running frame. Parameters of activities around it keep theirs.
    pub(super) fn assign(&self, context: &mut Context, var: Var, word: u32) {
        let Var::Own(index) = var else { return };
        let mut values = self.controls.values(context.instance.binding).to_vec();
        if let Some(value) = values.get_mut(usize::from(index)) {
            *value = word;
            context.instance.binding = self.controls.bind(&values);
        }
    }
}

/// The own variables of a conclusion.
fn mentioned(node: &ConcludeNode) -> Vec<u16> {
    let mut found = Vec::new();
    let mut add = |variable: u16| found.push(variable);
    match node {
        ConcludeNode::Assign(place, expr) => {
            place_needs(place, &mut add);
            expr_needs(expr, &mut add);
        }
        ConcludeNode::Relate(subject, _, object, _) => {
            for subject in [subject, object] {
                if let Subject::Variable(var) = subject {
                    expr_needs(&Expr::Variable(*var), &mut add);
                }
            }
        }
    }
    found
}
