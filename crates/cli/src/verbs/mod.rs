//! The verbs, one file each.

pub(crate) mod advise;
pub(crate) mod check;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod manual;
pub(crate) mod nets;
pub(crate) mod resume;
pub(crate) mod run;
mod series;
pub(crate) mod sim;
pub(crate) mod sweep;
pub(crate) mod trace;
pub(crate) mod view;
pub(crate) mod vocab;
pub(crate) mod world;

use std::time::Duration;

use motet_workbench::{Loaded, Options, Project, Purpose, Ready, Selection, TimeUnit, load};

use crate::arguments::{ClaimArguments, ModelArguments, ModelSettings};
use crate::exit::ExitCode;
use crate::files::read_model;
use crate::host::Host;

/// Reads and loads a model as the arguments say.
pub(crate) fn load_model(model: &ModelArguments, claims: Option<&ClaimArguments>) -> Loaded {
    load(project(model, claims))
}

/// Reads a model as the arguments say.
pub(crate) fn project(model: &ModelArguments, claims: Option<&ClaimArguments>) -> Project {
    let (sources, found) = read_model(&model.model);
    let selection = claims.map_or_else(Selection::default, |claims| Selection {
        globs: claims.property.clone(),
        formulas: claims.formula.clone(),
        queries: Vec::new(),
    });
    Project {
        path: model.model.display().to_string(),
        sources,
        problems: found,
        language: model.settings.lang.clone(),
        options: options(&model.settings),
        selection,
    }
}

/// What the command line says about a model.
pub(crate) fn options(model: &ModelSettings) -> Options {
    let short = [("beliefs", &model.beliefs), ("ties", &model.ties), ("durations", &model.durations)];
    let short = short.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)));
    Options {
        parameters: model.define.iter().cloned().collect(),
        mode: model.mode.clone(),
        bounds: model.bound.iter().cloned().collect(),
        rules: model.rule.iter().cloned().chain(short).collect(),
        purpose: Purpose::Claims,
        ..Options::default()
    }
}

/// A time on the command line in the unit of the model.
pub(crate) fn model_time(ready: &Ready, time: Duration) -> anyhow::Result<u64> {
    if ready.system.model.signature().unit != TimeUnit::Milliseconds {
        anyhow::bail!("this model has no clock: it counts steps, so use --steps");
    }
    Ok(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

/// Shows the problems of a model that cannot be used.
pub(crate) fn refuse(host: &Host, loaded: &Loaded) -> ExitCode {
    host.fail(&loaded.problems, &loaded.sources)
}
