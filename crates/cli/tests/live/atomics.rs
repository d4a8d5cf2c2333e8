//! Atomic instructions of programs that were not instrumented: they are steps, and what
//! they do is still not said to hold, because loads and stores are none.

use std::process::Command;

use crate::shop::{Shop, exeunt, report, root, violation};

/// Rust's mutexes are atomic instructions and futexes.
#[test]
fn mutexes_of_rust_deadlock() {
    let shop = Shop::new();
    for optimised in [&["-g"][..], &["-g", "-O"]] {
        let program = shop.rust("rust_embrace", optimised);
        let trace = shop.directory.path().join("trace.json");
        let (property, line, _) = violation(&["--save", &trace.to_string_lossy()], &program);
        assert_eq!(property, "deadlock");
        assert!([12, 18].contains(&line), "line {line}");
        let mut replay = Command::new(env!("CARGO_BIN_EXE_exeunt"));
        let replayed = replay.arg("replay").arg(&trace).output().expect("exeunt runs");
        let story = String::from_utf8_lossy(&replayed.stdout).into_owned();
        assert_eq!(replayed.status.code(), Some(1), "{story}");
        assert!(
            story.contains("18: waits at futex") || story.contains("12: waits at futex"),
            "{story}"
        );
        assert_eq!(violation(&["--random", "500"], &program).0, "deadlock");
        let right = Command::new(env!("CARGO_BIN_EXE_exeunt"))
            .args(["live", "--format", "json"])
            .arg(&program)
            .args(["--", "right"])
            .output()
            .expect("exeunt runs");
        let text = String::from_utf8_lossy(&right.stdout).into_owned();
        assert_eq!(right.status.code(), Some(3), "{text}");
        assert!(text.contains("loads and stores among these"), "{text}");
    }
}

/// The ABA problem in a binary that was not instrumented.
#[test]
fn atomic_instructions_are_steps() {
    let shop = Shop::new();
    let stack = shop.compile_file(&root().join("examples/08_aba_stack.c"), &[]);
    let (property, line, _) = violation(&[], &stack);
    assert_eq!((property.as_str(), line), ("assertion", 30));
    let shown = exeunt(&[], &stack).stdout;
    assert!(String::from_utf8_lossy(&shown).contains("atomically updates "));
}

/// Every kind of instruction does what it does without us: fetch and add of all sizes,
/// exchange, compare and exchange, bits, in registers of all kinds; floating-point
/// registers keep their values.
#[test]
fn atomic_instructions_do_the_same_as_natively() {
    let shop = Shop::new();
    for level in ["-O0", "-O2"] {
        let program = shop.compile("atomic_kinds", &[level, "-mcx16"]);
        let natively = Command::new(&program).output().expect("it runs");
        assert_eq!(natively.status.code(), Some(0), "{level}");
        let checked = report(&["--max-runs", "50"], &program);
        assert_eq!(checked["verdict"], "inconclusive", "{level}: {checked:#}");
        let text = exeunt(&["--random", "20"], &program).stdout;
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(text.contains("no fault and no deadlock in 20 random schedules"), "{text}");
    }
}
