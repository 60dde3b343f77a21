//! A team that acts follows its model: whatever the model may do, told as news, leads to the very state of the model.

mod generate;
mod stage;
mod vessel;

use motet_model::{Alternative, Order, Repeat, Situation};
use motet_source::fuzz::{Random, each_seed};
use stage::{Stage, chance, options};
use vessel::{ASV, DTMC};

/// Any outcome of any choice, told as news.
fn follow(stage: &mut Stage, random: &mut Random, cycles: usize) {
    for cycle in 0..cycles {
        let steps = stage.steps();
        let alternatives = stage.actor.alternatives();
        let actions: Vec<_> = steps.iter().map(|step| step.action).collect();
        assert_eq!(alternatives.iter().map(|one| one.action).collect::<Vec<_>>(), actions, "cycle {cycle}");
        assert_eq!(alternatives.len() == 1, alternatives[0].text.is_empty(), "{alternatives:?}");
        let choice = random.below(steps.len());
        let step = steps.get(choice).expect("it was drawn from the steps");
        let branch = step.branches().nth(random.below(step.branches().len())).expect("drawn likewise");
        stage.decide(choice);
        let mut news = stage.news(branch.target);
        let turn = random.below(news.len());
        news.rotate_left(turn);
        let perceived = stage.actor.perceive(&news).expect("no bound is exceeded");
        assert_eq!(stage.actor.state(), branch.target, "cycle {cycle}, {news:?}");
        assert_eq!(perceived.impossible, [""; 0], "cycle {cycle}, {news:?}");
        assert_eq!(perceived.unknown, [""; 0], "cycle {cycle}");
        assert_eq!(chance(&perceived.trials), branch.chance, "cycle {cycle}, {:?}", perceived.trials);
    }
}

#[test]
fn whatever_the_model_may_do_leads_the_team_to_the_state_of_the_model() {
    each_seed(300, |seed, random| {
        let files = generate::project(random);
        let logic = if seed % 3 == 0 { "three-valued" } else { "two-valued" };
        for _ in 0..3 {
            follow(&mut Stage::new(&files, &options(logic)), random, 25);
        }
    });
}

#[test]
fn random_projects_have_what_they_are_made_for() {
    let (mut choices, mut stops, mut again, mut reports, mut sensed) = (0, 0, 0, 0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut stage = Stage::new(&generate::project(&mut random), &options("two-valued"));
        for _ in 0..25 {
            let steps = stage.steps();
            choices += steps.len() - 1;
            let orders = stage.decide(0);
            stops += orders.iter().filter(|order| matches!(order, Order::Stop { .. })).count();
            again +=
                orders.iter().filter(|order| matches!(order, Order::Call { call, .. } if *call > 5)).count();
            let step = steps.get(0).expect("a cycle always ends");
            let branch = step.branches().nth(random.below(step.branches().len())).expect("drawn from them");
            let perceived = stage.actor.perceive(&stage.news(branch.target)).expect("no bound is exceeded");
            let of = |word: &str| perceived.trials.iter().filter(|trial| trial.of.contains(word)).count();
            reports += of(" reports");
            sensed += of(" becomes ");
        }
    }
    let found = [choices, stops, again, reports, sensed];
    assert!(found.iter().all(|number| *number > 20), "{found:?}");
}

#[test]
fn the_vessel_follows_its_model() {
    each_seed(8, |_, random| {
        for files in [ASV, DTMC] {
            follow(&mut Stage::new(files, &options("two-valued")), random, 120);
            follow(&mut Stage::new(files, &options("three-valued")), random, 60);
        }
    });
}

#[test]
fn a_situation_as_it_is_shown_can_be_placed_again() {
    each_seed(150, |seed, random| {
        let files = generate::project(random);
        let logic = if seed % 3 == 0 { "three-valued" } else { "two-valued" };
        let (mut stage, mut other) =
            (Stage::new(&files, &options(logic)), Stage::new(&files, &options(logic)));
        for _ in 0..25 {
            follow(&mut stage, random, 1);
            let situation = stage.described();
            let placed = other.actor.place(&situation);
            assert_eq!(placed, Ok(()), "{situation:?}");
            let slots = &stage.system.model.signature().slots;
            // What a belief was before this cycle is not shown.
            for (slot, name) in slots.iter().enumerate().filter(|(_, name)| !name.contains("was_")) {
                let (found, wanted) = (other.actor.state()[slot], stage.actor.state()[slot]);
                assert_eq!(found, wanted, "{name} after placing {situation:?}");
            }
        }
    });
}

