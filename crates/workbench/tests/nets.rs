//! What there is for nets alone.

use motet_workbench::{
    Options, Problems, Sources, constructed_nets, mediated_nets, net_tables, plain_net, pnml_export,
    skeletons, tina_text,
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
