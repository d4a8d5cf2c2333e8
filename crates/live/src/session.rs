//! Listening to the runtime: its lines, as values.

use std::io::BufRead;
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use exeunt_model::{ActorId, Schedule};

use crate::Options;
use crate::hang;
use crate::process::{Output, Running, memory_file};
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

impl Found {
    /// Whether it is about threads that wait, among them these.
    pub(crate) fn waits_for(&self, actors: &[ActorId]) -> bool {
        let waits = matches!(self.kind.as_str(), "deadlock" | "circle" | "stuck");
        waits && actors.iter().all(|actor| self.actors.contains(actor))
    }
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
    /// A thread runs and comes to no operation; what it does, if that is known.
    Silent(Option<String>),
    /// One job alone takes long.
    Slow,
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
    !ready(&[running]).is_empty()
}

/// The numbers of those that have something to read, after at most 100 ms.
fn ready(all: &[&Running]) -> Vec<usize> {
    let buffered = |&at: &usize| !all[at].lines.buffer().is_empty();
    let known: Vec<usize> = (0..all.len()).filter(buffered).collect();
    if !known.is_empty() {
        return known;
    }
    let entry = |one: &&Running| libc::pollfd { fd: one.pipe(), events: libc::POLLIN, revents: 0 };
    let mut polls: Vec<libc::pollfd> = all.iter().map(entry).collect();
    // SAFETY: as many valid entries.
    unsafe { libc::poll(polls.as_mut_ptr(), polls.len() as libc::nfds_t, 100) };
    (0..all.len()).filter(|&at| polls[at].revents != 0).collect()
}

/// How long one job works alone, if nobody asked for several.
const ALONE: Duration = Duration::from_millis(500);

