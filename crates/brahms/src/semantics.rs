//! What a model does: the operational semantics as a [`Model`].
//!
//! The rules are those of Stocker 2013, chapter 6, one function per rule under the rule's name; `spec/brahms/rules.md` says
//! where and why they are departed from. A rule is a piece of a *micro step*, which changes one actor in one atomic way;
//! a step of the model runs micro steps until everybody is busy or idle, or until a claim could tell the difference
//! ([`expand`]).

mod activities;
pub(crate) mod bindings;
pub(crate) mod cells;
mod chain;
pub(crate) mod clash;
pub(crate) mod conditions;
pub(crate) mod control;
mod detect;
mod execute;
mod expand;
mod fan;
pub(crate) mod layout;
mod link;
mod local;
mod memo;
mod merged;
pub(crate) mod narrow;
mod oracle;
mod order;
pub(crate) mod reach;
pub(crate) mod record;
pub(crate) mod rewards;
pub(crate) mod schedule;
mod select;
mod step;
mod think;
pub(crate) mod value;
mod work;
pub(crate) mod writes;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{OnceLock, RwLock};

use motet_model::{
    ActionId, AtomId, AtomText, Facets, Fault, Model, Observation, ObserverId, Pool, Ratio, Reward, RewardId,
    Signature, State, Steps, TimeUnit,
};
use motet_source::{Problems, Span, Spanned};
use rustc_hash::FxHashMap;

use bindings::Plan;
use clash::Clashes;
use control::Controls;
use expand::Expansion;
use layout::{Layout, Meaning};
use local::Local;
use memo::Recall;
use narrow::Narrowed;
use rewards::Rewards;
use value::Codec;
use writes::FACTS;

use crate::atoms::Predicate;
use crate::program::{ActivityId, ActivityNode, ActorId, FrameId, Key, KeyId, Program, Statement, Value};
use crate::symmetry::Likeness;

/// Time passes, then whatever happens at the next instant.
pub(crate) const TIME: ActionId = ActionId(0);
/// The rest of an instant.
pub(crate) const INSTANT: ActionId = ActionId(1);

/// A Brahms model that can be run.
#[derive(Debug)]
pub(crate) struct Semantics {
    /// The resolved model; its keys are complete.
    pub(crate) program: Program,
    /// What slots mean.
    pub(crate) layout: Layout,
    /// Values as words.
    pub(crate) codec: Codec,
    /// Control as words.
    pub(crate) controls: Controls,
    /// The atoms of the claims.
    pub(crate) atoms: Vec<Predicate>,
    /// For each slot, the atoms that look at it.
    watching: Vec<Box<[u32]>>,
    /// For each atom, the slots that it looks at.
    watched: Vec<Vec<usize>>,
    /// What each actor sees.
    locals: Vec<Local>,
    /// For each slot, whether somebody sees it whose knowledge claims speak of.
    shown: Vec<bool>,
    /// Whether steps use what is known of earlier ones.
    recall: Recall,
    /// What claims ask to be earned.
    rewards: Rewards,
    plans: Vec<Plan>,
    ranked: Vec<Ranked>,
    ranked_inside: Vec<Ranked>,
    callers: Vec<Option<FrameId>>,
    numbers: FxHashMap<Key, KeyId>,
    timed: Vec<bool>,
    fired: Box<[AtomicBool]>,
    seen: Vec<Box<[AtomicBool]>>,
    skipped: RwLock<BTreeSet<Span>>,
    /// Who wrote the same at the same instant.
    clashes: Clashes,
    /// The options that left something out.
    narrowed: Narrowed,
    signature: Signature,
    pool: Pool<Expansion>,
    /// Who can change places, once somebody asked.
    likeness: OnceLock<Likeness>,
    /// For each actor, who has to do with whom at an instant, once somebody asked.
    company: OnceLock<Box<[u32]>>,
}

/// Frames of one level by priority, the highest first, then in the order of declaration.
#[derive(Clone, Debug, Default)]
struct Ranked {
    works: Vec<FrameId>,
    thoughts: Vec<FrameId>,
}

