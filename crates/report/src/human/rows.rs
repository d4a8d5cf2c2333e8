//! The steps of a trace as rows of text, before anything is folded.

use std::collections::BTreeMap;

use exeunt_model::{ActorId, Trace, TraceStep};

use crate::held::{Holding, source};
use crate::story::{Teller, Told};
use crate::words::printable;
use crate::{Options, Sources};

/// One step: who, and what it did line by line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Counted from one; 0 for what was done before.
    pub(super) step: usize,
    pub(super) actor: ActorId,
    pub(super) lines: Vec<String>,
    /// Which of the lines are source, which is cut and not wrapped.
    pub(super) quoted: Vec<usize>,
}

impl Row {
    /// Whether two rows say the same at different times.
    pub(super) fn same(&self, other: &Row) -> bool {
        self.actor == other.actor && self.lines == other.lines
    }
}

/// How many things one step may say before those in the middle are counted.
const LINES_PER_STEP: usize = 14;
/// How many of its last things are said then.
const LAST_LINES: usize = 4;
/// The longest pattern of lines whose repetition is looked for in a step, and
/// from how many occurrences on it is counted.
const LONGEST_PERIOD: usize = 6;
const OCCURRENCES: usize = 3;

/// A full trace also has the source of each line, and what is held.
pub(super) fn rows(trace: &Trace, sources: &Sources, options: &Options) -> Vec<Row> {
    let home = home_file(trace);
    let mut teller = Teller::new(options.full_trace, options.output);
    let mut holding = Holding::new(trace);
    let mut rows = Vec::with_capacity(trace.steps.len());
    for (index, step) in trace.steps.iter().enumerate() {
        let mut row = row(index + 1, step, &mut teller, &home, sources, options);
        if options.full_trace {
            row.lines.extend(holding.after(index).map(|held| format!("{HELD}{held}")));
        }
        rows.push(row);
    }
    rows
}

/// What stands before a line of the source, and before what is held.
const SOURCE: &str = "| ";
const HELD: &str = "= ";

/// What was done before the first step, if anything is known of it: a row without a number.
pub(super) fn beginning(trace: &Trace, sources: &Sources, options: &Options) -> Option<Row> {
    let step = trace.before_first()?;
    let mut teller = Teller::new(options.full_trace, options.output);
    let row = row(0, &step, &mut teller, &home_file(trace), sources, options);
    row.lines.iter().any(|line| !line.is_empty()).then_some(row)
}

fn row(
    step: usize,
    told: &TraceStep,
    teller: &mut Teller,
    home: &str,
    sources: &Sources,
    options: &Options,
) -> Row {
    let all = teller.tell(told);
    if options.full_trace {
        let (lines, quoted) = with_source(&all, home, sources);
        return Row { step, actor: told.actor, lines, quoted };
    }
    let lines: Vec<String> = all.iter().map(|told| placed(told, home)).collect();
    let mut lines = without_repetition(&lines);
    leave_out_middle(&mut lines);
    Row { step, actor: told.actor, lines, quoted: Vec::new() }
}

/// Behind all that was done in a line, the text of the line; and which lines are such texts.
fn with_source(all: &[Told], home: &str, sources: &Sources) -> (Vec<String>, Vec<usize>) {
    let (mut lines, mut quoted) = (Vec::new(), Vec::new());
    for same in all.chunk_by(|one, next| line_of(one) == line_of(next)) {
        lines.extend(same.iter().map(|told| placed(told, home)));
        let place = same[0].location.as_ref().filter(|place| place.is_known());
        if let Some(text) = place.and_then(|place| source(sources, place)) {
            quoted.push(lines.len());
            lines.push(format!("{SOURCE}{text}"));
        }
    }
    (lines, quoted)
}

fn line_of(told: &Told) -> Option<(&str, u32)> {
    told.location.as_ref().map(|place| (&*place.file, place.line))
}

/// Says a pattern that repeats once.
fn without_repetition(lines: &[String]) -> Vec<String> {
    let mut shown = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let rest = &lines[at..];
        let found = (1..=LONGEST_PERIOD.min(rest.len())).find_map(|period| {
            let times = rest.chunks_exact(period).take_while(|c| *c == &rest[..period]).count();
            (times >= OCCURRENCES).then_some((period, times))
        });
        let (period, times) = found.unwrap_or((1, 1));
        shown.extend_from_slice(&rest[..period]);
        match (period, times - 1) {
            (_, 0) => {}
            (1, more) => shown.push(format!("… this {more} more times")),
            (lines, more) => shown.push(format!("… these {lines} lines {more} more times")),
        }
        at += period * times;
    }
    shown
}

fn leave_out_middle(lines: &mut Vec<String>) {
    if lines.len() > LINES_PER_STEP {
        let first = LINES_PER_STEP - LAST_LINES - 1;
        let hidden = lines.len() - first - LAST_LINES;
        lines.splice(first..first + hidden, [format!("… {hidden} more in this step")]);
    }
}

/// The file that most steps are in; its name is left out of the rows.
fn home_file(trace: &Trace) -> String {
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    let places = trace.steps.iter().filter_map(|step| step.location.as_ref());
    for location in places.filter(|place| place.is_known()) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_string).collect()
    }

    #[test]
    fn what_repeats_in_a_step_is_said_once() {
        let shown = without_repetition(&lines("a b a b a b c c c c d"));
        let expected = ["a", "b", "… these 2 lines 2 more times", "c", "… this 3 more times", "d"];
        assert_eq!(shown, expected);
        assert_eq!(without_repetition(&lines("a b a b c c")), lines("a b a b c c"));
    }

    #[test]
    fn the_end_of_a_long_step_is_shown() {
        let mut long: Vec<String> = (0..40).map(|n| n.to_string()).collect();
        leave_out_middle(&mut long);
        assert_eq!(long.len(), LINES_PER_STEP);
        assert_eq!(long[9], "… 27 more in this step");
        assert_eq!((&*long[8], &*long[10]), ("8", "36"));
    }
}
