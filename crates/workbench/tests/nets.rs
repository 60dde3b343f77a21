//! What there is for nets alone.

use motet_workbench::{
    Limits, NetReportOptions, Options, Problems, Project, Sources, constructed_nets, load, mediated_nets,
    net_report, net_tables, plain_net, pnml_export, skeletons, tina_text,
};

const DATA: &str =
    "system net N() { place p : int = { 1 }; transition t { in p(x); when x > 0; out p(x); } }";
const BLACK: &str =
    "system net N() { place a : token = 2; place b : token; transition t { in a * 2; out b; } }";
const TALK: &str = "port hello(n: int);
agent net K() { place p : int = { 1 }; transition say { in p(x); sync up ! hello(x); } }
system net S() { place a : agent = { new K() }; place heard : int;
  transition hear { read a(k); sync k ? hello(n); out heard(n); } }";

fn sources(text: &str) -> Sources {
    let mut sources = Sources::new();
    sources.add("model.npn", text);
    sources
}

#[test]
fn a_net_with_data_has_no_form_of_black_tokens() {
    let mut problems = Problems::new();
    assert!(plain_net(&sources(DATA), &Options::default(), &mut problems).is_none());
    assert_eq!(problems.codes(), ["M0986"]);
}

#[test]
fn a_net_of_black_tokens_is_written_for_other_tools() {
    let mut problems = Problems::new();
    let net = plain_net(&sources(BLACK), &Options::default(), &mut problems).expect("it is plain");
    let pnml = pnml_export(&sources(BLACK), &Options::default(), &mut problems).expect("it is plain");
    assert!(pnml.contains("<pnml"), "{pnml}");
    assert!(tina_text(&net).contains("a*2 -> b"), "{}", tina_text(&net));
}

#[test]
fn the_skeleton_counts_tokens_and_forgets_colours() {
    let mut problems = Problems::new();
    let nets = skeletons(&sources(TALK), &Options::default(), &mut problems).expect("the text is right");
    let shapes: Vec<(&str, usize, usize)> =
        nets.iter().map(|net| (net.name.as_str(), net.places.len(), net.transitions.len())).collect();
    assert_eq!(shapes, [("S", 2, 1), ("K", 1, 1)]);
    assert_eq!(nets[0].places[0].initial, 1);
}

#[test]
fn tables_say_who_speaks_and_who_answers() {
    let tables = net_tables(&sources(TALK), &mut Problems::new()).expect("the text is right");
    let text = tables.text();
    assert!(text.contains("K     say          out         x             S!x       hello"), "{text}");
    assert!(text.contains("K.say   S!x       hear          N?x"), "{text}");
    assert!(!text.contains("Unanswered"), "{text}");
}

#[test]
fn nets_of_exchange_formats_become_texts_of_our_own() {
    let exchanged = |path: &str, text: &str| {
        let mut sources = Sources::new();
        sources.add(path, text);
        let mut problems = Problems::new();
        let made = constructed_nets(&sources, &mut problems);
        (made, problems.codes())
    };
    let (made, codes) = exchanged("lamp.net", "net lamp\npl on (1)\npl off (0)\ntr press on -> off\n");
    assert_eq!(codes, [""; 0]);
    let made = made.expect("it is a net");
    assert!(made.contains("transition press { in on; out off; }"), "{made}");
    assert_eq!(constructed_nets(&sources(&made), &mut Problems::new()), Some(made));
    let (made, codes) = exchanged("well.net", "net well\npl water (0)\ntr spring -> water\n");
    assert_eq!((made, codes), (None, vec!["M1099"]), "it would fire without end");
}

#[test]
fn what_construction_makes_can_be_read_again() {
    let made = constructed_nets(&sources(TALK), &mut Problems::new()).expect("the text is right");
    assert_eq!(constructed_nets(&sources(&made), &mut Problems::new()), Some(made));
}

#[test]
fn a_text_without_a_mediator_says_how_to_write_one() {
    let mut problems = Problems::new();
    assert!(mediated_nets(&sources(TALK), &mut problems).is_none());
    assert_eq!(problems.codes(), ["M0987"]);
}

fn report(text: &str, limit: u64) -> motet_render::NetReport {
    let skeletons =
        skeletons(&sources(text), &Options::default(), &mut Problems::new()).expect("it is right");
    let loaded = load(Project { sources: sources(text), ..Project::default() });
    let limits = Limits { states: Some(limit), ..Limits::default() };
    let options = NetReportOptions { limits, threads: 1 };
    net_report(loaded.ready.as_ref().expect("it loads"), "model", &skeletons, &options, &mut |_| {})
}

/// By hand: a token goes round between a and b until it leaves for c, where nothing can fire.
#[test]
fn a_report_knows_the_dead_end_and_what_can_always_fire_again() {
    let round = "place a : token = 1; place b, c, d : token; transition go { in a; out b; }
        transition back { in b; out a; } transition never { in d; out a; }";
    let leaving = format!("system net N() {{ {round} transition leave {{ in b; out c; }} }}");
    let behaviour = report(&leaving, 100).behaviour.expect("three markings");
    assert_eq!((behaviour.states, behaviour.firings, behaviour.dead), (3, 3, 1));
    assert_eq!(behaviour.dead_run, ["go", "leave"]);
    assert_eq!((behaviour.never, behaviour.live), (vec!["never".to_owned()], Vec::new()));
    assert_eq!((behaviour.home, behaviour.reversible), (1, false));
    let staying = format!("system net N() {{ {round} }}");
    let behaviour = report(&staying, 100).behaviour.expect("two markings");
    assert_eq!((behaviour.dead, behaviour.home, behaviour.reversible), (0, 2, true));
    assert_eq!(behaviour.live, ["go", "back"]);
}

/// By hand: two dead ends, so no marking can be reached from everywhere.
#[test]
fn a_choice_that_cannot_be_undone_leaves_no_home() {
    let text = "system net N() { place a : token = 1; place b, c : token;
        transition left { in a; out b; } transition right { in a; out c; } }";
    let behaviour = report(text, 100).behaviour.expect("three markings");
    assert_eq!((behaviour.dead, behaviour.home), (2, 0));
}

#[test]
fn a_report_that_was_cut_says_so_and_keeps_what_the_arcs_say() {
    let cut = report(BLACK, 1);
    assert!(cut.behaviour.is_none() && cut.stopped.is_some());
    assert_eq!(cut.structures[0].place_invariants, ["#a + 2 * #b = 2"]);
}
