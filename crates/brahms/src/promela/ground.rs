//! Frames without variables: each frame of an actor is written out once for each binding that its guard can ever allow.
//!
//! A binding of `collectall` variables is a set of values, so there is one instance for each set that can come about.

use std::collections::{BTreeMap, BTreeSet};

use motet_machine::Expr as Term;
use motet_machine::promela::{legal, show, unique};

use crate::program::{
    ActivityId, ActivityNode, ActorId, ConditionNode, Domain, Expr, Frame, FrameId, Place, Quantifier, Reads,
    Sighted, Sought, Statement, Subject, Value, Var,
};
use crate::promela::cells::{Cell, actors};
use crate::promela::expr::{Bound, Form, Look, Scope, World};
use crate::promela::lack::{Lack, Refusal};
use crate::promela::range::possible;

/// The longest list of bindings of one frame.
const LIMIT_INSTANCES: usize = 300;
/// The most bindings that are tried for one frame.
const LIMIT_TRIALS: usize = 20_000;
/// `collectall` bindings that may or may not be there: all sets of them are written out.
const LIMIT_OPEN: usize = 7;
/// The most rooms of one actor.
const LIMIT_ROOMS: usize = 200;

/// An actor with everything written out.
pub(crate) struct Player {
    pub(crate) id: ActorId,
    pub(crate) name: String,
    /// The first is the actor's own; the others belong to composite activities and come after the room they open from.
    pub(crate) rooms: Vec<Room>,
}

/// Frames that compete with each other: those of the actor, or those of an open composite activity.
pub(crate) struct Room {
    pub(crate) name: String,
    /// The composite activity, and where it is called: room, workframe, statement.
    pub(crate) door: Option<(ActivityId, usize, usize, usize)>,
    /// Values of the parameters of the enclosing composite activities, the nearest first.
    pub(crate) outer: Vec<Vec<Bound>>,
    pub(crate) thoughts: Vec<Instance>,
    pub(crate) works: Vec<Instance>,
}

/// A frame under a binding.
pub(crate) struct Instance {
    pub(crate) frame: FrameId,
    pub(crate) binding: Vec<Bound>,
    /// A legal name, unique in the model.
    pub(crate) label: String,
    pub(crate) guard: Term,
    /// What the guard reads.
    pub(crate) reads: BTreeSet<Cell>,
}

impl Instance {
    /// What makes it this instance: `collectall` only gathers, so the values it gathers do not count.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let same = |(one, two): (&Bound, &Bound)| {
            one == two || matches!((one, two), (Bound::Many(_), Bound::Many(_)))
        };
        self.frame == other.frame && self.binding.iter().zip(&other.binding).all(same)
    }

    /// The values of the `foreach` variables; `None` if there are none.
    pub(crate) fn each(&self, frame: &Frame) -> Option<Vec<Bound>> {
        let with = frame.variables.iter().zip(&self.binding);
        let each: Vec<Bound> = with
            .filter(|(variable, _)| variable.quantifier == Quantifier::ForEach && variable.guarded)
            .map(|(_, bound)| bound.clone())
            .collect();
        (!each.is_empty()).then_some(each)
    }
}

/// All actors, written out.
pub(crate) fn players(world: World<'_>) -> Result<Vec<Player>, Refusal> {
    let mut labels = BTreeSet::new();
    let mut players = Vec::new();
    for (id, actor) in actors(world.program) {
        let name = unique(&mut labels, legal(&world.program.entities[actor.entity.index()].name));
        let mut writer = Writer { world, id, labels: &mut labels, rooms: Vec::new(), name: name.clone() };
        writer.room(name.clone(), None, Vec::new(), &actor.thoughtframes, &actor.workframes)?;
        let mut at = 0;
        while at < writer.rooms.len() {
            writer.doors(at)?;
            at += 1;
        }
        players.push(Player { id, name, rooms: writer.rooms });
    }
    Ok(players)
}

struct Writer<'a, 'l> {
    world: World<'a>,
    id: ActorId,
    name: String,
    labels: &'l mut BTreeSet<String>,
    rooms: Vec<Room>,
}

