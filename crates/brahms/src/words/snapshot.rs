//! A whole situation: what everybody does and believes, and what is so.

use motet_model::{Mind, Section, Snapshot, State};

use crate::program::{ActorId, KeyId, Statement};
use crate::semantics::control::{Context, Mode, Scope};
use crate::semantics::layout::actors;
use crate::semantics::value::UNKNOWN;
use crate::semantics::writes::{FACTS, beliefs_of};
use crate::words::{Teller, naming};

impl Teller {
    pub(crate) fn situation(&self, state: &State) -> Snapshot {
        let program = self.program();
        let mut minds = Vec::with_capacity(program.actors.len() + 1);
        for actor in actors(program) {
            let sections = vec![
                Section { title: "doing".to_owned(), items: self.doing(state, actor) },
                Section { title: "beliefs".to_owned(), items: self.stored(state, beliefs_of(actor)) },
            ];
            minds.push(Mind { name: naming::actor(program, actor).to_owned(), sections });
        }
        let facts = Section { title: "facts".to_owned(), items: self.stored(state, FACTS) };
        minds.push(Mind { name: "world".to_owned(), sections: vec![facts] });
        Snapshot { minds }
    }

    /// What a store holds: `Bob.location = chair`.
    fn stored(&self, state: &State, store: usize) -> Vec<String> {
        let program = self.program();
        let line = |key: KeyId| {
            let word = self.semantics.layout.stored(state, store, key);
            let value = self.semantics.codec.decode(word).filter(|_| word != UNKNOWN)?;
            Some(naming::statement(program, key, value))
        };
        program.keys.iter().filter_map(|(key, _)| line(key)).collect()
    }

    /// What an actor does, one line for each frame, the outermost first.
    pub(crate) fn doing(&self, state: &State, actor: ActorId) -> Vec<String> {
        let seat = &self.semantics.layout.seats[actor.index()];
        let scope = self.semantics.controls.decode(state[seat.control]);
        let mut lines = Vec::new();
        self.scope_lines(&scope, Some(state[seat.remaining]), 0, &mut lines);
        if lines.is_empty() {
            lines.push("idle".to_owned());
        }
        lines
    }

    /// `remaining` is that of the innermost frame at work; contexts put aside keep their own.
    fn scope_lines(&self, scope: &Scope, remaining: Option<u32>, depth: usize, lines: &mut Vec<String>) {
        if let Some(context) = &scope.current {
            self.context_lines(context, "", remaining, depth, lines);
        }
        for context in &scope.interrupted {
            self.context_lines(context, "interrupted: ", None, depth, lines);
        }
        for impasse in &scope.impassed {
            let frame = &self.program().frames[impasse.context.instance.frame.index()];
            let name = frame.detectables.get(impasse.detectable as usize).map_or("", |d| d.name.as_str());
            self.context_lines(&impasse.context, &format!("at an impasse ({name}): "), None, depth, lines);
        }
        for instance in &scope.pending {
            let name = naming::frame(self.program(), instance.frame);
            let bound = self.semantics.bound(instance.binding);
            let values = naming::binding(self.program(), instance.frame, &bound);
            lines.push(format!("{}waits for its turn: {name} ({values})", "  ".repeat(depth)));
        }
    }

    fn context_lines(
        &self,
        context: &Context,
        how: &str,
        remaining: Option<u32>,
        depth: usize,
        lines: &mut Vec<String>,
    ) {
        let text = self.context(context, remaining);
        lines.push(format!("{}{how}{text}", "  ".repeat(depth)));
        if let Some(opened) = &context.inside {
            self.scope_lines(&opened.scope, remaining, depth + 1, lines);
        }
    }

    /// `wf_attendBob (pat = Bob): in otherDuties, 12 s left`
    pub(crate) fn context(&self, context: &Context, remaining: Option<u32>) -> String {
        let program = self.program();
        let frame = &program.frames[context.instance.frame.index()];
        let values =
            naming::binding(program, context.instance.frame, &self.semantics.bound(context.instance.binding));
        let values = if values.is_empty() { String::new() } else { format!(" ({values})") };
        let left = remaining.unwrap_or(context.remaining);
        let stage = match (frame.body.get(context.next as usize), context.mode) {
            (_, Mode::Completing) => ", to be completed".to_owned(),
            (Some(Statement::Do(activity)), _) if context.inside.is_some() => {
                format!(": inside {}", naming::activity(program, *activity))
            }
            (Some(Statement::Do(activity)), Mode::Running) => {
                format!(": in {}, {} left", naming::activity(program, *activity), naming::length(left))
            }
            (Some(Statement::Do(activity)), Mode::Ready) => {
                format!(": before {}", naming::activity(program, *activity))
            }
            (Some(_), Mode::Ready | Mode::Running) => String::new(),
            (None, _) => ", at its end".to_owned(),
        };
        format!("{}{values}{stage}", frame.name)
    }
}
