//! What is wrong with a model's text: plain data for the renderers.

use std::fmt;

use exeunt_model::{Label, Location};

/// One error in the model's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// One lower-case clause.
    pub message: String,
    pub location: Location,
    /// What the place is, if that has to be said: where a macro is used.
    pub label: String,
    /// Other places: where it is defined.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Vec<String>,
}

impl Diagnostic {
    pub(crate) fn new(message: impl Into<String>, location: Location, help: &[&str]) -> Self {
        let help = help.iter().map(|text| text.to_string()).collect();
        Diagnostic { message: message.into(), location, label: String::new(), labels: vec![], help }
    }
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
