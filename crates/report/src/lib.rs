//! From a [`Report`] to what people and programs read: one file for each
//! format, which are listed in [`Format`].
//!
//! Invariant: a renderer displays a verdict and never changes it; the same
//! report gives the same text. Colours are always written into human text as
//! ANSI sequences, and the owner of the stream removes them where they do not
//! belong.

#![forbid(unsafe_code)]

mod dot;
mod gcc;
mod github;
mod hanging;
mod held;
mod html;
mod human;
mod json;
mod junit;
mod layout;
mod markup;
mod proof;
mod sarif;
mod source;
mod story;
mod svg;
mod words;

#[cfg(test)]
mod fixture;

use std::ops::Range;
use std::str::FromStr;

use exeunt_model::{Label, Location, Report};

pub use dot::dot;
pub use html::explorer::{Walked, page as explorer_page, path as explorer_path};
pub use source::Sources;
pub use svg::{
    messages as draw_messages, sections as draw_sections, states as draw_states,
    waits as draw_waits,
};
pub use words::is_odd;

/// What produced the report.
#[derive(Clone, Debug)]
pub struct Run {
    /// The subcommand: "check", "replay".
    pub command: String,
    pub version: String,
    /// The command line, for those who get the report as a file.
    pub line: String,
    /// How the found schedule can be run again, as a sentence; shown last.
    pub replay: Option<String>,
}

/// How much is shown, and how wide.
#[derive(Clone, Debug)]
pub struct Options {
    /// Fold nothing.
    pub full_trace: bool,
    /// Show what the checked program printed.
    pub output: bool,
    /// Show all numbers instead of one line.
    pub stats: bool,
    /// Show all calls around the places of a violation.
    pub stacks: bool,
    /// Tell what happened in plain language, where states were recorded.
    pub explain: bool,
    /// Show the program that a proof is about.
    pub program: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// Break lines that are wider.
    pub breaks: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            full_trace: false,
            output: false,
            stats: false,
            stacks: false,
            explain: false,
            program: false,
            width: 100,
            breaks: false,
        }
    }
}

/// The output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Human,
    Json,
    Sarif,
    Html,
    Junit,
    Gcc,
    Github,
}

impl Format {
    pub const ALL: [Format; 7] = [
        Format::Human,
        Format::Json,
        Format::Sarif,
        Format::Html,
        Format::Junit,
        Format::Gcc,
        Format::Github,
    ];

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Human => "human",
            Format::Json => "json",
            Format::Sarif => "sarif",
            Format::Html => "html",
            Format::Junit => "junit",
            Format::Gcc => "gcc",
            Format::Github => "github",
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Format::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| format!("there is no output format `{text}`"))
    }
}

/// Something wrong with what was given to be checked.
#[derive(Clone, Debug)]
pub struct Complaint<'a> {
    pub message: &'a str,
    pub location: &'a Location,
    /// What the place is; may be empty.
    pub label: &'a str,
    /// Other places.
    pub labels: &'a [Label],
    pub help: &'a [String],
}

/// A line of text, and the part of it that something is said about.
#[derive(Clone, Debug)]
pub struct Quote<'a> {
    /// The file, or the option that gave the text.
    pub name: &'a str,
    pub line: usize,
    pub text: &'a str,
    /// In bytes of the text.
    pub part: Range<usize>,
}

/// A complaint about a quoted line, drawn as one about a file.
pub fn complain_about(
    message: &str,
    quote: &Quote<'_>,
    help: Option<&str>,
    options: &Options,
) -> String {
    human::complain_about(message, quote, help, options)
}

/// A complaint as a compiler would make it, for people.
pub fn complain(complaint: &Complaint<'_>, sources: &Sources, options: &Options) -> String {
    human::complain(complaint, sources, options)
}

/// The report as text, with a newline at its end.
pub fn render(
    format: Format,
    report: &Report,
    run: &Run,
    sources: &Sources,
    options: &Options,
) -> String {
    match format {
        Format::Human => human::render(report, run, sources, options),
        Format::Json => json::render(report, run),
        Format::Sarif => sarif::render(report, run),
        Format::Html => html::render(report, run, sources),
        Format::Junit => junit::render(report, run, sources, options),
        Format::Gcc => gcc::render(report),
        Format::Github => github::render(report),
    }
}
