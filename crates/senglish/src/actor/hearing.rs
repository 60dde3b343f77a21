//! News, sorted by what they are about: percepts, reports of actions, notes.

use motet_model::{News, State, Trouble};

use super::naming::{self, near, near_belief, shown};
use super::orders::{Calls, runs};
use crate::program::{BeliefKind, Program};
use crate::sentence::fold;

/// What the news of a cycle say.
pub(crate) struct Heard {
    /// For each percept whether it holds, by the last that was told.
    pub(crate) percepts: Vec<Option<bool>>,
    /// For each action what it reports.
    pub(crate) reports: Vec<Reports>,
    /// Notes that are to be believed, and who says so.
    pub(crate) notes: Vec<(usize, String)>,
    /// What meant nothing.
    pub(crate) unknown: Vec<String>,
}

/// What an action reports in a cycle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reports {
    /// Its feedbacks, by their places among them.
    pub(crate) told: Vec<usize>,
    /// Whether one of them is for a call that does not wait for one.
    pub(crate) is_stray: bool,
}

/// Whom a text may concern.
type Whom = Option<usize>;

struct Listener<'a> {
    program: &'a Program,
    calls: &'a Calls,
    /// Before the belief update.
    before: &'a State,
    heard: Heard,
}

/// Sorts the news of a cycle.
pub(crate) fn listen(program: &Program, calls: &Calls, before: &State, news: &[News]) -> Heard {
    let heard = Heard {
        percepts: vec![None; program.percepts.len()],
        reports: vec![Reports::default(); program.actions.len()],
        notes: Vec::new(),
        unknown: Vec::new(),
    };
    let mut listener = Listener { program, calls, before, heard };
    for item in news {
        let understood = match item {
            News::Percept { agent, what, holds } => listener.percept(agent.as_deref(), what, *holds),
            News::Feedback { call, what } => listener.feedback(*call, what),
            News::Message { from, to, what } => listener.message(from, to.as_deref(), what),
            News::Trouble(trouble) => {
                listener.trouble(*trouble);
                Ok(())
            }
        };
        if let Err(remark) = understood {
            listener.heard.unknown.push(remark);
            listener.trouble(Trouble::UnknownMessage);
        }
    }
    listener.heard
}

