//! Small random projects that have everything a live cycle must follow: counters, conditions, changes as triggers, choices,
//! actions that report one of several things or nothing, stops, initial actions, and sometimes a second agent.

use std::fmt::Write as _;

use motet_source::fuzz::Random;

const PERCEPTS: [&str; 3] = ["Rain is near", "Gate is open", "Unknown message"];
const FEEDBACKS: [&str; 4] = ["Horn is heard", "Rope is fast", "Rope is torn", "Rope is gone"];
const NOTES: [&str; 3] = ["Load is due", "Deck is clear", "Lamp is lit"];
const ACTIONS: [&str; 4] =
    ["[Blow the horn.]", "[Tie the rope.]", "[Turn the winch.]", "[Stop turn the winch.]"];

/// The files of a project.
pub(crate) fn project(random: &mut Random) -> Vec<(String, String)> {
    // What agents share must be the same line for both.
    let shared: Vec<String> = PERCEPTS[1..].iter().map(|text| percept(random, text, "")).collect();
    let mut files = Vec::new();
    let agents: &[&str] = if random.once_in(3) { &["mate", "cook"] } else { &["mate"] };
    for agent in agents {
        files.push((format!("{agent}.sej"), reasoning(random, agent, agents, &shared)));
    }
    let (mean, spread) = random.pick(&[(1, 0), (2, 0), (2, 1), (1, 1), (3, 2)]);
    files.push(action("Blow the horn", "runOnce", &format!("Horn is heard[1,{mean},{spread}]")));
    let (mean, spread) = random.pick(&[(1, 0), (2, 0), (2, 1), (1, 1)]);
    let weights = random.pick(&[["0.5", "0.25", "0.25"], ["1/3", "0", "2/3"], ["0", "1", "0"]]);
    let reports: Vec<String> = (FEEDBACKS[1..].iter().zip(weights))
        .map(|(text, weight)| format!("{text}[{weight},{mean},{spread}]"))
        .collect();
    files.push(action("Tie the rope", "runOnce", &reports.join(", ")));
    files.push(action("Turn the winch", "runRepeated", ""));
    files
}

fn action(sentence: &str, mode: &str, feedback: &str) -> (String, String) {
    let name = sentence.to_lowercase();
    let text = format!(
        "procedure name :: {name}\nsenglish sentences :: {sentence}.\nprocess, repeat mode :: control, {mode}\n\
         performance feedback :: {feedback}\n"
    );
    (format!("{}.sep", name.replace(' ', "_")), text)
}

fn distribution(random: &mut Random) -> String {
    let chance = random.pick(&["0.25", "0.5", "1", "0"]);
    let (mean, spread) = random.pick(&[(1, 0), (2, 0), (2, 1), (3, 1), (1, 1), (4, 2)]);
    format!("[{chance},{mean},{spread}]")
}

fn percept(random: &mut Random, text: &str, gate: &str) -> String {
    let (come, go) = (distribution(random), distribution(random));
    format!("{text}. {{[{gate}],{come},{go}}}\n")
}

fn reasoning(random: &mut Random, agent: &str, agents: &[&str], shared: &[String]) -> String {
    let mut text = String::from("INITIAL BELIEFS AND GOALS\n");
    for note in NOTES {
        match random.below(4) {
            0 | 1 => _ = writeln!(text, "{note}."),
            2 => _ = writeln!(text, "~{note}."),
            _ => {}
        }
    }
    text.push_str("INITIAL ACTIONS\n");
    for action in &ACTIONS[..3] {
        if random.once_in(3) {
            _ = writeln!(text, "{action}.");
        }
    }
    text.push_str("PERCEPTION PROCESS\nMonitor the following booleans:\n");
    let gate = match random.below(4) {
        0 => random.pick(&NOTES).to_owned(),
        1 => random.pick(&FEEDBACKS).to_owned(),
        2 => format!("{}: {}", random.pick(agents), random.pick(&NOTES)),
        _ => String::new(),
    };
    // A percept of the agent's own: its name is in the sentence.
    text.push_str(&percept(random, &format!("{} for {agent}", PERCEPTS[0]), &gate));
    shared.iter().for_each(|line| text.push_str(line));
    FEEDBACKS.iter().for_each(|feedback| _ = writeln!(text, "{feedback}."));
    text.push_str("REASONING\n");
    // Rules that never apply, so that every note has a name.
    NOTES.iter().for_each(|note| _ = writeln!(text, "If ^[{note}] and ~^[{note}] then ^[{note}]."));
    for _ in 0..2 {
        let (one, other) = (condition(random, agent), condition(random, agent));
        let sign = random.pick(&["~", ""]);
        _ = writeln!(text, "If {one} and {other} then {sign}^[{}].", random.pick(&NOTES));
    }
    text.push_str("EXECUTABLE PLANS\n");
    let common = (condition(random, agent), condition(random, agent));
    for number in 0..5 {
        plan(random, agent, (number < 3).then_some(&common), &mut text);
    }
    text
}

fn condition(random: &mut Random, agent: &str) -> String {
    let own = format!("{} for {agent}", PERCEPTS[0]);
    let known: Vec<&str> = [own.as_str()]
        .into_iter()
        .chain(PERCEPTS[1..].iter().copied())
        .chain(FEEDBACKS)
        .chain(NOTES)
        .collect();
    format!("{}^[{}]", random.pick(&["~", "", ""]), random.pick(&known))
}

fn plan(random: &mut Random, agent: &str, common: Option<&(String, String)>, text: &mut String) {
    let (trigger, context) = match common {
        Some((trigger, context)) if random.chance(70) => (trigger.clone(), context.clone()),
        _ => {
            let trigger = condition(random, agent).replace('~', "");
            (format!("{}{trigger}", random.pick(&["", "~", "+", "-"])), condition(random, agent))
        }
    };
    _ = write!(text, "If {trigger} while {context} then");
    for _ in 0..1 + random.below(4) {
        let deed = match random.below(3) {
            0 => format!("{}^[{}]", random.pick(&["+", "-"]), random.pick(&NOTES)),
            _ => random.pick(&ACTIONS).to_owned(),
        };
        _ = write!(text, "\n  {deed}");
    }
    text.push_str(".\n");
}
