//! What claims see: moments within an instant, messages, work (`spec/brahms/rules.md`, states).

mod rules_lab;

use std::collections::BTreeSet;

use motet_model::{AtomId, AtomText, Expr, Operator, State, Steps, System};
use rules_lab::{size, system};

fn name(name: &str) -> Expr {
    Expr::Call(name.to_owned(), Vec::new())
}

fn field(of: &str, attribute: &str) -> Expr {
    Expr::Field(Box::new(name(of)), attribute.to_owned())
}

fn is(left: Expr, right: Expr) -> Expr {
    Expr::Binary(Operator::Eq, Box::new(left), Box::new(right))
}

/// The truths of all atoms that ever hold together, one text of 0 and 1 each.
fn seen(system: &System) -> BTreeSet<String> {
    let mut states: Vec<Box<State>> = Vec::new();
    system.model.initial(&mut states);
    let mut known: BTreeSet<Box<State>> = states.iter().cloned().collect();
    let mut truths = BTreeSet::new();
    let count = u32::try_from(system.model.signature().atoms.len()).expect("few atoms");
    let mut at = 0;
    while at < states.len() {
        let truth = |atom| if system.model.holds(AtomId(atom), &states[at]) { '1' } else { '0' };
        truths.insert((0..count).map(truth).collect::<String>());
        let mut out = Steps::new(states[at].len());
        system.model.steps(&states[at], &mut out).expect("no bound is exceeded");
        for branch in out.iter().flat_map(motet_model::Step::branches) {
            if known.insert(branch.target.into()) {
                states.push(branch.target.into());
            }
        }
        at += 1;
    }
    truths
}

const BLINK: &str =
    "agent Bob { attributes: public int x; initial_beliefs: (current.x = 0); initial_facts: (current.x = 0);
    activities: primitive_activity tick() { max_duration: 5; }
    workframes:
        workframe up { priority: 3; when(knownval(current.x = 0)) do { tick(); conclude((current.x = 1)); } }
        workframe down { priority: 2; when(knownval(current.x = 1)) do { conclude((current.x = 2)); } } }";

#[test]
fn a_value_that_exists_only_within_an_instant_can_be_seen() {
    let plain = system(BLINK, &[], &[]);
    // Before, at work, the end: nobody asks for the 1 in between.
    assert_eq!(size(&plain), (3, 2));
    let one = AtomText::Fact(is(field("Bob", "x"), Expr::Int(1)));
    let asked = system(BLINK, &[], &[one]);
    assert_eq!(seen(&asked), ["0", "1"].map(String::from).into());
    // Two more in the middle of the instant: when it becomes 1, and when it is not 1 any more.
    assert_eq!(size(&asked), (5, 4));
    let never = AtomText::Fact(is(field("Bob", "x"), Expr::Int(3)));
    assert_eq!(size(&system(BLINK, &[], &[never])), (3, 2));
}

#[test]
fn values_within_one_block_of_conclusions_are_nobodys_business() {
    let text = "agent Bob { attributes: public int x; initial_beliefs: (current.x = 0); initial_facts: (current.x = 0);
        workframes: workframe w { when(knownval(current.x = 0)) do { conclude((current.x = 1)); conclude((current.x = 2)); } } }";
    let atoms = [1, 2].map(|value| AtomText::Fact(is(field("Bob", "x"), Expr::Int(value))));
    assert_eq!(seen(&system(text, &[], &atoms)), ["00", "01"].map(String::from).into());
}

const TELL: &str = "agent Ann { attributes: public int n; initial_beliefs: (current.n = 3);
        activities: communicate tell() { max_duration: 5; with: Bob; about: send(Ann.n = Ann.n); }
        workframes: workframe w { when(knownval(current.n = 3)) do { tell(); } } }
    agent Bob { }";

#[test]
fn a_message_is_said_in_the_moment_of_its_delivery() {
    let says =
        |value| AtomText::Says("Ann".to_owned(), "Bob".to_owned(), is(field("Ann", "n"), Expr::Int(value)));
    let any = AtomText::Says("Ann".to_owned(), "Bob".to_owned(), Expr::Any);
    let other = AtomText::Says("Bob".to_owned(), "Ann".to_owned(), Expr::Any);
    let told = AtomText::Believes("Bob".to_owned(), is(field("Ann", "n"), Expr::Int(3)));
    let truths = seen(&system(TELL, &[], &[says(3), says(4), any, other, told]));
    assert_eq!(truths, ["00000", "10101", "00001"].map(String::from).into());
}

#[test]
fn work_can_be_asked_for_by_frame_and_activity() {
    let does = |what: &str| AtomText::Does("Ann".to_owned(), name(what));
    let idle = AtomText::Fact(field("Ann", "idle"));
    let truths = seen(&system(TELL, &[], &[does("w"), does("tell"), does("idle"), idle]));
    assert_eq!(truths, ["0011", "1000", "1100"].map(String::from).into());
}

