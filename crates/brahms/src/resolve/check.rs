//! What is certainly odd once everything is known: frames that can never fire, moves to places that cannot be reached,
//! activities that nobody calls.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use motet_source::{Problem, Problems, Span, suggest};

use super::Resolver;
use super::activity::Definition;
use super::catalogue::ConceptId;
use super::constant::Constants;
use super::parameter::each_activity;
use super::scope::{Local, Meaning, Typed};
use super::writes::Writes;
use crate::program::{ActivityNode, EntityId, Expr, Frame, Key, Program, Statement, Subject, Value, Var};
use crate::syntax::{Activity, ActivityKind, Body, Quantifier};

impl<'a> Resolver<'a> {
    /// Looks at the finished program.
    pub(crate) fn check(&mut self) {
        let writes = Writes::of(&self.program);
        let mut found = Problems::new();
        let dead = never_firing(&self.program, &writes, &mut found);
        unreachable(&self.program, &writes, &dead, &mut found);
        self.problems.extend(found);
    }

    /// Activities that nobody calls: what is wrong in them is said all the same.
    pub(crate) fn uncalled(&mut self) {
        self.stubs_without_activity();
        self.conflicts();
        for concept in 0..self.catalogue.entries.len() {
            let Some(tree) = self.catalogue.entries[concept].tree else { continue };
            self.twice(&tree.body);
            let works = definitions(&tree.body).filter(|(what, _)| *what != "thoughtframe");
            self.program.declared.extend(works.map(|(_, name)| name.to_owned()));
            let idle: Vec<&'a Activity> =
                tree.body.activities.iter().filter(|activity| !self.used.contains(&activity.span)).collect();
            for activity in &idle {
                self.try_out(concept, activity);
            }
            let Some(first) = idle.first() else { continue };
            let names: Vec<String> =
                idle.iter().map(|activity| format!("`{}`", activity.name.node)).collect();
            let (are, help) = match names.len() {
                1 => ("is", "call it in a workframe, or take it out"),
                _ => ("are", "call them in workframes, or take them out"),
            };
            let message = format!("{} of `{}` {are} never done", names.join(", "), tree.name.node);
            let mut problem = Problem::hint("M0764", first.name.span, message, help);
            for activity in idle.iter().skip(1) {
                problem = problem.also(activity.name.span, "never done");
            }
            self.say(problem);
        }
    }

    /// Two parents bring a frame or an activity of one name; the nearer or left one counts.
    fn conflicts(&mut self) {
        for entry in &self.catalogue.entries {
            let (Some(tree), true) = (entry.tree, entry.parents.len() > 1) else { continue };
            let mut bringing: BTreeMap<(&str, &str), BTreeSet<ConceptId>> = BTreeMap::new();
            for parent in &entry.parents {
                for (what, name, owner) in self.brought(*parent) {
                    bringing.entry((what, name)).or_default().insert(owner);
                }
            }
            for ((what, name), owners) in bringing {
                let own = |body: &Body| definitions(body).any(|known| known == (what, name));
                if owners.len() < 2 || own(&tree.body) {
                    continue;
                }
                let Some(counts) = entry.ancestors.iter().find(|concept| owners.contains(concept)) else {
                    continue;
                };
                let names: Vec<String> =
                    owners.iter().map(|owner| format!("`{}`", self.catalogue.entries[*owner].name)).collect();
                let message = format!("the {what} `{name}` comes from {}", names.join(" and "));
                let counts = &self.catalogue.entries[*counts].name;
                let help =
                    format!("define it in `{}` to choose; that of `{counts}` counts now", tree.name.node);
                self.problems.push(Problem::hint("M0729", tree.name.span, message, help));
            }
        }
    }

    /// What a parent defines itself or hands on: for each name the nearest definition.
    fn brought(&self, parent: ConceptId) -> Vec<(&'a str, &'a str, ConceptId)> {
        let mut seen = BTreeSet::new();
        let mut brought = Vec::new();
        for &concept in &self.catalogue.entries[parent].ancestors {
            let Some(tree) = self.catalogue.entries[concept].tree else { continue };
            for (what, name) in definitions(&tree.body) {
                if seen.insert((what, name)) {
                    brought.push((what, name, concept));
                }
            }
        }
        brought
    }

