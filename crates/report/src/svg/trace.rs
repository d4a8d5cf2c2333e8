//! Pictures of a trace with its states: who waits for whom at its end, and when which section was open.

use std::collections::BTreeMap;
use std::fmt::Write;

use exeunt_model::{ActorId, SectionKind, SectionReport, StateView, Trace, Violation, Wait};

use super::{Size, begin, node, size};
use crate::dot::cut;
use crate::hanging::hanging;
use crate::markup::escape;

/// Who waits for whom at the end of a trace, also in loops that are never left, if the violation that it shows
/// is known; `None` if nobody waits.
pub fn waits(trace: &Trace, shown: Option<&Violation>, title: &str) -> Option<String> {
    let last = trace.states.last()?;
    let actors: Vec<_> = last.actors.iter().filter(|actor| !actor.ended).collect();
    let hanging = shown.map_or_else(Vec::new, hanging);
    let waits: Vec<Option<Wait>> = actors
        .iter()
        .map(|actor| {
            let hangs = || hanging.iter().find(|one| one.actor == actor.actor);
            let in_loop = || hangs().map(|one| Wait { text: one.text.clone(), on: one.on.clone() });
            actor.waits.clone().or_else(in_loop)
        })
        .collect();
    waits.iter().any(Option::is_some).then_some(())?;
    let number = |id: ActorId| actors.iter().position(|actor| actor.actor == id);
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (at, wait) in waits.iter().enumerate() {
        let on = wait.iter().flat_map(|wait| &wait.on);
        edges.extend(on.filter_map(|id| Some((at, number(*id)?))));
    }
    let noun = last.noun;
    let boxes: Vec<(Vec<String>, &str)> = actors
        .iter()
        .zip(&waits)
        .map(|(actor, wait)| {
            let name = format!("{} ({})", noun.call(actor.actor), actor.name);
            let mut lines = folded(&name);
            match wait {
                Some(wait) => lines.extend(folded(&wait.text)),
                None => lines.push("can move".to_string()),
            }
            (lines, if wait.is_some() { "#f4a6a0" } else { "#ffffff" })
        })
        .collect();
    let sizes: Vec<Size> = boxes.iter().map(|(lines, _)| size(lines)).collect();
    let places = around(&sizes);
    let edge = |of: fn(f64, f64) -> f64, start: f64, each: &dyn Fn(usize) -> f64| {
        (0..sizes.len()).map(each).fold(start, of)
    };
    let right = edge(f64::max, 0.0, &|at| places[at].0 + sizes[at].width / 2.0);
    let bottom = edge(f64::max, 0.0, &|at| places[at].1 + sizes[at].height / 2.0);
    let mut out = begin(right + 16.0, bottom + 16.0, title);
    for (from, to) in &edges {
        out.push_str(&bent((places[*from], sizes[*from]), (places[*to], sizes[*to])));
    }
    for ((lines, color), (&(x, y), size)) in boxes.iter().zip(places.iter().zip(&sizes)) {
        out.push_str(&node(lines, color, x, y - size.height / 2.0, *size));
    }
    out.push_str("</svg>\n");
    Some(out)
}

/// Characters in a line of a box, and lines at most.
const BROAD: usize = 44;
const LINES: usize = 8;

/// A text in lines, so that no name is cut off; only what would fill the picture is.
fn folded(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(' ') {
        for part in word.chars().collect::<Vec<_>>().chunks(BROAD) {
            let part: String = part.iter().collect();
            let last = lines.last_mut().expect("there is one");
            match last.is_empty() || last.chars().count() + part.trim_end().chars().count() <= BROAD
            {
                true => last.push_str(&part),
                false => lines.push(part),
            }
        }
    }
    if lines.len() > LINES {
        lines.truncate(LINES);
        lines[LINES - 1].push('…');
    }
    lines.iter().map(|line| line.trim_end().to_string()).collect()
}

/// Middles on an ellipse, so that a circle of waits is one.
fn around(sizes: &[Size]) -> Vec<(f64, f64)> {
    let widest = sizes.iter().map(|size| size.width).fold(0.0, f64::max);
    let count = sizes.len().max(1) as f64;
    let highest = sizes.iter().map(|size| size.height).fold(0.0, f64::max);
    let (across, down) = (widest * 0.75 + 20.0, highest + 26.0 * count);
    let angle = |at: usize| std::f64::consts::TAU * at as f64 / count - std::f64::consts::FRAC_PI_2;
    let middle = (widest / 2.0 + across + 16.0, down + highest / 2.0 + 16.0);
    (0..sizes.len())
        .map(|at| (middle.0 + across * angle(at).cos(), middle.1 + down * angle(at).sin()))
        .collect()
}

/// An arrow between two boxes, bent so that one there and one back are two.
fn bent(from: ((f64, f64), Size), to: ((f64, f64), Size)) -> String {
    let ((ax, ay), (bx, by)) = (from.0, to.0);
    let (dx, dy) = (bx - ax, by - ay);
    let length = dx.hypot(dy).max(1.0);
    let (mx, my) = ((ax + bx) / 2.0 - dy / length * 30.0, (ay + by) / 2.0 + dx / length * 30.0);
    // Where the line from the middle of a box to the bend leaves the box.
    let leave = |(x, y): (f64, f64), size: Size| {
        let (dx, dy) = (mx - x, my - y);
        let scale =
            (size.width / 2.0 / dx.abs().max(0.1)).min(size.height / 2.0 / dy.abs().max(0.1));
        (x + dx * scale.min(1.0), y + dy * scale.min(1.0))
    };
    let ((sx, sy), (tx, ty)) = (leave(from.0, from.1), leave(to.0, to.1));
    format!(
        "<path class=\"e\" d=\"M{sx:.1} {sy:.1} Q{mx:.1} {my:.1} {tx:.1} {ty:.1}\" marker-end=\"url(#a)\"/>\n"
    )
}

