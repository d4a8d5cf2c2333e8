//! Bad usage and bad input: exit code 2, a clear message on stderr, nothing on
//! stdout, no panic.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

fn exeunt(directory: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.current_dir(directory).env("NO_COLOR", "1").args(words);
    command.output().expect("exeunt runs")
}

/// Runs `exeunt`, which must refuse and say all of `parts`.
fn refused(directory: &Path, words: &[&str], parts: &[&str]) {
    let output = exeunt(directory, words);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{words:?}: a report was printed");
    assert!(!stderr.contains("bug in exeunt") && !stderr.contains("panicked"), "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{words:?} does not say {part:?}:\n{stderr}");
    }
}

fn directory(files: &[(&str, &[u8])]) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, bytes) in files {
        std::fs::write(directory.path().join(name), bytes).expect("a file");
    }
    directory
}

const GOOD: &[u8] = b"int main(void) { return 0; }\n";

#[test]
fn a_missing_file() {
    let d = directory(&[]);
    refused(d.path(), &["check", "gone.c"], &["cannot read gone.c: no such file"]);
    refused(d.path(), &["replay", "gone.json"], &["cannot read gone.json: no such file"]);
    refused(d.path(), &["ir", "gone.ll"], &["cannot read gone.ll"]);
}

#[test]
fn an_empty_file() {
    let d = directory(&[("empty.c", b""), ("empty.bc", b""), ("empty.ll", b"")]);
    for name in ["empty.c", "empty.bc", "empty.ll"] {
        refused(d.path(), &["check", name], &[name, "is empty"]);
    }
}

#[test]
fn a_file_without_main() {
    let d = directory(&[("part.c", b"int helper(void) { return 1; }\n")]);
    refused(d.path(), &["check", "part.c"], &["main"]);
}

#[test]
fn not_c() {
    let d =
        directory(&[("prose.c", b"all the world's a stage\n"), ("bytes.c", &[0xff, 0, 1, 0xfe])]);
    refused(d.path(), &["check", "prose.c"], &["prose.c:1:", "error:", "does not compile"]);
    refused(d.path(), &["check", "bytes.c"], &["does not compile"]);
}

#[test]
fn modules_of_cpp_are_refused_with_the_reason() {
    let d = directory(&[("a.cpp", b"import std;\nint main() {}\n")]);
    let said = ["a.cpp:1:", "does not compile", "C++ modules are not supported"];
    refused(d.path(), &["check", "a.cpp", "--", "-std=c++20"], &said);
}

#[test]
fn the_compilers_own_words_are_shown() {
    let d = directory(&[("a.c", b"int main(void) { return undeclared; }\n")]);
    refused(
        d.path(),
        &["check", "a.c"],
        &["a.c:1:25: error: use of undeclared identifier 'undeclared'"],
    );
}

#[test]
fn broken_bitcode_and_broken_text() {
    let mut truncated = b"BC\xc0\xde".to_vec();
    truncated.extend([0x35, 0x14, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x62, 0x0c]);
    let d = directory(&[
        ("noise.bc", b"this is no bitcode"),
        ("magic.bc", b"BC\xc0\xde"),
        ("truncated.bc", &truncated),
        ("noise.ll", b"define i32 @main( {"),
    ]);
    for name in ["noise.bc", "magic.bc", "truncated.bc", "noise.ll"] {
        refused(d.path(), &["check", name], &[name]);
    }
}

#[test]
fn invalid_ir_is_found_by_the_verifier() {
    let text =
        b"define i32 @main() {\n  %x = add i32 %y, 1\n  %y = add i32 %x, 1\n  ret i32 %x\n}\n";
    let d = directory(&[("cycle.ll", text)]);
    refused(d.path(), &["check", "cycle.ll"], &["cycle.ll"]);
}

#[test]
fn a_directory_is_not_a_program() {
    let d = directory(&[]);
    std::fs::create_dir(d.path().join("sub.c")).expect("a directory");
    refused(d.path(), &["check", "sub.c"], &["sub.c is a directory"]);
    refused(d.path(), &["check", "."], &["is a directory"]);
    std::fs::write(d.path().join("file"), GOOD).expect("a file");
    refused(d.path(), &["check", "file/a.c"], &["cannot read file/a.c: not a directory"]);
}

