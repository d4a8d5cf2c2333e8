//! `exeunt sim`, by scripts and in a terminal.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn exeunt(arguments: &[&str], script: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("exeunt runs");
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(script.as_bytes()).expect("it reads");
    drop(input);
    child.wait_with_output().expect("it ends")
}

fn simulate(file: &str, script: &str) -> String {
    let output = exeunt(&["sim", file, "--script", "-"], script);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn two_threads_are_led_into_a_deadly_embrace() {
    let script = "show steps\nrun 35\nrun 36\nnext 2\nnext 3\nshow threads\nshow locks\nends\ndiff\nback\nforward\nmark here\nback 2\nvisit here\n";
    let told = simulate("examples/11_partial_deadlock.c", script);
    for line in [
        "thread 2 (transfer): waits for mutex `journal`, held by thread 3",
        "thread 3 (audit): waits for mutex `accounts`, held by thread 2",
        "mutex accounts, held by thread 2, thread 3 waiting",
        "thread 2: mutex-wait journal: it can never end: none of the ",
        "mutex journal: held by thread 3 (new)",
        "`here` is here: after ",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
    let visits: Vec<&str> = told.lines().filter(|line| line.starts_with("after ")).collect();
    assert_eq!(
        visits.last(),
        visits.iter().rev().nth(2),
        "back and visit lead to one state\n{told}"
    );
}

#[test]
fn a_section_that_can_still_end_says_so() {
    let told = simulate("examples/11_partial_deadlock.c", "run 35\nrun 36\nnext 2\nends\n");
    assert!(told.contains("thread 2: critical accounts: it can end, after "), "{told}");
}

/// A spurious wake-up may never come, so it is no way out; `check` says the same.
#[test]
fn a_lost_wake_up_is_no_wait_that_can_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace");
    let trace = trace.to_str().expect("UTF-8");
    let found = exeunt(&["check", "examples/04_lost_wakeup.c", "--save", trace], "");
    assert_eq!(found.status.code(), Some(1));
    let told = simulate(trace, "show steps\nends\nrun\n");
    for line in [
        "no thread can move, but 1 step may come from outside",
        "wakes up spuriously (may never come)",
        "cond-wait raised: it ends only by what may never come",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
    assert!(!told.contains("the program has ended"), "{told}");
}

/// A thread that runs for ever does not keep the others from running, nor the simulator from answering.
#[test]
fn a_run_without_an_end_goes_round_and_stops() {
    let told = simulate("examples/11_partial_deadlock.c", "run\nshow threads\nshow path\n");
    assert!(told.contains(" steps: it goes round and round"), "{told}");
    assert!(told.contains("thread 1 (main): can move"), "{told}");
    // The others had their turns.
    assert!(told.contains("locks `accounts`") && told.contains("locks `journal`"), "{told}");
}

/// What the step that led here changed is told after going back, too; at the beginning no step did.
#[test]
fn the_difference_is_to_the_state_before_the_step_that_led_here() {
    let script =
        "diff\nrun 36\nnext 2\nnext 3\nback\ndiff\nmark here\ngoto 0\ndiff\nvisit here\ndiff\n";
    let told = simulate("examples/11_partial_deadlock.c", script);
    assert_eq!(told.matches("this is the beginning: no step led here").count(), 2, "{told}");
    let change = "mutex accounts: held by thread 2 (new)";
    assert_eq!(told.matches(change).count(), 2, "after `back` and after `visit`: {told}");
    assert!(!told.contains("held by thread 3 (new)"), "{told}");
}

/// A trace fixes what the program does; nothing that is typed beside it is ignored silently.
#[test]
fn options_that_a_trace_fixes_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace");
    let trace = trace.to_str().expect("UTF-8");
    let found = exeunt(&["check", "examples/04_lost_wakeup.c", "--save", trace], "");
    assert_eq!(found.status.code(), Some(1));
    let given: [&[&str]; 5] = [
        &["--no-spurious"],
        &["--weak-failures", "never"],
        &["--env", "A=B"],
        &["--args", "a"],
        &["-DN=2"],
    ];
    for options in given {
        let mut arguments = vec!["sim", trace, "--script", "-"];
        arguments.extend(options);
        let output = exeunt(&arguments, "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {errors}");
        let refused = format!("`{}` cannot be added", options[0]);
        assert!(errors.contains(&refused) && errors.contains("help: give"), "{errors}");
    }
    // With the program they are obeyed.
    let script = "run 27\nrun 28\nnext 2\nnext 2\nnext 1\n";
    let arguments = ["sim", "examples/04_lost_wakeup.c", "--no-spurious", "--script", "-"];
    let told = exeunt(&arguments, script);
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.ends_with("after 6 steps: no thread can move\n"), "{told}");
}

