//! JANI: one automaton with a location for every state.

use std::fmt::Write as _;

use motet_model::Ratio;
use serde_json::{Value, json};

use super::{Choice, Earned, Explicit};

/// The model as a JANI model. Labels and rewards are transient variables; chances are quotients, so that nothing is rounded.
#[must_use]
pub fn jani(model: &Explicit) -> String {
    // Written piece by piece: one value for the whole of a large model would need many times the memory of its text.
    let mut text = String::from("{\n");
    member(&mut text, "jani-version", &json!(1));
    member(&mut text, "name", &json!("exported"));
    let claims: Vec<String> =
        model.claims.iter().map(|(name, formula)| format!("\"{name}\": {formula}")).collect();
    let metadata = json!({ "description": model.command, "doc": claims.join("; ") });
    member(&mut text, "metadata", &metadata);
    member(&mut text, "type", &json!(if model.is_chain() { "dtmc" } else { "mdp" }));
    let actions = model.actions.iter();
    let actions = actions.map(|action| json!({ "name": action.name, "comment": action.words }));
    list(&mut text, "actions", actions);
    text.push_str(",\n");
    list(&mut text, "variables", variables(model));
    text.push_str(",\n\"automata\": [{\n\"name\": \"model\",\n");
    locations(&mut text, model);
    text.push_str(",\n");
    let initial: Vec<Value> = model.initial.iter().map(|state| json!(place(*state as usize))).collect();
    member(&mut text, "initial-locations", &Value::Array(initial));
    let edges = (0..model.n_states())
        .flat_map(|state| model.choices(state).map(move |choice| edge(model, state, choice)));
    list(&mut text, "edges", edges);
    text.push_str("\n}],\n");
    let synchronise = |action: &super::Named| json!({ "synchronise": [action.name], "result": action.name });
    let vectors: Vec<Value> = model.actions.iter().map(synchronise).collect();
    member(&mut text, "system", &json!({ "elements": [{ "automaton": "model" }], "syncs": vectors }));
    text.push_str("\"properties\": []\n}\n");
    text
}

fn member(text: &mut String, key: &str, value: &Value) {
    let _ = writeln!(text, "\"{key}\": {value},");
}

/// One item per line.
fn list(text: &mut String, key: &str, items: impl Iterator<Item = Value>) {
    let _ = write!(text, "\"{key}\": [");
    for (number, item) in items.enumerate() {
        let _ = write!(text, "{}\n  {item}", if number == 0 { "" } else { "," });
    }
    text.push_str("\n]");
}

fn variables(model: &Explicit) -> impl Iterator<Item = Value> {
    let label = |name: &str, words: &str| json!({ "name": name, "type": "bool", "transient": true, "initial-value": false, "comment": words });
    let own = model.labels.iter().map(move |own| label(&own.named.name, &own.named.words));
    let rewards = model.rewards.iter().map(|reward| {
        let (name, words) = (&reward.named.name, &reward.named.words);
        json!({ "name": name, "type": "real", "transient": true, "initial-value": 0, "comment": words })
    });
    own.chain(rewards)
}

fn locations(text: &mut String, model: &Explicit) {
    let names = model.names_of_states();
    let locations = names.iter().enumerate().map(|(state, names)| {
        // Readers know `init` and `deadlock` by themselves.
        let own = names.iter().filter(|name| **name != "init" && **name != "deadlock");
        let mut values: Vec<Value> = own.map(|name| json!({ "ref": name, "value": true })).collect();
        values.extend(model.rewards.iter().filter_map(|reward| assigned(reward, reward.states[state])));
        json!({ "name": place(state), "transient-values": values })
    });
    list(text, "locations", locations);
}

fn edge(model: &Explicit, state: usize, choice: Choice<'_>) -> Value {
    let earned = |reward: &Earned| assigned(reward, reward.choices[choice.number]);
    let rewards: Vec<Value> = model.rewards.iter().filter_map(earned).collect();
    let destinations = choice.branches.iter().map(|(target, chance)| {
        json!({
            "location": place(*target as usize),
            "probability": { "exp": quotient(*chance) },
            "assignments": rewards,
        })
    });
    let destinations: Vec<Value> = destinations.collect();
    json!({ "location": place(state), "action": choice.action.name, "destinations": destinations })
}

fn assigned(reward: &Earned, earned: Ratio) -> Option<Value> {
    (earned != Ratio::ZERO).then(|| json!({ "ref": reward.named.name, "value": quotient(earned) }))
}

fn place(state: usize) -> String {
    format!("s{state}")
}

fn quotient(ratio: Ratio) -> Value {
    let text = ratio.quotient();
    match text.split_once('/') {
        None => whole(&text),
        Some((above, below)) => json!({ "op": "/", "left": whole(above), "right": whole(below) }),
    }
}

/// A whole number. Readers of JSON keep sixteen digits or nineteen, so that a longer one is put together from parts.
fn whole(digits: &str) -> Value {
    const TOGETHER: usize = 15;
    let part = |digits: &str| json!(digits.parse::<u64>().expect("nineteen digits and less fit a word"));
    if digits.len() <= 19
        && let Ok(word) = digits.parse::<u64>()
    {
        return json!(word);
    }
    let head = (digits.len() - 1) % TOGETHER + 1;
    let rest = (head..digits.len()).step_by(TOGETHER).map(|at| &digits[at..at + TOGETHER]);
    rest.fold(part(&digits[..head]), |sum, digits| {
        let shifted = json!({ "op": "*", "left": sum, "right": 10_u64.pow(15) });
        json!({ "op": "+", "left": shifted, "right": part(digits) })
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::coin;
    use super::*;

    #[test]
    fn a_coin_is_an_automaton_with_a_location_per_state() {
        let model: Value = serde_json::from_str(&jani(&coin())).unwrap();
        assert_eq!(model["type"], "dtmc");
        let automaton = &model["automata"][0];
        assert_eq!(automaton["initial-locations"], json!(["s0"]));
        assert_eq!(
            automaton["locations"][0]["transient-values"],
            json!([{ "ref": "coin_0", "value": true }])
        );
        let edge = &automaton["edges"][0];
        assert_eq!(
            edge["destinations"][0]["probability"]["exp"],
            json!({ "op": "/", "left": 1, "right": 2 })
        );
        assert_eq!(edge["destinations"][0]["assignments"], json!([{ "ref": "throws_so_far", "value": 1 }]));
    }
}
