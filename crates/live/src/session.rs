//! Listening to the runtime: its lines, as values.

use std::io::BufRead;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use exeunt_model::{ActorId, Schedule};

use crate::Options;
use crate::process::{Output, Running};
use crate::program::{Program, Refusal};

/// How far an exploration is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub runs: u64,
    pub steps: u64,
    pub depth: u64,
    /// Runs that turned out to be known already.
    pub vain: u64,
}

/// How a run went wrong, as the runtime says it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The name of a property, or `circle`, `unsupported`, `differs`.
    pub(crate) kind: String,
    pub(crate) schedule: Schedule,
    pub(crate) actors: Vec<ActorId>,
    pub(crate) text: String,
}

/// Why the exploration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Everything was seen.
    Complete,
    /// Something was found.
    Found,
    /// A limit was reached: its flag.
    Limit(String),
    Interrupted,
    /// A thread runs and comes to no operation.
    Silent,
    /// The program asked the kernel for something that cannot be taken back:
    /// each run needs a process of its own.
    Impure,
    /// The program does something that the plan must know from the beginning.
    Needs(String),
    /// The program ended before the runtime had control, or the runtime died.
    Lost,
}

pub(crate) struct Explored {
    pub(crate) found: Vec<Found>,
    pub(crate) progress: Progress,
    pub(crate) stop: Stop,
    /// What may be different in every run.
    pub(crate) sources: Vec<String>,
    /// What random runs say about bugs that they did not show.
    pub(crate) missed: Option<String>,
    /// Copies were not looked at byte by byte.
    pub(crate) coarse: bool,
    pub(crate) seconds: f64,
}

/// One line of the runtime.
pub(crate) enum Line {
    Begun,
    Progress(Progress),
    Found(Found),
    Done(String, Progress),
    /// The plan must have this, too.
    Needs(String),
    /// What only a story needs.
    Other(String),
}

