//! The arguments of every subcommand, as clap reads them. One field, one row
//! of the help text.

mod choices;
mod cluster;
mod input;
mod live;
mod proofs;
mod tools;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use exeunt_report::Format;
use exeunt_search::ContextLimit;
use serde::{Deserialize, Serialize};

pub(crate) use choices::{
    CompileChoice, CopyOrder, LanguageChoice, OutsideChoice, PropertyChoice, ReductionChoice,
    Reuse, SignalsChoice, WeakFailuresChoice,
};
pub(crate) use cluster::ClusterArgs;
pub(crate) use input::InputArgs;
pub(crate) use live::LiveArgs;
pub(crate) use proofs::{CertifyArgs, ProveArgs};
pub(crate) use tools::{CompletionsArgs, ManualArgs};

use crate::compiler::CompilerArgs;
use crate::draw::DrawArgs;
use crate::explore::ExploreArgs;
use crate::grade::GradeArgs;
use crate::outcomes::OutcomesArgs;
use crate::reproducer::TestArgs;
use crate::sim::SimArgs;
use crate::spin::SpinArgs;
use crate::svcomp::DataModel;
use crate::values::{self, Kinds, Range};

/// Says whether everything that a concurrent program enters is also left, in
/// every schedule.
#[derive(Debug, Parser)]
#[command(name = "exeunt", version, after_help = EXIT_CODES, max_term_width = 100)]
#[command(args_override_self = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 everything asked for holds; 1 a violation was found; \
2 bad usage or bad input, nothing was checked; 3 inconclusive; 130 interrupted.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Explore every schedule of a program
    #[command(after_help = EXIT_CODES)]
    Check(Box<CheckArgs>),
    /// Run a native program under every schedule
    #[command(after_help = EXIT_CODES)]
    Live(LiveArgs),
    /// Stand in for the C compiler of a build, so that what it builds can be checked
    Cc(CompilerArgs),
    /// Stand in for the C++ compiler of a build
    #[command(name = "c++")]
    Cxx(CompilerArgs),
    /// Check the solutions of an exercise and print a short report for each
    #[command(after_help = EXIT_CODES)]
    Grade(GradeArgs),
    /// Prove that a thread of a C program ends, or that a Promela model with
    /// unbounded channels does not
    #[command(after_help = EXIT_CODES)]
    Prove(Box<ProveArgs>),
    /// Check the certificate of a proof, independently of the prover
    Certify(CertifyArgs),
    /// Run a saved schedule again
    Replay(ReplayArgs),
    /// Make a program of a saved schedule that fails natively, to attach to a bug report
    Test(TestArgs),
    /// Run a program once, under one schedule, and print what it prints
    Run(RunArgs),
    /// List everything that a small program can print, and how it can end
    ///
    /// It looks at a million states at most, unless `--max-states` says another number.
    #[command(after_help = EXIT_CODES)]
    Outcomes(OutcomesArgs),
    /// Print the bytecode that a program is lowered to
    Ir(IrArgs),
    /// List the sections of a program: what is entered and must be left
    Sections(IrArgs),
    /// Walk through the states of a program or along a saved schedule, forwards and backwards
    Sim(SimArgs),
    /// Take a command line of SPIN and do what it means
    #[command(after_help = EXIT_CODES)]
    Spin(SpinArgs),
    /// Explore the states of a program, or begin at the end of a saved schedule, as a page in a
    /// browser; it is served on this machine only, until Ctrl-C
    Explore(ExploreArgs),
    /// Draw the states of a small program and the moves between them
    Draw(DrawArgs),
    /// Print the completions of this command line for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write all of them into a directory
    Manual(ManualArgs),
}

/// What the compiler or the preprocessor is to know.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Compiling {
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = PROGRAM)]
    define: Vec<String>,
    /// Look for headers there, too
    #[arg(short = 'I', value_name = "DIRECTORY", help_heading = PROGRAM)]
    include: Vec<String>,
    /// What the files hold, whatever their names end in
    #[arg(long, value_enum, value_name = "LANGUAGE", help_heading = PROGRAM)]
    pub(crate) language: Option<LanguageChoice>,
    /// Arguments for clang; -O…, -std=…, -W…, -f…, -m…, -g and -pthread need no `--`
    #[arg(last = true, value_name = "CLANG ARGUMENTS")]
    clang_args: Vec<String>,
}

