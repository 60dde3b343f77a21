//! A vessel is watched while it sails: claims are decided in the cycle in which they are, and a world with other chances than
//! the model's is found out.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use motet_engine::{Random, Seed};
use motet_live::{Any, Drifting, Gathered, Hello, Observer, Run, RunLimits, Skills, Watching, run};
use motet_model::{News, Order, World};
use motet_render::{RunCycle, RunEnd, RunEvent, RunHead, RunNews, RunRemark};
use motet_workbench::{Acting, Loaded, Problems, Project, Sources, load};

const MISSION: &str = include_str!("../../../examples/asv/asv.sej");
const REST: [(&str, &str); 5] = [
    ("asv.ont", include_str!("../../../examples/asv/asv.ont")),
    ("ask_for_orders.sep", include_str!("../../../examples/asv/ask_for_orders.sep")),
    ("get_under_way.sep", include_str!("../../../examples/asv/get_under_way.sep")),
    ("hold_position.sep", include_str!("../../../examples/asv/hold_position.sep")),
    ("lay_out_the_tracks.sep", include_str!("../../../examples/asv/lay_out_the_tracks.sep")),
];

/// The vessel with another text of its mission, and claims.
fn vessel(mission: &str, claims: &str) -> Loaded {
    let mut sources = Sources::default();
    sources.add("asv.sej".to_owned(), mission.to_owned());
    REST.iter().for_each(|(path, text)| {
        sources.add((*path).to_owned(), (*text).to_owned());
    });
    sources.add("asv.props".to_owned(), claims.to_owned());
    load(Project { path: "asv".to_owned(), sources, ..Project::default() })
}

/// News by cycle, and nothing else.
#[derive(Default)]
struct Script(BTreeMap<u64, Vec<News>>);

impl Skills for Script {
    fn begin(&mut self, _: &Hello) -> Gathered {
        Gathered::default()
    }

    fn order(&mut self, _: u64, _: &[Order], _: &[String]) {}

    fn gather(&mut self, cycle: u64) -> Gathered {
        Gathered { news: self.0.remove(&cycle).unwrap_or_default(), ..Gathered::default() }
    }

    fn end(&mut self, _: &str) -> Vec<RunRemark> {
        Vec::new()
    }
}

/// A modelled world, without a process.
struct Modelled {
    world: Box<dyn World>,
    random: Random,
    news: Vec<News>,
}

impl Skills for Modelled {
    fn begin(&mut self, _: &Hello) -> Gathered {
        Gathered::default()
    }

    fn order(&mut self, _: u64, orders: &[Order], beliefs: &[String]) {
        let random = &mut self.random;
        self.news = self.world.tick(beliefs, orders, &mut || random.draw()).expect("the model goes on");
    }

    fn gather(&mut self, _: u64) -> Gathered {
        Gathered { news: std::mem::take(&mut self.news), ..Gathered::default() }
    }

    fn end(&mut self, _: &str) -> Vec<RunRemark> {
        Vec::new()
    }
}

/// Runs the vessel: its cycles and its end.
fn sail(loaded: &Loaded, skills: &mut dyn Skills, cycles: u64) -> (Vec<RunCycle>, RunEnd) {
    let ready = loaded.ready.as_ref().unwrap_or_else(|| panic!("{:?}", loaded.problems));
    let Acting { system, mut actor } = ready.acting(&mut Problems::new()).expect("an acting team");
    let mut watching = Watching::new(system.model.as_ref(), &ready.claims);
    let mut drifting = Drifting::default();
    let mut told: Vec<RunCycle> = Vec::new();
    let mut note = |event: &RunEvent| {
        if let RunEvent::Cycle(cycle) = event {
            told.push((**cycle).clone());
        }
    };
    let interrupt = AtomicBool::new(false);
    let end = run(Run {
        actor: actor.as_mut(),
        words: system.words.as_ref(),
        skills,
        select: &mut Any::new(1),
        observers: vec![&mut watching as &mut dyn Observer, &mut drifting],
        sinks: vec![&mut note],
        limits: RunLimits { cycles: Some(cycles), until: None, grace: 3, interrupt: &interrupt },
        head: RunHead::default(),
    });
    (told, end)
}

fn remarks(cycle: &RunCycle, about: &str) -> Vec<String> {
    cycle.remarks.iter().filter(|remark| remark.about == about).map(|remark| remark.text.clone()).collect()
}

fn rough(holds: bool) -> News {
    News::Percept { agent: None, what: "The sea is too rough".to_owned(), holds }
}

const CALM: &str = "property Calm \"the sea stays calm\": never \"The sea is too rough\"\n";

