//! Which modules there are, copies included, and their variables.

use std::collections::BTreeMap;

use motet_source::{Problem, Problems, Span};

use super::compile::Renaming;
use super::constants::computed;
use super::scope::{Meaning, Scope, twice};
use crate::fold::Value;
use crate::nearest::nearest;
use crate::program::{Domain, ModuleId, Variable};
use crate::syntax::{self, Item, Text};

/// A module with the names that its text gets.
pub(crate) struct Source<'t> {
    pub(crate) name: &'t str,
    pub(crate) span: Span,
    pub(crate) text: &'t syntax::Module,
    pub(crate) names: Renaming,
}

/// All modules in order.
pub(crate) fn modules<'t>(text: &'t Text, problems: &mut Problems) -> Vec<Source<'t>> {
    let mut known: BTreeMap<&str, Span> = BTreeMap::new();
    let mut sources: Vec<Source<'t>> = Vec::new();
    // A copy may stand before what it copies: whatever has its base is made, until nothing new comes.
    let mut waiting: Vec<(usize, &'t syntax::Renamed)> = Vec::new();
    let mut order: Vec<(usize, usize)> = Vec::new();
    for (place, item) in text.items.iter().enumerate() {
        let name = match item {
            Item::Module(module) => &module.name,
            Item::Renamed(renamed) => &renamed.name,
            _ => continue,
        };
        if let Some(first) = known.get(name.node.as_str()) {
            problems.push(twice(&name.node, name.span, *first));
            continue;
        }
        known.insert(&name.node, name.span);
        match item {
            Item::Module(module) => {
                order.push((place, sources.len()));
                let names = Renaming::new();
                sources.push(Source { name: &name.node, span: name.span, text: module, names });
            }
            Item::Renamed(renamed) => waiting.push((place, renamed)),
            _ => {}
        }
    }
    loop {
        let before = waiting.len();
        waiting.retain(|(place, renamed)| {
            let Some(base) = sources.iter().position(|source| source.name == renamed.base.node) else {
                return true;
            };
            let copy = copy(renamed, &sources[base], problems);
            order.push((*place, sources.len()));
            sources.push(copy);
            false
        });
        if waiting.len() == before {
            break;
        }
    }
    for (_, renamed) in waiting {
        problems.push(no_base(renamed, &known));
    }
    order.sort_unstable();
    let mut slots: Vec<Option<Source<'t>>> = sources.into_iter().map(Some).collect();
    order.into_iter().filter_map(|(_, number)| slots[number].take()).collect()
}

fn no_base(renamed: &syntax::Renamed, known: &BTreeMap<&str, Span>) -> Problem {
    let base = &renamed.base;
    if known.contains_key(base.node.as_str()) {
        let message = format!("module `{}` is a copy of itself", renamed.name.node);
        return Problem::error("M0824", base.span, message, "copy a module that is written out");
    }
    let help = match nearest(&base.node, known.keys().copied()) {
        Some(near) => format!("did you mean `{near}`"),
        None => "copy a module of this file".to_owned(),
    };
    Problem::error("M0824", base.span, format!("there is no module `{}`", base.node), help)
}

fn copy<'t>(renamed: &'t syntax::Renamed, base: &Source<'t>, problems: &mut Problems) -> Source<'t> {
    let mut map = Renaming::new();
    for (old, new) in &renamed.renames {
        if map.insert(old.node.clone(), new.node.clone()).is_some() {
            let message = format!("`{}` is renamed twice", old.node);
            problems.push(Problem::error("M0824", old.span, message, "remove one of the two"));
        }
    }
    for variable in &base.text.variables {
        let name = base.names.get(&variable.name.node).unwrap_or(&variable.name.node);
        if !map.contains_key(name) {
            let message = format!(
                "the copy `{}` of `{}` does not rename its variable `{name}`",
                renamed.name.node, renamed.base.node
            );
            let help = format!("write `[{name}=...]` with a new name");
            problems.push(Problem::error("M0824", renamed.name.span, message, help));
        }
    }
    // The base's own new names first, then these.
    let mut names: Renaming =
        base.names.iter().map(|(old, new)| (old.clone(), map.get(new).unwrap_or(new).clone())).collect();
    for (old, new) in map {
        names.entry(old).or_insert(new);
    }
    Source { name: &renamed.name.node, span: renamed.name.span, text: base.text, names }
}

