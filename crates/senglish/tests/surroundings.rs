//! The modelled world behaves as the model: the same outcomes with the same chances, and no team ever sees anything else.

mod generate;
mod stage;
mod vessel;

use std::collections::BTreeMap;

use motet_model::{News, Order};
use motet_source::fuzz::{Random, each_seed};
use stage::{Stage, options};
use vessel::{ASV, DTMC};

/// What the world heard in a cycle, to tell it again.
type Cycle = (Vec<String>, Vec<Order>, Vec<u64>);

/// News in one order, as a name for an outcome.
fn named(news: &[News]) -> Vec<String> {
    let mut names: Vec<String> = news.iter().map(|item| format!("{item:?}")).collect();
    names.sort();
    names
}

/// A run of a team in its modelled world up to some cycle, and the orders of that cycle.
struct Scene {
    stage: Stage,
    past: Vec<Cycle>,
    believed: Vec<String>,
    orders: Vec<Order>,
    /// What the model says of this cycle: outcomes and their chances.
    expected: BTreeMap<Vec<String>, f64>,
}

impl Scene {
    fn play(mut stage: Stage, random: &mut Random, cycles: usize) -> Self {
        let mut world = stage.world();
        let mut past: Vec<Cycle> = Vec::new();
        loop {
            let steps = stage.steps();
            let choice = random.below(steps.len());
            let believed = stage.believed();
            let orders = stage.decide(choice);
            let step = steps.get(choice).expect("it was drawn from the steps");
            if past.len() == cycles {
                let mut expected = BTreeMap::new();
                for branch in step.branches() {
                    let outcome = named(&stage.news(branch.target));
                    *expected.entry(outcome).or_insert(0.0) += branch.chance.to_f64();
                }
                return Self { stage, past, believed, orders, expected };
            }
            let mut draws = Vec::new();
            let mut draw = || {
                draws.push(random.bits());
                draws[draws.len() - 1]
            };
            let news = world.tick(&believed, &orders, &mut draw).expect("no bound is exceeded");
            past.push((believed, orders, draws));
            let perceived = stage.actor.perceive(&news).expect("no bound is exceeded");
            assert_eq!(perceived.impossible, [""; 0]);
        }
    }

    /// The outcome of the last cycle when these numbers are drawn, and how many were.
    fn outcome(&self, draws: &[u64]) -> (Vec<String>, usize) {
        let mut world = self.stage.world();
        for (believed, orders, draws) in &self.past {
            let mut numbers = draws.iter();
            let mut draw = || *numbers.next().expect("the past needs as many numbers as before");
            world.tick(believed, orders, &mut draw).expect("no bound is exceeded");
        }
        let mut drawn = 0;
        let mut draw = || {
            drawn += 1;
            draws.get(drawn - 1).copied().unwrap_or(0)
        };
        let news = world.tick(&self.believed, &self.orders, &mut draw).expect("no bound is exceeded");
        (named(&news), drawn)
    }

    /// For one of the draws the ranges of numbers that make the same outcome: where each begins.
    fn ranges(&self, at: usize, n: usize) -> Vec<u64> {
        let outcome = |number: u64| {
            let mut draws = vec![0; n];
            draws[at] = number;
            self.outcome(&draws).0
        };
        let mut starts = vec![0];
        let last = outcome(u64::MAX);
        while let Some(start) = starts.last().copied().filter(|start| outcome(*start) != last) {
            let here = outcome(start);
            let (mut same, mut other) = (start, u64::MAX);
            while other - same > 1 {
                let middle = same + (other - same) / 2;
                if outcome(middle) == here { same = middle } else { other = middle }
            }
            starts.push(other);
        }
        starts
    }
}

