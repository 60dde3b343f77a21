//! A claim about a sEnglish team has the same answer without the plans, notes and percepts that cannot influence it.

use motet_evidence::Verdict;
use motet_source::Sources;
use motet_source::fuzz::Random;
use motet_suite::agreement::{Compared, compare_random};
use motet_suite::folder;
use motet_suite::generate::dice;
use motet_suite::generate_senglish::{SENTENCES, project};
use motet_suite::sliced::both;
use motet_workbench::{Project, load};

/// Random teams in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 60;
/// Larger teams are passed over.
const STATES: u64 = 20_000;

#[test]
fn random_parts_that_cannot_influence_a_claim_are_left_out() {
    compare_random(ROUNDS, one);
}

fn one(seed: u64) -> Compared {
    let mut dice = dice(seed ^ 0x51cd);
    let claims = claims(&mut dice);
    let mut sources = Sources::new();
    let files = project(seed);
    for (name, text) in &files {
        sources.add(name.clone(), text.clone());
    }
    sources.add("claims.props".to_owned(), claims.clone());
    let loaded = load(Project { path: "mate".to_owned(), sources, ..Project::default() });
    // Now and then a sentence is nobody's: such a team is passed over.
    loaded.ready.as_ref()?;
    let (whole, sliced) = both(&loaded, None, STATES);
    if whole.stop.is_some() || sliced.claims.iter().all(|claim| claim.left_out.is_empty()) {
        return None;
    }
    for (one, other) in whole.claims.iter().zip(&sliced.claims) {
        if !agree(&one.outcome.verdict, &other.outcome.verdict) {
            let verdicts = (&one.outcome.verdict, &other.outcome.verdict);
            return Some(Err(format!("{}: {verdicts:?}\n{}\n{claims}", one.name, files[0].1)));
        }
    }
    let holds = whole.claims.iter().filter(|claim| claim.outcome.verdict == Verdict::Holds).count();
    Some(Ok((holds, whole.claims.len() - holds)))
}

/// The same verdict; of numbers, intervals that share one.
fn agree(one: &Verdict, other: &Verdict) -> bool {
    match (one, other) {
        (Verdict::Value { low, high }, Verdict::Value { low: below, high: above }) => {
            low.max(*below) <= high.min(*above) + 1e-9
        }
        _ => one == other,
    }
}

fn claims(dice: &mut Random) -> String {
    let mut text = String::new();
    for number in 0..6 {
        let (one, other) = (SENTENCES[dice.below(8)], SENTENCES[dice.below(8)]);
        let claim = match number {
            0 => format!("possible C0: \"{one}\" and not \"{other}\""),
            1 => format!("property C1: G (\"{one}\" -> F \"{other}\")"),
            2 => format!("query C2: Pmax=? [F<={} cycles \"{one}\"]", 1 + dice.below(6)),
            3 => format!("query C3: Pmin=? [\"{other}\" U \"{one}\"]"),
            4 => format!("property C4: G (\"{one}\" -> X \"{other}\")"),
            _ => format!("property C5: AG EF \"{one}\""),
        };
        text.push_str(&claim);
        text.push('\n');
    }
    text
}

#[test]
fn the_mine_hunter_is_asked_about_the_sea_without_its_plans() {
    let root = folder::root();
    let mut sources = folder::sources(&root, "examples/asv").expect("the example holds a model");
    sources.add(
        "sea.props".to_owned(),
        "query Sea: Pmax=? [F<=21 cycles \"The sea is too rough\"]\n".to_owned(),
    );
    let selection = motet_workbench::Selection { globs: vec!["Sea".to_owned()], ..Default::default() };
    let loaded = load(Project { path: "examples/asv".to_owned(), sources, selection, ..Project::default() });
    let (_, sliced) = both(&loaded, None, STATES);
    // The counter starts at 1 and has its trial at 10 (equation 3.9), then starts at 0 again: trials in cycles 10 and 21, and
    // 1 - 0.99 * 0.99 in all.
    let Verdict::Value { low, high } = sliced.claims[0].outcome.verdict else {
        panic!("{:?}", sliced.claims)
    };
    assert!((low - 0.0199).abs() < 1e-9 && (high - 0.0199).abs() < 1e-9, "{low} {high}");
    assert!(sliced.claims[0].left_out.contains(&"plan 1".to_owned()), "{:?}", sliced.claims[0].left_out);
    assert!(sliced.claims[0].left_out.contains(&"percept A turning point is reached".to_owned()));
    let states = sliced.coverage.expect("it was explored").states;
    assert!(states < 30, "a percept and its counter: {states}");
}
