//! `exeunt live`: the native program itself, under every schedule; and the
//! replay of a schedule that was found so.

use std::path::{Path, PathBuf};
use std::time::Instant;

use exeunt_live::{Options, Program, Random, Refusal};
use exeunt_model::{Property, Report, Schedule, Verdict, Violation};
use serde::{Deserialize, Serialize};

use crate::args::{LiveArgs, ReplayArgs};
use crate::failure::{Failure, INTERRUPTED};
use crate::inputs::{self, Input};
use crate::interrupt;
use crate::live_states::{self, States};
use crate::output;
use crate::progress::Display;
use crate::questions::Questions;
use crate::replay::{difference, not_reproduced};
use crate::settings::cores;
use crate::trace_file::Expected;

/// Everything that is needed to run a schedule of a native program again.
#[derive(Debug, Serialize, Deserialize)]
struct LiveTrace {
    /// Always "live-trace": tells the file from others.
    exeunt: String,
    program: PathBuf,
    arguments: Vec<String>,
    max_depth: u64,
    #[serde(default)]
    races: bool,
    #[serde(default)]
    spurious: u32,
    #[serde(default)]
    kernel_threads: bool,
    /// Atomic instructions were steps.
    #[serde(default)]
    atomics: bool,
    /// States were compared.
    #[serde(default)]
    states: bool,
    #[serde(default)]
    questions: Questions,
    /// The move from which the run repeats for ever.
    #[serde(default)]
    cycle: Option<usize>,
    inputs: Vec<Input>,
    schedule: String,
    expected: Expected,
}

pub(crate) const KIND: &str = "live-trace";

pub(crate) fn refused(refusal: Refusal) -> Failure {
    let failure = Failure::bad(refusal.message);
    match refusal.help {
        Some(help) => failure.help(help),
        None => failure,
    }
}

pub(crate) fn run(arguments: &LiveArgs) -> Result<u8, Failure> {
    output::writable(arguments.show.o.as_deref())?;
    output::writable(arguments.save.as_deref())?;
    let program = Program::new(&arguments.program, arguments.arguments.clone()).map_err(refused)?;
    if arguments.races && !program.is_instrumented() {
        let message = "`--races` needs a program whose accesses to memory are seen";
        return Err(Failure::bad(message).help("compile it with `exeunt cc --live`"));
    }
    let options = Options {
        minimal: arguments.minimal,
        all: arguments.all,
        max_depth: arguments.max_depth,
        max_runs: arguments.max_runs,
        random: arguments.random.map(|runs| Random {
            runs,
            seed: arguments.seed,
            depth: arguments.pct,
        }),
        context_bound: arguments.context_bound,
        races: arguments.races,
        spurious: arguments.spurious,
        time: arguments.time,
        patience: arguments.patience,
        kernel_threads: arguments.kernel_threads,
        // Nothing is established by random schedules, so they see all that can be seen.
        atomics: arguments.random.is_some() && program.has_hidden_steps(),
        restart: arguments.restart,
        jobs: arguments.jobs.map_or_else(cores, usize::from),
        hurry: arguments.jobs.is_some(),
        interrupt: interrupt::listen(),
    };
    let questions = Questions::of_live(arguments)?;
    live_states::refuse(arguments, &program, &questions)?;
    let display = Display::new();
    display.say("running");
    let answered = answer(arguments, &program, &options, &questions, &display);
    display.finish();
    let (mut report, mut how) = answered?;
    live_states::round(&program, &options, &mut report, &mut how)?;
    if arguments.show.looks_at_states() {
        let atomics = options.atomics || how.atomics;
        record_states(&program, &Options { atomics, ..options.clone() }, &mut report);
    }
    let saved = save(arguments, &report, &questions, how)?;
    output::report(
        &report,
        &output::this_run("live", hint(arguments, &report, saved)),
        &arguments.show,
    )?;
    let unfinished = report.verdict == Verdict::Inconclusive;
    Ok(if interrupt::requested() && unfinished { INTERRUPTED } else { report.verdict.exit_code() })
}

/// Traces longer than this are shown without their states, each of which is read from the running program.
const LONG: usize = 2_000;

/// Adds the states along each trace, for reports that show them. A program that does not let itself be looked at is
/// shown without.
fn record_states(program: &Program, options: &Options, report: &mut Report) {
    for violation in &mut report.violations {
        let trace = &mut violation.trace;
        if trace.steps.len() <= LONG {
            let states = exeunt_live::states_along(program, &trace.schedule, options);
            // Behind a step against the rules there is no state; with fewer, the last one would be taken for the end.
            let least = trace.steps.len() + usize::from(violation.property != Property::Misuse);
            trace.states = states.ok().filter(|all| all.len() >= least).unwrap_or_default();
        }
    }
}

/// How a report was made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct How {
    /// States were compared.
    pub(crate) states: bool,
    /// Atomic instructions were steps.
    pub(crate) atomics: bool,
}

