//! What is checked and how, free of everything about display: the part of the
//! command line that a trace file keeps.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use exeunt_model::SectionKind;
use exeunt_promela::PromelaOptions;
use exeunt_search::{ContextLimit, Limits, Memory, Options, Order, SectionFilter};
use exeunt_vm::{Reduction, VmOptions};
use serde::{Deserialize, Serialize};

use crate::args::{
    CheckArgs, CopyOrder, DrawArgs, OutcomesArgs, PropertyChoice, ReductionChoice, Reuse, RunArgs,
};
use crate::contradictions;
use crate::failure::Failure;
use crate::front;
use crate::questions::Questions;
use crate::values::Range;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) clang_args: Vec<String>,
    pub(crate) undefined: bool,
    args: Vec<String>,
    nondet: Option<Range>,
    malloc_fails: bool,
    #[serde(default)]
    no_signals: bool,
    #[serde(default)]
    fixed_outside: bool,
    #[serde(default)]
    max_object: Option<u64>,
    #[serde(default)]
    stack: Option<u64>,
    spurious: bool,
    #[serde(default = "yes")]
    weak_failures: bool,
    #[serde(default)]
    abort_ends: bool,
    #[serde(default)]
    copy_order: Option<CopyOrder>,
    #[serde(default)]
    reuse: Option<Reuse>,
    sections: Vec<String>,
    must_return: Vec<String>,
    #[serde(default)]
    must_end: Vec<String>,
    termination: bool,
    races: bool,
    leaks: bool,
    exit_code: bool,
    pub(crate) reduction: ReductionChoice,
    #[serde(default)]
    pub(crate) questions: Questions,
    #[serde(default)]
    ignored: Vec<String>,
    #[serde(default)]
    abstraction: Option<String>,
    /// Where threads meet, for a schedule that was found so.
    #[serde(default)]
    pub(crate) meetings: Option<Vec<(u64, u8)>>,
}

/// What older trace files mean without saying it.
fn yes() -> bool {
    true
}

/// What bounds a search; not part of what is checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounds {
    pub(crate) shortest: bool,
    pub(crate) minimal: bool,
    pub(crate) context_bound: Option<ContextLimit>,
    pub(crate) all: bool,
    jobs: Option<u16>,
    remembered: Memory,
    time: Option<Duration>,
    memory: Option<u64>,
    max_depth: Option<u64>,
    max_states: Option<u64>,
}

impl Settings {
    pub(crate) fn new(arguments: &CheckArgs) -> Result<Self, Failure> {
        let sections = section_kinds(arguments);
        let property = arguments.property;
        Ok(Settings {
            files: arguments.files.clone(),
            clang_args: arguments.compiling.arguments(),
            undefined: arguments.undefined,
            args: program_args(arguments.args.as_deref())?,
            nondet: arguments.nondet,
            malloc_fails: arguments.malloc_fails,
            no_signals: arguments.signals.is_some(),
            fixed_outside: arguments.outside.is_some(),
            max_object: arguments.max_object,
            stack: arguments.stack,
            spurious: !arguments.no_spurious,
            weak_failures: !arguments.no_weak_failures,
            abort_ends: arguments.abort_ends,
            copy_order: arguments.copy_order,
            reuse: arguments.reuse,
            sections: sections.iter().map(|kind| kind.name().to_string()).collect(),
            must_return: arguments.must_return.clone(),
            must_end: arguments.must_end.clone(),
            termination: matches!(
                property,
                Some(PropertyChoice::Termination | PropertyChoice::All)
            ),
            races: arguments.races,
            leaks: arguments.leaks,
            exit_code: arguments.exit_code,
            reduction: reduction(arguments),
            questions: Questions::new(arguments)?,
            ignored: arguments.ignore.clone(),
            abstraction: arguments.r#abstract.clone(),
            // What a search learns is not kept with its states, so none is assumed
            // that another process would not assume as well.
            meetings: (arguments.checkpoint.is_some() || arguments.resume.is_some())
                .then(|| vec![exeunt_vm::EVERYWHERE]),
        })
    }

