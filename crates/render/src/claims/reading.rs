//! A claim explained: in words, in symbols, how it is answered, and two runs that show what it says.

use motet_property::{Kind, Unit};

use crate::typesetting::duration::duration;
use crate::typesetting::page::{Tone, View, pad, plain, wrap};

/// What can be said of a claim without checking it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Its name.
    pub name: String,
    /// What is asked.
    pub kind: Kind,
    /// Its author's words.
    pub words: Option<String>,
    /// As it was written.
    pub text: String,
    /// As an English sentence.
    pub english: String,
    /// With all parentheses.
    pub formula: String,
    /// The logic it lies in.
    pub logic: &'static str,
    /// How it is answered.
    pub answered: String,
    /// Which strategies its numbers are over, if it has any and somebody chooses.
    pub over: Option<String>,
    /// What shows it.
    pub shown: Sketch,
}

/// What shows a claim.
#[derive(Clone, Debug)]
pub enum Sketch {
    /// Two runs.
    Runs(Box<ExampleRuns>),
    /// Two systems of few states.
    Systems(Box<ExampleSystems>),
    /// What would satisfy it and what would violate it, in words.
    Situations(Vec<String>, Vec<String>),
    /// Nothing, for this reason.
    Nothing(&'static str),
}

/// Two runs as tables.
#[derive(Clone, Debug)]
pub struct ExampleRuns {
    /// What the columns are about.
    pub columns: Vec<String>,
    /// How long each row lasts, where bounds matter.
    pub tick: Option<(u64, Unit)>,
    /// `None` if no run satisfies the claim.
    pub satisfied: Option<ExampleRun>,
    /// `None` if every run satisfies it.
    pub violated: Option<ExampleRun>,
    /// Remark on what the runs stand for.
    pub remark: Option<&'static str>,
}

/// A run that goes on at row `back` after its last row.
#[derive(Clone, Debug)]
pub struct ExampleRun {
    /// Per row, per column.
    pub rows: Vec<Vec<bool>>,
    /// Where it goes on.
    pub back: usize,
}

/// Two systems of few states.
#[derive(Clone, Debug)]
pub struct ExampleSystems {
    /// What the columns are about.
    pub columns: Vec<String>,
    /// `None` if no small system satisfies the claim.
    pub satisfied: Option<ExampleSystem>,
    /// `None` if no small system violates it.
    pub violated: Option<ExampleSystem>,
}

/// A system of few states; it starts in the first.
#[derive(Clone, Debug)]
pub struct ExampleSystem {
    /// Per state, per column.
    pub rows: Vec<Vec<bool>>,
    /// Per state, where it may go.
    pub next: Vec<Vec<usize>>,
}

impl Reading {
    /// For a terminal.
    #[must_use]
    pub fn text(&self, view: &View) -> String {
        let mut page = format!("{}\n", view.paint(Tone::Strong, &plain(&self.name)));
        let mut block = |title: &str, text: &str| {
            for (i, line) in wrap(&plain(text), view.width.saturating_sub(12)).iter().enumerate() {
                page.push_str(&format!("  {} {line}\n", pad(if i == 0 { title } else { "" }, 9)));
            }
        };
        if let Some(words) = &self.words {
            block("words", words);
        }
        block("English", &self.english);
        block("written", &self.text);
        block("formula", &self.formula);
        block("logic", self.logic);
        block("answered", &self.answered);
        if let Some(over) = &self.over {
            block("numbers", &format!("over {over}, where somebody chooses"));
        }
        match &self.shown {
            Sketch::Runs(runs) => page.push_str(&runs.text(view)),
            Sketch::Systems(systems) => page.push_str(&systems.text(view)),
            Sketch::Situations(satisfied, violated) => {
                for (title, lines) in [("satisfied if", satisfied), ("violated if", violated)] {
                    page.push_str(&format!("\n  {title}\n"));
                    for line in lines.iter().flat_map(|line| wrap(&plain(line), view.width.saturating_sub(4)))
                    {
                        page.push_str(&format!("    {line}\n"));
                    }
                }
            }
            Sketch::Nothing(why) => {
                page.push('\n');
                for line in wrap(&format!("no example runs: {why}"), view.width.saturating_sub(2)) {
                    page.push_str(&format!("  {line}\n"));
                }
            }
        }
        view.finish(page)
    }
}

/// The heads of the columns: what they are about where that is short, else letters that are explained below.
struct Heads {
    heads: Vec<String>,
    legend: Vec<(String, String)>,
}

impl Heads {
    fn new(columns: &[String], room: usize) -> Self {
        let width: usize = columns.iter().map(|column| column.chars().count() + 2).sum();
        if width <= room && columns.iter().all(|column| column.chars().count() <= 24) {
            return Self { heads: columns.iter().map(|column| plain(column)).collect(), legend: Vec::new() };
        }
        let letter = |number: usize| match u8::try_from(number) {
            Ok(number) if number < 26 => char::from(b'a' + number).to_string(),
            _ => format!("c{number}"),
        };
        let heads: Vec<String> = (0..columns.len()).map(letter).collect();
        let legend = heads.iter().cloned().zip(columns.iter().map(|column| plain(column))).collect();
        Self { heads, legend }
    }

