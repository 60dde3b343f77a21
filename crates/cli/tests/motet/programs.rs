//! What programs read of verbs: one JSON object for every option of `sim`, and for every failure of every verb.

use serde_json::Value;

use crate::folder::Folder;

const CHAIN: &str = "dtmc\nmodule m\n s : [0..2] init 0;\n [] s=0 -> 1/2:(s'=1) + 1/2:(s'=2);\n [] s>0 -> true;\nendmodule\n\
                     rewards \"steps\"\n true : 1;\nendrewards\n";
const NET: &str =
    "system net N() {\n  place a : token = 1;\n  place b : token;\n  transition t { in a; out b; }\n}\n";

fn chain(name: &str, claims: &str) -> Folder {
    Folder::new(name, &[("m.prism", CHAIN), ("m.props", claims)])
}

/// The object on standard output, which holds nothing else.
fn object(folder: &Folder, arguments: &[&str], schema: &str) -> (Value, i32) {
    let answer = folder.motet(arguments);
    let value: Value = serde_json::from_str(&answer.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}{}", answer.stdout, answer.stderr));
    assert_eq!(value["schema"], schema, "{arguments:?}: {value:#}");
    (value, answer.code)
}

fn lacks(value: &Value, schema: &Value) -> Vec<String> {
    let names = schema["required"].as_array().expect("required fields").iter().filter_map(Value::as_str);
    names.filter(|name| value.get(name).is_none()).map(str::to_owned).collect()
}

#[test]
fn sim_is_json_for_every_kind_of_claim_and_every_option() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../../docs/schema/simulation-1.json")).unwrap();
    let all = "property One: eventually s=1\npossible Two: s=2\nproperty Half: P>=0.4 [ F s=1 ]\nquery Q: P=? [ F s=1 ]\n\
               query R: R=? [ C<=3 ]\n";
    let only_numbers = "query Q: P=? [ F s=1 ]\n";
    let only_runs = "property One: eventually s=1\n";
    let net = Folder::new("sim-json-net", &[("n.npn", NET), ("n.props", "property P: always #a = 1\n")]);
    for (name, claims, several) in [
        ("sim-json-all", all, "motet.estimates/1"),
        ("sim-json-numbers", only_numbers, "motet.estimates/1"),
        ("sim-json-runs", only_runs, "motet.simulation/1"),
        ("sim-json-none", "", "motet.simulation/1"),
    ] {
        let folder = chain(name, claims);
        for more in [
            &[][..],
            &["--timeline"],
            &["--run", "2"],
            &["--choose"],
            &["--choose", "1,1"],
            &["--steps", "0"],
            &["-v"],
            &["-q"],
            &["--full"],
        ] {
            let arguments = [&["sim", "m.prism", "--seed", "1", "--format", "json"], more].concat();
            let (value, _) = object(&folder, &arguments, "motet.walk/1");
            assert_eq!(lacks(&value, &schema["$defs"]["walk"]), Vec::<String>::new(), "{value:#}");
            assert_eq!(value["offers"].is_array(), more.contains(&"--choose"), "{value:#}");
        }
        let arguments = ["sim", "m.prism", "--seed", "1", "--format", "json", "-n", "20"];
        let (value, _) = object(&folder, &arguments, several);
        let part = several.trim_start_matches("motet.").trim_end_matches("/1");
        assert_eq!(lacks(&value, &schema["$defs"][part]), Vec::<String>::new(), "{value:#}");
        assert_eq!(value["counted"].is_object(), claims == all, "{value:#}");
    }
    let (value, code) = object(&net, &["sim", "n.npn", "--format=json"], "motet.walk/1");
    assert_eq!(
        (code, &value["claims"][0]["verdict"], &value["end"]),
        (1, &"violated".into(), &"deadlock".into())
    );
    let lines = net.motet(&["sim", "n.npn", "--format", "jsonl", "-n", "2"]);
    assert_eq!(lines.stdout.lines().count(), 1, "{}", lines.stdout);
}

