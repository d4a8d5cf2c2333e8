//! Line charts as SVG, with logarithmic scales for what grows.

use std::fmt::Write;
use std::path::Path;

use crate::Result;

/// A chart.
pub struct Plot<'p> {
    pub title: &'p str,
    pub across: &'p str,
    pub axis: Axis,
    pub lines: Vec<Line>,
}

/// What the points of a line are over.
pub enum Axis {
    /// Positions with names, the first being 0.
    Names(Vec<String>),
    /// Numbers, by their logarithm.
    Numbers,
}

/// One line, from left to right.
pub struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 170.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 44.0;
const COLOURS: [&str; 6] = ["#1f5fa8", "#c23b22", "#2e8b57", "#8a4fbf", "#b8860b", "#444444"];

impl Plot<'_> {
    pub fn write(&self, file: &Path) -> Result<()> {
        std::fs::write(file, self.svg()).map_err(|why| format!("{}: {why}", file.display()))
    }

    /// The powers of ten around the values of all points.
    fn decades(&self, value: fn(&(f64, f64)) -> f64) -> (i32, i32) {
        let points = self.lines.iter().flat_map(|line| line.points.iter());
        let logs: Vec<f64> = points.map(|point| value(point).max(1.0).log10()).collect();
        let low = logs.iter().copied().fold(f64::INFINITY, f64::min).floor() as i32;
        let high = logs.iter().copied().fold(0.0, f64::max).ceil() as i32;
        (low.clamp(0, 12), high.max(low + 1).max(1))
    }

    /// The marks below the axis: where, from 0 to 1, and what is written there.
    fn marks(&self) -> Vec<(f64, String)> {
        match &self.axis {
            Axis::Names(names) => {
                let steps = names.len().saturating_sub(1).max(1) as f64;
                let marks = names.iter().enumerate();
                marks.map(|(at, name)| (at as f64 / steps, name.clone())).collect()
            }
            Axis::Numbers => {
                let (low, high) = self.decades(|point| point.0);
                let steps = (high - low) as f64;
                let mark = |decade: i32| (decade - low) as f64 / steps;
                (low..=high).map(|decade| (mark(decade), format!("10^{decade}"))).collect()
            }
        }
    }

    fn x(&self, at: f64) -> f64 {
        let part = match &self.axis {
            Axis::Names(names) => at / names.len().saturating_sub(1).max(1) as f64,
            Axis::Numbers => share(at, self.decades(|point| point.0)),
        };
        across(part)
    }

    fn svg(&self) -> String {
        let (low, high) = self.decades(|point| point.1);
        let y = |value: f64| HEIGHT - BOTTOM - share(value, (low, high)) * (HEIGHT - TOP - BOTTOM);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        text(&mut out, (LEFT, 20.0), "start", "black", self.title);
        for decade in low..=high {
            let at = y(10f64.powi(decade));
            let end = WIDTH - RIGHT;
            let _ = writeln!(
                out,
                "<path d=\"M{LEFT} {at:.1}H{end}\" stroke=\"#dddddd\" fill=\"none\"/>"
            );
            let label = format!("{:.0}", 10f64.powi(decade));
            text(&mut out, (LEFT - 8.0, at + 4.0), "end", "black", &label);
        }
        for (part, name) in self.marks() {
            text(&mut out, (across(part), HEIGHT - BOTTOM + 18.0), "middle", "black", &name);
        }
        let middle = LEFT + (WIDTH - LEFT - RIGHT) / 2.0;
        text(&mut out, (middle, HEIGHT - 8.0), "middle", "black", self.across);
        for (number, line) in self.lines.iter().enumerate() {
            self.draw(&mut out, number, line, &y);
        }
        out.push_str("</svg>\n");
        out
    }

    fn draw(&self, out: &mut String, number: usize, line: &Line, y: &dyn Fn(f64) -> f64) {
        let colour = COLOURS[number % COLOURS.len()];
        let mut path = String::new();
        for &(at, value) in &line.points {
            let (x, y) = (self.x(at), y(value));
            let _ = write!(path, "{}{x:.1} {y:.1}", if path.is_empty() { "M" } else { "L" });
            let _ =
                writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
        let _ = writeln!(out, "<path d=\"{path}\" stroke=\"{colour}\" fill=\"none\"/>");
        let place = (WIDTH - RIGHT + 12.0, TOP + 14.0 + 18.0 * number as f64);
        text(out, place, "start", colour, &line.name);
    }
}

/// The place of a part of the axis.
fn across(part: f64) -> f64 {
    LEFT + part * (WIDTH - LEFT - RIGHT)
}

/// Where a value is between two powers of ten.
fn share(value: f64, (low, high): (i32, i32)) -> f64 {
    (value.max(1.0).log10() - low as f64) / (high - low) as f64
}

fn text(out: &mut String, (x, y): (f64, f64), anchor: &str, colour: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{words}</text>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(axis: Axis, points: &[(f64, f64)]) -> Plot<'static> {
        let lines = vec![Line { name: "a<b".into(), points: points.to_vec() }];
        Plot { title: "states", across: "size", axis, lines }
    }

    #[test]
    fn a_line_ends_where_its_points_do() {
        let names = ["1", "2", "3"].map(String::from).to_vec();
        let plot = plot(Axis::Names(names), &[(0.0, 10.0), (1.0, 1000.0)]);
        let svg = plot.svg();
        assert_eq!(plot.decades(|point| point.1), (1, 3));
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("a&lt;b") && svg.contains(">1000</text>"));
        assert_eq!((plot.x(0.0), plot.x(2.0)), (LEFT, WIDTH - RIGHT));
    }

    #[test]
    fn numbers_are_placed_by_their_logarithm() {
        let plot = plot(Axis::Numbers, &[(100.0, 1.0), (1000.0, 10.0), (10_000.0, 100.0)]);
        assert_eq!((plot.x(100.0), plot.x(10_000.0)), (LEFT, WIDTH - RIGHT));
        assert!((plot.x(1000.0) - (LEFT + WIDTH - RIGHT) / 2.0).abs() < 1e-9);
        let marks: Vec<String> = plot.marks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(marks, ["10^2", "10^3", "10^4"]);
    }
}
