//! The engine's side inside the process: one run after another.
//!
//! Each run is made by a child process that begins as a copy of this one, in
//! the state before the first operation. The child decides as its copy of the
//! explorer says and writes down what the threads arrived at; the parent feeds
//! that to the explorer itself, which decides the same.

use std::ops::Range;
use std::sync::atomic::{AtomicPtr, Ordering};

use exeunt_model::{ActorId, Arrival, Director, End, Move, ObjectId, Schedule, Step};
use exeunt_search::{Explorer, Guarantee, RunEnd, Strategy};

use crate::log::Log;
use crate::machine::{Machine, World};
use crate::{closure, debugger, libraries, raw, snapshot, states, tell};

/// The environment variable with the plan.
pub const VARIABLE: &str = "EXEUNT_LIVE";

/// What the controller asks for.
#[derive(Debug)]
pub struct Plan {
    pub pipe: i32,
    strategy: Strategy,
    max_depth: usize,
    max_runs: u64,
    all: bool,
    /// Waits that can never end may be told: what is a step here is enough.
    proves: bool,
    /// Each run is made by a process of its own.
    forks: bool,
    /// Data races are looked for.
    races: bool,
    /// Cancellation points are scheduling points.
    cancels: bool,
    /// The ends of threads are scheduling points.
    ends: bool,
    /// The main thread ends before the program.
    main_left: bool,
    /// How often each thread may be woken without a signal.
    spurious: u32,
    /// Only look whether threads wait for ever behind this schedule.
    root: Option<Schedule>,
    /// Follow this schedule and tell everything.
    follow: Option<Schedule>,
    /// A debugger watches.
    debugged: bool,
    /// Where the controller asks for states, if it does.
    commands: Option<i32>,
    /// Where the functions that must return lie in the program's file.
    must_return: Range<usize>,
}

impl Plan {
    /// Reads `key=value` pairs, separated by blanks. Both sides are ours, so
    /// what is missing or odd has its default.
    pub fn read() -> Plan {
        let text = std::env::var(VARIABLE).unwrap_or_default();
        let value = |key: &str| {
            let mut pairs = text.split(' ').filter_map(|pair| pair.split_once('='));
            pairs.find(|(name, _)| *name == key).map(|(_, value)| value.to_string())
        };
        let number = |key: &str| value(key).and_then(|text| text.parse::<u64>().ok());
        Plan {
            pipe: number("pipe").map_or(-1, |file| file as i32),
            strategy: match value("strategy").as_deref() {
                Some("sleep") => Strategy::Sleep,
                Some("pct") => Strategy::Pct {
                    seed: number("seed").unwrap_or(0),
                    depth: number("depth").unwrap_or(2) as u32,
                },
                Some("preemptions") => {
                    Strategy::Preemptions(number("preemptions").unwrap_or(0) as u32)
                }
                Some("random") => Strategy::Random { seed: number("seed").unwrap_or(0) },
                _ => Strategy::Optimal,
            },
            max_depth: number("max-depth").unwrap_or(1000) as usize,
            max_runs: number("max-runs").unwrap_or(u64::MAX),
            all: value("all").is_some(),
            proves: value("proves").is_some(),
            forks: value("forks").is_some(),
            races: value("races").is_some(),
            cancels: value("cancels").is_some(),
            ends: value("ends").is_some() || value("main-left").is_some(),
            main_left: value("main-left").is_some(),
            spurious: number("spurious").unwrap_or(0) as u32,
            root: value("root").and_then(|text| text.parse().ok()),
            follow: value("follow").and_then(|text| text.parse().ok()),
            debugged: value("debugged").is_some(),
            commands: number("commands").map(|file| file as i32),
            must_return: number("must-from").unwrap_or(0) as usize
                ..number("must-to").unwrap_or(0) as usize,
        }
    }

    /// Tells the machine what it must know before the program begins.
    pub fn set_up(&self, machine: &mut Machine) {
        machine.races = self.races;
        machine.cancels = self.cancels;
        machine.asks_for_ends = self.ends;
        machine.main_left = self.main_left;
        machine.spurious = self.spurious;
        debugger::ATTACHED.store(self.debugged, Ordering::Relaxed);
        if !self.must_return.is_empty() {
            let base = libraries::program_base();
            let Range { start, end } = self.must_return;
            machine.must_return = base + start..base + end;
        }
    }

    pub fn tells(&self) -> bool {
        self.follow.is_some()
    }

    /// Whether the controller wants to know what is where in memory.
    pub fn maps(&self) -> bool {
        self.follow.is_some() || self.commands.is_some()
    }
}

static PLAN: AtomicPtr<Plan> = AtomicPtr::new(std::ptr::null_mut());

/// Keeps the plan for the engine.
pub fn keep(plan: Plan) {
    PLAN.store(Box::leak(Box::new(plan)), Ordering::Relaxed);
}

/// What the engine does, from its first moment to the end of the process.
pub fn body(machine: &mut Machine) {
    // SAFETY: it was leaked by `keep` before the program began.
    let plan = unsafe { &*PLAN.load(Ordering::Relaxed) };
    match (&plan.follow, plan.commands) {
        (Some(schedule), _) => follow(machine, plan, schedule),
        (None, Some(commands)) => {
            Method::new(machine, plan);
            states::serve(machine, commands);
        }
        (None, None) => explore(machine, plan),
    }
}

