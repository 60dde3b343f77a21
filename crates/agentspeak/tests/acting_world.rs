//! Teams that act in the environment of their team file: what they then do is a run of the model.

mod support;

use std::path::Path;

use motet_agentspeak::AgentSpeak;
use motet_model::{
    Acting, AtomId, AtomText, Draft, Language as _, News, Options, Order, Repeat, State, Steps, World,
};
use motet_source::fuzz::Random;
use motet_source::{FileId, Problems, Sources, Span, Spanned};
use support::call;

fn draft(sources: &Sources) -> Box<dyn Draft> {
    let mut problems = Problems::new();
    let draft = AgentSpeak.read(sources, &Options::default(), &mut problems);
    draft.unwrap_or_else(|| panic!("{}", problems.lines(sources)))
}

fn example(folder: &str) -> Box<dyn Draft> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(folder);
    let mut sources = Sources::new();
    let mut names: Vec<_> = std::fs::read_dir(&path)
        .expect("the example is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "asl" || kind == "team"))
        .collect();
    names.sort();
    for name in names {
        let bytes = std::fs::read(&name).expect("the file can be read");
        let text = String::from_utf8(bytes).expect("the file is text");
        sources.add(name.to_string_lossy(), text);
    }
    draft(&sources)
}

fn written(files: &[(&str, &str)]) -> Box<dyn Draft> {
    let mut sources = Sources::new();
    for (name, text) in files {
        sources.add(*name, *text);
    }
    draft(&sources)
}

/// A run of the acting team beside the model: all states in which the model may be, given the minds so far.
struct Beside {
    acting: Acting,
    world: Box<dyn World>,
    dice: Random,
    possible: Vec<Box<State>>,
    agents: usize,
    /// Waits that the clock has not ended.
    open: Vec<u64>,
}

/// The first slot of a mind.
const MINDS: usize = 2;

impl Beside {
    fn new(draft: &dyn Draft, seed: u64) -> Self {
        let acting = draft.acting(&[], &mut Problems::new()).expect("the team can act");
        let world = draft.world().expect("the team declares its environment");
        let mut possible = Vec::new();
        acting.system.model.initial(&mut possible);
        let agents = acting.actor.manifest().agents.len();
        Self { acting, world, dice: Random::new(seed), possible, agents, open: Vec::new() }
    }

    fn tick(&mut self, orders: &[Order]) -> Vec<News> {
        let dice = &mut self.dice;
        self.world.tick(&[], orders, &mut || dice.bits()).expect("the world goes on")
    }

