//! Teams that act. The environments here are written by hand; `acting_world.rs` has those of the team files.

mod support;

use motet_agentspeak::AgentSpeak;
use motet_model::{
    Acting, AtomId, AtomText, Expr, Fault, Language as _, News, Operator, Options, Order, Perceived, Repeat,
    Situation, Trouble,
};
use motet_source::fuzz::Random;
use motet_source::{FileId, Problems, Sources, Span, Spanned};
use support::{believes, call, section};

/// A team that acts, with what went wrong with it as text.
fn try_team(files: &[(&str, &str)], atoms: &[AtomText]) -> (Option<Acting>, String) {
    let mut sources = Sources::new();
    for (name, text) in files {
        sources.add(*name, *text);
    }
    let mut problems = Problems::new();
    let draft =
        AgentSpeak.read(&sources, &Options::default(), &mut problems).expect("the team is well formed");
    let span = Span::new(FileId(0), 0, 1);
    let atoms: Vec<_> = atoms.iter().map(|atom| Spanned::new(atom.clone(), span)).collect();
    let mut problems = Problems::new();
    let acting = draft.acting(&atoms, &mut problems);
    (acting, problems.lines(&sources))
}

fn team(files: &[(&str, &str)]) -> Acting {
    try_team(files, &[]).0.expect("the team can act")
}

/// One agent `a` in the Jason dialect, without any environment.
fn jason(program: &str) -> Acting {
    team(&[("t.team", "team t\nmode jason\nagent a\n"), ("a.asl", program)])
}

fn percept(what: &str, holds: bool) -> News {
    News::Percept { agent: None, what: what.to_owned(), holds }
}

fn feedback(call: u64, what: &str) -> News {
    News::Feedback { call: Some(call), what: what.to_owned() }
}

fn message(from: &str, what: &str) -> News {
    News::Message { from: from.to_owned(), to: None, what: what.to_owned() }
}

/// The calls among orders: number and action.
fn calls(orders: &[Order]) -> Vec<(u64, String)> {
    let call = |order: &Order| match order {
        Order::Call { call, action, .. } => Some((*call, action.clone())),
        Order::Stop { .. } => None,
    };
    orders.iter().filter_map(call).collect()
}

/// So many cycles without news; the actions that were asked for.
fn cycles(acting: &mut Acting, number: usize) -> Vec<String> {
    let mut asked = Vec::new();
    for _ in 0..number {
        let orders = acting.actor.decide(0).unwrap_or_else(|fault| panic!("{fault}"));
        asked.extend(calls(&orders).into_iter().map(|(_, action)| action));
    }
    asked
}

fn hear(acting: &mut Acting, news: &[News]) -> Perceived {
    acting.actor.perceive(news).unwrap_or_else(|fault| panic!("{fault}"))
}

fn now(acting: &Acting, who: &str, title: &str) -> Vec<String> {
    section(&acting.system, acting.actor.state(), who, title)
}

#[test]
fn an_action_is_a_call_with_its_arguments_in_order() {
    let mut acting = jason("!go. +!go <- pick(box1, [1, \"two\"]); rest.");
    let orders = acting.actor.decide(0).expect("no bound is exceeded");
    let arguments = vec![("1".to_owned(), "box1".to_owned()), ("2".to_owned(), "[1,\"two\"]".to_owned())];
    let wanted = Order::Call {
        agent: "a".to_owned(),
        call: 1,
        action: "pick(box1,[1,\"two\"])".to_owned(),
        arguments,
        repeat: Repeat::Once,
    };
    assert_eq!(orders, [wanted]);
    assert_eq!(now(&acting, "environment", "actions"), ["pick(box1,[1,\"two\"]) of a"]);
    let manifest = acting.actor.manifest();
    let names: Vec<String> = manifest.actions.into_iter().map(|skill| skill.name).collect();
    assert_eq!(
        (names, manifest.agents),
        (vec!["pick(_, _)".to_owned(), "rest".to_owned()], vec!["a".to_owned()])
    );
}

