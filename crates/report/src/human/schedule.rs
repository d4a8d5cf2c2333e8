//! The schedule as columns, one for each thread that takes part, or as a
//! plain list where the terminal is too narrow for that.

use std::collections::BTreeSet;
use std::fmt::Write;

use exeunt_model::{ActorId, Noun, Property, Trace, Violation};

use super::fold::{Item, fold};
use super::layout::{fit, unbroken, width, wrap};
use super::rows::{Row, beginning, rows};
use super::{BAD, FAINT, STRONG, UNSURE};
use crate::words::{count, printable};
use crate::{Options, Sources};

/// Space between two columns.
const GAP: usize = 2;

pub(super) fn render(violation: &Violation, sources: &Sources, options: &Options) -> String {
    let trace = &violation.trace;
    let mut out = String::new();
    if trace.steps.is_empty() {
        let _ = writeln!(out, "\n{STRONG}schedule{STRONG:#}: before the first step");
        return out;
    }
    let items = items(violation, sources, options);
    let steps = count(trace.steps.len() as u64, "step");
    let _ = writeln!(out, "\n{STRONG}schedule{STRONG:#}: {steps}\n");
    let mut all = items.clone();
    let before = beginning(trace, sources, options);
    all.extend(before.clone().map(Item::Step));
    let table = Table::new(violation, &all, options.width);
    table.header(&mut out, trace);
    if let Some(row) = before {
        table.row(&mut out, &row);
    }
    for item in &items {
        table.item(&mut out, item);
    }
    table.end(&mut out, violation);
    out
}

/// Steps of a trace that are folded into a line.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Folded {
    /// The index of the first.
    from: usize,
    count: usize,
    text: String,
}

/// What each step does, in the lines of its row.
pub(crate) fn lines(trace: &Trace) -> Vec<Vec<String>> {
    let options = Options { output: true, ..Options::default() };
    rows(trace, &Sources::new(), &options).into_iter().map(|row| row.lines).collect()
}

/// What is folded of a trace.
pub(crate) fn folded(trace: &Trace) -> Vec<Folded> {
    let options = Options::default();
    let rows = rows(trace, &Sources::new(), &options);
    let mut at = 0;
    let mut parts = vec![0, rows.len()];
    parts.extend([trace.too_late, trace.cycle_start].into_iter().flatten());
    parts.retain(|part| *part <= rows.len());
    parts.sort_unstable();
    let mut folds = Vec::new();
    for part in parts.windows(2) {
        for item in fold(&rows[part[0]..part[1]], trace.noun) {
            match item {
                Item::Step(_) => at += 1,
                Item::Fold { steps, text } => {
                    folds.push(Folded { from: at, count: steps, text });
                    at += steps;
                }
                Item::Mark(_) => {}
            }
        }
    }
    folds
}

/// The steps, folded part by part between the marks.
fn items(violation: &Violation, sources: &Sources, options: &Options) -> Vec<Item> {
    let trace = &violation.trace;
    let rows = rows(trace, sources, options);
    let mut items = Vec::new();
    let mut done = 0;
    for (at, text) in marks(violation) {
        let at = at.min(rows.len());
        part(&mut items, &rows[done.min(at)..at], trace.noun, options);
        done = done.max(at);
        items.push(Item::Mark(text));
    }
    part(&mut items, &rows[done..], trace.noun, options);
    items
}

fn part(items: &mut Vec<Item>, rows: &[Row], noun: Noun, options: &Options) {
    if options.full_trace {
        items.extend(rows.iter().cloned().map(Item::Step));
    } else {
        items.extend(fold(rows, noun));
    }
}

/// Remarks and the number of steps before them, in order.
fn marks(violation: &Violation) -> Vec<(usize, String)> {
    let trace = &violation.trace;
    let mut marks = Vec::new();
    if let Some(at) = trace.too_late {
        marks.push((at, "from here on it is too late".to_string()));
    }
    if let Some(at) = trace.cycle_start.filter(|at| *at < trace.steps.len()) {
        marks.push((at, "from here on this repeats for ever".to_string()));
    }
    marks.sort_by_key(|(at, _)| *at);
    marks
}

struct Table {
    actors: Vec<ActorId>,
    noun: Noun,
    /// Empty: too narrow for columns, one list instead.
    widths: Vec<usize>,
    /// Of the step numbers.
    margin: usize,
    width: usize,
}

impl Table {
    fn new(violation: &Violation, items: &[Item], width: usize) -> Self {
        let trace = &violation.trace;
        let shown = items.iter().filter_map(|item| match item {
            Item::Step(row) => Some(row.actor),
            Item::Fold { .. } | Item::Mark(_) => None,
        });
        let actors: BTreeSet<ActorId> =
            trace.steps.iter().map(|step| step.actor).chain(shown).collect();
        let actors: Vec<ActorId> = actors.into_iter().collect();
        let margin = trace.steps.len().to_string().len().max("step".len()) + GAP;
        let wanted: Vec<usize> = actors.iter().map(|actor| wanted(*actor, trace, items)).collect();
        let least: Vec<usize> = actors.iter().map(|actor| least(*actor, items)).collect();
        let widths = fit(&wanted, &least, GAP, width.saturating_sub(margin)).unwrap_or_default();
        Table { actors, noun: trace.noun, widths, margin, width }
    }

    fn header(&self, out: &mut String, trace: &Trace) {
        if self.widths.is_empty() {
            for actor in &self.actors {
                let who = trace.noun.call(*actor);
                let _ = writeln!(out, "{STRONG}{who}{STRONG:#} is {}", name(*actor, trace));
            }
            out.push('\n');
            return;
        }
        let titles: Vec<String> = self.actors.iter().map(|actor| trace.noun.call(*actor)).collect();
        let names: Vec<String> = self.actors.iter().map(|actor| name(*actor, trace)).collect();
        self.heading(out, "step", &titles);
        self.heading(out, "", &names);
    }