    /// States after a step of one process; `wanted` says which of them.
    fn after(&self, states: &[Box<State>], wanted: impl Fn(usize) -> bool) -> Vec<Box<State>> {
        let mut found: Vec<Box<State>> = Vec::new();
        for state in states {
            let mut steps = Steps::new(state.len());
            self.acting.system.model.steps(state, &mut steps).expect("no bound is exceeded");
            for step in steps.iter().filter(|step| wanted(step.process.index())) {
                found.extend(step.branches().map(|branch| Box::from(branch.target)));
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Whether a process ends waits.
    fn ends_waits(&self, process: usize) -> bool {
        self.acting.system.model.signature().processes[process].starts_with(".wait(")
    }

    /// Takes the waits out of the orders, and ends some of those that are open.
    fn clock(&mut self, orders: &[Order]) -> (Vec<Order>, Vec<News>) {
        let is_wait =
            |order: &&Order| matches!(order, Order::Call { action, .. } if action.starts_with(".wait("));
        let (waits, others): (Vec<&Order>, Vec<&Order>) = orders.iter().partition(is_wait);
        let number = |order: &Order| match order {
            Order::Call { call, .. } => Some(*call),
            Order::Stop { .. } => None,
        };
        self.open.extend(waits.into_iter().filter_map(number));
        let open = std::mem::take(&mut self.open);
        let (over, open): (Vec<u64>, Vec<u64>) =
            open.into_iter().partition(|_| self.dice.bits().is_multiple_of(4));
        self.open = open;
        let done = |call| News::Feedback { call: Some(call), what: "done".to_owned() };
        (others.into_iter().cloned().collect(), over.into_iter().map(done).collect())
    }

    /// The environment takes one of its own steps, or none.
    fn stirred(&self, states: Vec<Box<State>>) -> Vec<Box<State>> {
        let mut all = self.after(&states, |process| process > self.agents && !self.ends_waits(process));
        all.extend(states);
        all
    }

    /// Keeps the states with the minds that the acting team has.
    fn compare(&mut self, what: &str) {
        let minds = &self.acting.actor.state()[MINDS..MINDS + self.agents];
        self.possible.retain(|state| state[MINDS..MINDS + self.agents] == *minds);
        assert!(!self.possible.is_empty(), "{what}: no run of the model has these minds");
    }

    /// The world is looked at before the first cycle, as in the model.
    fn begin(&mut self) {
        let news = self.tick(&[]);
        self.acting.actor.perceive(&news).expect("no bound is exceeded");
        let states = std::mem::take(&mut self.possible);
        self.possible = self.stirred(states);
    }

    /// One cycle of both; the orders.
    fn cycle(&mut self, what: &str) -> Vec<Order> {
        let orders = self.acting.actor.decide(0).unwrap_or_else(|fault| panic!("{what}: {fault}"));
        let (calls, rung) = self.clock(&orders);
        let news: Vec<News> = rung.iter().cloned().chain(self.tick(&calls)).collect();
        let perceived = self.acting.actor.perceive(&news).unwrap_or_else(|fault| panic!("{what}: {fault}"));
        assert!(perceived.unknown.is_empty(), "{what}: {:?}", perceived.unknown);
        let mut states = std::mem::take(&mut self.possible);
        for agent in 0..self.agents {
            for _ in 0..4 {
                states = self.after(&states, |process| process == agent);
            }
        }
        for _ in &rung {
            states = self.after(&states, |process| self.ends_waits(process));
        }
        for _ in &calls {
            states = self.after(&states, |process| process == self.agents);
        }
        self.possible = self.stirred(states);
        self.compare(what);
        orders
    }
}

#[test]
fn against_the_declared_environment_a_team_makes_a_run_of_the_model() {
    let folders = [
        "auction",
        "bit-transmission",
        "coffee",
        "contract-net",
        "hospital",
        "lost-message",
        "rescue",
        "rubble",
        "searcher",
        "shared-door",
        "vacuum",
    ];
    for folder in folders {
        let draft = example(folder);
        let mut acted = 0;
        for seed in 1..=3 {
            let mut beside = Beside::new(&*draft, seed);
            beside.begin();
            for cycle in 0..30 {
                acted += beside.cycle(&format!("{folder}, seed {seed}, cycle {cycle}")).len();
            }
        }
        assert!(acted > 0, "{folder} does nothing, so nothing was compared");
    }
}

#[test]
fn a_team_that_waits_makes_a_run_of_the_model() {
    let team = "team t\nmode jason\nagent a\nagent b\nenv e {\n  var n : 0..2 = 0\n  percept n(n)\n  \
                action go(k) when k > n { n := k }\n  step rest when n == 2 { n := 0 }\n}\n";
    let program = "!x. !y. +!x <- .wait(100); go(1); !x. -!x <- .wait(10); !x. +!y : n(N) <- .wait(20 * N); +seen(N); !y. \
                   +seen(N) <- .wait(5); -seen(N). @l[atomic] +n(2) <- .wait(7); go(2); .print(done).";
    let draft = written(&[("t.team", team), ("a.asl", program), ("b.asl", program)]);
    for seed in 1..=20 {
        let mut beside = Beside::new(&*draft, seed);
        beside.begin();
        let mut asked = Vec::new();
        for cycle in 0..60 {
            asked.extend(beside.cycle(&format!("seed {seed}, cycle {cycle}")));
        }
        assert!(asked.len() > 10, "{asked:?}");
    }
}

#[test]
fn a_vacuum_cleaner_cleans_the_declared_house() {
    let mut beside = Beside::new(&*example("vacuum"), 7);
    beside.begin();
    let mut done = Vec::new();
    for cycle in 0..40 {
        for order in beside.cycle(&format!("cycle {cycle}")) {
            if let Order::Call { action, .. } = order {
                done.push(action);
            }
        }
    }
    // The round of the program: hall, kitchen, study; each is dirty at first.
    assert_eq!(done[..6], ["suck", "go(kitchen)", "suck", "go(study)", "suck", "go(hall)"]);
}

fn order(call: u64, action: &str) -> Order {
    Order::Call {
        agent: "a".to_owned(),
        call,
        action: action.to_owned(),
        arguments: Vec::new(),
        repeat: Repeat::Once,
    }
}

const COIN: &str = "team t\nmode jason\nagent a\nenv e {\n  var heads : 0..100000 = 0\n  percept heads(heads)\n  \
                    action toss { prob { 1/4: { heads := heads + 1 }, 3/4: { } } }\n  \
                    action choose { either { heads := heads + 1 } or { } or { } }\n}\n";

#[test]
fn chance_and_choice_are_drawn_as_declared() {
    let draft = written(&[("t.team", COIN), ("a.asl", "+heads(N) <- toss. +x <- choose.")]);
    // Five standard deviations of the binomial distribution with 4000 trials are below 150.
    for (action, expected) in [("toss", 1000), ("choose", 1333)] {
        let mut world = draft.world().expect("the environment is declared");
        let mut dice = Random::new(11);
        let mut heads = 0;
        for number in 0..4000 {
            let news =
                world.tick(&[], &[order(number, action)], &mut || dice.bits()).expect("the world goes on");
            heads += news.iter().filter(|one| matches!(one, News::Percept { holds: false, .. })).count();
        }
        assert!(heads.abs_diff(expected) < 150, "{action}: {heads}");
    }
}

#[test]
fn the_declared_world_refuses_what_no_rule_allows() {
    let draft = written(&[("t.team", COIN), ("a.asl", "+heads(N) <- toss. +x <- choose.")]);
    let mut world = draft.world().expect("the environment is declared");
    let orders = [order(5, "toss"), order(6, "toss(2)"), order(7, "To ss("), order(8, "nothing")];
    let news = world.tick(&[], &orders, &mut || 0).expect("the world goes on");
    let feedback = |call: u64, what: &str| News::Feedback { call: Some(call), what: what.to_owned() };
    let wanted = [feedback(5, "done"), feedback(6, "failed"), feedback(7, "failed"), feedback(8, "failed")];
    assert_eq!(news[..4], wanted);
    let heads = News::Percept { agent: Some("a".to_owned()), what: "heads(1)".to_owned(), holds: true };
    assert_eq!(news[4..], [heads], "the least number draws the first branch");
}

#[test]
fn a_team_without_environment_has_no_world_and_acts_all_the_same() {
    let draft = written(&[("t.team", "team t\nmode jason\nagent a\n"), ("a.asl", "!go. +!go <- dig.")]);
    assert!(draft.world().is_none());
    assert!(draft.acting(&[], &mut Problems::new()).is_some());
}

#[test]
fn a_message_is_sent_and_read_in_the_cycle_in_which_it_is() {
    let mut sources = Sources::new();
    sources.add("t.team", "team t\nmode jason\nagent b\nagent a\n");
    sources.add("a.asl", "!go. +!go <- .send(b, tell, p).");
    sources.add("b.asl", "+p <- rest.");
    let names = || ("a".to_owned(), "b".to_owned(), call("p", &[]));
    let ((a, b, p), (from, to, content)) = (names(), names());
    let atoms = [AtomText::Sends(a, b, p), AtomText::Reads(from, to, content)];
    let atoms = atoms.map(|atom| Spanned::new(atom, Span::new(FileId(0), 0, 1)));
    let mut acting = draft(&sources).acting(&atoms, &mut Problems::new()).expect("the team can act");
    let truth =
        |acting: &Acting| [0, 1].map(|atom| acting.system.model.holds(AtomId(atom), acting.actor.state()));
    let mut seen = vec![truth(&acting)];
    for _ in 0..3 {
        acting.actor.decide(0).expect("no bound is exceeded");
        // What is perceived then belongs to the same cycle.
        acting.actor.perceive(&[]).expect("nothing is told");
        seen.push(truth(&acting));
    }
    assert_eq!(seen, [[false, false], [true, false], [false, true], [false, false]]);
}
