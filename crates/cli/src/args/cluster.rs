//! Several processes that search together.

use clap::Args;

use super::SEARCH;

/// Which processes there are; not part of what is checked.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ClusterArgs {
    /// Search with so many processes on this machine, each of which stores a part of the states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = SEARCH)]
    pub(crate) processes: Option<u16>,
    /// Search with processes on several machines: where each listens. The same command is given
    /// on each machine, with `--process`
    #[arg(long, value_name = "HOST:PORT,…", value_delimiter = ',', help_heading = SEARCH)]
    pub(crate) workers: Vec<String>,
    /// Which of `--workers` this process is, counted from 0, which reports (default: 0)
    #[arg(long, value_name = "I", requires = "workers", help_heading = SEARCH)]
    pub(crate) process: Option<u16>,
    /// The socket to listen on is standard input; processes that `--processes` starts have that
    #[arg(long, hide = true, requires = "process")]
    pub(crate) listens_on_input: bool,
}

impl ClusterArgs {
    /// Whether several processes are asked for.
    pub(crate) fn is_wanted(&self) -> bool {
        self.processes.is_some() || !self.workers.is_empty()
    }

    /// Whether this process works for another one, which reports.
    pub(crate) fn follows(&self) -> bool {
        self.process.is_some_and(|process| process > 0)
    }

    /// Whether it was not started by `--processes`, although that is asked for.
    pub(crate) fn asks_twice(&self) -> bool {
        self.processes.is_some() && !self.workers.is_empty() && !self.listens_on_input
    }
}
