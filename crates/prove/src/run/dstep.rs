//! Deterministic steps: small programs that run to their exit at once.

use exeunt_promela::code::{Action, DNode, DStep};

use crate::domain::Domain;
use crate::stop::Stop;

use super::Machine;
use super::ready::Ready;

/// A `d_step` that goes on for longer is left alone.
const PATIENCE: u32 = 100_000;

impl<D: Domain> Machine<'_, D> {
    /// It can begin if its first statement or one of its options can.
    pub(super) fn d_step_ready(
        &mut self,
        program: &DStep,
        node: u32,
        pid: u32,
        moved: bool,
    ) -> Result<bool, Stop> {
        match &program.nodes[node as usize] {
            DNode::Exit => Ok(true),
            DNode::Act { action, .. } => match self.ready(action, pid, moved)? {
                Ready::Yes => Ok(true),
                Ready::No => Ok(false),
                Ready::Offers(_) => Err(Stop::fault("a rendezvous send in a d_step")),
            },
            DNode::Choose { options, .. } => {
                for option in options {
                    if self.d_step_ready(program, *option, pid, false)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    pub(super) fn d_step_receives(
        &mut self,
        program: &DStep,
        node: u32,
        channel: u32,
        pid: u32,
    ) -> Result<bool, Stop> {
        match &program.nodes[node as usize] {
            DNode::Exit => Ok(false),
            DNode::Act { action, .. } => self.receives(action, channel, pid),
            DNode::Choose { options, .. } => {
                for option in options {
                    if self.d_step_receives(program, *option, channel, pid)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    pub(super) fn d_step(&mut self, program: &DStep, pid: u32) -> Result<(), Stop> {
        let mut node = program.start;
        let mut chosen = false;
        for _ in 0..PATIENCE {
            match &program.nodes[node as usize] {
                DNode::Exit => return Ok(()),
                DNode::Choose { options, .. } => {
                    node = self.first_open(program, options, pid)?;
                    chosen = true;
                }
                DNode::Act { action, next, .. } => {
                    if !std::mem::take(&mut chosen) && !self.may_perform(action, pid)? {
                        return Err(blocked());
                    }
                    self.perform(action, pid)?;
                    if matches!(action, Action::Receive(_)) {
                        self.passing = None;
                    }
                    node = *next;
                }
            }
        }
        Err(Stop::unknown("a d_step that goes on for very long"))
    }

    /// The first option that can be taken. One that begins with a selection
    /// is entered in any case.
    fn first_open(&mut self, program: &DStep, options: &[u32], pid: u32) -> Result<u32, Stop> {
        for option in options {
            let open = match &program.nodes[*option as usize] {
                DNode::Act { action, .. } => self.may_perform(action, pid)?,
                DNode::Choose { .. } | DNode::Exit => true,
            };
            if open {
                return Ok(*option);
            }
        }
        Err(blocked())
    }

    fn may_perform(&mut self, action: &Action, pid: u32) -> Result<bool, Stop> {
        match action {
            Action::Guard(expr) => self.truth(expr, pid),
            Action::Receive(receive) => {
                let channel = self.channel(&receive.chan, pid)?;
                if self.is_rendezvous(channel) && !self.passes(channel) {
                    return Ok(false);
                }
                Ok(self.find_message(channel, receive, pid)?.is_some())
            }
            _ => Ok(true),
        }
    }
}

fn blocked() -> Stop {
    Stop::fault("a d_step blocks in the middle")
}
