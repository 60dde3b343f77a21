//! A claim about a nested net has the same verdict without the transitions that cannot influence it.

use motet_evidence::Fairness;
use motet_source::Sources;
use motet_suite::agreement::{Compared, compare_random};
use motet_suite::generate_nets;
use motet_suite::sliced::{both, verdicts};
use motet_workbench::{CheckOptions, Loaded, Project, check_sliced, load};

/// Random nets in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 150;

fn read(model: &str, claims: &str) -> Loaded {
    let mut sources = Sources::new();
    sources.add("model.npn".to_owned(), model.to_owned());
    sources.add("claims.props".to_owned(), claims.to_owned());
    let loaded = load(Project { path: "model.npn".to_owned(), sources, ..Project::default() });
    assert!(loaded.ready.is_some(), "{}\n{model}\n{claims}", loaded.problems.lines(&loaded.sources));
    loaded
}

fn agree(model: &str, claims: &str, fairness: Fairness) -> Compared {
    let loaded = read(model, claims);
    let (whole, sliced) = both(&loaded, Some(fairness), 3_000);
    if whole.stop.is_some() || sliced.claims.iter().all(|claim| claim.left_out.is_empty()) {
        return None;
    }
    if verdicts(&whole) != verdicts(&sliced) {
        return Some(Err(format!("{:?}\n{:?}\n{model}\n{claims}", verdicts(&whole), verdicts(&sliced))));
    }
    let holds = verdicts(&whole).iter().filter(|(_, verdict)| verdict == "Holds").count();
    Some(Ok((holds, whole.claims.len() - holds)))
}

#[test]
fn transitions_of_random_nested_nets_that_cannot_influence_a_claim_are_left_out() {
    compare_random(ROUNDS, |seed| {
        let model = generate_nets::model(seed);
        let claims = generate_nets::model_claims(seed, &model, 4);
        let fairness = [Fairness::None, Fairness::Weak, Fairness::Strong][(seed % 3) as usize];
        agree(&model, &claims, fairness)
    });
}

/// A depot that lends carts and, on the side, counts visitors. Carts have a wheel that squeaks when they are out.
const DEPOT: &str = "\
port ride();
agent net Cart() {
  place rest : token = 1;
  place roll : token;
  place squeak : token;
  transition go { in rest; sync up ! ride(); out roll; }
  transition squeal { in roll; inhib squeak; out roll, squeak; }
  transition oil { in squeak; }
}
system net Depot() {
  place shed : (name: int, net: agent) = { (1, new Cart()) };
  place road : (name: int, net: agent);
  place visitors : token = 2;
  place gone : token;
  transition lend { in shed(c); sync c.net ? ride(); out road(c); }
  transition leave { in visitors; out gone; }
}
";

fn left_out(claim: &str) -> Vec<String> {
    let loaded = read(DEPOT, claim);
    let report = check_sliced(&loaded, &CheckOptions::default(), &mut |_| {});
    report.claims[0].left_out.clone()
}

#[test]
fn what_meets_at_a_port_is_needed_together() {
    assert_eq!(
        left_out("property P: G (#road <= 1)"),
        ["transition Cart.squeal", "transition Cart.oil", "transition Depot.leave"]
    );
}

#[test]
fn a_place_of_an_agent_needs_what_changes_it_and_what_lets_the_agent_go() {
    assert_eq!(left_out("property P: G (forall c in road: #c.net.squeak <= 0)"), ["transition Depot.leave"]);
}

#[test]
fn a_claim_about_the_side_needs_the_side() {
    assert_eq!(
        left_out("possible P: #gone = 2"),
        ["transition Cart.go", "transition Cart.squeal", "transition Cart.oil", "transition Depot.lend"]
    );
}

#[test]
fn a_claim_about_the_last_step_needs_every_step() {
    assert!(left_out("possible P: fires(leave)").is_empty());
}
