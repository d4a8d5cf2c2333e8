//! `exeunt test`: a program of its own that goes the way of a trace, compiled by any C compiler; and
//! the same program under gdb (`exeunt replay --gdb`).
//!
//! The source is that of the checked program, with gates in front of the operations at which the
//! schedule goes to another thread (`places.rs`), behind a shim that hands turns on
//! (`runtime/reproducer.c`). What cannot be forced so is refused. The result is compiled and run
//! once: that it fails as the trace says is claimed only after that was seen. Of the trace of a native program
//! a shim is made that is loaded into it (`live.rs`).

mod live;
mod native;
mod places;
mod symptom;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use exeunt_model::{ActorId, Event, Location, Property, SectionKind, Trace, Violation};

use crate::args::SearchArgs;
use crate::failure::Failure;
use crate::front;
use crate::interrupt;
use crate::output;
use crate::trace_file::TraceFile;
use places::Place;
use symptom::Symptom;

pub(crate) use native::debug;

#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// A file written by `exeunt check --save` or `exeunt live --save`
    #[arg(value_name = "TRACE")]
    trace: PathBuf,
    /// Where the program goes
    #[arg(short, value_name = "FILE")]
    o: PathBuf,
    /// Do not compile and run it
    #[arg(long)]
    no_run: bool,
}

pub(crate) fn run(arguments: &TestArgs) -> Result<u8, Failure> {
    output::writable(Some(&arguments.o))?;
    let (text, how, attempt) = match crate::live::recorded(&arguments.trace)? {
        Some(recorded) => of_native(&recorded, &arguments.o)?,
        None => of_source(&arguments.trace, &arguments.o)?,
    };
    output::write(&arguments.o, &text)?;
    let name = arguments.o.display();
    if arguments.no_run {
        output::print(&format!("the program is in {name}\n{how}\n"));
        return Ok(0);
    }
    match native::tried(&attempt)? {
        Ok(how_it_failed) => {
            output::print(&format!("{name} fails as the trace says: {how_it_failed}\n{how}\n"));
            Ok(0)
        }
        Err(why) => {
            let doubt = attempt.doubt.map(|doubt| format!(" ({doubt})")).unwrap_or_default();
            let message = format!("{name} does not fail as the trace says: {why}{doubt}");
            crate::failure::error(&message);
            Ok(exeunt_model::Verdict::Inconclusive.exit_code())
        }
    }
}

/// The text of a reproducer, how it is compiled and run, and how to try it.
type Made = (String, String, Attempt);

fn of_source(trace: &Path, target: &Path) -> Result<Made, Failure> {
    let made = Reproducer::of(trace)?;
    let command = native::command_line(&made, target, &target.with_extension(""));
    let how = format!("compile and run it with: {} && {}", command.join(" "), shown(target));
    let attempt = Attempt {
        compile: native::command_line(&made, target, Path::new(TRIED)),
        run: vec![TRIED.to_string()],
        preload: false,
        doubt: None,
        symptom: Symptom::of(made.violation.property).map_err(|why| cannot(&why))?,
    };
    Ok((made.text, how, attempt))
}

fn of_native(recorded: &crate::live::Recorded, target: &Path) -> Result<Made, Failure> {
    let shim = live::Shim::of(recorded)?;
    let library = target.with_extension("so");
    let loaded = match library.to_string_lossy() {
        name if name.contains('/') => name.into_owned(),
        name => format!("./{name}"),
    };
    let quoted = shlex::try_join(shim.command.iter().map(String::as_str)).unwrap_or_default();
    let command = native::shim_line(target, &library).join(" ");
    let how = format!("compile and run it with: {command} && LD_PRELOAD={loaded} {quoted}");
    let attempt = Attempt {
        compile: native::shim_line(target, Path::new(TRIED)),
        run: shim.command,
        preload: true,
        doubt: shim.doubt,
        symptom: shim.symptom,
    };
    Ok((shim.text, how, attempt))
}

/// Stands for the file that is compiled when a reproducer is tried.
const TRIED: &str = "<tried>";

/// How a reproducer is tried: compiled, then run or loaded into a program.
pub(crate) struct Attempt {
    compile: Vec<String>,
    run: Vec<String>,
    preload: bool,
    /// Why it may not fail, if that is known.
    doubt: Option<String>,
    symptom: Symptom,
}

