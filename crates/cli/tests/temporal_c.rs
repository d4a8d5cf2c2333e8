//! Temporal properties of C programs: random programs and formulas have the
//! same verdict under every reduction, because nothing that a proposition
//! depends on is hidden inside of a step; every violation replays.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use exeunt_random::Random;
use serde_json::Value;

fn statement(random: &mut Random, depth: u32) -> String {
    // Formulas say nothing about the last three.
    let name = random.one_of(&["x", "y", "s.f", "a[1]", "u", "v", "w"]);
    let value = random.below(3);
    match random.below(if depth == 0 { 5 } else { 9 }) {
        0 | 1 => format!("{name} = {value};"),
        2 => format!("{name} = ({name} + 1) % 3;"),
        3 => format!("helper({value});"),
        4 => {
            let lock = random.one_of(&["m", "n"]);
            format!("pthread_mutex_lock(&{lock}); {name} = {value}; pthread_mutex_unlock(&{lock});")
        }
        5 => format!("if ({name} == {value}) {{ {} }}", statement(random, depth - 1)),
        6 => format!("for (int i = 0; i < 2; i++) {{ {} }}", statement(random, depth - 1)),
        7 => format!("{} {}", statement(random, depth - 1), statement(random, depth - 1)),
        _ => format!("for (;;) {{ {} }}", statement(random, depth - 1)),
    }
}

fn program(random: &mut Random) -> String {
    let mut text = String::from(
        "#include <pthread.h>\nint x, y, a[2], u, v, w; struct { char f; int g; } s;\n\
         pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n\
         void helper(int n) { int local = n; y = local; }\n\
         int both(void) { return x == 1 && y == 1; }\n",
    );
    for name in ["one", "two"] {
        let mut body = String::new();
        for _ in 0..1 + random.below(3) {
            let _ = writeln!(body, "    {}", statement(random, 2));
        }
        let _ = writeln!(text, "static void *{name}(void *p) {{\n{body}    return p;\n}}");
    }
    let (before, after) = (statement(random, 1), statement(random, 1));
    let before = before.replace("for (;;)", "if (1)");
    let _ = writeln!(
        text,
        "int main(void) {{\n    pthread_t p, q; {before}\n    pthread_create(&p, 0, one, 0);\n    \
         pthread_create(&q, 0, two, 0);\n    pthread_join(p, 0);\n    pthread_join(q, 0);\n    \
         {after}\n    return 0;\n}}"
    );
    text
}

/// Some look at variables only, so that other operations may be put off.
const OF_VARIABLES: usize = 5;
const ATOMS: [&str; 10] = [
    "x == 1",
    "y > 0",
    "s.f == 2",
    "a[1] == x",
    "x == y",
    "both",
    "at(helper)",
    "at(2, one)",
    "open(critical, m)",
    "open(mutex-wait)",
];

