//! Conditions that nothing can make true, because what they read never changes.

use std::collections::BTreeSet;

use super::condition::{at_place, of_subject, read_by};
use super::writes::{Store, Writes};
use crate::program::{
    Arithmetic, AttributeKind, Comparison, ConditionNode, Domain, EntityId, Expr, Frame, Key, KeyId, Place,
    Program, Reads, Subject, Value, Var,
};

/// Conditions over more bindings than this are not looked at.
const LIMIT_BINDINGS: usize = 4_096;

/// What is known of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fixed {
    /// It may change.
    Varies,
    /// It never has a value.
    Never,
    /// It always has this value.
    Always(Value),
}

/// Looks at conditions with what is known of the stores.
pub(crate) struct Constants<'c, 'p> {
    pub(crate) program: &'p Program,
    pub(crate) writes: &'c Writes<'p>,
}

/// The entities bound to own variables.
type Binding = Vec<(u16, EntityId)>;

impl Constants<'_, '_> {
    /// Why a condition can never hold; `None` if it may.
    pub(crate) fn never(&self, frame: &Frame, node: &ConditionNode) -> Option<String> {
        if !matches!(
            node,
            ConditionNode::Compare { negated: false, .. }
                | ConditionNode::Related { negated: false, .. }
                | ConditionNode::Known { known: true, .. }
        ) {
            return None;
        }
        let mut bindings: Vec<Binding> = vec![Vec::new()];
        for variable in variables(node) {
            let Domain::Entities(members) = &frame.variables[usize::from(variable)].domain else {
                return None;
            };
            if bindings.len() * members.len() > LIMIT_BINDINGS {
                return None;
            }
            let extended = bindings.iter().flat_map(|binding| {
                members.iter().map(|member| {
                    let mut longer = binding.clone();
                    longer.push((variable, *member));
                    longer
                })
            });
            bindings = extended.collect();
        }
        if !bindings.iter().all(|binding| self.is_false(frame, node, binding)) {
            return None;
        }
        Some(self.reason(frame, node, bindings.first()))
    }

    fn is_false(&self, frame: &Frame, node: &ConditionNode, binding: &Binding) -> bool {
        match node {
            ConditionNode::Compare { left, operator, right, .. } => {
                match (self.value(frame, left, binding), self.value(frame, right, binding)) {
                    (Fixed::Never, _) | (_, Fixed::Never) => true,
                    (Fixed::Always(a), Fixed::Always(b)) => !holds(a, *operator, b),
                    _ => false,
                }
            }
            ConditionNode::Related { subject, relation, object, truth, .. } => {
                let (Some(x), Some(y)) = (who(*subject, binding), who(*object, binding)) else {
                    return false;
                };
                let Some(key) = self.program.keys.find(Key::Pair(x, *relation, y)) else { return true };
                match self.stored(frame, key) {
                    Fixed::Varies => false,
                    Fixed::Never => true,
                    Fixed::Always(value) => value != Value::Bool(*truth),
                }
            }
            ConditionNode::Known { place, .. } => self.read(frame, place, binding) == Fixed::Never,
            _ => false,
        }
    }

    fn value(&self, frame: &Frame, expr: &Expr, binding: &Binding) -> Fixed {
        match expr {
            Expr::Value(value) => Fixed::Always(*value),
            Expr::Unknown => Fixed::Never,
            Expr::Read(place) => self.read(frame, place, binding),
            Expr::Variable(Var::Own(number)) => {
                let bound = binding.iter().find(|(known, _)| known == number);
                bound.map_or(Fixed::Varies, |(_, entity)| Fixed::Always(Value::Entity(*entity)))
            }
            Expr::Variable(Var::Parameter { .. }) => Fixed::Varies,
            Expr::Negate(inner) => match self.value(frame, inner, binding) {
                Fixed::Never => Fixed::Never,
                Fixed::Always(Value::Int(number)) => {
                    number.checked_neg().map_or(Fixed::Varies, |number| Fixed::Always(Value::Int(number)))
                }
                _ => Fixed::Varies,
            },
            Expr::Binary(operator, left, right) => {
                match (self.value(frame, left, binding), self.value(frame, right, binding)) {
                    (Fixed::Never, _) | (_, Fixed::Never) => Fixed::Never,
                    (Fixed::Always(Value::Int(a)), Fixed::Always(Value::Int(b))) => whole(*operator, a, b),
                    _ => Fixed::Varies,
                }
            }
        }
    }

