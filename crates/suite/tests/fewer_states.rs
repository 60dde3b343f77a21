//! A claim has the same verdict where orders of steps are left out that do not mind each other, and where states are run
//! through that have nothing to choose.

use motet_agentspeak::AgentSpeak;
use motet_evidence::Fairness;
use motet_model::{AtomId, Language as _, Vocabulary};
use motet_naive::ample::kept;
use motet_source::fuzz::Random;
use motet_source::{Problems, Sources};
use motet_suite::agreement::{Compared, compare_random};
use motet_suite::generate::{self, dice};
use motet_suite::generate_nets;
use motet_suite::reduced::compared;
use motet_workbench::{Loaded, Options, Project, Reduce, Settings, check, load, pnml_export};

/// Random models in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 60;
/// As many take seconds, and fewer of them do not notice steps that are put off for ever.
const MODULES: u64 = 1000;
/// Larger models are passed over.
const STATES: u64 = 3_000;

fn read(path: &str, files: &[(String, String)]) -> Loaded {
    let mut sources = Sources::new();
    files.iter().for_each(|(name, text)| {
        sources.add(name.clone(), text.clone());
    });
    let loaded = load(Project { path: path.to_owned(), sources, ..Project::default() });
    assert!(loaded.ready.is_some(), "{}\n{files:#?}", loaded.problems.lines(&loaded.sources));
    loaded
}

/// Each claim on its own, so that none stands in the way of another.
fn one_by_one(path: &str, files: &[(String, String)], claims: &str) -> Compared {
    let mut all: Compared = None;
    for claim in claims.lines().filter(|line| !line.is_empty()) {
        let mut files = files.to_vec();
        files.push(("claims.props".to_owned(), format!("{claim}\n")));
        match compared(&read(path, &files), Some(Fairness::None), STATES) {
            None => {}
            Some(Err(message)) => return Some(Err(format!("{message}\n{claim}\n{files:#?}"))),
            Some(Ok((holds, others))) => {
                let (held, other) = all.and_then(Result::ok).unwrap_or_default();
                all = Some(Ok((held + holds, other + others)));
            }
        }
    }
    all
}

#[test]
fn random_nets() {
    compare_random(2 * ROUNDS, |seed| {
        let mut sources = Sources::new();
        sources.add("model.npn", generate_nets::plain(seed));
        let model = pnml_export(&sources, &Options::default(), &mut Problems::new())?;
        let files = [("model.pnml".to_owned(), model)];
        one_by_one("model.pnml", &files, &generate_nets::plain_claims(seed, 6))
    });
}

#[test]
fn random_nested_nets() {
    compare_random(4 * ROUNDS, |seed| {
        let model = generate_nets::model(seed);
        let claims = generate_nets::model_claims(seed, &model, 4);
        one_by_one("model.npn", &[("model.npn".to_owned(), model)], &claims)
    });
}

fn vocabulary(files: &[(String, String)]) -> Vocabulary {
    let mut sources = Sources::new();
    files.iter().for_each(|(name, text)| {
        sources.add(name.clone(), text.clone());
    });
    let mut problems = Problems::new();
    let draft = AgentSpeak.read(&sources, &Options::default(), &mut problems);
    draft.unwrap_or_else(|| panic!("{}\n{files:#?}", problems.lines(&sources))).vocabulary().clone()
}

/// Every other team has plans that wait.
fn with_some_waits(seed: u64) -> generate::Files {
    let files = generate::team(seed);
    if seed.is_multiple_of(2) { generate::with_waits(files, seed) } else { files }
}

#[test]
fn random_teams() {
    compare_random(ROUNDS, |seed| {
        let files = with_some_waits(seed);
        let claims = generate::claims(seed, &vocabulary(&files), 6);
        one_by_one("team", &files, &claims)
    });
}

