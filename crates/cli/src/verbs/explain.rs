//! `motet explain`

use std::path::{Path, PathBuf};

use motet_render::{FrameReport, claim_entry, code_entry, frame_report, problems};
use motet_workbench::{Loaded, Question, Ready, Seed, english, explain as find_entry, formula_text, inquire};

use crate::arguments::{ClaimArguments, Explain, ModelArguments};
use crate::exit::ExitCode;
use crate::host::Host;
use crate::verbs::{load_model, model_time, refuse, trace};

/// Explains a code, a saved trace, or the claims of a model.
pub(crate) fn explain(host: &Host, arguments: &Explain) -> anyhow::Result<ExitCode> {
    let what = arguments.what.as_str();
    let path = Path::new(what);
    if is_code(what) {
        return Ok(code(host, what));
    }
    if path.is_file() && path.extension().is_some_and(|extension| extension == "json") {
        return trace::show(host, path);
    }
    let model = ModelArguments { model: PathBuf::from(what), settings: arguments.settings.clone() };
    let claims = ClaimArguments { property: arguments.property.clone(), formula: arguments.formula.clone() };
    let loaded = load_model(&model, Some(&claims));
    let Some(ready) = &loaded.ready else { return Ok(refuse(host, &loaded)) };
    if let Some(frame) = &arguments.frame {
        return frame_account(host, arguments, &loaded, ready, frame);
    }
    for claim in &ready.claims {
        let words = claim.words.as_deref();
        let (english, formula) = (english(ready, claim), formula_text(ready, claim));
        host.say(&claim_entry(&claim.name, words, &english, &formula, &host.view));
    }
    if !loaded.problems.is_empty() {
        host.say(&problems(&loaded.problems, &loaded.sources, &host.view));
    }
    Ok(ExitCode::AsExpected)
}

/// Steps of the run on which a frame is looked at.
const STEPS: u64 = 100_000;

/// Why a frame fires or does not fire, at a moment of a random run.
fn frame_account(
    host: &Host,
    arguments: &Explain,
    loaded: &Loaded,
    ready: &Ready,
    frame: &str,
) -> anyhow::Result<ExitCode> {
    let seed = Seed { series: arguments.seed, run: 0 };
    let at = arguments.at.map(|at| model_time(ready, at)).transpose()?;
    let question = Question { subject: frame.to_owned(), at, seed, steps: STEPS };
    let answer = inquire(ready, &question);
    if answer.accounts.is_empty() {
        let words = loaded.vocabulary.iter().flat_map(|words| &words.groups).flat_map(|(_, names)| names);
        let near = motet_workbench::suggest(frame, words.map(String::as_str));
        let help = near.map_or_else(
            || format!("motet vocab {} lists the names", loaded.head.path),
            |near| format!("there is `{near}`"),
        );
        host.hint(&format!("error: nobody has a frame `{frame}`; {help}"));
        return Ok(ExitCode::Usage);
    }
    let signature = ready.system.model.signature();
    let began = answer.accounts.iter().map(|account| {
        let own = answer.beginnings.iter().filter(|beginning| beginning.process == account.process);
        own.map(|beginning| beginning.time).collect()
    });
    let report = FrameReport {
        frame: frame.to_owned(),
        time: answer.at,
        unit: signature.unit,
        processes: signature.processes.clone(),
        began: began.collect(),
        accounts: answer.accounts,
    };
    host.say(&frame_report(&report, &loaded.sources, &host.view));
    Ok(ExitCode::AsExpected)
}

fn is_code(text: &str) -> bool {
    let mut letters = text.chars();
    matches!(letters.next(), Some('M' | 'm'))
        && text.len() == 5
        && letters.all(|letter| letter.is_ascii_alphanumeric())
        && text.chars().skip(1).any(|letter| letter.is_ascii_digit())
}

fn code(host: &Host, code: &str) -> ExitCode {
    match find_entry(code) {
        Ok(entry) => {
            host.say(&code_entry(entry, &host.view));
            ExitCode::AsExpected
        }
        Err(near) => {
            let help = near.map(|near| format!("; there is {near}")).unwrap_or_default();
            host.hint(&format!("error: there is no code {code}{help}"));
            ExitCode::Usage
        }
    }
}
