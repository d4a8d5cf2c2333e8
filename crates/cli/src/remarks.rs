//! What "holds" does not say about a C program, and its user should know; and what else
//! could be asked where the search did not end.

use std::fs;
use std::path::PathBuf;

use exeunt_model::{Report, Verdict};

use crate::front;
use crate::interrupt;
use crate::runtime::Runtime;
use crate::settings::Settings;

/// Adds what was not asked for, and assertions that are not there.
pub(crate) fn add(report: &mut Report, settings: &Settings) {
    let Settings { files, clang_args: flags, demands, .. } = settings;
    let c = !files.iter().any(|file| front::is_promela(file, settings.language));
    if report.verdict == Verdict::Inconclusive && c {
        suggest_proof(report, files, flags);
    }
    if report.verdict != Verdict::Holds || !c {
        return;
    }
    if lacks_assertions(files, flags) {
        let text = "assertions are not compiled, because NDEBUG is defined";
        report.remarks.push(text.to_string());
    }
    let classes = [
        (demands.races, "data races (`--races`)"),
        (demands.leaks, "lost memory (`--leaks`)"),
        (demands.undefined, "undefined arithmetic (`--undefined`)"),
    ];
    let left: Vec<&str> =
        classes.iter().filter(|(asked, _)| !asked).map(|(_, name)| *name).collect();
    if !left.is_empty() {
        report.remarks.push(format!("not asked for: {}", left.join(", ")));
    }
}

/// Where states ran out over a counter, a proof may do without them.
fn suggest_proof(report: &mut Report, files: &[PathBuf], flags: &[String]) {
    let limits = ["--time", "--max-states", "--memory", "--max-depth"];
    let ran_out = report.limits_hit.iter().any(|hit| limits.iter().any(|l| hit.starts_with(l)));
    // The proofs know the threads of C.
    let is_c = |file: &PathBuf| file.extension().is_some_and(|end| end == "c" || end == "i");
    if !ran_out || interrupt::requested() || !files.iter().all(is_c) {
        return;
    }
    let Ok(runtime) = Runtime::new() else { return };
    let Ok(program) = front::bytecode_without_main(files, flags, Vec::new(), &runtime) else {
        return;
    };
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let mut threads = exeunt_counter::counting_threads(&program);
    // `main` mostly counts the threads that it starts.
    if threads.iter().any(|thread| thread != "main") {
        threads.retain(|thread| thread != "main");
    }
    for thread in threads {
        report.remarks.push(format!(
            "`{thread}` counts in a loop: `exeunt prove {} --thread {thread}` needs no states",
            names.join(" ")
        ));
    }
}

/// Whether the sources have assertions and `NDEBUG` is defined.
fn lacks_assertions(files: &[PathBuf], flags: &[String]) -> bool {
    let sources: Vec<String> =
        files.iter().filter_map(|file| fs::read_to_string(file).ok()).collect();
    let defines = |line: &str| {
        let mut words = line.split_whitespace();
        let first = words.next();
        let second = if first == Some("#") { words.next() } else { None };
        let directive = first == Some("#define") || second == Some("define");
        directive && words.next() == Some("NDEBUG")
    };
    let flagged = flags.iter().any(|flag| {
        flag.strip_prefix("-D").is_some_and(|name| name.split('=').next() == Some("NDEBUG"))
    });
    let defined = flagged || sources.iter().any(|text| text.lines().any(defines));
    defined && sources.iter().any(|text| text.contains("assert("))
}