#[test]
fn an_intention_waits_for_its_action_while_others_go_on() {
    let mut acting = jason("!slow. !busy. +!slow <- dig; dance. +!busy <- +one; +two; sing.");
    assert_eq!(cycles(&mut acting, 12), ["dig", "sing"], "the dance waits for the hole");
    hear(&mut acting, &[feedback(1, "done")]);
    assert_eq!(cycles(&mut acting, 3), ["dance"]);
}

#[test]
fn a_late_answer_reaches_the_intention_that_asked() {
    let mut acting = jason("!x. !y. +!x <- open(x); shut(x). +!y <- open(y); shut(y).");
    assert_eq!(cycles(&mut acting, 3), ["open(x)", "open(y)"]);
    hear(&mut acting, &[feedback(2, "done")]);
    assert_eq!(cycles(&mut acting, 3), ["shut(y)"]);
    hear(&mut acting, &[News::Feedback { call: None, what: "done".to_owned() }]);
    assert_eq!(cycles(&mut acting, 3), ["shut(x)"], "without a number the oldest call is meant");
}

#[test]
fn a_wait_is_a_call_of_the_clock_which_rings_in_vain_for_what_was_dropped() {
    let mut acting = jason("!slow. !busy. +!slow <- .wait(500); dance. +!busy <- +one; sing.");
    assert_eq!(cycles(&mut acting, 9), [".wait(500)", "sing"]);
    assert_eq!(now(&acting, "environment", "actions"), ["sing of a"], "nobody acts on a wait");
    assert_eq!(now(&acting, "a", "intentions")[0], "i1 +!slow: waits for time to pass at .wait(500)");
    hear(&mut acting, &[feedback(1, "done")]);
    assert_eq!(cycles(&mut acting, 3), ["dance"]);
    let mut acting = jason("!slow. !busy. +!slow <- .wait(500); dance. +!busy <- .drop_intention(slow).");
    assert_eq!(cycles(&mut acting, 9), [".wait(500)"]);
    assert_eq!(hear(&mut acting, &[feedback(1, "done")]), Perceived::default(), "that is nobody's fault");
    assert_eq!(cycles(&mut acting, 3), Vec::<String>::new());
}

#[test]
fn a_failed_action_fails_its_goal() {
    let mut acting = jason("!go. +!go <- !reach; rest. +!reach <- drive. -!reach <- walk.");
    assert_eq!(cycles(&mut acting, 4), ["drive"]);
    hear(&mut acting, &[feedback(1, "failed")]);
    assert_eq!(now(&acting, "a", "events"), ["-!reach for i2"], "what failed is below the plan for it");
    assert_eq!(cycles(&mut acting, 3), ["walk"]);
    hear(&mut acting, &[feedback(2, "done")]);
    assert_eq!(cycles(&mut acting, 3), ["rest"]);
}

#[test]
fn without_a_recovery_plan_a_failed_action_ends_the_intention() {
    let mut acting = jason("!go. +!go <- drive; rest.");
    cycles(&mut acting, 2);
    hear(&mut acting, &[feedback(1, "failed")]);
    assert_eq!(now(&acting, "a", "intentions"), Vec::<String>::new());
    assert_eq!(cycles(&mut acting, 4), Vec::<String>::new());
}

#[test]
fn an_answer_to_a_dropped_intention_changes_nothing() {
    let mut acting = jason("!go. +!go <- dig; rest. +stop <- .drop_intention(go); +stopped.");
    cycles(&mut acting, 2);
    hear(&mut acting, &[percept("stop", true)]);
    cycles(&mut acting, 4);
    assert!(now(&acting, "a", "beliefs").contains(&"stopped [self]".to_owned()));
    hear(&mut acting, &[feedback(1, "done")]);
    assert_eq!(cycles(&mut acting, 4), Vec::<String>::new());
    assert_eq!(hear(&mut acting, &[feedback(1, "done")]).unknown.len(), 1, "it was answered already");
}

#[test]
fn in_strict_mode_an_intention_goes_on_at_once_and_no_answer_stops_it() {
    let files = [("t.team", "team t\nmode strict\nagent a\n"), ("a.asl", "+go <- dig; dance.")];
    let mut acting = team(&files);
    hear(&mut acting, &[percept("go", true)]);
    assert_eq!(cycles(&mut acting, 2), ["dig", "dance"]);
    hear(&mut acting, &[feedback(1, "failed"), feedback(2, "done")]);
    assert_eq!(now(&acting, "environment", "actions"), Vec::<String>::new());
}

