//! `exeunt check` names the proof that needs no states, where states ran out over a counter.

use std::process::Command;

fn check(text: &str) -> String {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("p.c"), text).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .current_dir(directory.path())
        .env("NO_COLOR", "1")
        .args(["check", "p.c", "--max-states", "30"])
        .output()
        .expect("exeunt runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const MAIN: &str = "int main(void) { pthread_t t; pthread_create(&t, 0, up, 0); up(0); }\n";

#[test]
fn a_counter_that_is_too_large_suggests_a_proof() {
    let text = format!(
        "#include <pthread.h>\nint x;\n\
         void *up(void *a) {{ for (int i = 0; i < 1000; i++) x = i; return a; }}\n{MAIN}"
    );
    let out = check(&text);
    assert!(out.contains("`exeunt prove p.c --thread up` needs no states"), "{out}");
}

#[test]
fn nothing_is_suggested_where_nothing_counts() {
    let text = format!(
        "#include <pthread.h>\n_Atomic int x, y, z;\n\
         void *up(void *a) {{ x = 1; y = 1; z = 1; x = 2; y = 2; z = 2; return a; }}\n{MAIN}"
    );
    let out = check(&text);
    assert!(out.contains("inconclusive") && !out.contains("exeunt prove"), "{out}");
}
