//! Bodies to straight code with jumps.

use motet_source::{Problem, Span, suggest};

use crate::program::{Force, Instruction, Mode, Operation, Pattern};
use crate::syntax::{
    ConditionTree, FormulaKind, FormulaTree, InternalArgument, InternalTree, Literal, TermKind, TermTree,
};

use super::agent::AgentResolver;
use super::condition::{Place, Resolved};
use super::internals::FORCES;
use super::pattern::{Purpose, key};
use super::spelling;
use super::traffic::Sent;

impl AgentResolver<'_, '_> {
    /// Appends the code of a body.
    pub(crate) fn body(&mut self, formulas: &[FormulaTree], code: &mut Vec<Instruction>) {
        for formula in formulas {
            self.formula(formula, code);
        }
    }

    fn formula(&mut self, tree: &FormulaTree, code: &mut Vec<Instruction>) {
        let operation = match &tree.kind {
            FormulaKind::Action(literal) => Some(self.action(literal)),
            FormulaKind::Internal(internal) => self.internal_formula(internal),
            FormulaKind::Achieve(literal) => Some(Operation::Achieve(self.goal(literal))),
            FormulaKind::AchieveNew(literal) => {
                self.strict_lacks(tree.span, "`!!`");
                Some(Operation::AchieveNew(self.goal(literal)))
            }
            FormulaKind::Test(condition) => {
                if let ConditionTree::Belief(literal) = condition {
                    self.traffic.tested.push(key(literal));
                }
                Some(Operation::Test(self.condition(condition)))
            }
            FormulaKind::Add(literal) => {
                self.traffic.added.push(key(literal));
                let atom = self.atom(literal, Purpose::Build("this belief is added"), &mut Vec::new());
                Some(Operation::Add(atom))
            }
            FormulaKind::Delete(literal) => {
                self.traffic.deleted.push(key(literal));
                let mut seen = Vec::new();
                let atom = self.atom(literal, Purpose::Match, &mut seen);
                seen.into_iter().for_each(|variable| self.scope.bindings.may_bind(variable));
                Some(Operation::Delete(atom))
            }
            FormulaKind::Replace(literal) => {
                self.strict_lacks(tree.span, "`-+`");
                self.traffic.added.push(key(literal));
                self.traffic.deleted.push(key(literal));
                let atom = self.atom(literal, Purpose::Build("this belief is added"), &mut Vec::new());
                Some(Operation::Replace(atom))
            }
            FormulaKind::Relation(operator, left, right) => {
                let (left, right) = self.relation(*operator, left, right);
                Some(Operation::Relation(*operator, left, right))
            }
            FormulaKind::If(condition, then, otherwise) => {
                self.strict_lacks(tree.span, "`if`");
                self.branch(tree, condition, (then, otherwise), code);
                None
            }
            FormulaKind::While(condition, body) => {
                self.strict_lacks(tree.span, "`while`");
                self.while_loop(tree, condition, body, code);
                None
            }
            FormulaKind::For(condition, body) => {
                self.strict_lacks(tree.span, "`for`");
                self.for_loop(tree, condition, body, code);
                None
            }
        };
        if let Some(operation) = operation {
            code.push(Instruction { operation, span: tree.span, text: spelling::formula(&tree.kind) });
        }
    }

    fn strict_lacks(&mut self, span: Span, feature: &str) {
        if self.context.mode == Mode::Strict {
            self.refuse_feature(span, feature);
        }
    }

    fn goal(&mut self, literal: &Literal) -> Pattern {
        let key = key(literal);
        let what = format!("the goal `{}` is called", key.0);
        self.traffic.posted.push((key, literal.name.span));
        let mut seen = Vec::new();
        let purpose = if self.context.mode == Mode::Strict { Purpose::Goal(&what) } else { Purpose::Open };
        let pattern = self.bare(literal, purpose, &mut seen);
        // In Jason a goal may give values to the variables it is called with.
        seen.into_iter().for_each(|variable| self.scope.bindings.bind(variable));
        pattern
    }

    fn action(&mut self, literal: &Literal) -> Operation {
        let (name, arity) = key(literal);
        if self.context.has_environment {
            self.check_action(literal, &name, arity);
        }
        let what = format!("the action `{name}` is taken");
        self.traffic.acted.push(((name, arity), literal.name.span));
        Operation::Act(self.bare(literal, Purpose::Build(&what), &mut Vec::new()))
    }

