//! Conditions: contexts, tests, bodies of rules, queries of internal actions.

use motet_source::{Problem, Span};

use crate::program::{Argument, Condition, Internal, Mode, Pattern};
use crate::syntax::{ConditionTree, InternalArgument, InternalTree, RelationOperator, TermKind, TermTree};

use super::agent::AgentResolver;
use super::internals::{self, Builtin, Role, Use};
use super::pattern::{Purpose, key};
use super::spelling;

/// Where an internal action is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Condition,
    Body,
}

/// An internal action after lookup.
pub(crate) enum Resolved {
    Builtin(Internal, Vec<Argument>),
    Stub(usize, Vec<Pattern>),
    Refused,
}

impl AgentResolver<'_, '_> {
    /// A condition; what it binds has a value afterwards.
    pub(crate) fn condition(&mut self, tree: &ConditionTree) -> Condition {
        match tree {
            ConditionTree::True(_) => Condition::True,
            ConditionTree::False(_) => Condition::False,
            ConditionTree::Belief(literal) => {
                self.traffic.asked.push((key(literal), literal.name.span));
                let mut seen = Vec::new();
                let atom = self.atom(literal, Purpose::Match, &mut seen);
                seen.into_iter().for_each(|variable| self.scope.bindings.bind(variable));
                Condition::Belief(atom)
            }
            ConditionTree::Internal(internal) => self.internal_condition(internal),
            ConditionTree::Relation(operator, left, right) => {
                let (left, right) = self.relation(*operator, left, right);
                Condition::Relation(*operator, left, right)
            }
            ConditionTree::Not(inner, _) => {
                let before = self.scope.bindings.clone();
                let inner = self.condition(inner);
                self.scope.bindings = before;
                Condition::Not(Box::new(inner))
            }
            ConditionTree::And(left, right) => {
                let mut parts = conjuncts(self.condition(left));
                parts.extend(conjuncts(self.condition(right)));
                match parts.len() {
                    0 => Condition::True,
                    1 => parts.remove(0),
                    _ => Condition::And(parts),
                }
            }
            ConditionTree::Or(left, right) => {
                let before = self.scope.bindings.clone();
                let mut parts = disjuncts(self.condition(left));
                let after = std::mem::replace(&mut self.scope.bindings, before);
                parts.extend(disjuncts(self.condition(right)));
                let other = std::mem::take(&mut self.scope.bindings);
                self.scope.bindings = after.either(&other);
                Condition::Or(parts)
            }
        }
    }

    /// Both sides of a relation.
    pub(crate) fn relation(
        &mut self,
        operator: RelationOperator,
        left: &TermTree,
        right: &TermTree,
    ) -> (Pattern, Pattern) {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        match operator {
            RelationOperator::Unify | RelationOperator::Decompose => {
                let left = self.term(left, Purpose::Match, &mut a);
                let right = self.term(right, Purpose::Match, &mut b);
                let known =
                    |side: &[_]| side.iter().all(|&variable| self.scope.bindings.is_certain(variable));
                let certain = known(&a) || known(&b);
                for variable in a.into_iter().chain(b) {
                    if certain {
                        self.scope.bindings.bind(variable);
                    } else {
                        self.scope.bindings.may_bind(variable);
                    }
                }
                (left, right)
            }
            RelationOperator::Equal | RelationOperator::Different => {
                (self.term(left, Purpose::Open, &mut a), self.term(right, Purpose::Open, &mut b))
            }
            _ => {
                let purpose = Purpose::Build("this is compared");
                (self.term(left, purpose, &mut a), self.term(right, purpose, &mut b))
            }
        }
    }

