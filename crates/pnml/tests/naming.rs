//! A word of a claim means the same place before and after an export, or nothing at all.

mod lab;

use lab::{document, net, read};
use motet_model::{AtomId, AtomText, Expr, Model};
use motet_nets::plain::{PlainNet, Semantics};
use motet_pnml::tina;
use motet_source::fuzz::{Random, each_seed};
use motet_source::{FileId, Problems, Sources, Span, Spanned};

fn from_tina(text: &str) -> PlainNet {
    let mut sources = Sources::new();
    let file = sources.add("n.net", text);
    let mut problems = Problems::new();
    let net = tina::read(file, text, &mut problems);
    net.unwrap_or_else(|| panic!("{}\n{text}", problems.lines(&sources))).net
}

fn size(word: Expr) -> Expr {
    Expr::Size(Box::new(word))
}

fn name(word: &str) -> Expr {
    Expr::Text(word.to_owned())
}

fn call(function: &str, word: &str) -> Expr {
    Expr::Call(function.to_owned(), vec![Expr::Call(word.to_owned(), Vec::new())])
}

/// Whether the number of tokens is this one at the start, or why that cannot be asked.
fn asked(net: &PlainNet, place: Expr, tokens: i64) -> Result<bool, String> {
    let equal = Expr::Binary(motet_model::Operator::Eq, Box::new(size(place)), Box::new(Expr::Int(tokens)));
    let atom = Spanned::new(AtomText::Fact(equal), Span::new(FileId(0), 0, 0));
    let mut sources = Sources::new();
    sources.add("claim", "#p");
    let mut problems = Problems::new();
    let Some(semantics) = Semantics::with_atoms(net.clone(), &[atom], &mut problems) else {
        return Err(problems.lines(&sources));
    };
    let mut initial = Vec::new();
    semantics.initial(&mut initial);
    Ok(semantics.holds(AtomId(0), &initial[0]))
}

#[test]
fn names_of_tina_become_the_ids_of_pnml() {
    let tina = from_tina("net n\npl p1 (3)\npl p2 (5)\ntr t1 p1 -> p2\ntr t0 p2 -> p1\n");
    let text = motet_pnml::write(&tina);
    assert!(text.contains("<place id=\"p1\">\n        <name><text>p1</text></name>"), "{text}");
    assert!(text.contains("<transition id=\"t1\">"), "{text}");
    let pnml = net(&text).net;
    assert_eq!(pnml, tina, "nothing is called otherwise, and there are no other names");
    for net in [&tina, &pnml] {
        assert_eq!(asked(net, name("p1"), 3), Ok(true));
        assert_eq!(asked(net, name("p2"), 5), Ok(true));
    }
}

#[test]
fn an_id_that_is_the_name_of_another_is_refused_with_both_readings() {
    let body = "<place id=\"p0\"><name><text>p1</text></name><initialMarking><text>3</text></initialMarking></place>\
                <place id=\"p1\"><name><text>p2</text></name><initialMarking><text>5</text></initialMarking></place>";
    let found = net(&document("ptnet", body)).net;
    let problem = asked(&found, Expr::Call("p1".to_owned(), Vec::new()), 3).expect_err("either");
    assert!(problem.contains("M0900"), "{problem}");
    assert!(problem.contains("the id of `p2`, or the name of `p0`"), "{problem}");
    assert!(problem.contains("write `id(p1)` or `name(p1)`"), "{problem}");
    assert_eq!(asked(&found, call("name", "p1"), 3), Ok(true));
    assert_eq!(asked(&found, call("id", "p1"), 5), Ok(true));
    assert_eq!(asked(&found, name("p2"), 5), Ok(true), "that is unmistakable");
    assert_eq!(asked(&found, name("p0"), 3), Ok(true));
    // It is as ambiguous after it was written.
    let (again, problems) = read(&motet_pnml::write(&found));
    assert_eq!(again.unwrap_or_else(|| panic!("{problems}")).net, found);
}

