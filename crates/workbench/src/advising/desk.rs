//! Advice on situations that somebody describes: the one place where the command line, lines of JSON and HTTP come together.

use motet_model::{Actor, Situation};
use motet_render::{Advice, Counters, Described, advice_error, advice_json, read_situation};
use motet_source::{Problem, Problems, Sources};

use crate::advising::advise::{AdviseOptions, Adviser, Sight};
use crate::codes::advice::{situation_help, unplaceable};
use crate::loading::load::Ready;

/// A solved model, and a team that is put into the situations that are asked about.
pub struct AdviceDesk {
    adviser: Adviser,
    /// `None` for models whose situations cannot be described.
    actor: Option<Box<dyn Actor>>,
    language: String,
}

/// What is wrong with a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misunderstood {
    /// `M0074`
    pub code: &'static str,
    /// One for each thing that means nothing.
    pub messages: Vec<String>,
    /// The way out.
    pub help: String,
}

impl AdviceDesk {
    /// Solves the model of a project for questions about described situations. `watch` is told how far it is.
    ///
    /// # Errors
    /// What stands in the way.
    pub fn open(
        ready: &Ready,
        sources: &mut Sources,
        options: &AdviseOptions,
        watch: &mut dyn FnMut(motet_engine::Progress),
    ) -> Result<Self, Problems> {
        let mut problems = Problems::new();
        let acting = ready.acting(&mut problems);
        if problems.has_errors() {
            return Err(problems);
        }
        let system = acting.as_ref().map_or(&ready.system, |acting| &acting.system);
        let adviser = Adviser::solve(ready, system, sources, options, watch).map_err(|problem| {
            let mut problems = Problems::new();
            problems.push(*problem);
            problems
        })?;
        let language = system.summary.language.clone();
        let actor = acting.map(|acting| acting.actor);
        Ok(Self { adviser, actor, language })
    }

    /// The solved model.
    #[must_use]
    pub fn adviser(&self) -> &Adviser {
        &self.adviser
    }

    /// Advice at the start.
    #[must_use]
    pub fn at_start(&mut self) -> Advice {
        let mut state = Vec::new();
        // The first state that an exploration meets is the first initial one.
        self.adviser.state(0, &mut state);
        let alternatives = self.actor.as_mut().map_or_else(Vec::new, |actor| {
            let placed = actor.place(&Situation::default());
            placed.map_or_else(|_| Vec::new(), |()| actor.alternatives())
        });
        self.adviser.advise(&state, &alternatives, Sight::Everything)
    }

    /// Advice on a situation in JSON.
    ///
    /// # Errors
    /// What in it means nothing.
    pub fn answer(&mut self, text: &str) -> Result<Advice, Misunderstood> {
        let described = read_situation(text).map_err(|message| misunderstood(vec![message]))?;
        self.advise(&described)
    }

    /// Advice on a situation.
    ///
    /// # Errors
    /// What in it means nothing.
    pub fn advise(&mut self, described: &Described) -> Result<Advice, Misunderstood> {
        let Some(actor) = &mut self.actor else {
            let problem = self.unplaceable(&mut Sources::new());
            return Err(Misunderstood {
                code: problem.code,
                messages: vec![problem.message],
                help: problem.help,
            });
        };
        actor.place(&described.situation).map_err(misunderstood)?;
        let sight = match described.counters {
            Counters::Told => Sight::Everything,
            Counters::Open => Sight::Observed,
        };
        Ok(self.adviser.advise(actor.state(), &actor.alternatives(), sight))
    }

    /// The answer to a situation in JSON as one line of JSON, and whether it was understood.
    pub fn line(&mut self, text: &str) -> Result<String, String> {
        match self.answer(text) {
            Ok(advice) => Ok(advice_json(&advice)),
            Err(wrong) => Err(wrong.line()),
        }
    }

    /// The problem of describing a situation of this model.
    #[must_use]
    pub fn unplaceable(&self, sources: &mut Sources) -> Problem {
        unplaceable(sources, &self.language)
    }
}

impl Misunderstood {
    /// As one line of JSON.
    #[must_use]
    pub fn line(&self) -> String {
        advice_error(self.code, &self.messages, &self.help)
    }
}

fn misunderstood(messages: Vec<String>) -> Misunderstood {
    Misunderstood { code: "M0074", messages, help: situation_help().to_owned() }
}
