//! What a run earns: time, work, cost, and how often something is done (`spec/brahms/chance.md`).
//!
//! Time, work and cost accrue while a state lasts; they are read off the state. What is counted happens within an instant,
//! one way on one branch of a step and another way on another. It is counted in slots of its own while a step is worked out;
//! the step earns what its branches count on average, which is all that an expectation needs.

use motet_model::{ActionId, Fault, Interner, ProcessId, Ratio, State, Steps};
use rustc_hash::FxHashMap;

use super::layout::{MOMENT, actors};
use super::schedule::QUIESCENT;
use super::work::Work;
use super::{Semantics, TIME};
use crate::program::{ActivityId, ActorId, Entity, FrameId, Program, Statement, Subject};

/// Entities with simple costs of which the sum is never too fine.
const MANY: usize = Ratio::LIMIT_BITS / 256;
/// What is earned while time passes.
const LASTING: [&str; 3] = ["time", "busy", "cost"];
/// What is counted.
const COUNTED: [&str; 4] = ["activities", "workframes", "thoughts", "messages"];

/// A reward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Earning {
    /// Seconds that pass.
    Time,
    /// Seconds in which somebody, or everybody, is at work.
    Busy(Option<ActorId>),
    /// What the time of somebody, or of everybody, costs, with what is used.
    Cost(Option<ActorId>),
    /// How often something is done: the number of its slot.
    Count(usize),
}

/// The rewards that claims ask for.
#[derive(Debug, Default)]
pub(crate) struct Rewards {
    /// With their names.
    pub(crate) all: Vec<(String, Earning)>,
    /// How many are counted.
    pub(crate) counts: usize,
    /// What a new activity counts for, by its number.
    activities: Vec<Vec<usize>>,
    /// What a new frame counts for, by its number.
    frames: Vec<Vec<usize>>,
    /// What a message counts for, by its sender.
    messages: Vec<Vec<usize>>,
    /// What steps earn, by the number that their actions carry; the first is nothing.
    earned: Interner<Box<[Ratio]>>,
    /// Whether costs are so fine, or so many, that their sum in a state may be too fine to be kept.
    doubtful: bool,
}

impl Rewards {
    /// The rewards with these names; names that mean nothing are left out. `None` means the first one that there is.
    pub(crate) fn of(program: &Program, names: &[Option<String>]) -> Self {
        let mut rewards = Self {
            activities: vec![Vec::new(); program.activities.len()],
            frames: vec![Vec::new(); program.frames.len()],
            messages: vec![Vec::new(); program.actors.len()],
            ..Self::default()
        };
        if names.contains(&None) {
            rewards.add(program, LASTING[0]);
        }
        names.iter().flatten().for_each(|name| rewards.add(program, name));
        rewards.number(vec![Ratio::ZERO; rewards.counts].into());
        rewards
    }

    fn add(&mut self, program: &Program, name: &str) {
        if self.all.iter().any(|(known, _)| known == name) {
            return;
        }
        let (what, who) = match name.strip_suffix(')').and_then(|name| name.split_once('(')) {
            None => (name, None),
            Some((what, who)) => {
                let named = |actor: &ActorId| {
                    program.entities[program.actors[actor.index()].entity.index()].name == who.trim()
                };
                let Some(actor) = actors(program).find(named) else { return };
                (what.trim(), Some(actor))
            }
        };
        let earning = match what {
            "time" if who.is_none() => Earning::Time,
            "time" => return,
            "busy" => Earning::Busy(who),
            "cost" => {
                let simple = |entity: &Entity| rate(entity).is_some_and(|rate| rate.words().is_some());
                self.doubtful |= program.entities.len() > MANY || !program.entities.iter().all(simple);
                Earning::Cost(who)
            }
            _ if !self.count(program, what, who) => return,
            _ => Earning::Count(self.counts - 1),
        };
        self.all.push((name.to_owned(), earning));
    }

