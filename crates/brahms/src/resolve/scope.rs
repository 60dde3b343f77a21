//! What a name means inside a frame: its variables, the parameters of the activity, those of the composite activities
//! around it, then entities.

use std::rc::Rc;

use motet_source::{Problem, Span, suggest};

use super::Resolver;
use super::catalogue::{ConceptId, Half, one};
use crate::program::{EntityId, Expr, Subject, Value, Var};
use crate::syntax::{Activity, Quantifier, Reference, ReferenceNode};

/// What an expression can be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Sort {
    /// Whole numbers.
    Int,
    /// Numbers with fractions.
    Double,
    /// Truth values.
    Bool,
    /// Symbols.
    Symbol,
    /// Strings.
    Text,
    /// One of these entities.
    Entity(Rc<[EntityId]>),
    /// A map: a value per index.
    Map,
    /// A relation.
    Relation,
    /// Nothing is known.
    Any,
}

/// An expression with what it can be.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    /// The expression.
    pub(crate) expr: Expr,
    /// What it can be.
    pub(crate) sort: Sort,
    /// Whether it is a name that means nothing else: a symbol, or a slip.
    pub(crate) bare: bool,
}

impl Typed {
    pub(crate) fn new(expr: Expr, sort: Sort) -> Self {
        Self { expr, sort, bare: false }
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A value.
    Value(Typed),
    /// A type.
    Type(ConceptId),
}

/// A variable of the frame.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) name: String,
    pub(crate) sort: Sort,
    pub(crate) quantifier: Quantifier,
    pub(crate) span: Span,
}

/// A composite activity around the text.
pub(crate) struct Level<'a> {
    /// Its text.
    pub(crate) tree: &'a Activity,
    /// Its parameters.
    pub(crate) parameters: Vec<(String, Meaning)>,
    /// The concept its text stands in.
    pub(crate) concept: ConceptId,
}

/// From where names are looked up.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The concept whose text it is.
    pub(crate) concept: ConceptId,
    /// The file of that text.
    pub(crate) unit: usize,
    /// Who `current` is.
    pub(crate) current: EntityId,
    /// The variables of the frame.
    pub(crate) variables: Rc<[Local]>,
    /// The parameters of the activity.
    pub(crate) parameters: Vec<(String, Meaning)>,
    /// Which of the open composite activities the text can see.
    pub(crate) visible: Vec<usize>,
}

/// Whom a reference means.
#[derive(Clone, Debug)]
pub(crate) enum Who {
    /// One, who is among these.
    One(Subject, Rc<[EntityId]>),
    /// Each of these.
    Every(Rc<[EntityId]>),
}

impl Who {
    pub(crate) fn domain(&self) -> &Rc<[EntityId]> {
        match self {
            Self::One(_, domain) | Self::Every(domain) => domain,
        }
    }
}

