//! `exeunt prove` and `exeunt certify` on C: that a thread ends.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use exeunt_agree::{Answer, Options};
use exeunt_certify::{THREAD_FORMAT, THREAD_KIND, ThreadCertificate, Width};
use exeunt_counter::{Integers, Request, System, Thread, Wish};
use exeunt_ir::Program;
use exeunt_model::Verdict;
use exeunt_smt::Settings;

use crate::args::{OUTPUT, PROGRAM, PROPERTIES, ProveArgs, SEARCH};
use crate::endless;
use crate::failure::{self, Failure, INTERRUPTED};
use crate::front;
use crate::inputs;
use crate::interrupt;
use crate::output;
use crate::runtime::Runtime;

/// What is asked of a thread of a C program.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub(crate) struct ThreadArgs {
    /// Prove that the thread that runs this function ends
    #[arg(long, value_name = "FUNCTION", help_heading = PROPERTIES)]
    pub(crate) thread: Option<String>,
    /// These functions run beside it, any number of those with a star
    /// (default: all threads that the program starts)
    #[arg(long, value_name = "F,G*", value_delimiter = ',', help_heading = PROPERTIES)]
    pub(crate) env: Option<Vec<String>>,
    /// This function takes the lock behind its first argument
    #[arg(long, value_name = "F", help_heading = PROGRAM)]
    pub(crate) lock: Vec<String>,
    /// This function gives it back
    #[arg(long, value_name = "F", help_heading = PROGRAM)]
    pub(crate) unlock: Vec<String>,
    /// This function changes no variable of the program and returns
    #[arg(long, value_name = "F", help_heading = PROGRAM)]
    pub(crate) pure: Vec<String>,
    /// This function adds an element to the list behind its first argument
    #[arg(long, value_name = "F", help_heading = PROGRAM)]
    pub(crate) list_push: Vec<String>,
    /// This function takes an element out of it and returns it, or null if there is none
    #[arg(long, value_name = "F", help_heading = PROGRAM)]
    pub(crate) list_pop: Vec<String>,
    /// This function says whether it is empty
    #[arg(long, value_name = "F", help_heading = PROGRAM)]
    pub(crate) list_empty: Vec<String>,
    /// How integers of C behave: they wrap around, or have no bounds
    #[arg(long, value_enum, value_name = "INTEGERS", help_heading = PROGRAM)]
    pub(crate) integers: Option<IntegersChoice>,
    /// Assume that every thread which can always move does
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) fair: bool,
    /// Ask this program, which reads SMT-LIB, instead of Z3's library: 'cvc5 --incremental'
    #[arg(long, value_name = "COMMAND", help_heading = SEARCH)]
    pub(crate) solver: Option<String>,
    /// Write every question to a solver into a file of this directory
    #[arg(long, value_name = "DIRECTORY", help_heading = OUTPUT)]
    pub(crate) dump_queries: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum IntegersChoice {
    Exact,
    Mathematical,
}

/// The exit code of a certificate that proves nothing.
const WRONG: u8 = 1;

/// Refuses options about threads for a Promela model.
pub(crate) fn refuse(arguments: &ProveArgs) -> Result<(), Failure> {
    if arguments.thread == ThreadArgs::default() {
        return Ok(());
    }
    let message = "--thread, --env, --fair, --lock, --unlock, --pure, --list-push, --list-pop, \
                   --list-empty, --integers, --solver and --dump-queries are about C programs";
    Err(Failure::bad(message).help("of a Promela model, --process and --grow can be asked"))
}

