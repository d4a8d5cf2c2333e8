//! `--memory` is the memory of the process as the kernel counts it, whatever
//! the search keeps besides its states.

use std::mem::MaybeUninit;
use std::path::Path;
use std::process::{Command, Stdio};

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
    // Some is kept for telling the path, which is long here.
    let least = LIMIT * 1024 * 1024 / 100 * 65;
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
    keeps("p.c", &["--hash-compact"]);
    keeps("c.c", &["--jobs", "1"]);
    keeps("c.c", &["--jobs", "2"]);
    keeps("c.c", &["--shortest"]);
}

/// A long way to an error.
const DEEP: &str = "#include <assert.h>
#include <pthread.h>
volatile int a, b;
static void *t(void *u) { for (int i = 0; i < 12000; i++) a++; return u; }
static void *s(void *u) { for (int i = 0; i < 9; i++) b++; assert(a < 11999 || b < 9); return u; }
int main(void) {
    pthread_t h, k;
    pthread_create(&h, 0, t, 0);
    pthread_create(&k, 0, s, 0);
    pthread_join(h, 0);
    pthread_join(k, 0);
}
";

/// What is found is told within the limit, too, in every form.
#[test]
fn the_limit_is_kept_while_a_story_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("deep.c"), DEEP).expect("it is written");
    for flags in [
        &["--format", "human"][..],
        &["--format", "json"],
        &["--format", "sarif"],
        &["--format", "html"],
        &["--hash-compact"],
        &["--bitstate=16M"],
    ] {
        let peak = told(folder.path(), flags);
        assert!(peak <= STORY * 1024 / 100 * 105, "{flags:?}: {peak} KiB of {STORY} MiB");
    }
}

/// Mebibytes in which the error is found.
const STORY: u64 = 110;

/// The peak in KiB of a check that finds the error, as the kernel tells it.
#[expect(clippy::zombie_processes, reason = "wait4 waits for it, and tells what it used")]
fn told(folder: &Path, flags: &[&str]) -> u64 {
    let limit = format!("{STORY}M");
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.args(["check", "deep.c", "--reduction", "tau", "--memory", &limit]).args(flags);
    command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().expect("exeunt runs");
    let (mut status, mut usage) = (0, MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: both places can be written, and the child is ours and not waited
    // for by anybody else.
    let ended = unsafe { libc::wait4(child.id() as i32, &mut status, 0, usage.as_mut_ptr()) };
    assert_eq!(ended, child.id() as i32);
    assert_eq!(libc::WEXITSTATUS(status), 1, "{flags:?}");
    // SAFETY: zeroed, and written by the kernel.
    unsafe { usage.assume_init() }.ru_maxrss as u64
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
