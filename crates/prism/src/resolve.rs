//! From trees to a program: names, types, constants, copies of modules, composition.

mod commands;
pub(crate) mod compile;
mod composition;
mod constants;
mod initial;
mod modules;
mod rewards;
pub(crate) mod scope;

use std::collections::BTreeSet;

use motet_model::Options;
use motet_source::{Problem, Problems, Span, Spanned};

use crate::program::{Module, ModuleId, Part, Pattern, Program};
use crate::syntax::{Composition, Expression, ExpressionNode, Item, ModelKind, Text};
use commands::Labels;
use compile::{Compiler, MODEL, Renaming};
use modules::Source;
use scope::{Constant, Formula, Meaning, Scope};

/// A resolved model, with the names that claims may use.
pub(crate) struct Resolved {
    pub(crate) program: Program,
    pub(crate) scope: Scope,
}

/// Resolves a file. The program counts only if no problem is an error.
pub(crate) fn resolve(text: &Text, options: &Options, place: Span, problems: &mut Problems) -> Resolved {
    let mut scope = Scope::default();
    define(text, &mut scope, problems);
    let sources = modules::modules(text, problems);
    if sources.is_empty() {
        let help = "write at least one `module ... endmodule`";
        problems.push(Problem::error("M0824", place, "the model has no modules", help));
    }
    modules::declare(text, &sources, &mut scope, problems);
    constants::constants(&mut scope, options, place, problems);
    modules::bound(text, &sources, &mut scope, problems);
    let program = program(text, &sources, &scope, problems);
    Resolved { program, scope }
}

/// Constants and formulas.
fn define(text: &Text, scope: &mut Scope, problems: &mut Problems) {
    for item in &text.items {
        match item {
            Item::Constant(constant) => {
                let meaning = Meaning::Constant(scope.constants.len());
                scope.declare(&constant.name.node, constant.name.span, meaning, problems);
                scope.constants.push(Constant {
                    name: constant.name.clone(),
                    kind: constant.kind,
                    written: constant.value.clone(),
                    value: None,
                });
            }
            Item::Formula(formula) => {
                let meaning = Meaning::Formula(scope.formulas.len());
                scope.declare(&formula.name.node, formula.name.span, meaning, problems);
                let (name, body) = (formula.name.clone(), formula.body.clone());
                scope.formulas.push(Formula { name, body, cyclic: false });
            }
            Item::Label(label) => {
                scope.labels.entry(label.name.node.clone()).or_insert_with(|| label.body.clone());
            }
            _ => {}
        }
    }
}

fn program(text: &Text, sources: &[Source<'_>], scope: &Scope, problems: &mut Problems) -> Program {
    let mut labels = Labels::default();
    let mut compiler = Compiler::new(scope, problems, MODEL);
    let mut all = Vec::new();
    let mut modules = Vec::with_capacity(sources.len());
    for (number, source) in sources.iter().enumerate() {
        let id = ModuleId::of(number);
        all.extend(commands::commands(&mut compiler, source, id, &mut labels));
        let slots = (0..).zip(&scope.variables).filter(|(_, variable)| variable.module == Some(id));
        modules.push(Module { name: source.name.to_owned(), slots: slots.map(|(slot, _)| slot).collect() });
    }
    unused_formulas(&mut compiler, scope);
    let patterns = composition::patterns(
        system(text, compiler.problems),
        &modules,
        &all,
        &mut labels,
        compiler.problems,
    );
    let conditions = rewards::conditions(&mut compiler, text);
    let rewards = rewards::rewards(&mut compiler, text, &labels);
    let initial =
        if compiler.problems.has_errors() { Vec::new() } else { initial::initial(&mut compiler, text) };
    let known = scope.constants.iter();
    let constants =
        known.filter_map(|constant| Some((constant.name.node.clone(), constant.value?))).collect();
    let program = Program {
        kind: text.kind.as_ref().map_or(ModelKind::Mdp, |kind| kind.node),
        variables: scope.variables.clone(),
        modules,
        labels: labels.names,
        commands: all,
        patterns,
        conditions,
        rewards,
        initial,
        constants,
    };
    shared_globals(&program, problems);
    program
}

/// Formulas are looked at even if nothing uses them.
fn unused_formulas(compiler: &mut Compiler<'_>, scope: &Scope) {
    for formula in scope.formulas.iter().filter(|formula| !formula.cyclic) {
        compiler.typed(&formula.body, &Renaming::new());
    }
}

fn system<'t>(text: &'t Text, problems: &mut Problems) -> Option<&'t Composition> {
    let mut systems = text.items.iter().filter_map(|item| match item {
        Item::System(composition) => Some(composition),
        _ => None,
    });
    let first = systems.next()?;
    if let Some(second) = systems.next() {
        let problem = Problem::error("M0812", second.span, "there are two systems", "remove one of them")
            .also(first.span, "here first");
        problems.push(problem);
    }
    Some(first)
}

/// Commands that happen together may not change a global variable, because two of them could change it at once.
fn shared_globals(program: &Program, problems: &mut Problems) {
    let together = |pattern: &&Pattern| pattern.parts.len() > 1;
    let parts: BTreeSet<Part> =
        program.patterns.iter().filter(together).flat_map(|pattern| pattern.parts.iter().copied()).collect();
    for command in &program.commands {
        if !parts.contains(&Part { module: command.module, label: command.label }) {
            continue;
        }
        let assignments = command.updates.iter().flat_map(|update| &update.assignments);
        let mut globals = assignments.map(|assignment| &program.variables[assignment.slot as usize]);
        if let Some(variable) = globals.find(|variable| variable.module.is_none()) {
            let message =
                format!("`{}` is global, and this command happens together with others", variable.name);
            let help = "change global variables in commands that do not synchronise";
            problems.push(Problem::error("M0820", command.span, message, help));
        }
    }
}

/// An expression with the names of a copy.
pub(crate) fn renamed(expression: &Expression, names: &Renaming) -> Expression {
    if names.is_empty() {
        return expression.clone();
    }
    let new = |name: &String| names.get(name).unwrap_or(name).clone();
    let inside = |inner: &Expression| Box::new(renamed(inner, names));
    let all = |parts: &[Expression]| parts.iter().map(|part| renamed(part, names)).collect();
    let node = match &expression.node {
        ExpressionNode::Name(name) => ExpressionNode::Name(new(name)),
        ExpressionNode::Not(inner) => ExpressionNode::Not(inside(inner)),
        ExpressionNode::Negative(inner) => ExpressionNode::Negative(inside(inner)),
        ExpressionNode::And(parts) => ExpressionNode::And(all(parts)),
        ExpressionNode::Or(parts) => ExpressionNode::Or(all(parts)),
        ExpressionNode::Binary(operator, left, right) => {
            ExpressionNode::Binary(*operator, inside(left), inside(right))
        }
        ExpressionNode::Conditional(condition, yes, no) => {
            ExpressionNode::Conditional(inside(condition), inside(yes), inside(no))
        }
        ExpressionNode::Call(function, parts) => {
            ExpressionNode::Call(Spanned::new(new(&function.node), function.span), all(parts))
        }
        other => other.clone(),
    };
    Expression { node, span: expression.span }
}