#[cfg(unix)]
#[test]
fn a_directory_that_may_not_be_entered() {
    use std::os::unix::fs::PermissionsExt;
    let d = directory(&[]);
    let closed = d.path().join("closed");
    std::fs::create_dir(&closed).expect("a directory");
    std::fs::write(closed.join("a.c"), GOOD).expect("a file");
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o000)).expect("permissions");
    // Root may enter every directory, and then the program is simply checked.
    if std::fs::read(closed.join("a.c")).is_err() {
        refused(d.path(), &["check", "closed/a.c"], &["cannot read closed/a.c: permission denied"]);
    } else {
        assert_eq!(exeunt(d.path(), &["check", "closed/a.c"]).status.code(), Some(0));
    }
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o700)).expect("permissions");
}

#[test]
fn output_that_cannot_be_written_is_refused_before_the_search() {
    let d = directory(&[("a.c", GOOD)]);
    refused(d.path(), &["check", "a.c", "-o", "no/such/dir.json"], &["cannot write", "no/such"]);
    refused(d.path(), &["check", "a.c", "--save", "."], &["cannot write", "directory"]);
}

#[test]
fn endings_that_nobody_reads() {
    let d = directory(&[("a.txt", GOOD), ("a", GOOD)]);
    refused(d.path(), &["check", "a.txt"], &[".txt"]);
    refused(d.path(), &["check", "a"], &["no ending"]);
}

#[test]
fn cpp_that_cannot_be_checked() {
    let d = directory(&[
        ("copies.cxx", b"#include <exeunt.h>\nint main() { exeunt::section a(\"a\"); auto b = a; }\n"),
        ("moves.C", b"#include <exeunt.h>\n#include <utility>\nint main() { exeunt::section a(\"a\"); auto b = std::move(a); }\n"),
        ("far.cpp", b"namespace far { int away(int); }\n\nint main() { return far::away(1); }\n"),
        ("lost.cpp", b"extern int lost;\nnamespace n { extern int x; }\nint main() { return n::x; }\n"),
    ]);
    refused(
        d.path(),
        &["check", "copies.cxx"],
        &["copies.cxx:2:", "deleted constructor of 'exeunt::section'"],
    );
    refused(d.path(), &["check", "moves.C"], &["moves.C:3:", "(aka 'exeunt::section')"]);
    let strict = |file: &'static str| ["check", file, "--strict"];
    refused(d.path(), &strict("far.cpp"), &["`far::away(int)` (far.cpp:3:"]);
    let output = exeunt(d.path(), &["check", "far.cpp"]);
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stdout));
    refused(d.path(), &["check", "lost.cpp"], &["variable `n::x`"]);
}

#[test]
fn unknown_and_malformed_options() {
    let d = directory(&[("a.c", GOOD)]);
    for words in [
        ["--unheard-of"].as_slice(),
        &["--reduction", "most"],
        &["--time", "soon"],
        &["--memory", "lots"],
        &["--max-states", "0"],
        &["--max-depth", "-1"],
        &["--nondet", "5..1"],
        &["--sections", "mutex"],
        &["--format", "poem"],
        &["--property", "beauty"],
        &["--args", "'"],
    ] {
        let line: Vec<&str> = ["check", "a.c"].iter().chain(words).copied().collect();
        refused(d.path(), &line, &["error: "]);
    }
    refused(d.path(), &["check"], &["FILE"]);
    refused(d.path(), &["perform", "a.c"], &["perform"]);
    refused(d.path(), &[], &["Usage"]);
}

#[test]
fn contradictory_options() {
    let d = directory(&[("a.c", GOOD)]);
    refused(
        d.path(),
        &["check", "a.c", "--property", "safety", "--sections", "join"],
        &["switches sections off"],
    );
    refused(
        d.path(),
        &["check", "a.c", "--sections", "none", "--must-return", "f"],
        &["--must-return"],
    );
    refused(d.path(), &["check", "a.c", "--save", "x", "-o", "x"], &["same file"]);
}

#[test]
fn a_function_that_must_return_must_exist() {
    let d = directory(&[("a.c", GOOD)]);
    refused(d.path(), &["check", "a.c", "--must-return", "drain"], &["drain"]);
}