impl Compiling {
    /// As the compiler takes them.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let defines = self.define.iter().map(|define| format!("-D{define}"));
        let includes = self.include.iter().map(|directory| format!("-I{directory}"));
        defines.chain(includes).chain(self.clang_args.iter().cloned()).collect()
    }
}

/// What the checked program gets and may do, and which of its data states are
/// compared by. Trace files keep it.
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct ProgramArgs {
    /// Arguments for the checked program, separated as a shell would
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true, help_heading = PROGRAM)]
    pub(crate) args: Option<String>,
    /// Begin at this function, which takes no parameters, in place of main
    #[arg(long, value_name = "FUNCTION", conflicts_with = "test", help_heading = PROGRAM)]
    pub(crate) entry: Option<String>,
    /// Run one test case of GoogleTest (Suite.Name) or Catch2 (its name); a check
    /// that fails is a violation. `--reuse never` is the default then
    #[arg(long, value_name = "TEST", help_heading = PROGRAM)]
    pub(crate) test: Option<String>,
    /// The values that wide nondeterministic inputs range over, both included
    #[arg(long, value_name = "LO..HI", allow_hyphen_values = true, help_heading = PROGRAM)]
    pub(crate) nondet: Option<Range>,
    /// Let every allocation also fail
    #[arg(long, help_heading = PROGRAM)]
    pub(crate) malloc_fails: bool,
    /// Refuse a program that calls undefined functions, even if no run does
    #[arg(long, help_heading = PROGRAM)]
    pub(crate) strict: bool,
    /// Take abort() for an ordinary end of the program, not for an error
    #[arg(long, help_heading = PROGRAM)]
    pub(crate) abort_ends: bool,
    /// Whether new memory may be where freed memory was, although the program
    /// still has a pointer to that
    #[arg(long, value_enum, value_name = "WHEN", help_heading = PROGRAM)]
    pub(crate) reuse: Option<Reuse>,
    /// When private work of threads is compiled to machine code; answers do not
    /// depend on it (default: hot)
    #[arg(long, value_enum, value_name = "WHEN", help_heading = SEARCH)]
    pub(crate) compile: Option<CompileChoice>,
    /// The largest object the program may allocate (default: 64M)
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = SEARCH)]
    pub(crate) max_object: Option<u64>,
    /// Only runs with at most so many threads at a time (default: 255)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=255), help_heading = SEARCH)]
    pub(crate) max_threads: Option<u32>,
    /// The size of the stack of each thread whose attributes say no other
    /// (default: 8M)
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = PROGRAM)]
    pub(crate) stack: Option<u64>,
    /// Globals that are not compared when states are
    #[arg(long, value_name = "GLOBAL,…", value_delimiter = ',', help_heading = SEARCH)]
    pub(crate) ignore: Vec<String>,
    /// Of all data compare only what this function of the program gives to
    /// exeunt_match
    #[arg(long, value_name = "FUNCTION", help_heading = SEARCH)]
    pub(crate) r#abstract: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) world: WorldArgs,
}

/// What C leaves open, and what lies outside of the program. Trace files keep
/// it.
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct WorldArgs {
    /// Which signals come from outside: none, so that their handlers run only when
    /// the program raises them itself. Without it nothing is said about programs
    /// with handlers for such signals
    #[arg(long, value_name = "WHICH", help_heading = PROGRAM)]
    pub(crate) signals: Option<SignalsChoice>,
    /// Assume that the world outside is as we answer: empty input, a clock that
    /// stands still, no environment, two processors…
    #[arg(long, value_name = "HOW", help_heading = PROGRAM)]
    pub(crate) outside: Option<OutsideChoice>,
    /// The machine is quick enough: sleeping threads wake up in the order of their times, and only when no other
    /// thread has anything to do. Without it any of them may wake up at any time
    #[arg(long, help_heading = PROGRAM)]
    pub(crate) real_time: bool,
    /// Let condition variables wake a thread only if they are signalled
    #[arg(long, help_heading = PROGRAM)]
    pub(crate) no_spurious: bool,
    /// How often a weak compare-exchange fails although the values are equal [default: fair]
    #[arg(long, value_name = "HOW", help_heading = PROGRAM)]
    pub(crate) weak_failures: Option<WeakFailuresChoice>,
    /// The same as `--weak-failures never`
    #[arg(long, help_heading = PROGRAM, conflicts_with = "weak_failures")]
    pub(crate) no_weak_failures: bool,
    /// In which order blocks of memory are copied. C does not say, so by default a block that another thread sees half copied makes the answer inconclusive
    #[arg(long, value_enum, value_name = "ORDER", help_heading = PROGRAM)]
    pub(crate) copy_order: Option<CopyOrder>,
}

