//! The mine-hunting vessel: the numbers of the thesis (Izzo 2016, tables 6.2 and 6.3), recomputed by Storm on appendix B.2.

mod lab;
mod vessel;

use lab::{explore, held, near, system};
use motet_model::{AtomId, AtomText, Expr, Options, RewardId};
use vessel::{ASV, DTMC};

const COMPLETE: AtomId = AtomId(0);
const ERROR: AtomId = AtomId(1);
const NEVER: AtomId = AtomId(2);
const FUEL: RewardId = RewardId(1);
const TIME: RewardId = RewardId(2);

#[test]
fn the_vessel_has_the_published_chances_of_being_done_and_of_an_error_in_fifty_cycles() {
    let never = AtomText::Fact(Expr::Call("false".to_owned(), Vec::new()));
    let graph = explore(&system(ASV, &Options::default(), &[held("Mission complete"), held("Error"), never]));
    // Appendix B.2 has 270 268 states and 276 454 choices: 6 186 states choose, and they are all among ours.
    assert_eq!(graph.choices() - graph.states.len(), 276_454 - 270_268);
    near(graph.within(50, COMPLETE, f64::min), 0.635_794_142_187_887);
    near(graph.within(50, COMPLETE, f64::max), 0.645_367_738_626_424);
    near(graph.within(50, ERROR, f64::max), 0.672_322_881_389_698);
    near(graph.within(50, ERROR, f64::min), 0.671_100_145_875_351);
    // Storm on our translation: R{"fuel"}max=? [C<=100] and R{"time"}max=? [C<=100].
    near(graph.earned(FUEL, NEVER, 50, f64::max), 2.612_408_815_726_434);
    near(graph.earned(TIME, NEVER, 50, f64::max), 2.856_921_295_726_435);
}

#[test]
fn the_variant_without_a_choice_has_the_published_chances() {
    let graph = explore(&system(DTMC, &Options::default(), &[held("Mission complete"), held("Error")]));
    assert_eq!(graph.choices(), graph.states.len(), "a Markov chain has one choice in each state");
    near(graph.within(50, COMPLETE, f64::min), 0.638_964_475_767_350);
    near(graph.within(50, ERROR, f64::max), 0.671_368_951_917_345);
}

#[test]
fn the_head_of_a_report_says_what_the_model_is() {
    let facts = |files| system(files, &Options::default(), &[]).summary.facts;
    assert_eq!(facts(ASV), ["10 plans", "4 percepts", "5 feedbacks", "MDP", "1 cycle = 2 steps"]);
    assert_eq!(facts(DTMC), ["10 plans", "4 percepts", "5 feedbacks", "DTMC", "1 cycle = 2 steps"]);
}

#[test]
fn the_translation_has_a_module_for_each_plan_action_note_and_percept() {
    let system = system(ASV, &Options::default(), &[held("Mission complete")]);
    let text = system.export.prism().expect("there is a translation").expect("it is complete");
    assert!(text.text.starts_with("mdp\n"));
    // Appendix B.2: 9 modules of plans, two of which share one, 4 of actions, 8 of notes, 4 of percepts, and the scheduler.
    assert_eq!(text.text.matches("\nendmodule").count(), 9 + 4 + 8 + 4 + 1);
    for line in [
        "module plan_4_5",
        "  under_way : [0..5] init 0; // Under way [1]",
        "  the_sea_is_too_rough : [0..1] init 0; // The sea is too rough",
        "  c1 : [0..10] init 1; // counts towards the next trial",
        "  [b] under_way>2 -> (under_way'=under_way-1);",
        "  [b] continue=2 -> 0.6 : (continue'=1) & (abort'=0) + 0.4 : (continue'=0) & (abort'=1);",
        "  [t] plan_4=1 -> (plan_4'=0);",
        "  x=0 & plan_2=1 : 1;",
        "rewards \"res_cycles\"",
    ] {
        assert!(text.text.contains(line), "{line} is missing in\n{}", text.text);
    }
    assert_eq!(text.atoms, ["mission_complete=1"]);
    assert_eq!(text.rewards, ["res_cycles", "fuel", "time"]);
    assert_eq!(text.steps, 2);
    let options = Options { mode: Some("thesis".to_owned()), ..Options::default() };
    let thesis =
        lab::system(ASV, &options, &[]).export.prism().expect("a translation").expect("complete").text;
    assert!(thesis.contains("\n  plan_2=1 : 1;\n") && !thesis.contains("x=0 & plan_2"));
}
