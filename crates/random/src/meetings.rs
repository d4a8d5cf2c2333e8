//! Random small models in which it matters when a message can be sent or received, and not only what it
//! says: `else` and escapes beside sends and receives, atomic sequences that block in the middle, questions about
//! channels; and families of processes that start each other and talk over channels of their own.
//!
//! SPIN warns of an `else` beside a send or receive, so these are for comparing searches with each other.

use std::fmt::Write;

use crate::Random;

/// What the processes of a model mark, so that orders make a difference.
const MARKS: [&str; 6] =
    ["x = 1", "y = 1", "x = 1 - x", "y = (y + 1) % 3", "x = y % 2", "y = x + 1"];

/// A model whose processes notice that a message cannot be sent or received yet.
pub fn impatient_model(seed: u64) -> String {
    let random = &mut Random::new(seed ^ 0x1a7e);
    let mut out = String::from("byte x, y;\n");
    for name in ["c", "d"] {
        let capacity = random.below(3u32);
        let _ = writeln!(out, "chan {name} = [{capacity}] of {{ byte }};");
    }
    for number in 0..2 + random.below(2u32) {
        let _ = writeln!(out, "active proctype p{number}()\n{{\tbyte k;");
        for _ in 0..1 + random.below(4u32) {
            let statement = impatient_statement(random);
            let _ = writeln!(out, "\t{statement};");
        }
        out.push_str("\tskip\n}\n");
    }
    out
}

/// The same with one thing that can be wrong, an assertion that fails: processes may stop where they wait. In
/// nearly all models without that, some process waits for ever, and then it is not seen whether other
/// violations are lost.
pub fn impatient_model_that_may_stop(seed: u64) -> String {
    let random = &mut Random::new(seed ^ 0x57a9);
    let mut out = String::from("byte x, y;\n");
    for name in ["c", "d"] {
        let _ = writeln!(out, "chan {name} = [{}] of {{ byte }};", random.below(3u32));
    }
    let (processes, mut label) = (2 + random.below(2u32), 0);
    // One assertion only, so that it is not found by chance on every way.
    let guilty = (random.below(processes), random.below(3u32));
    for number in 0..processes {
        let _ = writeln!(out, "active proctype p{number}()\n{{\tbyte k;");
        for at in 0..1 + random.below(3u32).max(guilty.1) {
            let end = format!("end{label}: ");
            label += 1;
            let fails = (number, at) == guilty;
            let statement = stopping_statement(random, &end, fails);
            let _ = writeln!(out, "\t{statement};");
        }
        out.push_str("\tskip\n}\n");
    }
    out
}

/// A statement in which a process may stop (`end` is a label for that); with `fails` a failed assertion stands where something was not
/// enabled, or behind it.
fn stopping_statement(random: &mut Random, end: &str, fails: bool) -> String {
    let message = message(random);
    let mut mark = || match fails {
        true => {
            random.one_of(&["assert(false)", "assert(x + y < 2)", "assert(x == y)"]).to_string()
        }
        false => mark(random),
    };
    let (mark, other) = (mark(), mark());
    match random.below(8u32) {
        0 if !fails => format!("{end}{message}"),
        1 if !fails => mark,
        2 => format!("if :: {message} :: {} :: else -> {mark} fi", self::message(random)),
        3 => format!(
            "{end}{{ {}; {mark} }} unless {{ {} -> skip }}",
            self::mark(random),
            trigger(random)
        ),
        4 => format!("{end}{{ {} -> {mark} }} unless {{ {message} }}", question(random)),
        5 => format!("{end}{} -> {mark}", question(random)),
        6 => format!(
            "{end}atomic {{ {message}; if :: {} :: else -> {other} fi }}",
            self::message(random)
        ),
        _ => format!("if :: {message} :: else -> {mark} fi"),
    }
}

