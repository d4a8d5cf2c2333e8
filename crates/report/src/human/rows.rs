//! The steps of a trace as rows of text, before anything is folded.

use std::collections::BTreeMap;

use exeunt_model::{ActorId, Event, Location, OpenSection, SectionKind, Trace, TraceStep};

use crate::Options;
use crate::words::{printable, quoted};

/// One step: who, and what it did line by line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Counted from one.
    pub(super) step: usize,
    pub(super) actor: ActorId,
    pub(super) lines: Vec<String>,
}

impl Row {
    /// Whether two rows say the same at different times.
    pub(super) fn same(&self, other: &Row) -> bool {
        self.actor == other.actor && self.lines == other.lines
    }
}

/// How many things one step may say before the rest is counted.
const LINES_PER_STEP: usize = 8;

pub(super) fn rows(trace: &Trace, options: &Options) -> Vec<Row> {
    let home = home_file(trace);
    let mut names = BTreeMap::new();
    let mut rows = Vec::with_capacity(trace.steps.len());
    for (index, step) in trace.steps.iter().enumerate() {
        let mut lines = step_lines(step, &home, &mut names, options);
        if lines.len() > LINES_PER_STEP && !options.full_trace {
            let hidden = lines.len() - LINES_PER_STEP + 1;
            lines.truncate(LINES_PER_STEP - 1);
            lines.push(format!("… {hidden} more in this step"));
        }
        rows.push(Row { step: index + 1, actor: step.actor, lines });
    }
    rows
}

/// The file that most steps are in; its name is left out of the rows.
fn home_file(trace: &Trace) -> String {
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    for location in trace.steps.iter().filter_map(|step| step.location.as_ref()) {
        *votes.entry(&location.file).or_default() += 1;
    }
    let best = votes.into_iter().max_by_key(|(file, count)| (*count, std::cmp::Reverse(*file)));
    best.map_or_else(String::new, |(file, _)| file.to_string())
}

type SectionNames = BTreeMap<OpenSection, String>;

fn step_lines(
    step: &TraceStep,
    home: &str,
    names: &mut SectionNames,
    options: &Options,
) -> Vec<String> {
    let mut lines = Vec::new();
    for event in &step.events {
        match event {
            Event::Did { location, text } => lines.push(placed(Some(location), home, text)),
            Event::Opened { section, name, location } => {
                names.insert(*section, name.to_string());
                if is_told(section.kind, options) {
                    let text = format!("enters {} `{name}`", section.kind);
                    lines.push(placed(Some(location), home, &text));
                }
            }
            Event::Closed { section, location } => {
                let name = names.remove(section).unwrap_or_default();
                if is_told(section.kind, options) {
                    let text = format!("leaves {} `{name}`", section.kind);
                    lines.push(placed(Some(location), home, &text));
                }
            }
            Event::Output { bytes, .. } if options.output => {
                lines.push(format!("prints {}", quoted(bytes)));
            }
            Event::Output { .. } => {}
        }
    }
    if !step.events.iter().any(|event| matches!(event, Event::Did { .. })) {
        lines.insert(0, placed(step.location.as_ref(), home, &step.action));
    }
    lines
}

/// Sections of locks and waits are told by the calls themselves.
fn is_told(kind: SectionKind, options: &Options) -> bool {
    options.full_trace
        || matches!(kind, SectionKind::Function | SectionKind::User | SectionKind::Process)
}

fn placed(location: Option<&Location>, home: &str, text: &str) -> String {
    let text = if text.is_empty() { "(runs)".to_string() } else { printable(text) };
    match location {
        Some(place) if place.is_known() && *place.file == *home => {
            format!("{}: {text}", place.line)
        }
        Some(place) if place.is_known() => {
            let file = place.file.rsplit('/').next().unwrap_or_default();
            format!("{}:{}: {text}", printable(file), place.line)
        }
        _ => text,
    }
}
