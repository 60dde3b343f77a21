//! What expressions and conditions come to, and which bindings satisfy a guard (spec/brahms/rules.md, conditions and
//! variables).

use std::collections::{BTreeMap, BTreeSet};

use motet_brahms::program::{
    ActorId, Arithmetic, Comparison, Condition, ConditionNode, Domain, EntityId, Expr, Frame, Key, KeyId,
    Place, Program, Quantifier, Reads, Sighted, Subject, Value, Var,
};

use super::mind::{Binding, World};

/// Where values are read.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) program: &'a Program,
    pub(super) world: &'a World,
    pub(super) actor: ActorId,
    pub(super) reads: Reads,
    /// Whether a missing fact is replaced by the actor's belief: in bodies, not in guards.
    pub(super) falls_back: bool,
}

impl Reader<'_> {
    /// What the store holds.
    pub(super) fn stored(&self, key: KeyId) -> Option<Value> {
        let belief = self.world.minds[self.actor.index()].beliefs.get(&key);
        let fact = self.world.facts.get(&key);
        match self.reads {
            Reads::Beliefs => belief.copied(),
            Reads::Facts if self.falls_back => fact.or(belief).copied(),
            Reads::Facts => fact.copied(),
        }
    }

    pub(super) fn value(&self, expression: &Expr, binding: &Binding) -> Option<Value> {
        match expression {
            Expr::Value(value) => Some(*value),
            Expr::Unknown => None,
            Expr::Read(place) => self.stored(self.key(place, binding)?),
            Expr::Variable(variable) => one(*variable, binding),
            Expr::Negate(of) => match self.value(of, binding)? {
                Value::Int(number) => Some(Value::Int(-number)),
                _ => None,
            },
            Expr::Binary(operator, left, right) => {
                let (Value::Int(a), Value::Int(b)) =
                    (self.value(left, binding)?, self.value(right, binding)?)
                else {
                    return None;
                };
                let number = match operator {
                    Arithmetic::Add => a.checked_add(b),
                    Arithmetic::Sub => a.checked_sub(b),
                    Arithmetic::Mul => a.checked_mul(b),
                    Arithmetic::Div | Arithmetic::WholeDiv => a.checked_div(b),
                    Arithmetic::Mod => a.checked_rem(b),
                    Arithmetic::Power => a.checked_pow(u32::try_from(b).ok()?),
                };
                number.map(Value::Int)
            }
        }
    }

    pub(super) fn key(&self, place: &Place, binding: &Binding) -> Option<KeyId> {
        match place {
            Place::Fixed(key) => Some(*key),
            Place::Attribute(variable, attribute) => {
                let Value::Entity(entity) = one(*variable, binding)? else { return None };
                self.program.keys.find(Key::Attribute(entity, *attribute))
            }
            Place::Entry(..) => panic!("the twin does not know maps"),
        }
    }

    pub(super) fn entity(&self, subject: Subject, binding: &Binding) -> Option<EntityId> {
        match subject {
            Subject::Entity(entity) => Some(entity),
            Subject::Variable(variable) => match one(variable, binding)? {
                Value::Entity(entity) => Some(entity),
                _ => None,
            },
        }
    }

    /// All that are looked at; a `collectall` variable stands for each of its values.
    pub(super) fn sighted(&self, sighted: &Sighted, binding: &Binding) -> Vec<EntityId> {
        match sighted {
            Sighted::Every(entities) => entities.clone(),
            Sighted::One(Subject::Entity(entity)) => vec![*entity],
            Sighted::One(Subject::Variable(variable)) => many(*variable, binding)
                .iter()
                .filter_map(|value| if let Value::Entity(entity) = value { Some(*entity) } else { None })
                .collect(),
        }
    }

    fn condition(&self, condition: &ConditionNode, binding: &Binding) -> bool {
        match condition {
            ConditionNode::Compare { negated, left, operator, right } => {
                let sides = (self.value(left, binding), self.value(right, binding));
                let holds = matches!(sides, (Some(left), Some(right)) if compare(*operator, left, right));
                holds != *negated
            }
            ConditionNode::Related { negated, subject, relation, object, truth } => {
                let ends = (self.entity(*subject, binding), self.entity(*object, binding));
                let (Some(subject), Some(object)) = ends else { return *negated };
                let key = self.program.keys.find(Key::Pair(subject, *relation, object));
                let stored = key.and_then(|key| self.stored(key));
                (stored == Some(Value::Bool(*truth))) != *negated
            }
            ConditionNode::Known { known, place } => {
                let stored = self.key(place, binding).and_then(|key| self.stored(key));
                stored.is_some() == *known
            }
            ConditionNode::KnownPairs { known, subject, relation } => {
                let Some(subject) = self.entity(*subject, binding) else { return !*known };
                let mut pairs = self.program.keys.pairs(subject, *relation);
                pairs.any(|(_, key)| self.stored(key).is_some()) == *known
            }
            ConditionNode::Bind { .. } => true,
        }
    }

    /// All bindings of a frame under which its guard holds.
    pub(super) fn bindings(&self, frame: &Frame) -> Vec<Binding> {
        let mut found: BTreeSet<Binding> = BTreeSet::new();
        let mut partial: Vec<Binding> = vec![Vec::new()];
        for variable in &frame.variables {
            let choices: Vec<Vec<Value>> = match &variable.domain {
                Domain::Entities(entities) if variable.guarded => {
                    entities.iter().map(|entity| vec![Value::Entity(*entity)]).collect()
                }
                _ => vec![Vec::new()],
            };
            partial = partial
                .iter()
                .flat_map(|binding| {
                    choices.iter().map(move |choice| [binding.clone(), vec![choice.clone()]].concat())
                })
                .collect();
        }
        for mut binding in partial {
            for Condition { node, .. } in &frame.guard {
                if let ConditionNode::Bind { variable, value } = node {
                    binding[usize::from(*variable)] = self.value(value, &binding).into_iter().collect();
                }
            }
            let bound = frame.guard.iter().all(|condition| match &condition.node {
                ConditionNode::Bind { variable, .. } => !binding[usize::from(*variable)].is_empty(),
                other => self.condition(other, &binding),
            });
            if bound {
                found.insert(binding);
            }
        }
        collected(frame, found)
    }
}

