//! The question, and the answer as a report.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use exeunt_certify::ThreadCertificate;
use exeunt_counter::{Integers, Role, System, Wish};
use exeunt_model::{Label, Report, Verdict};
use exeunt_smt::{Oracle, Settings, settings};

use crate::certificate;
use crate::common::{self, Common};
use crate::fair::{self, Milestone};
use crate::infinite::{self, Lasso, Search};
use crate::negotiate::{self, Failure, Proof};
use crate::tell;

pub struct Options<'a> {
    pub wish: &'a Wish,
    pub integers: Integers,
    pub time: Option<Duration>,
    /// Every thread that can always move does.
    pub fair: bool,
    /// Which solver is asked.
    pub solver: Settings,
    /// Whether the user wants to stop.
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
    /// Files with their hashes, for certificates.
    pub files: &'a [(String, String)],
    pub clang: &'a [String],
    pub version: &'a str,
}

pub struct Answer {
    pub report: Report,
    pub certificate: Option<ThreadCertificate>,
    pub run: Option<EndlessRun>,
}

/// The threads of an infinite run of the program, by the order in which they are started: 0
/// is the thread that runs `main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndlessRun {
    pub threads: Vec<u32>,
    /// Those from here on repeat.
    pub cycle: usize,
    pub subject: u32,
}

/// `None` if there is no `main`, or a thread moves that nobody started.
fn endless(system: &System, lasso: &Lasso) -> Option<EndlessRun> {
    let main = system.threads.iter().position(|thread| thread.role == Role::Main)?;
    let mut numbers: BTreeMap<usize, u32> = BTreeMap::from([(main, 0)]);
    let mut threads = Vec::new();
    for step in &lasso.steps {
        threads.push(*numbers.get(&step.thread)?);
        let edge = &system.threads[step.thread].edges[step.edge?];
        if let Some(started) = edge.starts {
            let next = numbers.len() as u32;
            numbers.entry(started).or_insert(next);
        }
    }
    Some(EndlessRun { threads, cycle: lasso.cycle, subject: *numbers.get(&0)? })
}

