//! The contest: one net, all its formulas, known answers.

use motet_render::{Contest, Truth, contest_table};
use motet_workbench::{Known, Limits, Problems, Sources, contest};

/// A token goes from `a` to `b` or `c`; from `c` it never comes back, and there it ends.
const NET: &str = "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">\
    <place id=\"a\"><initialMarking><text>1</text></initialMarking></place><place id=\"b\"/><place id=\"c\"/>\
    <transition id=\"ab\"/><transition id=\"ba\"/><transition id=\"ac\"/>\
    <arc id=\"1\" source=\"a\" target=\"ab\"/><arc id=\"2\" source=\"ab\" target=\"b\"/>\
    <arc id=\"3\" source=\"b\" target=\"ba\"/><arc id=\"4\" source=\"ba\" target=\"a\"/>\
    <arc id=\"5\" source=\"a\" target=\"ac\"/><arc id=\"6\" source=\"ac\" target=\"c\"><inscription><text>2</text>\
    </inscription></arc></page></net></pnml>";

fn marked(place: &str) -> String {
    format!(
        "<integer-le><integer-constant>1</integer-constant><tokens-count><place>{place}</place></tokens-count></integer-le>"
    )
}

fn wrap(tags: &[&str], inner: &str) -> String {
    tags.iter().rev().fold(inner.to_owned(), |inner, tag| format!("<{tag}>{inner}</{tag}>"))
}

fn file(formulas: &[(&str, String)]) -> String {
    let property = |(id, formula): &(&str, String)| {
        format!("<property><id>{id}</id><formula>{formula}</formula></property>")
    };
    format!("<property-set>{}</property-set>", formulas.iter().map(property).collect::<String>())
}

fn run(files: &[(&str, String)], known: &Known) -> (Contest, String) {
    let mut sources = Sources::new();
    sources.add("n/model.pnml", NET);
    for (name, text) in files {
        sources.add(format!("n/{name}.xml"), text.as_str());
    }
    let mut problems = Problems::new();
    let found = contest("n", &sources, known, &Limits::default(), &mut problems, &mut |_| {});
    (found, problems.lines(&sources))
}

fn answers(contest: &Contest) -> Vec<(&str, &Truth)> {
    contest.answers.iter().map(|answer| (answer.id.as_str(), &answer.found)).collect()
}

/// Worked out by hand: the markings are a, b and 2 c.
#[test]
fn every_examination_is_answered_from_one_exploration() {
    let (c, b) = (marked("c"), marked("b"));
    let never = wrap(&["all-paths", "globally", "negation"], &b);
    let files = [
        (
            "ReachabilityCardinality",
            file(&[("reach", wrap(&["exists-path", "finally"], &c)), ("never", never.clone())]),
        ),
        (
            "LTLCardinality",
            file(&[
                ("end", wrap(&["all-paths", "finally"], &c)),
                (
                    "stay",
                    wrap(
                        &["all-paths", "globally", "disjunction"],
                        &format!("{}{}", wrap(&["negation"], &c), wrap(&["next"], &c)),
                    ),
                ),
            ]),
        ),
        (
            "CTLCardinality",
            file(&[
                // At the dead marking nothing comes next, so everything that comes next is not `c`.
                (
                    "dead",
                    wrap(
                        &["all-paths", "globally", "disjunction"],
                        &format!(
                            "{}{}",
                            wrap(&["negation"], &c),
                            wrap(&["all-paths", "next", "negation"], &c)
                        ),
                    ),
                ),
                (
                    "mixed",
                    wrap(
                        &["conjunction"],
                        &format!("{}{}", wrap(&["exists-path", "finally"], &c), wrap(&["negation"], &never)),
                    ),
                ),
                ("home", wrap(&["all-paths", "globally", "exists-path", "finally"], &c)),
            ]),
        ),
        (
            "UpperBounds",
            file(&[("most", "<place-bound><place>c</place><place>a</place></place-bound>".to_owned())]),
        ),
    ];
    let (found, problems) = run(&files, &Known::default());
    assert!(problems.is_empty(), "{problems}");
    let space = found.space.unwrap();
    assert_eq!((space.states, space.transitions, space.most_in_place, space.most_in_marking), (3, 3, 2, 2));
    let answers = answers(&found);
    for (id, truth) in [
        ("ReachabilityDeadlock", true),
        ("reach", true),
        ("never", false),
        ("end", false),
        ("stay", true),
        ("dead", true),
        ("mixed", true),
    ] {
        assert!(answers.contains(&(id, &Truth::Answer(truth))), "{id}: {answers:?}");
    }
    assert!(answers.contains(&("most", &Truth::Number(2))), "{answers:?}");
    // From every marking the end can be reached. An engine that cannot tell must say so, never the opposite.
    let home = answers.iter().find(|(id, _)| *id == "home").unwrap().1;
    assert_ne!(*home, Truth::Answer(false));
}

