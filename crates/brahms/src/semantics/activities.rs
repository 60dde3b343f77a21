//! What activities do, and how long they take (Stocker 2013, 6.3.8; `spec/brahms/rules.md`, activities).

mod create;
mod foreign;
mod handle;
mod tell;
mod travel;

use motet_model::Fault;

use super::Semantics;
use super::cells::Cells;
use super::conditions::Env;
use super::control::{Context, Instance, Mode, Opened, Parameters, Scope};
use super::oracle::{MOST_OUTCOMES, Weight};
use super::record::Record;
use super::rewards::Happening;
use super::work::Work;
use crate::program::{
    Activity, ActivityId, ActivityNode, ActorId, Duration, Durations, EntityId, Expr, Moment, Statement,
};

/// What an effect needs to know about who has it.
#[derive(Clone, Copy)]
pub(super) struct Doing<'a> {
    pub(super) actor: ActorId,
    pub(super) instance: Instance,
    pub(super) parameters: Option<&'a Parameters<'a>>,
    pub(super) activity: ActivityId,
}

impl Semantics {
    /// The values that an activity sees.
    pub(super) fn doing_env<'a>(
        &'a self,
        cells: &'a Cells,
        doing: &Doing<'a>,
        binding: &'a [u32],
    ) -> Env<'a> {
        Env::body(&self.program.frames[doing.instance.frame.index()], cells, binding, doing.parameters)
    }

    /// The effects of the activity that runs, at its start or at its end.
    pub(super) fn effects(
        &self,
        work: &mut Work,
        actor: ActorId,
        context: &mut Context,
        parameters: Option<&Parameters<'_>>,
        at: Moment,
    ) -> Result<(), Fault> {
        let body = &self.program.frames[context.instance.frame.index()].body;
        let Some(Statement::Do(activity)) = body.get(context.next as usize) else { return Ok(()) };
        let doing = Doing { actor, instance: context.instance, parameters, activity: *activity };
        match &self.program.activities[activity.index()].node {
            ActivityNode::Primitive | ActivityNode::Composite { .. } => Ok(()),
            ActivityNode::Move { to, arrival, departure } => match at {
                Moment::Start => self.depart(work, &doing, departure),
                Moment::End => self.arrive(work, &doing, *to, arrival),
            },
            ActivityNode::Communicate { with, about, at: when } if *when == at => {
                self.pop_comm(work, &doing, with, about)
            }
            ActivityNode::Broadcast { to, inside_too, about, at: when } if *when == at => {
                self.broadcast(work, &doing, to, *inside_too, about)
            }
            ActivityNode::Get { items, source, at: when } if *when == at => {
                self.get(work, &doing, items, *source)
            }
            ActivityNode::Put { items, destination, at: when } if *when == at => {
                self.put(work, &doing, items, *destination)
            }
            ActivityNode::Create { at: when, destination, .. } if *when == at => {
                let new = self.create(work, &doing)?;
                if let Some((var, new)) = destination.zip(new) {
                    self.assign(context, var, super::value::entity(new));
                }
                Ok(())
            }
            ActivityNode::Foreign { outputs, concludes } if at == Moment::End => {
                for (var, values) in outputs {
                    if !values.is_empty() {
                        self.draws(values.len());
                        let chosen = values[work.oracle.choose(values.len(), self.tie_weight())?];
                        self.assign(context, *var, self.codec.encode(chosen));
                    }
                }
                self.stub(work, actor, context.instance, parameters, concludes)
            }
            ActivityNode::Print(parts) if at == Moment::End => {
                self.print(work, &doing, parts);
                Ok(())
            }
            ActivityNode::PrintBelief(places) if at == Moment::End => {
                self.print_beliefs(work, &doing, places);
                Ok(())
            }
            ActivityNode::Retract(places) if at == Moment::End => self.retract(work, &doing, places),
            _ => Ok(()),
        }
    }

    /// Opens a composite activity: its frames compete among themselves while it is open.
    pub(super) fn open_composite(
        &self,
        work: &mut Work,
        actor: ActorId,
        context: &mut Context,
        activity: ActivityId,
        arguments: &[Expr],
        parameters: Option<&Parameters<'_>>,
    ) {
        let binding = self.controls.values(context.instance.binding);
        let doing = Doing { actor, instance: context.instance, parameters, activity };
        let env = self.doing_env(&work.cells, &doing, binding);
        let arguments = arguments.iter().map(|argument| self.value(&env, argument)).collect();
        self.count(work, Happening::Activity(activity));
        work.note(|| Record::Begun { actor, activity, length: None, to: None });
        context.mode = Mode::Running;
        context.inside = Some(Box::new(Opened { activity, arguments, scope: Scope::default() }));
        self.look_inside(work, actor, activity);
    }

    /// How many seconds an activity takes: as given; a move as long as the way; nothing else takes time.
    pub(super) fn length(
        &self,
        work: &mut Work,
        actor: ActorId,
        instance: Instance,
        text: &Activity,
        parameters: Option<&Parameters<'_>>,
    ) -> Result<u32, Fault> {
        let binding = self.controls.values(instance.binding);
        let frame = &self.program.frames[instance.frame.index()];
        if let Some(Duration { min, max }) = &text.duration {
            let env = Env::body(frame, &work.cells, binding, parameters);
            let seconds = |expr| self.codec.seconds(self.value(&env, expr));
            let most = seconds(max).unwrap_or(0);
            let least = seconds(min).unwrap_or(most).min(most);
            return self.random_length(work, text, least, most);
        }
        match &text.node {
            ActivityNode::Move { to, .. } => {
                let env = Env::body(frame, &work.cells, binding, parameters);
                let target = self.subject(&env, *to);
                self.way(&work.cells, actor, target, text)
            }
            _ => Ok(0),
        }
    }

    fn random_length(&self, work: &mut Work, text: &Activity, least: u32, most: u32) -> Result<u32, Fault> {
        if least == most {
            return Ok(most);
        }
        let rules = &self.program.rules;
        let weight = if rules.draws_durations() { Weight::Equal } else { Weight::Free };
        match rules.durations {
            Durations::Ends if most - least == 1 => self.draws(2),
            Durations::Ends | Durations::Random => self.narrowed.length(),
            Durations::All => self.draws(2),
            Durations::Choice => {}
        }
        if rules.durations == Durations::Ends {
            return Ok(if work.oracle.choose(2, weight)? == 0 { least } else { most });
        }
        let count = (most - least) as usize + 1;
        if count > MOST_OUTCOMES {
            let message = format!(
                "bound exceeded: {} may take {count} different times, more than {MOST_OUTCOMES}; `--rule \
                 durations=ends` keeps the shortest and the longest",
                text.name
            );
            return Err(Fault { message });
        }
        let chosen = work.oracle.choose(count, weight)?;
        Ok(least + u32::try_from(chosen).expect("it is at most the number of seconds"))
    }

    /// Where a move goes.
    pub(super) fn target(
        &self,
        cells: &Cells,
        instance: Instance,
        text: &Activity,
        parameters: Option<&Parameters<'_>>,
    ) -> Option<EntityId> {
        let ActivityNode::Move { to, .. } = &text.node else { return None };
        let binding = self.controls.values(instance.binding);
        let frame = &self.program.frames[instance.frame.index()];
        self.subject(&Env::body(frame, cells, binding, parameters), *to)
    }

    /// The seconds that a frame is expected to take when it starts: all its activities at their longest. Composite
    /// activities count nothing, because nobody knows.
    pub(super) fn expected(
        &self,
        work: &Work,
        instance: Instance,
        parameters: Option<&Parameters<'_>>,
    ) -> u32 {
        let frame = &self.program.frames[instance.frame.index()];
        let binding = self.controls.values(instance.binding);
        let env = Env::body(frame, &work.cells, binding, parameters);
        let mut place = self.location(&work.cells, self.program.actors[frame.actor.index()].entity);
        let mut total = 0u32;
        for statement in &frame.body {
            let Statement::Do(activity) = statement else { continue };
            let text = &self.program.activities[activity.index()];
            let target = self.target(&work.cells, instance, text, parameters);
            let seconds = match &text.duration {
                Some(duration) => self.codec.seconds(self.value(&env, &duration.max)).unwrap_or(0),
                None => match (place, target) {
                    (Some(from), Some(to)) => self.distance(from, to).unwrap_or(0),
                    _ => 0,
                },
            };
            place = target.or(place);
            total = total.saturating_add(seconds);
        }
        total
    }
}
