//! One violation, one story: the terminal, JSON, gcc's lines, SARIF, the HTML page, the simulator, the page of
//! `exeunt explore`, replay and gdb show the same steps of the same threads at the same lines, and the same marks. Tried on
//! examples in C and C++ and on native programs. The machine and the native program say it in the same words.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use regex_lite::Regex;
use serde_json::Value;
use tempfile::TempDir;

/// A step: the thread, counted from one, and what it did: `18: locks `accounts``.
type Step = (u64, Vec<String>);

/// A program with the trace of its violation, and how it is checked.
struct Tale {
    folder: TempDir,
    check: Vec<String>,
    native: bool,
    report: Value,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn run(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("exeunt runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}: {text}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

/// `LINE: TEXT`, or the text alone where no line is known.
fn deed(line: Option<u64>, text: &str) -> String {
    match line {
        Some(line) if line > 0 => format!("{line}: {text}"),
        _ => text.to_string(),
    }
}

impl Tale {
    /// A file of `examples`, checked in the machine or, compiled, natively.
    fn new(file: &str, native: bool) -> Tale {
        let folder = tempfile::tempdir().expect("a folder");
        let name = Path::new(file).file_name().expect("a name").to_str().expect("UTF-8");
        std::fs::copy(root().join(file), folder.path().join(name)).expect("it is copied");
        let check = match native {
            false => vec!["check".to_string(), name.to_string()],
            true => {
                let compiler = if name.ends_with(".cpp") { "g++" } else { "gcc" };
                let mut compile = Command::new(compiler);
                compile.args(["-g", "-pthread", name, "-o", "program"]);
                let compiled = compile.current_dir(folder.path()).status();
                assert!(compiled.expect("a compiler").success(), "{file}");
                vec!["live".to_string(), "./program".to_string()]
            }
        };
        let mut tale = Tale { folder, check, native, report: Value::Null };
        tale.report = json(&tale.checked(&["--format", "json", "--save", "trace.json"]));
        tale
    }

    fn checked(&self, more: &[&str]) -> String {
        let words: Vec<&str> =
            self.check.iter().map(String::as_str).chain(more.iter().copied()).collect();
        run(self.folder.path(), &words)
    }

    /// The story that all others are compared with.
    fn steps(&self) -> Vec<Step> {
        list(&self.report["violations"][0]["trace"]).iter().map(step_of_json).collect()
    }
}

fn step_of_json(step: &Value) -> Step {
    let did = list(&step["events"]).iter().filter(|event| event["type"] == "did");
    let told = |event: &Value| {
        deed(event["location"]["line"].as_u64(), event["text"].as_str().expect("text"))
    };
    (step["thread"].as_u64().expect("a thread"), did.map(told).collect())
}

/// The steps in the data of a page; threads are counted from zero there.
fn steps_of_page(steps: &Value) -> Vec<Step> {
    let told = |one: &Value| deed(one["at"]["l"].as_u64(), one["t"].as_str().expect("text"));
    let step = |step: &Value| {
        let deeds = list(&step["told"]).iter().map(told).collect();
        (step["a"].as_u64().expect("a thread") + 1, deeds)
    };
    list(steps).iter().map(step).collect()
}

/// The columns of the terminal, in which long texts go on in further lines. A full trace also tells of sections that
/// are entered and left, of the source and of what is held, and where the error is.
fn steps_of_terminal(text: &str) -> Vec<Step> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("step  thread"));
    let header = lines.next().unwrap_or_else(|| panic!("no schedule: {text}"));
    let column = Regex::new(r"thread (\d+)").expect("a pattern");
    let columns: Vec<(usize, u64)> = column
        .captures_iter(header)
        .map(|one| (one.get(0).expect("all").start(), one[1].parse().expect("a number")))
        .collect();
    let mut steps: Vec<Step> = Vec::new();
    // Behind the names of the threads.
    for line in lines.skip(1).take_while(|line| !line.is_empty()) {
        let (number, rest) = line.split_at_checked(4).expect("a step or blanks");
        let words = rest.trim();
        let at = line.len() - rest.trim_start().len();
        // Source is not bound to its column.
        if words.starts_with("---") || words.starts_with("| ") {
            continue;
        }
        let (start, thread) = *columns.iter().rfind(|(start, _)| *start <= at).expect("a column");
        // What was done before the first step has no number.
        if steps.is_empty() && number.trim().is_empty() {
            continue;
        }
        if let Ok(number) = number.trim().parse::<usize>() {
            assert_eq!(number, steps.len() + 1, "{text}");
            steps.push((thread, Vec::new()));
        }
        let (own, deeds) = steps.last_mut().expect("a step");
        assert_eq!(*own, thread, "{text}");
        match deeds.last_mut() {
            Some(last) if at > start => *last = format!("{last} {words}"),
            _ => deeds.push(words.to_string()),
        }
    }
    let section = Regex::new(r"^(\d+: )?(enters|leaves) \S+ `|^\^ error|^= ").expect("a pattern");
    steps.iter_mut().for_each(|(_, deeds)| deeds.retain(|deed| !section.is_match(deed)));
    steps
}

/// The notes of gcc's lines, as far as they have a place.
fn steps_of_gcc(text: &str) -> Vec<Step> {
    let pattern = Regex::new(r"^[^:]+:(\d+):\d+: note: step (\d+): thread (\d+) (.*)$");
    let pattern = pattern.expect("a pattern");
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines() {
        let Some(parts) = pattern.captures(line) else { continue };
        let number: usize = parts[2].parse().expect("a number");
        let thread = parts[3].parse().expect("a number");
        while steps.len() < number {
            steps.push((thread, Vec::new()));
        }
        steps[number - 1].1.push(format!("{}: {}", &parts[1], &parts[4]));
    }
    steps
}

/// The code flow of a SARIF log: a flow for each thread, in the order of execution.
fn steps_of_sarif(log: &Value) -> Vec<Step> {
    let flows = list(&log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]);
    let mut places: Vec<(u64, u64, String)> = Vec::new();
    for flow in flows {
        let id = flow["id"].as_str().expect("a name");
        let thread = id.split(' ').find_map(|word| word.parse().ok()).expect("a number");
        for place in list(&flow["locations"]) {
            let line = place["location"]["physicalLocation"]["region"]["startLine"].as_u64();
            let text = place["location"]["message"]["text"].as_str().expect("text");
            let order = place["executionOrder"].as_u64().expect("a number");
            places.push((order, thread, deed(line, text)));
        }
    }
    places.sort_by_key(|(order, ..)| *order);
    let mut steps: Vec<Step> = Vec::new();
    // What was done before the first step has the order 0.
    for (order, thread, text) in places.into_iter().filter(|(order, ..)| *order > 0) {
        while (steps.len() as u64) < order {
            steps.push((thread, Vec::new()));
        }
        steps[order as usize - 1].1.push(text);
    }
    steps
}

