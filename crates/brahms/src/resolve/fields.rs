//! The lines of activities: with whom, about what, where to, when, and how long.

use motet_source::{Problem, suggest};

use super::Resolver;
use super::activity::Definition;
use super::catalogue::ConceptId;
use super::expression::Bare;
use super::scope::{Meaning, Scope, Sort, Typed, Who};
use super::sought::sighted;
use crate::program::{Duration, EntityId, EntityKind, Expr, Moment, Sighted, Subject, Transfer, Value};
use crate::syntax::{self, Expression, ExpressionNode, ReferenceNode};

/// The longest duration: 10^9 seconds are 31 years.
pub(crate) const MAX_SECONDS: i64 = 1_000_000_000;

/// What may stand in an activity, of whichever kind.
const FIELDS: &[&str] = &[
    "display",
    "icon",
    "cost",
    "time_unit",
    "priority",
    "random",
    "min_duration",
    "max_duration",
    "resources",
    "location",
    "detectArrivalIn",
    "detectArrivalInSubAreas",
    "detectDepartureIn",
    "detectDepartureInSubAreas",
    "type",
    "with",
    "to",
    "toSubAreas",
    "about",
    "when",
    "items",
    "source",
    "destination",
    "end_condition",
    "action",
    "destination_name",
    "conceptual_object",
    "memberof",
    "quantity",
    "instanceof",
    "partof",
    "inhabitants",
    "class",
    "name",
    "symbol",
];

impl<'a> Resolver<'a> {
    pub(crate) fn about(&mut self, scope: &Scope, tree: &syntax::Activity) -> Vec<Transfer> {
        if tree.about.is_empty() {
            let message = format!("`{}` says nothing", tree.name.node);
            let help = "add what is sent: `about: send(x.a = x.a);`";
            self.say(Problem::warning("M0745", tree.name.span, message, help));
        }
        self.transfers(scope, &tree.about)
    }

    pub(crate) fn receivers(&mut self, scope: &Scope, tree: &syntax::Activity) -> Option<Vec<Sighted>> {
        let written = values(tree, "with");
        if written.is_empty() {
            let message = format!("`{}` does not say whom it speaks with", tree.name.node);
            self.say(Problem::error("M0745", tree.name.span, message, "add `with: NAME;`"));
            return None;
        }
        let mut with = Vec::new();
        for value in written {
            let who = self.addressee(scope, value)?;
            let hears = |entity: &EntityId| self.program.entities[entity.index()].actor.is_some();
            if !who.domain().is_empty() && !who.domain().iter().any(hears) {
                let message = format!("`{}` cannot hear", self.wrote(value.span));
                self.say(Problem::error("M0742", value.span, message, "speak with an agent or object"));
                return None;
            }
            with.push(sighted(&who));
        }
        Some(with)
    }

    /// Somebody a field names; a group or class stands for all of its members.
    pub(crate) fn addressee(&mut self, scope: &Scope, tree: &Expression) -> Option<Who> {
        if let ExpressionNode::Reference(reference) = &tree.node {
            if let ReferenceNode::Name(name) = &reference.node
                && let Some(Meaning::Type(concept)) = self.meaning(scope, name)
            {
                return Some(Who::Every(self.members_of(concept)));
            }
            return self.who(scope, reference);
        }
        let typed = self.expression(scope, tree, Bare::Unknown)?;
        let (subject, domain) = self.subject(&typed, tree.span)?;
        Some(Who::One(subject, domain))
    }

    /// The entities that a field names.
    pub(crate) fn subjects(&mut self, scope: &Scope, written: &[Expression]) -> Vec<Subject> {
        let mut subjects = Vec::new();
        for value in written {
            match self.addressee(scope, value) {
                Some(Who::One(subject, _)) => subjects.push(subject),
                Some(Who::Every(all)) => subjects.extend(all.iter().map(|entity| Subject::Entity(*entity))),
                None => {}
            }
        }
        subjects
    }

    pub(crate) fn required(
        &mut self,
        scope: &Scope,
        tree: &syntax::Activity,
        field: &str,
        what: &str,
    ) -> Option<Subject> {
        let Some(value) = values(tree, field).first() else {
            let message = format!("`{}` does not say {what}", tree.name.node);
            self.say(Problem::error("M0745", tree.name.span, message, format!("add `{field}: NAME;`")));
            return None;
        };
        let who = self.addressee(scope, value)?;
        let is_area = |entity: &EntityId| self.program.entities[entity.index()].kind == EntityKind::Area;
        if field == "location" && !who.domain().is_empty() && !who.domain().iter().any(is_area) {
            let message = format!("`{}` is not an area", self.wrote(value.span));
            self.say(Problem::error("M0742", value.span, message, "go to an area"));
            return None;
        }
        self.one(&who, value.span)
    }

    pub(crate) fn items(&mut self, scope: &Scope, tree: &syntax::Activity) -> Vec<Subject> {
        if values(tree, "items").is_empty() {
            let message = format!("`{}` does not say what it moves", tree.name.node);
            self.say(Problem::warning("M0745", tree.name.span, message, "add `items: NAME;`"));
        }
        self.subjects(scope, values(tree, "items"))
    }

    pub(crate) fn watched(
        &mut self,
        scope: &Scope,
        tree: &syntax::Activity,
        field: &str,
    ) -> Vec<(Subject, bool)> {
        let inside = format!("{field}SubAreas");
        let areas = self.subjects(scope, values(tree, field));
        let deep = self.subjects(scope, values(tree, &inside));
        // `detectArrivalInSubAreas: true` widens the areas of `detectArrivalIn`.
        let widened = self.flag(tree, &inside) == Some(true);
        let mut watched: Vec<(Subject, bool)> = areas.into_iter().map(|area| (area, widened)).collect();
        watched.extend(deep.into_iter().map(|area| (area, true)));
        watched
    }

