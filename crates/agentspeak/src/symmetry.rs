//! Agents that can change places: the team in which two of them have each other's names, minds, mail and cells of the
//! environment takes the same steps.
//!
//! What a state has in an order (beliefs, events, mail, actions that wait) keeps its order when names change, so nothing but
//! names may decide about it. `alike` looks whether the text is the same text, `world` whether the environment is, and `order`
//! whether programs put names in an order.

mod alike;
mod order;
mod portrait;
mod renaming;
mod steady;
mod world;

use std::sync::OnceLock;

use motet_model::{Kind, Obstacle};

use crate::program::Program;
use crate::semantics::table::{Cache, Table};
use order::Orders;
use world::World;

pub(crate) use portrait::View;
pub(crate) use renaming::Renaming;

/// Who is interchangeable, and what is known of their changes.
#[derive(Debug)]
pub(crate) struct Likeness {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) obstacles: Vec<Obstacle>,
    /// For each kind the agents.
    pub(crate) members: Vec<Vec<usize>>,
    /// For each kind the steps of the environment that are others when members change places.
    pub(crate) shifted: Vec<Vec<String>>,
    pub(crate) known: Known,
}

/// Answers about parts of states, by slot: each is computed once.
#[derive(Debug)]
pub(crate) struct Known {
    /// The changes that were made, with the kind before the new order.
    pub(crate) changes: Table<Box<[u32]>, OnceLock<Renaming>>,
    /// The number of a slot's value after a change.
    pub(crate) images: Vec<Cache<u32>>,
    /// What a slot's value says of a member of a kind.
    pub(crate) portraits: Vec<Cache<u64>>,
}

impl Likeness {
    /// Finds out; `slots` is how many slots a state has.
    pub(crate) fn of(program: &Program, slots: usize) -> Self {
        let (classes, obstacles) = classes(program);
        let name = |agent: &usize| program.terms.name(program.agents[*agent].name).to_owned();
        let members: Vec<Vec<usize>> = classes.into_iter().filter(|class| class.len() > 1).collect();
        let kinds = members.iter().map(|class| Kind::of_members(class.iter().map(name).collect())).collect();
        let shifted = members.iter().map(|class| shifted(program, class)).collect();
        let known = Known {
            changes: Table::default(),
            images: (0..slots).map(|_| Cache::default()).collect(),
            portraits: (0..slots).map(|_| Cache::default()).collect(),
        };
        Self { kinds, obstacles, members, shifted, known }
    }
}

/// The agents by whom they can change places with, and what stands in the way of others. Changes with the first of a class make
/// all changes.
fn classes(program: &Program) -> (Vec<Vec<usize>>, Vec<Obstacle>) {
    let mut orders = None;
    let mut classes: Vec<Vec<usize>> = Vec::new();
    let mut obstacles: Vec<Obstacle> = Vec::new();
    let name = |agent: usize| program.terms.name(program.agents[agent].name).to_owned();
    for agent in 0..program.agents.len() {
        let class = classes.iter_mut().find(|class| {
            if !alike::look_alike(program, class[0], agent) {
                return false;
            }
            let orders = orders.get_or_insert_with(|| Orders::of(program));
            let Some(reason) = alike::obstacle(program, orders, class[0], agent) else { return true };
            let kind = Kind::of_members(vec![name(class[0]), name(agent)]).name;
            // One reason is enough, and the same holds for all of them as a rule.
            if !obstacles.iter().any(|known| known.name == kind) {
                obstacles.push(Obstacle { name: kind, reason });
            }
            false
        });
        match class {
            Some(class) => class.push(agent),
            None => classes.push(vec![agent]),
        }
    }
    (classes, obstacles)
}

/// The steps of the environment that are not their own images.
fn shifted(program: &Program, class: &[usize]) -> Vec<String> {
    let steps = program.environment.steps.iter();
    let is_shifted = |step: &&crate::program::StepRule| {
        class[1..].iter().any(|&other| {
            let renaming = Renaming::swap(program, class[0], other);
            !World::new(program, &renaming, [class[0], other]).same_step(step, step)
        })
    };
    steps.filter(is_shifted).map(|step| step.name.clone()).collect()
}
