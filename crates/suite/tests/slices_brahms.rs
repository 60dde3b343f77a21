//! A claim about a Brahms model has the same verdict on the model without what cannot influence it, and what it speaks of
//! changes at the same times.

use std::collections::BTreeMap;

use motet_brahms::Brahms;
use motet_model::{Language, Model, Options};
use motet_naive::timed_traces::{Traces, compare};
use motet_property::{lower_all, parse};
use motet_source::fuzz::Random;
use motet_source::{Problems, Sources};
use motet_suite::agreement::compare_random;
use motet_suite::folder;
use motet_suite::generate::dice;
use motet_suite::generate_brahms;
use motet_suite::sliced::{both, verdicts};
use motet_workbench::{CheckOptions, Loaded, Project, check, check_sliced, load};

/// Random models in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 60;
/// Larger models are passed over when claims are checked.
const STATES: u64 = 3_000;
/// Traces are followed for so long: activities of random models take up to four seconds.
const UNTIL: u64 = 9_000;
/// Larger models are passed over: the point is variety.
const MOST: usize = 1_500;

/// What the slice for these atoms leaves out, and whether it looks to a clock as the whole model does. `None` if nothing is left
/// out.
fn sliced(model: &str, atoms: &[&str], rules: &[(&str, &str)]) -> Option<(Vec<String>, Traces)> {
    let mut sources = Sources::new();
    sources.add("model.b".to_owned(), model.to_owned());
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let options = Options { rules: rules.iter().map(own).collect(), ..Options::default() };
    let mut problems = Problems::new();
    let draft = Brahms.read(&sources, &options, &mut problems);
    let claim = |(number, atom): (usize, &&str)| format!("possible P{number}: {atom}\n");
    let text: String = atoms.iter().enumerate().map(claim).collect();
    let file = sources.add("claims.props", text.clone());
    let (tree, found) = parse(file, &text, None);
    problems.extend(found);
    let draft = draft.unwrap_or_else(|| panic!("{}\n{model}", problems.lines(&sources)));
    let lowered = lower_all(&[&tree], draft.vocabulary(), &BTreeMap::new(), &mut problems);
    let whole = draft.system(&lowered.atoms, &mut problems);
    assert!(!problems.has_errors(), "{}\n{model}", problems.lines(&sources));
    let whole = whole.expect("a system without errors is built");
    let slice = draft.slice(&lowered.atoms)?;
    let models: [&dyn Model; 2] = [whole.model.as_ref(), slice.system.model.as_ref()];
    Some((slice.left_out, compare(models[0], models[1], UNTIL, MOST)))
}

fn atom(dice: &mut Random) -> String {
    let names = ["Ann", "Bob", "Dan", "Eve"];
    let (who, whom) = (dice.pick(&names), dice.pick(&names));
    let fact = match dice.below(6) {
        0 | 1 => format!("{whom}.{} = {}", dice.pick(&["a", "b"]), dice.pick(&["true", "false"])),
        2 => format!("{whom}.n > {}", dice.below(2)),
        3 => format!("{}.a = {}", dice.pick(&["Box", "Bin"]), dice.pick(&["true", "false"])),
        4 => return format!("{who}.idle"),
        _ => format!("{whom}.location = {}", dice.pick(&["home", "shop", "yard"])),
    };
    match dice.below(8) {
        0 => format!("Says({who}, {whom}, {whom}.{})", dice.pick(&["a", "b"])),
        1..=4 => format!("Bel({who}, {fact})"),
        _ => fact,
    }
}

#[test]
fn what_a_claim_speaks_of_changes_at_the_same_times_in_a_slice() {
    let rules: [&[(&str, &str)]; 8] = [
        &[],
        &[],
        &[],
        &[("detect-at-start", "no")],
        &[("location-awareness", "yes"), ("aborted-counts", "no")],
        &[("order", "reverse"), ("detect-on", "facts")],
        &[("unknown", "zero"), ("resume", "tested"), ("once", "twice")],
        &[("ties", "first"), ("complete-delivers", "yes")],
    ];
    compare_random(ROUNDS, |seed| {
        let mut dice = dice(seed ^ 0x51b2);
        let model = generate_brahms::neighbours(seed);
        let atoms = [atom(&mut dice), atom(&mut dice)];
        let atoms: Vec<&str> = atoms[..1 + dice.below(2)].iter().map(String::as_str).collect();
        let rules = *dice.one(&rules);
        match sliced(&model, &atoms, rules)? {
            // Something must happen, or nothing is compared.
            (_, Traces::Unknown | Traces::Same(0)) => None,
            (_, Traces::Same(changes)) => Some(Ok((changes, 1))),
            (left_out, Traces::Different(how)) => {
                Some(Err(format!("{atoms:?} {rules:?} without {left_out:?}\n{how}\n{model}")))
            }
        }
    });
}

