//! What can be said of an action file by itself (Izzo 2016, section 3.4.1).

use motet_model::Ratio;
use motet_source::{Problem, Problems, Sources};

use super::Project;
use crate::number::printed;
use crate::project::stem;
use crate::sentence::fold;
use crate::syntax::{DistributionTree, ProcedureTree, Repeat};

/// Checks all action files.
pub(crate) fn procedures(project: &Project<'_>, sources: &Sources, problems: &mut Problems) {
    for procedure in project.procedures {
        numbers(procedure, problems);
        if let Some(name) = &procedure.name {
            let path = &sources.file(procedure.file).path;
            let file = stem(path);
            let own = file.split_once('.').map_or(file, |(_, rest)| rest);
            if fold(own) != name.key && fold(file) != name.key {
                let message = format!("the procedure `{}` lies in the file `{file}.sep`", name.text);
                let help = format!("call the file `{}.sep`", name.key);
                problems.push(Problem::warning("M0897", name.span, message, help));
            }
        }
        if let Some((_, mode)) = &procedure.mode
            && mode.node == Repeat::Once
            && procedure.feedbacks.is_empty()
        {
            let message = "nothing tells when the action is done";
            let help =
                "add `performance feedback :: Name[1,1,0]`; without it a plan goes on in the next cycle";
            problems.push(Problem::warning("M0889", mode.span, message, help));
        }
    }
}

fn numbers(procedure: &ProcedureTree, problems: &mut Problems) {
    let mut sum = Some(Ratio::ZERO);
    for (number, feedback) in procedure.feedbacks.iter().enumerate() {
        let numbers = feedback.numbers;
        distribution(numbers, problems);
        sum = sum.and_then(|sum| sum.checked_add(numbers.chance));
        let first = procedure.feedbacks[0].numbers;
        if (numbers.mean, numbers.spread) != (first.mean, first.spread) {
            let message = format!(
                "`{}` has mu {} and sigma {}, and the first feedback mu {} and sigma {}",
                feedback.sentence.text, numbers.mean, numbers.spread, first.mean, first.spread
            );
            let help = "all feedbacks of one action come at the same time: give them the same mu and sigma";
            let problem = Problem::error("M0883", numbers.span, message, help);
            problems.push(problem.also(first.span, "the first feedback"));
        }
        let same = |other: &crate::syntax::FeedbackTree| other.sentence.key == feedback.sentence.key;
        if procedure.feedbacks[..number].iter().any(same) {
            let message = format!("the feedback `{}` is there twice", feedback.sentence.text);
            problems.push(Problem::error("M0876", feedback.sentence.span, message, "keep one of them"));
        }
    }
    if let Some(last) = procedure.feedbacks.last()
        && sum != Some(Ratio::ONE)
    {
        let first = procedure.feedbacks[0].sentence.span;
        let message = match sum {
            Some(sum) => format!("the weights of the feedbacks sum to {}", printed(sum)),
            None => "the weights of the feedbacks cannot be added up exactly".to_owned(),
        };
        let help = "an action has exactly one outcome: make the first numbers sum to 1";
        problems.push(Problem::error("M0882", first.to(last.numbers.span), message, help));
    }
}

/// Chance and range of one `[p,mu,sigma]`.
pub(crate) fn distribution(tree: DistributionTree, problems: &mut Problems) {
    if tree.chance > motet_model::Ratio::ONE {
        let message = format!("{} is not a probability", printed(tree.chance));
        problems.push(Problem::error("M0880", tree.span, message, "the first number lies between 0 and 1"));
    }
    if tree.mean == 0 {
        let help = "the second number counts cycles from 1: nothing comes in the cycle it is called in";
        problems.push(Problem::error("M0881", tree.span, "the average is 0 cycles", help));
    } else if tree.spread > tree.mean {
        let message = format!("sigma is {} and mu only {}", tree.spread, tree.mean);
        let help = "the earliest cycle is mu - sigma: make sigma at most mu";
        problems.push(Problem::error("M0881", tree.span, message, help));
    }
}
