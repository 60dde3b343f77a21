//! Guards. A variable of numbers or texts gets its value from the guard: by an equation, or as the index of a map; the
//! conjuncts are put into an order in which every such variable has its value before it is used.

use std::collections::BTreeSet;

use motet_source::{Problem, Span};

use super::Resolver;
use super::attribute::Demand;
use super::compare::Use;
use super::expression::Bare;
use super::scope::{Meaning, Scope, Sort, Typed, Who};
use crate::program::{
    AttributeId, Comparison, Condition, ConditionNode, EntityId, Expr, Key, Place, Subject, Var,
};
use crate::syntax::{
    Expression, ExpressionNode, Modifier, Name, Precondition, Reference, ReferenceNode, Statement, Truth,
};

/// A relation whose sides are resolved.
pub(crate) struct Pair {
    /// Left side.
    pub(crate) subject: Who,
    /// The relation.
    pub(crate) relation: AttributeId,
    /// Right side; `None` where any will do.
    pub(crate) object: Option<Who>,
}

impl Resolver<'_> {
    /// The guard of a frame, and which of its variables it mentions.
    pub(crate) fn guard(&mut self, scope: &Scope, tree: &[Precondition]) -> (Vec<Condition>, BTreeSet<u16>) {
        let mut conditions = Vec::new();
        for precondition in tree {
            let Some(nodes) = self.precondition(scope, precondition) else { continue };
            conditions.extend(nodes.into_iter().map(|node| Condition { node, span: precondition.span }));
        }
        let mut mentioned = BTreeSet::new();
        for condition in &conditions {
            mentions(&condition.node, &mut mentioned);
        }
        let values: BTreeSet<u16> = (0..)
            .zip(scope.variables.iter())
            .filter(|(_, local)| !matches!(local.sort, Sort::Entity(_)))
            .map(|(number, _)| number)
            .collect();
        (self.in_order(scope, conditions, &values), mentioned)
    }

    /// Orders the conjuncts and makes binders of equations. The order of the text is kept where it can be.
    fn in_order(
        &mut self,
        scope: &Scope,
        conditions: Vec<Condition>,
        values: &BTreeSet<u16>,
    ) -> Vec<Condition> {
        let mut open: Vec<Condition> = conditions;
        let mut bound: BTreeSet<u16> = BTreeSet::new();
        let mut ordered = Vec::new();
        while !open.is_empty() {
            let ready = open.iter().position(|condition| {
                !needs(&condition.node).iter().any(|var| values.contains(var) && !bound.contains(var))
            });
            let binder = || {
                open.iter()
                    .enumerate()
                    .find_map(|(at, condition)| Some((at, as_binder(&condition.node, values, &bound)?)))
            };
            if let Some(at) = ready {
                ordered.push(open.remove(at));
            } else if let Some((at, node)) = binder() {
                if let ConditionNode::Bind { variable, .. } = node {
                    bound.insert(variable);
                }
                let span = open.remove(at).span;
                ordered.push(Condition { node, span });
                self.index_bound(&ordered, values, &mut bound);
            } else if let Some(at) =
                open.iter().position(|condition| binds_index(&condition.node, values, &bound))
            {
                ordered.push(open.remove(at));
                self.index_bound(&ordered, values, &mut bound);
            } else {
                let condition = open.remove(0);
                self.without_value(scope, &condition, values, &bound);
                ordered.push(condition);
            }
        }
        ordered
    }

    /// After an entry `x.m(i)` was read, `i` has a value.
    #[expect(clippy::unused_self, reason = "reads as a step of the ordering")]
    fn index_bound(&self, ordered: &[Condition], values: &BTreeSet<u16>, bound: &mut BTreeSet<u16>) {
        if let Some(last) = ordered.last() {
            bound.extend(indices(&last.node).into_iter().filter(|var| values.contains(var)));
        }
    }

    fn without_value(
        &mut self,
        scope: &Scope,
        condition: &Condition,
        values: &BTreeSet<u16>,
        bound: &BTreeSet<u16>,
    ) {
        let lacking = needs(&condition.node);
        let Some(first) = lacking.iter().find(|var| values.contains(var) && !bound.contains(var)) else {
            return;
        };
        let name = &scope.variables[usize::from(*first)].name;
        let message = format!("nothing gives `{name}` a value before it is used here");
        let help = format!("add an equation to the guard: `knownval({name} = current.count)`");
        self.say(Problem::error("M0754", condition.span, message, help));
    }

    fn precondition(&mut self, scope: &Scope, tree: &Precondition) -> Option<Vec<ConditionNode>> {
        let modifier = tree.modifier.as_ref().map(|modifier| modifier.node);
        match &tree.statement {
            Statement::Compare { left, operator, right } => {
                self.comparison(scope, modifier, (left, operator.node, right), tree.span)
            }
            Statement::Alone(expression) => self.alone(scope, modifier, expression),
            Statement::Related { subject, relation, object, truth } => {
                let truth = truth.as_ref().map(|truth| truth.node);
                self.related(scope, modifier, (subject, relation, object.as_ref()), truth, tree.span)
            }
        }
    }

    fn comparison(
        &mut self,
        scope: &Scope,
        modifier: Option<Modifier>,
        (left, operator, right): (&Expression, Comparison, &Expression),
        span: Span,
    ) -> Option<Vec<ConditionNode>> {
        if matches!(modifier, Some(Modifier::Known | Modifier::Unknown)) {
            let message = "`known` and `unknown` ask whether there is a value, not which";
            self.say(Problem::error(
                "M0755",
                span,
                message,
                "write `knownval(...)`, or leave the comparison out",
            ));
            return None;
        }
        let negated = modifier == Some(Modifier::Not);
        if let Some(nodes) = self.relation_attribute(scope, negated, (left, operator, right)) {
            return nodes;
        }
        let (a, b) =
            (self.expression(scope, left, Bare::Symbol), self.expression(scope, right, Bare::Symbol));
        let (a, b) = (a?, b?);
        // `x.a = unknown` asks for what `unknown(x.a)` asks; a comparison with nothing would never hold.
        if let (Expr::Read(place), Expr::Unknown) | (Expr::Unknown, Expr::Read(place)) = (&a.expr, &b.expr) {
            let known = (operator == Comparison::Ne) != negated;
            return Some(vec![ConditionNode::Known { known, place: place.clone() }]);
        }
        // A bare name on the left side is a variable that nobody declared, unless a symbol can stand there.
        if a.bare && matches!(b.sort, Sort::Int | Sort::Double | Sort::Bool) {
            let problem = self.unknown(scope, &self.wrote(left.span), left.span);
            self.say(problem);
            return None;
        }
        if !self.compatible((&a, left.span), (&b, right.span), Use::Compare(operator)) {
            return None;
        }
        Some(vec![ConditionNode::Compare { negated, left: a.expr, operator, right: b.expr }])
    }

    /// `x.friend = y` where `friend` is declared as `relation(Agent)`.
    fn relation_attribute(
        &mut self,
        scope: &Scope,
        negated: bool,
        (left, operator, right): (&Expression, Comparison, &Expression),
    ) -> Option<Option<Vec<ConditionNode>>> {
        let (of, name) = self.names_relation(scope, left)?;
        let (Comparison::Eq | Comparison::Ne) = operator else { return None };
        let ExpressionNode::Reference(object) = &right.node else { return None };
        let negated = negated != (operator == Comparison::Ne);
        let modifier = if negated { Some(Modifier::Not) } else { None };
        Some(self.related(scope, modifier, (&of, &name, Some(object)), None, left.span.to(right.span)))
    }

    /// The parts of `x.r` where `r` is declared as an attribute of type `relation(T)`.
    pub(crate) fn names_relation(&mut self, scope: &Scope, tree: &Expression) -> Option<(Reference, Name)> {
        let ExpressionNode::Attribute(of, name) = &tree.node else { return None };
        let owners: Vec<EntityId> = match &of.node {
            ReferenceNode::Current => vec![scope.current],
            ReferenceNode::Name(text) => match self.meaning(scope, text)? {
                Meaning::Value(Typed { sort: Sort::Entity(domain), .. }) => domain.to_vec(),
                _ => return None,
            },
            _ => return None,
        };
        let found = owners.iter().find_map(|entity| self.declared(*entity, &name.node));
        let (concept, property) = found?;
        if property.sort != Sort::Relation {
            return None;
        }
        let tree = self.catalogue.entries[concept].tree?;
        let as_attribute = tree.body.attributes.iter().any(|attribute| attribute.name.node == name.node);
        as_attribute.then(|| (of.clone(), name.clone()))
    }

    fn alone(
        &mut self,
        scope: &Scope,
        modifier: Option<Modifier>,
        tree: &Expression,
    ) -> Option<Vec<ConditionNode>> {
        let known = !matches!(modifier, Some(Modifier::Unknown | Modifier::Not));
        if let Some((of, name)) = self.names_relation(scope, tree) {
            return self.related(scope, modifier, (&of, &name, None), None, tree.span);
        }
        let typed = self.expression(scope, tree, Bare::Unknown)?;
        let Expr::Read(place) = typed.expr else {
            let message = format!("`{}` alone is no condition", self.wrote(tree.span));
            let help = "compare it with something, or ask for an attribute: `known(x.a)`";
            self.say(Problem::error("M0755", tree.span, message, help));
            return None;
        };
        Some(vec![ConditionNode::Known { known, place }])
    }

    fn related(
        &mut self,
        scope: &Scope,
        modifier: Option<Modifier>,
        (subject, relation, object): (&Reference, &Name, Option<&Reference>),
        truth: Option<Truth>,
        span: Span,
    ) -> Option<Vec<ConditionNode>> {
        let pair = self.pair(scope, subject, relation, object)?;
        let subject = self.one(&pair.subject, subject.span)?;
        let negated = modifier == Some(Modifier::Not);
        let asks = matches!(modifier, Some(Modifier::Known | Modifier::Unknown));
        let Some(object) = &pair.object else {
            let known = modifier != Some(Modifier::Unknown) && !negated && truth != Some(Truth::Unknown);
            return Some(vec![ConditionNode::KnownPairs { known, subject, relation: pair.relation }]);
        };
        let object = self.one(object, span)?;
        let relation = pair.relation;
        if asks {
            return self.known_pair(modifier == Some(Modifier::Known), subject, relation, object, span);
        }
        let node = |negated, truth| ConditionNode::Related { negated, subject, relation, object, truth };
        Some(match truth {
            Some(Truth::Unknown) if negated => {
                let message = "`not(... is unknown)` cannot be asked of a pair";
                self.say(Problem::error("M0755", span, message, "ask for `is true` or `is false`"));
                return None;
            }
            Some(Truth::Unknown) => vec![node(true, true), node(true, false)],
            Some(Truth::False) => vec![node(negated, false)],
            Some(Truth::True) | None => vec![node(negated, true)],
        })
    }

    fn known_pair(
        &mut self,
        known: bool,
        subject: Subject,
        relation: AttributeId,
        object: Subject,
        span: Span,
    ) -> Option<Vec<ConditionNode>> {
        match (subject, object) {
            (Subject::Entity(x), Subject::Entity(y)) => {
                let key = self.program.keys.add(Key::Pair(x, relation, y));
                Some(vec![ConditionNode::Known { known, place: Place::Fixed(key) }])
            }
            _ if !known => {
                let node = |truth| ConditionNode::Related { negated: true, subject, relation, object, truth };
                Some(vec![node(true), node(false)])
            }
            _ => {
                let message = "`known` asks for any partner; this names one that varies";
                self.say(Problem::error("M0755", span, message, "write `knownval(x R y)` or `known(x R)`"));
                None
            }
        }
    }

    /// Both sides of a relation; says what is wrong otherwise.
    pub(crate) fn pair(
        &mut self,
        scope: &Scope,
        subject: &Reference,
        relation: &Name,
        object: Option<&Reference>,
    ) -> Option<Pair> {
        let left = self.who(scope, subject);
        let right = match object {
            Some(object) if object.node != ReferenceNode::Any => Some(self.who(scope, object)),
            _ => None,
        };
        let (left, right) = match (left, right) {
            (Some(left), None) => (left, None),
            (Some(left), Some(Some(right))) => (left, Some(right)),
            _ => return None,
        };
        let domain = left.domain().clone();
        let (relation_id, sort) = self.attribute(scope, &domain, relation, Demand::Strict);
        if !matches!(sort, Sort::Relation | Sort::Any) {
            let message = format!("`{}` is an attribute, not a relation", relation.node);
            let help = format!("write `x.{} = ...`", relation.node);
            self.say(Problem::error("M0732", relation.span, message, help));
            return None;
        }
        if let Some(right) = &right {
            self.pair_keys(&domain, relation_id, &right.domain().clone());
        }
        Some(Pair { subject: left, relation: relation_id, object: right })
    }

    /// The one that is meant; many cannot stand in conditions and conclusions.
    pub(crate) fn one(&mut self, who: &Who, span: Span) -> Option<Subject> {
        match who {
            Who::One(subject, _) => Some(*subject),
            Who::Every(_) => {
                let message = format!("`{}` means many and cannot stand here", self.wrote(span));
                let help = "declare a variable of that type: `foreach(Sensor) s`";
                self.say(Problem::error("M0755", span, message, help));
                None
            }
        }
    }
}

