//! `motet explain`

use std::path::{Path, PathBuf};

use motet_render::{claim_entry, code_entry, problems};
use motet_workbench::{english, explain as find_entry, formula_text};

use crate::arguments::{ClaimArguments, Explain, ModelArguments};
use crate::exit::ExitCode;
use crate::host::Host;
use crate::verbs::{load_model, refuse, trace};

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
    let model = ModelArguments {
        model: PathBuf::from(what),
        lang: None,
        define: Vec::new(),
        mode: None,
        bound: Vec::new(),
        rule: Vec::new(),
    };
    let claims = ClaimArguments { property: arguments.property.clone(), formula: arguments.formula.clone() };
    let loaded = load_model(&model, Some(&claims));
    let Some(ready) = &loaded.ready else { return Ok(refuse(host, &loaded)) };
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
