//! A team as a Promela model, in the manner of Bordini et al. 2003, section 4: channels for beliefs, events, intentions,
//! mail and actions, an array of plan instances, one process per agent with four atomic steps, one for the environment.
//!
//! The model has the state graph of the native semantics, and one state more before the first beliefs are in place.
//! After each step it prints `@motet P K`, so that a run of Spin can be followed natively.

mod agent;
mod body;
mod claims;
mod collect;
mod condition;
mod environment;
mod flow;
mod lack;
mod layout;
mod names;
mod scope;
mod world;

use std::collections::BTreeSet;
use std::sync::Arc;

use motet_machine::promela::{Item, Program as Code, Statement, Variable, assign, names_of, unique};
use motet_machine::{Expr, Place};
use motet_model::{AtomId, Explorer, Export, Model, PromelaClaim};
use motet_source::{FileId, Problem, Span};

use crate::atoms::Predicate;
use crate::program::{Agent, Answer, Mode, Presence, Program};
use crate::promela::agent::AgentWriter;
use crate::promela::layout::{Scratch, among, define, event, perform, room};
use crate::promela::names::{Names, legal};
use crate::semantics::team::Team;

pub use lack::EXPORT_CODES;

/// A construct without a translation, as a problem.
pub(crate) type Refusal = Box<Problem>;

/// How much the data structures of the model hold. Every cell is part of Spin's state vector, so they are kept small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Capacities {
    pub(crate) beliefs: u32,
    pub(crate) events: u32,
    pub(crate) intentions: u32,
    pub(crate) actions: u32,
    pub(crate) messages: u32,
}

/// The translation of one team with the atoms of its claims.
pub(crate) struct Promela {
    program: Arc<Program>,
    predicates: Vec<Predicate>,
    atoms: Vec<String>,
    capacities: Box<dyn Fn() -> Option<Capacities> + Send + Sync>,
}

/// What all parts of the translation look at.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) program: &'a Program,
    pub(crate) names: &'a Names,
    pub(crate) capacities: Capacities,
    /// Whether agents have choices inside a step.
    pub(crate) mind_chooses: bool,
    /// Whether the environment has choices inside a step.
    pub(crate) world_chooses: bool,
    /// Whether a claim asks for the last action.
    pub(crate) asks_last: bool,
}

impl Promela {
    /// The translation; `texts` are the atoms as written, and `capacities` is asked for high-water marks when the model
    /// is written.
    pub(crate) fn new(
        program: Arc<Program>,
        predicates: Vec<Predicate>,
        texts: &[String],
        capacities: impl Fn() -> Option<Capacities> + Send + Sync + 'static,
    ) -> Self {
        let mut taken = BTreeSet::new();
        let atoms = texts.iter().map(|text| unique(&mut taken, atom_name(text))).collect();
        Self { program, predicates, atoms, capacities: Box::new(capacities) }
    }

    /// The translation of a team that runs. Whoever explores the team before exporting it gets a model of just the
    /// size that its runs need.
    pub(crate) fn of(team: &Arc<Team>) -> Self {
        let seen = Arc::clone(team);
        let (program, predicates) = (Arc::clone(&team.program), team.predicates.clone());
        Self::new(program, predicates, &team.signature().atoms, move || {
            let [beliefs, events, intentions, actions, messages] = seen.marks.numbers();
            // Without any event nothing was explored.
            (events > 0).then_some(Capacities {
                beliefs: beliefs.max(1),
                events,
                intentions: intentions.max(1),
                actions: actions.max(1),
                messages: messages.max(1),
            })
        })
    }

    fn write(&self, claims: &[PromelaClaim]) -> Result<String, Refusal> {
        let program = &*self.program;
        let names = collect::names(program, &self.predicates);
        let chooses = |answer: &Answer| match answer {
            Answer::Either => true,
            Answer::OneOf(values) => values.len() > 1,
            Answer::Succeeds | Answer::Value(_) => false,
        };
        let environment = &program.environment;
        let mut effects = environment.actions.iter().map(|rule| &rule.effects);
        let world_chooses = effects.any(|effects| environment::chooses(effects))
            || environment.steps.iter().any(|step| environment::chooses(&step.effects))
            || environment.reactions.iter().any(|reaction| environment::chooses(&reaction.effects));
        let context = Context {
            program,
            names: &names,
            capacities: (self.capacities)().unwrap_or_else(|| likely(program)),
            mind_chooses: program.stubs.iter().any(|stub| chooses(&stub.answer)),
            world_chooses,
            asks_last: self.predicates.iter().any(Predicate::asks_last_action),
        };
        context.check_size()?;
        let agents = context.process_names();
        let mut bodies = Code::new();
        let mut scratch = Scratch::default();
        for (number, name) in agents.iter().enumerate().filter(|(number, _)| context.is_present(*number)) {
            let mut writer = AgentWriter::new(context, number, name);
            writer.write(&mut bodies)?;
            let used = writer.scratch();
            scratch.loops = scratch.loops.max(used.loops);
            scratch.flags = scratch.flags.max(used.flags);
            scratch.counts = scratch.counts.max(used.counts);
        }
        let mut out = Code::new();
        self.write_head(&mut out, context);
        context.write_symbols(&mut out);
        context.write_constants(&mut out);
        context.write_structures(&mut out);
        context.write_world(&mut out)?;
        context.write_last(&mut out);
        context.write_scratch(&mut out, scratch);
        context.write_inlines(&mut out);
        out.items.append(&mut bodies.items);
        out.gap();
        context.write_reactions(&mut out)?;
        context.write_environment(&mut out, &agents)?;
        context.write_init(&mut out, &agents)?;
        self.write_claims(&mut out, context, claims)?;
        Ok(out.print())
    }

