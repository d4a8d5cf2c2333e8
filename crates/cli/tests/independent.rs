//! Threads that have nothing to do with each other cost their operations, not all orders of
//! them: the programs of `./x bench independent`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Program, threads, operations that could be scheduled (each thread's own, its creation and its
/// join). States may be ten times as many.
const PROGRAMS: [(&str, u64, u64); 9] = [
    ("cells", 16, 8 + 2),
    ("cells", 64, 8 + 2),
    ("locks", 16, 2 * 8 + 2),
    ("locks", 64, 2 * 8 + 2),
    ("nodes", 16, 4 * 6 + 2),
    ("buckets", 16, 2 * 4 + 2),
    // No two of them collide.
    ("indexer", 11, 2 * 4 + 2),
    ("filesystem", 13, 4 + 2),
    // Some do.
    ("indexer", 20, 2 * 4 + 2),
];

#[test]
fn threads_that_do_not_meet_cost_their_operations() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/independent");
    for (name, threads, operations) in PROGRAMS {
        let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
            .args(["check", "--format", "json", "--time", "60s"])
            .arg(root.join(name).with_extension("c"))
            .args(["--", &format!("-DTHREADS={threads}")])
            .output()
            .expect("exeunt runs");
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        assert_eq!(report["verdict"], "holds", "{name}, {threads} threads: {report:#}");
        let states = report["statistics"]["states"].as_u64().expect("a number");
        let most = 10 * threads * operations;
        assert!(states <= most, "{name}, {threads} threads: {states} states, at most {most}");
    }
}
