//! Storm's explicit format.

use std::fmt::Write as _;

use motet_model::Ratio;

use super::{Earned, Explicit, Named};

/// The model in Storm's explicit format (DRN). Chances and rewards are fractions, so that nothing is rounded.
#[must_use]
pub fn drn(model: &Explicit) -> String {
    let mut text = head(model);
    let names = model.names_of_states();
    for (state, names) in names.iter().enumerate() {
        let earned = earned(model, |reward| reward.states[state]);
        let _ = write!(text, "state {state}{earned}");
        for name in names {
            let _ = write!(text, " {name}");
        }
        text.push('\n');
        for choice in model.choices(state) {
            let earned = self::earned(model, |reward| reward.choices[choice.number]);
            let _ = writeln!(text, "\taction {}{earned}", choice.action.name);
            for (target, chance) in choice.branches {
                let _ = writeln!(text, "\t\t{target} : {}", chance.quotient());
            }
        }
    }
    text
}

fn head(model: &Explicit) -> String {
    let mut text = format!("// {}\n", model.command);
    for (name, formula) in &model.claims {
        let _ = writeln!(text, "// \"{name}\": {formula}");
    }
    let mut words = |sort: &str, named: &Named| {
        if named.words != named.name {
            let _ = writeln!(text, "// {sort} {}: {}", named.name, named.words);
        }
    };
    model.labels.iter().for_each(|label| words("label", &label.named));
    model.rewards.iter().for_each(|reward| words("reward", &reward.named));
    model.actions.iter().for_each(|action| words("action", action));
    let sort = if model.is_chain() { "DTMC" } else { "MDP" };
    let rewards: Vec<&str> = model.rewards.iter().map(|reward| reward.named.name.as_str()).collect();
    let (states, choices) = (model.n_states(), model.n_choices());
    let _ = writeln!(text, "@type: {sort}\n@parameters\n\n@reward_models\n{}", rewards.join(" "));
    let _ = writeln!(text, "@nr_states\n{states}\n@nr_choices\n{choices}\n@model");
    text
}

/// ` [1, 1/3]`, or nothing in a model without rewards.
fn earned(model: &Explicit, amount: impl Fn(&Earned) -> Ratio) -> String {
    if model.rewards.is_empty() {
        return String::new();
    }
    let amounts: Vec<String> = model.rewards.iter().map(|reward| amount(reward).quotient()).collect();
    format!(" [{}]", amounts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::tests::coin;
    use super::*;

    #[test]
    fn a_coin_is_written_with_fractions_and_the_words_in_comments() {
        expect_test::expect![[r#"
            // motet export coin
            // label coin_0: coin > 0
            // reward throws_so_far: throws so far
            // action throws_the_coin: throws the coin
            // action stays_as_it_is: stays as it is
            @type: DTMC
            @parameters

            @reward_models
            throws_so_far
            @nr_states
            2
            @nr_choices
            2
            @model
            state 0 [0] init coin_0
            	action throws_the_coin [1]
            		1 : 1/2
            		0 : 1/2
            state 1 [0] deadlock heads coin_0
            	action stays_as_it_is [0]
            		1 : 1
        "#]]
        .assert_eq(&drn(&coin()));
    }
}
