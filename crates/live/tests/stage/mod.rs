//! A small team, and skills written for `sh`, to try runs with.

#![allow(dead_code, reason = "every test file uses its own part of the stage")]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use motet_live::{First, Link, Pace, Run, RunLimits, Select, Sink, Skills, Terms, run};
use motet_model::{
    ActionId, Actor, Alternative, Fault, Manifest, Mind, News, Order, Perceived, Repeat, Section, Situation,
    Skill, SlotId, Snapshot, State, Story, Trouble, Words,
};
use motet_render::{RUN_SCHEMA, RunCycle, RunEnd, RunEvent, RunHead};
use motet_source::Span;

/// A team that looks around in every cycle, believes what it is told, and has a choice while it rains.
pub(crate) struct Team {
    state: Vec<u32>,
    cycle: u64,
    /// Bytes of an argument of each call, and how many calls a cycle has.
    pub(crate) load: (usize, usize),
}

const RAIN: &str = "It rains";

fn sentences() -> Vec<&'static str> {
    let mut all: Vec<&str> = Trouble::ALL.iter().map(|trouble| trouble.sentence()).collect();
    all.push(RAIN);
    all.push("The umbrella is open");
    all
}

impl Team {
    pub(crate) fn new() -> Self {
        Self { state: vec![0; sentences().len()], cycle: 0, load: (0, 1) }
    }

    fn set(&mut self, sentence: &str, holds: bool) -> bool {
        let place = sentences().iter().position(|known| *known == sentence);
        place.map(|at| self.state[at] = u32::from(holds)).is_some()
    }

    fn rains(&self) -> bool {
        self.state[self.state.len() - 2] == 1
    }
}

impl Actor for Team {
    fn manifest(&self) -> Manifest {
        let look =
            Skill { name: "Look".to_owned(), repeat: Repeat::Once, feedbacks: vec!["Seen".to_owned()] };
        Manifest { agents: vec!["ann".to_owned()], actions: vec![look], percepts: vec![RAIN.to_owned()] }
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let all = [(1, "open the umbrella"), (2, "get wet")];
        let all = all.map(|(number, text)| Alternative { action: ActionId(number), text: text.to_owned() });
        if self.rains() {
            all.to_vec()
        } else {
            vec![Alternative { action: ActionId(0), text: String::new() }]
        }
    }

    fn decide(&mut self, alternative: usize) -> Result<Vec<Order>, Fault> {
        self.cycle += 1;
        if self.rains() {
            self.set("The umbrella is open", alternative == 0);
        }
        let (bytes, calls) = self.load;
        let call = |number: usize| Order::Call {
            agent: "ann".to_owned(),
            call: self.cycle * 1000 + number as u64,
            action: "Look".to_owned(),
            arguments: vec![("where".to_owned(), "x".repeat(bytes))],
            repeat: Repeat::Once,
        };
        Ok((0..calls).map(call).collect())
    }

    fn perceive(&mut self, news: &[News]) -> Result<Perceived, Fault> {
        let mut perceived = Perceived::default();
        for trouble in Trouble::ALL {
            self.set(trouble.sentence(), false);
        }
        for news in news {
            let known = match news {
                News::Percept { what, holds, .. } => self.set(what, *holds),
                News::Trouble(trouble) => self.set(trouble.sentence(), true),
                News::Feedback { .. } => true,
                News::Message { .. } => false,
            };
            if !known {
                perceived.unknown.push(format!("{news:?}"));
            }
        }
        Ok(perceived)
    }

    fn place(&mut self, _situation: &Situation) -> Result<(), Vec<String>> {
        Ok(())
    }
}

/// The words of the team.
pub(crate) struct Sentences;

impl Words for Sentences {
    fn value(&self, _slot: SlotId, value: u32) -> String {
        value.to_string()
    }

    fn action(&self, action: ActionId) -> String {
        action.index().to_string()
    }

    fn story(&self, _action: ActionId) -> Story {
        unreachable!("no chart is drawn of a run")
    }

    fn origin(&self, _action: ActionId) -> Option<Span> {
        None
    }

    fn snapshot(&self, state: &State) -> Snapshot {
        let held = sentences().into_iter().zip(state).filter(|(_, value)| **value == 1);
        let items = held.map(|(sentence, _)| sentence.to_owned()).collect();
        let sections = vec![Section { title: "beliefs".to_owned(), items }];
        Snapshot { minds: vec![Mind { name: "ann".to_owned(), sections }] }
    }

    fn why(&self, _states: &[Box<State>], _actions: &[ActionId], _at: usize) -> Vec<String> {
        Vec::new()
    }
}

/// Skills for `sh` that answer each tick `$n` with `body` and end on bye; `before` comes first of all.
pub(crate) fn answering(before: &str, body: &str) -> String {
    format!(
        "{before}\nread hello; echo '{{\"ready\":\"sh\"}}'\nwhile read -r line; do case \"$line\" in \
         *'\"tick\"'*) n=${{line#*\\\"tick\\\":}}; n=${{n%%,*}}; {body} ;; \
         *'\"bye\"'*) exit 0 ;; esac; done"
    )
}

