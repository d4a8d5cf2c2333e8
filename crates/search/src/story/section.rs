//! The story of something that never ends.

use exeunt_model::words::{NO_WAY_OUT, ONE_WAIT, SEVERAL_WAITS, never_unlocked};
use exeunt_model::{
    ActorId, ActorView, Event, Label, Location, Nature, Noun, OpenSection, Property, SectionKind,
    SectionReport, Trace, TraceStep, Violation,
};

use super::trace::LEFT_OUT;
use crate::explore::Graph;
use crate::store::StateId;

/// A state in which no thread can move.
pub fn deadlock_violation(graph: &mut Graph<'_>, state: StateId, trace: Trace) -> Violation {
    let vector = graph.vector(state);
    let views = graph.worker.view(&vector);
    let mut open = Vec::new();
    graph.worker.open_sections(&vector, &mut open);
    // What a loop waits for in a deadlock is one of the other waits.
    open.retain(|section| section.kind != SectionKind::Await);
    let mut sections =
        open.iter().map(|section| report(graph, state, section, &trace)).collect::<Vec<_>>();
    add_signals(&mut sections, &open, &trace);
    let noun = graph.worker.noun();
    let waiting: Vec<&ActorView> = views.iter().filter(|view| !view.ended).collect();
    let mut places = waiting.iter().filter_map(|view| {
        let blocked = view.blocked.clone().unwrap_or_else(|| "cannot move".to_string());
        let text = format!("{} {blocked}", noun.call(view.actor));
        // The section may say more: why the last signal did not end the wait.
        let more = sections.iter().find(|one| one.why.starts_with(&format!("{text} (")));
        let text = more.map_or(text, |section| section.why.clone());
        Some(Label { location: view.location.clone()?, text })
    });
    let first = places.next();
    // What the first waits for is told by its section, if it has one.
    let unsaid = first.clone().filter(|_| sections.is_empty());
    let labels = unsaid.into_iter().chain(places).collect();
    let message = match &first {
        Some(_) => format!("deadlock: {}", some_of(waits_in(&views, noun), noun)),
        None => deadlock_message(&views, noun),
    };
    let callers = waiting.iter().find(|view| view.location.is_some());
    let callers = callers.map_or_else(Vec::new, |view| view.callers.clone());
    Violation {
        property: Property::Deadlock,
        message,
        location: first.map(|label| label.location),
        callers,
        labels,
        help: vec![format!("no {} can move, so none of these waits can ever end", noun.name())],
        sections,
        trace,
        question: None,
    }
}

/// Where and with which words a deadlock is reported, for which no trace is needed.
pub fn deadlock_place(graph: &mut Graph<'_>, state: StateId) -> (Option<Location>, String) {
    let vector = graph.vector(state);
    let views = graph.worker.view(&vector);
    let waiting = views.iter().filter(|view| !view.ended);
    let location = waiting.filter_map(|view| view.location.clone()).next();
    (location, deadlock_message(&views, graph.worker.noun()))
}

/// Tells deadlocks without a place apart, so nothing is left out of it.
fn deadlock_message(views: &[ActorView], noun: Noun) -> String {
    format!("deadlock: {}", waits_in(views, noun).join("; "))
}

/// What each actor waits for.
fn waits_in(views: &[ActorView], noun: Noun) -> Vec<String> {
    let clause = |view: &ActorView| {
        let blocked = view.blocked.as_deref().unwrap_or("cannot move");
        format!("{} {blocked}", noun.call(view.actor))
    };
    views.iter().filter(|view| !view.ended).map(clause).collect()
}

/// So many waits are named in a message.
const NAMED: usize = 4;

/// Some clauses, and how many more there are.
fn some_of(mut clauses: Vec<String>, noun: Noun) -> String {
    if clauses.len() > NAMED {
        let more = clauses.split_off(NAMED - 1).len();
        clauses.push(format!("and {more} more {} wait", noun.plural()));
    }
    clauses.join("; ")
}

