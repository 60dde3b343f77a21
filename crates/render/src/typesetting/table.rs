//! Tables as text and for programs.

use serde::Serialize;

use crate::typesetting::page::pad;

/// Several tables, one after the other.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Tables(pub Vec<Table>);

/// Rows under a head.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Table {
    /// What it is about.
    pub title: String,
    /// The names of the columns.
    pub head: Vec<String>,
    /// As many cells as columns in each.
    pub rows: Vec<Vec<String>>,
}

impl Tables {
    /// For a terminal. Tables without rows are left out.
    #[must_use]
    pub fn text(&self) -> String {
        let shown: Vec<String> =
            self.0.iter().filter(|table| !table.rows.is_empty()).map(Table::text).collect();
        if shown.is_empty() { "nothing to show\n".to_owned() } else { shown.join("\n") }
    }

    /// For programs.
    #[must_use]
    pub fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("tables of texts are JSON");
        format!("{text}\n")
    }
}

impl Table {
    fn text(&self) -> String {
        let lines = std::iter::once(&self.head).chain(&self.rows);
        let width = |column: usize| {
            let cells = lines.clone().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut text = format!("{}\n", self.title);
        for row in lines {
            let cells = row.iter().zip(&widths).map(|(cell, &width)| pad(cell, width));
            let line = cells.collect::<Vec<_>>().join("   ");
            text.push_str(&format!("  {}\n", line.trim_end()));
        }
        text
    }
}
