//! Our machine against the real one, on random programs.
//!
//! What has one thread must print natively, compiled by gcc and by clang, what
//! it prints in our machine at every level of optimisation. What has several
//! is run natively many times under a shim that disturbs its schedule: every
//! outcome that is seen must be among those that `exeunt outcomes` lists.

mod concurrent;
mod sequential;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Nothing that is run here takes so long.
const LIMIT: Duration = Duration::from_secs(120);

/// Runs a command; its output is small.
fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|why| panic!("{command:?}: {why}"));
    let start = Instant::now();
    while child.try_wait().expect("it can be waited for").is_none() {
        if start.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("not finished after {} s: {command:?}", LIMIT.as_secs());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    child.wait_with_output().expect("it has ended")
}

fn exeunt() -> Command {
    Command::new(env!("CARGO_BIN_EXE_exeunt"))
}

/// Compiles a program natively.
fn compiled(compiler: &str, level: &str, source: &Path, more: &[&str]) -> PathBuf {
    let binary = source.with_extension(format!("{compiler}{level}"));
    let mut command = Command::new(compiler);
    command.args([level, "-w", "-pthread", "-o"]).arg(&binary).arg(source).args(more).arg("-lm");
    let output = run(&mut command);
    let text = std::fs::read_to_string(source).unwrap_or_default();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {level}: {errors}\n{text}");
    binary
}
