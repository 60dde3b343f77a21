//! `motet trace`: a saved run is followed again in its model, and shown.

use std::path::Path;

use motet_render::{Extent, changes, minds, story, tree_branch, tree_outline, tree_story, why_story};
use motet_workbench::{
    FileId, Loaded, Problem, Project, Ready, Retraced, Selection, load, open_trace, retrace, snapshot,
};

use crate::arguments::{StepArguments, TraceVerb};
use crate::exit::ExitCode;
use crate::files::{read_file, read_model};
use crate::host::Host;
use crate::verbs::refuse;

/// Shows a saved trace, whole or step by step.
pub(crate) fn trace(host: &Host, verb: &TraceVerb) -> anyhow::Result<ExitCode> {
    match verb {
        TraceVerb::Show(arguments) if arguments.tree => Ok(tree(host, &arguments.trace)),
        TraceVerb::Show(arguments) if arguments.why => Ok(why(host, &arguments.trace)),
        TraceVerb::Show(arguments) => match &arguments.branch {
            Some(number) => Ok(branch(host, &arguments.trace, number)),
            None => show(host, &arguments.trace),
        },
        TraceVerb::Step(arguments) => Ok(step(host, arguments)),
    }
}

/// The run as a chart, with its reasons and its branches.
pub(crate) fn show(host: &Host, path: &Path) -> anyhow::Result<ExitCode> {
    Ok(opened(host, path, &|_, retraced| {
        let file = path.display().to_string();
        host.say(&story(&retraced.tale, &title(retraced), &host.view));
        let branches = tree_story(&retraced.tale, Some(&file), &host.view);
        if !branches.is_empty() {
            host.say(&branches);
        }
        ExitCode::AsExpected
    }))
}

fn title(retraced: &Retraced) -> String {
    retraced.claim.clone().unwrap_or_else(|| "Run".to_string())
}

/// The facts that decide the claim on the run, and the reasons.
fn why(host: &Host, path: &Path) -> ExitCode {
    opened(host, path, &|_, retraced| {
        host.say(&why_story(&retraced.tale, &title(retraced), &host.view));
        ExitCode::AsExpected
    })
}

/// The outline of all branches.
fn tree(host: &Host, path: &Path) -> ExitCode {
    opened(host, path, &|_, retraced| {
        let file = path.display().to_string();
        host.say(&tree_outline(&retraced.tale, &title(retraced), &file, &host.view));
        ExitCode::AsExpected
    })
}

/// One run of a tree.
fn branch(host: &Host, path: &Path, number: &str) -> ExitCode {
    opened(host, path, &|_, retraced| match tree_branch(&retraced.tale, &title(retraced), number, &host.view)
    {
        Some(text) => {
            host.say(&text);
            ExitCode::AsExpected
        }
        None => no_such_branch(host, path, number),
    })
}

fn no_such_branch(host: &Host, path: &Path, number: &str) -> ExitCode {
    complain(host, path, |file, text| motet_workbench::no_branch(file, number, text))
}

/// A problem of the trace as a whole.
fn complain(host: &Host, path: &Path, problem: impl Fn(FileId, &str) -> Problem) -> ExitCode {
    let mut sources = motet_workbench::Sources::new();
    let text = path.display().to_string();
    let id = sources.add(text.clone(), "");
    let mut found = motet_workbench::Problems::new();
    found.push(problem(id, &text));
    host.fail(&found, &sources)
}

/// The steps of the run, or of one run of its tree.
fn step(host: &Host, arguments: &StepArguments) -> ExitCode {
    opened(host, &arguments.trace, &|loaded, retraced| {
        let Some(ready) = &loaded.ready else { return ExitCode::BrokenInput };
        let Some(number) = &arguments.branch else { return walk(host, ready, retraced, arguments.at) };
        match retraced.branch(ready, &loaded.sources, number) {
            Some(branch) => walk(host, ready, &branch, arguments.at),
            None => no_such_branch(host, &arguments.trace, number),
        }
    })
}

/// Each step with what it changes in the agents' minds; with `--full` or `--at`, everything they have in mind. Of a run that
/// goes on from another one the steps from there on, and with `--full` all.
fn walk(host: &Host, ready: &Ready, retraced: &Retraced, at: Option<usize>) -> ExitCode {
    let states = &retraced.evidence.run.states;
    let from = if host.view.extent == Extent::Full { 0 } else { retraced.tale.from };
    let mut before = snapshot(ready, &states[0]);
    if at == Some(0) || (at.is_none() && from == 0) {
        host.say(&format!("   0  at the start\n{}", minds(&before, &host.view)));
    }
    for (number, beat) in (1..).zip(&retraced.tale.beats) {
        let after = snapshot(ready, &states[number]);
        if at.map_or(number > from, |at| at == number) {
            let who = &retraced.tale.processes[beat.process];
            let to =
                beat.to.as_ref().map(|(to, label)| format!(" {label} to {}", retraced.tale.processes[*to]));
            let mark =
                if retraced.tale.loop_start == Some(number - 1) { "  (from here on for ever)" } else { "" };
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
}

/// Opens the trace and its model, follows the run, and hands both over.
fn opened(host: &Host, path: &Path, act: &dyn Fn(&Loaded, &Retraced) -> ExitCode) -> ExitCode {
    let (sources, mut found) = read_file(path);
    let file = sources.iter().next().map(|(id, file)| (id, file.text.clone()));
    let origin = match file {
        Some((id, text)) if !found.has_errors() => open_trace(id, &text, &mut found),
        _ => None,
    };
    let Some(saved) = origin else {
        return host.fail(&found, &sources);
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
            queries: Vec::new(),
        },
    });
    let Some(ready) = &loaded.ready else { return refuse(host, &loaded) };
    match retrace(ready, &loaded.sources, &saved) {
        Ok(retraced) => act(&loaded, &retraced),
        Err(help) => complain(host, path, |file, text| motet_workbench::stale_trace(file, text, &help)),
    }
}