/// Containers show their elements, not the members that the library keeps them in.
#[test]
fn containers_of_cpp_show_what_is_in_them() {
    let told = simulate("tests/sim/containers.cpp", "run\nshow\n");
    for line in [
        "numbers = [1, 2, 3]",
        "many = [0, 0, 0, 0, 0, 0, 0, 0, … 12 more]",
        "empty = []",
        "name = \"hello\"",
        "words = [\"a\", \"a text that is longer than what fits into the object\"]",
        "jobs = [4, 5]",
        "chain = [6, 7]",
        "prices = {1: 10, 2: 20}",
        "chosen = [3, 4]",
        "some = 5",
        "none = nothing",
        "counted = 5",
        "ready = true",
        "waiting = &thread 2",
        "nobody = 0",
        "local = [[7], [8, 9]]",
    ] {
        assert!(told.contains(&format!("{line}\n")), "{line}\n{told}");
    }
    // Nor is how the library starts a thread.
    let frames = told.lines().skip_while(|line| !line.starts_with("thread 2")).skip(1);
    let frames: Vec<&str> = frames.take_while(|line| line.starts_with(' ')).collect();
    assert!(frames.last().is_some_and(|last| last.contains("containers.cpp:")), "{told}");
    // What only the library looks into is not there.
    assert!(!told.contains("changed =") && !told.contains(" = {}"), "{told}");
    for pointer in ["owner = ", "shared = "] {
        let line = told.lines().find(|line| line.trim().starts_with(pointer)).expect(pointer);
        assert!(line.ends_with(" -> 8") || line.ends_with(" -> 9"), "{line}");
    }
}

/// Each thread has its own, which others do not see, from when it has used it.
#[test]
fn thread_local_variables_are_shown_with_their_threads() {
    let told = simulate("tests/sim/own.c", "run 9\nshow threads\n");
    let own: Vec<&str> = told.lines().filter(|line| line.trim().starts_with("mine = ")).collect();
    assert_eq!(own, ["    mine = 100", "    mine = 107"], "{told}");
    assert_eq!(told.matches("thread-local variables\n").count(), 2, "{told}");
}

/// The schedule that `exeunt live` found is walked along and drawn like any other.
#[test]
fn a_trace_of_a_native_program_is_walked_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (program, trace, picture) = (at("embrace"), at("trace"), at("waits.svg"));
    let compiled = Command::new("gcc")
        .args(["-g", "-pthread", "examples/01_deadly_embrace.c", "-o", &program])
        .current_dir(root())
        .status();
    assert!(compiled.expect("gcc runs").success());
    let found = exeunt(&["live", &program, "--save", &trace], "");
    assert_eq!(found.status.code(), Some(1));
    let told = simulate(&trace, "show threads\nback\nshow steps\n");
    for line in [
        "after 2 steps: no thread can move",
        "thread 2 (save): waits for mutex `savings`, held by thread 3",
        "after 1 step: 2 steps possible",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
    let drawn = exeunt(&["draw", &trace, "--of", "waits", "-o", &picture], "");
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
    let picture = std::fs::read_to_string(picture).expect("it was drawn");
    assert!(picture.contains("thread 2") && picture.contains("savings"), "{picture}");
}

