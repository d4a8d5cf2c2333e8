//! Ways of exploring: bounds on switches, priorities, suspected livelocks.

use crate::shop::{Shop, report, violation};

#[test]
fn schedules_with_few_preemptions() {
    let shop = Shop::new();
    let table = shop.compile("philosophers", &[]);
    // A deadlock of three philosophers needs two preemptions and no more.
    assert_eq!(report(&["--context-bound", "1"], &table)["verdict"], "inconclusive");
    assert_eq!(violation(&["--context-bound", "2"], &table).0, "deadlock");
    let limited = report(&["--context-bound", "0"], &shop.compile("rounds", &ROUNDS));
    assert_eq!(limited["verdict"], "inconclusive", "{limited:#}");
    assert_eq!(limited["limits_hit"][0], "--context-bound 0");
    let enough = report(&["--context-bound", "9"], &shop.compile("rounds", &ROUNDS));
    assert_eq!(enough["verdict"], "holds", "nothing was left out: {enough:#}");
}

const ROUNDS: [&str; 2] = ["-DTHREADS=2", "-DROUNDS=1"];

#[test]
fn priorities_say_what_they_may_have_missed() {
    let shop = Shop::new();
    let arguments = ["--random", "400", "--pct", "3", "--seed", "5"];
    assert_eq!(violation(&arguments, &shop.compile("philosophers", &[])).0, "deadlock");
    let fine = report(&arguments, &shop.compile("philosophers", &["-DORDERED"]));
    assert_eq!(fine["verdict"], "inconclusive", "{fine:#}");
    let reason = fine["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("a bug of depth 3 in 4 threads and 15 steps"), "{reason}");
    // A loop that polls does not keep the others from running.
    let polling = shop.compile("election", &[]);
    assert_eq!(violation(&["--random", "400", "--pct", "3"], &polling).0, "assertion");
}

/// What is only suspected is not said to be violated.
#[test]
fn a_livelock_is_suspected() {
    let shop = Shop::new();
    let source = shop.directory.path().join("polls.c");
    let text = "#include <pthread.h>\n\
        static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n\
        static void *work(void *arg) {\n\
            pthread_mutex_lock(&a);\n\
            while (pthread_mutex_trylock(&b)) ;\n\
            return arg;\n\
        }\n\
        int main(void) {\n\
            pthread_t t;\n\
            pthread_mutex_lock(&b);\n\
            pthread_create(&t, 0, work, 0);\n\
            pthread_join(t, 0);\n\
        }\n";
    std::fs::write(&source, text).expect("written");
    let polls = report(&["--max-depth", "50"], &shop.compile_file(&source, &[]));
    assert_eq!(polls["verdict"], "inconclusive", "{polls:#}");
    let reason = polls["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("a livelock is suspected, not proven: thread 2"), "{reason}");
    assert!(reason.contains("polls.c:5"), "{reason}");
    // A program that runs for ever and gets on is none.
    let endless = report(&["--max-depth", "50"], &shop.compile("endless", &[]));
    let reason = endless["reason"].as_str().unwrap_or_default();
    assert!(!reason.contains("livelock"), "{reason}");
}
