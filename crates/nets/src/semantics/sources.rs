//! Where steps and the truth of claims come from, with the slots that they depend on.

use motet_model::{ActionId, ProcessId, State};

use crate::atoms::Predicate;
use crate::program::{PlaceId, Program, TransitionId};
use crate::semantics::black::{self, Black};
use crate::semantics::flat::Code;
use crate::semantics::layout::Layout;
use crate::semantics::memo::{Memo, Memory, Shared};
use crate::semantics::parts::{self, Reads};
use crate::semantics::plan::Plans;
use crate::semantics::scope::Trouble;

/// A step of the system net, by numbers.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) process: ProcessId,
    pub(super) action: ActionId,
    /// Slots and their new contents.
    pub(super) changes: Box<[(usize, u32)]>,
}

pub(super) type Entries = Result<Shared<Entry>, Trouble>;

/// Steps that depend on these slots alone.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) what: What,
    pub(super) slots: Vec<usize>,
    pub(super) memo: Memo<Entries>,
    /// Slots with what they hold while their places are empty: it has no steps where each of these groups has such a slot.
    pub(super) idle: Vec<Vec<(usize, u32)>>,
    /// Its alternatives, if it is a transition that moves black tokens alone.
    pub(super) black: Option<Vec<Black>>,
}

/// Which steps a source has.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// Those of a transition of the system net.
    Own(TransitionId),
    /// Those inside the agents of a place.
    Inner(PlaceId),
    /// Those between agents of two places.
    Between(PlaceId, PlaceId),
}

/// An atom with the slots it depends on.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) predicate: Predicate,
    /// What it asks, unless it is about what fired.
    pub(super) code: Option<Code>,
    pub(super) slots: Vec<usize>,
    pub(super) memo: Memo<Result<bool, Trouble>>,
    /// Whether its computation may fail.
    pub(super) risky: bool,
}

/// All sources of steps, in the order of the steps.
pub(super) fn sources(program: &Program, plans: &Plans, layout: &Layout, memory: Memory) -> Vec<Source> {
    let net = &program.nets[program.system.0 as usize];
    let plan = plans.net(program.system);
    let source = |what, mut slots: Vec<usize>| {
        slots.sort_unstable();
        slots.dedup();
        let black = match what {
            What::Own(transition) if memory == Memory::Kept => black::of(net, transition),
            _ => None,
        };
        let idle = idle(program, plans, layout, what, memory);
        let memo = Memo::new(memory, slots.len());
        Source { what, slots, idle, memo, black }
    };
    let own = (0..).map(TransitionId).zip(&plan.transitions).map(|(transition, alternatives)| {
        let places = alternatives.iter().flat_map(|alternative| &alternative.places);
        source(What::Own(transition), places.map(|place| place.0 as usize).collect())
    });
    let inner = plan.homes.iter().map(|(place, _)| source(What::Inner(*place), vec![place.0 as usize]));
    let mut sources: Vec<Source> = own.chain(inner).collect();
    if speaks_sideways(program) {
        for (at, (one, _)) in plan.homes.iter().enumerate() {
            for (other, _) in &plan.homes[at..] {
                let slots = vec![one.0 as usize, other.0 as usize];
                sources.push(source(What::Between(*one, *other), slots));
            }
        }
    }
    sources
}

/// Without a memory, for comparison, nothing is known to be idle.
fn idle(
    program: &Program,
    plans: &Plans,
    layout: &Layout,
    what: What,
    memory: Memory,
) -> Vec<Vec<(usize, u32)>> {
    let empty = |places: &[PlaceId]| {
        places.iter().filter_map(|place| Some((place.0 as usize, layout.empty(*place)?))).collect()
    };
    match what {
        _ if memory == Memory::None => vec![Vec::new()],
        What::Own(transition) => {
            let plans = &plans.net(program.system).transitions[transition.0 as usize];
            plans.iter().map(|plan| empty(&plan.needs)).collect()
        }
        What::Inner(place) => vec![empty(&[place])],
        // Agents of one place may offer something, and end in trouble, whoever is in the other.
        What::Between(one, other) => vec![empty(&[one]), empty(&[other])],
    }
}

impl Source {
    /// Whether its places alone say that it has no steps.
    pub(super) fn is_idle(&self, state: &State) -> bool {
        self.idle.iter().all(|group| group.iter().any(|(slot, empty)| state[*slot] == *empty))
    }
}

/// Whether any net has a channel between agents.
fn speaks_sideways(program: &Program) -> bool {
    let transitions = program.nets.iter().flat_map(|net| &net.transitions);
    let mut syncs =
        transitions.flat_map(|transition| &transition.alternatives).filter_map(|one| one.sync.as_ref());
    syncs.any(|sync| matches!(sync.partner, crate::program::Partner::Channel(_)))
}

pub(super) fn test(program: &Program, predicate: Predicate, sources: &[Source], memory: Memory) -> Test {
    let mut slots: Vec<usize> = Vec::new();
    match &predicate {
        Predicate::Test(body) => {
            let reads = Reads::of(program, &body.expr);
            slots.extend(reads.places.iter().map(|place| place.0 as usize));
            for transition in reads.enabled {
                let own = |source: &&Source| matches!(source.what, What::Own(own) if own == transition);
                slots.extend(sources.iter().filter(own).flat_map(|source| source.slots.iter().copied()));
            }
        }
        Predicate::Fires(_) => {}
    }
    slots.sort_unstable();
    slots.dedup();
    let risky = matches!(&predicate, Predicate::Test(body) if parts::may_fail(&body.expr));
    let code = match &predicate {
        Predicate::Test(body) => Some(Code::of(program, &body.expr, memory)),
        Predicate::Fires(_) => None,
    };
    let memo = Memo::new(memory, slots.len());
    Test { predicate, code, slots, memo, risky }
}
