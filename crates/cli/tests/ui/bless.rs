//! Writing down what is instead of comparing: `./x bless`.

use std::path::{Path, PathBuf};

use similar::TextDiff;

/// Whether expected outputs and state counts are rewritten.
pub(crate) fn wanted() -> bool {
    std::env::var_os("EXEUNT_BLESS").is_some_and(|value| value == "1")
}

/// Compares with the expected output beside a program, or rewrites it.
pub(crate) fn compare(program: &Path, actual: &str) -> Result<(), String> {
    let beside = expected_file(program);
    if wanted() {
        return std::fs::write(&beside, actual).map_err(|why| why.to_string());
    }
    let expected = std::fs::read_to_string(&beside).map_err(|_| {
        format!("there is no expected output {}; `./x bless` writes it", beside.display())
    })?;
    if expected == actual {
        return Ok(());
    }
    let diff = TextDiff::from_lines(expected.as_str(), actual);
    let diff = diff.unified_diff().header("expected", "actual").to_string();
    Err(format!("the human output differs (`./x bless` accepts it):\n{diff}"))
}

fn expected_file(program: &Path) -> PathBuf {
    program.with_extension("stdout")
}

/// Writes the state count into the directives, below the verdict if there was
/// none. Lines below may move: the caller reads the program again.
pub(crate) fn pin_states(program: &Path, states: u64) -> Result<(), String> {
    let text = std::fs::read_to_string(program).map_err(|why| why.to_string())?;
    let mut out = String::with_capacity(text.len() + 20);
    let has_pin = text.lines().any(|line| is(line, "states"));
    for line in text.split_inclusive('\n') {
        if is(line, "states") {
            let sign = line.split(' ').next().unwrap_or("//");
            out.push_str(&format!("{sign} states: {states}\n"));
            continue;
        }
        out.push_str(line);
        if is(line, "verdict") && !has_pin {
            let sign = line.split(' ').next().unwrap_or("//");
            out.push_str(&format!("{sign} states: {states}\n"));
        }
    }
    std::fs::write(program, out).map_err(|why| why.to_string())
}

fn is(line: &str, key: &str) -> bool {
    let text = line.strip_prefix("// ").or_else(|| line.strip_prefix("; "));
    text.is_some_and(|text| text.starts_with(key) && text[key.len()..].starts_with(": "))
}
