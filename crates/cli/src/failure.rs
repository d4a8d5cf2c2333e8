//! Why a command ended without a report.

use std::fmt;
use std::path::Path;

/// The exit code of bad usage and bad input: nothing was checked.
pub(crate) const BAD_INPUT: u8 = 2;
/// The exit code of an interrupted run.
pub(crate) const INTERRUPTED: u8 = 130;

#[derive(Debug)]
pub(crate) enum Failure {
    /// Usage or input: one clause, lower case, and what to do about it.
    Bad { message: String, help: Option<String> },
    /// What a compiler wrote, to be shown as it is.
    Compiler(String),
    /// A whole message, with the place it is about.
    Placed(String),
    /// The user ended the run before there was anything to tell.
    Interrupted,
}

impl Failure {
    pub(crate) fn bad(message: impl fmt::Display) -> Self {
        Failure::Bad { message: message.to_string(), help: None }
    }

    pub(crate) fn help(self, text: impl Into<String>) -> Self {
        match self {
            Failure::Bad { message, .. } => Failure::Bad { message, help: Some(text.into()) },
            other => other,
        }
    }

    /// A file that could not be read or written.
    pub(crate) fn file(doing: &str, path: &Path, why: &std::io::Error) -> Self {
        Failure::bad(format!("cannot {doing} {}: {}", path.display(), plain(why)))
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Bad { .. } | Failure::Compiler(_) | Failure::Placed(_) => BAD_INPUT,
            Failure::Interrupted => INTERRUPTED,
        }
    }

    pub(crate) fn print(&self) {
        match self {
            Failure::Bad { message, help } => {
                error(message);
                if let Some(text) = help {
                    self::help(text);
                }
            }
            Failure::Compiler(text) => {
                anstream::eprintln!("{}", text.trim_end());
                error("the program does not compile");
                if text.contains("error: module '") {
                    help(
                        "C++ modules are not supported; include the headers instead of importing them",
                    );
                }
            }
            Failure::Placed(text) => anstream::eprint!("{text}"),
            Failure::Interrupted => error("interrupted before the search began"),
        }
    }
}

const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();
const YELLOW: anstyle::Style = anstyle::AnsiColor::Yellow.on_default().bold();
const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// Prints one message of the class "error" to stderr.
pub(crate) fn error(message: &str) {
    anstream::eprintln!("{RED}error{RED:#}{BOLD}: {message}{BOLD:#}");
}

/// What to try, below an error.
fn help(text: &str) {
    anstream::eprintln!("  {BOLD}={BOLD:#} help: {text}");
}

/// Something that the user should know before it takes long.
pub(crate) fn warning(message: &str, help: &str) {
    anstream::eprintln!("{YELLOW}warning{YELLOW:#}{BOLD}: {message}{BOLD:#}\n  = note: {help}");
}

/// The text of an I/O error without Rust's "(os error 2)".
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    let mut text = text[..end].to_string();
    if let Some(first) = text.get(..1) {
        let lower = first.to_lowercase();
        text.replace_range(..1, &lower);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn io_errors_read_as_clauses() {
        let error = std::fs::read("/nonexistent/file").expect_err("no such file");
        assert_eq!(plain(&error), "no such file or directory");
    }
}