impl Writer<'_, '_> {
    fn room(
        &mut self,
        name: String,
        door: Option<(ActivityId, usize, usize, usize)>,
        outer: Vec<Vec<Bound>>,
        thoughts: &[FrameId],
        works: &[FrameId],
    ) -> Result<(), Refusal> {
        let thoughts = self.instances(thoughts, &outer, &name)?;
        let works = self.instances(works, &outer, &name)?;
        self.rooms.push(Room { name, door, outer, thoughts, works });
        Ok(())
    }

    fn instances(
        &mut self,
        frames: &[FrameId],
        outer: &[Vec<Bound>],
        room: &str,
    ) -> Result<Vec<Instance>, Refusal> {
        let mut all = Vec::new();
        for &id in frames {
            let frame = &self.world.program.frames[id.index()];
            let found =
                bindings(self.world, self.id, frame, outer).map_err(|lack| lack.at(frame.name_span))?;
            for Found { binding, shared, own, reads } in found {
                let guard = Term::all([shared, own]);
                let label = unique(self.labels, self.label(room, frame, &binding));
                all.push(Instance { frame: id, binding, label, guard, reads });
            }
        }
        Ok(all)
    }

    fn label(&self, room: &str, frame: &Frame, binding: &[Bound]) -> String {
        let mut label = format!("{room}_{}", legal(&frame.name));
        for bound in binding {
            let Bound::One(value) = bound else { continue };
            let Ok(word) = self.world.values.word(*value) else { continue };
            let word = show(&word);
            let word = word.trim_start_matches("e_").trim_start_matches("t_").trim_start_matches("c_");
            label.push('_');
            label.push_str(&legal(word));
        }
        label
    }

    /// Opens the rooms of the composite activities that a room's frames call.
    fn doors(&mut self, at: usize) -> Result<(), Refusal> {
        let program = self.world.program;
        let mut doors = Vec::new();
        for (number, work) in self.rooms[at].works.iter().enumerate() {
            let frame = &program.frames[work.frame.index()];
            for (place, statement) in frame.body.iter().enumerate() {
                let Statement::Do(id) = statement else { continue };
                let activity = &program.activities[id.index()];
                let ActivityNode::Composite { arguments, .. } = &activity.node else { continue };
                let refuse = |lack: Lack| lack.at(activity.call);
                let scope =
                    Scope::new(self.world, self.id, body_look(frame), &work.binding, &self.rooms[at].outer);
                let values = arguments.iter().map(|argument| constant(&scope, argument));
                let values = values.collect::<Result<Vec<_>, _>>().map_err(refuse)?;
                let mut outer = vec![values];
                outer.extend(self.rooms[at].outer.iter().cloned());
                doors.push((*id, number, place, outer));
            }
        }
        for (id, number, place, outer) in doors {
            let activity = &program.activities[id.index()];
            if self.rooms.len() >= LIMIT_ROOMS {
                return Err(Lack::Size("too many composite activities".to_owned()).at(activity.call));
            }
            let ActivityNode::Composite { thoughtframes, workframes, .. } = &activity.node else { continue };
            let name = format!("{}_{}", self.name, legal(&activity.name));
            let name = unique(self.labels, name);
            self.room(name, Some((id, at, number, place)), outer, thoughtframes, workframes)?;
        }
        Ok(())
    }
}

/// Which store the right-hand sides of a frame read.
pub(crate) fn body_look(frame: &Frame) -> Look {
    match frame.reads {
        Reads::Beliefs => Look::Beliefs,
        Reads::Facts => Look::Both,
    }
}

/// Which store the guard of a frame reads.
pub(crate) fn guard_look(frame: &Frame) -> Look {
    match frame.reads {
        Reads::Beliefs => Look::Beliefs,
        Reads::Facts => Look::Facts,
    }
}

/// An argument of a composite activity.
fn constant(scope: &Scope<'_>, argument: &Expr) -> Result<Bound, Lack> {
    if let Expr::Variable(var) = argument {
        return Ok(scope.bound(*var).clone());
    }
    match scope.expr(argument)? {
        Form::Constant(value) => Ok(Bound::One(value)),
        Form::Nothing => Ok(Bound::Nothing),
        _ => Err(Lack::Open("an argument of a composite activity".to_owned())),
    }
}

