//! Runs a model whose channels have no bounds, over any domain of values.
//!
//! The meaning of steps follows our machine for Promela (and so SPIN), with
//! one difference: a channel that holds messages at all holds any number of
//! them. Rendezvous channels stay what they are.

mod bag;
mod dstep;
mod expr;
mod perform;
mod ready;
mod step;

use std::collections::BTreeSet;

use exeunt_promela::code::{Initial, Proc, ProcId, Program, StateInfo, Transition};

use crate::config::{Channel, Config, Process, Traffic};
use crate::domain::Domain;
use crate::layout::{self, Frame, Layout};
use crate::stop::Stop;

/// A model as the interpreter needs it.
#[derive(Clone, Copy)]
pub(crate) struct Source<'p> {
    pub program: &'p Program,
    pub layout: &'p Layout,
}

pub(crate) struct Machine<'p, D: Domain> {
    pub source: Source<'p>,
    pub domain: D,
    pub config: Config<D::Value>,
    /// Whether `timeout` holds: nothing else can move.
    timeout: bool,
    /// The message that passes through a rendezvous channel.
    passing: Option<(u32, Vec<D::Value>)>,
    /// How deep `enabled` asks.
    asking: u32,
    /// What went through each channel, if that is counted.
    traffic: Option<Vec<Traffic<D::Value>>>,
    /// Whether channels stand for others with more in them.
    ignores_channels: bool,
    /// Whether what lies in channels lies behind other messages.
    hides_fronts: bool,
    /// The global variables that were used, if only one process is looked at.
    used: Option<Used>,
}

/// Global variables by where they lie.
#[derive(Clone, Debug, Default)]
pub(crate) struct Used {
    pub read: BTreeSet<u32>,
    pub written: BTreeSet<u32>,
}

impl<'p, D: Domain> Machine<'p, D> {
    pub fn new(source: Source<'p>, domain: D, config: Config<D::Value>) -> Self {
        let (passing, traffic) = (None, None);
        let (timeout, asking) = (false, 0);
        let (ignores_channels, hides_fronts) = (false, false);
        Machine {
            source,
            domain,
            config,
            timeout,
            passing,
            asking,
            traffic,
            ignores_channels,
            hides_fronts,
            used: None,
        }
    }

    /// From now on it is unknown what lies in channels: only receives look at that.
    pub fn ignore_channels(&mut self) {
        self.ignores_channels = true;
    }

    /// From now on what lies in channels is not at their fronts: only random receives find it.
    pub fn hide_fronts(&mut self) {
        self.hides_fronts = true;
    }

    /// From now on only one process is looked at: what depends on others is not known, and the global variables
    /// that are used are noted.
    pub fn isolate(&mut self) {
        self.used = Some(Used::default());
    }

    pub fn take_used(&mut self) -> Used {
        self.used.replace(Used::default()).unwrap_or_default()
    }

    fn must_know_others(&self) -> Result<(), Stop> {
        match self.used {
            Some(_) => Err(Stop::unknown("it is not known where other processes are")),
            None => Ok(()),
        }
    }

    /// Counts from now on what goes through the channels there are.
    pub fn count_traffic(&mut self) {
        self.traffic = Some(vec![Traffic::default(); self.config.channels.len()]);
    }

    pub fn take_traffic(&mut self) -> Vec<Traffic<D::Value>> {
        self.traffic.take().unwrap_or_default()
    }

    /// The model before its first step.
    pub fn initial(source: Source<'p>, domain: D) -> Result<Self, Stop> {
        let zero = domain.number(0);
        let globals = vec![zero; source.layout.globals.slots.len()];
        let (processes, channels) = (Vec::new(), Vec::new());
        let config = Config { globals, processes, channels, holder: None };
        let mut machine = Machine::new(source, domain, config);
        let program = source.program;
        program.global_channels.iter().for_each(|decl| machine.add_channel(*decl));
        machine.initialise(&program.initial, 0, 1)?;
        for (proc, priority) in &program.active {
            machine.start(*proc, &[], *priority)?;
        }
        Ok(machine)
    }

