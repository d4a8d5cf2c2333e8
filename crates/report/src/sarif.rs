//! The report as SARIF 2.1.0, for code hosts and editors. Each thread of a
//! trace is one thread flow; `executionOrder` gives the interleaving.

use std::collections::BTreeSet;

use exeunt_model::{ActorId, Label, Location, Property, Report, TraceStep, Verdict, Violation};
use serde_json::{Value, json};

use crate::words::{about, section_note};
use crate::{Run, json};

pub(crate) fn render(report: &Report, run: &Run) -> String {
    let mut log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "exeunt",
                "version": run.version,
                "rules": rules(),
            }},
            "columnKind": "utf16CodeUnits",
            "invocations": [invocation(report)],
            "results": report.violations.iter().map(result).chain(report.notes.iter().map(note)).collect::<Vec<_>>(),
            "properties": {
                "verdict": report.verdict.name(),
                "reason": report.reason,
                "states": report.statistics.states,
            },
        }],
    });
    if let Some(proof) = &report.proof {
        log["runs"][0]["properties"]["proof"] = json::proof(proof);
    }
    let mut text = serde_json::to_string_pretty(&log).expect("plain data has a JSON form");
    text.push('\n');
    text
}

fn rules() -> Vec<Value> {
    Property::ALL
        .iter()
        .map(|p| json!({ "id": p.name(), "shortDescription": { "text": about(*p) } }))
        .collect()
}

/// An inconclusive run says so, and is not mistaken for a clean one.
fn invocation(report: &Report) -> Value {
    let mut notes: Vec<Value> = Vec::new();
    if report.verdict == Verdict::Inconclusive {
        notes.push(json!({ "level": "warning", "message": { "text": format!("inconclusive: {}", report.reason) } }));
    }
    for limit in &report.limits_hit {
        notes.push(
            json!({ "level": "warning", "message": { "text": format!("limit reached: {limit}") } }),
        );
    }
    for assumption in &report.assumptions {
        notes.push(
            json!({ "level": "note", "message": { "text": format!("assumed: {assumption}") } }),
        );
    }
    json!({ "executionSuccessful": true, "toolExecutionNotifications": notes })
}

/// Something undefined but harmless.
fn note(note: &Label) -> Value {
    let property = Property::Undefined;
    json!({
        "ruleId": property.name(),
        "ruleIndex": Property::ALL.iter().position(|p| *p == property),
        "level": "note",
        "message": { "text": note.text },
        "locations": [place(&note.location)],
    })
}

fn result(violation: &Violation) -> Value {
    let mut result = json!({
        "ruleId": violation.property.name(),
        "ruleIndex": Property::ALL.iter().position(|p| *p == violation.property),
        "level": "error",
        "message": { "text": message(violation) },
        "locations": violation.location.iter().map(place).collect::<Vec<_>>(),
        "relatedLocations": related(violation),
        "properties": { "schedule": violation.trace.schedule.to_string() },
    });
    let stacks = stacks(violation);
    if !stacks.is_empty() {
        result["stacks"] = json!(stacks);
    }
    if !violation.trace.steps.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": thread_flows(violation) }]);
    }
    result
}

fn message(violation: &Violation) -> String {
    let mut text = violation.message.clone();
    for help in &violation.help {
        text.push_str("; help: ");
        text.push_str(help);
    }
    text
}

fn related(violation: &Violation) -> Vec<Value> {
    let labels = violation.labels.iter().map(|label| (label.location.clone(), label.text.clone()));
    let sections = violation.sections.iter().filter_map(|section| {
        let text = section_note(violation.trace.noun, section);
        section.opened.clone().map(|opened| (opened, text))
    });
    let with_text = |(index, (location, text)): (usize, (Location, String))| {
        let mut value = place(&location);
        value["id"] = json!(index);
        value["message"] = json!({ "text": text });
        value
    };
    labels.chain(sections).enumerate().map(with_text).collect()
}

/// The calls around the places where threads wait, or around the guilty place.
fn stacks(violation: &Violation) -> Vec<Value> {
    let mut stacks: Vec<Value> = Vec::new();
    for section in violation.sections.iter().filter(|section| !section.callers.is_empty()) {
        let Some(opened) = &section.opened else { continue };
        let text = violation.trace.noun.call(section.actor);
        stacks.push(stack(&text, opened, &section.callers));
    }
    if let (true, Some(location)) = (stacks.is_empty(), &violation.location)
        && !violation.callers.is_empty()
    {
        stacks.push(stack("calls", location, &violation.callers));
    }
    stacks
}

fn stack(text: &str, innermost: &Location, callers: &[Location]) -> Value {
    let frame = |location: &Location| json!({ "location": place(location) });
    let frames: Vec<Value> = std::iter::once(innermost).chain(callers).map(frame).collect();
    json!({ "message": { "text": text }, "frames": frames })
}

