//! Claims that a tree of runs shows: reported, saved, walked.

use crate::folder::Folder;

/// A lamp that may be lit and may break, and a guard who sees it only while he looks.
const LAMP: &str = "mdp
module lamp
  lit : bool; broken : bool;
  [] !lit & !broken -> (lit'=true);
  [] !broken -> (lit'=false) & (broken'=true);
endmodule
module guard
  seen : [0..2];
  [] seen=0 -> (seen'=lit ? 2 : 1);
endmodule
";

const CLAIMS: &str = "property Knows: always (lit -> K[guard](lit))
property Back: A[G (E[F (lit)])]
";

const TRACE: &str = ".motet/traces/Knows.itf.json";

fn lamp(name: &str) -> Folder {
    Folder::new(name, &[("lamp.prism", LAMP), ("lamp.props", CLAIMS)])
}

#[test]
fn a_tree_is_reported_saved_and_walked() {
    let folder = lamp("tree");
    let answer = folder.motet(&["check", "."]);
    assert_eq!(answer.code, 1, "{}{}", answer.stdout, answer.stderr);
    for text in [
        "1.1  after step 1, guard does not know that lit:",
        "guard cannot tell this situation from the one at the start, where it is false",
        "it is false that on some run from here eventually lit:",
        "no continuation gets there (complete search)",
    ] {
        assert!(answer.stdout.contains(text), "{text} is missing in {}", answer.stdout);
    }
    let tree = folder.motet(&["trace", "show", TRACE, "--tree"]);
    assert_eq!(tree.code, 0, "{}", tree.stderr);
    assert!(
        tree.stdout.contains("Knows: 1 branch") && tree.stdout.contains("  1.1    after step 1,"),
        "{}",
        tree.stdout
    );
    let one = folder.motet(&["trace", "show", TRACE, "--branch", "1.1"]);
    assert!(one.stdout.contains("guard sees the same in both situations"), "{}{}", one.stdout, one.stderr);
    let step = folder.motet(&["trace", "step", TRACE, "--branch", "1.1"]);
    assert!(step.stdout.contains("0  at the start") && !step.stdout.contains("   1  "), "{}", step.stdout);
    let json = folder.motet(&["check", ".", "--format", "json"]);
    assert!(json.stdout.contains("\"shown\": \"elsewhere\""), "{}", json.stdout);
    assert_eq!(folder.motet(&["check", ".", "--report", "html=tree.html"]).code, 1);
    assert!(folder.read("tree.html").contains("what could also have been"));
}

#[test]
fn a_tree_is_replayed_before_it_is_shown() {
    let folder = lamp("forged");
    assert_eq!(folder.motet(&["check", "."]).code, 1);
    let refused = |arguments: &[&str], code: &str| {
        let answer = folder.motet(arguments);
        assert_eq!(answer.code, 3, "{}", answer.stdout);
        assert!(answer.stderr.contains(&format!("error[{code}]")), "{}", answer.stderr);
    };
    refused(&["trace", "show", TRACE, "--branch", "1.7"], "M0013");
    refused(&["trace", "step", ".motet/traces/Back.itf.json", "--branch", "1.1"], "M0013");
    let trace = folder.read(TRACE);
    // The formula is that of another claim, so the tree does not show this one any more.
    let forged = trace.replacen("(K ['guard'] 'lit')", "(E (F (now 'lit')))", 1);
    assert_ne!(forged, trace);
    folder.write(TRACE, forged.as_bytes());
    refused(&["trace", "show", TRACE], "M0010");
    let forged = trace.replacen("(K ['guard'] 'lit')", "(K ['guard'] 'dark')", 1);
    folder.write(TRACE, forged.as_bytes());
    refused(&["trace", "show", TRACE, "--tree"], "M0010");
}
