//! Packages, imports, types and who is an instance of what.

use motet_brahms::program::{EntityKind, Program};
use motet_model::Options;

use crate::{beliefs, problems, read, read_files};

fn members(program: &Program, kind: &str) -> Vec<String> {
    let found = program.types.iter().find(|known| known.name == kind).expect("the type");
    found.members.iter().map(|member| program.entities[member.index()].name.clone()).collect()
}

#[test]
fn members_of_a_type_are_those_of_its_descendants_too() {
    let program = read(
        "group Staff { } group Nurse memberof Staff { } agent ann memberof Nurse { } agent bob memberof Staff { }
         agent eve { }",
    );
    assert_eq!(members(&program, "Staff"), ["ann", "bob"]);
    assert_eq!(members(&program, "Nurse"), ["ann"]);
    assert_eq!(members(&program, "BaseGroup"), ["ann", "bob", "eve"]);
}

#[test]
fn agents_and_objects_act_and_areas_and_conceptual_objects_do_not() {
    let program = read(
        "agent a { } external agent b; class C { } object c instanceof C { } conceptual_class D { }
         conceptual_object d instanceof D { } area e instanceof World { }",
    );
    let kinds: Vec<(EntityKind, bool)> =
        program.entities.iter().map(|entity| (entity.kind, entity.actor.is_some())).collect();
    assert_eq!(
        kinds,
        [
            (EntityKind::Agent, true),
            (EntityKind::ExternalAgent, true),
            (EntityKind::Object, true),
            (EntityKind::ConceptualObject, false),
            (EntityKind::Area, false),
        ]
    );
}

#[test]
fn a_short_name_means_the_own_package_first() {
    let (program, problems) = read_files(
        &[
            (
                "a.b",
                "package one; agent robot { } agent user { attributes: public Agent at; initial_beliefs: (current.at = robot); }",
            ),
            ("b.b", "package two; agent robot { }"),
        ],
        &Options::default(),
    );
    assert_eq!(problems, Vec::<String>::new());
    let program = program.expect("no errors");
    assert_eq!(beliefs(&program, "user"), ["user.at = one.robot"]);
}

#[test]
fn an_import_decides_between_two_packages() {
    let user = "agent user { attributes: public Agent at; initial_beliefs: (current.at = robot); }";
    let files = |import: &str| {
        let third = format!("package three; {import} {user}");
        let (program, problems) = read_files(
            &[
                ("a.b", "package one; agent robot { }"),
                ("b.b", "package two; agent robot { }"),
                ("c.b", &third),
            ],
            &Options::default(),
        );
        (program.map(|program| beliefs(&program, "user")), problems)
    };
    assert_eq!(files("import two.*;").0, Some(vec!["user.at = two.robot".to_owned()]));
    assert_eq!(files("import one.robot;").0, Some(vec!["user.at = one.robot".to_owned()]));
    assert_eq!(
        files("").1,
        [
            "c.b:1:90: error[M0723]: `robot` may be any of `one.robot`, `two.robot` (help: write the name with its package, \
             or import the one that is meant)"
        ]
    );
}

#[test]
fn a_qualified_name_is_found_from_anywhere() {
    let (program, problems) = read_files(
        &[
            ("a.b", "package p.q; agent robot { } group G { attributes: public int n; }"),
            (
                "b.b",
                "agent user memberof p.q.G { attributes: public Agent at; initial_beliefs: (current.at = p.q.robot); (current.n = 1); }",
            ),
        ],
        &Options::default(),
    );
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(beliefs(&program.expect("no errors"), "user"), ["user.at = robot", "user.n = 1"]);
}

#[test]
fn a_model_that_imports_nothing_finds_what_only_one_package_declares() {
    let (program, problems) = read_files(
        &[("a.b", "package p; group G { }"), ("b.b", "package q; agent user memberof G { }")],
        &Options::default(),
    );
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(members(&program.expect("no errors"), "G"), ["user"]);
}

#[test]
fn a_concept_from_a_missing_library_is_taken_as_empty_with_a_warning() {
    let text = "import nasa.lib.*; agent a memberof Crew { workframes: workframe w { do { conclude((current.x = 1)); } } }";
    let (program, problems) = read_files(&[("m.b", text)], &Options::default());
    assert!(program.is_some());
    assert_eq!(
        problems,
        [
            "m.b:1:37: warning[M0726]: `Crew` is imported, but its file is not here (help: add the file that declares it; it is \
          taken as an empty group)"
        ]
    );
}

#[test]
fn an_area_type_can_be_a_type_of_variables() {
    let program = read(
        "areadef bed extends BaseAreaDef { } area one instanceof bed { } area two instanceof bed { }
         agent a { location: one; workframes: workframe w { variables: forone(bed) b;
           when(knownval(current.location = b)) do { conclude((current.location = b)); } } }",
    );
    assert_eq!(members(&program, "bed"), ["one", "two"]);
}

#[test]
fn unknown_types_suggest_the_nearest_one() {
    assert_eq!(
        problems("group Nurse { } agent a memberof Nurze { }"),
        [
            "m.b:1:34: error[M0720]: there is no group, class or area definition `Nurze` (help: did you mean `Nurse`?)"
        ]
    );
}

#[test]
fn two_agents_of_one_name_and_circles_are_errors() {
    assert_eq!(
        problems("agent a { } agent a { }"),
        ["m.b:1:19: error[M0721]: `a` is declared twice (help: rename one of them, or join the two)"]
    );
    assert_eq!(
        problems("group A memberof B { } group B memberof A { } agent a memberof A { }"),
        ["m.b:1:7: error[M0725]: `A` descends from itself (help: take one of the parents out of the circle)"]
    );
    assert_eq!(
        problems("area a instanceof World partof b { } area b instanceof World partof a { } agent x { }"),
        ["m.b:1:43: error[M0725]: `b` is part of itself (help: take one `partof` out of the circle)"]
    );
}

#[test]
fn a_parent_must_be_of_the_right_kind() {
    assert_eq!(
        problems("class C { } agent a memberof C { }"),
        ["m.b:1:30: error[M0724]: `C` is a class, not a group (help: an agent descends from a group)"]
    );
}

#[test]
fn a_model_without_agents_and_objects_is_an_error() {
    assert_eq!(
        problems("group G { }"),
        [
            "m.b:1:1: error[M0768]: there is no agent or object in this model (help: declare one: `agent bob { }`)"
        ]
    );
}
