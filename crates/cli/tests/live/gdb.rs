//! A found schedule under gdb: at the failure, back by running again, and the
//! stacks of all threads.

use std::process::Command;

use crate::shop::{Shop, exeunt};

/// What gdb prints for these commands at the failure of a program.
fn session(name: &str, commands: &[&str]) -> String {
    let shop = Shop::new();
    let program = shop.compile(name, &[]);
    let trace = shop.directory.path().join("trace.json");
    let saved = exeunt(&["--save", &trace.to_string_lossy()], &program);
    assert_eq!(saved.status.code(), Some(1));
    let mut replay = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    replay.arg("replay").arg(&trace).arg("--gdb");
    for command in commands {
        replay.args(["--gdb-command", command]);
    }
    let output = replay.output().expect("exeunt runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn a_failed_assertion_under_gdb() {
    let text = session("election", &["print val1 + val2", "back", "print val1 + val2"]);
    assert!(text.contains("it goes wrong in step 4"), "{text}");
    assert!(text.contains("assert(!(val1 && val2))"), "{text}");
    assert!(text.contains("$1 = 2"), "both have won: {text}");
    assert!(text.contains("before step 4"), "{text}");
    assert!(text.contains("$2 = 1"), "one step before only one had: {text}");
}

#[test]
fn a_deadlock_under_gdb() {
    let commands =
        ["info threads", "frame", "all", "to-step 2", "forward", "of 2 bt 4", "continue"];
    let text = session("philosophers", &commands);
    // The threads of the program, and a line of it.
    let (_, listed) = text.split_once("no thread goes on after step 3").expect("the failure");
    let (listed, _) = listed.split_once("before step 2").expect("the steps before");
    for thread in 1..=4 {
        assert_eq!(listed.matches(&format!(" thread {thread}  ")).count(), 1, "{text}");
    }
    assert!(!listed.contains("exeunt_live_stop") && !listed.contains("LWP"), "{text}");
    assert!(
        listed.contains("thread 1 hangs in\n#") && listed.contains("philosophers.c:"),
        "{text}"
    );
    assert!(text.contains("no thread goes on after step 3"), "{text}");
    // The main thread joins, and each philosopher waits for a fork.
    assert!(text.contains("main () at"), "{text}");
    for seat in 0..3 {
        assert!(text.contains(&format!("dine (arg={seat:#x}) at")), "{text}");
    }
    assert!(text.contains("before step 2, thread 3"), "{text}");
    assert!(text.contains("before step 3, thread 4"), "{text}");
}
