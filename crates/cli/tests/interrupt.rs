//! Ctrl-C: what is known is printed, the exit code is 130, and nothing stays
//! behind.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// More states than anybody waits for.
const ENDLESS: &str = "
#include <pthread.h>
static _Atomic unsigned long a, b, c;
static void *count(void *p) { for (;;) ++*(_Atomic unsigned long *)p; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, count, (void *)&a);
    pthread_create(&u, 0, count, (void *)&b);
    count((void *)&c);
}
";

fn start(directory: &TempDir, words: &[&str]) -> Child {
    std::fs::write(directory.path().join("endless.c"), ENDLESS).expect("a file");
    std::fs::create_dir(directory.path().join("tmp")).expect("a directory");
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command
        .current_dir(directory.path())
        .env("NO_COLOR", "1")
        .env("TMPDIR", directory.path().join("tmp"));
    command.args(["check", "endless.c"]).args(words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("exeunt runs")
}

fn signal(child: &Child) {
    // The shell's own `kill`: the program of that name is a package of its own.
    let kill = format!("kill -INT {}", child.id());
    let sent = Command::new("sh").args(["-c", &kill]).status().expect("a shell runs");
    assert!(sent.success());
}

/// Waits for the directory of the run to show up: the search comes next.
fn wait_for_start(directory: &TempDir) {
    let start = Instant::now();
    while std::fs::read_dir(directory.path().join("tmp")).expect("a directory").next().is_none() {
        assert!(start.elapsed() < Duration::from_secs(30), "exeunt does not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_secs(2));
}

#[test]
fn the_first_one_prints_what_is_known() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut child = start(&directory, &["--format", "json"]);
    wait_for_start(&directory);
    signal(&child);
    let mut text = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
    let status = child.wait().expect("an end");
    assert_eq!(status.code(), Some(130), "{text}");
    let report: serde_json::Value = serde_json::from_str(&text).expect("a report");
    assert_eq!(report["verdict"], "inconclusive");
    assert!(report["statistics"]["states"].as_u64() > Some(0), "{text}");
    let left = std::fs::read_dir(directory.path().join("tmp")).expect("a directory").count();
    assert_eq!(left, 0, "a directory was left behind");
}

#[test]
fn a_limit_makes_it_inconclusive() {
    let directory = tempfile::tempdir().expect("a directory");
    let child = start(&directory, &["--max-states", "1000", "--format", "json"]);
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(3));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(report["verdict"], "inconclusive");
    assert_eq!(report["limits_hit"].as_array().map(Vec::len), Some(1));
}
