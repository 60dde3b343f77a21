//! What a program does: its markings, its steps and what holds in them (`spec/nets`).
//!
//! `scope`, `evaluate` and `collect` compute expressions from their trees; `flat` makes them lists of nodes, `terms` those of
//! an alternative, and `run` computes these. `plan` and `sources` say beforehand what has to be looked at; `modes` finds the
//! ways to fire and `effect` what they lead to; `instance` puts them together to the steps of nested nets; `create` makes
//! instances. `layout` turns markings of the system net into vectors, and `memo` and `agents` remember what was computed for
//! the same contents before.

pub(crate) mod agents;
pub(crate) mod black;
pub(crate) mod codes;
pub(crate) mod collect;
pub(crate) mod create;
pub(crate) mod effect;
pub(crate) mod evaluate;
pub(crate) mod firing;
pub(crate) mod flat;
mod independence;
pub(crate) mod instance;
pub(crate) mod lanes;
pub(crate) mod layout;
pub(crate) mod local;
pub(crate) mod memo;
pub(crate) mod modes;
pub(crate) mod parts;
pub(crate) mod plan;
mod run;
pub(crate) mod scope;
pub(crate) mod show;
mod sources;
pub(crate) mod subjects;
pub(crate) mod symmetry;
pub(crate) mod system;
pub(crate) mod terms;

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::{Arc, OnceLock};

use motet_model::{
    ActionId, AtomId, Facets, Fault, Independence, Interner, Model, Observation, ObserverId, ProcessId,
    Signature, State, Steps, SubjectId, TimeUnit,
};

use crate::atoms::{Fires, Predicate};
use crate::program::{Net, PlaceId, Program, TransitionId};
use crate::semantics::agents::Known;
use crate::semantics::black::Black;
use crate::semantics::firing::Firing;
use crate::semantics::independence::Regions;
use crate::semantics::instance::{Rules, Step};
use crate::semantics::lanes::Lanes;
use crate::semantics::layout::Layout;
use crate::semantics::local::Locals;
use crate::semantics::memo::{Memo, Memory};
use crate::semantics::plan::Plans;
use crate::semantics::scope::{Budget, Instance, Scope, Trouble};
use crate::semantics::sources::{Entries, Entry, Source, Test, What, sources, test};
use crate::semantics::subjects::{Fairness, Subjects};
use crate::semantics::symmetry::Symmetry;
use crate::value::Bag;

thread_local! {
    /// Room for the state that a step leads to. A search asks for the steps of millions of states; most are known already and
    /// need no other room.
    static TARGET: Cell<Vec<u32>> = const { Cell::new(Vec::new()) };
}

/// A model that runs.
#[derive(Debug)]
pub(crate) struct Semantics {
    pub(crate) program: Arc<Program>,
    pub(crate) plans: Plans,
    pub(crate) lanes: Lanes,
    pub(crate) layout: Layout,
    pub(crate) firings: Interner<Firing>,
    pub(crate) subjects: Subjects,
    signature: Signature,
    initial: Box<State>,
    locals: Locals,
    known: Known,
    sources: Vec<Source>,
    tests: Vec<Test>,
    /// Parts that share no place, once somebody asked.
    regions: OnceLock<Regions>,
    /// Which atoms of the last firing hold, for claims that ask what fires; its slot is the last one.
    fired: Option<Interner<Vec<AtomId>>>,
    /// Renamings that make no difference, and the least renaming of markings seen before.
    symmetry: Option<(Symmetry, Memo<Box<State>>)>,
}

impl Semantics {
    /// The model of a program; the trouble is one of its initial marking.
    pub(crate) fn new(
        program: Arc<Program>,
        predicates: Vec<(String, Predicate)>,
        fairness: Fairness,
        memory: Memory,
    ) -> Result<Self, Trouble> {
        let plans = Plans::of(&program, memory);
        let mut marking = create::marking(&program, program.system, &[], &Budget::new(), 0)?;
        let symmetry = Symmetry::of(&program);
        if let Some(symmetry) = &symmetry {
            marking = symmetry.least(marking);
        }
        let lanes = Lanes::of(&program, &plans, symmetry.as_ref(), &marking);
        let net = &program.nets[program.system.0 as usize];
        let layout = Layout::of(net);
        let (names, predicates): (Vec<String>, Vec<Predicate>) = predicates.into_iter().unzip();
        let asks = predicates.iter().any(|predicate| matches!(predicate, Predicate::Fires(_)));
        let fired = asks.then(Interner::new);
        let mut initial = layout.state(marking);
        let mut slots: Vec<String> = net.places.iter().map(|place| place.name.clone()).collect();
        if let Some(fired) = &fired {
            initial.push(fired.intern(Vec::new()));
            slots.push("last firing".to_owned());
        }
        let locals = Locals::of(&program, &plans);
        let width = slots.len();
        let signature = Signature {
            slots,
            processes: lanes.names(&program),
            atoms: names,
            rewards: Vec::new(),
            observers: locals.texts(&program),
            unit: TimeUnit::Firings,
        };
        let sources = sources(&program, &plans, &layout, memory);
        let tests =
            predicates.into_iter().map(|predicate| test(&program, predicate, &sources, memory)).collect();
        Ok(Self {
            plans,
            lanes,
            layout,
            firings: Interner::new(),
            subjects: Subjects::new(fairness, symmetry.clone()),
            signature,
            initial: initial.into(),
            locals,
            known: Known::new(memory),
            sources,
            tests,
            regions: OnceLock::new(),
            fired,
            symmetry: symmetry.map(|symmetry| (symmetry, Memo::new(memory, width))),
            program,
        })
    }

