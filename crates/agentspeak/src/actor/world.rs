//! The declared environment as a world of its own: what skills do that behave as the team file says.

use std::sync::Arc;

use motet_model::{Fault, News, Order, World};

use crate::actor::{agent_named, names, term_of};
use crate::resolve::Content;
use crate::semantics::stack::Executed;
use crate::semantics::team::Team;
use crate::semantics::thinker::Act;
use crate::term::TermId;

/// The declared environment, on its own.
pub(crate) struct Declared {
    team: Arc<Team>,
    /// Number of its state.
    now: u32,
    /// What each agent was told that it perceives.
    told: Vec<Vec<TermId>>,
}

impl Declared {
    pub(crate) fn new(team: Arc<Team>) -> Self {
        let (now, agents) = (team.first_world(), team.program.agents.len());
        Self { team, now, told: vec![Vec::new(); agents] }
    }

    /// An action is carried out by the first rule that fits; without one it fails.
    fn carry_out(
        &mut self,
        agent: &str,
        action: &str,
        draw: &mut dyn FnMut() -> u64,
    ) -> Result<Executed, Fault> {
        let program = &self.team.program;
        let (Ok(agent), Ok(action)) =
            (agent_named(program, agent), term_of(program, action, Content::Belief))
        else {
            return Ok(Executed::Refused);
        };
        let agent = u32::try_from(agent).expect("a team has few agents");
        let act = Act { agent, action, seat: None };
        let (now, executed) = self.team.carry_out(self.now, act, draw)?;
        self.now = now;
        Ok(executed)
    }

    /// What changed for each agent since it was told last: first what is gone, then what is new.
    fn percepts(&mut self) -> Result<Vec<News>, Fault> {
        let program = &self.team.program;
        let mut news = Vec::new();
        for (agent, name) in names(program).into_iter().enumerate() {
            let percepts = self.team.percepts(self.now, agent)?;
            let told = std::mem::replace(&mut self.told[agent], percepts.to_vec());
            let gone = told.iter().filter(|term| !percepts.contains(term)).map(|&term| (term, false));
            let new = percepts.iter().filter(|term| !told.contains(term)).map(|&term| (term, true));
            news.extend(gone.chain(new).map(|(term, holds)| News::Percept {
                agent: Some(name.clone()),
                what: program.terms.show(term),
                holds,
            }));
        }
        Ok(news)
    }
}

impl World for Declared {
    /// The actions in their order, each answered at once; then at most one of the environment's own steps: each that can
    /// happen is as likely as none.
    fn tick(
        &mut self,
        _beliefs: &[String],
        orders: &[Order],
        draw: &mut dyn FnMut() -> u64,
    ) -> Result<Vec<News>, Fault> {
        let mut news = Vec::new();
        for order in orders {
            let Order::Call { agent, call, action, .. } = order else { continue };
            let what = match self.carry_out(agent, action, draw)? {
                Executed::Yes => "done",
                Executed::Refused => "failed",
            };
            news.push(News::Feedback { call: Some(*call), what: what.to_owned() });
        }
        self.now = self.team.stir(self.now, draw)?;
        news.extend(self.percepts()?);
        Ok(news)
    }
}
