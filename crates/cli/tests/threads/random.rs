//! Random programs over small numbers. Where the prover says that a thread ends,
//! the machine finds no cycle with a step of it; where it shows a run, the
//! machine finds one. `EXEUNT_THREADS=1000` tries as many.

use std::fmt::Write;

use exeunt_counter::{Integers, Request, Wish, system};
use exeunt_model::{ActorId, Verdict};
use exeunt_random::Random;
use exeunt_search::Course;
use exeunt_vm::{Reduction, Vm, VmOptions};

use crate::machine::Graph;
use crate::{answer, compile, expressions, mutations, waits};

#[derive(Default)]
struct Tally {
    holds: usize,
    violated: usize,
    open: usize,
}

#[test]
fn the_machine_agrees_on_random_programs() {
    compare(10, &program);
}

#[test]
fn the_machine_agrees_on_random_operations_on_bits() {
    compare(12, &expressions::program);
}

#[test]
fn the_machine_agrees_on_random_waits() {
    compare(12, &waits::program);
}

/// Asks about so many programs, or as many as the environment says.
fn compare(count: u64, program: &dyn Fn(u64) -> String) {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("EXEUNT_THREADS_FROM").unwrap_or(0);
    let count = number("EXEUNT_THREADS").unwrap_or(count);
    let directory = tempfile::tempdir().expect("a directory");
    let mut tally = Tally::default();
    for seed in first..first + count {
        let text = program(seed);
        let ending = if text.contains("extern \"C\"") { "cpp" } else { "c" };
        let file = directory.path().join(format!("random_{seed}.{ending}"));
        std::fs::write(&file, &text).expect("a file");
        one(&file, &text, seed, &mut tally);
    }
    println!("{} hold, {} do not, {} open", tally.holds, tally.violated, tally.open);
    assert!(tally.holds > 0 && tally.violated > 0, "all answers are the same");
}

fn one(file: &std::path::Path, text: &str, seed: u64, tally: &mut Tally) {
    let program = compile(file);
    let wish = Wish { thread: "t".into(), ..Wish::default() };
    let request = Request { program: &program, wish: &wish, integers: Integers::Exact };
    let system = system(&request).unwrap_or_else(|what| panic!("{seed}: {what}\n{text}"));
    let answer = answer(&system, &wish, Integers::Exact);
    match answer.report.verdict {
        Verdict::Holds => {
            tally.holds += 1;
            let certificate = answer.certificate.as_ref().expect("a certificate");
            let wrong = mutations::accepted(&system, certificate);
            assert_eq!(wrong, None, "{seed}: accepted although\n{text}");
            let graph = Graph::of(program);
            assert!(!graph.never_stops(), "{seed}: the machine runs for ever\n{text}\n{system}");
        }
        Verdict::Violated => {
            tally.violated += 1;
            // Some runs are far away.
            let replayed =
                [200_000, 3_000_000].iter().any(|most| replayed(&program, &answer, *most));
            assert!(replayed, "{seed}: the machine does not replay\n{text}");
            let graph = Graph::of(program);
            let right = graph.never_stops() || !graph.complete;
            assert!(right, "{seed}: the machine always stops\n{text}\n{system}");
        }
        Verdict::Inconclusive => tally.open += 1,
    }
}

/// Whether the machine runs what was shown.
fn replayed(program: &exeunt_ir::Program, answer: &exeunt_agree::Answer, most: usize) -> bool {
    let run = answer.run.as_ref().expect("a program with `main`");
    let options = VmOptions { reduction: Reduction::None, ..VmOptions::default() };
    let vm = Vm::new(program.clone(), options).expect("a program that can be executed");
    let course = Course {
        actors: run.threads.iter().map(|thread| ActorId(*thread)).collect(),
        cycle: run.cycle,
        subject: ActorId(run.subject),
    };
    exeunt_search::follow(&vm, &course, most)
        .is_some_and(|found| exeunt_search::replays(&vm, &found))
}

/// Where the variables of a random program are.
#[derive(Clone, Copy, PartialEq)]
enum Home {
    Global,
    /// In one of two structs, the addresses of which are handed to the threads.
    Handed,
    /// The same on the heap.
    Heap,
}

impl Home {
    fn declare(self, text: &mut String, ty: &str, (x, y): (u64, u64)) {
        if self == Home::Global {
            let _ = writeln!(text, "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;");
            let _ = writeln!(text, "{ty} x = {x}, y = {y};");
            return;
        }
        let _ = writeln!(text, "#include <stdlib.h>");
        let _ = writeln!(text, "struct box {{ {ty} in_x, in_y; pthread_mutex_t in_m; }} one, two;");
        for name in ["x", "y", "m"] {
            let _ = writeln!(text, "#define {name} (d->in_{name})");
        }
    }

