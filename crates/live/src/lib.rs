//! `exeunt live`: the native program itself, under every schedule.
//!
//! This side starts the program with the runtime loaded into it (`process`),
//! listens to what the runtime says (`session`), and makes the report: source
//! lines and names from the debug information (`symbols`), and the story of a
//! found schedule by running it once more (`story`), with states if they are wanted (`look`, `debug`). `graph` is the program as a
//! model with states. `compiler` makes programs that call the runtime at every
//! access to memory.
//!
//! Must not know: terminals, arguments, output formats.

mod atomics;
mod compiler;
mod debug;
mod debugger;
mod explain;
mod graph;
mod hang;
mod loaded;
mod look;
mod names;
mod process;
mod program;
mod report;
mod session;
mod shorten;
mod story;
mod symbols;
mod wording;

pub use compiler::compile;
pub use debugger::debug;
pub use explain::explain;
pub use graph::{Graph, Proposition};
pub use look::states_along;
pub use program::{Program, Refusal};
pub use report::{explore, explore_briefly, follow};
pub use session::Progress;
pub use story::{Made, operations};

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How many random schedules are run, and with which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    pub runs: u64,
    pub seed: u64,
    /// By priorities, with a guarantee for bugs of this depth.
    pub depth: Option<u32>,
}

/// Where a run begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// In a state of the run before, if that can be; otherwise at the beginning.
    #[default]
    Resume,
    /// At the beginning, by taking memory back.
    Beginning,
    /// At the beginning, in a process of its own.
    Process,
}

/// What is asked, and where to stop.
#[derive(Clone, Debug)]
pub struct Options {
    /// Find a schedule with the fewest steps.
    pub minimal: bool,
    /// Go on after a violation.
    pub all: bool,
    pub max_depth: u64,
    pub max_runs: Option<u64>,
    /// Not every schedule, but some at random.
    pub random: Option<Random>,
    /// Only schedules with so many preemptions.
    pub context_bound: Option<u32>,
    /// Report data races, too. Accesses to memory must be seen for that.
    pub races: bool,
    /// How often each thread may be woken without a signal.
    pub spurious: u32,
    pub time: Option<Duration>,
    /// How long a thread may run without coming to an operation.
    pub patience: Duration,
    /// Each thread of the program has a kernel thread.
    pub kernel_threads: bool,
    /// Atomic instructions of a program that was not instrumented are steps.
    pub atomics: bool,
    pub restart: Restart,
    /// How many processes explore.
    pub jobs: usize,
    /// They all begin at once; otherwise one begins, and the others come if it
    /// takes long.
    pub hurry: bool,
    /// Set from outside to end the exploration with what is known.
    pub interrupt: Arc<AtomicBool>,
}

impl Options {
    /// The part of the plan that decides what the program does.
    fn always(&self) -> String {
        let spurious = match self.spurious {
            0 => String::new(),
            times => format!(" spurious={times}"),
        };
        let kernel = if self.kernel_threads { " kernel=1" } else { "" };
        let races = if self.races { " races=1" } else { "" };
        let atomics = if self.atomics { " atomics=1" } else { "" };
        spurious + kernel + races + atomics
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            minimal: false,
            all: false,
            max_depth: 1000,
            max_runs: None,
            random: None,
            context_bound: None,
            races: false,
            spurious: 0,
            time: None,
            patience: Duration::from_secs(10),
            kernel_threads: false,
            atomics: false,
            restart: Restart::Resume,
            jobs: 1,
            hurry: false,
            interrupt: Arc::default(),
        }
    }
}
