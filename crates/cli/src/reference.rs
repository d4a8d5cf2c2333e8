//! `exeunt manual --markdown`: pages of the book with every option and every function, made from their definitions.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};

use crate::args::Arguments;
use crate::failure::Failure;
use crate::output;

/// Writes the pages into a directory.
pub(crate) fn write(directory: &Path) -> Result<(), Failure> {
    output::write(&directory.join("reference-options.md"), &options())?;
    output::write(&directory.join("reference-functions.md"), &functions())
}

const MADE: &str = "<!-- Made by `exeunt manual --markdown`; a test compares. -->\n";

/// Every command with its options.
fn options() -> String {
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let mut out = format!("# Commands and options\n\n{MADE}\n");
    let shown: Vec<&Command> =
        command.get_subcommands().filter(|part| !part.is_hide_set()).collect();
    for part in &shown {
        let about = part.get_about().map_or(String::new(), ToString::to_string);
        let _ = writeln!(
            out,
            "- [`exeunt {0}`](#exeunt-{1}): {2}",
            part.get_name(),
            part.get_name().replace('+', ""),
            line(&about)
        );
    }
    for part in shown {
        let _ = writeln!(out, "\n## exeunt {}\n", part.get_name());
        let about = part.get_long_about().or(part.get_about());
        let about = line(&about.map_or(String::new(), ToString::to_string));
        let _ = writeln!(out, "{}.\n", about.trim_end_matches('.'));
        section(&mut out, part);
    }
    out
}

/// The options of a command by their headings.
fn section(out: &mut String, command: &Command) {
    let mut groups: BTreeMap<&str, Vec<&Arg>> = BTreeMap::new();
    let shown = command.get_arguments().filter(|one| !one.is_hide_set() && one.get_id() != "help");
    for one in shown {
        groups.entry(one.get_help_heading().unwrap_or("")).or_default().push(one);
    }
    for (heading, arguments) in groups {
        if !heading.is_empty() {
            let _ = writeln!(out, "\n**{heading}**\n");
        }
        out.push_str("| option | meaning |\n|---|---|\n");
        for one in arguments {
            let _ = writeln!(out, "| {} | {} |", spelled(one), meaning(one));
        }
    }
}

fn spelled(one: &Arg) -> String {
    let names: Vec<String> = one
        .get_value_names()
        .map_or(Vec::new(), |names| names.iter().map(|name| name.to_string()).collect());
    let takes = one.get_num_args().is_some_and(|count| count.takes_values());
    let value =
        if takes && !names.is_empty() { format!(" {}", names.join(" ")) } else { String::new() };
    let text = match (one.get_short(), one.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long}{value}"),
        (None, Some(long)) => format!("--{long}{value}"),
        (Some(short), None) => format!("-{short}{value}"),
        (None, None) => names.join(" "),
    };
    format!("`{}`", text.replace('|', "\\|"))
}

fn meaning(one: &Arg) -> String {
    let help = one.get_long_help().or(one.get_help()).map_or(String::new(), ToString::to_string);
    let mut text = line(&help);
    let values: Vec<String> = one
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| match value.get_help() {
            Some(help) => format!("`{}` ({})", value.get_name(), line(&help.to_string())),
            None => format!("`{}`", value.get_name()),
        })
        .collect();
    let flag = !one.get_num_args().is_some_and(|count| count.takes_values());
    if !values.is_empty() && !flag {
        let _ = write!(text, ": {}", values.join(", "));
    }
    text
}

/// One line, without what a table would take for its own. Paragraphs become sentences.
fn line(text: &str) -> String {
    let mut out = String::new();
    for paragraph in text.split("\n\n") {
        if !out.is_empty() {
            out.push_str(if out.ends_with(['.', ':', ';', '?']) { " " } else { ". " });
        }
        out.push_str(&paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    out.replace('|', "\\|").replace('<', "&lt;")
}

/// Every function that needs no definition, by its header, as its row describes it.
fn functions() -> String {
    let known = exeunt_vm::known_functions();
    let mut out =
        format!("# Functions\n\n{MADE}\n{}\n", HEAD.replace("COUNT", &known.len().to_string()));
    let mut header = "";
    for function in &known {
        if function.header != header {
            header = function.header;
            let _ = write!(out, "\n## {header}\n\n{COLUMNS}");
        }
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            declared(function),
            line(&function.noticed),
            line(&function.effects.join("; ")),
            line(&function.limits.join("; "))
        );
    }
    out
}

const HEAD: &str = "These COUNT functions need no definition in a program that `exeunt check` executes. \
    Functions that the C++ library defines are not listed; they are executed as they are.\n\n\
    A declaration shows the sizes of what is passed: every pointer is `void *`, every integer has the \
    name of its size, signed or not. *Others notice* says what a call has to do with other threads: \
    where it is empty, the call is no scheduling point; *anything* means that it is taken to touch all that there is. Names in code are kinds of \
    [sections](sections.md). A *fixed answer* makes a search without a violation inconclusive, unless \
    `--outside fixed` accepts it.";

const COLUMNS: &str =
    "| function | others notice | waits, opens, closes, orders | limits |\n|---|---|---|---|\n";

/// The declaration, and for C++ what the name means.
fn declared(function: &exeunt_vm::KnownFunction) -> String {
    let declaration = format!("`{}`", function.declaration);
    match &function.plain {
        // Without the space it would be a link.
        Some(plain) => format!("{declaration}<br>`{}`", plain.replace("](", "] (")),
        None => declaration,
    }
}