/// Milliseconds of a clock that only grows.
fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes the time to that place.
    unsafe {
        let place = &raw mut time as usize;
        let clock = libc::CLOCK_MONOTONIC as usize;
        raw::call(libc::SYS_clock_gettime, clock, place, 0, 0, 0, 0);
    }
    time.tv_sec as u64 * 1000 + time.tv_nsec as u64 / 1_000_000
}

#[derive(Default)]
struct Count {
    runs: u64,
    vain: u64,
    bounded: u64,
    /// A livelock was told.
    suspected: bool,
    /// How often it was tried to prove that a wait never ends.
    tries: u32,
    deepest: usize,
}

/// How many runs that were cut off are looked at more closely.
const TRIES: u32 = 4;

fn explore(machine: &mut Machine, plan: &Plan) {
    let mut explorer = Explorer::new(plan.strategy, plan.max_depth);
    if plan.races {
        explorer.watch_races();
    }
    let (mut count, mut last) = (Count::default(), now());
    let mut method = Method::new(machine, plan);
    if let Some(root) = &plan.root {
        tell_stuck(machine, &mut method, root);
        tell::line("done followed 1 0 0 0");
        return;
    }
    let how = loop {
        explorer.begin();
        method.execute(machine, &mut explorer, &mut |_| {});
        let outcome = explorer.outcome();
        count.deepest = count.deepest.max(explorer.events.len());
        match outcome {
            RunEnd::Redundant => count.vain += 1,
            _ => count.runs += 1,
        }
        count.bounded += (outcome == RunEnd::Bounded) as u64;
        if outcome == RunEnd::Bounded && count.tries < TRIES && plan.proves {
            count.tries += 1;
            if tell_stuck(machine, &mut method, &schedule(&explorer)) && !plan.all {
                break "stopped";
            }
        }
        if outcome == RunEnd::Bounded && !count.suspected {
            count.suspected = tell_livelock(&explorer);
        }
        if tell_outcome(&explorer, &outcome) && !plan.all {
            break "stopped";
        }
        if count.runs >= plan.max_runs {
            break "max-runs";
        }
        if !explorer.backtrack() {
            break match (count.bounded > 0, explorer.cut) {
                (true, _) => "bounded",
                (false, true) => "preemptions",
                (false, false) => "complete",
            };
        }
        if now() > last + 100 {
            last = now();
            let (runs, steps, depth) = (count.runs, explorer.transitions, count.deepest);
            tell::line(&format!("progress {runs} {steps} {depth}"));
        }
    };
    if let Some(guarantee) = explorer.guarantee() {
        let Guarantee { depth, threads, steps, runs } = guarantee;
        tell::line(&format!("missed {depth} {threads} {steps} {runs} {}", guarantee.missed()));
    }
    let Count { runs, vain, deepest, .. } = count;
    tell::line(&format!("done {how} {runs} {} {deepest} {vain}", explorer.transitions));
}

fn schedule(explorer: &Explorer) -> Schedule {
    let step = |event: &exeunt_search::RunEvent| Move {
        actor: event.key.actor,
        choices: (event.operation.arity > 1).then_some(event.key.choice).into_iter().collect(),
        withheld: false,
        turn: 0,
    };
    Schedule { moves: explorer.events.iter().map(step).collect() }
}

fn numbers(actors: &[ActorId]) -> String {
    actors.iter().map(|actor| actor.0.to_string()).collect::<Vec<_>>().join(",")
}

/// Says which threads wait for ever behind a run that was cut off, if that can
/// be proven.
fn tell_stuck(machine: &mut Machine, method: &mut Method, root: &Schedule) -> bool {
    if matches!(method, Method::Process(..)) {
        return false;
    }
    let mut execute =
        |machine: &mut Machine, director: &mut dyn Director, finish: &mut dyn FnMut(&Machine)| {
            method.execute(machine, director, finish);
        };
    let Some(open) = closure::stuck(machine, &mut execute, root) else { return false };
    let waits: Vec<ActorId> = open.waits.into_iter().collect();
    // An object is known by its address; what is above says how often it began.
    let place = |object: ObjectId| object.0 & ((1 << 48) - 1);
    let held = open.held.iter().map(|(actor, object)| format!("{}:{:x}", actor.0, place(*object)));
    let held = held.collect::<Vec<_>>().join(" ");
    tell::line(&format!("found stuck {root} [{}] {held}", numbers(&waits)));
    true
}

/// Says that a run that was cut off goes round in circles, if it does.
fn tell_livelock(explorer: &Explorer) -> bool {
    let Some((actors, period)) = explorer.livelock() else { return false };
    let schedule = schedule(explorer);
    tell::line(&format!("found livelock {schedule} [{}] {period}", numbers(&actors)));
    true
}