    fn initialise(&mut self, initial: &[Initial], pid: u32, mut next: i64) -> Result<(), Stop> {
        for entry in initial {
            match entry {
                Initial::Store(cell, value) => {
                    let value = self.eval(value, pid)?;
                    self.store(cell, pid, &value);
                }
                Initial::Channel(cell, _) => {
                    let number = self.domain.number(next);
                    self.store(cell, pid, &number);
                    next += 1;
                }
            }
        }
        Ok(())
    }

    fn add_channel(&mut self, decl: exeunt_promela::code::ChanDeclId) {
        let messages = std::collections::VecDeque::new();
        self.config.channels.push(Channel { decl, messages, open: None, bag: None });
    }

    /// Starts a process and gives its number.
    fn start(&mut self, proc: ProcId, args: &[D::Value], priority: u8) -> Result<u32, Stop> {
        if self.config.processes.len() >= 255 {
            return Err(Stop::fault("more than 255 processes are running"));
        }
        let shape = &self.source.program.procs[proc.0 as usize];
        let slots = self.source.layout.locals[proc.0 as usize].slots.len();
        let locals = vec![self.domain.number(0); slots];
        let pid = self.config.processes.len() as u32;
        let next = self.config.channels.len() as i64 + 1;
        self.config.processes.push(Process { proc, state: shape.start, priority, locals });
        shape.channels.iter().for_each(|decl| self.add_channel(*decl));
        for (cell, value) in shape.params.iter().zip(args) {
            self.store(cell, pid, value);
        }
        self.initialise(&shape.initial, pid, next)?;
        Ok(pid)
    }

    /// The youngest process and its channels are gone.
    fn end_youngest(&mut self) {
        let process = self.config.processes.pop().expect("a process ends");
        let owned = self.source.program.procs[process.proc.0 as usize].channels.len();
        let left = self.config.channels.len() - owned;
        self.config.channels.truncate(left);
    }

    fn proc(&self, pid: u32) -> &'p Proc {
        let proc = self.config.processes[pid as usize].proc;
        &self.source.program.procs[proc.0 as usize]
    }

    pub fn place(&self, pid: u32) -> &'p StateInfo {
        &self.proc(pid).states[self.config.processes[pid as usize].state as usize]
    }

    pub fn transitions(&self, pid: u32) -> &'p [Transition] {
        &self.place(pid).transitions
    }

    fn pids(&self) -> std::ops::Range<u32> {
        0..self.config.processes.len() as u32
    }

    fn frame(&self, pid: u32) -> &'p Frame {
        &self.source.layout.locals[self.config.processes[pid as usize].proc.0 as usize]
    }

    fn store(&mut self, cell: &exeunt_promela::code::Cell, pid: u32, value: &D::Value) {
        let value = self.domain.truncate(cell.width, value);
        let offset = layout::offset(cell);
        self.write(layout::is_local(cell.space), offset, pid, value);
    }

    fn write(&mut self, local: bool, offset: u32, pid: u32, value: D::Value) {
        if local {
            let slot = self.frame(pid).slot(offset);
            self.config.processes[pid as usize].locals[slot] = value;
        } else {
            if let Some(used) = &mut self.used {
                used.written.insert(offset);
            }
            let slot = self.source.layout.globals.slot(offset);
            self.config.globals[slot] = value;
        }
    }

    fn read(&mut self, local: bool, offset: u32, pid: u32) -> D::Value {
        if local {
            let slot = self.frame(pid).slot(offset);
            self.config.processes[pid as usize].locals[slot].clone()
        } else {
            if let Some(used) = &mut self.used {
                used.read.insert(offset);
            }
            self.config.globals[self.source.layout.globals.slot(offset)].clone()
        }
    }
}