pub(crate) fn run(arguments: &ProveArgs) -> Result<u8, Failure> {
    let promela = arguments.grow.is_some()
        || arguments.process.is_some()
        || arguments.limits.max_states.is_some();
    if promela {
        let message = "--grow, --process and --max-states are about Promela models";
        return Err(Failure::bad(message));
    }
    if arguments.all && arguments.thread.thread.is_some() {
        return Err(Failure::bad("--all asks about every thread, --thread about one"));
    }
    output::writable(arguments.show.o.as_deref())?;
    output::writable(arguments.certificate.as_deref())?;
    output::writable(arguments.save.as_deref())?;
    let flag = interrupt::listen();
    let solver = solver(&arguments.thread)?;
    let clang = arguments.compiling.arguments();
    let runtime = Runtime::new()?;
    let program = program(&arguments.files, &clang, &kept(&arguments.thread), &runtime)?;
    let (wishes, integers) = wishes(&arguments.thread, &program)?;
    if wishes.len() > 1 && arguments.certificate.is_some() {
        return Err(Failure::bad("a certificate is of one thread: name it with --thread"));
    }
    let files = hashes(&arguments.files)?;
    let version = env!("CARGO_PKG_VERSION");
    let stopped = || flag.load(std::sync::atomic::Ordering::Relaxed);
    let begun = std::time::Instant::now();
    let mut answers = Vec::new();
    let mut runs = false;
    for wish in &wishes {
        if stopped() {
            break;
        }
        let system = system(&program, wish, integers)?;
        if arguments.show_program {
            output::print(&system.to_string());
        }
        let options = Options {
            wish,
            integers,
            time: arguments.limits.time,
            fair: arguments.thread.fair,
            solver: solver.clone(),
            interrupted: &stopped,
            files: &files,
            clang: &clang,
            version,
        };
        let mut answer = exeunt_agree::prove(&system, &options);
        endless::confirm(&program, &mut answer);
        let in_time = arguments.limits.time.is_none_or(|time| begun.elapsed() < time);
        // Threads of C++ may run the same function of the library.
        let is_other = |other: &Thread| other.runs == system.threads[0].runs;
        let alone = system.threads[1..]
            .iter()
            .all(|other| !is_other(other) || other.name == system.threads[0].name);
        if in_time && integers == Integers::Exact && wish.beside.is_none() && alone {
            let over =
                || stopped() || arguments.limits.time.is_some_and(|time| begun.elapsed() > time);
            endless::look(&program, &system.threads[0], arguments.thread.fair, &over, &mut answer);
        }
        runs |= save_run(arguments, &system.threads[0].runs, &answer, runs)?;
        answers.push(answer);
    }
    let mut answer = exeunt_agree::together(answers);
    let hint = match runs {
        true => arguments.save.as_deref().map(replay_hint),
        false => save(arguments, &mut answer)?,
    };
    output::report(&answer.report, &output::this_run("prove", hint), &arguments.show)?;
    Ok(if stopped() { INTERRUPTED } else { answer.report.verdict.exit_code() })
}

/// The solver that was chosen; one that does not answer is refused.
fn solver(arguments: &ThreadArgs) -> Result<Settings, Failure> {
    let command = match &arguments.solver {
        None => None,
        Some(text) => {
            let words = shlex::split(text).filter(|words| !words.is_empty());
            let words = words.ok_or_else(|| Failure::bad("--solver is not a command"))?;
            exeunt_smt::try_solver(&words).map_err(|why| {
                let help =
                    "it must read SMT-LIB from its standard input: 'cvc5 --incremental', 'z3 -in'";
                Failure::bad(format!("--solver: {why}")).help(help)
            })?;
            Some(words)
        }
    };
    if let Some(directory) = &arguments.dump_queries {
        std::fs::create_dir_all(directory).map_err(|error| {
            Failure::bad(format!("cannot make {}: {error}", directory.display()))
        })?;
    }
    Ok(Settings { solver: command, dump: arguments.dump_queries.clone() })
}

/// One question, or one for each thread of the program.
fn wishes(arguments: &ThreadArgs, program: &Program) -> Result<(Vec<Wish>, Integers), Failure> {
    let names = match &arguments.thread {
        Some(name) => vec![name.clone()],
        None if program.main.is_none() => {
            let message = "which thread must end? name its function with --thread";
            return Err(Failure::bad(message));
        }
        None => {
            let asked = wish(arguments, String::new());
            exeunt_counter::thread_names(program, &asked).map_err(unsupported)?
        }
    };
    let integers = match arguments.integers {
        None | Some(IntegersChoice::Exact) => Integers::Exact,
        Some(IntegersChoice::Mathematical) => Integers::Mathematical,
    };
    Ok((names.into_iter().map(|name| wish(arguments, name)).collect(), integers))
}

fn wish(arguments: &ThreadArgs, thread: String) -> Wish {
    let star = |name: &String| match name.trim().strip_suffix('*') {
        Some(name) => (name.to_string(), true),
        None => (name.trim().to_string(), false),
    };
    let beside = arguments
        .env
        .as_ref()
        .map(|names| names.iter().map(star).filter(|(name, _)| !name.is_empty()).collect());
    Wish {
        thread,
        beside,
        locks: arguments.lock.clone(),
        unlocks: arguments.unlock.clone(),
        pure: arguments.pure.clone(),
        list_push: arguments.list_push.clone(),
        list_pop: arguments.list_pop.clone(),
        list_empty: arguments.list_empty.clone(),
    }
}

/// Functions that an optimiser must leave as they are.
fn kept(arguments: &ThreadArgs) -> Vec<String> {
    let lists = [
        &arguments.lock,
        &arguments.unlock,
        &arguments.pure,
        &arguments.list_push,
        &arguments.list_pop,
        &arguments.list_empty,
    ];
    let mut kept: Vec<String> = lists.into_iter().flatten().cloned().collect();
    kept.extend(arguments.thread.clone());
    let beside = arguments.env.iter().flatten();
    kept.extend(beside.map(|name| name.trim_end_matches('*').to_string()));
    kept
}

fn program(
    files: &[PathBuf],
    clang: &[String],
    kept: &[String],
    runtime: &Runtime,
) -> Result<Program, Failure> {
    front::bytecode_without_main(files, clang, kept.to_vec(), runtime)
}

/// The automata of a program.
fn system(program: &Program, wish: &Wish, integers: Integers) -> Result<System, Failure> {
    let request = Request { program, wish, integers };
    exeunt_counter::system(&request).map_err(unsupported)
}

