//! Verdicts and what supports them: plain data, decided in the engines and
//! only ever displayed elsewhere.

use std::fmt;

use crate::{ActorId, BlockId, Event, Location, Noun, Schedule, SectionKind, StateView};

/// What kind of promise was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    Assertion,
    Memory,
    Deadlock,
    Section,
    Termination,
    Race,
    Ltl,
    Undefined,
    Leak,
    Misuse,
    Exception,
    Exit,
    Invariant,
}

impl Property {
    pub const ALL: [Property; 13] = [
        Property::Assertion,
        Property::Memory,
        Property::Deadlock,
        Property::Section,
        Property::Termination,
        Property::Race,
        Property::Ltl,
        Property::Undefined,
        Property::Leak,
        Property::Misuse,
        Property::Exception,
        Property::Exit,
        Property::Invariant,
    ];

    /// The name used in messages and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Property::Assertion => "assertion",
            Property::Memory => "memory",
            Property::Deadlock => "deadlock",
            Property::Section => "section",
            Property::Termination => "termination",
            Property::Race => "race",
            Property::Ltl => "ltl",
            Property::Undefined => "undefined",
            Property::Leak => "leak",
            Property::Misuse => "misuse",
            Property::Exception => "exception",
            Property::Exit => "exit",
            Property::Invariant => "invariant",
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A secondary place that belongs to a message: the other party of a race,
/// where freed memory was allocated…
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub location: Location,
    pub text: String,
}

/// The checked program went wrong on a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub property: Property,
    /// One lower-case clause: "out-of-bounds write of 4 bytes at offset 16 of `a` (16 bytes)".
    pub message: String,
    pub location: Option<Location>,
    pub labels: Vec<Label>,
    /// Whose fault it is and what to try.
    pub help: Vec<String>,
    /// The block of memory that was used after it was given back, if that is the fault.
    pub block: Option<BlockId>,
}

impl Fault {
    pub fn new(property: Property, message: impl Into<String>) -> Self {
        Fault {
            property,
            message: message.into(),
            location: None,
            labels: Vec::new(),
            help: Vec::new(),
            block: None,
        }
    }

    /// It is about a block of memory that was given back before.
    pub fn of_block(mut self, block: Option<BlockId>) -> Self {
        self.block = block;
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    pub fn label(mut self, location: Location, text: impl Into<String>) -> Self {
        self.labels.push(Label { location, text: text.into() });
        self
    }
}

/// A limit of ours: names the construct and its source line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    pub construct: String,
    pub location: Option<Location>,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not supported", self.construct)?;
        match &self.location {
            Some(location) => write!(f, " ({location})"),
            None => Ok(()),
        }
    }
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything asked for was established.
    Holds,
    /// There is a violation, with a schedule that shows it.
    Violated,
    /// Neither: a limit, a bound, an unsupported construct, sampled inputs.
    Inconclusive,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Inconclusive => "inconclusive",
        }
    }

    /// The process exit code that goes with it.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::Holds => 0,
            Verdict::Violated => 1,
            Verdict::Inconclusive => 3,
        }
    }
}

/// One step of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    pub actor: ActorId,
    /// Where the actor stood when it was chosen.
    pub location: Option<Location>,
    /// The first thing it did, in words.
    pub action: String,
    /// The calls that the location is in, innermost first.
    pub callers: Vec<Location>,
    pub events: Vec<Event>,
}

/// A counterexample that people can read and the machine can replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    pub schedule: Schedule,
    /// What the first actor did before the first step, where that is no step.
    pub beginning: Vec<Event>,
    pub steps: Vec<TraceStep>,
    /// What the actors are.
    pub noun: Noun,
    /// The names of the actors, by number.
    pub actors: Vec<String>,
    /// The step at which the part that repeats for ever begins.
    pub cycle_start: Option<usize>,
    /// The number of steps after which the end of the section is unreachable.
    pub too_late: Option<usize>,
    /// The states before each step and at the end, where they were asked for.
    pub states: Vec<StateView>,
}

/// The section a violation is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionReport {
    pub kind: SectionKind,
    pub actor: ActorId,
    /// The resource or function: "m", "drain".
    pub name: String,
    pub opened: Option<Location>,
    /// The calls that `opened` is in, innermost first.
    pub callers: Vec<Location>,
    /// What it waits for and why that cannot come.
    pub why: String,
}

