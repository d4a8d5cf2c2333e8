//! What the checked program finds outside: standard input, files, environment variables.

use std::path::{Path, PathBuf};

use clap::Args;
use exeunt_vm::VmOptions;
use serde::{Deserialize, Serialize};

use super::PROGRAM;
use crate::failure::Failure;

/// Trace files keep it.
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct InputArgs {
    /// What standard input contains: that of this file
    #[arg(long, value_name = "FILE", help_heading = PROGRAM)]
    pub(crate) stdin: Option<PathBuf>,
    /// A file that the program can open under this path, in memory; may be repeated. No
    /// other file exists. `NAME=PATH` gives it another name
    #[arg(long, value_name = "PATH", help_heading = PROGRAM)]
    pub(crate) file: Vec<String>,
    /// An environment variable; may be repeated. There are no others
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment, help_heading = PROGRAM)]
    pub(crate) env: Vec<String>,
}

fn assignment(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, _)) if !name.is_empty() && !text.contains('\0') => Ok(text.to_string()),
        _ => Err("expected NAME=VALUE".to_string()),
    }
}

/// The name that the program uses, and where the contents are.
fn named(file: &str) -> (&str, &Path) {
    let (name, path) = file.split_once('=').unwrap_or((file, file));
    (name, Path::new(path))
}

impl InputArgs {
    /// All files that have to stay as they are for a schedule to be run again.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        let files = self.file.iter().map(|file| named(file).1.to_path_buf());
        self.stdin.iter().cloned().chain(files).collect()
    }

    pub(crate) fn apply(&self, options: &mut VmOptions) -> Result<(), Failure> {
        let read =
            |path: &Path| std::fs::read(path).map_err(|why| Failure::file("read", path, &why));
        options.stdin = self.stdin.as_deref().map(read).transpose()?;
        for file in &self.file {
            let (name, path) = named(file);
            options.files.push((name.to_string(), read(path)?));
        }
        let split = |text: &String| {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            (name.to_string(), value.to_string())
        };
        if !self.env.is_empty() {
            options.environment = Some(self.env.iter().map(split).collect());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_can_have_another_name() {
        assert_eq!(named("a/b.txt"), ("a/b.txt", Path::new("a/b.txt")));
        assert_eq!(named("in.txt=data/1.txt"), ("in.txt", Path::new("data/1.txt")));
        assert!(assignment("=x").is_err() && assignment("HOME").is_err());
        assert_eq!(assignment("A=b=c").as_deref(), Ok("A=b=c"));
    }
}
