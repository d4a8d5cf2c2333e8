//! What the page knows, as one JSON value. Names are short: there is one object for
//! each step.

use exeunt_model::{
    ActorId, ActorState, Event, Location, Lock, Nature, Property, Report, SectionKind,
    SectionReport, StateView, Trace, TraceStep, Violation, Wait,
};
use serde::Serialize;

use super::explorer::Walked;
use super::links::links;
use super::states::{States, states};
use crate::Sources;
use crate::human::{Folded, folded};
use crate::story::Teller;

pub(super) fn render(report: &Report, sources: &Sources) -> String {
    let mut files = Files { sources, names: Vec::new() };
    let violations = report.violations.iter().map(|one| violation(one, &mut files)).collect();
    let page = Page {
        reason: &report.reason,
        limits: &report.limits_hit,
        assumptions: &report.assumptions,
        statistics: Numbers {
            phases: &report.statistics.phases,
            course: &report.statistics.course,
        },
        violations,
        files: files.texts(),
    };
    // The value stands in an element whose end must not be found in it.
    serde_json::to_string(&page).expect("plain data has a JSON form").replace('<', "\\u003c")
}

/// The path of someone who explores, as the page of a violation.
pub(super) fn walked(walked: &Walked<'_>, sources: &Sources) -> serde_json::Value {
    let Walked { trace, status, bad, shown } = *walked;
    let mut files = Files { sources, names: Vec::new() };
    let end = shown.filter(|shown| shown.trace.schedule == trace.schedule).map(|shown| {
        let told = Trace { states: trace.states.clone(), ..shown.trace.clone() };
        Violation { trace: told, ..shown.clone() }
    });
    // Marks of the trace, as far as the path is along it.
    let along = shown.filter(|shown| {
        let moves = &shown.trace.schedule.moves;
        moves.starts_with(&trace.schedule.moves)
    });
    let passed = |at: Option<usize>| at.filter(|at| *at <= trace.steps.len());
    let one = match &end {
        Some(violation) => Case { everyone: true, ..self::violation(violation, &mut files) },
        None => Case {
            property: "",
            message: status,
            at: None,
            labels: Vec::new(),
            help: &[],
            stuck: Vec::new(),
            noun: trace.noun.name(),
            first: trace.noun.first(),
            actors: &trace.actors,
            steps: steps(trace, &mut files),
            folds: Vec::new(),
            cycle_start: None,
            too_late: passed(along.and_then(|shown| shown.trace.too_late)),
            ending: status.to_string(),
            bad,
            beginning: Vec::new(),
            everyone: true,
            links: links(trace),
            states: states(&trace.states, &mut files),
        },
    };
    let page = Page {
        reason: status,
        limits: &[],
        assumptions: &[],
        statistics: Numbers { phases: &[], course: &[] },
        violations: vec![one],
        files: files.texts(),
    };
    serde_json::to_value(&page).expect("plain data has a JSON form")
}

#[derive(Serialize)]
struct Page<'a> {
    reason: &'a str,
    limits: &'a [String],
    assumptions: &'a [String],
    statistics: Numbers<'a>,
    violations: Vec<Case<'a>>,
    files: Vec<File>,
}

#[derive(Serialize)]
struct Numbers<'a> {
    phases: &'a [(&'static str, f64)],
    /// Seconds, states, and those of them that were not looked at yet.
    course: &'a [(f64, u64, u64)],
}

#[derive(Serialize)]
struct File {
    name: String,
    text: String,
}

/// A violation.
#[derive(Serialize)]
struct Case<'a> {
    property: &'static str,
    message: &'a str,
    at: Option<Place>,
    labels: Vec<Note<'a>>,
    help: &'a [String],
    stuck: Vec<Stuck>,
    /// What actors are called, and the number of the first.
    noun: &'static str,
    first: u32,
    actors: &'a [String],
    steps: Vec<Step>,
    folds: Vec<Folded>,
    cycle_start: Option<usize>,
    too_late: Option<usize>,
    ending: String,
    /// Whether the run ends badly.
    bad: bool,
    /// What the first actor did before the first step.
    beginning: Vec<Told>,
    /// All actors have a column, not only those that do something.
    everyone: bool,
    links: Vec<(usize, usize)>,
    states: States,
}

/// A place: file, line, function.
#[derive(Clone, Serialize)]
pub(super) struct Place {
    f: usize,
    l: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    n: String,
}

#[derive(Serialize)]
struct Note<'a> {
    at: Option<Place>,
    text: &'a str,
}

/// A thread that hangs.
#[derive(Serialize)]
struct Stuck {
    a: u32,
    text: String,
    at: Option<Place>,
    /// The step since which it does, and the word for what it does since then.
    since: Option<usize>,
    verb: &'static str,
    /// Who would have to move for it to go on.
    on: Vec<u32>,
}

#[derive(Serialize)]
struct Step {
    a: u32,
    at: Option<Place>,
    told: Vec<Told>,
    callers: Vec<Place>,
}

