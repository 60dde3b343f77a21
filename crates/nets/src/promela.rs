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
pub(crate) mod term;
mod world;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use motet_model::{AtomId, Export, Model, PromelaClaim, State, Steps};
use motet_source::{Problem, Span};

use crate::atoms::Predicate;
use crate::promela::bounds::Bounds;
use crate::promela::choice::{Choice, choices};
use crate::promela::effect::Effect;
use crate::promela::lack::{Lack, Refusal};
use crate::promela::names::{atom, remark, unique};
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
    /// Options with their titles.
    options: Vec<(String, String)>,
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

    fn world(&self) -> Result<Arc<World>, Refusal> {
        let world = self.world.get_or_init(|| {
            let bounds = Bounds::of(&self.semantics);
            World::new(&self.semantics.program, &bounds).map(Arc::new)
        });
        world.clone()
    }

    fn write(&self, claims: &[PromelaClaim]) -> Result<String, Refusal> {
        let world = self.world()?;
        let used: BTreeSet<&str> = claims.iter().flat_map(|claim| words(&claim.formula)).collect();
        let atoms = (0..).zip(self.atoms.iter().zip(self.semantics.predicates()));
        let atoms: Vec<(u32, (&String, &Predicate))> =
            atoms.filter(|(_, (name, _))| used.contains(name.as_str())).collect();
        let initial = self.initial();
        let choices = choices(&world)?;
        let parts = self.options(&world, &choices)?;
        let mut lines = self.head();
        lines.extend(world.declarations());
        lines.extend(scratch(&world, &parts));
        let mut conditions = Vec::new();
        lines.push("/* atoms of the claims, as they are after each step */".to_owned());
        for (number, (name, predicate)) in &atoms {
            let condition = claims::condition(&world, &choices, predicate, name);
            let condition = condition.map_err(|lack| lack.at(self.place))?;
            // The first state is the one before the initial marking, and a claim looks at it too.
            let start = initial.as_ref().is_some_and(|state| self.semantics.holds(AtomId(*number), state));
            lines.push(format!("bit {name} = {};", u8::from(start)));
            lines.push(format!("#define now_{name} {}", condition.show()));
            conditions.push(format!("{name} = now_{name}"));
        }
        if used.contains(STUCK) {
            let start = initial.as_ref().is_some_and(|state| self.is_stuck(state));
            lines.push(format!("bit {STUCK} = {};", u8::from(start)));
            let open = crate::promela::term::Term::any(choices.iter().map(Choice::condition));
            lines.push(format!("#define now_{STUCK} {}", open.not().show()));
            conditions.push(format!("{STUCK} = now_{STUCK}"));
        }
        lines.push(tell::macro_line());
        lines.extend(world.contents_lines());
        let fired = self.fired();
        lines.extend(fired.iter().map(|fired| format!("bit {fired};")));
        lines.push(String::new());
        self.process(&world, &parts, &conditions, &fired, &mut lines)?;
        for claim in claims {
            lines.push(String::new());
            lines.push(remark(&claim.text));
            lines.push(format!("ltl {} {{ {} }}", claim.name, claim.formula));
        }
        let text = lines.join("\n") + "\n";
        if text.len() > LIMIT_LENGTH {
            let lack = Lack::Size(format!("{} million letters", text.len() / 1_000_000));
            return Err(lack.at(self.place));
        }
        Ok(text)
    }

    fn head(&self) -> Vec<String> {
        let net = &self.semantics.system().name;
        vec![
            remark("Nested nets as one Promela process, as `motet export --to promela` writes it."),
            remark(&format!("System net: {net}")),
            remark(
                "Check with: spin -a -o2 FILE; gcc -O2 -DCOLLAPSE -DNOREDUCE -DVECTORSZ=65536 -o pan pan.c; ./pan -a -m1000000 -N CLAIM",
            ),
            String::new(),
        ]
    }

    fn options(&self, world: &World, choices: &[Choice<'_>]) -> Result<Parts, Refusal> {
        let mut parts = Parts { options: Vec::new(), acts: Acts::new(world), waiting: 0, kept: 0, fresh: 0 };
        for choice in choices {
            let span = choice.halves[0].alternative.span;
            let effect = Effect::of(world, &mut parts.acts, choice).map_err(|lack| lack.at(span))?;
            let (waiting, kept, fresh) = (effect.waiting, effect.kept, effect.fresh);
            let mut lines = effect.lines;
            for (name, predicate) in self.atoms.iter().zip(self.semantics.predicates()) {
                let Predicate::Fires(wanted) = predicate else { continue };
                let fires = claims::fires(world, &self.semantics.plans, choice, wanted);
                let fires = fires.map_err(|lack| lack.at(span))?;
                // Before anything changes.
                lines.insert(0, format!("fired_{name} = {}", fires.show()));
            }
            if lines.is_empty() {
                lines.push("skip".to_owned());
            }
            let option = format!(":: d_step {{ {} -> {} }}", choice.condition().show(), lines.join("; "));
            parts.options.push((choice.title.clone(), option));
            parts.waiting = parts.waiting.max(waiting);
            parts.kept = parts.kept.max(kept);
            parts.fresh = parts.fresh.max(fresh);
        }
        Ok(parts)
    }

    fn process(
        &self,
        world: &World,
        parts: &Parts,
        conditions: &[String],
        fired: &[String],
        lines: &mut Vec<String>,
    ) -> Result<(), Refusal> {
        let marking = self.initial().map(|state| self.semantics.layout.marking(&state)).unwrap_or_default();
        let start = world.start(&marking).map_err(|lack| lack.at(self.place))?;
        lines.push("active proctype Net() {".to_owned());
        lines.push("  /* p.3: the initial marking */".to_owned());
        lines.push("  d_step {".to_owned());
        let begin = start.iter().chain(conditions).map(|line| format!("    {line};"));
        lines.extend(begin);
        lines.push("    skip".to_owned());
        lines.push("  };".to_owned());
        if parts.options.is_empty() {
            lines.push("end: false".to_owned());
            lines.push("}".to_owned());
            return Ok(());
        }
        lines.push("end:".to_owned());
        lines.push("  do".to_owned());
        lines.push("  :: atomic {".to_owned());
        lines.push("    if".to_owned());
        let mut last = "";
        for (title, option) in &parts.options {
            if title != last {
                lines.push(format!("    {}", remark(title)));
                last = title;
            }
            lines.push(format!("    {option}"));
        }
        lines.push("    fi;".to_owned());
        lines.push("    d_step {".to_owned());
        let mut tail = if parts.acts.is_empty() { Vec::new() } else { parts.acts.lines(world) };
        tail.extend(conditions.iter().map(|line| format!("{line};")));
        tail.extend(world.tell(fired));
        lines.extend(tail.into_iter().map(|line| format!("      {line}")));
        lines.push("    }".to_owned());
        lines.push("  }".to_owned());
        lines.push("  od".to_owned());
        lines.push("}".to_owned());
        Ok(())
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
        asked.map(|(name, _)| format!("fired_{name}")).collect()
    }
}

