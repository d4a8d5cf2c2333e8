//! The models that come with SPIN (its Debian package has them among the documentation):
//! what SPIN accepts is accepted, and what it refuses is refused.

use std::path::{Path, PathBuf};
use std::process::Command;

use exeunt_promela::{PromelaOptions, load};

const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";

fn models(folder: &Path, out: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder of examples");
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            models(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "pml") {
            out.push(path);
        }
    }
}

/// Whether SPIN makes a verifier of a model. It writes that into its folder, so the model and
/// what it includes are copied.
fn spin_accepts(model: &Path) -> bool {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = model.parent().expect("a model is in a folder");
    for entry in std::fs::read_dir(folder).expect("its folder").flatten() {
        if entry.path().is_file() {
            std::fs::copy(entry.path(), scratch.path().join(entry.file_name())).expect("copied");
        }
    }
    let name = model.file_name().expect("a model has a name");
    let output = Command::new("spin").arg("-a").arg(name).current_dir(scratch.path()).output();
    let output = output.expect("SPIN runs");
    output.status.success() && scratch.path().join("pan.c").exists()
}

#[test]
fn what_spin_accepts_is_accepted() {
    let mut all = Vec::new();
    if Path::new(EXAMPLES).is_dir() {
        models(Path::new(EXAMPLES), &mut all);
    } else {
        println!("skipped: the documentation of SPIN is not installed");
        return;
    }
    assert!(all.len() > 60, "{} models", all.len());
    let mut differences = Vec::new();
    for model in &all {
        let loaded = load(model, &PromelaOptions::default());
        if loaded.is_ok() != spin_accepts(model) {
            let why = loaded.err().and_then(|errors| errors.first().map(ToString::to_string));
            differences.push(format!("{}: {why:?}", model.display()));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
