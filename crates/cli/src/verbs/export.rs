//! `motet export`

use std::path::{Path, PathBuf};

use motet_render::{dot, graph_json};
use motet_workbench::{
    ChanceForm, Loaded, MOST_STATES, Problem, Problems, Ready, export_chance, promela, state_graph,
    team_graph,
};

use crate::arguments::{Export, ExportForm, GraphWhat};
use crate::exit::ExitCode;
use crate::host::{Host, write_file};
use crate::verbs::{load_model, refuse};

/// Situations of a drawing: more cannot be looked at.
const MOST_DRAWN: u64 = 200;

/// Prints the model in another form, or writes it to a file.
pub(crate) fn export(host: &Host, arguments: &Export) -> anyhow::Result<ExitCode> {
    let loaded = load_model(&arguments.model, Some(&arguments.claims));
    let Some(ready) = &loaded.ready else { return Ok(refuse(host, &loaded)) };
    let drawn = arguments.states.unwrap_or(MOST_DRAWN);
    let graph = || match arguments.graph {
        GraphWhat::States => state_graph(ready, &loaded.head.path, drawn),
        GraphWhat::Team => team_graph(ready, &loaded.head.path, drawn.max(100_000)),
    };
    let text = match arguments.to {
        ExportForm::Promela => match promela(ready, &host.command_line()) {
            Ok(exported) => {
                tell_left_out(host, &exported.left_out);
                exported.text
            }
            Err(problem) => return Ok(broken(host, &loaded, *problem)),
        },
        ExportForm::Prism => return chance(host, arguments, &loaded, ready, ChanceForm::Prism),
        ExportForm::Drn => return chance(host, arguments, &loaded, ready, ChanceForm::Drn),
        ExportForm::Tra => return chance(host, arguments, &loaded, ready, ChanceForm::Tra),
        ExportForm::Jani => return chance(host, arguments, &loaded, ready, ChanceForm::Jani),
        ExportForm::Dot => dot(&graph()),
        ExportForm::Json => graph_json(&graph()),
    };
    match &arguments.output {
        Some(file) => write_file(file, &text)?,
        None => host.say(&text),
    }
    Ok(ExitCode::AsExpected)
}

/// The forms for Storm, PRISM and their like.
fn chance(
    host: &Host,
    arguments: &Export,
    loaded: &Loaded,
    ready: &Ready,
    form: ChanceForm,
) -> anyhow::Result<ExitCode> {
    if form == ChanceForm::Tra && arguments.output.is_none() {
        anyhow::bail!("--to tra writes several files, so it needs a name for them: -o model.tra");
    }
    let limit = arguments.states.unwrap_or(MOST_STATES);
    let written = match export_chance(loaded, ready, form, &host.command_line(), limit) {
        Ok(written) => written,
        Err(problem) => return Ok(broken(host, loaded, *problem)),
    };
    tell_left_out(host, &written.left_out);
    for (number, (ending, text)) in written.files.iter().enumerate() {
        match &arguments.output {
            Some(file) if number == 0 => write_file(file, text)?,
            Some(file) => write_file(&beside(file, ending), text)?,
            None => host.say(text),
        }
    }
    Ok(ExitCode::AsExpected)
}

/// `out/model.tra` and `2.srew` give `out/model2.srew`.
fn beside(file: &Path, ending: &str) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{stem}{ending}"))
}

fn tell_left_out(host: &Host, left_out: &[(String, String)]) {
    for (claim, reason) in left_out {
        host.hint(&format!("{claim} is left out: {reason}"));
    }
}

fn broken(host: &Host, loaded: &Loaded, problem: Problem) -> ExitCode {
    let mut found = Problems::new();
    found.push(problem);
    host.hint(motet_render::problems(&found, &loaded.sources, &host.view).trim_end());
    ExitCode::BrokenInput
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_belong_together_share_their_name() {
        assert_eq!(beside(Path::new("out/model.tra"), "2.srew"), Path::new("out/model2.srew"));
        assert_eq!(beside(Path::new("model"), ".lab"), Path::new("model.lab"));
    }
}