/// Answers whether the subject of the system makes only finitely many steps.
pub fn prove(system: &System, options: &Options<'_>) -> Answer {
    let begun = Instant::now();
    let out_of_time = || options.time.is_some_and(|time| begun.elapsed() > time);
    let stop = || (options.interrupted)() || out_of_time();
    let found = settings::with(&options.solver, &stop, || found(system, options, &stop));
    let mut answer = match found {
        Found::Proof(proof, certificate) => proven(system, &proof, *certificate, options),
        Found::Run(lasso) => {
            let violation = tell::violation(system, &lasso);
            let reason = format!("{} ({})", violation.message, assumption(options));
            let mut report = report(Verdict::Violated, reason);
            report.violations.push(violation);
            Answer { report, certificate: None, run: endless(system, &lasso) }
        }
        Found::Neither(failure) => {
            let name = &system.threads[0].name;
            let why = tell::failure(system, &failure);
            let reason =
                format!("neither a proof that `{name}` ends nor a run in which it does not: {why}");
            let mut report = report(Verdict::Inconclusive, reason);
            report.proof = Some(exeunt_model::Proof {
                explained: tell::attempt(system, &failure),
                assumption: granted(system, options, false),
                refinements: 0,
                loops: tell::rows(system, &failure.loops),
                program: String::new(),
                certificate: None,
            });
            Answer { report, certificate: None, run: None }
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
        (_, Verdict::Inconclusive) => {
            report.limits_hit.extend(lines.map(|line| format!("modelled as any value: {line}")));
        }
        (Some(proof), _) if !losses.is_empty() => {
            proof.explained.push(("modelled as any value".to_string(), lines.collect()));
        }
        (Some(_) | None, Verdict::Holds | Verdict::Violated) => {}
    }
}

enum Found {
    Proof(Box<Proof>, Box<Result<ThreadCertificate, String>>),
    Run(Lasso),
    Neither(Box<Failure>),
}

/// A proof or a run; what is quick is tried first.
fn found(system: &System, options: &Options<'_>, stop: &dyn Fn() -> bool) -> Found {
    let search = Search { library: options.wish.beside.is_some(), fair: options.fair };
    let failure = match negotiate::plainly(system, stop) {
        Ok(proof) => return certified(system, proof, options),
        Err(failure) => failure,
    };
    if let Some(run) = infinite::lasso(system, search, infinite::FEW_STATES, stop) {
        return Found::Run(run);
    }
    if let Some(proof) =
        options.fair.then(|| fairly(system, options, &Common::default(), stop)).flatten()
    {
        return certified(system, proof, options);
    }
    let known = common::facts(system, &mut Oracle::new(), stop);
    let failure = match negotiate::with_facts(system, &known, stop) {
        Some(Ok(proof)) => return certified(system, proof, options),
        Some(Err(failure)) => failure,
        None => failure,
    };
    if options.fair
        && !known.facts.is_empty()
        && let Some(proof) = fairly(system, options, &known, stop)
    {
        return certified(system, proof, options);
    }
    let known = common::further(system, &mut Oracle::new(), stop);
    let failure = match negotiate::with_facts(system, &known, stop) {
        Some(Ok(proof)) => return certified(system, proof, options),
        Some(Err(_)) | None => failure,
    };
    match infinite::lasso(system, search, infinite::MANY_STATES, stop) {
        Some(run) => Found::Run(run),
        None => Found::Neither(failure),
    }
}

/// A proof that relies on every thread getting its turn.
fn fairly(
    system: &System,
    options: &Options<'_>,
    known: &Common,
    stop: &dyn Fn() -> bool,
) -> Option<Proof> {
    let mut sketch = negotiate::sketch(system, known)?;
    let frame = sketch.clone();
    let judge = |next: &Milestone, before: &[Milestone]| {
        let mut sketch = frame.clone();
        sketch.milestones = before.iter().chain([next]).cloned().collect();
        certificate::certificate(system, &sketch, options)
            .is_some_and(|certificate| fair::is_certified(system, &certificate))
    };
    let mut milestones = fair::milestones(system, known, &judge, stop);
    let mut proof = negotiate::finally(system, known, &milestones, stop).ok()?;
    // Without those that are not needed it is easier to read.
    for index in (0..milestones.len()).rev() {
        let mut fewer = milestones.clone();
        fewer.remove(index);
        let needed =
            fewer[index..].iter().enumerate().any(|(at, one)| !judge(one, &fewer[..index + at]));
        if needed {
            continue;
        }
        if let Ok(shorter) = negotiate::finally(system, known, &fewer, stop) {
            (milestones, proof) = (fewer, shorter);
        }
    }
    sketch.milestones = milestones;
    Some(proof)
}

/// With more questions to a solver than that, single promises between threads are not dropped.
const MOST_QUESTIONS: usize = 8_000;

/// The same proof without what it does not need of laws and of promises between threads, which is
/// easier to read.
fn shorter(system: &System, mut proof: Proof, options: &Options<'_>) -> Proof {
    let obligations = |proof: &Proof| {
        let short = certificate::certificate(system, proof, options)?;
        Some(exeunt_certify::check_thread(system, &short).ok()?.obligations)
    };
    let drop = |proof: &mut Proof, change: &dyn Fn(&mut Common)| {
        let mut short = proof.clone();
        change(&mut short.common);
        let found = obligations(&short);
        if found.is_some() {
            *proof = short;
        }
        found
    };
    if !proof.common.laws.is_empty() {
        drop(&mut proof, &|known| known.laws.clear());
    }
    if proof.common.relies.is_empty() || drop(&mut proof, &|known| known.relies.clear()).is_some() {
        return proof;
    }
    let mut cost = 0;
    for thread in 0..proof.common.relies.len() {
        let found = drop(&mut proof, &|known| known.relies[thread].clauses.clear());
        cost = found.unwrap_or(cost);
    }
    let left: usize = proof.common.relies.iter().map(|promised| promised.clauses.len()).sum();
    if cost * left > MOST_QUESTIONS {
        return proof;
    }
    for thread in 0..proof.common.relies.len() {
        // Several at once first.
        for many in [8, 2, 1] {
            let count = proof.common.relies[thread].clauses.len();
            for first in (0..count).step_by(many).rev() {
                drop(&mut proof, &|known| {
                    known.relies[thread].clauses.drain(first..count.min(first + many));
                });
            }
        }
    }
    proof
}

/// A proof counts only if the checker of certificates agrees.
fn certified(system: &System, proof: Proof, options: &Options<'_>) -> Found {
    let proof = shorter(system, proof, options);
    let checked = match certificate::certificate(system, &proof, options) {
        None => Err("a number is too large for a certificate".to_string()),
        Some(certificate) => {
            exeunt_certify::check_thread(system, &certificate).map(|_| certificate)
        }
    };
    Found::Proof(Box::new(proof), Box::new(checked))
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
            (Some(all), Some(proof)) => {
                all.explained.extend(proof.explained);
                all.loops.extend(proof.loops);
            }
            (all @ None, proof) => *all = proof,
            (Some(_), None) => {}
        }
    }
    Answer { report: whole, certificate: None, run: None }
}

