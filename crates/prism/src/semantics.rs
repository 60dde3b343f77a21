//! What a program does: its states, its steps and what holds in them (`spec/prism`).
//!
//! `guards` finds the enabled commands, `plan` knows which of them go together, `effects` what each may lead to, `product`
//! what they lead to together. In a chain, `mixture` joins all combinations into one step.

pub(crate) mod chances;
mod earned;
mod effects;
mod faults;
mod guards;
mod independence;
mod mixture;
mod plan;
mod product;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use motet_model::{
    ActionId, AtomId, Facets, Fault, Independence, Model, Observation, ObserverId, Pool, ProcessId, Ratio,
    Reward, RewardId, Rewards, Signature, State, Steps, TimeUnit,
};
use motet_source::{Sources, Span};

use crate::atoms::Predicate;
use crate::program::{CommandId, Earned, Program};
use crate::symmetry::Likeness;
use crate::syntax::ModelKind;
use earned::{Doubt, doubts};
use effects::{Effects, Outcomes, Row};
use guards::Guards;
use independence::Privacy;
use mixture::Merger;
use plan::{Plan, Way};
use product::Branches;

/// How many combinations of commands one state may have.
const LIMIT_COMBINATIONS: u64 = 1 << 20;

/// A model that runs.
#[derive(Debug)]
pub(crate) struct Semantics {
    pub(crate) program: Program,
    signature: Signature,
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) guards: Guards,
    effects: Effects,
    pub(crate) plan: Plan,
    /// What modules have for themselves, once somebody asked.
    privacy: OnceLock<Privacy>,
    /// `file:line` of each command.
    places: Vec<String>,
    /// `file:line` of each reward item.
    reward_places: Vec<String>,
    /// Rewards that must be looked at in each state.
    doubtful: Vec<Doubt>,
    pool: Pool<Scratch>,
    /// The first state without steps that was met.
    pub(crate) deadlock: OnceLock<Box<State>>,
    /// Which commands were part of a step.
    pub(crate) taken: Vec<AtomicBool>,
    /// Who can change places, once somebody asked.
    likeness: OnceLock<Likeness>,
}

/// Memory that one call works in.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    masks: Vec<u64>,
    outcomes: Outcomes,
    branches: Branches,
    merger: Merger,
    /// The enabled commands of each part, one part after the other.
    choices: Vec<CommandId>,
    /// Where the parts start in `choices`.
    starts: Vec<usize>,
    /// Rows of `outcomes` for `choices`.
    known: Vec<Row>,
    /// The combination at hand: positions in `choices`.
    at: Vec<usize>,
    rows: Vec<Row>,
    commands: Vec<CommandId>,
}

impl Semantics {
    pub(crate) fn new(program: Program, predicates: Vec<(String, Predicate)>, sources: &Sources) -> Self {
        let guards = Guards::of(&program);
        let plan = Plan::of(&program, &guards);
        let effects = Effects::of(&program);
        let (names, predicates): (Vec<String>, Vec<Predicate>) = predicates.into_iter().unzip();
        let signature = Signature {
            slots: program.variables.iter().map(|variable| variable.name.clone()).collect(),
            processes: plan.processes.clone(),
            atoms: names,
            rewards: program.rewards.iter().map(|rewards| Reward { name: rewards.name.clone() }).collect(),
            observers: program.modules.iter().map(|module| module.name.clone()).collect(),
            unit: TimeUnit::Steps,
        };
        let place = |span: Span| {
            let path = &sources.file(span.file).path;
            format!("{}:{}", path.rsplit(['/', '\\']).next().unwrap_or(path), sources.place(span).line)
        };
        let items = || program.rewards.iter().flat_map(|rewards| &rewards.items);
        Self {
            places: program.commands.iter().map(|command| place(command.span)).collect(),
            reward_places: items().map(|item| place(item.span)).collect(),
            doubtful: doubts(&program),
            taken: program.commands.iter().map(|_| AtomicBool::new(false)).collect(),
            program,
            signature,
            predicates,
            guards,
            effects,
            plan,
            privacy: OnceLock::new(),
            pool: Pool::default(),
            deadlock: OnceLock::new(),
            likeness: OnceLock::new(),
        }
    }

