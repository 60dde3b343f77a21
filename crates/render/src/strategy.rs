//! Strategies as tables: situation, memory, choice. They are written by `check --strategy` and played by `sim --strategy`,
//! which knows a situation by its words.

use motet_evidence::{Memory, Strategy};
use motet_model::{Model, Words};

use crate::chance::{offers, situation};

/// The words for what a decision depends on beside the situation.
const PROGRESS: &str = "progress";
const STEPS_LEFT: &str = "steps left";

/// The strategy in the form of RFC 4180, a row per decision. The head of the second column says what the memory is; `bound`
/// is how many steps there are at the start.
#[must_use]
pub fn strategy_csv(strategy: &Strategy, bound: Option<u64>, model: &dyn Model, words: &dyn Words) -> String {
    let memory = match (strategy.memory, bound) {
        (Memory::None, _) => "memory".to_string(),
        (Memory::StepsLeft, Some(bound)) => format!("{STEPS_LEFT} of {bound}"),
        (Memory::StepsLeft, None) => STEPS_LEFT.to_string(),
        (Memory::Progress, _) => PROGRESS.to_string(),
    };
    let mut page = format!("situation,{memory},choice,ordinal\r\n");
    for decision in &strategy.decisions {
        let offered = offers(model, words, &decision.state);
        let choice = offered.get(decision.ordinal as usize).cloned().unwrap_or_default();
        let fields = [
            situation(words, &decision.state),
            decision.memory.to_string(),
            choice,
            decision.ordinal.to_string(),
        ];
        page.push_str(&fields.map(|field| csv_field(&field)).join(","));
        page.push_str("\r\n");
    }
    page
}

/// A field in quotes where it needs them.
pub(crate) fn csv_field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

/// A strategy as read back from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StrategyTable {
    /// How many steps are left at the start, where decisions depend on that.
    pub steps_left: Option<u64>,
    /// Situation, memory, ordinal of the step.
    pub decisions: Vec<(String, u64, u32)>,
}

/// Reads a strategy.
///
/// # Errors
/// What is wrong with it, for the command line.
pub fn read_strategy(text: &str) -> Result<StrategyTable, String> {
    let mut rows = csv_rows(text).into_iter();
    let head = rows.next().unwrap_or_default();
    let [situation, memory, choice, ordinal] = head.as_slice() else {
        return Err("a strategy has the columns situation, memory, choice and ordinal".to_string());
    };
    if (situation.as_str(), choice.as_str(), ordinal.as_str()) != ("situation", "choice", "ordinal") {
        return Err(
            "the first line of a strategy names its columns: situation,memory,choice,ordinal".to_string()
        );
    }
    if memory == PROGRESS {
        let why = "its decisions depend on how far a run has come with the formula, which a simulation does not know";
        return Err(format!("this strategy cannot be played: {why}"));
    }
    let steps_left =
        match memory.strip_prefix(STEPS_LEFT) {
            Some(rest) => {
                let bound = rest.trim().strip_prefix("of ").and_then(|bound| bound.trim().parse().ok());
                Some(bound.ok_or(
                    "the head of the second column does not say how many steps are left at the start",
                )?)
            }
            None => None,
        };
    let mut decisions = Vec::new();
    for (number, row) in rows.enumerate().filter(|(_, row)| row.iter().any(|field| !field.is_empty())) {
        let line = number + 2;
        let [situation, memory, _, ordinal] = row.as_slice() else {
            return Err(format!("line {line} does not have four fields"));
        };
        let whole =
            |text: &str| text.trim().parse().map_err(|_| format!("line {line}: `{text}` is no number"));
        decisions.push((
            situation.clone(),
            whole(memory)?,
            ordinal.trim().parse().map_err(|_| format!("line {line}: `{ordinal}` is no number"))?,
        ));
    }
    Ok(StrategyTable { steps_left, decisions })
}

/// The rows of a table in the form of RFC 4180; a quoted field may hold commas, quotes and line ends.
fn csv_rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                field.push('"');
                letters.next();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            _ => field.push(letter),
        }
    }
    if !field.is_empty() || !row.is_empty() {
        row.push(field);
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_reads_back_as_it_was_written() {
        let text = "situation,steps left of 9,choice,ordinal\r\n\"a=1, b=\"\"x\"\"\",7,go,2\r\n";
        let table = read_strategy(text).unwrap();
        assert_eq!(table.steps_left, Some(9));
        assert_eq!(table.decisions, [("a=1, b=\"x\"".to_string(), 7, 2)]);
    }

    #[test]
    fn what_cannot_be_played_is_refused_with_a_reason() {
        for (text, part) in [
            ("", "columns"),
            ("a,b,c,d\n", "first line"),
            ("situation,progress,choice,ordinal\n", "cannot be played"),
            ("situation,memory,choice,ordinal\nx,0,go,one\n", "line 2"),
            ("situation,memory,choice,ordinal\nx\n", "four fields"),
        ] {
            assert!(read_strategy(text).unwrap_err().contains(part), "{text}");
        }
    }
}
