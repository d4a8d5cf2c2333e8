//! Models with C code in them (`tests/promela/embedded`) beside SPIN: the same counts without a
//! reduction, and the same verdict with every reduction.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use exeunt_random::embedded::Pair;
use serde_json::Value;

const EXEUNT: &str = env!("CARGO_BIN_EXE_exeunt");
const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/promela/embedded");

fn run(program: &str, folder: &Path, words: &[&str]) -> Output {
    let output = Command::new(program).args(words).current_dir(folder).output();
    output.unwrap_or_else(|why| panic!("`{program}` could not be run: {why}"))
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// A folder with all models and the C files that they include.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for entry in std::fs::read_dir(MODELS).expect("the models").flatten() {
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("copied");
    }
    folder
}

fn models() -> Vec<String> {
    let entries = std::fs::read_dir(MODELS).expect("the models");
    let paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    let models = paths.iter().filter(|path| path.extension().is_some_and(|end| end == "pml"));
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    let mut names: Vec<String> = models.map(name).collect();
    names.sort();
    names
}

/// States, transitions and errors that SPIN's verifier finds.
fn by_spin(folder: &Path, model: &str) -> (u64, u64, u64) {
    run("spin", folder, &["-o1", "-o2", "-o3", "-a", model]);
    let gcc = ["-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-o", "pan", "pan.c"];
    let made = run("gcc", folder, &gcc);
    assert!(made.status.success(), "{model}: {}", text(&made));
    let said = text(&run("./pan", folder, &["-c0", "-n", "-m100000", "-w18"]));
    let number = |words: &str| {
        let line = said.lines().find(|line| line.contains(words));
        let first = line.and_then(|line| line.split_whitespace().next());
        first.and_then(|first| first.parse().ok()).unwrap_or_else(|| panic!("{model}: {said}"))
    };
    let errors = said.lines().find_map(|line| line.split("errors: ").nth(1));
    let errors = errors.and_then(|errors| errors.trim().parse().ok());
    let errors = errors.unwrap_or_else(|| panic!("{model}: {said}"));
    (number("states, stored"), number("transitions (="), errors)
}

fn check(folder: &Path, model: &str, more: &[&str]) -> Value {
    let line = [&["check", "--format", "json", "--property", "safety", model], more].concat();
    let output = run(EXEUNT, folder, &line);
    let out = &output.stdout;
    serde_json::from_slice(out).unwrap_or_else(|why| panic!("{model}: {why}: {}", text(&output)))
}

#[test]
fn counts_are_those_of_spin() {
    let folder = folder();
    let mut compared = 0;
    for model in models() {
        // SPIN writes beyond the end of an array and does not notice.
        if model == "ring_bug.pml" {
            continue;
        }
        let (states, transitions, errors) = by_spin(folder.path(), &model);
        let own = check(folder.path(), &model, &["--reduction", "none"]);
        let verdict = if errors > 0 { "violated" } else { "holds" };
        assert_eq!(own["verdict"], verdict, "{model}: {own}");
        if errors == 0 {
            let counts = (&own["statistics"]["states"], &own["statistics"]["transitions"]);
            let counts = (counts.0.as_u64(), counts.1.as_u64());
            // SPIN counts the way into the first state, too.
            assert_eq!(counts, (Some(states), Some(transitions - 1)), "{model}");
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared} models were compared");
}

#[test]
fn the_verdict_does_not_depend_on_the_search() {
    let folder = folder();
    for model in models() {
        let plain = check(folder.path(), &model, &["--reduction", "none"]);
        for more in [&["--reduction", "stubborn"][..], &["--jobs", "2"], &["--shortest"]] {
            let other = check(folder.path(), &model, more);
            assert_eq!(other["verdict"], plain["verdict"], "{model} {more:?}: {other}");
        }
    }
}

/// The bug of a C module shows at its line, and can be replayed.
#[test]
fn a_model_drives_c_code() {
    let folder = folder();
    let found = check(folder.path(), "ring_bug.pml", &["--save", "trace.json"]);
    let violation = &found["violations"][0];
    assert_eq!(violation["property"], "memory", "{found}");
    let file = violation["location"]["file"].as_str().expect("a file");
    assert!(file.ends_with("ring.c"), "{file}");
    assert_eq!(violation["location"]["line"], 15, "{found}");
    let again = run(EXEUNT, folder.path(), &["replay", "trace.json"]);
    assert_eq!(again.status.code(), Some(1), "{}", text(&again));
}

/// A C file beside the model, as one would give it to gcc together with pan.c.
#[test]
fn c_files_may_follow_a_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a file is written");
    };
    write("step.c", "int step(int x) { return (x + 2) % 5; }\n");
    write(
        "m.pml",
        "c_decl { int step(int); }\nbyte x;\n\
         active proctype P() { do :: c_code { now.x = step(now.x); }; assert(x != 4) od }\n",
    );
    let found = check(folder.path(), "m.pml", &["step.c"]);
    assert_eq!(found["verdict"], "violated", "{found}");
    assert_eq!(found["violations"][0]["property"], "assertion", "{found}");
    let alone = text(&run(EXEUNT, folder.path(), &["check", "m.pml"]));
    assert!(alone.contains("`step`"), "{alone}");
}

