//! Proofs that a thread ends: a suite of loops with their verdicts, random
//! and odd programs against an exhaustive search of the virtual machine, and
//! certificates that were changed.

mod expressions;
mod kernel;
mod loops;
mod machine;
mod mutations;
mod odd;
mod random;
mod waits;

use std::path::{Path, PathBuf};

use exeunt_agree::{Answer, Options, prove};
use exeunt_counter::{Integers, Request, System, Wish, system};
use exeunt_ir::Program;
use exeunt_llvm_front::Inputs;
use exeunt_model::Verdict;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn compile(file: &Path) -> Program {
    let is_cxx = file.extension().is_some_and(|ending| ending == "cpp");
    compile_with(file, if is_cxx { vec!["-std=c++20".into()] } else { Vec::new() })
}

fn compile_with(file: &Path, more: Vec<String>) -> Program {
    let runtime = root().join("runtime");
    let headers = format!("-isystem{}", runtime.join("prove").display());
    let inputs = Inputs {
        files: vec![file.to_path_buf()],
        clang_args: [headers].into_iter().chain(more).collect(),
        include: runtime.clone(),
        library: Some(runtime),
        without_main: true,
        plain_cxx: true,
        ..Inputs::default()
    };
    exeunt_llvm_front::load(&inputs).expect("the program compiles")
}

pub(crate) fn answer(system: &System, wish: &Wish, integers: Integers) -> Answer {
    answer_with(system, wish, integers, false)
}

fn answer_with(system: &System, wish: &Wish, integers: Integers, fair: bool) -> Answer {
    let options = Options {
        wish,
        integers,
        fair,
        solver: exeunt_smt::Settings::default(),
        time: None,
        interrupted: &|| false,
        files: &[],
        clang: &[],
        version: "0",
    };
    prove(system, &options)
}

/// The lines `// verdict: …` and `// options: …` of a file.
struct Directives {
    verdict: String,
    wish: Wish,
    integers: Integers,
    fair: bool,
}

/// Several pairs ask several questions about one file.
fn directives(text: &str) -> Vec<Directives> {
    let lines = |key: &'static str| text.lines().filter_map(move |line| line.strip_prefix(key));
    let asked: Vec<Directives> = lines("// verdict: ")
        .zip(lines("// options: "))
        .map(|(verdict, options)| directive(verdict, options))
        .collect();
    assert!(!asked.is_empty(), "no lines `// verdict: …` and `// options: …`");
    asked
}

fn directive(verdict: &str, options: &str) -> Directives {
    let mut wish = Wish::default();
    let mut integers = Integers::Exact;
    let mut fair = false;
    let words = shlex::split(options).expect("words as in a shell");
    let mut words = words.into_iter();
    while let Some(option) = words.next() {
        if option == "--fair" {
            fair = true;
            continue;
        }
        let value = words.next().expect("a value");
        match option.as_str() {
            "--thread" => wish.thread = value,
            "--env" => {
                let one =
                    |name: &str| (name.trim_end_matches('*').to_string(), name.ends_with('*'));
                let names = value.split(',').filter(|name| !name.is_empty());
                wish.beside = Some(names.map(one).collect());
            }
            "--lock" => wish.locks.push(value),
            "--unlock" => wish.unlocks.push(value),
            "--pure" => wish.pure.push(value),
            "--list-push" => wish.list_push.push(value),
            "--list-pop" => wish.list_pop.push(value),
            "--list-empty" => wish.list_empty.push(value),
            "--integers" => integers = Integers::Mathematical,
            other => panic!("unknown option {other}"),
        }
    }
    Directives { verdict: verdict.to_string(), wish, integers, fair }
}

fn programs() -> Vec<PathBuf> {
    let files = std::fs::read_dir(root().join("tests/prove-c")).expect("the suite");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    files
}

/// What is wrong with the answers to one program of the suite.
fn problems(file: &Path) -> Vec<String> {
    problems_with(file, &[])
}

/// The same, with more arguments for clang.
fn problems_with(file: &Path, more: &[String]) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("a program");
    let clang = text.lines().filter_map(|line| line.strip_prefix("// clang: "));
    let clang = clang.map(str::to_string).chain(more.iter().cloned());
    let program = compile_with(file, clang.collect());
    let asked = directives(&text);
    let wrong = asked.iter().filter_map(|wanted| {
        problem(&program, wanted)
            .map(|why| format!("{}: {}: {why}", file.display(), wanted.wish.thread))
    });
    wrong.collect()
}

fn problem(program: &Program, wanted: &Directives) -> Option<String> {
    let request = Request { program, wish: &wanted.wish, integers: wanted.integers };
    let (word, rest) = wanted.verdict.split_once(' ').unwrap_or((&wanted.verdict, ""));
    let system = match system(&request) {
        Ok(system) => system,
        Err(what) if word == "refused" && what.contains(rest) => return None,
        Err(what) => return Some(format!("refused: {what}")),
    };
    let answer = answer_with(&system, &wanted.wish, wanted.integers, wanted.fair);
    let report = &answer.report;
    if report.verdict.name() != word {
        return Some(format!("{}: {}", report.verdict.name(), report.reason));
    }
    if report.verdict != Verdict::Holds {
        return None;
    }
    let certificate = answer.certificate.as_ref().expect("a proof has a certificate");
    let agreement: Vec<&str> =
        certificate.agreement.iter().map(|promise| promise.text.as_str()).collect();
    if !rest.is_empty() && agreement.join("; ") != rest {
        return Some(format!("the agreement is {agreement:?}"));
    }
    mutations::accepted(&system, certificate)
        .map(|mutation| format!("a certificate is accepted although {mutation}"))
}

/// Every fourth program of the suite, so that several are asked about at a time.
fn share_of_the_suite(number: usize) {
    let programs = programs();
    assert!(programs.len() >= 60, "the suite has {} programs", programs.len());
    let mine = programs.iter().skip(number).step_by(4);
    let wrong: Vec<String> = mine.flat_map(|file| problems(file)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Code that others wrote: that of installed headers (`./x` installs their packages).
#[test]
fn loops_of_installed_headers_have_their_verdicts() {
    let wrong = problems(&root().join("tests/prove-headers/dpdk.c"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn loops_of_the_suite_have_their_verdicts_1() {
    share_of_the_suite(0);
}

#[test]
fn loops_of_the_suite_have_their_verdicts_2() {
    share_of_the_suite(1);
}

#[test]
fn loops_of_the_suite_have_their_verdicts_3() {
    share_of_the_suite(2);
}

#[test]
fn loops_of_the_suite_have_their_verdicts_4() {
    share_of_the_suite(3);
}
