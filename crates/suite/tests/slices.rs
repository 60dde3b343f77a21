//! A claim has the same verdict on the model without what cannot influence it.

use motet_source::Sources;
use motet_source::fuzz::Random;
use motet_suite::agreement::{Compared, compare_random};
use motet_suite::folder;
use motet_suite::generate::dice;
use motet_suite::generate_nets;
use motet_suite::sliced::{both, verdicts};
use motet_workbench::{Loaded, Options, Problems, Project, load, pnml_export};

/// Random models in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 200;
/// Larger models are passed over.
const STATES: u64 = 3_000;

fn read(model: &str, claims: &str) -> Loaded {
    read_as("model.prism", model, claims)
}

fn read_as(name: &str, model: &str, claims: &str) -> Loaded {
    let mut sources = Sources::new();
    sources.add(name.to_owned(), model.to_owned());
    sources.add("claims.props".to_owned(), claims.to_owned());
    let loaded = load(Project { path: name.to_owned(), sources, ..Project::default() });
    assert!(loaded.ready.is_some(), "{}\n{model}\n{claims}", loaded.problems.lines(&loaded.sources));
    loaded
}

#[test]
fn random_modules_that_cannot_influence_a_claim_are_left_out() {
    compare_random(ROUNDS, one);
}

fn one(seed: u64) -> Compared {
    let mut dice = dice(seed ^ 0x51ce);
    let model = modules(&mut dice);
    let claims = claims(&mut dice);
    same(&read(&model, &claims), &model, &claims)
}

fn same(loaded: &Loaded, model: &str, claims: &str) -> Compared {
    let (whole, sliced) = both(loaded, None, STATES);
    if whole.stop.is_some() {
        return None;
    }
    if verdicts(&whole) != verdicts(&sliced) {
        let (whole, sliced) = (verdicts(&whole), verdicts(&sliced));
        return Some(Err(format!("{whole:?}\n{sliced:?}\n{model}\n{claims}")));
    }
    // Only models from which something is left out are counted.
    let smaller = sliced.claims.iter().filter(|claim| !claim.left_out.is_empty()).count();
    if smaller == 0 {
        return None;
    }
    let holds = verdicts(&whole).iter().filter(|(_, verdict)| verdict == "Holds").count();
    Some(Ok((holds, whole.claims.len() - holds)))
}

/// Four modules with a variable each, that look at each other and act together now and then.
fn modules(dice: &mut Random) -> String {
    let mut text = String::from("mdp\n");
    for module in 0..4 {
        text.push_str(&format!("module m{module}\n  x{module} : [0..3] init 0;\n"));
        for _ in 0..1 + dice.below(3) {
            let label = if dice.chance(25) { dice.pick(&["a", "b"]) } else { "" };
            let other = if dice.chance(35) {
                format!(" & x{} != {}", dice.below(4), dice.below(4))
            } else {
                String::new()
            };
            let (from, to) = (dice.below(4), dice.below(4));
            let update = match dice.chance(30) {
                true => format!("0.5 : (x{module}' = {to}) + 0.5 : true"),
                false => format!("(x{module}' = {to})"),
            };
            text.push_str(&format!("  [{label}] x{module} = {from}{other} -> {update};\n"));
        }
        text.push_str("endmodule\n");
    }
    text
}

fn claims(dice: &mut Random) -> String {
    let mut text = String::new();
    for number in 0..4 {
        let atom = format!("x{} {} {}", dice.below(4), dice.pick(&["=", "<", "!="]), dice.below(4));
        let claim = match dice.below(3) {
            0 => format!("possible C{number}: {atom}\n"),
            1 => format!("property C{number}: G ({atom})\n"),
            _ => format!("property C{number}: F ({atom})\n"),
        };
        text.push_str(&claim);
    }
    text
}

#[test]
fn transitions_of_random_nets_that_cannot_influence_a_claim_are_left_out() {
    compare_random(ROUNDS, |seed| {
        let mut dice = dice(seed ^ 0x7e75);
        let mut sources = Sources::new();
        sources.add("model.npn", generate_nets::plain(seed));
        let model = pnml_export(&sources, &Options::default(), &mut Problems::new())?;
        let mut claims = String::new();
        for number in 0..4 {
            let kind = dice.pick(&["property", "possible"]);
            let always = if kind == "property" { dice.pick(&["G", "F"]) } else { "" };
            let place = dice.below(3);
            let relation = dice.pick(&["=", ">=", "<"]);
            claims
                .push_str(&format!("{kind} C{number}: {always} (#p{place} {relation} {})\n", dice.below(3)));
        }
        same(&read_as("model.pnml", &model, &claims), &model, &claims)
    });
}

#[test]
fn what_is_left_out_is_said() {
    let model = "mdp\nmodule light\n  on : bool init false;\n  [] true -> (on' = !on);\nendmodule\nmodule count\n  \
                 n : [0..9] init 0;\n  [] n < 9 -> (n' = n + 1);\nendmodule\n";
    let (whole, sliced) = both(&read(model, "possible On: on\nproperty Below: G (n <= 9)\n"), None, STATES);
    assert_eq!(verdicts(&whole), verdicts(&sliced));
    assert_eq!(sliced.claims[0].left_out, ["module count"]);
    assert_eq!(sliced.claims[1].left_out, ["module light"]);
    assert_eq!(
        sliced.remarks,
        ["On without module count: 2 states", "Below without module light: 10 states"]
    );
    assert_eq!(whole.coverage.map(|coverage| coverage.states), Some(20));
}

#[test]
fn examples_have_the_same_verdicts_sliced() {
    let root = folder::root();
    for name in ["muddy-children", "water-jug", "rover", "bcin", "travel"] {
        let path = format!("examples/{name}");
        let sources = folder::sources(&root, &path).expect("an example holds a model");
        let loaded = load(Project { path, sources, ..Project::default() });
        let (whole, sliced) = both(&loaded, None, STATES);
        assert_eq!(verdicts(&whole), verdicts(&sliced), "{name}");
    }
}