/// What C code may not do in a model is said by name, and nothing holds then.
#[test]
fn what_is_not_supported_is_named() {
    let cases = [
        (
            "c_decl { \\#include <pthread.h>\n void *go(void *x) { return x; } }\n\
             init { c_code { pthread_t t; pthread_create(&t, 0, go, 0); } }\n",
            "starts a thread",
        ),
        ("init { c_code { exit(0); } }\n", "ends the program"),
        ("init { c_code { for (;;) { } } }\n", "does not come to an end"),
        ("byte x; init { c_expr { now.x++ == 0 } }\n", "changes memory or variables"),
        ("int x; init { c_code { now.x = exeunt_choose(2); } }\n", "chooses"),
        (
            "c_decl { \\#include <pthread.h>\n pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; }\n\
             init { c_code { pthread_mutex_lock(&m); }; c_code { pthread_mutex_lock(&m); } }\n",
            "waits",
        ),
    ];
    for (model, words) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("m.pml"), model).expect("a model is written");
        let output = run(EXEUNT, folder.path(), &["check", "m.pml"]);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(3), "{model}: {said}");
        assert!(said.contains(words), "{model}: {said}");
    }
}

/// Errors of the compiler are at lines of the model; proofs refuse C code.
#[test]
fn errors_are_at_lines_of_the_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = "byte x;\ninit {\n\tc_code { now.y = 1; }\n}\n";
    std::fs::write(folder.path().join("m.pml"), model).expect("a model is written");
    let output = run(EXEUNT, folder.path(), &["check", "m.pml"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("m.pml:3:"), "{}", text(&output));
    let output = run(EXEUNT, folder.path(), &["prove", "m.pml"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("embedded C code is not supported"), "{}", text(&output));
}

/// Random models whose statements are partly C code: with the same states, transitions and verdict as without, also
/// where the search leaves states out.
#[test]
fn c_code_does_what_statements_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut violated = 0;
    for seed in exeunt_random::seeds(16) {
        let Pair { plain, code } = exeunt_random::embedded::pair(seed);
        for (name, text) in [("plain.pml", &plain), ("code.pml", &code)] {
            std::fs::write(folder.path().join(name), text).expect("a model is written");
        }
        let all = ["--reduction", "none", "--all", "--past-assertions", "--max-states", "30000"];
        let numbers = |name: &str| {
            let found = check(folder.path(), name, &all);
            let statistics = &found["statistics"];
            (
                found["verdict"].clone(),
                statistics["states"].clone(),
                statistics["transitions"].clone(),
            )
        };
        let (own, usual) = (numbers("code.pml"), numbers("plain.pml"));
        if usual.0 == "inconclusive" {
            continue;
        }
        assert_eq!(own, usual, "seed {seed}:\n{code}");
        for more in [&["--jobs", "2"][..], &["--shortest"]] {
            let found = check(folder.path(), "code.pml", more);
            assert_eq!(found["verdict"], usual.0, "seed {seed} {more:?}:\n{code}");
        }
        violated += usize::from(usual.0 == "violated");
    }
    println!("{violated} violated");
}

/// A pointer to a variable of a process would point to nothing between two pieces of code.
#[test]
fn pointers_to_variables_of_processes_are_not_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let keep = |keeps: &str| {
        let model = format!(
            "c_decl {{ unsigned char *kept; }}\nbyte y;\nc_code {{ static void add(unsigned char *p) {{ ++*p; }} }}\n\
             active proctype P() {{ byte x = 5; byte a[2]; c_code {{ {keeps}; }}; x = 7; \
             c_code {{ if (kept) now.y = *kept; }}; assert(y == 7 || y == 0) }}\n"
        );
        std::fs::write(folder.path().join("m.pml"), model).expect("a model is written");
        let output = run(EXEUNT, folder.path(), &["check", "m.pml"]);
        (output.status.code(), text(&output))
    };
    for keeps in ["kept = &PP->x", "kept = PP->a", "kept = (unsigned char *)PP"] {
        let (code, said) = keep(keeps);
        assert_eq!(code, Some(3), "{keeps}: {said}");
        assert!(said.contains("keeps a pointer to a variable of a process"), "{said}");
    }
    for keeps in ["add(&PP->x)", "kept = &now.y; kept = 0"] {
        let (code, said) = keep(keeps);
        assert_eq!(code, Some(0), "{keeps}: {said}");
    }
}