#[derive(Serialize)]
struct Told {
    at: Option<Place>,
    t: String,
}

/// The files that are mentioned, by their numbers.
pub(super) struct Files<'s> {
    sources: &'s Sources,
    names: Vec<String>,
}

impl Files<'_> {
    pub(super) fn place(&mut self, location: &Location) -> Option<Place> {
        if !location.is_known() {
            return None;
        }
        let known = self.names.iter().position(|name| **name == *location.file);
        let f = known.unwrap_or_else(|| {
            self.names.push(location.file.to_string());
            self.names.len() - 1
        });
        Some(Place { f, l: location.line, n: location.function.to_string() })
    }

    fn some(&mut self, location: Option<&Location>) -> Option<Place> {
        self.place(location?)
    }

    fn texts(&self) -> Vec<File> {
        let text = |name: &String| File {
            name: name.clone(),
            text: self.sources.text(name).map_or_else(String::new, |text| text.to_string()),
        };
        self.names.iter().map(text).collect()
    }
}

fn violation<'a>(violation: &'a Violation, files: &mut Files<'_>) -> Case<'a> {
    let trace = &violation.trace;
    let at = files.some(violation.location.as_ref());
    let note = |label: &'a exeunt_model::Label, files: &mut Files<'_>| Note {
        at: files.place(&label.location),
        text: &label.text,
    };
    Case {
        property: violation.property.name(),
        message: &violation.message,
        at,
        labels: violation.labels.iter().map(|label| note(label, files)).collect(),
        help: &violation.help,
        stuck: stuck(violation, files),
        noun: trace.noun.name(),
        first: trace.noun.first(),
        actors: &trace.actors,
        steps: steps(trace, files),
        folds: folded(trace),
        cycle_start: trace.cycle_start,
        too_late: trace.too_late,
        ending: ending(violation),
        bad: true,
        beginning: trace.before_first().map_or_else(Vec::new, |step| told(&step, files)),
        everyone: false,
        links: links(trace),
        states: states(&trace.states, files),
    }
}

fn steps(trace: &Trace, files: &mut Files<'_>) -> Vec<Step> {
    let mut teller = Teller::new(false, true);
    let mut steps = Vec::with_capacity(trace.steps.len());
    for step in &trace.steps {
        let told = teller.tell(step).into_iter();
        let told = told.map(|one| Told { at: files.some(one.location.as_ref()), t: one.text });
        let told = told.collect();
        let at = files.some(step.location.as_ref());
        let callers = step.callers.iter().filter_map(|caller| files.place(caller)).collect();
        steps.push(Step { a: step.actor.0, at, told, callers });
    }
    steps
}

/// What was done before the first step.
fn told(step: &TraceStep, files: &mut Files<'_>) -> Vec<Told> {
    let told = Teller::new(false, true).tell(step).into_iter();
    told.map(|one| Told { at: files.some(one.location.as_ref()), t: one.text }).collect()
}

/// What the last step led to.
fn ending(violation: &Violation) -> String {
    let trace = &violation.trace;
    match trace.cycle_start.filter(|at| *at < trace.steps.len()) {
        Some(at) => format!("and again from step {}", at + 1),
        None => match violation.property {
            Property::Deadlock => format!("no {} can move", trace.noun.name()),
            Property::Section => "what is open here is never left".to_string(),
            Property::Termination => "from here it cannot end".to_string(),
            Property::Assertion
            | Property::Memory
            | Property::Race
            | Property::Ltl
            | Property::Undefined
            | Property::Leak
            | Property::Misuse
            | Property::Exception
            | Property::Exit
            | Property::Invariant => format!("error[{}]", violation.property),
        },
    }
}

/// Who hangs: a card for each actor, its wait before what it holds.
fn stuck(violation: &Violation, files: &mut Files<'_>) -> Vec<Stuck> {
    if violation.sections.is_empty() {
        return waiting(violation, files);
    }
    let mut sections: Vec<&SectionReport> = violation.sections.iter().collect();
    sections.sort_by_key(|section| (section.actor, section.kind.is_held()));
    sections.dedup_by_key(|section| section.actor);
    let noun = violation.trace.noun;
    let card = |section: &SectionReport| {
        let who = format!("{} ", noun.call(section.actor));
        let why = section.why.strip_prefix(&who).unwrap_or(&section.why);
        let mut text = match why.is_empty() {
            true => crate::words::inside(section),
            false => why.to_string(),
        };
        text.extend(in_vain(&violation.trace, section));
        let (verb, since) = since(&violation.trace, section);
        Stuck {
            a: section.actor.0,
            text,
            at: files.some(section.opened.as_ref()),
            since,
            verb,
            on: awaited(&violation.trace, section),
        }
    };
    sections.into_iter().map(card).collect()
}

