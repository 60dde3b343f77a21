//! Instants, one after the other, with every sequence of choices (spec/brahms/rules.md, the scheduler).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use motet_brahms::program::{ActorId, Order, Program};

use super::choose::Chooser;
use super::mind::{Marks, World};
use super::turn::Turn;

/// Rounds of one instant at most; random models that go on for longer are left out.
const LIMIT_ROUNDS: usize = 200;

/// Sequences of choices of one instant at most.
const LIMIT_SEQUENCES: usize = 20_000;

/// The quiescent instants of a model.
#[derive(Debug)]
pub struct Explored {
    /// All situations in which everybody is busy or idle, and the one before the start.
    pub worlds: Vec<World>,
    /// Pairs of a situation and one that may come next, each once.
    pub transitions: usize,
}

/// Explores a model; `None` when it has more situations than `limit`, or an instant that does not end.
#[must_use]
pub fn explore(program: &Program, limit: usize) -> Option<Explored> {
    let start = World::new(program);
    let mut numbers: BTreeMap<World, usize> = BTreeMap::new();
    // Before the start nothing has happened yet, which tells it from a situation that looks the same later.
    let mut worlds = vec![start];
    let mut open = VecDeque::from([0]);
    let mut transitions = 0;
    while let Some(number) = open.pop_front() {
        let next = successors(program, &worlds[number], number == 0)?;
        transitions += next.len();
        for world in next {
            if !numbers.contains_key(&world) {
                if worlds.len() == limit {
                    return None;
                }
                numbers.insert(world.clone(), worlds.len());
                open.push_back(worlds.len());
                worlds.push(world);
            }
        }
    }
    Some(Explored { worlds, transitions })
}

/// States and steps as a prototype in another language counted them, which had the same rules: situations right before
/// an instant, time having passed, with all marks; no ends; and every sequence of choices is a step. `None` when there are
/// more than `limit`.
#[must_use]
pub fn count_before_instants(program: &Program, limit: usize) -> Option<(usize, usize)> {
    let start = World::new(program);
    let mut known = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    let mut steps = 0;
    while let Some(world) = open.pop() {
        let after = outcomes(program, &world, Marks::All)?;
        steps += after.len();
        for later in after.iter().filter_map(pass) {
            if known.insert(later.clone()) {
                open.push(later);
            }
        }
        if known.len() > limit {
            return None;
        }
    }
    Some((known.len(), steps))
}

/// All situations that may come next; none when nothing is left to happen.
fn successors(program: &Program, world: &World, at_start: bool) -> Option<BTreeSet<World>> {
    let later = if at_start { Some(world.clone()) } else { pass(world) };
    let Some(later) = later else { return Some(BTreeSet::new()) };
    Some(outcomes(program, &later, Marks::Telling)?.into_iter().collect())
}

/// Time passes to the next end of an activity; `None` when none is running.
fn pass(world: &World) -> Option<World> {
    let running = world.minds.iter().filter_map(|mind| mind.current.as_ref()?.remaining);
    let passed = running.min()?;
    let mut later = world.clone();
    for mind in &mut later.minds {
        if let Some(left) = mind.current.as_mut().and_then(|context| context.remaining.as_mut()) {
            *left -= passed;
        }
    }
    Some(later)
}

/// The end of an instant, for each sequence of choices.
fn outcomes(program: &Program, world: &World, marks: Marks) -> Option<Vec<World>> {
    let mut chooser = Chooser::default();
    let mut found = Vec::new();
    loop {
        let mut after = world.clone();
        instant(program, &mut after, &mut chooser, marks)?;
        found.push(after);
        if found.len() == LIMIT_SEQUENCES {
            return None;
        }
        if !chooser.advance() {
            return Some(found);
        }
    }
}

/// One instant, to its end.
fn instant(program: &Program, world: &mut World, chooser: &mut Chooser, marks: Marks) -> Option<()> {
    let actors = || (0..program.actors.len()).map(|actor| ActorId(u32::try_from(actor).expect("few actors")));
    if program.rules.order == Order::Choice {
        return open_instant(program, world, chooser, marks);
    }
    for actor in actors() {
        Turn { program, world, chooser, actor }.end_running();
    }
    for _ in 0..LIMIT_ROUNDS {
        let before = world.clone();
        for actor in actors() {
            Turn { program, world, chooser, actor }.step();
        }
        if chooser.exhausted {
            return None;
        }
        if *world == before {
            for actor in actors() {
                Turn { program, world, chooser, actor }.forget(marks);
            }
            return Some(());
        }
    }
    None
}

/// One instant, to its end, with everybody in every order: any activity whose time is over ends next, then anybody whose turn
/// changes something has it.
fn open_instant(program: &Program, world: &mut World, chooser: &mut Chooser, marks: Marks) -> Option<()> {
    let all: Vec<ActorId> =
        (0..program.actors.len()).map(|actor| ActorId(u32::try_from(actor).expect("few actors"))).collect();
    let is_over = |world: &World, actor: &ActorId| {
        let current = world.minds[actor.index()].current.as_ref();
        current.is_some_and(|context| context.remaining == Some(0))
    };
    let mut ending: Vec<ActorId> = all.iter().copied().filter(|actor| is_over(world, actor)).collect();
    while !ending.is_empty() {
        let actor = ending.remove(chooser.pick(ending.len()));
        Turn { program, world, chooser, actor }.end_running();
    }
    for _ in 0..LIMIT_ROUNDS * all.len() {
        let movers: Vec<ActorId> =
            all.iter().copied().filter(|actor| changes(program, world, *actor)).collect();
        if movers.is_empty() {
            for actor in all {
                Turn { program, world, chooser, actor }.forget(marks);
            }
            return Some(());
        }
        let actor = movers[chooser.pick(movers.len())];
        Turn { program, world, chooser, actor }.step();
        if chooser.exhausted {
            return None;
        }
    }
    None
}

/// Whether the turn of an actor would change anything.
fn changes(program: &Program, world: &World, actor: ActorId) -> bool {
    let (mut after, mut chooser) = (world.clone(), Chooser::default());
    Turn { program, world: &mut after, chooser: &mut chooser, actor }.step();
    chooser.was_asked() || after != *world
}
