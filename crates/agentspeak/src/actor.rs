//! A team that acts: its minds are those of the model, its environment is whoever carries its actions out
//! (`spec/agentspeak/acting.md`).
//!
//! `cycle` lets every agent reason once, `news` takes in what was perceived, said and done, `place` describes a situation,
//! and `world` is the other side: the declared environment as a world of its own.

mod cycle;
mod news;
mod place;
mod warnings;
mod world;

use std::sync::Arc;

use motet_model::{
    Actor, Alternative, AtomId, Fault, Manifest, News, Order, Perceived, Repeat, Situation, Skill, State,
};
use motet_source::suggest;

pub(crate) use warnings::warn;
pub(crate) use world::Declared;

use crate::atoms::Predicate;
use crate::lexicon::{self, Lexicon};
use crate::parse::parse_literal;
use crate::program::Program;
use crate::resolve::{Content, described, spoken};
use crate::semantics::mind::Mind;
use crate::semantics::passed::Passed;
use crate::semantics::team::Team;
use crate::semantics::thinker::Act;
use crate::term::TermId;

/// A team that acts.
pub(crate) struct Acting {
    team: Arc<Team>,
    lexicon: Lexicon,
    now: Moment,
    /// The situation now as a state of the model.
    state: Box<State>,
}

/// Everything that changes while a team acts.
#[derive(Clone, Debug)]
struct Moment {
    /// What the agents have in mind; each is at the start of its cycle.
    minds: Vec<Mind>,
    /// What each agent perceives, in the order in which it was told.
    percepts: Vec<Vec<TermId>>,
    /// Percepts that hold for one cycle.
    passing: Vec<TermId>,
    /// Actions that nobody has answered yet, oldest first.
    open: Vec<Call>,
    /// Waits that the host's clock has not ended yet, oldest first.
    waits: Vec<Call>,
    /// The action that was done last.
    last: Option<Act>,
    /// What was sent and read in this cycle.
    passed: Vec<Passed>,
    /// The number of the next call.
    next: u64,
}

/// An action that the world was asked for, or a wait that the host's clock ends.
#[derive(Clone, Copy, Debug)]
struct Call {
    number: u64,
    act: Act,
}

impl Acting {
    pub(crate) fn new(team: Arc<Team>, lexicon: Lexicon) -> Self {
        let agents = &team.program.agents;
        let now = Moment {
            minds: (0..agents.len()).map(|agent| team.first_mind(agent, &agents[agent].beliefs)).collect(),
            percepts: vec![Vec::new(); agents.len()],
            passing: Vec::new(),
            open: Vec::new(),
            waits: Vec::new(),
            last: None,
            passed: Vec::new(),
            next: 1,
        };
        let state = now.state(&team);
        Self { team, lexicon, now, state }
    }

    /// Takes a new situation for the present one.
    fn settle(&mut self, now: Moment) {
        self.state = now.state(&self.team);
        self.now = now;
    }
}

impl Moment {
    fn state(&self, team: &Team) -> Box<State> {
        let open: Vec<Act> = self.open.iter().map(|call| call.act).collect();
        team.state_of(&self.minds, &open, (self.last, &self.passed))
    }
}

impl Actor for Acting {
    /// Every action is called once and is done or fails. Every literal is a percept.
    fn manifest(&self) -> Manifest {
        let program = &self.team.program;
        let mut actions: Vec<&lexicon::Predicate> = self.lexicon.actions.iter().flatten().collect();
        actions.sort_unstable();
        actions.dedup();
        let skill =
            |action| Skill { name: lexicon::show(action), repeat: Repeat::Once, feedbacks: Vec::new() };
        Manifest {
            agents: names(program),
            actions: actions.into_iter().map(skill).collect(),
            percepts: Vec::new(),
        }
    }

    fn state(&self) -> &State {
        &self.state
    }

    /// Selection functions leave nothing open: the first event, the first applicable plan, intentions in turn.
    fn alternatives(&self) -> Vec<Alternative> {
        vec![Alternative { action: self.team.first_action(&self.now.minds), text: String::new() }]
    }

    fn decide(&mut self, _alternative: usize) -> Result<Vec<Order>, Fault> {
        let mut next = self.now.clone();
        let orders = cycle::cycle(&self.team, &mut next)?;
        self.settle(next);
        Ok(orders)
    }

    fn perceive(&mut self, news: &[News]) -> Result<Perceived, Fault> {
        let mut next = self.now.clone();
        let perceived = news::hear(&self.team, &self.lexicon, &mut next, news)?;
        self.settle(next);
        Ok(perceived)
    }

    fn place(&mut self, situation: &Situation) -> Result<(), Vec<String>> {
        let next = place::place(&self.team, self.now.next, situation)?;
        self.settle(next);
        Ok(())
    }

    fn heeds(&self, atom: AtomId) -> bool {
        !matches!(self.team.predicates[atom.index()], Predicate::World(_))
    }
}

/// The names of the agents.
fn names(program: &Program) -> Vec<String> {
    program.agents.iter().map(|agent| program.terms.name(agent.name).to_string()).collect()
}

/// The number of an agent, or who there is.
fn agent_named(program: &Program, name: &str) -> Result<usize, String> {
    let names = names(program);
    let found = names.iter().position(|known| known == name);
    found.ok_or_else(|| match suggest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("there is no agent `{name}`; did you mean `{near}`?"),
        None => format!("there is no agent `{name}`; the agents are {}", names.join(", ")),
    })
}

/// The term of a text, or why it has none.
fn term_of(program: &Program, text: &str, content: Content) -> Result<TermId, String> {
    let literal = parse_literal(text).map_err(|problem| described(&problem));
    let term = literal.and_then(|literal| spoken(program, &literal, content));
    term.map_err(|why| format!("`{}` is no literal: {why}", motet_source::shortened(text)))
}