    /// The net around everything.
    pub(crate) fn system(&self) -> &Net {
        &self.program.nets[self.program.system.0 as usize]
    }

    /// What the atoms mean, in their order.
    pub(crate) fn predicates(&self) -> impl Iterator<Item = &Predicate> {
        self.tests.iter().map(|test| &test.predicate)
    }

    pub(crate) fn rules(&self) -> Rules<'_> {
        Rules { program: &self.program, plans: &self.plans, known: &self.known }
    }

    /// The system net with a marking.
    pub(crate) fn root<'a>(&self, places: &'a [Bag]) -> Instance<'a> {
        Instance { net: self.program.system, arguments: &[], places }
    }

    fn entries<'s>(&self, source: &'s Source, state: &State) -> Cow<'s, Entries> {
        source.memo.recall(source.slots.iter().map(|slot| state[*slot]), || {
            let marking = self.layout.marking_of(state, &source.slots);
            let root = self.root(&marking);
            let steps = match source.what {
                What::Own(transition) => self.rules().own(root, transition, 0),
                What::Inner(place) => self.rules().inner(root, place, 0),
                What::Between(one, other) => self.rules().between(root, one, other, 0),
            };
            let steps = steps.map_err(|trouble| self.told(source.what, &trouble))?;
            Ok(steps.into_iter().map(|step| self.entry(step)).collect())
        })
    }

    fn entry(&self, step: Step) -> Entry {
        let firing = step.firing.named();
        let process = self.lanes.of_half(firing.halves().next().expect("somebody fires"));
        let action = ActionId(self.firings.intern(firing));
        let change = |(place, bag): (PlaceId, Bag)| (place.0 as usize, self.layout.encode(place, bag));
        Entry { process, action, changes: step.changes.into_iter().map(change).collect() }
    }

    /// Trouble with the one who has it.
    fn told(&self, what: What, trouble: &Trouble) -> Trouble {
        let net = self.system();
        let place = |place: PlaceId| &net.places[place.0 as usize].name;
        Trouble(match what {
            What::Own(transition) => {
                format!("{}.{}: {trouble}", net.name, net.transitions[transition.0 as usize].name)
            }
            What::Inner(home) => format!("agents in {}: {trouble}", place(home)),
            What::Between(one, other) if one == other => format!("agents in {}: {trouble}", place(one)),
            What::Between(one, other) => {
                format!("agents in {} and {}: {trouble}", place(one), place(other))
            }
        })
    }

    /// Whether a transition of the system net can fire, alone or with an agent.
    pub(crate) fn enabled(&self, transition: TransitionId, state: &State) -> Result<bool, Trouble> {
        let mut sources = self.sources.iter();
        let source = sources.find(|source| matches!(source.what, What::Own(own) if own == transition));
        let source = source.expect("every transition is a source of steps");
        let entries = self.entries(source, state);
        entries.as_ref().as_ref().map(|entries| !entries.is_empty()).map_err(Clone::clone)
    }

    /// The atoms of the last firing, as the last slot holds them.
    fn atoms_of(&self, action: ActionId) -> Vec<AtomId> {
        let firing = self.firings.get(action.0);
        let tests = (0..).map(AtomId).zip(&self.tests);
        let holding = tests.filter(|(_, test)| match &test.predicate {
            Predicate::Fires(fires) => self.fires(fires, firing),
            Predicate::Test(_) => false,
        });
        holding.map(|(atom, _)| atom).collect()
    }

    fn fires(&self, fires: &Fires, firing: &Firing) -> bool {
        firing.halves().any(|half| {
            fires.transitions.contains(&(half.net(&self.program), half.transition))
                && fires.values.iter().all(|value| half.values.contains(value))
        })
    }

    /// The steps of a transition that moves black tokens alone.
    fn black_steps(
        &self,
        source: &Source,
        alternatives: &[Black],
        state: &State,
        target: &mut State,
        out: &mut Steps,
    ) -> Result<(), Fault> {
        for black in alternatives {
            let fires = black.fire(state, target);
            let fires = fires.map_err(|trouble| Fault { message: self.told(source.what, &trouble).0 })?;
            if fires {
                self.push(ProcessId(0), black.action(&self.firings), target, out);
                black.undo(state, target);
            }
        }
        Ok(())
    }

    /// A step to a marking, with what is remembered of the firing.
    fn push(&self, process: ProcessId, action: ActionId, target: &mut State, out: &mut Steps) {
        if let Some(fired) = &self.fired {
            target[self.layout.width()] = fired.intern(self.atoms_of(action));
        }
        match &self.symmetry {
            None => out.push(process, action, 1, target),
            Some((symmetry, memo)) => out.push(process, action, 1, &self.least(symmetry, memo, target)),
        }
    }

    /// The state that stands for all its renamings.
    fn least<'m>(
        &self,
        symmetry: &Symmetry,
        memo: &'m Memo<Box<State>>,
        state: &State,
    ) -> Cow<'m, Box<State>> {
        memo.recall(state.iter().copied(), || {
            let mut least = self.layout.state(symmetry.least(self.layout.marking(state)));
            least.extend(&state[self.layout.width()..]);
            least.into()
        })
    }

    /// Everything that can fire in a state, in the order of the steps.
    pub(crate) fn possible(&self, state: &State) -> Result<Vec<Firing>, Trouble> {
        let mut found = Vec::new();
        for source in &self.sources {
            let entries = self.entries(source, state);
            let entries = entries.as_ref().as_ref().map_err(Clone::clone)?;
            found.extend(entries.iter().map(|entry| (*self.firings.get(entry.action.0)).clone()));
        }
        Ok(found)
    }

    /// The atoms of the last firing, in words.
    pub(crate) fn fired_atoms(&self, content: u32) -> Vec<String> {
        let atoms = self.fired.as_ref().map(|fired| fired.get(content));
        let atoms = atoms.iter().flat_map(|atoms| atoms.iter());
        atoms.map(|atom| self.signature.atoms[atom.index()].clone()).collect()
    }

    fn truth(&self, test: &Test, state: &State) -> Result<bool, Trouble> {
        let contents = test.slots.iter().map(|slot| state[*slot]);
        let truth = test.memo.recall(contents, || self.computed(test, state));
        truth.as_ref().as_ref().copied().map_err(Clone::clone)
    }

    /// A claim that has no truth in a state is a fault there.
    fn check_claims(&self, state: &State) -> Result<(), Fault> {
        for (test, name) in self.tests.iter().zip(&self.signature.atoms).filter(|(test, _)| test.risky) {
            self.truth(test, state)
                .map_err(|trouble| Fault { message: format!("the claim about `{name}`: {trouble}") })?;
        }
        Ok(())
    }

    fn computed(&self, test: &Test, state: &State) -> Result<bool, Trouble> {
        match (&test.predicate, &test.code) {
            (Predicate::Test(body), Some(code)) => {
                let marking = self.layout.marking_of(state, &test.slots);
                let budget = Budget::new();
                let enabled = |transition| self.enabled(transition, state);
                let scope = Scope {
                    program: &self.program,
                    instance: self.root(&marking),
                    budget: &budget,
                    depth: 0,
                    enabled: Some(&enabled),
                };
                let mut env = scope.environment(body.variables.len());
                scope.test(code, &mut env)
            }
            _ => unreachable!("the last slot knows what fired"),
        }
    }
}

