//! Infinite runs of a thread in the virtual machine: it is led along a run of the automata, looks
//! at all states before an answer is given up, and runs again what a trace file keeps.

use std::path::Path;

use exeunt_agree::Answer;
use exeunt_counter::Thread;
use exeunt_ir::Program;
use exeunt_model::{ActorId, Model, Proof, Property, Report, Schedule, Trace, Verdict, Violation};
use exeunt_search::{Course, Endless, Moving};
use exeunt_vm::{Reduction, Vm, VmOptions, WeakFailures};

use crate::args::{ProveArgs, ReplayArgs};
use crate::failure::Failure;
use crate::front;
use crate::output;
use crate::replay::not_reproduced;
use crate::settings::Settings;
use crate::trace_file::TraceFile;

/// States of the virtual machine that are looked at for the same run there.
const MOST_REPLAYED: usize = 60_000;
/// States that are looked at where no proof and no run was found.
const MOST_LOOKED_AT: usize = 20_000;

/// Runs an infinite run in the virtual machine, and says so.
pub(crate) fn confirm(program: &Program, answer: &mut Answer) {
    if answer.run.is_none() {
        return;
    }
    let options = VmOptions { reduction: Reduction::None, ..VmOptions::default() };
    let Ok(vm) = Vm::new(program.clone(), options) else { return };
    let found = led(&vm, answer);
    let Some(violation) = answer.report.violations.last_mut() else { return };
    match found {
        Some(found) => {
            let text = |moves| Schedule { moves }.to_string();
            violation.help.push(format!(
                "the virtual machine runs it: {} steps, and then {} again and again ({} | {})",
                found.stem.len(),
                found.cycle.len(),
                text(found.stem),
                text(found.cycle)
            ));
        }
        None => violation.help.push(
            "the virtual machine was not led to this run; it is one of the automata".to_string(),
        ),
    }
}

/// The run of an answer in a model.
fn led(model: &dyn Model, answer: &Answer) -> Option<Endless> {
    let run = answer.run.as_ref()?;
    let course = Course {
        actors: run.threads.iter().map(|thread| ActorId(*thread)).collect(),
        cycle: run.cycle,
        subject: ActorId(run.subject),
    };
    exeunt_search::follow(model, &course, MOST_REPLAYED)
        .filter(|found| exeunt_search::replays(model, found))
}

/// Looks at the states of the program, as `exeunt check` does, where nothing else was found.
pub(crate) fn look(
    program: &Program,
    thread: &Thread,
    fair: bool,
    stop: &dyn Fn() -> bool,
    answer: &mut Answer,
) {
    if answer.report.verdict != Verdict::Inconclusive || program.main.is_none() || stop() {
        return;
    }
    let calm = VmOptions {
        reduction: Reduction::None,
        spurious: false,
        weak_failures: WeakFailures::Never,
        ..VmOptions::default()
    };
    let wild = VmOptions { weak_failures: WeakFailures::Demonic, ..calm.clone() };
    let looked = |options: VmOptions| {
        let Ok(vm) = Vm::new(program.clone(), options) else {
            return Moving::Unknown("the virtual machine does not execute it".into());
        };
        exeunt_search::moving(&vm, &thread.runs, MOST_LOOKED_AT, stop)
    };
    let found = match looked(calm.clone()) {
        // What nobody has to do may also happen for ever.
        Moving::Stops { .. } => looked(wild),
        other => other,
    };
    let why = match found {
        Moving::Stops { states } => return ends(&thread.name, states, answer),
        Moving::ForEver(run) => match runs(program, calm, thread, &run) {
            Some(violation) if !fair => return endless(violation, answer),
            Some(_) => "there is a run in which it moves for ever, which may not be fair".into(),
            None => "only with exchanges that fail for no reason does it move for ever".into(),
        },
        Moving::Unknown(why) => why,
    };
    let text = format!("the states of the program were looked at, too: {why}");
    answer.report.limits_hit.push(text);
}

