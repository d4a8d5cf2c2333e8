//! Traces of native programs: the program stays as it is, and a shim that is loaded into it makes its threads go the
//! way of the trace (`runtime/live_reproducer.c`).
//!
//! Only calls of the thread library are gates there. Steps that are accesses to memory or atomic instructions are left
//! out of the schedule; whether the program fails all the same is seen when it is run.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use exeunt_live::Made;
use exeunt_model::{ActorId, Nature, Property, Schedule, Violation};

use super::cannot;
use super::symptom::{self, Symptom};
use crate::failure::Failure;
use crate::live::{Recorded, refused};

/// A shim for a compiled program.
pub(super) struct Shim {
    pub(super) text: String,
    pub(super) symptom: Symptom,
    /// The program and its arguments.
    pub(super) command: Vec<String>,
    /// Why it may not fail, if that is known.
    pub(super) doubt: Option<String>,
}

/// Steps that are no calls of the thread library: a thread cannot be stopped there from outside.
const MEMORY: [&str; 6] = ["load", "store", "update", "fence", "read", "write"];

/// Steps at which it need not be stopped.
const PASSED: [&str; 7] = ["atomic", "atomic-end", "begin", "finish", "exit", "may-wake", "desert"];

/// The calls that the shim knows, by the runtime's names of the steps.
const KNOWN: [&str; 31] = [
    "lock",
    "relock",
    "trylock",
    "timedlock",
    "unlock",
    "spin_lock",
    "spin_trylock",
    "spin_unlock",
    "rdlock",
    "tryrdlock",
    "timedrdlock",
    "wrlock",
    "trywrlock",
    "timedwrlock",
    "rwunlock",
    "wait",
    "wake",
    "timedwait",
    "timed-wake",
    "signal",
    "broadcast",
    "arrive",
    "leave",
    "once",
    "once_done",
    "sem_wait",
    "sem_trywait",
    "sem_timedwait",
    "sem_post",
    "sem_getvalue",
    "join",
];

/// Those that give way or choose.
const OTHERS: [&str; 3] = ["yield", "sleep", "choose"];

impl Shim {
    pub(super) fn of(recorded: &Recorded) -> Result<Shim, Failure> {
        let violation = recorded.violation()?.map_err(|why| cannot(&why))?;
        // Threads that wait for ever do so whatever the others repeat.
        let waits = violation.property == Property::Section && waiting(&violation).next().is_some();
        if recorded.is_endless() && !waits {
            return Err(cannot("it is a run without an end, which needs its schedule for ever"));
        }
        let symptom = Symptom::of(violation.property).map_err(|why| cannot(&why))?;
        if violation.property == Property::Section && !waits {
            return Err(cannot(&symptom::none(violation.property)));
        }
        let Recorded { program, options, schedule, .. } = recorded;
        let until = violation.trace.too_late.filter(|_| waits).unwrap_or(schedule.moves.len());
        let schedule = Schedule { moves: schedule.moves[..until].to_vec() };
        let made = exeunt_live::operations(program, &schedule, options).map_err(refused)?;
        let steps = rows(&made).map_err(|why| cannot(&why))?;
        let text = text(recorded.path(), &violation, symptom, &steps);
        let name = recorded.path().to_string_lossy().into_owned();
        // The shell looks for a name without a folder elsewhere.
        let name = if name.contains('/') { name } else { format!("./{name}") };
        let command = std::iter::once(name).chain(program.arguments.clone()).collect();
        let passed = made.iter().filter(|one| MEMORY.contains(&one.verb)).count();
        let doubt = (passed > 0).then(|| {
            format!("{passed} of its {} steps are accesses to memory, before which a shim cannot stop a thread", made.len())
        });
        Ok(Shim { text, symptom, command, doubt })
    }
}

/// The threads that wait in what is never left.
fn waiting(violation: &Violation) -> impl Iterator<Item = ActorId> {
    let waits = violation.sections.iter().filter(|one| one.kind.nature() == Nature::Wait);
    waits.map(|section| section.actor)
}

/// The steps that the shim forces, as rows of its table.
fn rows(made: &[Made]) -> Result<Vec<String>, String> {
    let mut rows = Vec::new();
    for Made { actor, verb, reply } in made {
        if PASSED.contains(verb) || MEMORY.contains(verb) {
            continue;
        }
        // A wait that may end for several reasons takes its mutex in a step of its own.
        let (verb, long) = match *verb {
            "wake-up" => ("wake", true),
            "timed-wake" => ("timed-wake", true),
            other => (other, false),
        };
        if !KNOWN.contains(&verb) && !OTHERS.contains(&verb) {
            return Err(format!("the shim cannot stop a thread before `{verb}`"));
        }
        let value = reply.parse::<i64>().unwrap_or(i64::from(long));
        let (busy, first) = (u8::from(reply == "busy"), u8::from(reply == "first"));
        if ["cancelled", "misuse", "deserted", "broken"].contains(&reply.as_str()) {
            return Err(format!("`{verb}` ends in a way that the shim does not know"));
        }
        rows.push(format!("    {{{}, \"{verb}\", {busy}, {first}, {value}}},", actor.0));
    }
    Ok(rows)
}

fn text(program: &Path, violation: &Violation, symptom: Symptom, steps: &[String]) -> String {
    let mut out = format!(
        "/* Made by `exeunt test`: a schedule that leads {} to\n *   {}\n */\n",
        program.display(),
        violation.message.replace("*/", "* /")
    );
    let message = serde_json::Value::from(violation.message.as_str()).to_string();
    let stuck: BTreeSet<ActorId> = waiting(violation).collect();
    let stuck = match symptom {
        Symptom::Hang => stuck.len().max(1),
        Symptom::Abort | Symptom::Memory | Symptom::Exit => 0,
    };
    let _ = writeln!(out, "#define EXEUNT_MESSAGE {message}");
    let _ = writeln!(out, "#define EXEUNT_PATIENCE 1");
    let _ = writeln!(out, "/* So many threads wait for ever when the schedule is at its end. */");
    let _ = writeln!(out, "#define EXEUNT_STUCK {stuck}");
    let _ = writeln!(out, "#define EXEUNT_STEPS {}", steps.len());
    out.push_str(
        "/* Whose turn it is, counted from 0, what it does, and whether the time is over or it is the first. */\n",
    );
    out.push_str("struct exeunt_step {\n    int thread;\n    const char *verb;\n    int busy, first;\n    long value;\n};\n");
    out.push_str("static const struct exeunt_step exeunt_schedule[] = {\n");
    for step in steps {
        let _ = writeln!(out, "{step}");
    }
    out.push_str("    {-1, 0, 0, 0, 0},\n};\n");
    out.push_str(super::SHARED);
    out.push_str(include_str!("../../../../runtime/live_reproducer.c"));
    out
}
