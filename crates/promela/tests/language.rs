//! Each construct of the language, by what it does: the number of states,
//! the verdict, or the message that refuses it.

mod support;

use std::ops::ControlFlow;
use std::process::Command;

use exeunt_model::{CompId, Detail, Edge, Event, Model, Property, SectionKind, Sink, Target};
use exeunt_promela::{ClaimKind, Marking, PromelaOptions, print};
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

#[test]
fn integer_types_wrap() {
    holds(
        "wrap",
        "bit b; bool t; byte y; short s; int i; unsigned u : 3; pid p;
         init { b = 3; t = 2; y = 260; s = 40000; i = 2147483647; i++; u = 9; p = -1;
                assert(b == 1 && t == 0 && y == 4 && s == -25536 && i < 0 && u == 1 && p == 255) }",
    );
}

#[test]
fn arrays_of_bits_hold_bytes() {
    holds("bitarray", "bit a[2]; init { a[0] = 2; assert(a[0] == 2 && a[1] == 0) }");
}

#[test]
fn arrays_are_initialised_by_value_or_by_list() {
    holds(
        "arrayinit",
        "byte a[3] = 7; byte b[3] = { 1, 2 }; short c[2];
         init { assert(a[0] == 7 && a[2] == 7 && b[0] == 1 && b[1] == 2 && b[2] == 2 && c[1] == 0) }",
    );
}

#[test]
fn operators_have_the_precedence_of_c() {
    holds(
        "precedence",
        "init { int x = 2 + 3 * 4 - 10 / 3 % 2; assert(x == 13);
                x = 1 << 2 + 1; assert(x == 8);
                x = 6 & 3 | 8 ^ 1; assert(x == 11);
                assert((1 < 2 == 1) && !(0 || 0) && ~0 == -1 && -3 / 2 == -1 && -3 % 2 == -1);
                x = (x > 10 -> 5 : 6); assert(x == 5) }",
    );
}

#[test]
fn mtypes_count_down_and_named_ones_on_their_own() {
    holds(
        "mtypes",
        "mtype = { a, b, c }; mtype:fruit = { pear, plum }; mtype:fruit f = plum; mtype m = b;
         init { assert(a == 3 && m == 2 && c == 1 && pear == 2 && f == 1); printm(m) }",
    );
}

#[test]
fn several_mtype_lists_share_their_numbers() {
    holds(
        "mtypelists",
        "mtype = { a, b }; mtype = { c };
         init { assert(a != b && a != c && b != c && a > 0 && c > 0) }",
    );
}

#[test]
fn structures_nest_and_copy_through_messages() {
    holds(
        "structs",
        "typedef In { byte v; bit f[2] } typedef Out { In i[2]; short n }
         chan c = [1] of { In, byte }; Out o; In got; byte k;
         init { o.i[1].v = 5; o.i[1].f[1] = 1; o.n = -1; c!o.i[1],9; c?got,k;
                assert(got.v == 5 && got.f[1] == 1 && k == 9 && o.n == -1) }",
    );
}

#[test]
fn a_structure_can_bring_its_own_channel() {
    holds(
        "structchan",
        "typedef Port { chan q = [2] of { byte }; byte id = 3 }
         Port p[2];
         init { p[0].q!1; p[1].q!2; assert(len(p[0].q) == 1 && p[1].id == 3); byte x;
                p[1].q?x; assert(x == 2) }",
    );
}

#[test]
fn hidden_variables_are_no_part_of_the_state() {
    let text = "byte h; init { if :: h = 1 :: h = 2 :: h = 3 fi }";
    let with = run("hidden", &format!("hidden {text}"));
    let without = run("plain", text);
    assert_eq!((with.states, without.states), (3, 7));
}

#[test]
fn a_full_channel_blocks_and_an_empty_one_too() {
    assert_eq!(run("full", "chan c = [1] of { byte }; init { c!1; c!2 }").deadlocks, 1);
    assert_eq!(run("empty", "chan c = [1] of { byte }; init { byte x; c?x }").deadlocks, 1);
}

