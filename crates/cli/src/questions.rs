//! The temporal questions of the command line, as texts that a trace file
//! keeps, and as formulas.

use std::path::Path;

use exeunt_ltl::{Binary, Formula, ParseError, Unary};
use serde::{Deserialize, Serialize};

use crate::args::{CheckArgs, PropertyChoice};
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
        let given = arguments.ltl.iter().map(|text| Text {
            text: text.trim().to_string(),
            file: "--ltl".to_string(),
            line: 1,
        });
        let mut formulas: Vec<Text> = given.collect();
        for file in &arguments.ltl_file {
            formulas.extend(lines(file)?);
        }
        Ok(Questions {
            formulas,
            names: arguments.ltl_name.clone(),
            invariants: arguments.invariant.clone(),
            fair: arguments.fair,
            non_progress: arguments.non_progress,
            acceptance: arguments.acceptance,
            only: arguments.property == Some(PropertyChoice::Temporal),
        })
    }

    /// The formulas, read.
    pub(crate) fn parsed(&self) -> Result<Vec<Formula>, Failure> {
        self.formulas.iter().map(Text::parsed).collect()
    }

    /// The formulas in SPIN's spelling, with names for the model.
    pub(crate) fn promela_formulas(&self) -> Result<Vec<(String, String)>, Failure> {
        let parsed = self.parsed()?;
        let named = parsed.iter().enumerate();
        Ok(named.map(|(at, formula)| (name(at), in_spin(formula))).collect())
    }

    /// What is wrong at a place of one of `promela_formulas`, said about the
    /// formula as it was given. The words of both are the same, and in the same
    /// order but for a few operators.
    pub(crate) fn wrong_in_spin(
        &self,
        number: usize,
        column: usize,
        message: &str,
        help: Option<&str>,
    ) -> Option<Failure> {
        let text = self.formulas.get(number)?;
        let spelled = in_spin(&text.parsed().ok()?);
        let all = words(&spelled);
        let (_, word) = all.iter().find(|(at, word)| (*at..at + word.len()).contains(&column))?;
        let before = all.iter().filter(|(at, other)| other == word && at + word.len() <= column);
        let own: Vec<usize> = words(&text.text)
            .iter()
            .filter(|(_, other)| other == word)
            .map(|(at, _)| *at)
            .collect();
        let at = own.get(before.count()).or(own.first())?;
        let column = text.text[..*at].chars().count() + 1;
        Some(text.placed(message, column, word.chars().count(), help))
    }

    /// The text of the formula behind a name of `promela_formulas`.
    pub(crate) fn behind(&self, wanted: &str) -> Option<&str> {
        let at = (0..self.formulas.len()).find(|at| name(*at) == wanted)?;
        Some(&self.formulas[at].text)
    }
}

/// Names, numbers and single signs, with where they begin.
fn words(text: &str) -> Vec<(usize, &str)> {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found: Vec<(usize, &str)> = Vec::new();
    for (at, c) in text.char_indices() {
        match found.last_mut() {
            Some((start, word))
                if part_of_name(c) && *start + word.len() == at && word.ends_with(part_of_name) =>
            {
                *word = &text[*start..at + c.len_utf8()];
            }
            _ if !c.is_whitespace() => found.push((at, &text[at..at + c.len_utf8()])),
            _ => {}
        }
    }
    found
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
        let margin = " ".repeat(line.to_string().len());
        let mut out = format!("error: {message}\n{margin}--> {file}:{line}:{column}\n");
        out.push_str(&format!("{margin} |\n{line} | {text}\n"));
        let marks = "^".repeat(width.max(1));
        out.push_str(&format!("{margin} | {}{marks}\n", " ".repeat(column - 1)));
        if let Some(help) = help.filter(|help| !help.is_empty()) {
            out.push_str(&format!("{margin} = help: {help}\n"));
        }
        Failure::Placed(out)
    }
}

/// As SPIN writes it; what SPIN has no word for is said with others.
fn in_spin(formula: &Formula) -> String {
    let sub = |inner: &Formula| format!("({})", in_spin(inner));
    match formula {
        Formula::True => "true".to_string(),
        Formula::False => "false".to_string(),
        Formula::Proposition(text) => format!("({text})"),
        Formula::Unary(op, inner) => {
            let sign = match op {
                Unary::Not => "!",
                Unary::Next => "X",
                Unary::Always => "[]",
                Unary::Eventually => "<>",
            };
            format!("{sign} {}", sub(inner))
        }
        Formula::Binary(op, left, right) => {
            let (a, b) = (sub(left), sub(right));
            match op {
                Binary::And => format!("{a} && {b}"),
                Binary::Or => format!("{a} || {b}"),
                Binary::Implies => format!("{a} -> {b}"),
                Binary::Equivalent => format!("{a} <-> {b}"),
                Binary::LeadsTo => format!("[] ({a} -> (<> {b}))"),
                Binary::Until => format!("{a} U {b}"),
                Binary::Release => format!("{a} V {b}"),
                Binary::WeakUntil => format!("{a} W {b}"),
                Binary::StrongRelease => format!("{b} U ({a} && {b})"),
            }
        }
    }
}
