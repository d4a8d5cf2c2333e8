//! The report as one JSON object. Programs read this: names and meanings are
//! kept, and what is added is added as new keys. `ARCHITECTURE.md` describes
//! the object.

use std::collections::BTreeMap;

use exeunt_model::{
    Answer, Event, Label, Location, Proof, Report, SectionReport, Statistics, Stream, TraceStep,
    Violation,
};
use serde::Serialize;
use serde_json::Value;

use crate::Run;

/// The version of `docs/report.schema.json` that the object obeys.
const SCHEMA: u32 = 1;

pub(crate) fn render(report: &Report, run: &Run) -> String {
    let object = JsonReport {
        tool: "exeunt",
        version: &run.version,
        schema: SCHEMA,
        command: &run.command,
        verdict: report.verdict.name(),
        reason: &report.reason,
        violations: report.violations.iter().map(violation).collect(),
        statistics: statistics(&report.statistics),
        limits_hit: &report.limits_hit,
        formulas: report.answers.iter().map(answer).collect(),
        unreached: report.unreached.iter().map(label).collect(),
        notes: report.notes.iter().map(label).collect(),
        assumptions: &report.assumptions,
        remarks: &report.remarks,
        proof: report.proof.as_ref().map(proof),
    };
    let mut text = serde_json::to_string_pretty(&object).expect("plain data has a JSON form");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct JsonReport<'a> {
    tool: &'a str,
    version: &'a str,
    schema: u32,
    command: &'a str,
    verdict: &'a str,
    reason: &'a str,
    violations: Vec<JsonViolation<'a>>,
    statistics: JsonStatistics,
    limits_hit: &'a [String],
    formulas: Vec<JsonAnswer<'a>>,
    unreached: Vec<JsonLabel<'a>>,
    notes: Vec<JsonLabel<'a>>,
    assumptions: &'a [String],
    remarks: &'a [String],
    /// Of reports that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Value>,
}

/// A proof with its certificate, for programs that check it.
pub(crate) fn proof(proof: &Proof) -> Value {
    let certificate: Option<Value> =
        proof.certificate.as_ref().and_then(|text| serde_json::from_str(text).ok());
    let loops = proof.loops.iter().map(|row| {
        serde_json::json!({
            "thread": row.thread,
            "location": row.location.as_ref().map(location),
            "result": row.result,
            "seconds": row.seconds,
            "strengthenings": row.strengthenings,
            "weakenings": row.weakenings,
        })
    });
    let loops: Vec<Value> = loops.collect();
    serde_json::json!({
        "loops": loops,
        "certificate": certificate,
        "assumption": proof.assumption,
        "refinements": proof.refinements,
        "explained": proof.explained,
        "program": proof.program,
    })
}

#[derive(Serialize)]
struct JsonAnswer<'a> {
    text: &'a str,
    verdict: &'a str,
    states: u64,
    transitions: u64,
}

fn answer(answer: &Answer) -> JsonAnswer<'_> {
    JsonAnswer {
        text: &answer.text,
        verdict: answer.verdict.name(),
        states: answer.states,
        transitions: answer.transitions,
    }
}

#[derive(Serialize)]
struct JsonViolation<'a> {
    property: &'a str,
    message: &'a str,
    location: Option<JsonLocation<'a>>,
    /// The calls that it is in, innermost first.
    callers: Vec<JsonLocation<'a>>,
    labels: Vec<JsonLabel<'a>>,
    help: &'a [String],
    /// The first of `sections`, for those who look for one.
    section: Option<JsonSection<'a>>,
    sections: Vec<JsonSection<'a>>,
    threads: &'a [String],
    schedule: String,
    /// What the first thread did before the first step.
    beginning: Vec<JsonEvent<'a>>,
    trace: Vec<JsonStep<'a>>,
    cycle_start: Option<usize>,
    too_late: Option<usize>,
}

#[derive(Serialize)]
pub(crate) struct JsonLocation<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    text: &'a str,
    location: JsonLocation<'a>,
}

#[derive(Serialize)]
struct JsonSection<'a> {
    kind: &'a str,
    name: &'a str,
    thread: u32,
    opened: Option<JsonLocation<'a>>,
    callers: Vec<JsonLocation<'a>>,
    why: &'a str,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    thread: u32,
    location: Option<JsonLocation<'a>>,
    action: &'a str,
    callers: Vec<JsonLocation<'a>>,
    events: Vec<JsonEvent<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum JsonEvent<'a> {
    Did { text: &'a str, location: JsonLocation<'a> },
    Opened { kind: &'a str, name: &'a str, thread: u32, location: JsonLocation<'a> },
    Closed { kind: &'a str, thread: u32, location: JsonLocation<'a> },
    Output { stream: &'a str, text: String },
}

#[derive(Serialize)]
struct JsonStatistics {
    states: u64,
    transitions: u64,
    seconds: f64,
    peak_memory_bytes: u64,
    bytes_per_state: f64,
    revisits: u64,
    /// Runs of a program whose states are not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<u64>,
    max_depth: Option<u64>,
    components: u64,
    bottom_components: Option<u64>,
    sections_opened: Option<u64>,
    section_sites: Option<u64>,
    table_load: f64,
    /// Seconds by what they went into.
    phases: BTreeMap<&'static str, f64>,
}

fn violation(violation: &Violation) -> JsonViolation<'_> {
    let trace = &violation.trace;
    JsonViolation {
        property: violation.property.name(),
        message: &violation.message,
        location: violation.location.as_ref().map(location),
        callers: violation.callers.iter().map(location).collect(),
        labels: violation.labels.iter().map(label).collect(),
        help: &violation.help,
        section: violation.sections.first().map(section),
        sections: violation.sections.iter().map(section).collect(),
        threads: &trace.actors,
        schedule: trace.schedule.to_string(),
        beginning: trace.beginning.iter().filter_map(event).collect(),
        trace: trace.steps.iter().map(step).collect(),
        cycle_start: trace.cycle_start,
        too_late: trace.too_late,
    }
}

