//! Scatter plots as SVG, in the form of Štill and Barnat's: both axes are logarithmic, a line says where
//! both are equal, others where one is some times the other.

use std::fmt::Write;
use std::path::Path;

use crate::Result;

/// What a mark says about a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Neither mode finds anything: a green square.
    Fine,
    /// Both find an error: a blue circle.
    Wrong,
    /// Only the mode upwards does: a red triangle.
    OnlyUp,
}

pub struct Scatter<'p> {
    pub title: &'p str,
    pub across: &'p str,
    pub up: &'p str,
    /// Lines at so many times the equal value, with what is written beside them.
    pub bounds: &'p [(f64, &'p str)],
    pub points: Vec<(f64, f64, Mark)>,
}

const SIZE: f64 = 420.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 36.0;
const EDGE: f64 = 52.0;

impl Scatter<'_> {
    pub fn write(&self, file: &Path) -> Result<()> {
        std::fs::write(file, self.svg()).map_err(|why| format!("{}: {why}", file.display()))
    }

    /// The powers of ten around all values.
    fn decades(&self) -> (i32, i32) {
        let values = self.points.iter().flat_map(|&(x, y, _)| [x, y]);
        let logs: Vec<f64> = values.map(|value| value.max(1e-3).log10()).collect();
        let low = logs.iter().copied().fold(f64::INFINITY, f64::min).floor() as i32;
        let high = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil() as i32;
        if self.points.is_empty() { (0, 1) } else { (low, high.max(low + 1)) }
    }

    fn svg(&self) -> String {
        let (low, high) = self.decades();
        let side = SIZE - TOP - EDGE;
        let share = |value: f64| (value.max(1e-3).log10() - low as f64) / (high - low) as f64;
        let x = |value: f64| LEFT + share(value) * side;
        let y = |value: f64| TOP + (1.0 - share(value)) * side;
        let width = LEFT + side + 90.0;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {SIZE}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{width}\" height=\"{SIZE}\" fill=\"white\"/>\n\
             <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"#888888\"/>\n"
        );
        text(&mut out, (LEFT, 20.0), "start", self.title);
        for decade in low..=high {
            let value = 10f64.powi(decade);
            text(&mut out, (x(value), TOP + side + 16.0), "middle", &short(value));
            text(&mut out, (LEFT - 6.0, y(value) + 4.0), "end", &short(value));
        }
        text(&mut out, (LEFT + side / 2.0, SIZE - 12.0), "middle", self.across);
        let place = (16.0, TOP + side / 2.0);
        let _ = writeln!(
            out,
            "<text x=\"{0}\" y=\"{1}\" text-anchor=\"middle\" transform=\"rotate(-90 {0} {1})\">{2}</text>",
            place.0,
            place.1,
            escaped(self.up)
        );
        let (first, last) = (10f64.powi(low), 10f64.powi(high));
        for &(times, name) in [(1.0, "equal")].iter().chain(self.bounds) {
            // From the left or lower edge to the right or upper one.
            let (from, to) = (first.max(first / times), last.min(last / times));
            if from >= to {
                continue;
            }
            let dash = if times == 1.0 { "" } else { " stroke-dasharray=\"4 3\"" };
            let _ = writeln!(
                out,
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#888888\"{dash}/>",
                x(from),
                y(from * times),
                x(to),
                y(to * times)
            );
            let side_of = if to < last {
                (x(to), TOP - 4.0, "middle")
            } else {
                (LEFT + side + 6.0, y(to * times) + 4.0, "start")
            };
            text(&mut out, (side_of.0, side_of.1), side_of.2, name);
        }
        for &(across, up, mark) in &self.points {
            let (x, y) = (x(across), y(up));
            let _ = match mark {
                Mark::Fine => writeln!(
                    out,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\" fill=\"#2e8b57\" fill-opacity=\"0.7\"/>",
                    x - 3.5,
                    y - 3.5
                ),
                Mark::Wrong => writeln!(
                    out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#1f5fa8\" fill-opacity=\"0.7\"/>"
                ),
                Mark::OnlyUp => writeln!(
                    out,
                    "<path d=\"M{:.1} {:.1}l4.5 8h-9z\" fill=\"#c23b22\" fill-opacity=\"0.7\"/>",
                    x,
                    y - 4.5
                ),
            };
        }
        out.push_str("</svg>\n");
        out
    }
}

fn short(value: f64) -> String {
    match value {
        value if value >= 1e6 => format!("{:.0}M", value / 1e6),
        value if value >= 1e4 => format!("{:.0}k", value / 1e3),
        value => format!("{value}"),
    }
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;")
}

fn text(out: &mut String, (x, y): (f64, f64), anchor: &str, words: &str) {
    let words = escaped(words);
    let _ =
        writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_bounds_are_drawn() {
        let points =
            vec![(10.0, 10.0, Mark::Fine), (10.0, 90.0, Mark::Wrong), (20.0, 900.0, Mark::OnlyUp)];
        let bounds = &[(10.0, "10x"), (0.1, "0.1x")];
        let plot = Scatter { title: "a < b", across: "x", up: "y", bounds, points };
        assert_eq!(plot.decades(), (1, 3));
        let svg = plot.svg();
        assert_eq!(svg.matches("<circle").count(), 1);
        assert_eq!(svg.matches("stroke-dasharray").count(), 2);
        assert!(svg.contains("a &lt; b") && svg.contains("#c23b22"));
    }
}
