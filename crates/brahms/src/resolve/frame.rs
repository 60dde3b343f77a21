//! Frames, one copy for each actor: nearest definition of a name first, calls resolved in that actor's eyes.

use std::collections::BTreeSet;
use std::rc::Rc;

use motet_source::{Problem, Span};

use super::catalogue::{ConceptId, is_type};
use super::scope::{Local, Scope, Sort};
use super::{Resolver, number};
use crate::program::{ActivityId, ActorId, Domain, EntityKind, Frame, FrameId, Reads, Repeat, Variable};
use crate::syntax::{self, ConceptKind};

/// A frame has at most this many variables.
const LIMIT_VARIABLES: usize = 64;

/// Which of the two sorts of frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameKind {
    /// A workframe.
    Work,
    /// A thoughtframe.
    Thought,
}

impl<'a> Resolver<'a> {
    /// The frames of all actors.
    pub(crate) fn actors(&mut self) {
        for actor in 0..self.program.actors.len() {
            self.frames_of(ActorId(number(actor)));
        }
    }

    fn frames_of(&mut self, actor: ActorId) {
        let entity = self.program.actors[actor.index()].entity;
        if self.program.entities[entity.index()].kind == EntityKind::ExternalAgent {
            return;
        }
        self.actor = actor;
        let lineage = self.lineages[entity.index()].clone();
        let mut workframes = Vec::new();
        let mut thoughtframes = Vec::new();
        let (mut works, mut thoughts) = (BTreeSet::new(), BTreeSet::new());
        for &concept in lineage.iter() {
            let Some(tree) = self.catalogue.entries[concept].tree else { continue };
            let scope = self.scope(concept, entity);
            let (body, place) = (&tree.body, None);
            workframes.extend(self.frames(&scope, &body.workframes, &mut works, FrameKind::Work, place));
            thoughtframes.extend(self.frames(
                &scope,
                &body.thoughtframes,
                &mut thoughts,
                FrameKind::Thought,
                place,
            ));
        }
        let actor = &mut self.program.actors[actor.index()];
        actor.workframes = workframes;
        actor.thoughtframes = thoughtframes;
    }

    /// The frames of one text. Names in `nearer` are defined by nearer concepts, which win; those of this text join them.
    pub(crate) fn frames(
        &mut self,
        scope: &Scope,
        trees: &'a [syntax::Frame],
        nearer: &mut BTreeSet<String>,
        kind: FrameKind,
        inside: Option<ActivityId>,
    ) -> Vec<FrameId> {
        let mut here: Vec<(&str, Span)> = Vec::new();
        let mut frames = Vec::new();
        for tree in trees {
            let name = &tree.name.node;
            if nearer.contains(name) {
                continue;
            }
            let earlier = here.iter().filter(|(known, _)| known == name).count();
            if let Some((_, first)) = here.iter().find(|(known, _)| known == name) {
                let message = format!("there are two frames called `{name}` here");
                let help = format!("rename one; the second is called `{name}~{}` in reports", earlier + 1);
                let problem = Problem::warning("M0727", tree.name.span, message, help);
                self.say(problem.also(*first, "the first one"));
            }
            here.push((name, tree.name.span));
            let name = if earlier == 0 { name.clone() } else { format!("{name}~{}", earlier + 1) };
            if self.full(tree.span) {
                break;
            }
            frames.push(self.frame(scope, tree, name, kind, inside));
        }
        nearer.extend(here.into_iter().map(|(name, _)| name.to_owned()));
        frames
    }

    fn frame(
        &mut self,
        outer: &Scope,
        tree: &'a syntax::Frame,
        name: String,
        kind: FrameKind,
        inside: Option<ActivityId>,
    ) -> FrameId {
        let locals = self.locals(outer, &tree.variables);
        let scope = Scope { variables: locals.into(), parameters: Vec::new(), ..outer.clone() };
        let (guard, guarded) = self.guard(&scope, &tree.guard);
        let body = self.body(&scope, tree, kind, &guarded);
        let detectables = match kind {
            FrameKind::Work => self.detectables(&scope, &tree.detectables, false),
            FrameKind::Thought => {
                self.no_detectables(tree);
                Vec::new()
            }
        };
        self.detected_variables(&scope, &detectables, &body.assigned);
        let variables = (0..)
            .zip(scope.variables.iter())
            .map(|(number, local)| variable(local, guarded.contains(&number)))
            .collect();
        let priority = tree.priority.as_ref().map(|priority| priority.node).or(body.priority);
        let frame = Frame {
            name,
            actor: self.actor,
            inside,
            reads: self.reads(tree, kind),
            repeat: self.repeat(tree),
            priority: tenths(priority.unwrap_or(0.0)),
            variables,
            guard,
            detectables,
            body: body.statements,
            span: tree.span,
            name_span: tree.name.span,
        };
        self.program.frames.push(frame);
        FrameId(number(self.program.frames.len() - 1))
    }

    fn no_detectables(&mut self, tree: &syntax::Frame) {
        if let Some(detectable) = tree.detectables.first() {
            let message = "a thoughtframe detects nothing";
            let help = "move the detectable to a workframe; it is left out here";
            self.say(Problem::warning("M0759", detectable.name.span, message, help));
        }
    }