impl Listener<'_> {
    fn whom(&self, name: Option<&str>) -> Result<Whom, String> {
        name.map(|name| naming::agent(self.program, name)).transpose()
    }

    fn percept(&mut self, agent: Option<&str>, what: &str, holds: bool) -> Result<(), String> {
        let whom = self.whom(agent)?;
        let found = naming::beliefs(self.program, whom, what);
        if self.perceived(&found, holds) {
            return Ok(());
        }
        let kind = |number: usize| self.program.beliefs[number].kind;
        if let Some(feedback) = found.iter().find(|number| kind(**number) == BeliefKind::Feedback) {
            // The sensors of some skills see what actions achieve; that it is over nobody has to say.
            let report = || self.reporting(whom, &self.program.beliefs[*feedback].key);
            if let Some((action, place)) = holds.then(report).flatten() {
                self.heard.reports[action].told.push(place);
            }
            return Ok(());
        }
        let help = if found.is_empty() {
            near_belief(self.program, what, |belief| belief.kind == BeliefKind::Percept)
        } else {
            Some("it is a mental note, which only the agent makes; list it as a percept".to_owned())
        };
        Err(remark("percept", what, help))
    }

    /// Whether one of these beliefs is a percept, which now is so or not.
    fn perceived(&mut self, beliefs: &[usize], holds: bool) -> bool {
        let about = |percept: &crate::program::Percept| beliefs.contains(&percept.belief);
        match self.program.percepts.iter().position(about) {
            Some(percept) => self.heard.percepts[percept] = Some(holds),
            None => return false,
        }
        true
    }

    /// The action that reports this feedback, and the feedback's place: the oldest open call, else what runs in the model,
    /// else the first that could have been asked.
    fn reporting(&self, whom: Whom, key: &str) -> Option<(usize, usize)> {
        let program = self.program;
        let place = |action: usize| {
            let feedbacks = &program.actions[action].feedbacks;
            feedbacks.iter().position(|(belief, _)| program.beliefs[*belief].key == key)
        };
        let able = (0..program.actions.len())
            .filter(|action| whom.is_none_or(|whom| program.actions[*action].agent == whom))
            .filter_map(|action| place(action).map(|place| (action, place)));
        able.min_by_key(|(action, _)| match self.calls.last(*action) {
            Some(call) if call.is_open => (0, call.number),
            _ if runs(program, &program.actions[*action], self.before) => (1, 0),
            _ => (2, 0),
        })
    }

    fn feedback(&mut self, call: Option<u64>, what: &str) -> Result<(), String> {
        let program = self.program;
        let key = fold(what);
        let Some(number) = call else {
            let Some((action, place)) = self.reporting(None, &key) else {
                let help = near_belief(program, what, |belief| belief.kind == BeliefKind::Feedback);
                return Err(remark("feedback", what, help));
            };
            self.heard.reports[action].told.push(place);
            return Ok(());
        };
        let Some(action) = self.calls.action(number) else {
            // A call of long ago, or of nobody.
            let help = near_belief(program, what, |belief| belief.kind == BeliefKind::Feedback);
            let found = self.reporting(None, &key).ok_or_else(|| remark("feedback", what, help))?;
            return self.stray(found);
        };
        let feedbacks = &program.actions[action].feedbacks;
        let Some(place) = feedbacks.iter().position(|(belief, _)| program.beliefs[*belief].key == key) else {
            if feedbacks.is_empty() && key == "done" {
                return Ok(());
            }
            let texts = || feedbacks.iter().map(|(belief, _)| program.beliefs[*belief].text.as_str());
            let help = near(what, texts()).unwrap_or_else(|| match feedbacks.len() {
                0 => "give its file a performance feedback".to_owned(),
                _ => format!("it reports {}", crate::words::listed(texts())),
            });
            let name = &program.actions[action].text;
            return Err(remark(&format!("feedback of `{name}`"), what, Some(help)));
        };
        if self.calls.last(action).is_some_and(|call| call.is_open) {
            self.heard.reports[action].told.push(place);
            return Ok(());
        }
        self.stray((action, place))
    }

    fn stray(&mut self, (action, place): (usize, usize)) -> Result<(), String> {
        let reports = &mut self.heard.reports[action];
        reports.told.push(place);
        reports.is_stray = true;
        Ok(())
    }

    /// Messages are percepts (Izzo 2016, section 3.3.2, step 1): what is said is believed.
    fn message(&mut self, from: &str, to: Option<&str>, what: &str) -> Result<(), String> {
        let whom = self.whom(to)?;
        let told = what.trim().strip_prefix("tell ").unwrap_or(what);
        let sentence = if naming::beliefs(self.program, whom, what).is_empty() { told } else { what };
        let speaker = if from.trim().is_empty() { "somebody".to_owned() } else { shown(from) };
        if self.believed(whom, sentence, &speaker) {
            return Ok(());
        }
        let help = near_belief(self.program, sentence, |_| true);
        Err(remark(&format!("message from {speaker}"), sentence, help))
    }

    /// A trouble is believed by all who have a belief for it.
    fn trouble(&mut self, trouble: Trouble) {
        self.believed(None, trouble.sentence(), "the host");
    }

    /// Makes a sentence true for those whom it concerns; false when nobody has it.
    fn believed(&mut self, whom: Whom, sentence: &str, speaker: &str) -> bool {
        let found = naming::beliefs(self.program, whom, sentence);
        self.perceived(&found, true);
        for belief in &found {
            match self.program.beliefs[*belief].kind {
                BeliefKind::Percept => {}
                BeliefKind::Feedback => {
                    let agent = self.program.beliefs[*belief].agent;
                    let report = self.reporting(agent, &self.program.beliefs[*belief].key);
                    if let Some((action, place)) = report {
                        self.heard.reports[action].told.push(place);
                    }
                }
                BeliefKind::Note => self.heard.notes.push((*belief, speaker.to_owned())),
            }
        }
        !found.is_empty()
    }
}

/// `percept ... means nothing to the team; did you mean ...?`
fn remark(sort: &str, what: &str, help: Option<String>) -> String {
    let help = help.unwrap_or_else(|| "`motet vocab` lists what does".to_owned());
    format!("the {sort} {} means nothing to the team; {help}", shown(what))
}
