//! Single-threaded C++ programs print the same natively and in the virtual machine.
//!
//! The files in `tests/cxx` hold many small programs each, because compiling takes
//! longer than running.

use std::path::{Path, PathBuf};
use std::process::Command;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cxx")
}

/// What a program prints natively.
fn native(file: &Path, standard: &str) -> String {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let binary = scratch.path().join("program");
    let mut compiler = Command::new("clang++-22");
    compiler.args([standard, "-w", "-o"]).arg(&binary).arg(file);
    assert!(compiler.status().expect("clang++-22 starts").success(), "{}", file.display());
    let output = Command::new(&binary).output().expect("it starts");
    assert!(output.status.success(), "{}", file.display());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What it prints in the virtual machine.
fn machine(file: &Path, standard: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    let output = command.arg("run").arg(file).args(["--", standard]).output();
    let output = output.expect("exeunt starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", file.display());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn prints_the_same(name: &str, programs: usize) {
    prints_the_same_as(name, "-std=c++20", programs);
}

fn prints_the_same_as(name: &str, standard: &str, programs: usize) {
    let file = directory().join(name);
    let (native, machine) = (native(&file, standard), machine(&file, standard));
    for (line, (expected, found)) in native.lines().zip(machine.lines()).enumerate() {
        assert_eq!(found, expected, "{name}, line {}", line + 1);
    }
    assert_eq!(native.len(), machine.len(), "{name}");
    let source = std::fs::read_to_string(&file).expect("the file is there");
    let found = source.lines().filter(|line| line.starts_with("PROGRAM(")).count();
    assert!(found >= programs, "{name} has only {found} programs");
}

#[test]
fn algorithms() {
    prints_the_same("algorithms.cpp", 23);
}

#[test]
fn containers() {
    prints_the_same("containers.cpp", 16);
}

#[test]
fn errors() {
    prints_the_same("errors.cpp", 20);
}

#[test]
fn language() {
    prints_the_same("language.cpp", 18);
}

#[test]
fn modern() {
    prints_the_same_as("modern.cpp", "-std=c++23", 16);
}

#[test]
fn objects() {
    prints_the_same("objects.cpp", 20);
}

#[test]
fn programs() {
    prints_the_same("small.cpp", 20);
}

#[test]
fn streams() {
    prints_the_same("streams.cpp", 15);
}

#[test]
fn strings() {
    prints_the_same("strings.cpp", 14);
}

#[test]
fn wide_streams() {
    prints_the_same("wide.cpp", 6);
}
