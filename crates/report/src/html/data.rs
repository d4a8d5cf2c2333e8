//! What the page knows, as one JSON value. Names are short: there is one object for
//! each step.

use exeunt_model::words::NO_WAY_OUT;
use exeunt_model::{Location, Property, Report, Trace, TraceStep, Violation};
use serde::Serialize;

use super::explorer::Walked;
use super::links::links;
use super::states::{States, states};
use crate::Sources;
use crate::hanging::{Hanging, INSIDE, hanging};
use crate::held::held;
use crate::human::{Folded, folded, lines, reported};
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
            reported: String::new(),
            labels: Vec::new(),
            help: Vec::new(),
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
    /// What is said of that place.
    reported: String,
    labels: Vec<Note<'a>>,
    help: Vec<&'a str>,
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
    holds: Vec<Keeps>,
}

/// A lock that a thread which hangs keeps, and since which step.
#[derive(Serialize)]
struct Keeps {
    n: String,
    since: usize,
    at: Option<Place>,
}

#[derive(Serialize)]
struct Step {
    a: u32,
    at: Option<Place>,
    told: Vec<Told>,
    /// The lines of a report for terminals, where these are not the same: what repeats is folded, and other files are named.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<String>>,
    callers: Vec<Place>,
}

#[derive(Serialize)]
struct Told {
    at: Option<Place>,
    t: String,
}

impl Told {
    fn line(&self) -> String {
        self.at.as_ref().map_or_else(|| self.t.clone(), |at| format!("{}: {}", at.l, self.t))
    }
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
    let stuck = stuck(violation, files);
    Case {
        property: violation.property.name(),
        message: &violation.message,
        at,
        reported: reported(violation),
        labels: violation.labels.iter().map(|label| note(label, files)).collect(),
        help: helps(violation, &stuck),
        stuck,
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
    for (step, rows) in trace.steps.iter().zip(lines(trace)) {
        let told = teller.tell(step).into_iter();
        let told = told.map(|one| Told { at: files.some(one.location.as_ref()), t: one.text });
        let told: Vec<Told> = told.collect();
        let rows = (!told.iter().map(Told::line).eq(rows.iter().cloned())).then_some(rows);
        let at = files.some(step.location.as_ref());
        let callers = step.callers.iter().filter_map(|caller| files.place(caller)).collect();
        steps.push(Step { a: step.actor.0, at, told, rows, callers });
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

/// A card for each actor that hangs.
fn stuck(violation: &Violation, files: &mut Files<'_>) -> Vec<Stuck> {
    let card = |one: Hanging| Stuck {
        a: one.actor.0,
        holds: keeps(&violation.trace, &one, files),
        text: one.text,
        at: files.some(one.at.as_ref()),
        since: one.since,
        verb: one.verb,
        on: one.on.iter().map(|other| other.0).collect(),
    };
    hanging(violation).into_iter().map(card).collect()
}

/// What an actor that hangs holds, unless its card is about that.
fn keeps(trace: &Trace, one: &Hanging, files: &mut Files<'_>) -> Vec<Keeps> {
    let told = |name: &str| one.verb == INSIDE && one.text.contains(name);
    let all = held(trace, one.actor).into_iter().filter(|held| !told(&held.name));
    all.map(|held| Keeps { at: files.some(held.at), n: held.name, since: held.since }).collect()
}

/// The help that the page gives: where it says what "too late" means, it has said that there is no way out.
fn helps<'a>(violation: &'a Violation, stuck: &[Stuck]) -> Vec<&'a str> {
    let explained = violation.trace.too_late.is_some_and(|at| at > 0) && !stuck.is_empty();
    let all = violation.help.iter().map(String::as_str);
    all.filter(|help| !explained || *help != NO_WAY_OUT).collect()
}