    fn write_head(&self, out: &mut Code, context: Context<'_>) {
        let mode = match context.program.mode {
            Mode::Strict => "AgentSpeak(F)",
            Mode::Jason => "AgentSpeak, Jason dialect",
        };
        let agents: Vec<String> =
            (0..context.program.agents.len()).map(|agent| context.agent_name(agent)).collect();
        out.remark("A team as a Promela model, as `motet export --to promela` writes it.");
        out.remark(format!("{mode}: {}", agents.join(", ")));
        out.remark("Check with: spin -a FILE; gcc -O2 -DCOLLAPSE -DNOREDUCE -DVECTORSZ=16384 -DNFAIR=3 -o pan pan.c; ./pan -a -f -m1000000 -N CLAIM");
        out.gap();
    }

    fn write_claims(
        &self,
        out: &mut Code,
        context: Context<'_>,
        claims: &[PromelaClaim],
    ) -> Result<(), Refusal> {
        if !self.predicates.is_empty() {
            out.gap();
            out.remark("atoms of the claims, true or false between steps");
        }
        for (predicate, name) in self.predicates.iter().zip(&self.atoms) {
            // An atom that only a claim without translation uses does no harm here: it is left out.
            let used = claims.iter().any(|claim| names_of(&claim.formula).any(|word| word == name));
            if used {
                let atom = context.predicate(predicate).map_err(|lack| lack.at(context.anywhere()))?;
                out.push(Item::define(name, atom));
            }
        }
        claims.iter().for_each(|claim| out.claim(&claim.name, &claim.text, &claim.formula));
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
}

impl Context<'_> {
    /// An agent as the user calls it.
    pub(crate) fn agent_name(&self, agent: usize) -> String {
        self.names.terms.name(self.program.agents[agent].name).to_string()
    }

    /// Whether an agent takes part; who does not has no process and gets no mail.
    pub(crate) fn is_present(&self, agent: usize) -> bool {
        self.program.agents[agent].presence == Presence::Present
    }

    /// Names of the agents' processes. The prefix keeps an agent called `a` apart from the channel `a`.
    fn process_names(&self) -> Vec<String> {
        let mut taken = BTreeSet::new();
        let agents =
            (0..self.program.agents.len()).map(|agent| format!("agent_{}", legal(&self.agent_name(agent))));
        agents.map(|name| unique(&mut taken, name)).collect()
    }

    /// How many variables an instance has room for.
    pub(crate) fn n_variables(&self) -> usize {
        let plans = self.program.agents.iter().flat_map(|agent| &agent.plans);
        plans.map(|plan| plan.variables.len()).max().unwrap_or(0).max(1)
    }

    /// While beliefs are revised new percepts stand beside those that are about to go; one more for an added belief.
    pub(crate) fn working_beliefs(&self) -> usize {
        let environment = &self.program.environment;
        let members = |sort: usize| environment.sorts[sort].1.len();
        let percepts = environment.percepts.iter().map(|one| one.each.map_or(1, |(sort, _)| members(sort)));
        self.capacities.beliefs as usize + percepts.sum::<usize>() + 1
    }

    /// Whether sources can be asked for.
    pub(crate) fn sources_named(&self) -> bool {
        self.jason()
    }

    /// The place of things without a place.
    #[expect(clippy::unused_self, reason = "reads as a question to the team")]
    pub(crate) fn anywhere(&self) -> Span {
        Span::new(FileId(0), 0, 0)
    }

    fn check_size(&self) -> Result<(), Refusal> {
        let program = self.program;
        // Sources are bits of a number, seats are bytes.
        let fits =
            program.agents.len() <= 24 && self.capacities.intentions <= 30 && self.working_beliefs() <= 250;
        let plans = program.agents.iter().all(|agent| agent.plans.len() < 250);
        let place = program.agents.iter().flat_map(|agent| &agent.plans).map(|plan| plan.span).next();
        if fits && plans {
            Ok(())
        } else {
            Err(lack::Lack::Size.at(place.unwrap_or_else(|| self.anywhere())))
        }
    }

