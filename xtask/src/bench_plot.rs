//! A small drawing of growth: numbers from left to right, their logarithms upwards.

use std::fmt::Write as _;

/// Across and upwards.
type Point = (f64, f64);

/// A line of the drawing.
pub(crate) struct Curve {
    pub(crate) name: String,
    /// From left to right.
    pub(crate) points: Vec<Point>,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 320.0;
/// Room for the words at the axes.
const MARGIN: f64 = 60.0;
const COLOURS: [&str; 4] = ["#1b6ca8", "#b5482a", "#3b7d3b", "#7a4a9c"];

/// Of ten; what is next to nothing is a thousandth.
fn power(value: f64) -> f64 {
    value.max(1e-3).log10()
}

/// Draws curves with a logarithmic scale upwards.
pub(crate) fn plot(across: &str, upwards: &str, curves: &[Curve]) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let most_across = points().map(|point| point.0).fold(1.0, f64::max);
    let highest = points().map(|point| power(point.1).ceil()).fold(1.0, f64::max);
    let lowest = points().map(|point| power(point.1).floor()).fold(0.0, f64::min);
    let decades = highest - lowest;
    let left = |value: f64| MARGIN + value / most_across * (WIDTH - 2.0 * MARGIN);
    let top = |value: f64| HEIGHT - MARGIN - (power(value) - lowest) / decades * (HEIGHT - 2.0 * MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{upwards} by {across}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
    );
    let mut mark = lowest;
    while mark <= highest {
        let y = top(10_f64.powf(mark));
        let _ = writeln!(
            text,
            "<line x1=\"{MARGIN}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">1e{mark}</text>",
            WIDTH - MARGIN,
            MARGIN - 6.0,
            y + 4.0
        );
        mark += 1.0;
    }
    let mut marks: Vec<f64> = points().map(|point| point.0).collect();
    marks.sort_by(f64::total_cmp);
    marks.dedup();
    for mark in marks {
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{mark}</text>",
            left(mark),
            HEIGHT - MARGIN + 18.0
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{across}</text><text x=\"{MARGIN}\" y=\"20\">{upwards}</text>",
        WIDTH / 2.0,
        HEIGHT - 16.0
    );
    for (number, curve) in curves.iter().enumerate() {
        text += &line(curve, COLOURS[number % COLOURS.len()], |&(x, y)| (left(x), top(y)));
    }
    text + "</svg>\n"
}

fn line(curve: &Curve, colour: &str, place: impl Fn(&Point) -> Point) -> String {
    let places: Vec<Point> = curve.points.iter().map(place).collect();
    let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let mut text = format!("<polyline fill=\"none\" stroke=\"{colour}\" points=\"{}\"/>\n", path.join(" "));
    for (x, y) in &places {
        let _ = writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
    }
    if let Some((x, y)) = places.last() {
        let (x, y) = (x - 6.0, y - 10.0);
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"{colour}\">{}</text>",
            curve.name
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_times_as_much_is_one_line_higher() {
        let points = vec![(1.0, 10.0), (2.0, 100.0)];
        let text = plot("patients", "states", &[Curve { name: "any order".to_owned(), points }]);
        // Two decades on 200 units of height, from 260 upwards.
        assert!(text.contains("points=\"280.0,160.0 500.0,60.0\""), "{text}");
        assert!(text.contains("any order") && text.ends_with("</svg>\n"));
    }

    #[test]
    fn less_than_one_is_drawn_below_one() {
        let points = vec![(1.0, 0.1), (2.0, 10.0)];
        let text = plot("patients", "seconds", &[Curve { name: "a".to_owned(), points }]);
        assert!(text.contains("points=\"280.0,260.0 500.0,60.0\"") && text.contains(">1e-1<"), "{text}");
    }

    #[test]
    fn nothing_to_draw_is_drawn_too() {
        assert!(plot("a", "b", &[Curve { name: "c".to_owned(), points: Vec::new() }]).contains("<polyline"));
    }
}
