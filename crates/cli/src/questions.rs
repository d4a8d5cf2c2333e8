//! The temporal questions of the command line, as texts that a trace file
//! keeps, and as formulas.

use std::path::{Path, PathBuf};

use exeunt_ltl::{Formula, ParseError};
use exeunt_promela::PlaceInFormula;
use exeunt_report::Quote;
use serde::{Deserialize, Serialize};

use crate::args::{CheckArgs, LiveArgs, PropertyChoice};
use crate::failure::Failure;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Questions {
    pub(crate) formulas: Vec<Text>,
    /// Claims of a model, by name; empty means all.
    pub(crate) names: Vec<String>,
    pub(crate) invariants: Vec<String>,
    pub(crate) fair: bool,
    pub(crate) non_progress: bool,
    pub(crate) acceptance: bool,
    /// The claims and formulas of a Promela model are not asked.
    #[serde(default)]
    pub(crate) no_claims: bool,
    /// Nothing else is asked.
    pub(crate) only: bool,
}

/// A formula and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Text {
    pub(crate) text: String,
    file: String,
    line: usize,
}

impl Questions {
    pub(crate) fn new(arguments: &CheckArgs) -> Result<Self, Failure> {
        Ok(Questions {
            formulas: formulas(&arguments.ltl, &arguments.ltl_file)?,
            names: arguments.claim_names(),
            invariants: arguments.invariant.clone(),
            fair: arguments.fair,
            non_progress: arguments.non_progress,
            acceptance: arguments.acceptance,
            no_claims: arguments.leaves_claims_out(),
            only: arguments.property == Some(PropertyChoice::Temporal),
        })
    }

    /// What is asked of a native program.
    pub(crate) fn of_live(arguments: &LiveArgs) -> Result<Self, Failure> {
        Ok(Questions {
            formulas: formulas(&arguments.ltl, &arguments.ltl_file)?,
            invariants: arguments.invariant.clone(),
            fair: arguments.fair,
            ..Questions::default()
        })
    }

    pub(crate) fn are_none(&self) -> bool {
        self.formulas.is_empty() && self.invariants.is_empty()
    }

    /// The formulas, read.
    pub(crate) fn parsed(&self) -> Result<Vec<Formula>, Failure> {
        self.formulas.iter().map(Text::parsed).collect()
    }

    /// The formulas with names for the model.
    pub(crate) fn named(&self) -> Result<Vec<(String, Formula)>, Failure> {
        let parsed = self.parsed()?.into_iter().enumerate();
        Ok(parsed.map(|(at, formula)| (name(at), formula)).collect())
    }

    /// What is wrong at a place of one of the formulas, said about its text.
    pub(crate) fn wrong_at(
        &self,
        place: PlaceInFormula,
        message: &str,
        help: Option<&str>,
    ) -> Option<Failure> {
        let text = self.formulas.get(place.formula)?;
        let parsed = text.parsed().ok()?;
        let proposition = parsed.propositions().get(place.proposition)?.clone();
        let Some(at) = position(&text.text, &proposition, place.column) else {
            return Some(text.about(&proposition, message, help));
        };
        let part_of_name = |c: &char| c.is_alphanumeric() || *c == '_';
        let word = proposition.chars().skip(place.column).take_while(part_of_name).count();
        Some(text.placed(message, at + 1, word.max(1), help))
    }

    /// The text of the formula behind a name of `named`.
    pub(crate) fn behind(&self, wanted: &str) -> Option<&str> {
        let at = (0..self.formulas.len()).find(|at| name(*at) == wanted)?;
        Some(&self.formulas[at].text)
    }
}

/// The formulas of the command line and those of files.
fn formulas(texts: &[String], files: &[PathBuf]) -> Result<Vec<Text>, Failure> {
    let given = texts.iter().map(|text| Text {
        text: text.trim().to_string(),
        file: "--ltl".to_string(),
        line: 1,
    });
    let mut formulas: Vec<Text> = given.collect();
    for file in files {
        formulas.extend(lines(file)?);
    }
    Ok(formulas)
}

/// Where in a text the character of a part is, spaces aside, which the parser
/// does not keep.
fn position(text: &str, part: &str, column: usize) -> Option<usize> {
    let solid = |c: &char| !c.is_whitespace();
    let all: Vec<(usize, char)> = text.chars().enumerate().filter(|(_, c)| solid(c)).collect();
    let wanted: Vec<char> = part.chars().filter(solid).collect();
    let mut windows = all.windows(wanted.len().max(1));
    let start = windows.position(|window| window.iter().map(|(_, c)| c).eq(&wanted))?;
    let before = part.chars().take(column).filter(solid).count();
    all.get(start + before).map(|(at, _)| *at)
}

fn name(at: usize) -> String {
    format!("__formula_{}", at + 1)
}

/// The formulas of a file.
fn lines(file: &Path) -> Result<Vec<Text>, Failure> {
    let text = std::fs::read_to_string(file).map_err(|why| Failure::file("read", file, &why))?;
    let name = file.display().to_string();
    let comment = |line: &str| line.is_empty() || line.starts_with('#') || line.starts_with("//");
    let all = text.lines().enumerate().map(|(at, line)| Text {
        text: line.trim().to_string(),
        file: name.clone(),
        line: at + 1,
    });
    let formulas: Vec<Text> = all.filter(|line| !comment(&line.text)).collect();
    match formulas.is_empty() {
        true => Err(Failure::bad(format!("there is no formula in {name}"))
            .help("write one formula on each line; `#` begins a comment")),
        false => Ok(formulas),
    }
}

impl Text {
    fn parsed(&self) -> Result<Formula, Failure> {
        exeunt_ltl::parse(&self.text).map_err(|error| self.complain(&error))
    }

    /// As rustc shows an error.
    fn complain(&self, error: &ParseError) -> Failure {
        let column = self.text[..error.position.min(self.text.len())].chars().count() + 1;
        self.placed(&error.message, column, 1, Some(&error.help))
    }

    /// About one part of the formula, if it can be found.
    pub(crate) fn about(&self, part: &str, message: &str, help: Option<&str>) -> Failure {
        let spaced = self.text.find(part);
        let column = spaced.map_or(1, |at| self.text[..at].chars().count() + 1);
        let whole = if spaced.is_some() { part } else { &self.text };
        self.placed(message, column, whole.chars().count(), help)
    }

    fn placed(&self, message: &str, column: usize, width: usize, help: Option<&str>) -> Failure {
        let Text { text, file, line } = self;
        let byte = |at: usize| text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte);
        let part = byte(column - 1)..byte(column - 1 + width.max(1));
        let quote = Quote { name: file, line: *line, text, part };
        let help = help.filter(|help| !help.is_empty());
        let out = exeunt_report::complain_about(message, &quote, help, &Default::default());
        Failure::Placed(out)
    }
}
