//! Compiled code does what the interpreter does: the same answers, words, states and transitions. The
//! programs of `tests/compiled` try the odd ends; of the UI suite every tenth C program is compared (all of
//! them if `EXEUNT_COMPILED` is set).

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn programs(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            programs(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "c" || ending == "cpp") {
            out.push(path);
        }
    }
    out.sort();
}

fn exeunt(arguments: &[&str], file: &Path, compile: &str) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(arguments)
        .args(["--compile", compile])
        .arg(file)
        .output()
        .expect("exeunt runs")
}

/// The report without what depends on the time or on who executes.
fn report(options: &[&str], file: &Path, compile: &str) -> Value {
    let arguments = [&["check", "--format", "json"], options].concat();
    let output = exeunt(&arguments, file, compile);
    let text = String::from_utf8_lossy(&output.stdout);
    let mut report: Value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{}: {error}\n{text}", file.display()));
    let statistics = report["statistics"].as_object_mut().expect("statistics");
    let counts = ["states", "transitions", "depth", "bottom_components"];
    statistics.retain(|name, _| counts.contains(&name.as_str()));
    let fields = report.as_object_mut().expect("an object");
    fields.retain(|name, _| !["command", "settings", "options"].contains(&name.as_str()));
    report
}

/// Does something for each, on both cores.
fn for_each(files: &[PathBuf], work: impl Fn(&Path) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(file);
                }
            });
        }
    });
}

fn compare(file: &Path, options: &[&str]) {
    let [never, always] = ["never", "always"].map(|compile| report(options, file, compile));
    assert_eq!(never, always, "{} {options:?}", file.display());
}

#[test]
fn odd_programs_have_the_same_reports() {
    let mut files = Vec::new();
    programs(&root().join("tests/compiled"), &mut files);
    assert!(files.len() >= 25, "{files:?}");
    for_each(&files, |file| {
        compare(file, &["--max-states", "20000", "--jobs", "1"]);
        compare(file, &["--max-states", "5000", "--jobs", "1", "--reduction", "tau"]);
    });
}

#[test]
fn odd_programs_print_the_same() {
    let mut files = Vec::new();
    programs(&root().join("tests/compiled"), &mut files);
    files.retain(|file| !file.ends_with("endless.c"));
    for_each(&files, |file| {
        let [never, always] = ["never", "always"].map(|compile| {
            let output = exeunt(&["run"], file, compile);
            (
                output.status.code(),
                output.stdout,
                String::from_utf8_lossy(&output.stderr).into_owned(),
            )
        });
        assert_eq!(never, always, "{}", file.display());
    });
}

/// Programs that need no options.
#[test]
fn programs_of_the_suite_have_the_same_reports() {
    let mut files = Vec::new();
    programs(&root().join("tests/ui/c"), &mut files);
    let plain = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("a program");
        let has = |directive: &str| text.lines().any(|line| line.starts_with(directive));
        has("// verdict:") && !has("// exeunt:") && !has("// files:")
    };
    files.retain(plain);
    let step = if std::env::var_os("EXEUNT_COMPILED").is_some() { 1 } else { 10 };
    let files: Vec<PathBuf> = files.into_iter().step_by(step).collect();
    assert!(files.len() > 20, "{}", files.len());
    for_each(&files, |file| compare(file, &["--max-states", "20000", "--jobs", "1"]));
}
