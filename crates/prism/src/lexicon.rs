//! The words that claims may use.

use std::collections::BTreeMap;

use motet_model::{Observers, Sort, Terms, TimeUnit, Vocabulary};
use motet_source::Problems;

use crate::expr::Typed;
use crate::program::{Domain, LabelId};
use crate::resolve::Resolved;
use crate::resolve::compile::{CLAIM, Compiler, Renaming};

/// Labels, variables, formulas, rewards and constants.
pub(crate) fn vocabulary(resolved: &Resolved) -> Vocabulary {
    let program = &resolved.program;
    let mut labels: Vec<String> = program.conditions.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    labels.extend(["\"init\"".to_owned(), "\"deadlock\"".to_owned()]);
    let mut groups = vec![("labels".to_owned(), labels)];
    let shown = |variable: &crate::program::Variable| match variable.domain {
        Domain::Bool => format!("{} : bool", variable.name),
        Domain::Range { low, high } => format!("{} : [{low}..{high}]", variable.name),
    };
    let globals: Vec<String> =
        program.variables.iter().filter(|variable| variable.module.is_none()).map(shown).collect();
    groups.push(("global variables".to_owned(), globals));
    for module in &program.modules {
        let variables = module.slots.iter().map(|slot| shown(&program.variables[*slot as usize])).collect();
        groups.push((format!("variables of {}", module.name), variables));
    }
    groups.push((
        "formulas".to_owned(),
        resolved.scope.formulas.iter().map(|formula| formula.name.node.clone()).collect(),
    ));
    let rewards = program.rewards.iter().map(|rewards| match rewards.name.as_str() {
        "" => "without a name".to_owned(),
        name => format!("\"{name}\""),
    });
    groups.push(("rewards".to_owned(), rewards.collect()));
    let steps = (0..program.labels.len()).map(LabelId::of);
    groups.push((
        "labels of steps".to_owned(),
        steps.map(|label| format!("[{}]", program.labels[label.index()])).collect(),
    ));
    groups.retain(|(_, words)| !words.is_empty());
    let parameters =
        program.constants.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    let modules: Vec<String> = program.modules.iter().map(|module| module.name.clone()).collect();
    let observers = if modules.is_empty() {
        Observers::Nobody("this model has no modules".to_owned())
    } else {
        Observers::Named(modules.clone())
    };
    let sorts = vec![("module".to_owned(), modules)];
    let terms = terms(resolved);
    let unit = Some(TimeUnit::Steps);
    Vocabulary { observers, sorts, groups, parameters, terms, unit, ..Vocabulary::default() }
}

/// Variables and formulas with what they are; what stands in quotes is a label.
fn terms(resolved: &Resolved) -> Terms {
    let variables = resolved.program.variables.iter().map(|variable| {
        let sort = match variable.domain {
            Domain::Bool => Sort::Truth,
            Domain::Range { low, high } => Sort::Whole(Some(low), Some(high)),
        };
        (variable.name.clone(), sort)
    });
    let mut names: BTreeMap<String, Sort> = variables.collect();
    for formula in resolved.scope.formulas.iter().filter(|formula| !formula.cyclic) {
        // What is wrong with a formula is told when it is used.
        let mut found = Problems::new();
        let typed = Compiler::new(&resolved.scope, &mut found, CLAIM).typed(&formula.body, &Renaming::new());
        let sort = match typed {
            Some(Typed::Test(_)) => Sort::Truth,
            Some(Typed::Whole(_)) => Sort::Whole(None, None),
            Some(Typed::Real(_)) => Sort::Number,
            None => Sort::Open,
        };
        names.insert(formula.name.node.clone(), sort);
    }
    Terms { names, quoted: Some(Sort::Truth), ..Terms::default() }
}