/// A section of an actor, and the states in which it is open.
type Bars = BTreeMap<(ActorId, SectionKind, String), Vec<(usize, usize)>>;

fn bars(states: &[StateView]) -> Bars {
    let mut bars = Bars::new();
    for (at, state) in states.iter().enumerate() {
        for open in &state.sections {
            let spans = bars.entry((open.actor, open.kind, open.name.clone())).or_default();
            match spans.last_mut() {
                Some((_, end)) if *end == at => *end = at + 1,
                Some(_) | None => spans.push((at, at + 1)),
            }
        }
    }
    bars
}

/// Loops in which a thread waits for ever are no part of a state: only the violation knows of them.
fn add_loops(bars: &mut Bars, shown: Option<&Violation>, states: usize) {
    let Some(shown) = shown else { return };
    for one in hanging(shown) {
        let loops = |section: &&SectionReport| {
            section.actor == one.actor && section.kind == SectionKind::Await
        };
        let Some(section) = shown.sections.iter().rfind(loops) else { continue };
        let since = one.since.unwrap_or(0).min(states);
        let key = (one.actor, section.kind, section.name.clone());
        bars.entry(key).or_insert_with(|| vec![(since, states)]);
    }
}

/// What the numbers on top count, and the sign of a bar that reaches the end.
const AXIS: &str = "state after step";
const STILL_OPEN: &str = "▸ still open at the end of the trace";

/// Which section was open when: a row for each, a column for each step.
pub fn sections(trace: &Trace, shown: Option<&Violation>, title: &str) -> Option<String> {
    let mut bars = bars(&trace.states);
    let states = trace.states.len();
    add_loops(&mut bars, shown, states);
    if bars.is_empty() {
        return None;
    }
    let noun = trace.states[0].noun;
    let label = |key: &(ActorId, SectionKind, String)| {
        cut(&format!("{}: {} {}", noun.call(key.0), key.1.name(), key.2))
    };
    let longest = bars.keys().map(|key| label(key).chars().count()).max().unwrap_or(1);
    let longest = longest.max(AXIS.len());
    let left = longest as f64 * super::CHARACTER + 24.0;
    // Long traces are squeezed.
    let step = (900.0 / states as f64).clamp(2.0, 48.0);
    let (row, top) = (24.0, 44.0);
    let width = left + step * states as f64 + 24.0;
    let below = top + row * bars.len() as f64 + 20.0;
    let late = shown.and_then(|shown| shown.trace.too_late).filter(|at| *at < states);
    let legend = match late {
        Some(at) => format!("{STILL_OPEN}; dashed: after step {at} it was too late"),
        None => STILL_OPEN.to_string(),
    };
    let width = width.max(legend.chars().count() as f64 * super::CHARACTER + 24.0);
    let mut out = begin(width, below + 20.0, title);
    let _ = writeln!(out, "<text x=\"12\" y=\"{:.1}\" class=\"l\">{legend}</text>", below + 8.0);
    let _ = writeln!(out, "<text x=\"12\" y=\"36\" class=\"l\">{AXIS}</text>");
    let _ = writeln!(out, "<text x=\"12\" y=\"18\" font-weight=\"bold\">{}</text>", escape(title));
    let every = (states / 20).max(1);
    for at in (0..states).step_by(every) {
        let x = left + step * at as f64;
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"36\" class=\"l\" text-anchor=\"middle\">{at}</text><path class=\"e\" d=\"M{x:.1} 40V{:.1}\" stroke-opacity=\".25\"/>",
            below - 12.0
        );
    }
    if let Some(at) = late {
        let x = left + step * at as f64;
        let _ = writeln!(
            out,
            "<path class=\"e\" d=\"M{x:.1} 40V{:.1}\" stroke-width=\"2\" stroke-dasharray=\"5 4\"/>",
            below - 12.0
        );
    }
    for (at, (key, spans)) in bars.iter().enumerate() {
        let y = top + row * at as f64;
        let _ =
            writeln!(out, "<text x=\"12\" y=\"{:.1}\">{}</text>", y + 14.0, escape(&label(key)));
        for (from, to) in spans {
            let open = *to == states;
            let color = if open { "#f4a6a0" } else { "#b7dfb0" };
            let (x, length) = (left + step * *from as f64, step * (to - from) as f64);
            let _ = writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"18\" rx=\"4\" fill=\"{color}\" stroke=\"#1a1d21\"/>"
            );
            if open {
                let end = x + length + 4.0;
                let _ = writeln!(out, "<text x=\"{end:.1}\" y=\"{:.1}\">▸</text>", y + 14.0);
            }
        }
    }
    out.push_str("</svg>\n");
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_on_in_the_next_line() {
        let name = "a_very_long_name_of_a_mutex_that_somebody_has_written_for_all_to_read";
        let lines = folded(&format!("waits for mutex `{name}`, held by thread 2"));
        assert!(lines.concat().replace(' ', "").contains(name), "{lines:?}");
        assert!(lines.iter().all(|line| line.chars().count() <= BROAD), "{lines:?}");
        assert_eq!(folded(&"x ".repeat(10_000)).len(), LINES);
    }
}
