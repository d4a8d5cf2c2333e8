//! `exeunt sections`: what is listed for each kind of file.

use std::process::Command;

fn sections(name: &str, text: &str) -> String {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join(name), text).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    let output = command.current_dir(directory.path()).args(["sections", name]).output();
    let output = output.expect("exeunt runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What happens in a header of the library is listed where it is used, and
/// what comes with the library unused is not listed.
#[test]
fn of_a_cpp_program() {
    let text = "#include <mutex>\n#include <thread>\nstatic std::mutex m;\nint main() {\n    \
                std::thread t([] {\n        std::lock_guard<std::mutex> lock(m);\n    });\n    \
                t.join();\n}\n";
    let lock = "  a.cpp:6:37 in operator()\n";
    let wanted = format!("mutex-wait\n{lock}critical\n{lock}join\n  a.cpp:8:7 in main\n");
    assert_eq!(sections("a.cpp", text), wanted);
}

#[test]
fn of_a_promela_model() {
    let text = "proctype P() { skip }\ninit { run P() }\n";
    let listed = sections("m.pml", text);
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines[0], "process");
    assert!(lines[1].starts_with("  m.pml:1:") && lines[1].ends_with(" in P"), "{listed}");
    assert!(lines[2].starts_with("  m.pml:2:") && lines[2].ends_with(" in init"), "{listed}");
    assert!(lines[3].contains("--must-end"), "{listed}");
}
