//! Proofs and their certificates.

use std::path::PathBuf;

use clap::Args;

use super::{Compiling, LimitArgs, OUTPUT, PROPERTIES, ShowArgs};
use crate::threads::ThreadArgs;

#[derive(Debug, Args)]
pub(crate) struct ProveArgs {
    /// C, C++ or LLVM files, or one Promela model (.pml)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) thread: ThreadArgs,
    #[command(flatten)]
    pub(crate) compiling: Compiling,

    /// Ask for a cycle in which this channel or variable grows; without a
    /// name, any
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "", help_heading = PROPERTIES)]
    pub(crate) grow: Option<String>,
    /// Ask for a cycle in which a process of this type takes part
    #[arg(long, value_name = "PROCTYPE", help_heading = PROPERTIES)]
    pub(crate) process: Option<String>,
    /// List every kind of cycle of a model: who moves in it and what grows; not only the best one. Of a
    /// C program: ask about every thread and every loop, as without `--thread`
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Write the certificate of the proof, for `exeunt certify`
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) certificate: Option<PathBuf>,
    /// Save the infinite run of a C program, for `exeunt replay`
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) save: Option<PathBuf>,
    /// Show the cycle as a program with numbers for queues
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) show_program: bool,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CertifyArgs {
    /// A file written by `exeunt prove --certificate`
    #[arg(value_name = "FILE")]
    pub(crate) certificate: PathBuf,
    /// The model, if it is not where the certificate says
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
}
