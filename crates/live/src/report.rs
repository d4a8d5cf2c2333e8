//! The verdict on a native program, in the form that all engines share.

use std::time::{Duration, Instant};

use exeunt_model::words;
use exeunt_model::{
    ActorId, Label, Location, Property, Report, Schedule, SectionReport, Statistics, Verdict,
    Violation,
};

use crate::program::{Program, Refusal};
use crate::session::{self, Explored, Found, Progress, Stop};
use crate::shorten;
use crate::story::{self, Story};
use crate::{Options, Random, Restart};

/// Runs the program under every schedule.
pub fn explore(
    program: &Program,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Report, Refusal> {
    conclude(program, options, explored(program, options, progress)?)
}

/// How long a thread may run without coming to an operation in a brief exploration.
const BRIEF: Duration = Duration::from_secs(1);

/// The same, with little patience: `None` if a thread came to no operation for a while, and nothing was found
/// before that.
pub fn explore_briefly(
    program: &Program,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Option<Report>, Refusal> {
    let options = Options { patience: options.patience.min(BRIEF), ..options.clone() };
    let explored = explored(program, &options, progress)?;
    match matches!(explored.stop, Stop::Silent(_)) && explored.found.is_empty() {
        true => Ok(None),
        false => conclude(program, &options, explored).map(Some),
    }
}

fn explored(
    program: &Program,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Explored, Refusal> {
    let deadline = options.time.map(|time| Instant::now() + time);
    let explored = match options.minimal {
        true => deepening(program, options, deadline, progress)?,
        false => {
            // Where atomic instructions are no steps, more can follow than is seen.
            let proves = if program.atomics { "" } else { " proves=1" };
            session::explore(program, &plan(options, proves), options, deadline, progress)?
        }
    };
    match options.minimal {
        // No schedule has fewer steps.
        true => Ok(explored),
        false => shorter(program, options, explored, deadline),
    }
}

/// What was found, with schedules of as few steps as a short look finds.
fn shorter(
    program: &Program,
    options: &Options,
    mut explored: Explored,
    deadline: Option<Instant>,
) -> Result<Explored, Refusal> {
    for found in &mut explored.found {
        found.schedule = shorten::shorter(program, options, found, deadline)?;
    }
    Ok(explored)
}

/// Runs the program along a schedule.
pub fn follow(
    program: &Program,
    options: &Options,
    schedule: &Schedule,
) -> Result<Report, Refusal> {
    let start = Instant::now();
    let story = story::tell(program, schedule, options)?;
    let mut found: Vec<Found> = story.found.iter().cloned().collect();
    if found.is_empty() && !program.atomics {
        // Nothing goes wrong up to here, but a wait may last for ever from here on.
        let plan = format!("root={schedule} max-depth={}{}", options.max_depth, options.always());
        let alone = Options { jobs: 1, ..options.clone() };
        found = session::explore(program, &plan, &alone, None, &mut |_| {})?.found;
    }
    let stop = if found.is_empty() { Stop::Complete } else { Stop::Found };
    let steps = story.trace.steps.len() as u64;
    let progress = Progress { runs: 1, steps, depth: steps, vain: 0 };
    let seconds = start.elapsed().as_secs_f64();
    let explored = Explored {
        found,
        progress,
        stop,
        coarse: false,
        missed: None,
        sources: Vec::new(),
        seconds,
    };
    let mut report = conclude(program, options, explored)?;
    if report.verdict == Verdict::Holds {
        report.verdict = Verdict::Inconclusive;
        report.reason = "the schedule ended without a violation".to_string();
    }
    Ok(report)
}

/// `proves`: the part of the plan that lets waits be proven to last for ever.
fn plan(options: &Options, proves: &str) -> String {
    let mut plan = format!("max-depth={}", options.max_depth);
    if let Some(runs) = options.max_runs {
        plan.push_str(&format!(" max-runs={runs}"));
    }
    if let Some(random) = options.random {
        plan = format!("{plan} seed={} max-runs={}", random.seed, random.runs);
        plan.push_str(&match random.depth {
            Some(depth) => format!(" strategy=pct depth={depth}"),
            None => " strategy=random".to_string(),
        });
    }
    if let Some(most) = options.context_bound {
        plan.push_str(&format!(" strategy=preemptions preemptions={most}"));
    }
    if options.all {
        plan.push_str(" all=1");
    }
    plan.push_str(match options.restart {
        Restart::Resume => "",
        Restart::Beginning => " beginning=1",
        Restart::Process => " forks=1",
    });
    plan + &options.always() + proves
}

/// Runs of fewer steps are made by one job.
const SHORT: u64 = 12;

/// Depth one, then two… until something shows or nothing is cut off. Sleep
/// sets alone leave out no state within the depth.
fn deepening(
    program: &Program,
    options: &Options,
    deadline: Option<Instant>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Explored, Refusal> {
    let (mut runs, mut steps, mut seconds) = (0, 0, 0.0);
    for depth in 1..=options.max_depth {
        let plan = format!("max-depth={depth} strategy=sleep{}", options.always());
        // Short runs are not worth sharing.
        let jobs = if depth < SHORT { 1 } else { options.jobs };
        let options = &Options { jobs, ..options.clone() };
        let mut explored = session::explore(program, &plan, options, deadline, progress)?;
        runs += explored.progress.runs;
        steps += explored.progress.steps;
        seconds += explored.seconds;
        let bounded = matches!(&explored.stop, Stop::Limit(flag) if flag.contains("max-depth"));
        if !bounded || depth == options.max_depth {
            explored.progress = Progress { runs, steps, ..explored.progress };
            explored.seconds = seconds;
            return Ok(explored);
        }
    }
    unreachable!("the last depth returns")
}

fn conclude(program: &Program, options: &Options, explored: Explored) -> Result<Report, Refusal> {
    let mut violations: Vec<Violation> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    for found in &explored.found {
        match judge(program, options, found, &explored.sources)? {
            Ok(violation) => {
                let again = |other: &Violation| {
                    (other.property, &other.location) == (violation.property, &violation.location)
                };
                if !violations.iter().any(again) {
                    violations.push(violation);
                }
            }
            Err(why) => open.push(why),
        }
    }
    let Explored { progress, stop, seconds, coarse, missed, .. } = explored;
    let limit = match &stop {
        Stop::Complete | Stop::Found => None,
        Stop::Limit(flag) => Some(format!("not everything was explored ({flag})")),
        Stop::Interrupted => Some("not everything was explored (interrupted)".to_string()),
        Stop::Silent(what) => Some(format!(
            "a thread ran for {:?} without coming to an operation of the thread library: {}",
            options.patience,
            what.as_deref().unwrap_or("it computes, or waits in a system call")
        )),
        Stop::Impure | Stop::Needs(_) | Stop::Slow | Stop::Lost => {
            Some("the process ended before the exploration did".to_string())
        }
    };
    let (verdict, reason) = if let Some(first) = violations.first() {
        (Verdict::Violated, first.message.clone())
    } else if let Some(why) = open.first().or(limit.as_ref()) {
        let why = match options.random {
            Some(Random { runs, seed, .. }) if open.is_empty() && progress.runs >= runs => {
                let missed = missed.map(|text| format!("; {text}")).unwrap_or_default();
                let missed = match options.random {
                    Some(Random { depth: None, .. }) => missed + &confidence(runs),
                    _ => missed,
                };
                format!("no fault and no deadlock in {runs} random schedules (seed {seed}){missed}")
            }
            _ => why.clone(),
        };
        (Verdict::Inconclusive, why)
    } else if coarse {
        open.push(COARSE.to_string());
        (Verdict::Inconclusive, COARSE.to_string())
    } else if program.atomics {
        let runs = progress.runs;
        let why = if options.atomics { PLAIN } else { ATOMICS };
        open.push(why.to_string());
        (Verdict::Inconclusive, format!("no fault and no deadlock in {runs} schedules, but {why}"))
    } else {
        (Verdict::Holds, holds(progress.runs, program.instrumented, options.races))
    };
    let mut limits_hit: Vec<String> = match stop {
        Stop::Limit(flag) => vec![flag],
        Stop::Interrupted => vec!["interrupted".to_string()],
        Stop::Complete
        | Stop::Found
        | Stop::Silent(_)
        | Stop::Impure
        | Stop::Needs(_)
        | Stop::Slow
        | Stop::Lost => Vec::new(),
    };
    limits_hit.extend(open);
    let statistics = Statistics {
        runs: Some(progress.runs),
        transitions: progress.steps,
        revisits: progress.vain,
        max_depth: Some(progress.depth),
        seconds,
        phases: vec![("exploring", seconds)],
        ..Statistics::default()
    };
    Ok(Report { violations, statistics, limits_hit, ..Report::new(verdict, reason) })
}

/// Why nothing is established for such programs.
const PLAIN: &str = "the program uses atomic instructions, and loads and stores among these were no \
     steps; compile it with `exeunt cc --live` if it is C or C++";
const ATOMICS: &str =
    "the program uses atomic instructions, and the orders of these were not explored";

/// What is known about schedules like those that were run, whatever the bug is: if one
/// of them fails with probability p, all `runs` miss it with probability (1-p)^runs.
fn confidence(runs: u64) -> String {
    let most = 1.0 - 0.05f64.powf(1.0 / runs as f64);
    format!("; one more such schedule fails with a probability below {most:.2e} (confidence 95 %)")
}

/// Why no race is not established.
const COARSE: &str = "no data race was found, but accesses in atomic blocks and in copies of more \
     than 384 bytes were not looked at one by one";

fn holds(runs: u64, instrumented: bool, races: bool) -> String {
    let what = match races {
        true => "no fault, no deadlock and no data race outside of libraries",
        false => "no fault and no deadlock",
    };
    let how = match instrumented {
        true => "threads were switched at operations of the thread library and accesses to memory",
        false => {
            "threads were switched at operations of the thread library only, so data races are not \
             seen"
        }
    };
    match runs {
        1 => format!("{what}, in the only schedule there is; {how}"),
        _ => format!("{what}, in all {runs} schedules that differ; {how}"),
    }
}

/// What is not looked at in this program although it asks for that.
pub(crate) fn hidden(program: &Program) -> Option<String> {
    let text =
        "functions that must return are seen only in programs compiled by `exeunt cc --live`";
    program.hides_functions().then(|| text.to_string())
}

/// A violation with its story, or why it is none.
fn judge(
    program: &Program,
    options: &Options,
    found: &Found,
    sources: &[String],
) -> Result<Result<Violation, String>, Refusal> {
    let sources = match sources {
        [] => "no source of it was seen; it may be an address, a clock of the processor or memory \
               that is not initialised"
            .to_string(),
        some => format!("it reads {}", some.join(" and ")),
    };
    match found.kind.as_str() {
        "unsupported" => return Ok(Err(format!("{} is not supported", found.text))),
        "differs" => {
            return Ok(Err(format!(
                "the program is not deterministic: it did something else when it was run again \
                 along {} ({sources})",
                found.schedule
            )));
        }
        _ => {}
    }
    let mut story = story::tell(program, &found.schedule, options)?;
    // Where the threads of a circle wait, it is too late; an engine with states may say: earlier.
    let circle = story.circle.as_ref().filter(|(_, actors)| found.waits_for(actors));
    story.trace.too_late = circle.map(|(steps, _)| *steps);
    if found.kind == "outside" {
        return Ok(Err(outside(&story, found)));
    }
    if found.kind == "livelock" {
        return Ok(Err(livelock(&mut story, found)));
    }
    if found.kind == "stuck" {
        return Ok(Ok(match found.actors.is_empty() {
            true => never_given_back(&mut story, &found.text),
            false => deadlock(&mut story, &found.actors, Property::Section),
        }));
    }
    let same = |again: &Found| (&again.kind, &again.actors) == (&found.kind, &found.actors);
    if !story.found.as_ref().is_some_and(same) {
        return Ok(Err(format!(
            "the program is not deterministic: along {} it went wrong once ({}) and not again \
             ({sources})",
            found.schedule, found.kind
        )));
    }
    Ok(Ok(match found.kind.as_str() {
        "deadlock" => deadlock(&mut story, &found.actors, Property::Deadlock),
        "circle" => deadlock(&mut story, &found.actors, Property::Section),
        "race" => race(story, &found.text),
        name => fault(&mut story, name, &found.text),
    }))
}

/// Locks that are held for ever: `ACTOR:PLACE` for each.
pub(crate) fn never_given_back(story: &mut Story, text: &str) -> Violation {
    let pairs: Vec<(u32, u64)> = text
        .split(' ')
        .filter_map(|pair| pair.split_once(':'))
        .filter_map(|(actor, place)| {
            Some((actor.parse().ok()?, u64::from_str_radix(place, 16).ok()?))
        })
        .collect();
    let sections: Vec<SectionReport> =
        pairs.iter().filter_map(|&(actor, place)| story.held(ActorId(actor), place)).collect();
    let clause = |section: &SectionReport| {
        words::never_unlocked(&format!("thread {}", section.actor), &format!("`{}`", section.name))
    };
    let clauses: Vec<String> = sections.iter().map(clause).collect();
    let labels = sections.iter().skip(1).filter_map(|section| {
        Some(Label { location: section.opened.clone()?, text: section.why.clone() })
    });
    Violation {
        property: Property::Section,
        message: clauses.join("; "),
        location: sections.first().and_then(|section| section.opened.clone()),
        callers: Vec::new(),
        labels: labels.collect(),
        help: vec![words::NO_WAY_OUT.to_string()],
        question: None,
        sections,
        trace: std::mem::take(&mut story.trace),
    }
}

/// A run in which no thread can move, but something outside could end a wait.
fn outside(story: &Story, found: &Found) -> String {
    let thread = found.actors.first().map_or(String::new(), |actor| {
        let place = story.last_of(*actor).map(|place| format!(" at {place}")).unwrap_or_default();
        format!("thread {actor}{place}")
    });
    format!(
        "no thread can move after {}, but {thread} waits for a file or a signal, and that may come \
         from outside of the program",
        found.schedule
    )
}

/// What is suspected of a run that was cut off.
fn livelock(story: &mut Story, found: &Found) -> String {
    let places = found.actors.iter().map(|&actor| {
        let place = story.last_of(actor);
        place.map_or(format!("thread {actor}"), |place| format!("thread {actor} at {place}"))
    });
    let places: Vec<String> = places.collect();
    format!(
        "a livelock is suspected, not proven: {} repeat the same {} steps again and again, and no \
         other thread can move",
        places.join(" and "),
        found.text
    )
}

/// Two steps that nothing orders: `FIRST SECOND`.
fn race(mut story: Story, text: &str) -> Violation {
    let mut numbers = text.split(' ').filter_map(|word| word.parse::<usize>().ok());
    let (first, second) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    let thread = |story: &Story, step: usize| story.trace.steps.get(step).map(|one| one.actor);
    let name = |actor: Option<ActorId>| actor.map_or("?".to_string(), |actor| actor.to_string());
    let (them, me) = (name(thread(&story, first)), name(thread(&story, second)));
    let (object, did, does) = story.conflict(first, second);
    let mut labels = Vec::new();
    let (location, outer) = story.stack(second);
    labels.extend(calls(&me, outer));
    let (place, outer) = story.stack(first);
    labels.extend(
        place.map(|location| Label { location, text: format!("thread {them} {did} it here") }),
    );
    labels.extend(calls(&them, outer));
    Violation {
        property: Property::Race,
        message: format!(
            "data race on {object}: thread {me} {does} it, thread {them} {did} it before, and \
             nothing orders the two"
        ),
        location: location.or_else(|| story.last()),
        callers: Vec::new(),
        labels,
        help: vec![format!(
            "one lock held in both accesses would order them, or a release of thread {them} after \
             its access that thread {me} acquires before its own"
        )],
        question: None,
        sections: Vec::new(),
        trace: story.trace,
    }
}

/// The calls that led to a place, from the inside.
fn calls(thread: &str, outer: Vec<Location>) -> impl Iterator<Item = Label> {
    let thread = thread.to_string();
    outer.into_iter().map(move |location| {
        let text = format!("thread {thread} called it in `{}`", location.function);
        Label { location, text }
    })
}

pub(crate) fn fault(story: &mut Story, name: &str, text: &str) -> Violation {
    let property = Property::ALL.into_iter().find(|property| property.name() == name);
    let (location, outer) = story.fault_stack();
    let actor = story.trace.steps.last().map_or(ActorId(0), |step| step.actor);
    Violation {
        property: property.unwrap_or(Property::Assertion),
        message: text.to_string(),
        location: location.or_else(|| story.last()),
        callers: Vec::new(),
        labels: calls(&actor.to_string(), outer).collect(),
        help: Vec::new(),
        sections: Vec::new(),
        trace: std::mem::take(&mut story.trace),
        question: None,
    }
}

pub(crate) fn deadlock(story: &mut Story, actors: &[ActorId], property: Property) -> Violation {
    let clauses: Vec<String> = actors.iter().filter_map(|&actor| story.waiting(actor)).collect();
    let waits: Vec<_> = actors.iter().filter_map(|&actor| story.wait(actor)).collect();
    let labels = waits.iter().skip(1).filter_map(|(section, place)| {
        Some(Label { location: place.clone()?, text: section.why.clone() })
    });
    let (message, help) = match property {
        Property::Deadlock => (
            format!("deadlock: {}", clauses.join("; ")),
            "no thread can move, so none of these waits can ever end",
        ),
        _ => (words::endless_waits(&clauses), words::NO_WAY_OUT),
    };
    let labels = labels.collect();
    Violation {
        property,
        message,
        location: waits.first().and_then(|(_, place)| place.clone()),
        callers: Vec::new(),
        labels,
        help: vec![help.to_string()],
        sections: with_locks(story, waits.into_iter().map(|(section, _)| section).collect()),
        trace: std::mem::take(&mut story.trace),
        question: None,
    }
}

/// The waits, and then the locks that those who wait hold.
fn with_locks(story: &mut Story, waits: Vec<SectionReport>) -> Vec<SectionReport> {
    let mut sections = waits.clone();
    for wait in waits {
        for place in story.locks_of(wait.actor) {
            let held = story.held(wait.actor, place);
            sections.extend(held.map(|held| SectionReport { why: wait.why.clone(), ..held }));
        }
    }
    sections
}