/// An equation that gives a variable its value.
fn as_binder(node: &ConditionNode, values: &BTreeSet<u16>, bound: &BTreeSet<u16>) -> Option<ConditionNode> {
    let ConditionNode::Compare { negated: false, left, operator: Comparison::Eq, right } = node else {
        return None;
    };
    let lacks = |expr: &Expr| {
        let mut found = BTreeSet::new();
        read_by(expr, &mut found);
        // An index of a map that has no value yet is found by looking at the stored entries.
        let free = index_of(expr);
        found.iter().any(|var| values.contains(var) && !bound.contains(var) && !free.contains(var))
    };
    for (side, other) in [(left, right), (right, left)] {
        if let Expr::Variable(Var::Own(variable)) = side
            && values.contains(variable)
            && !bound.contains(variable)
            && !lacks(other)
            && !mentions_variable(other, *variable)
        {
            return Some(ConditionNode::Bind { variable: *variable, value: other.clone() });
        }
    }
    None
}

fn mentions_variable(expr: &Expr, variable: u16) -> bool {
    let mut found = BTreeSet::new();
    read_by(expr, &mut found);
    found.contains(&variable)
}

/// Whether all variables without a value are indices of maps that are read here.
fn binds_index(node: &ConditionNode, values: &BTreeSet<u16>, bound: &BTreeSet<u16>) -> bool {
    let free: BTreeSet<u16> = indices(node);
    needs(node).iter().all(|var| !values.contains(var) || bound.contains(var) || free.contains(var))
}