    /// The variables of `main`.
    fn make(self, text: &mut String, (x, y): (u64, u64)) {
        let place = match self {
            Home::Global => return,
            Home::Handed => ["&one", "&two"],
            Home::Heap => ["malloc(sizeof *d)", "calloc(1, sizeof *d)"],
        };
        let _ = writeln!(text, "    struct box *d = {}, *k = d;", place[1]);
        let _ = writeln!(text, "    d = {};\n    x = {x};\n    y = {y};", place[0]);
        let _ = writeln!(text, "    pthread_mutex_init(&m, 0);");
    }

    /// What the threads get.
    fn arguments(self, random: &mut Random) -> (&'static str, &'static str) {
        match self {
            Home::Global => ("0", "0"),
            Home::Handed | Home::Heap => ("d", random.one_of(&["d", "d", "k"])),
        }
    }
}

/// The thread `t` with a loop, the thread `e`, and perhaps two of those.
fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let ty = random.one_of(&["int", "long", "signed char", "unsigned char", "_Atomic int"]);
    let mut text = String::from("#include <pthread.h>\n#include <exeunt.h>\n");
    let first = (random.below(4), random.below(3));
    let home = random.one_of(&[Home::Global, Home::Global, Home::Handed, Home::Heap]);
    // Programs in C++ have destructors, others have functions that clean up.
    let is_cxx = home == Home::Global && random.below(3) == 0;
    text.push_str(if is_cxx { "extern \"C\" {\n" } else { "" });
    let _ = writeln!(text, "pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;");
    let _ = writeln!(text, "int f;");
    let _ = writeln!(text, "{ty} a[2] = {{1, 1}};\n{ty} *volatile p = &a[1];\n");
    let _ = writeln!(text, "int printf(const char *format, ...);");
    helpers(&mut text, ty, is_cxx);
    home.declare(&mut text, ty, first);
    let hidden = if home == Home::Global { "&y" } else { "&a[0]" };
    let _ = writeln!(
        text,
        "struct __attribute__((packed)) {{ char c; {ty} *at; }} hidden = {{1, {hidden}}};"
    );
    let begin = if home == Home::Global { "" } else { "    struct box *d = arg;\n" };
    let _ = writeln!(text, "void *t(void *arg) {{\n{begin}");
    thread(&mut random, &mut text, true);
    let _ = writeln!(text, "    return arg;\n}}\n\nvoid *e(void *arg) {{\n{begin}");
    thread(&mut random, &mut text, false);
    text.push_str("    return arg;\n}\n\nint main(void) {\n    pthread_t a, b, c;\n");
    home.make(&mut text, first);
    let (own, other) = home.arguments(&mut random);
    let _ = writeln!(text, "    pthread_create(&a, 0, t, {own});");
    let _ = writeln!(text, "    pthread_create(&b, 0, e, {other});");
    if random.below(4) == 0 {
        let _ = writeln!(text, "    pthread_create(&c, 0, e, {own});");
    }
    if random.below(4) == 0 {
        let _ = writeln!(text, "    x = {};", random.below(3));
    }
    text.push_str("    return 0;\n}\n");
    text.push_str(if is_cxx { "}\n" } else { "" });
    // The end of `main` would end the others.
    text.replace("    return 0;\n}\n", "    pthread_exit(0);\n}\n")
}

/// Functions with any number of arguments, and what is done at the end of a block.
fn helpers(text: &mut String, ty: &str, is_cxx: bool) {
    let _ = writeln!(text, "#include <stdarg.h>");
    let _ = writeln!(
        text,
        "static void put(int value, ...) {{\n    va_list all;\n    va_start(all, value);\n    \
         *va_arg(all, {ty} *) = value;\n    va_end(all);\n}}\n"
    );
    let _ = writeln!(
        text,
        "static int pick(int which, ...) {{\n    va_list all;\n    int found = 0;\n    \
         va_start(all, which);\n    for (int i = 0; i < which; i++)\n        \
         found = va_arg(all, int);\n    va_end(all);\n    return found;\n}}\n"
    );
    let lower = "if (*at > 0) --*at;";
    if is_cxx {
        let _ = writeln!(
            text,
            "struct guard {{\n    {ty} *at;\n    explicit guard({ty} *to) : at(to) {{}}\n    \
             ~guard() {{ {lower} }}\n}};\n#define LATER(v) guard later(&v)\n"
        );
        return;
    }
    let _ = writeln!(text, "static void lower({ty} **on) {{ {ty} *at = *on; {lower} }}");
    let _ = writeln!(text, "#define LATER(v) {ty} *later __attribute__((cleanup(lower))) = &v\n");
}