/// The simulator's path has the first and the last of many deeds.
fn compare_with_simulator(tale: &Tale, steps: &[Step]) {
    std::fs::write(tale.folder.path().join("script"), "show path\n").expect("it is written");
    let told = run(tale.folder.path(), &["sim", "trace.json", "--script", "script"]);
    let lines: Vec<&str> = told.lines().skip_while(|line| *line != "> show path").skip(1).collect();
    assert_eq!(lines.len(), steps.len(), "{told}");
    for (at, (line, (thread, deeds))) in lines.iter().zip(steps).enumerate() {
        let start = format!("{:>4}  thread {thread}  ", at + 1);
        let rest = line.strip_prefix(&start).unwrap_or_else(|| panic!("{line}, not {start}"));
        match deeds.as_slice() {
            [first, .., last] if deeds.len() > 3 => {
                let middle = format!("{first}; … {} more; {last}", deeds.len() - 2);
                assert_eq!(rest, middle);
            }
            few => assert_eq!(rest, few.join("; ")),
        }
    }
}

/// What `exeunt explore` serves for the schedule of the trace.
fn case_of_explorer(tale: &Tale, schedule: &str) -> Value {
    let mut server = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(["explore", "trace.json"])
        .current_dir(tale.folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("exeunt runs");
    let mut lines = BufReader::new(server.stdout.take().expect("its output")).lines();
    let address = lines.next().expect("an address").expect("a line");
    let whole = address.trim_start_matches("http://");
    let (host, path) = whole.split_once('/').expect("a host and a path");
    // The address of a trace names its end.
    let (path, named) = path.split_once('#').unwrap_or((path, ""));
    assert!(
        named.ends_with(&schedule.replace(';', "%3B")) || named.ends_with(schedule),
        "{address}"
    );
    let query = schedule.replace(';', "%3B");
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(
        stream,
        "GET /{path}state?path={query} HTTP/1.0\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )
    .expect("it is asked");
    let mut answer = String::new();
    let read = stream.read_to_string(&mut answer);
    let id = server.id() as libc::pid_t;
    // SAFETY: only sends a signal to the process that was started above.
    unsafe { libc::kill(id, libc::SIGINT) };
    assert_eq!(server.wait().expect("it ends").code(), Some(130));
    read.expect("an answer");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    json(body)["page"]["violations"][0].clone()
}

/// What a page marks beside the steps: where it is too late, where it repeats, who hangs.
fn marks(case: &Value) -> Value {
    let hangs = |stuck: &Value| serde_json::json!([stuck["a"], stuck["text"], stuck["since"]]);
    let stuck: Vec<Value> = list(&case["stuck"]).iter().map(hangs).collect();
    serde_json::json!([
        case["message"],
        case["too_late"],
        case["cycle_start"],
        case["ending"],
        stuck
    ])
}

/// Runs of steps of one thread, each with what it begins with.
fn turns(steps: &[Step]) -> Vec<(u64, String)> {
    let mut turns: Vec<(u64, String)> = Vec::new();
    for (thread, deeds) in steps {
        if turns.last().is_none_or(|(last, _)| last != thread) {
            turns.push((*thread, deeds.first().cloned().unwrap_or_default()));
        }
    }
    turns
}

fn gdb(tale: &Tale, commands: &[String]) -> String {
    let mut arguments = vec!["replay", "trace.json", "--gdb"];
    commands.iter().for_each(|command| arguments.extend(["--gdb-command", command]));
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(&arguments)
        .current_dir(tale.folder.path())
        .stdin(Stdio::null())
        .output();
    String::from_utf8_lossy(&output.expect("exeunt runs").stdout).into_owned()
}

/// Each turn under gdb: whose it is, and the line it goes on in.
fn compare_with_gdb(tale: &Tale, steps: &[Step]) {
    let start = tale.report["violations"][0]["cycle_start"].as_u64();
    let steps = &steps[..start.map_or(steps.len(), |start| start as usize)];
    let turns = turns(steps);
    let mut commands = Vec::new();
    for number in 1..=turns.len() {
        commands.push(format!("echo \\nturn {number}\\n"));
        commands.push(format!("to-switch {number}"));
        commands.push("print exeunt_schedule[exeunt_at].thread".to_string());
        commands.push("bt".to_string());
    }
    let told = gdb(tale, &commands);
    let frame = Regex::new(r"(?m)^#\d+ .*\) at (\S+):(\d+)$").expect("a pattern");
    for (number, (thread, first)) in turns.iter().enumerate() {
        let (_, part) = told.split_once(&format!("\nturn {}\n", number + 1)).expect("a turn");
        let part = part.split("\nturn ").next().unwrap_or_default();
        assert!(part.contains(&format!(" = {thread}\n")), "turn {}: {told}", number + 1);
        let own = frame.captures_iter(part).find(|one| &one[1] == source(tale));
        if let Some(own) = own.filter(|_| number > 0) {
            assert!(first.starts_with(&format!("{}: ", &own[2])), "{first}: {part}");
        }
    }
}

fn source(tale: &Tale) -> &str {
    &tale.check[1]
}

/// Each step of a native program under gdb.
fn compare_with_native_gdb(tale: &Tale, steps: &[Step]) {
    let commands: Vec<String> = (1..=steps.len()).map(|step| format!("to-step {step}")).collect();
    let told = gdb(tale, &commands);
    for (at, (thread, deeds)) in steps.iter().enumerate() {
        let start = format!("before step {}, thread {thread}\n", at + 1);
        let (_, part) = told.split_once(&start).unwrap_or_else(|| panic!("no {start}: {told}"));
        let frame = part.lines().next().unwrap_or_default();
        let (line, _) = deeds[0].split_once(": ").expect("a line");
        assert!(frame.ends_with(&format!(":{line}")), "{frame}, not line {line}");
    }
}

fn same_everywhere(file: &str, native: bool) {
    let tale = Tale::new(file, native);
    let steps = tale.steps();
    assert!(steps.len() > 1 && turns(&steps).len() > 1, "{file}: {steps:?}");
    let schedule = tale.report["violations"][0]["schedule"].as_str().expect("a schedule");

    assert_eq!(steps_of_terminal(&tale.checked(&["--full-trace"])), steps, "{file}: terminal");
    let again = run(tale.folder.path(), &["replay", "trace.json", "--full-trace"]);
    assert_eq!(steps_of_terminal(&again), steps, "{file}: replay in the terminal");
    let again = json(&run(tale.folder.path(), &["replay", "trace.json", "--format", "json"]));
    let again: Vec<Step> =
        list(&again["violations"][0]["trace"]).iter().map(step_of_json).collect();
    assert_eq!(again, steps, "{file}: replay");
    assert_eq!(
        shown(&run(tale.folder.path(), &["sim", "trace.json", "--script", "/dev/null"])),
        tale.report["violations"][0]["message"].as_str(),
        "{file}: sim"
    );

    let page = tale.checked(&["--format", "html"]);
    let (_, data) = page.split_once("id=\"data\">").expect("data");
    let (data, _) = data.split_once("</script>").expect("its end");
    let case = json(data)["violations"][0].clone();
    assert_eq!(steps_of_page(&case["steps"]), steps, "{file}: HTML");
    for mark in ["too_late", "cycle_start", "message"] {
        assert_eq!(case[mark], tale.report["violations"][0][mark], "{file}: {mark} of HTML");
    }

    // Deeds without a line have no place that could be named.
    let placed = |deed: &&String| deed.starts_with(|c: char| c.is_ascii_digit());
    let named: Vec<Step> = steps
        .iter()
        .map(|(thread, deeds)| (*thread, deeds.iter().filter(placed).cloned().collect()))
        .collect();
    assert_eq!(steps_of_gcc(&tale.checked(&["--format", "gcc"])), named, "{file}: gcc");
    let log = json(&tale.checked(&["--format", "sarif"]));
    assert_eq!(steps_of_sarif(&log), steps, "{file}: SARIF");
    compare_beginnings(&tale, &case, &log);

    compare_with_simulator(&tale, &steps);
    let explored = case_of_explorer(&tale, schedule);
    assert_eq!(steps_of_page(&explored["steps"]), steps, "{file}: explore");
    assert_eq!(marks(&explored), marks(&case), "{file}: marks of explore");
    match tale.native {
        false => compare_with_gdb(&tale, &steps),
        true => compare_with_native_gdb(&tale, &steps),
    }
}

/// What a native program did before its first step has no number in any form.
fn compare_beginnings(tale: &Tale, page: &Value, log: &Value) {
    let did = list(&tale.report["violations"][0]["beginning"]).iter();
    let did = did.filter(|event| event["type"] == "did");
    let told = |event: &Value| {
        deed(event["location"]["line"].as_u64(), event["text"].as_str().expect("text"))
    };
    let beginning: Vec<String> = did.map(told).collect();
    assert_eq!(beginning.is_empty(), !tale.native, "{beginning:?}");
    let told = |one: &Value| deed(one["at"]["l"].as_u64(), one["t"].as_str().expect("text"));
    let shown: Vec<String> = list(&page["beginning"]).iter().map(told).collect();
    assert_eq!(shown, beginning, "HTML");
    let pattern = Regex::new(r"(?m)^[^:]+:(\d+):\d+: note: before step 1: thread 1 (.*)$");
    let text = tale.checked(&["--format", "gcc"]);
    let lines = pattern.expect("a pattern");
    let lines = lines.captures_iter(&text).map(|one| format!("{}: {}", &one[1], &one[2]));
    assert_eq!(lines.collect::<Vec<String>>(), beginning, "gcc");
    let flows = list(&log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]).iter();
    let places = flows.flat_map(|flow| list(&flow["locations"]));
    let first = places.filter(|place| place["executionOrder"] == 0).map(|place| {
        let line = place["location"]["physicalLocation"]["region"]["startLine"].as_u64();
        deed(line, place["location"]["message"]["text"].as_str().expect("text"))
    });
    assert_eq!(first.collect::<Vec<String>>(), beginning, "SARIF");
    let told = tale.checked(&["--explain"]);
    assert_eq!(told.contains("before step 1: thread 1 (main)"), tale.native, "{told}");
}

/// What the simulator says that a trace shows.
fn shown(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix("the trace shows: "))
}

