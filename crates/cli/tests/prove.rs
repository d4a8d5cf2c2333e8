//! `exeunt prove` and `exeunt certify`: exit codes, forms of the report, and
//! files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/prove").join(name)
}

fn exeunt(directory: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.current_dir(directory).env("NO_COLOR", "1").args(words);
    command.output().expect("exeunt runs")
}

/// A directory with a copy of a model.
fn with(name: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::copy(model(name), directory.path().join("m.pml")).expect("a model");
    directory
}

#[track_caller]
fn ends(directory: &Path, words: &[&str], code: i32, part: &str) -> String {
    let output = exeunt(directory, words);
    let out = String::from_utf8_lossy(&output.stdout);
    let all = format!("{out}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{words:?}: {all}");
    assert!(all.contains(part), "{words:?} does not say {part:?}:\n{all}");
    out.to_string()
}

#[test]
fn exit_codes_follow_the_verdict() {
    let d = with("figure_2.pml");
    ends(d.path(), &["prove", "m.pml"], 1, "channel `f21` grows by 3 messages in each round");
    ends(d.path(), &["check", "--unbounded", "m.pml"], 1, "channel `f21` grows by 3 messages");
    ends(d.path(), &["prove", "m.pml", "--max-states", "20"], 3, "--max-states 20");
    let d = with("credits.pml");
    ends(d.path(), &["prove", "m.pml", "--grow"], 0, "nothing grows without bound");
    let d = with("terminates.pml");
    ends(d.path(), &["prove", "m.pml"], 0, "every run ends");
}

/// A value that is another one in each round is told with its first values.
#[test]
fn values_that_change_are_told() {
    let directory = tempfile::tempdir().expect("a directory");
    let text =
        "chan q = [1] of { byte, byte };\nactive proctype P() { int i; do :: q!7,i; i++ od }\n";
    std::fs::write(directory.path().join("m.pml"), text).expect("a model is written");
    ends(directory.path(), &["prove", "m.pml"], 1, "q: takes nothing; adds 7,(0, 1, 2, …)");
    let text = text.replace("7,i", "7,1");
    std::fs::write(directory.path().join("m.pml"), text).expect("a model is written");
    let told = ends(directory.path(), &["prove", "m.pml"], 1, "q: takes nothing; adds 7,1\n");
    assert!(!told.contains("a value that changes"), "{told}");
}

#[test]
fn bad_usage_is_refused() {
    let d = with("figure_2.pml");
    std::fs::write(d.path().join("p.c"), "int main(void) { return 0; }\n").expect("a file");
    ends(d.path(), &["prove", "gone.pml"], 2, "cannot read gone.pml");
    ends(d.path(), &["prove", "p.c"], 0, "thread `main` ends");
    std::fs::write(d.path().join("l.c"), "void f(void) {}\n").expect("a file");
    ends(d.path(), &["prove", "l.c"], 2, "which thread must end?");
    ends(d.path(), &["prove", "p.c", "--thread", "f"], 2, "no function `f`");
    ends(d.path(), &["prove", "p.c", "--thread", "main", "--grow"], 2, "are about Promela");
    let both = ["prove", "p.c", "--all", "--thread", "main"];
    ends(d.path(), &both, 2, "--all asks about every thread");
    ends(d.path(), &both[..3], 0, "thread `main` ends");
    ends(d.path(), &["prove", "m.pml", "--thread", "f"], 2, "are about C programs");
    ends(d.path(), &["prove", "m.pml", "--grow", "nope"], 2, "no channel and no variable `nope`");
    ends(d.path(), &["prove", "m.pml", "--process", "P9"], 2, "no process type `P9`");
    ends(d.path(), &["prove", "m.pml", "--certificate", "no/where"], 2, "no directory");
    ends(d.path(), &["certify", "gone.json"], 2, "cannot read gone.json");
    ends(d.path(), &["certify", "m.pml"], 2, "is not a certificate");
    let said = "--unbounded goes only with";
    ends(d.path(), &["check", "--unbounded", "m.pml", "--ltl", "[] true"], 2, said);
    ends(d.path(), &["check", "--unbounded", "m.pml", "--must-end", "P1"], 2, said);
    let d = with("priorities.pml");
    let model = std::fs::read_to_string(d.path().join("m.pml")).expect("a model");
    let handshake = model.replace("chan c = [4]", "chan c = [0]");
    std::fs::write(d.path().join("m.pml"), handshake).expect("a model");
    ends(d.path(), &["prove", "m.pml"], 2, "priorities together with rendezvous channels");
}