fn thread(random: &mut Random, text: &mut String, subject: bool) {
    let locks = random.below(3) != 0;
    let lock = if locks { "    pthread_mutex_lock(&m);\n" } else { "" };
    let unlock = if locks { "    pthread_mutex_unlock(&m);\n" } else { "" };
    let loops = subject || random.below(2) == 0;
    let outside = random.below(2) == 0;
    let head = match random.below(if subject { 13 } else { 15 }) {
        0 => format!("while (x > {})", random.below(2)),
        1 => format!("while (x != {})", random.below(2)),
        2 => format!("for (int i = 0; i < {}; i++)", random.one_of(&["x", "y", "3"])),
        3 => "while (y < x)".to_string(),
        4 => "while (x > 0 && y > 0)".to_string(),
        5 => "for (int i = x; i > 0; i -= 1)".to_string(),
        6 => "while (x & 3)".to_string(),
        7 => format!("for (int i = {}; i; i >>= 1)", random.one_of(&["x", "y", "6"])),
        8 => "while (a[0] > 0 || x == 2)".to_string(),
        9 => "while (x & y)".to_string(),
        10 => "while (x & (x - 1))".to_string(),
        11 => "for (unsigned i = 1; i < 8 && !(x & i); i <<= 1)".to_string(),
        12 => "for (unsigned char i = x | 1; i; i <<= y & 3)".to_string(),
        _ => "for (;;)".to_string(),
    };
    if outside {
        text.push_str(lock);
    }
    if subject && random.below(3) == 0 {
        text.push_str("    f = 1;\n");
    }
    if loops {
        let _ = writeln!(text, "    {head} {{");
    }
    if !outside {
        text.push_str(lock);
    }
    for _ in 0..=random.below(2) {
        let statement = statement(random);
        let _ = writeln!(text, "        {statement}");
    }
    if !outside {
        text.push_str(unlock);
    }
    if loops {
        text.push_str("    }\n");
    }
    if outside {
        text.push_str(unlock);
    }
}

fn statement(random: &mut Random) -> String {
    let var = random.one_of(&["x", "y"]);
    let number = random.below(3);
    match random.below(38) {
        0 | 1 => format!("if ({var} > 0) {var}--;"),
        2 => format!("if ({var} < 3) {var}++;"),
        3 => format!("{var} = {number};"),
        4 => format!("if (exeunt_choose(2)) {var} = {number};"),
        5 => "if (x > y) x = y;".to_string(),
        6 => format!("{var} = {var} > 0 ? {var} - 1 : 0;"),
        7 => "if (x > 0) { x--; y = x; }".to_string(),
        8 => format!("{var} &= {};", random.one_of(&["1", "2", "5", "~1"])),
        9 => format!("{var} = ({var} | {}) & 7;", random.one_of(&["1", "4"])),
        10 => format!("{var} = ({var} ^ {}) & 3;", random.one_of(&["1", "3"])),
        11 => "if (x > 0) x &= x - 1;".to_string(),
        12 => "x = y > 0 ? x % y : 0;".to_string(),
        13 => format!("switch ({var}) {{ case 0: break; case 1: x = 0; default: y = 1; }}"),
        14 => {
            "if (pthread_mutex_trylock(&n) == 0) { x = 0; pthread_mutex_unlock(&n); }".to_string()
        }
        15 => "do { if (y == 2) continue; y--; } while (y > 1);".to_string(),
        16 => "if (a[0] < 2) a[0]++; else a[0] = 0;".to_string(),
        17 => format!("a[0] = {number}; p = &{var};"),
        18 => "if (*p > 0) --*p;".to_string(),
        // A flag that somebody may respect.
        19 => format!("f = {};", random.below(2)),
        20 | 21 => format!("if (!f) {var} = {number};"),
        22 => format!("if ({var} > 0 && f != 2) {{ f = 2; {var}--; }}"),
        23 => "if (x > 0) x ^= x & -x;".to_string(),
        24 => format!("x = (x {} y) & 7;", random.one_of(&["|", "^", "&"])),
        25 => format!("{var} = ({var} << {}) & 7;", random.one_of(&["1", "(y & 3)"])),
        26 => format!("{var} >>= {};", random.one_of(&["1", "(x & 3)", "(y & 3)"])),
        27 => "x &= ~(1 << (y & 3));".to_string(),
        28 => "if (x & y) x &= ~y;".to_string(),
        29 => "x = (x | 1 << (y & 1)) & 7;".to_string(),
        30 => "if (x > 0) y = __builtin_ctz(x) & 3;".to_string(),
        31 => format!("put({number}, &{var});"),
        32 => format!("{var} = pick({}, 1, 0);", random.below(3)),
        33 => format!("{{ LATER({var}); y = {number}; }}"),
        34 => format!("*hidden.at = {number};"),
        35 => format!("printf(\"{}%n\", &f);", random.one_of(&["", "a", "%%"])),
        36 => "{ int k, l; int *b = y ? &k : &l; if (b == &l) y = 1; }".to_string(),
        _ => format!("{var} = {var} / 2;"),
    }
}
