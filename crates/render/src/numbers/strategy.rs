//! Strategies as tables: situation, memory, choice. They are written by `check --strategy` and played by `sim --strategy`,
//! which knows a situation by its words.

use std::collections::BTreeMap;

use motet_evidence::{Memory, Strategy};
use motet_model::{Model, State, Words};

use crate::numbers::chance::{offers, situation};

/// The words for what a decision depends on beside the situation, each followed by what it is at the start.
const HEADS: [(Memory, &str); 3] = [
    (Memory::StepsLeft, "steps left of "),
    (Memory::TimeLeft, "time left of "),
    (Memory::Progress, "progress from "),
];
/// The last column, where the progress is remembered: what it is after the situation.
const NEXT: &str = "next";

/// The strategy in the form of RFC 4180, a row per decision. The head of the second column says what the memory is, and what
/// it is at the start. Where that is the progress of a formula, a row also says how it goes on, and there are rows that
/// decide nothing.
#[must_use]
pub fn strategy_csv(strategy: &Strategy, model: &dyn Model, words: &dyn Words) -> String {
    let head = HEADS.iter().find(|(memory, _)| *memory == strategy.memory);
    let memory = head.map_or("memory".to_string(), |(_, head)| format!("{head}{}", strategy.start));
    let mut page = format!("situation,{memory},choice,ordinal");
    let tracked = strategy.memory == Memory::Progress;
    page.push_str(if tracked { ",next\r\n" } else { "\r\n" });
    let mut row = |state: &State, memory: u64, choice: String, ordinal: String, next: u64| {
        let fields = [situation(words, state), memory.to_string(), choice, ordinal, next.to_string()];
        let shown = if tracked { &fields[..] } else { &fields[..4] };
        page.push_str(&shown.iter().map(|field| csv_field(field)).collect::<Vec<_>>().join(","));
        page.push_str("\r\n");
    };
    let mut turns: BTreeMap<(&State, u64), u64> =
        strategy.turns.iter().map(|turn| ((&*turn.state, turn.memory), turn.next)).collect();
    for decision in &strategy.decisions {
        let offered = offers(model, words, &decision.state);
        let choice = offered.get(decision.ordinal as usize).cloned().unwrap_or_default();
        let next = turns.remove(&(&*decision.state, decision.memory)).unwrap_or(decision.memory);
        row(&decision.state, decision.memory, choice, decision.ordinal.to_string(), next);
    }
    for turn in strategy.turns.iter().filter(|turn| turns.contains_key(&(&*turn.state, turn.memory))) {
        row(&turn.state, turn.memory, String::new(), String::new(), turn.next);
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyTable {
    /// What a decision depends on beside the situation.
    pub memory: Memory,
    /// What is remembered at the start.
    pub start: u64,
    /// Situation, memory, ordinal of the step.
    pub decisions: Vec<(String, u64, u32)>,
    /// Situation, memory, what is remembered after it.
    pub turns: Vec<(String, u64, u64)>,
}

/// Reads a strategy.
///
/// # Errors
/// What is wrong with it, for the command line.
pub fn read_strategy(text: &str) -> Result<StrategyTable, String> {
    let mut rows = csv_rows(text).into_iter();
    let head = rows.next().unwrap_or_default();
    let (memory, start) = remembered(&head)?;
    let tracked = memory == Memory::Progress;
    let mut table = StrategyTable { memory, start, decisions: Vec::new(), turns: Vec::new() };
    for (number, row) in rows.enumerate().filter(|(_, row)| row.iter().any(|field| !field.is_empty())) {
        let line = number + 2;
        let (situation, memory, ordinal, next) = match row.as_slice() {
            [situation, memory, _, ordinal] if !tracked => (situation, memory, ordinal, None),
            [situation, memory, _, ordinal, next] if tracked => (situation, memory, ordinal, Some(next)),
            _ => {
                return Err(format!(
                    "line {line} does not have {} fields",
                    if tracked { "five" } else { "four" }
                ));
            }
        };
        let memory = number_in(memory, line)?;
        if next.is_none() || !ordinal.trim().is_empty() {
            table.decisions.push((situation.clone(), memory, number_in(ordinal, line)?));
        }
        if let Some(next) = next {
            table.turns.push((situation.clone(), memory, number_in(next, line)?));
        }
    }
    Ok(table)
}

/// What the head of a table says about the memory.
fn remembered(head: &[String]) -> Result<(Memory, u64), String> {
    let columns: Vec<&str> = head.iter().map(String::as_str).collect();
    let (["situation", memory, "choice", "ordinal"] | ["situation", memory, "choice", "ordinal", NEXT]) =
        columns.as_slice()
    else {
        return Err(
            "the first line of a strategy names its columns: situation,memory,choice,ordinal".to_string()
        );
    };
    let start = |words: &str| memory.strip_prefix(words)?.trim().parse().ok();
    let found = match *memory {
        "memory" => Some((Memory::None, 0)),
        _ => HEADS.iter().find_map(|(kind, words)| Some((*kind, start(words)?))),
    };
    let (kind, start) = found.ok_or_else(|| {
        let heads: Vec<String> = HEADS.iter().map(|(_, words)| format!("`{words}4`")).collect();
        format!("the head of the second column is `memory` or says what is remembered: {}", heads.join(", "))
    })?;
    if (kind == Memory::Progress) != (columns.len() == 5) {
        return Err(no_next());
    }
    Ok((kind, start))
}

fn no_next() -> String {
    format!("a column `{NEXT}` says how the progress goes on: `progress` needs it, and nothing else has one")
}

fn number_in<N: std::str::FromStr>(text: &str, line: usize) -> Result<N, String> {
    text.trim().parse().map_err(|_| format!("line {line}: `{text}` is no number"))
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
        assert_eq!((table.memory, table.start), (Memory::StepsLeft, 9));
        assert_eq!(table.decisions, [("a=1, b=\"x\"".to_string(), 7, 2)]);
    }

    #[test]
    fn a_row_without_a_choice_says_how_the_progress_goes_on() {
        let text = "situation,progress from 3,choice,ordinal,next\r\nx=0,3,go,1,3\r\nx=1,3,,,0\r\n";
        let table = read_strategy(text).unwrap();
        assert_eq!((table.memory, table.start), (Memory::Progress, 3));
        assert_eq!(table.decisions, [("x=0".to_string(), 3, 1)]);
        assert_eq!(table.turns, [("x=0".to_string(), 3, 3), ("x=1".to_string(), 3, 0)]);
    }

    #[test]
    fn what_is_no_strategy_is_refused_with_a_reason() {
        for (text, part) in [
            ("", "columns"),
            ("a,b,c,d\n", "first line"),
            ("situation,steps left,choice,ordinal\n", "`steps left of 4`"),
            ("situation,progress,choice,ordinal\n", "`progress from 4`"),
            ("situation,progress from 0,choice,ordinal\n", "column `next`"),
            ("situation,memory,choice,ordinal,next\n", "column `next`"),
            ("situation,progress from 0,choice,ordinal,next\nx,0,go,0\n", "five fields"),
            ("situation,progress from 0,choice,ordinal,next\nx,0,,,far\n", "line 2"),
            ("situation,memory,choice,ordinal\nx,0,go,one\n", "line 2"),
            ("situation,memory,choice,ordinal\nx,0,go,\n", "line 2"),
            ("situation,memory,choice,ordinal\nx\n", "four fields"),
        ] {
            assert!(read_strategy(text).unwrap_err().contains(part), "{text}");
        }
    }
}