fn ends(name: &str, states: usize, answer: &mut Answer) {
    let report = &mut answer.report;
    report.verdict = Verdict::Holds;
    report.reason =
        format!("thread `{name}` ends in every schedule (all {states} states were explored)");
    report.limits_hit.clear();
    let how = format!(
        "no ranking function was found, but the virtual machine has explored all {states} states of \
         the program: on no cycle of them does the thread move"
    );
    let assumption = "integers have the widths of their types and wrap around; memory is \
                      sequentially consistent; allocations succeed; there are no spurious wake-ups; the program runs as `exeunt \
                      check` runs it";
    report.proof = Some(Proof {
        explained: vec![("how this is known".to_string(), vec![how])],
        assumption: assumption.to_string(),
        refinements: 0,
        loops: Vec::new(),
        program: String::new(),
        certificate: None,
    });
}

/// The run as a violation, if it is one without help of the environment.
fn runs(
    program: &Program,
    options: VmOptions,
    thread: &Thread,
    run: &Endless,
) -> Option<Violation> {
    let vm = Vm::new(program.clone(), options).ok()?;
    let moves = run.stem.iter().chain(&run.cycle).cloned().collect();
    let schedule = Schedule { moves };
    let trace = exeunt_search::tell_endless(&vm, &schedule, run.stem.len(), &thread.runs).ok()?;
    Some(violation(&thread.name, trace))
}

fn endless(violation: Violation, answer: &mut Answer) {
    let report = &mut answer.report;
    report.verdict = Verdict::Violated;
    report.reason = format!("{} (found by exploring states)", violation.message);
    report.limits_hit.clear();
    report.proof = None;
    report.violations = vec![violation];
}

fn violation(name: &str, trace: Trace) -> Violation {
    let cycle = trace.cycle_start.unwrap_or(0);
    let location = trace.steps[cycle..].iter().find_map(|step| step.location.clone());
    let help = "each round ends in the state in which it began".to_string();
    Violation {
        property: Property::Termination,
        message: format!("thread `{name}` can make infinitely many steps"),
        location,
        callers: Vec::new(),
        labels: Vec::new(),
        help: vec![help],
        sections: Vec::new(),
        trace,
        question: None,
    }
}

/// Writes an infinite run as a trace file, for `exeunt replay`. `Err` says why there is none.
pub(crate) fn save(
    path: &Path,
    arguments: &ProveArgs,
    name: &str,
    answer: &Answer,
) -> Result<(), Failure> {
    let settings = Settings::of_prove(arguments)?;
    let loaded = front::load(&settings)?;
    let found = answer.report.violations.first().map(|violation| &violation.trace);
    let found = found.filter(|trace| !trace.schedule.moves.is_empty());
    let known = found.and_then(|trace| {
        let cycle = trace.cycle_start?;
        exeunt_search::tell_endless(loaded.model(), &trace.schedule, cycle, name).ok()
    });
    let trace = known.or_else(|| {
        let run = led(loaded.model(), answer)?;
        let moves = run.stem.iter().chain(&run.cycle).cloned().collect();
        let schedule = Schedule { moves };
        exeunt_search::tell_endless(loaded.model(), &schedule, run.stem.len(), name).ok()
    });
    let Some(trace) = trace else {
        let message = "the run is one of the automata that the virtual machine was not led to: \
                       there is no schedule to save";
        return Err(Failure::bad(message));
    };
    TraceFile::new(&settings, &violation(name, trace))?.of_thread(name).write(path)
}

/// Runs a trace file of an infinite run of a thread again.
pub(crate) fn replay(trace: &TraceFile, name: &str, arguments: &ReplayArgs) -> Result<u8, Failure> {
    let loaded = front::load(&trace.settings)?;
    let schedule = trace.schedule()?;
    let cycle = trace.cycle.unwrap_or(schedule.moves.len());
    let told = match exeunt_search::tell_endless(loaded.model(), &schedule, cycle, name) {
        Ok(told) => told,
        Err(why) => return Ok(not_reproduced(&trace.expected, &why)),
    };
    let violation = violation(name, told);
    let report = Report {
        violations: vec![violation.clone()],
        ..Report::new(Verdict::Violated, format!("{} (run again)", violation.message))
    };
    output::report(&report, &output::this_run("replay", None), &arguments.show)?;
    Ok(Verdict::Violated.exit_code())
}
