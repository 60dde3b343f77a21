//! Calls of activities: which one an actor means, and what it does with these arguments.

use std::collections::BTreeSet;
use std::rc::Rc;

use motet_source::{Problem, Span, suggest};

use super::base::{NATIVE_NAMES, native};
use super::catalogue::ConceptId;
use super::condition::read_by;
use super::expression::Bare;
use super::frame::FrameKind;
use super::scope::{Level, Meaning, Scope, Sort, Typed, Who, describe};
use super::sought::sighted;
use super::{Resolver, number};
use crate::program::{
    Activity, ActivityId, ActivityNode, Duration, EntityId, EntityKind, Expr, Moment, Sighted, Subject, Value,
};
use crate::syntax::{self, ActivityKind, Expression, ExpressionNode, Name, ReferenceNode};

/// Composite activities stand inside each other at most this deep.
const LIMIT_LEVELS: usize = 32;
/// Activities have at most this many parameters.
const LIMIT_PARAMETERS: usize = 64;

/// A resolved call.
pub(crate) struct Call {
    /// The activity as called here.
    pub(crate) activity: ActivityId,
    /// Its priority, which counts for the frame.
    pub(crate) priority: Option<f64>,
    /// Variables that the arguments mention.
    pub(crate) read: BTreeSet<u16>,
    /// Variables that have a value afterwards.
    pub(crate) outputs: BTreeSet<u16>,
}

/// The text of an activity and from where its names are seen.
#[derive(Clone)]
pub(crate) struct Definition<'a> {
    pub(crate) tree: &'a syntax::Activity,
    pub(crate) concept: ConceptId,
    pub(crate) visible: Vec<usize>,
    pub(crate) name: String,
}

/// What an activity does, with the variables it gives a value.
pub(crate) struct Deed {
    pub(crate) node: ActivityNode,
    pub(crate) outputs: BTreeSet<u16>,
}

impl Deed {
    pub(crate) fn plain(node: ActivityNode) -> Self {
        Self { node, outputs: BTreeSet::new() }
    }
}

impl<'a> Resolver<'a> {
    /// A call in the body of a frame.
    pub(crate) fn call(
        &mut self,
        scope: &Scope,
        name: &Name,
        arguments: &[Expression],
        span: Span,
        assigned: &BTreeSet<u16>,
    ) -> Option<Call> {
        let short = name.node.rsplit('.').next().unwrap_or(&name.node);
        let definition = self.definition(scope, short, arguments.len());
        let is_native = definition.as_ref().is_none_or(|known| known.tree.kind == ActivityKind::Java);
        if is_native && let Some(native) = native(short) {
            if let Some(definition) = &definition {
                self.used.insert(definition.tree.span);
            }
            return self.native(scope, native, name, arguments, span);
        }
        let Some(definition) = definition else {
            self.unknown_activity(scope, name);
            return None;
        };
        self.used.insert(definition.tree.span);
        if self.full(span) {
            return None;
        }
        let given = self.arguments(scope, &definition, arguments, span)?;
        let mut read = BTreeSet::new();
        for (_, meaning) in &given {
            if let Meaning::Value(typed) = meaning {
                read_by(&typed.expr, &mut read);
            }
        }
        let priority = self.priority_of(definition.tree);
        let (activity, outputs) = self.activity(scope, &definition, given, span, assigned)?;
        Some(Call { activity, priority, read, outputs })
    }

