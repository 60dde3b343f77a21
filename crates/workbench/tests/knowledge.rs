//! Claims about knowledge in every language, and those that are refused.

use motet_evidence::Verdict;
use motet_workbench::{CheckOptions, Loaded, Options, Problems, Project, Selection, Sources, check, load};

fn loaded(files: &[(&str, &str)]) -> Loaded {
    let mut sources = Sources::new();
    for (name, text) in files {
        sources.add(*name, *text);
    }
    load(Project {
        path: "m".to_owned(),
        sources,
        problems: Problems::new(),
        language: None,
        options: Options::default(),
        selection: Selection::default(),
    })
}

fn verdicts(files: &[(&str, &str)]) -> Vec<Verdict> {
    let loaded = loaded(files);
    assert!(loaded.ready.is_some(), "{}", loaded.problems.lines(&loaded.sources));
    let report = check(&loaded, &CheckOptions::default(), &mut |_| {});
    report.claims.iter().map(|claim| claim.outcome.verdict.clone()).collect()
}

fn codes(files: &[(&str, &str)]) -> Vec<&'static str> {
    loaded(files).problems.iter().map(|problem| problem.code).collect()
}

const TEAM: (&str, &str) = (
    "t.team",
    "team t\nmode strict\nagent ann\nagent ben\nenv w {\n  sort Colour = {red}\n  var lamp : 0..1 = 0
  percept to ann: lit when lamp == 1\n  step switch when lamp == 0 { lamp := 1 }\n}\n",
);
const ANN: (&str, &str) = ("ann.asl", "+lit : true <- +noted.");
const BEN: (&str, &str) = ("ben.asl", "+lit : true <- +noted.");

#[test]
fn agents_of_agentspeak_know_what_they_have_seen() {
    let claims = "property Sees: always (ann believes lit -> K[ann](lamp = 1))
                  property Blind: never (K[ben](lamp = 1))
                  property Both: always (lamp = 1 -> EK[agent](lamp = 1))";
    let found = verdicts(&[TEAM, ANN, BEN, ("c.props", claims)]);
    assert_eq!(found, [Verdict::Holds, Verdict::Holds, Verdict::Fails]);
}

#[test]
fn groups_of_brahms_are_groups_that_know() {
    let model = "
        group Nurse { attributes: public boolean told; initial_facts: (current.told = false); }
        agent Ann memberof Nurse { }
        agent Ben memberof Nurse { }
        agent Desk {
            activities:
                primitive_activity sleep() { max_duration: 60; }
                communicate call() { max_duration: 5; with: Ann, Ben; about: send(Desk.alarm = true); }
            attributes: public boolean alarm;
            initial_facts: (current.alarm = false);
            workframes: workframe wf_call { repeat: false; do { sleep(); conclude((current.alarm = true)); call(); } }
        }";
    let claims = "property Each: whenever Desk.alarm, within 5 s, EK[Nurse](Desk.alarm = true)
                  property Sooner: whenever Desk.alarm, within 4 s, EK[Nurse](Desk.alarm = true)
                  property One: always (forall n in Nurse: (n believes Desk.alarm = true -> n knows (Desk.alarm = true)))";
    let found = verdicts(&[("m.b", model), ("c.props", claims)]);
    assert_eq!(found, [Verdict::Holds, Verdict::Fails, Verdict::Holds]);
}

#[test]
fn modules_of_prism_know_their_own_variables() {
    let model = "mdp\nmodule ann\n a : [0..1];\n [] a=0 -> (a'=1);\n [] a=1 -> true;\nendmodule
                 module ben\n b : bool;\n [] true -> (b'=!b);\nendmodule";
    let claims = "property Own: always (a = 1 -> K[ann](a = 1))
                  property Other: never (K[ben](a = 1))
                  property Each: always (a = 1 -> EK[module](a = 1))";
    assert_eq!(
        verdicts(&[("m.prism", model), ("c.props", claims)]),
        [Verdict::Holds, Verdict::Holds, Verdict::Fails]
    );
}

#[test]
fn agents_of_senglish_know_their_percepts() {
    let scout =
        "PERCEPTION PROCESS\nMonitor the following booleans:\nA mine is near. {[],[0.5,1,0],[0,1,0]}\n";
    let hunter = "PERCEPTION PROCESS\nMonitor the following booleans:\nIt rains. {[],[0.5,1,0],[0,1,0]}\n";
    let claims = "property Own: always (scout believes \"A mine is near\" -> K[scout](scout believes \"A mine is near\"))
                  property Other: never (K[hunter](scout believes \"A mine is near\"))";
    let found = verdicts(&[("scout.sej", scout), ("hunter.sej", hunter), ("c.props", claims)]);
    assert_eq!(found, [Verdict::Holds, Verdict::Holds]);
}

#[test]
fn agents_of_nets_know_their_marking() {
    let model = "enum WHO = {ann, ben};
        agent net Walker(me: WHO) { place left : token = 1; place right : token; transition walk { in left; out right; } }
        system net World() { place room : (who: WHO, net: agent) = { (ann, new Walker(ann)), (ben, new Walker(ben)) }; }";
    let claims = "define gone(w) = exists a in room: a.who = w and #a.net.right = 1
        property Own: always (forall w in WHO: (gone(w) -> K[Walker(w)](gone(w))))
        property Other: never (K[Walker(ann)](gone(ben)))
        property Each: always (gone(ann) -> EK[Walker](gone(ann)))
        property Together: always (gone(ann) -> DK[Walker](gone(ann)))";
    let found = verdicts(&[("m.npn", model), ("c.props", claims)]);
    assert_eq!(found, [Verdict::Holds, Verdict::Holds, Verdict::Fails, Verdict::Holds]);
}

#[test]
fn nobody_knows_who_is_not_there_to_know() {
    let net = "system net S() { place p : token = 1; transition t { in p; } }";
    let plain = "net toy\npl a (1)\ntr t a -> b\n";
    for (files, claim, code) in [
        (vec![TEAM, ANN, BEN], "K[bne](lamp = 1)", "M0225"),
        (vec![TEAM, ANN, BEN], "EK[Colour](lamp = 1)", "M0225"),
        (vec![TEAM, ANN, BEN], "K[agent](lamp = 1)", "M0226"),
        (vec![TEAM, ANN, BEN], "K[{ann, ben}](lamp = 1)", "M0226"),
        (vec![("m.npn", net)], "K[S](#p = 1)", "M0280"),
        (vec![("toy.net", plain)], "K[a](#a = 1)", "M0280"),
        (
            vec![("m.prism", "mdp\nmodule m\n x : bool;\n [] true -> true;\nendmodule")],
            "EK[agent](x)",
            "M0281",
        ),
    ] {
        let claims = format!("property A: {claim}");
        let mut files = files;
        files.push(("c.props", &claims));
        assert!(codes(&files).contains(&code), "{claim}: {:?}", codes(&files));
    }
}