impl Semantics {
    /// The model of a program with these atoms. `None` if the problems say what is wrong with one.
    pub(crate) fn of(
        program: &Program,
        atoms: &[Spanned<AtomText>],
        rewards: &[Option<String>],
        problems: &mut Problems,
    ) -> Option<Self> {
        let mut program = program.clone();
        writes::complete_keys(&mut program);
        let predicates = crate::atoms::resolve(&program, atoms, problems)?;
        let texts = atoms.iter().map(|atom| atom.node.to_string()).collect();
        let rewards = Rewards::of(&program, rewards);
        Some(Self::new(program, predicates, texts, rewards))
    }

    /// The same model with a state of its own wherever one of these actors sees something new: what somebody knows must not
    /// depend on which moments the other claims look at.
    pub(crate) fn observed(mut self, observers: &[String]) -> Self {
        for (local, name) in self.locals.iter().zip(&self.signature.observers) {
            if observers.contains(name) {
                local.slots().for_each(|slot| self.shown[slot] = true);
            }
        }
        self
    }

    /// The same model; every step is worked out anew.
    pub(crate) fn forgetful(self) -> Self {
        Self { recall: Recall::Nothing, ..self }
    }

    fn new(program: Program, atoms: Vec<Predicate>, texts: Vec<String>, rewards: Rewards) -> Self {
        let codec = Codec::default();
        let events = atoms.iter().filter(|atom| atom.is_event()).count();
        let layout = Layout::new(&program, &codec, events, rewards.counts);
        let rank = |frames: &[FrameId]| {
            let mut frames = frames.to_vec();
            frames.sort_by_key(|frame| std::cmp::Reverse(program.frames[frame.index()].priority));
            frames
        };
        let ranked = program
            .actors
            .iter()
            .map(|actor| Ranked { works: rank(&actor.workframes), thoughts: rank(&actor.thoughtframes) })
            .collect();
        let ranked_inside = program
            .activities
            .iter()
            .map(|activity| match &activity.node {
                ActivityNode::Composite { workframes, thoughtframes, .. } => {
                    Ranked { works: rank(workframes), thoughts: rank(thoughtframes) }
                }
                _ => Ranked::default(),
            })
            .collect();
        let flags = |count: usize| (0..count).map(|_| AtomicBool::new(false)).collect::<Box<[AtomicBool]>>();
        let mut semantics = Self {
            plans: program.frames.iter().map(Plan::of).collect(),
            ranked,
            ranked_inside,
            callers: callers(&program),
            numbers: program.keys.iter().map(|(number, key)| (key, number)).collect(),
            timed: timed(&program),
            fired: flags(program.frames.len()),
            seen: layout.seats.iter().map(|seat| flags(seat.detectables as usize)).collect(),
            skipped: RwLock::default(),
            clashes: Clashes::default(),
            narrowed: Narrowed::default(),
            signature: Signature::default(),
            pool: Pool::default(),
            likeness: OnceLock::new(),
            company: OnceLock::new(),
            watching: Vec::new(),
            watched: atoms.iter().map(|atom| atom.slots(&layout)).collect(),
            locals: Local::all(&program, &layout),
            shown: vec![false; layout.meanings.len()],
            recall: Recall::Kept,
            rewards,
            controls: Controls::new(),
            atoms,
            layout,
            codec,
            program,
        };
        semantics.signature = semantics.describe(texts);
        semantics.watching = semantics.watch();
        semantics
    }

