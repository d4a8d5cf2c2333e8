//! The main suite: every program under `tests/ui/` is one test, named by its
//! path; `tests/fixme/` holds what is known to be wrong and fails when it
//! starts to pass.
//!
//! A program is checked under every reduction (verdict, property and guilty
//! line must be the ones its directives name) and breadth first, its unreduced
//! state count must be the pinned one, every violation is replayed, and the human output must
//! be the expected one beside it. `./x bless` rewrites counts and outputs.
//!
//! Programs made by `csmith` are compared with their native selves.

mod bless;
mod case;
mod csmith;
mod directives;
mod native;
mod normalise;
mod tool;

use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut trials = self_tests();
    for path in programs(&root.join("ui")) {
        let name = test_name(&root, &path);
        trials.push(Trial::test(name, move || case::run(&path).map_err(Failed::from)));
    }
    for path in programs(&root.join("fixme")) {
        let name = test_name(&root, &path);
        trials.push(Trial::test(name, move || still_fails(&path)));
    }
    if !bless::wanted() {
        trials.extend(csmith::trials());
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// The suite itself must be able to fail.
fn self_tests() -> Vec<Trial> {
    vec![
        Trial::test("suite::directives", || directives::self_test().map_err(Failed::from)),
        Trial::test("suite::normalise", || normalise::self_test().map_err(Failed::from)),
    ]
}

/// What is known to be wrong may not quietly become right. Having no expected
/// output yet is not being wrong.
fn still_fails(path: &Path) -> Result<(), Failed> {
    match case::run(path) {
        Err(why) if !why.contains("`./x bless`") => Ok(()),
        _ => Err(Failed::from("this passes now: move it to tests/ui")),
    }
}

fn test_name(root: &Path, path: &Path) -> String {
    let name = path.strip_prefix(root).unwrap_or(path).with_extension("");
    name.to_string_lossy().replace('/', "::")
}

/// All files with directives below a directory, in order. Files without them
/// are parts of other programs.
fn programs(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(programs(&path));
        } else if directives::ENDINGS
            .iter()
            .any(|ending| path.extension().is_some_and(|e| e == *ending))
            && directives::present(&path)
        {
            found.push(path);
        }
    }
    found
}
