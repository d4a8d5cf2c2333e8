//! The options of `exeunt live`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{OUTPUT, PROPERTIES, SEARCH, ShowArgs};
use crate::values;

#[derive(Debug, Args)]
pub(crate) struct LiveArgs {
    /// A program for x86-64 Linux that uses the shared C library
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: PathBuf,
    /// Arguments for the program
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<String>,

    /// Go on after the first violation and report all
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) all: bool,

    /// Also report data races, as C11 defines them; the program must be compiled
    /// by `exeunt cc --live`
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) races: bool,
    /// Let each wait on a condition variable end without a signal, up to so
    /// many times for each thread
    #[arg(long, value_name = "TIMES", default_value = "0", help_heading = PROPERTIES)]
    pub(crate) spurious: u32,

    /// Every run satisfies this formula over global variables and functions; the
    /// program must be compiled by `exeunt cc --live`
    #[arg(long, value_name = "FORMULA", help_heading = PROPERTIES)]
    pub(crate) ltl: Vec<String>,
    /// The same for each line of a file
    #[arg(long, value_name = "FILE", help_heading = PROPERTIES)]
    pub(crate) ltl_file: Vec<PathBuf>,
    /// This is true in every state
    #[arg(long, value_name = "CONDITION", help_heading = PROPERTIES)]
    pub(crate) invariant: Vec<String>,
    /// Formulas speak of weakly fair runs only: a thread that stays able to move
    /// moves at some time
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) fair: bool,

    /// Store and compare states instead of running schedules: loops may be
    /// endless, and sections that are never left are found
    #[arg(long, conflicts_with_all = ["minimal", "random", "context_bound", "max_runs", "races"], help_heading = SEARCH)]
    pub(crate) states: bool,
    /// Give up after so many states, where states are stored
    #[arg(long, value_name = "STATES", value_parser = clap::value_parser!(u64).range(1..), help_heading = SEARCH)]
    pub(crate) max_states: Option<u64>,
    /// Find a schedule with the fewest steps that shows a violation
    #[arg(long, help_heading = SEARCH)]
    pub(crate) minimal: bool,
    /// Not every schedule, but so many at random; nothing is established
    #[arg(long, value_name = "SCHEDULES", conflicts_with_all = ["minimal", "max_runs"], value_parser = clap::value_parser!(u64).range(1..), help_heading = SEARCH)]
    pub(crate) random: Option<u64>,
    /// Which random schedules: the same number, the same schedules
    #[arg(long, value_name = "NUMBER", default_value = "1", help_heading = SEARCH)]
    pub(crate) seed: u64,
    /// Random schedules by priorities, and how probably a bug of this depth was
    /// missed: one that shows whenever so many orders of steps are wrong
    #[arg(long, value_name = "DEPTH", requires = "random", value_parser = clap::value_parser!(u32).range(1..=20), help_heading = SEARCH)]
    pub(crate) pct: Option<u32>,
    /// Only schedules with at most so many preemptive context switches
    #[arg(long, value_name = "K", conflicts_with_all = ["random", "minimal"], help_heading = SEARCH)]
    pub(crate) context_bound: Option<u32>,
    /// Do not follow schedules beyond so many steps
    #[arg(long, value_name = "STEPS", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..), help_heading = SEARCH)]
    pub(crate) max_depth: u64,
    /// Give up after so many schedules
    #[arg(long, value_name = "SCHEDULES", value_parser = clap::value_parser!(u64).range(1..), help_heading = SEARCH)]
    pub(crate) max_runs: Option<u64>,
    /// Give each thread of the program a kernel thread of its own: slower, for
    /// programs that keep something in the kernel for one thread
    #[arg(long, help_heading = SEARCH)]
    pub(crate) kernel_threads: bool,
    /// How many processes explore (default: one, and after half a second one for
    /// each core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = SEARCH)]
    pub(crate) jobs: Option<u16>,
    /// Give up after this time: 500ms, 10s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = values::duration, help_heading = SEARCH)]
    pub(crate) time: Option<Duration>,
    /// How long a thread may run without coming to an operation
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = values::duration, help_heading = SEARCH)]
    pub(crate) patience: Duration,

    /// Save the found schedule, for `exeunt replay`
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) save: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
}
