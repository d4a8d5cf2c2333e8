//! Programs with two or three threads, each a few operations long. Shared
//! data is atomic or guarded, because what a real machine does beyond
//! sequential consistency is not ours to explore; every program ends.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{compiled, exeunt, run};
use exeunt_random::{Random, seeds};

/// How often each program is run natively.
const RUNS: u64 = 40;

const PROLOGUE: &str = r#"#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __EXEUNT__
#define P
#else
__attribute__((weak)) void perturb(void);
#define P (perturb ? perturb() : (void)0),
#endif
static _Atomic int x, y, z;
static int guarded, count;
static struct pair { int a, b; } shared;
static _Atomic(int *) cell;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t sem;
static void initialise(void) { P z += 4; }
static void destroy(void *p) { P y += *(int *)p; }
static void clean(void *p) { P x += 5; (void)p; }
__attribute__((unused)) static void handle(int number) { P x += 6; (void)number; }
"#;

/// Which statements there are: the first programs do without cancellation and
/// signals.
fn statements(seed: u64) -> u64 {
    if seed < 1000 { 17 } else { 21 }
}

fn statement(random: &mut Random, kinds: u64) -> String {
    let variable = random.one_of(&["x", "y", "z"]);
    let other = random.one_of(&["x", "y", "z"]);
    let n = 1 + random.below(3);
    match random.below(kinds) {
        0 => format!("P {variable} = {n};"),
        1 => format!("P (local += {variable});"),
        2 => format!("{{ int k = (P {variable}); P {variable} = k + {n}; }}"),
        3 => format!("P {variable}++;"),
        4 => format!("P ({variable} ^= {other});"),
        5 => format!(
            "{{ int e = {n}; P atomic_compare_exchange_strong(&{variable}, &e, {n} + 1); local += e; }}"
        ),
        6 => "pthread_mutex_lock(&m); guarded = guarded * 2 + local; pthread_mutex_unlock(&m);".to_string(),
        7 => format!(
            "if (!pthread_mutex_trylock(&m)) {{ guarded += {n}; pthread_mutex_unlock(&m); }} else local += 7;"
        ),
        8 => "sem_post(&sem);".to_string(),
        9 => format!("if (!sem_trywait(&sem)) local += {n};"),
        10 => "pthread_once(&once, initialise);".to_string(),
        11 => format!("if ((P {variable}) == {n}) P {other} = local;"),
        12 => format!("P printf(\"{n}\");"),
        13 => "{ static int values[3] = {1, 2, 3}; pthread_setspecific(key, &values[local & 1]); }".to_string(),
        14 => "pthread_mutex_lock(&m); { struct pair p = {local, local}; shared = p; } pthread_mutex_unlock(&m);".to_string(),
        15 => "pthread_mutex_lock(&m); { struct pair p = shared; if (p.a != p.b) exit(9); local += p.a; } pthread_mutex_unlock(&m);".to_string(),
        16 => format!("{{ int *p = malloc(4); *p = {n}; int *q = (P atomic_exchange(&cell, p)); if (q) local += *q; free(q); }}"),
        17 => "pthread_testcancel();".to_string(),
        18 => format!("pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0); P ({variable} += {n}); P printf(\"-\"); pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);"),
        19 => format!("raise(SIGUSR1); P (local += {variable});"),
        // Blocked, raised, and handled as soon as it is not blocked any more.
        _ => format!("{{ sigset_t s, o; sigemptyset(&s); sigaddset(&s, SIGUSR1); pthread_sigmask(SIG_BLOCK, &s, &o); raise(SIGUSR1); P ({variable} *= 2); pthread_sigmask(SIG_SETMASK, &o, 0); }}"),
    }
}

/// What main does to one of its threads.
fn disturbance(random: &mut Random) -> String {
    let variable = random.one_of(&["x", "y", "z"]);
    match random.below(4) {
        0 => "pthread_cancel(h[0]);".to_string(),
        1 => format!("if ((P {variable}) > 1) pthread_cancel(h[1]);"),
        2 => "pthread_kill(h[0], SIGUSR1);".to_string(),
        _ => format!("if ((P {variable}) > 1) pthread_kill(h[1], SIGUSR1);"),
    }
}

