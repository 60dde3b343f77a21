//! Numbers of the world that the command line may set: `-D rain.on=0.02`.
//!
//! A percept has `.on` and `.off`, the chances of its activation and deactivation, and `.on_mean` and `.off_mean`; a feedback has
//! `.mean`, which holds for all feedbacks of its action.

use motet_model::Options;
use motet_source::{Problem, Problems, Span, suggest};

use crate::number::{printed, ratio, whole};
use crate::sentence::identifier;
use crate::syntax::{DistributionTree, ProcedureTree, ReasoningTree};

/// Which number of a distribution.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Chance,
    Mean,
}

/// Every number, by its name.
fn visit(
    reasoning: &mut [(String, ReasoningTree)],
    procedures: &mut [ProcedureTree],
    mut see: impl FnMut(&str, Part, &mut DistributionTree),
) {
    for (_, tree) in reasoning {
        for percept in &mut tree.percepts {
            let name = identifier(&percept.sentence.key);
            if let Some(numbers) = &mut percept.numbers {
                see(&format!("{name}.on"), Part::Chance, &mut numbers.activation);
                see(&format!("{name}.on_mean"), Part::Mean, &mut numbers.activation);
                see(&format!("{name}.off"), Part::Chance, &mut numbers.deactivation);
                see(&format!("{name}.off_mean"), Part::Mean, &mut numbers.deactivation);
            }
        }
    }
    for procedure in procedures {
        let names: Vec<String> =
            procedure.feedbacks.iter().map(|feedback| identifier(&feedback.sentence.key)).collect();
        for name in &names {
            for feedback in &mut procedure.feedbacks {
                see(&format!("{name}.mean"), Part::Mean, &mut feedback.numbers);
            }
        }
    }
}

/// Sets what the command line sets.
pub(crate) fn apply(
    reasoning: &mut [(String, ReasoningTree)],
    procedures: &mut [ProcedureTree],
    options: &Options,
    place: Span,
    problems: &mut Problems,
) {
    for (name, value) in &options.parameters {
        let said = options.place_of("-D", name, place);
        let mut known = Vec::new();
        let (mut found, mut wrong) = (false, None);
        visit(reasoning, procedures, |candidate, part, numbers| {
            if candidate != name {
                known.push(candidate.to_owned());
                return;
            }
            found = true;
            match part {
                Part::Chance => match ratio(value) {
                    Some(chance) => numbers.chance = chance,
                    None => wrong = Some("a chance"),
                },
                Part::Mean => match whole(value).and_then(|mean| u32::try_from(mean).ok()) {
                    Some(mean) if mean <= 1_000_000 => numbers.mean = mean,
                    _ => wrong = Some("a number of cycles"),
                },
            }
        });
        if !found {
            let help = match suggest(name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "percepts have .on, .off, .on_mean and .off_mean, feedbacks .mean, as in rain.on=0.02"
                        .to_owned()
                }
            };
            problems.push(Problem::error(
                "M0887",
                said.name,
                format!("there is no parameter `{name}`"),
                help,
            ));
        } else if let Some(what) = wrong {
            let message = format!("`{value}` is not {what}");
            problems.push(Problem::error("M0887", said.value, message, format!("write -D {name}=NUMBER")));
        }
    }
}

/// All numbers with their present values.
pub(crate) fn list(
    reasoning: &[(String, ReasoningTree)],
    procedures: &[ProcedureTree],
) -> Vec<(String, String)> {
    let (mut reasoning, mut procedures) = (reasoning.to_vec(), procedures.to_vec());
    let mut parameters: Vec<(String, String)> = Vec::new();
    visit(&mut reasoning, &mut procedures, |name, part, numbers| {
        let value = match part {
            Part::Chance => printed(numbers.chance),
            Part::Mean => numbers.mean.to_string(),
        };
        if !parameters.iter().any(|(known, _)| known == name) {
            parameters.push((name.to_owned(), value));
        }
    });
    parameters
}