fn shown(source: &Path) -> String {
    let program = source.with_extension("");
    match program.parent().is_some_and(|parent| parent.as_os_str().is_empty()) {
        true => format!("./{}", program.display()),
        false => program.display().to_string(),
    }
}

/// A program that goes the way of a trace.
pub(crate) struct Reproducer {
    pub(crate) text: String,
    /// Flags of the checked program.
    flags: Vec<String>,
    cxx: bool,
    violation: Violation,
}

impl Reproducer {
    pub(crate) fn of(path: &Path) -> Result<Self, Failure> {
        let trace = TraceFile::read(path)?;
        trace.check_inputs()?;
        let file = match trace.settings.files.as_slice() {
            [file] => file.clone(),
            _ => return Err(cannot("the program has several files")),
        };
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        let cxx = match ending {
            "c" => false,
            "cpp" | "cc" | "cxx" | "C" => true,
            _ => return Err(cannot("it is not the trace of a C or C++ source file")),
        };
        let violation = told(&trace)?;
        let source =
            std::fs::read_to_string(&file).map_err(|why| Failure::file("read", &file, &why))?;
        let plan = Plan::of(&violation, &file).map_err(|why| cannot(&why))?;
        let body = places::with_gates(&source, &plan.gates).map_err(|why| cannot(&why))?;
        let text = whole(&plan, &violation, &file, &body).map_err(|why| cannot(&why))?;
        Ok(Reproducer { text, flags: trace.settings.clang_args.clone(), cxx, violation })
    }
}

fn cannot(why: &str) -> Failure {
    Failure::bad(format!("no program can be made of this trace: {why}"))
        .help("`exeunt replay TRACE` and `exeunt sim TRACE` show it in the machine")
}

/// The violation with all its steps and the states between them.
fn told(trace: &TraceFile) -> Result<Violation, Failure> {
    let schedule = trace.schedule()?;
    let mut options = trace.settings.search_options(&SearchArgs::default(), interrupt::listen())?;
    options.all = true;
    let loaded = front::load(&trace.settings)?;
    let session = trace.settings.open(loaded.model());
    if trace.expected.question.is_some() {
        return Err(cannot("it answers a temporal question"));
    }
    let mut report = exeunt_search::replay(&*session, &options, &schedule, trace.cycle)
        .map_err(|why| cannot(&why))?;
    crate::replay::keep_expected(&mut report, &trace.expected);
    if let Some(why) = crate::replay::difference(&report, &trace.expected) {
        return Err(cannot(&why));
    }
    let mut violation = report.violations.swap_remove(0);
    let states = exeunt_search::states_along(&*session, &violation.trace.schedule);
    violation.trace.states = states;
    if let Some(start) = violation.trace.cycle_start {
        if violation.property != Property::Section {
            return Err(cannot("it is a run without an end, which needs its schedule for ever"));
        }
        // Who hangs, also in a loop, does so whatever anybody does from there on.
        violation.trace.steps.truncate(start);
    }
    Ok(violation)
}

/// How a turn of a thread ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// In front of a gate, behind so many passages of it in this turn.
    Gate { gate: usize, passes: usize },
    /// The thread ends.
    Thread,
    /// It waits for a condition.
    Wait,
    /// It was woken and waits for the mutex.
    Woken,
    /// With the program.
    Free,
}

/// Turns and gates.
struct Plan {
    turns: Vec<(ActorId, End)>,
    gates: Vec<Place>,
    /// The numbers of threads in the order of their creation.
    created: Vec<u32>,
    inputs: Vec<String>,
}

impl Plan {
    fn of(violation: &Violation, file: &Path) -> Result<Plan, String> {
        let trace = &violation.trace;
        let symptom = fits(violation)?;
        let steps = &trace.steps;
        let mut plan =
            Plan { turns: Vec::new(), gates: Vec::new(), created: Vec::new(), inputs: Vec::new() };
        for event in steps.iter().flat_map(|step| &step.events) {
            plan.note(event);
        }
        let mut from = 0;
        while from < steps.len() {
            let actor = steps[from].actor;
            let length = steps[from..].iter().take_while(|step| step.actor == actor).count();
            let last = from + length == steps.len();
            let end = match last && symptom != Symptom::Hang {
                true => End::Free,
                false => plan.end(trace, from..from + length, file)?,
            };
            plan.turns.push((actor, end));
            from += length;
        }
        Ok(plan)
    }

