//! The rules of the reasoning cycle, one small model each.

mod lab;

use lab::{explore, held, near, system};
use motet_model::{AtomId, AtomText, Expr, Operator, Options, RewardId};

const A: AtomId = AtomId(0);
const B: AtomId = AtomId(1);

/// An action that reports at once.
const ACT: &str = "procedure name :: act\nsenglish sentences :: Act.\nprocess, repeat mode :: control, runOnce\nperformance feedback :: Done[1,1,0]\n";

fn act(feedback: &str) -> String {
    ACT.replace("Done[1,1,0]", feedback)
}

fn at(files: &[(&str, &str)], atoms: &[AtomText], cycles: usize) -> Vec<f64> {
    let graph = explore(&system(files, &Options::default(), atoms));
    (0..=cycles).map(|cycle| graph.at(cycle, A)).collect()
}

#[test]
fn a_percept_comes_with_the_triangle_of_equation_3_9() {
    // Table 3.2 of the thesis: p = 0.6, mu = 5, sigma = 2; it never goes.
    let text = "PERCEPTION PROCESS\nMonitor the following booleans:\nRain. {[],[0.6,5,2],[0,1,0]}\n";
    let found = at(&[("a.sej", text)], &[held("Rain")], 7);
    let mut still = 1.0;
    let expected = [0.0, 0.0, 0.0, 0.2, 0.4, 0.6, 0.4, 0.2].map(|chance| {
        still *= 1.0 - chance;
        1.0 - still
    });
    for (found, wanted) in found.iter().zip(expected) {
        near(*found, wanted);
    }
}

#[test]
fn a_feedback_comes_with_the_ramp_of_equation_3_7_and_weights_share_it() {
    // Table 3.1 of the thesis: Continue[0.6,5,2], Abort[0.4,5,2]; called in cycle 0 by an initial action.
    let text = "INITIAL ACTIONS\nAct.\nPERCEPTION PROCESS\nMonitor the following booleans:\nContinue.\nAbort.\n\
                REASONING\nIf ^[Continue] then ^[Went on]\nIf ^[Abort] then ^[Gave up]\n";
    let file = act("Continue[0.6,5,2], Abort[0.4,5,2]");
    let files = [("a.sej", text), ("act.sep", file.as_str())];
    let graph =
        explore(&system(&files, &Options::default(), &[held("Continue"), held("Abort"), held("Gave up")]));
    let mut still = 1.0;
    for (cycle, chance) in [0.0, 0.0, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0].into_iter().enumerate() {
        near(graph.at(cycle, A), still * chance * 0.6);
        near(graph.at(cycle, B), still * chance * 0.4);
        still *= 1.0 - chance;
    }
    near(graph.at(8, A), 0.0);
    near(graph.at(9, AtomId(2)), 0.4);
}

