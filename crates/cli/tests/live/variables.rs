//! The states of native programs: variables have the values that gdb prints for them at the same place, locks have
//! owners and waiters, and nothing is shown that a variable does not have.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::shop::{Shop, exeunt, root};

/// The last state of the report: lists of actors, globals, objects, locks, channels and sections.
fn last_state(page: &Path) -> [Vec<Value>; 6] {
    let text = std::fs::read_to_string(page).expect("a page");
    let start = text.find("id=\"data\">").expect("data") + "id=\"data\">".len();
    let end = start + text[start..].find("</script>").expect("its end");
    let data: Value = serde_json::from_str(&text[start..end]).expect("JSON");
    let case = &data["violations"][0];
    let (steps, states) = (&case["steps"], &case["states"]);
    let all = states["states"].as_array().expect("states");
    assert_eq!(all.len(), steps.as_array().expect("steps").len() + 1);
    let last = all.last().expect("a state");
    std::array::from_fn(|kind| {
        let list = &states["lists"][last[kind].as_u64().expect("a list") as usize];
        let rows = list.as_array().expect("a list").iter();
        rows.map(|id| states["pool"][id.as_u64().expect("a row") as usize].clone()).collect()
    })
}

fn value(rows: &[Value], name: &str) -> String {
    let row = rows.iter().find(|row| row["n"] == name);
    row.unwrap_or_else(|| panic!("no {name} in {rows:?}"))["v"].as_str().expect("text").to_string()
}

/// What gdb prints for an expression at the end of the schedule.
fn by_gdb(trace: &Path, expressions: &[&str]) -> Vec<String> {
    let mut replay = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    replay.arg("replay").arg(trace).arg("--gdb");
    replay.args(["--gdb-command", "set print null-stop on"]);
    for expression in expressions {
        let command = format!("output {expression}");
        replay.args(["--gdb-command", &command, "--gdb-command", r"echo \nnext\n"]);
    }
    let output = replay.output().expect("exeunt runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let parts: Vec<&str> = text.split("\nnext\n").collect();
    assert_eq!(parts.len(), expressions.len() + 1, "{text}");
    parts[..expressions.len()]
        .iter()
        .map(|part| part.lines().last().unwrap_or("").to_string())
        .collect()
}

/// gdb's `{1, 2}` is our `[1, 2]`, and its `{x = 1}` our `{x: 1}`.
fn in_our_words(text: &str) -> String {
    let text = match text.contains(" = ") {
        true => text.replace(" = ", ": "),
        false => text.replace('{', "[").replace('}', "]"),
    };
    // A character is a number here, and text has no address.
    let text = text.replace(" '\\310'", "");
    match text.split_once(" \"") {
        Some((address, rest)) if address.starts_with("0x") => format!("\"{rest}"),
        _ => text,
    }
}

#[test]
fn values_are_those_that_gdb_prints() {
    let shop = Shop::new();
    let source = root().join("tests/live/variables.c");
    for (compiler, more) in
        [("gcc", "-O0"), ("clang-22", "-gdwarf-4"), ("clang-22", "-O0"), ("gcc", "-O2")]
    {
        let program = shop.directory.path().join(format!("variables-{compiler}{more}"));
        let mut compile = Command::new(compiler);
        compile.args(["-g", "-pthread", more]).arg(&source).arg("-o").arg(&program);
        assert!(compile.status().expect("a compiler").success());
        let (page, trace) = (program.with_extension("html"), program.with_extension("json"));
        let (page_name, trace_name) = (page.to_string_lossy(), trace.to_string_lossy());
        let saved =
            exeunt(&["--save", &trace_name, "--format", "html", "-o", &page_name], &program);
        assert_eq!(saved.status.code(), Some(1), "{compiler} {more}");
        let [actors, globals, objects, locks, _, sections] = last_state(&page);
        let names = [
            "counter",
            "large",
            "half",
            "ratio",
            "name",
            "label",
            "table",
            "ticket",
            "colour",
            "pair",
            "head->value",
            "head->next->value",
            "head->colour",
            "head->small",
            "head->negative",
            "head->next->next == 0",
        ];
        let printed = by_gdb(&trace, &names);
        for (name, printed) in names.iter().zip(&printed).take(10) {
            let ours = value(&globals, name);
            assert_eq!(ours, in_our_words(printed), "{name}, {compiler} {more}: {printed}");
        }
        let parts = |at: usize| objects[at]["parts"].as_array().expect("parts").clone();
        let followed = [
            value(&parts(0), "value"),
            value(&parts(1), "value"),
            value(&parts(0), "colour"),
            value(&parts(0), "small"),
            value(&parts(0), "negative"),
            "1".to_string(),
        ];
        assert_eq!(followed[..], printed[10..], "{compiler} {more}");
        assert_eq!(
            (value(&globals, "inside"), value(&globals, "action")),
            ("&table[1][1]".to_string(), "push".to_string())
        );
        // Owners and waiters, and what is open.
        let mut held: Vec<(Value, Value, Value)> = locks
            .iter()
            .map(|lock| (lock["n"].clone(), lock["o"].clone(), lock["w"].clone()))
            .collect();
        held.sort_by_key(|(name, ..)| name.to_string());
        assert_eq!(
            held,
            [(json!("a"), json!([1]), json!([2])), (json!("b"), json!([2]), json!([1]))]
        );
        assert!(
            sections.iter().any(|one| one["a"] == 1 && one["k"] == "critical" && one["n"] == "a"),
            "{sections:?}"
        );
        assert_eq!(actors[1]["waits"]["on"], json!([2]));
        // Locals: a parameter, a variable, and none that is declared further down.
        let vars = actors[1]["frames"][0]["vars"].as_array().expect("variables").clone();
        assert!(vars.iter().all(|one| one["n"] != "later"), "{vars:?}");
        if more != "-O2" {
            assert_eq!(value(&vars, "mine"), "42");
            assert_eq!(value(&vars, "given"), "&nine of thread 1");
            assert_eq!(
                value(actors[0]["frames"][0]["vars"].as_array().expect("variables"), "nine"),
                "9"
            );
        } else {
            // What the optimiser has removed is not made up.
            assert!(["42", "not available"].contains(&value(&vars, "mine").as_str()), "{vars:?}");
        }
    }
}

#[test]
fn a_program_without_debug_information_has_no_variables_but_locks() {
    let shop = Shop::new();
    let program = shop.directory.path().join("stripped");
    let source = root().join("tests/live/variables.c");
    let mut compile = Command::new("gcc");
    compile.arg("-pthread").arg(source).arg("-o").arg(&program);
    assert!(compile.status().expect("gcc runs").success());
    let page = program.with_extension("html");
    exeunt(&["--format", "html", "-o", &page.to_string_lossy()], &program);
    let [actors, globals, _, locks, ..] = last_state(&page);
    assert!(globals.is_empty() && actors.len() == 3 && locks.len() == 2, "{globals:?} {locks:?}");
}

/// Compiles a file of `tests/live`.
fn compiled(compiler: &str, file: &str, more: &[&str], target: &Path) {
    let mut compile = Command::new(compiler);
    compile.args(["-g", "-pthread"]).arg(root().join("tests/live").join(file)).args(more);
    assert!(compile.arg("-o").arg(target).status().expect("a compiler").success(), "{file}");
}

/// The last state of the violation of a program, and its trace.
fn looked_at(program: &Path) -> ([Vec<Value>; 6], PathBuf) {
    let (page, trace) = (program.with_extension("html"), program.with_extension("json"));
    let (page_name, trace_name) = (page.to_string_lossy(), trace.to_string_lossy());
    let told = exeunt(&["--save", &trace_name, "--format", "html", "-o", &page_name], program);
    assert_eq!(told.status.code(), Some(1), "{}", String::from_utf8_lossy(&told.stderr));
    (last_state(&page), trace)
}

fn rows<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().expect("a list")
}

