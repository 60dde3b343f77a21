//! PRISM's explicit format: one file for transitions, one each for labels, states and rewards.

use std::fmt::Write as _;

use motet_model::Ratio;

use super::{Earned, Explicit};

/// One file of the export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitFile {
    /// How its name ends: `.tra`, `2.srew`.
    pub ending: String,
    /// What it holds.
    pub text: String,
}

/// The model in PRISM's explicit format. Transitions come first, then labels, states, claims and, per reward, what states
/// and transitions earn. The format has no comments in front of transitions, so the words of names are left out there.
#[must_use]
pub fn tra(model: &Explicit) -> Vec<ExplicitFile> {
    let file = |ending: &str, text| ExplicitFile { ending: ending.to_owned(), text };
    let mut files =
        vec![file(".tra", transitions(model)), file(".lab", labels(model)), file(".sta", states(model))];
    if !model.claims.is_empty() {
        let claims = model.claims.iter().map(|(name, formula)| format!("\"{name}\": {formula};\n"));
        files.push(file(".props", format!("// {}\n{}", model.command, claims.collect::<String>())));
    }
    for (number, reward) in model.rewards.iter().enumerate() {
        // PRISM numbers the files of rewards when there are several.
        let number = if model.rewards.len() == 1 { String::new() } else { (number + 1).to_string() };
        files.push(file(&format!("{number}.srew"), state_rewards(model, reward)));
        files.push(file(&format!("{number}.trew"), transition_rewards(model, reward)));
    }
    files
}

fn transitions(model: &Explicit) -> String {
    let chain = model.is_chain();
    let (states, choices, transitions) = (model.n_states(), model.n_choices(), model.n_transitions());
    let mut text = if chain {
        format!("{states} {transitions}\n")
    } else {
        format!("{states} {choices} {transitions}\n")
    };
    for state in 0..states {
        for (number, choice) in model.choices(state).enumerate() {
            for (target, chance) in choice.branches {
                let chosen = if chain { String::new() } else { format!("{number} ") };
                let chance = decimal(*chance);
                let _ = writeln!(text, "{state} {chosen}{target} {chance} {}", choice.action.name);
            }
        }
    }
    text
}

fn labels(model: &Explicit) -> String {
    let own = model.labels.iter().map(|label| label.named.name.as_str());
    let names: Vec<&str> = ["init", "deadlock"].into_iter().chain(own).collect();
    let head: Vec<String> = names.iter().enumerate().map(|(at, name)| format!("{at}=\"{name}\"")).collect();
    let mut text = format!("{}\n", head.join(" "));
    let number = |name: &str| names.iter().position(|known| *known == name);
    for (state, true_names) in model.names_of_states().iter().enumerate().filter(|(_, own)| !own.is_empty()) {
        let numbers: Vec<String> =
            true_names.iter().filter_map(|name| number(name)).map(|at| at.to_string()).collect();
        let _ = writeln!(text, "{state}: {}", numbers.join(" "));
    }
    text
}

/// One variable holds the number of the state: what a state is made of is not made of numbers.
fn states(model: &Explicit) -> String {
    let mut text = "(state)\n".to_owned();
    for state in 0..model.n_states() {
        let _ = writeln!(text, "{state}:({state})");
    }
    text
}

fn state_rewards(model: &Explicit, reward: &Earned) -> String {
    let earned: Vec<(usize, &Ratio)> =
        reward.states.iter().enumerate().filter(|(_, earned)| **earned != Ratio::ZERO).collect();
    let mut text = format!("{}# State rewards\n{} {}\n", head(model, reward), model.n_states(), earned.len());
    for (state, earned) in earned {
        let _ = writeln!(text, "{state} {}", decimal(*earned));
    }
    text
}

fn transition_rewards(model: &Explicit, reward: &Earned) -> String {
    let chain = model.is_chain();
    let mut lines = String::new();
    let mut n_lines = 0;
    for state in 0..model.n_states() {
        for (number, choice) in model.choices(state).enumerate() {
            let earned = reward.choices[choice.number];
            if earned == Ratio::ZERO {
                continue;
            }
            for (target, _) in choice.branches {
                let chosen = if chain { String::new() } else { format!("{number} ") };
                let _ = writeln!(lines, "{state} {chosen}{target} {}", decimal(earned));
                n_lines += 1;
            }
        }
    }
    let choices = if chain { String::new() } else { format!("{} ", model.n_choices()) };
    let head = head(model, reward);
    format!("{head}# Transition rewards\n{} {choices}{n_lines}\n{lines}", model.n_states())
}

fn head(model: &Explicit, reward: &Earned) -> String {
    format!("# {}\n# Reward structure \"{}\": {}\n", model.command, reward.named.name, reward.named.words)
}

/// PRISM reads decimal numbers here: the number itself where it has a decimal, else the shortest one that gives the same
/// floating-point number. The other formats have the fraction.
fn decimal(ratio: Ratio) -> String {
    let exact = ratio.to_string();
    if exact.contains('/') { ratio.to_f64().to_string() } else { exact }
}

#[cfg(test)]
mod tests {
    use super::super::tests::coin;
    use super::*;

    #[test]
    fn a_coin_becomes_five_files() {
        let files: Vec<String> =
            tra(&coin()).into_iter().map(|file| format!("== {}\n{}", file.ending, file.text)).collect();
        expect_test::expect![[r#"
            == .tra
            2 3
            0 1 0.5 throws_the_coin
            0 0 0.5 throws_the_coin
            1 1 1 stays_as_it_is
            == .lab
            0="init" 1="deadlock" 2="heads" 3="coin_0"
            0: 0 3
            1: 1 2 3
            == .sta
            (state)
            0:(0)
            1:(1)
            == .srew
            # motet export coin
            # Reward structure "throws_so_far": throws so far
            # State rewards
            2 0
            == .trew
            # motet export coin
            # Reward structure "throws_so_far": throws so far
            # Transition rewards
            2 2
            0 1 1
            0 0 1
        "#]]
        .assert_eq(&files.concat());
    }
}
