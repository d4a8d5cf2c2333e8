//! Why a search did not come to its end: variables that take ever new values, such as
//! tickets, sequence numbers and statistics. Each new value makes the rest of the
//! program a new state.
//!
//! This is advice, read off a sample of the states, and never part of a verdict.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use exeunt_model::{CompId, Detail, Edge, Sink, Target};

use crate::explore::Graph;

/// States that are looked at on a walk through the program, and the steps from one to
/// the next.
const SAMPLE: usize = 128;
const STRIDE: usize = 16;
/// What the walk may take: single steps may be long.
const PATIENCE: Duration = Duration::from_millis(400);

/// What to say about the variables that make a search large, if some do.
pub fn advice(graph: &mut Graph<'_>) -> Option<String> {
    let names = growing(graph);
    let (first, others) = names.split_first()?;
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (takes, its) = match others.is_empty() {
        true => ("takes", "its value does"),
        false => ("take", "their values do"),
    };
    Some(format!(
        "{} {takes} ever new values, which makes ever new states: if {its} not matter, `--ignore \
         {first}` compares states without",
        quoted.join(", ")
    ))
}

/// Variables that had a new value in most states of a walk.
fn growing(graph: &mut Graph<'_>) -> Vec<String> {
    let mut values: BTreeMap<String, BTreeSet<i128>> = BTreeMap::new();
    walk(graph, &mut |name, value| {
        values.entry(name).or_default().insert(value);
    });
    let most = values.values().map(BTreeSet::len).max().unwrap_or(0);
    let many = |seen: &BTreeSet<i128>| seen.len() >= SAMPLE / 2 && seen.len() * 2 > most;
    values.into_iter().filter(|(_, seen)| many(seen)).map(|(name, _)| name).collect()
}

/// Walks on from the initial state, and tells the numbers that variables have on the way.
fn walk(graph: &mut Graph<'_>, tell: &mut dyn FnMut(String, i128)) {
    let Some(initial) = graph.initial else { return };
    let (begin, first) = (Instant::now(), graph.vector(initial));
    let mut at = first.clone();
    for step in 0..SAMPLE * STRIDE {
        if begin.elapsed() > PATIENCE {
            return;
        }
        if step % STRIDE == 0 {
            for (name, value) in graph.worker.variables(&at) {
                if let Ok(value) = value.parse() {
                    tell(name, value);
                }
            }
        }
        let mut any = Any { seen: 0, chosen: None, step: step as u64 };
        graph.worker.expand(&at, Detail::Targets, None, &mut any);
        at = any.chosen.unwrap_or_else(|| first.clone());
    }
}

/// Keeps one of the successors, any of them as likely as the others.
struct Any {
    seen: u64,
    chosen: Option<Vec<CompId>>,
    step: u64,
}

impl Sink for Any {
    fn edge(&mut self, _: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if let Target::State(state) = target {
            self.seen += 1;
            let number = (self.step << 8 | self.seen).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            if number.is_multiple_of(self.seen) {
                self.chosen = Some(state.to_vec());
            }
        }
        ControlFlow::Continue(())
    }
}