    fn check_action(&mut self, literal: &Literal, name: &str, arity: usize) {
        let Some(arities) = self.context.actions.get(name) else {
            let known = self.context.actions.keys().map(String::as_str);
            let help = match suggest(name, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("declare it in the environment: `action {} {{ .. }}`", shape(name, arity)),
            };
            let message = format!("the environment has no action `{name}`");
            self.problems.push(Problem::error("M0415", literal.name.span, message, help));
            return;
        };
        if !arities.contains(&arity) {
            let wanted: Vec<String> = arities.iter().map(ToString::to_string).collect();
            let plural = if wanted == ["1"] { "argument" } else { "arguments" };
            let message = format!("the action `{name}` takes {} {plural}, not {arity}", wanted.join(" or "));
            let help = format!("compare it with `action {}` in the environment", shape(name, arities[0]));
            self.problems.push(Problem::error("M0416", literal.span, message, help));
        }
    }

    fn internal_formula(&mut self, tree: &InternalTree) -> Option<Operation> {
        match tree.name.node.as_str() {
            ".send" => return self.send(tree),
            ".broadcast" => return self.broadcast(tree),
            ".abolish" => match tree.args.first() {
                Some(InternalArgument::Term(TermTree { kind: TermKind::Structure(literal), .. })) => {
                    self.traffic.deleted.push(key(literal));
                }
                _ => self.traffic.deletes_anything = true,
            },
            _ => {}
        }
        match self.internal(tree, Place::Body) {
            Resolved::Builtin(internal, args) => Some(Operation::Internal(internal, args)),
            Resolved::Stub(stub, args) => Some(Operation::Stub(stub, args)),
            Resolved::Refused => None,
        }
    }

    fn send(&mut self, tree: &InternalTree) -> Option<Operation> {
        let [InternalArgument::Term(to), force, InternalArgument::Term(content)] = tree.args.as_slice()
        else {
            self.wrong_message(tree, "`.send(agent, tell, p(x))`");
            return None;
        };
        let receivers = self.receivers(to);
        let force = self.force(force, tree)?;
        let receiver = self.term(to, Purpose::Build("the message is sent"), &mut Vec::new());
        let content = self.content(content, force, &receivers, tree.span);
        Some(Operation::Send(receiver, force, content))
    }

    fn broadcast(&mut self, tree: &InternalTree) -> Option<Operation> {
        let [force, InternalArgument::Term(content)] = tree.args.as_slice() else {
            self.wrong_message(tree, "`.broadcast(tell, p(x))`");
            return None;
        };
        let force = self.force(force, tree)?;
        let content = self.content(content, force, &[None], tree.span);
        Some(Operation::Broadcast(force, content))
    }

    fn wrong_message(&mut self, tree: &InternalTree, shape: &str) {
        let message = format!("`{}` cannot be read with these arguments", tree.name.node);
        self.problems.push(Problem::error("M0412", tree.span, message, format!("write {shape}")));
    }

