//! Atoms are held against the sorts of a vocabulary: all problems at once, each at its place, none that is not there.

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use motet_model::{Entry, Field, Sort, Terms, Vocabulary};
use support::{Read, read_as, vocabulary_with_agents};

fn typed() -> Vocabulary {
    let names = |sorts: &[(&str, Sort)]| -> BTreeMap<String, Sort> {
        sorts.iter().map(|(name, sort)| ((*name).to_owned(), sort.clone())).collect()
    };
    let members = |kind: &str, names: &[&str]| {
        Sort::members(kind, names.iter().map(|name| (*name).to_owned()).collect())
    };
    let range = Sort::Whole(Some(0), Some(3));
    let zone = members("zone", &["inside", "outside"]);
    let token =
        Sort::Record(Arc::new([("heat".to_owned(), zone.clone()), ("level".to_owned(), range.clone())]));
    let field = |sort: Sort| Field { sort, ..Field::default() };
    let entry = |argument: Sort, value: Sort| Entry { arguments: vec![argument], value };
    let plain = vocabulary_with_agents();
    let mut sorts = plain.sorts.clone();
    sorts.push(("zone".to_owned(), ["inside", "outside"].map(str::to_owned).to_vec()));
    Vocabulary {
        sorts,
        collections: vec!["full".to_owned()],
        terms: Terms {
            names: names(&[
                ("x", range.clone()),
                ("big", Sort::Whole(Some(10), None)),
                ("b", Sort::Truth),
                ("half", Sort::Number),
                ("zone", zone.clone()),
                ("seat", zone.beside(&["none"])),
                ("full", Sort::Many(Arc::new(token))),
                ("odd", Sort::Open),
            ]),
            fields: BTreeMap::from([
                ("fallen".to_owned(), field(Sort::Truth)),
                ("mood".to_owned(), field(Sort::Text)),
            ]),
            entries: BTreeMap::from([("bid".to_owned(), entry(members("agent", &["ag1", "ag2"]), range))]),
            texts: Some(Arc::new(["happy".to_owned()])),
            ..Terms::default()
        },
        ..plain
    }
}

fn marked(read: &Read) -> Vec<(&'static str, String)> {
    let text = |span| read.sources.text(span).to_owned();
    read.problems.iter().map(|problem| (problem.code, text(problem.span))).collect()
}

#[test]
fn a_value_of_another_variable_is_no_number() {
    let sorts = BTreeMap::from([
        ("lift".to_owned(), Sort::members("", ["works", "broken"].map(str::to_owned).to_vec())),
        ("stock".to_owned(), Sort::Whole(Some(0), Some(1))),
    ]);
    let vocabulary =
        Vocabulary { terms: Terms { names: sorts, ..Terms::default() }, ..Vocabulary::default() };
    let codes = |claim: &str| marked(&read_as(&format!("property A: {claim}"), None, &vocabulary));
    let works = vec![("M0233", "works".to_owned())];
    assert_eq!(codes("never stock = works"), works);
    assert_eq!(codes("never stock in {works}"), works);
    assert_eq!(codes("never stock + 1 = works"), works);
    assert_eq!(codes("never lift = works"), []);
    // A constant of the model, which only its front-end knows.
    assert_eq!(codes("never stock = full"), []);
}

#[test]
fn a_division_by_zero_is_refused() {
    let codes = |claim: &str| marked(&read_as(&format!("property A: {claim}"), None, &typed()));
    assert_eq!(codes("never x / 0 = 1"), [("M0240", "x".to_owned())]);
    assert_eq!(codes("never 1 + x % 0 > 2"), [("M0240", "x".to_owned())]);
    assert_eq!(codes("never x / 2 = 1"), []);
}