    /// Creations and inputs.
    fn note(&mut self, event: &Event) {
        let Event::Did { text, .. } = event else { return };
        if let Some(rest) = text.strip_prefix("creates thread ") {
            let number = rest.split(' ').next().unwrap_or_default();
            self.created.extend(number.parse::<u32>());
        }
        if let Some(value) = text.strip_prefix(exeunt_vm::GETS_INPUT) {
            self.inputs.push(constant(value));
        }
        if let Some(rest) = text.strip_prefix("chooses ") {
            self.inputs.extend(rest.split(' ').next().map(str::to_string));
        }
    }

    /// How the turn of some steps ends.
    fn end(
        &mut self,
        trace: &Trace,
        steps: std::ops::Range<usize>,
        file: &Path,
    ) -> Result<End, String> {
        let actor = trace.steps[steps.start].actor;
        let after = trace.states.get(steps.end).ok_or("its states are not known")?;
        let state = after.actors.iter().find(|state| state.actor == actor);
        let Some(state) = state.filter(|state| !state.ended) else { return Ok(End::Thread) };
        let inside =
            |kind| after.sections.iter().any(|open| open.actor == actor && open.kind == kind);
        if inside(SectionKind::CondWait) {
            return Ok(End::Wait);
        }
        let of_file = |location: &&Location| Path::new(&*location.file) == file;
        let place = state.frames.iter().filter_map(|frame| frame.location.as_ref()).find(of_file);
        let place = place.ok_or_else(|| {
            format!("thread {} is interrupted outside of {}", actor, file.display())
        })?;
        let own: Vec<(&Location, &str)> =
            trace.steps[steps].iter().flat_map(|step| step.deeds()).collect();
        let here = |at: &Location| (at.line, at.column) == (place.line, place.column);
        if own.last().is_some_and(|(at, text)| here(at) && text.starts_with("wakes up")) {
            return Ok(End::Woken);
        }
        let reads = |text: &str| text.starts_with("reads ");
        let updates = own.last().is_some_and(|(at, text)| here(at) && reads(text));
        let passes = own.iter().filter(|(at, text)| here(at) && reads(text) != updates).count();
        let after = own.last().filter(|(at, _)| !here(at)).map(|(at, _)| (at.line, at.column));
        let place = Place { line: place.line, column: place.column, updates, after };
        Ok(End::Gate { gate: self.gate(place), passes })
    }

    fn gate(&mut self, place: Place) -> usize {
        let known = self.gates.iter().position(|gate| *gate == place);
        known.unwrap_or_else(|| {
            self.gates.push(place);
            self.gates.len() - 1
        })
    }
}

/// A number as a constant of the type `long long` with the same bits.
fn constant(number: &str) -> String {
    match number.parse::<i128>().map(|number| number as i64) {
        Ok(i64::MIN) => format!("{} - 1", i64::MIN + 1),
        Ok(number) => number.to_string(),
        Err(_) => number.to_string(),
    }
}

/// Refuses what a native program does not show, and what nobody can force.
fn fits(violation: &Violation) -> Result<Symptom, String> {
    let symptom = Symptom::of(violation.property)?;
    let moves = &violation.trace.schedule.moves;
    if moves.iter().any(|step| step.withheld) {
        return Err("it depends on a wake-up without a signal".to_string());
    }
    let told = violation.trace.steps.iter().flat_map(|step| step.deeds());
    let texts: Vec<&str> = told.map(|(_, text)| text).collect();
    let twofold = ["barrier", "times out", "timed out"];
    match texts.iter().find(|text| twofold.iter().any(|word| text.contains(word))) {
        Some(text) => Err(format!("the shim cannot decide when a thread `{text}`")),
        None => Ok(symptom),
    }
}

/// The part that the shims share.
const SHARED: &str = include_str!("../../../runtime/shim.c");

