//! Small random teams in sEnglish, for comparing engines. The same seed gives the same team on every machine.
//!
//! They have what real ones have: percepts with counters and conditions, actions that report one thing or another, notes that
//! rules and plans change, plans with the same triggering condition. What belongs together is drawn from one of two corners of
//! the project with few bridges between them, so that claims often need only a part.

use std::fmt::Write as _;

use motet_source::fuzz::Random;

use crate::generate::dice;

/// The sentences that claims may ask for.
pub const SENTENCES: [&str; 8] = [
    "Rain is near",
    "Gate is open",
    "Hatch is loose",
    "Crane is ready",
    "Load is due",
    "Deck is clear",
    "Watch is set",
    "Lamp is lit",
];

/// The files of a random team: names and texts.
#[must_use]
pub fn project(seed: u64) -> Vec<(String, String)> {
    let mut dice = dice(seed ^ 0x5e75);
    let mut text = String::from("INITIAL BELIEFS AND GOALS\n");
    for note in &SENTENCES[4..] {
        if dice.chance(50) {
            let _ = writeln!(text, "{note}.");
        }
    }
    text.push_str("\nINITIAL ACTIONS\n");
    if dice.chance(30) {
        text.push_str("[Blow the horn.].\n");
    }
    text.push_str("\nPERCEPTION PROCESS\nMonitor the following booleans:\n");
    for (number, percept) in SENTENCES[..4].iter().enumerate() {
        let gate =
            if dice.chance(30) { belief_near(&mut dice, number % 2).to_owned() } else { String::new() };
        let (come, go) = (distribution(&mut dice), distribution(&mut dice));
        let _ = writeln!(text, "{percept}. {{[{gate}],{come},{go}}}");
    }
    text.push_str("Horn is heard.\nRope is fast.\nRope is torn.\n\nREASONING\n");
    for corner in 0..2 {
        let (one, other) = (condition(&mut dice, corner), condition(&mut dice, corner));
        let sign = if dice.chance(50) { "~" } else { "" };
        let _ = writeln!(text, "If {one} and {other} then {sign}^[{}].", note_near(&mut dice, corner));
    }
    text.push_str("\nEXECUTABLE PLANS\n");
    for number in 0..4 {
        plan(&mut dice, number, &mut text);
    }
    let horn = action("Blow the horn", &format!("Horn is heard[1,{},{}]", 1 + dice.below(3), dice.below(2)));
    let mean = 1 + dice.below(2);
    let rope = action("Tie the rope", &format!("Rope is fast[0.75,{mean},0], Rope is torn[0.25,{mean},0]"));
    vec![
        ("mate.sej".to_owned(), text),
        ("blow_the_horn.sep".to_owned(), horn),
        ("tie_the_rope.sep".to_owned(), rope),
    ]
}

fn action(sentence: &str, feedback: &str) -> String {
    let name = sentence.to_lowercase();
    format!(
        "procedure name :: {name}\nsenglish sentences :: {sentence}.\nprocess, repeat mode :: control, runOnce\n\
         performance feedback :: {feedback}\n"
    )
}

fn distribution(dice: &mut Random) -> String {
    let chance = dice.pick(&["0.25", "0.5", "1"]);
    let (mean, spread) = [(1, 0), (2, 0), (2, 1), (3, 1)][dice.below(4)];
    format!("[{chance},{mean},{spread}]")
}

/// A belief of this corner, now and then of the other.
fn belief_near(dice: &mut Random, corner: usize) -> &'static str {
    let corner = if dice.chance(15) { 1 - corner } else { corner };
    SENTENCES[2 * dice.below(4) + corner]
}

fn note_near(dice: &mut Random, corner: usize) -> &'static str {
    SENTENCES[4 + 2 * dice.below(2) + corner]
}

fn condition(dice: &mut Random, corner: usize) -> String {
    let sign = if dice.chance(40) { "~" } else { "" };
    format!("{sign}^[{}]", belief_near(dice, corner))
}

/// Two plans a corner; those of the first corner often have one triggering condition, those of the second use the actions.
fn plan(dice: &mut Random, number: usize, text: &mut String) {
    let corner = number % 2;
    let head = match (corner, dice.chance(70)) {
        (0, true) => format!("If ^[{}] while ~^[{}] then", SENTENCES[0], SENTENCES[2]),
        _ => format!("If {} while {} then", condition(dice, corner), condition(dice, corner)),
    };
    let _ = write!(text, "{head}");
    for _ in 0..1 + dice.below(2) + number / 2 {
        let deed = match (corner, dice.below(3)) {
            (1, 0) => dice.pick(&["[Blow the horn.]", "[Tie the rope.]"]).to_owned(),
            (_, sign) => format!("{}^[{}]", if sign == 1 { "-" } else { "+" }, note_near(dice, corner)),
        };
        let _ = write!(text, "\n  {deed}");
    }
    text.push_str(".\n");
}
