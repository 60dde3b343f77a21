//! What a team makes of news that its model gives no chance, or that mean nothing: it believes what it sees, says so, and goes on.

mod generate;
mod stage;

use motet_model::{News, Perceived, Situation, Trouble};
use motet_source::fuzz::{Random, each_seed};
use stage::{Stage, options};

const TEXT: &str = "INITIAL BELIEFS AND GOALS\nGo.\n\
    PERCEPTION PROCESS\nMonitor the following booleans:\n\
    Rain. {[],[0.5,4,1],[1,3,0]}\nSnow. {[Cold],[0.5,1,0],[0,1,0]}\n\
    Skills are dead. {[],[0.001,1,0],[0,1,0]}\nUnknown message. {[],[0.001,1,0],[1,1,0]}\n\
    Yes.\nNo.\nRung.\nREASONING\nIf ^[Go] and ~^[Go] then ^[Cold].\n\
    If ^[Go] and ~^[Go] then ^[Log is lost].\n\
    EXECUTABLE PLANS\nIf ^[Go] while true then [Ask.] -^[Go] [Ring.] [Whistle.].\n";
const ASK: &str = "procedure name :: ask\nsenglish sentences :: Ask.\nprocess, repeat mode :: sensing, runOnce\n\
    performance feedback :: Yes[0.75,3,1], No[0.25,3,1]\n";
const RING: &str = "procedure name :: ring\nsenglish sentences :: Ring.\nprocess, repeat mode :: control, runOnce\n\
    performance feedback :: Rung[1,1,0]\n";
const WHISTLE: &str = "procedure name :: whistle\nsenglish sentences :: Whistle.\nprocess, repeat mode :: control, runRepeated\n";

fn stage(logic: &str) -> Stage {
    let files = [("a.sej", TEXT), ("ask.sep", ASK), ("ring.sep", RING), ("whistle.sep", WHISTLE)];
    Stage::new(&files, &options(logic))
}

fn percept(what: &str, holds: bool) -> News {
    News::Percept { agent: None, what: what.to_owned(), holds }
}

fn feedback(call: Option<u64>, what: &str) -> News {
    News::Feedback { call, what: what.to_owned() }
}

fn message(what: &str) -> News {
    News::Message { from: "operator".to_owned(), to: None, what: what.to_owned() }
}

/// One cycle.
fn cycle(stage: &mut Stage, news: &[News]) -> Perceived {
    stage.decide(0);
    stage.actor.perceive(news).expect("no bound is exceeded")
}

/// So many quiet cycles, then one with news: what was impossible in it.
fn after(stage: &mut Stage, cycles: usize, news: &[News]) -> Vec<String> {
    (0..cycles).for_each(|_| _ = cycle(stage, &[]));
    cycle(stage, news).impossible
}

/// Those about a sentence.
fn about(told: &[String], text: &str) -> Vec<String> {
    told.iter().filter(|line| line.contains(text)).cloned().collect()
}

fn holds(stage: &Stage, text: &str) -> bool {
    stage.believed().iter().any(|held| held == text)
}

/// The value of a slot.
fn slot(stage: &Stage, name: &str) -> u32 {
    let at = stage.system.model.signature().slots.iter().position(|slot| slot == name);
    stage.actor.state()[at.expect("there is such a slot")]
}

#[test]
fn a_percept_before_its_time_is_believed_and_told() {
    let mut stage = stage("two-valued");
    let told = after(&mut stage, 0, &[percept("rain", true)]);
    assert_eq!(told, ["`Rain` becomes true at count 1, and the model waits until 3"]);
    assert!(holds(&stage, "Rain"));
    // It is to go in the third cycle behind the one in which it came, as the model says of one that came in time.
    assert_eq!(slot(&stage, "c1"), 0);
    assert_eq!(about(&after(&mut stage, 3, &[percept("Rain", false)]), "Rain"), [""; 0]);
}

#[test]
fn a_percept_that_does_not_go_although_the_model_is_certain_stays_believed() {
    let mut stage = stage("two-valued");
    // The ranges begin with count 3, so the third cycle may bring rain, and the seventh takes it.
    let perceived = after(&mut stage, 2, &[percept("Rain", true)]);
    assert_eq!(perceived, [""; 0]);
    let told = after(&mut stage, 3, &[]);
    assert_eq!(about(&told, "Rain"), ["`Rain` does not become false, of which the model is certain"]);
    assert!(holds(&stage, "Rain"));
    let told = after(&mut stage, 3, &[percept("Rain", false)]);
    assert_eq!(about(&told, "Rain"), [""; 0], "the count began again");
}

