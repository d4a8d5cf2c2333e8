//! `exeunt live` where states are stored and compared: formulas, invariants,
//! sections that are never left, endless loops.

use std::time::Duration;

use exeunt_live::{Graph, Program, Proposition};
use exeunt_model::{Basis, Model, Property, Report, Schedule, Verdict, Violation};
use exeunt_search::{Ask, Limits, Options, Progress, Temporal};

use crate::args::LiveArgs;
use crate::failure::Failure;
use crate::live::{How, refused};
use crate::progress::Display;
use crate::questions::Questions;
use crate::temporal;

/// How many states are looked at if nobody asked for states: schedules were
/// cut off, and these may say more.
pub(crate) const MOST: u64 = 50_000;

/// What is asked.
pub(crate) struct States<'a> {
    pub(crate) options: &'a exeunt_live::Options,
    pub(crate) questions: &'a Questions,
    pub(crate) most: Option<u64>,
    pub(crate) time: Option<Duration>,
}

/// Refuses questions whose answer would mean nothing.
pub(crate) fn refuse(
    arguments: &LiveArgs,
    program: &Program,
    questions: &Questions,
) -> Result<(), Failure> {
    if questions.are_none() {
        return Ok(());
    }
    let others = [
        (arguments.minimal, "--minimal"),
        (arguments.random.is_some(), "--random"),
        (arguments.context_bound.is_some(), "--context-bound"),
        (arguments.max_runs.is_some(), "--max-runs"),
        (arguments.races, "--races"),
    ];
    if let Some((_, flag)) = others.iter().find(|(given, _)| *given) {
        let message = format!("formulas and invariants are asked of states, `{flag}` of schedules");
        return Err(Failure::bad(message).help("ask in two runs"));
    }
    // Between two operations a value could come and go unseen.
    if !program.is_instrumented() {
        let message = "formulas and invariants need a program whose accesses to memory are seen";
        return Err(Failure::bad(message).help("compile it with `exeunt cc --live`"));
    }
    Ok(())
}

/// Whether states may say more than the schedules that were run.
pub(crate) fn may_say_more(arguments: &LiveArgs, program: &Program, report: &Report) -> bool {
    let bounded = report.limits_hit.first().is_some_and(|limit| limit.starts_with("--max-depth"));
    let other = arguments.random.is_some() || arguments.minimal || arguments.spurious > 0;
    report.verdict == Verdict::Inconclusive && bounded && !other && !program.has_hidden_steps()
}

fn asked(questions: &Questions) -> Result<(Vec<Ask>, Vec<Proposition>), Failure> {
    let (asks, texts) = temporal::of_program(questions, Some("say it without `X`"))?;
    let read = |text: &String| Proposition::parse(text).map_err(refused);
    let propositions = texts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    Ok((asks, propositions))
}

fn options(states: &States<'_>) -> Options {
    Options {
        all: states.options.all,
        limits: Limits { time: states.time, max_states: states.most, ..Limits::default() },
        interrupt: states.options.interrupt.clone(),
        ..Options::default()
    }
}

pub(crate) fn run(
    program: &Program,
    states: &States<'_>,
    display: &Display,
) -> Result<Report, Failure> {
    let (asks, propositions) = asked(states.questions)?;
    let mut graph = Graph::start(program, states.options, propositions).map_err(refused)?;
    let report = loop {
        let report = search(&graph, states, &asks, display)?;
        if !graph.renewed().map_err(refused)? {
            break report;
        }
    };
    exeunt_live::explain(program, states.options, &graph, report).map_err(refused)
}

