//! Whether a value can be one of a firing's: `fires(Drink, 3)` of a transition that binds nothing but cups is said of no firing.

use crate::program::{Alternative, Net, Pattern, Sort};
use crate::value::Value;

/// Whether some variable of a firing of this transition may have the value, as far as its arcs tell.
pub(crate) fn may_bind(net: &Net, alternatives: &[Alternative], value: &Value) -> bool {
    // What else binds variables has no sort here.
    let open = |alternative: &Alternative| {
        alternative.sync.is_some() || !alternative.bindings.is_empty() || !net.parameters.is_empty()
    };
    alternatives.iter().any(|alternative| {
        let arcs = alternative.inputs.iter().chain(&alternative.reads);
        let mut arcs = arcs.map(|arc| (&net.places[arc.place.0 as usize].sort, &arc.pattern));
        open(alternative) || arcs.any(|(sort, pattern)| binds(sort, pattern, value))
    })
}

fn binds(sort: &Sort, pattern: &Pattern, value: &Value) -> bool {
    match (pattern, sort) {
        (Pattern::Any | Pattern::Equal(_), _) => false,
        (Pattern::Bind(_), _) => is_of(value, sort),
        (Pattern::Record(parts), Sort::Record(record)) => {
            parts.iter().zip(&record.fields).any(|(part, (_, sort))| binds(sort, part, value))
        }
        (Pattern::Record(_), _) => true,
    }
}

/// Whether the value is of the sort.
fn is_of(value: &Value, sort: &Sort) -> bool {
    match (value, sort) {
        (_, Sort::Unknown) => true,
        (Value::Token, Sort::Token)
        | (Value::Bool(_), Sort::Bool)
        | (Value::Class(_), Sort::Class)
        | (Value::Agent(_), Sort::Agent)
        | (Value::Int(_), Sort::Int(None)) => true,
        (Value::Int(number), Sort::Int(Some((low, high)))) => (low..=high).contains(&number),
        (Value::Member(of, _), Sort::Enumeration(id)) => of == id,
        (Value::Record(parts), Sort::Record(record)) => {
            let fields = &record.fields;
            parts.len() == fields.len() && parts.iter().zip(fields).all(|(part, (_, sort))| is_of(part, sort))
        }
        (Value::Set(members), Sort::Set(of)) => members.iter().all(|member| is_of(member, of)),
        _ => false,
    }
}
