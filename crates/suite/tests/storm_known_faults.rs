//! Faults that Storm is known to have: what it says, and that the report tells them from a disagreement. Needs `stormpy`.

use std::time::Duration;

use motet_evidence::Verdict;
use motet_external::storm::{self, Found, Input, Storm, Task};
use motet_render::{ClaimReport, Ending, Report};
use motet_source::Sources;
use motet_workbench::{CheckOptions, Engine, Limits, Project, Settings, check, load};

/// Half of all runs end where nothing can happen and 5 is earned at each moment.
const ENDS: &str = "dtmc
module m
  x : [0..2] init 0;
  [] x = 0 -> 1/2 : (x'=1) + 1/2 : (x'=2);
  [] x = 1 -> true;
endmodule
rewards \"r\"
  x = 2 : 5;
  x = 1 : 1;
  [] true : 7;
endrewards
";

/// The remainder of -6 and of -4 by 3.
const REMAINDERS: &str = "dtmc
module m
  x : [-9..9] init -6;
  y : [-9..9] init 9;
  [] y = 9 -> (y'=mod(x, 3));
  [] y < 9 & x = -6 -> (x'=-4) & (y'=9);
  [] y < 9 & x > -6 -> true;
endmodule
";

/// Storm, or `None` where it is not installed and not required.
fn found() -> Option<Storm> {
    match storm::find() {
        Ok(storm) => Some(storm),
        Err(error) => {
            assert!(std::env::var_os("MOTET_REQUIRE_STORM").is_none(), "Storm is required here: {error}");
            None
        }
    }
}

fn report(text: &str, claims: &[&str]) -> Report {
    let mut sources = Sources::new();
    sources.add("model.prism", text);
    let mut file = String::new();
    for (number, claim) in claims.iter().enumerate() {
        file += &format!("query Q{number}: {claim}\n");
    }
    sources.add("model.props", file.as_str());
    let loaded = load(Project { sources, ..Project::default() });
    assert!(!loaded.problems.has_errors(), "{}", loaded.problems.lines(&loaded.sources));
    let limits = Limits { time: Some(Duration::from_secs(300)), ..Limits::default() };
    let options = CheckOptions {
        cross_check: Some(Engine::Storm),
        scratch: std::env::temp_dir(),
        ..Settings { limits, ..Settings::default() }.into()
    };
    check(&loaded, &options, &mut |_| {})
}

/// The number of a claim here, and what Storm says.
fn numbers(claim: &ClaimReport) -> (f64, f64) {
    let middle = |verdict: &Verdict| match verdict {
        Verdict::Value { low, high } => f64::midpoint(*low, *high),
        other => panic!("a number: {other:?}"),
    };
    let second = claim.second.as_ref().expect("Storm was asked");
    (middle(&claim.outcome.verdict), middle(&second.verdict))
}

/// Origin of Storm's numbers: observed with stormpy 2.0.0, floats and fractions alike. Ours by hand: half of the runs earn 5 at
/// each moment but the first, the others 1; and the first step earns 7, further ones of `x = 1` too, repaired ones nothing.
#[test]
fn a_deadlock_that_storm_repairs_has_no_state_reward_there() {
    let Some(storm) = found() else { return };
    let asked = ["R{\"r\"}=? [ I=1 ]", "R{\"r\"}=? [ C<=4 ]", "R{\"r\"}=? [ I=0 ]", "P=? [ F x=2 ]"];
    let answer = storm.ask(
        &Task::new(Input::Prism(ENDS.to_owned()), asked.map(str::to_owned).to_vec()),
        &std::env::temp_dir(),
    );
    let replies = answer.expect("Storm reads it").replies;
    for (reply, expected) in replies.iter().zip([0.5, 7.0 + 3.0 * 0.5 * 8.0, 0.0, 0.5]) {
        let Found::Number { low, high, .. } = reply.found else { panic!("{reply:?}") };
        assert!(low <= expected && expected <= high, "{expected}: {reply:?}");
    }
    let report = report(ENDS, &asked);
    for (claim, (here, there)) in report.claims.iter().zip([(3.0, 0.5), (26.5, 19.0), (0.0, 0.0), (0.5, 0.5)])
    {
        let (ours, theirs) = numbers(claim);
        assert!((ours - here).abs() < 1e-4 && (theirs - there).abs() < 1e-4, "{ours} {theirs}");
        let fault = claim.second.as_ref().and_then(|second| second.known_fault.as_deref());
        assert_eq!(fault.is_some(), here != there, "{fault:?}");
        assert!(fault.is_none_or(|fault| fault.contains("no state reward where nothing can happen")));
        assert!(!claim.disputed());
    }
    assert_eq!(report.engine_failures, Vec::<String>::new());
    assert_eq!(report.ending(), Ending::AsExpected);
}

/// Origin of Storm's numbers: observed with stormpy 2.0.0. Ours by the definition of the remainder: -6 is a multiple of 3, and
/// -4 = -2 * 3 + 2.
#[test]
fn the_remainder_of_a_negative_multiple_is_the_divisor_in_storm() {
    let Some(_) = found() else { return };
    let report = report(REMAINDERS, &["P=? [ F y=3 ]", "P=? [ F y=0 ]", "P=? [ F y=2 ]"]);
    let found: Vec<(f64, f64)> = report.claims.iter().map(numbers).collect();
    assert_eq!(found, [(0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]);
    let fault = |at: usize| report.claims[at].second.as_ref().and_then(|second| second.known_fault.clone());
    assert!(fault(0).is_some_and(|fault| fault.contains("`mod` of a negative multiple")));
    assert!(fault(1).is_some() && fault(2).is_none());
    assert_eq!(report.ending(), Ending::AsExpected);
}

#[test]
fn a_model_without_the_construct_has_no_known_fault() {
    let Some(_) = found() else { return };
    let alive = ENDS.replace("[] x = 1 -> true;", "[] x > 0 -> true;").replace("[] true : 7;", "");
    let report = report(&alive, &["R{\"r\"}=? [ C<=4 ]"]);
    assert!(report.claims[0].agreed());
    assert_eq!(report.claims[0].second.as_ref().and_then(|second| second.known_fault.clone()), None);
}
