//! What is asked of a model, and the answer as a report.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use exeunt_certify::{Certificate, ModelFile};
use exeunt_model::{Property, Report, Statistics, Verdict, Violation};
use exeunt_promela::PromelaModel;

use crate::config::Config;
use crate::hunt::{self, Catch, Limits, Wanted, WantedGrowth};
use crate::layout::Layout;
use crate::names::Names;
use crate::proof::Proof;
use crate::run::Source;
use crate::{certificate, program, story, tell};

/// Which growth is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Grow {
    /// None: any run that never ends, preferably one in which a channel grows.
    #[default]
    Preferred,
    /// Some channel or variable.
    Anything,
    /// This channel or variable.
    Named(String),
}

#[derive(Clone, Debug)]
pub struct Options {
    pub grow: Grow,
    /// A process type that has to take part.
    pub process: Option<String>,
    /// Every kind of cycle, and not only the best one.
    pub all: bool,
    pub max_states: u64,
    pub time: Option<Duration>,
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            grow: Grow::default(),
            process: None,
            all: false,
            max_states: 50_000,
            time: None,
            interrupt: Arc::default(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Answer {
    /// With the proof, if there is one.
    pub report: Report,
    pub certificate: Option<Certificate>,
    /// Those of the other cycles, in the order of the violations, if all were asked for.
    pub others: Vec<Certificate>,
    pub interrupted: bool,
}

/// Looks for a run that never ends. `Err` is bad usage or a model that this
/// cannot be asked of.
pub fn prove(
    model: &PromelaModel,
    options: &Options,
    file: ModelFile,
    version: &str,
) -> Result<Answer, String> {
    let begun = Instant::now();
    let program = model.program();
    if program.uses_priority && program.channels.iter().any(|channel| channel.capacity == 0) {
        let why = "proofs do not know priorities together with rendezvous channels";
        return Err(format!("{why}; `exeunt check` does, with the channels bounded"));
    }
    let layout = Layout::new(program);
    let source = Source { program, layout: &layout };
    let wanted = wanted(source, options)?;
    let limits = Limits {
        states: options.max_states,
        time: options.time,
        interrupt: options.interrupt.clone(),
    };
    let is_named = |start: &Config<i64>, place| match &options.grow {
        Grow::Named(name) => is_called(source, start, place, name),
        _ => false,
    };
    let catch = hunt::hunt(source, &wanted, &limits, &is_named).map_err(|stop| stop.to_string())?;
    let mut report = conclude(source, options, &catch);
    report.statistics.seconds = begun.elapsed().as_secs_f64();
    report.proof = catch.main.as_ref().map(|proof| told(source, proof));
    let certified = |proof: &Proof| certificate::certificate(source, proof, file.clone(), version);
    let certificate = catch.main.as_ref().and_then(certified);
    let others = catch.others.iter().filter_map(certified).collect();
    Ok(Answer { report, certificate, others, interrupted: catch.interrupted })
}

/// A proof as others see it. Only the command line gives certificates a text.
fn told(source: Source<'_>, proof: &Proof) -> exeunt_model::Proof {
    exeunt_model::Proof {
        explained: tell::explained(source, proof),
        assumption: tell::assumption(proof),
        refinements: proof.invariant.refinements,
        loops: Vec::new(),
        program: program::while_program(source, proof),
        certificate: None,
    }
}

fn wanted(source: Source<'_>, options: &Options) -> Result<Wanted, String> {
    let process = match &options.process {
        None => None,
        Some(name) => {
            let mut procs = source.program.procs.iter();
            let index = procs.position(|proc| *proc.name == **name);
            Some(index.ok_or_else(|| format!("the model has no process type `{name}`"))? as u16)
        }
    };
    let growth = match &options.grow {
        Grow::Preferred => WantedGrowth::Preferred,
        Grow::Anything => WantedGrowth::Any,
        Grow::Named(name) => {
            if !is_declared(source, name) {
                return Err(format!("the model has no channel and no variable `{name}`"));
            }
            WantedGrowth::Named(name.clone())
        }
    };
    Ok(Wanted { growth, process, all: options.all })
}

/// `x`, `P:x`, or the name of an array for any of its elements.
fn matches_name(full: &str, name: &str) -> bool {
    let plain = full.strip_prefix("len(").and_then(|text| text.strip_suffix(')')).unwrap_or(full);
    let last = plain.rsplit(':').next().unwrap_or(plain);
    let of_array = |text: &str| {
        text.strip_prefix(name).is_some_and(|rest| rest.starts_with('[') || rest.starts_with('#'))
    };
    plain == name || last == name || of_array(plain) || of_array(last)
}

fn is_called(
    source: Source<'_>,
    start: &Config<i64>,
    place: crate::summary::Place,
    name: &str,
) -> bool {
    matches_name(&Names::new(source, start).place(place), name)
}

fn is_declared(source: Source<'_>, name: &str) -> bool {
    let globals = source.layout.globals.slots.iter().map(|slot| slot.name.clone());
    let locals = source.layout.locals.iter().zip(&source.program.procs);
    let locals = locals.flat_map(|(frame, proc)| {
        frame.slots.iter().map(|slot| format!("{}:{}", proc.name, slot.name))
    });
    globals.chain(locals).any(|full| matches_name(&full, name))
}

fn conclude(source: Source<'_>, options: &Options, catch: &Catch) -> Report {
    let statistics = Statistics {
        states: catch.progress.states,
        transitions: catch.progress.transitions,
        max_depth: Some(u64::from(catch.progress.depth)),
        ..Statistics::default()
    };
    let partial = options.all && catch.main.is_some() && !catch.exhausted;
    let more = "there may be more cycles: not all configurations were looked at";
    let report = |verdict, reason, violations| Report {
        violations,
        statistics,
        limits_hit: catch.limits.clone(),
        remarks: partial.then(|| more.to_string()).into_iter().collect(),
        ..Report::new(verdict, reason)
    };
    if let Some(proof) = &catch.main {
        let each = std::iter::once(proof).chain(&catch.others);
        let each = each.map(|proof| violation(source, proof, tell::sentence(source, proof), None));
        let mut violations: Vec<Violation> = each.collect();
        if let Some(plain) = &catch.plain {
            let also = "also, trivially: ".to_string() + &tell::sentence(source, plain);
            let help = "a finite state space has such cycles; they say nothing about growth";
            violations.push(violation(source, plain, also, Some(help)));
        }
        let reason = format!("{}, and this is proven", tell::headline(source, proof));
        return report(Verdict::Violated, reason, violations);
    }
    if let Some(states) = catch.fades {
        return report(Verdict::Holds, faded(states), Vec::new());
    }
    let no_cycle = !catch.progress.cyclic || options.process.is_some() && catch.unproven == 0;
    if catch.progress.complete && no_cycle {
        return report(Verdict::Holds, finite(options, catch), Vec::new());
    }
    // A finite state space has no room for growth, whatever its cycles do.
    if catch.progress.complete && options.grow != Grow::Preferred {
        return report(Verdict::Holds, bounded(catch), Vec::new());
    }
    report(Verdict::Inconclusive, nothing_proven(catch), Vec::new())
}

fn finite(options: &Options, catch: &Catch) -> String {
    if options.process.is_some() {
        return format!(
            "no run in which the process takes part for ever: all {} states were explored, with channels of any size",
            catch.progress.states
        );
    }
    let mut text = format!(
        "every run ends: all {} states were explored, with channels of any size",
        catch.progress.states
    );
    if catch.progress.stuck > 0 {
        text.push_str(&format!(
            " ({} of them are deadlocks: see `exeunt check`)",
            catch.progress.stuck
        ));
    }
    text
}

fn faded(states: u64) -> String {
    format!(
        "every run ends: there are {states} states if it is left open what lies in channels, and every cycle among them \
         receives from a channel that nothing in it sends to"
    )
}

fn bounded(catch: &Catch) -> String {
    format!(
        "nothing grows without bound: all {} states were explored, with channels of any size",
        catch.progress.states
    )
}

fn nothing_proven(catch: &Catch) -> String {
    let mut parts = Vec::new();
    if let Some(limit) = catch.limits.first() {
        parts.push(format!("the search ended at {limit}"));
    }
    if catch.unproven > 0 {
        let why = catch.why_unproven.as_deref().unwrap_or("no invariant was found");
        let count = catch.unproven;
        parts.push(format!("{count} candidates could not be proven ({why})"));
    }
    if catch.spurious > 0 {
        parts.push(format!("{} candidates cannot be repeated", catch.spurious));
    }
    let faults = catch.progress.faults.iter().map(|fault| format!("{fault} on the way"));
    parts.extend(faults);
    parts.extend(catch.progress.gaps.iter().cloned());
    if parts.is_empty() {
        parts.push("no cycle of the kind that was asked for was found".to_string());
    }
    format!("nothing could be proven: {}", parts.join("; "))
}

fn violation(source: Source<'_>, proof: &Proof, message: String, help: Option<&str>) -> Violation {
    let trace = story::trace(source, proof);
    let start = proof.lasso.stem.len();
    let location = trace.steps.get(start).and_then(|step| step.location.clone());
    Violation {
        property: Property::Termination,
        message,
        location,
        callers: Vec::new(),
        labels: Vec::new(),
        help: help.map(str::to_string).into_iter().collect(),
        sections: Vec::new(),
        trace,
        question: None,
    }
}
