//! External actions: which action file a sentence calls.

use super::Resolver;
use crate::program::{BeliefKind, Deed};
use crate::sentence::{Sentence, nearest};
use crate::syntax::{ArgumentTree, ProcedureTree, Repeat, Role};
use motet_source::Span;

/// Whether a sentence calls an action file.
fn calls(procedure: &ProcedureTree, sentence: &str) -> bool {
    bound(procedure, sentence).is_some()
}

/// The words that local names stand for in a sentence that calls an action file; `None` when it does not. A word that is a
/// local name in the file stands for any word.
fn bound(procedure: &ProcedureTree, sentence: &str) -> Option<Vec<(String, String)>> {
    let words = |text: &str| -> Vec<String> {
        let split = text.split(|c: char| c.is_whitespace() || c == '_');
        split.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let said = words(sentence);
    let is_local = |word: &String| procedure.arguments.iter().any(|argument| argument.local.node == *word);
    procedure.sentences.iter().find_map(|pattern| {
        let pattern = words(&pattern.text);
        let pairs = || pattern.iter().zip(&said);
        let fits = |(wanted, word): (&String, &String)| {
            wanted.to_lowercase() == word.to_lowercase() || is_local(wanted)
        };
        let bound = || {
            pairs().filter(|(wanted, _)| is_local(wanted)).map(|(name, word)| (name.clone(), word.clone()))
        };
        (pattern.len() == said.len() && pairs().all(fits)).then(|| bound().collect())
    })
}

impl Resolver<'_> {
    /// The action file that a sentence calls.
    pub(crate) fn procedure(&self, agent: usize, sentence: &Sentence) -> Option<usize> {
        let own = &self.project.members[agent].procedures;
        let found = own.iter().copied().find(|file| calls(&self.project.procedures[*file], &sentence.text));
        found.or_else(|| {
            let stopped = stopped(&sentence.text)?;
            own.iter().copied().find(|file| calls(&self.project.procedures[*file], stopped))
        })
    }

    /// What a sentence in brackets does.
    pub(crate) fn deed(&mut self, agent: usize, sentence: &Sentence) -> Option<Deed> {
        let trees = self.project.procedures;
        let own = &self.project.members[agent].procedures;
        let called = own.iter().copied().find(|file| calls(&trees[*file], &sentence.text));
        if let Some(file) = called {
            self.used[file] = true;
            return self.action(agent, file).map(Deed::Call);
        }
        let texts = || own.iter().flat_map(|file| trees[*file].sentences.iter().map(|s| s.text.as_str()));
        if let Some(rest) = stopped(&sentence.text) {
            let Some(file) = own.iter().copied().find(|file| calls(&trees[*file], rest)) else {
                let help = match nearest(rest, texts()) {
                    Some(near) => format!("did you mean [Stop {near}]?"),
                    None => "write Stop and the sentence of a runRepeated action".to_owned(),
                };
                self.error("M0875", sentence.span, format!("there is no action `{rest}` to stop"), help);
                return None;
            };
            self.used[file] = true;
            if trees[file].mode.as_ref().is_some_and(|(_, mode)| mode.node == Repeat::Once) {
                let message = format!("`{rest}` runs once and ends by itself");
                let help = "take the action away, or make its file say runRepeated";
                self.error("M0875", sentence.span, message, help);
            }
            return self.action(agent, file).map(Deed::Stop);
        }
        let help = match nearest(&sentence.text, texts()) {
            Some(near) => format!("did you mean [{near}]?"),
            None => format!("add {}.sep with `senglish sentences :: {}.`", sentence.key, sentence.text),
        };
        let message = format!("no action file says `{}`", sentence.text);
        self.error("M0874", sentence.span, message, help);
        None
    }

    /// What a sentence calls an action with: for each input the word at its place; else the name of the agent's only monitored
    /// object of its class; else nothing, which leaves it to the skill.
    pub(crate) fn arguments(&self, agent: usize, action: usize, sentence: &str) -> Vec<(String, String)> {
        let procedure = &self.project.procedures[self.action_of[action].1];
        let words = bound(procedure, sentence).unwrap_or_default();
        let objects = &self.project.members[agent].tree.objects;
        let value = |argument: &ArgumentTree| {
            let said = words.iter().find(|(name, _)| *name == argument.local.node);
            let mut fitting = objects.iter().filter(|object| object.class.key == argument.class.key);
            match (said, fitting.next(), fitting.next()) {
                (Some((_, word)), ..) => word.clone(),
                (None, Some(object), None) => {
                    object.name.as_ref().map_or_else(|| object.class.text.clone(), |name| name.node.clone())
                }
                _ => String::new(),
            }
        };
        let inputs = procedure.arguments.iter().filter(|argument| argument.role == Role::Input);
        inputs.map(|argument| (argument.local.node.clone(), value(argument))).collect()
    }

    fn action(&self, agent: usize, file: usize) -> Option<usize> {
        self.action_of.iter().position(|pair| *pair == (agent, file))
    }

    /// Percepts and feedbacks are the world's to set.
    pub(crate) fn not_a_note(&mut self, belief: usize, span: Span, who: &str) {
        let belief = &self.program.beliefs[belief];
        let sort = if belief.kind == BeliefKind::Percept { "percept" } else { "feedback" };
        let message = format!("{who} cannot change the {sort} `{}`", belief.text);
        let help = match belief.kind {
            BeliefKind::Percept => "only the world changes a percept; use a mental note of another name",
            _ => "only its action reports a feedback; use a mental note of another name",
        };
        self.error("M0879", span, message, help);
    }

    /// Action files that nobody calls.
    pub(crate) fn unused(&mut self) {
        for file in 0..self.used.len() {
            let tree = &self.project.procedures[file];
            if let Some(sentence) = tree.sentences.first()
                && !self.used[file]
            {
                let message = format!("no plan calls `{}`", sentence.text);
                let help = "call it in a plan, or take the file away";
                self.warning("M0889", sentence.span, message, help);
            }
        }
    }
}

/// What `Stop ...` stops.
fn stopped(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once(|c: char| c.is_whitespace() || c == '_')?;
    first.eq_ignore_ascii_case("stop").then(|| rest.trim())
}
