//! A Brahms model as one Promela process (the improvement that Stocker 2013, 11.3 asks for).
//!
//! Every fact and belief that can change is a variable with a readable name. Frames are written out for each binding, and
//! each actor has a few variables for what it works on. The process is one atomic sequence: it is left where a claim may
//! look, that is when an instant is over or an atom of the claims has changed within it, and nowhere else. So Spin stores
//! the states of the native semantics and no counters, stacks or search variables.
//!
//! At each of these points the model prints a line `@motet state ...` with the values of all facts and beliefs and with what
//! everybody does, so that a run of Spin can be found again in the native model.

mod act;
mod body;
mod cells;
mod claims;
mod declare;
mod detect;
mod expr;
mod ground;
mod handle;
mod lack;
mod names;
mod range;
mod run;
mod scribe;
mod select;
mod sought;
mod state;
mod think;
mod timing;
mod travel;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use motet_machine::Expr;
use motet_machine::promela::{Item, Program, Variable, assign, legal, names_of, unique};
use motet_model::{AtomId, Explorer, Export, PromelaClaim, State};
use motet_source::{FileId, Problem, Span};

use crate::program::{ConditionNode, Order, Program as Model, Statement, Value};
use crate::promela::cells::Cells;
use crate::promela::expr::World;
use crate::promela::ground::{Player, players};
use crate::promela::lack::{Lack, Refusal};
use crate::promela::names::{Values, largest};
use crate::promela::scribe::{Scribe, variable};
use crate::semantics::Semantics;

pub use lack::EXPORT_CODES;

/// Longer texts do not compile in reasonable time.
const LIMIT_LENGTH: usize = 8_000_000;
/// Atoms that fit one variable.
const WORD: usize = 30;

/// The translation of one model with the atoms of its claims.
pub(crate) struct Promela {
    semantics: Arc<Semantics>,
    /// Names of the atoms.
    atoms: Vec<String>,
    values: Values,
    cells: Cells,
}

impl Promela {
    /// The translation of a model that runs; `texts` are the atoms as claims write them.
    pub(crate) fn new(semantics: &Arc<Semantics>, texts: &[String]) -> Self {
        let mut taken = BTreeSet::new();
        let atoms = texts.iter().map(|text| unique(&mut taken, atom_name(text))).collect();
        let values = Values::new(&semantics.program, largest_number(&semantics.program));
        let cells = Cells::new(&semantics.program);
        Self { semantics: Arc::clone(semantics), atoms, values, cells }
    }

    /// The place of things without a place.
    fn anywhere(&self) -> Span {
        let frame = self.semantics.program.frames.first().map(|frame| frame.span);
        frame.unwrap_or_else(|| Span::new(FileId(0), 0, 0))
    }

    pub(crate) fn write(&self, claims: &[PromelaClaim]) -> Result<String, Refusal> {
        let world = World { program: &self.semantics.program, values: &self.values, cells: &self.cells };
        if self.semantics.program.rules.order == Order::Choice {
            let lack = Lack::Construct("an open order of turns (`order=choice`)".to_owned());
            return Err(lack.at(self.anywhere()));
        }
        let players = players(world)?;
        let used: BTreeSet<&str> = claims.iter().flat_map(|claim| names_of(&claim.formula)).collect();
        let atoms: Vec<String> =
            self.atoms.iter().filter(|name| used.contains(name.as_str())).cloned().collect();
        let named = self.atoms.iter().cloned().zip(&self.semantics.atoms);
        let events = named.filter(|(name, atom)| atom.is_event() && atoms.contains(name)).collect();
        let lowest =
            self.semantics.program.frames.iter().map(|frame| frame.priority).min().unwrap_or(0).min(0);
        let mut scribe = Scribe {
            world,
            players: &players,
            atoms,
            events,
            pauses: 0,
            none: lowest - 1,
            spares: Cell::default(),
        };
        let process = scribe.process()?;
        let mut rest = Program::new();
        scribe.write_stores(&mut rest)?;
        scribe.write_actors(&mut rest);
        scribe.write_needs(&mut rest);
        scribe.write_changes(&mut rest);
        self.write_atoms(&mut rest, &scribe)?;
        scribe.write_tell(&mut rest);
        rest.remark(
            "which thoughtframes can fire, which workframes can start, and how urgent they are, in tenths",
        );
        scribe.write_thoughts(&mut rest);
        scribe.write_works(&mut rest)?;
        rest.gap();
        rest.push(Item::Process { name: "brahms".to_owned(), active: true, body: process });
        let mut out = head(&players);
        self.values.define(&mut out, &rest.names());
        out.items.append(&mut rest.items);
        claims.iter().for_each(|claim| out.claim(&claim.name, &claim.text, &claim.formula));
        let text = out.print();
        if text.len() > LIMIT_LENGTH {
            let lack = Lack::Size(format!("{} million letters", text.len() / 1_000_000));
            return Err(lack.at(self.anywhere()));
        }
        Ok(text)
    }

