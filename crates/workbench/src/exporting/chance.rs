//! The model for Storm, PRISM and other tools for chance, with the claims as questions in comments.

use motet_engine::Limits;
use motet_render::{drn, jani, tra};
use motet_source::{FileId, Problem, Span};

use crate::exporting::explicit::lay_out;
use crate::loading::load::{CLAIMS_EXTENSIONS, Loaded, Ready};
use crate::opinions::chance::{about_states, about_text};

/// A form in which tools for chance read models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChanceForm {
    /// The PRISM language.
    Prism,
    /// Storm's explicit format.
    Drn,
    /// PRISM's explicit format.
    Tra,
    /// JANI.
    Jani,
}

/// A model that was written for others.
pub struct Written {
    /// How the names of the files end, and what they hold. The first is the model; the others belong beside it.
    pub files: Vec<(String, String)>,
    /// Claims that the others cannot be asked, with the reason.
    pub left_out: Vec<(String, String)>,
}

/// Writes the model. `command` stands in the first line where the form has comments; states are written one by one up to the limits.
///
/// # Errors
/// When the model has no translation, or more states.
pub fn export_chance(
    loaded: &Loaded,
    ready: &Ready,
    form: ChanceForm,
    command: &str,
    limits: &Limits,
) -> Result<Written, Box<Problem>> {
    if form == ChanceForm::Prism {
        return prism_text(ready, command, place(loaded));
    }
    let mut laid_out = lay_out(ready, command, limits, place(loaded))?;
    let (asked, left_out) = sorted(ready, about_states(ready, &laid_out));
    laid_out.model.claims = asked;
    let model = &laid_out.model;
    let files = match form {
        ChanceForm::Tra => tra(model).into_iter().map(|file| (file.ending, file.text)).collect(),
        ChanceForm::Jani => vec![(".jani".to_owned(), jani(model))],
        ChanceForm::Drn | ChanceForm::Prism => vec![(".drn".to_owned(), drn(model))],
    };
    Ok(Written { files, left_out })
}

fn prism_text(ready: &Ready, command: &str, place: Span) -> Result<Written, Box<Problem>> {
    let Some(text) = ready.system.export.prism() else {
        let message = format!("{} has no translation to the PRISM language", ready.system.summary.language);
        let help = "export the model state by state: --to drn for Storm, --to tra for PRISM";
        return Err(Box::new(Problem::error("M0965", place, message, help)));
    };
    let text = text?;
    let (asked, left_out) = sorted(ready, about_text(ready, &text));
    let command = command.replace(['\n', '\r'], " ");
    let claims: String = asked.iter().map(|(name, formula)| format!("// \"{name}\": {formula}\n")).collect();
    Ok(Written {
        files: vec![(".prism".to_owned(), format!("// {command}\n{claims}{}", text.text))],
        left_out,
    })
}

/// The start of the model's first text: a problem with the model as a whole points there.
pub(crate) fn place(loaded: &Loaded) -> Span {
    let claims =
        |path: &str| CLAIMS_EXTENSIONS.iter().any(|extension| path.ends_with(&format!(".{extension}")));
    let model = loaded.sources.iter().find(|(_, file)| !claims(&file.path) && file.path != "-e");
    Span::new(model.map_or(FileId(0), |(id, _)| id), 0, 0)
}

/// Claims that can be asked with their formulas, and those that cannot with the reason.
#[expect(clippy::type_complexity, reason = "two lists of names with texts")]
fn sorted(
    ready: &Ready,
    questions: Vec<Result<String, String>>,
) -> (Vec<(String, String)>, Vec<(String, String)>) {
    let (mut asked, mut left_out) = (Vec::new(), Vec::new());
    for (claim, question) in ready.claims.iter().zip(questions) {
        match question {
            Ok(formula) => asked.push((claim.name.clone(), formula)),
            Err(reason) => left_out.push((claim.name.clone(), reason)),
        }
    }
    (asked, left_out)
}