fn program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xc0c0);
    let kinds = statements(seed);
    let threads = if random.one_in(4) { 3 } else { 2 };
    let mut text = String::from(PROLOGUE);
    for number in 0..threads {
        let _ = writeln!(text, "static void *t{number}(void *u) {{\n    int local = {number};");
        let cleans = random.one_in(6);
        if cleans {
            text.push_str("    pthread_cleanup_push(clean, 0);\n");
        }
        for _ in 0..2 + random.below(if threads == 3 { 1 } else { 3 }) {
            let _ = writeln!(text, "    {}", statement(&mut random, kinds));
        }
        if random.one_in(8) {
            let _ = writeln!(text, "    if (local == {}) exit(local);", random.below(4));
        }
        if random.one_in(8) {
            let _ =
                writeln!(text, "    if (local == {}) pthread_exit((void *)8);", random.below(4));
        }
        if cleans {
            text.push_str("    pthread_cleanup_pop(1);\n");
        }
        let _ = writeln!(
            text,
            "    pthread_mutex_lock(&m);\n    if (++count == {threads}) pthread_cond_signal(&c);\n    pthread_mutex_unlock(&m);\n    return (void *)(long)local;\n}}"
        );
    }
    text.push_str(
        "int main(void) {\n    sem_init(&sem, 0, 1);\n    pthread_key_create(&key, destroy);\n",
    );
    if kinds > 17 {
        text.push_str("    signal(SIGUSR1, handle);\n");
    }
    let _ = writeln!(text, "    pthread_t h[{threads}];\n    void *r[{threads}];");
    for number in 0..threads {
        let _ = writeln!(text, "    pthread_create(&h[{number}], 0, t{number}, 0);");
    }
    if kinds > 17 && random.one_in(2) {
        let _ = writeln!(text, "    {}", disturbance(&mut random));
    }
    if random.one_in(3) {
        let _ = writeln!(text, "    {{ int local = 3; {} }}", statement(&mut random, kinds));
    }
    for number in 0..threads {
        let _ = writeln!(text, "    pthread_join(h[{number}], &r[{number}]);");
    }
    text.push_str("    int left; sem_getvalue(&sem, &left); free(cell);\n    printf(\" %d %d %d %d %d %d|\", x, y, z, guarded, left, shared.a);\n");
    let _ = writeln!(text, "    for (int i = 0; i < {threads}; i++) printf(\" %ld\", (long)r[i]);");
    text.push_str("    printf(\"\\n\");\n    return (x + y) & 3;\n}\n");
    text
}

/// What was printed, and the exit code.
type Outcome = (String, i64);

/// All outcomes; `None` if there are too many states to list them.
fn listed(file: &Path, text: &str) -> Option<Vec<Outcome>> {
    let output = run(exeunt().arg("outcomes").arg(file).args([
        "--format",
        "json",
        "--no-spurious",
        "--signals",
        "none",
        "--max-states",
        "400000",
        "--time",
        "60s",
    ]));
    let json = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_str(&json).unwrap_or_else(|_| panic!("{errors}\n{text}"));
    if report["complete"] != true {
        return None;
    }
    let rows = report["outcomes"].as_array().expect("a list");
    let exits = rows.iter().map(|row| {
        assert_eq!(row["end"], "exit", "{row:#}\n{text}");
        let code = row["exit_code"].as_i64().expect("a code");
        (row["stdout"].as_str().expect("a text").to_string(), code)
    });
    Some(exits.collect())
}

/// What is seen natively, with a seed of the shim that shows it.
fn seen(binary: &Path, shim: &Path) -> BTreeMap<Outcome, u64> {
    let mut seen = BTreeMap::new();
    for seed in 0..RUNS {
        let mut command = Command::new(binary);
        command.env("SHIM_SEED", seed.to_string());
        // Some runs are left alone.
        if seed % 8 != 0 {
            command.env("LD_PRELOAD", shim);
        }
        let output = run(&mut command);
        let code = output.status.code().unwrap_or(-1);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        seen.entry((text, code.into())).or_insert(seed);
    }
    seen
}

fn build_shim(directory: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native/shim.c");
    let shim = directory.join("shim.so");
    let mut command = Command::new("gcc");
    command.args(["-O1", "-shared", "-fPIC", "-pthread", "-o"]).arg(&shim).arg(source).arg("-ldl");
    let output = run(&mut command);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    shim
}

#[test]
fn what_is_seen_natively_is_among_the_outcomes() {
    let directory = tempfile::tempdir().expect("a directory");
    let shim = build_shim(directory.path());
    let (mut compared, mut several) = (0, 0);
    let mut differences = Vec::new();
    for seed in seeds(25) {
        let file = directory.path().join(format!("concurrent{seed}.c"));
        let text = program(seed);
        std::fs::write(&file, &text).expect("written");
        let Some(listed) = listed(&file, &text) else { continue };
        compared += 1;
        let seen = seen(&compiled("gcc", "-O1", &file, &[]), &shim);
        several += u32::from(seen.len() > 1);
        let missing = seen.iter().filter(|(outcome, _)| !listed.contains(outcome));
        differences.extend(missing.map(|(outcome, shim_seed)| {
            format!(
                "seed {seed}: natively (SHIM_SEED={shim_seed}) {outcome:?}, not among\n{listed:?}\n{text}"
            )
        }));
    }
    println!("{compared} programs compared, {several} with several outcomes seen");
    assert!(
        differences.is_empty(),
        "{} differences\n{}",
        differences.len(),
        differences.join("\n")
    );
    assert!(compared >= seeds(25).count() / 4, "only {compared} programs are small enough");
}
