//! `motet trace`: a saved run is followed again in its model, and shown.

use std::path::Path;

use motet_render::{Extent, changes, minds, problems, story};
use motet_workbench::{Loaded, Project, Retraced, Selection, load, open_trace, retrace, snapshot};

use crate::arguments::TraceVerb;
use crate::exit::ExitCode;
use crate::files::{read_file, read_model};
use crate::host::Host;
use crate::verbs::refuse;

/// Shows a saved trace, whole or step by step.
pub(crate) fn trace(host: &Host, verb: &TraceVerb) -> anyhow::Result<ExitCode> {
    match verb {
        TraceVerb::Show(arguments) => show(host, &arguments.trace),
        TraceVerb::Step(arguments) => step(host, &arguments.trace, arguments.at),
    }
}

/// The run as a chart, with its reasons.
pub(crate) fn show(host: &Host, path: &Path) -> anyhow::Result<ExitCode> {
    Ok(opened(host, path, &|_, retraced| {
        let title = retraced.claim.clone().unwrap_or_else(|| "Run".to_string());
        host.say(&story(&retraced.tale, &title, &host.view));
        ExitCode::AsExpected
    }))
}

/// Each step with what it changes in the agents' minds; with `--full` or `--at`, everything they have in mind.
fn step(host: &Host, path: &Path, at: Option<usize>) -> anyhow::Result<ExitCode> {
    Ok(opened(host, path, &|loaded, retraced| {
        let Some(ready) = &loaded.ready else { return ExitCode::BrokenInput };
        let states = &retraced.evidence.run.states;
        let mut before = snapshot(ready, &states[0]);
        if at.is_none() || at == Some(0) {
            host.say(&format!("   0  at the start\n{}", minds(&before, &host.view)));
        }
        for (number, beat) in (1..).zip(&retraced.tale.beats) {
            let after = snapshot(ready, &states[number]);
            if at.is_none_or(|at| at == number) {
                let who = &retraced.tale.processes[beat.process];
                let to = beat
                    .to
                    .as_ref()
                    .map(|(to, label)| format!(" {label} to {}", retraced.tale.processes[*to]));
                let mark = if retraced.tale.loop_start == Some(number - 1) {
                    "  (from here on for ever)"
                } else {
                    ""
                };
                let origin = beat.origin.as_ref().map(|origin| format!("  [{origin}]")).unwrap_or_default();
                let mut page =
                    format!("{number:>4}  {who}: {}{}{origin}{mark}\n", beat.text, to.unwrap_or_default());
                for change in &beat.changes {
                    page.push_str(&format!(
                        "        {} {}\n",
                        change.atom,
                        if change.now { "holds now" } else { "holds no more" }
                    ));
                }
                page.push_str(&changes(&before, &after, &host.view));
                if at.is_some() || host.view.extent == Extent::Full {
                    page.push_str(&minds(&after, &host.view));
                }
                for why in retraced.tale.whys.iter().filter(|why| why.step + 1 == number) {
                    why.lines.iter().for_each(|line| page.push_str(&format!("        why: {line}\n")));
                }
                host.say(&page);
            }
            before = after;
        }
        ExitCode::AsExpected
    }))
}

/// Opens the trace and its model, follows the run, and hands both over.
fn opened(host: &Host, path: &Path, act: &dyn Fn(&Loaded, &Retraced) -> ExitCode) -> ExitCode {
    let (mut sources, mut found) = read_file(path);
    let file = sources.iter().next().map(|(id, file)| (id, file.text.clone()));
    let origin = match file {
        Some((id, text)) if !found.has_errors() => open_trace(id, &text, &mut found),
        _ => None,
    };
    let Some(saved) = origin else {
        host.hint(problems(&found, &sources, &host.view).trim_end());
        return ExitCode::BrokenInput;
    };
    let (model, problems_found) = read_model(Path::new(&saved.origin.model));
    let from_formula = saved.origin.claim.as_ref().filter(|(name, _)| name == "formula");
    let loaded = load(Project {
        path: saved.origin.model.clone(),
        sources: model,
        problems: problems_found,
        language: saved.origin.language.clone(),
        options: saved.origin.options.clone(),
        selection: Selection {
            globs: Vec::new(),
            formulas: from_formula.map(|(_, text)| text.clone()).into_iter().collect(),
        },
    });
    let Some(ready) = &loaded.ready else { return refuse(host, &loaded) };
    match retrace(ready, &loaded.sources, &saved) {
        Ok(retraced) => act(&loaded, &retraced),
        Err(help) => {
            sources = motet_workbench::Sources::new();
            let text = path.display().to_string();
            let id = sources.add(text.clone(), "");
            let mut found = motet_workbench::Problems::new();
            found.push(motet_workbench::stale_trace(id, &text, &help));
            host.hint(problems(&found, &sources, &host.view).trim_end());
            ExitCode::BrokenInput
        }
    }
}