/// Modules that go their own ways most of the time, look at each other now and then, and sometimes move together.
fn modules(dice: &mut Random) -> String {
    let mut text = String::from("mdp\n");
    for module in 0..3 {
        text.push_str(&format!(
            "module m{module}\n  x{module} : [0..3] init 0;\n  y{module} : [0..1] init 0;\n"
        ));
        for _ in 0..2 + dice.below(4) {
            let label = if dice.chance(20) { dice.pick(&["a", "b"]) } else { "" };
            let other = if dice.chance(20) {
                format!(" & y{} != {}", dice.below(3), dice.below(2))
            } else {
                String::new()
            };
            let (from, to) = (dice.below(4), dice.below(4));
            let also =
                if dice.chance(20) { format!(" & (y{module}' = {})", dice.below(2)) } else { String::new() };
            let update = match dice.chance(25) {
                true => format!("0.5 : (x{module}' = {to}){also} + 0.5 : true"),
                false => format!("(x{module}' = {to}){also}"),
            };
            text.push_str(&format!("  [{label}] x{module} = {from}{other} -> {update};\n"));
        }
        text.push_str("endmodule\n");
    }
    text
}

fn module_claims(dice: &mut Random) -> String {
    let atom = |dice: &mut Random| match dice.below(5) {
        0 => "\"deadlock\"".to_owned(),
        1 => format!("x{} {} {}", dice.below(3), dice.pick(&["=", "<", "!="]), dice.below(4)),
        _ => format!("y{} = {}", dice.below(3), dice.below(2)),
    };
    let mut text = String::new();
    for number in 0..6 {
        let (one, two) = (atom(dice), atom(dice));
        text.push_str(&match dice.below(7) {
            0 => format!("possible C{number}: {one}\n"),
            1 => format!("property C{number}: G ({one} | {two})\n"),
            2 => format!("property C{number}: F ({one})\n"),
            3 => format!("property C{number}: G (({one}) => F ({two}))\n"),
            4 => format!("property C{number}: (!({one})) U ({two})\n"),
            5 => format!("property C{number}: F G ({one})\n"),
            _ => format!("possible C{number}: deadlock & {two}\n"),
        });
    }
    text
}

#[test]
fn random_modules() {
    compare_random(MODULES, |seed| {
        let mut dice = dice(seed ^ 0x0de4);
        let model = modules(&mut dice);
        let claims = module_claims(&mut dice);
        one_by_one("model.prism", &[("model.prism".to_owned(), model)], &claims)
    });
}

/// Philosophers around a table, who sit down, take the fork on their left first, eat once and leave.
fn philosophers(number: usize) -> String {
    let mut net = String::from("system net Table() {\n");
    for seat in 0..number {
        net.push_str(&format!(
            "  place fork{seat} : token = 1;\n  place think{seat} : token = 1;\n  place sit{seat} : token;\n  \
             place wait{seat} : token;\n  place eat{seat} : token;\n  place done{seat} : token;\n"
        ));
    }
    for seat in 0..number {
        let right = (seat + 1) % number;
        net.push_str(&format!(
            "  transition sit_down{seat} {{ in think{seat}; out sit{seat}; }}\n  \
             transition left{seat} {{ in sit{seat}, fork{seat}; out wait{seat}; }}\n  \
             transition right{seat} {{ in wait{seat}, fork{right}; out eat{seat}; }}\n  \
             transition back{seat} {{ in eat{seat}; out done{seat}, fork{seat}, fork{right}; }}\n"
        ));
    }
    net.push_str("}\n");
    net
}

#[test]
fn philosophers_are_stuck_with_far_fewer_states() {
    let mut sources = Sources::new();
    sources.add("model.npn", philosophers(6));
    let model = pnml_export(&sources, &Options::default(), &mut Problems::new()).expect("black tokens only");
    let files = [
        ("model.pnml".to_owned(), model),
        ("claims.props".to_owned(), "property Live: G not deadlock expect fails\n".to_owned()),
    ];
    let loaded = read("model.pnml", &files);
    let states = |partial_order, chains| {
        let options = Settings { partial_order, chains, ..Settings::default() }.into();
        let report = check(&loaded, &options, &mut |_| {});
        assert!(report.internal.is_empty() && report.claims[0].as_expected() == Some(true), "{report:?}");
        report.coverage.expect("it was explored").states
    };
    let (all, fewer) = (states(Reduce::No, Reduce::No), states(Reduce::Yes, Reduce::No));
    assert!(4 * fewer < all, "{fewer} of {all} states");
    assert!(states(Reduce::Yes, Reduce::Yes) < all);
}