/// A section that can never end, in a component or stuck set that `state`
/// belongs to.
pub fn section_violation(
    graph: &mut Graph<'_>,
    state: StateId,
    stuck: &[OpenSection],
    trace: Trace,
    environment: bool,
) -> Violation {
    let mut sections: Vec<SectionReport> =
        stuck.iter().map(|section| report(graph, state, section, &trace)).collect();
    // Memory that no thread changes may still be changed under another input.
    let spins = |actor| {
        let found = awaited(&trace, actor);
        if environment { None } else { found.map(|found| found.words(trace.noun.call(actor))) }
    };
    for section in &mut sections {
        if let Some(why) = spins(section.actor) {
            section.why = why;
        }
    }
    let awaits = sections[0].kind == SectionKind::Await;
    let labels = if awaits { last_writes(&trace, sections[0].actor) } else { Vec::new() };
    let main = sections.remove(0);
    let (first, mut help) = words(&main, trace.noun, environment);
    let mut clauses = vec![first];
    clauses.extend(other_waits(&main, &sections, trace.noun));
    if clauses.len() > 1 {
        clauses[0] = clauses[0].replacen(ONE_WAIT, SEVERAL_WAITS, 1);
    }
    let message = some_of(clauses, trace.noun);
    for actor in actors_in_cycle(&trace) {
        let told = main.actor == actor || sections.iter().any(|section| section.actor == actor);
        if let Some(why) = spins(actor).filter(|_| !told) {
            help.insert(0, why);
        }
    }
    let (location, callers) = (main.opened.clone(), main.callers.clone());
    sections.insert(0, main);
    add_signals(&mut sections, stuck, &trace);
    Violation {
        property: Property::Section,
        message,
        location,
        callers,
        labels,
        help,
        sections,
        trace,
        question: None,
    }
}

/// The program as a whole does not end.
pub fn termination_violation(graph: &mut Graph<'_>, state: StateId, trace: Trace) -> Violation {
    let vector = graph.vector(state);
    let views = graph.worker.view(&vector);
    let view = shown_running(&views);
    Violation {
        property: Property::Termination,
        message: termination_message(&views, graph.worker.noun()),
        callers: view.map_or_else(Vec::new, |view| view.callers.clone()),
        location: view.and_then(|view| view.location.clone()),
        labels: Vec::new(),
        help: Vec::new(),
        sections: Vec::new(),
        trace,
        question: None,
    }
}

/// Where and with which words it is reported, for which no trace is needed.
pub fn termination_place(graph: &mut Graph<'_>, state: StateId) -> (Option<Location>, String) {
    let vector = graph.vector(state);
    let views = graph.worker.view(&vector);
    let location = shown_running(&views).and_then(|view| view.location.clone());
    (location, termination_message(&views, graph.worker.noun()))
}

/// The actor whose place is shown: one that runs, if there is one.
fn shown_running(views: &[ActorView]) -> Option<&ActorView> {
    let mut running = views.iter().filter(|view| !view.ended);
    running.clone().find(|view| view.blocked.is_none()).or(running.next())
}

fn termination_message(views: &[ActorView], noun: Noun) -> String {
    let running = views.iter().filter(|view| !view.ended);
    let clauses: Vec<String> = running
        .map(|view| match (&view.blocked, &view.location) {
            (Some(blocked), _) => format!("{} {blocked}", noun.call(view.actor)),
            (None, Some(location)) => {
                format!("{} keeps running at {location}", noun.call(view.actor))
            }
            (None, None) => format!("{} keeps running", noun.call(view.actor)),
        })
        .collect();
    format!("the program can get to where its end is unreachable: {}", clauses.join("; "))
}

