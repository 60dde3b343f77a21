//! What can be said of nets without any claim.

use motet_evidence::Stop;
use serde::Serialize;

use crate::typesetting::number::grouped;

/// Short entries of one kind that are shown to people.
const SHOWN: usize = 60;

/// A report about nets.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NetReport {
    /// The model, as the user wrote its path.
    pub model: String,
    /// What the arcs alone say, net by net, for tokens without their colours.
    pub structures: Vec<Structure>,
    /// What the reachable markings say; absent when not all of them were seen.
    pub behaviour: Option<Behaviour>,
    /// Why the behaviour is absent, in words.
    pub stopped: Option<String>,
    /// What those say that were seen, where the behaviour is absent.
    pub seen: Option<Seen>,
    /// Why the behaviour is absent.
    #[serde(skip)]
    pub stop: Option<Stop>,
}

/// What the arcs of one net say.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Structure {
    /// The net.
    pub net: String,
    /// How many places.
    pub places: usize,
    /// How many transitions; a disjunct counts as one.
    pub transitions: usize,
    /// Sums of tokens that no firing changes: `parked + waiting = 2`.
    pub place_invariants: Vec<String>,
    /// Firings that lead back to where they began.
    pub transition_invariants: Vec<String>,
    /// Sets of places that can run dry for ever.
    pub siphons: Vec<String>,
    /// Places whose number of tokens the invariants bound.
    pub bounds: Vec<String>,
    /// What follows, and what was given up.
    pub remarks: Vec<String>,
}

/// What the reachable markings say.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Behaviour {
    /// Markings.
    pub states: u64,
    /// Firings.
    pub firings: u64,
    /// Markings in which nothing can fire.
    pub dead: u64,
    /// The shortest run to one of them.
    pub dead_run: Vec<String>,
    /// The most tokens seen in each place, `Net.place`.
    pub most: Vec<(String, u64)>,
    /// Transitions that never fire.
    pub never: Vec<String>,
    /// Transitions that can always fire again, whatever happens.
    pub live: Vec<String>,
    /// Markings that can be reached from everywhere.
    pub home: u64,
    /// Whether the first marking is one of them.
    pub reversible: bool,
}

/// What is certain although not all markings were seen.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Seen {
    /// Markings.
    pub states: u64,
    /// Firings.
    pub firings: u64,
    /// Markings whose firings were not looked at.
    pub open: u64,
    /// Markings in which nothing can fire, so far.
    pub dead: u64,
    /// The shortest run to one of them.
    pub dead_run: Vec<String>,
    /// Transitions that did not fire so far.
    pub not_yet: Vec<String>,
}

impl NetReport {
    /// For people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.model);
        for structure in &self.structures {
            structure.write(&mut text);
        }
        if let Some(behaviour) = &self.behaviour {
            behaviour.write(&mut text);
        }
        if let (Some(stopped), Some(seen)) = (&self.stopped, &self.seen) {
            seen.write(stopped, &mut text);
        }
        text
    }

    /// For programs.
    #[must_use]
    pub fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("texts and numbers are JSON");
        format!("{text}\n")
    }
}

impl Structure {
    fn write(&self, text: &mut String) {
        text.push_str(&format!("\n{}  {} places, {} transitions\n", self.net, self.places, self.transitions));
        list(text, "always equal", &self.place_invariants);
        list(text, "back again", &self.transition_invariants);
        list(text, "can run dry", &self.siphons);
        list(text, "bounded", &self.bounds);
        list(text, "remarks", &self.remarks);
    }
}

impl Behaviour {
    fn write(&self, text: &mut String) {
        text.push_str(&format!(
            "\nReachable markings  {} with {} firings, all of them\n",
            grouped(self.states),
            grouped(self.firings)
        ));
        let dead = dead(self.dead).unwrap_or_else(|| "none: something can always fire".to_owned());
        list(text, "dead", &[dead]);
        list(text, "shortest way", &self.dead_run);
        let most: Vec<String> =
            self.most.iter().map(|(place, tokens)| format!("{place} ≤ {tokens}")).collect();
        list(text, "most tokens", &wrapped(&most));
        list(text, "never fire", &wrapped(&self.never));
        list(text, "live", &wrapped(&self.live));
        let home = match (self.home, self.reversible) {
            (0, _) => "none: where a run ends up depends on its choices".to_owned(),
            (n, true) => format!("{}, the first marking among them", grouped(n)),
            (n, false) => format!("{}, but there is no way back to the first marking", grouped(n)),
        };
        list(text, "home markings", &[home]);
    }
}

impl Seen {
    fn write(&self, stopped: &str, text: &mut String) {
        let (states, firings) = (grouped(self.states), grouped(self.firings));
        text.push_str(&format!(
            "\nReachable markings  the part that was seen: {states} with {firings} firings\n"
        ));
        list(text, "unknown", &[format!("the rest: {stopped}")]);
        let dead = dead(self.dead).unwrap_or_else(|| "none so far".to_owned());
        list(text, "dead", &[dead]);
        list(text, "shortest way", &self.dead_run);
        list(text, "not fired yet", &wrapped(&self.not_yet));
        for title in ["most tokens", "live", "home markings"] {
            list(text, title, &["unknown".to_owned()]);
        }
    }
}

fn dead(markings: u64) -> Option<String> {
    match markings {
        0 => None,
        1 => Some("1 marking in which nothing can fire".to_owned()),
        many => Some(format!("{} markings in which nothing can fire", grouped(many))),
    }
}

/// Several short entries on a line, and how many more there are than can be read.
fn wrapped(entries: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let more = entries.len().saturating_sub(SHOWN);
    let rest = (more > 0).then(|| format!("and {} more", grouped(more as u64)));
    for entry in entries.iter().take(SHOWN).chain(&rest) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + entry.chars().count() < 76 => {
                line.push_str(", ");
                line.push_str(entry);
            }
            _ => lines.push(entry.clone()),
        }
    }
    lines
}

fn list(text: &mut String, title: &str, lines: &[String]) {
    for (number, line) in lines.iter().enumerate() {
        let title = if number == 0 { title } else { "" };
        text.push_str(&format!("  {title:14}  {line}\n"));
    }
}