#[test]
fn known_answers_and_numbers_are_compared() {
    let files =
        [("ReachabilityCardinality", file(&[("reach", wrap(&["exists-path", "finally"], &marked("c")))]))];
    let mut known = Known::default();
    known.add_answers("instance,examination,formula_id,answer\nn,ReachabilityCardinality,reach,TRUE\n");
    known.add_spaces("instance,states,transitions,max_token_in_place,max_token_per_marking\nn,3,3,2,2\n");
    let (found, _) = run(&files, &known);
    assert!(found.wrong().is_empty());
    known.add_answers("n,ReachabilityCardinality,reach,FALSE\n");
    known.add_spaces("n,4,3,2,2\n");
    let (found, _) = run(&files, &known);
    assert_eq!(found.wrong().len(), 2, "{}", contest_table(&[found]));
}

#[test]
fn a_formula_about_something_else_refuses_the_net() {
    let (found, problems) = run(&[("LTLCardinality", file(&[("x", marked("d"))]))], &Known::default());
    assert!(found.refused.is_some() && found.answers.is_empty());
    assert!(problems.contains("M1094"), "{problems}");
}

/// The sample of the contest, where it is there, without the one net that takes a minute in tests.
#[test]
fn no_answer_to_the_sample_is_wrong() {
    #[expect(clippy::disallowed_methods, reason = "the sample is not part of the sources")]
    let Ok(folder) = std::env::var("MOTET_MCC") else { return };
    #[expect(clippy::disallowed_methods, reason = "the sample is not part of the sources")]
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
    let mut known = Known::default();
    known.add_answers(&read("expected.csv"));
    known.add_spaces(&read("statespace.csv"));
    let entries = std::fs::read_dir(format!("{folder}/instances")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names.retain(|name| !name.starts_with("Kanban"));
    assert!(names.len() >= 11);
    for name in names {
        let mut sources = Sources::new();
        let kinds = ["Cardinality", "Fireability"]
            .map(|atoms| ["CTL", "LTL", "Reachability"].map(|kind| format!("{kind}{atoms}")));
        sources.add("model.pnml", read(&format!("instances/{name}/model.pnml")));
        for examination in kinds.as_flattened() {
            sources.add(format!("{examination}.xml"), read(&format!("instances/{name}/{examination}.xml")));
        }
        let mut problems = Problems::new();
        let found = contest(&name, &sources, &known, &Limits::default(), &mut problems, &mut |_| {});
        assert!(problems.is_empty(), "{}", problems.lines(&sources));
        assert_eq!(found.space, found.known_space, "{name}");
        assert!(found.wrong().is_empty(), "{:?}", found.wrong());
        assert_eq!(found.answers.iter().filter(|answer| answer.known.is_some()).count(), 97, "{name}");
        for answer in found.answers.iter().filter(|answer| !answer.examination.starts_with("CTL")) {
            assert!(!matches!(answer.found, Truth::Unknown(_)), "{name} {}: {:?}", answer.id, answer.found);
        }
    }
}