    /// The options of a Promela model; what only concerns C is refused.
    pub(crate) fn promela_options(&self) -> Result<PromelaOptions, Failure> {
        let only_c = [
            ("--undefined", self.undefined),
            ("--args", !self.args.is_empty()),
            ("--nondet", self.nondet.is_some()),
            ("--malloc-fails", self.malloc_fails),
            ("--stack", self.stack.is_some()),
            ("--signals", self.no_signals),
            ("--outside", self.fixed_outside),
            ("--no-spurious", !self.spurious),
            ("--no-weak-failures", !self.weak_failures),
            ("--abort-ends", self.abort_ends),
            ("--copy-order", self.copy_order.is_some()),
            ("--reuse", self.reuse.is_some()),
            ("--must-return", !self.must_return.is_empty()),
            ("--races", self.races),
            ("--leaks", self.leaks),
            ("--exit-code", self.exit_code),
            ("--ignore", !self.ignored.is_empty()),
            ("--abstract", self.abstraction.is_some()),
        ];
        if let Some((flag, _)) = only_c.iter().find(|(_, given)| *given) {
            return Err(Failure::bad(format!("{flag} has no meaning for a Promela model")));
        }
        Ok(PromelaOptions {
            defines: defines(&self.clang_args)?,
            must_end: self.must_end.clone(),
            formulas: self.questions.named()?,
            merges: self.reduction != ReductionChoice::None,
            past_assertions: false,
        })
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
        named.chain(self.must_return.iter().cloned()).chain(self.abstraction.clone()).collect()
    }

    /// The same without a reduction.
    pub(crate) fn unreduced(&self) -> Self {
        Settings { reduction: ReductionChoice::None, ..self.clone() }
    }

    /// For one plain run: no liveness, and nothing the environment may do.
    pub(crate) fn of_run(arguments: &RunArgs) -> Result<Self, Failure> {
        Ok(Settings {
            files: arguments.files.clone(),
            clang_args: arguments.compiling.arguments(),
            undefined: false,
            args: program_args(arguments.args.as_deref())?,
            nondet: None,
            malloc_fails: false,
            no_signals: false,
            fixed_outside: false,
            max_object: None,
            stack: None,
            spurious: false,
            weak_failures: false,
            abort_ends: false,
            copy_order: None,
            reuse: None,
            sections: Vec::new(),
            must_return: Vec::new(),
            must_end: Vec::new(),
            termination: false,
            races: false,
            leaks: false,
            exit_code: false,
            reduction: ReductionChoice::Tau,
            questions: Questions::default(),
            ignored: Vec::new(),
            abstraction: None,
            meetings: None,
        })
    }

    /// For a picture: what the environment may do is part of it.
    pub(crate) fn of_draw(arguments: &DrawArgs) -> Result<Self, Failure> {
        let settings = Settings::of_run(&arguments.program)?;
        Ok(Settings { spurious: !arguments.no_spurious, weak_failures: true, ..settings })
    }

    /// For all outcomes: every instruction is a step, because what is printed
    /// between two others' accesses matters.
    pub(crate) fn of_outcomes(arguments: &OutcomesArgs) -> Result<Self, Failure> {
        let settings = Settings::of_run(&arguments.program)?;
        Ok(Settings {
            spurious: !arguments.no_spurious,
            weak_failures: !arguments.no_weak_failures,
            no_signals: arguments.signals.is_some(),
            fixed_outside: arguments.outside.is_some(),
            copy_order: arguments.copy_order,
            // A model has no exit code.
            exit_code: !arguments.program.files.iter().any(|file| front::is_promela(file)),
            reduction: ReductionChoice::None,
            ..settings
        })
    }

