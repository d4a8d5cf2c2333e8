//! A message sequence chart: a line down for each actor, an arrow for each message.

use std::fmt::Write;

use exeunt_model::{Chart, ChartEvent, ChartKind};

use super::{CHARACTER, begin};
use crate::markup::escape;

/// The height of a row, and of the names above the first one.
const ROW: f64 = 26.0;
const TOP: f64 = 64.0;
const MARGIN: f64 = 16.0;

/// The chart as a picture.
pub fn messages(chart: &Chart, title: &str) -> String {
    let columns = Columns::of(chart);
    let height = TOP + ROW * (chart.events.len() + 1) as f64;
    let mut out = begin(columns.width, height, title);
    let head = escape(title);
    let _ = writeln!(out, "<text x=\"{MARGIN}\" y=\"16\" font-weight=\"bold\">{head}</text>");
    for (actor, name) in chart.actors.iter().enumerate() {
        out.push_str(&lifeline(chart, actor, name, &columns));
    }
    for (at, event) in chart.events.iter().enumerate() {
        out.push_str(&row(chart, event, at, &columns));
    }
    out.push_str("</svg>\n");
    out
}

/// Where the lines of the actors are.
struct Columns {
    middle: Vec<f64>,
    width: f64,
}

impl Columns {
    /// Wide enough for the names and for what stands beside a line.
    fn of(chart: &Chart) -> Columns {
        let mut widths = vec![8; chart.actors.len()];
        for (width, name) in widths.iter_mut().zip(&chart.actors) {
            *width = name.chars().count().max(*width);
        }
        for event in &chart.events {
            let width = &mut widths[event.actor];
            *width = event.text.chars().count().max(*width);
        }
        let mut middle = Vec::new();
        let mut at = MARGIN;
        for width in widths {
            let half = (width as f64 * CHARACTER + 24.0) / 2.0;
            middle.push(at + half);
            at += 2.0 * half;
        }
        Columns { middle, width: (at + MARGIN).max(320.0) }
    }
}

fn row_at(number: usize) -> f64 {
    TOP + ROW * (number as f64 + 0.7)
}

/// The name of an actor and its line, from where it starts to where it ends.
fn lifeline(chart: &Chart, actor: usize, name: &str, columns: &Columns) -> String {
    let started = chart.events.iter().position(|event| event.kind == ChartKind::Started(actor));
    let ends = |event: &ChartEvent| event.actor == actor && event.kind == ChartKind::Ended;
    let ended = chart.events.iter().position(ends);
    let x = columns.middle[actor];
    let from = started.map_or(TOP - 12.0, row_at);
    let to = row_at(ended.unwrap_or(chart.events.len()));
    let mut out = format!(
        "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\n",
        TOP - 20.0,
        escape(name)
    );
    let _ = writeln!(
        out,
        "<line class=\"e\" x1=\"{x:.1}\" y1=\"{from:.1}\" x2=\"{x:.1}\" y2=\"{to:.1}\"/>"
    );
    out
}

fn row(chart: &Chart, event: &ChartEvent, at: usize, columns: &Columns) -> String {
    let y = row_at(at);
    let x = columns.middle[event.actor];
    let text = &event.text;
    match &event.kind {
        ChartKind::Sent | ChartKind::Received { sent: None } => point(x, y) + &label(x, y, text),
        ChartKind::Received { sent: Some(sent) } => {
            let from = (columns.middle[chart.events[*sent].actor], row_at(*sent));
            arrow(from, (x, y), false) + &point(x, y) + &label(x, y, text)
        }
        ChartKind::HandedTo(to) => {
            arrow((x, y), (columns.middle[*to], y), false) + &label(x, y, text)
        }
        ChartKind::Printed => label(x, y, text),
        ChartKind::Started(actor) => arrow((x, y), (columns.middle[*actor], y), true),
        ChartKind::Ended => format!("<path class=\"e\" d=\"M{:.1} {y:.1}h12\"/>\n", x - 6.0),
        ChartKind::Failed => cross(x, y) + &label(x, y, text),
        ChartKind::Repeats => {
            let ends = ((MARGIN, y), (columns.width - MARGIN, y));
            line(ends.0, ends.1, " stroke-dasharray=\"6 3\"") + &label(MARGIN, y, text)
        }
    }
}

fn line(from: (f64, f64), to: (f64, f64), more: &str) -> String {
    let ((x1, y1), (x2, y2)) = (from, to);
    format!(
        "<line class=\"e\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"{more}/>\n"
    )
}

fn arrow(from: (f64, f64), to: (f64, f64), dashed: bool) -> String {
    let more = if dashed { " stroke-dasharray=\"3 3\"" } else { "" };
    line(from, to, &format!(" marker-end=\"url(#a)\"{more}"))
}

fn point(x: f64, y: f64) -> String {
    format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"#1a1d21\"/>\n")
}

fn cross(x: f64, y: f64) -> String {
    let (x, y) = (x - 5.0, y - 5.0);
    format!(
        "<path d=\"M{x:.1} {y:.1}l10 10m0 -10l-10 10\" stroke=\"#b3261e\" stroke-width=\"2\"/>\n"
    )
}

/// Text beside a line.
fn label(x: f64, y: f64, text: &str) -> String {
    format!("<text class=\"l\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n", x + 6.0, y - 4.0, escape(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_message_is_an_arrow_from_its_sender() {
        let event = |actor, text: &str, kind| ChartEvent { actor, text: text.to_string(), kind };
        let chart = Chart {
            actors: vec!["P".to_string(), "<Q>".to_string()],
            events: vec![
                event(0, "c!1", ChartKind::Sent),
                event(1, "c?1", ChartKind::Received { sent: Some(0) }),
                event(1, "r!2", ChartKind::HandedTo(0)),
                event(0, "", ChartKind::Ended),
            ],
        };
        let picture = messages(&chart, "m.pml");
        assert_eq!(picture.matches("marker-end").count(), 2, "{picture}");
        assert!(picture.contains("&lt;Q&gt;") && !picture.contains("<Q>"), "{picture}");
    }
}
