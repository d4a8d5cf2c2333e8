//! The engine's side inside the process: one run after another, as the plan of
//! the controller says.

use std::ops::Range;
use std::sync::atomic::{AtomicPtr, Ordering};

use exeunt_model::{ActorId, Move, ObjectId, Run, Schedule};
use exeunt_search::{Explorer, Guarantee, RunEnd, Strategy};

use crate::hooks::kernel;
use crate::jobs::Jobs;
use crate::look::{Onlooker, Watched};
use crate::machine::Machine;
use crate::restart::Native;
use crate::{closure, debugger, libraries, raw, states, tell};

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
    /// Runs begin at the beginning, not in a state of the run before.
    beginning: bool,
    /// Data races are looked for.
    races: bool,
    /// Cancellation points are scheduling points.
    cancels: bool,
    /// The ends of threads are scheduling points.
    ends: bool,
    /// The main thread ends before the program.
    main_left: bool,
    /// The exploration begins with `main`.
    early: bool,
    /// Each thread of the program has a kernel thread.
    kernel: bool,
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
    /// The file that says where atomic instructions are, if they are steps.
    sites: Option<String>,
    /// The number of this job, how many there are, and the memory they share.
    jobs: Option<(u64, u64, i32)>,
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
            beginning: value("beginning").is_some(),
            races: value("races").is_some(),
            cancels: value("cancels").is_some(),
            ends: value("ends").is_some() || value("main-left").is_some(),
            main_left: value("main-left").is_some(),
            early: value("early").is_some(),
            kernel: value("kernel").is_some(),
            spurious: number("spurious").unwrap_or(0) as u32,
            root: value("root").and_then(|text| text.parse().ok()),
            follow: value("follow").and_then(|text| text.parse().ok()),
            debugged: value("debugged").is_some(),
            commands: number("commands").map(|file| file as i32),
            must_return: number("must-from").unwrap_or(0) as usize
                ..number("must-to").unwrap_or(0) as usize,
            sites: value("sites"),
            jobs: number("jobs").filter(|jobs| *jobs > 1).map(|jobs| {
                (number("job").unwrap_or(0), jobs, number("shared").map_or(-1, |file| file as i32))
            }),
        }
    }

    /// Tells the machine what it must know before the program begins.
    pub fn set_up(&self, machine: &mut Machine) {
        machine.races = self.races;
        machine.cancels = self.cancels;
        machine.asks_for_ends = self.ends;
        machine.main_left = self.main_left;
        machine.spurious = self.spurious;
        machine.knows.extend(self.early.then_some("early"));
        machine.knows.extend(self.kernel.then_some("kernel"));
        debugger::ATTACHED.store(self.debugged, Ordering::Relaxed);
        if !self.must_return.is_empty() {
            let base = libraries::program_base();
            let Range { start, end } = self.must_return;
            machine.must_return = base + start..base + end;
        }
    }

    /// The file that says where atomic instructions are, if they are steps.
    pub fn sites(&self) -> Option<&str> {
        self.sites.as_deref()
    }

    /// Whether the first step is the beginning of `main`.
    pub fn begins_early(&self) -> bool {
        self.early
    }

    pub fn has_kernel_threads(&self) -> bool {
        self.kernel
    }

    pub fn tells(&self) -> bool {
        self.follow.is_some()
    }

    /// Whether the controller looks at memory while a schedule is followed.
    pub fn looks(&self) -> bool {
        self.follow.is_some() && self.commands.is_some()
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
            Native::new(machine, false);
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

/// Asks for the time seldom: a run may take less than the question.
#[derive(Default)]
struct Ticks(u64);

impl Ticks {
    /// Some milliseconds have passed since this was last said.
    fn passed(&mut self) -> bool {
        // SAFETY: every processor of this kind has the instruction.
        let now = unsafe { std::arch::x86_64::_rdtsc() };
        let passed = now.wrapping_sub(self.0) > 20_000_000;
        if passed {
            self.0 = now;
        }
        passed
    }
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
/// So many runs are made after a wait was found that never ends, before it is told.
const LATER: u64 = 500;

fn explore(machine: &mut Machine, plan: &Plan) {
    let mut explorer = Explorer::new(plan.strategy, plan.max_depth);
    if plan.races {
        explorer.watch_races();
    }
    let (mut count, mut last, mut ticks) = (Count::default(), now(), Ticks::default());
    let mut jobs = plan.jobs.map(|(number, all, file)| Jobs::new(number, all, file));
    let mut native = Native::new(machine, plan.forks);
    if let Some(root) = &plan.root {
        if let Some(line) = stuck(&mut native, root) {
            tell::line(&line);
        }
        tell::line("done followed 1 0 0 0");
        return;
    }
    explorer.resumes = !plan.beginning;
    let mut most = plan.max_runs;
    let mut stuck_since: Option<(String, u64)> = None;
    if let Some(jobs) = &mut jobs {
        most = jobs.divide(&mut native, &mut explorer, plan.strategy, plan.max_runs);
    }
    let how = loop {
        if count.runs >= most {
            break "max-runs";
        }
        explorer.begin();
        if let Err(why) = native.execute(&mut explorer) {
            tell::line(&format!("found unsupported {} [] {why}", schedule(&explorer)));
            break "stopped";
        }
        let outcome = explorer.outcome();
        count.deepest = count.deepest.max(explorer.events.len());
        if outcome == RunEnd::Elsewhere
            || jobs.as_ref().is_some_and(|jobs| jobs.leaves(&explorer, &outcome))
        {
            match explorer.backtrack() {
                true => continue,
                false => break finished(&count, &explorer),
            }
        }
        match outcome {
            RunEnd::Redundant => count.vain += 1,
            _ => count.runs += 1,
        }
        count.bounded += (outcome == RunEnd::Bounded) as u64;
        if outcome == RunEnd::Bounded && count.tries < TRIES && plan.proves {
            count.tries += 1;
            if let Some(line) = stuck(&mut native, &schedule(&explorer)) {
                match plan.all {
                    true => tell::line(&line),
                    false => stuck_since = stuck_since.or(Some((line, count.runs))),
                }
                count.tries = TRIES;
            }
            explorer.forget_marks();
        }
        if outcome == RunEnd::Bounded && !count.suspected {
            count.suspected = tell_livelock(&explorer);
        }
        if tell_outcome(&explorer, &outcome) && !plan.all {
            break "found";
        }
        // A deadlock says more than a wait of others for it.
        if stuck_since.as_ref().is_some_and(|(_, since)| count.runs > since + LATER) {
            break "stopped";
        }
        if count.runs >= most || jobs.as_ref().is_some_and(|jobs| jobs.made() >= plan.max_runs) {
            break "max-runs";
        }
        if !explorer.backtrack() {
            break finished(&count, &explorer);
        }
        if ticks.passed() && now() > last + 100 {
            last = now();
            let (runs, steps, depth) = (count.runs, explorer.transitions, count.deepest);
            tell::line(&format!("progress {runs} {steps} {depth}"));
        }
    };
    let how = match stuck_since.filter(|_| how != "found") {
        Some((line, _)) => {
            tell::line(&line);
            "stopped"
        }
        None => how,
    };
    if let Some(guarantee) = explorer.guarantee() {
        let Guarantee { depth, threads, steps, runs } = guarantee;
        tell::line(&format!("missed {depth} {threads} {steps} {runs} {}", guarantee.shows()));
    }
    let Count { runs, vain, deepest, .. } = count;
    tell::line(&format!("done {how} {runs} {} {deepest} {vain}", explorer.transitions));
}

/// What is said of an exploration after which nothing is left to be run.
fn finished(count: &Count, explorer: &Explorer) -> &'static str {
    match (count.bounded > 0, explorer.cut) {
        (true, _) => "bounded",
        (false, true) => "preemptions",
        (false, false) => "complete",
    }
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

/// What to say if threads wait for ever behind a run that was cut off, and that
/// can be proven.
fn stuck(native: &mut Native<'_>, root: &Schedule) -> Option<String> {
    if native.makes_processes() {
        return None;
    }
    let open = closure::stuck(native, root)?;
    let waits: Vec<ActorId> = open.waits.into_iter().collect();
    // An object is known by its address; what is above says how often it began.
    let place = |object: ObjectId| object.0 & ((1 << 48) - 1);
    let held = open.held.iter().map(|(actor, object)| format!("{}:{:x}", actor.0, place(*object)));
    let held = held.collect::<Vec<_>>().join(" ");
    Some(format!("found stuck {root} [{}] {held}", numbers(&waits)))
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
        RunEnd::Ended(_) | RunEnd::Bounded | RunEnd::Redundant | RunEnd::Elsewhere => return false,
        RunEnd::Fault { property, message } => (property.name(), String::new(), message.clone()),
        RunEnd::Race { first, second } => ("race", String::new(), format!("{first} {second}")),
        RunEnd::Deadlock(actors) => match explorer.awaits(|object| object.0 & kernel::FIRST != 0) {
            Some(actor) => ("outside", actor.0.to_string(), String::new()),
            None => ("deadlock", numbers(actors), String::new()),
        },
        RunEnd::Circle(actors) => ("circle", numbers(actors), String::new()),
        RunEnd::Unsupported(what) => ("unsupported", String::new(), what.clone()),
        RunEnd::Differs(at) => ("differs", at.to_string(), String::new()),
    };
    let text = text.replace('\n', " ");
    tell::line(&format!("found {kind} {} [{actors}] {text}", schedule(explorer)));
    true
}

/// One run along a schedule, in this process.
fn follow(machine: &mut Machine, plan: &Plan, wanted: &Schedule) {
    let mut explorer = Explorer::following(wanted, plan.max_depth);
    if plan.races {
        explorer.watch_races();
    }
    explorer.begin();
    match plan.commands {
        Some(commands) => looked_at(machine, &mut explorer, commands),
        None => machine.run(&mut explorer, &mut ()),
    }
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

/// The same, where the controller looks at every state on the way.
fn looked_at(machine: &mut Machine, explorer: &mut Explorer, commands: i32) {
    let onlooker = Onlooker::new(commands);
    let mut watched = Watched { explorer, onlooker: &onlooker };
    machine.run(&mut watched, &mut &onlooker);
    // A program that has ended is no longer recorded.
    if machine.world.end().is_some() {
        onlooker.borrow_mut().pause(machine);
    }
}
