//! Names of 70 000 letters, whatever they name: nothing panics, no run is lost, every verb answers.

use crate::folder::Folder;

/// More than the widest column that the standard library pads to.
const LETTERS: usize = 70_000;

/// Every verb, with options that show names in columns.
const VERBS: &[&[&str]] = &[
    &["check", "."],
    &["check", ".", "--states", "2"],
    &["check", ".", "--slice", "--symmetry", "--partial-order", "-v"],
    &["check", ".", "--format", "json", "--coverage"],
    &["check", ".", "--report", "junit=j.xml", "--report", "html=h.html", "--report", "coverage=c.html"],
    &["sim", ".", "--seed", "1"],
    &["sim", ".", "--seed", "1", "--timeline", "--full", "--report", "html=s.html"],
    &["sim", ".", "-n", "3"],
    &["vocab", "."],
    &["explain", "."],
    &["fmt", ".", "--check"],
    &["export", ".", "--to", "promela"],
    &["export", ".", "--to", "dot", "--graph", "team"],
    &["export", ".", "--to", "json", "--graph", "states"],
    &["export", ".", "--to", "aut"],
    &["export", ".", "--to", "hoa"],
    &["export", ".", "--to", "prism"],
    &["export", ".", "--to", "jani"],
    &["export", ".", "--to", "nusmv"],
    &["export", ".", "--to", "svg"],
];

/// Asks every verb about a model with a long name for everything it has, and looks for the runs of two claims.
fn answers(name: &str, files: &[(&str, &str)]) {
    let folder = Folder::new(&format!("long_names_{name}"), files);
    for verb in VERBS {
        let answer = folder.motet(verb);
        let said = format!("{}{}", answer.stdout, answer.stderr);
        let end: String = said.chars().rev().take(400).collect::<Vec<char>>().into_iter().rev().collect();
        assert!([0, 1, 2, 3, 4].contains(&answer.code), "{name} {verb:?}: {} {end}", answer.code);
        assert!(!said.contains("panicked"), "{name} {verb:?}: {end}");
    }
    let saved = std::fs::read_dir(folder.path().join(".motet/traces")).expect("runs were saved");
    let saved = saved.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned());
    let traces: Vec<String> = saved.filter(|file| !file.starts_with("sim-")).collect();
    assert_eq!(traces.len(), 2, "{name}: each claim has its run: {traces:?}");
    for trace in traces {
        let trace = format!(".motet/traces/{trace}");
        for verb in [&["trace", "show"][..], &["trace", "step"], &["explain"]] {
            let answer = folder.motet(&[verb, &[trace.as_str()]].concat());
            assert_eq!(
                answer.code,
                0,
                "{name} {verb:?}: {}",
                answer.stderr.chars().take(400).collect::<String>()
            );
        }
    }
}

fn names() -> (String, String, String) {
    let long = |first: &str| format!("{first}{}", "x".repeat(LETTERS));
    (long("A"), long("w"), long("C"))
}

#[test]
fn a_brahms_model_may_have_names_of_70_000_letters() {
    let (who, what, claim) = names();
    let model = format!(
        "group G{who} {{ attributes: public int {what}; }}\nagent {who} memberof G{who} {{ initial_facts: (current.{what} = 0); \
         activities: primitive_activity do_{what}() {{ max_duration: 10; }} workframes: workframe wf_{what} {{ repeat: false; \
         do {{ do_{what}(); conclude((current.{what} = 1)); printBelief(current.{what}); }} }} }}\n"
    );
    let claims = format!(
        "property {claim}: never ({who}.{what} = 1)\nproperty {claim}2: always ({who}.{what} = 0)\nproperty {claim}3: always ({who}.{what} < 5)\n"
    );
    answers("brahms", &[("m.b", &model), ("m.props", &claims)]);
}

#[test]
fn a_team_of_agentspeak_may_have_names_of_70_000_letters() {
    let (who, what, claim) = names();
    let who = who.to_lowercase();
    let team = format!("team t\nmode jason\nagent {who}: x.asl\n");
    let program = format!("!{what}.\n+!{what} <- +done_{what}.\n");
    let done = format!("Bel({who}, done_{what})");
    let claims = format!(
        "property {claim}: never {done}\nproperty {claim}2: never {done}\nproperty {claim}3: always ({done} or not {done})\n"
    );
    answers("agentspeak", &[("t.team", &team), ("x.asl", &program), ("t.props", &claims)]);
}

#[test]
fn a_prism_model_may_have_names_of_70_000_letters() {
    let (who, what, claim) = names();
    let model = format!(
        "mdp\nmodule {who}\n  {what} : [0..2];\n  [go_{what}] {what} < 2 -> ({what}' = {what} + 1);\nendmodule\n"
    );
    let claims = format!(
        "property {claim}: G {what} < 2\nproperty {claim}2: G {what} < 1\nproperty {claim}3: G {what} < 3\n"
    );
    answers("prism", &[("m.prism", &model), ("m.props", &claims)]);
}

#[test]
fn a_net_may_have_names_of_70_000_letters() {
    let (who, what, claim) = names();
    let model = format!(
        "system net {who}() {{\n  place {what} : token = 1;\n  place done_{what} : token;\n  transition go_{what} {{ in {what}; out \
         done_{what}; }}\n}}\n"
    );
    let claims = format!(
        "property {claim}: never (#done_{what} = 1)\nproperty {claim}2: always (#{what} = 1)\nproperty {claim}3: always (#{what} < 2)\n"
    );
    answers("nets", &[("m.npn", &model), ("m.props", &claims)]);
}

#[test]
fn an_agent_in_senglish_may_have_names_of_70_000_letters() {
    let (_, what, claim) = names();
    let agent = format!(
        "INITIAL BELIEFS AND GOALS\nStart {what}.\n\nPERCEPTION PROCESS\nMonitor the following booleans:\nDone {what}. \
         {{[],[0.5,1,0],[0,1,0]}}\n\nEXECUTABLE PLANS\nIf ^[Start {what}] while true then\n  +^[Busy {what}]\n  -^[Start {what}].\n"
    );
    let claims = format!(
        "property {claim}: never \"Busy {what}\"\nproperty {claim}2: always \"Start {what}\"\nproperty {claim}3: always (\"Start \
         {what}\" or not \"Start {what}\")\n"
    );
    answers("senglish", &[("m.sej", &agent), ("m.props", &claims)]);
}