    fn write_last(&self, out: &mut Code) {
        if self.asks_last {
            out.remark("the last action that took effect");
            out.push(Variable::new("byte", "last_by"));
            out.push(Variable::new(self.names.predicate_kind(), "last_p"));
            for at in 0..self.names.arity {
                out.push(Variable::new(self.names.width.kind, format!("last_x{at}")));
            }
            out.gap();
        }
        let code = |agent: &Agent| self.names.term(self.names.terms.structure(agent.name, &[]));
        let codes: Vec<Expr> =
            self.program.agents.iter().map(|agent| code(agent).unwrap_or(self.names.nowhere())).collect();
        out.push(define("name_of", &["w"], among("w", &codes, self.names.nowhere())));
        for (number, name) in ["GO", "WAIT", "FAIL", "JUMP"].iter().enumerate() {
            out.push(Item::define(*name, Expr::count(number)));
        }
        out.gap();
    }

    /// Initial beliefs, events and goals, then all processes, in one step.
    fn write_init(&self, out: &mut Code, agents: &[String]) -> Result<(), Refusal> {
        let place = |agent: usize| {
            let plans = self.program.agents[agent].plans.first();
            plans.map_or_else(|| self.anywhere(), |plan| plan.span)
        };
        let mut body = Vec::new();
        let present = || agents.iter().enumerate().filter(|(number, _)| self.is_present(*number));
        for (number, name) in present() {
            let agent = &self.program.agents[number];
            let coded = |term| -> Result<Vec<Expr>, Refusal> {
                let flat = self.names.flat(term).map_err(|lack| lack.at(place(number)))?;
                let atom = self.padded(&flat.args).into_iter();
                Ok([self.names.predicate(flat.predicate)].into_iter().chain(atom).collect())
            };
            let queue = Place::named("b").at(Expr::count(number));
            let mut events = Vec::new();
            for &belief in &agent.beliefs {
                let atom = coded(belief)?;
                let mut message = atom.clone();
                message.push(Expr::named("SELF", 1));
                body.extend([room("beliefs", &queue, "M_BEL"), Statement::Send(queue.clone(), message)]);
                events.push(atom);
            }
            if !self.jason() {
                continue;
            }
            let post = |kind, atom| self.post(number, kind, 0.into(), atom, 0.into());
            for atom in events.into_iter().rev() {
                let kind = event("ADD_BELIEF");
                let given = [kind.clone()].into_iter().chain(atom.iter().cloned());
                let asked = Expr::call(&format!("cand_{name}"), given);
                body.push(Statement::when(asked, vec![post(kind, atom)]));
            }
            for &goal in &agent.goals {
                body.push(post(event("ADD_GOAL"), coded(goal)?));
            }
        }
        let names = present().map(|(_, name)| name.clone());
        let names = names.chain(["Environment".to_owned()]).chain(self.step_names());
        body.extend(names.map(Statement::Run));
        body.extend(self.mind_chooses.then(|| perform("wipe", [])));
        body.push(assign("up", 1));
        out.push(Item::Init(vec![Statement::Atomic(body)]));
        Ok(())
    }
}

/// Capacities where nothing is known about the runs.
fn likely(program: &Program) -> Capacities {
    let most = program.agents.iter().map(|agent| agent.beliefs.len()).max().unwrap_or(0);
    let beliefs = u32::try_from(most + program.environment.percepts.len() + 8).unwrap_or(u32::MAX);
    let actions = u32::try_from(program.agents.len() + 2).unwrap_or(u32::MAX);
    let bounds = &program.bounds;
    Capacities {
        beliefs: beliefs.min(bounds.beliefs),
        events: 8.min(bounds.events),
        intentions: 5.min(bounds.intentions),
        actions: actions.min(bounds.actions),
        messages: 5.min(bounds.messages),
    }
}

/// `Bel(ag3, winner(ag3))` as `bel_ag3_winner_ag3`.
fn atom_name(text: &str) -> String {
    let parts: Vec<String> = text
        .split(|c: char| {
            !(c.is_ascii_alphanumeric() || c == '_' || c == '!' || c == '=' || c == '<' || c == '>')
        })
        .filter(|part| !part.is_empty())
        .map(|part| {
            part.replace("!=", "not")
                .replace("<=", "le")
                .replace(">=", "ge")
                .replace('<', "lt")
                .replace('>', "gt")
                .replace("==", "is")
                .replace('=', "is")
                .replace('!', "not")
        })
        .collect();
    let mut name = parts.join("_").to_lowercase();
    name.truncate(60);
    let known = ["bel_", "des_", "int_", "does_", "did_", "itd_", "says_"];
    if known.iter().any(|prefix| name.starts_with(prefix)) { name } else { format!("fact_{name}") }
}