fn read(model: &str, claims: &str) -> Loaded {
    let mut sources = Sources::new();
    sources.add("model.b".to_owned(), model.to_owned());
    sources.add("claims.props".to_owned(), claims.to_owned());
    let loaded = load(Project { path: "model.b".to_owned(), sources, ..Project::default() });
    assert!(loaded.ready.is_some(), "{}\n{model}\n{claims}", loaded.problems.lines(&loaded.sources));
    loaded
}

/// A claim about time, or about order alone.
fn formula(dice: &mut Random) -> String {
    let (p, q) = (atom(dice), atom(dice));
    let (low, length) = (dice.below(5), dice.below(5));
    let high = low + length + 1;
    let less = dice.pick(&["<", "<="]);
    match dice.below(16) {
        0 => format!("always (held({p}) {less} {high} s)"),
        1 => format!("always ({p} -> since({q}) {less} {high} s)"),
        2 => format!("whenever {p}, within {high} s, {q}"),
        3 => format!("whenever {p}, for {length} s, {q}"),
        4 => format!("whenever {p}, after {length} s, {q}"),
        5 => format!("F{less}{high}s ({p})"),
        6 => format!("F[{low} s, {high} s] ({p})"),
        7 => format!("G[{low} s, {high} s] (not ({p}))"),
        8 => format!("(not ({p})) U[{low} s, {high} s] ({q})"),
        9 => format!("always (now = {high} s -> {p})"),
        10 => format!("G ((F<={high}s ({p})) or (F<={low}s ({q})))"),
        11 => format!("F<={low}s (F<={length}s ({p}))"),
        12 => format!("G (({p}) -> F ({q}))"),
        13 => format!("(not ({p})) U ({q})"),
        14 => format!("F G ({p})"),
        _ => format!("F ({p})"),
    }
}

#[test]
fn claims_about_random_models_have_the_same_verdicts_sliced() {
    compare_random(ROUNDS, |seed| {
        let mut dice = dice(seed ^ 0x7d11);
        let model = generate_brahms::neighbours(seed);
        let claims: String = (0..3).map(|at| format!("property c{at}: {}\n", formula(&mut dice))).collect();
        let (whole, sliced) = both(&read(&model, &claims), None, STATES);
        if whole.stop.is_some() {
            return None;
        }
        // Time is written out for a claim alone, and that may come to a limit on the larger model.
        let decided = |verdict: &(String, String)| !verdict.1.starts_with("Unknown");
        let (before, after) = (verdicts(&whole), verdicts(&sliced));
        if before.iter().zip(&after).any(|(before, after)| decided(before) && before != after) {
            return Some(Err(format!("{before:?}\n{after:?}\n{model}\n{claims}")));
        }
        // Only models from which something is left out are counted.
        sliced.claims.iter().find(|claim| !claim.left_out.is_empty())?;
        let count = |wanted: &str| before.iter().filter(|(_, verdict)| verdict == wanted).count();
        Some(Ok((count("Holds"), count("Fails"))))
    });
}

#[test]
fn examples_have_the_same_verdicts_sliced() {
    let root = folder::root();
    for name in ["water-jug", "medicine", "home-care"] {
        let path = format!("examples/{name}");
        let sources = folder::sources(&root, &path).expect("an example holds a model");
        let loaded = load(Project { path, sources, ..Project::default() });
        let options = CheckOptions::default();
        let whole = check(&loaded, &options, &mut |_| {});
        let sliced = check_sliced(&loaded, &options, &mut |_| {});
        assert_eq!(verdicts(&whole), verdicts(&sliced), "{name}");
    }
}
