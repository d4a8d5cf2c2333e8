//! `exeunt live` on unmodified programs, compiled as a user would: verdicts,
//! lines, schedules, exact numbers of schedules, and nothing left behind.

mod atomics;
mod comparison;
mod compilers;
mod differential;
mod gdb;
mod other_threads;
mod paper;
mod primitives;
#[path = "../random/program.rs"]
mod program;
mod random_programs;
mod search;
mod shop;
mod states;
mod tricky;
mod variables;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use shop::{Shop, exeunt, report, root, schedules, violation};

#[test]
fn the_number_of_schedules_is_optimal() {
    let shop = Shop::new();
    for seats in 3..=6u32 {
        let seats_flag = format!("-DSEATS={seats}");
        let program = shop.compile("philosophers", &["-DORDERED", &seats_flag]);
        assert_eq!(schedules(&program), (1 << seats) - 2, "{seats} philosophers");
    }
    for (threads, rounds, expected) in
        [(2, 1, 2), (3, 1, 6), (4, 1, 24), (2, 6, 924), (3, 3, 1680), (4, 2, 2520)]
    {
        let flags = [format!("-DTHREADS={threads}"), format!("-DROUNDS={rounds}")];
        let program = shop.compile("rounds", &[&flags[0], &flags[1]]);
        assert_eq!(schedules(&program), expected, "{threads} threads, {rounds} rounds");
    }
    let program = shop.compile("rounds", &["-DTHREADS=5", "-DROUNDS=2", "-DOWN"]);
    assert_eq!(schedules(&program), 1, "independent threads");
}

#[test]
fn every_primitive_does_what_posix_says() {
    let shop = Shop::new();
    for part in 1..=10 {
        let program = shop.compile("primitives", &[&format!("-DPART={part}")]);
        let report = report(&[], &program);
        // Parts 2 and 8 use atomic instructions, whose orders are not explored.
        let expected = if [2, 8].contains(&part) { "inconclusive" } else { "holds" };
        assert_eq!(report["verdict"], expected, "part {part}: {report:#}");
        assert_eq!(report["violations"], serde_json::json!([]), "part {part}");
    }
}

#[test]
fn deadlocks_are_found_with_line_and_schedule() {
    let shop = Shop::new();
    let embrace = shop.compile("embrace", &[]);
    let (property, line, schedule) = violation(&["--minimal"], &embrace);
    assert_eq!((property.as_str(), line, schedule.as_str()), ("deadlock", 20, "1;2"));
    // An endless loop, and no option: the other tools miss this one.
    assert_eq!(violation(&[], &embrace).0, "deadlock");
    let table = shop.compile("philosophers", &[]);
    assert_eq!(violation(&[], &table), ("deadlock".to_string(), 22, "2;3;4".to_string()));
    assert_eq!(violation(&[], &shop.compile("wrong_waiter", &[])).0, "deadlock");
    let fixed = report(&[], &shop.compile("wrong_waiter", &["-DFIXED"]));
    assert_eq!(fixed["verdict"], "holds", "{fixed:#}");
}

#[test]
fn misuse_has_its_line_and_partial_deadlock_is_found() {
    let shop = Shop::new();
    let misuse = shop.compile("aside", &["-DPART=1"]);
    assert_eq!(violation(&[], &misuse), ("misuse".to_string(), 10, "2".to_string()));
    let text = exeunt(&["--output"], &misuse).stdout;
    assert!(String::from_utf8_lossy(&text).contains("| hello"), "the output is kept");
    let (property, line, _) =
        violation(&["--max-depth", "200"], &shop.compile("aside", &["-DPART=2"]));
    assert_eq!(property, "section");
    assert!([23, 30].contains(&line), "line {line}");
}

#[test]
fn a_failed_assertion_has_its_line() {
    let shop = Shop::new();
    let (property, line, _) = violation(&[], &shop.compile("election", &[]));
    assert_eq!(property, "assertion");
    assert!([13, 24].contains(&line), "line {line}");
}