#[test]
fn rendezvous_needs_a_partner_with_a_fitting_message() {
    assert_eq!(run("alone", "chan c = [0] of { byte }; init { c!1 }").deadlocks, 1);
    let text = "chan c = [0] of { byte }; byte got;
        active proctype a() { c!3 } active proctype b() { c?2 }
        active proctype d() { c?got; assert(got == 3) }";
    let found = run("fits", text);
    assert!(found.faults.is_empty() && found.deadlocks == 1, "{found:?}");
}

#[test]
fn receives_match_constants_and_eval_and_drop_the_rest() {
    holds(
        "match",
        "mtype = { go }; chan c = [3] of { mtype, byte, short }; byte k = 4; short s;
         init { c!go(4, -2); c!go,4,-3; c?go,eval(k),s; assert(s == -2);
                c?_,_,_; assert(empty(c)); c!go,7,1; if :: c?go,eval(k),s -> assert(false)
                :: c?[go,7,1] -> c?go(7, s) fi; assert(s == 1) }",
    );
}

#[test]
fn peek_leaves_the_message_and_random_receive_takes_any() {
    holds(
        "peek",
        "chan c = [3] of { byte, byte }; byte x;
         init { c!1,10; c!2,20; c!3,30; c?<1,x>; assert(x == 10 && len(c) == 3);
                c??2,x; assert(x == 20 && len(c) == 2); c??<3,x>; assert(x == 30 && len(c) == 2);
                assert(c??[3,30] && !c??[2,20] && c?[1,10]); c?1,x; c?3,x }",
    );
}

#[test]
fn sorted_sends_keep_order() {
    holds(
        "sorted",
        "chan c = [4] of { short, byte }; short a; byte b;
         init { c!!3,0; c!!-1,5; c!!2,2; c!!2,1;
                c?a,b; assert(a == -1); c?a,b; assert(a == 2 && b == 1);
                c?a,b; assert(a == 2 && b == 2); c?a,b; assert(a == 3) }",
    );
}

#[test]
fn channel_probes() {
    holds(
        "probes",
        "chan c = [2] of { byte };
         init { assert(empty(c) && nfull(c) && len(c) == 0); c!1; assert(nempty(c) && nfull(c));
                c!1; assert(full(c) && len(c) == 2) }",
    );
}

#[test]
fn channels_travel_in_messages_parameters_and_arrays() {
    holds(
        "mobile",
        "chan post = [0] of { chan }; chan boxes[2] = [1] of { byte };
         proctype give(chan to; byte what) { to!what }
         active proctype taker() { chan mine; byte x; post?mine; mine?x; assert(x == 8) }
         init { post!boxes[1]; run give(boxes[1], 8) }",
    );
}

#[test]
fn an_unset_channel_is_a_fault() {
    let found = fault("nochan", "chan c; init { c!1 }");
    assert_eq!(found.property, Property::Misuse);
    assert!(found.help[0].contains("initialise"), "{found:?}");
}

#[test]
fn run_counts_processes_and_pids_are_reused() {
    holds(
        "pids",
        "byte seen; proctype p(byte n) { seen = _pid; assert(n == seen) }
         init { byte k; k = run p(1); assert(k == 1); (_nr_pr == 1); k = run p(1);
                assert(k == 1 && _pid == 0) }",
    );
}

#[test]
fn too_many_processes_are_a_fault() {
    let text = "proctype p() { false } init { byte i; do :: run p() od }";
    assert_eq!(fault("many", text).property, Property::Misuse);
}

#[test]
fn processes_end_youngest_first() {
    // init cannot end before its child, so it stays in the state vector.
    let found = run("lifo", "byte go; proctype p() { go == 1; go = 2 } init { run p(); go = 1 }");
    assert_eq!((found.states, found.deadlocks), (7, 0));
}

#[test]
fn active_starts_copies() {
    holds("active", "byte n; active [3] proctype p() { atomic { n++; assert(_pid < 3) } }");
}

#[test]
fn provided_stops_a_process() {
    let text = "bool on; byte x;
        active proctype p() provided (on) { x = 1 }
        active proctype q() { on = true; on = false; (x == 1) }";
    let found = run("provided", text);
    assert!(found.deadlocks > 0, "it may never get its turn");
}