    fn force(&mut self, arg: &InternalArgument, tree: &InternalTree) -> Option<Force> {
        let (name, span) = match arg {
            InternalArgument::Term(term) => (spelling::term(term), term.span),
            InternalArgument::Condition(condition) => (spelling::condition(condition), tree.span),
        };
        if let Some((_, force)) = FORCES.iter().find(|(known, _)| *known == name) {
            if *force == Force::Unachieve {
                self.strict_lacks(span, "`unachieve`");
            }
            return Some(*force);
        }
        let help = match (suggest(&name, FORCES.map(|(known, _)| known)), name.as_str()) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, "askOne" | "askAll" | "askHow") => {
                "questions are not supported: achieve a goal of the other agent that tells the answer"
                    .to_owned()
            }
            _ => "the forces are tell, untell, achieve and unachieve".to_owned(),
        };
        self.problems.push(Problem::error("M0413", span, format!("there is no force `{name}`"), help));
        None
    }

    /// The members a receiver stands for; `None` among them is one that only the run knows.
    fn receivers(&mut self, to: &TermTree) -> Vec<Option<usize>> {
        match &to.kind {
            TermKind::Structure(literal) if literal.args.is_empty() => {
                let name = &literal.name.node;
                let found = self.context.agents.iter().position(|agent| agent == name);
                if found.is_none() {
                    self.unknown_receiver(name, to.span);
                }
                vec![found]
            }
            TermKind::List(items, None) => items.iter().flat_map(|item| self.receivers(item)).collect(),
            TermKind::Variable(_) | TermKind::List(..) => vec![None],
            _ => {
                self.unknown_receiver(&spelling::term(to), to.span);
                vec![None]
            }
        }
    }

    fn unknown_receiver(&mut self, name: &str, span: Span) {
        let agents = self.context.agents.iter().map(String::as_str);
        let help = match suggest(name.trim_matches('"'), agents) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the agents are {}", self.context.agents.join(", ")),
        };
        self.problems.push(Problem::error("M0414", span, format!("there is no agent `{name}`"), help));
    }

    fn content(&mut self, content: &TermTree, force: Force, to: &[Option<usize>], span: Span) -> Pattern {
        let key = match &content.kind {
            TermKind::Structure(literal) => Some(key(literal)),
            TermKind::Variable(_) => None,
            _ => {
                let help = match &content.kind {
                    TermKind::List(..) => "send one message per literal",
                    _ => "send a literal: `.send(ag1, tell, p(3))`",
                };
                let message = format!("`{}` cannot be the content of a message", spelling::term(content));
                self.problems.push(Problem::error("M0427", content.span, message, help));
                return Pattern::Any;
            }
        };
        for &to in to {
            self.traffic.sent.push(Sent { to, force, key: key.clone(), span });
        }
        let open = self.context.mode == Mode::Jason && matches!(force, Force::Achieve | Force::Unachieve);
        let purpose = if open { Purpose::Open } else { Purpose::Build("the message is sent") };
        self.term(content, purpose, &mut Vec::new())
    }

    fn branch(
        &mut self,
        tree: &FormulaTree,
        condition: &ConditionTree,
        (then, otherwise): (&[FormulaTree], &[FormulaTree]),
        code: &mut Vec<Instruction>,
    ) {
        let before = self.scope.bindings.clone();
        let condition = self.condition(condition);
        let branch = code.len();
        code.push(Instruction { operation: Operation::Jump(0), ..head(tree) });
        self.body(then, code);
        let after = std::mem::replace(&mut self.scope.bindings, before);
        let mut start = code.len();
        if !otherwise.is_empty() {
            let skip = code.len();
            code.push(jump(tree, 0));
            start = code.len();
            self.body(otherwise, code);
            code[skip].operation = Operation::Jump(code.len());
        }
        code[branch].operation = Operation::Branch(condition, start);
        let other = std::mem::take(&mut self.scope.bindings);
        self.scope.bindings = after.either(&other);
    }

    fn while_loop(
        &mut self,
        tree: &FormulaTree,
        condition: &ConditionTree,
        body: &[FormulaTree],
        code: &mut Vec<Instruction>,
    ) {
        let before = self.scope.bindings.clone();
        let condition = self.condition(condition);
        let start = code.len();
        code.push(jump(tree, 0));
        self.body(body, code);
        self.forget(tree, &before, code);
        code.push(jump(tree, start));
        code[start] = Instruction { operation: Operation::Branch(condition, code.len()), ..head(tree) };
        self.scope.bindings = before;
    }

    fn for_loop(
        &mut self,
        tree: &FormulaTree,
        condition: &ConditionTree,
        body: &[FormulaTree],
        code: &mut Vec<Instruction>,
    ) {
        let before = self.scope.bindings.clone();
        let condition = self.condition(condition);
        let inside = self.scope.bindings.clone();
        let bound = inside.since(&before);
        let Some(cell) = self.scope.hidden(tree.span) else {
            self.too_many_variables(tree.span);
            return;
        };
        let start = code.len();
        code.push(jump(tree, 0));
        self.body(body, code);
        self.forget(tree, &inside, code);
        code.push(jump(tree, start));
        let operation = Operation::Each { condition, bound, cell, end: code.len() };
        code[start] = Instruction { operation, ..head(tree) };
        self.scope.bindings = before;
    }

    /// Every round starts with the same bindings.
    fn forget(&mut self, tree: &FormulaTree, before: &super::scope::Bindings, code: &mut Vec<Instruction>) {
        let variables = self.scope.bindings.since(before);
        if !variables.is_empty() {
            code.push(Instruction { operation: Operation::Forget(variables), ..jump(tree, 0) });
        }
    }
}

/// An instruction of this text whose operation is still to come.
fn head(tree: &FormulaTree) -> Instruction {
    Instruction { text: spelling::formula(&tree.kind), ..jump(tree, 0) }
}

/// A jump has no text: it takes no time and no trace shows it.
fn jump(tree: &FormulaTree, target: usize) -> Instruction {
    Instruction { operation: Operation::Jump(target), span: tree.span, text: String::new() }
}

/// `place_bid(_, _)`
fn shape(name: &str, arity: usize) -> String {
    if arity == 0 {
        return name.to_owned();
    }
    let params: Vec<String> = (1..=arity).map(|i| format!("x{i}")).collect();
    format!("{name}({})", params.join(", "))
}
