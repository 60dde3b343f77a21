//! A claim has the same verdict and the same worst case alone and beside other claims. What claims speak of decides which
//! states within an instant of a Brahms model are told apart, and nothing else.

use std::collections::BTreeMap;
use std::mem::discriminant;

use motet_brahms::Brahms;
use motet_engine::{Limits, Report, Settings, check_all};
use motet_evidence::{Fairness, Outcome, Verdict, replay_outcome};
use motet_model::{AtomId, Language, Options, System};
use motet_property::{Claim, lower_all, parse};
use motet_source::fuzz::Random;
use motet_source::{Problems, Sources};
use motet_suite::generate::dice;
use motet_suite::generate_brahms;

/// Random models in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 60;
/// Claims about each of them.
const CLAIMS: usize = 6;
/// Larger graphs are passed over: the point is variety.
const LIMIT_STATES: u64 = 3_000;

fn rounds() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "tests may be widened from outside")]
    let asked = std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<u64>().ok());
    asked.unwrap_or(0).max(ROUNDS)
}

/// A model with claims.
struct Case {
    system: System,
    claims: Vec<Claim<AtomId>>,
}

fn read(model: &str, claims: &str) -> Case {
    let mut sources = Sources::new();
    sources.add("model.b".to_owned(), model.to_owned());
    let mut problems = Problems::new();
    let draft = Brahms.read(&sources, &Options::default(), &mut problems);
    let draft =
        draft.unwrap_or_else(|| panic!("the model is well-formed:\n{}\n{model}", problems.lines(&sources)));
    let file = sources.add("claims.props", claims.to_owned());
    let (tree, found) = parse(file, claims, None);
    problems.extend(found);
    let lowered = lower_all(&[&tree], draft.vocabulary(), &BTreeMap::new(), &mut problems);
    let system = draft.system_observed(&lowered.atoms, &lowered.observers, &mut problems);
    assert!(!problems.has_errors(), "the claims are well-formed:\n{}\n{model}", problems.lines(&sources));
    Case { system: system.expect("a system without errors is built"), claims: lowered.claims }
}

impl Case {
    fn check(&self, fairness: Fairness) -> Report {
        let limits = Limits { states: Some(LIMIT_STATES), ..Limits::default() };
        let settings = Settings { fairness, limits, ..Settings::default() };
        let report = check_all(self.system.model.as_ref(), &self.claims, &settings, &mut |_| {});
        for (claim, outcome) in self.claims.iter().zip(&report.outcomes) {
            let replayed = replay_outcome(self.system.model.as_ref(), &[], claim, outcome);
            assert_eq!(replayed, Ok(()), "{}", claim.text);
        }
        report
    }
}

/// An atom about somebody who always exists.
fn atom(dice: &mut Random) -> String {
    let (who, whom) = (dice.pick(&["Ann", "Bob"]), dice.pick(&["Ann", "Bob"]));
    let fact = match dice.below(5) {
        0 | 1 => format!("{whom}.{} = {}", dice.pick(&["a", "b"]), dice.pick(&["true", "false"])),
        2 => format!("{whom}.n > {}", dice.below(2)),
        3 => format!("Box.a = {}", dice.pick(&["true", "false"])),
        _ => format!("{whom}.location = {}", dice.pick(&["home", "shop", "yard"])),
    };
    match dice.below(8) {
        0 => format!("Says({who}, {whom}, {whom}.{} = true)", dice.pick(&["a", "b"])),
        1..=3 => format!("Bel({who}, {fact})"),
        _ => fact,
    }
}

/// A claim about time. Activities take a few seconds, so that bounds of a few seconds are often met exactly.
fn formula(dice: &mut Random) -> String {
    let (p, q) = (atom(dice), atom(dice));
    let mut seconds = || dice.below(9);
    let (low, length) = (seconds(), seconds());
    // A bound of `< 0` is refused.
    let high = low + length + 1;
    let less = dice.pick(&["<", "<="]);
    match dice.below(14) {
        0 => format!("always (held({p}) {less} {high} s)"),
        1 => format!("always ({p} -> since({q}) {less} {high} s)"),
        2 => format!("always (since({p}) {less} {high} s)"),
        3 => format!("whenever {p}, within {high} s, {q}"),
        4 => format!("whenever {p}, for {length} s, {q}"),
        5 => format!("whenever {p}, after {length} s, {q}"),
        6 => format!("F{less}{high}s ({p})"),
        7 => format!("F[{low} s, {high} s] ({p})"),
        8 => format!("G[{low} s, {high} s] (not ({p}))"),
        9 => format!("(not ({p})) U[{low} s, {high} s] ({q})"),
        10 => format!("({p}) R{less}{high}s (not ({q}))"),
        11 => format!("always (now {less} {high} s -> not ({p}))"),
        12 => format!("always (now = {high} s -> {p})"),
        _ => format!("G (({p}) -> F ({q}))"),
    }
}

/// A claim about knowledge, alone or beside what happens.
fn knowing(dice: &mut Random) -> String {
    let (p, q) = (atom(dice), atom(dice));
    let (who, other) = (dice.pick(&["Ann", "Bob"]), dice.pick(&["Ann", "Bob"]));
    match dice.below(8) {
        0 => format!("always ({p} -> K[{who}]({p}))"),
        1 => format!("always ({p} -> {who} knows (not ({q})))"),
        2 => format!("eventually (K[{who}]({p}))"),
        3 => format!("never (K[{who}](K[{other}]({p})))"),
        4 => format!("always ({p} -> DK[{{Ann, Bob}}]({q}))"),
        5 => format!("never (CK[{{Ann, Bob}}](not ({p})))"),
        6 => format!("always (EK[{{Ann, Bob}}]({p}) -> CK[{{Ann, Bob}}]({p}))"),
        _ => format!("whenever {p}, within 5 s, K[{who}]({p})"),
    }
}

