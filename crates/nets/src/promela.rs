//! Nested nets as one Promela process (rules e.1, p.1 to p.3 and t.1 to t.4 of Chang 2011, 5.2, repaired).
//!
//! Tokens without data are counters; tokens with data are rows of sorted arrays; a cell is a variable, or a sorted array if it
//! is a set. Each agent net has a table of agents, and a token holds an agent by its number. The process has one option for
//! each transition, each choice of tokens and members, and each partner: the whole condition first, then everything is computed
//! in the marking before the firing, then the marking changes. No token is preferred, nobody waits in the middle of a step,
//! and a marking that the arrays have no room for is an assertion.
//!
//! After each step the model prints a line `@motet state ...`, so that a run of Spin can be found again in the native model.

pub(crate) mod bounds;
mod choice;
mod claims;
mod declare;
mod effect;
mod form;
mod half;
pub(crate) mod lack;
pub(crate) mod names;
mod scope;
mod shape;
mod sorts;
mod tail;
mod tell;
mod world;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use motet_machine::Expr;
use motet_machine::promela::{Branch, Item, Program, Statement, Variable, assign, names_of, unique};
use motet_model::{AtomId, Explorer, Export, Model, PromelaClaim, State, Steps};
use motet_source::{Problem, Span};

use crate::atoms::Predicate;
use crate::promela::bounds::Bounds;
use crate::promela::choice::{Choice, choices};
use crate::promela::effect::Effect;
use crate::promela::lack::{Lack, Refusal};
use crate::promela::names::atom;
use crate::promela::shape::Store;
use crate::promela::tail::Acts;
use crate::promela::world::World;
use crate::semantics::Semantics;

pub(crate) use lack::CODES;

/// Longer texts do not compile in reasonable time.
const LIMIT_LENGTH: usize = 8_000_000;

/// Whether no step is possible.
pub(crate) const STUCK: &str = "stuck_net";
/// Why Spin is not asked with fairness.
pub(crate) const UNFAIR: &str =
    "Spin is fair to processes, and a net is fair to modes of transitions; ask it with `--fair none`";

/// The translation of one model with the atoms of its claims.
pub(crate) struct Promela {
    semantics: Arc<Semantics>,
    /// Names of the atoms.
    atoms: Vec<String>,
    /// Where problems stand that have no place of their own.
    place: Span,
    world: OnceLock<Result<Arc<World>, Refusal>>,
}

/// The parts of the text that depend on each other.
struct Parts {
    options: Vec<Branch>,
    acts: Acts,
    waiting: usize,
    kept: usize,
    fresh: usize,
}

impl Promela {
    pub(crate) fn new(semantics: &Arc<Semantics>, place: Span) -> Self {
        let mut taken = BTreeSet::new();
        let texts = &semantics.signature().atoms;
        let atoms = texts.iter().map(|text| unique(&mut taken, atom(text))).collect();
        Self { semantics: Arc::clone(semantics), atoms, place, world: OnceLock::new() }
    }

    fn world(&self, explorer: &dyn Explorer) -> Result<Arc<World>, Refusal> {
        let world = self.world.get_or_init(|| {
            let bounds = Bounds::of(&self.semantics, explorer);
            World::new(&self.semantics.program, &bounds).map(Arc::new)
        });
        world.clone()
    }

    fn write(&self, claims: &[PromelaClaim], explorer: &dyn Explorer) -> Result<String, Refusal> {
        let world = self.world(explorer)?;
        let choices = choices(&world)?;
        let parts = self.options(&world, &choices)?;
        let mut program = self.head();
        program.items.extend(world.declarations());
        program.items.extend(scratch(&world, &parts));
        let looks = self.looks(&world, &choices, claims, &mut program)?;
        program.push(tell::definition());
        program.items.extend(world.contents_definitions());
        let fired = self.fired();
        program.items.extend(fired.iter().map(|fired| Variable::new("bit", fired).into()));
        program.gap();
        let body = self.process(&world, parts, &looks, &fired)?;
        program.push(Item::Process { name: "Net".to_owned(), active: true, body });
        claims.iter().for_each(|claim| program.claim(&claim.name, &claim.text, &claim.formula));
        let text = program.print();
        if text.len() > LIMIT_LENGTH {
            let lack = Lack::Size(format!("{} million letters", text.len() / 1_000_000));
            return Err(lack.at(self.place));
        }
        Ok(text)
    }