#[test]
fn a_plan_calls_its_action_in_the_cycle_in_which_it_is_triggered() {
    // Appendix B.2: with mu = 5 the fifth belief update behind the plan update brings the feedback.
    let text = "INITIAL BELIEFS AND GOALS\nGo.\nPERCEPTION PROCESS\nMonitor the following booleans:\nDone.\n\
                EXECUTABLE PLANS\nIf ^[Go] while true then\n  [Act.]\n  -^[Go].\n";
    let file = act("Done[1,5,0]");
    let found = at(&[("a.sej", text), ("act.sep", &file)], &[held("Done")], 8);
    assert_eq!(found, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn a_counter_starts_at_one_and_from_zero_after_a_trial() {
    // Appendix B.2: c1 starts at 1, so the first trial of mu = 3 is in cycle 3; later ones are four cycles apart.
    let text = "PERCEPTION PROCESS\nMonitor the following booleans:\nRain. {[],[0.5,3,0],[0,1,0]}\n";
    let found = at(&[("a.sej", text)], &[held("Rain")], 11);
    let expected = [0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 0.875];
    for (found, wanted) in found.iter().zip(expected) {
        near(*found, wanted);
    }
}

#[test]
fn a_condition_gates_activation_and_does_not_cancel_a_percept_that_holds() {
    // `Gate` holds in cycle 1 only. Section 3.4.1 and appendix B.2 against line 6 of figure 4.7.
    let text = "PERCEPTION PROCESS\nMonitor the following booleans:\n\
                Gate. {[],[1,1,0],[1,1,0]}\nSeen. {[Gate],[1,1,0],[0,1,0]}\nHeard. {[Never],[1,1,0],[0,1,0]}\n\
                REASONING\nIf ^[Heard] and ~^[Heard] then ^[Never]\n";
    let found = at(&[("a.sej", text)], &[held("Seen")], 4);
    assert_eq!(found, [0.0, 0.0, 1.0, 1.0, 1.0]);
    let found = at(&[("a.sej", text)], &[held("Heard")], 4);
    assert_eq!(found, [0.0; 5]);
}

#[test]
fn a_false_condition_restarts_the_counter() {
    // `Gate` holds in every second cycle, so a percept that needs two cycles in a row never comes.
    let text = "PERCEPTION PROCESS\nMonitor the following booleans:\n\
                Gate. {[],[1,1,0],[1,1,0]}\nSeen. {[Gate],[1,2,0],[0,1,0]}\n";
    let found = at(&[("a.sej", text)], &[held("Seen")], 6);
    assert_eq!(found, [0.0; 7]);
}

/// A note under one action and two rules, to go through table 4.1.
fn table(start: bool, action: &str, rules: &str) -> f64 {
    let initial = if start { "Note.\n" } else { "" };
    let text = format!(
        "INITIAL BELIEFS AND GOALS\nGo.\n{initial}REASONING\n{rules}\nEXECUTABLE PLANS\n\
         If +^[Armed] while true then {action}^[Note].\nIf ^[Go] while true then +^[Armed] -^[Go] +^[Note] -^[Note].\n"
    );
    let files = [("a.sej", text.as_str())];
    let graph = explore(&system(&files, &Options::default(), &[held("Note"), held("Armed")]));
    // Cycle 1 triggers the second plan, cycle 2 arms, its plan update starts the first plan, cycle 3 sees its action.
    assert!(graph.at(2, B) > 0.5 && graph.at(1, B) < 0.5);
    graph.at(3, A)
}

#[test]
fn notes_follow_table_4_1() {
    let (plus, minus) = ("If ^[Armed] then ^[Note]", "If ^[Armed] then ~^[Note]");
    let both = format!("{plus}\n{minus}");
    // M false: nothing, A+, R+, R-, and pairs of them.
    for (action, rules, wanted) in [
        ("-", "", 0.0),
        ("-", minus, 0.0),
        ("-", plus, 1.0),
        ("-", both.as_str(), 1.0),
        ("+", "", 1.0),
        ("+", minus, 0.0),
        ("+", plus, 1.0),
        ("+", both.as_str(), 1.0),
    ] {
        assert_eq!(table(false, action, rules), wanted, "false, {action}, {rules}");
    }
    // M true, with A- where the table has it.
    for (action, rules, wanted) in [
        ("+", "", 1.0),
        ("+", minus, 0.0),
        ("+", plus, 1.0),
        ("+", both.as_str(), 0.0),
        ("-", "", 0.0),
        ("-", minus, 0.0),
        ("-", plus, 1.0),
        ("-", both.as_str(), 0.0),
    ] {
        assert_eq!(table(true, action, rules), wanted, "true, {action}, {rules}");
    }
}

#[test]
fn a_change_triggers_once_and_a_value_as_long_as_it_lasts() {
    let text = |trigger: &str| {
        format!(
            "PERCEPTION PROCESS\nMonitor the following booleans:\nRain. {{[],[1,2,0],[1,5,0]}}\n\
             EXECUTABLE PLANS\nIf {trigger}^[Rain] while true then +^[Wet] {{hits=1}} -^[Wet].\n"
        )
    };
    let hits = |trigger: &str, cycles: usize| {
        let text = text(trigger);
        let never = AtomText::Fact(Expr::Call("false".to_owned(), Vec::new()));
        let graph = explore(&system(&[("a.sej", &text)], &Options::default(), &[never]));
        graph.earned(RewardId(1), A, cycles, f64::max)
    };
    // It rains in cycles 2 to 7. The value triggers the two-cycle plan in cycles 2 and 5, the change in cycle 2 alone.
    near(hits("", 8), 2.0);
    near(hits("+", 8), 1.0);
    near(hits("-", 8), 0.0);
    near(hits("-", 10), 1.0);
}

#[test]
fn initial_beliefs_are_no_events() {
    let text = "INITIAL BELIEFS AND GOALS\nGo.\nEXECUTABLE PLANS\nIf +^[Go] while true then +^[Gone].\n";
    let found = at(&[("a.sej", text)], &[held("Gone")], 4);
    assert_eq!(found, [0.0; 5]);
}

#[test]
fn plans_with_one_condition_are_a_choice_and_the_order_of_and_does_not_matter() {
    let text = "INITIAL BELIEFS AND GOALS\nGo.\nFine.\nReady.\nEXECUTABLE PLANS\n\
                If ^[Go] while ^[Fine] and ^[Ready] then +^[Left] -^[Go].\n\
                If ^[Go] while ^[Ready] and ^[Fine] then +^[Right] -^[Go].\n\
                If ^[Fine] while ^[Go] and ^[Ready] then +^[Also].\n";
    let files = [("a.sej", text)];
    let both = |agent: &str| {
        AtomText::Believes(
            agent.to_owned(),
            Expr::Binary(
                Operator::And,
                Box::new(Expr::Text("Left".to_owned())),
                Box::new(Expr::Text("Right".to_owned())),
            ),
        )
    };
    let system = system(&files, &Options::default(), &[held("Left"), held("Right"), held("Also"), both("a")]);
    let graph = explore(&system);
    assert_eq!(graph.choices() - graph.states.len(), 1, "one state offers two plans");
    near(graph.within(9, A, f64::max), 1.0);
    near(graph.within(9, A, f64::min), 0.0);
    near(graph.within(9, AtomId(2), f64::min), 1.0);
    near(graph.within(9, AtomId(3), f64::max), 0.0);
    let action = |state: usize, choice: usize| system.words.action(graph.rows[state][choice].0);
    assert_eq!(action(0, 0), "one cycle");
    let chooses = graph.rows.iter().position(|row| row.len() == 2).expect("one state chooses");
    assert_eq!([action(chooses, 0), action(chooses, 1)], ["Plan 1 is chosen", "Plan 2 is chosen"]);
}

#[test]
fn two_groups_that_are_ready_together_choose_independently() {
    let text = "INITIAL BELIEFS AND GOALS\nGo.\nRun.\nEXECUTABLE PLANS\n\
                If ^[Go] while true then +^[A].\nIf ^[Go] while true then +^[B].\n\
                If ^[Run] while true then +^[C].\nIf ^[Run] while true then +^[D].\nIf ^[Run] while true then +^[E].\n";
    let graph = explore(&system(&[("a.sej", text)], &Options::default(), &[]));
    assert_eq!(graph.rows[1].len(), 6);
    let actions: std::collections::BTreeSet<_> = graph.rows[1].iter().map(|(action, _)| *action).collect();
    assert_eq!(actions.len(), 6, "each combination has a number of its own");
}

#[test]
fn the_choice_sees_what_chance_has_brought() {
    // The agent may match the weather, which it has seen: a choice made before the weather came would succeed half the time.
    let text = "INITIAL BELIEFS AND GOALS\nGo.\nEarly.\nPERCEPTION PROCESS\nMonitor the following booleans:\n\
                Rain. {[Early],[0.5,1,0],[0,1,0]}\nREASONING\nIf ^[Early] then ~^[Early]\n\
                If ^[Umbrella] and ^[Rain] and ^[Go] then ^[Good]\nIf ^[Hat] and ~^[Rain] and ^[Go] then ^[Good]\n\
                EXECUTABLE PLANS\nIf ^[Go] while true then +^[Umbrella] -^[Go].\nIf ^[Go] while true then +^[Hat] -^[Go].\n";
    let graph = explore(&system(&[("a.sej", text)], &Options::default(), &[held("Good")]));
    near(graph.within(9, A, f64::max), 1.0);
    near(graph.within(9, A, f64::min), 0.0);
}

#[test]
fn alternatives_never_run_together() {
    let text = |joint: &str| {
        format!(
            "INITIAL BELIEFS AND GOALS\nGo.\nPERCEPTION PROCESS\nMonitor the following booleans:\n\
             Rain. {{[],[0.5,1,0],[0.5,1,0]}}\nEXECUTABLE PLANS\n\
             If ^[Go] while ^[Rain] then +^[A] -^[A].\n{joint} ^[Go] while ~^[Rain] then +^[B] -^[B].\n"
        )
    };
    let running = |plan: i64| {
        let index =
            Expr::Index(Box::new(Expr::Call("plan".to_owned(), Vec::new())), Box::new(Expr::Int(plan)));
        AtomText::Fact(Expr::Binary(Operator::Gt, Box::new(index), Box::new(Expr::Int(0))))
    };
    let together = |joint: &str| {
        let text = text(joint);
        let system = system(&[("a.sej", &text)], &Options::default(), &[running(1), running(2)]);
        let graph = explore(&system);
        let both = |state: &motet_model::State| {
            use motet_model::Model as _;
            graph.model.holds(A, state) && graph.model.holds(B, state)
        };
        assert_eq!(system.summary.facts[3], "DTMC", "the contexts exclude each other");
        graph.states.iter().any(|state| both(state))
    };
    assert!(together("If"));
    assert!(!together("Or if"));
}

#[test]
fn an_action_without_feedback_takes_one_cycle_and_so_does_a_stop() {
    let silent =
        "procedure name :: act\nsenglish sentences :: Act.\nprocess, repeat mode :: control, runRepeated\n";
    let text = "INITIAL BELIEFS AND GOALS\nGo.\nEXECUTABLE PLANS\nIf ^[Go] while true then [Act.] [Stop act.] +^[End] -^[Go].\n";
    let found = at(&[("a.sej", text), ("act.sep", silent)], &[held("End")], 5);
    assert_eq!(found, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn every_model_counts_its_cycles() {
    let text =
        "PERCEPTION PROCESS\nMonitor the following booleans:\nRain. {[],[0.25,1,0],[0,1,0]} {damp=3}\n";
    let graph = explore(&system(&[("a.sej", text)], &Options::default(), &[held("Rain")]));
    // Geometric with chance 1/4: 4 cycles on average.
    let cycles = graph.earned(RewardId(0), A, 400, f64::max);
    near(cycles, 4.0);
    assert_eq!(graph.earned(RewardId(1), A, 400, f64::max), 0.0, "rain earns nothing before it rains");
}

#[test]
fn the_command_line_sets_chances_and_averages() {
    let text = "PERCEPTION PROCESS\nMonitor the following booleans:\nHeavy rain. {[],[0.25,1,0],[0,1,0]}\n";
    let mut options = Options::default();
    options.parameters.insert("heavy_rain.on".to_owned(), "1/2".to_owned());
    let graph = explore(&system(&[("a.sej", text)], &options, &[held("heavy  RAIN")]));
    near(graph.earned(RewardId(0), A, 400, f64::max), 2.0);
    options.parameters.insert("heavy_rain.on_mean".to_owned(), "2".to_owned());
    let graph = explore(&system(&[("a.sej", text)], &options, &[held("Heavy_rain")]));
    near(graph.at(1, A), 0.0);
    near(graph.at(2, A), 0.5);
}

#[test]
fn the_mode_of_the_thesis_counts_both_halves_of_a_cycle_but_not_the_half_that_ends_it() {
    // The plan stands on its action in cycles 2, 3 and 4, in the last of which the feedback ends the count. Once a cycle: 3.
    // The thesis also counts the halves after the belief updates of cycles 2 and 3: 5.
    let text = "INITIAL BELIEFS AND GOALS\nGo.\nPERCEPTION PROCESS\nMonitor the following booleans:\nDone.\n\
                EXECUTABLE PLANS\nIf ^[Go] while true then\n  [Act.] {fuel=1}\n  -^[Go].\n";
    let file = act("Done[1,3,0]");
    let files = [("a.sej", text), ("act.sep", file.as_str())];
    let fuel = |options: &Options| {
        explore(&system(&files, options, &[held("Done")])).earned(RewardId(1), A, 20, f64::max)
    };
    near(fuel(&Options::default()), 3.0);
    near(fuel(&Options { mode: Some("thesis".to_owned()), ..Options::default() }), 5.0);
}