    pub(crate) fn vm_options(&self) -> VmOptions {
        let defaults = VmOptions::default();
        VmOptions {
            reduction: match self.reduction {
                ReductionChoice::None => Reduction::None,
                ReductionChoice::Global => Reduction::Global,
                ReductionChoice::Tau => Reduction::Tau,
                ReductionChoice::Superstep => Reduction::Superstep,
                ReductionChoice::Movers => Reduction::Movers,
                ReductionChoice::Full => Reduction::Full,
            },
            meetings: self.meetings.clone(),
            args: self.args.clone(),
            leaks: self.leaks,
            races: self.races,
            exit_code: self.exit_code,
            spurious: self.spurious,
            weak_failures: self.weak_failures,
            abort_ends: self.abort_ends,
            copies_ascend: self.copy_order == Some(CopyOrder::Ascending),
            reuse: self.reuse != Some(Reuse::Never),
            nondet: self.nondet.map(|range| (range.low, range.high)),
            must_return: self.must_return.clone(),
            ignored: self.ignored.clone(),
            abstraction: self.abstraction.clone(),
            malloc_fails: self.malloc_fails,
            no_signals: self.no_signals,
            undefined: self.undefined,
            fixed_outside: self.fixed_outside,
            max_object: self.max_object.unwrap_or(defaults.max_object),
            stack: self.stack.unwrap_or(defaults.stack),
            ..defaults
        }
    }

    /// The options of a search; fails on section kinds of another version.
    pub(crate) fn search_options(
        &self,
        bounds: &Bounds,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Options, Failure> {
        let kinds: Result<Vec<SectionKind>, String> =
            self.sections.iter().map(|name| name.parse()).collect();
        Ok(Options {
            memory: bounds.remembered,
            order: if bounds.shortest { Order::Shortest } else { Order::Depth },
            sections: SectionFilter { kinds: kinds.map_err(Failure::bad)? },
            termination: self.termination,
            deadlock: true,
            all: bounds.all,
            limits: Limits {
                time: bounds.time,
                memory: bounds.memory.or_else(most_of_memory),
                capacity: None,
                max_depth: bounds.max_depth,
                max_states: bounds.max_states,
            },
            jobs: bounds.jobs.map_or_else(cores, usize::from),
            // A shortest run may be one of those that are left out.
            reduces: self.reduction != ReductionChoice::None
                && !bounds.shortest
                && !bounds.minimal
                && bounds.context_bound.is_none(),
            checkpoints: Default::default(),
            interrupt,
        })
    }
}

impl Bounds {
    pub(crate) fn new(arguments: &CheckArgs) -> Self {
        Bounds {
            shortest: arguments.shortest,
            minimal: arguments.minimal,
            context_bound: arguments.context_bound,
            all: arguments.all,
            jobs: arguments.jobs,
            remembered: match arguments.bitstate {
                Some(bytes) => Memory::Bits { bytes },
                None if arguments.hash_compact => Memory::Fingerprints,
                None => Memory::Exact,
            },
            time: arguments.time,
            memory: arguments.memory,
            max_depth: arguments.max_depth,
            max_states: arguments.max_states,
        }
    }
}

/// The reduction asked for; otherwise the quickest that answers what is
/// asked. Where steps are counted or compared one by one, they are kept apart.
fn reduction(arguments: &CheckArgs) -> ReductionChoice {
    let single = arguments.shortest
        || arguments.minimal
        || arguments.context_bound.is_some()
        || arguments.races
        || arguments.checkpoint.is_some()
        || arguments.resume.is_some();
    let quickest = match () {
        () if single => ReductionChoice::Tau,
        () if contradictions::asks_for_more(arguments) => ReductionChoice::Superstep,
        () => ReductionChoice::Movers,
    };
    arguments.reduction.unwrap_or(quickest)
}

fn cores() -> usize {
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
    if !arguments.must_return.is_empty() && !kinds.contains(&SectionKind::Function) {
        kinds.push(SectionKind::Function);
    }
    for kind in [SectionKind::User, SectionKind::Process] {
        if !arguments.must_end.is_empty() && !kinds.contains(&kind) {
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
        let args = settings("a.c --args \"x 'y z'\"").expect("arguments").args;
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
