//! What the front end and the machine say: faults, refusals, scopes, views of
//! states. (What each construct of the language does is in `manual`.)

mod support;

use std::ops::ControlFlow;
use std::process::Command;

use exeunt_model::{
    Basis, CompId, Detail, Edge, Event, Model, Property, SectionKind, Sink, Target,
};
use exeunt_promela::{ClaimKind, Marking, PromelaModel, PromelaOptions, Simulation, print};
use exeunt_search::{Options, check};
use support::{Found, explore, load_text, load_with};

/// Explores a model that must be accepted.
fn run(name: &str, text: &str) -> Found {
    let model = load_text(name, text).unwrap_or_else(|errors| {
        let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{name}: {}", texts.join("\n"))
    });
    explore(&model, 100_000)
}

/// No assertion fails and nothing gets stuck.
fn holds(name: &str, text: &str) {
    let found = run(name, text);
    assert!(!found.is_violated(), "{name}: {:?}, {} deadlocks", found.faults, found.deadlocks);
}

fn fault(name: &str, text: &str) -> exeunt_model::Fault {
    let found = run(name, text);
    assert_eq!(found.faults.len(), 1, "{name}: {:?}", found.faults);
    found.faults[0].clone()
}

/// The messages of a model that must be refused, with their lines.
fn refused(name: &str, text: &str) -> Vec<(u32, String)> {
    match load_text(name, text) {
        Ok(_) => panic!("{name} was accepted"),
        Err(errors) => {
            errors.into_iter().map(|error| (error.location.line, error.message)).collect()
        }
    }
}

/// The initial state and one that follows it.
fn two_states(model: &PromelaModel, pool: &support::MapPool) -> (Vec<CompId>, Vec<CompId>) {
    let session = model.open(Basis::Learnt);
    let mut worker = session.worker(pool);
    let mut seen = support::States::default();
    worker.initial(&mut seen);
    let first = seen.last.clone().expect("an initial state");
    worker.expand(&first, Detail::Targets, None, &mut seen);
    (first, seen.last.expect("a next state"))
}

#[test]
fn an_unset_channel_is_a_fault() {
    let found = fault("nochan", "chan c; init { c!1 }");
    assert_eq!(found.property, Property::Misuse);
    assert!(found.help[0].contains("initialise"), "{found:?}");
}

#[test]
fn too_many_processes_are_a_fault() {
    let text = "proctype p() { false } init { byte i; do :: run p() od }";
    assert_eq!(fault("many", text).property, Property::Misuse);
    // The channels of 127 processes and one more have numbers.
    let text = |count: u32| {
        format!(
            "proctype P() {{ chan a = [1] of {{ byte }}; chan b = [1] of {{ byte }}; false }}
             proctype Q() {{ chan c = [1] of {{ byte }}; byte v; c!7; c?v; assert(v == 7) }}
             init {{ byte i; d_step {{ do :: i < {count} -> run P(); i++ :: else -> break od }}; run Q() }}"
        )
    };
    assert!(run("127", &text(127)).faults.is_empty());
    let found = fault("128", &text(128));
    assert_eq!(found.property, Property::Misuse);
    assert!(found.message.contains("255 channels"), "{}", found.message);
    let refusal = refused(
        "global",
        "chan a[200] = [1] of { byte }; chan b[56] = [1] of { byte }; init { skip }",
    );
    assert!(refusal[0].1.contains("255 channels"), "{refusal:?}");
}

#[test]
fn an_endless_atomic_loop_is_a_cycle_of_states() {
    let found = run("endless", "bit x; init { atomic { do :: x = 1 - x od } }");
    assert!(found.states < 10 && found.deadlocks == 0, "{found:?}");
}

#[test]
fn d_steps_are_one_step_and_must_not_block_inside() {
    let found = run("dstep", "byte x, y; init { d_step { x = 1; y = 2; x = 3 } }");
    assert_eq!(found.states, 3);
    let blocked = fault("dblock", "byte x; init { d_step { x = 1; x == 2; x = 3 } }");
    assert!(blocked.message.contains("d_step"), "{blocked:?}");
    let endless = fault("dendless", "bit x; init { d_step { do :: x = 1 - x od } }");
    assert_eq!(endless.property, Property::Termination);
    let jumps = fault("djumps", "bit x; init { d_step { x = 1; L: do :: goto L od } }");
    assert_eq!(jumps.property, Property::Termination);
}

