//! `motet fmt`

use std::path::{Path, PathBuf};

use motet_workbench::{Dialect, format_claims, format_formulas};

use crate::arguments::Fmt;
use crate::deliver::deliver;
use crate::exit::ExitCode;
use crate::files::{claims_files, read_file};
use crate::host::Host;

/// Brings claims files into their canonical form, or says which are not.
pub(crate) fn fmt(host: &Host, arguments: &Fmt) -> ExitCode {
    let mut exit = ExitCode::AsExpected;
    for path in arguments.files.iter().flat_map(|path| claims_files(path)) {
        match file(host, arguments, &path) {
            ExitCode::AsExpected => {}
            // Broken input outranks a file that is only untidy.
            _ if exit == ExitCode::BrokenInput => {}
            worse => exit = worse,
        }
    }
    exit
}

fn file(host: &Host, arguments: &Fmt, path: &Path) -> ExitCode {
    let (sources, mut found) = read_file(path);
    let Some((id, file)) = sources.iter().next().filter(|_| !found.has_errors()) else {
        return host.fail(&found, &sources);
    };
    let formatted = format_claims(id, file).and_then(|(text, dialect)| match arguments.to {
        Some(_) if dialect == Dialect::Motet => {
            format_formulas(id, file).map(|(text, kept)| (text, kept, dialect))
        }
        _ => Ok((text, Vec::new(), dialect)),
    });
    let (text, kept, dialect) = match formatted {
        Ok(formatted) => formatted,
        Err(errors) => {
            found.extend(errors);
            return host.fail(&found, &sources);
        }
    };
    if !kept.is_empty() {
        let names = kept.join(", ");
        host.hint(&format!(
            "{}: sentences that only the model can write out stay as they are: {names}",
            path.display()
        ));
    }
    if dialect != Dialect::Motet && arguments.to.is_none() {
        host.hint(&format!("{} is in another dialect: motet fmt --to motet rewrites it", path.display()));
        return ExitCode::AsExpected;
    }
    if text == file.text {
        return ExitCode::AsExpected;
    }
    if arguments.check {
        host.say(&format!("{} is not in its canonical form\n", path.display()));
        return ExitCode::NotAsExpected;
    }
    let target = target(path, dialect);
    if target != path && target.exists() {
        host.hint(&format!("{} is there already and was left alone", target.display()));
        return ExitCode::BrokenInput;
    }
    deliver(&target.display().to_string(), &target, Ok(text));
    ExitCode::AsExpected
}

/// Where the result goes: a file whose extension means another dialect stays as it is.
fn target(path: &Path, dialect: Dialect) -> PathBuf {
    if dialect == Dialect::Psl { path.with_extension("props") } else { path.to_path_buf() }
}