#[test]
fn a_name_that_two_have_belongs_to_neither() {
    let place = |id: &str, tokens: u32| {
        format!(
            "<place id=\"{id}\"><name><text>same</text></name>\
             <initialMarking><text>{tokens}</text></initialMarking></place>"
        )
    };
    let found = net(&document("ptnet", &format!("{}{}", place("r", 1), place("s", 2)))).net;
    let problem = asked(&found, name("same"), 1).expect_err("either");
    assert!(problem.contains("the name of `r`, or the name of `s`"), "{problem}");
    assert_eq!(asked(&found, name("s"), 2), Ok(true));
    let (again, problems) = read(&motet_pnml::write(&found));
    assert_eq!(again.unwrap_or_else(|| panic!("{problems}")).net, found);
}

#[test]
fn names_that_differ_in_spaces_are_told_apart_where_they_are_quoted() {
    let found = from_tina("pl {fork 1} (1)\npl fork1 (2)\n");
    assert_eq!(asked(&found, name("fork 1"), 1), Ok(true));
    assert_eq!(asked(&found, name("fork1"), 2), Ok(true));
    assert!(asked(&found, name("fork  1"), 1).is_err());
}

#[test]
fn a_place_and_a_transition_may_share_a_name() {
    let tina = from_tina("pl work (1)\ntr work work -> done\n");
    let pnml = net(&motet_pnml::write(&tina)).net;
    for net in [&tina, &pnml] {
        assert_eq!(asked(net, name("work"), 1), Ok(true));
        let fires = Expr::Call("enabled".to_owned(), vec![name("work")]);
        let atom = Spanned::new(AtomText::Fact(fires), Span::new(FileId(0), 0, 0));
        assert!(Semantics::with_atoms(net.clone(), &[atom], &mut Problems::new()).is_some());
    }
}

/// Words that are keywords somewhere, that are equal after an escape, that are long, or that no identifier can be.
const WORDS: &[&str] = &[
    "p",
    "p0",
    "p1",
    "t0",
    "a",
    "a_2",
    "net",
    "page",
    "tr",
    "pl",
    "fork 1",
    "fork_x20_1",
    "fork_1",
    "fork1",
    "x<y",
    "2nd",
    "_2nd",
    "α",
    "größe & co",
    "\"q\"",
    "q",
    "{c}",
    "b\\s",
    "-",
    "it's",
    "id",
    "name",
    "place",
    "in",
    "out",
    "日本",
];

fn random_names(random: &mut Random) -> PlainNet {
    let mut text = String::from("net n\n");
    let long = "long".repeat(200);
    let mut words: Vec<&str> = WORDS.iter().copied().chain([long.as_str()]).collect();
    for number in 0..2 + random.below(6) {
        let word = words.swap_remove(random.below(words.len())).replace('\\', "\\\\");
        let word = word.replace('{', "\\{").replace('}', "\\}");
        text += &format!("pl {{{word}}} ({number})\ntr {{{word}}} {{{word}}} -> \n");
    }
    from_tina(&text)
}

#[test]
fn whatever_the_names_are_a_claim_means_the_same_place_in_every_form() {
    each_seed(300, |_, random| {
        let own = random_names(random);
        let pnml = net(&motet_pnml::write(&own)).net;
        assert_eq!(from_tina(&tina::write(&own)), own);
        assert_eq!(from_tina(&tina::write(&pnml)).places, own.places);
        for (number, place) in own.places.iter().enumerate() {
            for net in [&own, &pnml] {
                assert_eq!(asked(net, name(&place.name), number as i64), Ok(true), "{}", place.name);
            }
        }
    });
}

#[test]
fn ids_that_are_written_are_ids_of_xml_and_different() {
    each_seed(100, |_, random| {
        let text = motet_pnml::write(&random_names(random));
        let mut seen = std::collections::BTreeSet::new();
        for id in text.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap_or_default()) {
            let plain = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
            assert!(id.chars().all(plain), "{id}");
            assert!(!id.starts_with(|letter: char| letter.is_ascii_digit() || "-.".contains(letter)), "{id}");
            assert!(seen.insert(id), "{id} is there twice");
        }
    });
}
