//! A symmetric net that is written and read again has the same unfolding, name by name.

mod lab;

use lab::{
    arc, coloured, constant, declared, everything, net, number, operator, philosophers, place, ring,
    transition, user, variable,
};
use motet_pnml::write_symmetric;

/// Reads, writes and reads again.
fn check(text: &str) -> String {
    let first = net(text);
    let written = write_symmetric(first.symmetric.as_ref().expect("a coloured net"));
    let second = net(&written);
    assert_eq!(second.net, first.net, "{written}");
    assert_eq!((&second.places, &second.transitions), (&first.places, &first.transitions), "{written}");
    assert!(!first.net.transitions.is_empty(), "{written}");
    let again = write_symmetric(second.symmetric.as_ref().expect("a coloured net"));
    assert_eq!(written, again, "what was written once is written the same again");
    written
}

#[test]
fn philosophers_and_every_kind_of_term_survive() {
    let written = check(&philosophers(3));
    assert!(written.contains("<cyclicenumeration>") && written.contains("<predecessor>"), "{written}");
    let written = check(&everything());
    for part in ["<productsort>", "<finiteintrange ", "<partition ", "<partitionelementof ", "<subtract>"] {
        assert!(written.contains(part), "{part}: {written}");
    }
}

#[test]
fn truth_classes_multiples_and_unusual_arcs_survive() {
    let declarations = format!(
        "{}<namedsort id=\"T\" name=\"T\"><bool/></namedsort><namedsort id=\"X\" name=\"X\"><productsort>{}<bool/>\
         </productsort></namedsort><partition id=\"H\" name=\"half\">{}<partitionelement id=\"low\" name=\"low\">{}\
         </partitionelement><partitionelement id=\"high\" name=\"high\">{}{}</partitionelement></partition>{}{}{}",
        ring("S", 3),
        user("S"),
        user("S"),
        constant("S1"),
        constant("S2"),
        constant("S3"),
        declared("x", "S"),
        declared("b", "T"),
        declared("h", "H"),
    );
    let (x, b) = (variable("x"), variable("b"));
    let all = format!("<all>{}</all>", user("S"));
    let empty = format!("<empty>{}</empty>", user("S"));
    let class = format!("<partitionelementof refpartition=\"H\"><subterm>{x}</subterm></partitionelementof>");
    let truth = "<booleanconstant value=\"true\"/>";
    let condition = operator(
        "and",
        &[
            &operator(
                "imply",
                &[&operator("equality", &[&b, truth]), &operator("gtp", &[&class, &constant("low")])],
            ),
            &operator("not", &[&operator("equality", &[&class, &variable("h")])]),
            truth,
        ],
    );
    let typed = |text: String, kind: &str| text.replace("</arc>", &format!("<type value=\"{kind}\"/></arc>"));
    let body = [
        place("S", &user("S"), &operator("add", &[&number(2, &all), &empty, &number(1, &constant("S2"))])),
        place("pairs", &user("X"), &operator("tuple", &[&all, truth])),
        place("classes", &user("H"), &constant("high")),
        place("dots", "<dot/>", ""),
        transition("t", &condition),
        arc("pairs", "t", &operator("tuple", &[&x, &b])),
        typed(arc("S", "t", &x), "test"),
        typed(arc("dots", "t", &number(3, "<dotconstant/>")), "inhibitor"),
        arc("t", "classes", &number(2, &variable("h"))),
        arc("t", "dots", "<dotconstant/>"),
        arc("t", "S", &operator("subtract", &[&all, &x])),
    ];
    let written = check(&coloured(&declarations, &body.concat()));
    for part in
        ["<bool/>", "<booleanconstant", "<gtp>", "<scalarproduct>", "value=\"inhibitor\"", "value=\"test\""]
    {
        assert!(written.contains(part), "{part}: {written}");
    }
}

/// Ids of the standard are unique in the whole document.
#[test]
fn every_id_of_what_is_written_is_its_own() {
    let text = philosophers(4).replace("\"think\"", "\"P\"").replace("\"fork\"", "\"net\"");
    let written =
        check(&text.replace("name=\"1\"", "name=\"é &amp; &lt;\"").replace("name=\"2\"", "name=\"ü\""));
    let mut ids: Vec<&str> =
        written.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "{written}");
    assert!(ids.contains(&"P") && ids.contains(&"net"), "places keep their ids: {written}");
}

/// The coloured nets of the contest's sample, where it is there. The largest ones take too long to unfold twice here.
#[test]
fn coloured_nets_of_the_contest_survive() {
    #[expect(clippy::disallowed_methods, reason = "the sample is not part of the sources")]
    let Ok(folder) = std::env::var("MOTET_MCC") else { return };
    let mut checked = 0;
    let entries = std::fs::read_dir(format!("{folder}/instances")).unwrap();
    for entry in entries.map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if !name.contains("-COL-") {
            continue;
        }
        #[expect(clippy::disallowed_methods, reason = "the sample is not part of the sources")]
        let text = std::fs::read_to_string(entry.path().join("model.pnml")).unwrap();
        if lab::read(&text).0.is_some_and(|read| read.net.transitions.len() < 20_000) {
            check(&text);
            checked += 1;
        }
    }
    assert!(checked > 3, "the sample has coloured nets: {checked}");
}