#[test]
fn a_problem_stands_at_the_part_that_is_wrong() {
    for (claim, code, part) in [
        ("b = 1", "M0233", "1"),
        ("1 = b", "M0233", "1"),
        ("x = true", "M0233", "true"),
        ("x = inside", "M0233", "inside"),
        ("zone = Emily", "M0233", "Emily"),
        ("zone = none", "M0233", "none"),
        ("zone = \"inside\"", "M0233", "\"inside\""),
        ("zone = insde", "M0234", "insde"),
        ("Bob.fallen = \"yes\"", "M0233", "\"yes\""),
        ("Bob.mood = 3", "M0233", "3"),
        ("Bob.mood = \"hapy\"", "M0311", "\"hapy\""),
        ("x = 4", "M0311", "4"),
        ("x = 1.5", "M0311", "1.5"),
        ("x >= -1", "M0311", "-1"),
        ("x + 1 = 9", "M0311", "9"),
        ("x = big", "M0311", "big"),
        ("x = zone", "M0233", "zone"),
        ("zone + 1 = x", "M0233", "zone"),
        ("b < true", "M0236", "b"),
        ("0 < zone", "M0236", "zone"),
        ("bid[ag1] = 7", "M0311", "7"),
        ("bid[Emily] = 1", "M0233", "Emily"),
        ("<hot, 1> in full", "M0234", "hot"),
        ("<inside, 9> in full", "M0311", "9"),
        ("<inside> in full", "M0235", "<inside>"),
        ("count(full, <inside, true>) = 1", "M0233", "true"),
        ("#full = inside", "M0233", "inside"),
        ("exists t in full: t.level = b", "M0233", "b"),
        ("Bel(Bob, x = 1 and b = 1)", "M0233", "1"),
        ("x in {1, true}", "M0233", "true"),
        ("forall p in Users: b = p", "M0233", "p"),
    ] {
        let read = read_as(&format!("property A: always ({claim})"), None, &typed());
        assert_eq!(marked(&read), [(code, part.to_owned())], "{claim}");
        let refused = code != "M0311";
        assert_eq!(
            read.lowered.claims.is_empty(),
            refused,
            "{claim}: another sort is an error, a range is not"
        );
    }
}

#[test]
fn what_is_possible_or_not_known_is_left_alone() {
    for claim in [
        "x = 3",
        "x > 1.5",
        "x < half",
        "half = 0.5",
        "b = true",
        "zone = inside",
        "seat = none",
        "seat = zone",
        "odd = inside",
        "odd < 7",
        "odd + 1 = b",
        "Bob.fallen = odd",
        "Bob.height = 7",
        "Bob.mood = Emily",
        "bid[ag2] = 3",
        "<inside, x> in full",
        "<_, 1> in full",
        "exists t in full: t.level = 3 and t.other = b",
        "b = stranger",
        "forall i in 0..9: x != i",
        "f(1, 2) = b",
    ] {
        let read = read_as(&format!("property A: always ({claim})"), None, &typed());
        assert_eq!(marked(&read), [], "{claim}");
    }
}

#[test]
fn an_argument_of_a_definition_is_marked_where_it_is_given() {
    let text = "define is(v) = b = v\nproperty A: always is(true)\nproperty B: always is(7)";
    let read = read_as(text, None, &typed());
    assert_eq!(marked(&read), [("M0233", "7".to_owned())]);
    let left: Vec<&str> = read.lowered.claims.iter().map(|claim| claim.name.as_str()).collect();
    assert_eq!(left, ["A"], "one bad claim does not sink the others");
}

#[test]
fn a_constant_is_marked_by_its_name() {
    let read = read_as("const LAST = 9\nproperty A: always x != LAST", None, &typed());
    assert_eq!(marked(&read), [("M0311", "LAST".to_owned())]);
}

#[test]
fn the_words_that_fit_stand_beside_the_problem() {
    for (claim, words) in [
        ("b = 1", "write `b = true` or `b = false`"),
        ("zone = insde", "did you mean `inside`? it is one of inside and outside"),
        ("zone = \"outside\"", "write `outside` without quotes; it is one of inside and outside"),
        ("Bob.mood = \"hapy\"", "did you mean `\"happy\"`?"),
        ("<inside> in full", "write `<heat, level>`, with a value or `_` for each part"),
    ] {
        let read = read_as(&format!("property A: always ({claim})"), None, &typed());
        let help: Vec<&str> = read.problems.iter().map(|problem| problem.help.as_str()).collect();
        assert_eq!(help, [words], "{claim}");
    }
}