#[test]
fn a_bound_that_cuts_something_off_is_inconclusive() {
    let shop = Shop::new();
    let program = shop.compile("rounds", &["-DTHREADS=2", "-DROUNDS=6"]);
    for limit in [["--max-depth", "5"], ["--max-runs", "3"]] {
        // A few states say no more than the schedules.
        let report = report(&[limit.as_slice(), &["--max-states", "3"]].concat(), &program);
        assert_eq!(report["verdict"], "inconclusive");
        assert_eq!(report["limits_hit"][0], limit.join(" "));
    }
}

#[test]
fn every_choice_is_tried() {
    let shop = Shop::new();
    let header = format!("-I{}", root().join("runtime").display());
    let wrong = shop.compile("choose", &[&header, "-DLARGEST=5"]);
    let (property, line, schedule) = violation(&[], &wrong);
    assert_eq!((property.as_str(), line), ("assertion", 19));
    assert_eq!(schedule.matches("(3)").count(), 2, "{schedule}");
    // Sixteen pairs of values, and two orders of the lock for each.
    assert_eq!(schedules(&shop.compile("choose", &[&header, "-DLARGEST=6"])), 32);
}

/// Compiled with `-fsanitize=thread`, by gcc or by clang, every access is a
/// scheduling point.
#[test]
fn accesses_to_memory_are_scheduling_points() {
    let shop = Shop::new();
    let entry = root().join("tests/live/entry.c");
    for compiler in ["gcc", "clang-22"] {
        let late = shop.instrument(compiler, &entry, &["-DLATE"]);
        let (property, line, _) = violation(&[], &late);
        assert_eq!((property.as_str(), line), ("assertion", 19), "{compiler}");
        assert_eq!(schedules(&shop.instrument(compiler, &entry, &[])), 14, "{compiler}");
        let stack = root().join("examples/08_aba_stack.c");
        let (property, line, _) = violation(&[], &shop.instrument(compiler, &stack, &[]));
        assert_eq!((property.as_str(), line), ("assertion", 30), "{compiler}: the ABA problem");
    }
}

/// Programs of others, which are right: no alarm. `./x` installs them.
#[test]
fn programs_of_others_run_without_an_alarm() {
    let input = root().join("Cargo.lock").to_string_lossy().into_owned();
    let sort = ["/usr/bin/sort", "--parallel=2", &input];
    let xz = ["/usr/bin/xz", "-T2", "-0", "-k", "-c", "--block-size=16KiB", &input];
    let pigz = ["/usr/bin/pigz", "-p", "2", "-b", "128", "-k", "-c", &input];
    let zstd = ["/usr/bin/zstd", "-T2", "-B16384", "-q", "-c", &input];
    let pzstd = ["/usr/bin/pzstd", "-p", "2", "-q", "-c", &input];
    let plzip = ["/usr/bin/plzip", "-n2", "-k", "-c", "-B", "65536", &input];
    let pbzip2 = ["/usr/bin/pbzip2", "-p2", "-b1", "-k", "-c", &input];
    let lbzip2 = ["/usr/bin/lbzip2", "-n2", "-k", "-c", &input];
    let shop = Shop::new();
    let rust = shop.rust("rust_std", &["-O"]).to_string_lossy().into_owned();
    let glib = library_program(&shop, "glib_pool", "glib-2.0").to_string_lossy().into_owned();
    let uv = library_program(&shop, "uv_pool", "libuv").to_string_lossy().into_owned();
    let (rust, glib, uv) = ([rust.as_str()], [glib.as_str()], [uv.as_str()]);
    let packed = [sort.as_slice(), &xz, &pigz, &zstd, &pzstd, &plzip, &pbzip2, &lbzip2];
    for command in packed.into_iter().chain([rust.as_slice(), &glib, &uv]) {
        let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
            .args(["live", "--format", "json", "--random", "5"])
            .args(["--max-depth", "100000", command[0], "--"])
            .args(&command[1..])
            .output()
            .expect("exeunt runs");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|why| {
            panic!("{command:?}: {why} {}", String::from_utf8_lossy(&output.stderr))
        });
        assert_eq!(report["violations"], serde_json::json!([]), "{command:?}: {report:#}");
        assert_eq!(report["statistics"]["runs"], 5, "{command:?}: {report:#}");
        let rate = 5.0 / report["statistics"]["seconds"].as_f64().unwrap_or(f64::NAN);
        println!("{}: {rate:.0} schedules/s", command[0]);
    }
}

