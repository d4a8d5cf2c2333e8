//! `exeunt spin` beside SPIN: the same numbers in the table, trails that either follows, charts.

use std::path::Path;
use std::process::{Command, Output, Stdio};

const EXEUNT: &str = env!("CARGO_BIN_EXE_exeunt");

/// A sender, a receiver that acknowledges, and an assertion that fails for the second message.
const EXCHANGE: &str = "mtype = { ping, pong };
chan c = [2] of { mtype, byte };
chan r = [0] of { byte };
byte n;
proctype Q(byte k) { byte v; c?ping,v; n = v + k; r!n }
init {
  byte z;
  atomic { run Q(1); run Q(2) };
  c!ping,3; c!ping,4;
  r?z; printf(\"got %d\\n\", z);
  r?z; assert(z == 0)
}
";

fn folder(name: &str, model: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), model).expect("a model is written");
    folder
}

fn run(program: &str, folder: &Path, words: &[&str]) -> Output {
    let output = Command::new(program).args(words).current_dir(folder).output();
    output.unwrap_or_else(|why| panic!("`{program}` could not be run: {why}"))
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// The number in front of some words.
fn number(table: &str, words: &str) -> u64 {
    let line = table.lines().find(|line| line.contains(words));
    let line = line.unwrap_or_else(|| panic!("no `{words}` in {table}"));
    let first = line.split_whitespace().next().expect("a number");
    first.parse().unwrap_or_else(|_| panic!("{line}"))
}

#[test]
fn the_table_has_the_numbers_of_spin() {
    for (flags, ours) in [(&["-c0"][..], &["-c0"][..]), (&["-c0", "-E"], &["-c0", "-E"])] {
        let folder = folder("m.pml", EXCHANGE);
        let at = folder.path();
        run("spin", at, &["-o1", "-o2", "-o3", "-a", "m.pml"]);
        run("gcc", at, &["-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"]);
        let theirs = text(&run("./pan", at, flags));
        let line = [&["spin", "-run", "-DNOREDUCE"], ours, &["m.pml"]].concat();
        let output = run(EXEUNT, at, &line);
        let own = text(&output);
        for words in ["states, stored", "states, matched", "transitions (="] {
            assert_eq!(number(&own, words), number(&theirs, words), "{words}\n{own}\n{theirs}");
        }
        assert_eq!(output.status.code(), Some(1), "{own}");
        assert!(own.contains("pan:1: assertion violated"), "{own}");
        assert!(own.contains("errors: 1"), "{own}");
    }
}

#[test]
fn assertions_and_end_states_can_be_ignored() {
    let folder = folder("m.pml", EXCHANGE);
    let output = run(EXEUNT, folder.path(), &["spin", "-run", "-A", "m.pml"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let stuck = "chan c = [0] of { byte }; active proctype P() { c!1 }";
    std::fs::write(folder.path().join("s.pml"), stuck).expect("a model is written");
    let line = |flag: &'static str| run(EXEUNT, folder.path(), &["spin", "-run", flag, "s.pml"]);
    assert_eq!(line("-n").status.code(), Some(1), "{}", text(&line("-n")));
    let ignored = line("-E");
    assert_eq!(ignored.status.code(), Some(0), "{}", text(&ignored));
    assert!(text(&ignored).contains("invalid end states\t-"), "{}", text(&ignored));
}

#[test]
fn claims_are_chosen_as_the_verifier_chooses_them() {
    let model = "byte x; ltl low { [] (x < 2) } ltl high { <> (x == 5) }
        active proctype P() { do :: x = 1 :: x = 0 od }";
    let folder = folder("m.pml", model);
    let check = |words: &[&str]| {
        let line = [&["spin"], words, &["m.pml"]].concat();
        let output = run(EXEUNT, folder.path(), &line);
        (output.status.code(), text(&output))
    };
    let (code, table) = check(&["-run", "-a"]);
    assert!(code == Some(0) && table.contains("never claim         \t+ (low)"), "{table}");
    let (code, table) = check(&["-run", "-a", "-N", "high"]);
    assert!(code == Some(1) && table.contains("acceptance cycle"), "{table}");
    let (code, table) = check(&["-run", "-noclaim"]);
    assert!(code == Some(0) && table.contains("- (not selected)"), "{table}");
    let (code, table) = check(&["-run", "-a", "-N", "nothing"]);
    assert!(code == Some(2) && table.contains("no claim `nothing`"), "{table}");
    // A formula on SPIN's command line says what must not happen.
    let (code, table) = check(&["-f", "<> (x == 1)", "-run", "-a"]);
    assert_eq!(code, Some(1), "{table}");
    let (code, table) = check(&["-f", "<> (x == 7)", "-run", "-a"]);
    assert_eq!(code, Some(0), "{table}");
}

#[test]
fn a_trail_of_either_is_followed_by_the_other() {
    let folder = folder("m.pml", EXCHANGE);
    let at = folder.path();
    run("spin", at, &["-run", "m.pml"]);
    assert!(at.join("m.pml.trail").exists(), "SPIN wrote a trail");
    let followed = run(EXEUNT, at, &["spin", "-t", "-p", "m.pml"]);
    assert_eq!(followed.status.code(), Some(1), "{}", text(&followed));
    assert!(text(&followed).contains("[assert(z == 0)]"), "{}", text(&followed));
    std::fs::remove_file(at.join("m.pml.trail")).expect("removed");
    let found = text(&run(EXEUNT, at, &["spin", "-run", "m.pml"]));
    assert!(found.contains("pan: wrote m.pml.trail"), "{found}");
    let theirs = text(&run("spin", at, &["-t", "-p", "m.pml"]));
    assert!(theirs.contains("assertion violated"), "{theirs}");
}

/// A run by chance is the same for the same seed, and its chart has an arrow for each message.
#[test]
fn simulations_are_printed_and_drawn() {
    let folder = folder("m.pml", EXCHANGE);
    let at = folder.path();
    let line = ["spin", "-p", "-s", "-r", "-n3", "-M", "m.pml"];
    let first = text(&run(EXEUNT, at, &line));
    assert_eq!(first, text(&run(EXEUNT, at, &line)));
    assert!(first.contains("(state 1)\t[run Q(1)]") && first.contains("got "), "{first}");
    assert_eq!(first.matches(" Recv ").count(), first.matches(" Send ").count(), "{first}");
    let picture = std::fs::read_to_string(at.join("m.pml.svg")).expect("a chart is written");
    // Two processes are started, two messages pass a channel, two are handed over.
    assert_eq!(picture.matches("marker-end").count(), 6, "{picture}");
}

#[test]
fn models_of_any_name_and_from_standard_input_are_read() {
    let model = "active proctype P() { assert(false) }";
    let folder = folder("model", model);
    let at = folder.path();
    for name in ["m.spin", "m.pr", "m.txt"] {
        std::fs::write(at.join(name), model).expect("a model is written");
    }
    for line in [
        &["check", "model"][..],
        &["check", "m.spin"],
        &["check", "m.pr"],
        &["check", "m.txt", "--language", "promela"],
    ] {
        let output = run(EXEUNT, at, line);
        assert_eq!(output.status.code(), Some(1), "{line:?}: {}", text(&output));
    }
    assert_eq!(run(EXEUNT, at, &["check", "m.txt"]).status.code(), Some(2));
    assert_eq!(from_input(&["check", "-"], model), Some(1));
    assert_eq!(from_input(&["spin", "-run", "-"], "active proctype P() { skip }"), Some(0));
}

fn from_input(words: &[&str], model: &str) -> Option<i32> {
    use std::io::Write;
    let mut command = Command::new(EXEUNT);
    let child = command.args(words).stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
    let mut child = child.expect("it runs");
    let mut input = child.stdin.take().expect("it reads");
    input.write_all(model.as_bytes()).expect("a model is sent");
    drop(input);
    child.wait().expect("it ends").code()
}

/// Each distinct finding is told once: a deadlock in each of many states takes no longer than
/// one of them, but for the states.
#[test]
fn all_findings_take_time_like_the_states() {
    let model = |depth: u32| {
        format!(
            "int n; active proctype P() {{ do :: n < {depth} -> n++ :: n < {depth} -> false od }}"
        )
    };
    let folder = folder("m.pml", &model(20_000));
    let output = run(EXEUNT, folder.path(), &["check", "m.pml", "--all", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    // At `false` in every round, and at the loop behind the last one.
    assert_eq!(report["violations"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["statistics"]["states"], 60_001);
    // One story of each of 20,000 findings took more than ten minutes.
    let seconds = report["statistics"]["seconds"].as_f64().expect("a number");
    assert!(seconds < 60.0, "{seconds} s");
}

/// Claims are searched in what is left of the time, and the limit is the one that was given.
#[test]
fn the_time_is_for_the_search_and_the_claims_together() {
    let model = "int n; ltl p { [] (n >= 0) }
        active [4] proctype P() {
            byte x;
            do :: x < 100 -> x++; n = (n + x) % 1000 :: else -> x = 0 od
        }";
    let folder = folder("m.pml", model);
    let start = std::time::Instant::now();
    let output = run(EXEUNT, folder.path(), &["check", "m.pml", "--time", "2s"]);
    let told = text(&output);
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("--time 2s"), "{told}");
    assert!(start.elapsed().as_secs_f64() < 20.0, "{:?}\n{told}", start.elapsed());
}

#[test]
fn no_verifier_is_made_and_unknown_options_are_named() {
    let folder = folder("m.pml", EXCHANGE);
    let output = run(EXEUNT, folder.path(), &["spin", "-a", "m.pml"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(!folder.path().join("pan.c").exists());
    let refused = run(EXEUNT, folder.path(), &["spin", "-run", "-Z", "m.pml"]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    assert!(text(&refused).contains("-Z is an option of the verifier"), "{}", text(&refused));
}

/// The lines of a simulation that do not depend on who moves first.
#[test]
fn a_run_is_told_as_spin_tells_it() {
    let model = "mtype = { req, ack };
chan q = [2] of { mtype, byte };
byte x;
proctype A(byte n) { q!req(n); x = n }
init { run A(3); q?req(x); q!ack(9) }
";
    let folder = folder("m.pml", model);
    let ordered = |program: &str, words: &[&str]| {
        let output = run(program, folder.path(), words);
        let lines = text(&output);
        let wanted = |line: &&str| {
            let told = ["creates proc", "Starting", "Send ", "Recv ", "queue 1 (q)", "terminates"];
            told.iter().any(|part| line.contains(part)) || line.starts_with("#processes")
        };
        // Numbers of steps depend on the order, and so does the room that SPIN leaves for columns.
        let bare = |line: &str| {
            let behind = line.split_once(":\t").map_or(line, |(_, rest)| rest);
            behind.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let mut lines: Vec<String> = lines.lines().filter(wanted).map(bare).collect();
        lines.sort();
        lines.dedup();
        lines
    };
    let flags = ["-p", "-g", "-r", "-s", "m.pml"];
    let ours = ordered(EXEUNT, &[&["spin"], &flags[..]].concat());
    assert_eq!(ours, ordered("spin", &flags));
    let short = text(&run(EXEUNT, folder.path(), &["spin", "-u2", "m.pml"]));
    assert!(short.contains("-------------\ndepth-limit (-u2 steps) reached"), "{short}");
    let unheard = text(&run(EXEUNT, folder.path(), &["spin", "-r", "-s", "-q1", "m.pml"]));
    assert!(!unheard.contains("Send") && !unheard.contains("Recv"), "{unheard}");
}

/// `-i` asks where there is a choice, and `q` ends the run.
#[test]
fn a_run_by_hand_asks() {
    let model = "byte x; active proctype A() { x = 1 } active proctype B() { x = 2 }";
    let folder = folder("m.pml", model);
    let answers = |text: &str| {
        let mut child = Command::new(EXEUNT)
            .args(["spin", "-i", "-p", "m.pml"])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("exeunt starts");
        let mut input = child.stdin.take().expect("its input");
        std::io::Write::write_all(&mut input, text.as_bytes()).expect("an answer");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let second = answers("2\n1\n1\n1\n");
    assert!(second.contains("choice 2: proc  1 (B:1) m.pml:1 (state 1) [x = 2]"), "{second}");
    assert!(second.contains("[x = 1]\n"), "{second}");
    assert!(second.contains("2 processes created"), "{second}");
    let ended = answers("7\nq\n");
    assert!(ended.contains("choice is outside range"), "{ended}");
    assert!(ended.contains("x = 0\n"), "{ended}");
}

/// A model with a variable of each kind, and a claim about one of them.
const KINDS: &str = "mtype = { req, ack };
chan q = [2] of { mtype, byte };
chan r = [0] of { bit };
byte x = 3, arr[4];
short total;
bool unused, watched;
inline count(v) { v = v + 1; x++ }
proctype P(byte id; chan c) { int own; c!req(id); count(own); r?1; total = own; watched = 1 }
active proctype Q() { empty(q); nfull(q) }
init { byte k; run P(2, q); q?req,k; r!1; assert(x > 2); if :: k > 0 -> skip :: else -> x = 0 fi }
ltl w { <> watched }
";

/// The words in a column of lines with tabs, from some line on.
fn column(text: &str, from: &str, number: usize) -> Vec<String> {
    let lines = text.lines().skip_while(|line| !line.contains(from));
    let rows = lines.filter(|line| line.contains('<'));
    let mut names: Vec<String> = rows
        .filter_map(|line| line.trim_start_matches('\t').split('\t').nth(number))
        .map(|word| word.trim().to_string())
        .collect();
    names.sort();
    names
}

#[test]
fn variables_and_channels_are_listed_as_by_spin() {
    let folder = folder("m.pml", KINDS);
    let at = folder.path();
    let theirs: String = text(&run("spin", at, &["-d", "m.pml"]))
        .lines()
        .filter(|line| !line.contains("<constant>") && !line.starts_with("proctype"))
        .filter(|line| {
            line.contains("<:global:>") || line.contains("<P>") || line.contains("<:init:>")
        })
        .filter(|line| {
            !line.starts_with("label") && !line.contains("T0_") && !line.contains("accept")
        })
        .map(|line| format!("{line}\n"))
        .collect();
    let own = text(&run(EXEUNT, at, &["spin", "-d", "m.pml"]));
    assert_eq!(column(&own, "", 1), column(&theirs, "", 1), "{own}\n{theirs}");
    let uses = text(&run(EXEUNT, at, &["spin", "-C", "m.pml"]));
    for said in [
        "chan q\n\treceived from by: init\n\tpolled by: Q\n",
        "exported as run parameter by: init to P par 2",
        "chan r\n\tsent to by: init\n\treceived from by: P\n",
    ] {
        assert!(uses.contains(said), "no `{said}` in {uses}");
    }
    let tables = text(&run(EXEUNT, at, &["spin", "-I", "m.pml"]));
    assert!(tables.contains("own = own + 1") && tables.contains("run P(2, q)"), "{tables}");
    assert_eq!(tables, text(&run(EXEUNT, at, &["spin", "-run", "-d", "m.pml"])));
}

#[test]
fn what_decides_nothing_is_named_as_by_spin() {
    let folder = folder("m.pml", KINDS);
    let at = folder.path();
    let own = text(&run(EXEUNT, at, &["spin", "-A", "m.pml"]));
    let names = column(&own, "redundant vars", 1);
    assert_eq!(names, ["arr[4]", "own", "total", "unused"], "{own}");
    let theirs = text(&run("spin", at, &["-A", "m.pml"]));
    // SPIN takes no account of a formula that is not asked for, and here all are.
    let theirs_only = ["k", "watched"];
    for name in column(&theirs, "redundant vars", 1) {
        let expected = names.contains(&name) || theirs_only.contains(&&*name);
        assert!(expected, "SPIN also has {name}: {theirs}");
    }
    assert!(own.contains("[total = own]") && !own.contains("[x++]"), "{own}");
}

#[test]
fn a_claim_is_read_from_a_file() {
    let model = "byte x; active proctype P() { do :: x < 5 -> x++ :: else -> break od }";
    let folder = folder("m.pml", model);
    let at = folder.path();
    for (bound, code) in [(3, 1), (7, 0)] {
        let claim =
            format!("#define big (x > {bound})\nnever {{ do :: big -> break :: else od }}\n");
        std::fs::write(at.join("claim.txt"), claim).expect("a claim");
        let output = run(EXEUNT, at, &["spin", "-N", "claim.txt", "-run", "-a", "m.pml"]);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output));
        run("spin", at, &["-N", "claim.txt", "-a", "m.pml"]);
        run("gcc", at, &["-w", "-o", "pan", "pan.c"]);
        let theirs = text(&run("./pan", at, &["-a"]));
        assert!(theirs.contains(&format!("errors: {code}")), "{theirs}");
        let output = run(EXEUNT, at, &["check", "--never", "claim.txt", "m.pml"]);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output));
    }
    // A trail that is there stays.
    let trail = at.join("m.pml.trail");
    std::fs::write(&trail, "mine").expect("a trail");
    let bad = "active proctype P() { assert(false) }";
    std::fs::write(at.join("m.pml"), bad).expect("a model");
    let output = run(EXEUNT, at, &["spin", "-run", "-x", "m.pml"]);
    assert!(text(&output).contains("stays as it is (-x)"), "{}", text(&output));
    assert_eq!(std::fs::read_to_string(&trail).expect("the trail"), "mine");
}

/// With a claim, a verifier does not ask where processes may stop.
#[test]
fn end_states_are_not_asked_for_beside_a_claim() {
    let model = "byte x; active proctype P() { x = 1; x == 2 } never { do :: x < 3 od }";
    let folder = folder("m.pml", model);
    let at = folder.path();
    run("spin", at, &["-a", "m.pml"]);
    run("gcc", at, &["-w", "-DNOREDUCE", "-o", "pan", "pan.c"]);
    let theirs = text(&run("./pan", at, &["-a"]));
    assert!(theirs.contains("errors: 0") && theirs.contains("(disabled by never claim)"));
    let output = run(EXEUNT, at, &["spin", "-run", "-a", "m.pml"]);
    let own = text(&output);
    assert_eq!(output.status.code(), Some(0), "{own}");
    assert!(own.contains("invalid end states\t- (disabled by never claim)"), "{own}");
    let alone = run(EXEUNT, at, &["spin", "-run", "-noclaim", "m.pml"]);
    assert_eq!(alone.status.code(), Some(1), "{}", text(&alone));
}

/// Cycles without progress are looked for by a claim, too. With `-a` a verifier says that it looks at end states, and
/// does not.
#[test]
fn end_states_are_asked_for_as_the_table_says() {
    let folder = folder("m.pml", "byte x; active proctype P() { accept: x = 1; x == 2 }");
    let at = folder.path();
    run("spin", at, &["-a", "m.pml"]);
    for (define, option, of_table, code) in [
        ("-DNP", "-l", "invalid end states\t- (disabled by never claim)", 0),
        ("-DNOREDUCE", "-a", "invalid end states\t+", 1),
    ] {
        run("gcc", at, &["-w", define, "-o", "pan", "pan.c"]);
        let theirs = text(&run("./pan", at, &[option]));
        assert!(theirs.contains("errors: 0") && theirs.contains(of_table), "{theirs}");
        let output = run(EXEUNT, at, &["spin", "-run", option, "m.pml"]);
        let own = text(&output);
        assert_eq!(output.status.code(), Some(code), "{own}");
        assert!(own.contains(of_table), "{own}");
    }
}

#[test]
fn verifiers_options_for_trails_bounds_and_tables_are_known() {
    let folder = folder("m.pml", EXCHANGE);
    let at = folder.path();
    let said = |words: &[&str]| text(&run(EXEUNT, at, &[&["spin"], words, &["m.pml"]].concat()));
    assert!(said(&["-run", "-tother"]).contains("pan: wrote m.pml.other"));
    for words in [&["-run", "-tother", "-r"][..], &["-run", "-r", "m.pml.other", "-P0"]] {
        let told = said(words);
        assert!(told.contains("[assert(z == 0)]"), "{words:?}: {told}");
        assert_eq!(told.contains("[c?ping,v]"), words.len() == 3, "{words:?}: {told}");
    }
    let columns = said(&["-run", "-tother", "-C"]);
    assert!(columns.contains("q\\p") && columns.contains("c!ping,3"), "{columns}");
    let graph = said(&["-run", "-D"]);
    assert!(graph.starts_with("digraph") && graph.contains("assert(z == 0)"), "{graph}");
    let short = run(EXEUNT, at, &["spin", "-run", "-m2", "-b", "m.pml"]);
    assert!(text(&short).contains("pan:1: depth limit reached"), "{}", text(&short));
    assert_eq!(short.status.code(), Some(1), "{}", text(&short));
    let switches = said(&["-run", "-bcs", "-L0"]);
    assert!(switches.contains("errors: 1"), "{switches}");
    std::fs::write(at.join("step.c"), "int step(int x) { return x + 1; }").expect("a C file");
    let model = "c_decl { int step(int); } byte x; active proctype P() { c_code { now.x = step(now.x); }; assert(x == 1) }";
    std::fs::write(at.join("c.pml"), model).expect("a model is written");
    let linked = run(EXEUNT, at, &["spin", "-run", "-link", "step.c", "c.pml"]);
    assert_eq!(linked.status.code(), Some(0), "{}", text(&linked));
}

/// The rules of old versions, and what is printed.
#[test]
fn old_rules_and_the_form_of_what_is_printed_can_be_asked_for() {
    let model = "byte x;
active proctype A() priority 5 { { byte t = 1; x = t }; printf(\"one\\n\"); x = 2 }
active proctype B() priority 3 { x = 4; assert(x == 4) }
";
    let folder = folder("m.pml", model);
    let at = folder.path();
    let said = |words: &[&str]| text(&run(EXEUNT, at, &[&["spin"], words, &["m.pml"]].concat()));
    // `A` goes first by its priority, so nobody comes between the two statements of `B`.
    assert!(said(&["-run", "-noreduce"]).contains("errors: 0"));
    assert!(said(&["-o6", "-run", "-noreduce"]).contains("errors: 1"));
    std::fs::write(at.join("m.pml"), model.replace("x = 2 }", "x = t }")).expect("a model");
    assert!(said(&["-a"]).contains("variable `t` is not declared"));
    assert!(said(&["-O", "-a"]).contains("the model is accepted"));
    let told = said(&["-O", "-T", "-h", "-n7"]);
    assert!(told.contains("\none\n") || told.starts_with("one\n"), "{told}");
    assert!(told.ends_with("seed used: 7\n"), "{told}");
    assert!(
        said(&["-O", "-n7"]).contains("\n      one\n")
            || said(&["-O", "-n7"]).starts_with("      one")
    );
    let wrote = said(&["-O", "-o6", "-run", "-T"]);
    assert!(wrote.contains("pan: wrote m.pml.trail"), "{wrote}");
    let trail = std::fs::metadata(at.join("m.pml.trail")).expect("a trail");
    assert!(trail.permissions().readonly());
}