/// What ends an answer.
pub(crate) const DONE: &str = "echo \"{\\\"done\\\":$n}\"";

/// What came of a run.
pub(crate) struct Told {
    pub(crate) end: RunEnd,
    pub(crate) cycles: Vec<RunCycle>,
}

impl Told {
    /// All remarks about something.
    pub(crate) fn about(&self, trouble: Trouble) -> Vec<(u64, &str)> {
        let cycles = self
            .cycles
            .iter()
            .flat_map(|cycle| cycle.remarks.iter().map(move |remark| (cycle.cycle, remark)));
        let all = cycles.chain(self.end.remarks.iter().map(|remark| (self.end.cycles, remark)));
        all.filter(|(_, remark)| remark.about == trouble.sentence())
            .map(|(cycle, remark)| (cycle, remark.text.as_str()))
            .collect()
    }

    /// The cycles in which the team heard of a trouble.
    pub(crate) fn heard(&self, trouble: Trouble) -> Vec<u64> {
        let wanted = motet_live::news_text(&News::Trouble(trouble));
        self.cycles.iter().filter(|cycle| cycle.news.contains(&wanted)).map(|cycle| cycle.cycle).collect()
    }
}

/// How a run is made.
pub(crate) struct Play {
    pub(crate) cycles: Option<u64>,
    pub(crate) grace: u64,
    pub(crate) timeout: Duration,
    pub(crate) most: usize,
    pub(crate) pace: Pace,
    pub(crate) patience: Duration,
    pub(crate) interrupt: Arc<AtomicBool>,
    pub(crate) team: Team,
}

impl Play {
    pub(crate) fn new() -> Self {
        Self {
            cycles: None,
            grace: 3,
            timeout: Duration::from_secs(60),
            most: 100,
            pace: Pace::Lockstep,
            patience: Duration::from_secs(20),
            interrupt: Arc::new(AtomicBool::new(false)),
            team: Team::new(),
        }
    }

    pub(crate) fn cycles(self, cycles: u64) -> Self {
        Self { cycles: Some(cycles), ..self }
    }

    /// For skills that say nothing: how long is waited for them.
    pub(crate) fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    pub(crate) fn link(&self, command: &str) -> Link {
        let terms = Terms {
            pace: self.pace,
            speed: 1.0,
            timeout: self.timeout,
            most: self.most,
            grace: self.patience,
            interrupt: Arc::clone(&self.interrupt),
        };
        Link::start(command, terms).expect("there is a shell")
    }

    pub(crate) fn skills(self, command: &str) -> Told {
        let mut link = self.link(command);
        self.with(&mut link, &mut First, &mut [])
    }

    pub(crate) fn with(
        mut self,
        skills: &mut dyn Skills,
        select: &mut dyn Select,
        sinks: &mut [&mut dyn Sink],
    ) -> Told {
        let mut cycles = Vec::new();
        let mut keep = |event: &RunEvent| {
            if let RunEvent::Cycle(cycle) = event {
                cycles.push(cycle.as_ref().clone());
            }
        };
        let mut all: Vec<&mut dyn Sink> = vec![&mut keep];
        for sink in sinks {
            all.push(&mut **sink);
        }
        let limits =
            RunLimits { cycles: self.cycles, until: None, grace: self.grace, interrupt: &self.interrupt };
        let end = run(Run {
            actor: &mut self.team,
            words: &Sentences,
            skills,
            select,
            observers: Vec::new(),
            sinks: all,
            limits,
            head: RunHead {
                schema: RUN_SCHEMA.to_owned(),
                rate: self.pace.rate(),
                speed: 1.0,
                ..RunHead::default()
            },
        });
        Told { end, cycles }
    }
}

/// A file of this test's own, not there yet.
pub(crate) fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("live-{name}"));
    let _ = std::fs::remove_file(&path);
    path
}

/// Whether the processes whose numbers stand in a file are gone, and waited for: a zombie would still have its folder.
pub(crate) fn gone(path: &std::path::Path) -> bool {
    let bytes = std::fs::read(path).expect("the skills wrote their numbers");
    let text = String::from_utf8(bytes).expect("numbers are text");
    let numbers: Vec<&str> = text.split_whitespace().collect();
    assert!(!numbers.is_empty(), "the skills wrote their numbers");
    let there = |number: &&str| {
        // What the shell left behind belongs to nobody we could wait for; it is gone as soon as it is a zombie.
        let status = std::fs::read(format!("/proc/{number}/stat")).unwrap_or_default();
        let status = String::from_utf8_lossy(&status).into_owned();
        status.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty())
    };
    for _ in 0..200 {
        if !numbers.iter().any(there) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}
