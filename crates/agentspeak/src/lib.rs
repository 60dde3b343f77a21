//! The AgentSpeak front-end: AgentSpeak(F) of Bordini, Fisher, Pardavila and Wooldridge (2003) and the Jason dialect,
//! with a declarative environment language.
//!
//! [`project`] finds the files of a team, [`parse`] reads them into the trees of [`syntax`], [`resolve`] makes the
//! numbered [`program`] of them. `semantics` runs a program; `atoms` says what claims mean in its states; `words` and
//! `review` tell a user what happens.

mod actor;
mod atoms;
mod codes;
mod lexer;
mod lexicon;
mod notices;
pub mod parse;
mod parts;
pub mod program;
pub mod project;
mod promela;
pub mod resolve;
mod review;
mod semantics;
mod slice;
mod strangers;
mod symmetry;
pub mod syntax;
pub mod term;
mod words;

use std::sync::Arc;

use motet_model::{Acting, AtomText, Draft, Language, Options, Slice, Summary, System, Vocabulary, World};
use motet_source::{FileId, Problem, Problems, Sources, Span, Spanned};

pub use codes::CODES;
pub use notices::{ATOM_CODES, NOTICE_CODES};
pub use promela::EXPORT_CODES;
pub use strangers::Strangers;

use crate::lexicon::Lexicon;
use crate::program::{Bounds, Mode, Program, Ties};
use crate::promela::Promela;
use crate::semantics::mind::MAX_AGENTS;
use crate::semantics::rewards::earnings;
use crate::semantics::team::{Memory, Team};
use crate::slice::Sliced;
use crate::term::{Term, TermId, Terms};
use crate::words::Teller;

/// AgentSpeak as a language of Motet.
#[derive(Clone, Copy, Debug, Default)]
pub struct AgentSpeak;

impl Language for AgentSpeak {
    fn name(&self) -> &'static str {
        "AgentSpeak"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["asl", "team", "mas2j"]
    }

    fn read(&self, sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Box<dyn Draft>> {
        let mut found = Problems::new();
        let program = project::read(sources, options, &mut found);
        // Whether a variable is read can be said only when the claims are known.
        let (unread, others): (Vec<Problem>, Vec<Problem>) =
            found.iter().cloned().partition(|problem| problem.code == "M0540");
        others.into_iter().for_each(|problem| problems.push(problem));
        let mut program = program?;
        if program.agents.len() > MAX_AGENTS {
            let place = sources.iter().next().map_or(FileId(0), |(file, _)| file);
            let message = format!("a team of {} agents is too large", program.agents.len());
            let help = format!("a team has at most {MAX_AGENTS} agents");
            problems.push(Problem::error("M0485", Span::new(place, 0, 0), message, help));
            return None;
        }
        // Terms are walked on the stack; this keeps the deepest one harmless.
        program.bounds.terms = program.bounds.terms.min(LARGEST_TERM);
        let depth = deepest(&program.terms);
        if depth > LARGEST_TERM as usize {
            let place = sources.iter().next().map_or(FileId(0), |(file, _)| file);
            let message = format!("a term is {depth} levels deep");
            let help = format!("split it up: at most {LARGEST_TERM} levels or list items fit one term");
            problems.push(Problem::error("M0486", Span::new(place, 0, 0), message, help));
            return None;
        }
        Some(Box::new(Reading::new(program, sources, unread)))
    }
}

/// A term never has more nodes than this, whatever the bound says.
const LARGEST_TERM: u32 = 2048;

/// The depth of the deepest term; each further item of a list is one level.
fn deepest(terms: &Terms) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(terms.len());
    for number in 0..terms.len() {
        let term = terms.get(TermId(u32::try_from(number).expect("terms are numbered by 32 bits")));
        let below = match term {
            Term::Structure(_, args) => args.iter().map(|arg| depths[arg.0 as usize]).max().unwrap_or(0),
            _ => 0,
        };
        depths.push(below + 1);
    }
    depths.into_iter().max().unwrap_or(0)
}

/// A team that was read.
struct Reading {
    program: Arc<Program>,
    sources: Arc<Sources>,
    lexicon: Lexicon,
    vocabulary: Vocabulary,
    /// Hints about variables that no rule reads.
    unread: Vec<Problem>,
}

impl Reading {
    fn new(program: Program, sources: &Sources, unread: Vec<Problem>) -> Self {
        let lexicon = Lexicon::of(&program);
        let vocabulary = lexicon.vocabulary(&program);
        Self { program: Arc::new(program), sources: Arc::new(sources.clone()), lexicon, vocabulary, unread }
    }

