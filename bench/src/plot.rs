//! Line charts as SVG, with a logarithmic scale for what grows.

use std::fmt::Write;
use std::path::Path;

use crate::Result;

/// A chart: its lines are over the same positions.
pub struct Plot<'p> {
    pub title: &'p str,
    pub across: &'p str,
    pub positions: Vec<String>,
    pub lines: Vec<Line>,
}

/// One line; `None` where nothing was measured to its end.
pub struct Line {
    pub name: String,
    pub values: Vec<Option<f64>>,
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

    /// The powers of ten around all values.
    fn decades(&self) -> (i32, i32) {
        let values = self.lines.iter().flat_map(|line| line.values.iter().flatten());
        let logs: Vec<f64> = values.map(|value| value.max(1.0).log10()).collect();
        let low = logs.iter().copied().fold(f64::INFINITY, f64::min).floor() as i32;
        let high = logs.iter().copied().fold(0.0, f64::max).ceil() as i32;
        (low.clamp(0, 12), high.max(low + 1).max(1))
    }

    fn x(&self, at: usize) -> f64 {
        let steps = self.positions.len().saturating_sub(1).max(1) as f64;
        LEFT + at as f64 / steps * (WIDTH - LEFT - RIGHT)
    }

    fn svg(&self) -> String {
        let (low, high) = self.decades();
        let y = |value: f64| {
            let part = (value.max(1.0).log10() - low as f64) / (high - low) as f64;
            HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)
        };
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
        for (at, position) in self.positions.iter().enumerate() {
            text(&mut out, (self.x(at), HEIGHT - BOTTOM + 18.0), "middle", "black", position);
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
        for (at, value) in line.values.iter().enumerate() {
            let Some(value) = value else { break };
            let (x, y) = (self.x(at), y(*value));
            let _ = write!(path, "{}{x:.1} {y:.1}", if at == 0 { "M" } else { "L" });
            let _ =
                writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
        let _ = writeln!(out, "<path d=\"{path}\" stroke=\"{colour}\" fill=\"none\"/>");
        let place = (WIDTH - RIGHT + 12.0, TOP + 14.0 + 18.0 * number as f64);
        text(out, place, "start", colour, &line.name);
    }
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

    #[test]
    fn a_line_ends_where_its_values_do() {
        let line = |values: &[Option<f64>]| Line { name: "a<b".into(), values: values.to_vec() };
        let plot = Plot {
            title: "states",
            across: "size",
            positions: vec!["1".into(), "2".into(), "3".into()],
            lines: vec![line(&[Some(10.0), Some(1000.0), None])],
        };
        let svg = plot.svg();
        assert_eq!(plot.decades(), (1, 3));
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("a&lt;b") && svg.contains(">1000</text>"));
    }
}