#[test]
fn every_failure_of_every_verb_is_an_object_for_programs() {
    let schema: Value = serde_json::from_str(include_str!("../../../../docs/schema/failure-1.json")).unwrap();
    let folder = Folder::new(
        "failures",
        &[
            ("n.npn", NET),
            ("bad.npn", "net {"),
            ("bad/bad.props", "property P: [] (\n"),
            ("m.prism", CHAIN),
            ("none.json", "{}"),
        ],
    );
    let form = ["--format", "json"];
    let cases: &[(&[&str], i32)] = &[
        (&["sim", "bad.npn"], 3),
        (&["sim", "nowhere"], 3),
        (&["sim", "n.npn", "--oops"], 2),
        (&["sim", "n.npn", "--report", "junit=x"], 2),
        (&["sim", "n.npn", "--choose", "9"], 2),
        (&["sim", "m.prism", "--until", "1h"], 2),
        (&["sim", "m.prism", "--strategy", "nowhere.csv"], 2),
        (&["sim", "n.npn", "-n", "2", "--timeline"], 2),
        (&["check", "n.npn", "--oops"], 2),
        (&["check", "n.npn", "--report", "csv=x"], 2),
        (&["check", "n.npn", "--engine", "spin", "--cross-check", "spin"], 2),
        (&["check"], 2),
        (&["sweep", "m.prism"], 2),
        (&["sweep", "nowhere", "-D", "N=1,2"], 3),
        (&["explain", "bad.npn"], 3),
        (&["explain", "M9999"], 2),
        (&["explain", "-e", "F ("], 3),
        (&["explain", "none.json"], 3),
        (&["advise", "bad.npn"], 3),
        (&["advise", "m.prism", "--query", "P=? ["], 3),
        (&["nets", "report", "bad.npn"], 3),
        (&["nets", "beliefs", "nowhere"], 3),
        (&["nets", "beliefs", "n.npn", "--net", "Nobody"], 2),
        (&["nets", "tables", "bad.npn"], 3),
        (&["vocab", "n.npn"], 2),
        (&["fmt", "n.props"], 2),
        (&["nonsense"], 2),
    ];
    for (words, code) in cases {
        let arguments = [*words, &form].concat();
        let (value, exit) = object(&folder, &arguments, "motet.failure/1");
        assert_eq!((exit, &value["exit"]), (*code, &Value::from(*code)), "{arguments:?}: {value:#}");
        assert_eq!(lacks(&value, &schema), Vec::<String>::new(), "{value:#}");
        let found = value["diagnostics"].as_array().expect("a list");
        assert!(!found.is_empty(), "{arguments:?}");
        for diagnostic in found {
            assert_eq!(lacks(diagnostic, &schema["$defs"]["diagnostic"]), Vec::<String>::new(), "{value:#}");
        }
    }
    let (value, _) = object(&folder, &["check", "n.npn", "--oops", "--format", "json"], "motet.failure/1");
    assert_eq!(
        value["diagnostics"][0]["code"], "M0027",
        "what is wrong with a command line has a code: {value:#}"
    );
    let (value, exit) = object(&folder, &["check", "bad.npn", "--format", "json"], "motet.report/1");
    assert_eq!((exit, value["diagnostics"].as_array().map(Vec::is_empty)), (3, Some(false)));
    let asked = folder.motet_with(&["sim", "nowhere"], &[("MOTET_FORMAT", "json")]);
    assert!(asked.stdout.contains("motet.failure/1"), "{}", asked.stdout);
    let misfit = folder.motet(&["sweep", "bad.npn", "--format", "json", "--oops"]);
    assert!(misfit.code == 2 && misfit.stdout.contains("M0027"), "{}", misfit.stdout);
    let person = folder.motet(&["sim", "nowhere"]);
    assert!(person.stdout.is_empty() && person.stderr.contains("error[M0001]"), "{}", person.stderr);
}