#[test]
fn only_the_highest_priority_moves() {
    holds(
        "priority",
        "byte x; active proctype low() priority 1 { assert(x == 1) }
         active proctype high() priority 3 { x = 1 }",
    );
    holds(
        "setpriority",
        "byte x; active proctype a() priority 2 { set_priority(1, 9); assert(get_priority(1) == 9); x = 0 }
         active proctype b() priority 2 { x = _priority; assert(x == 2 || x == 9); x == 0 -> skip }",
    );
}

#[test]
fn selections_take_any_enabled_option() {
    let found = run("if", "byte x; init { if :: x = 1 :: x = 2 :: false -> x = 3 fi }");
    assert_eq!((found.states, found.transitions), (5, 5));
}

#[test]
fn else_is_taken_only_if_nothing_else_can_be() {
    holds("else", "byte x; init { if :: else -> x = 1 :: x == 1 -> x = 2 fi; assert(x == 1) }");
    assert_eq!(run("noelse", "byte x; init { if :: x == 1 fi }").deadlocks, 1);
}

#[test]
fn loops_break_and_jumps_go() {
    holds(
        "loops",
        "byte n, m; init { do :: n < 3 -> n++; do :: m < n -> m++ :: else -> break od
                              :: n >= 3 -> break od;
                 if :: m == 3 -> goto good :: else fi; assert(false); good: skip }",
    );
}

#[test]
fn for_runs_over_ranges_arrays_and_messages() {
    holds(
        "for",
        "typedef M { byte v } chan c = [2] of { M }; byte a[3] = { 1, 2, 3 }; byte i, sum; M m;
         init { for (i : 1 .. 3) { sum = sum + i } assert(sum == 6 && i == 4);
                for (i in a) { sum = sum + a[i] } assert(sum == 12);
                m.v = 4; c!m; m.v = 5; c!m; for (m in c) { sum = sum + m.v }
                assert(sum == 21 && len(c) == 2) }",
    );
}

#[test]
fn select_takes_every_number() {
    let found = run("select", "byte x; init { select (x : 3 .. 6); assert(x != 5) }");
    assert_eq!(found.faults.len(), 1);
    let found =
        run("selectvar", "byte x; byte n = 6; init { select (x : 3 .. n); assert(x != 6) }");
    assert_eq!(found.faults.len(), 1);
}