impl Resolver<'_> {
    /// The scope of a concept's own text, outside of frames.
    pub(crate) fn scope(&self, concept: ConceptId, current: EntityId) -> Scope {
        Scope {
            concept,
            unit: self.catalogue.entries[concept].unit,
            current,
            variables: Rc::from([]),
            parameters: Vec::new(),
            visible: Vec::new(),
        }
    }

    /// What a name means here; `None` if nothing of that name is known.
    pub(crate) fn meaning(&self, scope: &Scope, name: &str) -> Option<Meaning> {
        if let Some(number) = scope.variables.iter().rposition(|local| local.name == name) {
            let variable = Var::Own(u16::try_from(number).expect("frames have few variables"));
            let sort = scope.variables[number].sort.clone();
            return Some(Meaning::Value(Typed::new(Expr::Variable(variable), sort)));
        }
        if let Some((_, meaning)) = scope.parameters.iter().find(|(known, _)| known == name) {
            return Some(meaning.clone());
        }
        for &level in scope.visible.iter().rev() {
            let parameters = &self.levels[level].parameters;
            let Some(index) = parameters.iter().position(|(known, _)| known == name) else { continue };
            return Some(self.parameter(level, index));
        }
        if let Some(concept) = self.catalogue.entity(scope.unit, name) {
            return self.catalogue.entries[concept].entity.map(|entity| Meaning::Value(constant(entity)));
        }
        match self.catalogue.find(scope.unit, name, Half::Types) {
            super::catalogue::Found::One(concept) => Some(Meaning::Type(concept)),
            _ => None,
        }
    }

    /// A parameter of an open composite activity, as the frame being resolved sees it.
    fn parameter(&self, level: usize, index: usize) -> Meaning {
        match &self.levels[level].parameters[index].1 {
            constant @ (Meaning::Type(_) | Meaning::Value(Typed { expr: Expr::Value(_), .. })) => {
                constant.clone()
            }
            Meaning::Value(Typed { sort, .. }) => {
                let up = u16::try_from(self.levels.len() - 1 - level).expect("nesting is limited");
                let index = u16::try_from(index).expect("activities have few parameters");
                Meaning::Value(Typed::new(Expr::Variable(Var::Parameter { up, index }), sort.clone()))
            }
        }
    }

    /// Whom a reference means; says what is wrong otherwise.
    pub(crate) fn who(&mut self, scope: &Scope, reference: &Reference) -> Option<Who> {
        let name = match &reference.node {
            ReferenceNode::Current => {
                return Some(Who::One(Subject::Entity(scope.current), Rc::from([scope.current])));
            }
            ReferenceNode::Every(name) => {
                let name = crate::syntax::Name::new(name.clone(), reference.span);
                return Some(Who::Every(self.instances(scope.unit, &name)?));
            }
            ReferenceNode::Any => {
                let help = "name an agent, object or variable; `?` stands on the right side alone";
                self.say(Problem::error("M0722", reference.span, "`?` cannot stand here", help));
                return None;
            }
            ReferenceNode::Name(name) => name,
        };
        match self.meaning(scope, name) {
            Some(Meaning::Value(typed)) => {
                self.catalogue.check_ambiguity(scope.unit, name, reference.span, &mut self.problems);
                self.subject(&typed, reference.span).map(|(subject, domain)| Who::One(subject, domain))
            }
            Some(Meaning::Type(concept)) => {
                self.type_as_member(name, concept, reference.span);
                None
            }
            None => {
                let problem = self.unknown(scope, name, reference.span);
                self.say(problem);
                None
            }
        }
    }

    /// That a group stands where one of its members is needed.
    pub(crate) fn type_as_member(&mut self, name: &str, concept: ConceptId, span: Span) {
        let kind = one(self.catalogue.entries[concept].kind);
        let message = format!("`{name}` is {kind}, not one of its members");
        let help = format!("name a member, declare a variable `forone({name}) x`, or write `<{name}>`");
        self.say(Problem::error("M0722", span, message, help));
    }

    /// The entity that an expression stands for.
    pub(crate) fn subject(&mut self, typed: &Typed, span: Span) -> Option<(Subject, Rc<[EntityId]>)> {
        let domain = match &typed.sort {
            Sort::Entity(domain) => domain.clone(),
            Sort::Any => Rc::from([]),
            other => {
                let message =
                    format!("`{}` is {}, not an agent, object or area", self.wrote(span), describe(other));
                let help = "name an agent, object or area, or a variable of such a type";
                self.say(Problem::error("M0742", span, message, help));
                return None;
            }
        };
        match typed.expr {
            Expr::Value(Value::Entity(entity)) => Some((Subject::Entity(entity), domain)),
            Expr::Variable(variable) => Some((Subject::Variable(variable), domain)),
            _ => {
                let message = format!("`{}` is computed; a name is needed here", self.wrote(span));
                let help = "bind a variable to it in the guard, `knownval(x.a = v)`, and use the variable";
                self.say(Problem::error("M0742", span, message, help));
                None
            }
        }
    }

    /// That a name means nothing here.
    pub(crate) fn unknown(&self, scope: &Scope, name: &str, span: Span) -> Problem {
        let mut known: Vec<&str> = scope.variables.iter().map(|local| local.name.as_str()).collect();
        known.extend(scope.parameters.iter().map(|(known, _)| known.as_str()));
        for &level in &scope.visible {
            known.extend(self.levels[level].parameters.iter().map(|(known, _)| known.as_str()));
        }
        known.extend(self.catalogue.names(Half::Entities));
        let help = match suggest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "declare it: an agent, object or area, or a variable of the frame".to_owned(),
        };
        Problem::error("M0722", span, format!("there is no `{name}` here"), help).label("not declared")
    }
}

/// An entity as an expression.
pub(crate) fn constant(entity: EntityId) -> Typed {
    Typed::new(Expr::Value(Value::Entity(entity)), Sort::Entity(Rc::from([entity])))
}

/// As messages call it, with its article where it has one.
pub(crate) fn describe(sort: &Sort) -> &'static str {
    match sort {
        Sort::Int => "a whole number",
        Sort::Double => "a number",
        Sort::Bool => "true or false",
        Sort::Symbol => "a symbol",
        Sort::Text => "a text",
        Sort::Entity(_) => "an agent, object or area",
        Sort::Map => "a map",
        Sort::Relation => "a relation",
        Sort::Any => "anything",
    }
}
