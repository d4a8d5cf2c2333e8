//! One step: whether it may be taken, and what it leads to.

use exeunt_promela::code::Action;

use crate::config::Step;
use crate::domain::Domain;
use crate::stop::Stop;

use super::Machine;
use super::ready::Ready;

impl<D: Domain> Machine<'_, D> {
    /// Takes a step if it is possible. Only what this depends on is looked
    /// at, so a domain that notes conditions notes no others.
    pub fn take_step(&mut self, step: &Step) -> Result<(), Stop> {
        self.timeout = false;
        if let Some(holder) = self.config.holder
            && holder != step.pid
            && !self.steps_of(holder)?.is_empty()
        {
            return Err(Stop::NotEnabled);
        }
        if step.timeout {
            for pid in self.pids() {
                if !self.steps_of(pid)?.is_empty() {
                    return Err(Stop::NotEnabled);
                }
            }
        }
        self.timeout = step.timeout;
        let taken = self.admit(step).and_then(|()| self.execute(step));
        self.timeout = false;
        self.passing = None;
        taken
    }

    fn admit(&mut self, step: &Step) -> Result<(), Stop> {
        let there = self.config.processes.get(step.pid as usize);
        if there.is_none_or(|process| process.state != step.state)
            || !self.is_provided(step.pid)?
            || !self.may_run(step.pid)?
        {
            return Err(Stop::NotEnabled);
        }
        let list = self.transitions(step.pid);
        let own = list.get(usize::from(step.transition)).ok_or(Stop::NotEnabled)?;
        self.nothing_escapes(step, own.escape)?;
        let moved = match own.action {
            Action::Else => self.anything_before(step)?,
            _ => false,
        };
        match self.ready(&own.action, step.pid, moved)? {
            Ready::Yes if step.partner.is_none() => Ok(()),
            Ready::Offers(_) if step.partner.is_some() => Ok(()),
            _ => Err(Stop::NotEnabled),
        }
    }

    /// Escapes stand first in a table and go before everything behind them.
    fn nothing_escapes(&mut self, step: &Step, own: u16) -> Result<(), Stop> {
        let list = self.transitions(step.pid);
        let before = &list[..usize::from(step.transition)];
        if before.iter().all(|other| other.escape == 0 || other.escape == own) {
            return Ok(());
        }
        let possible = self.steps_of(step.pid)?;
        let same = |other: &&Step| other.transition == step.transition;
        match possible.iter().find(same) {
            Some(_) => Ok(()),
            None => Err(Stop::NotEnabled),
        }
    }

    fn anything_before(&mut self, step: &Step) -> Result<bool, Stop> {
        let possible = self.steps_of(step.pid)?;
        Ok(possible.iter().any(|other| other.transition < step.transition))
    }

    fn execute(&mut self, step: &Step) -> Result<(), Stop> {
        let transition = &self.transitions(step.pid)[usize::from(step.transition)];
        if let Some((partner, number)) = step.partner {
            return self.handshake(step.pid, transition, partner, number);
        }
        self.perform(&transition.action, step.pid)?;
        if !matches!(transition.action, Action::End) {
            self.config.processes[step.pid as usize].state = transition.target;
        }
        self.set_last(step.pid);
        self.config.holder = transition.atomic.then_some(step.pid);
        if matches!(transition.action, Action::End) {
            self.config.holder = None;
        }
        Ok(())
    }

    /// Both halves of a rendezvous.
    fn handshake(
        &mut self,
        pid: u32,
        transition: &exeunt_promela::code::Transition,
        partner: u32,
        number: u16,
    ) -> Result<(), Stop> {
        let Action::Send(send) = &transition.action else { return Err(Stop::NotEnabled) };
        let channel = self.channel(&send.chan, pid)?;
        self.begin_passing(pid, send, channel)?;
        self.config.processes[pid as usize].state = transition.target;
        if partner == pid || !self.pids().contains(&partner) {
            return Err(Stop::NotEnabled);
        }
        if !self.receivers(partner, channel)?.contains(&number) {
            return Err(Stop::NotEnabled);
        }
        self.set_last(pid);
        let receive = &self.transitions(partner)[usize::from(number)];
        self.perform(&receive.action, partner)?;
        self.config.processes[partner as usize].state = receive.target;
        self.set_last(partner);
        self.config.holder = receive.atomic.then_some(partner);
        Ok(())
    }

    fn set_last(&mut self, pid: u32) {
        if let Some(cell) = &self.source.program.last {
            let value = self.domain.number(i64::from(pid));
            self.store(cell, 0, &value);
        }
    }
}