/// A program without bitcode runs itself; each state says where its threads stand and what variables have for values.
#[test]
fn a_native_program_is_walked_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("embrace");
    let compiled = Command::new("gcc")
        .args(["-g", "-pthread", "tests/live/variables.c", "-o"])
        .arg(&program)
        .current_dir(root())
        .status();
    assert!(compiled.expect("gcc runs").success());
    let script = "show steps\nnext 2\nnext 3\nshow\nends\nback\nshow\nrun\n";
    let told = simulate(&program.to_string_lossy(), script);
    for part in [
        "  1  thread 2  46: locks `a`\n  2  thread 3  58: locks `b`\n",
        "after 2 steps: no thread can move",
        "thread 1 (main): waits for thread 2 to end",
        "thread 2 (first): waits for mutex `b`, held by thread 3",
        "    mine = 42\n    given = &nine of thread 1\n",
        "mutex a, held by thread 2, thread 3 waiting\n",
        "counter = -5\n",
        "pair = {x: -5, y: 200, flag: true}\n",
        "  value = 2\n",
        "thread 3: mutex-wait a: it can never end",
        "thread 2: critical a: it can never end",
        // One step before.
        "mutex a, held by thread 2\ncounter = -6\n",
        "the program has ended",
    ] {
        assert!(told.contains(part), "no {part} in {told}");
    }
}

#[test]
fn processes_and_channels_of_a_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("channel.pml");
    let model = "chan c = [2] of { byte };\nactive proctype p() { c!7; c!8 }\nactive proctype q() { byte x; c?x }\n";
    std::fs::write(&file, model).expect("it is written");
    let name = file.to_str().expect("UTF-8");
    let told = simulate(name, "next 0\nnext 0\nshow channels\nnext 1\ndiff\nshow\n");
    assert!(told.contains("channel c: [7 | 8] of 2"), "{told}");
    assert!(told.contains("c: [8] (was [7 | 8])"), "{told}");
    assert!(told.contains("    x = 7"), "{told}");
}

#[test]
fn a_path_is_saved_and_followed_again_and_a_trace_is_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("path");
    let path = path.to_str().expect("UTF-8");
    let program = "examples/01_deadly_embrace.c";
    simulate(program, &format!("next\nnext\nsave {path}\n"));
    let told = simulate(program, &format!("load {path}\n"));
    assert!(told.ends_with("after 2 steps: 2 steps possible\n"), "{told}");
    let trace = folder.path().join("trace");
    let trace = trace.to_str().expect("UTF-8");
    exeunt(&["check", program, "--save", trace], "");
    let told = simulate(trace, "show threads\n");
    assert!(told.contains("no thread can move"), "{told}");
}

#[test]
fn an_error_ends_a_run() {
    let told = simulate("tests/ui/c/assert/fails.c", "run\nback\nshow steps\n");
    assert!(told.contains("error[assertion]"), "{told}");
}

#[test]
fn bad_commands_and_no_terminal_are_refused() {
    let program = "examples/01_deadly_embrace.c";
    for (script, why) in [("fly\n", "no command `fly`"), ("99\n", "there is no step 99")] {
        let output = exeunt(&["sim", program, "--script", "-"], script);
        assert_eq!(output.status.code(), Some(2));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(&format!("line 1: {why}")) || errors.contains(why), "{errors}");
    }
    let output = exeunt(&["sim", program], "");
    assert_eq!(output.status.code(), Some(2));
}

/// A terminal of its own, which ends with the test.
struct Terminal {
    socket: String,
}

impl Terminal {
    fn new(command: &str) -> Terminal {
        Terminal::of_size("140", "45", command)
    }

    fn of_size(columns: &str, rows: &str, command: &str) -> Terminal {
        // One that ends may still have its socket.
        static STARTED: AtomicUsize = AtomicUsize::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let socket = format!("exeunt-sim-{}-{number}", std::process::id());
        let terminal = Terminal { socket };
        let size = ["-x", columns, "-y", rows];
        let started = terminal.tmux(&[&["new-session", "-d"], &size[..], &[command]].concat());
        assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
        terminal
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        Command::new("tmux")
            .args(["-L", &self.socket, "-f", "/dev/null"])
            .args(arguments)
            .current_dir(root())
            .output()
            .expect("tmux runs")
    }