fn unsupported(what: String) -> Failure {
    match what.starts_with("the program has") || what.ends_with("not defined") {
        true => Failure::bad(what),
        false => Failure::bad(format!("proofs do not support {what}")),
    }
}

/// Writes the first infinite run where it was asked for.
fn save_run(
    arguments: &ProveArgs,
    name: &str,
    answer: &Answer,
    known: bool,
) -> Result<bool, Failure> {
    let violated = answer.report.verdict == Verdict::Violated;
    let Some(path) = arguments.save.as_deref().filter(|_| violated && !known) else {
        return Ok(false);
    };
    if arguments.thread.env.is_some() {
        let message = "--save keeps runs of programs with `main`, without --env";
        return Err(Failure::bad(message));
    }
    endless::save(path, arguments, name, answer)?;
    Ok(true)
}

fn replay_hint(path: &Path) -> String {
    let name = path.to_string_lossy();
    let quoted = shlex::try_quote(&name).unwrap_or_else(|_| name.clone());
    format!("replay with: exeunt replay {quoted}")
}

fn hashes(files: &[PathBuf]) -> Result<Vec<(String, String)>, Failure> {
    files.iter().map(|file| Ok((file.display().to_string(), inputs::hash(file)?))).collect()
}

/// Writes the certificate where it was asked for, and into the report.
fn save(arguments: &ProveArgs, answer: &mut Answer) -> Result<Option<String>, Failure> {
    let Some(certificate) = &answer.certificate else { return Ok(None) };
    let mut text = serde_json::to_string_pretty(certificate).expect("plain data has a JSON form");
    text.push('\n');
    let hint = match &arguments.certificate {
        Some(path) => {
            output::write(path, &text)?;
            let name = path.to_string_lossy();
            let quoted = shlex::try_quote(&name).unwrap_or_else(|_| name.clone());
            format!("check the proof with: exeunt certify {quoted}")
        }
        None => {
            "`exeunt prove … --certificate FILE` keeps the proof for `exeunt certify FILE`".into()
        }
    };
    if let Some(proof) = &mut answer.report.proof {
        proof.certificate = Some(text);
    }
    Ok(Some(hint))
}

/// The certificate of a thread that a file holds, if it is one.
pub(crate) fn certificate(text: &[u8]) -> Option<ThreadCertificate> {
    let certificate: ThreadCertificate = serde_json::from_slice(text).ok()?;
    let ours = certificate.exeunt == THREAD_KIND && certificate.format == THREAD_FORMAT;
    ours.then_some(certificate)
}

pub(crate) fn certify(
    certificate: &ThreadCertificate,
    model: Option<&Path>,
) -> Result<u8, Failure> {
    let files: Vec<PathBuf> = match (model, certificate.files.as_slice()) {
        (None, files) => files.iter().map(|(path, _)| PathBuf::from(path)).collect(),
        (Some(path), [_]) => vec![path.to_path_buf()],
        (Some(_), _) => {
            return Err(Failure::bad("--model is for certificates of one file"));
        }
    };
    let wish = Wish {
        thread: certificate.thread.clone(),
        beside: certificate.beside.clone(),
        locks: certificate.locks.clone(),
        unlocks: certificate.unlocks.clone(),
        pure: certificate.pure.clone(),
        list_push: certificate.list_push.clone(),
        list_pop: certificate.list_pop.clone(),
        list_empty: certificate.list_empty.clone(),
    };
    let integers = match certificate.integers {
        Width::Exact => Integers::Exact,
        Width::Mathematical => Integers::Mathematical,
    };
    for (path, (_, sha256)) in files.iter().zip(&certificate.files) {
        if inputs::hash(path)? != *sha256 {
            failure::error(&format!("{} is not the program that was proven", path.display()));
            return Ok(WRONG);
        }
    }
    let runtime = Runtime::new()?;
    let lists =
        [&wish.locks, &wish.unlocks, &wish.pure, &wish.list_push, &wish.list_pop, &wish.list_empty];
    let mut kept: Vec<String> = lists.into_iter().flatten().cloned().collect();
    kept.push(wish.thread.clone());
    kept.extend(wish.beside.iter().flatten().map(|(name, _)| name.clone()));
    let program = program(&files, &certificate.clang, &kept, &runtime)?;
    let system = system(&program, &wish, integers)?;
    match exeunt_certify::check_thread(&system, certificate) {
        Ok(certified) => {
            let width = match integers {
                Integers::Exact => "integers wrap around",
                Integers::Mathematical => "integers have no bounds",
            };
            let schedules = match certificate.milestones.is_empty() {
                true => "every schedule",
                false => "every fair schedule",
            };
            output::print(&format!(
                "certified: thread `{}` ends in {schedules}\n  {} obligations were proven; {width}\n",
                certificate.thread, certified.obligations
            ));
            Ok(0)
        }
        Err(why) => {
            failure::error(&format!("the certificate proves nothing: {why}"));
            Ok(WRONG)
        }
    }
}
