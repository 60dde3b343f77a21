//! From the tree to a program: names, sorts, disjuncts, and everything that can be said against a text before it runs.

mod compile;
mod constants;
mod declare;
mod evaluate;
mod nets;
mod ports;
mod remarks;
pub(crate) mod scope;
pub(crate) mod sorts;
mod transitions;

use motet_model::Options;
use motet_source::{Problem, Problems, Span};

use self::compile::{Compiler, Context, Kind, Typed};
use self::declare::Declarations;
use self::scope::Uses;
use crate::program::{Body, Definition, Program, Sort};
use crate::syntax::{Expression, Item, Text};
use crate::value::NetId;

pub use self::scope::Scope;

/// A resolved model, with the names that claims may use.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The model.
    pub program: Program,
    /// What names mean.
    pub scope: Scope,
}

/// Resolves a text whose aspects are woven and whose roles are expanded. `None` if there are errors; all of them are said at
/// once. The options bind constants anew; `place` is where problems stand that have no place of their own.
pub fn resolve(text: &Text, options: &Options, place: Span, problems: &mut Problems) -> Option<Resolved> {
    let mut found = Problems::new();
    let resolved = read(text, options, place, &mut found);
    found.sort();
    let failed = found.has_errors();
    problems.extend(found);
    resolved.filter(|_| !failed)
}

fn read(text: &Text, options: &Options, place: Span, problems: &mut Problems) -> Option<Resolved> {
    let mut declared = Declarations::read(text, options, place, problems);
    let written = text.items.iter().filter_map(|item| match item {
        Item::Net(net) => Some(net),
        _ => None,
    });
    let mut ports = Vec::new();
    let nets: Vec<_> =
        (0..).zip(written).map(|(id, net)| nets::net(&mut declared, NetId(id), net, &mut ports)).collect();
    let definitions = definitions(&mut declared);
    ports::check(&mut declared, &ports);
    remarks::remarks(&mut declared, text, &nets);
    let scope = declared.scope;
    let constants = scope.constants.iter().map(|(name, (_, value))| (name.clone(), value.clone())).collect();
    let program = Program {
        enumerations: scope.enumerations.clone(),
        ports: scope.ports.clone(),
        nets,
        system: scope.system?,
        definitions,
        constants,
    };
    Some(Resolved { program, scope })
}

/// Definitions are looked at even if nothing uses them, as the system net would understand them. They are put in where they
/// are used; those without parameters are also kept for reports.
fn definitions(declared: &mut Declarations<'_>) -> Vec<Definition> {
    let mut all = Vec::new();
    for number in 0..declared.scope.definitions.len() {
        let mut found = Problems::new();
        let mut uses = Uses::default();
        let kept = definition(&declared.scope, number, &mut found, &mut uses);
        declared.uses.sorts.append(&mut uses.sorts);
        // One that an agent net uses may speak of the places of that net; there it was looked at already.
        if !found.has_errors() || !declared.uses.definitions.contains(&number) {
            declared.problems.extend(found);
            all.extend(kept);
        }
    }
    all
}

fn definition(scope: &Scope, number: usize, problems: &mut Problems, uses: &mut Uses) -> Option<Definition> {
    let definition = &scope.definitions[number];
    let mut names = scope::Names::default();
    for parameter in &definition.parameters {
        names.declare(parameter, problems);
        if let Some(what) = scope.fixed(&parameter.node) {
            let message = format!("`{}` is {what} and cannot be a parameter", parameter.node);
            let help = "choose another name for the parameter";
            problems.push(Problem::error("M1039", parameter.span, message, help));
        }
    }
    let (body, kind) = body(scope, number, problems, uses);
    if !definition.parameters.is_empty() {
        return None;
    }
    let sort = match kind {
        Kind::Value(sort) => sort,
        Kind::Tokens(sort) => sort.set(),
    };
    Some(Definition { name: definition.name.node.clone(), arity: 0, body, sort, span: definition.name.span })
}

/// The body of a definition as the system net understands it, whatever its parameters are.
fn body(scope: &Scope, number: usize, problems: &mut Problems, uses: &mut Uses) -> (Body, Kind) {
    let mut compiler = Compiler::new(scope, problems, uses, scope.system, Context::Claim);
    let arguments = scope.definitions[number].parameters.iter().map(|_| Typed::unknown()).collect();
    let typed = compiler.inside_of(number, arguments);
    (compiler.body(typed.expr), typed.kind)
}

/// The definitions that stand for sets or tokens.
pub(crate) fn defined_collections(resolved: &Resolved) -> Vec<String> {
    let scope = &resolved.scope;
    let is_many = |number: &usize| {
        let (_, kind) = body(scope, *number, &mut Problems::new(), &mut Uses::default());
        matches!(kind, Kind::Tokens(_) | Kind::Value(Sort::Set(_)))
    };
    let many = (0..scope.definitions.len()).filter(is_many);
    many.map(|number| scope.definitions[number].name.node.clone()).collect()
}

/// The definitions without parameters: name, whether it stands for tokens, and the sort of the value or of each token.
pub(crate) fn defined_sorts(resolved: &Resolved) -> Vec<(String, bool, Sort)> {
    let scope = &resolved.scope;
    let sorts = scope.definitions.iter().enumerate().filter(|(_, it)| it.parameters.is_empty()).map(
        |(number, definition)| {
            let (_, kind) = body(scope, number, &mut Problems::new(), &mut Uses::default());
            let name = definition.name.node.clone();
            match kind {
                Kind::Value(sort) => (name, false, sort),
                Kind::Tokens(sort) => (name, true, sort),
            }
        },
    );
    sorts.collect()
}

/// What a claim says of the marking of the system net: a truth over places, cells, definitions, `count`, `enabled` and
/// patterns with `_`.
pub fn claim(resolved: &Resolved, expression: &Expression, problems: &mut Problems) -> Option<Body> {
    let (body, sort) = term(resolved, expression, problems)?;
    if sort != Sort::Bool {
        let shown = sorts::shown(&sort, &resolved.scope.enumerations);
        let message = format!("a claim is true or false, and this is {shown}");
        let help = "compare it with something";
        problems.push(Problem::error("M1023", expression.span, message, help));
        return None;
    }
    Some(body)
}

/// What a part of a claim computes in the marking of the system net, with its sort; tokens count as a set.
pub fn term(resolved: &Resolved, expression: &Expression, problems: &mut Problems) -> Option<(Body, Sort)> {
    let mut found = Problems::new();
    let mut uses = Uses::default();
    let system = resolved.scope.system;
    let mut compiler = Compiler::new(&resolved.scope, &mut found, &mut uses, system, Context::Claim);
    let typed = compiler.expression(expression, compile::Want::Anything);
    let body = compiler.body(typed.expr);
    let sort = match typed.kind {
        Kind::Value(sort) => sort,
        Kind::Tokens(sort) => sort.set(),
    };
    let failed = found.has_errors();
    found.sort();
    problems.extend(found);
    if failed { None } else { Some((body, sort)) }
}