fn place(location: &Location) -> Value {
    let mut value = json!({});
    if location.is_known() {
        let mut region = json!({ "startLine": location.line });
        if location.column != 0 {
            region["startColumn"] = json!(location.column);
        }
        value["physicalLocation"] =
            json!({ "artifactLocation": { "uri": uri(&location.file) }, "region": region });
    }
    if !location.function.is_empty() {
        value["logicalLocations"] = json!([{ "name": &*location.function, "kind": "function" }]);
    }
    value
}

/// A relative path stays a relative reference; an absolute one gets a scheme.
fn uri(file: &str) -> String {
    let mut out = String::from(if file.starts_with('/') { "file://" } else { "" });
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                out.push(byte as char)
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Readers of these logs show no more locations of a code flow; of longer
/// stories the beginning and the end are told.
const MOST_STEPS: usize = 2_000;
/// Of a step that does more, the beginning and the end are told.
const MOST_DEEDS: usize = 20;

fn thread_flows(violation: &Violation) -> Vec<Value> {
    let steps = &violation.trace.steps;
    let beginning = violation.trace.before_first();
    let all = steps.iter().chain(&beginning);
    let actors: BTreeSet<ActorId> = all.map(|step| step.actor).collect();
    let flow = |actor: &ActorId| {
        let own = steps.iter().enumerate().filter(|(_, step)| step.actor == *actor);
        let own = own
            .filter(|(index, _)| *index < MOST_STEPS / 2 || steps.len() - *index <= MOST_STEPS / 2);
        let before = beginning.iter().filter(|step| step.actor == *actor);
        let before = before.flat_map(|step| flow_of(0, step));
        let own = own.flat_map(|(index, step)| flow_of(index + 1, step));
        let locations: Vec<Value> = before.chain(own).collect();
        json!({ "id": violation.trace.noun.call(*actor), "locations": locations })
    };
    actors.iter().map(flow).collect()
}

/// All that the step with this number does, as far as it is not very long; 0 is what comes before the first.
fn flow_of(number: usize, step: &TraceStep) -> Vec<Value> {
    let mut deeds: Vec<(Option<&Location>, &str)> =
        step.deeds().map(|(location, text)| (Some(location), text)).collect();
    if deeds.len() < 2 {
        deeds = vec![(step.location.as_ref(), &step.action)];
    }
    let left = deeds.len().saturating_sub(MOST_DEEDS);
    let more = format!("… {left} more");
    if left > 0 {
        deeds.splice(MOST_DEEDS / 2..MOST_DEEDS / 2 + left, [(None, &*more)]);
    }
    let flow = |(place_of, text): (Option<&Location>, &str)| {
        let mut location = place_of.map_or_else(|| json!({}), place);
        location["message"] = json!({ "text": text });
        let mut flow = json!({ "executionOrder": number, "location": location });
        if let (Some(location), false) = (&step.location, step.callers.is_empty())
            && text == step.action
        {
            flow["stack"] = stack(&step.action, location, &step.callers);
        }
        flow
    };
    deeds.into_iter().map(flow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn parsed(report: &Report) -> Value {
        serde_json::from_str(&render(report, &fixture::run())).expect("the log is JSON")
    }

    #[test]
    fn a_result_names_rule_place_and_interleaving() {
        let log = parsed(&fixture::embrace());
        assert_eq!(log["version"], "2.1.0");
        let result = &log["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], "deadlock");
        let rule = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][rule]["id"], "deadlock");
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(*region, json!({ "startLine": 7, "startColumn": 5 }));
        let flows = result["codeFlows"][0]["threadFlows"].as_array().expect("flows");
        assert_eq!(flows.len(), 3);
        assert_eq!(flows[1]["locations"][0]["executionOrder"], 3);
        assert_eq!(result["relatedLocations"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn of_a_long_story_the_ends_are_told() {
        let mut report = fixture::embrace();
        let steps = &mut report.violations[0].trace.steps;
        let step = steps[0].clone();
        steps.resize(3 * MOST_STEPS, step);
        let log = parsed(&report);
        let flows = log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"].as_array();
        let flows = flows.expect("flows").iter();
        let told: usize = flows.map(|flow| flow["locations"].as_array().map_or(0, Vec::len)).sum();
        assert_eq!(told, MOST_STEPS);
    }

    #[test]
    fn inconclusive_is_not_a_clean_run() {
        let mut report = fixture::holds();
        report.verdict = Verdict::Inconclusive;
        report.limits_hit.push("--time 1s".to_string());
        let log = parsed(&report);
        let notes = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(notes.as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn paths_are_uri_references() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/x/é.c"), "file:///x/%C3%A9.c");
    }
}
