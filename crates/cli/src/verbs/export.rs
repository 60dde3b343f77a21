//! `motet export`

use motet_render::{dot, graph_json};
use motet_workbench::{Problems, promela, state_graph, team_graph};

use crate::arguments::{Export, ExportForm, GraphWhat};
use crate::exit::ExitCode;
use crate::host::Host;
use crate::verbs::{load_model, refuse};

/// Prints the model in another form.
pub(crate) fn export(host: &Host, arguments: &Export) -> ExitCode {
    let loaded = load_model(&arguments.model, Some(&arguments.claims));
    let Some(ready) = &loaded.ready else { return refuse(host, &loaded) };
    let graph = || match arguments.graph {
        GraphWhat::States => state_graph(ready, &loaded.head.path, arguments.states),
        GraphWhat::Team => team_graph(ready, &loaded.head.path, arguments.states.max(100_000)),
    };
    match arguments.to {
        ExportForm::Promela => match promela(ready, &host.command_line()) {
            Ok(exported) => {
                for (claim, reason) in &exported.left_out {
                    host.hint(&format!("{claim} is left out: {reason}"));
                }
                host.say(&exported.text);
            }
            Err(problem) => {
                let mut found = Problems::new();
                found.push(*problem);
                host.hint(motet_render::problems(&found, &loaded.sources, &host.view).trim_end());
                return ExitCode::BrokenInput;
            }
        },
        ExportForm::Dot => host.say(&dot(&graph())),
        ExportForm::Json => host.say(&graph_json(&graph())),
    }
    ExitCode::AsExpected
}
