//! A place in the user's source text.

use std::fmt;
use std::sync::Arc;

/// A source position. Lines and columns count from one; zero means unknown.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
    /// The function (or process type) that the position is in; may be empty.
    pub function: Arc<str>,
}

impl Location {
    /// A position about which only the function is known.
    pub fn in_function(function: &str) -> Self {
        Location { file: Arc::from(""), line: 0, column: 0, function: Arc::from(function) }
    }

    /// Whether there is a line to show.
    pub fn is_known(&self) -> bool {
        self.line != 0 && !self.file.is_empty()
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_known() {
            write!(f, "{}:{}", self.file, self.line)?;
            if self.column != 0 {
                write!(f, ":{}", self.column)?;
            }
            Ok(())
        } else if self.function.is_empty() {
            f.write_str("an unknown place")
        } else {
            write!(f, "function {}", self.function)
        }
    }
}