fn small(plans: &str) -> Vec<(&'static str, String)> {
    let text = format!(
        "INITIAL BELIEFS AND GOALS\nGo.\nINITIAL ACTIONS\nLook around.\n\
         PERCEPTION PROCESS\nMonitor the following booleans:\nSeen.\nThere.\n\
         Monitor the following objects:\nposition [Own position].\nEXECUTABLE PLANS\n{plans}"
    );
    let file = |sentence: &str, mode: &str, inputs: &str, feedback: &str| {
        format!(
            "procedure name :: x\nsenglish sentences :: {sentence}.\nprocess, repeat mode :: control, {mode}\n\
             input classes and local names :: {inputs}\nperformance feedback :: {feedback}\n"
        )
    };
    vec![
        ("a.sej", text),
        ("a.ont", ">position\n>place\n>area\n".to_owned()),
        ("look.sep", file("Look around", "runOnce", "area [A]", "Seen[1,3,0]")),
        ("go.sep", file("Go to P", "runRepeated", "place [P], position [Q]", "There[1,2,0]")),
        ("ring.sep", file("Ring the bell", "runRepeated", "", "")),
    ]
}

/// The orders of each cycle of the model's first run, in short: `call 1 Look around A=`.
fn orders(files: &[(&str, String)], cycles: usize) -> Vec<Vec<String>> {
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let mut stage = Stage::new(&files, &options("two-valued"));
    let told = |order: &Order| match order {
        Order::Stop { action, .. } => format!("stop {action}"),
        Order::Call { call, action, arguments, .. } => {
            let arguments: Vec<String> =
                arguments.iter().map(|(name, value)| format!(" {name}={value}")).collect();
            format!("call {call} {action}{}", arguments.concat())
        }
    };
    let mut list = Vec::new();
    for _ in 0..cycles {
        let steps = stage.steps();
        let target = steps.get(0).and_then(|step| step.branches().next()).expect("there is a step").target;
        list.push(stage.decide(0).iter().map(told).collect());
        let news = stage.news(target);
        stage.actor.perceive(&news).expect("no bound is exceeded");
        assert_eq!(stage.actor.state(), target);
    }
    list
}

#[test]
fn an_action_is_called_when_a_plan_comes_to_it_and_a_repeated_one_is_stopped() {
    let plan = "If ^[Go] while true then [Go to Base.] [Ring the bell.] [Stop ring the bell.] [Go to Base.] -^[Go].\n";
    let none: [&str; 0] = [];
    let expected: [&[&str]; 9] = [
        &["call 1 Look around A="],
        &["call 2 Go to P P=Base Q=Own position"],
        &none,
        &["call 3 Ring the bell"],
        &["stop Ring the bell"],
        &["call 4 Go to P P=Base Q=Own position"],
        &none,
        &none,
        &none,
    ];
    assert_eq!(
        orders(&small(plan), 9),
        expected,
        "called in cycle 0, triggered in cycle 1, two cycles each way"
    );
}

#[test]
fn a_plan_that_comes_to_an_action_which_runs_waits_for_the_same_report_and_calls_nothing() {
    let plans = "If ^[Go] while true then [Go to Base.] -^[Go].\n\
                 If ^[Go] while true and ^[Go] then +^[Near] [Go to Port.] -^[Near].\n";
    let list = orders(&small(plans), 8);
    let calls: Vec<&String> = list.iter().flatten().filter(|order| order.contains("Go to")).collect();
    assert_eq!(calls, ["call 2 Go to P P=Base Q=Own position"]);
}

#[test]
fn the_manifest_names_what_skills_may_be_asked_and_may_tell() {
    let manifest = Stage::new(ASV, &options("two-valued")).actor.manifest();
    assert_eq!(manifest.agents, ["asv"]);
    assert_eq!(manifest.percepts.len(), 4);
    let ask = manifest.actions.iter().find(|skill| skill.name == "Ask for orders").expect("it is an action");
    assert_eq!((ask.repeat, ask.feedbacks.join(" ")), (Repeat::Once, "Continue Abort".to_owned()));
    let way = manifest.actions.iter().find(|skill| skill.name == "Get under way").expect("it is an action");
    assert_eq!((way.repeat, way.feedbacks.join(" ")), (Repeat::Repeated, "Under way".to_owned()));
}

/// A situation in which the vessel chooses.
fn choosing() -> Situation {
    let held = ["Track swept", "Some spots were missed", "A turning point is reached"];
    let mut beliefs: Vec<(String, bool)> = held.iter().map(|text| ((*text).to_owned(), true)).collect();
    beliefs.push(("Mission ordered".to_owned(), false));
    Situation { beliefs, ..Situation::default() }
}