/// What options need besides the marking; it is left out of the states.
fn scratch(world: &World, parts: &Parts) -> Vec<String> {
    let mut lines = vec!["/* needed within a step */".to_owned()];
    let mut bounds: BTreeSet<String> =
        ["ranges", "numbers", "templates"].iter().map(|&name| name.to_owned()).collect();
    let mut row = 1;
    for table in &world.tables {
        bounds.extend((!table.name.is_empty()).then(|| table.name.clone()));
        for kept in &table.places {
            bounds.insert(kept.name.clone());
            if matches!(kept.store, Store::Rows { .. } | Store::Members { .. }) {
                row = row.max(kept.store.shape().leaves().len());
            }
        }
    }
    lines.extend(bounds.iter().map(|name| format!("hidden byte bound_{name};")));
    lines.push("#define CHECK(flag, condition) flag = ((condition) -> 1 : 0); assert(flag)".to_owned());
    lines.push("hidden int i;".to_owned());
    if parts.kept > 0 {
        lines.push(format!("hidden int kept[{}];", parts.kept));
    }
    if parts.fresh > 0 {
        lines.push(format!("hidden int fresh[{}];", parts.fresh));
    }
    if !parts.acts.is_empty() {
        let waiting = parts.waiting.max(1);
        lines.push("/* what waits to be done, with a position and a row each */".to_owned());
        lines.extend(parts.acts.definitions());
        lines.push(format!("#define ROW {row}"));
        lines.push(format!("hidden short ops; hidden short k; hidden short op[{waiting}]; hidden short who[{waiting}]; hidden short at[{waiting}];"));
        lines.push(format!("hidden int row[{}];", waiting * row));
        lines.push(
            "#define DO(act, position, number) op[ops] = act; who[ops] = position; at[ops] = number; ops++"
                .to_owned(),
        );
    }
    lines
}

/// All words of a text that could be names.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
}

impl Export for Promela {
    fn promela_atom(&self, atom: AtomId) -> String {
        self.atoms.get(atom.index()).cloned().unwrap_or_else(|| format!("atom_{}", atom.0))
    }

    fn promela(&self, claims: &[PromelaClaim]) -> Result<String, Box<Problem>> {
        self.write(claims)
    }

    fn promela_deadlock(&self) -> Option<String> {
        Some(STUCK.to_owned())
    }

    fn promela_unfair(&self) -> Option<String> {
        Some(UNFAIR.to_owned())
    }

    fn promela_state(&self, state: &State) -> Option<String> {
        let world = self.world().ok()?;
        let mut words = world.told(&self.semantics, state).ok()?;
        let predicates = (0..).map(AtomId).zip(self.semantics.predicates());
        for (atom, _) in predicates.filter(|(_, predicate)| matches!(predicate, Predicate::Fires(_))) {
            words.push(u8::from(self.semantics.holds(atom, state)).to_string());
        }
        Some(words.join(" "))
    }
}
