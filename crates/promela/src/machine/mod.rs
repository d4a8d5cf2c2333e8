//! Runs a compiled model: which steps are enabled in a state, and what each
//! of them leads to.

mod chain;
mod channel;
mod dead;
mod embedded;
mod execute;
mod memo;
mod memory;
mod observer;
mod ready;
mod recent;
mod reduce;
mod remember;
mod story;
mod trace;
mod trouble;
mod value;
mod worker;

use std::cell::{Cell, RefCell};

use exeunt_model::{ActorId, Choice, CompId, Event, Fault, Move, Pool};

use crate::code::{Initial, ProcId, Program, SiteId};
use crate::coverage::Coverage;
use crate::embedded::Host;
use crate::{Marking, PromelaModel};

pub(crate) use dead::parts;
use memory::Memory;
pub use observer::Observer;
pub(crate) use observer::Watched;
use ready::Entry;
pub(crate) use reduce::Crowd;
use trouble::Trouble;

/// The process that evaluates or moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub pid: u32,
    /// The first word of its component.
    pub base: u32,
}

/// A message on its way through a rendezvous channel.
#[derive(Clone, Debug, Default)]
struct Handshake {
    /// Number of the channel, counted from one; zero if there is none.
    channel: u32,
    message: Vec<i32>,
}

/// An edge with the statements executed on it.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    pub step: Move,
    pub path: Vec<Taken>,
    /// `None` for a fault.
    pub target: Option<Vec<CompId>>,
    pub fault: Option<Fault>,
}

/// A transition that was taken.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub pid: u32,
    /// What SPIN calls the statement.
    pub number: u32,
    pub site: SiteId,
    /// What it sent and received.
    pub passed: Vec<Passed>,
    /// What it printed.
    pub output: String,
    /// The process that it started.
    pub started: Vec<u32>,
}

/// A message that went into or out of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    pub receive: bool,
    /// The number of the channel, counted from one.
    pub channel: u32,
    pub values: Vec<i32>,
}

/// One exploring hand over a model.
pub(crate) struct Machine<'a> {
    model: &'a PromelaModel,
    /// Where executed statements are noted, if coverage is wanted.
    coverage: Option<&'a Coverage>,
    program: &'a Program,
    pool: &'a dyn Pool,
    memory: Memory<'a>,
    /// Whether `timeout` holds: nothing else can move.
    timeout: bool,
    handshake: Handshake,
    /// The first thing that went wrong while evaluating.
    trouble: RefCell<Option<Trouble>>,
    /// Of guards that could not be evaluated, by [`Entry`].
    troubles: Vec<Trouble>,
    /// Enabled steps of the processes on the way, the innermost last.
    entries: Vec<Entry>,
    chain: Vec<chain::Link>,
    choices: Vec<Choice>,
    events: Vec<Event>,
    /// The steps of the chain, while edges are recorded.
    path: Vec<Taken>,
    /// Obligations that processes have left on the chain, by number.
    closed: Vec<(u32, usize)>,
    /// Edges with their paths, while they are recorded.
    recorded: Option<Vec<Recorded>>,
    scratch: Vec<i32>,
    /// How deep `enabled` asks.
    asking: Cell<u32>,
    /// Whether events are wanted.
    storytelling: bool,
    /// Whether some processes may be enough; made when it is first asked for.
    reducible: bool,
    reduction: Option<Box<reduce::Reduction<'a>>>,
    /// Whether the reduction may rely on what can be refuted.
    crowd: Option<Crowd>,
    /// For each process type the states whose statements no other process observes,
    /// if they are merged.
    private: Vec<Vec<bool>>,
    /// Where which local variables are forgotten, if they are.
    kept: Option<dead::Kept>,
    /// Steps that were taken before; `None` while it is in use.
    memo: Option<Box<memo::Memo>>,
    draft: memo::Draft,
    /// For targets that come from the memo.
    vector: Vec<CompId>,
    /// What executes C code.
    foreign: RefCell<embedded::Foreign<'a>>,
}

impl<'a> Machine<'a> {
    /// A machine for a search: it notes which statements it executes.
    pub fn searching(
        model: &'a PromelaModel,
        coverage: &'a Coverage,
        crowd: Option<Crowd>,
        host: Option<&'a dyn Host>,
        pool: &'a dyn Pool,
    ) -> Self {
        let mut machine = Machine { coverage: Some(coverage), crowd, ..Machine::new(model, pool) };
        if let Some(host) = host {
            machine.foreign = embedded::Foreign::of_search(host, pool);
        }
        machine
    }