#[test]
fn the_outcomes_of_all_draws_have_the_chances_of_the_model() {
    each_seed(40, |seed, random| {
        let logic = if seed % 3 == 0 { "three-valued" } else { "two-valued" };
        let stage = Stage::new(&generate::project(random), &options(logic));
        let cycles = random.below(9);
        let scene = Scene::play(stage, random, cycles);
        let n = scene.outcome(&[]).1;
        let ranges: Vec<Vec<u64>> = (0..n).map(|at| scene.ranges(at, n)).collect();
        let mut found: BTreeMap<Vec<String>, f64> = BTreeMap::new();
        let mut places = vec![0; n];
        loop {
            let draws: Vec<u64> = places.iter().zip(&ranges).map(|(place, starts)| starts[*place]).collect();
            let share = |(place, starts): (&usize, &Vec<u64>)| {
                let end = starts.get(place + 1).map_or(18_446_744_073_709_551_616.0, |end| *end as f64);
                (end - starts[*place] as f64) / 18_446_744_073_709_551_616.0
            };
            let chance: f64 = places.iter().zip(&ranges).map(share).product();
            *found.entry(scene.outcome(&draws).0).or_insert(0.0) += chance;
            let Some(at) = (0..n).find(|at| places[*at] + 1 < ranges[*at].len()) else { break };
            places[..at].fill(0);
            places[at] += 1;
        }
        assert_eq!(found.keys().collect::<Vec<_>>(), scene.expected.keys().collect::<Vec<_>>());
        for (outcome, chance) in &scene.expected {
            let share = found[outcome];
            assert!((share - chance).abs() < 1e-12, "{outcome:?} has {share}, the model {chance}");
        }
    });
}

/// A team in its modelled world never leaves the model.
fn live<T: AsRef<str>>(files: &[(T, T)], logic: &str, cycles: usize, random: &mut Random) {
    let mut stage = Stage::new(files, &options(logic));
    let mut world = stage.world();
    for cycle in 0..cycles {
        let steps = stage.steps();
        let choice = random.below(steps.len());
        let believed = stage.believed();
        let orders = stage.decide(choice);
        let news = world.tick(&believed, &orders, &mut || random.bits()).expect("no bound is exceeded");
        let perceived = stage.actor.perceive(&news).expect("no bound is exceeded");
        assert_eq!(perceived.impossible, [""; 0], "cycle {cycle}");
        assert_eq!(perceived.unknown, [""; 0], "cycle {cycle}");
        let step = steps.get(choice).expect("it was drawn from the steps");
        let branch = step.branches().find(|branch| branch.target == stage.actor.state());
        let branch = branch.expect("the team is in a state that the model goes to");
        assert_eq!(stage::chance(&perceived.trials), branch.chance, "cycle {cycle}");
    }
}

#[test]
fn a_team_in_its_modelled_world_never_leaves_the_model() {
    each_seed(60, |seed, random| {
        let logic = if seed % 3 == 0 { "three-valued" } else { "two-valued" };
        live(&generate::project(random), logic, 150, random);
    });
}

#[test]
fn the_vessel_stays_in_its_model_for_a_thousand_cycles() {
    each_seed(3, |_, random| {
        for files in [ASV, DTMC] {
            live(files, "two-valued", 1000, random);
        }
    });
}

#[test]
fn a_sentence_with_an_agent_is_that_agents_belief() {
    let scout = "INITIAL BELIEFS AND GOALS\nFound.\n";
    let hunter = "INITIAL BELIEFS AND GOALS\nFound.\nPERCEPTION PROCESS\nMonitor the following booleans:\n\
                  Called. {[scout: Found],[1,1,0],[1,1,0]}\n";
    let stage = Stage::new(&[("scout.sej", scout), ("hunter.sej", hunter)], &options("two-valued"));
    let called = |beliefs: &[&str]| {
        let beliefs: Vec<String> = beliefs.iter().map(|text| (*text).to_owned()).collect();
        !stage.world().tick(&beliefs, &[], &mut || 0).expect("no bound is exceeded").is_empty()
    };
    assert!(called(&["Found"]), "a sentence without an agent is everybody's");
    assert!(called(&["scout: Found"]) && called(&["Found", "hunter: Found", "scout: Found"]));
    assert!(!called(&["hunter: Found"]) && !called(&["Found", "hunter: Found"]) && !called(&[]));
}