    fn internal_condition(&mut self, tree: &InternalTree) -> Condition {
        if matches!(tree.name.node.as_str(), ".send" | ".broadcast") {
            self.not_a_condition(tree);
            return Condition::True;
        }
        match self.internal(tree, Place::Condition) {
            // Printing is shown where it happens as a formula; a condition may be tried any number of times.
            Resolved::Builtin(Internal::Print, _) => Condition::True,
            Resolved::Builtin(Internal::Fail, _) => Condition::False,
            Resolved::Builtin(internal, args) => Condition::Internal(internal, args),
            Resolved::Stub(stub, args) => Condition::Stub(stub, args),
            Resolved::Refused => Condition::True,
        }
    }

    fn not_a_condition(&mut self, tree: &InternalTree) {
        self.problems.push(Problem::error(
            "M0426",
            tree.span,
            format!("`{}` changes something, so it cannot be a condition", tree.name.node),
            "move it to the plan's body",
        ));
    }

    /// Looks an internal action up and resolves its arguments.
    pub(crate) fn internal(&mut self, tree: &InternalTree, place: Place) -> Resolved {
        if let Some(stub) = self.context.stubs.iter().position(|stub| stub.name == tree.name.node) {
            return self.stub(stub, tree);
        }
        let Some(builtin) = internals::find(&tree.name.node) else {
            self.unknown_internal(tree);
            return Resolved::Refused;
        };
        let jason_only = matches!(builtin.place, Use::JasonTest | Use::JasonBody);
        if jason_only && self.context.mode == Mode::Strict {
            self.refuse_feature(tree.name.span, &format!("`{}`", builtin.name));
        }
        if place == Place::Condition && matches!(builtin.place, Use::Body | Use::JasonBody) {
            self.not_a_condition(tree);
            return Resolved::Refused;
        }
        if !builtin.accepts(tree.args.len()) {
            self.wrong_arity(tree, &builtin.arity());
            return Resolved::Refused;
        }
        if builtin.internal == Internal::Wait {
            self.check_wait(tree);
        }
        let args = self.arguments(builtin, tree);
        Resolved::Builtin(builtin.internal, args)
    }

    fn wrong_arity(&mut self, tree: &InternalTree, wanted: &str) {
        let message = format!("`{}` takes {wanted}, not {}", tree.name.node, tree.args.len());
        self.problems.push(Problem::error(
            "M0412",
            tree.span,
            message,
            "compare the arguments with the manual",
        ));
    }

