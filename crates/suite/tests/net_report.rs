//! What a report says of markings is what a slow and obvious look at them says, and no more than was looked at.

#[path = "../../nets/tests/plain_lab/mod.rs"]
mod plain_lab;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use motet_nets::plain::PlainNet;
use motet_render::{Behaviour, NetReport};
use motet_source::fuzz::Random;
use motet_workbench::{
    Limits, NetReportOptions, Options, Problems, Project, Sources, Stop, load, net_report, skeletons,
};
use plain_lab::{fired, random, reachable};

fn report_of(path: &str, text: &str, claims: &str, options: &NetReportOptions) -> NetReport {
    let mut sources = Sources::new();
    sources.add(path, text);
    if !claims.is_empty() {
        sources.add("model.props", claims);
    }
    let mut problems = Problems::new();
    let skeletons = skeletons(&sources, &Options::default(), &mut problems).expect("it is a net");
    let loaded = load(Project { sources, ..Project::default() });
    let ready = loaded.ready.as_ref().unwrap_or_else(|| panic!("{:?}", loaded.problems));
    net_report(ready, "model", &skeletons, options, &mut |_| {})
}

fn with(limits: Limits) -> NetReportOptions {
    NetReportOptions { limits, threads: 1 }
}

/// The report from the definitions: what can be reached from each marking is looked up marking by marking.
fn slowly(net: &PlainNet, markings: &BTreeSet<Vec<u32>>) -> Behaviour {
    let n_transitions = net.transitions.len();
    let next = |marking: &Vec<u32>| (0..n_transitions).filter_map(|at| fired(net, at, marking)).collect();
    let from = |start: &Vec<u32>| {
        let mut seen = BTreeSet::from([start.clone()]);
        let mut waiting = vec![start.clone()];
        while let Some(marking) = waiting.pop() {
            let after: Vec<Vec<u32>> = next(&marking);
            waiting.extend(after.into_iter().filter(|next| seen.insert(next.clone())));
        }
        seen
    };
    let reached: Vec<BTreeSet<Vec<u32>>> = markings.iter().map(from).collect();
    let enabled = |at: usize, marking: &Vec<u32>| fired(net, at, marking).is_some();
    let name = |at: usize| net.transitions[at].name.clone();
    let firings = |marking: &Vec<u32>| (0..n_transitions).filter(|at| enabled(*at, marking)).count() as u64;
    let home: Vec<_> =
        markings.iter().filter(|marking| reached.iter().all(|reached| reached.contains(*marking))).collect();
    let never = |at: &usize| !markings.iter().any(|marking| enabled(*at, marking));
    let live = |at: &usize| reached.iter().all(|reached| reached.iter().any(|marking| enabled(*at, marking)));
    let most = |at: usize| markings.iter().map(|marking| u64::from(marking[at])).max().unwrap_or(0);
    Behaviour {
        states: markings.len() as u64,
        firings: markings.iter().map(firings).sum(),
        dead: markings.iter().filter(|marking| firings(marking) == 0).count() as u64,
        dead_run: Vec::new(),
        most: net.places.iter().enumerate().map(|(at, place)| (place.name.clone(), most(at))).collect(),
        never: (0..n_transitions).filter(never).map(name).collect(),
        live: (0..n_transitions).filter(live).map(name).collect(),
        home: home.len() as u64,
        reversible: home.contains(&&net.initial()),
    }
}