#[test]
fn beliefs_can_be_compared_with_each_other_and_with_nothing() {
    let belief = |who: &str| Expr::Call("belief".to_owned(), vec![name(who), field("Ann", "n")]);
    let equal = AtomText::Fact(is(belief("Ann"), belief("Bob")));
    let none = AtomText::Fact(is(belief("Bob"), name("none")));
    let known = AtomText::Believes("Bob".to_owned(), Expr::Call("known".to_owned(), vec![field("Ann", "n")]));
    let fact = AtomText::Fact(is(field("Ann", "n"), Expr::Int(3)));
    let truths = seen(&system(TELL, &[], &[equal, none, known, fact]));
    assert_eq!(truths, ["0100", "1010"].map(String::from).into());
}

fn wrong(atom: AtomText) -> String {
    use motet_model::{Language, Options};
    let mut sources = motet_source::Sources::new();
    let file = sources.add("model.b", TELL);
    let mut problems = motet_source::Problems::new();
    let draft = motet_brahms::Brahms.read(&sources, &Options::default(), &mut problems).expect("it is fine");
    let atom = motet_source::Spanned::new(atom, motet_source::Span::new(file, 0, 1));
    assert!(draft.system(&[atom], &mut problems).is_none(), "the atom was accepted");
    problems.lines(&sources)
}

#[test]
fn words_that_the_model_does_not_have_are_named() {
    let ask = |expr| wrong(AtomText::Fact(expr));
    let cases = [
        (ask(is(field("Anne", "n"), Expr::Int(1))), "M0780", "`Ann`"),
        (ask(is(field("Ann", "m"), Expr::Int(1))), "M0781", "`n`"),
        (ask(field("Ann", "n")), "M0783", "neither"),
        (ask(is(field("Ann", "n"), name("Bobb"))), "M0785", "`Bob`"),
        (wrong(AtomText::Believes("Carl".to_owned(), field("Ann", "n"))), "M0780", "Ann"),
        (wrong(AtomText::Does("Ann".to_owned(), name("tel"))), "M0784", "`tell`"),
        (wrong(AtomText::Desires("Ann".to_owned(), name("x"))), "M0782", "Bel"),
    ];
    for (found, code, help) in cases {
        assert!(found.contains(code) && found.contains(help), "{code}: {found}");
    }
}

#[test]
fn the_chances_of_draws_and_ties_are_exact() {
    let text = "agent Bob { attributes: public int x; initial_beliefs: (current.x = 0);
        workframes:
            workframe a { when(knownval(current.x = 0)) do { conclude((current.x = 1), bc:30, fc:0); } }
            workframe b { when(knownval(current.x = 0)) do { conclude((current.x = 2), bc:100, fc:0); } } }";
    let chances = |ties: &str| {
        let system = system(text, &[("ties", ties)], &[]);
        let mut first = Vec::new();
        system.model.initial(&mut first);
        let mut out = Steps::new(first[0].len());
        system.model.steps(&first[0], &mut out).expect("no bound is exceeded");
        let mut steps: Vec<Vec<(u64, u64)>> = Vec::new();
        for step in out.iter() {
            let chance = |branch: motet_model::Branch<'_>| branch.chance.words().unwrap();
            let mut chances: Vec<(u64, u64)> = step.branches().map(chance).collect();
            chances.sort_unstable();
            steps.push(chances);
        }
        steps
    };
    // Half of the runs begin with `b`. The others begin with `a`, which succeeds in 30 of 100; otherwise `b` follows, and
    // both are done.
    assert_eq!(chances("random"), [vec![(1, 2), (3, 20), (7, 20)]]);
    // Nobody knows whether `b` comes first, which is certain to succeed, or `a`.
    assert_eq!(chances("choice"), [vec![(1, 1)], vec![(3, 10), (7, 10)]]);
    assert_eq!(chances("first"), [vec![(3, 10), (7, 10)]]);
}

#[test]
fn more_outcomes_than_fit_one_step_are_spread_over_several() {
    use std::fmt::Write;
    // Eight actors of ten durations each begin at once: 10^8 outcomes of one instant, cut into moments.
    let mut text = String::new();
    for actor in 0..8 {
        write!(
            text,
            "agent A{actor} {{ attributes: public boolean go; initial_beliefs: (current.go = true);
                activities: primitive_activity work() {{ random: true; min_duration: 1; max_duration: 10; }}
                workframes: workframe w {{ when(knownval(current.go = true)) do {{ work(); }} }} }}"
        )
        .expect("texts can be written to");
    }
    let free = system(&text, &[], &[]);
    let system = system(&text, &[("durations", "random")], &[]);
    let mut first = Vec::new();
    system.model.initial(&mut first);
    let mut out = Steps::new(first[0].len());
    free.model.steps(&first[0], &mut out).expect("no bound is exceeded");
    assert!((1_000..100_000).contains(&out.len()), "{} steps", out.len());
    out.clear();
    system.model.steps(&first[0], &mut out).expect("no bound is exceeded");
    let step = out.get(0).expect("something happens");
    assert!((1_000..100_000).contains(&step.branches().len()), "{} branches", step.branches().len());
    let total: f64 = step.branches().map(|branch| branch.chance.to_f64()).sum();
    assert!((total - 1.0).abs() < 1e-9, "{total}");
    let next: Box<State> = step.branches().next().expect("a branch").target.into();
    out.clear();
    system.model.steps(&next, &mut out).expect("no bound is exceeded");
    assert!(out.get(0).is_some_and(|step| step.delay == 0), "the instant goes on");
}
