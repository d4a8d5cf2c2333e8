//! Compiler flags typed where a compiler takes them: `exeunt check a.c -O2 -pthread`.
//! They are moved behind `--`, where clang's arguments are.

use std::ffi::{OsStr, OsString};

/// Commands whose files are compiled.
const COMPILING: [&str; 8] =
    ["check", "run", "outcomes", "ir", "sections", "draw", "sim", "explore"];

/// Our options whose value may look like a flag.
const TAKE_ANYTHING: [&str; 2] = ["--args", "--nondet"];

/// What clang's flags begin with, as far as none of our own does.
const BEGINNINGS: [&str; 9] = ["-std=", "-O", "-W", "-w", "-f", "-m", "-g", "-U", "-pedantic"];

/// Flags with a value of their own behind them.
const WITH_VALUE: [&str; 4] = ["-include", "-isystem", "-iquote", "-idirafter"];

enum Flag {
    Ours,
    Clang,
    /// The next argument belongs to it.
    ClangWithValue,
    /// For a linker, and nothing is linked here that it could name.
    Linker,
}

fn kind(argument: &str) -> Flag {
    let begins = |beginning: &&str| argument.starts_with(*beginning);
    match argument {
        "-pthread" | "-ansi" => Flag::Clang,
        _ if WITH_VALUE.contains(&argument) => Flag::ClangWithValue,
        _ if argument.starts_with("-l") || argument.starts_with("-L") => Flag::Linker,
        _ if BEGINNINGS.iter().any(begins) => Flag::Clang,
        _ => Flag::Ours,
    }
}

/// The command line with clang's flags behind `--`.
pub(crate) fn sorted(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let all: Vec<OsString> = arguments.collect();
    let compiles = all.get(1).and_then(|name| name.to_str());
    if !compiles.is_some_and(|name| COMPILING.contains(&name)) {
        return all;
    }
    let all = with_property_files(all);
    let own = all.iter().position(|argument| argument == OsStr::new("--")).unwrap_or(all.len());
    let (mut ours, mut clang) = (Vec::new(), Vec::new());
    let mut before = all[..own].iter();
    while let Some(argument) = before.next() {
        let text = argument.to_str().unwrap_or("");
        match kind(text) {
            Flag::Ours => {
                ours.push(argument.clone());
                if TAKE_ANYTHING.contains(&text) {
                    ours.extend(before.next().cloned());
                }
            }
            Flag::Clang => clang.push(argument.clone()),
            Flag::ClangWithValue => {
                clang.push(argument.clone());
                clang.extend(before.next().cloned());
            }
            Flag::Linker => {}
        }
    }
    clang.extend(all[own..].iter().skip(1).cloned());
    if own < all.len() || !clang.is_empty() {
        ours.push("--".into());
        ours.extend(clang);
    }
    ours
}

/// `--property FILE.prp` as the option that takes a file.
fn with_property_files(mut all: Vec<OsString>) -> Vec<OsString> {
    let is_file = |value: &str| value.ends_with(".prp");
    for at in 0..all.len() {
        let next = all.get(at + 1).and_then(|value| value.to_str()).is_some_and(is_file);
        let word = all[at].to_str().unwrap_or("");
        if word == "--" {
            break;
        }
        if word == "--property" && next {
            all[at] = "--property-file".into();
        } else if let Some(file) = word.strip_prefix("--property=").filter(|file| is_file(file)) {
            all[at] = format!("--property-file={file}").into();
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> String {
        let words = text.split(' ').map(OsString::from);
        let sorted = sorted(words);
        sorted.iter().map(|word| word.to_str().expect("text")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn flags_go_to_the_compiler() {
        for (typed, sorted) in [
            ("exeunt check -O2 a.c -pthread --races", "exeunt check a.c --races -- -O2 -pthread"),
            ("exeunt check a.c -lm -lpthread", "exeunt check a.c"),
            ("exeunt run a.c -include x.h -- -DX", "exeunt run a.c -- -include x.h -DX"),
            ("exeunt check a.c --args -O2", "exeunt check a.c --args -O2"),
            ("exeunt check a.c -DX -Iy -o f", "exeunt check a.c -DX -Iy -o f"),
            ("exeunt live a.out -fast", "exeunt live a.out -fast"),
            ("exeunt check a.c --", "exeunt check a.c --"),
        ] {
            assert_eq!(line(typed), sorted);
        }
    }
}