    /// The nearest activity of this name: inside the open composite activities, then in the actor's own concepts. Of
    /// several in one text the one with as many parameters as there are arguments.
    fn definition(&self, scope: &Scope, name: &str, arguments: usize) -> Option<Definition<'a>> {
        for (at, &level) in scope.visible.iter().enumerate().rev() {
            let open = &self.levels[level];
            if let Some((tree, name)) = pick(&open.tree.body.activities, name, arguments) {
                let visible = scope.visible[..=at].to_vec();
                return Some(Definition { tree, concept: open.concept, visible, name });
            }
        }
        for &concept in self.lineages[scope.current.index()].iter() {
            let Some(tree) = self.catalogue.entries[concept].tree else { continue };
            if let Some((tree, name)) = pick(&tree.body.activities, name, arguments) {
                return Some(Definition { tree, concept, visible: Vec::new(), name });
            }
        }
        None
    }

    fn unknown_activity(&mut self, scope: &Scope, name: &Name) {
        let mut known: Vec<&str> = NATIVE_NAMES.to_vec();
        for &level in &scope.visible {
            known.extend(self.levels[level].tree.body.activities.iter().map(|tree| tree.name.node.as_str()));
        }
        for concept in self.lineages[scope.current.index()].iter() {
            let Some(tree) = self.catalogue.entries[*concept].tree else { continue };
            known.extend(tree.body.activities.iter().map(|tree| tree.name.node.as_str()));
        }
        let who = &self.program.entities[scope.current.index()].name;
        let help = match suggest(&name.node, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "declare it under `activities:`".to_owned(),
        };
        let opaque = self.lineages[scope.current.index()]
            .iter()
            .any(|concept| self.catalogue.entries[*concept].opaque);
        let message = format!("`{who}` has no activity `{}`", name.node);
        let problem = Problem::error("M0740", name.span, message, help).label("not declared");
        if opaque {
            let help = "add the file of the missing group; the call does nothing now";
            let problem = Problem { help: help.to_owned(), ..problem };
            self.say(Problem { severity: motet_source::Severity::Warning, ..problem });
        } else {
            self.say(problem);
        }
    }

    fn arguments(
        &mut self,
        scope: &Scope,
        definition: &Definition<'a>,
        arguments: &[Expression],
        span: Span,
    ) -> Option<Vec<(String, Meaning)>> {
        let tree = definition.tree;
        let wanted = tree.parameters.len();
        if arguments.len() != wanted || wanted > LIMIT_PARAMETERS {
            let count = |number: usize| match number {
                0 => "no arguments".to_owned(),
                1 => "1 argument".to_owned(),
                more => format!("{more} arguments"),
            };
            let message = format!("`{}` takes {}, not {}", tree.name.node, count(wanted), arguments.len());
            let written: Vec<&str> = tree.parameters.iter().map(|param| param.name.node.as_str()).collect();
            let help = format!("call it as `{}({})`", tree.name.node, written.join(", "));
            let problem = Problem::error("M0741", span, message, help);
            self.say(problem.also(tree.name.span, "declared here"));
            return None;
        }
        let unit = self.catalogue.entries[definition.concept].unit;
        let mut given = Vec::new();
        let mut failed = false;
        for (parameter, argument) in tree.parameters.iter().zip(arguments) {
            let sort = self.sort_of(unit, &parameter.kind);
            match self.argument(scope, &tree.name.node, &sort, argument) {
                Some(meaning) => given.push((parameter.name.node.clone(), meaning)),
                None => failed = true,
            }
        }
        if failed { None } else { Some(given) }
    }

    fn argument(
        &mut self,
        scope: &Scope,
        activity: &str,
        wanted: &Sort,
        tree: &Expression,
    ) -> Option<Meaning> {
        if let ExpressionNode::Reference(reference) = &tree.node
            && let ReferenceNode::Name(name) = &reference.node
            && let Some(Meaning::Type(concept)) = self.meaning(scope, name)
            && *wanted == Sort::Any
        {
            return Some(Meaning::Type(concept));
        }
        let bare = if matches!(wanted, Sort::Entity(_)) { Bare::Unknown } else { Bare::Symbol };
        let typed = self.expression(scope, tree, bare)?;
        let fits = match (wanted, &typed.sort) {
            (Sort::Any, _) | (_, Sort::Any) => true,
            (Sort::Int | Sort::Double, Sort::Int | Sort::Double) => true,
            (Sort::Symbol | Sort::Text, Sort::Symbol | Sort::Text) => true,
            (Sort::Entity(wanted), Sort::Entity(given)) => {
                given.is_empty() || wanted.is_empty() || given.iter().any(|entity| wanted.contains(entity))
            }
            (wanted, given) => wanted == given,
        };
        if !fits {
            let message = match (&typed.sort, wanted) {
                (Sort::Entity(_), Sort::Entity(_)) => {
                    format!("`{}` is not of the type that `{activity}` takes", self.wrote(tree.span))
                }
                (given, wanted) => format!(
                    "`{}` is {}; `{activity}` takes {} here",
                    self.wrote(tree.span),
                    describe(given),
                    describe(wanted)
                ),
            };
            let help = format!("give {}", describe(wanted));
            self.say(Problem::error("M0742", tree.span, message, help));
            return None;
        }
        Some(Meaning::Value(typed))
    }

    /// An activity as called at one place, with the variables it gives a value.
    pub(crate) fn activity(
        &mut self,
        scope: &Scope,
        definition: &Definition<'a>,
        given: Vec<(String, Meaning)>,
        call: Span,
        assigned: &BTreeSet<u16>,
    ) -> Option<(ActivityId, BTreeSet<u16>)> {
        let tree = definition.tree;
        let id = ActivityId(number(self.program.activities.len()));
        self.program.activities.push(Activity {
            name: definition.name.clone(),
            node: ActivityNode::Primitive,
            duration: None,
            resources: Vec::new(),
            span: tree.name.span,
            call,
        });
        let inner = Scope {
            concept: definition.concept,
            unit: self.catalogue.entries[definition.concept].unit,
            current: scope.current,
            variables: Rc::from([]),
            parameters: given,
            visible: definition.visible.clone(),
        };
        self.check_fields(tree);
        let duration = self.duration(&inner, definition);
        let resources = self.subjects(&inner, values(tree, "resources"));
        let deed = match tree.kind {
            ActivityKind::Composite => self.composite(scope, inner, definition, id)?,
            ActivityKind::Java => self.java(&inner, definition, assigned),
            ActivityKind::CreateAgent | ActivityKind::CreateObject | ActivityKind::CreateArea => {
                self.create(&inner, tree)?
            }
            _ => Deed::plain(self.deed(&inner, tree)?),
        };
        let activity = &mut self.program.activities[id.index()];
        activity.node = deed.node;
        activity.duration = duration;
        activity.resources = resources;
        Some((id, deed.outputs))
    }

    fn deed(&mut self, scope: &Scope, tree: &'a syntax::Activity) -> Option<ActivityNode> {
        Some(match tree.kind {
            ActivityKind::Move => {
                let to = self.required(scope, tree, "location", "where it goes")?;
                ActivityNode::Move {
                    to,
                    arrival: self.watched(scope, tree, "detectArrivalIn"),
                    departure: self.watched(scope, tree, "detectDepartureIn"),
                }
            }
            ActivityKind::Communicate => {
                let with = self.receivers(scope, tree)?;
                let about = self.about(scope, tree);
                ActivityNode::Communicate { with, about, at: self.moment(tree) }
            }
            ActivityKind::Broadcast => {
                let to = self.subjects(scope, values(tree, "to"));
                let inside_too = self.flag(tree, "toSubAreas").unwrap_or(true);
                let about = self.about(scope, tree);
                ActivityNode::Broadcast { to, inside_too, about, at: self.moment(tree) }
            }
            ActivityKind::Get => {
                let items = self.items(scope, tree);
                let source = self.subjects(scope, values(tree, "source")).first().copied();
                ActivityNode::Get { items, source, at: self.moment(tree) }
            }
            ActivityKind::Put => {
                let items = self.items(scope, tree);
                let destination = self.subjects(scope, values(tree, "destination")).first().copied();
                ActivityNode::Put { items, destination, at: self.moment(tree) }
            }
            _ => ActivityNode::Primitive,
        })
    }

    fn composite(
        &mut self,
        caller: &Scope,
        inner: Scope,
        definition: &Definition<'a>,
        id: ActivityId,
    ) -> Option<Deed> {
        let tree = definition.tree;
        let open = self.levels.iter().any(|level| level.tree.span == tree.span);
        if open || self.levels.len() >= LIMIT_LEVELS {
            let message = format!("the composite activity `{}` is called inside itself", tree.name.node);
            let help = "repeat its frames with `repeat: true` instead of calling it again";
            self.say(Problem::error("M0743", tree.name.span, message, help));
            return None;
        }
        let arguments = inner.parameters.iter().map(|(_, meaning)| match meaning {
            Meaning::Value(typed) => typed.expr.clone(),
            Meaning::Type(_) => Expr::Unknown,
        });
        let arguments = arguments.collect();
        let mut visible = inner.visible.clone();
        visible.push(self.levels.len());
        self.levels.push(Level { tree, parameters: inner.parameters, concept: definition.concept });
        let scope = Scope {
            parameters: Vec::new(),
            variables: Rc::from([]),
            visible,
            current: caller.current,
            ..inner
        };
        let detectables = self.detectables(&scope, &tree.body.detectables, true);
        let (mut works, mut thoughts) = (BTreeSet::new(), BTreeSet::new());
        let workframes = self.frames(&scope, &tree.body.workframes, &mut works, FrameKind::Work, Some(id));
        let thoughtframes =
            self.frames(&scope, &tree.body.thoughtframes, &mut thoughts, FrameKind::Thought, Some(id));
        self.levels.pop();
        let endless = match word(tree, "end_condition").as_deref() {
            Some("detectable") => true,
            Some("nowork") | None => false,
            Some(other) => {
                let message = format!("`{other}` is no end of a composite activity");
                let span = values(tree, "end_condition")[0].span;
                self.say(Problem::error("M0744", span, message, "write `nowork` or `detectable`"));
                false
            }
        };
        Some(Deed::plain(ActivityNode::Composite {
            arguments,
            endless,
            detectables,
            workframes,
            thoughtframes,
        }))
    }

    fn about(&mut self, scope: &Scope, tree: &syntax::Activity) -> Vec<crate::program::Transfer> {
        if tree.about.is_empty() {
            let message = format!("`{}` says nothing", tree.name.node);
            let help = "add what is sent: `about: send(x.a = x.a);`";
            self.say(Problem::warning("M0745", tree.name.span, message, help));
        }
        self.transfers(scope, &tree.about)
    }

    fn receivers(&mut self, scope: &Scope, tree: &syntax::Activity) -> Option<Vec<Sighted>> {
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
    fn addressee(&mut self, scope: &Scope, tree: &Expression) -> Option<Who> {
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

    fn required(
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

    fn items(&mut self, scope: &Scope, tree: &syntax::Activity) -> Vec<Subject> {
        if values(tree, "items").is_empty() {
            let message = format!("`{}` does not say what it moves", tree.name.node);
            self.say(Problem::warning("M0745", tree.name.span, message, "add `items: NAME;`"));
        }
        self.subjects(scope, values(tree, "items"))
    }

    fn watched(&mut self, scope: &Scope, tree: &syntax::Activity, field: &str) -> Vec<(Subject, bool)> {
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
    fn flag(&self, tree: &syntax::Activity, field: &str) -> Option<bool> {
        match values(tree, field).first()?.node {
            ExpressionNode::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    fn priority_of(&mut self, tree: &syntax::Activity) -> Option<f64> {
        match values(tree, "priority").first()?.node {
            #[expect(clippy::cast_precision_loss, reason = "priorities are small")]
            ExpressionNode::Int(number) => Some(number as f64),
            ExpressionNode::Double(number) => Some(number),
            _ => None,
        }
    }

    fn duration(&mut self, scope: &Scope, definition: &Definition<'a>) -> Option<Duration> {
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

    fn seconds(&mut self, scope: &Scope, tree: &syntax::Activity, field: &str) -> Option<Expr> {
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

    fn check_fields(&mut self, tree: &syntax::Activity) {
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

/// The activity of this name, and what to call it: of several the one with as many parameters, else the first.
fn pick<'a>(
    activities: &'a [syntax::Activity],
    name: &str,
    arguments: usize,
) -> Option<(&'a syntax::Activity, String)> {
    let named = || activities.iter().filter(|tree| tree.name.node == name).enumerate();
    let (at, tree) =
        named().find(|(_, tree)| tree.parameters.len() == arguments).or_else(|| named().next())?;
    Some((tree, if at == 0 { name.to_owned() } else { format!("{name}~{}", at + 1) }))
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
