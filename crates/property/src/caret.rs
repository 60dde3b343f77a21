//! A front-end knows which word of an atom it misses, and not where the word stands: it is told of an atom as a whole.

use motet_model::AtomText;
use motet_source::{Problem, Problems, Sources, Span, Spanned, suggest};

/// Words that stand for values in every language.
const VALUES: [&str; 3] = ["true", "false", "deadlock"];

/// Words of others, and what they are here.
const ELSEWHERE: [(&str, &str); 4] =
    [("stuck", "deadlock"), ("yes", "true"), ("no", "false"), ("nil", "none")];

/// The problems of a front-end with these atoms, each at the word that its message names. One without a suggestion gets one where the
/// word is nearly a keyword.
#[must_use]
pub fn at_names(problems: Problems, atoms: &[Spanned<AtomText>], sources: &Sources) -> Problems {
    let mut moved = Problems::new();
    for problem in problems.iter() {
        let of_atom = atoms.iter().any(|atom| atom.span == problem.span);
        moved.push(if of_atom { at_name(problem.clone(), sources) } else { problem.clone() });
    }
    moved
}

fn at_name(mut problem: Problem, sources: &Sources) -> Problem {
    let span = problem.span;
    let text = sources.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("");
    // The word that is wrong comes last: "`Bob` has no attribute `falen`".
    let named: Vec<&str> = problem.message.split('`').skip(1).step_by(2).collect();
    let found = named.iter().rev().find_map(|name| Some((*name, find(text, name)?)));
    let Some((name, at)) = found else { return problem };
    let meant = ELSEWHERE.iter().find(|(word, _)| *word == name).map(|(_, meant)| *meant);
    let meant = meant.or_else(|| suggest(name, VALUES).filter(|near| *near != name));
    if let Some(meant) = meant.filter(|_| !problem.help.starts_with("did you mean")) {
        problem.help = format!("did you mean `{meant}`?");
    }
    problem.span = Span::new(span.file, span.start as usize + at, span.start as usize + at + name.len());
    problem
}

/// Where a name stands in a text by itself, and not as a part of a longer one.
fn find(text: &str, name: &str) -> Option<usize> {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let starts_word = name.starts_with(part_of_word);
    let ends_word = name.ends_with(part_of_word);
    text.match_indices(name).map(|(at, _)| at).find(|&at| {
        let before = text[..at].chars().next_back().filter(|_| starts_word);
        let behind = text[at + name.len()..].chars().next().filter(|_| ends_word);
        !name.is_empty() && !before.is_some_and(part_of_word) && !behind.is_some_and(part_of_word)
    })
}

#[cfg(test)]
mod tests {
    use motet_model::Expr;
    use motet_source::FileId;

    use super::*;

    fn moved(text: &str, message: &str, help: &str) -> (String, String) {
        let mut sources = Sources::new();
        let file: FileId = sources.add("c.props", text);
        let span = Span::new(file, 0, text.len());
        let atoms = [Spanned::new(AtomText::Fact(Expr::Any), span)];
        let mut problems = Problems::new();
        problems.push(Problem::error("M0785", span, message, help));
        let problems = at_names(problems, &atoms, &sources);
        let problem = problems.iter().next().expect("one went in");
        let place = problem.span;
        (text[place.start as usize..place.end as usize].to_owned(), problem.help.clone())
    }

    #[test]
    fn a_problem_stands_at_the_word_that_it_names_last() {
        let (word, help) =
            moved("Bob.falen = true", "`Bob` has no attribute `falen`", "did you mean `fallen`?");
        assert_eq!((word.as_str(), help.as_str()), ("falen", "did you mean `fallen`?"));
        let (word, _) = moved("inside2 = inside", "there is no `inside`", "name a place");
        assert_eq!(word, "inside");
        let (word, _) = moved("x = 3", "this is no condition", "compare it");
        assert_eq!(word, "x = 3");
    }

    #[test]
    fn a_word_that_is_nearly_a_keyword_gets_it_as_a_suggestion() {
        let (word, help) = moved("Bob.fallen = ture", "the model has nothing called `ture`", "name an agent");
        assert_eq!((word.as_str(), help.as_str()), ("ture", "did you mean `true`?"));
    }
}
