//! Folding: what repeats is said once and counted.
//!
//! Invariant: every step is either shown or counted in exactly one fold, and
//! nothing is folded across a mark (the too-late point, the start of the
//! cycle, the end).

use exeunt_model::{ActorId, Noun};

use super::rows::Row;
use crate::words::count;

/// A line of the folded schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Step(Row),
    /// Steps left out: how many, and in words.
    Fold {
        steps: usize,
        text: String,
    },
    /// A remark between two steps.
    Mark(String),
}

/// The longest pattern whose repetition is looked for.
const LONGEST_PERIOD: usize = 24;
/// A pattern is folded from so many occurrences on.
const OCCURRENCES: usize = 3;
/// A run of one thread longer than this is shortened.
const RUN: usize = 14;
/// A part with more rows than this is shortened in its middle.
const PART: usize = 120;

/// Folds one part of a schedule.
pub(super) fn fold(rows: &[Row], noun: Noun) -> Vec<Item> {
    shorten(shorten_runs(fold_repetition(rows, noun), noun), noun)
}

fn fold_repetition(rows: &[Row], noun: Noun) -> Vec<Item> {
    let mut items = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let (period, occurrences) = repetition(&rows[at..]);
        let shown = &rows[at..at + period];
        items.extend(shown.iter().cloned().map(Item::Step));
        if occurrences > 1 {
            items.push(repeated(shown, occurrences - 1, noun));
        }
        at += period * occurrences;
    }
    items
}

fn repeated(shown: &[Row], times: usize, noun: Noun) -> Item {
    let steps = shown.len() * times;
    let text = if shown.len() == 1 {
        format!("{} like this one", more_steps(steps, Some(shown[0].actor), noun))
    } else {
        format!("the last {} steps {} more times", shown.len(), times)
    };
    Item::Fold { steps, text }
}

/// The pattern at the beginning of `rows` that covers most, and how often it
/// occurs in a row; one row once if nothing is worth folding.
fn repetition(rows: &[Row]) -> (usize, usize) {
    let mut best = (1, 1);
    for period in 1..=LONGEST_PERIOD.min(rows.len() / OCCURRENCES) {
        let matching = rows.iter().zip(&rows[period..]).take_while(|(a, b)| a.same(b)).count();
        let occurrences = matching / period + 1;
        let saved = period * (occurrences - 1);
        if occurrences >= OCCURRENCES && saved >= 3 && period * occurrences > best.0 * best.1 {
            best = (period, occurrences);
        }
    }
    best
}

/// Keeps the beginning and the end of long runs of one thread.
fn shorten_runs(items: Vec<Item>, noun: Noun) -> Vec<Item> {
    let mut out = Vec::with_capacity(items.len());
    let mut run: Vec<Item> = Vec::new();
    for item in items {
        if actor(&item).is_none() || run.first().and_then(actor) != actor(&item) {
            flush(&mut out, &mut run, noun);
        }
        if actor(&item).is_some() { run.push(item) } else { out.push(item) }
    }
    flush(&mut out, &mut run, noun);
    out
}

fn actor(item: &Item) -> Option<ActorId> {
    match item {
        Item::Step(row) => Some(row.actor),
        _ => None,
    }
}

fn flush(out: &mut Vec<Item>, run: &mut Vec<Item>, noun: Noun) {
    if run.len() <= RUN {
        out.append(run);
        return;
    }
    let (head, tail) = (RUN / 2, RUN / 2 - 1);
    let hidden = run.len() - head - tail;
    let who = run.first().and_then(actor);
    let mut rest = run.split_off(head);
    out.append(run);
    out.push(Item::Fold { steps: hidden, text: more_steps(hidden, who, noun) });
    out.extend(rest.drain(hidden..));
}

fn shorten(mut items: Vec<Item>, noun: Noun) -> Vec<Item> {
    if items.len() <= PART {
        return items;
    }
    let (head, tail) = (PART / 3, PART / 3);
    let end = items.split_off(items.len() - tail);
    let hidden = items.split_off(head);
    let steps = hidden.iter().map(steps).sum();
    items.push(Item::Fold { steps, text: more_steps(steps, None, noun) });
    items.extend(end);
    items
}

fn steps(item: &Item) -> usize {
    match item {
        Item::Step(_) => 1,
        Item::Fold { steps, .. } => *steps,
        Item::Mark(_) => 0,
    }
}

fn more_steps(steps: usize, actor: Option<ActorId>, noun: Noun) -> String {
    let who = actor.map_or_else(String::new, |actor| format!(" of {}", noun.call(actor)));
    format!("{}{who}", count(steps as u64, "more step"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(step: usize, actor: u32, text: &str) -> Row {
        Row { step, actor: ActorId(actor), lines: vec![text.to_string()], quoted: Vec::new() }
    }

    fn total(items: &[Item]) -> usize {
        items.iter().map(steps).sum()
    }

    fn texts(items: &[Item]) -> Vec<String> {
        let text = |item: &Item| match item {
            Item::Step(row) => format!("{}", row.step),
            Item::Fold { text, .. } | Item::Mark(text) => text.clone(),
        };
        items.iter().map(text).collect()
    }

    #[test]
    fn one_repeated_step_is_counted() {
        let rows: Vec<Row> = (1..=9).map(|n| row(n, 1, "x == 0")).collect();
        assert_eq!(
            texts(&fold(&rows, Noun::Thread)),
            ["1", "8 more steps of thread 2 like this one"]
        );
    }

    #[test]
    fn a_round_of_two_threads_is_counted() {
        let rows: Vec<Row> = (1..=10).map(|n| row(n, (n % 2) as u32, "spins")).collect();
        assert_eq!(texts(&fold(&rows, Noun::Thread)), ["1", "2", "the last 2 steps 4 more times"]);
    }

    #[test]
    fn twice_is_not_yet_a_pattern() {
        let rows = [row(1, 0, "a"), row(2, 0, "b"), row(3, 0, "a"), row(4, 0, "b")];
        assert_eq!(texts(&fold(&rows, Noun::Thread)), ["1", "2", "3", "4"]);
    }

    #[test]
    fn a_long_run_keeps_its_ends() {
        let rows: Vec<Row> = (1..=40).map(|n| row(n, 1, &n.to_string())).collect();
        let items = fold(&rows, Noun::Thread);
        assert_eq!(total(&items), 40);
        let shown = texts(&items);
        assert_eq!(shown[6..9], ["7", "27 more steps of thread 2", "35"]);
    }

    #[test]
    fn a_very_long_part_keeps_its_ends_and_counts_every_step() {
        let rows: Vec<Row> =
            (1..=5000).map(|n| row(n, (n % 3) as u32, &(n * n).to_string())).collect();
        let items = fold(&rows, Noun::Thread);
        assert!(items.len() <= PART);
        assert_eq!(total(&items), 5000);
        assert_eq!(texts(&items).last().map(String::as_str), Some("5000"));
    }
}
