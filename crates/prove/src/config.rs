//! A configuration of a model: where every process stands, what the variables
//! hold, and what lies in the channels, however much that is.

use std::collections::VecDeque;
use std::rc::Rc;

use exeunt_promela::code::{ChanDeclId, ProcId};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Config<V> {
    pub globals: Vec<V>,
    pub processes: Vec<Process<V>>,
    pub channels: Vec<Channel<V>>,
    /// The process inside an atomic sequence, which goes on if it can.
    pub holder: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Process<V> {
    pub proc: ProcId,
    pub state: u16,
    /// Of two processes that could move, one of the highest priority does, in models that use priorities.
    pub priority: u8,
    pub locals: Vec<V>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Channel<V> {
    pub decl: ChanDeclId,
    /// The oldest message first.
    pub messages: VecDeque<Message<V>>,
    /// The length of a channel of which only the front is known: `messages`
    /// is what can be received, and what is sent goes to the far end.
    pub open: Option<V>,
    /// Of a growing channel of which all messages are known numbers, but not how many there are of some.
    pub bag: Option<Bag>,
}

/// A growing channel by what lies in it and not by where: `messages` is what lies there in the first
/// round, and in later ones there are more of the messages that grow in number, anywhere or in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Bag {
    /// The messages of which each round leaves more.
    pub grows: Vec<Vec<i64>>,
    /// Whether something was sent to its far end.
    pub plain: bool,
    /// Whether something was sorted into it or looked for at its front.
    pub ordered: bool,
}

/// What went through a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Traffic<V> {
    pub sent: Vec<Vec<V>>,
    pub received: Vec<Vec<V>>,
}

impl<V> Default for Traffic<V> {
    fn default() -> Self {
        Traffic { sent: Vec::new(), received: Vec::new() }
    }
}

/// A message in a channel. It is shared: configurations with long channels are
/// many.
pub(crate) type Message<V> = Rc<[V]>;

/// Where all processes stand, with which priorities; what a cycle of the control flow comes back to.
pub(crate) type Control = (Vec<(ProcId, u16, u8)>, Option<u32>, usize);

impl<V> Config<V> {
    pub fn control(&self) -> Control {
        let place = |process: &Process<V>| (process.proc, process.state, process.priority);
        (self.processes.iter().map(place).collect(), self.holder, self.channels.len())
    }

    /// How many messages lie in all channels.
    pub fn load(&self) -> usize {
        self.channels.iter().map(|channel| channel.messages.len()).sum()
    }
}

/// One step of a model: which process does which of its statements, and who
/// takes the message if it is a rendezvous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Step {
    pub pid: u32,
    /// The state that the process is in.
    pub state: u16,
    /// Which of the transitions of that state.
    pub transition: u16,
    pub partner: Option<(u32, u16)>,
    /// Nothing else can move: `timeout` holds.
    pub timeout: bool,
}

impl Step {
    /// The partner's half of a rendezvous.
    pub fn theirs<V>(&self, config: &Config<V>) -> Option<Step> {
        let (pid, transition) = self.partner?;
        let state = config.processes[pid as usize].state;
        Some(Step { pid, state, transition, partner: None, timeout: false })
    }
}
