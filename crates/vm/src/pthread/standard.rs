//! Compares the table of the standard (`docs/posix.md`) with the rows of the
//! builtins and with the UI tests that it names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::TABLES;
use crate::builtin::{Builtin, Cancel};

/// A row of the table.
struct Entry {
    errors: Vec<String>,
    cancels: String,
    /// The text of each named test.
    tests: Vec<String>,
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn list(cell: &str) -> Vec<String> {
    let items = cell.split(',').map(str::trim).filter(|item| !item.is_empty() && *item != "—");
    items.map(str::to_string).collect()
}

fn test_text(name: &str) -> String {
    let path = root().join("tests/ui/c").join(name).with_extension("c");
    fs::read_to_string(&path).unwrap_or_else(|_| panic!("there is no test {}", path.display()))
}

fn entries() -> BTreeMap<String, Entry> {
    let text = fs::read_to_string(root().join("docs/posix.md")).expect("the table is there");
    // Other headers come in tables of another form, further down.
    let text = text.split("\n## ").next().unwrap_or_default();
    let mut entries = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, errors, cancels, _undefined, tests] = cells[..] else {
            panic!("a row has five cells: {line}");
        };
        let tests = list(tests).iter().map(|test| test_text(test)).collect();
        let entry = Entry { errors: list(errors), cancels: cancels.to_string(), tests };
        let known = entries.insert(name.trim_matches('`').to_string(), entry);
        assert!(known.is_none(), "{name} has two rows");
    }
    entries
}

fn rows() -> impl Iterator<Item = &'static Builtin> {
    // What begins with an underscore is called by macros only.
    TABLES.iter().flat_map(|(_, rows)| rows.iter()).filter(|row| !row.name.starts_with('_'))
}

/// Whether a text has a name in it, as a whole word.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

#[test]
fn every_function_is_in_the_table_with_its_cancellation() {
    let entries = entries();
    for row in rows() {
        let entry = entries.get(row.name).unwrap_or_else(|| panic!("{} is missing", row.name));
        let cancels = match row.cancel {
            Cancel::Never => "no",
            Cancel::Always => "yes",
            Cancel::Maybe => "may",
        };
        assert_eq!(entry.cancels, cancels, "{}", row.name);
    }
    assert_eq!(entries.len(), rows().count(), "the table has functions that we do not know");
}

#[test]
fn tests_show_every_function_and_error() {
    for (name, entry) in entries() {
        let shown = |word: &str| entry.tests.iter().any(|text| mentions(text, word));
        assert!(shown(&name), "no test of {name} calls it");
        for error in &entry.errors {
            let both = |text: &&String| mentions(text, &name) && mentions(text, error);
            assert!(entry.tests.iter().any(|text| both(&text)), "no test shows {error} of {name}");
        }
    }
}

/// Where the headers of the C library are on Debian for x86-64.
const HEADERS: [&str; 6] = [
    "/usr/include/pthread.h",
    "/usr/include/semaphore.h",
    "/usr/include/threads.h",
    "/usr/include/sched.h",
    "/usr/include/x86_64-linux-gnu/bits/sched.h",
    "/usr/include/x86_64-linux-gnu/bits/cpu-set.h",
];

/// The text of a header without comments and without lines of the preprocessor.
fn code_of(header: &str) -> String {
    let text = fs::read_to_string(header).unwrap_or_else(|why| panic!("{header}: {why}"));
    let mut code = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("/*") {
        code.push_str(&rest[..at]);
        rest = rest[at..].split_once("*/").map_or("", |(_, behind)| behind);
    }
    code.push_str(rest);
    let lines = code.replace("\\\n", " ");
    lines.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join(" ")
}

/// The functions that a header declares: `extern TYPE NAME (…) …;`.
fn declared(header: &str) -> Vec<String> {
    let code = code_of(header);
    let declarations = code.split(';').filter_map(|part| part.rsplit_once("extern "));
    let names = declarations.filter_map(|(_, declaration)| {
        let (before, behind) = declaration.split_once('(')?;
        let name = before.split_whitespace().last()?.trim_start_matches('*');
        match name {
            // Another name for the linker: what is called follows.
            "__REDIRECT" | "__REDIRECT_NTH" => Some(behind.split(',').next()?.trim().to_string()),
            _ => Some(name.to_string()),
        }
    });
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn every_function_of_the_headers_has_a_row() {
    let mut seen = 0;
    for header in HEADERS {
        for name in declared(header) {
            let is_macro = name.chars().all(|c| c.is_uppercase() || c == '_');
            // Called by a macro for compilers that clang is none of.
            let inner = name == "__sigsetjmp_cancel";
            assert!(
                is_macro || inner || crate::builtin::find(&name).is_some(),
                "{header} declares {name}, which has no row: support it, or refuse it by name"
            );
            seen += 1;
        }
    }
    assert!(seen > 170, "the headers were not understood: {seen} functions");
}
