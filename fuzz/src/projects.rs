//! Whole projects: read, lowered, built, searched a little way, told.

use std::time::Duration;

use motet_workbench::{
    CheckOptions, Limits, Loaded, Options, Project, Reduce, Settings, TraceOrigin, Verdict, check, check_sliced, load, open_trace,
    retrace, write_trace,
};

use crate::sheet;

/// So many states are looked at.
const STATES: u64 = 200;

/// A project in one of the languages.
pub(crate) fn project(language: &str, mode: Option<&str>, data: &[u8]) {
    let files = sheet::files(data);
    if files.is_empty() {
        return;
    }
    let path = files.first().map(|(name, _)| name.clone()).unwrap_or_default();
    let sources = sheet::sources(files);
    let language = Some(language.to_owned());
    let options = Options { mode: mode.map(str::to_owned), ..Options::default() };
    examine(&load(Project { path, sources, language, options, ..Project::default() }));
}

/// Few states and little time, so that an input that takes long is a finding.
fn little(states: u64) -> CheckOptions {
    let limits = Limits { states: Some(states), time: Some(Duration::from_secs(2)), ..Limits::default() };
    Settings { limits, threads: 1, ..Settings::default() }.into()
}

/// Looks at everything that can be done with a project without leaving the process.
pub(crate) fn examine(loaded: &Loaded) {
    // Every problem has a place that can be drawn.
    let lines = loaded.problems.lines(&loaded.sources);
    let Some(ready) = &loaded.ready else {
        assert!(!lines.is_empty(), "no model and no problem that says why");
        return;
    };
    let whole = check(loaded, &little(STATES), &mut |_| {});
    assert!(whole.internal.is_empty(), "{:?}", whole.internal);
    for claim in &whole.claims {
        if let Some(evidence) = &claim.outcome.evidence {
            let about = Some((claim.name.clone(), claim.text.clone()));
            let origin = TraceOrigin { claim: about, ..TraceOrigin::default() };
            let text = write_trace(ready, &origin, evidence);
            let mut sources = loaded.sources.clone();
            let file = sources.add("run.itf.json", text.as_str());
            let mut problems = motet_workbench::Problems::new();
            let saved = open_trace(file, &text, &mut problems).expect("what was written can be opened");
            let again = retrace(ready, &sources, &saved);
            assert!(again.is_ok(), "{:?}", again.err());
        }
    }
    // With everything that looks at fewer states.
    let settings = little(STATES).settings;
    let fewer = Settings { partial_order: Reduce::Yes, chains: Reduce::Yes, ..settings }.into();
    let reduced = check_sliced(loaded, &fewer, &mut |_| {});
    assert!(reduced.internal.is_empty(), "{:?}", reduced.internal);
    for (one, other) in whole.claims.iter().zip(&reduced.claims) {
        let (one_verdict, other_verdict) = (&one.outcome.verdict, &other.outcome.verdict);
        if is_decided(one_verdict) && is_decided(other_verdict) {
            assert_eq!(one_verdict, other_verdict, "{}: whole and reduced", one.name);
        }
    }
}

fn is_decided(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Holds | Verdict::Fails)
}
