//! What agents that are nets may come to believe, and the ways to what they want.

use serde::Serialize;

use crate::typesetting::number::grouped;

/// The markings that agents take: their beliefs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Beliefs {
    /// The model, as the user wrote its path.
    pub model: String,
    /// Markings of the whole model that were looked at.
    pub states: u64,
    /// Whether these are all.
    pub complete: bool,
    /// Net by net.
    pub nets: Vec<NetBeliefs>,
}

/// The beliefs of the agents of one net.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NetBeliefs {
    /// The net.
    pub net: String,
    /// The goals it declares.
    pub goals: Vec<String>,
    /// In the order in which runs come to them.
    pub beliefs: Vec<Belief>,
}

/// One marking of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Belief {
    /// The agent: `Truck(1)`.
    pub agent: String,
    /// What lies where: `Miami = John`.
    pub marking: String,
    /// The goals that hold in it.
    pub goals: Vec<String>,
    /// Whether an agent begins with it.
    pub first: bool,
    /// Whether no agent ever leaves it; not known unless all markings were looked at.
    pub last: bool,
}

/// The ways to the goals of agents.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Intentions {
    /// The model, as the user wrote its path.
    pub model: String,
    /// Markings of the whole model that were looked at.
    pub states: u64,
    /// Whether these are all.
    pub complete: bool,
    /// Goal by goal.
    pub goals: Vec<GoalReport>,
}

/// The ways to one goal.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GoalReport {
    /// The net that declares it.
    pub net: String,
    /// The goal.
    pub goal: String,
    /// Whether an agent reaches it in some run.
    pub reachable: bool,
    /// The firings of the whole model in a shortest run to it.
    pub run: Vec<String>,
    /// The distinct sequences of the agent's own firings that lead to it, shorter ones first.
    pub intentions: Vec<Intention>,
    /// Whether there are more.
    pub more: bool,
}

/// A sequence of firings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Intention {
    /// Whose.
    pub agent: String,
    /// Transitions of the agent's net.
    pub firings: Vec<String>,
}

impl Beliefs {
    /// For people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = head(&self.model, self.states, self.complete);
        for net in &self.nets {
            net.write(&mut text);
        }
        if self.nets.is_empty() {
            text.push_str("\nthere are no agents: no net but the system net\n");
        }
        text
    }

    /// For programs.
    #[must_use]
    pub fn json(&self) -> String {
        json(self)
    }
}

impl NetBeliefs {
    fn write(&self, text: &mut String) {
        let goals = match self.goals.as_slice() {
            [] => "no goals".to_owned(),
            goals => format!("goals: {}", goals.join(", ")),
        };
        let count = counted(self.beliefs.len(), "belief");
        text.push_str(&format!("\n{}  {count}, {goals}\n", self.net));
        let alike = self.beliefs.iter().all(|belief| belief.agent == self.beliefs[0].agent);
        for (number, belief) in (1..).zip(&self.beliefs) {
            let who = if alike { String::new() } else { format!("{}: ", belief.agent) };
            let mut remarks = Vec::new();
            if belief.first {
                remarks.push("at first".to_owned());
            }
            remarks.extend(belief.goals.iter().map(|goal| format!("goal {goal}")));
            if belief.last {
                remarks.push("nothing follows".to_owned());
            }
            let remarks =
                if remarks.is_empty() { String::new() } else { format!("  ({})", remarks.join(", ")) };
            text.push_str(&format!("  {number:>4}  {who}{}{remarks}\n", belief.marking));
        }
    }
}

impl Intentions {
    /// For people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = head(&self.model, self.states, self.complete);
        for goal in &self.goals {
            goal.write(&mut text, self.complete);
        }
        if self.goals.is_empty() {
            text.push_str("\nno net declares a goal; write `goal NAME : condition;` in an agent net\n");
        }
        text
    }

    /// For programs.
    #[must_use]
    pub fn json(&self) -> String {
        json(self)
    }
}

impl GoalReport {
    fn write(&self, text: &mut String, complete: bool) {
        text.push_str(&format!("\n{}  goal {}: ", self.net, self.goal));
        if !self.reachable {
            let end = if complete { "no run reaches it" } else { "not reached so far" };
            text.push_str(&format!("{end}\n"));
            return;
        }
        let steps = match self.run.len() {
            0 => "holds from the start".to_owned(),
            steps => format!("reached in {}", counted(steps, "step")),
        };
        text.push_str(&format!("{steps}\n"));
        for (number, firing) in self.run.iter().enumerate() {
            let title = if number == 0 { "shortest run" } else { "" };
            text.push_str(&format!("  {title:12}  {:>3}  {firing}\n", number + 1));
        }
        let alike = self.intentions.iter().all(|one| one.agent == self.intentions[0].agent);
        for (number, intention) in self.intentions.iter().enumerate() {
            let title = if number == 0 { "intentions" } else { "" };
            let who = if alike { String::new() } else { format!("{}: ", intention.agent) };
            let firings = match intention.firings.as_slice() {
                [] if self.run.is_empty() => "nothing has to be done".to_owned(),
                [] => "nothing of its own".to_owned(),
                firings => firings.join(" "),
            };
            text.push_str(&format!("  {title:12}  {:>3}  {who}{firings}\n", number + 1));
        }
        if self.more {
            text.push_str(&format!("  {:12}       and more; --most N lists more of them\n", ""));
        }
    }
}

fn head(model: &str, states: u64, complete: bool) -> String {
    let markings = match states {
        1 => "1 marking".to_owned(),
        many => format!("{} markings", grouped(many)),
    };
    let remark = if complete {
        ", all there are".to_owned()
    } else {
        " were looked at, and there are more; --states N looks at more".to_owned()
    };
    format!("{model}  {markings}{remark}\n")
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{} {what}s", grouped(number as u64)) }
}

fn json(report: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(report).expect("texts and numbers are JSON");
    format!("{text}\n")
}