    fn locals(&mut self, scope: &Scope, trees: &[syntax::Variable]) -> Vec<Local> {
        let mut locals: Vec<Local> = Vec::new();
        for tree in trees.iter().take(LIMIT_VARIABLES) {
            let sort = self.sort_of(scope.unit, &tree.kind);
            if matches!(sort, Sort::Map | Sort::Relation) {
                let message = format!("`{}` cannot range over maps or relations", tree.name.node);
                self.say(Problem::error("M0757", tree.kind.span, message, "use the type of the values"));
            }
            if let Some(earlier) = locals.iter().find(|local| local.name == tree.name.node) {
                let message = format!("the variable `{}` is declared twice", tree.name.node);
                let problem = Problem::error("M0721", tree.name.span, message, "rename one of them");
                let problem = problem.also(earlier.span, "first declared here");
                self.say(problem);
            }
            locals.push(Local {
                name: tree.name.node.clone(),
                sort,
                quantifier: tree.quantifier,
                span: tree.name.span,
            });
        }
        if let Some(tree) = trees.get(LIMIT_VARIABLES) {
            let message = format!("a frame has at most {LIMIT_VARIABLES} variables");
            self.say(Problem::error("M0757", tree.name.span, message, "split the frame"));
        }
        locals
    }

    /// Objects look at facts in their workframes unless they say `dataframe` (Brahms: `factframe` is their default).
    fn reads(&mut self, tree: &syntax::Frame, kind: FrameKind) -> Reads {
        let is_object = self.program.actors[self.actor.index()].is_object;
        let written = tree.kind.as_ref().map(|kind| kind.node.as_str());
        if let Some(name) = &tree.kind
            && !matches!(name.node.as_str(), "factframe" | "dataframe")
        {
            let message = format!("there is no type of frame `{}`", name.node);
            self.say(Problem::error("M0757", name.span, message, "write `factframe` or `dataframe`"));
        }
        if let (Some(name), Some("factframe"), false) = (&tree.kind, written, is_object) {
            let message = "agents act on what they believe, not on facts";
            let help = "leave `type: factframe` out; it is for objects, and is not looked at here";
            self.say(Problem::warning("M0757", name.span, message, help));
        }
        if is_object && kind == FrameKind::Work && written != Some("dataframe") {
            Reads::Facts
        } else {
            Reads::Beliefs
        }
    }

    /// `repeat: once` fires twice in the thesis (Stocker 2013, 6.3: once becomes false, and false still fires).
    fn repeat(&self, tree: &syntax::Frame) -> Repeat {
        match tree.repeat.as_ref().map(|repeat| repeat.node) {
            Some(syntax::Repeat::True) => Repeat::Always,
            Some(syntax::Repeat::Once) if self.settings.once_is_twice => Repeat::Twice,
            Some(syntax::Repeat::Once | syntax::Repeat::False) | None => Repeat::Once,
        }
    }

    /// Groups and classes without members have frames that nobody runs; what is wrong in them is said all the same, and
    /// so is what is wrong in activities that nobody calls.
    pub(crate) fn templates(&mut self) {
        let keys = self.program.keys.clone();
        let numbered = self.numbered.clone();
        let sizes = (
            self.program.entities.len(),
            self.program.actors.len(),
            self.program.frames.len(),
            self.program.activities.len(),
            self.computed.len(),
        );
        for concept in 0..self.catalogue.entries.len() {
            self.template(concept);
        }
        self.uncalled();
        self.program.keys = keys;
        self.numbered = numbered;
        self.program.entities.truncate(sizes.0);
        self.lineages.truncate(sizes.0);
        self.program.actors.truncate(sizes.1);
        self.program.frames.truncate(sizes.2);
        self.program.activities.truncate(sizes.3);
        self.computed.truncate(sizes.4);
    }

    fn template(&mut self, concept: ConceptId) {
        let entry = &self.catalogue.entries[concept];
        if !is_type(entry.kind) || entry.tree.is_none() || !self.members_of(concept).is_empty() {
            return;
        }
        if let Some(actor) = self.stand_in(concept) {
            self.frames_of(actor);
        }
    }

    /// A member that a type without members might have.
    pub(crate) fn stand_in(&mut self, concept: ConceptId) -> Option<ActorId> {
        let entry = &self.catalogue.entries[concept];
        let kind = match entry.kind {
            ConceptKind::Group | ConceptKind::Agent => EntityKind::Agent,
            ConceptKind::Class | ConceptKind::Object => EntityKind::Object,
            _ => return None,
        };
        let (lineage, name): (Rc<[ConceptId]>, String) =
            (entry.ancestors.as_slice().into(), entry.name.clone());
        let span = entry.tree.map_or(self.place, |tree| tree.name.span);
        let entity = self.add_entity(name, kind, lineage, span);
        self.program.entities[entity.index()].actor
    }
}

fn variable(local: &Local, guarded: bool) -> Variable {
    let domain = match &local.sort {
        Sort::Entity(members) => Domain::Entities(members.to_vec()),
        _ => Domain::Values,
    };
    Variable { name: local.name.clone(), quantifier: local.quantifier, domain, guarded }
}

/// A priority times ten.
#[expect(clippy::cast_possible_truncation, reason = "clamped to a range that fits")]
fn tenths(priority: f64) -> i64 {
    (priority * 10.0).round().clamp(-1e12, 1e12) as i64
}