fn location(place: &Location) -> JsonLocation<'_> {
    JsonLocation {
        file: &place.file,
        line: place.line,
        column: place.column,
        function: &place.function,
    }
}

fn label(label: &Label) -> JsonLabel<'_> {
    JsonLabel { text: &label.text, location: location(&label.location) }
}

fn section(section: &SectionReport) -> JsonSection<'_> {
    JsonSection {
        kind: section.kind.name(),
        name: &section.name,
        thread: section.actor.0 + 1,
        opened: section.opened.as_ref().map(location),
        callers: section.callers.iter().map(location).collect(),
        why: &section.why,
    }
}

fn step(step: &TraceStep) -> JsonStep<'_> {
    JsonStep {
        thread: step.actor.0 + 1,
        location: step.location.as_ref().map(location),
        action: &step.action,
        callers: step.callers.iter().map(location).collect(),
        events: step.events.iter().filter_map(event).collect(),
    }
}

/// Accesses, signals and freed blocks are in the text of what was done; they have no event of their own.
fn event(event: &Event) -> Option<JsonEvent<'_>> {
    Some(match event {
        Event::Accessed { .. }
        | Event::Signalled { .. }
        | Event::Freed { .. }
        | Event::Whim { .. }
        | Event::Within { .. } => return None,
        Event::Did { location: place, text } => JsonEvent::Did { text, location: location(place) },
        Event::Opened { section, name, location: place } => JsonEvent::Opened {
            kind: section.kind.name(),
            name,
            thread: section.actor.0 + 1,
            location: location(place),
        },
        Event::Closed { section, location: place } => JsonEvent::Closed {
            kind: section.kind.name(),
            thread: section.actor.0 + 1,
            location: location(place),
        },
        Event::Output { stream, bytes } => JsonEvent::Output {
            stream: stream_name(*stream),
            text: String::from_utf8_lossy(bytes).into_owned(),
        },
    })
}

fn stream_name(stream: Stream) -> &'static str {
    match stream {
        Stream::Out => "stdout",
        Stream::Err => "stderr",
    }
}

fn statistics(numbers: &Statistics) -> JsonStatistics {
    JsonStatistics {
        states: numbers.states,
        transitions: numbers.transitions,
        seconds: numbers.seconds,
        peak_memory_bytes: numbers.peak_memory_bytes,
        bytes_per_state: numbers.bytes_per_state,
        revisits: numbers.revisits,
        runs: numbers.runs,
        max_depth: numbers.max_depth,
        components: numbers.components,
        bottom_components: numbers.bottom_components,
        sections_opened: numbers.sections_opened,
        section_sites: numbers.section_sites,
        table_load: numbers.table_load,
        phases: numbers.phases.iter().copied().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use serde_json::{Value, json};

    fn parsed(report: &Report) -> Value {
        serde_json::from_str(&render(report, &fixture::run())).expect("the report is JSON")
    }

    #[test]
    fn the_contract() {
        let value = parsed(&fixture::embrace());
        assert_eq!(value["tool"], "exeunt");
        assert_eq!(value["schema"], SCHEMA);
        assert_eq!(value["command"], "check");
        assert_eq!(value["verdict"], "violated");
        let violation = &value["violations"][0];
        assert_eq!(violation["property"], "deadlock");
        let opened = json!({"file": "embrace.c", "line": 7, "column": 5, "function": "left"});
        assert_eq!(violation["location"], opened);
        assert_eq!(violation["section"]["kind"], "mutex-wait");
        assert_eq!(violation["section"]["name"], "b");
        assert_eq!(violation["section"]["opened"], opened);
        assert_eq!(violation["sections"].as_array().map(Vec::len), Some(2));
        assert_eq!(violation["schedule"], "1;1;2;3");
        assert_eq!(violation["trace"][2]["thread"], 2);
        assert_eq!(violation["trace"][2]["action"], "lock(a)");
        assert_eq!(violation["trace"][2]["events"][0]["type"], "did");
        assert_eq!(violation["cycle_start"], Value::Null);
        assert_eq!(violation["too_late"], 3);
        assert_eq!(value["statistics"]["states"], 12);
        assert_eq!(value["limits_hit"], json!([]));
    }

    #[test]
    fn a_lasso_and_output() {
        let value = parsed(&fixture::spinner());
        let violation = &value["violations"][0];
        assert_eq!(violation["cycle_start"], 2);
        let output = json!({"type": "output", "stream": "stdout", "text": "ready\n"});
        assert_eq!(violation["trace"][0]["events"][1], output);
    }

    #[test]
    fn holding_has_no_violations() {
        let value = parsed(&fixture::holds());
        assert_eq!(value["verdict"], "holds");
        assert_eq!(value["violations"], json!([]));
    }
}