    /// Who can change places.
    pub(crate) fn likeness(&self) -> &Likeness {
        self.likeness.get_or_init(|| Likeness::of(&self.program, &self.predicates))
    }

    fn take(&self, command: CommandId) {
        let taken = &self.taken[command.index()];
        if !taken.load(Ordering::Relaxed) {
            taken.store(true, Ordering::Relaxed);
        }
    }

    /// How many combinations of commands are enabled.
    fn combinations(&self, masks: &[u64]) -> u64 {
        let of_way = |way: &Way| {
            way.parts.iter().fold(1_u64, |product, seat| product.saturating_mul(u64::from(seat.count(masks))))
        };
        self.plan.ways.iter().fold(0_u64, |sum, way| sum.saturating_add(of_way(way)))
    }

    fn expand(&self, state: &State, scratch: &mut Scratch, out: &mut Steps) -> Result<(), Fault> {
        self.guards
            .enabled(state, &mut scratch.masks)
            .map_err(|(command, trouble)| self.guard_fault(command, trouble, state))?;
        if !self.doubtful.is_empty() {
            self.check_rewards(state, &scratch.masks)
                .map_err(|(item, bad)| self.reward_fault(item, bad, state))?;
        }
        scratch.branches.restart();
        let share = match self.program.kind {
            ModelKind::Mdp => 1,
            ModelKind::Dtmc => self.combinations(&scratch.masks),
        };
        let mut only = None;
        let masks = std::mem::take(&mut scratch.masks);
        let followed = self.plan.each(&masks, &self.guards, |way| {
            if way.parts.iter().all(|seat| seat.count(&masks) > 0) {
                only = Some(self.follow(way, &masks, state, scratch, share, out)?);
            }
            Ok(())
        });
        scratch.masks = masks;
        followed?;
        if self.program.kind == ModelKind::Dtmc
            && let Some((process, action)) = only
        {
            self.mix(state, scratch, share, (process, action), out)?;
        }
        Ok(())
    }

    /// All combinations of one pattern. In a process each is a step; in a chain they are collected.
    fn follow(
        &self,
        way: &Way,
        masks: &[u64],
        state: &State,
        scratch: &mut Scratch,
        share: u64,
        out: &mut Steps,
    ) -> Result<(ProcessId, ActionId), Fault> {
        self.choose(way, masks, state, scratch)?;
        let mut combinations = 0_u64;
        let mut action;
        loop {
            scratch.rows.clear();
            scratch.rows.extend(scratch.at.iter().map(|at| scratch.known[*at]));
            scratch.commands.clear();
            scratch.commands.extend(scratch.at.iter().map(|at| scratch.choices[*at]));
            let Scratch { branches, rows, outcomes, commands, .. } = scratch;
            branches
                .combine(state, rows, outcomes, share)
                .map_err(|excess| self.excess_fault(commands, excess, state))?;
            action = way.action(commands);
            if self.program.kind == ModelKind::Mdp {
                push(out, way.process, action, state.len(), branches);
                branches.clear();
            }
            combinations += 1;
            if combinations > LIMIT_COMBINATIONS {
                return Err(self.crowd_fault(state));
            }
            if !advance(&mut scratch.at, &scratch.starts) {
                return Ok((way.process, action));
            }
        }
    }

    /// Finds the enabled commands of each part, with their outcomes, and takes the first of each.
    fn choose(&self, way: &Way, masks: &[u64], state: &State, scratch: &mut Scratch) -> Result<(), Fault> {
        scratch.choices.clear();
        scratch.starts.clear();
        scratch.known.clear();
        scratch.at.clear();
        scratch.outcomes.clear();
        for seat in &way.parts {
            scratch.starts.push(scratch.choices.len());
            scratch.at.push(scratch.choices.len());
            seat.enabled(masks, &self.guards, &mut scratch.choices);
        }
        scratch.starts.push(scratch.choices.len());
        for &command in &scratch.choices {
            self.take(command);
            let row = self
                .effects
                .outcomes(command, state, &mut scratch.outcomes)
                .map_err(|failure| self.effect_fault(command, failure, state))?;
            scratch.known.push(row);
        }
        Ok(())
    }

