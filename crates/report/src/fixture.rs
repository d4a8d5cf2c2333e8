//! Reports and sources for the tests of all formats.

use std::sync::Arc;

use exeunt_model::{
    ActorId, Event, Location, LoopRow, Noun, Proof, Property, Report, SectionKind, SectionReport,
    Statistics, Stream, Trace, TraceStep, Verdict, Violation,
};

use crate::{Run, Sources};

pub(crate) const EMBRACE: &str = "\
#include <pthread.h>

pthread_mutex_t a, b;

void *left(void *p) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    return p;
}

void *right(void *p) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    return p;
}
";

pub(crate) fn sources() -> Sources {
    let sources = Sources::new();
    sources.insert("embrace.c", EMBRACE);
    sources
}

pub(crate) fn run() -> Run {
    Run {
        command: "check".to_string(),
        version: "0.0.0".to_string(),
        line: "exeunt check embrace.c".to_string(),
        replay: Some("replay it with: exeunt replay t.json".to_string()),
    }
}

pub(crate) fn at(line: u32, column: u32, function: &str) -> Location {
    Location { file: Arc::from("embrace.c"), line, column, function: Arc::from(function) }
}

pub(crate) fn step(actor: u32, line: u32, text: &str) -> TraceStep {
    let location = at(line, 5, "left");
    let did = Event::Did { location: location.clone(), text: Arc::from(text) };
    TraceStep {
        actor: ActorId(actor),
        location: Some(location),
        action: text.to_string(),
        callers: Vec::new(),
        events: vec![did],
    }
}

pub(crate) fn statistics() -> Statistics {
    Statistics {
        course: Vec::new(),
        states: 12,
        transitions: 17,
        revisits: 6,
        runs: None,
        max_depth: Some(5),
        components: 30,
        seconds: 0.25,
        peak_memory_bytes: 3 << 20,
        bytes_per_state: 41.5,
        phases: vec![("exploring", 0.25), ("telling", 0.01)],
        table_load: 0.5,
        bottom_components: Some(1),
        sections_opened: Some(8),
        section_sites: Some(4),
        discarded: (2, 300),
    }
}

pub(crate) fn violated(violation: Violation, reason: &str) -> Report {
    Report {
        violations: vec![violation],
        statistics: statistics(),
        ..Report::new(Verdict::Violated, reason.to_string())
    }
}

pub(crate) fn proof() -> Proof {
    Proof {
        explained: vec![("what has no bound".into(), vec!["`c` grows by 1 in each round".into()])],
        assumption: "an int has no bounds".into(),
        refinements: 2,
        loops: vec![LoopRow {
            thread: "drain".into(),
            location: Some(Location::in_function("drain")),
            result: "ends".into(),
            seconds: 0.25,
            strengthenings: 1,
            weakenings: 2,
        }],
        program: "while (true) c = c + 1".into(),
        certificate: Some("{\"format\": 1}".into()),
    }
}

pub(crate) fn holds() -> Report {
    Report {
        statistics: statistics(),
        ..Report::new(Verdict::Holds, "no schedule goes wrong".to_string())
    }
}

fn waiting(actor: u32, name: &str, line: u32, function: &str, why: &str) -> SectionReport {
    SectionReport {
        kind: SectionKind::MutexWait,
        actor: ActorId(actor),
        name: name.to_string(),
        opened: Some(at(line, 5, function)),
        callers: Vec::new(),
        why: why.to_string(),
    }
}

/// Two threads lock two mutexes in opposite order.
pub(crate) fn embrace() -> Report {
    let trace = Trace {
        schedule: "1;1;2;3".parse().expect("a schedule"),
        steps: vec![
            step(0, 20, "create thread 2"),
            step(0, 21, "create thread 3"),
            step(1, 6, "lock(a)"),
            step(2, 12, "lock(b)"),
        ],
        noun: Noun::Thread,
        actors: vec!["main".to_string(), "left".to_string(), "right".to_string()],
        cycle_start: None,
        too_late: Some(3),
        ..Trace::default()
    };
    let violation = Violation {
        property: Property::Deadlock,
        message: "no thread can move".to_string(),
        location: Some(at(7, 5, "left")),
        callers: Vec::new(),
        labels: Vec::new(),
        help: vec!["lock `a` and `b` in the same order everywhere".to_string()],
        sections: vec![
            waiting(1, "b", 7, "left", "waits for mutex `b`, held by thread 3"),
            waiting(2, "a", 13, "right", "waits for mutex `a`, held by thread 2"),
        ],
        trace,
        question: None,
    };
    violated(violation, "threads 2 and 3 wait for each other")
}

/// A thread that waits in a loop for what never comes, after some output.
pub(crate) fn spinner() -> Report {
    let mut steps = vec![step(0, 20, "create thread 2"), step(1, 6, "lock(a)")];
    let output = Event::Output { stream: Stream::Out, bytes: b"ready\n".to_vec() };
    steps[0].events.push(output);
    steps.extend((0..9).map(|_| step(0, 21, "reads x = 0")));
    let violation = Violation {
        property: Property::Section,
        message: "the critical section of `a` is never left".to_string(),
        location: Some(at(6, 5, "left")),
        callers: Vec::new(),
        labels: Vec::new(),
        help: Vec::new(),
        sections: vec![SectionReport {
            kind: SectionKind::Critical,
            actor: ActorId(1),
            name: "a".to_string(),
            opened: Some(at(6, 5, "left")),
            callers: Vec::new(),
            why: "no thread that still runs unlocks it".to_string(),
        }],
        trace: Trace {
            schedule: "1;2;1;1;1;1;1;1;1;1;1".parse().expect("a schedule"),
            steps,
            noun: Noun::Thread,
            actors: vec!["main".to_string(), "left".to_string()],
            cycle_start: Some(2),
            too_late: Some(2),
            ..Trace::default()
        },
        question: None,
    };
    violated(violation, "thread 2 can stay in the critical section of `a` for ever")
}