/// Schedule, shim and source.
fn whole(plan: &Plan, violation: &Violation, file: &Path, body: &str) -> Result<String, String> {
    let mut out = format!(
        "/* Made by `exeunt test`: {} with a schedule that leads to\n *   {}\n */\n",
        file.display(),
        violation.message.replace("*/", "* /")
    );
    let message = serde_json::Value::from(violation.message.as_str()).to_string();
    let _ = writeln!(out, "#define EXEUNT_MESSAGE {message}");
    let _ = writeln!(out, "#define EXEUNT_PATIENCE 1");
    let _ = writeln!(out, "#define EXEUNT_SEGMENTS {}", plan.turns.len());
    let _ = writeln!(out, "#define EXEUNT_THREADS {}", plan.created.len());
    let _ = writeln!(out, "#define EXEUNT_INPUTS {}", plan.inputs.len());
    out.push_str(SHARED);
    let shim = include_str!("../../../runtime/reproducer.c");
    let tables = tables(plan);
    out.push_str(&shim.replacen(
        "static int exeunt_at,",
        &format!("{tables}static int exeunt_at,"),
        1,
    ));
    out.push_str(&inputs(body)?);
    let _ = writeln!(out, "#line 1 \"{}\"", file.display());
    out.push_str(&body.replace("#include <exeunt.h>", "").replace("#include \"exeunt.h\"", ""));
    Ok(out)
}

fn tables(plan: &Plan) -> String {
    let mut out = String::from(
        "/* Whose turn it is, and where it ends. */\nstatic const struct exeunt_segment exeunt_schedule[] = {\n",
    );
    for (actor, end) in &plan.turns {
        let (name, gate, passes) = match end {
            End::Gate { gate, passes } => ("EXEUNT_GATE", *gate, *passes),
            End::Thread => ("EXEUNT_END", 0, 0),
            End::Wait => ("EXEUNT_WAIT", 0, 0),
            End::Woken => ("EXEUNT_WOKEN", 0, 0),
            End::Free => ("EXEUNT_FREE", 0, 0),
        };
        let _ = writeln!(out, "    {{{actor}, {name}, {gate}, {passes}}},");
    }
    let numbers = |all: Vec<String>| match all.is_empty() {
        true => "0".to_string(),
        false => all.join(", "),
    };
    let created = numbers(plan.created.iter().map(u32::to_string).collect());
    let _ = writeln!(out, "}};\nstatic const int exeunt_threads[] = {{{created}}};");
    let inputs = numbers(plan.inputs.clone());
    let _ = writeln!(out, "static const long long exeunt_inputs[] = {{{inputs}}};");
    out
}

/// The functions whose results the environment chooses, as far as the program calls them.
fn inputs(body: &str) -> Result<String, String> {
    let mut out = String::new();
    let words: BTreeSet<&str> = body.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    for word in words {
        let known = match word.strip_prefix("__VERIFIER_nondet_") {
            Some("bool" | "_Bool") => "_Bool",
            Some("char" | "schar") => "char",
            Some("uchar" | "u8" | "unsigned_char") => "unsigned char",
            Some("short") => "short",
            Some("ushort") => "unsigned short",
            Some("int" | "s32") => "int",
            Some("uint" | "u32" | "unsigned" | "unsigned_int") => "unsigned int",
            Some("long") => "long",
            Some("ulong") => "unsigned long",
            Some("longlong") => "long long",
            Some(other) => return Err(format!("inputs of the type `{other}` are not known here")),
            None => {
                match word {
                    "exeunt_choose" => {
                        out.push_str("static int exeunt_choose(int n) { (void)n; return (int)exeunt_input(); }\n");
                    }
                    "exeunt_assert" => out.push_str(ASSERT),
                    "exeunt_assume" => {
                        out.push_str("static void exeunt_assume(int c) { (void)c; }\n")
                    }
                    _ if word.starts_with("exeunt_") && !word.starts_with("exeunt_gate") => {
                        return Err(format!("`{word}` has no native meaning"));
                    }
                    _ => {}
                }
                continue;
            }
        };
        let _ = writeln!(out, "{known} {word}(void) {{ return ({known})exeunt_input(); }}");
    }
    Ok(out)
}

const ASSERT: &str = "\
static void exeunt_assert(int condition, const char *text) {
    if (condition) return;
    fprintf(stderr, \"Assertion `%s' failed.\\n\", text);
    abort();
}
";
