//! Files of nets, and the contest.

use crate::folder::Folder;

/// One token between `a` and `b`.
const NET: &str = "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">\
    <place id=\"a\"><initialMarking><text>1</text></initialMarking></place><place id=\"b\"/>\
    <transition id=\"there\"/><transition id=\"back\"/>\
    <arc id=\"1\" source=\"a\" target=\"there\"/><arc id=\"2\" source=\"there\" target=\"b\"/>\
    <arc id=\"3\" source=\"b\" target=\"back\"/><arc id=\"4\" source=\"back\" target=\"a\"/></page></net></pnml>";

const REACH: &str = "<property-set><property><id>both</id><formula><exists-path><finally><integer-le>\
    <integer-constant>2</integer-constant><tokens-count><place>a</place><place>b</place></tokens-count></integer-le></finally>\
    </exists-path></formula></property></property-set>";

const SPACE: &str = "instance,states,transitions,max_token_in_place,max_token_per_marking\nloop,2,2,1,1\n";

fn contest(name: &str, answer: &str) -> Folder {
    let expected =
        format!("instance,examination,formula_id,answer\nloop,ReachabilityCardinality,both,{answer}\n");
    Folder::new(
        name,
        &[
            ("instances/loop/model.pnml", NET),
            ("instances/loop/ReachabilityCardinality.xml", REACH),
            ("instances/broken/model.pnml", "<pnml>"),
            ("expected.csv", &expected),
            ("statespace.csv", SPACE),
        ],
    )
}

#[test]
fn the_contest_is_answered_in_its_own_form() {
    let answer = contest("contest", "FALSE").motet(&["nets", "contest", ".", "--only", "loop"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    for line in [
        "STATE_SPACE STATES 2 TECHNIQUES EXPLICIT",
        "STATE_SPACE TRANSITIONS 2 TECHNIQUES EXPLICIT",
        "FORMULA ReachabilityDeadlock FALSE TECHNIQUES EXPLICIT",
        "FORMULA both FALSE TECHNIQUES EXPLICIT",
        "1 net, 2 of 2 answered, none wrong",
    ] {
        assert!(answer.stdout.lines().any(|found| found == line), "{line}: {}", answer.stdout);
    }
}

#[test]
fn a_wrong_answer_fails_and_a_broken_net_is_refused() {
    let folder = contest("contest-wrong", "TRUE");
    let answer = folder.motet(&["nets", "contest", ".", "--only", "loop"]);
    assert_eq!(answer.code, 1, "{}", answer.stdout);
    assert!(answer.stdout.contains("wrong: loop both: FALSE where TRUE is known"), "{}", answer.stdout);
    let answer = folder.motet(&["nets", "contest", "."]);
    assert_eq!(answer.code, 3, "{}", answer.stdout);
    assert!(answer.stderr.contains("M1080"), "{}", answer.stderr);
    let answer = folder.motet(&["nets", "contest", ".", "--only", "none"]);
    assert_eq!(answer.code, 2, "{}", answer.stdout);
}

#[test]
fn files_of_pnml_and_tina_are_models() {
    let tina = "net n\npl a (1)\ntr there a -> b\ntr back b -> a\n";
    let folder = Folder::new("net-files", &[("loop.pnml", NET), ("loop.net", tina)]);
    for file in ["loop.pnml", "loop.net"] {
        let answer =
            folder.motet(&["check", file, "-e", "G (#a + #b = 1 & (enabled(there) | enabled(back)))"]);
        assert_eq!(answer.code, 0, "{}{}", answer.stdout, answer.stderr);
        assert!(answer.stdout.contains("complete: 2 states"), "{}", answer.stdout);
        let answer = folder.motet(&["check", file, "-e", "G #a = 1"]);
        assert_eq!(answer.code, 1, "{}{}", answer.stdout, answer.stderr);
        assert!(answer.stdout.contains("there"), "{}", answer.stdout);
    }
}
