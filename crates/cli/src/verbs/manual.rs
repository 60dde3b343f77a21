//! `motet completions`, `motet man`: both are generated from the table of arguments.

use clap::CommandFactory;

use crate::arguments::Cli;
use crate::exit::ExitCode;
use crate::host::Host;

/// Prints the completions of a shell.
pub(crate) fn completions(host: &Host, shell: clap_complete::Shell) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "motet", &mut text);
    host.say(&String::from_utf8_lossy(&text));
    ExitCode::AsExpected
}

/// Prints the manual page, with a section per verb.
pub(crate) fn man(host: &Host) -> anyhow::Result<ExitCode> {
    let mut text = Vec::new();
    let command = Cli::command();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    host.say(&String::from_utf8_lossy(&text));
    Ok(ExitCode::AsExpected)
}
