//! Curves of a sweep as a picture that scales.

use crate::drawings::plot::range;
use crate::numbers::value::value_text;
use crate::typesetting::page::{marked_up, plain};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 56.0;
/// Colours that people with colour blindness tell apart (Okabe and Ito 2008).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// A named curve with its interval at every point.
pub(crate) struct Line {
    pub(crate) name: String,
    /// Where, not less, not more.
    pub(crate) points: Vec<Point>,
}

/// A point of a curve: where, not less, not more.
pub(crate) type Point = (f64, f64, f64);

/// The picture of some curves over one axis.
pub(crate) fn svg(title: &str, axis: &str, lines: &[Line]) -> String {
    let finite = |line: &Line| -> Vec<Point> {
        line.points.iter().copied().filter(|(_, low, high)| low.is_finite() && high.is_finite()).collect()
    };
    let lines: Vec<(&str, Vec<Point>)> =
        lines.iter().map(|line| (line.name.as_str(), finite(line))).collect();
    let all: Vec<Point> = lines.iter().flat_map(|(_, points)| points.iter().copied()).collect();
    let (low, high) = range(all.iter().flat_map(|(_, low, high)| [*low, *high]));
    let left = all.iter().map(|(x, ..)| *x).fold(f64::INFINITY, f64::min);
    let right = all.iter().map(|(x, ..)| *x).fold(f64::NEG_INFINITY, f64::max);
    let (left, right) = match (left, right) {
        (left, right) if right > left => (left, right),
        (left, _) if left.is_finite() => (left - 1.0, left + 1.0),
        _ => (0.0, 1.0),
    };
    let frame = Frame { left, right, low, high };
    let mut page = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n<text x=\"{LEFT}\" y=\"22\" \
         font-size=\"15\">{}</text>\n",
        escaped(title)
    );
    page.push_str(&frame.axes(axis));
    for (number, (name, points)) in lines.iter().enumerate() {
        page.push_str(&frame.curve(name, points, number, lines.len()));
    }
    page.push_str("</svg>\n");
    page
}

/// Where values are on the picture.
struct Frame {
    left: f64,
    right: f64,
    low: f64,
    high: f64,
}

impl Frame {
    fn x(&self, value: f64) -> f64 {
        LEFT + (value - self.left) / (self.right - self.left) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - (value - self.low) / (self.high - self.low) * (HEIGHT - TOP - BOTTOM)
    }

    fn axes(&self, axis: &str) -> String {
        let mut page = String::new();
        for mark in 0..=5 {
            let share = f64::from(mark) / 5.0;
            let value = self.low + (self.high - self.low) * share;
            let y = self.y(value);
            page.push_str(&format!(
                "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/>\n<text x=\"{}\" \
                 y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                WIDTH - RIGHT,
                LEFT - 8.0,
                y + 4.0,
                value_text(value, value)
            ));
            let value = self.left + (self.right - self.left) * share;
            let x = self.x(value);
            page.push_str(&format!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
                HEIGHT - BOTTOM + 20.0,
                value_text(value, value)
            ));
        }
        let (middle, bottom) = (LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 12.0);
        page.push_str(&format!(
            "<path d=\"M{LEFT} {TOP}V{}H{}\" fill=\"none\" stroke=\"#444444\"/>\n<text x=\"{middle:.1}\" y=\"{bottom}\" \
             text-anchor=\"middle\">{}</text>\n",
            HEIGHT - BOTTOM,
            WIDTH - RIGHT,
            escaped(axis)
        ));
        page
    }

    /// The band of the certified interval, which is mostly too thin to see, and the line through its middle.
    fn curve(&self, name: &str, points: &[Point], number: usize, n_lines: usize) -> String {
        let colour = COLOURS[number % COLOURS.len()];
        let place = |(x, y): (f64, f64)| format!("{:.1},{:.1}", self.x(x), self.y(y));
        let middle: Vec<String> =
            points.iter().map(|(x, low, high)| place((*x, low + (high - low) / 2.0))).collect();
        let upper = points.iter().map(|(x, _, high)| place((*x, *high)));
        let lower = points.iter().rev().map(|(x, low, _)| place((*x, *low)));
        let band: Vec<String> = upper.chain(lower).collect();
        let mut page = format!(
            "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.2\"/>\n<polyline points=\"{}\" fill=\"none\" \
             stroke=\"{colour}\" stroke-width=\"2\"/>\n",
            band.join(" "),
            middle.join(" ")
        );
        if n_lines > 1 {
            #[expect(clippy::cast_precision_loss, reason = "a legend has few lines")]
            let y = TOP + 14.0 + 18.0 * number as f64;
            page.push_str(&format!(
                "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>\n<text \
                 x=\"{}\" y=\"{y:.1}\">{}</text>\n",
                LEFT + 12.0,
                LEFT + 36.0,
                y - 4.0,
                y - 4.0,
                LEFT + 42.0,
                escaped(name)
            ));
        }
        page
    }
}

fn escaped(text: &str) -> String {
    marked_up(&plain(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_holds_every_curve_and_no_markup_of_the_user() {
        let line =
            |name: &str| Line { name: name.to_string(), points: vec![(0.0, 0.1, 0.1), (5.0, 0.9, 0.9)] };
        let page = svg("P=? [ F<=N \"a\" & b ]", "N", &[line("K = 1"), line("<b>")]);
        assert_eq!(page.matches("<polyline").count(), 2);
        assert!(page.contains("F&lt;=N &quot;a&quot; &amp; b") && page.contains("&lt;b&gt;"));
        assert!(page.starts_with("<svg ") && page.ends_with("</svg>\n"));
        assert!(!page.contains("NaN") && !page.contains("inf"));
    }

    #[test]
    fn infinite_values_leave_a_picture_without_them() {
        let points = vec![(1.0, f64::INFINITY, f64::INFINITY)];
        let page = svg("R", "N", &[Line { name: "R".to_string(), points }]);
        assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
    }
}
