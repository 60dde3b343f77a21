//! One actor's turn within an instant (spec/brahms/rules.md: thoughtframes, detectables, choosing, executing).

use std::collections::BTreeSet;

use motet_brahms::program::{
    ActorId, Conclude, ConcludeNode, ConditionNode, DetectAction, Detectable, Domain, EntityId, Expr, Frame,
    FrameId, Key, KeyId, Place, Program, Quantifier, Reads, Repeat, Sought, Statement, Value, Var, Variable,
};

use super::choose::Chooser;
use super::mind::{Binding, Context, Instance, Marks, Mind, Mode, World};
use super::read::{Reader, compare, many};

/// What one actor does within one instant at most, in thoughts or in rounds of its own; beyond is a loop.
const LIMIT_TURN: usize = 300;

pub(super) struct Turn<'a> {
    pub(super) program: &'a Program,
    pub(super) world: &'a mut World,
    pub(super) chooser: &'a mut Chooser,
    pub(super) actor: ActorId,
}

impl Turn<'_> {
    pub(super) fn mind(&mut self) -> &mut Mind {
        &mut self.world.minds[self.actor.index()]
    }

    pub(super) fn frame(&self, frame: FrameId) -> Frame {
        self.program.frames[frame.index()].clone()
    }

    pub(super) fn guard(&self, reads: Reads) -> Reader<'_> {
        Reader { program: self.program, world: self.world, actor: self.actor, reads, falls_back: false }
    }

    pub(super) fn body(&self, reads: Reads) -> Reader<'_> {
        Reader { falls_back: true, ..self.guard(reads) }
    }

    /// Everything this actor does now. It ends busy or idle.
    pub(super) fn step(&mut self) {
        for _ in 0..LIMIT_TURN {
            self.think();
            if self.detect() || self.select() {
                continue;
            }
            let Some(context) = self.mind().current.clone() else { return };
            if context.remaining.is_some() {
                return;
            }
            let frame = self.frame(context.frame);
            let block: Vec<Statement> = frame.body[context.pc..]
                .iter()
                .take_while(|statement| !matches!(statement, Statement::Do(_)))
                .cloned()
                .collect();
            let end = context.pc + block.len();
            for statement in &block {
                let Statement::Conclude(conclude) = statement else {
                    panic!("the twin does not know delete")
                };
                self.conclude(conclude, frame.reads, &context.binding, Writes::BeliefsAndFacts);
            }
            if !block.is_empty() {
                self.mind().news = false;
            }
            self.current().pc = end;
            if end == frame.body.len() {
                self.drop_current();
                continue;
            }
            if !block.is_empty() {
                continue;
            }
            if context.mode == Mode::Completing {
                self.current().pc += 1;
                continue;
            }
            self.start_activity(&frame, &context);
        }
        self.chooser.exhausted = true;
    }

    /// Drops marks that say nothing about what may come. A guard that is false becomes true by a change, which would
    /// lift the mark; and nobody looks at detectables again before something changes.
    pub(super) fn forget(&mut self, marks: Marks) {
        if marks == Marks::All {
            self.mind().due = false;
            self.mind().fresh = false;
            self.mind().stated.clear();
            return;
        }
        let mind = self.mind().clone();
        let holds = |(frame, binding): &Instance| {
            let frame = self.frame(*frame);
            self.guard(frame.reads).bindings(&frame).contains(binding)
        };
        let spent = mind.spent.iter().filter(|instance| holds(instance)).cloned().collect();
        let mut blocked: BTreeSet<Instance> =
            mind.blocked.iter().filter(|instance| holds(instance)).cloned().collect();
        blocked.retain(|instance| !self.is_done(&self.frame(instance.0), instance));
        let stated = BTreeSet::new();
        *self.mind() = Mind { spent, blocked, due: false, fresh: false, stated, news: false, ..mind };
    }

    pub(super) fn current(&mut self) -> &mut Context {
        self.mind().current.as_mut().expect("somebody is in a frame")
    }

    /// A frame that was cut short must not start again before something changes.
    fn drop_current(&mut self) {
        let context = self.mind().current.take().expect("somebody is in a frame");
        if context.mode == Mode::Completing {
            self.mind().blocked.insert((context.frame, context.binding));
        }
    }

    fn think(&mut self) {
        for _ in 0..LIMIT_TURN {
            let frames = self.program.actors[self.actor.index()].thoughtframes.clone();
            let mut able: Vec<(i64, Instance)> = Vec::new();
            for id in frames {
                let frame = self.frame(id);
                for binding in self.guard(frame.reads).bindings(&frame) {
                    let instance = (id, binding);
                    if !self.mind().spent.contains(&instance) && !self.is_done(&frame, &instance) {
                        able.push((frame.priority, instance));
                    }
                }
            }
            let Some(best) = able.iter().map(|(priority, _)| *priority).max() else { return };
            able.retain(|(priority, _)| *priority == best);
            let (_, instance) = able[self.chooser.pick(able.len())].clone();
            let frame = self.frame(instance.0);
            self.mark_done(&frame, &instance);
            self.mind().spent.insert(instance.clone());
            for statement in &frame.body {
                if let Statement::Conclude(conclude) = statement {
                    self.conclude(conclude, frame.reads, &instance.1, Writes::Beliefs);
                }
            }
        }
        self.chooser.exhausted = true;
    }

    fn is_done(&mut self, frame: &Frame, instance: &Instance) -> bool {
        let share = (instance.0, chosen(frame, &instance.1));
        let times = self.mind().done.get(&share).copied().unwrap_or(0);
        match frame.repeat {
            Repeat::Always => false,
            Repeat::Once => times >= 1,
            Repeat::Twice => times >= 2,
        }
    }

    fn mark_done(&mut self, frame: &Frame, instance: &Instance) {
        if frame.repeat != Repeat::Always {
            let share = (instance.0, chosen(frame, &instance.1));
            *self.mind().done.entry(share).or_insert(0) += 1;
        }
    }

    /// A belief of one actor changes; thoughts that depend on it may come again.
    pub(super) fn believe(&mut self, actor: ActorId, key: KeyId, value: Option<Value>) {
        let mind = &mut self.world.minds[actor.index()];
        if mind.beliefs.get(&key).copied() == value {
            return;
        }
        match value {
            Some(value) => mind.beliefs.insert(key, value),
            None => mind.beliefs.remove(&key),
        };
        mind.blocked.clear();
        mind.due = true;
        let program = self.program;
        mind.spent.retain(|(frame, binding)| {
            let frame = &program.frames[frame.index()];
            !frame.guard.iter().any(|condition| reads_key(program, frame, &condition.node, binding, key))
        });
    }

    fn conclude(&mut self, conclude: &Conclude, reads: Reads, binding: &Binding, writes: Writes) {
        let mut found = Vec::new();
        for binding in spread(conclude, binding) {
            let reader = self.body(reads);
            let single = match &conclude.node {
                ConcludeNode::Assign(place, value) => {
                    let key = reader.key(place, &binding);
                    match (value, reader.value(value, &binding)) {
                        (Expr::Unknown, _) => key.map(|key| (key, None)),
                        (_, Some(value)) => key.map(|key| (key, Some(value))),
                        (_, None) => None,
                    }
                }
                ConcludeNode::Relate(subject, relation, object, truth) => {
                    let ends = reader.entity(*subject, &binding).zip(reader.entity(*object, &binding));
                    let key = ends.and_then(|(x, y)| self.program.keys.find(Key::Pair(x, *relation, y)));
                    key.map(|key| (key, truth.map(Value::Bool)))
                }
            };
            found.extend(single);
        }
        // One statement, one draw for the beliefs and one for the facts, whoever it speaks of.
        if !found.is_empty() && self.chooser.happens(conclude.belief) {
            found.iter().for_each(|(key, value)| self.believe(self.actor, *key, *value));
        }
        let states_facts = !found.is_empty() && writes == Writes::BeliefsAndFacts;
        if states_facts && self.chooser.happens(conclude.fact) {
            found.iter().for_each(|(key, value)| self.world.state(*key, *value));
        }
    }

    /// Looks at the detectables of the current frame. True when something came of it.
    fn detect(&mut self) -> bool {
        let Some(context) = self.mind().current.clone() else { return false };
        if !self.mind().due {
            return false;
        }
        self.mind().due = false;
        let stated = std::mem::take(&mut self.mind().stated);
        let news = if std::mem::take(&mut self.mind().fresh) { None } else { Some(stated) };
        let frame = self.frame(context.frame);
        let before = self.mind().beliefs.clone();
        let mut strongest: Option<(DetectAction, usize)> = None;
        for (number, detectable) in frame.detectables.iter().enumerate() {
            if !self.chooser.happens(detectable.certainty) {
                continue;
            }
            self.notice(detectable, &context.binding, news.as_ref());
            let holds = self.sees(detectable, &context.binding);
            if holds && strongest.is_none_or(|(action, _)| detectable.action > action) {
                strongest = Some((detectable.action, number));
            }
        }
        // What was learned may concern those that were asked before.
        let learned = self.mind().beliefs != before;
        self.mind().due = learned;
        match strongest {
            None | Some((DetectAction::Continue | DetectAction::EndActivity, _)) => return learned,
            Some((DetectAction::Complete, _)) if context.mode == Mode::Completing => return learned,
            Some((DetectAction::Abort, _)) => {
                self.mind().current = None;
                self.mind().blocked.insert((context.frame, context.binding));
            }
            Some((DetectAction::Impasse, number)) => {
                self.mind().current = None;
                self.mind().impassed.insert(Context { impasse: Some(number), ..context });
            }
            Some((DetectAction::Complete, _)) => {
                let current = self.current();
                current.pc += usize::from(current.remaining.take().is_some());
                current.mode = Mode::Completing;
            }
        }
        true
    }

    /// Facts that a detectable speaks of become beliefs, whatever their values: those that are news, or all of them.
    fn notice(&mut self, detectable: &Detectable, binding: &Binding, news: Option<&BTreeSet<KeyId>>) {
        let mut keys = self.sought_keys(&detectable.sought, binding);
        if let Sought::Attribute { test: Some((_, expression)), .. } = &detectable.sought {
            let mut places = Vec::new();
            reads_of(expression, &mut places);
            let reader = self.guard(Reads::Facts);
            keys.extend(places.iter().filter_map(|place| reader.key(place, binding)));
        }
        for key in keys.into_iter().filter(|key| news.is_none_or(|news| news.contains(key))) {
            if let Some(value) = self.world.facts.get(&key).copied() {
                self.believe(self.actor, key, Some(value));
            }
        }
    }

    pub(super) fn sought_keys(&self, sought: &Sought, binding: &Binding) -> Vec<KeyId> {
        let reader = self.guard(Reads::Beliefs);
        match sought {
            Sought::Attribute { subject, attribute, index, .. } => {
                assert!(index.is_none(), "the twin does not know maps");
                let subjects = reader.sighted(subject, binding);
                subjects
                    .iter()
                    .filter_map(|entity| self.program.keys.find(Key::Attribute(*entity, *attribute)))
                    .collect()
            }
            Sought::Related { subject, relation, object, .. } => {
                let objects = object.as_ref().map(|object| reader.sighted(object, binding));
                let wanted = |entity| objects.as_ref().is_none_or(|objects| objects.contains(&entity));
                let subjects = reader.sighted(subject, binding);
                subjects
                    .iter()
                    .flat_map(|entity| self.program.keys.pairs(*entity, *relation))
                    .filter(|(object, _)| wanted(*object))
                    .map(|(_, key)| key)
                    .collect()
            }
        }
    }

    /// Whether an actor believes what a detectable looks for.
    fn sees(&self, detectable: &Detectable, binding: &Binding) -> bool {
        let reader = self.guard(Reads::Beliefs);
        let keys = self.sought_keys(&detectable.sought, binding);
        let test = |value: Value| match &detectable.sought {
            Sought::Attribute { test: Some((operator, right)), .. } => {
                reader.value(right, binding).is_some_and(|right| compare(*operator, value, right))
            }
            Sought::Related { truth: Some(truth), .. } => value == Value::Bool(*truth),
            _ => true,
        };
        keys.iter().filter_map(|key| reader.stored(*key)).any(test)
    }

    /// Takes up the most urgent work. True when a frame was started or resumed.
    fn select(&mut self) -> bool {
        let able = self.candidates();
        let Some(best) = able.iter().map(|(priority, _)| *priority).max() else { return false };
        if let Some(current) = &self.mind().current.clone()
            && best <= self.frame(current.frame).priority + 3
        {
            return false;
        }
        let able: Vec<Work> =
            able.into_iter().filter(|(priority, _)| *priority == best).map(|(_, work)| work).collect();
        let work = able[self.chooser.pick(able.len())].clone();
        if let Some(current) = self.mind().current.take() {
            self.mind().interrupted.insert(current);
        }
        match work {
            Work::Resume(context) => {
                self.mind().interrupted.remove(&context);
                self.mind().impassed.remove(&context);
                self.mind().current = Some(Context { impasse: None, ..context });
            }
            Work::Start(instance) => self.start_frame(instance),
        }
        self.mind().due = true;
        self.mind().fresh = true;
        true
    }

    fn candidates(&mut self) -> Vec<(i64, Work)> {
        let mind = self.mind().clone();
        let mut able = Vec::new();
        for context in &mind.interrupted {
            able.push((self.frame(context.frame).priority + 2, Work::Resume(context.clone())));
        }
        for context in &mind.impassed {
            let frame = self.frame(context.frame);
            let number = context.impasse.expect("an impasse has a reason");
            if !self.sees(&frame.detectables[number], &context.binding) {
                able.push((frame.priority + 1, Work::Resume(context.clone())));
            }
        }
        let mut startable = BTreeSet::new();
        for id in self.program.actors[self.actor.index()].workframes.clone() {
            let frame = self.frame(id);
            for binding in self.guard(frame.reads).bindings(&frame) {
                let instance = (id, binding);
                let live = |context: &Context| {
                    context.frame == id && chosen(&frame, &context.binding) == chosen(&frame, &instance.1)
                };
                let taken = mind.current.iter().chain(&mind.interrupted).chain(&mind.impassed).any(live);
                if taken || mind.blocked.contains(&instance) || self.is_done(&frame, &instance) {
                    continue;
                }
                let share = (id, each(&frame, &instance.1));
                let rank = frame.priority + i64::from(mind.pending.contains(&share));
                startable.insert(share);
                able.push((rank, Work::Start(instance)));
            }
        }
        // An instance that waits is dropped when its turn comes and it cannot start.
        let floor = mind.current.as_ref().map(|context| self.frame(context.frame).priority + 3);
        let best = able.iter().map(|(priority, _)| *priority).max();
        let keeps = |share: &Instance| {
            let rank = self.frame(share.0).priority + 1;
            let waits = floor.is_some_and(|floor| rank <= floor) || best.is_some_and(|best| rank < best);
            waits || startable.contains(share)
        };
        let pending = mind.pending.iter().filter(|share| keeps(share)).cloned().collect();
        self.mind().pending = pending;
        able
    }

    fn start_frame(&mut self, instance: Instance) {
        let frame = self.frame(instance.0);
        if frame.variables.iter().any(|variable| variable.quantifier == Quantifier::ForEach) {
            let share = (instance.0, each(&frame, &instance.1));
            if !self.mind().pending.remove(&share) {
                let all = self.guard(frame.reads).bindings(&frame);
                let others: Vec<Instance> =
                    all.iter().map(|binding| (instance.0, each(&frame, binding))).collect();
                self.mind().pending.retain(|(id, _)| *id != instance.0);
                self.mind().pending.extend(others.into_iter().filter(|other| *other != share));
            }
        }
        self.mark_done(&frame, &instance);
        let (frame, binding) = instance;
        self.mind().current = Some(Context::new(frame, binding));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Writes {
    Beliefs,
    BeliefsAndFacts,
}

#[derive(Clone)]
enum Work {
    Start(Instance),
    Resume(Context),
}

/// The part of a binding that `foreach` gives.
fn each(frame: &Frame, binding: &Binding) -> Binding {
    let chosen = frame.variables.iter().zip(binding);
    chosen
        .map(
            |(variable, values)| {
                if variable.quantifier == Quantifier::ForEach { values.clone() } else { Vec::new() }
            },
        )
        .collect()
}

/// The part of a binding that tells instances apart: what `collectall` gathers is not chosen.
fn chosen(frame: &Frame, binding: &Binding) -> Binding {
    let all = frame.variables.iter().zip(binding);
    all.map(
        |(variable, values)| {
            if variable.quantifier == Quantifier::CollectAll { Vec::new() } else { values.clone() }
        },
    )
    .collect()
}

/// A conclusion about a `collectall` variable is drawn for each of its values.
fn spread(conclude: &Conclude, binding: &Binding) -> Vec<Binding> {
    let mut variables = BTreeSet::new();
    let mut note = |variable: Var| {
        if let Var::Own(number) = variable {
            variables.insert(number);
        }
    };
    match &conclude.node {
        ConcludeNode::Assign(place, _) => {
            if let Place::Attribute(variable, _) = place {
                note(*variable);
            }
        }
        ConcludeNode::Relate(subject, _, object, _) => {
            for end in [subject, object] {
                if let motet_brahms::program::Subject::Variable(variable) = end {
                    note(*variable);
                }
            }
        }
    }
    let mut all = vec![binding.clone()];
    for number in variables {
        let at = usize::from(number);
        all = all
            .iter()
            .flat_map(|binding| {
                many(Var::Own(number), binding).iter().map(|value| {
                    let mut single = binding.clone();
                    single[at] = vec![*value];
                    single
                })
            })
            .collect();
    }
    all
}

/// Whether a condition reads a key under a binding. What `collectall` leaves out was asked about, too.
fn reads_key(
    program: &Program,
    frame: &Frame,
    condition: &ConditionNode,
    binding: &Binding,
    key: KeyId,
) -> bool {
    let is = |entity: EntityId, attribute| program.keys.find(Key::Attribute(entity, attribute)) == Some(key);
    let place = |place: &Place| match place {
        Place::Fixed(fixed) => *fixed == key,
        Place::Attribute(Var::Own(number), attribute) => match &frame.variables[usize::from(*number)] {
            Variable { quantifier: Quantifier::CollectAll, domain: Domain::Entities(range), .. } => {
                range.iter().any(|entity| is(*entity, *attribute))
            }
            _ => many(Var::Own(*number), binding)
                .iter()
                .any(|value| matches!(value, Value::Entity(entity) if is(*entity, *attribute))),
        },
        Place::Attribute(..) => panic!("the twin does not know composite activities"),
        Place::Entry(..) => panic!("the twin does not know maps"),
    };
    let expression = |expression: &Expr| {
        let mut places = Vec::new();
        reads_of(expression, &mut places);
        places.iter().any(place)
    };
    match condition {
        ConditionNode::Compare { left, right, .. } => expression(left) || expression(right),
        ConditionNode::Bind { value, .. } => expression(value),
        ConditionNode::Known { place: read, .. } => place(read),
        ConditionNode::Related { relation, .. } | ConditionNode::KnownPairs { relation, .. } => {
            matches!(program.keys.get(key), Key::Pair(_, found, _) if found == *relation)
        }
    }
}

fn reads_of(expression: &Expr, places: &mut Vec<Place>) {
    match expression {
        Expr::Read(place) => places.push(place.clone()),
        Expr::Negate(of) => reads_of(of, places),
        Expr::Binary(_, left, right) => {
            reads_of(left, places);
            reads_of(right, places);
        }
        Expr::Value(_) | Expr::Unknown | Expr::Variable(_) => {}
    }
}