/// What the printers of libstdc++ say, in our words.
fn printed_contents(text: &str) -> String {
    let text = match text.split_once(" = {") {
        Some((kind, rest)) if kind.starts_with("std::") => format!("{{{rest}"),
        _ => text.to_string(),
    };
    let pattern = |text: &str| regex_lite::Regex::new(text).expect("a pattern");
    let inner = pattern(r"std::vector of length \d+, capacity \d+( = )?");
    let text = inner.replace_all(&text, "").replace(", , ", ", {}, ");
    let text = pattern(r"\[\d+\] = ").replace_all(&text, "").into_owned();
    text.replace('{', "[").replace('}', "]")
}

#[test]
fn containers_have_what_the_printers_of_gdb_find_in_them() {
    let shop = Shop::new();
    // Without this option clang leaves out the members of strings, which gdb does not show then, either.
    for (compiler, more) in [("g++", "-O0"), ("clang++-22", "-fstandalone-debug"), ("g++", "-O2")] {
        let program = shop.directory.path().join(format!("containers-{compiler}{more}"));
        compiled(compiler, "containers.cpp", &["-std=c++17", more], &program);
        let ([actors, globals, ..], trace) = looked_at(&program);
        let names =
            ["numbers", "rows", "word", "sentence", "part", "line", "chain", "forward", "keys"];
        let printed = by_gdb(&trace, &names);
        for (name, printed) in names.iter().zip(&printed) {
            let expected = printed_contents(printed);
            assert_eq!(value(&globals, name), expected, "{name}, {compiler} {more}: {printed}");
        }
        // What gdb says in other words, or cannot say: its printers of maps miss types that nobody names.
        for (name, expected) in [
            ("empty", "[]"),
            ("many", "[7, 7, 7, 7, 7, 7, 7, 7, … 12 more]"),
            ("line", "[197, 198, 199]"),
            ("names", r#"{1: "one", 2: "two"}"#),
            ("wide", "{1: 10, 2: 20}"),
            ("hashed", "{3: 30}"),
            ("words", r#"{"key": 8}"#),
            ("bag", "[77]"),
            ("nobody", "0"),
            ("some", "6"),
            ("none", "nothing"),
            ("fixed", "[7, 8, 9]"),
            ("pair", "{first: 1, second: 2}"),
            ("queue", "[11]"),
        ] {
            assert_eq!(value(&globals, name), expected, "{name}, {compiler} {more}");
        }
        assert!(value(&globals, "owned").ends_with(" -> {x: 3, y: 4}"), "{globals:?}");
        assert!(value(&globals, "shared").ends_with(" -> 12"), "{globals:?}");
        assert!(globals.iter().all(|one| one["n"] != "a"), "a mutex is a lock: {globals:?}");
        // Each thread has its own, and says itself what it has.
        let seen = value(&globals, "seen");
        assert_eq!(seen, "[101, 102]");
        assert_eq!(value(rows(&actors[0], "own"), "mine"), "100");
        assert_eq!(value(rows(&actors[1], "own"), "mine"), "101");
        assert_eq!(value(rows(&actors[2], "own"), "own"), "[2]");
        assert_eq!(value(&globals, "where"), "&mine of thread 3");
        if more != "-O2" {
            let frames = rows(&actors[2], "frames");
            assert_eq!(value(rows(&frames[0], "vars"), "local"), "[2, 2]", "{frames:?}");
        }
    }
}

/// The same program in the virtual machine: the same values of the same variables, and nothing of the library.
#[test]
fn the_machine_shows_what_the_native_program_has() {
    let shop = Shop::new();
    let program = shop.directory.path().join("containers");
    compiled("g++", "containers.cpp", &["-std=c++17"], &program);
    let ([native_actors, native, ..], _) = looked_at(&program);
    let page = shop.directory.path().join("machine.html");
    let checked = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(["check", "tests/live/containers.cpp", "--format", "html", "-o"])
        .arg(&page)
        .current_dir(root())
        .output()
        .expect("exeunt runs");
    assert_eq!(checked.status.code(), Some(1), "{}", String::from_utf8_lossy(&checked.stderr));
    let [actors, globals, ..] = last_state(&page);
    let names = |rows: &[Value]| -> Vec<String> {
        let mut names: Vec<String> =
            rows.iter().map(|row| row["n"].as_str().expect("a name").to_string()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&globals), names(&native));
    // Addresses have no names of their own in a native program.
    let target = |text: String| text.rsplit(" -> ").next().unwrap_or_default().to_string();
    for name in names(&native).iter().filter(|name| *name != "where") {
        assert_eq!(target(value(&globals, name)), target(value(&native, name)), "{name}");
    }
    for thread in [1, 2] {
        let (ours, theirs) = (rows(&actors[thread], "own"), rows(&native_actors[thread], "own"));
        assert_eq!(names(ours), names(theirs));
        for name in names(theirs) {
            assert_eq!(value(ours, &name), value(theirs, &name), "{name} of thread {}", thread + 1);
        }
    }
}

#[test]
fn libraries_have_variables_too() {
    let shop = Shop::new();
    let folder = shop.directory.path();
    let library = folder.join("libcross.so");
    compiled("gcc", "library.c", &["-shared", "-fPIC"], &library);
    let path = format!("-Wl,-rpath,{}", folder.display());
    // With `-no-pie` the program has a copy of `exported`, with `-fPIC` the library's is used.
    for more in ["-no-pie", "-pie", "-fPIC"] {
        let program = folder.join(format!("uses{more}"));
        compiled("gcc", "uses_library.c", &[&library.to_string_lossy(), &path, more], &program);
        let trace = shows_the_library(&program);
        assert_eq!(by_gdb(&trace, &["exported", "untouched"]), ["45", "5"], "{more}");
    }
    // A library that the program opens itself is not there when it begins.
    let name = format!("-DLIBRARY=\"{}\"", library.display());
    let program = folder.join("opens");
    compiled("gcc", "uses_library.c", &[&name], &program);
    shows_the_library(&program);
}

/// Looks at the variables of the library and of the program, and gives the trace.
fn shows_the_library(program: &Path) -> PathBuf {
    let ([actors, globals, ..], trace) = looked_at(program);
    for (name, expected) in
        [("exported", "45"), ("untouched", "5"), ("hidden", "3"), ("hidden of libcross.so", "52")]
    {
        assert_eq!(value(&globals, name), expected, "{name} of {program:?}: {globals:?}");
    }
    for (actor, number) in [(1, 1), (2, 2)] {
        let own = value(rows(&actors[actor], "own"), "of_each");
        assert_eq!(own, (7 + number).to_string(), "{program:?}");
        let frames = rows(&actors[actor], "frames");
        assert_eq!(frames[0]["n"], "cross", "{program:?}: {frames:?}");
        assert_eq!(value(rows(&frames[0], "vars"), "inside"), (10 * number).to_string());
    }
    trace
}
