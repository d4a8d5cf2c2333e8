//! The source text keeps the rules that the compiler cannot check.
//!
//! - A match over what an addition must be compared with (instructions,
//!   effects, section kinds, formats, reductions…) has no arm for "the rest", so
//!   that the compiler lists what an addition touches.
//! - The name of a library function is written in its row and nowhere else.
//! - Files stay short, tables excepted.
//!
//! Only code is read, not tests.

mod catch_all;
mod names;
mod source;

use source::{Source, root, sources};

/// Files that may be longer than [`LONGEST`], and why.
const LONG: &[(&str, &str)] = &[];

const LONGEST: usize = 600;

#[test]
fn no_match_has_an_arm_for_the_rest() {
    report(sources().iter().flat_map(catch_all::problems).collect());
}

#[test]
fn functions_of_libraries_are_named_in_their_rows() {
    let all = sources();
    let rows = names::rows(&all);
    assert!(rows.len() > 500, "only {} rows were found", rows.len());
    report(all.iter().flat_map(|source| names::problems(source, &rows)).collect());
}

#[test]
fn files_are_short() {
    let long = |source: &Source| lines(source) > LONGEST;
    let allowed = |source: &Source| LONG.iter().any(|(file, _)| source.name == *file);
    let all = sources();
    let too_long = all.iter().filter(|source| long(source) && !allowed(source));
    let mut problems: Vec<String> = too_long
        .map(|source| format!("{}: {} lines, more than {LONGEST}", source.name, lines(source)))
        .collect();
    for (file, _) in LONG {
        if !all.iter().any(|source| source.name == *file && long(source)) {
            problems.push(format!("{file} is no longer long: remove it from the list"));
        }
    }
    report(problems);
}

#[test]
fn the_whole_workspace_is_read() {
    let all = sources();
    for file in ["crates/ir/src/table.rs", "crates/vm/src/step/exec.rs", "crates/search/src/lib.rs"]
    {
        assert!(all.iter().any(|source| source.name == file), "{file} in {:?}", root());
    }
}

fn lines(source: &Source) -> usize {
    source.text.lines().count()
}

fn report(problems: Vec<String>) {
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}