    fn stubs_without_activity(&mut self) {
        let mut known = BTreeSet::new();
        for entry in &self.catalogue.entries {
            let Some(tree) = entry.tree else { continue };
            each_activity(&tree.body, &mut |activity| {
                if activity.kind == ActivityKind::Java {
                    known.insert(activity.name.node.clone());
                    known.insert(format!("{}.{}", entry.name, activity.name.node));
                }
            });
        }
        for (name, stub) in &self.settings.stubs {
            if known.contains(name) {
                continue;
            }
            let help = match suggest(name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "the model has no Java activities".to_owned(),
                None => format!(
                    "the Java activities are {}",
                    known.iter().cloned().collect::<Vec<_>>().join(", ")
                ),
            };
            let message = format!("there is no Java activity `{name}`");
            self.problems.push(Problem::error("M0778", stub.span, message, help));
        }
    }

    /// Two activities of one name in one text.
    fn twice(&mut self, body: &Body) {
        let mut seen: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
        for activity in &body.activities {
            let places = seen.entry(&activity.name.node).or_default();
            if let Some(first) = places.first() {
                let name = &activity.name.node;
                let message = format!("there are two activities called `{name}` here");
                let help =
                    format!("rename one; the second is called `{name}~{}` in reports", places.len() + 1);
                let problem = Problem::warning("M0727", activity.name.span, message, help);
                self.problems.push(problem.also(*first, "the first one"));
            }
            places.push(activity.name.span);
            self.twice(&activity.body);
        }
    }

    /// Resolves an activity as if it were called with variables of the right types.
    fn try_out(&mut self, concept: ConceptId, tree: &'a Activity) {
        if tree.kind == ActivityKind::Java || tree.parameters.len() > 64 {
            return;
        }
        let members = self.members_of(concept);
        let own = self.catalogue.entries[concept].entity;
        let Some(current) = own.or(members.first().copied()).or_else(|| {
            let actor = self.stand_in(concept)?;
            Some(self.program.actors[actor.index()].entity)
        }) else {
            return;
        };
        let Some(actor) = self.program.entities[current.index()].actor else { return };
        self.actor = actor;
        let unit = self.catalogue.entries[concept].unit;
        let mut locals = Vec::new();
        let mut given = Vec::new();
        for (number, parameter) in (0..).zip(&tree.parameters) {
            let sort = self.sort_of(unit, &parameter.kind);
            let name = parameter.name.node.clone();
            given.push((
                name.clone(),
                Meaning::Value(Typed::new(Expr::Variable(Var::Own(number)), sort.clone())),
            ));
            locals.push(Local { name, sort, quantifier: Quantifier::ForOne, span: parameter.name.span });
        }
        let mut scope = self.scope(concept, current);
        scope.variables = Rc::from(locals);
        let definition = Definition { tree, concept, visible: Vec::new(), name: tree.name.node.clone() };
        let _ = self.activity(&scope, &definition, given, tree.name.span, &BTreeSet::new());
    }
}

/// Frames and activities of a text.
fn definitions(body: &Body) -> impl Iterator<Item = (&'static str, &str)> {
    let works = body.workframes.iter().map(|frame| ("workframe", frame.name.node.as_str()));
    let thoughts = body.thoughtframes.iter().map(|frame| ("thoughtframe", frame.name.node.as_str()));
    let activities = body.activities.iter().map(|activity| ("activity", activity.name.node.as_str()));
    works.chain(thoughts).chain(activities)
}

