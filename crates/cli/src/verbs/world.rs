//! `motet world`

use motet_live::{WorldEnd, serve};
use motet_workbench::no_world;

use crate::arguments::run::World;
use crate::exit::ExitCode;
use crate::host::Host;
use crate::verbs::{load_model, refuse};

/// Answers agents as their model says, on the standard streams. Standard output carries the protocol and nothing else.
pub(crate) fn world(host: &Host, arguments: &World) -> ExitCode {
    let mut loaded = load_model(&arguments.model, None);
    let Some(ready) = &loaded.ready else { return refuse(host, &loaded) };
    let Some(mut world) = ready.world() else {
        let problem = no_world(&mut loaded.sources, &loaded.head.path);
        loaded.problems.push(problem);
        return refuse(host, &loaded);
    };
    match serve(world.as_mut(), std::io::stdin().lock(), std::io::stdout().lock(), arguments.seed) {
        WorldEnd::Bye => ExitCode::AsExpected,
        WorldEnd::Fault(message) => {
            host.hint(&message);
            ExitCode::Inconclusive
        }
        WorldEnd::Foreign(version) => {
            host.hint(&format!("the agents speak `{version}`, which this version does not understand"));
            ExitCode::Engine
        }
    }
}