    /// One step with everything that was collected.
    fn mix(
        &self,
        state: &State,
        scratch: &mut Scratch,
        share: u64,
        (process, action): (ProcessId, ActionId),
        out: &mut Steps,
    ) -> Result<(), Fault> {
        let Scratch { branches, merger, .. } = scratch;
        if share == 1 {
            push(out, process, action, state.len(), branches);
            return Ok(());
        }
        merger
            .merge(state.len(), &mut branches.targets, &mut branches.chances)
            .ok_or_else(|| self.mixture_fault(state))?;
        push(out, self.plan.chance(), self.plan.mixed, state.len(), branches);
        Ok(())
    }

    /// The commands that are part of some step of a state, and how many combinations of them there are.
    pub(crate) fn possible(&self, state: &State) -> (Vec<CommandId>, u64) {
        let mut scratch = self.pool.take();
        let mut commands = Vec::new();
        if self.guards.enabled(state, &mut scratch.masks).is_ok() {
            let possible = |way: &&Way| way.parts.iter().all(|seat| seat.count(&scratch.masks) > 0);
            for way in self.plan.ways.iter().filter(possible) {
                way.parts.iter().for_each(|seat| seat.enabled(&scratch.masks, &self.guards, &mut commands));
            }
        }
        let combinations = self.combinations(&scratch.masks);
        self.pool.give_back(scratch);
        commands.sort_unstable();
        commands.dedup();
        (commands, combinations)
    }

    /// Whether no command can happen.
    fn is_stuck(&self, state: &State) -> bool {
        let mut scratch = self.pool.take();
        let stuck =
            self.guards.enabled(state, &mut scratch.masks).is_ok() && self.combinations(&scratch.masks) == 0;
        self.pool.give_back(scratch);
        stuck
    }
}

/// The next combination; `false` after the last.
fn advance(at: &mut [usize], starts: &[usize]) -> bool {
    for part in (0..at.len()).rev() {
        at[part] += 1;
        if at[part] < starts[part + 1] {
            return true;
        }
        at[part] = starts[part];
    }
    false
}

fn push(out: &mut Steps, process: ProcessId, action: ActionId, width: usize, branches: &Branches) {
    if width == 0 {
        out.push_random(process, action, 0, branches.chances.iter().map(|chance| (*chance, &[][..])));
        return;
    }
    let targets = branches.targets.chunks_exact(width);
    out.push_random(process, action, 0, branches.chances.iter().copied().zip(targets));
}

impl Model for Semantics {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.extend(self.program.initial.iter().cloned());
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let before = out.len();
        let mut scratch = self.pool.take();
        let result = self.expand(state, &mut scratch, out);
        self.pool.give_back(scratch);
        if result.is_ok() && out.len() == before {
            self.deadlock.get_or_init(|| state.into());
        }
        result
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        match &self.predicates[atom.index()] {
            Predicate::Test(test) => test.holds(state).unwrap_or(false),
            Predicate::Initial => self.program.initial.binary_search_by(|other| (**other).cmp(state)).is_ok(),
            Predicate::Deadlock => self.is_stuck(state),
        }
    }

    fn facets(&self) -> Facets<'_> {
        // In a chain, chance decides about the order of steps.
        let is_chosen = self.program.kind == ModelKind::Mdp;
        let independence: Option<&dyn Independence> = if is_chosen { Some(self) } else { None };
        Facets {
            observation: Some(self),
            rewards: Some(self),
            symmetry: Some(self),
            independence,
            ..Facets::default()
        }
    }
}

impl Observation for Semantics {
    /// A module sees its own variables and the global ones. It may read those of other modules in guards, but that is how
    /// commands are written and not what somebody sees (`spec/claims/knowledge.md`).
    fn observe(&self, observer: ObserverId, state: &State, out: &mut Vec<u32>) {
        let globals =
            self.program.variables.iter().zip(state).filter(|(variable, _)| variable.module.is_none());
        out.extend(globals.map(|(_, value)| *value));
        let own = &self.program.modules[observer.index()].slots;
        out.extend(own.iter().map(|slot| state[*slot as usize]));
    }
}

impl Rewards for Semantics {
    fn state_reward(&self, reward: RewardId, state: &State) -> Ratio {
        Self::ratio(self.sum(reward, state, Earned::State))
    }

    fn action_reward(&self, reward: RewardId, state: &State, action: ActionId) -> Ratio {
        Self::ratio(self.of_action(reward, state, action))
    }
}