fn claim(number: usize, formula: &str) -> String {
    format!("property c{number}: {formula}\n")
}

/// What does not depend on how atoms and states are numbered.
fn told(outcome: &Outcome) -> impl PartialEq + std::fmt::Debug {
    (outcome.verdict.clone(), outcome.margin, discriminant(&outcome.vacuity))
}

/// Time is written out for a claim alone, and that may come to a limit too.
fn is_decided(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Holds | Verdict::Fails)
}

/// Random models and claims, each claim alone and all together; how many hold, fail, and were answered on more states
/// together than alone.
fn compare(formula: fn(&mut Random) -> String) -> [usize; 3] {
    let (mut holding, mut failing, mut finer) = (0, 0, 0);
    for seed in 0..rounds() {
        let model = generate_brahms::model(seed);
        let mut dice = dice(seed ^ 0x71e5);
        let formulas: Vec<String> = (0..CLAIMS).map(|_| formula(&mut dice)).collect();
        let text: String = formulas.iter().enumerate().map(|(number, text)| claim(number, text)).collect();
        let fairness = if dice.chance(50) { Fairness::Weak } else { Fairness::None };
        let together = read(&model, &text).check(fairness);
        for (number, formula) in formulas.iter().enumerate() {
            let alone = read(&model, &claim(number, formula)).check(fairness);
            let (one, beside) = (&alone.outcomes[0], &together.outcomes[number]);
            let complete = alone.coverage.complete && together.coverage.complete;
            if !complete || !is_decided(one) || !is_decided(beside) {
                continue;
            }
            assert_eq!(
                told(one),
                told(beside),
                "seed {seed}, alone and beside others: {formula}\n{text}\n{model}"
            );
            holding += usize::from(one.verdict == Verdict::Holds);
            failing += usize::from(one.verdict == Verdict::Fails);
            finer += usize::from(together.coverage.states > alone.coverage.states);
        }
    }
    [holding, failing, finer]
}

#[test]
fn a_claim_is_answered_beside_others_as_it_is_alone() {
    let found = compare(formula);
    let n = usize::try_from(rounds()).expect("few rounds");
    assert!(found.iter().all(|count| *count > n), "hold, fail, with more states: {found:?}");
}

#[test]
fn what_somebody_knows_does_not_depend_on_what_else_is_claimed() {
    let found = compare(|dice| if dice.chance(60) { knowing(dice) } else { formula(dice) });
    let n = usize::try_from(rounds()).expect("few rounds");
    assert!(found.iter().all(|count| *count > n), "hold, fail, with more states: {found:?}");
}

/// Ann works, and knows it, from 0 s to 10 s; at 10 s she gets hungry, and stops because of it.
const WORK: &str = "
agent Ann {
    attributes:
        public boolean works;
        public boolean hungry;
    initial_facts:
        (current.hungry = false);
    initial_beliefs:
        (current.works = true);
    activities:
        primitive_activity work() { max_duration: 10; }
    workframes:
        workframe wf_work {
            repeat: false;
            do {
                work();
                conclude((current.hungry = true));
            }
        }
    thoughtframes:
        thoughtframe tf_stop {
            repeat: false;
            when(knownval(current.hungry = true))
            do {
                conclude((current.works = false));
            }
        }
}
";

#[test]
fn a_bound_that_is_met_exactly_is_met_whatever_else_is_claimed() {
    let cases = [
        ("always (held(WORKS) < 10 s)", Verdict::Fails),
        ("always (held(WORKS) <= 10 s)", Verdict::Holds),
        ("always (since(WORKS) < 10 s)", Verdict::Fails),
        ("F[10 s, 11 s] WORKS", Verdict::Holds),
        ("F[11 s, 12 s] WORKS", Verdict::Fails),
        ("G[0 s, 9 s] WORKS", Verdict::Holds),
        ("G[0 s, 10 s] WORKS", Verdict::Fails),
        ("G[10 s, 11 s] (not WORKS)", Verdict::Fails),
        ("G>10s (not WORKS)", Verdict::Holds),
        ("always (now >= 10 s -> not WORKS)", Verdict::Fails),
        ("F<=10s (not WORKS)", Verdict::Holds),
        ("F<10s (not WORKS)", Verdict::Fails),
        ("whenever WORKS, within 10 s, (not WORKS)", Verdict::Holds),
        ("whenever (not WORKS), for 1 h, (not WORKS)", Verdict::Holds),
    ];
    for (formula, expected) in cases {
        let formula = formula.replace("WORKS", "Bel(Ann, Ann.works = true)");
        let check = |others: &str| {
            let report = read(WORK, &format!("{}{others}", claim(0, &formula))).check(Fairness::Weak);
            assert_eq!(report.outcomes[0].verdict, expected, "{formula}, {others}");
            report.coverage.states
        };
        let (alone, beside) = (check(""), check("property Hungry: F Ann.hungry\n"));
        assert_eq!(alone + 1, beside, "she is seen at 10 s, hungry and still at work");
    }
}