fn needs(node: &ConditionNode) -> BTreeSet<u16> {
    let mut found = BTreeSet::new();
    mentions(node, &mut found);
    if let ConditionNode::Bind { variable, .. } = node {
        found.remove(variable);
    }
    found
}

fn indices(node: &ConditionNode) -> BTreeSet<u16> {
    match node {
        ConditionNode::Compare { negated: false, left, right, .. } => {
            let mut found = index_of(left);
            found.extend(index_of(right));
            found
        }
        ConditionNode::Known { known: true, place: Place::Entry(_, _, index) } => plain_variable(index),
        ConditionNode::Bind { value, .. } => index_of(value),
        _ => BTreeSet::new(),
    }
}

fn plain_variable(expr: &Expr) -> BTreeSet<u16> {
    match expr {
        Expr::Variable(Var::Own(variable)) => BTreeSet::from([*variable]),
        _ => BTreeSet::new(),
    }
}

/// Variables that are the index of a map read in an expression.
fn index_of(expr: &Expr) -> BTreeSet<u16> {
    match expr {
        Expr::Read(Place::Entry(_, _, index)) => plain_variable(index),
        Expr::Negate(inner) => index_of(inner),
        Expr::Binary(_, left, right) => {
            let mut found = index_of(left);
            found.extend(index_of(right));
            found
        }
        _ => BTreeSet::new(),
    }
}