/// A client of a library that `pkg-config` knows.
fn library_program(shop: &Shop, name: &str, library: &str) -> std::path::PathBuf {
    let output = Command::new("pkg-config").args(["--cflags", "--libs", library]).output();
    let flags = String::from_utf8_lossy(&output.expect("pkg-config runs").stdout).into_owned();
    let target = shop.directory.path().join(name);
    let source = root().join("tests/live").join(format!("{name}.c"));
    let mut gcc = Command::new("gcc");
    gcc.arg(source).arg("-o").arg(&target).args(flags.split_whitespace());
    assert!(gcc.status().expect("gcc runs").success());
    target
}

#[test]
fn random_schedules_find_and_never_establish() {
    let shop = Shop::new();
    let table = shop.compile("philosophers", &[]);
    let arguments = ["--random", "500", "--seed", "7"];
    let first = violation(&arguments, &table);
    assert_eq!(first.0, "deadlock");
    assert_eq!(violation(&arguments, &table), first, "the same seed gives the same schedules");
    let fine = report(&arguments, &shop.compile("philosophers", &["-DORDERED"]));
    assert_eq!(fine["verdict"], "inconclusive", "{fine:#}");
    assert_eq!(fine["statistics"]["runs"], 500);
}

/// Input cannot be taken back, so each run is made by a process of its own;
/// what differs from run to run is noticed.
#[test]
fn a_program_that_is_not_deterministic_is_told_so() {
    let shop = Shop::new();
    let uuid = "/proc/sys/kernel/random/uuid";
    let file = format!("-DFILE_NAME=\"{uuid}\"");
    let report = report(&[], &shop.compile("urandom", &[&file]));
    assert_eq!(report["verdict"], "inconclusive", "{report:#}");
    let reason = report["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("not deterministic"), "{reason}");
    assert!(reason.contains(&format!("it reads the file {uuid}")), "{reason}");
    let steady = shop.compile("urandom", &["-DFILE_NAME=\"/dev/zero\""]);
    assert_eq!(schedules(&steady), 2);
    // Random numbers are the same in every run.
    let random = shop.compile("urandom", &["-DFILE_NAME=\"/dev/urandom\""]);
    assert!(schedules(&random) > 2);
}

#[test]
fn a_saved_schedule_is_replayed() {
    let shop = Shop::new();
    let program = shop.compile("philosophers", &[]);
    let trace = shop.directory.path().join("trace.json");
    let saved = exeunt(&["--save", &trace.to_string_lossy()], &program);
    assert_eq!(saved.status.code(), Some(1));
    let replay = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
        command.arg("replay").arg(&trace).output().expect("exeunt runs")
    };
    let again = replay();
    assert_eq!(again.status.code(), Some(1), "{}", String::from_utf8_lossy(&again.stderr));
    assert!(String::from_utf8_lossy(&again.stdout).contains("locks `forks[0]`"));
    shop.compile_file(&root().join("tests/live/philosophers.c"), &[]);
    std::fs::write(&program, "something else").expect("written");
    assert_eq!(replay().status.code(), Some(2), "a changed program is refused");
}

