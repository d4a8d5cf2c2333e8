//! Where SPIN's verifier with its usual settings says nothing, and we do:
//! `tests/promela/DIFFERENCES.md` lists them. A repaired SPIN fails here.

use std::path::Path;
use std::process::{Command, Output};

/// Both verdicts on a model, as exit codes and texts: that of `pan` as people
/// call it, and ours.
fn both(text: &str) -> (Output, Output) {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |program: &str, args: &[&str]| {
        let output = Command::new(program).args(args).current_dir(folder.path()).output();
        output.unwrap_or_else(|why| panic!("`{program}` could not be run ({why})"))
    };
    std::fs::write(folder.path().join("m.pml"), text).expect("writing the model");
    run("spin", &["-a", "m.pml"]);
    let gcc = run("gcc", &["-w", "-DSAFETY", "-o", "pan", "pan.c"]);
    assert!(gcc.status.success(), "{gcc:?}");
    let pan = run(&folder.path().join("pan").display().to_string(), &[]);
    (pan, run(env!("CARGO_BIN_EXE_exeunt"), &["check", "m.pml"]))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn its_reduction_forgets_that_numbers_of_processes_depend_on_who_lives() {
    let name = "../../tests/promela/spin-is-wrong/pid_of_the_second.pml";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let (theirs, ours) = both(&std::fs::read_to_string(path).expect("the model"));
    assert!(said(&theirs).contains("errors: 0"), "{theirs:?}");
    assert_eq!(ours.status.code(), Some(1), "{ours:?}");
    assert!(said(&ours).contains("assertion `_pid == 1` does not hold"), "{ours:?}");
}

#[test]
fn its_bound_on_depth_hides_an_error_behind_a_line() {
    let text = "int x; init { do :: x < 20000 -> x++ :: else -> break od; assert(x != 20000) }";
    let (theirs, ours) = both(text);
    assert!(said(&theirs).contains("errors: 0"), "{theirs:?}");
    assert_eq!(ours.status.code(), Some(1), "{ours:?}");
}

#[test]
fn its_exit_code_says_nothing() {
    let (theirs, ours) = both("init { assert(false) }");
    assert!(said(&theirs).contains("errors: 1"), "{theirs:?}");
    assert_eq!((theirs.status.code(), ours.status.code()), (Some(0), Some(1)));
}
