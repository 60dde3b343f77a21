//! Activities: how long they take and what they bring about.

use std::collections::BTreeSet;

use motet_machine::promela::{Branch, Statement, assign};
use motet_machine::{Expr as Term, Place as Variable};

use crate::program::{
    Activity, ActivityNode, ActorId, Durations, EntityId, EntityKind, Moment, Sighted, Subject, Transfer,
    Value,
};
use crate::promela::body::places;
use crate::promela::cells::{Store, agents};
use crate::promela::expr::{Bound, Form, Look, Scope};
use crate::promela::ground::{body_look, own_sought_vars, spread};
use crate::promela::handle::Handled;
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scribe::{Scribe, Work, step};
use crate::promela::sought::{fits, keys, sighted};

/// The most lengths of one activity that are written out as alternatives.
const LIMIT_LENGTHS: i64 = 4_000;

/// Whether an activity takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    Never,
    Always,
    Sometimes,
}

impl<'a> Scribe<'a> {
    /// Whether an activity takes time, as far as that is certain.
    pub(crate) fn takes(&self, work: Work<'a>, activity: &'a Activity) -> Takes {
        let scope = self.scope(work, body_look(work.frame));
        match &activity.duration {
            None if matches!(activity.node, ActivityNode::Move { .. }) => Takes::Sometimes,
            None => Takes::Never,
            Some(duration) => match (scope.expr(&duration.min), scope.expr(&duration.max)) {
                (Ok(Form::Constant(Value::Int(min))), Ok(Form::Constant(Value::Int(max)))) => {
                    match (min.min(max) > 0, max > 0) {
                        (true, _) => Takes::Always,
                        (false, true) => Takes::Sometimes,
                        (false, false) => Takes::Never,
                    }
                }
                _ => Takes::Sometimes,
            },
        }
    }

    /// Sets `left` of the room to the length of an activity.
    pub(crate) fn length(
        &self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        activity: &'a Activity,
    ) -> Result<(), Refusal> {
        let left = work.about("left");
        let scope = self.scope(work, body_look(work.frame));
        let refuse = |lack: Lack| lack.at(activity.call);
        let Some(duration) = &activity.duration else {
            if let ActivityNode::Move { to, .. } = &activity.node {
                let to = *to;
                return self.way(out, &scope, work, to, &left).map_err(refuse);
            }
            out.push(assign(&left, 0));
            return Ok(());
        };
        let (min, max) =
            (scope.expr(&duration.min).map_err(refuse)?, scope.expr(&duration.max).map_err(refuse)?);
        if let (Form::Constant(Value::Int(min)), Form::Constant(Value::Int(max))) = (&min, &max) {
            let (min, max) = (*min.max(&0), *max.max(&0));
            self.fixed(out, &left, min, max).map_err(refuse)
        } else if min == max {
            let seconds = self.seconds(&scope, &max).map_err(refuse)?;
            out.push(assign(&left, seconds));
            Ok(())
        } else {
            let low = self.seconds(&scope, &min).map_err(refuse)?;
            let high = self.seconds(&scope, &max).map_err(refuse)?;
            if self.world.program.rules.durations == Durations::Ends {
                out.push(either(assign(&left, low), assign(&left, high)));
            } else {
                out.push(assign(&left, Term::choose(&low.less(&high), &low, &high)));
                let longer = Branch::when(left.less(high), vec![Statement::increment(&left)]);
                out.push(Statement::Do(vec![longer, Branch::open(vec![Statement::Break])]));
            }
            Ok(())
        }
    }

    fn fixed(&self, out: &mut Vec<Statement>, left: &Variable, min: i64, max: i64) -> Result<(), Lack> {
        if max > 2_000_000_000 {
            return Err(Lack::Number);
        }
        if min >= max {
            out.push(assign(left, max));
        } else if self.world.program.rules.durations == Durations::Ends {
            out.push(either(assign(left, min), assign(left, max)));
        } else if max - min > LIMIT_LENGTHS {
            return Err(Lack::Size("an activity with thousands of lengths".to_owned()));
        } else {
            out.push(Statement::Select(left.clone(), min.into(), max.into()));
        }
        Ok(())
    }

