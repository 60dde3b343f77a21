//! `-D X.frame=70`: certainties, set from outside. What is certain in the text stays certain.

use std::collections::BTreeSet;

use motet_source::Problem;

use super::Resolver;
use super::catalogue::{ConceptId, is_type};
use super::parameter::each_activity;
use crate::program::{EntityId, Frame, Statement};
use crate::syntax::Body;

impl Resolver<'_> {
    /// The names of frames and of their detectables, those inside composite activities too.
    pub(crate) fn frame_names(&self, concept: ConceptId) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let mut add = |body: &Body| {
            for frame in body.workframes.iter().chain(&body.thoughtframes) {
                names.insert(frame.name.node.clone());
                names.extend(frame.detectables.iter().map(|detectable| detectable.name.node.clone()));
            }
        };
        for ancestor in &self.catalogue.entries[concept].ancestors {
            if let Some(tree) = self.catalogue.entries[*ancestor].tree {
                add(&tree.body);
                each_activity(&tree.body, &mut |activity| add(&activity.body));
            }
        }
        names
    }

    /// Sets the certainties of frames and detectables that are named from outside, and lists them.
    pub(crate) fn certainties(&mut self) {
        for parameter in &self.settings.parameters {
            let Some((front, name)) = parameter.name.rsplit_once('.') else { continue };
            let Some(concept) = self.concept_named(front) else { continue };
            if !self.frame_names(concept).contains(name) {
                continue;
            }
            let written = parameter.value.trim().trim_end_matches('%').trim_end();
            let percent = written.parse::<u32>().ok().filter(|percent| *percent <= 100);
            let entry = &self.catalogue.entries[concept];
            let owners: Vec<EntityId> = match entry.entity {
                _ if is_type(entry.kind) => self.members_of(concept).to_vec(),
                entity => entity.into_iter().collect(),
            };
            let actors = self.program.actors.iter().map(|actor| owners.contains(&actor.entity));
            let own: Vec<bool> = actors.collect();
            let mut found = false;
            for frame in self.program.frames.iter_mut().filter(|frame| own[frame.actor.index()]) {
                for certainty in certainties(frame, name) {
                    *certainty = percent.unwrap_or(*certainty);
                    found = true;
                }
            }
            let message = match percent {
                Some(_) if found => continue,
                None => format!("`{}` is no certainty", parameter.value),
                Some(_) => format!("{} has no certainty between 0 and 100", parameter.name),
            };
            let help = "`-D X.frame=70` sets certainties that are neither 0 nor 100 in the text, to 0 to 100";
            let problem = Problem::error("M0775", parameter.span, message, help);
            self.say(problem.note(parameter.shown.clone()));
        }
        let mut listed: Vec<(String, String)> = Vec::new();
        let (entities, actors) = (&self.program.entities, &self.program.actors);
        for frame in &mut self.program.frames {
            let owner = &entities[actors[frame.actor.index()].entity.index()].name;
            let names = std::iter::once(frame.name.clone());
            let names: Vec<String> =
                names.chain(frame.detectables.iter().map(|it| it.name.clone())).collect();
            for name in names {
                if let Some(percent) = certainties(frame, &name).next() {
                    listed.push((format!("{owner}.{name}"), format!("{percent} %")));
                }
            }
        }
        self.program.parameters.extend(listed);
    }
}

/// The certainties of a frame, or of its detectables, with this name that are neither 0 nor 100.
fn certainties<'f>(frame: &'f mut Frame, name: &str) -> impl Iterator<Item = &'f mut u32> {
    let is_it = frame.name == name;
    let concluded = frame.body.iter_mut().filter_map(|statement| match statement {
        Statement::Conclude(conclude) => Some([&mut conclude.belief, &mut conclude.fact]),
        _ => None,
    });
    let concluded = concluded.flatten().filter(move |_| is_it);
    let detected = frame.detectables.iter_mut().filter(|detectable| detectable.name == name);
    let all = concluded.chain(detected.map(|detectable| &mut detectable.certainty));
    all.filter(|percent| (1..100).contains(*percent)).collect::<Vec<_>>().into_iter()
}
