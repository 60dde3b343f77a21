//! Instants, one after the other, with every sequence of choices (spec/brahms/rules.md, the scheduler).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use motet_brahms::program::{ActorId, Program};

use super::choose::Chooser;
use super::mind::World;
use super::turn::Turn;

/// Rounds of one instant at most; random models that go on for longer are left out.
const LIMIT_ROUNDS: usize = 200;

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

/// All situations that may come next; none when nothing is left to happen.
fn successors(program: &Program, world: &World, at_start: bool) -> Option<BTreeSet<World>> {
    let mut later = world.clone();
    if !at_start {
        let remaining = |world: &World| {
            let running = world.minds.iter().filter_map(|mind| mind.current.as_ref()?.remaining);
            running.min()
        };
        let Some(passed) = remaining(world) else { return Some(BTreeSet::new()) };
        for mind in &mut later.minds {
            if let Some(left) = mind.current.as_mut().and_then(|context| context.remaining.as_mut()) {
                *left -= passed;
            }
        }
    }
    let mut chooser = Chooser::default();
    let mut found = BTreeSet::new();
    loop {
        let mut after = later.clone();
        instant(program, &mut after, &mut chooser)?;
        found.insert(after);
        if !chooser.advance() {
            return Some(found);
        }
    }
}

/// One instant, to its end.
fn instant(program: &Program, world: &mut World, chooser: &mut Chooser) -> Option<()> {
    let actors = || (0..program.actors.len()).map(|actor| ActorId(u32::try_from(actor).expect("few actors")));
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
                Turn { program, world, chooser, actor }.forget();
            }
            return Some(());
        }
    }
    None
}
