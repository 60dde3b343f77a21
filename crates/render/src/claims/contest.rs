//! Answers in the form of the Model Checking Contest, and how they compare with known ones.

use crate::typesetting::number::{bytes, count, seconds};
use crate::typesetting::page::{pad, pad_left};

/// What was found about one net.
#[derive(Clone, Debug, Default)]
pub struct Contest {
    /// The net.
    pub instance: String,
    /// One answer per formula, in the order of the files.
    pub answers: Vec<ContestAnswer>,
    /// How large the graph is, when all of it was seen.
    pub space: Option<StateSpace>,
    /// Known numbers of the graph.
    pub known_space: Option<StateSpace>,
    /// Wall time.
    pub seconds: f64,
    /// Memory of the search at its largest.
    pub bytes: u64,
    /// Why it could not be checked at all, in a line.
    pub refused: Option<String>,
}

/// The answer to one formula.
#[derive(Clone, Debug)]
pub struct ContestAnswer {
    /// `LTLCardinality`
    pub examination: String,
    /// The id of the formula.
    pub id: String,
    /// What was found.
    pub found: Truth,
    /// What is known from elsewhere.
    pub known: Option<Truth>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// `TRUE`, `FALSE`
    Answer(bool),
    /// The most tokens.
    Number(u64),
    /// Nobody knows, and why.
    Unknown(String),
}

/// The numbers of a graph of markings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateSpace {
    /// Markings.
    pub states: u64,
    /// Firings between them.
    pub transitions: u64,
    /// The most tokens in one place.
    pub most_in_place: u64,
    /// The most tokens in one marking.
    pub most_in_marking: u64,
}

impl Truth {
    fn word(&self) -> String {
        match self {
            Self::Answer(true) => "TRUE".to_owned(),
            Self::Answer(false) => "FALSE".to_owned(),
            Self::Number(number) => number.to_string(),
            Self::Unknown(_) => "CANNOT_COMPUTE".to_owned(),
        }
    }
}

impl ContestAnswer {
    /// Whether something else is known to be true. What is not known contradicts nothing.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        let unknown = |truth: &Truth| matches!(truth, Truth::Unknown(_));
        let known = self.known.as_ref().filter(|known| !unknown(known));
        !unknown(&self.found) && known.is_some_and(|known| *known != self.found)
    }
}

impl Contest {
    /// Answers that contradict known ones, in a line each.
    #[must_use]
    pub fn wrong(&self) -> Vec<String> {
        let answer = |answer: &ContestAnswer| {
            let known = answer.known.as_ref().map(Truth::word).unwrap_or_default();
            format!("{} {}: {} where {known} is known", self.instance, answer.id, answer.found.word())
        };
        let mut lines: Vec<String> =
            self.answers.iter().filter(|answer| answer.is_wrong()).map(answer).collect();
        if let (Some(found), Some(known)) = (self.space, self.known_space)
            && found != known
        {
            let told = |space: StateSpace| {
                let StateSpace { states, transitions, most_in_place, most_in_marking } = space;
                format!(
                    "{states} states, {transitions} transitions, {most_in_place} and {most_in_marking} tokens"
                )
            };
            lines.push(format!(
                "{} StateSpace: {} where {} is known",
                self.instance,
                told(found),
                told(known)
            ));
        }
        lines
    }

    /// How many formulas have no answer.
    #[must_use]
    pub fn n_unknown(&self) -> usize {
        self.answers.iter().filter(|answer| matches!(answer.found, Truth::Unknown(_))).count()
    }
}

/// The answers of one net as the contest prints them.
#[must_use]
pub fn contest_lines(contest: &Contest) -> String {
    let mut out = String::new();
    if let Some(reason) = &contest.refused {
        return format!("{}: {reason}\nCANNOT_COMPUTE\n", contest.instance);
    }
    let techniques = "TECHNIQUES EXPLICIT";
    if let Some(space) = contest.space {
        for (name, number) in [
            ("STATES", space.states),
            ("TRANSITIONS", space.transitions),
            ("MAX_TOKEN_IN_PLACE", space.most_in_place),
            ("MAX_TOKEN_PER_MARKING", space.most_in_marking),
        ] {
            out.push_str(&format!("STATE_SPACE {name} {number} {techniques}\n"));
        }
    }
    for answer in &contest.answers {
        out.push_str(&format!("FORMULA {} {} {techniques}\n", answer.id, answer.found.word()));
    }
    out
}