    pub fn new(model: &'a PromelaModel, pool: &'a dyn Pool) -> Self {
        let program = &model.program;
        let mut machine = Machine {
            model,
            coverage: None,
            program,
            pool,
            memory: Memory::new(program),
            timeout: false,
            handshake: Handshake::default(),
            trouble: RefCell::new(None),
            troubles: Vec::new(),
            entries: Vec::new(),
            chain: Vec::new(),
            choices: Vec::new(),
            events: Vec::new(),
            path: Vec::new(),
            closed: Vec::new(),
            recorded: None,
            scratch: Vec::new(),
            asking: Cell::new(0),
            storytelling: false,
            reducible: true,
            reduction: None,
            crowd: None,
            private: Vec::new(),
            kept: None,
            memo: Some(Box::new(memo::Memo::new())),
            draft: memo::Draft::default(),
            vector: Vec::new(),
            foreign: embedded::Foreign::new(model, pool),
        };
        machine.set_globals();
        if model.merges {
            machine.private = machine.private_places();
        }
        if model.forgets {
            machine.kept = Some(machine.kept());
        }
        machine
    }

    /// Hidden variables keep these values; the others are loaded with states.
    fn set_globals(&mut self) {
        let mut next = 1;
        self.initialise(&self.program.initial, 0, &mut next);
        if let Some(trace) = &self.program.trace {
            let start = self.program.procs[trace.proc.0 as usize].start;
            self.memory.store(&trace.cell, 0, i32::from(start));
        }
    }

    /// Runs initialisers; channels get their numbers in order.
    fn initialise(&mut self, initial: &[Initial], pid: u32, next_channel: &mut u32) {
        let base = match self.memory.process_count() {
            0 => 0,
            _ => self.memory.process(pid).base,
        };
        for entry in initial {
            match entry {
                Initial::Store(cell, value) => {
                    let value = self.eval(value, Frame { pid, base });
                    self.memory.store(cell, base, value);
                }
                Initial::Channel(cell, _) => {
                    self.memory.store(cell, base, *next_channel as i32);
                    *next_channel += 1;
                }
            }
        }
    }

    fn frame(&self, pid: u32) -> Frame {
        Frame { pid, base: self.memory.process(pid).base }
    }

    /// Starts a process; `None` if there are too many.
    fn start(&mut self, proc: ProcId, args: &[i32], priority: u8) -> Option<u32> {
        if self.memory.process_count() as usize >= crate::check::MAX_PROCESSES {
            self.complain(Trouble::TooManyProcesses);
            return None;
        }
        let shape = &self.program.procs[proc.0 as usize];
        // Variables that name a channel are bytes.
        if self.memory.channel_count() as usize + shape.channels.len() > crate::check::MAX_CHANNELS
        {
            self.complain(Trouble::TooManyChannels);
            return None;
        }
        let mut channel = self.memory.channel_count() + 1;
        let pid = self.memory.push_process(proc);
        let base = self.memory.process(pid).base;
        for (cell, value) in shape.params.iter().zip(args) {
            self.memory.store(cell, base, *value);
        }
        if self.recorded.is_some()
            && let Some(step) = self.path.last_mut()
        {
            step.started.push(pid);
        }
        self.memory.set_state(pid, shape.start);
        self.memory.set_priority(pid, priority);
        self.initialise(&shape.initial, pid, &mut channel);
        self.begin_code(pid);
        Some(pid)
    }

    /// Notes that a transition is taken from here on, while edges are recorded.
    fn note_step(&mut self, pid: u32, number: u32, site: SiteId) {
        if self.recorded.is_some() {
            let (passed, output, started) = (Vec::new(), String::new(), Vec::new());
            self.path.push(Taken { pid, number, site, passed, output, started });
        }
    }

    /// Notes a message that the last transition sent or received.
    fn note_message(&mut self, receive: bool, channel: u32, values: &[i32]) {
        if self.recorded.is_some()
            && let Some(step) = self.path.last_mut()
        {
            step.passed.push(Passed { receive, channel, values: values.to_vec() });
        }
    }

    /// Remembers what went wrong, unless something did before.
    #[cold]
    fn complain(&self, trouble: Trouble) {
        let mut slot = self.trouble.borrow_mut();
        if slot.is_none() {
            *slot = Some(trouble);
        }
    }

    fn take_trouble(&self) -> Option<Trouble> {
        self.trouble.borrow_mut().take()
    }

    /// Whether some process stands at a place with this mark.
    fn any_marked(&self, marking: Marking) -> bool {
        (0..self.memory.process_count()).any(|pid| {
            let proc = self.memory.process(pid).proc;
            let info =
                &self.program.procs[proc.0 as usize].states[self.memory.state_of(pid) as usize];
            info.is_marked(marking)
        })
    }
}

fn actor(pid: u32) -> ActorId {
    ActorId(pid)
}
