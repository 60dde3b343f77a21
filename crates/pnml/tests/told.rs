//! Coloured nets in our own language have the same markings and firings as their unfoldings.

mod lab;

use lab::{document, everything, net, net_size, philosophers, size};
use motet_model::{Language, Options};
use motet_nets::Nets;
use motet_nets::syntax::Text;
use motet_source::{Problems, Sources};

/// Markings and firings of a coloured net that is written in our language, printed and read again.
fn told(text: &str) -> ((usize, usize), String) {
    let imported = net(text);
    let symmetric = imported.symmetric.expect("a coloured net");
    reread(&motet_pnml::to_text(&symmetric).expect("all of it has a counterpart"))
}

/// Markings and firings of a text that is printed and read again.
fn reread(text: &Text) -> ((usize, usize), String) {
    let printed = motet_nets::print::format(text);
    let mut sources = Sources::new();
    sources.add("net.npn", printed.as_str());
    let mut problems = Problems::new();
    let draft = Nets.read(&sources, &Options::default(), &mut problems);
    let system = draft.and_then(|draft| draft.system(&[], &mut problems));
    let system = system.unwrap_or_else(|| panic!("{}\n{printed}", problems.lines(&sources)));
    (size(system.model.as_ref()), printed)
}

fn check(text: &str) {
    let (found, printed) = told(text);
    assert_eq!(found, net_size(&net(text).net), "{printed}");
    assert!(found.1 > 0, "something should fire: {printed}");
}

#[test]
fn philosophers_are_the_same_coloured_and_unfolded() {
    check(&philosophers(2));
    check(&philosophers(4));
    let (_, printed) = told(&philosophers(3));
    assert!(printed.contains("def previous_P(member)"), "{printed}");
}

#[test]
fn every_kind_of_term_is_the_same_coloured_and_unfolded() {
    check(&everything());
}

#[test]
fn names_that_are_words_of_the_language_are_changed() {
    let (_, printed) = told(&everything());
    assert!(printed.contains("place where_2") || printed.contains("where_2"), "{printed}");
}

/// The sample of the contest, where it is there.
#[test]
fn coloured_nets_of_the_contest_are_the_same_coloured_and_unfolded() {
    #[expect(clippy::disallowed_methods, reason = "the sample is not part of the sources")]
    let Ok(folder) = std::env::var("MOTET_MCC") else { return };
    for name in [
        "Philosophers-COL-000005",
        "DatabaseWithMutex-COL-02",
        "TokenRing-COL-005",
        "DrinkVendingMachine-COL-02",
    ] {
        #[expect(clippy::disallowed_methods, reason = "the sample is not part of the sources")]
        let text = std::fs::read_to_string(format!("{folder}/instances/{name}/model.pnml")).unwrap();
        check(&text);
    }
}

/// A net of black tokens with weights and names that our language does not have.
fn bottles() -> String {
    let place = |id: &str, name: &str, tokens: u32| {
        format!(
            "<place id=\"{id}\"><name><text>{name}</text></name><initialMarking><text>{tokens}</text></initialMarking></place>"
        )
    };
    let arc = |source: &str, target: &str, weight: u32| {
        format!(
            "<arc id=\"{source}-{target}\" source=\"{source}\" target=\"{target}\"><inscription><text>{weight}</text>\
             </inscription></arc>"
        )
    };
    let body = [
        place("p1", "full bottles", 7),
        place("p2", "in", 0),
        place("p3", "in", 1),
        "<transition id=\"t1\"><name><text>when</text></name></transition><transition id=\"t2\"/>".to_owned(),
        arc("p1", "t1", 2),
        arc("t1", "p2", 3),
        arc("p3", "t2", 1),
        arc("p2", "t2", 2),
        arc("t2", "p3", 1),
        arc("t2", "p1", 1),
    ];
    document("ptnet", &body.concat())
}

#[test]
fn a_net_of_black_tokens_is_the_same_in_our_language() {
    let bottles = net(&bottles()).net;
    let (found, printed) = reread(&motet_pnml::plain_text(&bottles));
    assert_eq!(found, net_size(&bottles), "{printed}");
    assert!(printed.contains("in full_bottles * 2;"), "{printed}");
    // What was unfolded is a net of black tokens too.
    let unfolded = net(&philosophers(3)).net;
    assert_eq!(reread(&motet_pnml::plain_text(&unfolded)).0, net_size(&unfolded));
}

#[test]
fn arcs_that_ask_and_forbid_stay_what_they_are() {
    let text = "net lock\npl idle (3)\npl key (2)\npl busy (0)\ntr enter idle key?2 busy?-2 -> busy\ntr leave busy*2 -> idle*2\n";
    let mut problems = Problems::new();
    let net = motet_pnml::tina::read(motet_source::FileId(0), text, &mut problems).expect("a net").net;
    let (found, printed) = reread(&motet_pnml::plain_text(&net));
    assert_eq!(found, net_size(&net), "{printed}");
    assert_eq!(found, (3, 3), "by hand: nobody, one or two are busy");
    assert!(printed.contains("read key * 2;") && printed.contains("inhib busy * 2;"), "{printed}");
}