/// Frames with a condition that is false for everybody who has the frame, whatever happens. Returns their places.
fn never_firing(program: &Program, writes: &Writes<'_>, found: &mut Problems) -> BTreeSet<Span> {
    let constants = Constants { program, writes };
    let mut verdicts: BTreeMap<Span, Vec<Option<(Span, String)>>> = BTreeMap::new();
    for frame in &program.frames {
        let dead = frame.guard.iter().find_map(|condition| {
            let why = constants.never(frame, &condition.node)?;
            Some((condition.span, why))
        });
        verdicts.entry(frame.name_span).or_default().push(dead);
    }
    let mut dead = BTreeSet::new();
    for frame in &program.frames {
        let all = &verdicts[&frame.name_span];
        let (Some(Some((span, why))), true) = (all.first(), all.iter().all(Option::is_some)) else {
            continue;
        };
        if dead.insert(frame.name_span) {
            let message = format!("`{}` can never start", frame.name);
            let help = "let somebody conclude or send this, or give it another initial value";
            found.push(Problem::warning("M0763", *span, message, help).label(why.clone()));
        }
    }
    dead
}

/// Moves that can never be timed: no path leads there from anywhere the actor can be.
fn unreachable(program: &Program, writes: &Writes<'_>, dead: &BTreeSet<Span>, found: &mut Problems) {
    for actor in &program.actors {
        let entity = &program.entities[actor.entity.index()];
        if !entity.exists || writes.carried.contains(&actor.entity) {
            continue;
        }
        let moves = moves_of(program, writes, actor.entity);
        let key = program.keys.find(Key::Attribute(actor.entity, program.location));
        let held = |store: &[(crate::program::KeyId, Value)]| {
            store.iter().find_map(|(known, value)| match value {
                Value::Entity(area) if Some(*known) == key => Some(*area),
                _ => None,
            })
        };
        let start = held(&program.facts).or_else(|| held(&actor.beliefs));
        let mut places: BTreeSet<EntityId> = BTreeSet::new();
        let timed = moves.iter().filter(|found| found.timed).flat_map(|found| found.targets.iter().copied());
        for from in start.into_iter().chain(timed) {
            places.insert(from);
            places.extend(
                program.ways.range((from, EntityId(0))..).map_while(|((a, b), _)| (*a == from).then_some(*b)),
            );
        }
        for found_move in moves.iter().filter(|found| !found.timed && !dead.contains(&found.frame)) {
            if found_move.targets.is_empty() || found_move.targets.iter().any(|area| places.contains(area)) {
                continue;
            }
            found.push(lost(program, &entity.name, start, found_move));
        }
    }
}

/// A move as somebody may make it.
struct Going {
    targets: Vec<EntityId>,
    timed: bool,
    call: Span,
    frame: Span,
}

fn moves_of(program: &Program, writes: &Writes<'_>, entity: EntityId) -> Vec<Going> {
    let mut moves = Vec::new();
    let own = |frame: &&Frame| program.actors[frame.actor.index()].entity == entity;
    for frame in program.frames.iter().filter(own) {
        for statement in &frame.body {
            let Statement::Do(activity) = statement else { continue };
            let activity = &program.activities[activity.index()];
            let ActivityNode::Move { to, .. } = &activity.node else { continue };
            let targets = match to {
                // Composite activities hand on values that are not followed here.
                Subject::Variable(Var::Parameter { .. }) => Vec::new(),
                to => writes.subject(frame, *to),
            };
            let timed = activity.duration.is_some();
            moves.push(Going { targets, timed, call: activity.call, frame: frame.name_span });
        }
    }
    moves
}

fn lost(program: &Program, who: &str, start: Option<EntityId>, going: &Going) -> Problem {
    let target = match going.targets.as_slice() {
        [one] => format!("`{}`", program.entities[one.index()].name),
        _ => "any of these areas".to_owned(),
    };
    let (message, help) = match start {
        None => (
            format!("`{who}` is nowhere, so it cannot go to {target}"),
            "give it a `location:`, or the move a `max_duration`",
        ),
        Some(start) => (
            format!(
                "no path leads from `{}` or any place `{who}` can be to {target}",
                program.entities[start.index()].name
            ),
            "add a `path`, or give the move a `max_duration`",
        ),
    };
    Problem::error("M0765", going.call, message, help)
}
