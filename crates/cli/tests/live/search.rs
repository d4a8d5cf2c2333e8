//! Ways of exploring: bounds on switches, priorities, suspected livelocks.

use crate::shop::{Shop, report, root, violation};

#[test]
fn schedules_with_few_preemptions() {
    let shop = Shop::new();
    let table = shop.compile("philosophers", &[]);
    // Who waits for a fork gives way without being preempted: one is enough.
    assert_eq!(report(&["--context-bound", "0"], &table)["verdict"], "inconclusive");
    assert_eq!(violation(&["--context-bound", "1"], &table).0, "deadlock");
    let limited = report(&["--context-bound", "0"], &shop.compile("rounds", &ROUNDS));
    assert_eq!(limited["verdict"], "inconclusive", "{limited:#}");
    assert_eq!(limited["limits_hit"][0], "--context-bound 0");
    let enough = report(&["--context-bound", "9"], &shop.compile("rounds", &ROUNDS));
    assert_eq!(enough["verdict"], "holds", "nothing was left out: {enough:#}");
}

const ROUNDS: [&str; 2] = ["-DTHREADS=2", "-DROUNDS=1"];

#[test]
fn priorities_say_what_they_may_have_missed() {
    let shop = Shop::new();
    let arguments = ["--random", "400", "--pct", "3", "--seed", "5"];
    assert_eq!(violation(&arguments, &shop.compile("philosophers", &[])).0, "deadlock");
    let fine = report(&arguments, &shop.compile("philosophers", &["-DORDERED"]));
    assert_eq!(fine["verdict"], "inconclusive", "{fine:#}");
    let reason = fine["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("a bug of depth 3 in 4 threads and 15 steps"), "{reason}");
    // A loop that polls does not keep the others from running.
    let polling = shop.compile("election", &[]);
    assert_eq!(violation(&["--random", "400", "--pct", "3"], &polling).0, "assertion");
}

/// What is only suspected is not said to be violated: the counter makes every
/// state a new one.
#[test]
fn a_livelock_is_suspected() {
    let shop = Shop::new();
    let polls = report(&["--max-depth", "50"], &shop.compile("polls", &["-DCOUNTS"]));
    assert_eq!(polls["verdict"], "inconclusive", "{polls:#}");
    let reason = polls["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("a livelock is suspected, not proven: thread 2"), "{reason}");
    assert!(reason.contains("polls.c:7"), "{reason}");
    // A program that runs for ever and gets on is none.
    let endless = report(&["--max-depth", "50"], &shop.compile("endless", &[]));
    let reason = endless["reason"].as_str().unwrap_or_default();
    assert!(!reason.contains("livelock"), "{reason}");
}

/// The program goes on for ever, and a wait in it cannot end, whatever happens:
/// all states that can follow are seen.
#[test]
fn a_wait_that_never_ends_is_proven() {
    let shop = Shop::new();
    let polls = shop.compile("polls", &[]);
    let (property, line, _) = violation(&["--max-depth", "50"], &polls);
    assert_eq!((property.as_str(), line), ("section", 25), "the join of the main thread");
    // Two threads poll, and the third one waits for a signal that nobody gives.
    let (property, line, _) = violation(&["--max-depth", "60"], &shop.compile("polls", &["-DTWO"]));
    assert_eq!(property, "section");
    assert!([23, 25].contains(&line), "line {line}");
    // Somebody may stop polling: nothing is stuck.
    let stops = report(&["--max-depth", "50"], &shop.compile("polls", &["-DSTOPS"]));
    assert_eq!(stops["violations"], serde_json::json!([]), "{stops:#}");
    let instrumented = root().join("examples/course/20_spin/wrong.c");
    let program = shop.live("cc", "gcc", &instrumented, &[]);
    let (property, ..) = violation(&["--max-depth", "80"], &program);
    assert_eq!(property, "section");
}

#[test]
fn a_proof_is_replayed() {
    let shop = Shop::new();
    let trace = shop.directory.path().join("trace.json");
    let arguments = ["--max-depth", "50", "--save", &trace.to_string_lossy()];
    let saved = crate::shop::exeunt(&arguments, &shop.compile("polls", &[]));
    assert_eq!(saved.status.code(), Some(1));
    let mut replay = std::process::Command::new(env!("CARGO_BIN_EXE_exeunt"));
    let again = replay.arg("replay").arg(&trace).output().expect("exeunt runs");
    assert_eq!(again.status.code(), Some(1), "{}", String::from_utf8_lossy(&again.stderr));
}

/// Several jobs make the same runs as one, also where each run needs a process.
#[test]
fn jobs_make_the_same_runs() {
    let shop = Shop::new();
    let runs = |arguments: &[&str], program: &std::path::Path| {
        let report = report(arguments, program);
        assert_eq!(report["verdict"], "holds", "{report:#}");
        report["statistics"]["runs"].as_u64().expect("a number")
    };
    for (threads, rounds, expected) in [(2, 6, 924), (3, 3, 1680), (4, 2, 2520), (5, 1, 120)] {
        let flags = [format!("-DTHREADS={threads}"), format!("-DROUNDS={rounds}")];
        let program = shop.compile("rounds", &[&flags[0], &flags[1]]);
        for jobs in ["2", "3"] {
            assert_eq!(runs(&["--jobs", jobs], &program), expected, "{jobs} jobs");
        }
    }
    let table = shop.compile("philosophers", &["-DORDERED", "-DSEATS=6"]);
    assert_eq!(runs(&["--jobs", "2"], &table), 62);
    let steady = shop.compile("urandom", &["-DFILE_NAME=\"/dev/zero\""]);
    assert_eq!(runs(&["--jobs", "2"], &steady), 2);
    // What is found does not depend on it, and neither do random runs.
    let wrong = shop.compile("philosophers", &[]);
    assert_eq!(violation(&["--jobs", "2"], &wrong).0, "deadlock");
    assert_eq!(violation(&["--jobs", "2", "--minimal"], &wrong).2.split(';').count(), 3);
    let arguments = ["--random", "500", "--seed", "3", "--jobs", "2"];
    let fine = report(&arguments, &shop.compile("philosophers", &["-DORDERED"]));
    assert_eq!(fine["statistics"]["runs"], 500, "{fine:#}");
}

/// Kernel threads for programs that need them, and the same answers for those that
/// do not.
#[test]
fn threads_may_have_kernel_threads() {
    let shop = Shop::new();
    // They are made without being asked for, where the kernel is asked who calls.
    let identity = report(&[], &shop.compile("identity", &[]));
    assert_eq!(identity["verdict"], "holds", "{identity:#}");
    let table = shop.compile("philosophers", &[]);
    let (property, line, schedule) = violation(&["--kernel-threads"], &table);
    assert_eq!((property.as_str(), line, schedule.as_str()), ("deadlock", 22, "2;3;4"));
    for (name, flags, expected) in [
        ("philosophers", ["-DORDERED", "-DSEATS=5"], 30),
        ("rounds", ["-DTHREADS=3", "-DROUNDS=2"], 90),
        ("urandom", ["-DFILE_NAME=\"/dev/zero\"", "-g"], 2),
    ] {
        let report = report(&["--kernel-threads"], &shop.compile(name, &flags));
        assert_eq!(report["verdict"], "holds", "{report:#}");
        assert_eq!(report["statistics"]["runs"], expected, "{name}");
    }
    for part in [1, 3, 4, 5, 6, 7, 9] {
        let program = shop.compile("primitives", &[&format!("-DPART={part}")]);
        let report = report(&["--kernel-threads"], &program);
        assert_eq!(report["verdict"], "holds", "part {part}: {report:#}");
    }
}
