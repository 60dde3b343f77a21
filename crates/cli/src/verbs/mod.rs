//! The verbs, one file each.

pub(crate) mod check;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod manual;
pub(crate) mod sim;
pub(crate) mod trace;
pub(crate) mod vocab;

use motet_render::problems;
use motet_workbench::{Loaded, Options, Project, Selection, load};

use crate::arguments::{ClaimArguments, ModelArguments};
use crate::exit::ExitCode;
use crate::files::read_model;
use crate::host::Host;

/// Reads and loads a model as the arguments say.
pub(crate) fn load_model(model: &ModelArguments, claims: Option<&ClaimArguments>) -> Loaded {
    let (sources, found) = read_model(&model.model);
    let selection = claims.map_or_else(Selection::default, |claims| Selection {
        globs: claims.property.clone(),
        formulas: claims.formula.clone(),
    });
    load(Project {
        path: model.model.display().to_string(),
        sources,
        problems: found,
        language: model.lang.clone(),
        options: options(model),
        selection,
    })
}

/// What the command line says about a model.
pub(crate) fn options(model: &ModelArguments) -> Options {
    Options {
        parameters: model.define.iter().cloned().collect(),
        mode: model.mode.clone(),
        bounds: model.bound.iter().cloned().collect(),
        rules: model.rule.iter().cloned().collect(),
    }
}

/// Shows the problems of a model that cannot be used, on standard error: standard output is for results.
pub(crate) fn refuse(host: &Host, loaded: &Loaded) -> ExitCode {
    host.hint(problems(&loaded.problems, &loaded.sources, &host.view).trim_end());
    ExitCode::BrokenInput
}