#[test]
fn a_percept_while_its_conditions_do_not_hold_or_without_a_chance_is_believed_and_told() {
    let mut stage = stage("two-valued");
    let told = after(&mut stage, 0, &[percept("Snow", true)]);
    assert_eq!(told, ["`Snow` becomes true while its conditions do not hold"]);
    assert!(holds(&stage, "Snow"));
    let told = after(&mut stage, 0, &[percept("Snow", false)]);
    assert_eq!(told, ["`Snow` becomes false, to which the model gives no chance"]);
    assert!(!holds(&stage, "Snow"));
}

#[test]
fn a_report_before_its_time_is_believed_for_one_cycle_and_the_plan_goes_on() {
    let mut stage = stage("two-valued");
    // The plan is triggered in cycle 1; a report may come from the second cycle after that.
    let told = after(&mut stage, 1, &[feedback(Some(1), "Yes")]);
    assert_eq!(told, ["`Ask` reports Yes in cycle 1 after its call, and the model waits until 2"]);
    assert!(holds(&stage, "Yes"));
    cycle(&mut stage, &[]);
    assert!(!holds(&stage, "Yes"));
    assert_eq!(slot(&stage, "plan_1"), 2);
}

#[test]
fn a_report_that_is_late_is_told_in_every_cycle_and_the_action_is_not_called_again() {
    let mut stage = stage("two-valued");
    assert_eq!(after(&mut stage, 3, &[]), [""; 0]);
    let late = ["`Ask` has not reported by cycle 4 after its call, the last in the model"];
    // The plan is triggered in cycle 1 and the action reports in the fourth cycle after that at the latest.
    assert_eq!(after(&mut stage, 0, &[]), late);
    assert_eq!(stage.decide(0), []);
    assert_eq!(stage.actor.perceive(&[]).expect("no bound is exceeded").impossible, late);
    assert_eq!(after(&mut stage, 0, &[feedback(Some(1), "No")]), [""; 0]);
    // An action whose count has no room for waiting.
    assert_eq!(after(&mut stage, 0, &[]), [""; 0]);
    let late = ["`Ring` has not reported by cycle 1 after its call, the last in the model"];
    assert_eq!(stage.decide(0).len(), 1);
    for _ in 0..3 {
        assert_eq!(stage.actor.perceive(&[]).expect("no bound is exceeded").impossible, late);
        assert_eq!(stage.decide(0), [], "a call that waits is not made again");
    }
    let perceived = stage.actor.perceive(&[feedback(Some(2), "Rung")]).expect("no bound is exceeded");
    assert_eq!(perceived.impossible, [""; 0]);
    assert_eq!(stage.decide(0).len(), 1, "the plan goes on to its next action");
}

#[test]
fn two_reports_of_one_action_are_both_believed_and_told() {
    let mut stage = stage("two-valued");
    let told = after(&mut stage, 2, &[feedback(Some(1), "Yes"), feedback(None, "No")]);
    assert_eq!(told, ["`Ask` reports 2 times in one cycle: Yes and No"]);
    assert!(holds(&stage, "Yes") && holds(&stage, "No"));
}

#[test]
fn a_report_that_nobody_asked_for_is_believed_and_told() {
    let mut stage = stage("two-valued");
    assert_eq!(
        after(&mut stage, 0, &[feedback(None, "Rung")]),
        ["`Ring` reports Rung, and nobody called it"]
    );
    assert!(holds(&stage, "Rung"));
    let told = after(&mut stage, 2, &[feedback(Some(99), "Yes")]);
    assert_eq!(told, ["`Ask` reports Yes for a call that does not wait for it"]);
    assert!(holds(&stage, "Yes"));
    let told = after(&mut stage, 0, &[feedback(Some(1), "Yes")]);
    assert_eq!(told, ["`Ask` reports Yes for a call that does not wait for it"], "it has reported already");
}

#[test]
fn trials_say_what_could_happen_with_which_chance() {
    let mut stage = stage("two-valued");
    (0..2).for_each(|_| _ = cycle(&mut stage, &[]));
    let perceived = cycle(&mut stage, &[feedback(Some(1), "No")]);
    assert_eq!(perceived.impossible, [""; 0]);
    let trials: Vec<String> = perceived
        .trials
        .iter()
        .map(|trial| {
            let (above, below) = trial.chance.words().unwrap();
            format!("{} {above}/{below} {}", trial.of, trial.happened)
        })
        .collect();
    let expected = [
        "Ask reports 1/3 true",
        "Ask reports Yes 3/4 false",
        "Rain becomes true 1/4 false",
        "Skills are dead becomes true 1/1000 false",
        "Unknown message becomes true 1/1000 false",
    ];
    assert_eq!(trials, expected, "equations 3.7 and 3.9: 1/(2 sigma + 1), and half of 1 - 1/2");
}