    fn describe(&self, atoms: Vec<String>) -> Signature {
        let name = |actor: ActorId| {
            let entity = self.program.actors[actor.index()].entity;
            self.program.entities[entity.index()].name.clone()
        };
        let slots = self.layout.meanings.iter().enumerate().map(|(slot, meaning)| match meaning {
            Meaning::Moment => format!("moment {slot}"),
            Meaning::Control(actor) => format!("{} control {slot}", name(*actor)),
            Meaning::Value { store: FACTS, key } => self.key(*key),
            Meaning::Value { store, key } => {
                let actor = ActorId(u32::try_from(store - 1).expect("actors are numbered with 32 bits"));
                format!("{}: {}", name(actor), self.key(*key))
            }
            Meaning::Exists(entity) => format!("{} exists", self.program.entities[entity.index()].name),
            Meaning::Writers { key, .. } => format!("writers of {} in {slot}", self.key(*key)),
            Meaning::Said => "messages".to_owned(),
            Meaning::Earned => format!("count {slot}"),
        });
        let actors: Vec<String> = layout::actors(&self.program).map(name).collect();
        Signature {
            slots: slots.collect(),
            processes: actors.clone(),
            atoms,
            rewards: self.rewards.all.iter().map(|(name, _)| Reward { name: name.clone() }).collect(),
            observers: actors,
            unit: TimeUnit::Milliseconds,
        }
    }

    fn watch(&self) -> Vec<Box<[u32]>> {
        let mut watching = vec![Vec::new(); self.layout.meanings.len()];
        for (number, slots) in (0..).zip(&self.watched) {
            let mut slots = slots.clone();
            slots.sort_unstable();
            slots.dedup();
            for slot in slots {
                watching[slot].push(number);
            }
        }
        watching.into_iter().map(Vec::into_boxed_slice).collect()
    }

    /// Who can change places.
    pub(crate) fn likeness(&self) -> &Likeness {
        self.likeness.get_or_init(|| Likeness::of(&self.program, &self.layout, &self.atoms))
    }

    /// A key as claims and reports write it.
    pub(crate) fn key(&self, key: KeyId) -> String {
        let entity = |of: crate::program::EntityId| &self.program.entities[of.index()].name;
        let attribute = |of: crate::program::AttributeId| &self.program.attributes[of.index()].name;
        match self.program.keys.get(key) {
            Key::Attribute(of, name) => format!("{}.{}", entity(of), attribute(name)),
            Key::Entry(of, name, index) => {
                format!("{}.{}({})", entity(of), attribute(name), self.show(index))
            }
            Key::Pair(of, name, to) => format!("{} {} {}", entity(of), attribute(name), entity(to)),
        }
    }

    /// A value as claims and reports write it.
    pub(crate) fn show(&self, value: Value) -> String {
        match value {
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Double(bits) => f64::from_bits(bits).to_string(),
            Value::Text(text) => self.program.texts[text.index()].clone(),
            Value::Entity(of) => self.program.entities[of.index()].name.clone(),
        }
    }