/// A binding, what it needs apart from the `collectall` variables, its guard, and what the guard reads.
struct Found {
    binding: Vec<Bound>,
    shared: Term,
    own: Term,
    reads: BTreeSet<Cell>,
}

/// The bindings that the guard of a frame can ever allow, with their guards.
fn bindings(
    world: World<'_>,
    actor: ActorId,
    frame: &Frame,
    outer: &[Vec<Bound>],
) -> Result<Vec<Found>, Lack> {
    let mut search = Search { world, actor, frame, outer, found: Vec::new(), trials: 0 };
    let needs: Vec<BTreeSet<u16>> = frame.guard.iter().map(|one| mentioned(&one.node)).collect();
    search.extend(&mut Vec::new(), &needs)?;
    if !frame.variables.iter().any(|one| one.quantifier == Quantifier::CollectAll && one.guarded) {
        return Ok(search.found);
    }
    collect(frame, search.found)
}

struct Search<'a> {
    world: World<'a>,
    actor: ActorId,
    frame: &'a Frame,
    outer: &'a [Vec<Bound>],
    found: Vec<Found>,
    trials: usize,
}

impl Search<'_> {
    fn extend(&mut self, binding: &mut Vec<Bound>, needs: &[BTreeSet<u16>]) -> Result<(), Lack> {
        self.trials += 1;
        if self.trials > LIMIT_TRIALS || self.found.len() > LIMIT_INSTANCES {
            return Err(Lack::Size(format!("too many bindings of `{}`", self.frame.name)));
        }
        let scope = Scope::new(self.world, self.actor, guard_look(self.frame), binding, self.outer);
        let ready = |needs: &BTreeSet<u16>| needs.iter().all(|&own| usize::from(own) < binding.len());
        let conditions = self.frame.guard.iter().zip(needs).filter(|(_, needs)| ready(needs));
        let variables = &self.frame.variables;
        let collects = |own: &u16| variables[usize::from(*own)].quantifier == Quantifier::CollectAll;
        let (mut shared, mut own) = (Vec::new(), Vec::new());
        for (condition, needs) in conditions {
            let test = scope.condition(&condition.node)?;
            if needs.iter().any(collects) { own.push(test) } else { shared.push(test) }
        }
        let (shared, own) = (Term::all(shared), Term::all(own));
        if shared.is(false) || own.is(false) {
            return Ok(());
        }
        let reads = scope.seen.into_inner();
        let Some(variable) = self.frame.variables.get(binding.len()) else {
            self.found.push(Found { binding: binding.clone(), shared, own, reads });
            return Ok(());
        };
        let values: Vec<Bound> = if variable.guarded {
            let number = u16::try_from(binding.len()).unwrap_or(u16::MAX);
            self.domain(number)?.into_iter().map(Bound::One).collect()
        } else {
            vec![Bound::Free]
        };
        for value in values {
            binding.push(value);
            self.extend(binding, needs)?;
            binding.pop();
        }
        Ok(())
    }

    /// The values that a variable can have, in order.
    fn domain(&self, number: u16) -> Result<Vec<Value>, Lack> {
        let program = self.world.program;
        let variable = &self.frame.variables[usize::from(number)];
        if let Domain::Entities(entities) = &variable.domain {
            let exists = entities.iter().filter(|one| program.entities[one.index()].exists);
            return Ok(exists.map(|&entity| Value::Entity(entity)).collect());
        }
        let open = || Lack::Open(format!("the variable `{}`", variable.name));
        let mut values: Option<BTreeSet<Value>> = None;
        for condition in &self.frame.guard {
            if let ConditionNode::Bind { variable, value } = &condition.node
                && *variable == number
            {
                values = Some(possible(self.world.program, self.frame, value).ok_or_else(open)?);
            }
        }
        let values = match values {
            Some(values) => values,
            None => self.indices(number),
        };
        if values.len() > LIMIT_INSTANCES {
            return Err(open());
        }
        Ok(values.into_iter().collect())
    }

    /// The indices that a variable can have: those of the maps that it is an index of.
    fn indices(&self, number: u16) -> BTreeSet<Value> {
        let mut maps = BTreeSet::new();
        for condition in &self.frame.guard {
            places(&condition.node, &mut |place| {
                if let Place::Entry(_, map, index) = place
                    && **index == Expr::Variable(Var::Own(number))
                {
                    maps.insert(*map);
                }
            });
        }
        let entries = self.world.program.keys.iter().filter_map(|(_, key)| match key {
            crate::program::Key::Entry(_, map, index) if maps.contains(&map) => Some(index),
            _ => None,
        });
        entries.collect()
    }
}

