//! The question, and the answer as a report.

use std::time::{Duration, Instant};

use exeunt_certify::ThreadCertificate;
use exeunt_counter::{Integers, System, Wish};
use exeunt_model::{Label, Report, Statistics, Verdict};

use crate::certificate;
use crate::infinite::{self, Lasso};
use crate::negotiate::{self, Failure, Proof};
use crate::tell;

pub struct Options<'a> {
    pub wish: &'a Wish,
    pub integers: Integers,
    pub time: Option<Duration>,
    /// Whether the user wants to stop.
    pub interrupted: &'a dyn Fn() -> bool,
    /// Files with their hashes, for certificates.
    pub files: &'a [(String, String)],
    pub clang: &'a [String],
    pub version: &'a str,
}

pub struct Answer {
    pub report: Report,
    pub certificate: Option<ThreadCertificate>,
}

/// Answers whether the subject of the system makes only finitely many steps.
pub fn prove(system: &System, options: &Options<'_>) -> Answer {
    let begun = Instant::now();
    let out_of_time = || options.time.is_some_and(|time| begun.elapsed() > time);
    let stop = || (options.interrupted)() || out_of_time();
    let mut answer = match found(system, options, &stop) {
        Found::Proof(proof) => proven(system, &proof, options, begun.elapsed().as_secs_f64()),
        Found::Run(lasso) => {
            let violation = tell::violation(system, &lasso);
            let reason = format!("{} ({})", violation.message, assumption(options));
            let mut report = report(Verdict::Violated, reason);
            report.violations.push(violation);
            Answer { report, certificate: None }
        }
        Found::Neither(failure) => {
            let name = &system.threads[0].name;
            let why = tell::failure(system, &failure);
            let reason =
                format!("neither a proof that `{name}` ends nor a run in which it does not: {why}");
            Answer { report: report(Verdict::Inconclusive, reason), certificate: None }
        }
    };
    if out_of_time() && answer.report.verdict == Verdict::Inconclusive {
        answer.report.limits_hit.push("--time".into());
    }
    say_losses(&mut answer.report, &system.losses);
    answer.report.statistics.seconds = begun.elapsed().as_secs_f64();
    answer
}

/// What is modelled as less than it is: a proof holds in spite of it, and the lack of
/// one may come from it. Runs that are shown are exact.
fn say_losses(report: &mut Report, losses: &[Label]) {
    let lines = losses.iter().map(|loss| format!("{}: {}", loss.location, loss.text));
    match (&mut report.proof, report.verdict) {
        (Some(proof), _) if !losses.is_empty() => {
            proof.explained.push(("modelled as any value".to_string(), lines.collect()));
        }
        (None, Verdict::Inconclusive) => {
            report.limits_hit.extend(lines.map(|line| format!("modelled as any value: {line}")));
        }
        (Some(_), _) | (None, Verdict::Holds | Verdict::Violated) => {}
    }
}

enum Found {
    Proof(Proof),
    Run(Lasso),
    Neither(Failure),
}

/// A proof or a run; what is quick is tried first.
fn found(system: &System, options: &Options<'_>, stop: &dyn Fn() -> bool) -> Found {
    let library = options.wish.beside.is_some();
    let failure = match negotiate::plainly(system, stop) {
        Ok(proof) => return Found::Proof(proof),
        Err(failure) => failure,
    };
    if let Some(run) = infinite::lasso(system, library, infinite::FEW_STATES, stop) {
        return Found::Run(run);
    }
    let failure = match negotiate::with_facts(system, stop) {
        Some(Ok(proof)) => return Found::Proof(proof),
        Some(Err(failure)) => failure,
        None => failure,
    };
    match infinite::lasso(system, library, infinite::MANY_STATES, stop) {
        Some(run) => Found::Run(run),
        None => Found::Neither(failure),
    }
}

/// One answer of the answers about several threads: it holds if all do.
pub fn together(mut answers: Vec<Answer>) -> Answer {
    if answers.len() == 1 {
        return answers.remove(0);
    }
    let has = |verdict| answers.iter().any(|answer| answer.report.verdict == verdict);
    let verdict = match (has(Verdict::Violated), has(Verdict::Inconclusive)) {
        (true, _) => Verdict::Violated,
        (false, true) => Verdict::Inconclusive,
        (false, false) => Verdict::Holds,
    };
    let reasons: Vec<String> = answers.iter().map(|answer| answer.report.reason.clone()).collect();
    let mut whole = report(verdict, reasons.join("; "));
    for Answer { report: part, .. } in answers {
        whole.violations.extend(part.violations);
        for limit in part.limits_hit {
            if !whole.limits_hit.contains(&limit) {
                whole.limits_hit.push(limit);
            }
        }
        whole.statistics.seconds += part.statistics.seconds;
        match (&mut whole.proof, part.proof) {
            (Some(all), Some(proof)) => all.explained.extend(proof.explained),
            (all @ None, proof) => *all = proof,
            (Some(_), None) => {}
        }
    }
    Answer { report: whole, certificate: None }
}

/// A proof counts only if the checker of certificates agrees.
fn proven(system: &System, proof: &Proof, options: &Options<'_>, seconds: f64) -> Answer {
    let name = &system.threads[0].name;
    let checked = match certificate::certificate(system, proof, options) {
        None => Err("a number is too large for a certificate".to_string()),
        Some(certificate) => {
            exeunt_certify::check_thread(system, &certificate).map(|_| certificate)
        }
    };
    let certificate = match checked {
        Ok(certificate) => certificate,
        Err(why) => {
            let reason = format!("a proof that `{name}` ends was found but not certified: {why}");
            return Answer { report: report(Verdict::Inconclusive, reason), certificate: None };
        }
    };
    let loops = proof.ranking.len();
    let loops = if loops == 1 { "1 loop".to_string() } else { format!("{loops} loops") };
    let assumed = assumption(options);
    let reason = format!("thread `{name}` ends in every schedule ({loops}; {assumed})");
    let mut report = report(Verdict::Holds, reason);
    report.proof = Some(exeunt_model::Proof {
        explained: tell::proof(system, proof, seconds),
        assumption: granted(system, proof, options),
        refinements: 0,
        program: String::new(),
        certificate: None,
    });
    Answer { report, certificate: Some(certificate) }
}

fn assumption(options: &Options<'_>) -> &'static str {
    match options.integers {
        Integers::Exact => "integers wrap around",
        Integers::Mathematical => "integers without bounds",
    }
}

fn granted(system: &System, proof: &Proof, options: &Options<'_>) -> String {
    let width = match options.integers {
        Integers::Exact => "integers have the widths of their types and wrap around",
        Integers::Mathematical => "integers have no bounds (`--integers mathematical`)",
    };
    let mut text = format!(
        "{width}; memory is sequentially consistent; no access is out of bounds and no lock is \
         destroyed while it is used (`exeunt check` looks for both)"
    );
    if options.wish.beside.is_some() && !proof.always.is_empty() {
        text.push_str("; variables begin with their initial values");
    }
    for more in &system.assumptions {
        text.push_str("; ");
        text.push_str(more);
    }
    text
}

fn report(verdict: Verdict, reason: String) -> Report {
    Report {
        verdict,
        reason,
        violations: Vec::new(),
        statistics: Statistics::default(),
        limits_hit: Vec::new(),
        answers: Vec::new(),
        unreached: Vec::new(),
        notes: Vec::new(),
        assumptions: Vec::new(),
        remarks: Vec::new(),
        proof: None,
    }
}