    /// A team with everything hosts need around it.
    fn system_of(&self, team: &Arc<Team>) -> System {
        let export = Arc::new(Promela::of(team));
        let teller = Arc::new(Teller { team: Arc::clone(team), sources: Arc::clone(&self.sources) });
        let (words, review) = (Arc::clone(&teller), teller);
        System { model: Arc::clone(team) as _, words, review, export, summary: self.summary() }
    }

    fn summary(&self) -> Summary {
        let agents = self.program.agents.len();
        let mut facts = vec![format!("{agents} {}", if agents == 1 { "agent" } else { "agents" })];
        facts.push(limits(&self.program.bounds));
        let language = match self.program.mode {
            Mode::Strict => "AgentSpeak(F)",
            Mode::Jason => "AgentSpeak (Jason)",
        };
        let parameters = self.vocabulary.parameters.clone();
        // Where chance decides who moves, almost all runs are fair, and the others cannot be told apart step by step.
        let fair = self.program.ties == Ties::Choice;
        let narrowing = if fair { Vec::new() } else { vec!["ties=random".to_owned()] };
        Summary { language: language.to_owned(), facts, parameters, fair, narrowing }
    }
}

/// `limits 64`, with the exceptions.
fn limits(bounds: &Bounds) -> String {
    let all = [
        ("beliefs", bounds.beliefs),
        ("events", bounds.events),
        ("intentions", bounds.intentions),
        ("actions", bounds.actions),
        ("messages", bounds.messages),
    ];
    let usual = Bounds::default().beliefs;
    let special: Vec<String> = all
        .iter()
        .filter(|(_, bound)| *bound != usual)
        .map(|(what, bound)| format!("{what} {bound}"))
        .collect();
    if special.is_empty() {
        format!("limits {usual}")
    } else {
        format!("limits {usual}, {}", special.join(", "))
    }
}

impl Draft for Reading {
    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn system(&self, atoms: &[Spanned<AtomText>], problems: &mut Problems) -> Option<System> {
        self.system_earning(atoms, &[], &[], problems)
    }

    fn system_earning(
        &self,
        atoms: &[Spanned<AtomText>],
        _observers: &[String],
        rewards: &[Option<String>],
        problems: &mut Problems,
    ) -> Option<System> {
        let predicates = atoms::resolve(&self.program, &self.lexicon, atoms, problems)?;
        let read = atoms::variables(&predicates);
        let claimed = |problem: &&Problem| {
            read.iter().any(|variable| self.program.environment.variables[*variable].span == problem.span)
        };
        self.unread
            .iter()
            .filter(|problem| !claimed(problem))
            .for_each(|problem| problems.push(problem.clone()));
        let texts = atoms.iter().map(|atom| atom.node.to_string()).collect();
        let team = Team::new(Arc::clone(&self.program), predicates, texts, Memory::Kept);
        let team = team.earning(earnings(&self.program, &self.vocabulary.rewards, rewards));
        Some(self.system_of(&Arc::new(team)))
    }

    fn slice(&self, atoms: &[Spanned<AtomText>]) -> Option<Slice> {
        let predicates = atoms::resolve(&self.program, &self.lexicon, atoms, &mut Problems::new())?;
        let Sliced { program, left_out, haste } = slice::slice(&self.program, &predicates)?;
        let texts = atoms.iter().map(|atom| atom.node.to_string()).collect();
        let team = Team::new(program, predicates, texts, Memory::Kept);
        Some(Slice { system: self.system_of(&Arc::new(team)), left_out, haste })
    }

    fn acting(&self, atoms: &[Spanned<AtomText>], problems: &mut Problems) -> Option<Acting> {
        let predicates = atoms::resolve(&self.program, &self.lexicon, atoms, problems)?;
        actor::warn(&self.program, problems);
        let texts = atoms.iter().map(|atom| atom.node.to_string()).collect();
        let team = Arc::new(Team::new(Arc::clone(&self.program), predicates, texts, Memory::Kept));
        let system = self.system_of(&team);
        let actor = Box::new(actor::Acting::new(team, Lexicon::of(&self.program)));
        Some(Acting { system, actor })
    }

    fn world(&self) -> Option<Box<dyn World>> {
        if self.program.environment.name.is_empty() {
            return None;
        }
        let team = Team::new(Arc::clone(&self.program), Vec::new(), Vec::new(), Memory::Kept);
        Some(Box::new(actor::Declared::new(Arc::new(team))))
    }
}