/// Groups single bindings by everything but the `collectall` variables; each set of the open ones is an instance.
fn collect(frame: &Frame, found: Vec<Found>) -> Result<Vec<Found>, Lack> {
    let all: Vec<bool> =
        frame.variables.iter().map(|one| one.quantifier == Quantifier::CollectAll && one.guarded).collect();
    let mut groups: Vec<(Vec<Bound>, Vec<Found>)> = Vec::new();
    for one in found {
        let others: Vec<Bound> = one
            .binding
            .iter()
            .zip(&all)
            .map(|(bound, &all)| if all { Bound::Nothing } else { bound.clone() })
            .collect();
        match groups.iter_mut().find(|(key, _)| *key == others) {
            Some((_, group)) => group.push(one),
            None => groups.push((others, vec![one])),
        }
    }
    let mut instances = Vec::new();
    for (others, group) in groups {
        let open = group.iter().filter(|one| !one.own.is(true)).count();
        if open > LIMIT_OPEN {
            return Err(Lack::Size(format!("too many sets of values in `{}`", frame.name)));
        }
        let mut sets: BTreeMap<Vec<Bound>, Vec<Term>> = BTreeMap::new();
        for chosen in 0..1_u32 << open {
            let (binding, test) = subset(&others, &all, &group, chosen);
            if let Some(binding) = binding {
                sets.entry(binding).or_default().push(test);
            }
        }
        for (binding, tests) in sets {
            // Who is left out is as much a matter of the guard as who is gathered.
            let reads = group.iter().flat_map(|one| one.reads.iter().copied()).collect();
            let shared = group[0].shared.clone();
            instances.push(Found { binding, shared, own: Term::any(tests), reads });
        }
    }
    Ok(instances)
}

/// The binding in which exactly the chosen ones of the open single bindings are there; none if nothing is there.
fn subset(others: &[Bound], all: &[bool], group: &[Found], chosen: u32) -> (Option<Vec<Bound>>, Term) {
    let mut tests = Vec::new();
    let mut lists: Vec<Vec<Value>> = vec![Vec::new(); others.len()];
    let mut open = 0;
    let mut any = false;
    for Found { binding, own: guard, .. } in group {
        let there = guard.is(true) || {
            open += 1;
            chosen & (1 << (open - 1)) != 0
        };
        tests.push(if there { guard.clone() } else { guard.not() });
        if there {
            any = true;
            for (list, bound) in lists.iter_mut().zip(binding) {
                if let Bound::One(value) = bound
                    && !list.contains(value)
                {
                    list.push(*value);
                }
            }
        }
    }
    let binding = others.iter().zip(all).zip(lists).map(
        |((bound, &all), list)| {
            if all { Bound::Many(list) } else { bound.clone() }
        },
    );
    (any.then(|| binding.collect()), Term::all(tests))
}

/// The frame's own variables that a condition mentions.
fn mentioned(node: &ConditionNode) -> BTreeSet<u16> {
    let mut found = BTreeSet::new();
    if let ConditionNode::Bind { variable, .. } = node {
        found.insert(*variable);
    }
    vars(node, &mut |var| {
        if let Var::Own(number) = var {
            found.insert(number);
        }
    });
    found
}

