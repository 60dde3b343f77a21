//! What detectables look for and what messages carry.

use motet_machine::Expr as Term;

use crate::program::{AttributeId, AttributeKind, EntityId, Expr, Key, KeyId, Sighted, Sought, Value};
use crate::promela::body::places;
use crate::promela::cells::reads;
use crate::promela::expr::{Form, Scope};
use crate::promela::lack::Lack;

/// The entities that something sought speaks of.
pub(crate) fn sighted(scope: &Scope<'_>, one: &Sighted) -> Result<Vec<EntityId>, Lack> {
    match one {
        Sighted::One(subject) => scope.entities(*subject),
        Sighted::Every(entities) => {
            let exists = |one: &&EntityId| scope.world.program.entities[one.index()].exists;
            Ok(entities.iter().filter(exists).copied().collect())
        }
    }
}

/// The keys that something sought can be, each with the condition under which it is that one.
pub(crate) fn keys(scope: &Scope<'_>, sought: &Sought) -> Result<Vec<(KeyId, Term)>, Lack> {
    let program = scope.world.program;
    let mut found = Vec::new();
    match sought {
        Sought::Attribute { subject, attribute, index, .. } => {
            for entity in sighted(scope, subject)? {
                match index {
                    Some(index) => {
                        let of = crate::program::Subject::Entity(entity);
                        let place = crate::program::Place::Entry(of, *attribute, Box::new(index.clone()));
                        found.extend(places(scope, &place)?);
                    }
                    None => {
                        let sure = |key| (key, Term::Truth(true));
                        if is_map(scope, *attribute) {
                            found.extend(program.keys.entries(entity, *attribute).map(|(_, key)| sure(key)));
                        } else {
                            found.extend(program.keys.find(Key::Attribute(entity, *attribute)).map(sure));
                        }
                    }
                }
            }
        }
        Sought::Related { subject, relation, object, .. } => {
            let objects = object.as_ref().map(|object| sighted(scope, object)).transpose()?;
            for entity in sighted(scope, subject)? {
                for (other, key) in program.keys.pairs(entity, *relation) {
                    if objects.as_ref().is_none_or(|objects| objects.contains(&other)) {
                        found.push((key, Term::Truth(true)));
                    }
                }
            }
        }
    }
    Ok(found)
}

fn is_map(scope: &Scope<'_>, attribute: AttributeId) -> bool {
    scope.world.program.attributes[attribute.index()].kind == AttributeKind::Map
}

/// The keys that the right side of a test reads.
pub(crate) fn compared(scope: &Scope<'_>, sought: &Sought) -> Result<Vec<(KeyId, Term)>, Lack> {
    let Sought::Attribute { test: Some((_, expr)), .. } = sought else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    reads(expr, &mut found);
    let mut all = Vec::new();
    for place in found {
        all.extend(places(scope, place)?);
    }
    Ok(all)
}

/// Whether a value is what is sought.
pub(crate) fn fits(scope: &Scope<'_>, sought: &Sought, value: &Form) -> Result<Term, Lack> {
    match sought {
        Sought::Attribute { test: Some((operator, expr)), .. } if *expr != Expr::Unknown => {
            scope.compare(value, *operator, &scope.expr(expr)?)
        }
        Sought::Related { truth: Some(truth), .. } => {
            scope.compare(value, crate::program::Comparison::Eq, &Form::Constant(Value::Bool(*truth)))
        }
        _ => Ok(scope.is_known(value)),
    }
}

/// Whether some key holds what is sought.
pub(crate) fn holds(scope: &Scope<'_>, sought: &Sought) -> Result<Term, Lack> {
    let mut tests = Vec::new();
    for (key, when) in keys(scope, sought)? {
        tests.push(Term::all([when, fits(scope, sought, &scope.key(key)?)?]));
    }
    Ok(Term::any(tests))
}