/// All nets in a table, and the answers that contradict known ones.
#[must_use]
pub fn contest_table(contests: &[Contest]) -> String {
    let head = ["net", "states", "transitions", "answered", "known", "wrong", "time", "memory"];
    let mut rows: Vec<Vec<String>> = vec![head.iter().map(|&word| word.to_owned()).collect()];
    for contest in contests {
        let number = |number: Option<u64>| number.map_or_else(|| "?".to_owned(), |number| number.to_string());
        let known = contest.answers.iter().filter(|answer| answer.known.is_some()).count();
        let answered = contest.answers.len() - contest.n_unknown();
        rows.push(vec![
            contest.instance.clone(),
            number(contest.space.map(|space| space.states)),
            number(contest.space.map(|space| space.transitions)),
            format!("{answered}/{}", contest.answers.len()),
            known.to_string(),
            contest.wrong().len().to_string(),
            seconds(contest.seconds),
            bytes(contest.bytes),
        ]);
    }
    let mut out = aligned(&rows);
    let wrong: Vec<String> = contests.iter().flat_map(Contest::wrong).collect();
    for line in &wrong {
        out.push_str(&format!("wrong: {line}\n"));
    }
    let refused = contests.iter().filter(|contest| contest.refused.is_some()).count();
    let unknown: usize = contests.iter().map(Contest::n_unknown).sum();
    let total: usize = contests.iter().map(|contest| contest.answers.len()).sum();
    let mut parts = vec![count(contests.len(), "net"), format!("{} of {total} answered", total - unknown)];
    parts.push(if wrong.is_empty() { "none wrong".to_owned() } else { count(wrong.len(), "wrong answer") });
    if refused > 0 {
        parts.push(format!("{refused} not readable"));
    }
    out.push_str(&format!("{}\n", parts.join(", ")));
    out
}

/// Columns side by side, the first to the left and the others to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (text, width))| {
            if column == 0 { pad(text, *width) } else { pad_left(text, *width) }
        });
        out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(id: &str, found: Truth, known: Option<Truth>) -> ContestAnswer {
        ContestAnswer { examination: "LTLCardinality".to_owned(), id: id.to_owned(), found, known }
    }

    #[test]
    fn an_answer_is_wrong_only_against_a_known_one_and_never_when_it_is_unknown() {
        let unknown = || Truth::Unknown("time".to_owned());
        let contest = Contest {
            instance: "net".to_owned(),
            answers: vec![
                answer("a", Truth::Answer(true), Some(Truth::Answer(true))),
                answer("b", Truth::Answer(true), Some(Truth::Answer(false))),
                answer("c", unknown(), Some(Truth::Answer(false))),
                answer("d", Truth::Answer(false), None),
                answer("e", Truth::Answer(false), Some(unknown())),
                answer("f", Truth::Number(3), Some(Truth::Number(4))),
            ],
            ..Contest::default()
        };
        let wrong = contest.wrong();
        assert_eq!(wrong, ["net b: TRUE where FALSE is known", "net f: 3 where 4 is known"]);
        assert_eq!(contest.n_unknown(), 1);
        assert!(contest_lines(&contest).contains("FORMULA c CANNOT_COMPUTE TECHNIQUES EXPLICIT\n"));
        assert!(contest_table(&[contest]).ends_with("1 net, 5 of 6 answered, 2 wrong answers\n"));
    }

    #[test]
    fn a_graph_of_another_size_is_wrong() {
        let space = StateSpace { states: 5, transitions: 8, most_in_place: 1, most_in_marking: 2 };
        let known = StateSpace { transitions: 9, ..space };
        let mut contest = Contest { space: Some(space), known_space: Some(space), ..Contest::default() };
        assert!(contest.wrong().is_empty());
        contest.known_space = Some(known);
        assert_eq!(contest.wrong().len(), 1);
    }
}