#[test]
fn what_can_be_chosen_is_called_by_the_numbers_of_plans() {
    let texts = |list: Vec<Alternative>| list.into_iter().map(|one| one.text).collect::<Vec<_>>();
    let mut stage = Stage::new(ASV, &options("two-valued"));
    assert_eq!(texts(stage.actor.alternatives()), [""]);
    stage.actor.place(&choosing()).expect("the situation is one of the vessel");
    assert_eq!(texts(stage.actor.alternatives()), ["plan 4", "plan 5"]);
    let orders = stage.decide(1);
    assert!(matches!(&orders[..], [Order::Call { action, .. }] if action == "Hold position"), "{orders:?}");
    let two = "INITIAL BELIEFS AND GOALS\nGo.\nEXECUTABLE PLANS\nIf ^[Go] while true then +^[A].\nIf ^[Go] while true then +^[B].\n";
    let three = two.replace("^[Go]", "~^[Stay]").replace("+^[A]", "-^[Stay]");
    let mut stage = Stage::new(&[("one.sej", two), ("two.sej", three.as_str())], &options("two-valued"));
    follow(&mut stage, &mut Random::new(0), 1);
    let expected = [
        "one plan 1, two plan 1",
        "one plan 1, two plan 2",
        "one plan 2, two plan 1",
        "one plan 2, two plan 2",
    ];
    assert_eq!(texts(stage.actor.alternatives()), expected);
}

#[test]
fn a_change_in_this_cycle_is_described_with_its_sign() {
    let text = "INITIAL BELIEFS AND GOALS\nGo.\nEXECUTABLE PLANS\n\
                If +^[Go] while true then +^[A].\nIf -^[Go] while true then +^[B].\nIf ^[Go] while true then -^[Go].\n";
    let started = |belief: &str, holds: bool| {
        let mut stage = Stage::new(&[("a.sej", text)], &options("two-valued"));
        let beliefs = vec![(belief.to_owned(), holds)];
        stage.actor.place(&Situation { beliefs, ..Situation::default() }).expect("there is such a belief");
        follow(&mut stage, &mut Random::new(0), 1);
        stage
            .section(stage.actor.state(), "plans")
            .into_iter()
            .map(|(_, line)| line[5..6].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(started("Go", true), ["3"]);
    assert_eq!(started("+^[Go]", true), ["1", "3"]);
    assert_eq!(started("-Go", true), ["2"]);
    assert_eq!(started("~Go", true), [""; 0]);
    assert_eq!(started("Go", false), [""; 0]);
}

#[test]
fn what_a_situation_says_in_vain_is_told_with_what_was_meant() {
    let mut stage = Stage::new(ASV, &options("two-valued"));
    let before = stage.actor.state().to_vec();
    let owned = |list: &[(&str, u32)]| list.iter().map(|(text, n)| ((*text).to_owned(), *n)).collect();
    let situation = Situation {
        beliefs: [
            ("The see is too rough", true),
            ("+Track swept", false),
            ("Continue", true),
            ("Abort", true),
        ]
        .map(|(text, holds)| (text.to_owned(), holds))
        .to_vec(),
        plans: owned(&[("11", 1), ("4", 2), ("4", 1), ("5", 1), ("x", 1)]),
        counters: owned(&[
            ("Some spots were missed", 1),
            ("The sea is too rough", 11),
            ("Get underway", 1),
            ("Get under way", 5),
            ("Ask for orders", 1),
        ]),
    };
    let problems = stage.actor.place(&situation).expect_err("nearly everything is wrong");
    let expected = [
        "there is no belief `The see is too rough`; did you mean `The sea is too rough`?",
        "`+Track swept` says what changed in this cycle; leave the sign away",
        "`Ask for orders` reports one thing at a time",
        "there is no plan `11`; the plans are numbered from 1 to 10",
        "plan `4` cannot be at 2; its indices are 0 to 1",
        "there is no plan `x`; the plans are numbered from 1 to 10",
        "the plans 4 and 5 never run together; leave one at 0",
        "`Some spots were missed` counts nothing: it may come in every cycle",
        "`The sea is too rough` cannot be at 11; it counts from 0 to 10",
        "nothing called `Get underway` counts cycles; did you mean `Get under way`?",
        "`Get under way` cannot have run for 5 cycles; it reports after 5 at most",
        "`Ask for orders` counts nothing: it has just reported",
    ];
    assert_eq!(problems, expected);
    assert_eq!(stage.actor.state(), before, "nothing was placed");
}

#[test]
fn the_halves_of_a_cycle_come_in_turn() {
    let mut stage = Stage::new(ASV, &options("two-valued"));
    assert!(stage.actor.perceive(&[]).is_err());
    assert!(stage.actor.decide(1).is_err(), "there is one alternative");
    assert!(stage.actor.decide(0).is_ok());
    assert!(stage.actor.decide(0).is_err());
    assert!(stage.actor.perceive(&[]).is_ok());
}