#[test]
fn a_message_is_believed_whatever_belief_it_is() {
    let mut stage = stage("two-valued");
    let perceived = cycle(&mut stage, &[message("tell Cold"), message("rain")]);
    assert!(holds(&stage, "Cold") && holds(&stage, "Rain"));
    assert_eq!(perceived.unknown, [""; 0]);
    let told = ["`Rain` becomes true at count 1, and the model waits until 3"];
    assert_eq!(perceived.impossible[..1], told);
    assert_eq!(perceived.impossible[1], "`Cold` is believed because `operator` says so, and no rule or plan");
    assert_eq!(cycle(&mut stage, &[message("Cold")]).impossible, [""; 0], "it is believed already");
    assert_eq!(cycle(&mut stage, &[message("Yes.")]).impossible, [""; 0], "the action may report by now");
    assert!(holds(&stage, "Yes"));
}

#[test]
fn news_that_mean_nothing_are_told_with_what_was_meant_and_believed_as_such() {
    let mut stage = stage("two-valued");
    let mut unknown = |news: News| cycle(&mut stage, &[news]).unknown.concat();
    let near =
        |sort: &str, what: &str, help: &str| format!("the {sort} `{what}` means nothing to the team; {help}");
    let found = unknown(message("Skills are deaf"));
    assert_eq!(found, near("message from `operator`", "Skills are deaf", "did you mean `Skills are dead`?"));
    assert_eq!(unknown(percept("Rein", true)), near("percept", "Rein", "did you mean `Rain`?"));
    let found = unknown(percept("Cold", true));
    assert!(found.contains("it is a mental note, which only the agent makes"), "{found}");
    assert_eq!(unknown(feedback(None, "Rang")), near("feedback", "Rang", "did you mean `Rung`?"));
    let found = unknown(feedback(Some(1), "Maybe"));
    assert_eq!(found, near("feedback of `Ask`", "Maybe", "it reports Yes and No"));
    let whom = News::Percept { agent: Some("b".to_owned()), what: "Rain".to_owned(), holds: true };
    assert_eq!(unknown(whom), "there is no agent `b`; did you mean `a`?");
    assert!(holds(&stage, "Unknown message"));
    cycle(&mut stage, &[]);
    assert!(!holds(&stage, "Unknown message"), "the model is certain that this is over after one cycle");
}

#[test]
fn an_action_that_reports_nothing_may_say_that_it_is_done() {
    let mut stage = stage("two-valued");
    cycle(&mut stage, &[]);
    cycle(&mut stage, &[]);
    cycle(&mut stage, &[feedback(None, "Yes")]);
    cycle(&mut stage, &[]);
    cycle(&mut stage, &[feedback(None, "Rung")]);
    let orders = stage.decide(0);
    assert!(format!("{orders:?}").contains("call: 3") && orders.len() == 1, "{orders:?}");
    let news = [feedback(Some(3), "done"), feedback(Some(3), "failed")];
    let unknown = stage.actor.perceive(&news).expect("no bound is exceeded").unknown;
    let help = "give its file a performance feedback";
    assert_eq!(unknown, [format!("the feedback of `Whistle` `failed` means nothing to the team; {help}")]);
}

#[test]
fn troubles_are_beliefs_of_teams_that_list_them() {
    let mut stage = stage("two-valued");
    let perceived = cycle(&mut stage, &Trouble::ALL.map(News::Trouble));
    for (text, expected) in [("Skills are dead", true), ("Log is lost", true), ("Model has drifted", false)] {
        assert_eq!(holds(&stage, text), expected, "{text}");
    }
    assert_eq!(perceived.unknown, [""; 0]);
    assert_eq!(
        perceived.impossible,
        ["`Log is lost` is believed because the host says so, and no rule or plan"]
    );
    (0..9).for_each(|_| _ = cycle(&mut stage, &[]));
    assert!(holds(&stage, "Skills are dead"), "its deactivation has no chance");
}

