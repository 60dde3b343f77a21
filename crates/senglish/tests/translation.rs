//! The translation says the same as the model: both are explored, by different front-ends, and solved by the same plain
//! iteration. Two steps of the translation are one cycle.

mod lab;

use lab::{Graph, explore, near, system};
use motet_model::{AtomId, AtomText, Expr, Language as _, Operator, Options, PrismText, RewardId};
use motet_source::{FileId, Problems, Sources, Span, Spanned};

const A: &str = "INITIAL BELIEFS AND GOALS\nGo.\nINITIAL ACTIONS\nAct.\nPERCEPTION PROCESS\nMonitor the following booleans:\n\
                 Rain. {[],[0.6,3,1],[0.5,2,1]} {damp=1}\nWind. {[Wet],[0.3,2,2],[1,2,0]}\n\
                 Hail. {[b: Wet],[1/3,1,0],[0.2,2,1]}\nDone.\nFailed.\n\
                 REASONING\nIf ^[Rain] then ^[Wet].\nIf ~^[Rain] and ^[Dry] then ~^[Wet].\n\
                 EXECUTABLE PLANS\nIf +^[Rain] while ~^[Tired] then [Act.] {fuel=2} +^[Tired].\n\
                 If -^[Rain] while true then -^[Tired].\nIf ^[Wind] while ^[Wet] then +^[Dry] [Act.] -^[Dry].\n\
                 If ^[Wind] while ^[Wet] then +^[Tired] -^[Tired].\nIf +^[Failed] while true then -^[Wet] {fuel=1}.\n";
const B: &str = "PERCEPTION PROCESS\nMonitor the following booleans:\nRain. {[],[0.6,3,1],[0.5,2,1]} {damp=1}\nDone.\nFailed.\n\
                 REASONING\nIf ^[Rain] and ^[Wet] then ~^[Wet].\n\
                 EXECUTABLE PLANS\nIf ^[Rain] while ~^[Wet] then [Act.] +^[Wet].\nOr if ^[Rain] while ^[Wet] or ^[Done] then -^[Wet].\n";
const SHARED: &str = "procedure name :: act\nsenglish sentences :: Act.\nprocess, repeat mode :: control, runOnce\n\
                      performance feedback :: Done[0.7,2,1], Failed[0.3,2,1]\n";
const OWN: &str = "procedure name :: act\nsenglish sentences :: Act.\nprocess, repeat mode :: control, runOnce\n\
                   performance feedback :: Done[0.7,1,1], Failed[0.3,1,1]\n";
const TEAM: &[(&str, &str)] = &[("a.sej", A), ("b.sej", B), ("act.sep", SHARED), ("b.act.sep", OWN)];

/// The translation, read by the front-end for PRISM, with the same atoms.
fn translated(text: &PrismText) -> Graph {
    let mut sources = Sources::new();
    sources.add("model.prism", text.text.as_str());
    let mut problems = Problems::new();
    let draft = motet_prism::Prism.read(&sources, &Options::default(), &mut problems);
    let draft = draft.unwrap_or_else(|| panic!("{}\n{}", problems.lines(&sources), text.text));
    let atom = |expression: &String| {
        let (name, value) = expression.split_once('=').expect("the atoms of this test are beliefs");
        let (name, value) =
            (Expr::Call(name.to_owned(), Vec::new()), Expr::Int(value.parse().expect("a number")));
        let fact = Expr::Binary(Operator::Eq, Box::new(name), Box::new(value));
        Spanned::new(AtomText::Fact(fact), Span::new(FileId(0), 0, 0))
    };
    let atoms: Vec<_> = text.atoms.iter().map(atom).collect();
    let system = draft.system(&atoms, &mut problems);
    explore(&system.unwrap_or_else(|| panic!("{}", problems.lines(&sources))))
}

fn compare(options: &Options) {
    let believes =
        |agent: &str, text: &str| AtomText::Believes(agent.to_owned(), Expr::Text(text.to_owned()));
    let atoms = [believes("a", "Tired"), believes("a", "Dry"), believes("b", "Wet"), believes("b", "Failed")];
    let never = AtomText::Fact(Expr::Call("false".to_owned(), Vec::new()));
    let own = system(TEAM, options, &atoms);
    let text = own.export.prism().expect("a translation").expect("complete");
    assert_eq!(text.steps, 2);
    let (native, prism) = (explore(&own), translated(&text));
    for (atom, what) in (0_u32..).map(AtomId).zip(&text.atoms) {
        for cycles in [0, 1, 4, 11] {
            for pick in [f64::min as fn(f64, f64) -> f64, f64::max] {
                let (ours, theirs) =
                    (native.within(cycles, atom, pick), prism.within(2 * cycles, atom, pick));
                assert!((ours - theirs).abs() < 1e-9, "{what} within {cycles} cycles: {ours} and {theirs}");
            }
        }
    }
    // Rewards up to a cycle: the halves that the thesis counts on top end half a cycle later, so only whole cycles compare.
    if options.mode.is_none() {
        let empty = explore(&system(TEAM, options, &[never]));
        let text = PrismText { atoms: vec!["x=2".to_owned()], ..text };
        let prism = translated(&PrismText { text: text.text.replace("x : [0..1]", "x : [0..2]"), ..text });
        for reward in (0..3).map(RewardId) {
            let ours = empty.earned(reward, AtomId(0), 9, f64::max);
            near(ours, prism.earned(reward, AtomId(0), 18, f64::max));
        }
    }
}

#[test]
fn a_team_and_its_translation_agree() {
    compare(&Options::default());
}

#[test]
fn a_team_with_unknown_beliefs_and_its_translation_agree() {
    let mut options = Options::default();
    options.rules.insert("beliefs".to_owned(), "three-valued".to_owned());
    compare(&options);
}
