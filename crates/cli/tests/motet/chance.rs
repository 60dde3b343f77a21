//! Numbers: queries, strategies, estimates and sweeps on small Markov models.

use crate::folder::Folder;

/// Knuth and Yao's die from a fair coin (1976): every face has the chance 1/6 after 11/3 tosses on average.
const DIE: &str = "dtmc
module die
  s : [0..7]; d : [0..6];
  [] s=0 -> 0.5 : (s'=1) + 0.5 : (s'=2);
  [] s=1 -> 0.5 : (s'=3) + 0.5 : (s'=4);
  [] s=2 -> 0.5 : (s'=5) + 0.5 : (s'=6);
  [] s=3 -> 0.5 : (s'=1) + 0.5 : (s'=7) & (d'=1);
  [] s=4 -> 0.5 : (s'=7) & (d'=2) + 0.5 : (s'=7) & (d'=3);
  [] s=5 -> 0.5 : (s'=7) & (d'=4) + 0.5 : (s'=7) & (d'=5);
  [] s=6 -> 0.5 : (s'=2) + 0.5 : (s'=7) & (d'=6);
  [] s=7 -> true;
endmodule
rewards \"flips\"
  [] s<7 : 1;
endrewards
label \"done\" = s=7;
";

/// A robot that may hurry (fast, and it falls with chance 1/4) or take care (slow and safe).
const ROBOT: &str = "mdp
module robot
  at : [0..3]; down : bool;
  [hurry] at<3 & !down -> 0.75 : (at'=at+1) + 0.25 : (down'=true);
  [careful] at<3 & !down -> 0.5 : (at'=at+1) + 0.5 : true;
  [] at=3 | down -> true;
endmodule
rewards \"moves\"
  at<3 & !down : 1;
endrewards
label \"home\" = at=3;
";

const DIE_PROPS: &str = "const int k;
// RESULT: 1/6
\"six\": P=? [ F s=7 & d=6 ];
// RESULT: 11/3
\"tosses\": R{\"flips\"}=? [ F \"done\" ];
\"soon\": P>=0.9 [ F<=k \"done\" ];
filter(max, P=? [ F d=1 ], s>0 & s<7)
";

fn die(name: &str) -> Folder {
    Folder::new(name, &[("die.pm", DIE), ("die.props", DIE_PROPS), ("robot.nm", ROBOT)])
}

#[test]
fn a_prism_file_beside_a_prism_model_is_checked_against_its_results() {
    let answer = die("results").motet(&["check", "die.pm", "-D", "k=6"]);
    assert_eq!(answer.code, 0, "{}{}", answer.stdout, answer.stderr);
    for part in ["✓ six", "= 0.166667", "= 3.66667", "it is 0.9375", "= property_1", "= 0.666667"] {
        assert!(answer.stdout.contains(part), "{part}: {}", answer.stdout);
    }
    assert!(answer.stdout.contains("3 of 3 as expected, 1 value"), "{}", answer.stdout);
    let wrong = DIE_PROPS.replace("1/6", "1/5");
    let folder = die("wrong-result");
    folder.write("die.props", wrong.as_bytes());
    let answer = folder.motet(&["check", "die.pm", "-D", "k=6"]);
    assert_eq!(answer.code, 1, "{}", answer.stdout);
    assert!(answer.stdout.contains("expected 0.2"), "{}", answer.stdout);
}

/// Three throws in a row: 1/8; `K` is for the claim alone, and nobody knows `M`.
#[test]
fn a_constant_without_a_value_is_bound_in_the_model_and_in_the_claim() {
    let model = "dtmc\nconst int N;\nmodule row\n  x : [0..N] init 0;\n  b : bool init false;\n\
                 [] !b & x<N -> 1/2 : (x'=x+1) + 1/2 : (b'=true);\n  [] b | x=N -> true;\nendmodule\n";
    let folder = Folder::new("open-constant", &[("row.prism", model)]);
    let ask = |query: &str, bound: &[&str]| {
        let values = bound.iter().flat_map(|value| ["-D", *value]);
        folder.motet(&["check", "row.prism", "-e", query].into_iter().chain(values).collect::<Vec<_>>())
    };
    for (query, bound) in [("P=? [F x=N]", &["N=3"][..]), ("P=? [F<=K x=N]", &["N=3", "K=4"])] {
        let answer = ask(query, bound);
        assert!(answer.code == 0 && answer.stdout.contains("= 0.125"), "{}{}", answer.stdout, answer.stderr);
    }
    let wrong = ask("P=? [F<=K x=N]", &["K=4"]);
    let said = [wrong.stdout, wrong.stderr].concat();
    assert!(said.contains("the constant `N` has no value") && !said.contains("no constant `K`"), "{said}");
    let wrong = ask("P=? [F x=N]", &["N=3", "M=4"]);
    assert!([wrong.stdout, wrong.stderr].concat().contains("no constant `M`"));
}

#[test]
fn a_question_of_the_command_line_is_answered_with_its_number_first() {
    let answer = die("question").motet(&["check", "die.pm", "-e", "P=? [F s=7 & d=6]"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(answer.stdout.contains("\n  = 0.166667   the probability that"), "{}", answer.stdout);
    assert!(answer.stdout.contains("certified in [0.166"), "{}", answer.stdout);
    assert!(answer.stdout.contains("0.125 s = 2 → s = 6 → s = 7, d = 6"), "{}", answer.stdout);
    let exact = die("exact").motet(&["check", "die.pm", "--exact", "-e", "R{\"flips\"}=? [F \"done\"]"]);
    assert!(exact.stdout.contains("= 11/3 (3.66667)"), "{}", exact.stdout);
}

#[test]
fn an_infinite_reward_says_why() {
    let answer = die("infinite").motet(&["check", "die.pm", "-e", "R{\"flips\"}=? [F d=6]"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    // Five faces of six miss the goal.
    for part in ["= infinite", "0.833333", "notice[M0309]"] {
        assert!(answer.stdout.contains(part), "{part}: {}", answer.stdout);
    }
}

#[test]
fn json_carries_the_value_its_ends_and_the_choices() {
    let question = "Pmax=? [F<=4 \"home\"]";
    let answer = die("json").motet(&["check", "robot.nm", "-e", question, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    let claim = &report["claims"][0];
    assert_eq!((claim["verdict"].as_str(), claim["kind"].as_str()), (Some("value"), Some("query")));
    let value = &claim["value"];
    let (lower, upper) = (value["lower"].as_f64().unwrap(), value["upper"].as_f64().unwrap());
    assert!(lower <= upper && upper - lower < 1e-6 && value["infinite"] == false, "{value}");
    assert_eq!(value["strategy"]["memory"], "steps left");
    let options = value["strategy"]["choices"][0]["options"].as_array().unwrap();
    assert_eq!(options.len(), 2, "{value}");
}

#[test]
fn a_strategy_is_written_and_played() {
    let folder = die("strategy");
    let question = "Pmax=? [F<=4 \"home\"]";
    let checked = folder.motet(&["check", "robot.nm", "-e", question, "--strategy", "best.csv"]);
    assert_eq!(checked.code, 0, "{}", checked.stderr);
    assert!(checked.stdout.contains("The maximising choice"), "{}", checked.stdout);
    let table = folder.read("best.csv");
    assert!(table.starts_with("situation,steps left of 4,choice,ordinal\r\n"), "{table}");
    assert!(table.contains("[hurry]") && table.contains("[careful]"), "{table}");
    let rest = checked.stdout.split("\n  = ").nth(1).unwrap();
    let best: f64 = rest.split_whitespace().next().unwrap().parse().unwrap();
    let run = ["sim", "robot.nm", "-e", question, "-n", "20000", "--seed", "9"];
    let played = folder.motet(&[&run[..], &["--strategy", "best.csv"]].concat());
    // Five standard deviations of 20 000 runs are less than 0.018.
    assert!((best - estimate(&played.stdout)).abs() < 0.018, "{best} {}", played.stdout);
    let drawn = folder.motet(&run);
    assert!(drawn.stdout.contains("choices were drawn at random"), "{}", drawn.stdout);
    assert!(estimate(&drawn.stdout) < best - 0.018, "{}", drawn.stdout);
    let refused = folder.motet(&["sim", "robot.nm", "--strategy", "die.pm"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
}

/// A robot that has to look at something dangerous (it is lost with chance 1/4) before it may go home for good: in the hall
/// it has to know whether it has been there.
const VISIT: &str = "mdp
module robot
  at : [0..3];
  [look] at=0 -> 0.75 : (at'=1) + 0.25 : (at'=3);
  [leave] at=0 -> (at'=2);
  [] at=1 -> (at'=0);
  [] at>1 -> true;
endmodule
label \"seen\" = at=1;
label \"home\" = at=2;
";

#[test]
fn a_strategy_that_depends_on_the_progress_of_a_formula_is_played() {
    let folder = Folder::new("progress", &[("visit.nm", VISIT)]);
    let question = "Pmax=? [ (G F \"home\") & F \"seen\" ]";
    let checked = folder.motet(&["check", "visit.nm", "-e", question, "--strategy", "best.csv"]);
    assert_eq!(checked.code, 0, "{}", checked.stderr);
    assert!(checked.stdout.contains("\n  = 0.75 "), "{}", checked.stdout);
    let table = folder.read("best.csv");
    assert!(table.starts_with("situation,progress from 0,choice,ordinal,next\r\n"), "{table}");
    assert!(table.contains("[look]") && table.contains("[leave]") && table.contains(",,,"), "{table}");
    let run = ["sim", "visit.nm", "-e", question, "-n", "10000", "--seed", "4"];
    let played = folder.motet(&[&run[..], &["--strategy", "best.csv"]].concat());
    assert_eq!(played.code, 0, "{}", played.stderr);
    // Five standard deviations of 10 000 runs with chance 3/4 are 0.0217.
    assert!((estimate(&played.stdout) - 0.75).abs() < 0.0217, "{}", played.stdout);
    assert!(!played.stdout.contains("choices were drawn at random"), "{}", played.stdout);
    // At random: 1/2 to leave at once, else on with 3/4: the chance to have seen it and to get home is 3/8 of all.
    let drawn = folder.motet(&run);
    assert!(estimate(&drawn.stdout) < 0.4, "{}", drawn.stdout);
}

/// The estimate of a single formula.
fn estimate(page: &str) -> f64 {
    let rest = page.split("\n  formula  ").nth(1).expect("a row of the table is the formula's");
    let number = rest.split_whitespace().next().expect("the estimate stands behind the name");
    number.parse().expect("an estimate is a number")
}

#[test]
fn estimates_do_not_depend_on_threads_and_say_how_sure_they_are() {
    let folder = die("estimates");
    let run = |threads: &str| {
        let answer =
            folder.motet(&["sim", "die.pm", "-D", "k=6", "-n", "3000", "--seed", "3", "--threads", threads]);
        assert_eq!(answer.code, 0, "{}", answer.stderr);
        let rows = answer.stdout.lines().filter(|line| line.starts_with("  ")).map(str::to_owned);
        rows.collect::<Vec<String>>()
    };
    let rows = run("1");
    assert_eq!(rows, run("4"));
    let all = rows.join("\n");
    for part in [
        "95 % interval",
        "of 3 000 runs · Clopper-Pearson",
        "mean of 3 000 runs · Student",
        "sequential test",
    ] {
        assert!(all.contains(part), "{part}: {all}");
    }
    let wide = folder.motet(&["sim", "die.pm", "-e", "P=? [F d=6]", "--width", "0.05", "--seed", "3"]);
    // ln(2/0.05) / (2 * 0.025^2) = 2951.1
    assert!(wide.stdout.starts_with("2 952 runs"), "{}", wide.stdout);
    assert!(wide.stdout.contains("Chernoff-Hoeffding"), "{}", wide.stdout);
}

#[test]
fn what_runs_cannot_estimate_says_who_answers_it() {
    let folder = die("not-estimated");
    for (question, why) in [
        ("S=? [ \"done\" ]", "a long-run share has no end to run to: `motet check` answers it"),
        ("R{\"flips\"}=? [ S ]", "a long-run average has no end to run to: `motet check` answers it"),
        ("R{\"flips\"}<=4 [ F \"done\" ]", "ask for the value, R=?, or use `motet check`"),
        ("filter(max, P=? [ F d=1 ], s>0)", "leave it out, or use `motet check`"),
        ("P=? [ F (P>=0.9 [ F d=1 ]) ]", "the operator P (probability): `motet check` answers the claim"),
        ("P>=0.1 [ F d=1 ] & P>=0.1 [ F d=2 ]", "one `P` or `R` as a whole; `motet check` answers others"),
    ] {
        let answer = folder.motet(&["sim", "die.pm", "-e", question, "-n", "10", "--seed", "1"]);
        let said = answer.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(why), "{question}: {}{}", answer.stdout, answer.stderr);
    }
}

#[test]
fn a_number_beside_an_assumption_says_why_it_is_unknown_and_what_to_do() {
    let folder = die("assumed");
    folder.write("die.props", b"assume never: G !(d=1)\nquery six: P=? [ F d=6 ]\n");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let checked = folder.motet(&["check", "die.pm"]);
    assert_eq!(checked.code, 4, "{}{}", checked.stdout, checked.stderr);
    let why = "no engine answers a number beside `assume` yet: it would be about the runs that satisfy the \
               assumption alone; say the condition inside the brackets";
    assert!(words(&checked.stdout).contains(why), "{}", checked.stdout);
    // An estimate from all runs would be another number.
    let run = folder.motet(&["sim", "die.pm", "-n", "100", "--seed", "1"]);
    assert!(
        words(&run.stdout).contains("runs are not sorted by `assume`: say the condition"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_threshold_that_runs_refute_ends_with_code_1() {
    let question = ["sim", "die.pm", "-e", "P>=0.5 [F d=6]", "-n", "5000", "--seed", "1"];
    let answer = die("refuted").motet(&question);
    assert_eq!(answer.code, 1, "{}", answer.stdout);
    assert!(answer.stdout.contains("fails"), "{}", answer.stdout);
}

#[test]
fn a_sweep_over_a_bound_builds_once_and_draws_its_curve() {
    let folder = die("sweep");
    let query = "P=? [F<=N \"done\"]";
    let answer = folder.motet(&[
        "sweep", "die.pm", "-e", query, "-D", "N=0..20", "--csv", "s.csv", "--json", "s.json", "--svg",
        "s.svg",
    ]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    for part in [query, "1.00 ┤", "└", "21 points", "one build, 21 solves", "0.9999"] {
        assert!(answer.stdout.contains(part), "{part}: {}", answer.stdout);
    }
    let table = folder.read("s.csv");
    assert_eq!(table.lines().count(), 22);
    assert!(table.contains("N,3,formula,value,true,,,,,steps,0.7"), "{table}");
    assert!(folder.read("s.svg").contains("<polyline"));
    assert!(folder.read("s.json").contains("\"motet.sweep/1\""));
}

#[test]
fn a_sweep_without_answers_says_why() {
    let folder = die("sweep-unknown");
    let question = ["sweep", "robot.nm", "-e", "Pmin=? [F<=N \"home\"]", "-D", "N=1..3", "--states", "1"];
    let answer = folder.motet(&[&question[..], &["--csv", "s.csv", "--json", "s.json"]].concat());
    assert_eq!(answer.code, 4, "{}", answer.stdout);
    let why = "stopped by the limit on states";
    assert!(
        answer.stdout.contains(&format!("\n  formula is unknown for all values: {why}\n")),
        "{}",
        answer.stdout
    );
    assert_eq!(folder.read("s.csv").matches(why).count(), 3, "{}", folder.read("s.csv"));
    assert_eq!(folder.read("s.json").matches(why).count(), 3, "{}", folder.read("s.json"));
}

#[test]
fn a_sweep_refuses_what_check_refuses_before_it_builds() {
    let folder = die("sweep-refused");
    for (asked, code) in [
        ("P=? [F<=N \"home\"]", "M0237"),
        ("S=? [at<=N]", "M0237"),
        ("R{\"moves\"}=? [C<=N]", "M0237"),
        ("R{\"miles\"}max=? [C<=N]", "M0012"),
    ] {
        for value in ["N=1..3", "N=2,3"] {
            let answer = folder.motet(&["sweep", "robot.nm", "-e", asked, "-D", value]);
            assert_eq!(answer.code, 3, "{asked}: {}", answer.stdout);
            assert!(answer.stderr.contains(&format!("error[{code}]")), "{asked}: {}", answer.stderr);
            assert!(answer.stderr.contains("--> -e:1:1"), "{asked}: {}", answer.stderr);
            assert_eq!(answer.stdout, "", "{asked}");
        }
    }
}

#[test]
fn a_sweep_over_a_constant_of_the_model_builds_each_time_and_finds_the_flip() {
    let coin = "dtmc\nconst double p;\nmodule c s:[0..2]; [] s=0 -> p:(s'=1)+1-p:(s'=2); [] s>0 -> true; endmodule\n";
    let folder = Folder::new("coin", &[("coin.pm", coin)]);
    let answer =
        folder.motet(&["sweep", "coin.pm", "-e", "P>=0.42 [F s=1]", "-D", "p=0..1:0.5", "--bisect", "0.01"]);
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    assert!(answer.stdout.contains("flips between 0.41 and 0.42"), "{}", answer.stdout);
    let family =
        folder.motet(&["sweep", "coin.pm", "-e", "P=? [F<=K s=1]", "-D", "p=0.1,0.2", "-D", "K=0,1"]);
    assert!(family.stdout.contains("K = 0\n") && family.stdout.contains("K = 1\n"), "{}", family.stdout);
}

#[test]
fn a_reward_that_does_not_exist_is_a_problem_with_the_nearest_name() {
    let answer = die("no-reward").motet(&["check", "die.pm", "-e", "R{\"flip\"}=? [F d=6]"]);
    assert_eq!(answer.code, 3, "{}", answer.stdout);
    assert!(
        answer.stdout.contains("M0012") && answer.stdout.contains("did you mean `flips`"),
        "{}",
        answer.stdout
    );
}

#[test]
fn a_truth_that_is_asked_for_is_told_and_never_wrong() {
    let question = ["check", "die.pm", "-e", "filter(state, P>0.9 [F d=6], s=0)"];
    let answer = die("truth").motet(&question);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(answer.stdout.contains("= false"), "{}", answer.stdout);
}
