//! What states and steps earn.

use motet_model::{ActionId, RewardId, Steps, System};

use crate::lab::{fault, fraction, system};

/// The state reward, and the reward of each step, in the initial state.
fn earned(system: &System, reward: u32) -> (String, Vec<String>) {
    let model = &system.model;
    let mut initial = Vec::new();
    model.initial(&mut initial);
    let state = &initial[0];
    let mut steps = Steps::new(model.signature().slots.len());
    model.steps(state, &mut steps).expect("no fault");
    let actions: Vec<ActionId> = steps.iter().map(|step| step.action).collect();
    let of = |action: &ActionId| fraction(model.facets().action_reward(RewardId(reward), state, *action));
    (fraction(model.facets().state_reward(RewardId(reward), state)), actions.iter().map(of).collect())
}

#[test]
fn states_and_labelled_steps_earn_what_their_conditions_allow() {
    let system = system(
        "mdp module m x : [0..3] init 2;
           [] true -> true;
           [a] true -> (x'=0);
           [b] true -> (x'=1);
         endmodule
         rewards \"cost\"
           x>=1 : 2;
           x>=2 : x/4;
           x>=3 : 100;
           [a] x>=1 : 5;
           [a] true : 0.5;
           [] true : 7;
         endrewards
         rewards true : 1; endrewards",
    );
    assert_eq!(
        earned(&system, 0),
        ("5/2".to_owned(), vec!["7".to_owned(), "11/2".to_owned(), "0".to_owned()])
    );
    assert_eq!(earned(&system, 1), ("1".to_owned(), vec!["0".to_owned(); 3]));
    let names: Vec<&str> =
        system.model.signature().rewards.iter().map(|reward| reward.name.as_str()).collect();
    assert_eq!(names, ["cost", ""]);
}

#[test]
fn a_mixed_step_of_a_chain_earns_the_mean_of_its_combinations() {
    // Storm does the same: each combination has its reward with its share of the chance.
    let system = system(
        "dtmc
         module m x : [0..3]; [a] true -> (x'=1); [] true -> true; [] true -> (x'=3); endmodule
         module n y : [0..1]; [a] true -> (y'=1); [a] true -> (y'=0); endmodule
         rewards [a] true : 8; [] true : 4; endrewards",
    );
    // Four combinations: two with [a], two without a label.
    assert_eq!(earned(&system, 0), ("0".to_owned(), vec!["6".to_owned()]));
}

#[test]
fn a_renamed_step_earns_what_its_new_label_earns() {
    let system = system(
        "mdp module m x : bool; [a] true -> true; [b] true -> true; endmodule
         rewards [a] true : 1; [c] true : 2; [] true : 3; endrewards
         system (m {a <- c}) / {b} endsystem",
    );
    let (_, mut steps) = earned(&system, 0);
    steps.sort();
    assert_eq!(steps, ["2", "3"]);
}

#[test]
fn rewards_that_go_wrong_in_a_state_are_faults() {
    let model = |items: &str| {
        format!("mdp module m x : [0..3]; [a] x<3 -> (x'=x+1); endmodule\nrewards {items} endrewards")
    };
    assert_eq!(fault(&model("true : 1-x;")), "model.prism:2: a reward of -1 is negative in x=2");
    assert_eq!(fault(&model("x=1 : 1/(x-1);")), "model.prism:2: the reward meets a division by zero in x=1");
    // In x=3 there is no step that could earn it.
    crate::lab::graph(&model("[a] true : 2-x;"));
}
