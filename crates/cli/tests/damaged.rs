//! Damaged bitcode and damaged text: whatever comes in, the answer is a
//! verdict or a refusal, never a crash.

use std::path::Path;
use std::process::Command;

use exeunt_random::Random;

const PROGRAM: &str = "
#include <pthread.h>
#include <stdio.h>
static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
    pthread_mutex_lock(&mutex);
    counter += *(int *)p;
    pthread_mutex_unlock(&mutex);
    return p;
}
int main(void) {
    int one = 1;
    pthread_t thread;
    pthread_create(&thread, 0, work, &one);
    work(&one);
    pthread_join(thread, 0);
    printf(\"%d\\n\", counter);
    return counter - 2;
}
";

/// How many damaged files of each form are tried.
const ROUNDS: u64 = 150;

#[test]
fn damaged_bitcode_never_crashes() {
    damage_and_check("bc", &["-emit-llvm", "-c"]);
}

#[test]
fn damaged_text_never_crashes() {
    damage_and_check("ll", &["-emit-llvm", "-S"]);
}

#[test]
fn damaged_source_never_crashes() {
    let directory = tempfile::tempdir().expect("a directory");
    for round in 1..=30 {
        let mut bytes = PROGRAM.as_bytes().to_vec();
        damage(&mut bytes, &mut Random::new(round));
        answer(directory.path(), "damaged.c", &bytes, round);
    }
}

/// Threads that wait on a condition: which of them a signal wakes is a choice among those that wait.
const WAITERS: &str = "
#include <exeunt.h>
#include <pthread.h>
static int turns;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static void *wait_for_it(void *argument) {
    pthread_mutex_lock(&lock);
    while (turns == 0)
        pthread_cond_wait(&changed, &lock);
    turns--;
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, wait_for_it, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        turns += exeunt_choose(3) % 2;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
}
";

/// Choices that are not there are no moves: stories are shortened by leaving steps out, and the
/// steps behind them may then have less to choose from.
#[test]
fn schedules_that_do_not_fit_never_crash() {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("waiters.c"), WAITERS).expect("a file");
    let exeunt = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
        command.current_dir(directory.path()).args(arguments).output().expect("exeunt runs")
    };
    let checked = exeunt(&["check", "waiters.c", "--reduction", "tau", "--save", "found.json"]);
    assert_eq!(checked.status.code(), Some(1));
    let path = directory.path().join("found.json");
    let text = std::fs::read_to_string(&path).expect("a trace");
    let mut trace: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for round in 0..60 {
        let random = &mut Random::new(round);
        // All three wait, then the first thread goes on with choices that may not be there.
        let mut steps: Vec<String> = ["1;1;1;2;2;2;3;3;3;4;4;4"].map(String::from).into();
        for _ in 0..4 + random.below(5) {
            let choices = ["", "(0)", "(1)", "(2)", "(7)", "(1,3)"];
            steps.push(format!(
                "{}{}",
                random.one_of(&[1, 1, 1, 1, 1, 2]),
                random.one_of(&choices)
            ));
        }
        trace["schedule"] = steps.join(";").into();
        std::fs::write(&path, trace.to_string()).expect("a file");
        let replayed = exeunt(&["replay", "found.json"]);
        let stderr = String::from_utf8_lossy(&replayed.stderr);
        let code = replayed.status.code();
        assert!(matches!(code, Some(1..=3)), "round {round}: {steps:?}: {code:?}\n{stderr}");
    }
}

fn damage_and_check(ending: &str, flags: &[&str]) {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("good.c"), PROGRAM).expect("a file");
    let good = format!("good.{ending}");
    let compiled = Command::new("clang-22")
        .current_dir(directory.path())
        .args(["-g", "-O1", "good.c", "-o", &good])
        .args(flags)
        .status();
    assert!(compiled.expect("clang runs").success());
    let good = std::fs::read(directory.path().join(good)).expect("a file");
    for round in 1..=ROUNDS {
        let mut bytes = good.clone();
        damage(&mut bytes, &mut Random::new(round));
        answer(directory.path(), &format!("damaged.{ending}"), &bytes, round);
    }
}

/// Flips, removes or repeats a few bytes.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.below(256) as u8,
            2 => bytes.truncate(at.max(8)),
            _ => {
                let end = (at + 1 + random.below(16)).min(bytes.len());
                let to = random.below(bytes.len() - (end - at) + 1);
                bytes.copy_within(at..end, to);
            }
        }
    }
}

/// Checks the file, which must end in an exit code that says something.
fn answer(directory: &Path, name: &str, bytes: &[u8], round: u64) {
    std::fs::write(directory.join(name), bytes).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.current_dir(directory).args(["check", name, "--max-states", "2000", "--time", "10s"]);
    let output = command.output().expect("exeunt runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let says = |word: &str| text.starts_with(word);
    let right = match output.status.code() {
        Some(0) => says("holds"),
        Some(1) => says("violated"),
        Some(2) => text.is_empty() && !output.stderr.is_empty(),
        Some(3) => says("inconclusive"),
        _ => false,
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(right, "round {round}: {:?}\n{text}\n{stderr}", output.status);
}
