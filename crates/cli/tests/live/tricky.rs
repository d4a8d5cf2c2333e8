//! Programs of the kinds that checkers of native programs are known to get wrong, and
//! unusual uses of the thread library, each by `live` on the plain and on the instrumented
//! binary and by `check` on the source.
//!
//! `// verdict:` is what both say, `// options:` is for `live`, `// check:` is what
//! `check` says where that is something else, with the reason behind it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::shop::{Shop, report, root};

fn directive<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let begin = format!("// {name}: ");
    text.lines().find_map(|line| line.strip_prefix(begin.as_str()))
}

/// The verdict, and the property if it is violated.
fn told(report: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    match text(&report["verdict"]).as_str() {
        "violated" => format!("violated {}", text(&report["violations"][0]["property"])),
        other => other.to_string(),
    }
}

fn check(file: &Path) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(["check", "--format", "json", "--time", "20s"])
        .arg(file)
        .output()
        .expect("exeunt runs");
    serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
}

#[test]
fn tricky_programs_have_the_right_verdicts() {
    let shop = Shop::new();
    let entries = std::fs::read_dir(root().join("tests/live/tricky")).expect("the programs");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a program");
        let expected = directive(&text, "verdict").expect("a verdict");
        let options = directive(&text, "options").unwrap_or_default();
        let options: Vec<&str> = options.split_whitespace().collect();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for (how, program) in [
            ("plain", shop.compile_file(file, &[])),
            ("instrumented", shop.live("cc", "gcc", file, &["-g"])),
        ] {
            let native = report(&options, &program);
            if told(&native) != expected {
                let (told, reason) = (told(&native), &native["reason"]);
                wrong.push(format!("{name}, {how}: live says {told}: {reason}"));
            }
        }
        let expected = directive(&text, "check").unwrap_or(expected);
        let machine = told(&check(file));
        if !expected.starts_with(machine.as_str()) {
            wrong.push(format!("{name}: check says {machine}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files.len() >= 80, "{} programs", files.len());
}
