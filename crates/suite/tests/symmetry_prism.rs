//! PRISM modules that are copies of each other can change places, and verdicts and numbers stay.

use motet_source::Sources;
use motet_source::fuzz::Random;
use motet_suite::agreement::{Compared, compare_random};
use motet_suite::folded::{all_ways, interchangeable};
use motet_suite::generate::dice;
use motet_suite::sliced::verdicts;
use motet_workbench::{Loaded, Project, load};

const ROUNDS: u64 = 150;
const STATES: u64 = 3_000;

fn read(model: &str, claims: &str) -> Loaded {
    let mut sources = Sources::new();
    sources.add("model.prism".to_owned(), model.to_owned());
    sources.add("claims.props".to_owned(), claims.to_owned());
    let loaded = load(Project { path: "model.prism".to_owned(), sources, ..Project::default() });
    assert!(loaded.ready.is_some(), "{}\n{model}\n{claims}", loaded.problems.lines(&loaded.sources));
    loaded
}

/// Three copies of a random module beside a random one, that look at each other and act together now and then.
fn replicas(dice: &mut Random) -> String {
    let kind = dice.pick(&["mdp", "mdp", "dtmc"]);
    let mut text = format!("{kind}\nmodule one1\n  x1 : [0..2] init 0;\n");
    for _ in 0..1 + dice.below(3) {
        let label = if dice.chance(40) { dice.pick(&["a", "own1"]) } else { "" };
        let (from, to, other) = (dice.below(3), dice.below(3), dice.below(3));
        let guard = match dice.below(4) {
            0 => format!(" & y != {other}"),
            1 => format!(" & x2 != {other} & x3 != {other}"),
            2 => format!(" & (x2 = {other} | x3 = {other})"),
            _ => String::new(),
        };
        let update = match dice.chance(40) {
            true => format!("0.5 : (x1' = {to}) + 0.5 : (x1' = {other})"),
            false => format!("(x1' = {to})"),
        };
        text.push_str(&format!("  [{label}] x1 = {from}{guard} -> {update};\n"));
    }
    text.push_str("endmodule\nmodule one2 = one1 [ x1 = x2, x2 = x1, own1 = own2 ] endmodule\n");
    text.push_str("module one3 = one1 [ x1 = x3, x3 = x1, own1 = own3 ] endmodule\n");
    text.push_str("module other\n  y : [0..2] init 0;\n");
    for _ in 0..1 + dice.below(2) {
        let label = if dice.chance(40) { "a" } else { "" };
        let guard = match dice.below(3) {
            0 => " & x1 + x2 + x3 > 2",
            1 if dice.chance(30) => " & x1 > 0",
            _ => "",
        };
        text.push_str(&format!("  [{label}] y = {}{guard} -> (y' = {});\n", dice.below(3), dice.below(3)));
    }
    text.push_str("endmodule\nrewards \"all\"\n  x1 + x2 + x3 > 3 : 2;\nendrewards\nrewards \"first\"\n  x1 > 1 : 1;\nendrewards\n");
    text
}

fn claims(dice: &mut Random) -> String {
    let mut text = String::new();
    for number in 0..6 {
        let value = dice.below(3);
        let atom = |dice: &mut Random| match dice.below(5) {
            0 => format!("x{} = {value}", 1 + dice.below(3)),
            1 => format!("x1 = {value} | x2 = {value} | x3 = {value}"),
            2 => format!("x3 != {value} & x1 != {value} & x2 != {value}"),
            3 => format!("x1 + x2 + x3 >= {}", 2 * value),
            _ => format!("y = {value}"),
        };
        let (p, q) = (atom(dice), atom(dice));
        text.push_str(&match dice.below(8) {
            0 => format!("possible C{number}: {p}\n"),
            1 => format!("property C{number}: G ({p})\n"),
            2 => format!("property C{number}: F ({p})\n"),
            3 => format!("property C{number}: G (({p}) -> F ({q}))\n"),
            4 => format!("property C{number}: X ({p})\n"),
            5 => format!("property C{number}: E [ ({p}) U ({q}) ]\n"),
            6 => format!("query C{number}: Pmax=? [ F ({p}) ]\n"),
            _ => format!("query C{number}: R{{\"{}\"}}max=? [ C<=4 ]\n", dice.pick(&["all", "first"])),
        });
    }
    text
}

fn one(seed: u64) -> Compared {
    let mut dice = dice(seed ^ 0x9a1e);
    let model = replicas(&mut dice);
    let claims = claims(&mut dice);
    let [whole, folded, sliced] = all_ways(&read(&model, &claims), None, STATES);
    if whole.stop.is_some() {
        return None;
    }
    let rounded = |report: &motet_render::Report| -> Vec<String> {
        let verdict = |claim: &motet_render::ClaimReport| match claim.outcome.verdict {
            motet_evidence::Verdict::Value { low, high } => format!("{:.4}", f64::midpoint(low, high)),
            ref other => format!("{other:?}"),
        };
        report.claims.iter().map(verdict).collect()
    };
    for report in [&folded, &sliced] {
        if rounded(&whole) != rounded(report) || !report.internal.is_empty() {
            let told = report.symmetry.as_ref().map(motet_render::SymmetryReport::lines);
            let both = (verdicts(&whole), verdicts(report));
            return Some(Err(format!("{both:?}\n{:?}\n{told:?}\n{model}\n{claims}", report.internal)));
        }
    }
    if interchangeable(&folded) == 0 {
        return None;
    }
    let holds = verdicts(&whole).iter().filter(|(_, verdict)| verdict == "Holds").count();
    Some(Ok((holds, whole.claims.len() - holds)))
}

#[test]
fn verdicts_and_numbers_are_the_same_with_interchangeable_modules() {
    compare_random(ROUNDS, one);
}

#[test]
fn copies_are_found_and_counted_as_multisets() {
    let mut model =
        String::from("mdp\nmodule p1\n  x1 : [0..2] init 0;\n  [] x1 < 2 -> (x1' = x1 + 1);\nendmodule\n");
    for number in 2..=4 {
        model.push_str(&format!("module p{number} = p1 [ x1 = x{number} ] endmodule\n"));
    }
    let [whole, folded, _] =
        all_ways(&read(&model, "property Low: G (x1 + x2 + x3 + x4 <= 8)\n"), None, STATES);
    assert_eq!(
        folded.symmetry.expect("it was asked for").lines(),
        ["p: 4 are interchangeable (p1, p2, p3, p4)"]
    );
    // Four counters of three values: 3^4 states, and as many multisets as 6 over 4.
    assert_eq!(whole.coverage.expect("it was explored").states, 81);
    assert_eq!(folded.coverage.expect("it was explored").states, 15);
}