#[test]
fn programs_that_cannot_be_run_are_refused() {
    let shop = Shop::new();
    let refused = |program: &Path, words: &str| {
        let output = exeunt(&[], program);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(words), "{text}");
    };
    let fixed = ["-DTHREADS=2", "-DROUNDS=1", "-static"];
    refused(&shop.compile("rounds", &fixed), "statically linked");
    refused(&root().join("tests/live/rounds.c"), "not a program for Linux");
    refused(&root().join("x"), "a script");
    refused(&root(), "a directory");
    refused(Path::new("nowhere"), "cannot read nowhere");
    let program = shop.compile("rounds", &["-DTHREADS=2", "-DROUNDS=1"]);
    let mut bytes = std::fs::read(&program).expect("read");
    bytes[18] = 183;
    let foreign = shop.directory.path().join("foreign");
    std::fs::write(&foreign, bytes).expect("written");
    refused(&foreign, "not a program for x86-64");
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o4755)).expect("set");
    refused(&program, "setuid");
}

/// The processes that run this file.
fn processes(program: &Path) -> usize {
    let all = std::fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
    all.filter(|entry| std::fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == program))
        .count()
}

/// Whether runs are made in one process, by several jobs, or each by a process of
/// its own.
#[test]
fn nothing_is_left_behind_when_the_controller_is_killed() {
    let shop = Shop::new();
    let rounds = shop.compile("rounds", &["-DTHREADS=4", "-DROUNDS=9"]);
    left_behind(&rounds, &[]);
    left_behind(&rounds, &["--jobs", "2"]);
    left_behind(&shop.compile("hangs", &["-DPART=4"]), &["--max-depth", "100000"]);
}

fn left_behind(program: &Path, arguments: &[&str]) {
    let temporary = || {
        std::fs::read_dir(std::env::temp_dir()).map_or(0, |all| {
            all.flatten()
                .filter(|one| one.file_name().to_string_lossy().contains("exeunt-live"))
                .count()
        })
    };
    let before = temporary();
    let mut child = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .arg("live")
        .args(arguments)
        .arg(program)
        .stdout(Stdio::null())
        .spawn()
        .expect("exeunt runs");
    let program = program.canonicalize().expect("it exists");
    let begun = Instant::now();
    while processes(&program) == 0 && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(processes(&program) > 0, "the program was started");
    child.kill().expect("SIGKILL");
    child.wait().expect("it ends");
    let killed = Instant::now();
    while processes(&program) > 0 && killed.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(processes(&program), 0, "the program runs on without its controller");
    assert_eq!(temporary(), before, "files are left behind");
}

#[test]
fn what_a_program_hangs_in_is_named() {
    let shop = Shop::new();
    for (part, words) in [(1, "it computes"), (2, "the system call `read` on file"), (3, "`pause`")]
    {
        let program = shop.compile("hangs", &[&format!("-DPART={part}")]);
        let report = report(&["--patience", "1s"], &program);
        assert_eq!(report["verdict"], "inconclusive", "{report:#}");
        let reason = report["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(words), "part {part}: {reason}");
    }
}

#[test]
fn starting_other_programs_is_refused_by_name() {
    let shop = Shop::new();
    for name in ["fork", "execv", "execl", "system", "popen", "posix_spawn"] {
        let program = shop.compile("starts", &[&format!("-DHOW_{name}")]);
        let report = report(&[], &program);
        assert_eq!(report["verdict"], "inconclusive", "{report:#}");
        let reason = report["reason"].as_str().unwrap_or_default();
        assert!(reason.starts_with(&format!("{name} is not supported")), "{name}: {reason}");
    }
}

/// Debug information and symbols may be missing: the verdict is the same.
#[test]
fn a_stripped_program_is_explored() {
    let shop = Shop::new();
    let (property, _, schedule) = violation(&[], &shop.compile("philosophers", &["-s"]));
    assert_eq!((property.as_str(), schedule.as_str()), ("deadlock", "2;3;4"));
}