    fn heading(&self, out: &mut String, margin: &str, cells: &[String]) {
        let mut line = format!("{margin:<width$}", width = self.margin);
        for (cell, width) in cells.iter().zip(&self.widths) {
            let mut cell = wrap(cell, *width).swap_remove(0);
            pad(&mut cell, *width + GAP);
            line.push_str(&cell);
        }
        let _ = writeln!(out, "{STRONG}{}{STRONG:#}", line.trim_end());
    }

    fn item(&self, out: &mut String, item: &Item) {
        match item {
            Item::Step(row) => self.row(out, row),
            Item::Fold { text, .. } => {
                let indent = " ".repeat(self.margin);
                let _ =
                    writeln!(out, "{indent}{FAINT}… {text}, `--full-trace` shows them{FAINT:#}");
            }
            Item::Mark(text) => self.mark(out, text),
        }
    }

    fn mark(&self, out: &mut String, text: &str) {
        let indent = " ".repeat(self.margin);
        let _ = writeln!(out, "{indent}{UNSURE}--- {text} ---{UNSURE:#}");
    }

    fn row(&self, out: &mut String, row: &Row) {
        let (indent, limit) = self.cell(row.actor);
        let number = if row.step == 0 { String::new() } else { row.step.to_string() };
        let mut number = format!("{number:>width$}", width = self.margin - GAP);
        for (index, text) in row.lines.iter().enumerate() {
            if row.quoted.contains(&index) {
                self.quote(out, indent, text);
                continue;
            }
            for line in wrap(&self.prefixed(row.actor, text), limit) {
                let _ = writeln!(out, "{FAINT}{number}{FAINT:#}{}{line}", " ".repeat(GAP + indent));
                number = " ".repeat(self.margin - GAP);
            }
        }
    }

    /// A line of the source: nothing stands beside it, so it may be wider than its column.
    fn quote(&self, out: &mut String, indent: usize, text: &str) {
        let room = self.width.saturating_sub(self.margin).max(super::layout::NARROWEST);
        let text = cut(text, room);
        let indent = self.margin + indent.min(room.saturating_sub(width(&text)));
        let _ = writeln!(out, "{}{FAINT}{text}{FAINT:#}", " ".repeat(indent));
    }

    /// Where the column of an actor begins (after the margin), and its width.
    fn cell(&self, actor: ActorId) -> (usize, usize) {
        if self.widths.is_empty() {
            return (0, self.width.saturating_sub(self.margin).max(super::layout::NARROWEST));
        }
        let column = self.actors.iter().position(|other| *other == actor).unwrap_or(0);
        let indent = self.widths[..column].iter().map(|width| width + GAP).sum();
        (indent, self.widths[column])
    }

    fn prefixed(&self, actor: ActorId, text: &str) -> String {
        match self.widths.is_empty() {
            true => format!("{}  {text}", self.noun.call(actor)),
            false => text.to_string(),
        }
    }

    /// What the last step led to.
    fn end(&self, out: &mut String, violation: &Violation) {
        let trace = &violation.trace;
        if let Some(at) = trace.cycle_start.filter(|at| *at < trace.steps.len()) {
            self.mark(out, &format!("and again from step {}", at + 1));
            return;
        }
        match violation.property {
            Property::Deadlock => self.mark(out, &format!("no {} can move", trace.noun.name())),
            Property::Section => self.mark(out, "what is open here is never left"),
            Property::Termination => self.mark(out, "from here it cannot end"),
            property => {
                let (indent, _) = trace.steps.last().map_or((0, 0), |step| self.cell(step.actor));
                let indent = " ".repeat(self.margin + indent);
                let place = violation.location.as_ref().filter(|place| place.is_known());
                let place =
                    place.map_or_else(String::new, |place| format!(" at line {}", place.line));
                let _ = writeln!(out, "{indent}{BAD}^ error[{property}]{place}{BAD:#}");
            }
        }
    }
}

/// The width from which on no identifier in a column is broken.
fn least(actor: ActorId, items: &[Item]) -> usize {
    let cells = items.iter().filter_map(|item| match item {
        Item::Step(row) if row.actor == actor => wrapped(row).map(unbroken).max(),
        _ => None,
    });
    cells.max().unwrap_or(0)
}

fn wanted(actor: ActorId, trace: &Trace, items: &[Item]) -> usize {
    let title = width(&trace.noun.call(actor)).max(width(&name(actor, trace)));
    let cells = items.iter().filter_map(|item| match item {
        Item::Step(row) if row.actor == actor => wrapped(row).map(width).max(),
        _ => None,
    });
    cells.max().unwrap_or(0).max(title)
}

/// The lines of a row that its column is made for.
fn wrapped(row: &Row) -> impl Iterator<Item = &str> {
    let own = row.lines.iter().enumerate().filter(|(index, _)| !row.quoted.contains(index));
    own.map(|(_, line)| line.as_str())
}

/// At most so many columns of a text.
fn cut(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_string();
    }
    let mut out = String::new();
    for c in text.chars() {
        out.push(c);
        if width(&out) >= room {
            out.pop();
            break;
        }
    }
    out + "…"
}

fn name(actor: ActorId, trace: &Trace) -> String {
    trace.actors.get(actor.0 as usize).map_or_else(String::new, |name| printable(name))
}

fn pad(text: &mut String, to: usize) {
    let missing = to.saturating_sub(width(text));
    text.extend(std::iter::repeat_n(' ', missing));
}
