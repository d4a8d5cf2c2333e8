//! `exeunt prove` on a Promela model: a run that never ends, in a model with unbounded channels,
//! and the proof of it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use exeunt_certify::{Certificate, ModelFile};
use exeunt_promela::{PromelaModel, PromelaOptions};
use exeunt_prove::{Answer, Grow, Options};

use crate::args::{Arguments, CheckArgs, Command, ProveArgs, ShowArgs};
use crate::failure::{Failure, INTERRUPTED};
use crate::front::{self, Language};
use crate::inputs;
use crate::interrupt;
use crate::output;
use crate::settings::defines;
use crate::threads;

/// What is asked, whichever command asks it.
struct Question<'a> {
    file: &'a Path,
    defines: Vec<String>,
    language: Language,
    grow: Grow,
    process: Option<String>,
    all: bool,
    max_states: Option<u64>,
    time: Option<Duration>,
    certificate: Option<&'a PathBuf>,
    show_program: bool,
    show: &'a ShowArgs,
    command: &'a str,
}

pub(crate) fn run(arguments: &ProveArgs) -> Result<u8, Failure> {
    let [file] = arguments.files.as_slice() else { return threads::run(arguments) };
    if !front::is_promela(file, arguments.compiling.language) {
        return threads::run(arguments);
    }
    threads::refuse(arguments)?;
    if arguments.save.is_some() {
        return Err(Failure::bad("--save is about C programs"));
    }
    let grow = match arguments.grow.as_deref() {
        None => Grow::Preferred,
        Some("") => Grow::Anything,
        Some(name) => Grow::Named(name.to_string()),
    };
    answer(&Question {
        file,
        defines: defines(&arguments.compiling.arguments())?,
        language: arguments.compiling.language,
        grow,
        process: arguments.process.clone(),
        all: arguments.all,
        max_states: arguments.limits.max_states,
        time: arguments.limits.time,
        certificate: arguments.certificate.as_ref(),
        show_program: arguments.show_program,
        show: &arguments.show,
        command: "prove",
    })
}

/// `exeunt check --unbounded`.
pub(crate) fn unbounded(arguments: &CheckArgs) -> Result<u8, Failure> {
    let [file] = arguments.files.as_slice() else {
        return Err(Failure::bad("--unbounded is for one Promela model"));
    };
    refuse_others(arguments)?;
    answer(&Question {
        file,
        defines: defines(&arguments.compiling.arguments())?,
        language: arguments.compiling.language,
        grow: Grow::Preferred,
        process: None,
        all: false,
        max_states: arguments.search.limits.max_states,
        time: arguments.search.limits.time,
        certificate: None,
        show_program: false,
        show: &arguments.show,
        command: "check",
    })
}

/// Refuses whatever a proof would silently leave out. What is allowed is named
/// here, so that an option that is added later is refused, too.
fn refuse_others(arguments: &CheckArgs) -> Result<(), Failure> {
    let plain = Arguments::parse_from(["exeunt", "check", "--unbounded", "model.pml"]);
    let Command::Check(mut plain) = plain.command else { unreachable!("this is `check`") };
    plain.files = arguments.files.clone();
    plain.compiling = arguments.compiling.clone();
    plain.search.limits.time = arguments.search.limits.time;
    plain.search.limits.max_states = arguments.search.limits.max_states;
    plain.show = arguments.show.clone();
    if format!("{plain:?}") == format!("{arguments:?}") {
        return Ok(());
    }
    let allowed = "--unbounded goes only with --time, --max-states and what is about the output";
    Err(Failure::bad(allowed).help("`exeunt prove` also has --grow, --process and --certificate"))
}

fn answer(question: &Question<'_>) -> Result<u8, Failure> {
    output::writable(question.show.o.as_deref())?;
    output::writable(question.certificate.map(PathBuf::as_path))?;
    let model = load(question.file, question.defines.clone(), question.language)?;
    let file = ModelFile {
        path: question.file.display().to_string(),
        sha256: inputs::hash(question.file)?,
        defines: question.defines.clone(),
    };
    let defaults = Options::default();
    let options = Options {
        grow: question.grow.clone(),
        process: question.process.clone(),
        all: question.all,
        max_states: question.max_states.unwrap_or(defaults.max_states),
        time: question.time,
        interrupt: interrupt::listen(),
    };
    let version = env!("CARGO_PKG_VERSION");
    let mut answer = exeunt_prove::prove(&model, &options, file, version).map_err(Failure::bad)?;
    let certificate = answer.certificate.as_ref().map(text_of);
    let saved = save(question, certificate.as_deref())?;
    for (number, other) in answer.others.iter().enumerate() {
        if let Some(path) = question.certificate {
            output::write(&numbered(path, number + 2), &text_of(other))?;
        }
    }
    if let Some(proof) = &mut answer.report.proof {
        proof.certificate = certificate;
    }
    let run = output::this_run(question.command, hint(question, &answer, saved));
    output::proof(&answer.report, &run, question.show, question.show_program)?;
    Ok(if answer.interrupted { INTERRUPTED } else { answer.report.verdict.exit_code() })
}

/// A Promela model; all that is wrong with it is told at once.
pub(crate) fn load(
    file: &Path,
    defines: Vec<String>,
    language: Language,
) -> Result<PromelaModel, Failure> {
    front::only_promela(file, language)?;
    let options = PromelaOptions { defines, ..PromelaOptions::default() };
    let model = front::promela_model(file, &options)?;
    if let Some(source) = model.embedded_source() {
        let place = source.location.as_ref().map_or(String::new(), |at| format!("{at}: "));
        let message = format!("{place}embedded C code is not supported in proofs");
        return Err(Failure::bad(message).help("`exeunt check` executes it"));
    }
    match model.warnings().first() {
        // Proofs are about the values of messages, so all of them must be there.
        Some(wrong) => Err(Failure::bad(format!("{}: {}", wrong.location, wrong.message))),
        None => Ok(model),
    }
}

/// `f.json` becomes `f.2.json`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    match path.extension() {
        Some(ending) => path.with_extension(format!("{number}.{}", ending.to_string_lossy())),
        None => path.with_extension(number.to_string()),
    }
}

fn text_of(certificate: &Certificate) -> String {
    let mut text = serde_json::to_string_pretty(certificate).expect("plain data has a JSON form");
    text.push('\n');
    text
}

fn save(question: &Question<'_>, certificate: Option<&str>) -> Result<bool, Failure> {
    let (Some(path), Some(text)) = (question.certificate, certificate) else {
        return Ok(false);
    };
    output::write(path, text)?;
    Ok(true)
}

fn hint(question: &Question<'_>, answer: &Answer, saved: bool) -> Option<String> {
    answer.report.proof.as_ref()?;
    Some(match question.certificate {
        Some(path) if saved => {
            let name = path.to_string_lossy();
            let quoted = shlex::try_quote(&name).unwrap_or_else(|_| name.clone());
            format!("check the proof with: exeunt certify {quoted}")
        }
        _ => "`exeunt prove … --certificate FILE` keeps the proof for `exeunt certify FILE`"
            .to_string(),
    })
}