    fn legend(&self, view: &View) -> String {
        let mut page = String::new();
        for (letter, column) in &self.legend {
            for (i, line) in wrap(column, view.width.saturating_sub(8)).iter().enumerate() {
                page.push_str(&format!("    {} {line}\n", pad(if i == 0 { letter } else { "" }, 3)));
            }
        }
        page
    }

    /// The cells of a row, with their marks under the middle of their heads.
    fn cells(&self, row: &[bool], view: &View) -> String {
        let cell = |(head, truth): (&String, &bool)| {
            let width = head.chars().count();
            let mark = if *truth { view.paint(Tone::Good, "✓") } else { view.paint(Tone::Quiet, "✗") };
            let before = width.saturating_sub(1) / 2;
            format!("{}{mark}{}", " ".repeat(before), " ".repeat(width.saturating_sub(before + 1)))
        };
        self.heads.iter().zip(row).map(cell).collect::<Vec<_>>().join("  ")
    }

    fn line(&self) -> String {
        self.heads.join("  ")
    }
}

impl ExampleRuns {
    fn text(&self, view: &View) -> String {
        let heads = Heads::new(&self.columns, view.width.saturating_sub(30));
        let mut page = String::new();
        match &self.satisfied {
            Some(word) => {
                page.push_str("\n  a run that satisfies it\n");
                page.push_str(&self.table(word, &heads, view));
            }
            None => page.push_str("\n  no run satisfies it: it contradicts itself\n"),
        }
        match &self.violated {
            Some(word) => {
                page.push_str("\n  a run that violates it\n");
                page.push_str(&self.table(word, &heads, view));
            }
            None => page.push_str("\n  no run violates it: it says nothing\n"),
        }
        if !heads.legend.is_empty() {
            page.push('\n');
            page.push_str(&heads.legend(view));
        }
        if let Some(remark) = self.remark {
            page.push_str(&format!("\n  {remark}\n"));
        }
        page
    }

    fn table(&self, word: &ExampleRun, heads: &Heads, view: &View) -> String {
        let when: Vec<String> = (0..word.rows.len()).map(|row| self.when(row)).collect();
        let title = if self.is_timed() { "time" } else { "step" };
        let width = when.iter().map(|when| when.chars().count()).max().unwrap_or(0).max(title.len());
        let mut page = format!("    {}\n", format!("{}  {}", pad(title, width), heads.line()).trim_end());
        for (number, row) in word.rows.iter().enumerate() {
            let cells = heads.cells(row, view);
            let mark = loop_mark(word, number);
            let line = format!("    {}  {cells}  {mark}", pad(&when[number], width));
            page.push_str(line.trim_end());
            page.push('\n');
        }
        page
    }

    fn is_timed(&self) -> bool {
        self.tick.is_some_and(|(_, unit)| unit != Unit::Steps)
    }

    /// When a row begins.
    pub(crate) fn when(&self, row: usize) -> String {
        let row = u64::try_from(row).unwrap_or(u64::MAX);
        let Some((length, unit)) = self.tick else { return row.to_string() };
        let at = row.saturating_mul(length);
        match unit {
            Unit::Steps => at.to_string(),
            Unit::Clock if at == 0 => "0".to_owned(),
            Unit::Clock => duration(at, motet_model::TimeUnit::Milliseconds),
            Unit::Cycles => duration(at, motet_model::TimeUnit::Cycles),
            Unit::Firings => duration(at, motet_model::TimeUnit::Firings),
        }
    }
}

/// What stands behind a row of the loop.
fn loop_mark(word: &ExampleRun, row: usize) -> &'static str {
    let last = word.rows.len() - 1;
    match (row == word.back, row == last) {
        (true, true) => "◀ for ever",
        (true, false) => "◀─┐",
        (false, true) => "──┘ again and again",
        (false, false) if row > word.back => "  │",
        _ => "",
    }
}