/// What threads do with the thread library, thread by thread, without the rest: what the machine tells of memory, a native
/// program need not.
fn operations(tale: &Tale) -> Vec<Vec<String>> {
    let operation = Regex::new(
        r"^\d+: (locks|unlocks|finds|waits|signals|broadcasts|creates|joins|takes|posts|arrives|opens) ",
    );
    let operation = operation.expect("a pattern");
    let violation = &tale.report["violations"][0];
    let mut threads = vec![Vec::new(); list(&violation["threads"]).len()];
    let beginning = list(&violation["beginning"]).iter().filter(|event| event["type"] == "did");
    let beginning = beginning.map(|event| {
        deed(event["location"]["line"].as_u64(), event["text"].as_str().expect("text"))
    });
    threads[0].extend(beginning);
    for (thread, deeds) in tale.steps() {
        threads[thread as usize - 1].extend(deeds);
    }
    // The value of a semaphore is in the library's memory, which a native story does not look at.
    let value = Regex::new(r" \(now \d+\)$").expect("a pattern");
    for deed in threads.iter_mut().flatten() {
        let deed: &mut String = deed;
        *deed = value.replace(deed, "").into_owned();
    }
    threads
        .iter_mut()
        .for_each(|deeds: &mut Vec<String>| deeds.retain(|one| operation.is_match(one)));
    threads
}