/// Three agents that each think for a while.
fn thinkers() -> Vec<(String, String)> {
    let mut files = vec![(
        "quiet.team".to_owned(),
        "team quiet\nmode jason\nagent one\nagent two\nagent three\n".to_owned(),
    )];
    for agent in ["one", "two", "three"] {
        files.push((format!("{agent}.asl"), "!think.\n+!think <- +p(1); +p(2); +p(3).\n".to_owned()));
    }
    files.push(("claims.props".to_owned(), "property Never: [] !Bel(one, p(2)) expect fails\n".to_owned()));
    files
}

#[test]
fn agents_that_think_alone_take_turns_once() {
    let loaded = read("team", &thinkers());
    let states = |partial_order, chains| {
        let options = Settings { partial_order, chains, ..Settings::default() }.into();
        let report = check(&loaded, &options, &mut |_| {});
        assert!(report.internal.is_empty() && report.claims[0].as_expected() == Some(true), "{report:?}");
        report.coverage.expect("it was explored").states
    };
    let (all, fewer) = (states(Reduce::No, Reduce::No), states(Reduce::Yes, Reduce::No));
    assert!(10 * fewer < all, "{fewer} of {all} states");
    assert!(2 * states(Reduce::Yes, Reduce::Yes) < fewer);
}

/// Ample parts of a model, held against their contract by the definition, for what each claim sees.
fn contract(path: &str, files: &[(String, String)], claims: &str) -> Compared {
    let mut files = files.to_vec();
    files.push(("claims.props".to_owned(), claims.to_owned()));
    let loaded = read(path, &files);
    let model = &loaded.ready.as_ref()?.system.model;
    let atoms = (0..).map(AtomId).take(model.signature().atoms.len());
    let (mut parts, mut pairs) = (0, 0);
    // A claim sees few atoms; with all of them most parts would be all steps.
    for visible in atoms.map(|atom| vec![atom]).chain([Vec::new()]) {
        match kept(&**model, &visible, (300, 60))? {
            Ok(found) => (parts, pairs) = (parts + found.parts, pairs + found.pairs),
            Err(message) => return Some(Err(format!("{visible:?}: {message}\n{files:#?}"))),
        }
    }
    // As many of both kinds: a model without parts, or without others, says nothing.
    Some(Ok((parts, pairs)))
}

#[test]
fn ample_parts_of_random_modules_are_ample_by_the_definition() {
    compare_random(4 * ROUNDS, |seed| {
        let mut dice = dice(seed ^ 0x3a7);
        let (model, claims) = (modules(&mut dice), module_claims(&mut dice));
        contract("model.prism", &[("model.prism".to_owned(), model)], &claims)
    });
}

#[test]
fn ample_parts_of_random_teams_are_ample_by_the_definition() {
    compare_random(ROUNDS / 3, |seed| {
        let files = with_some_waits(seed);
        let claims = generate::claims(seed, &vocabulary(&files), 3);
        contract("team", &files, &claims)
    });
}

#[test]
fn ample_parts_of_random_nets_are_ample_by_the_definition() {
    compare_random(4 * ROUNDS, |seed| {
        let mut sources = Sources::new();
        sources.add("model.npn", generate_nets::plain(seed));
        let model = pnml_export(&sources, &Options::default(), &mut Problems::new())?;
        let files = [("model.pnml".to_owned(), model)];
        contract("model.pnml", &files, &generate_nets::plain_claims(seed, 6))
    });
}

#[test]
fn ample_parts_of_random_nested_nets_are_ample_by_the_definition() {
    compare_random(4 * ROUNDS, |seed| {
        let model = generate_nets::model(seed);
        let claims = generate_nets::model_claims(seed, &model, 4);
        contract("model.npn", &[("model.npn".to_owned(), model)], &claims)
    });
}
