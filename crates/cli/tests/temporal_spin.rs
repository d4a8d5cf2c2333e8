//! Temporal properties of Promela models against SPIN: the same verdict on
//! models and formulas of our own and on random ones, the same counts for
//! never claims and non-progress cycles, and trails in both directions.

use std::path::Path;
use std::process::Command;

use exeunt_random::{Random, promela};
use serde_json::Value;

/// What a verifier said.
#[derive(Debug)]
struct Pan {
    violated: bool,
    states: u64,
    transitions: u64,
    output: String,
}

fn run(folder: &Path, program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(folder).output();
    let output = output.unwrap_or_else(|why| panic!("`{program}` could not be run ({why})"));
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// Generates and compiles a verifier; `None` if SPIN does not take the model.
fn compiled(folder: &Path, text: &str, flags: &[&str]) -> Option<()> {
    std::fs::write(folder.join("m.pml"), text).expect("writing the model");
    let said = run(folder, "spin", &["-o1", "-o2", "-o3", "-a", "m.pml"]);
    if said.lines().any(|line| line.contains("Error:") && !line.contains("dubious")) {
        return None;
    }
    let gcc = [&["-O0", "-w", "-DNOREDUCE"], flags, &["-o", "pan", "pan.c"]].concat();
    let said = run(folder, "gcc", &gcc);
    assert!(!said.contains("error:"), "{said}");
    Some(())
}

/// Runs it. `None` if it stops for a reason of its own.
fn pan(folder: &Path, args: &[&str]) -> Option<Pan> {
    let program = folder.join("pan").display().to_string();
    let output = run(folder, &program, &[&["-n", "-m1000000", "-w18"], args].concat());
    let number = |what: &str| -> Option<u64> {
        let line = output.lines().find(|line| line.contains(what))?;
        line.split_whitespace().next()?.parse::<f64>().ok().map(|value| value as u64)
    };
    let errors = output.lines().find_map(|line| line.split("errors: ").nth(1))?;
    let (states, transitions) = (number("states, stored")?, number("transitions (=")?);
    Some(Pan { violated: errors.trim() != "0", states, transitions, output })
}

fn exeunt(folder: &Path, args: &[&str]) -> Value {
    let all = [&["check", "m.pml", "--format", "json", "--property", "temporal"], args].concat();
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(&all)
        .current_dir(folder)
        .output()
        .expect("exeunt runs");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|why| panic!("{all:?}: {why}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for spin")
}

const PETERSON: &str = "
    bool flag[2]; byte turn; bool cs[2];
    active [2] proctype P() {
        do
        :: flag[_pid] = true; turn = 1 - _pid;
           (!flag[1 - _pid] || turn == _pid);
           cs[_pid] = true; cs[_pid] = false;
           flag[_pid] = false
        od
    }";

const REQUEST: &str = "
    bool asked, given; chan c = [1] of { bit };
    active proctype Client() { do :: asked = true; c!1; given; given = false; asked = false od }
    active proctype Server() { bit m; do :: c?m -> given = true; !given :: true -> skip od }";

const ENDS: &str = "
    byte x;
    active proctype A() { x = 1; x = 2; x = 3 }
    active proctype B() { do :: x < 3 -> skip :: x == 3 -> break od; (x == 7) }";

const LABELS: &str = "
    byte x;
    active proctype A() { do :: x = (x + 1) % 3; progress: skip :: x == 2 -> x = 0 od }
    active proctype B() { do :: x == 1 -> L: x = 2 od }";

/// Models with formulas about them.
const ASKED: &[(&str, &[&str])] = &[
    (
        PETERSON,
        &[
            "[] !(cs[0] && cs[1])",
            "[] (flag[0] -> <> cs[0])",
            "[] <> cs[1]",
            "(!cs[0]) W flag[0]",
            "<> [] !cs[0]",
            "cs[0] V !cs[1]",
        ],
    ),
    (
        REQUEST,
        &[
            "[] (asked -> <> given)",
            "[] <> !asked",
            "(!given) U asked",
            "[] (given -> asked)",
            "X (asked || !asked)",
            "[] (len(c) == 1 -> <> (len(c) == 0))",
        ],
    ),
    (
        ENDS,
        &[
            "<> (x == 3)",
            "<> [] (x == 3)",
            "[] <> (x == 1)",
            "[] (x == 2 -> <> x == 7)",
            "X (x == 1)",
        ],
    ),
    (LABELS, &["[] <> B@L", "<> B@L", "[] (B@L -> (x == 1))", "[] <> np_", "<> [] !np_"]),
];

#[test]
fn own_models_and_formulas_agree_with_spin() {
    let folder = folder();
    let mut seen = [0, 0];
    for (model, formulas) in ASKED {
        for formula in *formulas {
            let text = format!("{model}\nltl f {{ {formula} }}\n");
            compiled(folder.path(), &text, &[]).unwrap_or_else(|| panic!("{formula}"));
            for fair in [false, true] {
                let flags: &[&str] = if fair { &["-a", "-f"] } else { &["-a"] };
                let theirs = pan(folder.path(), flags).expect("pan answers");
                let ours = exeunt(folder.path(), if fair { &["--fair"] } else { &[] });
                let violated = ours["verdict"] == "violated";
                assert_eq!(violated, theirs.violated, "{text} fair: {fair}\n{}", theirs.output);
                seen[usize::from(violated)] += 1;
                // The same formula on the command line, in our own spelling.
                std::fs::write(folder.path().join("m.pml"), model).expect("writing the model");
                let spelled = formula.replace("[]", "always").replace("<>", "eventually");
                let fairness: &[&str] = if fair { &["--fair"] } else { &[] };
                let given = exeunt(folder.path(), &[&["--ltl", &spelled], fairness].concat());
                assert_eq!(given["verdict"], ours["verdict"], "{spelled}");
                std::fs::write(folder.path().join("m.pml"), &text).expect("writing the model");
            }
        }
    }
    assert!(seen[0] > 10 && seen[1] > 10, "{seen:?}");
}

/// Never claims: with the same automaton, the same product.
const CLAIMS: &[(&str, &str)] = &[
    (PETERSON, "never { T: do :: true :: cs[0] && cs[1] -> break od }"),
    (PETERSON, "never { T: do :: true :: flag[0] -> goto accept od; accept: do :: !cs[0] od }"),
    (
        REQUEST,
        "never { T: do :: asked -> goto accept :: else od; accept: do :: asked && !given od }",
    ),
    (REQUEST, "never { do :: atomic { given && !asked -> assert(!given || asked) } :: true od }"),
    (LABELS, "never { do :: true :: B@L -> goto accept od; accept: do :: x != 1 od }"),
    (LABELS, "never { accept: do :: x < 5 od }"),
];

#[test]
fn never_claims_have_the_counts_of_spin() {
    let folder = folder();
    let (mut violated, mut counted) = (0, 0);
    for (model, claim) in CLAIMS {
        let text = format!("{model}\n{claim}\n");
        compiled(folder.path(), &text, &[]).expect(claim);
        let theirs = pan(folder.path(), &["-a", "-E"]).expect("pan answers");
        let ours = exeunt(folder.path(), &["--reduction", "none"]);
        assert_eq!(ours["verdict"] == "violated", theirs.violated, "{text}{}", theirs.output);
        let reduced = exeunt(folder.path(), &[]);
        assert_eq!(reduced["verdict"], ours["verdict"], "{text}");
        violated += usize::from(theirs.violated);
        if theirs.violated {
            continue;
        }
        // Without the nested search transitions can be compared too.
        let plain = pan(folder.path(), &["-E"]).expect("pan answers");
        let answer = &ours["formulas"][0];
        let numbers = (answer["states"].as_u64(), answer["transitions"].as_u64());
        assert_eq!(numbers, (Some(plain.states), Some(plain.transitions)), "{text}");
        assert_eq!(answer["states"].as_u64(), Some(theirs.states), "{text}");
        counted += 1;
    }
    assert!(violated >= 2 && counted >= 2, "{violated} violated, {counted} counted");
}

#[test]
fn non_progress_cycles_are_those_of_spin() {
    let folder = folder();
    let cycle = "byte x; active proctype A() { do :: x = 1 - x; progress: skip od }
        active proctype B() { do :: x == 1 -> x = 0 :: x == 1 -> P: x = 1 od }";
    let steady = "byte x; active proctype A() { progress: do :: x = 1 - x od }
        active proctype B() { do :: x == 1 -> skip od }";
    let ending = "byte x; active proctype A() { x = 1; x = 2 }";
    let round = "byte x; active proctype A() { do :: x = 1; progress_a: x = 2 od }";
    for model in [LABELS, cycle, steady, ending, round, ENDS] {
        compiled(folder.path(), model, &["-DNP"]).expect(model);
        for fair in [false, true] {
            let flags: &[&str] = if fair { &["-l", "-f"] } else { &["-l"] };
            let theirs = pan(folder.path(), flags).expect("pan answers");
            let fairness: &[&str] = if fair { &["--fair"] } else { &[] };
            let ours = exeunt(folder.path(), &[&["--non-progress"], fairness].concat());
            assert_eq!(ours["verdict"] == "violated", theirs.violated, "{model}{}", theirs.output);
            if !theirs.violated && !fair {
                assert_eq!(ours["formulas"][0]["states"].as_u64(), Some(theirs.states), "{model}");
            }
        }
    }
}

fn formula(random: &mut Random, depth: u32) -> String {
    let atoms = ["x > 0", "y == 1", "b", "t", "len(c) > 0", "x == y", "a[1] == 1", "st.f > 0"];
    if depth == 0 {
        return format!("({})", atoms[random.below(atoms.len() as u32) as usize]);
    }
    let a = formula(random, depth - 1);
    let b = formula(random, depth - 1);
    match random.below(9) {
        0 => format!("([] {a})"),
        1 => format!("(<> {a})"),
        2 => format!("(! {a})"),
        3 => format!("({a} U {b})"),
        4 => format!("({a} V {b})"),
        5 => format!("({a} && {b})"),
        6 => format!("({a} -> {b})"),
        7 => format!("([] <> {a})"),
        _ => format!("({a} W {b})"),
    }
}

/// Random models with random formulas. `EXEUNT_FUZZ_SEEDS` tries others.
fn random_ones(seeds: std::ops::Range<u64>, wanted: usize) {
    let folder = folder();
    let mut seen = [0, 0];
    let mut lost = 0;
    for seed in seeds {
        if seen[0] + seen[1] >= wanted {
            break;
        }
        let mut random = promela::numbers(seed ^ 0xf0f0);
        let formula = formula(&mut random, 2);
        // In SPIN accept labels of processes count as if the formula had them,
        // and the claim counts as a process.
        let model = promela::model(seed).replace("accept", "there");
        let model = model.replace("_nr_pr < 5", "_nr_pr > 0");
        let text = format!("{model}\nltl f {{ {formula} }}\n");
        std::fs::write(folder.path().join("m.pml"), &text).expect("writing the model");
        for fair in [false, true] {
            let fairness: &[&str] = if fair { &["--fair"] } else { &[] };
            let ours = exeunt(folder.path(), &[&["--max-states", "20000"], fairness].concat());
            let faulty = ours["violations"][0]["property"].as_str().is_some_and(|p| p != "ltl");
            if faulty || ours["verdict"] == "inconclusive" {
                break;
            }
            if !fair && compiled(folder.path(), &text, &[]).is_none() {
                break;
            }
            let flags: &[&str] =
                if fair { &["-a", "-f", "-E", "-m20000"] } else { &["-a", "-E", "-m20000"] };
            let Some(theirs) = pan(folder.path(), flags) else { break };
            // An endless loop in an atomic sequence, which SPIN cuts off.
            if theirs.output.contains("max search depth too small") && !theirs.violated {
                break;
            }
            let violated = ours["verdict"] == "violated";
            // Under fairness SPIN loses runs that come to an end.
            if fair
                && violated
                && !theirs.violated
                && ours["violations"][0]["cycle_start"].is_null()
            {
                lost += 1;
                continue;
            }
            assert_eq!(
                violated, theirs.violated,
                "seed {seed}, fair: {fair}\n{text}{}",
                theirs.output
            );
            seen[usize::from(violated)] += 1;
        }
    }
    println!("{seen:?} hold and are violated, {lost} finite runs lost by spin -f");
    assert!(seen[0] > 3 && seen[1] > 3, "{seen:?}");
}

#[test]
fn random_models_and_formulas_agree_with_spin() {
    match std::env::var("EXEUNT_FUZZ_SEEDS") {
        Ok(range) => {
            let (from, to) = range.split_once("..").expect("a range like 1..100");
            let number = |text: &str| text.parse::<u64>().expect("a number");
            random_ones(number(from)..number(to), usize::MAX / 2);
        }
        Err(_) => random_ones(1..10_000, 80),
    }
}

/// How a construct is asked about: our flags, those of gcc, those of pan.
const CLAIM: [&[&str]; 3] = [&[], &[], &["-a"]];
const FAIR: [&[&str]; 3] = [&["--fair"], &[], &["-a", "-f"]];
const PROGRESS: [&[&str]; 3] = [&["--non-progress"], &["-DNP"], &["-l"]];
const ACCEPT: [&[&str]; 3] = [&["--acceptance"], &[], &["-a"]];

/// The constructs of the manual that speak of whole runs: how they are asked
/// about, and whether the model violates them.
const CONSTRUCTS: &[(&str, [&[&str]; 3], bool)] = &[
    (
        "byte x; active proctype p() { x = 1; x = 2 } never { x == 0 -> x == 1 -> x == 2 }",
        CLAIM,
        true,
    ),
    (
        "byte x; active proctype p() { x = 1; x = 2 } never { x == 0 -> x == 1 -> x == 3 }",
        CLAIM,
        false,
    ),
    (
        "byte x; active proctype p() { do :: x = 1 :: x = 2 od } never { do :: x == 1 -> \
          break :: else od; accept: do :: x == 1 od }",
        CLAIM,
        true,
    ),
    ("byte x; active proctype p() { x = 1; x = 2 } never { do :: assert(x < 2) od }", CLAIM, true),
    (
        "byte x; active proctype p() { x = 1; here: x = 2 } never { do :: p[0]@here -> \
          break :: else od; accept: do :: true od }",
        CLAIM,
        true,
    ),
    (
        "active proctype p() { byte v; v = 1; v = 2; v = 3 } never { do :: p:v == 2 -> \
          break :: else od; accept: do :: true od }",
        CLAIM,
        true,
    ),
    ("byte x; active proctype p() { x = 1; x = 2 } ltl { [] (x < 2) }", CLAIM, true),
    ("byte x; active proctype p() { x = 1; x = 2 } ltl { <> (x == 2) }", CLAIM, false),
    ("byte x; active proctype p() { x = 1; x = 2 } ltl { (x < 2) U (x == 2) }", CLAIM, false),
    (
        "byte x; active proctype p() { do :: x = 1 - x od } ltl { always eventually (x == \
          1) }",
        CLAIM,
        false,
    ),
    (
        "byte x; active proctype p() { x = 1 } ltl { (x == 0) implies eventually (x == 2) \
          }",
        CLAIM,
        true,
    ),
    ("byte x; active proctype p() { x = 1 } ltl { (x == 0) weakuntil (x == 2) }", CLAIM, true),
    ("byte x; active proctype p() { x = 2; x = 1 } ltl { (x == 1) release (x < 2) }", CLAIM, true),
    (
        "bool y; byte x; active proctype p() { do :: x = 1 - x od } active proctype q() { \
          y = true } ltl { <> y }",
        CLAIM,
        true,
    ),
    (
        "bool y; byte x; active proctype p() { do :: x = 1 - x od } active proctype q() { \
          y = true } ltl { <> y }",
        FAIR,
        false,
    ),
    ("byte x; active proctype p() { do :: x = 1 - x od }", PROGRESS, true),
    ("byte x; active proctype p() { do :: progress: x = 1 - x od }", PROGRESS, false),
    (
        "byte x; active proctype p() { do :: x = 1; progress_here: x = 0 :: x = 2; x = 0 \
          od }",
        PROGRESS,
        true,
    ),
    ("byte x; active proctype p() { do :: x = 1 - x od }", ACCEPT, false),
    ("byte x; active proctype p() { do :: x = 1; accept_it: x = 0 od }", ACCEPT, true),
    ("byte x; active proctype p() { accept: x = 1; do :: x = 1 - x od }", ACCEPT, false),
];

#[test]
fn constructs_about_runs_mean_what_they_mean_in_spin() {
    let folder = folder();
    for (text, [ours, gcc, theirs], violated) in CONSTRUCTS {
        compiled(folder.path(), text, gcc).unwrap_or_else(|| panic!("spin refuses {text}"));
        let theirs = pan(folder.path(), theirs).unwrap_or_else(|| panic!("pan stops: {text}"));
        assert_eq!(theirs.violated, *violated, "SPIN: {text}\n{}", theirs.output);
        let ours = exeunt(folder.path(), ours);
        let verdict = if *violated { "violated" } else { "holds" };
        assert_eq!(ours["verdict"], verdict, "{text}\n{ours}");
    }
}

#[test]
fn trails_go_both_ways() {
    let folder = folder();
    let text = format!("{REQUEST}\nltl f {{ [] (asked -> <> given) }}\n");
    compiled(folder.path(), &text, &[]).expect("spin takes it");
    assert!(pan(folder.path(), &["-a"]).expect("pan answers").violated);
    let read = exeunt(folder.path(), &["--spin-trail", "m.pml.trail"]);
    assert_eq!(read["violations"][0]["property"], "ltl", "{read}");
    assert!(read["violations"][0]["cycle_start"].is_u64());
    let own = exeunt(folder.path(), &["--save-trail", "m.pml.trail"]);
    assert_eq!(own["verdict"], "violated");
    let told = run(folder.path(), "spin", &["-t", "-p", "m.pml"]);
    assert!(told.contains("START OF CYCLE") && !told.contains("cannot"), "{told}");
    let again = exeunt(folder.path(), &["--spin-trail", "m.pml.trail"]);
    assert_eq!(again["violations"][0]["property"], "ltl", "{again}");
}
