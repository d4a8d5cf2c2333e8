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

/// A cache of its own, with the library in it: to compile that takes a minute.
fn cache_with_library() -> tempfile::TempDir {
    let usual = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let usual = usual.unwrap_or_else(|| {
        PathBuf::from(std::env::var_os("HOME").expect("it is set")).join(".cache")
    });
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let own = scratch.path().join("exeunt");
    std::fs::create_dir(&own).expect("made");
    for entry in std::fs::read_dir(usual.join("exeunt")).expect("it is there").flatten() {
        if entry.file_name().to_string_lossy().starts_with("libstdc++-") {
            std::fs::copy(entry.path(), own.join(entry.file_name())).expect("copied");
        }
    }
    scratch
}

#[test]
fn headers_are_precompiled_when_they_come_again() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("program.cpp");
    let write = |text: &str| std::fs::write(&file, text).expect("written");
    let program = "#include <string>\n// words\n#include <vector>\n#include \"own.h\"\n\
        int main() { std::vector<std::string> v(COUNT, \"x\"); return v.size() != COUNT; }\n";
    write(program);
    std::fs::write(directory.path().join("own.h"), "#define COUNT 2\n").expect("written");
    // The library is compiled by now.
    machine(&file, "-std=c++20");
    let cache = cache_with_library();
    let check = |standard: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
        command.arg("check").arg(&file).arg(standard).env("XDG_CACHE_HOME", cache.path());
        let output = command.output().expect("exeunt starts");
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    };
    let precompiled = || {
        let entries = std::fs::read_dir(cache.path().join("exeunt")).expect("it is there");
        entries.flatten().filter(|e| e.path().extension().is_some_and(|e| e == "pch")).count()
    };
    for expected in [0, 1, 1] {
        let (code, said) = check("-std=c++20");
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(precompiled(), expected);
    }
    // Other arguments make other headers.
    assert_eq!(check("-std=c++17").0, Some(0));
    assert_eq!(check("-std=c++17").0, Some(0));
    assert_eq!(precompiled(), 2);
    // An error is told as without them, with the user's lines.
    write(&program.replace("v.size()", "v.length()"));
    let (code, said) = check("-std=c++20");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("program.cpp:5:") && !said.contains("pch"), "{said}");
    // Something that is damaged is no hindrance.
    write(program);
    for entry in std::fs::read_dir(cache.path().join("exeunt")).expect("it is there").flatten() {
        if entry.path().extension().is_some_and(|ending| ending == "pch") {
            std::fs::write(entry.path(), "nonsense").expect("written");
        }
    }
    assert_eq!(check("-std=c++17").0, Some(0));
    assert_eq!(precompiled(), 0);
}
