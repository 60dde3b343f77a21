//! What a claim does not need is left out, and cycle by cycle the rest is as likely as before (`docs/book`: fewer states).

mod lab;

use lab::{explore, held, near, sources, system};
use motet_model::{AtomId, AtomText, Language as _, Options};
use motet_naive::slices::same_course;
use motet_senglish::SEnglish;
use motet_source::{FileId, Problems, Span, Spanned};

/// Percepts that come and go now and then; nobody needs the fog.
const PERCEPTS: &str = "PERCEPTION PROCESS\nMonitor the following booleans:\nRain. {[],[0.5,1,0],[0,1,0]}\n\
                        Sun. {[],[0.25,1,0],[0.5,1,0]}\nFog. {[],[0.125,1,0],[0.5,1,0]}\n";

/// What is left out for an atom, after both models were found to agree for ten cycles.
fn left_out(files: &[(&str, &str)], atom: &AtomText) -> Vec<String> {
    let sources = sources(files);
    let draft =
        SEnglish.read(&sources, &Options::default(), &mut Problems::new()).expect("the project is sound");
    let slice = draft.slice(&[Spanned::new(atom.clone(), Span::new(FileId(0), 0, 0))]);
    let slice = slice.unwrap_or_else(|| panic!("nothing is left out of {files:?}"));
    let (all, some) =
        (explore(&system(files, &Options::default(), std::slice::from_ref(atom))), explore(&slice.system));
    let same = same_course(&all.model, &some.model, slice.haste, 0);
    same.unwrap_or_else(|lost| panic!("{lost}\n{files:?}\nwithout {:?}", slice.left_out));
    let first = all.at(0, AtomId(0));
    assert!((0..10).any(|cycle| all.at(cycle, AtomId(0)) != first), "nothing happens in {files:?}");
    for cycle in 0..10 {
        near(some.at(cycle, AtomId(0)), all.at(cycle, AtomId(0)));
    }
    slice.left_out
}

#[test]
fn what_raises_and_what_lowers_a_note_is_needed() {
    let text = format!("{PERCEPTS}REASONING\nIf ^[Rain] then ^[Wet]\nIf ^[Sun] then ~^[Wet]\n");
    assert_eq!(left_out(&[("a.sej", &text)], &held("Wet")), ["percept Fog"]);
}

#[test]
fn what_gates_a_percept_is_needed() {
    let text = format!("{PERCEPTS}Rainbow. {{[Rain],[0.5,1,0],[0.5,1,0]}}\n");
    assert_eq!(left_out(&[("a.sej", &text)], &held("Rainbow")), ["percept Sun", "percept Fog"]);
}

#[test]
fn what_triggers_a_plan_and_what_its_context_reads_is_needed_for_its_notes() {
    for plan in ["+^[Wet]", "-^[Wet]"] {
        let text = format!(
            "INITIAL BELIEFS AND GOALS\n{}{PERCEPTS}EXECUTABLE PLANS\nIf ^[Rain] while ^[Sun] then {plan}.\n",
            if plan.starts_with('-') { "Wet.\n" } else { "" }
        );
        assert_eq!(left_out(&[("a.sej", &text)], &held("Wet")), ["percept Fog"], "{plan}");
    }
}

#[test]
fn what_calls_an_action_is_needed_for_what_it_reports_and_what_it_reports_for_the_rest_of_the_plan() {
    let act = "procedure name :: act\nsenglish sentences :: Act.\nprocess, repeat mode :: control, runOnce\n\
               performance feedback :: Done[1,2,0]\n";
    let text = format!(
        "{}Done.\nEXECUTABLE PLANS\nIf ^[Rain] while ~^[Finished] then\n  [Act.]\n  +^[Finished].\n",
        PERCEPTS
    );
    let files = [("a.sej", text.as_str()), ("act.sep", act)];
    let gone = ["percept Sun", "percept Fog"];
    assert_eq!(left_out(&files, &held("Done")), gone);
    assert_eq!(left_out(&files, &held("Finished")), gone);
}
