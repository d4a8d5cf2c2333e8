//! Our search and `stateright`, a model checker for Rust, on the same models written
//! by hand for both: what the engines can do, without a front end. Ours stores all
//! of every state, theirs a fingerprint of 64 bits.

mod heap;
mod ours;
mod ticket;

use std::fmt::Debug;
use std::hash::Hash;

use exeunt_model::Verdict;
use stateright::{Checker, Model};

use crate::Result;
use crate::options::Options;
use crate::process::own_seconds;
use crate::table::{Table, progress, remark};
use ours::{Steps, Stepwise};

/// What a search counted, and the processor time it took.
#[derive(Clone, Copy, Debug)]
struct Run {
    states: usize,
    /// States that steps led to, seen before or not, and the initial one.
    generated: usize,
    bytes_per_state: f64,
    seconds: f64,
}

impl Run {
    fn speed(&self) -> f64 {
        self.generated as f64 / self.seconds
    }

    fn quicker(self, other: Option<Run>) -> Run {
        other.filter(|other| other.seconds < self.seconds).unwrap_or(self)
    }
}

pub fn measure(options: &Options) -> Result<()> {
    let mut table = Table::new(&[
        "model",
        "states",
        "generated",
        "generated/CPU s",
        "stateright's",
        "times faster",
        "bytes/state",
    ]);
    row(&mut table, options, "ticket lock: five bytes and four of each thread", &ticket::MODEL)?;
    row(&mut table, options, "heap: 48 objects of 64 bytes", &heap::MODEL)?;
    table.print("Our search beside stateright, on one core", options);
    remark("Ours stores states exactly, stateright 64 bits of hash of each.");
    Ok(())
}

fn row<M>(table: &mut Table, options: &Options, name: &str, model: &M) -> Result<()>
where
    M: Steps + Model<Action = usize> + Clone + Send + Sync + 'static,
    M::State: Clone + Debug + Hash + PartialEq + Send + Sync + 'static,
{
    if !options.wants_row(name) {
        return Ok(());
    }
    progress(name);
    let (mut ours, mut theirs) = (None, None);
    for _ in 0..options.repeat {
        ours = Some(run_ours(model)?.quicker(ours));
        theirs = Some(run_theirs(model)?.quicker(theirs));
    }
    let (Some(ours), Some(theirs)) = (ours, theirs) else { return Ok(()) };
    if (ours.states, ours.generated) != (theirs.states, theirs.generated) {
        return Err(format!("{name}: {ours:?}, but stateright has {theirs:?}"));
    }
    table.row(vec![
        name.to_string(),
        ours.states.to_string(),
        ours.generated.to_string(),
        format!("{:.0}", ours.speed()),
        format!("{:.0}", theirs.speed()),
        format!("{:.1}", ours.speed() / theirs.speed()),
        format!("{:.1}", ours.bytes_per_state),
    ]);
    Ok(())
}

fn run_ours(model: &impl Steps) -> Result<Run> {
    let before = own_seconds();
    let model = Stepwise(model);
    let mut session = exeunt_model::Model::open(&model, exeunt_model::Basis::Learnt);
    let report =
        exeunt_search::check(&mut *session, &exeunt_search::Options::default(), &mut |_| {});
    let seconds = own_seconds() - before;
    if report.verdict != Verdict::Holds {
        return Err(report.reason);
    }
    Ok(Run {
        states: report.statistics.states as usize,
        generated: report.statistics.transitions as usize + 1,
        bytes_per_state: report.statistics.bytes_per_state,
        seconds,
    })
}

fn run_theirs<M>(model: &M) -> Result<Run>
where
    M: Model<Action = usize> + Clone + Send + Sync + 'static,
    M::State: Clone + Debug + Hash + PartialEq + Send + Sync + 'static,
{
    let before = own_seconds();
    let checker = model.clone().checker().threads(1).spawn_dfs().join();
    let seconds = own_seconds() - before;
    if !checker.discoveries().is_empty() {
        return Err("stateright has found a counterexample".to_string());
    }
    Ok(Run {
        states: checker.unique_state_count(),
        generated: checker.state_count(),
        bytes_per_state: f64::NAN,
        seconds,
    })
}