#[test]
fn certificates_are_written_and_checked() {
    let d = with("figure_9_pex.pml");
    let said = "check the proof with: exeunt certify c.json";
    ends(d.path(), &["prove", "m.pml", "--certificate", "c.json"], 1, said);
    ends(d.path(), &["certify", "c.json"], 0, "certified: m.pml has a run that never ends");
    let path = d.path().join("c.json");
    let good = std::fs::read_to_string(&path).expect("a certificate");
    std::fs::write(&path, good.replacen("\"by\": 1", "\"by\": 2", 1)).expect("a file");
    ends(d.path(), &["certify", "c.json"], 1, "the certificate proves nothing");
    std::fs::write(&path, good.replacen("\"format\": 1", "\"format\": 9", 1)).expect("a file");
    ends(d.path(), &["certify", "c.json"], 2, "it has another form");
    std::fs::write(&path, &good[..good.len() / 2]).expect("a file");
    ends(d.path(), &["certify", "c.json"], 2, "is not a certificate");
    std::fs::write(&path, &good).expect("a file");
    let text = std::fs::read_to_string(d.path().join("m.pml")).expect("a model");
    std::fs::write(d.path().join("m.pml"), format!("{text}\n")).expect("a file");
    ends(d.path(), &["certify", "c.json"], 1, "is not the model that was proven");
    std::fs::write(d.path().join("other.pml"), text).expect("a file");
    ends(d.path(), &["certify", "c.json", "--model", "other.pml"], 0, "certified");
}

#[test]
fn the_json_report_holds_the_proof() {
    let d = with("figure_2.pml");
    let text = ends(d.path(), &["prove", "m.pml", "--format", "json"], 1, "");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["verdict"], "violated");
    assert_eq!(report["command"], "prove");
    let violation = &report["violations"][0];
    assert_eq!(violation["property"], "termination");
    assert_eq!(violation["cycle_start"], 0);
    assert_eq!(violation["trace"].as_array().map(Vec::len), Some(29));
    let certificate = &report["proof"]["certificate"];
    assert_eq!(certificate["integers"], "ideal");
    assert_eq!(certificate["channels"][0]["adds"], 6);
    assert!(report["proof"]["program"].as_str().is_some_and(|text| text.contains("while (true)")));
}

#[test]
fn other_forms_hold_the_proof_or_the_report() {
    let d = with("figure_2.pml");
    let page = ends(d.path(), &["prove", "m.pml", "--format", "html"], 1, "");
    assert!(page.contains("<h2>the proof</h2>") && page.contains("P1:j &lt;= -3"), "{page}");
    let sarif = ends(d.path(), &["prove", "m.pml", "--format", "sarif"], 1, "");
    assert!(serde_json::from_str::<Value>(&sarif).is_ok());
    let program = ends(d.path(), &["prove", "m.pml", "--show-program"], 1, "while (true) {");
    assert!(program.contains("if (!(i >= 0)) break;"), "{program}");
    ends(d.path(), &["prove", "m.pml", "-o", "report.txt"], 1, "");
    let written = std::fs::read_to_string(d.path().join("report.txt")).expect("a report");
    assert!(written.contains("before every round"), "{written}");
}

/// A directory with a program of the suite about threads.
fn with_c(name: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/prove-c").join(name);
    std::fs::copy(file, directory.path().join("p.c")).expect("a program");
    directory
}

