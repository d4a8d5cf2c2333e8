//! `exeunt outcomes` lists every way in which a program can end.

use std::process::Command;

use serde_json::Value;

/// The exit code, and the rows as `end code stdout`, sorted.
fn outcomes(text: &str, flags: &[&str]) -> (Option<i32>, Vec<String>) {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, text).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.arg("outcomes").arg(&file).args(["--format", "json"]).args(flags);
    let output = command.output().expect("exeunt runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{errors}"));
    assert_eq!(report["complete"], output.status.code() == Some(0));
    let row = |row: &Value| {
        let code = row["exit_code"].as_i64().map_or_else(String::new, |code| format!(" {code}"));
        format!("{}{code} {}", row["end"].as_str().expect("an end"), row["stdout"])
    };
    let mut rows: Vec<String> =
        report["outcomes"].as_array().expect("a list").iter().map(row).collect();
    rows.sort();
    (output.status.code(), rows)
}

const COUNTER: &str = "#include <pthread.h>
#include <stdio.h>
static volatile int x;
static void *t(void *u) { x = x + 1; printf(\"t\"); return u; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    x = x + 1;
    printf(\"m\");
    pthread_join(h, 0);
    return x;
}
";

#[test]
fn all_orders_and_lost_updates_are_listed() {
    let wanted = ["exit 1 \"mt\"", "exit 1 \"tm\"", "exit 2 \"mt\"", "exit 2 \"tm\""];
    assert_eq!(outcomes(COUNTER, &[]), (Some(0), wanted.map(str::to_string).to_vec()));
    // What a compiler may make of it is another question.
    assert_eq!(outcomes(COUNTER, &["--", "-O2"]).0, Some(0));
}

const ENDINGS: &str = "#include <assert.h>
#include <exeunt.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;
int main(void) {
    switch (exeunt_choose(5)) {
    case 0: puts(\"end\"); break;
    case 1: assert(!\"reached\"); break;
    case 2: pthread_mutex_lock(&m); pthread_mutex_lock(&m); break;
    case 3: puts(\"loop\"); for (;;) x ^= 1;
    default: exeunt_assume(0);
    }
    return 0;
}
";

#[test]
fn every_kind_of_end_is_told_apart() {
    let wanted = ["deadlock \"\"", "endless \"loop\\n\"", "error \"\"", "exit 0 \"end\\n\""];
    assert_eq!(outcomes(ENDINGS, &[]), (Some(0), wanted.map(str::to_string).to_vec()));
}

#[test]
fn what_prints_without_end_is_cut_off() {
    let text = "#include <stdio.h>\nint main(void) { for (;;) puts(\"x\"); }\n";
    let (code, rows) = outcomes(text, &["--max-states", "300"]);
    assert_eq!((code, rows.len()), (Some(3), 0));
}
