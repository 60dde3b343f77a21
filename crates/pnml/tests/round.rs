//! What is written is read again as the same net.

mod lab;

use lab::{net_size, read};
use motet_nets::plain::{Arc, PlainNet, PlainPlace, PlainTransition, merged};
use motet_pnml::tina;
use motet_source::fuzz::{Random, each_seed};
use motet_source::{Problems, Sources};

const NAMES: &[&str] =
    &["a", "fork 1", "x<y", "α & β", "\"q\"", "{curly}", "back\\slash", "2nd", "tr", "-", "it's"];

fn random(random: &mut Random) -> PlainNet {
    let mut net = PlainNet::new(random.pick(NAMES));
    let n_places = 1 + random.below(5);
    for number in 0..n_places {
        let capacity =
            (random.below(3) == 0).then(|| 1 + u32::try_from(random.below(3)).expect("a small number"));
        let initial = u32::try_from(random.below(3)).expect("a small number").min(capacity.unwrap_or(9));
        net.places.push(PlainPlace { name: format!("{}{number}", random.pick(NAMES)), initial, capacity });
    }
    for number in 0..1 + random.below(5) {
        let arcs = |random: &mut Random, most: usize| {
            let mut places: Vec<usize> =
                (0..random.below(most + 1)).map(|_| random.below(n_places)).collect();
            places.sort_unstable();
            places.dedup();
            let arc =
                |place| Arc { place, weight: 1 + u32::try_from(random.below(2)).expect("a small number") };
            merged(places.into_iter().map(arc)).expect("small weights")
        };
        let transition = PlainTransition {
            name: format!("{}t{number}", random.pick(NAMES)),
            inputs: arcs(random, 2),
            reads: arcs(random, 1),
            inhibitors: arcs(random, 1),
            outputs: arcs(random, 2),
        };
        net.transitions.push(transition);
    }
    net
}

#[test]
fn pnml_is_read_as_it_was_written() {
    each_seed(200, |_, seed| {
        let net = random(seed);
        let (found, problems) = read(&motet_pnml::write(&net));
        let mut found = found.unwrap_or_else(|| panic!("{problems}")).net;
        found.place_families.clear();
        found.transition_families.clear();
        assert_eq!(found, net);
    });
}

#[test]
fn tina_has_the_same_markings_and_firings_as_what_was_written() {
    let mut bounded = 0;
    for seed in 0..200 {
        let mut net = random(&mut Random::new(seed));
        // So that there are finitely many markings.
        net.places.iter_mut().for_each(|place| place.capacity = place.capacity.or(Some(3)));
        let text = tina::write(&net);
        let mut sources = Sources::new();
        let file = sources.add("net.net", text.as_str());
        let mut problems = Problems::new();
        let found = tina::read(file, &text, &mut problems);
        let found = found.unwrap_or_else(|| panic!("seed {seed}: {}\n{text}", problems.lines(&sources)));
        let names = |net: &PlainNet| -> Vec<String> {
            net.transitions.iter().map(|transition| transition.name.clone()).collect()
        };
        assert_eq!(names(&found.net), names(&net), "seed {seed}");
        assert_eq!(net_size(&found.net), net_size(&net), "seed {seed}: {text}");
        bounded += usize::from(net_size(&net).0 > 1);
    }
    assert!(bounded > 50, "most nets should move: {bounded}");
}

fn tina(text: &str) -> (Option<PlainNet>, String) {
    let mut sources = Sources::new();
    let file = sources.add("n.net", text);
    let mut problems = Problems::new();
    let net = tina::read(file, text, &mut problems);
    (net.map(|imported| imported.net), problems.lines(&sources))
}

#[test]
fn a_tina_net_takes_tests_and_inhibits() {
    let text = "# forks\nnet {two forks}\npl idle : label (2K)\ntr take [0,w[ idle*2 idle?3 fork?1 stop?-1 -> busy idle\n\
                pl busy -> end\ntr end : x -> \nnt n 0 {a note}\nlb take {other}\n";
    let (net, problems) = tina(text);
    let net = net.unwrap_or_else(|| panic!("{problems}"));
    assert_eq!((net.name.as_str(), net.places[0].initial), ("two forks", 2000));
    let take = &net.transitions[0];
    assert_eq!(take.inputs, [Arc { place: 0, weight: 2 }]);
    // Two are taken anyway, so one more has to be there.
    assert_eq!(take.reads, [Arc { place: 0, weight: 1 }, Arc { place: 1, weight: 1 }]);
    assert_eq!(take.inhibitors, [Arc { place: 2, weight: 1 }]);
    assert_eq!(net.transitions[1].inputs, [Arc { place: 3, weight: 1 }]);
}

#[test]
fn what_tina_would_do_in_time_is_refused() {
    for (text, place) in [
        ("net n\ntr t [1,2] p -> q\n", "n.net:2:6"),
        ("tr t p -> q\npr t > u\n", "n.net:2:1"),
        ("tr t p q\n", "n.net:1:8"),
        ("pl p (many)\n", "n.net:1:7"),
        ("pl p (3\n", "n.net:1:7"),
        ("xx p\n", "n.net:1:1"),
        ("tr t p*5000M -> q\n", "n.net:1:8"),
        ("tr {t p -> q\n", "n.net:1:4"),
    ] {
        let (net, problems) = tina(text);
        assert!(net.is_none(), "{text}");
        assert!(problems.starts_with(place) && problems.contains("M1095"), "{text}: {problems}");
    }
}
