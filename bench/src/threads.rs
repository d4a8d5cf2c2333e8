//! Proofs that threads end: every question of `tests/prove-c`, with its time, and the
//! share of sequential loops from the literature that is decided.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::options::Options;
use crate::process;
use crate::table::{Table, progress, remark};

pub fn measure(options: &Options) -> Result<()> {
    suite(options)?;
    loops(options)
}

/// The words of `// options: …` lines, as a shell would split them.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quoted, mut any) = (String::new(), false, false);
    for letter in line.chars().chain([' ']) {
        match letter {
            '\'' => (quoted, any) = (!quoted, true),
            ' ' if !quoted => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            other => word.push(other),
        }
    }
    words
}

fn suite(options: &Options) -> Result<()> {
    let mut table = Table::new(&["program", "thread", "verdict", "seconds", "expected"]);
    let mut slowest: f64 = 0.0;
    let mut wrong = 0;
    let mut by_states = 0;
    let mut programs = files(&options.root.join("../tests/prove-c"))?;
    programs.extend(files(&options.root.join("../tests/prove-headers"))?);
    for file in programs {
        let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if !options.wants_row(&name) {
            continue;
        }
        progress(&name);
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{name}: {e}"))?;
        let lines = |key: &'static str| text.lines().filter_map(move |l| l.strip_prefix(key));
        for (wanted, asked) in lines("// verdict: ").zip(lines("// options: ")) {
            let wanted = wanted.split(' ').next().unwrap_or_default();
            let mut asked = words(asked);
            asked.extend(lines("// clang: ").map(str::to_string));
            let (verdict, seconds) = ask(options, &file, &asked)?;
            slowest = slowest.max(seconds);
            // The suite says what the prover alone answers; the command also explores states.
            let explored = wanted == "inconclusive" && verdict != wanted;
            by_states += usize::from(explored);
            let right = verdict == wanted || wanted == "refused" && verdict == "error" || explored;
            wrong += usize::from(!right);
            let thread = asked.iter().skip_while(|word| *word != "--thread").nth(1).cloned();
            table.row(vec![
                name.clone(),
                thread.unwrap_or_default(),
                verdict,
                format!("{seconds:.2}"),
                wanted.to_string(),
            ]);
        }
    }
    table.print("Proofs that a thread ends", options);
    remark(&format!(
        "The slowest took {slowest:.2} s; {wrong} answers are not the expected ones; {by_states} that \
         the prover leaves open are decided by exploring states."
    ));
    Ok(())
}

fn loops(options: &Options) -> Result<()> {
    if !options.wants_row("loops.c") {
        return Ok(());
    }
    let file = options.root.join("../tests/prove-loops/loops.c");
    let text = std::fs::read_to_string(&file).map_err(|error| format!("loops.c: {error}"))?;
    let lines: Vec<&str> = text.lines().collect();
    let mut table = Table::new(&["loops", "all", "decided", "open", "wrong", "seconds"]);
    for (key, right) in [("ends", "holds"), ("runs", "violated")] {
        progress(&format!("loops that {key}"));
        let (mut all, mut decided, mut open, mut wrong, mut time) = (0, 0, 0, 0, 0.0);
        for pair in lines.windows(2).filter(|p| p[0].starts_with(&format!("// {key}:"))) {
            let name = pair[1].trim_start_matches("void ").split('(').next().unwrap_or_default();
            let asked = ["--thread", name, "--env", "", "--integers", "mathematical"];
            let asked: Vec<String> = asked.iter().map(|word| word.to_string()).collect();
            let (verdict, seconds) = ask(options, &file, &asked)?;
            all += 1;
            time += seconds;
            match verdict.as_str() {
                verdict if verdict == right => decided += 1,
                "inconclusive" => open += 1,
                _ => wrong += 1,
            }
        }
        let numbers = [all, decided, open, wrong].map(|number: usize| number.to_string());
        let mut row = vec![format!("that {}", if key == "ends" { "end" } else { "do not end" })];
        row.extend(numbers);
        row.push(format!("{time:.2}"));
        table.row(row);
    }
    table.print("Sequential loops from the literature", options);
    Ok(())
}

fn ask(options: &Options, file: &Path, asked: &[String]) -> Result<(String, f64)> {
    let mut command = Command::new(&options.exeunt);
    command.arg("prove").arg(file).args(asked).env("NO_COLOR", "1");
    let finished = process::run(&mut command)?;
    let text = finished.text();
    let verdict = match finished.code {
        2 => "error",
        _ => text.split(':').next().unwrap_or_default(),
    };
    Ok((verdict.to_string(), finished.seconds))
}

fn files(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(directory).map_err(|error| error.to_string())?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    Ok(files)
}
