//! One agent program: beliefs, rules, goals and plans.

use std::collections::BTreeMap;

use motet_source::{Problem, Problems, Span};

use crate::program::{Agent, Mode, Pattern, Plan, Presence, Rule, Stub};
use crate::syntax::{AgentTree, Literal, PlanTree, RuleTree, Sign, TermKind, TriggerKind};
use crate::term::{TermId, Terms};

use super::pattern::{Purpose, key, source_of};
use super::scope::Scope;
use super::spelling;
use super::traffic::Traffic;

/// What an agent's text may refer to.
pub(crate) struct Context<'a> {
    /// The table of the team.
    pub(crate) terms: &'a Terms,
    /// Which language.
    pub(crate) mode: Mode,
    /// The members.
    pub(crate) agents: &'a [String],
    /// Declared stand-ins.
    pub(crate) stubs: &'a [Stub],
    /// Actions of the environment with their arities.
    pub(crate) actions: &'a BTreeMap<String, Vec<usize>>,
    /// Whether the team has an environment.
    pub(crate) has_environment: bool,
}

/// Resolves one agent.
pub(crate) struct AgentResolver<'a, 'p> {
    pub(crate) context: &'a Context<'a>,
    pub(crate) problems: &'p mut Problems,
    pub(crate) traffic: Traffic,
    pub(crate) scope: Scope,
}

/// An agent from its program and what a project file adds to it.
pub(crate) fn agent(
    context: &Context<'_>,
    name: &str,
    trees: &[&AgentTree],
    problems: &mut Problems,
) -> (Agent, Traffic) {
    let mut resolver =
        AgentResolver { context, problems, traffic: Traffic::default(), scope: Scope::default() };
    let mut agent = Agent {
        name: context.terms.symbol(name),
        beliefs: Vec::new(),
        goals: Vec::new(),
        rules: Vec::new(),
        plans: Vec::new(),
        presence: Presence::Present,
    };
    let mut places = BTreeMap::new();
    let mut labels = BTreeMap::new();
    for tree in trees {
        for belief in &tree.beliefs {
            resolver.belief(belief, &mut agent.beliefs, &mut places);
        }
        for goal in &tree.goals {
            resolver.initial_goal(goal, &mut agent.goals);
        }
        for rule in &tree.rules {
            let rule = resolver.rule(rule);
            agent.rules.push(rule);
        }
        for plan in &tree.plans {
            resolver.check_label(plan, &mut labels);
            let plan = resolver.plan(plan);
            agent.plans.push(plan);
        }
    }
    (agent, resolver.traffic)
}

impl AgentResolver<'_, '_> {
    fn belief(&mut self, tree: &Literal, beliefs: &mut Vec<TermId>, places: &mut BTreeMap<TermId, Span>) {
        self.traffic.believed.push(key(tree));
        let Some(term) = self.ground(tree, "an initial belief") else { return };
        if let Some(&first) = places.get(&term) {
            let problem = Problem::hint(
                "M0424",
                tree.span,
                format!("`{}` is believed twice", spelling::literal(tree)),
                "leave one of them out; an agent holds a belief once",
            );
            self.problems.push(problem.also(first, "the first one"));
            return;
        }
        places.insert(term, tree.span);
        beliefs.push(term);
    }

    fn initial_goal(&mut self, tree: &Literal, goals: &mut Vec<TermId>) {
        if self.context.mode == Mode::Strict {
            self.refuse_feature(tree.span, "initial goals");
        }
        self.traffic.posted.push((key(tree), tree.name.span));
        if let Some(term) = self.ground(tree, "an initial goal") {
            goals.push(term);
        }
    }

    /// A literal without variables, whose source can only be the agent itself.
    fn ground(&mut self, tree: &Literal, what: &str) -> Option<TermId> {
        self.scope = Scope::default();
        if let (Mode::Strict, Some(annotation)) = (self.context.mode, tree.annotations.first()) {
            self.refuse_feature(annotation.span, "annotations");
        } else {
            for annotation in &tree.annotations {
                let own = source_of(annotation).is_some_and(|source| spelling::term(source) == "self");
                if !own {
                    self.problems.push(Problem::error(
                        "M0425",
                        annotation.span,
                        format!("the annotation `{}` is not understood", spelling::term(annotation)),
                        format!("the source of {what} is the agent itself; leave the annotation out"),
                    ));
                }
            }
        }
        if let Some((span, name)) = first_variable(tree) {
            let message = format!("`{name}` is a variable, but {what} has to be definite");
            let constant = name.trim_start_matches('_').to_lowercase();
            let help = if constant.is_empty() {
                "write the value".to_owned()
            } else {
                format!("write a constant; constants start with a small letter: `{constant}`")
            };
            self.problems.push(Problem::error("M0410", span, message, help));
            return None;
        }
        let before = self.problems.len();
        let pattern = self.structure(tree, Purpose::Open, &mut Vec::new());
        match pattern {
            Pattern::Ground(term) => Some(term),
            _ if self.problems.len() > before => None,
            _ => {
                let message = format!("a number of {what} cannot be computed");
                let help = "look for a division by zero or a number beyond 64 bits";
                self.problems.push(Problem::error("M0410", tree.span, message, help));
                None
            }
        }
    }

