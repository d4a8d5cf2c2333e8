//! `--memory` is the memory of the process as the kernel counts it, whatever
//! the search keeps besides its states.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Mebibytes; exeunt with LLVM alone takes more than half of it.
const LIMIT: u64 = 110;

/// Four threads that do not end before the limit is reached.
const PROGRAM: &str = "#include <pthread.h>
volatile int a, b, c, d, e, f, g, h;
#define T(n, x, y) \\
    static void *t##n(void *u) { for (int i = 0; i < 24; i++) { x = i; y += 1; } return u; }
T(1, a, b) T(2, c, d) T(3, e, f) T(4, g, h)
int main(void) {
    pthread_t t[4];
    void *(*f[])(void *) = {t1, t2, t3, t4};
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f[i], 0);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
}
";

/// The same where the environment chooses, so that more is kept.
const CHOOSING: &str = "#include <exeunt.h>
#include <pthread.h>
volatile int a, b, c;
#define T(n, x) \\
    static void *t##n(void *u) { for (;;) x = (x + exeunt_choose(2)) % 120; return u; }
T(1, a) T(2, b) T(3, c)
int main(void) {
    pthread_t t[3];
    void *(*f[])(void *) = {t1, t2, t3};
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f[i], 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
";

fn keeps(folder: &Path, file: &str, flags: &[&str]) {
    let limit = format!("{LIMIT}M");
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.args(["check", file, "--format", "json", "--reduction", "tau", "--memory", &limit]);
    command.args(flags).current_dir(folder);
    let output = command.output().expect("exeunt runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{flags:?}: {text}"));
    let reason = report["reason"].as_str().unwrap_or_default();
    assert_eq!(report["verdict"], "inconclusive", "{flags:?}: {reason}");
    assert!(reason.contains("--memory"), "{flags:?}: {reason}");
    let peak = report["statistics"]["peak_memory_bytes"].as_u64().expect("a peak");
    let most = LIMIT * 1024 * 1024 / 100 * 105;
    assert!(peak <= most, "{flags:?}: {} MiB of {LIMIT}", peak >> 20);
    let least = LIMIT * 1024 * 1024 / 100 * 85;
    assert!(peak >= least, "{flags:?}: {} MiB of {LIMIT} were used", peak >> 20);
}

#[test]
fn the_limit_is_kept_by_every_search() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), PROGRAM).expect("it is written");
    std::fs::write(folder.path().join("c.c"), CHOOSING).expect("it is written");
    let keeps = |file: &str, flags: &[&str]| keeps(folder.path(), file, flags);
    keeps("p.c", &["--jobs", "1"]);
    keeps("p.c", &["--jobs", "2"]);
    keeps("p.c", &["--shortest"]);
    keeps("p.c", &["--property", "temporal", "--ltl", "G (a < 100)"]);
    keeps("p.c", &["--property", "temporal", "--fair", "--ltl", "F (a == 23)"]);
    keeps("p.c", &["--property", "temporal", "--invariant", "a < 100"]);
    keeps("c.c", &["--jobs", "1"]);
    keeps("c.c", &["--jobs", "2"]);
    keeps("c.c", &["--shortest"]);
}

#[test]
fn an_array_that_does_not_fit_is_refused() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.args(["check", "Cargo.toml", "--bitstate=200M", "--memory", "200M"]);
    let output = command.output().expect("exeunt runs");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("--bitstate"), "{message}");
}