#[test]
fn atomic_keeps_control_until_it_blocks() {
    holds(
        "atomic",
        "byte x; active proctype a() { atomic { x = 1; x = 2; x = 0 } }
         active proctype b() { assert(x == 0) }",
    );
    let text = "byte x; active proctype a() { atomic { x = 1; x == 2; x = 0 } }
        active proctype b() { x == 1; assert(x == 1); x = 2 }";
    let found = run("atomicblock", text);
    assert!(!found.is_violated(), "{found:?}");
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
fn unless_leaves_at_once_and_outer_escapes_win() {
    let text = "byte x; bool stop;
        active proctype a() { { do :: x < 9 -> x++ :: x == 9 -> x = 0 od } unless { stop }; assert(stop) }
        active proctype b() { stop = true }";
    holds("unless", text);
}

#[test]
fn timeout_holds_only_where_nothing_moves() {
    holds(
        "timeout",
        "byte x; active proctype a() { timeout; assert(x == 3) }
         active proctype b() { x = 1; x = 2; x = 3 }",
    );
}

#[test]
fn remote_references_see_labels_and_variables() {
    holds(
        "remote",
        "bool go; proctype p(byte n) { byte v = n; v++; here: go }
         init { run p(6); p[1]@here; assert(p[1]:v == 7); assert(p@here && p:v == 7); go = 1 }",
    );
}

#[test]
fn enabled_and_pc_value_look_at_other_processes() {
    holds(
        "enabled",
        "byte x; active proctype a() { x == 1; x = 2 }
         active proctype b() { assert(!enabled(0)); assert(pc_value(0) == 1); x = 1; assert(x == 2 || enabled(0)) }",
    );
}

#[test]
fn asking_in_a_circle_is_a_fault() {
    let text = "active proctype a() { enabled(1) } active proctype b() { enabled(0) }";
    let found = run("circle", text);
    assert!(found.faults.iter().any(|fault| fault.message.contains("circle")), "{found:?}");
}

#[test]
fn last_is_the_process_that_moved_before() {
    holds("last", "byte x; active [2] proctype p() { x = 1; x = _last; assert(x < 2) }");
}

#[test]
fn inlines_take_text_and_return_values() {
    holds(
        "inline",
        "inline add(a, b) { return a + b } inline set(v, e) { v = e }
         init { byte x, y; x = add(2, 3); set(y, x * 2); assert(x == 5 && y == 10) }",
    );
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
fn declarations_inside_are_steps() {
    let start = run("declstart", "byte g; init { byte x = 2; g = x }");
    let inside = run("declinside", "byte g; init { g = 1; byte x = 2; g = x }");
    assert_eq!((start.states, inside.states), (3, 5));
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
fn end_labels_make_a_stop_valid() {
    let text = "chan c = [0] of { byte }; active proctype s() { byte x; end: do :: c?x od }";
    assert_eq!(run("end", text).deadlocks, 0);
    assert_eq!(run("noend", &text.replace("end:", "")).deadlocks, 1);
}

#[test]
fn embedded_c_is_refused_with_its_line() {
    for (name, text, line) in [
        ("ccode", "byte x;\ninit {\n c_code { x = 1; };\n skip }", 3),
        ("cexpr", "init { c_expr { now.x } -> skip }", 1),
        ("cdecl", "c_decl { int y; }\ninit { skip }", 1),
        ("cstate", "\nc_state \"int y\" \"Global\"\ninit { skip }", 2),
        ("ctrack", "\n\nc_track \"&y\" \"sizeof(int)\"\ninit { skip }", 3),
    ] {
        let errors = refused(name, text);
        assert_eq!(errors[0].0, line, "{name}: {errors:?}");
        assert!(errors[0].1.contains("c_"), "{name}: {errors:?}");
    }
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
        ("fields", "chan c = [1] of { byte, byte }; init { c!1 }", "fields"),
        ("recvfields", "chan c = [1] of { byte }; byte x; init { c?x,x }", "fields"),
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
fn claims_are_listed_and_keep_the_verdict_open() {
    let text = "byte x; ltl safe { [] (x < 3) } ltl { <> (x == 2) && (x == 1) U (x == 2) }
        never stuck { do :: x == 1 -> break :: true od; accept: do :: x == 1 od }
        trace { do :: c!1; c?1 od } chan c = [1] of { byte };
        active proctype p() { x = 1; x = 2; c!1; c?1 }";
    let model = load_text("claims", text).expect("it is fine");
    let names: Vec<&str> = model.claims().iter().map(|claim| &*claim.name).collect();
    assert_eq!(names, ["stuck", "trace", "safe", "ltl_1"]);
    assert_eq!(model.incompleteness().len(), 3, "a trace is watched in any case");
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
    let (_, unfinished) = faults("trace-unfinished", "trace { do :: c!_ od }");
    assert!(unfinished > 0, "a trace that is not at its end keeps the end from being valid");
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
    let mut worker = model.worker(&pool);
    let mut seen = support::States::default();
    worker.initial(&mut seen);
    let first = seen.last.clone().expect("an initial state");
    worker.expand(&first, Detail::Targets, None, &mut seen);
    let second = seen.last.clone().expect("a next state");
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
    let mut worker = model.worker(&pool);
    let mut seen = support::States::default();
    worker.initial(&mut seen);
    let first = seen.last.clone().expect("an initial state");
    worker.expand(&first, Detail::Targets, None, &mut seen);
    let second = seen.last.clone().expect("a next state");
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
    let mut worker = model.worker(&pool);
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
    let mut worker = model.worker(&pool);
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
    let mut worker = model.worker(&pool);
    let mut seen = support::States::default();
    worker.initial(&mut seen);
    let first = seen.last.clone().expect("an initial state");
    worker.expand(&first, Detail::Targets, None, &mut seen);
    let mut open = Vec::new();
    worker.open_sections(&seen.last.expect("a next state"), &mut open);
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
    let mut worker = model.worker(&pool);
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
    explore(&model, 100);
    let lines: Vec<String> = model
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