#[test]
fn another_solver_can_be_asked() {
    let d = with_c("figure_2_t1.c");
    let asked = ["prove", "p.c", "--thread", "t1", "--integers", "mathematical"];
    let with = |more: &[&'static str]| [&asked[..], more].concat();
    ends(d.path(), &with(&["--solver", "cvc5 --incremental"]), 0, "lck != 1 || x' <= x");
    ends(d.path(), &with(&["--solver", "cat"]), 2, "does not answer as an SMT-LIB solver does");
    ends(d.path(), &with(&["--solver", "no-such-program"]), 2, "does not answer");
    ends(d.path(), &with(&["--dump-queries", "questions"]), 0, "holds");
    let question = std::fs::read_to_string(d.path().join("questions/00000.smt2"));
    assert!(question.expect("a question").contains("(check-sat)"));
}

#[test]
fn other_solvers_know_bits() {
    let d = with_c("bits.c");
    for (thread, code, said) in [("count_ones", 0, "holds"), ("shift_by_nothing", 1, "violated")] {
        let asked = ["prove", "p.c", "--thread", thread, "--env", ""];
        ends(d.path(), &[&asked[..], &["--solver", "cvc5 --incremental"]].concat(), code, said);
    }
}

#[test]
fn what_is_counted_in_bits_is_in_the_certificate() {
    let d = with_c("bits.c");
    let asked = ["prove", "p.c", "--thread", "mask_leaves", "--env", "", "--certificate", "c.json"];
    ends(d.path(), &asked, 0, "low zeros");
    ends(d.path(), &["certify", "c.json"], 0, "certified");
    let text = std::fs::read_to_string(d.path().join("c.json")).expect("a certificate");
    let other = text.replace("low_zeros", "high_zeros");
    assert_ne!(other, text);
    std::fs::write(d.path().join("c.json"), other).expect("a certificate");
    ends(d.path(), &["certify", "c.json"], 1, "does not");
}

#[test]
fn fair_proofs_are_certified_and_told() {
    let d = with_c("fair_flag.c");
    let asked = ["prove", "p.c", "--thread", "t", "--env", "e"];
    let with = |more: &[&'static str]| [&asked[..], more].concat();
    ends(d.path(), &asked, 1, "can make infinitely many steps");
    let out = ends(d.path(), &with(&["--fair", "--certificate", "c.json"]), 0, "fair schedule");
    assert!(out.contains("flag - 1 >= 0: `e` makes it so (p.c:11)"), "{out}");
    ends(d.path(), &["certify", "c.json"], 0, "ends in every fair schedule");
    // A flag that nobody promised to set.
    let text = std::fs::read_to_string(d.path().join("c.json")).expect("a certificate");
    let wrong = text.replacen("\"thread\": 1", "\"thread\": 0", 1);
    assert_ne!(wrong, text);
    std::fs::write(d.path().join("w.json"), wrong).expect("a file");
    ends(d.path(), &["certify", "w.json"], 1, "the certificate proves nothing");
}

/// Programs of which the prover alone says nothing, or shows a run that values keep going.
const TRIES: &str = "
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned char x = 251;
void *t(void *arg) { while (pthread_mutex_trylock(&m)) ; return arg; }
void *u(void *arg) { while (x != 1) x = x * x; return arg; }
void *e(void *arg) { pthread_mutex_lock(&m); return arg; }
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    pthread_create(&h, 0, u, 0);
    pthread_create(&h, 0, e, 0);
    pthread_exit(0);
}
";

#[test]
fn states_are_looked_at_before_an_answer_is_given_up() {
    let d = tempfile::tempdir().expect("a directory");
    std::fs::write(d.path().join("p.c"), TRIES).expect("a program");
    let asked = |thread| ["prove", "p.c", "--thread", thread];
    ends(d.path(), &asked("t"), 1, "found by exploring states");
    ends(d.path(), &asked("u"), 0, "states were explored");
    // Without `main` there are no states.
    let library = [&asked("u")[..], &["--env", "u"]].concat();
    ends(d.path(), &library, 3, "neither a proof");
    let fair = [&asked("t")[..], &["--fair"]].concat();
    ends(d.path(), &fair, 3, "which may not be fair");
}

#[test]
fn infinite_runs_are_saved_and_run_again() {
    let d = tempfile::tempdir().expect("a directory");
    std::fs::write(d.path().join("p.c"), TRIES).expect("a program");
    let asked = ["prove", "p.c", "--thread", "t", "--save", "run.json"];
    ends(d.path(), &asked, 1, "replay with: exeunt replay run.json");
    let told = ends(d.path(), &["replay", "run.json"], 1, "thread `t` can make infinitely many");
    assert!(told.contains("from here on this repeats for ever"), "{told}");
    // The same moves, which do not repeat there.
    let text = std::fs::read_to_string(d.path().join("run.json")).expect("a trace");
    let cycle = text.lines().find(|line| line.contains("\"cycle\"")).expect("a cycle");
    let wrong = text.replace(cycle, "  \"cycle\": 0,");
    std::fs::write(d.path().join("wrong.json"), wrong).expect("a file");
    ends(d.path(), &["replay", "wrong.json"], 3, "do not lead back");
    let other = text.replace("\"thread\": \"t\"", "\"thread\": \"u\"");
    assert_ne!(other, text);
    std::fs::write(d.path().join("other.json"), other).expect("a file");
    ends(d.path(), &["replay", "other.json"], 3, "`u` does not move in what repeats");
    // A run of the automata is saved, too.
    let text = TRIES.replace("pthread_mutex_trylock(&m)", "x != 3");
    std::fs::write(d.path().join("p.c"), text.replace("x++", "x = 5")).expect("a program");
    ends(d.path(), &asked, 1, "the virtual machine runs it");
    ends(d.path(), &["replay", "run.json"], 1, "infinitely many steps");
    let library = ["prove", "p.c", "--thread", "t", "--env", "u*", "--save", "run.json"];
    ends(d.path(), &library, 2, "--save keeps runs of programs with `main`");
}

#[test]
fn every_format_has_the_table_of_loops() {
    let d = with_c("drain_locked.c");
    let text = std::fs::read_to_string(d.path().join("p.c")).expect("a program");
    let options = text.lines().find_map(|line| line.strip_prefix("// options: "));
    let options = shlex::split(options.expect("options")).expect("words");
    for format in ["human", "json", "sarif", "html"] {
        let mut words = vec!["prove", "p.c", "--format", format];
        words.extend(options.iter().map(String::as_str));
        ends(d.path(), &words, 0, "weakenings");
    }
}