/// A violation in words, without numbers of steps: a native program has no step for what comes before the first
/// operation.
fn words(tale: &Tale) -> Vec<String> {
    let violation = &tale.report["violations"][0];
    let step = Regex::new(r"step \d+").expect("a pattern");
    let mut words = vec![
        violation["property"].to_string(),
        violation["message"].to_string(),
        violation["help"][0].to_string(),
    ];
    let sections = list(&violation["sections"]).iter().filter(|one| one["kind"] != "await");
    words.extend(sections.map(|one| {
        format!(
            "{} {} {} {} {}",
            one["kind"], one["thread"], one["name"], one["opened"]["line"], one["why"]
        )
    }));
    words.iter_mut().for_each(|text| *text = step.replace_all(text, "step N").into_owned());
    words.sort();
    words
}

#[test]
fn the_machine_and_the_native_program_use_the_same_words() {
    for file in [
        "examples/01_deadly_embrace.c",
        "examples/04_lost_wakeup.c",
        "examples/06_philosophers.c",
        "examples/11_partial_deadlock.c",
        "examples/course/10_semaphore_order/wrong.c",
    ] {
        let (machine, native) = (Tale::new(file, false), Tale::new(file, true));
        assert_eq!(words(&native), words(&machine), "{file}");
        // Other schedules may show the same violation; what a thread does is told alike.
        for (ours, theirs) in operations(&machine).iter().zip(operations(&native)) {
            let short = ours.len().min(theirs.len());
            assert_eq!(ours[..short], theirs[..short], "{file}");
        }
    }
}

#[test]
fn a_livelock_in_c() {
    same_everywhere("examples/10_trylock.c", false);
}

#[test]
fn a_deadlock_in_c() {
    same_everywhere("examples/01_deadly_embrace.c", false);
}

#[test]
fn a_lost_wake_up_in_c() {
    same_everywhere("examples/04_lost_wakeup.c", false);
}

#[test]
fn a_partial_deadlock_in_c() {
    same_everywhere("examples/11_partial_deadlock.c", false);
}

#[test]
fn a_failed_assertion_in_c() {
    same_everywhere("examples/02_leader_election.c", false);
}

#[test]
fn a_lost_wake_up_in_cpp() {
    same_everywhere("examples/14_shutdown.cpp", false);
}

#[test]
fn native_programs() {
    same_everywhere("examples/01_deadly_embrace.c", true);
    same_everywhere("examples/04_lost_wakeup.c", true);
    same_everywhere("examples/06_philosophers.c", true);
    same_everywhere("examples/10_trylock.c", true);
    same_everywhere("examples/11_partial_deadlock.c", true);
    same_everywhere("tests/live/containers.cpp", true);
}