    fn unknown_internal(&mut self, tree: &InternalTree) {
        let name = &tree.name.node;
        if name == ".at" {
            self.problems.push(Problem::error(
                "M0406",
                tree.span,
                "`.at` is not supported",
                "post the goal with `!!`, and let its plan begin with `.wait`",
            ));
            return;
        }
        let stubs = self.context.stubs.iter().map(|stub| stub.name.as_str());
        let known: Vec<&str> = internals::names().map(|name| -> &str { name }).chain(stubs).collect();
        let help = match motet_source::suggest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let params = vec!["+"; tree.args.len()].join(", ");
                format!("say in the team file what it answers: `stub {name}({params}) either`")
            }
        };
        self.problems.push(Problem::error(
            "M0411",
            tree.name.span,
            format!("there is no internal action `{name}`"),
            help,
        ));
    }

    /// Only time can be waited for.
    fn check_wait(&mut self, tree: &InternalTree) {
        let is_time = matches!(
            tree.args.first(),
            Some(InternalArgument::Term(TermTree {
                kind: TermKind::Int(_) | TermKind::Variable(_) | TermKind::Binary(..) | TermKind::Real(_),
                ..
            }))
        );
        if !is_time {
            self.problems.push(Problem::error(
                "M0406",
                tree.span,
                "`.wait` for an event or a condition is not supported",
                "end the plan here and go on in a plan that reacts to the event",
            ));
        }
    }

    fn arguments(&mut self, builtin: &Builtin, tree: &InternalTree) -> Vec<Argument> {
        let n = tree.args.len();
        // The template of `.findall` shares the variables of its query, so queries come first.
        let mut args: Vec<Option<Argument>> = vec![None; n];
        let before = self.scope.bindings.clone();
        for (i, arg) in tree.args.iter().enumerate() {
            if builtin.role(i, n) == Role::Query {
                args[i] = Some(Argument::Condition(self.query(arg)));
            }
        }
        let mut bound = Vec::new();
        for (i, arg) in tree.args.iter().enumerate() {
            let role = builtin.role(i, n);
            if role != Role::Query {
                args[i] = Some(self.argument(tree, arg, role, &mut bound));
            }
        }
        self.scope.bindings = before;
        bound.into_iter().for_each(|variable| self.scope.bindings.bind(variable));
        args.into_iter().map(|arg| arg.expect("every role is handled")).collect()
    }

    fn query(&mut self, arg: &InternalArgument) -> Condition {
        match arg {
            InternalArgument::Condition(condition) => self.condition(condition),
            InternalArgument::Term(term) => match &term.kind {
                TermKind::Structure(literal) => self.condition(&ConditionTree::Belief((**literal).clone())),
                _ => {
                    self.problems.push(Problem::error(
                        "M0426",
                        term.span,
                        format!("`{}` is not a condition", spelling::term(term)),
                        "write a belief `p(X)`, a relation or a combination of these",
                    ));
                    Condition::False
                }
            },
        }
    }

    fn argument(
        &mut self,
        tree: &InternalTree,
        arg: &InternalArgument,
        role: Role,
        bound: &mut Vec<crate::program::VariableIndex>,
    ) -> Argument {
        let InternalArgument::Term(term) = arg else {
            self.problems.push(Problem::error(
                "M0426",
                tree.span,
                format!("an argument of `{}` is a condition", tree.name.node),
                "only `.findall`, `.setof` and `.count` take one",
            ));
            return Argument::Term(Pattern::Any);
        };
        let mut seen = Vec::new();
        let what = format!("`{}` runs", tree.name.node);
        let pattern = match role {
            Role::In => self.term(term, Purpose::Build(&what), &mut seen),
            Role::Out | Role::Pattern => {
                let pattern = self.term(term, Purpose::Match, &mut seen);
                bound.append(&mut seen);
                pattern
            }
            Role::Any | Role::Query => self.term(term, Purpose::Open, &mut seen),
        };
        Argument::Term(pattern)
    }

    fn stub(&mut self, stub: usize, tree: &InternalTree) -> Resolved {
        let params = &self.context.stubs[stub].params;
        if params.len() != tree.args.len() {
            let n = params.len();
            let wanted = format!("{n} {} by its stub", if n == 1 { "argument" } else { "arguments" });
            self.wrong_arity(tree, &wanted);
            return Resolved::Refused;
        }
        let mut bound = Vec::new();
        let mut args = Vec::new();
        for (direction, arg) in params.iter().zip(&tree.args) {
            let role = match direction {
                crate::syntax::Direction::In => Role::In,
                crate::syntax::Direction::Out => Role::Out,
            };
            match self.argument(tree, arg, role, &mut bound) {
                Argument::Term(pattern) => args.push(pattern),
                Argument::Condition(_) => args.push(Pattern::Any),
            }
        }
        bound.into_iter().for_each(|variable| self.scope.bindings.bind(variable));
        Resolved::Stub(stub, args)
    }

    /// A feature of Jason in a program that is read as AgentSpeak(F).
    pub(crate) fn refuse_feature(&mut self, span: Span, feature: &str) {
        self.problems.push(Problem::error(
            "M0418",
            span,
            format!("AgentSpeak(F) does not have {feature}"),
            "add `mode jason` to the team file or pass --mode jason",
        ));
    }
}

fn conjuncts(condition: Condition) -> Vec<Condition> {
    match condition {
        Condition::And(parts) => parts,
        Condition::True => Vec::new(),
        other => vec![other],
    }
}

fn disjuncts(condition: Condition) -> Vec<Condition> {
    match condition {
        Condition::Or(parts) => parts,
        other => vec![other],
    }
}
