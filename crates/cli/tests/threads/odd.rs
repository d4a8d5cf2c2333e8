//! Odd programs: what the prover answers is compared with what the virtual machine finds.
//!
//! `EXEUNT_ODD=name` asks only about programs whose name contains that, and tells more.

use std::path::Path;

use exeunt_counter::{Request, system};

use crate::machine::Graph;
use crate::{answer_with, compile, directive, mutations, root};

/// A program, whether its thread `t` always ends, and what the prover answers.
struct Odd {
    name: String,
    ends: bool,
    verdict: String,
    options: String,
    text: String,
}

fn programs(file: &str) -> Vec<Odd> {
    let text = std::fs::read_to_string(root().join("tests/prove-odd").join(file));
    let text = text.expect("the programs");
    let (before, rest) = text.split_once("\n//// ").expect("a program");
    rest.split("\n//// ").map(|part| odd(before, part)).collect()
}

fn odd(before: &str, part: &str) -> Odd {
    let (head, body) = part.split_once('\n').expect("a heading");
    let mut words = head.splitn(4, ' ');
    let mut word = || words.next().unwrap_or_default().to_string();
    let (truth, verdict, name, options) = (word(), word(), word(), word());
    let text = format!("{before}\n{body}\n");
    let ends = match truth.as_str() {
        "ends" => true,
        "runs" => false,
        other => panic!("{name}: {other}"),
    };
    Odd { name, ends, verdict, options, text }
}

/// What is wrong with the answer to a program.
fn problem(odd: &Odd, file: &Path) -> Option<String> {
    std::fs::write(file, &odd.text).expect("a file");
    let program = compile(file);
    // Threads of C++ run functions of the library.
    let all = file.extension().is_some_and(|ending| ending == "c");
    let graph = Graph::with(program.clone(), all);
    let runs = graph.never_stops();
    if runs == odd.ends && (runs || graph.complete) {
        return Some(format!("the machine says that it {}", if runs { "runs" } else { "ends" }));
    }
    let asked = directive(&odd.verdict, &format!("--thread t {}", odd.options));
    let request = Request { program: &program, wish: &asked.wish, integers: asked.integers };
    let verdict = match system(&request) {
        Err(what) if odd.verdict == "refused" => return what.is_empty().then_some(what),
        Err(what) => return Some(format!("refused: {what}")),
        Ok(system) => {
            let answer = answer_with(&system, &asked.wish, asked.integers, asked.fair);
            let accepted =
                answer.certificate.as_ref().map(|good| mutations::accepted(&system, good));
            if let Some(Some(mutation)) = accepted {
                return Some(format!("a certificate is accepted although {mutation}"));
            }
            answer.report.verdict.name().to_string()
        }
    };
    let wrong = if odd.ends { "violated" } else { "holds" };
    match verdict.as_str() {
        found if found == wrong => Some(format!("WRONG: {found}")),
        found if found != odd.verdict => Some(format!("{found} instead of {}", odd.verdict)),
        _ => None,
    }
}

/// Asks about all programs of a file, of which there are at least so many.
fn ask(file: &str, least: usize) {
    let only = std::env::var("EXEUNT_ODD").unwrap_or_default();
    let directory = tempfile::tempdir().expect("a directory");
    let mut wrong = Vec::new();
    let programs = programs(file);
    assert!(programs.len() >= least, "{} programs", programs.len());
    let (_, ending) = file.rsplit_once('.').expect("a language");
    for odd in programs.iter().filter(|odd| odd.name.contains(&only)) {
        let file = directory.path().join(format!("{}.{ending}", odd.name));
        if let Some(why) = problem(odd, &file) {
            wrong.push(format!("{}: {why}", odd.name));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn odd_programs_are_answered_as_the_machine_runs_them() {
    ask("programs.c", 100);
}

#[test]
fn odd_programs_with_objects_are_answered_as_the_machine_runs_them() {
    ask("objects.c", 45);
}

#[test]
fn odd_programs_with_threads_of_cxx_are_answered_as_the_machine_runs_them() {
    ask("threads.cpp", 22);
}

#[test]
fn odd_programs_with_bits_are_answered_as_the_machine_runs_them() {
    ask("bits.c", 60);
}

#[test]
fn odd_programs_with_conditions_are_answered_as_the_machine_runs_them() {
    ask("conditions.c", 20);
}

#[test]
fn odd_programs_that_hide_what_they_do_are_answered_as_the_machine_runs_them() {
    ask("hidden.c", 50);
}

#[test]
fn odd_programs_of_an_attack_are_answered_as_the_machine_runs_them() {
    ask("attack.c", 80);
}

#[test]
fn odd_programs_of_an_attack_in_cxx_are_answered_as_the_machine_runs_them() {
    ask("attack.cpp", 25);
}