/// Who would have to move for the section to end, as far as the last state tells.
fn awaited(trace: &Trace, section: &SectionReport) -> Vec<u32> {
    let Some(state) = trace.states.last() else { return told_to_hold(trace, &section.why) };
    let own = state.actors.iter().find(|actor| actor.actor == section.actor);
    let others: Vec<ActorId> = match own.and_then(|actor| actor.waits.as_ref()) {
        Some(wait) => wait.on.clone(),
        None if section.kind == SectionKind::Await => {
            let found = found_each_time(trace, section.actor);
            let owner = found.and_then(|found| owner_of_named(trace, &found, section.actor));
            owner.into_iter().collect()
        }
        None => Vec::new(),
    };
    others.iter().map(|other| other.0).collect()
}

/// Where no states are recorded, as of native programs: those of whom the words say that they hold
/// what is waited for, or must end.
fn told_to_hold(trace: &Trace, why: &str) -> Vec<u32> {
    let names = |actor: &u32| {
        let who = trace.noun.call(ActorId(*actor));
        ["held by ", "waits for "].iter().any(|before| {
            let behind = why.split_once(&format!("{before}{who}")).map(|(_, behind)| behind);
            behind.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    (0..trace.actors.len() as u32).filter(names).collect()
}

/// What an actor that goes round a loop does last in each round.
fn found_each_time(trace: &Trace, actor: ActorId) -> Option<String> {
    let own = trace.steps.iter().rfind(|step| step.actor == actor)?;
    own.deeds().next_back().map(|(_, text)| text.to_string())
}

/// Another actor that holds a lock which the text names, at the end.
fn owner_of_named(trace: &Trace, text: &str, actor: ActorId) -> Option<ActorId> {
    let named = |lock: &&Lock| text.contains(&format!("`{}`", lock.name));
    let owner = *trace.states.last()?.locks.iter().find(named)?.owners.first()?;
    (owner != actor).then_some(owner)
}

/// What a loop finds each time.
fn in_vain(trace: &Trace, section: &SectionReport) -> Option<String> {
    if section.kind == SectionKind::Await {
        let found = found_each_time(trace, section.actor)?;
        let owner = owner_of_named(trace, &found, section.actor);
        let held = owner
            .map_or(String::new(), |owner| format!(", which {} holds", trace.noun.call(owner)));
        return Some(format!(": each time it {found}{held}"));
    }
    None
}

/// Where no sections are reported: who waits at the end of a run that goes no further.
fn waiting(violation: &Violation, files: &mut Files<'_>) -> Vec<Stuck> {
    let trace = &violation.trace;
    let hangs = matches!(violation.property, Property::Deadlock | Property::Termination);
    let Some(last) = trace.states.last().filter(|_| hangs) else { return Vec::new() };
    let waiting = last.actors.iter().filter_map(|actor| Some((actor, actor.waits.as_ref()?)));
    let card = |(actor, wait): (&ActorState, &Wait)| Stuck {
        a: actor.actor.0,
        text: wait.text.clone(),
        at: files.some(actor.frames.first().and_then(|frame| frame.location.as_ref())),
        since: waits_since(trace, actor.actor),
        verb: WAITS,
        on: wait.on.iter().map(|other| other.0).collect(),
    };
    waiting.map(card).collect()
}

const WAITS: &str = "waits";

/// Since which step the actor hangs: of a wait, the step that made it wait; of other sections, the
/// step that entered it; where neither is known, the last step of the actor.
fn since(trace: &Trace, section: &SectionReport) -> (&'static str, Option<usize>) {
    let waits = section.kind.nature() == Nature::Wait;
    if let Some(since) = waits_since(trace, section.actor).filter(|_| waits) {
        return (WAITS, Some(since));
    }
    let entered = |event: &Event| match event {
        Event::Opened { section: opened, name, .. } => {
            opened.actor == section.actor && opened.kind == section.kind && **name == *section.name
        }
        _ => false,
    };
    let opened = trace.steps.iter().rposition(|step| step.events.iter().any(entered));
    match opened.filter(|_| !waits) {
        Some(at) => ("inside", Some(at + 1)),
        None => ("here", last_step(trace, section.actor)),
    }
}

/// The number of the step after which the actor cannot move any more, 0 if it never could; `None` if no
/// states are recorded or it can move in the last one.
fn waits_since(trace: &Trace, actor: ActorId) -> Option<usize> {
    let waits = |state: &StateView| {
        state.actors.iter().any(|one| one.actor == actor && one.waits.is_some())
    };
    let waiting = trace.states.iter().rev().take_while(|state| waits(state)).count();
    (waiting > 0).then(|| trace.states.len() - waiting)
}

/// The number of the last step of an actor before the run repeats or ends.
fn last_step(trace: &Trace, actor: ActorId) -> Option<usize> {
    let end = trace.cycle_start.unwrap_or(trace.steps.len()).min(trace.steps.len());
    (0..end).rev().find(|at| trace.steps[*at].actor == actor).map(|at| at + 1)
}
