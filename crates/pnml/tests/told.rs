//! Coloured nets in our own language have the same markings and firings as their unfoldings.

mod lab;

use lab::{
    arc, coloured, constant, declared, net, net_size, number, operator, philosophers, place, ring, size,
    transition, user, variable,
};
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

/// One place of each kind of sort, and terms of each kind.
fn everything() -> String {
    let range = "<finiteintrange start=\"1\" end=\"3\"/>";
    let declarations = format!(
        "{}<namedsort id=\"N\" name=\"in\">{range}</namedsort><namedsort id=\"X\" name=\"pair\"><productsort>{}{}\
         </productsort></namedsort><partition id=\"H\" name=\"half\">{}<partitionelement id=\"low\" name=\"low\">{}\
         </partitionelement><partitionelement id=\"high\" name=\"high\">{}{}</partitionelement></partition>{}{}{}",
        ring("S", 3),
        user("S"),
        user("N"),
        user("S"),
        constant("S1"),
        constant("S2"),
        constant("S3"),
        declared("x", "S"),
        declared("y", "S"),
        declared("n", "N"),
    );
    let (x, y, n) = (variable("x"), variable("y"), variable("n"));
    let class = |of: &str| {
        format!("<partitionelementof refpartition=\"H\"><subterm>{of}</subterm></partitionelementof>")
    };
    let all = format!("<all>{}</all>", user("S"));
    let pair = operator("tuple", &[&x, &n]);
    let moved = operator("tuple", &[&operator("successor", &[&x]), &operator("predecessor", &[&n])]);
    let one = format!("<finiteintrangeconstant value=\"1\">{range}</finiteintrangeconstant>");
    let start = operator("tuple", &[&constant("S2"), &one]);
    let body = [
        place("where", &user("X"), &start),
        place(
            "box",
            &user("S"),
            &operator("add", &[&number(2, &constant("S1")), &number(1, &constant("S3"))]),
        ),
        place("dots", "<dot/>", &number(3, "<dotconstant/>")),
        place("rest", &user("S"), &all),
        // Goes along both components.
        "<transition id=\"go\"/>".to_owned(),
        arc("where", "go", &pair),
        arc("go", "where", &moved),
        // Swaps, with a condition over ranks and classes, and a weight.
        transition(
            "swap",
            &operator(
                "and",
                &[
                    &operator("lessthan", &[&x, &y]),
                    &operator("inequality", &[&class(&x), &class(&y)]),
                    &operator(
                        "or",
                        &[&operator("equality", &[&n, &one]), &operator("greaterthan", &[&n, &one])],
                    ),
                ],
            ),
        ),
        arc("box", "swap", &number(2, &x)),
        arc("swap", "box", &operator("add", &[&number(1, &x), &number(1, &y)])),
        arc("dots", "swap", "<dotconstant/>"),
        // Takes all but one and gives them back, which depends on a variable.
        "<transition id=\"but\"/>".to_owned(),
        arc("rest", "but", &operator("subtract", &[&all, &number(1, &x)])),
        arc("dots", "but", &number(2, "<dotconstant/>")),
        arc("but", "rest", &operator("subtract", &[&all, &number(1, &x)])),
        arc("but", "box", &operator("successor", &[&x])),
        // A token that is the successor of another one, which no pattern can say.
        "<transition id=\"chain\"/>".to_owned(),
        arc("box", "chain", &operator("add", &[&number(1, &x), &number(1, &operator("successor", &[&x]))])),
        arc("dots", "chain", "<dotconstant/>"),
        arc("chain", "box", &number(2, &operator("predecessor", &[&x]))),
    ];
    coloured(&declarations, &body.concat())
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