/// What other actors wait for in vain, one wait of each. Where locks are never given back, those who
/// go round in loops with a lock in hand are told like the first: they are no less to blame.
fn other_waits(main: &SectionReport, others: &[SectionReport], noun: Noun) -> Vec<String> {
    let mut told = vec![main.actor];
    let mut clauses = Vec::new();
    for section in others.iter().filter(|one| one.kind.nature() == Nature::Wait) {
        if told.contains(&section.actor) || section.why.is_empty() {
            continue;
        }
        told.push(section.actor);
        let spins = main.kind.is_held() && section.kind == SectionKind::Await;
        let held = others.iter().find(|one| one.actor == section.actor && one.kind.is_held());
        clauses.push(match held.filter(|_| spins) {
            Some(held) => words(held, noun, false).0,
            None => section.why.clone(),
        });
    }
    clauses
}

fn report(
    graph: &mut Graph<'_>,
    state: StateId,
    section: &OpenSection,
    trace: &Trace,
) -> SectionReport {
    let vector = graph.vector(state);
    let view = graph.worker.describe_section(&vector, section);
    let (opened, callers) = match opened_at(&trace.steps, section) {
        Some((opened, callers)) => (Some(opened), callers),
        None => (view.location, view.callers),
    };
    let why = view.why;
    SectionReport {
        kind: section.kind,
        actor: section.actor,
        name: view.name,
        opened,
        callers,
        why,
    }
}

/// Says of waits for a signal why the last signal did not end them. Messages go without: they are the
/// same whatever the schedule is.
fn add_signals(sections: &mut [SectionReport], open: &[OpenSection], trace: &Trace) {
    for (section, open) in sections.iter_mut().zip(open) {
        match last_signal(trace, open) {
            Some(clause) if !section.why.is_empty() => section.why += &format!(" ({clause})"),
            _ => {}
        }
    }
}

/// Of a wait for a signal, why the last signal did not end it.
fn last_signal(trace: &Trace, section: &OpenSection) -> Option<String> {
    use SectionKind::{AtomicWait, CondWait, FutexWait};
    let signalled = matches!(section.kind, CondWait | FutexWait | AtomicWait);
    let left_out = trace.steps.iter().any(|step| step.action == LEFT_OUT);
    if signalled && !left_out { trace.last_signal(*section) } else { None }
}

fn actors_in_cycle(trace: &Trace) -> Vec<ActorId> {
    let cycle = trace.steps.get(trace.cycle_start.unwrap_or(trace.steps.len())..).unwrap_or(&[]);
    let mut actors: Vec<ActorId> = cycle.iter().map(|step| step.actor).collect();
    actors.sort_unstable();
    actors.dedup();
    actors
}

/// What a thread reads again and again, and where.
struct Awaited<'t> {
    places: Vec<&'t str>,
    line: u32,
}

impl Awaited<'_> {
    fn words(&self, who: String) -> String {
        let names: Vec<String> =
            self.places.iter().take(3).map(|place| format!("`{place}`")).collect();
        format!(
            "{who} spins at line {} on {}, which nobody changes",
            self.line,
            names.join(" and ")
        )
    }
}

/// Who wrote what a thread waits for last, and where.
fn last_writes(trace: &Trace, actor: ActorId) -> Vec<Label> {
    let Some(awaited) = awaited(trace, actor) else { return Vec::new() };
    let mut labels: Vec<Label> = Vec::new();
    for place in awaited.places.iter().take(3) {
        let last = trace.steps.iter().rev().find_map(|step| {
            let mut location = None;
            let mut found = None;
            for event in &step.events {
                match event {
                    Event::Did { location: here, .. } => location = Some(here),
                    Event::Accessed { place: p, write: true, .. } if **p == **place => {
                        found = location;
                    }
                    _ => {}
                }
            }
            Some((step.actor, found?.clone()))
        });
        if let Some((who, location)) = last {
            let text = format!("{} wrote `{place}` last", trace.noun.call(who));
            labels.push(Label { text, location });
        }
    }
    labels
}

