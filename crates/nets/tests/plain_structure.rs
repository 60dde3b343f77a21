//! Semiflows, siphons and traps against their definitions.

mod plain_lab;

use std::collections::BTreeSet;

use motet_nets::plain::PlainNet;
use motet_nets::plain::invariants::{
    Limit, Semiflow, bounds, incidence, place_semiflows, place_text, transition_semiflows,
};
use motet_nets::plain::siphons::{Proof, commoner, is_siphon, is_trap, largest_trap, minimal_siphons};
use motet_source::fuzz::{Random, each_seed};
use plain_lab::{net, random, reachable};

fn small(seed: &mut Random) -> PlainNet {
    let (places, transitions) = (2 + seed.below(5), 1 + seed.below(5));
    random(seed, places, transitions)
}

/// Two philosophers who take their left forks first.
fn philosophers() -> PlainNet {
    net(
        &[("think1", 1), ("think2", 1), ("fork1", 1), ("fork2", 1)],
        &[
            ("left1", "think1 fork1", "half1"),
            ("right1", "half1 fork2", "eat1"),
            ("end1", "eat1", "think1 fork1 fork2"),
            ("left2", "think2 fork2", "half2"),
            ("right2", "half2 fork1", "eat2"),
            ("end2", "eat2", "think2 fork1 fork2"),
        ],
    )
}

/// What a weighting of places gains by each transition.
fn gains(net: &PlainNet, flow: &Semiflow) -> Vec<i64> {
    let mut gains = vec![0; net.transitions.len()];
    for (place, transition, change) in incidence(net) {
        let weight = flow.weights.iter().find(|(own, _)| *own == place).map_or(0, |(_, weight)| *weight);
        gains[transition] += change * i64::try_from(weight).expect("a small weight");
    }
    gains
}

fn support(flow: &Semiflow) -> BTreeSet<usize> {
    flow.weights.iter().map(|(index, _)| *index).collect()
}

fn are_minimal(flows: &[Semiflow]) -> bool {
    let supports: Vec<BTreeSet<usize>> = flows.iter().map(support).collect();
    supports.iter().enumerate().all(|(number, own)| {
        supports.iter().enumerate().all(|(other, set)| other == number || !set.is_subset(own))
    })
}

#[test]
fn no_firing_changes_a_place_semiflow_and_their_supports_are_minimal() {
    each_seed(300, |_, seed| {
        let net = small(seed);
        let flows = place_semiflows(&net, Limit::default()).unwrap();
        assert!(flows.iter().all(|flow| gains(&net, flow).iter().all(|gain| *gain == 0)), "{net:?}");
        assert!(are_minimal(&flows), "{flows:?}");
    });
}

#[test]
fn firing_a_transition_semiflow_changes_no_place() {
    each_seed(300, |_, seed| {
        let net = small(seed);
        let flows = transition_semiflows(&net, Limit::default()).unwrap();
        for flow in &flows {
            let mut changes = vec![0; net.places.len()];
            for (place, transition, change) in incidence(&net) {
                let times = flow.weights.iter().find(|(own, _)| *own == transition);
                changes[place] += change * times.map_or(0, |(_, times)| i64::try_from(*times).unwrap());
            }
            assert!(changes.iter().all(|change| *change == 0), "{net:?} {flow:?}");
        }
        assert!(are_minimal(&flows), "{flows:?}");
    });
}

/// Every weighting with weights up to 3 is tried, so the minimal ones cannot have been missed.
#[test]
fn every_weighting_that_firings_keep_contains_a_minimal_semiflow() {
    each_seed(60, |_, seed| {
        let places = 2 + seed.below(3);
        let net = random(seed, places, 3);
        let flows = place_semiflows(&net, Limit::default()).unwrap();
        for number in 1..4_usize.pow(u32::try_from(places).unwrap()) {
            let digit = |place: usize| (number / 4_usize.pow(u32::try_from(place).unwrap()) % 4) as u64;
            let weights: Vec<(usize, u64)> =
                (0..places).map(|place| (place, digit(place))).filter(|(_, weight)| *weight > 0).collect();
            let flow = Semiflow { weights };
            if gains(&net, &flow).iter().all(|gain| *gain == 0) {
                let own = support(&flow);
                assert!(flows.iter().any(|minimal| support(minimal).is_subset(&own)), "{net:?} {flow:?}");
            }
        }
    });
}

#[test]
fn no_reachable_marking_exceeds_a_bound_that_semiflows_prove() {
    each_seed(200, |_, seed| {
        let net = small(seed);
        let bounds = bounds(&net, &place_semiflows(&net, Limit::default()).unwrap());
        let (markings, _) = reachable(&net, 2_000);
        for marking in markings {
            for (tokens, bound) in marking.iter().zip(&bounds) {
                assert!(bound.is_none_or(|bound| *tokens <= bound), "{net:?} {marking:?} {bounds:?}");
            }
        }
    });
}

