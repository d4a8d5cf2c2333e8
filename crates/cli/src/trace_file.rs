//! Trace files: everything that is needed to run a found schedule again, and
//! to notice when the program is not the one it was found in.

use std::path::Path;

use exeunt_model::{Location, Schedule, Violation};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::inputs::{self, Input};
use crate::settings::Settings;

/// Raised when old files can no longer be read.
const FORMAT: u32 = 4;

/// What to do about a file that is none.
const WRITTEN_BY: &str = "trace files are written by `exeunt check FILE --save TRACE` and `exeunt live PROGRAM --save TRACE`";

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TraceFile {
    /// Always "trace": tells the file from a report.
    exeunt: String,
    format: u32,
    version: String,
    pub(crate) settings: Settings,
    /// The files as they were, by the names they were given.
    inputs: Vec<Input>,
    schedule: String,
    /// The move from which the run repeats for ever.
    #[serde(default)]
    pub(crate) cycle: Option<usize>,
    pub(crate) expected: Expected,
}

/// What the schedule leads to.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Expected {
    pub(crate) property: String,
    pub(crate) message: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    /// The id of the temporal question that it answers.
    #[serde(default)]
    pub(crate) question: Option<String>,
    /// The thread that moves for ever in what repeats.
    #[serde(default)]
    pub(crate) thread: Option<String>,
}

impl Expected {
    pub(crate) fn new(violation: &Violation) -> Self {
        let unknown = Location::in_function("");
        let location = violation.location.as_ref().unwrap_or(&unknown);
        Expected {
            property: violation.property.name().to_string(),
            message: violation.message.clone(),
            file: location.file.to_string(),
            line: location.line,
            question: violation.question.clone(),
            thread: None,
        }
    }
}

impl TraceFile {
    pub(crate) fn new(settings: &Settings, violation: &Violation) -> Result<Self, Failure> {
        Ok(TraceFile {
            exeunt: "trace".to_string(),
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_string(),
            settings: settings.clone(),
            inputs: inputs::of(&settings.inputs())?,
            schedule: violation.trace.schedule.to_string(),
            cycle: violation.trace.cycle_start,
            expected: Expected::new(violation),
        })
    }

    /// The same, of a run in which this thread moves for ever.
    pub(crate) fn of_thread(mut self, name: &str) -> Self {
        self.expected.thread = Some(name.to_string());
        self
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        std::fs::write(path, self.text()).map_err(|why| Failure::file("write", path, &why))
    }

    pub(crate) fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("plain data has a JSON form");
        text.push('\n');
        text
    }

    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = std::fs::read(path)
            .map_err(|why| Failure::file("read", path, &why).help(WRITTEN_BY))?;
        TraceFile::parse(&text, path)
    }

    /// Reads the text of a file of this name.
    pub(crate) fn parse(text: &[u8], path: &Path) -> Result<Self, Failure> {
        let not_ours = |why: String| {
            Failure::bad(format!("{} is not a trace file: {why}", path.display())).help(WRITTEN_BY)
        };
        if text.trim_ascii().is_empty() {
            return Err(Failure::bad(format!("{} is empty", path.display())).help(WRITTEN_BY));
        }
        let value: serde_json::Value =
            serde_json::from_slice(text).map_err(|why| not_ours(why.to_string()))?;
        if value["exeunt"] == crate::live::KIND {
            return Err(Failure::bad(format!("{} is of a native program", path.display())).help(
                "`exeunt replay` runs it again, `exeunt sim` and `exeunt explore` walk along it",
            ));
        }
        if value["exeunt"] != "trace" {
            return Err(not_ours("it does not say so".to_string()));
        }
        if value["format"] != FORMAT {
            return Err(not_ours(format!(
                "its format is {}, this version reads {FORMAT}",
                value["format"]
            )));
        }
        serde_json::from_value(value).map_err(|why| not_ours(why.to_string()))
    }

    /// Fails if a file is not what it was when the trace was saved.
    pub(crate) fn check_inputs(&self) -> Result<(), Failure> {
        let Some(changed) = inputs::changed(&self.inputs)? else { return Ok(()) };
        let message = format!("{} has changed since the trace was saved", changed.display());
        Err(Failure::bad(message).help("check it again with `--save` for a new trace"))
    }

    pub(crate) fn schedule(&self) -> Result<Schedule, Failure> {
        self.schedule.parse().map_err(Failure::bad)
    }
}
