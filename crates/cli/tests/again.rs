//! Checking again: only what is new (`--baseline`), and on every save (`--watch`).

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn check(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.arg("check").args(arguments).current_dir(folder).output().expect("exeunt runs")
}

fn text(output: &Output) -> String {
    let all = [output.stdout.as_slice(), &output.stderr].concat();
    String::from_utf8_lossy(&all).into_owned()
}

const ONE: &str = "\
#include <assert.h>
#include <exeunt.h>
int main(void) {
    int x = exeunt_choose(3);
    if (x == 1)
        assert(x == 0);
    return 0;
}
";

#[test]
fn a_baseline_leaves_known_violations_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    std::fs::write(path.join("a.c"), ONE).expect("it is written");
    let old = check(path, &["a.c", "--all", "--format", "json", "-o", "old.json"]);
    assert_eq!(old.status.code(), Some(1), "{}", text(&old));
    // The same, a line further down.
    std::fs::write(path.join("a.c"), format!("\n{ONE}")).expect("it is written");
    let same = check(path, &["a.c", "--baseline", "old.json"]);
    assert_eq!(same.status.code(), Some(0), "{}", text(&same));
    assert!(text(&same).contains("nothing new: 1 known violation is left out"), "{}", text(&same));
    // One more.
    let more = ONE.replace("    return 0;", "    assert(x != 2);\n    return 0;");
    std::fs::write(path.join("a.c"), &more).expect("it is written");
    let new = check(path, &["a.c", "--baseline", "old.json"]);
    assert_eq!(new.status.code(), Some(1), "{}", text(&new));
    assert!(text(&new).contains("assertion failed: x != 2"), "{}", text(&new));
    assert!(!text(&new).contains("assertion failed: x == 0"), "{}", text(&new));
    assert!(text(&new).contains("1 known violation is left out"), "{}", text(&new));
    // Repaired: holds, and what is gone is named.
    std::fs::write(path.join("a.c"), ONE.replace("x == 0", "x == 1")).expect("it is written");
    let good = check(path, &["a.c", "--baseline", "old.json"]);
    assert_eq!(good.status.code(), Some(0), "{}", text(&good));
    assert!(text(&good).contains("not found any more"), "{}", text(&good));
    // Cut off: nothing is said about what is new.
    std::fs::write(path.join("a.c"), ONE).expect("it is written");
    let cut = check(path, &["a.c", "--baseline", "old.json", "--max-states", "1"]);
    assert_eq!(cut.status.code(), Some(3), "{}", text(&cut));
    let wrong = check(path, &["a.c", "--baseline", "a.c"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", text(&wrong));
}

/// Four sections hang together; a report without `--all` tells one of them.
#[test]
fn a_baseline_knows_what_hangs_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text_of =
        std::fs::read_to_string(examples.join("11_partial_deadlock.c")).expect("a program");
    std::fs::write(path.join("a.c"), &text_of).expect("it is written");
    let old = check(path, &["a.c", "--format", "json", "-o", "old.json"]);
    assert_eq!(old.status.code(), Some(1), "{}", text(&old));
    let same = check(path, &["a.c", "--baseline", "old.json"]);
    assert_eq!(same.status.code(), Some(0), "{}", text(&same));
    assert!(
        text(&same).contains("nothing new: 4 known violations are left out"),
        "{}",
        text(&same)
    );
    // Another lock that is never given back is new.
    let more = text_of.replace("    for (;;)", "    static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER;\n    pthread_mutex_lock(&kept);\n    for (;;)");
    assert_ne!(more, text_of);
    std::fs::write(path.join("a.c"), &more).expect("it is written");
    let new = check(path, &["a.c", "--baseline", "old.json"]);
    assert_eq!(new.status.code(), Some(1), "{}", text(&new));
    assert!(text(&new).contains("mutex `main.kept` stays locked"), "{}", text(&new));
}

#[test]
fn a_watched_program_is_checked_on_every_save() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    std::fs::write(path.join("a.c"), "#include \"a.h\"\nint main(void) { return limit(); }\n")
        .expect("it is written");
    let header = |text: &str| std::fs::write(path.join("a.h"), text).expect("it is written");
    header("#include <assert.h>\nstatic int limit(void) { assert(0); return 0; }\n");
    let mut watching = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(["check", "a.c", "--watch"])
        .current_dir(path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("exeunt runs");
    let mut lines = BufReader::new(watching.stdout.take().expect("its output")).lines();
    let mut wait_for = |start: &str| {
        let found = lines.by_ref().map(|line| line.expect("a line")).find(|l| l.starts_with(start));
        assert!(found.is_some(), "{start} is never printed");
    };
    wait_for("violated:");
    wait_for("--- waiting");
    header("static int limit(void) { return 0; }\n");
    wait_for("--- ");
    wait_for("holds:");
    let id = watching.id() as libc::pid_t;
    // SAFETY: only sends a signal to the process that was started above.
    unsafe { libc::kill(id, libc::SIGINT) };
    assert_eq!(watching.wait().expect("it ends").code(), Some(130));
}
