//! The states of native programs: variables have the values that gdb prints for them at the same place, locks have
//! owners and waiters, and nothing is shown that a variable does not have.

use std::path::Path;
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
