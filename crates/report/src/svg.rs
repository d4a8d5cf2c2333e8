//! Pictures as SVG, without another program: a state space, who waits for whom, and which sections were open when.
//!
//! Invariant: what comes from the checked program is escaped text. Nothing is told by colour alone.

mod chart;
mod trace;

use std::fmt::Write;

use exeunt_model::{Picture, PictureState};

use crate::dot::{cut, lines, summary};
use crate::layout::{Size, lay_out};
use crate::markup::escape;

pub use chart::messages;
pub use trace::{sections, waits};

const LINE: f64 = 15.0;
/// Width of a character of the font, about.
const CHARACTER: f64 = 6.3;

const HEAD: &str = "<style>text{font:11px Helvetica,Arial,sans-serif;fill:#1a1d21}.e{fill:none;stroke:#5a626c}.l{font-size:10px;fill:#3a414a;paint-order:stroke;stroke:#fff;stroke-width:3px}</style>\n\
<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"#5a626c\"/></marker></defs>\n";

/// The beginning of a picture of this size.
fn begin(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n{HEAD}<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        escape(title)
    )
}

/// The state space: bottom components, what is stuck, ends and errors are marked.
pub fn states(picture: &Picture, title: &str) -> String {
    let mut boxes: Vec<(Vec<String>, &str)> = picture
        .states
        .iter()
        .enumerate()
        .map(|(number, state)| (lines(number, state), color(state)))
        .collect();
    let mut edges: Vec<(usize, usize)> =
        picture.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    for (from, text) in &picture.faults {
        edges.push((*from, boxes.len()));
        boxes.push((vec!["error".to_string(), cut(text)], "#f4a6a0"));
    }
    let sizes: Vec<Size> = boxes.iter().map(|(lines, _)| size(lines)).collect();
    let layout = lay_out(&sizes, &edges);
    let top = 24.0;
    let mut out = begin(layout.width.max(320.0), layout.height + top, title);
    let told = format!("{title}: {}", summary(picture));
    let _ = writeln!(out, "<text x=\"16\" y=\"16\" font-weight=\"bold\">{}</text>", escape(&told));
    let _ = writeln!(out, "<g transform=\"translate(0 {top})\">");
    let mut beside = vec![0usize; boxes.len()];
    for (index, (from, to)) in edges.iter().enumerate() {
        let (label, dashed) = match picture.edges.get(index) {
            Some(edge) => (edge_label(edge), edge.withheld),
            None => (String::new(), false),
        };
        beside[*from] += 1;
        let ends = (End::of(*from, &layout, &sizes), End::of(*to, &layout, &sizes));
        out.push_str(&arrow(ends, from == to, beside[*from], &label, dashed));
    }
    for ((lines, color), (&(x, y), size)) in boxes.iter().zip(layout.places.iter().zip(&sizes)) {
        out.push_str(&node(lines, color, x, y, *size));
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn edge_label(edge: &exeunt_model::PictureEdge) -> String {
    let chosen = if edge.chosen { " (chosen)" } else { "" };
    cut(&format!("{}{chosen}", edge.label))
}

fn size(lines: &[String]) -> Size {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(1);
    Size { width: longest as f64 * CHARACTER + 16.0, height: lines.len() as f64 * LINE + 10.0 }
}

/// A box with its lines, its upper middle here.
fn node(lines: &[String], color: &str, x: f64, y: f64, size: Size) -> String {
    let mut out = format!(
        "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"6\" fill=\"{color}\" stroke=\"#1a1d21\"/>\n",
        x - size.width / 2.0,
        size.width,
        size.height
    );
    for (at, line) in lines.iter().enumerate() {
        let baseline = y + LINE * (at + 1) as f64;
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{baseline:.1}\" text-anchor=\"middle\">{}</text>",
            escape(line)
        );
    }
    out
}

/// One end of an arrow.
#[derive(Clone, Copy)]
struct End {
    x: f64,
    top: f64,
    bottom: f64,
    half: f64,
    layer: usize,
}

impl End {
    fn of(node: usize, layout: &crate::layout::Layout, sizes: &[Size]) -> End {
        let (x, top) = layout.places[node];
        let size = sizes[node];
        End {
            x,
            top,
            bottom: top + size.height,
            half: size.width / 2.0,
            layer: layout.layers[node],
        }
    }
}

/// Down from layer to layer; otherwise around the side.
fn arrow((from, to): (End, End), itself: bool, nth: usize, label: &str, dashed: bool) -> String {
    let dash = if dashed { " stroke-dasharray=\"5 4\"" } else { "" };
    let (path, x, y) = if itself {
        let (x, y) = (from.x + from.half, (from.top + from.bottom) / 2.0);
        (format!("M{x:.1} {:.1} c 34 -14 34 28 2 14", y - 7.0), x + 28.0, y)
    } else if to.layer == from.layer + 1 {
        let middle = (from.bottom + to.top) / 2.0;
        let path = format!(
            "M{:.1} {:.1} C{:.1} {middle:.1} {:.1} {middle:.1} {:.1} {:.1}",
            from.x, from.bottom, from.x, to.x, to.x, to.top
        );
        // Labels of several arrows of one node are one below the other.
        let part = 0.3 + 0.2 * ((nth - 1) % 3) as f64;
        (path, from.x + (to.x - from.x) * part, from.bottom + (to.top - from.bottom) * part + 4.0)
    } else {
        let (a, b) = ((from.top + from.bottom) / 2.0, (to.top + to.bottom) / 2.0);
        let (start, end) = (from.x + from.half, to.x + to.half);
        let around = start.max(end) + 40.0 + 9.0 * (nth % 4) as f64;
        let path =
            format!("M{start:.1} {a:.1} C{around:.1} {a:.1} {around:.1} {b:.1} {end:.1} {b:.1}");
        (path, around - 14.0, (a + b) / 2.0)
    };
    let mut out = format!("<path class=\"e\" d=\"{path}\" marker-end=\"url(#a)\"{dash}/>\n");
    if !label.is_empty() {
        let label = escape(label);
        let _ = writeln!(
            out,
            "<text class=\"l\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{label}</text>"
        );
    }
    out
}

fn color(state: &PictureState) -> &'static str {
    crate::dot::color(state)
}