/// Bindings that differ only in `collectall` variables become one that holds all their values.
fn collected(frame: &Frame, found: BTreeSet<Binding>) -> Vec<Binding> {
    let collects = |at: usize| frame.variables[at].quantifier == Quantifier::CollectAll;
    if !(0..frame.variables.len()).any(collects) {
        return found.into_iter().collect();
    }
    let mut groups: BTreeMap<Vec<Option<Vec<Value>>>, Vec<BTreeSet<Value>>> = BTreeMap::new();
    for binding in found {
        let outer =
            binding.iter().enumerate().map(|(at, values)| (!collects(at)).then(|| values.clone())).collect();
        let group = groups.entry(outer).or_insert_with(|| vec![BTreeSet::new(); binding.len()]);
        for (set, values) in group.iter_mut().zip(binding) {
            set.extend(values);
        }
    }
    let joined =
        groups.into_values().map(|sets| sets.into_iter().map(|set| set.into_iter().collect()).collect());
    joined.collect()
}

/// All values of a variable.
pub(super) fn many(variable: Var, binding: &Binding) -> &[Value] {
    match variable {
        Var::Own(number) => &binding[usize::from(number)],
        Var::Parameter { .. } => panic!("the twin does not know composite activities"),
    }
}

fn one(variable: Var, binding: &Binding) -> Option<Value> {
    match many(variable, binding) {
        [value] => Some(*value),
        _ => None,
    }
}

pub(super) fn compare(operator: Comparison, left: Value, right: Value) -> bool {
    match (operator, left, right) {
        (Comparison::Eq, _, _) => left == right,
        (Comparison::Ne, _, _) => left != right,
        (_, Value::Int(left), Value::Int(right)) => match operator {
            Comparison::Lt => left < right,
            Comparison::Le => left <= right,
            Comparison::Gt => left > right,
            Comparison::Ge => left >= right,
            Comparison::Eq | Comparison::Ne => unreachable!("handled above"),
        },
        _ => false,
    }
}