    fn head(&self) -> Program {
        let mut program = Program::new();
        program.remark("Nested nets as one Promela process, as `motet export --to promela` writes it.");
        program.remark(format!("System net: {}", self.semantics.system().name));
        program.remark(
            "Check with: spin -a -o2 FILE; gcc -O2 -DCOLLAPSE -DNOREDUCE -DVECTORSZ=65536 -o pan pan.c; ./pan -a -m1000000 -N CLAIM",
        );
        program.gap();
        program
    }

    /// Declares the atoms of the claims; the statements that look at them after each step.
    fn looks(
        &self,
        world: &World,
        choices: &[Choice<'_>],
        claims: &[PromelaClaim],
        program: &mut Program,
    ) -> Result<Vec<Statement>, Refusal> {
        let used: BTreeSet<&str> = claims.iter().flat_map(|claim| names_of(&claim.formula)).collect();
        let initial = self.initial();
        let mut looks = Vec::new();
        program.remark("atoms of the claims, as they are after each step");
        for ((number, name), predicate) in (0..).map(AtomId).zip(&self.atoms).zip(self.semantics.predicates())
        {
            if used.contains(name.as_str()) {
                let condition = claims::condition(world, choices, predicate, name);
                let condition = condition.map_err(|lack| lack.at(self.place))?;
                // The first state is the one before the initial marking, and a claim looks at it too.
                let start = initial.as_ref().is_some_and(|state| self.semantics.holds(number, state));
                looks.push(look(program, name, start, condition));
            }
        }
        if used.contains(STUCK) {
            let start = initial.as_ref().is_some_and(|state| self.is_stuck(state));
            let open = Expr::any(choices.iter().map(Choice::condition));
            looks.push(look(program, STUCK, start, open.not()));
        }
        Ok(looks)
    }

    fn options(&self, world: &World, choices: &[Choice<'_>]) -> Result<Parts, Refusal> {
        let mut parts = Parts { options: Vec::new(), acts: Acts::new(world), waiting: 0, kept: 0, fresh: 0 };
        let mut last = "";
        for choice in choices {
            let span = choice.halves[0].alternative.span;
            let effect = Effect::of(world, &mut parts.acts, choice).map_err(|lack| lack.at(span))?;
            let mut step = vec![Statement::Wait(choice.condition())];
            for (name, predicate) in self.atoms.iter().zip(self.semantics.predicates()) {
                let Predicate::Fires(wanted) = predicate else { continue };
                let fires = claims::fires(world, &self.semantics.plans, choice, wanted);
                let fires = fires.map_err(|lack| lack.at(span))?;
                // Before anything changes.
                step.push(assign(&fired_name(name), fires));
            }
            step.extend(effect.statements);
            if step.len() == 1 {
                step.push(Statement::Skip);
            }
            let option = Branch::open(vec![Statement::Step(step)]);
            let option = if choice.title == last { option } else { option.titled(&choice.title) };
            last = &choice.title;
            parts.options.push(option);
            parts.waiting = parts.waiting.max(effect.waiting);
            parts.kept = parts.kept.max(effect.kept);
            parts.fresh = parts.fresh.max(effect.fresh);
        }
        Ok(parts)
    }

    fn process(
        &self,
        world: &World,
        parts: Parts,
        looks: &[Statement],
        fired: &[String],
    ) -> Result<Vec<Statement>, Refusal> {
        let marking = self.initial().map(|state| self.semantics.layout.marking(&state)).unwrap_or_default();
        let mut start = world.start(&marking).map_err(|lack| lack.at(self.place))?;
        start.extend_from_slice(looks);
        start.push(Statement::Skip);
        let mut body = vec![
            Statement::Remark("p.3: the initial marking".to_owned()),
            Statement::Step(start),
            Statement::Label("end".to_owned()),
        ];
        if parts.options.is_empty() {
            body.push(Statement::Wait(Expr::Truth(false)));
            return Ok(body);
        }
        let mut tail = if parts.acts.is_empty() { Vec::new() } else { parts.acts.work(world) };
        tail.extend_from_slice(looks);
        tail.extend(world.tell(fired));
        let step = Statement::Atomic(vec![Statement::If(parts.options), Statement::Step(tail)]);
        body.push(Statement::Do(vec![Branch::open(vec![step])]));
        Ok(body)
    }

    fn is_stuck(&self, state: &State) -> bool {
        let mut steps = Steps::new(self.semantics.signature().slots.len());
        self.semantics.steps(state, &mut steps).is_ok() && steps.is_empty()
    }

    fn initial(&self) -> Option<Box<State>> {
        let mut initial = Vec::new();
        self.semantics.initial(&mut initial);
        initial.into_iter().next()
    }

    /// The variables that know what fired, for all atoms that ask.
    fn fired(&self) -> Vec<String> {
        let asked = self.atoms.iter().zip(self.semantics.predicates());
        let asked = asked.filter(|(_, predicate)| matches!(predicate, Predicate::Fires(_)));
        asked.map(|(name, _)| fired_name(name)).collect()
    }
}

/// The variable that knows whether what an atom asks for has just fired.
fn fired_name(atom: &str) -> String {
    format!("fired_{atom}")
}

/// Declares an atom; the statement that looks at it.
pub(crate) fn look(program: &mut Program, name: &str, start: bool, condition: Expr) -> Statement {
    let now = format!("now_{name}");
    program.push(Variable::new("bit", name).starting(i64::from(start)));
    program.push(Item::define(&now, condition));
    assign(name, Expr::call(&now, []))
}

/// What options need besides the marking; it is left out of the states.
fn scratch(world: &World, parts: &Parts) -> Vec<Item> {
    let mut bounds: BTreeSet<String> =
        ["bound_ranges", "bound_numbers", "bound_templates"].iter().map(|&name| name.to_owned()).collect();
    let mut row = 1;
    for table in &world.tables {
        bounds.extend((!table.name.is_empty()).then(|| table.bound()));
        for kept in &table.places {
            bounds.insert(kept.bound());
            if matches!(kept.store, Store::Rows { .. } | Store::Members { .. }) {
                row = row.max(kept.store.shape().leaves().len());
            }
        }
    }
    let hidden = |kind: &str, name: &str| Item::from(Variable::new(kind, name).hidden());
    let array = |kind: &str, name: &str, room: usize| {
        (room > 0).then(|| Item::from(Variable::new(kind, name).with_room(Expr::count(room)).hidden()))
    };
    let mut items = vec![Item::remark("needed within a step")];
    items.extend(bounds.iter().map(|name| hidden("byte", name)));
    items.extend([Item::check(), hidden("int", "i")]);
    items.extend(array("int", "kept", parts.kept));
    items.extend(array("int", "fresh", parts.fresh));
    if !parts.acts.is_empty() {
        let waiting = parts.waiting.max(1);
        items.push(Item::remark("what waits to be done, with a position and a row each"));
        items.extend(parts.acts.definitions());
        items.push(Item::define("ROW", Expr::count(row)));
        items.extend([hidden("short", "ops"), hidden("short", "k")]);
        items.extend(["op", "who", "at"].iter().filter_map(|name| array("short", name, waiting)));
        items.extend(array("int", "row", waiting * row));
        items.push(tail::waits_item());
    }
    items
}

impl Export for Promela {
    fn promela_atom(&self, atom: AtomId) -> String {
        self.atoms.get(atom.index()).cloned().unwrap_or_else(|| format!("atom_{}", atom.0))
    }

    fn promela(&self, claims: &[PromelaClaim], explorer: &dyn Explorer) -> Result<String, Box<Problem>> {
        self.write(claims, explorer)
    }

    fn promela_deadlock(&self) -> Option<String> {
        Some(STUCK.to_owned())
    }

    fn promela_unfair(&self) -> Option<String> {
        Some(UNFAIR.to_owned())
    }

    fn promela_state(&self, state: &State) -> Option<String> {
        // Trails are followed behind the text that they are about.
        let world = self.world.get()?.as_ref().ok()?;
        let mut words = world.told(&self.semantics, state).ok()?;
        let predicates = (0..).map(AtomId).zip(self.semantics.predicates());
        for (atom, _) in predicates.filter(|(_, predicate)| matches!(predicate, Predicate::Fires(_))) {
            words.push(u8::from(self.semantics.holds(atom, state)).to_string());
        }
        Some(words.join(" "))
    }
}