/// What is demanded of the program besides that sections are left and formulas hold. Trace files keep it.
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct DemandArgs {
    /// Functions whose every call must return
    #[arg(long, value_name = "FUNCTION,…", value_delimiter = ',', help_heading = PROPERTIES)]
    pub(crate) must_return: Vec<String>,
    /// Process types (Promela) whose every process must end, or must get from one label to another: `P`, `P:from..to`
    #[arg(long, value_name = "PROCTYPE[:FROM..TO],…", value_delimiter = ',', help_heading = PROPERTIES)]
    pub(crate) must_end: Vec<String>,
    /// Also report data races, as C11 defines them
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) races: bool,
    /// Also report memory that is lost
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) leaks: bool,
    /// Also report undefined arithmetic (signed overflow, shifts…) and what is undefined but harmless
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) undefined: bool,
    /// Also report an exit code other than 0
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) exit_code: bool,
    /// Go on behind an assertion (Promela) that fails, as `pan -c0` does; the failure is reported all the same
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) past_assertions: bool,
    /// A message that is sent to a full channel (Promela) is lost, as with `spin -m`
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) lose_messages: bool,
    /// Channels (Promela) must be empty where all processes have stopped, as with `pan -q`
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) empty_channels: bool,
    /// A process type (Promela) is one scope, whatever blocks it has, as with `spin -O`
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) one_scope: bool,
    /// Priorities of processes (Promela) mean nothing, as with `spin -o6`
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) no_priorities: bool,
    /// A file with a never claim (Promela), which is read behind the model, as with `spin -N`
    #[arg(long, value_name = "FILE", conflicts_with = "save", help_heading = PROPERTIES)]
    pub(crate) never: Option<PathBuf>,
}

