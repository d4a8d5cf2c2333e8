//! What can be chosen about an execution.

use crate::watch::Proposition;

/// Which scheduling points are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// A step is one instruction.
    None,
    /// A step ends before each access to memory that is not on the stack.
    Global,
    /// A step ends before each access to memory that another thread can reach.
    Tau,
    /// As `Tau`, and a thread goes on as long as no other could tell.
    Superstep,
    /// As `Tau`, and operations where threads do not meet end no step.
    Movers,
    /// `Superstep` and `Movers`.
    Full,
    /// As `Movers`, and threads are left out that cannot interfere with those looked at.
    Stubborn,
}

impl Reduction {
    /// Whether operations where threads do not meet end no step.
    pub fn moves(self) -> bool {
        match self {
            Reduction::Movers | Reduction::Full | Reduction::Stubborn => true,
            Reduction::None | Reduction::Global | Reduction::Tau | Reduction::Superstep => false,
        }
    }

    /// Whether a thread goes on as long as no other could tell.
    pub fn merges(self) -> bool {
        match self {
            Reduction::Superstep | Reduction::Full => true,
            Reduction::None
            | Reduction::Global
            | Reduction::Tau
            | Reduction::Movers
            | Reduction::Stubborn => false,
        }
    }
}

/// Whether a weak compare-exchange fails although the values are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeakFailures {
    /// As often as it does harm: the environment decides.
    Demonic,
    /// Any number of times, but one that is tried again and again succeeds some
    /// time: the scheduler decides.
    Fair,
    Never,
}

/// Whether what threads do on their own is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compile {
    /// Where it is executed often.
    Hot,
    /// All of it, at once.
    Always,
    /// The interpreter executes all.
    Never,
}

/// Threads have numbers of one byte.
pub const MOST_THREADS: u32 = 255;

#[derive(Clone, Debug)]
pub struct VmOptions {
    pub reduction: Reduction,
    /// `argv[1..]`
    pub args: Vec<String>,
    /// What standard input contains; `None` if nobody says.
    pub stdin: Option<Vec<u8>>,
    /// The files that exist at the beginning: path and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// Variables of the environment; `None` if nobody says.
    pub environment: Option<Vec<(String, String)>>,
    /// Report heap memory that nothing points to at the end.
    pub leaks: bool,
    pub races: bool,
    /// A non-zero exit code of the program is a violation.
    pub exit_code: bool,
    /// `abort` is an ordinary end of the program and not a violation.
    pub abort_ends: bool,
    /// Functions that are ours even if the program defines them.
    pub replaced: Vec<String>,
    /// Condition waits may return without a signal.
    pub spurious: bool,
    pub weak_failures: WeakFailures,
    /// Functions that are asked for by name: they stay although nothing reaches them.
    pub named: Vec<String>,
    /// The range for nondeterministic inputs wider than a char.
    pub nondet: Option<(i64, i64)>,
    /// Functions that must return, besides the annotated ones.
    pub must_return: Vec<String>,
    /// Globals that are tracked but not matched.
    pub ignored: Vec<String>,
    /// The function that says what is matched instead of all data.
    pub abstraction: Option<String>,
    /// Allocation may fail (the environment chooses).
    pub malloc_fails: bool,
    /// No signal comes from outside.
    pub no_signals: bool,
    /// What the program asks of the world outside is as we answer it.
    pub fixed_outside: bool,
    /// Sleeping threads wake up in the order of their times.
    pub real_time: bool,
    /// Also what is undefined but does the same everywhere is a violation.
    pub undefined: bool,
    /// How many threads there may be at a time, 255 or fewer.
    pub max_threads: u32,
    /// The largest object a program may have, in bytes.
    pub max_object: u64,
    /// The size of a stack in bytes, unless a thread's attributes say another.
    pub stack: u64,
    /// The most nested calls that we can follow.
    pub max_frames: u32,
    /// Conditions that the search evaluates after every step. Whatever could
    /// change one of them ends a step, under every reduction.
    pub watched: Vec<Proposition>,
    /// Only weakly fair runs are asked about.
    pub fair: bool,
    /// Blocks of memory are copied in ascending order: the user says so.
    pub copies_ascend: bool,
    /// New memory may get the address of freed memory that something points to.
    pub reuse: bool,
    /// Nothing but the speed depends on it.
    pub compile: Compile,
}

impl Default for VmOptions {
    fn default() -> Self {
        VmOptions {
            reduction: Reduction::Tau,
            args: Vec::new(),
            stdin: None,
            files: Vec::new(),
            environment: None,
            leaks: false,
            races: false,
            exit_code: false,
            abort_ends: false,
            replaced: Vec::new(),
            spurious: true,
            weak_failures: WeakFailures::Fair,
            named: Vec::new(),
            nondet: None,
            must_return: Vec::new(),
            ignored: Vec::new(),
            abstraction: None,
            malloc_fails: false,
            no_signals: false,
            undefined: false,
            fixed_outside: false,
            real_time: false,
            max_threads: MOST_THREADS,
            max_object: 64 << 20,
            stack: 8 << 20,
            max_frames: 1 << 20,
            watched: Vec::new(),
            fair: false,
            copies_ascend: false,
            reuse: true,
            compile: Compile::Hot,
        }
    }
}