/// One way in which the program fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub property: Property,
    pub message: String,
    pub location: Option<Location>,
    /// The calls that the location is in, innermost first.
    pub callers: Vec<Location>,
    pub labels: Vec<Label>,
    pub help: Vec<String>,
    /// The section that cannot end; for a deadlock, all that stay open.
    pub sections: Vec<SectionReport>,
    pub trace: Trace,
    /// The temporal question that it answers, by its id.
    pub question: Option<String>,
}

/// Numbers about a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    pub states: u64,
    pub transitions: u64,
    pub revisits: u64,
    /// Runs of a program whose states are not stored.
    pub runs: Option<u64>,
    /// The longest path followed, where there was an order.
    pub max_depth: Option<u64>,
    pub components: u64,
    pub seconds: f64,
    pub peak_memory_bytes: u64,
    /// Bytes of state storage divided by states.
    pub bytes_per_state: f64,
    /// What the time went into, in order.
    pub phases: Vec<(&'static str, f64)>,
    /// How the search went: seconds, states, and those of them that were not looked at yet.
    pub course: Vec<(f64, u64, u64)>,
    /// The part of the places of the table of states that is taken.
    pub table_load: f64,
    /// Bottom components seen; `None` where liveness was switched off.
    pub bottom_components: Option<u64>,
    /// Section instances opened on any transition, and distinct places.
    pub sections_opened: Option<u64>,
    pub section_sites: Option<u64>,
    /// Searches that were discarded, because they relied on something that turned out to be wrong, and
    /// their states.
    pub discarded: (u64, u64),
}

/// What came of one temporal question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The formula, claim or invariant as it was asked.
    pub text: String,
    pub verdict: Verdict,
    /// States and transitions of the product that was searched, counted as
    /// SPIN counts: the initial state is a transition.
    pub states: u64,
    pub transitions: u64,
}

/// The outcome of one command on one program.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub verdict: Verdict,
    /// One sentence.
    pub reason: String,
    pub violations: Vec<Violation>,
    pub statistics: Statistics,
    /// Limits that cut something off, each with its flag: "--max-states 1000".
    pub limits_hit: Vec<String>,
    /// The temporal questions that were answered, in order.
    pub answers: Vec<Answer>,
    /// Statements that no run executes, where that was asked for.
    pub unreached: Vec<Label>,
    /// What the program does that the language leaves undefined but that is
    /// harmless: once for each place.
    pub notes: Vec<Label>,
    /// What the user told us to assume and what this program depends on, each
    /// with its flag: "holds" is relative to it.
    pub assumptions: Vec<String>,
    /// What "holds" does not say, and one should know: that the program may run for
    /// ever, that it can fail, what was not asked for.
    pub remarks: Vec<String>,
    /// Why a violation that no schedule of finite length can show is one.
    pub proof: Option<Proof>,
}

impl Report {
    /// That nothing is known, and why.
    pub fn inconclusive(reason: String) -> Report {
        let limits_hit = vec![reason.clone()];
        Report { limits_hit, ..Report::new(Verdict::Inconclusive, reason) }
    }

    /// A verdict and its reason, and nothing else yet.
    pub fn new(verdict: Verdict, reason: String) -> Report {
        Report {
            verdict,
            reason,
            limits_hit: Vec::new(),
            violations: Vec::new(),
            statistics: Statistics::default(),
            answers: Vec::new(),
            unreached: Vec::new(),
            notes: Vec::new(),
            assumptions: Vec::new(),
            remarks: Vec::new(),
            proof: None,
        }
    }
}

/// What it took to prove that one loop ends.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopRow {
    pub thread: String,
    pub location: Option<Location>,
    pub result: String,
    pub seconds: f64,
    /// How often something more was asked of the environment, and how often less.
    pub strengthenings: usize,
    pub weakenings: usize,
}

/// A proof, for people and for programs that check it; without a certificate, what was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// Headings and the lines below them.
    pub explained: Vec<(String, Vec<String>)>,
    /// What it takes for granted.
    pub assumption: String,
    /// How often the invariant was strengthened.
    pub refinements: u32,
    /// The loops that were asked about, of a proof that a thread ends.
    pub loops: Vec<LoopRow>,
    /// The cycle as a program with numbers for queues.
    pub program: String,
    /// The certificate as a JSON text, if there is one.
    pub certificate: Option<String>,
}