/// How the search goes and what ends it; not part of what is checked.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SearchArgs {
    /// Go on after the first violation and report all
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) all: bool,
    /// How many threads search (default: one for each core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = SEARCH)]
    pub(crate) jobs: Option<u16>,
    /// Make room for so many states at the beginning, so that no table has to grow;
    /// takes memory for nothing if the number is too large
    #[arg(long, value_name = "STATES", value_parser = clap::value_parser!(u32).range(1..=1 << 30), help_heading = SEARCH)]
    pub(crate) expect_states: Option<u32>,
    /// Remember a fingerprint of each state only; nothing is established
    #[arg(long, help_heading = SEARCH)]
    pub(crate) hash_compact: bool,
    /// Remember three bits of each state in an array of this size (default: 256M); nothing is established
    #[arg(long, value_name = "SIZE", num_args = 0..=1, require_equals = true, default_missing_value = "256M", value_parser = values::size, help_heading = SEARCH)]
    pub(crate) bitstate: Option<u64>,
    /// Find a shortest counterexample (breadth first)
    #[arg(long, help_heading = SEARCH)]
    pub(crate) shortest: bool,
    /// Find the shortest schedule that shows any violation: an error, a deadlock or a section, whichever needs the fewest steps
    #[arg(long, help_heading = SEARCH)]
    pub(crate) minimal: bool,
    /// Keep no states: run one schedule of each class of those that differ only in the order of independent steps
    #[arg(long, help_heading = SEARCH)]
    pub(crate) stateless: bool,
    /// Only schedules with at most so many preemptive context switches;
    /// `auto` raises the number until a violation shows or nothing is cut off
    #[arg(long, value_name = "K|auto", value_parser = values::context_limit, help_heading = SEARCH)]
    pub(crate) context_bound: Option<ContextLimit>,
    /// Give up beyond this memory: 512M, 4G (default: 70 % of the machine's)
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = SEARCH)]
    pub(crate) memory: Option<u64>,
    /// Do not follow schedules beyond so many steps
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..), help_heading = SEARCH)]
    pub(crate) max_depth: Option<u64>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Limits that several commands know.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct LimitArgs {
    /// Give up after this time: 500ms, 10s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = values::duration, help_heading = SEARCH)]
    pub(crate) time: Option<Duration>,
    /// Give up after so many states
    #[arg(long, value_name = "STATES", value_parser = clap::value_parser!(u64).range(1..), help_heading = SEARCH)]
    pub(crate) max_states: Option<u64>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct CheckArgs {
    /// C (.c), C++ (.cpp), LLVM text (.ll) and bitcode (.bc), objects, archives and programs
    /// that `exeunt cc` or `exeunt c++` built, linked together; or a Promela model (.pml)
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Compile as the compile_commands.json in this directory says; without FILE, all
    /// files that it names, together
    #[arg(long, value_name = "DIRECTORY", help_heading = PROGRAM)]
    pub(crate) compile_commands: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) compiling: Compiling,

    #[command(flatten)]
    pub(crate) program: ProgramArgs,

    /// What is asked: no errors (safety), also that the program can always end
    /// (termination), that and every section (all), or only the formulas,
    /// claims and invariants (temporal); by default no errors and every section.
    /// A property file of SV-COMP (FILE.prp) asks what it says
    #[arg(long, value_enum, value_name = "PROPERTY", help_heading = PROPERTIES)]
    pub(crate) property: Option<PropertyChoice>,
    /// What `--property FILE.prp` is turned into
    #[arg(long, value_name = "FILE", hide = true, conflicts_with = "property")]
    pub(crate) property_file: Option<PathBuf>,
    /// With a property file: the data model that the task is written for
    #[arg(long, value_enum, value_name = "MODEL", help_heading = PROGRAM)]
    pub(crate) data_model: Option<DataModel>,
    /// The section kinds that must be left: `all`, `none`, or a list such as
    /// `mutex-wait,join,user`
    #[arg(long, value_name = "KINDS", help_heading = PROPERTIES)]
    pub(crate) sections: Option<Kinds>,
    #[command(flatten)]
    pub(crate) demands: DemandArgs,
    /// A formula of temporal logic that every run must satisfy:
    /// `G (request -> F granted)`, `[]<> p`, `always eventually x > 3`
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true, help_heading = PROPERTIES)]
    pub(crate) ltl: Vec<String>,
    /// Formulas from a file, one on each line; `#` and `//` begin comments
    #[arg(long, value_name = "FILE", help_heading = PROPERTIES)]
    pub(crate) ltl_file: Vec<PathBuf>,
    /// Of the claims and formulas in a Promela model, check only those with
    /// these names; `none` is the same as --no-claims
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = PROPERTIES)]
    pub(crate) ltl_name: Vec<String>,
    /// Do not check the claims and formulas in a Promela model; --property
    /// safety does not either
    #[arg(long, conflicts_with = "ltl_name", help_heading = PROPERTIES)]
    pub(crate) no_claims: bool,
    /// Temporal properties: only runs on which a thread that could always move
    /// does move (weak fairness)
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) fair: bool,
    /// Report cycles (Promela) that pass no progress label
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) non_progress: bool,
    /// Report cycles (Promela) that pass an accept label
    #[arg(long, help_heading = PROPERTIES)]
    pub(crate) acceptance: bool,
    /// A condition that must hold after every step: a C function without
    /// side effects, or a comparison of global variables
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true, help_heading = PROPERTIES)]
    pub(crate) invariant: Vec<String>,

    /// Ignore the capacities of channels (Promela) and prove that the model
    /// never ends, as `exeunt prove` does
    #[arg(long, help_heading = SEARCH)]
    pub(crate) unbounded: bool,
    /// Which interleavings are left out because they cannot matter
    /// (default: stubborn; superstep with formulas and invariants; tau with
    /// --shortest, --minimal, --context-bound and --races, which count or
    /// compare single steps, and with --checkpoint)
    #[arg(long, value_enum, value_name = "REDUCTION", help_heading = SEARCH)]
    pub(crate) reduction: Option<ReductionChoice>,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
    /// Keep the search in a file, every few minutes and when it is stopped
    #[arg(long, value_name = "FILE", help_heading = SEARCH)]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How often that is done (default: 5m)
    #[arg(long, value_name = "TIME", requires = "checkpoint", value_parser = values::duration, help_heading = SEARCH)]
    pub(crate) checkpoint_every: Option<Duration>,
    /// Go on with a search that was kept by --checkpoint
    #[arg(long, value_name = "FILE", help_heading = SEARCH)]
    pub(crate) resume: Option<PathBuf>,

    /// Follow a trail of SPIN instead of searching, and tell what happens
    #[arg(long, value_name = "FILE", help_heading = SEARCH)]
    pub(crate) spin_trail: Option<PathBuf>,

    /// Write the found schedule (Promela) as a trail that `spin -t` follows
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) save_trail: Option<PathBuf>,
    /// List the statements (Promela) that no run executes
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) unreached: bool,
    /// Show what happens inside of C++ headers where it happens, not where they are used
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) library_frames: bool,
    /// Save the found schedule, for `exeunt replay`
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) save: Option<PathBuf>,
    /// With a property file: write a witness in the format 2.0 of SV-COMP
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) witness: Option<PathBuf>,
    /// Look for the same violation with as few preemptive context switches, and with these as few
    /// steps, as possible, for this time (default: 10s)
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true, default_missing_value = "10s", value_parser = values::duration, help_heading = SEARCH)]
    pub(crate) simplify: Option<Duration>,
    /// Report only violations that this earlier report (`--format json`) does not have;
    /// exit code 0 if there are none. Implies --all
    #[arg(long, value_name = "REPORT", help_heading = OUTPUT)]
    pub(crate) baseline: Option<PathBuf>,
    /// Check again whenever a source file or header is saved, until Ctrl-C
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
}