    /// `when: start` or `when: end`, which is also what is meant where nothing is said.
    pub(crate) fn moment(&mut self, tree: &syntax::Activity) -> Moment {
        match word(tree, "when").as_deref() {
            Some("start") => Moment::Start,
            Some("end") | None => Moment::End,
            Some(other) => {
                let message = format!("`{other}` is no moment of an activity");
                let span = values(tree, "when")[0].span;
                self.say(Problem::error("M0744", span, message, "write `start` or `end`"));
                Moment::End
            }
        }
    }

    #[expect(clippy::unused_self, reason = "one of the readers of fields")]
    pub(crate) fn flag(&self, tree: &syntax::Activity, field: &str) -> Option<bool> {
        match values(tree, field).first()?.node {
            ExpressionNode::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    pub(crate) fn priority_of(&mut self, tree: &syntax::Activity) -> Option<f64> {
        match values(tree, "priority").first()?.node {
            #[expect(clippy::cast_precision_loss, reason = "priorities are small")]
            ExpressionNode::Int(number) => Some(number as f64),
            ExpressionNode::Double(number) => Some(number),
            _ => None,
        }
    }

    pub(crate) fn duration(&mut self, scope: &Scope, definition: &Definition<'a>) -> Option<Duration> {
        let tree = definition.tree;
        let set = self.lineages[scope.current.index()]
            .iter()
            .take_while_inclusive(definition.concept)
            .find_map(|concept| self.durations.get(&(*concept, tree.name.node.clone())).copied());
        if let Some(seconds) = set {
            let seconds = Expr::Value(Value::Int(seconds));
            return Some(Duration { min: seconds.clone(), max: seconds });
        }
        if let Some(seconds) = self.stub(definition).and_then(|stub| stub.duration) {
            let seconds = Expr::Value(Value::Int(seconds));
            return Some(Duration { min: seconds.clone(), max: seconds });
        }
        let max = self.seconds(scope, tree, "max_duration");
        let min = self.seconds(scope, tree, "min_duration");
        let random = self.flag(tree, "random") == Some(true);
        let duration = match (min, max) {
            (None, None) => return None,
            (Some(only), None) => Duration { min: only.clone(), max: only },
            (min, Some(max)) if random => Duration { min: min.unwrap_or(Expr::Value(Value::Int(0))), max },
            (_, Some(max)) => Duration { min: max.clone(), max },
        };
        if let (Expr::Value(Value::Int(min)), Expr::Value(Value::Int(max))) = (&duration.min, &duration.max)
            && min > max
        {
            let message = format!("`{}` lasts at least {min} s and at most {max} s", tree.name.node);
            let span = values(tree, "min_duration").first().map_or(tree.name.span, |value| value.span);
            self.say(Problem::error("M0747", span, message, "exchange the two, or leave one out"));
        }
        Some(duration)
    }

    pub(crate) fn seconds(&mut self, scope: &Scope, tree: &syntax::Activity, field: &str) -> Option<Expr> {
        let value = values(tree, field).first()?;
        let typed: Typed = self.expression(scope, value, Bare::Unknown)?;
        let wrong = match typed.expr {
            Expr::Value(Value::Int(seconds)) => !(0..=MAX_SECONDS).contains(&seconds),
            Expr::Value(Value::Double(bits)) => !(0.0..=1e9).contains(&f64::from_bits(bits)),
            _ => !matches!(typed.sort, Sort::Int | Sort::Double | Sort::Any),
        };
        if wrong {
            let message = format!("`{}` is no duration", self.wrote(value.span));
            self.say(Problem::error(
                "M0747",
                value.span,
                message,
                "write seconds: a whole number from 0 to 10^9",
            ));
            return None;
        }
        Some(match typed.expr {
            #[expect(clippy::cast_possible_truncation, reason = "checked to be at most 10^9")]
            Expr::Value(Value::Double(bits)) => Expr::Value(Value::Int(f64::from_bits(bits).round() as i64)),
            other => other,
        })
    }

    pub(crate) fn check_fields(&mut self, tree: &syntax::Activity) {
        for field in &tree.fields {
            if FIELDS.contains(&field.name.node.as_str()) {
                continue;
            }
            let help = match suggest(&field.name.node, FIELDS.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "leave it out; it is not looked at".to_owned(),
            };
            let message = format!("activities have no `{}`", field.name.node);
            self.say(Problem::warning("M0744", field.name.span, message, help));
        }
    }
}

/// The values of a field; the last one of that name counts.
pub(crate) fn values<'t>(tree: &'t syntax::Activity, field: &str) -> &'t [Expression] {
    tree.fields.iter().rfind(|known| known.name.node == field).map_or(&[], |known| &known.values)
}

/// The single word of a field.
pub(crate) fn word(tree: &syntax::Activity, field: &str) -> Option<String> {
    match &values(tree, field).first()?.node {
        ExpressionNode::Reference(reference) => match &reference.node {
            ReferenceNode::Name(name) => Some(name.clone()),
            _ => None,
        },
        ExpressionNode::Text(text) => Some(text.clone()),
        ExpressionNode::Int(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The concepts up to the one that defines an activity: nearer ones may set its duration.
trait UpTo<'c>: Iterator<Item = &'c ConceptId> + Sized {
    fn take_while_inclusive(self, last: ConceptId) -> impl Iterator<Item = &'c ConceptId> {
        let mut over = false;
        self.take_while(move |concept| {
            let before = !over;
            over |= **concept == last;
            before
        })
    }
}

impl<'c, I: Iterator<Item = &'c ConceptId>> UpTo<'c> for I {}