/// If an actor does nothing but read in the part that repeats, and nobody
/// changes what it reads: what that is. To take and give back a lock is
/// nothing.
fn awaited(trace: &Trace, actor: ActorId) -> Option<Awaited<'_>> {
    let cycle = trace.steps.get(trace.cycle_start?..)?;
    let mine = cycle.iter().filter(|step| step.actor == actor);
    let mut reads: Vec<(u64, &str)> = Vec::new();
    let mut line = 0;
    for step in mine {
        for event in &step.events {
            match event {
                Event::Accessed { at, place, write: false } => {
                    if !reads.iter().any(|read| read.0 == *at) {
                        reads.push((*at, place));
                    }
                }
                Event::Closed { section, .. } | Event::Opened { section, .. }
                    if section.kind.is_held() || section.kind.nature() == Nature::Wait => {}
                Event::Accessed { write: true, .. }
                | Event::Closed { .. }
                | Event::Opened { .. } => return None,
                Event::Did { location, .. } => line = location.line,
                Event::Signalled { .. }
                | Event::Output { .. }
                | Event::Freed { .. }
                | Event::Whim { .. }
                | Event::Within { .. } => {}
            }
        }
    }
    let written = |place: u64| {
        let events = cycle.iter().flat_map(|step| &step.events);
        let writes = |event: &Event| match event {
            Event::Accessed { at, write: true, .. } => *at == place,
            _ => false,
        };
        events.into_iter().any(writes)
    };
    reads.retain(|(at, _)| !written(*at));
    if reads.is_empty() {
        return None;
    }
    let places = reads.into_iter().map(|(_, place)| place).collect();
    Some(Awaited { places, line })
}

/// Where the instance that is open at the end of the trace was opened, and the
/// calls around that place.
fn opened_at(steps: &[TraceStep], wanted: &OpenSection) -> Option<(Location, Vec<Location>)> {
    for step in steps.iter().rev() {
        for (i, event) in step.events.iter().enumerate().rev() {
            match event {
                Event::Opened { section, location, .. } if section == wanted => {
                    return Some((location.clone(), callers_before(&step.events[..i])));
                }
                Event::Closed { section, .. } if section == wanted => return None,
                _ => {}
            }
        }
    }
    None
}

fn callers_before(events: &[Event]) -> Vec<Location> {
    let callers = events.iter().rev().find_map(|event| match event {
        Event::Within { callers } => Some(callers.to_vec()),
        _ => None,
    });
    callers.unwrap_or_default()
}

/// A lock by its name, or by what it is in.
fn called(name: &str) -> String {
    if name.contains(' ') { format!("in {name}") } else { format!("`{name}`") }
}

/// The sentence about a section, and advice.
fn words(section: &SectionReport, noun: Noun, environment: bool) -> (String, Vec<String>) {
    let SectionReport { kind, actor, name, why, .. } = section;
    let who = noun.call(*actor);
    let what = match kind {
        SectionKind::Critical => never_unlocked(&who, &called(name)),
        SectionKind::RwlockHeld => {
            format!("{who} never gives back readers-writer lock {}", called(name))
        }
        SectionKind::SpinHeld => {
            format!("{who} never gives back spin lock {}", called(name))
        }
        SectionKind::Function => {
            format!("function `{name}` called by {who} never returns")
        }
        SectionKind::Await => format!("a busy wait that can never end: {why}"),
        SectionKind::User => format!("section `{name}` entered by {who} is never left"),
        SectionKind::Process => format!("process {name} never ends"),
        SectionKind::MutexWait
        | SectionKind::RwlockWait
        | SectionKind::SpinWait
        | SectionKind::CondWait
        | SectionKind::BarrierWait
        | SectionKind::Join
        | SectionKind::SemWait
        | SectionKind::FutexWait
        | SectionKind::FileWait
        | SectionKind::LatchWait
        | SectionKind::FutureWait
        | SectionKind::AtomicWait
        | SectionKind::StopWait
        | SectionKind::Once => format!("{ONE_WAIT}: {why}"),
    };
    let help = vec![if environment {
        "inputs and other choices of the environment can be such that its end is never reached, \
         whatever the scheduler does"
            .to_string()
    } else {
        NO_WAY_OUT.to_string()
    }];
    (what, help)
}
