//! Which steps are possible.

use exeunt_promela::code::{Action, Receive, Send, Slot, Transition};

use crate::config::{Message, Step};
use crate::domain::Domain;
use crate::stop::Stop;

use super::Machine;

/// Whether a statement can be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ready {
    No,
    Yes,
    /// Needs a partner at this channel.
    Offers(u32),
}

impl<D: Domain> Machine<'_, D> {
    /// All steps that are possible now. Also settles who holds control.
    pub fn steps(&mut self) -> Result<Vec<Step>, Stop> {
        self.timeout = false;
        if let Some(holder) = self.config.holder {
            let steps = self.steps_of(holder)?;
            if !steps.is_empty() {
                return Ok(steps);
            }
        }
        let steps = self.steps_of_all()?;
        if !steps.is_empty() || !self.source.program.uses_timeout {
            return Ok(steps);
        }
        self.timeout = true;
        let steps = self.steps_of_all();
        self.timeout = false;
        let marked = steps?.into_iter().map(|step| Step { timeout: true, ..step });
        Ok(marked.collect())
    }

    fn steps_of_all(&mut self) -> Result<Vec<Step>, Stop> {
        let mut all = Vec::new();
        for pid in self.pids() {
            all.extend(self.steps_of(pid)?);
        }
        Ok(all)
    }

    /// The possible steps of one process, as they stand in its table.
    pub(super) fn steps_of(&mut self, pid: u32) -> Result<Vec<Step>, Stop> {
        match self.may_run(pid)? {
            true => self.own_steps(pid),
            false => Ok(Vec::new()),
        }
    }

    /// Whether no process of a higher priority can move.
    pub(super) fn may_run(&mut self, pid: u32) -> Result<bool, Stop> {
        if !self.source.program.uses_priority {
            return Ok(true);
        }
        let own = self.config.processes[pid as usize].priority;
        for other in self.pids() {
            if self.config.processes[other as usize].priority > own && self.could_move(other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a process has a possible step, priorities aside.
    pub(super) fn could_move(&mut self, pid: u32) -> Result<bool, Stop> {
        Ok(!self.own_steps(pid)?.is_empty())
    }

    /// The possible steps of a process, priorities aside.
    pub fn own_steps(&mut self, pid: u32) -> Result<Vec<Step>, Stop> {
        let mut steps = Vec::new();
        let state = self.config.processes[pid as usize].state;
        if !self.is_provided(pid)? {
            return Ok(steps);
        }
        let mut escape = 0;
        for (index, transition) in self.transitions(pid).iter().enumerate() {
            if escape > 0 && escape != transition.escape {
                break;
            }
            let before = steps.len();
            let transition_number = index as u16;
            let step = |partner| Step {
                pid,
                state,
                transition: transition_number,
                partner,
                timeout: false,
            };
            match self.ready(&transition.action, pid, before > 0)? {
                Ready::No => continue,
                Ready::Yes => steps.push(step(None)),
                Ready::Offers(channel) => {
                    let partners = self.partners(pid, channel, transition)?;
                    steps.extend(partners.into_iter().map(|partner| step(Some(partner))));
                    if steps.len() == before {
                        escape = 0;
                        continue;
                    }
                }
            }
            escape = transition.escape;
        }
        Ok(steps)
    }

    /// The channels with room for messages that some process waits at.
    pub fn awaited(&mut self) -> Result<Vec<u32>, Stop> {
        let mut channels = Vec::new();
        for pid in self.pids() {
            for transition in self.transitions(pid) {
                let Action::Receive(receive) = &transition.action else { continue };
                let channel = self.channel(&receive.chan, pid)?;
                if !self.is_rendezvous(channel) && !channels.contains(&channel) {
                    channels.push(channel);
                }
            }
        }
        Ok(channels)
    }

    pub(super) fn is_provided(&mut self, pid: u32) -> Result<bool, Stop> {
        match &self.proc(pid).provided {
            Some(provided) => self.truth(provided, pid),
            None => Ok(true),
        }
    }

    /// `moved`: whether something before it in the same place is possible.
    pub(super) fn ready(&mut self, action: &Action, pid: u32, moved: bool) -> Result<Ready, Stop> {
        let ready = match action {
            Action::Skip
            | Action::Assign(..)
            | Action::Assert(_)
            | Action::Print { .. }
            | Action::PrintMtype(_)
            | Action::SetPriority(_)
            | Action::GuardRun(_) => true,
            Action::Code(_) => return Err(Stop::unknown("C code is not known here")),
            Action::Else => !moved,
            Action::End => pid + 1 == self.config.processes.len() as u32,
            Action::Guard(expr) => self.truth(expr, pid)?,
            Action::Send(send) => {
                let channel = self.channel(&send.chan, pid)?;
                if self.is_rendezvous(channel) {
                    return Ok(Ready::Offers(channel));
                }
                true
            }
            Action::Receive(receive) => {
                let channel = self.channel(&receive.chan, pid)?;
                let passes = !self.is_rendezvous(channel);
                passes && self.find_message(channel, receive, pid)?.is_some()
            }
            Action::DStep(program) => self.d_step_ready(program, program.start, pid, moved)?,
        };
        Ok(if ready { Ready::Yes } else { Ready::No })
    }

    /// Which message a receive would take, if one is there.
    pub(super) fn find_message(
        &mut self,
        channel: u32,
        receive: &Receive,
        pid: u32,
    ) -> Result<Option<usize>, Stop> {
        let length = self.length(channel);
        if !self.domain.decide(&length) {
            return Ok(None);
        }
        if self.config.channels[channel as usize].bag.is_some() {
            return self.find_in_bag(channel, receive, pid);
        }
        let open = self.config.channels[channel as usize].open.is_some();
        if receive.random && open {
            // Only the front is known. If it fits, it is the first that does.
            return match self.fits(channel, 0, receive, pid)? {
                true => Ok(Some(0)),
                false => Err(Stop::unknown("a random receive from deep in a channel that grows")),
            };
        }
        if self.hides_fronts && !receive.random && !self.passes(channel) {
            return Ok(None);
        }
        let candidates = match receive.random {
            true if !self.passes(channel) => self.config.channels[channel as usize].messages.len(),
            _ => 1,
        };
        for slot in 0..candidates {
            if self.fits(channel, slot, receive, pid)? {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// Whether a message is one that the receive asks for.
    fn fits(
        &mut self,
        channel: u32,
        slot: usize,
        receive: &Receive,
        pid: u32,
    ) -> Result<bool, Stop> {
        let message = self.message(channel, slot)?;
        self.asks_for(receive, &message, pid)
    }

    pub(super) fn asks_for(
        &mut self,
        receive: &Receive,
        message: &[D::Value],
        pid: u32,
    ) -> Result<bool, Stop> {
        if message.len() != receive.args.len() {
            return Err(Stop::fault("a receive with the wrong number of fields"));
        }
        for (arg, value) in receive.args.iter().zip(message.iter()) {
            let Slot::Match(expr) = arg else { continue };
            let wanted = self.eval(expr, pid)?;
            let op = exeunt_promela::code::Binary::Equal;
            let same = self.domain.binary(op, &wanted, value)?;
            if !self.domain.decide(&same) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn message(&self, channel: u32, slot: usize) -> Result<Message<D::Value>, Stop> {
        if let Some((passing, message)) = &self.passing
            && *passing == channel
        {
            return Ok(message.clone().into());
        }
        let messages = &self.config.channels[channel as usize].messages;
        messages.get(slot).cloned().ok_or_else(|| Stop::unknown("a look too far into a channel"))
    }

    /// The message of a send, as the channel keeps it.
    pub(super) fn offer(
        &mut self,
        send: &Send,
        channel: u32,
        pid: u32,
    ) -> Result<Vec<D::Value>, Stop> {
        let decl = self.config.channels[channel as usize].decl;
        let fields = &self.source.program.channels[decl.0 as usize].fields;
        if fields.len() != send.args.len() {
            return Err(Stop::fault("a send with the wrong number of fields"));
        }
        let mut message = Vec::new();
        for (arg, field) in send.args.iter().zip(fields) {
            let value = self.eval(arg, pid)?;
            message.push(self.domain.truncate(field.width, &value));
        }
        Ok(message)
    }

    /// Who could take what is offered: process and transition.
    fn partners(
        &mut self,
        pid: u32,
        channel: u32,
        transition: &Transition,
    ) -> Result<Vec<(u32, u16)>, Stop> {
        let Action::Send(send) = &transition.action else { return Ok(Vec::new()) };
        self.begin_passing(pid, send, channel)?;
        let mut found = Ok(Vec::new());
        let before = self.config.processes[pid as usize].state;
        self.config.processes[pid as usize].state = transition.target;
        for other in self.pids().filter(|other| *other != pid) {
            match (self.receivers(other, channel), &mut found) {
                (Ok(receives), Ok(all)) => {
                    all.extend(receives.into_iter().map(|number| (other, number)));
                }
                (Err(stop), _) => found = Err(stop),
                (_, Err(_)) => {}
            }
        }
        self.config.processes[pid as usize].state = before;
        self.passing = None;
        found
    }

    /// Puts a message on its way through a rendezvous channel.
    pub(super) fn begin_passing(
        &mut self,
        pid: u32,
        send: &Send,
        channel: u32,
    ) -> Result<(), Stop> {
        let message = self.offer(send, channel, pid)?;
        self.passing = Some((channel, message));
        Ok(())
    }

    /// The transitions of a process that take the passing message.
    pub(super) fn receivers(&mut self, pid: u32, channel: u32) -> Result<Vec<u16>, Stop> {
        let mut found = Vec::new();
        if !self.is_provided(pid)? {
            return Ok(found);
        }
        let mut escape = 0;
        for (number, transition) in self.transitions(pid).iter().enumerate() {
            if escape > 0 && escape != transition.escape {
                break;
            }
            if self.receives(&transition.action, channel, pid)? {
                found.push(number as u16);
                escape = transition.escape;
            }
        }
        Ok(found)
    }

    pub(super) fn receives(
        &mut self,
        action: &Action,
        channel: u32,
        pid: u32,
    ) -> Result<bool, Stop> {
        match action {
            Action::Receive(receive) if !receive.peek => {
                let named = self.eval(&receive.chan, pid)?;
                let named = self.domain.fix(&named);
                let same = named == i64::from(channel) + 1;
                Ok(same && self.find_message(channel, receive, pid)?.is_some())
            }
            Action::DStep(program) => self.d_step_receives(program, program.start, channel, pid),
            _ => Ok(false),
        }
    }
}
