//! Cancellation, functions with deadlines, and wake-ups without a signal.

use crate::shop::{Shop, report, schedules, violation};

#[test]
fn cancelled_threads_end_at_cancellation_points() {
    let shop = Shop::new();
    // Handlers are called by jumps or by the unwinder.
    for mode in ["-fno-exceptions", "-fexceptions"] {
        for part in 1..=4 {
            let program = shop.compile("cancel", &[mode, &format!("-DPART={part}")]);
            let limits = if part == 3 { &["--max-depth", "60"][..] } else { &[] };
            let report = report(limits, &program);
            // Part 3 asks again and again until it is cancelled.
            let expected = if part == 3 { "inconclusive" } else { "holds" };
            assert_eq!(report["verdict"], expected, "part {part}: {report:#}");
            assert_eq!(report["violations"], serde_json::json!([]), "part {part}");
        }
    }
    let forgetful = shop.compile("cancel", &["-DPART=1", "-DFORGETFUL"]);
    let (property, line, _) = violation(&[], &forgetful);
    assert_eq!((property.as_str(), line), ("deadlock", 62), "it keeps its mutex");
}

#[test]
fn what_is_not_known_of_cancellation_and_mutexes_is_named() {
    let shop = Shop::new();
    for (body, name) in [
        ("pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);", "asynchronous cancellation"),
        ("syscall(SYS_futex, &w, FUTEX_LOCK_PI, 0, 0, 0, 0);", "FUTEX_LOCK_PI"),
        ("syscall(SYS_futex, &w, FUTEX_CMP_REQUEUE, 1, 1, &w, 0);", "FUTEX_CMP_REQUEUE"),
    ] {
        let source = shop.directory.path().join("named.c");
        let text = format!(
            "#define _GNU_SOURCE\n#include <pthread.h>\n#include <linux/futex.h>\n\
             #include <sys/syscall.h>\n#include <unistd.h>\nint w;\n\
             int main(void) {{ {body} return w; }}\n"
        );
        std::fs::write(&source, text).expect("written");
        let report = report(&[], &shop.compile_file(&source, &[]));
        assert_eq!(report["verdict"], "inconclusive", "{report:#}");
        let reason = report["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(name), "{reason}");
    }
}

#[test]
fn deadlines_may_pass_and_joins_may_ask() {
    let shop = Shop::new();
    assert!(schedules(&shop.compile("deadlines", &["-DPART=1"])) > 3);
    // Before the end of the thread, between the questions, and after both.
    assert_eq!(schedules(&shop.compile("deadlines", &["-DPART=2"])), 3);
    let sure = shop.compile("deadlines", &["-DPART=2", "-DSURE"]);
    assert_eq!(violation(&[], &sure).0, "assertion", "the deadline may pass");
}

#[test]
fn a_wait_may_end_without_a_signal_if_asked_for() {
    let shop = Shop::new();
    let once = shop.compile("deadlines", &["-DPART=3", "-DSPURIOUS"]);
    assert_eq!(schedules(&once), 2, "without such wake-ups it is right");
    let (property, line, schedule) = violation(&["--spurious", "1"], &once);
    assert_eq!((property.as_str(), line), ("assertion", 76));
    assert!(schedule.contains("(1)"), "{schedule}");
    let again = shop.compile("deadlines", &["-DPART=3"]);
    let report = report(&["--spurious", "2"], &again);
    assert_eq!(report["verdict"], "holds", "{report:#}");
    // A deadlock stays one, although waits may end for nothing.
    let lost = shop.compile("wrong_waiter", &[]);
    assert_eq!(violation(&["--spurious", "1"], &lost).0, "deadlock");
}
