//! What a search came to, in the form that SPIN's verifiers print.

use std::fmt::Write;

use exeunt_model::{Property, Report, Verdict, Violation};
use exeunt_promela::PromelaModel;

use super::line::Line;

/// What the table says besides the numbers of the report.
pub(super) struct Asked {
    /// The claim that is checked.
    pub(super) claim: Option<String>,
    pub(super) cycles: Cycles,
}

impl Asked {
    /// Whether processes must not stop where they are. With a claim, SPIN does not ask for that, and
    /// cycles without progress are looked for by a claim of its own.
    pub(super) fn looks_at_ends(&self, line: &Line) -> bool {
        !line.pan.ignores_ends && !self.has_claim()
    }

    fn has_claim(&self) -> bool {
        self.claim.is_some() || self.cycles == Cycles::NonProgress
    }
}

/// Which cycles are errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cycles {
    None,
    Acceptance,
    NonProgress,
}

/// The table.
pub(super) fn table(line: &Line, asked: &Asked, model: &PromelaModel, report: &Report) -> String {
    let mut out = String::new();
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(out, "\n(Exeunt {version}, as SPIN 6.5.2 prints it)");
    if !report.limits_hit.is_empty() || (report.verdict == Verdict::Violated && !goes_on(line)) {
        out.push_str("Warning: Search not completed\n");
    }
    for limit in &report.limits_hit {
        let _ = writeln!(out, "\t{limit}");
    }
    // Where messages are lost, nothing is reduced.
    if !line.pan.unreduced && !line.rules.loses {
        out.push_str("\t+ Partial Order Reduction\n");
    }
    out.push_str(&questions(line, asked));
    out.push_str(&numbers(report));
    if !line.pan.no_unreached && report.verdict == Verdict::Holds {
        out.push_str(&unreached(model, report));
    }
    let _ = writeln!(out, "\npan: elapsed time {:.2} seconds", report.statistics.seconds);
    out
}

/// Whether there is a run that is longer than allowed, and no other error.
pub(super) fn is_too_long(line: &Line, report: &Report) -> bool {
    line.pan.bounded
        && report.verdict != Verdict::Violated
        && report.limits_hit.iter().any(|limit| limit.starts_with("--max-depth"))
}

/// Whether errors are looked for behind the first one.
pub(super) fn goes_on(line: &Line) -> bool {
    line.pan.errors.is_some_and(|most| most != 1) || line.pan.all_trails
}

fn questions(line: &Line, asked: &Asked) -> String {
    let kind = match (line.pan.bitstate, line.pan.hash_compact) {
        (true, _) => "Bit statespace search for:",
        (false, true) => "Hash-compact statespace search for:",
        (false, false) => "Full statespace search for:",
    };
    let sign = |on: bool| if on { "+" } else { "-" };
    let claim = match &asked.claim {
        Some(name) => format!("+ ({name})"),
        None if asked.cycles == Cycles::NonProgress => "+ (:np_:)".to_string(),
        None if line.pan.ignores_claims => "- (not selected)".to_string(),
        None => "- (none specified)".to_string(),
    };
    let fairness = if line.pan.fair { "(fairness enabled)" } else { "(fairness disabled)" };
    let cycles = match asked.cycles {
        Cycles::None => "cycle checks       \t- (not selected)".to_string(),
        Cycles::Acceptance => format!("acceptance   cycles \t+ {fairness}"),
        Cycles::NonProgress => format!("non-progress cycles \t+ {fairness}"),
    };
    format!(
        "\n{kind}\n\tnever claim         \t{claim}\n\tassertion violations\t{}\n\t{cycles}\n\tinvalid end states\t{}\n",
        sign(!line.pan.ignores_assertions),
        match asked.has_claim() {
            true => "- (disabled by never claim)",
            false => sign(!line.pan.ignores_ends),
        },
    )
}

/// SPIN counts the initial state as a transition.
fn numbers(report: &Report) -> String {
    let numbers = &report.statistics;
    // With a claim, states are those of the product, as in SPIN.
    let product = report.answers.last();
    let states = product.map_or(numbers.states, |answer| answer.states);
    let transitions = product.map_or(numbers.transitions + 1, |answer| answer.transitions);
    let matched = transitions.saturating_sub(states);
    let megabytes = |bytes: f64| bytes / f64::from(1 << 20);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "\nState-vector {:.0} byte, depth reached {}, errors: {}",
        numbers.bytes_per_state,
        numbers.max_depth.unwrap_or(0),
        report.violations.len()
    );
    let _ = writeln!(out, "{states:9} states, stored");
    let _ = writeln!(out, "{matched:9} states, matched");
    let _ = writeln!(out, "{transitions:9} transitions (= stored+matched)");
    let _ = writeln!(out, "\nStats on memory usage (in Megabytes):");
    let stored = megabytes(numbers.bytes_per_state * numbers.states as f64);
    let _ = writeln!(out, "{stored:9.3}\tactual memory usage for states");
    let total = megabytes(numbers.peak_memory_bytes as f64);
    let _ = writeln!(out, "{total:9.3}\ttotal actual memory usage");
    out
}

fn unreached(model: &PromelaModel, report: &Report) -> String {
    let mut out = String::new();
    for (name, all) in model.statements() {
        let _ = writeln!(out, "\nunreached in {}", super::declared(&name));
        let own = report.unreached.iter().filter(|label| label.location.function == name);
        let mut count = 0;
        for label in own {
            let place = format!("{}:{}", label.location.file, label.location.line);
            let _ = writeln!(out, "\t{place}, \"{}\"", label.text);
            count += 1;
        }
        let _ = writeln!(out, "\t({count} of {all} states)");
    }
    out
}

/// An error as the verifier says it.
pub(super) fn error(number: usize, violation: &Violation, asked: &Asked) -> String {
    let depth = violation.trace.steps.len().saturating_sub(1);
    let cyclic = violation.trace.cycle_start.is_some();
    let what = match violation.property {
        Property::Deadlock => "invalid end state".to_string(),
        Property::Ltl if cyclic && asked.cycles == Cycles::NonProgress => {
            "non-progress cycle".to_string()
        }
        Property::Ltl if cyclic => "acceptance cycle".to_string(),
        Property::Ltl => "claim violated!".to_string(),
        Property::Assertion => violation.message.replacen("assertion", "assertion violated", 1),
        _ => violation.message.clone(),
    };
    format!("pan:{number}: {what} (at depth {depth})\n")
}