const BY_STATES: How = How { states: true, atomics: false };

/// The report. Schedules first, unless states are asked for: where a schedule was cut
/// off and nothing was found, states may say more. Where the program has atomic
/// instructions, these are steps if nothing is found without them.
fn answer(
    arguments: &LiveArgs,
    program: &Program,
    options: &Options,
    questions: &Questions,
    display: &Display,
) -> Result<(Report, How), Failure> {
    let begun = Instant::now();
    if arguments.states || !questions.are_none() {
        let asked = States { options, questions, most: arguments.max_states, time: arguments.time };
        return Ok((live_states::run(program, &asked, display)?, BY_STATES));
    }
    let how = How { atomics: options.atomics, ..How::default() };
    let mut show = |progress: &exeunt_live::Progress| display.runs(progress.runs, progress.depth);
    if program.has_hidden_steps() && !options.atomics {
        return atomics_last(program, options, begun, &mut show);
    }
    let report = exeunt_live::explore(program, options, &mut show).map_err(refused)?;
    if !live_states::may_say_more(arguments, program, &report) {
        return Ok((report, how));
    }
    let time = arguments.time.map(|time| time.saturating_sub(begun.elapsed()));
    let most = Some(arguments.max_states.unwrap_or(live_states::MOST));
    let more = live_states::run(program, &States { options, questions, most, time }, display)?;
    Ok(match more.verdict {
        Verdict::Violated => (more, BY_STATES),
        Verdict::Holds if !arguments.races => (more, BY_STATES),
        Verdict::Holds | Verdict::Inconclusive => (report, how),
    })
}

/// Schedules in which atomic instructions are no steps, and if these show nothing, those in which they are. A thread
/// that waits in a loop of atomic instructions never comes to an operation before these are steps; so there is
/// little patience in the beginning, and all of it in the end if it is still needed.
fn atomics_last(
    program: &Program,
    options: &Options,
    begun: Instant,
    show: &mut dyn FnMut(&exeunt_live::Progress),
) -> Result<(Report, How), Failure> {
    let left = || {
        let time = options.time.map(|time| time.saturating_sub(begun.elapsed()));
        Options { time, ..options.clone() }
    };
    let over = |report: &Report| report.verdict == Verdict::Violated || interrupt::requested();
    let brief = exeunt_live::explore_briefly(program, options, show).map_err(refused)?;
    if let Some(report) = brief.as_ref().filter(|report| over(report)) {
        return Ok((report.clone(), How::default()));
    }
    let mut more = with_atomics(program, &left(), show)?;
    if !over(&more) {
        let before = match brief {
            Some(report) => report,
            None => exeunt_live::explore(program, &left(), show).map_err(refused)?,
        };
        if over(&before) {
            return Ok((before, How::default()));
        }
        more.statistics.runs = more.statistics.runs.zip(before.statistics.runs).map(|(a, b)| a + b);
        more.statistics.transitions += before.statistics.transitions;
        more.reason =
            format!("{}; with atomic instructions as steps: {}", before.reason, more.reason);
    }
    Ok((more, How { atomics: true, ..How::default() }))
}

/// So many schedules are run in which atomic instructions are steps, if nobody says
/// how many: a program that does much with them has no end of schedules.
const MOST_RUNS: u64 = 2_000;

/// Schedules in which the program's atomic instructions are steps.
fn with_atomics(
    program: &Program,
    options: &Options,
    show: &mut dyn FnMut(&exeunt_live::Progress),
) -> Result<Report, Failure> {
    let max_runs = Some(options.max_runs.unwrap_or(MOST_RUNS));
    let options = Options { atomics: true, ..options.clone() };
    let all = Options { max_runs, minimal: false, ..options.clone() };
    let mut report = exeunt_live::explore(program, &all, show).map_err(refused)?;
    if options.minimal && report.verdict == Verdict::Violated {
        report = exeunt_live::explore(program, &options, show).map_err(refused)?;
    }
    Ok(report)
}

fn save(
    arguments: &LiveArgs,
    report: &Report,
    questions: &Questions,
    how: How,
) -> Result<bool, Failure> {
    let (Some(path), Some(violation)) = (&arguments.save, report.violations.first()) else {
        return Ok(false);
    };
    let trace = LiveTrace {
        exeunt: KIND.to_string(),
        program: arguments.program.clone(),
        arguments: arguments.arguments.clone(),
        max_depth: arguments.max_depth,
        races: arguments.races,
        spurious: arguments.spurious,
        kernel_threads: arguments.kernel_threads,
        atomics: how.atomics,
        states: how.states,
        questions: questions.clone(),
        cycle: violation.trace.cycle_start,
        inputs: inputs::of(std::slice::from_ref(&arguments.program))?,
        schedule: violation.trace.schedule.to_string(),
        expected: Expected::new(violation),
    };
    let mut text = serde_json::to_string_pretty(&trace).expect("plain data has a JSON form");
    text.push('\n');
    output::write(path, &text)?;
    Ok(true)
}