/// Lets the runtime explore: in one process if the program permits, otherwise
/// each run in its own; by one job in the beginning, by several if it takes long.
pub(crate) fn explore(
    program: &Program,
    plan: &str,
    options: &Options,
    deadline: Option<Instant>,
    report: &mut dyn FnMut(&Progress),
) -> Result<Explored, Refusal> {
    let mut plan = plan.to_string();
    let mut jobs = if options.hurry { options.jobs } else { 1 };
    loop {
        let explored = listen(program, &plan, jobs, options, deadline, report)?;
        let more = match &explored.stop {
            Stop::Impure | Stop::Lost => " forks=1".to_string(),
            Stop::Needs(key) => format!(" {key}=1"),
            Stop::Slow => {
                jobs = options.jobs;
                continue;
            }
            Stop::Complete | Stop::Found | Stop::Limit(_) | Stop::Interrupted | Stop::Silent(_) => {
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

/// One process that explores, and what it said.
struct Job {
    running: Running,
    heard: Instant,
    begun: bool,
    progress: Progress,
    missed: Option<Missed>,
    done: Option<Stop>,
}

/// Starts so many processes that share their work.
fn start(program: &Program, plan: &str, jobs: usize) -> std::io::Result<Vec<Job>> {
    let shared = memory_file(c"exeunt-live-jobs")?;
    shared.set_len(SHARED)?;
    let file = shared.as_raw_fd();
    let one = |number: usize| {
        let (plan, files) = match jobs {
            1 => (plan.to_string(), Vec::new()),
            _ => (format!("jobs={jobs} job={number} shared={file} {plan}"), vec![file]),
        };
        let running = Running::start_with(program, &plan, Output::Dropped, &files)?;
        let (heard, progress) = (Instant::now(), Progress::default());
        Ok(Job { running, heard, begun: false, progress, missed: None, done: None })
    };
    (0..jobs).map(one).collect()
}

/// Bytes that jobs share: how many runs were made, and who explores what.
const SHARED: u64 = 1 << 20;

/// Listens to one exploration, and obeys the limits.
fn listen(
    program: &Program,
    plan: &str,
    jobs: usize,
    options: &Options,
    deadline: Option<Instant>,
    report: &mut dyn FnMut(&Progress),
) -> Result<Explored, Refusal> {
    let begun = Instant::now();
    let mut jobs = start(program, plan, jobs)
        .map_err(|why| Refusal::new(format!("cannot run {}: {why}", program.path.display())))?;
    let mut heard = Heard::default();
    let stop = loop {
        if options.interrupt.load(Ordering::Relaxed) {
            break Stop::Interrupted;
        }
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            break Stop::Limit(format!("--time {:?}", options.time.unwrap_or_default()));
        }
        if jobs.len() < options.jobs && begun.elapsed() > ALONE {
            break Stop::Slow;
        }
        if let Some(stop) = over(&jobs) {
            break stop;
        }
        let busy: Vec<usize> = (0..jobs.len()).filter(|&at| jobs[at].done.is_none()).collect();
        let pipes: Vec<&Running> = busy.iter().map(|&at| &jobs[at].running).collect();
        let ready: Vec<usize> = ready(&pipes).into_iter().map(|at| busy[at]).collect();
        // The runtime speaks whenever a run is over.
        let most = options.patience + Duration::from_millis(200);
        let quiet = |&&at: &&usize| !ready.contains(&at) && jobs[at].heard.elapsed() > most;
        if let Some(&at) = busy.iter().find(quiet) {
            break Stop::Silent(hang::describe(&jobs[at].running));
        }
        let mut told = None;
        for at in ready {
            if let Some(stop) = heard.line(&mut jobs[at], options) {
                told = told.or(Some(stop));
            }
        }
        report(&total(&jobs));
        if let Some(stop) = told {
            break stop;
        }
    };
    jobs.iter_mut().for_each(|job| job.running.stop());
    if stop == Stop::Lost && !jobs.iter().any(|job| job.begun) {
        let message = format!("the runtime cannot be loaded into {}", program.path.display());
        return Err(
            Refusal::new(message).help("it needs a program that uses glibc's shared library")
        );
    }
    let Heard { found, sources, coarse } = heard;
    let missed = jobs.iter().filter_map(|job| job.missed).reduce(Missed::and).map(Missed::clause);
    let (progress, seconds) = (total(&jobs), begun.elapsed().as_secs_f64());
    Ok(Explored { found, progress, stop, sources, missed, coarse, seconds })
}

/// How the exploration ended, if every job is through.
fn over(jobs: &[Job]) -> Option<Stop> {
    let mut last = Stop::Complete;
    for job in jobs {
        match job.done.as_ref()? {
            Stop::Complete => {}
            stop if last == Stop::Complete => last = stop.clone(),
            _ => {}
        }
    }
    Some(last)
}

fn total(jobs: &[Job]) -> Progress {
    let mut sum = Progress::default();
    for Job { progress, .. } in jobs {
        sum.runs += progress.runs;
        sum.steps += progress.steps;
        sum.vain += progress.vain;
        sum.depth = sum.depth.max(progress.depth);
    }
    sum
}

/// What all jobs said.
#[derive(Default)]
struct Heard {
    found: Vec<Found>,
    sources: Vec<String>,
    coarse: bool,
}

impl Heard {
    /// Listens to one line of a job; says whether that ends everything.
    fn line(&mut self, job: &mut Job, options: &Options) -> Option<Stop> {
        job.heard = Instant::now();
        let mut text = String::new();
        if job.running.lines.read_line(&mut text).unwrap_or(0) == 0 {
            return Some(Stop::Lost);
        }
        match Line::parse(text.trim_end_matches('\n')) {
            Line::Begun => job.begun = true,
            Line::Progress(progress) => job.progress = progress,
            Line::Found(one) => self.found.push(one),
            Line::Done(how, progress) => {
                job.progress = progress;
                let stop = stop_of(&how, options);
                job.done = Some(stop.clone());
                return matches!(stop, Stop::Found | Stop::Lost).then_some(stop);
            }
            Line::Other(text) if text.starts_with("impure") => return Some(Stop::Impure),
            Line::Needs(key) => return Some(Stop::Needs(key)),
            Line::Other(text) => {
                self.coarse |= text == "coarse";
                job.missed = job.missed.or_else(|| Missed::parse(&text));
                let source = text.strip_prefix("source ").map(str::to_string);
                self.sources.extend(source.filter(|source| !self.sources.contains(source)));
            }
        }
        None
    }
}

/// What random runs say about bugs that they did not show.
#[derive(Clone, Copy, Debug)]
struct Missed {
    depth: u32,
    threads: u64,
    steps: u64,
    /// Runs that count: those that were made for so many threads and steps.
    runs: u64,
    /// The probability that one run shows such a bug.
    shows: f64,
}

impl Missed {
    /// `missed DEPTH THREADS STEPS RUNS PROBABILITY`
    fn parse(line: &str) -> Option<Missed> {
        let mut words = line.strip_prefix("missed ")?.split(' ');
        let mut next = || words.next()?.parse::<u64>().ok();
        let (depth, threads, steps, runs) = (next()? as u32, next()?, next()?, next()?);
        let shows = words.next()?.parse().ok()?;
        Some(Missed { depth, threads, steps, runs, shows })
    }

    /// Two series of runs: those for fewer threads or steps do not count.
    fn and(self, other: Missed) -> Missed {
        let size = |one: &Missed| (one.threads, one.steps);
        let covers = |a: &Missed, b: &Missed| a.threads >= b.threads && a.steps >= b.steps;
        match (size(&self) == size(&other), covers(&self, &other), covers(&other, &self)) {
            (true, ..) => Missed { runs: self.runs + other.runs, ..self },
            (_, true, _) => self,
            (_, _, true) => other,
            _ => Missed { runs: 0, ..self },
        }
    }

    fn clause(self) -> String {
        let Missed { depth, threads, steps, runs, shows } = self;
        let probability = (1.0 - shows).powf(runs as f64);
        format!(
            "a bug of depth {depth} in {threads} threads and {steps} steps was missed by the {runs} \
             runs by priorities with a probability of at most {probability:.2e}"
        )
    }
}

fn stop_of(how: &str, options: &Options) -> Stop {
    match how {
        "complete" | "followed" => Stop::Complete,
        "stopped" | "found" => Stop::Found,
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