fn proven(
    system: &System,
    proof: &Proof,
    checked: Result<ThreadCertificate, String>,
    options: &Options<'_>,
) -> Answer {
    let name = &system.threads[0].name;
    let certificate = match checked {
        Ok(certificate) => certificate,
        Err(why) => {
            let reason = format!("a proof that `{name}` ends was found but not certified: {why}");
            return Answer {
                report: report(Verdict::Inconclusive, reason),
                certificate: None,
                run: None,
            };
        }
    };
    let loops = proof.ranking.len();
    let loops = if loops == 1 { "1 loop".to_string() } else { format!("{loops} loops") };
    let assumed = assumption(options);
    let schedules = match proof.milestones.is_empty() {
        true => "every schedule",
        false => "every fair schedule",
    };
    let reason = format!("thread `{name}` ends in {schedules} ({loops}; {assumed})");
    let mut report = report(Verdict::Holds, reason);
    report.proof = Some(exeunt_model::Proof {
        explained: tell::proof(system, proof),
        assumption: granted(system, options, !proof.common.facts.is_empty())
            + fairness(!proof.milestones.is_empty()),
        refinements: 0,
        loops: tell::rows(system, &proof.loops),
        program: String::new(),
        certificate: None,
    });
    Answer { report, certificate: Some(certificate), run: None }
}

fn fairness(used: bool) -> &'static str {
    match used {
        true => {
            "; a thread that can always move does (`--fair`); threads can be started and none \
             is cancelled"
        }
        false => "",
    }
}

fn assumption(options: &Options<'_>) -> &'static str {
    match options.integers {
        Integers::Exact => "integers wrap around",
        Integers::Mathematical => "integers without bounds",
    }
}

fn granted(system: &System, options: &Options<'_>, facts: bool) -> String {
    let width = match options.integers {
        Integers::Exact => "integers have the widths of their types and wrap around",
        Integers::Mathematical => "integers have no bounds (`--integers mathematical`)",
    };
    let mut text = format!(
        "{width}; memory is sequentially consistent; no access is out of bounds and no lock is \
         destroyed while it is used (`exeunt check` looks for both)"
    );
    if options.wish.beside.is_some() && facts {
        text.push_str("; variables begin with their initial values");
    }
    for more in &system.assumptions {
        text.push_str("; ");
        text.push_str(more);
    }
    text
}

fn report(verdict: Verdict, reason: String) -> Report {
    Report::new(verdict, reason)
}