fn hint(arguments: &LiveArgs, report: &Report, saved: bool) -> Option<String> {
    let path = path_of(&report.violations.first()?.trace.schedule.to_string());
    let rest = match &arguments.save {
        Some(path) if saved => {
            let name = path.to_string_lossy();
            let quoted = shlex::try_quote(&name).unwrap_or_else(|_| name.clone());
            format!("replay with: exeunt replay {quoted}")
        }
        _ => "add `--save FILE` to keep this schedule for `exeunt replay FILE`".to_string(),
    };
    Some(format!("{path}\n{rest}"))
}

/// Characters of a path that are shown.
const SHOWN: usize = 100;

/// A schedule by the numbers of its threads, as Sthread prints it; a long one is cut off.
fn path_of(schedule: &str) -> String {
    match schedule.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("Path = {}… (whose step it is, in order)", &schedule[..end]),
        None => format!("Path = {schedule} (whose step it is, in order)"),
    }
}

/// A native program with the schedule that a trace file keeps, and how it was run.
pub(crate) struct Recorded {
    trace: LiveTrace,
    pub(crate) program: Program,
    pub(crate) options: Options,
    pub(crate) schedule: Schedule,
}

impl Recorded {
    /// The program as its trace names it.
    pub(crate) fn path(&self) -> &Path {
        &self.trace.program
    }

    /// Whether the run has no end, or answers a question about all of it.
    pub(crate) fn is_endless(&self) -> bool {
        self.trace.cycle.is_some() || self.trace.expected.question.is_some()
    }

    /// What the schedule leads to; `Err` inside says why it does not.
    pub(crate) fn violation(&self) -> Result<Result<Violation, String>, Failure> {
        let report = self.report()?;
        Ok(report.and_then(|mut report| match difference(&report, &self.trace.expected) {
            None => Ok(report.violations.swap_remove(0)),
            Some(why) => Err(why),
        }))
    }

    fn report(&self) -> Result<Result<Report, String>, Failure> {
        let Recorded { trace, program, options, schedule } = self;
        if !trace.states {
            return exeunt_live::follow(program, options, schedule).map(Ok).map_err(refused);
        }
        let (questions, most, time) = (&trace.questions, None, None);
        let asked = States { options, questions, most, time };
        let question = trace.expected.question.as_deref();
        live_states::replay(program, &asked, schedule, trace.cycle, question)
    }
}

/// Reads a trace of a native program; `None` if the file is something else.
pub(crate) fn recorded(path: &Path) -> Result<Option<Recorded>, Failure> {
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(None) };
    let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) else { return Ok(None) };
    if value["exeunt"] != KIND {
        return Ok(None);
    }
    let trace: LiveTrace = serde_json::from_value(value)
        .map_err(|why| Failure::bad(format!("{} is not a trace file: {why}", path.display())))?;
    if let Some(changed) = inputs::changed(&trace.inputs)? {
        let message = format!("{} has changed since the trace was saved", changed.display());
        return Err(Failure::bad(message).help("run it again with `--save` for a new trace"));
    }
    let schedule: Schedule = trace.schedule.parse().map_err(Failure::bad)?;
    let program = Program::new(&trace.program, trace.arguments.clone()).map_err(refused)?;
    let options = Options {
        max_depth: trace.max_depth,
        races: trace.races,
        spurious: trace.spurious,
        kernel_threads: trace.kernel_threads,
        atomics: trace.atomics,
        interrupt: interrupt::listen(),
        ..Options::default()
    };
    Ok(Some(Recorded { trace, program, options, schedule }))
}

/// Replays a trace of a native program; `None` if the file is something else.
pub(crate) fn replay(arguments: &ReplayArgs) -> Result<Option<u8>, Failure> {
    let Some(recorded) = recorded(&arguments.trace)? else { return Ok(None) };
    if arguments.gdb {
        let (commands, Recorded { program, options, schedule, .. }) =
            (&arguments.gdb_command, &recorded);
        return exeunt_live::debug(program, options, schedule, commands).map(Some).map_err(refused);
    }
    let told = recorded.report()?;
    let Recorded { trace, program, options, .. } = recorded;
    let mut report = match told {
        Ok(report) => report,
        Err(why) => return Ok(Some(not_reproduced(&trace.expected, &why))),
    };
    if arguments.show.looks_at_states() {
        record_states(&program, &options, &mut report);
    }
    output::report(&report, &output::this_run("replay", None), &arguments.show)?;
    Ok(Some(match difference(&report, &trace.expected) {
        None => Verdict::Violated.exit_code(),
        Some(why) => not_reproduced(&trace.expected, &why),
    }))
}