#[test]
fn asking_in_a_circle_is_a_fault() {
    let text = "active proctype a() { enabled(1) } active proctype b() { enabled(0) }";
    let found = run("circle", text);
    assert!(found.faults.iter().any(|fault| fault.message.contains("circle")), "{found:?}");
}

#[test]
fn macros_and_includes_go_through_the_preprocessor() {
    let folder = std::env::temp_dir().join(format!("exeunt-promela-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("part.pml"), "#define TWICE(x) ((x) + (x))\nbyte part = 4;\n")
        .expect("an include");
    holds(
        "include",
        "#include \"part.pml\"\n#define Y 3\ninit { assert(TWICE(Y) == 6 && part == 4) }\n",
    );
    let errors = refused("includebad", "#include \"part.pml\"\ninit {\n  x = 1;\n  part = y\n}\n");
    assert_eq!(errors.iter().map(|error| error.0).collect::<Vec<_>>(), [3, 4], "{errors:?}");
}

#[test]
fn defines_can_be_given() {
    let options = PromelaOptions { defines: vec!["N=3".into()], ..Default::default() };
    let model = load_with("define", "byte a[N]; init { a[N - 1] = 1 }", &options);
    assert_eq!(explore(&model.expect("it is fine"), 100).states, 3);
}

#[test]
fn blocks_have_scopes() {
    holds(
        "scopes",
        "byte x; init { { byte y = 1; x = y } { byte y = 2; x = x + y } assert(x == 3) }",
    );
    let errors = refused("scopeend", "init { { byte y = 1; y = 2 }\n y = 3 }");
    assert!(errors[0].0 == 2 && errors[0].1.contains("`y`"), "{errors:?}");
}

#[test]
fn out_of_range_and_division_are_faults() {
    let found = fault("range", "byte a[2], i; init { i = 2;\n a[i] = 1 }");
    assert_eq!(
        (found.property, found.location.as_ref().map(|at| at.line)),
        (Property::Memory, Some(2))
    );
    assert!(found.message.contains("index 2"), "{found:?}");
    assert_eq!(fault("zero", "byte x; init { x = 3 / x }").property, Property::Undefined);
    assert_eq!(
        fault("guard", "byte a[2], i = 5; init { a[i] == 1 -> i = 0 }").property,
        Property::Memory
    );
}

#[test]
fn an_assertion_names_its_line() {
    let found = fault("assert", "byte x;\ninit {\n  x = 1;\n  assert(x == 2)\n}");
    assert_eq!(found.property, Property::Assertion);
    assert_eq!(found.location.map(|at| at.line), Some(4));
    assert!(found.message.contains("x == 2"), "{}", found.message);
}

#[test]
fn exclusive_channels_are_watched() {
    let text = "chan c = [1] of { byte };
        active proctype a() { xs c; c!1 } active proctype b() { c!2 }
        active proctype r() { byte x; c?x; c?x }";
    let found = fault("xs", text);
    assert!(found.message.contains("xs"), "{found:?}");
}

#[test]
fn a_deterministic_process_type_is_watched() {
    let found = run("dproc", "byte x; init { run p() } D_proctype p() { if :: x = 1 :: x = 2 fi }");
    assert!(found.faults[0].message.contains("D_proctype"), "{:?}", found.faults);
}

#[test]
fn several_errors_are_shown_at_once() {
    let text =
        "byte x;\ninit {\n  y = 1;\n  x = z;\n  run q();\n  goto nowhere;\n  break;\n  c!1\n}";
    let errors = refused("several", text);
    let lines: Vec<u32> = errors.iter().map(|error| error.0).collect();
    assert_eq!(lines, [3, 4, 5, 6, 7, 8], "{errors:?}");
}

#[test]
fn syntax_errors_do_not_hide_each_other() {
    let errors = refused("syntax", "init {\n  x = ;\n  if fi;\n  skip\n}\nproctype p( { skip }\n");
    assert!(errors.len() >= 3, "{errors:?}");
    assert_eq!(errors[0].0, 2, "{errors:?}");
}

#[test]
fn wrong_uses_are_refused() {
    for (name, text, part) in [
        ("twice", "byte x; byte x; init { skip }", "twice"),
        ("index", "byte a[2]; init { a = 1 }", "index"),
        ("noarray", "byte a; init { a[0] = 1 }", "array"),
        ("nofield", "typedef T { byte f } T t; init { t.g = 1 }", "field"),
        ("notchan", "typedef T { byte f } T t; init { t!1 }", "channel"),
        ("fields", "chan c = [1] of { byte, byte }; init { c!1,2,3 }", "fields"),
        ("args", "proctype p(byte n) { skip } init { run p() }", "arguments"),
        ("pid", "init { _pid = 1 }", "assigned"),
        ("runin", "proctype p() { skip } init { (run p() + 1) > 0 }", "run"),
        ("outof", "init { d_step { skip; goto l }; l: skip }", "d_step"),
        ("label", "init { l: skip; l: skip }", "twice"),
        ("elses", "byte x; init { if :: else :: x == 1 :: else fi }", "else"),
        ("capacity", "byte x; chan c = [x] of { byte }; init { skip }", "constant"),
        ("empty", "init { }", "statement"),
        ("none", "byte x;", "no process"),
        ("remote", "proctype p() { skip } init { p[1]@there }", "label"),
        ("value", "mtype = { a }; init { a = 1 }", "name of a value"),
    ] {
        let errors = refused(name, text);
        assert!(errors.iter().any(|error| error.1.contains(part)), "{name}: {errors:?}");
    }
}

#[test]
fn wrong_numbers_of_fields_are_warned_about_and_go_wrong_when_executed() {
    let two = "chan c = [1] of { byte, byte }; byte x, y, z; init";
    for (name, body) in [
        ("few sent", "{ c!1 }"),
        ("few received", "{ c!1,2; c?x }"),
        ("many received", "{ c!1,2; c?x,y,z }"),
    ] {
        let text = format!("{two} {body}");
        let model = load_text(name, &text).expect(name);
        assert_eq!(model.warnings().len(), 1, "{name}: {:?}", model.warnings());
        let found = fault(name, &text);
        assert!(found.message.contains("2 fields"), "{name}: {}", found.message);
    }
    let unreached = format!("{two} {{ if :: false -> c!1 :: true fi }}");
    holds("fields that nobody misses", &unreached);
}

#[test]
fn the_end_of_a_comment_that_did_not_begin_is_passed_over() {
    holds("stray", "byte x; */ init { x = 1; */ x = 2; assert(x == 2) }");
}

#[test]
fn a_simulation_tells_each_statement_with_its_process() {
    let text = "chan r = [0] of { byte }; chan c = [1] of { byte };
        proctype q() { byte v; r?v; printf(\"got %d\\n\", v) }
        init { run q(); c!7; r!3 }";
    let model = load_text("simulated", text).expect("it is fine");
    let pool = support::MapPool::default();
    let mut simulation = Simulation::new(&model, &pool).expect("it starts");
    let mut told = Vec::new();
    loop {
        let steps = simulation.steps();
        let Some(step) = steps.first() else { break };
        for statement in &step.statements {
            let passed: Vec<_> =
                statement.passed.iter().map(|p| (p.receive, p.channel, p.values[0])).collect();
            told.push((statement.pid, statement.state, passed, statement.output.clone()));
        }
        assert!(simulation.take(step));
    }
    assert_eq!(
        told[..5],
        [
            (0, 1, vec![], String::new()),
            (0, 2, vec![(false, 2, 7)], String::new()),
            (0, 3, vec![(false, 1, 3)], String::new()),
            (1, 1, vec![(true, 1, 3)], String::new()),
            (1, 2, vec![], "got 3\n".to_string()),
        ]
    );
}

#[test]
fn claims_are_listed_and_keep_the_verdict_open() {
    let text = "byte x; ltl safe { [] (x < 3) } ltl { <> (x == 2) && (x == 1) U (x == 2) }
        never stuck { do :: x == 1 -> break :: true od; accept: do :: x == 1 od }
        trace { do :: c!1; c?1 od } chan c = [1] of { byte };
        active proctype p() { x = 1; x = 2; c!1; c?1 }";
    let model = load_text("claims", text).expect("it is fine");
    let names: Vec<&str> = model.claims().iter().map(|claim| &*claim.name).collect();
    assert_eq!(names, ["stuck", "trace", "safe", "ltl_1"]);
    assert_eq!(
        model.open(Basis::Learnt).incompleteness().len(),
        3,
        "a trace is watched in any case"
    );
    let ClaimKind::Ltl { text, conditions, .. } = &model.claims()[2].kind else {
        panic!("a formula was expected")
    };
    assert_eq!((&**text, conditions.len()), ("[] (x < 3)", 1));
}

#[test]
fn traces_are_watched() {
    let writers = "chan c = [2] of { byte }; byte seen;
        active proctype A() { c!1; c!2 } active proctype B() { c!3 }
        active proctype C() { do :: c?seen :: timeout -> break od }";
    let faults = |name: &str, trace: &str| {
        let model = load_text(name, &format!("{writers} {trace}")).expect("it is fine");
        let found = explore(&model, 10_000);
        let messages = found.faults.iter().map(|fault| fault.message.clone());
        (messages.collect::<Vec<String>>(), found.deadlocks)
    };
    let (broken, _) = faults("trace-broken", "trace { c!1; c!2; c!3 }");
    assert_eq!(broken, ["this send does not follow the trace"]);
    let (free, deadlocks) = faults("trace-free", "trace { end: do :: c!_ od }");
    assert!(free.is_empty() && deadlocks == 0, "{free:?}");
    let (done, _) = faults("notrace-done", "notrace { c!3; c!1; c!2 }");
    assert_eq!(done, ["the order of messages that `notrace` forbids happens"]);
    let (never, _) = faults("notrace-never", "notrace { c!2; c!1 }");
    assert!(never.is_empty(), "{never:?}");
}

#[test]
fn an_observer_follows_a_never_claim() {
    let text = "byte x;
        never { do :: x == 1 -> break :: else od; accept: do :: x == 1 od }
        active proctype p() { x = 1; progress: x = 2 }";
    let model = load_text("observer", text).expect("it is fine");
    let pool = support::MapPool::default();
    let (first, second) = two_states(&model, &pool);
    let claim = model.claims()[0].clone();
    let start = model.claim_start(&claim).expect("a never claim has a start");
    let mut observer = model.observer(&pool);
    assert_eq!(observer.claim_moves(&first, &claim, start, false), Ok(vec![start]));
    let moves = observer.claim_moves(&second, &claim, start, false).expect("a claim looks");
    assert!(moves.len() == 1 && model.claim_accepts(&claim, moves[0]), "{moves:?}");
    assert!(!model.claim_accepts(&claim, start));
    assert!(observer.is_marked(&second, Marking::Progress));
    assert!(!observer.is_marked(&first, Marking::Progress));
}

#[test]
fn np_holds_where_no_process_makes_progress() {
    let text = "byte x; never { do :: np_ -> goto accept_np :: !np_ od; accept_np: skip }
        active proctype p() { x = 1; progress: x = 2 }";
    let model = load_text("np", text).expect("it is fine");
    let pool = support::MapPool::default();
    let (first, second) = two_states(&model, &pool);
    let claim = model.claims()[0].clone();
    let start = model.claim_start(&claim).expect("a never claim has a start");
    let mut observer = model.observer(&pool);
    let mut accepts = |state| {
        let moves = observer.claim_moves(state, &claim, start, false).expect("a claim looks");
        assert_eq!(moves.len(), 1);
        model.claim_accepts(&claim, moves[0])
    };
    assert!(accepts(&first) && !accepts(&second));
}

/// SPIN's own simulator says what is printed.
#[test]
fn printing_is_that_of_spin() {
    let text = "mtype = { red, green }; mtype m = green;
        active proctype p() { byte b = 200; short s = -3;
            printf(\"b=%d s=%d sum=%d\\n\", b, s, b + s); printf(\"%x %o %u %c%%\\n\", b, b, b, 65);
            printf(\"%e and\\t%e\\n\", m, red); printm(m); printf(\"\\n\") }";
    let model = load_text("printing", text).expect("it is fine");
    let mut printed = Printed::default();
    let pool = support::MapPool::default();
    let session = model.open(Basis::Learnt);
    let mut worker = session.worker(&pool);
    worker.initial(&mut printed);
    while let Some(state) = printed.state.take() {
        worker.expand(&state, Detail::Story, None, &mut printed);
    }
    let spin = Command::new("spin").arg("-T").arg(model.path()).output().expect("spin runs");
    let theirs = String::from_utf8(spin.stdout).expect("text");
    let theirs: Vec<&str> = theirs.lines().filter(|line| !line.contains("created")).collect();
    assert_eq!(printed.text.lines().collect::<Vec<_>>(), theirs);
    assert!(printed.text.starts_with("b=200 s=-3 sum=197\n"));
}

/// What a run prints that never has a choice.
#[derive(Default)]
struct Printed {
    state: Option<Vec<CompId>>,
    text: String,
}

impl Sink for Printed {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        for event in edge.events {
            if let Event::Output { bytes, .. } = event {
                self.text.push_str(&String::from_utf8_lossy(bytes));
            }
        }
        if let Target::State(state) = target {
            self.state = Some(state.to_vec());
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn sections_are_the_processes_that_must_end() {
    let options = PromelaOptions { must_end: vec!["p".into()], ..Default::default() };
    let text = "active proctype p() { false } active proctype q() { skip }";
    let model = load_with("mustend", text, &options).expect("it is fine");
    let pool = support::MapPool::default();
    let session = model.open(Basis::Learnt);
    let mut worker = session.worker(&pool);
    let mut seen = support::States::default();
    worker.initial(&mut seen);
    let state = seen.last.expect("an initial state");
    let mut open = Vec::new();
    worker.open_sections(&state, &mut open);
    assert_eq!(open.len(), 1);
    assert_eq!((open[0].actor.0, open[0].kind), (0, SectionKind::Process));
    let view = worker.describe_section(&state, &open[0]);
    assert!(view.why.contains("waits for"), "{view:?}");
    // At its end a process is no longer a section, even if it cannot go yet.
    let text2 = "active proctype p() { skip } active proctype q() { false }";
    let model = load_with("mustend3", text2, &options).expect("it is fine");
    let (_, second) = two_states(&model, &pool);
    let mut open = Vec::new();
    model.open(Basis::Learnt).worker(&pool).open_sections(&second, &mut open);
    assert!(open.is_empty(), "{open:?}");
    let wrong = PromelaOptions { must_end: vec!["r".into()], ..Default::default() };
    assert!(load_with("mustend2", text, &wrong).is_err());
}

#[test]
fn states_can_be_shown() {
    let text = "mtype = { idle, busy }; mtype m = busy; chan c = [2] of { byte, byte };
        byte a[2]; active proctype p() { byte k = 7; c!1,2; c!3,4; c!5,6 }";
    let model = load_text("shown", text).expect("it is fine");
    let pool = support::MapPool::default();
    let session = model.open(Basis::Learnt);
    let mut worker = session.worker(&pool);
    let mut seen = support::States::default();
    worker.initial(&mut seen);
    for _ in 0..2 {
        let state = seen.last.clone().expect("a state");
        worker.expand(&state, Detail::Targets, None, &mut seen);
    }
    let state = seen.last.expect("a state");
    let shown: Vec<String> =
        worker.variables(&state).iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(shown, ["m=busy", "c=[1,2 | 3,4]", "a[0]=0", "a[1]=0", "p(0):k=7"]);
    let view = &worker.view(&state)[0];
    assert_eq!(view.name, "p");
    assert!(view.blocked.as_deref().is_some_and(|why| why.contains("full: 2 of 2")), "{view:?}");
}

#[test]
fn statements_that_nothing_reaches_are_listed() {
    let text = "byte x; active proctype p() {
        if
        :: x == 0 -> x = 1
        :: x == 5 -> x = 2
        fi;
        d_step { if :: x == 1 -> x = 3 :: else -> x = 4 fi };
        goto over;
        x = 6;
        over: x = 7 }";
    let model = load_text("unreached", text).expect("it is fine");
    let mut session = model.open(Basis::Learnt);
    check(&mut *session, &Options::default(), &mut |_| {});
    let lines: Vec<String> = session
        .unreached()
        .iter()
        .map(|site| format!("{}: {}", site.location.line, site.text))
        .collect();
    assert_eq!(lines, ["4: x == 5", "4: x = 2", "6: else", "6: x = 4", "8: x = 6"]);
}

#[test]
fn tables_have_a_text_form() {
    let text = "byte x;\nactive proctype p()\n{\n  do\n  :: atomic { x < 2 -> x++ }\n  :: else -> break\n  od\n}";
    let model = load_text("table", text).expect("it is fine");
    let expected = "p, starts in 6
  2 -> 6 [-----] 5: x++
  6 -> 2 [A----] 5: x < 2
  6 -> 9 [-----] 6: else
  9 -> 0 [---e-] 8: end of the process
";
    assert_eq!(print(&model), expected);
}