#[test]
fn undefined_functions_are_named_with_their_line() {
    let d = directory(&[("a.c", b"int helper(void);\nint main(void) {\n  return helper();\n}\n")]);
    refused(d.path(), &["check", "a.c", "--strict"], &["helper", "a.c:3"]);
    let output = exeunt(d.path(), &["check", "a.c"]);
    assert_eq!(output.status.code(), Some(3));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("warning: function is called but not defined: `helper` (a.c:3"),
        "{stderr}"
    );
}

/// It would be a zero of ours, not the program's value.
#[test]
fn undefined_variables_are_named() {
    let d = directory(&[("a.c", b"extern int elsewhere;\nint main(void) { return elsewhere; }\n")]);
    refused(d.path(), &["check", "a.c"], &["elsewhere"]);
}

/// What is wrong, where, and what to try.
#[test]
fn files_that_are_missing_or_empty_are_named_with_what_to_try() {
    let folder = directory(&[("empty.json", b""), ("empty", b" \n"), ("script", b"")]);
    let sim = |file| vec!["sim", file, "--script", "script"];
    let written = "written by `exeunt check FILE --save TRACE`";
    let (missing, program) = ("cannot read missing: no such file or directory", "name a program");
    refused(folder.path(), &sim("missing"), &[missing, program]);
    refused(folder.path(), &["draw", "missing"], &[missing, program]);
    refused(folder.path(), &["explore", "missing"], &[missing, program]);
    refused(folder.path(), &["live", "missing"], &[missing, "name a compiled program"]);
    for command in ["replay", "test"] {
        let words = |file| match command {
            "test" => vec![command, file, "-o", "repro.c"],
            _ => vec![command, file],
        };
        refused(folder.path(), &words("missing"), &[missing, written]);
        refused(folder.path(), &words("empty.json"), &["empty.json is empty", written]);
        refused(folder.path(), &words("empty"), &["empty is empty", written]);
    }
    refused(folder.path(), &sim("empty.json"), &["empty.json is empty", program]);
    refused(folder.path(), &["live", "."], &[". is a directory", "name the program in it"]);
}

#[test]
fn files_that_are_not_traces() {
    let d = directory(&[
        ("a.json", b"{}"),
        ("b.json", b"not JSON"),
        ("c.json", b"{\"exeunt\":\"trace\",\"format\":99}"),
    ]);
    refused(d.path(), &["replay", "a.json"], &["a.json is not a trace file"]);
    refused(d.path(), &["replay", "b.json"], &["b.json is not a trace file"]);
    refused(d.path(), &["replay", "c.json"], &["format is 99"]);
}

#[test]
fn a_changed_program_is_not_replayed() {
    let text = b"#include <stdlib.h>\nint main(void) { abort(); }\n";
    let d = directory(&[("a.c", text)]);
    let found = exeunt(d.path(), &["check", "a.c", "--save", "t.json"]);
    assert_eq!(found.status.code(), Some(1), "{}", String::from_utf8_lossy(&found.stderr));
    assert_eq!(exeunt(d.path(), &["replay", "t.json"]).status.code(), Some(1));
    std::fs::write(d.path().join("a.c"), GOOD).expect("a file");
    refused(d.path(), &["replay", "t.json"], &["a.c has changed since the trace was saved"]);
    std::fs::remove_file(d.path().join("a.c")).expect("a file");
    refused(d.path(), &["replay", "t.json"], &["cannot read a.c", "where `check` was run"]);
}