impl CheckArgs {
    /// Whether the claims and formulas of a Promela model are left out. Safety asks for
    /// assertions, end states and misuse only, unless claims are named.
    pub(crate) fn leaves_claims_out(&self) -> bool {
        let safety = self.property == Some(PropertyChoice::Safety);
        self.no_claims || self.names_no_claim() || safety && self.ltl_name.is_empty()
    }

    fn names_no_claim(&self) -> bool {
        matches!(self.ltl_name.as_slice(), [name] if name == "none")
    }

    /// The claims that are asked for; all of them if none is named.
    pub(crate) fn claim_names(&self) -> Vec<String> {
        if self.names_no_claim() { Vec::new() } else { self.ltl_name.clone() }
    }
}

pub(crate) const PROGRAM: &str = "Program";
pub(crate) const PROPERTIES: &str = "Properties";
pub(crate) const SEARCH: &str = "Search";
pub(crate) const OUTPUT: &str = "Output";

#[derive(Clone, Debug, Args)]
pub(crate) struct ShowArgs {
    /// The form of the report
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = format(), help_heading = OUTPUT)]
    pub(crate) format: Format,
    /// Write the report to a file
    #[arg(short, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) o: Option<PathBuf>,
    /// Show every step of the schedule, with its source and the locks that are held, instead of folding repetition
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) full_trace: bool,
    /// Show what the checked program printed
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) output: bool,
    /// Show all numbers of the search
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) stats: bool,
    /// Show all calls around the places of a violation
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) stacks: bool,
    /// Tell in plain language what happened and who waits for whom
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) explain: bool,
}

impl ShowArgs {
    /// Whether the report shows the states along a schedule.
    pub(crate) fn looks_at_states(&self) -> bool {
        self.format == Format::Html || self.explain
    }
}

fn format() -> impl clap::builder::TypedValueParser<Value = Format> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    let names = Format::ALL.map(Format::name);
    PossibleValuesParser::new(names).try_map(|text| text.parse::<Format>())
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// A file written by `exeunt check --save`, `exeunt live --save` or `exeunt prove --save`
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
    /// Run the native program under gdb, up to the place where it goes wrong
    #[arg(long)]
    pub(crate) gdb: bool,
    /// With `--gdb`: do these commands of gdb there, and leave; `bt`, of a trace of
    /// `exeunt check` also `to-switch 2`, of one of `exeunt live` also `back` or `of 2 bt`
    #[arg(long, value_name = "COMMAND", requires = "gdb")]
    pub(crate) gdb_command: Vec<String>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// C (.c), C++ (.cpp), LLVM text (.ll) and bitcode (.bc), linked together
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Arguments for the program, separated as a shell would
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    pub(crate) args: Option<String>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// When private work of threads is compiled to machine code (default: hot)
    #[arg(long, value_enum, value_name = "WHEN")]
    pub(crate) compile: Option<CompileChoice>,
    #[command(flatten)]
    pub(crate) compiling: Compiling,
}

#[derive(Debug, Args)]
pub(crate) struct IrArgs {
    /// C (.c), C++ (.cpp), LLVM text (.ll) and bitcode (.bc), linked together
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) compiling: Compiling,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }
}