fn formula(random: &mut Random, atoms: &[&'static str], depth: u32) -> String {
    if depth == 0 {
        return format!("({})", random.one_of(atoms));
    }
    let (a, b) = (formula(random, atoms, depth - 1), formula(random, atoms, depth - 1));
    match random.below(9) {
        0 => format!("(G {a})"),
        1 => format!("(F {a})"),
        2 => format!("(! {a})"),
        3 => format!("({a} U {b})"),
        4 => format!("({a} R {b})"),
        5 => format!("({a} && {b})"),
        6 => format!("({a} -> {b})"),
        7 => format!("(G F {a})"),
        _ => format!("({a} W {b})"),
    }
}

fn exeunt(folder: &Path, args: &[&str]) -> (Value, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(args)
        .args(["--format", "json"])
        .current_dir(folder)
        .output()
        .expect("exeunt runs");
    let value = serde_json::from_slice(&output.stdout).unwrap_or_else(|why| {
        panic!("{args:?}: {why}: {}", String::from_utf8_lossy(&output.stderr))
    });
    (value, output.status.code())
}

#[test]
fn reductions_keep_every_verdict_on_random_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let seeds = match std::env::var("EXEUNT_FUZZ_SEEDS") {
        Ok(range) => {
            let (from, to) = range.split_once("..").expect("a range like 1..100");
            let number = |text: &str| text.parse::<u64>().expect("a number");
            number(from)..number(to)
        }
        Err(_) => 1..40,
    };
    let mut seen = [0, 0];
    for seed in seeds {
        let mut random = Random::new(seed);
        let text = program(&mut random);
        std::fs::write(folder.path().join("p.c"), &text).expect("writing the program");
        let atoms = if seed % 3 == 0 { &ATOMS[..] } else { &ATOMS[..OF_VARIABLES] };
        let formulas: Vec<String> = (0..3).map(|_| formula(&mut random, atoms, 2)).collect();
        for fair in [false, true] {
            let mut verdicts = Vec::new();
            for reduction in ["none", "tau", "superstep", "movers", "full", "stubborn"] {
                if fair && matches!(reduction, "movers" | "full" | "stubborn") {
                    continue;
                }
                let mut args = vec!["check", "p.c", "--property", "temporal", "--all"];
                args.extend(["--reduction", reduction, "--max-states", "60000"]);
                args.extend(formulas.iter().flat_map(|formula| ["--ltl", formula.as_str()]));
                args.extend(fair.then_some("--fair"));
                let (report, _) = exeunt(folder.path(), &args);
                let answers = report["formulas"].as_array().expect("a list").clone();
                let of = |answer: &Value| answer["verdict"].as_str().map(str::to_string);
                verdicts.push(answers.iter().map(of).collect::<Vec<_>>());
            }
            if verdicts.iter().flatten().any(|v| v.as_deref() == Some("inconclusive")) {
                continue;
            }
            for reduced in &verdicts[1..] {
                assert_eq!(
                    *reduced, verdicts[0],
                    "seed {seed}, fair: {fair}, {formulas:#?}\n{text}"
                );
            }
            for verdict in verdicts[0].iter().flatten() {
                seen[usize::from(verdict == "violated")] += 1;
            }
        }
    }
    println!("{seen:?} hold and are violated");
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
}

#[test]
fn a_saved_run_replays() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#include <pthread.h>\nint x;\nstatic void *one(void *p) { for (;;) x = 1 - x; }\n\
        int main(void) { pthread_t p; pthread_create(&p, 0, one, 0); pthread_join(p, 0); }\n";
    std::fs::write(folder.path().join("p.c"), text).expect("writing the program");
    for formula in ["F G x == 1", "G x == 0", "G F x == 2"] {
        let args = ["check", "p.c", "--property", "temporal", "--ltl", formula, "--save", "t.json"];
        let (report, code) = exeunt(folder.path(), &args);
        assert_eq!(code, Some(1), "{report}");
        let (again, code) = exeunt(folder.path(), &["replay", "t.json"]);
        assert_eq!(code, Some(1), "{again}");
        assert_eq!(again["violations"][0]["schedule"], report["violations"][0]["schedule"]);
        assert_eq!(again["violations"][0]["cycle_start"], report["violations"][0]["cycle_start"]);
    }
    let args =
        ["check", "p.c", "--property", "temporal", "--invariant", "x == 0", "--save", "t.json"];
    let (report, code) = exeunt(folder.path(), &args);
    assert_eq!((code, &report["violations"][0]["property"]), (Some(1), &Value::from("invariant")));
    assert_eq!(exeunt(folder.path(), &["replay", "t.json"]).1, Some(1));
}

#[test]
fn next_speaks_of_single_instructions() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "volatile int x;\nint main(void) { x = 1; x = x + 1; return 0; }\n";
    std::fs::write(folder.path().join("p.c"), text).expect("writing the program");
    let verdict = |formula: &str| {
        let args =
            ["check", "p.c", "--property", "temporal", "--reduction", "none", "--ltl", formula];
        exeunt(folder.path(), &args).0["verdict"].clone()
    };
    assert_eq!(verdict("G (x == 1 -> X x == 2)"), "violated");
    assert_eq!(verdict("G (x == 1 -> X (x == 2 || X (x == 2 || X x == 2)))"), "holds");
}
