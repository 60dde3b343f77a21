//! Searches that remember hashes find violations and prove nothing.

use serde_json::Value;

use crate::folder::Folder;

const COUNTERS: &str = "mdp\nmodule two\n  a : [0..99] init 0;\n  b : [0..99] init 0;\n  [] a < 99 -> (a' = a + 1);\n  [] b < 99 -> \
                        (b' = b + 1);\nendmodule\n";
const CLAIMS: &str = "property Low: always (a + b < 198) expect fails\nproperty Small: always (a < 100)\nproperty On: always (a = 3 -> \
                      eventually b > 3)\npossible Half: a = 50 & b = 50\npossible More: a = 50 & b = 150\n";

#[test]
fn hashes_find_what_is_there_and_never_say_that_something_holds() {
    let folder = Folder::new("stores", &[("two.prism", COUNTERS), ("two.props", CLAIMS)]);
    for store in ["compact", "bitstate", "bitstate=4k"] {
        let answer = folder.motet(&["check", ".", "--store", store, "--format", "json"]);
        let report: Value =
            serde_json::from_str(&answer.stdout).unwrap_or_else(|_| panic!("{}", answer.stdout));
        let claims = report["claims"].as_array().expect("there are claims");
        let verdict = |name: &str| {
            let claim = claims.iter().find(|claim| claim["name"] == name).expect("the claim is there");
            claim["verdict"].as_str().expect("it has a verdict").to_owned()
        };
        if store != "bitstate=4k" {
            assert_eq!(verdict("Low"), "fails", "{store}");
            assert_eq!(verdict("Half"), "reachable", "{store}");
            assert_eq!(report["exploration"]["states"], 10_000, "{store}");
        }
        for unknown in ["Small", "On", "More"] {
            assert_eq!(verdict(unknown), "unknown", "{store}, {unknown}");
        }
        assert!(report["exploration"]["complete"] == false, "{store}");
    }
    let answer = folder.motet(&["check", ".", "-p", "Small", "--store", "compact"]);
    assert!(
        answer.stdout.contains("not a proof") && answer.stdout.contains("10000 states seen"),
        "{}",
        answer.stdout
    );
    assert_eq!(answer.code, 4);
    assert_eq!(folder.motet(&["check", ".", "--store", "some"]).code, 2);
}