#[test]
fn percepts_come_and_go_with_events() {
    let mut acting = jason("+at(X) <- came(X). -at(X) <- left(X).");
    assert!(hear(&mut acting, &[percept("at(-3.5)", true)]).unknown.is_empty());
    assert_eq!(now(&acting, "a", "beliefs"), Vec::<String>::new(), "the agent has not looked yet");
    assert_eq!(cycles(&mut acting, 2), ["came(-3.5)"]);
    assert_eq!(now(&acting, "a", "beliefs"), ["at(-3.5) [percept]"]);
    hear(&mut acting, &[percept("at(-3.5)", false), percept("at(4)", true)]);
    assert_eq!(cycles(&mut acting, 4), ["came(4)", "left(-3.5)"]);
    hear(&mut acting, &[percept("at(4)", true)]);
    assert_eq!(cycles(&mut acting, 4), Vec::<String>::new(), "nothing new");
}

#[test]
fn a_percept_is_told_to_one_agent_or_to_all() {
    let files = [
        ("t.team", "team t\nmode jason\nagent a\nagent bob\n"),
        ("a.asl", "+p <- did_p."),
        ("bob.asl", "+p <- did_p."),
    ];
    let mut acting = team(&files);
    let to = |name: &str| News::Percept { agent: Some(name.to_owned()), what: "p".to_owned(), holds: true };
    let perceived = hear(&mut acting, &[to("bob"), to("bop"), to("nobody at all")]);
    let wanted = [
        "there is no agent `bop`; did you mean `bob`?",
        "there is no agent `nobody at all`; the agents are a, bob",
    ];
    assert_eq!(perceived.unknown, wanted);
    cycles(&mut acting, 1);
    assert_eq!((now(&acting, "a", "beliefs").len(), now(&acting, "bob", "beliefs").len()), (0, 1));
    hear(&mut acting, &[percept("p", true)]);
    cycles(&mut acting, 1);
    assert_eq!((now(&acting, "a", "beliefs").len(), now(&acting, "bob", "beliefs").len()), (1, 1));
}

#[test]
fn agents_of_the_team_hear_each_other_within_a_cycle() {
    let files = [
        ("t.team", "team t\nmode jason\nagent a\nagent b\n"),
        ("a.asl", "!go. +!go <- .send(b, tell, ready)."),
        ("b.asl", "+ready[source(S)] <- greet(S)."),
    ];
    let mut acting = team(&files);
    let orders = acting.actor.decide(0).expect("no bound is exceeded");
    assert_eq!(calls(&orders), [(1, "greet(a)".to_owned())]);
}

#[test]
fn messages_from_outside_carry_the_name_of_their_sender() {
    let mut acting = jason(
        "+at(X)[source(S)] <- noted(X, S). -at(X) <- gone(X). +!fetch(X)[source(S)] <- fetch(X, S). +!busy <- dig; rest.",
    );
    hear(&mut acting, &[message("operator", "at(3)"), message("operator", "tell at(4)")]);
    assert_eq!(now(&acting, "a", "mail"), ["operator tells at(3)", "operator tells at(4)"]);
    assert_eq!(cycles(&mut acting, 3), ["noted(3,operator)", "noted(4,operator)"]);
    assert!(now(&acting, "a", "beliefs").contains(&"at(4) [operator]".to_owned()));
    hear(&mut acting, &[message("operator", "untell at(3)"), message("harbour", "  achieve fetch(tea) ")]);
    assert_eq!(cycles(&mut acting, 3), ["gone(3)", "fetch(tea,harbour)"]);
    hear(&mut acting, &[message("operator", "achieve busy")]);
    assert_eq!(cycles(&mut acting, 2), ["dig"]);
    hear(&mut acting, &[message("operator", "unachieve busy")]);
    assert_eq!(cycles(&mut acting, 2), Vec::<String>::new());
    assert_eq!(now(&acting, "a", "intentions").iter().filter(|line| line.contains("busy")).count(), 0);
}