/// Declares the variables: their names first, so that expressions can be read, with a domain that is filled in later.
pub(crate) fn declare(text: &Text, sources: &[Source<'_>], scope: &mut Scope, problems: &mut Problems) {
    for item in &text.items {
        if let Item::Global(declaration) = item {
            declare_one(declaration, None, &declaration.name.node, scope, problems);
        }
    }
    for (number, source) in sources.iter().enumerate() {
        for declaration in &source.text.variables {
            let written = &declaration.name.node;
            let name = source.names.get(written).unwrap_or(written);
            declare_one(declaration, Some((ModuleId::of(number), source.span)), name, scope, problems);
        }
    }
}

fn declare_one(
    declaration: &syntax::Declaration,
    module: Option<(ModuleId, Span)>,
    name: &str,
    scope: &mut Scope,
    problems: &mut Problems,
) {
    let slot = u32::try_from(scope.variables.len()).expect("texts are shorter than 4 GiB");
    let is_copy = name != declaration.name.node;
    let span = module.filter(|_| is_copy).map_or(declaration.name.span, |(_, span)| span);
    scope.declare(name, span, Meaning::Variable(slot), problems);
    let domain = match declaration.domain {
        syntax::Domain::Bool => Domain::Bool,
        syntax::Domain::Range(..) => Domain::Range { low: 0, high: 0 },
    };
    let module = module.map(|(module, _)| module);
    scope.variables.push(Variable { name: name.to_owned(), domain, initial: 0, module });
}

/// Computes ranges and initial values.
pub(crate) fn bound(text: &Text, sources: &[Source<'_>], scope: &mut Scope, problems: &mut Problems) {
    let empty = Renaming::new();
    let globals = text.items.iter().filter_map(|item| match item {
        Item::Global(declaration) => Some((declaration, &empty)),
        _ => None,
    });
    let locals = sources
        .iter()
        .flat_map(|source| source.text.variables.iter().map(move |declaration| (declaration, &source.names)));
    let declarations: Vec<_> = globals.chain(locals).collect();
    for (slot, (declaration, names)) in declarations.into_iter().enumerate() {
        if let syntax::Domain::Range(low, high) = &declaration.domain
            && let Some(domain) = range(scope, (low, high), names, problems)
        {
            scope.variables[slot].domain = domain;
        }
        let domain = scope.variables[slot].domain;
        if let Some(initial) = &declaration.initial
            && let Some(value) = constant(scope, initial, names, problems)
        {
            match slot_of(domain, value) {
                Some(value) => scope.variables[slot].initial = value,
                None => problems.push(bad_initial(&scope.variables[slot], domain, value, initial.span)),
            }
        }
    }
}

/// A constant in the text of a module that may be a copy.
fn constant(
    scope: &Scope,
    expression: &syntax::Expression,
    names: &Renaming,
    problems: &mut Problems,
) -> Option<Value> {
    computed(scope, &super::renamed(expression, names), problems)
}

fn range(
    scope: &Scope,
    (low, high): (&syntax::Expression, &syntax::Expression),
    names: &Renaming,
    problems: &mut Problems,
) -> Option<Domain> {
    let span = low.span.to(high.span);
    let (low, high) = (constant(scope, low, names, problems)?, constant(scope, high, names, problems)?);
    let (Value::Whole(low), Value::Whole(high)) = (low, high) else {
        let help = "use `floor` or `ceil` where a bound is computed";
        problems.push(Problem::error("M0818", span, "the bounds of a range are whole numbers", help));
        return None;
    };
    if low > high {
        let message = format!("the range [{low}..{high}] is empty");
        problems.push(Problem::error("M0818", span, message, "the lower bound comes first"));
        return None;
    }
    if high.abs_diff(low) >= u64::from(u32::MAX) || low.unsigned_abs().max(high.unsigned_abs()) > 1 << 53 {
        let message = format!("the range [{low}..{high}] is too large");
        problems.push(Problem::error("M0818", span, message, "a variable has fewer than 2^32 values"));
        return None;
    }
    Some(Domain::Range { low, high })
}

/// The slot's number for a value; `None` when the value is not in the domain.
fn slot_of(domain: Domain, value: Value) -> Option<u32> {
    match (domain, value) {
        (Domain::Bool, Value::Truth(value)) => Some(u32::from(value)),
        (Domain::Range { low, high }, Value::Whole(value)) if low <= value && value <= high => {
            u32::try_from(value - low).ok()
        }
        _ => None,
    }
}

fn bad_initial(variable: &Variable, domain: Domain, value: Value, span: Span) -> Problem {
    let (message, help) = match (domain, value) {
        (Domain::Range { low, high }, Value::Whole(_)) => (
            format!("`{}` starts with {value}, which is not in [{low}..{high}]", variable.name),
            "change the range or the value",
        ),
        (Domain::Range { .. }, _) => (
            format!("`{}` is a whole number and starts with {value}", variable.name),
            "give it a whole number",
        ),
        (Domain::Bool, _) => (
            format!("`{}` is true or false and starts with {value}", variable.name),
            "write `true` or `false`",
        ),
    };
    Problem::error("M0819", span, message, help)
}
