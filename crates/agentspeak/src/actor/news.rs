//! What a team makes of news: percepts for the next belief revision, answers to actions, messages in mailboxes.

use motet_model::{Fault, News, Perceived, Trouble};

use crate::actor::{Moment, agent_named, term_of};
use crate::lexicon::Lexicon;
use crate::program::Force;
use crate::resolve::Content;
use crate::semantics::mind::Message;
use crate::semantics::stack::Executed;
use crate::semantics::team::{Team, fault};
use crate::term::TermId;

/// Takes in the news of a cycle, in their order.
pub(super) fn hear(
    team: &Team,
    lexicon: &Lexicon,
    now: &mut Moment,
    news: &[News],
) -> Result<Perceived, Fault> {
    let mut hearing = Hearing { team, lexicon, now, perceived: Perceived::default() };
    hearing.calm(news);
    for one in news {
        hearing.one(one)?;
    }
    Ok(hearing.perceived)
}

struct Hearing<'a> {
    team: &'a Team,
    lexicon: &'a Lexicon,
    now: &'a mut Moment,
    perceived: Perceived,
}

impl Hearing<'_> {
    /// What holds for one cycle is over, and skills that say something are not silent.
    fn calm(&mut self, news: &[News]) {
        let mut over = std::mem::take(&mut self.now.passing);
        if news.iter().any(|one| !matches!(one, News::Trouble(_))) {
            over.push(self.belief_of(Trouble::Silent));
        }
        self.now.percepts.iter_mut().for_each(|list| list.retain(|percept| !over.contains(percept)));
    }

    fn one(&mut self, news: &News) -> Result<(), Fault> {
        match news {
            News::Percept { agent, what, holds } => self.percept(agent.as_deref(), what, *holds),
            News::Feedback { call, what } => self.feedback(*call, what),
            News::Message { from, to, what } => self.message(from, to.as_deref(), what),
            News::Trouble(trouble) => {
                let everybody = 0..self.now.minds.len();
                self.trouble(*trouble, everybody)
            }
        }
    }

    /// Who is meant: one agent, or all of them.
    fn audience(&mut self, agent: Option<&str>) -> Option<std::ops::Range<usize>> {
        let Some(name) = agent else { return Some(0..self.now.minds.len()) };
        match agent_named(&self.team.program, name) {
            Ok(agent) => Some(agent..agent + 1),
            Err(why) => {
                self.perceived.unknown.push(why);
                None
            }
        }
    }

    /// Something means nothing to the team. Agents that have a word for it get a percept.
    fn unknown(&mut self, why: String) -> Result<(), Fault> {
        self.perceived.unknown.push(why);
        let word = (word_of(Trouble::UnknownMessage), 0);
        let knows = |agent: &usize| self.lexicon.beliefs[*agent].contains(&word);
        let agents: Vec<usize> = (0..self.now.minds.len()).filter(knows).collect();
        self.trouble(Trouble::UnknownMessage, agents)
    }

    /// Beliefs change at the next belief revision, as in the model: an agent knows what it has looked at.
    fn percept(&mut self, agent: Option<&str>, what: &str, holds: bool) -> Result<(), Fault> {
        let Some(agents) = self.audience(agent) else { return Ok(()) };
        let term = match term_of(&self.team.program, what, Content::Belief) {
            Ok(term) => term,
            Err(why) => return self.unknown(why),
        };
        for agent in agents {
            if holds {
                self.appears(agent, term)?;
            } else {
                self.now.percepts[agent].retain(|&known| known != term);
            }
        }
        Ok(())
    }

    fn appears(&mut self, agent: usize, term: TermId) -> Result<(), Fault> {
        let list = &mut self.now.percepts[agent];
        if list.contains(&term) {
            return Ok(());
        }
        list.push(term);
        // Every percept becomes a belief, so more than this could not be taken in anyway.
        let program = &self.team.program;
        let bound = program.bounds.beliefs;
        if list.len() > bound as usize {
            let name = program.terms.name(program.agents[agent].name);
            return Err(fault(format!("bound exceeded: {name} beliefs > {bound}")));
        }
        Ok(())
    }

    /// The intention that waits for the action goes on, or fails.
    fn feedback(&mut self, call: Option<u64>, what: &str) -> Result<(), Fault> {
        let executed = match what {
            "done" => Executed::Yes,
            "failed" => Executed::Refused,
            _ => {
                let what = motet_source::shortened(what);
                return self.unknown(format!("`{what}` is no feedback; an action is `done` or `failed`"));
            }
        };
        if let Some(at) = self.now.waits.iter().position(|wait| Some(wait.number) == call) {
            return self.time_is_over(at);
        }
        let at = match call {
            Some(number) => self.now.open.iter().position(|open| open.number == number),
            None => (!self.now.open.is_empty()).then_some(0),
        };
        let Some(at) = at else {
            return self.unknown(match call {
                Some(number) => format!("there is no open call {number} that could be {what}"),
                None => format!("there is no open call that could be {what}"),
            });
        };
        let act = self.now.open.remove(at).act;
        if executed == Executed::Yes {
            self.now.last = Some(act);
        }
        if let Some(seat) = act.seat {
            let agent = act.agent as usize;
            let mind = self.now.minds[agent].clone();
            self.now.minds[agent] = self.team.take_answer(agent, mind, seat, executed)?;
        }
        Ok(())
    }

    fn time_is_over(&mut self, at: usize) -> Result<(), Fault> {
        let act = self.now.waits.remove(at).act;
        if let Some(seat) = act.seat {
            let agent = act.agent as usize;
            let mind = self.now.minds[agent].clone();
            self.now.minds[agent] = self.team.take_waking(agent, mind, seat)?;
        }
        Ok(())
    }

    fn message(&mut self, from: &str, to: Option<&str>, what: &str) -> Result<(), Fault> {
        let Some(agents) = self.audience(to) else { return Ok(()) };
        let program = &self.team.program;
        let (force, text) = with_force(what);
        let content = match force {
            Force::Tell | Force::Untell => Content::Belief,
            Force::Achieve | Force::Unachieve => Content::Goal,
        };
        let content = match term_of(program, text, content) {
            Ok(content) => content,
            Err(why) => return self.unknown(why),
        };
        // `[source(self)]` and `[source(percept)]` can be relied upon only if nobody else is called so.
        let sender = if matches!(from, "self" | "percept" | "") { None } else { program.speaker_named(from) };
        let Some(sender) = sender else {
            let from = motet_source::shortened(from);
            return self.unknown(format!("nobody can speak as `{from}`: too many do, or the name is taken"));
        };
        for agent in agents {
            let message = Message { sender, force, content };
            self.team.receive(agent, &mut self.now.minds[agent], message)?;
        }
        Ok(())
    }

    fn trouble(&mut self, trouble: Trouble, agents: impl IntoIterator<Item = usize>) -> Result<(), Fault> {
        let term = self.belief_of(trouble);
        for agent in agents {
            self.appears(agent, term)?;
        }
        if passes(trouble) && !self.now.passing.contains(&term) {
            self.now.passing.push(term);
        }
        Ok(())
    }

    fn belief_of(&self, trouble: Trouble) -> TermId {
        self.team.program.terms.constant(&word_of(trouble))
    }
}

/// Whether a trouble is over with the cycle in which it was told; the others last until they are told to be over.
fn passes(trouble: Trouble) -> bool {
    match trouble {
        Trouble::Nonsense | Trouble::Flood | Trouble::UnknownMessage => true,
        Trouble::Dead | Trouble::Silent | Trouble::ClaimViolated | Trouble::ModelDrift | Trouble::LogLost => {
            false
        }
    }
}

/// `skills_are_dead`
fn word_of(trouble: Trouble) -> String {
    trouble.sentence().to_lowercase().replace(' ', "_")
}

/// A message with its force; without one it is told.
fn with_force(what: &str) -> (Force, &str) {
    let what = what.trim();
    let forces = [
        ("tell", Force::Tell),
        ("untell", Force::Untell),
        ("achieve", Force::Achieve),
        ("unachieve", Force::Unachieve),
    ];
    let named = what.split_once(char::is_whitespace).and_then(|(word, rest)| {
        let (_, force) = forces.iter().find(|(name, _)| *name == word)?;
        Some((*force, rest.trim_start()))
    });
    named.unwrap_or((Force::Tell, what))
}
