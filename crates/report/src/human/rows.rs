//! The steps of a trace as rows of text, before anything is folded.

use std::collections::BTreeMap;

use exeunt_model::{ActorId, Trace};

use crate::Options;
use crate::story::{Teller, Told};
use crate::words::printable;

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
    let mut teller = Teller::new(options.full_trace, options.output);
    let mut rows = Vec::with_capacity(trace.steps.len());
    for (index, step) in trace.steps.iter().enumerate() {
        let mut lines: Vec<String> =
            teller.tell(step).iter().map(|told| placed(told, &home)).collect();
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

fn placed(told: &Told, home: &str) -> String {
    match &told.location {
        Some(place) if place.is_known() && *place.file == *home => {
            format!("{}: {}", place.line, told.text)
        }
        Some(place) if place.is_known() => {
            let file = place.file.rsplit('/').next().unwrap_or_default();
            format!("{}:{}: {}", printable(file), place.line, told.text)
        }
        _ => told.text.clone(),
    }
}