    /// Counts something from now on; false if there is no such thing.
    fn count(&mut self, program: &Program, what: &str, who: Option<ActorId>) -> bool {
        let slot = self.counts;
        let is_his = |actor: ActorId| who.is_none_or(|who| who == actor);
        let mut found = COUNTED.contains(&what);
        for (number, frame) in program.frames.iter().enumerate().filter(|(_, frame)| is_his(frame.actor)) {
            let thinks = program.actors[frame.actor.index()].thoughtframes.iter();
            let thinks = thinks.chain(inner_thoughts(program)).any(|thought| thought.index() == number);
            let kind = if thinks { "thoughts" } else { "workframes" };
            if what == kind || what == frame.name {
                self.frames[number].push(slot);
                found = true;
            }
            for statement in &frame.body {
                let Statement::Do(activity) = statement else { continue };
                let counted = &mut self.activities[activity.index()];
                let is_it = what == "activities" || what == program.activities[activity.index()].name;
                if is_it && !counted.contains(&slot) {
                    counted.push(slot);
                    found = true;
                }
            }
        }
        if what == "messages" {
            let senders = actors(program).filter(|actor| is_his(*actor));
            senders.for_each(|actor| self.messages[actor.index()].push(slot));
        }
        self.counts += usize::from(found);
        found
    }

    /// The number of what a step earns.
    fn number(&self, earned: Box<[Ratio]>) -> u32 {
        self.earned.intern(earned)
    }
}

/// Thoughtframes inside composite activities.
fn inner_thoughts(program: &Program) -> impl Iterator<Item = &FrameId> {
    program.activities.iter().flat_map(|activity| match &activity.node {
        crate::program::ActivityNode::Composite { thoughtframes, .. } => thoughtframes.as_slice(),
        _ => &[],
    })
}

/// The names of all rewards of a model.
pub(crate) fn names(program: &Program) -> Vec<String> {
    let mut names: Vec<String> = LASTING.iter().chain(&COUNTED).map(|name| (*name).to_owned()).collect();
    let who = |actor: ActorId| &program.entities[program.actors[actor.index()].entity.index()].name;
    for actor in actors(program) {
        let own = LASTING[1..].iter().chain(&COUNTED).map(|what| format!("{what}({})", who(actor)));
        names.extend(own);
    }
    let mut done: Vec<String> = Vec::new();
    for frame in &program.frames {
        let activities = frame.body.iter().filter_map(|statement| match statement {
            Statement::Do(activity) => Some(&program.activities[activity.index()].name),
            _ => None,
        });
        for name in activities.chain([&frame.name]) {
            done.extend([name.clone(), format!("{name}({})", who(frame.actor))]);
        }
    }
    done.sort();
    done.dedup();
    done.retain(|name| !names.contains(name));
    names.extend(done);
    names
}

/// Something that is counted when it happens.
#[derive(Clone, Copy, Debug)]
pub(super) enum Happening {
    /// An activity begins.
    Activity(ActivityId),
    /// A frame begins, or a thought comes.
    Frame(FrameId),
    /// Somebody tells something.
    Message(ActorId),
}

impl Semantics {
    /// Counts what happens, if a claim asks for it.
    pub(super) fn count(&self, work: &mut Work, happening: Happening) {
        let Some(first) = self.layout.earned else { return };
        let counted = match happening {
            Happening::Activity(activity) => &self.rewards.activities[activity.index()],
            Happening::Frame(frame) => &self.rewards.frames[frame.index()],
            Happening::Message(sender) => &self.rewards.messages[sender.index()],
        };
        for slot in counted {
            let number = work.cells[first + slot].saturating_add(1);
            work.set(first + slot, number);
        }
    }

    /// Appends a step with what it earns. In the states that it leads to nothing is counted yet.
    pub(super) fn push<'s>(
        &self,
        (process, kind, delay): (ProcessId, ActionId, u32),
        branches: impl ExactSizeIterator<Item = (Ratio, &'s State)>,
        out: &mut Steps,
    ) -> Result<(), Fault> {
        let Some(first) = self.layout.earned else {
            out.push_random(process, kind, delay, branches);
            return Ok(());
        };
        let unwieldy =
            || Fault { message: "bound exceeded: what a step earns does not fit 64 bits".to_owned() };
        let mut earned = vec![Ratio::ZERO; self.rewards.counts];
        let mut targets: Vec<(Ratio, Vec<u32>)> = Vec::with_capacity(branches.len());
        let mut known: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        for (chance, cells) in branches {
            let mut cells = cells.to_vec();
            for (total, cell) in earned.iter_mut().zip(&mut cells[first..]) {
                let count = Ratio::new(u64::from(std::mem::take(cell)), 1).unwrap_or(Ratio::ZERO);
                let sum = chance.checked_mul(count).and_then(|part| total.checked_add(part));
                *total = sum.ok_or_else(unwieldy)?;
            }
            match known.get(&cells) {
                Some(&at) => {
                    targets[at].0 = targets[at].0.checked_add(chance).ok_or_else(unwieldy)?;
                }
                None => {
                    known.insert(cells.clone(), targets.len());
                    targets.push((chance, cells));
                }
            }
        }
        let action = ActionId(2 * self.rewards.number(earned.into()) + kind.0);
        let targets = targets.iter().map(|(chance, cells)| (*chance, cells.as_slice()));
        out.push_random(process, action, delay, targets);
        Ok(())
    }

