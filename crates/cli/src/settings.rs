//! What is checked and how, free of everything about display: the part of the
//! command line that a trace file keeps.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use exeunt_model::{Assumption, Basis, Model, SectionKind, Session};
use exeunt_search::{Limits, Memory, Options, Order, SectionFilter};
use exeunt_vm::{Compile, Reduction, VmOptions, WeakFailures};
use serde::{Deserialize, Serialize};

use crate::args::{
    CheckArgs, CompileChoice, CopyOrder, DemandArgs, LanguageChoice, OutsideChoice, ProgramArgs,
    PropertyChoice, ProveArgs, ReductionChoice, Reuse, RunArgs, SearchArgs, SignalsChoice,
    WeakFailuresChoice, WorldArgs,
};
use crate::compile_commands;
use crate::contradictions;
use crate::draw::DrawArgs;
use crate::failure::Failure;
use crate::front;
use crate::outcomes::OutcomesArgs;
use crate::progress;
use crate::questions::Questions;
use crate::svcomp;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) clang_args: Vec<String>,
    /// What the files hold, if their names do not say it.
    #[serde(default)]
    pub(crate) language: Option<LanguageChoice>,
    /// Flags of single files, from a compilation database.
    #[serde(default)]
    pub(crate) file_args: Vec<compile_commands::Flags>,
    /// Positions in headers of libraries are shown.
    #[serde(default)]
    pub(crate) library_frames: bool,
    pub(crate) program: ProgramArgs,
    pub(crate) demands: DemandArgs,
    /// The kinds that must be left, by name.
    sections: Vec<String>,
    termination: bool,
    pub(crate) reduction: ReductionChoice,
    pub(crate) questions: Questions,
    /// What a search relies on.
    pub(crate) relies: Relies,
    /// Calls of the error function are violations, whatever its body does.
    #[serde(default)]
    pub(crate) error_calls: bool,
}

fn weak_failures(world: &WorldArgs) -> WeakFailures {
    match world.weak_failures {
        _ if world.no_weak_failures => WeakFailures::Never,
        Some(WeakFailuresChoice::Demonic) => WeakFailures::Demonic,
        Some(WeakFailuresChoice::Fair) | None => WeakFailures::Fair,
        Some(WeakFailuresChoice::Never) => WeakFailures::Never,
    }
}

/// What a search relies on besides the program; see [`Basis`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum Relies {
    #[default]
    OnWhatItLearns,
    OnNothing,
    /// On nothing, as all the others that search together.
    OnNothingTogether,
    /// What an earlier search came to rely on.
    On(Vec<u64>),
}

