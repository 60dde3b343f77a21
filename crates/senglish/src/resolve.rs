//! Trees to a program: every sentence gets its meaning and every state its slots.

mod actions;
mod beliefs;
mod checks;
mod conditions;
mod ontology;
mod plans;
mod slots;

use motet_model::{Ratio, RewardId};
use motet_source::{Problem, Problems, Sources, Span};

use crate::program::{Counting, Logic, Program};
use crate::syntax::{OntologyTree, ProcedureTree, ReasoningTree, RewardTree};

/// What was read, file by file.
pub(crate) struct Project<'a> {
    /// The agents.
    pub(crate) members: Vec<Member<'a>>,
    /// All action files.
    pub(crate) procedures: &'a [ProcedureTree],
    /// All ontologies.
    pub(crate) ontologies: &'a [OntologyTree],
    /// How rewards are counted.
    pub(crate) counting: Counting,
    /// How many values a belief has.
    pub(crate) logic: Logic,
}

/// One agent.
pub(crate) struct Member<'a> {
    /// Its name.
    pub(crate) name: String,
    /// Its reasoning file.
    pub(crate) tree: &'a ReasoningTree,
    /// The action files it may call, its own first.
    pub(crate) procedures: Vec<usize>,
}

/// Makes the program. It is usable only when no problem is an error.
pub(crate) fn resolve(project: &Project<'_>, sources: &Sources) -> (Option<Program>, Problems) {
    let mut resolver = Resolver {
        project,
        program: Program {
            agents: Vec::new(),
            slots: Vec::new(),
            beliefs: Vec::new(),
            percepts: Vec::new(),
            actions: Vec::new(),
            notes: Vec::new(),
            plans: Vec::new(),
            groups: Vec::new(),
            watches: Vec::new(),
            rewards: vec!["cycles".to_owned()],
            counting: project.counting,
            logic: project.logic,
        },
        problems: Problems::new(),
        used: vec![false; project.procedures.len()],
        action_of: Vec::new(),
        total: Ratio::ZERO,
    };
    checks::procedures(project, sources, &mut resolver.problems);
    ontology::check(project, &mut resolver.problems);
    resolver.name_beliefs();
    resolver.percepts();
    resolver.rules();
    resolver.plans();
    resolver.initial();
    resolver.unused();
    resolver.groups();
    resolver.lay_out();
    (Some(resolver.program), resolver.problems)
}

/// The program as it grows.
pub(crate) struct Resolver<'a> {
    project: &'a Project<'a>,
    program: Program,
    problems: Problems,
    /// Which action files some agent uses.
    used: Vec<bool>,
    /// Agent and action file of every action of the program.
    action_of: Vec<(usize, usize)>,
    /// The sum of all reward amounts.
    total: Ratio,
}

impl Resolver<'_> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Problem::error(code, span, message, help));
    }

    fn warning(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problems.push(Problem::warning(code, span, message, help));
    }

    /// Numbers the rewards of a line.
    fn rewards(&mut self, trees: &[RewardTree]) -> Vec<(RewardId, Ratio)> {
        let mut list: Vec<(RewardId, Ratio)> = Vec::new();
        for tree in trees {
            let name = &tree.name.node;
            if name == "cycles" || name == "res_cycles" {
                let message = format!("the reward `{name}` counts cycles already");
                self.error("M0884", tree.name.span, message, "choose another name");
                continue;
            }
            let known = self.program.rewards.iter().position(|known| known == name);
            let number = known.unwrap_or_else(|| {
                self.program.rewards.push(name.clone());
                self.program.rewards.len() - 1
            });
            let id = RewardId(u32::try_from(number).unwrap_or(u32::MAX));
            if list.iter().any(|(other, _)| *other == id) {
                let message = format!("the reward `{name}` is given twice");
                self.error("M0884", tree.name.span, message, "write one amount");
                continue;
            }
            match self.total.checked_add(tree.amount) {
                Some(total) => self.total = total,
                None => {
                    let help = "use rounder amounts";
                    self.error("M0884", tree.name.span, "the amounts cannot be added up exactly", help);
                }
            }
            list.push((id, tree.amount));
        }
        list
    }
}