/// Own variables that an expression reads.
pub(crate) fn read_by(expr: &Expr, into: &mut BTreeSet<u16>) {
    match expr {
        Expr::Variable(Var::Own(variable)) => {
            into.insert(*variable);
        }
        Expr::Read(place) => at_place(place, into),
        Expr::Negate(inner) => read_by(inner, into),
        Expr::Binary(_, left, right) => {
            read_by(left, into);
            read_by(right, into);
        }
        Expr::Variable(Var::Parameter { .. }) | Expr::Value(_) | Expr::Unknown => {}
    }
}

pub(crate) fn at_place(place: &Place, into: &mut BTreeSet<u16>) {
    match place {
        Place::Fixed(_) | Place::Attribute(Var::Parameter { .. }, _) => {}
        Place::Attribute(Var::Own(variable), _) => {
            into.insert(*variable);
        }
        Place::Entry(subject, _, index) => {
            of_subject(*subject, into);
            read_by(index, into);
        }
    }
}

pub(crate) fn of_subject(subject: Subject, into: &mut BTreeSet<u16>) {
    if let Subject::Variable(Var::Own(variable)) = subject {
        into.insert(variable);
    }
}

fn mentions(node: &ConditionNode, into: &mut BTreeSet<u16>) {
    match node {
        ConditionNode::Compare { left, right, .. } => {
            read_by(left, into);
            read_by(right, into);
        }
        ConditionNode::Related { subject, object, .. } => {
            of_subject(*subject, into);
            of_subject(*object, into);
        }
        ConditionNode::Known { place, .. } => at_place(place, into),
        ConditionNode::KnownPairs { subject, .. } => of_subject(*subject, into),
        ConditionNode::Bind { variable, value } => {
            into.insert(*variable);
            read_by(value, into);
        }
    }
}