#[test]
fn the_philosophers_keep_their_forks() {
    let net = philosophers();
    let flows = place_semiflows(&net, Limit::default()).unwrap();
    let mut texts: Vec<String> = flows.iter().map(|flow| place_text(&net, flow)).collect();
    texts.sort();
    assert_eq!(
        texts,
        [
            "#fork1 + #half1 + #eat1 + #eat2 = 1",
            "#fork2 + #eat1 + #half2 + #eat2 = 1",
            "#think1 + #half1 + #eat1 = 1",
            "#think2 + #half2 + #eat2 = 1",
        ]
    );
    assert_eq!(bounds(&net, &flows), vec![Some(1); 8]);
}

/// A ring in which each of n stages has two places of which one token takes one: each way round is a semiflow of its own.
#[test]
fn too_many_semiflows_are_said_to_be_too_many() {
    let names: Vec<[String; 3]> = (0..20)
        .map(|n| [format!("a{n}"), format!("a{} b{}", n, n), format!("a{} b{}", (n + 1) % 20, (n + 1) % 20)])
        .collect();
    let transitions: Vec<(&str, &str, &str)> =
        names.iter().map(|[name, takes, gives]| (name.as_str(), takes.as_str(), gives.as_str())).collect();
    let ring = net(&[("a0", 1), ("b0", 1)], &transitions);
    let limit = Limit { results: 500, ..Limit::default() };
    let refused = place_semiflows(&ring, limit).unwrap_err();
    assert!(refused.to_string().contains("500 results"), "{refused}");
    assert!(minimal_siphons(&ring, limit).is_err());
}

fn subsets(n: usize) -> impl Iterator<Item = Vec<usize>> {
    (1_u32..1 << n).map(move |bits| (0..n).filter(|place| bits >> place & 1 == 1).collect())
}

#[test]
fn the_minimal_siphons_are_those_of_all_sets_of_places() {
    each_seed(150, |_, seed| {
        let net = small(seed);
        let mut all: Vec<Vec<usize>> = subsets(net.places.len()).filter(|set| is_siphon(&net, set)).collect();
        all.sort_by_key(Vec::len);
        let mut minimal: Vec<Vec<usize>> = Vec::new();
        for set in all {
            if !minimal.iter().any(|smaller| smaller.iter().all(|place| set.contains(place))) {
                minimal.push(set);
            }
        }
        minimal.sort();
        assert_eq!(minimal_siphons(&net, Limit::default()).unwrap(), minimal, "{net:?}");
    });
}

#[test]
fn the_largest_trap_in_a_set_contains_every_trap_in_it() {
    each_seed(150, |_, seed| {
        let net = small(seed);
        let within: Vec<usize> = (0..net.places.len()).filter(|_| seed.below(3) > 0).collect();
        let largest = largest_trap(&net, &within);
        assert!(is_trap(&net, &largest));
        let inside = |set: &Vec<usize>| set.iter().all(|place| within.contains(place));
        for set in subsets(net.places.len()).filter(inside).filter(|set| is_trap(&net, set)) {
            assert!(set.iter().all(|place| largest.contains(place)), "{net:?} {set:?} {largest:?}");
        }
    });
}

/// By definition an empty siphon stays empty and a marked trap stays marked, whatever fires.
#[test]
fn empty_siphons_stay_empty_and_marked_traps_stay_marked() {
    each_seed(80, |_, seed| {
        let net = small(seed);
        let sets: Vec<Vec<usize>> = subsets(net.places.len()).collect();
        let (markings, _) = reachable(&net, 300);
        for marking in markings {
            let marked = |set: &[usize], marking: &[u32]| set.iter().any(|place| marking[*place] > 0);
            for transition in 0..net.transitions.len() {
                let Some(next) = plain_lab::fired(&net, transition, &marking) else { continue };
                for set in &sets {
                    assert!(!is_siphon(&net, set) || marked(set, &marking) || !marked(set, &next));
                    assert!(!is_trap(&net, set) || !marked(set, &marking) || marked(set, &next));
                }
            }
        }
    });
}

#[test]
fn a_net_whose_siphons_contain_marked_traps_has_no_dead_marking() {
    let mut proved = 0;
    for seed in 0..400 {
        let net = small(&mut Random::new(seed));
        let condition = commoner(&net, Limit::default()).unwrap();
        if condition.proof != Proof::NeverDead {
            continue;
        }
        proved += 1;
        let (markings, _) = reachable(&net, 500);
        for marking in markings {
            let alive = (0..net.transitions.len()).any(|t| plain_lab::fired(&net, t, &marking).is_some());
            assert!(alive, "seed {seed}: {net:?} is dead in {marking:?}");
        }
    }
    assert!(proved > 5, "only {proved} nets satisfy the condition");
}

#[test]
fn both_forks_in_wrong_hands_are_a_siphon_without_a_trap() {
    let net = philosophers();
    let condition = commoner(&net, Limit::default()).unwrap();
    assert_eq!(condition.proof, Proof::Unguarded);
    let name = |place: &usize| net.places[*place].name.as_str();
    let unguarded: Vec<Vec<&str>> = condition
        .unguarded
        .iter()
        .map(|&number| condition.siphons[number].0.iter().map(name).collect())
        .collect();
    assert_eq!(unguarded, [["fork1", "fork2", "eat1", "eat2"]]);
}
