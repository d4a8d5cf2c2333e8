//! Witnesses in the YAML format 2.0 of SV-COMP (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček:
//! *Software Verification Witnesses 2.0*, 2024).
//!
//! A violation witness names the values of inputs, in order, and the target. It leaves the
//! schedule out, for which the format has no words: it describes more runs than the one
//! that was found, and that one is among them. A correctness witness claims no invariants: the
//! states were enumerated.

use std::fmt::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use exeunt_model::{Location, Report, Verdict, Violation};
use sha2::{Digest, Sha256};

use super::Task;
use crate::failure::Failure;
use crate::output;

/// Writes the witness of an answer. An open answer has none, and the format has none for runs
/// without an end.
pub(crate) fn write(task: &Task, report: &Report, path: &Path) -> Result<bool, Failure> {
    let (kind, content) = match (report.verdict, report.violations.first()) {
        (Verdict::Holds, _) => ("invariant_set", "  content: []\n".to_string()),
        (Verdict::Violated, Some(violation)) => match &violation.location {
            Some(target) => ("violation_sequence", sequence(violation, target)),
            None => return Ok(false),
        },
        (Verdict::Violated | Verdict::Inconclusive, _) => return Ok(false),
    };
    let metadata = metadata(task, &content)?;
    output::write(path, &format!("- entry_type: {kind}\n{metadata}{content}"))?;
    Ok(true)
}

fn metadata(task: &Task, content: &str) -> Result<String, Failure> {
    let mut hashes = Vec::new();
    for file in &task.files {
        let bytes = std::fs::read(file).map_err(|why| Failure::file("read", file, &why))?;
        hashes.push((file.display().to_string(), hex(&Sha256::digest(&bytes))));
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut text = String::from("  metadata:\n    format_version: \"2.0\"\n");
    let unique = format!("{content}{hashes:?}{now}{}", std::process::id());
    let _ = writeln!(text, "    uuid: {}", quoted(&uuid(unique.as_bytes())));
    let _ = writeln!(text, "    creation_time: {}", quoted(&instant(now)));
    text.push_str("    producer:\n      name: \"exeunt\"\n");
    let _ = writeln!(text, "      version: {}", quoted(env!("CARGO_PKG_VERSION")));
    text.push_str("    task:\n      input_files:\n");
    for (file, _) in &hashes {
        let _ = writeln!(text, "        - {}", quoted(file));
    }
    text.push_str("      input_file_hashes:\n");
    for (file, hash) in &hashes {
        let _ = writeln!(text, "        {}: {}", quoted(file), quoted(hash));
    }
    let _ = writeln!(text, "      specification: {}", quoted(&task.specification));
    let _ = writeln!(text, "      data_model: {}", task.data_model.name());
    text.push_str("      language: C\n");
    Ok(text)
}

/// The values that inputs take, and the target.
fn sequence(violation: &Violation, target: &Location) -> String {
    let mut text = String::from("  content:\n");
    let inputs: Vec<(Location, String)> = violation.trace.steps.iter().flat_map(inputs).collect();
    for (place, value) in &inputs {
        // A value at a wrong place would make the witness wrong, a missing one only weaker.
        let Some(place) = end_of_call(place) else { break };
        // Nor can every value be written as a constant.
        if matches!(value.as_str(), "NaN" | "inf" | "-inf") {
            break;
        }
        text.push_str("    - segment:\n        - waypoint:\n            type: function_return\n");
        text.push_str("            action: follow\n            constraint:\n");
        let _ = writeln!(text, "              value: {}", quoted(&format!("\\result == {value}")));
        text.push_str("              format: acsl_expression\n");
        locate(&mut text, &place);
    }
    text.push_str("    - segment:\n        - waypoint:\n            type: target\n");
    text.push_str("            action: follow\n");
    locate(&mut text, target);
    text
}

fn locate(text: &mut String, place: &Location) {
    text.push_str("            location:\n");
    let _ = writeln!(text, "              file_name: {}", quoted(&place.file));
    let _ = writeln!(text, "              line: {}", place.line);
    if place.column != 0 {
        let _ = writeln!(text, "              column: {}", place.column);
    }
    if !place.function.is_empty() {
        let _ = writeln!(text, "              function: {}", quoted(&place.function));
    }
}

/// Inputs of a step: where they are asked for, and their values.
fn inputs(step: &exeunt_model::TraceStep) -> Vec<(Location, String)> {
    let value = |(location, text): (&Location, &str)| {
        Some((location.clone(), text.strip_prefix(exeunt_vm::GETS_INPUT)?.to_string()))
    };
    step.deeds().filter_map(value).collect()
}

/// The closing parenthesis of the call that begins at a place, if the source has one there.
fn end_of_call(place: &Location) -> Option<Location> {
    let text = std::fs::read_to_string(&*place.file).ok()?;
    let line = text.lines().nth(place.line.checked_sub(1)? as usize)?;
    let from = line.get(place.column.checked_sub(1)? as usize..)?;
    let name = from.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    from.starts_with("__VERIFIER_nondet_").then_some(())?;
    let rest = from.get(name..)?;
    let open = rest.strip_prefix('(')?;
    let blank = open.len() - open.trim_start().len();
    open.trim_start().starts_with(')').then_some(())?;
    Some(Location { column: place.column + (name + 1 + blank) as u32, ..place.clone() })
}

/// A string of JSON is one of YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A UUID of version 8: its bits are those of a hash.
fn uuid(of: &[u8]) -> String {
    let mut bytes: [u8; 16] = [0; 16];
    bytes.copy_from_slice(&Sha256::digest(of)[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hex(&bytes);
    [&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]].join("-")
}

/// Seconds since 1970 as a date and time of day in UTC.
fn instant(seconds: u64) -> String {
    let (mut days, of_day) = (seconds / 86_400, seconds % 86_400);
    let leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates() {
        assert_eq!(instant(0), "1970-01-01T00:00:00Z");
        assert_eq!(instant(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(instant(1_700_000_000), "2023-11-14T22:13:20Z");
    }

    #[test]
    fn identifiers_have_their_form() {
        let id = uuid(b"x");
        assert_eq!(id.len(), 36);
        assert_eq!(&id[14..15], "8");
    }
}
