//! What is wrong with a model's text: plain data for the renderers.

use std::fmt;

use exeunt_model::Location;

/// One error in the model's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// One lower-case clause.
    pub message: String,
    pub location: Location,
    /// What to do about it.
    pub help: Vec<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.message)?;
        for help in &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}
