//! No text makes reading crash or hang, and what reads without errors also runs.

mod lab;

use motet_model::{Language as _, Model as _, Options, Steps};
use motet_senglish::SEnglish;
use motet_source::Problems;
use motet_source::fuzz::{Random, check_problems, each_seed};

const FILES: &[(&str, &str)] = &[
    ("asv.sej", include_str!("../../../examples/asv/asv.sej")),
    ("asv.ont", include_str!("../../../examples/asv/asv.ont")),
    ("lay_out_the_tracks.sep", include_str!("../../../examples/asv/lay_out_the_tracks.sep")),
    ("get_under_way.sep", include_str!("../../../examples/asv/get_under_way.sep")),
    ("hold_position.sep", include_str!("../../../examples/asv/hold_position.sep")),
    ("ask_for_orders.sep", include_str!("../../../examples/asv/ask_for_orders.sep")),
];

const PIECES: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "^",
    "~",
    "+",
    "-",
    ".",
    ",",
    "::",
    ">",
    "@",
    "If",
    "while",
    "then",
    "and",
    "or",
    "not",
    "true",
    "Or if",
    "\n",
    "//",
    "EXECUTABLE PLANS",
    "REASONING",
    "0",
    "1/3",
    "999999999999",
    "é",
    "Stop ",
    "^[Error]",
    "+^[Error]",
    "[0.5,3,2]",
    "{fuel=2}",
    "0.5",
    ":",
    " ",
    "",
];

/// Cuts, repeats, replaces or inserts something.
fn mutate(text: &str, random: &mut Random) -> String {
    let chars: Vec<char> = text.chars().collect();
    let (at, length) = (random.below(chars.len() + 1), random.below(20));
    let end = (at + length).min(chars.len());
    let piece = random.pick(PIECES);
    let (front, back): (String, String) = (chars[..at].iter().collect(), chars[end..].iter().collect());
    let middle: String = chars[at..end].iter().collect();
    match random.below(4) {
        0 => format!("{front}{back}"),
        1 => format!("{front}{middle}{middle}{back}"),
        2 => format!("{front}{piece}{back}"),
        _ => format!("{front}{piece}{middle}{back}"),
    }
}

#[test]
fn broken_projects_get_problems_or_run() {
    each_seed(300, |_, random| {
        let mut files: Vec<(String, String)> =
            FILES.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        for _ in 0..=random.below(6) {
            let which = random.below(files.len());
            files[which].1 = mutate(&files[which].1, random);
        }
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let sources = lab::sources(&files);
        let mut problems = Problems::new();
        let draft = SEnglish.read(&sources, &Options::default(), &mut problems);
        assert_eq!(draft.is_none(), problems.has_errors());
        check_problems(&problems, &sources);
        for problem in &problems {
            assert!(!problem.message.ends_with('.'), "{problem:?}");
        }
        let Some(draft) = draft else { return };
        let system = draft.system(&[], &mut Problems::new()).expect("there are no atoms to misread");
        let translated = system.export.prism().expect("there is a translation");
        assert!(translated.is_ok());
        // A walk that takes the first step and a random branch; the layer checks every promise on the way.
        let model = motet_model::Checked::new(system.model);
        let mut initial = Vec::new();
        model.initial(&mut initial);
        let mut state = initial.remove(0);
        let mut steps = Steps::new(state.len());
        for _ in 0..40 {
            steps.clear();
            if model.steps(&state, &mut steps).is_err() {
                break;
            }
            let step = steps.get(random.below(steps.len())).expect("a cycle is never stuck");
            let count = step.branches().len();
            state = step.branches().nth(random.below(count)).expect("it is there").target.into();
            let _ = system.words.snapshot(&state);
            let _ = system.words.waits(motet_model::ProcessId(0), &state);
        }
    });
}
