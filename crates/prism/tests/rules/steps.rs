//! Steps of small models, computed by hand.

use crate::lab::{fault, graph, steps};

#[test]
fn a_fair_coin_turned_into_a_die_has_the_states_of_its_inventors() {
    // Knuth and Yao 1976, figure 1: seven inner nodes, six faces.
    let graph = graph(
        "dtmc
         module die
           s : [0..7] init 0;
           d : [0..6] init 0;
           [] s=0 -> 0.5 : (s'=1) + 0.5 : (s'=2);
           [] s=1 -> 0.5 : (s'=3) + 0.5 : (s'=4);
           [] s=2 -> 0.5 : (s'=5) + 0.5 : (s'=6);
           [] s=3 -> 0.5 : (s'=1) + 0.5 : (s'=7) & (d'=1);
           [] s=4 -> 0.5 : (s'=7) & (d'=2) + 0.5 : (s'=7) & (d'=3);
           [] s=5 -> 0.5 : (s'=7) & (d'=4) + 0.5 : (s'=7) & (d'=5);
           [] s=6 -> 0.5 : (s'=2) + 0.5 : (s'=7) & (d'=6);
           [] s=7 -> (s'=7);
         endmodule",
    );
    assert_eq!((graph.states.len(), graph.choices, graph.transitions), (13, 13, 20));
    assert_eq!(steps(&graph, "s=3, d=0"), ["1/2:s=1, d=0 + 1/2:s=7, d=1"]);
}

#[test]
fn the_ring_of_herman_has_the_size_that_storm_counts() {
    // Herman 1990; Storm 2.0 counts 32 states and 244 transitions for five processes, 512 and 19684 for nine.
    for (count, states, transitions) in [(5, 32, 244), (9, 512, 19_684)] {
        let copies: String = (2..=count)
            .map(|n| format!("module p{n} = p1 [x1=x{n}, x{count}=x{}] endmodule\n", n - 1))
            .collect();
        let graph = graph(&format!(
            "dtmc
             module p1 x1 : [0..1];
               [step] x1=x{count} -> 0.5 : (x1'=0) + 0.5 : (x1'=1);
               [step] x1!=x{count} -> (x1'=x{count});
             endmodule
             {copies}
             init true endinit"
        ));
        assert_eq!((graph.states.len(), graph.transitions), (states, transitions));
    }
}

#[test]
fn every_enabled_command_of_a_process_is_a_step_of_its_own() {
    let graph = graph("mdp module m x : [0..2]; [] x<2 -> (x'=x+1); [a] x=0 -> (x'=2); endmodule");
    assert_eq!(steps(&graph, "x=0"), ["1:x=1", "1:x=2"]);
    assert_eq!(steps(&graph, "x=2"), Vec::<String>::new());
}

#[test]
fn a_chain_mixes_its_enabled_commands_uniformly_and_merges_equal_targets() {
    let graph = graph(
        "dtmc module m x : [0..2];
           [] x=0 -> (x'=1);
           [a] x=0 -> 0.5 : (x'=1) + 0.5 : (x'=2);
           [] x=0 -> (x'=2);
           [] x>0 -> true;
         endmodule",
    );
    // A third of each: 1/3 + 1/6 go to 1, 1/6 + 1/3 to 2.
    assert_eq!(steps(&graph, "x=0"), ["1/2:x=1 + 1/2:x=2"]);
    assert_eq!((graph.choices, graph.transitions), (3, 4));
}

#[test]
fn many_mixed_branches_are_merged_too() {
    let commands: String =
        (0..20).map(|n| format!("[] x=0 -> 0.5 : (x'={}) + 0.5 : (x'=5);", n % 4 + 1)).collect();
    let graph = graph(&format!("dtmc module m x : [0..5]; {commands} [] x>0 -> true; endmodule"));
    assert_eq!(steps(&graph, "x=0"), ["1/8:x=1 + 1/2:x=5 + 1/8:x=2 + 1/8:x=3 + 1/8:x=4"]);
}

#[test]
fn modules_synchronise_on_the_labels_they_share_and_chances_multiply() {
    let graph = graph(
        "mdp
         module left x : [0..2]; [go] x=0 -> 0.25 : (x'=1) + 0.75 : (x'=2); endmodule
         module right y : [0..2]; [go] y=0 -> 0.5 : (y'=1) + 0.5 : (y'=2); [own] y=1 -> (y'=0); endmodule",
    );
    assert_eq!(steps(&graph, "x=0, y=0"), ["1/8:x=1, y=1 + 3/8:x=2, y=1 + 1/8:x=1, y=2 + 3/8:x=2, y=2"]);
    assert_eq!(steps(&graph, "x=1, y=1"), ["1:x=1, y=0"], "a label of one module needs nobody else");
    assert_eq!(steps(&graph, "x=1, y=2"), Vec::<String>::new(), "left refuses to go");
}

#[test]
fn every_combination_of_synchronised_commands_is_a_step() {
    let graph = graph(
        "mdp
         module a x : [0..2]; [go] x=0 -> (x'=1); [go] x=0 -> (x'=2); endmodule
         module b y : [0..2]; [go] y=0 -> (y'=1); [go] y=0 -> (y'=2); endmodule",
    );
    assert_eq!(steps(&graph, "x=0, y=0"), ["1:x=1, y=1", "1:x=1, y=2", "1:x=2, y=1", "1:x=2, y=2"]);
}

#[test]
fn updates_read_the_old_values() {
    let graph =
        graph("mdp module m x : [0..3] init 1; y : [0..3] init 2; [] x=1 -> (x'=y) & (y'=x); endmodule");
    assert_eq!(steps(&graph, "x=1, y=2"), ["1:x=2, y=1"]);
}

#[test]
fn outcomes_without_chance_are_left_out_and_equal_ones_are_one() {
    let graph = graph(
        "const double p = 0; dtmc module m x : [0..3];
           [] x=0 -> p : (x'=3) + 0.25 : (x'=1) + 0.25 : (x'=x+1) + 0.5-p : (x'=2);
           [] x>0 -> 1-p : true + p : (x'=0);
         endmodule",
    );
    assert_eq!(steps(&graph, "x=0"), ["1/2:x=1 + 1/2:x=2"]);
    assert_eq!(steps(&graph, "x=1"), ["1:x=1"]);
}

#[test]
fn chances_may_depend_on_the_state() {
    let graph = graph(
        "dtmc const int N = 4; module m x : [0..N] init 1;
           [] x>0 & x<N -> x/N : (x'=x+1) + 1-x/N : (x'=x-1);
           [] x=0 | x=N -> true;
         endmodule",
    );
    assert_eq!(steps(&graph, "x=1"), ["1/4:x=2 + 3/4:x=0"]);
    assert_eq!(steps(&graph, "x=3"), ["3/4:x=4 + 1/4:x=2"]);
}

#[test]
fn globals_come_first_and_every_module_may_change_them() {
    let graph = graph(
        "mdp global g : [0..2];
         module a x : bool; [] !x & g<2 -> (x'=true) & (g'=g+1); endmodule
         module b y : bool; [] g=1 & !y -> (y'=x) & (g'=0); endmodule",
    );
    assert_eq!(steps(&graph, "g=0, x=false, y=false"), ["1:g=1, x=true, y=false"]);
    assert_eq!(steps(&graph, "g=1, x=true, y=false"), ["1:g=0, x=true, y=true"]);
}

#[test]
fn negative_ranges_and_boolean_values_keep_their_values() {
    let graph =
        graph("mdp module m x : [-2..2]; b : bool init true; [] x<-1 -> (x'=-x) & (b'=x>0); endmodule");
    assert_eq!(steps(&graph, "x=-2, b=true"), ["1:x=2, b=false"]);
}

#[test]
fn a_condition_describes_all_initial_states() {
    let graph = graph(
        "mdp module m x : [0..9]; b : bool; [] x>9 -> true; endmodule init x*x = 9*x & (b | x=9) endinit",
    );
    let states: Vec<&str> = graph.states.keys().map(String::as_str).collect();
    assert_eq!(states, ["x=0, b=true", "x=9, b=false", "x=9, b=true"]);
}

#[test]
fn a_model_may_have_no_variables() {
    let graph = graph("mdp module m [a] true -> 0.5 : true + 0.5 : true; endmodule");
    assert_eq!(steps(&graph, ""), ["1:"]);
}

#[test]
fn functions_and_operators_compute_what_the_manual_says() {
    // (expression, value); PRISM manual, "Expressions".
    let cases = [
        ("min(3, 1, 2)", "1"),
        ("max(3, 1, 2)", "3"),
        ("floor(7/2)", "3"),
        ("ceil(7/2)", "4"),
        ("round(7/2)", "4"),
        ("round(-7/2)", "-3"),
        ("pow(2, 5)", "32"),
        ("mod(7, 3)", "1"),
        ("mod(-1, 3)", "2"),
        ("floor(log(9, 3))", "2"),
        ("floor(pow(16, 0.5))", "4"),
        ("func(max, 4, 6)", "6"),
        ("2 + 3 * 4 - 6", "8"),
        ("-2 - -3", "1"),
        ("true ? 1 : 2", "1"),
        ("1 < 2 & !(2 < 1) ? 5 : 6", "5"),
        ("(true => false) ? 1 : 0", "0"),
        ("(false <=> false) ? 1 : 0", "1"),
        ("!false = true ? 1 : 0", "1"),
        ("1 = 1 & 2 != 3 | false ? 9 : 8", "9"),
        ("floor(10 / 4 * 2)", "5"),
        ("x<-1 ? 1 : 0", "0"),
    ];
    for (text, value) in cases {
        let model = format!("mdp module m x : [-50..50] init 0; [] x=0 -> (x'={text}); endmodule");
        let graph = graph(&model);
        assert_eq!(steps(&graph, "x=0"), [format!("1:x={value}")], "{text}");
    }
}

#[test]
fn a_variable_that_leaves_its_range_is_a_fault_that_names_everything() {
    let message = fault("mdp\nmodule m\n  x : [0..3];\n  y : bool;\n  [] true -> (x'=x+2);\nendmodule");
    assert_eq!(message, "model.prism:5: `x` would become 4, which is not in [0..3], in x=2, y=false");
    let message = fault("mdp module m x : [5..8]; [] true -> (x'=x*x-22); endmodule");
    assert_eq!(message, "model.prism:1: `x` would become 3, which is not in [5..8], in x=5");
}

#[test]
fn chances_that_go_wrong_in_a_state_are_faults() {
    let model = |chance: &str| {
        format!("dtmc module m x : [0..3] init 2; [] true -> {chance} : (x'=0) + 1/2 : (x'=1); endmodule")
    };
    assert_eq!(fault(&model("1/x + 1/4")), "model.prism:1: the chances sum to 1.25, not to 1, in x=2");
    assert_eq!(fault(&model("x")), "model.prism:1: 2 is not a chance in x=2");
    assert_eq!(fault(&model("1-x")), "model.prism:1: -1 is not a chance in x=2");
    assert_eq!(fault(&model("1/(x-2)")), "model.prism:1: the command meets a division by zero in x=2");
}

#[test]
fn guards_without_a_value_are_faults_unless_another_condition_decides() {
    let model = |guard: &str| format!("mdp module m x : [0..3]; y : [0..3]; [] {guard} -> true; endmodule");
    let message = fault(&model("1/(x+y) > 0"));
    assert_eq!(message, "model.prism:1: the guard meets a division by zero in x=0, y=0");
    graph(&model("x > 0 & 1/(x+y) > 0"));
    graph(&model("1/(x+y) > 0 & x > 0"));
}

#[test]
fn chances_that_do_not_fit_are_a_fault_rather_than_rounded() {
    let modules: String = (0..3)
        .map(|n| format!("module m{n} x{n} : [0..1]; [go] x{n}=0 -> 1e-7000 : (x{n}'=1) + 1 - 1e-7000 : true; endmodule\n"))
        .collect();
    let message = fault(&format!("mdp {modules}"));
    assert!(message.contains("too fine to be kept exactly in x0=0, x1=0"), "{message}");
}

#[test]
fn sums_of_rewards_that_do_not_fit_are_a_fault_rather_than_nothing() {
    let message = fault(
        "mdp module m x : [0..1]; [] true -> (x'=1); endmodule
         rewards x=1 : pow(1/3, 13000 * x + 1); x=1 : pow(1/7, 9000 * x + 1); x=1 : pow(1/11, 9000 * x + 1); endrewards",
    );
    assert!(message.contains("the reward is too fine to be kept exactly in x=1"), "{message}");
}

#[test]
fn products_of_chances_have_as_many_digits_as_it_takes() {
    let modules: String = (0..8)
        .map(|n| format!("module m{n} x{n} : [0..1]; [go] x{n}=0 -> 0.123456789 : (x{n}'=1) + 0.876543211 : true; endmodule\n"))
        .collect();
    let graph = graph(&format!("mdp {modules}"));
    let start = "x0=0, x1=0, x2=0, x3=0, x4=0, x5=0, x6=0, x7=0";
    let all = motet_model::Ratio::read("0.123456789").unwrap().checked_pow(8).unwrap().quotient();
    assert!(all.len() > 120, "{all}");
    let told = &graph.states[start][0].1;
    assert_eq!(
        told.iter().find(|(_, to)| *to == start.replace("=0", "=1")),
        Some(&(all, start.replace("=0", "=1")))
    );
}

#[test]
fn products_that_explode_are_a_fault() {
    let modules: String = (0..30)
        .map(|n| {
            format!("module m{n} x{n} : [0..2]; [go] true -> 0.5 : (x{n}'=1) + 0.5 : (x{n}'=2); endmodule\n")
        })
        .collect();
    let message = fault(&format!("mdp {modules}"));
    assert!(message.contains("4 million outcomes"), "{message}");
    let modules: String = (0..30)
        .map(|n| {
            format!("module m{n} x{n} : [0..2]; [go] true -> (x{n}'=1); [go] true -> (x{n}'=2); endmodule\n")
        })
        .collect();
    let message = fault(&format!("mdp {modules}"));
    assert!(message.contains("combinations of commands"), "{message}");
    // Neither the combinations nor the outcomes of one of them are too many, but all together are.
    let outcomes = |n: usize| (1..5).map(|to| format!("0.25 : (x{n}'={to})")).collect::<Vec<_>>().join(" + ");
    let commands = |n: usize| (0..4).map(|_| format!("[go] true -> {};", outcomes(n))).collect::<String>();
    let modules: String =
        (0..9).map(|n| format!("module m{n} x{n} : [0..4]; {} endmodule\n", commands(n))).collect();
    let message = fault(&format!("mdp {modules}"));
    assert!(message.contains("4 million outcomes"), "{message}");
}

#[test]
fn rounded_chances_are_completed_by_the_last_one() {
    let graph = graph(
        "dtmc module m x : [0..1]; [] true -> pow(0.5, 0.5) : (x'=0) + 1 - pow(0.5, 0.5) : (x'=1); endmodule",
    );
    assert_eq!(graph.states["x=0"][0].1.len(), 2);
    // Four branches of about 0.25 that sum to 1 only nearly.
    let quarter = "pow(2, -2.0000000000001)";
    let text = format!(
        "dtmc module m x : [0..3]; [] true -> {quarter} : (x'=0) + {quarter} : (x'=1) + {quarter} : (x'=2) + {quarter} : (x'=3); endmodule"
    );
    assert_eq!(crate::lab::graph(&text).transitions, 16);
}

#[test]
fn large_ranges_cost_nothing() {
    let graph =
        graph("mdp module m x : [0..4000000000]; [] x<3 -> (x'=x+1); [] x=3 -> (x'=4000000000); endmodule");
    assert_eq!(graph.states.len(), 5);
}

#[test]
fn many_labels_are_followed_in_their_order() {
    let commands: String = (0..100).map(|n| format!("[a{n}] x>={} -> (x'={n});", n / 10)).collect();
    let graph = graph(&format!(
        "mdp module m x : [0..100]; {commands} endmodule module n y : bool; [a3] !y -> (y'=true); endmodule"
    ));
    let told: Vec<&str> = graph.states["x=0, y=false"].iter().map(|(action, _)| action.as_str()).collect();
    assert_eq!(told, ["[a0]", "[a1]", "[a2]", "[a3]", "[a4]", "[a5]", "[a6]", "[a7]", "[a8]", "[a9]"]);
    assert_eq!(steps(&graph, "x=0, y=true").len(), 9, "nobody does a3 twice");
}

#[test]
fn modules_with_more_than_64_commands_keep_all_of_them() {
    let commands: String = (0..200).map(|n| format!("[] x={n} & y>=0 -> (x'={});", n + 1)).collect();
    let graph = graph(&format!("mdp module m x : [0..200]; y : [0..1]; {commands} endmodule"));
    assert_eq!((graph.states.len(), graph.choices), (201, 200));
}
