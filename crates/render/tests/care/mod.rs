//! A toy household with a clock: a robot reminds Bob of his medication, a house watches him, a care worker is told and
//! comes too late. The run is scripted, so that every time in it can be read here.

use motet_evidence::{Evidence, Margin, Measure, Outcome, Run, Taken, Vacuity, Verdict};
use motet_model::{
    Account, AccountLine, ActionId, AtomId, Change, Ending, Event, Fault, Model, ProcessId, Signature,
    SlotId, Snapshot, State, Steps, Story, TimeUnit, Weight, What, Words, Work,
};
use motet_property::{Bound, Expect, Formula, Interval, Kind, Path, Unit};
use motet_render::{Asked, ClaimReport, Head, Report, Tale, tale};
use motet_source::{Sources, Span};

pub(crate) const MINUTE: u64 = 60_000;
pub(crate) const HOUR: u64 = 60 * MINUTE;

pub(crate) const ROBOT: ProcessId = ProcessId(0);
pub(crate) const HOUSE: ProcessId = ProcessId(1);
pub(crate) const BOB: ProcessId = ProcessId(2);
pub(crate) const CARE_WORKER: ProcessId = ProcessId(3);

/// `Bel(Care_Worker, Bob.tookMedication = false)` and `Care_Worker.location = BobChair`.
pub(crate) const WORRIED: AtomId = AtomId(0);
pub(crate) const THERE: AtomId = AtomId(1);

/// One slot: how far the afternoon is.
pub(crate) struct Care(Signature);

/// Minutes that pass with each step. The care worker is told at 01:00 and arrives at 03:27.
const DELAYS: [u32; 6] = [0, 30, 5, 25, 120, 27];

impl Care {
    pub(crate) fn new() -> Self {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect();
        Self(Signature {
            slots: names(&["stage"]),
            processes: names(&["Robot", "House", "Bob", "Care_Worker", "Campanile_Clock"]),
            atoms: names(&[
                "Bel(Care_Worker, Bob.tookMedication = false)",
                "Care_Worker.location = BobChair",
            ]),
            unit: TimeUnit::Milliseconds,
            ..Signature::default()
        })
    }
}

impl Model for Care {
    fn signature(&self) -> &Signature {
        &self.0
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.push(Box::new([0]));
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        if let Some(minutes) = DELAYS.get(state[0] as usize) {
            out.push(ROBOT, ActionId(state[0]), minutes * 60_000, &[state[0] + 1]);
        }
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        match atom {
            WORRIED => state[0] >= 4,
            _ => state[0] >= 6,
        }
    }
}

fn begins(process: ProcessId, work: Work, name: &str, priority: Option<&str>, minutes: Option<u64>) -> Event {
    let what = What::Begins {
        work,
        name: name.to_string(),
        detail: if work == Work::Move { "to BobChair".to_string() } else { String::new() },
        length: minutes.map(|minutes| minutes * MINUTE),
        priority: priority.map(str::to_string),
    };
    Event { process, what, origin: None }
}

fn ends(process: ProcessId, work: Work, name: &str, how: Ending) -> Event {
    Event { process, what: What::Ends { work, name: name.to_string(), how }, origin: None }
}

fn change(subject: &str, before: &str, after: &str) -> Change {
    Change { subject: subject.to_string(), before: before.to_string(), after: after.to_string() }
}

fn at(process: ProcessId, from: &str, to: &str) -> Event {
    Event { process, what: What::Arrives { from: from.to_string(), to: to.to_string() }, origin: None }
}

impl Words for Care {
    fn value(&self, _: SlotId, value: u32) -> String {
        value.to_string()
    }

    fn action(&self, action: ActionId) -> String {
        self.story(action).text
    }

    fn story(&self, action: ActionId) -> Story {
        let text = format!("stage {}", action.0);
        Story { process: ROBOT, text, to: None, weight: Weight::Notable }
    }

    fn origin(&self, _: ActionId) -> Option<Span> {
        None
    }