fn vars(node: &ConditionNode, act: &mut dyn FnMut(Var)) {
    let mut subject = |subject: &Subject| {
        if let Subject::Variable(var) = subject {
            act(*var);
        }
    };
    match node {
        ConditionNode::Related { subject: left, object, .. } => {
            subject(left);
            subject(object);
        }
        ConditionNode::KnownPairs { subject: left, .. } => subject(left),
        ConditionNode::Compare { left, right, .. } => {
            expr_vars(left, act);
            expr_vars(right, act);
        }
        ConditionNode::Known { place, .. } => place_vars(place, act),
        ConditionNode::Bind { value, .. } => expr_vars(value, act),
    }
}

fn expr_vars(expr: &Expr, act: &mut dyn FnMut(Var)) {
    match expr {
        Expr::Variable(var) => act(*var),
        Expr::Read(place) => place_vars(place, act),
        Expr::Negate(inner) => expr_vars(inner, act),
        Expr::Binary(_, left, right) => {
            expr_vars(left, act);
            expr_vars(right, act);
        }
        Expr::Value(_) | Expr::Unknown => {}
    }
}

fn place_vars(place: &Place, act: &mut dyn FnMut(Var)) {
    match place {
        Place::Fixed(_) => {}
        Place::Attribute(var, _) => act(*var),
        Place::Entry(subject, _, index) => {
            if let Subject::Variable(var) = subject {
                act(*var);
            }
            expr_vars(index, act);
        }
    }
}

/// The places that a condition reads.
fn places<'n>(node: &'n ConditionNode, act: &mut dyn FnMut(&'n Place)) {
    let mut found = Vec::new();
    match node {
        ConditionNode::Compare { left, right, .. } => {
            crate::promela::cells::reads(left, &mut found);
            crate::promela::cells::reads(right, &mut found);
        }
        ConditionNode::Known { place, .. } => found.push(place),
        ConditionNode::Bind { value, .. } => crate::promela::cells::reads(value, &mut found),
        ConditionNode::Related { .. } | ConditionNode::KnownPairs { .. } => {}
    }
    found.into_iter().for_each(act);
}

/// The binding once for each value of the `collectall` variables that are mentioned.
pub(crate) fn spread(binding: &[Bound], mentioned: &BTreeSet<u16>) -> Vec<Vec<Bound>> {
    let mut all = vec![binding.to_vec()];
    for own in collected(binding, mentioned) {
        let place = usize::from(own);
        let Some(Bound::Many(values)) = binding.get(place) else { continue };
        let each = |one: Vec<Bound>| {
            values.iter().map(move |value| {
                let mut next = one.clone();
                next[place] = Bound::One(*value);
                next
            })
        };
        all = all.into_iter().flat_map(each).collect();
    }
    all
}

/// The frame's `collectall` variables that a conclusion or transfer mentions.
fn collected(binding: &[Bound], mentioned: &BTreeSet<u16>) -> Vec<u16> {
    let many = |own: &&u16| matches!(binding.get(usize::from(**own)), Some(Bound::Many(_)));
    mentioned.iter().filter(many).copied().collect()
}

/// The frame's own variables that an expression mentions.
pub(crate) fn own_vars(expr: &Expr, found: &mut BTreeSet<u16>) {
    expr_vars(expr, &mut |var| {
        if let Var::Own(number) = var {
            found.insert(number);
        }
    });
}

/// The frame's own variables that a place mentions.
pub(crate) fn own_place_vars(place: &Place, found: &mut BTreeSet<u16>) {
    place_vars(place, &mut |var| {
        if let Var::Own(number) = var {
            found.insert(number);
        }
    });
}

/// The frame's own variables that something sought mentions.
pub(crate) fn own_sought_vars(sought: &Sought, found: &mut BTreeSet<u16>) {
    let sighted = |one: &Sighted, found: &mut BTreeSet<u16>| {
        if let Sighted::One(Subject::Variable(Var::Own(number))) = one {
            found.insert(*number);
        }
    };
    match sought {
        Sought::Attribute { subject, index, test, .. } => {
            sighted(subject, found);
            index.iter().chain(test.iter().map(|(_, expr)| expr)).for_each(|expr| own_vars(expr, found));
        }
        Sought::Related { subject, object, .. } => {
            sighted(subject, found);
            object.iter().for_each(|object| sighted(object, found));
        }
    }
}
