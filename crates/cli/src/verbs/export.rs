//! `motet export`

use std::path::{Path, PathBuf};

use motet_render::{dot, graph_json, net_dot, net_svg};
use motet_workbench::{
    ChanceForm, Limits, Loaded, MOST_STATES, Problem, Problems, Ready, StatesForm, claim_automata,
    constructed_nets, export_chance, export_states, plain_net, pnml_export, promela, state_graph, team_graph,
    tina_text,
};

use crate::arguments::{Export, ExportForm, GraphWhat, LimitArguments};
use crate::deliver::deliver;
use crate::exit::ExitCode;
use crate::host::Host;
use crate::verbs::check::limits;
use crate::verbs::{load_model, options, refuse};

/// Situations of a drawing: more cannot be looked at.
const MOST_DRAWN: u64 = 200;
/// Situations in which is listened who speaks to whom.
const MOST_HEARD: u64 = 100_000;

/// How far the model is explored for an export: as asked, else as far as this form goes, and before this machine runs out of memory.
fn up_to(host: &Host, arguments: &Export, states: u64) -> Limits {
    Limits { states: arguments.states, ..limits(host, &LimitArguments::default()) }.up_to(states)
}

/// Prints the model in another form, or writes it to a file.
pub(crate) fn export(host: &Host, arguments: &Export) -> anyhow::Result<ExitCode> {
    let loaded = load_model(&arguments.model, Some(&arguments.claims));
    let Some(ready) = &loaded.ready else { return Ok(refuse(host, &loaded)) };
    let graph = || match arguments.graph {
        Some(GraphWhat::States) => state_graph(ready, &loaded.head.path, &up_to(host, arguments, MOST_DRAWN)),
        _ => team_graph(ready, &loaded.head.path, &up_to(host, arguments, MOST_HEARD)),
    };
    let text = match arguments.to {
        ExportForm::Promela => match promela(ready, &host.command_line()) {
            Ok(exported) => {
                tell_left_out(host, &exported.left_out);
                exported.text
            }
            Err(problem) => return Ok(broken(host, &loaded, *problem)),
        },
        ExportForm::Prism
        | ExportForm::Drn
        | ExportForm::Tra
        | ExportForm::Jani
        | ExportForm::PromelaStates
        | ExportForm::Nusmv
        | ExportForm::Aut => return state_by_state(host, arguments, &loaded, ready),
        ExportForm::Hoa => {
            let written = claim_automata(ready);
            tell_left_out(host, &written.left_out);
            written.files.into_iter().map(|(_, text)| text).collect()
        }
        ExportForm::Dot if draws_nets(arguments, ready) => net_drawing(&loaded, ready, Drawing::Dot)?,
        ExportForm::Svg => net_drawing(&loaded, ready, Drawing::Svg)?,
        ExportForm::Dot => dot(&graph()),
        ExportForm::Json => graph_json(&graph()),
        ExportForm::Nets | ExportForm::Pnml | ExportForm::Tina => match net_text(arguments, &loaded) {
            Ok(text) => text,
            Err(found) => {
                return Ok(host.fail(&found, &loaded.sources));
            }
        },
    };
    match &arguments.output {
        Some(file) => hand_over(file, &text),
        None => host.say(&text),
    }
    Ok(ExitCode::AsExpected)
}

/// Nets are drawn as nets, unless something else was asked for.
fn draws_nets(arguments: &Export, ready: &Ready) -> bool {
    match arguments.graph {
        None => !ready.system.words.nets().is_empty(),
        Some(what) => what == GraphWhat::Nets,
    }
}

#[derive(Clone, Copy)]
enum Drawing {
    Svg,
    Dot,
}

/// The nets with what lies in them at the start.
fn net_drawing(loaded: &Loaded, ready: &Ready, drawing: Drawing) -> anyhow::Result<String> {
    let nets = ready.system.words.nets();
    if nets.is_empty() {
        anyhow::bail!("this model has no nets to draw; --to dot draws who sends what to whom");
    }
    let mut states = Vec::new();
    ready.system.model.initial(&mut states);
    let marking = states.first().and_then(|state| ready.system.words.marking(state));
    Ok(match drawing {
        Drawing::Svg => net_svg(&nets, marking.as_ref(), &[]),
        Drawing::Dot => net_dot(&loaded.head.path, &nets, marking.as_ref()),
    })
}

/// The nets as a text.
fn net_text(arguments: &Export, loaded: &Loaded) -> Result<String, Problems> {
    let mut found = Problems::new();
    let options = options(&arguments.model.settings);
    let text = match arguments.to {
        ExportForm::Pnml => pnml_export(&loaded.sources, &options, &mut found),
        ExportForm::Tina => plain_net(&loaded.sources, &options, &mut found).map(|net| tina_text(&net)),
        _ => constructed_nets(&loaded.sources, &mut found),
    };
    text.ok_or(found)
}

/// The forms for Storm, PRISM, Spin, NuSMV and their like.
fn state_by_state(
    host: &Host,
    arguments: &Export,
    loaded: &Loaded,
    ready: &Ready,
) -> anyhow::Result<ExitCode> {
    if arguments.to == ExportForm::Tra && arguments.output.is_none() {
        anyhow::bail!("--to tra writes several files, so it needs a name for them: -o model.tra");
    }
    let limits = up_to(host, arguments, MOST_STATES);
    let command = host.command_line();
    let chance = |form| export_chance(loaded, ready, form, &command, &limits);
    let states = |form| export_states(loaded, ready, form, &command, &limits);
    let written = match arguments.to {
        ExportForm::Prism => chance(ChanceForm::Prism),
        ExportForm::Tra => chance(ChanceForm::Tra),
        ExportForm::Jani => chance(ChanceForm::Jani),
        ExportForm::PromelaStates => states(StatesForm::Promela),
        ExportForm::Nusmv => states(StatesForm::Smv),
        ExportForm::Aut => states(StatesForm::Aut),
        _ => chance(ChanceForm::Drn),
    };
    let written = match written {
        Ok(written) => written,
        Err(problem) => return Ok(broken(host, loaded, *problem)),
    };
    tell_left_out(host, &written.left_out);
    for (number, (ending, text)) in written.files.iter().enumerate() {
        match &arguments.output {
            Some(file) if number == 0 => hand_over(file, text),
            Some(file) => hand_over(&beside(file, ending), text),
            None => host.say(text),
        }
    }
    Ok(ExitCode::AsExpected)
}

/// Writes a file that was asked for by name, or one beside it.
fn hand_over(file: &Path, text: &str) {
    deliver(&file.display().to_string(), file, Ok(text.to_owned()));
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
    host.fail(&found, &loaded.sources)
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