    /// What a step earns of a reward.
    pub(super) fn step_earns(&self, reward: usize, action: ActionId) -> Ratio {
        let Some((_, Earning::Count(slot))) = self.rewards.all.get(reward) else { return Ratio::ZERO };
        let (table, row) = (&self.rewards.earned, action.0 / 2);
        if (row as usize) < table.len() { table.get(row)[*slot] } else { Ratio::ZERO }
    }

    /// What a state earns of a reward as long as it lasts.
    pub(super) fn state_earns(&self, reward: usize, state: &State) -> Ratio {
        let Some((_, earning)) = self.rewards.all.get(reward) else { return Ratio::ZERO };
        if state[MOMENT] != QUIESCENT || matches!(earning, Earning::Count(_)) {
            return Ratio::ZERO;
        }
        let seconds = self.delay(state).map_or(0, |milliseconds| milliseconds / 1000);
        let whole = |count: u64| Ratio::new(count, 1).unwrap_or(Ratio::ZERO);
        let at_work = |actor: &ActorId| state[self.layout.seats[actor.index()].remaining] > 0;
        let workers = |who: &Option<ActorId>| {
            let who = *who;
            let his = actors(&self.program).filter(move |actor| who.is_none_or(|who| who == *actor));
            his.filter(at_work)
        };
        match earning {
            Earning::Count(_) => Ratio::ZERO,
            Earning::Time => whole(u64::from(seconds)),
            Earning::Busy(who) => whole(u64::from(seconds) * workers(who).count() as u64),
            Earning::Cost(who) => self.costs(state, workers(who), seconds).unwrap_or(Ratio::ZERO),
        }
    }

    /// Looks for costs whose sum is too fine to be kept, where there may be such.
    pub(super) fn check_costs(&self, state: &State) -> Result<(), Fault> {
        if !self.rewards.doubtful {
            return Ok(());
        }
        let all = self.costs(state, actors(&self.program), u32::MAX);
        let message = "bound exceeded: what somebody costs is too fine to be kept exactly";
        all.map(drop).ok_or_else(|| Fault { message: message.to_owned() })
    }

    /// What the work of these costs together; `None` if that is too fine to be kept.
    fn costs(&self, state: &State, mut who: impl Iterator<Item = ActorId>, seconds: u32) -> Option<Ratio> {
        who.try_fold(Ratio::ZERO, |sum, actor| sum.checked_add(self.cost(state, actor, seconds)?))
    }

    /// What somebody's work costs: its own time, and that of the resources which the activity names.
    fn cost(&self, state: &State, actor: ActorId, seconds: u32) -> Option<Ratio> {
        let entity = |of: crate::program::EntityId| &self.program.entities[of.index()];
        let scope = self.controls.decode(state[self.layout.seats[actor.index()].control]);
        let running = scope.innermost().and_then(|context| {
            let body = &self.program.frames[context.instance.frame.index()].body;
            match body.get(context.next as usize) {
                Some(Statement::Do(activity)) => Some(&self.program.activities[activity.index()]),
                _ => None,
            }
        });
        let resources = running.map_or(&[][..], |activity| &activity.resources).iter();
        let used = resources.filter_map(|resource| match resource {
            Subject::Entity(object) => Some(entity(*object)).filter(|object| object.resource),
            _ => None,
        });
        let own = entity(self.program.actors[actor.index()].entity);
        let mut priced = used.chain([own]);
        priced.try_fold(Ratio::ZERO, |sum, priced| sum.checked_add(for_seconds(priced, seconds)?))
    }
}

/// What so many seconds of somebody cost.
fn for_seconds(entity: &Entity, seconds: u32) -> Option<Ratio> {
    rate(entity)?.checked_mul(Ratio::whole(i64::from(seconds)))
}

/// What a second of somebody costs: `cost` is for each `time_unit` seconds, and for each second without a unit.
pub(crate) fn rate(entity: &Entity) -> Option<Ratio> {
    let unit = if entity.time_unit > Ratio::ZERO { entity.time_unit } else { Ratio::ONE };
    entity.cost.max(Ratio::ZERO).checked_div(unit)
}

/// Whether time passes in a step with this action.
pub(crate) fn takes_time(action: ActionId) -> bool {
    action.0 % 2 == TIME.0
}
