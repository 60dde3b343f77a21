//! Calls of activities: which one an actor means, and what it does with these arguments.

use std::collections::BTreeSet;
use std::rc::Rc;

use motet_source::{Problem, Span, suggest};

use super::base::{NATIVE_NAMES, native};
use super::catalogue::ConceptId;
use super::condition::read_by;
use super::expression::Bare;
use super::fields::{values, word};
use super::frame::FrameKind;
use super::scope::{Level, Meaning, Scope, Sort, describe};
use super::{Resolver, number};
use crate::program::{Activity, ActivityId, ActivityNode, Expr};
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
        let who = &self.catalogue.entries[scope.concept].name;
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
}

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
