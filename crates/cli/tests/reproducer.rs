//! Found schedules in native programs: `exeunt test` makes a source file that fails each time, and
//! `exeunt replay --gdb` leads a debugger to the failure.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn text(output: &Output) -> String {
    let all = [output.stdout.as_slice(), &output.stderr].concat();
    String::from_utf8_lossy(&all).into_owned()
}

fn exeunt(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.args(arguments).current_dir(folder).output().expect("exeunt runs")
}

/// A copy of the program with the trace of its violation beside it.
fn traced(file: &str, more: &[&str]) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let name = Path::new(file).file_name().expect("a name").to_string_lossy().into_owned();
    std::fs::copy(root().join(file), folder.path().join(&name)).expect("it is copied");
    let arguments = [&["check", &name, "--save", "trace.json"], more].concat();
    let found = exeunt(folder.path(), &arguments);
    assert_eq!(found.status.code(), Some(1), "{file}: {}", text(&found));
    (folder, name)
}

/// Makes a program and runs it several times, compiled by the command that is shown.
fn fails_each_time(file: &str, more: &[&str], how: &str) {
    let (folder, name) = traced(file, more);
    let ending = Path::new(&name).extension().expect("an ending").to_string_lossy().into_owned();
    let repro = format!("repro.{ending}");
    let made = exeunt(folder.path(), &["test", "trace.json", "-o", &repro]);
    assert_eq!(made.status.code(), Some(0), "{file}: {}", text(&made));
    let told = text(&made);
    let (_, line) = told.split_once("run it with: ").expect("how to compile it");
    let (compile, _) = line.split_once(" && ").expect("how to run it");
    let mut words = compile.split(' ');
    let compiled = Command::new(words.next().expect("a compiler"))
        .args(words)
        .current_dir(folder.path())
        .output()
        .expect("it compiles");
    assert!(compiled.status.success(), "{file}: {}", text(&compiled));
    let runs: Vec<_> = (0..5)
        .map(|_| {
            let program = folder.path().join("repro");
            std::thread::spawn(move || Command::new(program).output().expect("it runs"))
        })
        .collect();
    for run in runs {
        let output = run.join().expect("it ends");
        assert!(!output.status.success(), "{file} ends well");
        assert!(text(&output).contains(how), "{file}: {}", text(&output));
    }
}

#[test]
fn assertions_fail_natively() {
    for (file, more) in [
        ("examples/02_leader_election.c", &[][..]),
        ("examples/08_aba_stack.c", &[]),
        ("examples/13_million.c", &[]),
        ("tests/reproducer/count.c", &[]),
        ("tests/reproducer/count.c", &["--simplify"]),
        ("tests/reproducer/lost_update.cpp", &[]),
        ("tests/ui/c/search/four_switches.c", &[]),
    ] {
        fails_each_time(file, more, "Assertion");
    }
}

#[test]
fn deadlocks_hang_natively() {
    fails_each_time("examples/01_deadly_embrace.c", &[], "the program hangs");
    fails_each_time("examples/04_lost_wakeup.c", &[], "the program hangs");
}

#[test]
fn partial_deadlocks_hang_natively() {
    fails_each_time("examples/11_partial_deadlock.c", &[], "the program hangs");
    fails_each_time("tests/reproducer/embrace.cpp", &[], "the program hangs");
}

/// From where on it is too late, two threads that try locks again and again need no schedule.
#[test]
fn livelocks_hang_natively() {
    fails_each_time("examples/10_trylock.c", &[], "the program hangs");
}

#[test]
fn freed_memory_is_used_natively() {
    fails_each_time("examples/03_use_after_free.c", &[], "heap-use-after-free");
}