#[test]
fn with_three_values_a_look_shows_what_is_not_so() {
    let mut stage = stage("three-valued");
    let unknown = |stage: &Stage| stage.section(stage.actor.state(), "unknown");
    assert!(unknown(&stage).iter().any(|(_, text)| text == "Rain"));
    let told = after(&mut stage, 0, &[percept("Rain", false)]);
    assert_eq!(told, ["`Rain` becomes false at count 1, and the model waits until 3"]);
    assert!(!unknown(&stage).iter().any(|(_, text)| text == "Rain") && !holds(&stage, "Rain"));
    assert!(unknown(&stage).iter().any(|(_, text)| text == "Snow"), "nobody looked while it is not cold");
    assert_eq!(after(&mut stage, 2, &[percept("Rain", true)]), [""; 0]);
}

#[test]
fn no_news_make_a_team_panic_or_leave_the_ranges_of_its_state() {
    each_seed(150, |seed, random| {
        let logic = if seed % 3 == 0 { "three-valued" } else { "two-valued" };
        let mut stage = Stage::new(&generate::project(random), &options(logic));
        let (texts, ranges) = (texts(&stage), ranges(&stage));
        for _ in 0..40 {
            let choice = random.below(stage.actor.alternatives().len());
            stage.decide(choice);
            let news: Vec<News> = (0..random.below(7)).map(|_| noise(random, &texts)).collect();
            stage.actor.perceive(&news).expect("no bound is exceeded");
            // The model goes on from wherever the news have led, and its words can tell it.
            check_state(&stage, &ranges);
            if random.once_in(10) {
                let before = stage.actor.state().to_vec();
                if stage.actor.place(&nonsense(random, &texts)).is_err() {
                    assert_eq!(stage.actor.state(), before);
                }
                check_state(&stage, &ranges);
            }
        }
    });
}

/// The largest value of each slot, as the translation to PRISM declares them.
fn ranges(stage: &Stage) -> Vec<u32> {
    let text = stage.system.export.prism().expect("there is a translation").expect("it is complete").text;
    let most = |slot: &String| {
        let declared = text.split_once(&format!("\n  {slot} : [0..")).map(|(_, rest)| rest.split(']').next());
        declared.flatten().map_or(1, |most| most.parse().expect("a number"))
    };
    stage.system.model.signature().slots.iter().map(most).collect()
}

fn check_state(stage: &Stage, ranges: &[u32]) {
    let state = stage.actor.state();
    assert!(!stage.steps().is_empty());
    assert!(state.iter().zip(ranges).all(|(value, most)| value <= most), "{state:?} of {ranges:?}");
    assert_eq!(stage.system.words.snapshot(state).minds.len(), stage.actor.manifest().agents.len());
}

/// Sentences that mean something, and some that do not.
fn texts(stage: &Stage) -> Vec<String> {
    let manifest = stage.actor.manifest();
    let mut texts = manifest.percepts;
    for skill in manifest.actions {
        texts.extend(skill.feedbacks);
        texts.push(skill.name);
    }
    texts.extend(
        ["Load is due", "mate: Deck is clear", "cook.Lamp is lit", "Rayn is near", "", "~", "+^[", "done"]
            .map(str::to_owned),
    );
    texts.extend(
        ["tell ", "tell Lamp is lit", ":", ".", "4", "mate.2", "\u{0}\u{1f6f6} é", "mate plan 1"]
            .map(str::to_owned),
    );
    texts.push("very ".repeat(10_000));
    texts
}

fn noise(random: &mut Random, texts: &[String]) -> News {
    let what = texts[random.below(texts.len())].clone();
    let agent = random.pick(&[None, Some("mate"), Some("cook"), Some("nobody"), Some("")]).map(str::to_owned);
    match random.below(5) {
        0 | 1 => News::Percept { agent, what, holds: random.once_in(2) },
        2 => {
            let call = random.pick(&[None, Some(1), Some(2), Some(3), Some(0), Some(u64::MAX)]);
            News::Feedback { call, what }
        }
        3 => News::Message { from: texts[random.below(texts.len())].clone(), to: agent, what },
        _ => News::Trouble(random.pick(&Trouble::ALL)),
    }
}

fn nonsense(random: &mut Random, texts: &[String]) -> Situation {
    let mut text = || texts[random.below(texts.len())].clone();
    let beliefs = vec![
        (text(), true),
        (format!("+{}", text()), true),
        (format!("-^[{}]", text()), true),
        (text(), false),
    ];
    let (plan, counter) = (text(), text());
    Situation {
        beliefs: beliefs.into_iter().skip(random.below(5)).collect(),
        plans: vec![(plan, random.pick(&[0, 1, 2, u32::MAX])), ("1".to_owned(), 1)],
        counters: vec![(counter, random.pick(&[0, 1, 2, u32::MAX]))]
            .into_iter()
            .skip(random.below(2))
            .collect(),
    }
}
