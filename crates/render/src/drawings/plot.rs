//! Curves with block characters, for terminals.

use crate::numbers::value::value_text;
use crate::typesetting::number::grouped;
use crate::typesetting::page::{View, pad, pad_left};

/// Lines of a plot.
const ROWS: usize = 9;
/// Columns at most.
const COLUMNS: usize = 72;
/// Heights within a line.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// A curve: points from left to right.
pub(crate) struct Curve<'a> {
    /// Where, and what value.
    pub(crate) points: Vec<(f64, f64)>,
    /// The name of the horizontal axis.
    pub(crate) axis: &'a str,
}

/// The range that shows the values well: from 0 unless all of them are far from it, and up to 1 for chances.
pub(crate) fn range(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    let least = finite.clone().fold(f64::INFINITY, f64::min);
    let most = finite.fold(f64::NEG_INFINITY, f64::max);
    if !least.is_finite() || !most.is_finite() {
        return (0.0, 1.0);
    }
    let low = if least >= 0.0 && least <= most / 2.0 { 0.0 } else { least };
    let high = if (0.5..=1.0).contains(&most) && low == 0.0 { 1.0 } else { most };
    if high > low { (low, high) } else { (low - 0.5 * low.abs().max(1.0), high + 0.5 * high.abs().max(1.0)) }
}

/// The curve, its axes and their marks.
pub(crate) fn plot(curve: &Curve<'_>, view: &View) -> String {
    let finite: Vec<(f64, f64)> = curve.points.iter().copied().filter(|(_, y)| y.is_finite()).collect();
    let (Some(first), Some(last)) = (finite.first(), finite.last()) else { return String::new() };
    let (low, high) = range(finite.iter().map(|(_, y)| *y));
    let labels = labels(low, high);
    let margin = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let columns = view.width.saturating_sub(margin + 6).clamp(20, COLUMNS);
    let mut grid = vec![vec![' '; columns]; ROWS];
    for (column, cells) in (0..columns).map(|column| (column, at(column, columns, first.0, last.0))) {
        let level = height(&finite, cells, low, high);
        grid[level / BLOCKS.len()][column] = BLOCKS[level % BLOCKS.len()];
    }
    let mut page = String::new();
    for (row, cells) in grid.iter().enumerate().rev() {
        let label = if row % 2 == 0 { labels[row + 1].as_str() } else { "" };
        let line: String = cells.iter().collect();
        page.push_str(format!("  {} ┤{line}", pad_left(label, margin)).trim_end());
        page.push('\n');
    }
    page.push_str(&axis(curve, (first.0, last.0), &labels[0], margin, columns));
    page
}

/// What the lines stand for, from the bottom: the lower end, then the upper edge of each line.
fn labels(low: f64, high: f64) -> Vec<String> {
    let places = if high - low >= 100.0 { 0 } else { 2 };
    let edge = |row: usize| {
        #[expect(clippy::cast_precision_loss, reason = "a plot has few lines")]
        let value = low + (high - low) * row as f64 / ROWS as f64;
        let decimal = format!("{value:.places$}");
        // Two places say nothing of a small range.
        if high - low < 0.05 { value_text(value, value) } else { decimal }
    };
    (0..=ROWS).map(edge).collect()
}

/// Where a column stands on the horizontal axis.
#[expect(clippy::cast_precision_loss, reason = "a plot has few columns")]
fn at(column: usize, columns: usize, first: f64, last: f64) -> f64 {
    first + (last - first) * column as f64 / (columns - 1).max(1) as f64
}

/// How high the curve is there, in eighths of a line; between points it is straight.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a plot has few lines"
)]
fn height(points: &[(f64, f64)], at: f64, low: f64, high: f64) -> usize {
    let after = points.partition_point(|(x, _)| *x < at).min(points.len() - 1);
    let (right, left) = (points[after], points[after.saturating_sub(1)]);
    let share = if right.0 > left.0 { ((at - left.0) / (right.0 - left.0)).clamp(0.0, 1.0) } else { 1.0 };
    let value = left.1 + (right.1 - left.1) * share;
    let levels = ROWS * BLOCKS.len();
    let level = (value - low) / (high - low) * (levels as f64 - 1.0);
    (level.round().max(0.0) as usize).min(levels - 1)
}

fn axis(curve: &Curve<'_>, ends: (f64, f64), zero: &str, margin: usize, columns: usize) -> String {
    let mut line = vec!['─'; columns];
    let mut marks = String::new();
    for value in ticks(ends.0, ends.1) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a plot has few columns"
        )]
        let column = ((value - ends.0) / (ends.1 - ends.0).max(f64::MIN_POSITIVE) * (columns - 1) as f64)
            .round() as usize;
        let room = column.saturating_sub(marks.chars().count());
        if (room == 0 && !marks.is_empty()) || column >= columns {
            continue;
        }
        if column > 0 {
            line[column] = '┬';
        }
        marks.push_str(&" ".repeat(room));
        marks.push_str(&short(value));
    }
    let line: String = line.into_iter().collect();
    let name = curve.axis;
    format!("  {} └{line}\n  {} {marks}   {name}\n", pad_left(zero, margin), pad("", margin + 1))
}

/// Round numbers from one end to the other: steps of 1, 2 or 5 times a power of ten.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a handful of marks")]
fn ticks(first: f64, last: f64) -> Vec<f64> {
    let span = last - first;
    if span <= 0.0 {
        return vec![first];
    }
    let power = 10_f64.powf((span / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].iter().map(|factor| factor * power).find(|step| span / step <= 5.0);
    let step = step.unwrap_or(span);
    let start = (first / step).ceil();
    let count = ((last / step + 1e-9).floor() - start).max(0.0) as u32;
    (0..=count).map(|number| (start + f64::from(number)) * step).collect()
}

/// A mark of the horizontal axis.
fn short(value: f64) -> String {
    if value.fract().abs() < 1e-9 && value.abs() < 1e6 {
        #[expect(clippy::cast_possible_truncation, reason = "small and whole")]
        return format!("{}", value.round() as i64);
    }
    if value.abs() >= 1e6 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "for marks only")]
        return grouped(value.abs() as u64);
    }
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_line_climbs_from_the_lower_left_to_the_upper_right() {
        let points = (0..=10).map(|x| (f64::from(x), f64::from(x) / 10.0)).collect();
        let page = plot(&Curve { points, axis: "N" }, &View { width: 60, ..View::default() });
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(lines.len(), ROWS + 2);
        assert!(lines[0].starts_with("  1.00 ┤") && lines[0].ends_with('█'), "{page}");
        assert!(lines[ROWS - 1].starts_with("  0.11 ┤▁"), "{page}");
        assert!(
            lines[ROWS + 1].trim_start().starts_with("0 ") && lines[ROWS + 1].ends_with("10   N"),
            "{page}"
        );
    }

    #[test]
    fn chances_are_drawn_up_to_one_and_equal_values_in_the_middle() {
        assert_eq!(range([0.1, 0.7].into_iter()), (0.0, 1.0));
        assert_eq!(range([2.0, 8.0].into_iter()), (0.0, 8.0));
        assert_eq!(range([7.0, 8.0].into_iter()), (7.0, 8.0));
        let (low, high) = range([3.0, 3.0].into_iter());
        assert!(low < 3.0 && high > 3.0);
        assert_eq!(range([f64::INFINITY].into_iter()), (0.0, 1.0));
    }
}