#[test]
fn a_goal_from_outside_may_leave_a_value_open_and_a_belief_may_not() {
    let mut acting = jason("known(7). +!look(X) : known(X) <- found(X).");
    let perceived = hear(&mut acting, &[message("me", "achieve look(X)"), message("me", "tell look(X)")]);
    assert_eq!(perceived.unknown, ["`look(X)` is no literal: it has a variable, but a belief is definite"]);
    assert_eq!(cycles(&mut acting, 3), ["found(7)"]);
}

#[test]
fn nobody_speaks_as_the_agent_itself_or_as_its_senses() {
    let mut acting = jason("+p[source(self)] <- fooled. +p[source(percept)] <- fooled.");
    let news = [message("self", "p"), message("percept", "p"), message("", "p")];
    assert_eq!(hear(&mut acting, &news).unknown.len(), 3);
    assert_eq!(cycles(&mut acting, 4), Vec::<String>::new());
}

#[test]
fn more_strangers_than_a_belief_can_remember_are_not_heard() {
    let mut acting = jason("+p <- noted.");
    for number in 0..61 {
        assert!(hear(&mut acting, &[message(&format!("guest{number}"), "p")]).unknown.is_empty());
        cycles(&mut acting, 1);
        hear(&mut acting, &[News::Feedback { call: None, what: "done".to_owned() }]);
    }
    assert_eq!(hear(&mut acting, &[message("guest61", "p")]).unknown.len(), 1);
    assert!(hear(&mut acting, &[message("guest60", "p")]).unknown.is_empty());
}

#[test]
fn what_means_nothing_is_told_and_perceived_by_those_who_have_a_word_for_it() {
    let files = [
        ("t.team", "team t\nmode jason\nagent a\nagent b\n"),
        ("a.asl", "+unknown_message <- wonder. -unknown_message <- forget."),
        ("b.asl", "+p <- q."),
    ];
    let mut acting = team(&files);
    let perceived =
        hear(&mut acting, &[percept("At(3", true), message("x", "tell p q"), feedback(9, "done")]);
    assert_eq!(perceived.unknown.len(), 3, "{:?}", perceived.unknown);
    assert_eq!(perceived.unknown[2], "there is no open call 9 that could be done");
    assert_eq!(cycles(&mut acting, 1), ["wonder"]);
    assert_eq!(now(&acting, "b", "beliefs"), Vec::<String>::new());
    hear(&mut acting, &[]);
    assert_eq!(cycles(&mut acting, 1), ["forget"], "it holds for one cycle");
}

#[test]
fn a_feedback_is_done_or_failed() {
    let mut acting = jason("!go. +!go <- dig.");
    cycles(&mut acting, 1);
    let unknown = hear(&mut acting, &[feedback(1, "maybe")]).unknown;
    assert_eq!(unknown, ["`maybe` is no feedback; an action is `done` or `failed`"]);
    assert_eq!(now(&acting, "environment", "actions"), ["dig of a"], "the call is still open");
}

#[test]
fn trouble_with_skills_is_perceived_by_everybody() {
    let mut acting =
        jason("+skills_are_dead <- mourn. +skills_are_silent <- listen. -skills_are_silent <- smile.");
    hear(&mut acting, &[News::Trouble(Trouble::Dead), News::Trouble(Trouble::Silent)]);
    assert_eq!(cycles(&mut acting, 2), ["mourn", "listen"]);
    hear(&mut acting, &[]);
    assert_eq!(cycles(&mut acting, 2), Vec::<String>::new(), "both last");
    hear(&mut acting, &[feedback(1, "done")]);
    assert_eq!(cycles(&mut acting, 2), ["smile"], "whoever answers is not silent");
    assert_eq!(now(&acting, "a", "beliefs"), ["skills_are_dead [percept]"]);
    hear(&mut acting, &[percept("skills_are_dead", false)]);
    cycles(&mut acting, 1);
    assert_eq!(now(&acting, "a", "beliefs"), Vec::<String>::new());
}