    fn snapshot(&self, _: &State) -> Snapshot {
        Snapshot::default()
    }

    fn why(&self, _: &[Box<State>], _: &[ActionId], at: usize) -> Vec<String> {
        match at {
            5 => vec![
                "at 01:00:00 Care_Worker is inside otherDuties (priority 50, care.b:88); wf_attendBob \
                 (priority 20, care.b:214) has to wait for it to end"
                    .to_string(),
            ],
            _ => Vec::new(),
        }
    }

    fn opening(&self, _: &State) -> Vec<Event> {
        vec![at(ROBOT, "", "BobChair"), at(BOB, "", "BobChair"), at(CARE_WORKER, "", "Office")]
    }

    fn events(&self, state: &State, _: u32, _: u32) -> Vec<Event> {
        let event = |process, what| Event { process, what, origin: None };
        match state[0] {
            0 => vec![
                begins(BOB, Work::Frame, "wf_relax", Some("5"), None),
                begins(BOB, Work::Primitive, "watchTelevision", None, Some(240)),
            ],
            1 => vec![
                begins(ROBOT, Work::Frame, "wf_remindMedication", Some("10"), None),
                event(ROBOT, What::Makes(change("Robot.reminded", "false", "true"))),
                begins(ROBOT, Work::Primitive, "remind", None, Some(5)),
                begins(CARE_WORKER, Work::Frame, "wf_duties", Some("50"), None),
                begins(CARE_WORKER, Work::Primitive, "otherDuties", None, Some(150)),
                ends(BOB, Work::Frame, "wf_relax", Ending::Interrupted),
                begins(BOB, Work::Frame, "wf_listen", Some("15"), None),
                begins(BOB, Work::Primitive, "listen", None, Some(5)),
            ],
            2 => vec![
                ends(ROBOT, Work::Primitive, "remind", Ending::Done),
                ends(ROBOT, Work::Frame, "wf_remindMedication", Ending::Done),
                ends(BOB, Work::Frame, "wf_listen", Ending::Done),
                event(BOB, What::Thinks { name: "tf_forget".to_string() }),
                event(BOB, What::Believes(change("Bob.tookMedication", "none", "true"))),
                event(BOB, What::Resumes { name: "wf_relax".to_string(), length: Some(210 * MINUTE) }),
                begins(HOUSE, Work::Frame, "wf_watch", Some("1"), None),
                begins(HOUSE, Work::Communicate, "announce", None, Some(25)),
            ],
            3 => vec![
                event(HOUSE, What::Makes(change("Bob.tookMedication", "none", "false"))),
                event(
                    HOUSE,
                    What::Tells { to: CARE_WORKER, content: "Bob.tookMedication = false".to_string() },
                ),
                event(CARE_WORKER, What::Believes(change("Bob.tookMedication", "none", "false"))),
                ends(HOUSE, Work::Communicate, "announce", Ending::Done),
                ends(HOUSE, Work::Frame, "wf_watch", Ending::Aborted),
            ],
            4 => vec![
                ends(CARE_WORKER, Work::Primitive, "otherDuties", Ending::Done),
                ends(CARE_WORKER, Work::Frame, "wf_duties", Ending::Done),
                event(
                    CARE_WORKER,
                    What::Detects { name: "bell".to_string(), action: "continue".to_string() },
                ),
                begins(CARE_WORKER, Work::Frame, "wf_attendBob", Some("20"), None),
                begins(CARE_WORKER, Work::Move, "moveToBob", None, Some(27)),
            ],
            _ => vec![
                at(CARE_WORKER, "Office", "BobChair"),
                ends(CARE_WORKER, Work::Move, "moveToBob", Ending::Done),
                event(CARE_WORKER, What::Remarks { text: "good afternoon".to_string() }),
            ],
        }
    }

