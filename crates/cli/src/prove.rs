//! `exeunt prove`: a run that never ends, in a model with unbounded channels,
//! and the proof of it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use exeunt_certify::ModelFile;
use exeunt_promela::{PromelaModel, PromelaOptions};
use exeunt_prove::{Answer, Grow, Options, Proven};
use exeunt_report::{Format, Run};

use crate::args::{Arguments, CheckArgs, Command, ProveArgs, ShowArgs};
use crate::failure::{Failure, INTERRUPTED};
use crate::front;
use crate::inputs;
use crate::interrupt;
use crate::output;
use crate::settings::defines;

/// What is asked, whichever command asks it.
struct Question<'a> {
    file: &'a Path,
    defines: Vec<String>,
    grow: Grow,
    process: Option<String>,
    max_states: Option<u64>,
    time: Option<Duration>,
    certificate: Option<&'a PathBuf>,
    show_program: bool,
    show: &'a ShowArgs,
    command: &'a str,
}

pub(crate) fn run(arguments: &ProveArgs) -> Result<u8, Failure> {
    let grow = match arguments.grow.as_deref() {
        None => Grow::Preferred,
        Some("") => Grow::Anything,
        Some(name) => Grow::Named(name.to_string()),
    };
    answer(&Question {
        file: &arguments.file,
        defines: defines(&arguments.compiling.arguments())?,
        grow,
        process: arguments.process.clone(),
        max_states: arguments.max_states,
        time: arguments.time,
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
        grow: Grow::Preferred,
        process: None,
        max_states: arguments.max_states,
        time: arguments.time,
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
    plain.time = arguments.time;
    plain.max_states = arguments.max_states;
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
    let model = load(question.file, question.defines.clone())?;
    let file = ModelFile {
        path: question.file.display().to_string(),
        sha256: inputs::hash(question.file)?,
        defines: question.defines.clone(),
    };
    let defaults = Options::default();
    let options = Options {
        grow: question.grow.clone(),
        process: question.process.clone(),
        max_states: question.max_states.unwrap_or(defaults.max_states),
        time: question.time,
        interrupt: interrupt::listen(),
    };
    let version = env!("CARGO_PKG_VERSION");
    let answer = exeunt_prove::prove(&model, &options, file, version).map_err(Failure::bad)?;
    let saved = save(question, &answer)?;
    let run = Run {
        command: question.command.to_string(),
        version: version.to_string(),
        replay: hint(question, &answer, saved),
    };
    let text = output::rendered(&answer.report, &run, question.show);
    output::deliver(with_proof(text, &answer, question), question.show)?;
    Ok(if answer.interrupted { INTERRUPTED } else { answer.report.verdict.exit_code() })
}

/// A Promela model; all that is wrong with it is told at once.
pub(crate) fn load(file: &Path, defines: Vec<String>) -> Result<PromelaModel, Failure> {
    front::only_promela(file)?;
    let options = PromelaOptions { defines, ..PromelaOptions::default() };
    front::promela_model(file, &options)
}

fn save(question: &Question<'_>, answer: &Answer) -> Result<bool, Failure> {
    let certificate = answer.proven.as_ref().and_then(|proven| proven.certificate.as_ref());
    let (Some(path), Some(certificate)) = (question.certificate, certificate) else {
        return Ok(false);
    };
    let mut text = serde_json::to_string_pretty(certificate).expect("plain data has a JSON form");
    text.push('\n');
    output::write(path, &text)?;
    Ok(true)
}

fn hint(question: &Question<'_>, answer: &Answer, saved: bool) -> Option<String> {
    answer.proven.as_ref()?;
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

/// The report with the proof behind it.
fn with_proof(text: String, answer: &Answer, question: &Question<'_>) -> String {
    let Some(proven) = &answer.proven else { return text };
    match question.show.format {
        Format::Human => format!("{text}\n{}", explained(proven, question.show_program)),
        Format::Json => with_member(&text, proven),
        Format::Html => {
            let inner = escaped(&explained(proven, true));
            let section = format!("<section><h2>The proof</h2><pre>{inner}</pre></section>");
            text.replacen("</body>", &format!("{section}\n</body>"), 1)
        }
        Format::Sarif => text,
    }
}

fn explained(proven: &Proven, show_program: bool) -> String {
    let mut text = String::new();
    for (heading, lines) in &proven.explained {
        text.push_str(&format!("{heading}\n"));
        lines.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    text.push_str(&format!("taken for granted\n  {}\n", proven.assumption));
    match proven.refinements {
        0 => {}
        1 => text.push_str("  (the invariant was strengthened once)\n"),
        times => text.push_str(&format!("  (the invariant was strengthened {times} times)\n")),
    }
    if show_program {
        text.push_str("the same as a program with numbers for queues\n");
        proven.program.lines().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    text
}

/// Adds the member `proof` to the report's object.
fn with_member(text: &str, proven: &Proven) -> String {
    let proof = serde_json::json!({
        "certificate": proven.certificate,
        "assumption": proven.assumption,
        "refinements": proven.refinements,
        "explained": proven.explained,
        "program": proven.program,
    });
    let proof = serde_json::to_string_pretty(&proof).expect("plain data has a JSON form");
    let indented = proof.replace('\n', "\n  ");
    match text.trim_end().strip_suffix('}') {
        Some(open) => format!("{},\n  \"proof\": {indented}\n}}\n", open.trim_end()),
        None => text.to_string(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
