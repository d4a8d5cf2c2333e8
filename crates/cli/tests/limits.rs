//! `--time` and Ctrl-C end a search soon, wherever it is: in one long private run, in deep
//! recursion, among large objects, in many threads.
//!
//! What counts is processor time, so that a loaded machine does not matter. The search has one
//! thread, so it cannot use more of it than real time passes.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

/// Each is busy for minutes between two things that another thread could see.
const PROGRAMS: [(&str, &str); 4] = [
    (
        "recursion",
        "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
         int main(void) { return fib(45) == 0; }",
    ),
    (
        "loop",
        "static unsigned long x = 88172645463325252;
         static unsigned long next(void) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; return x; }
         int main(void) {
             unsigned long sum = 0;
             for (long i = 0; i < 2000000000; i++) { sum += next(); sum ^= next(); sum += next(); }
             return sum == 0;
         }",
    ),
    (
        "large",
        "#include <pthread.h>
         #include <stdatomic.h>
         static char large[16 << 20];
         static atomic_int n;
         static void *f(void *unused) {
             for (int i = 0; i < 4000; i++) { large[i * 4096] = i; atomic_fetch_add(&n, 1); }
             return unused;
         }
         int main(void) {
             pthread_t a, b;
             pthread_create(&a, 0, f, 0);
             pthread_create(&b, 0, f, 0);
             pthread_join(a, 0);
             pthread_join(b, 0);
         }",
    ),
    (
        "wide",
        "#include <pthread.h>
         #include <stdatomic.h>
         static atomic_int n[12];
         static void *f(void *at) {
             for (int i = 0; i < 50; i++)
                 for (int j = 0; j < 12; j++) atomic_fetch_add(&n[((long)at + j) % 12], 1);
             return 0;
         }
         int main(void) {
             pthread_t t[12];
             for (long i = 0; i < 12; i++) pthread_create(&t[i], 0, f, (void *)i);
             for (int i = 0; i < 12; i++) pthread_join(t[i], 0);
         }",
    ),
];

/// Seconds of processor time: the limit, half a second, and what clang and the beginning of
/// a run in a build with assertions take.
const LIMIT: f64 = 1.0;
const MOST: f64 = LIMIT + 0.5 + 1.5;

struct Ended {
    status: ExitStatus,
    /// Of the process and of what it has waited for.
    processor: f64,
}

/// Waits for a process, after `before` was done to it.
#[allow(clippy::zombie_processes, reason = "wait4 waits for it, and tells what it used")]
fn run(directory: &Path, arguments: &[&str], before: impl FnOnce(i32)) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.args(arguments).current_dir(directory).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().expect("exeunt can be started");
    let id = child.id() as i32;
    before(id);
    // SAFETY: a `rusage` is made of numbers, for which all bits 0 is a value.
    let (mut status, mut usage) = (0, unsafe { std::mem::zeroed::<libc::rusage>() });
    // SAFETY: both places live as long as the call, and nobody else waits for this child.
    let waited = unsafe { libc::wait4(id, &mut status, 0, &mut usage) };
    assert_eq!(waited, id);
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let processor = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    let status = std::os::unix::process::ExitStatusExt::from_raw(status);
    Ended { status, processor }
}

fn written(directory: &Path) -> Vec<String> {
    let write = |(name, text): &(&str, &str)| {
        let file = format!("{name}.c");
        fs::write(directory.join(&file), text).expect("the file can be written");
        file
    };
    PROGRAMS.iter().map(write).collect()
}

#[test]
fn time_is_kept_wherever_a_search_is() {
    let directory = tempfile::tempdir().expect("there is a place for files");
    for file in written(directory.path()) {
        for reduction in ["movers", "full"] {
            let arguments =
                ["check", &file, "--jobs", "1", "--time", "1s", "--reduction", reduction];
            let ended = run(directory.path(), &arguments, |_| {});
            assert_eq!(ended.status.code(), Some(3), "{file} {reduction}");
            assert!(ended.processor < MOST, "{file} {reduction}: {} s", ended.processor);
        }
    }
}

#[test]
fn an_interrupt_is_noticed_wherever_a_search_is() {
    let directory = tempfile::tempdir().expect("there is a place for files");
    for file in written(directory.path()) {
        let ended = run(directory.path(), &["check", &file, "--jobs", "1"], |id| {
            thread::sleep(Duration::from_secs_f64(LIMIT));
            // SAFETY: the process is a child that was not waited for.
            unsafe { libc::kill(id, libc::SIGINT) };
        });
        assert_eq!(ended.status.code(), Some(130), "{file}");
        assert!(ended.processor < MOST, "{file}: {} s", ended.processor);
    }
}