/// Says how a run went wrong, if it did.
fn tell_outcome(explorer: &Explorer, outcome: &RunEnd) -> bool {
    let (kind, actors, text) = match outcome {
        RunEnd::Ended(_) | RunEnd::Bounded | RunEnd::Redundant => return false,
        RunEnd::Fault { property, message } => (property.name(), String::new(), message.clone()),
        RunEnd::Race { first, second } => ("race", String::new(), format!("{first} {second}")),
        RunEnd::Deadlock(actors) => ("deadlock", numbers(actors), String::new()),
        RunEnd::Circle(actors) => ("circle", numbers(actors), String::new()),
        RunEnd::Unsupported(what) => ("unsupported", String::new(), what.clone()),
        RunEnd::Differs(at) => ("differs", at.to_string(), String::new()),
    };
    let text = text.replace('\n', " ");
    tell::line(&format!("found {kind} {} [{actors}] {text}", schedule(explorer)));
    true
}

/// How the program is started again.
enum Method {
    /// By a new process, which begins as a copy of this one.
    Process(Log, Positions),
    /// By taking memory and threads back to what they were.
    Memory(World),
}

impl Method {
    fn new(machine: &mut Machine, plan: &Plan) -> Method {
        if plan.forks {
            return Method::Process(Log::new(), Positions::new());
        }
        machine.note_stacks();
        let world = machine.world.clone();
        let mut kept = libraries::own_data();
        kept.extend([crate::HEAP.region(), machine.engine_stack()]);
        snapshot::take(&kept);
        Method::Memory(world)
    }

    /// One run. `finish` is called at its end, before memory is taken back, if
    /// that is how the program is started again.
    fn execute(
        &mut self,
        machine: &mut Machine,
        director: &mut dyn Director,
        finish: &mut dyn FnMut(&Machine),
    ) {
        match self {
            Method::Process(log, positions) => {
                positions.restore();
                execute(machine, director, log);
            }
            Method::Memory(world) => {
                machine.run(director, &mut |_, _, _| {});
                finish(machine);
                machine.world.clone_from(world);
                if let Some(snapshot) = snapshot::snapshot() {
                    snapshot.restore();
                }
            }
        }
    }
}

/// Where the files are read that were open in the beginning. Processes share
/// that with each other, so it is taken back before each run.
struct Positions(Vec<(i32, i64)>);

impl Positions {
    fn new() -> Positions {
        let entries = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        // SAFETY: asks for positions; whatever has none says so.
        let position = |file: i32| (file, unsafe { libc::lseek(file, 0, libc::SEEK_CUR) });
        let usual = numbers.filter(|file| *file > 2).map(position);
        Positions(usual.filter(|(_, position)| *position >= 0).collect())
    }

    fn restore(&self) {
        for (file, position) in &self.0 {
            // SAFETY: a position that the file had before.
            unsafe { libc::lseek(*file, *position, libc::SEEK_SET) };
        }
    }
}

/// One run in a child process.
fn execute(machine: &mut Machine, director: &mut dyn Director, log: &mut Log) {
    log.clear();
    // SAFETY: a plain fork: no handlers run and no lists of threads change.
    let child = unsafe { libc::syscall(libc::SYS_fork) } as i32;
    if child == 0 {
        // SAFETY: asks to be killed when the parent ends.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
        let mut write = |arrivals: &[Arrival], end: Option<&End>, freed: &[Range<u64>]| {
            log.write(arrivals, end, freed);
        };
        machine.run(director, &mut write);
        tell::leave(0);
    }
    let mut status = 0;
    // SAFETY: waits for the child; EINTR is tried again.
    while unsafe { libc::waitpid(child, &mut status, 0) } < 0 && errno() == libc::EINTR {}
    while let Some((arrivals, end, freed)) = log.read() {
        freed.into_iter().for_each(|words| director.freed(words));
        if director.next(&arrivals, end.as_ref()).is_none() {
            return;
        }
    }
    let why = match libc::WIFSIGNALED(status) {
        true => format!("a run that is killed by signal {}", libc::WTERMSIG(status)),
        false => format!("a run that leaves with code {}", libc::WEXITSTATUS(status)),
    };
    let _: Option<Step> = director.next(&[] as &[Arrival], Some(&End::Unsupported(why)));
}

fn errno() -> i32 {
    // SAFETY: the place of `errno` of the present thread.
    unsafe { *libc::__errno_location() }
}

/// One run along a schedule, in this process.
fn follow(machine: &mut Machine, plan: &Plan, wanted: &Schedule) {
    let mut explorer = Explorer::following(wanted, plan.max_depth);
    if plan.races {
        explorer.watch_races();
    }
    explorer.begin();
    machine.run(&mut explorer, &mut |_, _, _| {});
    tell::output();
    let outcome = explorer.outcome();
    if machine.world.end().is_none() {
        debugger::stops(machine, true);
    }
    // A step against the rules is the last one, and its thread never goes on.
    if let (RunEnd::Fault { .. }, None, Some(last)) =
        (&outcome, machine.world.end(), explorer.events.last())
    {
        tell::line(&format!("step {} misuse", last.key.actor.0));
    }
    tell_outcome(&explorer, &outcome);
    let steps = explorer.events.len();
    tell::line(&format!("done followed 1 {steps} {steps} 0"));
}