impl Model for Semantics {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.push(self.initial.clone());
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        self.check_claims(state)?;
        let mut target = TARGET.take();
        target.clear();
        target.extend_from_slice(state);
        for source in &self.sources {
            if let Some(black) = &source.black {
                self.black_steps(source, black, state, &mut target, out)?;
                continue;
            }
            if source.is_idle(state) {
                continue;
            }
            let entries = self.entries(source, state);
            let fault = |trouble: &Trouble| Fault { message: trouble.0.clone() };
            let entries = entries.as_ref().as_ref().map_err(fault)?;
            for entry in entries.iter() {
                for (slot, content) in &entry.changes {
                    target[*slot] = *content;
                }
                self.push(entry.process, entry.action, &mut target, out);
                for (slot, _) in &entry.changes {
                    target[*slot] = state[*slot];
                }
            }
        }
        TARGET.set(target);
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        let test = &self.tests[atom.index()];
        if let (Predicate::Fires(_), Some(fired)) = (&test.predicate, &self.fired) {
            return fired.get(state[self.layout.width()]).contains(&atom);
        }
        // Where there is no truth there are no steps either: the fault says why.
        self.truth(test, state).unwrap_or(false)
    }

    fn facets(&self) -> Facets<'_> {
        // Where a state stands for all its renamings, or says what fired last, every step has to do with every other.
        let is_plain = self.symmetry.is_none() && self.fired.is_none();
        let independence: Option<&dyn Independence> = if is_plain { Some(self) } else { None };
        Facets { subjects: Some(self), observation: Some(self), independence, ..Facets::default() }
    }
}

impl motet_model::Subjects for Semantics {
    fn subject(&self, process: ProcessId, action: ActionId) -> SubjectId {
        let _ = process;
        self.subjects.of(&self.program, &self.plans, action, &self.firings)
    }
}

impl Observation for Semantics {
    fn observe(&self, observer: ObserverId, state: &State, out: &mut Vec<u32>) {
        out.push(self.locals.observe(&self.program, &self.layout, observer.index(), state));
    }
}
