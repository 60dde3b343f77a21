//! `motet explain`

use std::path::{Path, PathBuf};

use motet_render::{FrameReport, Reading, code_entry, frame_report, problems, readings_json};
use motet_workbench::{
    Loaded, Question, Ready, Seed, explain as find_entry, inquire, read_claim, read_formulas,
};

use crate::arguments::{ClaimArguments, Explain, Format, ModelArguments};
use crate::exit::ExitCode;
use crate::host::Host;
use crate::verbs::{load_model, model_time, options, refuse, trace};

/// Explains a code, a saved trace, the claims of a model, or formulas.
pub(crate) fn explain(host: &Host, arguments: &Explain) -> anyhow::Result<ExitCode> {
    let Some(what) = arguments.what.as_deref() else {
        return Ok(formulas(host, arguments, &arguments.formula));
    };
    let path = Path::new(what);
    if is_code(what) {
        return Ok(code(host, what));
    }
    if path.is_file() && path.extension().is_some_and(|extension| extension == "json") {
        return trace::show(host, path);
    }
    if is_formula(what) && arguments.formula.is_empty() && arguments.frame.is_none() {
        return Ok(formulas(host, arguments, &[what.to_owned()]));
    }
    let model = ModelArguments { model: PathBuf::from(what), settings: arguments.settings.clone() };
    let claims = ClaimArguments { property: arguments.property.clone(), formula: arguments.formula.clone() };
    let loaded = load_model(&model, Some(&claims));
    let Some(ready) = &loaded.ready else { return Ok(refuse(host, &loaded)) };
    if let Some(frame) = &arguments.frame {
        return frame_account(host, arguments, &loaded, ready, frame);
    }
    let readings: Vec<Reading> = ready.claims.iter().map(|claim| read_claim(ready, claim)).collect();
    say(host, arguments.format, &readings, &problems(&loaded.problems, &loaded.sources, &host.view));
    Ok(ExitCode::AsExpected)
}

/// Whether the text can be nothing but a formula: it is no path that exists, and has what no name of a file has.
fn is_formula(text: &str) -> bool {
    !Path::new(text).exists() && text.contains([' ', '(', '&', '|', '!', '<', '>'])
}

fn formulas(host: &Host, arguments: &Explain, formulas: &[String]) -> ExitCode {
    let (readings, sources, found) = read_formulas(formulas, &options(&arguments.settings));
    if found.has_errors() {
        return host.fail(&found, &sources);
    }
    say(host, arguments.format, &readings, &problems(&found, &sources, &host.view));
    ExitCode::AsExpected
}

/// The explanations, and what is doubtful about the claims.
fn say(host: &Host, format: Format, readings: &[Reading], doubts: &str) {
    match format {
        Format::Human => {
            let mut pages: Vec<String> = readings.iter().map(|reading| reading.text(&host.view)).collect();
            pages.extend((!doubts.is_empty()).then(|| doubts.to_owned()));
            host.say(&pages.join("\n"));
        }
        Format::Json | Format::Jsonl => {
            host.say(&readings_json(readings));
            if !doubts.is_empty() {
                host.hint(doubts.trim_end());
            }
        }
    }
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
        return Ok(host.misfit(&format!("nobody has a frame `{frame}`"), &help));
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
            let help = near.map(|near| format!("there is {near}")).unwrap_or_default();
            host.misfit(&format!("there is no code {code}"), &help)
        }
    }
}