fn impatient_statement(random: &mut Random) -> String {
    let (message, mark, other) = (message(random), mark(random), mark(random));
    match random.below(12u32) {
        0 => message,
        1 => mark,
        2 => "k = k + 1".to_string(),
        3 => format!("if :: {message} :: else -> {mark} fi"),
        4 => {
            format!("if :: {message} -> {mark} :: {} :: else -> {other} fi", self::message(random))
        }
        5 => format!("{{ {mark}; {message} }} unless {{ {} -> {other} }}", trigger(random)),
        6 => format!("{{ k = 1; {mark} }} unless {{ {} }}", trigger(random)),
        7 => format!("atomic {{ {mark}; {message}; {other} }}"),
        8 => format!("atomic {{ {message}; {mark} }}"),
        9 => format!("{} -> {mark}", question(random)),
        10 => format!("if :: {} -> {mark} :: {message} fi", question(random)),
        _ => format!("assert({})", random.one_of(&["x + y < 4", "!(x == 1 && y == 1)", "y < 3"])),
    }
}

fn mark(random: &mut Random) -> String {
    random.one_of(&MARKS).to_string()
}

fn message(random: &mut Random) -> String {
    let channel = random.one_of(&["c", "d"]);
    match random.below(6u32) {
        0 => format!("{channel}!{}", random.below(3u32)),
        1 => format!("{channel}!k"),
        2 => format!("{channel}?k"),
        3 => format!("{channel}?{}", random.below(3u32)),
        4 => format!("{channel}!!{}", random.below(3u32)),
        _ => format!("{channel}?_"),
    }
}

fn question(random: &mut Random) -> String {
    let channel = random.one_of(&["c", "d"]);
    let one = match random.below(6u32) {
        0 => format!("nfull({channel})"),
        1 => format!("nempty({channel})"),
        2 => format!("full({channel})"),
        3 => format!("empty({channel})"),
        4 => format!("{channel}?[{}]", random.below(3u32)),
        _ => format!("len({channel}) == 1"),
    };
    match random.below(4u32) {
        0 => format!("({one} && x == 1)"),
        1 => format!("({one} || y > 1)"),
        _ => one,
    }
}

/// What an escape begins with.
fn trigger(random: &mut Random) -> String {
    match random.one_in(3) {
        true => question(random),
        false => message(random),
    }
}

/// A model of processes that start others of their type and talk over channels of their own; some let the
/// numbers of processes and channels out.
pub fn family_model(seed: u64) -> String {
    let random = &mut Random::new(seed ^ 0xfa11);
    let capacity = random.below(3u32);
    let leak = match random.below(8u32) {
        0 => "g = own",
        1 => "out!own",
        2 => "x = _pid % 3",
        3 => "assert(own < 7)",
        4 => "out?g; g!1",
        _ => "skip",
    };
    let work = |random: &mut Random| {
        let work =
            ["y = n", "x = 1 - x", "skip", "assert(x < 2)", "x = 1; x = 0", "nempty(own) -> y = 0"];
        random.one_of(&work).to_string()
    };
    let (before, between, after) = (work(random), work(random), mark(random));
    let children = match random.below(3u32) {
        0 => "run f(n - 1, own); own?v; up!v".to_string(),
        1 => format!("run f(n - 1, own); {between}; run f(n - 1, own); own?v; own?_; up!v"),
        _ => format!("run f(n - 1, own); {between}; run f(n - 1, up); own?v"),
    };
    let leaf = random.one_of(&["up!n", "up!n; x = 1", "y = 2; up!x", "skip"]);
    let depth = 1 + random.below(2u32);
    format!(
        "byte x, y; chan out = [1] of {{ chan }}; chan g;
proctype f(byte n; chan up)
{{\tbyte v; chan own = [{capacity}] of {{ byte }};
\tif
\t:: n == 0 -> {leaf}
\t:: n > 0 -> {before}; {children}; {leak}; {after}
\tfi
}}
init
{{\tbyte v; chan own = [{capacity}] of {{ byte }};
\trun f({depth}, own); own?v; {between}
}}
active proctype bystander() {{ byte n; chan own = [1] of {{ byte }}; {before}; {after} }}
"
    )
}