impl Line {
    pub(crate) fn parse(text: &str) -> Line {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let other = || Line::Other(text.to_string());
        match word {
            "begun" => Line::Begun,
            "needs" => Line::Needs(rest.to_string()),
            "progress" => Line::Progress(progress(rest)),
            "done" => {
                let (how, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                Line::Done(how.to_string(), progress(rest))
            }
            "found" => found(rest).map_or_else(other, Line::Found),
            _ => other(),
        }
    }
}

fn progress(text: &str) -> Progress {
    let mut numbers = text.split(' ').map(|word| word.parse().unwrap_or(0));
    let mut next = || numbers.next().unwrap_or(0);
    Progress { runs: next(), steps: next(), depth: next(), vain: next() }
}

/// `KIND SCHEDULE [ACTORS] TEXT`; the schedule may be empty.
fn found(rest: &str) -> Option<Found> {
    let mut parts = rest.splitn(4, ' ');
    let kind = parts.next()?.to_string();
    let schedule = parts.next()?.parse().ok()?;
    let actors = parts.next()?.trim_matches(['[', ']']);
    let actors = actors.split(',').filter_map(|number| Some(ActorId(number.parse().ok()?)));
    let actors = actors.collect();
    Some(Found { kind, schedule, actors, text: parts.next().unwrap_or("").to_string() })
}

/// Waits up to 100 ms for something to read.
pub(crate) fn readable(running: &Running) -> bool {
    if !running.lines.buffer().is_empty() {
        return true;
    }
    let mut poll = libc::pollfd { fd: running.pipe(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one valid entry.
    unsafe { libc::poll(&mut poll, 1, 100) > 0 }
}

/// Lets the runtime explore: in one process if the program permits, otherwise
/// each run in its own.
pub(crate) fn explore(
    program: &Program,
    plan: &str,
    options: &Options,
    deadline: Option<Instant>,
    report: &mut dyn FnMut(&Progress),
) -> Result<Explored, Refusal> {
    let mut plan = plan.to_string();
    loop {
        let explored = listen(program, &plan, options, deadline, report)?;
        let more = match &explored.stop {
            Stop::Impure | Stop::Lost => " forks=1".to_string(),
            Stop::Needs(key) => format!(" {key}=1"),
            Stop::Complete | Stop::Found | Stop::Limit(_) | Stop::Interrupted | Stop::Silent => {
                return Ok(explored);
            }
        };
        // What was asked for already does not help.
        if plan.contains(&more) {
            return Ok(explored);
        }
        plan.push_str(&more);
    }
}

/// Listens to one exploration, and obeys the limits.
fn listen(
    program: &Program,
    plan: &str,
    options: &Options,
    deadline: Option<Instant>,
    report: &mut dyn FnMut(&Progress),
) -> Result<Explored, Refusal> {
    let start = Instant::now();
    let mut running = Running::start(program, plan, Output::Dropped)
        .map_err(|why| Refusal::new(format!("cannot run {}: {why}", program.path.display())))?;
    let (mut found, mut last, mut begun) = (Vec::new(), Progress::default(), false);
    let (mut coarse, mut missed) = (false, None);
    let mut sources: Vec<String> = Vec::new();
    let mut heard = Instant::now();
    let stop = loop {
        if options.interrupt.load(Ordering::Relaxed) {
            break Stop::Interrupted;
        }
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            break Stop::Limit(format!("--time {:?}", options.time.unwrap_or_default()));
        }
        if !readable(&running) {
            // The runtime speaks whenever a run is over.
            if heard.elapsed() > options.patience + Duration::from_millis(200) {
                break Stop::Silent;
            }
            continue;
        }
        heard = Instant::now();
        let mut text = String::new();
        if running.lines.read_line(&mut text).unwrap_or(0) == 0 {
            break Stop::Lost;
        }
        match Line::parse(text.trim_end_matches('\n')) {
            Line::Begun => begun = true,
            Line::Progress(progress) => {
                last = progress;
                report(&last);
            }
            Line::Found(one) => found.push(one),
            Line::Done(how, progress) => {
                last = progress;
                break stop_of(&how, options);
            }
            Line::Other(text) if text.starts_with("impure") => break Stop::Impure,
            Line::Needs(key) => break Stop::Needs(key),
            Line::Other(text) => {
                coarse |= text == "coarse";
                missed = missed.or_else(|| guarantee(&text));
                let source = text.strip_prefix("source ").map(str::to_string);
                sources.extend(source.filter(|source| !sources.contains(source)));
            }
        }
    };
    running.stop();
    if stop == Stop::Lost && !begun {
        let message = format!("the runtime cannot be loaded into {}", program.path.display());
        return Err(
            Refusal::new(message).help("it needs a program that uses glibc's shared library")
        );
    }
    Ok(Explored {
        found,
        progress: last,
        stop,
        sources,
        missed,
        coarse,
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// `missed DEPTH THREADS STEPS RUNS PROBABILITY`, as a clause.
fn guarantee(line: &str) -> Option<String> {
    let mut words = line.strip_prefix("missed ")?.split(' ');
    let mut next = || words.next();
    let (depth, threads, steps, runs) = (next()?, next()?, next()?, next()?);
    let probability = next()?.parse::<f64>().ok()?;
    Some(format!(
        "a bug of depth {depth} in {threads} threads and {steps} steps was missed by the {runs} \
         runs that count with a probability of at most {probability:.2e}"
    ))
}

fn stop_of(how: &str, options: &Options) -> Stop {
    match how {
        "complete" | "followed" => Stop::Complete,
        "stopped" => Stop::Found,
        "bounded" => Stop::Limit(format!("--max-depth {}", options.max_depth)),
        "preemptions" => {
            Stop::Limit(format!("--context-bound {}", options.context_bound.unwrap_or(0)))
        }
        "max-runs" => Stop::Limit(match options.random {
            Some(random) => format!("--random {}", random.runs),
            None => format!("--max-runs {}", options.max_runs.unwrap_or(0)),
        }),
        _ => Stop::Lost,
    }
}
