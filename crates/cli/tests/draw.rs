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
    assert!(svg.contains("<svg") && svg.contains("(deadlock)"), "{svg}");
    assert!(svg.contains("stuck: mutex-wait"), "{svg}");
    is_xml(&path);
    let refused = draw(&["examples/01_deadly_embrace.c", "-o", "picture.png"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn what_is_cut_off_is_said() {
    let output = draw(&["examples/01_deadly_embrace.c", "--max-states", "5"]);
    assert!(text(&output).contains("(not explored)"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--max-states"));
}

/// Another program reads it.
fn is_xml(path: &Path) {
    let program = "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])";
    let read = Command::new("/usr/bin/python3").arg("-c").arg(program).arg(path).output();
    let read = read.expect("python runs");
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
}

#[test]
fn waits_and_sections_of_a_trace_are_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_string();
    let saved = |example: &str| {
        let trace = at("trace.json");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let found = Command::new(env!("CARGO_BIN_EXE_exeunt"))
            .args(["check", example, "--save", &trace])
            .current_dir(root)
            .output()
            .expect("exeunt runs");
        assert_eq!(found.status.code(), Some(1));
        trace
    };
    let trace = saved("examples/11_partial_deadlock.c");
    text(&draw(&[&trace, "--of", "waits", "-o", &at("waits.svg")]));
    let waits = std::fs::read_to_string(at("waits.svg")).expect("it was written");
    assert!(waits.contains("waits for mutex `journal`, held by thread 3"), "{waits}");
    assert!(waits.contains("can move") && waits.matches("marker-end").count() == 2, "{waits}");
    is_xml(Path::new(&at("waits.svg")));
    text(&draw(&[&trace, "--of", "sections", "-o", &at("sections.svg")]));
    let sections = std::fs::read_to_string(at("sections.svg")).expect("it was written");
    assert!(sections.contains("thread 2: critical accounts"), "{sections}");
    for sign in ["state after step", "still open at the end", "after step 3 it was too late"] {
        assert!(sections.contains(sign), "{sign}: {sections}");
    }
    is_xml(Path::new(&at("sections.svg")));
    // Threads that go round a loop wait for each other, too.
    let trace = saved("examples/10_trylock.c");
    text(&draw(&[&trace, "--of", "waits", "-o", &at("loops.svg")]));
    let loops = std::fs::read_to_string(at("loops.svg")).expect("it was written");
    assert!(loops.contains("finds `right` locked, which"), "{loops}");
    assert!(loops.contains("thread 2 holds"), "{loops}");
    assert!(loops.matches("marker-end").count() == 2 && !loops.contains("can move"), "{loops}");
    let refused = draw(&["examples/07_peterson.c", "--of", "waits", "-o", &at("no.svg")]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn pictures_need_no_other_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("picture.svg");
    let model = "byte x; active proctype P() { do :: x < 9 -> x++ :: x > 0 -> x-- od }\n";
    std::fs::write(folder.path().join("model.pml"), model).expect("it is written");
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(["draw", "model.pml", "-o"])
        .arg(&path)
        .env("PATH", folder.path())
        .current_dir(folder.path())
        .output()
        .expect("exeunt runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    is_xml(&path);
}