    /// Atoms of the claims, and whether one of them is another than when a claim looked last.
    fn write_atoms(&self, out: &mut Program, scribe: &Scribe<'_>) -> Result<(), Refusal> {
        if scribe.atoms.is_empty() {
            return Ok(());
        }
        out.remark("atoms of the claims");
        self.define_atoms(out, scribe)?;
        let (mut look, mut sees) = (Vec::new(), Vec::new());
        for (number, some) in scribe.atoms.chunks(WORD).enumerate() {
            let bit = |(bit, name): (usize, &String)| {
                Expr::choose(&Expr::call(name, []), &Expr::from(1 << bit), &Expr::from(0))
            };
            let (seen, atoms) = (variable("seen", &number.to_string()), format!("ATOMS_{number}"));
            out.push(Variable::new("int", &**seen.name()));
            out.push(Item::define(&atoms, Expr::sum(some.iter().enumerate().map(bit))));
            let atoms = Expr::call(&atoms, []);
            sees.push(seen.differs(&atoms));
            look.push(assign(seen, atoms));
        }
        out.push(Item::abbreviate("LOOK", &[], look));
        out.push(Item::define("SEES_CHANGE", Expr::any(sees)));
        out.gap();
        Ok(())
    }
}

impl Export for Promela {
    fn promela_atom(&self, atom: AtomId) -> String {
        self.atoms.get(atom.index()).cloned().unwrap_or_else(|| format!("atom_{}", atom.0))
    }

    fn promela(&self, claims: &[PromelaClaim], _explorer: &dyn Explorer) -> Result<String, Box<Problem>> {
        self.write(claims)
    }

    fn promela_state(&self, state: &State) -> Option<String> {
        Some(self.tells(state))
    }
}

fn head(players: &[Player]) -> Program {
    let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
    let mut out = Program::new();
    out.remark("A Brahms model as one Promela process, as `motet export --to promela` writes it.");
    out.remark(format!("Brahms: {}", names.join(", ")));
    out.remark("Check with: spin -a FILE; gcc -O2 -DCOLLAPSE -DNOREDUCE -DVECTORSZ=65536 -o pan pan.c; ./pan -a -m1000000 -N CLAIM");
    out.gap();
    out
}

/// The largest number that a model mentions.
fn largest_number(program: &Model) -> i64 {
    let int = |value: &Value| match value {
        Value::Int(number) => number.saturating_abs(),
        _ => 0,
    };
    let beliefs = program.actors.iter().flat_map(|actor| &actor.beliefs);
    let mut most = program.facts.iter().chain(beliefs).map(|(_, value)| int(value)).max().unwrap_or(0);
    for frame in &program.frames {
        for condition in &frame.guard {
            if let ConditionNode::Compare { left, right, .. } = &condition.node {
                most = most.max(largest(left)).max(largest(right));
            }
        }
        for statement in &frame.body {
            if let Statement::Conclude(conclude) = statement
                && let crate::program::ConcludeNode::Assign(_, expr) = &conclude.node
            {
                most = most.max(largest(expr));
            }
        }
    }
    most
}

/// `Bel(Alex, Alex.hunger > 3)` as `atom_bel_alex_alex_hunger_gt_3`.
fn atom_name(text: &str) -> String {
    let signs = [
        ("!=", " not "),
        ("<=", " le "),
        (">=", " ge "),
        ("<", " lt "),
        (">", " gt "),
        ("=", " is "),
        ("!", " not "),
        ("+", " plus "),
        ("-", " minus "),
        ("#", " size "),
    ];
    let plain = signs.iter().fold(text.to_lowercase(), |text, (sign, word)| text.replace(sign, word));
    let words = plain.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    let name = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_");
    format!("atom_{}", legal(&name))
}
