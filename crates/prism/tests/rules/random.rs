//! Random models: what their facets promise holds at all states that are looked at (`Checked` asks), and a slice goes the way of the whole.

use motet_model::{AtomText, Checked, Language as _, Model as _, Operator, Options, State, Steps};
use motet_naive::slices::same_course;
use motet_prism::Prism;
use motet_source::fuzz::{Random, each_seed};
use motet_source::{FileId, Problems, Sources, Span, Spanned};

use crate::lab::{compare, name, read_with};

/// As many take seconds.
const ROUNDS: u64 = 1000;
/// Of larger models only these are looked at.
const STATES: usize = 60;

/// Modules that go their own ways most of the time, look at each other now and then, and sometimes move together. Some are alike.
fn modules(random: &mut Random) -> String {
    let mut text = String::from("mdp\n");
    let mut body = String::new();
    for module in 0..3 {
        if module == 0 || !random.chance(40) {
            body = commands(random);
        }
        let own = body.replace("OWN", &module.to_string()).replace("NEXT", &((module + 1) % 3).to_string());
        let most = if random.chance(15) { 3 } else { 2 };
        text.push_str(&format!(
            "module m{module}\n  x{module} : [0..{most}] init 0;\n  y{module} : [0..1] init 0;\n{own}endmodule\n"
        ));
    }
    text
}

/// The commands of a module, over its own variables and those of the next.
fn commands(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(3) {
        let label = if random.chance(20) { random.pick(&["a", "b"]) } else { "" };
        let other = match random.below(6) {
            0 => format!(" & yNEXT != {}", random.below(2)),
            1 => format!(" & yOWN = {} & yNEXT = {}", random.below(2), random.below(2)),
            _ => String::new(),
        };
        let (from, to) = (random.below(3), random.below(3));
        let also =
            if random.chance(30) { format!(" & (yOWN' = {})", random.below(2)) } else { String::new() };
        let update = match random.below(6) {
            0 => format!("0.5 : (xOWN' = {to}){also} + 0.5 : true"),
            1 => "(yOWN' = yNEXT)".to_owned(),
            _ => format!("(xOWN' = {to}){also}"),
        };
        text.push_str(&format!("  [{label}] xOWN = {from}{other} -> {update};\n"));
    }
    text
}

fn atoms(random: &mut Random) -> Vec<AtomText> {
    let mut one = || {
        let (letter, module) = (random.pick(&["x", "y"]), random.below(3));
        let value = i64::try_from(random.below(2)).expect("a small number");
        compare(Operator::Eq, name(&format!("{letter}{module}")), motet_model::Expr::Int(value))
    };
    vec![one(), one()]
}

#[test]
fn what_random_models_know_of_symmetry_and_independence_is_so() {
    each_seed(ROUNDS, |_, random| {
        let text = modules(random);
        let (system, problems) = read_with(&text, &[], &atoms(random));
        let Some(system) = system else { panic!("{problems}\n{text}") };
        let model = Checked::new(system.model);
        let mut open: Vec<Box<State>> = Vec::new();
        model.initial(&mut open);
        let mut seen: std::collections::BTreeSet<Box<State>> = open.iter().cloned().collect();
        let mut steps = Steps::new(model.signature().slots.len());
        while let Some(state) = open.pop() {
            steps.clear();
            model.steps(&state, &mut steps).expect("all values are in range");
            for branch in steps.iter().flat_map(motet_model::Step::branches) {
                if seen.len() < STATES && seen.insert(branch.target.into()) {
                    open.push(branch.target.into());
                }
            }
        }
    });
}

#[test]
fn slices_of_random_models_go_the_way_of_the_whole() {
    each_seed(ROUNDS, |seed, random| {
        let text = modules(random);
        let mut sources = Sources::new();
        sources.add("model.prism", text.clone());
        let draft = Prism.read(&sources, &Options::default(), &mut Problems::new()).expect("a model");
        let place = Span::new(FileId(0), 0, 0);
        let atoms: Vec<_> = atoms(random).into_iter().take(1).map(|atom| Spanned::new(atom, place)).collect();
        let whole = draft.system(&atoms, &mut Problems::new()).expect("a model without problems");
        let Some(slice) = draft.slice(&atoms) else { return };
        let same = same_course(&*whole.model, &*slice.system.model, slice.haste, seed);
        same.unwrap_or_else(|lost| panic!("{lost}\nwithout {:?}\n{text}", slice.left_out));
    });
}
