//! The type hierarchy: no class above itself, and no class that nobody declares.

use std::collections::BTreeMap;

use motet_source::{Problem, Problems, Span};

use super::Project;
use crate::sentence::{Sentence, nearest};

/// Classes that need no declaration.
const BASIC: [&str; 10] =
    ["number", "integer", "real", "boolean", "text", "string", "time", "vector", "matrix", "list"];

/// Checks the ontologies, and the classes that agents and actions use. Without an ontology classes are not checked.
pub(crate) fn check(project: &Project<'_>, problems: &mut Problems) {
    let mut parents: BTreeMap<&str, Vec<(&str, Span)>> = BTreeMap::new();
    let mut names: Vec<&str> = BASIC.to_vec();
    for class in project.ontologies.iter().flat_map(|ontology| &ontology.classes) {
        names.push(&class.name.text);
        let above = parents.entry(&class.name.key).or_default();
        if let Some(parent) = &class.parent {
            above.push((&parent.key, class.name.span));
        }
    }
    cycles(&parents, problems);
    if project.ontologies.is_empty() {
        return;
    }
    let known =
        |class: &Sentence| parents.contains_key(class.key.as_str()) || BASIC.contains(&class.key.as_str());
    let classes = project.ontologies.iter().flat_map(|ontology| &ontology.classes);
    let attributes =
        classes.flat_map(|class| &class.attributes).filter_map(|attribute| attribute.class.as_ref());
    let arguments = project.procedures.iter().flat_map(|procedure| &procedure.arguments);
    let objects = project.members.iter().flat_map(|member| &member.tree.objects);
    let used = attributes
        .chain(arguments.map(|argument| &argument.class))
        .chain(objects.map(|object| &object.class));
    for class in used.filter(|class| !known(class)) {
        let help = match nearest(&class.text, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("declare it in the ontology: `> {}`", class.text),
        };
        let message = format!("there is no class `{}`", class.text);
        problems.push(Problem::error("M0872", class.span, message, help));
    }
}

/// Every class that can be reached from itself is told once, where it is listed under another.
fn cycles(parents: &BTreeMap<&str, Vec<(&str, Span)>>, problems: &mut Problems) {
    for (class, above) in parents {
        let Some((_, span)) = above.first() else { continue };
        let mut seen: Vec<&str> = Vec::new();
        let mut open: Vec<&str> = above.iter().map(|(parent, _)| *parent).collect();
        while let Some(next) = open.pop() {
            if seen.contains(&next) {
                continue;
            }
            seen.push(next);
            open.extend(parents.get(next).into_iter().flatten().map(|(parent, _)| *parent));
        }
        if seen.contains(class) {
            let message = format!("the class `{}` stands above itself", class.replace('_', " "));
            let help = "list it under one class only, and none of those below it";
            problems.push(Problem::error("M0871", *span, message, help));
        }
    }
}