    fn read(&self, frame: &Frame, place: &Place, binding: &Binding) -> Fixed {
        let key = match place {
            Place::Fixed(key) => Some(*key),
            Place::Attribute(Var::Own(number), attribute) => {
                let Some((_, entity)) = binding.iter().find(|(known, _)| known == number) else {
                    return Fixed::Varies;
                };
                self.program.keys.find(Key::Attribute(*entity, *attribute))
            }
            Place::Attribute(..) | Place::Entry(..) => return Fixed::Varies,
        };
        key.map_or(Fixed::Never, |key| self.stored(frame, key))
    }

    fn stored(&self, frame: &Frame, key: KeyId) -> Fixed {
        let beliefs = Store::Beliefs(frame.actor);
        let stores: &[Store] = match frame.reads {
            Reads::Beliefs => &[beliefs],
            // Facts first; the belief counts where there is no fact.
            Reads::Facts => &[Store::Facts, beliefs],
        };
        for store in stores {
            if self.writes.varies(*store, key) {
                return Fixed::Varies;
            }
            if let Some(value) = self.writes.initial(*store, key) {
                return Fixed::Always(value);
            }
        }
        if self.program.rules.unknown_is_zero {
            return self.zero(key);
        }
        Fixed::Never
    }

    fn zero(&self, key: KeyId) -> Fixed {
        let Key::Attribute(_, attribute) = self.program.keys.get(key) else { return Fixed::Varies };
        match self.program.attributes[attribute.index()].kind {
            AttributeKind::Int => Fixed::Always(Value::Int(0)),
            AttributeKind::Bool => Fixed::Always(Value::Bool(false)),
            _ => Fixed::Varies,
        }
    }

    /// In words: which side never has a value, or never another.
    fn reason(&self, frame: &Frame, node: &ConditionNode, binding: Option<&Binding>) -> String {
        let none = Binding::new();
        let binding = binding.unwrap_or(&none);
        if let ConditionNode::Compare { left, right, .. } = node {
            let sides = [self.value(frame, left, binding), self.value(frame, right, binding)];
            if sides.contains(&Fixed::Never) {
                return "nobody ever gives this a value".to_owned();
            }
            return "nothing ever changes this".to_owned();
        }
        "nobody ever says this".to_owned()
    }
}

fn variables(node: &ConditionNode) -> BTreeSet<u16> {
    let mut found = BTreeSet::new();
    match node {
        ConditionNode::Compare { left, right, .. } => {
            read_by(left, &mut found);
            read_by(right, &mut found);
        }
        ConditionNode::Related { subject, object, .. } => {
            of_subject(*subject, &mut found);
            of_subject(*object, &mut found);
        }
        ConditionNode::Known { place, .. } => at_place(place, &mut found),
        ConditionNode::KnownPairs { .. } | ConditionNode::Bind { .. } => {}
    }
    found
}

fn who(subject: Subject, binding: &Binding) -> Option<EntityId> {
    match subject {
        Subject::Entity(entity) => Some(entity),
        Subject::Variable(Var::Own(number)) => {
            binding.iter().find(|(known, _)| *known == number).map(|(_, entity)| *entity)
        }
        Subject::Variable(Var::Parameter { .. }) => None,
    }
}

fn whole(operator: Arithmetic, a: i64, b: i64) -> Fixed {
    let result = match operator {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Sub => a.checked_sub(b),
        Arithmetic::Mul => a.checked_mul(b),
        _ => None,
    };
    result.map_or(Fixed::Varies, |number| Fixed::Always(Value::Int(number)))
}

fn holds(a: Value, operator: Comparison, b: Value) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "only whether a warning is given hangs on it")]
    let number = |value: Value| match value {
        Value::Int(number) => Some(number as f64),
        Value::Double(bits) => Some(f64::from_bits(bits)),
        _ => None,
    };
    match (operator, number(a), number(b)) {
        (Comparison::Eq, Some(a), Some(b)) => a == b,
        (Comparison::Ne, Some(a), Some(b)) => a != b,
        (Comparison::Lt, Some(a), Some(b)) => a < b,
        (Comparison::Le, Some(a), Some(b)) => a <= b,
        (Comparison::Gt, Some(a), Some(b)) => a > b,
        (Comparison::Ge, Some(a), Some(b)) => a >= b,
        (Comparison::Eq, ..) => a == b,
        (Comparison::Ne, ..) => a != b,
        _ => false,
    }
}
