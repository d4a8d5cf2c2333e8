//! A state space as a picture in Graphviz's language. Colours: green ends, red is stuck or wrong, grey is a
//! bottom component in which everything can still be left.

use std::fmt::Write;

use exeunt_model::{Picture, PictureEdge, PictureState};

/// Lines longer than this are cut.
const WIDTH: usize = 48;

pub fn dot(picture: &Picture, title: &str) -> String {
    let mut out = String::from("digraph states {\n");
    let _ = writeln!(out, "  // {}", title.replace('\n', " "));
    let _ = writeln!(out, "  // {}", summary(picture));
    out.push_str("  node [shape=box, style=\"filled,rounded\", fontname=\"Helvetica\", fontsize=11];\n  edge [fontname=\"Helvetica\", fontsize=10];\n");
    for (number, state) in picture.states.iter().enumerate() {
        let color = color(state);
        let label = label(number, state);
        let _ = writeln!(out, "  s{number} [label=\"{label}\", fillcolor=\"{color}\"];");
    }
    for (number, (from, text)) in picture.faults.iter().enumerate() {
        let text = quoted(&cut(text));
        let _ = writeln!(out, "  f{number} [label=\"{text}\", fillcolor=\"#f4a6a0\"];");
        let _ = writeln!(out, "  s{from} -> f{number} [label=\"\"];");
    }
    for edge in &picture.edges {
        out.push_str(&arrow(edge));
    }
    out.push_str("}\n");
    out
}

fn arrow(edge: &PictureEdge) -> String {
    let style = if edge.withheld { ", style=\"dashed\"" } else { "" };
    let chosen = if edge.chosen { " (chosen)" } else { "" };
    let label = quoted(&format!("{}{chosen}", cut(&edge.label)));
    format!("  s{} -> s{} [label=\"{label}\"{style}];\n", edge.from, edge.to)
}

pub(crate) fn summary(picture: &Picture) -> String {
    let cut = if picture.cut { ", not all" } else { "" };
    match picture.collapsed {
        Some(states) => format!("{states} states{cut}, drawn as {}", picture.states.len()),
        None => format!("{} states{cut}", picture.states.len()),
    }
}

pub(crate) fn color(state: &PictureState) -> &'static str {
    if !state.stuck.is_empty() || state.deadlock {
        "#f4a6a0"
    } else if state.ended {
        "#b7dfb0"
    } else if state.unexplored {
        "#fff2b3"
    } else if state.bottom {
        "#d9d9d9"
    } else {
        "#ffffff"
    }
}

fn label(number: usize, state: &PictureState) -> String {
    lines(number, state).iter().map(|line| quoted(line)).collect::<Vec<_>>().join("\\n")
}

/// What a box says.
pub(crate) fn lines(number: usize, state: &PictureState) -> Vec<String> {
    let mut lines = vec![match (state.initial, state.ended, state.deadlock, state.unexplored) {
        (true, ..) => format!("{number} (start)"),
        (_, true, ..) => format!("{number} (end)"),
        (_, _, true, _) => format!("{number} (deadlock)"),
        (_, _, _, true) => format!("{number} (not explored)"),
        _ => number.to_string(),
    }];
    lines.extend(state.lines.iter().map(|line| cut(line)));
    if state.bottom && !state.ended && !state.deadlock {
        lines.push("(bottom component)".to_string());
    }
    lines.extend(state.stuck.iter().map(|what| cut(&format!("stuck: {what}"))));
    lines
}

pub(crate) fn cut(line: &str) -> String {
    match line.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_string(),
    }
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_and_edges_are_written() {
        let state = |lines: &[&str]| PictureState {
            lines: lines.iter().map(ToString::to_string).collect(),
            ..PictureState::default()
        };
        let mut picture = Picture {
            states: vec![state(&["x = \"a\\b\""]), state(&[])],
            edges: vec![PictureEdge {
                from: 0,
                to: 1,
                label: "1: go".into(),
                withheld: true,
                chosen: true,
            }],
            faults: vec![(1, "boom".into())],
            ..Picture::default()
        };
        picture.states[1].ended = true;
        let text = dot(&picture, "a.c");
        assert!(text.contains(r##"s0 [label="0\nx = 'a\\b'", fillcolor="#ffffff"];"##), "{text}");
        assert!(text.contains("s0 -> s1 [label=\"1: go (chosen)\", style=\"dashed\"];"), "{text}");
        assert!(text.contains("f0 [label=\"boom\""), "{text}");
        assert!(text.contains("(end)"), "{text}");
    }
}
