//! The programs of `tests/ui/c` natively: what `exeunt live` says of the
//! instrumented program does not contradict what `exeunt check` says.
//!
//! "Inconclusive" contradicts nothing. Programs for which native execution means
//! something else are listed with the reason. EXEUNT_LIVE_ALL=1 takes all
//! topics with both compilers.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::shop::{Shop, compiler, root};

/// Topics that are about threads.
const TOPICS: [&str; 12] = [
    "assert", "atomic", "cancel", "cond", "deadlock", "misuse", "mutex", "posix", "race", "rwlock",
    "signal", "thread",
];

const MORE: [&str; 5] = ["exit", "keys", "limits", "nondet", "sections"];

/// Why the native program may have another verdict.
const OTHERWISE: [(&str, &str); 36] = [
    ("atomic/uninitialised_expected", "memory that is not initialised is not seen"),
    ("atomic/weak_may_fail", "a weak exchange does not fail without reason on x86-64"),
    ("atomic/struct_padding_differs", "memory that is not initialised is not seen"),
    ("cancel/stdio_", "printf is no cancellation point here"),
    ("cond/if_instead_of_while", "needs --spurious"),
    ("cond/timedwait", "time is the same in every run"),
    ("mutex/timedlock", "time is the same in every run"),
    ("misuse/destroy_locked", "destroying is not watched"),
    ("misuse/lock_uninitialised", "memory that is not initialised is not seen"),
    ("posix/ceilings", "without privileges the system refuses ceilings"),
    ("posix/refused", "the native library has what the machine refuses"),
    ("posix/robust", "a robust mutex that nobody locks"),
    ("posix/semaphore_destroyed", "destroying is not watched"),
    ("posix/thread_gone", "pthread_kill is not watched"),
    ("race/atomic_function", "natively such a function is not atomic"),
    ("race/atomic_init_late", "gcc makes an atomic store of it"),
    ("race/mutex_not_ready", "initialising is not watched"),
    ("race/string_argument", "accesses inside the C library are not seen"),
    ("race/strtok", "accesses inside the C library are not seen"),
    ("race/strtok_r", "accesses inside the C library are not seen"),
    ("race/struct_varargs", "accesses inside the C library are not seen"),
    ("race/vsnprintf", "accesses inside the C library are not seen"),
    ("signal/action_from_outside", "signals from outside are not explored"),
    ("signal/from_outside", "signals from outside are not explored"),
    ("exit/args", "the arguments are not given"),
    ("exit/failure_asked", "there is no --exit-code here"),
    ("exit/locals_after_return", "memory errors that do not crash are not seen"),
    ("keys/created_before_used", "glibc's order of destructors only"),
    ("keys/order_of_three", "glibc's order of destructors only"),
    ("keys/order_reversed", "glibc's order of destructors only"),
    ("limits/", "the limits are not given"),
    ("nondet/atomic_", "natively such a function is not atomic"),
    ("sections/abort_ends", "there is no --abort-ends here"),
    ("sections/spurious_harms", "needs --spurious"),
    ("sections/treiber_stack_weak", "a weak exchange does not fail without reason on x86-64"),
    ("sections/weak_cas_retry", "a weak exchange does not fail without reason on x86-64"),
];

struct Case {
    name: String,
    path: PathBuf,
    expected: String,
    property: String,
    races: bool,
    clang: Vec<String>,
}

/// A value in the comments on top of a test.
fn directive<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mark = format!("// {key}: ");
    text.lines().find_map(|line| line.strip_prefix(&mark))
}

fn case(topic: &str, path: &Path) -> Option<Case> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut words = directive(&text, "verdict")?.split_whitespace();
    let flags = directive(&text, "exeunt").unwrap_or_default();
    // Other questions than those of `live`.
    if ["--sections", "--property", "--must-return"].iter().any(|flag| flags.contains(flag)) {
        return None;
    }
    let clang = flags.split_once("-- ").map_or("", |(_, after)| after);
    Some(Case {
        name: format!("{topic}/{}", path.file_stem()?.to_string_lossy()),
        path: path.to_path_buf(),
        expected: words.next()?.to_string(),
        property: words.next().unwrap_or_default().to_string(),
        races: flags.contains("--races"),
        clang: clang.split_whitespace().map(str::to_string).collect(),
    })
}

fn cases(topics: &[&str]) -> Vec<Case> {
    let mut all = Vec::new();
    for topic in topics {
        let directory = root().join("tests/ui/c").join(topic);
        let entries = std::fs::read_dir(directory).expect("the topic").filter_map(Result::ok);
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "c"));
        paths.sort();
        all.extend(paths.iter().filter_map(|path| case(topic, path)));
    }
    all
}

/// The verdict and the property of the native program; `None` if it does not
/// compile, as programs that ask functions of SV-COMP.
fn natively(shop: &Shop, name: &str, case: &Case) -> Option<(String, String)> {
    let target = shop.directory.path().join(case.name.replace('/', "-"));
    let mut compile = compiler("cc", name);
    compile.args(["-w", "-pthread", "-I"]).arg(root().join("runtime")).args(&case.clang);
    compile.arg(&case.path).arg("-o").arg(&target).arg("-lm");
    if !compile.output().expect("it runs").status.success() {
        return None;
    }
    let mut live = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    live.args(["live", "--format", "json", "--time", "1s", "--max-depth", "300"]);
    live.args(case.races.then_some("--races")).arg(&target);
    let output = live.output().expect("exeunt runs");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|why| {
        panic!("{}: {why} {}", case.name, String::from_utf8_lossy(&output.stderr))
    });
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    Some((text(&report["verdict"]), text(&report["violations"][0]["property"])))
}

#[test]
fn native_verdicts_do_not_contradict_those_of_check() {
    let thorough = std::env::var_os("EXEUNT_LIVE_ALL").is_some();
    let mut topics = TOPICS.to_vec();
    if thorough {
        topics.extend(MORE);
    }
    let compilers: &[&str] = if thorough { &["clang-22", "gcc"] } else { &["clang-22"] };
    let shop = Shop::new();
    let (mut same, mut open, mut wrong) = (0, 0, Vec::new());
    for case in cases(&topics) {
        for name in compilers {
            let Some((verdict, property)) = natively(&shop, name, &case) else { continue };
            let agrees =
                verdict == case.expected && (case.property.is_empty() || case.property == property);
            let excused = OTHERWISE.iter().any(|(start, _)| case.name.starts_with(start));
            match (agrees, verdict.as_str()) {
                (true, _) => same += 1,
                (false, "inconclusive") => open += 1,
                // Both see a fault, and only its class is another one.
                (false, "violated") if case.expected == "violated" => same += 1,
                (false, _) if excused => {}
                (false, _) => wrong.push(format!(
                    "{} by {name}: {verdict} {property}, expected {} {}",
                    case.name, case.expected, case.property
                )),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{same} the same, {open} inconclusive");
    assert!(same > 100 && open < same / 2, "{same} the same, {open} inconclusive");
}