#[test]
fn files_are_only_written_when_asked_for() {
    let d = directory(&[("a.c", b"#include <stdlib.h>\nint main(void) { abort(); }\n")]);
    exeunt(d.path(), &["check", "a.c"]);
    exeunt(d.path(), &["check", "a.c", "--format", "json"]);
    assert_eq!(std::fs::read_dir(d.path()).expect("a directory").count(), 1);
    let output = exeunt(d.path(), &["check", "a.c", "--format", "json", "-o", "r.json"]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(shown, "violated: the program aborts\nthe report is in r.json\n");
    let text = std::fs::read_to_string(d.path().join("r.json")).expect("a report");
    assert!(text.starts_with("{\n  \"tool\": \"exeunt\""), "{text}");
}

#[test]
fn flags_of_a_compiler_need_no_dashes_and_the_last_option_wins() {
    let source = b"#include <assert.h>\n#include <pthread.h>\n\
        int main(void) { assert(__STDC_VERSION__ == 201112L && __OPTIMIZE__); return 0; }\n";
    let d = directory(&[("a.c", source)]);
    let flags = ["check", "-std=c11", "a.c", "-O2", "-Wall", "-pthread", "-lm", "--time", "9s"];
    let output = exeunt(d.path(), &[&flags[..], &["--time", "60s", "--", "-O1"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let output = exeunt(d.path(), &["check", "a.c", "-O2", "-std=c99"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn colours_stay_out_of_pipes_and_files() {
    let d = directory(&[("a.c", b"#include <stdlib.h>\nint main(void) { abort(); }\n")]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    let output =
        command.current_dir(d.path()).args(["check", "a.c"]).output().expect("exeunt runs");
    assert!(!output.stdout.contains(&0x1b), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stderr.is_empty(), "progress went into a pipe");
    exeunt(d.path(), &["check", "a.c", "-o", "r.txt"]);
    assert!(!std::fs::read(d.path().join("r.txt")).expect("a report").contains(&0x1b));
}

const SHARED: &[u8] = b"int x, a[2]; double d; int grows(void) { return ++x; }\n\
    int main(void) { x = 1; return 0; }\n";

#[test]
fn formulas() {
    let d = directory(&[("m.c", SHARED), ("none.ltl", b"# nothing\n"), ("f.ltl", b"F x\nG (x\n")]);
    let ltl = |formula: &'static str| ["check", "m.c", "--property", "temporal", "--ltl", formula];
    let cases: [(&'static str, &[&str]); 10] = [
        ("G (x", &["expected `)`", "--> --ltl:1:5", "1 | G (x", "|     ^"]),
        ("F z", &["no global variable and no function `z`", "|   ^"]),
        ("F a[2] == 1", &["`a` has 2 elements, and no element 2", "^^^^^^^^^"]),
        ("F a", &["`a` is not a whole number"]),
        ("F d > 1", &["`d` is not a whole number"]),
        ("F x.y == 1", &["`x` has no member `y`"]),
        ("X x", &["`X` (next) has no meaning under a reduction", "--reduction none"]),
        ("F at(nowhere)", &["no function `nowhere`", "at(worker:17)"]),
        ("F at(main:end)", &["`main` has no line and no label `end`", "at(worker:label)"]),
        ("F open(cupboard)", &["no section kind `cupboard`"]),
    ];
    for (formula, parts) in cases {
        refused(d.path(), &ltl(formula), parts);
    }
    refused(
        d.path(),
        &ltl("G grows > 0"),
        &["`x` is written", "must not change anything", "m.c:1"],
    );
    let invariant = ["check", "m.c", "--invariant", "grows"];
    refused(d.path(), &invariant, &["proposition `grows`", "must not change anything"]);
    refused(d.path(), &["check", "m.c", "--ltl-file", "none.ltl"], &["no formula in none.ltl"]);
    refused(d.path(), &["check", "m.c", "--ltl-file", "f.ltl"], &["--> f.ltl:2:5", "2 | G (x"]);
    refused(d.path(), &["check", "m.c", "--ltl-file", "gone.ltl"], &["cannot read gone.ltl"]);
    refused(
        d.path(),
        &["check", "m.c", "--property", "temporal"],
        &["no formula, claim or invariant"],
    );
    refused(d.path(), &["check", "m.c", "--non-progress"], &["no meaning for a C program"]);
    refused(d.path(), &["check", "m.c", "--spin-trail", "f.ltl"], &["Promela models only"]);
}

#[test]
fn claims_of_models() {
    let model: &[u8] = b"byte x, a[2]; active proctype A() { x = 1 } ltl one { <> (x == 1) }\n";
    let d = directory(&[("m.pml", model), ("bad.trail", b"1:7:1\n"), ("text.trail", b"hello\n")]);
    let two = ["check", "m.pml", "--ltl-name", "two"];
    refused(d.path(), &two, &["no claim `two`", "it has `one`"]);
    for (formula, place, marks) in [
        ("F z == 1", "--> --ltl:1:3", " |   ^"),
        ("G (x == 1 -> F a[0] + zz == 1)", "--> --ltl:1:23", " |                       ^^"),
    ] {
        let parts = ["is not declared", place, formula, marks, "= help: declare it"];
        refused(d.path(), &["check", "m.pml", "--ltl", formula], &parts);
    }
    refused(d.path(), &["check", "m.pml", "--ltl", "F a[x + 1] == 1"], &["index 2 of array `a`"]);
    refused(d.path(), &["check", "m.pml", "--invariant", "x"], &["has no functions", "--ltl"]);
    let trail = |file: &'static str| ["check", "m.pml", "--spin-trail", file];
    refused(d.path(), &trail("bad.trail"), &["line 1 of the trail"]);
    refused(d.path(), &trail("text.trail"), &["not of the form depth:process:statement"]);
}

#[test]
fn errors_of_models_are_shown_together_and_where_macros_are_used() {
    let model = b"#define SET(v) v = nothing + 1\nbyte x;\ninit {\n  x = 2; SET(x);\n  y = 3\n}\n";
    let directory = directory(&[("m.pml", model)]);
    refused(
        directory.path(),
        &["check", "m.pml"],
        &[
            "error: variable `nothing` is not declared\n --> m.pml:4:10\n",
            "1 | #define SET(v) v = nothing + 1\n  |         ------ `SET` is defined here\n",
            "4 |   x = 2; SET(x);\n  |          ^^^^^^ in the expansion of macro `SET`\n",
            "error: variable `y` is not declared\n --> m.pml:5:3\n",
        ],
    );
}

#[test]
fn macros_and_headers() {
    let model = b"#ifndef WRONG\n#define WRONG 0\n#endif\ninit { assert(!WRONG) }\n";
    let program = b"#include <assert.h>\n#include \"w.h\"\nint main(void) { assert(!WRONG); }\n";
    let d = directory(&[("model.pml", model), ("program.c", program), ("w.h", b"\n")]);
    let code = |words: &[&str]| exeunt(d.path(), words).status.code();
    assert_eq!(code(&["check", "model.pml"]), Some(0));
    assert_eq!(code(&["check", "model.pml", "-DWRONG=1"]), Some(1));
    assert_eq!(code(&["check", "program.c", "-DWRONG=0", "-I", "."]), Some(0));
    assert_eq!(code(&["check", "-D", "WRONG", "program.c", "--", "-I."]), Some(1));
    refused(d.path(), &["check", "model.pml", "-I", "x"], &["`-Ix` has no meaning", "-DNAME"]);
}

/// What is nested thousands of times is refused, and nobody's stack overflows.
#[test]
fn deep_nesting_is_refused() {
    const DEEP: usize = 16_000;
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(DEEP), close.repeat(DEEP))
    };
    let model = |text: String| format!("init {{ int x; {text} }}\n").into_bytes();
    let models = [
        model(format!("x = {}", nested("(", "1", ")"))),
        model(format!("x = {}", nested("! ", "1", ""))),
        model(format!("x = {}", nested("1 + ", "1", ""))),
        model(nested("if :: true -> ", "skip", " fi")),
        model(nested("atomic { ", "skip", " }")),
        format!("init {{ skip }}\nltl {{ {} }}\n", nested("(", "true", ")")).into_bytes(),
        format!("init {{ skip }}\nltl {{ {} }}\n", nested("! ", "true", "")).into_bytes(),
    ];
    for text in &models {
        let d = directory(&[("m.pml", text)]);
        refused(d.path(), &["check", "m.pml"], &["more than 1000 parts are nested"]);
    }
    for text in [nested("(", "x", ")"), nested("~", "x", "")] {
        let program = format!("int x; int main(void) {{ return {text}; }}\n").into_bytes();
        let d = directory(&[("p.c", &program)]);
        refused(d.path(), &["check", "p.c"], &["the program does not compile"]);
    }
    let chain = format!("int x; int main(void) {{ return {}; }}\n", nested("x + ", "x", ""));
    let d = directory(&[("p.c", chain.as_bytes())]);
    assert_eq!(exeunt(d.path(), &["check", "p.c"]).status.code(), Some(0));
}
