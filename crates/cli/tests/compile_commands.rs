//! `--compile-commands`: a program is checked with the flags of its build.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const HEADER: &str = "void add(void);\nextern int total;\n";
const MAIN: &str = "#include <assert.h>
#include <count.h>
int main(void) { add(); add(); assert(total == 2 * STEP); }
";
const COUNT: &str = "#include <count.h>
#ifndef STEP
#error the flags of this file
#endif
int total;
void add(void) { total += STEP; }
";

fn project(directory: &Path, step_of_main: u32) {
    let write = |name: &str, text: &str| {
        fs::write(directory.join(name), text).expect("the file can be written");
    };
    fs::create_dir_all(directory.join("build")).expect("a directory");
    fs::create_dir_all(directory.join("include")).expect("a directory");
    write("include/count.h", HEADER);
    write("main.c", MAIN);
    write("count.c", COUNT);
    let build = directory.join("build");
    let build = build.display();
    let database = format!(
        r#"[{{"directory": "{build}", "file": "../main.c",
             "command": "cc -I../include -DSTEP={step_of_main} -O2 -Wall -c ../main.c -o main.o"}},
            {{"directory": "{build}", "file": "../count.c",
             "arguments": ["cc", "-I", "../include", "-D", "STEP=3", "-c", "../count.c"]}}]"#
    );
    write("build/compile_commands.json", &database);
}

fn exeunt(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.args(arguments).current_dir(directory).output().expect("exeunt runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

#[test]
fn every_file_has_its_own_flags() {
    let directory = tempfile::tempdir().expect("a directory");
    project(directory.path(), 3);
    let all = exeunt(directory.path(), &["check", "--compile-commands", "build"]);
    assert_eq!(all.status.code(), Some(0), "{}", text(&all));
    let named = ["check", "main.c", "count.c", "--compile-commands", "build"];
    let named = exeunt(directory.path(), &named);
    assert_eq!(named.status.code(), Some(0), "{}", text(&named));
    project(directory.path(), 4);
    let wrong = exeunt(
        directory.path(),
        &["check", "--compile-commands", "build", "--save", "found.trace"],
    );
    assert_eq!(wrong.status.code(), Some(1), "{}", text(&wrong));
    let again = exeunt(directory.path(), &["replay", "found.trace"]);
    assert_eq!(again.status.code(), Some(1), "{}", text(&again));
}

#[test]
fn a_directory_offers_its_database() {
    let directory = tempfile::tempdir().expect("a directory");
    project(directory.path(), 3);
    let offered = exeunt(directory.path(), &["check", "build"]);
    assert_eq!(offered.status.code(), Some(2));
    assert!(text(&offered).contains("`--compile-commands build`"), "{}", text(&offered));
    let plain = exeunt(directory.path(), &["check", "include"]);
    assert_eq!(plain.status.code(), Some(2));
    assert!(text(&plain).contains("name the files of the program"), "{}", text(&plain));
    fs::write(directory.path().join("other.c"), "int main(void) {}\n").expect("a file");
    let unknown = exeunt(directory.path(), &["check", "other.c", "--compile-commands", "build"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown).contains("does not say how other.c is compiled"), "{}", text(&unknown));
    let missing = exeunt(directory.path(), &["check", "--compile-commands", "include"]);
    assert_eq!(missing.status.code(), Some(2));
}
