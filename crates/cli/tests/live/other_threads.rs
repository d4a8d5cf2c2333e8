//! Random programs with C11's threads, and with static variables of C++ functions, whose initialisation is guarded:
//! `exeunt live` on the compiled program and `exeunt check` on its source do not contradict each other.
//! EXEUNT_LIVE_ALL=1 takes more of them.

use std::fmt::Write;

use exeunt_random::Random;

use crate::comparison::Comparison;
use crate::shop::Shop;

const USUAL: u64 = 12;
const ALL: u64 = 150;

const C11: &str = r"#include <assert.h>
#include <threads.h>

static mtx_t m[2];
static cnd_t c;
static once_flag once = ONCE_FLAG_INIT;
static volatile int ready, sum, made;
";

const GUARDS: &str = r"#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static volatile int sum, made[2];
";

/// Something under a lock; sometimes the lock is kept.
fn locked(random: &mut Random, names: [&str; 2], inner: &str) -> String {
    let lock = random.below(2);
    let [take, give] = names;
    match random.one_in(16) {
        true => format!("{take}(&m[{lock}]); {inner}"),
        false => format!("{take}(&m[{lock}]); {inner} {give}(&m[{lock}]);"),
    }
}

/// A statement with C11's threads, in at most so many locks of its own.
fn c11_statement(random: &mut Random, depth: u32) -> String {
    match random.below(9) {
        0..=2 if depth > 0 => {
            let inner = c11_statement(random, depth - 1);
            locked(random, ["mtx_lock", "mtx_unlock"], &inner)
        }
        3 => {
            let lock = random.below(2);
            format!(
                "if (mtx_trylock(&m[{lock}]) == thrd_success) {{ sum++; mtx_unlock(&m[{lock}]); }}"
            )
        }
        4 if depth > 0 => {
            let how = random.one_of(&["while", "if"]);
            format!("mtx_lock(&m[0]); {how} (!ready) cnd_wait(&c, &m[0]); mtx_unlock(&m[0]);")
        }
        5 => {
            let wake = random.one_of(&["cnd_signal", "cnd_broadcast"]);
            format!("ready = 1; {wake}(&c);")
        }
        6 => "call_once(&once, initialise);".to_string(),
        7 => "thrd_yield();".to_string(),
        _ => "sum++;".to_string(),
    }
}

fn c11(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let mut text = C11.to_string();
    let initialise = match random.one_in(3) {
        true => locked(random, ["mtx_lock", "mtx_unlock"], "made++;"),
        false => "made++;".to_string(),
    };
    let _ = writeln!(text, "static void initialise(void) {{ {initialise} }}");
    for thread in 0..2 {
        let first = c11_statement(random, 2);
        let second = if random.chance(60) { c11_statement(random, 2) } else { String::new() };
        let _ = writeln!(
            text,
            "static int t{thread}(void *u) {{\n    {first}\n    {second}\n    return 0;\n}}"
        );
    }
    let kind = random.one_of(&["mtx_plain", "mtx_plain | mtx_recursive"]);
    let own = if random.chance(40) { c11_statement(random, 1) } else { String::new() };
    let most = 2 + random.below(3);
    let _ = write!(
        text,
        "int main(void) {{\n    thrd_t a, b;\n    mtx_init(&m[0], mtx_plain);\n    mtx_init(&m[1], {kind});\n    \
         cnd_init(&c);\n    thrd_create(&a, t0, 0);\n    thrd_create(&b, t1, 0);\n    {own}\n    \
         thrd_join(a, 0);\n    thrd_join(b, 0);\n    assert(made <= 1 && sum <= {most});\n}}\n"
    );
    text
}

/// A statement that may initialise static variables, those below this number.
fn guarded_statement(random: &mut Random, variables: u32, depth: u32) -> String {
    match random.below(5) {
        0 | 1 if depth > 0 => {
            let inner = guarded_statement(random, variables, depth - 1);
            locked(random, ["pthread_mutex_lock", "pthread_mutex_unlock"], &inner)
        }
        2 | 3 if variables > 0 => format!("value{}();", random.below(variables)),
        _ => "sum++;".to_string(),
    }
}

fn guards(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let mut text = GUARDS.to_string();
    for number in 0..2 {
        // A variable that is needed for its own initialisation has no meaning.
        let inner = guarded_statement(random, number, 1);
        let _ = writeln!(text, "static int make{number}() {{ {inner} return ++made[{number}]; }}");
        let _ = writeln!(
            text,
            "static int value{number}() {{ static int made = make{number}(); return made; }}"
        );
    }
    for thread in 0..2 {
        let (first, second) = (guarded_statement(random, 2, 2), guarded_statement(random, 2, 1));
        let _ = writeln!(
            text,
            "static void *t{thread}(void *) {{\n    {first}\n    {second}\n    return 0;\n}}"
        );
    }
    let most = 2 + random.below(3);
    let _ = write!(
        text,
        "int main() {{\n    pthread_t a, b;\n    pthread_create(&a, 0, t0, 0);\n    pthread_create(&b, 0, t1, 0);\n    \
         pthread_join(a, 0);\n    pthread_join(b, 0);\n    \
         assert(made[0] <= 1 && made[1] <= 1 && sum <= {most});\n}}\n"
    );
    text
}

fn same_verdicts(command: &str, compiler: &str, ending: &str, program: fn(u64) -> String) {
    let thorough = std::env::var_os("EXEUNT_LIVE_ALL").is_some();
    let (programs, time) = if thorough { (ALL, "20s") } else { (USUAL, "5s") };
    let shop = Shop::new();
    let mut comparison = Comparison::new(time);
    for seed in 0..programs {
        let file = shop.directory.path().join(format!("program{seed}.{ending}"));
        std::fs::write(&file, program(seed)).expect("written");
        let native = shop.live(command, compiler, &file, &["-g", "-w"]);
        comparison.add(&format!("seed {seed}"), &native, &file);
    }
    comparison.conclude();
    let [holds, violated] = ["holds", "violated"].map(|verdict| comparison.of(verdict));
    assert!(holds > 1 && violated > 1, "{holds} hold, {violated} are violated");
}

#[test]
fn programs_with_c11_threads_have_the_same_verdicts() {
    same_verdicts("cc", "gcc", "c", c11);
}

#[test]
fn programs_with_guarded_variables_have_the_same_verdicts() {
    same_verdicts("c++", "g++", "cpp", guards);
}
