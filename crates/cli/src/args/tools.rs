//! Commands about the tool itself.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell that will read them
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManualArgs {
    /// Write exeunt.1 and a page for each command into this directory
    #[arg(short = 'o', value_name = "DIRECTORY")]
    pub(crate) directory: Option<PathBuf>,
    /// Write the pages of the book with all options and functions instead
    #[arg(long, requires = "directory")]
    pub(crate) markdown: bool,
}