    /// Seconds; nothing that is no number lasts.
    pub(crate) fn seconds(&self, scope: &Scope<'_>, form: &Form) -> Result<Term, Lack> {
        Ok(match scope.number(form)? {
            None => 0.into(),
            Some((number, mut needs)) => {
                needs.push(number.greater(0));
                Term::choose(&Term::all(needs), &number, &0.into())
            }
        })
    }

    /// The length of the shortest way from where the actor is.
    fn way(
        &self,
        out: &mut Vec<Statement>,
        scope: &Scope<'a>,
        work: Work<'a>,
        to: Subject,
        left: &Variable,
    ) -> Result<(), Lack> {
        let Some(to) = scope.entity(to)? else { return Self::refuse("a move to nowhere") };
        let form = self.whereabouts(self.world.program.actors[work.player.id.index()].entity)?;
        let here = scope.cell(&form)?;
        let target = self.world.values.word(Value::Entity(to))?;
        let way = self.ways(&here, to, (-1).into())?;
        out.push(assign(left, Term::choose(&here.equals(target), &0.into(), &way)));
        out.push(Statement::check("bound_ways", left.at_least(0)));
        Ok(())
    }

    /// The seconds from where this is to an area; else what is given.
    pub(crate) fn ways(&self, here: &Term, to: EntityId, other: Term) -> Result<Term, Lack> {
        let mut seconds = other;
        for (&(from, until), &length) in &self.world.program.ways {
            if until == to {
                let from = here.equals(self.world.values.word(Value::Entity(from))?);
                seconds = Term::choose(&from, &i64::from(length).into(), &seconds);
            }
        }
        Ok(seconds)
    }

    /// What an activity brings about at this moment; nothing is written where there is nothing.
    pub(crate) fn effects(
        &self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        activity: &'a Activity,
        moment: Moment,
    ) -> Result<(), Refusal> {
        let refuse = |lack: Lack| lack.at(activity.call);
        match &activity.node {
            ActivityNode::Primitive
            | ActivityNode::Print(_)
            | ActivityNode::PrintBelief(_)
            | ActivityNode::Composite { .. } => Ok(()),
            ActivityNode::Move { to, arrival, departure } => match moment {
                Moment::Start => self.depart(out, work, departure).map_err(refuse),
                Moment::End => self.arrive(out, work, *to, arrival).map_err(refuse),
            },
            ActivityNode::Communicate { with, about, at } if *at == moment => {
                self.communicate(out, work, with, about).map_err(refuse)
            }
            ActivityNode::Broadcast { to, inside_too, about, at } if *at == moment => {
                self.broadcast(out, work, to, *inside_too, about).map_err(refuse)
            }
            ActivityNode::Communicate { .. } | ActivityNode::Broadcast { .. } => Ok(()),
            ActivityNode::Get { items, source, at } => {
                let handled = Handled { items, other: *source, gets: true };
                if *at == moment { self.handle(out, work, &handled).map_err(refuse) } else { Ok(()) }
            }
            ActivityNode::Put { items, destination, at } => {
                let handled = Handled { items, other: *destination, gets: false };
                if *at == moment { self.handle(out, work, &handled).map_err(refuse) } else { Ok(()) }
            }
            ActivityNode::Create { .. } => Self::refuse("a `create` activity").map_err(refuse),
            ActivityNode::Foreign { outputs, concludes } => {
                if !outputs.is_empty() {
                    return Self::refuse("a Java activity with outputs").map_err(refuse);
                }
                if moment == Moment::End {
                    let concludes: Vec<_> = concludes.iter().collect();
                    self.concludes(out, self.site(work), &concludes)?;
                }
                Ok(())
            }
            ActivityNode::Retract(all) => {
                if moment == Moment::End {
                    let scope = self.scope(work, body_look(work.frame));
                    let mut body = Vec::new();
                    for place in all {
                        for (key, when) in places(&scope, place).map_err(refuse)? {
                            self.forget(&mut body, (Store::Beliefs(work.player.id), key), &when);
                        }
                    }
                    step(out, body);
                }
                Ok(())
            }
        }
    }

    fn communicate(
        &self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        with: &[Sighted],
        about: &[Transfer],
    ) -> Result<(), Lack> {
        let scope = self.scope(work, Look::Beliefs);
        let mut others: Vec<(ActorId, Term)> = Vec::new();
        for one in with {
            for entity in sighted(&scope, one)? {
                let actor = self.world.program.entities[entity.index()].actor;
                others.extend(actor.map(|actor| (actor, Term::Truth(true))));
            }
        }
        self.transfers(out, work, &others, about)
    }

