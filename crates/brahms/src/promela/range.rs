//! The values that an expression can ever have, where they are known before the model runs.

use std::collections::BTreeSet;

use crate::program::{
    ActivityNode, Arithmetic, ConcludeNode, Domain, Expr, Frame, Key, KeyId, Place, Program, Statement,
    Subject, Value, Var,
};

/// More values than these are too many to write out.
const LIMIT_VALUES: usize = 64;

/// The values that an expression of a frame can ever have; `None` if that is not known or too many.
pub(crate) fn possible(program: &Program, frame: &Frame, expr: &Expr) -> Option<BTreeSet<Value>> {
    let mut open = Vec::new();
    of_expr(program, frame, expr, &mut open)
}

fn of_expr(program: &Program, frame: &Frame, expr: &Expr, open: &mut Vec<KeyId>) -> Option<BTreeSet<Value>> {
    let values = match expr {
        Expr::Value(value) => BTreeSet::from([*value]),
        Expr::Unknown => BTreeSet::new(),
        Expr::Variable(var) => of_var(frame, *var)?,
        Expr::Read(place) => of_place(program, frame, place, open)?,
        Expr::Negate(inner) => {
            let numbers = of_expr(program, frame, inner, open)?;
            numbers.into_iter().filter_map(int).map(|number| Value::Int(-number)).collect()
        }
        Expr::Binary(operator, left, right) => {
            let left = of_expr(program, frame, left, open)?;
            let right = of_expr(program, frame, right, open)?;
            let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (*a, *b)));
            pairs.filter_map(|(a, b)| Some(Value::Int(result(*operator, int(a)?, int(b)?)?))).collect()
        }
    };
    (values.len() <= LIMIT_VALUES).then_some(values)
}

fn int(value: Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(number),
        _ => None,
    }
}

fn result(operator: Arithmetic, a: i64, b: i64) -> Option<i64> {
    match operator {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Sub => a.checked_sub(b),
        Arithmetic::Mul => a.checked_mul(b),
        Arithmetic::Div | Arithmetic::WholeDiv => a.checked_div(b),
        Arithmetic::Mod => a.checked_rem(b),
        Arithmetic::Power => a.checked_pow(u32::try_from(b).ok()?),
    }
}

fn of_var(frame: &Frame, var: Var) -> Option<BTreeSet<Value>> {
    let Var::Own(number) = var else { return None };
    match &frame.variables.get(usize::from(number))?.domain {
        Domain::Entities(entities) => Some(entities.iter().map(|&entity| Value::Entity(entity)).collect()),
        Domain::Values => None,
    }
}

fn of_place(
    program: &Program,
    frame: &Frame,
    place: &Place,
    open: &mut Vec<KeyId>,
) -> Option<BTreeSet<Value>> {
    let mut values = BTreeSet::new();
    for (key, _) in program.keys.iter().filter(|(key, _)| may_be(program, frame, place, *key)) {
        values.extend(of_key(program, key, open)?);
    }
    Some(values)
}

fn may_be(program: &Program, frame: &Frame, place: &Place, key: KeyId) -> bool {
    let within = |var: Var, entity| {
        of_var(frame, var).is_none_or(|entities| entities.contains(&Value::Entity(entity)))
    };
    match (place, program.keys.get(key)) {
        (Place::Fixed(fixed), _) => *fixed == key,
        (Place::Attribute(var, name), Key::Attribute(of, attribute)) => {
            *name == attribute && within(*var, of)
        }
        (Place::Entry(subject, name, _), Key::Entry(of, attribute, _)) => {
            *name == attribute
                && match subject {
                    Subject::Entity(entity) => *entity == of,
                    Subject::Variable(var) => within(*var, of),
                }
        }
        _ => false,
    }
}

/// What is stored for a key at the start, and everything that any frame gives it. Messages and detectables only copy.
fn of_key(program: &Program, key: KeyId, open: &mut Vec<KeyId>) -> Option<BTreeSet<Value>> {
    if open.contains(&key) || open.len() > 8 {
        return None;
    }
    open.push(key);
    let beliefs = program.actors.iter().flat_map(|actor| &actor.beliefs);
    let mut values: BTreeSet<Value> =
        program.facts.iter().chain(beliefs).filter(|(one, _)| *one == key).map(|(_, value)| *value).collect();
    let located = matches!(program.keys.get(key), Key::Attribute(_, name) if name == program.location);
    for frame in &program.frames {
        for statement in &frame.body {
            match statement {
                Statement::Conclude(conclude) => {
                    if let ConcludeNode::Assign(place, expr) = &conclude.node
                        && may_be(program, frame, place, key)
                    {
                        values.extend(of_expr(program, frame, expr, open)?);
                    }
                }
                Statement::Do(activity) => match &program.activities[activity.index()].node {
                    ActivityNode::Foreign { .. } => return None,
                    ActivityNode::Move { to: Subject::Entity(to), .. } if located => {
                        values.insert(Value::Entity(*to));
                    }
                    ActivityNode::Move { .. } | ActivityNode::Get { .. } | ActivityNode::Put { .. }
                        if located =>
                    {
                        return None;
                    }
                    _ => {}
                },
                Statement::Delete(..) => {}
            }
        }
    }
    open.pop();
    Some(values)
}