#[test]
fn atoms_of_claims_are_about_the_acting_team() {
    let files = [("t.team", "team t\nmode jason\nagent a\n"), ("a.asl", "+p(X) <- dig; rest.")];
    let agent = || "a".to_owned();
    let atoms = [
        believes("a", "p", &["3"]),
        AtomText::Does(agent(), call("dig", &[])),
        AtomText::Did(agent(), call("dig", &[])),
        AtomText::Does(agent(), call("rest", &[])),
    ];
    let mut acting = try_team(&files, &atoms).0.expect("the team can act");
    let truth = |acting: &Acting| -> Vec<bool> {
        (0..4).map(|atom| acting.system.model.holds(AtomId(atom), acting.actor.state())).collect()
    };
    assert_eq!(truth(&acting), [false; 4]);
    hear(&mut acting, &[percept("p(3)", true)]);
    cycles(&mut acting, 1);
    assert_eq!(truth(&acting), [true, true, false, false]);
    hear(&mut acting, &[feedback(1, "done")]);
    assert_eq!(truth(&acting), [true, false, true, false]);
    cycles(&mut acting, 1);
    assert_eq!(truth(&acting), [true, false, true, true]);
}

#[test]
fn atoms_about_the_declared_environment_say_nothing_while_a_team_acts() {
    let files = [
        ("t.team", "team t\nmode jason\nagent a\nenv e {\n  var n : 0..3 = 0\n  percept p when n > 0\n}\n"),
        ("a.asl", "+p <- +q."),
    ];
    let zero = Expr::Binary(Operator::Eq, Box::new(call("n", &[])), Box::new(Expr::Int(0)));
    let atoms = [AtomText::Fact(zero), believes("a", "p", &[]), believes("a", "q", &[])];
    let acting = try_team(&files, &atoms).0.expect("the team can act");
    let heeded: Vec<bool> = (0..3).map(|atom| acting.actor.heeds(AtomId(atom))).collect();
    assert_eq!(heeded, [false, true, true]);
}

#[test]
fn the_one_alternative_is_the_first_step_of_the_model() {
    let acting = jason("!go. +!go <- dig.");
    let alternatives = acting.actor.alternatives();
    let mut steps = motet_model::Steps::new(acting.system.model.signature().slots.len());
    acting.system.model.steps(acting.actor.state(), &mut steps).expect("the start is no fault");
    let first = steps.get(0).expect("an agent can move").action;
    assert_eq!(alternatives.iter().map(|one| one.action).collect::<Vec<_>>(), [first]);
}

#[test]
fn a_bound_is_an_error_and_leaves_the_team_as_it_was() {
    let mut acting = team(&[
        (
            "t.team",
            "team t\nmode strict\nagent a\nbound actions = 2\nbound beliefs = 3\nbound messages = 2\n",
        ),
        ("a.asl", "+p(X) <- drum."),
    ]);
    let too_many: Vec<News> = (0..4).map(|number| percept(&format!("p({number})"), true)).collect();
    let fault = |fault: Fault| fault.message;
    assert_eq!(
        acting.actor.perceive(&too_many).map_err(fault).err().as_deref(),
        Some("bound exceeded: a beliefs > 3")
    );
    hear(&mut acting, &too_many[..3]);
    let before = acting.actor.state().to_vec();
    let mail: Vec<News> = (0..3).map(|_| message("me", "tell q")).collect();
    assert!(
        acting.actor.perceive(&mail).map_err(fault).is_err_and(|why| why == "bound exceeded: a messages > 2")
    );
    assert_eq!(acting.actor.state(), before);
    assert_eq!(cycles(&mut acting, 2), ["drum", "drum"]);
    let before = acting.actor.state().to_vec();
    assert_eq!(acting.actor.decide(0).map_err(fault).err().as_deref(), Some("bound exceeded: actions > 2"));
    assert_eq!(acting.actor.state(), before);
    hear(&mut acting, &[feedback(1, "done")]);
    assert_eq!(cycles(&mut acting, 1), ["drum"], "with an answer it goes on");
}

