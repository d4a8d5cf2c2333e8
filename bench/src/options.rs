//! What the command line asks for: which benches, how often, in which form.

use std::env;
use std::path::PathBuf;

use crate::{BENCHES, Result};

#[derive(Clone)]
pub struct Options {
    /// The binary that is measured.
    pub exeunt: PathBuf,
    /// The binary of an earlier version, to compare with.
    pub before: Option<PathBuf>,
    /// The directory with `kernels` and `programs`.
    pub root: PathBuf,
    /// Tables in Markdown instead of aligned text.
    pub markdown: bool,
    /// How often each run is repeated; the least time counts.
    pub repeat: usize,
    /// Only rows whose name contains this.
    only: String,
    names: Vec<String>,
}

impl Options {
    pub fn from_command_line() -> Result<Options> {
        let exeunt = env::var_os("EXEUNT").ok_or("EXEUNT is not set; use ./x bench")?;
        let mut options = Options {
            exeunt: exeunt.into(),
            before: env::var_os("EXEUNT_BEFORE").map(PathBuf::from),
            root: PathBuf::from("bench"),
            markdown: false,
            repeat: 3,
            only: String::new(),
            names: Vec::new(),
        };
        let mut arguments = env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--root" => options.root = value()?.into(),
                "--markdown" => options.markdown = true,
                "--repeat" => options.repeat = positive(&value()?)?,
                "--only" => options.only = value()?,
                name => options.names.push(known(name)?),
            }
        }
        Ok(options)
    }

    pub fn wants(&self, bench: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| name == bench)
    }

    /// The same for the earlier version.
    pub fn earlier(&self) -> Option<Options> {
        Some(Options { exeunt: self.before.clone()?, ..self.clone() })
    }

    /// Whether a bench was asked for by its name.
    pub fn names_it(&self, bench: &str) -> bool {
        self.names.iter().any(|name| name == bench)
    }

    pub fn wants_row(&self, row: &str) -> bool {
        row.contains(&self.only)
    }
}

fn positive(text: &str) -> Result<usize> {
    text.parse().ok().filter(|n| *n > 0).ok_or(format!("`{text}` is not a number of runs"))
}

fn known(name: &str) -> Result<String> {
    let names: Vec<&str> = BENCHES.iter().map(|(name, _)| *name).collect();
    if names.contains(&name) {
        Ok(name.to_string())
    } else {
        Err(format!("there is no bench `{name}`; there are {}", names.join(", ")))
    }
}
