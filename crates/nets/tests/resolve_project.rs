//! Files and settings to a model with its vocabulary.

use std::collections::BTreeSet;

use motet_model::{Draft, Language, Options};
use motet_nets::{CODES, Nets};
use motet_source::{Problems, Sources};

const NETS: &str = "const N = 2; type R = int 1..N; enum E = { red, blue };
    port hello(n: R);
    agent net K(n: R) { place s : R = { n }; transition t { in s(x); sync up ! hello(x); } }
    agent net Unused() { place s : token = 1; }";

const SYSTEM: &str = "def lit = { x | x in lamps where x = red }; def many(n) = size(lamps) > n;
    system net S() { place p : agent = { new K(N) }; place lamps : E = { red, blue }; cell seen : set of R = {};
      transition hear { in p(a); sync a ? hello(n); seen' = seen union {n}; } }";

fn read(files: &[(&str, &str)], options: &Options) -> (Option<Box<dyn Draft>>, String) {
    let mut sources = Sources::new();
    for (name, text) in files {
        sources.add(*name, *text);
    }
    let mut problems = Problems::new();
    let draft = Nets.read(&sources, options, &mut problems);
    (draft, problems.lines(&sources))
}

fn with(settings: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    for (name, value) in settings {
        match name.split_once(' ') {
            Some(("rule", rule)) => drop(options.rules.insert(rule.to_owned(), (*value).to_owned())),
            Some(("bound", bound)) => drop(options.bounds.insert(bound.to_owned(), 3)),
            Some((_, constant)) => drop(options.parameters.insert(constant.to_owned(), (*value).to_owned())),
            None => options.mode = Some((*value).to_owned()),
        }
    }
    options
}

#[test]
fn several_files_are_one_model() {
    let files = [("nets.npn", NETS), ("system.prt", SYSTEM), ("claims.props", "always: true")];
    let (draft, problems) = read(&files, &Options::default());
    assert_eq!(
        problems,
        "nets.npn:4:15: warning[M1037]: nothing creates an agent of `Unused` (help: write `new Unused(...)` in an \
         initial marking or an output arc)\n"
    );
    assert!(draft.unwrap().system(&[], &mut Problems::new()).is_some());
}

#[test]
fn the_vocabulary_has_what_claims_may_name() {
    let (draft, _) = read(&[("nets.npn", NETS), ("system.npn", SYSTEM)], &with(&[("constant N", "3")]));
    let draft = draft.unwrap();
    let words = draft.vocabulary();
    assert_eq!(words.agents, ["K", "Unused"]);
    let sort =
        |name: &str| words.sorts.iter().find(|(sort, _)| sort == name).map(|(_, members)| members.clone());
    assert_eq!(sort("E").unwrap(), ["red", "blue"]);
    assert_eq!(sort("R").unwrap(), ["1", "2", "3"]);
    assert_eq!(words.collections, ["p", "lamps", "seen", "lit"]);
    assert_eq!(words.parameters, [("N".to_owned(), "3".to_owned())]);
    let group =
        |title: &str| words.groups.iter().find(|(known, _)| known == title).map(|(_, words)| words.clone());
    assert_eq!(group("places of S").unwrap(), ["p : agent", "lamps : E"]);
    assert_eq!(group("cells of S").unwrap(), ["seen : set of int 1..3"]);
    assert_eq!(group("definitions").unwrap(), ["lit", "many(_)"]);
    assert_eq!(group("ports").unwrap(), ["hello(n: int 1..3)"]);
    assert_eq!(group("transitions of K").unwrap(), ["t"]);
}

#[test]
fn only_fairness_is_open_to_rules() {
    let said = |settings: &[(&str, &str)]| read(&[("a.npn", NETS), ("b.npn", SYSTEM)], &with(settings)).1;
    assert!(!said(&[("rule fairness", "mode")]).contains("error"));
    assert!(!said(&[("rule fairness", "transition")]).contains("error"));
    assert!(said(&[("rule fairness", "transitions")]).contains("did you mean `transition`?"));
    assert!(
        said(&[("rule fairnes", "mode")]).contains("error[M1045]: `--rule fairnes` means nothing for nets")
    );
    assert!(said(&[("mode", "strict")]).contains("error[M1045]: `--mode strict` means nothing for nets"));
    assert!(said(&[("bound events", "3")]).contains("error[M1045]: `--bound events` means nothing for nets"));
    assert!(said(&[("constant M", "3")]).contains("error[M1025]: there is no constant `M` to bind"));
}

#[test]
fn without_nets_there_is_nothing_to_read() {
    let (draft, problems) = read(&[("claims.props", "always: true")], &Options::default());
    assert!(draft.is_none());
    assert!(problems.contains("error[M1046]: there are no nets here"));
}

#[test]
fn what_could_not_be_read_is_not_missed() {
    let broken = NETS.replace("const N = 2;", "const N = = 2;");
    let (draft, problems) = read(&[("a.npn", &broken), ("b.npn", SYSTEM)], &Options::default());
    assert!(draft.is_none());
    let codes: BTreeSet<&str> = problems.lines().filter_map(|line| line.split(['[', ']']).nth(1)).collect();
    assert!(codes.iter().all(|code| *code < "M1020"), "{problems}");
}

#[test]
fn every_code_is_explained_once() {
    let codes: Vec<&str> = CODES.iter().map(|entry| entry.code).collect();
    let different: BTreeSet<&str> = codes.iter().copied().collect();
    assert_eq!(codes.len(), different.len());
    for code in 1020..=1049 {
        assert!(different.contains(format!("M{code}").as_str()), "M{code}");
    }
}