/// Other exit codes than 0, in C and in gdb, which stops while there is something to look at.
#[test]
fn programs_exit_natively() {
    fails_each_time("tests/reproducer/exit.c", &["--exit-code"], "");
    let (folder, _) = traced("tests/reproducer/exit.c", &["--exit-code"]);
    let made = exeunt(folder.path(), &["test", "trace.json", "-o", "repro.c"]);
    assert!(text(&made).contains("it ended with exit status: 7"), "{}", text(&made));
    let told = text(&exeunt(
        folder.path(),
        &["replay", "trace.json", "--gdb", "--gdb-command", "print ready"],
    ));
    for part in ["the program exits with 7\n", "exit.c:8\n", "$1 = 0\n"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn what_cannot_be_forced_is_refused() {
    for (file, why) in [
        ("tests/ui/c/cond/if_instead_of_while.c", "a wake-up without a signal"),
        ("tests/ui/c/deadlock/barrier_too_few.c", "arrives at barrier"),
    ] {
        let (folder, _) = traced(file, &[]);
        let made = exeunt(folder.path(), &["test", "trace.json", "-o", "repro.c"]);
        assert_eq!(made.status.code(), Some(2), "{file}: {}", text(&made));
        assert!(text(&made).contains(why), "{file}: {}", text(&made));
    }
}

/// Compiles a program, finds its violation, makes a shim of that, and runs the program with it several times, as the
/// shown command does.
fn native_fails_each_time(file: &str, how: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let made = native_reproducer(file, folder.path());
    assert_eq!(made.status.code(), Some(0), "{file}: {}", text(&made));
    let told = text(&made);
    let (_, line) = told.split_once("run it with: ").expect("how to compile it");
    for _ in 0..3 {
        let run = Command::new("sh").arg("-c").arg(line).current_dir(folder.path()).output();
        let run = run.expect("a shell runs");
        assert!(!run.status.success(), "{file} ends well");
        assert!(text(&run).contains(how), "{file}: {}", text(&run));
    }
}

/// What `exeunt test` says of the violation of a native program.
fn native_reproducer(file: &str, folder: &Path) -> Output {
    let compiler = if file.ends_with(".cpp") { "g++" } else { "gcc" };
    let mut compile = Command::new(compiler);
    compile
        .args(["-g", "-w", "-pthread"])
        .arg(root().join(file))
        .arg("-o")
        .arg(folder.join("a.out"));
    assert!(compile.status().expect("a compiler").success(), "{file}");
    let found = exeunt(folder, &["live", "./a.out", "--save", "trace.json"]);
    assert_eq!(found.status.code(), Some(1), "{file}: {}", text(&found));
    exeunt(folder, &["test", "trace.json", "-o", "repro.c"])
}

#[test]
fn native_programs_fail_with_a_shim() {
    for (file, how) in [
        ("examples/01_deadly_embrace.c", "the program hangs"),
        ("examples/06_philosophers.c", "the program hangs"),
        ("examples/course/03_lost_wakeup/wrong.c", "the program hangs"),
        ("examples/course/05_wrong_waiter/wrong.c", "the program hangs"),
        ("examples/course/10_semaphore_order/wrong.c", "the program hangs"),
        ("examples/course/11_check_then_act/wrong.c", "Assertion"),
        ("examples/course/16_local_variable/wrong.c", "Assertion"),
        ("examples/course/18_barrier_count/wrong.c", "the program hangs"),
        ("examples/course/19_upgrade/wrong.c", "the program hangs"),
        ("examples/11_partial_deadlock.c", "the program hangs"),
        ("tests/reproducer/c11_embrace.c", "the program hangs"),
        ("tests/reproducer/guard.cpp", "the program hangs"),
        ("tests/live/containers.cpp", "the program hangs"),
        ("tests/live/election.c", "Assertion"),
        ("tests/ui/c/deadlock/join_cycle.c", "the program hangs"),
        ("tests/ui/c/cond/signal_instead_of_broadcast.c", "the program hangs"),
    ] {
        native_fails_each_time(file, how);
    }
}

#[test]
fn what_a_shim_cannot_force_is_said() {
    for (file, code, why) in [
        ("examples/08_aba_stack.c", 3, "accesses to memory, before which a shim cannot stop"),
        ("examples/course/08_unlock_of_others/wrong.c", 2, "of the kind `misuse`"),
        ("tests/ui/c/rwlock/writers_first.c", 2, "cannot stop a thread before `want`"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let made = native_reproducer(file, folder.path());
        assert_eq!(made.status.code(), Some(code), "{file}: {}", text(&made));
        assert!(text(&made).contains(why), "{file}: {}", text(&made));
    }
}

/// What gdb prints for these commands at the failure.
fn debugged(file: &str, commands: &[&str]) -> String {
    let (folder, _) = traced(file, &[]);
    let mut arguments = vec!["replay", "trace.json", "--gdb"];
    for command in commands {
        arguments.extend(["--gdb-command", command]);
    }
    let output = exeunt(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    text(&output)
}

#[test]
fn a_schedule_of_c_under_gdb() {
    let commands = ["bt", "to-switch 2", "print first_won", "continue", "print first_won"];
    let told = debugged("examples/02_leader_election.c", &commands);
    assert!(told.contains("in second (unused=0x0) at"), "{told}");
    assert!(told.contains("02_leader_election.c:18"), "{told}");
    // It stops in the program, not in the shim.
    let (_, switched) = told.split_once("\n").expect("lines");
    assert!(!switched.contains("#0  exeunt_"), "{told}");
    assert!(told.contains("$1 = false") && told.contains("$2 = true"), "{told}");
    assert_eq!(told.matches("received signal SIGABRT").count(), 2, "{told}");
}

/// A hang that `continue` comes to is told like one that the debugger begins with.
#[test]
fn a_hang_that_is_come_to_again_under_gdb() {
    let commands = ["to-switch 2", "continue", "print 6 * 7"];
    let told = debugged("tests/reproducer/embrace.cpp", &commands);
    assert!(told.contains("thread 2 of the report begins (turn 2)"), "{told}");
    for thread in ["thread 1", "thread 2", "thread 3"] {
        let hangs = told.matches(&format!("{thread} of the report hangs at")).count();
        assert_eq!(hangs, 2, "{thread}: {told}");
    }
    assert!(told.contains("$1 = 42"), "{told}");
}

/// Turns are counted from one, and there is none behind the last.
#[test]
fn turns_that_do_not_exist_are_refused_under_gdb() {
    let commands = ["to-switch 0", "to-switch 5", "to-switch", "to-switch 1"];
    let told = debugged("examples/02_leader_election.c", &commands);
    assert!(told.contains("goes through 4 turns"), "{told}");
    let refused = "there is no such turn: `to-switch N` takes a number from 1 to 4";
    assert_eq!(told.matches(refused).count(), 3, "{told}");
    assert!(told.contains("main () at"), "{told}");
}

#[test]
fn a_schedule_of_cpp_under_gdb() {
    let told = debugged("tests/reproducer/embrace.cpp", &["thread apply all bt"]);
    for place in ["in one () at", "in two () at", "in main () at", "of the report hangs at"] {
        assert!(told.contains(place), "{place} is missing: {told}");
    }
    // A thread that waits and holds something hangs once.
    for thread in ["thread 1", "thread 2", "thread 3"] {
        let told_of = told.matches(&format!("{thread} of the report hangs at")).count();
        assert_eq!(told_of, 1, "{thread}: {told}");
    }
}