impl ExampleSystems {
    fn text(&self, view: &View) -> String {
        let heads = Heads::new(&self.columns, view.width.saturating_sub(30));
        let mut page = String::new();
        let sides = [(&self.satisfied, "satisfies"), (&self.violated, "violates")];
        for (system, verb) in sides {
            match system {
                Some(system) => {
                    page.push_str(&format!("\n  a system that {verb} it\n"));
                    page.push_str(&system.table(&heads, view));
                }
                None => page.push_str(&format!("\n  no system of a few states {verb} it\n")),
            }
        }
        if !heads.legend.is_empty() {
            page.push('\n');
            page.push_str(&heads.legend(view));
        }
        page
    }
}

impl ExampleSystem {
    /// The states as a tree: under each state those it may go to, and a state that was shown before by its number alone.
    fn table(&self, heads: &Heads, view: &View) -> String {
        let mut page = format!("    {}\n", format!("{}  {}", pad("state", 9), heads.line()).trim_end());
        let mut shown = vec![false; self.rows.len()];
        let mut waiting = vec![(0, 0)];
        while let Some((state, depth)) = waiting.pop() {
            let name = format!("{}{}{state}", "  ".repeat(depth), if depth == 0 { "" } else { "└ " });
            if shown[state] {
                page.push_str(&format!("    {name} as above\n"));
                continue;
            }
            shown[state] = true;
            page.push_str(
                format!("    {}  {}", pad(&name, 9), heads.cells(&self.rows[state], view)).trim_end(),
            );
            let stays = self.next[state] == [state];
            page.push_str(if stays { "  ◀ for ever\n" } else { "\n" });
            if !stays {
                waiting.extend(self.next[state].iter().rev().map(|next| (*next, depth + 1)));
            }
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typesetting::page::Letters;

    fn reading(shown: Sketch) -> Reading {
        Reading {
            name: "Help".to_owned(),
            kind: Kind::Property,
            words: None,
            text: "G (a -> F<=4min b)".to_owned(),
            english: "always, if a, then within 4 min, b".to_owned(),
            formula: "G ((a) -> (F<=4 min (b)))".to_owned(),
            logic: "linear time with bounds",
            answered: "by looking at all runs".to_owned(),
            over: None,
            shown,
        }
    }

    fn word(rows: &[[bool; 2]], back: usize) -> Option<ExampleRun> {
        Some(ExampleRun { rows: rows.iter().map(|row| row.to_vec()).collect(), back })
    }

    #[test]
    fn runs_are_tables_with_times_and_loops() {
        let runs = ExampleRuns {
            columns: vec!["a".to_owned(), "helped".to_owned()],
            tick: Some((240_000, Unit::Clock)),
            satisfied: word(&[[true, false], [false, true]], 0),
            violated: word(&[[true, false]], 0),
            remark: None,
        };
        let text = reading(Sketch::Runs(Box::new(runs))).text(&View::default());
        assert!(text.contains("    time   a  helped\n    0      ✓    ✗     ◀─┐\n"), "{text}");
        assert!(text.contains("    4 min  ✗    ✓     ──┘ again and again\n"), "{text}");
        assert!(text.contains("    0     ✓    ✗     ◀ for ever\n"), "{text}");
    }

    #[test]
    fn long_atoms_get_letters() {
        let long = "House believes House.fireAlarm = true".to_owned();
        let runs = ExampleRuns {
            columns: vec![long.clone()],
            tick: None,
            satisfied: None,
            violated: None,
            remark: None,
        };
        let text = reading(Sketch::Runs(Box::new(runs))).text(&View::default());
        assert!(
            text.contains(&format!("    a   {long}\n")) && text.contains("it contradicts itself"),
            "{text}"
        );
    }

    #[test]
    fn nothing_but_ascii_is_left_when_asked() {
        let systems = ExampleSystems {
            columns: vec!["p".to_owned()],
            satisfied: Some(ExampleSystem {
                rows: vec![vec![false], vec![true]],
                next: vec![vec![0, 1], vec![1]],
            }),
            violated: None,
        };
        let view = View { letters: Letters::Ascii, ..View::default() };
        let text = reading(Sketch::Systems(Box::new(systems))).text(&view);
        assert!(text.is_ascii() && text.contains("  + 0 as above\n"), "{text}");
    }
}