    fn broadcast(
        &self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        to: &[Subject],
        inside_too: bool,
        about: &[Transfer],
    ) -> Result<(), Lack> {
        let scope = self.scope(work, Look::Beliefs);
        let program = self.world.program;
        let mut others = Vec::new();
        for actor in agents(program) {
            let there = scope.cell(&self.whereabouts(program.actors[actor.index()].entity)?)?;
            let inside = |area: EntityId| self.inside(&there, area, inside_too);
            let test = if to.is_empty() {
                let here = scope.cell(&self.whereabouts(program.actors[work.player.id.index()].entity)?)?;
                let mut tests = vec![here.equals(self.unknown())];
                for area in areas(self) {
                    let at = here.equals(self.world.values.word(Value::Entity(area))?);
                    tests.push(Term::all([at, inside(area)?]));
                }
                Term::any(tests)
            } else {
                let mut tests = Vec::new();
                for subject in to {
                    for area in scope.entities(*subject)? {
                        tests.push(inside(area)?);
                    }
                }
                Term::any(tests)
            };
            others.push((actor, test));
        }
        self.transfers(out, work, &others, about)
    }

    /// Whether a place is an area, or in it.
    pub(crate) fn inside(&self, place: &Term, area: EntityId, inside_too: bool) -> Result<Term, Lack> {
        let program = self.world.program;
        let within = |mut one: EntityId| {
            for _ in 0..=program.entities.len() {
                if one == area {
                    return true;
                }
                match program.entities[one.index()].part_of {
                    Some(outer) if inside_too => one = outer,
                    _ => return false,
                }
            }
            false
        };
        let mut tests = Vec::new();
        for one in areas(self).filter(|one| within(*one)) {
            tests.push(place.equals(self.world.values.word(Value::Entity(one))?));
        }
        Ok(Term::any(tests))
    }

    /// Each transfer to or from each of the others, in order.
    fn transfers(
        &self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        others: &[(ActorId, Term)],
        about: &[Transfer],
    ) -> Result<(), Lack> {
        let mut body = Vec::new();
        let mut long = 0;
        for transfer in about {
            let mut mentioned = BTreeSet::new();
            own_sought_vars(&transfer.sought, &mut mentioned);
            for binding in spread(&work.instance.binding, &mentioned) {
                for (other, when) in others {
                    long += 1;
                    if long % 40 == 0 {
                        step(out, std::mem::take(&mut body));
                    }
                    let (from, to) =
                        if transfer.send { (work.player.id, *other) } else { (*other, work.player.id) };
                    self.transfer(&mut body, work, &binding, transfer, (from, to), when)?;
                }
            }
        }
        step(out, body);
        Ok(())
    }

    fn transfer(
        &self,
        out: &mut Vec<Statement>,
        work: Work<'a>,
        binding: &[Bound],
        transfer: &Transfer,
        (from, to): (ActorId, ActorId),
        when: &Term,
    ) -> Result<(), Lack> {
        let outer = &work.room().outer;
        let own = Scope::new(self.world, work.player.id, body_look(work.frame), binding, outer);
        let teller = Scope::new(self.world, from, self.told(from), binding, outer);
        for (key, here) in keys(&own, &transfer.sought)? {
            let value = teller.key(key)?;
            let sent = Term::all([when.clone(), here, fits(&own, &transfer.sought, &value)?]);
            self.hear(out, (from, to), key, &value, &sent)?;
            self.put(out, (Store::Beliefs(to), key), &teller.cell(&value)?, &sent);
        }
        Ok(())
    }

    /// Objects tell what they believe, and where they believe nothing, what is so.
    fn told(&self, actor: ActorId) -> Look {
        if self.world.program.actors[actor.index()].is_object { Look::Told } else { Look::Beliefs }
    }
}

pub(crate) fn areas<'a>(scribe: &Scribe<'a>) -> impl Iterator<Item = EntityId> + use<'a> {
    let entities = &scribe.world.program.entities;
    (0..).map(EntityId).zip(entities).filter(|(_, one)| one.kind == EntityKind::Area).map(|(id, _)| id)
}

/// One of two statements.
fn either(one: Statement, other: Statement) -> Statement {
    Statement::If(vec![Branch::open(vec![one]), Branch::open(vec![other])])
}
