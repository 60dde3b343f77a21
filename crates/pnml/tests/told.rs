//! Coloured nets in our own language have the same markings and firings as their unfoldings.

mod lab;

use lab::{everything, net, net_size, philosophers, size};
use motet_model::{Language, Options};
use motet_nets::Nets;
use motet_source::{Problems, Sources};

/// Markings and firings of a coloured net that is written in our language, printed and read again.
fn told(text: &str) -> ((usize, usize), String) {
    let imported = net(text);
    let symmetric = imported.symmetric.expect("a coloured net");
    let printed =
        motet_nets::print::format(&motet_pnml::to_text(&symmetric).expect("all of it has a counterpart"));
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