    fn rule(&mut self, tree: &RuleTree) -> Rule {
        if self.context.mode == Mode::Strict {
            self.refuse_feature(tree.head.span, "rules");
        }
        self.scope = Scope::default();
        self.traffic.believed.push(key(&tree.head));
        let mut seen = Vec::new();
        let head = self.bare(&tree.head, Purpose::Match, &mut seen);
        // Whether they have a value is known to the caller alone.
        seen.into_iter().for_each(|variable| self.scope.bindings.may_bind(variable));
        let condition = self.condition(&tree.condition);
        self.hint_slips();
        let n_variables = self.scope.len();
        Rule { head, condition, n_variables, span: tree.head.span }
    }

    fn check_label(&mut self, plan: &PlanTree, labels: &mut BTreeMap<String, Span>) {
        let Some(label) = &plan.label else { return };
        if let Some(&first) = labels.get(&label.node) {
            let problem = Problem::error(
                "M0423",
                label.span,
                format!("two plans have the label `{}`", label.node),
                "rename one of them",
            );
            self.problems.push(problem.also(first, "the first one"));
        } else {
            labels.insert(label.node.clone(), label.span);
        }
    }

    fn plan(&mut self, tree: &PlanTree) -> Plan {
        self.scope = Scope::default();
        let atomic = self.annotations(tree);
        self.check_trigger(tree);
        let mut seen = Vec::new();
        let trigger = self.atom(&tree.trigger.literal, Purpose::Match, &mut seen);
        let definite = tree.trigger.kind == TriggerKind::Belief || self.context.mode == Mode::Strict;
        for variable in seen {
            if definite {
                self.scope.bindings.bind(variable);
            } else {
                self.scope.bindings.may_bind(variable);
            }
        }
        let context = self.condition(&tree.context);
        let mut body = Vec::new();
        self.body(&tree.body, &mut body);
        self.hint_slips();
        Plan {
            label: tree.label.as_ref().map(|label| label.node.clone()),
            atomic,
            sign: tree.trigger.sign,
            kind: tree.trigger.kind,
            trigger,
            context,
            body,
            head_text: spelling::head(tree),
            span: tree.trigger.span,
            variables: std::mem::take(&mut self.scope).into_names(),
        }
    }

    /// Reads `[atomic]`; other annotations of a plan change how Jason schedules it, which a check must not ignore.
    fn annotations(&mut self, tree: &PlanTree) -> bool {
        if let (Mode::Strict, Some(annotation)) = (self.context.mode, tree.annotations.first()) {
            self.refuse_feature(annotation.span, "annotations");
            return false;
        }
        let mut atomic = false;
        for annotation in &tree.annotations {
            match spelling::term(annotation).as_str() {
                "atomic" => atomic = true,
                // It stops a debugger, not the plan.
                "breakpoint" => {}
                other => self.problems.push(Problem::warning(
                    "M0425",
                    annotation.span,
                    format!("the annotation `{other}` of a plan is ignored"),
                    "only `[atomic]` is understood",
                )),
            }
        }
        atomic
    }

    /// Failure and test events exist in Jason only.
    fn check_trigger(&mut self, tree: &PlanTree) {
        let event = match (tree.trigger.sign, tree.trigger.kind) {
            (_, TriggerKind::Belief) | (Sign::Added, TriggerKind::Achieve) => return,
            (Sign::Deleted, TriggerKind::Achieve) => "failure events `-!g`",
            (_, TriggerKind::Test) => "test events `+?g`, `-?g`",
        };
        if self.context.mode == Mode::Strict {
            self.problems.push(Problem::warning(
                "M0419",
                tree.trigger.span,
                format!("this plan is never used: AgentSpeak(F) has no {event}"),
                "leave it out, add `mode jason` to the team file or pass --mode jason",
            ));
        }
    }

    fn hint_slips(&mut self) {
        for (name, near, span) in self.scope.slips() {
            self.problems.push(Problem::hint(
                "M0422",
                span,
                format!("`{name}` is written once in this plan"),
                format!(
                    "did you mean `{near}`? a variable that is meant to match anything may be written `_`"
                ),
            ));
        }
    }
}

/// The first variable of a literal.
fn first_variable(tree: &Literal) -> Option<(Span, String)> {
    fn search(term: &crate::syntax::TermTree) -> Option<(Span, String)> {
        match &term.kind {
            TermKind::Variable(name) => Some((term.span, name.clone())),
            TermKind::Anonymous => Some((term.span, "_".to_owned())),
            TermKind::Structure(literal) => first_variable(literal),
            TermKind::List(items, tail) => {
                items.iter().find_map(search).or_else(|| tail.as_deref().and_then(search))
            }
            TermKind::Binary(_, left, right) => search(left).or_else(|| search(right)),
            TermKind::Negative(operand) => search(operand),
            TermKind::Int(_) | TermKind::Real(_) | TermKind::Text(_) => None,
        }
    }
    tree.args.iter().find_map(search)
}
