//! `motet check --resume`

use motet_workbench::{Problem, Problems, Sources, Span, damaged_checkpoint, no_checkpoint, old_checkpoint};

use crate::arguments::resume::Resume;
use crate::checkpoint::{FOLDER, newest};
use crate::exit::ExitCode;
use crate::failures::Reader;
use crate::host::Host;
use crate::verbs::check::check;

/// Goes on with the last check that was stopped.
pub(crate) fn resume(host: &Host, resume: Resume) -> anyhow::Result<ExitCode> {
    let found = match newest(resume.model.as_deref()) {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(refuse(host, FOLDER, |span| no_checkpoint(span, FOLDER))),
        Err((folder, damage)) => {
            let path = folder.display().to_string();
            return Ok(refuse(host, &path, |span| damaged_checkpoint(span, &path, &damage)));
        }
    };
    let path = found.folder.display().to_string();
    if !found.is_ours() {
        return Ok(refuse(host, &path, |span| old_checkpoint(span, &path, &found.page.motet)));
    }
    if let Err(damage) = found.verify() {
        return Ok(refuse(host, &path, |span| damaged_checkpoint(span, &path, &damage)));
    }
    let arguments = resume.check(&found)?;
    check(host, &arguments, Some(found))
}

/// Says what is wrong with a checkpoint. Nothing is checked.
pub(crate) fn refuse(host: &Host, path: &str, problem: impl FnOnce(Span) -> Problem) -> ExitCode {
    let mut sources = Sources::new();
    let file = sources.add(path, "");
    let mut problems = Problems::default();
    problems.push(problem(Span::new(file, 0, 0)));
    if host.reader == Reader::Person {
        host.say(&motet_render::problems(&problems, &sources, &host.view));
        return ExitCode::BrokenInput;
    }
    host.fail(&problems, &sources)
}