fn search(
    graph: &Graph,
    states: &States<'_>,
    asks: &[Ask],
    display: &Display,
) -> Result<Report, Failure> {
    let show = &mut |progress: &Progress| display.show(progress);
    let options = options(states);
    let mut session = graph.open(Basis::Learnt);
    if asks.is_empty() {
        return Ok(exeunt_search::check(&mut *session, &options, show));
    }
    // What was asked for comes first.
    let how = Temporal { fair: states.questions.fair, faults: true };
    let answered = exeunt_search::check_temporal(&mut *session, &options, how, asks, show);
    if let Some(why) = graph.wrong() {
        return Err(Failure::bad(why).help("a proposition must have a value in every state"));
    }
    let answered = answered.map_err(temporal::wrong)?;
    if answered.verdict == Verdict::Violated && !options.all {
        return Ok(answered);
    }
    let base = exeunt_search::check(&mut *session, &options, show);
    Ok(exeunt_search::joined(base, answered))
}

/// So many states, and so long, behind a schedule after which threads wait for ever.
const BEHIND: (u64, Duration) = (5_000, Duration::from_secs(2));

/// Tells of waits that were found in schedules what only states say: from where on it was too late, and what the other
/// threads repeat for ever. Where the states behind the schedule are too many or cannot be compared, the
/// report stays as it is.
pub(crate) fn round(
    program: &Program,
    options: &exeunt_live::Options,
    report: &mut Report,
    how: &mut How,
) -> Result<(), Failure> {
    let options = exeunt_live::Options { atomics: how.atomics, ..options.clone() };
    if how.states || options.spurious > 0 || options.kernel_threads {
        return Ok(());
    }
    let questions = Questions::default();
    let (most, time) = (Some(BEHIND.0), Some(BEHIND.1));
    let states = States { options: &options, questions: &questions, most, time };
    for (at, known) in report.violations.iter_mut().enumerate() {
        if !matches!(known.property, Property::Deadlock | Property::Section) {
            continue;
        }
        let told = replay(program, &states, &known.trace.schedule, None, None);
        let Ok(Ok(mut told)) = told else { continue };
        let same =
            |one: &Violation| (one.property, &one.message) == (known.property, &known.message);
        if let Some(found) = told.violations.iter().position(same) {
            *known = told.violations.swap_remove(found);
            // Trace files keep the first.
            how.states |= at == 0;
        }
    }
    Ok(())
}

/// A native program to walk through, whose steps and states say where its threads stand.
pub(crate) fn walked(program: &Program, options: &exeunt_live::Options) -> Result<Graph, Failure> {
    let mut graph = Graph::start(program, options, Vec::new()).map_err(refused)?.telling();
    // A short look finds most of what the program needs from its beginning on.
    let limits = Limits { max_states: Some(SHORT), ..Limits::default() };
    let look = Options { limits, order: exeunt_search::Order::Shortest, ..Options::default() };
    loop {
        exeunt_search::check(&mut *graph.open(Basis::Learnt), &look, &mut |_: &Progress| {});
        if !graph.renewed().map_err(refused)? {
            return Ok(graph);
        }
    }
}

/// How many states a short look sees.
const SHORT: u64 = 300;

/// Runs a schedule again; `Err` inside says why it shows nothing.
pub(crate) fn replay(
    program: &Program,
    states: &States<'_>,
    schedule: &Schedule,
    cycle: Option<usize>,
    question: Option<&str>,
) -> Result<Result<Report, String>, Failure> {
    let (asks, propositions) = asked(states.questions)?;
    let mut graph = Graph::start(program, states.options, propositions).map_err(refused)?;
    let ask = asks.iter().find(|ask| Some(ask.id.as_str()) == question);
    let report = loop {
        let session = graph.open(Basis::Learnt);
        let report = match ask {
            Some(ask) => {
                exeunt_search::confirm(&*session, ask, states.questions.fair, schedule, cycle)
            }
            None => exeunt_search::replay(&*session, &options(states), schedule, cycle),
        };
        drop(session);
        if !graph.renewed().map_err(refused)? {
            break report;
        }
    };
    Ok(match report {
        Err(why) => Err(why),
        Ok(report) => {
            let told = exeunt_live::explain(program, states.options, &graph, report);
            Ok(told.map_err(refused)?)
        }
    })
}