    fn account(&self, state: &State, subject: &str) -> Vec<Account> {
        if subject != "wf_attendBob" {
            return Vec::new();
        }
        let line = |met, text: &str| AccountLine { met, text: text.to_string() };
        vec![Account {
            process: CARE_WORKER,
            subject: subject.to_string(),
            status: "waits: otherDuties has priority 50, wf_attendBob 20".to_string(),
            active: state[0] > 4,
            lines: vec![
                line(Some(true), "knownval(Bob.tookMedication = false): it is false"),
                line(Some(false), "knownval(Bob.missed > 1): Bob.missed is 0"),
                line(None, "repeat: true"),
            ],
            origin: None,
        }]
    }
}

/// The whole afternoon.
pub(crate) fn afternoon() -> Evidence {
    let taken = |(stage, minutes): (u32, &u32)| Taken {
        ordinal: 0,
        branch: 0,
        process: ROBOT,
        action: ActionId(stage),
        delay: minutes * 60_000,
    };
    let states = (0..=6).map(|stage: u32| Box::from([stage]) as Box<State>).collect();
    let run = Run { initial: 0, states, steps: (0..).zip(&DELAYS).map(taken).collect() };
    Evidence::finite(run)
}

/// Whenever the care worker is worried, within this time she is there.
pub(crate) fn comes_within(amount: u64) -> Path<AtomId> {
    let atom = |atom| Box::new(Path::Now(Formula::Atom(atom)));
    let high = Some(Bound { amount, unit: Some(Unit::Clock), strict: false });
    let answer = Path::Eventually(Interval { low: None, high }, atom(THERE));
    let response = Path::Implies(atom(WORRIED), Box::new(answer));
    Path::Always(Interval::default(), Box::new(response))
}

pub(crate) fn care_tale() -> Tale {
    let care = Care::new();
    let evidence = afternoon();
    let mut tale = tale(&evidence, &care, &care, &Sources::new(), &[WORRIED, THERE]);
    tale.judge(&evidence, &care, &comes_within(2 * HOUR));
    tale
}

pub(crate) fn late() -> ClaimReport {
    let margin = Margin { measure: Measure::Response, bound: Some(2 * HOUR), worst: Some(147 * MINUTE) };
    ClaimReport {
        name: "M4".to_string(),
        kind: Kind::Property,
        words: None,
        english: "whenever Care_Worker believes Bob.tookMedication = false, within 2 h, \
                  Care_Worker.location = BobChair"
            .to_string(),
        text: String::new(),
        formula: String::new(),
        place: None,
        expect: Expect::Holds,
        outcome: Outcome {
            verdict: Verdict::Fails,
            evidence: None,
            vacuity: Vacuity::Triggered,
            coverage: motet_evidence::Coverage { states: 30_911, complete: true, ..Default::default() },
            starved: Vec::new(),
            margin: Some(margin),
            quantity: None,
        },
        starved: Vec::new(),
        trigger: None,
        idle: Vec::new(),
        engine: "native".to_string(),
        asked: Asked::WithAll,
        tale: Some(care_tale()),
        trace: Some(".motet/traces/M4.itf.json".to_string()),
        second: None,
        chance: None,
        strategy: None,
        left_out: Vec::new(),
        narrowed: Vec::new(),
        orders: Vec::new(),
    }
}

/// The claim with another bound holds.
pub(crate) fn in_time(name: &str, measure: Measure, worst: u64) -> ClaimReport {
    let late = late();
    let margin = Some(Margin { measure, bound: Some(4 * HOUR), worst: Some(worst) });
    let outcome = Outcome { verdict: Verdict::Holds, margin, ..late.outcome };
    ClaimReport { name: name.to_string(), outcome, tale: None, trace: None, ..late }
}

pub(crate) fn care_report(claims: Vec<ClaimReport>) -> Report {
    Report {
        head: Head {
            path: "homecare/".to_string(),
            language: "Brahms".to_string(),
            facts: vec!["4 agents".to_string(), "1 object".to_string()],
            claims_files: vec!["home.props".to_string()],
            ..Head::default()
        },
        unit: TimeUnit::Milliseconds,
        coverage: Some(motet_evidence::Coverage { states: 30_911, complete: true, ..Default::default() }),
        claims,
        ..Report::default()
    }
}