    fn press(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    /// What is on the screen once this is on it, and all has been drawn.
    fn wait_for(&self, text: &str) -> String {
        let start = Instant::now();
        let mut before = String::new();
        loop {
            let screen = self.tmux(&["capture-pane", "-p"]).stdout;
            let screen = String::from_utf8_lossy(&screen).into_owned();
            if screen.contains(text) && screen == before {
                return screen;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "no `{text}` in\n{screen}");
            before = screen;
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn the_screen_shows_threads_steps_and_source() {
    let program = env!("CARGO_BIN_EXE_exeunt");
    let terminal = Terminal::new(&format!("{program} sim examples/01_deadly_embrace.c; sleep 60"));
    let screen = terminal.wait_for("after 0 steps");
    for part in ["threads", "possible steps", "thread 1 (main): can move", "exeunt sim"] {
        assert!(screen.contains(part), "{part}\n{screen}");
    }
    terminal.press("Enter");
    terminal.wait_for("after 1 step:");
    terminal.press("Left");
    terminal.wait_for("after 0 steps");
    terminal.press("r");
    terminal.wait_for("the program has ended");
    terminal.press(":");
    terminal.press("goto 1");
    terminal.press("Enter");
    terminal.wait_for("after 1 step:");
    terminal.press("?");
    terminal.wait_for("take N steps back");
    terminal.press("q");
    let start = Instant::now();
    while String::from_utf8_lossy(&terminal.tmux(&["capture-pane", "-p"]).stdout)
        .contains("possible steps")
    {
        assert!(start.elapsed() < Duration::from_secs(20), "q does not end it");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Nothing that matters is cut off at the edge of a pane, and the source says who stands where.
#[test]
fn the_screen_says_who_hangs_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.json");
    let name = trace.to_str().expect("UTF-8");
    let program = env!("CARGO_BIN_EXE_exeunt");
    let mut check = Command::new(program);
    check.args(["check", "examples/11_partial_deadlock.c", "--save", name]).current_dir(root());
    assert_eq!(check.output().expect("exeunt runs").status.code(), Some(1));
    let command = format!("{program} sim {name}; sleep 60");
    for (columns, rows) in [("80", "24"), ("80", "45"), ("120", "40")] {
        let terminal = Terminal::of_size(columns, rows, &command);
        let screen = terminal.wait_for("after 4 steps");
        let left = screen.lines().filter_map(|line| line.strip_prefix('│')?.split('│').next());
        let left: Vec<&str> = left.flat_map(str::split_whitespace).collect();
        let left = left.join(" ");
        for told in [
            "thread 2 (transfer): waits for mutex `journal`, held by thread 3",
            "thread 3 (audit): waits for mutex `accounts`, held by thread 2",
            "atomically heartbeat = 1 (was 0); … 4 more",
        ] {
            assert!(left.contains(told), "{told}\n{screen}");
        }
        // Nor is a line of the source cut off, however narrow its pane is.
        let right = screen.lines().filter_map(|line| line.strip_suffix('│')?.rsplit('│').next());
        let right: String = right.flat_map(str::split_whitespace).collect();
        assert!(right.contains("pthread_mutex_lock(&accounts);"), "{screen}");
        // It opens where a thread hangs, and says what the trace shows.
        assert!(screen.contains(">2    19") && screen.contains("q quit"), "{screen}");
        assert!(screen.contains("the trace shows: waits that can never end"), "{screen}");
        // Asking a question does not move the source away; help is there to its last line.
        terminal.press("e");
        let screen = terminal.wait_for("it can never end");
        assert!(screen.contains(">2    19"), "{screen}");
        terminal.press("?");
        let screen = terminal.wait_for("help, quit");
        assert!(screen.contains("take possible step N"), "{screen}");
        // Where help covers the screen, any key goes back; otherwise Tab changes a pane.
        terminal.press("Tab");
        terminal.wait_for("possible steps");
    }
}

/// Where nothing can move, the processes have the room of the steps.
#[test]
fn a_small_screen_names_all_processes_that_hang() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.json");
    let name = trace.to_str().expect("UTF-8");
    exeunt(&["check", "tests/promela/models/philosophers.pml", "--save", name], "");
    let program = env!("CARGO_BIN_EXE_exeunt");
    let terminal = Terminal::of_size("80", "24", &format!("{program} sim {name}; sleep 60"));
    let screen = terminal.wait_for("no process can move");
    for process in 0..4 {
        assert!(screen.contains(&format!("│process {process} (philosopher)")), "{screen}");
    }
    assert!(screen.contains("processes") && !screen.contains("processs"), "{screen}");
}

/// Steps by chance are the same for the same seed, lead to the error that some order of steps has, and are
/// taken back like others.
#[test]
fn steps_by_chance() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("m.pml");
    let text = "byte n; active [2] proctype P() { do :: n < 9 -> n++ :: n > 0 -> n-- od }";
    std::fs::write(&model, text).expect("a model is written");
    let model = model.display().to_string();
    let walk = |script: &str| simulate(&model, script);
    let told = walk("random 40 7\nshow globals\nshow path\n");
    assert!(told.contains("40 steps") && told.contains("n = "), "{told}");
    assert_eq!(told, walk("random 40 7\nshow globals\nshow path\n"));
    let paths: Vec<String> =
        (1..6).map(|seed| walk(&format!("random 40 {seed}\nshow path\n"))).collect();
    assert!(paths.iter().any(|path| *path != paths[0]), "chance has no effect");
    let wrong = "byte n; active [2] proctype P() { do :: n++; assert(n != 5) od }";
    std::fs::write(folder.path().join("m.pml"), wrong).expect("a model is written");
    assert!(walk("random 1000\n").contains("does not hold"));
}

/// When the terminal is closed, the simulator ends: reading from such a terminal gives nothing, at once and for ever.
#[test]
fn it_ends_with_its_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let number = folder.path().join("process");
    let program = env!("CARGO_BIN_EXE_exeunt");
    let file = number.display();
    let command = format!("echo $$ > {file}; exec {program} sim examples/01_deadly_embrace.c");
    let terminal = Terminal::new(&command);
    terminal.wait_for("after 0 steps");
    let process = std::fs::read_to_string(&number).expect("its number");
    let process = Path::new("/proc").join(process.trim());
    assert!(process.exists(), "it runs");
    drop(terminal);
    let start = Instant::now();
    while process.exists() {
        assert!(start.elapsed() < Duration::from_secs(20), "it does not end");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// On a terminal the report has colours, unless the environment says that they are not wanted, and is as wide as the
/// terminal; no line of it goes on in the next one in the middle of a word.
#[test]
fn a_report_fits_its_terminal() {
    let program = env!("CARGO_BIN_EXE_exeunt");
    let command = format!("{program} check examples/04_lost_wakeup.c; sleep 60");
    for columns in ["56", "80", "140"] {
        let terminal = Terminal::of_size(columns, "70", &format!("NO_COLOR=1 {command}"));
        let plain = terminal.wait_for("add `--save FILE`");
        assert!(plain.contains("step  thread 1"), "{columns} columns:\n{plain}");
        // A line that is too long is broken by the terminal, and then joined with what follows.
        let joined = terminal.tmux(&["capture-pane", "-p", "-J"]).stdout;
        let joined = String::from_utf8_lossy(&joined).into_owned();
        let most: usize = columns.parse().expect("a number");
        for line in joined.lines() {
            assert!(line.trim_end().chars().count() <= most, "{columns} columns: {line}");
        }
        let escapes = |terminal: &Terminal| {
            let screen = terminal.tmux(&["capture-pane", "-p", "-e"]).stdout;
            screen.windows(2).filter(|two| two == b"\x1b[").count()
        };
        assert_eq!(escapes(&terminal), 0, "colours with NO_COLOR:\n{plain}");
        let coloured = Terminal::of_size(columns, "70", &command);
        let text = coloured.wait_for("add `--save FILE`");
        assert!(escapes(&coloured) > 5, "no colours:\n{text}");
        let words = |text: &str| text.lines().filter(|line| !line.contains(" states, ")).count();
        assert_eq!(words(&text), words(&plain), "colours change the lines");
    }
}