    /// A frame is done for the first time, or again.
    fn fired(&self, frame: FrameId) {
        let flag = &self.fired[frame.index()];
        if !flag.load(Ordering::Relaxed) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// A detectable sees what it looks for.
    fn seen(&self, bit: u32, actor: ActorId) {
        let flag = &self.seen[actor.index()][bit as usize];
        if !flag.load(Ordering::Relaxed) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a frame was ever done in a step that was asked for.
    pub(crate) fn has_fired(&self, frame: FrameId) -> bool {
        self.fired[frame.index()].load(Ordering::Relaxed)
    }

    /// Whether a detectable of a frame ever saw what it looks for, by its position.
    pub(crate) fn has_seen(&self, frame: FrameId, detectable: usize) -> bool {
        let actor = self.program.frames[frame.index()].actor;
        let bit = self.layout.frame_bits[frame.index()] as usize + detectable;
        self.seen[actor.index()][bit].load(Ordering::Relaxed)
    }

    /// Whether a detectable of a composite activity ever saw what it looks for, by its position.
    pub(crate) fn has_seen_inside(&self, activity: ActivityId, detectable: usize) -> bool {
        let Some(caller) = self.callers[activity.index()] else { return false };
        let actor = self.program.frames[caller.index()].actor;
        let bit = self.layout.activity_bits[activity.index()] as usize + detectable;
        self.has_fired(caller) && self.seen[actor.index()][bit].load(Ordering::Relaxed)
    }

    /// The frame that calls an activity.
    pub(crate) fn caller(&self, activity: ActivityId) -> Option<FrameId> {
        self.callers[activity.index()]
    }

    /// A conclusion is skipped because its value is unknown.
    fn skips(&self, conclusion: Span) {
        let known = self.skipped.read().is_ok_and(|skipped| skipped.contains(&conclusion));
        if !known && let Ok(mut skipped) = self.skipped.write() {
            skipped.insert(conclusion);
        }
    }

    /// The conclusions that were ever skipped in a step that was asked for, in the order of the text.
    pub(crate) fn skipped(&self) -> Vec<Span> {
        self.skipped.read().map_or_else(|_| Vec::new(), |skipped| skipped.iter().copied().collect())
    }

    /// Notes that a message was delivered, if a claim speaks of it.
    fn note_message(&self, work: &mut work::Work, from: ActorId, to: ActorId, key: KeyId, word: u32) {
        let Some(said) = self.layout.said else { return };
        let events = self.atoms.iter().filter(|atom| atom.is_event());
        for (number, atom) in events.enumerate() {
            if atom.hears(&self.codec, from, to, key, word) {
                let slot = said + number / 32;
                let bits = work.cells[slot] | 1 << (number % 32);
                work.set(slot, bits);
            }
        }
    }

    /// Whether an atom holds in a state.
    pub(crate) fn holds_atom(&self, number: usize, cells: &[u32]) -> bool {
        let atom = &self.atoms[number];
        if atom.is_event() {
            let Some(said) = self.layout.said else { return false };
            let event = self.atoms[..number].iter().filter(|atom| atom.is_event()).count();
            return cells[said + event / 32] >> (event % 32) & 1 == 1;
        }
        atom.holds(self, cells)
    }
}

impl Model for Semantics {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.push(self.beginning());
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        self.check_costs(state)?;
        let mut expansion = self.pool.take();
        if self.push_chained(&mut expansion, state, out) {
            self.pool.give_back(expansion);
            return Ok(());
        }
        let result = self.expand(&mut expansion, state);
        if let Ok(Some(delay)) = result {
            let head = self.head(state, delay);
            for at in 0..expansion.certain.len() {
                self.push(head, std::iter::once(expansion.certain.get(at)), out)?;
            }
            for at in 0..expansion.drawn.steps() {
                self.push(head, expansion.drawn.branches(at), out)?;
            }
        }
        self.pool.give_back(expansion);
        result.map(drop)
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        self.holds_atom(atom.index(), state)
    }

    fn facets(&self) -> Facets<'_> {
        Facets { observation: Some(self), rewards: Some(self), symmetry: Some(self), ..Facets::default() }
    }
}

impl Observation for Semantics {
    fn observe(&self, observer: ObserverId, state: &State, out: &mut Vec<u32>) {
        self.locals[observer.index()].observe(&self.controls, state, out);
    }
}

impl motet_model::Rewards for Semantics {
    fn state_reward(&self, reward: RewardId, state: &State) -> Ratio {
        self.state_earns(reward.index(), state)
    }

    fn action_reward(&self, reward: RewardId, _state: &State, action: ActionId) -> Ratio {
        self.step_earns(reward.index(), action)
    }
}

/// Which frame calls an activity.
fn callers(program: &Program) -> Vec<Option<FrameId>> {
    let mut callers = vec![None; program.activities.len()];
    for (number, frame) in (0..).zip(&program.frames) {
        for statement in &frame.body {
            if let Statement::Do(activity) = statement {
                callers[activity.index()] = Some(FrameId(number));
            }
        }
    }
    callers
}

/// Which actors have a detectable that waits for a point of its frame's time.
fn timed(program: &Program) -> Vec<bool> {
    let mut timed = vec![false; program.actors.len()];
    for frame in &program.frames {
        timed[frame.actor.index()] |= frame.detectables.iter().any(|detectable| detectable.percent.is_some());
    }
    timed
}
