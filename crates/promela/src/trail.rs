//! SPIN's trails: a run as lines `depth:process:statement`.
//!
//! A trail names every statement, also those inside atomic sequences and both
//! halves of a handshake, so one move of a schedule is one or several lines.
//! SPIN may merge statements that no other process observes and then names only the
//! first of them; reading a trail fills in the rest.

use std::fmt::{self, Write};

use exeunt_model::{Pool, Schedule};

use crate::PromelaModel;
use crate::machine::{Machine, Recorded};

/// Why a trail cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailError {
    /// Counted from one; zero if it is about the whole.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for TrailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line} of the trail: {}", self.message),
        }
    }
}

impl std::error::Error for TrailError {}

/// Number of the line, process, statement.
type Line = (usize, u32, u32);

/// More merged statements in a row than SPIN ever makes.
const MOST_MERGED: usize = 256;

/// A run, as a trail describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    pub schedule: Schedule,
    /// The move from which the run repeats for ever.
    pub cycle: Option<usize>,
    /// Moves that the trail does not name, because SPIN merged them with the one before.
    pub merged: Vec<usize>,
}

/// The run that a trail describes. Moves of a claim are left out: whoever
/// follows the run has its own.
pub fn read_trail(model: &PromelaModel, pool: &dyn Pool, text: &str) -> Result<Trail, TrailError> {
    let (lines, repeats) = parse(text)?;
    let mut machine = Machine::new(model, pool);
    let mut state = start(&mut machine)?;
    let mut schedule = Schedule::default();
    let mut cycle = None;
    let mut at = 0;
    let mut merged = 0;
    let mut filled_in = Vec::new();
    while at < lines.len() {
        let (line, pid, _) = lines[at];
        if repeats.is_some_and(|first| at >= first) {
            cycle.get_or_insert(schedule.moves.len());
        }
        let edges = machine.record(&state);
        let best = edges
            .iter()
            .filter_map(|edge| matched(edge, &lines[at..]).map(|count| (count, edge)))
            .max_by_key(|(count, _)| *count);
        let chosen = match best {
            Some((count, edge)) if count > 0 => {
                at += count;
                merged = 0;
                Some(edge)
            }
            // The process is in the middle of statements that SPIN merged.
            _ => {
                merged += 1;
                filled_in.push(schedule.moves.len());
                let mut own = edges.iter().filter(|edge| edge.step.actor.0 == pid);
                let only = own.next();
                only.filter(|_| own.next().is_none() && merged <= MOST_MERGED)
            }
        };
        let Some(edge) = chosen else {
            let message = format!("process {pid} cannot make this step here");
            return Err(TrailError { line, message });
        };
        schedule.moves.push(edge.step.clone());
        match &edge.target {
            Some(target) => state = target.clone(),
            None if at < lines.len() => {
                let message = "the run ends with a fault before this step".into();
                return Err(TrailError { line: lines[at].0, message });
            }
            None => {}
        }
    }
    Ok(Trail { schedule, cycle, merged: filled_in })
}

/// A schedule as a trail that `spin -t` follows, for a verifier that was made
/// without merging (`spin -o3`).
pub fn write_trail(
    model: &PromelaModel,
    pool: &dyn Pool,
    schedule: &Schedule,
    cycle: Option<usize>,
) -> Result<String, TrailError> {
    let mut machine = Machine::new(model, pool);
    let mut state = start(&mut machine)?;
    let mut out = String::new();
    let mut depth = 1;
    for (index, step) in schedule.moves.iter().enumerate() {
        if cycle == Some(index) {
            out.push_str("-1:-1:-1\n");
        }
        let edges = machine.record(&state);
        let Some(edge) = edges.into_iter().find(|edge| edge.step == *step) else {
            let message = format!("move {} ({step}) is not possible", index + 1);
            return Err(TrailError { line: 0, message });
        };
        for step in &edge.path {
            writeln!(out, "{depth}:{}:{}", step.pid, step.number).expect("writing to a string");
            depth += 1;
        }
        match edge.target {
            Some(target) => state = target,
            None => break,
        }
    }
    Ok(out)
}

fn start(machine: &mut Machine<'_>) -> Result<Vec<exeunt_model::CompId>, TrailError> {
    let message = "the model cannot start".to_string();
    machine.first_state().ok_or(TrailError { line: 0, message })
}

/// The steps of a trail, each with its line number, and the step from which
/// they repeat. Lines with negative numbers are remarks: -1 stands where the
/// cycle begins, -2 says that process 0 is a claim.
fn parse(text: &str) -> Result<(Vec<Line>, Option<usize>), TrailError> {
    let mut lines = Vec::new();
    let mut repeats = None;
    let mut claims = 0;
    for (index, line) in text.lines().enumerate() {
        let parts: Result<Vec<i64>, _> = line.trim().split(':').map(str::parse).collect();
        match parts.as_deref() {
            Ok([-1, ..]) => repeats = Some(lines.len()),
            Ok([-2, ..]) => claims = 1,
            Ok([depth, ..]) if *depth < 0 => {}
            Ok([_, pid, _]) if (0..claims).contains(pid) => {}
            Ok([_, pid, number]) if *pid >= 0 && *number >= 0 => {
                lines.push((index + 1, (*pid - claims) as u32, *number as u32));
            }
            _ if line.trim().is_empty() => {}
            _ => {
                let message = format!("`{line}` is not of the form depth:process:statement");
                return Err(TrailError { line: index + 1, message });
            }
        }
    }
    Ok((lines, repeats))
}

/// How many lines an edge accounts for; `None` if it does not follow them.
fn matched(edge: &Recorded, lines: &[Line]) -> Option<usize> {
    let mut count = 0;
    let mut last = None;
    for step in &edge.path {
        match lines.get(count) {
            Some((_, own, wanted)) if (*own, *wanted) == (step.pid, step.number) => {
                count += 1;
                last = Some(step.pid);
            }
            // A statement that was merged with the one before it.
            _ if last == Some(step.pid) => {}
            _ => return None,
        }
    }
    Some(count)
}
