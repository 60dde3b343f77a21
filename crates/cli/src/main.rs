//! The `motet` binary: arguments, files, exit codes, progress. What is computed is computed by the workbench, what is
//! said is phrased by the renderer; here is only the host.

mod arguments;
mod brake;
mod checkpoint;
mod deliver;
mod exit;
mod failures;
mod files;
mod host;
mod names;
mod panic;
mod progress;
mod scratch;
mod values;
mod verbs;

use clap::Parser;

use crate::arguments::resume::Resume;
use crate::arguments::{Cli, Verb};
use crate::exit::ExitCode;
use crate::failures::Reader;
use crate::host::Host;

/// What bare `motet` prints.
const HELP: &str = "\
motet: model checker for teams of agents

  motet check examples/auction                                             check every claim about a team
  motet sim examples/auction --seed 7                                      watch one random run
  motet run examples/asv --skills 'motet world examples/asv' --cycles 50   let an agent act

  check  sim  run  world  advise  sweep  vocab  explain  fmt  export  trace  nets  doctor  completions  man

  motet VERB --help shows the flags of a verb
  motet vocab MODEL shows the words that claims may use
  motet explain CODE says what a problem means
  exit codes: 0 as expected, 1 not, 3 input has errors, 4 a limit stopped it
";

/// Recursion over formulas and terms is bounded by the parsers; this is room for the deepest that they let through.
const STACK_BYTES: usize = 256 << 20;

fn main() -> std::process::ExitCode {
    let command: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let parsed = match Resume::of(&command) {
        Some(resume) => Parsed::Resume(Box::new(resume)),
        None => match Cli::try_parse() {
            Ok(cli) => Parsed::Cli(Box::new(cli)),
            Err(error) => return failures::unparsed(Reader::of(&command), &command, &error).into(),
        },
    };
    panic::install(command.clone());
    let words = command.clone();
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || run(parsed, command));
    let code = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic hook has written its report.
        Ok(Err(_)) => ExitCode::Internal,
        Err(error) => failures::threadless(Reader::of(&words), &words, &error),
    };
    deliver::settled(code).into()
}

/// What the command line says.
enum Parsed {
    Cli(Box<Cli>),
    /// To go on with a check.
    Resume(Box<Resume>),
}

fn run(parsed: Parsed, command: Vec<String>) -> ExitCode {
    let cli = match parsed {
        Parsed::Cli(cli) => *cli,
        Parsed::Resume(resume) => {
            let host = Host::new(resume.look.clone(), command);
            let result = verbs::resume::resume(&host, *resume);
            return ended(&host, result);
        }
    };
    let host = Host::new(cli.look, command);
    let Some(verb) = cli.verb else {
        host.say(HELP);
        return ExitCode::AsExpected;
    };
    let result = match verb {
        Verb::Check(arguments) => verbs::check::check(&host, &arguments, None),
        Verb::Sim(arguments) => verbs::sim::sim(&host, &arguments),
        Verb::Sweep(arguments) => verbs::sweep::sweep(&host, &arguments),
        Verb::Vocab(arguments) => Ok(verbs::vocab::vocab(&host, &arguments)),
        Verb::Explain(arguments) => verbs::explain::explain(&host, &arguments),
        Verb::Fmt(arguments) => Ok(verbs::fmt::fmt(&host, &arguments)),
        Verb::Export(arguments) => verbs::export::export(&host, &arguments),
        Verb::Trace(verb) => verbs::trace::trace(&host, &verb),
        Verb::Nets(verb) => verbs::nets::nets(&host, &verb),
        Verb::Run(arguments) => verbs::run::run(&host, &arguments),
        Verb::World(arguments) => Ok(verbs::world::world(&host, &arguments)),
        Verb::Advise(arguments) => verbs::advise::advise(&host, &arguments),
        Verb::Doctor => Ok(verbs::doctor::doctor(&host)),
        Verb::Completions { shell } => Ok(verbs::manual::completions(&host, shell)),
        Verb::Man => verbs::manual::man(&host),
    };
    ended(&host, result)
}

fn ended(host: &Host, result: anyhow::Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error| {
        let help = "motet VERB --help lists the options";
        failures::misfit(host.reader, &host.command, &format!("{error:#}"), help)
    })
}