#[test]
fn a_situation_is_the_start_with_other_beliefs() {
    let files = [
        ("t.team", "team t\nmode jason\nagent a\nagent b\n"),
        ("a.asl", "at(1). +at(X) <- came(X)."),
        ("b.asl", "at(1). +at(X) <- came(X)."),
    ];
    let mut acting = team(&files);
    cycles(&mut acting, 2);
    let belief = |text: &str, holds| (text.to_owned(), holds);
    let beliefs = vec![belief("a.at(2)", true), belief("at(1)", false), belief("b.at(3.5)", true)];
    acting.actor.place(&Situation { beliefs, ..Situation::default() }).expect("all of it means something");
    assert_eq!(now(&acting, "a", "beliefs"), ["at(2) [self]"]);
    assert_eq!(now(&acting, "b", "beliefs"), ["at(3.5) [self]"]);
    assert_eq!(now(&acting, "environment", "actions"), Vec::<String>::new());
    assert_eq!(cycles(&mut acting, 2), ["came(2)", "came(3.5)"]);
    let before = acting.actor.state().to_vec();
    let wrong = Situation {
        beliefs: vec![belief("c.at(2)", true), belief("a.At", true), belief("at(1)", true)],
        plans: vec![("a.4".to_owned(), 1)],
        counters: vec![("at(1)".to_owned(), 2)],
    };
    assert_eq!(acting.actor.place(&wrong).expect_err("most of it means nothing").len(), 4);
    assert_eq!(acting.actor.state(), before);
}

#[test]
fn a_stub_gives_its_first_answer_and_says_so() {
    let files = [
        ("t.team", "team t\nmode jason\nagent a\nstub jia.coin either\n"),
        ("a.asl", "!go. +!go <- jia.coin; heads. -!go <- tails."),
    ];
    let (acting, problems) = try_team(&files, &[]);
    assert!(problems.contains("M0650"), "{problems}");
    assert_eq!(cycles(&mut acting.expect("a warning is no error"), 3), ["heads"]);
}

/// The kitchen of `examples/coffee` by hand: what is wanted, and what was asked of it.
#[derive(Default)]
struct Kitchen {
    cups: i64,
    served: Vec<String>,
}

impl Kitchen {
    fn tick(&mut self, orders: &[Order]) -> Vec<News> {
        let mut news = Vec::new();
        for order in orders {
            let Order::Call { call, action, arguments, .. } = order else { continue };
            let argument = arguments[0].1.clone();
            let done = match action.split('(').next() {
                Some("brew") => {
                    let cups: i64 = argument.parse().expect("a number of cups");
                    let enough = cups <= self.cups;
                    self.cups -= if enough { cups } else { 0 };
                    enough
                }
                Some("serve") => {
                    news.push(percept(&format!("wants({argument},coffee)"), false));
                    self.served.push(argument);
                    true
                }
                _ => false,
            };
            news.insert(0, feedback(*call, if done { "done" } else { "failed" }));
        }
        news
    }
}

#[test]
fn the_coffee_robot_serves_everybody_by_rank() {
    let read = |name: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/coffee");
        let bytes = std::fs::read(folder.join(name)).expect("the example is there");
        String::from_utf8(bytes).expect("the file is text")
    };
    let mut acting = team(&[("coffee.team", &read("coffee.team")), ("robot.asl", &read("robot.asl"))]);
    let mut kitchen = Kitchen { cups: 4, ..Kitchen::default() };
    let wants = |person: &str| percept(&format!("wants({person},coffee)"), true);
    hear(&mut acting, &[percept("breakfast", true), wants("anna"), wants("cleo")]);
    for _ in 0..40 {
        let orders = acting.actor.decide(0).expect("no bound is exceeded");
        let news = kitchen.tick(&orders);
        hear(&mut acting, &news);
    }
    // `rank` of the program: cleo, anna, ben.
    assert_eq!((kitchen.served, kitchen.cups), (vec!["cleo".to_owned(), "anna".to_owned()], 2));
    let beliefs = now(&acting, "robot", "beliefs");
    assert!(
        beliefs.contains(&"order(2) [self]".to_owned()) && beliefs.contains(&"finished [self]".to_owned())
    );
}