impl Settings {
    /// Begins a search of a model that was loaded with these settings.
    pub(crate) fn open<'m>(&self, model: &'m dyn Model) -> Box<dyn Session + 'm> {
        match &self.relies {
            Relies::OnWhatItLearns => model.open(Basis::Learnt),
            Relies::OnNothing => model.open(Basis::Nothing),
            Relies::OnNothingTogether => model.open(Basis::Together),
            Relies::On(words) => model.open(Basis::Given(&Assumption::new(words.clone()))),
        }
    }

    pub(crate) fn new(arguments: &CheckArgs) -> Result<Self, Failure> {
        let sections = section_kinds(arguments);
        let ends = [PropertyChoice::Termination, PropertyChoice::All];
        program_args(arguments.program.args.as_deref())?;
        let file_args = match &arguments.compile_commands {
            Some(directory) => compile_commands::flags(directory, &arguments.files)?,
            None => Vec::new(),
        };
        let files = match &arguments.files[..] {
            [] => file_args.iter().map(|(file, _)| file.clone()).collect(),
            files => files.to_vec(),
        };
        Ok(Settings {
            files,
            file_args,
            clang_args: arguments.compiling.arguments(),
            language: arguments.compiling.language,
            library_frames: arguments.library_frames,
            program: arguments.program.clone(),
            demands: arguments.demands.clone(),
            sections: sections.iter().map(|kind| kind.name().to_string()).collect(),
            termination: arguments.property.is_some_and(|property| ends.contains(&property)),
            reduction: reduction(arguments),
            questions: Questions::new(arguments)?,
            // What a search learns is not kept with its states, nor told to other processes.
            relies: match is_kept(arguments) {
                _ if arguments.cluster.is_wanted() => Relies::OnNothingTogether,
                true => Relies::OnNothing,
                false => Relies::OnWhatItLearns,
            },
            error_calls: false,
        })
    }

    /// The files that have to stay as they are for a schedule to be run again.
    pub(crate) fn inputs(&self) -> Vec<PathBuf> {
        [&self.files[..], &self.program.input.paths()].concat()
    }

    /// Functions that an optimiser must leave as they are: those that are asked
    /// for by name. A word of a formula that is no function does no harm.
    pub(crate) fn kept_functions(&self) -> Vec<String> {
        let formulas = self.questions.formulas.iter().map(|formula| formula.text.as_str());
        let texts = formulas.chain(self.questions.invariants.iter().map(String::as_str));
        let is_sign = |c: char| !(c.is_alphanumeric() || "_$:".contains(c));
        let words = texts.flat_map(|text| text.split(is_sign)).filter(|word| !word.is_empty());
        // `f:12` is a line of `f`; `n::f` is a name.
        let named = words.flat_map(|word| [word, word.rsplit_once(':').map_or("", |(f, _)| f)]);
        let named = named.filter(|name| !name.is_empty()).map(str::to_string);
        let demanded = self.demands.must_return.iter().cloned();
        named.chain(demanded).chain(self.program.r#abstract.clone()).collect()
    }

    /// The same without a reduction.
    pub(crate) fn unreduced(&self) -> Self {
        Settings { reduction: ReductionChoice::None, ..self.clone() }
    }

    /// For one plain run: no liveness, and nothing the environment may do.
    pub(crate) fn of_run(arguments: &RunArgs) -> Result<Self, Failure> {
        program_args(arguments.args.as_deref())?;
        Ok(Settings {
            files: arguments.files.clone(),
            clang_args: arguments.compiling.arguments(),
            language: arguments.compiling.language,
            file_args: Vec::new(),
            library_frames: false,
            program: ProgramArgs {
                args: arguments.args.clone(),
                compile: arguments.compile,
                input: arguments.input.clone(),
                world: WorldArgs {
                    no_spurious: true,
                    no_weak_failures: true,
                    ..WorldArgs::default()
                },
                ..ProgramArgs::default()
            },
            demands: DemandArgs::default(),
            sections: Vec::new(),
            termination: false,
            reduction: ReductionChoice::Tau,
            questions: Questions::default(),
            relies: Relies::OnWhatItLearns,
            error_calls: false,
        })
    }

    /// For an infinite run: every step is one of its own.
    pub(crate) fn of_prove(arguments: &ProveArgs) -> Result<Self, Failure> {
        let run = RunArgs {
            files: arguments.files.clone(),
            args: None,
            input: Default::default(),
            compile: None,
            compiling: arguments.compiling.clone(),
        };
        let settings = Settings::of_run(&run)?;
        let (reduction, relies) = (ReductionChoice::None, Relies::OnNothing);
        Ok(Settings { reduction, relies, ..settings })
    }

    /// For a picture: what the environment may do is part of it.
    pub(crate) fn of_draw(arguments: &DrawArgs) -> Result<Self, Failure> {
        let mut settings = Settings::of_run(&arguments.program)?;
        settings.program.world = arguments.world.clone();
        Ok(settings)
    }

    /// For a simulator: the environment may do what it may do in a search.
    pub(crate) fn of_sim(program: &RunArgs, world: &WorldArgs) -> Result<Self, Failure> {
        let mut settings = Settings::of_run(program)?;
        settings.program.world = world.clone();
        Ok(settings)
    }

    /// For all outcomes: every instruction is a step, because what is printed
    /// between two others' accesses matters.
    pub(crate) fn of_outcomes(arguments: &OutcomesArgs) -> Result<Self, Failure> {
        let mut settings = Settings::of_run(&arguments.program)?;
        settings.program.world = arguments.world.clone();
        // A model has no exit code.
        settings.demands.exit_code =
            !arguments.program.files.iter().any(|file| front::is_promela(file, settings.language));
        settings.reduction = ReductionChoice::None;
        Ok(settings)
    }

    pub(crate) fn vm_options(&self) -> Result<VmOptions, Failure> {
        let (program, demands) = (&self.program, &self.demands);
        let defaults = VmOptions::default();
        let mut options = VmOptions {
            reduction: match self.reduction {
                ReductionChoice::None => Reduction::None,
                ReductionChoice::Global => Reduction::Global,
                ReductionChoice::Tau => Reduction::Tau,
                ReductionChoice::Superstep => Reduction::Superstep,
                ReductionChoice::Movers => Reduction::Movers,
                ReductionChoice::Full => Reduction::Full,
                ReductionChoice::Stubborn => Reduction::Stubborn,
            },
            args: program_args(program.args.as_deref())?,
            leaks: demands.leaks,
            races: demands.races,
            // A test says by its exit code that it failed.
            exit_code: demands.exit_code || program.test.is_some(),
            spurious: !program.world.no_spurious,
            weak_failures: weak_failures(&program.world),
            named: self.kept_functions(),
            abort_ends: program.abort_ends,
            replaced: match self.error_calls {
                true => svcomp::ERROR_FUNCTIONS.map(str::to_string).to_vec(),
                false => Vec::new(),
            },
            copies_ascend: program.world.copy_order == Some(CopyOrder::Ascending),
            // A framework for tests leaves many pointers behind, each of which would be a choice.
            reuse: match program.reuse {
                Some(Reuse::Maybe) => true,
                Some(Reuse::Never) => false,
                None => program.test.is_none(),
            },
            compile: match program.compile {
                Some(CompileChoice::Hot) | None => Compile::Hot,
                Some(CompileChoice::Always) => Compile::Always,
                Some(CompileChoice::Never) => Compile::Never,
            },
            nondet: program.nondet.map(|range| (range.low, range.high)),
            must_return: demands.must_return.clone(),
            ignored: program.ignore.clone(),
            abstraction: program.r#abstract.clone(),
            malloc_fails: program.malloc_fails,
            no_signals: program.world.signals == Some(SignalsChoice::None),
            undefined: demands.undefined,
            real_time: program.world.real_time,
            fixed_outside: program.world.outside == Some(OutsideChoice::Fixed),
            max_threads: program.max_threads.unwrap_or(defaults.max_threads),
            max_object: program.max_object.unwrap_or(defaults.max_object),
            stack: program.stack.unwrap_or(defaults.stack),
            ..defaults
        };
        program.input.apply(&mut options)?;
        Ok(options)
    }

    /// The options of a search; fails on section kinds of another version.
    pub(crate) fn search_options(
        &self,
        bounds: &SearchArgs,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Options, Failure> {
        let kinds: Result<Vec<SectionKind>, String> =
            self.sections.iter().map(|name| name.parse()).collect();
        Ok(Options {
            memory: remembered(bounds),
            order: if bounds.shortest { Order::Shortest } else { Order::Depth },
            sections: SectionFilter { kinds: kinds.map_err(Failure::bad)? },
            termination: self.termination,
            deadlock: true,
            all: bounds.all,
            limits: Limits {
                time: bounds.limits.time,
                spent: Default::default(),
                memory: bounds.memory.or_else(most_of_memory),
                capacity: None,
                max_depth: bounds.max_depth,
                max_states: bounds.limits.max_states,
            },
            expected: bounds.expect_states.unwrap_or(0),
            jobs: bounds.jobs.map_or_else(cores, usize::from),
            dives: false,
            beside: false,
            shortens: true,
            // A shortest run may be one of those that are left out.
            reduces: self.reduction != ReductionChoice::None
                && !bounds.shortest
                && !bounds.minimal
                && bounds.context_bound.is_none(),
            checkpoints: Default::default(),
            watched: progress::is_shown(),
            interrupt,
        })
    }
}

/// The reduction asked for; otherwise the quickest that answers what is
/// asked. Where steps are counted or compared one by one, they are kept apart.
fn reduction(arguments: &CheckArgs) -> ReductionChoice {
    let single = arguments.search.minimal
        || arguments.search.stateless
        || arguments.search.context_bound.is_some()
        || arguments.cluster.is_wanted()
        || is_kept(arguments);
    let quickest = match () {
        () if single => ReductionChoice::Tau,
        () if contradictions::asks_for_more(arguments) && arguments.fair => {
            ReductionChoice::Superstep
        }
        () => ReductionChoice::Stubborn,
    };
    arguments.reduction.unwrap_or(quickest)
}

/// Whether the search goes on in another process.
fn is_kept(arguments: &CheckArgs) -> bool {
    arguments.checkpoint.is_some() || arguments.resume.is_some()
}

/// What is kept of each state.
fn remembered(bounds: &SearchArgs) -> Memory {
    match bounds.bitstate {
        Some(bytes) => Memory::Bits { bytes },
        None if bounds.hash_compact => Memory::Fingerprints,
        None => Memory::Exact,
    }
}

/// How many jobs there are if nobody says so.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The kinds asked for. Termination alone asks for none, because a section
/// that never ends is also a program that never does.
fn section_kinds(arguments: &CheckArgs) -> Vec<SectionKind> {
    let mut kinds = match (&arguments.sections, arguments.property) {
        (Some(kinds), _) => kinds.0.clone(),
        (None, Some(PropertyChoice::Safety | PropertyChoice::Termination)) => Vec::new(),
        (None, Some(PropertyChoice::Temporal)) => Vec::new(),
        (None, Some(PropertyChoice::All) | None) => SectionKind::ALL.to_vec(),
    };
    if !arguments.demands.must_return.is_empty() && !kinds.contains(&SectionKind::Function) {
        kinds.push(SectionKind::Function);
    }
    for kind in [SectionKind::User, SectionKind::Process] {
        if !arguments.demands.must_end.is_empty() && !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

/// The macros for a Promela model.
pub(crate) fn defines(arguments: &[String]) -> Result<Vec<String>, Failure> {
    let define = |argument: &String| match argument.strip_prefix("-D") {
        Some(define) if !define.is_empty() => Ok(define.to_string()),
        _ => Err(Failure::bad(format!("`{argument}` has no meaning for a Promela model"))
            .help("a model takes -DNAME=VALUE")),
    };
    arguments.iter().map(define).collect()
}

fn program_args(text: Option<&str>) -> Result<Vec<String>, Failure> {
    let Some(text) = text else { return Ok(Vec::new()) };
    shlex::split(text).ok_or_else(|| Failure::bad("--args has a quotation mark that is not closed"))
}

/// Without --memory a search ends before the machine swaps, or the container
/// is killed: at 70 % of what they have.
pub(crate) fn most_of_memory() -> Option<u64> {
    let limits = [physical_memory(), container_memory()];
    limits.into_iter().flatten().min().map(|bytes| bytes / 10 * 7)
}

/// What a container may use, by the first or second version of cgroups.
fn container_memory() -> Option<u64> {
    let files = ["memory.max", "memory/memory.limit_in_bytes"];
    let limit = |file: &str| {
        let text = std::fs::read_to_string(Path::new("/sys/fs/cgroup").join(file)).ok()?;
        text.trim().parse().ok()
    };
    files.into_iter().find_map(limit)
}

fn physical_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = total.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Arguments, Command};
    use clap::Parser;

    fn settings(line: &str) -> Result<Settings, Failure> {
        let words = shlex::split(&format!("exeunt check {line}")).expect(line);
        let arguments = Arguments::try_parse_from(words).expect(line);
        let Command::Check(arguments) = arguments.command else { panic!("not check") };
        Settings::new(&arguments)
    }

    #[test]
    fn properties_choose_sections() {
        let kinds = |line: &str| settings(line).expect(line).sections.len();
        assert_eq!(kinds("a.c"), SectionKind::ALL.len());
        assert_eq!(kinds("a.c --property all"), SectionKind::ALL.len());
        assert_eq!(kinds("a.c --property safety"), 0);
        assert_eq!(kinds("a.c --property termination"), 0);
        assert_eq!(kinds("a.c --property termination --sections join"), 1);
        assert_eq!(kinds("a.c --sections join --must-return f"), 2);
        // Processes, and ranges of labels.
        assert_eq!(kinds("a.pml --property termination --must-end P"), 2);
        assert!(settings("a.c --property termination").expect("termination").termination);
        assert!(!settings("a.c").expect("default").termination);
    }

    #[test]
    fn program_arguments_are_split_as_a_shell_would() {
        let args = settings("a.c --args \"x 'y z'\"")
            .expect("arguments")
            .vm_options()
            .expect("options")
            .args;
        assert_eq!(args, ["x", "y z"]);
        assert!(settings("a.c --args \"x 'y\"").is_err());
    }

    #[test]
    fn settings_survive_a_trace_file() {
        let line = "a.c b.bc --nondet=-2..2 --races --must-return f --no-weak-failures \
                    --reduction none -- -O2";
        let settings = settings(line).expect(line);
        let text = serde_json::to_string(&settings).expect("JSON");
        assert_eq!(serde_json::from_str::<Settings>(&text).expect("JSON"), settings);
    }
}
