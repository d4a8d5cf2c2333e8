//! `--checkpoint` and `--resume`: a run that is killed comes to the same
//! numbers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const PROGRAM: &str = "bench/programs/philosophers.c";

fn exeunt(arguments: &[&str]) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.args(["check", PROGRAM, "--format", "json"]).args(arguments);
    command.args(["--", "-DSEATS=5"]).current_dir(root);
    command
}

fn report(arguments: &[&str]) -> (Value, i32) {
    let output = exeunt(arguments).output().expect("exeunt runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let report = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{errors}"));
    (report, output.status.code().expect("an exit code"))
}

fn numbers(report: &Value) -> Vec<&Value> {
    let statistics = &report["statistics"];
    ["states", "transitions", "revisits", "sections_opened", "section_sites"]
        .map(|name| &statistics[name])
        .to_vec()
}

/// Runs until there is a checkpoint, then kills the run.
fn kill_after_checkpoint(path: &Path, jobs: &str) {
    let name = path.to_str().expect("UTF-8");
    let arguments = ["--jobs", jobs, "--checkpoint", name, "--checkpoint-every", "1ms"];
    let mut child =
        exeunt(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
    let start = Instant::now();
    while !path.exists() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("SIGKILL");
    child.wait().expect("it is gone");
    assert!(path.exists(), "no checkpoint was written");
}

fn file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("search");
    (folder, path)
}

#[test]
fn a_killed_run_is_finished_to_the_same_numbers() {
    let (whole, code) = report(&["--jobs", "1", "--reduction", "tau"]);
    assert_eq!((whole["verdict"].as_str(), code), (Some("holds"), 0));
    for jobs in ["1", "2"] {
        let (_folder, path) = file();
        kill_after_checkpoint(&path, jobs);
        let name = path.to_str().expect("UTF-8");
        let (resumed, code) = report(&["--jobs", jobs, "--resume", name]);
        assert_eq!((resumed["verdict"].as_str(), code), (Some("holds"), 0), "{resumed}");
        assert_eq!(numbers(&resumed), numbers(&whole));
    }
}

#[test]
fn a_limit_leaves_a_checkpoint_to_go_on_from() {
    let (_folder, path) = file();
    let name = path.to_str().expect("UTF-8");
    let (cut, code) = report(&["--max-states", "3000", "--checkpoint", name]);
    assert_eq!((cut["verdict"].as_str(), code), (Some("inconclusive"), 3));
    let (resumed, _) = report(&["--resume", name]);
    let (whole, _) = report(&["--reduction", "tau"]);
    assert_eq!(numbers(&resumed), numbers(&whole));
}

#[test]
fn checkpoints_of_other_searches_are_refused() {
    let (_folder, path) = file();
    let name = path.to_str().expect("UTF-8");
    report(&["--max-states", "3000", "--checkpoint", name]);
    for other in [&["--resume", name, "--leaks"][..], &["--resume", PROGRAM], &["--resume", "no"]] {
        let output = exeunt(other).output().expect("exeunt runs");
        assert_eq!(output.status.code(), Some(2), "{other:?}");
        assert!(!output.stderr.is_empty());
    }
    let bytes = std::fs::read(&path).expect("it is there");
    let mut cut = bytes[..bytes.len() / 2].to_vec();
    std::fs::write(&path, &cut).expect("it is cut");
    assert_eq!(exeunt(&["--resume", name]).output().expect("runs").status.code(), Some(2));
    // A hole in the middle is only seen while it is read.
    cut.extend_from_slice(&bytes[bytes.len() - 19..]);
    std::fs::write(&path, &cut).expect("it has a hole");
    let (damaged, code) = report(&["--resume", name]);
    assert_eq!((damaged["verdict"].as_str(), code), (Some("inconclusive"), 3), "{damaged}");
}

/// What a header says is part of the program, as is what the compiler is told.
#[test]
fn checkpoints_of_changed_headers_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("it is written");
    };
    write(
        "x.c",
        "#include \"x.h\"\n#include <pthread.h>\nvolatile int a = K, b, c;\n\
         static void *t(void *u) { for (int i = 0; i < 9; i++) b += a; return u; }\n\
         int main(void) { pthread_t h; pthread_create(&h, 0, t, 0);\n\
         for (int i = 0; i < 9; i++) c += b; pthread_join(h, 0); }\n",
    );
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
        let output = command.args(["check", "x.c"]).args(arguments).current_dir(folder.path());
        let output = output.output().expect("exeunt runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    write("x.h", "#define K 1\n");
    assert_eq!(run(&["--max-states", "20", "--checkpoint", "kept"]).0, Some(3));
    write("x.h", "/* another text of the same program */\n#define K 1\n");
    assert_eq!(run(&["--resume", "kept"]), (Some(0), String::new()));
    write("x.h", "#define K 2\n");
    let (code, message) = run(&["--resume", "kept"]);
    assert_eq!(code, Some(2));
    assert!(message.contains("a header, the library or the compiler has changed"), "{message}");
}

/// A sequence lock whose reader copies while the writer writes.
const HALF_COPIED: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct pair { long a, b; } shared;
_Atomic int sequence;
void *writer(void *arg) {
    struct pair ones = {1, 1};
    sequence++; shared = ones; sequence++;
    return arg;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int before = sequence;
    struct pair copy = shared;
    if (before % 2 == 0 && sequence == before) assert(copy.a == copy.b);
    pthread_join(thread, 0);
}
";

#[test]
fn what_was_seen_half_copied_is_not_forgotten_by_a_checkpoint() {
    let (folder, path) = file();
    let name = path.to_str().expect("UTF-8");
    std::fs::write(folder.path().join("x.c"), HALF_COPIED).expect("writable");
    let code = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
        command.args(["check", "x.c", "--checkpoint", name]).args(more);
        command.current_dir(folder.path()).output().expect("exeunt runs").status.code()
    };
    assert_eq!(code(&[]), Some(3));
    assert_eq!(code(&["--copy-order", "ascending"]), Some(0));
}
