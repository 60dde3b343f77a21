//! A toy team: a clerk who asks a robot for a parcel and waits, and a robot that may drop the request. Enough of a
//! system to tell its runs.

use motet_evidence::{Coverage, Evidence, Fairness, Outcome, Run, Taken, Vacuity, Verdict};
use motet_model::{
    ActionId, AtomId, Fault, Mind, Model, ProcessId, Section, Signature, SlotId, Snapshot, State, Steps,
    Story, Weight, Words,
};
use motet_property::{Expect, Kind};
use motet_render::{Asked, ClaimReport, Head, Report, Tale, tale};
use motet_source::{Sources, Span};

/// One slot: how far the shop is. 0 start, 1 asked, 2 received, 3 dropped; from 3 both only wait.
pub(crate) struct Shop(Signature);

impl Shop {
    pub(crate) fn new() -> Self {
        Self(Signature {
            slots: vec!["stage".to_string()],
            processes: vec!["clerk".to_string(), "robot".to_string(), "environment".to_string()],
            atoms: vec!["Des(clerk, parcel)".to_string(), "Bel(clerk, parcel)".to_string()],
            ..Signature::default()
        })
    }
}

impl Model for Shop {
    fn signature(&self) -> &Signature {
        &self.0
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.push(Box::new([0]));
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        match state[0] {
            0 => out.push(ProcessId(0), ActionId(0), 0, &[1]),
            1 => out.push(ProcessId(1), ActionId(1), 0, &[2]),
            2 => out.push(ProcessId(1), ActionId(2), 0, &[3]),
            _ => {
                out.push(ProcessId(0), ActionId(3), 0, &[3]);
                out.push(ProcessId(1), ActionId(4), 0, &[3]);
            }
        }
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        atom == AtomId(0) && state[0] >= 1
    }
}

impl Words for Shop {
    fn value(&self, _: SlotId, value: u32) -> String {
        ["start", "asked", "received", "dropped"][value as usize].to_string()
    }

    fn action(&self, action: ActionId) -> String {
        self.story(action).text
    }

    fn story(&self, action: ActionId) -> Story {
        let story = |process: u32, text: &str, to: Option<(ProcessId, String)>, weight| Story {
            process: ProcessId(process),
            text: text.to_string(),
            to,
            weight,
        };
        match action.0 {
            0 => story(0, ".send", Some((ProcessId(1), "fetch(parcel)".to_string())), Weight::Notable),
            1 => story(1, "+!fetch(parcel)", None, Weight::Routine),
            2 => story(1, "event dropped, no plan", None, Weight::Alarm),
            3 => story(0, "idle", None, Weight::Idle),
            _ => story(1, "idle", None, Weight::Idle),
        }
    }

    fn origin(&self, _: ActionId) -> Option<Span> {
        None
    }

    fn snapshot(&self, state: &State) -> Snapshot {
        let items = if state[0] >= 1 { vec!["parcel".to_string()] } else { Vec::new() };
        let sections = vec![Section { title: "desires".to_string(), items }];
        Snapshot { minds: vec![Mind { name: "clerk".to_string(), sections }] }
    }

    fn why(&self, _: &[Box<State>], actions: &[ActionId], at: usize) -> Vec<String> {
        match actions[at].0 {
            2 => {
                vec!["robot has no plan for +!fetch(parcel) when its tray is full (robot.asl:3)".to_string()]
            }
            _ => Vec::new(),
        }
    }
}

/// The clerk waits for ever.
pub(crate) fn lasso() -> Evidence {
    let taken = |ordinal, process, action| Taken {
        ordinal,
        branch: 0,
        process: ProcessId(process),
        action: ActionId(action),
        delay: 0,
    };
    let states = [0, 1, 2, 3, 3, 3].map(|stage: u32| Box::from([stage]) as Box<State>);
    let steps = vec![taken(0, 0, 0), taken(0, 1, 1), taken(0, 1, 2), taken(0, 0, 3), taken(1, 1, 4)];
    let run = Run { initial: 0, states: states.to_vec(), steps };
    Evidence::new(run, Some(3), Fairness::Weak)
}

pub(crate) fn shop_tale() -> Tale {
    let shop = Shop::new();
    tale(&lasso(), &shop, &shop, &Sources::new(), &[AtomId(0), AtomId(1)])
}

pub(crate) fn coverage() -> Coverage {
    Coverage {
        states: 230_864,
        transitions: 400_000,
        complete: true,
        depth: 40,
        seconds: 2.9,
        explored_seconds: 2.5,
        peak_bytes: 61 * 1024 * 1024,
        choices: 300_000,
        open: 0,
    }
}

pub(crate) fn claim(name: &str, verdict: Verdict, expect: Expect) -> ClaimReport {
    ClaimReport {
        name: name.to_string(),
        kind: Kind::Property,
        words: Some("a wish for a parcel is granted".to_string()),
        english: "always, if clerk desires parcel, then eventually clerk believes parcel".to_string(),
        text: "[] (Des(clerk, parcel) -> <> Bel(clerk, parcel))".to_string(),
        formula: "G ((Des(clerk, parcel)) -> (F (Bel(clerk, parcel))))".to_string(),
        place: None,
        expect,
        outcome: Outcome {
            verdict,
            evidence: None,
            vacuity: Vacuity::Triggered,
            coverage: coverage(),
            starved: Vec::new(),
            margin: None,
            quantity: None,
        },
        starved: Vec::new(),
        trigger: None,
        idle: Vec::new(),
        engine: "native".to_string(),
        asked: Asked::WithAll,
        tale: None,
        trace: None,
        second: None,
        chance: None,
        strategy: None,
        left_out: Vec::new(),
        narrowed: Vec::new(),
        orders: Vec::new(),
    }
}

pub(crate) fn failing() -> ClaimReport {
    ClaimReport {
        tale: Some(shop_tale()),
        trace: Some(".motet/traces/S1.itf.json".to_string()),
        ..claim("S1", Verdict::Fails, Expect::Holds)
    }
}

pub(crate) fn report(claims: Vec<ClaimReport>) -> Report {
    Report {
        command: vec!["check".to_string(), "shop/".to_string()],
        head: Head {
            path: "shop/".to_string(),
            language: "AgentSpeak(F)".to_string(),
            facts: vec!["2 agents".to_string()],
            claims_files: vec!["shop.props".to_string()],
            ..Head::default()
        },
        coverage: Some(coverage()),
        claims,
        ..Report::default()
    }
}
