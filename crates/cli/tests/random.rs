//! Random small programs: every reduction and both orders of search give the
//! verdict of the unreduced search.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// How many programs are tried; EXEUNT_RANDOM asks for more.
fn programs() -> u64 {
    std::env::var("EXEUNT_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

/// A small generator of random numbers, always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) % n
    }
}

/// One statement of a thread; `held` are the mutexes it has locked.
fn statement(random: &mut Random, held: &mut Vec<u64>, out: &mut String) {
    let variable = ["x", "y"][random.below(2) as usize];
    let value = random.below(3);
    let _ = match random.below(13) {
        0 | 1 => writeln!(out, "    {variable} = {value};"),
        2 => writeln!(out, "    {variable} = x + y;"),
        3 => writeln!(out, "    local += {variable};"),
        4 => writeln!(out, "    if ({variable} == {value}) y = local & 3;"),
        5 => writeln!(out, "    __atomic_fetch_xor(&{variable}, {value}, __ATOMIC_SEQ_CST);"),
        6 => writeln!(out, "    assert({variable} != {});", 2 + random.below(3)),
        7 => writeln!(out, "    {{ int *p = malloc(4); *p = {value}; cell = p; x = *p; }}"),
        8 => writeln!(out, "    if (cell) local += *cell;"),
        9 if random.below(3) == 0 => writeln!(out, "    while ({variable} == {value}) ;"),
        10 => writeln!(out, "    {{ int a[2] = {{local, 1}}; shared_sum(a); }}"),
        11 if random.below(3) == 0 => writeln!(out, "    if (cell) {{ free(cell); cell = 0; }}"),
        _ => lock_or_unlock(random, held, out),
    };
}

fn lock_or_unlock(random: &mut Random, held: &mut Vec<u64>, out: &mut String) -> std::fmt::Result {
    let mutex = random.below(2);
    if let Some(at) = held.iter().position(|&m| m == mutex) {
        held.remove(at);
        writeln!(out, "    pthread_mutex_unlock(&m[{mutex}]);")
    } else {
        held.push(mutex);
        writeln!(out, "    pthread_mutex_lock(&m[{mutex}]);")
    }
}

fn program(seed: u64) -> String {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (seed + 1).wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut text = String::from(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n\n\
         static volatile int x, y;\nstatic int *volatile cell;\n\
         static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n\n\
         static void shared_sum(int *a) { x = a[0] + a[1]; }\n\n",
    );
    for thread in 0..2 {
        let _ =
            writeln!(text, "static void *t{thread}(void *unused) {{\n    int local = {thread};");
        let mut held = Vec::new();
        for _ in 0..2 + random.below(4) {
            statement(&mut random, &mut held, &mut text);
        }
        // Most threads give back what they hold.
        if random.below(5) != 0 {
            for mutex in held {
                let _ = writeln!(text, "    pthread_mutex_unlock(&m[{mutex}]);");
            }
        }
        text.push_str("    return (void *)(long)local;\n}\n\n");
    }
    text.push_str(
        "int main(void) {\n    pthread_t a, b;\n    pthread_create(&a, 0, t0, 0);\n    \
         pthread_create(&b, 0, t1, 0);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n    \
         assert(x != 7);\n    return 0;\n}\n",
    );
    text
}

/// The verdict; with `--all`, all properties that are violated.
fn verdict(file: &Path, words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .arg("check")
        .arg(file)
        .args(["--format", "json", "--all", "--max-states", "200000"])
        .args(words)
        .output()
        .expect("exeunt runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|why| panic!("{words:?}: no report ({why}): {output:?}"));
    let mut found: Vec<String> = report["violations"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|violation| format!("{}@{}", violation["property"], violation["location"]["line"]))
        // Which of several stuck sections of one component is told depends on
        // where the search enters it; that one is stuck does not.
        .map(|text| if text.contains("section") { "section".to_string() } else { text })
        .collect();
    found.sort();
    found.dedup();
    format!("{} {found:?}", report["verdict"])
}

#[test]
fn reductions_and_orders_agree_on_random_programs() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut kinds = std::collections::BTreeMap::new();
    for seed in 0..programs() {
        let file = directory.path().join(format!("random{seed}.c"));
        std::fs::write(&file, program(seed)).expect("written");
        let expected = verdict(&file, &["--reduction", "none"]);
        for words in [&["--reduction", "global"][..], &["--reduction", "tau"], &["--shortest"]] {
            let found = verdict(&file, words);
            assert_eq!(found, expected, "{words:?} on seed {seed}:\n{}", program(seed));
        }
        *kinds.entry(expected.split_whitespace().next().unwrap_or("").to_string()).or_insert(0) +=
            1;
    }
    assert!(kinds.len() >= 2 && kinds.values().all(|&count| count >= 5), "{kinds:?}");
}
