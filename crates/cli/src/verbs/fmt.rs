//! `motet fmt`

use motet_render::problems;
use motet_workbench::format_claims;

use crate::arguments::Fmt;
use crate::exit::ExitCode;
use crate::files::{claims_files, read_file};
use crate::host::{Host, write_file};

/// Brings claims files into their canonical form, or says which are not.
pub(crate) fn fmt(host: &Host, arguments: &Fmt) -> anyhow::Result<ExitCode> {
    let mut exit = ExitCode::AsExpected;
    for path in arguments.files.iter().flat_map(|path| claims_files(path)) {
        let (sources, mut found) = read_file(&path);
        let Some((id, file)) = sources.iter().next().filter(|_| !found.has_errors()) else {
            host.hint(problems(&found, &sources, &host.view).trim_end());
            exit = ExitCode::BrokenInput;
            continue;
        };
        let text = match format_claims(id, file) {
            Ok(text) => text,
            Err(errors) => {
                found.extend(errors);
                host.hint(problems(&found, &sources, &host.view).trim_end());
                exit = ExitCode::BrokenInput;
                continue;
            }
        };
        if text == file.text {
            continue;
        }
        if arguments.check {
            host.say(&format!("{} is not in its canonical form\n", path.display()));
            if exit == ExitCode::AsExpected {
                exit = ExitCode::NotAsExpected;
            }
        } else {
            write_file(&path, &text)?;
        }
    }
    Ok(exit)
}