const SHARDS: &[&str] = &[
    "p",
    "(",
    ")",
    "1",
    "-",
    "X",
    "_",
    "[",
    "]",
    "|",
    ",",
    "\"",
    "~",
    "tell",
    "achieve",
    " ",
    ".",
    "not",
    "9e999",
    "é",
    "p(1)",
    "[source(percept)]",
    "1/0",
    "a.b",
    "{",
    "&",
    "go",
    "2 ** 99",
    "\n",
    "/*",
    "untell",
    "p(X)",
    "stop(2)",
];

fn shards(dice: &mut Random) -> String {
    (0..dice.below(9)).map(|_| SHARDS[dice.below(SHARDS.len())]).collect()
}

fn some_news(dice: &mut Random) -> News {
    let name = |dice: &mut Random| ["a", "b", "operator", "self", ""][dice.below(5)].to_owned();
    match dice.below(8) {
        0 | 1 => News::Percept {
            agent: (dice.below(2) == 0).then(|| name(dice)),
            what: if dice.below(2) == 0 { format!("p({})", dice.below(3)) } else { shards(dice) },
            holds: dice.below(3) > 0,
        },
        2 | 3 => News::Feedback {
            call: (dice.below(2) == 0).then(|| dice.below(20) as u64),
            what: ["done", "failed", "maybe"][dice.below(3)].to_owned(),
        },
        4 | 5 => News::Message {
            from: name(dice),
            to: (dice.below(2) == 0).then(|| name(dice)),
            what: if dice.below(2) == 0 { "achieve go(2)".to_owned() } else { shards(dice) },
        },
        6 => News::Trouble(Trouble::ALL[dice.below(Trouble::ALL.len())]),
        _ => percept("stop(1)", dice.below(2) == 0),
    }
}

/// A run against noise: what was ordered and remarked, and all states as the user sees them.
fn noise(seed: u64) -> Vec<String> {
    let program = "!go(1). +!go(X) <- dig(X); +q(X); .send(b, tell, p(X)); rest. -!go(X) <- .print(X); swim. \
                   +stop(X) <- .drop_intention(go(_)). -p(X) <- ?q(X); wave(X). +p(X)[source(S)] <- !go(X). \
                   +unknown_message <- wonder.";
    let mut acting = team(&[("t.team", "team t\nmode jason\nagent a\nagent b: a.asl\n"), ("a.asl", program)]);
    let mut dice = Random::new(seed);
    let mut told = Vec::new();
    for _ in 0..60 {
        match acting.actor.decide(0) {
            Ok(orders) => told.push(format!("{orders:?}")),
            Err(fault) => told.push(fault.message),
        }
        let news: Vec<News> = (0..dice.below(5)).map(|_| some_news(&mut dice)).collect();
        match acting.actor.perceive(&news) {
            Ok(perceived) => told.push(format!("{perceived:?}")),
            Err(fault) => told.push(fault.message),
        }
        told.push(format!("{:?}", acting.system.words.snapshot(acting.actor.state())));
    }
    told
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test may be asked for more rounds")]
fn any_news_can_be_heard_and_the_same_news_make_the_same_run() {
    let rounds =
        std::env::var("MOTET_ROUNDS").ok().and_then(|rounds| rounds.parse::<u64>().ok()).unwrap_or(0).max(40);
    for seed in 0..rounds {
        assert_eq!(noise(seed), noise(seed), "seed {seed}");
    }
}

#[test]
fn a_text_of_any_size_is_told_or_refused() {
    let mut acting = jason("+p(X) <- noted.");
    let deep = format!("{}1{}", "p(".repeat(3000), ")".repeat(3000));
    let long = format!("p([{}1])", "1,".repeat(900));
    let wide = format!("p({}1)", "1+".repeat(5000));
    let refused =
        hear(&mut acting, &[percept(&deep, true), percept(&long, true), percept(&wide, true)]).unknown;
    assert_eq!(refused.len(), 3);
    assert!(refused.iter().all(|text| text.len() < 400), "{refused:?}");
    let name = "n".repeat(60_000);
    assert!(hear(&mut acting, &[percept(&name, true)]).unknown.is_empty());
    assert_eq!(cycles(&mut acting, 2), Vec::<String>::new());
}