#[test]
fn a_report_says_what_a_slow_look_at_every_marking_says() {
    let (mut seen, mut live, mut homeless) = (0, 0, 0);
    for seed in 0..400 {
        let mut dice = Random::new(seed);
        let (n_places, n_transitions) = (1 + dice.below(5), 1 + dice.below(6));
        let net = random(&mut dice, n_places, n_transitions);
        let (markings, is_all) = reachable(&net, 120);
        if !is_all {
            continue;
        }
        let text = motet_pnml::write(&net);
        let told = report_of("net.pnml", &text, "", &NetReportOptions::default());
        let mut found = told.behaviour.unwrap_or_else(|| panic!("{:?}", told.stopped));
        // The run is followed in the net, firing by firing.
        let mut marking = net.initial();
        for name in std::mem::take(&mut found.dead_run) {
            let at = net.transitions.iter().position(|transition| transition.name == name).expect("a name");
            marking = fired(&net, at, &marking).expect("it can fire there");
        }
        let is_dead = (0..net.transitions.len()).all(|at| fired(&net, at, &marking).is_none());
        assert!(found.dead == 0 || is_dead, "{marking:?}");
        let slow = slowly(&net, &markings);
        assert_eq!(format!("{found:?}"), format!("{slow:?}"), "seed {seed}");
        seen += 1;
        live += usize::from(!slow.live.is_empty() && markings.len() > 1);
        homeless += usize::from(slow.home == 0);
    }
    assert!(seen > 200 && live > 20 && homeless > 10, "{seen} {live} {homeless}");
}

/// Two places and a token that goes round; many tokens make many markings.
fn round(tokens: u32) -> String {
    format!(
        "net round\npl a ({tokens})\npl b (0)\npl c (0)\npl e (0)\ntr go a -> b\ntr on b -> c\ntr back c -> a\ntr never e -> a\n"
    )
}

#[test]
fn a_limit_leaves_what_was_seen_and_nothing_that_needs_the_rest() {
    let text = round(100);
    let whole = report_of("round.net", &text, "", &NetReportOptions::default());
    // 5 151 ways to lay 100 tokens into three places.
    let all = whole.behaviour.expect("no limit");
    assert_eq!((all.states, all.home, all.reversible), (5151, 5151, true));
    assert_eq!((all.live.len(), all.never), (3, vec!["never".to_owned()]));
    let states = Limits { states: Some(50), ..Limits::default() };
    let memory = Limits { memory: Some(1), ..Limits::default() };
    let time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let interrupt = Limits { interrupt: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
    let depth = Limits { depth: Some(3), ..Limits::default() };
    let stops = [
        (states, Stop::States),
        (memory, Stop::Memory),
        (time, Stop::Time),
        (interrupt, Stop::Interrupted),
        (depth, Stop::Depth),
    ];
    for (limits, expected) in stops {
        let cut = report_of("round.net", &text, "", &with(limits));
        assert_eq!((cut.stop.clone(), cut.behaviour.is_none()), (Some(expected.clone()), true));
        let seen = cut.seen.clone().expect("what was seen is told");
        assert!(seen.states < all.states && seen.open > 0, "{expected:?}: {seen:?}");
        assert!(seen.not_yet.contains(&"never".to_owned()));
        for part in ["the part that was seen", "live            unknown", "home markings   unknown"] {
            assert!(cut.text().contains(part), "{expected:?}: {}", cut.text());
        }
        assert!(
            !cut.text().contains("never fire") && !cut.text().contains("can always fire"),
            "{}",
            cut.text()
        );
        let states = format!("\"states\": {},", seen.states);
        assert!(cut.json().contains("\"behaviour\": null") && cut.json().contains(&states), "{}", cut.json());
    }
}

#[test]
fn a_report_is_the_same_for_any_number_of_threads() {
    // 45 451 markings: more than one thread takes part.
    let text = round(300);
    let told = |threads| {
        report_of("round.net", &text, "", &NetReportOptions { threads, ..Default::default() }).text()
    };
    let one = told(1);
    assert!(one.contains("45 451 with"), "{one}");
    assert_eq!(one, told(2));
    assert_eq!(one, told(4));
}

/// A claim about a firing has states remember what fired last; that is no part of a marking.
#[test]
fn the_claims_of_the_folder_do_not_change_how_many_markings_there_are() {
    let claims = "possible Goes: fires(go)\n";
    let alone = report_of("round.net", &round(5), "", &NetReportOptions::default());
    let beside = report_of("round.net", &round(5), claims, &NetReportOptions::default());
    assert_eq!(alone.text(), beside.text());
    assert!(alone.text().contains("21 with 45 firings"), "{}", alone.text());
}