#[test]
fn a_violated_claim_is_told_in_its_cycle_and_the_agent_hears_of_it_in_the_next() {
    // A vessel that has a belief for it, to which its model gives no chance.
    let sea = "The sea is too rough. {[],[0.01,10,0],[0.5,3,0]}";
    let mission = MISSION.replace(sea, &format!("{sea}\nClaim is violated. {{[],[0,1,0],[1,1,0]}}"));
    assert_ne!(mission, MISSION);
    let claims = format!("{CALM}possible Complete: \"Mission complete\"\nquery Q: Pmax=? [F \"Error\"]\n");
    let loaded = vessel(&mission, &claims);
    let mut script = Script(BTreeMap::from([(7, vec![rough(true)])]));
    let (told, end) = sail(&loaded, &mut script, 10);
    assert_eq!(remarks(&told[0], "claim"), ["not watched, because it asks for a number: Q"]);
    let decided: Vec<(u64, Vec<String>)> = told[1..]
        .iter()
        .map(|cycle| (cycle.cycle, remarks(cycle, "claim")))
        .filter(|(_, said)| !said.is_empty())
        .collect();
    let said = "Calm \"the sea stays calm\" is violated in cycle 7: never \"The sea is too rough\"";
    assert_eq!(decided, [(7, vec![said.to_owned()])]);
    let heard = RunNews::Trouble { trouble: "Claim is violated".to_owned() };
    let hears: Vec<u64> =
        told.iter().filter(|cycle| cycle.news.contains(&heard)).map(|cycle| cycle.cycle).collect();
    assert_eq!(hears, [8]);
    let believes = |cycle: &RunCycle| {
        let mut sections = cycle.minds.iter().flat_map(|mind| &mind.sections);
        sections.any(|section| {
            section.title == "beliefs" && section.items.iter().any(|item| item.contains("Claim is violated"))
        })
    };
    assert_eq!(told.iter().map(believes).position(|believes| believes), Some(7), "in cycle 8");
    let standings: Vec<(&str, &str, Option<u64>, bool)> = end
        .standings
        .iter()
        .map(|standing| (standing.claim.as_str(), standing.standing.as_str(), standing.cycle, standing.alarm))
        .collect();
    assert_eq!(standings[0], ("Calm", "false", Some(7), true));
    assert_eq!(standings[1], ("Complete", "undecided: it was not seen", None, false));
    // The world is not to blame for what the host says, but for seas that become rough out of turn.
    let drifts: Vec<&str> = standings[2..].iter().map(|standing| standing.1).collect();
    assert!(drifts.iter().all(|drift| !drift.contains("Claim is violated")), "{drifts:?}");
}

#[test]
fn a_violation_that_the_author_expects_is_told_and_raises_nothing() {
    let loaded = vessel(MISSION, &format!("{} expect fails\n", CALM.trim_end()));
    let mut script = Script(BTreeMap::from([(3, vec![rough(true)])]));
    let (told, end) = sail(&loaded, &mut script, 5);
    assert_eq!(remarks(&told[2], "claim").len(), 1);
    assert!(!end.standings[0].alarm, "{:?}", end.standings);
    assert!(end.troubles.iter().all(|(trouble, _)| trouble != "Claim is violated"), "{:?}", end.troubles);
}

/// A window of cycles closes in the cycle in which nothing can meet it any more: heard in cycle 2, over in cycle 6.
#[test]
fn a_deadline_is_missed_in_the_cycle_in_which_it_passes() {
    let claim =
        "property Calms: always (\"The sea is too rough\" -> F<=4 cycles not \"The sea is too rough\")\n";
    let loaded = vessel(MISSION, claim);
    let mut script = Script(BTreeMap::from([(2, vec![rough(true)])]));
    let (_, end) = sail(&loaded, &mut script, 12);
    assert_eq!((end.standings[0].standing.as_str(), end.standings[0].cycle), ("false", Some(6)));
}

fn in_the_world_of(mission: &str, seed: u64, cycles: u64) -> (Vec<RunCycle>, RunEnd) {
    let loaded = vessel(MISSION, "");
    let world = vessel(mission, "").ready.expect("a model").world().expect("a world");
    let mut skills = Modelled { world, random: Random::new(Seed { series: seed, run: 0 }), news: Vec::new() };
    sail(&loaded, &mut skills, cycles)
}

#[test]
fn the_modelled_world_does_not_drift() {
    for seed in 0..10 {
        let (told, end) = in_the_world_of(MISSION, seed, 2000);
        assert!(
            told.iter().all(|cycle| remarks(cycle, "drift").is_empty()),
            "seed {seed}: {:?}",
            end.standings
        );
        let drift = end.standings.iter().find(|standing| standing.claim == "drift").expect("trials");
        assert!(!drift.alarm && drift.standing.starts_with("none found in "), "seed {seed}: {drift:?}");
    }
}

/// The sea is asked every tenth cycle whether it becomes rough. Where the model says 0.01 and the world 0.2, a bet on four
/// times the odds gains ln(4/1.03) = 1.36 with 0.2 and loses ln 1.03 = 0.03 with 0.8: 0.25 a trial, with a deviation of 0.55.
/// 200 of them yield 50 with a deviation of 7.8, and the level, the share of the stake and its moving ask for less than 20.
#[test]
fn a_rougher_sea_than_modelled_is_found() {
    let rougher = MISSION.replace("[0.01,10,0]", "[0.2,10,0]");
    assert_ne!(rougher, MISSION);
    for seed in 0..5 {
        let (told, end) = in_the_world_of(&rougher, seed, 4000);
        let found: Vec<(u64, String)> = told
            .iter()
            .flat_map(|cycle| remarks(cycle, "drift").into_iter().map(|text| (cycle.cycle, text)))
            .collect();
        let (cycle, text) = found.first().unwrap_or_else(|| panic!("seed {seed}: {:?}", end.standings));
        assert!(
            text.contains("The sea is too rough becomes true") && text.contains("the model expects"),
            "{text}"
        );
        assert!(*cycle > 50, "seed {seed}: {found:?}");
        let heard = RunNews::Trouble { trouble: "Model has drifted".to_owned() };
        let hears = told.iter().find(|cycle| cycle.news.contains(&heard)).map(|cycle| cycle.cycle);
        assert_eq!(hears, Some(cycle + 1), "seed {seed}");
    }
}
