//! `exeunt draw`: pictures of small state spaces.

use std::path::Path;
use std::process::{Command, Output};

fn draw(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .arg("draw")
        .args(arguments)
        .current_dir(root)
        .output()
        .expect("exeunt runs")
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

#[test]
fn a_deadlock_is_drawn_with_what_is_stuck() {
    let dot = text(&draw(&["examples/01_deadly_embrace.c"]));
    let deadlocks: Vec<&str> = dot.lines().filter(|line| line.contains("(deadlock)")).collect();
    assert_eq!(deadlocks.len(), 1, "{dot}");
    assert!(deadlocks[0].contains("stuck: mutex-wait `savings`"), "{}", deadlocks[0]);
    assert_eq!(dot.matches("(start)").count(), 1);
    assert!(dot.contains("(end)"));
}

#[test]
fn many_states_are_drawn_by_component() {
    let dot = text(&draw(&["tests/promela/models/philosophers.pml"]));
    assert!(dot.contains("206 states, drawn as 2\n"), "{dot}");
}

#[test]
fn a_file_gets_svg_by_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("picture.svg");
    let name = path.to_str().expect("UTF-8");
    text(&draw(&["examples/01_deadly_embrace.c", "-o", name]));
    let svg = std::fs::read_to_string(&path).expect("it was written");
    assert!(svg.contains("<svg") && svg.contains("deadlock"), "{svg}");
    let refused = draw(&["examples/01_deadly_embrace.c", "-o", "picture.png"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn what_is_cut_off_is_said() {
    let output = draw(&["examples/01_deadly_embrace.c", "--max-states", "5"]);
    assert!(text(&output).contains("(not explored)"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--max-states"));
}
