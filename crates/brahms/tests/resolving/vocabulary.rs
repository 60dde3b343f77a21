//! The words that a model gives to claims, and the head of its reports.

use motet_brahms::Brahms;
use motet_model::{Draft, Language, Options};
use motet_source::{Problems, Sources};

const MODEL: &str = "areadef Room { } area hall instanceof Room { }
  class Lamp { attributes: public boolean on; } object lamp instanceof Lamp { }
  group Staff { attributes: public int n; relations: public Staff likes; initial_beliefs: (current.n = 1); (current likes ann);
    activities: primitive_activity rest() { max_duration: 5; } create_object buy(Lamp l) { source: Lamp; destination: l; }
    workframes: workframe w { variables: forone(Lamp) l; do { rest(); buy(l); conclude((l.on = true)); } } }
  agent ann memberof Staff { location: hall; } agent bob memberof Staff { }";

fn draft(options: &Options) -> Box<dyn Draft> {
    let mut sources = Sources::new();
    sources.add("m.b", MODEL);
    let mut problems = Problems::new();
    let draft = Brahms.read(&sources, options, &mut problems);
    draft.unwrap_or_else(|| panic!("{}", problems.lines(&sources)))
}

#[test]
fn quantifiers_range_over_what_exists_and_claims_may_name_the_rest() {
    let draft = draft(&Options { bounds: [("created".to_owned(), 1)].into(), ..Options::default() });
    let words = draft.vocabulary();
    assert_eq!(words.agents, ["ann", "bob", "lamp", "Lamp_1"]);
    let sort = |name: &str| {
        let found = words.sorts.iter().find(|(known, _)| known == name);
        found.map(|(_, members)| members.join(" "))
    };
    assert_eq!(sort("agent").as_deref(), Some("ann bob"));
    assert_eq!(sort("object").as_deref(), Some("lamp"));
    assert_eq!(sort("area").as_deref(), Some("hall"));
    assert_eq!(sort("Lamp").as_deref(), Some("lamp"));
    assert_eq!(sort("Staff").as_deref(), Some("ann bob"));
    assert_eq!(sort("BaseGroup"), None);
}

#[test]
fn attributes_are_listed_by_type_and_doings_once_for_all_who_share_them() {
    let draft = draft(&Options::default());
    let groups = &draft.vocabulary().groups;
    let group = |title: &str| {
        let found = groups.iter().find(|(known, _)| known == title);
        found.map(|(_, words)| words.join(", "))
    };
    assert_eq!(group("attributes of Staff").as_deref(), Some("likes(_), location : area, n : int"));
    assert_eq!(group("attributes of Lamp").as_deref(), Some("on : boolean"));
    assert_eq!(group("frames of ann, bob").as_deref(), Some("w"));
    assert_eq!(group("activities of ann, bob").as_deref(), Some("buy, rest"));
}

#[test]
fn the_head_of_a_report_counts_who_exists_and_names_what_was_bound() {
    let parameters = [("Staff.rest".to_owned(), "2min".to_owned())].into();
    let draft = draft(&Options { parameters, ..Options::default() });
    let mut problems = Problems::new();
    let system = draft.system(&[], &mut problems).expect("a system");
    assert_eq!(system.summary.language, "Brahms");
    assert_eq!(system.summary.facts, ["2 agents", "1 object", "clock 1 s"]);
    assert_eq!(system.summary.parameters, [("Staff.rest".to_owned(), "2min".to_owned())]);
    assert!(!system.summary.fair);
    assert!(draft.vocabulary().parameters.contains(&("Staff.rest".to_owned(), "120 s".to_owned())));
}
